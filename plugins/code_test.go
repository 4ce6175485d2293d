package plugins_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestCode_SyntaxOfTheReferenceLines runs every line of code_syntax, for Python once
// for each version and for the compiler: the figures of tree-sitter are exact, and
// valid is the verdict of the language's own parser.
func TestCode_SyntaxOfTheReferenceLines(t *testing.T) {
	t.Parallel()
	guests := map[string]*guest{}
	run := map[string]int{}
	for _, l := range readLines(t, "code_syntax") {
		language := l.Config["language"].(string)
		g := guests[language]
		if g == nil {
			g = newGuest(t, "code-"+language)
			guests[language] = g
		}
		verdicts := map[string]any{"": l.Expected["valid"]}
		if l.Expected["valid"] == nil {
			verdicts[""] = l.Expected["python_json_strict"]
		}
		switch language {
		case "python":
			verdicts = map[string]any{"python_version=3.11": l.Expected["ast_parse_3_11"], "level=compile": l.Expected["compile_3_11"]}
			byVersion, _ := l.Expected["ast_parse_by_version"].(map[string]any)
			for v, want := range byVersion {
				verdicts["python_version="+v] = want
			}
		case "sql":
			verdicts = map[string]any{"dialect=sqlite": l.Expected["valid"]}
		case "go":
			verdicts = map[string]any{"unit=file": l.Expected["valid"]}
		}
		for option, want := range verdicts {
			config := maps.Clone(l.Config)
			config["code_block"] = "none"
			key, value, found := strings.Cut(option, "=")
			if found {
				config[key] = value
			}
			if key == "level" {
				config["python_version"] = "3.11"
			}
			details := decode(t, g.call(t, "syntax", l.asCall(config)))["details"].(map[string]any)
			run[language]++
			if s := differ(l.Expected["tree_sitter"], details["tree_sitter"], 0); s != "" {
				t.Errorf("%s: tree_sitter: %s", l.ID, s)
			}
			if key := l.ID + " " + option; details["valid"] != want {
				t.Errorf("%s: valid is %v, want %v: %v\n%s", key, details["valid"], want, details, l.Candidate)
			}
		}
	}
	if got, want := fmt.Sprint(run), "map[go:31 javascript:41 json:61 python:684 sql:30 yaml:25]"; got != want {
		t.Errorf("calls %s, want %s", got, want)
	}
}

// TestCode_ComplexityOfTheReferenceLines runs every line of code_complexity: radon's figures and
// mccabe for Python, gocyclo for Go, and lizard for all, which the 28 lines of JavaScript have alone.
func TestCode_ComplexityOfTheReferenceLines(t *testing.T) {
	t.Parallel()
	guests := map[string]*guest{"python": newGuest(t, "code-python"), "go": newGuest(t, "code-go"), "javascript": newGuest(t, "code-javascript")}
	run := map[string]int{}
	for _, l := range readLines(t, "code_complexity") {
		language := l.Config["language"].(string)
		answer := decode(t, guests[language].call(t, "complexity", l.asCall(map[string]any{"code_block": "none"})))
		details, _ := answer["details"].(map[string]any)
		answer = decode(t, guests[language].call(t, "complexity", l.asCall(map[string]any{"code_block": "none", "measure": "lizard"})))
		if byLizard, ok := answer["details"].(map[string]any); ok {
			details["lizard"] = byLizard["lizard"]
		}
		for _, key := range []string{"radon_blocks", "radon_total", "radon_raw", "radon_mi", "mccabe", "structure", "gocyclo", "lizard"} {
			want, ok := l.Expected[key]
			if !ok {
				continue
			}
			run[key]++
			if s := differ(want, details[key], 1e-9); s != "" {
				t.Errorf("%s: %s: %s\n%s\n%v", l.ID, key, s, l.Candidate, details[key])
			}
		}
	}
	if got, want := fmt.Sprint(run), "map[gocyclo:7 lizard:98 mccabe:63 radon_blocks:63 radon_mi:63 radon_raw:63 radon_total:63 structure:63]"; got != want {
		t.Errorf("compared %s, want %s", got, want)
	}
}

