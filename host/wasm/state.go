package wasm

import (
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A state is everything that a call can change in an instance of a restorable module: the
// memory and the module's own globals.
type state struct {
	linear  *image.Memory
	mem     api.Memory          // the same memory as wazero sees it; nil if there is none
	globals []api.MutableGlobal // in the order of traits.Globals
}

// size returns the bytes of memory. api.Memory says 0 for 4 GiB.
func (s *state) size() uint64 { return uint64(len(s.linear.Bytes())) }

func (s *state) freeze(system *image.System) *image.Image {
	return system.Freeze(s.linear, xslices.Map(s.globals, api.MutableGlobal.Get))
}

// adopt makes the state of a new instance, whose memory was made from the image, that of
// the image.
func (s *state) adopt(im *image.Image) error {
	if s.mem != nil {
		pages, _ := s.mem.Grow(0)
		if more := uint32(im.Size()>>16) - pages; more > 0 {
			if _, ok := s.mem.Grow(more); !ok {
				return fault.New(fault.Memory, "a new instance needs %d bytes of memory, which the system refused", im.Size())
			}
		}
	}
	s.setGlobals(im)
	return nil
}

// restore undoes the changes of a call. It reports false if it cannot: the memory grew,
// and no memory can shrink.
func (s *state) restore(im *image.Image) bool {
	if !im.Restore(s.linear) {
		return false
	}
	s.setGlobals(im)
	return true
}

func (s *state) setGlobals(im *image.Image) {
	for k, v := range im.Globals() {
		s.globals[k].Set(v)
	}
}
