package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

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
	head := []string{"case", "repeat", "cluster", "status", "score", "raw_score", "verdict", "passed", "gate_failures", "reason"}
	if v.Case != nil && !v.Run.Dataset.NoContent {
		head = append(head, "input", "output", "references")
		for _, slice := range v.sum.Slices {
			head = append(head, cell("slice: "+slice.Field))
		}
	}
	for _, id := range ids {
		head = append(head, cell(id), cell("reason: "+id))
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for row := range v.rows() {
		if err := out.Write(v.csvRow(row, ids)); err != nil {
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

func (v *view) csvRow(row *result.Row, ids []string) []string {
	verdict := ""
	if row.Verdict != nil {
		verdict = *row.Verdict
	}
	reason := row.Reason
	if row.Error != nil {
		reason = row.Error.Message
	}
	out := []string{
		cell(row.Case), strconv.Itoa(max(1, row.Repeat)), cell(row.Cluster), cell(string(row.Status)), whole(row.Score), whole(row.RawScore),
		cell(verdict), csvBool(row.Passed), cell(strings.Join(row.GateFailures, " ")), cell(reason),
	}
	if v.Case != nil && !v.Run.Dataset.NoContent {
		out = append(out, v.csvContent(row)...)
	}
	byID := row.ByID()
	for _, id := range ids {
		c := byID[id]
		switch {
		case c == nil:
			out = append(out, "", "")
		case c.Error != nil:
			out = append(out, whole(c.Value), cell(c.Error.Message))
		default:
			out = append(out, whole(c.Value), cell(c.Reason))
		}
	}
	return out
}

// maxCell is the number of characters that every spreadsheet takes in a cell.
const maxCell = 32_000

// csvContent are the cells of the case that a row graded.
func (v *view) csvContent(row *result.Row) []string {
	c := v.contentOf(row)
	if c == nil {
		return make([]string, 3+len(v.sum.Slices))
	}
	out := []string{cell(diag.Fit(c.Input, maxCell)), cell(diag.Fit(c.Output, maxCell)), cell(diag.Fit(strings.Join(c.References, "\n"), maxCell))}
	for _, s := range v.sliceCells(c) {
		out = append(out, cell(diag.Fit(s, maxCell)))
	}
	return out
}

// cell makes text safe in a spreadsheet, and in a terminal that shows the file.
func cell(s string) string {
	s = strings.ReplaceAll(plainLines(s), "\t", " ")
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \n"))
	if strings.ContainsRune("=+-@＝＋－＠\uFFFD", first) && s != "" {
		return "'" + s
	}
	return s
}

// csvBool writes a boolean; empty: unknown.
func csvBool(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}
