package stats

import "math"

// sum is a running sum hi + lo of twice the precision of float64, in whose rounded result the order of
// millions of additions does not show (Dekker 1971).
type sum struct{ hi, lo float64 }

func (a *sum) add(x float64) { a.addTwo(x, 0) }

// addTwo adds x + y, y being small beside x.
func (a *sum) addTwo(x, y float64) {
	hi := a.hi + x
	v := hi - a.hi
	err := (a.hi - (hi - v)) + (x - v) // exactly the bits that hi lost (Knuth's TwoSum)
	lo := err + (a.lo + y)
	a.hi = hi + lo
	a.lo = lo - (a.hi - hi)
}

func (a *sum) addSquare(x float64) {
	square := float64(x * x)
	a.addTwo(square, math.FMA(x, x, -square))
}

func (a sum) value() float64 { return a.hi + a.lo }

// over returns a ÷ n.
func (a sum) over(n float64) sum {
	q := a.hi / n
	r := math.FMA(-q, n, a.hi) + a.lo
	hi := q + r/n
	return sum{hi, r/n - (hi - q)}
}

func (a sum) times(b sum) sum {
	p := float64(a.hi * b.hi)
	return sum{p, math.FMA(a.hi, b.hi, -p) + float64(a.hi*b.lo) + float64(a.lo*b.hi)}
}

func (a sum) plus(b sum) sum {
	a.addTwo(b.hi, b.lo)
	return a
}

func (a sum) minus(b sum) sum { return a.plus(sum{-b.hi, -b.lo}) }
