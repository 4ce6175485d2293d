package compare

import (
	"maps"
	"slices"

	"github.com/rubric-host/rubric-host/host/result"
)

// slices compares the score within the values of each field.
func (w *work) slices() {
	if w.o.Labels == nil {
		return
	}
	for _, field := range w.o.Slices {
		w.slice(field)
	}
	var family []*result.Change
	for i := range w.out.Slices {
		family = append(family, &w.out.Slices[i].Change)
	}
	adjust(family)
}

func (w *work) slice(field string) {
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
		w.out.Slices = append(w.out.Slices, result.SliceChange{Field: field, Value: v, Change: w.within(byValue[v])})
	}
	if len(missing) > 0 {
		w.out.Slices = append(w.out.Slices, result.SliceChange{Field: field, Missing: true, Change: w.within(missing)})
	}
}

// within compares the score over some of the pairs.
func (w *work) within(places []int) (out result.Change) {
	part := *w
	part.pairs, part.clusters = nil, nil
	for _, i := range places {
		part.pairs = append(part.pairs, w.pairs[i])
		if w.clusters != nil {
			part.clusters = append(part.clusters, w.clusters[i])
		}
	}
	part.change(&out, &w.base.total, &w.cand.total)
	return out
}
