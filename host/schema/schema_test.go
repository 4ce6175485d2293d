package schema

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer/scorertest"
)

func mustCompile(tb testing.TB, text string) *Schema {
	tb.Helper()
	s, err := Compile(jsontext.Value(text))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func caseOf(tb testing.TB, row string) *dataset.Case {
	tb.Helper()
	c, err := dataset.FromJSON(jsontext.Value(row), diag.Pos{})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func criterion(a rubric.Answer) (*rubric.Rubric, *rubric.Criterion) {
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{{ID: "shape", Answer: a}}}
	return r, &r.Criteria[0]
}

func score(tb testing.TB, schema, row string) (rubric.Verdict, error) {
	tb.Helper()
	r, c := criterion(rubric.Answer{})
	s, err := New(r, c, mustCompile(tb, schema), "sha256:00")
	if err != nil {
		tb.Fatal(err)
	}
	v, err := s.Score(tb.Context(), caseOf(tb, row))
	if err != nil {
		return rubric.Verdict{}, err
	}
	return v[0], nil
}

func TestScore_ValidOrNot(t *testing.T) {
	const answer = `{"type":"object","required":["answer","sources"],"properties":{"answer":{"type":"string","minLength":1},"sources":{"type":"array","items":{"type":"string"},"minItems":1}},"additionalProperties":false}`
	tests := []struct {
		name, schema, row string
		wrong             []string // nil: valid
	}{
		{"an object", answer, `{"output":{"answer":"a","sources":["s"]}}`, nil},
		{"an object in text", answer, `{"output":" {\"answer\":\"a\",\"sources\":[\"s\"]}\n"}`, nil},
		{"what is missing", answer, `{"output":{"answer":""}}`, []string{"/answer: length must be >= 1, but got 0", "missing properties: 'sources'"}},
		{"every wrong place, sorted", answer, `{"output":{"answer":1,"sources":[1,"s",{}],"z":1,"b":1,"a b/c":1}}`, []string{
			"/answer: expected string, but got number", "/sources/0: expected string, but got number", "/sources/2: expected string, but got object",
			"additionalProperties 'a b/c', 'b', 'z' not allowed"}},
		{"a place whose name is escaped", `{"additionalProperties":{"type":"string"}}`, `{"output":{"a b/c~d":1,"é":2}}`,
			[]string{"/a b~1c~0d: expected string, but got number", "/é: expected string, but got number"}},
		{"text that is not JSON is a string", `{"type":"string","maxLength":3}`, `{"output":"abc"}`, nil},
		{"text that is not JSON, and no object", answer, `{"output":"{\"answer\": \"a\",}"}`, []string{
			"the text is not JSON: invalid character ',' at start of value after offset 14", "expected object, but got string"}},
		{"text with a member twice", answer, `{"output":"{\"answer\":1,\"answer\":2}"}`, []string{
			`the text is not JSON: duplicate object member name "answer"`, "expected object, but got string"}},
		{"text with something behind the JSON", `{"type":"object"}`, `{"output":"{} {}"}`, []string{
			`the text is not JSON: something follows the value`, "expected object, but got string"}},
		{"text in a fence", `{"type":"object"}`, "{\"output\":\"```json\\n{}\\n```\"}", []string{
			"the text is not JSON: invalid character '`' at start of value", "expected object, but got string"}},
		{"empty text", `{"type":"object"}`, `{"output":""}`, []string{"the text is not JSON: unexpected EOF", "expected object, but got string"}},
		{"text that is a number", `{"type":"number"}`, `{"output":"42"}`, nil},
		{"text that is a number, where texts are wanted", `{"type":"string","maxLength":80}`, `{"output":"1975"}`, nil},
		{"text that is an object, where texts are wanted", `{"type":"string"}`, `{"output":"{}"}`, nil},
		{"text that is a JSON string, where texts are wanted", `{"type":"string","maxLength":2}`, `{"output":"\"ab\""}`, nil},
		{"an output that is a number, where texts are wanted", `{"type":"string"}`, `{"output":1975}`, []string{"expected string, but got number"}},
		{"text that is a number, of some texts", `{"enum":["1","2"]}`, `{"output":"2"}`, nil},
		{"text that is a number, of texts and numbers", `{"enum":[1,"2"]}`, `{"output":"1"}`, nil},
		{"text that is a number, for one text", `{"const":"2"}`, `{"output":"3"}`, []string{`value must be "2"`}},
		{"text that is null", `{"type":"null"}`, `{"output":"null"}`, nil},
		{"an output that is a list", `{"type":"array"}`, `{"output":[1]}`, nil},
		{"an output that is a number", `{"minimum":5}`, `{"output":4}`, []string{"must be >= 5 but found 4"}},
		{"no output: the case", `{"required":["input","extra"]}`, `{"input":"q","extra":null}`, nil},
		{"an output that is null: the case", `{"required":["nothing"]}`, `{"input":"q","output":null}`, []string{"missing properties: 'nothing'"}},

		{"a big integer is exact", `{"const":12345678901234567890}`, `{"output":12345678901234567890}`, nil},
		{"a big integer, one off", `{"const":12345678901234567890}`, `{"output":12345678901234567891}`, []string{"value must be 12345678901234567890"}},
		{"a big integer in text", `{"type":"integer","maximum":9007199254740993}`, `{"output":"9007199254740993"}`, nil},
		{"a big integer beyond", `{"maximum":9007199254740992}`, `{"output":"9007199254740993"}`, []string{"must be <= 9007199254740992 but found 9007199254740993"}},
		{"a big integer in the case", `{"properties":{"n":{"const":12345678901234567890}}}`, `{"n":12345678901234567890}`, nil},
		{"a multiple in decimals", `{"multipleOf":0.01}`, `{"output":4.35}`, nil},
		{"a whole number in scientific notation", `{"type":"integer"}`, `{"output":1e3}`, nil},

		{"a reference within", `{"$defs":{"a":{"type":"string"}},"items":{"$ref":"#/$defs/a"}}`, `{"output":["a",1]}`, []string{"/1: expected string, but got number"}},
		{"a schema that recurs", `{"type":"object","properties":{"child":{"$ref":"#"}},"additionalProperties":false}`, `{"output":{"child":{"child":{"x":1}}}}`, []string{"/child/child: additionalProperties 'x' not allowed"}},
		{"a reference to the schema of schemas", `{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"output":{"type":"strin"}}`,
			[]string{`/type: expected array, but got string`, `/type: value must be one of "array", "boolean", "integer", "null", "number", "object", "string"`}},
		{"draft 2020-12 unless it says otherwise", `{"prefixItems":[{"type":"string"}]}`, `{"output":[1]}`, []string{"/0: expected string, but got number"}},
		{"draft 7 where it says so", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}`, `{"output":[1]}`, []string{"/0: expected string, but got number"}},
		{"a format is a remark", `{"format":"date"}`, `{"output":"yesterday"}`, nil},
		{"a format in draft 7 counts", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"date"}`, `{"output":"yesterday"}`,
			[]string{"the text is not JSON: invalid character 'y' at start of value", "'yesterday' is not valid 'date'"}},
		{"everything", `true`, `{"output":1}`, nil},
		{"nothing", `false`, `{"output":1}`, []string{"not allowed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := score(t, tt.schema, tt.row)
			if err != nil {
				t.Fatal(err)
			}
			want := rubric.Verdict{Criterion: "shape", Status: rubric.Scored, Native: rubric.MetIs(tt.wrong == nil), Reason: "the output is not valid", How: rubric.How{By: "schema", Digest: "sha256:00"}}
			if tt.wrong == nil {
				want.Value, want.Reason = 1, "the output is valid"
			}
			for _, w := range tt.wrong {
				want.Evidence = append(want.Evidence, rubric.Evidence{Field: "output", Text: w})
			}
			if d := cmp.Diff(want, v); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestScore_TakesTheEndsOfTheCriterion(t *testing.T) {
	tests := []struct {
		name         string
		answer       rubric.Answer
		valid, wrong rubric.Native
		high, low    float64
	}{
		{"met or not", rubric.Answer{}, rubric.MetIs(true), rubric.MetIs(false), 1, 0},
		{"levels in any order", rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "ok", Score: 0.5}, {ID: "best", Score: 0.9}, {ID: "bad", Score: 0.1}}},
			rubric.LevelIs("best"), rubric.LevelIs("bad"), 0.9, 0.1},
		{"levels worth the same", rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "a"}, {ID: "b"}, {ID: "c", Score: 1}, {ID: "d", Score: 1}}},
			rubric.LevelIs("d"), rubric.LevelIs("a"), 1, 0},
		{"one level", rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "a", Score: 0.4}}}, rubric.LevelIs("a"), rubric.LevelIs("a"), 0.4, 0.4},
		{"a scale", rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 1, Max: 5, Discrete: true}}, rubric.NumberIs(5), rubric.NumberIs(1), 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, c := criterion(tt.answer)
			s, err := New(r, c, mustCompile(t, `{"const":1}`), "")
			if err != nil {
				t.Fatal(err)
			}
			for row, want := range map[string]rubric.Verdict{`{"output":1}`: {Native: tt.valid, Value: tt.high}, `{"output":2}`: {Native: tt.wrong, Value: tt.low}} {
				v, err := s.Score(t.Context(), caseOf(t, row))
				if err != nil || v[0].Native != want.Native || v[0].Value != want.Value {
					t.Errorf("%s: %+v, %v; want %+v", row, v, err, want)
				}
			}
		})
	}
	r, c := criterion(rubric.Answer{Kind: rubric.KindLevel})
	if _, err := New(r, c, mustCompile(t, `true`), ""); fault.Of(err) != fault.Invalid {
		t.Errorf("a criterion without levels: %v", err)
	}
}

