package script_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/script"
)

// programRequest is what a code judge of AgentV is sent.
const programRequest = `{"args":["--strict","7"],"contract":1,"kind":"judge","config":{"k":1},"case":{"output":"hello"},"question":"Greet me","candidate_answer":"hello"}`

// programOf returns a script that is run as a whole.
func programOf(t testing.TB, entry string, files map[string]string) []byte {
	t.Helper()
	l, ok := script.Of(entry)
	if !ok {
		t.Fatalf("%s: no language", entry)
	}
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: entry, Files: files, Program: true}
	b, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

type programCase struct{ name, source, want string }

func runPrograms(t *testing.T, rt *wasm.Runtime, entry string, files map[string]string, list []programCase) {
	t.Helper()
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			all := map[string]string{entry: tt.source}
			for name, text := range files {
				all[name] = text
			}
			m, err := rt.Load(context.Background(), wasm.Source{Name: "p", Module: programOf(t, entry, all)}, patient)
			if err != nil {
				if got := err.Error(); !strings.HasPrefix(got, tt.want) {
					t.Fatalf("%s\nwant %s", got, tt.want)
				}
				return
			}
			defer m.Close(context.Background())
			for range 3 { // each call begins as the first did
				if got := ask(t, m, "score", programRequest); !strings.HasPrefix(got, tt.want) {
					t.Fatalf("%s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

func TestPythonPrograms(t *testing.T) {
	runPrograms(t, python(t), "check.py", map[string]string{"helper.py": "import sys\nn = 0.25\ndef answer():\n    return sys.stdin.read()\n"}, []programCase{
		{"standard input, standard output", "import json, sys\ncase = json.load(sys.stdin)\nprint(json.dumps({'score': len(case['candidate_answer']) / 10, 'hits': [case['question']]}))", `{"score": 0.5, "hits": ["Greet me"]}`},
		{"arguments", "import sys\nprint('{\"score\":0,\"reasoning\":\"%s\"}' % sys.argv)", `{"score":0,"reasoning":"['check.py', '--strict', '7']"}`},
		{"it is __main__", "import sys\nif __name__ == '__main__':\n    sys.stdout.write('{\"score\":1}')", `{"score":1}`},
		{"modules beside it", "import helper, sys\nassert helper.answer().startswith('{')\nprint(helper.n)", "0.25"},
		{"nothing is left from the call before", "import sys, helper, json\nhelper.n += 0.25\njson.n = getattr(json, 'n', 0) + 1\nprint(helper.n, json.n)", "0.5 1"},
		{"standard input by number", "print(len(open(0).read()) > 20, len(open('/dev/stdin').read()))", "True 0"},
		{"standard input as bytes", "import sys, json\nprint(json.loads(sys.stdin.buffer.read())['config'])", "{'k': 1}"},
		{"a line of input", "import json\nprint(json.loads(input())['kind'])", "judge"},
		{"exit code 0 is success", "import sys\nprint(1)\nsys.exit(0)", "1"},
		{"any other is none, whatever was printed", "import sys\nprint('{\"score\":1}')\nsys.exit(3)", `{"error": "exit code 3"}`},
		{"nor is a message", "import sys\nprint('{\"score\":1}')\nsys.exit('no case')", `{"error": "exit code 1: no case"}`},
		{"nor is an exception, which has its line", "print('{\"score\":1}')\nraise ValueError('no')", `{"error": "check.py:2: ValueError: no`},
		{"nor is silence", "import sys\nsys.stdin.read()", `{"error": "the program printed no answer on standard output; print one JSON object`},
		{"a fault of syntax is one of loading", "def f(:\n    pass", "plugin p: check.py:1:7: SyntaxError"},
		{"a program that never ends runs out of fuel", "while True: pass", "fuel: "},
		{"there are no files", "open('/etc/passwd')", `{"error": "check.py:1: FileNotFoundError`},
	})
}

func TestProgramsInJavaScriptAreRefused(t *testing.T) {
	_, err := openRuntime(t, "").Load(context.Background(), wasm.Source{Name: "p", Module: programOf(t, "a.js", map[string]string{"a.js": "export const score = () => 1"})}, patient)
	if err == nil || !strings.Contains(err.Error(), "programs in JavaScript are not run") {
		t.Error(err)
	}
}

func TestProgramsHaveNoFunctions(t *testing.T) {
	l, _ := script.Find(script.JavaScript)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "a.js", Files: map[string]string{"a.js": ""}, Program: true, Exports: []string{"f"}}
	if _, err := s.Module(); err == nil || !strings.Contains(err.Error(), "a program has no functions to call: f") {
		t.Error(err)
	}
}
