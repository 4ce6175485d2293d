package diag_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

func TestPos_String(t *testing.T) {
	for pos, want := range map[diag.Pos]string{
		{}:                                   "input",
		{File: "a.yaml"}:                     "a.yaml",
		{File: "a.yaml", Line: 3}:            "a.yaml:3",
		{File: "a.yaml", Line: 3, Column: 7}: "a.yaml:3:7",
	} {
		if got := pos.String(); got != want {
			t.Errorf("%#v = %q, want %q", pos, got, want)
		}
	}
}

func TestList_IsAnErrorOnlyWithErrors(t *testing.T) {
	var l diag.List
	l.Add(diag.Diagnostic{Severity: diag.Warning, Message: "many criteria"})
	if err := l.Err(); err != nil {
		t.Fatalf("warnings alone became an error: %v", err)
	}
	l.Add(diag.Diagnostic{Message: "weight is NaN"})
	err := fmt.Errorf("loading: %w", l.Err())
	if fault.Of(err) != fault.Invalid {
		t.Errorf("class = %q, want invalid", fault.Of(err))
	}
	if got := len(diag.In(err)); got != 2 {
		t.Errorf("In found %d diagnostics, want 2", got)
	}
}

func TestList_AddIsBounded(t *testing.T) {
	var l diag.List
	for range 10 * diag.Limit {
		l.Add(diag.Diagnostic{Code: "x"})
	}
	if len(l) != diag.Limit+1 || l[diag.Limit].Code != "too-many" {
		t.Errorf("%d diagnostics kept, last %q", len(l), l[len(l)-1].Code)
	}
}

func TestList_AddKeepsAnErrorBehindWarnings(t *testing.T) {
	var l diag.List
	for range diag.Limit + 5 {
		l.Add(diag.Diagnostic{Severity: diag.Warning})
	}
	if l.Err() != nil {
		t.Error("warnings are an error")
	}
	l.Add(diag.Diagnostic{Severity: diag.Error})
	if l.Err() == nil {
		t.Error("a list that is full loses an error")
	}
}

func TestSuggest_FindsTheNearestWord(t *testing.T) {
	known := []string{"criteria", "weight", "required", "levels", "reference", "references", "metric", "metadata"}
	for word, want := range map[string]string{
		"wieght":                   "weight", // swapped
		"Weight":                   "weight", // case
		"weigth":                   "weight",
		"criterea":                 "criteria",
		"requird":                  "required",
		"level":                    "levels",
		"crit":                     "criteria",
		"ref":                      "reference",
		"met":                      "", // two words start with it
		"re":                       "",
		"banana":                   "",
		"x":                        "",
		strings.Repeat("w", 1<<20): "",
	} {
		if got := diag.Suggest(word, known); got != want {
			t.Errorf("Suggest(%.20q) = %q, want %q", word, got, want)
		}
	}
}

func TestList_WriteMarksThePlace(t *testing.T) {
	src := "rubric: x\n  wieght: 2\n"
	var out bytes.Buffer
	l := diag.List{
		{Severity: diag.Error, Code: "unknown-key", Pos: diag.Pos{File: "r.yaml", Line: 2, Column: 3}, Message: `unknown key "wieght"`, Hint: `did you mean "weight"?`},
		{Severity: diag.Error, Code: "a", Message: "a", Hint: "said once"},
		{Severity: diag.Error, Code: "b", Message: "b", Hint: "said once"},
	}
	if err := l.Write(&out, []byte(src)); err != nil {
		t.Fatal(err)
	}
	want := "r.yaml:2:3: error: unknown key \"wieght\" [unknown-key]\n" +
		"    2 |   wieght: 2\n" +
		"      |   ^\n" +
		"        hint: did you mean \"weight\"?\n" +
		"input: error: a [a]\ninput: error: b [b]\n        hint: said once\n"
	if out.String() != want {
		t.Errorf("got:\n%swant:\n%s", out.String(), want)
	}
}

func TestList_WriteSurvivesHostileSource(t *testing.T) {
	long := strings.Repeat("\x1b[31m\u202e", 10000)
	l := diag.List{{Pos: diag.Pos{Line: 1, Column: 40000}, Message: "a\x1b]0;title\x07b"}, {Pos: diag.Pos{Line: 9, Column: -3}}}
	var out bytes.Buffer
	if err := l.Write(&out, []byte(long+"\xff\xfe")); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\x07\u202e") {
		t.Errorf("control characters reached the output: %q", out.String())
	}
	if out.Len() > 2000 {
		t.Errorf("an excerpt of %d bytes", out.Len())
	}
}

func TestPlain_TakesControlCharactersOut(t *testing.T) {
	for in, want := range map[string]string{
		"plain":         "plain",
		"two\nlines\t.": "two lines .",
		"\x1b[2Jx":      "\uFFFD[2Jx",
		"\u202eevil":    "\uFFFDevil",
		"bad\xffutf8":   "bad\uFFFDutf8",
		"naïve 日本 👩‍🚀":  "naïve 日本 👩‍🚀",
	} {
		if got := diag.Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := diag.PlainLines("a\r\n\tb\x00"), "a\n\tb\uFFFD"; got != want {
		t.Errorf("PlainLines = %q, want %q", got, want)
	}
}
