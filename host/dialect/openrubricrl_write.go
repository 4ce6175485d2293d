package dialect

import (
	"cmp"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func writeOpenRubricRL(e *encoder, doc *Document) *node {
	rest, ok := e.single(doc)
	if !ok {
		return nil
	}
	out := newObject()
	out.Put("name", textOf(rest.ID))
	rest.ID = ""
	e.putVersion(out, rest)
	putText(out, "description", rest.Description)
	rest.Description = ""
	putDomain(out, rest)
	scale := cmp.Or(rest.Scale, commonScale(rest))
	out.Put("scale", scaleNode(scale, "type"))
	rest.Scale = nil
	criteria := e.scaledCriteria(rest, *scale)
	if len(criteria) == 0 {
		return nil
	}
	out.Put("criteria", listOf(criteria))
	e.putHybrid(out, rest)
	putFree(out, "metadata", rest.Metadata)
	rest.Metadata = nil
	e.leftRubric(rest, doc.Rubric, openRubricRLPolicy(scale))
	return out
}

// single returns a copy of the one rubric of a document, to be taken apart.
func (e *encoder) single(doc *Document) (*rubric.Rubric, bool) {
	switch {
	case doc.Rubric == nil && len(doc.Rubrics) > 1:
		e.change("", "%s holds one rubric, not %d; write them one by one, as FILE#ID", e.to, len(doc.Rubrics))
		return nil, false
	case doc.Rubric == nil:
		e.change("", "%s holds a rubric, and this document has none of its own: only its cases do", e.to)
		return nil, false
	}
	if len(doc.Cases) > 0 {
		e.lose("cases", "%s holds no cases; keep the %d of them in a dataset", e.to, len(doc.Cases))
	}
	for i := range doc.Cases {
		if own := doc.Cases[i].Rubric; own != nil && own != doc.Rubric && !reflect.DeepEqual(own, doc.Rubric) {
			e.change("cases", "case %q has criteria of its own", doc.Cases[i].ID)
		}
	}
	return new(*doc.Rubric), true
}

func (e *encoder) putVersion(out *node, r *rubric.Rubric) {
	version := r.Version
	if fixed := FixVersion(version); fixed != version {
		version = fixed
		if r.Version != "" {
			e.lose("version", "the version %q is written as %s", r.Version, version)
		}
	}
	out.Put("version", textOf(version))
	r.Version = ""
}

func putDomain(out *node, r *rubric.Rubric) {
	if slices.Contains(domains, r.Domain) {
		out.Put("domain", textOf(r.Domain))
		r.Domain = ""
	}
}

// scaleNode writes a scale; discrete is the key that says whether it is.
func scaleNode(s *rubric.Scale, discrete string) *node {
	n := onOneLine(newObject()).Put("min", numberOf(s.Min)).Put("max", numberOf(s.Max))
	switch {
	case discrete == "type" && s.Discrete:
		n.Put("type", textOf("discrete"))
	case discrete == "type":
		n.Put("type", textOf("continuous"))
	case s.Discrete:
		n.Put(discrete, boolOf(true))
	}
	return n
}

// commonScale returns the scale of the criteria that are answered with a number
// if they share one, else 0..1.
func commonScale(r *rubric.Rubric) *rubric.Scale {
	var common *rubric.Scale
	unit := &rubric.Scale{Min: 0, Max: 1}
	for _, c := range r.Leaves() {
		if c.Scorer.WayOrJudge() != rubric.ByJudge || c.Answer.Kind != rubric.KindNumber {
			continue
		}
		if s := r.ScaleOf(c); common == nil {
			common = &s
		} else if *common != s {
			common = unit
		}
	}
	return cmp.Or(common, unit)
}

func (e *encoder) scaledCriteria(r *rubric.Rubric, scale rubric.Scale) []*node {
	flat := e.flatten("criteria", r.Criteria)
	var kept []placed
	for _, p := range flat {
		if p.c.Scorer.WayOrJudge() != rubric.ByJudge {
			e.leftBinding(p.path, &p.c.Scorer)
			continue
		}
		kept = append(kept, p)
	}
	weights := e.unitWeights(kept)
	if weights == nil {
		return nil
	}
	var out []*node
	for i, p := range kept {
		c := p.c
		n := newObject().Put("name", textOf(c.ID))
		c.ID, c.Weight = "", rubric.Weight{}
		text := e.withRanges(p.path, &c, r.ScaleOf(&c), scale)
		n.Put("description", textOf(text))
		n.Put("weight", weights[i])
		switch a := &c.Answer; {
		case a.KindOrMet() == rubric.KindMet:
			e.change(p.path, "%q is asked for a number from %s to %s, not whether it is met", p.c.ID, rubric.FormatNumber(scale.Min), rubric.FormatNumber(scale.Max))
			a.Kind = ""
		case a.Kind == rubric.KindNumber:
			if a.Scale != nil && *a.Scale != scale {
				e.change(p.path+".scale", "%q is asked for a number from %s to %s, as all criteria", p.c.ID, rubric.FormatNumber(scale.Min), rubric.FormatNumber(scale.Max))
			}
			a.Kind, a.Scale = "", nil
		}
		putExamples(n, c.Examples)
		putSubcriteria(n, c.Subcriteria)
		c.Examples, c.Subcriteria = nil, nil
		e.leftCriterion(p.path, &c)
		out = append(out, n)
	}
	return out
}

// withRanges appends the descriptions of scores to the text that is judged: the
// format has no other place for them. Scores are moved from one scale to the other.
func (e *encoder) withRanges(path string, c *rubric.Criterion, from, to rubric.Scale) string {
	text, a := takeText(c), &c.Answer
	if len(a.Anchors) == 0 && len(a.Bands) == 0 {
		return text
	}
	number := func(x float64) string {
		if from.Min != to.Min || from.Max != to.Max {
			x = to.Min + from.Position(x)*(to.Max-to.Min)
		}
		return rubric.FormatNumber(x)
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(text, "\n"))
	for _, x := range a.Anchors {
		b.WriteString("\n" + number(x.At) + ": " + x.Text)
	}
	for _, x := range a.Bands {
		b.WriteString("\n" + number(x.Low))
		if x.High != x.Low {
			b.WriteString("-" + number(x.High))
		}
		b.WriteString(": " + x.Text)
	}
	a.Anchors, a.Bands, a.Form = nil, nil, ""
	e.lose(path+".ranges", "what describes the scores is written into the description")
	return b.String()
}

// takeText removes and returns the statement to judge: the text, else the name.
func takeText(c *rubric.Criterion) string {
	text := c.Text
	if strings.TrimSpace(text) == "" {
		text, c.Name = c.Name, ""
	}
	c.Text = ""
	return text
}

// placed is a criterion on its way into a flat list.
type placed struct {
	path string
	c    rubric.Criterion
}

// flatten takes the members out of groups, and says so.
func (e *encoder) flatten(path string, list []rubric.Criterion) []placed {
	var out []placed
	for i := range list {
		c, p := list[i], document.Index(path, i)
		if !c.Group() {
			out = append(out, placed{p, c})
			continue
		}
		e.change(p, "%s has no groups: the members of %q stand side by side%s", e.to, c.ID, without(&c))
		out = append(out, e.flatten(p+".criteria", c.Criteria)...)
	}
	return out
}

// without lists the losses of leaving out a group.
func without(c *rubric.Criterion) string {
	var lost []string
	if c.Weight.Value != 1 {
		lost = append(lost, "weight "+rubric.FormatNumber(c.Weight.Value))
	}
	if c.Aggregate != "" {
		lost = append(lost, "aggregate "+string(c.Aggregate))
	}
	if c.Required {
		lost = append(lost, "required")
	}
	if c.Min != nil {
		lost = append(lost, "min "+rubric.FormatNumber(*c.Min))
	}
	if text := cmp.Or(c.Text, c.Name); text != "" {
		lost = append(lost, "description "+strconv.Quote(fault.Clip(text, 60)))
	}
	if len(lost) == 0 {
		return ""
	}
	return ", without its " + strings.Join(lost, ", ")
}

// unitWeights returns the weights with a sum of 1: as they are, or rescaled.
func (e *encoder) unitWeights(list []placed) []*node {
	sum, total := 0.0, new(big.Rat)
	exact := make([]*big.Rat, len(list))
	for i, p := range list {
		if e.negative(p.path, &p.c) {
			return nil
		}
		sum += p.c.Weight.Value
		exact[i] = new(big.Rat).SetFloat64(p.c.Weight.Value)
		if r, ok := document.Rational(weightOf(p.c.Weight).Value); ok {
			exact[i] = r
		}
		total.Add(total, exact[i])
	}
	if len(list) == 0 {
		e.change("criteria", "%s can hold none of the criteria", e.to)
		return nil
	}
	if total.Sign() == 0 {
		e.change("criteria", "%s needs weights that sum to 1, and these sum to 0", e.to)
		return nil
	}
	out := make([]*node, len(list))
	above := slices.ContainsFunc(list, func(p placed) bool { return p.c.Weight.Value > 1 })
	if sum >= 1-sumTolerance && sum <= 1+sumTolerance && !above {
		for i, p := range list {
			out[i] = weightOf(p.c.Weight)
		}
		return out
	}
	e.lose("criteria", "the weights are rescaled to a sum of 1, which leaves every score as it was")
	for i, literal := range rubric.Shares(exact) {
		out[i] = &node{Kind: document.Number, Value: literal}
	}
	return out
}

func putExamples(n *node, sets []rubric.ExampleSet) {
	if sets == nil {
		return
	}
	all := newObject()
	for _, set := range sets {
		all.Put(set.Level, listFrom(set.Examples, func(x rubric.Example) *node {
			return newObject().Put("input", textOf(x.Input)).Put("output", textOf(x.Output)).Put("score", numberOf(x.Score)).Put("explanation", textOf(x.Explanation))
		}))
	}
	n.Put("examples", all)
}

func putSubcriteria(n *node, list []rubric.Subcriterion) {
	if list == nil {
		return
	}
	n.Put("subcriteria", listFrom(list, func(x rubric.Subcriterion) *node {
		return newObject().Put("name", textOf(x.Name)).Put("description", textOf(x.Description))
	}))
}

func (e *encoder) putHybrid(out *node, r *rubric.Rubric) {
	if r.Metrics == nil {
		return
	}
	out.Put("hybrid_metrics", listOf(criteriaFrom("metrics", r.Metrics, func(path string, c rubric.Criterion) *node { return e.hybrid(path, c, r) })))
	r.Metrics = nil
}

func (e *encoder) hybrid(path string, c rubric.Criterion, r *rubric.Rubric) *node {
	m := c.Scorer.Metric
	if c.Group() || c.Scorer.Way != rubric.ByMetric || m == nil {
		e.change(path, "%s blends only metrics that a plugin computes: %q is left out", e.to, c.ID)
		return nil
	}
	if w := c.Weight.Value; w < 0 || w > 1 {
		e.change(path+".weight", "%s must be a share of 0 to 1, not %s: %q is left out", e.to, rubric.FormatNumber(w), c.ID)
		return nil
	}
	name := c.ID
	if "metric/"+c.Name == c.ID && taken(r, c.Name) {
		name, c.Name = c.Name, ""
	}
	form, config := hybridSpelling(name, m)
	n := newObject().Put("name", textOf(name)).Put("type", textOf(form)).Put("weight", weightOf(c.Weight))
	putFree(n, "config", config)
	back := bindHybrid(form, name, config)
	if !sameMetric(&back, m) {
		e.change(path+".metric", "%s cannot name the plugin %s with all its settings", e.to, m.Plugin)
	}
	if a := c.Answer; a.Kind == rubric.KindNumber && a.Scale != nil && *a.Scale == (rubric.Scale{Min: 0, Max: 1}) {
		c.Answer.Kind, c.Answer.Scale = "", nil
	}
	c.ID, c.Weight, c.Scorer = "", rubric.Weight{}, rubric.Binding{}
	e.leftCriterion(path, &c)
	return n
}

// hybridSpelling says how the format names a metric: as the document did, if
// that still means it, else by the type that fits, else as a custom one.
func hybridSpelling(name string, m *rubric.Metric) (form string, config map[string]any) {
	for _, form := range hybridTypes {
		if m.Type == form {
			back := bindHybrid(form, name, m.Spelling)
			if sameMetric(&back, m) {
				return form, m.Spelling
			}
		}
	}
	for _, form := range hybridTypes {
		config := hybridFrom(form, m)
		back := bindHybrid(form, name, config)
		if sameMetric(&back, m) {
			return form, config
		}
	}
	return "custom", hybridFrom("custom", m)
}

// hybridFrom is the configuration of a type that would bind to m, if any does.
func hybridFrom(form string, m *rubric.Metric) map[string]any {
	config := map[string]any{}
	maps.Copy(config, m.Config)
	drop := func(key string, v any) {
		if config[key] == v {
			delete(config, key)
		}
	}
	switch form {
	case "rouge":
		if variant, ok := config["variant"].(string); ok {
			delete(config, "variant")
			config["rouge_type"] = variant
			drop("rouge_type", "rouge1")
		}
		drop("use_stemmer", true)
	case "accuracy":
		drop("strip", true)
		drop("ignore_case", true)
	case "custom":
		config["metric_function"] = m.Plugin
	}
	switch len(m.References) {
	case 0:
	case 1:
		config["reference_key"] = m.References[0]
	default:
		config["reference_key"] = m.References
	}
	if len(config) == 0 {
		return nil
	}
	return config
}

// sameMetric reports whether two bindings call the same plugin in the same way.
func sameMetric(a, b *rubric.Metric) bool {
	return a.Plugin == b.Plugin && a.Export == b.Export && contractKind(a) == contractKind(b) &&
		sameFree(a.Config, b.Config) && slices.Equal(a.Args, b.Args) && reflect.DeepEqual(append([]string{}, a.References...), append([]string{}, b.References...))
}

func contractKind(m *rubric.Metric) string { return cmp.Or(m.Kind, "metric") }

func sameFree(a, b map[string]any) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}
