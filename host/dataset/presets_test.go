package dataset_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// line returns the JSON of a row on one line.
func line(t testing.TB, row map[string]any) string {
	t.Helper()
	b, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The rows have the fields of the published sets; their content is our own.
var (
	doubled = map[string]any{
		"task_id": "HumanEval/7", "prompt": "def double(n):\n    \"\"\"Return twice n.\"\"\"\n", "entry_point": "double",
		"canonical_solution": "    return n + n\n", "test": "def check(candidate):\n    assert candidate(2) == 4\n",
	}
	basic = map[string]any{
		"task_id": 602, "text": "Write a function to halve a number.", "code": "def half(n):\n  return n / 2",
		"test_list": []string{"assert half(4) == 2", "assert half(1) == 0.5"}, "test_setup_code": "import math", "challenge_test_list": []string{},
	}
	sanitized = map[string]any{
		"task_id": 602, "source_file": "x.ipynb", "prompt": "Write a function to halve a number.", "code": "def half(n):\n  return n / 2",
		"test_list": []string{"assert half(4) == 2"}, "test_imports": []string{"import math"},
	}
	sum = map[string]any{
		"problem_id": 3, "question": "Add two numbers.", "solutions": `["a, b = map(int, input().split())\nprint(a + b)"]`,
		"input_output": `{"inputs": ["1 2\n", ["3 4", "5"]], "outputs": ["3\n", ["7", ""]]}`, "difficulty": "introductory", "url": "", "starter_code": "",
	}
	function = map[string]any{
		"problem_id": 4, "question": "Add two numbers.", "solutions": "", "starter_code": "def add(a, b):",
		"input_output": `{"fn_name": "add", "inputs": [[1, 2], [[3], 4]], "outputs": [[3], 7]}`, "difficulty": "interview", "url": "",
	}
	live = map[string]any{
		"question_title": "Sum", "question_content": "Add two numbers.", "platform": "atcoder", "question_id": "abc1_a", "contest_id": "abc1",
		"contest_date": "2023-05-07T00:00:00", "starter_code": "", "difficulty": "easy", "metadata": "{}",
		"public_test_cases": `[{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]`, "private_test_cases": "[]",
	}
	contest = map[string]any{
		"name": "1_A. Sum", "description": "Add two numbers.", "source": 2, "difficulty": 7, "input_file": "", "output_file": "",
		"public_tests": map[string]any{"input": []string{"1 2\n"}, "output": []string{"3\n"}}, "private_tests": map[string]any{"input": []string{}, "output": []string{}},
		"generated_tests": []any{map[string]any{"input": "2 2\n", "output": "4\n"}},
		"solutions":       map[string]any{"language": []int{2, 3}, "solution": []string{"int main(){}", "print(sum(map(int, input().split())))"}}, "incorrect_solutions": map[string]any{},
	}
)

// with returns a row with other values; nil removes one.
func with(row map[string]any, changes ...any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, row)
	for i := 0; i < len(changes); i += 2 {
		out[changes[i].(string)] = changes[i+1]
		if changes[i+1] == nil {
			delete(out, changes[i].(string))
		}
	}
	return out
}

