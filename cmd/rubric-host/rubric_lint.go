package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
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
		c.list = append(c.list, unbound(c.doc, catalog, diag.Warning)...)
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

// codeMissingFile marks a criterion whose plugin is named by a path at which there
// is not a file.
const codeMissingFile = "plugin-missing"

// unbound returns the criteria that no scorer of the catalog answers, each planned alone to have its place, and
// those that the rubric's strategy would leave out.
func unbound(doc *dialect.Document, catalog *plugin.Catalog, severity diag.Severity) diag.List {
	var out diag.List
	for _, r := range rubricsOf(doc) {
		if r.Strategy() == rubric.Holistic {
			for _, p := range rubric.CheckHolistic(r) {
				out.Add(doc.Diagnostic(r, severity, p))
			}
		}
	}
	o := plan.Options{Catalog: catalog, BaseDir: filepath.Dir(doc.File)}
	walk(doc, func(r *rubric.Rubric, path string, c *rubric.Criterion) {
		if c.Scorer.WayOrJudge() == rubric.ByJudge {
			return
		}
		if err := bindable(r, c, o); err != nil {
			code := "scorer-unbound"
			if m := c.Scorer.Metric; m != nil && plugin.IsPath(m.Plugin) && fault.Is(err, fault.NotFound) {
				code = codeMissingFile
			}
			out.Add(doc.Diagnostic(r, severity, rubric.Problem{Path: path, Code: code, Message: err.Error(), Hint: fault.OwnHint(err)}))
		}
	})
	return out
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
	if list := unbound(doc, catalog, diag.Error).Err(); list != nil {
		return list
	}
	return err
}

// rubricsOf returns every rubric of a document once.
func rubricsOf(doc *dialect.Document) (list []*rubric.Rubric) {
	seen := map[*rubric.Rubric]bool{nil: true}
	add := func(r *rubric.Rubric) {
		if !seen[r] {
			seen[r] = true
			list = append(list, r)
		}
	}
	for _, r := range doc.Rubrics {
		add(r)
	}
	for i := range doc.Cases {
		add(doc.Cases[i].Rubric)
	}
	return list
}

// walk calls look for the criteria of every rubric of a document, without groups and what
// cannot be scored.
func walk(doc *dialect.Document, look func(r *rubric.Rubric, path string, c *rubric.Criterion)) {
	for _, r := range rubricsOf(doc) {
		r.Walk(func(path string, c *rubric.Criterion) {
			if !c.Group() && !isUnscorable(c) {
				look(r, path, c)
			}
		})
	}
}

// misset returns the criteria whose prompt is not a template, or whose built-in metric refuses
// its configuration: errors, as such a criterion never has a score.
func (p *program) misset(doc *dialect.Document) (out diag.List, err error) {
	any := false
	walk(doc, func(_ *rubric.Rubric, _ string, c *rubric.Criterion) { any = any || hasSettings(c) })
	if !any {
		return nil, nil
	}
	ctx := p.root.Context()
	ev, err := p.evaluator(ctx, &evaluatorFlags{}, nil, nil)
	if err != nil {
		return nil, err
	}
	return missetBy(ctx, ev, doc, nil), ev.Close(ctx)
}

// missetBy is misset for an evaluator; only restricts it to criteria with these ids.
func missetBy(ctx context.Context, ev *host.Evaluator, doc *dialect.Document, only []string) (out diag.List) {
	walk(doc, func(r *rubric.Rubric, path string, c *rubric.Criterion) {
		if !hasSettings(c) || len(only) > 0 && !slices.Contains(only, c.ID) {
			return
		}
		if wrong := ev.Check(ctx, c); wrong != nil {
			out.Add(doc.Diagnostic(r, diag.Error, rubric.Problem{Path: path, Code: "settings-invalid", Message: wrong.Error(), Hint: fault.OwnHint(wrong)}))
		}
	})
	return out
}

// hasSettings reports whether Evaluator.Check has something to look at.
func hasSettings(c *rubric.Criterion) bool {
	return c.Scorer.Prompt != nil || c.Scorer.Metric != nil && len(c.Scorer.Metric.Config) > 0
}

// isUnscorable reports whether a criterion stands for an evaluator that is not
// known; that is said elsewhere.
func isUnscorable(c *rubric.Criterion) bool {
	return c.Scorer.Metric != nil && strings.HasPrefix(c.Scorer.Metric.Plugin, dialect.UnscorablePrefix)
}

// bindable reports why criteria cannot be bound to their scorers.
func bindable(r *rubric.Rubric, c *rubric.Criterion, o plan.Options) error {
	alone := *c
	alone.Weight, alone.Required, alone.Min = rubric.One, false, nil
	_, err := plan.Build([]*rubric.Rubric{{ID: r.ID, Criteria: []rubric.Criterion{alone}, Scale: r.Scale}}, o)
	if err == nil {
		return nil
	}
	text := strings.ReplaceAll(err.Error(), fmt.Sprintf("rubric %q: ", r.ID), "")
	return fault.WithHint(fault.New(fault.Of(err), "%s", text), "%s", fault.OwnHint(err))
}
