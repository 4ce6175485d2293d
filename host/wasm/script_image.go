package wasm

import (
	"encoding/binary"
	"fmt"

	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// ScriptImage keeps the image of one script where the store can only be read. Its bytes
// are an artifact. They are untrusted until its seal was verified.
type ScriptImage interface {
	// Image returns the bytes that an earlier process kept, or nil.
	Image() []byte

	// Keep keeps the bytes, in place of those that it was given before. They are not
	// changed later.
	Keep(image []byte)
}

// The artifact of a started script, or of an interpreter that was started alone, has
// these parts.
const (
	imagePart   = "image"
	handlesPart = "handles" // hosted.handles
)

// imageKey is that of the artifact of a started script: a digest of everything that
// starting it depends on.
func (p *prototype) imageKey() string {
	l := p.script.Runtime
	return store.Key("script", CacheVersion(), p.digest, l.Interpreter, l.Driver(), fmt.Sprint(p.traits.MaxMemory))
}

// saveImage keeps the image of a started script.
func (s *artifacts) saveImage(p *prototype) {
	if s.store == nil && s.images == nil {
		return
	}
	if s.images != nil && p.script.base == nil { // it belongs into the store, which only another process writes
		p.cacheMiss = s.store != nil
		return
	}
	var handles []byte
	for _, v := range p.script.handles {
		handles = binary.LittleEndian.AppendUint64(handles, v)
	}
	parts := []store.Part{{Name: imagePart, Data: p.image.AppendEncoded(nil, p.script.started())}, {Name: handlesPart, Data: handles}}
	if s.images == nil {
		s.store.Put(p.imageKey(), parts...)
	} else if b, err := store.Encode(p.imageKey(), s.key, parts...); err == nil {
		s.images.Keep(b)
	}
}

// loadImage takes the image of a script that was started before. It reports false on a miss.
func (s *artifacts) loadImage(p *prototype) bool {
	if s.store == nil && s.images == nil {
		return false
	}
	a := s.store.Get(p.imageKey())
	if a == nil && s.images != nil {
		a = store.Decode(s.images.Image(), p.imageKey(), s.key)
	}
	if a == nil {
		return false
	}
	defer a.Close()
	b := a.Part(handlesPart)
	handles := make([]uint64, len(b)/8)
	for k := range handles {
		handles[k] = binary.LittleEndian.Uint64(b[8*k:])
	}
	im, err := p.runtime.system.Decode(a.Part(imagePart), p.script.started(), p.traits.MaxMemory)
	if err != nil {
		return false
	}
	if len(im.Globals()) != len(p.traits.Globals) {
		im.Close()
		return false
	}
	p.image, p.script.handles = im, handles
	return true
}
