package dialect

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func writeDataknobs(e *encoder, doc *Document) *node {
	if doc.Rubric == nil && len(doc.Rubrics) > 1 || doc.tree.Get("rubrics").Is(document.List) && doc.Dialect == Dataknobs {
		var items []*node
		for _, r := range doc.Rubrics {
			n := e.leveled(*r)
			if n == nil {
				return nil
			}
			items = append(items, n)
		}
		return newObject().Put("rubrics", listOf(items))
	}
	rest, ok := e.single(doc)
	if !ok {
		return nil
	}
	return e.leveled(*rest)
}

func (e *encoder) leveled(r rubric.Rubric) *node {
	whole := r
	out := newObject().Put("id", textOf(r.ID))
	name := cmp.Or(r.Name, r.ID)
	if name == r.ID {
		r.Name = ""
	}
	out.Put("name", textOf(name)).Put("description", textOf(r.Description)).Put("version", textOf(cmp.Or(r.Version, "1.0.0"))).
		Put("target_type", textOf(cmp.Or(r.TargetType, "content")))
	gates := r.Policy.Required != rubric.RequiredEvaluated
	r.ID, r.Name, r.Description, r.Version, r.TargetType = "", "", "", "", ""
	var items []*node
	for _, p := range e.flatten("criteria", r.Criteria) {
		if e.negative(p.path, &p.c) {
			return nil
		}
		items = append(items, e.levelCriterion(p, &r, gates))
	}
	out.Put("criteria", listOf(items))
	threshold := 0.0
	if len(r.Pass.Bands) == 0 {
		e.change("pass", "%s needs a threshold, and this rubric has none: with 0 every case passes", e.to)
	} else {
		threshold = r.Pass.Bands[0].Min
		if len(r.Pass.Bands) > 1 || r.Pass.Below != "" || r.Pass.Bands[0].Label != "pass" {
			e.lose("pass", "%s says passed or not: %s", e.to, showPass(r.Pass))
		}
	}
	out.Put("pass_threshold", numberOf(threshold))
	r.Pass = rubric.Pass{}
	putFree(out, "metadata", r.Metadata)
	r.Metadata, r.Scale = nil, nil
	if gates {
		r.Policy.Required = rubric.RequiredEvaluated // required criteria were listed one by one
	}
	e.leftRubric(&r, &whole, dataknobsPolicy())
	return out
}

func (e *encoder) levelCriterion(p placed, r *rubric.Rubric, gates bool) *node {
	c := p.c
	n := newObject().Put("id", textOf(c.ID)).Put("name", textOf(c.Label())).Put("description", textOf(c.Text)).Put("weight", weightOf(c.Weight))
	var levels []rubric.Level
	e.answerByLevel(p.path, &c, r, &levels)
	n.Put("levels", listFrom(levels, func(l rubric.Level) *node { return levelNode(l, true) }))
	n.Put("scoring_method", e.method(p.path, &c))
	switch {
	case !gates && (c.RequiredSet || !c.Required):
		n.Put("required", boolOf(c.Required))
		c.Required = false
	case !gates:
		c.Required = false
	case c.Weight.Value == 0 && !c.Required && c.Min == nil:
		n.Put("required", boolOf(false)) // it may go without a verdict
	}
	c.ID, c.Name, c.Text, c.Weight = "", "", "", rubric.Weight{}
	e.leftCriterion(p.path, &c)
	return n
}

func levelNode(l rubric.Level, full bool) *node {
	n := onOneLine(newObject()).Put("id", textOf(l.ID))
	if full {
		n.Put("label", textOf(cmp.Or(l.Label, l.ID))).Put("description", textOf(l.Description)).Put("score", numberOf(l.Score))
	} else {
		n.Put("score", numberOf(l.Score))
		putText(n, "label", l.Label)
		putText(n, "description", l.Description)
	}
	if l.Indicators != nil {
		n.Put("indicators", onOneLine(textsOf(l.Indicators)))
	}
	return n
}