func TestCompile_RefusesInvalidSchemas(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"no JSON", `{"type":`, "is not JSON"},
		{"two members of a name", `{"type":"string","type":"number"}`, "is not JSON"},
		{"a list", `[]`, "expected object or boolean, but got array"},
		{"a misspelt type", `{"type":"strin"}`, `/type: value must be one of "array"`},
		{"several things at once", `{"required":"a","minLength":-1}`, "/minLength: must be >= 0 but found -1; /required: expected array, but got string"},
		{"a reference to nothing", `{"$ref":"#/$defs/a"}`, "#/$defs/a not found"},
		{"a reference to the network", `{"$ref":"https://example.com/s.json"}`, "https://example.com/s.json is outside of the schema: write it inline"},
		{"a reference to a file", `{"$ref":"file:///etc/passwd"}`, "file:///etc/passwd is outside of the schema"},
		{"a reference to a neighbour", `{"$ref":"other.json"}`, "other.json is outside of the schema"},
		{"a schema of its own", `{"$schema":"https://example.com/meta"}`, `the schema is of "https://example.com/meta", which is unknown`},
		{"an address that changes references", `{"$id":"https://example.com/a/","$ref":"b.json"}`, "https://example.com/a/b.json is outside of the schema"},
		{"a reference to itself", `{"$ref":"#"}`, "infinite loop"},
		{"a circle of references", `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, "infinite loop"},
		{"a pattern that is none", `{"pattern":"("}`, "'(' is not valid 'regex'"},
		{"a pattern with look-ahead", `{"pattern":"(?=a)"}`, "'(?=a)' is not valid 'regex'"},
		{"a name pattern that is none", `{"patternProperties":{"[":true}}`, "["},
		{"a pattern too long", `{"pattern":"` + strings.Repeat("a", 1001) + `"}`, "a pattern has 1001 bytes, at most 1000"},
		{"a name pattern too long", `{"patternProperties":{"` + strings.Repeat("a", 1001) + `":true}}`, "a pattern has 1001 bytes, at most 1000"},
		{"too many patterns", `{"patternProperties":{` + members(201, `"p%d":true`) + `}}`, "it has 201 patterns, at most 200"},
		{"patterns that are large together", `{"patternProperties":{` + members(9, `"p%d([ab]c?){990}([ab]c?){990}([ab]c?){990}":true`) + `}}`, "steps in its patterns, at most 100000"},
		{"more objects than are compiled", `{"allOf":[` + strings.Repeat("{},", 3000) + `{}]}`, "it has 3002 objects, at most 3000"},
		{"deep and broad at once", strings.Repeat(`{"not":`, 90) + `{"required":["x",` + members(9000, `"%d"`) + `]}` + strings.Repeat("}", 90), "it is too large for its nesting"},
		{"more dynamic anchors than are compiled", `{"allOf":[` + members(101, `{"$dynamicAnchor":"a%d"}`) + `]}`, "it has 101 dynamic anchors, at most 100"},
		{"more anchors than are compiled", `{"allOf":[` + members(501, `{"$anchor":"a%d"}`) + `]}`, "it has 501 anchors, at most 500"},
		{"an anchor twice", `{"$defs":{"a":{"$anchor":"x"},"b":{"$dynamicAnchor":"x"}}}`, "the anchor 'x' is defined twice"},
		{"values that take long to compare", `{"enum":[` + members(20_000, `%d.5e900`) + `]}`, "steps in its values, at most 1000000"},
		{"a repetition that fills memory", `{"pattern":"((a{1000}){1000}){1000}"}`, "regex"},
		{"a bound that fills memory", `{"minimum":1e999999999}`, "holds the number 1e999999999"},
		{"nesting", strings.Repeat(`{"not":`, 200) + "true" + strings.Repeat("}", 200), "nests more than 100 deep"},
		{"many parts", `{"enum":[` + members(100_001, `%d`) + `]}`, "more than 100000 elements"},
		{"a text too long", `{"description":"` + strings.Repeat("x", MaxBytes) + `"}`, "bytes, at most 1048576"},
		{"a vocabulary that nobody knows", `{"$vocabulary":{"https://example.com/v":true}}`, "it requires a vocabulary ($vocabulary) that is unknown"},
		{"null", `null`, "expected object or boolean, but got null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Compile(jsontext.Value(tt.schema))
			if fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 5000 || strings.Contains(err.Error(), "main/host") {
				t.Errorf("%s: %.500v; want %q", fault.Of(err), err, tt.want)
			}
		})
	}
	if _, err := Compile(make(chan int)); fault.Of(err) != fault.Invalid {
		t.Errorf("what JSON cannot say: %v", err)
	}
	if _, err := Compile(map[string]any{"type": "object"}); err != nil {
		t.Error(err)
	}
}

func members(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, ",")
}

// TestValidate_HostileInputEndsSoon has inputs that take a validator without a meter
// forever, or all memory.
func TestValidate_HostileInputEndsSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	doubling := func(n int) string { // 2^n ways to the same leaf
		var defs []string
		for i := range n {
			defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
		}
		return `{"$defs":{` + strings.Join(defs, ",") + fmt.Sprintf(`,"d%d":{"type":"number"}},"$ref":"#/$defs/d0"}`, n)
	}
	chain := func(n int) string {
		var defs []string
		for i := range n {
			defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
		}
		return `{"$defs":{` + strings.Join(defs, ",") + fmt.Sprintf(`,"d%d":true},"$ref":"#/$defs/d0"}`, n)
	}
	deep := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	tests := []struct {
		name, schema, output string
		class                fault.Class // None: there is a verdict
		want                 string
	}{
		{"references that double", doubling(40), `1`, fault.Fuel, "more than 2000000 steps"},
		{"references that double, and fail", doubling(40), `"x"`, fault.Fuel, "more than 2000000 steps"},
		{"a schema that doubles at each level", `{"properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"},false]}}}`, deep(90, `{"a":`, "1", "}"), fault.Fuel, "steps"},
		{"a schema that doubles at each level, and fails", `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, deep(90, `{"a":`, "1", "}"), fault.Fuel, "steps"},
		{"names that multiply", `{"additionalProperties":{"$ref":"#"},"minProperties":9}`, deep(90, `{"`+strings.Repeat("n", 40_000)+`":`, "1", "}"), fault.Fuel, "steps"},
		{"missing names that multiply", `{"items":{"required":[` + members(9000, `"%d"`) + `]}}`, `[` + strings.Repeat("{},", 2000) + `{}]`, fault.Fuel, "steps"},
		{"a chain of references", chain(1400), `1`, fault.Fuel, "steps"},
		{"references that double in draft 7, which counts none", `{"$schema":"http://json-schema.org/draft-07/schema#",` + doubling(40)[1:], `1`, fault.Fuel, "steps"},
		{"what was evaluated, carried up a chain", `{"$defs":{` + members(200, `"d%d":{"properties":{"a":true},"anyOf":[{"$ref":"#/$defs/e"},true]}`) + `,"e":{"properties":{"b":true}}},"allOf":[` + members(200, `{"$ref":"#/$defs/d%d"}`) + `],"unevaluatedProperties":false}`,
			`{"a":1,` + members(2000, `"k%d":1`) + `}`, fault.Fuel, "steps"},
		{"a regex in an output", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"regex"}`, `"((a{1000}){1000}){1000}"`, fault.None, ""},
		{"a long regex in an output", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"regex"}`, `"` + strings.Repeat("a", 2000) + `"`, fault.Input, "a regex of 2000 bytes"},
		{"a number that fills memory within text", `{"$schema":"http://json-schema.org/draft-07/schema#","contentMediaType":"application/json"}`, `"\"1e99999999999\""`, fault.Input, "holds the number 1e99999999999"},
		{"nesting", `{"items":{"$ref":"#"}}`, deep(101, "[", "", "]"), fault.Input, "nests more than 100 deep"},
		{"nesting in the tens of thousands", `true`, deep(50_000, "[", "", "]"), fault.Input, "nests more than 100 deep"},
		{"nesting in text", `true`, `"` + deep(50_000, "[", "", "]") + `"`, fault.Input, "nests more than 100 deep"},
		{"many wrong elements", `{"items":{"type":"string"}}`, `[` + members(90_000, "%d") + `]`, fault.None, ""},
		{"more elements than may be", `true`, `[` + members(100_001, "%d") + `]`, fault.Input, "more than 100000 elements"},
		{"many elements that are alike", `{"uniqueItems":true}`, `[` + strings.Repeat("0,", 90_000) + `0]`, fault.None, ""},
		{"many names held to many patterns", `{"patternProperties":{` + members(100, `"p%dx*y":true`) + `}}`, `{` + members(90_000, `"k%d":1`) + `}`, fault.Fuel, "steps"},
		{"a pattern that grows", `{"pattern":"^(a|aa|aaa)+$"}`, `"` + strings.Repeat("a", 1<<20) + `b"`, fault.None, ""},
		{"many elements held to many values", `{"items":{"enum":[` + members(20_000, "%d") + `]}}`, `[` + members(90_000, `"%d"`) + `]`, fault.None, ""},
		{"a number that fills memory", `{"type":"integer"}`, `"1e-999999999"`, fault.Input, "holds the number 1e-999999999"},
		{"a number beyond reckoning", `{"type":"integer"}`, `"[1e99999999999999999999]"`, fault.Input, "holds the number 1e9999999999"},
		{"a number of many digits", `{"const":1}`, `"` + strings.Repeat("9", 2000) + `"`, fault.Input, "at most 1000 digits"},
		{"text beyond what is validated", `true`, `"` + strings.Repeat("x", 4<<20+1) + `"`, fault.Input, "at most 4194304 are validated"},
	}
	chosen := amount.OneIn(3)
	for _, tt := range tests {
		if !chosen() {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			r, c := criterion(rubric.Answer{})
			s, err := New(r, c, mustCompile(t, tt.schema), "")
			if err != nil {
				t.Fatal(err)
			}
			// A case made in Go: a dataset refuses some of these rows before.
			in := &dataset.Case{Fields: []dataset.Field{{Name: dataset.FieldOutput, Value: jsontext.Value(tt.output)}}}
			if jsontext.Value(tt.output).Kind() == '"' {
				if err := json.Unmarshal([]byte(tt.output), &in.Output); err != nil {
					t.Fatal(err)
				}
			}
			var v rubric.Verdict
			list, err := s.Score(t.Context(), in)
			if err == nil {
				v = list[0]
			}
			if fault.Of(err) != tt.class || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%s: %v; want %s: %s", fault.Of(err), err, tt.class, tt.want)
			}
			if len(v.Evidence) > maxFindings+2 {
				t.Errorf("%d pieces of evidence", len(v.Evidence))
			}
			for _, e := range v.Evidence {
				if len(e.Text) > 2*maxFinding {
					t.Errorf("evidence of %d bytes", len(e.Text))
				}
			}
		})
	}
}

