package plugins_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/plugins"
)

// exports are the exports of each plugin that answer a case.
var exports = map[string][]string{
	"answer":            {"numeric", "date", "choice", "list_f1", "text_match", "marked", "word_f1"},
	"bleu":              {"bleu", "corpus", "gleu", "corpus_gleu", "bleu_hf", "corpus_hf", "bleu_nltk", "nist"},
	"chrf":              {"chrf", "chrfpp", "corpus"},
	"code-json":         {"syntax"},
	"code-python":       {"syntax", "complexity", "checks"},
	"distance":          {"levenshtein", "osa", "damerau_levenshtein", "jaro_winkler", "partial_ratio", "token_set_ratio", "string_distance"},
	"embedding":         {"cosine"},
	"exact":             {"exact", "contains", "regex", "squad"},
	"language":          {"language"},
	"lexical_diversity": {"lexical_diversity", "ttr", "msttr", "mattr", "mtld", "hdd"},
	"math":              {"math", "math_reward", "math_dapo", "gsm8k"},
	"meteor":            {"meteor"},
	"perplexity":        {"perplexity"},
	"readability":       {"readability", "flesch_reading_ease", "lix", "text_standard"},
	"readability-de":    {"readability"},
	"readability-es":    {"readability"},
	"readability-fr":    {"readability"},
	"rouge":             {"rouge", "rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU"},
	"structure":         {"json", "json_equal", "xml", "markdown", "sql_equal", "think", "tool_call", "quotes", "citations", "refusal", "pii", "length", "repetition"},
	"ter":               {"ter", "corpus"},
	"trajectory":        {"trajectory", "tool_f1", "tool_counts"},
	"wer":               {"wer", "cer", "mer", "wip", "corpus_wer", "corpus_cer"},
}

// TestModules_AllAreListed names the plugins that README.md lacks, or that tests of hostile requests would pass over.
func TestModules_AllAreListed(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plugins.Names() {
		language, ofCode := strings.CutPrefix(p, "code-")
		if !bytes.Contains(readme, []byte("`"+language+"`")) {
			t.Errorf("the table of README.md lacks %s", p)
		}
		script, check := strings.HasPrefix(p, "run-"), p == "meta_rubric" // these do not answer such cases
		if exports[p] == nil && !ofCode && !script && !check {
			t.Errorf("exports lacks the plugin %s", p)
		}
	}
}

