package stats_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/stats"
)

// TestLanes_SumAsOneByOne draws sets of whole numbers, small and as large as may be, and
// any draws of their cases: the sums of lanes are the same to the last bit.
func TestLanes_SumAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cases, width := rapid.IntRange(1, 40).Draw(t, "cases"), rapid.IntRange(1, 20).Draw(t, "width")
		number := rapid.Uint64Range(0, rapid.SampledFrom([]uint64{0, 1, 2, 60, 1 << 20, (1<<53 - 1) / uint64(cases)}).Draw(t, "most"))
		set := make([][]float64, cases)
		for i := range set {
			for range width {
				set[i] = append(set[i], float64(number.Draw(t, "number")))
			}
		}
		drawn := rapid.SliceOfN(rapid.Uint32Range(0, uint32(cases-1)), cases, cases).Draw(t, "drawn")
		plain, inLanes := stats.SumsOf(set, drawn)
		if inLanes == nil || !slices.Equal(plain, inLanes) {
			t.Fatalf("%v in lanes, %v one by one", inLanes, plain)
		}
	})
}

// TestLanes_RefuseOtherNumbers lists statistics whose sums a lane cannot hold exactly.
func TestLanes_RefuseOtherNumbers(t *testing.T) {
	for _, x := range []float64{0.5, -1, 1 << 53, 1 << 52} {
		if _, inLanes := stats.SumsOf([][]float64{{1, x}, {2, 3}}, []uint32{0, 1}); inLanes != nil {
			t.Errorf("%v is in a lane", x)
		}
	}
}
