// Not under the race detector: nothing here is concurrent, and compiling QuickJS
// takes long.
//
//go:build !race

package script_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// splitters are testdata/split/split.js as it runs for everybody, and in QuickJS
// as it is.
func splitters(t *testing.T) (ours, untouched *wasm.Module) {
	t.Helper()
	l, _ := script.Find(script.JavaScript)
	load := func() *wasm.Module {
		rt := openRuntime(t, warmCache(t)) // apart: to a cache both are the same script
		s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "split.js", Files: map[string]string{"split.js": string(splitJS(t))}}
		module, err := s.Module()
		if err != nil {
			t.Fatal(err)
		}
		m, err := rt.Load(context.Background(), wasm.Source{Name: "split", Module: module}, wasm.Limits{Fuel: 50_000_000_000})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	ours = load()
	defer script.Slower()()
	return ours, load()
}

func splitJS(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/split/split.js")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// saw returns the result of a call, and its fuel.
func saw(t *testing.T, m *wasm.Module, name string, given any) (string, uint64) {
	t.Helper()
	request, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "config": map[string]any{}, "case": map[string]any{name: given}})
	if err != nil {
		t.Fatal(err)
	}
	answer, usage, err := m.Call(context.Background(), "score", request, nil)
	if err != nil || !bytes.Contains(answer, []byte(`"saw"`)) {
		t.Fatalf("%s: %s, %v", request, answer, err)
	}
	return string(answer), usage.Fuel
}

// A splitting is texts that are split by expressions, a source and flags each,
// with limits, where nil is none.
type splitting struct {
	Expressions [][2]string `json:"expressions"`
	Texts       []string    `json:"texts"`
	Limits      []any       `json:"limits"`
}

// knownExpressions are such as scorers have, and such as are hard.
var knownExpressions = []string{
	`\s+`, `\s`, `\S+`, `\W+`, `\W`, `\w+`, `\d`, `\D+`, ` `, ` +`, `,`, `[ ,]+`, `[.!?]+`, `[^a-z0-9]+`, `[^\w']+`, `[\s\S]`, `[^]`, `[]`, `[]+`, `[^]+`, `[\]\\-]+`, `[a-]`, `[-a]+`, `[\0 ]`, `[^\0]`, `\0`,
	`\r?\n`, `\n+`, `(?:)`, ``, `x*`, `(x)*`, `(?=[A-Z])`, `(?<=\s)`, `(?<!a)`, `\b`, `\B`, `^`, `$`, `^a|b$`, `(a)|(b)`, `(?<n>\d)-?`, `(.)\1`, `(?=(a))`, `(?<=(b))`, `a*?`, `.`, `[^a]`, `😀`, `[😀]`, `[😀-😂]+`, `[^😀]+`,
	`\ud83d`, `[\ud83d]`, `[^\ud83d]+`, `\udcaa?`, `\u{1F600}`, `\p{L}+`, `\P{L}+`, `[\p{P}\s]+`, `[^\p{L}\p{N}]+`, `\p{Emoji}`, `(?:a|ab)(?:c|bcd)?`, `[ſs]`, `[K]`, `é|e\u0301`, `(?:\r\n|[\r\n\u2028])+`, `\cA`, `[\cA]`, `[\b]`, `[\x20-\x2f]+`,
}

var knownFlags = []string{"", "y", "gi", "u", "diu", "v", "gimsuy"}

var knownTexts = []string{
	"", " ", "  ", "a", "the cat sat", " the  cat\tsat\non the mat ", "a,b, c;d", "x", "aAbBcC", "ab\u00e9e\u0301", "word1 word2-word3_x", "😀😂 a😀b", "\\]-[a-z", "é\u00a0ü\u2003x\ufeff", "a\x00b \x00\x00c", "It's done. Is it? Yes!! ", "line\r\nline\n\nend\u2028z", "aab bba", "\u017fsSkK\u212a",
}

// someExpressions are put together by chance, as are someTexts.
func someExpressions(r *rand.Rand, n int) (all []string) {
	atoms := []string{"a", "b", ".", `\s`, `\w`, `\W`, "[ab]", "[^a]", `[\s,]`, "😀", "[😀b]", `\b`, "^", "$", "(?=a)", "(?<=b)", "(?!b)", `(?<!\s)`, `\ud83d`, " ", `[^\s]`, `\u00e9`}
	var one func(depth int) string
	one = func(depth int) string {
		switch r.IntN(8) {
		case 0:
			if depth > 0 {
				return "(" + one(depth-1) + ")"
			}
		case 1:
			if depth > 0 {
				return "(?:" + one(depth-1) + "|" + one(depth-1) + ")"
			}
		case 2, 3:
			return one(0) + one(0)
		}
		return atoms[r.IntN(len(atoms))] + []string{"", "", "", "+", "*", "?", "+?", "*?", "{2}"}[r.IntN(9)]
	}
	for range n {
		all = append(all, one(2))
	}
	return all
}

func someTexts(r *rand.Rand, n int) (all []string) {
	pieces := []string{"a", "b", "ab", " ", "  ", "\n", "\t", ",", "😀", "😂", "é", "word", "A", ".", "-", "\u00a0", "\x00"}
	for range n {
		var b strings.Builder
		for range r.IntN(14) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		all = append(all, b.String())
	}
	return all
}

