package judge

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func metC(id string) rubric.Criterion {
	return rubric.Criterion{ID: id, Text: "It does " + id + ".", Weight: rubric.One}
}

func levelC(id string, levels ...string) rubric.Criterion {
	c := rubric.Criterion{ID: id, Text: "How well?", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindLevel}}
	for i, l := range levels {
		c.Answer.Levels = append(c.Answer.Levels, rubric.Level{ID: l, Score: float64(i) / float64(max(1, len(levels)-1))})
	}
	return c
}

func numberC(id string, low, high float64, discrete bool) rubric.Criterion {
	return rubric.Criterion{ID: id, Text: "How much?", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: low, Max: high, Discrete: discrete}}}
}

func taskOf(t testing.TB, o Options, criteria ...rubric.Criterion) *task {
	t.Helper()
	r := &rubric.Rubric{ID: "r", Criteria: criteria}
	var list []*rubric.Criterion
	for i := range r.Criteria {
		list = append(list, &r.Criteria[i])
	}
	o.Templates = Engine()
	ta, err := newTask(context.Background(), r, list, &o)
	must(t, err)
	return ta
}

// theNonce is that of the messages in these tests.
const theNonce = "nnnnnnnn"

// readText reads an answer to a message about an empty case.
func readText(ta *task, text string) *answer { return ta.parse(text, &message{nonce: theNonce}) }

