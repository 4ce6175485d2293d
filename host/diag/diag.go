// Package diag holds the problems found in files that people write: each has a
// place, a code, a message and a hint.
//
// Stability: stable.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Pos is a place in a file. Lines and columns start at 1; columns count
// bytes. The zero Line means the place is the file as a whole.
type Pos struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String returns "file:line:column", without the parts that are unknown.
func (p Pos) String() string {
	name := cmp.Or(p.File, "input")
	switch {
	case p.Line == 0:
		return name
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", name, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", name, p.Line, p.Column)
}

// A Severity says how much a diagnostic matters.
type Severity string

// The severities. Only an Error makes a file unusable.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// A Diagnostic is one problem, its place, and a hint.
type Diagnostic struct {
	Severity Severity
	Code     string // stable identifier, such as "weight-negative"
	Path     string // the element in the document, such as "criteria[2].weight"; may be empty
	Pos      Pos
	Message  string // lower case, no final period, quotes the offending value
	Hint     string // optional, an imperative sentence
}

// String returns the diagnostic on one line, with its hint on a second one.
func (d Diagnostic) String() string {
	s := fmt.Sprintf("%s: %s: %s [%s]", d.Pos, d.Severity, d.Message, d.Code)
	if d.Hint != "" {
		s += "\n\thint: " + d.Hint
	}
	return s
}

// A List is the problems of one document. As an error it has class
// fault.Invalid. The zero value is an empty list.
type List []Diagnostic

// Limit is the number of diagnostics a List takes; Add drops any more, so that a
// hostile file cannot fill memory with complaints.
const Limit = 200

// Add appends d unless the list is full. A list that is full ends with a
// diagnostic that says so.
func (l *List) Add(d Diagnostic) {
	d.Severity = cmp.Or(d.Severity, Error)
	switch n := len(*l); {
	case n < Limit:
		*l = append(*l, d)
	case n == Limit:
		*l = append(*l, Diagnostic{Severity: d.Severity, Code: "too-many", Pos: Pos{File: d.Pos.File},
			Message: fmt.Sprintf("more than %d problems; the rest is not shown", Limit)})
	case d.Severity == Error: // the list stays an error, whatever it shows
		(*l)[Limit].Severity = Error
	}
}

// Errors returns the diagnostics of severity Error.
func (l List) Errors() List { return l.of(Error) }

// Warnings returns the diagnostics of severity Warning.
func (l List) Warnings() List { return l.of(Warning) }

func (l List) of(s Severity) List {
	return xslices.Filter(l, func(d Diagnostic) bool { return d.Severity == s })
}

// Sort orders the list by place, errors first at the same place.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Severity, b.Severity),
		)
	})
}

// Err returns the list as an error of class fault.Invalid, or nil if it holds
// no error. Warnings stay in the list but do not make it an error.
func (l List) Err() error {
	if len(l.Errors()) == 0 {
		return nil
	}
	return fault.As(fault.Invalid, l)
}

// Error returns every diagnostic, one after the other.
func (l List) Error() string {
	return strings.Join(xslices.Map(l, Diagnostic.String), "\n")
}

// In returns the List in the chain of err, or nil.
func In(err error) List {
	l, _ := errors.AsType[List](err)
	return l
}

// Thousands writes a count with separators.
func Thousands(n int) string {
	return humanize.Comma(int64(n))
}

// Count writes a count and its noun.
func Count(n int, noun string) string {
	many := strings.Replace(noun+"s", "criterions", "criteria", 1)
	return Thousands(n) + " " + Plural(n, noun, many)
}

// Plural returns the words for one thing, or those for any other number of them.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Shell writes arguments as a shell takes them. The line is Plain, because it is shown to a
// person: bytes that Plain replaces are escaped, as in $'a\x0ab'.
func Shell(args ...string) string { return strings.Join(xslices.Map(args, shellQuote), " ") }

// shellQuote quotes an argument if it needs it.
func shellQuote(s string) string {
	if Plain(s) != s {
		var b strings.Builder
		for i := range len(s) {
			if c := s[i]; c < 0x20 || c >= 0x7F || c == '\'' || c == '\\' {
				fmt.Fprintf(&b, `\x%02x`, c)
			} else {
				b.WriteByte(c)
			}
		}
		return "$'" + b.String() + "'"
	}
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
