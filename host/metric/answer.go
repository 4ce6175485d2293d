package metric

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// ParseAnswer reads a plugin's answer strictly. A fault of class Protocol says how it
// breaks the contract, one of class PluginError is the plugin's own; then the answer
// is nil. It does not check that a score lies in the manifest's range, nor that a
// level is one of the criterion's. The answer shares no memory with b.
func ParseAnswer(b []byte) (*Answer, error) {
	a, _, err := parseAnswer(b)
	if err == nil {
		a.Details = bytes.Clone(a.Details)
	}
	return a, err
}

// parseAnswer is ParseAnswer that tells whether the answer is a plain one. Its details may share memory with b.
func parseAnswer(b []byte) (a *Answer, plain bool, err error) {
	if a = plainAnswer(b); a == nil {
		if a, err = anyAnswer(b); err != nil {
			return nil, false, err
		}
	} else {
		plain = true
	}
	a.plainZeros()
	if a.Reasoning != "" {
		if a.Reason != "" {
			return nil, false, fault.New(fault.Protocol, "the answer has reason and reasoning at once")
		}
		a.Reason, a.Reasoning = a.Reasoning, ""
	}
	if err := a.check(); err != nil {
		return nil, false, err
	}
	return a, plain, nil
}

// anyAnswer reads an answer of any form, and says how it breaks the contract.
func anyAnswer(b []byte) (*Answer, error) {
	if len(bytes.TrimLeft(b, " \t\r\n")) == 0 {
		return nil, fault.New(fault.Protocol, "the answer is empty")
	}
	a := new(Answer)
	err := json.Unmarshal(b, a, strictly)
	if err == nil {
		err = a.bounded()
	}
	if err != nil {
		return nil, fault.New(fault.Protocol, "the answer is not of the contract: %s", breach(err, len(b)))
	}
	return a, nil
}

// strictly refuses members that the contract does not have, and null outside of details. A
// whole number may be written as 3.0.
var strictly = json.JoinOptions(json.RejectUnknownMembers(true), json.WithUnmarshalers(json.JoinUnmarshalers(wholeNumbers,
	json.UnmarshalFromFunc(func(d *jsontext.Decoder, into any) error {
		if d.PeekKind() == jsontext.KindNull {
			return fmt.Errorf("null instead of %s", typeName(reflect.TypeOf(into).Elem()))
		}
		return errors.ErrUnsupported // the library takes over
	}),
)))

var wholeNumbers = json.UnmarshalFromFunc(func(d *jsontext.Decoder, n *int) (err error) {
	*n, err = whole(d)
	return err
})

// whole reads a number that counts something.
func whole(d *jsontext.Decoder) (int, error) {
	v, err := d.ReadValue()
	if err != nil {
		return 0, err
	}
	x, err := strconv.ParseFloat(string(v), 64)
	if err != nil || x != math.Trunc(x) || x < 0 || x > math.MaxInt32 {
		return 0, fmt.Errorf("%s is not a whole number from 0", clipWithSize(string(v), 40))
	}
	return int(x), nil
}

// breach returns the contract violation of an answer of n bytes.
func breach(err error, n int) string {
	var form *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case errors.As(err, &form) && errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Sprintf("duplicate member %q (at byte %d of %d)", clipWithSize(form.JSONPointer.LastToken(), 60), form.ByteOffset, n)
	case errors.As(err, &form):
		return fmt.Sprintf("invalid JSON: %v (at byte %d of %d)", form.Err, form.ByteOffset, n)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("invalid JSON: it ends after %d bytes", n)
	case !errors.As(err, &meaning):
		return err.Error()
	}
	where, why := clipWithSize(string(meaning.JSONPointer), 60), fmt.Sprint(meaning.Err)
	switch {
	case errors.Is(err, json.ErrUnknownName):
		why = "unknown member"
	case meaning.Err == nil || errors.Is(err, strconv.ErrSyntax):
		why = fmt.Sprintf("%s instead of %s", kindNames[meaning.JSONKind], typeName(meaning.GoType))
	case errors.Is(err, strconv.ErrRange):
		why = clipWithSize(string(meaning.JSONValue), 40) + " exceeds a float64"
	}
	if where != "" {
		where += ": "
	}
	return fmt.Sprintf("%s%s (at byte %d of %d)", where, why, meaning.ByteOffset, n)
}

