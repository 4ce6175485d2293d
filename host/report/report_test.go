package report_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

var update = flag.Bool("update", false, "write the golden files")

func render(t testing.TB, f report.Format, d report.Doc, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	must(t, report.Write(&b, f, d, o))
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update { // go test ./host/report -update
		must(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestWrite_Golden(t *testing.T) {
	for _, f := range report.Formats() {
		if f != report.HTML { // its style and script say all; browser_test.go looks at it
			t.Run(string(f), func(t *testing.T) { golden(t, string(f), render(t, f, sample(), report.Options{})) })
		}
	}
	t.Run("text in colour", func(t *testing.T) {
		golden(t, "color", render(t, report.Text, sample(), report.Options{Color: true, Width: 80}))
	})
	t.Run("explain", func(t *testing.T) {
		var b bytes.Buffer
		for _, r := range []*result.Row{supportRow("q-0193", false, "neutral", false, 0.28), unscoredRow("q-0021"), evilRow(), supportRow("", true, "warm", false, 1)} {
			must(t, report.Explain(&b, r, support(), report.Options{Width: 90}))
			b.WriteString("\n")
		}
		golden(t, "explain", b.String())
	})
	t.Run("failures", func(t *testing.T) {
		var b bytes.Buffer
		must(t, report.Failures(&b, sample(), "", report.Options{}))
		golden(t, "failures", b.String())
	})
}

func TestWrite_Formats(t *testing.T) {
	for path, want := range map[string]report.Format{"a.html": report.HTML, "A.HTM": report.HTML, "x/y.xml": report.JUnit, "r.sarif": report.SARIF, "r.jsonl": report.JSONL, "r.json": report.JSON, "r.csv": report.CSV, "r.md": report.Markdown, "r.txt": report.Text} {
		if f, ok := report.FormatOf(path); !ok || f != want {
			t.Errorf("FormatOf(%s) = %s, %v", path, f, ok)
		}
	}
	if _, ok := report.FormatOf("r.doc"); ok {
		t.Error("FormatOf takes anything")
	}
	for _, f := range report.Formats() {
		if got, err := report.ParseFormat(string(f)); err != nil || got != f {
			t.Errorf("ParseFormat(%s) = %s, %v", f, got, err)
		}
	}
	if _, err := report.ParseFormat("junt"); !fault.Is(err, fault.Usage) || !strings.Contains(fault.Hint(err), `"junit"`) {
		t.Errorf("%v, %s", err, fault.Hint(err))
	}
	if err := report.Write(&bytes.Buffer{}, "doc", sample(), report.Options{}); !fault.Is(err, fault.Usage) {
		t.Errorf("%v", err)
	}
}

// TestWrite_NothingToShow: no format needs more than an empty Doc.
func TestWrite_NothingToShow(t *testing.T) {
	empty := result.NewSummarizer(result.SummaryOptions{}).Summary()
	for _, d := range []report.Doc{{}, {Run: &result.Run{ID: "x", Status: result.Interrupted, Command: []string{"a"}}}, {Run: &result.Run{}, Summary: empty, Rows: seq(nil)}} {
		for _, f := range report.Formats() {
			if got := render(t, f, d, report.Options{}); strings.Contains(got, "NaN") || strings.Contains(got, "%!") {
				t.Errorf("%s:\n%s", f, got)
			}
		}
	}
}

type brokenPipe struct{ left int }

var errPipe = errors.New("broken pipe")

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errPipe
	}
	return len(p), nil
}

func TestWrite_ReturnsWriteErrors(t *testing.T) {
	for _, f := range report.Formats() {
		for _, left := range []int{0, 100} {
			if err := report.Write(&brokenPipe{left}, f, large(200), report.Options{}); !errors.Is(err, errPipe) {
				t.Errorf("%s, %d bytes: %v", f, left, err)
			}
		}
	}
}

// TestWrite_NamesUnreadableRows: the report holds the others.
func TestWrite_NamesUnreadableRows(t *testing.T) {
	d := sample()
	d.Rows = seq([]*result.Row{supportRow("q-0001", true, "warm", false, 0.7), nil, supportRow("q-0193", false, "warm", false, 0.7), nil})
	for _, f := range []report.Format{report.JSON, report.JSONL, report.CSV, report.Markdown, report.JUnit, report.GitHub, report.HTML} {
		var b bytes.Buffer
		err := report.Write(&b, f, d, report.Options{})
		if err == nil || !strings.Contains(err.Error(), "2 rows are not in the report") || !strings.Contains(err.Error(), "torn") {
			t.Errorf("%s: %v", f, err)
		}
		if out := b.String(); !strings.Contains(out, "q-0193") && !strings.Contains(unpacked(t, out), "q-0193") {
			t.Errorf("%s: a row behind the broken one is missing", f)
		}
	}
	if err := report.Failures(&bytes.Buffer{}, d, "", report.Options{}); err == nil {
		t.Error("Failures hides rows that cannot be read")
	}
}

func TestWrite_FailuresOfOneCase(t *testing.T) {
	var b bytes.Buffer
	must(t, report.Failures(&b, sample(), "q-0193", report.Options{}))
	if got := b.String(); !strings.Contains(got, "States that refunds take 30 days") || strings.Contains(got, "q-0001") {
		t.Errorf("%s", got)
	}
	err := report.Failures(&b, sample(), "q-193", report.Options{})
	if !fault.Is(err, fault.NotFound) || !strings.Contains(fault.Hint(err), "q-0193") {
		t.Errorf("%v, %s", err, fault.Hint(err))
	}
	b.Reset()
	if err := report.Failures(&b, docOf([]*result.Row{supportRow("a", true, "warm", false, 1)}), "", report.Options{}); err != nil || !strings.Contains(b.String(), "every case passed") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
