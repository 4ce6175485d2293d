package plan

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Read reads a plan as it was written, with white space removed and no number
// rounded, so that its digests come out again. Members that it does not know,
// and more gradings than MaxRepeat, are an error.
func Read(text []byte) (*Plan, error) {
	var p Plan
	if err := json.Unmarshal(text, &p, exactly(sameText), json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	if p.Repeat > MaxRepeat {
		return nil, fmt.Errorf("it has %d gradings of a case, more than %d", p.Repeat, MaxRepeat)
	}
	if err := p.Compact(); err != nil {
		return nil, err
	}
	return &p, nil
}

// exactly decodes a number of free form as a float64 where same says that this
// is all the literal says, and else as the literal, a jsontext.Value: rubrics
// hold them so.
func exactly(same func(literal string, x float64) bool) json.Options {
	return json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *any) error {
		if dec.PeekKind() != '0' {
			return errors.ErrUnsupported
		}
		literal, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if x, err := strconv.ParseFloat(string(literal), 64); err == nil && same(string(literal), x) {
			*v = x
			return nil
		}
		*v = literal.Clone()
		return nil
	}))
}

func sameText(literal string, x float64) bool {
	b, err := json.Marshal(x)
	return err == nil && string(b) == literal
}
