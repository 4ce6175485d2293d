package plugins_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// texts consist of common words and of characters that are difficult for tokenizers.
func texts() *rapid.Generator[string] {
	word := rapid.SampledFrom([]string{"the", "The", "cat", "cats", "running", "ran", "3.5", "1,000", "well-known", "don't", "é", "中文", "😀", "a_b", "...", "!", "—", "x"})
	glue := rapid.SampledFrom([]string{" ", " ", " ", "\n", "", ", ", ". ", "\u00a0"})
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 25).Draw(t, "words") {
			b.WriteString(word.Draw(t, "word"))
			b.WriteString(glue.Draw(t, "glue"))
		}
		return b.String()
	})
}

type answer struct {
	Score   *float64
	Details map[string]any
	Stats   []float64
	Error   string
}

// asker calls an export with an output, references and a configuration.
func asker(t *testing.T, plugin string) func(export string, output, references, config any) answer {
	g := newGuest(t, plugin)
	return func(export string, output, references, config any) answer {
		req, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": map[string]any{"output": output, "references": references}, "config": config})
		if err != nil {
			t.Fatal(err)
		}
		var a answer
		if err := json.Unmarshal(g.call(t, export, req), &a); err != nil || a.Error != "" {
			t.Fatalf("%s: %v %s", req, err, a.Error)
		}
		return a
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestBLEU_CorpusIsThatOfItsSums compares the score of summed statistics with that of
// one call on the whole corpus.
func TestBLEU_CorpusIsThatOfItsSums(t *testing.T) {
	ask, g := asker(t, "bleu"), newGuest(t, "bleu")
	rapid.Check(t, func(t2 *rapid.T) {
		outputs := rapid.SliceOfN(texts(), 1, 5).Draw(t2, "outputs")
		references := make([][]string, len(outputs))
		config := map[string]any{
			"tokenize":      rapid.SampledFrom([]string{"13a", "intl", "char", "zh", "none"}).Draw(t2, "tokenize"),
			"smooth_method": rapid.SampledFrom([]string{"exp", "floor", "add-k", "none"}).Draw(t2, "smoothing"),
			"lowercase":     rapid.Bool().Draw(t2, "lowercase"),
		}
		var sums []float64
		for i, output := range outputs {
			references[i] = rapid.SliceOfN(texts(), 1, 3).Draw(t2, "references")
			one := ask("bleu", output, references[i], config)
			if sums == nil {
				sums = make([]float64, len(one.Stats))
			}
			for k, n := range one.Stats {
				sums[k] += n
			}
		}
		whole := ask("bleu", outputs, references, config)
		req, err := json.Marshal(map[string]any{"contract": 1, "kind": "corpus", "stats": sums, "config": config})
		if err != nil {
			t2.Fatal(err)
		}
		var summed answer
		if err := json.Unmarshal(g.call(t, "corpus", req), &summed); err != nil || summed.Score == nil {
			t2.Fatalf("corpus call: %v", err)
		}
		if *summed.Score != *whole.Score || summed.Details["signature"] != whole.Details["signature"] {
			t2.Fatalf("sums give %v, the corpus %v", summed, whole)
		}
	})
}

func TestROUGE_SwapsPrecisionAndRecallWithTheTexts(t *testing.T) {
	ask := asker(t, "rouge")
	config := map[string]any{"rouge_types": []string{"rouge1", "rouge2", "rougeL"}, "use_stemmer": true}
	rapid.Check(t, func(t2 *rapid.T) {
		a, b := texts().Draw(t2, "a"), texts().Draw(t2, "b")
		ab, ba := ask("rouge", a, []string{b}, config), ask("rouge", b, []string{a}, config)
		for kind, figures := range ab.Details {
			one, other := figures.(map[string]any), ba.Details[kind].(map[string]any)
			if !near(one["precision"].(float64), other["recall"].(float64)) || !near(one["fmeasure"].(float64), other["fmeasure"].(float64)) {
				t2.Fatalf("%s: %v and %v", kind, one, other)
			}
		}
	})
}

func TestModules_ATextIsBestAgainstItself(t *testing.T) {
	bleu, rouge, exact := asker(t, "bleu"), asker(t, "rouge"), asker(t, "exact")
	rapid.Check(t, func(t2 *rapid.T) {
		a, b := texts().Draw(t2, "a"), texts().Draw(t2, "b")
		references := []string{b, a}
		if s := exact("exact", a, references, nil); *s.Score != 1 {
			t2.Fatalf("exact of %q against itself is %v", a, *s.Score)
		}
		if s := exact("contains", b+a+b, []string{a + b}, nil); s.Score != nil && *s.Score != 1 {
			t2.Fatalf("%q does not contain its own end", b+a+b)
		}
		for name, s := range map[string]answer{"bleu": bleu("bleu", a, references, nil), "rouge": rouge("rougeLsum", a, references, nil)} {
			if !near(*s.Score, 1) && *s.Score != 0 {
				t2.Fatalf("%s of %q against itself is %v", name, a, *s.Score)
			}
		}
	})
}

func FuzzRequests(f *testing.F) {
	for _, s := range []string{`{"contract":1,"case":{"output":"a b","references":["a"],"logprobs":[-1]},"config":{"pattern":"(a|b)*?c{2,3}$","tokenize":"intl"}}`, `{"contract":1,"kind":"corpus","stats":[1,2]}`, `{`} {
		f.Add([]byte(s))
	}
	guests := map[string]*guest{}
	for name := range exports {
		guests[name] = newGuest(f, name)
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		for name, list := range exports {
			for _, export := range list {
				if s := oneOutcome(guests[name].call(t, export, request)); s != "" {
					t.Errorf("%s of %q: %s", export, request, s)
				}
			}
		}
	})
}
