package metric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// An Answer is what a plugin answers, as sdk/contract/answer.schema.json says:
// exactly one of Score, Level, Unscored and Error.
type Answer struct {
	Score    *float64          `json:"score,omitzero"`    // within the manifest's range
	Level    *string           `json:"level,omitzero"`    // id of one of the criterion's levels
	Unscored *string           `json:"unscored,omitzero"` // why the plugin cannot decide
	Error    *string           `json:"error,omitzero"`    // why it failed
	Reason   string            `json:"reason,omitzero"`
	Evidence []rubric.Evidence `json:"evidence,omitzero"`
	Hits     []string          `json:"hits,omitzero"`
	Misses   []string          `json:"misses,omitzero"`
	Details  jsontext.Value    `json:"details,omitzero"` // an object of the metric's own figures
	Stats    []float64         `json:"stats,omitzero"`   // figures that add up over a corpus
}

// Bounds on an answer's parts, so that a plugin cannot flood a report.
const (
	maxReason   = 64 << 10
	maxEvidence = 1000
	maxStats    = 100_000
)

// ParseAnswer reads a plugin's answer strictly. A fault of class Protocol says
// what breaks the contract, one of class PluginError is the plugin's own.
func ParseAnswer(b []byte) (*Answer, error) {
	if len(b) == 0 {
		return nil, fault.New(fault.Protocol, "the answer is empty")
	}
	var a Answer
	if err := json.Unmarshal(b, &a, json.RejectUnknownMembers(true)); err != nil {
		return nil, fault.New(fault.Protocol, "the answer is not of the contract: %s", explain(err))
	}
	return &a, a.check()
}

func (a *Answer) check() error {
	var given []string
	for name, set := range map[string]bool{"score": a.Score != nil, "level": a.Level != nil, "unscored": a.Unscored != nil, "error": a.Error != nil} {
		if set {
			given = append(given, name)
		}
	}
	slices.Sort(given)
	switch {
	case len(given) == 0:
		return fault.New(fault.Protocol, "the answer has none of score, level, unscored and error")
	case len(given) > 1:
		return fault.New(fault.Protocol, "the answer has %s at once", strings.Join(given, " and "))
	case a.Error != nil:
		return fault.New(fault.PluginError, "%s", clip(*a.Error, 2000))
	case a.Score != nil && !rubric.Finite(*a.Score):
		return fault.New(fault.Protocol, "the score is not finite")
	case a.Unscored != nil && strings.TrimSpace(*a.Unscored) == "":
		return fault.New(fault.Protocol, "unscored says no reason")
	case len(a.Reason) > maxReason:
		return fault.New(fault.Protocol, "the reason has %d bytes; at most %d", len(a.Reason), maxReason)
	case len(a.Evidence)+len(a.Hits)+len(a.Misses) > maxEvidence:
		return fault.New(fault.Protocol, "evidence, hits and misses have %d entries; at most %d", len(a.Evidence)+len(a.Hits)+len(a.Misses), maxEvidence)
	case len(a.Stats) > maxStats:
		return fault.New(fault.Protocol, "stats has %d numbers; at most %d", len(a.Stats), maxStats)
	case len(a.Details) > 0 && a.Details.Kind() != '{':
		return fault.New(fault.Protocol, "details is not an object")
	}
	for _, s := range a.Stats {
		if !rubric.Finite(s) {
			return fault.New(fault.Protocol, "stats holds a number that is not finite")
		}
	}
	return nil
}

// verdict turns an answer into the verdict on c. bounds is the manifest's range.
func (a *Answer) verdict(r *rubric.Rubric, c *rubric.Criterion, bounds [2]float64) (rubric.Verdict, error) {
	v := rubric.Verdict{
		Criterion: c.ID, Status: rubric.Scored, Reason: a.Reason,
		Evidence: a.Evidence, Hits: a.Hits, Misses: a.Misses, Details: a.Details, Stats: a.Stats,
	}
	switch {
	case a.Unscored != nil:
		v.Status, v.Reason = rubric.Unscored, *a.Unscored
	case a.Level != nil:
		value, err := r.Value(c, rubric.LevelIs(*a.Level))
		if err != nil {
			return v, fault.New(fault.Protocol, "%w", err)
		}
		v.Native, v.Value = rubric.LevelIs(*a.Level), value
	default:
		value, err := share(*a.Score, bounds)
		if err != nil {
			return v, err
		}
		v.Value = value
		v.Native = native(c, *a.Score, value)
	}
	return v, nil
}

// share maps a score within bounds to [0, 1].
func share(score float64, bounds [2]float64) (float64, error) {
	lo, hi := bounds[0], bounds[1]
	if !(score >= lo && score <= hi) {
		return 0, fault.New(fault.Protocol, "the score %s is outside the declared range %s..%s",
			rubric.FormatNumber(score), rubric.FormatNumber(lo), rubric.FormatNumber(hi))
	}
	if lo == 0 && hi == 1 {
		return score, nil
	}
	return (score - lo) / (hi - lo), nil
}

// native says a score in the criterion's own form. A criterion that is met or
// not is met by a score of 1.
func native(c *rubric.Criterion, score, value float64) rubric.Native {
	if c.Answer.KindOrMet() == rubric.Met && (value == 0 || value == 1) {
		return rubric.MetIs(value == 1)
	}
	return rubric.NumberIs(score)
}

// explain shortens the decoder's message to what a plugin author needs.
func explain(err error) string {
	return clip(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "jsontext: "), 300)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:n], ""), len(s))
}
