package schema

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// New returns a scorer that holds a case's output to a schema. A criterion with
// levels gets the one that is worth most for a valid output and the one that is
// worth least otherwise, one with a scale its ends; any other is met or not.
// digest goes into the verdicts.
//
// An output that is text is parsed as JSON, so that the text 42 is a number; text
// that is not JSON is a string. Where the schema requires a text, by type, enum or const at its
// root, only a JSON string is parsed: the text 42 is one. Without an output the case itself
// is validated.
func New(r *rubric.Rubric, c *rubric.Criterion, s *Schema, digest string) (scorer.Scorer, error) {
	v := &validator{criterion: c.ID, schema: s, digest: digest}
	valid, invalid := ends(r, c)
	for _, answer := range []struct {
		native rubric.Native
		into   *answer
	}{{valid, &v.valid}, {invalid, &v.invalid}} {
		value, err := r.Value(c, answer.native)
		if err != nil {
			return nil, fault.As(fault.Invalid, err)
		}
		answer.into.native, answer.into.value = answer.native, value
	}
	return v, nil
}

// ends returns the best and the worst answer to c: of levels worth the same the
// last is best, the first is worst.
func ends(r *rubric.Rubric, c *rubric.Criterion) (best, worst rubric.Native) {
	switch c.Answer.KindOrMet() {
	case rubric.KindLevel:
		if len(c.Answer.Levels) == 0 {
			break
		}
		high, low := c.Answer.Levels[0], c.Answer.Levels[0]
		for _, l := range c.Answer.Levels {
			if l.Score >= high.Score {
				high = l
			}
			if l.Score < low.Score {
				low = l
			}
		}
		return rubric.LevelIs(high.ID), rubric.LevelIs(low.ID)
	case rubric.KindNumber:
		s := r.ScaleOf(c)
		return rubric.NumberIs(s.Max), rubric.NumberIs(s.Min)
	}
	return rubric.MetIs(true), rubric.MetIs(false)
}

type answer struct {
	native rubric.Native
	value  float64
}

type validator struct {
	criterion      string
	schema         *Schema
	digest         string
	valid, invalid answer
}

func (s *validator) Score(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
	value, note, err := s.output(c)
	if err != nil {
		return nil, err
	}
	wrong, err := s.schema.apply(ctx, value)
	if err != nil {
		return nil, err
	}
	v := rubric.Verdict{
		Criterion: s.criterion, Status: rubric.Scored, Native: s.valid.native, Value: s.valid.value,
		Reason: "the output is valid", How: rubric.How{By: "schema", Digest: s.digest},
	}
	if len(wrong) > 0 {
		v.Native, v.Value, v.Reason = s.invalid.native, s.invalid.value, "the output is not valid"
		if note != "" {
			wrong = append([]string{note}, wrong...)
		}
		for _, w := range wrong {
			v.Evidence = append(v.Evidence, rubric.Evidence{Field: dataset.FieldOutput, Text: w})
		}
	}
	return []rubric.Verdict{v}, nil
}

// output returns the value of a case to validate. note says why text is not JSON.
func (s *validator) output(c *dataset.Case) (value any, note string, err error) {
	raw := c.Raw(dataset.FieldOutput)
	switch raw.Kind() {
	case 0, 'n':
		value, err = caseObject(c)
	case '"':
		text := jsontext.Value(strings.TrimSpace(c.Output))
		if s.schema.texts && text.Kind() != '"' {
			return c.Output, "", nil
		}
		value, err = decode(text, valueBounds)
		if errors.Is(err, errNotJSON) {
			return c.Output, fault.Clip("the text "+err.Error(), maxFinding), nil
		}
	default:
		value, err = decode(raw, valueBounds)
	}
	if err != nil {
		return nil, "", fmt.Errorf("the output %w", err)
	}
	return value, "", nil
}

func caseObject(c *dataset.Case) (any, error) {
	out := make(map[string]any, len(c.Fields))
	for _, f := range c.Fields {
		v, err := decode(f.Value, valueBounds)
		if err != nil {
			return nil, err
		}
		out[f.Name] = v
	}
	return out, nil
}
