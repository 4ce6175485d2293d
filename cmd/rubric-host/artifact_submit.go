package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/review"
)

// reviewFlags are the flags of commands that evaluate artifacts.
type reviewFlags struct {
	evaluatorFlags
	judgeFlags
	verdicts string
	timeout  limitFlag[time.Duration]
}

func bindReview(p *program, cmd *cobra.Command, f *reviewFlags) {
	bindStore(p, cmd)
	bindRuns(p, cmd.Flags())
	cmd.Flags().Var(&f.timeout, "timeout", "time limit of each evaluation, such as 30s")
	cmd.Flags().StringVar(&f.verdicts, "verdicts", "", "precomputed verdicts (JSONL) instead of scorers, for artifacts with one rubric")
	f.judgeFlags.bind(p, cmd)
	f.evaluatorFlags.bind(p, cmd)
	f.bindLimits(cmd)
	f.bindCache(cmd)
	advanced(cmd, "runs", "timeout", "verdicts")
}

func artifactCreateCommand(p *program) *cobra.Command {
	f := &reviewFlags{}
	var n review.New
	var provenance string
	cmd := &cobra.Command{
		Use:   "create TYPE [FILE|-]",
		Short: "Create an artifact",
		Long: "Create an artifact from a JSON or YAML file, or from a text. Rubrics and rules are those of\n" +
			"its type; one of an undeclared type needs --rubric. With auto_review it is submitted.",
		Example: "rubric-host artifact create quiz biology.json --name 'Biology Quiz' --tag biology\nmy-bot | rubric-host artifact create quiz - --name Biology --created-by bot:quizbot",
		Args:    args("TYPE", "[FILE|-]"),
		RunE: func(cmd *cobra.Command, a []string) error {
			n.Type = a[0]
			if n.Name == "" {
				return fault.WithHint(fault.New(fault.Usage, "the artifact has no name"), "give it one with --name")
			}
			if provenance != "" {
				src, err := file.Read(provenance, 1<<20)
				if err == nil {
					n.Provenance, err = review.ParseProvenance(provenance, src)
				}
				if err != nil {
					return err
				}
			}
			p.by = cmp.Or(p.by, n.Provenance.CreatedBy)
			n.Provenance.CreatedBy = p.whoever()
			var err error
			if n.Content, err = artifactContent(p.console, append(a[1:], "-")[0]); err != nil {
				return err
			}
			return runLifecycle(cmd.Context(), p, f, "", func(ctx context.Context, l *review.Lifecycle, _ string) (*review.Artifact, error) {
				return l.Create(ctx, n)
			})
		},
	}
	s := cmd.Flags()
	s.StringVar(&n.Name, "name", "", "name of the artifact (required)")
	s.StringArrayVar(&n.Tags, "tag", nil, "tag of the artifact (repeats)")
	s.StringArrayVar(&n.Rubrics, "rubric", nil, "registered rubric beside those of the type: ID or ID@VERSION (repeats)")
	s.StringVar(&p.by, "created-by", "", "creator, such as bot:quizbot (default: your login name)")
	s.StringVar(&provenance, "provenance", "", "JSON file with created_by, creation_method, sources, tool_chain, llm_invocations")
	keyedAs(cmd, "artifact-create", "name", "tag", "rubric", "provenance")
	bindReview(p, cmd, f)
	return cmd
}

