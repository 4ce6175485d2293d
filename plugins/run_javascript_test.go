package plugins_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// newJavaScript returns run-javascript.
func newJavaScript(t testing.TB) runner {
	t.Helper()
	return sharedRunner(t, "run-javascript")
}

// TestRunJavaScript_Cases runs cases.jsonl, in which every row of the README's table of faults has a case.
func TestRunJavaScript_Cases(t *testing.T) {
	t.Parallel()
	newJavaScript(t).cases(t, "run-javascript")
}

// TestRunJavaScript_NoHackScores runs programs that try to pass without solving their task.
func TestRunJavaScript_NoHackScores(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel()
	newJavaScript(t).noHackScores(t, "run-javascript", 300_000_000)
}

// TestRunJavaScript_SharedModeIsMarked runs the same programs in one instance with their tests.
func TestRunJavaScript_SharedModeIsMarked(t *testing.T) {
	t.Parallel()
	newJavaScript(t).sharedIsMarked(t, "run-javascript", 300_000_000)
}

// TestRunJavaScript_NoAnswerPasses has a function answer with values of all kinds, which tests use in many ways.
func TestRunJavaScript_NoAnswerPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel()
	newJavaScript(t).noAnswerPasses(t, "run-javascript", "function f() { return (%s); }", "")
}

// TestRunJavaScript_UsesUpTheJudge: tests that do not end, or take more than there is, by what the candidate may have answered, are a real 0 in training.
func TestRunJavaScript_UsesUpTheJudge(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const source = "export function f(x) { return x; }\nexport const n = 1e12;\nexport default 1e12;"
	r := runnerOf(t, "run-javascript", 100_000_000, scripts(t))
	loop := map[string]any{"output": source, "tests": "for (;;) assert.equal(f(1), 1);"}
	if got, _ := r.run(t, "tests", loop, nil); !strings.Contains(fmt.Sprint(got["failed"]), "fuel") {
		t.Errorf("tests without end answer %v", got)
	}
	r.trained(t, source, map[string]string{
		"assert.equal(f(1), 1);":                           "1",
		"for (;;) assert.equal(f(1), 1);":                  "0",
		"for (let k = 0; k < n; k++); assert.equal(n, 3);": "0",
		"const n = f(1e12); test('x', () => { for (let k = 0; k < n; k++); expect(n).toBe(3); });":  "0",
		"import n from './solution'; for (let k = 0; k < n; k++); assert.equal(n, 3);":              "0",
		"assert.match(f('a'.repeat(40) + '!'), /^(a+)+$/);":                                         "0",
		"const deep = (n) => n && 1 + deep(n - 1); assert.equal(deep(f(1e9)), 3);":                  "0",
		"assert.equal('x'.repeat(f(2 ** 29)).length, 3);":                                           "0",
		"const n = f(1e9), list = []; for (let k = 0; k < n; k++) list.push(new Uint8Array(1000));": "0",
		"const n = f(1e9); globalThis.list = []; for (let k = 0; k < n; k++) list.push([]);":        "0",
		"assert.equal(Buffer.alloc(f(2 ** 31)).length, 3);":                                         "0",
		"const { f } = require('./solution'); for (;;); assert.equal(f(1), 1);":                     "none",
		"const deep = () => 1 + deep(); deep(); assert.equal(f(1), 1);":                             "none",
		"test('a', () => { for (;;); }); test('b', () => { expect(f(1)).toBe(1); });":               "none",
	})
	for export, row := range map[string]map[string]any{
		"calls": {"entry_point": "f", "calls": []any{map[string]any{"args": []any{1}, "expected": 1}, map[string]any{"args": []any{"a"}, "expected": "b"}}},
		"io":    {"tests_io": []any{map[string]any{"input": "", "output": "x"}}},
	} {
		if score, got := r.outcome(t, candidate{source: source}, task{export, row}, map[string]any{"unsupported": "failed"}); score != "0" {
			t.Errorf("%s: the score %s: %v", export, score, got)
		}
	}
}

