package scorer

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A Line is one precomputed verdict, by a person or another system, on one
// criterion, or of the whole rubric. Exactly one of Met, Level, Number, Value,
// Unscored and Overall is set.
type Line struct {
	Case      string   `json:"case,omitzero"` // empty: every case
	Criterion string   `json:"criterion,omitzero"`
	Met       *bool    `json:"met,omitzero"`
	Level     *string  `json:"level,omitzero"`
	Number    *float64 `json:"number,omitzero"` // on the criterion's own scale
	Value     *float64 `json:"value,omitzero"`  // in [0, 1]
	Unscored  *string  `json:"unscored,omitzero"`
	Overall   *float64 `json:"overall,omitzero"` // on the scale of the holistic strategy; without Criterion
	Reason    string   `json:"reason,omitzero"`
}

// lineKeys are the keys of a line with the types of their values.
var lineKeys = map[string]string{
	"case": "text", "criterion": "text", "reason": "text",
	"met": "true or false", "level": "text", "number": "a number", "value": "a number", "unscored": "text", "overall": "a number",
}

// A form is how a line answers.
type form uint8

const (
	met form = iota
	level
	number
	value
	unscored
	overall
)

// parseLine reads one line. The misfit is its problem, if it has one.
func parseLine(text []byte) (l givenLine, bad *misfit) {
	if err := json.Unmarshal(text, &l.Line, json.RejectUnknownMembers(true), json.WithUnmarshalers(numericCase)); err != nil {
		return l, notALine(err)
	}
	l.form, bad = l.check()
	return l, bad
}

// numericCase takes the id of a case that is written as a number, as a dataset
// does.
var numericCase = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, s *string) error {
	if dec.PeekKind() != '0' || dec.StackPointer() != "/case" {
		return errors.ErrUnsupported
	}
	v, err := dec.ReadValue()
	*s = string(v)
	return err
})

// A misfit is the problem of a line: its column, from 1, or 0.
type misfit struct {
	column     int
	text, hint string
}

// notALine says in plain words why a line could not be read.
func notALine(err error) *misfit {
	const forms = `write {"criterion": ID, "met": true}, or level, number, value, unscored, overall`
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		key := s.JSONPointer.LastToken()
		want, known := lineKeys[key]
		switch {
		case s.JSONPointer == "":
			return &misfit{text: "the line is " + kindWords[s.JSONKind] + ", not an object", hint: forms}
		case !known:
			keys := slices.Sorted(maps.Keys(lineKeys))
			return &misfit{text: fmt.Sprintf("unknown key %q", fault.Clip(key, 60)), hint: diag.DidYouMean(key, keys)}
		case s.JSONKind == '0' && want == "a number":
			return &misfit{text: key + " is beyond what a float64 holds"}
		default:
			return &misfit{text: fmt.Sprintf("%s is %s, not %s", key, kindWords[s.JSONKind], want)}
		}
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return &misfit{column: int(syntax.ByteOffset) + 1, text: fmt.Sprintf("duplicate key %q", fault.Clip(syntax.JSONPointer.LastToken(), 60)), hint: "remove one of the two"}
		}
		return &misfit{column: int(syntax.ByteOffset) + 1, text: "not JSON: " + syntax.Err.Error(), hint: forms}
	}
	return &misfit{text: err.Error(), hint: forms}
}

var kindWords = map[jsontext.Kind]string{'"': "text", '0': "a number", 't': "true or false", 'f': "true or false", '{': "an object", '[': "a list", 'n': "null"}

// check returns how the line answers, or the problem of the line, taken by itself.
func (l *Line) check() (f form, bad *misfit) {
	n := 0
	for i, set := range [...]bool{met: l.Met != nil, level: l.Level != nil, number: l.Number != nil, value: l.Value != nil, unscored: l.Unscored != nil, overall: l.Overall != nil} {
		if set {
			f, n = form(i), n+1 //nolint:gosec // one of six
		}
	}
	text := ""
	switch {
	case n != 1:
		text = fmt.Sprintf("the line has %d of met, level, number, value, unscored and overall; it needs exactly one", n)
	case f == overall && l.Criterion != "":
		text = "overall is about the whole rubric: remove criterion"
	case f != overall && l.Criterion == "":
		text = "the line names no criterion"
	case f == value && !(*l.Value >= 0 && *l.Value <= 1):
		text = fmt.Sprintf("value %s is not in 0..1", rubric.FormatNumber(*l.Value))
	case f == unscored && *l.Unscored == "":
		text = "unscored says no reason"
	default:
		return f, nil
	}
	return f, &misfit{text: text}
}
