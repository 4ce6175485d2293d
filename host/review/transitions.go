package review

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
)

// transitions is the life of an artifact: every status, and those that may follow.
// It is the table of dataknobs' artifact guide.
var transitions = []struct {
	from Status
	to   []Status
}{
	{Draft, []Status{PendingReview, Archived, Superseded}},
	{PendingReview, []Status{InReview, Draft, Archived}},
	{InReview, []Status{Approved, NeedsRevision, Rejected}},
	{NeedsRevision, []Status{Draft, Archived, Superseded}},
	{Approved, []Status{Superseded, Archived}},
	{Rejected, []Status{Archived}},
	{Superseded, []Status{Archived}},
	{Archived, nil},
}

// toReview is the way of each status to a review. One that needs revision goes back to draft first; one whose
// review came to no decision stays.
var toReview = map[Status][]Status{
	Draft:         {PendingReview, InReview},
	PendingReview: {InReview},
	NeedsRevision: {Draft, PendingReview, InReview},
	InReview:      {},
}

// Statuses returns all statuses, in the order of a life.
func Statuses() []Status {
	var list []Status
	for _, t := range transitions {
		list = append(list, t.from)
	}
	return list
}

// Next returns the statuses that may follow s; none for Archived.
func (s Status) Next() []Status {
	for _, t := range transitions {
		if t.from == s {
			return slices.Clone(t.to)
		}
	}
	return nil
}

// CanBecome reports whether to may follow s.
func (s Status) CanBecome(to Status) bool { return slices.Contains(s.Next(), to) }

// participles name the transitions to a status, for messages.
var participles = map[Status]string{
	InReview: "submitted", Approved: "approved", Rejected: "rejected", NeedsRevision: "sent back for revision", Superseded: "revised", Archived: "archived",
}

// refused is the error of a transition that the table does not have.
func refused(a *Artifact, to Status) error {
	err := fault.New(fault.Conflict, "artifact %s %s is %s and cannot be %s", a.ID, a.Version, a.Status, participles[to])
	if a.Status == to && to != InReview {
		err = fault.New(fault.Conflict, "artifact %s %s is %s already", a.ID, a.Version, a.Status)
	}
	switch a.Status {
	case Draft, PendingReview:
		return fault.WithHint(err, "submit it for review first")
	case InReview:
		return fault.WithHint(err, "approve or reject it first")
	case NeedsRevision:
		return fault.WithHint(err, "revise it, or submit it again")
	case Approved:
		return fault.WithHint(err, "revise it: a new version is reviewed anew")
	}
	return fault.WithHint(err, "create a new artifact")
}
