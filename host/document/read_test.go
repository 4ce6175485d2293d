package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
)

// show writes a tree in a line: texts in quotes, literals as they are.
func show(n *Node) string {
	switch n.Kind {
	case Text:
		return fmt.Sprintf("%q", n.Value)
	case List:
		var items []string
		for _, item := range n.Items {
			items = append(items, show(item))
		}
		return "[" + strings.Join(items, " ") + "]"
	case Object:
		var members []string
		for _, m := range n.Members {
			members = append(members, m.Key+":"+show(m.Value))
		}
		return "{" + strings.Join(members, " ") + "}"
	case Null:
		return "null"
	case Invalid:
		return "invalid"
	}
	return n.Value
}

func TestRead_ReturnsATree(t *testing.T) {
	tests := []struct{ name, format, src, want string }{
		{"JSON", JSON, `{"a": [1, -2.50e3, true, null, "é\n"], "b": {}}`, `{a:[1 -2.50e3 true null "é\n"] b:{}}`},
		{"the same in YAML", YAML, "a:\n- 1\n- -2.50e3\n- true\n- ~\n- \"é\\n\"\nb: {}\n", `{a:[1 -2.50e3 true null "é\n"] b:{}}`},
		{"a single value", JSON, `5`, `5`},
		{"literals stay as they are written", YAML, "[0x10, 010, 1_000, .5, +1, 1., .inf, 12345678901234567890123, 1e999]", "[0x10 010 1_000 .5 +1 1. .inf 12345678901234567890123 1e999]"},
		{"booleans are those of YAML 1.2", YAML, "[true, False, TRUE, yes, on, y]", `[true false true "yes" "on" "y"]`},
		{"dates are text", YAML, "[2024-01-01, 2001-12-14t21:59:43.10-05:00]", `["2024-01-01" "2001-12-14t21:59:43.10-05:00"]`},
		{"tags that JSON has a word for", YAML, `[!!str 5, !!int "5", !!map {a: !!null ''}, !!seq []]`, `["5" 5 {a:null} []]`},
		{"keys that look like numbers", YAML, "{1: a, 0x2: b, \"3\": c, 2024-01-01: d}", `{1:"a" 0x2:"b" 3:"c" 2024-01-01:"d"}`},
		{"aliases", YAML, "a: &a [1, &b {c: 2}]\nd: [*a, *b]\n&k e: f\ng: {*k : h}", `{a:[1 {c:2}] d:[[1 {c:2}] {c:2}] e:"f" g:{e:"h"}}`},
		{"merge keys bring what is not written", YAML, "- &a {x: 1, y: 2}\n- {<<: [{y: 3}, *a], x: 4, z: 5}", "[{x:1 y:2} {x:4 z:5 y:3}]"},
		{"a byte order mark", YAML, "\xEF\xBB\xBFa: b", `{a:"b"}`},
		{"a directive and document marks", YAML, "%YAML 1.2\n---\na: b\n...\n", `{a:"b"}`},
		{"lines as Windows ends them", YAML, "a: |\r\n  one\r\n  two\r\nb: c\r\n", `{a:"one\ntwo\n" b:"c"}`},
		{"a problem leaves the rest", YAML, "{a: !x y, b: [1, !!set {c}], d: 1, d: 2, ? [e] : f}", "{a:invalid b:[1 invalid] d:1}"},
		{"a second document leaves the first", YAML, "a: b\n---\nc: d\n", `{a:"b"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := Read("", []byte(tt.src), Options{Format: tt.format, MergeKeys: true})
			if doc.Root == nil {
				t.Fatal(doc.Problems)
			}
			if got := show(doc.Root); got != tt.want {
				t.Errorf("%s\nwant %s\n%v", got, tt.want, doc.Problems)
			}
		})
	}
}

func TestRead_EmptyDocumentHasNoRoot(t *testing.T) {
	for _, src := range []string{"", " \n\t\r\n", "\xEF\xBB\xBF", "# nothing\n", "%YAML 1.2\n", "\n\n# a\n# b\n"} {
		if doc := Read("", []byte(src), Options{}); doc.Root != nil || len(doc.Problems) > 0 && src != "%YAML 1.2\n" {
			t.Errorf("%q: %v %v", src, doc.Root, doc.Problems)
		}
	}
}

func TestRead_QuestionMarksAreText(t *testing.T) {
	for src, want := range map[string]string{
		"{r: What is it?}":                       "What is it?",
		"{r: What? Why?, }":                      "What? Why?",
		"{r: http://a.example/?q=1&b=?}":         "http://a.example/?q=1&b=?",
		"r: >-\n    a?\n    b?":                  "a? b?",
		"{r: \"a?\\n?\"}":                        "a?\n?",
		"? x\n: 1\n? r\n: c?":                    "c?",
		"{r: \ue000?\ue001}":                     "\ue000?\ue001",
		"{x: &a b?, r: *a }":                     "b?",
		"{r: " + strings.Repeat("é?", 600) + "}": strings.Repeat("é?", 600),
		"# really?\nr: a? # why?":                "a?",
	} {
		doc := Read("", []byte(src), Options{Format: YAML})
		if doc.Root.Get("r") == nil || doc.Root.Get("r").Value != want {
			t.Errorf("%q: %v, want %q", src, doc.Problems, want)
		}
	}
	used := "\"" // a text that uses every character that could stand in
	for r := rune(0xE000); r <= 0xF8FF; r++ {
		used += string(r)
	}
	if doc := Read("", []byte(used+"?\""), Options{Format: YAML}); doc.Root == nil || doc.Root.Value != used[1:]+"?" {
		t.Errorf("%v", doc.Problems)
	}
	if doc := Read("", []byte(strings.Replace(used, "\uE123", "", 1)+"?\""), Options{Format: YAML}); doc.Root == nil || !strings.HasSuffix(doc.Root.Value, "?") {
		t.Errorf("%v", doc.Problems)
	}
}

func TestRead_KeepsCommentsWithTheirElements(t *testing.T) {
	doc := Read("", []byte("# top?\n\n# of a\na: 1 # one\nb: 2\n# end\n"), Options{})
	a := doc.Root.Members[0]
	if doc.Root.Comments == nil || doc.Root.Comments.Head != "# top?" || a.Comments == nil || a.Comments.Head != "# of a" || a.Value.Comments == nil || a.Value.Comments.Line != "# one" {
		t.Errorf("%+v %+v %+v", doc.Root.Comments, a.Comments, a.Value.Comments)
	}
}

func TestRead_DetectsTheFormat(t *testing.T) {
	json, yaml := `[{"weight": 1, "requirement": "a"}]`, "- {weight: 1, requirement: a}"
	flow := "[{weight: 1, requirement: a}]"
	tests := []struct{ name, file, src, want string }{
		{"JSON without a name", "", json, JSON},
		{"YAML without a name", "", yaml, YAML},
		{"JSON in a .json file", "a.json", json, JSON},
		{"YAML in a .json file is refused", "a.json", yaml, ""},
		{"YAML braces without a name are taken for JSON, and refused", "", flow, ""},
		{"YAML braces in a .yaml file", "a.yaml", flow, YAML},
		{"JSON in a .yaml file is read as JSON", "a.YML", json, JSON},
		{"JSON with a trailing comma in a .yaml file is YAML", "a.yml", `[{"weight": 1, "requirement": "a",}]`, YAML},
		{"another extension says nothing", "a.rubric", json, JSON},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := Read(tt.file, []byte(tt.src), Options{})
			switch {
			case tt.want == "" && len(doc.Problems) == 0:
				t.Errorf("read as %s", doc.Format)
			case tt.want != "" && (len(doc.Problems) > 0 || doc.Format != tt.want):
				t.Errorf("%s: %v", doc.Format, doc.Problems)
			}
		})
	}
	if doc := Read("a.json", []byte(yaml), Options{Format: YAML}); len(doc.Problems) > 0 {
		t.Errorf("the format that is asked for outweighs the name: %v", doc.Problems)
	}
}

func TestRead_PlacesProblems(t *testing.T) {
	tests := []struct{ name, format, src, want string }{
		{"a key twice", YAML, "a:\n- {b: 1, c: 2, b: 3}\n", `f:2:16 a[0].b: the key "b" is written twice, first on line 2 | remove one of the two`},
		{"a key twice in JSON", JSON, "{\"a\": [\n{\"é\": 1, \"é\": 2}]}", `f:2:11 a[0].é: the key "é" is written twice, first on line 2 | remove one of the two`},
		{"a tag", YAML, "é: {é: !x y}", "f:1:10 é.é: the tag !x is not understood | remove the tag"},
		{"behind a byte order mark", YAML, "\xEF\xBB\xBFa: !x y", "f:1:7 a: the tag !x is not understood | remove the tag"},
		{"in JSON behind a byte order mark", JSON, "\xEF\xBB\xBF[x]", "f:1:5 : not JSON: invalid character 'x' at start of value | "},
		{"behind a line that only YAML ends", YAML, "a: b\u2028c: !x y\n", "f:1:11 c: the tag !x is not understood | remove the tag"},
		{"behind a line that ends as on old Macs", YAML, "a: b\rc: 1\rc: 2\n", `f:1:11 c: the key "c" is written twice, first on line 1 | remove one of the two`},
		{"a colon without a key", YAML, "a: {b: c}\n: d", `f:2:1 : a key is missing | write it before the colon`},
		{"a key that is a number", YAML, "a: {1.5: b}", `f:1:5 a: the key 1.5 is not text | quote it: "1.5"`},
		{"an alias in itself", YAML, "a: [0, &a {b: *a}]", "f:1:15 a[1].b.b: the alias *a refers to itself | write the value out"},
		{"a tab", YAML, "a: b\nc:\n\t- d\n", "f:3:1 : not YAML: found character that cannot start any token | indent with spaces; YAML takes no tabs"},
		{"a colon in text", YAML, "a: b\nc: d: e\n", `f:2:1 : not YAML: mapping values are not allowed in this context | quote text that holds ": "`},
		{"a key too far right", YAML, "a:\n  - b: 1\n     c: 2\n", "f:3:1 : not YAML: mapping values are not allowed in this context | line 3 is indented by 5 spaces: align it with the keys that it belongs to"},
		{"a key too far left", YAML, "a:\n  - b: 1\n    c: 2\n   d: 3\n", "f:4:1 : not YAML: did not find expected '-' indicator | line 4 is indented by 3 spaces: align it with the keys that it belongs to"},
		{"a colon in text of a list", YAML, "a:\n  - b: 1\n    c: d: e\n", `f:3:1 : not YAML: mapping values are not allowed in this context | quote text that holds ": "`},
		{"an alias of nothing", YAML, "a: *b", "f:1:1 : not YAML: unknown anchor 'b' referenced | "},
		{"a trailing comma in JSON", JSON, "[1,]", "f:1:3 : not JSON: invalid character ',' at start of value | remove the comma; JSON has no trailing commas"},
		{"a comment in JSON", JSON, "[\n// one\n]", "f:2:1 : not JSON: invalid character '/' at start of value | remove the comment; JSON has none. YAML has"},
		{"single quotes in JSON", JSON, "['a']", "f:1:2 : not JSON: invalid character '\\'' at start of value | use double quotes"},
		{"NaN in JSON", JSON, `{"a": NaN}`, "f:1:7 : not JSON: invalid character 'N' at start of value | write a finite decimal number such as 0.5"},
		{"JSON that ends early", JSON, "{\"a\": [1\n\n", "f:1:9 : not JSON: the document ends too early | close what is open: a brace, a bracket or a quote"},
		{"a NUL", YAML, "a: b\nc: \x00", "f:2:4 : the document holds a NUL byte | save it as UTF-8 text"},
		{"invalid UTF-8", YAML, "a: é\nc: é\xC3(", "f:2:6 : the document is not valid UTF-8: byte 0xc3 | save it as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := Read("f", []byte(tt.src), Options{Format: tt.format})
			if len(doc.Problems) != 1 {
				t.Fatal(doc.Problems)
			}
			d := doc.Problems[0]
			if got := fmt.Sprintf("%s %s: %s | %s", d.Pos, d.Path, d.Message, d.Hint); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if doc.Pos(doc.Places[0]) != d.Pos {
				t.Error("its place is another")
			}
		})
	}
}

// TestSource_PlacesAreThoseOfTheText holds every scalar of a document to the text that
// stands at its place.
func TestSource_PlacesAreThoseOfTheText(t *testing.T) {
	for format, src := range map[string]string{
		YAML: "\xEF\xBB\xBFé: [漢字, \"🚢\", {ключ: значение}]\r\nlist:\n  - a # é\n  - 'é'\n  -   é: 1.5\n\u0085x: [\u2028 é, b]\rz: w\n",
		JSON: "\xEF\xBB\xBF{\"é\": [\"漢字\", \"🚢\",\r\n {\"ключ\" : \"значение\"}]\n,\"x\": 1.5}",
	} {
		doc := Read("", []byte(src), Options{Format: format})
		if len(doc.Problems) > 0 {
			t.Fatal(doc.Problems)
		}
		lines := strings.Split(src, "\n")
		seen := 0
		check := func(at Place, value string) {
			seen++
			p := doc.Pos(at)
			rest := strings.TrimLeft(lines[p.Line-1][p.Column-1:], `"'`)
			if !strings.HasPrefix(rest, value) || doc.Line(at) != p.Line {
				t.Errorf("%s: %q at %s: %q", format, value, p, rest)
			}
		}
		walk(doc.Root, func(n *Node) {
			if n.Kind != List && n.Kind != Object {
				check(n.At, n.Value)
			}
			for _, m := range n.Members {
				check(m.At, m.Key)
			}
		})
		if seen < 7 {
			t.Errorf("only %d places", seen)
		}
	}
}

