package plugins_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// A fronted is run-python with its front, and without it.
type fronted struct {
	with, without *wasm.Module
	front         int // calls that the front has answered
}

func newFronted(t *testing.T) *fronted {
	t.Helper()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	module := plugins.Named("run-python").Module
	s, err := script.Read(module)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	rt := wasmtest.Runtime(t, scripts(t))
	load := func(module []byte) *wasm.Module {
		m, err := rt.Load(t.Context(), wasm.Source{Name: "run-python", Module: module}, wasm.Limits{Fuel: judgeFuel, PeerFuel: 300_000_000, Compile: time.Hour, Deadline: 10 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	return &fronted{with: load(module), without: load(bare)}
}

// same compares what both answer to a case, to the letter, and what the candidate has used. It returns the answer.
func (f *fronted) same(t *testing.T, export string, row, config map[string]any) string {
	t.Helper()
	if config == nil {
		config = map[string]any{}
	}
	request, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": row, "config": config})
	if err != nil {
		t.Fatal(err)
	}
	got, used, err := f.with.Call(t.Context(), export, request, nil)
	want, usedThere, errThere := f.without.Call(t.Context(), export, request, nil)
	if string(got) != string(want) || used.PeerFuel != usedThere.PeerFuel || fmt.Sprint(err) != fmt.Sprint(errThere) {
		t.Errorf("%s\nwith the front %s, %d, %v\nwithout it     %s, %d, %v", request, got, used.PeerFuel, err, want, usedThere.PeerFuel, errThere)
	}
	if used.Fuel != usedThere.Fuel {
		f.front++
	}
	return string(got)
}

// TestRunPython_FrontAnswersAsJudge: the front answers to the letter what the judge in Python does, to
// cases, programs that cheat, and mutated tests with answers of all kinds.
func TestRunPython_FrontAnswersAsJudge(t *testing.T) {
	t.Parallel()
	f := newFronted(t)
	chance, one := amount.OneIn(30), amount.OneIn(len(literalTests))
	for line := range strings.Lines(string(plugins.Named("run-python").Cases)) {
		var c struct {
			Export       string
			Case, Config map[string]any
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if (c.Export == "tests" || c.Export == "") && chance() {
			f.same(t, "tests", c.Case, c.Config)
		}
	}
	all := tasks(t, "run-python")
	for _, c := range append(corpus(t, "run-python", "hacks.txt"), corpus(t, "run-python", "right.txt")...) {
		of, ok := all[c.task]
		if !ok {
			of = all[c.name]
		}
		if of.Export == "tests" && chance() {
			row := map[string]any{"output": c.source}
			for k, v := range of.Case {
				row[k] = v
			}
			f.same(t, "tests", row, map[string]any{"unsupported": "failed"})
			for _, tests := range literalTests {
				if name := defined.FindStringSubmatch(c.source); name != nil && one() {
					f.same(t, "tests", map[string]any{"output": c.source, "tests": strings.ReplaceAll(tests, "f(", name[1]+"(")}, nil)
				}
			}
		}
	}
	f.front = 0
	f.same(t, "tests", map[string]any{"output": "def f(x):\n    return x\n", "tests": literalTests[0]}, nil)
	if f.front == 0 {
		t.Error("the front has not answered")
	}
	for range amount.Of(60, 6_000) {
		f.same(t, "tests", mutatedTests(), nil)
	}
}

var defined = regexp.MustCompile(`(?m)^def (\w+)`)

var literalTests = []string{
	"assert f(1) == 1\nassert f(2, 'a') == [1]\n",
	"assert f([1, 2], 'a') == (3, True), \"a message\"\nassert not f(2)\n",
	"assert f() == []\n\n\nassert f(()) == ()\nassert f((1,)) == ((2,),)\nassert f((1)) == (2)\n",
	"assert f({'a': 1, \"b\": [None, False]}, -1.5) == {'c': ((1, 2), [3])}  # a comment\n",
	"assert f(\"it's\", '\"') == \"(]#\"\nassert f('a, b', \"==\") == 'assert f(1)'\n",
	"assert f(0, 10, 100) == 12345678901234567890123\nassert f(0.1) == 0.25\nassert f(  1,2 ,  3 )==4\n",
	"assert f([[1, 2], [3, 4]], [()]) == [[], [[]]] # it's\nassert True, 'of one thing'\nassert f(1), 'x'\n",
	"assert f(2, 'a') == [  ]\nassert f( ) == ( )\n",
	"assert f ({1: 2, 'b': {-3: []}}, ) == {1: 'a', 2: [1]}  # it's\n# don't\nassert f({1: 2}) == {1: 1, 1: 2}\n",
	"assert f(\"it's\", \"=\nassert True=\") == 'a'\n", // a text that is not closed on its line
}

// answered are what a candidate does: values that tests expect, values like those, and other ends.
var answered = []string{
	"return x[0]", "return x", "return list(x)", "return 1", "return True", "return 1.0", "return None", "return '(]#'", "return 'assert f(1)'", "return 0.25", "return [[], [[]]]", "return 12345678901234567890123", "return 1e23",
	"return {'c': ((1, 2), [3])}", "return {'c': ([1, 2], [3])}", "return {1: 2}", "return {2: [1], 1: 'a'}", "return {True: 'a', 2: [1]}", "return {'b': 1, 'a': 2}", "return -0.0", "return 1e16, 1e-5, 123456.789, 5e-324, 1e22, 0.0001", "return float('nan')", "return [float('inf')]", "return [float('nan')]",
	"return ((2,),)", "return ()", "return []", "return (3, True)", "return (3, 1)", "return {1, 2}", "return b'a'", "return 1j", "return 'é'", "return '\\ud800'", "return \"it's\\n\\t\\x01\\\\\"", "return 'it\\'s \"'", "return range(3)", "return object()", "return iter([1])",
	"return 'x' * 1_000", "return list(range(400))", "return tuple(range(400))", "return [1] * 200_000", "return 2 ** 900", "return -(2 ** 63)", "return 2 ** 63", "return 2 ** 1100", "return [[[[[[1]]]]]] * 9", "v = []\n    for _ in range(60): v = [v]\n    return v",
	"raise ValueError('a bad é value')", "raise ValueError", "raise KeyError('k')", "return undefined", "return x.y", "return [][1]", "return 1 / 0", "raise AssertionError('a')", "raise StopIteration", "raise MemoryError", "raise OSError(2, 'a')", "raise SystemExit(0)", "raise SystemExit(3)",
	"try:\n        1 / 0\n    except ZeroDivisionError:\n        raise ValueError('chained')", "class E(Exception): pass\n    raise E('own')", "raise ValueError(object())", "raise ValueError('x' * 900)", "return f(*x)", "while True: pass", "return [0] * (1 << 28)", "import os; os._exit(3)",
	"print('a'); return 1", "import sys; print('e', file=sys.stderr); return 1", "import warnings; warnings.warn('w'); return 1", "import numpy", "x[0].append(1); return 1", "x[0].clear(); return x[0]", "x[0]['z'] = 1; return 1", "return x[0] + x[1]", "import time; return time.time() > 0",
	"global n; n += 1; return n", "return kept", "kept.append(1); return kept", "return (kept, kept)", "yield 1", "return lambda: 1", "return f", "return type(x)", "return Odd(1)", "return [Odd(1)]", "import sys; sys.exit()",
}

func pick(list []string) string { return list[rand.IntN(len(list))] }

// mutatedTests returns a case with literal tests in one of three forms, mutated or not, and a candidate.
func mutatedTests() map[string]any {
	pieces := []string{"(", ")", "[", "]", "{", "}", ",", ":", "==", "'", `"`, "#", " ", "\n", "1", "0", "-", ".", "e", "f", "True", "None", "not ", "assert ", "f(", ",)", "()", "''", "\t", "\\", ";", "assert f(1) == 1\n", "é", "    ", "0x1", "1_0", " at 0x1234", " is not ",
		"=", "!=", "+", "~", "*", "_", "a", "j", "b'", "00", "in ", "\r", "\f", "\x00", "\x01"}
	text := pick(literalTests)
	for range rand.IntN(3) {
		i := rand.IntN(len(text) + 1)
		text = text[:i] + pick(pieces) + text[min(len(text), i+rand.IntN(3)):]
	}
	body := pick(answered)
	source := "n = 0\nkept = [1]\n\n\nclass Odd(int):\n    pass\n\n\ndef f(*x):\n    " + body + "\n"
	switch rand.IntN(8) {
	case 0:
		source = "Here it is:\n\n```python\n" + source + "```\nIt is right.\n"
	case 1:
		source = strings.Replace(source, "f(*x)", "g(*x)", 1)
	case 2:
		source = strings.Replace(source, ":", "", 1)
	case 3:
		source = "def f(x):\n    " + body + "\n"
	}
	row := map[string]any{"output": source}
	switch rand.IntN(4) {
	case 0:
		row["tests"] = text
	case 1:
		row["tests"] = "\n\nMETADATA = {\n    'author': 'a',\n}\n\n\ndef check(candidate):\n    " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    "), "f(", "candidate(") + "\n"
		row["entry_point"], row["prompt"] = "f", "from typing import List\n\n\ndef f(x):\n    \"\"\"Words.\"\"\"\n"
	default:
		row["tests"] = strings.Split(strings.TrimRight(text, "\n"), "\n")
	}
	if rand.IntN(6) == 0 {
		row["preamble"] = "import math\nfrom typing import List\n"
	}
	return row
}

// TestRunPython_ForgedAnswers: both judges answer the same to a candidate that makes up each byte of its
// answers, and a real 0 if that does not know what is expected.
func TestRunPython_ForgedAnswers(t *testing.T) {
	t.Parallel()
	f := newFronted(t)
	asserts := regexp.MustCompile(`(?m)^assert.*f\(.*$`).FindAllString(strings.Join(literalTests[:len(literalTests)-1], ""), -1) // the last one is not closed
	for range amount.Of(100, 10_000) {
		secret, tests := rand.IntN(3) == 0, []string{pick(asserts), pick(asserts)}[rand.IntN(2):]
		if secret {
			tests = append(tests, fmt.Sprintf("assert f(1) == '%x'", rand.Uint64()))
		}
		row := map[string]any{"output": forger(), "tests": tests}
		if rand.IntN(2) == 0 {
			row["tests"] = strings.Join(tests, "\n")
		}
		if got := f.same(t, "tests", row, map[string]any{"unsupported": "failed", "fuel": 100_000_000}); secret && !strings.HasPrefix(got, `{"score":0,`) {
			t.Errorf("%v\n%s", row, got)
		}
	}
	if amount.Full() && f.front == 0 {
		t.Error("the front has not answered")
	}
}

// forger returns a candidate that answers with bytes near to those which a judge reads.
func forger() string {
	answers := []string{`["v",[0,0,[["F"]]]]`, forged(), forged(), forged(), forged()}
	if rand.IntN(8) == 0 {
		answers[0] = mutated(pick([]string{answers[0], `["v",[1,2,[["F"]]],null,"printed"]`, `["x",[["E","SyntaxError",["a"],[],null,null],"a",2,"",[0,0]]]`}))
	}
	list := ""
	for _, a := range answers {
		list += fmt.Sprintf("bytes.fromhex('%x'), ", a)
	}
	return "from harness import candidate\n\nmade = iter([" + list + "])\ncandidate.dumps = candidate.World.answer = candidate.World.call = lambda *_: next(made)\n\n\ndef f(*x):\n    return 1\n"
}

// forged returns an answer to a call, mutated or not.
func forged() string {
	odd := func(usual []string, others ...string) string {
		if rand.IntN(6) == 0 {
			return pick(append(others, forgedValues...))
		}
		return pick(usual)
	}
	var text string
	switch rand.IntN(10) {
	case 0, 1, 2:
		told := []string{
			`"E"`, odd([]string{`"ValueError"`, `"KeyError"`, `"ZeroDivisionError"`}, `"SyntaxError"`, `"AssertionError"`, `"StopIteration"`, `"SystemExit"`, `"OSError"`, `"Value"`, `"Error Value"`, `" "`, `"MemoryError"`, `[1,"A",["ValueError"]]`),
			odd([]string{"[]", `["a"]`}, `[1,["l",2]]`, `[["l",1,["@",0]]]`), odd([]string{"[]"}, `[["t","name","a"]]`, `[["t","args",1]]`, `["name"]`, `[["l","a","b"]]`), odd([]string{"null"}, "true", `"said"`), odd([]string{"null"}, `["E","ValueError",[],[],null,null]`),
		}
		text = `["x",[[` + strings.Join(told, ",") + "]," + odd([]string{`"text"`, `""`, `"a\u00e9, expected"`}) + "," + odd([]string{"1", "0", "-3", "9"}, "2147483648", "9223372036854775808", "1e3") + "," + odd([]string{`""`}, `"numpy"`) + "," + odd([]string{"[0,0]"}, "[1,0]", "[0,-1]", "[0,0,0]") + "]"
	case 3:
		text = "[" + odd([]string{`"q"`, `"n"`, `"m"`, `"a"`, `"o"`, `"end"`}, `"w"`, `"vv"`, `["v"]`) + "," + odd([]string{`"3"`, "null", `"words"`})
	default:
		text = `["v",` + odd([]string{"1", "true", "0.25", `"(]#"`, `"a"`, "[\"l\"]", `["l",1]`, `["t",3,true]`, `["d","c",["t",["t",1,2],["l",3]]]`, "12345678901234567890123"})
	}
	text += odd([]string{"", "", "", ",null", ",[]"}, ",", `,[["l",1]]`, `,[["d"]]`, `,[["l",1,2],["d"]]`, `,null,"printed"`, `,null,"","numpy"`, `,null,"","threads"`, `,null,"","","e"`, `,null,"","","","UserWarning","w"`, `,null,1`) + "]"
	if rand.IntN(3) > 0 {
		return text
	}
	return mutated(text)
}

// forgedValues are coded values of which some are none, or no JSON.
var forgedValues = []string{
	"0", "-0", "2.5e-1", "1e400", "-1E+2", "1.0", "NaN", "Infinity", "-Infinity", "false", "null", `"\u0061"`, `"\ud800"`, `"\ud83d\ude00"`, `"\u0000"`, `"a message"`, `["t"]`, `["l",["l"],["l",["l"]]]`, `["t",["t",2]]`, `["d","a",1,"a",2]`, `["d","a"]`, `["d"]`, `["d",1,2]`, `["i","1"]`, `["i","ff"]`,
	`["s",1]`, `["b","61"]`, `["@",0]`, `["H",0,"int"]`, `["l",["@",0]]`, `["ll",1]`, `["",1]`, `[1]`, `[]`, `{"a":1,"a":2}`, `{}`, `[["l"]]`, "[\"l\",", strings.Repeat(`["l",`, 60) + "1" + strings.Repeat("]", 60), strings.Repeat("[", 2_000), "1" + strings.Repeat("0", 5_000), "1" + strings.Repeat("0", 310),
}

// mutated changes some bytes of a text.
func mutated(text string) string {
	pieces := []string{" ", "\n", "\t", "\x00", "\x0b", "[", "]", ",", `"`, "\\", "1", "-", ".", "e", "0", "\xff", "\xc3\xa9", "\ufeff", "{", ":", "N", "null", `\n`, `\u00`, "/", "v", "c", "answer 1 5\n"}
	for range 1 + rand.IntN(2) {
		i := pick([]string{"start", "end", "between", "between", "cut"})
		at := map[string]int{"start": 0, "end": len(text)}[i]
		if i == "between" || i == "cut" {
			at = rand.IntN(len(text) + 1)
		}
		switch {
		case i == "cut":
			text = text[:at]
		case rand.IntN(10) == 0:
			text = text[:at] + text + text[at:]
		default:
			text = text[:at] + pick(pieces) + text[min(len(text), at+rand.IntN(3)):]
		}
	}
	return text
}
