package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

// helpPages are the pages of "help TOPIC", in Markdown.
//
//go:embed help/*.md
var helpPages embed.FS

// topics lists the help pages in the order in which a newcomer needs them, each with
// a one-line summary.
var topics = [][2]string{
	{"datasets", "file formats, fields of a case and their aliases"},
	{"samples", "several outputs per problem, pass@k, HumanEval and other sets"},
	{"rubrics", "a whole rubric, and the keys of the native format"},
	{"metrics", "built-in metrics, and metrics of your own"},
	{"judges", "language models as judges: endpoints, keys, prices"},
	{"gates", "conditions that decide the exit code"},
	{"exit-codes", "what each exit code means"},
	{"environment", "environment variables and the configuration file"},
}

func topicNames() []string {
	return xslices.Map(topics, func(t [2]string) string { return t[0] })
}

func helpCommand(p *program) *cobra.Command {
	var list strings.Builder
	for _, t := range topics {
		fmt.Fprintf(&list, "\n  %-11s %s", t[0], t[1])
	}
	return unconfigured(&cobra.Command{
		Use:     "help [TOPIC|COMMAND]",
		Short:   "Explain a topic: " + strings.Join(topicNames(), ", "),
		Long:    "Explain a topic, or show the help of a command. Topics:\n" + list.String(),
		Example: "rubric-host help datasets\nrubric-host help eval",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(given) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return topicNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, a []string) error { return explainTopic(p, cmd, a) },
	})
}

// explainTopic prints a help page, or the help of a command.
func explainTopic(p *program, cmd *cobra.Command, words []string) error {
	if len(words) == 0 {
		return cmd.Help()
	}
	if len(words) == 1 && slices.Contains(topicNames(), words[0]) {
		text, rows, err := helpPage(words[0])
		if err != nil {
			return err
		}
		if p.json {
			page := map[string]any{"topic": words[0], "text": text}
			if rows != nil {
				page["metrics"] = rows
			}
			return p.printJSON(page)
		}
		_, err = fmt.Fprint(p.out, plainMarkdown(text, p.columns()))
		return err
	}
	found, rest, err := p.root.Find(words)
	if err == nil && len(rest) == 0 && found != p.root {
		return found.Help()
	}
	if len(words) == 1 && slices.Contains(plugins.Names(), words[0]) {
		return fault.WithHint(fault.New(fault.Usage, "%q is a metric, not a help topic", words[0]), "rubric-host score %s --help describes it", words[0])
	}
	known := append(topicNames(), xslices.Map(p.root.Commands(), (*cobra.Command).Name)...)
	return fault.WithHint(fault.New(fault.Usage, "no help topic or command %q", strings.Join(words, " ")), "%s", diag.DidYouMean(words[0], known))
}

// helpPage returns the page of a topic in Markdown, and the metrics that it lists, if it lists
// them.
func helpPage(topic string) (string, []metricRow, error) {
	text, err := helpPages.ReadFile("help/" + topic + ".md")
	if err != nil || !strings.Contains(string(text), metricsMark) {
		return string(text), nil, err
	}
	rows, err := metricRows()
	return strings.Replace(string(text), metricsMark, metricsTable(rows), 1), rows, err
}

// plainMarkdown renders a help page, in the Markdown that the pages use, for a terminal of a number of columns.
func plainMarkdown(text string, columns int) string {
	var out strings.Builder
	var table [][]string
	var paragraph []string
	flush := func() {
		writeTable(&out, table, columns)
		for _, l := range wrapWords(strings.Join(paragraph, " "), columns) {
			out.WriteString(l + "\n")
		}
		table, paragraph = nil, nil
	}
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			code = !code
		case code:
			out.WriteString("  " + line + "\n")
		case strings.HasPrefix(line, "|"):
			if cells := tableCells(line); cells != nil {
				table = append(table, cells)
			}
		case strings.HasPrefix(line, "#"):
			flush()
			out.WriteString(strings.ToUpper(strings.TrimLeft(line, "# ")) + "\n")
		case line == "":
			flush()
			out.WriteByte('\n')
		case strings.HasPrefix(line, "  "): // a list or a file
			flush()
			out.WriteString(line + "\n")
		default:
			paragraph = append(paragraph, unmarked(line))
		}
	}
	flush()
	return out.String()
}

// unmarked removes the marks for code and bold from a line.
func unmarked(line string) string { return strings.NewReplacer("`", "", "**", "").Replace(line) }

// tableCells returns the cells of a row of a table; nil for the rule below its
// head.
func tableCells(line string) []string {
	if strings.Trim(line, "-:| ") == "" {
		return nil
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i, c := range cells {
		cells[i] = unmarked(strings.TrimSpace(c))
	}
	return cells
}

// writeTable writes a table of at most a number of columns: the widest cells are
// wrapped, but no word is broken.
func writeTable(out *strings.Builder, rows [][]string, columns int) {
	if len(rows) == 0 {
		return
	}
	const gap = 2
	widths := columnWidths(rows, columns-gap*len(rows[0]))
	for _, row := range rows {
		cells, height := make([][]string, len(row)), 1
		for i, cell := range row {
			cells[i] = wrapWords(cell, widths[i])
			height = max(height, len(cells[i]))
		}
		for n := range height {
			line := ""
			for i := range cells {
				part := ""
				if n < len(cells[i]) {
					part = cells[i][n]
				}
				line += strings.Repeat(" ", gap) + part + strings.Repeat(" ", max(0, widths[i]-report.Columns(part)))
			}
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
}

// columnWidths returns the widths of columns that together have at most a number of characters:
// the widest ones are narrowed, but not below their longest word.
func columnWidths(rows [][]string, total int) []int {
	widths, least := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for i := range widths {
		least[i] = 10
		for _, row := range rows {
			widths[i] = max(widths[i], report.Columns(row[i]))
			for _, word := range strings.Fields(row[i]) {
				least[i] = max(least[i], report.Columns(word))
			}
		}
		total -= widths[i]
	}
	for ; total < 0; total++ {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// wrapWords breaks text at blanks; a longer word has a line of its own.
func wrapWords(text string, columns int) []string { return report.Wrap(text, columns, false) }
