package result

import (
	"cmp"
	"slices"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// MaxSliceValues is how many values of a field get figures of their own. The
// rows of all further values are summed up together.
const MaxSliceValues = 100

// A Slice is the rows of a run by the value of one field of their cases. A case
// with several values, such as tags, counts under each.
type Slice struct {
	Field  string       `json:"field"`
	Values []SliceValue `json:"values"` // by value; then those without one, then all others
}

// A SliceValue is the figures of the rows whose cases have one value.
type SliceValue struct {
	Value    string   `json:"value"`            // empty if Missing or Others is set
	Missing  bool     `json:"missing,omitzero"` // the cases have no such field
	Others   int      `json:"others,omitzero"`  // so many values, beyond MaxSliceValues, together
	Counts   Counts   `json:"counts"`
	Total    Figure   `json:"total"` // without histogram and worst rows, as those below
	Criteria []Figure `json:"criteria"`
	Metrics  []Figure `json:"metrics"`
}

// A Slicer makes slices of rows. Its memory grows with the values, up to MaxSliceValues. One goroutine uses it.
type Slicer struct {
	opts   SummaryOptions
	fields []*slicing
}

type slicing struct {
	field   string
	values  map[string]*Summarizer
	missing *Summarizer
	others  *Summarizer
	beyond  map[string]bool // the values of others, as far as they are counted
}

// maxOthers bounds the values that are counted beyond MaxSliceValues.
const maxOthers = 10_000

// NewSlicer returns a Slicer by each of fields; see dataset.Case.Labels.
func NewSlicer(fields []string, opts SummaryOptions) *Slicer {
	s := &Slicer{opts: opts}
	for _, f := range fields {
		s.fields = append(s.fields, &slicing{field: f, values: map[string]*Summarizer{}, beyond: map[string]bool{}})
	}
	return s
}

// Add takes in a row and the case that it graded. A row without a case has no
// value of any field.
func (s *Slicer) Add(row *Row, c *dataset.Case) {
	for _, f := range s.fields {
		var values []string
		if c != nil {
			values = c.Labels(f.field)
		}
		if len(values) == 0 {
			s.add(&f.missing, row)
		}
		for i, value := range values {
			if slices.Contains(values[:i], value) {
				continue
			}
			if t := f.values[value]; t != nil || len(f.values) < MaxSliceValues {
				s.add(&t, row)
				f.values[value] = t
				continue
			}
			s.add(&f.others, row)
			if len(f.beyond) < maxOthers {
				f.beyond[value] = true
			}
		}
	}
}

func (s *Slicer) add(to **Summarizer, row *Row) {
	if *to == nil {
		*to = NewSummarizer(s.opts)
	}
	(*to).Add(row)
}

// Slices returns the slices of the rows so far.
func (s *Slicer) Slices() []Slice {
	out := make([]Slice, len(s.fields))
	for i, f := range s.fields {
		slice := &out[i]
		slice.Field, slice.Values = f.field, []SliceValue{}
		for value, t := range f.values {
			slice.add(SliceValue{Value: value}, t)
		}
		slices.SortFunc(slice.Values, func(a, b SliceValue) int { return cmp.Compare(a.Value, b.Value) })
		slice.add(SliceValue{Missing: true}, f.missing)
		slice.add(SliceValue{Others: len(f.beyond)}, f.others)
	}
	return out
}

// add adds a value with the figures of its rows, if there are any.
func (s *Slice) add(v SliceValue, rows *Summarizer) {
	if rows == nil {
		return
	}
	sum := rows.Summary()
	v.Counts, v.Total, v.Criteria, v.Metrics = sum.Counts, sum.Total, sum.Criteria, sum.Metrics
	v.Total.Histogram, v.Total.Worst = nil, nil
	for _, f := range sum.Figures() {
		f.Histogram, f.Worst = nil, nil
	}
	s.Values = append(s.Values, v)
}

// slice returns the figures of the rows whose cases have value under field, as
// a summary, or nil.
func (s *Summary) slice(field, value string) *Summary {
	slice := xslices.Find(s.Slices, func(s *Slice) bool { return s.Field == field })
	if slice == nil {
		return nil
	}
	v := xslices.Find(slice.Values, func(v *SliceValue) bool { return v.Value == value && !v.Missing && v.Others == 0 })
	if v == nil {
		return nil
	}
	return &Summary{Counts: v.Counts, Total: v.Total, Criteria: v.Criteria, Metrics: v.Metrics}
}
