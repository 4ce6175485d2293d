package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDiffWords_MarksEachSide(t *testing.T) {
	mark := func(parts []part, open, end string) string {
		var b strings.Builder
		for _, p := range parts {
			if p.Changed {
				b.WriteString(open + p.Text + end)
			} else {
				b.WriteString(p.Text)
			}
		}
		return b.String()
	}
	for _, tt := range [][4]string{
		{"a b c", "a b c", "a b c", "a b c"},
		{"it takes 14 days.", "it takes 30 days.", "it takes [14] days.", "it takes {30} days."},
		{"a b", "a x b", "a b", "a {x }b"},
		{"", "new", "", "{new}"},
		{"żółw 日本", "żółw", "żółw[ 日本]", "żółw"},
	} {
		l, r := diffWords(tt[0], tt[1])
		if got := [2]string{mark(l, "[", "]"), mark(r, "{", "}")}; got != [2]string{tt[2], tt[3]} {
			t.Errorf("%q and %q: %q", tt[0], tt[1], got)
		}
	}
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab .é")), 0, 30, -1)
	rapid.Check(t, func(rt *rapid.T) {
		a, b := text.Draw(rt, "a"), text.Draw(rt, "b")
		l, r := diffWords(a, b)
		same := func(parts []part) (s string) {
			for _, p := range parts {
				if !p.Changed {
					s += p.Text
				}
			}
			return s
		}
		if mark(l, "", "") != a || mark(r, "", "") != b || same(l) != same(r) {
			rt.Fatalf("%q, %q: %v, %v", a, b, l, r)
		}
	})
	same := strings.Repeat("word ", maxPageText/5)
	if n := testing.AllocsPerRun(1, func() { diffWords(same, same) }); n > 100 { // a copy of the text for each word takes 0.2 s
		t.Errorf("%.0f allocations", n)
	}
	long := strings.Repeat("x y ", 2*maxDiffWords)
	if l, _ := diffWords("a "+long, long+" b"); mark(l, "", "") != "a "+long {
		t.Error("a long text is not whole")
	}
}

// TestPageText_SaysWhatIsLeftOut: a text that is cut names the number of missing characters.
func TestPageText_SaysWhatIsLeftOut(t *testing.T) {
	if whole := strings.Repeat("é", maxPageText); pageText(whole) != whole {
		t.Error("a text that fits is cut")
	}
	if got := pageText(strings.Repeat("é", maxPageText+12_345)); !strings.HasSuffix(got, "é…\n(12,345 characters left out)\n…") {
		t.Errorf("%q", got[maxPageText*2:])
	}
}