// artifactContent reads a content: JSON or YAML by the extension; else a JSON object or
// list, or a text.
func artifactContent(con *console, path string) (jsontext.Value, error) {
	if path == "-" && terminal(os.Stdin) {
		con.say("reading the content from standard input")
	}
	b, err := con.read(path, maxInput)
	if err != nil {
		return nil, err
	}
	format := formatOf(path)
	text := bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF")))
	empty := fault.WithHint(fault.New(fault.Invalid, "%s is empty", path), "name a file with the content, or pipe the content in")
	switch {
	case len(text) == 0:
		return nil, empty
	case !utf8.Valid(b):
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s is not valid UTF-8", path), "save it as UTF-8")
	case format == "" && text[0] != '{' && text[0] != '[':
		return dataset.Quote(strings.TrimRight(string(b), "\r\n")), nil
	case format != dialect.YAML && jsontext.Value(text).IsValid():
		return text, nil
	}
	con.stdin = b // for the excerpt
	doc := document.Read(path, b, document.Options{Noun: "content", Format: cmp.Or(format, dialect.JSON)})
	if err := doc.Problems.Err(); err != nil {
		return nil, err
	}
	if doc.Root == nil { // comments alone
		return nil, empty
	}
	return document.Compact(doc.Root), nil
}

func artifactSubmitCommand(p *program) *cobra.Command {
	f := &reviewFlags{}
	cmd := &cobra.Command{
		Use:   "submit ARTIFACT",
		Short: "Evaluate an artifact, and approve it or ask for a revision",
		Long: "Submit an artifact: evaluate it with each of its rubrics, and approve it if all passed, or\n" +
			"ask for a revision if one failed (exit 1). Without a score it stays in review (exit 3) and\n" +
			"can be submitted again. Every evaluation is a run; verify and report take it.",
		Example: "rubric-host artifact submit art_0123456789ab --judge openai:gpt-5-mini",
		Args:    args("ARTIFACT"),
		RunE: func(cmd *cobra.Command, a []string) error {
			return runLifecycle(cmd.Context(), p, f, a[0], func(ctx context.Context, l *review.Lifecycle, id string) (*review.Artifact, error) {
				return l.Submit(ctx, id, p.whoever())
			})
		},
	}
	bindBy(p, cmd)
	bindReview(p, cmd, f)
	return cmd
}

