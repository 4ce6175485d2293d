package review_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// The words of the model: outcomes of one evaluation.
const (
	passes = "passes" // with 0.9
	barely = "barely" // passes with 0.5
	fails  = "fails"
	blank  = "blank" // no score
	broken = "broken"
)

func outcome(word string) review.Evaluation {
	e := review.Evaluation{Rubric: "r", RubricVersion: "1.0.0", Run: "run-" + word, Status: rubric.Scored}
	score, passed := 0.9, true
	switch word {
	case barely:
		score = 0.5
	case fails:
		score, passed = 0.1, false
	case blank:
		e.Status, e.Reason = rubric.Unscored, "the judge gave no answer"
		return e
	}
	e.Score, e.Passed = &score, &passed
	return e
}

// expected is one version of the model: the record of an artifact that a person would
// keep on paper.
type expected struct {
	status      review.Status
	version     int  // last number
	evaluations int  // of this version
	all         int  // of all versions
	good        bool // the last review passed
	evaluating  bool // a submission did not end
}

// paper is the model of one type of artifacts.
type paper struct {
	rules review.Rules
	list  map[string]*expected
	ids   []string // oldest first
}

// decision is the document's rule on the outcomes of evaluations: all passed or any
// failed. A missing score is neither.
func (p *paper) decision(words []string) (status review.Status, good bool) {
	failed := slices.Contains(words, fails) || p.rules.ApprovalThreshold != nil && slices.Contains(words, barely)
	switch {
	case failed:
		return review.NeedsRevision, false
	case len(words) == 0 || slices.Contains(words, blank):
		return review.InReview, false
	case p.rules.RequiresApproval:
		return review.InReview, true
	}
	return review.Approved, true
}

