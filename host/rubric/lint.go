package rubric

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/rubric-host/rubric-host/host/xslices"
)

// Lint returns the questionable points of a rubric that Check accepts: the best
// practices of the systems whose dialects we read (OpenRubricRL's schema page,
// AgentEvals' and dataknobs' guides). CheckWeights has the rest.
func Lint(r *Rubric) []Problem {
	var p problems
	lintSize(&p, r)
	lintText(&p, r)
	lintWeights(&p, r)
	lintLevels(&p, r)
	lintExamples(&p, r)
	lintThreshold(&p, r)
	return p.list
}

func lintSize(p *problems, r *Rubric) {
	const few, many = 3, 7
	switch n := len(r.Criteria); {
	case n < few:
		word := "criteria"
		if n == 1 {
			word = "criterion"
		}
		p.add("criteria", "criteria-few", "three to seven criteria tell more than one or two", "only %d %s", n, word)
	case n > many:
		p.add("criteria", "criteria-many", "group related criteria; three to seven are easiest to judge and to read", "%d criteria", n)
	}
}

// lintText finds criteria without text, and pairs that say the same.
func lintText(p *problems, r *Rubric) {
	const most = 200 // pairs grow with the square; beyond this only equal texts are found
	type said struct {
		path  string
		words map[string]bool
	}
	var all []said
	equal := map[string]string{}
	r.Walk(func(path string, c *Criterion) {
		if c.Group() || c.Scorer.WayOrJudge() != ByJudge || strings.TrimSpace(c.Text) == "" {
			return
		}
		words := wordsOf(c.Text)
		key := strings.Join(strings.Fields(strings.ToLower(c.Text)), " ")
		if first, ok := equal[key]; ok {
			p.add(path, "text-duplicate", "remove one, or describe the difference", "criterion %q says the same as %s", c.ID, first)
			return
		}
		equal[key] = path
		if len(all) < most {
			for _, other := range all {
				if overlap(words, other.words) >= 0.75 {
					p.add(path, "text-overlap", "criteria that overlap count the same fault twice", "criterion %q says nearly the same as %s", c.ID, other.path)
					break
				}
			}
			all = append(all, said{path, words})
		}
		if len(words) < 2 && c.Scorer.Prompt == nil {
			p.add(path, "text-vague", "describe something that a judge can see in the output", "criterion %q says only %q", c.ID, c.Text)
		}
	})
}

