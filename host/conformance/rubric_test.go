package conformance

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// The rubric library 1.3.2.
var rubricSeeds = seedSystem{
	name:     dialect.RubricList,
	upstream: rubricUpstream,
	run: func(t *testing.T, row *seedRow) facts {
		a := row.rubricList()
		if row.Input["strategy"] == "load" {
			doc, err := a.load(t)
			return (&answered{doc: doc, err: err}).facts(t).and(loadedList(doc))
		}
		if overall, clamped := rubricClamped[row.ID]; clamped {
			a.mustBeRefused(t)
			a.script, a.given = nil, []scorer.Line{{Overall: new(overall)}}
		}
		got := a.grade(t)
		f := got.facts(t).and(loadedList(got.doc))
		if a.script == nil {
			f["calls"] = 1.0 // given verdicts took the package one call
			return f
		}
		for route, n := range a.script.count {
			f["calls."+route] = float64(n)
		}
		return f
	},
	ours: rubricOurs,
}

// rubricClamped are rows whose overall number lies outside of 0-100. "Clamped to
// [0, 1]", says the document: given as a verdict it is. A judge that answers so
// is asked again, and in the end its answer is refused (SCORING.md 4.1).
var rubricClamped = map[string]float64{"rubric-068": 180, "rubric-069": -10}

// mustBeRefused puts the row to a judge, whose answer must come to nothing.
func (a *asking) mustBeRefused(t *testing.T) {
	t.Helper()
	f := a.grade(t).facts(t)
	want := facts{"refused": nil, "score": nil, "verdict": "unscored", "passed": false, "class": "judge-answer", "calls": 3}
	if missed := want.missed(f); len(missed) > 0 {
		t.Errorf("a number off the scale, of a judge:\n\t%s", strings.Join(missed, "\n\t"))
	}
}

// strategies are the graders of the library.
var strategies = map[string]rubric.Strategy{
	"per_criterion": rubric.PerCriterion, "one_shot": rubric.Batch, "judge": rubric.Holistic,
}

// rubricList puts a row to a judge.
func (row *seedRow) rubricList() *asking {
	a := &asking{
		file: row.fileName(), source: row.Rubric.text(), speaks: dialect.RubricList,
		strategy: strategies[textAt(row.Input, "strategy")],
		fields:   map[string]any{"id": "c1", "output": row.Input["to_grade"]},
	}
	if q := textAt(row.Input, "query"); q != "" {
		a.fields["input"] = q
	}
	if row.Input["strategy"] == "load" {
		return a
	}
	if retries, ok := dig(row.Input, "options", "max_retries"); ok {
		a.attempts = 1 + int(retries.(float64))
	}
	a.adjust = rubricOptions(row.Input["options"])
	ids := make([]string, len(listAt(row.Expected, "loaded")))
	for i := range ids {
		ids[i] = fmt.Sprintf("#%d", i+1)
	}
	switch a.strategy {
	case rubric.PerCriterion:
		a.script = row.script(renamed("criterion_status", "verdict", "explanation", "reason"))
		a.script.route = aboutRequirement(listAt(row.Expected, "loaded"))
	case rubric.Holistic:
		a.script = row.script(renamed("overall_score", "verdict"))
	default:
		a.script = row.script(func(text string) string { return oneShot(text, ids) })
	}
	return a
}

// aboutRequirement tells by the message which criterion a call is about: the
// first one with its text.
func aboutRequirement(loaded []any) func(*llmtest.Call) string {
	return func(c *llmtest.Call) string {
		for i, criterion := range loaded {
			if strings.Contains(c.User(), "<criterion>\n"+textAt(criterion, "requirement")+"\n") {
				return fmt.Sprintf("#%d", i+1)
			}
		}
		return "unknown"
	}
}

// numberKeys are the names that the library takes for the number of a
// criterion.
var numberKeys = []string{"criterion_number", "criterionNumber", "criterion_num", "id", "number", "index"}

