package document_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

func textNode(s string) *document.Node { return &document.Node{Kind: document.Text, Value: s} }

// added is the value that the tests write.
func added() *document.Node {
	item := (&document.Node{Kind: document.Object}).Put("id", textNode("a")).Put("text", textNode("first\nsecond: #3"))
	return &document.Node{Kind: document.List, Items: []*document.Node{item}}
}

func edit(t *testing.T, file, src string, edits func(root *document.Node) []document.Edit) (string, error) {
	t.Helper()
	d := document.Read(file, []byte(src), document.Options{})
	if len(d.Problems) > 0 {
		t.Fatalf("%v\n%s", d.Problems, src)
	}
	out, err := d.Edit(edits(d.Root))
	return string(out), err
}

// everyCase adds the member new to each item of the member cases.
func everyCase(root *document.Node) (list []document.Edit) {
	for _, item := range root.Get("cases").Items {
		list = append(list, document.Edit{Object: item, Key: "new", Value: added()})
	}
	return list
}

func TestEdit_AddsMembers(t *testing.T) {
	for name, c := range map[string]struct{ file, src, want string }{
		"block": {
			"a.yaml", "# head\ncases:\n  - id: a   # one\n    text: x\n\n  # two\n  - id: b\n    # last of b\n# tail\n",
			"# head\ncases:\n  - id: a   # one\n    text: x\n    new:\n      - id: a\n        text: |-\n          first\n          second: #3\n\n  # two\n  - id: b\n    # last of b\n    new:\n      - id: a\n        text: |-\n          first\n          second: #3\n# tail\n",
		},
		"block text that ends like a comment": {
			"a.yaml", "cases:\n- id: a\n  text: |\n    x\n    # no comment\nmore: 1",
			"cases:\n- id: a\n  text: |\n    x\n    # no comment\n  new:\n    - id: a\n      text: |-\n        first\n        second: #3\nmore: 1",
		},
		"no line break at the end, CRLF, byte order mark": {
			"a.yaml", "\uFEFFcases:\r\n- id: a\r\n  text: x",
			"\uFEFFcases:\r\n- id: a\r\n  text: x\r\n  new:\r\n    - id: a\r\n      text: |-\r\n        first\r\n        second: #3",
		},
		"JSON": {
			"a.json", "{\n  \"cases\": [\n    {\"id\": \"a\", \"text\": \"x\"},\n    {\n      \"id\": \"b\"\n    }\n  ]\n}\n",
			"{\n  \"cases\": [\n    {\"id\": \"a\", \"text\": \"x\", \"new\": [{\"id\":\"a\",\"text\":\"first\\nsecond: #3\"}]},\n    {\n      \"id\": \"b\",\n      \"new\": [\n        {\n          \"id\": \"a\",\n          \"text\": \"first\\nsecond: #3\"\n        }\n      ]\n    }\n  ]\n}\n",
		},
		"flow": {
			"a.yaml", "cases:\n  - {id: a, text: x} # why\n",
			"cases:\n  - {id: a, \"new\": [{\"id\":\"a\",\"text\":\"first\\nsecond: #3\"}], text: x} # why\n",
		},
		"flow of which the last value begins like a number": {
			"a.yaml", "cases:\n  - {id: a, text: 10 apples}\n",
			"cases:\n  - {id: a, \"new\": [{\"id\":\"a\",\"text\":\"first\\nsecond: #3\"}], text: 10 apples}\n",
		},
		"flow with a comma at the end": {
			"a.yaml", "cases:\n  - {id: a, n: 1 , }\n",
			"cases:\n  - {id: a, n: 1, \"new\": [{\"id\":\"a\",\"text\":\"first\\nsecond: #3\"}] , }\n",
		},
		"a block text that keeps its line breaks, and a member behind it": {
			"a.yaml", "cases:\n- id: a\n  text: |+\n    x\n\n  n: 1\n",
			"cases:\n- id: a\n  text: |+\n    x\n\n  n: 1\n  new:\n    - id: a\n      text: |-\n        first\n        second: #3\n",
		},
		"the end of the document": {
			"a.yaml", "cases:\n- id: a\n# b\n...\n",
			"cases:\n- id: a\n  new:\n    - id: a\n      text: |-\n        first\n        second: #3\n# b\n...\n",
		},
		"the deepest value ends a nested list": {
			"a.yaml", "cases:\n  - id: a\n    list:\n      - x:\n          y: 1\nz: 2\n",
			"cases:\n  - id: a\n    list:\n      - x:\n          y: 1\n    new:\n      - id: a\n        text: |-\n          first\n          second: #3\nz: 2\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := edit(t, c.file, c.src, everyCase)
			if err != nil || got != c.want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestEdit_ReplacesMembers(t *testing.T) {
	set := func(root *document.Node) []document.Edit {
		return []document.Edit{{Object: root.Get("cases").Items[0], Key: "b", Value: textNode("new")}}
	}
	for src, want := range map[string]string{
		"cases:\n- a: 1\n  # of b\n  b: >-\n    long\n    text\n\n  # of c\n  c: 3\n": "cases:\n- a: 1\n  # of b\n  b: new\n\n  # of c\n  c: 3\n",
		"cases:\n- b: old # why\n  c: 3\n":                                            "cases:\n- b: new # why\n  c: 3\n",
		"cases:\n- a: 1\n  b: []":                                                     "cases:\n- a: 1\n  b: new",
		"cases:\n- a: 1\n  b:\n  - x\n  - y\n# end\n":                                 "cases:\n- a: 1\n  b: new\n# end\n",
		"{\"cases\": [{\"a\": 1, \"b\": [1, {\"x\": \"]\"}], \"c\": 2}]}":             "{\"cases\": [{\"a\": 1, \"b\": \"new\", \"c\": 2}]}",
		"cases:\n- {\"a\": 1, \"b\": \"old\"}\n":                                      "cases:\n- {\"a\": 1, \"b\": \"new\"}\n",
	} {
		file := "a.yaml"
		if strings.HasPrefix(src, "{") {
			file = "a.json"
		}
		if got, err := edit(t, file, src, set); err != nil || got != want {
			t.Errorf("%v\n%s\nbecomes\n%s", err, src, got)
		}
	}
}

func TestEdit_Refuses(t *testing.T) {
	for name, src := range map[string]string{
		"an object that an alias repeats":        "cases:\n  - &c\n    id: a\n  - *c\n",
		"an end in line breaks of a block text":  "cases:\n  - id: a\n    text: |+\n      x\n\n\n  - id: b\n",
		"a plain scalar that is the only member": "cases:\n  - {id: a}\n",
	} {
		_, err := edit(t, "a.yaml", src, everyCase)
		if fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), "a.yaml:2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A property: whatever stands in an eval file, every line of it is still there, in
// order, and the values have not changed.
func TestEdit_KeepsEveryByte(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src := drawYAML(rt)
		d := document.Read("a.yaml", []byte(src), document.Options{})
		if len(d.Problems) > 0 {
			rt.Skip("not a document")
		}
		out, err := d.Edit(everyCase(d.Root))
		if err != nil {
			rt.Fatalf("%v\n%s", err, src)
		}
		rest := string(out)
		for line := range strings.Lines(src) {
			_, after, found := strings.Cut(rest, line)
			if !found {
				rt.Fatalf("the line %q is gone\n%s\n---\n%s", line, src, out)
			}
			rest = after
		}
		again := document.Read("a.yaml", out, document.Options{})
		for i, item := range again.Root.Get("cases").Items {
			if len(item.Get("new").Items) != 1 || item.Get("id").Value != fmt.Sprint("c", i) {
				rt.Fatalf("case %d: %v", i, item)
			}
		}
	})
}

// drawYAML draws an eval file as people write them: comments, blank lines, block
// texts, nested values.
func drawYAML(rt *rapid.T) string {
	var b strings.Builder
	noise := func(indent string) {
		b.WriteString(rapid.SampledFrom([]string{"", "", "\n", indent + "# note\n", "# left\n", "\n" + indent + "# a\n\n"}).Draw(rt, "noise"))
	}
	dash := rapid.SampledFrom([]string{"- ", "  - ", "  -   "}).Draw(rt, "dash")
	keys := strings.Repeat(" ", len(dash))
	noise("")
	b.WriteString("name: x\ncases:\n")
	for i := range rapid.IntRange(1, 4).Draw(rt, "cases") {
		noise(strings.Repeat(" ", strings.Index(dash, "-")))
		fmt.Fprintf(&b, "%sid: c%d\n", dash, i)
		for k := range rapid.IntRange(0, 3).Draw(rt, "keys") {
			noise(keys)
			value := rapid.SampledFrom([]string{
				" plain", " 'quoted # no'  # yes", " |\n" + keys + "  one\n" + keys + "  # no comment\n\n" + keys + "  two", " >-\n" + keys + "  folded\n" + keys + "  # text",
				"\n" + keys + "- role: user\n" + keys + "  content: hi", " {a: 1, b: [2, 3]}", " \"a\n" + keys + "   b\"", "",
			}).Draw(rt, "value")
			fmt.Fprintf(&b, "%sk%d:%s\n", keys, k, value)
		}
	}
	noise("")
	if rapid.Bool().Draw(rt, "tail") {
		b.WriteString("tail: 1\n")
	}
	return b.String()
}
