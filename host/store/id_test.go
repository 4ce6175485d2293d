package store_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/store"
)

func TestEvaluationID_TellsEvaluationsApart(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range []struct {
		run, id string
		repeat  int
	}{{"r", "c", 1}, {"r", "c", 2}, {"r", "c1", 1}, {"rc", "", 1}, {"", "rc", 1}, {`r","c`, "", 1}} {
		id := store.EvaluationID(e.run, e.id, e.repeat)
		if len(id) != len("eval_")+12 || seen[id] || id != store.EvaluationID(e.run, e.id, e.repeat) {
			t.Errorf("%+v: %s", e, id)
		}
		seen[id] = true
	}
	if got, want := store.EvaluationID("20261123-150000-0000", "a", 1), "eval_c020d3dfe6a3"; got != want {
		t.Errorf("the id of an evaluation has changed: %s, was %s", got, want)
	}
}
