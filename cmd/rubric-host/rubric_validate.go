package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/plugins"
)

type validateFlags struct {
	dialect string
	only    bool
	format  string
}

func validateCommand(p *program) *cobra.Command {
	f := &validateFlags{}
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
		RunE: func(_ *cobra.Command, files []string) error { return runValidate(p, f, files) },
	}
	bindDocument(p, cmd, &f.dialect)
	cmd.Flags().BoolVar(&f.only, "validate-only", false, "do not print the document: overrides --output-format")
	bindPlugins(p, cmd)
	bindFormat(cmd, &f.format, "output-format", "print the valid document in this format: yaml or json")
	return cmd
}

// checked is the JSON answer of validate and lint about a document.
type checked struct {
	File        string    `json:"file,omitzero"` // where there are several
	Valid       bool      `json:"valid"`
	Dialect     string    `json:"dialect"` // empty: it is none that is known
	Diagnostics []problem `json:"diagnostics"`
}

func runValidate(p *program, f *validateFlags, files []string) error {
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
	return checkDocuments(p, files, f.dialect, func(c *checkedDocument) error {
		severity := diag.Warning
		if c.doc.Dialect == dialect.Native {
			severity = diag.Error
		}
		for _, d := range host.Unbound(c.doc, catalog, severity) {
			c.list.Add(d)
		}
		wrong, err := p.misset(c.doc)
		c.list = append(c.list, wrong...)
		c.list.Sort()
		return err
	}, func(c *checkedDocument) error {
		if err := tellChecked(p.console, c, len(files) > 1, f.format != ""); err != nil || !c.valid() || f.format == "" {
			return err
		}
		text, _, err := dialect.Encode(c.doc, "", f.format)
		if err != nil {
			return err
		}
		return p.writeText("", text)
	})
}

// checkedDocument is a document, or why there is none.
type checkedDocument struct {
	file string
	doc  *dialect.Document // nil, or of no use, if the list has errors
	list diag.List
}

func (c *checkedDocument) valid() bool { return len(c.list.Errors()) == 0 }

// checkDocument reads a document. The error is about the question, not the answer.
func checkDocument(p *program, file, dialectName string) (*checkedDocument, error) {
	doc, err := p.loadDocument(file, dialectName)
	c := &checkedDocument{file: file, doc: doc, list: diag.In(err)}
	switch {
	case err == nil:
		c.list = append(c.list, doc.Warnings...)
		c.list = append(c.list, unscorable(doc)...)
		c.list.Sort()
	case fault.Is(err, fault.Usage):
		return nil, err
	case c.list == nil: // no file, say: a problem of this one among others
		c.list = diag.List{{
			Severity: diag.Error, Code: string(fault.Of(err)), Pos: diag.Pos{File: file},
			Message: strings.TrimPrefix(err.Error(), file+": "), Hint: fault.OwnHint(err),
		}}
	}
	return c, nil
}

// unscorable returns the parts of a valid document that cannot be scored, as
// warnings.
func unscorable(doc *dialect.Document) diag.List {
	var out diag.List
	for _, d := range doc.Unscorable {
		d.Severity = diag.Warning
		out.Add(d)
	}
	return out
}

// checkDocuments checks files: more adds findings to a valid document, tell prints those of each.
func checkDocuments(p *program, files []string, dialectName string, more, tell func(*checkedDocument) error) error {
	bad := 0
	for _, file := range files {
		c, err := checkDocument(p, file, dialectName)
		if err == nil && c.valid() {
			err = more(c)
		}
		if err == nil {
			err = tell(c)
		}
		if err != nil {
			return err
		}
		if !c.valid() {
			bad++
		}
	}
	if bad == 0 {
		return nil
	}
	p.told = true // each file was reported
	return fault.New(fault.Invalid, "%d of %d documents are invalid", bad, len(files))
}

// tellChecked prints the findings of a document.
func tellChecked(con *console, c *checkedDocument, several, quiet bool) error {
	if con.json {
		return tellCheckedJSON(con, c, several)
	}
	con.diagnostics(c.list)
	if c.valid() && !quiet && !con.quiet {
		fmt.Fprintf(con.out, "%s: valid: %s\n", diag.Plain(c.file), diag.Plain(summaryOf(c.doc)))
	}
	if c.doc != nil && c.valid() {
		con.explain("%s: %s (%s)", diag.Plain(c.file), c.doc.Dialect, c.doc.Reason)
	}
	return nil
}

func tellCheckedJSON(con *console, c *checkedDocument, several bool) error {
	out := checked{Valid: c.valid(), Diagnostics: problemsOf(c.list)}
	if c.doc != nil {
		out.Dialect = c.doc.Dialect
	}
	if !several {
		return con.printJSON(out)
	}
	out.File = c.file
	return con.printLine(out)
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
