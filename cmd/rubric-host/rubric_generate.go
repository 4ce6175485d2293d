package main

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/generate"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type generateFlags struct {
	evaluatorFlags
	judgeFlags
	task, good, bad, pairs string
	name                   string
	dialect, out           string
	seed                   int
	noTrial                bool
}

func generateCommand(p *program) *cobra.Command {
	f := &generateFlags{}
	cmd := &cobra.Command{
		Use:   "generate [EVALFILE]",
		Short: "Draft rubrics from expected outcomes, a task, or examples",
		Long: `Draft rubrics with a judge. From EVALFILE: criteria for each case that has an expected outcome and
no rubrics, written into the file; comments and all other bytes stay. Run it again to continue.
Without EVALFILE: one rubric from a task, from good and bad outputs, or from preference pairs. It is
tried on the examples; the model does not see half of them if there are at least four of a kind.`,
		Example: `rubric-host rubric generate evals.yaml --judge openai:gpt-5-mini
rubric-host rubric generate --task 'Answer mail' --good good.jsonl --bad bad.jsonl -o rubric.yaml
rubric-host rubric generate --pairs preferences.jsonl -o rubric.yaml`,
		Args: args("[EVALFILE]"), ValidArgsFunction: p.complete.rubric,
		RunE: func(cmd *cobra.Command, a []string) error {
			if len(a) == 1 {
				return runGenerateFile(p, cmd, f, a[0])
			}
			return runGenerate(cmd.Context(), p, f)
		},
	}
	s := cmd.Flags()
	s.StringVar(&f.task, "task", "", "purpose of the outputs, in words")
	s.StringVar(&f.good, "good", "", "file with cases whose outputs are good")
	s.StringVar(&f.bad, "bad", "", "file with cases whose outputs are bad")
	s.StringVar(&f.pairs, "pairs", "", "file with preference pairs: input, chosen, rejected")
	bindOut(cmd, &f.out)
	s.Lookup("out").Usage = "write to this file, - for standard output (default: EVALFILE, else -)"
	s.StringVar(&f.name, "name", "", "id of the rubric (default: the name of the file, else drafted)")
	s.StringVar(&f.dialect, "dialect", "", "dialect of EVALFILE (default: detected), or of the rubric (default: native)")
	choices(cmd, "dialect", dialect.Names()...)
	s.IntVar(&f.seed, "seed", 0, "seed that chooses the examples which the model sees")
	s.BoolVar(&f.noTrial, "no-trial", false, "do not grade the examples, or expected outputs, with the draft")
	f.judgeFlags.bind(p, cmd)
	f.bindCache(cmd)
	advanced(cmd, "name", "seed", "no-trial")
	keyed(cmd, "task", "good", "bad", "pairs", "name", "dialect", "seed", "no-trial")
	return cmd
}

func newGenerator(ctx context.Context, p *program, e *evaluatorFlags, f *judgeFlags) (*host.Evaluator, error) {
	if f.judge == "" && f.replay == "" {
		return nil, fault.WithHint(fault.New(fault.Usage, "drafting needs a judge"), "name one with %s, or --replay a recording", fault.OptionJudge)
	}
	return p.judging(ctx, e, f)
}

// runGenerate drafts a rubric of its own.
func runGenerate(ctx context.Context, p *program, f *generateFlags) error {
	r, err := generateRequest(p.console, f)
	if err != nil {
		return err
	}
	ev, err := newGenerator(ctx, p, &f.evaluatorFlags, &f.judgeFlags)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	done, stopped := generate.Draft(ctx, ev, r)
	if done == nil || done.Text == nil {
		return stopped
	}
	went, err := p.deliver(f.out, done.Text)
	if err != nil {
		return err
	}
	return tellDraft(p.console, ev, r.Seed, done, went, stopped)
}

func generateRequest(con *console, f *generateFlags) (r generate.Request, err error) {
	r = generate.Request{ID: f.name, Dialect: f.dialect, Format: formatOf(f.out), Seed: f.seed, NoTrial: f.noTrial, Task: f.task}
	if r.ID == "" && inFile(f.out) {
		r.ID = strings.TrimSuffix(path.Base(f.out), path.Ext(f.out))
	}
	if f.task == "" && f.good == "" && f.bad == "" && f.pairs == "" {
		return r, fault.WithHint(fault.New(fault.Usage, "nothing to draft from"), "name an eval file, or --task, --good and --bad, or --pairs")
	}
	for _, x := range []struct {
		path string
		into *[]*dataset.Case
	}{{f.good, &r.Examples.Good}, {f.bad, &r.Examples.Bad}} {
		if x.path == "" {
			continue
		}
		if *x.into, err = generate.ReadExamples(dataset.Options{Paths: []string{x.path}, Stdin: con.in}); err != nil {
			return r, err
		}
	}
	if f.pairs != "" {
		r.Examples.Pairs, err = generate.ReadPairs(dataset.Options{Paths: []string{f.pairs}, Stdin: con.in})
	}
	return r, err
}

