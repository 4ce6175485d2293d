package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

const marked = `const mark = ["the mark is AAAA"].join(""); export const score = () => ({score: 0.5, reason: mark})`

// TestAScriptIsStartedOnceForAllItsWorkers changes a word in the image that was
// kept, and sees it in the answers of later workers; what is no image, or that of
// something else, costs a start.
func TestAScriptIsStartedOnceForAllItsWorkers(t *testing.T) {
	if !canKeep() {
		t.Skip("this kernel has no way to hold a worker to one directory")
	}
	o := Options{CacheDir: cacheDir}
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
	dir, name := m.runtime.kept, m.imageName()
	image := bytes.Clone(wasm.ReadKept(dir, name))
	if bytes.Count(image, []byte("the mark is AAAA")) == 0 {
		t.Fatalf("%d bytes without the mark", len(image))
	}
	forged := bytes.ReplaceAll(image, []byte("the mark is AAAA"), []byte("the mark is BBBB"))
	wasm.WriteKept(dir, name, forged)
	says("BBBB")
	head, _, _ := bytes.Cut(image, []byte("image"))
	useless := map[string][]byte{
		"nothing": {}, "a word": []byte("word"), "only a name": image[:70], "half": image[:len(image)/2], "more": append(bytes.Clone(image), 0),
		"another's": append([]byte("0"), image[1:]...), "a size beyond all": append(bytes.Clone(head), "image +\n\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00"...),
		"too large": make([]byte, mostImage+1), "globals that there are not": moreGlobals(image, len(head)),
	}
	if raceEnabled { // each takes seconds then
		useless = map[string][]byte{"half": useless["half"]}
	}
	for what, b := range useless {
		wasm.WriteKept(dir, name, b)
		if says("AAAA"); !bytes.Equal(wasm.ReadKept(dir, name), image) {
			t.Errorf("%s: the image was not made again", what)
		}
	}
	// A file that is not as it was written is not there.
	path := filepath.Join(dir, name)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(whole, []byte("AAAA"), []byte("CCCC")), 0o600); err != nil {
		t.Fatal(err)
	}
	says("AAAA")
	// Other limits, another script: another image.
	limited := load(t, isolated(t, o), "p", module, wasm.Limits{Depth: 9_000})
	module = scripted(t, strings.ReplaceAll(marked, "AAAA", "DDDD"))
	other := says("DDDD")
	for _, m := range []*Module{limited, other} {
		if m.imageName() == name || wasm.ReadKept(dir, m.imageName()) == nil {
			t.Error("it has no image of its own")
		}
	}
}

// moreGlobals adds a global to an image.
func moreGlobals(image []byte, at int) []byte {
	count := at + len("image +\n") + 8
	b := bytes.Clone(image[:count+4])
	binary.LittleEndian.PutUint32(b[count:], binary.LittleEndian.Uint32(b[count:])+1)
	return append(append(b, make([]byte, 8)...), image[count+4:]...)
}

// TestOnlyTheScriptsOwnImageIsKept plays a worker that sends what it should not
// while it loads.
func TestOnlyTheScriptsOwnImageIsKept(t *testing.T) {
	said := func(as kind, body string) []byte { return appendFrame(nil, as, []byte(body)) }
	loaded := said(kindLoaded, `{"exports":["score"],"keeps":true,"memory_pages":1}`)
	image := said(kindMade, "image")
	for _, tt := range []struct {
		name   string
		frames [][]byte
		script bool
		ok     bool
	}{
		{"an image", [][]byte{image, loaded}, true, true},
		{"none", [][]byte{loaded}, true, true},
		{"two", [][]byte{image, image, loaded}, true, false},
		{"of what is no script", [][]byte{image, loaded}, false, false},
		{"of what failed", [][]byte{image, appendFrame(nil, kindFailed, appendError(nil, fault.New(fault.Load, "no")))}, true, false},
		{"too large a one", [][]byte{{1, 0, 0, 5, byte(kindMade)}}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			m := &Module{runtime: &Runtime{kept: dir}, script: tt.script}
			k := &conn{frames: newFrameReader(bytes.NewReader(bytes.Join(tt.frames, nil)), mostJSON)}
			_, wanted := m.keptImage()
			if wanted {
				k.frames.most = mostImage
			}
			_, err := m.settled(t.Context(), k, wanted)
			if (err == nil) != tt.ok || err != nil && tt.name != "of what failed" && !errors.Is(err, errFrame) {
				t.Error(err)
			}
			if kept, _ := os.ReadDir(dir); (len(kept) == 1) != (tt.ok && len(tt.frames) == 2) {
				t.Errorf("%v", kept)
			}
		})
	}
}
