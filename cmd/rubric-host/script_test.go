package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/store/postgres/postgrestest"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

func TestMain(m *testing.M) {
	worker.Main() // for tests that start a worker
	if startedAsProgram() {
		main()
	}
	os.Exit(asProgram(m))
}

// TestScripts runs the stories in testdata/script, one behaviour each. Beside
// the usual commands they have:
//
//	endpoint NAME [FILE]  starts a judge on a free port and points OPENAI_BASE_URL
//	                      at it: met, unmet, text FILE, status N, html, half, patient, hang
//	mask FILE             replaces run ids, times and digests in a file
//	calls N               the judge was called N times
//	rubric-host ...       runs the program in the test's process; exec rubric-host starts it
//	exits N rubric-host ...  the same; it must exit with code N
//	exits N exec PROGRAM ... runs a program that must exit with code N
//	poison DIR            makes all machine code in DIR deadly, unseen by wazero
//	tear DIR              cuts the last row of the only run in DIR in half
//
//	terminal N TEXT PROGRAM ...  runs a program whose standard error is a terminal of N
//	                      columns, and keeps what it shows in the file terminal; the judge
//	                      of "endpoint patient" answers when it has shown TEXT
//
//	postgres NAME         gives a variable the URL of an empty database, if [postgres]
//	[full]                only in make full and make heavy-check
//	[chance]              one time in four, and always if -run names the script
//	let NAME PATH         gives a variable a text of the JSON on standard output
//	json PATH [VALUE]     looks into the JSON on standard output; see jsonHas
//
// $PLUGINS is the directory of the plugins made for them, $KITS one of plugins
// written with the kits of Extism, $PROGRAM a scorer that go build has made a
// plain program of, $FIXTURES a directory with documents of every dialect.
func TestScripts(t *testing.T) {
	outside = os.Environ()
	t.Cleanup(func() { setAll(outside) })
	gc, full, withPostgres, withClang := os.Getenv("GOGC"), amount.Full(), postgrestest.Wanted(), os.Getenv("CI_REQUIRE_CLANG") != ""
	wheel, wheelNeeded := os.Getenv("RUBRIC_HOST_PYTHON_SCI"), os.Getenv("CI_REQUIRE_PYTHON_SCI") != ""
	scripts, err := filepath.Abs("testdata/script")
	must(t, err)
	cache := filepath.Join(wasmtest.CacheDir(t), "program") // compiled plugins, shared by the scripts and the next run
	plugins, err := filepath.Abs("testdata/plugins")
	must(t, err)
	fixtures, err := filepath.Abs("../../host/dialect/testdata")
	must(t, err)
	kits, err := filepath.Abs("../../host/wasm/testdata/extism")
	must(t, err)
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	must(t, err)
	data := filepath.Join(t.TempDir(), "data.wasm")
	if text, err := os.ReadFile("../../host/wasm/testdata/guests/data.wat"); err != nil {
		t.Fatal(err)
	} else if err := os.WriteFile(data, wasmtest.Assemble(string(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	program := ""
	if !testing.Short() { // no other script needs it
		if program, err = wasmtest.GoProgram("../../host/wasm/testdata/program", "recall.go", "probe.go", "granted.go"); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if started.Swap(false) {
			if s, err := server(); err == nil {
				s.Stop()
			}
			server = sync.OnceValues(postgrestest.Start) // for -count
		}
	})
	chance := amount.OneIn(4)
	t.Setenv("GOTMPDIR", t.TempDir()) // testscript leaves its own where -run names some scripts
	testscript.Run(t, testscript.Params{
		Dir: scripts,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("XDG_STATE_HOME", filepath.Join(cache, "state")) // the key that compiled plugins are sealed with
			env.Setenv("NO_COLOR", "1")
			env.Setenv("GOGC", gc)
			env.Setenv("RUBRIC_HOST_CACHE", "off") // compiled code is shared by the scripts, answers are not
			env.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
			env.Setenv("PLUGINS", plugins)
			env.Setenv("FIXTURES", fixtures)
			env.Setenv("KITS", kits)
			env.Setenv("PROGRAM", program)
			env.Setenv("DATA_MODULE", data)
			env.Setenv("PYTHON_SCI_WHEEL", wheel)
			env.Setenv(runtimeVariable, filepath.Join(env.WorkDir, "runtimes"))
			env.Setenv("OPENAI_API_KEY", "canary-key-5f2b")
			return keepNames(env, scripts)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"rubric-host": here,
			"endpoint":    endpoint, "mask": mask, "calls": calls, "exits": exits, "tear": tear, "json": jsonHas, "let": let, "postgres": postgresServer, "poison": poison, "fits": fits, "terminal": onTerminal,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "postgres":
				return withPostgres, nil
			case "clang":
				return withClang, nil
			case "full":
				return full, nil
			case "chance":
				return chance(), nil
			}
			if name != "python-sci" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			if wheel == "" && wheelNeeded {
				return false, errors.New("RUBRIC_HOST_PYTHON_SCI names no wheel")
			}
			return wheel != "", nil
		},
		RequireExplicitExec: true,
	})
}

