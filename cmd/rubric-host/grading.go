package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// gradingFlags say how a rubric is read and its verdicts are combined. grade and
// eval share them.
type gradingFlags struct {
	dialect  string
	verdicts string
	unscored string
	criteria []string

	noNormalize  bool
	systemPrompt string
	feedback     string
}

func (f *gradingFlags) bind(p *program, cmd *cobra.Command) {
	s := cmd.Flags()
	bindStore(p, cmd)
	bindBy(p, cmd)
	advanced(cmd, "store", "by")
	s.StringVar(&f.dialect, "dialect", "", "dialect of the rubric (default: detected)")
	s.StringVar(&f.verdicts, "verdicts", "", "precomputed verdicts (JSONL) instead of scorers; - for stdin")
	s.StringVar(&f.unscored, "unscored", "null", "treatment of a criterion that could not be scored: null, worst or drop")
	s.StringSliceVar(&f.criteria, "criterion", nil, "score only this criterion (repeats)")
	s.BoolVar(&f.noNormalize, "no-normalize", false, "use the raw score as the score, where the rubric has one")
	s.StringVar(&f.systemPrompt, "system-prompt", "", "file with a system prompt for the judge")
	s.StringVar(&f.feedback, "feedback", "", "feedback in rows: deterministic, or judge (written by the judge, checked against the results)")
	advanced(cmd, "feedback", "no-normalize", "system-prompt", "dialect")
	completes(cmd, "criterion", p.complete.listed(p.complete.criteria))
	choices(cmd, "dialect", dialect.Names()...)
	choices(cmd, "feedback", plan.Deterministic, plan.ByJudge)
	choices(cmd, "unscored", score.Choices()...)
}

func (f *gradingFlags) options(p *program) (host.PlanOptions, error) {
	o := host.PlanOptions{Unscored: score.Unscored(cmp.Or(f.unscored, string(score.Null))), Criteria: f.criteria, Feedback: plan.Feedback(f.feedback)}
	var err error
	if o.Adjust, err = f.adjust(); err != nil {
		return o, err
	}
	if f.verdicts == "" {
		return o, nil
	}
	o.Given, err = p.readGiven(f.verdicts)
	return o, err
}

// readGiven reads a file of given verdicts, and prints its warnings.
func (con *console) readGiven(path string) (*scorer.Given, error) {
	b, err := con.read(path, 1<<30)
	if err != nil {
		return nil, err
	}
	g, warnings, err := scorer.ReadGiven(path, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 && !con.quiet {
		con.diagnostics(warnings)
	}
	return g, nil
}

// maxSystemPrompt is the size of the largest system prompt, in bytes.
const maxSystemPrompt = 1 << 20

// adjust returns the change that the flags make to a rubric.
func (f *gradingFlags) adjust() (func(*rubric.Rubric), error) {
	var system []byte
	if f.systemPrompt != "" {
		var err error
		if system, err = file.Read(f.systemPrompt, maxSystemPrompt); err != nil {
			return nil, fmt.Errorf("--system-prompt: %w", err)
		}
	}
	return func(r *rubric.Rubric) {
		r.Policy.RawAsScore = r.Policy.RawAsScore || f.noNormalize
		if f.systemPrompt != "" { // an empty file removes it
			r.Judge.System = string(system)
		}
	}, nil
}

// load reads the rubric of a command. It warns about weights that give no score;
// with --verbose it prints the dialect and every warning.
func (p *program) load(path, dialectName string) (*dialect.Document, error) {
	doc, err := p.loadDocument(path, dialectName)
	if err != nil {
		return nil, err
	}
	p.explain("%s: %s (%s)", path, doc.Dialect, doc.Reason)
	var shown diag.List
	for _, d := range doc.Warnings {
		if p.verbose || strings.HasPrefix(d.Code, "weights-") {
			shown.Add(d)
		}
	}
	if !p.quiet {
		p.diagnostics(shown)
	}
	return doc, nil
}

// loadDocument reads the rubric of every command: a file, FILE#ID, "-", registry:ID[@VERSION] or builtin:NAME.
// Before the errors of a document of another system it says which one that is.
func (p *program) loadDocument(path, dialectName string) (*dialect.Document, error) {
	doc, err := p.readDocument(path, dialectName)
	if err != nil && doc == nil && dataset.NamesRows(path) && !fault.Is(err, fault.NotFound) {
		return nil, fault.WithHint(fault.New(fault.Usage, "%s is a dataset, not a rubric: name the rubric before it", path), "rubric-host help rubrics shows a rubric")
	}
	if err != nil && doc != nil && dialectName == "" && !p.json && (doc.Dialect != dialect.Native || p.verbose) {
		p.say("%s: read as %s (%s); --dialect names another", diag.Plain(path), doc.Dialect, diag.Plain(doc.Reason))
	}
	return doc, err
}

func (p *program) readDocument(path, dialectName string) (*dialect.Document, error) {
	if id, version, ok := registry.ParseRef(path); ok {
		return p.registered(p.root.Context(), id, version)
	}
	if path != "-" && !strings.HasPrefix(path, metarubric.Scheme) {
		return dialect.ReadFile(path, dialect.Options{Dialect: dialectName, Schema: schema.Check})
	}
	b, err := p.source(path)
	if err != nil {
		return nil, err
	}
	return dialect.Decode(path, b, dialect.Options{Dialect: dialectName, Schema: schema.Check})
}
