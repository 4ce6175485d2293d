package rubric

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// MaxDepth is the deepest nesting of criteria that Check accepts.
const MaxDepth = 32

// A Problem is something wrong with, or unwise about, a rubric: the element it
// concerns, as Walk names it ("criteria[2].weight"), and words for a person.
type Problem struct {
	Path    string
	Code    string
	Message string
	Hint    string
}

type problems struct{ list []Problem }

func (p *problems) add(path, code, hint, format string, args ...any) {
	p.list = append(p.list, Problem{Path: path, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Check returns everything that makes r unusable, in document order; nil if
// nothing does. Rules that only one dialect has are that dialect's business.
func Check(r *Rubric) []Problem {
	var p problems
	if strings.TrimSpace(r.ID) == "" {
		p.add("id", "id-missing", "", "the rubric has no id")
	}
	if len(r.Criteria) == 0 {
		p.add("criteria", "criteria-empty", "add at least one criterion", "the rubric has no criteria")
	}
	checkScale(&p, "scale", r.Scale)
	checkScale(&p, "policy.overall", r.Policy.Overall)
	checkPass(&p, r.Pass)
	checkAggregate(&p, "aggregate", r.Policy.Aggregate)
	if _, ok := r.Policy.Aggregate.Go(); ok && (r.Policy.Raw == RawOnScale || r.Policy.RawAsScore) {
		p.add("aggregate", "aggregate-raw", "remove one of them", "the raw score would replace the score of the aggregate %s", r.Policy.Aggregate)
	}
	checkBlend(&p, &r.Policy)
	checkLengthPenalty(&p, r.LengthPenalty)
	checkSamples(&p, r)
	checkSum(&p, "criteria", r.Criteria)
	checkSum(&p, "metrics", r.Metrics)
	seen := idSet{}
	for i := range r.Criteria {
		checkCriterion(&p, seen, fmt.Sprintf("criteria[%d]", i), &r.Criteria[i], 1)
	}
	for i := range r.Metrics {
		checkCriterion(&p, seen, fmt.Sprintf("metrics[%d]", i), &r.Metrics[i], 1)
	}
	return p.list
}

// CheckHolistic returns what one number for the whole rubric, the strategy Holistic,
// would leave out: criteria that a judge does not answer, gates, which need a value of
// their criterion, and prompts of criteria. Nil: nothing, or no criterion is judged.
func CheckHolistic(r *Rubric) []Problem {
	const instead = "use the strategy per-criterion or batch"
	if !slices.ContainsFunc(r.Leaves(), func(c *Criterion) bool { return c.Scorer.WayOrJudge() == ByJudge }) {
		return nil
	}
	var p problems
	r.Walk(func(path string, c *Criterion) {
		judged := !c.Group() && c.Scorer.WayOrJudge() == ByJudge
		metric := strings.HasPrefix(path, "metrics")
		switch {
		case metric && judged:
			p.add(path, "holistic-judged", instead, "the holistic strategy asks for one number, and the metric %q is judged", c.ID)
		case metric:
		case !judged && !c.Group():
			p.add(path, "holistic-unjudged", instead, "the holistic strategy asks for one number, and criterion %q is not judged", c.ID)
		case r.Gated(c):
			p.add(path, "holistic-gate", instead, "the holistic strategy asks for one number, and criterion %q has a gate (required or min), which needs a value of its own", c.ID)
		case c.Scorer.Prompt != nil:
			p.add(path, "holistic-prompt", instead, "the holistic strategy asks for one number, and criterion %q has a prompt of its own", c.ID)
		}
	})
	return p.list
}

// idSet finds ids that are the same, or differ only in case.
type idSet map[string]struct{ path, id string }

func (s idSet) check(p *problems, path, id string) {
	key := strings.ToLower(id)
	first, taken := s[key]
	switch {
	case !taken:
		s[key] = struct{ path, id string }{path, id}
	case first.id == id:
		p.add(path+".id", "id-duplicate", "give each an id of its own", "the id %q is that of %s too", id, first.path)
	default:
		p.add(path+".id", "id-case", "judges do not keep case apart; rename one", "the id %q differs from %q of %s only in case", id, first.id, first.path)
	}
}

func checkCriterion(p *problems, seen idSet, path string, c *Criterion, depth int) {
	if strings.TrimSpace(c.ID) == "" {
		p.add(path+".id", "id-missing", "", "the criterion has no id")
	} else {
		seen.check(p, path, c.ID)
	}
	if !Finite(c.Weight.Value) {
		p.add(path+".weight", "weight-not-finite", "write a finite number", "the weight is %s", FormatNumber(c.Weight.Value))
	}
	if c.Min != nil && !(*c.Min >= 0 && *c.Min <= 1) {
		p.add(path+".min", "min-range", "write a value from 0 to 1", "the minimum %s is not in 0..1", FormatNumber(*c.Min))
	}
	if c.Group() {
		checkAggregate(p, path+".aggregate", c.Aggregate)
		if depth == MaxDepth {
			p.add(path+".criteria", "too-deep", "flatten the tree", "criteria nest more than %d deep", MaxDepth)
			return
		}
		checkSum(p, path+".criteria", c.Criteria)
		for i := range c.Criteria {
			checkCriterion(p, seen, fmt.Sprintf("%s.criteria[%d]", path, i), &c.Criteria[i], depth+1)
		}
		return
	}
	checkAnswer(p, path, c)
	checkBinding(p, path, c)
	for i, set := range c.Examples {
		for j, e := range set.Examples {
			if !Finite(e.Score) {
				p.add(fmt.Sprintf("%s.examples[%d].examples[%d].score", path, i, j), "score-not-finite", "", "the score is not a finite number")
			}
		}
	}
}

// checkSum refuses weights whose sum no float64 holds.
func checkSum(p *problems, path string, list []Criterion) {
	sum := 0.0
	for i := range list {
		w := list[i].Weight.Value
		if sum += math.Abs(w); Finite(sum) {
			continue
		}
		if Finite(w) { // else it is a problem itself
			p.add(fmt.Sprintf("%s[%d].weight", path, i), "weight-overflow", "write smaller weights", "the weights sum to more than a float64 holds")
		}
		return
	}
}

func checkAnswer(p *problems, path string, c *Criterion) {
	a := &c.Answer
	checkScale(p, path+".scale", a.Scale)
	switch a.KindOrMet() {
	case KindMet, KindNumber:
	case KindLevel:
		if len(a.Levels) == 0 {
			p.add(path+".levels", "levels-empty", "add at least one level", "criterion %q answers with a level and has none", c.ID)
		}
	default:
		p.add(path+".answer", "answer-kind", "", "unknown kind of answer %q", a.Kind)
	}
	ids := idSet{}
	for i, l := range a.Levels {
		at := fmt.Sprintf("%s.levels[%d]", path, i)
		if strings.TrimSpace(l.ID) == "" {
			p.add(at+".id", "id-missing", "", "the level has no id")
		} else {
			ids.check(p, at, l.ID)
		}
		if !(l.Score >= 0 && l.Score <= 1) {
			p.add(at+".score", "score-range", "write a score from 0 to 1", "the score %s of level %q is not in 0..1", FormatNumber(l.Score), l.ID)
		}
	}
	for i, b := range a.Bands {
		if !(b.Low <= b.High) || !Finite(b.Low) || !Finite(b.High) {
			p.add(fmt.Sprintf("%s.bands[%d]", path, i), "band-order", "write the lower end first", "the band %s..%s is empty", FormatNumber(b.Low), FormatNumber(b.High))
		}
	}
	for i, at := range a.Anchors {
		if !Finite(at.At) {
			p.add(fmt.Sprintf("%s.anchors[%d]", path, i), "anchor-not-finite", "", "the anchor is not a finite number")
		}
	}
}

func checkBinding(p *problems, path string, c *Criterion) {
	b := &c.Scorer
	switch b.WayOrJudge() {
	case ByJudge:
		if b.Prompt == nil && strings.TrimSpace(c.Text) == "" && strings.TrimSpace(c.Name) == "" {
			p.add(path, "text-missing", "tell the judge what to look for", "criterion %q has no text to judge by", c.ID)
		}
	case ByMetric:
		if b.Metric == nil || strings.TrimSpace(b.Metric.Plugin) == "" {
			p.add(path+".metric", "plugin-missing", "name a plugin", "criterion %q names no plugin", c.ID)
		}
	case BySchema:
		if b.Schema == nil || b.Schema.Inline == nil && b.Schema.Ref == "" {
			p.add(path+".schema", "schema-missing", "write a JSON Schema", "criterion %q has no schema", c.ID)
		}
	default:
		p.add(path, "way-unknown", "", "unknown way of scoring %q", b.Way)
	}
}

func checkScale(p *problems, path string, s *Scale) {
	switch {
	case s == nil:
	case !Finite(s.Min) || !Finite(s.Max):
		p.add(path, "scale-not-finite", "write finite numbers", "the scale %s..%s is not finite", FormatNumber(s.Min), FormatNumber(s.Max))
	case s.Min >= s.Max:
		p.add(path, "scale-empty", "write the lower end as min", "the scale %s..%s is empty", FormatNumber(s.Min), FormatNumber(s.Max))
	case math.IsInf(s.Max-s.Min, 0):
		p.add(path, "scale-not-finite", "narrow the scale", "the scale %s..%s is too wide for floating point", FormatNumber(s.Min), FormatNumber(s.Max))
	}
}

func checkPass(p *problems, pass Pass) {
	last := math.Inf(1)
	for i, b := range pass.Bands {
		path := fmt.Sprintf("pass.bands[%d]", i)
		if len(pass.Bands) == 1 && pass.Form == "threshold" {
			path = "pass"
		}
		switch {
		case !(b.Min >= 0 && b.Min <= 1):
			p.add(path, "threshold-range", "write a score from 0 to 1", "the threshold %s is not in 0..1", FormatNumber(b.Min))
		case b.Min >= last:
			p.add(path, "bands-order", "write the best band first", "band %q begins at %s, not below the one before it", b.Label, FormatNumber(b.Min))
		}
		last = b.Min
	}
}

func checkAggregate(p *problems, path string, a Aggregate) {
	if a == "" {
		return
	}
	if !a.Known() {
		p.add(path, "aggregate-unknown", "", "unknown aggregate %q", a)
	}
}

func checkBlend(p *problems, policy *Policy) {
	switch policy.Blend {
	case "", WeightedAverage, Multiplicative, BlendMax, BlendMin:
	default:
		p.add("policy.blend", "blend-unknown", "", "unknown blend %q", policy.Blend)
	}
	switch policy.Normalization {
	case "", MinMax, Sigmoid, ZScore:
	default:
		p.add("policy.normalization", "normalization-unknown", "", "unknown normalization %q", policy.Normalization)
	}
}

// MaxPassAt is the largest k of pass@k.
const MaxPassAt = 10_000

func checkSamples(p *problems, r *Rubric) {
	if r.Problems != "" && !filepath.IsLocal(r.Problems) {
		p.add("problems", "path-outside", "put the file next to the rubric", "problems %q is not below the rubric's directory", r.Problems)
	}
	if len(r.PassAt) > 0 && !r.Decides() {
		p.add("pass_at", "pass-missing", "write pass: 1", "pass_at needs a rule for what passes")
	}
	for i, k := range r.PassAt {
		path := fmt.Sprintf("pass_at[%d]", i)
		if k < 1 || k > MaxPassAt {
			p.add(path, "number-range", "write numbers of samples, such as [1, 10]", "k is %d, not within 1 and %d", k, MaxPassAt)
		}
		if slices.Contains(r.PassAt[:i], k) {
			p.add(path, "said-twice", "write each k once", "k %d stands twice in pass_at", k)
		}
	}
}

func checkLengthPenalty(p *problems, l *LengthPenalty) {
	if l == nil {
		return
	}
	if l.Free < 0 || l.Cap < l.Free {
		p.add("length_penalty", "length-range", "set 0 <= free_budget <= max_cap", "free_budget %d is not within 0 and max_cap %d", l.Free, l.Cap)
	}
	if !Finite(l.AtCap) || !(l.Exponent > 0) || math.IsInf(l.Exponent, 0) {
		p.add("length_penalty", "length-not-finite", "write finite numbers and a positive exponent", "penalty_at_cap %s with exponent %s", FormatNumber(l.AtCap), FormatNumber(l.Exponent))
	}
}

// CheckWeights returns warnings about the weights of the criteria and of each
// group: weights that give no score, and those that only take off. The rubric is
// valid all the same. The codes begin with "weights-".
func CheckWeights(r *Rubric) []Problem {
	var p problems
	p.weights(r, "criteria", "", r.Policy.Aggregate, r.Criteria)
	return p.list
}

// weights warns about the list at path, and the groups in it. group is the id of
// the group that it is of; empty: it is the rubric's own.
func (p *problems) weights(r *Rubric, path, group string, how Aggregate, list []Criterion) {
	how = cmp.Or(how, r.Policy.Aggregate)
	sum, positive, negative := 0.0, 0, 0
	for i := range list {
		w := list[i].Weight.Value
		sum += w
		switch {
		case w > 0:
			positive++
		case w < 0:
			negative++
		}
	}
	of, without := "", "no case can have a score"
	if group != "" {
		of, without = fmt.Sprintf(" in group %q", group), "the group never has a score"
	}
	_, custom := how.Go()
	switch {
	case len(list) == 0 || custom:
	case positive+negative == 0:
		p.add(path, "weights-zero", "give one of them a weight, such as weight: 1", "every criterion%s has weight 0: %s", of, without)
	case how == WeightedMean && !(sum > 0):
		p.add(path, "weights-sum", "give criteria more weight than penalties", "the weights%s sum to %s, and a weighted mean divides by the sum: %s", of, FormatNumber(sum), without)
	case positive == 0 && (how == Signed || how == Auto || how == ""):
		p.add(path, "weights-negative", "give criteria that should be met a positive weight, unless the rubric has penalties only", "every weight%s is negative: an output that meets no criterion scores 1", of)
	}
	for i := range list {
		if c := &list[i]; c.Group() {
			p.weights(r, fmt.Sprintf("%s[%d].criteria", path, i), c.ID, c.Aggregate, c.Criteria)
		}
	}
}
