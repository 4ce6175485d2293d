package dataset

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestTidy_CompactsAndBounds(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for text, want := range map[string]string{
		`[1,2.5,-3]`: `[1,2.5,-3]`, "{\"a b\"\t: \"c \\\" ]\"}": `{"a b":"c \" ]"}`, "[1]\n": `[1]`, `1e5`: `1e5`, `["1e999"]`: `["1e999"]`, `"a  b"`: `"a  b"`,
		`[1E400]`: "number-range", strings.Repeat("9", 300): strings.Repeat("9", 300), strings.Repeat("9", 400): "number-range",
		nested(maxDepth): "row-too-deep", nested(maxDepth - 1): nested(maxDepth - 1),
	} {
		v := jsontext.Value(text)
		got := tidy(&v)
		if got != nil && got.code != want || got == nil && string(v) != want {
			t.Errorf("%.40s: %.40s, %v", text, v, got)
		}
	}
}
