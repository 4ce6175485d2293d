package wasm

import "bytes"

// An image is what an instance was once it had started: its memory and its
// mutable globals. It is not changed after it was taken, and shared by all
// instances of a module.
type image struct {
	memory  []byte
	globals []uint64
}

const (
	// wholeCopy is the size up to which memory is copied without looking: less
	// than comparing it first would cost.
	wholeCopy = 64 << 10

	// comparedPage is what larger memories are compared and copied by.
	comparedPage = 4 << 10
)

// take makes an image of an instance.
func take(i *instance) *image {
	im := &image{memory: bytes.Clone(i.memory())}
	for _, g := range i.globals {
		im.globals = append(im.globals, g.Get())
	}
	return im
}

// restore makes an instance what the image shows. It reports false if it
// cannot: memory grew, and no memory can shrink.
func (im *image) restore(i *instance) bool {
	memory := i.memory()
	if len(memory) != len(im.memory) {
		return false
	}
	im.copyTo(memory)
	for k, g := range i.globals {
		g.Set(im.globals[k])
	}
	return true
}

func (im *image) copyTo(memory []byte) {
	if len(memory) <= wholeCopy {
		copy(memory, im.memory)
		return
	}
	for at := 0; at < len(memory); at += comparedPage {
		now, was := memory[at:at+comparedPage], im.memory[at:at+comparedPage]
		if !bytes.Equal(now, was) {
			copy(now, was)
		}
	}
}

// grow brings the memory of a new instance to the size of the image.
func (im *image) grow(i *instance) bool {
	more := len(im.memory) - int(i.mem.Size())
	if more <= 0 {
		return more == 0
	}
	_, ok := i.mem.Grow(uint32(more >> 16))
	return ok
}
