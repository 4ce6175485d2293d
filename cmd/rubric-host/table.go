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
	out   io.Writer
	width int // columns of the screen; the last cell of a row is wrapped to fit. 0: any
	rows  [][]string
}

// table returns a table for standard output, with a head if there is one.
func (con *console) table(head ...any) *table {
	t := &table{out: con.out, width: width(con.out)}
	if len(head) > 0 {
		t.row(head...)
	}
	return t
}

// page is a table of at most 80 columns where standard output is not a terminal: for texts that
// --json gives a script.
func (con *console) page(head ...any) *table {
	t := con.table(head...)
	t.width = cmp.Or(t.width, usualColumns)
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
		last := t.last(line, row[len(row)-1])
		if last == "" || last[0] == '\n' {
			line = strings.TrimRight(line, " ")
		}
		b.WriteString(line + last + "\n")
	}
	t.rows = nil
	_, err := io.WriteString(t.out, b.String())
	return err
}

// leastLast is the room that the last cell of a row needs beside the others; with less it goes
// below them.
const leastLast = 18

// last returns the last cell of a row, which begins with line, in as many lines as it needs.
func (t *table) last(line, cell string) string {
	indent := lipgloss.Width(line)
	if t.width == 0 || indent+lipgloss.Width(cell) <= t.width {
		return cell
	}
	head := ""
	if t.width-indent < leastLast {
		indent = 6
		head = "\n" + strings.Repeat(" ", indent)
	}
	return head + strings.Join(wrapWords(cell, t.width-indent), "\n"+strings.Repeat(" ", indent))
}

// padded fills a text with blanks to a number of columns of a terminal.
func padded(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-lipgloss.Width(text)))
}

func (t *table) line(name, format string, args ...any) { t.row(name, fmt.Sprintf(format, args...)) }

// moment is a time for a person.
func moment(t time.Time) string { return t.Local().Format(time.DateTime) }

// fitted cuts a text for a column.
func fitted(text string) string { return diag.Fit(diag.Plain(text), 40) }

func orDash(s string) string { return cmp.Or(s, "-") }
