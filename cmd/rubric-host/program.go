package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
)

// program is one run of the program: its streams, its commands, its settings.
type program struct {
	in       io.Reader
	out, err io.Writer
	root     *cobra.Command
	settings *settings
	store    storeName // of --store, for commands that have it

	stdin []byte // a document that was read from standard input, for excerpts

	json    bool // --json
	quiet   bool
	verbose bool
	helpAll bool
	told    bool // the command has printed its error itself

	keeps atomic.Bool // finished rows are kept if a signal comes
}

// stopping is the message after a signal.
func (p *program) stopping() string {
	if p.keeps.Load() {
		return "stopping; finished rows are kept (again to stop at once)"
	}
	return "stopping (again to stop at once)"
}

// commands lists the commands, in the order of the help.
func (p *program) commands() []*cobra.Command {
	return []*cobra.Command{
		p.evalCommand(), p.rescoreCommand(), p.gradeCommand(), p.scoreCommand(), p.datasetCommand(),
		p.failuresCommand(), p.feedbackCommand(), p.reportCommand(), p.compareCommand(), p.verifyCommand(), p.runsCommand(), p.evaluationCommand(), p.storeCommand(), p.cacheCommand(),
		p.rubricCommand(), p.artifactCommand(), p.pluginCommand(), p.runtimeCommand(), p.configCommand(),
		p.initCommand(), p.doctorCommand(), p.completionCommand(), p.versionCommand(),
	}
}

func newProgram(in io.Reader, out, errOut io.Writer) *program {
	cobra.EnableCommandSorting = false // they stand in the order of the lists
	p := &program{in: in, out: out, err: errOut}
	p.settings = &settings{program: p}
	p.root = &cobra.Command{
		Use:           "rubric-host",
		Short:         "Grade model outputs with rubrics, metrics and judges",
		Long:          "Grade model outputs with rubrics: judged criteria, sandboxed WebAssembly metrics, JSON Schemas.",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return p.settings.resolve(cmd) },
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              noArgs,
	}
	version := p.root.Flags().Bool("version", false, "print the version")
	p.root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return p.printVersion()
		}
		return cmd.Help()
	}
	p.root.SetIn(in)
	p.root.SetOut(out)
	p.root.SetErr(errOut)
	p.root.SetFlagErrorFunc(flagFault)
	f := p.root.PersistentFlags()
	f.StringP("config", "c", "", "configuration file, or none (default: rubric-host.yaml here or above)")
	f.BoolVar(&p.json, "json", false, "print one JSON object")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "print results and errors only")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "print the steps and the reasons")
	f.BoolVar(&p.helpAll, "help-all", false, "show every flag")
	p.root.AddCommand(p.commands()...)
	p.root.SetHelpCommand(p.helpCommand())
	for _, c := range every(p.root) {
		c.Flags().SortFlags = false
		if c.Args == nil {
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
	var known []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	if len(known) == 0 {
		return args()(cmd, given)
	}
	hint := diag.DidYouMean(given[0], known)
	if other := otherNames[given[0]]; other != "" && cmd == cmd.Root() {
		hint = "use: rubric-host " + other
	}
	return fault.WithHint(fault.New(fault.Usage, "%s: unknown command %q", cmd.CommandPath(), given[0]), "%s", hint)
}

// otherNames maps commands of similar programs to ours.
var otherNames = map[string]string{
	"evaluate": "eval RUBRIC DATA", "run": "eval RUBRIC DATA", "test": "eval RUBRIC DATA",
	"view": "report RUN -o report.html", "show": "runs show RUN", "list": "runs list", "retry": "eval --retry RUN",
	"validate": "rubric validate FILE", "lint": "rubric lint FILE", "convert": "rubric convert FILE", "migrate": "rubric migrate FILE",
}

// flagFault classes an error of pflag, and suggests a flag for an unknown one.
func flagFault(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		f, cause := value.GetFlag(), value.Unwrap()
		var syntax *strconv.NumError
		if errors.As(err, &syntax) { // Go's own text names no fix
			cause = fmt.Errorf("must be %s", cmp.Or(kindWords[f.Value.Type()], "a number"))
		}
		return fault.WithHint(fault.New(fault.Usage, "--%s %q: %w", f.Name, value.GetValue(), cause), "%s --help-all lists the flags", cmd.CommandPath())
	}
	e := fault.New(fault.Usage, "%s: %w", cmd.CommandPath(), err)
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if s := diag.Suggest(name, known); s != "" {
			return fault.WithHint(e, "did you mean --%s?", s)
		}
	}
	return fault.WithHint(e, "%s --help-all lists the flags", cmd.CommandPath())
}