// draftedRubric is the JSON answer of generate for a rubric of its own.
type draftedRubric struct {
	Dialect  string             `json:"dialect"`
	ID       string             `json:"rubric"`
	Criteria []draftedCriterion `json:"criteria"`
	Lint     []problem          `json:"lint"`
	Losses   []problem          `json:"losses"`
	Seed     int                `json:"seed"`
	Judge    result.Usage       `json:"judge"`
	Error    *result.Failure    `json:"error,omitzero"`
	*generate.Rubric
	delivery
}

func tellDraft(con *console, ev *host.Evaluator, seed int, done *generate.Rubric, went delivery, stopped error) error {
	if con.json {
		doc := done.Document
		return con.printOutcome(draftedRubric{
			doc.Dialect, doc.Rubric.ID, draftedCriteria(doc.Rubric.Criteria), problemsOf(done.Lint), problemsOf(done.Losses), seed,
			ev.Stats().Spent, failureOf(stopped), done, went,
		}, stopped)
	}
	for _, d := range done.Lint {
		con.say("note: %s: %s", diag.Plain(d.Path), diag.Plain(d.Message))
	}
	con.say("drafted %s", diag.Count(len(done.Document.Rubric.Leaves()), "criterion"))
	tellMeta(con, "", done.Meta, false)
	tellDraftTrial(con, done.Trial)
	if done.Seen != nil {
		tellDraftTrial(con, done.Seen)
	}
	if went.File != "" {
		con.say("wrote %s", diag.Plain(went.File))
	}
	return stopped
}

// tellDraftTrial prints the figures of a trial.
func tellDraftTrial(con *console, t *generate.Trial) {
	if t == nil {
		return
	}
	which := "examples that the model saw"
	if t.HeldOut {
		which = "examples that the model did not see"
	}
	con.say("trial on %s:", which)
	group := func(name string, g *generate.Group) {
		if g == nil {
			return
		}
		unscored := ""
		if g.Unscored > 0 {
			unscored = fmt.Sprintf(", %d could not be scored", g.Unscored)
		}
		con.say("  %-8s mean %s (n=%d%s)", name, scoreText(g.Mean), g.N, unscored)
	}
	group("good", t.Good)
	group("bad", t.Bad)
	if t.AUC != nil {
		con.say("  AUC      %s", shareText(t.AUC))
	}
	if x := t.Pairs; x != nil {
		if x.Agreement != nil {
			con.say("  pairs    agreement %s (n=%d: %d agree, %d tied, %d against)", shareText(x.Agreement), x.N, x.Agree, x.Ties, x.Against)
		}
		if x.Unscored > 0 {
			con.say("  pairs    %d could not be scored", x.Unscored)
		}
	}
	for _, c := range t.Criteria {
		if c.Good != nil && c.Bad != nil {
			con.say("  %-24s good %.2f  bad %.2f", diag.Plain(c.ID), *c.Good, *c.Bad)
		}
	}
	switch t.Separation {
	case generate.Separates:
		con.say("  the draft separates good from bad")
	case generate.Undecided:
		con.say("  too few examples to tell whether the draft separates good from bad")
	case generate.NoSeparation:
		con.say("  THE DRAFT DOES NOT SEPARATE good from bad")
	case generate.NotTried:
		con.say("  no figure: both kinds of examples are needed, with scores")
	}
}

func shareText(s *generate.Share) string {
	return fmt.Sprintf("%s, 95%% CI [%s, %s]", scoreText(&s.Value), scoreText(&s.Low), scoreText(&s.High))
}

type draftedCriterion struct {
	ID       string  `json:"id"`
	Text     string  `json:"text"`
	Weight   float64 `json:"weight"`
	Required bool    `json:"required"`
}

func draftedCriteria(list []rubric.Criterion) []draftedCriterion {
	return xslices.Map(list, func(c rubric.Criterion) draftedCriterion {
		return draftedCriterion{c.ID, c.Text, c.Weight.Value, c.Required}
	})
}

// tellMeta prints the result of a draft by the meta-rubric; of many, only one that is
// not whole.
func tellMeta(con *console, of string, m *generate.Meta, many bool) {
	switch {
	case m == nil:
	case len(m.Below) > 0:
		con.say("warning: %smeta-rubric %s: not wholly met: %s", diag.Plain(of), scoreText(m.Score), diag.Plain(strings.Join(m.Below, ", ")))
	case !many:
		con.say("%smeta-rubric %s", diag.Plain(of), scoreText(m.Score))
	}
}
