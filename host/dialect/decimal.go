package dialect

import (
	"math/big"
	"slices"
	"strings"
)

// shareDigits is the number of decimal places of a share that has no short
// decimal of its own.
const shareDigits = 12

// shareOut writes each part's share of the total as a decimal. The decimals sum
// to exactly 1: shares that do not end within shareDigits places are rounded
// down, and what is missing goes to those that lost most, the first ones first.
func shareOut(parts []*big.Rat, total *big.Rat) []string {
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
	out := make([]string, len(parts))
	for i, u := range units {
		out[i] = trimDecimal(new(big.Rat).SetFrac(u, unit).FloatString(shareDigits))
	}
	return out
}

// trimDecimal removes the zeros that a decimal ends in.
func trimDecimal(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
