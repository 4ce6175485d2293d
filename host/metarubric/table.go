package metarubric

import (
	"math"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// MaxRows is the number of rows that a Table takes: more change no finding.
const MaxRows = 10_000

// A Table has the values of graded outputs, criterion by criterion. A missing number
// is NaN. The zero value is not usable; see NewTable.
type Table struct {
	Source  string
	ids     []string
	column  map[string]int
	values  [][]float64 // by criterion
	scores  []float64
	lengths []float64
	cluster []int32
	numbers map[string]int32 // of clusters
	left    int              // rows that were not taken
}

// NewTable returns an empty table of the criteria of a rubric.
func NewTable(r *rubric.Rubric, source string) *Table {
	t := &Table{Source: source, column: map[string]int{}, numbers: map[string]int32{}}
	for _, c := range r.Leaves() {
		t.column[c.ID] = len(t.ids)
		t.ids = append(t.ids, c.ID)
	}
	t.values = make([][]float64, len(t.ids))
	return t
}

// Add adds a row. length is that of its output in code points; negative: it is not
// known. Rows beyond MaxRows are counted only.
func (t *Table) Add(row *result.Row, length int) {
	if len(t.scores) >= MaxRows {
		t.left++
		return
	}
	for i := range t.values {
		t.values[i] = append(t.values[i], math.NaN())
	}
	at := len(t.scores)
	for c := range row.All() {
		if k, ok := t.column[c.ID]; ok && c.Status == rubric.Scored && c.Value != nil && *c.Value >= 0 && *c.Value <= 1 {
			t.values[k][at] = *c.Value
		}
	}
	score, size := math.NaN(), math.NaN()
	if row.Score != nil && rubric.Finite(*row.Score) {
		score = *row.Score
	}
	if length >= 0 {
		size = float64(length)
	}
	key := row.Case
	switch {
	case row.Cluster != "":
		key = "\x00" + row.Cluster
	case row.SampleOf != "":
		key = row.SampleOf
	}
	n, ok := t.numbers[key]
	if !ok {
		n = int32(len(t.numbers)) //nolint:gosec // at most MaxRows
		t.numbers[key] = n
	}
	t.scores, t.lengths, t.cluster = append(t.scores, score), append(t.lengths, size), append(t.cluster, n)
}

// N returns the number of rows.
func (t *Table) N() int { return len(t.scores) }

func (t *Table) rows() *Rows {
	return &Rows{Source: t.Source, Rows: t.N(), Scored: len(present(t.scores)), Clusters: len(t.numbers)}
}

// independent returns the number of clusters of the rows in which no column is NaN.
func (t *Table) independent(columns ...[]float64) int {
	seen := make([]bool, len(t.numbers))
	n := 0
next:
	for i, c := range t.cluster {
		for _, column := range columns {
			if math.IsNaN(column[i]) {
				continue next
			}
		}
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// present returns the numbers of a column that exist.
func present(column []float64) []float64 {
	return xslices.Filter(column, func(x float64) bool { return !math.IsNaN(x) })
}

// means returns the mean of a column for each cluster that has a number: one value for
// each independent output.
func (t *Table) means(column []float64) []float64 {
	sums, counts := make([]float64, len(t.numbers)), make([]int, len(t.numbers))
	for i, x := range column {
		if !math.IsNaN(x) {
			sums[t.cluster[i]] += x
			counts[t.cluster[i]]++
		}
	}
	var out []float64
	for i, n := range counts {
		if n > 0 {
			out = append(out, sums[i]/float64(n))
		}
	}
	return out
}

// both returns the rows in which two columns have a number.
func both(a, b []float64) (x, y []float64) {
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	return x, y
}