var kindNames = map[jsontext.Kind]string{'n': "null", 't': "true", 'f': "false", '"': "a string", '0': "a number", '{': "an object", '[': "an array"}

// typeName names the JSON kind that a type is read from.
func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.String:
		return kindNames['"']
	case t.Kind() == reflect.Float64, t.Kind() == reflect.Int:
		return kindNames['0']
	case t.Kind() == reflect.Slice && t != reflect.TypeFor[jsontext.Value]():
		return kindNames['[']
	}
	return kindNames['{']
}

// bounded holds an answer to the bounds on its parts.
func (a *Answer) bounded() error {
	size := 0
	for _, e := range a.Evidence {
		if e.End < e.Start {
			return fmt.Errorf("evidence starts at %d and ends at %d", e.Start, e.End)
		}
		size += len(e.Field) + len(e.Text)
	}
	for _, texts := range [...][]string{a.Hits, a.Misses} {
		for _, text := range texts {
			size += len(text)
		}
	}
	switch {
	case len(a.Evidence)+len(a.Hits)+len(a.Misses) > maxEvidence:
		return fmt.Errorf("evidence, hits and misses have more than %d entries", maxEvidence)
	case size > maxListed:
		return fmt.Errorf("evidence, hits and misses have %d bytes of text, at most %d", size, maxListed)
	case len(a.Stats) > maxStats:
		return fmt.Errorf("stats has more than %d numbers", maxStats)
	case len(a.Details) == 0:
		return nil
	case a.Details.Kind() != jsontext.KindBeginObject:
		return fmt.Errorf("/details: %s instead of an object", kindNames[a.Details.Kind()])
	}
	return boundedDetails(a.Details)
}

// boundedDetails limits details, which are valid JSON, to values that a float64 and a
// report can hold.
func boundedDetails(details jsontext.Value) error {
	if len(details) > maxDetails {
		return fmt.Errorf("/details: %d bytes, at most %d", len(details), maxDetails)
	}
	keys := 0
	d := jsontext.NewDecoder(bytes.NewBuffer(details), jsontext.AllowDuplicateNames(true)) // there are none
	for {
		token, err := d.ReadToken()
		if in, n := d.StackIndex(d.StackDepth()); in == jsontext.KindBeginObject && n%2 == 1 { // the token is a key
			keys++
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case keys > maxKeys:
			return fmt.Errorf("/details: more than %d keys, those of objects in it counted", maxKeys)
		case d.StackDepth() >= maxNesting: // the answer itself is a level
			return fmt.Errorf("/details: objects and arrays nest more than %d deep", maxNesting)
		case token.Kind() == jsontext.KindNumber:
			if _, err := token.Float(); err != nil { // exceeds a float64
				return fmt.Errorf("/details%s: %s exceeds a float64", clipWithSize(string(d.StackPointer()), 60), clipWithSize(token.String(), 40))
			}
		}
	}
}

// plainZeros makes negative zeros zero.
func (a *Answer) plainZeros() {
	if a.Score != nil {
		*a.Score += 0
	}
	for i := range a.Stats {
		a.Stats[i] += 0
	}
}

// check applies the rules that involve several members of an answer.
func (a *Answer) check() error {
	switch given := a.outcomes(); {
	case len(given) == 0:
		return fault.WithHint(fault.New(fault.Protocol, "the answer has none of score, level, unscored and error"),
			"answer with a score, or with unscored and the reason; the contract is in sdk/ABI.md")
	case len(given) > 1:
		return fault.New(fault.Protocol, "the answer has %s at once", strings.Join(given, " and "))
	case a.Error != nil && strings.TrimSpace(*a.Error) == "":
		return fault.New(fault.PluginError, "the plugin answers with an error that says nothing")
	case a.Error != nil:
		return fault.New(fault.PluginError, "%s", clipWithSize(*a.Error, maxError))
	case a.Unscored != nil && strings.TrimSpace(*a.Unscored) == "":
		return fault.New(fault.Protocol, "unscored says no reason")
	case a.Unscored != nil && len(*a.Unscored) > maxReason:
		return fault.New(fault.Protocol, "unscored has %d bytes, at most %d", len(*a.Unscored), maxReason)
	case len(a.Reason) > maxReason:
		return fault.New(fault.Protocol, "the reason has %d bytes, at most %d", len(a.Reason), maxReason)
	}
	return nil
}