func TestValidate_EvidenceIsDeterministic(t *testing.T) {
	schema := mustCompile(t, `{"properties":{`+members(60, `"p%d":{"type":"string"}`)+`},"additionalProperties":false,"dependentRequired":{"p1":["x","y"],"p2":["z"]}}`)
	r, c := criterion(rubric.Answer{})
	s, err := New(r, c, schema, "")
	if err != nil {
		t.Fatal(err)
	}
	in := caseOf(t, `{"output":{`+members(60, `"p%d":1`)+`,`+members(9, `"q%d', 'r":1`)+`}}`)
	var first []rubric.Verdict
	for range 50 {
		v, err := s.Score(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = v
		}
		if d := cmp.Diff(first, v); d != "" {
			t.Fatal(d)
		}
	}
	last := first[0].Evidence[len(first[0].Evidence)-1].Text
	if len(first[0].Evidence) != maxFindings+1 || last != "and 44 more" {
		t.Errorf("%d pieces of evidence, the last: %s", len(first[0].Evidence), last)
	}
}

func TestValidate_EndsWithTheContext(t *testing.T) {
	s := mustCompile(t, `{"items":{"type":"number"}}`)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the run was stopped")
	cancel(why)
	v, err := decode(jsontext.Value("["+members(5000, "%d")+"]"), valueBounds)
	if err != nil {
		t.Fatal(err)
	}
	if wrong, err := s.apply(ctx, v); !errors.Is(err, why) || wrong != nil {
		t.Errorf("%v, %v", wrong, err)
	}
	if wrong, err := s.apply(t.Context(), v); err != nil || wrong != nil {
		t.Errorf("the next one: %v, %v", wrong, err)
	}
}

