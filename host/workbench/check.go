package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A Rule is a promise that a plugin keeps or breaks.
type Rule struct {
	Name   string `json:"name"`
	What   string `json:"what"` // the promise, in words
	Passed bool   `json:"passed"`
	Why    string `json:"why,omitzero"` // it is broken, with the call that shows it; or there was nothing to check
	Calls  int    `json:"calls"`        // that were looked at
}

// A probe is a call and its result.
type probe struct {
	group  string
	name   string
	export string
	config jsontext.Value
	told   *metric.Criterion
	row    *dataset.Case

	was seen
}

// seen is the observable result of a call.
type seen struct {
	answer []byte
	class  fault.Class
	why    string
	fuel   uint64
}

func (s *seen) same(o *seen) bool {
	return s.class == o.class && s.fuel == o.fuel && bytes.Equal(s.answer, o.answer)
}

func (s *seen) String() string {
	if s.class != "" {
		return fmt.Sprintf("%s (%s), fuel %d", s.class, diag.Plain(s.why), s.fuel)
	}
	return fmt.Sprintf("%s, fuel %d", short(jsontext.Value(s.answer)), s.fuel)
}

// Check holds the plugin to the conformance rules of sdk/ABI.md. The error is
// ctx's, or says that the plugin does not load in the interpreter.
func (w *Workbench) Check(ctx context.Context) ([]Rule, error) {
	probes, err := w.probes()
	if err != nil {
		return nil, err
	}
	for i := range probes {
		if probes[i].was, err = w.see(ctx, w.module, &probes[i]); err != nil {
			return nil, err
		}
	}
	outcomes, err := w.Test(ctx)
	if err != nil {
		return nil, err
	}
	rules := []Rule{w.manifestRule(), casesRule(outcomes)}
	for _, r := range bearings {
		rules = append(rules, r.hold(probes))
	}
	for _, again := range []func(context.Context, []probe) (Rule, error){w.repeatRule, w.orderRule, w.engineRule} {
		r, err := again(ctx, probes)
		if err != nil {
			return rules, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// see makes one call. The error is ctx's.
func (w *Workbench) see(ctx context.Context, g metric.Guest, p *probe) (seen, error) {
	a, err := w.ask(g, p.export, p.config, p.told)
	if err == nil {
		err = a.score(ctx, p.row)
	}
	if done := ctx.Err(); done != nil {
		return seen{}, done
	}
	if a == nil {
		return seen{class: fault.Of(err), why: err.Error()}, nil
	}
	s := seen{answer: bytes.Clone(a.answer), fuel: a.usage.Fuel + a.usage.PeerFuel}
	if err != nil {
		s.class, s.why = fault.Of(err), err.Error()
	}
	return s, nil
}

// A bearing is how a plugin must take a group of hostile calls.
type bearing struct {
	group, what string
	fine        []fault.Class // beside an answer
}

var bearings = []bearing{
	{"contract", "every answer is one of the contract, within the range", []fault.Class{fault.PluginError, fault.Fuel, fault.Memory, fault.Trap, fault.Deadline, fault.Depth}},
	{"empty", "a case without text, or without fields, gets an answer or an error of its own", []fault.Class{fault.PluginError}},
	{"unicode", "any text gets an answer or an error of its own", []fault.Class{fault.PluginError}},
	{"huge", "a large case gets an answer, an error of its own, or meets a limit", []fault.Class{fault.PluginError, fault.Fuel, fault.Memory, fault.Deadline, fault.Input}},
	{"config", "a configuration that makes no sense gets an answer or an error of its own", []fault.Class{fault.PluginError}},
}

func (b *bearing) hold(probes []probe) Rule {
	r := Rule{Name: b.group, What: b.what, Passed: true}
	for i := range probes {
		p := &probes[i]
		if b.group != "contract" && p.group != b.group {
			continue
		}
		r.Calls++
		if p.was.class != "" && !slices.Contains(b.fine, p.was.class) && r.Passed {
			r.Passed, r.Why = false, p.name+": "+p.was.String()
		}
	}
	return r
}

func (w *Workbench) manifestRule() Rule {
	r := Rule{Name: "manifest", What: "the manifest describes the plugin: version, license, summary, exports, cases", Passed: true}
	m := &w.plugin.Manifest
	for _, f := range []struct {
		name  string
		there bool
	}{
		{"version", m.Version != ""}, {"license", m.License != ""}, {"summary", m.Summary != ""},
		{"exports", len(m.Exports) > 0}, {"cases", m.Cases != ""},
	} {
		if !f.there {
			r.Passed = false
			r.Why += ", " + f.name
		}
	}
	if !r.Passed {
		r.Why = "the manifest has no " + r.Why[2:]
	}
	return r
}

func casesRule(outcomes []Outcome) Rule {
	r := Rule{Name: "cases", What: "the answers are those that its cases expect", Passed: true, Calls: len(outcomes)}
	if len(outcomes) == 0 {
		r.Why = "it has no cases"
	}
	broken := 0
	for _, o := range outcomes {
		if !o.Passed {
			if broken++; broken == 1 {
				r.Passed, r.Why = false, o.Case.Name+": "+o.Why
			}
		}
	}
	if broken > 1 {
		r.Why += fmt.Sprintf(" (and %d more)", broken-1)
	}
	return r
}

// repeatRule calls everything a second time.
func (w *Workbench) repeatRule(ctx context.Context, probes []probe) (Rule, error) {
	r := Rule{Name: "deterministic", What: "the same call gets the same answer for the same fuel"}
	return r, w.compare(ctx, &r, w.module, probes)
}

// orderRule calls everything in another order.
func (w *Workbench) orderRule(ctx context.Context, probes []probe) (Rule, error) {
	r := Rule{Name: "order", What: "an answer does not depend on earlier requests"}
	mixed := slices.Clone(probes)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	return r, w.compare(ctx, &r, w.module, mixed)
}

// interpreted is how much compiled fuel the interpreter is given to repeat: some
// ten seconds.
const interpreted = 100_000_000

// engineRule repeats the shorter calls in the interpreter.
func (w *Workbench) engineRule(ctx context.Context, probes []probe) (r Rule, err error) {
	r = Rule{Name: "engines", What: "the compiler and the interpreter give the same answer for the same fuel"}
	other := wasm.Options{Interpreter: true}
	if script.Is(w.plugin.Module()) { // its interpreter is ours, and takes minutes in the other engine
		r.What = "started again, its interpreter gives the same answer for the same fuel"
		other = wasm.Options{CacheDir: w.o.CacheDir, Scripts: script.Open, Interpreters: w.o.Interpreters}
	}
	rt, m, err := load(ctx, w.plugin, other, &w.o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, rt.Close(context.WithoutCancel(ctx))) }()
	var some []probe
	left := uint64(interpreted)
	for i := range probes {
		if f := probes[i].was.fuel; f < left/10 && probes[i].was.class != fault.Deadline {
			some = append(some, probes[i])
			left -= f
		}
	}
	return r, w.compare(ctx, &r, m, some)
}

// compare makes calls again and fills in the rule.
func (w *Workbench) compare(ctx context.Context, r *Rule, g metric.Guest, probes []probe) error {
	r.Passed = true
	for i := range probes {
		p := &probes[i]
		if p.was.class == fault.Deadline {
			continue // how far it came depends on the machine
		}
		now, err := w.see(ctx, g, p)
		if err != nil {
			return err
		}
		r.Calls++
		if !now.same(&p.was) {
			r.Passed, r.Why = false, fmt.Sprintf("%s: first %v, then %v", p.name, &p.was, &now)
			return nil
		}
	}
	return nil
}
