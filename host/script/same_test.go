package script_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A native interpreter is one of the machine. Its program runs every scorer on
// every case: it reads {"file", "scorers", "cases"} and writes a list of lists
// of answers.
type native struct {
	variable string   // of the environment, that names another one
	commands []string // the first that works is taken
	version  []string // arguments that make it say its path and its version, or fail if it is too old for the scorers
	program  []string
	scorers  *regexp.Regexp // in a file
	path, is string         // what find found
}

var natives = map[string]native{
	".py": {
		variable: "SCRIPT_PYTHON",
		commands: []string{"python3.13", "python3"},
		version:  []string{"-c", "import platform as p, sys; sys.version_info < (3, 11) and sys.exit(1); print(sys.executable); print(p.python_version(), p.libc_ver()[0])"},
		scorers:  regexp.MustCompile(`(?m)^def ([a-z]\w*)\(`),
		program: []string{"-I", "-B", "-c", `
import importlib.util, json, sys
told = json.load(sys.stdin)
spec = importlib.util.spec_from_file_location("scorers", told["file"])
m = sys.modules["scorers"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(m)
def one(f, case):
    v = f(case, {})
    if v is None: return {"unscored": f.__name__ + "() returned None"}
    if isinstance(v, dict): # what the contract does not name becomes details
        more = {k: v.pop(k) for k in list(v) if k not in ("score", "unscored", "reason", "hits", "misses", "details")}
        return {**v, "details": {**v.get("details", {}), **more}} if more else v
    return {"score": int(v) if isinstance(v, bool) else v}
json.dump([[one(getattr(m, name), case) for case in told["cases"]] for name in told["scorers"]], sys.stdout)
`},
	},
	".js": {
		variable: "SCRIPT_NODE",
		commands: []string{"node"},
		version:  []string{"-p", "parseInt(process.versions.node) < 20 ? process.exit(1) : process.execPath + '\\n' + process.version"},
		scorers:  regexp.MustCompile(`(?m)^export (?:const|function) (\w+)`),
		program: []string{"--input-type=module", "-e", `
import { readFileSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const told = JSON.parse(readFileSync(0, "utf8"));
const dir = mkdtempSync(join(tmpdir(), "scorers-")), file = join(dir, "scorers.mjs");
copyFileSync(told.file, file);
const m = await import(file);
rmSync(dir, { recursive: true });
const named = ["score", "unscored", "reason", "hits", "misses"];
const one = (name, v) => {
  if (v === null) return { unscored: name + "() returned null" };
  if (typeof v !== "object") return { score: Number(v) };
  const { details, ...rest } = v, more = Object.entries(rest).filter(([k]) => !named.includes(k));
  const kept = Object.fromEntries(Object.entries(rest).filter(([k]) => named.includes(k)));
  return more.length || details ? { ...kept, details: { ...details, ...Object.fromEntries(more) } } : kept;
};
console.log(JSON.stringify(told.scorers.map((name) => told.cases.map((c) => one(name, m[name](c, {}))))));
`},
	},
}

// A difference is a known difference, and its reason.
type difference struct {
	scorer  *regexp.Regexp
	outside *regexp.Regexp // versions of the interpreter outside that differ
	most    uint64         // numbers may be so many units in the last place apart
	why     string
}

// whatever is for answers that need not resemble each other at all.
const whatever = math.MaxUint64

var differences = []difference{
	{regexp.MustCompile(`\.py/errors_libm$`), regexp.MustCompile(``), 64, "gamma, erfc and what is made of them multiply what exp and pow differ by"},
	{regexp.MustCompile(`\.py/.*_libm$`), regexp.MustCompile(``), 16, "exp, log, pow and the like are musl's here and the machine's C library's outside"},
	{regexp.MustCompile(`\.js/.*_libm$`), regexp.MustCompile(``), 16, "exp, log, pow and the like are musl's here and fdlibm's in Node"},
	{regexp.MustCompile(`\.js/.*_intl$`), regexp.MustCompile(``), whatever, "there are no tables of languages here"},
	{regexp.MustCompile(`\.py/hashed_32$`), regexp.MustCompile(``), whatever, "hash(), the order of sets and C's long are those of a machine of 32 bits"},
	{regexp.MustCompile(`\.py/mixed_32$`), regexp.MustCompile(``), whatever, "sum() of floats is compensated until an integer comes that C's long does not hold, which has 32 bits here"},
	{regexp.MustCompile(`\.py/(summed|chrf)$`), regexp.MustCompile(`^3\.([0-9]|1[01])\.`), whatever, "sum() of floats is compensated from CPython 3.12 on"},
}

// differenceOf returns the known difference of a scorer.
func differenceOf(scorer, version string) difference {
	for _, d := range differences {
		if d.scorer.MatchString(scorer) && d.outside.MatchString(version) {
			return d
		}
	}
	return difference{}
}

