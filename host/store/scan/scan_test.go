package scan_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/scan"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

var began = time.Date(2026, 1, 2, 3, 4, 5, 678_901_234, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB) *database.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"))
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// writeRun writes a run directory that has not changed for an hour.
func writeRun(t testing.TB, root, id string, started time.Time, rows ...*result.Row) string {
	t.Helper()
	dir := filepath.Join(root, id)
	must(t, os.MkdirAll(dir, 0o755))
	run := &result.Run{
		Schema: result.SchemaVersion, ID: id, Status: result.Finished, Started: started, PlanDigest: "sha256:plan",
		Rubric:  result.Rubric{ID: "tone", Version: "1.2.0", Digest: "sha256:tone"},
		Rubrics: []result.Rubric{{ID: "own", Version: "3", Digest: "sha256:own"}},
		Plan:    []byte(`{"graders":[{"digest":"sha256:tone","rubric":{"target_type":"answer"}},{"digest":"sha256:own","rubric":{}}]}`),
	}
	var b bytes.Buffer
	must(t, result.WriteRun(&b, run))
	must(t, os.WriteFile(filepath.Join(dir, runner.RunFile), b.Bytes(), 0o644))
	var text []byte
	for _, r := range rows {
		var err error
		text, err = result.AppendRow(text, r)
		must(t, err)
		text = append(text, '\n')
	}
	writeFile(t, filepath.Join(dir, runner.RowsFile), string(text))
	age(t, filepath.Join(dir, runner.RunFile))
	return dir
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o644))
	age(t, path)
}

// age makes a file an hour old.
func age(t testing.TB, path string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path, old, old))
}

func row(id string, repeat int, score float64) *result.Row {
	passed := score >= 0.5
	return &result.Row{
		Schema: result.SchemaVersion, Case: id, CaseDigest: "sha256:" + id, Repeat: repeat, Status: rubric.Scored, Score: &score, Passed: &passed,
		GateFailures: []string{}, Criteria: []result.Criterion{}, Metrics: []result.Criterion{}, Warnings: []string{},
	}
}

func unscored(id string, repeat int) *result.Row {
	r := row(id, repeat, 0)
	r.Status, r.Score, r.Passed = rubric.Unscored, nil, nil
	return r
}

func scanned(t testing.TB, db *database.DB, root string) scan.Result {
	t.Helper()
	r, err := scan.Directory(t.Context(), db, "", root)
	must(t, err)
	return r
}

func noProblems(t testing.TB, r scan.Result) {
	t.Helper()
	if len(r.Problems) > 0 {
		t.Errorf("problems: %v", r.Problems)
	}
}

// dump returns all that an index has of runs.
func dump(t testing.TB, db *database.DB) string {
	t.Helper()
	runs, err := db.Runs(t.Context())
	must(t, err)
	list, err := db.Evaluations(t.Context(), store.Filter{})
	must(t, err)
	var b strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&b, "%+v\n", r)
	}
	for _, e := range list {
		score, passed := "-", "-"
		if e.Score != nil {
			score = fmt.Sprint(*e.Score)
		}
		if e.Passed != nil {
			passed = fmt.Sprint(*e.Passed)
		}
		e.Score, e.Passed = nil, nil
		fmt.Fprintf(&b, "%+v %s %s\n", e, score, passed)
	}
	return b.String()
}