func TestScore_KeepsTheContract(t *testing.T) {
	scorertest.Run(t, func(t *testing.T) scorertest.Subject {
		r, c := criterion(rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "bad", Score: 0.2}, {ID: "good", Score: 0.9}}})
		s, err := New(r, c, mustCompile(t, `{"anyOf":[{"type":"object","required":["a"]},{"type":"string","pattern":"^w"},{"items":{"type":"string"},"minItems":1}]}`), "sha256:00")
		if err != nil {
			t.Fatal(err)
		}
		return scorertest.Subject{Scorer: s, Rubric: r, Criteria: []string{"shape"}}
	})
}

// anyValue draws JSON.
func anyValue(depth int) *rapid.Generator[any] {
	of := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.IntRange(-3, 300).AsAny(), rapid.SampledFrom([]float64{0.5, -1e300, 1e-300}).AsAny(),
		rapid.SampledFrom([]string{"", "a", "#", "#/$defs/a", "a.json", "string", "object", "(", "^a", "integer", "https://x.example/"}).AsAny(),
	}
	if depth > 0 {
		inner := rapid.Deferred(func() *rapid.Generator[any] { return anyValue(depth - 1) })
		names := rapid.SampledFrom([]string{
			"$ref", "$id", "$defs", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$vocabulary", "type", "enum", "const", "properties", "patternProperties",
			"additionalProperties", "items", "prefixItems", "additionalItems", "required", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "minimum", "multipleOf", "pattern",
			"format", "contains", "minContains", "uniqueItems", "dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "contentSchema", "a", "b",
		})
		of = append(of, rapid.SliceOfN(inner, 0, 3).AsAny(), rapid.MapOfN(names, inner, 0, 4).AsAny(), rapid.MapOfN(names, inner, 1, 5).AsAny())
	}
	return rapid.OneOf(of...)
}

