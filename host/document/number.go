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

	"github.com/go-json-experiment/json/jsontext"
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
	if v := jsontext.Value(s); len(s) > 0 && s[0] > ' ' && s[len(s)-1] > ' ' && v.Kind() == '0' && v.IsValid() {
		return s, true // of JSON itself: the pattern takes longer to compile than a manifest to read
	}
	return yamlNumber(s)
}

// yamlNumber is JSONNumber by the pattern.
func yamlNumber(s string) (string, bool) {
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
	a, ok := Rational(literal) // one that Rational refuses has more digits, or other powers, than a float64
	b, finite := Rational(strconv.FormatFloat(x, 'g', -1, 64))
	return ok && finite && a.Cmp(b) == 0
}

// Rational returns a literal as an exact fraction. It takes no literal whose
// digits would fill memory.
func Rational(literal string) (*big.Rat, bool) {
	s, ok := JSONNumber(literal)
	if !ok {
		return nil, false
	}
	s, negative := strings.CutPrefix(s, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(s), "e")
	n, err := strconv.Atoi(cmp.Or(power, "0"))
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	digits := strings.TrimRight(all, "0")
	n += len(all) - len(digits) - len(fraction) // of the last digit
	switch {
	case err != nil:
		return nil, false
	case digits == "":
		return new(big.Rat), true
	case len(digits) > 100 || n > 400 || n < -400:
		return nil, false
	}
	r, ok := new(big.Rat).SetString(fmt.Sprintf("%se%d", digits, n))
	if ok && negative {
		r.Neg(r)
	}
	return r, ok
}