// FuzzRunJavaScript_NoCandidatePasses does the same with programs that no person wrote.
func FuzzRunJavaScript_NoCandidatePasses(f *testing.F) {
	if testing.Short() {
		f.Skip("slow: runs without -short")
	}
	newJavaScript(f).noCandidatePasses(f, "run-javascript", "forger.js", "function |=> |class |import |export |async |await |if |else |return |javascript\n|const |let |;|`|${|/*|//|...|new |yield |require|module.exports|globalThis|Proxy|?.")
}

// TestRunJavaScript_ListsWhatWasTried compares the list in HACKS.md with the corpus.
func TestRunJavaScript_ListsWhatWasTried(t *testing.T) { listsWhatWasTried(t, "run-javascript") }

// TestRunJavaScript_UsesTheSameFuel runs cases again, in another order and another instance.
func TestRunJavaScript_UsesTheSameFuel(t *testing.T) {
	t.Parallel()
	sameFuel(t, "run-javascript", newJavaScript(t), runnerOf(t, "run-javascript", judgeFuel, scripts(t)))
}

// TestRunJavaScript_AssertsAsTheRealTools: what node:assert, Jest's expect and chai say of a table of assertions, which
// bench/candidates/assertions.mjs has asked them. Values are made by the tests, in two instances and in one, and
// by the candidate. A run without TEST_FULL has some of the assertions.
func TestRunJavaScript_AssertsAsTheRealTools(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel()
	var table struct {
		Groups []struct {
			Values  []string
			Answers map[string]string
		}
		Single map[string]string
	}
	b, err := os.ReadFile("run-javascript/testdata/assertions.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &table); err != nil {
		t.Fatal(err)
	}
	r, tried := newJavaScript(t), amount.OneIn(320)
	const setup = `
const said = async (f) => { let says = 'F'; await assert.rejects(async () => { await f(); says = 'P'; throw new Error(); }); return says; };
const same = (got, wanted, of) => { if (got !== wanted) throw new assert.AssertionError({ message: of(got, wanted), actual: got, expected: wanted, operator: 'agrees' }); };
const row = async (text, wanted, A, B, f) => {
  let got = '';
  for (const a of A) if (B === undefined) got += await said(() => f(a())); else for (const b of B) got += await said(() => f(a(), b()));
  same(got, wanted, () => text + ': ' + [...got].map((x, k) => x === wanted[k] ? '' : (B === undefined ? A[k] : A[Math.floor(k / B.length)] + ' and ' + B[k % B.length]) + ' is ' + x).filter(Boolean).slice(0, 8).join('; '));
};
`
	check := func(t *testing.T, source, setup string, tests []string, isolation string) {
		t.Helper()
		for some := range slices.Chunk(tests, 2) { // a row is up to 576 assertions, which may take a quarter of the judge's fuel
			got, _ := r.run(t, "tests", map[string]any{"output": source, "setup": setup, "tests": some}, map[string]any{"isolation": isolation, "score": "share"})
			if score, ok := got["score"].(json.Number); !ok || score.String() != "1" {
				t.Errorf("%v", got)
			}
		}
	}
	for k, g := range table.Groups {
		var here, there, crossing []string
		for _, v := range g.Values {
			own, stays := strings.CutPrefix(v, "~")
			here = append(here, "() => ("+own+")")
			if !stays {
				crossing = append(crossing, own)
				there = append(there, "() => ("+own+")")
			}
		}
		var tests, theirs []string
		for _, text := range slices.Sorted(maps.Keys(g.Answers)) {
			if !tried() {
				continue
			}
			row, pairs := g.Answers[text], len(g.Answers[text]) > len(g.Values)
			quoted, b := strconv.Quote(text), "undefined"
			if pairs {
				b = "values"
			}
			tests = append(tests, fmt.Sprintf("touch(); await row(%s, %q, values, %s, (A, B) => (%s));", quoted, row, b, text))
			var crossed strings.Builder // the answers for values that cross
			for i, x := range []byte(row) {
				first, second := i, 0
				if pairs {
					first, second = i/len(g.Values), i%len(g.Values)
				}
				if !strings.HasPrefix(g.Values[first], "~") && !(pairs && strings.HasPrefix(g.Values[second], "~")) {
					crossed.WriteByte(x)
				}
			}
			if pairs {
				b = "others"
			}
			theirs = append(theirs, fmt.Sprintf("await row(%s, %q, candidates, %s, (A, B) => (%s));", quoted, crossed.String(), b, text))
		}
		values := "const values = [" + strings.Join(here, ", ") + "];\n"
		t.Run(fmt.Sprintf("group %d", k), func(t *testing.T) { check(t, "function touch() {}", setup+values, tests, "isolated") })
		t.Run(fmt.Sprintf("group %d in one instance", k), func(t *testing.T) { check(t, "function touch() {}", setup+values, tests, "shared") })
		if len(crossing) == 0 {
			continue
		}
		t.Run(fmt.Sprintf("group %d of the candidate", k), func(t *testing.T) {
			check(t, "const made = ["+strings.Join(there, ", ")+"];\nfunction value(k) { return made[k](); }",
				setup+fmt.Sprintf("const candidates = Array.from({ length: %d }, (_, k) => Object.assign(() => value(k), { toString: () => 'value ' + k }));\nconst others = [%s];\n", len(crossing), strings.Join(there, ", ")), theirs, "isolated")
		})
	}
	var tests []string
	for _, text := range slices.Sorted(maps.Keys(table.Single)) {
		tests = append(tests, fmt.Sprintf("touch(); same(await said(async () => { %s }), %q, () => %s);", text, table.Single[text], strconv.Quote(text)))
	}
	t.Run("single", func(t *testing.T) {
		one := amount.OneIn(20)
		some := slices.DeleteFunc(slices.Clone(tests), func(string) bool { return !one() })
		check(t, "function touch() {}", setup, some, "isolated")
	})
	for _, isolation := range []string{"isolated", "shared"} {
		t.Run("heavy: single, "+isolation, func(t *testing.T) {
			amount.Heavy(t)
			check(t, "function touch() {}", setup, tests, isolation)
		})
	}
}

