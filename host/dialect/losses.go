package dialect

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// encoder collects the losses of writing a dialect.
type encoder struct {
	to      string
	file    string
	losses  diag.List
	written map[string]bool // paths of settings outside the model that are written again
}

// base returns the rubric that a document is about, of an eval file without one its
// first case's. Nil: there are several, which is noted.
func (e *encoder) base(doc *Document) *rubric.Rubric {
	if doc.Rubric != nil {
		return doc.Rubric
	}
	if len(doc.Cases) > 0 && doc.Cases[0].Rubric != nil {
		return doc.Cases[0].Rubric
	}
	e.change("", "%s holds one rubric, not %d; write them one by one, as FILE#ID", e.to, len(doc.Rubrics))
	return nil
}

// lose notes a detail that the dialect has no place for.
func (e *encoder) lose(path, format string, args ...any) {
	e.add(diag.Warning, "lost", path, format, args...)
}

// change notes a loss that changes scores.
func (e *encoder) change(path, format string, args ...any) {
	e.add(diag.Error, "changed", path, format, args...)
}

// loseIf notes a detail that is left, in words that follow the name of the dialect.
func (e *encoder) loseIf(left bool, path, format string, args ...any) {
	if left {
		e.lose(path, "%s "+format, append([]any{e.to}, args...)...)
	}
}

// changeIf does the same with a loss that changes scores.
func (e *encoder) changeIf(left bool, path, format string, args ...any) {
	if left {
		e.change(path, "%s "+format, append([]any{e.to}, args...)...)
	}
}

// negative notes a weight below 0, which the dialect does not have, and reports whether c has one.
func (e *encoder) negative(path string, c *rubric.Criterion) bool {
	if c.Weight.Value < 0 {
		e.change(path+".weight", "%s has no negative weights: %s", e.to, rubric.FormatNumber(c.Weight.Value))
	}
	return c.Weight.Value < 0
}

func (e *encoder) add(severity diag.Severity, code, path, format string, args ...any) {
	e.losses.Add(diag.Diagnostic{Severity: severity, Code: code, Path: path, Pos: diag.Pos{File: e.file}, Message: fault.Clip(fmt.Sprintf(format, args...), 400)})
}

// refusal is why no document can be written.
func (e *encoder) refusal() error {
	if worst := e.losses.Errors(); len(worst) > 0 {
		return worst
	}
	return fault.New(fault.Invalid, "nothing in it can be said there")
}

// leftCriterion lists the unwritten fields of a criterion. A dialect takes a copy of
// it and zeroes each field that it has written; a field that is not zero at the end
// is a loss, so that nothing is dropped silently. leftRubric does the same for a
// rubric.
func (e *encoder) leftCriterion(path string, c *rubric.Criterion) {
	e.loseIf(c.ID != "" && !c.Made, path+".id", "has no ids: %q", c.ID)
	e.loseIf(c.Name != "", path+".name", "has no display names: %q", c.Name)
	e.loseIf(c.Text != "", path+".text", "has no place for the description %q", fault.Clip(c.Text, 60))
	e.changeIf(c.Weight.Value != 0, path+".weight", "has no place for the weight %s", rubric.FormatNumber(c.Weight.Value))
	e.changeIf(c.Required, path+".required", "has no gates: a case could pass without this criterion")
	if c.Min != nil {
		e.change(path+".min", "%s has no place for the least value %s", e.to, rubric.FormatNumber(*c.Min))
	}
	e.leftAnswer(path, &c.Answer)
	e.loseIf(len(c.Examples) > 0, path+".examples", "has no examples")
	e.loseIf(len(c.Subcriteria) > 0, path+".subcriteria", "has no subcriteria")
	e.leftBinding(path, &c.Scorer)
	e.changeIf(len(c.Criteria) > 0, path+".criteria", "has no groups of criteria")
	e.changeIf(c.Aggregate != "", path+".aggregate", "has no place for the aggregate %s", c.Aggregate)
	e.leftFree(path, c.Metadata, c.Ext)
}

