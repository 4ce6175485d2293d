package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/plugins"
)

// Completion reads the arguments given so far. It ignores their errors, and then
// offers less.

// completedDocument returns the document that the first argument names, or nil.
func (p *program) completedDocument(cmd *cobra.Command, given []string) *dialect.Document {
	if len(given) == 0 || given[0] == "-" {
		return nil
	}
	name, err := cmd.Flags().GetString("dialect")
	if err != nil {
		name = ""
	}
	p.settings.resolve(cmd) //nolint:errcheck // see above
	doc, err := p.loadDocument(given[0], name)
	if err != nil {
		return nil
	}
	return doc
}

// offer is a word for the shell, with its description. Control characters are
// removed from both.
func offer(word, means string) string {
	word = diag.Plain(word)
	if means = diag.Plain(strings.Join(strings.Fields(means), " ")); means != "" {
		return word + "\t" + diag.Fit(means, 60)
	}
	return word
}

// completeCriteria completes the criteria of the rubric that is named already.
func (p *program) completeCriteria(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	doc := p.completedDocument(cmd, given)
	if doc == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	seen := map[string]bool{}
	var out []string
	look := func(r *rubric.Rubric) {
		r.Walk(func(_ string, c *rubric.Criterion) {
			if !seen[c.ID] {
				seen[c.ID] = true
				out = append(out, offer(c.ID, cmp.Or(c.Text, c.Name)))
			}
		})
	}
	for _, r := range doc.Rubrics {
		look(r)
	}
	for i := range doc.Cases {
		look(doc.Cases[i].Rubric)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeCases completes the cases of the eval file that is named already.
func (p *program) completeCases(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if doc := p.completedDocument(cmd, given); doc != nil {
		for _, id := range caseIDs(doc) {
			out = append(out, offer(id, ""))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeGraded completes a rubric first, then whatever files there are.
func (p *program) completeGraded(cmd *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(given) == 0 {
		return p.completeRubric(cmd, given, word)
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// completeExports completes the scorers of the plugin that is named already.
func (p *program) completeExports(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(given) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p.settings.resolve(cmd) //nolint:errcheck // see above
	dirs, _ := cmd.Flags().GetStringSlice("plugins")
	pl, err := findPlugin(given[0], dirs)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for name, e := range pl.Manifest.Exports {
		out = append(out, offer(name, e.Summary))
	}
	slices.Sort(out)
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeJudges completes the judges of the configuration.
func (p *program) completeJudges(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	p.settings.resolve(cmd) //nolint:errcheck // see above
	out := []string{"openai:"}
	for name, j := range p.settings.judges {
		out = append(out, offer(name, j.endpoint.Model))
	}
	slices.Sort(out)
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// namesOfPlugins returns the names of the plugins below dirs and of the built-in
// ones, and of their exports; unreadable plugins are left out.
func namesOfPlugins(dirs []string) []string {
	c, err := plugins.Catalog(dirs...)
	if err != nil {
		if c, err = plugins.Catalog(); err != nil {
			return nil
		}
	}
	names := c.Names()
	for _, p := range c.Plugins() {
		for _, e := range p.Manifest.ExportNames() {
			if !slices.Contains(names, e) {
				names = append(names, e)
			}
		}
	}
	return names
}
