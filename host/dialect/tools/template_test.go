package tools

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
)

func TestTemplates_LoadWithoutWarnings(t *testing.T) {
	for _, x := range Templates() {
		src, err := ReadTemplate(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := dialect.Decode(x.File, src, dialect.Options{})
		if err != nil || doc.Dialect != x.Dialect || x.Summary == "" {
			t.Errorf("%s: %v", x.Name, err)
			continue
		}
		for _, d := range Lint(doc) {
			switch d.Code {
			case "examples-missing", "criteria-few": // they are short
			default:
				t.Errorf("%s: %v", x.Name, d)
			}
		}
	}
	if _, err := ReadTemplate("natiev"); fault.Of(err) != fault.Usage || !strings.Contains(fault.Hint(err), "native") {
		t.Errorf("%v", err)
	}
}
