package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/bench/scorers"
)

// A start is a way in which a process begins that gives one score.
type start struct {
	name string
	args []string
	in   []byte                        // standard input
	gone func(cache, path string) bool // files that are removed before it starts; nil: none
}

func isScripts(cache, path string) bool {
	return isImage(cache, path) && filepath.Dir(filepath.Dir(path)) == filepath.Join(cache, "isolated")
}

// isImage reports whether a file is an image, of a script or of an interpreter.
func isImage(_, path string) bool { return filepath.Base(path) == "artifact" }

func isAny(string, string) bool { return true }

// starts are the measured commands, in the directory of the scorers.
func starts(program string) []start {
	score := func(file string) []string {
		return []string{program, "score", "./" + file, "--input", "case.json"}
	}
	list := []start{
		{"js, all is kept", score("f1.js"), nil, nil},
		{"js, a new script", score("f1.js"), nil, isScripts},
		{"js, nothing is kept", score("f1.js"), nil, isAny},
		{"node", append(append(slices.Clone(natives[".js"].command), natives[".js"].once...), "./f1.mjs"), scorers.Requests(1, 60, 80)[0], nil},
	}
	python := []start{
		{"python, all is kept", score("f1.py"), nil, nil},
		{"python, a new script", score("f1.py"), nil, isScripts},
		{"python, code only", score("f1.py"), nil, isImage},
		{"python3", append(append(slices.Clone(natives[".py"].command), natives[".py"].once...), "./f1.py"), scorers.Requests(1, 60, 80)[0], nil},
	}
	return append(python, list...)
}

// first measures whole processes that give one score, in turn.
func first(dir string, runs int) error {
	home := filepath.Join(dir, "home")
	program, err := prepareFirst(dir, home)
	if err != nil {
		return err
	}
	list := starts(program)
	wall, cpu := make([][]time.Duration, len(list)), make([][]time.Duration, len(list))
	for round := range runs + 1 { // the first run fills the cache
		for k, s := range list {
			w, c, err := s.run(home)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if round > 0 {
				wall[k], cpu[k] = append(wall[k], w), append(cpu[k], c)
			}
		}
	}
	fmt.Fprintf(os.Stdout, "%-22s %10s %10s %16s   of %d processes each\n", "first score", "p50", "quickest", "processor, p50", runs)
	for k, s := range list {
		fmt.Fprintf(os.Stdout, "%-22s %7.0f ms %7.0f ms %13.0f ms\n", s.name, us(median(wall[k]))/1000, us(slices.Min(wall[k]))/1000, us(median(cpu[k]))/1000)
	}
	return nil
}

// prepareFirst builds the program, and lays out a directory to run it in.
func prepareFirst(dir, home string) (program string, err error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	for _, name := range []string{"f1.js", "f1.py"} {
		text, err := scorers.Source(name)
		if err != nil {
			return "", err
		}
		for _, as := range []string{name, strings.Replace(name, ".js", ".mjs", 1)} {
			if err := os.WriteFile(filepath.Join(home, as), []byte(text), 0o600); err != nil {
				return "", err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(home, "case.json"), caseOf(scorers.Requests(1, 60, 80)[0]), 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "rubric-host")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/rubric-host").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
}

func caseOf(request []byte) []byte {
	_, rest, _ := strings.Cut(string(request), `"case":`)
	text, _, _ := strings.Cut(rest, `,"config"`)
	return []byte(text)
}

// run starts the program once and waits for its end. Files that were removed for it
// are then restored.
func (s start) run(home string) (wall, cpu time.Duration, err error) {
	cache := filepath.Join(home, ".cache", "rubric-host", "compiled")
	back, err := s.take(cache, home+".away")
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.Command(s.args[0], s.args[1:]...)
	cmd.Dir, cmd.Stdin = home, strings.NewReader(string(s.in))
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, ".cache"), "RUBRIC_HOST_RUNTIMES=")
	at := time.Now()
	out, err := cmd.CombinedOutput()
	wall = time.Since(at)
	if err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, out)
	}
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), back()
}

// take moves files out of the cache. back restores them.
func (s start) take(cache, away string) (back func() error, err error) {
	if s.gone == nil {
		return func() error { return nil }, nil
	}
	if err := os.MkdirAll(away, 0o700); err != nil {
		return nil, err
	}
	var taken []string
	err = filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !s.gone(cache, path) {
			return nil //nolint:nilerr // there is no cache yet
		}
		taken = append(taken, path)
		return os.Rename(path, filepath.Join(away, fmt.Sprint(len(taken))))
	})
	return func() error {
		for k, path := range taken {
			if err := os.Rename(filepath.Join(away, fmt.Sprint(k+1)), path); err != nil {
				return err
			}
		}
		return os.RemoveAll(away)
	}, err
}