func (e *encoder) answerByLevel(path string, c *rubric.Criterion, r *rubric.Rubric, levels *[]rubric.Level) {
	a := &c.Answer
	switch a.KindOrMet() {
	case rubric.KindLevel:
		*levels = a.Levels
		for _, l := range a.Levels {
			if l.Label == "" {
				e.lose(path+".levels", "every level needs a label: %q gets its id", l.ID)
			}
		}
	case rubric.KindMet:
		*levels = []rubric.Level{{ID: "unmet", Label: "Unmet", Description: "The criterion is not met.", Score: 0}, {ID: "met", Label: "Met", Description: "The criterion is met.", Score: 1}}
		e.lose(path, "%q is asked for a level, met or unmet", c.ID)
	default:
		*levels = levelsOfScale(a, r.ScaleOf(c))
		s, numbers := r.ScaleOf(c), "a number"
		if s.Discrete {
			numbers = "a whole number"
		}
		e.change(path, "%q is asked for one of %d levels, not for %s from %s to %s", c.ID, len(*levels), numbers, rubric.FormatNumber(s.Min), rubric.FormatNumber(s.Max))
	}
	*a = rubric.Answer{}
}

// levelsOfScale makes levels of the descriptions of a scale: its anchors, the
// middles of its bands, else its two ends.
func levelsOfScale(a *rubric.Answer, s rubric.Scale) []rubric.Level {
	var out []rubric.Level
	add := func(at float64, text string) {
		id := "at-" + rubric.FormatNumber(at)
		out = append(out, rubric.Level{ID: id, Label: rubric.FormatNumber(at), Description: text, Score: min(1, max(0, s.Position(at)))})
	}
	for _, x := range a.Anchors {
		add(x.At, x.Text)
	}
	for _, b := range a.Bands {
		add((b.Low+b.High)/2, b.Text)
	}
	if len(out) < 2 {
		out = nil
		add(s.Min, "The lowest.")
		add(s.Max, "The highest.")
	}
	return out
}

// settings names how a plugin is called beyond its name and export.
func settings(m *rubric.Metric) string {
	var out []string
	if kind := contractKind(m); kind != "scorer" {
		out = append(out, "the kind "+kind)
	}
	if len(m.Config) > 0 {
		out = append(out, "its configuration "+fault.Clip(string(document.Compact(nodeOf(m.Config))), 120))
	}
	if len(m.Args) > 0 {
		out = append(out, "its arguments "+fault.Clip(strings.Join(m.Args, " "), 120))
	}
	if len(m.References) > 0 {
		out = append(out, "its references "+fault.Clip(strings.Join(m.References, ", "), 120))
	}
	return strings.Join(out, ", ")
}

func (e *encoder) method(path string, c *rubric.Criterion) *node {
	n := newObject()
	b := &c.Scorer
	switch b.WayOrJudge() {
	case rubric.ByMetric:
		m := b.Metric
		export := m.Export
		if export == "" {
			export = "score"
			e.lose(path+".metric", "a function needs a name: the export of %s is written as %q", m.Plugin, export)
		}
		n.Put("type", textOf("deterministic")).Put("function_ref", textOf(m.Plugin+":"+export))
		if contractKind(m) != "scorer" || len(m.Config) > 0 || len(m.Args) > 0 || len(m.References) > 0 {
			e.change(path+".metric", "a function takes the target and no settings: %s loses %s", m.Plugin, settings(m))
		}
		e.leftSpelling(path, m)
	case rubric.BySchema:
		n.Put("type", textOf("schema"))
		if b.Schema.Ref != "" {
			n.Put("schema_ref", textOf(b.Schema.Ref))
		}
		if b.Schema.Inline != nil {
			n.Put("schema", nodeOf(b.Schema.Inline))
		}
	default:
		n.Put("type", textOf("llm_decode"))
		if b.Prompt == nil {
			n.Put("decode_prompt", textOf(fmt.Sprintf("{%% raw %%}%s{%% endraw %%}\n\n{{ output }}\n", strings.ReplaceAll(c.Text, "{%", "{ %"))))
			e.lose(path+".judge", "%q is asked with a prompt of its own", c.ID)
			break
		}
		n.Put("decode_prompt", textOf(b.Prompt.Template))
		if b.Prompt.OutputSchema != nil {
			n.Put("decode_output_schema", nodeOf(b.Prompt.OutputSchema))
		}
	}
	*b = rubric.Binding{}
	return n
}
