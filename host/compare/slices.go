package compare

import (
	"maps"
	"slices"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// slices compares the score and every criterion within the values of each field.
func (w *work) slices() {
	if w.o.Labels == nil {
		return
	}
	var parts [][]int // of pairs, by slice
	for _, field := range w.o.Slices {
		parts = append(parts, w.slice(field)...)
	}
	var jobs []job
	for i, places := range parts {
		s := &w.out.Slices[i]
		var more []job
		s.Criteria, s.Metrics, more = w.within(places).plan(&s.Change)
		jobs = append(jobs, more...)
	}
	run(jobs)
	var totals, criteria []*result.Change
	for i := range w.out.Slices {
		s := &w.out.Slices[i]
		totals = append(totals, &s.Change)
		criteria = slices.Concat(criteria, xslices.Pointers(s.Criteria), xslices.Pointers(s.Metrics))
	}
	adjust(totals)
	adjust(criteria)
}

// slice adds a slice for each value of a field, and returns the pairs of each.
func (w *work) slice(field string) (parts [][]int) {
	byValue := map[string][]int{}
	var missing []int
	for i, p := range w.pairs {
		labels := w.o.Labels(w.cand.cases[p.cand].digest, field)
		if len(labels) == 0 {
			missing = append(missing, i)
		}
		for _, l := range slices.Compact(slices.Sorted(slices.Values(labels))) {
			byValue[l] = append(byValue[l], i)
		}
	}
	values := slices.Sorted(maps.Keys(byValue))
	if n := len(values) - result.MaxSliceValues; n > 0 {
		values = values[:result.MaxSliceValues]
		w.note("%s has %d values more than the %d that are compared", field, n, result.MaxSliceValues)
	}
	for _, v := range values {
		w.out.Slices = append(w.out.Slices, result.SliceChange{Field: field, Value: v})
		parts = append(parts, byValue[v])
	}
	if len(missing) > 0 {
		w.out.Slices = append(w.out.Slices, result.SliceChange{Field: field, Missing: true})
		parts = append(parts, missing)
	}
	return parts
}

// within is the same comparison over some of the pairs.
func (w *work) within(places []int) *work {
	part := *w
	part.pairs, part.clusters = make([]pair, 0, len(places)), nil
	for _, i := range places {
		part.pairs = append(part.pairs, w.pairs[i])
		if w.clusters != nil {
			part.clusters = append(part.clusters, w.clusters[i])
		}
	}
	return &part
}
