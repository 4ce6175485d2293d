package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptWidth is the number of characters of a source line that an excerpt shows.
const excerptWidth = 100

// Write writes the list to w for a person: each diagnostic with the source line
// it concerns and a mark under the place. src is the document, and may be nil.
// Control characters of src are replaced, so that it cannot steer a terminal.
func (l List) Write(w io.Writer, src []byte) error {
	lines := splitLines(src)
	for i, d := range l {
		if _, err := fmt.Fprintf(w, "%s: %s: %s [%s]\n", Plain(d.Pos.String()), d.Severity, Plain(d.Message), d.Code); err != nil {
			return err
		}
		if n := d.Pos.Line; n >= 1 && n <= len(lines) {
			text, mark := excerpt(lines[n-1], d.Pos.Column)
			fmt.Fprintf(w, "%5d | %s\n", n, text)
			if mark >= 0 {
				fmt.Fprintf(w, "      | %s^\n", strings.Repeat(" ", mark))
			}
		}
		if d.Hint != "" && (i+1 == len(l) || l[i+1].Hint != d.Hint) { // once behind several
			fmt.Fprintf(w, "        hint: %s\n", Plain(d.Hint))
		}
	}
	return nil
}

func splitLines(src []byte) [][]byte {
	if len(src) == 0 {
		return nil
	}
	return bytes.Split(src, []byte("\n"))
}

// excerpt returns at most excerptWidth characters of line around the 1-based
// byte column, and the position of the mark in them; -1 if there is none.
func excerpt(line []byte, column int) (text string, mark int) {
	line = bytes.TrimRight(line, "\r")
	if column < 1 || column > len(line)+1 {
		return Plain(Fit(string(line), excerptWidth)), -1
	}
	before := Plain(string(line[:column-1]))
	after := Plain(string(line[column-1:]))
	mark = utf8.RuneCountInString(before)
	if cut := mark - excerptWidth/2; cut > 0 && mark+1 > excerptWidth {
		before = "…" + string([]rune(before)[cut+1:])
		mark -= cut
	}
	return Fit(before+after, excerptWidth), mark
}

// Fit cuts a text to n characters, an ellipsis included: for layouts. Quotations in
// messages are cut by fault.Clip.
func Fit(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// Line is Fit for untrusted text of any length and form: it makes one plain line of it.
func Line(s string, n int) string {
	return Fit(strings.Join(strings.Fields(Plain(s[:min(len(s), 16*n)])), " "), n)
}

// Plain returns s with everything that could steer a terminal replaced: control
// characters, line separators, direction overrides and invalid UTF-8. Tabs and
// line breaks become single spaces. Anything that prints untrusted text to a
// person passes it through Plain.
func Plain(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(plainRune, strings.ToValidUTF8(s, "\uFFFD"))
}

// PlainLines is Plain for text of several lines: line breaks and tabs stay.
func PlainLines(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if r == '\r' {
			return -1
		}
		return plainRune(r)
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// Indented is PlainLines for text of others in a line of ours: its further lines
// are indented, so that none looks like a line of the program.
func Indented(s string) string { return strings.ReplaceAll(PlainLines(s), "\n", "\n    ") }

func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7F })
}

func plainRune(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\uFEFF':
		return '\uFFFD'
	}
	return r
}
