package binary

import (
	"encoding/binary"
	"math"
)

// AppendU32 appends the shortest unsigned LEB128 form of v.
func AppendU32(dst []byte, v uint32) []byte { return binary.AppendUvarint(dst, uint64(v)) }

// AppendS64 appends the shortest signed LEB128 form of v. It serves 32-bit
// values too: their forms are the same.
func AppendS64(dst []byte, v int64) []byte {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(dst, b)
		}
		dst = append(dst, b|0x80)
	}
}

// u32 reads an unsigned LEB128 value of at most 32 bits, in at most five bytes, at b[at]. The new
// position is -1 if there is none.
func u32(b []byte, at int) (v uint32, next int) {
	long, n := binary.Uvarint(b[min(at, len(b)):])
	if n <= 0 || n > 5 || long > math.MaxUint32 {
		return 0, -1
	}
	return uint32(long), at + n
}

// signed reads a signed LEB128 value of at most bits bits at b[at]. The new
// position is -1 if there is none.
func signed(b []byte, at, bits int) (v int64, next int) {
	for shift := 0; shift < bits; shift += 7 {
		if at >= len(b) {
			return 0, -1
		}
		c := b[at]
		at++
		v |= int64(c&0x7f) << shift
		if c&0x80 != 0 {
			continue
		}
		if shift+7 < 64 && c&0x40 != 0 {
			v |= -1 << (shift + 7)
		}
		// The bits that do not fit must repeat the sign.
		if spare := shift + 7 - bits; spare > 0 {
			if top := int8(c<<1) >> (8 - spare - 1); top != 0 && top != -1 {
				return 0, -1
			}
		}
		return v, at
	}
	return 0, -1
}
