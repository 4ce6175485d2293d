package host_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// embedding evaluates cases with the metric cosine.
type embedding struct {
	t      *testing.T
	dir    string
	doc    *dialect.Document
	server *llmtest.Server
}

const embeddedCases = `{"id":"same","output":"abba","references":["baab"]}
{"id":"near","output":"ab","references":["zz","a"]}
{"id":"empty","output":"","references":["a"]}
{"id":"none","output":"a"}
{"id":"own","output":"never sent","output_embedding":[1,0],"references":["nor this"],"reference_embeddings":[[0,2],[3,4]]}
`

func newEmbedding(t *testing.T, play func(llmtest.Call) llmtest.Answer) *embedding {
	t.Helper()
	dir, doc, _ := evaluating(t, map[string]string{
		"rubric.yaml": "rubric: r\nversion: 1.0.0\ncriteria:\n  - {id: near, metric: embedding}\n", "data.jsonl": embeddedCases,
	})
	return &embedding{t, dir, doc, llmtest.New(t, play)}
}

// evaluator is that of a new process. change may be nil.
func (m *embedding) evaluator(change func(*host.Options)) *host.Evaluator {
	m.t.Helper()
	o := host.Options{
		Judge:      &host.Judge{RecordRuns: true, Options: judge.Options{Attempts: 2, Wait: time.Millisecond}},
		Embeddings: &host.Embeddings{Name: "letters", Endpoint: m.server.Endpoint()}, CacheDir: wasmtest.CacheDir(m.t),
	}
	o.Embeddings.Endpoint.PriceIn = 1e6
	if change != nil {
		change(&o)
	}
	e, err := host.New(m.t.Context(), o)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { e.Close(m.t.Context()) })
	return e
}

func (m *embedding) evaluate(e *host.Evaluator) (*host.Evaluation, error) {
	return e.Evaluate(m.t.Context(), m.doc, host.EvaluateOptions{
		Runs: filepath.Join(m.dir, "runs"), Dataset: dataset.Options{Paths: []string{filepath.Join(m.dir, "data.jsonl")}},
	})
}

// rows returns the rows of a run by case.
func (m *embedding) rows(dir string) map[string]*result.Row {
	m.t.Helper()
	out := map[string]*result.Row{}
	for row, err := range runner.ReadRows(dir) {
		if err != nil {
			m.t.Fatal(err)
		}
		out[row.Case] = row
	}
	return out
}

func two(llmtest.Call) llmtest.Answer { return llmtest.Answer{TokensIn: 2} }

