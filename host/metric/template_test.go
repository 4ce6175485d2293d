package metric

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func caseOf(tb testing.TB, row string) *dataset.Case {
	tb.Helper()
	c, err := dataset.FromJSON(jsontext.Value(row), diag.Pos{File: "t"})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func templateOf(tb testing.TB, kind string, inputs, references []string) *template {
	tb.Helper()
	tpl, err := newTemplate(kind, nil, nil, inputs, references)
	if err != nil {
		tb.Fatal(err)
	}
	return tpl
}

func TestRequest_SendsTheRequestedFields(t *testing.T) {
	tests := []struct {
		name, kind         string
		inputs, references []string
		row, want          string // want is the case of the request
	}{
		{"a metric's own fields, in their order", "metric", nil, nil,
			`{"id":"x","input":"q","output":"a","references":["r"],"context":"c"}`, `{"output":"a","references":["r"],"input":"q"}`},
		{"a field that the case lacks is absent", "metric", nil, nil, `{"output":"a"}`, `{"output":"a"}`},
		{"a field that is null is absent", "metric", []string{"output", "references", "input", "metadata", "id"}, nil,
			`{"id":"x","output":null,"references":null,"input":null,"metadata":null}`, `{"id":"x"}`},
		{"nothing is asked for that is there", "metric", []string{"logprobs"}, nil, `{"output":"a"}`, `{}`},
		{"a field asked for twice is sent once", "metric", []string{"output", "output"}, nil, `{"output":"a"}`, `{"output":"a"}`},
		{"a dotted path", "metric", []string{"metadata.lang", "choices.0.text"}, nil,
			`{"output":"a","metadata":{"lang":"de"},"choices":[{"text":"t"}]}`, `{"metadata.lang":"de","choices.0.text":"t"}`},
		{"a field that needs quoting", "metric", []string{"a\"b\n"}, nil, `{"output":"a","a\"b\n":1}`, `{"a\"b\n":1}`},
		{"an id that is a number is text", "metric", []string{"id"}, nil, `{"id":7,"output":"a"}`, `{"id":"7"}`},

		{"a metric gets an object as text", "metric", []string{"output"}, nil, `{"output":{"a":[1]}}`, `{"output":"{\"a\":[1]}"}`},
		{"a metric gets a number as text", "metric", []string{"output"}, nil, `{"output":4.50}`, `{"output":"4.50"}`},
		{"a metric gets the last answer of a conversation", "metric", []string{"output"}, nil,
			`{"output":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`, `{"output":"a"}`},
		{"a metric gets a question in messages as text", "metric", []string{"input"}, nil,
			`{"input":[{"role":"user","content":"q"}],"output":"a"}`, `{"input":"q"}`},
		{"a metric gets the outputs of a corpus as a list", "metric", []string{"output", "references"}, nil,
			`{"output":["a","b"],"references":[["r"],["s","t"]]}`, `{"output":["a","b"],"references":[["r"],["s","t"]]}`},
		{"a list of numbers is not a corpus", "metric", []string{"output"}, nil, `{"output":[1,2]}`, `{"output":"[1,2]"}`},
		{"an empty output is an output", "metric", []string{"output"}, nil, `{"output":""}`, `{"output":""}`},

		{"one reference is a list of one", "metric", []string{"references"}, nil, `{"output":"a","reference":"r"}`, `{"references":["r"]}`},
		{"an expected output is a reference", "metric", []string{"references"}, nil, `{"output":"a","references":["r"],"expected_output":"e"}`, `{"references":["r","e"]}`},
		{"no reference among the references", "metric", []string{"references"}, nil, `{"output":"a","references":[]}`, `{"references":[]}`},
		{"references by name", "metric", []string{"references"}, []string{"answer"}, `{"output":"a","answer":"r","references":["x"]}`, `{"references":["r"]}`},
		{"references by several names", "metric", []string{"references"}, []string{"answer", "missing", "metadata.also"},
			`{"output":"a","answer":"r","metadata":{"also":["s","t",5]}}`, `{"references":["r","s","t","5"]}`},
		{"references by names, some of them empty", "metric", []string{"references"}, []string{"a1", "a2", "a3"}, `{"output":"a","a1":[],"a2":"r","a3":[]}`, `{"references":["r"]}`},
		{"references by names that hold none", "metric", []string{"references"}, []string{"a1", "a2"}, `{"output":"a","a1":[],"a2":[]}`, `{"references":[]}`},
		{"references by names that there are not", "metric", []string{"references"}, []string{"x", "y"}, `{"output":"a","references":["r"]}`, `{}`},
		{"references that are lists, of one output", "metric", []string{"output", "references"}, nil, `{"output":"[1,2]","references":[[2,1],["a"]]}`, `{"output":"[1,2]","references":["[2,1]","[\"a\"]"]}`},
		{"references that are lists by name", "metric", []string{"references"}, []string{"refs"}, `{"output":"a","refs":[[1],{"a":2}]}`, `{"references":["[1]","{\"a\":2}"]}`},
		{"references of a corpus by name", "metric", []string{"references"}, []string{"refs"}, `{"output":["a"],"refs":[["r","s"]]}`, `{"references":[["r","s"]]}`},

		{"a judge gets the case as it is", "judge", nil, nil,
			`{"id":"x","input":[{"role":"user","content":"q"}],"output":{"a":1},"expected_output":"e","context":["c"],"metadata":{"n":1}}`,
			`{"id":"x","input":[{"role":"user","content":"q"}],"output":{"a":1},"references":["e"],"expected_output":"e","context":["c"],"metadata":{"n":1}}`},

		{"the target is the output where it is an object", "scorer", []string{"target"}, nil, `{"output":{"n":12345678901234567890}}`, `{"target":{"n":12345678901234567890}}`},
		{"the target is an object in text", "scorer", []string{"target"}, nil, `{"output":" {\"b\" : 1.50,\n\"a\":[ ]} "}`, `{"target":{"b":1.50,"a":[]}}`},
		{"the target is the case if the text is not an object", "scorer", []string{"target"}, nil, `{"output":"[1]","z":1,"a":null}`, `{"target":{"output":"[1]","z":1,"a":null}}`},
		{"the target is the case if the text is broken", "scorer", []string{"target"}, nil, `{"output":"{\"a\":1,\"a\":2}"}`, `{"target":{"output":"{\"a\":1,\"a\":2}"}}`},
		{"the target is the case if there is no output", "scorer", nil, nil, `{"input":"q","text":"t"}`, `{"target":{"input":"q","text":"t"},"input":"q","metadata":{"text":"t"}}`},

		{"other columns are metadata", "metric", []string{"output", "metadata"}, nil,
			`{"id":"x","output":"a","fact":"f","references":["r"],"metadata":{ "lang" : "de" },"n":1,"none":null}`, `{"output":"a","metadata":{"lang":"de","fact":"f","n":1}}`},
		{"a column hides no member of the metadata", "metric", []string{"metadata"}, nil, `{"output":"a","lang":"en","metadata":{"x":{"lang":1},"lang":"de"}}`, `{"metadata":{"x":{"lang":1},"lang":"de"}}`},
		{"columns without metadata", "metric", []string{"metadata"}, nil, `{"output":"a","fact":"f"}`, `{"metadata":{"fact":"f"}}`},
		{"empty metadata", "metric", []string{"metadata"}, nil, `{"output":"a","metadata":{}}`, `{"metadata":{}}`},
		{"empty metadata and a column", "metric", []string{"metadata"}, nil, `{"output":"a","metadata":{ },"k":2}`, `{"metadata":{"k":2}}`},
		{"another name of the input is a column", "metric", []string{"metadata"}, nil, `{"response":"a","question":"q"}`, `{"metadata":{"question":"q"}}`},
		{"metadata that is not an object", "metric", []string{"metadata"}, nil, `{"output":"a","metadata":[1],"k":2}`, `{"metadata":[1]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(templateOf(t, tt.kind, tt.inputs, tt.references).appendTo(nil, caseOf(t, tt.row)))
			want := `{"contract":1,"kind":"` + tt.kind + `","config":{},"case":` + tt.want + `}`
			if got != want {
				t.Errorf("sent\n%s, want\n%s", got, want)
			}
		})
	}
}

func TestRequest_HasTheCriterion(t *testing.T) {
	c := &rubric.Criterion{ID: "clarity", Name: "Clarity", Text: "Is it \"clear\"?", Answer: rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{
		{ID: "good", Label: "Good", Description: "Easy", Score: 1, Indicators: []string{"x"}}, {ID: "poor"}}}}
	config := jsontext.Value(`{"n":1.50}`)
	want := `{"contract":1,"kind":"scorer","config":{"n":1.50},"criterion":{"id":"clarity","name":"Clarity","text":"Is it \"clear\"?",` +
		`"levels":[{"id":"good","label":"Good","description":"Easy","score":1},{"id":"poor","score":0}]},"case":{"output":"a"}}`
	for kind, want := range map[string]string{
		"scorer": want, "judge": strings.Replace(want, "scorer", "judge", 1),
		"metric": `{"contract":1,"kind":"metric","config":{"n":1.50},"case":{"output":"a"}}`,
	} {
		tpl, err := newTemplate(kind, config, c, []string{"output"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(tpl.appendTo(nil, caseOf(t, `{"output":"a"}`))); got != want {
			t.Errorf("sent\n%s, want\n%s", got, want)
		}
	}
}

func TestRequest_ConfigurationIsAnObject(t *testing.T) {
	for _, config := range []string{`[]`, `null`, `"x"`, `{`, `{"a":1}}`, `{"a":1,"a":2}`, `{},"case":{"output":"stolen"}`} {
		if _, err := newTemplate(KindMetric, jsontext.Value(config), nil, nil, nil); fault.Of(err) != fault.Invalid {
			t.Errorf("%s: %v", config, err)
		}
	}
}

// requestLine is a line of requests.jsonl.
type requestLine struct {
	Name       string    `json:"name"`
	Request    string    `json:"request"`
	Outcome    string    `json:"outcome"`
	Output     *string   `json:"output"`
	References int       `json:"references"`
	Levels     int       `json:"levels"`
	Stats      []float64 `json:"stats"`
}

// TestRequest_Contract reads each good fixture, writes a request of the same content,
// and compares the two.
func TestRequest_Contract(t *testing.T) {
	for _, l := range fixtures[requestLine](t, "requests.jsonl") {
		if l.Outcome != "ok" {
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			var r struct {
				Contract  int               `json:"contract"`
				Kind      string            `json:"kind"`
				Config    jsontext.Value    `json:"config"`
				Criterion *rubric.Criterion `json:"criterion"`
				Case      jsontext.Value    `json:"case"`
				Stats     []float64         `json:"stats"`
			}
			decode(t, l.Request, &r)
			if r.Config.Kind() != '{' {
				r.Config = jsontext.Value("{}")
			}
			var got []byte
			if r.Kind == KindCorpus {
				var err error
				if got, err = corpusRequest(r.Config, r.Stats); err != nil {
					t.Fatal(err)
				}
			} else {
				if r.Criterion != nil {
					var levels struct {
						Criterion struct {
							Levels []rubric.Level `json:"levels"`
						} `json:"criterion"`
					}
					decode(t, l.Request, &levels)
					r.Criterion.Answer.Levels = levels.Criterion.Levels
				}
				c := caseOf(t, string(r.Case))
				var inputs []string
				for _, f := range c.Fields {
					inputs = append(inputs, f.Name)
				}
				tpl, err := newTemplate(r.Kind, r.Config, r.Criterion, append(inputs, "absent"), nil)
				if err != nil {
					t.Fatal(err)
				}
				got = tpl.appendTo(nil, c)
			}
			var is, want map[string]any
			decode(t, string(got), &is)
			decode(t, l.Request, &want)
			delete(want, "later") // a member that no host of today sends
			if want["config"] == nil {
				want["config"] = map[string]any{}
			}
			dropEmpty(want["criterion"])
			if d := cmp.Diff(want, is); d != "" {
				t.Error(d)
			}
		})
	}
}

func decode(tb testing.TB, text string, into any) {
	tb.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		tb.Fatalf("%v: %.200s", err, text)
	}
}

// dropEmpty removes empty texts, which are absent when the host writes.
func dropEmpty(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if e == "" {
				delete(v, k)
			}
			dropEmpty(e)
		}
	case []any:
		for _, e := range v {
			dropEmpty(e)
		}
	}
}

// anyJSON draws a JSON value.
func anyJSON(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.String().AsAny(),
	}
	if depth > 0 {
		leaves = append(leaves,
			rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(depth - 1) }), 0, 4).AsAny(),
			rapid.MapOfN(rapid.String(), rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(depth - 1) }), 0, 4).AsAny())
	}
	return rapid.OneOf(leaves...)
}

var fieldNames = rapid.OneOf(rapid.SampledFrom([]string{
	"id", "input", "output", "references", "expected_output", "context", "metadata", "target", "reference", "messages", "logprobs", "a.b",
}), rapid.String())

// TestRequest_IsJSON draws cases and tasks: the request is strict JSON with the
// requested fields, in the forms of the contract.
func TestRequest_IsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row, err := json.Marshal(rapid.MapOfN(fieldNames, anyJSON(3), 0, 6).Draw(t, "row"))
		if err != nil {
			t.Fatal(err)
		}
		c, err := dataset.FromJSON(row, diag.Pos{})
		if err != nil {
			return // an id that is not text, say
		}
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		inputs := rapid.SliceOfN(fieldNames, 0, 5).Draw(t, "inputs")
		tpl, err := newTemplate(kind, nil, &rubric.Criterion{ID: "c"}, inputs, rapid.SliceOfN(fieldNames, 0, 3).Draw(t, "references"))
		if err != nil {
			t.Fatal(err)
		}
		request := tpl.appendTo(nil, c)
		var r Request
		if err := json.Unmarshal(request, &r, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%v: %s", err, request)
		}
		for name, v := range r.Case {
			_, text := v.(string)
			_, list := v.([]any)
			ok := v != nil
			switch {
			case name == "id", kind == KindMetric && name == "input":
				ok = text
			case name == "references":
				ok = list
			case kind == KindMetric && name == "output":
				ok = text || list
			}
			if !ok {
				t.Fatalf("%s is %T: %s", name, v, request)
			}
		}
		if again := tpl.appendTo(nil, c); string(again) != string(request) {
			t.Fatal("another request for the same case")
		}
		fields, err := dataset.Fields(row, diag.Pos{})
		if err != nil {
			t.Fatal(err)
		}
		if c, err = dataset.Unnamed(fields, diag.Pos{}); err != nil || string(tpl.appendTo(nil, c)) != string(request) {
			t.Fatalf("another request without an id: %v, %s", err, request)
		}
	})
}

// TestRequest_DoesNotAllocate allows a few allocations for each path into a field:
// jsontext reads the field.
func TestRequest_DoesNotAllocate(t *testing.T) {
	long := strings.Repeat("Größe \"x\"\n", 200)
	row, err := json.Marshal(map[string]any{"id": "x", "output": long, "references": []string{long, "b"}, "input": "q", "metadata": map[string]any{"lang": "en"}})
	if err != nil {
		t.Fatal(err)
	}
	c := caseOf(t, string(row))
	for _, tt := range []struct {
		kind   string
		inputs []string
	}{{KindMetric, nil}, {KindMetric, []string{"id", "output", "references", "metadata.lang"}}, {KindScorer, nil}, {KindJudge, nil}} {
		tpl := templateOf(t, tt.kind, tt.inputs, nil)
		buf := tpl.appendTo(nil, c)
		if n := testing.AllocsPerRun(100, func() { buf = tpl.appendTo(buf[:0], c) }); n > 5*float64(strings.Count(strings.Join(tt.inputs, " "), ".")) {
			t.Errorf("%s %v: %v allocations for a request", tt.kind, tt.inputs, n)
		}
	}
}
