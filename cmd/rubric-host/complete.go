package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

// A completer completes words for the shell, by the arguments given so far. It ignores their
// errors, and then offers less.
type completer struct{ *program }

// document returns the document that the first argument names, or nil.
func (co completer) document(cmd *cobra.Command, given []string) *dialect.Document {
	if len(given) == 0 || given[0] == "-" {
		return nil
	}
	name, err := cmd.Flags().GetString("dialect")
	if err != nil {
		name = ""
	}
	doc, err := co.loadDocument(given[0], name)
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

// A lister lists words for the shell, by the arguments given so far.
type lister func(cmd *cobra.Command, given []string) []string

func (co completer) listed(list lister) cobra.CompletionFunc {
	return func(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
		co.settings.resolve(cmd) //nolint:errcheck // see above
		return list(cmd, given), cobra.ShellCompDirectiveNoFileComp
	}
}

// criteria lists the criteria of the rubric that is named already.
func (co completer) criteria(cmd *cobra.Command, given []string) (out []string) {
	doc := co.document(cmd, given)
	if doc == nil {
		return nil
	}
	for _, r := range doc.AllRubrics() {
		for c := range r.All() {
			out = append(out, offer(c.ID, cmp.Or(c.Text, c.Name)))
		}
	}
	return xslices.Unique(out)
}

// graded completes a rubric first, then whatever files there are.
func (co completer) graded(cmd *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
	switch {
	case cmd.Flags().Changed("retry"):
		return co.run(cmd, nil, word)
	case len(given) == 0:
		return co.rubric(cmd, given, word)
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// exports lists the scorers of the plugin that is named already.
func (co completer) exports(_ *cobra.Command, given []string) (out []string) {
	if len(given) == 0 {
		return nil
	}
	pl, err := co.findPlugin(given[0])
	if err != nil {
		return nil
	}
	for name, e := range pl.Manifest.Exports {
		out = append(out, offer(name, e.Summary))
	}
	slices.Sort(out)
	return out
}

func (co completer) judges(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	co.settings.resolve(cmd) //nolint:errcheck // see above
	out := []string{"openai:"}
	for name, j := range co.settings.judges {
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
		names = append(names, p.Manifest.ExportNames()...)
	}
	return xslices.Unique(names)
}