func TestParse_OneAnswer(t *testing.T) {
	met, level, integer, number := metC("c"), levelC("c", "poor", "fair", "very good", "good"), numberC("c", 0, 10, true), numberC("c", -1.5, 1.5, false)
	tests := []struct {
		name string
		c    rubric.Criterion
		text string
		want string // native answer; with ! first: the problem
	}{
		{"met", met, `{"reason": "r", "verdict": "MET"}`, "met"},
		{"unmet", met, `{"reason": "r", "verdict": "UNMET"}`, "not met"},
		{"in any case, with spaces", met, `{"verdict": " met\n"}`, "met"},
		{"true", met, `{"verdict": true}`, "met"},
		{"false", met, `{"verdict": false}`, "not met"},
		{"true as text", met, `{"verdict": "True"}`, "met"},
		{"in words", met, `{"verdict": "not met"}`, "not met"},
		{"without a reason", met, `{"verdict": "MET"}`, "met"},
		{"a reason that is null", met, `{"reason": null, "verdict": "MET"}`, "met"},
		{"a reason that is a list", met, `{"reason": ["a"], "verdict": "MET"}`, "met"},
		{"more members than asked for", met, `{"verdict": "MET", "confidence": 0.7, "criterion": "c"}`, "met"},
		{"in a fence", met, "```json\n{\"verdict\": \"MET\"}\n```\n", "met"},
		{"in a fence with words around it", met, "Sure!\n```json\n{\"nonce\": \"nnnnnnnn\", \"verdict\": \"MET\"}\n```\nBye", "met"},
		{"after a byte order mark", met, "\uFEFF{\"verdict\": \"MET\"}", "met"},
		{"after braces that are not JSON", met, `The set {a, b} and {"a": {x}. {"nonce": "nnnnnnnn", "verdict": "MET"}`, "met"},
		{"after an unclosed quote", met, `He said "so. {"nonce": "nnnnnnnn", "verdict": "MET"}`, "met"},
		{"inside another object", met, `{"answer": {"nonce": "nnnnnnnn", "verdict": "MET"}}`, "met"},
		{"inside a list", met, `[{"nonce": "nnnnnnnn", "verdict": "MET"}]`, "met"},
		{"in the form of several", met, `{"verdicts": {"c": {"verdict": "MET"}}}`, "met"},
		{"two that differ", met, `{"verdict": "MET"} {"verdict": "UNMET"}`, "!two answers that differ"},
		{"two that differ, with the nonce", met, `{"nonce": "nnnnnnnn", "verdict": "MET"} {"nonce": "nnnnnnnn", "verdict": "UNMET"}`, "!two answers that differ"},
		{"two that agree", met, `{"verdict": "MET"} {"reason": "r", "verdict": true}`, "met"},
		{"one of two is none", met, `{"verdict": "MET"} {"verdict": "MAYBE"}`, "!two answers that differ"},
		{"with the nonce of another message", met, `{"nonce": "mmmmmmmm", "verdict": "MET"}`, `!"nonce" is not that of this message`},
		{"braces in the reason", met, `{"reason": "it says } { \" {\"verdict\": \"UNMET\"}", "verdict": "MET"}`, "met"},
		{"after its thoughts", met, `<think>{"verdict": "MET"} no</think>{"verdict": "UNMET"}`, "not met"},
		{"given twice, the same", met, `{"verdict": "MET", "verdict": "met"}`, "met"},
		{"given twice, not the same", met, `{"verdict": "MET", "verdict": "UNMET"}`, "!twice"},
		{"half", met, `{"verdict": "PARTIAL"}`, `!expects "MET" or "UNMET", not "PARTIAL"`},
		{"a number for met", met, `{"verdict": 1}`, "!expects"},
		{"null", met, `{"verdict": null}`, "!expects"},
		{"a list", met, `{"verdict": ["MET"]}`, "!expects"},
		{"cannot assess, unasked", met, `{"verdict": "CANNOT_ASSESS"}`, "!must be decided"},
		{"no verdict", met, `{"reason": "r"}`, "!no JSON object of the requested form"},
		{"cut off", met, `{"reason": "r", "verdict": "MET`, "!no JSON object of the requested form"},
		{"empty", met, ``, "!no JSON object"},
		{"prose", met, `It is met.`, "!no JSON object"},
		{"the word alone", met, ` **MET** `, "met"},
		{"the word on the last line", met, "Because of this and that.\n\nVerdict: UNMET.", "not met"},
		{"a sentence that is not met", met, "The criterion is not met", "!no JSON object"},
		{"the word on the last line, marked", met, "Because.\n**Final verdict: MET**", "met"},
		{"true alone", met, "True.", "met"},
		{"true at the end of something", met, "The claim is wrong, not\ntrue", "!no JSON object"},
		{"another label", met, "Because.\nCriteria that are: met", "!no JSON object"},
		{"a sentence", met, "The verdict is MET.", "met"},
		{"a sentence, unmet", met, "My final answer is **UNMET**", "not met"},
		{"a sentence that hedges", met, "The verdict is MET or so.", "!no JSON object"},
		{"a sentence that denies", met, "The verdict is not MET.", "!no JSON object"},
		{"both words", met, "MET or UNMET", "!no JSON object"},
		{"control characters in a string are not JSON", met, "{\"reason\": \"a\nb\", \"verdict\": \"MET\"}", "!no JSON object of the requested form"},
		{"invalid UTF-8 is not JSON", met, "{\"reason\": \"\xff\", \"verdict\": \"MET\"}", "!no JSON object of the requested form"},

		{"a level", level, `{"verdict": "fair"}`, "fair"},
		{"a level in another case", level, `{"verdict": " Very Good"}`, "very good"},
		{"no such level", level, `{"verdict": "excellent"}`, `!expects one of "poor", "fair", "very good", "good", not "excellent"`},
		{"a level by number", level, `{"verdict": 2}`, "!expects"},
		{"a level as a word", level, "Level: fair", "fair"},
		{"a level as a word, twice", level, "Fair. I repeat: fair!", "fair"},
		{"a level in quotes", level, "  'Fair' \n", "fair"},
		{"the longer of two levels", level, "It is very good.", "very good"},
		{"two levels", level, "Between fair and good.", "!no JSON object"},
		{"a level denied", level, "This is not good", "!no JSON object"},
		{"a level denied in another way", level, "It isn't good", "!no JSON object"},
		{"part of a word", level, "unfair, goodness, fair-minded", "!no JSON object"},
		{"no level", level, "excellent", "!no JSON object"},
		{"a list of a level is not text", level, `["fair"]`, "!no JSON object"},
		{"another object with a level is not text", level, `{"level": "fair"}`, "!no JSON object of the requested form"},

		{"an integer", integer, `{"verdict": 7}`, "7"},
		{"an integer with a point", integer, `{"verdict": 7.0}`, "7"},
		{"an integer as text", integer, `{"verdict": " 7 "}`, "7"},
		{"an exponent", integer, `{"verdict": 1e1}`, "10"},
		{"both ends count", integer, `{"verdict": 0}`, "0"},
		{"not whole", integer, `{"verdict": 7.5}`, "!expects an integer from 0 to 10, not 7.5"},
		{"above the scale", integer, `{"verdict": 11}`, "!expects"},
		{"below the scale", integer, `{"verdict": -1}`, "!expects"},
		{"a share", integer, `{"verdict": "7/10"}`, "!expects"},
		{"a comma", integer, `{"verdict": "7,0"}`, "!expects"},
		{"an underscore", integer, `{"verdict": "1_0"}`, "!expects"},
		{"other digits", integer, `{"verdict": "٧"}`, "!expects"},
		{"hexadecimal", integer, `{"verdict": "0x7"}`, "!expects"},
		{"true is not a number", integer, `{"verdict": true}`, "!expects"},
		{"not a number", integer, `{"verdict": "NaN"}`, "!expects"},
		{"NaN is not JSON", integer, `{"verdict": NaN}`, "!no JSON object of the requested form"},
		{"infinity", integer, `{"verdict": "Infinity"}`, "!expects"},
		{"beyond all numbers", integer, `{"verdict": 1e999}`, "!expects"},
		{"a number without JSON", integer, `7`, "!no JSON object"},
		{"a fraction", number, `{"verdict": -0.25}`, "-0.25"},
		{"a fraction as text", number, `{"verdict": "1.5"}`, "1.5"},
		{"just beyond", number, `{"verdict": 1.5000001}`, "!from -1.5 to 1.5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ta := taskOf(t, Options{}, tt.c)
			a := readText(ta, tt.text)
			if problem, bad := strings.CutPrefix(tt.want, "!"); bad {
				if a.whole() || !strings.Contains(a.problems(ta), problem) {
					t.Errorf("whole = %v, problem %q, want %q", a.whole(), a.problems(ta), problem)
				}
				return
			}
			if !a.whole() || a.readings[0].native.String() != tt.want {
				t.Errorf("answer %+v, problem %q, want %s", a.readings[0], a.problems(ta), tt.want)
			}
		})
	}
}

