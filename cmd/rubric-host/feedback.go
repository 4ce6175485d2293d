package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func feedbackCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "feedback", Short: "Record people's opinions of verdicts, and use them as verdicts",
		Long: "Record whether people agree with verdicts of a run, and which verdict would be right. Notes are\n" +
			"kept in the run directory, in " + feedback.File + ". Exported, they stand in for the scorers:\neval --verdicts FILE.",
	}
	bindRuns(p, cmd.PersistentFlags())
	cmd.AddCommand(feedbackAddCommand(p), feedbackListCommand(p), feedbackImportCommand(p), feedbackExportCommand(p))
	return cmd
}

type feedbackFlags struct {
	feedback.Note
	agree, disagree bool
	label           string
	value           float64
}

func feedbackAddCommand(p *program) *cobra.Command {
	f := &feedbackFlags{}
	cmd := &cobra.Command{
		Use:   "add RUN --case ID",
		Short: "Say whether a verdict is right, or which one would be",
		Example: `rubric-host feedback add latest --case q-17 --criterion tone --agree
rubric-host feedback add latest --case q-17 --criterion tone --label cold --comment rude`,
		Args: args("RUN"), ValidArgsFunction: p.complete.run,
		RunE: func(cmd *cobra.Command, a []string) error { return addNote(p, cmd, f, a[0]) },
	}
	s := cmd.Flags()
	s.StringVar(&f.Case, "case", "", "case that the verdict is about")
	s.StringVar(&f.Criterion, "criterion", "", "criterion (default: the row as a whole)")
	s.IntVar(&f.Repeat, "repeat", 1, "repeat of the case")
	s.BoolVar(&f.agree, "agree", false, "the verdict is right")
	s.BoolVar(&f.disagree, "disagree", false, "the verdict is wrong")
	s.StringVar(&f.label, "label", "", "the right verdict: a level, met or unmet")
	s.Float64Var(&f.value, "value", 0, "the right value, from 0 to 1")
	s.StringVar(&f.Comment, "comment", "", "why")
	keyed(cmd, "case", "criterion", "repeat", "agree", "disagree", "label", "value", "comment")
	bindBy(p, cmd)
	return cmd
}

func addNote(p *program, cmd *cobra.Command, f *feedbackFlags, name string) error {
	n := f.Note
	said := 0
	changed := cmd.Flags().Changed
	for flag, take := range map[string]func(){
		"agree":    func() { n.Agree = &f.agree },
		"disagree": func() { no := !f.disagree; n.Agree = &no },
		"label":    func() { n.Label = &f.label },
		"value":    func() { n.Value = &f.value },
	} {
		if changed(flag) {
			take()
			said++
		}
	}
	switch {
	case n.Case == "":
		return fault.WithHint(fault.New(fault.Usage, "missing flag: --case ID"), "rubric-host failures %s lists cases", name)
	case said > 1:
		return fault.New(fault.Usage, "give one of --agree, --disagree, --label and --value")
	case said == 0 && strings.TrimSpace(n.Comment) == "":
		return fault.WithHint(fault.New(fault.Usage, "missing flag: one of --agree, --disagree, --label, --value and --comment"), "such as --agree, or --label met")
	case changed("label") && f.label == "":
		return fault.New(fault.Usage, "--label is empty")
	case f.Repeat < 1:
		return fault.New(fault.Usage, "--repeat %d: at least 1", f.Repeat)
	}
	n.By, n.At = p.whoever(), time.Now()
	dir, err := runner.Find(p.runs, name)
	if err != nil {
		return err
	}
	n.Run = filepath.Base(dir)
	return addNotes(p.console, dir, []feedback.Note{n})
}

func addNotes(con *console, dir string, notes []feedback.Note) error {
	added, err := host.AddNotes(dir, notes)
	if err != nil {
		return err
	}
	known := ""
	if n := len(notes) - len(added); n > 0 {
		known = fmt.Sprintf("; %d said the same already", n)
	}
	return con.answer(map[string]any{"added": added, "known": len(notes) - len(added)},
		"added %s to %s%s", diag.Count(len(added), "note"), diag.Plain(filepath.Join(dir, feedback.File)), known)
}

func feedbackListCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "list [RUN]",
		Short:   "List notes, oldest first",
		Example: "rubric-host feedback list latest",
		Args:    args("[RUN]"), ValidArgsFunction: p.complete.run,
		RunE: func(_ *cobra.Command, a []string) error { return listNotes(p.console, p.runs, a) },
	}
}

