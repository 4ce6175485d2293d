package plugins_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A line is one reference value; testdata/vectors/README.md says where from.
type line struct {
	ID         string
	Metric     string
	Config     map[string]any
	Candidate  any
	References []any
	Input      map[string]any
	Expected   map[string]any
}

func readLines(t *testing.T, name string) []line {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "vectors", name+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	s := bufio.NewScanner(z)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var l line
		d := json.NewDecoder(bytes.NewReader(s.Bytes()))
		d.UseNumber()
		if err := d.Decode(&l); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines = append(lines, l)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// asCall is the call that a line stands for.
func (l line) asCall(config map[string]any) []byte {
	c := map[string]any{"output": l.Candidate, "references": l.References}
	maps.Copy(c, l.Input)
	b, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": c, "config": config})
	if err != nil {
		panic(err)
	}
	return b
}

func decode(t *testing.T, answer []byte) map[string]any {
	t.Helper()
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatalf("answer %q: %v", answer, err)
	}
	return m
}

// differ says where got lacks something of want; numbers to a tolerance that is
// relative above 1.
func differ(want, got any, tolerance float64) string {
	switch want := want.(type) {
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok {
			break
		}
		for name, w := range want {
			if s := differ(w, members[name], tolerance); s != "" {
				return name + ": " + s
			}
		}
		return ""
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			break
		}
		for i := range want {
			if s := differ(want[i], list[i], tolerance); s != "" {
				return fmt.Sprintf("[%d]: %s", i, s)
			}
		}
		return ""
	case json.Number:
		w, _ := want.Float64()
		if g, ok := got.(json.Number); ok {
			if g, err := g.Float64(); err == nil && math.Abs(w-g) <= tolerance*max(1, math.Abs(w)) {
				return ""
			}
		}
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("want %v, got %v", want, got)
}

// TestModules_GiveTheReferenceValues runs every reference line through the
// built modules, as a whole call each.
func TestModules_GiveTheReferenceValues(t *testing.T) {
	t.Parallel()
	details := func(l line, answer map[string]any, tolerance float64) string {
		return differ(l.Expected, answer["details"], tolerance)
	}
	// Where the reference raised there is no score.
	detailsOrNone := func(l line, answer map[string]any, tolerance float64) string {
		if _, raised := l.Expected["error"]; raised {
			if _, ok := answer["unscored"]; !ok {
				return fmt.Sprintf("want no score, got %v", answer)
			}
			return ""
		}
		return details(l, answer, tolerance)
	}
	// Beside the values of NLTK 3.8 stand those of a newer release where they differ.
	meteor := func(l line, answer map[string]any, tolerance float64) string {
		delete(l.Expected, "nltk_3.10.4")
		return details(l, answer, tolerance)
	}
	// A figure is null where the reference raised.
	nulls := func(l line, answer map[string]any, tolerance float64) string {
		for name, want := range l.Expected {
			if _, raised := want.(map[string]any); raised {
				l.Expected[name] = nil
			}
		}
		return details(l, answer, tolerance)
	}
	other := func(metric string) func(line) bool {
		return func(l line) bool { return l.Metric != metric }
	}
	score := func(key string) func(line, map[string]any, float64) string {
		return func(l line, answer map[string]any, tolerance float64) string {
			w, err := l.Expected[key].(json.Number).Float64()
			if err != nil {
				return err.Error()
			}
			return differ(json.Number(fmt.Sprint(min(w, 1))), answer["score"], tolerance)
		}
	}
	for _, tt := range []struct {
		file, plugin, export string
		config               map[string]any // instead of the line's
		tolerance            float64
		check                func(line, map[string]any, float64) string
		want                 int // lines
		skip                 func(line) bool
	}{
		{file: "bleu", plugin: "bleu", export: "bleu", tolerance: 1e-9, check: details, want: 1012},
		{file: "bleu_corpus", plugin: "bleu", export: "bleu", tolerance: 1e-9, check: details, want: 126},
		{file: "bleu_other", plugin: "bleu", export: "google_bleu", tolerance: 1e-9, check: details, want: 105, skip: other("google_bleu")},
		{file: "bleu_other", plugin: "bleu", export: "bleu_hf", tolerance: 1e-9, check: detailsOrNone, want: 210, skip: other("bleu_hf")},
		{file: "bleu_other", plugin: "bleu", export: "bleu_nltk", tolerance: 1e-9, check: details, want: 363, skip: other("bleu_nltk")},
		{file: "chrf", plugin: "chrf", export: "chrf", tolerance: 1e-9, check: details, want: 743},
		{file: "ter", plugin: "ter", export: "ter", tolerance: 1e-9, check: details, want: 663},
		{file: "wer", plugin: "wer", export: "wer", tolerance: 1e-9, check: details, want: 418, skip: other("wer")},
		{file: "wer", plugin: "wer", export: "cer", tolerance: 1e-9, check: details, want: 192, skip: other("cer")},
		{file: "string_distance", plugin: "distance", export: "string_distance", tolerance: 1e-9, check: details, want: 207},
		{file: "lexical_diversity", plugin: "lexical_diversity", export: "lexical_diversity", tolerance: 1e-9, check: nulls, want: 103},
		{file: "meteor", plugin: "meteor", export: "meteor", tolerance: 1e-9, check: meteor, want: 346, skip: func(l line) bool { return l.Config["synonyms"] != "none" }},
		{file: "rouge", plugin: "rouge", export: "rouge", tolerance: 1e-9, check: details, want: 585},
		{file: "rouge_155", plugin: "rouge", export: "rouge", tolerance: 1e-9, check: details, want: 516},
		{file: "exact_match", plugin: "exact", export: "squad", tolerance: 1e-9, check: details, want: 276, skip: other("squad")},
		{file: "exact_match", plugin: "exact", export: "exact", tolerance: 1e-9, check: details, want: 78, skip: other("exact_match")},
		{file: "readability", plugin: "readability", export: "readability", tolerance: 1e-9, check: details, want: 178, skip: func(l line) bool { return l.Config["lang"] != "en_US" }},
		{file: "readability_nltk", plugin: "readability", export: "readability", tolerance: 1e-9, check: details, want: 60},
		{file: "readability_languages", plugin: "readability-de", export: "readability", tolerance: 1e-9, check: details, want: 120, skip: func(l line) bool { return l.Config["lang"] != "de_DE" }},
		{file: "readability_languages", plugin: "readability-es", export: "readability", tolerance: 1e-9, check: details, want: 120, skip: func(l line) bool { return l.Config["lang"] != "es" }},
		{file: "readability_languages", plugin: "readability-fr", export: "readability", tolerance: 1e-9, check: details, want: 120, skip: func(l line) bool { return l.Config["lang"] != "fr_FR" }},
		{file: "perplexity", plugin: "perplexity", export: "perplexity", tolerance: 1e-6, check: details, want: 90},
		{file: "openrubricrl", plugin: "bleu", export: "bleu", config: map[string]any{}, tolerance: 1e-9, check: score("bleu"), want: 161, skip: line.bare},
		{file: "openrubricrl", plugin: "rouge", export: "rouge1", config: map[string]any{"use_stemmer": true}, tolerance: 1e-9, check: score("rouge1"), want: 161, skip: line.bare},
		{file: "openrubricrl", plugin: "exact", export: "exact", config: map[string]any{"strip": true, "ignore_case": true}, tolerance: 0, check: score("accuracy"), want: 139,
			skip: func(l line) bool { return len(l.References) != 1 || strings.TrimSpace(l.References[0].(string)) == "" }},
	} {
		t.Run(tt.file+" by "+tt.plugin+" as "+tt.export, func(t *testing.T) {
			g := newGuest(t, tt.plugin)
			run, failed := 0, 0
			for _, l := range readLines(t, tt.file) {
				if tt.skip != nil && tt.skip(l) {
					continue
				}
				config := l.Config
				if tt.config != nil {
					config = tt.config
				}
				answer := g.call(t, tt.export, l.asCall(config))
				run++
				if s := tt.check(l, decode(t, answer), tt.tolerance); s != "" {
					failed++
					t.Errorf("%s: %s", l.ID, s)
				}
			}
			t.Logf("%s: %d lines run, %d failed", tt.file, run, failed)
			if run != tt.want {
				t.Errorf("%d lines run, want %d", run, tt.want)
			}
		})
	}
}

