package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/review"
)

// A declaredType is an artifact type of a configuration file.
type declaredType struct {
	review.Type
	file string
	line int
}

func parseArtifactTypes(n *document.Node, r *configReader) {
	types := review.ReadTypes(&r.Reader, n)
	for i := range n.Members {
		m := &n.Members[i]
		if t, ok := types[m.Key]; ok {
			r.file.types[m.Key] = declaredType{t, r.file.file, r.Doc.Line(m.At)}
		}
	}
}

// artifactTypes returns the types of the configuration.
func (s *settings) artifactTypes() map[string]review.Type {
	types := map[string]review.Type{}
	for id, t := range s.types {
		types[id] = t.Type
	}
	return types
}

// typeSetting is an artifact type as config show has it.
type typeSetting struct {
	review.Type
	Source string `json:"source"`
}

func (s *settings) typeList() (out []typeSetting) {
	for _, id := range slices.Sorted(maps.Keys(s.types)) {
		t := s.types[id]
		out = append(out, typeSetting{t.Type, fmt.Sprintf("%s:%d", t.file, t.line)})
	}
	return out
}

// words describes a type in one line.
func (t *typeSetting) words() string {
	list := []string{"no rubrics"}
	if len(t.Rubrics) > 0 {
		list[0] = "rubrics " + strings.Join(t.Rubrics, ", ")
	}
	if t.ApprovalThreshold != nil {
		list = append(list, fmt.Sprintf("approval threshold %g", *t.ApprovalThreshold))
	}
	if t.AutoReview {
		list = append(list, "reviewed when created")
	}
	if t.RequiresApproval {
		list = append(list, "a person approves")
	}
	if len(t.Tags) > 0 {
		list = append(list, "tags "+strings.Join(t.Tags, ", "))
	}
	return strings.Join(list, "; ")
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
