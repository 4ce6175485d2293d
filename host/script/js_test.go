package script_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

const f1JS = `
const tokens = (s) => s.toLowerCase().split(/\s+/).filter(Boolean);
export function score(c, config) {
  const out = tokens(c.output), ref = tokens(c.references[0]);
  const left = new Map();
  for (const t of ref) left.set(t, (left.get(t) ?? 0) + 1);
  let same = 0;
  for (const t of out) { const n = left.get(t) ?? 0; if (n > 0) { same++; left.set(t, n - 1); } }
  if (same === 0) return 0;
  const p = same / out.length, r = same / ref.length;
  return 2 * p * r / (p + r);
}
`

func TestJavaScript(t *testing.T) {
	rt := openRuntime(t, "")
	for _, tt := range []struct{ name, source, want string }{
		{"a number is a score", f1JS, `{"score":0.8333333333333334}`},
		{"a function that is a script's global is found", `function score(c, config) { return c.output.length / 100; }`, `{"score":0.22}`},
		{"a constant of a script is found", `const score = (c) => 0.5`, `{"score":0.5}`},
		{"a default export is the scorer", `export default (c) => 0.5`, `{"score":0.5}`},
		{"an object that is the default export has it", `export default { score(c) { return 1 } }`, `{"score":1}`},
		{"module.exports may be the scorer", `module.exports = (c) => 0.5`, `{"score":0.5}`},
		{"module.exports may have it", `module.exports = { score: (c) => 0.5 }`, `{"score":0.5}`},
		{"exports may have it", `exports.score = (c) => 0.5`, `{"score":0.5}`},
		{"null is not a score", `export const score = () => null`, `{"unscored":"score() returned null"}`},
		{"nothing is not a score", `export function score() {}`, `{"unscored":"score() returned nothing"}`},
		{"a boolean is 0 or 1", `export const score = () => true`, `{"score":1}`},
		{"an object is an answer of the contract", `export const score = () => ({ score: 0.5, reason: "so", hits: ["a"] })`, `{"score":0.5,"reason":"so","hits":["a"]}`},
		{"passed alone is 0 or 1", `export const score = () => ({ passed: true, reason: "so" })`, `{"score":1,"reason":"so","details":{"passed":true}}`},
		{"result alone is the score", `export const score = () => ({ result: 0.5, kind: "x" })`, `{"score":0.5,"details":{"kind":"x"}}`},
		{"pass is not a score of what has none", `export const score = () => ({ pass: false, unscored: "no ref" })`, `{"unscored":"no ref","details":{"pass":false}}`},
		{"details that JSON has no number for", `export const score = () => ({ score: 0.5, x: NaN, std: [-Infinity, 1 / 0, null], of: { y: 0 / 0 } })`, `{"score":0.5,"details":{"x":"NaN","std":["-Infinity","Infinity",null],"of":{"y":"NaN"}}}`},
		{"half a pair of surrogates is not text", `export const score = () => ({ score: 1, reason: "\ud83d\u{1f600}\\ud83d" })`, `{"score":1,"reason":"\ufffd😀\\ud83d"}`},
		{"nor is it in an error", `export const score = () => { throw new Error("\udc00") }`, `{"error":"score.js:1:45: Error: \ufffd`},
		{"the config is the second argument", `export const score = (c, config) => Object.keys(config).length`, `{"score":0}`},
		{"what is not a number fails", `export const score = () => 0 / 0`, `{"error":"score() returned NaN, which is not a score; return a number, an object with score, or null"}`},
		{"an object without score has what it has named", `export const score = () => ({ scor: 1 })`, `{"error":"score() returned an object without score, which has [\"scor\"]; return a number, an object with score, or null"}`},
		{"text fails", `export const score = () => "0.5"`, `{"error":"score() returned \"0.5\"; return a number, an object with score, or null"}`},
		{"a score within an object must be finite", `export const score = () => ({ score: 1 / 0 })`, `{"error":"score() returned the score Infinity`},
		{"a promise is waited for", `export async function score() { await 1; return 0.75 }`, `{"score":0.75}`},
		{"a promise that nothing settles fails", `export const score = () => new Promise(() => {})`, `{"error":"score() returned a promise that nothing settles`},
		{"serveIdle is called while a promise is pending", `const due = []; export const serveIdle = () => due.length > 0 && (due.pop()(), true); const later = () => new Promise((done) => due.push(done)); export async function score() { await later(); await later(); return 0.75 }`, `{"score":0.75}`},
		{"serveIdle that does nothing ends the wait", `export const serveIdle = () => 1; export const score = () => new Promise(() => {})`, `{"error":"score() returned a promise that nothing settles`},
		{"an error of serveIdle is one of the call", `export const serveIdle = () => { throw new Error("no") }; export const score = () => new Promise(() => {})`, `{"error":"score.js:1:`},
		{"a promise may be rejected", `export async function score() { throw new Error("no") }`, `{"error":"score.js:1:`},
		{"a failure stays one, whatever a script makes of JSON", `Object.prototype.toJSON = () => ({ score: 1 }); export function score() { throw new Error("no") }`, `{"error":"score.js:1:`},
		{"so does what is not a number", `Object.prototype.toJSON = () => ({ score: 1 }); export const score = () => NaN`, `{"error":"score() returned NaN`},
		{"and what is not a score", `Object.prototype.toJSON = () => ({ score: 1 }); export const score = () => null`, `{"unscored":"score() returned null"}`},
		{"an error has line and column", "export function score(c) {\n  const x = undefined;\n  return x();\n}", `{"error":"score.js:3:`},
		{"an error outside of a call has its line", "export function score(c) {\n  const a = 1;\n  if (a) {\n    const z = c.gone.length;\n    return z;\n  }\n}", `{"error":"score.js:4:15: TypeError: cannot read property 'length' of undefined\n    at score (score.js:4:15)"}`},
		{"an error after a call has its own line", "export default (c) => {\n  const a = c.output.trim(),\n    b = 2;\n  const o = {\n    x: 1,\n  };\n  for (const k of [1])\n    o.x += k;\n  return a.length + nowhere;\n}", `{"error":"score.js:9:`},
		{"an error of an assertion has its line", "module.exports = { get_assert(output, context) {\n  const v = context.vars;\n  return v.none.length;\n} }", `{"error":"score.js:3:10: TypeError`},
		{"an error of a script has them too", "\nfunction score(c) { return nowhere }", `{"error":"score.js:2:`},
		{"what is thrown may be anything", `export function score() { throw "text" }`, `{"error":"threw \"text\""}`},
		{"a module cannot be imported later", `export const score = () => import("std")`, `{"error":"ReferenceError: could not load module 'std'; a script has the modules beside it that it imports by a path such as './helper.js', and no packages"}`},
		{"there is nothing of the system", `export const score = () => [typeof std, typeof os, typeof require, typeof fetch, typeof process, typeof setTimeout].join()`,
			`{"error":"score() returned \"undefined,undefined,undefined,undefined,undefined,undefined\"`},
		{"deep recursion works", `export const score = () => { const f = (n) => n ? 1 + f(n - 1) : 0; return f(1500) }`, `{"score":1500}`},
		{"changing the language harms nobody else", `JSON.stringify = JSON.parse = String = Reflect.apply = null; Object.keys = null; export const score = () => 0.5`, `{"score":0.5}`},
		{"changing what everything is made of does not either", `String.prototype.split = Array.prototype.push = null; export function score() { throw new Error("x") }`, `{"error":"score.js:1:`},
		{"the random numbers are the same in every case", `export const score = Math.random`, `{"score":0.6360251490540874}`},
		{"the clock stands where it stands", `export const score = () => Date.now() / 1e13`, `{"score":0.1640998800001}`},
		{"syntax errors have a line", "export function score(c) {\n  let a = 1;\n  return a +;\n}", "load: plugin p: score.js:3:"},
		{"a script without scorer is told what to write", `export function skore(c) { return 1 }`, "load: plugin p: score.js: it has no function score(case, config); write: export function score(case, config) { ... }; it has skore: name the one that is meant: score.js:skore, or exports: {skore: what it says} in a plugin.yaml"},
		{"or of a module", `module.exports = { near: () => 1, far: () => 0, at: 1 }`, "load: plugin p: score.js: it has no function score(case, config); write: export function score(case, config) { ... }; it has near, far: name"},
		{"what Node has is not there", `export function score(c) { return Buffer.from(c.output).length }`, `{"error":"score.js:1:35: ReferenceError: Buffer is not defined; there is the language, and nothing of a browser or of Node`},
		{"a byte order mark is not part of the script", "\ufeffexport const score = () => 0.5", `{"score":0.5}`},
		{"the flag v of regular expressions is Node's", "const is = (re, s, ...want) => String(s.match(re)) === String(want);\nexport const score = () => [is(/\\p{L}/gv, 'a é 1', 'a', 'é'), is(/./gv, '😀a', '😀', 'a'), is(/[\\p{L}&&[a-z]]/gv, 'aé1Z', 'a'), is(/[\\w--\\d]/gv, 'aé1Z9', 'a', 'Z'), is(/[\\q{abc|c}]/gv, 'abc ab c', 'abc', 'c'), is(/\\p{RGI_Emoji}/gv, '👨‍👩‍👧 🇩🇪 x', '👨‍👩‍👧', '🇩🇪'), is(/\\P{Lu}/giv, 'aA1', '1'), is(/\\d-\\d&&(?<y>x)/v, '1-2&&x', '1-2&&x,x'), '😀a'.split(/(?:)/v).length === 2].filter(Boolean).length", `{"score":9}`},
		{"and a class has the errors of that flag", "export const score = () => new RegExp('[a&&&b]', 'v').test('a') ? 1 : 0", `{"error":"score.js:1:`},
		{"an array that became longer has holes", `export const score = () => {
			const is = (v, want) => JSON.stringify(v) === want || "got " + JSON.stringify(v);
			const grown = (a, length) => { a.length = length; return a; }, pushed = (a, ...v) => { a.push(...v); return a; };
			const gone = [1, 2, 3], sorted = pushed(grown([3, 1], 6), 2).sort(), cut = pushed(grown([1], 4), 9);
			delete gone[1];
			const keep = Array.from({ length: 300 }, (_, i) => pushed(grown([{ i }], 245), { i }));
			for (let i = 0; i < 20000; i++) { const round = {}; round.round = round; }
			const all = [is(pushed(new Array(3), 4), "[null,null,null,4]"), is(pushed(grown([1], 5), 1), "[1,null,null,null,null,1]"), is(pushed(gone, 4, 5), "[1,null,3,4,5]"),
				is([sorted, 3 in sorted], "[[1,2,3,null,null,null,null],false]"), is([cut.splice(1, 2, "x"), cut], "[[null,null],[1,\"x\",null,9]]"),
				keep.every((a, i) => a.length === 246 && a[0].i === i && a[1] === undefined && a[245].i === i)];
			return all.find((v) => v !== true) ?? 1;
		}`, `{"score":1}`},
		{"integers of many bits are cut without a sign", `export const score = () => [BigInt.asUintN(32, -1n), BigInt.asUintN(32, 4294967295n), BigInt.asUintN(64, -1n), BigInt.asUintN(33, -5n)].join() === "4294967295,4294967295,18446744073709551615,8589934587" ? 1 : 0`, `{"score":1}`},
		{"dividing by v is not a regular expression", "const a = 6, v = 2, gv = 3, text = 'a/v'; // a/v\nexport const score = (c) => a/v/gv + /x\\/v/.exec('x/v').index;", `{"score":1}`},
		{"regular expressions are made as ever", "const flag = 'v';\nclass Mine extends RegExp {}\nexport const score = () => [/a/ instanceof RegExp, RegExp(/a/g).flags === 'g', new Mine('a', 'u') instanceof Mine, /a/.constructor === RegExp, (re => RegExp(re) === re)(/a/), RegExp.name === 'RegExp', 'a1b'.split(/\\d/).length === 2, flag === 'v'].filter(Boolean).length", `{"score":8}`},
		{"an import is told that there is none", `import x from "./x.js"; export const score = () => 1`, "load: plugin p: ReferenceError: could not load module 'x.js'; a script has the modules beside it"},
		{"an error while it starts has line and column", "\nthrow new TypeError('at once')", "load: plugin p: score.js:2:20: TypeError: at once"},
		{"waiting for nothing is an error while it starts", `await new Promise(() => {}); export const score = () => 1`, "load: plugin p: score.js waits for something that never happens"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				if got := scoreWith(t, rt, bundle(t, "score.js", tt.source), request); !strings.HasPrefix(got, tt.want) {
					t.Fatalf("%s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// TestJavaScript_IsAsDeepInEachOrder asks for recursions of many depths, up and down: what an instance was called with before
// does not decide which one is too deep.
func TestJavaScript_IsAsDeepInEachOrder(t *testing.T) {
	rt := openRuntime(t, "")
	calls := []struct {
		kind string
		deep int
		ends string
	}{
		{"call", 50, `{"score":1}`}, {"convert", 8_000, `{"score":1}`}, {"call", 9_800, `{"score":1}`}, {"replace", 3_500, `{"score":1}`}, {"call", 10_800, `{"score":1}`},
		{"map", 5_000, `{"score":1}`}, {"await", 6_000, `{"score":1}`}, {"call", 11_900, `{"score":1}`},
		{"convert", 16_000, "depth: plugin p: score: calls nest too deep for a stack of"}, {"map", 8_000, "depth: plugin p: score: calls nest too deep for a stack of"},
		{"await", 14_000, "depth: plugin p: score: calls nest too deep for a stack of"}, {"call", 16_000, "depth: plugin p: score: calls nest too deep for a stack of"},
	}
	used := map[string]uint64{}
	for _, up := range []bool{true, false} {
		m := mustLoad(t, rt, bundle(t, "score.js", `const kinds = {
			call: (n) => n && 1 + kinds.call(n - 1), map: (n) => n && [n].map((x) => kinds.map(x - 1))[0], replace: (n) => n ? "a".replace(/a/, () => kinds.replace(n - 1)) : "",
			convert: (n) => { const o = { toString: () => n-- > 0 ? "" + o : "" }; return "" + o; }, await: async (n) => n && 1 + await kinds.await(n - 1) };
		export const score = async (c) => (kinds[c.kind](c.deep), 1);`))
		for k := range calls {
			c := calls[k]
			if !up {
				c = calls[len(calls)-1-k]
			}
			answer, usage, err := m.Call(context.Background(), "score", fmt.Appendf(nil, `{"contract":1,"kind":"metric","config":{},"case":{"output":"","kind":%q,"deep":%d}}`, c.kind, c.deep), nil)
			got, name := string(answer), fmt.Sprint(c.kind, c.deep)
			if err != nil {
				got = string(fault.Of(err)) + ": " + err.Error()
			}
			if !strings.HasPrefix(got, c.ends) {
				t.Errorf("%s: %s, want %s", name, got, c.ends)
			}
			if !up && usage.Fuel != used[name] {
				t.Errorf("%s takes %d and %d fuel", name, used[name], usage.Fuel)
			}
			used[name] = usage.Fuel
		}
	}
}

// TestExports_OfAScript covers exports beside the usual one.
func TestExports_OfAScript(t *testing.T) {
	rt := openRuntime(t, "")
	m := mustLoad(t, rt, bundle(t, "score.js", `
		export const one = () => 1;
		export const sum = (stats) => stats.reduce((a, b) => a + b);`, "sum", "one"))
	if got := m.Exports(); len(got) != 2 || got[0] != "one" || got[1] != "sum" {
		t.Errorf("exports %q", got)
	}
	if got := ask(t, m, "one", request); got != `{"score":1}` {
		t.Error(got)
	}
	if got := ask(t, m, "sum", `{"contract":1,"kind":"corpus","config":{},"stats":[1,2,3]}`); got != `{"score":6}` {
		t.Error(got)
	}
	if got := ask(t, m, "score", request); !strings.Contains(got, `unknown scorer "score"`) {
		t.Error(got)
	}
}

// TestJavaScript_PrintsToTheLog prints in the ways that scripts for Node do.
func TestJavaScript_PrintsToTheLog(t *testing.T) {
	m := mustLoad(t, openRuntime(t, ""), bundle(t, "score.js", `export function score(c) {
		const round = {}; round.round = round;
		console.log("a", { x: [1] }, 2, null, undefined); console.error(new TypeError("b").message); console.warn("c"); console.info([1]); console.debug(round);
		return 1 }`))
	_, usage, err := m.Call(context.Background(), "score", []byte(request), nil)
	if want := "a {\"x\":[1]} 2 null undefined\nb\nc\n[1]\n[object]\n"; err != nil || string(usage.Log) != want {
		t.Errorf("%v: %q, want %q", err, usage.Log, want)
	}
}

// hostileJS are scripts that try to leave something behind, or to take
// something, and how each ends.
var hostileJS = []attempt{
	{"an endless loop", `while (true);`, "fuel"},
	{"endless recursion", `const f = (n) => 1 + f(n + 1); return f(0)`, "depth"},
	{"recursion by getters", `const o = { get x() { return this.x } }; return o.x`, "depth"},
	{"recursion by proxies", `const p = new Proxy({}, { get(t, k, r) { return r[k] } }); return p.x`, "depth"},
	{"recursion through toString", `const o = { toString() { return "" + this } }; return "" + o`, "depth"},
	{"recursion in JSON", `let x = []; for (let i = 0; i < 1000; i++) x = [x]; return JSON.stringify(x).length / 1e4`, `{"score":0.2002}`},
	{"a list that grows for ever", `const a = []; while (true) a.push(new Uint8Array(1 << 20))`, `{"error"`},
	{"a string of 10^9", `return "x".repeat(1 << 29).length`, `{"error"`},
	{"strings that double", `let s = "x"; while (true) s += s`, `{"error"`},
	{"a typed array of 1 GiB", `return new Uint8Array(1 << 30).length`, `{"error"`},
	{"memory that is taken and given back", `for (let i = 0; i < 20; i++) new Uint8Array(8 << 20).fill(1); return 1`, ""},
	{"a map of a million keys", `const m = new Map(); for (let i = 0; i < 3e6; i++) m.set(i, {}); return m.size`, ""},
	{"a regular expression that backtracks", `return /^(a+)+$/.test("a".repeat(40) + "b") ? 1 : 0`, "fuel"},
	{"a regular expression that nests", `return new RegExp("(".repeat(5000) + ")".repeat(5000)).test("") ? 1 : 0`, ""},
	{"a huge integer", `return Number(10n ** 100000n % 7n)`, ""},
	{"a huge integer as text", `return (2n ** 3000000n).toString().length`, ""},
	{"a sort that never ends", `return [3, 1, 2].sort(() => { while (true); })[0]`, "fuel"},
	{"an answer that loops", `return { get score() { while (true); } }`, "fuel"},
	{"an answer without end", `const a = {}; a.details = a; return a`, `{"error"`},
	{"an answer of 1 MiB", `return { score: 1, reason: "x".repeat(1 << 20) }`, ""},
	{"an answer that is a proxy", `return new Proxy({}, { ownKeys() { throw new Error("gotcha") } })`, `{"error"`},
	{"an answer with toJSON", `return { toJSON() { return 5 } }`, ""},
	{"other prototypes", `Object.prototype.score = 1; Array.prototype.push = Array.prototype.join = null; Function.prototype.call = null; return {}`, ""},
	{"another JSON", `JSON.parse = JSON.stringify = () => "{}"; globalThis.JSON = null; return 0.5`, `{"score":0.5}`},
	{"other globals", `for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} } return 0.5`, `{"score":0.5}`},
	{"frozen primordials", `Object.freeze(Object.prototype); Object.freeze(Array.prototype); return 0.5`, `{"score":0.5}`},
	{"a counter in a closure", `count += 100; return count`, `{"score":100}`},
	{"a promise that waits for itself", `const p = (async () => { await 1; return p })(); return p`, ""},
	{"jobs without end", `const f = () => Promise.resolve().then(f); return f()`, "fuel"},
	{"a generator without end", `function* g() { while (true) yield 1 } return [...g()].length`, ""},
	{"code as text", `return new Function("return eval('1 + 1')")() / 2`, `{"score":1}`},
	{"a module of the system", `return import("os")`, `{"error"`},
	{"a library of the system", `return import("/usr/lib/libc.so")`, `{"error"`},
	{"a file as a module", `return import("/etc/passwd")`, `{"error"`},
	{"much printed", `for (let i = 0; i < 1e3; i++) console.log("x".repeat(100)); return 1`, `{"score":1}`},
	{"weak references", `const w = new WeakRef({}), r = new FinalizationRegistry(() => { count = 7 }); r.register({}, 1); return 1`, `{"score":1}`},
	{"symbols of the driver", `return Object.getOwnPropertySymbols(globalThis).length + (typeof serve === "function" ? 1 : 0)`, ""},
	{"the caller's functions", `return (function f() { return f.caller })() ? 1 : 0`, ""},
	{"an error with a stack that throws", `const e = new Error("x"); Object.defineProperty(e, "stack", { get() { throw 1 } }); throw e`, ""},
	{"an error that cannot be shown", `throw { get message() { throw 1 }, toString: null }`, ""},
	{"an array that lies about its length", `return new Proxy([], { get() { return 1e9 } })`, ""},
	{"spreading a million arguments", `return Math.max(...new Array(1e6).fill(1))`, ""},
	{"a label that is deep", `return new Function("{".repeat(20000) + "}".repeat(20000) + "return 1")()`, ""},
	{"a parser that recurses", `return eval("[".repeat(20000) + "]".repeat(20000)).length`, ""},
	{"a detached buffer", `const b = new ArrayBuffer(8), v = new Uint8Array(b); structuredClone?.(b, { transfer: [b] }); return v.length`, ""},
}

// probeJS tells all that a script can know of its world.
const probeJS = `
let count = 0;
export function score(c, config) {
  if (c.source) return (0, eval)("(function (count) {" + c.source + "})")(count);
  count++;
  return { score: 0, details: {
    count, random: Math.random(), now: Date.now(), clock: performance?.now?.(), globals: Object.getOwnPropertyNames(globalThis).sort().join(),
    prototype: Object.getOwnPropertyNames(Object.prototype).join(), json: JSON.stringify({ a: [1, "é"] }), zone: new Date(0).toString(),
    keys: Object.keys({ b: 1, a: 2, 1: 3 }).join(), locale: (1234.5).toLocaleString(), frozen: Object.isFrozen(Array.prototype), math: Math.exp(1) ** 0.5,
  } };
}`

func TestHostileScript_LeavesNothingInJavaScript(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	nothingStays(t, home{cache: scriptCache(t)}, bundle(t, "score.js", probeJS), wasm.Limits{Fuel: 200_000_000}, `{"score":0,"details":{"count":1,"random":0.`, hostileJS)
}

func BenchmarkJavaScript(b *testing.B) {
	benchmarkScript(b, bundle(b, "score.js", f1JS), wasm.Limits{})
}

func TestImageOfJavaScript_IsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	sameEverywhere(t, "score.js", f1JS)
}

func TestOf_FindsLanguageByFileName(t *testing.T) {
	for file, want := range map[string]string{"a.js": "js", "b/A.MJS": "js", "x.py": "python", "x.wasm": "", "py": ""} {
		if l, _ := script.Of(file); l.Name != want {
			t.Errorf("%s: %q, want %q", file, l.Name, want)
		}
	}
}

// TestJavaScriptModules covers scripts that import files beside them.
func TestJavaScriptModules(t *testing.T) {
	rt := openRuntime(t, "")
	files := map[string]string{
		"helper.js":   "export let n = 0.25; export const more = () => { n += 0.25; return n }; export default { half: 0.5 }",
		"lib/deep.js": "import { n } from '../helper.js'; import { one } from './one.mjs'; export const sum = () => n + one;",
		"lib/one.mjs": "export const one = 0.5;",
		"a.js":        "import { b } from './b.js'; export const a = 1;",
		"b.js":        "import { a } from './a.js'; export const b = 1;",
		"back.js":     "import { score } from './score.js'; export const c = score;",
		"wrong.js":    "export const x = 1;\nexport const y = ;",
		"throws.js":   "throw new Error('at once')",
		"out.js":      "export * from '../../outside.js'",
	}
	for _, tt := range []struct{ name, source, want string }{
		{"a name", "import { n } from './helper.js'; export const score = () => n", `{"score":0.25}`},
		{"a default", "import h from './helper.js'; export const score = () => h.half", `{"score":0.5}`},
		{"all of it", "import * as h from \"./helper.js\"; export const score = () => h.n", `{"score":0.25}`},
		{"re-exported", "export { half as score } from './half.js'", `load: plugin p: ReferenceError: could not load module 'half.js'; a script has the modules beside it`},
		{"one that imports others", "import { sum } from './lib/deep.js'; export const score = () => sum()", `{"score":0.75}`},
		{"later", "import './helper.js'; export const score = async () => (await import('./helper.js')).n", `{"score":0.25}`},
		{"state is that of a new start", "import { more } from './helper.js'; export const score = () => more()", `{"score":0.5}`},
		{"two that import each other", "import { a } from './a.js'; export const score = () => a", "load: plugin p: b.js and a.js import each other; put what both need"},
		{"the script itself", "import { c } from './back.js'; export const score = () => 1", "load: plugin p: back.js and score.js import each other"},
		{"a fault of syntax has its place", "import { x } from './wrong.js'; export const score = () => x", "load: plugin p: SyntaxError: unexpected token in expression: ';'\n    at wrong.js:2:"},
		{"what it throws has its place", "import './throws.js'; export const score = () => 1", "load: plugin p: Error: at once\n    at <anonymous> (throws.js:1:"},
		{"a name that it lacks", "import { gone } from './helper.js'; export const score = () => gone", "load: plugin p: SyntaxError: "},
		{"without its extension", "import { n } from './helper'; export const score = () => n", "load: plugin p: ReferenceError: could not load module 'helper'; a script has"},
		{"out of the directory", "import './out.js'; export const score = () => 1", "load: plugin p: ReferenceError: could not load module '../../outside.js'"},
		{"a package", "import _ from 'lodash'; export const score = () => 1", "load: plugin p: ReferenceError: could not load module 'lodash'; a script has the modules beside it that it imports by a path such as './helper.js', and no packages"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := map[string]string{"score.js": tt.source}
			maps.Copy(all, files)
			for range 2 {
				if got := scoreWith(t, rt, bundleOf(t, "score.js", all), request); !strings.HasPrefix(got, tt.want) {
					t.Fatalf("%s\nwant %s", got, tt.want)
				}
			}
		})
	}
}
