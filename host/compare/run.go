// Package compare finds the changes from one run to another: which cases became
// better or worse, and whether the differences are more than chance. It is pure:
// rows come in, a result.Comparison comes out, and the same seed gives the same
// numbers.
//
// Stability: stable.
package compare

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/stats"
)

// A Run is one side of a comparison: the figures of a run's rows. It keeps
// some 250 bytes per case, 24 more per criterion, and the statistics of corpus
// metrics. It is used by one goroutine.
type Run struct {
	// Rubric gives criteria their order, names and pass marks. Nil: the rows
	// alone speak.
	Rubric *rubric.Rubric

	// Side describes the run. Rows, Cases, Scored and Mean are filled in.
	Side result.Side

	// Listed says that the run graded a list of cases only, such as those that failed in another one:
	// the others may be samples of the same problems.
	Listed bool

	// Unscored is how its rows treat a criterion without a number. Empty: that is not known.
	Unscored score.Unscored

	// Scorers are the scorers, by name: digests of plugins, judges with their
	// settings. Nil: they are taken from the rows.
	Scorers map[string]string

	cases   []oneCase
	byID    stats.Numbers
	total   column
	columns []*column
	byKey   map[key]*column
	rows    int
	judged  bool // there is a pass rule
}

// oneCase is a case and its place in the columns.
type oneCase struct {
	id, cluster, digest string
	sampleOf            string // the problem; empty: the case itself
	rows                int32  // repeats, scored or not
}

// key names a criterion. Cases with rubrics of their own have criteria of their
// own, which are compared by rubric and id.
type key struct {
	metric     bool
	rubric, id string
}

// column holds a quantity of every case, summed over repeats.
type column struct {
	key     key
	penalty bool
	gaps    bool // some cell has gaps
	gated   bool // it can fail a case by itself: the rubric, or a failed gate, says so
	ruled   bool // the rubric says which values pass
	graded  bool // some value is neither 0 nor 1

	// missed counts repeats with a number whose gate failed, by case.
	missed map[int]int32
	cells  []cell
	stats  [][]float64 // of corpus metrics, by case; from the first repeat
}

type cell struct {
	sum    float64
	n      int32 // repeats with a number
	passed int32
	judged int32 // repeats of which something says whether they passed
	gaps   int32 // of a criterion: repeats that have a score without it
}

// NewRun returns an empty Run.
func NewRun() *Run { return &Run{byID: stats.Numbers{}, byKey: map[key]*column{}} }

// Add takes a row in. It keeps nothing that the row holds but statistics.
func (r *Run) Add(row *result.Row) {
	r.rows++
	i := r.byID.Of(row.Case)
	if i == len(r.cases) {
		r.cases = append(r.cases, oneCase{id: row.Case, cluster: row.Cluster, digest: row.CaseDigest, sampleOf: row.SampleOf})
	}
	r.cases[i].rows++
	c := r.total.at(i)
	if row.Score != nil && rubric.Finite(*row.Score) {
		r.total.add(c, *row.Score)
		r.pass(c, row)
	}
	r.criteria(i, row, false, row.Criteria)
	r.criteria(i, row, true, row.Metrics)
}

// pass notes whether the row passed, if something says so.
func (r *Run) pass(c *cell, row *result.Row) {
	if row.Passed == nil {
		return
	}
	c.judged++
	r.judged = true
	if *row.Passed {
		c.passed++
	}
}

func (r *Run) criteria(i int, row *result.Row, metric bool, list []result.Criterion) {
	for k := range list {
		c := &list[k]
		col := r.column(key{metric, row.Rubric, c.ID}, c)
		if c.How != nil && r.rows < 100 && r.Side.Run == "" {
			if r.Scorers == nil {
				r.Scorers = map[string]string{}
			}
			r.Scorers["scorer of "+c.ID] = c.How.By + " " + c.How.Plugin + c.How.Judge + " " + c.How.Digest
		}
		if c.Status == rubric.Scored && c.Value != nil && rubric.Finite(*c.Value) {
			r.criterion(i, row, col, c)
		} else if cell := col.at(i); row.Score != nil && c.Weight != 0 && r.Unscored != score.Worst {
			cell.gaps++
			col.gaps = true
		}
	}
}

