package main

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/report"
)

// A table is rows of aligned cells without control characters. Flush prints it.
type table struct {
	report.Grid
	out io.Writer
}

// table returns a table for standard output, with a head if there is one.
func (con *console) table(head ...any) *table {
	t := &table{report.Grid{Width: width(con.out), Wrap: wrapWords}, con.out}
	if len(head) > 0 {
		t.row(head...)
	}
	return t
}

// page is a table of at most 80 columns where standard output is not a terminal: for texts that
// --json gives a script.
func (con *console) page(head ...any) *table {
	t := con.table(head...)
	t.Width = cmp.Or(t.Width, usualColumns)
	return t
}

// row adds a row. Times are local.
func (t *table) row(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		if at, ok := c.(time.Time); ok {
			c = moment(at)
		}
		row[i] = diag.Plain(fmt.Sprint(c))
	}
	t.Add(row...)
}

// Flush prints the rows.
func (t *table) Flush() error {
	text := t.String()
	t.Grid = report.Grid{Width: t.Width, Wrap: wrapWords}
	_, err := io.WriteString(t.out, text)
	return err
}

// list prints a list of n elements: v for a script, or t for a person, or what is said of none.
func (con *console) list(v any, n int, t *table, none string) error {
	switch {
	case con.json:
		return con.printJSON(v)
	case n == 0:
		con.say("%s", none)
		return nil
	}
	return t.Flush()
}

func (t *table) line(name, format string, args ...any) { t.row(name, fmt.Sprintf(format, args...)) }

// moment is a time for a person.
func moment(t time.Time) string { return t.Local().Format(time.DateTime) }

// fitted cuts a text for a column.
func fitted(text string) string { return diag.Fit(diag.Plain(text), 40) }

func orDash(s string) string { return cmp.Or(s, "-") }
