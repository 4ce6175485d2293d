package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// AgentV: rows of 4.42.4 in code, and of the documentation of 2.5.8 by hand.
var agentvSeeds = seedSystem{
	name:     dialect.AgentV,
	upstream: agentvUpstream,
	run: func(t *testing.T, row *seedRow) facts {
		a := row.agentv(t)
		if calls, worst := agentvWorst[row.ID]; worst {
			a.mustBeUnscored(t, calls)
			a.unscored = score.Worst
		}
		f := a.grade(t).facts(t)
		return f.and(agentvStatus(f))
	},
	ours: agentvOurs,
	skipped: map[string]string{
		"agentv-067": "the command generate: no judge answers and no score",
	},
}

// agentvWorst are rows whose judge leaves a criterion out, and the calls that it is
// asked. "score = sum(satisfied_weights) / sum(total_weights)", says the document: an
// unanswered criterion earns nothing. That is the result of --unscored worst ("the
// criterion takes its worst value", SCORING.md 4.2); by default such a case has no
// score at all.
var agentvWorst = map[string]int{
	"agentv-015": 3, "agentv-016": 3, "agentv-044": 3,
	"agentv-d013": 0, "agentv-d014": 0,
}

// mustBeUnscored grades by default, where a missing answer must leave no score.
func (a *asking) mustBeUnscored(t *testing.T, calls int) {
	t.Helper()
	f := a.grade(t).facts(t)
	want := facts{"refused": nil, "score": nil, "verdict": "unscored", "passed": false, "calls": calls}
	if missed := want.missed(f); len(missed) > 0 {
		t.Errorf("a criterion without an answer, by default:\n\t%s", strings.Join(missed, "\n\t"))
	}
}

// agentvStatus says the outcome in the system's words.
func agentvStatus(f facts) facts {
	out := facts{"status": "quality_failure", "eval_failed": f["gates"] != nil && f["gates"] != ""}
	switch {
	case f["score"] == nil:
		out["status"], out["verdict"] = "execution_error", "skip"
	case f["passed"] == true:
		out["status"] = "ok"
	}
	return out
}

func (row *seedRow) agentv(t *testing.T) *asking {
	t.Helper()
	a := &asking{file: row.fileName(), source: row.Rubric.text(), speaks: dialect.AgentV}
	if row.Oracle == "document" {
		a.fields = map[string]any{"id": row.Input["case"], "output": "The boat leaves at 07:40 from pier 3."}
		a.given = row.agentvLines(t)
		return a
	}
	a.fields = map[string]any{"id": "c1", "output": row.Input["candidate"]}
	ids := agentvCriteria(t, a)
	a.script = row.script(func(text string) string { return agentvAnswer(text, ids) })
	return a
}

// agentvCriteria returns the ids of the criteria of the first case. A document
// that is refused has none.
func agentvCriteria(t *testing.T, a *asking) (ids []string) {
	t.Helper()
	doc, err := a.load(t)
	if err != nil || len(doc.Cases) == 0 {
		return nil
	}
	for _, c := range doc.Cases[0].Rubric.Leaves() {
		ids = append(ids, c.ID)
	}
	return ids
}

// agentvAnswer says an answer of the form {"checks": [{"id": "a", "satisfied":
// true, "reasoning": ""}]}, with a score in place of satisfied for ranges; or, of
// a case without rubrics, {"score": 0.5}.
func agentvAnswer(text string, ids []string) string {
	return eachObject(text, func(list []part) jsontext.Value {
		entries, ok := elements(valueOf(list, "checks"))
		if !ok {
			if s := valueOf(list, "score"); s != nil {
				return object(part{"verdict", s}, part{"assertions", valueOf(list, "assertions")})
			}
			return nil
		}
		var checks []check
		for _, e := range entries {
			of := parts(e)
			c := check{plainText(valueOf(of, "id")), valueOf(of, "satisfied"), valueOf(of, "reasoning")}
			if s := valueOf(of, "score"); s != nil {
				c.verdict = s
			}
			checks = append(checks, c)
		}
		return ours(ids, checks)
	})
}

// agentvLines are the judgements of a document row, as given verdicts.
func (row *seedRow) agentvLines(t *testing.T) []scorer.Line {
	t.Helper()
	ids := agentvCriteria(t, &asking{file: row.fileName(), source: row.Rubric.text(), speaks: dialect.AgentV})
	var lines []scorer.Line
	for _, j := range listAt(row.Input, "judgements") {
		l := scorer.Line{Criterion: ids[int(numberAt(j, "index"))]}
		if met, ok := dig(j, "satisfied"); ok {
			l.Met = new(met == true)
		} else {
			l.Number = new(numberAt(j, "score_0_10"))
		}
		lines = append(lines, l)
	}
	return lines
}

func agentvUpstream(row *seedRow, result map[string]any) facts {
	f := facts{"refused": nil}
	if row.Oracle == "document" {
		f.take("score", result, "score")
		f.take("verdict", result, "verdict")
		f.take("eval_failed", result, "eval_failed")
		var gates []string
		for _, id := range listAt(result, "gate_failures") {
			gates = append(gates, strings.Replace(id.(string), "#", "rubric-", 1))
		}
		f["gates"] = strings.Join(gates, " ")
		return f
	}
	if _, ok := agentvWorst[row.ID]; !ok {
		f.take("calls", result, "judge_calls")
	}
	if exit, ok := result["exit"]; ok && result["results"] == nil && exit != 0.0 {
		return facts{"refused": "invalid"}
	}
	one, _ := dig(result, "results", 0)
	f.take("status", one, "execution_status")
	f.take("score", one, "score")
	evaluator, _ := dig(one, "scores", 0)
	f.take("score", evaluator, "score")
	f.take("verdict", evaluator, "verdict")
	for _, assertion := range listAt(evaluator, "assertions") {
		f.and(assertionFacts(assertion))
	}
	numbers, _ := dig(evaluator, "details", "raw_scores")
	if list, ok := numbers.(map[string]any); ok {
		for id, n := range list {
			f["criterion."+id] = n
		}
	}
	return f
}

// assertionFacts reads "[id] assertion text", whether it passed, and why.
func assertionFacts(a any) facts {
	id, ok := strings.CutPrefix(textAt(a, "text"), "[")
	id, _, closed := strings.Cut(id, "] ")
	if !ok || !closed {
		return nil
	}
	f := facts{}
	f.take("criterion."+id, a, "passed")
	f.take(fmt.Sprintf("criterion.%s.reason", id), a, "evidence")
	return f
}
