package workbench

import (
	"context"
	"errors"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// A RuntimeTrial is the result of trying the runtime of a script language. Times are in
// milliseconds.
type RuntimeTrial struct {
	Language    string  `json:"language"`
	Ready       float64 `json:"ready_ms"` // until it could run scripts, compiled if need be
	Start       float64 `json:"start_ms"` // of a script
	Call        float64 `json:"call_ms"`
	Fuel        uint64  `json:"fuel"`
	Memory      uint64  `json:"memory_bytes"`
	ImageDigest string  `json:"image_digest"`
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

// TryRuntime compiles the runtime of a language if need be, starts a script in it, and calls it several times:
// the calls must have one answer and use the same fuel, else the error has class fault.Load. o.Doing is told of
// slow steps.
func TryRuntime(ctx context.Context, language string, o wasm.Options) (t RuntimeTrial, err error) {
	load := func(rt *wasm.Runtime, end string) (*wasm.Module, time.Duration, error) {
		module, err := trialModule(language, end)
		if err != nil {
			return nil, 0, err
		}
		at := time.Now()
		m, err := rt.Load(ctx, wasm.Source{Name: language, Module: module}, wasm.Limits{})
		return m, time.Since(at), err
	}
	o.Scripts = script.Open
	rt, err := wasm.New(ctx, o)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, rt.Close(context.WithoutCancel(ctx))) }()
	_, ready, err := load(rt, "")
	if err != nil {
		return t, err
	}
	m, start, err := load(rt, "\n") // another script
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
	t.Language, t.Ready, t.Start, t.Call = language, milliseconds(ready), milliseconds(start), milliseconds(time.Since(at)/calls)
	t.ImageDigest = m.ImageDigest()
	return t, nil
}

// trialModule returns the script of a trial, which ends with end.
func trialModule(language, end string) ([]byte, error) {
	l, ok := script.Find(language)
	if !ok {
		return nil, fault.New(fault.NotFound, "unknown runtime %q", language)
	}
	file, source := trialScripts[language][0], trialScripts[language][1]
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: file, Files: map[string]string{file: source + end}}
	return s.Module()
}

// CompileRuntime compiles the runtime of a language for worker processes, which use nothing that was
// compiled elsewhere.
func CompileRuntime(ctx context.Context, language string, o worker.Options) (err error) {
	module, err := trialModule(language, "")
	if err != nil {
		return err
	}
	rt, err := worker.New(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rt.Close(context.WithoutCancel(ctx))) }()
	_, err = rt.Load(ctx, wasm.Source{Name: language, Module: module}, wasm.Limits{})
	return err
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