// TestEmbeddings_AreAskedForRecordedAndVerified asks once for each case that lacks vectors, and
// never for those that have them or cannot have them.
func TestEmbeddings_AreAskedForRecordedAndVerified(t *testing.T) {
	m := newEmbedding(t, two)
	done, err := m.evaluate(m.evaluator(nil))
	must(t, err)
	calls := m.server.Calls()
	if len(calls) != 2 {
		t.Fatalf("%d requests, want one for each of two cases", len(calls))
	}
	for _, c := range calls {
		if c.Path != "/v1/embeddings" || c.Model != "test-judge" || !bytes.Contains(c.Body, []byte(`"encoding_format":"float"`)) {
			t.Errorf("%s %s", c.Path, c.Body)
		}
	}
	rows := m.rows(done.Dir)
	for id, want := range map[string]float64{"same": 1, "near": 0.7071067811865475, "own": 0.6} {
		if c := rows[id].Criteria[0]; c.Value == nil || *c.Value < want-1e-9 || *c.Value > want+1e-9 {
			t.Errorf("%s: %+v, want %v", id, c, want)
		}
	}
	for id, want := range map[string]string{"empty": "an empty text has no embedding", "none": "the case has no output_embedding"} {
		if c := rows[id].Criteria[0]; c.Status != rubric.Unscored || !strings.Contains(c.Reason, want) {
			t.Errorf("%s: %+v", id, c)
		}
	}
	if how := rows["same"].Criteria[0].How; how.Embeddings != "test-judge" || how.TokensIn != 2 || how.CostUSD != 2 || how.Attempts != 1 || !how.Nondeterministic {
		t.Errorf("%+v", how)
	}
	if how := rows["own"].Criteria[0].How; how.Embeddings != "" || how.Nondeterministic {
		t.Errorf("vectors of the case: %+v", how)
	}
	if u := done.Run.Usage; u.Calls != 2 || u.TokensIn != 4 || u.CostUSD != 4 || rows["same"].Judge.Calls != 1 {
		t.Errorf("usage %+v", u)
	}
	if pin := done.Plan.Embeddings; pin == nil || pin.Name != "letters" || pin.Model != "test-judge" || pin.BaseURL != m.server.URL+"/v1" || done.Plan.Judge != nil {
		t.Errorf("plan %+v", pin)
	}

	// Verification computes the scores again, without the endpoint.
	m.server.Close()
	second := evaluator(t)
	v, err := second.Verify(t.Context(), done.Dir, nil)
	if err != nil || len(v.Differences) > 0 || v.Derived != 5 {
		t.Errorf("%v, %+v", err, v)
	}
	calledFile := filepath.Join(done.Dir, runner.CallsFile)
	recorded, err := os.ReadFile(calledFile)
	must(t, err)

	// A changed vector shows: the digest of a recorded request does not cover its answer.
	changed := bytes.Replace(recorded, []byte("0.0625"), []byte("0.25"), 1)
	if bytes.Equal(changed, recorded) {
		t.Fatalf("no vector in %s", recorded)
	}
	must(t, os.WriteFile(calledFile, changed, 0o600))
	if v, err = second.Verify(t.Context(), done.Dir, nil); err != nil || len(v.Differences) == 0 {
		t.Errorf("%v, %+v", err, v)
	}

	// A replay sends no request, and gives the same scores.
	third := m.evaluator(func(o *host.Options) {
		o.Judge.Replay, o.Judge.ReplayName, o.Embeddings = bytes.NewReader(recorded), "calls.jsonl", nil
	})
	again, err := m.evaluate(third)
	must(t, err)
	for id, row := range m.rows(again.Dir) {
		if was, is := rows[id].Criteria[0].Value, row.Criteria[0].Value; (was == nil) != (is == nil) || was != nil && *was != *is {
			t.Errorf("%s: %v, replayed %v", id, was, is)
		}
	}
}

