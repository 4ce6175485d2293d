package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

type evaluatorFlags struct {
	fuel        limitFlag[uint64]
	peerFuel    limitFlag[uint64]
	memory      sizeFlag
	deadline    limitFlag[time.Duration]
	cpu         limitFlag[int]
	cacheDir    string
	noCache     bool
	interpreter bool
	isolate     string
	allow       []string
	answers     string // --cache; empty: the command has no such flag
}

func (f *evaluatorFlags) bind(p *program, cmd *cobra.Command) {
	s := cmd.Flags()
	bindPlugins(p, cmd)
	s.Var(&f.deadline, "deadline", "time limit of a plugin call, such as 30s (default 10s)")
	s.Var(&f.cpu, "cpu", "concurrent plugin calls (default: one per CPU)")
	s.StringVar(&f.cacheDir, "cache-dir", "", "cache of compiled plugins (default: in the user's cache directory)")
	s.BoolVar(&f.noCache, "no-compile-cache", false, "do not use the cache of compiled plugins")
	s.BoolVar(&f.interpreter, "interpreter", false, "interpret plugins instead of compiling them: slower, same numbers")
	s.StringVar(&f.isolate, "isolate", string(worker.Auto), "run plugins in worker processes: auto (all but built-in ones), always, never")
	s.StringSliceVar(&f.allow, "allow", nil, "grant a plugin something it requests, such as NAME=http:HOST (repeats)")
	choices(cmd, "isolate", worker.Auto, worker.Always, worker.Never)
	advanced(cmd, "isolate", "allow", "deadline", "cpu", "cache-dir", "no-compile-cache", "interpreter")
}

// bindLimits adds the limits of plugin calls. Commands that work on a run keep those of the run, which
// decide which calls have an answer.
func (f *evaluatorFlags) bindLimits(cmd *cobra.Command) {
	s := cmd.Flags()
	s.Var(&f.fuel, "fuel", "fuel limit of a plugin call (default 2000000000)")
	s.Var(&f.peerFuel, "peer-fuel", "fuel limit of the code that a plugin call runs in its peer (default 20000000000)")
	s.Var(&f.memory, "memory", "memory of a plugin call, such as 128MiB (default 64MiB; 128MiB in Python; scripts have at most 256MiB)")
	advanced(cmd, "fuel", "peer-fuel", "memory")
}

// bindCache adds --cache, for commands that grade.
func (f *evaluatorFlags) bindCache(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.answers, "cache", string(cache.On), "reuse earlier answers: on, off, read or refresh")
	choices(cmd, "cache", cache.Modes()...)
}

// options returns the options of an evaluator. A cache that cannot be made is left out, with a warning: it only
// saves time.
func (p *program) options(f *evaluatorFlags) host.Options {
	o := host.Options{Plugins: p.dirs, CPU: f.cpu.n, CacheDir: f.cacheDir, Interpreter: f.interpreter, Isolate: worker.Isolation(f.isolate), Allow: f.allow}
	o.RuntimeDir = runtimeDir()
	o.Limits.Fuel, o.Limits.PeerFuel = f.fuel.n, f.peerFuel.n
	o.Limits.MemoryPages, o.Limits.Deadline = uint32(f.memory.bytes/pageBytes), f.deadline.n
	switch {
	case f.noCache:
		o.CacheDir = ""
	case f.cacheDir == "":
		o.CacheDir = p.compiledDir()
	}
	if o.CacheDir != "" && !f.interpreter {
		p.tellUnsealed()
	}
	return o
}

// tellUnsealed warns if the user has no key: without one, compiled plugins are not kept.
func (con *console) tellUnsealed() {
	if _, err := private.UserKey(); err != nil {
		con.say("warning: compiled plugins are not kept: %v; XDG_STATE_HOME names a place for the key that seals them", err)
	}
}

// compiledDir is compiledCache if it can be made; else it is empty, with a warning.
func (con *console) compiledDir() string {
	dir := compiledCache()
	if dir == "" {
		con.say("warning: compiled plugins are not kept: $HOME is not set; --cache-dir and XDG_STATE_HOME name places")
		return ""
	}
	err := private.Dir(dir)
	if _, failed := errors.AsType[*fs.PathError](err); failed { // a directory that others can change is an error
		con.say("warning: compiled plugins are not kept: %v; --cache-dir names another place", err)
		return ""
	}
	return dir
}

// tellPreparing says why the first score with a script takes seconds.
func (con *console) tellPreparing(step string) {
	if title, first := strings.CutPrefix(step, "reading "); first {
		con.say("preparing %s for its first use, which takes seconds", title)
	}
}

func (p *program) evaluator(ctx context.Context, f *evaluatorFlags, j *host.Judge, embeddings *host.Embeddings) (*host.Evaluator, error) {
	o := p.options(f)
	o.Judge, o.Embeddings, o.Doing = j, embeddings, p.tellPreparing
	if f.answers != "" {
		var err error
		if o.Cache, err = cache.Open(answersDir(f.cacheDir), cache.Options{Mode: cache.Mode(f.answers)}); err != nil {
			return nil, err
		}
	}
	return host.New(ctx, o)
}

// judging returns the evaluator of a command that may ask a judge.
func (p *program) judging(ctx context.Context, e *evaluatorFlags, f *judgeFlags) (*host.Evaluator, error) {
	j, err := f.options(p.settings)
	if err != nil {
		return nil, err
	}
	if j != nil {
		j.RecordRuns = true
	}
	embeddings, err := p.settings.embedder(f.embeddings)
	if err != nil {
		return nil, err
	}
	ev, err := p.evaluator(ctx, e, j, embeddings)
	if err == nil && j != nil {
		go p.watchJudge(ctx, func() llm.Load { return ev.Stats().Judge })
	}
	return ev, err
}
