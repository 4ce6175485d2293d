package host_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

const lowestOfTwo = `
rubric: r
aggregate: go:second
pass: 0.4
criteria:
  - {id: a, metric: contains, with: {text: x}}
  - id: b
    aggregate: mean
    criteria: [{id: b1, metric: contains, with: {text: y}}, {id: b2, metric: contains, with: {text: z}}]
`

func newWith(t *testing.T, aggregates map[string]host.Aggregate) *host.Evaluator {
	t.Helper()
	ev, err := host.New(t.Context(), host.Options{CPU: 1, Aggregates: aggregates, CacheDir: wasmtest.CacheDir(t)})
	must(t, err)
	t.Cleanup(func() { _ = ev.Close(context.Background()) })
	return ev
}

func gradeWith(t *testing.T, ev *host.Evaluator, text, output string) *result.Row {
	t.Helper()
	doc, err := host.Parse("r.yaml", []byte(text))
	must(t, err)
	c, err := host.Case(fmt.Sprintf(`{"id": "q", "output": %q}`, output))
	must(t, err)
	row, err := ev.Grade(t.Context(), doc, c, host.GradeOptions{})
	must(t, err)
	return row
}

func TestAggregate_GivesAScoreOrNone(t *testing.T) {
	answers := func(x float64, err error) host.Aggregate {
		return func(context.Context, []host.Part) (float64, error) { return x, err }
	}
	text := strings.Replace(lowestOfTwo, "aggregate: mean", "aggregate: weighted_mean", 1)
	for name, tt := range map[string]struct {
		aggregate host.Aggregate
		want      string
	}{
		"a score":             {answers(0.25, nil), "0.25 false"},
		"1":                   {answers(1, nil), "1 true"},
		"an error":            {answers(0.25, errors.New("no")), "plugin-error the aggregate go:second: no"},
		"an error of a class": {answers(0.25, fault.New(fault.Unscored, "no")), "unscored the aggregate go:second: no"},
		"above the range":     {answers(1.5, nil), "protocol the aggregate go:second: it returned 1.5: a score is from 0 to 1"},
		"below the range":     {answers(-0.1, nil), "protocol the aggregate go:second: it returned -0.1: a score is from 0 to 1"},
		"not a number":        {answers(math.NaN(), nil), "protocol the aggregate go:second: it returned NaN: a score is from 0 to 1"},
		"infinite":            {answers(math.Inf(1), nil), "protocol the aggregate go:second: it returned +Inf: a score is from 0 to 1"},
		"the values that it gets": {func(_ context.Context, parts []host.Part) (float64, error) {
			var said []string
			for _, p := range parts {
				said = append(said, fmt.Sprintf("%s=%v*%v", p.Criterion.ID, p.Criterion.Weight.Value, p.Verdict.Value))
			}
			return 0, fault.New(fault.Invalid, "%s", strings.Join(said, ", "))
		}, "invalid the aggregate go:second: a=1*1, b=1*0.5"},
	} {
		t.Run(name, func(t *testing.T) {
			ev := newWith(t, map[string]host.Aggregate{"second": tt.aggregate})
			row := gradeWith(t, ev, text, "x y")
			got := ""
			if row.Score != nil {
				got = fmt.Sprint(*row.Score, row.Passes())
			} else if row.Error != nil {
				got = fmt.Sprint(row.Error.Class, " ", row.Error.Message)
			}
			if got != tt.want || row.Aggregate != "go:second" || row.PartialScore != nil {
				t.Errorf("%s, partial %v, by %q; want %s", got, row.PartialScore, row.Aggregate, tt.want)
			}

			group := strings.NewReplacer("aggregate: go:second", "aggregate: min", "aggregate: mean", "aggregate: go:second").Replace(lowestOfTwo)
			row = gradeWith(t, ev, group, "x y")
			b := row.Criteria[1]
			if b.How == nil || b.How.Plugin != "go:second" {
				t.Errorf("group: by %+v", b.How)
			}
			if (row.Score == nil) != (row.Error != nil || b.Error != nil) || (b.Value == nil) != (b.Error != nil) || b.Value != nil && *row.Score != *b.Value {
				t.Errorf("group: %+v, row %v %q", b, row.Score, row.Reason)
			}
			if b.Error != nil && !strings.Contains(row.Reason, b.Error.Message) {
				t.Errorf("the row says %q, the group %q", row.Reason, b.Error.Message)
			}
		})
	}
}

