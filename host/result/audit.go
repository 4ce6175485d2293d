package result

import (
	"fmt"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/stats"
)

// An Audit sums up how often the grader was right about probes: answers of which
// it is known whether they must pass. A probe without a score is in no figure.
type Audit struct {
	Cases  int      `json:"cases"`
	Right  Probed   `json:"right"`  // all probes together; the interval is over cases
	Probes []Probed `json:"probes"` // by kind
}

// Probed is how often the grader was right about one kind of probe.
type Probed struct {
	Probe    string    `json:"probe,omitzero"` // empty: all
	N        int       `json:"n"`              // with a score
	Right    int       `json:"right"`
	Unscored int       `json:"unscored"`
	Rate     *float64  `json:"rate"`
	Interval *Interval `json:"interval"`
	Wrong    []string  `json:"wrong,omitzero"` // some rows about which it was wrong
}

// Wrong returns how many probes the grader was wrong about, but for mutants:
// whether a change of a right answer makes it wrong is for the tests to tell.
func (a *Audit) Wrong() (n int) {
	for _, p := range a.Probes {
		if p.Probe != dataset.ProbeMutant {
			n += p.N - p.Right
		}
	}
	return n
}

// Failing returns how many rows with a score Row.Fails reports: of an audit the probes that the
// grader was wrong about.
func (s *Summary) Failing() int {
	if a := s.Audit; a != nil {
		return a.Right.N - a.Right.Right
	}
	return s.Counts.Failed
}

// maxWrong is how many rows a kind of probe names.
const maxWrong = 5

type audit struct {
	kinds map[string]*probed
	cases stats.Numbers
}

type probed struct {
	figure Probed
	sample stats.Sample
}

func (a *audit) add(row *Row) {
	if row.Probe == "" {
		return
	}
	if a.kinds == nil {
		a.kinds, a.cases = map[string]*probed{}, stats.Numbers{}
	}
	cluster := a.cases.Of(row.Cluster)
	for _, kind := range []string{"", row.Probe} {
		p := a.kinds[kind]
		if p == nil {
			p = &probed{figure: Probed{Probe: kind}}
			a.kinds[kind] = p
		}
		switch {
		case row.Score == nil:
			p.figure.Unscored++
		case row.Right():
			p.figure.Right++
			p.sample.AddTo(cluster, 1)
		default:
			p.sample.AddTo(cluster, 0)
			if kind != "" && len(p.figure.Wrong) < maxWrong {
				p.figure.Wrong = append(p.figure.Wrong, row.Case)
			}
		}
	}
}

// finish returns the figures; nil if there were no probes.
func (a *audit) finish() *Audit {
	if a.kinds == nil {
		return nil
	}
	out := &Audit{Cases: len(a.cases), Probes: []Probed{}}
	for _, kind := range append([]string{""}, dataset.Probes()...) {
		p := a.kinds[kind]
		if p == nil {
			continue
		}
		f := p.figure
		f.N, f.Rate, f.Interval = p.sample.N(), stats.OrNil(p.sample.Mean()), IntervalOf(p.sample.Interval())
		if kind == "" {
			out.Right = f
		} else {
			out.Probes = append(out.Probes, f)
		}
	}
	return out
}

// audited returns the share of probes that the grader was right about.
func audited(s *Summary) (*float64, string) {
	if s.Audit == nil {
		return nil, "no audit"
	}
	r := &s.Audit.Right
	why := fmt.Sprintf("right about %d of %d probes; %s", r.Right, r.N, diag.Count(s.Audit.Cases, "case"))
	if i := r.Interval; i != nil {
		why += "; 95% interval " + intervalText(i)
	}
	return r.Rate, why
}
