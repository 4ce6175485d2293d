package plugins_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestRunPython_Cases runs cases.jsonl, in which every row of the README's table of faults has a case.
func TestRunPython_Cases(t *testing.T) {
	t.Parallel()
	newRunner(t).cases(t, "run-python")
}

// cases runs the cases of a plugin but those of some names, and compares those of faults with the table in its README.
func (r runner) cases(t *testing.T, plugin string, but ...string) {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(plugin, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "## Whose fault")
	table, _, _ = strings.Cut(table, "\n## ")
	faults, chance := 0, amount.OneIn(30)
	for line := range strings.Lines(string(plugins.Named(plugin).Cases)) {
		var c struct {
			Name, Export         string
			Case, Config, Expect map[string]any
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if fault, ok := strings.CutPrefix(c.Name, "fault: "); ok {
			faults++
			if !strings.Contains(table, "| "+fault+" |") {
				t.Errorf("the README's table has no row %q", fault)
			}
		}
		if slices.Contains(but, c.Name) {
			continue
		}
		runCase(t, plugin, c.Name, chance, func(t *testing.T) {
			got, _ := r.run(t, c.Export, c.Case, c.Config)
			if s := differ(c.Expect, got, 1e-9); s != "" {
				t.Errorf("%s\n%v", s, got)
			}
		})
	}
	if rows := strings.Count(table, "\n| ") - 1; rows != faults { // but for the head
		t.Errorf("the README's table has %d rows, cases.jsonl %d", rows, faults)
	}
}

// heavy are the cases, hacks and exercises that take half of the time of all: they are large, or have no
// end and use up their fuel. Others of their kind are small.
var heavy = map[string][]string{
	"run-python": {
		"a generator of 21,000 items", "a generator over a large list", "crossing: many objects",
		"unittest: so are many lists to be counted", "unittest: so is a long dict", "unittest: a long list is a wrong answer, of which no difference is made",
		"fault: it calls functions of the tests too often", "callbacks: callback reenters, wrong", "callbacks: callback reenters without end", "callbacks: dp callback many, right",
		"callbacks: path mutation, right", "callbacks: path mutation, alias", "tests: fuel pow, big", "mocks: create_autospec of classes of both sides", "mocks: create_autospec of classes of both sides, wrong",
		"io: the checker loops with what the candidate has printed", "bounds: more calls of a mock than are noted", "bounds: a list of many lists, right",
		"callbacks: many, right", "callbacks: memoize, right", "tests: more values than all answers may have", "tests: BCB mocks requests-like, wrong",
		"endless-iterator", "loop-without-end", "many-values", "much-memory", "too-many-files", "never-ends-what-is-awaited", "forged-lack",
	},
	"run-javascript": {
		"fault: the tests pass more than fits", "fault: it calls functions of the tests too often", "fault: a program that prints too much",
		"callbacks: two thousand, which note what they get",
		"callbacks: comparisons that count", "callbacks: a wrong guess that does not end is none",
		"callbacks: more than are guessed at once", "callbacks: a mock that computes", "own: symbol flood, wrong",
		"fault: its answer is too large", "value: a long text", "forged-lack",
		"exercise sort, right", "exercise mock, right", "exercise mock, wrong", "exercise until, right", "exercise until, wrong",
		"endless-iterator", "rigged-iterator", "iterator-without-end",
	},
}

// runCase runs a case, a hack or an exercise: a heavy one always or never, of the others those that
// chance takes.
func runCase(t *testing.T, plugin, name string, chance func() bool, test func(t *testing.T)) {
	t.Helper()
	if !slices.Contains(heavy[plugin], name) {
		if chance() {
			t.Run(name, test)
		}
		return
	}
	t.Run("heavy: "+name, func(t *testing.T) {
		amount.Heavy(t)
		test(t)
	})
}

// A candidate of a corpus: a program for a task of tasks.json.
type candidate struct{ name, task, shared, source string }

// corpus reads programs, each behind a line "### name | task | scores if shared |
// attempt".
func corpus(t testing.TB, plugin, file string) (list []candidate) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(plugin, "testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(b), "### ")[1:] {
		head, source, _ := strings.Cut(part, "\n")
		f := append(strings.Split(head, " | "), head, "-")
		list = append(list, candidate{f[0], f[1], f[2], source})
	}
	return list
}

// A task is the problem that the candidates of a corpus solve.
type task struct {
	Export string
	Case   map[string]any
}

