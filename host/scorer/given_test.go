package scorer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func subject() *rubric.Rubric {
	levels := []rubric.Level{{ID: "cold"}, {ID: "neutral", Score: 0.6}, {ID: "warm", Score: 1}}
	return &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{
		{ID: "clear"},
		{ID: "tone", Answer: rubric.Answer{Kind: rubric.KindLevel, Levels: levels}},
		{ID: "depth", Answer: rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true)}},
		{ID: "all", Criteria: []rubric.Criterion{{ID: "part"}}},
	}, Metrics: []rubric.Criterion{{ID: "bleu", Answer: rubric.Answer{Kind: rubric.KindNumber}}}}
}

func given(tb testing.TB, text string) *Given {
	tb.Helper()
	g, _, err := ReadGiven("v.jsonl", strings.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func TestReadGiven_EveryForm(t *testing.T) {
	tests := []struct {
		line   string
		native rubric.Native
		value  float64
		status rubric.Status
		reason string
	}{
		{`{"criterion":"clear","met":true,"reason":"it is"}`, rubric.MetIs(true), 1, rubric.Scored, "it is"},
		{`{"criterion":"clear","met":false}`, rubric.MetIs(false), 0, rubric.Scored, ""},
		{`{"criterion":"clear","value":1}`, rubric.MetIs(true), 1, rubric.Scored, ""},
		{`{"criterion":"clear","value":0.5}`, rubric.Native{}, 0.5, rubric.Scored, ""},
		{`{"criterion":"tone","level":"neutral"}`, rubric.LevelIs("neutral"), 0.6, rubric.Scored, ""},
		{`{"criterion":"tone","value":0.6}`, rubric.LevelIs("neutral"), 0.6, rubric.Scored, ""},
		{`{"criterion":"tone","value":0.7}`, rubric.Native{}, 0.7, rubric.Scored, ""},
		{`{"criterion":"depth","number":7}`, rubric.NumberIs(7), 0.7, rubric.Scored, ""},
		{`{"criterion":"depth","value":0.3}`, rubric.NumberIs(3), 0.3, rubric.Scored, ""},
		{`{"criterion":"depth","value":0.35}`, rubric.Native{}, 0.35, rubric.Scored, ""},
		{`{"criterion":"bleu","number":0.25}`, rubric.NumberIs(0.25), 0.25, rubric.Scored, ""},
		{`{"criterion":"part","met":true,"level":null}`, rubric.MetIs(true), 1, rubric.Scored, ""},
		{`{"criterion":"clear","unscored":"nobody looked"}`, rubric.Native{}, 0, rubric.Unscored, "nobody looked"},
		{`{"criterion":"clear","unscored":"nobody looked","reason":"holidays"}`, rubric.Native{}, 0, rubric.Unscored, "nobody looked\nholidays"},
		{`{"overall":80}`, rubric.NumberIs(80), 0.8, rubric.Scored, ""},
		{`{"overall":0,"case":"x"}`, rubric.NumberIs(0), 0, rubric.Scored, ""},
		{`{"overall":180}`, rubric.NumberIs(180), 1, rubric.Scored, ""},
		{`{"overall":-10}`, rubric.NumberIs(-10), 0, rubric.Scored, ""},
	}
	r := subject()
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			g := given(t, tt.line)
			if err := g.Check([]*rubric.Rubric{r}); err != nil {
				t.Fatal(err)
			}
			l, bad := parseLine([]byte(tt.line))
			if bad != nil {
				t.Fatal(bad)
			}
			v, ok := g.Overall(r, "x")
			if l.Criterion != "" {
				v, ok = g.Verdict(r, r.Find(l.Criterion), "x")
			}
			want := rubric.Verdict{Criterion: l.Criterion, Status: tt.status, Native: tt.native, Value: tt.value, Reason: tt.reason, How: rubric.How{By: "given"}}
			if d := cmp.Diff(want, v); d != "" || !ok {
				t.Error(d)
			}
		})
	}
}

func TestReadGiven_ACasesLineWins(t *testing.T) {
	r := subject()
	g := given(t, "{\"criterion\":\"clear\",\"met\":true}\n{\"criterion\":\"clear\",\"met\":false,\"case\":\"b\"}\n{\"criterion\":\"clear\",\"met\":false,\"case\":7}\n"+
		"{\"criterion\":\"part\",\"met\":true,\"case\":\"b\"}")
	for id, want := range map[string]float64{"a": 1, "b": 0, "7": 0, "": 1} {
		if v, ok := g.Verdict(r, r.Find("clear"), id); !ok || v.Value != want {
			t.Errorf("case %q: %v %v", id, v.Value, ok)
		}
	}
	if _, ok := g.Verdict(r, r.Find("part"), "a"); ok {
		t.Error("a verdict on another case counts")
	}
	if _, ok := g.Overall(r, "b"); ok {
		t.Error("a verdict on the whole rubric comes from nowhere")
	}
	var none *Given
	if _, ok := none.Verdict(r, r.Find("clear"), "a"); ok || none.Digest() != "" || none.Check([]*rubric.Rubric{r}) != nil {
		t.Error("nothing gives a verdict")
	}
}

