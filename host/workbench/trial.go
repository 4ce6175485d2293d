package workbench

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
)

// An Outcome is the result of a case.
type Outcome struct {
	Case   *Case
	Passed bool
	Why    string         // if it failed: the difference, or the error of the call
	Class  fault.Class    // how the call failed; empty: it did not
	Answer jsontext.Value // as the plugin wrote it; nil if there is none
	Fuel   uint64

	PeerFuel uint64 // of the code that the call ran in its peer, beside Fuel
}

// Test runs every case of the plugin, in order, and compares the answers with the
// expected ones. It stops early only when ctx is done.
func (w *Workbench) Test(ctx context.Context) ([]Outcome, error) {
	out := make([]Outcome, 0, len(w.cases))
	for i := range w.cases {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		out = append(out, w.try(ctx, w.module, &w.cases[i]))
	}
	return out, nil
}

func (w *Workbench) try(ctx context.Context, g metric.Guest, c *Case) Outcome {
	o := Outcome{Case: c}
	a, err := w.ask(g, c.Export, c.Config, c.Criterion)
	if err != nil {
		o.Class, o.Why = fault.Of(err), err.Error()
		return o
	}
	if c.class == "" && c.Expect["error"] == nil {
		if err := w.configs.Check(&a.asked, a.config); err != nil { // a run would not start
			o.Class, o.Why = fault.Of(err), fmt.Sprintf("%v; %s", err, fault.Hint(err))
			return o
		}
	}
	err = a.score(ctx, c.row)
	o.Fuel, o.PeerFuel = a.usage.Fuel, a.usage.PeerFuel
	if len(a.answer) > 0 {
		o.Answer = a.answer
	}
	o.Why = holds(c, a.answer, err)
	if err != nil {
		o.Class = fault.Of(err)
	}
	o.Passed = o.Why == ""
	return o
}

// holds compares an answer, or the failure of the call, with the expectation.
func holds(c *Case, answer []byte, err error) string {
	class := fault.Of(err)
	switch {
	case c.class != "" && err == nil:
		return fmt.Sprintf("the answer is %s, expected a call that fails with %s", short(jsontext.Value(answer)), c.class)
	case c.class != "" && class != c.class:
		return fmt.Sprintf("%s: %v, expected %s", class, err, c.class)
	case c.class == "" && err != nil && (class != fault.PluginError || c.Expect["error"] == nil):
		return fmt.Sprintf("%s: %v", class, err)
	case len(c.Expect) == 0:
		return ""
	}
	var got map[string]any
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Sprintf("the answer is not a JSON object: %v", err)
	}
	if why := differ(c.Expect, got, c.Tolerance); why != "" {
		return why[1:] // without the dot
	}
	return ""
}
