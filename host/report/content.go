package report

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// caseOf returns the case that a row graded, or nil.
func (v *view) caseOf(row *result.Row) *dataset.Case {
	if v.Case == nil {
		return nil
	}
	c, err := v.Case(row)
	if err != nil && v.broken == nil {
		v.broken = fmt.Errorf("the content of a case is not in the report: %w", err)
	}
	return c
}

// contentOf is caseOf for those that have content.
func (v *view) contentOf(row *result.Row) *dataset.Case {
	if c := v.caseOf(row); c != nil && len(c.Fields) > 0 {
		return c
	}
	return nil
}

// contentNote says that a run keeps no content; empty if it does.
func (v *view) contentNote() string {
	if v.Run.Dataset.NoContent {
		return "case content not kept"
	}
	return ""
}

func explainContent(w io.Writer, c *dataset.Case, o Options) {
	if c == nil {
		return
	}
	if c.File != "" {
		writeBlock(w, o, "from", c.Source())
	}
	if c.Input != "" {
		writeBlock(w, o, "input", c.Input)
	}
	if c.HasOutput {
		writeBlock(w, o, "output", c.Output)
	}
	writeBlocks(w, o, "expected", c.References)
	writeBlocks(w, o, "context", c.Context)
}

// A span is a part of a text, in bytes.
type span struct{ start, end int }

// spanOf returns the part of text that evidence points at, in code points, if the text has it.
func spanOf(text string, e rubric.Evidence) (s span, ok bool) {
	if e.Start < 0 || e.End <= e.Start {
		return s, false
	}
	n, found := 0, 0
	for i := range text {
		if n == e.Start {
			s.start, found = i, found+1
		}
		if n == e.End {
			s.end = i
			return s, found == 1
		}
		n++
	}
	s.end = len(text)
	return s, found == 1 && n == e.End
}

func fieldText(c *dataset.Case, field string) string {
	switch field {
	case dataset.FieldOutput:
		return c.Output
	case dataset.FieldInput:
		return c.Input
	}
	texts, _ := c.Texts(field)
	if len(texts) == 1 {
		return texts[0]
	}
	return ""
}

// excerpt is the cited part of a case with some text around it; empty if the case does not have it.
func excerpt(c *dataset.Case, e rubric.Evidence) string {
	if c == nil {
		return ""
	}
	text := fieldText(c, e.Field)
	s, ok := spanOf(text, e)
	if !ok {
		return ""
	}
	const around, most = 40, 200
	from, to := s.start, s.end
	for n := 0; n < around && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	for n := 0; n < around && to < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	before, cited, after := text[from:s.start], diag.Fit(text[s.start:s.end], most), text[s.end:to]
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		after += "…"
	}
	return plain(before + "«" + cited + "»" + after)
}
