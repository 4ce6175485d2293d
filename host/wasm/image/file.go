package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// A file holds, numbers in little endian:
//
//	8 bytes    fileMagic, version at its end
//	32 bytes   key: what the image was made from
//	32 bytes   digest: the SHA-256 of all that follows
//	u64        bytes of memory
//	u32 u64*   number of globals, and their values
//	u32 u64*   number of runs of blocks that are not zero: first block (u32), how many (u32)
//	4 KiB*     these blocks
const (
	fileMagic  = "rhimage\x01"
	headerSize = len(fileMagic) + 2*sha256.Size
)

// mostGlobals bounds what a file may announce.
const mostGlobals = 1 << 16

// A Key says what an image was made from. Whoever has the same key may use the
// image instead of making it.
type Key [sha256.Size]byte

// KeyOf returns a key of its own for every list of parts.
func KeyOf(parts ...string) (k Key) {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	h.Sum(k[:0])
	return k
}

// path returns where the image for a key lies.
func (k Key) path(dir string) string { return filepath.Join(dir, hex.EncodeToString(k[:])+".image") }

// A Digest is the SHA-256 of what an image is: memory and globals. It is the
// same in every process and on every machine.
type Digest [sha256.Size]byte

// String returns "sha256:<hex>".
func (d Digest) String() string { return "sha256:" + hex.EncodeToString(d[:]) }

// Digest returns the image's digest. The image must not be closed.
func (im *Image) Digest() Digest { return im.digest() }

func (im *Image) sum() (d Digest) {
	h := sha256.New()
	_ = im.writeBody(h) // a hash takes everything
	h.Sum(d[:0])
	return d
}

// writeBody writes what the digest covers.
func (im *Image) writeBody(w io.Writer) error {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, uint64(len(im.b)))
	b = le.AppendUint32(b, uint32(len(im.globals)))
	for _, g := range im.globals {
		b = le.AppendUint64(b, g)
	}
	b = le.AppendUint32(b, uint32(len(im.filled)))
	for _, s := range im.filled {
		b = le.AppendUint32(b, uint32(s.from/block))
		b = le.AppendUint32(b, uint32((s.to-s.from)/block))
	}
	_, err := w.Write(b)
	for _, s := range im.filled {
		if err == nil {
			_, err = w.Write(im.b[s.from:s.to])
		}
	}
	return err
}

// Save writes the image to a directory, under a key. A file that is there
// already is replaced at once. Whoever can write to the directory can make what
// guests run with: it must be ours alone.
func (im *Image) Save(dir string, key Key) error {
	f, err := os.CreateTemp(dir, "*.tmp")
	if err != nil {
		return err
	}
	digest := im.Digest()
	_, err = f.Write(slices.Concat([]byte(fileMagic), key[:], digest[:]))
	if err == nil {
		err = im.writeBody(f)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), key.path(dir))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Open reads the image that was saved under a key. Its memories can grow to max
// bytes. The error is an fs.ErrNotExist if there is none; any other says that
// the file is not what was saved, and the image should be made and saved again.
func (s *System) Open(dir string, key Key, max uint64) (*Image, error) {
	b, err := readFile(key.path(dir), max)
	if err != nil {
		return nil, err
	}
	body := b[headerSize:]
	digest := Digest(b[headerSize-sha256.Size : headerSize])
	switch {
	case string(b[:len(fileMagic)]) != fileMagic:
		return nil, errors.New("not an image, or one of another version")
	case Key(b[len(fileMagic):][:sha256.Size]) != key:
		return nil, errors.New("the image was made from something else")
	case sha256.Sum256(body) != digest:
		return nil, errors.New("the image is damaged: its digest differs")
	}
	c, err := parse(body, max)
	if err != nil {
		return nil, err
	}
	im := s.newImage(c, max)
	im.digest = func() Digest { return digest }
	return im, nil
}

// readFile reads a file that cannot be larger than an image of max bytes.
func readFile(path string, max uint64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	most := uint64(headerSize) + 16 + 8*mostGlobals + max + max/block*8
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() < int64(headerSize) || uint64(st.Size()) > most {
		return nil, fmt.Errorf("a file of mode %v and %d bytes is no image", st.Mode(), st.Size())
	}
	b := make([]byte, st.Size())
	_, err = io.ReadFull(f, b)
	return b, err
}

// parse reads what writeBody wrote.
func parse(b []byte, max uint64) (*content, error) {
	le, short := binary.LittleEndian, errors.New("the image ends early")
	if len(b) < 12 {
		return nil, short
	}
	c := &content{}
	size, n := le.Uint64(b), int(le.Uint32(b[8:]))
	if size > max || size%block != 0 || n > mostGlobals {
		return nil, fmt.Errorf("%d bytes of memory and %d globals are no image", size, n)
	}
	c.size = int(size)
	if b = b[12:]; len(b) < 8*n+4 {
		return nil, short
	}
	for ; n > 0; n-- {
		c.globals, b = append(c.globals, le.Uint64(b)), b[8:]
	}
	runs := int(le.Uint32(b))
	if b = b[4:]; runs > len(b)/8 {
		return nil, short
	}
	table, b := b[:8*runs], b[8*runs:]
	end := 0
	for ; len(table) > 0; table = table[8:] {
		s := span{from: int(le.Uint32(table)) * block}
		s.to = s.from + int(le.Uint32(table[4:]))*block
		if s.from < end || s.to <= s.from || s.to > c.size || len(b) < s.to-s.from {
			return nil, errors.New("the image's blocks overlap or lie outside")
		}
		c.parts, b = append(c.parts, part{s, b[:s.to-s.from]}), b[s.to-s.from:]
		end = s.to
	}
	if len(b) > 0 {
		return nil, errors.New("the image goes on after its end")
	}
	return c, nil
}

// zeros is what a block is compared with.
var zeros [block]byte

// split returns the parts of the spans of a memory that are not zero.
func split(memory []byte, spans []span) (parts []part) {
	for _, s := range spans {
		for at := s.from; at < s.to; at += block {
			if bytes.Equal(memory[at:at+block], zeros[:]) {
				continue
			}
			if last := len(parts) - 1; last >= 0 && parts[last].to == at {
				parts[last].to += block
				parts[last].b = memory[parts[last].from:parts[last].to]
				continue
			}
			parts = append(parts, part{span{at, at + block}, memory[at : at+block]})
		}
	}
	return parts
}
