package main

import (
	"cmp"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
)

// A table is rows of aligned cells without control characters. Flush prints it.
type table struct{ *tabwriter.Writer }

// table returns a table for standard output, with a head if there is one.
func (con *console) table(head ...any) table {
	t := table{tabwriter.NewWriter(con.out, 0, 4, 2, ' ', 0)}
	if len(head) > 0 {
		t.row(head...)
	}
	return t
}

// row adds a row. Times are local.
func (t table) row(cells ...any) {
	for i, c := range cells {
		if at, ok := c.(time.Time); ok {
			c = moment(at)
		}
		if i > 0 {
			fmt.Fprint(t, "\t")
		}
		fmt.Fprint(t, diag.Plain(fmt.Sprint(c)))
	}
	fmt.Fprintln(t)
}

// line adds a row of a name and its value.
func (t table) line(name, format string, args ...any) { t.row(name, fmt.Sprintf(format, args...)) }

// moment is a time for a person.
func moment(t time.Time) string { return t.Local().Format(time.DateTime) }

// fitted cuts a text for a column.
func fitted(text string) string { return diag.Fit(diag.Plain(text), 40) }

func orDash(s string) string { return cmp.Or(s, "-") }