func (r *Run) criterion(i int, row *result.Row, col *column, c *result.Criterion) {
	cell := col.at(i)
	col.add(cell, *c.Value)
	if slices.Contains(row.GateFailures, c.ID) {
		if col.missed == nil {
			col.missed = map[int]int32{}
		}
		col.gated = true
		col.missed[i]++
	}
	if rule := r.rule(col, c); rule.Decides() {
		cell.judged++
		if rule.Passes(c.Goodness()) {
			cell.passed++
		}
	}
	if len(c.Stats) > 0 && row.Repeat <= 1 && row.Rubric == "" {
		col.stats = grow(col.stats, i+1)
		col.stats[i] = append([]float64(nil), c.Stats...)
	}
}

func (r *Run) column(k key, c *result.Criterion) *column {
	col := r.byKey[k]
	if col == nil {
		col = &column{key: k, penalty: c.Weight < 0}
		r.byKey[k] = col
		r.columns = append(r.columns, col)
	}
	return col
}

// rule says which values of a criterion pass.
func (r *Run) rule(col *column, c *result.Criterion) result.PassRule {
	if r.Rubric != nil && col.key.rubric == "" {
		if known := r.Rubric.Find(col.key.id); known != nil {
			if rule := result.PassRuleOf(r.Rubric, known); rule.Decides() {
				col.ruled, col.gated = true, col.gated || r.Rubric.Gated(known)
				return rule
			}
		}
	}
	if one := 1.0; c.Native != nil && c.Native.Met != nil {
		return result.PassRule{Mark: &one}
	}
	return result.PassRule{}
}

func (c *column) at(i int) *cell {
	c.cells = grow(c.cells, i+1)
	return &c.cells[i]
}

func (c *column) add(to *cell, x float64) {
	to.sum += x
	to.n++
	c.graded = c.graded || x != 0 && x != 1
}

// cell returns the cell of case i, an empty one if there is none.
func (c *column) cell(i int) cell {
	if i >= len(c.cells) {
		return cell{}
	}
	return c.cells[i]
}

// gate returns the cell of case i, with the passes that failed gates leave, if the rubric is
// not known: a file of rows has none.
func (c *column) gate(i int, gated bool) cell {
	x := c.cell(i)
	if gated && !c.ruled {
		x.judged, x.passed = x.n, x.n-c.missed[i]
	}
	return x
}

func (c cell) mean() *float64 {
	if c.n == 0 {
		return nil
	}
	return new(c.sum / float64(c.n))
}

// judgedWholly reports whether all repeats with a number passed or failed.
func (c cell) judgedWholly() bool { return c.judged > 0 && c.judged == c.n }

// lacks reports which of the runs scores a case without a criterion by which the other run
// scores it: their scores are not of the same thing.
func (w *work) lacks(p pair) (base, cand bool) {
	for _, k := range w.order {
		a, b := w.base.byKey[k], w.cand.byKey[k]
		if !a.gaps && !b.gaps {
			continue
		}
		inBase, inCand := a.cell(p.base).gaps > 0, b.cell(p.cand).gaps > 0
		base, cand = base || inBase && !inCand, cand || inCand && !inBase
	}
	return base, cand
}

// passes reports whether more than half of the repeats passed.
func (c cell) passes() bool { return 2*c.passed > c.judged }

func grow[T any](list []T, n int) []T {
	for len(list) < n {
		var none T
		list = append(list, none)
	}
	return list
}

func (r *Run) side() result.Side {
	s := r.Side
	s.Rows, s.Cases = r.rows, len(r.cases)
	var means stats.Sample
	for _, c := range r.total.cells {
		if m := c.mean(); m != nil {
			means.Add(*m)
		}
	}
	s.Scored, s.Mean = means.N(), stats.OrNil(means.Mean())
	return s
}
