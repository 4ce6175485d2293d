package document

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// plainNumber matches decimal numbers: sign, whole part, fraction with or without one
// before it, exponent.
var plainNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([-+]?)(?:(0|[1-9][0-9]*)(\.[0-9]*)?|(\.[0-9]+))([eE][-+]?[0-9]+)?$`)
})

// JSONNumber returns a literal in the form of JSON. YAML also writes +1, .5 and
// 1.; literals that it reads differently from version to version (010, 0x10, 1_000,
// 1:30) and other text are refused. The number may be greater
// than a float64 holds.
func JSONNumber(s string) (string, bool) {
	m := plainNumber().FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	return strings.TrimPrefix(m[1], "+") + cmp.Or(m[2], "0") + strings.TrimRight(m[3]+m[4], ".") + m[5], true
}

// ParseNumber returns the float64 nearest to a literal, or why there is none.
func ParseNumber(literal string) (x float64, why string) {
	plain, ok := JSONNumber(literal)
	if !ok {
		switch strings.ToLower(strings.TrimLeft(literal, "+-")) {
		case ".inf":
			return 0, "is infinite"
		case ".nan":
			return 0, "is not a number"
		}
		return 0, "is not a plain decimal number"
	}
	x, err := strconv.ParseFloat(plain, 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, "is too large"
	}
	return x, ""
}

// Exactly reports whether a literal says just the number x: whether x, printed
// as short as it can be, has the digits of the literal.
func Exactly(literal string, x float64) bool {
	a, okA := decimal(literal)
	b, okB := decimal(strconv.FormatFloat(x, 'g', -1, 64))
	return okA && okB && a == b
}

// digitsOf is a decimal number without its formatting: sign, significant
// digits, and the power of ten of the last one.
type digitsOf struct {
	negative bool
	digits   string
	power    int
}

func decimal(literal string) (digitsOf, bool) {
	s, ok := JSONNumber(literal)
	if !ok {
		return digitsOf{}, false
	}
	var d digitsOf
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(s), "e")
	if power != "" {
		n, err := strconv.Atoi(power)
		if err != nil || n > 1<<20 || n < -1<<20 {
			return digitsOf{}, false
		}
		d.power = n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(all, "0")
	d.power += len(all) - len(d.digits) - len(fraction)
	if d.digits == "" {
		return digitsOf{}, true
	}
	return d, true
}

// Rational returns a literal as an exact fraction. It takes no literal whose
// digits would fill memory.
func Rational(literal string) (*big.Rat, bool) {
	d, ok := decimal(literal)
	if !ok || len(d.digits) > 100 || d.power > 400 || d.power < -400 {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(fmt.Sprintf("%se%d", cmp.Or(d.digits, "0"), d.power))
	if ok && d.negative {
		r.Neg(r)
	}
	return r, ok
}
