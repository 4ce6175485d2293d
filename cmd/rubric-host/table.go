package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/rubric-host/rubric-host/host/diag"
)

// A table is rows of aligned cells without control characters. Flush prints it.
type table struct {
	out  io.Writer
	rows [][]string
}

// table returns a table for standard output, with a head if there is one.
func (con *console) table(head ...any) *table {
	t := &table{out: con.out}
	if len(head) > 0 {
		t.row(head...)
	}
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
	t.rows = append(t.rows, row)
}

// Flush prints the rows. The last cell of a row widens no column.
func (t *table) Flush() error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		line := ""
		for i, cell := range row[:len(row)-1] {
			line += padded(cell, widths[i]+2)
		}
		b.WriteString(strings.TrimRight(line+row[len(row)-1], " ") + "\n")
	}
	t.rows = nil
	_, err := io.WriteString(t.out, b.String())
	return err
}

// padded fills a text with blanks to a number of columns of a terminal.
func padded(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-lipgloss.Width(text)))
}

// line adds a row of a name and its value.
func (t *table) line(name, format string, args ...any) { t.row(name, fmt.Sprintf(format, args...)) }

// moment is a time for a person.
func moment(t time.Time) string { return t.Local().Format(time.DateTime) }

// fitted cuts a text for a column.
func fitted(text string) string { return diag.Fit(diag.Plain(text), 40) }

func orDash(s string) string { return cmp.Or(s, "-") }
