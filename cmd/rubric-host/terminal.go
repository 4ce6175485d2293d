package main

import (
	"cmp"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/rubric-host/rubric-host/host/report"
)

// fileOf returns the file that is written to, if it is one.
func fileOf(w io.Writer) (*os.File, bool) {
	if c, ok := w.(*checkedOutput); ok {
		w = c.Writer
	}
	f, ok := w.(*os.File)
	return f, ok
}

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	f, ok := fileOf(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the columns that output to w has: COLUMNS if it is set, else
// those of the terminal; 0 if w is none, and its lines may have any length.
func width(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 20 {
		return n
	}
	if f, ok := fileOf(w); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return max(n, 20)
		}
	}
	return 0
}

// sized reports whether the terminal that w is says how large it is, and has the columns that width
// returns at least. On another, such as a serial console, nothing can be redrawn.
func sized(w io.Writer) bool {
	f, ok := fileOf(w)
	if !ok {
		return false
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	return err == nil && columns >= 20 && rows > 0
}

// usualColumns are those of texts where standard output is not a terminal; on a wide one, prose has
// mostColumns.
const usualColumns, mostColumns = 80, 100

// columns returns those for prose on standard output.
func (con *console) columns() int { return min(cmp.Or(width(con.out), usualColumns), mostColumns) }

// shown returns the options of a report for standard output.
func (con *console) shown() report.Options {
	color := terminal(con.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return report.Options{Color: color, Width: width(con.out)}
}
