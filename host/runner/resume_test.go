package runner_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// idsIn returns the cases of the rows of a run, in the order of the file.
func idsIn(t *testing.T, dir string) (ids []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, runner.RowsFile))
	must(t, err)
	defer f.Close()
	for row, err := range result.ReadRows(f) {
		must(t, err)
		ids = append(ids, row.Case)
	}
	return ids
}

// TestDir_DropsForeignRows resumes a run whose rows stand there twice, and
// over data in which a case is gone and another has changed.
func TestDir_DropsForeignRows(t *testing.T) {
	dir := newDir(t)
	grader := oneCriterion(constant(1, "a"), false)
	if _, err := runner.Run(t.Context(), numbered(t, 6), grader, dir, runner.Options{}); err != nil {
		t.Fatal(err)
	}
	must(t, dir.Close())
	file := filepath.Join(dir.Path(), runner.RowsFile)
	text, err := os.ReadFile(file)
	must(t, err)
	lines := bytes.SplitAfter(text, []byte{'\n'})
	must(t, os.WriteFile(file, slices.Concat(text, lines[1], lines[4], lines[1], []byte(`{"torn`)), 0o600))
	if runner.Active(dir.Path()) {
		t.Error("nobody writes it")
	}
	again, kept, err := runner.Resume(dir.Path(), true, nil)
	if err != nil || kept != (runner.Kept{Rows: 6, Doubled: 3}) {
		t.Fatalf("%+v, %v", kept, err)
	}
	if _, _, err := runner.Resume(dir.Path(), true, nil); fault.Of(err) != fault.Conflict {
		t.Errorf("opened twice: %v", err)
	}
	if !runner.Active(dir.Path()) {
		t.Error("it is being written")
	}
	changed := func(yield func(*dataset.Case, error) bool) {
		for c := range numbered(t, 6) {
			if c.ID == "c0002" {
				continue
			}
			if c.ID == "c0003" {
				c = caseOf(t, `{"id":"c0003","output":"another"}`)
			}
			if !yield(c, nil) {
				return
			}
		}
	}
	tally, err := runner.Run(t.Context(), changed, grader, again, runner.Options{Done: again.Done})
	if err != nil || tally.Rows != 1 || tally.Skipped != 4 {
		t.Errorf("%+v, %v", tally, err)
	}
	if dropped, err := again.Sort(true); dropped != 2 || err != nil {
		t.Errorf("%d dropped, %v", dropped, err)
	}
	must(t, again.Close())
	if ids := strings.Join(idsIn(t, dir.Path()), " "); ids != "c0000 c0001 c0003 c0004 c0005" {
		t.Errorf("rows %s", ids)
	}
}

// TestDir_GradesUnscoredRowsAgain leaves every row with a score as it is.
func TestDir_GradesUnscoredRowsAgain(t *testing.T) {
	dir := newDir(t)
	fails, asked := map[string]bool{"c0001": true, "c0003": true}, 0
	var mu sync.Mutex
	s := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
		mu.Lock()
		defer mu.Unlock()
		asked++
		if fails[c.ID] {
			return nil, fault.New(fault.JudgeServer, "busy")
		}
		return constant(1, "a").Score(ctx, c)
	})
	if _, err := runner.Run(t.Context(), numbered(t, 5), oneCriterion(s, false), dir, runner.Options{}); err != nil {
		t.Fatal(err)
	}
	must(t, errors.Join(sorted(dir), dir.Close()))
	for round, want := range []struct{ redo, unscored int }{{2, 1}, {1, 0}, {0, 0}} {
		asked = 0
		delete(fails, []string{"c0003", "c0001", ""}[round])
		var redo []*dataset.Case
		again, kept, err := runner.Resume(dir.Path(), true, func(row *result.Row) bool {
			redo = append(redo, newCase(t, row.Case))
			return true
		})
		if err != nil || kept.Redo != want.redo || kept.Rows != 5 {
			t.Fatalf("round %d: %+v, %v", round, kept, err)
		}
		cases := func(yield func(*dataset.Case, error) bool) {
			for _, c := range redo {
				if !yield(c, nil) {
					return
				}
			}
		}
		if _, err := runner.Run(t.Context(), cases, oneCriterion(s, false), again, runner.Options{Done: again.Done}); err != nil {
			t.Fatal(err)
		}
		if dropped, err := again.Sort(true); dropped != 0 || err != nil {
			t.Fatal(dropped, err)
		}
		must(t, again.Close())
		if ids := strings.Join(idsIn(t, dir.Path()), " "); ids != "c0000 c0001 c0002 c0003 c0004" || asked != want.redo {
			t.Errorf("round %d: %s, %d asked", round, ids, asked)
		}
		unscored := 0
		f, err := os.Open(filepath.Join(dir.Path(), runner.RowsFile))
		must(t, err)
		for row := range result.ReadRows(f) {
			if row.Score == nil {
				unscored++
			}
		}
		f.Close()
		if unscored != want.unscored {
			t.Errorf("round %d: %d without a score", round, unscored)
		}
	}
}

func TestRun_SkipsDoneRows(t *testing.T) {
	var sink memory
	done := func(_ int, id string, repeat int, digest string) bool {
		return id < "c0005" && repeat == 1 && digest != ""
	}
	tally, err := runner.Run(t.Context(), numbered(t, 10), oneCriterion(constant(1, "a"), false), &sink, runner.Options{Repeat: 2, Done: done})
	if err != nil || tally.Skipped != 5 || tally.Rows != 15 {
		t.Errorf("tally %+v error %v", tally, err)
	}
}

