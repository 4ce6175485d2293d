package judge

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Rubrics that bring a prompt of their own may ask for the answers that their
// systems document. Each is rewritten into our form before it is read, so that
// the same rules hold for all of them:
//
//	rubric, per criterion   {"criterion_status": "MET", "explanation": "…"}
//	rubric, one shot        {"criteria_evaluations": [{"criterion_number": 1, "criterion_status": "MET", "explanation": "…"}]}
//	rubric, as judge        {"overall_score": 85}
//	openrubricrl            {"NAME_score": 8, "NAME_explanation": "…", "overall_score": 8.4, "overall_explanation": "…"}
//	agentv, agentevals      {"checks": [{"id": "ID", "satisfied": true, "reasoning": "…"}]}, or "score": 7
//	dataknobs               {"level_id": "pass"}

// verdictNames and reasonNames are the systems' names of the members, in an answer on
// one criterion.
var (
	verdictNames = map[string]bool{"criterion_status": true, "level_id": true, "satisfied": true, "score": true}
	reasonNames  = map[string]bool{"explanation": true, "reasoning": true, "overall_explanation": true, "overall_reasoning": true}
)

// The members of answers on several criteria.
const (
	listOfNumbers = "criteria_evaluations" // by criterion_number, from 1
	listOfIDs     = "checks"               // by id
	numberOf      = "criterion_number"
	idOf          = "id"
	overallScore  = "overall_score"
	scoreSuffix   = "_score"
	reasonSuffix  = "_explanation"
)

// documented rewrites an answer in a documented form into ours. An answer in our
// form, or in none, is returned unchanged.
func (t *task) documented(list []member) []member {
	for _, m := range list {
		if m.name == keyVerdict || m.name == keyVerdicts {
			return list
		}
	}
	if t.questions[0].criterion == nil {
		return renamed(list, map[string]bool{overallScore: true})
	}
	for _, m := range list {
		if m.name == listOfNumbers || m.name == listOfIDs {
			return t.fromList(m)
		}
	}
	if flat := t.fromFlat(list); flat != nil {
		return flat
	}
	if !t.keyed {
		return renamed(list, verdictNames)
	}
	return list
}

// renamed gives the members of one answer our names.
func renamed(list []member, verdicts map[string]bool) []member {
	out := make([]member, len(list))
	for i, m := range list {
		switch {
		case verdicts[m.name]:
			m.name = keyVerdict
		case reasonNames[m.name]:
			m.name = keyReason
		}
		out[i] = m
	}
	return out
}

// fromList reads a list of answers by number or by id.
func (t *task) fromList(m member) []member {
	var verdicts []member
	var list []jsontext.Value
	if m.value.Kind() != '[' || json.Unmarshal(m.value, &list, jsontext.AllowDuplicateNames(true)) != nil {
		return nil
	}
	for _, v := range list {
		one, err := members(v)
		if err != nil {
			return nil
		}
		verdicts = append(verdicts, member{t.nameIn(one), written(renamed(one, verdictNames))})
	}
	return []member{{keyVerdicts, written(verdicts)}}
}

// nameIn returns the key of the criterion that an element of a list is about; a
// name that no criterion has, where it does not say.
func (t *task) nameIn(one []member) string {
	for _, m := range one {
		text, isText := unquote(m.value)
		switch {
		case m.name == idOf && isText:
			return text
		case m.name == numberOf:
			if n, ok := number(m.value, text, isText); ok && n >= 1 && n <= float64(len(t.questions)) && n == float64(int(n)) {
				return t.questions[int(n)-1].key
			}
			return numberOf + " " + string(m.value)
		}
	}
	return ""
}

// fromFlat reads members called after the criteria, nil if there are none.
func (t *task) fromFlat(list []member) []member {
	of := map[int][]member{}
	var overall []member
	for _, m := range list {
		if m.name == overallScore {
			overall = append(overall, member{keyOverall, m.value})
		}
		for suffix, name := range map[string]string{scoreSuffix: keyVerdict, reasonSuffix: keyReason} {
			if id, ok := strings.CutSuffix(m.name, suffix); ok {
				if i := t.find(id); i >= 0 {
					of[i] = append(of[i], member{name, m.value})
				}
			}
		}
	}
	if len(of) == 0 {
		return nil
	}
	var verdicts []member
	for i := range t.questions {
		if one := of[i]; one != nil {
			verdicts = append(verdicts, member{t.questions[i].key, written(one)})
		}
	}
	return append([]member{{keyVerdicts, written(verdicts)}}, overall...)
}

func written(list []member) jsontext.Value {
	b := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, dataset.Quote(m.name)...)
		b = append(b, ':')
		b = append(b, m.value...)
	}
	return append(b, '}')
}

// brings reports whether a rubric brings a prompt of its own for criteria.
func brings(r *rubric.Rubric, criteria []*rubric.Criterion) bool {
	return strings.TrimSpace(r.Judge.System) != "" ||
		slices.ContainsFunc(criteria, func(c *rubric.Criterion) bool { return c.Scorer.Prompt != nil })
}
