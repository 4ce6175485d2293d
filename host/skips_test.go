package host_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSkips_NameTheirNeed reads every test that may skip itself. Slow tests run
// without -short. All others name their requirement, and are skipped only on Windows
// or by a check that fails where CI requires it: a variable CI_REQUIRE_* that the
// Makefile or .ci sets.
func TestSkips_NameTheirNeed(t *testing.T) {
	ci := ""
	for _, file := range []string{"../Makefile", "../.ci/run"} {
		b, err := os.ReadFile(file)
		must(t, err)
		ci += string(b)
	}
	skip := regexp.MustCompile(`^\s*tb?\.Skip(f|Now)?\((.*)`)
	found := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			if d != nil && d.IsDir() {
				return filepath.SkipDir
			}
			return err
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(b), "\n")
		for i, line := range lines {
			m := skip.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			found++
			before := strings.Join(lines[max(0, i-10):i], "\n")
			required := regexp.MustCompile(`CI_REQUIRE_\w+|, require string\)`).FindString(before)
			switch {
			case strings.HasPrefix(m[2], `"slow: `):
				if !strings.Contains(lines[i-1], "if testing.Short() {") && !strings.Contains(lines[i-1], "if !Full() {") { // amount.Heavy
					t.Errorf("%s:%d: a slow test is skipped only if testing.Short(), or by amount.Heavy", path, i+1)
				}
			case !strings.HasPrefix(m[2], `"needs `):
				t.Errorf(`%s:%d: begin the reason with "slow: " or "needs "`, path, i+1)
			case strings.Contains(before, `"windows"`):
			case required == "":
				t.Errorf("%s:%d: nothing makes this test run in CI: check a variable CI_REQUIRE_*", path, i+1)
			case strings.HasPrefix(required, "CI") && !strings.Contains(ci, required+"="):
				t.Errorf("%s:%d: neither Makefile nor .ci/run sets %s", path, i+1, required)
			}
		}
		return nil
	})
	must(t, err)
	if found < 20 {
		t.Errorf("only %d skips found", found)
	}
}
