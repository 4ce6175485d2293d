package review

import (
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Rules are the conditions of a type on its approval.
type Rules struct {
	AutoReview       bool `json:"auto_review"`       // submitted when created or revised
	RequiresApproval bool `json:"requires_approval"` // passing evaluations are followed by a person's approval

	// ApprovalThreshold is the least score of every evaluation, in [0, 1], beside
	// the rubrics' own pass rules. Nil: their pass rules alone decide.
	ApprovalThreshold *float64 `json:"approval_threshold,omitzero"`
}

// Decide returns the status that evaluations of a version in review lead to, and the reason: needs_revision
// if one has a score that is not good enough; in_review if one has no score, or cannot pass or fail, if there
// is none, or if a person has to approve; approved otherwise.
func (r Rules) Decide(list []Evaluation) (Status, string) {
	status, why := r.judge(list)
	if status == Approved && r.RequiresApproval {
		return InReview, why + "; waits for approval"
	}
	return status, diag.Fit(why, 2000)
}

// passed reports whether the evaluations alone would approve.
func (r Rules) passed(list []Evaluation) bool {
	status, _ := r.judge(list)
	return status == Approved
}

func (r Rules) judge(list []Evaluation) (Status, string) {
	if len(list) == 0 {
		return InReview, "no rubrics; waits for a decision"
	}
	var failed, open []string
	for i := range list {
		switch outcome, why := r.one(&list[i]); outcome {
		case NeedsRevision:
			failed = append(failed, why)
		case InReview:
			open = append(open, why)
		}
	}
	switch {
	case len(failed) > 0:
		return NeedsRevision, strings.Join(append(failed, open...), "; ")
	case len(open) > 0:
		return InReview, strings.Join(open, "; ")
	case len(list) == 1:
		return Approved, list[0].Rubric + " passed"
	}
	return Approved, fmt.Sprintf("all %d evaluations passed", len(list))
}

// one returns the status that a single evaluation leads to.
func (r Rules) one(e *Evaluation) (Status, string) {
	switch {
	case e.Status != rubric.Scored || e.Score == nil:
		why := e.Rubric + " has no score"
		if e.Reason != "" {
			why += ": " + diag.Fit(e.Reason, 400)
		}
		return InReview, why
	case e.Passed != nil && !*e.Passed:
		return NeedsRevision, e.Rubric + " failed with " + result.ScoreText(*e.Score)
	case r.ApprovalThreshold != nil && *e.Score < *r.ApprovalThreshold-rubric.Slack:
		return NeedsRevision, fmt.Sprintf("%s scored %s, below the approval threshold %g", e.Rubric, result.ScoreText(*e.Score, *r.ApprovalThreshold), *r.ApprovalThreshold)
	case e.Passed == nil && r.ApprovalThreshold == nil:
		return InReview, e.Rubric + " has no pass rule, and the type no approval_threshold"
	}
	return Approved, ""
}
