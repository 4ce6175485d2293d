package dialect

import (
	"maps"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// evaluators writes the criteria of a rubric: together as one evaluator of type
// rubric if they are of that kind, else each as an evaluator.
func (w *evalWriter) evaluators(path string, r *rubric.Rubric, outcome string) []*node {
	if simple(r.Criteria, r, outcome) {
		name := EvaluatorName(r)
		if name == "" || r.Made && name == r.ID {
			name = inlineName
		}
		return []*node{newObject().Put("name", textOf(name)).Put("type", textOf(w.style.rubricType)).Put("rubrics", w.items(path, r.Criteria, r, ""))}
	}
	out := criteriaFrom(path, r.Criteria, func(path string, c rubric.Criterion) *node { return w.evaluator(path, c, r, outcome, "") })
	if len(out) == 0 {
		w.stuck = true
	}
	if only := &r.Criteria[0]; len(r.Criteria) == 1 && only.Group() && only.Min == nil && only.Weight.Value > 0 && out[0].Get("rubrics") != nil {
		w.lose(path, "the only group, %q, is what its members are: they stand alone", only.ID)
	}
	return out
}

// simple reports whether a list of rubrics can hold the criteria.
func simple(list []rubric.Criterion, r *rubric.Rubric, outcome string) bool {
	for i := range list {
		c := &list[i]
		if c.Group() || c.Scorer.WayOrJudge() != rubric.ByJudge || c.Scorer.Prompt != nil || freeForm(c, r, outcome) {
			return false
		}
	}
	return len(list) > 0
}

// freeForm reports whether c is the criterion of a free-form judge: a number from 0 to 1,
// by the expected outcome of the case or by a prompt.
func freeForm(c *rubric.Criterion, r *rubric.Rubric, outcome string) bool {
	unit := c.Answer.Kind == rubric.KindNumber && r.ScaleOf(c) == (rubric.Scale{Min: 0, Max: 1})
	return unit && (c.Scorer.Prompt != nil || outcome != "" && c.Text == outcome)
}

func (w *evalWriter) evaluator(path string, c rubric.Criterion, r *rubric.Rubric, outcome, parent string) *node {
	w.stuck = w.negative(path, &c) || w.stuck
	n := newObject().Put("name", textOf(bare(c.ID, parent)))
	switch {
	case c.Group():
		return w.group(n, path, c, r, outcome)
	case c.Scorer.Way == rubric.ByMetric:
		return w.code(n, path, c)
	case c.Scorer.Way == rubric.BySchema:
		w.leftBinding(path, &c.Scorer)
		return nil
	case freeForm(&c, r, outcome):
		return w.judge(n, path, c)
	case c.Scorer.Prompt != nil:
		w.change(path+".prompt", "%q is asked with its text, not with a prompt of its own", c.ID)
		c.Scorer.Prompt = nil
	}
	item := c
	item.Weight = rubric.One
	n.Put("type", textOf(w.style.rubricType))
	putWeight(n, c.Weight)
	n.Put("rubrics", listOf([]*node{w.item(path, item, r, parent)}))
	w.lose(path+".id", "%q becomes an evaluator with one rubric: its id in results is %q", c.ID, c.ID+"/"+c.ID)
	return n
}

func putWeight(n *node, weight rubric.Weight) {
	if weight.Literal != "" || weight.Value != 1 {
		n.Put("weight", weightOf(weight))
	}
}

// typed writes the type of an evaluator, its weight and its gate.
func (w *evalWriter) typed(n *node, path, form string, c *rubric.Criterion) {
	n.Put("type", textOf(form))
	putWeight(n, c.Weight)
	if c.Min != nil {
		n.Put("required", numberOf(*c.Min))
		c.Min = nil
	}
	if c.Required {
		w.change(path+".required", "%s has no required evaluators of this kind: %q", w.to, c.ID)
		c.Required = false
	}
}

func (w *evalWriter) group(n *node, path string, c rubric.Criterion, r *rubric.Rubric, outcome string) *node {
	plainMean := c.Aggregate == "" || c.Aggregate == rubric.WeightedMean || c.Aggregate == rubric.Auto
	if simple(c.Criteria, r, outcome) && plainMean {
		w.typed(n, path, w.style.rubricType, &c)
		n.Put("rubrics", w.items(path+".criteria", c.Criteria, r, c.ID))
	} else {
		w.typed(n, path, "composite", &c)
		how := ""
		for name, a := range aggregators {
			if name != "" && (a == c.Aggregate || plainMean && a == rubric.WeightedMean) {
				how = name
			}
		}
		if how == "" {
			w.change(path+".aggregate", "%s has no aggregate %s", w.to, c.Aggregate)
			how = "weighted_average"
		}
		n.Put("aggregator", newObject().Put("type", textOf(how)))
		members := criteriaFrom(path+".criteria", c.Criteria, func(path string, m rubric.Criterion) *node { return w.evaluator(path, m, r, outcome, c.ID) })
		n.Put("evaluators", listOf(members))
		w.stuck = w.stuck || len(members) == 0
	}
	w.leftCriterion(path, &rubric.Criterion{Name: c.Name, Text: c.Text, Metadata: c.Metadata, Ext: c.Ext, Examples: c.Examples, Subcriteria: c.Subcriteria})
	return n
}

func (w *evalWriter) code(n *node, path string, c rubric.Criterion) *node {
	m := c.Scorer.Metric
	form := m.Type
	if evaluatorKind(form) == "" {
		form = "code_judge"
	}
	w.typed(n, path, form, &c)
	spelling := m.Spelling
	if unknown := strings.HasPrefix(m.Plugin, UnscorablePrefix); !unknown && !w.spells(m) {
		w.leftSpelling(path, m)
		spelling = map[string]any{"script": m.Plugin}
		if len(m.Args) > 0 || strings.ContainsAny(m.Plugin, " \t'\"|&;<>()$`\\*?#~") {
			spelling["script"] = append([]string{m.Plugin}, m.Args...)
		}
		if len(m.Config) > 0 {
			spelling["config"] = m.Config
		}
		if m.Export != "" || len(m.References) > 0 || contractKind(m) != "judge" {
			w.change(path+".metric", "%s calls %s as a judge of the whole case", w.to, m.Plugin)
		}
	}
	n.Members = append(n.Members, nodeOf(spelling).Members...)
	if a := &c.Answer; a.Kind == rubric.KindNumber && a.Scale != nil && *a.Scale == (rubric.Scale{Min: 0, Max: 1}) {
		*a = rubric.Answer{}
	}
	c.ID, c.Weight, c.Scorer = "", rubric.Weight{}, rubric.Binding{}
	w.leftCriterion(path, &c)
	return n
}

// spells reports whether the spelling that a metric was read with still means it.
func (w *evalWriter) spells(m *rubric.Metric) bool {
	if m.Spelling == nil || evaluatorKind(m.Type) != "code" {
		return false
	}
	r := &evalReader{d: newDecoder("", nil), style: w.style}
	n := nodeOf(m.Spelling)
	e := &evalItem{}
	codeEvaluator(r.d.object(n, "", "evaluator"), e, m.Type)
	return len(r.d.Errors) == 0 && sameMetric(e.criteria[0].Scorer.Metric, m)
}

// judge writes a free-form judge: by the expected outcome of the case, or by a
// prompt.
func (w *evalWriter) judge(n *node, path string, c rubric.Criterion) *node {
	form, _ := c.Ext["type"].(string)
	if evaluatorKind(form) != "judge" {
		form = "llm_judge"
	}
	w.typed(n, path, form, &c)
	if p := c.Scorer.Prompt; p != nil {
		if c.Text != "" {
			w.lose(path+".text", "%s has no place for the description %q", w.to, fault.Clip(c.Text, 60))
		}
		prompt, _ := c.Ext["prompt"].(string)
		if ourVariables(prompt) != p.Template {
			prompt = p.Template
		}
		n.Put("prompt", textOf(prompt))
		if p.OutputSchema != nil {
			w.lose(path+".output_schema", "%s has no schema for a judge's answer", w.to)
		}
	}
	ext := maps.Clone(c.Ext)
	delete(ext, "type")
	delete(ext, "prompt")
	w.leftCriterion(path, &rubric.Criterion{Name: c.Name, Examples: c.Examples, Subcriteria: c.Subcriteria, Metadata: c.Metadata, Ext: ext})
	return n
}
