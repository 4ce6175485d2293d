package dialect

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

// gen draws rubrics that rubric.Check accepts. Most are plain, with a feature or two,
// so that every loss has one cause.
type gen struct {
	t  *rapid.T
	n  int // criteria drawn so far
	in *rubric.Rubric
}

func (g *gen) rarely() bool  { return rapid.IntRange(0, 7).Draw(g.t, "rarely") == 0 }
func (g *gen) whether() bool { return rapid.Bool().Draw(g.t, "whether") }

var words = []string{
	"plain", "two words", "yes", "no", "1.5", "007", "~", "null", "true", "- dash", "# hash", "a: b", "a #b", "{brace}", "[bracket]", "'single'", `"double"`, "%percent", "@at", "`tick`",
	"what?", "? what", "*star", "&and", "!bang", "|pipe", ">more", "trailing ", " leading", "tab\there", "line\nbreak", "line\nbreak\n", "\nbegins with one", "trailing space \nline", "größe 漢字 🚢", "\u2028", "\u00a0", "\u0085", "\\back\\slash",
	"{{ output }}", "2024-01-01", "12:30", "0x1F", "1e5", "+1", ".5", "y", "N", "=", "<<", "é", "\u200b", "\ufeffbom", "\x07bell", "---", "...", "a,b", "",
}

func (g *gen) word() string  { return rapid.SampledFrom(words).Draw(g.t, "word") }
func (g *gen) prose() string { return strings.TrimSpace(g.word()+"x") + g.word() }

func (g *gen) number(lo, hi float64) float64 {
	if g.whether() {
		return math.Round(rapid.Float64Range(lo, hi).Draw(g.t, "number")*100) / 100
	}
	return rapid.Float64Range(lo, hi).Draw(g.t, "number")
}

func (g *gen) free() map[string]any {
	values := []any{nil, true, "yes", "text\nof two", 1.5, math.Copysign(0, -1), 1e300, []any{1.0, "x", nil, map[string]any{"y": "n"}}, map[string]any{}, []any{}}
	m := map[string]any{}
	for range rapid.IntRange(0, 2).Draw(g.t, "keys") {
		m[g.word()] = rapid.SampledFrom(values).Draw(g.t, "value")
	}
	return m
}

func (g *gen) rubric() *rubric.Rubric {
	r := &rubric.Rubric{ID: g.prose(), Policy: nativePolicy()}
	g.in = r
	if g.rarely() {
		r.Name, r.Version, r.Description = g.word(), g.word(), g.word()
	}
	if g.rarely() {
		r.TargetType, r.Domain = g.word(), rapid.SampledFrom(domains).Draw(g.t, "domain")
	}
	if g.rarely() {
		r.Metadata, r.Ext = g.free(), g.free()
	}
	if g.rarely() {
		r.Scale = g.scale()
	}
	g.policy(r)
	for range rapid.IntRange(1, 4).Draw(g.t, "criteria") {
		r.Criteria = append(r.Criteria, g.criterion(2))
	}
	if g.rarely() {
		c := g.leaf()
		c.Scorer, c.Weight = g.metric(), rubric.Weight{Value: g.number(0, 1)}
		c.Examples, c.Subcriteria, c.Required = nil, nil, false
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 0, Max: 1}}
		r.Metrics = []rubric.Criterion{c}
	}
	return r
}

func (g *gen) policy(r *rubric.Rubric) {
	p := &r.Policy
	switch rapid.IntRange(0, 12).Draw(g.t, "policy") {
	case 0:
		r.Pass = rubric.Threshold(g.number(0, 1))
	case 1:
		r.Pass = rubric.Pass{Bands: []rubric.PassBand{{Label: "pass", Min: 0.8}, {Label: "borderline", Min: 0.6}}, Form: "bands"}
	case 2:
		r.Pass = rubric.Pass{Bands: []rubric.PassBand{{Label: g.prose(), Min: 0.5}}, Below: g.word(), Form: "bands"}
	case 3:
		p.Aggregate = rapid.SampledFrom(rubric.Aggregates()).Draw(g.t, "aggregate")
	case 4:
		p.Required = rapid.SampledFrom([]rubric.RequiredRule{rubric.RequiredIgnored, rubric.RequiredNonzero, rubric.RequiredEvaluated}).Draw(g.t, "rule")
	case 5:
		p.Raw, p.RawAsScore = rubric.RawPoints, g.whether()
	case 6:
		if r.Scale != nil {
			overall := *r.Scale
			p.Raw, p.Overall = rubric.RawOnScale, &overall
			p.Normalization = rapid.SampledFrom([]rubric.Normalization{"", rubric.MinMax, rubric.Sigmoid}).Draw(g.t, "normalization")
		}
	case 7:
		r.Judge = rubric.Judge{Strategy: rapid.SampledFrom([]rubric.Strategy{rubric.PerCriterion, rubric.Batch, rubric.Holistic}).Draw(g.t, "strategy"), System: g.word(), Attempts: 2}
	case 8:
		r.LengthPenalty = &rubric.LengthPenalty{Free: 1, Cap: 5, AtCap: 0.5, Exponent: 1.6, Section: "output"}
	case 9:
		r.Fallback = &rubric.Fallback{Positive: "UNMET"}
	case 10:
		p.Blend = rapid.SampledFrom([]rubric.Blend{rubric.WeightedAverage, rubric.Multiplicative, rubric.BlendMin}).Draw(g.t, "blend")
	}
}

