package rubric

import (
	"math/big"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/xslices"
)

// shareDigits is the number of decimal places of a share that has no short
// decimal of its own.
const shareDigits = 12

// Shares returns each part's share of the sum of all as a decimal literal. The
// decimals sum to exactly 1: shares that need more than 12 places are rounded
// down, and the remainder goes to those that lost most, the first ones first.
// The parts are at least 0 and at least one is greater.
func Shares(parts []*big.Rat) []string {
	total := new(big.Rat)
	for _, part := range parts {
		total.Add(total, part)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(shareDigits), nil)
	units := make([]*big.Int, len(parts))
	lost := make([]*big.Rat, len(parts))
	missing := new(big.Int).Set(unit)
	for i, part := range parts {
		share := new(big.Rat).Quo(part, total)
		share.Mul(share, new(big.Rat).SetInt(unit))
		units[i] = new(big.Int).Quo(share.Num(), share.Denom())
		lost[i] = share.Sub(share, new(big.Rat).SetInt(units[i]))
		missing.Sub(missing, units[i])
	}
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return lost[b].Cmp(lost[a]) })
	for _, i := range order {
		if missing.Sign() <= 0 {
			break
		}
		units[i].Add(units[i], big.NewInt(1))
		missing.Sub(missing, big.NewInt(1))
	}
	return xslices.Map(units, func(u *big.Int) string { return TrimDecimal(new(big.Rat).SetFrac(u, unit).FloatString(shareDigits)) })
}

// TrimDecimal removes the zeros at the end of a decimal.
func TrimDecimal(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