func (e *encoder) leftAnswer(path string, a *rubric.Answer) {
	switch a.Kind {
	case rubric.KindLevel:
		e.change(path+".levels", "%s has no levels", e.to)
	case rubric.KindNumber:
		e.change(path+".scale", "%s has no numbers on a scale as answers", e.to)
	}
	switch {
	case a.Kind == "" && a.Scale != nil:
		e.change(path+".scale", "%s has no place for a scale of %s..%s", e.to, rubric.FormatNumber(a.Scale.Min), rubric.FormatNumber(a.Scale.Max))
	case a.Kind == "" && len(a.Levels) > 0:
		e.change(path+".levels", "%s has no levels", e.to)
	}
	e.loseIf(len(a.Bands) > 0 || len(a.Anchors) > 0, path+".ranges", "does not describe parts of a scale")
}

func (e *encoder) leftBinding(path string, b *rubric.Binding) {
	switch b.Way {
	case rubric.ByMetric:
		plugin := ""
		if b.Metric != nil {
			plugin = b.Metric.Plugin
		}
		e.change(path+".metric", "%s has no criteria that a plugin computes: %s", e.to, plugin)
	case rubric.BySchema:
		e.change(path+".schema", "%s has no criteria that a schema decides", e.to)
	}
	e.changeIf(b.Prompt != nil, path+".prompt", "has no custom prompts")
}

func (e *encoder) leftFree(path string, metadata, ext map[string]any) {
	if len(metadata) > 0 {
		e.lose(document.Join(path, "metadata"), "%s has no metadata here", e.to)
	}
	if name, is := ext[evaluatorKey].(string); is && path == "" {
		e.lose("ext."+evaluatorKey, "%s has no place for the name %q of the evaluator", e.to, fault.Clip(name, 60))
		ext = withoutEvaluator(ext)
	}
	if len(ext) > 0 {
		e.lose(document.Join(path, "ext"), "%s has no place for what another dialect adds", e.to)
	}
}

// leftRubric lists the unwritten fields of a rubric. policy is that of the dialect;
// whole is the rubric with nothing taken out, on which a policy's effect depends.
func (e *encoder) leftRubric(r, whole *rubric.Rubric, policy rubric.Policy) {
	for _, f := range []struct{ path, what, value string }{
		{"name", "display name", r.Name}, {"version", "version", r.Version}, {"description", "description", r.Description},
		{"domain", "domain", r.Domain}, {"target_type", "target type", r.TargetType},
	} {
		if f.value != "" {
			e.lose(f.path, "%s has no place for the %s %q", e.to, f.what, fault.Clip(f.value, 60))
		}
	}
	e.loseIf(r.ID != "" && !r.Made, "id", "has no place for the id %q", r.ID)
	e.changeIf(len(r.Metrics) > 0, "metrics", "blends no metrics with the criteria")
	e.changeIf(r.Scale != nil, "scale", "has no scale for all criteria")
	e.changeIf(len(r.Pass.Bands) > 0 || r.Pass.Below != "", "pass", "has no place for these thresholds: %s", showPass(r.Pass))
	e.leftPolicy(whole, r.Policy, policy)
	e.leftJudge(&r.Judge, r.Strategy(), policy)
	e.loseIf(r.Problems != "", "problems", "has no place for the file of problems %q", fault.Clip(r.Problems, 60))
	e.loseIf(len(r.PassAt) > 0, "pass_at", "has no pass@k")
	e.changeIf(r.LengthPenalty != nil, "length_penalty", "has no length penalty")
	e.changeIf(r.Fallback != nil, "fallback", "has no fallback verdicts")
	e.leftFree("", r.Metadata, r.Ext)
}

func showPass(p rubric.Pass) string {
	s := ""
	for _, b := range p.Bands {
		s += fmt.Sprintf("%s from %s, ", b.Label, rubric.FormatNumber(b.Min))
	}
	return s + "else " + p.Lowest()
}

func (e *encoder) leftJudge(j *rubric.Judge, strategy rubric.Strategy, policy rubric.Policy) {
	e.loseIf(strategy != policy.Strategy, "judge.strategy", "asks its judge %s, not %s", policy.Strategy, strategy)
	e.loseIf(j.System != "", "judge.system", "has no place for a system prompt")
	e.loseIf(j.Model != "" || j.Attempts != 0 || j.Temperature != nil || j.MaxTokens != 0 || j.Batch != 0, "judge", "has no place for judge settings")
}

