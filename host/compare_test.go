package host_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// A run that someone else made may hold a plan without rubrics.
func TestCheckGates_OfAPlanWithoutRubrics(t *testing.T) {
	ev := evaluator(t)
	var dirs [2]string
	for i := range dirs {
		dirs[i] = t.TempDir()
		for name, text := range map[string]string{
			"run.json":   `{"schema": 1, "id": "r", "status": "finished", "plan": {"graders": [{"digest": "sha256:00"}]}}`,
			"rows.jsonl": `{"schema": 1, "case": "a", "case_digest": "sha256:00", "repeat": 1, "status": "scored", "score": 0.5, "passed": null, "criteria": [], "metrics": [], "gate_failures": [], "warnings": []}` + "\n",
		} {
			must(t, os.WriteFile(filepath.Join(dirs[i], name), []byte(text), 0o600))
		}
	}
	c, err := ev.Compare(t.Context(), dirs[0], dirs[1], compare.Options{})
	must(t, err)
	gate, err := result.ParseGate("mean>=0.4")
	must(t, err)
	outcomes, err := host.CheckGates(dirs[1], c, []result.Gate{gate})
	if err != nil || len(outcomes) != 1 || !outcomes[0].Passed {
		t.Errorf("outcomes = %v, %v; want one that passed", outcomes, err)
	}
	if gate, err = result.ParseGate("regressions==0"); err != nil {
		t.Fatal(err)
	}
	must(t, os.Remove(filepath.Join(dirs[1], "rows.jsonl")))
	if outcomes, err := host.CheckGates(dirs[1], c, []result.Gate{gate}); !fault.Is(err, fault.NotFound) {
		t.Errorf("outcomes of a run without rows = %v, %v; want none", outcomes, err)
	}
}
