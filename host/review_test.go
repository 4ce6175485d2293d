// A review starts no goroutine of its own. With the race detector, SQLite would be compiled again, in
// 45 seconds of a processor, for these tests alone.

//go:build !race

package host_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/scan"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// A reviewBench is a review with a database, a registered rubric and a scorer.
type reviewBench struct {
	*review.Lifecycle
	db      *database.DB
	rubrics *registry.Registry
	ev      *host.Evaluator
	runs    string
}

func newReviewBench(t *testing.T, count host.Scorer) *reviewBench {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "rubric-host.db"))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	b := &reviewBench{db: db, rubrics: registry.New(db, registry.Options{}), runs: t.TempDir()}
	doc, err := host.Parse("quiz_quality.yaml", []byte(quizQuality))
	must(t, err)
	if _, err := b.rubrics.Register(t.Context(), doc); err != nil {
		t.Fatal(err)
	}
	if b.ev, err = host.New(t.Context(), host.Options{Scorers: map[string]host.Scorer{"scoring:check_question_count": count}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.ev.Close(context.Background()) })
	b.Lifecycle = &review.Lifecycle{Store: db, Types: map[string]review.Type{"quiz": {ID: "quiz", Rubrics: []string{"quiz_quality"}}}, Grade: b.ev.Reviewer(host.ReviewOptions{
		Load: b.rubrics.Load, Evaluate: host.EvaluateOptions{Runs: b.runs, By: "user:jane", Version: "1.2.3"},
	})}
	return b
}

func (b *reviewBench) quiz(t *testing.T, content string, rubrics ...string) *review.Artifact {
	t.Helper()
	a, err := b.Create(t.Context(), review.New{Type: "quiz", Name: "Q", Content: jsontext.Value(content), Rubrics: rubrics})
	must(t, err)
	return a
}

const fiveQuestions = `{"questions": [1, 2, 3, 4, 5]}`