// outside is the environment that the tests were started with, which no script changes. While
// they run, that of the process is one script's.
var outside []string

// server starts a PostgreSQL server when the first script needs it.
var server = sync.OnceValues(postgrestest.Start)

// postgresServer gives a variable the URL of a new schema on a PostgreSQL server:
// "postgres RUBRIC_HOST_STORE".
func postgresServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: postgres NAME")
	}
	theProcess.Lock() // the server gets the environment of the process
	setAll(outside)
	s, err := server()
	theProcess.Unlock()
	ts.Check(err)
	started.Store(true)
	setVariable(ts, args[0], s.Fresh())
}

// started says that there is a server to stop.
var started atomic.Bool

// endpoint starts a judge that behaves in one way.
func endpoint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: endpoint met|unmet|text FILE|when FILE|status N|html|half|hiccup|slow|uncounted|hang")
	}
	s := llmtest.Start(behaviour(ts, args))
	ts.Defer(s.Close)
	setVariable(ts, "OPENAI_BASE_URL", s.URL+"/v1")
	servers.Store(ts.Getenv("WORK"), s)
}

// servers are the running judges, *llmtest.Server, by the directory of their
// script: scripts run side by side.
var servers sync.Map

func behaviour(ts *testscript.TestScript, args []string) func(llmtest.Call) llmtest.Answer {
	text := func(s string) func(llmtest.Call) llmtest.Answer {
		return func(llmtest.Call) llmtest.Answer { return llmtest.Answer{Text: s} }
	}
	switch args[0] {
	case "met":
		return text(`{"reason":"it is there","verdict":"MET"}`)
	case "unmet":
		return text(`{"reason":"it is missing","verdict":"UNMET"}`)
	case "text":
		return text(ts.ReadFile(args[1]))
	case "when":
		return when(ts.ReadFile(args[1]))
	case "status":
		var n int
		ts.Check(number(args[1], &n))
		return func(llmtest.Call) llmtest.Answer { return llmtest.Answer{Status: n, Error: "no"} }
	case "limited":
		return func(llmtest.Call) llmtest.Answer {
			return llmtest.Answer{Status: 429, Error: "no", Header: map[string]string{"Retry-After": "86400"}}
		}
	case "busy": // every second time
		return func(c llmtest.Call) llmtest.Answer {
			if c.N%2 == 1 {
				return llmtest.Answer{Status: 429, Error: "slow down", Header: map[string]string{"Retry-After": "0.01"}}
			}
			return llmtest.Answer{Text: `{"reason":"it is there","verdict":"MET"}`}
		}
	case "html":
		return func(llmtest.Call) llmtest.Answer {
			return llmtest.Answer{Body: "<html><body>Welcome</body></html>", Header: map[string]string{"Content-Type": "text/html"}}
		}
	case "half":
		return func(llmtest.Call) llmtest.Answer { return llmtest.Answer{Text: `{"reason":"it is there"}`, Cut: 40} }
	case "hiccup": // the first answer breaks off
		return func(c llmtest.Call) llmtest.Answer {
			a := llmtest.Answer{Text: `{"reason":"it is there","verdict":"MET"}`}
			if c.N == 1 {
				a.Cut = 40
			}
			return a
		}
	case "slow": // once, long enough for progress to be shown
		return func(c llmtest.Call) llmtest.Answer {
			if c.N == 1 {
				time.Sleep(time.Second)
			}
			return llmtest.Answer{Text: `{"reason":"it is there","verdict":"MET"}`}
		}
	case "patient":
		shown := make(chan struct{})
		patients.Store(ts.Getenv("WORK"), shown)
		return func(llmtest.Call) llmtest.Answer {
			<-shown
			return llmtest.Answer{Text: `{"reason":"it is there","verdict":"MET"}`}
		}
	case "uncounted":
		return func(llmtest.Call) llmtest.Answer {
			return llmtest.Answer{Text: `{"reason":"it is there","verdict":"MET"}`, NoUsage: true}
		}
	case "hang":
		return func(llmtest.Call) llmtest.Answer { return llmtest.Answer{Hang: true} }
	}
	ts.Fatalf("endpoint: unknown behaviour %q", args[0])
	return nil
}