func TestPresets_MapRowsAsTheyCome(t *testing.T) {
	packed := func(protocol byte) string {
		tests := []byte(`[{"input": "5 6\n", "output": "11\n", "testtype": "stdin"}]`)
		pickle := append([]byte{0x80, protocol, 'X'}, binary.LittleEndian.AppendUint32(nil, uint32(len(tests)))...)
		if protocol >= 4 {
			pickle = append([]byte{0x80, protocol, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 0x8c}, byte(len(tests)))
		}
		pickle = append(append(pickle, tests...), "q\x00."...)
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		z.Write(pickle)
		z.Close()
		return base64.StdEncoding.EncodeToString(b.Bytes())
	}
	tests := []struct {
		name, preset string
		row          map[string]any
		want         map[string]string // fields of the case; "…" ends or begins a part
	}{
		{"HumanEval with a completion", "humaneval", with(doubled, "completion", "    return 2 * n\n"), map[string]string{
			"id": "HumanEval/7", "cluster": "HumanEval/7", "entry_point": "double", "tests": "def check(candidate):\n    assert candidate(2) == 4\n",
			"output": "    return 2 * n\n", "prompt": doubled["prompt"].(string), "input": doubled["prompt"].(string),
			"references": `["def double(n):\n    \"\"\"Return twice n.\"\"\"\n    return n + n\n"]`, "test": "", "task_id": "", "completion": "", "canonical_solution": "",
		}},
		{"HumanEval-X in JavaScript", "humaneval", map[string]any{
			"task_id": "JavaScript/1", "prompt": "const inc = (x) => {\n", "declaration": "const inc = (x) => {\n", "canonical_solution": "  return x + 1;\n}\n",
			"test": "console.assert(inc(1) === 2)\n", "example_test": "x", "completion": "  return 1 + x;\n}\n",
		}, map[string]string{
			"id": "JavaScript/1", "prompt": "const inc = (x) => {\n", "tests": "console.assert(inc(1) === 2)\n", "output": "  return 1 + x;\n}\n", "entry_point": "", "example_test": "",
		}},
		{"an empty completion", "humaneval", with(doubled, "completion", ""), map[string]string{"output": ""}},
		{"a whole program", "humaneval", with(doubled, "solution", "double = lambda n: 2 * n", "completion", "x"), map[string]string{"output": "double = lambda n: 2 * n"}},
		{"an answer under another name", "humaneval", with(doubled, "response", "def double(n): ..."), map[string]string{"output": "def double(n): ..."}},
		{"HumanEval+ on Hugging Face", "humaneval+", with(doubled, "completion", "    return 2 * n\n"), map[string]string{"tests": doubled["test"].(string)}},
		{"HumanEval+ of the release", "humaneval+", with(doubled, "test", nil, "completion", "    return 2 * n\n", "base_input", []any{[]any{1}}, "plus_input", []any{[]any{2.5}, []any{"é\"\\"}}, "atol", 1e-6, "contract", "x"), map[string]string{
			"tests": "…for inputs in json.loads(\"[[[1]],[[2.5],[\\\"é\\\\\\\"\\\\\\\\\\\"]]]\")…", "entry_point": "double", "contract": "", "plus_input": ""}},
		{"MBPP", "mbpp", with(basic, "completion", "def half(n): return n / 2"), map[string]string{
			"id": "Mbpp/602", "input": "Write a function to halve a number.", "output": "def half(n): return n / 2",
			"tests": `["assert half(4) == 2","assert half(1) == 0.5"]`, "setup": "import math", "references": `["def half(n):\n  return n / 2"]`, "test_list": "", "code": ""}},
		{"MBPP sanitized", "mbpp", with(sanitized, "task_id", "Mbpp/602", "solution", "x"), map[string]string{"id": "Mbpp/602", "tests": `["assert half(4) == 2"]`, "setup": "import math", "source_file": "x.ipynb"}},
		{"MBPP+", "mbpp+", with(sanitized, "test", "import numpy as np\nfrom math import inf\n\ninputs = [[4]]\nfor i in inputs:\n    assertion(half(*i), 2, 0)\n\n    pass\n", "solution", "x"), map[string]string{
			"id": "Mbpp/602", "tests": "class np:…\nfrom math import inf\n\ninputs = [[4]]\ndef test_inputs():\n    for i in inputs:\n        assertion(half(*i), 2, 0)\n    \n        pass\n"}},
		{"MBPP+ with a function that is named like Python's", "mbpp+", with(sanitized, "test", "inputs = [[4]]\nfor i, (inp, exp) in enumerate(zip(inputs, [2])):\n    assertion(set(sum(*inp)), set(exp), 0)\n", "solution", "x"), map[string]string{"entry_point": "sum"}},
		{"MBPP+ with a comparison that nothing asserts", "mbpp+", with(sanitized, "test", "def assertion(out, exp, atol):\n    if isinstance(out, bool):\n        exact_match = out == exp\n    else:\n        exact_match = exp == (out is not None)\n\n\ninputs = [[4]]\nfor i in inputs:\n    assertion(half(*i), True, 0)\n", "solution", "x"), map[string]string{
			"tests": "…(out is not None)\n    assert exact_match\n\n\ninputs…"}},
		{"tests that need all of NumPy", "mbpp+", with(sanitized, "test", "import numpy as np\nassert np.sum(x)\n", "solution", "x"), map[string]string{"tests": "import numpy as np\nassert np.sum(x)\n"}},
		{"APPS", "apps", with(sum, "completion", "print(3)"), map[string]string{
			"id": "3", "input": "Add two numbers.", "output": "print(3)", "preamble": "import sys; …from heapq import *\n", "difficulty": "introductory",
			"tests_io": `[{"input":"1 2\n","output":"3\n"},{"input":"3 4\n5","output":"7\n"}]`, "references": `["…print(a + b)"]`, "solutions": ""}},
		{"APPS with a function", "apps", with(function, "completion", "Sure:\n```python\ndef add(a, b): return a + b\n```\nDone."), map[string]string{
			"entry_point": "add", "calls": `[{"args":[1,2],"expected":3,"wrapped":true},{"args":[[3],4],"expected":7}]`, "checker": "apps", "output": "Sure:\n```python\ndef add(a, b): return a + b\n```\nDone.", "references": ""}},
		{"APPS with results that are lists", "apps", with(function, "input_output", `{"fn_name": "f", "inputs": [[1], [2], [3]], "outputs": [[[1, 2]], [3], []]}`, "output", "x"), map[string]string{
			"calls": `[{"args":[1],"expected":[[1,2]]},{"args":[2],"expected":[3]},{"args":[3],"expected":[]}]`}},
		{"LiveCodeBench", "livecodebench", with(live, "private_test_cases", packed(4), "output", "print(3)"), map[string]string{
			"id": "abc1_a", "input": "Add two numbers.", "tests_io": `[{"input":"1 2\n","output":"3\n"},{"input":"5 6\n","output":"11\n"}]`, "preamble": "from string import *; …", "difficulty": "easy"}},
		{"LiveCodeBench of an older protocol", "livecodebench", with(live, "private_test_cases", packed(3), "output", "print(3)"), map[string]string{"tests_io": `…{"input":"5 6\n","output":"11\n"}]`}},
		{"LiveCodeBench with tests as they are", "livecodebench", with(live, "private_test_cases", `[{"input": "9\n", "output": "9", "testtype": "stdin"}]`, "output", "x"), map[string]string{"tests_io": `…{"input":"9\n","output":"9"}]`}},
		{"LiveCodeBench with a function", "livecodebench", with(live, "public_test_cases", `[{"input": "[1, 2]\n\"x\"", "output": "3", "testtype": "functional"}]`, "private_test_cases", "[]",
			"metadata", `{"func_name": "twoSum"}`, "starter_code", "class Solution: ...", "output", "class Solution: pass"), map[string]string{
			"entry_point": "Solution.twoSum", "calls": `[{"args":[[1,2],"x"],"expected":3}]`, "input": "Add two numbers.\n\nclass Solution: ..."}},
		{"CodeContests", "codecontests", with(contest, "completion", "print(3)"), map[string]string{
			"id": "1_A. Sum", "output": "print(3)", "tests_io": `[{"input":"1 2\n","output":"3\n"},{"input":"2 2\n","output":"4\n"}]`,
			"references": `["print(sum(map(int, input().split())))"]`, "incorrect_solutions": "", "preamble": ""}},
		{"CodeContests with numbers", "codecontests", with(contest, "public_tests", map[string]any{"input": []int{1}, "output": []any{2.5}}, "generated_tests", nil, "completion", "x"), map[string]string{
			"tests_io": `[{"input":"1","output":"2.5"}]`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases, bad, _ := read(t, line(t, tt.row), dataset.Options{Preset: tt.preset})
			if bad != nil || len(cases) != 1 {
				t.Fatalf("%d cases, problems %v", len(cases), bad)
			}
			c := cases[0]
			for name, want := range tt.want {
				got := string(c.Raw(name))
				if texts, ok := c.Texts(name); ok && c.Raw(name)[0] == '"' {
					got = texts[0]
				}
				ok := got == want
				if front, back, part := strings.Cut(want, "…"); part {
					back, _ = strings.CutSuffix(back, "…")
					ok = strings.HasPrefix(got, front) && strings.Contains(got, back)
				}
				if !ok {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			again, err := dataset.Restore(c.AppendFields(nil), c.ID, diag.Pos{})
			if err != nil || again.ID != c.ID || again.Cluster != c.ID || again.Output != c.Output || again.Digest() != c.Digest() {
				t.Errorf("kept and restored it is %+v: %v", again, err)
			}
		})
	}
}

func TestPresets_RefuseRowsThatDoNotFit(t *testing.T) {
	bomb := func() string {
		var b bytes.Buffer
		z, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		zeros := make([]byte, 1<<20)
		for range 129 {
			z.Write(zeros)
		}
		z.Close()
		return base64.StdEncoding.EncodeToString(b.Bytes())
	}
	evil := base64.StdEncoding.EncodeToString([]byte("x\x9c\x4b\xce\x2f\xce\x0b"))
	tests := []struct {
		name, preset string
		row          map[string]any
		code, says   string
	}{
		{"an answer without its problem", "humaneval", map[string]any{"task_id": "HumanEval/7", "completion": "x"}, "problem-missing", "test"},
		{"a problem without an answer", "humaneval", doubled, "output-missing", "completion or solution"},
		{"an answer that is null", "humaneval", with(doubled, "completion", json.RawMessage("null")), "output-missing", "has no answer"},
		{"an answer that is a number", "humaneval", with(doubled, "completion", 5), "preset-row", `"completion" is a number, not a program`},
		{"an answer that is an object", "humaneval", with(doubled, "solution", map[string]int{"code": 1}, "completion", "x"), "preset-row", `"solution" is an object, not a program`},
		{"no answers in a list", "humaneval", with(doubled, "completion", []string{}), "output-missing", "has no answer"},
		{"a list that holds more than texts", "humaneval", with(doubled, "completion", []any{"x", 1}), "preset-row", `"completion" is a list, not a program`},
		{"no id", "humaneval", with(doubled, "task_id", nil, "completion", "x"), "id-missing", "task_id"},
		{"an id that is a list", "humaneval", with(doubled, "task_id", []int{1}, "completion", "x"), "id-type", "a list"},
		{"no entry point", "humaneval", with(doubled, "entry_point", nil, "completion", "x"), "preset-row", `no field "entry_point"`},
		{"no entry point, with a solution", "humaneval", with(doubled, "entry_point", nil, "solution", "x"), "preset-row", `no field "entry_point"`},
		{"tests that are a list", "humaneval", with(doubled, "test", []int{1}, "completion", "x"), "preset-row", "a list, not a string"},
		{"inputs that are not a list", "humaneval+", with(doubled, "test", nil, "plus_input", 3, "completion", "x"), "preset-row", "are not lists"},
		{"no assertions", "mbpp", with(basic, "test_list", []string{}, "completion", "x"), "preset-row", "not a list of assertions"},
		{"the release of MBPP+", "mbpp+", with(sanitized, "plus_input", []any{}, "completion", "x"), "preset-row", "evalplus/mbppplus"},
		{"HumanEval+ as MBPP+", "mbpp+", with(doubled, "completion", "x"), "preset-row", "entry_point"},
		{"APPS without tests", "apps", with(sum, "input_output", "", "completion", "x"), "preset-row", "no tests"},
		{"APPS with tests that are not JSON", "apps", with(sum, "input_output", "{", "completion", "x"), "preset-row", "no JSON"},
		{"APPS with fewer outputs", "apps", with(sum, "input_output", `{"inputs":["a"],"outputs":[]}`, "completion", "x"), "preset-row", "1 inputs and 0 outputs"},
		{"no private tests", "livecodebench", with(live, "private_test_cases", nil, "output", "x"), "preset-row", "no field"},
		{"private tests of nothing", "livecodebench", with(live, "private_test_cases", "?", "output", "x"), "preset-row", "base64"},
		{"private tests that are broken", "livecodebench", with(live, "private_test_cases", evil, "output", "x"), "preset-row", "private_test_cases"},
		{"private tests that are a bomb", "livecodebench", with(live, "private_test_cases", bomb(), "output", "x"), "preset-row", "MiB"},
		{"a call that is not JSON", "livecodebench", with(live, "public_test_cases", `[{"input":"x y","output":"1","testtype":"functional"}]`, "private_test_cases", "[]", "metadata", `{"func_name":"f"}`, "output", "x"), "preset-row", "not a call"},
		{"APPS with an output that is null", "apps", with(sum, "input_output", `{"inputs":["1"],"outputs":[null]}`, "completion", "x"), "preset-row", "output of test 1"},
		{"a call with a key twice", "apps", with(function, "input_output", `{"fn_name":"f","inputs":[[{"a":1,"a":2}]],"outputs":[1]}`, "output", "x"), "preset-row", "name twice"},
		{"a problem with files", "codecontests", with(contest, "input_file", "in.txt", "completion", "x"), "preset-row", "in.txt"},
		{"a live test without output", "livecodebench", with(live, "public_test_cases", `[{"input":"1","testtype":"stdin"}]`, "completion", "x"), "preset-row", "output of test 1"},
		{"a contest's test without output", "codecontests", with(contest, "generated_tests", []any{map[string]any{"input": "1"}}, "completion", "x"), "preset-row", `output of test 1 is not a text in "generated_tests"`},
		{"a contest's output that is null", "codecontests", with(contest, "public_tests", map[string]any{"input": []string{"1"}, "output": []any{nil}}, "completion", "x"), "preset-row", "output of test 1"},
		{"a contest without tests", "codecontests", with(contest, "public_tests", []any{}, "generated_tests", []any{}, "completion", "x"), "preset-row", "no tests"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases, bad, _ := read(t, line(t, tt.row)+"\n"+line(t, with(doubled, "task_id", "good", "completion", "x")), dataset.Options{Preset: tt.preset})
			if len(bad) == 0 || bad[0].Code != tt.code || bad[0].Hint == "" || !strings.Contains(bad[0].Message+bad[0].Hint, tt.says) {
				t.Fatalf("problems %v", bad)
			}
			if strings.HasPrefix(tt.preset, "humaneval") && (strings.Join(ids(cases), " ") != "good" || len(bad) > 1) {
				t.Errorf("the row behind it is lost, or has problems: %v, %v", ids(cases), bad)
			}
		})
	}
	_, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(""), Preset: "humanevel"})
	if !fault.Is(err, fault.Usage) || !strings.Contains(fault.Hint(err), `"humaneval"`) {
		t.Errorf("an unknown preset: %v, %s", err, fault.Hint(err))
	}
}

