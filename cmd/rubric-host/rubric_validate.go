package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/plugins"
)

// checkFlags are those of validate and lint.
type checkFlags struct {
	dialect string
	lint    bool   // the command is lint
	strict  bool   // of lint
	only    bool   // of validate
	format  string // of validate
}

func validateCommand(p *program) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check rubric documents and report every problem with its place",
		Long: "Check rubric documents: exit 0 if they are valid, else 2 with every problem and its place. Metrics\n" +
			"of native rubrics must exist and take their configuration; in other dialects that is a warning.\n" +
			"Templates of prompts must parse, and built-in metrics are tried with their configuration.\n\n" +
			"--json prints one object, {valid, dialect, diagnostics}; for several files one object per line,\nwith the file name.",
		Example: `rubric-host rubric validate rubric.yaml
rubric-host rubric validate rubric.json --validate-only
rubric-host rubric validate rubric.json --output-format yaml    # and print it`,
		Args: args("FILE..."), ValidArgsFunction: p.complete.rubric,
		RunE: func(_ *cobra.Command, files []string) error { return runCheck(p, f, files) },
	}
	bindDocument(p, cmd, &f.dialect)
	cmd.Flags().BoolVar(&f.only, "validate-only", false, "do not print the document: overrides --output-format")
	bindPlugins(p, cmd)
	bindFormat(cmd, &f.format, "output-format", "print the valid document in this format: yaml or json")
	return cmd
}

func lintCommand(p *program) *cobra.Command {
	f := &checkFlags{lint: true}
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Warn about valid but questionable rubrics",
		Long: "Warn about valid but questionable rubrics: criteria that overlap, weights without effect, levels out\nof order, missing or misconfigured plugins.\n\n" +
			"Exit 0 with warnings, 2 for an invalid document; with --strict 2 for warnings, too.",
		Example: "rubric-host rubric lint rubric.yaml\nrubric-host rubric lint --strict rubrics/*.yaml",
		Args:    args("FILE..."), ValidArgsFunction: p.complete.rubric,
		RunE: func(_ *cobra.Command, files []string) error { return runCheck(p, f, files) },
	}
	cmd.Flags().BoolVar(&f.strict, "strict", false, "treat warnings as errors")
	bindDocument(p, cmd, &f.dialect)
	bindPlugins(p, cmd)
	return cmd
}

// checked is the JSON answer of validate and lint about a document.
type checked struct {
	File        string    `json:"file,omitzero"` // where there are several
	Valid       bool      `json:"valid"`
	Dialect     string    `json:"dialect"` // empty: it is none that is known
	Diagnostics []problem `json:"diagnostics"`
}

func runCheck(p *program, f *checkFlags, files []string) error {
	if f.only {
		f.format = ""
	}
	switch {
	case f.format != "" && len(files) > 1:
		return fault.WithHint(fault.New(fault.Usage, "--output-format prints one document, not %d", len(files)), "name one, or leave it out")
	case f.format != "" && p.json:
		return fault.New(fault.Usage, "--output-format and --json cannot be combined")
	}
	catalog, err := plugins.Catalog(p.dirs...)
	if err != nil {
		return err
	}
	bad, warned := 0, 0
	for _, file := range files {
		doc, list, err := p.check(f, file, catalog)
		if err == nil {
			err = tellChecked(p.console, f, file, doc, list, len(files) > 1)
		}
		if err != nil {
			return err
		}
		if warned += len(list.Warnings()); len(list.Errors()) > 0 {
			bad++
		}
	}
	switch {
	case bad > 0:
		p.told = true // each file was reported
		return fault.New(fault.Invalid, "%d of %d documents are invalid", bad, len(files))
	case warned > 0 && f.strict:
		p.told = p.json
		return fault.New(fault.Invalid, "%s, which --strict treats as errors", diag.Count(warned, "warning"))
	}
	return nil
}

