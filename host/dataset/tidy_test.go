package dataset

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestIsTidy_OnlyWhatTidyLeaves compares the quick look with the library's.
func TestIsTidy_OnlyWhatTidyLeaves(t *testing.T) {
	for text, want := range map[string]bool{
		`[1,2.5,-3]`: true, `{"a":"b c\" ]","d":[{}]}`: true, `"\\"`: true, `[]`: true, `1e5`: false, `[1E400]`: false, `["1e5"]`: true, `[1, 2]`: false,
		"{\"a\"\t:1}": false, "[1]\n": false, strings.Repeat("9", 300): true, strings.Repeat("9", 400): false,
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth):     false,
		strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1): true,
	} {
		if got := isTidy([]byte(text)); got != want {
			t.Errorf("%.40s: %v", text, got)
		}
		if v := jsontext.Value(text); want {
			if err := v.Compact(); err != nil || !bytes.Equal(v, []byte(text)) {
				t.Errorf("%.40s: %s, %v", text, v, err)
			}
		}
	}
}