func TestParse_Abstaining(t *testing.T) {
	for _, c := range []rubric.Criterion{metC("c"), levelC("c", "low", "high"), numberC("c", 0, 1, false)} {
		ta := taskOf(t, Options{Abstain: true}, c)
		for _, text := range []string{`{"reason": "no data", "verdict": "CANNOT_ASSESS"}`, `{"reason": "no data", "verdict": "cannot assess"}`} {
			if a := readText(ta, text); !a.whole() || !a.readings[0].abstained || a.readings[0].reason != "no data" {
				t.Errorf("%s: %+v", text, a.readings[0])
			}
		}
	}
	t.Run("where the dialect lets a criterion go without a verdict", func(t *testing.T) {
		r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{metC("must"), metC("may")}, Policy: rubric.Policy{Required: rubric.RequiredEvaluated}}
		r.Criteria[0].Required = true
		ta, err := newTask(context.Background(), r, []*rubric.Criterion{&r.Criteria[0], &r.Criteria[1]}, &Options{})
		must(t, err)
		a := readText(ta, `{"verdicts": {"must": {"verdict": "CANNOT_ASSESS"}, "may": {"verdict": "CANNOT_ASSESS"}}}`)
		if a.usable(0) != nil || a.usable(1) == nil {
			t.Errorf("must %+v, may %+v", a.usable(0), a.usable(1))
		}
	})
	t.Run("a level of that name is a level", func(t *testing.T) {
		a := readText(taskOf(t, Options{}, levelC("c", "cannot_assess", "fine")), `{"verdict": "cannot_assess"}`)
		if !a.whole() || a.readings[0].native.Level != "cannot_assess" {
			t.Errorf("%+v", a.readings[0])
		}
	})
}

