package image_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestClose_ReleasesEverything makes many memories and images, in every state in
// which they can be given back.
func TestClose_ReleasesEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const few, many = 100, 1_000
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
			before := wasmtest.Holds(t)
			use(many)
			after := wasmtest.Holds(t)
			// The runtime maps memory of its own now and then.
			if after.Mappings > before.Mappings+20 || after.Descriptors > before.Descriptors+2 {
				t.Errorf("%+v became %+v", before, after)
			}
		})
	}
}
