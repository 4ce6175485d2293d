// Package report renders the results of a run: text for a terminal, JSON, JSONL,
// CSV, Markdown, JUnit XML, GitHub annotations, SARIF and one self-contained HTML page.
// It also explains single rows. The package is pure, and whatever a model or a
// plugin wrote is made harmless for the medium: it can neither steer a terminal
// nor become markup, a formula or an annotation.
//
// Stability: stable.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Doc is the content of a report. Only Run is needed.
type Doc struct {
	Run     *result.Run
	Summary *result.Summary // nil: that of Run

	// Rubric gives the criteria their words. Nil: ids must do.
	Rubric *rubric.Rubric

	// Rows gives the rows, several times. Those that cannot be read are in the error of Write. May be nil.
	Rows iter.Seq2[*result.Row, error]

	// Case returns the case that a row graded: nil, or without fields, where it is not kept. May be nil.
	Case func(*result.Row) (*dataset.Case, error)

	// Calls returns the judge's calls about a criterion, or rubric.Overall. May be nil.
	Calls func(row *result.Row, criterion string) ([]llm.Call, error)

	// Next lists commands that the reader may run next; text shows them. Nil: none.
	Next []Step

	// Against is an earlier run, which the page shows beside this one: rows are
	// paired by case and repeat. Nil: none.
	Against *Doc
}

// A Step is a command that a report proposes.
type Step struct {
	Purpose string   // such as "resume"
	Command []string // the program and its arguments; shown as a shell takes them
}

// Options are how a report looks.
type Options struct {
	Color     bool   // text uses terminal colours
	Width     int    // columns of text; 0: tables have lines of any length, prose 100 columns
	Full      bool   // explanations show texts whole, not their beginning and end
	Fuller    string // the reader's way to Full, such as a flag; named where a text is shortened
	Limit     int    // most failing rows that Failures lists; 0: all
	More      string // the reader's way to all of them, named where there are more
	Criterion string // Failures lists the rows that lost points by this one, whether they passed or not
	Content   bool   // JSON and JSONL have the cases, too; the other formats always do

	Row func(*result.Row) error // Failures passes each row on, and writes nothing
}

func (o Options) width() int {
	if o.Width <= 0 {
		return 100
	}
	return max(40, o.Width)
}

// lines breaks plain text that stands behind an indent; it is one line where lines may have any
// length.
func (o Options) lines(text string, indent int) []string {
	if o.Width <= 0 {
		return []string{text}
	}
	return wrap(text, o.width()-indent)
}

// A Format is a form of report.
type Format string

// The formats.
const (
	Text     Format = "text"  // the end summary, for a terminal
	JSON     Format = "json"  // one object: run and rows
	JSONL    Format = "jsonl" // one row a line
	CSV      Format = "csv"   // one row a line, one column for each criterion
	Markdown Format = "md"    // for a pull request or a job summary
	JUnit    Format = "junit" // gates and cases as test cases
	GitHub   Format = "gh"    // workflow commands that annotate a pull request
	HTML     Format = "html"  // a page that needs nothing else
	SARIF    Format = "sarif" // findings of code plugins, for code hosts
)

var formats = []struct {
	name       Format
	extensions []string
	write      func(w io.Writer, d *view, o Options) error
	compare    func(w io.Writer, list []Compared, o Options) error // nil: not a format of WriteComparison
}{
	{Text, []string{".txt"}, writeText, writeComparisonText},
	{JSON, []string{".json"}, writeJSON, writeComparisonJSON},
	{JSONL, []string{".jsonl", ".ndjson"}, writeJSONL, nil},
	{CSV, []string{".csv"}, writeCSV, nil},
	{Markdown, []string{".md", ".markdown"}, writeMarkdown, writeComparisonMarkdown},
	{JUnit, []string{".xml"}, writeJUnit, nil},
	{GitHub, nil, writeGitHub, writeComparisonGitHub},
	{HTML, []string{".html", ".htm"}, writeHTML, writeComparisonHTML},
	{SARIF, []string{".sarif"}, writeSARIF, nil},
}

