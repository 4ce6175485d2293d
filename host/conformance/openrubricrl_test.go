package conformance

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// OpenRubricRL 0.1.0 takes the judge's own overall number for the score, and
// only shows its scores on the criteria. Each answer is therefore said twice:
// as a whole, with the overall number for the verdict (facts "whole."), which
// must give the package's reward; and by criteria (facts "by."), which must give
// its criterion scores. By criteria the score is their weighted mean, whatever
// the judge's own number says (SCORING.md 2.1); checkMean holds every row to it.
var openrubricrlSeeds = seedSystem{
	name:     dialect.OpenRubricRL,
	upstream: openrubricrlUpstream,
	run:      runOpenRubricRL,
	ours:     openrubricrlOurs,
	skipped: map[string]string{
		"openrubricrl-081": "the reward cache: the program has none",
		"openrubricrl-113": "the text of a template that the package's command writes",
	},
}

// openrubricrlClamped are rows whose overall number lies off the scale. "Maximum
// possible score", says the document, so that more is not a score: given as a
// verdict it is clamped; of a judge it is refused.
var openrubricrlClamped = map[string]float64{"openrubricrl-036": 13, "openrubricrl-037": -2, "openrubricrl-071": -5}

func runOpenRubricRL(t *testing.T, row *seedRow) facts {
	switch row.Input["op"] {
	case "load":
		return row.loadScaled(t)
	case "batch":
		return row.evaluate(t, listAt(row.Input, "items"))
	case "cli":
		return row.runCommand(t)
	}
	whole, by := row.asWhole(), row.byCriteria()
	if overall, off := openrubricrlClamped[row.ID]; off {
		whole.mustBeRefused(t)
		whole.script, whole.given = nil, []scorer.Line{{Overall: new(overall)}}
	}
	w, b := whole.grade(t), by.grade(t)
	f := w.facts(t)
	if whole.script == nil {
		f["calls"] = 1.0 // given verdicts took the package one call
	}
	checkMean(t, b)
	if row.Area == "examples" {
		checkExamples(t, row, b)
	}
	return f.at("whole.").and(b.facts(t).at("by."))
}

// checkExamples holds the prompt to the document: "Sample inputs/outputs with
// scores" of every level are shown, unless they are turned off.
func checkExamples(t *testing.T, row *seedRow, a *answered) {
	t.Helper()
	include, set := dig(row.Input, "options", "include_examples")
	shown := !set || include == true
	for _, c := range a.doc.Rubric.Criteria {
		for _, list := range c.Examples {
			for _, e := range list.Examples {
				if got := strings.Contains(a.calls[0].User(), "output: "+e.Output+"\n"); got != shown {
					t.Errorf("the example %q of level %s stands in the prompt: %v, want %v", e.Output, list.Level, got, shown)
				}
			}
		}
	}
}

// runCommand returns the outcome of the package's commands.
func (row *seedRow) runCommand(t *testing.T) facts {
	t.Helper()
	args := listAt(row.Input, "args")
	switch args[0] {
	case "validate":
		f := row.loadScaled(t)
		return facts{"valid": f["refused"] == nil}.and(f)
	case "batch-score":
		return row.evaluate(t, listAt(row.Input, "inputs"))
	}
	one := *row
	one.Input = map[string]any{"op": "score", "task_input": args[2], "model_output": args[3]}
	return runOpenRubricRL(t, &one).and(facts{"valid": true})
}

// scaled puts a row to a judge.
func (row *seedRow) scaled() *asking {
	a := &asking{
		file: row.fileName(), source: row.Rubric.text(), speaks: dialect.OpenRubricRL, adjust: scaledOptions(row.Input["options"]),
		fields: map[string]any{"id": "c1", "input": row.Input["task_input"], "output": row.Input["model_output"]},
	}
	more, _ := row.Input["metric_kwargs"].(map[string]any)
	maps.Copy(a.fields, more)
	return a
}

func (row *seedRow) asWhole() *asking {
	a := row.scaled()
	a.strategy = rubric.Holistic
	a.script = row.script(renamed("overall_score", "verdict", "overall_explanation", "reason"))
	return a
}

func (row *seedRow) byCriteria() *asking {
	a := row.scaled()
	names := criterionNames(row)
	a.script = row.script(func(text string) string { return byName(text, names) })
	return a
}

// criterionNames are those of the row's document.
func criterionNames(row *seedRow) []string {
	var doc struct {
		Criteria []struct {
			Name string `json:"name"`
		} `json:"criteria"`
	}
	_ = json.Unmarshal([]byte(row.Rubric.text()), &doc) // the one document in YAML is not graded
	var names []string
	for _, c := range doc.Criteria {
		names = append(names, c.Name)
	}
	return names
}

// byName says an answer with "<name>_score" and "<name>_explanation" for each
// criterion, and "overall_score".
func byName(text string, names []string) string {
	return eachObject(text, func(list []part) jsontext.Value {
		var checks []check
		var overall []part
		for _, p := range list {
			name, ok := strings.CutSuffix(p.name, "_score")
			switch {
			case !ok:
			case name == "overall":
				overall = append(overall, part{"overall", p.value})
			default:
				checks = append(checks, check{name, p.value, valueOf(list, name+"_explanation")})
			}
		}
		return ours(names, checks, overall...)
	})
}

