package host_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// capricious is a judge that never answers the same twice: a run can repeat an answer
// only from a recording.
func capricious(c llmtest.Call) llmtest.Answer {
	one := func() string {
		return fmt.Sprintf(`{"reason":"thought %x","verdict":%q}`, rand.Uint64(), []string{"MET", "UNMET"}[rand.IntN(2)])
	}
	n := rand.IntN(100)
	switch {
	case n < 8:
		return llmtest.Answer{Status: 500, Error: "busy"}
	case n < 14:
		return llmtest.Answer{Status: 429, Error: "slow down", Header: map[string]string{"Retry-After": "0.001"}}
	case n < 30:
		return llmtest.Answer{Text: "I am not sure."}
	case !bytes.Contains(c.Body, []byte("verdicts")):
		return llmtest.Answer{Text: one()}
	case n < 50: // a batch, answered in part
		return llmtest.Answer{Text: `{"verdicts":{"a":` + one() + `}}`}
	}
	return llmtest.Answer{Text: `{"verdicts":{"a":` + one() + `,"b":` + one() + `}}`}
}

// A wholeRun is a run of one judge, made in several executions.
type wholeRun struct {
	t      *rapid.T
	ctx    context.Context //nolint:containedctx // of the test
	doc    *dialect.Document
	o      host.EvaluateOptions
	server *llmtest.Server
	model  string
	record *os.File // that several judges share
	dir    string

	modules  string // compiled plugins
	finished bool   // rows are only retried from now on
}

func (r *wholeRun) evaluator(replay *bytes.Reader) *host.Evaluator {
	j := &host.Judge{Name: "judge", Endpoint: r.server.Endpoint(), RecordRuns: true,
		Options: judge.Options{Model: r.model, Attempts: 2, Wait: time.Microsecond, Patience: time.Second}}
	if replay != nil {
		j.Replay, j.ReplayName, j.RecordRuns = replay, "recording", false
	} else {
		j.Record = r.record
	}
	ev, err := host.New(r.ctx, host.Options{Judge: j, CacheDir: r.modules})
	if err != nil {
		r.t.Fatal(err)
	}
	return ev
}

// execute makes one execution, and stops it after some rows. It reports whether
// the run came to its end.
func (r *wholeRun) execute(make func(context.Context, *host.Evaluator, host.EvaluateOptions) (*host.Evaluation, error)) bool {
	ev := r.evaluator(nil)
	defer ev.Close(r.ctx)
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	o := r.o
	if after := rapid.IntRange(-6, 6).Draw(r.t, "rows until it is stopped"); after > 0 {
		o.Observe = func(*result.Row) {
			if after--; after == 0 {
				cancel(fault.New(fault.Interrupted, "stopped"))
			}
		}
	}
	done, err := make(ctx, ev, o)
	if err != nil && !fault.Is(err, fault.Interrupted) {
		r.t.Fatal(err)
	}
	r.dir = done.Dir
	if err != nil && rapid.Bool().Draw(r.t, "killed") {
		r.tear()
	}
	return err == nil
}

// tear leaves the files of a run as a kill may: the last rows were not written, and
// the last lines are torn.
func (r *wholeRun) tear() {
	path := filepath.Join(r.dir, runner.RowsFile)
	rows := r.lines(path)
	keep := len(rows)
	if !r.finished { // a retry appends to rows that are safe
		keep = rapid.IntRange(0, len(rows)).Draw(r.t, "rows kept")
	}
	r.write(path, append(slices.Clone(rows[:keep]), `{"schema":1,"ca`))
	path = filepath.Join(r.dir, runner.CallsFile)
	if calls := r.lines(path); len(calls) > 0 {
		r.write(path, append(calls, calls[0][:rapid.IntRange(1, 40).Draw(r.t, "bytes of a torn call")]))
	}
}

func (r *wholeRun) lines(path string) []string {
	b, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(b)))
}

