package workbench

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// A Case is a call and its expected answer: a line of the file
// that the manifest's cases names.
type Case struct {
	Name      string            `json:"name"`
	Export    string            `json:"export,omitzero"`    // empty: the plugin's default
	Case      jsontext.Value    `json:"case"`               // a row, as of a dataset
	Config    jsontext.Value    `json:"config,omitzero"`    // over the manifest's defaults
	Criterion *metric.Criterion `json:"criterion,omitzero"` // for scorers, judges and checks; none: that of the first case of the export, else one with four levels, beside which any score is taken
	Expect    map[string]any    `json:"expect"`             // members of the answer; others may be anything. Or class, of a call that fails
	Tolerance float64           `json:"tolerance,omitzero"` // of numbers, relative above 1; zero: 1e-9

	row   *dataset.Case
	class fault.Class // how the call is expected to fail; empty: there is an answer, which may be an error
}

// levels are those of a criterion that a case leaves out.
var levels = []rubric.Level{
	{ID: "fail", Label: "Fail", Score: 0}, {ID: "poor", Label: "Poor", Score: 1.0 / 3},
	{ID: "pass", Label: "Pass", Score: 2.0 / 3}, {ID: "excellent", Label: "Excellent", Score: 1},
}

// maxCaseLine is the size of the longest line.
const maxCaseLine = 4 << 20

// ReadCases reads cases, a JSON object a line. name is for messages. The error
// names every line that is wrong.
func ReadCases(name string, text []byte) ([]Case, error) {
	var out []Case
	var bad diag.List
	lines := file.NewLines(bytes.NewReader(text), maxCaseLine)
	for n := 1; ; n++ {
		line, size, end := lines.Next()
		at := diag.Pos{File: name, Line: n, Column: 1}
		switch {
		case size > maxCaseLine+1:
			bad.Add(diag.Diagnostic{Code: "case-invalid", Pos: at, Message: fmt.Sprintf("the line has %d bytes; at most %d are read", size, maxCaseLine)})
		case len(bytes.TrimSpace(line)) > 0:
			switch c, err := readCase(bytes.Clone(line), at); {
			case err == nil:
				out = append(out, *c)
			case diag.In(err) != nil:
				bad = append(bad, diag.In(err)...)
			default:
				bad.Add(diag.Diagnostic{Code: "case-invalid", Pos: at, Message: err.Error(), Hint: fault.OwnHint(err)})
			}
		}
		if end != nil { // of a text in memory: its end
			break
		}
	}
	return out, bad.Err()
}

// caseForm is how a case is written.
var caseForm = scorer.LineForm{
	Keys: map[string]string{
		"name": "text", "export": "text", "case": "an object", "config": "an object", "criterion": "an object", "expect": "an object", "tolerance": "a number",
		"criterion/id": "text", "criterion/name": "text", "criterion/text": "text", "criterion/levels": "a list", "criterion/levels/*": "an object",
		"criterion/levels/*/id": "text", "criterion/levels/*/label": "text", "criterion/levels/*/description": "text", "criterion/levels/*/score": "a number",
	},
	Hint: "write an object with name, export, case, config, criterion, expect and tolerance",
}

func readCase(line []byte, place diag.Pos) (*Case, error) {
	c := new(Case)
	if bad := caseForm.Read(line, c); bad != nil {
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s", bad.Message), "%s", bad.Hint)
	}
	switch {
	case c.Case.Kind() != '{':
		return nil, fault.New(fault.Invalid, "case must be an object: the fields that the plugin reads")
	case len(c.Config) > 0 && c.Config.Kind() != '{':
		return nil, fault.New(fault.Invalid, "config must be an object")
	case len(c.Expect) == 0:
		return nil, fault.WithHint(fault.New(fault.Invalid, "expect is missing"), "write the expected part of the answer, such as {\"score\": 1}")
	case c.Tolerance < 0 || math.IsNaN(c.Tolerance):
		return nil, fault.New(fault.Invalid, "the tolerance is %v: it cannot be negative", c.Tolerance)
	case c.Tolerance == 0:
		c.Tolerance = 1e-9
	}
	for _, key := range slices.Sorted(maps.Keys(c.Expect)) {
		if !slices.Contains(answerKeys, key) {
			return nil, fault.WithHint(fault.New(fault.Invalid, "expect: an answer has no %q", key), "%s", diag.DidYouMean(key, answerKeys))
		}
	}
	if err := c.readClass(); err != nil {
		return nil, err
	}
	row, err := dataset.FromJSON(c.Case, place)
	if err != nil {
		return nil, err
	}
	c.row = row
	return c, nil
}

// answerKeys are the members of an answer, and class in place of them.
var answerKeys = []string{"score", "level", "unscored", "error", "reason", "evidence", "hits", "misses", "details", "stats", "class"}

// classes are how a call can fail in the same way on every machine. The deadline is
// left out: what exceeds it depends on the machine.
var classes = []string{
	string(fault.Fuel), string(fault.Memory), string(fault.Depth), string(fault.Trap), string(fault.Input), string(fault.Output),
	string(fault.Protocol), string(fault.PluginError),
}

func (c *Case) readClass() error {
	told, ok := c.Expect["class"]
	if !ok {
		return nil
	}
	name, _ := told.(string)
	if !slices.Contains(classes, name) {
		return fault.WithHint(fault.New(fault.Invalid, "expect: class is %s, not a class that a call of a plugin fails with", short(told)),
			"%s", diag.DidYouMean(name, classes))
	}
	c.class = fault.Class(name)
	delete(c.Expect, "class")
	for key := range c.Expect {
		if key != "error" || c.class != fault.PluginError {
			return fault.New(fault.Invalid, "expect has class and %s: a call that fails with %s has no answer", key, name)
		}
	}
	return nil
}

// differ returns the place where a value differs from the expected one, "" if none does. Members
// that are not expected may be anything; numbers may be off by the tolerance.
func differ(want, got any, tolerance float64) string {
	switch want := want.(type) {
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, k := range slices.Sorted(maps.Keys(want)) {
			if why := differ(want[k], members[k], tolerance); why != "" {
				return "." + k + why
			}
		}
		return ""
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			break
		}
		for i := range want {
			if why := differ(want[i], list[i], tolerance); why != "" {
				return fmt.Sprintf("[%d]%s", i, why)
			}
		}
		return ""
	case float64:
		if x, ok := got.(float64); ok && math.Abs(x-want) <= tolerance*max(1, math.Abs(want)) {
			return ""
		}
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf(" is %s, expected %s", short(got), short(want))
}

// short writes a value on part of a line.
func short(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return fmt.Sprint(v)
	}
	return diag.Plain(fault.Clip(string(b), 120))
}