// TestCompile_NeverPanics compiles documents that resemble schemas, and applies the
// valid ones.
func TestCompile_NeverPanics(t *testing.T) {
	applied := 0
	rapid.Check(t, func(t *rapid.T) {
		s, err := Compile(anyValue(3).Draw(t, "schema"))
		if err != nil {
			if fault.Of(err) != fault.Invalid {
				t.Fatal(err)
			}
			return
		}
		applied++
		text, err := json.Marshal(anyValue(2).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		first, second := s.Validate(text), s.Validate(text)
		if fmt.Sprint(first) != fmt.Sprint(second) {
			t.Fatalf("%v, and then %v", first, second)
		}
		if first != nil && !fault.Is(first, fault.Invalid, fault.Fuel) {
			t.Fatal(first)
		}
	})
	if applied == 0 {
		t.Error("nothing was applied")
	}
}

func FuzzCompile(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`, `{"a":{}}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"pattern":"^a"}],"additionalItems":false}`, `["b",1]`)
	f.Add(`{"$defs":{"a":{"$dynamicAnchor":"x"}},"$dynamicRef":"#x","unevaluatedProperties":false}`, `{"b":1e5}`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		s, err := Compile(jsontext.Value(schema))
		if err != nil {
			if fault.Of(err) != fault.Invalid {
				t.Fatal(err)
			}
			return
		}
		if err := s.Validate(jsontext.Value(value)); err != nil && !fault.Is(err, fault.Invalid, fault.Fuel) {
			t.Fatal(err)
		}
	})
}

func BenchmarkScore(b *testing.B) {
	r, c := criterion(rubric.Answer{})
	s, err := New(r, c, mustCompile(b, `{"type":"object","required":["answer","sources"],"properties":{"answer":{"type":"string","minLength":1},"sources":{"type":"array","items":{"type":"string"}}}}`), "")
	if err != nil {
		b.Fatal(err)
	}
	for name, row := range map[string]string{"valid": `{"output":{"answer":"a","sources":["s","t"]}}`, "in text": `{"output":"{\"answer\":\"a\",\"sources\":[\"s\",\"t\"]}"}`, "invalid": `{"output":{"answer":1}}`} {
		in := caseOf(b, row)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Score(b.Context(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