func TestAggregate_IsBoundByName(t *testing.T) {
	text := strings.Replace(lowestOfTwo, "aggregate: mean", "aggregate: weighted_mean", 1)
	doc, err := host.Parse("r.yaml", []byte(text))
	must(t, err)
	_, err = newWith(t, nil).Plan(doc, host.PlanOptions{})
	if fault.Of(err) != fault.NotFound || !strings.Contains(err.Error(), "not re-derived: the aggregate go:second is Go code that this program does not have") {
		t.Error(err)
	}
	for _, wrong := range []string{"go:", "go: x", "go:a b", "Go:x", "mean"} {
		if _, err := host.Parse("r.yaml", []byte(strings.Replace(text, "go:second", fmt.Sprintf("%q", wrong), 1))); err == nil || !strings.Contains(err.Error(), "go:NAME") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := host.Parse("r.yaml", []byte(strings.Replace(text, "go:second", "go:second\nscale: {min: 0, max: 10}\nraw: scale", 1))); err == nil || !strings.Contains(err.Error(), "the raw score would replace") {
		t.Error(err)
	}
}

// A program without the function verifies the rest, and does not call the function's
// numbers verified.
func TestVerify_WithoutTheGoCodeOfARun(t *testing.T) {
	dir := t.TempDir()
	doc, err := host.Parse("r.yaml", []byte(`
rubric: r
aggregate: go:second
criteria: [{id: a, metric: contains, with: {text: x}}, {id: b, metric: mine}, {id: c, metric: broken, weight: 0}]
`))
	must(t, err)
	mine := map[string]host.Scorer{
		"mine":   func(context.Context, host.Question) (host.Answer, error) { return host.Score(0.5), nil },
		"broken": func(context.Context, host.Question) (host.Answer, error) { return host.Answer{}, errors.New("no") },
	}
	second := func(x float64) map[string]host.Aggregate {
		return map[string]host.Aggregate{"second": func(context.Context, []host.Part) (float64, error) { return x, nil }}
	}
	open := func(o host.Options) *host.Evaluator {
		o.CPU, o.CacheDir = 1, wasmtest.CacheDir(t)
		ev, err := host.New(t.Context(), o)
		must(t, err)
		t.Cleanup(func() { _ = ev.Close(context.Background()) })
		return ev
	}
	data := filepath.Join(dir, "data.jsonl")
	must(t, os.WriteFile(data, []byte(`{"id": "1", "output": "x"}`+"\n"+`{"id": "2", "output": "y"}`+"\n"), 0o600))
	run, err := open(host.Options{Scorers: mine, Aggregates: second(0.75)}).Evaluate(t.Context(), doc,
		host.EvaluateOptions{Runs: filepath.Join(dir, "runs"), Dataset: dataset.Options{Paths: []string{data}}})
	must(t, err)
	for name, tt := range map[string]struct {
		options host.Options
		want    string
	}{
		"with it":            {host.Options{Scorers: mine, Aggregates: second(0.75)}, "<nil>, 2 totals, 0 not combined"},
		"with another":       {host.Options{Scorers: mine, Aggregates: second(0.7)}, "2 differences, 0 totals, 0 not combined"},
		"without aggregate":  {host.Options{Scorers: mine}, "not re-derived: Go code (go:second), 0 totals, 2 not combined"},
		"without the scorer": {host.Options{Aggregates: second(0.75)}, "not re-derived: Go code (mine, broken), 2 totals, 0 not combined"},
		"without either":     {host.Options{}, "not re-derived: Go code (go:second, mine, broken), 0 totals, 2 not combined"},
	} {
		v, err := open(tt.options).Verify(t.Context(), run.Dir, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := fmt.Sprintf("%v, %d totals, %d not combined", v.Err(), v.Totals, v.Uncombined); !strings.HasSuffix(got, tt.want) || len(v.Differences) > 0 && name != "with another" {
			t.Errorf("%s: %s %v", name, got, v.Differences)
		}
	}
}
