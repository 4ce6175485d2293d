package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Annotations of flags.
const (
	advancedKey = "advanced" // --help leaves the flag out, --help-all shows it
	configKey   = "key"      // its key in the configuration file, where that is not its name
	choicesKey  = "choices"  // the values that it takes, where there are only these
)

// advanced marks flags of cmd as advanced.
func advanced(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		cmd.Flags().SetAnnotation(name, advancedKey, []string{"true"}) //nolint:errcheck // the flags were just defined
	}
}

// keyed gives flags of cmd a key and a variable with its name before theirs, as the word means something else
// elsewhere: "fmt --check" is fmt-check and RUBRIC_HOST_FMT_CHECK.
func keyed(cmd *cobra.Command, names ...string) { keyedAs(cmd, cmd.Name(), names...) }

// keyedAs is keyed with other words than the name of the command, which several may have.
func keyedAs(cmd *cobra.Command, words string, names ...string) {
	for _, name := range names {
		cmd.Flags().SetAnnotation(name, configKey, []string{words + "-" + name}) //nolint:errcheck // the flags were just defined
	}
}

// keyOf returns the key of a flag in the configuration file.
func keyOf(f *pflag.Flag) string {
	if k := f.Annotations[configKey]; len(k) > 0 {
		return k[0]
	}
	return f.Name
}

// choices restricts a flag to these values, and completes them. The empty value still
// means "not set".
func choices[T ~string](cmd *cobra.Command, name string, list ...T) {
	cmd.Flags().SetAnnotation(name, choicesKey, texts(list)) //nolint:errcheck // the flag was just defined
	completes(cmd, name, words(list...))
}

// completes completes the values of a flag that was just defined, in a process that a shell
// asks: cobra keeps the functions, and with them the program, as long as the process lives.
func completes(cmd *cobra.Command, name string, complete cobra.CompletionFunc) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], cobra.ShellCompRequestCmd) {
		cmd.RegisterFlagCompletionFunc(name, complete) //nolint:errcheck // the flag exists
	}
}

// words completes a flag with fixed words.
func words[T ~string](list ...T) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return texts(list), cobra.ShellCompDirectiveNoFileComp
	}
}

func texts[T ~string](list []T) []string {
	return xslices.Map(list, func(t T) string { return string(t) })
}

// asked adds --help to --help-all, so that it is help whatever else a command requires.
func asked(args []string) []string {
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	if !slices.Contains(args[:end], "--help-all") || strings.HasPrefix(args[0], "__") { // those are for the shell, and for workers
		return args
	}
	return slices.Insert(slices.Clone(args), end, "--help")
}

// repeated refuses a flag that takes one value and is given two: the last would win silently.
func (p *program) repeated(cmd *cobra.Command) (err error) {
	_, rest, problem := p.root.Find(p.args)
	if problem != nil || cmd.DisableFlagParsing {
		return nil //nolint:nilerr // cobra has said so
	}
	first := map[string]string{}
	cmd.Flags().ParseAll(rest, func(f *pflag.Flag, value string) error { //nolint:errcheck // as above
		was, again := first[f.Name]
		first[f.Name] = value
		if _, list := f.Value.(pflag.SliceValue); again && !list && was != value && err == nil {
			err = fault.WithHint(fault.New(fault.Usage, "--%s is given twice, as %q and %q", f.Name, was, value), "give it once")
		}
		return nil
	})
	return err
}

// help prints a screen of help: use, examples, commands, the flags that most
// need. Every flag comes with --help-all.
func (p *program) help(cmd *cobra.Command, args []string) {
	w, columns := p.out, p.columns()
	var metric plugin.Scorer
	var name string
	if cmd.Name() == "score" {
		if metric, name, p.noHelp = metricOf(p, cmd, args); p.noHelp != nil {
			return
		}
	}
	if text := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)); text != "" {
		fmt.Fprintf(w, "%s\n", plainMarkdown(text+"\n", columns))
	}
	use := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		use = cmd.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintf(w, "Usage:\n  %s\n", use)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", indent(cmd.Example, columns))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-11s %s\n", c.Name(), c.Short)
			}
		}
	}
	hidden := flagHelp(p, cmd)
	if name != "" {
		describeMetric(p, metric, name)
	}
	switch {
	case cmd == p.root:
		fmt.Fprintf(w, "\nEvery flag but --json is a variable too, RUBRIC_HOST_<FLAG>, and a key in\n%s. COMMAND --help shows its flags; help TOPIC explains a topic.\n", configName)
	case hidden > 0:
		fmt.Fprintf(w, "\n%s with --help-all.\n", diag.Count(hidden, "more flag"))
	}
}

// flagHelp prints the flags of a command and returns how many it left out.
func flagHelp(p *program, cmd *cobra.Command) (hidden int) {
	show := func(title string, set *pflag.FlagSet) {
		visible := pflag.NewFlagSet(title, pflag.ContinueOnError)
		visible.SortFlags, set.SortFlags = false, false // in the order of definition: related flags stand together
		set.VisitAll(func(f *pflag.Flag) {
			_, more := f.Annotations[advancedKey]
			if f.Hidden || f.Name == "help" {
				return
			}
			if more && !p.helpAll {
				hidden++
				return
			}
			visible.AddFlag(plainly(f))
		})
		if text := visible.FlagUsagesWrapped(p.columns()); text != "" {
			fmt.Fprintf(p.out, "\n%s:\n%s", title, text)
		}
	}
	if cmd == p.root {
		show("Flags", cmd.Flags())
		return hidden
	}
	show("Flags", cmd.LocalNonPersistentFlags())
	if p.helpAll {
		show("Flags of every command", p.root.PersistentFlags())
	}
	return hidden
}

// plainly returns a flag whose kind of value is named in plain words.
func plainly(f *pflag.Flag) *pflag.Flag {
	shown := *f
	shown.Value = kinded{f.Value}
	if shown.Value.Type() != "bool" {
		shown.NoOptDefVal = "" // the usage says which value may be left out
	}
	if shown.DefValue == "[]" {
		shown.DefValue = ""
	}
	return &shown
}

// kinded is a value whose type is named in plain words.
type kinded struct{ pflag.Value }

// Type names the kind of value in the help.
func (k kinded) Type() string {
	switch t := k.Value.Type(); t {
	case "string", "stringArray", "stringSlice":
		return "text"
	case "int", "uint64", "float64":
		return "number"
	case "duration":
		return "time"
	default:
		return t
	}
}

// indent shows examples, of which long ones are broken before a flag, as a shell takes them.
func indent(s string, columns int) string {
	var lines []string
	for l := range strings.Lines(s) {
		l = "  " + strings.TrimSpace(l)
		for len(l) > columns {
			at := strings.LastIndex(l[:columns-2], " -")
			if at < 8 {
				break
			}
			lines, l = append(lines, l[:at]+" \\"), "     "+l[at:]
		}
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n")
}