// zipped writes lines into a gzip file.
func zipped(t testing.TB, name string, rows ...map[string]any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out io.Writer = f
	if strings.HasSuffix(name, ".gz") {
		z := gzip.NewWriter(f)
		defer z.Close()
		out = z
	}
	for _, row := range rows {
		if _, err := io.WriteString(out, line(t, row)+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestPresets_JoinProblemsAndAnswers(t *testing.T) {
	second := with(doubled, "task_id", "HumanEval/8")
	problems := zipped(t, "HumanEval.jsonl.gz", doubled, second)
	answer := func(task, field, text string) map[string]any { return map[string]any{"task_id": task, field: text} }
	samples := zipped(t, "samples.jsonl", answer("HumanEval/7", "completion", "    return 1"), answer("HumanEval/8", "solution", "def double(n): pass"), answer("HumanEval/7", "completion", "    return 2"))

	outputs, err := dataset.OpenOutputs(samples, "humaneval")
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]dataset.Options{
		"problems as the dataset":            {Paths: []string{problems}, Outputs: outputs, Preset: "humaneval"},
		"answers as the dataset":             {Paths: []string{samples}, Problems: problems, Preset: "humaneval"},
		"rows that hold both, file not read": {Paths: []string{zipped(t, "both.jsonl", with(doubled, "completion", "    return 1"), with(second, "solution", "def double(n): pass"), with(doubled, "completion", "    return 2"))}, Problems: "not there", Preset: "humaneval"},
	}
	for name, opts := range ways {
		t.Run(name, func(t *testing.T) {
			cases, bad, totals := drain(t, opts)
			byID := map[string]*dataset.Case{}
			for _, c := range cases {
				byID[c.ID] = c
			}
			if bad != nil || len(cases) != 3 || len(totals.Warnings) != 0 {
				t.Fatalf("cases %v, problems %v, warnings %v", ids(cases), bad, totals.Warnings)
			}
			for id, want := range map[string]string{"HumanEval/7": "    return 1", "HumanEval/7#2": "    return 2", "HumanEval/8": "def double(n): pass"} {
				if c := byID[id]; c == nil || c.Output != want || c.Cluster != strings.TrimSuffix(id, "#2") {
					t.Errorf("%s: %+v", id, c)
				}
			}
		})
	}

	t.Run("a task without an answer, an answer without a task", func(t *testing.T) {
		some := zipped(t, "some.jsonl", answer("HumanEval/7", "completion", "x"), answer("HumanEval/9", "completion", "x"))
		cases, bad, totals := drain(t, dataset.Options{Paths: []string{some}, Problems: problems, Preset: "humaneval"})
		if len(cases) != 1 || len(bad) != 1 || bad[0].Code != "output-missing" || !strings.Contains(bad[0].Message, "HumanEval/8") || !strings.Contains(bad[0].Message, some) {
			t.Errorf("cases %v, problems %v", ids(cases), bad)
		}
		if len(totals.Warnings) != 1 || totals.Warnings[0].Code != "outputs-unused" || !strings.Contains(totals.Warnings[0].Message, "HumanEval/9") {
			t.Errorf("warnings %v", totals.Warnings)
		}
	})
	t.Run("a task twice", func(t *testing.T) {
		_, bad, _ := drain(t, dataset.Options{Paths: []string{zipped(t, "twice.jsonl", doubled, second, doubled)}, Outputs: outputs, Preset: "humaneval"})
		if len(bad) == 0 || bad[0].Code != "id-duplicate" {
			t.Errorf("problems %v", bad)
		}
	})
	t.Run("an answer without an id, one without text", func(t *testing.T) {
		wrong := zipped(t, "wrong.jsonl", map[string]any{"completion": "x"}, map[string]any{"task_id": "HumanEval/7"})
		_, err := dataset.Open(dataset.Options{Paths: []string{wrong}, Problems: problems, Preset: "humaneval"})
		if list := diag.In(err); !fault.Is(err, fault.Invalid) || len(list) != 2 || list[0].Code != "id-missing" || list[1].Code != "output-missing" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("problems that are not there", func(t *testing.T) {
		_, err := dataset.Open(dataset.Options{Paths: []string{samples}, Problems: problems + "x", Preset: "humaneval"})
		if !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "HumanEval.jsonl.gzx") || !strings.Contains(err.Error(), samples) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("lists of answers", func(t *testing.T) {
		listed := zipped(t, "lists.json", map[string]any{"question_id": "abc1_a", "code_list": []string{"print(1)", "print(2)"}})
		cases, bad, _ := drain(t, dataset.Options{Paths: []string{listed}, Problems: zipped(t, "live.jsonl", with(live, "private_test_cases", "[]")), Preset: "livecodebench"})
		if bad != nil || strings.Join(ids(cases), " ") != "abc1_a abc1_a#2" || cases[1].Output != "print(2)" {
			t.Errorf("cases %+v, problems %v", cases, bad)
		}
		listed = zipped(t, "completions.jsonl", map[string]any{"task_id": "HumanEval/7", "completion": []string{"    return n + n\n", "    return n\n"}}, map[string]any{"task_id": "HumanEval/8", "completion": "x"})
		for _, o := range []dataset.Options{{Paths: []string{listed}, Problems: problems, Preset: "humaneval"}, {Paths: []string{zipped(t, "both.jsonl", with(doubled, "completion", []string{"    return n + n\n", "    return n\n"}))}, Preset: "humaneval", Samples: true}} {
			if cases, bad, _ := drain(t, o); bad != nil || len(cases) < 2 || cases[1].ID != "HumanEval/7#2" || !strings.HasSuffix(cases[1].Output, "    return n\n") {
				t.Errorf("cases %+v, problems %v", cases, bad)
			}
		}
	})
}

func TestReader_ReadsGzip(t *testing.T) {
	path := zipped(t, "cases.jsonl.gz", map[string]any{"id": "a", "output": "x"}, map[string]any{"id": "b", "output": "y"})
	cases, bad, totals := drain(t, dataset.Options{Paths: []string{path}})
	if bad != nil || strings.Join(ids(cases), " ") != "a b" {
		t.Fatalf("cases %v, problems %v", ids(cases), bad)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := totals.Sources[0]; s.Bytes != int64(len(whole)) || s.Digest == "" || s.Format != dataset.JSONL {
		t.Errorf("source %+v", s)
	}
	torn := filepath.Join(t.TempDir(), "torn.jsonl.gz")
	if err := os.WriteFile(torn, whole[:len(whole)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, bad, _ := drain(t, dataset.Options{Paths: []string{torn}}); len(bad) == 0 || bad[len(bad)-1].Code != "file-unreadable" {
		t.Errorf("a torn file: %v", bad)
	}
	o, err := dataset.OpenOutputs(path, "")
	if err != nil || o.Len() != 2 {
		t.Errorf("as outputs: %v", err)
	}
}

func TestPresets_AreToldWhereTheyAreMissing(t *testing.T) {
	for preset, row := range map[string]map[string]any{
		"humaneval": doubled, "humaneval+": with(doubled, "test", nil, "plus_input", []any{}), "mbpp": basic, "mbpp+": with(sanitized, "test", "x"),
		"apps": sum, "livecodebench": live, "codecontests": contest, "": {"id": "a", "prompt": "x", "test": "y"},
	} {
		t.Run(preset, func(t *testing.T) {
			_, _, totals := read(t, line(t, with(row, "completion", "x")), dataset.Options{})
			hints := ""
			for _, w := range totals.Warnings {
				hints += w.Hint
			}
			if preset == "" && hints != "" || !strings.HasSuffix(hints, preset) {
				t.Errorf("warnings %v", totals.Warnings)
			}
			if _, _, totals := read(t, line(t, with(row, "completion", "x")), dataset.Options{Preset: preset}); preset != "" && len(totals.Warnings) > 0 {
				t.Errorf("with it: %v", totals.Warnings)
			}
		})
	}
}