func (g *gen) scale() *rubric.Scale {
	return rapid.SampledFrom([]*rubric.Scale{{Min: 0, Max: 10}, {Min: 0, Max: 10, Discrete: true}, {Min: 0, Max: 1}, {Min: 1, Max: 5, Discrete: true}, {Min: -1.5, Max: 2.25}}).Draw(g.t, "scale")
}

func (g *gen) criterion(depth int) rubric.Criterion {
	if depth == 0 || !g.rarely() {
		return g.leaf()
	}
	g.n++
	c := rubric.Criterion{ID: fmt.Sprintf("group %d", g.n), Weight: g.weight()}
	if g.rarely() {
		c.Aggregate = rapid.SampledFrom([]rubric.Aggregate{rubric.WeightedMean, rubric.Min, rubric.Max, rubric.Product, rubric.All}).Draw(g.t, "aggregate")
	}
	if g.rarely() {
		half := 0.5
		c.Min = &half
	}
	for range rapid.IntRange(1, 3).Draw(g.t, "members") {
		c.Criteria = append(c.Criteria, g.criterion(depth-1))
	}
	return c
}

func (g *gen) weight() rubric.Weight {
	switch rapid.IntRange(0, 5).Draw(g.t, "weight") {
	case 0, 1, 2:
		return rubric.One
	case 3:
		return rubric.Weight{Value: g.number(0, 10)}
	case 4:
		return rubric.Weight{Value: 2.5, Literal: "2.50"}
	}
	return rubric.Weight{Value: g.number(-3, 3)}
}

func (g *gen) leaf() rubric.Criterion {
	g.n++
	c := rubric.Criterion{ID: fmt.Sprintf("%s %d", g.word(), g.n), Weight: g.weight(), Text: g.prose()}
	if g.rarely() {
		c.Required, c.RequiredSet = g.whether(), true
	}
	if g.rarely() {
		least := rapid.SampledFrom([]float64{0, 0.5, 0.7, 0.33, 1}).Draw(g.t, "min")
		c.Min = &least
	}
	if g.rarely() {
		c.Name = g.prose()
	}
	if g.rarely() {
		c.Metadata, c.Ext = g.free(), g.free()
	}
	if g.in.Scale != nil {
		c.Answer.Kind = rubric.KindNumber
	}
	switch rapid.IntRange(0, 11).Draw(g.t, "answer") {
	case 0:
		c.Answer = rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "no", Score: 0}, {ID: g.prose(), Label: g.word(), Description: g.word(), Score: 0.6, Indicators: []string{g.word()}}}}
	case 1:
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: g.scale()}
	case 2:
		s := g.scale()
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: s, Anchors: []rubric.Anchor{{At: s.Min, Text: g.word()}, {At: s.Max, Text: g.word()}}}
	case 3:
		s := g.scale()
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: s, Bands: []rubric.Band{{Low: s.Min, High: s.Max, Text: g.word()}}}
	case 4:
		c.Answer = rubric.Answer{Kind: rubric.KindMet}
	}
	switch rapid.IntRange(0, 15).Draw(g.t, "way") {
	case 0:
		c.Scorer = g.metric()
		if c.Answer.Kind != rubric.KindLevel {
			c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 0, Max: 1}}
		}
	case 1:
		c.Scorer = rubric.Binding{Way: rubric.BySchema, Schema: &rubric.Schema{Inline: map[string]any{"type": "object"}}}
		if c.Answer.Kind != rubric.KindLevel {
			c.Answer = rubric.Answer{}
		}
	case 2:
		c.Scorer = rubric.Binding{Prompt: &rubric.Prompt{Template: g.prose()}}
	case 3:
		c.Examples = []rubric.ExampleSet{{Level: "good", Examples: []rubric.Example{{Input: g.word(), Output: g.word(), Score: 1, Explanation: g.word()}}}}
	case 4:
		c.Subcriteria = []rubric.Subcriterion{{Name: g.word(), Description: g.word()}}
	}
	return c
}

