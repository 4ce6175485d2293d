package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// The first worker of a script makes its image, and sends it to the parent before it says
// that the script is loaded, so nothing that was granted, and no request, can be in it. The
// parent stores the bytes without reading them. Later workers of the same module with the
// same limits may read that entry, and treat it as untrusted. A script that breaks out of
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

// imageDir is the entry with the script's image; empty: there is none.
func (m *Module) imageDir() string {
	key, s := m.imageKey(), m.runtime.store
	if key == "" || !s.Has(key) {
		return ""
	}
	s.Use(key)
	return s.Path(key)
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

// A scriptImage is the wasm.ScriptImage of a worker: it reads the entry that the parent
// has, and keeps what the worker makes until it is sent.
type scriptImage struct {
	dir    string // empty: there is no entry
	made   []byte
	wanted bool // the parent takes one
}

// Image returns the bytes of the entry.
func (a *scriptImage) Image() []byte {
	if a.dir == "" {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(a.dir, imageFile))
	if err != nil {
		return nil
	}
	return b
}

// Keep keeps an image to be sent. The last one is that of the script.
func (a *scriptImage) Keep(image []byte) {
	a.made = nil
	if a.wanted && len(image) <= mostImage {
		a.made = image
	}
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
