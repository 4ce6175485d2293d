package rubric

import "cmp"

// A Way is how a criterion is scored.
type Way string

// The ways. The zero value is ByJudge.
const (
	ByJudge  Way = "judge"  // a language model answers
	ByMetric Way = "metric" // a plugin computes
	BySchema Way = "schema" // a JSON Schema decides
)

// A Binding says which scorer answers a criterion, and how it is called.
// The zero value is a judge that reads the criterion's text.
type Binding struct {
	Way    Way     `json:"way,omitzero"`
	Metric *Metric `json:"metric,omitzero"` // for ByMetric
	Schema *Schema `json:"schema,omitzero"` // for BySchema
	Prompt *Prompt `json:"prompt,omitzero"` // for ByJudge, in place of the criterion's text
}

// WayOrJudge returns the way, ByJudge for the zero value.
func (b *Binding) WayOrJudge() Way { return cmp.Or(b.Way, ByJudge) }

// A Metric names a plugin and its configuration.
type Metric struct {
	// Plugin is a built-in or catalog name ("rouge"), or a path ("./x.wasm",
	// "./x.py:f1"). As a bare name it may also be an export that only one
	// plugin of the catalog has ("flesch_reading_ease").
	Plugin string `json:"plugin"`

	// Export is the plugin's scorer; empty: its only or default one.
	Export string `json:"export,omitzero"`

	// Kind is the contract kind: "metric" (zero), "scorer", "judge" or "check".
	// A plugin whose manifest says check is never called as anything else.
	Kind string `json:"kind,omitzero"`

	// Args are the command-line arguments of a plugin that is a program, behind
	// its name. Only for the kind "judge".
	Args []string `json:"args,omitzero"`

	// Config is handed to the plugin after the defaults of its manifest.
	Config map[string]any `json:"config,omitzero"`

	// References names the case fields that hold the references, first found
	// first. Empty: the case's references.
	References []string `json:"references,omitzero"`

	// Type and Spelling keep how a document named the metric.
	Type     string         `json:"type,omitzero"`
	Spelling map[string]any `json:"spelling,omitzero"`
}

// A Schema is a JSON Schema that the output must satisfy.
type Schema struct {
	Inline any    `json:"inline,omitzero"` // the schema itself
	Ref    string `json:"ref,omitzero"`    // a path, relative to the rubric's directory
}

// A Prompt is a Jinja2 template that replaces the criterion's text.
type Prompt struct {
	Template     string `json:"template"`
	OutputSchema any    `json:"output_schema,omitzero"`
}
