package conformance

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// AgentEvals is a document without a package: its rows give judgements, and are
// put as given verdicts.
var agentevalsSeeds = seedSystem{
	name: dialect.AgentEvals,
	upstream: func(row *seedRow, result map[string]any) facts {
		f := facts{"refused": nil}
		f.take("score", result, "score")
		f.take("verdict", result, "verdict")
		f.take("required_failed", result, "required_failed")
		for i, v := range listAt(result, "normalized") {
			f[fmt.Sprintf("criterion.%s.value", judgedID(listAt(row.Input, "judgements")[i], i))] = v
		}
		if applies, ok := result["applies"].(map[string]any); ok {
			for id, evaluators := range applies {
				f["applies."+id] = strings.ReplaceAll(fmt.Sprint(evaluators), "#", "rubric-")
			}
		}
		if message, ok := result["load_error"].(string); ok {
			f["refused"] = "invalid"
			f["code."+agentevalsRules[message]] = true
		}
		return f
	},
	run: func(t *testing.T, row *seedRow) facts {
		a := row.agentevals()
		if row.Input["case"] == nil {
			return placements(t, a)
		}
		f := a.grade(t).facts(t)
		f["required_failed"] = f["gates"] != nil && f["gates"] != ""
		return f
	},
	ours: map[string]departure{
		"agentevals-050": {ruleStrict + ruleWeightAtLeast0, facts{"refused": "invalid", "code.weight-range": true}},
		"agentevals-051": {ruleValueInRange, facts{"refused": "invalid", "code.line-invalid": true}},
		"agentevals-053": {`SCORING.md 2, value in agentevals: "1/0, or n/10, linear between anchors"; the scale is 0-10 wherever the anchors lie`,
			facts{"score": 0.5, "verdict": "fail", "required_failed": false}},
	},
}

// agentevalsRules are the rules of the document's schema table, and the code of
// the diagnostic that says the same.
var agentevalsRules = map[string]string{
	"expected_outcome is required": "key-missing",
	"id is a unique identifier":    "id-duplicate",
	"weight is a number":           "wrong-type",
}

// agentevals puts a row as given verdicts.
func (row *seedRow) agentevals() *asking {
	a := &asking{
		file: row.fileName(), source: row.Rubric.text(), speaks: dialect.AgentEvals,
		fields: map[string]any{"id": row.Input["case"], "output": "The boat leaves at 07:40 from pier 3."},
	}
	for i, j := range listAt(row.Input, "judgements") {
		l := scorer.Line{Criterion: judgedID(j, i)}
		if x, ok := dig(j, "range_score"); ok {
			l.Number = new(x.(float64))
		} else if x, ok := dig(j, "score"); ok {
			l.Value = new(x.(float64))
		}
		a.given = append(a.given, l)
	}
	return a
}

// judgedID is the criterion that a judgement is about: by its id, or by the id
// that is made for a plain text.
func judgedID(judgement any, i int) string {
	if id := textAt(judgement, "id"); id != "" {
		return id
	}
	return fmt.Sprintf("rubric-%d", i+1)
}

// placements says which evaluators apply to each case of a file, by the ids of
// their rubrics.
func placements(t *testing.T, a *asking) facts {
	t.Helper()
	doc, err := a.load(t)
	if err != nil {
		return (&answered{doc: doc, err: err}).facts(t)
	}
	ev, err := host.New(context.Background(), host.Options{Judge: &host.Judge{Replay: strings.NewReader("")}})
	must(t, err)
	defer ev.Close(context.Background())
	p, err := ev.Plan(doc, host.PlanOptions{})
	must(t, err)
	f := facts{"refused": nil}
	for _, c := range doc.Cases {
		_, key, err := host.PlanOptions{}.EvalCase(doc, p, c.ID)
		must(t, err)
		f["applies."+c.ID] = applied(p.Grader(key).Rubric)
	}
	return f
}

// applied lists the criteria of each evaluator of a rubric. A case without any
// is judged by its own expected outcome, which is not a rubric.
func applied(r *rubric.Rubric) string {
	var lists [][]string
	var flat []string
	for _, c := range r.Criteria {
		switch {
		case c.Group():
			var ids []string
			for _, m := range c.Criteria {
				ids = append(ids, m.ID)
			}
			lists = append(lists, ids)
		case c.Made && c.ID == "outcome":
		default:
			flat = append(flat, c.ID)
		}
	}
	if flat != nil {
		lists = append(lists, flat)
	}
	return fmt.Sprint(lists)
}
