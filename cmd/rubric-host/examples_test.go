// The files examples_*_test.go run every console block of the READMEs of the examples and of the
// project. They are a part of the program's tests, whose binary is also the program: apart, both would be linked.
//
//	go test ./cmd/rubric-host -run TestExamples           compares
//	go test ./cmd/rubric-host -run TestExamples -update   asks the recorded judges again, and rewrites the shown output
package main_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// examples is their directory.
var examples = filepath.Join("..", "..", "examples")

// updating says that recordings and the outputs that READMEs show are rewritten.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// builtDir and cache are where go-library is built, and where programs keep compiled plugins.
var builtDir, cache string

// prepare builds the program of go-library. In the same place each time, go build links it only if it changed.
func prepare(t *testing.T) {
	t.Helper()
	cache = filepath.Join(wasmtest.CacheDir(t), "program")
	builtDir = filepath.Join(wasmtest.CacheDir(t), "examples")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", builtDir+string(filepath.Separator), "./go-library")
	build.Dir = examples
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestExamples runs every example in a copy of its directory: the recording of its
// judge must agree with opinions.yaml, and its README must show the output of its
// commands.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	prepare(t)
	readmes, err := filepath.Glob(filepath.Join(examples, "*", "README.md"))
	if err != nil || len(readmes) == 0 {
		t.Fatal("no examples: ", err)
	}
	for _, file := range append(readmes, filepath.Join(examples, "README.md"), filepath.Join(examples, "..", "README.md")) {
		dir := within(t, filepath.Dir(file))
		t.Run(filepath.ToSlash(dir), func(t *testing.T) {
			if !updating() { // an example may read the output of an earlier one
				t.Parallel()
			}
			if _, err := exec.LookPath("python3"); err != nil && dir == "from-python" && os.Getenv("CI_REQUIRE_PYTHON") == "" {
				t.Skip("needs python3")
			}
			testRecording(t, file)
			if n := testREADME(t, file); n == 0 && dir != "." {
				t.Errorf("%s shows no command", file)
			}
		})
	}
}

// block matches a fenced block that shows commands and their output.
var block = regexp.MustCompile("(?s)```console\n(.*?)```")

func testREADME(t *testing.T, file string, env ...string) (commands int) {
	text, err := os.ReadFile(file)
	must(t, err)
	dir := workplace(t, file)
	changed := block.ReplaceAllFunc(text, func(b []byte) []byte {
		var out strings.Builder
		head, _, _ := bytes.Cut(b, []byte("\n"))
		for _, step := range steps(string(block.FindSubmatch(b)[1])) {
			commands++
			got, want := run(t, dir, step.command, env...), step.output
			if strings.Contains(got, "\ngoroutine ") { // an update would show it
				t.Fatalf("$ %s crashed:\n%s", step.command, got)
			}
			if masked(got) == masked(want) {
				got = want // run ids and times do not count as changes
			} else if !updating() {
				t.Errorf("$ %s\n(-shown +printed; go test ./cmd/rubric-host -run TestExamples -update shows what is printed)\n%s", step.command, cmp.Diff(masked(want), masked(got)))
			}
			out.WriteString("$ " + step.command + "\n" + got)
		}
		return []byte(string(head) + "\n" + out.String() + "```")
	})
	if updating() && !bytes.Equal(changed, text) {
		must(t, os.WriteFile(file, changed, 0o644))
	}
	return commands
}

// within returns a path as it is from the directory of the examples.
func within(t *testing.T, path string) string {
	t.Helper()
	rel, err := filepath.Rel(examples, path)
	must(t, err)
	return rel
}

// workplace copies the examples, and returns where the commands of a README
// run: in its directory, those of the project's README above the examples.
func workplace(t *testing.T, file string) string {
	t.Helper()
	top := t.TempDir()
	err := filepath.WalkDir(examples, func(path string, d fs.DirEntry, err error) error {
		name, to := d.Name(), filepath.Join(top, "examples", within(t, path))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "target" || name == "runs"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case !d.Type().IsRegular(): // the link to the SDK
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	})
	must(t, err)
	return filepath.Join(top, "examples", within(t, filepath.Dir(file)))
}

type step struct{ command, output string }

// heredoc matches a command whose input are the lines up to END.
var heredoc = regexp.MustCompile(`<<'END'$`)

// steps splits a block into its commands and their outputs. A command that ends in a
// backslash continues in the next line, one with <<'END' up to that.
func steps(body string) []step {
	var list []step
	continued, document := false, false
	for _, line := range strings.SplitAfter(body, "\n") {
		command, begins := strings.CutPrefix(line, "$ ")
		switch {
		case document:
			list[len(list)-1].command += "\n" + strings.TrimSuffix(line, "\n")
			document = line != "END\n"
			continue
		case begins:
			list = append(list, step{command: strings.TrimSuffix(command, "\n")})
		case continued:
			list[len(list)-1].command += "\n" + strings.TrimSuffix(line, "\n")
		case len(list) > 0:
			list[len(list)-1].output += line
		}
		document = begins && heredoc.MatchString(strings.TrimSuffix(line, "\n"))
		continued = (begins || continued) && strings.HasSuffix(line, "\\\n")
	}
	return list
}

// built replaces the command that readers run from source by the built program.
var built = strings.NewReplacer("go run ./cmd/rubric-host", "rubric-host", "go run .", "go-library")

// run runs one command in a shell, as a reader would, and returns its output. env is
// added to the environment.
func run(t *testing.T, dir, command string, env ...string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", built.Replace(command))
	cmd.Dir = dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "RUBRIC_HOST_") && !strings.HasPrefix(v, "OPENAI_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+builtDir, "NO_COLOR=1", "HOME="+dir, "XDG_CACHE_HOME="+cache, "XDG_STATE_HOME="+filepath.Join(cache, "state"))
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("$ %s: %v", command, err)
	}
	if strings.Contains(out.String(), filepath.Dir(dir)) {
		t.Errorf("$ %s prints a path of this machine:\n%s", command, out.String())
	}
	return preparing.ReplaceAllString(out.String(), "")
}

// preparing is what the first use of a script says, by which only an empty cache differs.
var preparing = regexp.MustCompile(`(?m)^preparing .* for its first use, which takes seconds\n`)

// masks replace text that changes from run to run: run ids, times, dates.
var masks = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{4}`), "RUN"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?`), "WHEN"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`), "DAY"},
	{regexp.MustCompile(`\b(art|eval|rev)_[0-9a-f]{12}\b`), "${1}_ID"},
	{regexp.MustCompile(`\btime="[0-9.]+"`), `time="TIME"`},
	{regexp.MustCompile(`\b(\d+m)?\d+(\.\d+)?(ms|µs|s)\b`), "TIME"},
}

func masked(s string) string {
	for _, m := range masks {
		s = m.pattern.ReplaceAllString(s, m.with)
	}
	return s
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