func TestDirectory_IndexesRows(t *testing.T) {
	root := t.TempDir()
	own := row("b", 1, 0.25)
	own.Rubric = "sha256:own"
	bad := unscored("c", 0)
	bad.CaseDigest = ""
	dir := writeRun(t, root, "run1", began, row("a", 1, 0.75), row("a", 2, 0.5), own, bad)
	db := open(t)
	r := scanned(t, db, root)
	noProblems(t, r)
	if r.Runs != 1 || r.Read != 1 || r.Evaluations != 4 {
		t.Errorf("%+v", r)
	}
	list, err := db.Evaluations(t.Context(), store.Filter{})
	must(t, err)
	text, err := os.ReadFile(filepath.Join(dir, runner.RowsFile))
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	at, yes, no, s := int64(0), true, false, []float64{0.75, 0.5, 0.25}
	started := began.Truncate(time.Microsecond)
	want := []store.Evaluation{
		{Case: "a", Repeat: 1, Rubric: "tone", RubricVersion: "1.2.0", RubricDigest: "sha256:tone", TargetType: "answer", Status: rubric.Scored, Score: &s[0], Passed: &yes},
		{Case: "a", Repeat: 2, Rubric: "tone", RubricVersion: "1.2.0", RubricDigest: "sha256:tone", TargetType: "answer", Status: rubric.Scored, Score: &s[1], Passed: &yes},
		{Case: "b", Repeat: 1, Rubric: "own", RubricVersion: "3", RubricDigest: "sha256:own", Status: rubric.Scored, Score: &s[2], Passed: &no},
		{Case: "c", Repeat: 0, Rubric: "tone", RubricVersion: "1.2.0", RubricDigest: "sha256:tone", TargetType: "answer", Status: rubric.Unscored},
	}
	for i := range want {
		w := &want[i]
		w.ID, w.Run, w.At, w.By = store.EvaluationID("run1", w.Case, w.Repeat), "run1", started, "system"
		w.Offset, w.Length = at, int64(len(lines[i])-1)
		at += int64(len(lines[i]))
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	run, err := db.Run(t.Context(), "run1")
	must(t, err)
	for _, e := range list {
		got, err := scan.Row(run, e)
		must(t, err)
		if got.Case != e.Case || got.Repeat != e.Repeat {
			t.Errorf("row of %s: %s (%d)", e.ID, got.Case, got.Repeat)
		}
	}
}

func TestDirectory_ReadsOnlyWhatChanged(t *testing.T) {
	root := t.TempDir()
	writeRun(t, root, "run1", began, row("a", 1, 1))
	dir := writeRun(t, root, "run2", began, row("b", 1, 1))
	db := open(t)
	if r := scanned(t, db, root); r.Read != 2 {
		t.Errorf("first: %+v", r)
	}
	if r := scanned(t, db, root); r.Runs != 2 || r.Read != 0 || r.Evaluations != 0 || r.Dropped != 0 {
		t.Errorf("nothing changed: %+v", r)
	}
	writeRun(t, root, "run2", began, row("b", 1, 1), row("c", 1, 1))
	if r := scanned(t, db, root); r.Read != 1 || r.Evaluations != 2 {
		t.Errorf("one changed: %+v", r)
	}
	now := time.Now() // as if it were written now: of the same size, perhaps once more
	must(t, os.Chtimes(filepath.Join(dir, runner.RowsFile), now, now))
	for range 2 {
		if r := scanned(t, db, root); r.Read != 1 {
			t.Errorf("just written: %+v", r)
		}
	}
}

func TestDirectory_DropsWhatIsGone(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	writeRun(t, root, "run1", began, row("a", 1, 1))
	dir := writeRun(t, root, "run2", began, row("b", 1, 1))
	writeRun(t, other, "run3", began, row("b", 1, 1))
	db := open(t)
	scanned(t, db, root)
	scanned(t, db, other)
	must(t, os.RemoveAll(dir))
	must(t, os.Rename(filepath.Join(root, "run1"), filepath.Join(root, "renamed")))
	r := scanned(t, db, root)
	noProblems(t, r)
	if r.Dropped != 1 || r.Runs != 1 {
		t.Errorf("%+v", r)
	}
	runs, err := db.Runs(t.Context())
	must(t, err)
	var dirs []string
	for _, run := range runs {
		dirs = append(dirs, run.Dir)
	}
	slices.Sort(dirs)
	want := []string{filepath.Join(root, "renamed"), filepath.Join(other, "run3")}
	slices.Sort(want)
	if !slices.Equal(dirs, want) {
		t.Errorf("the index has %v, want %v", dirs, want)
	}
	must(t, os.RemoveAll(root))
	if r := scanned(t, db, root); r.Dropped != 1 {
		t.Errorf("without the directory: %+v", r)
	}
}

// TestDirectory_LeavesOtherHosts has two machines with directories of the same name.
func TestDirectory_LeavesOtherHosts(t *testing.T) {
	parent := t.TempDir()
	root, away := filepath.Join(parent, "runs"), filepath.Join(parent, "away")
	db := open(t)
	scanAs := func(host string, want scan.Result) {
		t.Helper()
		got, err := scan.Directory(t.Context(), db, host, root)
		must(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("scan of %s (-want +got):\n%s", host, d)
		}
	}
	hosts := func(want ...string) {
		t.Helper()
		runs, err := db.Runs(t.Context())
		must(t, err)
		var got []string
		for _, r := range runs {
			got = append(got, r.ID+" of "+r.Host)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the index has %v, want %v", got, want)
		}
	}
	swap := func() { // the other machine's directory
		must(t, os.Rename(root, root+"2"))
		must(t, os.Rename(away, root))
		must(t, os.Rename(root+"2", away))
	}
	must(t, os.Mkdir(away, 0o755))
	writeRun(t, root, "nightly", began, row("a", 1, 1))
	writeRun(t, root, "run1", began, row("a", 1, 1))
	scanAs("one", scan.Result{Runs: 2, Read: 2, Evaluations: 2})
	swap()
	scanAs("two", scan.Result{})
	dir := writeRun(t, root, "other", began.Add(time.Hour), row("a", 1, 0.25))
	must(t, os.Rename(dir, filepath.Join(root, "nightly")))
	scanAs("two", scan.Result{Runs: 1, Read: 1, Evaluations: 1})
	hosts("nightly of one", "other of two", "run1 of one")

	// A row is never that of the other machine's directory.
	first, err := db.Run(t.Context(), "nightly")
	must(t, err)
	list, err := db.Evaluations(t.Context(), store.Filter{Run: "nightly"})
	must(t, err)
	if got, err := scan.Row(first, list[0]); !fault.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "host one") {
		t.Errorf("a row of the other machine: %v, %v", got, err)
	}

	swap()
	scanAs("one", scan.Result{Runs: 2})
	must(t, os.RemoveAll(filepath.Join(root, "run1")))
	scanAs("one", scan.Result{Runs: 1, Dropped: 1})
	hosts("nightly of one", "other of two")
	scanAs("three", scan.Result{Runs: 1}) // it shares the directory
	must(t, os.RemoveAll(root))
	scanAs("three", scan.Result{})
	scanAs("one", scan.Result{Dropped: 1})
	hosts("other of two")
}