func TestReviewer_EveryEvaluationIsARun(t *testing.T) {
	b := newReviewBench(t, checkQuestionCount)
	a, err := b.Submit(t.Context(), b.quiz(t, fiveQuestions).ID, "joe")
	if err != nil || a.Status != review.Approved {
		t.Fatal(a, err)
	}
	p, err := a.ReadProvenance()
	must(t, err)
	e := p.Reviews[0].Evaluations[0]
	if e.ID != store.EvaluationID(e.Run, a.ID+"@1.0.0", 1) || len(a.Evaluations) != 1 || a.Evaluations[0] != e.ID || e.Target != a.ID+"@1.0.0" {
		t.Errorf("%+v", e)
	}
	if e.By != "user:jane" || e.Evaluator != "rubric-host 1.2.3" || e.At.IsZero() || e.RubricVersion != "1.0.0" || !strings.HasPrefix(e.RubricDigest, "sha256:") {
		t.Errorf("%+v", e)
	}
	if e.Feedback != "Evaluation PASSED for rubric 'Quiz Quality'.\nOverall score: 100%\n\n- Question Count: pass (score: 1.00)" {
		t.Error(e.Feedback)
	}
	row, err := host.ReviewedRow(b.runs, &e)
	if err != nil || row.Score == nil || *row.Score != 1 {
		t.Error(row, err)
	}
	v, err := b.ev.Verify(t.Context(), filepath.Join(b.runs, e.Run), nil)
	if err != nil || v.Err() != nil || v.Rows != 1 {
		t.Error(v, err)
	}
	for name, other := range map[string]review.Evaluation{"score": e, "id": e} {
		want := fault.Mismatch
		if name == "id" {
			other.ID, want = "eval_000000000000", fault.NotFound
		} else {
			other.Score = nil
		}
		if row, err := host.ReviewedRow(b.runs, &other); row != nil || !fault.Is(err, want) {
			t.Errorf("another %s: %v, %v", name, row, err)
		}
	}
	e.Run = "../" + e.Run
	if _, err := host.ReviewedRow(filepath.Join(b.runs, "other"), &e); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// TestReviewer_EvaluationIsThatOfTheIndex compares what a review keeps of an evaluation with
// what a scan of its run finds.
func TestReviewer_EvaluationIsThatOfTheIndex(t *testing.T) {
	b := newReviewBench(t, checkQuestionCount)
	a, err := b.Submit(t.Context(), b.quiz(t, fiveQuestions).ID, "joe")
	must(t, err)
	p, err := a.ReadProvenance()
	must(t, err)
	kept := p.Reviews[0].Evaluations[0]
	if r, err := scan.Directory(t.Context(), b.db, "", b.runs); err != nil || r.Evaluations != 1 || len(r.Problems) > 0 {
		t.Fatal(r, err)
	}
	got, err := b.db.Evaluation(t.Context(), kept.ID)
	must(t, err)
	want := store.Evaluation{
		ID: kept.ID, Run: kept.Run, Case: kept.Target, Repeat: 1, Rubric: kept.Rubric, RubricVersion: kept.RubricVersion, RubricDigest: kept.RubricDigest,
		TargetType: "content", Status: kept.Status, Score: kept.Score, Passed: kept.Passed, At: kept.At, By: "user:jane", Offset: got.Offset, Length: got.Length,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-review +index:\n%s", d)
	}
	run, err := runner.ReadRun(filepath.Join(b.runs, kept.Run))
	if err != nil || !kept.At.Equal(run.Started.Truncate(time.Microsecond)) {
		t.Errorf("evaluated at %v, the run began at %v: %v", kept.At, run.Started, err)
	}
}

// TestReviewer_NoScore_StaysInReview has a scoring function that fails once.
func TestReviewer_NoScore_StaysInReview(t *testing.T) {
	broken := true
	b := newReviewBench(t, func(ctx context.Context, q host.Question) (host.Answer, error) {
		if broken {
			return host.Answer{}, errors.New("disk on fire")
		}
		return checkQuestionCount(ctx, q)
	})
	a, err := b.Submit(t.Context(), b.quiz(t, fiveQuestions).ID, "joe")
	if err != nil || a.Status != review.InReview || !fault.Is(a.Outcome(), fault.Unscored) {
		t.Fatal(a, err, a.Outcome())
	}
	p, err := a.ReadProvenance()
	must(t, err)
	if e := p.Reviews[0].Evaluations[0]; e.Status != rubric.Unscored || e.Score != nil || e.Passed != nil || !strings.Contains(p.Reviews[0].Reason, "disk on fire") {
		t.Errorf("%+v: %s", e, p.Reviews[0].Reason)
	}
	broken = false
	if a, err = b.Submit(t.Context(), a.ID, "joe"); err != nil || a.Status != review.Approved || len(a.Evaluations) != 2 {
		t.Error(a, err)
	}
}

func TestReviewer_RefusesBeforeAnythingIsGraded(t *testing.T) {
	b := newReviewBench(t, checkQuestionCount)
	extra, err := host.Parse("r.yaml", []byte("rubric: extra\nversion: 1.0.0\npass: 0.5\ncriteria:\n  - id: fine\n    metric: nobody-has-this\n"))
	must(t, err)
	if _, err := b.rubrics.Register(t.Context(), extra); err != nil {
		t.Fatal(err)
	}
	for rubric, say := range map[string]string{"missing": `no rubric "missing"`, "quiz_quality@9.0.0": "9.0.0", "extra": `no plugin "nobody-has-this"`} {
		a := b.quiz(t, fiveQuestions, rubric)
		_, err := b.Submit(t.Context(), a.ID, "joe")
		if !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", rubric, err)
		}
		if after, err := b.Artifact(t.Context(), a.ID, ""); err != nil || after.Status != review.Draft {
			t.Errorf("%s: %+v, %v", rubric, after, err)
		}
	}
	if runs, err := runner.List(b.runs); err != nil || len(runs) > 0 {
		t.Errorf("something was graded: %v, %v", runs, err)
	}
}

// TestReviewer_RubricDeletedMeanwhile deletes it between create and submit: only a
// version that is named is still found.
func TestReviewer_RubricDeletedMeanwhile(t *testing.T) {
	b := newReviewBench(t, checkQuestionCount)
	latest := b.quiz(t, fiveQuestions)
	b.Types["quiz"] = review.Type{ID: "quiz", Rubrics: []string{"quiz_quality@1.0.0"}}
	pinned := b.quiz(t, fiveQuestions)
	if _, err := b.rubrics.Delete(t.Context(), "quiz_quality"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Submit(t.Context(), latest.ID, "joe"); !fault.Is(err, fault.NotFound) || !strings.Contains(fault.Hint(err), "quiz_quality@1.0.0") {
		t.Errorf("%v (%s)", err, fault.Hint(err))
	}
	if a, err := b.Submit(t.Context(), pinned.ID, "joe"); err != nil || a.Status != review.Approved {
		t.Error(a, err)
	}
}

func TestReviewer_TenMegabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	b := newReviewBench(t, checkQuestionCount)
	content := `{"text": "` + strings.Repeat(`\u0000 a\u001b[2J`, 600_000) + `", "questions": [1, 2, 3, 4, 5]}`
	if len(content) < 10_000_000 {
		t.Fatal(len(content))
	}
	a, err := b.Submit(t.Context(), b.quiz(t, content).ID, "joe")
	if err != nil || a.Status != review.Approved {
		t.Fatal(a.Status, err)
	}
	a, err = b.Artifact(t.Context(), a.ID, "")
	if err != nil || len(a.Content) < 9_000_000 {
		t.Error(len(a.Content), err)
	}
}
