package dataset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

func TestReader_GeneratesIDs(t *testing.T) {
	one, two, same := `{"output":"x"}`, `{"output":"y"}`, `{ "output" : "x" }`
	a, bad, _ := read(t, one+"\n"+two+"\n"+same+"\n"+one, dataset.Options{})
	b, _, _ := read(t, one+"\n"+one+"\n"+two+"\n"+same, dataset.Options{})
	if bad != nil || len(a) != 4 || !a[0].Made {
		t.Fatalf("problems %v, cases %v", bad, ids(a))
	}
	x, y := slices.Sorted(slices.Values(ids(a))), slices.Sorted(slices.Values(ids(b)))
	if !slices.Equal(x, y) {
		t.Errorf("the order of rows changes made ids: %v, %v", x, y)
	}
	if a[2].ID != a[0].ID+"-2" || a[3].ID != a[0].ID+"-3" {
		t.Errorf("same rows: %v", ids(a))
	}
}

// TestReader_GeneratesTheSameIDsForOtherOutputs: runs of two models are paired by id.
func TestReader_GeneratesTheSameIDsForOtherOutputs(t *testing.T) {
	for _, tt := range []struct {
		rows string
		maps []dataset.Mapping
	}{
		{`{"input":"p","response":"%[1]s","n":1}` + "\n" + `{"input":"p","response":"%[1]s!","n":1}` + "\n" + `{"input":"p","response":"%[1]s","n":2}`, nil},
		{`{"input":"p","got":{"text":"%[1]s"}}`, []dataset.Mapping{{Field: "output", Path: "got.text"}}},
	} {
		var list [2][]string
		for i, output := range []string{"x", "y"} {
			cases, bad, _ := read(t, fmt.Sprintf(tt.rows, output), dataset.Options{Map: tt.maps})
			if bad != nil {
				t.Fatal(bad)
			}
			list[i] = ids(cases)
		}
		if a := list[0]; !slices.Equal(a, list[1]) || len(a) > 1 && (a[1] != a[0]+"-2" || a[2] == a[0]) {
			t.Errorf("%s: %v", tt.rows, list)
		}
	}
}

func TestReader_ReadsAPlainCase(t *testing.T) {
	text := `{"id":7,"question":"q","response":"r","reference":["r1","r2"],"expected":"e","contexts":["c"],"tags":{"k":"v","n":1},"cluster_id":"cl","metadata":{"lang":"en"},"extra":[1, 2]}`
	cases, bad, _ := read(t, text, dataset.Options{})
	if bad != nil {
		t.Fatal(bad)
	}
	c := cases[0]
	if c.ID != "7" || c.Input != "q" || c.Output != "r" || !c.HasOutput || c.Cluster != "cl" {
		t.Errorf("case %+v", c)
	}
	if diff := cmp.Diff([]string{"r1", "r2", "e"}, c.References); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"k": "v", "n": "1"}, c.Tags); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]string{"output": `"r"`, "response": `"r"`, "metadata.lang": `"en"`, "extra.1": "2", "extra.2": "", "none": "", "extra": "[1,2]", "metadata.lang.x": ""} {
		if got := string(c.Raw(path)); got != want {
			t.Errorf("Raw(%s) = %s, want %s", path, got, want)
		}
	}
	if got := c.Place(); got != `case "7" (in:1)` {
		t.Errorf("Place = %s", got)
	}
}

func TestReader_OwnNamesWinOverAliases(t *testing.T) {
	cases, _, _ := read(t, `{"completion":"2","candidate":"1","output":"0","id":"a"}`+"\n"+`{"completion":"2","candidate":"1","output":null,"id":"b"}`, dataset.Options{})
	if len(cases) != 2 || cases[0].Output != "0" || cases[1].Output != "1" || string(cases[1].Raw("output")) != `"1"` {
		t.Errorf("cases %+v", cases)
	}
}

