package scorer

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Bounds on a file of verdicts.
const (
	maxLine  = 1 << 20  // bytes of a line
	maxLines = 20 << 20 // lines
)

// ReadGiven reads verdicts, one JSON object a line; empty lines are skipped. It
// returns warnings, and an error that is a diag.List with every line that is
// wrong. name is for their places.
func ReadGiven(name string, r io.Reader) (*Given, diag.List, error) {
	g := &Given{file: name, at: map[subjectKey]int{}}
	hash := sha256.New()
	rd := reading{given: g, in: file.NewLines(io.TeeReader(r, hash), maxLine)}
	for rd.next() {
	}
	if len(g.lines) == 0 && len(rd.problems.Errors()) == 0 {
		rd.complain(0, "verdicts-empty", &misfit{text: "the file holds no verdict"})
	}
	g.digest = digest.Sum(hash)
	return g, rd.problems.Warnings(), rd.problems.Err()
}

// reading is the work of one ReadGiven.
type reading struct {
	given    *Given
	in       *file.Lines
	line     int
	problems diag.List
}

func (r *reading) complain(line int, code string, m *misfit) {
	r.problems.Add(diag.Diagnostic{Code: code, Pos: diag.Pos{File: r.given.file, Line: line, Column: m.column}, Message: m.text, Hint: m.hint})
}

// next reads a line, and reports whether to continue.
func (r *reading) next() bool {
	text, size, err := r.in.Next()
	if r.line++; r.line > maxLines {
		r.complain(r.line, "too-large", &misfit{text: fmt.Sprintf("the file has more than %d lines", maxLines), hint: "split the file"})
		return false
	}
	if r.line == 1 {
		text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
		if bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF")) {
			r.complain(1, "encoding", &misfit{text: "the file is UTF-16", hint: "save it as UTF-8"})
			return false
		}
		if text := bytes.TrimSpace(text); len(text) > 0 && text[0] == '[' {
			r.complain(1, "line-invalid", &misfit{text: "the file begins a list", hint: "write one object a line, without brackets around them"})
			return false
		}
	}
	switch {
	case text == nil && size > 0:
		r.complain(r.line, "line-too-long", &misfit{text: fmt.Sprintf("the line has more than %d bytes", maxLine)})
		return err == nil
	case err != nil && !errors.Is(err, io.EOF):
		r.complain(r.line, "line-unreadable", &misfit{text: err.Error()})
		return false
	}
	if blank := len(text) - len(bytes.TrimLeft(text, " \t")); len(bytes.TrimSpace(text)) > 0 {
		r.add(bytes.TrimSpace(text), blank)
	}
	return err == nil
}

// add takes one line; blank is how many bytes stand before it.
func (r *reading) add(text []byte, blank int) {
	l, bad := parseLine(text)
	if bad != nil {
		if bad.column > 0 {
			bad.column += blank
		}
		r.complain(r.line, "line-invalid", bad)
		return
	}
	g := r.given
	key := subjectKey{l.Case, l.Criterion}
	if at, ok := g.at[key]; ok {
		first := g.lines[at]
		if first.Line.sameAnswer(l.Line) {
			r.problems.Add(diag.Diagnostic{Severity: diag.Warning, Code: "verdict-twice", Pos: diag.Pos{File: g.file, Line: r.line},
				Message: fmt.Sprintf("line %d says the same of %s", first.number, l.subject())})
			return
		}
		r.complain(r.line, "verdict-twice", &misfit{text: fmt.Sprintf("line %d gives %s another verdict", first.number, l.subject()), hint: "remove one of the two"})
		return
	}
	l.number = r.line
	g.at[key] = len(g.lines)
	g.lines = append(g.lines, l)
}

// sameAnswer reports whether two lines on one subject differ in their reasons at most. Both are copies.
func (l Line) sameAnswer(o Line) bool {
	l.Reason, o.Reason = "", ""
	return reflect.DeepEqual(l, o)
}

func (l *Line) subject() string {
	what := fmt.Sprintf("criterion %q", fault.Clip(l.Criterion, 60))
	if l.Criterion == rubric.Overall {
		what = "the rubric"
	}
	if l.Case != "" {
		what += fmt.Sprintf(" of case %q", fault.Clip(l.Case, 60))
	}
	return what
}
