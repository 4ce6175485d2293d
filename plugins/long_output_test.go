package plugins_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestRun_LongOutputsHaveAVerdict: to find the program in a long output takes no square of its length. With the judge's
// fuel used up, a wrong candidate would have no score; a square of n is more than that.
func TestRun_LongOutputsHaveAVerdict(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const n = 24_000
	outputs := map[string]string{
		"lines without text":         strings.Repeat("\n", n) + "!",
		"fences":                     strings.Repeat("```\n", n/4),
		"marks in blocks":            strings.Repeat("```\n</s>\n```\n", n/13),
		"spaces behind a fence":      "```" + strings.Repeat(" ", n) + "`",
		"a language without end":     "```" + strings.Repeat("a", n) + "`",
		"tildes":                     strings.Repeat("~", n) + "`",
		"spaces behind a word":       "```\nfunction" + strings.Repeat(" ", n) + "!\n```\n",
		"lines without text, fenced": "```\n" + strings.Repeat("\n", n) + "!\n```\n",
	}
	for plugin, test := range map[string]string{"run-python": "assert f(1) == 2", "run-javascript": "assert.equal(f(1), 2)"} {
		r := runnerOf(t, plugin, 1_000_000_000, scripts(t))
		for name, output := range outputs {
			of := task{"tests", map[string]any{"tests": test, "entry_point": "f"}}
			if score, got := r.outcome(t, candidate{source: output}, of, nil); score != "0" {
				t.Errorf("%s, %s: the score %s: %v", plugin, name, score, got)
			}
		}
	}
}

// TestCode_LongOutputsTakeNoSquare: code of twice the statements takes little more than twice the fuel.
func TestCode_LongOutputsTakeNoSquare(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	documented := map[string]any{"docstrings": 1}
	for _, c := range []struct {
		plugin, export, part, end string
		config                    map[string]any
	}{
		{"code-python", "syntax", "x = 1\n", "", nil},
		{"code-python", "syntax", "x = [1]; ", "", nil},
		{"code-python", "syntax", "@a\n", "def f(): pass\n", nil},
		{"code-javascript", "syntax", "x = 1;\n", "", nil},
		{"code-javascript", "checks", "function f(){} ", "", documented},
		{"code-bash", "syntax", "x=1\n", "", nil},
	} {
		r := runnerOf(t, c.plugin, 10_000_000_000, wasm.Options{CacheDir: wasmtest.CacheDir(t)})
		fuel := func(n int) uint64 {
			answer, usage := r.run(t, c.export, map[string]any{"output": strings.Repeat(c.part, n/len(c.part)) + c.end}, c.config)
			if failed := answer["failed"]; failed != nil {
				t.Errorf("%s of %q: %v", c.export, c.part, failed)
			}
			return usage.Fuel
		}
		if one, two := fuel(20_000), fuel(40_000); two > one*9/4 {
			t.Errorf("%s of %q: fuel %d, and %d of twice the length", c.export, c.part, one, two)
		}
	}
}

// TestCode_ChainsOfNamedMembersHaveAVerdict: a chain of 400 calls takes 4.5 thousand million units of fuel if each
// member is read again for each call behind it.
func TestCode_ChainsOfNamedMembersHaveAVerdict(t *testing.T) {
	t.Parallel()
	r := runnerOf(t, "code-python", 1_200_000_000, wasm.Options{CacheDir: wasmtest.CacheDir(t)})
	source := "x" + strings.Repeat(`["a"]()`, 400) + "\n"
	if score, got := r.outcome(t, candidate{source: source}, task{"checks", nil}, map[string]any{"forbid_calls": []string{"eval"}}); score != "1" {
		t.Errorf("the score %s: %v", score, got)
	}
}

// TestTrajectory_LongTextsHaveAVerdict: a text is read once for all words that stand before calls. Once for each took two to
// five times the fuel.
func TestTrajectory_LongTextsHaveAVerdict(t *testing.T) {
	t.Parallel()
	r := runnerOf(t, "trajectory", 800_000_000, wasm.Options{CacheDir: wasmtest.CacheDir(t)})
	for _, part := range []string{"<", "[", "`", "f", "[e~["} {
		row := map[string]any{"output": strings.Repeat(part, 500_000/len(part)), "expected_tool_calls": []any{map[string]any{"tool": "f"}}}
		if answer, usage := r.run(t, "trajectory", row, map[string]any{"in_text": true}); answer["score"] == nil {
			t.Errorf("%q: fuel %d: %v", part, usage.Fuel, answer)
		}
	}
}

// TestMetrics_LongTextsHaveAVerdict: within the limits of its manifest a metric scores 1 MB of Chinese on both sides, and TER
// some pages of prose.
func TestMetrics_LongTextsHaveAVerdict(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func(n int, between string) string {
		words := rand.NewZipf(rnd, 1.1, 3, 3500) // the frequent ones are as frequent as in prose
		var b strings.Builder
		for range n {
			b.WriteRune('一' + rune(words.Uint64()))
			b.WriteString(between)
		}
		return b.String()
	}
	const usual = 2_000_000_000 // fuel of a call, where a manifest has no limit
	for _, c := range []struct {
		plugin, export, between string
		words                   int
		config                  map[string]any
	}{
		{"chrf", "chrf", "", 350_000, nil},
		{"rouge", "rouge2", "", 350_000, map[string]any{"tokenizer": "words"}},
		{"ter", "ter", " ", 3000, nil},
	} {
		r := runnerOf(t, c.plugin, 0, wasm.Options{CacheDir: wasmtest.CacheDir(t)})
		row := map[string]any{"output": text(c.words, c.between), "references": []string{text(c.words, c.between)}}
		if answer, usage := r.run(t, c.export, row, c.config); answer["score"] == nil || usage.Fuel < usual/2 {
			t.Errorf("%s: fuel %d: %.200v", c.export, usage.Fuel, answer)
		}
	}
}

// TestMetrics_LongOutputsTakeNoSquare: an output of twice the length takes little more than twice the fuel.
func TestMetrics_LongOutputsTakeNoSquare(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	for _, c := range []struct {
		plugin, export, part string
		config               map[string]any
	}{
		{"structure", "sql_equal", "[,", nil},
		{"structure", "sql_equal", "a[", nil},
		{"structure", "pii", "1.2.3.4 ", nil},
		{"answer", "numeric", "12345678901234567890 ", map[string]any{"take": "any"}},
		{"math", "math", "(1, 2) ", nil},
		{"math", "math", "```", nil},
		{"math", "math", "Then 3 * 4 = 12.\n", nil},
		{"answer", "numeric", "Then 3 * 4 = 12.\n", nil},
	} {
		r := runnerOf(t, c.plugin, 10_000_000_000, wasm.Options{CacheDir: wasmtest.CacheDir(t)})
		fuel := func(n int) uint64 {
			// A long word before a stretch of addresses, as a looping model writes.
			output := strings.Repeat("a", n) + " " + strings.Repeat(c.part, n/len(c.part))
			answer, usage := r.run(t, c.export, map[string]any{"output": output, "references": []string{"1"}}, c.config)
			if failed := answer["failed"]; failed != nil {
				t.Errorf("%s of %q: %v", c.export, c.part, failed)
			}
			return usage.Fuel
		}
		if one, two := fuel(40_000), fuel(80_000); two > one*5/2 {
			t.Errorf("%s of %q: fuel %d, and %d of twice the length", c.export, c.part, one, two)
		}
	}
}
