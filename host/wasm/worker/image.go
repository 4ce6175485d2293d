package worker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/private"
)

// The image of a script is what starting it came to. The first worker of a script
// makes it, and sends it to the parent before it says that the script is loaded; so
// nothing that was granted, and no request, can be in it. The parent keeps it, knows
// nothing of what it is, and hands it to the next workers of the same module with
// the same limits, who read it as a stranger's. What breaks out of a script can so
// forge its own image, and no other's.

const (
	mostImage   = 256 << 20 // bytes; one of a script with many libraries has 80 MB
	pieceBytes  = mostJSON  // of an image, in one frame
	imageSuffix = ".image"
	sealedAs    = "image" // whose it is, its name says
)

// imageFile is where the image of a script is kept; empty: nowhere.
func (m *Module) imageFile() string {
	if m.runtime.kept == "" || !m.script {
		return ""
	}
	h := sha256.New()
	fmt.Fprintln(h, "image", m.digest, digest(m.asked))
	program(h)
	return filepath.Join(m.runtime.kept, hex.EncodeToString(h.Sum(nil)[:16])+imageSuffix)
}

// openImage opens the image that is kept, and returns its size. There is none if
// that is zero.
func (m *Module) openImage() (*os.File, int) {
	path := m.imageFile()
	if path == "" {
		return nil, 0
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostImage || info.Size() == 0 {
		f.Close() //nolint:errcheck // it was only read
		return nil, 0
	}
	use(path)
	return f, int(info.Size())
}

// give sends an image in pieces.
func (k *conn) give(image *os.File, size int) error {
	piece := make([]byte, min(size, pieceBytes))
	for size > 0 {
		piece = piece[:min(size, pieceBytes)]
		if _, err := io.ReadFull(image, piece); err != nil {
			return fmt.Errorf("its image: %w", err)
		}
		if err := k.send(kindGiven, piece); err != nil {
			return err
		}
		size -= len(piece)
	}
	return nil
}

// A taking is an image on its way from a worker to a file.
type taking struct {
	f    *os.File // nil: it cannot be kept
	path string
	left int // bytes that it may still have
}

// take begins to take an image.
func (m *Module) take() *taking {
	t := &taking{path: m.imageFile(), left: mostImage}
	var err error
	if t.f, err = os.CreateTemp(m.runtime.kept, coming); err != nil { // a full disk, say
		t.f = nil
	}
	return t
}

// add takes a piece. An error says that there is more than there may be.
func (t *taking) add(piece []byte) error {
	if t.left -= len(piece); t.left < 0 {
		return fmt.Errorf("%w: an image of more than %d bytes", errFrame, mostImage)
	}
	if t.f != nil {
		if _, err := t.f.Write(piece); err != nil {
			t.drop()
		}
	}
	return nil
}

// drop takes no image.
func (t *taking) drop() {
	if t != nil && t.f != nil {
		t.f.Close()           //nolint:errcheck // it is of no use
		os.Remove(t.f.Name()) //nolint:errcheck // it is left over, and goes with others
		t.f = nil
	}
}

// keep gives what was taken its name.
func (t *taking) keep(r *Runtime) {
	if t == nil || t.f == nil {
		return
	}
	if errors.Join(t.f.Close(), os.Rename(t.f.Name(), t.path)) != nil {
		os.Remove(t.f.Name()) //nolint:errcheck // it is left over, and goes with others
	}
	t.f = nil
	r.evict()
}

// An album holds the one image that a worker needs: that which the parent had, or
// that which the worker makes. With a name before and a seal behind, it is known to be
// what a worker of this script made.
type album struct {
	key     private.Key
	arrived func() error // waits until given is there, and says why it is not; nil: nothing comes

	given  []byte
	name   string // of what the worker made; empty: nothing
	made   []byte
	wanted bool
}

// Image returns the image that was given, if it is of that name - of the same
// script, interpreter and limits - and whole.
func (a *album) Image(name string) []byte {
	if a.wait() != nil {
		return nil
	}
	whole := len(a.given) - private.SealBytes
	image, ok := bytes.CutPrefix(a.given[:max(0, whole)], []byte(name))
	if !ok || !a.key.Verify(sealedAs, bytes.NewReader(a.given), int64(len(a.given))) {
		return nil
	}
	return image
}

// arrives begins to receive what is given.
func (a *album) arrives(receive func() error) {
	end := make(chan error, 1)
	go func() { end <- receive() }()
	a.arrived = sync.OnceValue(func() error { return <-end })
}

// wait waits until what is given is there.
func (a *album) wait() error {
	if a.arrived == nil {
		return nil
	}
	return a.arrived()
}

// Keep keeps an image to be sent. The last one is that of the script.
func (a *album) Keep(name string, image []byte) {
	a.name, a.made = "", nil
	if a.wanted && len(name)+len(image)+private.SealBytes <= mostImage {
		a.name, a.made = name, image
	}
}

// sendImage sends the image that was made, if one was, in pieces.
func (s *server) sendImage() error {
	a := &s.album
	if a.made == nil {
		s.album = album{}
		return nil
	}
	seal, err := a.key.Seal(sealedAs, io.MultiReader(strings.NewReader(a.name), bytes.NewReader(a.made)))
	if err != nil {
		return err
	}
	for _, part := range [][]byte{[]byte(a.name), a.made, seal} {
		for len(part) > 0 {
			n := min(len(part), pieceBytes)
			if err := s.out.write(func(b []byte) []byte { return appendFrame(b, kindMade, part[:n]) }); err != nil {
				return err
			}
			part = part[n:]
		}
	}
	s.album = album{}
	return nil
}

// images are where a script's image comes from and goes to; nil: nowhere.
func (s *server) images(h *hello) *album {
	if h.Image == 0 && !h.Keep {
		return nil
	}
	s.album.wanted, s.album.key = h.Keep, h.Key
	return &s.album
}

// receive reads the image that is given.
func (s *server) receive(size int) error {
	s.album.given = make([]byte, 0, size)
	for left := size; left > 0; left = size - len(s.album.given) {
		piece, err := s.bytes(kindGiven, min(left, pieceBytes))
		if err != nil {
			return err
		}
		s.album.given = append(s.album.given, piece...)
	}
	return nil
}
