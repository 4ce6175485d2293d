package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"
)

// jsonHas looks into the JSON on standard output: "json valid true" wants that
// value at that path; paths join with dots, elements of lists are numbers, and
// "len" is how many there are. "! json x.y" wants that there is nothing.
func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("standard output is not JSON: %v", err)
	}
	got, err := at(v, args[0])
	switch {
	case neg && err == nil:
		ts.Fatalf("%s is %v, and should not be there", args[0], got)
	case neg:
		return
	case err != nil:
		ts.Fatalf("%v", err)
	case len(args) < 2:
		return
	}
	text, err := json.Marshal(got, json.Deterministic(true))
	ts.Check(err)
	want := strings.Join(args[1:], " ")
	if s, ok := got.(string); string(text) != want && (!ok || s != want) {
		ts.Fatalf("%s is %s, want %s", args[0], text, want)
	}
}

// let gives a variable the text that the JSON on standard output has at a path:
// "let ID evaluations.0.id".
func let(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: let NAME PATH")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	got, err := at(v, args[1])
	ts.Check(err)
	setVariable(ts, args[0], fmt.Sprint(got))
}

// at returns the value at a path.
func at(v any, path string) (any, error) {
	for _, part := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			if part == "len" {
				v = float64(len(x))
				continue
			}
			next, ok := x[part]
			if !ok {
				return nil, fmt.Errorf("%s: there is no %q", path, part)
			}
			v = next
		case []any:
			if part == "len" {
				v = float64(len(x))
				continue
			}
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(x) {
				return nil, fmt.Errorf("%s: no element %q of %d", path, part, len(x))
			}
			v = x[i]
		default:
			return nil, fmt.Errorf("%s: %q is in no object", path, part)
		}
	}
	return v, nil
}