func (r *wholeRun) write(path string, lines []string) {
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// make evaluates until the run is finished, and then retries rows without a score.
func (r *wholeRun) make() {
	for !r.execute(func(ctx context.Context, ev *host.Evaluator, o host.EvaluateOptions) (*host.Evaluation, error) {
		return ev.Evaluate(ctx, r.doc, o)
	}) {
	}
	r.finished = true
	for range rapid.IntRange(0, 2).Draw(r.t, "retries") {
		for !r.execute(func(ctx context.Context, ev *host.Evaluator, o host.EvaluateOptions) (*host.Evaluation, error) {
			return ev.Retry(ctx, r.dir, nil, o)
		}) {
		}
	}
}

// verify derives every number again from the recording in the run directory.
func (r *wholeRun) verify(what string) {
	ev := r.evaluator(nil)
	defer ev.Close(r.ctx)
	v, err := ev.Verify(r.ctx, r.dir, nil)
	if err != nil || v.Err() != nil || v.Taken != 0 || v.Derived == 0 {
		r.t.Fatalf("verify, %s: %+v, %v", what, v, err)
	}
}

// replay repeats the run from a recording and returns its rows.
func (r *wholeRun) replay(recording []string) []byte {
	ev := r.evaluator(bytes.NewReader([]byte(strings.Join(recording, ""))))
	defer ev.Close(r.ctx)
	o := r.o
	o.Fresh = true
	done, err := ev.Evaluate(r.ctx, r.doc, o)
	if err != nil {
		r.t.Fatal(err)
	}
	rows, err := os.ReadFile(filepath.Join(done.Dir, runner.RowsFile))
	if err != nil {
		r.t.Fatal(err)
	}
	return rows
}

// attempt is left out of messages: a request that failed is replayed once.
var attempt = regexp.MustCompile(` \((attempt \d of \d|gave up after request \d+)\)`)

// answers are the rows of a run without the fields that a replay does not use: calls
// and tokens.
func (r *wholeRun) answers(rows []byte) (out []string) {
	for row, err := range result.ReadRows(bytes.NewReader(rows)) {
		if err != nil {
			r.t.Fatal(err)
		}
		row.Judge = result.Usage{}
		for i := range row.Criteria {
			c := &row.Criteria[i]
			if c.How == nil {
				continue
			}
			how := *c.How
			how.TokensIn, how.TokensOut, how.CostUSD, how.Unpriced, how.Attempts, how.Replayed = 0, 0, 0, 0, 0, false
			c.How = &how
		}
		b, err := json.Marshal(row, json.Deterministic(true))
		if err != nil {
			r.t.Fatal(err)
		}
		out = append(out, attempt.ReplaceAllString(string(b), ""))
	}
	return out
}

// same holds rows to those of the run.
func (r *wholeRun) same(what string, rows, want []byte) {
	got, of := r.answers(rows), r.answers(want)
	if len(got) != len(of) {
		r.t.Fatalf("%s has %d rows, the run %d", what, len(got), len(of))
	}
	for i := range got {
		if got[i] != of[i] {
			r.t.Fatalf("%s:\n%s\nthe run:\n%s", what, got[i], of[i])
		}
	}
}

// TestVerify_WholeRunsAfterReplay makes runs of two judges that share a recording, with
// cases and criteria that read the same, repeats, stops, kills and retries. In any
// order of the recorded calls each run verifies, and replays to the same rows.
func TestVerify_WholeRunsAfterReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	checks := 8 // a hundred take a minute
	if wasmtest.Race {
		checks = 3 // each has the same goroutines
	}
	amount.RapidIn(t, checks)
	server := llmtest.New(t, capricious)
	var once sync.Once
	modules := wasmtest.CacheDir(t)
	rapid.Check(t, func(rt *rapid.T) {
		root := t.TempDir()
		var data strings.Builder
		for i := range rapid.IntRange(1, 8).Draw(rt, "cases") {
			fmt.Fprintf(&data, `{"id":"c%d","output":"answer %d"}`+"\n", i, rapid.IntRange(0, 2).Draw(rt, "output"))
		}
		text := "rubric: r\nversion: 1.0.0\njudge: {strategy: " + rapid.SampledFrom([]string{"per-criterion", "batch"}).Draw(rt, "strategy") +
			"}\ncriteria:\n  - {id: a, judge: It is kind.}\n  - {id: b, judge: It is kind.}\n  - {id: word, metric: contains, with: {texts: ['1']}}\n"
		for name, content := range map[string]string{"rubric.yaml": text, "data.jsonl": data.String()} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
				rt.Fatal(err)
			}
		}
		doc, err := host.Load(filepath.Join(root, "rubric.yaml"))
		if err != nil {
			rt.Fatal(err)
		}
		record, err := os.OpenFile(filepath.Join(root, "calls.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			rt.Fatal(err)
		}
		defer record.Close()
		repeats := rapid.IntRange(1, 3).Draw(rt, "repeats")
		var runs []*wholeRun
		for _, model := range []string{"one", "two"} {
			r := &wholeRun{t: rt, ctx: t.Context(), doc: doc, server: server, model: model, modules: modules, record: record, o: host.EvaluateOptions{
				PlanOptions: host.PlanOptions{Repeat: repeats}, Runs: filepath.Join(root, model), InFlight: 4, Dataset: dataset.Options{Paths: []string{filepath.Join(root, "data.jsonl")}}}}
			r.make()
			r.verify("as recorded")
			runs = append(runs, r)
		}
		shared := runs[0].lines(record.Name())
		for _, r := range runs {
			rows, err := os.ReadFile(filepath.Join(r.dir, runner.RowsFile))
			if err != nil {
				rt.Fatal(err)
			}
			path := filepath.Join(r.dir, runner.CallsFile)
			r.write(path, rapid.Permutation(r.lines(path)).Draw(rt, "order of the calls"))
			r.verify("shuffled")
			first := r.replay(r.lines(path))
			r.same("the replay", first, rows)
			second := r.replay(rapid.Permutation(shared).Draw(rt, "order of both judges' calls"))
			r.same("the replay of both judges' recording", second, rows)
			if !bytes.Equal(first, second) {
				rt.Fatalf("two replays differ:\n%s\n%s", first, second)
			}
			once.Do(func() {
				if !bytes.Contains(rows, []byte(rubric.Scored)) {
					t.Error("nothing was scored")
				}
			})
		}
	})
}
