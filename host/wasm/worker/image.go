package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// The first worker of a script makes its image, and sends it to the parent before it says
// that the script is loaded, so nothing that was granted, and no request, can be in it. The
// parent keeps the bytes without reading them, and gives them to later workers of the same
// module with the same limits, which treat them as untrusted. A script that breaks out of
// the sandbox can forge its own image, and no other's.

const (
	mostImage  = 256 << 20 // bytes; one of a script with many libraries has 80 MB
	pieceBytes = mostJSON  // of an image, in one frame
	imageFile  = "artifact"
)

// imageKey is that of the entry with the script's image; empty: it is not kept.
func (m *Module) imageKey() string {
	if m.runtime.store == nil || !m.script {
		return ""
	}
	h := sha256.New()
	fmt.Fprintln(h, "image", m.digest, digest(m.asked))
	program(h)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// openImage opens the image, and returns its size. There is none if that is zero.
func (m *Module) openImage() (*os.File, int) {
	key := m.imageKey()
	if key == "" {
		return nil, 0
	}
	f, err := os.Open(filepath.Join(m.runtime.store.Path(key), imageFile))
	if err != nil {
		return nil, 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostImage || info.Size() == 0 {
		f.Close() //nolint:errcheck // it was only read
		return nil, 0
	}
	m.runtime.store.Use(key)
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

// A taking is an image on its way from a worker to the store.
type taking struct {
	draft *store.Draft // nil: it cannot be kept
	f     *os.File
	left  int // bytes that it may still have
}

// take begins to take an image.
func (m *Module) take() *taking {
	t := &taking{draft: m.runtime.store.Draft(), left: mostImage}
	if t.draft == nil {
		return t
	}
	var err error
	if t.f, err = os.OpenFile(filepath.Join(t.draft.Dir, imageFile), os.O_WRONLY|os.O_CREATE, 0o600); err != nil {
		t.drop()
	}
	return t
}

// add takes a piece. An error says that the image is too large.
func (t *taking) add(piece []byte) error {
	if t.left -= len(piece); t.left < 0 {
		return fmt.Errorf("%w: an image of more than %d bytes", errFrame, mostImage)
	}
	if t.draft != nil {
		if _, err := t.f.Write(piece); err != nil {
			t.drop()
		}
	}
	return nil
}

// drop keeps no image.
func (t *taking) drop() {
	if t != nil && t.draft != nil {
		t.f.Close() //nolint:errcheck // it is of no use
		t.draft.Discard()
		t.draft = nil
	}
}

// keep puts what was taken into the store.
func (t *taking) keep(key string) {
	if t != nil && t.draft != nil && t.f.Close() == nil {
		t.draft.Commit(key)
	}
}

// A scriptImage is the wasm.ScriptImage of a worker: the bytes that the parent has, or
// those that the worker makes.
type scriptImage struct {
	arrived func() error // waits for given, and says why it did not come; nil: nothing comes
	given   []byte
	made    []byte
	wanted  bool // the parent takes one
}

// Image returns the image that was given.
func (a *scriptImage) Image() []byte {
	if a.wait() != nil {
		return nil
	}
	return a.given
}

// Keep keeps an image to be sent. The last one is that of the script.
func (a *scriptImage) Keep(image []byte) {
	a.made = nil
	if a.wanted && len(image) <= mostImage {
		a.made = image
	}
}

// arrives begins to receive what is given.
func (a *scriptImage) arrives(receive func() error) {
	end := make(chan error, 1)
	go func() { end <- receive() }()
	a.arrived = sync.OnceValue(func() error { return <-end })
}

// wait waits until what is given is there.
func (a *scriptImage) wait() error {
	if a.arrived == nil {
		return nil
	}
	return a.arrived()
}

// sendImage sends the image that was made, if there is one, in pieces.
func (s *server) sendImage() error {
	made := s.image.made
	s.image = scriptImage{}
	for len(made) > 0 {
		n := min(len(made), pieceBytes)
		if err := s.out.write(func(b []byte) []byte { return appendFrame(b, kindMade, made[:n]) }); err != nil {
			return err
		}
		made = made[n:]
	}
	return nil
}

// receive reads the image that is given.
func (s *server) receive(size int) error {
	s.image.given = make([]byte, 0, size)
	for left := size; left > 0; left = size - len(s.image.given) {
		piece, err := s.bytes(kindGiven, min(left, pieceBytes))
		if err != nil {
			return err
		}
		s.image.given = append(s.image.given, piece...)
	}
	return nil
}
