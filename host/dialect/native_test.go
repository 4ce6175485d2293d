package dialect

import (
	"os"
	"strings"
	"testing"
)

func TestDecode_ReadsTheExamplesOfTheReference(t *testing.T) {
	src, err := os.ReadFile("NATIVE.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(src), "```yaml\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("no example")
	}
	for _, b := range blocks {
		example, _, _ := strings.Cut(b, "```")
		doc, err := Decode("NATIVE.md", []byte(example), Options{})
		if err != nil || doc.Dialect != Native {
			t.Errorf("%v\n%s", err, example)
		}
	}
	for what, v := range vocabularyOf(t, Native) {
		for key := range v.asked {
			if !strings.Contains(string(src), "`"+key+"`") && key != "$schema" {
				t.Errorf("the reference does not tell of %q, of a %s", key, what)
			}
		}
	}
}
