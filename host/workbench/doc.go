// Package workbench serves authors of plugins: expected answers
// run, its conformance checked, its cost measured. It uses a plugin as an
// evaluation does, through the same sandbox and the same contract.
//
// Stability: experimental.
package workbench

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// Options of a workbench. The zero value works.
type Options struct {
	Limits   wasm.Limits // of a call; zero: wasm's defaults
	CacheDir string      // of compiled code; empty: none

	// Interpreters is as in wasm.Options, for scripts.
	Interpreters func(ctx context.Context, language string) ([]byte, error)

	// Data are the data files of the plugin that are installed: it has all of them in every call.
	Data []wasm.Data
}

// A Workbench holds one plugin, loaded. It is safe for concurrent use.
type Workbench struct {
	o       Options
	plugin  *plugin.Plugin
	cases   []Case
	runtime *wasm.Runtime
	module  *wasm.Module
	configs *plan.Configs
}

// Open loads a plugin. cases are its expected answers, see ReadCases; there may
// be none. Close it when no call is running.
func Open(ctx context.Context, p *plugin.Plugin, cases []Case, o Options) (*Workbench, error) {
	rt, m, err := load(ctx, p, wasm.Options{CacheDir: o.CacheDir, Timed: true, Scripts: script.Open, Interpreters: o.Interpreters}, &o)
	if err != nil {
		return nil, err
	}
	return &Workbench{o, p, cases, rt, m, &plan.Configs{}}, nil
}

func load(ctx context.Context, p *plugin.Plugin, engine wasm.Options, o *Options) (*wasm.Runtime, *wasm.Module, error) {
	rt, err := wasm.New(ctx, engine)
	if err != nil {
		return nil, nil, err
	}
	m, err := rt.Load(ctx, wasm.Source{Name: p.Manifest.Name, Module: p.Module(), Data: o.Data}, p.Manifest.Limits.Apply(o.Limits))
	if err != nil {
		return nil, nil, errors.Join(err, rt.Close(ctx))
	}
	return rt, m, nil
}

// Close frees the plugin.
func (w *Workbench) Close(ctx context.Context) error { return w.runtime.Close(ctx) }

// Plugin returns the plugin.
func (w *Workbench) Plugin() *plugin.Plugin { return w.plugin }

// An asker is a scorer of a plugin with its last answer, unparsed.
type asker struct {
	scorer.Scorer
	guest  metric.Guest
	asked  plugin.Scorer
	config jsontext.Value // with the defaults of the manifest
	answer []byte
	usage  wasm.Usage

	// bounds is the range of a scorer whose case tells of no criterion: any score within it
	// counts, also one between levels. Nil: the answer must be one of the criterion's.
	bounds *rubric.Scale
}

// score asks about a case, and returns why it has no verdict.
func (a *asker) score(ctx context.Context, c *dataset.Case) error {
	_, err := a.Score(ctx, c)
	if a.bounds == nil || !fault.Is(err, fault.Protocol) {
		return err
	}
	if answer, wrong := metric.ParseAnswer(a.answer); wrong == nil && answer.Score != nil {
		r := number()
		_, err = answer.Verdict(r, &r.Criteria[0], *a.bounds)
	}
	return err
}

// Call records the guest's answer.
func (a *asker) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	out, usage, err := a.guest.Call(ctx, export, request, answer)
	a.answer, a.usage = append(a.answer[:0], out...), usage
	return out, usage, err
}

// ask makes the asker of an export with a configuration, on top of the
// manifest's own. One goroutine uses it at a time.
func (w *Workbench) ask(g metric.Guest, export string, config jsontext.Value, told *metric.Criterion) (*asker, error) {
	s, err := w.plugin.Scorer(export)
	if err != nil {
		return nil, err
	}
	whole := maps.Clone(s.Config)
	if len(config) > 0 {
		own := map[string]any{}
		if err := json.Unmarshal(config, &own); err != nil {
			return nil, fault.New(fault.Invalid, "config: %w", err)
		}
		maps.Copy(whole, own)
	}
	text, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		return nil, fault.New(fault.Invalid, "config: %w", err)
	}
	if told == nil {
		told = w.criterionOf(s.Export)
	}
	a := &asker{guest: g, asked: s, config: text}
	if told == nil && s.Kind != metric.KindMetric && s.Kind != metric.KindCheck {
		a.bounds = &rubric.Scale{Min: s.Range[0], Max: s.Range[1]}
	}
	a.Scorer, err = metric.New(a, w.options(&s, text, told))
	return a, err
}

// criterionOf returns the criterion of the first case of an export that has one: a
// plugin that answers with levels may know no others. Nil if there is none.
func (w *Workbench) criterionOf(export string) *metric.Criterion {
	for i := range w.cases {
		c := &w.cases[i]
		if c.Criterion == nil {
			continue
		}
		if s, err := w.plugin.Scorer(c.Export); err == nil && s.Export == export {
			return c.Criterion
		}
	}
	return nil
}

// options binds a criterion to a scorer: the one that it is told of, else one
// that takes any answer.
func (w *Workbench) options(s *plugin.Scorer, config jsontext.Value, told *metric.Criterion) metric.Options {
	r := number()
	c := &r.Criteria[0]
	answers := levels
	if told != nil {
		c.ID, c.Name, c.Text, answers = cmp.Or(told.ID, c.ID), told.Name, told.Text, nil
		for _, l := range told.Levels {
			answers = append(answers, rubric.Level{ID: l.ID, Label: l.Label, Description: l.Description, Score: l.Score})
		}
	}
	if s.Kind != metric.KindMetric && len(answers) > 0 {
		c.Answer = rubric.Answer{Kind: rubric.KindLevel, Levels: answers}
	}
	return metric.Options{
		Rubric: r, Criterion: c, Plugin: w.plugin.Manifest.Name, Digest: w.plugin.Digest, Export: s.Export,
		Kind: s.Kind, Config: config, Inputs: s.Inputs, Range: s.Range,
	}
}

func number() *rubric.Rubric {
	return &rubric.Rubric{ID: "workbench", Criteria: []rubric.Criterion{{
		ID: "score", Text: "whatever the plugin scores", Weight: rubric.One,
		Answer: rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 0, Max: 1}},
	}}}
}
