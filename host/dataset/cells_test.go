package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
)

// TestCells_ReferencesAreListsOfTexts reads a cell as several references only if it is a list of
// texts: the reference [1,2] is one answer.
func TestCells_ReferencesAreListsOfTexts(t *testing.T) {
	for cell, want := range map[string][]string{
		`"[""a"", ""b""]"`: {"a", "b"},
		`"[1,2]"`:          {"[1,2]"},
		`"[""a"",1]"`:      {`["a",1]`},
		`"{""a"":1}"`:      {`{"a":1}`},
		`"[]"`:             {},
		`"[1,2"`:           {"[1,2"},
		`4.50`:             {"4.50"},
	} {
		cases, bad, _ := drain(t, dataset.Options{Format: dataset.CSV, Paths: []string{"-"}, Stdin: strings.NewReader("id,output,references\na,x," + cell + "\n")})
		if len(bad) > 0 || len(cases) != 1 || !slices.Equal(cases[0].References, want) {
			t.Errorf("%s: %q, want %q (%v)", cell, cases[0].References, want, bad)
		}
	}
}
