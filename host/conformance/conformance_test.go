// Package conformance holds the evaluator to the five systems whose rubrics it
// reads. The rows are data (testdata/seeds); NAME_test.go puts the rows of one
// system in our words, and NAME_ours_test.go lists those that we score otherwise.
package conformance

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// The five source systems. Their vectors (testdata/seeds) hold the results of each
// with scripted judge answers. Every row is put to the evaluator in full: its
// document is read, planned and graded, its judge answers come from an HTTP endpoint
// that plays them, and the results are compared with three things, in facts of one
// vocabulary:
//
//   the results of the system; if they are equal, the row is matched;
//   the rules of its document, where the system itself breaks them;
//   the rules of SCORING.md, where they differ from both: those rows are in a table,
//     each with the rule and our result.
//
// A row that is none of these fails, and so does an entry of a table that no
// row needs.

// seedSystem is one source system: how its rows are said in our words.
type seedSystem struct {
	name string

	// upstream turns the system's result into facts. It is given the whole of
	// it, or only the part that the document fixes.
	upstream func(row *seedRow, result map[string]any) facts

	// run puts a row to the evaluator.
	run func(t *testing.T, row *seedRow) facts

	ours    map[string]departure // rows that SCORING.md decides otherwise, by id
	skipped map[string]string    // rows whose subject the program does not have, and why
}

// A departure is a row that we do not follow.
type departure struct {
	rule    string // source of the rule, quoted
	instead facts  // our result
}

func seedSystems() []*seedSystem {
	return []*seedSystem{&agentevalsSeeds, &agentvSeeds, &rubricSeeds, &openrubricrlSeeds, &dataknobsSeeds}
}

func TestConformance(t *testing.T) {
	seedModules = wasmtest.CacheDir(t)
	for _, s := range seedSystems() {
		t.Run(s.name, s.test)
	}
}

// tally counts the outcomes of the rows of a system.
type tally struct {
	mu    sync.Mutex
	rows  int
	count map[string]int
}

// The outcomes of a row, in the order of the report.
const (
	seedMatched  = "matched"
	seedDemanded = "document demands otherwise, and gets it"
	seedOurs     = "ours by SCORING.md"
	seedAgainst  = "ours by SCORING.md, where the document has another figure"
	seedSkipped  = "skipped"
)

func (c *tally) add(outcome string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[outcome]++
}

func (c *tally) report(s *seedSystem) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rows, %d run", s.name, c.rows, c.rows-c.count[seedSkipped])
	for _, outcome := range []string{seedMatched, seedDemanded, seedOurs, seedAgainst, seedSkipped} {
		fmt.Fprintf(&b, ", %d %s", c.count[outcome], outcome)
	}
	why := map[string]int{}
	for _, reason := range s.skipped {
		why[reason]++
	}
	for _, reason := range sortedKeys(why) {
		fmt.Fprintf(&b, "\n\t%d skipped: %s", why[reason], reason)
	}
	return b.String()
}

func (s *seedSystem) test(t *testing.T) {
	rows := readSeeds(t, s.name)
	c := &tally{rows: len(rows), count: map[string]int{}}
	known := map[string]bool{}
	t.Run("rows", func(t *testing.T) {
		for _, row := range rows {
			known[row.ID] = true
			t.Run(row.ID, func(t *testing.T) {
				t.Parallel()
				if outcome := s.judge(t, row); outcome != "" {
					c.add(outcome)
				}
			})
		}
	})
	for _, id := range slices.Concat(sortedKeys(s.ours), sortedKeys(s.skipped)) {
		if !known[id] {
			t.Errorf("the table names %s, which is not a row", id)
		}
	}
	t.Log(c.report(s))
}

// judge runs a row and returns its outcome; empty if it failed.
func (s *seedSystem) judge(t *testing.T, row *seedRow) string {
	if _, ok := s.skipped[row.ID]; ok {
		if _, both := s.ours[row.ID]; both {
			t.Errorf("the row is skipped, and has a departure")
		}
		return seedSkipped
	}
	got := s.run(t, row)
	want := s.upstream(row, row.Expected)
	if want.empty() {
		t.Errorf("nothing is read of what is expected: %v", row.Expected)
	}
	missed := want.missed(got)
	d, departs := s.ours[row.ID]
	var left []string // rules of the document that are not kept
	if row.Demanded != nil {
		left = s.upstream(row, sparse(row.Demanded)).missed(got)
	}
	followed := len(missed) == 0 && (row.Agrees != false || len(left) == 0)
	demanded := row.Agrees == false && len(left) == 0
	switch {
	case t.Failed():
	case departs && (followed || demanded):
		t.Errorf("the row is followed, and needs no departure any more")
	case followed:
		return seedMatched
	case demanded:
		return seedDemanded
	case !departs:
		t.Errorf("the row (%v) is not followed, and nothing says why\nnot as upstream:\n\t%s\nnot as the document:\n\t%s\nnote: %s\nwe have: %s",
			row.Agrees, strings.Join(missed, "\n\t"), strings.Join(left, "\n\t"), row.Note, got)
	default:
		d.hold(t, got)
		if len(left) > 0 {
			return seedAgainst
		}
		return seedOurs
	}
	return ""
}

// hold compares a row in which we differ from the system with our documented result.
func (d *departure) hold(t *testing.T, got facts) {
	t.Helper()
	if still := d.instead.missed(got); len(still) > 0 {
		t.Errorf("%s\nbut:\n\t%s\nwe have: %s", d.rule, strings.Join(still, "\n\t"), got)
	}
	if d.rule == "" || len(d.instead) == 0 {
		t.Errorf("a departure says its rule, and what is done instead: %+v", d)
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
