package worker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// The image of a script is what starting it came to. The first worker of a script
// makes it, and sends it to the parent before it says that the script is loaded; so
// nothing that was granted, and no request, can be in it. The parent keeps it, knows
// nothing of what it is, and hands it to the next workers of the same module with
// the same limits, who read it as a stranger's. What breaks out of a script can so
// forge its own image, and no other's.

// mostImage is how large an image may be: what a script writes to when it starts
// is far less than its memory.
const mostImage = 64 << 20

// imageName is the file that an image is kept in.
func (m *Module) imageName() string {
	h := sha256.New()
	fmt.Fprintln(h, "image", m.digest, digest(m.asked))
	program(h)
	return hex.EncodeToString(h.Sum(nil)[:16]) + wasm.KeptSuffix
}

// keptImage returns the image of a script, nil if there is none. wanted says that
// one which a worker makes, because there is none or it is of no use, is kept.
func (m *Module) keptImage() (image []byte, wanted bool) {
	if m.runtime.kept == "" || !m.script {
		return nil, false
	}
	image = wasm.ReadKept(m.runtime.kept, m.imageName())
	if len(image) > mostImage {
		image = nil
	}
	return image, true
}

// keepImage keeps the image that a worker sent.
func (m *Module) keepImage(image []byte) {
	wasm.WriteKept(m.runtime.kept, m.imageName(), image)
	m.runtime.evict()
}

// dropImage removes an image with which no worker could be started.
func (m *Module) dropImage() {
	os.Remove(filepath.Join(m.runtime.kept, m.imageName())) //nolint:errcheck // then it fails again, and is of no use again
}

// An album holds the one image that a worker needs: that which the parent had, or
// that which the worker makes.
type album struct {
	given  []byte // a name and an image
	made   []byte // the same; nil: none
	wanted bool
}

// Image returns the image that was given, if it is of that name: of the same
// script, interpreter and limits.
func (a *album) Image(name string) []byte {
	if image, ok := bytes.CutPrefix(a.given, []byte(name)); ok {
		return image
	}
	return nil
}

// Keep keeps an image to be sent. The last one is that of the script.
func (a *album) Keep(name string, image []byte) {
	if a.made = nil; a.wanted && len(name)+len(image) <= mostImage {
		a.made = append([]byte(name), image...)
	}
}
