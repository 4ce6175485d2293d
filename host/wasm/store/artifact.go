package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Part is a named part of an artifact.
type Part struct {
	Name string
	Data []byte
}

// Code is the part that was written to a draft before Draft.Seal.
const Code = "code"

// File is the name of an artifact's file, in the directory of its key.
const File = "artifact"

// magic ends every artifact. Its last byte is the version of the format.
const magic = "rh-art\x00\x01"

const (
	trailerBytes int64 = private.SealBytes + 4 + int64(len(magic))
	maxIndex           = 1 << 20
	maxBytes           = 1 << 30 // of an artifact
)

// An index lists the parts of an artifact.
type index struct {
	Key   string    `json:"key"`
	Parts []indexed `json:"parts"` // in the order of their content
}

// An indexed part has its size and its seal.
type indexed struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Seal []byte `json:"seal"`

	at int64
}

// An Artifact is open for reading. Close it.
type Artifact struct {
	key   private.Key
	name  string
	from  io.ReaderAt
	close func() error
	parts []indexed
	owned bool // by the program: seals of parts are not verified
}

// Close closes the artifact's file.
func (a *Artifact) Close() {
	if a != nil && a.close != nil {
		a.close() //nolint:errcheck // it was only read
	}
}

// Part returns the content of a part; nil if there is none, or its seal is wrong.
func (a *Artifact) Part(name string) []byte {
	p := a.find(name)
	if p == nil {
		return nil
	}
	b := make([]byte, p.Size)
	if _, err := a.from.ReadAt(b, p.at); err != nil || !a.sealed(p, bytes.NewBuffer(b)) {
		return nil
	}
	return b
}

// Verify reports whether the seal of a part is right, or need not be.
func (a *Artifact) Verify(name string) bool { return a.Seals(name, a.Open(name)) }

// Seals reports whether the seal of a part is that of a content, or need not be.
func (a *Artifact) Seals(name string, content io.Reader) bool {
	p := a.find(name)
	return p != nil && a.sealed(p, content)
}

// Open returns a reader of a part, whose seal was not verified.
func (a *Artifact) Open(name string) *io.SectionReader {
	p := a.find(name)
	if p == nil {
		return io.NewSectionReader(a.from, 0, 0)
	}
	return io.NewSectionReader(a.from, p.at, p.Size)
}

func (a *Artifact) find(name string) *indexed {
	return xslices.Find(a.parts, func(p *indexed) bool { return p.Name == name })
}

func (a *Artifact) sealed(p *indexed, content io.Reader) bool {
	if a.owned {
		return true
	}
	return a.key.Verify(partName(a.name, p.Name), content, p.Seal)
}

// partName is the name for the seal of a part, indexName that for the index.
func partName(key, part string) string { return key + "/" + part }
func indexName(key string) string      { return key + " index" }

// read reads the index of an artifact. It returns nil if it was not sealed for the key.
func read(from io.ReaderAt, size int64, name string, key private.Key) *Artifact {
	var trailer [trailerBytes]byte
	if size < trailerBytes || size > maxBytes {
		return nil
	}
	if _, err := from.ReadAt(trailer[:], size-trailerBytes); err != nil || string(trailer[private.SealBytes+4:]) != magic {
		return nil
	}
	length := int64(binary.LittleEndian.Uint32(trailer[private.SealBytes:]))
	at := size - trailerBytes - length
	if length > maxIndex || at < 0 {
		return nil
	}
	b := make([]byte, length)
	if _, err := from.ReadAt(b, at); err != nil {
		return nil
	}
	if !key.Verify(indexName(name), bytes.NewBuffer(b), trailer[:private.SealBytes]) {
		return nil
	}
	var i index
	if json.Unmarshal(b, &i) != nil || i.Key != name {
		return nil
	}
	a := &Artifact{key: key, name: name, from: from, parts: i.Parts}
	end := int64(0)
	for k := range a.parts {
		p := &a.parts[k]
		if p.Size < 0 || p.Size > at-end {
			return nil
		}
		p.at, end = end, end+p.Size
	}
	return a
}

// Decode opens an artifact that Encode made for the same key, nil if b is not one. b must not be
// changed.
func Decode(b []byte, name string, key private.Key) *Artifact {
	return read(bytes.NewReader(b), int64(len(b)), name, key)
}

// DecodeOwned is Decode for an artifact within the program, whose parts it trusts as its own code. nil: there is none.
func DecodeOwned(from *io.SectionReader, name string, key private.Key) *Artifact {
	if from == nil {
		return nil
	}
	a := read(from, from.Size(), name, key)
	if a != nil {
		a.owned = true
	}
	return a
}

// Encode returns the bytes of an artifact.
func Encode(name string, key private.Key, parts ...Part) ([]byte, error) {
	var b bytes.Buffer
	size := 1 << 10
	for _, p := range parts {
		size += len(p.Data) + 1<<10 // with its place in the index
	}
	b.Grow(size)
	err := write(&b, name, key, nil, parts)
	return b.Bytes(), err
}

// write appends parts, index and trailer to a file that begins with other parts.
func write(to io.Writer, name string, key private.Key, before []indexed, parts []Part) error {
	i := index{Key: name, Parts: before}
	for _, p := range parts {
		seal, err := key.Seal(partName(name, p.Name), bytes.NewBuffer(p.Data))
		if err != nil {
			return err
		}
		i.Parts = append(i.Parts, indexed{Name: p.Name, Size: int64(len(p.Data)), Seal: seal})
		if _, err := to.Write(p.Data); err != nil {
			return err
		}
	}
	b, err := json.Marshal(i)
	if err != nil {
		return err
	}
	seal, err := key.Seal(indexName(name), bytes.NewBuffer(b))
	if err != nil {
		return err
	}
	if len(b) > maxIndex {
		return fmt.Errorf("an index of %d bytes", len(b))
	}
	size := len(b)
	b = binary.LittleEndian.AppendUint32(append(b, seal...), uint32(size))
	_, err = to.Write(append(b, magic...))
	return err
}
