package script_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// native runs every scorer on every case in the interpreter of the machine: it
// reads {"file", "scorers", "cases"} and writes a list of lists of answers.
var native = map[string][]string{
	"scorers.py": {"python3", "-I", "-B", "-c", `
import importlib.util, json, sys
told = json.load(sys.stdin)
spec = importlib.util.spec_from_file_location("scorers", told["file"])
m = importlib.util.module_from_spec(spec)
spec.loader.exec_module(m)
def one(f, case):
    v = f(case, {})
    if v is None: return {"unscored": f.__name__ + "() returned None"}
    return v if isinstance(v, dict) else {"score": int(v) if isinstance(v, bool) else v}
json.dump([[one(getattr(m, name), case) for case in told["cases"]] for name in told["scorers"]], sys.stdout)
`},
	"scorers.js": {"node", "--input-type=module", "-e", `
import { readFileSync, copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const told = JSON.parse(readFileSync(0, "utf8"));
const file = join(mkdtempSync(join(tmpdir(), "scorers-")), "scorers.mjs");
copyFileSync(told.file, file);
const m = await import(file);
const one = (name, v) => v === null ? { unscored: name + "() returned null" } : typeof v === "object" ? v : { score: Number(v) };
console.log(JSON.stringify(told.scorers.map((name) => told.cases.map((c) => one(name, m[name](c, {}))))));
`},
}

var exported = map[string]*regexp.Regexp{
	"scorers.py": regexp.MustCompile(`(?m)^def ([a-z]\w*)\(`),
	"scorers.js": regexp.MustCompile(`(?m)^export (?:const|function) (\w+)`),
}

// sampleCases are texts that differ in words, scripts, numbers and dates.
func sampleCases(n int) (cases []jsontext.Value) {
	r := rand.New(rand.NewPCG(5, 12))
	pieces := []string{
		"the", "cat", "sat", "on", "Mat", "é", "naïve", "STRASSE", "Straße", "ﬁne", "日本", "語", "Ω", "42", "-7.25", "3.0", "1e5", "2024-02-29", "2023-02-29", "1999-12-31",
		"don't", "e-mail", "x_y", "…", "!", "?", ".", ",", "(a)", "\n", "\t", "😀", "a\u0301", "\u00a0", "İ", "ß", "word", "words", "0.1", "0.30000000000000004",
	}
	text := func() string {
		var list []string
		for range r.IntN(30) {
			list = append(list, pieces[r.IntN(len(pieces))])
		}
		return strings.Join(list, " ")
	}
	embedded := []string{`{"a":1,"b":[2],"z":null}`, `{}`, `{"c":"x"}`, `{"a":`, `[1]`, `"a"`}
	for range n {
		a, b := text(), text()
		if r.IntN(8) == 0 {
			b = a
		}
		v, err := json.Marshal(map[string]any{"output": a, "references": []string{b}, "metadata": map[string]any{"json": embedded[r.IntN(len(embedded))]}}, json.Deterministic(true))
		if err != nil {
			panic(err)
		}
		cases = append(cases, v)
	}
	return cases
}

// TestScoresAreThoseOfTheMachinesOwnInterpreters compares every answer, and every
// number in it to the last bit.
func TestScoresAreThoseOfTheMachinesOwnInterpreters(t *testing.T) {
	for file := range native {
		t.Run(file, func(t *testing.T) { sameAsNative(t, file) })
	}
}