// TestCode_CodeBLEUOfTheReferenceLines runs every line of codebleu as the package computes it, with
// the grammars of the plugins; its corpus figure is that of the sums.
func TestCode_CodeBLEUOfTheReferenceLines(t *testing.T) {
	t.Parallel()
	guests := map[string]*guest{}
	run := map[string]int{}
	for _, l := range readLines(t, "codebleu") {
		language := l.Config["lang"].(string)
		g := guests[language]
		if g == nil {
			g = newGuest(t, "code-"+language)
			guests[language] = g
		}
		run[language]++
		config := map[string]any{"code_block": "none", "weights": l.Config["weights"], "variant": "package"}
		answer := decode(t, g.call(t, "codebleu", l.asCall(config)))
		if s := differ(l.Expected["grammar_0.25"], answer["details"], 1e-9); s != "" {
			t.Errorf("%s: %s\n%v", l.ID, s, answer)
		}
		delete(config, "code_block")
		sums, err := json.Marshal(map[string]any{"contract": 1, "kind": "corpus", "stats": answer["stats"], "config": config})
		if err != nil {
			t.Fatal(err)
		}
		corpus := decode(t, g.call(t, "codebleu_corpus", sums))
		if s := differ(answer["details"], corpus["details"], 1e-12); s != "" {
			t.Errorf("%s: corpus of one: %s\n%v", l.ID, s, corpus)
		}
	}
	if got, want := fmt.Sprint(run), "map[go:45 javascript:35 python:102]"; got != want {
		t.Errorf("calls %s, want %s", got, want)
	}
}

// TestCode_CorrectedCodeBLEUOfCodeAgainstItself is 1, of no code 0, and is never more against other
// code, for every line of codebleu.
func TestCode_CorrectedCodeBLEUOfCodeAgainstItself(t *testing.T) {
	t.Parallel()
	asks := map[string]func(string, any, any, any) answer{}
	config := map[string]any{"code_block": "none", "variant": "corrected"}
	for _, l := range readLines(t, "codebleu") {
		language := l.Config["lang"].(string)
		if asks[language] == nil {
			asks[language] = asker(t, "code-"+language)
		}
		ask := asks[language]
		self := ask("codebleu", l.References[0], l.References[:1], config)
		if self.Score == nil {
			continue // the reference has no code
		}
		if !near(*self.Score, 1) {
			t.Errorf("%s: the reference against itself has %v: %v", l.ID, *self.Score, self.Details)
		}
		if none := ask("codebleu", "", l.References, config); *none.Score != 0 {
			t.Errorf("%s: no code has %v: %v", l.ID, *none.Score, none.Details)
		}
		if got := ask("codebleu", l.Candidate, l.References, config); *got.Score > 1 || *got.Score < 0 {
			t.Errorf("%s: %v", l.ID, got)
		}
	}
}

// TestCode_TreeSimilarityIsSymmetric compares the trees of the lines of codebleu in both directions.
func TestCode_TreeSimilarityIsSymmetric(t *testing.T) {
	t.Parallel()
	ask := asker(t, "code-python")
	config := map[string]any{"code_block": "none", "labels": "texts"}
	for _, l := range readLines(t, "codebleu") {
		if l.Config["lang"] != "python" {
			continue
		}
		a, b := l.Candidate, l.References[0]
		ab, ba := ask("tree_similarity", a, []any{b}, config), ask("tree_similarity", b, []any{a}, config)
		if ab.Score == nil || ba.Score == nil {
			continue // one of them has no code
		}
		if *ab.Score != *ba.Score || ab.Details["distance"] != ba.Details["distance"] {
			t.Errorf("%s: %v and %v", l.ID, ab, ba)
		}
		if (a == b) != (ab.Details["distance"] == 0.0) && a == b {
			t.Errorf("%s: the same code has %v", l.ID, ab)
		}
	}
}

