package host

import (
	"context"
	"io"

	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// Options configure an Evaluator. The zero value has the built-in plugins, no
// judge, and keeps no compiled code between processes.
type Options struct {
	// Plugins are directories with plugins beside the built-in ones.
	Plugins []string

	// Scorers are scorers written in Go, by the name under which a rubric's
	// metric refers to them. They run unsandboxed, and before any plugin of the
	// same name.
	Scorers map[string]Scorer

	// Judge answers criteria that have no plugin or schema. Nil: none does.
	Judge *Judge

	// Allow is what plugins may do beyond computing, as PLUGIN=GRANT, such as
	// "words=fs:read:./words", of what their manifests ask for. The numbers of
	// what has a grant count as not deterministic.
	Allow []string

	// Limits bound every call of a plugin. The zero value: wasm's defaults.
	Limits wasm.Limits

	// CacheDir keeps compiled plugins between processes; see wasm.Options. Empty:
	// every process compiles anew.
	CacheDir string

	// Cache keeps the answers of judges, and of plugin calls that take longer than
	// reading a file. Nil: none are kept. The Evaluator closes it.
	Cache *cache.Store

	// RuntimeDir holds what runs scripts in languages that the program does not
	// carry; see package interpreter. Empty: there is JavaScript only.
	RuntimeDir string

	// Interpreter runs plugins without compiling them.
	Interpreter bool

	// Log is told what a call of a plugin has printed, which is hostile text. It
	// must be safe for concurrent use. Nil: nobody is told.
	Log func(plugin string, printed []byte)

	// CPU is the number of plugin calls at once; 0: one per processor.
	CPU int

	// Isolate says which plugins run in a process of their own. Empty:
	// IsolateAuto.
	Isolate Isolation

	// Strangers says that a plugin which is not built in will be loaded. Its
	// worker, if it is to have one, then starts while the plugin is looked for.
	Strangers bool

	// Worker is the program that is started for them, which has to call
	// worker.Main; rubric-host does. Empty: this program, if it called
	// worker.Main.
	Worker string
}

// Isolation says which plugins run in worker processes: the second wall, behind
// the sandbox. Numbers do not depend on it.
type Isolation string

// The kinds of isolation.
const (
	IsolateAuto   Isolation = "auto"   // all but the built-in plugins, in programs that can be a worker
	IsolateAlways Isolation = "always" // all; New fails where that cannot be
	IsolateNever  Isolation = "never"  // none
)

// A Scorer is a scorer written in Go: it returns a value in [0, 1] for a case,
// with the configuration that the rubric gives it, or an error. It is called by
// several goroutines at once.
type Scorer func(ctx context.Context, c *dataset.Case, config map[string]any) (float64, error)

// A Judge says which model judges and how it is asked. Model or Endpoint.Model
// or Replay is required.
type Judge struct {
	Name     string       // as people refer to it; empty: the model's name
	Endpoint llm.Endpoint // asked unless Model or Replay is set
	Model    llm.Model    // asked in place of an endpoint, such as a fake of your own

	// Replay answers from a recording and asks nobody.
	Replay     io.Reader
	ReplayName string // for messages

	// Record takes every request and answer, in the form of calls.jsonl.
	Record io.Writer

	// RecordRuns keeps the calls of a run in its directory, as calls.jsonl.
	RecordRuns bool

	Options     judge.Options
	Strategy    rubric.Strategy // overrides the rubric's
	Batch       int             // criteria per call of rubric.Batch; 0: the rubric's, else all
	Concurrency int             // calls in flight; 0: as many as the endpoint bears
	Limits      llm.Limits      // when to stop
}
