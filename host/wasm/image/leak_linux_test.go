package image_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/image"
)

// held returns how many mappings and descriptors this process has.
func held(t *testing.T) (mappings, descriptors int) {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(maps, []byte("\n")), len(open)
}

// TestNothingIsLeftBehind makes many memories and images, in every state in
// which they can be given back.
func TestNothingIsLeftBehind(t *testing.T) {
	const few, many = 100, 3_000
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			im, _ := freeze(s, 2, 4, map[int]byte{0: 1})
			defer im.Close()
			use := func(rounds int) {
				for n := range rounds {
					m := im.Memory()
					m.Bytes()[0] = byte(n)
					if n%3 == 0 {
						m.Reallocate(3 * wasmPage)
					}
					m.Free()
					if n%10 == 0 {
						other, _ := freeze(s, 2, 4, nil)
						a, b, late := other.Memory(), other.Memory(), other.Memory()
						a.Free()
						b.Free()
						other.Close()
						late.Free()
						image.Probe(image.Drop).Close()
					}
				}
			}
			use(few)
			mappings, descriptors := held(t)
			use(many)
			m, d := held(t)
			// The runtime maps memory of its own now and then.
			if m > mappings+20 || d > descriptors+2 {
				t.Errorf("%d mappings and %d descriptors became %d and %d", mappings, descriptors, m, d)
			}
		})
	}
}