// TestSplit_IsThatOfQuickJS compares results and side effects with those of the
// original QuickJS.
func TestSplit_IsThatOfQuickJS(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	ours, untouched := splitters(t)
	t.Run("it is that of QuickJS and of Node", func(t *testing.T) { sameSplits(t, ours, untouched) })
	t.Run("scripts see what they do in QuickJS", func(t *testing.T) { sameSights(t, ours, untouched) })
	t.Run("it takes less fuel", func(t *testing.T) { lessFuel(t, ours, untouched) })
}

func sameSplits(t *testing.T, ours, untouched *wasm.Module) {
	r := rand.New(rand.NewPCG(1, 2))
	var work []splitting
	limits := []any{nil, 0, 1, 2, 3}
	one := amount.OneIn(40)
	for _, flags := range knownFlags {
		s := splitting{Texts: knownTexts, Limits: []any{nil, 2}}
		for _, e := range knownExpressions {
			if one() {
				s.Expressions = append(s.Expressions, [2]string{e, flags})
			}
		}
		work = append(work, s)
	}
	for range amount.Of(3, 10) {
		s := splitting{Texts: someTexts(r, 12), Limits: limits[:1+r.IntN(len(limits))]}
		for _, e := range someExpressions(r, 40) {
			s.Expressions = append(s.Expressions, [2]string{e, knownFlags[r.IntN(len(knownFlags))]})
		}
		work = append(work, s)
	}
	native := nodeSplits(t, work)
	for k, w := range work {
		got, _ := saw(t, ours, "splits", w)
		want, _ := saw(t, untouched, "splits", w)
		report(t, w, listOf(t, got), listOf(t, want), "QuickJS")
		if native != nil {
			report(t, w, listOf(t, got), native[k], "Node")
		}
	}
}

// listOf returns the result of each expression.
func listOf(t *testing.T, answer string) []any {
	t.Helper()
	var a struct {
		Details struct {
			Saw []any `json:"saw"`
		} `json:"details"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatal(err)
	}
	return a.Details.Saw
}

// nodeAgrees matches expressions, with their flags in front, that mean the same to
// QuickJS as it is and to Node: one does not know the flag v, the other finds
// places without length within a character.
var nodeAgrees = regexp.MustCompile(`^(?:[^uv/]*/|[^v/]*/(?:[^\\(]|\\[^bB]|\((?:[^?]|\?[^<]|\?<[^!]))*$)`)

// report tells which expressions split otherwise.
func report(t *testing.T, w splitting, got, want []any, who string) {
	t.Helper()
	for k, e := range w.Expressions {
		if who == "Node" && !nodeAgrees.MatchString(e[1]+"/"+e[0]) {
			continue
		}
		a, isList := got[k].(map[string]any)
		b, wants := want[k].(map[string]any)
		if !isList || !wants {
			if got[k] != want[k] {
				t.Errorf("/%s/%s: %v, %s has %v", e[0], e[1], got[k], who, want[k])
			}
			continue
		}
		for n, text := range w.Texts {
			if x, y := fmt.Sprint(a["list"].([]any)[n]), fmt.Sprint(b["list"].([]any)[n]); x != y {
				t.Errorf("/%s/%s of %q\nsplits %s\n%s has %s", e[0], e[1], text, x, who, y)
			}
		}
	}
}

// nodeSplits returns Node's results, or nil if Node is not installed.
func nodeSplits(t *testing.T, work []splitting) [][]any {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Log("there is no Node to compare with")
		return nil
	}
	file := filepath.Join(t.TempDir(), "split.mjs")
	if err := os.WriteFile(file, splitJS(t), 0o600); err != nil {
		t.Fatal(err)
	}
	return interpreted[[][]any](t, exec.Command("node", "--input-type=module", "-e", `
import { readFileSync } from "node:fs";
const { splits } = await import(process.argv[1]);
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(splits)));`, file), work)
}

// sameSights observes all side effects: reads, calls and messages, in order, with
// everything that a script may have changed.
func sameSights(t *testing.T, ours, untouched *wasm.Module) {
	var n struct {
		Details struct {
			Saw int `json:"saw"`
		} `json:"details"`
	}
	many, _ := saw(t, ours, "sight", -1)
	if err := json.Unmarshal([]byte(many), &n); err != nil || n.Details.Saw < 100 {
		t.Fatalf("%s: %v", many, err)
	}
	for k := range n.Details.Saw {
		got, _ := saw(t, ours, "sight", k)
		want, _ := saw(t, untouched, "sight", k)
		if got != want {
			t.Errorf("sight %d\n%s\nQuickJS %s", k, got, want)
		}
	}
}

// lessFuel compares the fuel of common expressions.
func lessFuel(t *testing.T, ours, untouched *wasm.Module) {
	text := strings.Repeat("The cat sat, on\nthe mat. ", 20)
	for _, e := range []string{`\s+`, `\W+`, `[^a-z0-9]+`, `[ ,]+`, `[.!?]+`, `(?:\.|,) ?`} {
		w := splitting{Expressions: [][2]string{{e, ""}}, Texts: []string{text, text, text, text}, Limits: []any{nil}}
		got, fuel := saw(t, ours, "splits", w)
		want, slow := saw(t, untouched, "splits", w)
		if got != want || fuel >= slow {
			t.Errorf("/%s/ takes %d fuel, QuickJS alone %d; the same answer: %t", e, fuel, slow, got == want)
		}
		t.Logf("/%s/ %d, alone %d", e, fuel, slow)
	}
}
