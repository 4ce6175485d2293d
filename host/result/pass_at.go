package result

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/stats"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// PassAtK sums up how many samples of each problem pass. A sample without a score
// is in no figure.
type PassAtK struct {
	Problems int      `json:"problems"` // all, whether or not they have a scored sample
	Samples  int      `json:"samples"`  // with a score
	Unscored int      `json:"unscored"` // without one
	Same     int      `json:"same"`     // of Samples: those that repeat the output of an earlier sample of their problem
	At       []PassAt `json:"at"`       // by k
}

// PassAt is the mean over the problems that have k scored samples.
type PassAt struct {
	K        int `json:"k"`
	Problems int `json:"problems"`
	Short    int `json:"short"` // problems left out: they have fewer than k scored samples

	PassAt          *float64  `json:"pass_at"` // chance that at least one of k samples passes
	PassAtInterval  *Interval `json:"pass_at_interval"`
	PassHat         *float64  `json:"pass_hat"` // chance that all of k samples pass
	PassHatInterval *Interval `json:"pass_hat_interval"`
}

// DefaultPassAt are the k that are reported where the rubric names none: those
// that every problem has samples for, and their number.
func DefaultPassAt() []int { return []int{1, 5, 10, 100} }

// PassAtOf returns ks in order; if it is empty, those that are reported where every problem has
// at least so many samples.
func PassAtOf(ks []int, least int) []int {
	if len(ks) == 0 {
		ks = append(xslices.Filter(DefaultPassAt(), func(k int) bool { return k < least }), max(1, least))
	}
	return slices.Sorted(slices.Values(ks))
}

type problems struct {
	number stats.Numbers // of a problem in tried
	tried  []tried

	// Of problems that have a single row.
	passed, failed, unscored int

	same int
}

type tried struct {
	n, passed, unscored int
	cluster             int // of the problem, as Summarizer numbers them; -1: on its own

	samples int            // that differ: rows of the first repeat
	repeats map[int][2]int // if there are several: their scored samples, and those that passed
}

// shares returns the mean of a figure at k over the repeats: all samples graded once more are no
// further samples. Repeats of a single sample are samples. At 1 it is the share of all scored rows,
// as in comparisons.
func (t *tried) shares(k int, figure func(n, passed, k int) float64) (mean stats.Sample) {
	if t.samples < 2 || t.repeats == nil || k == 1 {
		if t.n >= k {
			mean.Add(figure(t.n, t.passed, k))
		}
		return mean
	}
	for _, r := range slices.Sorted(maps.Keys(t.repeats)) {
		if of := t.repeats[r]; of[0] >= k {
			mean.Add(figure(of[0], of[1], k))
		}
	}
	return mean
}

// add takes in a row. grouped says that its problem may have other rows.
func (p *problems) add(row *Row, grouped bool, cluster int) {
	if row.SameAs != "" && row.Score != nil {
		p.same++
	}
	name := cmp.Or(row.SampleOf, row.Case)
	if row.SampleOf == "" && !grouped {
		switch {
		case row.Score == nil:
			p.unscored++
		case row.Passes():
			p.passed++
		default:
			p.failed++
		}
		return
	}
	if p.number == nil {
		p.number = stats.Numbers{}
	}
	k := p.number.Of(name)
	if k == len(p.tried) {
		if row.Cluster == "" || row.Cluster == name {
			cluster = -1
		}
		p.tried = append(p.tried, tried{cluster: cluster})
	}
	t := &p.tried[k]
	if row.Repeat <= 1 {
		t.samples++
	}
	switch {
	case row.Score == nil:
		t.unscored++
		return
	case row.Passes():
		t.passed++
	}
	t.n++
	if grouped {
		if t.repeats == nil {
			t.repeats = map[int][2]int{}
		}
		of := t.repeats[row.Repeat]
		of[0]++
		if row.Passes() {
			of[1]++
		}
		t.repeats[row.Repeat] = of
	}
}

// finish returns the figures at each k; ks empty: those of DefaultPassAt.
func (p *problems) finish(ks []int) *PassAtK {
	out := &PassAtK{
		Problems: len(p.tried) + p.passed + p.failed + p.unscored, Samples: p.passed + p.failed, Unscored: p.unscored, Same: p.same, At: []PassAt{},
	}
	least := 0 // samples of a problem, scored or not
	if p.passed+p.failed > 0 {
		least = 1
	}
	for i := range p.tried {
		t := &p.tried[i]
		out.Samples += t.n
		out.Unscored += t.unscored
		all := t.n + t.unscored
		if t.samples > 1 {
			all = t.samples
		}
		if t.n > 0 && (least == 0 || all < least) {
			least = all
		}
	}
	for _, k := range PassAtOf(ks, least) {
		out.At = append(out.At, p.at(k, out.Problems))
	}
	return out
}

func (p *problems) at(k, all int) PassAt {
	var any, each stats.Sample
	if k == 1 {
		for range p.passed {
			any.Add(1)
		}
		for range p.failed {
			any.Add(0)
		}
		each = any
	}
	for i := range p.tried {
		t := &p.tried[i]
		one, all := t.shares(k, stats.PassAtK), t.shares(k, stats.PassHatK)
		if one.N() > 0 {
			a, _ := one.Mean()
			b, _ := all.Mean()
			any.AddTo(t.cluster, a)
			each.AddTo(t.cluster, b)
		}
	}
	return PassAt{
		K: k, Problems: any.N(), Short: all - any.N(),
		PassAt: stats.OrNil(any.Mean()), PassAtInterval: IntervalOf(any.ShareInterval()),
		PassHat: stats.OrNil(each.Mean()), PassHatInterval: IntervalOf(each.ShareInterval()),
	}
}

// warnings names the samples that are not in the figures.
func (p *PassAtK) warnings() (list []string) {
	if p.Unscored > 0 {
		list = append(list, fmt.Sprintf("%d of %d samples have no score: pass@k is over the others", p.Unscored, p.Samples+p.Unscored))
	}
	var short []string
	for i := range p.At {
		if a := &p.At[i]; a.Short > 0 {
			short = append(short, fmt.Sprintf("pass@%d is over %d of %d problems", a.K, a.Problems, p.Problems))
		}
	}
	if short != nil {
		list = append(list, strings.Join(short, ", ")+": the others have fewer than k scored samples")
	}
	return list
}

// at returns the figures at k, or nil.
func (p *PassAtK) at(k int) *PassAt {
	if p == nil {
		return nil
	}
	return xslices.Find(p.At, func(a *PassAt) bool { return a.K == k })
}