func artifactReviseCommand(p *program) *cobra.Command {
	f := &reviewFlags{}
	var reason string
	cmd := &cobra.Command{
		Use:     "revise ARTIFACT [FILE|-]",
		Short:   "Make a new version of an artifact with other content",
		Long:    "Make a new version of an artifact with other content: a draft. The version before is\nsuperseded. With auto_review it is submitted.",
		Example: "rubric-host artifact revise art_0123456789ab biology.json --reason 'more questions'",
		Args:    args("ARTIFACT", "[FILE|-]"),
		RunE: func(cmd *cobra.Command, a []string) error {
			content, err := artifactContent(p.console, append(a[1:], "-")[0])
			if err != nil {
				return err
			}
			return runLifecycle(cmd.Context(), p, f, a[0], func(ctx context.Context, l *review.Lifecycle, id string) (*review.Artifact, error) {
				return l.Revise(ctx, id, content, p.whoever(), reason)
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "reason for the revision (default: that of the last review)")
	bindBy(p, cmd)
	bindReview(p, cmd, f)
	return cmd
}

// decisionCommand completes a command by which a person decides on an artifact.
func decisionCommand(p *program, cmd *cobra.Command, noteUsage string, decision func() review.Status) *cobra.Command {
	var note string
	cmd.Args = args("ARTIFACT")
	cmd.RunE = p.inStore(noArtifacts, func(ctx context.Context, db stores, a []string) error {
		life := &review.Lifecycle{Store: db}
		id, err := life.Find(ctx, a[0])
		if err != nil {
			return err
		}
		done, err := life.Decide(ctx, id, p.whoever(), note, decision())
		if err != nil {
			return err
		}
		return p.answer(brief(done), "%s %s: %s", diag.Plain(done.ID), diag.Plain(done.Version), done.Status)
	})
	cmd.Flags().StringVar(&note, "note", "", noteUsage)
	bindBy(p, cmd)
	bindStore(p, cmd)
	return cmd
}

// runLifecycle runs a command that may evaluate an artifact, which exists unless its name is empty, and
// prints the outcome. The evaluator is made when it is needed.
func runLifecycle(ctx context.Context, p *program, f *reviewFlags, name string, do func(ctx context.Context, l *review.Lifecycle, id string) (*review.Artifact, error)) error {
	hint := noArtifacts
	if name == "" {
		hint = ""
	}
	db, err := p.openStore(ctx, hint)
	if err != nil {
		return err
	}
	defer db.Close() // writes are durable already
	var ev *host.Evaluator
	defer func() {
		if ev != nil {
			ev.Close(ctx) //nolint:errcheck // the process ends
		}
	}()
	life := &review.Lifecycle{Store: db, Types: p.settings.types}
	life.Grade = func(ctx context.Context, a *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
		var err error
		if ev, err = p.judging(ctx, &f.evaluatorFlags, &f.judgeFlags); err != nil {
			return nil, err
		}
		o := host.ReviewOptions{Load: registry.New(db, registry.Options{}).Load}
		if f.verdicts != "" {
			if o.Evaluate.Given, err = p.readGiven(f.verdicts); err != nil {
				return nil, err
			}
		}
		o.Evaluate.Runs, o.Evaluate.By, o.Evaluate.Timeout, o.Evaluate.Version = p.runs, p.whoever(), f.timeout.n, version()
		o.Evaluate.Command = []string{"rubric-host", "artifact", "submit", a.ID}
		return ev.Reviewer(o)(ctx, a)
	}
	id := ""
	if name != "" {
		if id, err = life.Find(ctx, name); err != nil {
			return err
		}
	}
	a, err := do(ctx, life, id)
	if a == nil {
		return err
	}
	if problem := printReviewed(p.console, a, err); problem != nil {
		return problem
	}
	if err != nil {
		p.told = p.json // the object has it
		if p.json {
			p.tellError(err)
		}
		return err
	}
	err = a.Outcome()
	p.told = err != nil // it is printed
	return err
}

// printReviewed prints an artifact with its last review, unless the submission failed: that is of an earlier one.
func printReviewed(con *console, a *review.Artifact, failed error) error {
	provenance, err := a.ReadProvenance()
	if err != nil {
		return err
	}
	var last review.Review
	if n := len(provenance.Reviews); n > 0 && !provenance.Evaluating {
		last = provenance.Reviews[n-1]
	}
	if con.json {
		return con.printJSON(struct {
			*review.Artifact
			Reason      string              `json:"reason,omitzero"`
			Evaluations []review.Evaluation `json:"evaluations"`
			Error       *result.Failure     `json:"error,omitzero"`
		}{brief(a), last.Reason, last.Evaluations, failureOf(failed)})
	}
	reason := ""
	if last.Reason != "" {
		reason = " (" + diag.Plain(last.Reason) + ")"
	}
	fmt.Fprintf(con.out, "%s %s: %s%s\n", diag.Plain(a.ID), diag.Plain(a.Version), a.Status, reason)
	for i := range last.Evaluations {
		e := &last.Evaluations[i]
		fmt.Fprintf(con.out, "\n%s\n\n evaluation %s, run %s\n", diag.PlainLines(e.Feedback), e.ID, e.Run)
	}
	if n := len(last.Evaluations); n > 0 {
		con.say(" inspect: rubric-host evaluation show %s", last.Evaluations[n-1].ID)
	}
	if next := nextOf(a); next != "" && !provenance.Evaluating {
		con.say(" %s", next)
	}
	return nil
}

// nextOf is the command that probably follows.
func nextOf(a *review.Artifact) string {
	switch {
	case a.Status == review.Draft:
		return "submit: rubric-host artifact submit " + a.ID
	case a.Status == review.NeedsRevision:
		return "revise: rubric-host artifact revise " + a.ID + " FILE"
	case a.Status == review.InReview && a.Outcome() != nil:
		return "submit again: rubric-host artifact submit " + a.ID
	case a.Status == review.InReview:
		return "decide: rubric-host artifact approve " + a.ID + ", or reject " + a.ID
	}
	return ""
}
