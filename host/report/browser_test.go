package report_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// browser returns a Chromium, or ends the test: with a failure where CI says
// that there must be one and what drives it, else by skipping it.
func browser(t *testing.T) string {
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
	t.Skipf("%s is missing: make tools installs it", missing)
	return ""
}

// hostileTexts try to become markup, script or an address.
var hostileTexts = []string{
	evil, "</script><script>window.pwned=1</script>", "</template><script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>", "\"><svg onload=window.pwned=1>",
	"javascript:window.pwned=1", "{{.}} ${window.pwned=1} <!-- <script>", "<iframe srcdoc='<script>top.pwned=1</script>'>", "__proto__", "constructor", "\u202e\u2066\ufeff\x00",
	"#case=<b>&view=x", "' style='background:url(http://evil.example)'", "q-0001",
}

// TestPageInABrowser opens pages in a real browser; see testdata/page.test.mjs.
func TestPageInABrowser(t *testing.T) {
	program := browser(t)
	dir := t.TempDir()
	write := func(name string, d report.Doc) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(render(t, report.HTML, d, report.Options{})), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("sample.html", sample())
	write("large.html", large(20_000))
	bare := sample()
	bare.Run.Dataset.NoContent = true
	bare.Case = func(row *result.Row) (*dataset.Case, error) { return &dataset.Case{ID: row.Case}, nil }
	write("bare.html", bare)
	for i, text := range hostileTexts {
		write(fmt.Sprintf("hostile-%d.html", i), hostile(text))
	}
	out, err := exec.Command("node", filepath.Join("testdata", "page.test.mjs"), program, dir).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