// Formats lists every format.
func Formats() []Format {
	out := make([]Format, len(formats))
	for i, f := range formats {
		out[i] = f.name
	}
	return out
}

// ParseFormat returns the format with a name or an extension, or a fault of class Usage.
func ParseFormat(name string) (Format, error) {
	for _, f := range formats {
		if string(f.name) == name || slices.Contains(f.extensions, "."+name) {
			return f.name, nil
		}
	}
	return "", fault.WithHint(fault.New(fault.Usage, "unknown report format %q", name), "%s", diag.DidYouMean(name, texts(Formats())))
}

func texts(list []Format) []string {
	return xslices.Map(list, func(f Format) string { return string(f) })
}

// FormatOf returns the format that the extension of a file names; ok is false if
// none does.
func FormatOf(path string) (f Format, ok bool) {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		if slices.Contains(f.extensions, ext) {
			return f.name, true
		}
	}
	return "", false
}

// Write writes a report. If some rows cannot be read it writes all that it can,
// and the error names the first of them.
func Write(w io.Writer, f Format, d Doc, o Options) error {
	for _, known := range formats {
		if known.name != f {
			continue
		}
		v := newView(d)
		out := &writer{w: w}
		if err := known.write(out, v, o); err != nil {
			return err
		}
		return errors.Join(out.err, v.lost())
	}
	_, err := ParseFormat(string(f))
	return err
}

// writer remembers the first error, so that printing need not check each.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(p)
	w.err = err
	return n, err
}

// view is a Doc with data that every format needs.
type view struct {
	Doc
	sum    *result.Summary
	unread int
	reason error     // why the first of them could not be read
	broken error     // why the content of a case could not be read; the first
	marks  []float64 // thresholds of the run
}

func newView(d Doc) *view {
	v := &view{Doc: d, sum: d.Summary}
	v.Run = cmp.Or(v.Run, new(result.Run))
	v.sum = cmp.Or(v.sum, v.Run.Summary, &result.Summary{Counts: v.Run.Counts, Usage: v.Run.Usage})
	for i := range v.Run.Gates {
		v.marks = append(v.marks, v.Run.Gates[i].Limit)
	}
	if v.Rubric != nil {
		v.marks = append(v.marks, marksOf(v.Rubric)...)
	}
	slices.Sort(v.marks)
	v.marks = slices.Compact(v.marks)
	v.marks = v.marks[:min(len(v.marks), maxMarks)]
	return v
}

// maxMarks bounds the work for a number of a rubric with many criteria.
const maxMarks = 64

// marksOf returns the scores of a rubric's verdicts and the values of its gates.
func marksOf(r *rubric.Rubric) []float64 {
	var out []float64
	for _, b := range r.Pass.Bands {
		out = append(out, b.Min)
	}
	for c := range r.All() {
		switch {
		case c.Min == nil:
		case c.Penalty():
			out = append(out, 1-*c.Min)
		default:
			out = append(out, *c.Min)
		}
	}
	return out
}

// rows goes over the rows that can be read.
func (v *view) rows() iter.Seq[*result.Row] {
	return func(yield func(*result.Row) bool) {
		if v.Rows == nil {
			return
		}
		v.unread, v.reason = 0, nil
		for row, err := range v.Rows {
			if err != nil {
				v.unread++
				v.reason = cmp.Or(v.reason, err)
				continue
			}
			if !yield(row) {
				return
			}
		}
	}
}

// lost returns the error of reading rows, or nil.
func (v *view) lost() error {
	switch v.unread {
	case 0:
		return v.broken
	case 1:
		return fmt.Errorf("a row is not in the report: %w", v.reason)
	}
	return fmt.Errorf("%d rows are not in the report; the first: %w", v.unread, v.reason)
}
