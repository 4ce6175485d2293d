package inspect

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// near is the share of a limit from which Usage.Near is set.
const near = 0.5

// usages compares what a module needs of each limit with the limit, nearest first.
func usages(m *binary.Module, l binary.Limits) []Usage {
	var out []Usage
	needs, limits := reflect.ValueOf(m.Needs), reflect.ValueOf(l)
	for i, t := 0, limits.Type(); i < t.NumField(); i++ {
		if limits.Field(i).Kind() != reflect.Uint64 {
			continue
		}
		n := Usage{Name: t.Field(i).Name, Value: needs.Field(i).Uint(), Limit: limits.Field(i).Uint()}
		n.Share = float64(n.Value) / float64(n.Limit)
		n.Near = n.Share >= near
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b Usage) int { return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Name, b.Name)) })
	return out
}