// TestRunJavaScript_Exercises runs right and wrong programs for exercises as people write them, with tests that keep, replace, wait and call back.
// What has no score is marked.
func TestRunJavaScript_Exercises(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("run-javascript/testdata/exercises.txt")
	if err != nil {
		t.Fatal(err)
	}
	r, programs, chance := newJavaScript(t), 0, amount.OneIn(20)
	for _, exercise := range strings.Split(string(b), "#### ")[1:] {
		name, parts, _ := strings.Cut(exercise, "\n=== tests\n")
		tests, list, _ := strings.Cut(parts, "\n=== ")
		for _, part := range strings.Split(list, "\n=== ") {
			kind, source, _ := strings.Cut(part, "\n")
			programs++
			title := "exercise " + name + ", " + kind
			want := map[string]string{"right": "1", "wrong": "0", "right, no score": "none", "wrong, no score": "none"}[kind]
			runCase(t, "run-javascript", title, chance, func(t *testing.T) {
				if score, got := r.outcome(t, candidate{source: source}, task{Export: "tests", Case: map[string]any{"tests": tests}}, map[string]any{"fuel": 4_000_000_000}); score != want {
					t.Errorf("it has the score %s: %v\n%s", score, got, source)
				}
			})
		}
	}
	if programs < 200 {
		t.Errorf("%d programs", programs)
	}
}