func (g *gen) metric() rubric.Binding {
	m := &rubric.Metric{Plugin: rapid.SampledFrom([]string{"bleu", "rouge", "exact", "./x.wasm", "oci://host/x:1", "flesch"}).Draw(g.t, "plugin")}
	if g.rarely() {
		m.Export = "score"
	}
	if g.rarely() {
		m.Kind = rapid.SampledFrom([]string{"scorer", "judge"}).Draw(g.t, "kind")
	}
	if g.rarely() {
		m.Config = map[string]any{"variant": "rougeL", "use_stemmer": true}
	}
	if m.Kind == "judge" && g.rarely() {
		m.Args = []string{"--strict", "two words", "7"}
	}
	if g.rarely() {
		m.References = []string{"a", "b"}[:rapid.IntRange(1, 2).Draw(g.t, "references")]
	}
	return rubric.Binding{Way: rubric.ByMetric, Metric: m}
}

// documentOf wraps a rubric as Decode would have read it.
func documentOf(r *rubric.Rubric) *Document {
	return &Document{Dialect: Native, Format: YAML, Rubric: r, Rubrics: []*rubric.Rubric{r}}
}

func TestEncode_KeepsWhatItDoesNotList(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	amount.RapidIn(t, 40)
	rapid.Check(t, func(t *rapid.T) {
		g := &gen{t: t}
		r := g.rubric()
		if p := rubric.Check(r); p != nil {
			t.Fatalf("the generator drew what is not a rubric: %+v", p)
		}
		for _, to := range Names() {
			for _, format := range formatsOf {
				out, losses, err := Encode(documentOf(r), to, format)
				if err != nil {
					if to == Native || len(losses.Errors()) == 0 {
						t.Fatalf("%s: %v", to, err)
					}
					continue
				}
				again, err := Decode("", out, Options{Dialect: to, Format: format})
				if err != nil {
					t.Fatalf("%s: %v\n%s", to, err, out)
				}
				if found, err := detectIn(out); err != nil || found.Dialect != to {
					t.Fatalf("%s is taken for %s\n%s", to, found.Dialect, out)
				}
				if to == Native && len(losses) > 0 {
					t.Fatalf("losses in native: %v", losses)
				}
				if len(losses) == 0 {
					if d := cmp.Diff(essence(r), essence(again.Rubric)); d != "" {
						t.Fatalf("%s lost something in silence (-was +is)\n%s\n%s", to, d, out)
					}
				}
				if len(losses.Errors()) == 0 {
					sameScores(t, r, again.Rubric, to, out)
				}
				twice, more, err := Encode(again, "", format)
				if err != nil || len(more) > 0 || string(twice) != string(out) && to != Native {
					t.Fatalf("%s is not stable: %v %v\n%s\n%s", to, err, more, out, twice)
				}
			}
		}
	})
}

// sameScores gives both rubrics the same verdicts and compares their totals.
func sameScores(t *rapid.T, a, b *rubric.Rubric, to string, out []byte) {
	leavesA, leavesB := a.Leaves(), b.Leaves()
	if len(leavesA) != len(leavesB) {
		t.Fatalf("%s: %d criteria became %d", to, len(leavesA), len(leavesB))
	}
	for range 4 {
		var given, there []rubric.Verdict
		for i := range leavesA {
			v := rapid.SampledFrom([]float64{0, 1, 1}).Draw(t, "value")
			if leavesA[i].Answer.Kind == rubric.KindNumber {
				v = rapid.SampledFrom([]float64{0, 0.2, 0.5, 0.7, 0.8, 1}).Draw(t, "value")
			}
			given = append(given, verdictOf(a, leavesA[i], v))
			there = append(there, verdictOf(b, leavesB[i], v))
		}
		x, y := score.Combine(a, given, score.Options{Length: 3}), score.Combine(b, there, score.Options{Length: 3})
		if (x.Score == nil) != (y.Score == nil) || x.Score != nil && math.Abs(*x.Score-*y.Score) > 1e-9 || !reflect.DeepEqual(x.Passed, y.Passed) || len(x.GateFailures) != len(y.GateFailures) {
			t.Fatalf("%s scores otherwise: %s, not %s\n%s", to, total(y), total(x), out)
		}
	}
}

