package plugins_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/dataset"
)

// A verdict is that of a set's own harness, asked by bench/candidates/checkers.py: on a text that was printed, or on a
// value that was returned.
type verdict struct {
	Checker, Printed, Output string
	Returned                 string // Python
	Args, Expected           any
	Results                  string // those of the reference for each of several inputs: Python
	Inputs                   int
	Atol                     json.Number
	Passes                   bool
}

// verdicts returns those of every set.
func verdicts(t *testing.T) (list []verdict) {
	t.Helper()
	b, err := os.ReadFile("run-python/testdata/checkers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var v verdict
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// plus returns the case that the preset humaneval+ makes of the set's row.
func (v verdict) plus(t *testing.T) map[string]any {
	t.Helper()
	var inputs [][]int
	for i := range v.Inputs {
		inputs = append(inputs, []int{i})
	}
	prompt, body := "from math import inf\ndef f(i):\n    \"\"\"Returns one.\"\"\"\n", "    return [%s][i]\n"
	row, err := json.Marshal(map[string]any{
		"task_id": "HumanEval/1", "entry_point": "f", "prompt": prompt, "canonical_solution": fmt.Sprintf(body, v.Results), "completion": fmt.Sprintf(body, v.Returned),
		"base_input": inputs, "plus_input": []any{}, "atol": v.Atol,
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(row), Preset: v.Checker})
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, c.AppendFields(nil))
}

// row returns the case: as the preset makes it.
func (v verdict) row(program string) map[string]any {
	if v.Returned == "" {
		return map[string]any{"output": program, "checker": v.Checker, "tests_io": []any{map[string]any{"input": "", "output": v.Output}}}
	}
	call := map[string]any{"args": v.Args, "expected": v.Expected}
	if list, ok := v.Expected.([]any); ok && v.Checker == "apps" && len(list) == 1 {
		call["expected"], call["wrapped"] = list[0], true
	}
	return map[string]any{"output": "def f(*a):\n    return " + v.Returned, "checker": v.Checker, "entry_point": "f", "calls": []any{call}}
}

// judgesAs compares a plugin's verdict with that of the harness.
func (r runner) judgesAs(t *testing.T, v verdict, row map[string]any) {
	t.Helper()
	got, _ := r.run(t, "auto", row, nil)
	score, ok := got["score"].(json.Number)
	if f, err := score.Float64(); !ok || err != nil || f == 1 != v.Passes {
		t.Errorf("%+v: the harness passes: %t\n%v", v, v.Passes, got)
	}
}

func TestRunPython_ComparesAsHarnesses(t *testing.T) {
	t.Parallel()
	r, chance := newRunner(t), amount.OneIn(5)
	for _, v := range verdicts(t) {
		if !chance() {
			continue
		}
		if v.Results != "" {
			r.judgesAs(t, v, v.plus(t))
			continue
		}
		r.judgesAs(t, v, v.row(fmt.Sprintf("import sys\nsys.stdout.write(%s)", quoted(t, v.Printed))))
	}
}

func TestRunJavaScript_ComparesAsHarnesses(t *testing.T) {
	t.Parallel()
	r, chance := newJavaScript(t), amount.OneIn(5)
	for _, v := range verdicts(t) {
		if v.Returned == "" && v.Results == "" && !strings.Contains(v.Printed+v.Output, "٣") && chance() { // whose digits are ASCII
			r.judgesAs(t, v, v.row(fmt.Sprintf("process.stdout.write(%s)", quoted(t, v.Printed))))
		}
	}
}

// quoted returns a string of Python and JavaScript.
func quoted(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
