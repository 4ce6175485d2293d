package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/postgres"
	"github.com/rubric-host/rubric-host/host/store/scan"
)

type evaluationFlags struct {
	host           string
	filter         store.Filter
	status         string
	passed, failed bool
	since          limitFlag[time.Duration]
}

func evaluationCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "evaluation", Short: "List evaluations of all runs, or show one",
		Long: "List evaluations of all runs, or show one. An evaluation is a row of a run: the verdict on one\n" +
			"case. Both commands first bring the index of the database up to date with the run directories.\n\n" +
			"On a PostgreSQL server, which many machines use, runs are kept by machine, and a machine\n" +
			"drops only its own that are gone. Machines that share --runs, and containers that it is mounted\n" +
			"in, need the same --host; containers with directories of their own need different ones.",
	}
	f := &evaluationFlags{}
	list := &cobra.Command{
		Use: "list", Short: "List evaluations, newest run first",
		Example: "rubric-host evaluation list --failed --since 24h\nrubric-host evaluation list --rubric tone --case q-17 --json",
		RunE: func(cmd *cobra.Command, a []string) error {
			q, err := f.query()
			if err != nil {
				return err
			}
			if p.unindexed() {
				return tellEvaluations(p.console, nil, false)
			}
			return p.inStore("", func(ctx context.Context, s stores, _ []string) error { return evaluationList(ctx, p, s, f, q) })(cmd, a)
		},
	}
	s := list.Flags()
	s.StringVar(&f.filter.Rubric, "rubric", "", "only by the rubric with this id")
	s.StringVar(&f.filter.Run, "run", "", "only of this run")
	s.StringVar(&f.filter.Case, "case", "", "only of the case with this id")
	s.StringVar(&f.status, "status", "", "only scored or unscored ones")
	s.BoolVar(&f.passed, "passed", false, "only those that passed")
	s.BoolVar(&f.failed, "failed", false, "only those that did not pass")
	s.Var(&f.since, "since", "only of runs that began within this time, such as 24h")
	s.IntVar(&f.filter.Limit, "limit", 50, "how many to list; 0: all")
	keyed(list, "rubric", "run", "case", "status", "passed", "failed", "since", "limit")
	choices(list, "status", string(rubric.Scored), string(rubric.Unscored))
	completes(list, "run", p.complete.run)

	show := &cobra.Command{
		Use: "show ID", Short: "Show an evaluation with its verdicts, hashes and feedback", Args: args("ID"),
		Example: "rubric-host evaluation show eval_c020d3dfe6a3", ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, a []string) error {
			hint := ""
			if p.unindexed() {
				hint = createsNone
			}
			return p.inStore(hint, func(ctx context.Context, s stores, a []string) error { return evaluationShow(ctx, p, s, f, a[0]) })(cmd, a)
		},
	}
	for _, c := range []*cobra.Command{list, show} {
		bindRuns(p, c.Flags())
		bindStore(p, c)
		c.Flags().StringVar(&f.host, "host", "", "whose run directories these are, on a PostgreSQL server (default: this machine's name)")
		advanced(c, "host")
	}
	cmd.AddCommand(list, show)
	return cmd
}

