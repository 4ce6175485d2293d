package metric

import (
	"testing"

	"github.com/go-json-experiment/json"
)

const rougeAnswer = `{"score":0.3333333333333333,"details":{"rouge1":{"precision":0.2857142857142857,"recall":0.4,"fmeasure":0.3333333333333333},"rouge2":{"precision":0.0,"recall":0.0,"fmeasure":0.0},"rouge3":{"precision":0.0,"recall":0.0,"fmeasure":0.0},"rougeL":{"precision":0.2857142857142857,"recall":0.4,"fmeasure":0.3333333333333333},"rougeLsum":{"precision":0.2857142857142857,"recall":0.4,"fmeasure":0.3333333333333333}}}`

// BenchmarkParseAnswer compares the reader of this package with a library's.
func BenchmarkParseAnswer(b *testing.B) {
	for _, bb := range []struct{ name, answer string }{
		{"score", `{"score":0.5}`},
		{"rouge", rougeAnswer},
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