// oneShot says an answer on all criteria at once: {"criteria_evaluations":
// [{"criterion_number": 1, "criterion_status": "MET", "explanation": ""}]}.
func oneShot(text string, ids []string) string {
	return eachObject(text, func(list []part) jsontext.Value {
		evaluations := valueOf(list, "criteria_evaluations")
		if evaluations == nil {
			return nil
		}
		entries, isList := elements(evaluations)
		if !isList {
			return object(part{"verdicts", evaluations})
		}
		var checks []check
		for _, e := range entries {
			of := parts(e)
			checks = append(checks, check{"#" + plainText(valueOf(of, numberKeys...)), valueOf(of, "criterion_status"), valueOf(of, "explanation")})
		}
		return ours(ids, checks)
	})
}

// rubricOptions are the settings of a grader.
func rubricOptions(options any) func(*rubric.Rubric) {
	return func(r *rubric.Rubric) {
		if normalize, ok := dig(options, "normalize"); ok {
			r.Policy.RawAsScore = normalize == false
		}
		if verdicts, ok := dig(options, "default_fallback_verdicts"); ok {
			r.Fallback = &rubric.Fallback{Positive: textAt(verdicts, "positive"), Negative: textAt(verdicts, "negative")}
		}
		if p, ok := dig(options, "length_penalty"); ok {
			r.LengthPenalty = &rubric.LengthPenalty{
				Free: int(numberAt(p, "free_budget")), Cap: int(numberAt(p, "max_cap")),
				AtCap: numberAt(p, "penalty_at_cap"), Exponent: numberAt(p, "exponent"),
			}
			if textAt(p, "penalty_type") == "OUTPUT_ONLY" {
				r.LengthPenalty.Section = "output"
			}
		}
	}
}

func numberAt(v any, path ...any) float64 {
	found, _ := dig(v, path...)
	x, _ := found.(float64)
	return x
}

// loadedList are the facts of a decoded list of requirements.
func loadedList(doc *dialect.Document) facts {
	f := facts{}
	if doc == nil || doc.Rubric == nil {
		return f
	}
	for i, c := range doc.Rubric.Criteria {
		f[fmt.Sprintf("loaded.%d.weight", i)], f[fmt.Sprintf("loaded.%d.requirement", i)] = c.Weight.Value, c.Text
	}
	return f
}

// fillers are reasons that the library puts where the judge gave none.
var fillers = []string{"No explanation provided", "Evaluation not found", "Failed to parse"}

func rubricUpstream(_ *seedRow, result map[string]any) facts {
	f := facts{"refused": nil}
	f.take("calls", result, "calls")
	if n, ok := result["calls_by_criterion"].(map[string]any); ok {
		for i, count := range n {
			f["calls.#"+fmt.Sprint(1+int(i[0]-'0'))] = count
		}
	}
	for i, c := range listAt(result, "loaded") {
		f.take(fmt.Sprintf("loaded.%d.weight", i), c, "weight")
		f.take(fmt.Sprintf("loaded.%d.requirement", i), c, "requirement")
	}
	if _, ok := result["load_error"]; ok {
		f["refused"] = "invalid"
	}
	if result["raised"] != nil {
		f["score"] = nil
	}
	r, ok := result["result"].(map[string]any)
	if !ok {
		return f
	}
	f.take("score", r, "score")
	f.take("raw_score", r, "raw_score")
	f.take("llm_raw_score", r, "llm_raw_score")
	if e, ok := r["error"]; ok {
		f["error"] = e
		if _, text := e.(string); text {
			f["error"] = anything{}
		}
	}
	if report, ok := r["report"]; ok && report == nil {
		f["criterion.#1.status"] = nil // no verdict on a criterion
	}
	for i, c := range listAt(r, "report") {
		maps.Copy(f, reportFacts(fmt.Sprintf("criterion.#%d", i+1), c))
	}
	return f
}

func reportFacts(name string, c any) facts {
	f := facts{}
	if v, ok := dig(c, "verdict"); ok {
		f[name] = v == "MET"
	}
	reason, ok := dig(c, "reason")
	for _, filler := range fillers {
		ok = ok && !strings.HasPrefix(reason.(string), filler)
	}
	if ok {
		f[name+".reason"] = reason
	}
	return f
}