// unindexed reports whether there are neither runs nor a database: none is created for them.
func (p *program) unindexed() bool {
	missing := func(path string) bool {
		_, err := os.Stat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
	file := p.store.name
	return missing(p.runs) && file != "" && !postgres.Is(file) && missing(file) && !missing(filepath.Dir(file))
}

// index brings the index of the database up to date.
func (f *evaluationFlags) index(ctx context.Context, p *program, s stores) error {
	host := f.host
	if host == "" && postgres.Is(p.store.name) { // a file is on the machine that has the directories, whatever its name
		var err error
		if host, err = os.Hostname(); err != nil {
			return fault.WithHint(fault.New(fault.Usage, "this machine has no name: %w", err), "give it one with --host")
		}
	}
	r, err := scan.Directory(ctx, s, host, p.runs)
	if err != nil {
		return err
	}
	for _, err := range r.Problems {
		p.say("warning: %v", err)
	}
	p.explain("%s: %s, %d read, %d dropped", p.runs, diag.Count(r.Runs, "run"), r.Read, r.Dropped)
	return nil
}

func (f *evaluationFlags) query() (store.Filter, error) {
	q := f.filter
	switch {
	case f.passed && f.failed:
		return q, fault.New(fault.Usage, "--passed and --failed cannot be combined")
	case f.passed || f.failed:
		q.Passed = &f.passed
	}
	if q.Limit < 0 {
		return q, fault.New(fault.Usage, "--limit %d: must not be negative", q.Limit)
	}
	q.Status = rubric.Status(f.status)
	if f.since.n > 0 {
		q.Since = time.Now().Add(-f.since.n)
	}
	return q, nil
}

func evaluationList(ctx context.Context, p *program, s stores, f *evaluationFlags, q store.Filter) error {
	if err := f.index(ctx, p, s); err != nil {
		return err
	}
	if q.Run != "" {
		if _, run, err := findRun(p.runs, q.Run); err == nil {
			q.Run = run.ID
		} else if _, unknown := s.Run(ctx, q.Run); unknown != nil {
			return err
		}
	}
	most := q.Limit
	if most > 0 {
		q.Limit++ // to know whether there are more
	}
	list, err := s.Evaluations(ctx, q)
	if err != nil {
		return err
	}
	more := most > 0 && len(list) > most
	if more {
		list = list[:most]
	}
	return tellEvaluations(p.console, list, more)
}

func tellEvaluations(con *console, list []store.Evaluation, more bool) error {
	t := con.table("EVALUATION", "RUN", "CASE", "RUBRIC", "SCORE", "PASSED", "EVALUATED")
	for _, e := range list {
		t.row(e.ID, e.Run, fitted(repeated(e.Case, e.Repeat)), fitted(versioned(e.Rubric, e.RubricVersion)), scoreText(e.Score), passedText(e.Passed), e.At)
	}
	if err := con.list(map[string]any{"evaluations": list, "more": more}, len(list), t, "no evaluations"); err != nil {
		return err
	}
	if more && !con.json {
		con.say("there are more: --limit 0 lists all")
	}
	return nil
}

// repeated names a case and, beyond the first, its repeat.
func repeated(id string, repeat int) string {
	if repeat > 1 {
		return fmt.Sprintf("%s (%d)", id, repeat)
	}
	return id
}

func versioned(id, version string) string {
	if version == "" {
		return id
	}
	return id + "@" + version
}

func scoreText(score *float64) string {
	if score == nil {
		return "unscored"
	}
	return result.ScoreText(*score)
}

// passedText is the answer to whether a case passed.
func passedText(passed *bool) string {
	switch {
	case passed == nil:
		return "-"
	case *passed:
		return "yes"
	}
	return "no"
}

// shownEvaluation is an evaluation as evaluation show prints it.
type shownEvaluation struct {
	store.Evaluation
	Host     string      `json:"run_host,omitzero"`
	Dir      string      `json:"run_dir"`
	Row      *result.Row `json:"row"`      // null: the run directory is gone
	Feedback string      `json:"feedback"` // empty: the rubric or the row is gone
}

func evaluationShow(ctx context.Context, p *program, s stores, f *evaluationFlags, id string) error {
	if err := f.index(ctx, p, s); err != nil {
		return err
	}
	e, err := s.Evaluation(ctx, id)
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			err = fault.WithHint(err, "rubric-host evaluation list shows the ids")
		}
		return err
	}
	run, err := s.Run(ctx, e.Run)
	if err != nil {
		return err
	}
	out := &shownEvaluation{Evaluation: e, Host: run.Host, Dir: run.Dir}
	if out.Row, err = scan.Row(run, e); err != nil {
		p.say("warning: %v", err)
		if h := hintOf(err); h != "" {
			p.say("hint: %s", h)
		}
	}
	if out.Row != nil {
		out.Feedback = feedbackOf(run.Dir, out.Row)
		wordRow(out.Row)
	}
	if p.json {
		return p.printJSON(out)
	}
	return tellEvaluation(p.console, out)
}

// feedbackOf returns the feedback text of a row: its own, or that of its rubric.
func feedbackOf(dir string, row *result.Row) string {
	if row.Feedback != "" {
		return row.Feedback
	}
	_, plan, err := runner.ReadPlanned(dir)
	if err != nil {
		return ""
	}
	g := plan.Grader(row.Rubric)
	if g == nil {
		return ""
	}
	return result.Feedback(g.Rubric, row)
}

func tellEvaluation(con *console, e *shownEvaluation) error {
	t := con.table()
	t.row("evaluation", e.ID)
	t.row("run", e.Run)
	if e.Host != "" {
		t.row("host", e.Host)
	}
	t.row("directory", e.Dir)
	t.row("case", repeated(e.Case, e.Repeat))
	t.line("rubric", "%s %s", versioned(e.Evaluation.Rubric, e.RubricVersion), e.RubricDigest)
	if e.TargetType != "" {
		t.row("target type", e.TargetType)
	}
	t.row("score", scoreText(e.Score))
	t.row("passed", passedText(e.Passed))
	t.line("evaluated", "%s by %s", moment(e.At), e.By)
	if e.Row != nil {
		if failed := e.Row.GateFailures; len(failed) > 0 {
			t.row("failed gates", strings.Join(failed, ", "))
		}
		for c := range e.Row.All() {
			t.row("criterion "+c.ID, provenance(c))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if e.Feedback == "" {
		return nil
	}
	fmt.Fprintln(con.out)
	for text := range strings.Lines(e.Feedback) {
		fmt.Fprintln(con.out, diag.Plain(strings.TrimSuffix(text, "\n")))
	}
	return nil
}

// provenance prints where a verdict comes from: status, scorer, versions and digests.
func provenance(c *result.Criterion) string {
	parts := []string{scoreText(c.Value)}
	if c.How == nil {
		return parts[0]
	}
	for _, part := range []struct{ word, value string }{
		{"by", c.How.By}, {"plugin", c.How.Plugin}, {"judge", c.How.Judge}, {"digest", c.How.Digest}, {"prompt", c.How.PromptHash}, {"response", c.How.ResponseHash},
	} {
		if part.value != "" {
			parts = append(parts, part.word+" "+part.value)
		}
	}
	return strings.Join(parts, ", ")
}
