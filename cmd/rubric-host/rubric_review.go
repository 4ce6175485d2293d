package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

type rubricReviewFlags struct {
	evaluatorFlags
	judgeFlags
	dialect   string
	data      string
	good, bad string
}

func rubricReviewCommand(p *program) *cobra.Command {
	f := &rubricReviewFlags{}
	cmd := &cobra.Command{
		Use:   "review FILE",
		Short: "Review a rubric: structure, wording, weights and verdicts",
		Long: `Review a rubric. It is graded by builtin:meta_rubric; then come criteria that overlap in words,
weights that change no verdict, texts that are hard to read. With --data RUN also criteria that never
vary or agree with another one, and scores that follow the length; with --good and --bad, criteria
that do not tell them apart; with --judge, double-barrelled and leading wording.
Exit 0, also with findings.`,
		Example: `rubric-host rubric review rubric.yaml
rubric-host rubric review rubric.yaml --data latest --judge openai:gpt-5-mini
rubric-host rubric review rubric.yaml --good good.jsonl --bad bad.jsonl`,
		Args: args("FILE"), ValidArgsFunction: p.complete.rubric,
		RunE: func(cmd *cobra.Command, a []string) error { return runReview(p, cmd, f, a[0]) },
	}
	s := cmd.Flags()
	s.StringVar(&f.data, "data", "", "a run that was graded with the rubric")
	s.StringVar(&f.good, "good", "", "file with cases whose outputs are good")
	s.StringVar(&f.bad, "bad", "", "file with cases whose outputs are bad")
	bindRuns(p, cmd.Flags())
	bindDocument(p, cmd, &f.dialect)
	f.judgeFlags.bind(p, cmd)
	completes(cmd, "data", p.complete.run)
	f.evaluatorFlags.bind(p, cmd)
	f.bindLimits(cmd)
	f.bindCache(cmd)
	keyed(cmd, "data", "good", "bad", "dialect", "runs")
	return cmd
}

func runReview(p *program, cmd *cobra.Command, f *rubricReviewFlags, name string) error {
	ctx := cmd.Context()
	if (f.good == "") != (f.bad == "") {
		return fault.WithHint(fault.New(fault.Usage, "--good and --bad go together"), "name a file of good outputs and one of bad ones")
	}
	o := host.RubricReview{}
	for _, x := range []struct {
		path string
		into **dataset.Options
	}{{f.good, &o.Good}, {f.bad, &o.Bad}} {
		if x.path != "" {
			*x.into = &dataset.Options{Paths: []string{x.path}}
		}
	}
	if f.data != "" {
		var err error
		if o.Run, err = runner.Find(p.runs, f.data); err != nil {
			return err
		}
	}
	doc, err := p.load(name, f.dialect)
	if err != nil {
		return err
	}
	o.Wording = f.judge != "" || f.replay != ""
	ev, err := p.judging(ctx, &f.evaluatorFlags, &f.judgeFlags)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	r, err := ev.ReviewRubric(ctx, doc, o)
	if err != nil {
		return p.located(err, doc, "")
	}
	if p.json {
		return p.printJSON(r)
	}
	return tellReview(p.console, r)
}

// needs are the flags that a check would need.
var needs = map[string]string{
	metarubric.NeedsOutputs: " (--data)", metarubric.NeedsExamples: " (--good, --bad)", metarubric.NeedsJudge: " (--judge)",
}

// tellReview prints a review for a person.
func tellReview(con *console, r *metarubric.Review) error {
	if r.Meta != nil {
		fmt.Fprintf(con.out, "%s: meta-rubric %s\n", diag.Plain(r.File), metaText(r.Meta))
	}
	if len(r.Findings) == 0 {
		fmt.Fprintf(con.out, "%s: no findings\n", diag.Plain(r.File))
	}
	var list diag.List
	for i := range r.Findings {
		list = append(list, r.Findings[i].Diagnostic(r.File))
	}
	if err := wordProblems(list).Write(con.out, nil); err != nil {
		return err
	}
	t := con.page()
	if len(r.NotChecked) > 0 && !con.quiet {
		t.row("not checked")
		for _, n := range r.NotChecked {
			t.row("", n.Check+": "+worded(n.Reason)+needs[n.Needs])
		}
	}
	for _, x := range []struct {
		what string
		rows *metarubric.Rows
	}{{"graded outputs", r.Run}, {"good outputs", r.Good}, {"bad outputs", r.Bad}} {
		if x.rows != nil {
			con.say("%s: %s, %s scored, of %s", x.what, diag.Count(x.rows.Rows, "row"), fmt.Sprint(x.rows.Scored), diag.Plain(x.rows.Source))
		}
	}
	return t.Flush()
}

func metaText(m *metarubric.Grade) string {
	passed, scored := 0, 0
	for i := range m.Checks {
		if v := m.Checks[i].Value; m.Checks[i].Status == rubric.Scored && v != nil {
			scored++
			if *v >= 1 {
				passed++
			}
		}
	}
	verdict := "no score"
	if m.Score != nil {
		verdict = result.ScoreText(*m.Score)
	}
	if m.Passed != nil {
		verdict += map[bool]string{true: ", passed", false: ", failed"}[*m.Passed]
	}
	return fmt.Sprintf("%s (%d of %d checks pass)", verdict, passed, scored)
}
