package script_test

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// pieces are words, scripts, numbers and dates that scorers stumble over.
var pieces = []string{
	"the", "cat", "sat", "on", "Mat", "é", "naïve", "STRASSE", "Straße", "ﬁne", "日本", "語", "Ω", "42", "-7.25", "3.0", "1e5", "2024-02-29", "2023-02-29", "1999-12-31",
	"don't", "e-mail", "x_y", "…", "!", "?", ".", ",", "(a)", "\n", "\t", "😀", "a\u0301", "\u00a0", "İ", "ß", "word", "words", "0.1", "0.30000000000000004",
}

// sentences are typical model outputs.
var sentences = []string{
	"The quick brown fox jumps over the lazy dog.", "Paris is the capital of France, isn't it?", "The answer is 1,234.50 dollars.", "After 3 days, the total = 42%.",
	"It was the best of times, it was the worst of times!", "#### 17", "A man, a plan, a canal: Panama.", "Water boils at 100 degrees; ice melts at 0.", "Die Straße ist naß — und länger als gedacht.",
	"def f(x): return x + 1", "See https://example.org/a?b=c&d=e for more.", "Yes.", "No, the cat did not sit on the mat.", "Answer: -0.5", "«Où est la bibliothèque ?»",
}

// sampleCases are different cases, the same each time.
func sampleCases(n int) (cases []jsontext.Value) {
	r := rand.New(rand.NewPCG(5, 12))
	for range n {
		output := sampleText(r)
		reference := sampleText(r)
		switch r.IntN(8) {
		case 0:
			reference = output
		case 1, 2, 3:
			reference = edited(r, output)
		}
		v, err := json.Marshal(map[string]any{"output": output, "references": []string{reference}, "metadata": sampleMetadata(r)}, json.Deterministic(true))
		if err != nil {
			panic(err)
		}
		cases = append(cases, v)
	}
	return cases
}

func sampleText(r *rand.Rand) string {
	var list []string
	if r.IntN(2) == 0 {
		for range r.IntN(30) {
			list = append(list, pieces[r.IntN(len(pieces))])
		}
	} else {
		for range 1 + r.IntN(3) {
			list = append(list, sentences[r.IntN(len(sentences))])
		}
	}
	return strings.Join(list, " ")
}

// edited drops, doubles, swaps and replaces some words.
func edited(r *rand.Rand, text string) string {
	words := strings.Split(text, " ")
	for range 1 + r.IntN(4) {
		k := r.IntN(len(words))
		switch r.IntN(4) {
		case 0:
			words[k] = pieces[r.IntN(len(pieces))]
		case 1:
			words[k] += " " + words[k]
		case 2:
			words[k], words[0] = words[0], words[k]
		default:
			words[k] = strings.ToUpper(words[k])
		}
	}
	return strings.Join(words, " ")
}

// sampleMetadata are the inputs of scorers beside texts.
func sampleMetadata(r *rand.Rand) map[string]any {
	embedded := []string{`{"a":1,"b":[2],"z":null}`, `{}`, `{"c":"x"}`, `{"a":`, `[1]`, `"a"`, `{"a":1.0,"b":[2,{"é":"\ud83d\ude00"}],"c":1e3}`, `{"b":[3],"a":1,"z":false}`}
	sums := []string{"1 + 2 * 3", "(4 - 9) / 7", "-(0.1 + 0.2) * 3", "7 % 3 - 1 / 8", "2 * (3 + 4", "1 / 0", "12.5 - 100 / 3 * 2"}
	tables := []string{"a,b,c\n1,2,3\n4,x y,6", "a,b\n\"q,\"\"z\",1\n2", "b\n é\n10\n9", "b,a\n"}
	return map[string]any{
		"json": embedded[r.IntN(len(embedded))], "wanted": embedded[r.IntN(len(embedded))], "sum": sums[r.IntN(len(sums))], "csv": tables[r.IntN(len(tables))],
		"numbers": sampleNumbers(r), "days": r.IntN(60_000) - 20_000,
	}
}

// sampleNumbers are of every size, and some of them hard to add up or to print.
func sampleNumbers(r *rand.Rand) []float64 {
	hard := []float64{0.1, 0.2, 0.3, -0.7, 1e16, 1, -1e16, 5e-324, 2.5, 3.5, 1e21, 123456789.125, 1e-7, 0.000001, 9007199254740993, 1.005}
	list := make([]float64, r.IntN(9))
	for k := range list {
		switch r.IntN(3) {
		case 0:
			list[k] = hard[r.IntN(len(hard))]
		case 1:
			list[k] = math.Round(r.NormFloat64()*1e4) / 100
		default:
			list[k] = r.NormFloat64() * math.Ldexp(1, r.IntN(60)-30)
		}
	}
	return list
}
