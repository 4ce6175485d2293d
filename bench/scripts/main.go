// Scripts measures scorers in Python and JavaScript against the interpreters of
// the machine, all in one run: in this process with everything put back after
// each call, natively in a process that stays, and in a process for each call.
//
//	go run ./bench/scripts [-calls N]
//	go run ./bench/scripts -first 15
//
// With -first, whole processes that give one score are measured instead, with and
// without a cache, from the root of the repository.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/bench/scorers"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

func main() {
	calls := flag.Int("calls", 2000, "calls of each row")
	runs := flag.Int("first", 0, "measure so many processes that give one score, instead of calls")
	flag.Parse()
	dir, err := os.MkdirTemp("", "rubric-host-bench-*")
	switch {
	case err != nil:
	case *runs > 0:
		err = first(dir, *runs)
	default:
		err = bench(dir, *calls)
	}
	os.RemoveAll(dir) //nolint:errcheck // it is among the temporary files
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A native interpreter: as a process that stays, and one that does not.
type native struct{ command, stays, once []string }

// resolved names the program itself, not a script that looks for it.
func (n native) resolved() (native, error) {
	if n.command[0] != "python3" {
		return n, nil
	}
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	n.command = []string{strings.TrimSpace(string(out))}
	return n, err
}

var natives = map[string]native{
	".py": {
		command: []string{"python3"},
		stays: []string{"-I", "-c", `
import importlib.util, json, sys, time
spec = importlib.util.spec_from_file_location("s", sys.argv[1]); m = importlib.util.module_from_spec(spec); spec.loader.exec_module(m)
lines = sys.stdin.buffer.read().splitlines()
for n in range(int(sys.argv[2])):
    line = lines[n % len(lines)]
    at = time.perf_counter_ns()
    r = json.loads(line); out = json.dumps({"score": m.score(r["case"], r["config"])})
    print(time.perf_counter_ns() - at)
`},
		once: []string{"-I", "-S", "-c", `
import sys; sys.dont_write_bytecode = True
import json
m = {}; exec(open(sys.argv[1]).read(), m); r = json.load(sys.stdin); print(json.dumps({"score": m["score"](r["case"], r["config"])}))`},
	},
	".js": {
		command: []string{"node"},
		stays: []string{"--input-type=module", "-e", `
import { readFileSync } from "node:fs";
const m = await import(process.argv[1]);
const lines = readFileSync(0, "utf8").trim().split("\n");
for (let n = 0; n < +process.argv[2]; n++) {
  const line = lines[n % lines.length], at = process.hrtime.bigint();
  const r = JSON.parse(line), out = JSON.stringify({ score: m.score(r.case, r.config) });
  console.log(String(process.hrtime.bigint() - at));
}`},
		once: []string{"--input-type=module", "-e", `
import { readFileSync } from "node:fs";
const m = await import(process.argv[1]);
const r = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({ score: m.score(r.case, r.config) }));`},
	},
}

func bench(dir string, calls int) error {
	ctx := context.Background()
	rt, err := wasm.New(ctx, wasm.Options{CacheDir: filepath.Join(dir, "cache"), Scripts: script.Open})
	if err != nil {
		return err
	}
	defer rt.Close(ctx) //nolint:errcheck // the process ends
	fmt.Fprintf(os.Stdout, "%-8s %12s %12s %14s %14s %10s %10s\n", "scorer", "ours p50", "native p50", "process p50", "a second, all", "of native", "process is")
	for _, name := range []string{"f1.js", "bleu.js", "f1.py", "bleu.py"} {
		if err := row(ctx, rt, dir, name, calls); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func load(ctx context.Context, rt *wasm.Runtime, name string) (*wasm.Module, error) {
	source, err := scorers.Source(name)
	if err != nil {
		return nil, err
	}
	l, _ := script.Of(name)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: name, Files: map[string]string{name: source}}
	module, err := s.Module()
	if err != nil {
		return nil, err
	}
	return rt.Load(ctx, wasm.Source{Name: name, Module: module}, wasm.Limits{})
}

// row measures one scorer in all ways.
func row(ctx context.Context, rt *wasm.Runtime, dir, name string, calls int) error {
	source, err := scorers.Source(name)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, name)
	if filepath.Ext(name) == ".js" {
		file = strings.TrimSuffix(file, ".js") + ".mjs"
	}
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return err
	}
	m, err := load(ctx, rt, name)
	if err != nil {
		return err
	}
	requests := pairs()
	ours, err := here(ctx, m, requests, calls)
	if err != nil {
		return err
	}
	rate, err := everywhere(ctx, m, requests, calls)
	if err != nil {
		return err
	}
	n, err := natives[filepath.Ext(name)].resolved()
	if err != nil {
		return err
	}
	inside, err := staying(n, file, requests, calls)
	if err != nil {
		return err
	}
	apart, err := starting(n, file, requests)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%-8s %9.0f us %9.0f us %11.0f us %14.0f %9.1fx %9.0fx\n", name, us(ours), us(inside), us(apart), rate, us(ours)/us(inside), us(apart)/us(ours))
	return nil
}

func us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// pairs are requests with two texts of 60 tokens.
func pairs() [][]byte { return scorers.Requests(64, 60, 80) }

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

func here(ctx context.Context, m *wasm.Module, requests [][]byte, calls int) (time.Duration, error) {
	var answer []byte
	var took []time.Duration
	for n := range calls {
		at := time.Now()
		var err error
		if answer, _, err = m.Call(ctx, script.DefaultExport, requests[n%len(requests)], answer); err != nil {
			return 0, err
		}
		took = append(took, time.Since(at))
	}
	return median(took), nil
}

// everywhere returns calls a second on all processors.
func everywhere(ctx context.Context, m *wasm.Module, requests [][]byte, calls int) (float64, error) {
	var group sync.WaitGroup
	errs := make([]error, runtime.GOMAXPROCS(0))
	at := time.Now()
	for k := range errs {
		group.Go(func() { _, errs[k] = here(ctx, m, requests, calls) })
	}
	group.Wait()
	took := time.Since(at)
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return float64(len(errs)*calls) / took.Seconds(), nil
}

func staying(n native, file string, requests [][]byte, calls int) (time.Duration, error) {
	cmd := exec.Command(n.command[0], append(slices.Clone(n.stays), file, fmt.Sprint(calls))...)
	var in strings.Builder
	for _, r := range requests {
		in.Write(r)
		in.WriteByte('\n')
	}
	cmd.Stdin, cmd.Stderr = strings.NewReader(in.String()), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	var took []time.Duration
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	for lines.Scan() {
		var ns int64
		if _, err := fmt.Sscan(lines.Text(), &ns); err != nil {
			return 0, err
		}
		took = append(took, time.Duration(ns))
	}
	return median(took), nil
}

// processes is how many are started for a median.
const processes = 30

func starting(n native, file string, requests [][]byte) (time.Duration, error) {
	var took []time.Duration
	for k := range processes {
		cmd := exec.Command(n.command[0], append(slices.Clone(n.once), file)...)
		cmd.Stdin, cmd.Stderr = strings.NewReader(string(requests[k%len(requests)])), os.Stderr
		at := time.Now()
		if err := cmd.Run(); err != nil {
			return 0, err
		}
		took = append(took, time.Since(at))
	}
	return median(took), nil
}
