package metric

import (
	"bytes"
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// embeddingFields are the fields with the embeddings of a field's texts.
var embeddingFields = map[string]string{
	dataset.FieldOutput: "output_embedding", dataset.FieldInput: "input_embedding", dataset.FieldReferences: "reference_embeddings",
}

// inputs are the fields to send: those that are named, and embeddings.
func (o *Options) inputs() []string {
	if len(o.Embeds) == 0 {
		return o.Inputs
	}
	list := slices.Clone(o.Inputs)
	if len(list) == 0 {
		list = DefaultInputs(o.Kind)
	}
	for _, field := range o.Embeds {
		list = append(list, embeddingFields[field])
	}
	return list
}

// embedded returns the case with the embeddings that the plugin requires and the case lacks. lacks
// says why some are not there: the plugin then has no score to give.
func (m *metric) embedded(ctx context.Context, c *dataset.Case) (with *dataset.Case, how rubric.How, lacks string, err error) {
	var texts, wanted []string
	ends := map[string]int{} // of a field's texts in texts
	for _, field := range m.o.Embeds {
		if present(c, embeddingFields[field]) != nil {
			continue
		}
		list := m.textsOf(c, field)
		switch {
		case len(list) == 0:
			return c, how, "", nil // the plugin names the missing input
		case slices.Contains(list, ""):
			return c, how, "an empty text has no embedding", nil
		}
		texts, wanted = append(texts, list...), append(wanted, field)
		ends[field] = len(texts)
	}
	switch {
	case len(texts) == 0:
		return c, how, "", nil
	case m.o.Embed == nil:
		return c, how, "no embeddings endpoint: name one with " + fault.OptionEmbeddings, nil
	}
	vectors, how, err := m.o.Embed(ctx, c, texts)
	if err != nil {
		return c, how, "", err
	}
	out := *c
	out.Fields = slices.Clone(c.Fields)
	from := 0
	for _, field := range wanted {
		value := joined(vectors[from:ends[field]])
		if from = ends[field]; field != dataset.FieldReferences {
			value = value[1 : len(value)-1] // one vector
		}
		out.Fields = append(out.Fields, dataset.Field{Name: embeddingFields[field], Value: value})
	}
	return &out, how, "", nil
}

// textsOf returns the texts of a field, nil if the case has none.
func (m *metric) textsOf(c *dataset.Case, field string) []string {
	switch {
	case field == dataset.FieldOutput && c.HasOutput:
		return []string{c.Output}
	case field == dataset.FieldInput && present(c, field) != nil:
		return []string{c.Input}
	case field == dataset.FieldReferences:
		return referencesOf(c, m.o.References)
	}
	return nil
}

// joined returns values as a JSON list.
func joined(values []jsontext.Value) jsontext.Value {
	parts := xslices.Map(values, func(v jsontext.Value) []byte { return v })
	return slices.Concat([]byte{'['}, bytes.Join(parts, []byte{','}), []byte{']'})
}
