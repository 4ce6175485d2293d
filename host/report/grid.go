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
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// String returns the table, each line with one blank before it.
func (g *grid) String() string {
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	var b strings.Builder
	for _, row := range g.rows {
		line := ""
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-lipgloss.Width(cell))
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
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// narrow clips plain text to a number of columns.
func narrow(s string, columns int) string {
	const slack = 4 // runes that may share a column, as accents do
	if len(s) <= columns || len(s) < 1000 && lipgloss.Width(s) <= columns {
		return s
	}
	r := []rune(s)
	r = r[:min(len(r), slack*columns)]
	for len(r) > 0 && lipgloss.Width(string(r)) > columns-1 {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// wrap breaks plain text into lines of at most width columns, at blanks where
// there are some. Line breaks stay.
func wrap(s string, width int) []string {
	var out []string
	for _, paragraph := range strings.Split(s, "\n") {
		line := ""
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
