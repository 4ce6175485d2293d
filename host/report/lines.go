package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// writeJSON writes one object: schema, run (with its summary) and rows.
func writeJSON(w io.Writer, v *view, o Options) error {
	run := *v.Run
	run.Summary = v.sum
	var head bytes.Buffer
	if err := result.WriteRun(&head, &run); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	indented := bytes.ReplaceAll(bytes.TrimSpace(head.Bytes()), []byte("\n"), []byte("\n  "))
	fmt.Fprintf(w, "{\n  \"schema\": %d,\n  \"run\": %s,\n  \"rows\": [", result.SchemaVersion, indented)
	var buf []byte
	sep := "\n    "
	for row := range v.rows() {
		var err error
		if buf, err = v.appendRow(append(buf[:0], sep...), row, o); err != nil {
			return err
		}
		sep = ",\n    "
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	if sep != "\n    " {
		fmt.Fprint(w, "\n  ")
	}
	fmt.Fprint(w, "]\n}\n")
	return nil
}

// appendRow appends a row as rows.jsonl has it and, if that is asked for, the
// fields of its case as the member content.
func (v *view) appendRow(dst []byte, row *result.Row, o Options) ([]byte, error) {
	dst, err := result.AppendRow(dst, row)
	if err != nil || !o.Content {
		return dst, err
	}
	dst = append(dst[:len(dst)-1], `,"content":`...)
	if c := v.contentOf(row); c != nil {
		return append(c.AppendFields(dst), '}'), nil
	}
	return append(dst, "null}"...), nil
}

func writeJSONL(w io.Writer, v *view, o Options) error {
	var buf []byte
	for row := range v.rows() {
		var err error
		if buf, err = v.appendRow(buf[:0], row, o); err != nil {
			return err
		}
		if _, err := w.Write(append(buf, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// maxColumns is the number of criteria that get columns of their own.
const maxColumns = 200

// writeCSV writes a row each. Texts that a spreadsheet would take for a formula, and run, get an apostrophe
// before them, which marks text (OWASP, "CSV injection"); numbers are ours.
func writeCSV(w io.Writer, v *view, _ Options) error {
	ids := v.columns()
	out := csv.NewWriter(w)
	head, _ := v.csvRow(&result.Row{}, ids)
	if err := out.Write(head); err != nil {
		return err
	}
	for row := range v.rows() {
		_, cells := v.csvRow(row, ids)
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// columns are the ids of criteria and metrics, each once.
func (v *view) columns() []string {
	var ids []string
	have := map[string]bool{}
	for _, f := range v.sum.Figures() {
		if !have[f.ID] && len(ids) < maxColumns {
			have[f.ID] = true
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// csvRow returns the columns of a row: their heads, which are the same for every row, and its cells.
func (v *view) csvRow(row *result.Row, ids []string) (heads, cells []string) {
	add := func(head, text string) { heads, cells = append(heads, head), append(cells, text) }
	verdict, passed, reason := "", "", row.Reason
	if row.Verdict != nil {
		verdict = *row.Verdict
	}
	if row.Passed != nil {
		passed = strconv.FormatBool(*row.Passed)
	}
	if row.Error != nil {
		reason = row.Error.Message
	} else if reason == "" && row.Fails() {
		reason = v.whyFailed(row)
	}
	add("case", cell(row.Case))
	add("repeat", strconv.Itoa(max(1, row.Repeat)))
	add("cluster", cell(row.Cluster))
	add("status", cell(string(row.Status)))
	add("score", whole(row.Score))
	add("raw_score", whole(row.RawScore))
	add("verdict", cell(verdict))
	add("passed", passed)
	add("gate_failures", cell(strings.Join(row.GateFailures, " ")))
	add("reason", cell(reason))
	if v.Case != nil && !v.Run.Dataset.NoContent {
		c := v.contentOf(row)
		if c == nil {
			c = &dataset.Case{}
		}
		content := func(head, text string) { add(cell(head), cell(diag.Fit(text, maxCell))) }
		content("input", c.Input)
		content("output", c.Output)
		content("references", strings.Join(c.References, "\n"))
		for i, text := range v.sliceCells(c) {
			content("slice: "+v.sum.Slices[i].Field, text)
		}
	}
	byID := row.ByID()
	for _, id := range ids {
		value, reason := "", ""
		if c := byID[id]; c != nil {
			if value, reason = whole(c.Value), c.Reason; c.Error != nil {
				reason = c.Error.Message
			}
		}
		add(cell(id), value)
		add(cell("reason: "+id), cell(reason))
	}
	return heads, cells
}

// maxCell is the number of characters that every spreadsheet takes in a cell.
const maxCell = 32_000

// cell makes text safe in a spreadsheet, and in a terminal that shows the file.
func cell(s string) string {
	s = strings.ReplaceAll(plainLines(s), "\t", " ")
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \n"))
	if strings.ContainsRune("=+-@＝＋－＠\uFFFD", first) && s != "" {
		return "'" + s
	}
	return s
}
