//go:build !race

package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// quizQuality is the rubric of the end-to-end example of dataknobs' guide.
const quizQuality = `
id: quiz_quality
name: Quiz Quality
description: Validates quiz content
version: 1.0.0
target_type: content
criteria:
  - id: question_count
    name: Question Count
    description: Sufficient number of questions
    weight: 1.0
    levels:
      - {id: fail, label: Fail, description: Too few, score: 0.0}
      - {id: pass, label: Pass, description: Enough, score: 1.0}
    scoring_method: {type: deterministic, function_ref: "scoring:check_question_count"}
pass_threshold: 0.7
`

// checkQuestionCount is its scoring function.
func checkQuestionCount(_ context.Context, q host.Question) (host.Answer, error) {
	questions, _ := q.Case.Target()["questions"].([]any)
	if len(questions) >= 5 {
		return host.Level("pass"), nil
	}
	return host.Level("fail"), nil
}

// The end-to-end example of dataknobs' guide: a rubric is registered, an artifact is
// reviewed with it, sent back, revised and approved.
func ExampleEvaluator_Reviewer() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "review")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := sqlite.Open(ctx, filepath.Join(dir, "rubric-host.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	rubrics := registry.New(db, registry.Options{By: "user:jane"})
	doc, err := host.Parse("quiz_quality.yaml", []byte(quizQuality))
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := rubrics.Register(ctx, doc); err != nil {
		fmt.Println(err)
		return
	}
	ev, err := host.New(ctx, host.Options{Scorers: map[string]host.Scorer{"scoring:check_question_count": checkQuestionCount}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)

	artifacts := &review.Lifecycle{
		Store: db,
		Types: map[string]review.Type{"quiz": {ID: "quiz", Rubrics: []string{"quiz_quality"}}},
		Grade: ev.Reviewer(host.ReviewOptions{Load: rubrics.Load, Evaluate: host.EvaluateOptions{Runs: filepath.Join(dir, "runs")}}),
	}
	a, err := artifacts.Create(ctx, review.New{
		Type: "quiz", Name: "Biology Quiz", Content: jsontext.Value(`{"questions": ["Q1", "Q2"]}`),
		Provenance: review.Provenance{CreatedBy: "bot:quizbot", Method: "generator"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err = artifacts.Submit(ctx, a.ID, "user:jane")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Version, a.Status, a.Outcome() == nil)

	if _, err := artifacts.Revise(ctx, a.ID, jsontext.Value(`{"questions": ["Q1", "Q2", "Q3", "Q4", "Q5"]}`), "bot:quizbot", ""); err != nil {
		fmt.Println(err)
		return
	}
	a, err = artifacts.Submit(ctx, a.ID, "user:jane")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := a.ReadProvenance()
	if err != nil {
		fmt.Println(err)
		return
	}
	e := p.Reviews[0].Evaluations[0]
	fmt.Println(a.Version, a.Status, e.Rubric, e.RubricVersion, *e.Score)
	fmt.Println("revised because", p.Revisions[0].Reason)
	// Output:
	// 1.0.0 needs_revision false
	// 1.0.1 approved quiz_quality 1.0.0 1
	// revised because quiz_quality failed with 0.000
}
