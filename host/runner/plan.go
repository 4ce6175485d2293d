package runner

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// KnownPlan returns the plan of a run for its names and words, unchecked; nil if it
// cannot be read or lacks a rubric. What grades takes PlanOf.
func KnownPlan(run *result.Run) *plan.Plan {
	var p plan.Plan
	if json.Unmarshal(run.Plan, &p) != nil || len(p.Graders) == 0 || slices.ContainsFunc(p.Graders, func(g plan.Grader) bool { return g.Rubric == nil }) {
		return nil
	}
	return &p
}

// ReadPlanned reads the record of a run and its plan, as ReadRun and PlanOf do.
func ReadPlanned(dir string) (*result.Run, *plan.Plan, error) {
	run, err := ReadRun(dir)
	if err != nil {
		return nil, nil, err
	}
	p, err := PlanOf(run)
	return run, p, err
}

// PlanOf reads the plan of a run and holds it to its digests.
func PlanOf(run *result.Run) (*plan.Plan, error) {
	p, err := plan.Read(run.Plan)
	if err != nil {
		return nil, fault.New(fault.Invalid, "run %s: its plan: %w", run.ID, err)
	}
	if len(p.Graders) == 0 {
		return nil, fault.New(fault.Invalid, "run %s: its plan has no rubric", run.ID)
	}
	for i, s := range p.Graders {
		if s.Rubric == nil || s.Rubric.Digest() != s.Digest {
			return nil, fault.New(fault.Mismatch, "run %s: the rubric in its plan is not the one of digest %s", run.ID, s.Digest)
		}
		if slices.ContainsFunc(p.Graders[:i], func(g plan.Grader) bool { return g.Digest == s.Digest }) {
			return nil, fault.New(fault.Invalid, "run %s: its plan has the rubric of digest %s twice", run.ID, s.Digest)
		}
		if err := checkTasks(&s); err != nil {
			return nil, fault.New(fault.Invalid, "run %s: its plan: %w", run.ID, err)
		}
	}
	if d := p.Digest(); d != run.PlanDigest {
		return nil, fault.New(fault.Mismatch, "run %s: its plan has digest %s, run.json says %s", run.ID, d, run.PlanDigest)
	}
	return p, nil
}

// checkTasks holds the tasks of a grader to the criteria of its rubric.
func checkTasks(s *plan.Grader) error {
	named := s.Rubric.Index()
	for _, t := range s.Tasks {
		judged := t.Way != rubric.ByMetric && t.Way != rubric.BySchema
		switch {
		case len(t.Criteria) == 0:
			return errors.New("a task answers no criterion")
		case !judged && len(t.Criteria) > 1:
			return fmt.Errorf("a task without a judge answers the criteria %q", t.Criteria)
		case judged && len(t.Criteria) == 1 && t.Criteria[0] == rubric.Overall:
			continue
		}
		for _, id := range t.Criteria {
			if named[id] == nil {
				return fmt.Errorf("a task answers the criterion %q, which the rubric lacks", id)
			}
		}
	}
	return nil
}