func verdictOf(r *rubric.Rubric, c *rubric.Criterion, v float64) rubric.Verdict {
	out := rubric.Verdict{Criterion: c.ID, Status: rubric.Scored, Value: v, Native: rubric.MetIs(v == 1)}
	if c.Answer.Kind == rubric.KindNumber {
		s := r.ScaleOf(c)
		out.Native = rubric.NumberIs(s.Min + v*(s.Max-s.Min))
	}
	return out
}

func total(t score.Total) string {
	s := "no score: " + t.Reason
	if t.Score != nil {
		s = rubric.FormatNumber(*t.Score)
	}
	return fmt.Sprintf("%s, %q, gates %v", s, t.Verdict, t.GateFailures)
}

func TestEncode_EveryLossNamesAPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &gen{t: t}
		doc := documentOf(g.rubric())
		for _, to := range Names() {
			_, losses, _ := Encode(doc, to, JSON)
			for _, l := range losses {
				if l.Message == "" || l.Code == "" || l.Path == "" && l.Code != "too-many" {
					t.Fatalf("%s: %+v", to, l)
				}
			}
		}
	})
}

// homely draws a rubric of the kind that a dialect holds, as its decoder would
// have made it.
func (g *gen) homely(to string) *rubric.Rubric {
	r := &rubric.Rubric{ID: "home", Policy: nativePolicy()}
	g.in = r
	n := rapid.IntRange(1, 4).Draw(g.t, "criteria")
	for i := range n {
		c := rubric.Criterion{ID: fmt.Sprintf("c%d", i+1), Text: g.prose(), Weight: rubric.Weight{Value: float64(i) + 0.5}}
		switch to {
		case OpenRubricRL:
			c.Answer.Kind, c.Weight.Value = rubric.KindNumber, 1/float64(n)
		case RubricList:
			c.ID, c.Made = madeNumber(i+1), true
			c.Weight.Value = g.number(-3, 3)
		case AgentEvals, AgentV:
			if g.whether() {
				discrete := to == AgentV
				c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(discrete), Anchors: []rubric.Anchor{{At: 0, Text: "none"}, {At: 10, Text: "all"}}}
				if discrete {
					c.Answer.Bands, c.Answer.Anchors = bandsFrom(c.Answer.Anchors), nil
				}
			}
			c.Required = g.whether()
		case Dataknobs:
			c.Name, c.Required = g.prose(), g.whether()
			c.Answer = rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "no", Label: "No", Score: 0}, {ID: "yes", Label: "Yes", Score: 1}}}
			c.Scorer.Prompt = &rubric.Prompt{Template: g.prose()}
		}
		r.Criteria = append(r.Criteria, c)
	}
	switch to {
	case OpenRubricRL:
		r.Scale, r.Version = &rubric.Scale{Min: 0, Max: 10}, "1.0.0"
		r.Policy = openRubricRLPolicy(r.Scale)
	case RubricList:
		r.ID, r.Policy = RubricList, rubricListPolicy()
	case AgentEvals:
		r.Policy, r.Pass = agentEvalsStyle.policy(), evalPass
	case AgentV:
		r.Policy, r.Pass = agentVStyle.policy(), evalPass
	case Dataknobs:
		r.Policy, r.Pass = dataknobsPolicy(), rubric.Threshold(g.number(0, 1))
		r.Name, r.Version, r.TargetType = g.prose(), g.prose(), g.prose()
	}
	return r
}

