package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/generate"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

type improveFlags struct {
	evaluatorFlags
	judgeFlags
	labels, dialect, out string
	data                 []string
	outputs              string
	seed                 int
}

func improveCommand(p *program) *cobra.Command {
	f := &improveFlags{}
	cmd := &cobra.Command{
		Use:   "improve RUBRIC --data FILE --labels FILE",
		Short: "Propose edits from people's labels, proven on held-out cases",
		Long: `Propose edits where a judge and people disagree. feedback export writes labels from people's notes.
The judge sees disagreements of half of the cases; agreement on the other half, before and after,
decides. Prints a diff; -o keeps the result. Exit 1: no edit is proven to be better.`,
		Example: `rubric-host rubric improve rubric.yaml --data answers.jsonl --labels labels.jsonl -o rubric.yaml`,
		Args:    args("RUBRIC"), ValidArgsFunction: p.complete.rubric,
		RunE: func(cmd *cobra.Command, a []string) error { return runImprove(cmd.Context(), p, f, a[0]) },
	}
	s := cmd.Flags()
	s.StringVar(&f.labels, "labels", "", "people's verdicts (JSONL), as --verdicts of eval reads them")
	s.StringArrayVarP(&f.data, "data", "d", nil, "file with outputs (repeats)")
	s.StringVar(&f.outputs, "outputs", "", "file with the outputs of --data, joined by case id")
	bindOut(cmd, &f.out)
	s.Lookup("out").Usage = "write the edited rubric to this file, if it is better"
	s.IntVar(&f.seed, "seed", 0, "seed that divides the cases")
	bindDialect(cmd, &f.dialect)
	bindStore(p, cmd)
	f.judgeFlags.bind(p, cmd)
	f.bindCache(cmd)
	advanced(cmd, "outputs", "dialect", "store", "concurrency")
	keyed(cmd, "labels", "seed")
	return cmd
}

func runImprove(ctx context.Context, p *program, f *improveFlags, name string) error {
	o, err := improvementOf(p, f, name)
	if err != nil {
		return err
	}
	ev, err := newGenerator(ctx, p, &f.evaluatorFlags, &f.judgeFlags)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	done, err := generate.Improve(ctx, ev, *o)
	if err != nil {
		return err
	}
	written := done.Proof.Better && inFile(f.out)
	if written {
		if filepath.Clean(f.out) == filepath.Clean(o.Document.File) {
			err = rewriteFile(f.out, o.Document.Bytes(), done.Text)
		} else {
			err = writeFile(f.out, done.Text)
		}
		if err != nil {
			return err
		}
	}
	return tellImproved(p.console, ev, f, o, done, written)
}

func improvementOf(p *program, f *improveFlags, name string) (*generate.Improvement, error) {
	if len(f.data) == 0 || f.labels == "" {
		return nil, fault.WithHint(fault.New(fault.Usage, "missing flag: --data and --labels"), "rubric-host feedback export RUN -o FILE writes people's notes on a run as labels")
	}
	doc, err := p.load(name, f.dialect)
	if err != nil {
		return nil, err
	}
	if err := generate.Improvable(doc); err != nil {
		return nil, err
	}
	o := &generate.Improvement{Document: doc, Seed: f.seed}
	d := dataset.Options{Paths: f.data, Stdin: p.in}
	if f.outputs != "" {
		if d.Outputs, err = dataset.OpenOutputs(f.outputs, ""); err != nil {
			return nil, err
		}
	}
	if o.Cases, err = generate.ReadExamples(d); err != nil {
		return nil, err
	}
	if o.Labels, err = p.readGiven(f.labels); err != nil {
		return nil, err
	}
	return o, nil
}

// improved is the JSON answer of improve.
type improved struct {
	*generate.Improved
	Diff  string       `json:"diff"`
	Judge result.Usage `json:"judge"`
	delivery
}

func tellImproved(con *console, ev *host.Evaluator, f *improveFlags, o *generate.Improvement, done *generate.Improved, written bool) error {
	var notBetter error
	went := delivery{Output: string(done.Text)}
	switch {
	case written:
		went = delivery{File: f.out}
	case len(done.Changes) == 0:
		notBetter = fault.WithHint(fault.New(fault.Gate, "no edits"), "the rubric explains the labels, or the judge found nothing to change")
	case !done.Proof.Better:
		notBetter = fault.WithHint(fault.New(fault.Gate, "no better: the edits are not proven to raise the agreement on held-out cases"), "label more cases; --json has the edited rubric all the same")
	}
	shown := string(diff.Diff(o.Document.Name(), o.Document.Bytes(), "improved", done.Text))
	if con.json {
		return con.printOutcome(improved{done, shown, ev.Stats().Spent, went}, notBetter)
	}
	if err := con.writeText("", []byte(shown)); err != nil {
		return err
	}
	for _, c := range done.Changes {
		con.say("%s of %s: %s", c.Field, diag.Plain(c.Criterion), diag.Plain(c.Why))
	}
	for _, r := range done.Refused {
		con.say("left out: %s", diag.Plain(r))
	}
	con.say("%d cases were shown, %d held out (seed %d)", len(done.Shown), len(done.Held), done.Seed)
	con.say("agreement on shown cases    before %s", agreementText(done.Seen))
	con.say("agreement on held-out cases before %s", agreementText(done.Proof.Before))
	if len(done.Changes) > 0 {
		con.say("agreement on held-out cases after  %s", agreementText(done.Proof.After))
	}
	if d := done.Proof.Difference; d != nil {
		con.say("difference %s, 95%% CI [%s, %s], n=%d, p=%s", result.DeltaText(d.Value), result.DeltaText(d.Low), result.DeltaText(d.High), done.Proof.N, report.PValue(done.Proof.P))
	}
	if done.Proof.Better {
		con.say("better: the interval lies above 0")
	}
	if written {
		con.say("wrote %s", diag.Plain(f.out))
	}
	if _, _, ok := registry.ParseRef(o.Document.File); ok && written {
		con.say("next: give it a new version, then rubric-host rubric register %s", diag.Shell(f.out))
	}
	return notBetter
}

func agreementText(a generate.Agreement) string {
	unscored := ""
	if a.Unscored > 0 {
		unscored = fmt.Sprintf(", %d without a verdict", a.Unscored)
	}
	return fmt.Sprintf("%s (n=%d%s)", scoreText(a.Value), a.N, unscored)
}