func TestParse_SeveralAnswers(t *testing.T) {
	ta := taskOf(t, Options{}, metC("a"), levelC("b", "low", "high"), numberC("größe", 0, 10, true))
	const good = `{"verdicts": {"a": {"reason": "r", "verdict": "MET"}, "b": {"reason": "r", "verdict": "low"}, "größe": {"reason": "r", "verdict": 3}}}`
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(good) }
	tests := []struct {
		name     string
		text     string
		problems []string // empty: whole
		warnings []string
	}{
		{"all of them", good, nil, nil},
		{"names in another case", edit(`"a"`, `"A"`, `größe`, `GRÖSSE`), []string{`"größe" is not answered`}, []string{`"GRÖSSE"`}},
		{"names in another case that fold", edit(`"a"`, `" A "`), nil, nil},
		{"one is missing", edit(`"b": {"reason": "r", "verdict": "low"}, `, ""), []string{`criterion "b" is not answered`}, nil},
		{"one too many", edit(`"a":`, `"z": {"verdict": "MET"}, "a":`), nil, []string{`"z", which is not one of the criteria`}},
		{"one twice, the same", edit(`"b":`, `"a": {"verdict": true}, "b":`), nil, nil},
		{"one twice, not the same", edit(`"b":`, `"a": {"verdict": "UNMET"}, "b":`), []string{`criterion "a" is answered twice, and not the same`}, nil},
		{"one twice, wrong first", edit(`"a":`, `"a": {"verdict": 7}, "a":`), []string{`criterion "a" expects`}, nil},
		{"one without a verdict", edit(`"verdict": "low"`, `"level": "low"`), []string{`criterion "b" has no verdict`}, nil},
		{"one that is not an object", edit(`{"reason": "r", "verdict": "low"}`, `"low"`), []string{`criterion "b" expects an object`}, nil},
		{"two are wrong", edit(`"MET"`, `"SO-SO"`, `3`, `3.5`), []string{`criterion "a" expects`, `criterion "größe" expects an integer`}, nil},
		{"nothing in it", `{"verdicts": {}}`, []string{`"a" is not answered`, `"b" is not answered`, `"größe" is not answered`}, nil},
		{"verdicts that are a list", `{"verdicts": []}`, []string{"no JSON object of the requested form"}, nil},
		{"without the outer name", `{"a": {"verdict": "MET"}}`, []string{"no JSON object of the requested form"}, nil},
		{"in the form of one", `{"verdict": "MET"}`, []string{"no JSON object of the requested form"}, nil},
		{"words are not an answer to several", "MET low 3", []string{"no JSON object"}, nil},
		{"a draft before it", edit(`3`, `12`) + good, []string{"two answers that differ"}, nil},
		{"the same again", good + "\n" + good, nil, nil},
		{"the judge's own beside another", good + `{"nonce": "nnnnnnnn", ` + edit(`3`, `4`)[1:], nil, nil},
		{"an overall number beside them", edit(`}}}`, `}}, "overall": 42}`), nil, nil},
		{"an overall number that is none", edit(`}}}`, `}}, "overall": "high"}`), nil, []string{"overall number is left out"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := readText(ta, tt.text)
			if a.whole() != (len(tt.problems) == 0) {
				t.Fatalf("whole = %v: %s", a.whole(), a.problems(ta))
			}
			for _, p := range tt.problems {
				if !strings.Contains(a.problems(ta), p) {
					t.Errorf("problems %q, want %q", a.problems(ta), p)
				}
			}
			if n := strings.Count(a.problems(ta), ";") + 1; len(tt.problems) > 0 && n != len(tt.problems) {
				t.Errorf("problems %q, want %d", a.problems(ta), len(tt.problems))
			}
			for _, w := range tt.warnings {
				if !strings.Contains(strings.Join(a.warnings, "; "), w) {
					t.Errorf("warnings %q, want %q", a.warnings, w)
				}
			}
			if len(tt.warnings) == 0 && len(a.warnings) > 0 {
				t.Errorf("warnings %q", a.warnings)
			}
		})
	}
	if a := readText(ta, edit(`}}}`, `}}, "overall": 42}`)); a.overall == nil || *a.overall != 42 {
		t.Errorf("overall = %v", a.overall)
	}
	if a := readText(ta, edit(`"b":`, `"a": {"verdict": true}, "b":`)); !slices.Contains(a.readings[0].warnings, "the judge answered twice, and the same") {
		t.Errorf("warnings %q", a.readings[0].warnings)
	}
}

