package image_test

import (
	"fmt"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/image"
)

// BenchmarkRestore writes to pages all over a memory and puts it back.
func BenchmarkRestore(b *testing.B) {
	for _, shape := range []struct{ pages, touched int }{
		{1, 3}, {1, 8}, {3, 8}, {18, 12}, {37, 12}, {37, 35}, {416, 30}, {416, 150}, {416, 600},
	} {
		for name, s := range systems(b) {
			b.Run(fmt.Sprintf("%d-pages/%d-touched/%s", shape.pages, shape.touched, name), func(b *testing.B) {
				set := map[int]byte{}
				for at := 0; at < shape.pages*wasmPage; at += 8 << 10 {
					set[at] = 1
				}
				im, _ := freeze(s, shape.pages, shape.pages, set)
				defer im.Close()
				m := im.Memory()
				defer m.Free()
				size := len(m.Bytes())
				for b.Loop() {
					m.Watch()
					for k := range shape.touched {
						m.Bytes()[k*size/shape.touched]++
					}
					im.Restore(m)
				}
			})
		}
	}
}

// BenchmarkMemory makes memories and gives them back.
func BenchmarkMemory(b *testing.B) {
	for name, s := range systems(b) {
		for _, grow := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/grow=%v", name, grow), func(b *testing.B) {
				im, _ := freeze(s, 18, 1024, map[int]byte{1 << 20: 1})
				defer im.Close()
				for b.Loop() {
					m := im.Memory()
					for k := range 8 {
						m.Bytes()[k*wasmPage]++
					}
					if grow {
						m.Reallocate(19 * wasmPage)
					}
					m.Free()
				}
			})
		}
	}
}

func BenchmarkProbe(b *testing.B) {
	for b.Loop() {
		image.Probe().Close()
	}
}

// BenchmarkFreeze makes images of a memory of 18 pages of which 64 KiB are
// filled.
func BenchmarkFreeze(b *testing.B) {
	s := image.Probe()
	defer s.Close()
	for b.Loop() {
		m := s.Memory(18 * wasmPage)
		fill(m.Reallocate(18 * wasmPage)[17*wasmPage:], 1)
		s.Freeze(m, nil).Close()
		m.Free()
	}
}
