package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/file"
)

// lines cuts JSONL: a row a line, empty lines are none.
type lines struct {
	in    *file.Lines
	name  string
	limit int
	line  int // lines read
	err   error
}

func newLines(in *bufio.Reader, name string, limit int) splitter {
	return &lines{in: file.NewLines(in, limit), name: name, limit: limit}
}

func (l *lines) next(row *rawRow) bool {
	for l.err == nil {
		text, size, err := l.in.Next()
		l.err = err
		if size == 0 && err != nil {
			break
		}
		l.line++
		pos := diag.Pos{File: l.name, Line: l.line, Column: 1}
		if text == nil {
			*row = rawRow{pos: pos, bad: only(tooLong(pos, size, l.limit))}
			return true
		}
		trimmed := bytes.TrimLeft(text, " \t\r\n")
		if len(trimmed) == 0 {
			continue
		}
		pos.Column += len(text) - len(trimmed)
		*row = rawRow{json: bytes.TrimRight(trimmed, " \t\r\n"), pos: pos}
		return true
	}
	return false
}

func (l *lines) problem() *diag.Diagnostic {
	if l.err == nil || errors.Is(l.err, io.EOF) {
		return nil
	}
	return unreadable(diag.Pos{File: l.name, Line: l.line + 1}, l.err)
}

func tooLong(pos diag.Pos, size, limit int) diag.Diagnostic {
	return diag.Diagnostic{Code: "row-too-long", Pos: pos,
		Message: fmt.Sprintf("the row is %s long, more than the limit of %s", bytesWord(size), bytesWord(limit)),
		Hint:    "shorten the row"}
}

// unreadable says that reading failed, and the rest of the file with it.
func unreadable(pos diag.Pos, err error) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "file-unreadable", Pos: pos,
		Message: fmt.Sprintf("reading failed, the rest of the file is not read: %v", err), Hint: "check the file and the disk"}
}

// bytesWord returns a size for a person.
func bytesWord(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
