package plugin

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestImportedPaths_AreThoseOfAnExpression compares the search with the expression that says what an
// import by a path is, on random texts of the pieces that matter.
func TestImportedPaths_AreThoseOfAnExpression(t *testing.T) {
	expression := regexp.MustCompile(`(?:\bfrom|\bimport\s*\(?|\brequire\s*\()\s*(?:"(\.\.?/[^"\n]+)"|'(\.\.?/[^'\n]+)')`)
	pieces := []string{"from", "import", "require", "(", " ", "\n", "\t", `"`, "'", "./", "../", "a", "_", "é", ".", "/", `"./a"`, `'../b.js'`, "from './c'", "require("}
	found := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + rand.IntN(12) {
			b.WriteString(pieces[rand.IntN(len(pieces))])
		}
		var want []string
		for _, m := range expression.FindAllStringSubmatch(b.String(), -1) {
			want = append(want, m[1]+m[2])
		}
		got := importedPaths(b.String())
		if !slices.Equal(got, want) {
			t.Fatalf("%q imports %q, want %q", b.String(), got, want)
		}
		found += len(got)
	}
	if found < 100 {
		t.Errorf("%d imports are too few to tell", found)
	}
}
