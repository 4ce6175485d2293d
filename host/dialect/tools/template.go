package tools

import (
	"embed"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
)

//go:embed template/*
var templateFiles embed.FS

// A Template is a document to start from.
type Template struct {
	Name    string
	File    string // the name to write it under
	Dialect string
	Summary string // one line, for a list
}

var templates = []Template{
	{"native", "rubric.yaml", dialect.Native, "a judge, levels, a penalty, a gate and a metric on one screen"},
	{"ci", "rubric.yaml", dialect.Native, "a gate for a build: computed checks first, one question to a judge"},
	{"rl", "reward.yaml", dialect.Native, "a reward: a scale, shares for metrics, a length penalty"},
	{"openrubricrl", "rubric.json", dialect.OpenRubricRL, "criteria on a scale with weights that sum to 1"},
	{"agentevals", "EVAL.yaml", dialect.AgentEvals, "an eval file with shared and inline rubrics"},
	{"rubric", "rubric.yaml", dialect.RubricList, "a list of requirements with positive and negative weights"},
	{"agentv", "eval.yaml", dialect.AgentV, "an eval file with cases and their rubrics"},
	{"dataknobs", "rubric.json", dialect.Dataknobs, "criteria with quality levels and scoring methods"},
}

// Templates returns the documents to start from, those of our own format first.
func Templates() []Template { return slices.Clone(templates) }

// ReadTemplate returns the text of a template.
func ReadTemplate(name string) ([]byte, error) {
	var names []string
	for _, t := range templates {
		if t.Name == name {
			return templateFiles.ReadFile("template/" + name)
		}
		names = append(names, t.Name)
	}
	err := fault.New(fault.Usage, "no template %q", name)
	return nil, fault.WithHint(err, "%s", diag.DidYouMean(name, names))
}
