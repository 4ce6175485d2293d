package main

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/review"
)

// schemaNode is a part of a JSON Schema (draft 7).
type schemaNode = map[string]any

// schema returns the JSON Schema of the configuration file, made of the flags
// that have keys and of the keys of judges.
func (s *settings) schema() ([]byte, error) {
	keys := schemaNode{"judges": judgesSchema(), review.TypesKey: artifactTypesSchema()}
	known := s.flagNames()
	visitFlags(s.program.root, func(f *pflag.Flag) {
		if key := keyOf(f); slices.Contains(known, key) && keys[key] == nil {
			keys[key] = flagSchema(f)
		}
	})
	root := schemaNode{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": configName, "type": "object",
		"description": "Settings of rubric-host: one key for each flag, judges, and types of artifacts.",
		"properties":  keys, "additionalProperties": false,
	}
	b, err := json.Marshal(root, json.Deterministic(true), jsontext.WithIndent("  "))
	return append(b, '\n'), err
}

// flagSchema describes the values of a flag. A number is as good as its text.
func flagSchema(f *pflag.Flag) schemaNode {
	one := []string{"string", "number"}
	n := schemaNode{"description": f.Usage}
	switch f.Value.Type() {
	case "bool":
		n["type"] = "boolean"
	case "int":
		n["type"] = "integer"
	case "uint64":
		n["type"], n["minimum"] = "integer", 0
	case "float64":
		n["type"] = "number"
	case "stringArray", "stringSlice":
		n["anyOf"] = []schemaNode{{"type": one}, {"type": "array", "items": schemaNode{"type": one}}}
	default:
		if list := f.Annotations[choicesKey]; list != nil {
			n["enum"] = enum(list)
		} else {
			n["type"] = one
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

func judgesSchema() schemaNode {
	keys := schemaNode{}
	for name, k := range judgeKeys {
		n := schemaNode{"type": k.kind, "description": k.summary}
		if k.choices != nil {
			n["enum"] = enum(k.choices)
		}
		keys[name] = n
	}
	judge := schemaNode{"type": "object", "properties": keys, "additionalProperties": false}
	return schemaNode{"type": "object", "description": "endpoints that --judge names", "additionalProperties": judge}
}

// artifactTypesSchema is the JSON Schema of the key artifact_types.
func artifactTypesSchema() schemaNode {
	texts := func(summary string) schemaNode {
		return schemaNode{"type": "array", "description": summary, "items": schemaNode{"type": "string"}}
	}
	kind := schemaNode{"type": []string{"object", "null"}, "additionalProperties": false, "properties": schemaNode{
		"description":        schemaNode{"type": "string"},
		"rubrics":            texts("registered rubrics that artifacts are reviewed with: ID or ID@VERSION"),
		"tags":               texts("tags of every artifact of the type"),
		"auto_review":        schemaNode{"type": "boolean", "description": "submit artifacts when they are created or revised"},
		"requires_approval":  schemaNode{"type": "boolean", "description": "a person approves artifacts that passed their evaluations"},
		"approval_threshold": schemaNode{"type": "number", "minimum": 0, "maximum": 1, "description": "least score of every evaluation, beside the rubrics' own pass rules"},
	}}
	return schemaNode{"type": "object", "description": "types of artifacts: rubrics and rules of their review", "additionalProperties": kind}
}
