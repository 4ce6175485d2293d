package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/plugins"
)

type lintFlags struct {
	dialect string
	strict  bool
}

func lintCommand(p *program) *cobra.Command {
	f := &lintFlags{}
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Warn about valid but questionable rubrics",
		Long: "Warn about valid but questionable rubrics: criteria that overlap, weights without effect, levels out\nof order, missing or misconfigured plugins.\n\n" +
			"Exit 0 with warnings, 2 for an invalid document; with --strict 2 for warnings, too.",
		Example: "rubric-host rubric lint rubric.yaml\nrubric-host rubric lint --strict rubrics/*.yaml",
		Args:    args("FILE..."), ValidArgsFunction: p.complete.rubric,
		RunE: func(_ *cobra.Command, files []string) error { return runLint(p, f, files) },
	}
	cmd.Flags().BoolVar(&f.strict, "strict", false, "treat warnings as errors")
	bindDocument(p, cmd, &f.dialect)
	bindPlugins(p, cmd)
	return cmd
}

func runLint(p *program, f *lintFlags, files []string) error {
	catalog, err := plugins.Catalog(p.dirs...)
	if err != nil {
		return err
	}
	warned := 0
	err = checkDocuments(p, files, f.dialect, func(c *checkedDocument) error {
		c.list = append(tools.Lint(c.doc), unscorable(c.doc)...)
		c.list = append(c.list, host.Unbound(c.doc, catalog, diag.Warning)...)
		wrong, err := p.misset(c.doc)
		c.list = append(c.list, wrong...)
		c.list.Sort()
		return err
	}, func(c *checkedDocument) error {
		n := len(c.list.Warnings())
		warned += n
		if p.json {
			return tellCheckedJSON(p.console, c, len(files) > 1)
		}
		p.diagnostics(c.list)
		if c.valid() && n == 0 && !p.quiet {
			fmt.Fprintf(p.out, "%s: no issues\n", diag.Plain(c.file))
		} else if c.valid() {
			p.say("%s: %s", diag.Plain(c.file), diag.Count(n, "warning"))
		}
		return nil
	})
	if err == nil && warned > 0 && f.strict {
		p.told = p.json
		return fault.New(fault.Invalid, "%s, which --strict treats as errors", diag.Count(warned, "warning"))
	}
	return err
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
