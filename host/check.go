package host

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// probes are a usual case and a whole corpus, one of which every valid configuration takes.
var probes = []string{
	`{"id":"check","input":"x","output":"x","references":["x"]}`,
	`{"id":"check","output":["x"],"references":[["x"]]}`,
}

// Unbound returns the criteria of a document that no scorer of a catalog answers, each planned alone to have its
// place, and those that the rubric's strategy would leave out.
func Unbound(doc *dialect.Document, catalog *plugin.Catalog, severity diag.Severity) diag.List {
	var out diag.List
	for _, r := range doc.AllRubrics() {
		if r.Strategy() == rubric.Holistic {
			for _, p := range rubric.CheckHolistic(r) {
				out.Add(doc.Diagnostic(r, severity, p))
			}
		}
	}
	o := plan.Options{Catalog: catalog, BaseDir: filepath.Dir(doc.File)}
	walk(doc, func(r *rubric.Rubric, path string, c *rubric.Criterion) {
		if c.Scorer.WayOrJudge() == rubric.ByJudge {
			return
		}
		if err := bindable(r, c, o); err != nil {
			code := "scorer-unbound"
			if m := c.Scorer.Metric; m != nil && plugin.IsPath(m.Plugin) && fault.Is(err, fault.NotFound) {
				code = "plugin-missing" // the path has no file
			}
			out.Add(doc.Diagnostic(r, severity, rubric.Problem{Path: path, Code: code, Message: err.Error(), Hint: fault.OwnHint(err)}))
		}
	})
	return out
}

// walk calls look for the criteria of every rubric of a document, without groups and those that cannot be scored.
func walk(doc *dialect.Document, look func(r *rubric.Rubric, path string, c *rubric.Criterion)) {
	for _, r := range doc.AllRubrics() {
		r.Walk(func(path string, c *rubric.Criterion) {
			if m := c.Scorer.Metric; !c.Group() && (m == nil || !strings.HasPrefix(m.Plugin, dialect.UnscorablePrefix)) {
				look(r, path, c)
			}
		})
	}
}

// bindable returns why a criterion cannot be bound to its scorer.
func bindable(r *rubric.Rubric, c *rubric.Criterion, o plan.Options) error {
	alone := *c
	alone.Weight, alone.Required, alone.Min = rubric.One, false, nil
	_, err := plan.Build([]*rubric.Rubric{{ID: r.ID, Criteria: []rubric.Criterion{alone}, Scale: r.Scale}}, o)
	if err == nil {
		return nil
	}
	text := strings.ReplaceAll(err.Error(), fmt.Sprintf("rubric %q: ", r.ID), "")
	return fault.WithHint(fault.New(fault.Of(err), "%s", text), "%s", fault.OwnHint(err))
}

// CheckSettings returns the criteria of a document that never have a score, for a reason that planning does not
// see: the syntax of a prompt, or a configuration that a built-in metric refuses, such as a pattern that is none.
// Third-party metrics and scripts are not run. ids restricts the check to criteria with these ids; empty: all.
func (e *Evaluator) CheckSettings(ctx context.Context, doc *dialect.Document, ids []string) (out diag.List) {
	walk(doc, func(r *rubric.Rubric, path string, c *rubric.Criterion) {
		if len(ids) > 0 && !slices.Contains(ids, c.ID) {
			return
		}
		if wrong := e.check(ctx, c); wrong != nil {
			out.Add(doc.Diagnostic(r, diag.Error, rubric.Problem{Path: path, Code: "settings-invalid", Message: wrong.Error(), Hint: fault.OwnHint(wrong)}))
		}
	})
	return out
}

func (e *Evaluator) check(ctx context.Context, c *rubric.Criterion) error {
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
