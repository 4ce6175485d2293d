package host

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// probes are a usual case and a whole corpus, one of which every valid configuration takes.
var probes = []string{
	`{"id":"check","input":"x","output":"x","references":["x"]}`,
	`{"id":"check","output":["x"],"references":[["x"]]}`,
}

// Check returns what is wrong with the settings of a criterion that planning does not see:
// the syntax of its prompt, or a configuration that its built-in metric refuses, such as a
// pattern that is none. Third-party metrics and scripts are not run.
func (e *Evaluator) Check(ctx context.Context, c *rubric.Criterion) error {
	if p := c.Scorer.Prompt; p != nil {
		return judge.CheckTemplate(ctx, e.templates, c.ID, p.Template)
	}
	m := c.Scorer.Metric
	if m == nil || len(m.Config) == 0 {
		return nil
	}
	found, err := e.modules.catalog.Find(m.Plugin, m.Export)
	if err != nil || found.Plugin.Source != plugin.Builtin || found.Plugin.Scripted() {
		return nil //nolint:nilerr // planning says what is wrong
	}
	called, err := e.Call(ctx, Call{Plugin: m.Plugin, Export: m.Export, Config: m.Config, Levels: c.Answer.Levels})
	if err != nil {
		return nil //nolint:nilerr // as above
	}
	var wrong error
	for _, text := range probes {
		probe, err := dataset.FromJSON(jsontext.Value(text), diag.Pos{})
		if err != nil {
			return err
		}
		v := called.Score(ctx, probe)
		if v.Class != fault.PluginError {
			return nil
		}
		if wrong == nil {
			wrong = fault.New(fault.Invalid, "criterion %q: %s", c.ID, v.Message)
		}
	}
	return wrong
}
