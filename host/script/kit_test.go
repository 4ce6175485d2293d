package script_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

const (
	request       = `{"contract":1,"kind":"metric","config":{},"case":{"output":"the cat sat on the mat","references":["the cat is on the mat"]}}`
	requestOfCats = `{"contract":1,"kind":"metric","config":{"k":1},"case":{"input":"q","output":"the cat sat on the mat","references":["the cat is on the mat"],"metadata":{"topic":"cats"}}}`
)

// Cases that lack something. A function that was handed None for it would answer a 0 that is
// not true.
const (
	onlyMetadata = `{"contract":1,"kind":"metric","case":{"output":"42","metadata":{"expected":"42","reference_answer":"42","answer":"42","ground_truth":"42","given":"42"}},"config":{}}`
	onlyOutput   = `{"contract":1,"kind":"metric","case":{"output":"42"},"config":{}}`
	rightAnswer  = `{"contract":1,"kind":"metric","case":{"output":"42","input":"q","references":["42"]},"config":{}}`
	wrongAnswer  = `{"contract":1,"kind":"metric","case":{"output":"41","references":["42"]},"config":{}}`
	rowOfVerl    = `{"contract":1,"kind":"metric","case":{"output":"42","metadata":{"data_source":"gsm8k","reward_model":{"ground_truth":"42"},"extra_info":{"tools":true}}},"config":{}}`
	varsOfRow    = `{"contract":1,"kind":"metric","case":{"output":"42","metadata":{"vars":{"answer":"42"}}},"config":{}}`
	itemOfRow    = `{"contract":1,"kind":"metric","case":{"output":"42","metadata":{"item":{"answer":"42"}}},"config":{}}`
	settingOfTen = `{"contract":1,"kind":"metric","case":{"output":"hello"},"config":{"limit":10}}`
	noOutput     = `{"contract":1,"kind":"metric","case":{"input":"q","references":["42"]},"config":{}}`
)

// requestWith returns a request with one field of the case.
func requestWith(t testing.TB, field, value string) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "config": map[string]any{}, "case": map[string]any{field: value}}, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// bundle returns a script of one file in the form of a module.
func bundle(t testing.TB, file, source string, exports ...string) []byte {
	t.Helper()
	return bundleOf(t, file, map[string]string{file: source}, exports...)
}

func bundleOf(t testing.TB, entry string, files map[string]string, exports ...string) []byte {
	t.Helper()
	return moduleOf(t, script.Script{Entry: entry, Exports: exports, Files: files})
}

// moduleOf returns a script in the form of a module, in the language of its entry.
func moduleOf(t testing.TB, s script.Script) []byte {
	t.Helper()
	l, ok := script.Of(s.Entry)
	if !ok {
		t.Fatalf("%s: no language", s.Entry)
	}
	s.Language, s.Interpreter = l.Name, l.Interpreter
	b, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMain(m *testing.M) {
	worker.Main()
	m.Run()
	if rt, ok := shared.Value(); ok {
		rt.Close(context.Background())
	}
}

// shared is the runtime with its cache in scriptCache: opening the interpreters takes as long as
// many a test.
var shared flight.Once[*wasm.Runtime]

// A home is the cache directory of runtimes, with the wheel of the interpreter if it is to be
// installed.
type home struct{ cache, wheel string }

// interpreter finds the installed runtime.
func (h home) interpreter(ctx context.Context, language string) ([]byte, error) {
	s := interpreter.In(filepath.Join(filepath.Dir(h.wheel), "runtimes"))
	if _, err := s.Add(language, h.wheel); err != nil {
		return nil, err
	}
	return s.Bytes(ctx, language)
}

func (h home) here(t testing.TB) *wasm.Runtime {
	t.Helper()
	if h == (home{cache: scriptCache(t)}) {
		rt, err := shared.Do(context.Background(), func(ctx context.Context) (*wasm.Runtime, error) {
			return wasm.New(ctx, wasm.Options{CacheDir: h.cache, Scripts: script.Open})
		})
		if err != nil {
			t.Fatal(err)
		}
		return rt
	}
	return wasmtest.Runtime(t, wasm.Options{CacheDir: h.cache, Scripts: script.Open, Interpreters: h.interpreter, Doing: func(step string) { t.Log(step) }})
}

func (h home) there(t testing.TB) *worker.Runtime {
	t.Helper()
	rt, err := worker.New(worker.Options{CacheDir: h.cache, Interpreters: h.interpreter, Doing: func(step string) { t.Log(step) }, Grace: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) })
	return rt
}

// scriptCache returns a directory beside the cache of all tests: the images of these scripts would
// fill that one, which keeps 200 artifacts. It begins with the interpreters that are compiled there.
func scriptCache(t testing.TB) string {
	t.Helper()
	from := wasmtest.CacheDir(t)
	to := filepath.Join(from, "scripts")
	warmed.Do(func() {
		linkCompiled(t, from, to, "modules/*/artifact", "isolated/*/modules/*/artifact")
	})
	return to
}

var warmed sync.Once

// warmCache returns a directory of the test's own with the compiled interpreters of scriptCache.
func warmCache(t testing.TB) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "cache")
	linkCompiled(t, scriptCache(t), to, "modules/*/artifact")
	return to
}

