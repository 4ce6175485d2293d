package rubric_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestShares_SumToExactlyOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 20).Draw(t, "parts")
		parts[rapid.IntRange(0, len(parts)-1).Draw(t, "one that is not 0")] += rapid.Int64Range(1, 1_000_000).Draw(t, "more")
		total := new(big.Rat)
		var list []*big.Rat
		for _, p := range parts {
			list = append(list, big.NewRat(p, 1000))
			total.Add(total, big.NewRat(p, 1000))
		}
		sum := new(big.Rat)
		for i, literal := range rubric.Shares(list) {
			r, ok := new(big.Rat).SetString(literal)
			if !ok || r.Sign() < 0 {
				t.Fatalf("%q is not a share", literal)
			}
			off := new(big.Rat).Sub(r, new(big.Rat).Quo(list[i], total))
			if off.Abs(off).Cmp(big.NewRat(1, 1e12)) > 0 {
				t.Fatalf("%s of %s became %q", list[i], total, literal)
			}
			sum.Add(sum, r)
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Fatalf("the shares sum to %s", sum)
		}
	})
}