// scaledOptions are the settings of the package's reward processor and prompt
// builder.
func scaledOptions(options any) func(*rubric.Rubric) {
	return func(r *rubric.Rubric) {
		r.Policy.Normalization = rubric.Normalization(textAt(options, "normalization"))
		r.Policy.Blend = rubric.Blend(textAt(options, "blend"))
		if include, ok := dig(options, "include_examples"); ok && include == false {
			for i := range r.Criteria {
				r.Criteria[i].Examples = nil
			}
		}
	}
}

// checkMean holds a row that was graded by criteria to the mean: the raw score
// is Σ w·s ÷ Σ w over the native scores, and a judge whose own number is another
// one is remarked upon.
func checkMean(t *testing.T, a *answered) {
	t.Helper()
	if a.row == nil || a.row.Score == nil {
		return
	}
	r := a.doc.Rubric
	sum, weights := 0.0, 0.0
	for i, c := range a.row.Criteria {
		w := r.Criteria[i].Weight.Value
		sum, weights = sum+w**c.Native.Number, weights+w
	}
	mean := sum / weights
	if a.row.RawScore == nil || math.Abs(*a.row.RawScore-mean) > tolerance {
		t.Errorf("the raw score is %v, the weighted mean of the criteria %v", number(a.row.RawScore), mean)
	}
	if o := a.row.JudgeOverall; o != nil {
		differs := math.Abs(*o-mean) > 0.05*(r.Scale.Max-r.Scale.Min)+tolerance
		warned := strings.Contains(strings.Join(a.row.Warnings, "\n"), "differs from the weighted mean")
		if differs != warned {
			t.Errorf("the judge says %v, the mean is %v; a warning of it: %v", *o, mean, warned)
		}
	}
}

// loadScaled reads the document, and holds it to the shipped JSON Schema.
func (row *seedRow) loadScaled(t *testing.T) facts {
	t.Helper()
	a := row.scaled()
	doc, err := a.load(t)
	f := (&answered{doc: doc, err: err}).facts(t)
	f["schema_valid"] = schemaValid(t, row)
	if err != nil {
		return f
	}
	r := doc.Rubric
	f["name"], f["version"], f["domain"] = r.ID, r.Version, r.Domain
	f["scale.min"], f["scale.max"], f["scale.type"] = r.Scale.Min, r.Scale.Max, "continuous"
	if r.Scale.Discrete {
		f["scale.type"] = "discrete"
	}
	for i, c := range r.Criteria {
		at := fmt.Sprintf("criteria.%d.", i)
		f[at+"name"], f[at+"weight"] = c.ID, c.Weight.Value
	}
	f["license"] = r.Metadata["license"]
	return f
}

// schemaValid reports whether a document in JSON satisfies the schema of its
// dialect that the program ships.
func schemaValid(t *testing.T, row *seedRow) any {
	t.Helper()
	if row.Rubric.Format == "yaml" {
		return nil
	}
	text, err := dialect.Schema(dialect.OpenRubricRL)
	must(t, err)
	s, err := jsonschema.CompileString("openrubricrl.schema.json", string(text))
	must(t, err)
	var doc any
	must(t, json.Unmarshal([]byte(row.Rubric.text()), &doc))
	return s.Validate(doc) == nil
}

// evaluate grades several items as a dataset, each as a whole.
func (row *seedRow) evaluate(t *testing.T, items []any) facts {
	t.Helper()
	ctx := context.Background()
	a := row.asWhole()
	doc, err := a.load(t)
	must(t, err)
	var lines bytes.Buffer
	for _, item := range items {
		fields := map[string]any{}
		for as, from := range map[string]string{"input": "task_input", "output": "model_output"} {
			if v, ok := dig(item, from); ok {
				fields[as] = v
			}
		}
		lines.Write(append(encoded(t, fields), '\n'))
	}
	data := filepath.Join(a.dir, "items.jsonl")
	must(t, os.WriteFile(data, lines.Bytes(), 0o600))
	s := llmtest.New(t, a.script.play)
	ev, err := host.New(ctx, host.Options{CacheDir: seedModules, Judge: &host.Judge{
		Endpoint: s.Endpoint(), Strategy: rubric.Holistic, Options: judge.Options{Wait: time.Millisecond, Patience: 1},
	}})
	must(t, err)
	defer ev.Close(ctx)
	f := facts{"refused": nil}
	n, scored := 0, 0
	_, err = ev.Evaluate(ctx, doc, host.EvaluateOptions{
		Dataset:  dataset.Options{Paths: []string{data}},
		InFlight: 1, // rows are observed as they finish
		Observe: func(r *result.Row) {
			f.and(rowFacts(r).at(fmt.Sprintf("%d.", n)))
			if r.Error != nil {
				f[fmt.Sprintf("%d.message", n)] = r.Error.Message
			}
			if n++; r.Score != nil {
				scored++
			}
		},
	})
	must(t, err)
	return f.and(facts{"rows": float64(n), "scored": float64(scored), "calls": float64(len(s.Calls()))})
}
