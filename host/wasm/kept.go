package wasm

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/lean"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// What is kept of modules and scripts lies beside the compiled code, under the same
// rules of ownership: modules as they were rewritten, hollow, and images of scripts
// that were started. Each file ends with a seal over its name and content, made with
// the runtime's key, and is written atomically. The cache is best-effort: a missing,
// corrupt or foreign file is a miss.

// keptForm is the version of the form of these files, of what the meter makes, and of
// what Load refuses: whoever changes one of them counts on.
// TestWhatTheMeterMakesHasAVersion says so of the second.
const keptForm = 11

// KeptVersion names all that makes what Options.CacheDir keeps, apart from wazero: a
// program of another version does not read it. It is part of the form of a module, and
// of the directory's name.
func KeptVersion() string {
	return fmt.Sprintf("%d-%d-%d", meter.TableVersion, keptForm, lean.Version)
}

// Bounds on what is kept.
const (
	mostKept      = 1 << 30 // bytes of one file that is read
	mostImages    = 200
	mostImageSize = 1 << 30   // of all images, which share it
	unfinished    = time.Hour // after which what is being written is left over
	imageSuffix   = ".image"
)

// key returns the name of a file for what it depends on.
func key(parts ...string) string {
	sum := digestAll(parts...)
	return hex.EncodeToString(sum[:])
}

// digestAll returns a digest of texts that tells them apart.
func digestAll(parts ...string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p))))
		io.WriteString(h, p) //nolint:errcheck // a hash takes everything
	}
	h.Sum(sum[:0])
	return sum
}

// openKept opens a regular file of this user alone, and returns its size; nil if there
// is no such file.
func openKept(path string) (*os.File, int64) {
	info, err := os.Lstat(path)
	if err != nil || info.IsDir() || private.Check(path, info) != nil || info.Size() > mostKept {
		return nil, 0
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0
	}
	return f, info.Size()
}

// readKept returns what a file holds, or nil.
func (r *Runtime) readKept(name string) []byte {
	if r.kept == "" {
		return nil
	}
	path := filepath.Join(r.kept, name)
	f, size := openKept(path)
	if f == nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, size)
	if _, err := io.ReadFull(f, b); err != nil {
		return nil
	}
	if !r.key.Verify(name, bytes.NewReader(b), size) {
		os.Remove(path) //nolint:errcheck // it is written again
		return nil
	}
	content := b[:size-private.SealBytes]
	if strings.HasSuffix(name, imageSuffix) {
		now := time.Now()
		os.Chtimes(path, now, now) //nolint:errcheck // then it goes sooner
	}
	return content
}

// canKeep reports whether anything can be kept in a directory.
func canKeep(dir string) bool {
	if dir == "" {
		return false
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

// writeKept keeps bytes under a name. Not being able to is no failure: it costs
// the next process time.
func (r *Runtime) writeKept(name string, content []byte) {
	if r.kept == "" {
		return
	}
	seal, err := r.key.Seal(name, bytes.NewReader(content))
	if err != nil {
		return
	}
	f, err := os.CreateTemp(r.kept, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(content)
	if err == nil {
		_, err = f.Write(seal)
	}
	err = cmp.Or(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(r.kept, name))
	}
	if err != nil {
		os.Remove(f.Name()) //nolint:errcheck // nothing more can be done
	}
}

// compiler names what makes machine code here.
func compiler() string {
	name := runtime.GOOS + " " + runtime.GOARCH
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, d := range build.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				name += " " + d.Version
			}
		}
	}
	return name
}

// libraryFile is the name under which the library of an interpreter is kept.
func libraryFile(l *language) string { return key("library", l.Interpreter) + ".library" }

// libraryOf returns the library of an interpreter, nil if it has none.
func (r *Runtime) libraryOf(l *language, w *rewritten) *library {
	if l.file == "" {
		return nil
	}
	if w.library != nil {
		return newLibrary(l.file, int64(len(w.library)), func() []byte { return w.library })
	}
	return newLibrary(l.file, w.libraryBytes, func() []byte { return r.readKept(libraryFile(l)) })
}

// imageFile is the name under which the image of a script is kept: by all that
// starting it depends on.
func (m *Module) imageFile() string {
	s := m.scripted
	text, err := json.Marshal(s.script, json.Deterministic(true))
	if err != nil {
		return ""
	}
	var most [8]byte
	binary.LittleEndian.PutUint64(most[:], m.most)
	return key("script", s.language.Interpreter, s.language.driver, string(text), string(most[:])) + imageSuffix
}

// keepImage keeps the image of a script.
func (r *Runtime) keepImage(m *Module) {
	if !canKeep(r.kept) && r.images == nil {
		return
	}
	s := m.scripted
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(s.slots)))
	for _, v := range s.slots {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	if m.scripted.base != nil {
		b = m.image.AppendDifference(b, m.scripted.base.image)
	} else {
		b = m.image.AppendEncoded(b)
	}
	r.writeImage(m.imageFile(), b)
}

// keptImage takes the image of a script that was started before. It reports
// false if there is none.
func (r *Runtime) keptImage(m *Module) bool {
	if r.kept == "" && r.images == nil {
		return false
	}
	b := r.readImage(m.imageFile())
	if len(b) < 4 {
		return false
	}
	n := int(binary.LittleEndian.Uint32(b))
	b = b[4:]
	if n > len(b)/8 {
		return false
	}
	slots := make([]uint64, n)
	for k := range slots {
		slots[k] = binary.LittleEndian.Uint64(b[8*k:])
	}
	var im *image.Image
	var err error
	if base := m.scripted.base; base != nil {
		im, err = r.system.DecodeOver(b[8*n:], base.image, m.most)
	} else {
		im, err = r.system.Decode(b[8*n:], m.most)
	}
	if err != nil {
		return false
	}
	if len(im.Globals()) != len(m.globals) {
		im.Close()
		return false
	}
	m.image, m.scripted.slots = im, slots
	return true
}

// forgetUnfinished removes what processes that were killed were writing.
func (r *Runtime) forgetUnfinished() {
	found, _ := filepath.Glob(filepath.Join(r.kept, "new-*"))
	for _, path := range found {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > unfinished {
			os.RemoveAll(path) //nolint:errcheck // the next process tries again
		}
	}
}

// forgetImages removes those that were not used for the longest time, if there
// are many.
func (r *Runtime) forgetImages() {
	entries, err := os.ReadDir(r.kept)
	if err != nil {
		return
	}
	var images []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), imageSuffix) {
			images = append(images, info)
		}
	}
	slices.SortFunc(images, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	size := int64(0)
	for k, info := range images {
		if size += info.Size(); k >= mostImages || size > mostImageSize {
			os.Remove(filepath.Join(r.kept, info.Name())) //nolint:errcheck // the next process tries again
		}
	}
}