// disturbances are additions to a rubric that some dialect cannot express.
var disturbances = []func(*gen, *rubric.Rubric, *rubric.Criterion){
	func(*gen, *rubric.Rubric, *rubric.Criterion) {},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.ID, c.Made = "another id", false },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Name = "A name" },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Weight.Value = -1 },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Weight.Value = 2.25 },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Weight.Value = 0 },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Required = !c.Required },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { x := g.number(0, 1); c.Min = &x },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Answer = rubric.Answer{} },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: g.scale()}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true), Bands: []rubric.Band{{Low: 2, High: 4, Text: "middle"}}}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(false), Anchors: []rubric.Anchor{{At: 2.5, Text: "fraction"}}}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Answer = rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "low", Score: 0.1}, {ID: "high", Score: 0.9}}}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Examples = []rubric.ExampleSet{{Level: "good", Examples: []rubric.Example{{Score: 1}}}}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Subcriteria = []rubric.Subcriterion{{Name: "s"}}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Scorer = g.metric()
		if c.Answer.Kind != rubric.KindLevel {
			c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Max: 1}}
		}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Scorer = rubric.Binding{Way: rubric.BySchema, Schema: &rubric.Schema{Ref: "a.json"}}
		if c.Answer.Kind == rubric.KindNumber {
			c.Answer = rubric.Answer{}
		}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		c.Scorer = rubric.Binding{Prompt: &rubric.Prompt{Template: "t", OutputSchema: map[string]any{"type": "object"}}}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Metadata = map[string]any{"a": "b"} },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) { c.Ext = map[string]any{"a": "b"} },
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		*c = rubric.Criterion{ID: c.ID + " group", Weight: c.Weight, Criteria: []rubric.Criterion{copied(*c, " within")}}
	},
	func(g *gen, _ *rubric.Rubric, c *rubric.Criterion) {
		*c = rubric.Criterion{ID: c.ID + " group", Weight: c.Weight, Criteria: []rubric.Criterion{copied(*c, " within"), copied(*c, " twin")}, Aggregate: rapid.SampledFrom(rubric.Aggregates()).Draw(g.t, "aggregate")}
	},
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.ID, r.Made = "of its own", false },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Name = "A name" },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Version = "v2" },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Description = "About it" },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Domain = "code" },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.TargetType = "quiz" },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Metadata = map[string]any{"a": 1.0} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Ext = map[string]any{"a": 1.0} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Pass = rubric.Pass{} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Pass = rubric.Threshold(0.75) },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) {
		r.Pass = rubric.Pass{Bands: []rubric.PassBand{{Label: "a", Min: 0.9}, {Label: "b", Min: 0.2}}, Below: "c"}
	},
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Policy = nativePolicy() },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Policy.Aggregate = rubric.Product },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Policy.Required = rubric.RequiredNonzero },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Policy.Required = rubric.RequiredEvaluated },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Policy.Required = rubric.RequiredIgnored },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) {
		r.Policy.Raw, r.Policy.RawAsScore = rubric.RawPoints, true
	},
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Policy.Overall = &rubric.Scale{Max: 7} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) {
		if r.Policy.Raw == rubric.RawOnScale {
			r.Policy.Normalization = rubric.Sigmoid
		}
	},
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Judge = rubric.Judge{Model: "m"} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Judge = rubric.Judge{System: "s"} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Judge = rubric.Judge{Strategy: rubric.Holistic} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Judge = rubric.Judge{MaxTokens: 3} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) {
		r.LengthPenalty = &rubric.LengthPenalty{Free: 1, Cap: 2, AtCap: 1, Exponent: 1}
	},
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) { r.Fallback = &rubric.Fallback{Negative: "MET"} },
	func(g *gen, r *rubric.Rubric, _ *rubric.Criterion) {
		b := g.metric()
		r.Metrics = []rubric.Criterion{{ID: "m", Weight: rubric.Weight{Value: 0.25}, Scorer: b, Answer: rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Max: 1}}}}
		if g.whether() {
			r.Policy.Blend = rubric.BlendMax
		}
	},
}

// copied returns a copy whose ids, and those of all that is in it, end otherwise.
func copied(c rubric.Criterion, end string) rubric.Criterion {
	c.ID += end
	c.Criteria = slices.Clone(c.Criteria)
	for i := range c.Criteria {
		c.Criteria[i] = copied(c.Criteria[i], end)
	}
	return c
}

// TestEncode_DropsNothingSilently adds one thing to a rubric that a dialect holds
// without loss: either the dialect holds that too, or the losses say so.
func TestEncode_DropsNothingSilently(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	without := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.SampledFrom(Names()).Draw(t, "dialect")
		g := &gen{t: t}
		r := g.homely(to)
		for range rapid.IntRange(0, 2).Draw(t, "disturbances") {
			i := rapid.IntRange(0, len(disturbances)-1).Draw(t, "disturbance")
			disturbances[i](g, r, &r.Criteria[0])
		}
		if problems := rubric.Check(r); problems != nil {
			t.Fatalf("two disturbances that do not go together: %v", problems)
		}
		out, losses, err := Encode(documentOf(r), to, JSON)
		if err != nil {
			if len(losses.Errors()) == 0 {
				t.Fatalf("%s: refused without a word: %v", to, err)
			}
			return
		}
		again, err := Decode("", out, Options{Dialect: to, Format: JSON})
		if err != nil {
			t.Fatalf("%s: %v\n%s", to, err, out)
		}
		if len(losses) == 0 {
			without[to]++
			if d := cmp.Diff(essence(r), essence(again.Rubric)); d != "" {
				t.Fatalf("%s lost something in silence (-was +is)\n%s\n%s", to, d, out)
			}
		}
		if len(losses.Errors()) == 0 {
			sameScores(t, r, again.Rubric, to, out)
		}
	})
	for _, name := range Names() {
		if without[name] == 0 && !testing.Short() { // rapid then draws too few rubrics
			t.Errorf("no rubric went into %s without loss", name)
		}
	}
}
