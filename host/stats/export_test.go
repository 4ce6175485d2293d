package stats

// BinomialDraw is binomial, for its test.
var BinomialDraw = binomial

// Bits fills out as integers(2, size=len(out), dtype=bool) does.
func (g *NumPy) Bits(out []bool) {
	b := bitStream{g: g}
	for i := range out {
		out[i] = b.next() == 1
	}
}

// SumsOf returns the sums of drawn cases one by one, and in lanes; nil if the statistics do not go into lanes.
func SumsOf(set [][]float64, drawn []uint32) (plain, inLanes []float64) {
	c := packed(set)
	plain = c.sumOf(drawn)
	if l, ok := c.lanes(); ok {
		inLanes = l.sumOf(drawn)
	}
	return plain, inLanes
}
