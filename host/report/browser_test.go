package report_test

import (
	"bytes"
	"image/png"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/report"
)

// browser returns a Chromium, or ends the test: with a failure where CI says
// that there must be one, else by skipping it.
func browser(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI_REQUIRE_BROWSER") == "1" {
		t.Fatal("no browser: make tools installs one")
	}
	t.Skip("no browser here; install chromium, or run make tools")
	return ""
}

// open runs the browser on a page without a network, and returns what it prints.
func open(t *testing.T, program, page string, flags ...string) string {
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
		"--user-data-dir=" + t.TempDir(), "--virtual-time-budget=3000"}, flags...)
	cmd := exec.Command(program, append(args, page)...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "CONSOLE") { // a refused script or style, an error of the page's own
			t.Errorf("the page complains: %s", line)
		}
	}
	return out.String()
}

// TestPageInABrowser opens the HTML report in a real browser: it is drawn, its
// script runs under its own policy, and the filter does what it says.
func TestPageInABrowser(t *testing.T) {
	program := browser(t)
	var page bytes.Buffer
	if err := report.Write(&page, report.HTML, sample(), report.Options{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	shown := regexp.MustCompile(`(\d+) of (\d+) shown`)
	count := func(fragment string) (n, of string) {
		t.Helper()
		m := shown.FindStringSubmatch(open(t, program, address+fragment, "--dump-dom"))
		if m == nil {
			t.Fatalf("the script did not run on %q", fragment)
		}
		return m[1], m[2]
	}
	all, of := count("")
	if all != of || of == "0" {
		t.Errorf("%s of %s rows shown without a filter", all, of)
	}
	if failing, _ := count("#verdict=fail"); failing == all || failing == "0" {
		t.Errorf("%s of %s rows fail", failing, all)
	}
	if none, _ := count("#find=there-is-no-such-word"); none != "0" {
		t.Errorf("%s rows hold a word that no row holds", none)
	}
	if again, _ := count("#verdict=%3Cscript%3E&order=nonsense"); again != all {
		t.Errorf("an address nobody wrote shows %s of %s rows", again, all)
	}
	for _, scheme := range []string{"light", "dark"} {
		picture := filepath.Join(t.TempDir(), scheme+".png")
		flags := []string{"--screenshot=" + picture, "--window-size=1000,900"}
		if scheme == "dark" {
			flags = append(flags, "--blink-settings=preferredColorScheme=0")
		}
		open(t, program, address, flags...)
		if n := colours(t, picture); n < 20 {
			t.Errorf("the %s page shows %d colours: it is nearly blank", scheme, n)
		}
	}
}

// colours counts the different colours of a picture.
func colours(t *testing.T, file string) int {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[4]uint32]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 3 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += 3 {
			r, g, b, a := img.At(x, y).RGBA()
			seen[[4]uint32{r, g, b, a}] = true
		}
	}
	return len(seen)
}
