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

// Bounds on a file of JSON lines.
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
	problems := EachLine(name, io.TeeReader(r, hash), g.add)
	if len(g.lines) == 0 && len(problems.Errors()) == 0 {
		problems.Add(diag.Diagnostic{Code: "verdicts-empty", Pos: diag.Pos{File: name}, Message: "the file holds no verdict"})
	}
	g.digest = digest.Sum(hash)
	return g, problems.Warnings(), problems.Err()
}

// EachLine gives take each line that is not blank, with its number, and returns what is wrong
// with the lines and the file. name is for the places of problems.
func EachLine(name string, r io.Reader, take func(number int, text []byte) *diag.Diagnostic) (problems diag.List) {
	in := file.NewLines(r, maxLine)
	for n := 1; ; n++ {
		text, size, err := in.Next()
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
		}
		trimmed := bytes.TrimSpace(text)
		var bad *diag.Diagnostic
		ends := err != nil
		switch {
		case n > maxLines:
			bad, ends = &diag.Diagnostic{Code: "too-large", Message: fmt.Sprintf("the file has more than %d lines", maxLines), Hint: "split the file"}, true
		case n == 1 && (bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF"))):
			bad, ends = &diag.Diagnostic{Code: "encoding", Message: "the file is UTF-16", Hint: "save it as UTF-8"}, true
		case n == 1 && bytes.HasPrefix(trimmed, []byte("[")):
			bad, ends = &diag.Diagnostic{Code: "line-invalid", Message: "the file begins a list", Hint: "write one object a line, without brackets around them"}, true
		case text == nil && size > 0:
			bad = &diag.Diagnostic{Code: "line-too-long", Message: fmt.Sprintf("the line has more than %d bytes", maxLine)}
		case err != nil && !errors.Is(err, io.EOF):
			bad = &diag.Diagnostic{Code: "line-unreadable", Message: err.Error()}
		case len(trimmed) > 0:
			if bad = take(n, trimmed); bad != nil && bad.Pos.Column > 0 {
				bad.Pos.Column += bytes.Index(text, trimmed)
			}
		}
		if bad != nil {
			bad.Pos.File, bad.Pos.Line = name, n
			problems.Add(*bad)
		}
		if ends {
			return problems
		}
	}
}

// add takes one line.
func (g *Given) add(n int, text []byte) *diag.Diagnostic {
	l, bad := parseLine(text)
	if bad != nil {
		return bad
	}
	key := subjectKey{l.Case, l.Criterion}
	if at, ok := g.at[key]; ok {
		first := g.lines[at]
		if first.Line.sameAnswer(l.Line) {
			return &diag.Diagnostic{Severity: diag.Warning, Code: "verdict-twice", Message: fmt.Sprintf("line %d says the same of %s", first.number, l.subject())}
		}
		return &diag.Diagnostic{Code: "verdict-twice", Message: fmt.Sprintf("line %d gives %s another verdict", first.number, l.subject()), Hint: "remove one of the two"}
	}
	l.number = n
	g.at[key] = len(g.lines)
	g.lines = append(g.lines, l)
	return nil
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
