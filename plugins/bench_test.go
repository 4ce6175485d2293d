package plugins_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
)

const (
	thirty    = "The committee met on Tuesday to discuss the new budget, and after three hours of debate it agreed to raise spending on schools, roads and hospitals by nearly four percent next year."
	thirtyRef = "On Tuesday the committee met to discuss the new budget; after a debate of three hours it agreed to increase spending on schools, roads and hospitals by almost four percent for next year."
)

// request is a call with the fields of the case that the plugin asks for.
func request(tb testing.TB, plugin string, config map[string]any) []byte {
	c := map[string]any{"output": thirty}
	switch plugin {
	case "perplexity":
		logprobs := make([]float64, 30)
		for i := range logprobs {
			logprobs[i] = -float64(i*i) / 317
		}
		c["logprobs"] = logprobs
	case "embedding":
		vector := make([]float64, 768)
		for i := range vector {
			vector[i] = math.Sin(float64(i))
		}
		c["output_embedding"], c["reference_embeddings"] = vector, [][]float64{vector}
	case "readability":
	default:
		c["references"] = []string{thirtyRef}
	}
	b, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": c, "config": config})
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// BenchmarkCall is one call through bare wazero: alloc, the request written,
// the score, the answer in sight; p50 and p99 are of that. ns/op also has the
// memory put back, all of it.
func BenchmarkCall(b *testing.B) {
	for _, bm := range []struct {
		plugin, export string
		config         map[string]any
	}{
		{"bleu", "bleu", nil},
		{"rouge", "rougeL", nil},
		{"rouge", "rougeL", map[string]any{"use_stemmer": true}},
		{"rouge", "rougeLsum", nil},
		{"rouge", "rouge1", nil},
		{"rouge", "rouge", nil},
		{"readability", "flesch_reading_ease", nil},
		{"readability", "flesch_kincaid_grade", nil},
		{"readability", "readability", nil},
		{"exact", "exact", nil},
		{"exact", "squad", nil},
		{"exact", "regex", map[string]any{"pattern": `\bhospitals?\b`}},
		{"perplexity", "perplexity", nil},
		{"embedding", "cosine", nil},
		{"chrf", "chrf", nil},
		{"chrf", "chrf", map[string]any{"word_order": 2}},
		{"bleu", "gleu", nil},
		{"bleu", "bleu_hf", nil},
		{"bleu", "bleu_nltk", map[string]any{"smoothing": "method4"}},
		{"bleu", "nist", nil},
		{"meteor", "meteor", nil},
		{"meteor", "meteor", map[string]any{"tokenizer": "whitespace"}},
		{"rouge", "rougeW", nil},
		{"rouge", "rougeSU", nil},
		{"ter", "ter", nil},
		{"lexical_diversity", "lexical_diversity", nil},
		{"wer", "wer", nil},
		{"wer", "cer", nil},
		{"distance", "levenshtein", nil},
		{"distance", "damerau_levenshtein", nil},
		{"distance", "jaro_winkler", nil},
		{"distance", "partial_ratio", nil},
	} {
		b.Run(bm.plugin+"/"+bm.export, func(b *testing.B) {
			g := newGuest(b, bm.plugin)
			req := request(b, bm.plugin, bm.config)
			b.Logf("%d pages, %d bytes of image, %d pages after a call; %.200s", g.pages, len(g.image), g.mod.Memory().Size()>>16, g.call(b, bm.export, req))
			b.ReportAllocs()
			times := make([]time.Duration, 0, 1<<20)
			for b.Loop() {
				start := time.Now()
				if _, err := g.try(bm.export, req); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
				g.restore()
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2])/1e3, "p50-us")
			b.ReportMetric(float64(times[len(times)*99/100])/1e3, "p99-us")
		})
	}
}

// BenchmarkFirstScore is everything that a first score needs without a compile
// cache: compile, instantiate, one call.
func BenchmarkFirstScore(b *testing.B) {
	for _, plugin := range []string{"bleu", "rouge", "readability", "exact", "perplexity"} {
		b.Run(plugin, func(b *testing.B) {
			req := request(b, plugin, nil)
			for b.Loop() {
				p := compile(b, plugin, wazero.NewCompilationCache())
				if _, err := p.start(b).try(plugin, req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
