package document

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// utf16 writes text as UTF-16 with its byte order mark.
func utf16(text string, big bool) []byte {
	out := []byte{0xFF, 0xFE}
	if big {
		out = []byte{0xFE, 0xFF}
	}
	for _, c := range []byte(text) {
		if big {
			out = append(out, 0, c)
		} else {
			out = append(out, c, 0)
		}
	}
	return out
}

// bomb is a list of aliases that stand for 9^n elements.
func bomb(n int) string {
	out := "a0: &a0 [x]\n"
	for i := range n {
		out += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	return out
}

func TestRead_RefusesHostileDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	longKey := strings.Repeat("k", 1<<20)
	tests := []struct {
		name, format string
		src          []byte
		code         string
	}{
		{"UTF-16, little end first", "", utf16("rubric: a", false), "encoding"},
		{"UTF-16, big end first", "", utf16("rubric: a", true), "encoding"},
		{"UTF-16 without its mark", "", utf16("rubric: a", true)[2:], "encoding"},
		{"a NUL byte", "", []byte("rubric: \x00"), "encoding"},
		{"invalid UTF-8", "", []byte("rubric: \xff\xfe"), "encoding"},
		{"a surrogate in UTF-8", "", []byte("rubric: \xed\xa0\x80"), "encoding"},
		{"a lone surrogate in JSON", JSON, []byte(`["\ud800"]`), "syntax"},
		{"a document that is too large", "", bytes.Repeat([]byte("# large\n"), MaxBytes/8+1), "too-large"},
		{"JSON 200 deep", JSON, []byte(deep(200)), "too-deep"},
		{"YAML 200 deep", YAML, []byte(deep(200)), "too-deep"},
		{"block YAML 200 deep", YAML, []byte(strings.Repeat("- ", 200) + "x"), "too-deep"},
		{"JSON a million deep", JSON, []byte(strings.Repeat("[", 1<<20)), "too-deep"},
		{"YAML a million deep", YAML, []byte(strings.Repeat("[", 1<<20)), "too-large"},
		{"YAML a hundred thousand deep", YAML, []byte(strings.Repeat("[", 100_000)), "syntax"},
		{"keys a hundred thousand deep", YAML, []byte(strings.Repeat("{a: ", 100_000)), "syntax"},
		{"a bomb of aliases", YAML, []byte(bomb(12)), "too-large"},
		{"a bomb of merge keys", YAML, []byte(strings.NewReplacer("[x]", "{x: y}", "[", "{<<: [", "]", "]}").Replace(bomb(12))), "too-large"},
		{"aliases of a long text", YAML, []byte("a: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a, ", 1000) + "*a]\n"), "too-large"},
		{"aliases of a long key", YAML, []byte("a: &a {? " + longKey + "\n : b}\nb: [" + strings.Repeat("*a, ", 1000) + "*a]\n"), "too-large"},
		{"an alias inside itself", YAML, []byte("criteria: &a [*a]"), "alias-loop"},
		{"two aliases inside each other", YAML, []byte("a: &a {b: &b {c: *a}}\nd: *b"), "alias-loop"},
		{"an alias of nothing", YAML, []byte("criteria: *nothing"), "syntax"},
		{"a merge of itself", YAML, []byte("rubric: &a {<<: *a}"), "alias-loop"},
		{"a merge of a number", YAML, []byte("{<<: 5}"), "merge"},
		{"millions of elements in JSON", JSON, []byte("[" + strings.Repeat("0,", 2<<20) + "0]"), "too-large"},
		{"millions of elements in YAML", YAML, []byte("[" + strings.Repeat("0,", 2<<20) + "0]"), "too-large"},
		{"two documents", YAML, []byte("rubric: a\n---\nrubric: b\n"), "many-documents"},
		{"a document and something else", YAML, []byte("rubric: a\n---\n{"), "syntax"},
		{"a tag for a program", YAML, []byte("rubric: !!python/object/apply:os.system [ls]"), "tag"},
		{"a tag of one's own", YAML, []byte("rubric: !secret a"), "tag"},
		{"a tag as long as the document", YAML, []byte("rubric: !" + longKey + " a"), "tag"},
		{"binary data", YAML, []byte("rubric: !!binary aGVsbG8="), "tag"},
		{"a set", YAML, []byte("criteria: !!set {a, b}"), "tag"},
		{"a word that is tagged a boolean", YAML, []byte("a: !!bool yes"), "tag"},
		{"a list for a key", YAML, []byte("? [a]\n: b\nrubric: x"), "key-type"},
		{"an alias of a list for a key", YAML, []byte("a: &a [b]\n*a : c"), "key-type"},
		{"a number for a key", YAML, []byte("1.5: b\nrubric: x"), "key-type"},
		{"a boolean for a key", YAML, []byte("true: b\nrubric: x"), "key-type"},
		{"a key twice", YAML, []byte("a: 1\nb: 2\na: 3"), "duplicate-key"},
		{"a key twice in JSON", JSON, []byte(`{"a": 1, "\u0061": 2}`), "duplicate-key"},
		{"a key twice among many", JSON, []byte("{" + manyKeys(100) + `"k99": 2}`), "duplicate-key"},
		{"a long key twice", JSON, []byte(`{"` + longKey + `": 1, "` + longKey + `": 2}`), "duplicate-key"},
		{"something behind the JSON", JSON, []byte("[] []"), "syntax"},
		{"JSON cut off", JSON, []byte(`{"rubric": "a`), "syntax"},
		{"YAML in a JSON file", JSON, []byte("rubric: a"), "syntax"},
		{"a format that is unknown", "toml", []byte("a = 1"), "format-unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := Read("f", tt.src, Options{Format: tt.format, MergeKeys: true})
			if fault.Of(doc.Problems.Err()) != fault.Invalid {
				t.Fatalf("%v", doc.Problems)
			}
			found := false
			for _, d := range doc.Problems {
				found = found || d.Code == tt.code
				if len(d.Message) > 500 || len(d.Hint) > 500 || len(d.Path) > 500 || d.Pos.File != "f" || d.Pos.Line < 1 && d.Code != "too-many" {
					t.Errorf("%d bytes of message, %d of hint, %d of path at %s", len(d.Message), len(d.Hint), len(d.Path), d.Pos)
				}
			}
			if !found {
				t.Errorf("no problem has code %q: %.600v", tt.code, doc.Problems)
			}
		})
	}
}