// report prints an error for a person, and under --json for a script too.
func (p *program) report(err error) {
	if err == nil || p.told {
		return
	}
	p.tellError(err)
	if p.json {
		if err := p.printJSON(map[string]any{"error": failureOf(err)}); err != nil {
			p.tellError(err)
		}
	}
}

// tellError prints an error and how to mend it on standard error.
func (p *program) tellError(err error) {
	if list := diag.In(err); list != nil {
		p.diagnostics(list)
		return
	}
	fmt.Fprintf(p.err, "error: %s\n", diag.Indented(worded(err.Error())))
	if h := hintOf(err); h != "" {
		fmt.Fprintf(p.err, "hint: %s\n", diag.Indented(h))
	}
}

// diagnostics prints problems of files with the lines they concern.
func (p *program) diagnostics(list diag.List) {
	byFile := map[string]diag.List{}
	var order []string
	for _, d := range wordProblems(list) {
		if byFile[d.Pos.File] == nil {
			order = append(order, d.Pos.File)
		}
		byFile[d.Pos.File] = append(byFile[d.Pos.File], d)
	}
	for _, name := range order {
		var src []byte
		switch name {
		case "":
		case "-":
			src = p.stdin
		case p.settings.file, userConfig(): // it may hold secrets
		default:
			src, _ = file.Read(name, 16<<20) // without the text, only the excerpts are missing
		}
		byFile[name].Write(p.err, src) //nolint:errcheck // the terminal is gone
	}
	if n, w := len(list.Errors()), len(list.Warnings()); n > 0 {
		fmt.Fprintf(p.err, "%s, %s\n", count(n, "error"), count(w, "warning"))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// printJSON prints one JSON value for a script. Terminal control characters are
// escaped.
func (p *program) printJSON(v any) error { return p.print(v, jsontext.WithIndent("  ")) }

// printLine prints one JSON value on one line.
func (p *program) printLine(v any) error { return p.print(v) }

func (p *program) print(v any, o ...json.Options) error {
	b, err := json.Marshal(v, append(o, json.Deterministic(true))...)
	if err != nil {
		return fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	if _, err := fmt.Fprintf(p.out, "%s\n", diag.EscapeJSON(b)); err != nil {
		return fault.WithHint(fault.New(fault.Storage, "standard output: %w", reason(err)), "check that its disk is not full")
	}
	return nil
}

// say prints a line of talk on standard error, unless --quiet.
func (p *program) say(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintln(p.err, diag.Indented(worded(fmt.Sprintf(format, args...))))
	}
}

// explain prints a line of talk under --verbose.
func (p *program) explain(format string, args ...any) {
	if p.verbose {
		fmt.Fprintln(p.err, diag.Indented(worded(fmt.Sprintf(format, args...))))
	}
}

// fileOf returns the file that is written to, if it is one.
func fileOf(w io.Writer) (*os.File, bool) {
	if c, ok := w.(*checkedOutput); ok {
		w = c.Writer
	}
	f, ok := w.(*os.File)
	return f, ok
}

// terminal reports whether w is one, and wants colours.
func terminal(w io.Writer) (is, color bool) {
	f, ok := fileOf(w)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false, false
	}
	return true, os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// width returns the columns that output to w has: COLUMNS if it is set, else
// those of the terminal; 0 if w is none, and its lines may have any length.
func width(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 20 {
		return n
	}
	if f, ok := fileOf(w); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return max(n, 20)
		}
	}
	return 0
}

// sized reports whether the terminal that w is says how large it is. On one that
// does not, such as a serial console, nothing can be redrawn.
func sized(w io.Writer) bool {
	f, ok := fileOf(w)
	if !ok {
		return false
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	return err == nil && columns > 0 && rows > 0
}

// orColumns returns the columns for prose: 100 where lines may have any length.
func orColumns(width int) int {
	if width == 0 {
		return 100
	}
	return min(width, 100)
}

func version() string { return result.CurrentVersions("").RubricHost }