// TestRunJavaScript_DefectsOfTheJudge breaks the judge's own code, each time in one place: no defect becomes a number, whoever catches it.
func TestRunJavaScript_DefectsOfTheJudge(t *testing.T) {
	t.Parallel()
	rt := wasmtest.Runtime(t, scripts(t))
	const output = "class A { f(x) { return x; } }\nconst g = (x) => x;"
	for _, defect := range []struct{ file, in, tests string }{
		{"assert.js", "const [actual, expected, message] = args;", "g(1); assert.strictEqual(g(1), 1);"},
		{"equal.js", "const tag = tagOf(a), view = ArrayBuffer.isView(a), list = Array.isArray(a);", "assert.deepStrictEqual(g([1]), [1]);"},
		{"equal.js", "const tag = tagOf(a), view = ArrayBuffer.isView(a), list = Array.isArray(a);", "let e; g(1); try { assert.deepStrictEqual([1], [1]); } catch (x) { e = x; } assert.strictEqual(g(1), 1);"},
		{"equal.js", "const tag = tagOf(a);\n", "test('x', () => { expect(g([1])).toEqual([1]); });"},
		{"equal.js", "const tag = tagOf(a);\n", "test('x', () => { g(1); expect(() => expect([1]).toEqual([1])).toThrow(); });"},
		{"expect.js", "const keys = pathOf(path);", "test('x', () => { expect(g({ a: 1 })).toHaveProperty('a'); });"},
		{"mock.js", "const { state } = mock,", "test('x', () => { const f = jest.fn(); f(g(1)); expect(f).toHaveBeenCalled(); });"},
		{"judge.js", "const coded = this.encoded(own === 1", "assert.strictEqual(g(1), 1);"},
		{"judge.js", "const coded = this.encoded(own === 1", "new A(); assert.throws(() => g(1), TypeError);"},
		{"judge.js", "const coded = this.encoded(own === 1", "new A(); let e; try { g(1); } catch (x) { e = x; } assert.ok(e);"},
		{"judge.js", "const coded = this.encoded(args, \"make a \" + name);", "g(1); assert.throws(() => new A());"},
		{"judge.js", "const v = this.value(reply), own = handleOf(v);", "g(1); assert.throws(() => new A().f(1));"},
		{"lent.js", "const encoder = new Encoder(", "assert.throws(() => g(1), TypeError);"},
		{"requests.js", "let reply = this.answer(entry, within === undefined);", "new A(); assert.throws(() => g(1), TypeError);"},
		{"names.js", "const kept = this.candidate.shared", "assert.throws(() => g(1), TypeError);"},
		{"groups.js", "const inner = [], failed = []", "test('x', (done) => { expect(g(1)).toBe(1); done(); });"},
		{"wire.js", "const known = this.shared.idOf(v)", "g(1); assert.throws(() => g([1]));"},
		{"wire.js", "const to = this.empty(m[1], v);", "assert.deepStrictEqual(g([1]), [1]);"},
		{"wire.js", "const to = this.empty(m[1], v);", "assert.throws(() => g([1]));"},
		{"clock.js", "const { f, args } = t;", "test('x', async () => { await new Promise((done) => setTimeout(done, 1)); expect(g(1)).toBe(1); });"},
	} {
		s, err := script.Read(plugins.Named("run-javascript").Module)
		if err != nil {
			t.Fatal(err)
		}
		before := s.Files[defect.file]
		s.Files[defect.file] = strings.Replace(before, defect.in, "if (globalThis.peer !== undefined) null.broken; "+defect.in, 1)
		if s.Files[defect.file] == before {
			t.Fatalf("%s has no %q", defect.file, defect.in)
		}
		module, err := s.Module()
		if err != nil {
			t.Fatal(err)
		}
		m, err := rt.Load(t.Context(), wasm.Source{Name: "run-javascript", Module: module}, wasm.Limits{Fuel: 20_000_000_000, PeerFuel: 20_000_000_000, Deadline: 10 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if score, got := (runner{m}).outcome(t, candidate{source: output}, task{Export: "tests", Case: map[string]any{"tests": defect.tests}}, nil); score != "none" {
			t.Errorf("a defect at %s, %q, with %q has the score %s: %v", defect.file, defect.in, defect.tests, score, got)
		}
	}
}