func tasks(t testing.TB, plugin string) (all map[string]task) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(plugin, "testdata", "tasks.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// outcome runs a candidate: its score, or "none".
func (r runner) outcome(t *testing.T, c candidate, of task, config map[string]any) (string, map[string]any) {
	t.Helper()
	row := map[string]any{"output": c.source}
	maps.Copy(row, of.Case)
	got, _ := r.run(t, of.Export, row, config)
	if score, ok := got["score"]; ok {
		return strings.TrimSuffix(fmt.Sprint(score), ".0"), got
	}
	return "none", got
}

// TestRunPython_NoHackScores runs programs that try to pass without solving their task. None does,
// and each is a real 0, while a right program passes.
func TestRunPython_NoHackScores(t *testing.T) {
	t.Parallel()
	newRunner(t).noHackScores(t, "run-python", 300_000_000)
}

// muchFuel is that of hacks which end, and take more fuel before than others are given.
var muchFuel = map[string]int{"many-values": 2_000_000_000, "too-many-files": 2_000_000_000}

func (r runner) noHackScores(t *testing.T, plugin string, fuel int) {
	t.Helper()
	all, right, chance := tasks(t, plugin), map[string]bool{}, amount.OneIn(30)
	for _, c := range corpus(t, plugin, "right.txt") {
		right[c.name] = true
		runCase(t, plugin, "right for "+c.name, chance, func(t *testing.T) {
			if score, got := r.outcome(t, candidate{source: c.source}, all[c.name], nil); score != "1" {
				t.Errorf("it has the score %s: %v", score, got)
			}
		})
	}
	hacks := corpus(t, plugin, "hacks.txt")
	for _, c := range hacks {
		runCase(t, plugin, c.name, chance, func(t *testing.T) {
			if !right[c.task] {
				t.Fatalf("no right program is known for the task %s", c.task)
			}
			config := map[string]any{"unsupported": "failed", "fuel": max(fuel, muchFuel[c.name])}
			if score, got := r.outcome(t, c, all[c.task], config); score != "0" {
				t.Errorf("it has the score %s: %v", score, got)
			}
		})
	}
	if len(hacks) < 60 {
		t.Errorf("%d hacks", len(hacks))
	}
}

// TestRunPython_NoAnswerPasses has a function answer with values of all kinds, which tests use in many ways.
func TestRunPython_NoAnswerPasses(t *testing.T) {
	t.Parallel()
	newRunner(t).noAnswerPasses(t, "run-python", "def f():\n    return %s", "def r():\n    return f()\n\n\ndef ident(*a, **k):\n    return a[0] if a else k\n\n\n")
}

// noAnswerPasses: no value is right, and each use of it is a real 0, for which no defect of the judge is the reason. function is
// the text of the function that answers, and setup precedes each use. A program has the definitions that it needs: imports
// take most of its time.
func (r runner) noAnswerPasses(t *testing.T, plugin, function, setup string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(plugin, "testdata", "answers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Program      [][2]string // a name, and its definition, which needs earlier ones
		Values, Uses []string
	}
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	chance, config := amount.OneIn(len(all.Values)*len(all.Uses)/80), map[string]any{"unsupported": "failed", "fuel": 1_000_000_000}
	for _, value := range all.Values {
		for _, use := range all.Uses {
			if !chance() {
				continue
			}
			source := fmt.Sprintf(function, value)
			for _, d := range slices.Backward(all.Program) {
				if regexp.MustCompile(`\b` + d[0] + `\b`).MatchString(use + source) {
					source = d[1] + "\n" + source
				}
			}
			if score, got := r.outcome(t, candidate{source: source}, task{"tests", map[string]any{"tests": setup + use}}, config); score != "0" || strings.Contains(fmt.Sprint(got["reason"]), "fails by itself") {
				t.Errorf("%s in %q has the score %s: %v", value, use, score, got)
			}
		}
	}
}

// TestRunPython_SharedModeIsMarked runs the same programs in one instance with their tests.
func TestRunPython_SharedModeIsMarked(t *testing.T) {
	t.Parallel()
	newRunner(t).sharedIsMarked(t, "run-python", 300_000_000)
}

// sharedIsMarked: those that the corpus marks score, the right programs do, and every answer says that it is shared.
func (r runner) sharedIsMarked(t *testing.T, plugin string, fuel int) {
	t.Helper()
	all := tasks(t, plugin)
	list := corpus(t, plugin, "hacks.txt")
	for _, c := range corpus(t, plugin, "right.txt") {
		list = append(list, candidate{"right for " + c.name, c.name, "shared", c.source})
	}
	chance := amount.OneIn(30)
	for _, c := range list {
		if all[c.task].Export != "tests" {
			continue
		}
		runCase(t, plugin, c.name, chance, func(t *testing.T) {
			score, got := r.outcome(t, c, all[c.task], map[string]any{"isolation": "shared", "unsupported": "failed", "fuel": max(fuel, muchFuel[c.name])})
			if want := map[string]string{"shared": "1", "shared, no score": "none", "-": "0"}[c.shared]; score != want {
				t.Errorf("it has the score %s, the corpus says %q: %v", score, c.shared, got)
			}
			if details, _ := got["details"].(map[string]any); score != "none" && details["isolation"] != "shared" {
				t.Errorf("it is not marked: %v", got)
			}
		})
	}
}

// TestRunPython_ListsWhatWasTried compares the list in HACKS.md with the corpus.
func TestRunPython_ListsWhatWasTried(t *testing.T) { listsWhatWasTried(t, "run-python") }

func listsWhatWasTried(t *testing.T, plugin string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(plugin, "HACKS.md"))
	if err != nil {
		t.Fatal(err)
	}
	corpusText, err := os.ReadFile(filepath.Join(plugin, "testdata", "hacks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all, shared := 0, 0
	for line := range strings.Lines(string(corpusText)) {
		head, ok := strings.CutPrefix(strings.TrimSpace(line), "### ")
		if !ok {
			continue
		}
		f := strings.Split(head, " | ")
		if len(f) != 4 || !slices.Contains([]string{"-", "shared", "shared, no score"}, f[2]) {
			t.Fatalf("%q", head)
		}
		row := fmt.Sprintf("| `%s` | %s | %s |", f[0], f[3], map[string]string{"shared": "yes", "shared, no score": "no number", "-": ""}[f[2]])
		if !strings.Contains(string(b), row) {
			t.Errorf("HACKS.md has no row\n%s", row)
		}
		all++
		if f[2] == "shared" {
			shared++
		}
	}
	for _, count := range []string{fmt.Sprintf("\n%d programs that try", all), fmt.Sprintf("`isolation: shared`, %d score.", shared)} {
		if !strings.Contains(string(b), count) {
			t.Errorf("HACKS.md does not say %q", count)
		}
	}
}

// TestRunPython_UsesTheSameFuel runs some cases again, in another order and another instance.
func TestRunPython_UsesTheSameFuel(t *testing.T) {
	t.Parallel()
	sameFuel(t, "run-python", newRunner(t), runnerOf(t, "run-python", judgeFuel, scripts(t)))
}

func sameFuel(t *testing.T, plugin string, r, other runner) {
	t.Helper()
	all, chance := tasks(t, plugin), amount.OneIn(16)
	list := slices.DeleteFunc(corpus(t, plugin, "right.txt"), func(candidate) bool { return !chance() })
	use := func(r runner, c candidate) wasm.Usage {
		row := map[string]any{"output": c.source}
		maps.Copy(row, all[c.name].Case)
		_, usage := r.run(t, all[c.name].Export, row, nil)
		return usage
	}
	seen := map[string]wasm.Usage{}
	for _, c := range list {
		seen[c.name] = use(r, c)
		if seen[c.name].PeerFuel == 0 {
			t.Errorf("%s uses no fuel in its peer", c.name)
		}
	}
	slices.Reverse(list)
	for _, c := range list {
		if u := use(other, c); u.Fuel != seen[c.name].Fuel || u.PeerFuel != seen[c.name].PeerFuel {
			t.Errorf("%s: fuel %d and %d, before %d and %d", c.name, u.Fuel, u.PeerFuel, seen[c.name].Fuel, seen[c.name].PeerFuel)
		}
	}
}

// TestRunPython_JudgeOutOfFuelHasNoScore: tests that do not end are not the candidate's fault, as far as anybody can tell.
func TestRunPython_JudgeOutOfFuelHasNoScore(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const source = "def f(x):\n    return x"
	r := runnerOf(t, "run-python", 100_000_000, scripts(t))
	if score, got := r.outcome(t, candidate{source: source}, task{"tests", map[string]any{"tests": "assert f(1) == 1"}}, nil); score != "1" {
		t.Fatalf("tests that end: the score %s: %v", score, got)
	}
	got, _ := r.run(t, "tests", map[string]any{"output": source, "tests": "while True:\n    assert f(1) == 1\n"}, nil)
	if s, _ := got["failed"].(string); !strings.Contains(s, "fuel") && !strings.Contains(fmt.Sprint(got["error"]), "more than") {
		t.Errorf("tests without end answer %v", got)
	}
	r.trained(t, source, map[string]string{
		"n = f(10 ** 12)\nfor k in range(n):\n    pass\nassert n == 3\n":                          "0",
		"assert sum(range(f(10 ** 12))) == 3\n":                                                   "0",
		"from solution import f\nwhile True:\n    pass\nassert f(1) == 1\n":                       "none",
		"def test_a():\n    assert f(1) == 1\n\n\ndef test_b():\n    while True:\n        pass\n": "none",
	})
}

// trained: in training, what the candidate has answered is no way to avoid a 0.
func (r runner) trained(t *testing.T, source string, tests map[string]string) {
	t.Helper()
	for text, want := range tests {
		if score, got := r.outcome(t, candidate{source: source}, task{"tests", map[string]any{"tests": text}}, map[string]any{"unsupported": "failed"}); score != want {
			t.Errorf("%s: the score %s: %v", text, score, got)
		}
	}
}

// secretTests are cases of every form whose tests expect SECRET: no program can pass
// them that does not get at its judge.
var secretTests = map[string][]task{
	"run-python": append([]task{
		{"tests", map[string]any{"entry_point": "add", "prompt": "def add(a: int, b: int) -> int:\n", "tests": "def check(candidate):\n    assert candidate(1, 2) == 'SECRET'\n"}},
		{"tests", map[string]any{"tests": "import unittest\nfrom solution import add\n\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 'SECRET')\n"}},
		{"tests", map[string]any{"tests": "import solution\n\n\ndef test_add():\n    assert solution.add(1, 2) == 'SECRET'\n"}},
		{"tests", map[string]any{"tests": ">>> add(1, 2)\n'SECRET'\n"}},
		{"tests", map[string]any{"tests": "s = Stack()\ns.push(1)\nassert s.pop() == 'SECRET'\n"}},
		{"tests", map[string]any{"tests": "assert (Vector(1, 2) + Vector(3, 4)).x == 'SECRET'\n"}},
		{"io", map[string]any{"tests_io": []any{map[string]any{"input": "3\n1 2 3\n", "output": "SECRET\n"}}}},
		{"calls", map[string]any{"entry_point": "Solution.twoSum", "calls": []any{map[string]any{"args": []any{[]int{2, 7}, 9}, "expected": "SECRET"}}}},
	}, secretCalls("assert %s == 'SECRET'", "add(1, 2)", "area(2.0)", "half(3)", "best([3, 9, 4])", "is_prime(7)", "is_small(1)", "divisors(6)", "greet('Bob')", "table(2)['rows']", "arrange([3, 1])", "parse('3')")...),
	"run-javascript": append([]task{
		{"tests", map[string]any{"entry_point": "add", "tests": "function check(candidate) {\n  console.assert(candidate(1, 2) === 'SECRET');\n}\n"}},
		{"tests", map[string]any{"tests": "import { add } from './solution';\ndescribe('add', () => {\n  it('adds', () => { expect(add(1, 2)).toBe('SECRET'); expect(['SECRET']).toContain(add(1, 2)); });\n});\n"}},
		{"tests", map[string]any{"tests": "assert.ok(`${add(1, 2)}` === 'SECRET');"}},
		{"tests", map[string]any{"tests": "const s = new Stack();\ns.push(1);\nassert.equal(s.pop(), 'SECRET');\n"}},
		{"io", map[string]any{"tests_io": []any{map[string]any{"input": "3\n1 2 3\n", "output": "SECRET\n"}}}},
		{"calls", map[string]any{"entry_point": "add", "calls": []any{map[string]any{"args": []int{1, 2}, "expected": "SECRET"}}}},
	}, secretCalls("assert.deepEqual(%s, 'SECRET')", "add(1, 2)", "table(2).rows", "area(2)", "parse('3')", "await load(2)", "arrange([3, 1])", "[...upTo(3)][0]")...),
}

// secretCalls returns cases of one assertion about each call.
func secretCalls(assertion string, calls ...string) (list []task) {
	for _, call := range calls {
		list = append(list, task{"tests", map[string]any{"tests": []string{fmt.Sprintf(assertion, call)}}})
	}
	return list
}

// of returns the task with another secret for SECRET.
func (c task) of(t testing.TB, secret string) (made task) {
	t.Helper()
	b, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal([]byte(strings.ReplaceAll(string(b), "SECRET", secret)), &made)
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestSecretTests_CanBePassed: a program that holds the secret passes every form.
func TestSecretTests_CanBePassed(t *testing.T) {
	t.Parallel()
	for plugin, source := range map[string]string{
		"run-python": `def add(*a):
    return 'SECRET'


area = half = best = is_prime = is_small = divisors = greet = arrange = parse = add


def table(n):
    return {'rows': 'SECRET'}


class Stack:
    def push(self, x):
        pass

    def pop(self):
        return 'SECRET'


class Vector:
    def __init__(self, x, y):
        self.x = x

    def __add__(self, other):
        return Vector('SECRET', 0)


class Solution:
    def twoSum(self, nums, target):
        return 'SECRET'


print('SECRET')
`,
		"run-javascript": `function add() { return 'SECRET'; }
const area = add, parse = add, load = async () => 'SECRET', arrange = add, upTo = () => ['SECRET'], table = () => ({ rows: 'SECRET' });
class Stack { push() {} pop() { return 'SECRET'; } }
console.log('SECRET');
`,
	} {
		t.Run(plugin, func(t *testing.T) {
			r := map[string]func(testing.TB) runner{"run-python": newRunner, "run-javascript": newJavaScript}[plugin](t)
			for _, of := range secretTests[plugin] {
				c := candidate{source: strings.ReplaceAll(source, "SECRET", "known")}
				if score, got := r.outcome(t, c, of.of(t, "known"), nil); score != "1" {
					t.Errorf("%v: the score %s: %v", of.Case, score, got)
				}
				if score, got := r.outcome(t, c, of.of(t, "another"), nil); score != "0" {
					t.Errorf("%v: the score %s with another secret: %v", of.Case, score, got)
				}
			}
		})
	}
}

// FuzzRunPython_NoCandidatePasses runs programs that no person wrote: parts of hacks, random text,
// programs that answer the judge with random messages, and mutations of these. Each is a real 0.
func FuzzRunPython_NoCandidatePasses(f *testing.F) {
	newRunner(f).noCandidatePasses(f, "run-python", "forger.py", "def |lambda|class |import |async |await |if |else|return |python\n|    |\"\"\"")
}

// noCandidatePasses begins with 100 programs, or 10,000. words are those of the language, separated by "|".
// The tests expect a digest of the program with a salt, which no program can hold.
func (r runner) noCandidatePasses(f *testing.F, plugin, file, words string) {
	f.Helper()
	forger, err := os.ReadFile(filepath.Join(plugin, "testdata", file))
	if err != nil {
		f.Fatal(err)
	}
	hacks := corpus(f, plugin, "hacks.txt")
	pieces := append(strings.Split(words, "|"), strings.Split("add|os|(|)|:|\n|a|b|+|```|\x00|\ufeff|é|\U0001F600|'|\\|\t|[|]|{|}|0|1e9|\r\n|#|@|\f|=|~~~", "|")...)
	random := rand.New(rand.NewPCG(14, 1))
	lines := func() []string { return strings.Split(hacks[random.IntN(len(hacks))].source, "\n") }
	for k := range amount.Of(100, 10_000) {
		var source string
		switch random.IntN(5) {
		case 0:
			source = randomText(random, pieces)
		case 1, 2:
			source = strings.Replace(string(forger), "SEED", strconv.Itoa(k), 1)
		default:
			a, b := lines(), lines()
			source = strings.Join(append(a[:random.IntN(len(a)+1)], b[random.IntN(len(b)+1):]...), "\n")
		}
		f.Add(uint8(k), source)
	}
	forms := secretTests[plugin]
	f.Fuzz(func(t *testing.T, form uint8, source string) {
		secret := fmt.Sprintf("%x", sha256.Sum256([]byte("no program holds this: "+source)))
		of := forms[int(form)%len(forms)].of(t, secret)
		if score, got := r.outcome(t, candidate{source: source}, of, map[string]any{"unsupported": "failed", "fuel": 300_000_000}); score != "0" {
			t.Errorf("for %v, a program has the score %s: %v\n%s", of.Case, score, got, source)
		}
	})
}

// randomText returns pieces of text in no order.
func randomText(random *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range random.IntN(60) {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}