// outcomes names those of the four that the answer has.
func (a *Answer) outcomes() (given []string) {
	for _, o := range [...]struct {
		name string
		set  bool
	}{{"score", a.Score != nil}, {"level", a.Level != nil}, {"unscored", a.Unscored != nil}, {"error", a.Error != nil}} {
		if o.set {
			given = append(given, o.name)
		}
	}
	return given
}

// clipWithSize cuts a text to about n bytes.
func clipWithSize(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return fmt.Sprintf("%s (%d bytes)", fault.Clip(s, n), len(s))
}

// Verdict holds an answer that was made in Go to the contract, and returns the
// verdict on c that it comes to. bounds is the range of its scores. An error has
// class fault.Protocol, or fault.PluginError for the answer's own.
func (a *Answer) Verdict(r *rubric.Rubric, c *rubric.Criterion, bounds rubric.Scale) (rubric.Verdict, error) {
	if err := a.check(); err != nil {
		return rubric.Verdict{}, err
	}
	return a.verdict(r, c, bounds)
}

// verdict turns an answer into the verdict on c. bounds is the range of its
// scores. The answer must take the form of the criterion; see nativeScore.
func (a *Answer) verdict(r *rubric.Rubric, c *rubric.Criterion, bounds rubric.Scale) (rubric.Verdict, error) {
	v := rubric.Verdict{
		Criterion: c.ID, Status: rubric.Scored, Reason: a.Reason,
		Evidence: a.Evidence, Hits: a.Hits, Misses: a.Misses, Details: a.Details, Stats: a.Stats,
	}
	var err error
	switch {
	case a.Unscored != nil:
		v.Status, v.Reason = rubric.Unscored, *a.Unscored
		if a.Reason != "" {
			v.Reason += "\n" + a.Reason
		}
	case a.Level != nil:
		v.Native = rubric.LevelIs(*a.Level)
		v.Value, err = r.Value(c, v.Native)
	default:
		v.Native, v.Value, err = nativeScore(r, c, *a.Score, bounds)
	}
	if err != nil {
		return rubric.Verdict{}, fault.As(fault.Protocol, err)
	}
	return v, nil
}

// nativeScore says a score in the form of its criterion, and as a value in [0, 1]:
// its position in the plugin's range. A score that is not an answer of the criterion
// is a fault; see rubric.NativeOf.
func nativeScore(r *rubric.Rubric, c *rubric.Criterion, score float64, bounds rubric.Scale) (rubric.Native, float64, error) {
	if err := within(score, bounds); err != nil {
		return rubric.Native{}, 0, err
	}
	value := bounds.Position(score)
	n, ok := r.NativeOf(c, value)
	if !ok {
		return rubric.Native{}, 0, noAnswer(c, score)
	}
	s := r.ScaleOf(c)
	if n.Kind == rubric.KindNumber && !s.Discrete {
		if s.Min == bounds.Min && s.Max == bounds.Max {
			n.Number = score // as it is, without the rounding of there and back
		}
		return n, value, nil
	}
	value, err := r.Value(c, n) // without the noise of a division
	return n, value, err
}

// noAnswer says that a score is none of the answers of c.
func noAnswer(c *rubric.Criterion, score float64) error {
	x := rubric.FormatNumber(score)
	switch c.Answer.KindOrMet() {
	case rubric.KindMet:
		return fault.WithHint(fault.New(fault.Protocol, "the criterion is met or not, and the score %s is neither", x),
			"let the criterion answer with a number; min makes a gate of it")
	case rubric.KindLevel:
		return fault.WithHint(fault.New(fault.Protocol, "the score %s is not that of one level of the criterion", x),
			"let the plugin answer with a level, or the criterion with a number")
	}
	return fault.WithHint(fault.New(fault.Protocol, "the score %s is not a whole number on the scale of the criterion", x),
		"remove discrete from the scale")
}

// within holds a score to the range that the manifest declares.
func within(score float64, bounds rubric.Scale) error {
	if score >= bounds.Min && score <= bounds.Max {
		return nil
	}
	return fault.WithHint(fault.New(fault.Protocol, "the score %s is outside the declared range %s..%s",
		rubric.FormatNumber(score), rubric.FormatNumber(bounds.Min), rubric.FormatNumber(bounds.Max)),
		"bring the score into the range, or declare another in plugin.yaml: range: [MIN, MAX]")
}
