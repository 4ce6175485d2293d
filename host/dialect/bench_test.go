package dialect

import (
	"os"
	"testing"

	"github.com/rubric-host/rubric-host/host/document"
)

func BenchmarkDecode(b *testing.B) {
	small, err := os.ReadFile("testdata/native/support-answer.yaml")
	if err != nil {
		b.Fatal(err)
	}
	asJSON, err := os.ReadFile("testdata/openrubricrl/code_quality_basic.json")
	if err != nil {
		b.Fatal(err)
	}
	many := manyCriteria(10_000)
	tree := treeOf(b, many, YAML)
	manyJSON, err := document.Write(tree, JSON)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		src  []byte
	}{
		{"a small rubric in YAML", small},
		{"a small rubric in JSON", asJSON},
		{"10000 criteria in YAML", many},
		{"10000 criteria in JSON", manyJSON},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bench.src)))
			for b.Loop() {
				if _, err := Decode("", bench.src, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	small, err := os.ReadFile("testdata/native/support-answer.yaml")
	if err != nil {
		b.Fatal(err)
	}
	doc, err := Decode("", small, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, to := range []string{Native, AgentV} {
		b.Run("to "+to, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if out, losses, err := Encode(doc, to, YAML); to == Native && err != nil {
					b.Fatal(out, losses, err)
				}
			}
		})
	}
}