// when returns the answers of a file with lines TEXT => ANSWER: the first whose text
// stands in the messages decides. A text may have several parts, with && between.
func when(file string) func(llmtest.Call) llmtest.Answer {
	return func(c llmtest.Call) llmtest.Answer {
		var asked strings.Builder
		for _, m := range c.Messages[1:] {
			asked.WriteString(m.Content + "\n")
		}
		for line := range strings.Lines(file) {
			text, answer, ok := strings.Cut(strings.TrimSpace(line), " => ")
			if ok && !slices.ContainsFunc(strings.Split(text, " && "), func(part string) bool { return !strings.Contains(asked.String(), part) }) {
				return llmtest.Answer{Text: answer}
			}
		}
		return llmtest.Answer{Status: 400, Error: "nobody knows what to say to: " + asked.String()}
	}
}

// exits runs a program and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N [exec] PROGRAM ARGS...")
	}
	var want, code int
	ts.Check(number(args[0], &want))
	if args[1] == "rubric-host" {
		code = runHere(ts, args[2:])
	} else {
		if args[1] == "exec" {
			args = args[1:]
		}
		err := ts.Exec(args[1], args[2:]...)
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		} else {
			ts.Check(err)
		}
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// fits checks that no line of progress on the terminal is wider than N columns.
func fits(ts *testscript.TestScript, neg bool, args []string) {
	var columns int
	if neg || len(args) != 1 || number(args[0], &columns) != nil {
		ts.Fatalf("usage: fits N")
	}
	lines := 0
	for line := range strings.FieldsFuncSeq(ts.ReadFile("terminal"), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if !strings.Contains(line, "/s") {
			continue
		}
		if lines++; utf8.RuneCountInString(line) > columns {
			ts.Fatalf("%d columns: %q", utf8.RuneCountInString(line), line)
		}
	}
	if lines == 0 {
		ts.Fatalf("there is no progress: %q", ts.ReadFile("terminal"))
	}
}

// patients has, by the directory of a script, the channel whose end lets its patient judge answer.
var patients sync.Map