// check reads a document, which is nil or of no use if the list has errors. The error is about the
// question, not about the document.
func (p *program) check(f *checkFlags, file string, catalog *plugin.Catalog) (*dialect.Document, diag.List, error) {
	doc, err := p.loadDocument(file, f.dialect)
	if err != nil {
		list := diag.In(err)
		switch {
		case fault.Is(err, fault.Usage):
			return nil, nil, err
		case list == nil: // no file, say: a problem of this one among others
			list = diag.List{{
				Severity: diag.Error, Code: string(fault.Of(err)), Pos: diag.Pos{File: file},
				Message: strings.TrimPrefix(err.Error(), file+": "), Hint: fault.OwnHint(err),
			}}
		}
		return doc, list, nil
	}
	list, severity := slices.Clone(doc.Warnings), diag.Warning
	switch {
	case f.lint:
		list = tools.Lint(doc)
	case doc.Dialect == dialect.Native:
		severity = diag.Error
	}
	for _, d := range doc.Unscorable {
		d.Severity = diag.Warning
		list.Add(d)
	}
	list = append(list, host.Unbound(doc, catalog, severity)...)
	wrong, err := p.misset(doc)
	list = append(list, wrong...)
	list.Sort()
	return doc, list, err
}

// tellChecked prints the findings of a document, and the document if --output-format asks for it.
func tellChecked(con *console, f *checkFlags, file string, doc *dialect.Document, list diag.List, several bool) error {
	out := checked{Valid: len(list.Errors()) == 0, Diagnostics: problemsOf(list)}
	if con.json {
		if doc != nil {
			out.Dialect = doc.Dialect
		}
		if !several {
			return con.printJSON(out)
		}
		out.File = file
		return con.printLine(out)
	}
	con.diagnostics(list)
	switch warned := len(list.Warnings()); {
	case !out.Valid:
		return nil
	case f.lint && (warned > 0 || con.quiet):
		con.say("%s: %s", diag.Plain(file), diag.Count(warned, "warning"))
	case f.lint:
		fmt.Fprintf(con.out, "%s: no issues\n", diag.Plain(file))
	case f.format == "" && !con.quiet:
		fmt.Fprintf(con.out, "%s: valid: %s\n", diag.Plain(file), diag.Plain(summaryOf(doc)))
	}
	con.explain("%s: %s (%s)", diag.Plain(file), doc.Dialect, doc.Reason)
	if f.format == "" {
		return nil
	}
	text, _, err := dialect.Encode(doc, "", f.format)
	if err != nil {
		return err
	}
	return con.writeText("", text)
}

// summaryOf describes a document in one line.
func summaryOf(doc *dialect.Document) string {
	s := doc.Dialect + " " + strings.ToUpper(doc.Format)
	criteria := 0
	if doc.Rubric != nil {
		if !doc.Rubric.Made {
			s += strings.TrimRight(fmt.Sprintf(" %q %s", doc.Rubric.ID, doc.Rubric.Version), " ")
		}
		criteria = len(doc.Rubric.Leaves())
	}
	switch {
	case len(doc.Rubrics) > 1:
		s += ", " + diag.Count(len(doc.Rubrics), "rubric")
	case criteria > 0:
		s += ", " + diag.Count(criteria, "criterion")
	}
	if n := len(doc.Cases); n > 0 {
		s += ", " + diag.Count(n, "case")
	}
	if len(doc.Unscorable) > 0 {
		s += "; some criteria cannot be scored"
	}
	return s
}

// located adds places to an error of planning a document, if it is about criteria
// without a scorer.
func (p *program) located(err error, doc *dialect.Document, verdicts string) error {
	if diag.In(err) != nil || verdicts != "" || !fault.Is(err, fault.Invalid, fault.NotFound) {
		return err
	}
	catalog, problem := plugins.Catalog(p.dirs...)
	if problem != nil {
		return err
	}
	if list := host.Unbound(doc, catalog, diag.Error).Err(); list != nil {
		return list
	}
	return err
}

// misset is Evaluator.CheckSettings, for a document that has settings.
func (p *program) misset(doc *dialect.Document) (diag.List, error) {
	settings := func(c *rubric.Criterion) bool {
		return c.Scorer.Prompt != nil || c.Scorer.Metric != nil && len(c.Scorer.Metric.Config) > 0
	}
	if !slices.ContainsFunc(doc.AllRubrics(), func(r *rubric.Rubric) bool { return slices.ContainsFunc(r.Leaves(), settings) }) {
		return nil, nil
	}
	ctx := p.root.Context()
	ev, err := p.evaluator(ctx, &evaluatorFlags{}, nil, nil)
	if err != nil {
		return nil, err
	}
	return ev.CheckSettings(ctx, doc, nil), ev.Close(ctx)
}
