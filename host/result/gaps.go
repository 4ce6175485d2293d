package result

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// gaps are answers of criteria that a score does without, by the class of their failure.
type gaps []gap

type gap struct {
	UnscoredClass          // with an example
	ids           []string // of the criteria, in the order of first appearance
}

func (g *gaps) add(id string, class fault.Class, row, message string) {
	at := among((*[]gap)(g), maxGaps, func(have gap) bool { return have.Class == class }, gap{UnscoredClass: UnscoredClass{Class: class, Case: row, Message: message}})
	if at == nil {
		return
	}
	at.Count++
	if !slices.Contains(at.ids, id) && len(at.ids) < maxFigures {
		at.ids = append(at.ids, id)
	}
}

// gap notes a criterion that a row is scored without, or that has the rubric's fallback.
func (s *Summarizer) gap(row *Row, t *tally, c *Criterion) {
	switch {
	case c.Fallback:
		s.stand.add(c.ID, fault.Unscored, row.Case, strings.Join(c.Warnings, "; "))
	case row.Score == nil || c.Status == rubric.Scored && c.Value != nil || c.Weight == 0 && !t.figure.Gate:
	case c.Error != nil:
		s.gaps.add(c.ID, c.Error.Class, row.Case, c.Error.Message)
	default:
		s.gaps.add(c.ID, fault.Unscored, row.Case, cmp.Or(c.Reason, "no reason was given"))
	}
}

func (s *Summarizer) gapWarnings() (list []string) {
	how := "which are scored without them"
	if s.opts.Unscored == score.Worst {
		how = "which count them as the worst"
	}
	for _, g := range s.gaps {
		list = append(list, fmt.Sprintf("%s: %s missing (%s) in rows with a score, %s; such as %s: %s",
			few(g.ids), diag.Count(g.Count, "verdict"), fault.Clip(string(g.Class), 40), how, fault.Clip(g.Case, 120), fault.Clip(g.Message, maxReason)))
	}
	for _, g := range s.stand {
		list = append(list, fmt.Sprintf("%s: the rubric's fallback in place of %s; such as %s: %s",
			few(g.ids), diag.Count(g.Count, "unusable answer"), fault.Clip(g.Case, 120), fault.Clip(g.Message, maxReason)))
	}
	return list
}

// zeroWarnings tells of metrics that give most rows 0 for one reason: they may not be able to
// judge this data, such as one of Latin letters on Arabic text.
func (s *Summarizer) zeroWarnings() (list []string) {
	for _, t := range s.order {
		for _, z := range t.zeros {
			if n := t.sample.N(); z.count >= fewest && 2*z.count > n {
				list = append(list, fmt.Sprintf("%s: %d of %d scores are 0 for the same reason: %s",
					fault.Clip(t.key.id, 60), z.count, n, fault.Clip(z.reason, maxReason)))
			}
		}
	}
	return list
}

// fails reports whether a scorer answered that a case does not pass, beside its score, as
// functions for promptfoo do.
func fails(details jsontext.Value) bool {
	if !bytes.Contains(details, []byte(`"pass`)) || !bytes.Contains(details, []byte("false")) {
		return false
	}
	var v struct {
		Pass   jsontext.Value `json:"pass"`
		Passed jsontext.Value `json:"passed"`
	}
	return json.Unmarshal(details, &v) == nil && (string(v.Pass) == "false" || string(v.Passed) == "false")
}

func (s *Summarizer) refutedWarnings() (list []string) {
	for _, t := range s.order {
		if t.refuted > 0 {
			list = append(list, fmt.Sprintf("%s: %s passed although the scorer answered pass: false; the rubric decides by the score: write min on the criterion",
				fault.Clip(t.key.id, 60), diag.Count(t.refuted, "row")))
		}
	}
	return list
}

// fewest is the number of equal reasons from which zeroWarnings tells of them.
const fewest = 3

// maxGaps bounds the classes: rows may be hostile.
const maxGaps = 30

// maxReason is how much of a reason a warning shows, in bytes.
const maxReason = 400

func few(ids []string) string {
	return fault.First(5, xslices.Map(ids, func(id string) string { return fault.Clip(id, 60) }), ", ")
}