// TestLifecycle_IsAsOnPaper holds random lives of artifacts to the model, with
// deeds of others while an artifact is evaluated.
func TestLifecycle_IsAsOnPaper(t *testing.T) {
	amount.RapidIn(t, 40)
	rapid.Check(t, func(t *rapid.T) {
		threshold := 0.8
		rules := review.Rules{RequiresApproval: rapid.Bool().Draw(t, "requires approval")}
		if rapid.Bool().Draw(t, "threshold") {
			rules.ApprovalThreshold = &threshold
		}
		store, ctx := newMemory(), context.Background()
		var words []string // of the next evaluation
		var meanwhile func()
		n := 0
		life := &review.Lifecycle{Store: store, Types: map[string]review.Type{"quiz": {ID: "quiz", Rubrics: []string{"r"}, Rules: rules}}}
		life.Grade = func(context.Context, *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
			return func(context.Context) ([]review.Evaluation, error) {
				list := []review.Evaluation{}
				now, then := words, meanwhile
				if meanwhile = nil; then != nil {
					then()
				}
				for _, w := range now {
					if w == broken {
						return nil, errors.New("killed")
					}
					e := outcome(w)
					n++
					e.ID = fmt.Sprintf("eval_%012x", n)
					list = append(list, e)
				}
				return list, nil
			}, nil
		}
		p := &paper{rules: rules, list: map[string]*expected{}}
		start := func(t *rapid.T) {
			a, err := life.Create(ctx, review.New{Type: "quiz", Name: "Quiz", Content: jsontext.Value(`{"n": 1}`)})
			if err != nil {
				t.Fatal(err)
			}
			p.list[a.ID] = &expected{status: review.Draft}
			p.ids = append(p.ids, a.ID)
		}
		one := func(t *rapid.T) string {
			if len(p.ids) == 0 {
				start(t)
			}
			return p.ids[rapid.IntRange(0, len(p.ids)-1).Draw(t, "artifact")] // ids are random, numbers are not
		}
		check := func(t *rapid.T, what string, allowed bool, err error) {
			switch {
			case allowed && err != nil:
				t.Fatalf("%s: %v", what, err)
			case !allowed && !fault.Is(err, fault.Conflict):
				t.Fatalf("%s: no conflict: %v", what, err)
			}
		}
		deed := func(t *rapid.T, id, kind, note string) {
			e := p.list[id]
			switch kind {
			case "approve":
				_, err := life.Decide(ctx, id, "jane", note, review.Approved)
				may := e.status == review.InReview && (note != "" || e.good && !e.evaluating)
				if check(t, kind, may, err); may {
					e.status = review.Approved
				}
			case "reject", "send back":
				to := review.Rejected
				if kind == "send back" {
					to = review.NeedsRevision
				}
				_, err := life.Decide(ctx, id, "jane", note, to)
				may := e.status == review.InReview
				if check(t, kind, may, err); may {
					e.status = to
				}
			case "archive":
				_, err := life.Decide(ctx, id, "jane", note, review.Archived)
				may := !slices.Contains([]review.Status{review.InReview, review.Archived}, e.status)
				if check(t, kind, may, err); may {
					e.status = review.Archived
				}
			case "revise":
				_, err := life.Revise(ctx, id, jsontext.Value(`{"n": 2}`), "jane", note)
				may := slices.Contains([]review.Status{review.Draft, review.NeedsRevision, review.Approved}, e.status)
				if check(t, kind, may, err); may {
					*e = expected{status: review.Draft, version: e.version + 1, all: e.all}
				}
			}
		}
		var submit func(t *rapid.T, id string, list []string, deedOfOthers string)
		submit = func(t *rapid.T, id string, list []string, deedOfOthers string) {
			e := p.list[id]
			may := slices.Contains([]review.Status{review.Draft, review.NeedsRevision}, e.status) || e.status == review.InReview && (e.evaluating || !e.good)
			words, meanwhile = list, nil
			lost := false
			if may {
				e.status, e.evaluating = review.InReview, true
				if deedOfOthers != "" {
					meanwhile = func() {
						before := *e
						if deedOfOthers == "submit" {
							submit(t, id, []string{passes}, "")
							lost = true
						} else {
							deed(t, id, deedOfOthers, "")
							lost = *e != before
						}
					}
				}
			}
			_, err := life.Submit(ctx, id, "bot")
			switch {
			case may && !lost && slices.Contains(list, broken):
				if err == nil || fault.Is(err, fault.Conflict) {
					t.Fatalf("submit: %v", err)
				}
			case slices.Contains(list, broken) && lost: // its own error, for the other one has won already
			default:
				check(t, "submit", may && !lost, err)
				if err == nil {
					e.status, e.good = p.decision(list)
					e.evaluating = false
					e.evaluations += len(list)
					e.all += len(list)
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"create": start,
			"submit": func(t *rapid.T) {
				list := rapid.SliceOfN(rapid.SampledFrom([]string{passes, passes, barely, fails, blank, broken}), 0, 3).Draw(t, "outcomes")
				submit(t, one(t), list, rapid.SampledFrom([]string{"", "", "approve", "reject", "send back", "archive", "revise", "submit"}).Draw(t, "meanwhile"))
			},
			"decide": func(t *rapid.T) {
				deed(t, one(t), rapid.SampledFrom([]string{"approve", "reject", "send back", "archive", "revise"}).Draw(t, "deed"), rapid.SampledFrom([]string{"", "why"}).Draw(t, "note"))
			},
			"": func(t *rapid.T) {
				for id, e := range p.list {
					hold(t, store, id, e)
				}
			},
		})
	})
}

// hold compares a stored artifact with the model, and its history with the table.
func hold(t *rapid.T, store *memory, id string, e *expected) {
	ctx := context.Background()
	a, err := store.Artifact(ctx, id, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.ReadProvenance()
	if err != nil {
		t.Fatal(err)
	}
	got := expected{status: a.Status, evaluations: len(a.Evaluations), all: len(p.ReviewHistory), good: e.good, evaluating: p.Evaluating && a.Status == review.InReview}
	fmt.Sscanf(a.Version, "1.0.%d", &got.version) // a wrong version is 0, and shows
	want := *e
	want.evaluating = e.evaluating && e.status == review.InReview
	if got != want {
		t.Fatalf("%s is %+v, want %+v", id, got, want)
	}
	events, err := store.ArtifactEvents(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]review.Status{}
	for _, ev := range events {
		if ev.From != at[ev.Version] || ev.From != "" && ev.From != ev.To && !ev.From.CanBecome(ev.To) {
			t.Fatalf("%s %s: %s to %s, from %s", id, ev.Version, ev.From, ev.To, at[ev.Version])
		}
		at[ev.Version] = ev.To
	}
	versions, err := store.Artifacts(ctx, review.Filter{Versions: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range versions {
		if v.ID == id && at[v.Version] != v.Status {
			t.Fatalf("%s %s is %s, and its history ends with %s", id, v.Version, v.Status, at[v.Version])
		}
		if v.ID == id && v.Version != a.Version && v.Status != review.Superseded {
			t.Fatalf("%s %s is %s beside %s", id, v.Version, v.Status, a.Version)
		}
	}
}