// leftPolicy compares the effective policy of a rubric with the dialect's.
func (e *encoder) leftPolicy(whole *rubric.Rubric, had, policy rubric.Policy) {
	has, does := effective(whole, had), effective(whole, policy)
	e.changeIf(has.Aggregate != does.Aggregate, "aggregate", "combines the criteria by %s, not %s", does.Aggregate, has.Aggregate)
	e.changeIf(has.Required != does.Required, "required_means", "takes required for %s, not %s", means(does.Required), means(has.Required))
	e.changeIf(has.RawAsScore, "normalize", "has no scores that are not normalized")
	e.changeIf(has.Normalization != does.Normalization, "normalization", "has no place for the normalization %s", has.Normalization)
	e.changeIf(has.Blend != does.Blend, "blend", "blends by %s, not %s", does.Blend, has.Blend)
	e.loseIf(has.Raw != does.Raw, "raw", "reports another raw score")
	e.loseIf(!reflect.DeepEqual(has.Overall, does.Overall), "overall", "has another scale for a holistic judge")
}

func means(rule rubric.RequiredRule) string {
	if rule == rubric.RequiredIgnored {
		return "nothing"
	}
	return string(rule)
}

// sameHeader notes where the rubric of a case differs from the document's in
// more than its criteria and thresholds, which is all that a case may have.
func (e *encoder) sameHeader(path string, own, head *rubric.Rubric) {
	rest, same := *own, *head
	rest.Criteria, rest.Pass, rest.Source = same.Criteria, same.Pass, same.Source
	if name := EvaluatorName(own); e.to == Native && name != EvaluatorName(head) {
		e.lose(path+".ext."+evaluatorKey, "%s has no place for the name %q of a case's own evaluator", e.to, fault.Clip(name, 60))
	}
	rest.Ext, same.Ext = withoutEvaluator(rest.Ext), withoutEvaluator(same.Ext)
	if !reflect.DeepEqual(rest, same) {
		e.change(path, "the rubric of a case has its own criteria and thresholds, and no other settings")
	}
}

// leftKept lists the settings that the document has and the model has not, as
// far as they are not written again.
func (e *encoder) leftKept(doc *Document) {
	for _, path := range doc.kept {
		if !e.written[path] {
			e.lose(path, "%s is not carried over", path)
		}
	}
}

// effective returns the effective policy for r: parts that cannot matter
// there are set to one form, so that two policies with the same arithmetic are
// equal. Strategy is left out.
func effective(r *rubric.Rubric, p rubric.Policy) rubric.Policy {
	p.Strategy = ""
	switch p.Aggregate {
	case "", rubric.Auto: // the signed form, which is the mean where no weight is negative
		p.Aggregate = rubric.Signed
	case rubric.WeightedMean:
		if !rubric.Contains(r.Criteria, (*rubric.Criterion).Penalty) {
			p.Aggregate = rubric.Signed
		}
	}
	if p.Blend == "" || len(r.Metrics) == 0 {
		p.Blend = rubric.WeightedAverage
	}
	if p.Normalization == "" || p.Raw != rubric.RawOnScale {
		p.Normalization = rubric.MinMax
	}
	if p.RawAsScore && p.Raw == rubric.RawNone {
		p.RawAsScore = false
	}
	if p.Required != rubric.RequiredEvaluated && !r.Requires() {
		p.Required = rubric.RequiredIgnored
	}
	p.Overall = cmp.Or(p.Overall, &rubric.Scale{Min: 0, Max: 100})
	return p
}

// everyCriterion returns a rubric that has the criteria of all rubrics of a
// document: the effective policy depends on them.
func (doc *Document) everyCriterion(r *rubric.Rubric) *rubric.Rubric {
	all := *r
	all.Criteria = append([]rubric.Criterion{}, r.Criteria...)
	for i := range doc.Cases {
		if own := doc.Cases[i].Rubric; own != nil && own != doc.Rubric {
			all.Criteria = append(all.Criteria, own.Criteria...)
		}
	}
	return &all
}
