package wasm

import (
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/image"
)

// freeze makes an image of an instance.
func (i *instance) freeze() *image.Image {
	globals := make([]uint64, len(i.globals))
	for k, g := range i.globals {
		globals[k] = g.Get()
	}
	return i.m.owner.system.Freeze(i.linear, globals)
}

// adopt makes a new instance, whose memory is that of the image, all that the
// image is.
func (i *instance) adopt(im *image.Image) error {
	if i.mem == nil {
		i.setGlobals(im)
		return nil
	}
	pages, _ := i.mem.Grow(0)
	if more := uint32(im.Size()>>16) - pages; more > 0 {
		if _, ok := i.mem.Grow(more); !ok {
			return fault.New(fault.Memory, "plugin %s: a new instance needs %d bytes of memory, which the system refused", i.m.name, im.Size())
		}
	}
	i.setGlobals(im)
	return nil
}

// restore makes an instance what it was when it was new. It reports false if it
// cannot: memory grew, and no memory can shrink.
func (i *instance) restore() bool {
	if !i.m.image.Restore(i.linear) {
		return false
	}
	i.setGlobals(i.m.image)
	return true
}

func (i *instance) setGlobals(im *image.Image) {
	for k, v := range im.Globals() {
		i.globals[k].Set(v)
	}
}
