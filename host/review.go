package host

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/store"
)

// ReviewOptions say how artifacts are evaluated.
type ReviewOptions struct {
	// Load returns a registered rubric, the latest version if version is empty:
	// registry.Registry.Load. Required.
	Load func(ctx context.Context, id, version string) (*dialect.Document, error)

	// Evaluate holds for every evaluation; Runs is required. The dataset, Fresh and
	// Repeat are set by the review: an artifact is one case, ID@VERSION, its content the
	// output.
	Evaluate EvaluateOptions
}

// Reviewer evaluates artifacts for a review.Lifecycle. Every rubric makes one run
// directory. A rubric that is not registered, or cannot be scored here, is found
// before anything is graded. builtin:meta_rubric reviews artifacts that are rubrics, in
// the form of dataknobs.
func (e *Evaluator) Reviewer(o ReviewOptions) review.Grader {
	return func(ctx context.Context, a *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
		docs := make([]*dialect.Document, len(a.Rubrics))
		for i, name := range a.Rubrics {
			var err error
			if docs[i], err = e.reviewRubric(ctx, o, name); err != nil {
				return nil, fmt.Errorf("artifact %s: rubric %s: %w", a.ID, diag.Plain(name), err)
			}
		}
		given, err := artifactRow(a)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) ([]review.Evaluation, error) {
			var list []review.Evaluation
			for _, doc := range docs {
				one, err := e.reviewOne(ctx, o, doc, given)
				if err != nil {
					return nil, err
				}
				list = append(list, *one)
			}
			return list, nil
		}, nil
	}
}

// reviewRubric reads a registered rubric and assembles its plan, so that missing
// plugins and judges are reported before anything is graded.
func (e *Evaluator) reviewRubric(ctx context.Context, o ReviewOptions, name string) (*dialect.Document, error) {
	id, version := review.RubricOf(name)
	load := o.Load
	if strings.HasPrefix(id, metarubric.Scheme) {
		load = func(context.Context, string, string) (*dialect.Document, error) { return Load(name) }
	}
	doc, err := load(ctx, id, version)
	if err != nil {
		return nil, err
	}
	p, err := e.Plan(doc, o.Evaluate.PlanOptions)
	if err != nil {
		return nil, err
	}
	_, err = e.assemble(ctx, p, o.Evaluate.Given)
	return doc, err
}

func artifactRow(a *review.Artifact) (dataset.Given, error) {
	row, err := json.Marshal(struct {
		ID     string         `json:"id"`
		Output jsontext.Value `json:"output"`
	}{a.ID + "@" + a.Version, a.Content})
	if err != nil {
		return dataset.Given{}, fault.New(fault.Invalid, "artifact %s: %w", a.ID, err)
	}
	return dataset.Given{Value: row, Pos: diag.Pos{File: a.ID}}, nil
}

// reviewOne makes one evaluation: a run of one case.
func (e *Evaluator) reviewOne(ctx context.Context, o ReviewOptions, doc *dialect.Document, given dataset.Given) (*review.Evaluation, error) {
	eo := o.Evaluate
	eo.Dataset, eo.Fresh, eo.Repeat = dataset.Options{Given: []dataset.Given{given}}, true, 1 // a resumed run could be of another artifact
	var row *result.Row
	observe := eo.Observe
	eo.Observe = func(r *result.Row) {
		row = r
		if observe != nil {
			observe(r)
		}
	}
	ev, err := e.Evaluate(ctx, doc, eo)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, fault.New(fault.Internal, "the run %s has no row", ev.Run.ID)
	}
	return reviewed(ev, row), nil
}

func reviewed(ev *Evaluation, row *result.Row) *review.Evaluation {
	r := ev.Plan.Graders[0].Rubric
	at := ev.Run.Started.UTC().Truncate(time.Microsecond) // as in an index of runs
	out := &review.Evaluation{
		ID: store.EvaluationID(ev.Run.ID, row.Case, row.Repeat), Run: ev.Run.ID, Target: row.Case,
		Rubric: r.ID, RubricVersion: r.Version, RubricDigest: ev.Plan.Graders[0].Digest,
		Status: row.Status, Score: row.Score, Passed: row.Passed, Reason: row.Reason, Feedback: result.Feedback(r, row),
		At: at, By: ev.Run.EvaluatedBy(), Evaluator: "rubric-host " + ev.Run.Versions.RubricHost,
	}
	if row.Score == nil {
		out.Status, out.Passed = rubric.Unscored, nil
		if out.Reason == "" && row.Error != nil {
			out.Reason = row.Error.Message
		}
	}
	for _, c := range row.Criteria {
		if c.How != nil && c.How.Judge != "" {
			out.Calls = append(out.Calls, review.LLMCall{Purpose: "evaluate " + c.ID, Model: c.How.Judge, PromptHash: c.How.PromptHash, ResponseHash: c.How.ResponseHash, At: at})
		}
	}
	return out
}

// ReviewedRow returns the row of an evaluation from its run directory below runs. The
// error is of class fault.NotFound if it is gone, and fault.Mismatch if its score is not
// the one that the review recorded.
func ReviewedRow(runs string, e *review.Evaluation) (*result.Row, error) {
	dir := filepath.Join(runs, filepath.Base(e.Run))
	run, err := runner.ReadRun(dir)
	if err != nil {
		return nil, err
	}
	for row, err := range runner.ReadRows(dir) {
		if err != nil {
			return nil, err
		}
		if store.EvaluationID(run.ID, row.Case, row.Repeat) != e.ID {
			continue
		}
		if !reflect.DeepEqual(row.Score, e.Score) {
			return nil, fault.New(fault.Mismatch, "run directory %s has another score of %s than its review", dir, e.ID)
		}
		return row, nil
	}
	return nil, fault.New(fault.NotFound, "run %s has no row of %s", e.Run, e.Target)
}
