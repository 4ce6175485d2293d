package stats

import "math/bits"

// A NumPy is the stream of numpy.random.default_rng(seed), so that resampling picks the same cases as scipy
// and sacrebleu (numpy 2.4: bit_generator.pyx, pcg64.h, distributions.c). One goroutine uses it.
type NumPy struct {
	hi, lo       uint64 // state
	incHi, incLo uint64 // stream
	half         uint32 // upper half of the last word, where it was not used
	buffered     bool
}

// NewNumPy returns numpy.random.default_rng(seed).
func NewNumPy(seed uint64) *NumPy {
	w := seedWords(seed)
	g := &NumPy{incHi: w[2]<<1 | w[3]>>63, incLo: w[3]<<1 | 1}
	g.step()
	var carry uint64
	g.lo, carry = bits.Add64(g.lo, w[1], 0)
	g.hi, _ = bits.Add64(g.hi, w[0], carry)
	g.step()
	return g
}

// seedWords is SeedSequence(seed).generate_state(4, uint64).
func seedWords(seed uint64) (out [4]uint64) {
	var pool [4]uint32
	hash := uint32(0x43b0d7e5)
	mixIn := func(v uint32) uint32 {
		v ^= hash
		hash *= 0x931e8875
		v *= hash
		return v ^ v>>16
	}
	for i, v := range [4]uint32{uint32(seed), uint32(seed >> 32)} {
		pool[i] = mixIn(v)
	}
	for i := range pool {
		for j := range pool {
			if i != j {
				v := 0xca01f9dd*pool[j] - 0x4973f715*mixIn(pool[i])
				pool[j] = v ^ v>>16
			}
		}
	}
	hash = 0x8b51f9dd
	var words [8]uint32
	for i := range words {
		v := pool[i%4] ^ hash
		hash *= 0x58f38ded
		v *= hash
		words[i] = v ^ v>>16
	}
	for i := range out {
		out[i] = uint64(words[2*i]) | uint64(words[2*i+1])<<32
	}
	return out
}

// The multiplier of PCG64.
const pcgHi, pcgLo = 2549297995355413924, 4865540595714422341

func (g *NumPy) step() {
	hi, lo := bits.Mul64(g.lo, pcgLo)
	hi += g.hi*pcgLo + g.lo*pcgHi
	var carry uint64
	g.lo, carry = bits.Add64(lo, g.incLo, 0)
	g.hi, _ = bits.Add64(hi, g.incHi, carry)
}

// Uint64 returns the next word of the stream.
func (g *NumPy) Uint64() uint64 {
	g.step()
	return bits.RotateLeft64(g.hi^g.lo, -int(g.hi>>58))
}

func (g *NumPy) uint32() uint32 {
	if g.buffered {
		g.buffered = false
		return g.half
	}
	w := g.Uint64()
	g.half, g.buffered = uint32(w>>32), true
	return uint32(w)
}

// Choice fills out as choice(n, len(out), replace=True) does: numbers in [0, n).
// n must be in 1..2³²-1.
func (g *NumPy) Choice(n int, out []uint32) {
	if n == 1 {
		clear(out)
		return
	}
	bound := uint64(n)
	least := -uint32(n) % uint32(n)
	i := 0
	add := func(word uint32) { // Lemire 2019, "Fast random integer generation in an interval"
		if m := uint64(word) * bound; uint32(m) >= least {
			out[i] = uint32(m >> 32)
			i++
		}
	}
	for i < len(out) && g.buffered {
		add(g.uint32())
	}
	for i < len(out) { // two at a time: most of a bootstrap's time is spent here
		w := g.Uint64()
		if add(uint32(w)); i < len(out) {
			add(uint32(w >> 32))
		} else {
			g.half, g.buffered = uint32(w>>32), true
		}
	}
}

// bitStream is the bits of integers(2, size=n, dtype=bool), which may be larger than memory.
type bitStream struct {
	g    *NumPy
	word uint32
	left int
}

func (b *bitStream) next() uint32 {
	if b.left == 0 {
		b.word, b.left = b.g.uint32(), 32
	}
	bit := b.word & 1
	b.word >>= 1
	b.left--
	return bit
}