func manyKeys(n int) string {
	out := ""
	for i := range n {
		out += fmt.Sprintf(`"k%d": %d, `, i, i)
	}
	return out
}

func TestRead_BoundsProblems(t *testing.T) {
	doc := Read("", []byte("{"+strings.TrimSuffix(strings.Repeat("a: !x y, ", 10_000), ", ")+"}"), Options{Format: YAML})
	if n := len(doc.Problems); n != diag.Limit+1 || doc.Problems[n-1].Code != "too-many" || len(doc.Places) != diag.Limit {
		t.Errorf("%d problems, %d places", n, len(doc.Places))
	}
}

func TestRead_LimitsOfTheCaller(t *testing.T) {
	for _, format := range []string{JSON, YAML} {
		for _, tt := range []struct {
			name, src string
			most      Limits
			want      string
		}{
			{"in bytes", `["aaaa"]`, Limits{Bytes: 7}, "the manifest has 8 bytes; at most 7 are read"},
			{"in elements", `[1, 2, 3]`, Limits{Nodes: 3}, "the manifest has more than 3 elements"},
			{"in depth", `[[[1]]]`, Limits{Depth: 2}, "lists and objects nest more than 2 deep"},
		} {
			if doc := Read("", []byte(tt.src), Options{Format: format, Noun: "manifest", Limits: tt.most}); len(doc.Problems) != 1 || doc.Problems[0].Message != tt.want {
				t.Errorf("%s, %s: %v", format, tt.name, doc.Problems)
			}
			if doc := Read("", []byte(tt.src), Options{Format: format, Limits: Limits{Bytes: 9, Nodes: 4, Depth: 4}}); len(doc.Problems) > 0 {
				t.Errorf("%s, %s: %v", format, tt.name, doc.Problems)
			}
		}
	}
}

func TestRead_RefusesMergeKeysUnlessAllowed(t *testing.T) {
	src := []byte("a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: {\"<<\": 3}\n")
	doc := Read("f", src, Options{})
	if len(doc.Problems) != 1 || doc.Problems[0].String() != "f:2:5: error: merge keys are not supported [key-type]\n\thint: write the members themselves" || doc.Problems[0].Path != "b" {
		t.Errorf("%v", doc.Problems)
	}
	if doc.Root.Get("b").Has("x") || !doc.Root.Get("b").Has("y") || !doc.Root.Get("c").Has("<<") {
		t.Error("the rest is not there")
	}
	if doc := Read("f", src, Options{MergeKeys: true}); len(doc.Problems) > 0 || doc.Root.Get("b").Get("x").Value != "1" {
		t.Errorf("%v", doc.Problems)
	}
}
