package conformance

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// runArtifact lives the life of an artifact: the row's rubrics are registered in a
// database, its functions are Go scorers, and each step is one of review.Lifecycle.
func runArtifact(t *testing.T, row *seedRow) facts {
	t.Helper()
	ctx := t.Context()
	db, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "rubric-host.db"))
	must(t, err)
	defer db.Close()
	rubrics := registry.New(db, registry.Options{})
	source := row.Rubric.text()
	if row.Rubric.Doc.Kind() == '[' {
		source = `{"rubrics": ` + source + `}`
	}
	doc, err := host.Parse("rubrics.json", []byte(source))
	must(t, err)
	if _, err := rubrics.Register(ctx, doc); err != nil {
		t.Fatal(err)
	}
	ev, err := host.New(ctx, host.Options{Scorers: row.scorers()})
	must(t, err)
	defer ev.Close(ctx)
	types := strict.New(document.Read("types.json", encoded(t, row.Input["types"]), document.Options{}))
	life := &review.Lifecycle{Store: db, Types: review.ReadTypes(&types, types.Doc.Root)}
	must(t, types.Err())
	if row.Input["no_executor"] == nil {
		life.Grade = ev.Reviewer(host.ReviewOptions{Load: rubrics.Load, Evaluate: host.EvaluateOptions{Runs: t.TempDir()}})
	}
	a, err := life.Create(ctx, review.New{Type: textAt(row.Input, "type"), Name: row.ID, Content: encoded(t, row.Input["content"])})
	must(t, err)
	f := facts{"refused": nil}
	for i, step := range listAt(row.Input, "steps") {
		f.and(artifactStep(ctx, t, life, a.ID, i, step))
	}
	return f
}

func artifactStep(ctx context.Context, t *testing.T, life *review.Lifecycle, id string, i int, step any) facts {
	t.Helper()
	var a *review.Artifact
	var err error
	switch name, _ := dig(step, 0); name {
	case "submit":
		a, err = life.Submit(ctx, id, "system")
	case "revise":
		content, _ := dig(step, 1)
		a, err = life.Revise(ctx, id, encoded(t, content), "system", "")
	default:
		t.Fatalf("there is no step %v", name)
	}
	if err != nil {
		return facts{"refused": string(fault.Of(err)), "message": err.Error()}
	}
	at := fmt.Sprintf("steps.%d.", i)
	f := facts{at + "status": string(a.Status), at + "version": a.Version, at + "evaluations": float64(len(a.Evaluations))}
	p, err := a.ReadProvenance()
	must(t, err)
	for _, r := range p.Reviews[max(0, len(p.Reviews)-1):] {
		for j, e := range r.Evaluations {
			f[fmt.Sprintf("%sevaluation.%d", at, j)] = fmt.Sprintf("%s %g %t", e.Rubric, *e.Score, *e.Passed)
		}
	}
	return f
}

// artifactSteps are the facts of the package's own steps: [name, result, artifact].
func artifactSteps(steps any) facts {
	f := facts{}
	list, _ := steps.([]any)
	for i, step := range list {
		at := fmt.Sprintf("steps.%d.", i)
		after, _ := dig(step, 2)
		f.take(at+"status", after, "status")
		f.take(at+"version", after, "version")
		f.take(at+"evaluations", after, "evaluation_ids")
		result, _ := dig(step, 1)
		evaluations, _ := result.([]any)
		for j, e := range evaluations {
			id, _ := dig(e, 0)
			score, _ := dig(e, 1)
			passed, _ := dig(e, 2)
			f[fmt.Sprintf("%sevaluation.%d", at, j)] = fmt.Sprintf("%v %g %t", id, score, passed)
		}
		if revised, ok := result.(map[string]any); ok {
			f.take(at+"version", revised, "version")
		}
	}
	return f
}

// scorers are the row's scoring functions in Go.
func (row *seedRow) scorers() map[string]host.Scorer {
	out := map[string]host.Scorer{}
	list, _ := row.Input["functions"].(map[string]any)
	for ref, function := range list {
		out[ref] = func(_ context.Context, q host.Question) (host.Answer, error) {
			n := float64(len(listAt(q.Case.Target(), textAt(function, "key"))))
			for _, step := range listAt(function, "steps") {
				if level, _ := dig(step, 1); n >= numberAt(step, 0) {
					return host.Level(level.(string)), nil
				}
			}
			level, _ := dig(function, "level")
			if s, ok := level.(string); ok {
				return host.Level(s), nil
			}
			return host.Answer{}, errors.New(textAt(function, "message"))
		}
	}
	return out
}