// TestEmbeddings_AreReused answers a second run from the cache.
func TestEmbeddings_AreReused(t *testing.T) {
	m := newEmbedding(t, two)
	dir := filepath.Join(t.TempDir(), "answers")
	cached := func(o *host.Options) {
		var err error
		if o.Cache, err = cache.Open(dir, cache.Options{Mode: cache.On}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		e := m.evaluator(cached)
		done, err := m.evaluate(e)
		if err != nil || *m.rows(done.Dir)["same"].Score < 0.99 {
			t.Fatal(err)
		}
	}
	if n := len(m.server.Calls()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// TestEmbeddings_FailWithTheJudgesClasses never makes a number of an endpoint that fails.
func TestEmbeddings_FailWithTheJudgesClasses(t *testing.T) {
	vectors := func(data string) llmtest.Answer {
		return llmtest.Answer{Body: `{"model":"m","data":` + data + `}`}
	}
	for name, tt := range map[string]struct {
		answer llmtest.Answer
		class  fault.Class
		says   string
	}{
		"server error":  {llmtest.Answer{Status: 500, Error: "oops"}, fault.JudgeServer, "embeddings endpoint test (test-judge): HTTP 500: oops"},
		"bad request":   {llmtest.Answer{Status: 400, Error: "too long"}, fault.JudgeRequest, "too long"},
		"a chat answer": {llmtest.Answer{Body: `{"choices":[]}`}, fault.JudgeServer, "0 embeddings of 2 texts"},
		"not JSON":      {llmtest.Answer{Body: `<html>`}, fault.JudgeServer, "not embeddings"},
		"base64":        {vectors(`[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]`), fault.JudgeServer, "not a list of numbers"},
		"two lengths":   {vectors(`[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]`), fault.JudgeServer, "embeddings of 1 and of 2 numbers"},
		"one index":     {vectors(`[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]`), fault.JudgeServer, "not numbered"},
		"too large":     {vectors(`[{"index":0,"embedding":[1e300]},{"index":1,"embedding":[1]}]`), fault.JudgeServer, "beyond a float32"},
		"empty":         {vectors(`[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]`), fault.JudgeServer, "it has 0 numbers"},
		"no numbers":    {vectors(`[{"index":0,"embedding":[null]},{"index":1,"embedding":["1"]}]`), fault.JudgeServer, "not a list of numbers"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newEmbedding(t, func(llmtest.Call) llmtest.Answer { return tt.answer })
			row, err := m.evaluator(nil).Grade(t.Context(), m.doc, oneCase(t, `{"output":"a","references":["b"]}`), host.GradeOptions{})
			must(t, err)
			if c := row.Criteria[0]; c.Status != rubric.Failed || c.Value != nil || c.Error.Class != tt.class || !strings.Contains(c.Error.Message, tt.says) {
				t.Errorf("%+v %+v", c, c.Error)
			}
		})
	}
}

// TestEmbeddings_StopRunsAsAJudgeDoes meets limits and refused keys.
func TestEmbeddings_StopRunsAsAJudgeDoes(t *testing.T) {
	m := newEmbedding(t, two)
	_, err := m.evaluate(m.evaluator(func(o *host.Options) { o.Judge.Limits, o.Judge.Concurrency = llm.Limits{CostUSD: 0.5}, 1 }))
	if fault.Of(err) != fault.Budget || len(m.server.Calls()) != 1 {
		t.Errorf("%v after %d requests", err, len(m.server.Calls()))
	}
	refused := newEmbedding(t, func(llmtest.Call) llmtest.Answer {
		return llmtest.Answer{Status: http.StatusUnauthorized, Error: "no key"}
	})
	_, err = refused.evaluate(refused.evaluator(func(o *host.Options) { o.Embeddings.KeyHint = "set LETTERS_KEY" }))
	if fault.Of(err) != fault.JudgeAuth || !strings.Contains(fault.Hint(err), "LETTERS_KEY") {
		t.Errorf("%v, %s", err, fault.Hint(err))
	}
}

// TestEmbeddings_AreAskedForBesideAJudge uses one recording for both, and each endpoint for its
// own.
func TestEmbeddings_AreAskedForBesideAJudge(t *testing.T) {
	m := newEmbedding(t, two)
	judging := llmtest.Texts(t, `{"reason":"it is","verdict":"MET"}`)
	doc, err := dialect.Decode("r.yaml", []byte("rubric: r\nversion: 1.0.0\ncriteria:\n  - {id: near, metric: embedding}\n  - {id: kind, judge: It is kind.}\n"), dialect.Options{})
	must(t, err)
	m.doc = doc
	var record bytes.Buffer
	done, err := m.evaluate(m.evaluator(func(o *host.Options) {
		o.Judge.Endpoint, o.Judge.Record = judging.Endpoint(), &record
	}))
	must(t, err)
	if a, b := len(m.server.Calls()), len(judging.Calls()); a != 2 || b != 5 || done.Run.Usage.Calls != 7 {
		t.Errorf("%d and %d requests, %+v", a, b, done.Run.Usage)
	}
	again, err := m.evaluate(m.evaluator(func(o *host.Options) {
		o.Judge.Replay, o.Judge.ReplayName, o.Embeddings = &record, "record", nil
	}))
	if err != nil || again.Run.Summary.Counts != done.Run.Summary.Counts || len(judging.Calls()) != 5 {
		t.Errorf("%v, %+v, want %+v", err, again.Run.Summary.Counts, done.Run.Summary.Counts)
	}
}

// TestEmbeddings_WithoutAnEndpointAreThoseOfTheCase says how to get others.
func TestEmbeddings_WithoutAnEndpointAreThoseOfTheCase(t *testing.T) {
	m := newEmbedding(t, two)
	e := evaluator(t)
	row, err := e.Grade(t.Context(), m.doc, oneCase(t, `{"output":"a","references":["b"]}`), host.GradeOptions{})
	if err != nil || row.Criteria[0].Status != rubric.Unscored || !strings.Contains(row.Criteria[0].Reason, fault.OptionEmbeddings) {
		t.Errorf("%v, %+v", err, row.Criteria[0])
	}
	if _, err := host.New(t.Context(), host.Options{Embeddings: &host.Embeddings{}}); fault.Of(err) != fault.Usage {
		t.Errorf("an endpoint without a model: %v", err)
	}
}

func oneCase(t *testing.T, text string) *dataset.Case {
	t.Helper()
	c, err := dataset.FromJSON(jsontext.Value(text), diag.Pos{})
	must(t, err)
	return c
}
