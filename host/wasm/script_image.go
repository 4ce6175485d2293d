package wasm

import (
	"encoding/binary"
	"fmt"

	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// A ScriptImage keeps the image of one script where the store can only be read. It is
// untrusted until its seal was verified.
type ScriptImage struct {
	Dir  string             // of the artifact that an earlier process kept; empty: there is none
	Keep func(image []byte) // keeps an artifact, in place of those before. It is not changed later
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
	parts := []store.Part{{Name: imagePart, Data: p.image.AppendEncoded(nil)}, {Name: handlesPart, Data: handles}}
	if s.images == nil {
		s.store.Put(p.imageKey(), parts...)
	} else if b, err := store.Encode(p.imageKey(), s.key, parts...); err == nil {
		s.images.Keep(b)
	}
}

// readData reads the initial memory of an interpreter from the store. If that cannot be read, a later process
// compiles the interpreter again.
func (s *artifacts) readData(p *prototype) bool {
	a := s.store.Get(p.key())
	defer a.Close()
	if a != nil && s.readMemory(p, a) {
		return true
	}
	p.cacheMiss = s.store != nil
	s.store.Remove(p.key())
	return false
}

// loadImage takes the image of a script that was started before. It reports false on a miss.
func (s *artifacts) loadImage(p *prototype) bool {
	if s.store == nil && s.images == nil {
		return false
	}
	a := s.store.Get(p.imageKey())
	if a == nil && s.images != nil && s.images.Dir != "" {
		a = store.At(s.images.Dir, p.imageKey(), s.key)
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
	if !a.Verify(imagePart) {
		return false
	}
	im, err := p.runtime.system().Decode(a.Open(imagePart), p.traits.MaxMemory)
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