// oneOutcome returns how an answer breaks the contract.
func oneOutcome(answer []byte) string {
	if !utf8.Valid(answer) {
		return "it is not UTF-8"
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(answer, &m); err != nil {
		return err.Error()
	}
	n := 0
	for _, key := range []string{"score", "level", "unscored", "error"} {
		if _, ok := m[key]; ok {
			n++
		}
	}
	if n != 1 {
		return fmt.Sprintf("it has %d outcomes", n)
	}
	if raw, ok := m["score"]; ok {
		var score float64
		if err := json.Unmarshal(raw, &score); err != nil || score < 0 || score > 1 {
			return fmt.Sprintf("its score is %s", raw)
		}
	}
	return ""
}

// TestModules_NeverTrap sends requests that no host sends, and hostile cases.
func TestModules_NeverTrap(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	about := func(output, reference, config string) string {
		return fmt.Sprintf(`{"contract":1,"kind":"metric","case":{"output":%s,"references":[%s],"logprobs":[-1]},"config":%s}`, quote(output), quote(reference), config)
	}
	requests := []string{
		"", "{", "null", "[]", `""`, "\x00", "\xff\xfe", `{"contract":2}`, `{"contract":"1"}`, `{"contract":1}`, `{"contract":1e400}`,
		strings.Repeat("[", 1<<16), `{"contract":1,"case":` + strings.Repeat(`{"a":`, 5000),
		`{"contract":1,"case":{"output":1,"references":{}}}`, `{"contract":1,"case":{"output":[],"references":[]}}`,
		`{"contract":1,"case":{"output":["a"],"references":[[]]}}`, `{"contract":1,"case":{"output":["a",1],"references":[["a"],["b"]]}}`,
		`{"contract":1,"case":[],"config":[]}`, `{"contract":1,"case":{"output":"a","references":["a"]},"config":{"max_ngram_order":1e308,"smooth_value":-1}}`,
		`{"contract":1,"stats":[1e308,-1,0.5]}`, `{"contract":1,"stats":[0,0,0,0,0,0,0,0,0,0,0,0,0]}`,
		about("", "", "{}"), about(" ", "\u3000", "{}"), about("\x00", "\u0000a", "{}"), about("...", "!?!", "{}"),
		about(strings.Repeat("a ", amount.Of(5_000, 150_000)), strings.Repeat("b ", 1000), "{}"), // 200,000 words exceed the memory of rouge, which is a failure of its own class
		about(strings.Repeat("a", amount.Of(150_000, 400_000)), "b", "{}"), about(strings.Repeat("\n", amount.Of(20_000, 50_000)), strings.Repeat("x\n", 2000), "{}"),
		about(strings.Repeat("é\u0301😀 ", amount.Of(1_000, 20_000)), "é", `{"tokenize":"intl","lowercase":true}`),
		about(strings.Repeat("ab", 2000), "x", `{"pattern":"(a*)*(b|a)*c"}`), about("a", "a", `{"pattern":"((a{999}){999}){999}"}`),
		about("İ\u0307ß'ſ'tıK", "i̇", `{"ignore_case":true,"lowercase":true}`),
	}
	one := amount.OneIn(6)
	for name, list := range exports {
		t.Run(name, func(t *testing.T) {
			g, small := newGuest(t, name), newGuest(t, name) // memory that has grown takes long to put back
			for _, export := range list {
				for _, r := range requests {
					if len(r) > 10_000 && !one() {
						continue
					}
					if s := oneOutcome(g.call(t, export, []byte(r))); s != "" {
						t.Errorf("%s of %.100q: %s", export, r, s)
					}
				}
				changed(t, small, export, []byte(about("The cat sat. It's 3.5%!", "A cat sat on 1 mat.", `{"ignore_case":true}`)))
			}
		})
	}
}

// changed sends a good request with bytes changed, lost and repeated.
func changed(t *testing.T, g *guest, export string, good []byte) {
	t.Helper()
	const odd = "\"\\{}[],:0-e \x00\xc3\xff'."
	rnd := rand.New(rand.NewPCG(1, 2))
	for range amount.Of(100, 1500) {
		r := bytes.Clone(good)
		for range 1 + rnd.IntN(3) {
			at := rnd.IntN(len(r))
			switch rnd.IntN(3) {
			case 0:
				r[at] = odd[rnd.IntN(len(odd))]
			case 1:
				r = append(r[:at], r[at+1:]...)
			case 2:
				r = append(r[:at], append([]byte{r[at]}, r[at:]...)...)
			}
		}
		if s := oneOutcome(g.call(t, export, r)); s != "" {
			t.Fatalf("%s of %q: %s", export, r, s)
		}
	}
}

// TestModules_AnswersDoNotDependOnEarlierCalls compares answers in another order, and
// the memory after the host restored it.
func TestModules_AnswersDoNotDependOnEarlierCalls(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	for name, list := range exports {
		t.Run(name, func(t *testing.T) {
			g, fresh := newGuest(t, name), newGuest(t, name)
			before := g.digest()
			texts := []string{"One short text.", strings.Repeat("A much longer text, with İ and ß. ", 300), "", "One short text."}
			for _, export := range list {
				for i, text := range texts {
					req, err := json.Marshal(map[string]any{"contract": 1, "case": map[string]any{"output": text, "references": []string{texts[0]}, "logprobs": []float64{-1}}})
					if err != nil {
						t.Fatal(err)
					}
					got, want := g.call(t, export, req), fresh.call(t, export, req)
					if i == 3 {
						want = newGuest(t, name).call(t, export, req)
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s, text %d: %s after others, %s alone", export, i, got, want)
					}
				}
			}
			if g.mod.Memory().Size()>>16 == g.pages && g.digest() != before {
				t.Error("memory is not as it was")
			}
		})
	}
}