// TestDirectory_DropsARunWhoseDirectoryHasAnother has a directory that is written again.
func TestDirectory_DropsARunWhoseDirectoryHasAnother(t *testing.T) {
	root := t.TempDir()
	nightly := filepath.Join(root, "nightly")
	db := open(t)
	for i, id := range []string{"monday", "tuesday"} {
		must(t, os.RemoveAll(nightly))
		must(t, os.Rename(writeRun(t, root, id, began, row("a", 1, 1)), nightly))
		if r := scanned(t, db, root); r.Read != 1 || r.Dropped != i {
			t.Errorf("%s: %+v", id, r)
		}
		runs, err := db.Runs(t.Context())
		must(t, err)
		if len(runs) != 1 || runs[0].ID != id {
			t.Errorf("on %s the index has %+v", id, runs)
		}
	}
}

func TestDirectory_IndexesARunThatIsWritten(t *testing.T) {
	root := t.TempDir()
	dir := writeRun(t, root, "run1", began, row("a", 1, 1), row("b", 1, 1))
	path := filepath.Join(dir, runner.RowsFile)
	text, err := os.ReadFile(path)
	must(t, err)
	first := bytes.IndexByte(text, '\n') + 1
	db := open(t)
	for size := range len(text) + 1 {
		if size > 3 && size < first-3 || size > first+3 && size < len(text)-3 {
			continue
		}
		writeFile(t, path, string(text[:size]))
		noProblems(t, scanned(t, db, root))
		list, err := db.Evaluations(t.Context(), store.Filter{})
		must(t, err)
		want := 0
		if size >= first-1 {
			want++
		}
		if size >= len(text)-1 {
			want++
		}
		if len(list) != want {
			t.Errorf("%d of %d bytes: %d evaluations, want %d", size, len(text), len(list), want)
		}
	}
	must(t, os.Remove(path))
	noProblems(t, scanned(t, db, root))
}

// TestDirectory_KeepsOneRowOfEach has rows twice, as a process leaves them that was killed
// while it graded rows again.
func TestDirectory_KeepsOneRowOfEach(t *testing.T) {
	root := t.TempDir()
	dir := writeRun(t, root, "run1", began, unscored("a", 1), row("b", 1, 0.5), row("a", 1, 0.75), unscored("b", 1), row("a", 1, 0.1), unscored("c", 1), unscored("c", 1))
	record, err := os.ReadFile(filepath.Join(dir, runner.RunFile))
	must(t, err)
	writeFile(t, filepath.Join(dir, runner.RunFile), strings.Replace(string(record), string(result.Finished), string(result.Interrupted), 1))
	db := open(t)
	scanned(t, db, root)
	list, err := db.Evaluations(t.Context(), store.Filter{})
	must(t, err)
	if len(list) != 3 || *list[0].Score != 0.5 || list[1].Case != "a" || *list[1].Score != 0.75 {
		t.Errorf("%+v", list)
	}
	info, err := os.Stat(filepath.Join(root, "run1", runner.RowsFile))
	must(t, err)
	if c := list[2]; c.Offset+c.Length+1 != info.Size() {
		t.Errorf("of two rows without a score the last one counts: %+v of %d bytes", c, info.Size())
	}
}