func TestParse_KeysCanBeCopied(t *testing.T) {
	long := strings.Repeat("x", 65)
	ta := taskOf(t, Options{}, metC("fine_1"), metC("#2"), metC("two words"), metC("c3"), metC(long), metC("a\"b"), metC("grün/x.y"))
	var keys []string
	for _, q := range ta.questions {
		keys = append(keys, q.key)
	}
	if got, want := strings.Join(keys, " "), "fine_1 #2 c10 c3 c5 c6 grün/x.y"; got != want {
		t.Errorf("keys %s, want %s", got, want)
	}
}

func TestAnswerSchema_OfEachKind(t *testing.T) {
	tests := []struct {
		name string
		o    Options
		c    rubric.Criterion
		want string
	}{
		{"met", Options{}, metC("c"), `{"type":"string","enum":["MET","UNMET"]}`},
		{"met, or not to say", Options{Abstain: true}, metC("c"), `{"type":"string","enum":["MET","UNMET","CANNOT_ASSESS"]}`},
		{"levels", Options{}, levelC("c", "b", "a"), `{"type":"string","enum":["b","a"]}`},
		{"a short integer scale is listed", Options{}, numberC("c", -1, 2, true), `{"type":"integer","enum":[-1,0,1,2]}`},
		{"only what is on it", Options{}, numberC("c", 0.5, 2.5, true), `{"type":"integer","enum":[1,2]}`},
		{"a long one is bounded", Options{}, numberC("c", 0, 1e6, true), `{"type":"integer","minimum":0,"maximum":1000000}`},
		{"a huge one too", Options{}, numberC("c", 1e17, 1e17+64, true), `{"type":"integer","enum":[100000000000000000,100000000000000000,`},
		{"a continuous one", Options{}, numberC("c", -1e-7, 1e21, false), `{"type":"number","minimum":-0.0000001,"maximum":1000000000000000000000}`},
		{"or not to say", Options{Abstain: true}, numberC("c", 0, 1, false), `{"anyOf":[{"type":"number","minimum":0,"maximum":1},{"type":"string","enum":["CANNOT_ASSESS"]}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(taskOf(t, tt.o, tt.c).schemaText)
			if !strings.HasPrefix(got, `{"type":"object","properties":{"reason":{"type":"string"},"verdict":`+tt.want) {
				t.Errorf("schema %s", got)
			}
			if !json.Valid([]byte(got)) {
				t.Error("the schema is not JSON")
			}
		})
	}
}

// TestParse_IsInRange: the value read from any text is an answer that the criterion
// accepts.
func TestParse_IsInRange(t *testing.T) {
	words := []string{`{`, `}`, `"verdict":`, `"verdicts":`, `"reason":`, `"a"`, `"b"`, `"c"`, `:`, `,`, `"MET"`, `"UNMET"`, `true`, `"low"`, `"high"`, `3`, `-1`, `1e9`, `"7"`, `NaN`,
		`[`, `]`, "\n", `null`, `"x"`, `MET`, `low`, `not`, `"overall":`, `\`, `"`, `{"a":{"verdict":"MET"},"b":{"verdict":"low"},"c":{"verdict":3}}`, `{"verdict":"high"}`}
	tasks := []*task{
		taskOf(t, Options{}, metC("a")), taskOf(t, Options{}, levelC("b", "low", "high")), taskOf(t, Options{Abstain: true}, numberC("c", 0, 10, true)),
		taskOf(t, Options{}, metC("a"), levelC("b", "low", "high"), numberC("c", 0, 10, true)),
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 30).Draw(rt, "text"), rapid.SampledFrom([]string{"", " "}).Draw(rt, "between"))
		checkAnswer(rt, rapid.SampledFrom(tasks).Draw(rt, "task"), text)
	})
}

// checkAnswer compares an answer with the promises of parse.
func checkAnswer(t interface {
	Fatalf(string, ...any)
}, ta *task, text string) {
	a := readText(ta, text)
	if len(a.readings) != len(ta.questions) || a.whole() != (a.problems(ta) == "") {
		t.Fatalf("%q: %d readings, whole %v, problems %q", text, len(a.readings), a.whole(), a.problems(ta))
	}
	for i := range ta.questions {
		r := a.usable(i)
		if r == nil {
			continue
		}
		if r.abstained {
			if !ta.questions[i].abstain || r.native != (rubric.Native{}) {
				t.Fatalf("%q: abstained: %+v", text, r)
			}
			continue
		}
		v, err := ta.questions[i].value(ta.rubric, r.native)
		if err != nil || !(v >= 0 && v <= 1) {
			t.Fatalf("%q: %+v is worth %v: %v", text, r, v, err)
		}
		if len(r.reason) > maxReason+8 {
			t.Fatalf("a reason of %d bytes", len(r.reason))
		}
	}
	if a.overall != nil && (!ta.complete || math.IsNaN(*a.overall) || *a.overall < 0 || *a.overall > 100) {
		t.Fatalf("%q: overall %v", text, *a.overall)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"reason": "r", "verdict": "MET"}`, "```json\n{\"verdict\": 7}\n```", `{"verdicts": {"a": {"verdict": "MET"}, "b": {"verdict": "low"}, "c": {"verdict": 3}}, "overall": 1e2}`,
		"It is low.", "Verdict: UNMET", `{"verdict": "1e5"} {{"verdict": -0}`, strings.Repeat(`{"a":`, 40), `{"verdict": "\ud800"}`, `</think>{"verdict":"CANNOT_ASSESS"}`,
	} {
		f.Add(s)
	}
	tasks := []*task{
		taskOf(f, Options{}, metC("a")), taskOf(f, Options{}, levelC("b", "low", "high")), taskOf(f, Options{Abstain: true}, numberC("c", 0, 10, true)),
		taskOf(f, Options{}, metC("a"), levelC("b", "low", "high"), numberC("c", 0, 10, true)),
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, ta := range tasks {
			checkAnswer(t, ta, text)
		}
	})
}

