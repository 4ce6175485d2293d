// Package metric scores with a plugin: it speaks the JSON contract of
// sdk/ABI.md, and turns an answer into a verdict. It does not know where a
// module came from, nor how it is run.
//
// Stability: experimental.
package metric

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// ContractVersion is the version of the JSON contract with plugins.
const ContractVersion = 1

// The contract kinds that a criterion can be bound to.
const (
	KindMetric = "metric" // output, references, input, config -> score
	KindScorer = "scorer" // target object, criterion with its levels, config -> level or score
	KindJudge  = "judge"  // the case -> score, hits, misses, reason
	KindCorpus = "corpus" // summed stats -> score
)

// FieldTarget is the case field that holds the graded thing as an object; see
// dataset.Case.Target.
const FieldTarget = "target"

// A Request is what a plugin is sent, as sdk/contract/request.schema.json says.
// It is written by a template, field by field; this type is its description.
type Request struct {
	Contract  int            `json:"contract"`
	Kind      string         `json:"kind"`
	Config    map[string]any `json:"config"`
	Criterion *Criterion     `json:"criterion,omitzero"`
	Case      map[string]any `json:"case,omitzero"`
	Stats     []float64      `json:"stats,omitzero"` // kind corpus only
}

// A Criterion is what a scorer or judge plugin is told of its criterion.
type Criterion struct {
	ID     string  `json:"id"`
	Name   string  `json:"name,omitzero"`
	Text   string  `json:"text,omitzero"`
	Levels []Level `json:"levels,omitzero"`
}

// A Level is one rung of a criterion.
type Level struct {
	ID          string  `json:"id"`
	Label       string  `json:"label,omitzero"`
	Description string  `json:"description,omitzero"`
	Score       float64 `json:"score"`
}

// template writes the requests of one task: everything but the case is encoded
// once.
type template struct {
	prefix     []byte // {"contract":1,"kind":...,"config":...,"criterion":...,"case":{
	kind       string
	inputs     []string
	references []string // case fields that hold the references; empty: the case's own
}

func newTemplate(kind string, config jsontext.Value, c *rubric.Criterion, inputs, references []string) (*template, error) {
	b := fmt.Appendf(nil, `{"contract":%d,"kind":%q,"config":`, ContractVersion, kind)
	if len(config) == 0 {
		config = jsontext.Value("{}")
	}
	b = append(b, config...)
	if c != nil && kind != KindMetric {
		desc, err := json.Marshal(describe(c), json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("criterion %q: %w", c.ID, err)
		}
		b = append(append(b, `,"criterion":`...), desc...)
	}
	b = append(b, `,"case":{`...)
	if len(inputs) == 0 {
		inputs = DefaultInputs(kind)
	}
	return &template{prefix: b, kind: kind, inputs: inputs, references: references}, nil
}

// DefaultInputs returns the case fields that a plugin gets whose manifest asks
// for none.
func DefaultInputs(kind string) []string {
	switch kind {
	case KindScorer:
		return []string{FieldTarget, dataset.FieldOutput, dataset.FieldInput, dataset.FieldReferences, dataset.FieldMetadata}
	case KindJudge:
		return []string{dataset.FieldID, dataset.FieldInput, dataset.FieldOutput, dataset.FieldReferences,
			dataset.FieldExpected, dataset.FieldContext, dataset.FieldMetadata}
	}
	return []string{dataset.FieldOutput, dataset.FieldReferences, dataset.FieldInput}
}

func describe(c *rubric.Criterion) Criterion {
	out := Criterion{ID: c.ID, Name: c.Name, Text: c.Text}
	for _, l := range c.Answer.Levels {
		out.Levels = append(out.Levels, Level{ID: l.ID, Label: l.Label, Description: l.Description, Score: l.Score})
	}
	return out
}

// appendTo appends the request for c to dst.
func (t *template) appendTo(dst []byte, c *dataset.Case) ([]byte, error) {
	dst = append(dst, t.prefix...)
	first := true
	for _, name := range t.inputs {
		mark := len(dst)
		if !first {
			dst = append(dst, ',')
		}
		dst = jsontextQuote(dst, name)
		dst = append(dst, ':')
		var ok bool
		var err error
		if dst, ok, err = t.appendField(dst, c, name); err != nil {
			return nil, err
		}
		if !ok { // the case has no such field: leave it out
			dst = dst[:mark]
			continue
		}
		first = false
	}
	return append(dst, '}', '}'), nil
}

func (t *template) appendField(dst []byte, c *dataset.Case, name string) ([]byte, bool, error) {
	switch name {
	case dataset.FieldReferences:
		return t.appendReferences(dst, c)
	case FieldTarget:
		b, err := json.Marshal(c.Target(), json.Deterministic(true))
		if err != nil {
			return nil, false, fault.New(fault.Input, "%s: the target is not JSON: %w", c.Place(), err)
		}
		return append(dst, b...), true, nil
	case dataset.FieldOutput:
		if c.Raw(name).Kind() == '{' && t.kind == KindMetric {
			return jsontextQuote(dst, c.Output), true, nil
		}
	case dataset.FieldID:
		return jsontextQuote(dst, c.ID), true, nil
	}
	v := c.Raw(name)
	if v == nil {
		return dst, false, nil
	}
	return append(dst, v...), true, nil
}

// appendReferences writes the references as a list of strings: the case's own,
// or those of the first binding field that the case has.
func (t *template) appendReferences(dst []byte, c *dataset.Case) ([]byte, bool, error) {
	list := c.References
	if len(t.references) > 0 {
		list = nil
		for _, path := range t.references {
			if texts, ok := c.Texts(path); ok {
				list = append(list, texts...)
			}
		}
	} else if v := c.Raw(dataset.FieldReferences); v.Kind() == '[' && list == nil {
		return append(dst, v...), true, nil // a corpus: references per segment
	}
	if list == nil {
		return dst, false, nil
	}
	dst = append(dst, '[')
	for i, ref := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontextQuote(dst, ref)
	}
	return append(dst, ']'), true, nil
}

// jsontextQuote appends s as a JSON string. Cases are valid UTF-8, so it cannot
// fail; what is not is replaced.
func jsontextQuote(dst []byte, s string) []byte {
	out, err := jsontext.AppendQuote(dst, s)
	if err != nil && len(out) < len(dst) {
		return dst
	}
	return out
}

// Kinds lists the contract kinds that a manifest may declare in this version.
func Kinds() []string { return slices.Clone([]string{KindMetric, KindScorer, KindJudge}) }
