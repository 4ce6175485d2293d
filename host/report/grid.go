package report

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Columns returns how many columns of a terminal a line has. Control sequences have none.
func Columns(line string) int {
	return displaywidth.Options{ControlSequences: true}.String(line)
}

// with paints a line by the parameters of a terminal's sequence SGR, if the options say so.
func (o Options) with(parameters, line string) string {
	if !o.Color || line == "" {
		return line
	}
	return "\x1b[" + parameters + "m" + line + "\x1b[m"
}

func (o Options) good(s string) string { return o.with("1;32", s) }
func (o Options) bad(s string) string  { return o.with("1;31", s) }
func (o Options) warn(s string) string { return o.with("33", s) }
func (o Options) bold(s string) string { return o.with("1", s) }
func (o Options) dim(s string) string  { return o.with("2", s) }

// verdict colours a word by whether it is good news.
func (o Options) verdict(word string, good bool) string {
	if good {
		return o.good(word)
	}
	return o.bad(word)
}

// class colours a cell of a table.
func (o Options) class(class, cell string) string {
	switch class {
	case "good":
		return o.good(cell)
	case "bad":
		return o.bad(cell)
	case "warn":
		return o.warn(cell)
	case "bold":
		return o.bold(cell)
	}
	return cell
}

// A Grid is a table of cells that line up, which may be painted. The last cell of a row is wrapped
// to fit; it widens no column unless it lines up at its right end. A cell of more than half of the
// screen widens none either: the other rows need the room.
type Grid struct {
	Width  int                                     // columns of the screen; 0: any
	Margin int                                     // blanks before each line
	Right  []bool                                  // columns that line up at their right end
	Wrap   func(text string, columns int) []string // nil: words that are too long are broken

	rows [][]string
}

func (o Options) grid(right ...bool) *Grid { return &Grid{Width: o.Width, Margin: 1, Right: right} }

// Add adds a row of one cell at least.
func (g *Grid) Add(cells ...string) { g.rows = append(g.rows, cells) }

// String returns the table.
func (g *Grid) String() string {
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			width := Columns(cell)
			if fits := g.Width == 0 || width <= g.Width/2; fits && (i < len(row)-1 || g.right(i)) {
				widths[i] = max(widths[i], width)
			}
		}
	}
	var b strings.Builder
	for _, row := range g.rows {
		line := strings.Repeat(" ", g.Margin)
		for i, cell := range row {
			gap := strings.Repeat(" ", max(0, widths[i]-Columns(cell)))
			if g.right(i) {
				cell = gap + cell
			} else {
				cell += gap
			}
			if i == len(row)-1 {
				cell = g.last(line, strings.TrimRight(cell, " "))
			} else {
				cell += "  "
			}
			line += cell
		}
		for text := range strings.SplitSeq(line, "\n") {
			b.WriteString(strings.TrimRight(text, " ") + "\n")
		}
	}
	return b.String()
}

func (g *Grid) right(i int) bool { return i < len(g.Right) && g.Right[i] }

// leastLast is the room that the last cell of a row needs beside the others; with less it goes
// below them.
const leastLast = 18

// last returns the last cell of a row, which begins with line, in as many lines as it needs.
func (g *Grid) last(line, cell string) string {
	indent, head, lines := Columns(line), "", wrap
	if g.Width == 0 || indent+Columns(cell) <= g.Width {
		return cell
	}
	if g.Width-indent < leastLast {
		indent, head = 6, "\n      "
	}
	if g.Wrap != nil {
		lines = g.Wrap
	}
	return head + strings.Join(lines(cell, max(leastLast, g.Width-indent)), "\n"+strings.Repeat(" ", indent))
}

// wrap breaks plain text into lines of at most width columns, at blanks where
// there are some. Line breaks and indentation stay: they are part of a program.
func wrap(s string, width int) []string {
	var out []string
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(s, "\t", "    "), "\n") {
		paragraph = strings.TrimRight(paragraph, " ")
		if Columns(paragraph) <= width {
			out = append(out, paragraph)
			continue
		}
		indent := paragraph[:min(len(paragraph)-len(strings.TrimLeft(paragraph, " ")), width/2)]
		for _, line := range Wrap(paragraph, width-len(indent), true) {
			out = append(out, indent+line)
		}
	}
	return out
}

// Wrap breaks text at blanks into lines of at most a number of columns. A longer word is broken, or
// has a line of its own.
func Wrap(text string, columns int, breaks bool) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		for breaks && Columns(word) > columns {
			head := fitting(word, columns)
			lines, word = append(lines, head), word[len(head):]
		}
		n := len(lines)
		switch {
		case word == "":
		case n > 0 && Columns(lines[n-1])+1+Columns(word) <= columns:
			lines[n-1] += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// fitting returns the longest beginning of a word that fits, at least one rune.
func fitting(word string, width int) string {
	columns := 0
	for i, r := range word {
		columns += Columns(string(r))
		if columns > width && i > 0 {
			return word[:i]
		}
	}
	return word
}
