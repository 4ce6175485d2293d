package host

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/runner"
)

// TestRowIndex_IsSmall finds the rows of a run by their identities, and checks the
// index's memory per row: it must not keep rows, or their ids.
func TestRowIndex_IsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const cases = 30_000
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, runner.RowsFile))
	must(t, err)
	w := bufio.NewWriter(f)
	write := func(i, repeat int, digest string) {
		fmt.Fprintf(w, `{"schema":1,"case":"a case with an id of some length %06d","case_digest":"sha256:%s","repeat":%d,"status":"unscored"}`+"\n", i, digest, repeat)
	}
	for i := range cases {
		write(i, 1, "a")
		write(i, 2, "a")
	}
	write(0, 1, "a") // twice
	write(1, 3, "b") // other content
	w.WriteString("{\"schema\":1,")
	must(t, w.Flush())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x, err := indexRows(dir)
	must(t, err)
	defer x.close()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if x.Len() != 2*cases+1 {
		t.Errorf("%d rows", x.Len())
	}
	if len(x.twice) != 1 || x.graded != x.Len() {
		t.Errorf("%d rows of %d graded, twice: %v", x.graded, x.Len(), x.twice)
	}
	if size := float64(int64(after.HeapAlloc)-int64(before.HeapAlloc)) / float64(x.Len()); size > 64 {
		t.Errorf("%.0f bytes per row", size)
	}
	var firsts []string
	for row, err := range x.firsts {
		must(t, err)
		if row.Repeat != 1 {
			firsts = append(firsts, fmt.Sprint(row.Case, row.Repeat))
		}
		if x.lacks(0, row.Case, 2, row.CaseDigest) != (row.CaseDigest == "sha256:b") {
			t.Fatal(row.Case)
		}
	}
	if !slices.Equal(firsts, []string{"a case with an id of some length 0000013"}) {
		t.Errorf("cases that do not begin with their first repeat: %q", firsts)
	}
	if n, unread, err := x.unread(2); err != nil || n != cases+1 || len(unread) != 2 || unread[0] != "a case with an id of some length 000001" {
		t.Errorf("%d, %q, %v", n, unread, err)
	}
	if _, err := x.read("none", 1, "sha256:a"); err == nil {
		t.Error("a row that is not there")
	}
	runtime.KeepAlive(x)
}

// TestRowIndex_TakesNoTimeForRepeats has a row that claims to be the repeat of a number that
// cannot be counted to.
func TestRowIndex_TakesNoTimeForRepeats(t *testing.T) {
	dir := t.TempDir()
	row := fmt.Sprintf(`{"schema":1,"case":"c","case_digest":"sha256:a","repeat":%d,"status":"unscored"}`, math.MaxInt)
	must(t, os.WriteFile(filepath.Join(dir, runner.RowsFile), []byte(row), 0o600))
	x, err := indexRows(dir)
	must(t, err)
	defer x.close()
	for row, err := range x.firsts {
		if err != nil || row.Case != "c" {
			t.Error(row, err)
		}
	}
}

// The tasks of a case read its row once; the rows held are bounded.
func TestRowIndex_DecodesARowOnceForItsTasks(t *testing.T) {
	dir := t.TempDir()
	var rows []byte
	const n = 300
	for i := range n {
		rows = fmt.Appendf(rows, `{"schema":1,"case":"c%d","case_digest":"sha256:a","repeat":0,"status":"unscored"}`+"\n", i)
	}
	must(t, os.WriteFile(filepath.Join(dir, runner.RowsFile), rows, 0o600))
	x, err := indexRows(dir)
	must(t, err)
	defer x.close()
	first, err := x.read("c0", 0, "sha256:a")
	must(t, err)
	if again, err := x.read("c0", 0, "sha256:a"); err != nil || again != first {
		t.Errorf("decoded again: %v", err)
	}
	for i := range n {
		row, err := x.read(fmt.Sprintf("c%d", i), 0, "sha256:a")
		if err != nil || row.Case != fmt.Sprintf("c%d", i) {
			t.Fatalf("row %d is %+v, %v", i, row, err)
		}
	}
	if again, err := x.read("c0", 0, "sha256:a"); err != nil || again == first || again.Case != "c0" {
		t.Errorf("row 0 is still held behind %d others: %v", n, err)
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
