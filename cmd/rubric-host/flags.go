package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// advancedKey marks flags that --help leaves out and --help-all shows.
const advancedKey = "advanced"

// advanced marks flags of cmd as advanced.
func advanced(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		cmd.Flags().SetAnnotation(name, advancedKey, []string{"true"}) //nolint:errcheck // the flags were just defined
	}
}

// words completes a flag with fixed words.
func words(list ...string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// help prints a screen of help: use, examples, commands, the flags that most
// need. Every flag comes with --help-all.
func (p *program) help(cmd *cobra.Command, _ []string) {
	w := p.out
	if text := strings.TrimSpace(orText(cmd.Long, cmd.Short)); text != "" {
		fmt.Fprintf(w, "%s\n\n", text)
	}
	use := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		use = cmd.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintf(w, "Usage:\n  %s\n", use)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", indent(cmd.Example))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-11s %s\n", c.Name(), c.Short)
			}
		}
	}
	hidden := p.flagHelp(cmd)
	switch {
	case cmd == p.root:
		fmt.Fprintf(w, "\nEvery flag has a variable RUBRIC_HOST_<FLAG> and a key in %s.\nrubric-host COMMAND --help says more about one.\n", configName)
	case hidden > 0:
		fmt.Fprintf(w, "\n%d more flags with --help-all.\n", hidden)
	}
}

// flagHelp prints the flags of a command and returns how many it left out.
func (p *program) flagHelp(cmd *cobra.Command) (hidden int) {
	show := func(title string, set *pflag.FlagSet) {
		visible := pflag.NewFlagSet(title, pflag.ContinueOnError)
		visible.SortFlags = false
		set.VisitAll(func(f *pflag.Flag) {
			_, more := f.Annotations[advancedKey]
			if f.Hidden || f.Name == "help" {
				return
			}
			if more && !p.helpAll {
				hidden++
				return
			}
			visible.AddFlag(f)
		})
		if text := visible.FlagUsagesWrapped(100); text != "" {
			fmt.Fprintf(p.out, "\n%s:\n%s", title, text)
		}
	}
	show("Flags", cmd.LocalNonPersistentFlags())
	if p.helpAll || cmd == p.root {
		show("Flags of every command", p.root.PersistentFlags())
	}
	return hidden
}

func orText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func indent(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = "  " + strings.TrimLeft(l, "\t ")
	}
	return strings.Join(lines, "\n")
}
