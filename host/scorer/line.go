package scorer

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

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

// lineForm is how a line is written.
var lineForm = LineForm{
	Keys: map[string]string{
		"case": "text", "criterion": "text", "reason": "text",
		"met": "true or false", "level": "text", "number": "a number", "value": "a number", "unscored": "text", "overall": "a number",
	},
	Hint: `write {"criterion": ID, "met": true}, or level, number, value, unscored, overall`,
}

// A LineForm is what people know of the lines of a file of JSON objects.
type LineForm struct {
	Keys map[string]string // with the types of their values; below a key as criterion/levels/*/id
	Hint string            // for a line that is no object
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

// parseLine reads one line, or says what is wrong with it.
func parseLine(text []byte) (l givenLine, bad *diag.Diagnostic) {
	if bad = lineForm.Read(text, &l.Line); bad != nil {
		return l, bad
	}
	l.form, bad = l.check()
	return l, bad
}

// Read decodes a line that holds no other keys, or says in plain words what is wrong with it.
func (f LineForm) Read(text []byte, line any) *diag.Diagnostic {
	if err := json.Unmarshal(text, line, json.RejectUnknownMembers(true), json.WithUnmarshalers(numericCase)); err != nil {
		return f.problem(err)
	}
	return nil
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

func (f LineForm) problem(err error) *diag.Diagnostic {
	bad := &diag.Diagnostic{Code: "line-invalid", Message: err.Error(), Hint: f.Hint}
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		key, at, place := s.JSONPointer.LastToken(), strings.TrimPrefix(string(s.JSONPointer), "/"), ""
		for token := range s.JSONPointer.Tokens() {
			if strings.Trim(token, "0123456789") == "" { // an item of a list
				token = "*"
			}
			place = path.Join(place, token)
		}
		want := f.Keys[place]
		switch {
		case at == "":
			bad.Message = "the line is " + kindWords[s.JSONKind] + ", not an object"
			return bad
		case errors.Is(err, json.ErrUnknownName):
			bad.Message, bad.Hint = fmt.Sprintf("unknown key %q", fault.Clip(key, 60)), diag.DidYouMean(key, f.beside(place))
			return bad
		case s.JSONKind == '0' && (want == "a number" || want == ""):
			bad.Message = at + " is beyond what a float64 holds"
		default:
			bad.Message = fmt.Sprintf("%s is %s, not %s", at, kindWords[s.JSONKind], want)
		}
		bad.Hint = ""
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		bad.Pos.Column, bad.Message = int(syntax.ByteOffset)+1, "not JSON: "+syntax.Err.Error()
		if errors.Is(err, jsontext.ErrDuplicateName) {
			bad.Message, bad.Hint = fmt.Sprintf("duplicate key %q", fault.Clip(syntax.JSONPointer.LastToken(), 60)), "remove one of the two"
		}
	}
	return bad
}

// beside returns the keys of the object that a place is in.
func (f LineForm) beside(place string) (keys []string) {
	for k := range f.Keys {
		if path.Dir(k) == path.Dir(place) {
			keys = append(keys, path.Base(k))
		}
	}
	slices.Sort(keys)
	return keys
}

var kindWords = map[jsontext.Kind]string{'"': "text", '0': "a number", 't': "true or false", 'f': "true or false", '{': "an object", '[': "a list", 'n': "null"}

// check returns how the line answers, or the problem of the line, taken by itself.
func (l *Line) check() (f form, bad *diag.Diagnostic) {
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
	return f, &diag.Diagnostic{Code: "line-invalid", Message: text}
}