func wordsOf(text string) map[string]bool {
	return xslices.Set(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

// overlap is the Jaccard index of two sets of words; 0 where one is tiny.
func overlap(a, b map[string]bool) float64 {
	if len(a) < 4 || len(b) < 4 {
		return 0
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func lintWeights(p *problems, r *Rubric) {
	sum, largest, weighted := 0.0, 0.0, 0
	for i := range r.Criteria {
		c := &r.Criteria[i]
		w := math.Abs(c.Weight.Value)
		sum += w
		largest = math.Max(largest, w)
		if w > 0 {
			weighted++
		} else if !c.Required && c.Min == nil {
			p.add(fmt.Sprintf("criteria[%d].weight", i), "weight-zero", "give it a weight, make it required, or remove it", "criterion %q has weight 0 and no gate: it changes nothing", c.ID)
		}
	}
	if weighted >= 3 && largest > 0.9*sum {
		p.add("criteria", "weight-dominant", "check the weights", "one criterion holds more than 90 %% of the weight")
	}
}

func lintLevels(p *problems, r *Rubric) {
	r.Walk(func(path string, c *Criterion) {
		levels := c.Answer.Levels
		if len(levels) == 1 {
			p.add(path+".levels", "levels-single", "add a second level", "criterion %q has a single level: every output scores the same", c.ID)
		}
		up, down := true, true
		for i := 1; i < len(levels); i++ {
			up = up && levels[i].Score >= levels[i-1].Score
			down = down && levels[i].Score <= levels[i-1].Score
		}
		switch {
		case !up && !down:
			p.add(path+".levels", "levels-order", "write the levels from low to high", "the levels of criterion %q rise and fall", c.ID)
		case up && down && len(levels) > 1:
			p.add(path+".levels", "levels-equal", "give the levels different scores", "every level of criterion %q scores the same", c.ID)
		}
	})
}

// lintExamples speaks only where a rubric has examples, or is of a dialect that
// has a place for them.
func lintExamples(p *problems, r *Rubric) {
	if r.Source.Dialect != "openrubricrl" {
		return
	}
	with := 0
	for i := range r.Criteria {
		c := &r.Criteria[i]
		path := fmt.Sprintf("criteria[%d].examples", i)
		if len(c.Examples) > 0 {
			with++
		}
		have := map[string]bool{}
		for _, set := range c.Examples {
			have[set.Level] = true
			for _, e := range set.Examples {
				if s := r.ScaleOf(c); !s.Has(e.Score) {
					p.add(path, "example-score", "examples teach the judge the scale", "an example of %q scores %s, outside %s..%s", c.ID, FormatNumber(e.Score), FormatNumber(s.Min), FormatNumber(s.Max))
				}
			}
		}
		if len(c.Examples) > 0 && !(have["excellent"] && have["good"] && have["poor"]) {
			p.add(path, "examples-uniform", "cover excellent, good and poor", "the examples of criterion %q do not cover excellent, good and poor", c.ID)
		}
	}
	if with < len(r.Criteria) {
		p.add("criteria", "examples-missing", "one example per level steadies a judge", "%d of %d criteria have no examples", len(r.Criteria)-with, len(r.Criteria))
	}
}

// lintThreshold finds a threshold that every case reaches, or none does.
func lintThreshold(p *problems, r *Rubric) {
	if !r.Pass.Set() {
		// Gates decide, where there are some. Other formats without a pass rule have no place for one, and a rubric with
		// a raw score or a length penalty is a reward, of which nothing passes.
		if !r.Decides() && r.Source.Dialect == "native" && r.Policy.Raw == RawNone && r.LengthPenalty == nil {
			p.add("pass", "pass-missing", "write pass: 0.8, or required: true in a criterion", "nothing says which scores pass: no case passes or fails")
		}
		return
	}
	if len(r.Metrics) > 0 {
		return
	}
	top := r.Pass.Bands[0].Min
	low, high, ok := reachable(r)
	switch {
	case !ok:
	case top > high+Slack:
		p.add("pass", "threshold-unreachable", "lower it, or raise the scores of the best levels", "no output can pass: the threshold is %s, the best score %s", FormatNumber(top), FormatNumber(high))
	case top <= low+Slack:
		p.add("pass", "threshold-trivial", "raise it", "every output passes: the threshold is %s, the worst score %s", FormatNumber(top), FormatNumber(low))
	}
}

// reachable returns the lowest and the highest score of a flat rubric that is
// averaged; ok is false for any other.
func reachable(r *Rubric) (low, high float64, ok bool) {
	if a := r.Policy.Aggregate; a != "" && a != Auto && a != WeightedMean {
		return 0, 0, false
	}
	sum := 0.0
	for i := range r.Criteria {
		c := &r.Criteria[i]
		w := c.Weight.Value
		if c.Group() || w < 0 {
			return 0, 0, false
		}
		worst, best := 0.0, 1.0
		if levels := c.Answer.Levels; len(levels) > 0 {
			worst, best = levels[0].Score, levels[0].Score
			for _, l := range levels {
				worst, best = math.Min(worst, l.Score), math.Max(best, l.Score)
			}
		}
		low, high, sum = low+w*worst, high+w*best, sum+w
	}
	if !(sum > 0) || !Finite(sum) {
		return 0, 0, false
	}
	return low / sum, high / sum, true
}