// bare reports that the line has no references.
func (l line) bare() bool { return len(l.References) == 0 }

// TestSyllables runs each word as a text of its own.
func TestSyllables(t *testing.T) {
	g := newGuest(t, "readability")
	for file, want := range map[string]int{"syllables": 1146, "syllables_nltk": 343} {
		lines := readLines(t, file)
		for _, l := range lines {
			answer := decode(t, g.call(t, "readability", l.asCall(nil)))
			want := map[string]any{"syllable_count": l.Expected["syllables"]}
			if s := differ(want, answer["details"], 0); s != "" {
				t.Errorf("%s %q: %s", l.ID, l.Candidate, s)
			}
		}
		if len(lines) != want {
			t.Errorf("%s: %d lines, want %d", file, len(lines), want)
		}
	}
}

// TestStemsAndTokens: rouge1 of two texts whose tokens are the expected ones is 1.
func TestStemsAndTokens(t *testing.T) {
	g := newGuest(t, "rouge")
	run := 0
	for _, l := range readLines(t, "porter") {
		// The stem of a stem may differ, so the words are compared unstemmed and
		// stemmed in one call: the option is given as a short token.
		word := l.Candidate.(string)
		if len(word) <= 3 || strings.ContainsFunc(word, func(r rune) bool { return r > 127 || !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
			continue
		}
		stem := l.Expected["stem"].(string)
		if len(stem) > 3 {
			continue
		}
		req, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric",
			"case": map[string]any{"output": word, "references": []string{stem}}, "config": map[string]any{"use_stemmer": true}})
		if err != nil {
			t.Fatal(err)
		}
		run++
		if answer := decode(t, g.call(t, "rouge1", req)); answer["score"] != json.Number("1") {
			t.Errorf("%s: %s is not stemmed to %s: %v", l.ID, word, stem, answer)
		}
	}
	if run < 50 {
		t.Errorf("only %d stems run", run)
	}
}
