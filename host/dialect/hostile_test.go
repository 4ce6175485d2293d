package dialect

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// TestDecode_RefusesHostileDocuments tests rubrics, and hostile documents that parse. Package document has the
// rest, and large documents that are unusual.
func TestDecode_RefusesHostileDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	product := "execution:\n  evaluators:\n"
	for i := range 3000 {
		product += fmt.Sprintf("    - {name: e%d, type: rubric, rubrics: [x]}\n", i)
	}
	product += "evalcases:\n"
	for i := range 3000 {
		product += fmt.Sprintf("  - {id: c%d, input: y, rubrics: [z]}\n", i)
	}
	longName := strings.Repeat("n", 1<<20)
	qualified := "execution: {evaluators: [{name: " + longName + ", type: rubric, rubrics: [" + strings.Repeat("x, ", 1000) + "x]}, {name: b, type: rubric, rubrics: [" + strings.Repeat("x, ", 1000) + "x]}]}"
	nest := func(name string) string {
		return strings.Repeat("{name: "+name+", type: composite, evaluators: [", 25) + "{name: a, type: rubric, rubrics: [x]}" + strings.Repeat("]}", 25)
	}
	twins := "execution: {evaluators: [" + nest("a") + ", " + nest("a") + "]}"
	tests := []struct {
		name, format string
		src          []byte
		code         string
	}{
		{"nothing at all", "", nil, "empty"},
		{"only a document mark", YAML, []byte("---\n"), "dialect-unknown"},
		{"invalid UTF-8", "", []byte("rubric: \xff\xfe"), "encoding"},
		{"a number of a million digits", RubricList, []byte("- {requirement: a, weight: " + strings.Repeat("9", 1<<20) + "}"), "number-form"},
		{"cases times evaluators", "", []byte(product), "too-large"},
		{"long names times criteria", YAML, []byte(qualified), "too-large"},
		{"trees of one name", YAML, []byte(twins), "id-duplicate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Format: tt.format}
			if tt.format == RubricList {
				o = Options{Dialect: RubricList, Format: YAML}
			}
			_, err := Decode("f", tt.src, o)
			l := diag.In(err)
			if fault.Of(err) != fault.Invalid || len(l) == 0 {
				t.Fatalf("%v", err)
			}
			found := false
			for _, d := range l {
				found = found || d.Code == tt.code
				if len(d.Message) > 500 || len(d.Hint) > 500 || d.Pos.File != "f" {
					t.Errorf("%d bytes of message, %d of hint at %s", len(d.Message), len(d.Hint), d.Pos)
				}
			}
			if !found {
				t.Errorf("no problem has code %q: %.600v", tt.code, err)
			}
		})
	}
}

func TestDecode_MessagesStayShort(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	for name, src := range map[string]string{
		"an unknown key":    `{"rubric": "a", "criteria": [{"id": "a", "judge": "b"}], "` + long + `": 1}`,
		"an id twice":       `{"rubric": "a", "criteria": [{"id": "` + long + `", "judge": "b"}, {"id": "` + long + `", "judge": "b"}]}`,
		"a key of examples": `{"rubric": "a", "criteria": [{"id": "a", "judge": "b", "examples": {"` + long + `": [5]}}]}`,
		"an unknown word":   `{"rubric": "a", "aggregate": "` + long + `", "criteria": [{"id": "a", "judge": "b"}]}`,
		"a number":          `{"rubric": "a", "criteria": [{"id": ` + strings.Repeat("1", 1<<20) + `, "judge": "b"}]}`,
	} {
		_, err := Decode("", []byte(src), Options{Dialect: Native})
		if len(diag.In(err)) == 0 || len(err.Error()) > 5000 {
			t.Errorf("%s: %d bytes", name, len(err.Error()))
		}
	}
}

func TestDecode_BoundsProblems(t *testing.T) {
	var src strings.Builder
	src.WriteString(`{"rubric": "a", "criteria": [{"id": "a", "judge": "b"}]`)
	for i := range 100_000 {
		fmt.Fprintf(&src, `, "key%d": 1`, i)
	}
	src.WriteString("}")
	_, err := Decode("", []byte(src.String()), Options{})
	if l := diag.In(err); len(l) != diag.Limit+1 || l[len(l)-1].Code != "too-many" && l[0].Code != "too-many" {
		t.Errorf("%d diagnostics", len(l))
	}
}

func TestDecode_ReadsLargeDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Run("ten thousand criteria", func(t *testing.T) {
		doc, err := Decode("", manyCriteria(10_000), Options{})
		if err != nil || len(doc.Rubric.Criteria) != 10_000 {
			t.Fatal(err)
		}
	})
	t.Run("groups as deep as the model allows", func(t *testing.T) {
		src := `{"rubric": "a", "criteria": [`
		for i := range 31 {
			src += fmt.Sprintf(`{"id": "g%d", "criteria": [`, i)
		}
		src += `{"id": "leaf", "judge": "b"}` + strings.Repeat("]}", 31) + "]}"
		for _, format := range []string{JSON, YAML} {
			if _, err := Decode("", []byte(src), Options{Format: format}); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
	t.Run("evaluators without names", func(t *testing.T) {
		src := "evaluators: [" + strings.Repeat("{type: latency}, ", 50_000) + "{type: latency}]"
		doc, err := Decode("", []byte(src), Options{Dialect: AgentV, Format: YAML})
		if err != nil || len(doc.Rubric.Criteria) != 50_001 {
			t.Error(err)
		}
	})
	t.Run("a long key above many elements", func(t *testing.T) {
		src := `{"rubric": "a", "criteria": [{"id": "a", "judge": "b"}], "metadata": {"` + strings.Repeat("k", 1<<20) + `": [` + strings.Repeat("0,", 200_000) + `0]}}`
		if _, err := Decode("", []byte(src), Options{}); err != nil {
			t.Error(err)
		}
	})
	t.Run("a text of a megabyte", func(t *testing.T) {
		long := strings.Repeat("long ", 200_000)
		doc, err := Decode("", []byte(`{"rubric": "a", "criteria": [{"id": "a", "judge": "`+long+`"}]}`), Options{})
		if err != nil || doc.Rubric.Criteria[0].Text != long {
			t.Error(err)
		}
	})
}

// manyCriteria is a native document with n criteria.
func manyCriteria(n int) []byte {
	var src bytes.Buffer
	src.WriteString("rubric: many\ncriteria:\n")
	for i := range n {
		fmt.Fprintf(&src, "  - id: criterion-%d\n    weight: %d.5\n    judge: The output says what requirement number %d wants to hear.\n", i, i%7+1, i)
	}
	return src.Bytes()
}

func TestDecode_FollowsAliasesAndMergeKeys(t *testing.T) {
	src := `
rubric: a
criteria:
  - &base
    id: one
    weight: 2
    required: true
    judge: The first.
  - <<: *base
    id: two
    judge: The second.
  - <<: [{weight: 3}, *base]
    id: three
    judge: "The third?"
metadata: {levels: &l [1, 2], again: *l}
`
	doc := decoded(t, "", src, Options{})
	c := doc.Rubric.Criteria
	if c[1].ID != "two" || c[1].Weight.Value != 2 || !c[1].Required || c[1].Text != "The second." || c[2].Weight.Value != 3 || !c[2].Required {
		t.Errorf("%+v", c)
	}
	out, _, err := Encode(doc, "", "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode("", out, Options{})
	if err != nil || again.Rubric.Criteria[2].Text != "The third?" {
		t.Errorf("%v\n%s", err, out)
	}
}
