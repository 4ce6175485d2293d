package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type scoreFlags struct {
	evaluatorFlags
	input  string
	export string
	with   []string
	lines  bool
	trace  bool
	corpus bool
	watch  bool

	embeddings string
}

func scoreCommand(p *program) *cobra.Command {
	f := &scoreFlags{}
	cmd := &cobra.Command{
		Use:   "score PLUGIN [field=value...|-]",
		Short: "Run one metric on one case",
		Long:  "Run one metric on one case and print its answer. PLUGIN is the name of a plugin or scorer,\na .wasm file, or a .js or .py script. score PLUGIN --help describes a plugin's configuration.",
		Example: `rubric-host score bleu output='the cat sat' references='["the cat sat down"]'
rubric-host score rouge --with variant=rougeL --with use_stemmer=true --input case.json
rubric-host score bleu --lines --corpus < cases.jsonl
rubric-host score ./score.js output='a cat sat' references='["a cat slept"]'`,
		Args:              args("PLUGIN", "[field=value...|-]"),
		ValidArgsFunction: p.complete.plugins,
		RunE:              func(cmd *cobra.Command, a []string) error { return runScore(cmd.Context(), p, f, a[0], a[1:]) },
	}
	s := cmd.Flags()
	s.StringVarP(&f.input, "input", "i", "", "file with the case: a JSON object, or the output as text (- for standard input)")
	s.StringArrayVarP(&f.with, "with", "w", nil, "configuration of the plugin, key=value; values are JSON or text (repeats)")
	s.StringVar(&f.export, "export", "", "scorer of the plugin (default: the plugin's default)")
	s.BoolVar(&f.lines, "lines", false, "read one JSON case per line from standard input, write one answer per line; exit 3 if a line failed")
	s.BoolVar(&f.corpus, "corpus", false, "with --lines: a last line for the whole set")
	s.BoolVar(&f.trace, "trace", false, "if the plugin fails, print its stack trace")
	s.BoolVar(&f.watch, "watch", false, "score again whenever the plugin's file, or a module that it imports, is saved")
	bindEmbeddings(p, cmd, &f.embeddings)
	f.bind(p, cmd)
	f.bindLimits(cmd)
	completes(cmd, "export", p.complete.listed(p.complete.exports))
	return cmd
}

// scored is the answer of score, one object per call.
type scored struct {
	Score    *float64          `json:"score"`
	Status   rubric.Status     `json:"status"`
	Level    string            `json:"level,omitzero"`
	Reason   string            `json:"reason,omitzero"`
	Evidence []rubric.Evidence `json:"evidence,omitzero"`
	Hits     []string          `json:"hits,omitzero"`
	Misses   []string          `json:"misses,omitzero"`
	Details  jsontext.Value    `json:"details"`
	Error    *result.Failure   `json:"error,omitzero"`
	Trace    []string          `json:"trace,omitzero"` // the functions that it failed in, innermost first
	Fuel     uint64            `json:"fuel,omitzero"`  // absent where nothing was scored
	PeerFuel uint64            `json:"peer_fuel,omitzero"`
	Corpus   bool              `json:"corpus,omitzero"` // the line is on the whole set
	N        int               `json:"n,omitzero"`      // cases of the set
}

func scoredOf(v *rubric.Verdict) scored {
	s := scored{Status: v.Status, Reason: v.Reason, Evidence: v.Evidence, Hits: v.Hits, Misses: v.Misses, Details: v.Details, Fuel: v.How.Fuel, PeerFuel: v.How.PeerFuel}
	if len(s.Details) == 0 {
		s.Details = jsontext.Value("{}")
	}
	switch v.Status {
	case rubric.Scored:
		s.Score = &v.Value
		s.Level = v.Native.Level
	case rubric.Unscored:
		s.Reason = worded(s.Reason)
	case rubric.Failed:
		s.Trace = v.Trace
		s.Error = &result.Failure{Class: v.Class, Message: v.Message, Hint: v.Hint}
		wordFailure(s.Error)
	}
	return s
}

