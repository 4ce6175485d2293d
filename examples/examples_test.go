// Package examples_test runs what the examples show: every console block of
// their READMEs, and of the README of the project.
package examples_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite recordings and the outputs that READMEs show")

// program is the built rubric-host, made once.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "rubric-host-examples-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "rubric-host")
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		build := exec.Command("go", "build", "-o", program, "../cmd/rubric-host")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return 1
		}
		return m.Run()
	}())
}

// block matches a fenced block that shows commands and what they print.
var block = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestREADMEs runs the console blocks of every README, in order and in a copy of
// its directory, and compares what is printed with what is shown.
func TestREADMEs(t *testing.T) {
	files, err := filepath.Glob("*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, file := range append(files, "../README.md") {
		t.Run(filepath.ToSlash(filepath.Dir(file)), func(t *testing.T) { shown += runREADME(t, file) })
	}
	if shown < 2*len(files) {
		t.Errorf("only %d commands found in %d READMEs", shown, len(files))
	}
}

func runREADME(t *testing.T, file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root := filepath.Dir(file)
	if file == "../README.md" { // its commands run from the top of the tree
		if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(".")); err != nil {
			t.Fatal(err)
		}
	} else if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	n := 0
	changed := block.ReplaceAllFunc(text, func(b []byte) []byte {
		body := string(block.FindSubmatch(b)[1])
		var out strings.Builder
		for _, step := range steps(body) {
			n++
			got := runStep(t, dir, step.command)
			if want := step.output; !*update && masked(got) != masked(want) {
				t.Errorf("$ %s\n(-shown +printed)\n%s", step.command, cmp.Diff(masked(want), masked(got)))
			}
			out.WriteString("$ " + step.command + "\n" + got)
		}
		return []byte("```console\n" + out.String() + "```")
	})
	if *update && !bytes.Equal(changed, text) {
		if err := os.WriteFile(file, changed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

type step struct{ command, output string }

// steps splits a block into its commands and their outputs.
func steps(body string) []step {
	var list []step
	for _, line := range strings.SplitAfter(body, "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, step{command: strings.TrimSuffix(command, "\n")})
		} else if len(list) > 0 {
			list[len(list)-1].output += line
		}
	}
	return list
}

// runStep runs one command in a shell, as a reader would, and returns what it
// prints. The README's "go run ./cmd/rubric-host" is the built program.
func runStep(t *testing.T, dir, command string) string {
	command = strings.ReplaceAll(command, "go run ./cmd/rubric-host", "rubric-host")
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"NO_COLOR=1", "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(os.TempDir(), "rubric-host-examples-cache"), "OPENAI_API_KEY=", "OPENAI_BASE_URL=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatalf("$ %s: %v", command, err)
	}
	return out.String()
}

// masks hide what differs from run to run: run ids, times, rates.
var masks = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{4}`), "RUN"},
	{regexp.MustCompile(`\b\d+(\.\d+)?(ms|µs|s)\b`), "TIME"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b`), "WHEN"},
}

func masked(s string) string {
	for _, m := range masks {
		s = m.pattern.ReplaceAllString(s, m.with)
	}
	return s
}