// onTerminal runs a program with a terminal as its standard error.
func onTerminal(ts *testscript.TestScript, neg bool, args []string) {
	var columns int
	if neg || len(args) < 3 || number(args[0], &columns) != nil {
		ts.Fatalf("usage: terminal COLUMNS TEXT PROGRAM ARGS...")
	}
	screen, device, err := openTerminal(columns)
	ts.Check(err)
	defer screen.Close()
	answer := func() {
		if shown, ok := patients.LoadAndDelete(ts.Getenv("WORK")); ok {
			close(shown.(chan struct{}))
		}
	}
	hurry := time.AfterFunc(time.Minute, answer) // the text does not come: the test fails, and ends
	defer hurry.Stop()
	var all []byte
	var reading sync.WaitGroup
	reading.Go(func() { // until nobody has the device open
		part := make([]byte, 4096)
		for {
			n, err := screen.Read(part)
			all = append(all, part[:n]...)
			if bytes.Contains(all, []byte(args[1])) {
				answer()
			}
			if err != nil {
				return
			}
		}
	})
	err = ts.Exec("sh", append([]string{"-c", `exec "$@" 2>` + device.Name(), "sh"}, args[2:]...)...)
	device.Close()
	reading.Wait()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("terminal"), all, 0o600))
	if !bytes.Contains(all, []byte(args[1])) {
		ts.Fatalf("the terminal does not show %q: %q", args[1], all)
	}
}

// tear leaves a run as a crash in the middle of a row would.
func tear(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "rows.jsonl"))
	ts.Check(err)
	if neg || len(found) != 1 {
		ts.Fatalf("%d runs in %s", len(found), args[0])
	}
	text, err := os.ReadFile(found[0])
	ts.Check(err)
	last := strings.LastIndexByte(strings.TrimRight(string(text), "\n"), '\n')
	ts.Check(os.WriteFile(found[0], text[:last+(len(text)-last)/2], 0o644))
}

// poison changes machine code in a cache, as an attacker would.
func poison(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "modules", "*", "*"))
	ts.Check(err)
	if neg || len(found) == 0 {
		ts.Fatalf("no machine code in %s", args[0])
	}
	for _, file := range found {
		ts.Check(wasmtest.Poison(file))
	}
}

func number(s string, n *int) error {
	_, err := fmt.Sscanf(s, "%d", n)
	return err
}

// calls checks how often the judge was asked.
func calls(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := servers.Load(ts.Getenv("WORK"))
	until := len(args) == 2 && args[0] == "until"
	if !ok || len(args) != 1 && !until {
		ts.Fatalf("usage: calls [until] N, after endpoint")
	}
	var want int
	ts.Check(number(args[len(args)-1], &want))
	received := func() int { return len(s.(*llmtest.Server).Calls()) }
	for end := time.Now().Add(time.Minute); until && received() < want && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	if got := received(); (got == want || until && got > want) == neg {
		ts.Fatalf("the judge was called %d times", got)
	}
}

// A masking is what mask writes for what changes from run to run.
type masking struct {
	pattern *regexp.Regexp
	with    string
}

// masks are made by the scripts alone, not by each program that they start: it is the same file.
var masks = sync.OnceValue(func() []masking {
	return []masking{
		{regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{4}`), "RUN"},
		{regexp.MustCompile(`\b\d+(\.\d+)?(ms|µs|s)\b`), "TIME"},
		{regexp.MustCompile(`\bsha256:[0-9a-f]{12,64}\b`), "DIGEST"},
		{regexp.MustCompile(`fuel [\d,]+`), "fuel N"},
		{regexp.MustCompile(`\b(art|eval|rev)_[0-9a-f]{12}\b`), "${1}_ID"},
		{regexp.MustCompile(`\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`), "WHEN"},
		{regexp.MustCompile(`\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?\b`), "WHEN"},
	}
})

// mask replaces run ids, times and other text that changes from run to run in a file
// ("stdout" and "stderr" too) and writes the result beside it, as FILE.masked.
func mask(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := ts.ReadFile(name)
		for _, m := range masks() {
			text = m.pattern.ReplaceAllString(text, m.with)
		}
		text = strings.ReplaceAll(text, ts.Getenv("WORK"), "WORK")
		ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), name+".masked"), []byte(text), 0o644))
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
