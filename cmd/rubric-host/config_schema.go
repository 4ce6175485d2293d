package main

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/review"
)

// schemaNode is a part of a JSON Schema (draft 7).
type schemaNode struct {
	Schema      string                 `json:"$schema,omitzero"`
	Title       string                 `json:"title,omitzero"`
	Description string                 `json:"description,omitzero"`
	Type        any                    `json:"type,omitzero"` // a name, or a list of names
	Enum        []any                  `json:"enum,omitzero"`
	Minimum     *int                   `json:"minimum,omitzero"`
	Maximum     *int                   `json:"maximum,omitzero"`
	Items       *schemaNode            `json:"items,omitzero"`
	AnyOf       []schemaNode           `json:"anyOf,omitzero"`
	Properties  map[string]*schemaNode `json:"properties,omitzero"`

	// Additional is false for an object with no other members, or the schema of
	// all members that are not named.
	Additional any `json:"additionalProperties,omitzero"`
}

// schema returns the JSON Schema of the configuration file, made of the flags
// that have keys and of the keys of judges.
func (s *settings) schema() ([]byte, error) {
	root := schemaNode{
		Schema: "http://json-schema.org/draft-07/schema#", Title: configName, Type: "object",
		Description: "Settings of rubric-host: one key for each flag, judges, and types of artifacts.",
		Properties:  map[string]*schemaNode{"judges": judgesSchema(), review.TypesKey: artifactTypesSchema()}, Additional: false,
	}
	known := s.flagNames()
	visitFlags(s.program.root, func(f *pflag.Flag) {
		if key := keyOf(f); slices.Contains(known, key) && root.Properties[key] == nil {
			root.Properties[key] = flagSchema(f)
		}
	})
	b, err := json.Marshal(root, json.Deterministic(true), jsontext.WithIndent("  "))
	return append(b, '\n'), err
}

// flagSchema describes the values of a flag. A number is as good as its text.
func flagSchema(f *pflag.Flag) *schemaNode {
	n := &schemaNode{Description: f.Usage}
	zero := 0
	switch f.Value.Type() {
	case "bool":
		n.Type = "boolean"
	case "int":
		n.Type = "integer"
	case "uint64":
		n.Type, n.Minimum = "integer", &zero
	case "float64":
		n.Type = "number"
	case "stringArray", "stringSlice":
		one := []string{"string", "number"}
		n.AnyOf = []schemaNode{{Type: one}, {Type: "array", Items: &schemaNode{Type: one}}}
	default:
		n.Type = []string{"string", "number"}
		if list := f.Annotations[choicesKey]; list != nil {
			n.Type, n.Enum = nil, enum(list)
		}
	}
	return n
}

// enum returns choices as a schema has them; YAML takes null for no text.
func enum(list []string) []any {
	var out []any
	for _, v := range list {
		out = append(out, v)
		if v == "null" {
			out = append(out, nil)
		}
	}
	return out
}

func judgesSchema() *schemaNode {
	judge := &schemaNode{Type: "object", Properties: map[string]*schemaNode{}, Additional: false}
	for name, k := range judgeKeys {
		judge.Properties[name] = &schemaNode{Type: k.kind, Description: k.summary, Enum: enum(k.choices)}
	}
	return &schemaNode{Type: "object", Description: "endpoints that --judge names", Additional: judge}
}

// artifactTypesSchema is the JSON Schema of the key artifact_types.
func artifactTypesSchema() *schemaNode {
	texts := func(summary string) *schemaNode {
		return &schemaNode{Type: "array", Description: summary, Items: &schemaNode{Type: "string"}}
	}
	zero, one := 0, 1
	kind := &schemaNode{Type: []string{"object", "null"}, Additional: false, Properties: map[string]*schemaNode{
		"description":        {Type: "string"},
		"rubrics":            texts("registered rubrics that artifacts are reviewed with: ID or ID@VERSION"),
		"tags":               texts("tags of every artifact of the type"),
		"auto_review":        {Type: "boolean", Description: "submit artifacts when they are created or revised"},
		"requires_approval":  {Type: "boolean", Description: "a person approves artifacts that passed their evaluations"},
		"approval_threshold": {Type: "number", Minimum: &zero, Maximum: &one, Description: "least score of every evaluation, beside the rubrics' own pass rules"},
	}}
	return &schemaNode{Type: "object", Description: "types of artifacts: rubrics and rules of their review", Additional: kind}
}
