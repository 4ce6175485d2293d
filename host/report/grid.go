package report

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// paint colours text, or leaves it alone.
type paint struct{ on bool }

var (
	styleGood = lipgloss.NewStyle().Foreground(lipgloss.Green).Bold(true)
	styleBad  = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
	styleWarn = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	styleBold = lipgloss.NewStyle().Bold(true)
	styleDim  = lipgloss.NewStyle().Faint(true)
)

func (p paint) with(style lipgloss.Style, s string) string {
	if !p.on || s == "" {
		return s
	}
	return style.Render(s)
}

func (p paint) good(s string) string { return p.with(styleGood, s) }
func (p paint) bad(s string) string  { return p.with(styleBad, s) }
func (p paint) warn(s string) string { return p.with(styleWarn, s) }
func (p paint) bold(s string) string { return p.with(styleBold, s) }
func (p paint) dim(s string) string  { return p.with(styleDim, s) }

// verdict colours a word by whether it is good news.
func (p paint) verdict(word string, good bool) string {
	if good {
		return p.good(word)
	}
	return p.bad(word)
}

// grid is a table of cells that line up. Cells may be painted.
type grid struct {
	rows  [][]string
	right []bool // columns that line up at their right end
	width int    // columns of the screen; the last cell of a row is wrapped to fit. 0: any
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// String returns the table, each line with one blank before it.
func (g *grid) String() string {
	widths := g.widths()
	var b strings.Builder
	for _, row := range g.rows {
		for _, l := range g.lines(row, widths) {
			b.WriteString(l)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// widths returns the width of the widest cell of each column.
func (g *grid) widths() (widths []int) {
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	return widths
}

// lines returns a row: one line, and those of a wrapped last cell.
func (g *grid) lines(row []string, widths []int) []string {
	line, rest := "", []string(nil)
	for i, cell := range row {
		if left := g.width - lipgloss.Width(line) - 1; g.width > 0 && i > 0 && i == len(row)-1 && lipgloss.Width(cell) > left {
			cell, rest = wrapCell(line, cell, g.width)
		}
		gap := strings.Repeat(" ", max(0, widths[i]-lipgloss.Width(cell)))
		if i < len(g.right) && g.right[i] {
			cell = gap + cell
		} else {
			cell += gap
		}
		line += " " + cell
		if i < len(row)-1 {
			line += " "
		}
	}
	return append([]string{strings.TrimRight(line, " ")}, rest...)
}

// wrapCell breaks the last cell of a row after line. Where little room is left,
// it goes below, indented.
func wrapCell(line, cell string, width int) (first string, rest []string) {
	indent := lipgloss.Width(line) + 1
	lines := []string(nil)
	if width-indent < 24 {
		indent = 6
		lines = append([]string{""}, wrap(cell, max(20, width-indent))...)
	} else {
		lines = wrap(cell, width-indent)
	}
	for _, l := range lines[1:] {
		rest = append(rest, strings.Repeat(" ", indent)+l)
	}
	return lines[0], rest
}

// wrap breaks plain text into lines of at most width columns, at blanks where
// there are some. Line breaks and indentation stay: they are part of a program.
func wrap(s string, width int) []string {
	var out []string
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(s, "\t", "    "), "\n") {
		if lipgloss.Width(paragraph) <= width {
			out = append(out, strings.TrimRight(paragraph, " "))
			continue
		}
		indent := paragraph[:min(len(paragraph)-len(strings.TrimLeft(paragraph, " ")), width/2)]
		line, width, first := "", width-len(indent), len(out)
		for _, word := range strings.Fields(paragraph) {
			for lipgloss.Width(word) > width {
				if line != "" {
					out, line = append(out, line), ""
				}
				head := fitting(word, width)
				out = append(out, head)
				word = word[len(head):]
			}
			switch {
			case word == "":
			case line == "":
				line = word
			case lipgloss.Width(line)+1+lipgloss.Width(word) <= width:
				line += " " + word
			default:
				out, line = append(out, line), word
			}
		}
		out = append(out, line)
		for i := range out[first:] {
			out[first+i] = indent + out[first+i]
		}
	}
	return out
}

// fitting returns the longest beginning of a word that fits, at least one rune.
func fitting(word string, width int) string {
	columns := 0
	for i, r := range word {
		columns += lipgloss.Width(string(r))
		if columns > width && i > 0 {
			return word[:i]
		}
	}
	return word
}
