package report_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// browser returns a Chromium, or ends the test: with a failure where CI requires a
// browser and its driver, else by skipping it.
func browser(t *testing.T) string {
	if !strings.Contains(t.Name(), "InABrowser") {
		t.Fatal("make tooled runs tests with InABrowser in their names")
	}
	missing := "a browser"
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		_, errNode := exec.LookPath("node")
		_, errDriver := os.Stat(filepath.Join(os.Getenv("RUBRIC_HOST_PLAYWRIGHT"), "node_modules", "playwright-core"))
		if errNode == nil && errDriver == nil {
			return path
		}
		missing = "node, or playwright-core in RUBRIC_HOST_PLAYWRIGHT"
	}
	if os.Getenv("CI_REQUIRE_BROWSER") == "1" {
		t.Fatalf("%s is missing: make tools installs it", missing)
	}
	t.Skipf("needs %s, which make tools installs and make tooled uses", missing)
	return ""
}

// hostileTexts try to become markup, script or an address.
var hostileTexts = []string{
	evil, "</script><script>window.pwned=1</script>", "</template><script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>", "\"><svg onload=window.pwned=1>",
	"javascript:window.pwned=1", "{{.}} ${window.pwned=1} <!-- <script>", "<iframe srcdoc='<script>top.pwned=1</script>'>", "__proto__", "constructor", "\u202e\u2066\ufeff\x00",
	"#case=<b>&view=x", "' style='background:url(http://evil.example)'", "q-0001",
}

// againstEarlier is the sample beside an earlier run in which q-0193 passed, with
// the calls of its judge.
func againstEarlier() report.Doc {
	d, earlier := sample(), docOf([]*result.Row{supportRow("q-0001", true, "warm", false, 0.71), supportRow("q-0193", true, "neutral", false, 0.28)})
	earlier.Run.ID = "5a10"
	earlier.Case = func(*result.Row) (*dataset.Case, error) {
		return dataset.Restore([]byte(`{"output":"Thank you. You will get the money within 14 days."}`), "", diag.Pos{})
	}
	d.Against = &earlier
	d.Calls = func(row *result.Row, criterion string) ([]llm.Call, error) {
		if criterion != "accuracy" {
			return nil, nil
		}
		return []llm.Call{{CallID: llm.CallID{Case: row.Case, Repeat: 1, Criteria: []string{criterion}, Attempt: 1}, Latency: 1234,
			Request: llm.Request{User: "Is every claim supported?"}, Answered: true, Response: &llm.Response{Text: `{"met":false}`, TokensIn: 812, TokensOut: 9}}}, nil
	}
	return d
}

// TestWrite_ShowsJudgeCalls has the prompt, the answer and its cost in the text of a
// case, and a call about several criteria once.
func TestWrite_ShowsJudgeCalls(t *testing.T) {
	d := againstEarlier()
	one := d.Calls
	d.Calls = func(row *result.Row, criterion string) ([]llm.Call, error) { return one(row, "accuracy") }
	var b strings.Builder
	must(t, report.Failures(&b, d, "q-0193", report.Options{}))
	for _, want := range []string{"judge call: accuracy", "812 tokens in, 9 out, 1.234s", "Is every claim supported?", `{"met":false}`} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, b.String())
		}
	}
	d.Calls = func(*result.Row, string) ([]llm.Call, error) { return nil, errors.New("line 3 is torn") }
	if err := report.Failures(&b, d, "q-0193", report.Options{}); err == nil || !strings.Contains(err.Error(), "torn") {
		t.Errorf("%v", err)
	}
}

// TestWrite_PageInABrowser opens pages in a real browser; see testdata/page.test.mjs.
func TestWrite_PageInABrowser(t *testing.T) {
	program := browser(t)
	dir := t.TempDir()
	write := func(name string, d report.Doc) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(render(t, report.HTML, d, report.Options{})), 0o600))
	}
	compared := func(name string, c report.Compared) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(written(t, report.HTML, c)), 0o600))
	}
	write("sample.html", sample())
	write("against.html", againstEarlier())
	write("large.html", large(20_000))
	bare := sample()
	bare.Run.Dataset.NoContent = true
	bare.Case = func(row *result.Row) (*dataset.Case, error) { return &dataset.Case{ID: row.Case}, nil }
	write("bare.html", bare)
	for i, text := range hostileTexts {
		write(fmt.Sprintf("hostile-%d.html", i), hostile(text))
		compared(fmt.Sprintf("compare-hostile-%d.html", i), comparisonOf(text))
	}
	write("hostile-long.html", docOf([]*result.Row{supportRow(strings.Repeat("long", 250), false, "cold", true, 0.1)}))
	compared("compare.html", comparisonOf("tone"))
	compared("compare-hostile-long.html", comparisonOf(strings.Repeat("long", 500)))
	out, err := exec.Command("node", filepath.Join("testdata", "page.test.mjs"), program, dir).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
