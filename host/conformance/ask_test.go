package conformance

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// An asking is one way to put a row to the evaluator, through its public door.
type asking struct {
	dir    string // of the document; its file name says JSON or YAML
	file   string
	source string
	speaks string // the dialect that it must be taken for

	fields map[string]any // of the case; with an id, laid over the eval file's case

	script   *script // answers of the judge; nil: there is no judge
	strategy rubric.Strategy
	attempts int
	given    []scorer.Line
	unscored score.Unscored
	adjust   func(*rubric.Rubric)
	plugins  []string
}

// An answered is the outcome of an asking: a row, or why there is none.
type answered struct {
	doc   *dialect.Document
	row   *result.Row
	calls []llmtest.Call
	err   error
}

// load writes the document to a file and reads it.
func (a *asking) load(t *testing.T) (*dialect.Document, error) {
	t.Helper()
	if a.dir == "" {
		a.dir = t.TempDir()
	}
	path := filepath.Join(a.dir, a.file)
	must(t, os.WriteFile(path, []byte(a.source), 0o600))
	doc, err := host.Load(path)
	if doc != nil && doc.Dialect != a.speaks {
		t.Errorf("the document is taken for %s (%s), not %s", doc.Dialect, doc.Reason, a.speaks)
	}
	return doc, err
}

// grade does the whole way: document, plan, judge, scorers, total.
func (a *asking) grade(t *testing.T) *answered {
	t.Helper()
	ctx := context.Background()
	out := &answered{}
	if out.doc, out.err = a.load(t); out.err != nil {
		return out
	}
	o := host.Options{Plugins: a.plugins, CacheDir: seedModules}
	if a.script != nil {
		s := llmtest.New(t, a.script.play)
		defer func() { out.calls = s.Calls() }()
		o.Judge = &host.Judge{
			Endpoint: s.Endpoint(), Strategy: a.strategy,
			Options: judge.Options{Attempts: a.attempts, Wait: time.Millisecond, Patience: 1},
		}
	}
	ev, err := host.New(ctx, o)
	must(t, err)
	defer func() {
		if err := ev.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	out.row, out.err = a.gradeWith(ctx, t, ev, out.doc)
	return out
}

func (a *asking) gradeWith(ctx context.Context, t *testing.T, ev *host.Evaluator, doc *dialect.Document) (*result.Row, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	p, err := ev.Plan(doc, o)
	if err != nil {
		return nil, err
	}
	fields, key := a.fields, ""
	if id := textAt(a.fields, "id"); len(doc.Cases) > 0 {
		c, digest, err := o.EvalCase(doc, p, id)
		if err != nil {
			return nil, err
		}
		fields, key = over(t, c.Fields, a.fields), digest
	}
	c, err := dataset.FromJSON(encoded(t, fields), diag.Pos{File: "case.json"})
	if err != nil {
		return nil, err
	}
	c.Rubric = key
	return ev.GradeWith(ctx, p, c, host.GradeOptions{PlanOptions: o})
}

// options are those of the plan, verdicts read as from a file.
func (a *asking) options() (host.PlanOptions, error) {
	o := host.PlanOptions{Unscored: a.unscored, Adjust: a.adjust}
	if len(a.given) == 0 {
		return o, nil
	}
	g, _, err := scorer.ReadGiven("verdicts.jsonl", bytes.NewReader(verdictLines(a.given)))
	o.Given = g
	return o, err
}

// verdictLines writes given verdicts as --verdicts reads them.
func verdictLines(list []scorer.Line) []byte {
	var b bytes.Buffer
	for i := range list {
		line, err := json.Marshal(&list[i])
		if err != nil {
			panic(err) // lines hold JSON values only
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// over lays fields over those of an eval file's case.
func over(t *testing.T, own jsontext.Value, fields map[string]any) map[string]any {
	t.Helper()
	merged := map[string]any{}
	must(t, json.Unmarshal(own, &merged))
	maps.Copy(merged, fields)
	return merged
}

func encoded(t testing.TB, v any) jsontext.Value {
	t.Helper()
	b, err := json.Marshal(v, json.Deterministic(true))
	must(t, err)
	return b
}

// seedModules is where compiled plugins are kept for all rows of a test.
var seedModules string

// facts returns the row's numbers, or why there are none.
func (a *answered) facts(t *testing.T) facts {
	t.Helper()
	f := facts{"refused": nil, "score": nil, "calls": float64(len(a.calls))}
	if a.err != nil {
		f["refused"] = string(fault.Of(a.err))
		f["message"] = a.err.Error()
		for _, d := range diag.In(a.err) {
			f["code."+d.Code] = true
		}
		return f
	}
	if a.row == nil { // the document was only read
		return f
	}
	// A row counts answers asked for: a request that brought none and was sent
	// again is counted by the run.
	if n := a.row.Judge.Calls; n > len(a.calls) || n < len(a.calls) && (a.row.Status != rubric.Scored || n == 0) {
		t.Errorf("the row counts %d calls of the judge, the endpoint %d", n, len(a.calls))
	}
	return f.and(rowFacts(a.row))
}

// rowFacts are the numbers of a row.
func rowFacts(row *result.Row) facts {
	f := facts{
		"score": number(row.Score), "raw_score": number(row.RawScore), "llm_raw_score": number(row.LLMRawScore),
		"judge_overall": number(row.JudgeOverall), "reward": number(row.Reward), "partial": number(row.PartialScore),
		"verdict": nil, "passed": row.Passes(), "gates": strings.Join(row.GateFailures, " "), "error": nil,
		"feedback": row.Feedback, "case": row.Case, "tokens_in": float64(row.Judge.TokensIn), "warned": len(row.Warnings) > 0,
	}
	if row.Verdict != nil {
		f["verdict"] = *row.Verdict
	}
	if row.Score == nil {
		f["error"] = row.Reason
	}
	for _, c := range row.Criteria {
		f.and(criterionFacts("criterion."+c.ID, &c))
		f["warned"] = f["warned"] == true || len(c.Warnings) > 0
	}
	for _, m := range row.Metrics {
		f.and(criterionFacts("metric."+m.ID, &m))
	}
	f["class"] = nil
	for _, c := range append(append([]result.Criterion{}, row.Criteria...), row.Metrics...) {
		if c.Error != nil && f["class"] == nil {
			f["class"] = string(c.Error.Class)
		}
	}
	return f
}

// criterionFacts are those of one verdict: its native answer under the
// criterion's own name, nil if it has none.
func criterionFacts(name string, c *result.Criterion) facts {
	f := facts{
		name: nil, name + ".status": string(c.Status), name + ".value": number(c.Value), name + ".reason": c.Reason,
		name + ".fallback": c.Fallback, name + ".note": c.Reason, name + ".evidence": nil,
	}
	switch n := c.Native; {
	case n == nil && c.Value != nil:
		f[name] = *c.Value
	case n == nil:
	case n.Met != nil:
		f[name] = *n.Met
	case n.Level != nil:
		f[name] = *n.Level
	case n.Number != nil:
		f[name] = *n.Number
	}
	if c.Error != nil {
		f[name+".note"] = c.Error.Message
	}
	if len(c.Evidence) > 0 {
		f[name+".evidence"] = c.Evidence[0].Text
	}
	return f
}

func number(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}

// fileName gives a document the name that its format asks for.
func (row *seedRow) fileName() string {
	format := strings.TrimPrefix(row.Rubric.Format, "file.")
	switch format {
	case "yaml", "yml":
	default:
		format = "json"
	}
	return "rubric." + format
}
