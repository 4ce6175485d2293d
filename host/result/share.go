package result

import (
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A Share is a number of rows, or a part of them. The zero value is none.
type Share struct {
	Count   int
	Percent float64
	IsPart  bool // Percent counts
}

// ParseShare reads a number of rows, or a percentage such as 1%. An error has class
// fault.Usage.
func ParseShare(s string) (Share, error) {
	bad := fault.New(fault.Usage, "%q is neither a number of rows nor a percentage, such as 1%%", s)
	if part, ok := strings.CutSuffix(s, "%"); ok {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || !(x >= 0 && x <= 100) {
			return Share{}, bad
		}
		return Share{Percent: x, IsPart: true}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return Share{}, bad
	}
	return Share{Count: n}, nil
}

// String returns the share as ParseShare reads it; empty: none.
func (s Share) String() string {
	switch {
	case s.IsPart:
		return rubric.FormatNumber(s.Percent) + "%"
	case s.Count == 0:
		return ""
	}
	return strconv.Itoa(s.Count)
}

// Exceeded reports whether n of all rows are more than the share.
func (s Share) Exceeded(n, all int) bool {
	if s.IsPart {
		return float64(n)*100 > s.Percent*float64(all)*(1+rubric.Slack)
	}
	return n > s.Count
}
