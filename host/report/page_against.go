package report

import (
	"fmt"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// earlierRows holds the rows of the run that the page shows beside its own.
type earlierRows struct {
	v    *view
	rows map[result.RowID]*result.Row
}

// openAgainst reads the rows of the earlier run; nil if there is none.
func (v *view) openAgainst(index *pageIndex) (*earlierRows, error) {
	if v.Against == nil {
		return nil, nil //nolint:nilnil // the caller handles nil
	}
	b := &earlierRows{v: newView(*v.Against), rows: map[result.RowID]*result.Row{}}
	for row := range b.v.rows() {
		b.rows[row.ID()] = row
	}
	if err := b.v.lost(); err != nil {
		return nil, fmt.Errorf("run %s: %w", plain(b.v.Run.ID), err)
	}
	index.Against = &pageAgainst{Name: plain(b.v.Run.ID), Changes: &labels{}}
	return b, nil
}

// add adds the earlier row of a row's case to the index, and returns its form on the
// page; nil: there is none.
func (b *earlierRows) add(index *pageAgainst, row *result.Row) *pageWas {
	old := b.rows[row.ID()]
	index.Changes.add(change(old, row))
	if old == nil {
		index.Scores = append(index.Scores, nil)
		return nil
	}
	index.Scores = append(index.Scores, finite(old.Score))
	c := b.v.contentOf(old)
	was := &pageWas{}
	if c != nil {
		was.Output = pageText(c.Output)
	}
	if old.Fails() {
		was.Why = diag.Fit(b.v.whyFailed(old), 2000)
	}
	for one := range old.All() {
		was.Criteria = append(was.Criteria, b.v.pageCriterion(old, c, one))
	}
	return was
}

// change names the outcome of a case in a word; the page colours these.
func change(old, now *result.Row) string {
	switch {
	case old == nil:
		return "new"
	case old.Score == nil && now.Score == nil:
		return "same"
	case now.Score == nil:
		return "unscored now"
	case old.Score == nil:
		return "scored now"
	case old.Passes() && now.Fails():
		return "regressed"
	case old.Fails() && now.Passes():
		return "fixed"
	case *now.Score < *old.Score-rubric.Slack:
		return "worse"
	case *now.Score > *old.Score+rubric.Slack:
		return "better"
	}
	return "same"
}