func TestReader_FlattensNestedFields(t *testing.T) {
	tests := []struct{ name, row, input, output string }{
		{"text", `{"input":"q","output":"a"}`, "q", "a"},
		{"escapes", `{"input":"tab\there \\ \/ \"q\" \b\f\r","output":"\u00e9\ud83d\ude00\n"}`, "tab\there \\ / \"q\" \b\f\r", "é😀\n"},
		{"one message", `{"input":[{"role":"user","content":"q"}],"output":"a"}`, "q", "a"},
		{"a conversation", `{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}],"output":[{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"role":"tool","content":"t"}]}`, "system: s\n\nuser: q", "a"},
		{"messages in an object", `{"input":{"messages":[{"role":"user","content":"q"}]},"output":{"role":"assistant","content":"a"}}`, "q", "a"},
		{"content parts", `{"input":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"x"}}]}],"output":[{"type":"output_text","text":"a"},{"type":"text","text":"b"}]}`, "q\n[image_url]", "a\nb"},
		{"AgentV's parts", `{"input_messages":[{"role":"user","content":[{"type":"file","value":"f.txt"},{"type":"text","value":"q"}]}],"output":"a"}`, "[file] f.txt\nq", "a"},
		{"tool calls", `{"input":"q","output":[{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}]}`, "q", `[tool_calls] [{"id":"1"}]`},
		{"numbers and booleans", `{"input":1.50,"output":true}`, "1.50", "true"},
		{"an object", `{"input":{"a": 1},"output":{"role": "admin", "content": "x"}}`, `{"a":1}`, `{"role":"admin","content":"x"}`},
		{"a list of things", `{"input":[1, 2],"output":[{"type": "circle", "text": "x"}]}`, "[1,2]", `[{"type":"circle","text":"x"}]`},
		{"a list of strings stays a list", `{"input":"q","output":["a", "b"]}`, "q", `["a","b"]`},
		{"an empty list", `{"input":[],"output":[]}`, "[]", "[]"},
		{"a message without content is data", `{"input":"q","output":{"role":"user"}}`, "q", `{"role":"user"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases, bad, _ := read(t, tt.row, dataset.Options{Format: dataset.JSONL})
			if bad != nil {
				t.Fatal(bad)
			}
			if c := cases[0]; c.Input != tt.input || c.Output != tt.output {
				t.Errorf("input %q, output %q", c.Input, c.Output)
			}
		})
	}
}

func TestReader_CSVColumns(t *testing.T) {
	text := "id,output,metadata.lang,references,context,tags,input\n" +
		`a,"",en,"[""x"", ""y""]",plain,"team=a,fast","[1"` + "\n" + `b,"[1, 2]",,,,,` + "\n"
	cases, bad, _ := read(t, text, dataset.Options{Format: dataset.CSV})
	if bad != nil {
		t.Fatal(bad)
	}
	a, b := cases[0], cases[1]
	if !a.HasOutput || a.Output != "" {
		t.Errorf("a quoted empty cell is an empty output: %+v", a)
	}
	if string(a.Raw("metadata.lang")) != `"en"` || b.Raw("metadata.lang") != nil {
		t.Errorf("a column with dots: %s, %s", a.Raw("metadata.lang"), b.Raw("metadata.lang"))
	}
	if diff := cmp.Diff([]string{"x", "y"}, a.References); diff != "" || b.References != nil {
		t.Errorf("references %v: %s", b.References, diff)
	}
	if a.Tags["team"] != "a" || len(a.Tags) != 2 || a.Input != "[1" || b.Output != "[1, 2]" {
		t.Errorf("cases %+v, %+v", a, b)
	}
}

func TestReader_YAMLValues(t *testing.T) {
	text := `- {id: 1, output: yes, n: 0x10, f: 1.50, big: 123456789012345678901234567890, d: 2020-01-01, nil: ~, t: true, "3": three}
---
id: second
output: &o
  - a
again: *o
`
	cases, bad, _ := read(t, text, dataset.Options{Format: dataset.YAML})
	if bad != nil || len(cases) != 2 {
		t.Fatal(bad)
	}
	a := cases[0]
	for path, want := range map[string]string{"id": "1", "output": `"yes"`, "n": `"0x10"`, "f": "1.50", "big": "123456789012345678901234567890", "d": `"2020-01-01"`, "nil": "null", "t": "true", "3": `"three"`} {
		if got := string(a.Raw(path)); got != want {
			t.Errorf("%s = %s, want %s", path, got, want)
		}
	}
	if got := string(cases[1].Raw("again")); got != `["a"]` {
		t.Errorf("alias = %s", got)
	}
}

func TestReader_YAMLScalarsKeepTheirText(t *testing.T) {
	for _, literal := range strings.Fields("007 09 0123 0o17 0x1F 0b11 1_000 +5 .5 5. 1.10 1e3 1.5E+3 off True 2024-01-01 1:30") {
		text := fmt.Sprintf("- {id: %s, output: %[1]s, references: [%[1]s], input: %[1]s, answer: %[1]s}\n", literal)
		cases, bad, _ := read(t, text, dataset.Options{Format: dataset.YAML})
		if bad != nil {
			t.Errorf("%s: %v", literal, bad)
			continue
		}
		c := cases[0]
		answer, _ := c.Texts("answer")
		if c.ID != literal || c.Output != literal || c.Input != literal || c.References[0] != literal || answer[0] != literal {
			t.Errorf("%s: %+v, answer %q", literal, c, answer)
		}
	}
	cases, bad, _ := read(t, "- {output: {a: .5, b: +5, c: 007, d: True}, logprobs: [-.5, -1.]}\n", dataset.Options{Format: dataset.YAML})
	if bad != nil || cases[0].Output != `{"a":0.5,"b":5,"c":"007","d":true}` || string(cases[0].Raw("logprobs")) != "[-0.5,-1]" {
		t.Errorf("%+v, %v", cases, bad)
	}
}

func TestReader_ReadsQuestionMarksInYAML(t *testing.T) {
	text := "%YAML 1.2\n---\n# why?\n- {id: é, input: What is it?, output: http://a.example/?q=1}\n- {id: b, output: x?}\n---\nid: c\noutput: c?\n"
	cases, bad, _ := read(t, text, dataset.Options{Format: dataset.YAML})
	if bad != nil || len(cases) != 3 {
		t.Fatal(bad)
	}
	if a := cases[0]; a.ID != "é" || a.Input != "What is it?" || a.Output != "http://a.example/?q=1" || cases[1].Output != "x?" || cases[2].Output != "c?" {
		t.Errorf("%+v", cases)
	}
}

func TestParseMap_ReadsPairs(t *testing.T) {
	m := func(specs ...string) (out []dataset.Mapping) {
		for _, s := range specs {
			one, err := dataset.ParseMap(s)
			must(t, err)
			out = append(out, one)
		}
		return out
	}
	row := `{"id":"a","output":"old","input":"in","response":{"choices":[{"text":"new"}]}}`
	cases, bad, _ := read(t, row, dataset.Options{Map: m("output=response.choices.0.text", "input=output", "metadata=response")})
	if bad != nil || cases[0].Output != "new" || cases[0].Input != "old" || cases[0].Raw("metadata.choices") == nil {
		t.Errorf("problems %v, case %+v", bad, cases)
	}
	_, bad, totals := read(t, row, dataset.Options{Map: m("output=reply")})
	if len(bad) != 1 || !strings.Contains(bad[0].Message, "reply") {
		t.Errorf("a path that is not there: %v", bad)
	}
	if len(totals.Warnings) != 1 || totals.Warnings[0].Code != "map-unused" {
		t.Errorf("warnings %v", totals.Warnings)
	}
	for _, s := range []string{"", "x", "=y", "x="} {
		if _, err := dataset.ParseMap(s); !fault.Is(err, fault.Usage) {
			t.Errorf("ParseMap(%q): %v", s, err)
		}
	}
}

func TestReader_GivenRows(t *testing.T) {
	given := []dataset.Given{
		{Value: []byte(`{"id": "a", "input_messages": [{"role": "user", "content": "q"}]}`), Pos: diag.Pos{File: "e.yaml", Line: 90, Column: 3}, Rubric: "r1"},
		{Value: []byte(`{"id":"b"}`), Pos: diag.Pos{File: "e.yaml", Line: 120}},
	}
	outputs, err := dataset.ReadOutputs("o.json", strings.NewReader(`[{"id":"a","output":"answer"},{"id":"c","output":"stray"}]`), "")
	must(t, err)
	cases, bad, totals := read(t, `{"id":"a","output":"x"}`, dataset.Options{Given: given, Outputs: outputs})
	if len(cases) != 1 || cases[0].Output != "answer" || cases[0].Rubric != "r1" || cases[0].Input != "q" || cases[0].Line != 90 {
		t.Errorf("cases %+v", cases)
	}
	if len(bad) != 2 || bad[0].Code != "output-missing" || !strings.Contains(bad[0].Message, "o.json") || bad[0].Pos.Line != 120 {
		t.Errorf("problems %v", bad)
	}
	if bad[1].Code != "id-duplicate" || !strings.Contains(bad[1].Message, "row 1 of e.yaml") {
		t.Errorf("a duplicate of a given row: %v", bad[1])
	}
	if len(totals.Warnings) != 1 || !strings.Contains(totals.Warnings[0].Message, `"c"`) {
		t.Errorf("warnings %v", totals.Warnings)
	}
}

func TestFromJSON_CopiesItsInput(t *testing.T) {
	v := []byte(`{"id": "a", "m": {"k" : 1}}`)
	c, err := dataset.FromJSON(v, diag.Pos{File: "e.yaml", Line: 4})
	if err != nil || c.ID != "a" || c.HasOutput || c.Line != 4 {
		t.Fatalf("%+v, %v", c, err)
	}
	copy(v, strings.Repeat("#", len(v)))
	if got := string(c.Raw("m")); got != `{"k":1}` {
		t.Errorf("the case shares memory with its source: %s", got)
	}
	if _, err := dataset.FromJSON([]byte(`[]`), diag.Pos{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a list: %v", err)
	}
	if _, err := dataset.FromJSON([]byte(`{"id":{}}`), diag.Pos{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an id that is an object: %v", err)
	}
}
