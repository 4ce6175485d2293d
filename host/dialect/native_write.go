package dialect

import (
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func writeNative(e *encoder, doc *Document) *node {
	base := e.base(doc)
	if base == nil {
		return nil
	}
	r := *base
	out := newObject().Put("rubric", textOf(r.ID))
	putText(out, "name", r.Name)
	putText(out, "version", r.Version)
	putText(out, "description", r.Description)
	putText(out, "domain", r.Domain)
	putText(out, "target_type", r.TargetType)
	putNativePass(out, r.Pass)
	putText(out, "problems", r.Problems)
	if len(r.PassAt) > 0 {
		out.Put("pass_at", onOneLine(listFrom(r.PassAt, integerOf)))
	}
	putNativePolicy(out, doc.everyCriterion(&r))
	if r.Scale != nil {
		out.Put("scale", scaleNode(r.Scale, "discrete"))
	}
	putNativeJudge(out, &r)
	if doc.Rubric != nil {
		out.Put("criteria", e.nativeList("criteria", r.Criteria, &r, false))
	}
	if r.Metrics != nil {
		out.Put("metrics", e.nativeList("metrics", r.Metrics, &r, true))
	}
	putNativeSettings(out, &r)
	if doc.Cases != nil {
		out.Put("cases", e.nativeCases(doc, &r))
	}
	putFree(out, "metadata", r.Metadata)
	putFree(out, "ext", r.Ext)
	return out
}

func putNativePass(out *node, p rubric.Pass) {
	switch {
	case len(p.Bands) == 1 && p.Bands[0].Label == "pass" && p.Form != "bands":
		out.Put("pass", numberOf(p.Bands[0].Min))
	case len(p.Bands) > 0:
		bands := onOneLine(newObject())
		for _, b := range p.Bands {
			bands.Put(b.Label, numberOf(b.Min))
		}
		out.Put("bands", bands)
	}
	putText(out, "below", p.Below)
}

// putNativePolicy writes the effective differences from the native policy.
func putNativePolicy(out *node, r *rubric.Rubric) {
	has, does := effective(r, r.Policy), effective(r, nativePolicy())
	own := r.Source.Dialect == Native
	if p := r.Policy.Aggregate; has.Aggregate != does.Aggregate || own && p != "" && p != rubric.Auto {
		out.Put("aggregate", textOf(string(p)))
	}
	if has.Required != does.Required || own && r.Policy.Required != rubric.RequiredMet {
		for _, word := range sortedKeys(requiredMeanings) {
			if requiredMeanings[word] == r.Policy.Required {
				out.Put("required_means", textOf(word))
			}
		}
	}
	for _, word := range sortedKeys(rawRules) {
		if rawRules[word] == r.Policy.Raw {
			out.Put("raw", textOf(word))
		}
	}
	if r.Policy.RawAsScore {
		out.Put("normalize", boolOf(false))
	}
	if o := r.Policy.Overall; o != nil && !(r.Policy.Raw == rubric.RawOnScale && r.Scale != nil && *o == *r.Scale) {
		out.Put("overall", scaleNode(o, "discrete"))
	}
	putText(out, "blend", string(r.Policy.Blend))
	if r.Policy.Raw == rubric.RawOnScale {
		putText(out, "normalization", string(r.Policy.Normalization))
	}
}

func putNativeJudge(out *node, r *rubric.Rubric) {
	j, n := &r.Judge, newObject()
	if s := r.Strategy(); j.Strategy != "" || s != rubric.PerCriterion {
		n.Put("strategy", textOf(string(s)))
	}
	putInteger(n, "batch", j.Batch)
	putText(n, "model", j.Model)
	putText(n, "system", j.System)
	putInteger(n, "attempts", j.Attempts)
	if j.Temperature != nil {
		n.Put("temperature", numberOf(*j.Temperature))
	}
	putInteger(n, "max_tokens", j.MaxTokens)
	if len(n.Members) > 0 {
		out.Put("judge", n)
	}
}

func putNativeSettings(out *node, r *rubric.Rubric) {
	if l := r.LengthPenalty; l != nil {
		n := newObject().Put("free_budget", integerOf(l.Free)).Put("max_cap", integerOf(l.Cap)).
			Put("penalty_at_cap", numberOf(l.AtCap)).Put("exponent", numberOf(l.Exponent))
		putText(n, "section", l.Section)
		out.Put("length_penalty", n)
	}
	if f := r.Fallback; f != nil {
		n := newObject()
		putText(n, "positive", f.Positive)
		putText(n, "negative", f.Negative)
		out.Put("fallback", n)
	}
}

func (e *encoder) nativeList(path string, list []rubric.Criterion, r *rubric.Rubric, shares bool) *node {
	return listOf(criteriaFrom(path, list, func(path string, c rubric.Criterion) *node { return e.nativeCriterion(path, &c, r, shares) }))
}

func (e *encoder) nativeCriterion(path string, c *rubric.Criterion, r *rubric.Rubric, share bool) *node {
	n := newObject().Put("id", textOf(c.ID))
	putText(n, "name", c.Name)
	if share || c.Weight.Literal != "" || c.Weight.Value != 1 {
		n.Put("weight", weightOf(c.Weight))
	}
	if c.Required || c.RequiredSet {
		n.Put("required", boolOf(c.Required))
	}
	if c.Min != nil {
		n.Put("min", numberOf(*c.Min))
	}
	if c.Group() {
		putText(n, "description", c.Text)
		putText(n, "aggregate", string(c.Aggregate))
		n.Put("criteria", e.nativeList(path+".criteria", c.Criteria, r, false))
	} else {
		putNativeScorer(n, c)
		if c.Scorer.Metric != nil {
			e.leftSpelling(path, c.Scorer.Metric)
		}
		putNativeAnswer(n, c, r)
		if c.Scorer.WayOrJudge() == rubric.ByJudge {
			putExamples(n, c.Examples)
			putSubcriteria(n, c.Subcriteria)
		} else if len(c.Examples)+len(c.Subcriteria) > 0 {
			e.lose(path, "examples and subcriteria are for a judge, and %q is not asked of one", c.ID)
		}
	}
	putFree(n, "metadata", c.Metadata)
	putFree(n, "ext", c.Ext)
	return n
}

func putNativeScorer(n *node, c *rubric.Criterion) {
	b := &c.Scorer
	if b.WayOrJudge() == rubric.ByJudge && b.Prompt == nil {
		n.Put("judge", textOf(c.Text))
		return
	}
	putText(n, "description", c.Text)
	switch {
	case b.Prompt != nil:
		n.Put("prompt", textOf(b.Prompt.Template))
		if b.Prompt.OutputSchema != nil {
			n.Put("output_schema", nodeOf(b.Prompt.OutputSchema))
		}
	case b.Metric != nil:
		m := b.Metric
		n.Put("metric", textOf(m.Plugin))
		putText(n, "export", m.Export)
		if contractKind(m) != "metric" {
			n.Put("kind", textOf(m.Kind))
		}
		if len(m.Args) > 0 {
			n.Put("args", onOneLine(textsOf(m.Args)))
		}
		putFree(n, "with", m.Config)
		if with := n.Get("with"); with != nil {
			onOneLine(with)
		}
		switch len(m.References) {
		case 0:
		case 1:
			n.Put("reference", textOf(m.References[0]))
		default:
			n.Put("reference", onOneLine(textsOf(m.References)))
		}
	case b.Schema != nil && b.Schema.Ref != "":
		n.Put("schema", textOf(b.Schema.Ref))
	case b.Schema != nil:
		n.Put("schema", nodeOf(b.Schema.Inline))
	}
}

func putNativeAnswer(n *node, c *rubric.Criterion, r *rubric.Rubric) {
	a := &c.Answer
	if a.Kind == rubric.KindLevel {
		n.Put("levels", listFrom(a.Levels, func(l rubric.Level) *node { return levelNode(l, false) }))
		return
	}
	byItself := rubric.KindMet // the default of the way of scoring
	switch {
	case c.Scorer.Way == rubric.ByMetric:
		byItself = rubric.KindNumber
	case c.Scorer.WayOrJudge() == rubric.ByJudge && r.Scale != nil:
		byItself = rubric.KindNumber
	}
	unit := a.Scale != nil && *a.Scale == (rubric.Scale{Min: 0, Max: 1})
	described := len(a.Anchors) > 0 || len(a.Bands) > 0
	switch {
	case a.KindOrMet() == rubric.KindMet && byItself != rubric.KindMet:
		n.Put("answer", textOf(string(rubric.KindMet)))
	case a.KindOrMet() == rubric.KindMet:
	case c.Scorer.Way == rubric.ByMetric && unit && !described:
	case a.Scale != nil:
		n.Put("scale", scaleNode(a.Scale, "discrete"))
	case c.Scorer.Way == rubric.ByMetric || byItself != rubric.KindNumber:
		s := r.ScaleOf(c)
		n.Put("scale", scaleNode(&s, "discrete"))
	}
	if a.Kind == rubric.KindNumber && described {
		n.Put("ranges", nativeRangesNode(a))
	}
}

// nativeRangesNode writes the descriptions of a scale: as an object if all of it is
// points on whole numbers.
func nativeRangesNode(a *rubric.Answer) *node {
	whole := len(a.Bands) == 0
	seen := map[float64]bool{}
	for _, p := range a.Anchors {
		whole = whole && p.At == math.Trunc(p.At) && math.Abs(p.At) < 1e9 && !seen[p.At]
		seen[p.At] = true
	}
	if whole {
		return rangeMapNode(a.Anchors)
	}
	return listOf(slices.Concat(xslices.Map(a.Anchors, func(p rubric.Anchor) *node {
		return onOneLine(newObject()).Put("at", numberOf(p.At)).Put("text", textOf(p.Text))
	}), xslices.Map(a.Bands, func(b rubric.Band) *node {
		return onOneLine(newObject()).Put("from", numberOf(b.Low)).Put("to", numberOf(b.High)).Put("text", textOf(b.Text))
	})))
}

// nativeCases writes the cases, with the differences of their rubrics.
func (e *encoder) nativeCases(doc *Document, head *rubric.Rubric) *node {
	var items []*node
	for i := range doc.Cases {
		c := &doc.Cases[i]
		n := rawNode(c.Fields)
		if n.Kind != document.Object {
			n = newObject()
		}
		if n.Get("id") == nil {
			n.Members = append([]member{{Key: "id", Value: textOf(c.ID)}}, n.Members...)
		}
		if own := e.nativeOwn(document.Index("cases", i), c.Rubric, doc.Rubric, head); own != nil {
			n.Put("rubric", own)
		}
		items = append(items, n)
	}
	return listOf(items)
}

// nativeOwn writes the differences of a case's rubric from the document's.
func (e *encoder) nativeOwn(path string, own, shared, head *rubric.Rubric) *node {
	if own == nil || own == shared {
		return nil
	}
	n := newObject()
	if shared == nil || !reflect.DeepEqual(own.Criteria, shared.Criteria) {
		n.Put("criteria", e.nativeList(path+".rubric.criteria", own.Criteria, own, false))
	}
	if !reflect.DeepEqual(own.Pass, head.Pass) {
		putNativePass(n, own.Pass)
		if len(own.Pass.Bands) == 0 {
			e.change(path+".rubric.pass", "a case cannot do without the thresholds of its document")
		}
	}
	e.sameHeader(path+".rubric", own, head)
	if len(n.Members) == 0 {
		return nil
	}
	return n
}