func TestDirectory_ReportsBrokenRuns(t *testing.T) {
	root := t.TempDir()
	good := writeRun(t, root, "good", began, row("a", 1, 1))
	line := writeRun(t, root, "line", began, row("a", 1, 1), row("b", 1, 1))
	writeFile(t, filepath.Join(line, runner.RowsFile), "{}\n"+`{"schema":1}`+"\n")
	record := writeRun(t, root, "record", began)
	writeFile(t, filepath.Join(record, runner.RunFile), "no JSON")
	newer := writeRun(t, root, "newer", began)
	writeFile(t, filepath.Join(newer, runner.RunFile), `{"schema":99,"id":"newer"}`)
	nameless := writeRun(t, root, "nameless", began)
	writeFile(t, filepath.Join(nameless, runner.RunFile), `{"schema":1}`)
	long := writeRun(t, root, "long", began)
	writeFile(t, filepath.Join(long, runner.RunFile), `{"schema":1,"id":"`+strings.Repeat("x", store.MaxID+1)+`"}`)
	special := writeRun(t, root, "special", began)
	must(t, os.Remove(filepath.Join(special, runner.RowsFile)))
	must(t, os.Mkdir(filepath.Join(special, runner.RowsFile), 0o755))
	must(t, os.CopyFS(filepath.Join(root, "zcopy"), os.DirFS(good)))
	must(t, os.Mkdir(filepath.Join(root, "no run"), 0o755))
	writeFile(t, filepath.Join(root, "a file"), "")
	db := open(t)
	for round := range 2 {
		r := scanned(t, db, root)
		var about []string
		for _, err := range r.Problems {
			if !fault.Is(err, fault.Invalid, fault.Conflict) {
				t.Errorf("%v (%s)", err, fault.Of(err))
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), root+"/"), " ")
			about = append(about, name)
		}
		slices.Sort(about)
		if want := []string{"line", "long", "nameless", "newer", "record", "special", "zcopy"}; !slices.Equal(about, want) {
			t.Errorf("problems of %v, want %v: %v", about, want, r.Problems)
		}
		if list, err := db.Evaluations(t.Context(), store.Filter{}); err != nil || len(list) != 1 {
			t.Errorf("round %d: %v, %v", round, list, err)
		}
	}
	writeFile(t, filepath.Join(good, runner.RowsFile), "{}\n{}\n") // it breaks
	must(t, os.RemoveAll(filepath.Join(root, "zcopy")))
	scanned(t, db, root)
	if list, err := db.Evaluations(t.Context(), store.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("a run that broke is still there: %v, %v", list, err)
	}
}

// TestDirectory_MakesALostIndexAgain compares an index that saw runs come, change and
// go with one that sees only the remaining runs.
func TestDirectory_MakesALostIndexAgain(t *testing.T) {
	root := t.TempDir()
	old := open(t)
	for i := range 12 {
		id := fmt.Sprint("run", i%8)
		rows := []*result.Row{row("a", 1, 0.5), unscored("b\x00", 1)}
		for j := range i {
			rows = append(rows, row(fmt.Sprint("case ", j), 1, float64(j)/12))
		}
		writeRun(t, root, id, began.Add(time.Duration(i%3)*time.Second), rows...)
		if i%4 == 3 {
			must(t, os.RemoveAll(filepath.Join(root, fmt.Sprint("run", i/2))))
		}
		noProblems(t, scanned(t, old, root))
	}
	again := open(t)
	scanned(t, again, root)
	before, after := dump(t, old), dump(t, again)
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("-kept up to date +made again:\n%s", d)
	}
	if n := strings.Count(after, "\n"); n < 20 {
		t.Errorf("only %d lines were compared", n)
	}
}

func TestRow_SaysThatItIsGone(t *testing.T) {
	root := t.TempDir()
	dir := writeRun(t, root, "run1", began, row("a", 1, 1), row("b", 1, 1))
	db := open(t)
	scanned(t, db, root)
	list, err := db.Evaluations(t.Context(), store.Filter{})
	must(t, err)
	run, err := db.Run(t.Context(), "run1")
	must(t, err)
	writeRun(t, root, "run1", began, row("longer than before", 1, 1), row("b", 1, 1))
	if _, err := scan.Row(run, list[1]); !fault.Is(err, fault.Mismatch) {
		t.Errorf("a run that changed: %v", err)
	}
	must(t, os.RemoveAll(dir))
	if _, err := scan.Row(run, list[0]); !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a run that is gone: %v", err)
	}
}