// finding is a diagnostic without its file.
type finding struct {
	Line, Column  int
	Code, Message string
	Hint          string
}

func findings(l diag.List) []finding {
	var out []finding
	for _, d := range l {
		out = append(out, finding{d.Pos.Line, d.Pos.Column, d.Code, d.Message, d.Hint})
	}
	return out
}

func TestReadGiven_NamesEveryBadLine(t *testing.T) {
	const forms = `write {"criterion": ID, "met": true}, or level, number, value, unscored, overall`
	tests := []struct {
		name, text string
		want       []finding
	}{
		{"no answer", `{"criterion":"a"}`, []finding{{1, 0, "line-invalid", "the line has 0 of met, level, number, value, unscored and overall; it needs exactly one", ""}}},
		{"two answers", `{"criterion":"a","met":true,"value":1}`, []finding{{1, 0, "line-invalid", "the line has 2 of met, level, number, value, unscored and overall; it needs exactly one", ""}}},
		{"no criterion", `{"met":true}`, []finding{{1, 0, "line-invalid", "the line names no criterion", ""}}},
		{"a criterion with overall", `{"criterion":"a","overall":1}`, []finding{{1, 0, "line-invalid", "overall is about the whole rubric: remove criterion", ""}}},
		{"a value beyond 1", `{"criterion":"a","value":1.5}`, []finding{{1, 0, "line-invalid", "value 1.5 is not in 0..1", ""}}},
		{"no reason", `{"criterion":"a","unscored":""}`, []finding{{1, 0, "line-invalid", "unscored says no reason", ""}}},
		{"an unknown key", `{"criterion":"a","mett":true}`, []finding{{1, 0, "line-invalid", `unknown key "mett"`, `did you mean "met"?`}}},
		{"a key in capitals", `{"criterion":"a","Met":true}`, []finding{{1, 0, "line-invalid", `unknown key "Met"`, `did you mean "met"?`}}},
		{"text for a number", `{"criterion":"a","value":"0.5"}`, []finding{{1, 0, "line-invalid", "value is text, not a number", ""}}},
		{"a number for met", `{"criterion":"a","met":1}`, []finding{{1, 0, "line-invalid", "met is a number, not true or false", ""}}},
		{"a number for the criterion", `{"criterion":1,"met":true}`, []finding{{1, 0, "line-invalid", "criterion is a number, not text", ""}}},
		{"a number beyond a double", `{"criterion":"a","number":1e999}`, []finding{{1, 0, "line-invalid", "number is beyond what a float64 holds", ""}}},
		{"a key twice", `  {"criterion":"a","met":true,"met":false}`, []finding{{1, 31, "line-invalid", `duplicate key "met"`, "remove one of the two"}}},
		{"no JSON", `clear: met`, []finding{{1, 1, "line-invalid", `not JSON: invalid character 'c' at start of value`, forms}}},
		{"cut off", `{"criterion":"a","met":tr`, []finding{{1, 26, "line-invalid", `not JSON: unexpected EOF`, forms}}},
		{"two objects", `{"criterion":"a","met":true} {}`, []finding{{1, 30, "line-invalid", `not JSON: invalid character '{' after top-level value`, forms}}},
		{"not UTF-8", "{\"criterion\":\"a\xff\",\"met\":true}", []finding{{1, 16, "line-invalid", `not JSON: invalid UTF-8`, forms}}},
		{"a line that is text", `"a"`, []finding{{1, 0, "line-invalid", "the line is text, not an object", forms}}},
		{"a line that is null", `null`, []finding{{1, 0, "line-invalid", "the line has 0 of met, level, number, value, unscored and overall; it needs exactly one", ""}}},
		{"a list around the lines", "[\n{\"criterion\":\"a\",\"met\":true}\n]", []finding{{1, 0, "line-invalid", "the file begins a list", "write one object a line, without brackets around them"}}},
		{"UTF-16", "\xff\xfe{\x00", []finding{{1, 0, "encoding", "the file is UTF-16", "save it as UTF-8"}}},
		{"nothing", "", []finding{{0, 0, "verdicts-empty", "the file holds no verdict", ""}}},
		{"blank lines", "\n \r\n\n", []finding{{0, 0, "verdicts-empty", "the file holds no verdict", ""}}},
		{"another verdict on the same", "{\"criterion\":\"a\",\"met\":true}\n\n{\"criterion\":\"a\",\"met\":false}", []finding{{3, 0, "verdict-twice", `line 1 gives criterion "a" another verdict`, "remove one of the two"}}},
		{"another verdict in another form", "{\"criterion\":\"a\",\"met\":true,\"case\":\"x\"}\n{\"criterion\":\"a\",\"value\":1,\"case\":\"x\"}", []finding{{2, 0, "verdict-twice", `line 1 gives criterion "a" of case "x" another verdict`, "remove one of the two"}}},
		{"another overall", "{\"overall\":1}\n{\"overall\":2}", []finding{{2, 0, "verdict-twice", `line 1 gives the rubric another verdict`, "remove one of the two"}}},
		{"a line too long, and one behind it", "{\"criterion\":\"a\",\"met\":true}\n{\"criterion\":\"" + strings.Repeat("x", maxLine) + "\",\"met\":true}\n{}\n", []finding{
			{2, 0, "line-too-long", "the line has more than 1048576 bytes", ""},
			{3, 0, "line-invalid", "the line has 0 of met, level, number, value, unscored and overall; it needs exactly one", ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := ReadGiven("v.jsonl", strings.NewReader(tt.text))
			if fault.Of(err) != fault.Invalid {
				t.Fatalf("%s: %v", fault.Of(err), err)
			}
			if d := cmp.Diff(tt.want, findings(diag.In(err).Errors())); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestReadGiven_WarnsOfDuplicates(t *testing.T) {
	_, warnings, err := ReadGiven("v.jsonl", strings.NewReader("{\"criterion\":\"a\",\"met\":true}\r\n{\"criterion\":\"a\",\"met\":true,\"reason\":\"again\"}\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []finding{{2, 0, "verdict-twice", `line 1 says the same of criterion "a"`, ""}}
	if d := cmp.Diff(want, findings(warnings)); d != "" {
		t.Error(d)
	}
}

func TestReadGiven_AnyFileFormat(t *testing.T) {
	r := subject()
	for name, text := range map[string]string{
		"a byte order mark":          "\xEF\xBB\xBF{\"criterion\":\"clear\",\"met\":true}\n",
		"carriage returns":           "{\"criterion\":\"clear\",\"met\":true}\r\n\r\n",
		"no end of line":             "{\"criterion\":\"clear\",\"met\":true}",
		"blanks":                     "\n\n \t{\"criterion\" : \"clear\" , \"met\":true} \t\n",
		"a line beyond the buffer":   "{\"criterion\":\"clear\",\"met\":true,\"reason\":\"" + strings.Repeat("x", 200<<10) + "\"}\n",
		"a line as long as may be":   "{\"criterion\":\"clear\",\"met\":true,\"reason\":\"" + strings.Repeat("x", maxLine-44) + "\"}",
		"a line beyond, and an end":  "{\"criterion\":\"clear\",\"met\":true}" + strings.Repeat(" ", 100<<10),
		"escapes in a key and value": `{"criter\u0069on":"cle\u0061r","met":true}`,
	} {
		g := given(t, text)
		if v, ok := g.Verdict(r, r.Find("clear"), "x"); !ok || v.Value != 1 {
			t.Errorf("%s: %+v %v", name, v, ok)
		}
		if g.Digest() != digest.Of([]byte(text)) {
			t.Errorf("%s: the digest is not of the bytes", name)
		}
	}
}

func TestReadGiven_RefusesATruncatedFile(t *testing.T) {
	_, _, err := ReadGiven("v.jsonl", io.MultiReader(strings.NewReader("{\"criterion\":\"a\",\"met\":true}\n"), iotest.ErrReader(errors.New("the disk broke"))))
	want := []finding{{2, 0, "line-unreadable", "the disk broke", ""}}
	if d := cmp.Diff(want, findings(diag.In(err))); d != "" {
		t.Error(d)
	}
}

func TestGiven_CheckNamesMismatches(t *testing.T) {
	g := given(t, strings.Join([]string{
		`{"criterion":"clear","met":true}`,
		`{"criterion":"cleear","met":true}`,
		`{"criterion":"clear","level":"warm","case":"x"}`,
		`{"criterion":"tone","level":"hot"}`,
		`{"criterion":"tone","met":true,"case":"x"}`,
		`{"criterion":"depth","number":10.5}`,
		`{"criterion":"depth","number":11,"case":"x"}`,
		`{"criterion":"all","met":true}`,
		`{"overall":101}`,
		`{"criterion":"only-b","met":true}`,
		`{"criterion":"cleear","unscored":"why","case":"x"}`,
	}, "\n"))
	other := &rubric.Rubric{ID: "b", Criteria: []rubric.Criterion{{ID: "only-b"}, {ID: "clear"}}}
	err := g.Check([]*rubric.Rubric{other, subject()})
	want := []finding{
		{2, 0, "verdict-misfit", `unknown criterion "cleear"`, `did you mean "clear"?`},
		{3, 0, "verdict-misfit", `criterion "clear" expects met or not met, not the level "warm"`, ""},
		{4, 0, "verdict-misfit", `criterion "tone" has no level "hot"; it expects one of the levels cold, neutral, warm`, ""},
		{5, 0, "verdict-misfit", `criterion "tone" expects one of the levels cold, neutral, warm, not the met "met"`, ""},
		{6, 0, "verdict-misfit", `criterion "depth" expects an integer from 0 to 10, not 10.5`, ""},
		{7, 0, "verdict-misfit", `criterion "depth" expects an integer from 0 to 10, not 11`, ""},
		{8, 0, "verdict-misfit", `criterion "all" is a group`, "give verdicts on its members"},
		{11, 0, "verdict-misfit", `unknown criterion "cleear"`, `did you mean "clear"?`},
	}
	if d := cmp.Diff(want, findings(diag.In(err))); d != "" {
		t.Error(d)
	}
	r := subject() // an answer that passes the check is not a number either
	v, ok := g.Verdict(r, r.Find("tone"), "x")
	if !ok || v.Status != rubric.Failed || v.Class != fault.Invalid || !strings.HasPrefix(v.Message, "v.jsonl:5: ") {
		t.Errorf("%+v", v)
	}
}

// FuzzReadGiven: whatever the file, there is an error or every verdict that
// comes out is sound.
func FuzzReadGiven(f *testing.F) {
	f.Add([]byte("{\"criterion\":\"clear\",\"met\":true}\r\n{\"case\":7,\"criterion\":\"tone\",\"level\":\"warm\"}\n{\"overall\":7}\n"))
	f.Add([]byte("\xEF\xBB\xBF{\"criterion\":\"depth\",\"value\":1e-1,\"reason\":\"\\ud83d\\ude00\"}\n\n[{}"))
	r := subject()
	f.Fuzz(func(t *testing.T, text []byte) {
		g, warnings, err := ReadGiven("v", bytes.NewReader(text))
		if len(warnings) > diag.Limit+1 || len(diag.In(err)) > diag.Limit+1 {
			t.Error("more diagnostics than may be")
		}
		if err != nil || g.Check([]*rubric.Rubric{r}) != nil {
			return
		}
		for _, c := range r.Leaves() {
			for i := range g.lines {
				if v, ok := g.Verdict(r, c, g.lines[i].Case); ok && v.Status == rubric.Scored && !(v.Value >= 0 && v.Value <= 1) {
					t.Errorf("%+v", v)
				}
			}
		}
	})
}

// manyLines writes verdicts: ten criteria of so many cases.
func manyLines(cases int) []byte {
	var b bytes.Buffer
	for i := range cases {
		for j := range 10 {
			fmt.Fprintf(&b, "{\"case\":\"case-%06d\",\"criterion\":\"c%d\",\"value\":0.%d}\n", i, j, j)
		}
	}
	return b.Bytes()
}

// TestReadGiven_TakesLittleMemory holds the promise of Given's comment.
func TestReadGiven_TakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	text := manyLines(20_000)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	g, _, err := ReadGiven("v", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	each := int(heap()-before) / len(g.lines)
	t.Logf("%d bytes for each of %d verdicts", each, len(g.lines))
	if each > 260 || len(g.lines) != 200_000 {
		t.Errorf("%d bytes for each of %d verdicts", each, len(g.lines))
	}
	runtime.KeepAlive(text)
}

func TestGiven_IsSafeForConcurrentUse(t *testing.T) {
	r := subject()
	g := given(t, `{"criterion":"clear","met":true}`)
	want, _ := g.Verdict(r, r.Find("clear"), "x")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				if v, ok := g.Verdict(r, r.Find("clear"), "x"); !ok || !cmp.Equal(want, v, cmpopts.EquateEmpty()) {
					t.Error(v)
				}
			}
		})
	}
	all.Wait()
}
