package dialect

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// evaluatorKinds maps types of evaluators to their scorers. Types that are not
// listed are not known at all; of the listed ones the last kind is kept and not
// scored. Underscores and hyphens mean the same.
var evaluatorKinds = map[string]string{
	"rubric": "rubric", "rubrics": "rubric", "llm_rubric": "rubric",
	"llm_judge": "judge", "llm_grader": "judge",
	"code_judge": "code", "code_grader": "code", "code": "code", "script": "code",
	"composite": "composite", "assert_set": "composite",

	"tool_trajectory": "other", "field_accuracy": "other", "execution_metrics": "other", "latency": "other",
	"cost": "other", "token_usage": "other", "contains": "other", "contains_any": "other", "contains_all": "other",
	"icontains": "other", "regex": "other", "equals": "other", "is_json": "other", "starts_with": "other",
	"ends_with": "other", "skill_trigger": "other", "agent_judge": "other",
}

func evaluatorKind(form string) string { return evaluatorKinds[strings.ReplaceAll(form, "-", "_")] }

// evaluators reads a list of evaluators. Plain texts in it form one evaluator
// together, whose weight is their number.
func (r *evalReader) evaluators(list []*node, path string) []*evalItem {
	var out []*evalItem
	var texts *evalItem
	for i, item := range list {
		if item.Kind != document.Text {
			if e := r.evaluator(item, document.Index(path, i)); e != nil {
				out = append(out, e)
			}
			continue
		}
		if texts == nil {
			texts = &evalItem{name: inlineName, trace: trace{node: item, path: document.Index(path, i)}}
			out = append(out, texts)
		}
		r.item(texts, item, document.Index(path, i), len(texts.criteria)+1)
		texts.weight = rubric.Weight{Value: float64(len(texts.criteria))}
	}
	numberMade(out)
	return out
}

// numberMade tells evaluators apart whose names were made of their type.
func numberMade(list []*evalItem) {
	taken := newNames()
	for _, e := range list {
		if _, is := taken.in[strings.ToLower(e.name)]; is && e.made {
			e.name = taken.unused(e.name)
			for i := range e.criteria {
				if e.alone {
					e.criteria[i].ID = e.name
				}
			}
		}
		taken.in[strings.ToLower(e.name)] = ""
	}
}

func (r *evalReader) evaluator(n *node, path string) *evalItem {
	s := r.d.object(n, path, "evaluator")
	if s == nil {
		return nil
	}
	e := &evalItem{trace: trace{node: n, path: path}}
	form := s.Word(must, "type")
	kind := r.kindOf(s, form)
	e.name = s.Word(need(r.style.strict), "name")
	if e.name == "" {
		e.name, e.made = cmp.Or(form, "evaluator"), true
	}
	e.weight = s.positiveWeight()
	r.evaluatorGate(s, e)
	switch kind {
	case "rubric":
		r.rubricEvaluator(s, e)
	case "judge":
		r.judgeEvaluator(s, e, form)
	case "code":
		codeEvaluator(s, e, form)
	case "composite":
		r.composite(s, e, form)
	case "other":
		s.Ignore()
		r.keepUnscorable(s, e, form, "an evaluator of type "+form+" is not scored")
	default:
		if form == "" { // without a type, the other keys say which of them is misspelt
			s.Suggest("rubrics", "criteria", "value", "script", "command", "prompt", "evaluators", "assert", "assertions", "aggregator", "config", "target", "model")
			s.Close()
		}
		return nil
	}
	s.Close()
	if e.negated {
		r.keepUnscorable(s, e, form, "a negated evaluator is not scored")
	}
	return e
}

func (r *evalReader) kindOf(s *scope, form string) string {
	kind := evaluatorKind(form)
	if kind == "" && form != "" {
		v := s.Node.Get("type")
		r.d.Fail(v.At, s.Sub("type"), "type-unknown", diag.DidYouMean(form, slices.Sorted(maps.Keys(evaluatorKinds))), "unknown type of evaluator %q", fault.Clip(form, 60))
	}
	return kind
}

// evaluatorGate reads required: true means that the evaluator must reach .8, a
// number that it must reach that.
func (r *evalReader) evaluatorGate(s *scope, e *evalItem) {
	if v, _ := s.Raw(may, "required"); v != nil {
		switch v.Kind {
		case document.Boolean:
			if v.Value == "true" {
				e.min = new(evalPass.Bands[0].Min)
			}
		default:
			if x, ok := s.NumberTo(may, 1, "required"); ok {
				e.min = &x
			}
		}
	}
	if v, _ := s.Raw(may, "min_score"); v != nil {
		s.d.kept = append(s.d.kept, s.Sub("min_score"))
		r.d.Warn(v.At, s.Sub("min_score"), "min-score", "write required to make it a gate", "min_score of an evaluator fails no case and is not read")
	}
	e.negated, _ = s.Flag("negate")
}

func (r *evalReader) rubricEvaluator(s *scope, e *evalItem) {
	s.known("config", "target", "model")
	list, path := s.List(must, "rubrics", "criteria", "value")
	if list != nil && len(list) == 0 {
		r.d.Fail(s.Node.At, path, "criteria-empty", "add at least one rubric", "the evaluator %q has no rubrics", e.name)
	}
	r.items(e, list, path)
}

// aggregators are those that a group of criteria can be combined with.
var aggregators = map[string]rubric.Aggregate{
	"": rubric.WeightedMean, "weighted_average": rubric.WeightedMean, "minimum": rubric.Min, "maximum": rubric.Max,
}

// composite reads an evaluator made of others: a group.
func (r *evalReader) composite(s *scope, e *evalItem, form string) {
	list, path := s.List(must, append([]string{"evaluators"}, assertKeys...)...)
	v, key := s.Raw(may, "aggregator")
	how, weights := "", map[string]rubric.Weight(nil)
	if v != nil {
		how, weights = readAggregator(s, v, key)
	}
	before := len(r.out.unscorable)
	members := r.evaluators(list, path)
	group, known := aggregators[how]
	if !known {
		r.out.unscorable = r.out.unscorable[:before]
		s.Ignore()
		r.keepUnscorable(s, e, form, fmt.Sprintf("a composite evaluator with the aggregator %q is not scored", how))
		return
	}
	if list != nil && len(members) == 0 {
		r.d.Fail(s.Node.At, path, "criteria-empty", "add an evaluator", "the evaluator %q is made of none", e.name)
	}
	e.group = group
	for _, m := range members {
		c := m.criterion(outcomeText)
		if w, ok := weights[m.name]; ok {
			c.Weight = w
		}
		e.criteria = append(e.criteria, c)
		e.trace.criteria = append(e.trace.criteria, m.trace)
	}
}

func readAggregator(s *scope, v *node, key string) (how string, weights map[string]rubric.Weight) {
	o := s.d.object(v, s.Sub(key), "aggregator")
	if o == nil {
		return "", nil
	}
	how = o.Word(must, "type")
	o.known("required", "threshold", "prompt", "path", "model", "cwd", "script")
	w, key := o.Raw(may, "weights")
	if w != nil && w.Kind == document.Object {
		weights = map[string]rubric.Weight{}
		ws := o.d.object(w, o.Sub(key), "weights")
		for i := range w.Members {
			name := w.Members[i].Key
			weights[name] = ws.weight(may, 0, math.Inf(1), rubric.One, name)
		}
		ws.Close()
	} else if w != nil {
		o.d.Wrong(w, o.Sub(key), "an object from evaluator to weight")
	}
	o.Close()
	return how, weights
}
