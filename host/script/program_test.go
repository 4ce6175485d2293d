package script_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// programRequest is the input of a code judge in AgentV.
const programRequest = `{"args":["--strict","7"],"contract":1,"kind":"judge","config":{"k":1},"case":{"output":"hello"},"question":"Greet me","candidate_answer":"hello"}`

// programOf returns a script that is run as a whole.
func programOf(t testing.TB, entry string, files map[string]string) []byte {
	t.Helper()
	return moduleOf(t, script.Script{Entry: entry, Files: files, Program: true})
}

type programCase struct{ name, source, want string }

func runPrograms(t *testing.T, rt *wasm.Runtime, entry string, files map[string]string, list []programCase) {
	t.Helper()
	limits := patient
	limits.Fuel = 500_000_000
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			all := map[string]string{entry: tt.source}
			maps.Copy(all, files)
			m, err := rt.Load(context.Background(), wasm.Source{Name: "p", Module: programOf(t, entry, all)}, limits)
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

func TestJavaScriptPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	rt := openRuntime(t, "")
	beside := map[string]string{"helper.js": "exports.n = 0.25; exports.twice = require('./lib/twice')(2);", "lib/twice.js": "module.exports = (x) => 2 * x + require('../other').o;", "other.js": "exports.o = 1;", "part.mjs": "export const part = 7;"}
	runPrograms(t, rt, "check.js", beside, []programCase{
		{"standard input, standard output", "const fs = require('fs');\nconst c = JSON.parse(fs.readFileSync(0, 'utf8'));\nconsole.log(JSON.stringify({ score: c.candidate_answer.length / 10, hits: [c.question] }));", `{"score":0.5,"hits":["Greet me"]}`},
		{"by its name, as bytes", "const { readFileSync } = require('node:fs');\nconsole.log(JSON.parse(readFileSync('/dev/stdin')).kind, readFileSync('/dev/stdin', { encoding: 'UTF-8' }) === '');", "judge true"},
		{"events", "let s = '';\nprocess.stdin.setEncoding('utf8');\nprocess.stdin.on('data', (d) => { s += d; });\nprocess.stdin.on('end', () => { console.log(JSON.parse(s).kind); });", "judge"},
		{"events of bytes", "const list = [];\nprocess.stdin.on('end', () => console.log(JSON.parse(Buffer.concat(list).toString('utf-8')).kind));\nprocess.stdin.on('data', (d) => list.push(d));", "judge"},
		{"readable", "let s = '', d;\nprocess.stdin.on('readable', () => { while ((d = process.stdin.read()) !== null) s += d; }).on('end', () => process.stdout.write(JSON.parse(s).kind));", "judge"},
		{"a loop over standard input", "async function main() {\n  let s = '';\n  for await (const d of process.stdin) s += d;\n  console.log(JSON.parse(s).kind);\n}\nmain();", "judge"},
		{"Bun", "Bun.stdin.json().then((c) => console.log(c.config));", `{"k":1}`},
		{"arguments", "console.log(process.argv.slice(2).join(), require('process').argv.length);", "--strict,7 4"},
		{"files beside it", "const { n, twice } = require('./helper');\nconsole.log(n, twice, require('./helper.js').n);", "0.25 5 0.25"},
		{"a module", "import fs, { readFileSync } from 'node:fs';\nimport { argv } from 'process';\nimport { part } from './part.mjs';\nconsole.log(JSON.parse(readFileSync(0)).kind, fs.readFileSync === readFileSync, argv[2], part);", "judge true --strict 7"},
		{"waits at its top level", "import { part } from './part.mjs';\nconst c = await Bun.stdin.json();\nconsole.log(c.kind, part);", "judge 7"},
		{"nothing is left from the call before", "globalThis.n = (globalThis.n ?? 0) + 1;\nrequire('./helper').n += n;\nprocess.env.X = (process.env.X ?? '') + 'x';\nconsole.log(n, require('./helper').n, process.env.X);", "1 1.25 x"},
		{"standard error is not an answer", "console.error('{\"score\":0}');\nconsole.warn(1);\nprocess.stderr.write('2');\nconsole.log(3);", "3\n"},
		{"exit code 0 is success", "console.log(1);\nprocess.exit(0);\nconsole.log(2);", "1\n"},
		{"any other is none, whatever was printed", "console.log('{\"score\":1}');\nprocess.exit(3);", `{"error":"exit code 3"}`},
		{"though it is caught", "try { process.exit(3); } catch (e) { console.log('{\"score\":1}'); process.exit(0); }", `{"error":"exit code 3"}`},
		{"in a function that waits", "async function main() { await 0; console.log(1); process.exit(4); }\nmain();", `{"error":"exit code 4"}`},
		{"or is set", "console.log('{\"score\":1}');\nprocess.exitCode = 2;", `{"error":"exit code 2"}`},
		{"nor is an exception, which has its line", "console.log('{\"score\":1}');\nthrow new RangeError('no');", `{"error":"check.js:2:`},
		{"nor one in an event", "console.log('{\"score\":1}');\nprocess.stdin.on('data', (d) => { throw new Error('no'); });", `{"error":"check.js:2:`},
		{"nor one in a module", "import './part.mjs';\nconsole.log('{\"score\":1}');\nthrow new Error('no');", `{"error":"check.js:3:`},
		{"nor one that nothing waits for", "async function main() { console.log('{\"score\":1}'); throw new Error('no'); }\nmain();\n0;", "plugin-error: plugin p: score: the plugin ended itself with exit code 1"},
		{"one that is handled is not a failure", "Promise.reject(new Error('no')).catch(() => console.log(1));", "1\n"},
		{"nor is silence", "require('fs').readFileSync(0);", `{"error":"the program printed no answer on standard output; print one JSON object`},
		{"nor what waits for ever", "import './part.mjs';\nconsole.log('{\"score\":1}');\nawait new Promise(() => {});", `{"error":"check.js waits for something that never happens`},
		{"a fault of syntax is one of loading", "function f( {", "plugin p: "},
		{"a program that never ends runs out of fuel", "for (;;) {}", "fuel: "},
		{"there are no files", "require('fs').readFileSync('/etc/passwd', 'utf8');", `{"error":"check.js:1:27: Error: ENOENT: no such file or directory, open '/etc/passwd'`},
		{"nor other functions of files", "require('fs').writeFileSync('x', 'y');", `{"error":"check.js:1`},
		{"nor packages", "require('lodash');", `{"error":"check.js:1:8: Error: Cannot find module 'lodash'; a program has fs, process and the files beside it`},
		{"nor other parts of Node", "console.log(process.platform);", `{"error":"check.js:1`},
		{"nor other encodings", "require('fs').readFileSync(0, 'latin1');", `{"error":"check.js:1`},
		{"nor Deno", "Deno.stdin.readSync();", `{"error":"check.js:1`},
	})
}

func TestModule_RefusesProgramWithFunctions(t *testing.T) {
	l, _ := script.Find(script.JavaScript)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "a.js", Files: map[string]string{"a.js": ""}, Program: true, Exports: []string{"f"}}
	if _, err := s.Module(); err == nil || !strings.Contains(err.Error(), "a program has no functions to call: f") {
		t.Error(err)
	}
}
