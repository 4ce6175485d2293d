package judge

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// cannotAssess is the verdict of a judge that cannot decide.
const cannotAssess = "CANNOT_ASSESS"

// A question is one criterion as it is asked: its name in the answer, and the answers
// it accepts.
type question struct {
	criterion *rubric.Criterion // nil: the whole rubric
	id        string            // of the criterion; rubric.Overall
	key       string            // its name in the answer
	kind      rubric.Kind
	scale     rubric.Scale // of Number
	levels    []string     // of Level, in the order written
	abstain   bool         // CANNOT_ASSESS is an answer
}

func newQuestion(r *rubric.Rubric, c *rubric.Criterion, abstain bool) question {
	return question{
		criterion: c, id: c.ID, key: c.ID, kind: c.Answer.KindOrMet(), scale: r.ScaleOf(c), levels: c.Answer.LevelIDs(),
		// A dialect whose "required" means "must be evaluated" lets the others go
		// without a verdict.
		abstain: abstain || r.Policy.Required == rubric.RequiredEvaluated && !c.Required,
	}
}

func overallQuestion(r *rubric.Rubric, abstain bool) question {
	return question{id: rubric.Overall, key: "overall", kind: rubric.KindNumber, scale: score.OverallScale(r), abstain: abstain}
}

type reading struct {
	native    rubric.Native
	abstained bool
	reason    string
	warnings  []string
}

// read reads a verdict. The error describes the mistake in words that a
// judge can act on.
func (q *question) read(v jsontext.Value) (reading, error) {
	text, isText := unquote(v)
	text = strings.TrimSpace(text)
	if _, isLevel := q.level(text); isText && !isLevel && strings.EqualFold(strings.ReplaceAll(text, " ", "_"), cannotAssess) {
		if !q.abstain {
			return reading{}, fmt.Errorf("%s must be decided: %s", q.label(), q.wants())
		}
		return reading{abstained: true}, nil
	}
	switch q.kind {
	case rubric.KindLevel:
		if id, ok := q.level(text); ok && isText {
			return reading{native: rubric.LevelIs(id)}, nil
		}
	case rubric.KindNumber:
		if n, ok := number(v, text, isText); ok && q.scale.Has(n) {
			return reading{native: rubric.NumberIs(n)}, nil
		}
	default:
		if met, ok := isMet(v, text); ok {
			return reading{native: rubric.MetIs(met)}, nil
		}
	}
	return reading{}, fmt.Errorf("%s expects %s, not %s", q.label(), q.wants(), brief(string(v)))
}

func (q *question) label() string {
	if q.criterion == nil {
		return "the overall verdict"
	}
	return fmt.Sprintf("criterion %q", brief(q.key))
}

func (q *question) wants() string {
	var wants string
	switch q.kind {
	case rubric.KindLevel:
		wants = "one of " + strings.Join(xslices.Map(q.levels, strconv.Quote), ", ")
	case rubric.KindNumber:
		kind := "a number"
		if q.scale.Discrete {
			kind = "an integer"
		}
		wants = fmt.Sprintf("%s from %s to %s", kind, plainNumber(q.scale.Min), plainNumber(q.scale.Max))
	default:
		wants = `"MET" or "UNMET"`
	}
	if q.abstain {
		wants += fmt.Sprintf(", or %q", cannotAssess)
	}
	return wants
}

// level returns the level that text names, in any case.
func (q *question) level(text string) (string, bool) {
	for _, l := range q.levels {
		if strings.EqualFold(l, text) {
			return l, true
		}
	}
	return "", false
}

func isMet(v jsontext.Value, text string) (met, ok bool) {
	switch v.Kind() {
	case 't':
		return true, true
	case 'f':
		return false, true
	case '"':
		return metWord(text)
	}
	return false, false
}

// metWord reads the words for met and not met, in any case.
func metWord(text string) (met, ok bool) {
	switch strings.ToUpper(text) {
	case "MET", "TRUE":
		return true, true
	case "UNMET", "NOT MET", "NOT_MET", "FALSE":
		return false, true
	}
	return false, false
}

// number reads a JSON number, or a string that is one as a whole.
func number(v jsontext.Value, text string, isText bool) (float64, bool) {
	if isText {
		v = jsontext.Value(text)
		if !v.IsValid() {
			return 0, false
		}
	}
	if v.Kind() != '0' {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(v), 64)
	return n, err == nil // a number beyond float64 is an error
}

func unquote(v jsontext.Value) (string, bool) {
	if v.Kind() != '"' {
		return "", false
	}
	b, err := jsontext.AppendUnquote(nil, v)
	return string(b), err == nil
}

// plainNumber writes n without an exponent.
func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// brief makes untrusted text fit for a message: short, and on one line.
func brief(text string) string { return diag.Line(text, 80) }

// errUndecided is a plain text that names no verdict, or more than one.
var errUndecided = errors.New("the answer holds no JSON object, and its text does not name exactly one verdict")
