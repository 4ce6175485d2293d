package result

import "github.com/rubric-host/rubric-host/host/rubric"

// A Share is a number of rows, or a part of them. The zero value is none.
type Share struct {
	Count   int
	Percent float64
	IsPart  bool // Percent counts
}

// Exceeded reports whether n of all rows are more than the share.
func (s Share) Exceeded(n, all int) bool {
	if s.IsPart {
		return float64(n)*100 > s.Percent*float64(all)*(1+rubric.Slack)
	}
	return n > s.Count
}
