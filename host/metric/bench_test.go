package metric

import (
	"testing"

	"github.com/go-json-experiment/json"
)

const rougeAnswer = `{"score":0.3333333333333333,"details":{"rouge1":{"precision":0.2857142857142857,"recall":0.4,"fmeasure":0.3333333333333333},"rouge2":{"precision":0.0,"recall":0.0,"fmeasure":0.0},"rouge3":{"precision":0.0,"recall":0.0,"fmeasure":0.0},"rougeL":{"precision":0.2857142857142857,"recall":0.4,"fmeasure":0.3333333333333333},"rougeLsum":{"precision":0.2857142857142857,"recall":0.4,"fmeasure":0.3333333333333333}}}`

const bleuAnswer = `{"score":0.7098108717509045,"details":{"score":70.98108717509045,"counts":[14,11,9,8],"totals":[16,15,14,13],"precisions":[87.5,73.33333333333333,64.28571428571429,61.53846153846154],"bp":1,"sys_len":16,"ref_len":16,"signature":"nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0"},"stats":[16,16,14,11,9,8,16,15,14,13,1,1,1]}`

// BenchmarkParseAnswer compares the reader of this package with a library's.
func BenchmarkParseAnswer(b *testing.B) {
	for _, bb := range []struct{ name, answer string }{
		{"score", `{"score":0.5}`},
		{"rouge", rougeAnswer},
		{"bleu", bleuAnswer},
	} {
		in := []byte(bb.answer)
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseAnswer(in); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bb.name+", library", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var a Answer
				if err := json.Unmarshal(in, &a, json.RejectUnknownMembers(true)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
