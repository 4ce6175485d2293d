package generate

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

// A Pair is two outputs for one input, of which people prefer Chosen.
type Pair struct{ Chosen, Rejected *dataset.Case }

// Examples are outputs that people have an opinion of.
type Examples struct {
	Good, Bad []*dataset.Case
	Pairs     []Pair
}

// Empty reports whether there are none.
func (e *Examples) Empty() bool { return len(e.Good)+len(e.Bad)+len(e.Pairs) == 0 }

// A Trial says how a rubric scores examples. Numbers that do not exist are nil.
type Trial struct {
	// HeldOut says that the model had not seen these examples when it made the
	// draft. Figures of examples that it has seen are too good.
	HeldOut bool `json:"held_out"`

	Good *Group `json:"good,omitzero"`
	Bad  *Group `json:"bad,omitzero"`

	// AUC is the share of pairs of a good and a bad example in which the good one
	// scores higher, ties counted half; 0.5: the rubric does not tell them apart.
	AUC *Share `json:"auc,omitzero"`

	Pairs *PairTrial `json:"pairs,omitzero"`

	Criteria   []CriterionTrial `json:"criteria"`
	Separation Separation       `json:"separation"`
}

// A Group is the scores of one kind of examples.
type Group struct {
	N        int      `json:"n"`        // scored
	Unscored int      `json:"unscored"` // without a score; in no figure
	Mean     *float64 `json:"mean"`
	scores   []float64
}

// A Share is a share in [0, 1] with its 95 % interval.
type Share struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// A PairTrial counts the pairs by which of the two scores higher.
type PairTrial struct {
	N        int `json:"n"` // both scored
	Agree    int `json:"agree"`
	Ties     int `json:"ties"`
	Against  int `json:"against"`
	Unscored int `json:"unscored"` // one of the two has no score; in no figure

	// Agreement is (Agree + Ties/2) / N, with Wilson's interval.
	Agreement *Share `json:"agreement,omitzero"`
}

// A CriterionTrial has the mean values of a criterion in good (or chosen) and in bad
// (or rejected) examples, in [0, 1].
type CriterionTrial struct {
	ID   string   `json:"id"`
	Good *float64 `json:"good"`
	Bad  *float64 `json:"bad"`
}

// Separation says whether a rubric tells good examples from bad ones.
type Separation string

// The separations.
const (
	Separates    Separation = "separates"         // the interval of the figure lies above 0.5, and so few examples could show it
	Undecided    Separation = "undecided"         // the figure is above 0.5, and chance explains it: too few examples
	NoSeparation Separation = "does-not-separate" // the figure is 0.5 or below
	NotTried     Separation = "not-tried"         // no figure
)

// Try grades examples with a rubric. Every example counts once; the error says why
// grading stopped.
func Try(ctx context.Context, ev *host.Evaluator, doc *dialect.Document, e *Examples, heldOut bool) (*Trial, error) {
	t := &Trial{HeldOut: heldOut, Criteria: []CriterionTrial{}}
	list, ids := e.all()
	rows, err := gradeAll(ctx, ev, doc, list)
	if err != nil {
		return nil, err
	}
	good, bad, chosen, rejected := ids["good"], ids["bad"], ids["chosen"], ids["rejected"]
	if len(good) > 0 {
		t.Good = groupOf(rows, good)
	}
	if len(bad) > 0 {
		t.Bad = groupOf(rows, bad)
	}
	if t.Good != nil && t.Bad != nil {
		if auc, i, ok := stats.AUC(t.Good.scores, t.Bad.scores); ok {
			t.AUC = &Share{auc, i.Low, i.High}
		}
	}
	if len(e.Pairs) > 0 {
		t.Pairs = pairsOf(rows, chosen, rejected)
	}
	for _, leaf := range doc.Rubric.Leaves() {
		t.Criteria = append(t.Criteria, CriterionTrial{leaf.ID, meanOf(rows, append(good, chosen...), leaf.ID), meanOf(rows, append(bad, rejected...), leaf.ID)})
	}
	t.separate()
	return t, nil
}

// An example is a case with the id that it is graded under.
type example struct {
	id string
	c  *dataset.Case
}

