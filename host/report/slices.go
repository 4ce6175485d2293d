package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// sliceName is the value of a slice, or its stand-in.
func sliceName(v *result.SliceValue) string {
	switch {
	case v.Missing:
		return "(none)"
	case v.Others > 0:
		return fmt.Sprintf("(%s more values)", diag.Thousands(v.Others))
	case v.Value == "":
		return "(empty)"
	}
	return plain(v.Value)
}

func (v *view) sliceTable(s *result.Slice) *table {
	columns := sliceColumns(s)
	t := &table{right: sliceRight, Heads: append([]string{plain(s.Field), "rows", "mean", "95% CI", "pass", "unscored"}, columns...)}
	for i := range s.Values {
		x := &s.Values[i]
		line := []string{sliceName(x), diag.Thousands(x.Counts.Rows), v.score(x.Total.Mean), v.interval(x.Total.Interval), v.passRate(x.Total.Pass), diag.Thousands(x.Counts.Unscored)}
		for _, id := range columns {
			line = append(line, v.score(sliceMean(x, id)))
		}
		t.Lines = append(t.Lines, line)
	}
	return t
}

// sliceRight marks the columns of a slice that line up at their right end.
var sliceRight = append([]bool{false, true, true, false, true, true}, slices.Repeat([]bool{true}, maxSliceColumns)...)

// maxSliceColumns is the number of criteria that a table of slices shows.
const maxSliceColumns = 12

// sliceColumns are the criteria and metrics of a slice, each once.
func sliceColumns(s *result.Slice) (ids []string) {
	for i := range s.Values {
		for _, f := range slices.Concat(s.Values[i].Criteria, s.Values[i].Metrics) {
			if id := plain(f.ID); !slices.Contains(ids, id) && len(ids) < maxSliceColumns {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func sliceMean(v *result.SliceValue, id string) *float64 {
	for _, f := range slices.Concat(v.Criteria, v.Metrics) {
		if plain(f.ID) == id {
			return f.Mean
		}
	}
	return nil
}

func textSlices(w io.Writer, v *view, o Options) {
	for i := range v.sum.Slices {
		t := v.sliceTable(&v.sum.Slices[i])
		for j := range t.Heads {
			t.Heads[j] = diag.Fit(t.Heads[j], 60)
		}
		for _, line := range t.Lines {
			line[0] = diag.Fit(line[0], 120)
		}
		t.text(w, Options{Color: o.Color})
	}
}

// sliceCells are the values of a row's case, one text per slice.
func (v *view) sliceCells(c *dataset.Case) []string {
	out := make([]string, len(v.sum.Slices))
	for i := range v.sum.Slices {
		if c != nil {
			out[i] = strings.Join(c.Labels(v.sum.Slices[i].Field), "; ")
		}
	}
	return out
}

// sliceNotes are the slices in a line each, for reports without tables.
func (v *view) sliceNotes() [][2]string {
	var out [][2]string
	for i := range v.sum.Slices {
		s := &v.sum.Slices[i]
		for j := range s.Values {
			value := &s.Values[j]
			out = append(out, [2]string{plain(s.Field) + "=" + sliceName(value), fmt.Sprintf("mean %s %s, pass %s, %s, %s unscored",
				v.score(value.Total.Mean), v.interval(value.Total.Interval), v.passRate(value.Total.Pass), diag.Count(value.Counts.Rows, "row"), diag.Thousands(value.Counts.Unscored))})
		}
	}
	return out
}
