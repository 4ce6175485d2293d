package schema

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds on a number, so that its exact value fills no memory.
const (
	maxDigits   = 1000
	maxExponent = 1000
)

// A number is a JSON number as it is written. It is of one goroutine.
type number struct {
	literal string
	value   *big.Rat // nil: not asked for yet
}

// newNumber keeps a literal whose exact value can be had.
func newNumber(literal string) (any, error) {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(literal), "e")
	small := len(mantissa) <= maxDigits
	if scientific {
		n, err := strconv.Atoi(exponent)
		small = small && err == nil && n <= maxExponent && n >= -maxExponent
	}
	if !small {
		return nil, fault.New(fault.Input, "holds the number %s: at most %d digits and exponents up to %d are validated", briefNumber(literal), maxDigits, maxExponent)
	}
	return &number{literal: literal}, nil
}

func briefNumber(literal string) string {
	const most = 40
	if len(literal) > most {
		return literal[:most] + "…"
	}
	return literal
}

func (n *number) rat() *big.Rat {
	if n.value == nil {
		n.value, _ = new(big.Rat).SetString(n.literal)
	}
	return n.value
}

// plainInt reports whether the literal is a short integer: most are.
func (n *number) plainInt() bool {
	return len(n.literal) < 18 && !strings.ContainsAny(n.literal, ".eE") && n.literal != "-0"
}

// cost is how much work it is to reckon with the number.
func (n *number) cost() int {
	if n.plainInt() {
		return 1
	}
	c := 1 + len(n.literal)/8
	if i := strings.IndexAny(n.literal, "eE"); i >= 0 {
		e, _ := strconv.Atoi(n.literal[i+1:])
		c += max(e, -e) / 8
	}
	return c
}

func (n *number) isInt() bool { return n.plainInt() || n.rat().IsInt() }

// key is a text that only equal numbers share.
func (n *number) key() string {
	if n.plainInt() {
		return n.literal
	}
	return n.rat().RatString()
}

// divides reports whether r is a whole multiple of by, which is not 0.
func divides(by, r *big.Rat) bool { return new(big.Rat).Quo(r, by).IsInt() }

// ratText writes a bound of a schema for a message.
func ratText(r *big.Rat) string {
	if r.IsInt() && r.Num().BitLen() < 128 {
		return r.RatString()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