// TestSource_PlacesOnALongLineAreFast would take hours if it were.
func TestSource_PlacesOnALongLineAreFast(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const n = 100_000
	doc := Read("", []byte("# \u2028\n[é, "+strings.Repeat("{a: é}, ", n)+"z]\n"), Options{Format: YAML})
	if len(doc.Problems) > 0 {
		t.Fatal(doc.Problems)
	}
	items := doc.Root.Items
	for i := range items { // back and forth
		item := items[(i*7919)%len(items)]
		if got, want := doc.Pos(item.At), 2+len("é")+2+(i*7919%len(items)-1)*len("{a: é}, "); i*7919%len(items) > 0 && (got.Line != 2 || got.Column != want) || doc.Line(item.At) != 2 {
			t.Fatalf("item %d at %v, want column %d", i, got, want)
		}
	}
	twice := Read("", []byte("{"+strings.Repeat("a: é, ", n)+"b: c\u0085}"), Options{Format: YAML})
	if len(twice.Problems) != diag.Limit+1 || twice.Problems[0].Code != "duplicate-key" {
		t.Errorf("%d problems", len(twice.Problems))
	}
}

// walk visits a node and all below it.
func walk(n *Node, visit func(*Node)) {
	visit(n)
	for _, item := range n.Items {
		walk(item, visit)
	}
	for _, m := range n.Members {
		walk(m.Value, visit)
	}
}

func TestJoin_PathsStopGrowing(t *testing.T) {
	path := ""
	for range 1000 {
		path = Index(Join(path, strings.Repeat("é", 1000)), 5)
	}
	if len(path) > longPath+100 || !strings.HasSuffix(path, "]") && !strings.HasSuffix(path, "…") {
		t.Errorf("%d bytes: %s", len(path), path)
	}
}

// TestJSONNumber_NumbersOfJSONStayAsTheyAre tries all short texts of the characters that count, and compares numbers of JSON with the pattern.
func TestJSONNumber_NumbersOfJSONStayAsTheyAre(t *testing.T) {
	for _, s := range texts("-+01.eE \n_x", 5) {
		is, ok := JSONNumber(s)
		if want, number := yamlNumber(s); is != want || ok != number {
			t.Fatalf("%q is %q, %t; by the pattern %q, %t", s, is, ok, want, number)
		}
	}
}

// texts returns all texts of some characters, up to a length.
func texts(of string, length int) []string {
	all := []string{""}
	for from := 0; length > 0; length-- {
		end := len(all)
		for _, s := range all[from:end] {
			for _, c := range of {
				all = append(all, s+string(c))
			}
		}
		from = end
	}
	return all
}
