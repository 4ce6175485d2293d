package dialect

import (
	"cmp"
	"math"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// native is our own format: NATIVE.md is its reference.
var native = dialect{
	name:    Native,
	summary: "an object with rubric (its id) and criteria with judge, metric, schema or prompt",
	decode:  readNative,
	encode:  writeNative,
	spelling: map[string]string{
		"id": "id rubric", "text": "judge description", "pass": "pass bands", "bands": "ranges bands", "anchors": "ranges", "policy": "overall",
	},
}

func nativePolicy() rubric.Policy {
	return rubric.Policy{Aggregate: rubric.Auto, Required: rubric.RequiredMet, Strategy: rubric.PerCriterion}
}

// The words of the native format.
var (
	strategies     = []string{string(rubric.PerCriterion), string(rubric.Batch), string(rubric.Holistic)}
	blends         = []string{string(rubric.WeightedAverage), string(rubric.Multiplicative), string(rubric.BlendMax), string(rubric.BlendMin)}
	normalizations = []string{string(rubric.MinMax), string(rubric.Sigmoid), string(rubric.ZScore)}
	sections       = []string{"all", "output", "thinking"}
	statuses       = []string{"MET", "UNMET"}
	contractKinds  = []string{"metric", "scorer", "judge", "check"}
)

var requiredMeanings = map[string]rubric.RequiredRule{
	"met": rubric.RequiredMet, "nonzero": rubric.RequiredNonzero, "evaluated": rubric.RequiredEvaluated, "nothing": rubric.RequiredIgnored,
}

var rawRules = map[string]rubric.RawRule{"points": rubric.RawPoints, "ratio": rubric.RawRatio, "scale": rubric.RawOnScale}

// aggregate reads how criteria combine: a word, or go:NAME.
func (s *scope) aggregate() rubric.Aggregate {
	if v, _ := s.Raw(may, "aggregate"); v != nil && v.Kind == document.Text {
		a := rubric.Aggregate(v.Value)
		if _, ok := a.Go(); ok && a.Known() {
			return a
		}
	}
	words := xslices.Map(rubric.Aggregates(), func(a rubric.Aggregate) string { return string(a) })
	return rubric.Aggregate(s.Choice(may, append(words, "go:NAME"), "aggregate"))
}

func readNative(d *decoder, n *node) contents {
	d.Shapes = map[string]string{
		"criterion": "such as {id: polite, judge: The answer is polite.}", "level": "such as {id: good, score: 1}", "scale": "such as {min: 0, max: 10}",
	}
	s := d.object(n, "", "rubric")
	if s == nil {
		return contents{}
	}
	r := &rubric.Rubric{Policy: nativePolicy()}
	s.Text(may, "$schema")
	r.ID = s.Word(must, "rubric")
	r.Name = s.Text(may, "name")
	r.Version = s.Text(may, "version")
	r.Description = s.Prose(may, "description")
	r.Domain = s.Text(may, "domain")
	r.TargetType = s.Text(may, "target_type")
	r.Scale = s.scale(may, "discrete", "scale")
	s.nativePass(&r.Pass)
	r.Problems = s.Word(may, "problems")
	r.PassAt = s.integers("pass_at")
	s.nativePolicy(r)
	s.nativeJudge(&r.Judge)
	r.LengthPenalty = s.lengthPenalty()
	r.Fallback = s.fallback()
	t := trace{node: n}
	cases, casePath := s.List(may, "cases")
	list, path := s.List(need(cases == nil), "criteria")
	r.Criteria, t.criteria = readNativeList(d, r, list, path, rubric.One)
	if metrics, path := s.List(may, "metrics"); metrics != nil {
		r.Metrics, t.metrics = readNativeList(d, r, metrics, path, rubric.Weight{})
		s.nativeShares(r)
	}
	r.Metadata = s.Free("metadata")
	r.Ext = s.Free("ext")
	s.Close()
	var out contents
	if list != nil || cases == nil {
		out.rubrics = []placedRubric{{r, t}}
	}
	for i, item := range cases {
		out.cases = append(out.cases, readNativeCase(d, r, item, document.Index(casePath, i), list != nil))
	}
	if cases != nil && list == nil && len(cases) == 0 {
		d.Fail(n.At, "criteria", "criteria-empty", "add criteria", "the document has neither criteria nor cases")
	}
	(&evalReader{d: d, out: out}).uniqueCases()
	return out
}

// nativePass reads pass: a threshold, or bands: an object from verdict to the
// lowest score that reaches it, the best first.
func (s *scope) nativePass(pass *rubric.Pass) {
	if t, ok := s.Number(may, "pass"); ok {
		*pass = rubric.Threshold(t)
	}
	v, key := s.Raw(may, "bands")
	below := s.Text(may, "below")
	if v != nil {
		if len(pass.Bands) > 0 {
			s.d.Fail(v.At, s.Sub(key), "said-twice", "keep one of pass and bands", `"pass" and "bands" say the same`)
		}
		*pass = rubric.Pass{Form: "bands"}
		if v.Kind != document.Object {
			s.d.Wrong(v, s.Sub(key), "an object from verdict to score")
		}
		for _, m := range v.Members {
			x, _ := s.d.Number(m.Value, document.Join(s.Sub(key), m.Key))
			pass.Bands = append(pass.Bands, rubric.PassBand{Label: m.Key, Min: x})
		}
	}
	pass.Below = below
}

func (s *scope) nativePolicy(r *rubric.Rubric) {
	p := &r.Policy
	p.Aggregate = cmp.Or(s.aggregate(), p.Aggregate)
	if word := s.Choice(may, sortedKeys(requiredMeanings), "required_means"); word != "" {
		p.Required = requiredMeanings[word]
	}
	p.Raw = rawRules[s.Choice(may, sortedKeys(rawRules), "raw")]
	p.Blend = rubric.Blend(s.Choice(may, blends, "blend"))
	p.Normalization = rubric.Normalization(s.Choice(may, normalizations, "normalization"))
	p.Overall = s.scale(may, "discrete", "overall")
	if p.Raw == rubric.RawOnScale && p.Overall == nil && r.Scale != nil {
		p.Overall = new(*r.Scale)
	}
	if normalize, set := s.Flag("normalize"); set && !normalize {
		p.RawAsScore = true
		if p.Raw == rubric.RawNone {
			p.Raw = rubric.RawPoints
		}
	}
	if p.Raw == rubric.RawOnScale && r.Scale == nil && s.Node.Get("scale") == nil {
		s.d.Fail(s.Node.Get("raw").At, "raw", "scale-missing", "write scale: {min: 0, max: 10}", "raw: scale needs the rubric's scale")
	}
	if v := s.Node.Get("normalization"); p.Normalization != "" && p.Raw != rubric.RawOnScale {
		s.d.Fail(v.At, "normalization", "scale-missing", "write raw: scale", "a normalization maps scores on a scale")
	}
}

func (s *scope) nativeJudge(j *rubric.Judge) {
	o := s.member(may, "judge", "judge")
	if o == nil {
		return
	}
	j.Strategy = rubric.Strategy(o.Choice(may, strategies, "strategy"))
	j.Batch, _ = o.Integer(1, "batch")
	j.System = o.Text(may, "system")
	j.Model = o.Text(may, "model")
	j.Attempts, _ = o.Integer(1, "attempts")
	if t, ok := o.NumberTo(may, math.Inf(1), "temperature"); ok {
		j.Temperature = &t
	}
	j.MaxTokens, _ = o.Integer(1, "max_tokens")
	o.Close()
}

// Defaults of the length penalty (rubric 1.3, autograders/base).
const (
	defaultFreeBudget   = 6000
	defaultMaxCap       = 8000
	defaultPenaltyAtCap = 0.5
	defaultExponent     = 1.6
)

func (s *scope) lengthPenalty() *rubric.LengthPenalty {
	o := s.member(may, "length_penalty", "length penalty")
	if o == nil {
		return nil
	}
	l := &rubric.LengthPenalty{Free: defaultFreeBudget, Cap: defaultMaxCap, AtCap: defaultPenaltyAtCap, Exponent: defaultExponent}
	if n, ok := o.Integer(0, "free_budget"); ok {
		l.Free = n
	}
	if n, ok := o.Integer(1, "max_cap"); ok {
		l.Cap = n
	}
	if x, ok := o.Number(may, "penalty_at_cap"); ok {
		l.AtCap = x
	}
	if x, ok := o.Number(may, "exponent"); ok {
		l.Exponent = x
	}
	l.Section = o.Choice(may, sections, "section")
	o.Close()
	return l
}

func (s *scope) fallback() *rubric.Fallback {
	o := s.member(may, "fallback", "fallback")
	if o == nil {
		return nil
	}
	f := &rubric.Fallback{Positive: o.Choice(may, statuses, "positive"), Negative: o.Choice(may, statuses, "negative")}
	o.Close()
	return f
}

// nativeShares holds the weights of metrics to a sum that leaves room for the
// criteria.
func (s *scope) nativeShares(r *rubric.Rubric) {
	v := s.Node.Get("metrics")
	for i := range r.Metrics {
		if r.Metrics[i].Weight.Value < 0 {
			s.d.Fail(v.Items[i].At, document.Index("metrics", i), "weight-range", "write a share from 0 to 1", "the weight of the metric %q is negative", r.Metrics[i].ID)
		}
	}
	if average := r.Policy.Blend == "" || r.Policy.Blend == rubric.WeightedAverage; average {
		s.shares("metrics", r.Metrics)
	}
}

// readNativeCase reads a case: free fields in the vocabulary of datasets, and
// under rubric the differences from the document's for this case. Without criteria of its
// own or of the document it has no rubric, which is an error unless one is to be drafted.
func readNativeCase(d *decoder, r *rubric.Rubric, n *node, path string, shared bool) placedCase {
	held := placedCase{at: n.At}
	s := d.object(n, path, "case")
	if s == nil {
		return held
	}
	held.ID = s.Word(must, "id")
	v, key := s.Raw(may, "rubric")
	if v == nil && !shared && !d.undrafted {
		d.Fail(n.At, s.Sub("rubric"), "key-missing", "write criteria for the case under rubric, or for all cases; "+fault.OptionGenerate+" drafts them from expected outcomes",
			"the case has no criteria, and neither has the document")
	}
	fields := newObject()
	for i := range n.Members {
		if m := &n.Members[i]; m.Key != "rubric" {
			d.Value(m.Value, s.Sub(m.Key))
			fields.Put(m.Key, m.Value)
		}
	}
	s.Ignore()
	held.Fields = document.Compact(fields)
	o := d.object(v, s.Sub(key), "case rubric")
	if o == nil {
		return held
	}
	own, t := *r, trace{node: v, path: s.Sub(key)}
	list, inner := o.List(need(!shared && !d.undrafted), "criteria")
	if list != nil {
		own.Criteria, t.criteria = readNativeList(d, r, list, inner, rubric.One)
	}
	if o.Node.Has("pass", "bands", "below") {
		own.Pass = rubric.Pass{}
	}
	o.nativePass(&own.Pass)
	o.Close()
	if list != nil || shared || !d.undrafted {
		held.own = &placedRubric{&own, t}
	}
	return held
}