// TestSort_FillsTheHolesOfAnEarlierSession stops a run that has let cases out, as
// a budget does, and goes on: its file is that of an undisturbed run.
func TestSort_FillsTheHolesOfAnEarlierSession(t *testing.T) {
	const n = 9
	grader := oneCriterion(constant(1, "a"), false)
	session := func(dir *runner.Dir, keep func(int) bool) string {
		cases := func(yield func(*dataset.Case, error) bool) {
			i := 0
			for c, err := range numbered(t, n) {
				if i++; keep(i) && !yield(c, err) {
					return
				}
			}
		}
		if _, err := runner.Run(t.Context(), cases, grader, dir, runner.Options{Done: dir.Done}); err != nil {
			t.Fatal(err)
		}
		must(t, errors.Join(sorted(dir), dir.Close()))
		text, err := os.ReadFile(filepath.Join(dir.Path(), runner.RowsFile))
		must(t, err)
		return string(text)
	}
	create := func() *runner.Dir {
		dir, err := runner.Create(t.TempDir(), &result.Run{Schema: result.SchemaVersion, ID: "r1", Status: result.Running})
		must(t, err)
		return dir
	}
	all := func(int) bool { return true }
	want := session(create(), all)
	for name, keep := range map[string]func(int) bool{
		"every other":     func(i int) bool { return i%2 == 0 },
		"all but the 1st": func(i int) bool { return i > 1 },
		"the first half":  func(i int) bool { return i < n/2 },
		"none":            func(int) bool { return false },
		"all":             all,
	} {
		t.Run(name, func(t *testing.T) {
			dir := create()
			session(dir, keep)
			dir, _, err := runner.Resume(dir.Path(), true, nil)
			must(t, err)
			if got := session(dir, all); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			left, err := filepath.Glob(filepath.Join(dir.Path(), ".rows-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

// TestResume_CutsBlankLines has an editor end the file in blank lines: rows that come then are
// found where they are.
func TestResume_CutsBlankLines(t *testing.T) {
	const n = 9
	grader := oneCriterion(constant(1, "a"), false)
	var want []string
	for c := range numbered(t, n) {
		want = append(want, c.ID)
	}
	for _, first := range []int{0, 1, 4} {
		for _, end := range []string{"\n\n\n", "   ", "\n  \n\t"} {
			dir, err := runner.Create(t.TempDir(), &result.Run{Schema: result.SchemaVersion, ID: "r1", Status: result.Running})
			must(t, err)
			later := func(yield func(*dataset.Case, error) bool) {
				for c := range numbered(t, n) {
					if slices.Index(want, c.ID) >= n-first && !yield(c, nil) {
						return
					}
				}
			}
			if _, err := runner.Run(t.Context(), later, grader, dir, runner.Options{}); err != nil {
				t.Fatal(err)
			}
			must(t, dir.Close())
			file := filepath.Join(dir.Path(), runner.RowsFile)
			text, err := os.ReadFile(file)
			must(t, err)
			must(t, os.WriteFile(file, append(text, end...), 0o600))
			dir, kept, err := runner.Resume(dir.Path(), true, nil)
			if err != nil || kept.Rows != first {
				t.Fatal(kept, err)
			}
			if _, err := runner.Run(t.Context(), numbered(t, n), grader, dir, runner.Options{Done: dir.Done}); err != nil {
				t.Fatal(err)
			}
			must(t, errors.Join(sorted(dir), dir.Close()))
			if got := idsIn(t, dir.Path()); !slices.Equal(got, want) {
				t.Errorf("%d rows and %q: %v", first, end, got)
			}
		}
	}
}

func sorted(dir *runner.Dir) error {
	_, err := dir.Sort(true)
	return err
}

// TestLatest_IsTheRunThatBeganLast, whatever the clock made of its name.
func TestLatest_IsTheRunThatBeganLast(t *testing.T) {
	root := t.TempDir()
	for id, record := range map[string]string{
		"20260301-000000-aaaa": `{"schema":1,"id":"x","status":"finished","started":"2026-01-01T00:00:00Z","command":[]}`,
		"20260101-000000-bbbb": `{"schema":1,"id":{"started":"2027-01-01T00:00:00Z"},"started":"2026-02-01T00:00:00.5+01:00"}`,
		"20260201-000000-cccc": `{"id":"x","started":"2026-01-15T00:00:00Z", torn`,
		"20269999-torn":        `{"id":"x","sta`,
		"20269999-none":        `[]`,
	} {
		dir := filepath.Join(root, id)
		must(t, errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, runner.RunFile), []byte(record), 0o600)))
	}
	ids, err := runner.List(root)
	must(t, err)
	want := []string{"20269999-none", "20269999-torn", "20260301-000000-aaaa", "20260201-000000-cccc", "20260101-000000-bbbb"}
	if !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
	if dir, err := runner.Find(root, "latest"); err != nil || filepath.Base(dir) != "20260101-000000-bbbb" {
		t.Errorf("latest is %s, %v", dir, err)
	}
	if dir, err := runner.Find(root, "previous"); err != nil || filepath.Base(dir) != "20260201-000000-cccc" {
		t.Errorf("previous is %s, %v", dir, err)
	}
}

// TestCreate_LeavesNothingBehind creates a run whose record cannot be written, as on a full disk.
func TestCreate_LeavesNothingBehind(t *testing.T) {
	root := t.TempDir()
	if _, err := runner.Create(root, &result.Run{Schema: result.SchemaVersion, ID: "r", Plan: []byte("{")}); err == nil {
		t.Fatal("a plan that is not JSON was written")
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
