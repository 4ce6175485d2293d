package database_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
)

func sequence(list []store.Evaluation) iter.Seq2[store.Evaluation, error] {
	return func(yield func(store.Evaluation, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// evaluation returns an evaluation as the store returns it.
func evaluation(run store.Run, id, caseID string) store.Evaluation {
	return store.Evaluation{
		ID: id, Run: run.ID, Case: caseID, Repeat: 1, Rubric: run.Rubric, RubricVersion: run.Version, RubricDigest: "sha256:1", TargetType: "answer",
		Status: rubric.Scored, Score: new(0.1), Passed: new(true), At: run.Started, By: "system", Offset: 1, Length: 2,
	}
}

func runOf(id string, started time.Time) store.Run {
	return store.Run{ID: id, Host: "ann's laptop", Dir: "/runs/" + id, Rubric: "r", Version: "1", Plan: "sha256:p", Started: started, Size: 12, Changed: moment.Add(time.Hour)}
}

func runsAreKept(t *testing.T, open opener) {
	s := opened(t, open)
	var runs []store.Run
	for i, text := range odd {
		r := runOf(text, moment.Add(time.Duration(i/2)*time.Second))
		r.Rubric, r.Version, r.Host, r.Dir, r.Plan = text, text, text, text, text
		e := evaluation(r, "eval_"+text, text)
		e.TargetType, e.By, e.RubricDigest = text, text, text
		must(t, s.PutRun(t.Context(), r, sequence([]store.Evaluation{e})))
		runs = append(runs, r)
	}
	s = reopened(t, s, open)
	for _, r := range runs {
		same(t, "run "+r.ID, got(s.Run(t.Context(), r.ID))(t), r)
		e := evaluation(r, "eval_"+r.ID, r.ID)
		e.TargetType, e.By, e.RubricDigest = r.ID, r.ID, r.ID
		same(t, "evaluation of "+r.ID, got(s.Evaluation(t.Context(), e.ID))(t), e)
		for _, f := range []store.Filter{{Run: r.ID}, {Case: r.ID}, {Rubric: r.ID}} {
			same(t, "evaluations of "+r.ID, got(s.Evaluations(t.Context(), f))(t), []store.Evaluation{e})
		}
	}
	slices.SortFunc(runs, func(a, b store.Run) int {
		if c := b.Started.Compare(a.Started); c != 0 {
			return c
		}
		if a.ID > b.ID {
			return -1
		}
		return 1
	})
	same(t, "all", got(s.Runs(t.Context()))(t), runs)
	_, err := s.Run(t.Context(), "none")
	fails(t, "an unknown run", err, fault.NotFound)
	_, err = s.Evaluation(t.Context(), "none")
	fails(t, "an unknown evaluation", err, fault.NotFound)
	if there := got(s.DropRun(t.Context(), "none"))(t); there {
		t.Error("an unknown run was there")
	}
}

func runsAreReplacedWhole(t *testing.T, open opener) {
	s := opened(t, open)
	r := runOf("run", moment)
	var list []store.Evaluation
	for i := range 501 { // more than a batch
		e := evaluation(r, "eval_"+string(rune('a'+i)), "c")
		e.Repeat = i
		list = append(list, e)
	}
	must(t, s.PutRun(t.Context(), r, sequence(list)))
	same(t, "evaluations", got(s.Evaluations(t.Context(), store.Filter{}))(t), list)
	broken := errors.New("the file ends")
	later := r
	later.Started = moment.Add(time.Hour)
	err := s.PutRun(t.Context(), later, func(yield func(store.Evaluation, error) bool) {
		for i := range 300 {
			if !yield(evaluation(r, "new", string(rune('a'+i))), nil) {
				return
			}
		}
		yield(store.Evaluation{}, fault.As(fault.Invalid, broken))
	})
	if !errors.Is(err, broken) || !fault.Is(err, fault.Invalid) {
		t.Errorf("the error of the sequence: %v", err)
	}
	same(t, "after an error", got(s.Evaluations(t.Context(), store.Filter{}))(t), list)
	same(t, "run after an error", got(s.Run(t.Context(), "run"))(t), r)
	must(t, s.PutRun(t.Context(), later, sequence(list[:3])))
	if n := len(got(s.Evaluations(t.Context(), store.Filter{}))(t)); n != 3 {
		t.Errorf("%d evaluations after they were replaced by 3", n)
	}
	must(t, s.PutRun(t.Context(), later, sequence(nil)))
	if there := got(s.DropRun(t.Context(), "run"))(t); !there {
		t.Error("it was there")
	}
	if n := len(got(s.Evaluations(t.Context(), store.Filter{}))(t)); n != 0 {
		t.Errorf("%d evaluations of a run that was dropped", n)
	}
}

// runsRace has two processes that scan: each writes the rows of the same run, and drops
// another one.
func runsRace(t *testing.T, open opener) {
	a, b := opened(t, open), opened(t, open)
	const writers = 8
	for range 3 {
		must(t, errors.Join(race(writers, func(i int) error {
			s, ctx, r := []*database.DB{a, b}[i%2], context.Background(), runOf("run", moment)
			r.Size = int64(i)
			var list []store.Evaluation
			for n := range 20 + i {
				list = append(list, evaluation(r, fmt.Sprint("eval_", i, "_", n), fmt.Sprint(i)))
			}
			_, err := s.DropRun(ctx, "gone")
			return errors.Join(err, s.PutRun(ctx, r, sequence(list)), s.PutRun(ctx, runOf("gone", moment), sequence(nil)))
		})...))
		winner := got(a.Run(t.Context(), "run"))(t).Size
		list := got(b.Evaluations(t.Context(), store.Filter{Run: "run"}))(t)
		if len(list) != 20+int(winner) || list[0].Case != fmt.Sprint(winner) || list[len(list)-1].Case != fmt.Sprint(winner) {
			t.Fatalf("the run of writer %d has %d evaluations, the first of writer %s, the last of %s", winner, len(list), list[0].Case, list[len(list)-1].Case)
		}
	}
}

func evaluationsAreFiltered(t *testing.T, open opener) {
	s := opened(t, open)
	old, young := runOf("old", moment), runOf("young", moment.Add(time.Hour))
	list := []store.Evaluation{
		evaluation(old, "e1", "c1"), evaluation(old, "e2", "c2"), evaluation(young, "e3", "c1"), evaluation(young, "e4", "c2"), evaluation(young, "e5", "c3"),
	}
	list[1].Passed = new(false)
	list[2].Passed, list[2].Score, list[2].Status = nil, nil, rubric.Unscored
	list[3].Rubric, list[3].RubricVersion, list[3].TargetType = "other", "2", "code"
	list[4].Score = new(0.0)
	must(t, s.PutRun(t.Context(), old, sequence(list[:2])))
	must(t, s.PutRun(t.Context(), young, sequence(list[2:])))
	for _, c := range []struct {
		name   string
		filter store.Filter
		want   []string
	}{
		{"all", store.Filter{}, []string{"e3", "e4", "e5", "e1", "e2"}},
		{"run", store.Filter{Run: "old"}, []string{"e1", "e2"}},
		{"unknown run", store.Filter{Run: "none"}, nil},
		{"rubric", store.Filter{Rubric: "other"}, []string{"e4"}},
		{"case", store.Filter{Case: "c1"}, []string{"e3", "e1"}},
		{"status", store.Filter{Status: rubric.Unscored}, []string{"e3"}},
		{"passed", store.Filter{Passed: new(true)}, []string{"e4", "e5", "e1"}},
		{"failed", store.Filter{Passed: new(false)}, []string{"e2"}},
		{"since", store.Filter{Since: young.Started}, []string{"e3", "e4", "e5"}},
		{"since a nanosecond later", store.Filter{Since: young.Started.Add(1)}, nil},
		{"in another zone", store.Filter{Since: young.Started.In(time.FixedZone("x", 7200))}, []string{"e3", "e4", "e5"}},
		{"limit", store.Filter{Limit: 4}, []string{"e3", "e4", "e5", "e1"}},
		{"everything", store.Filter{Run: "young", Rubric: "other", Case: "c2", Status: rubric.Scored, Passed: new(true), Since: old.Started, Limit: 1}, []string{"e4"}},
	} {
		var ids []string
		for _, e := range got(s.Evaluations(t.Context(), c.filter))(t) {
			ids = append(ids, e.ID)
		}
		same(t, c.name, ids, c.want)
	}
	must(t, s.PutRun(t.Context(), runOf("twin", moment), sequence([]store.Evaluation{evaluation(old, "e1", "c9")})))
	_, err := s.Evaluation(t.Context(), "e1")
	fails(t, "an id of two evaluations", err, fault.Conflict)
}

func evaluationsAreOrdered(t *testing.T, open opener) {
	s := opened(t, open)
	for run := range 7 {
		r := runOf(string(rune('a'+run)), moment.Add(-time.Duration(run/2)*time.Second)) // two begin together
		must(t, s.PutRun(t.Context(), r, sequence([]store.Evaluation{evaluation(r, r.ID+"0", "c"), evaluation(r, r.ID+"1", "c")})))
	}
	want := []string{"b0", "b1", "a0", "a1", "d0", "d1", "c0", "c1", "f0", "f1", "e0", "e1", "g0", "g1"}
	for limit := range len(want) {
		var ids []string
		for _, e := range got(s.Evaluations(t.Context(), store.Filter{Limit: limit}))(t) {
			ids = append(ids, e.ID)
		}
		same(t, "the first", ids, want[:cmp.Or(limit, len(want))])
	}
}

func stops(t *testing.T, open opener) {
	s := opened(t, open)
	ctx, cancel := context.WithCancel(t.Context())
	r := runOf("r", moment)
	err := s.PutRun(ctx, r, func(yield func(store.Evaluation, error) bool) {
		for i := 0; ; i++ {
			if i == 1000 {
				cancel()
			}
			if !yield(evaluation(r, "e", "c"), nil) {
				return
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled write: %v", err)
	}
	if n := len(got(s.Runs(t.Context()))(t)); n != 0 {
		t.Error("it left a run")
	}
	_, err = s.PutRubrics(ctx, []registry.Snapshot{snapshot("r", "1", "d")})
	if err == nil {
		t.Error("a write with a context that has ended")
	}
	if _, err := s.DeleteRubric(ctx, "r", "me", moment); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled removal: %v", err)
	}
	if _, err := s.Rubrics(ctx, registry.Filter{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled query: %v", err)
	}
}
