package database_test

import (
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/feedback"
)

func notesAreKept(t *testing.T, open opener) {
	s := opened(t, open)
	var want []feedback.Note
	for i, text := range odd {
		n := feedback.Note{ID: "note_" + text, Run: "run", Case: text, Repeat: i, Criterion: text, Comment: text, By: text, At: moment}
		if i%2 == 0 {
			n.Agree, n.Label, n.Value = new(i%4 == 0), new(text), new(0.1)
		}
		want = append(want, n)
	}
	if n := got(s.PutNotes(t.Context(), "run", append(want, want...)))(t); n != len(want) {
		t.Errorf("%d added of %d", n, len(want))
	}
	if n := got(s.PutNotes(t.Context(), "run", want))(t); n != 0 {
		t.Errorf("%d added twice", n)
	}
	other := feedback.Note{ID: "note_1", Run: "other", Case: "c", Criterion: "k", By: "bob", At: moment}
	got(s.PutNotes(t.Context(), "other", []feedback.Note{other}))(t)
	s = reopened(t, s, open)
	list := func(f feedback.Filter) []feedback.Note { return got(s.Notes(t.Context(), f))(t) }
	same(t, "all", list(feedback.Filter{}), append(slices.Clone(want), other))
	same(t, "of a run", list(feedback.Filter{Run: "other"}), []feedback.Note{other})
	same(t, "of a case", list(feedback.Filter{Case: "\x00"}), want[slices.Index(odd, "\x00"):][:1])
	same(t, "of a person on a criterion", list(feedback.Filter{By: "bob", Criterion: "k"}), []feedback.Note{other})
	got(s.PutNotes(t.Context(), "run", want[1:3]))(t)
	same(t, "after some were removed", list(feedback.Filter{}), append(slices.Clone(want[1:3]), other))
	must(t, s.PutRun(t.Context(), runOf("other", moment), sequence(nil)))
	if there := got(s.DropRun(t.Context(), "other"))(t); !there {
		t.Error("the run was there")
	}
	same(t, "after its run was dropped", list(feedback.Filter{}), want[1:3])
}
