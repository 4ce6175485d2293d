package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// program is one run of the program: its console, its commands, its settings. What a command
// does is functions that take it, or only its console.
type program struct {
	*console
	root     *cobra.Command
	args     []string // of the command line
	settings *settings
	complete completer
	// The values of flags that several commands have.
	store   storeName
	runs    string
	by      string
	dirs    []string // --plugins
	helpAll bool
	noHelp  error // why help could not be printed

	keeps atomic.Bool // finished rows are kept if a signal comes
}

// stopping is the message after a signal, and the hint of the error; empty: that of its class.
func (p *program) stopping() (message, hint string) {
	if p.keeps.Load() {
		message = "stopping; finished rows are kept (again to stop at once)"
		if terminal(p.err) {
			message = fmt.Sprintf("%-*s", width(p.err)-1, message) // over the line of progress
		}
		return message, ""
	}
	return "stopping (again to stop at once)", "run the command again"
}

// A command is made when it is asked for, or with all others.
type command struct {
	name string
	make func(*program) *cobra.Command
}

// commands lists the commands, in the order of the help.
func commands() []command {
	return []command{
		{"eval", evalCommand}, {"rescore", rescoreCommand}, {"grade", gradeCommand}, {"score", scoreCommand},
		{"failures", failuresCommand}, {"feedback", feedbackCommand}, {"report", reportCommand}, {"compare", compareCommand}, {"verify", verifyCommand},
		{"runs", runsCommand}, {"evaluation", evaluationCommand}, {"store", storeCommand}, {"cache", cacheCommand},
		{"rubric", rubricCommand}, {"artifact", artifactCommand}, {"plugin", pluginCommand}, {"runtime", runtimeCommand}, {"config", configCommand},
		{"init", initCommand}, {"doctor", doctorCommand}, {"version", versionCommand},
	}
}

// commandsFor returns the command that args begin with; else, or if that one is about all, all. Making
// all takes a millisecond.
func commandsFor(args []string) []command {
	all := commands()
	at := slices.IndexFunc(all, func(c command) bool {
		return len(args) > 0 && c.name == args[0] && c.name != "config"
	})
	if at < 0 {
		return all
	}
	return all[at : at+1]
}

// newProgram returns a program with the commands for args; without them, all.
func newProgram(in io.Reader, out, errOut io.Writer, args ...string) *program {
	cobra.EnableCommandSorting = false // they stand in the order of the lists
	p := &program{console: &console{in: in, out: out, err: errOut}}
	p.settings, p.complete = &settings{program: p}, completer{p}
	p.secret = func(name string) bool { return name == p.settings.file || name == userConfig() }
	p.root = &cobra.Command{
		Use:           "rubric-host",
		Short:         "Grade model outputs with rubrics, metrics and judges",
		Long:          "Grade model outputs with rubrics: judges, sandboxed metrics and JSON Schemas.",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.settings.resolve(cmd); err != nil {
				return err
			}
			return p.repeated(cmd)
		},
	}
	version := p.root.Flags().Bool("version", false, "print the version")
	p.root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return printVersion(p.console)
		}
		return cmd.Help()
	}
	p.root.SetIn(in)
	p.root.SetOut(out)
	p.root.SetErr(errOut)
	p.root.SetFlagErrorFunc(flagFault)
	f := p.root.PersistentFlags()
	f.StringP("config", "c", "", "configuration file, or none (default: rubric-host.yaml)")
	f.BoolVar(&p.json, "json", false, "print JSON: one object, or one per line")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "print results and errors only")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "print the steps and the reasons")
	f.BoolVar(&p.helpAll, "help-all", false, "show every flag")
	made := commandsFor(args)
	for _, c := range made {
		p.root.AddCommand(c.make(p))
	}
	p.root.CompletionOptions.DisableDefaultCmd = len(made) == 1 // cobra adds it to every program
	p.root.InitDefaultCompletionCmd()
	p.root.SetHelpCommand(helpCommand(p))
	for _, c := range every(p.root) {
		c.Flags().SortFlags = false
		if c.Args == nil || c.HasSubCommands() {
			c.Args = noArgs
		}
		if c.RunE == nil { // a group of commands: any other word is an error
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	p.root.SetHelpFunc(p.help)
	return p
}

// every returns a command and all below it.
func every(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		list = append(list, every(sub)...)
	}
	return list
}

