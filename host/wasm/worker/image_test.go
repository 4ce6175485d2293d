package worker

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/store"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

const marked = `const mark = ["the mark is AAAA"].join(""); export const score = () => ({score: 0.5, reason: mark})`

// TestLoad_ForgedImageCostsAStart changes a word in the stored image, and sees it in
// the answers of later workers; an invalid image, or that of another module, costs a
// start.
func TestLoad_ForgedImageCostsAStart(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel()
	wasmtest.NeedsKernel(t, canKeep(), "Landlock (Linux 5.13 or later)")
	o := Options{CacheDir: withInterpreter(t)}
	module := scripted(t, marked)
	says := func(mark string) *Module {
		t.Helper()
		m := load(t, isolated(t, o), "p", module, wasm.Limits{})
		for range 2 {
			answer, _, err := m.Call(t.Context(), "score", []byte(question), nil)
			if err != nil || !bytes.Contains(answer, []byte("the mark is "+mark)) {
				t.Errorf("%s, %v; want %s", answer, err, mark)
			}
		}
		if n := m.Workers(); n != 1 {
			t.Errorf("%d workers", n)
		}
		m.Close(t.Context())
		return m
	}
	m := says("AAAA")
	path := filepath.Join(m.runtime.store.Path(m.owner.l.imageKey), store.File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	key, name, image, handles := openedImage(t, m, whole)
	write := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep := func(image []byte) {
		t.Helper()
		b, err := store.Encode(name, key, store.Part{Name: "image", Data: image}, store.Part{Name: "handles", Data: handles})
		if err != nil {
			t.Fatal(err)
		}
		write(b)
	}
	if bytes.Count(image, []byte("the mark is AAAA")) == 0 {
		t.Fatalf("%d bytes without the mark", len(image))
	}
	keep(bytes.ReplaceAll(image, []byte("the mark is AAAA"), []byte("the mark is BBBB")))
	says("BBBB")
	useless := map[string][]byte{
		"nothing": {}, "a word": []byte("word"), "half": image[:len(image)/2], "more": append(bytes.Clone(image), 0),
		"a size beyond all": []byte("image 1\n\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00"), "globals that there are not": moreGlobals(image, 0),
	}
	for what, b := range useless {
		keep(b)
		says("AAAA")
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%s: the image was not made again: %v", what, err)
		}
	}
	foreign, err := store.Encode("another name", key, store.Part{Name: "image", Data: image}, store.Part{Name: "handles", Data: handles})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{foreign, whole[:70], whole[:3], bytes.ReplaceAll(whole, []byte("AAAA"), []byte("CCCC"))} {
		write(b)
		says("AAAA")
	}
	// Other limits, another script: another image.
	limited := load(t, isolated(t, o), "p", module, wasm.Limits{Depth: 9_000})
	module = scripted(t, strings.ReplaceAll(marked, "AAAA", "DDDD"))
	other := says("DDDD")
	for _, m := range []*Module{limited, other} {
		if own := m.runtime.store.Path(m.owner.l.imageKey); own == filepath.Dir(path) || !m.runtime.store.Has(m.owner.l.imageKey) {
			t.Errorf("%s is not an image of its own", own)
		}
	}
}

// openedImage returns the image of a module, with its seal and key.
func openedImage(t *testing.T, m *Module, whole []byte) (key private.Key, name string, image, handles []byte) {
	t.Helper()
	key = m.runtime.key.Derive(m.owner.l.entryKey).Derive("artifacts")
	if found := regexp.MustCompile(`"key":"([0-9a-f]+)"`).FindSubmatch(whole); found != nil {
		name = string(found[1])
	}
	a := store.Decode(whole, name, key)
	if a == nil {
		t.Fatalf("%d bytes are not the artifact %s", len(whole), name)
	}
	return key, name, a.Part("image"), a.Part("handles")
}

// moreGlobals adds a global to an image.
func moreGlobals(image []byte, at int) []byte {
	count := at + len("image 1\n") + 8
	b := bytes.Clone(image[:count+4])
	binary.LittleEndian.PutUint32(b[count:], binary.LittleEndian.Uint32(b[count:])+1)
	return append(append(b, make([]byte, 8)...), image[count+4:]...)
}

// TestLoad_KeepsOnlyTheScriptsImage plays a worker that sends forbidden parts while
// it loads.
func TestLoad_KeepsOnlyTheScriptsImage(t *testing.T) {
	loaded := frame(kindLoadResponse, &loadResponse{Keeps: true, MemoryPages: 1})
	image := frame(kindHostRequest, &hostRequest{Op: opImage, data: []byte("image")})
	for _, tt := range []struct {
		name   string
		frames [][]byte
		script bool
		kept   string
		ok     bool
	}{
		{"an image", [][]byte{image, loaded}, true, "image", true},
		{"none", [][]byte{loaded}, true, "", true},
		{"in pieces", [][]byte{image, image, image, loaded}, true, "imageimageimage", true},
		{"after all", [][]byte{loaded, image}, true, "", true},
		{"of what is not a script", [][]byte{image, loaded}, false, "", false},
		{"of what failed", [][]byte{image, frame(kindLoadResponse, &loadResponse{failure: failureOf(fault.New(fault.Load, "no"))})}, true, "", false},
		{"and no more", [][]byte{image}, true, "", false},
		{"and garbage", [][]byte{image, frame(kindCallResponse, &callResponse{})}, true, "", false},
		{"too much", [][]byte{bytes.Repeat(image, mostImage/mostPiece+1), loaded}, true, "", false},
		{"too large a piece", [][]byte{{1, 0, 0, 5, byte(kindHostRequest)}}, true, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := store.Open(filepath.Join(dir, "store"), nil)
			if err != nil {
				t.Fatal(err)
			}
			null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer null.Close()
			l := &loader{r: &Runtime{store: s}, imageKey: "image"}
			if tt.script {
				l.script = new(script.Script)
			}
			k := &conn{p: &process{in: null}, in: newFrameReader(bytes.NewReader(bytes.Join(tt.frames, nil)), mostLoading)}
			if _, err := l.serve(t.Context(), k, tt.script); (err == nil) != tt.ok {
				t.Error(err)
			}
			kept := ""
			for _, file := range files(t, dir) {
				b, err := os.ReadFile(file)
				if kept += string(b); err != nil || filepath.Dir(file) != s.Path(l.imageKey) {
					t.Errorf("%s is left, %v", file, err)
				}
			}
			if kept != tt.kept {
				t.Errorf("%q is kept, want %q", kept, tt.kept)
			}
		})
	}
}
