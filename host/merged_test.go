package host

import (
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/result"
)

// TestMergedRun_HasNoOutcomeOfAShard: a merge that is killed would show it as that of all.
func TestMergedRun_HasNoOutcomeOfAShard(t *testing.T) {
	shard := &result.Run{
		ID: "shard", Status: result.Finished, Finished: time.Now(), Seconds: 2, Counts: result.Counts{Rows: 3}, Gates: []result.Outcome{{Passed: true}},
		Summary: &result.Summary{}, Error: &result.Failure{}, Exit: new(int),
	}
	run := mergedRun([]*result.Run{shard, shard}, EvaluateOptions{})
	if run.Status != result.Running || run.Seconds != 4 || len(run.MergedFrom) != 2 {
		t.Errorf("the record is not of a merge: %+v", run)
	}
	if !run.Finished.IsZero() || run.Counts != (result.Counts{}) || run.Gates != nil || run.Summary != nil || run.Error != nil || run.Exit != nil {
		t.Errorf("the record has the outcome of a shard: %+v", run)
	}
	if shard.Summary == nil || shard.Exit == nil {
		t.Error("the record of the shard was changed")
	}
}