func runScore(ctx context.Context, p *program, f *scoreFlags, name string, pairs []string) error {
	call := host.Call{Plugin: name, Export: f.export}
	switch {
	case f.corpus && !f.lines:
		return fault.WithHint(fault.New(fault.Usage, "--corpus is the last line of --lines"), "give cases with --lines")
	case f.lines && (f.input != "" || len(pairs) > 0):
		return fault.WithHint(fault.New(fault.Usage, "--lines reads cases from standard input, and takes none as arguments"), "leave out --lines, or the arguments")
	}
	var err error
	if call.Config, err = parseWith(f.with, p.textKey(name)); err != nil {
		return err
	}
	o := p.options(&f.evaluatorFlags)
	o.Doing = p.tellPreparing
	if !f.lines {
		o.Log = p.tellPrinted
	}
	if o.Embeddings, err = p.settings.embedder(f.embeddings); err != nil {
		return err
	}
	if f.lines {
		ev, err := host.New(ctx, o)
		if err != nil {
			return err
		}
		defer ev.Close(ctx) //nolint:errcheck // the process ends
		return scoreLines(ctx, p.console, ev, call, f.corpus)
	}
	if i := slices.Index(pairs, "-"); i >= 0 && f.input == "" { // as --input does
		f.input, pairs = "-", slices.Delete(slices.Clone(pairs), i, i+1)
	}
	fields, err := p.caseFields(f.input, pairs)
	if err != nil {
		return err
	}
	call, fields = call.Take(fields)
	c, err := dataset.FromFields(fields, diag.Pos{File: cmp.Or(f.input, "arguments")})
	if err != nil {
		return err
	}
	once := func(ctx context.Context) error { return scoreOnce(ctx, p.console, o, call, c, pairs, f.trace) }
	if f.watch {
		return watchFiles(ctx, p.console, name, once)
	}
	return once(ctx)
}

// scoreOnce scores a case, of which pairs are arguments, with the current plugin, and frees it.
func scoreOnce(ctx context.Context, con *console, o host.Options, call host.Call, c *dataset.Case, pairs []string, trace bool) error {
	ev, err := host.New(ctx, o)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // it was only called
	called, err := ev.Call(ctx, call)
	if err != nil {
		return orPath(err, call.Plugin)
	}
	con.tellNearMisses(pairs, called.Plan)
	v := called.Score(ctx, c)
	if trace && len(v.Trace) > 0 {
		fmt.Fprintf(con.err, "trace, innermost first:\n  %s\n", strings.Join(xslices.Map(v.Trace, diag.Plain), "\n  "))
	}
	return printScored(con, &v, called.Plan.Plugins)
}

// orPath says how a path is written, of a name that unknown plugin of.
func orPath(err error, name string) error {
	if _, missing := os.Stat(name); !fault.Is(err, fault.NotFound) || plugin.IsPath(name) || missing != nil {
		return err
	}
	return fault.WithHint(err, "a path of that name exists: ./%s", diag.Plain(name))
}

// tellPrinted shows the output that a plugin prints beside its answer.
func (con *console) tellPrinted(_ string, printed []byte) {
	for line := range strings.Lines(diag.PlainLines(string(printed))) {
		con.say("| %s", strings.TrimRight(line, "\n"))
	}
}

// printScored shows one answer of plugins.
func printScored(con *console, v *rubric.Verdict, of []plan.Plugin) error {
	s := scoredOf(v)
	if con.json {
		if err := con.printJSON(s); err != nil {
			return err
		}
	} else if v.Status == rubric.Scored {
		fmt.Fprintf(con.out, "%s", rubric.FormatNumber(v.Value))
		if s.Level != "" {
			fmt.Fprintf(con.out, "  %s", diag.Plain(s.Level))
		}
		fmt.Fprintf(con.out, "  fuel %d", s.Fuel)
		if s.PeerFuel > 0 {
			fmt.Fprintf(con.out, "  peer fuel %d", s.PeerFuel)
		}
		fmt.Fprintln(con.out)
		if err := printDetails(con, v); err != nil {
			return err
		}
	}
	switch v.Status {
	case rubric.Unscored:
		con.told = con.json
		return fault.WithHint(fault.New(fault.Unscored, "no score: %s", v.Reason), "this is not the score 0: a plugin that means 0 answers 0")
	case rubric.Failed:
		con.told = con.json
		advice := v.Class.Advice()
		if v.Class == fault.PluginError && slices.ContainsFunc(of, func(pl plan.Plugin) bool {
			file, _ := plugin.SplitRef(pl.Source)
			return plugin.IsScript(file)
		}) {
			advice = "correct the script"
		}
		return fault.WithHint(fault.New(v.Class, "%s", v.Message), "%s", cmp.Or(v.Hint, advice))
	}
	return nil
}

// printDetails prints the reason of a verdict, and a line for each member of its details.
func printDetails(con *console, v *rubric.Verdict) error {
	if v.Reason != "" {
		fmt.Fprintf(con.out, "    %s\n", diag.Indented(v.Reason))
	}
	t := con.page()
	d := jsontext.NewDecoder(bytes.NewReader(v.Details), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	d.ReadToken() //nolint:errcheck // the JSON is valid
	for d.PeekKind() == '"' {
		name, _ := d.ReadToken()
		key := name.String() // the next read takes its memory
		member, err := d.ReadValue()
		if err != nil {
			return err
		}
		value := member.Clone()
		value.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)) //nolint:errcheck // as above
		t.row("  "+key, value)
	}
	return t.Flush()
}

