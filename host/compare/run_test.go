package compare_test

import (
	"fmt"
	"testing"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/result"
)

// A run has one mean, to the last bit, in its summary and in comparisons.
func TestCompare_MeansAreThoseOfSummaries(t *testing.T) {
	run, sum := compare.NewRun(), result.NewSummarizer(result.SummaryOptions{})
	for i := range 10 {
		r := row(fmt.Sprint(i), 1, 0.1, true)
		run.Add(r)
		sum.Add(r)
	}
	c := compared(t, run, run, compare.Options{Resamples: 100})
	if mean := *sum.Summary().Total.Mean; *c.Base.Mean != mean || *c.Total.Base != mean || *c.Total.Candidate != mean {
		t.Errorf("%v, %v and %v, want %v", *c.Base.Mean, *c.Total.Base, *c.Total.Candidate, mean)
	}
}
