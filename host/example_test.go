package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// One answer, graded by a plugin and a JSON Schema.
func Example() {
	ctx := context.Background()
	doc, err := host.Parse("rubric.yaml", []byte(`
rubric: answer
pass: 0.7
criteria:
  - id: right
    weight: 3
    metric: exact
    with: {ignore_case: true}
  - id: short
    schema: {type: string, maxLength: 20}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	ev, err := host.New(ctx, host.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)

	c, err := host.Case(`{"id": "q1", "output": "canberra", "references": ["Canberra"]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(row.Case, *row.Score, row.Passes())
	for _, c := range row.Criteria {
		fmt.Println(c.ID, *c.Value, c.How.By)
	}
	// Output:
	// q1 1 true
	// right 1 metric
	// short 1 schema
}

// A judge is anything that answers a request: here a function, elsewhere an
// llm.Endpoint. A criterion that it cannot decide has no score, and no error.
func ExampleEvaluator_Grade() {
	ctx := context.Background()
	doc, err := host.Parse("rubric.yaml", []byte(`[{weight: 2, requirement: Names the capital}, {weight: -1, requirement: Guesses}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	judge := llm.Func(func(_ context.Context, req llm.Request) (llm.Response, error) {
		switch {
		case strings.Contains(req.User, "Names the capital"):
			return llm.Response{Text: `{"reason": "It says Canberra.", "verdict": "MET"}`}, nil
		case strings.Contains(req.User, "maybe"):
			return llm.Response{Text: "I would rather not say."}, nil
		}
		return llm.Response{Text: `{"reason": "It is sure.", "verdict": "UNMET"}`}, nil
	})
	ev, err := host.New(ctx, host.Options{Judge: &host.Judge{Name: "example", Model: judge}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)

	for _, text := range []string{`{"output": "Canberra."}`, `{"output": "Canberra, maybe."}`} {
		c, err := dataset.FromJSON(jsontext.Value(text), diag.Pos{})
		if err != nil {
			fmt.Println(err)
			return
		}
		row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
		if err != nil {
			fmt.Println(err)
			return
		}
		if row.Score != nil {
			fmt.Printf("%s %g\n", c.Output, *row.Score)
			continue
		}
		for _, c := range row.Criteria {
			if c.Error != nil {
				fmt.Printf("no score: %s: %s\n", c.ID, c.Error.Class)
			}
		}
	}
	// Output:
	// Canberra. 1
	// no score: #2: judge-answer
}

// A dataset is evaluated row by row; the summary is made of all of them.
func ExampleEvaluator_Evaluate() {
	ctx := context.Background()
	doc, err := host.Parse("rubric.yaml", []byte(`{rubric: answer, pass: 0.5, criteria: [{id: overlap, metric: rougeL}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	gates, err := result.ParseGates([]string{"pass_rate>=90%"})
	if err != nil {
		fmt.Println(err)
		return
	}
	ev, err := host.New(ctx, host.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)

	rows := `{"id": "a", "output": "the cat sat", "references": ["the cat sat down"]}
{"id": "b", "output": "no", "references": ["yes"]}
{"id": "c", "output": "yes"}
`
	done, err := ev.Evaluate(ctx, doc, host.EvaluateOptions{
		Dataset:  dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(rows)},
		Gates:    gates,
		InFlight: 1, // rows are observed as they finish: one at a time keeps their order
		Observe: func(row *result.Row) {
			if row.Score == nil {
				fmt.Printf("%s: no score: %s\n", row.Case, row.Reason)
				return
			}
			fmt.Printf("%s: %.3f\n", row.Case, *row.Score)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.3f of %d\n", *done.Run.Summary.Total.Mean, done.Run.Summary.Total.N)
	fmt.Println(done.Err())
	// Output:
	// a: 0.857
	// b: 0.000
	// c: no score: criterion "overlap" unscored: the case has no references
	// mean 0.429 of 2
	// 1 of 3 rows have no score
}

// A scorer in Go runs with the rights of the program. For an output that it cannot
// score, it returns an error.
func ExampleScorer() {
	ctx := context.Background()
	words := func(_ context.Context, q host.Question) (host.Answer, error) {
		most, ok := q.Config["most"].(float64)
		if !ok {
			return host.Answer{}, errors.New("words needs the setting most")
		}
		return host.Score(min(1, most/float64(max(1, len(strings.Fields(q.Case.Output)))))), nil
	}
	ev, err := host.New(ctx, host.Options{Scorers: map[string]host.Scorer{"words": words}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)

	c, err := host.Case(`{"output": "one two three four"}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, with := range []string{"{most: 2}", "{}"} {
		doc, err := host.Parse("rubric.yaml", []byte(`{rubric: r, criteria: [{id: brief, metric: words, with: `+with+`}]}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
		if err != nil {
			fmt.Println(err)
			return
		}
		if row.Score != nil {
			fmt.Println(*row.Score)
		} else {
			fmt.Println("no score:", row.Criteria[0].Error.Message)
		}
	}
	// Output:
	// 0.5
	// no score: scorer words: words needs the setting most
}

// An aggregate of one's own: the rubric names it, and it combines the verdicts. Here
// the worst criterion is forgiven.
func ExampleAggregate() {
	ctx := context.Background()
	forgiving := func(_ context.Context, parts []host.Part) (float64, error) {
		if len(parts) < 2 {
			return 0, errors.New("fewer than two criteria have a score")
		}
		sum, worst := 0.0, 1.0
		for _, p := range parts {
			sum += p.Verdict.Value
			worst = min(worst, p.Verdict.Value)
		}
		return (sum - worst) / float64(len(parts)-1), nil
	}
	ev, err := host.New(ctx, host.Options{Aggregates: map[string]host.Aggregate{"forgiving": forgiving}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)
	doc, err := host.Parse("rubric.yaml", []byte(`
rubric: answer
aggregate: go:forgiving
criteria:
  - {id: city, metric: contains, with: {text: Canberra}}
  - {id: country, metric: contains, with: {text: Australia}}
  - {id: short, schema: {maxLength: 10}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := host.Case(`{"output": "Canberra, in Australia"}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(*row.Score, row.Aggregate)
	// Output: 1 go:forgiving
}

// One call of one plugin, outside of any rubric.
func ExampleEvaluator_Call() {
	ctx := context.Background()
	ev, err := host.New(ctx, host.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)
	called, err := ev.Call(ctx, host.Call{Plugin: "contains", Config: map[string]any{"text": "14 days"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := host.Case(`{"output": "Within 14 days."}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := called.Score(ctx, c)
	fmt.Println(v.Status, v.Value, v.Evidence[0].Text)
	// Output: scored 1 14 days
}

// A rubric that is made in Go, without a file.
func ExampleDocument() {
	ctx := context.Background()
	doc := host.Document(&rubric.Rubric{ID: "made", Criteria: []rubric.Criterion{
		{ID: "right", Weight: rubric.One, Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: "exact"}}},
	}})
	ev, err := host.New(ctx, host.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)
	c, err := host.Case(`{"output": "Canberra", "references": ["Canberra"]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(*row.Score)
	// Output: 1
}

// A reader with one case a line, as score --lines takes them: each answer comes in the order of
// the lines, and Corpus scores the whole set.
func ExampleEvaluator_ScoreLines() {
	ctx := context.Background()
	ev, err := host.New(ctx, host.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)
	in := strings.NewReader(`{"output": "the cat sat on the mat", "references": ["the cat sat on the mat"]}
{"output": "no reference"}
`)
	lines, err := ev.ScoreLines(ctx, host.Call{Plugin: "bleu"}, in, func(line int, v *rubric.Verdict, _ bool) error {
		fmt.Println(line, v.Status)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	whole := lines.Corpus(ctx)
	fmt.Println(lines.N(), "in the set:", whole.Value)
	// Output:
	// 1 scored
	// 2 unscored
	// 1 in the set: 1
}

// Two files of rows, as rows.jsonl of a run directory and eval -o rows.jsonl have
// them. Cases are paired by id.
func ExampleEvaluator_Compare() {
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	var paths []string
	for name, scores := range map[string][]float64{"base.jsonl": {0.2, 0.5, 0.9, 0.4}, "new.jsonl": {0.4, 0.8, 1, 0.5}} {
		var rows []byte
		for i, score := range scores {
			passed := score >= 0.6
			row := &result.Row{Schema: result.SchemaVersion, Case: fmt.Sprint("q", i+1), Status: rubric.Scored, Score: &score, Passed: &passed}
			if rows, err = result.AppendRow(rows, row); err != nil {
				fmt.Println(err)
				return
			}
			rows = append(rows, '\n')
		}
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), rows, 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	slices.Sort(paths)
	ctx := context.Background()
	ev, err := host.New(ctx, host.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)
	c, err := ev.Compare(ctx, paths[0], paths[1], compare.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Sentence)
	fmt.Printf("p %.3f, %d better, %d worse\n", *c.Total.P, c.Better, c.Worse)
	// Output:
	// better by 0.175, 95 % 0.023 to 0.327; 0 cases regressed, 1 improved
	// p 0.035, 4 better, 0 worse
}
