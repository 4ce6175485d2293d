package host

import (
	"context"
	"io"

	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// Options configure an Evaluator. The zero value has the built-in plugins, no
// judge, and keeps no compiled code between processes.
type Options struct {
	// Plugins are directories with plugins beside the built-in ones.
	Plugins []string

	// Scorers are scorers written in Go, by the name under which a rubric's
	// metric refers to them: the plugin's, or PLUGIN:EXPORT for one of its
	// functions, such as "scoring:check_clarity". They run unsandboxed, and before any plugin of the
	// same name.
	Scorers map[string]Scorer

	// Aggregates are functions written in Go that combine the verdicts on criteria,
	// by the name under which a rubric or a group refers to them: aggregate: go:NAME.
	Aggregates map[string]Aggregate

	// Judge answers criteria that have no plugin or schema. Nil: none does.
	Judge *Judge

	// Embeddings embeds texts for metrics whose manifest asks for embeddings that a case
	// lacks. Its calls are recorded, replayed, cached and limited with the judge's: Judge has
	// those settings, and needs no model if nothing is judged. Nil: such cases are unscored.
	Embeddings *Embeddings

	// Allow grants plugins capabilities beyond computing, as PLUGIN=GRANT, such as
	// "words=fs:read:./words", out of those that their manifests request. The numbers
	// of a plugin with a grant count as not deterministic.
	Allow []string

	// Limits bound every call of a plugin. The zero value: wasm's defaults.
	Limits wasm.Limits

	// CacheDir keeps compiled plugins between processes; see wasm.Options. Empty:
	// every process compiles them again.
	CacheDir string

	// Cache keeps the answers of judges, and of plugin calls that take longer than
	// reading a file. Nil: none are kept. The Evaluator closes it.
	Cache *cache.Store

	// RuntimeDir holds the runtimes of script languages that the program does not
	// carry, and the data files of plugins; see packages interpreter and datafile. Empty:
	// there are JavaScript and no data files.
	RuntimeDir string

	// Interpreter runs plugins without compiling them.
	Interpreter bool

	// Doing is called with the name of each slow step of preparing the interpreter of a
	// language, before it is made: "reading Python (CPython 3.13.5)" is the first one. Compiled
	// interpreters are kept, so most processes make none. It must be safe for concurrent use. Nil: no calls.
	Doing func(step string)

	// Log receives the output of a plugin's call, which is hostile text. It must be
	// safe for concurrent use. Nil: it is dropped.
	Log func(plugin string, printed []byte)

	// CPU is the number of plugin calls at once; 0: one per processor.
	CPU int

	// Isolate says which plugins run in a process of their own: this program again, which has to
	// call worker.Main for it. Empty: worker.Auto.
	Isolate worker.Isolation
}

// A Scorer is a scorer written in Go. It is called by several goroutines at once. An
// error means that it failed: the case has no score. Its answer is checked like a
// plugin's: a level must be one of the criterion's, and a score must lie in [0, 1]
// and be that of a level where the criterion has levels.
type Scorer func(ctx context.Context, q Question) (Answer, error)

// A Question is the input of a Scorer.
type Question struct {
	Case      *dataset.Case
	Criterion *rubric.Criterion // with its levels; read-only
	Function  string            // that the rubric names of the scorer's module; empty: none
	Config    map[string]any    // configured by the rubric; may be empty
}

// An Answer has exactly one of score, level and unscored, and may have a reason
// and other members of a plugin's answer.
type Answer = metric.Answer

// Score answers with a number in [0, 1].
func Score(x float64) Answer { return Answer{Score: &x} }

// Level answers with the id of a level of the criterion.
func Level(id string) Answer { return Answer{Level: &id} }

// Unscored answers that there is no score, and why.
func Unscored(why string) Answer { return Answer{Unscored: &why} }

// An Aggregate combines criteria to a score in [0, 1]. parts are those that have a
// value, in the rubric's order: of the rubric the outermost, of a group its members. It is
// called by several goroutines at once and unsandboxed. The same parts must give
// the same score: Verify calls it again. An error means that the case has no score: it has the
// class that the error names, else fault.PluginError; so does a score that is
// NaN or outside of [0, 1], of class fault.Protocol. Length penalty, metrics, gates and
// bands apply to the score as to any other.
type Aggregate func(ctx context.Context, parts []Part) (float64, error)

// A Part is a criterion that an Aggregate combines: Criterion has its weight,
// Verdict.Value is in [0, 1], where 1 is bad for a penalty.
type Part = score.Part

// Embeddings say which model embeds texts. Model or Endpoint.Model is required, unless Judge
// replays a recording.
type Embeddings struct {
	Name     string       // as people refer to it; empty: the model's name
	Endpoint llm.Endpoint // asked unless Model is set
	KeyHint  string       // as that of Judge
	Model    llm.Model    // asked in place of an endpoint; requests have texts in Embed
}

// A Judge says which model judges and how it is asked. Model or Endpoint.Model
// or Replay is required.
type Judge struct {
	Name     string       // as people refer to it; empty: the model's name
	Endpoint llm.Endpoint // asked unless Model or Replay is set
	KeyHint  string       // advice for a refused key, in one sentence; empty: the usual advice
	Model    llm.Model    // asked in place of an endpoint, such as a fake of your own

	// Replay answers from a recording and sends no requests.
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
	Limits      llm.Limits      // when to stop: of a run, all its executions together
}