// TestParse_HostileTextInBoundedWork has texts that take naive scanners quadratic
// time: hours at these sizes.
func TestParse_HostileTextInBoundedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	one, many := taskOf(t, Options{}, metC("a")), taskOf(t, Options{}, metC("a"), metC("b"))
	chosen := amount.OneIn(4)
	for _, unit := range []string{`{`, `{"`, `{"a":`, `{"{"`, `{}`, `{"a":{}`, `{"verdicts":`, `}{`, `{"x":"`, `{"verdicts":{"a":{"verdict":"MET"}}} `, `[{`, `{"\`, `"{`, `{ " { " } `, `{"verdict":`} {
		if !chosen() {
			continue
		}
		text := strings.Repeat(unit, maxText/4/len(unit))
		visited := 0
		objects(text, func(found) bool { visited++; return false })
		if visited > maxText {
			t.Errorf("%q: %d objects", unit, visited)
		}
		for _, ta := range []*task{one, many} {
			if a := readText(ta, text); a.whole() && !strings.Contains(unit, "MET") {
				t.Errorf("%q: an answer", unit)
			}
		}
	}
	if a := readText(one, strings.Repeat(" ", maxText)+`{"verdict": "MET"}`); a.whole() {
		t.Error("a text beyond all bounds was read")
	}
	if a := readText(one, strings.Repeat(`{"a":`, 1000)+`{"nonce": "nnnnnnnn", "verdict": "MET"}`); !a.whole() {
		t.Error("an answer after junk was not found")
	}
}

// replaceNonce puts the nonce of a message into a text that is written with NONCE.
func replaceNonce(text string, to *message) string {
	return strings.ReplaceAll(text, "NONCE", to.nonce)
}