// linkCompiled has what takes long to compile in one cache directory be in another one, too: the
// interpreters. They are the same files where a link is possible, for they have 43 MB. Do not change them.
func linkCompiled(t testing.TB, from, to string, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		compiled, err := filepath.Glob(filepath.Join(from, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range compiled {
			b, err := os.ReadFile(path)
			if err != nil || len(b) < 4<<20 || strings.HasPrefix(pattern, "modules") && !bytes.HasPrefix(b, []byte("WAZEVO")) {
				continue // small, an image, or another process has removed it: then it is compiled
			}
			own := filepath.Join(to, strings.TrimPrefix(path, from))
			if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
				t.Fatal(err)
			}
			if os.Link(path, own) == nil {
				continue
			}
			if err := os.WriteFile(own, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// openRuntime returns a runtime with its cache in a directory; empty: the shared one.
func openRuntime(t testing.TB, dir string) *wasm.Runtime {
	t.Helper()
	return home{cache: cmp.Or(dir, scriptCache(t))}.here(t)
}

// patient sets long time limits for slow machines: these tests do not test time
// limits.
var patient = wasm.Limits{Compile: time.Hour, Deadline: time.Minute}

func mustLoad(t testing.TB, rt *wasm.Runtime, module []byte) *wasm.Module {
	t.Helper()
	m, err := rt.Load(context.Background(), wasm.Source{Name: "p", Module: module}, patient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(context.Background()) })
	return m
}

// scoreWith loads a script and asks it once. Failures have their class in front.
func scoreWith(t testing.TB, rt *wasm.Runtime, module []byte, request string) string {
	t.Helper()
	m, err := rt.Load(context.Background(), wasm.Source{Name: "p", Module: module}, patient)
	if err != nil {
		return string(fault.Of(err)) + ": " + err.Error()
	}
	defer m.Close(context.Background())
	return ask(t, m, m.Exports()[0], request)
}

// ask calls a scorer. Failures have their class in front.
func ask(t testing.TB, m callable, export, request string) string {
	t.Helper()
	answer, _, err := m.Call(context.Background(), export, []byte(request), nil)
	if err != nil {
		return string(fault.Of(err)) + ": " + err.Error()
	}
	return string(answer)
}

// answersOfCats loads each script and compares its answer to requestOfCats.
func answersOfCats(t *testing.T, rt *wasm.Runtime, file string, list []struct{ name, source, want string }) {
	t.Helper()
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			sameAnswer(t, scoreWith(t, rt, bundle(t, file, tt.source), requestOfCats), tt.want)
		})
	}
}

// answersTo does the same with requests of their own.
func answersTo(t *testing.T, rt *wasm.Runtime, file string, list []struct{ name, source, request, want string }) {
	t.Helper()
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) { sameAnswer(t, scoreWith(t, rt, bundle(t, file, tt.source), tt.request), tt.want) })
	}
}

// sameAnswer compares an answer with the one wanted or, unless that ends with a brace, with its
// beginning.
func sameAnswer(t *testing.T, got, want string) {
	t.Helper()
	if strings.HasSuffix(want, "}") && got != want || !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func benchmarkScript(b *testing.B, module []byte, l wasm.Limits) {
	rt := openRuntime(b, "")
	m, err := rt.Load(context.Background(), wasm.Source{Name: "p", Module: module}, l)
	if err != nil {
		b.Fatal(err)
	}
	var answer []byte
	b.ReportAllocs()
	for b.Loop() {
		if answer, _, err = m.Call(context.Background(), "score", []byte(request), answer); err != nil {
			b.Fatal(err)
		}
	}
}

// tellWorld is set in a process that reports the environment of a script in it.
const tellWorld = "SCRIPT_TEST_FILE"

// sameEverywhere starts a script in three processes, the last of which uses the
// image that the one before has kept, and compares image, answer and fuel.
func sameEverywhere(t *testing.T, file, source string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cache := warmCache(t)
	var first string
	for k := range 3 {
		images := 0
		kept, err := filepath.Glob(filepath.Join(cache, "modules", "*", "artifact"))
		for _, path := range kept {
			if b, err := os.ReadFile(path); err != nil || bytes.HasPrefix(b, []byte("WAZEVO")) {
				continue // the compiled interpreter
			}
			if images++; k < 2 {
				os.Remove(path)
			}
		}
		if err != nil || k == 2 && images == 0 {
			t.Fatalf("%d images are kept, %v", images, err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestWorld$", "-test.v")
		cmd.Env = append(os.Environ(), tellWorld+"="+path, "SCRIPT_TEST_CACHE="+cache)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, said, _ := strings.Cut(string(out), "WORLD ")
		said, _, _ = strings.Cut(said, "\n")
		if k == 0 {
			first = said
		}
		if said != first || !strings.Contains(said, "sha256:") {
			t.Errorf("process %d: %q\nthe first: %q", k, said, first)
		}
	}
}

// TestWorld reports the environment of a script in this process, if it was started
// for that.
func TestWorld(t *testing.T) {
	path := os.Getenv(tellWorld)
	if path == "" {
		t.Log("this process is the first")
		return
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rt := home{cache: os.Getenv("SCRIPT_TEST_CACHE")}.here(t)
	m := mustLoad(t, rt, bundle(t, filepath.Base(path), string(source)))
	answer, usage, err := m.Call(context.Background(), "score", []byte(request), nil)
	fmt.Printf("WORLD %s %s %d %v\n", m.ImageDigest(), answer, usage.Fuel, err)
}
