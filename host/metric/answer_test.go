package metric

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// fixtures decodes the lines of a file of testdata/abi.
func fixtures[T any](tb testing.TB, name string) []T {
	tb.Helper()
	text, err := os.ReadFile("../../testdata/abi/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	var out []T
	for line := range bytes.Lines(text) {
		var f T
		if err := json.Unmarshal(line, &f, json.RejectUnknownMembers(true)); err != nil {
			tb.Fatalf("%s: %v: %.80s", name, err, line)
		}
		out = append(out, f)
	}
	return out
}

// answerLine is a line of answers.jsonl.
type answerLine struct {
	Name     string     `json:"name"`
	Answer   string     `json:"answer"`
	Hex      string     `json:"hex"`
	Range    [2]float64 `json:"range"`
	Outcome  string     `json:"outcome"`
	Score    *float64   `json:"score"`
	Level    *string    `json:"level"`
	Unscored *string    `json:"unscored"`
}

func (l *answerLine) bytes(tb testing.TB) []byte {
	tb.Helper()
	if l.Hex == "" {
		return []byte(l.Answer)
	}
	b, err := hex.DecodeString(l.Hex)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// TestParseAnswer_Contract reads the fixtures that every SDK is tested with.
func TestParseAnswer_Contract(t *testing.T) {
	for _, l := range fixtures[answerLine](t, "answers.jsonl") {
		t.Run(l.Name, func(t *testing.T) {
			a, err := ParseAnswer(l.bytes(t))
			if err == nil && a.Score != nil {
				o := Options{Range: l.Range}
				err = within(*a.Score, o.bounds())
			}
			want := map[string]fault.Class{"ok": fault.None, "protocol": fault.Protocol, "plugin-error": fault.PluginError}[l.Outcome]
			if got := fault.Of(err); got != want {
				t.Fatalf("class %q (%v), want %q", got, err, want)
			}
			if err != nil {
				return
			}
			want2 := &Answer{Score: l.Score, Level: l.Level, Unscored: l.Unscored}
			if d := cmp.Diff(want2, a, cmpopts.IgnoreUnexported(Answer{}), cmpopts.IgnoreFields(Answer{}, "Reason", "Evidence", "Hits", "Misses", "Details", "Stats")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseAnswer_ReadsEveryField(t *testing.T) {
	in := []byte(" {\"score\" : -0.0, \"reason\":\"\\u00e9\\ud83d\\ude00\\n\", \"evidence\":[{\"field\":\"output\",\"start\":4,\"end\":7,\"text\":\"cat\"},{\"text\":\"remark\"},{}],\n" +
		"\"hits\":[\"a\",\"\"],\"misses\":[],\"details\":{ \"x\" : [1, {\"y\":null}] },\"stats\":[1,-2.5e3,1e-400]} \n")
	zero := 0.0
	want := &Answer{
		Score: &zero, Reason: "é😀\n",
		Evidence: []rubric.Evidence{{Field: "output", Start: 4, End: 7, Text: "cat"}, {Text: "remark"}, {}},
		Hits:     []string{"a", ""}, Misses: []string{}, Details: jsontext.Value(`{ "x" : [1, {"y":null}] }`), Stats: []float64{1, -2500, 0},
	}
	got, err := ParseAnswer(in)
	if err != nil {
		t.Fatal(err)
	}
	clear(in) // the answer is its own
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Answer{})); d != "" {
		t.Error(d)
	}
	if math.Signbit(*got.Score) {
		t.Error("the score is negative zero")
	}
}

func TestParseAnswer_NamesViolations(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	many := func(n int, of string) string { return "[" + strings.TrimSuffix(strings.Repeat(of+",", n), ",") + "]" }
	members := func(n int, last string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":%d,`, i, i)
		}
		return "{" + b.String() + last + "}"
	}
	tests := []struct {
		name, answer, want string // want is part of the message; empty: the answer is taken
	}{
		{"a level beside a score, as null", `{"score":1,"level":null}`, "/level: null instead of a string"},
		{"a reason that is null", `{"score":1,"reason":null}`, "/reason: null instead of a string"},
		{"hits with a null", `{"score":1,"hits":["a",null]}`, "/hits/1: null instead of a string"},
		{"details that are null", `{"score":1,"details":null}`, "/details: null instead of an object"},
		{"stats that are null", `{"score":1,"stats":null}`, "/stats: null instead of an array"},
		{"evidence before the text", `{"score":1,"evidence":[{"start":-1,"end":2}]}`, "/evidence/0/start: -1 is not a whole number from 0"},
		{"evidence that ends before it starts", `{"score":1,"evidence":[{"start":3,"end":2}]}`, "evidence starts at 3 and ends at 2"},
		{"evidence without an end", `{"score":1,"evidence":[{"start":3}]}`, "evidence starts at 3 and ends at 0"},
		{"evidence beyond any text", `{"score":1,"evidence":[{"start":3,"end":1e300}]}`, "/evidence/0/end: 1e300 is not a whole number from 0"},
		{"a whole number written as a double", `{"score":1,"evidence":[{"start":3.0,"end":4e0}]}`, ""},
		{"all four at once", `{"score":1,"level":"a","unscored":"b","error":"c"}`, "the answer has score and level and unscored and error at once"},
		{"a member twice, once with an escape", `{"score":1,"sc\u006fre":1}`, `duplicate member "score"`},
		{"a member with an escape", `{"sc\u006fre":1}`, ""},
		{"details with a member twice", `{"score":1,"details":{"a":1,"b":{"a":1},"a":2}}`, `duplicate member "a"`},
		{"details with a member twice, far apart", `{"score":1,"details":` + members(500, `"k0":1`) + `}`, `duplicate member "k0"`},
		{"details with many members", `{"score":1,"details":` + members(500, `"k500":1`) + `}`, ""},
		{"details with as many keys as may be", `{"score":1,"details":{"a":{` + named(499) + `},"b":[{` + named(499) + `}]}}`, ""},
		{"details with too many keys", `{"score":1,"details":{` + named(1001) + `}}`, "/details: more than 1000 keys"},
		{"details with too many keys at several levels", `{"score":1,"details":{"a":{` + named(500) + `},"b":[{` + named(499) + `}]}}`, "/details: more than 1000 keys"},
		{"details with many colons that are not keys", `{"score":1,"details":{"a":"` + strings.Repeat(":", 2000) + `"}}`, ""},
		{"details as long as may be", `{"score":1,"details":{"a":"` + strings.Repeat("x", 64<<10-8) + `"}}`, ""},
		{"details too long", `{"score":1,"details":{"a":"` + strings.Repeat("x", 64<<10-7) + `"}}`, "/details: 65537 bytes, at most 65536"},
		{"details as deep as may be", `{"score":1,"details":` + deep(99) + `}`, ""},
		{"details too deep", `{"score":1,"details":` + deep(100) + `}`, "nest more than 100 deep"},
		{"lists too deep", `{"score":1,"details":{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}}", "nest more than 100 deep"},
		{"a figure beyond a double", `{"score":1,"details":{"a":[1e999]}}`, "/details/a/0: 1e999 exceeds a float64"},
		{"a figure of many digits beyond a double", `{"score":1,"details":{"a":` + strings.Repeat("9", 400) + `}}`, "exceeds a float64"},
		{"a figure too small for a double is zero", `{"score":1,"details":{"a":1e-999}}`, ""},
		{"a number of stats beyond a double", `{"score":1,"stats":[-1e999]}`, "exceeds a float64"},
		{"a leading zero", `{"score":01}`, "after object value (expecting ',' or '}')"},
		{"a leading plus", `{"score":+1}`, "invalid character '+' at start of value (at byte 9 of 12)"},
		{"a bare point", `{"score":.5}`, "invalid character '.'"},
		{"a point without digits", `{"score":1.}`, "in number (expecting digit)"},
		{"an exponent without digits", `{"score":1e}`, "in number (expecting digit)"},
		{"a sign without digits", `{"score":-}`, "in number (expecting digit)"},
		{"a hexadecimal number", `{"score":0x1}`, "after object value (expecting ',' or '}')"},
		{"a control character", "{\"score\":1,\"reason\":\"a\x1fb\"}", `invalid character '\x1f' in string`},
		{"an unknown escape", `{"score":1,"reason":"\x41"}`, "invalid escape sequence"},
		{"half a surrogate pair in a name", `{"score":1,"details":{"\ud83d":1}}`, "invalid surrogate pair"},
		{"a word that is none", `{"score":1,"details":{"a":nul}}`, "in literal null"},
		{"a member that the contract does not know", `{"score":1,"confidence":0.9}`, `/confidence: unknown member (at byte 11 of 28)`},
		{"a name as long as the answer", `{"` + strings.Repeat("x", 1<<16) + `":1}`, `(65537 bytes): unknown member`},
		{"texts up to the bound", `{"score":1,"hits":["` + strings.Repeat("h", 30<<10) + `"],"misses":["` + strings.Repeat("m", 30<<10) + `"],"evidence":[{"field":"f","text":"` + strings.Repeat("t", 4<<10-1) + `"}]}`, ""},
		{"a hit that is too long", `{"score":1,"hits":["` + strings.Repeat("h", 64<<10+1) + `"]}`, "evidence, hits and misses have 65537 bytes of text, at most 65536"},
		{"hits, misses and evidence that are too long together", `{"score":1,"hits":["` + strings.Repeat("h", 30<<10) + `"],"misses":["` + strings.Repeat("m", 30<<10) + `"],"evidence":[{"field":"f","text":"` + strings.Repeat("t", 4<<10) + `"}]}`, "have 65537 bytes of text"},
		{"evidence up to the bound", `{"score":1,"hits":` + many(1000, `"a"`) + `}`, ""},
		{"hits beyond the bound", `{"score":1,"hits":` + many(1001, `"a"`) + `}`, "more than 1000 entries"},
		{"evidence and misses beyond the bound", `{"score":1,"evidence":` + many(600, `{}`) + `,"misses":` + many(401, `"a"`) + `}`, "more than 1000 entries"},
		{"stats up to the bound", `{"score":1,"stats":` + many(100_000, `1`) + `}`, ""},
		{"stats beyond the bound", `{"score":1,"stats":` + many(100_001, `1`) + `}`, "more than 100000 numbers"},
		{"a reason up to the bound", `{"score":1,"reason":"` + strings.Repeat("x", 64<<10) + `"}`, ""},
		{"a reason beyond the bound", `{"score":1,"reason":"` + strings.Repeat("x", 64<<10+1) + `"}`, "the reason has 65537 bytes, at most 65536"},
		{"why there is no score, beyond the bound", `{"unscored":"` + strings.Repeat("x", 64<<10+1) + `"}`, "unscored has 65537 bytes"},
		{"white space for a reason", `{"unscored":" \n\t"}`, "unscored says no reason"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := ParseAnswer([]byte(tt.answer))
			switch {
			case tt.want == "":
				if err != nil {
					t.Error(err)
				}
			case err == nil:
				t.Errorf("it was taken: %+v", a)
			case fault.Of(err) != fault.Protocol || !strings.Contains(err.Error(), tt.want):
				t.Errorf("%s: %v; want %q", fault.Of(err), err, tt.want)
			case a != nil:
				t.Error("an answer comes with the error")
			}
		})
	}
}

func TestParseAnswer_KeepsThePluginsErrorShort(t *testing.T) {
	for answer, want := range map[string]string{
		`{"error":"tokenize \"xx\" is unknown"}`:                  `tokenize "xx" is unknown`,
		`{"error":" "}`:                                           "an error that says nothing",
		`{"error":"` + strings.Repeat("é", 5000) + `"}`:           "(10000 bytes)",
		`{"error":"x","details":{"a":1},"hits":["h"],"stats":[]}`: "x",
	} {
		_, err := ParseAnswer([]byte(answer))
		if fault.Of(err) != fault.PluginError || !strings.Contains(err.Error(), want) || len(err.Error()) > 2100 {
			t.Errorf("%.60s: %s: %.100v", answer, fault.Of(err), err)
		}
	}
}

// named returns n members of an object.
func named(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	return strings.Join(list, ",")
}

// reference reads an answer with a library: slower, and the reference. strict lists
// the contract's further rules.
func reference(b []byte) (a Answer, strict bool, err error) {
	var read struct {
		Answer
		Evidence []struct {
			Field string  `json:"field"`
			Start float64 `json:"start"` // a whole number may be written as 3.0
			End   float64 `json:"end"`
			Text  string  `json:"text"`
		} `json:"evidence"`
	}
	if b = bytes.Trim(b, " \t\r\n"); !bytes.HasPrefix(b, []byte("{")) {
		return a, false, errors.New("not an object")
	}
	if err := json.Unmarshal(b, &read, json.RejectUnknownMembers(true)); err != nil {
		return a, false, err
	}
	a = read.Answer
	for _, e := range read.Evidence {
		strict = strict || e.Start < 0 || e.End < e.Start || e.End > math.MaxInt32 || e.Start != math.Trunc(e.Start) || e.End != math.Trunc(e.End)
		a.Evidence = append(a.Evidence, rubric.Evidence{Field: e.Field, Start: int(e.Start), End: int(e.End), Text: e.Text})
	}
	return a, strict || refusedBeyond(b, &a), a.check()
}

// refusedBeyond reports whether the contract refuses an answer that the library
// accepts.
func refusedBeyond(b []byte, a *Answer) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(b))
	inDetails, keys := false, 0
	for {
		tok, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || dec.StackDepth() > maxNesting {
			return true
		}
		if dec.StackDepth() == 1 {
			inDetails = tok.Kind() == '"' && dec.StackPointer().LastToken() == "details"
		}
		if kind, n := dec.StackIndex(dec.StackDepth()); inDetails && dec.StackDepth() > 1 && kind == '{' && n%2 == 1 {
			keys++
		}
		switch tok.Kind() {
		case 'n':
			if !inDetails || dec.StackDepth() == 1 {
				return true
			}
		case '0':
			if x, err := tok.Float(); err != nil || math.IsInf(x, 0) {
				return true
			}
		}
	}
	listed := len(strings.Join(a.Hits, "")) + len(strings.Join(a.Misses, ""))
	for _, e := range a.Evidence {
		listed += len(e.Field + e.Text)
	}
	return len(a.Evidence)+len(a.Hits)+len(a.Misses) > maxEvidence || listed > maxListed || len(a.Details) > maxDetails || keys > maxKeys || len(a.Stats) > maxStats || len(a.Details) > 0 && a.Details.Kind() != '{'
}

// plainly compares the details of a plain answer with the form that the library gives them in a row.
func plainly(t *testing.T, b []byte) {
	t.Helper()
	a, plain, err := parseAnswer(b)
	if err != nil || !plain || a.Details == nil {
		return
	}
	if as, err := jsontext.AppendFormat(nil, a.Details, jsontext.AllowDuplicateNames(false), jsontext.PreserveRawStrings(false)); err != nil || !bytes.Equal(as, a.Details) {
		t.Errorf("plain details %q become %q, %v", a.Details, as, err)
	}
}

// FuzzParseAnswer compares the reader with a library's: both accept the same answers
// and read them alike, apart from the contract's further rules. No resulting number
// breaks the contract.
func FuzzParseAnswer(f *testing.F) {
	for _, l := range fixtures[answerLine](f, "answers.jsonl") {
		if b := l.bytes(f); len(b) < 1000 {
			f.Add(b)
		}
	}
	f.Add([]byte(rougeAnswer))
	f.Add([]byte(bleuAnswer))
	f.Add([]byte(`{"score":1,"details":{"a":[{"b":"\u00e9\ud83d\ude00"},1e5,-0.0,null,true,false],"a\u0062":{}},"evidence":[{"start":1,"end":2}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ParseAnswer(b)
		want, strict, refErr := reference(b)
		switch {
		case err != nil && fault.Of(err) != fault.Protocol && fault.Of(err) != fault.PluginError:
			t.Fatalf("class %q: %v", fault.Of(err), err)
		case err != nil && got != nil:
			t.Fatal("an answer comes with an error")
		case err == nil && refErr != nil:
			t.Fatalf("taken, and the library refuses it: %v", refErr)
		case err != nil && refErr == nil && !strict:
			t.Fatalf("refused, and the library takes it: %v", err)
		case err != nil:
			return
		}
		if d := cmp.Diff(&want, got, cmpopts.IgnoreUnexported(Answer{}), cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
		plainly(t, b)
		if len(got.outcomes()) != 1 || got.Score != nil && !rubric.Finite(*got.Score) {
			t.Errorf("%+v", got)
		}
		for _, s := range got.Stats {
			if !rubric.Finite(s) {
				t.Errorf("stats: %v", s)
			}
		}
	})
}

// TestParseAnswer_EveryByteChanged puts each of a set of bytes in each place of good
// answers: the library accepts every accepted result, too.
func TestParseAnswer_EveryByteChanged(t *testing.T) {
	answers := []string{
		`{"score":0.5,"details":{"a":[1,"\u00e9"],"b":null},"stats":[1,2]}`,
		`{"level":"good","hits":["a","é"],"evidence":[{"field":"f","start":1,"end":2,"text":"t"}]}`,
		`{"unscored":"no references","reason":"r"}`,
		`{"score":0.25,"details":{"a":{"b":[1,2.5e-7,"t"]},"c":true,"d":[{"b":-10}]},"stats":[12,0,1e3,-7.5]}`,
	}
	for _, answer := range answers {
		for i := range answer {
			for _, c := range []byte("\x00\x1f\"\\{}[]:,0-+.eEnNtf \n/u\x7f\x80\xc3\xff") {
				b := []byte(answer)
				b[i] = c
				got, err := ParseAnswer(b)
				want, strict, refErr := reference(b)
				if (err == nil) != (refErr == nil && !strict) {
					t.Errorf("%q: %v, the library: %v (strict: %v)", b, err, refErr, strict)
				} else if err == nil {
					plainly(t, b)
					if d := cmp.Diff(&want, got, cmpopts.IgnoreUnexported(Answer{}), cmpopts.EquateEmpty()); d != "" {
						t.Errorf("%q: %s", b, d)
					}
				}
			}
		}
		for i := range answer {
			if _, err := ParseAnswer([]byte(answer[:i])); err == nil {
				t.Errorf("%q was taken", answer[:i])
			}
		}
	}
}