// TestCode_QueriesSayWhatIsWrongWithThem gives queries that cannot be used.
func TestCode_QueriesSayWhatIsWrongWithThem(t *testing.T) {
	g := newGuest(t, "code-python")
	for query, want := range map[string]string{
		"(foo) @a":                        "the query q names the node foo, which the grammar does not have",
		"(call nofield: (_)) @a":          "the query q names the field nofield",
		"(call":                           "the query q has a syntax error at byte 5",
		"(call)":                          "the query q captures nothing",
		"(call) @_a":                      "the query q captures nothing",
		"(module (module)) @a":            "the query q cannot match",
		"(call) @a (#match? @a \"x\")":    "has the predicate #match?; use #eq?",
		"(call) @a (#eq? @a)":             "has #eq? with 0 values",
		"(call) @a (#eq? @b \"x\")":       "uses the capture b, which it does not define",
		strings.Repeat("(", 60):           "nests more than 40 levels deep",
		strings.Repeat(" ", 5000) + "(_)": "has 5003 bytes; the limit is 4000",
		"\x00":                            "the query q",
	} {
		req, err := json.Marshal(map[string]any{"contract": 1, "case": map[string]any{"output": "f(1)\n"}, "config": map[string]any{"forbid_queries": map[string]string{"q": query}}})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := decode(t, g.call(t, "checks", req))["error"].(string); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

// TestCode_LineContinuationsAreNoParameters is about nodes of the grammar that stand where a parameter or an
// argument could.
func TestCode_LineContinuationsAreNoParameters(t *testing.T) {
	ask := asker(t, "code-python")
	const source = "def f(a, b=1, \\\n      c=2):\n    g(a=b, \\\n      **c)\n(x): bool = True\n"
	if got := ask("syntax", source, nil, nil); *got.Score != 1 {
		t.Errorf("syntax: %v", got.Details)
	}
	if got := ask("checks", source, nil, map[string]any{"require_functions": map[string]any{"f": 3}}); *got.Score != 1 {
		t.Errorf("checks: %v", got)
	}
	for _, wrong := range []string{"def f(a=1, b): pass\n", "(x, y): int = 1\n", "(): int = 1\n"} {
		if got := ask("syntax", wrong, nil, nil); *got.Score != 0 {
			t.Errorf("%q is valid", wrong)
		}
	}
}

// codeExports are the exports of each code plugin that answer a case.
func codeExports(plugin string) []string {
	list := []string{"syntax", "tree_similarity"}
	switch plugin {
	case "code-json", "code-yaml", "code-sql":
		return list
	}
	list = append(list, "checks", "complexity")
	switch plugin {
	case "code-bash", "code-typescript":
		return list
	}
	return append(list, "codebleu")
}

// TestCode_YAMLOfAnyDepth is about the scanner of the grammar: it kept 253 levels, and wrote
// the next one beyond its buffer.
func TestCode_YAMLOfAnyDepth(t *testing.T) {
	g := newGuest(t, "code-yaml")
	for _, n := range []int{252, 253, 254, 255, 300, 3000} {
		for _, text := range []string{strings.Repeat("- ", n), strings.Repeat("? ", n)} {
			req, err := json.Marshal(map[string]any{"contract": 1, "case": map[string]any{"output": text}, "config": map[string]any{"code_block": "none"}})
			if err != nil {
				t.Fatal(err)
			}
			if s := oneOutcome(g.call(t, "syntax", req)); s != "" {
				t.Errorf("%d levels of %q: %s", n, text[:2], s)
			}
		}
	}
}

// TestCode_HostileTextsHaveOneOutcome gives every export of every language texts that nest deeply,
// never end a string or comment, or are not text of the language at all. None traps, and none
// leaves anything behind for the next call.
func TestCode_HostileTextsHaveOneOutcome(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	const odd = "(){}[]<>;:=+-*/%&|!?.,'\"`#$@\\ \n\tabx10\x00é\u2028"
	noise := func(n int) string {
		var b strings.Builder
		for range n {
			r := []rune(odd)
			b.WriteRune(r[rnd.IntN(len(r))])
		}
		return b.String()
	}
	nested := func(n int, open, inner, shut string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	indented := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + line + "\n")
		}
		return b.String() + strings.Repeat(" ", n) + "x = y\n"
	}
	texts := []string{
		"", "\x00", "\ufeff", "\r", "\u2028", strings.Repeat("\x00", 3000), strings.Repeat("\n", 20_000), "x = " + strings.Repeat("a+", 8000) + "a",
		nested(490, "(", "x", ")"), nested(1900, "[", "", "]"), nested(5000, "{", "", "}"), "x = " + nested(240, "f(", "y", ")"), nested(300, "if (x) {", "y = x;", "}"),
		strings.Repeat("(", 5000), strings.Repeat("{", 5000), strings.Repeat("<", 5000), strings.Repeat("not ", 3000),
		"\"" + strings.Repeat("a", 20_000), "'''" + strings.Repeat("a\n", 5000), "/*" + strings.Repeat("*", 20_000), strings.Repeat("<<EOF\n", 300), strings.Repeat("r#\"", 500), "`" + strings.Repeat("\\", 9999),
		indented(95, "if x:"), indented(30, "for x in y:"), indented(30, "while x:"), nested(40, "while (x) {", "y = x;", "}"),
		strings.Repeat("a:\n", 3000), strings.Repeat("- ", 3000), strings.Repeat("a.", 4000),
		"```\n" + strings.Repeat("```\n", 3001), noise(300),
	}
	slow := []string{ // in C, C++ and Go up to a second each
		strings.Repeat("`${", 2000), strings.Repeat("$(", 2000), noise(3000), noise(6000),
		strings.Repeat("f\"{", 1000), "if a: pass\n" + strings.Repeat("elif a: pass\n", 500), strings.Repeat("@a\n", 2000), strings.Repeat("é\u0301😀 ", 3000),
	}
	checks := map[string]any{"code_block": "none", "max_lines": 5, "max_nesting": 2, "max_complexity": 2, "duplicates": 10, "docstrings": 1, "comments": 1, "forbid_calls": []string{"*"}, "forbid_imports": []string{"a"},
		"forbid_queries": map[string]string{"any": "(_) @n"}, "require_queries": map[string]string{"error": "(ERROR (_) @n)"}, "require_functions": map[string]any{"x": 1}}
	some, one := amount.OneIn(120), amount.OneIn(16) // others in every run
	for _, p := range plugins.Names() {
		if !strings.HasPrefix(p, "code-") {
			continue
		}
		texts := texts
		if p != "code-c" && p != "code-cpp" && p != "code-go" || amount.Full() {
			texts = slices.Concat(texts, slow)
		}
		t.Run(p, func(t *testing.T) {
			g := newGuest(t, p)
			before := g.digest()
			for k, export := range codeExports(p) {
				configs := []map[string]any{{"code_block": "none"}}
				switch export {
				case "checks":
					configs = []map[string]any{checks}
				case "codebleu":
					configs = append(configs, map[string]any{"variant": "corrected"})
				}
				for i, text := range texts {
					if !some() {
						continue
					}
					for _, config := range configs {
						req, err := json.Marshal(map[string]any{"contract": 1, "case": map[string]any{"output": text, "references": []string{texts[(i+1)%len(texts)]}}, "config": config})
						if err != nil {
							t.Fatal(err)
						}
						if s := oneOutcome(g.call(t, export, req)); s != "" {
							t.Errorf("%s of text %d, %.60q: %s", export, i, text, s)
						}
					}
				}
				if k != 1 || !one() {
					continue
				}
				changed(t, g, export, []byte(`{"contract":1,"kind":"metric","case":{"output":"def f(x):\n    return x # c\n","references":["x = {\"a\": [1, 2]}"]},"config":{}}`))
			}
			if g.mod.Memory().Size()>>16 == g.pages && g.digest() != before {
				t.Error("memory is not as it was")
			}
		})
	}
}

// TestCode_ProseOfAMegabyteStopsEarly is about the cost of errors: the parser of tree-sitter gets over each at the
// price of some hundred steps, and prose is an error in every line.
func TestCode_ProseOfAMegabyteStopsEarly(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	g := newGuest(t, "code-python")
	text := strings.Repeat("The quick brown fox jumps over a lazy dog, and so on. Then it was not (as they say) there; was it?\n", 10_000)
	req, err := json.Marshal(map[string]any{"contract": 1, "case": map[string]any{"output": text}, "config": map[string]any{"code_block": "none"}})
	if err != nil {
		t.Fatal(err)
	}
	if answer := string(g.call(t, "syntax", req)); !strings.Contains(answer, "errors; is it python?") {
		t.Errorf("a megabyte of prose: %.200s", answer)
	}
}
