package runner_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

func caseOf(t *testing.T, text string) *dataset.Case {
	t.Helper()
	c, err := dataset.FromJSON([]byte(text), diag.Pos{File: "d.jsonl", Line: 7})
	must(t, err)
	return c
}

func appendRow(t *testing.T, dir *runner.Dir, c *dataset.Case, repeat int, pad string) {
	t.Helper()
	row := runner.BadRow(nil, errors.New("no score"))
	row.Case, row.CaseDigest, row.Repeat, row.Reason = c.ID, c.Digest(), repeat, pad
	encoded, err := result.AppendRow(nil, row)
	must(t, err)
	must(t, dir.Append(0, row, c, encoded))
}

func newDir(t *testing.T) *runner.Dir {
	t.Helper()
	dir, err := runner.Create(t.TempDir(), &result.Run{Schema: result.SchemaVersion, ID: "r", Status: result.Running})
	must(t, err)
	return dir
}

func TestDir_SaysThatItsRowsAreGone(t *testing.T) {
	for name, change := range map[string]func(rows string) error{
		"removed":  os.Remove,
		"replaced": func(rows string) error { return errors.Join(os.Remove(rows), os.WriteFile(rows, nil, 0o600)) },
	} {
		dir := newDir(t)
		appendRow(t, dir, caseOf(t, `{"id":"a","output":"o"}`), 1, "")
		must(t, dir.Sync())
		must(t, change(filepath.Join(dir.Path(), runner.RowsFile)))
		if err := dir.Sync(); fault.Of(err) != fault.Storage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDir_EveryRowHasItsCase looks at the files after each row, as a killed
// process leaves them: buffers fill at different moments.
func TestDir_EveryRowHasItsCase(t *testing.T) {
	dir := newDir(t)
	defer dir.Close()
	seen := 0
	for i := range 60 {
		size := 1000
		if i%7 == 0 {
			size = 90_000 // larger than the buffers
		}
		c := caseOf(t, fmt.Sprintf(`{"id":"c%d","output":%q}`, i, bytes.Repeat([]byte{'o'}, 1+i%3*size)))
		appendRow(t, dir, c, 1, string(bytes.Repeat([]byte{'r'}, size)))
		cases, err := runner.OpenCases(dir.Path())
		must(t, err)
		f, err := os.Open(filepath.Join(dir.Path(), runner.RowsFile))
		must(t, err)
		for row, err := range result.ReadRows(f) {
			if err != nil {
				break // the torn end
			}
			seen++
			if c, err := cases.Of(row); err != nil || c == nil || c.ID != row.Case {
				t.Fatalf("after row %d: row %s has no case: %v, %v", i, row.Case, c, err)
			}
		}
		f.Close()
		cases.Close()
	}
	if seen == 0 {
		t.Error("no row reached the disk")
	}
}

// TestDir_KeepsCasesOnce covers repeats, rows without an id and the same content,
// and a run that was torn at every byte of its last case.
func TestDir_KeepsCasesOnce(t *testing.T) {
	dir := newDir(t)
	first, second := caseOf(t, `{"output":"same","question":"q"}`), caseOf(t, `{"output":"same","question":"q"}`)
	second.ID += "-2"
	last := caseOf(t, `{"id":"é","output":{"b":[1,"\u200f"]},"tags":"x=1"}`)
	for _, c := range []*dataset.Case{first, second, last} {
		appendRow(t, dir, c, 1, "")
		appendRow(t, dir, c, 2, "")
	}
	must(t, dir.Close())
	path := filepath.Join(dir.Path(), runner.CasesFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	begin := bytes.IndexByte(whole, '\n') + 1
	if n := bytes.Count(whole, []byte{'\n'}); n != 2 {
		t.Fatalf("%d lines, want 2:\n%s", n, whole)
	}
	for cut := begin; cut <= len(whole); cut++ {
		must(t, os.WriteFile(path, whole[:cut], 0o600))
		again, _, err := runner.Resume(dir.Path(), true, nil)
		must(t, err)
		appendRow(t, again, last, 3, "")
		must(t, again.Close())
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("cut at %d: %v\n%s", cut, err, got)
		}
	}

	cases, err := runner.OpenCases(dir.Path())
	must(t, err)
	defer cases.Close()
	for _, want := range []*dataset.Case{first, second, last} {
		got, err := cases.Of(&result.Row{Case: want.ID, CaseDigest: want.Digest()})
		if err != nil || got.ID != want.ID || got.Made != want.Made || got.Digest() != want.Digest() || got.Output != want.Output || got.Input != want.Input || got.Line != 7 || got.Tags["x"] != want.Tags["x"] {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
	if c, err := cases.Of(&result.Row{CaseDigest: "sha256:" + "00"}); c != nil || err != nil {
		t.Errorf("an unknown digest: %v, %v", c, err)
	}
}

// TestDir_HoldsFewBytesPerRow has a number of rows at which the hashes of cases take most memory: they have just
// passed 7/8 of a power of two.
func TestDir_HoldsFewBytesPerRow(t *testing.T) {
	const rows = 30_000
	dir := newDir(t)
	defer dir.Close()
	row := runner.BadRow(nil, errors.New("no score"))
	var before, after, sorted runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range rows {
		c := caseOf(t, fmt.Sprintf(`{"id":"c","output":"%d"}`, i))
		row.CaseDigest = c.Digest()
		must(t, dir.Append(i, row, c, []byte("{}")))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if _, err := dir.Sort(true); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&sorted)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 40*rows {
		t.Errorf("%d bytes a row, want at most 40", held/rows)
	}
	if made := sorted.TotalAlloc - after.TotalAlloc; made > 4*rows {
		t.Errorf("to sort rows that are in order takes %d bytes each", made/rows)
	}
}

// TestResume_GradesRowsWithoutTheirCaseAgain has a machine go down that had written the rows
// and not yet their cases. A row that could not be read has no case.
func TestResume_GradesRowsWithoutTheirCaseAgain(t *testing.T) {
	dir := newDir(t)
	kept, lost := caseOf(t, `{"id":"a","output":"x"}`), caseOf(t, `{"id":"b","output":"y"}`)
	appendRow(t, dir, kept, 1, "")
	appendRow(t, dir, lost, 1, "")
	unreadable := &result.Row{Schema: result.SchemaVersion, Case: "d.jsonl:3", CaseDigest: digest.Of([]byte("no JSON"))}
	encoded, err := result.AppendRow(nil, unreadable)
	must(t, err)
	must(t, errors.Join(dir.Append(2, unreadable, nil, encoded), dir.Close()))
	path := filepath.Join(dir.Path(), runner.CasesFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, whole[:bytes.IndexByte(whole, '\n')+1], 0o600))
	dir, found, err := runner.Resume(dir.Path(), true, nil)
	must(t, err)
	defer dir.Close()
	if found.Rows != 2 || !dir.Has(kept.ID, 1, kept.Digest()) || !dir.Has(unreadable.Case, 0, unreadable.CaseDigest) || dir.Has(lost.ID, 1, lost.Digest()) {
		t.Errorf("%d rows are kept", found.Rows)
	}
}

// A run that is killed while it grades cases again has several rows of one case.
func TestReadRows_LeavesOutRowsThatAreReplaced(t *testing.T) {
	dir := newDir(t)
	c := caseOf(t, `{"id":"a","output":"x"}`)
	for _, row := range []*result.Row{{Reason: "first"}, {Reason: "second"}, {Status: rubric.Scored, Score: new(0.5)}, {Status: rubric.Scored, Score: new(0.7)}} {
		row.Schema, row.Case, row.CaseDigest, row.Repeat = result.SchemaVersion, c.ID, c.Digest(), 1
		encoded, err := result.AppendRow(nil, row)
		must(t, err)
		must(t, dir.Append(0, row, c, encoded))
	}
	must(t, dir.Close())
	var scores []float64
	for row, err := range runner.ReadRows(dir.Path()) {
		if err != nil || row.Score == nil {
			t.Fatalf("%v, %v", row, err)
		}
		scores = append(scores, *row.Score)
	}
	if !slices.Equal(scores, []float64{0.5}) {
		t.Errorf("scores %v, want that of the first row with one", scores)
	}
}

// TestReadRows_OfARunWithoutItsFileIsOneError: what cannot be opened has no rows to count.
func TestReadRows_OfARunWithoutItsFileIsOneError(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "run.json"), []byte(`{"schema":1,"id":"r","status":"finished","counts":{"rows":9}}`), 0o600))
	var bad []error
	for _, err := range runner.ReadRows(dir) {
		bad = append(bad, err)
	}
	if len(bad) != 1 || !fault.Is(bad[0], fault.NotFound) {
		t.Error(bad)
	}
}

// TestMerge_TakesFilesWithoutTheirLastBreak: the first line of the next run is a line of its own.
func TestMerge_TakesFilesWithoutTheirLastBreak(t *testing.T) {
	var dirs, digests []string
	for _, id := range []string{"a", "b"} {
		dir, c := t.TempDir(), newCase(t, id)
		row, err := result.AppendRow(nil, &result.Row{Schema: 1, Case: id, CaseDigest: c.Digest(), Repeat: 1, Status: rubric.Unscored})
		must(t, err)
		for name, text := range map[string][]byte{runner.RowsFile: row, runner.CasesFile: result.AppendCase(nil, c, true)} {
			must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
		}
		dirs, digests = append(dirs, dir), append(digests, c.Digest())
	}
	merged, kept, err := runner.Merge(t.TempDir(), &result.Run{Schema: 1, ID: "m"}, dirs)
	if err != nil || kept.Rows != 2 {
		t.Fatalf("%+v, %v", kept, err)
	}
	defer merged.Close()
	cases, err := runner.OpenCases(merged.Path())
	must(t, err)
	defer cases.Close()
	for _, d := range digests {
		if c, err := cases.Read(d); err != nil || c == nil {
			t.Errorf("%s: %v, %v", d, c, err)
		}
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
