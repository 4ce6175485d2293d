package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds on what a verdict shows.
const (
	maxFindings = 20
	maxFinding  = 300  // bytes
	maxKept     = 2000 // while a value is validated
)

// A place is where in a value something is, as a list that ends at the root;
// nil is the root.
type place struct {
	up    *place
	name  string
	index int // of a list; names count when it is below 0
}

// String writes a place as a JSON pointer.
func (p *place) String() string {
	var tokens []string
	bytes := 0
	for ; p != nil && bytes <= 2*maxFinding; p = p.up {
		token := strconv.Itoa(p.index)
		if p.index < 0 {
			token = escape(clip(p.name))
		}
		tokens = append(tokens, "/"+token)
		bytes += len(token) + 1
	}
	if p != nil {
		tokens = append(tokens, "…")
	}
	slices.Reverse(tokens)
	return strings.Join(tokens, "")
}

// A finding is something that is wrong with a value.
type finding struct {
	at   *place
	text string
}

func (f finding) String() string {
	if f.at == nil {
		return clip(f.text)
	}
	return clip(clip(f.at.String()) + ": " + f.text)
}

// words sorts findings and says the first maxFindings of them, and how many more
// there are.
func words(list []finding, dropped int) []string {
	all := make([]string, len(list))
	for i, f := range list {
		all[i] = f.String()
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if more := len(all) + dropped - maxFindings; more > 0 {
		all = append(all[:maxFindings:maxFindings], fmt.Sprintf("and %d more", more))
	}
	return all
}

func clip(s string) string {
	if len(s) <= maxFinding {
		return s
	}
	return strings.ToValidUTF8(s[:maxFinding], "") + "…"
}

// quoted lists names, as many as a finding shows.
func quoted(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if b.Len() > maxFinding {
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("'" + clip(name) + "'")
	}
	return b.String()
}