// parseWith reads key=value pairs; values are JSON, or text that is not, or that takes text only.
func parseWith(list []string, isText func(key string) bool) (map[string]any, error) {
	config := map[string]any{}
	for _, s := range list {
		key, value, ok := bytes.Cut([]byte(s), []byte("="))
		if !ok || len(key) == 0 {
			return nil, fault.New(fault.Usage, "--with %q: expected key=value", s)
		}
		var v any
		if json.Unmarshal(value, &v) != nil {
			v = string(value)
		}
		switch v.(type) {
		case float64, bool:
			if isText(string(key)) {
				v = string(value)
			}
		}
		config[string(key)] = v
	}
	return config, nil
}

func scoreLines(ctx context.Context, con *console, ev *host.Evaluator, call host.Call, corpus bool) error {
	collect()
	w := bufio.NewWriterSize(con.out, 64<<10)
	var failed lineFailures
	lines, err := ev.ScoreLines(ctx, call, con.in, func(line int, v *rubric.Verdict, more bool) error {
		answer := scoredOf(v)
		failed.lines++
		if answer.Error != nil {
			failed.note(fmt.Sprintf("line %d", line), answer.Error)
		}
		var err error
		if usual := answer.appendUsual(w.AvailableBuffer(), v); usual != nil {
			_, err = w.Write(usual)
		} else {
			err = writeLine(w, answer)
		}
		if err != nil || more {
			return err
		}
		return w.Flush()
	})
	if err != nil {
		return errors.Join(orPath(err, call.Plugin), w.Flush()) // the answers so far are whole lines
	}
	if corpus && failed.lines == 0 {
		return fault.WithHint(fault.New(fault.Empty, "standard input has no line"), "write a case a line")
	}
	if corpus {
		v := lines.Corpus(ctx)
		whole := scoredOf(&v)
		whole.Corpus, whole.N = true, lines.N()
		if whole.Error != nil {
			failed.note("the whole set", whole.Error)
		}
		if err := writeLine(w, &whole); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return failed.err()
}

// lineFailures counts the answers of --lines that are failures.
type lineFailures struct {
	lines, failed int
	first, hint   string // of the first failure
}

func (f *lineFailures) note(which string, failure *result.Failure) {
	if f.failed++; f.failed == 1 {
		f.first, f.hint = failure.Message, cmp.Or(failure.Hint, "each failed line has its error in the output")
		if !strings.HasPrefix(f.first, which) {
			f.first = which + ": " + f.first
		}
	}
}

// err returns the error that decides the exit code; nil without failures.
func (f *lineFailures) err() error {
	if f.failed == 0 {
		return nil
	}
	return fault.WithHint(fault.New(fault.Unscored, "%d of %s failed; first: %s", f.failed, diag.Count(f.lines, "line"), f.first), "%s", f.hint)
}

// appendUsual appends the line of a score with details, of v, that are written as they are, in the
// form that the library gives it. It returns nil for any other answer.
func (s *scored) appendUsual(dst []byte, v *rubric.Verdict) []byte {
	if v.Status != rubric.Scored || !v.Plain || s.Level != "" || s.Reason != "" || s.PeerFuel != 0 ||
		len(s.Evidence)+len(s.Hits)+len(s.Misses) > 0 || v.Value != 0 && (v.Value < 1e-6 || v.Value > 1) {
		return nil
	}
	dst = strconv.AppendFloat(append(dst, `{"score":`...), v.Value, 'f', -1, 64)
	dst = append(append(dst, `,"status":"scored","details":`...), s.Details...)
	if s.Fuel != 0 {
		dst = strconv.AppendUint(append(dst, `,"fuel":`...), s.Fuel, 10)
	}
	return append(diag.EscapeJSON(dst), "}\n"...)
}

func writeLine(w *bufio.Writer, v any) error {
	line := bytes.NewBuffer(w.AvailableBuffer())
	if err := json.MarshalWrite(line, v, json.Deterministic(true)); err != nil {
		return err
	}
	w.Write(diag.EscapeJSON(line.Bytes())) //nolint:errcheck // the error comes with the next one
	return w.WriteByte('\n')
}

func (co completer) plugins(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(given) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	co.settings.resolve(cmd) //nolint:errcheck // completion works without it, too
	return namesOfPlugins(co.dirs), cobra.ShellCompDirectiveDefault
}