// all returns the examples with their ids, and the ids of each kind.
func (e *Examples) all() (list []example, ids map[string][]string) {
	ids = map[string][]string{}
	add := func(kind string, c *dataset.Case) {
		id := fmt.Sprintf("%s-%d", kind, len(ids[kind])+1)
		ids[kind], list = append(ids[kind], id), append(list, example{id, c})
	}
	for _, c := range e.Good {
		add("good", c)
	}
	for _, c := range e.Bad {
		add("bad", c)
	}
	for _, p := range e.Pairs {
		add("chosen", p.Chosen)
		add("rejected", p.Rejected)
	}
	return list, ids
}

func gradeAll(ctx context.Context, ev *host.Evaluator, doc *dialect.Document, list []example) (map[string]*result.Row, error) {
	rows := make(map[string]*result.Row, len(list))
	if len(list) == 0 {
		return rows, nil
	}
	given := make([]dataset.Given, len(list))
	for i, x := range list {
		given[i] = dataset.Given{Value: withID(x.c, x.id)}
		given[i].Pos.File, given[i].Pos.Line = x.c.File, x.c.Line
	}
	_, err := ev.Evaluate(ctx, doc, host.EvaluateOptions{
		Dataset:     dataset.Options{Given: given},
		MaxUnscored: result.Share{Percent: 100, IsPart: true},
		Observe:     func(row *result.Row) { rows[row.Case] = row },
	})
	return rows, err
}

func withID(c *dataset.Case, id string) jsontext.Value {
	named := dataset.Case{Fields: append([]dataset.Field{{Name: dataset.FieldID, Value: dataset.Quote(id)}}, dataset.Without(c.Fields, dataset.FieldID, dataset.FieldCluster)...)}
	return named.AppendFields(nil)
}

func groupOf(rows map[string]*result.Row, ids []string) *Group {
	g := &Group{}
	var s stats.Sample
	for _, id := range ids {
		if score := verdictIn(rows[id], nil); score != nil {
			g.N++
			g.scores = append(g.scores, *score)
			s.Add(*score)
		} else {
			g.Unscored++
		}
	}
	g.Mean = stats.OrNil(s.Mean())
	return g
}

func pairsOf(rows map[string]*result.Row, chosen, rejected []string) *PairTrial {
	t := &PairTrial{}
	for i := range chosen {
		a, b := verdictIn(rows[chosen[i]], nil), verdictIn(rows[rejected[i]], nil)
		switch {
		case a == nil || b == nil:
			t.Unscored++
			continue
		case *a > *b:
			t.Agree++
		case *a < *b:
			t.Against++
		default:
			t.Ties++
		}
		t.N++
	}
	if t.N > 0 {
		k, n := float64(t.Agree)+float64(t.Ties)/2, float64(t.N)
		i := stats.Wilson(k, n)
		t.Agreement = &Share{k / n, i.Low, i.High}
	}
	return t
}

// meanOf returns the mean value of a criterion over rows that have it.
func meanOf(rows map[string]*result.Row, ids []string, criterion string) *float64 {
	var s stats.Sample
	for _, id := range ids {
		if v := valueOf(rows[id], criterion); v != nil {
			s.Add(*v)
		}
	}
	return stats.OrNil(s.Mean())
}

// valueOf returns the value of a criterion in a row, nil if it has none.
func valueOf(row *result.Row, criterion string) *float64 {
	if row != nil {
		if c := row.ByID()[criterion]; c != nil {
			return c.Value
		}
	}
	return nil
}

// separate decides by the figures there are; of two, the less favourable counts.
func (t *Trial) separate() {
	t.Separation = NotTried
	rank := map[Separation]int{NoSeparation: 1, Undecided: 2, Separates: 3}
	decide := func(s *Share, telling bool) {
		if s == nil {
			return
		}
		found := Undecided
		switch {
		case s.Value <= 0.5:
			found = NoSeparation
		case s.Low > 0.5 && telling:
			found = Separates
		}
		if t.Separation == NotTried || rank[found] < rank[t.Separation] {
			t.Separation = found
		}
	}
	const level = 1 - stats.Confidence + rubric.Slack
	if t.AUC != nil {
		// Intervals of few examples may look narrow: of three and three, one order in
		// ten is perfect in either direction.
		decide(t.AUC, 2/combin.GeneralizedBinomial(float64(t.Good.N+t.Bad.N), float64(t.Good.N)) <= level)
	}
	if t.Pairs != nil {
		decide(t.Pairs.Agreement, stats.SignTest(t.Pairs.Against, t.Pairs.Agree) <= level)
	}
}