// visitFlags visits the flags of a command and of all below it.
func visitFlags(c *cobra.Command, visit func(*pflag.Flag)) {
	for _, c := range every(c) {
		c.Flags().VisitAll(visit)
		c.PersistentFlags().VisitAll(visit)
	}
}

// args returns a check of the number of arguments. Names in brackets are
// optional; dots stand for any number.
func args(names ...string) cobra.PositionalArgs {
	least, most := 0, 0
	for _, n := range names {
		if !strings.HasPrefix(n, "[") {
			least++
		}
		if most++; strings.Contains(n, "...") {
			most = 1 << 20
		}
	}
	return func(cmd *cobra.Command, given []string) error {
		switch {
		case len(given) < least:
			return fault.WithHint(fault.New(fault.Usage, "%s: missing argument: %s", cmd.CommandPath(), names[len(given)]), "usage: %s", cmd.UseLine())
		case len(given) > most:
			return fault.WithHint(fault.New(fault.Usage, "%s: unexpected argument %q", cmd.CommandPath(), given[most]), "usage: %s", cmd.UseLine())
		}
		return nil
	}
}

// noArgs refuses arguments; on a command with others below it, it says which was
// probably meant.
func noArgs(cmd *cobra.Command, given []string) error {
	if len(given) == 0 {
		return nil
	}
	known := xslices.Map(xslices.Filter(cmd.Commands(), func(c *cobra.Command) bool { return !c.Hidden }), (*cobra.Command).Name)
	if len(known) == 0 {
		return args()(cmd, given)
	}
	hint := diag.DidYouMean(given[0], known)
	if cmd == cmd.Root() {
		var below []string
		for _, c := range every(cmd) {
			if c.Name() == given[0] {
				below = append(below, strings.TrimSuffix(c.UseLine(), " [flags]"))
			}
		}
		if len(below) > 0 {
			hint = "use: " + strings.Join(below, ", or ")
		}
	}
	return fault.WithHint(fault.New(fault.Usage, "%s: unknown command %q", cmd.CommandPath(), given[0]), "%s", hint)
}

// otherFlags maps flags of similar programs to ours.
var otherFlags = map[string]string{
	"output": "out", "model": "judge", "provider": "judge", "threshold": "gate", "jobs": "concurrency", "max-concurrency": "concurrency",
	"retries": "attempts", "no-cache": "cache", "filter-failing": "failed", "filter-pattern": "id", "dataset": "data",
	"fail-under": "gate", "min-score": "gate",
}

// flagFault classes an error of pflag, and suggests a flag for an unknown one.
func flagFault(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if value, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f, cause := value.GetFlag(), value.Unwrap()
		if _, ok := errors.AsType[*strconv.NumError](err); ok { // Go's own text names no fix
			cause = fmt.Errorf("must be %s", cmp.Or(kindWords[f.Value.Type()], "a number"))
		}
		return fault.WithHint(fault.New(fault.Usage, "--%s %q: %w", f.Name, value.GetValue(), cause), "%s --help-all lists the flags", cmd.CommandPath())
	}
	if word := cmd.Flags().Args(); len(word) > 0 && cmd.HasSubCommands() {
		return noArgs(cmd, word)
	}
	e := fault.New(fault.Usage, "%s: %w", cmd.CommandPath(), err)
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		s := otherFlags[name]
		if !slices.Contains(known, s) {
			s = diag.Suggest(name, known)
			arguments := strings.FieldsFunc(cmd.Use, func(r rune) bool { return r < 'A' || r > 'Z' })
			if argument := strings.ToUpper(name); slices.Contains(arguments, argument) {
				return fault.WithHint(e, "%s is an argument: %s", argument, cmd.UseLine())
			}
		}
		if s != "" {
			return fault.WithHint(e, "did you mean --%s?", s)
		}
	}
	return fault.WithHint(e, "%s --help-all lists the flags", cmd.CommandPath())
}

func version() string { return result.CurrentVersions("").RubricHost }