func sameAsNative(t *testing.T, file string) {
	rt := openRuntime(t, "")
	if strings.HasSuffix(file, ".py") {
		rt = python(t)
	}
	command := native[file]
	if _, err := exec.LookPath(command[0]); err != nil {
		if os.Getenv("CI_REQUIRE_PYTHON") != "" {
			t.Fatal(err)
		}
		t.Skipf("there is no %s to compare with", command[0])
	}
	path, err := filepath.Abs(filepath.Join("testdata", "same", file))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var scorers []string
	for _, m := range exported[file].FindAllStringSubmatch(string(source), -1) {
		scorers = append(scorers, m[1])
	}
	cases := sampleCases(100)
	told, err := json.Marshal(map[string]any{"file": path, "scorers": scorers, "cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(told), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]any
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	m := mustLoad(t, rt, bundle(t, file, string(source), scorers...))
	for i, name := range scorers {
		t.Run(name, func(t *testing.T) { compareAnswers(t, m, name, cases, want[i]) })
	}
}

func compareAnswers(t *testing.T, m *wasm.Module, name string, cases []jsontext.Value, want []any) {
	most := uint64(0)
	if strings.HasSuffix(name, "_libm") {
		most = 16 // exp and log are the C library's own
	}
	for k, c := range cases {
		answer := ask(t, m, name, fmt.Sprintf(`{"contract":1,"kind":"metric","config":{},"case":%s}`, c))
		var got any
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		if !alike(got, want[k], most) {
			t.Errorf("%s\nanswers %s\nnatively %v", c, answer, want[k])
		}
	}
}

// alike compares two values; numbers may be some units in the last place apart.
func alike(a, b any, most uint64) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if !alike(a[k], b[k], most) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if !alike(a[k], b[k], most) {
				return false
			}
		}
		return true
	case float64:
		x, ok := b.(float64)
		if !ok {
			return false
		}
		m, n := math.Float64bits(a), math.Float64bits(x)
		return max(m, n)-min(m, n) <= most
	}
	return a == b
}

// TestManyCallsDoNotDrift makes calls in random order, hostile ones among them,
// and looks whether each answers what it did at first.
func TestManyCallsDoNotDrift(t *testing.T) {
	for _, l := range []struct {
		name   string
		module func(t *testing.T) *wasm.Module
	}{
		{"JavaScript", func(t *testing.T) *wasm.Module {
			return mustLoad(t, openRuntime(t, ""), bundle(t, "score.js", probeJS))
		}},
		{"Python", func(t *testing.T) *wasm.Module { return mustLoad(t, python(t), bundle(t, "score.py", probePy)) }},
	} {
		t.Run(l.name, func(t *testing.T) {
			m := l.module(t)
			requests := []string{request, requestOfCats}
			sources := []string{"count += 1; globalThis.x = 1; return 0.5", "throw new Error('x')", "return new Uint8Array(20 << 20).length", "return f("}
			if l.name == "Python" {
				sources = []string{"LOG.append(1)\nimport sys\nsys.x = 1\nreturn 0.5", "raise ValueError", "return len(bytearray(30_000_000)) / 1e9", "return f("}
			}
			for _, s := range sources {
				requests = append(requests, requestWith(t, "source", s))
			}
			first := make([]string, len(requests))
			r := rand.New(rand.NewPCG(1, 2))
			for range manyCalls() {
				k := r.IntN(len(requests))
				if r.IntN(4) > 0 { // most leave the instance as it is
					k = r.IntN(2)
				}
				got := ask(t, m, "score", requests[k])
				if first[k] == "" {
					first[k] = got
				}
				if got != first[k] {
					t.Fatalf("%s\nanswers %s\nat first %s", requests[k], got, first[k])
				}
			}
		})
	}
}

// manyCalls is how many; SCRIPT_CALLS says another number.
func manyCalls() int {
	n := 3_000
	if _, err := fmt.Sscan(os.Getenv("SCRIPT_CALLS"), &n); err != nil {
		return 3_000
	}
	return n
}

// TestKeptFilesThatAreNotAsTheyShouldBeAreNotThere changes every kept file in
// turn; the answer stays.
func TestKeptFilesThatAreNotAsTheyShouldBeAreNotThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	score := func() string {
		rt := openRuntime(t, dir)
		return scoreWith(t, rt, bundle(t, "score.js", f1JS), request)
	}
	want := score()
	kept, err := filepath.Glob(filepath.Join(dir, "scripts-*", "*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("%q, %v: an interpreter and an image", kept, err)
	}
	for _, path := range kept {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(whole)
		binary.LittleEndian.PutUint64(changed[len(changed)/2:], 0x0123456789abcdef)
		for name, b := range map[string][]byte{"changed": changed, "cut": whole[:len(whole)-100], "empty": nil, "longer": append(bytes.Clone(whole), 0)} {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := score(); got != want {
				t.Errorf("%s %s: %s, want %s", filepath.Base(path), name, got, want)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
				t.Errorf("%s %s: it is not written again as it was (%v)", filepath.Base(path), name, err)
			}
		}
	}
}