// find finds the interpreter of the machine: itself, as a name in PATH may be a script that
// starts it.
func (n *native) find(t *testing.T) {
	for _, c := range append([]string{os.Getenv(n.variable)}, n.commands...) {
		out, err := exec.Command(c, n.version...).Output()
		if err == nil {
			n.path, n.is, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
			return
		}
	}
	if os.Getenv("CI_REQUIRE_PYTHON") != "" {
		t.Fatalf("CI_REQUIRE_PYTHON is set, but none of %q is in PATH", n.commands)
	}
	t.Skipf("needs one of %q in PATH, or %s", n.commands, n.variable)
}

// answers are those of the interpreter of the machine.
func (n native) answers(t *testing.T, file string, scorers []string, cases []jsontext.Value) [][]any {
	cmd := exec.Command(n.path, n.program...)
	cmd.Env = append(os.Environ(), "TZ=UTC")
	return interpreted[[][]any](t, cmd, map[string]any{"file": file, "scorers": scorers, "cases": cases})
}

// numberOf is a number that a variable of the environment may raise.
func numberOf(variable string, usual int) int {
	n := usual
	if _, err := fmt.Sscan(os.Getenv(variable), &n); err != nil {
		return usual
	}
	return n
}

// leastScorers is how many each language has at least.
const leastScorers = 40

// TestScripts_ScoresAreThoseOfNativeInterpreters compares every answer, and every
// number in it to the last bit.
func TestScripts_ScoresAreThoseOfNativeInterpreters(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	for extension, n := range natives {
		t.Run(strings.TrimPrefix(extension, "."), func(t *testing.T) {
			n.find(t)
			rt := openRuntime(t, "")
			if extension == ".py" {
				rt = python(t)
			}
			files, err := filepath.Glob(filepath.Join("testdata", "same", "*"+extension))
			if err != nil {
				t.Fatal(err)
			}
			var all tally
			for _, file := range files {
				all.sameAsNative(t, rt, n, file)
			}
			if all.ran == all.there && all.same < leastScorers { // else some were left out
				t.Errorf("%d scorers give the same bits as they do outside, of %d that were promised", all.same, leastScorers)
			}
		})
	}
}

// A tally counts scorers: how many there are, how many ran, and how many must be,
// and are, the same in every bit.
type tally struct{ there, ran, same int }

// sameAsNative compares the scorers of a file.
func (a *tally) sameAsNative(t *testing.T, rt *wasm.Runtime, n native, file string) {
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var scorers []string
	for _, m := range n.scorers.FindAllStringSubmatch(string(source), -1) {
		scorers = append(scorers, m[1])
	}
	name := filepath.Base(file)
	cases := sampleCases(numberOf("SCRIPT_CASES", amount.Of(2, 30)))
	want := n.answers(t, path, scorers, cases)
	m := mustLoad(t, rt, bundle(t, name, string(source), scorers...))
	a.there += len(scorers)
	for i, scorer := range scorers {
		t.Run(scorer, func(t *testing.T) {
			a.ran++
			d := differenceOf(name+"/"+scorer, n.is)
			differ, apart := compareAnswers(t, m, scorer, cases, want[i], d.most)
			if d.why == "" && differ == 0 {
				a.same++
			}
			if d.why != "" {
				how := fmt.Sprintf("by at most %d units in the last place", apart)
				if apart == whatever {
					how = "in more than a number"
				}
				t.Logf("outside is %s: %d of %d answers differ, %s: %s", n.is, differ, len(cases), how, d.why)
			}
		})
	}
}

// compareAnswers returns how many answers differ, and by how many units in the
// last place at most. More than most is an error.
func compareAnswers(t *testing.T, m *wasm.Module, scorer string, cases []jsontext.Value, want []any, most uint64) (differ int, apart uint64) {
	for k, c := range cases {
		answer := ask(t, m, scorer, fmt.Sprintf(`{"contract":1,"kind":"metric","config":{},"case":%s}`, c))
		var got any
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		a := distance(got, want[k])
		if a > 0 {
			differ++
		}
		apart = max(apart, a)
		if a > most {
			t.Errorf("%s\nanswers %s\nnatively %v", c, answer, want[k])
		}
	}
	return differ, apart
}

// distance returns by how many units in the last place the numbers of two values
// differ at most; whatever, if they differ in anything else.
func distance(a, b any) (most uint64) {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return whatever
		}
		for k, x := range a {
			most = max(most, distance(x, b[k]))
		}
		return most
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return whatever
		}
		for k, x := range a {
			most = max(most, distance(x, b[k]))
		}
		return most
	case float64:
		x, ok := b.(float64)
		if !ok {
			return whatever
		}
		m, n := math.Float64bits(a), math.Float64bits(x)
		if (m^n)>>63 != 0 && m != n {
			return whatever // of another sign
		}
		return max(m, n) - min(m, n)
	}
	if a != b {
		return whatever
	}
	return 0
}

// interpreted runs an interpreter of the machine: given goes to its standard input as JSON,
// and its answer on standard output is decoded.
func interpreted[Answer any](t testing.TB, cmd *exec.Cmd, given any) (a Answer) {
	t.Helper()
	b, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(b), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatal(err)
	}
	return a
}
