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
	if c.ID != "" && !c.Made {
		e.lose(path+".id", "%s has no ids: %q", e.to, c.ID)
	}
	if c.Name != "" {
		e.lose(path+".name", "%s has no display names: %q", e.to, c.Name)
	}
	if c.Text != "" {
		e.lose(path+".text", "%s has no place for the description %q", e.to, fault.Clip(c.Text, 60))
	}
	if c.Weight.Value != 0 {
		e.change(path+".weight", "%s has no place for the weight %s", e.to, rubric.FormatNumber(c.Weight.Value))
	}
	if c.Required {
		e.change(path+".required", "%s has no gates: a case could pass without this criterion", e.to)
	}
	if c.Min != nil {
		e.change(path+".min", "%s has no place for the least value %s", e.to, rubric.FormatNumber(*c.Min))
	}
	e.leftAnswer(path, &c.Answer)
	if len(c.Examples) > 0 {
		e.lose(path+".examples", "%s has no examples", e.to)
	}
	if len(c.Subcriteria) > 0 {
		e.lose(path+".subcriteria", "%s has no subcriteria", e.to)
	}
	e.leftBinding(path, &c.Scorer)
	if len(c.Criteria) > 0 {
		e.change(path+".criteria", "%s has no groups of criteria", e.to)
	}
	if c.Aggregate != "" {
		e.change(path+".aggregate", "%s has no place for the aggregate %s", e.to, c.Aggregate)
	}
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
	if len(a.Bands) > 0 || len(a.Anchors) > 0 {
		e.lose(path+".ranges", "%s does not describe parts of a scale", e.to)
	}
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
	if b.Prompt != nil {
		e.change(path+".prompt", "%s has no custom prompts", e.to)
	}
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
	if r.ID != "" && !r.Made {
		e.lose("id", "%s has no place for the id %q", e.to, r.ID)
	}
	if len(r.Metrics) > 0 {
		e.change("metrics", "%s blends no metrics with the criteria", e.to)
	}
	if r.Scale != nil {
		e.change("scale", "%s has no scale for all criteria", e.to)
	}
	if len(r.Pass.Bands) > 0 || r.Pass.Below != "" {
		e.change("pass", "%s has no place for these thresholds: %s", e.to, showPass(r.Pass))
	}
	e.leftPolicy(whole, r.Policy, policy)
	e.leftJudge(&r.Judge, r.Strategy(), policy)
	if r.Problems != "" {
		e.lose("problems", "%s has no place for the file of problems %q", e.to, fault.Clip(r.Problems, 60))
	}
	if len(r.PassAt) > 0 {
		e.lose("pass_at", "%s has no pass@k", e.to)
	}
	if r.LengthPenalty != nil {
		e.change("length_penalty", "%s has no length penalty", e.to)
	}
	if r.Fallback != nil {
		e.change("fallback", "%s has no fallback verdicts", e.to)
	}
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
	if strategy != policy.Strategy {
		e.lose("judge.strategy", "%s asks its judge %s, not %s", e.to, policy.Strategy, strategy)
	}
	if j.System != "" {
		e.lose("judge.system", "%s has no place for a system prompt", e.to)
	}
	if j.Model != "" || j.Attempts != 0 || j.Temperature != nil || j.MaxTokens != 0 || j.Batch != 0 {
		e.lose("judge", "%s has no place for judge settings", e.to)
	}
}

// leftPolicy compares the effective policy of a rubric with the dialect's.
func (e *encoder) leftPolicy(whole *rubric.Rubric, had, policy rubric.Policy) {
	has, does := effective(whole, had), effective(whole, policy)
	if has.Aggregate != does.Aggregate {
		e.change("aggregate", "%s combines the criteria by %s, not %s", e.to, does.Aggregate, has.Aggregate)
	}
	if has.Required != does.Required {
		e.change("required_means", "%s takes required for %s, not %s", e.to, means(does.Required), means(has.Required))
	}
	if has.RawAsScore {
		e.change("normalize", "%s has no scores that are not normalized", e.to)
	}
	if has.Normalization != does.Normalization {
		e.change("normalization", "%s has no place for the normalization %s", e.to, has.Normalization)
	}
	if has.Blend != does.Blend {
		e.change("blend", "%s blends by %s, not %s", e.to, does.Blend, has.Blend)
	}
	if has.Raw != does.Raw {
		e.lose("raw", "%s reports another raw score", e.to)
	}
	if !reflect.DeepEqual(has.Overall, does.Overall) {
		e.lose("overall", "%s has another scale for a holistic judge", e.to)
	}
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
