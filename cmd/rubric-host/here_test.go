package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asProgram is TestMain of a test that is also the program: a link to it, called rubric-host,
// stands first in PATH.
func asProgram(m *testing.M) int {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	memory := memoryDir()
	dir, err := os.MkdirTemp(memory, "rubric-host-program")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if memory != "" {
		if err := os.Setenv("TMPDIR", dir); err != nil {
			panic(err)
		}
	}
	name := "rubric-host"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	programPath = dir + string(filepath.ListSeparator) + os.Getenv("PATH")
	if err := errors.Join(os.Symlink(self, filepath.Join(dir, name)), os.Setenv("PATH", programPath)); err != nil {
		panic(err)
	}
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil { // half of the scripts wait
		panic(err)
	}
	return m.Run()
}

// programPath is PATH with the program. A script begins with the environment of whichever ran
// the program here last.
var programPath string

// startedAsProgram says that this process was started by the link.
func startedAsProgram() bool {
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "rubric-host"
}

// theProcess guards the working directory and the environment of the test's process.
var theProcess sync.Mutex

// here runs the program in the test's process, with the directory and the environment of
// the script: a process takes some 20 ms of a processor to start. Its standard input is empty. A command
// that waits is better a process (exec rubric-host): only one runs here at a time.
func here(ts *testscript.TestScript, neg bool, args []string) {
	if code := runHere(ts, args); (code == 0) == neg {
		ts.Fatalf("exit code %d", code)
	}
}

// runHere returns the exit code.
func runHere(ts *testscript.TestScript, args []string) int {
	var out, errOut lockedBuffer
	code := func() int {
		theProcess.Lock()
		defer theProcess.Unlock()
		arguments := os.Args
		directory, err := os.Getwd()
		ts.Check(err)
		defer func() {
			ts.Check(os.Chdir(directory))
			os.Args = arguments
		}()
		os.Args = append([]string{arguments[0]}, args...) // completes reads them
		ts.Check(os.Chdir(ts.MkAbs(".")))
		var environment []string
		for _, name := range variables(ts) {
			environment = append(environment, name+"="+ts.Getenv(name))
		}
		setAll(environment)
		return run(args, strings.NewReader(""), &out, &errOut)
	}()
	_, err := ts.Stdout().Write(out.Bytes())
	ts.Check(err)
	_, err = ts.Stderr().Write(errOut.Bytes())
	ts.Check(err)
	return code
}

// setAll replaces the environment, which is never empty meanwhile: other scripts read it. What
// stays is not touched, and scripts leave theirs to the next: in Go, a variable that is unset and
// set again takes a new place in a list, which every reading of the environment copies.
func setAll(environment []string) {
	was := make(map[string]string)
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		was[name] = value
	}
	for _, v := range environment {
		name, value, _ := strings.Cut(v, "=")
		if old, ok := was[name]; !ok || old != value {
			if err := os.Setenv(name, value); err != nil {
				panic(err)
			}
		}
		delete(was, name)
	}
	for name := range was {
		os.Unsetenv(name)
	}
}

// variableNames are those of a script: package testscript has no list of them.
type variableNames []string

type variableNamesKey struct{}

// keepNames remembers the variables that a script begins with, and those that it sets itself.
func keepNames(env *testscript.Env, scripts string) error {
	text, err := os.ReadFile(filepath.Join(scripts, strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")+".txtar"))
	if err != nil {
		return err
	}
	env.Setenv("PATH", programPath)
	v := new(variableNames)
	for _, pair := range env.Vars {
		name, _, _ := strings.Cut(pair, "=")
		*v = append(*v, name)
	}
	for _, set := range regexp.MustCompile(`(?m)^(?:\[.*\] )?env (\w+)=`).FindAllSubmatch(text, -1) {
		*v = append(*v, string(set[1]))
	}
	env.Values[variableNamesKey{}] = v
	return nil
}

// setVariable sets a variable of a script.
func setVariable(ts *testscript.TestScript, name, value string) {
	v := ts.Value(variableNamesKey{}).(*variableNames)
	*v = append(*v, name)
	ts.Setenv(name, value)
}

// variables returns the names of a script's variables. Those that it sets later are empty.
func variables(ts *testscript.TestScript) []string {
	return *ts.Value(variableNamesKey{}).(*variableNames)
}

// A lockedBuffer is a file as a process writes it: from several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}