// notedRuns returns the directories of the named runs, of all where none is named.
func notedRuns(runs string, names []string) ([]string, error) {
	if len(names) > 0 {
		return findRuns(runs, names)
	}
	ids, err := runner.List(runs)
	return xslices.Map(ids, func(id string) string { return filepath.Join(runs, id) }), err
}

func listNotes(con *console, runs string, names []string) error {
	dirs, err := notedRuns(runs, names)
	if err != nil {
		return err
	}
	var notes []feedback.Note
	for _, dir := range dirs {
		all, problems, err := feedback.Read(dir)
		if err != nil {
			return err
		}
		con.diagnostics(problems)
		notes = append(notes, all...)
	}
	t := con.table("RUN", "CASE", "CRITERION", "SAYS", "BY", "AT", "COMMENT")
	for i := range notes {
		n := &notes[i]
		t.row(n.Run, repeated(n.Case, n.Repeat), orDash(n.Criterion), says(n), n.By, n.At, orDash(diag.Line(n.Comment, 60)))
	}
	return con.list(map[string]any{"notes": notes}, len(notes), t, "no notes")
}

// says is the opinion of a note in a word.
func says(n *feedback.Note) string {
	switch {
	case n.Label != nil:
		return *n.Label
	case n.Value != nil:
		return rubric.FormatNumber(*n.Value)
	case n.Agree != nil && *n.Agree:
		return "agrees"
	case n.Agree != nil:
		return "disagrees"
	}
	return "-"
}

func feedbackImportCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import RUN FILE",
		Short: "Add notes from a file of JSON lines",
		Long: "Add notes from a file, one JSON object a line, all or none:\n\n" +
			"  {\"case\": ID, \"criterion\": ID, \"agree\": true, \"by\": NAME, \"comment\": TEXT}\n\n" +
			"agree, or label (level, met), or value from 0 to 1. Lines of --verdicts are taken, too.",
		Example: "rubric-host feedback import latest labels.jsonl --by ann",
		Args:    args("RUN", "FILE"), ValidArgsFunction: p.complete.run,
		RunE: func(_ *cobra.Command, a []string) error {
			dir, err := runner.Find(p.runs, a[0])
			if err != nil {
				return err
			}
			text, err := p.read(a[1], maxInput)
			if err != nil {
				return err
			}
			notes, err := feedback.Import(a[1], bytes.NewReader(text), filepath.Base(dir), p.whoever(), time.Now())
			if err != nil {
				return err
			}
			return addNotes(p.console, dir, notes)
		},
	}
	bindBy(p, cmd)
	return cmd
}

func feedbackExportCommand(p *program) *cobra.Command {
	var out, by string
	cmd := &cobra.Command{
		Use:   "export [RUN...]",
		Short: "Write notes as verdicts, which eval and grade take with --verdicts",
		Long: "Write notes as verdicts (JSON lines). Of each person the last note on a verdict counts. A verdict\n" +
			"that people dispute is unscored, and its line names them; --by takes one person's notes.",
		Example: "rubric-host feedback export latest -o people.jsonl\nrubric-host feedback export --by ann",
		Args:    args("[RUN...]"), ValidArgsFunction: p.complete.run,
		RunE: func(_ *cobra.Command, a []string) error { return exportNotes(p.console, p.runs, a, by, out) },
	}
	bindOut(cmd, &out)
	cmd.Flags().StringVar(&by, "by", "", "only notes of this person")
	keyed(cmd, "by")
	return cmd
}

func exportNotes(con *console, runs string, names []string, by, out string) error {
	dirs, err := notedRuns(runs, names)
	if err != nil {
		return err
	}
	opinions, problems, err := host.Opinions(dirs, by)
	if err != nil {
		return err
	}
	con.diagnostics(problems)
	disputed, silent := 0, 0
	var lines []scorer.Line
	var text []byte
	for i := range opinions {
		line, ok := opinions[i].Line()
		if !ok {
			silent++
			continue
		}
		if line.Unscored != nil {
			disputed++
		}
		b, err := json.Marshal(&line, json.Deterministic(true))
		if err != nil {
			return err
		}
		lines, text = append(lines, line), append(append(text, diag.EscapeJSON(b)...), '\n')
	}
	if len(lines) == 0 {
		return fault.WithHint(fault.New(fault.Empty, "no note says which verdict is right"), "add some: rubric-host feedback add RUN --case ID --criterion ID, with --agree, --label or --value")
	}
	went, err := con.deliver(out, text)
	if err != nil {
		return err
	}
	if con.json {
		return con.printJSON(map[string]any{"verdicts": lines, "disputed": disputed, "silent": silent, "file": went.File})
	}
	con.say("%s; people differ on %d; %d noted without saying which verdict is right", diag.Count(len(lines), "verdict"), disputed, silent)
	return nil
}
