package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
)

func TestAudit_Probes(t *testing.T) {
	problems := line(t, with(doubled, "canonical_solution", "    return n * 2 if n > 10 else n + n\n"))
	cases, bad, _ := read(t, problems, dataset.Options{Preset: "humaneval", Audit: true})
	if bad != nil {
		t.Fatal(bad)
	}
	kinds := map[string]int{}
	prompt := doubled["prompt"].(string)
	for _, c := range cases {
		kinds[c.Probe]++
		if c.Cluster != "HumanEval/7" || !strings.HasPrefix(c.ID, "HumanEval/7~"+c.Probe) || c.SampleOf != "" || c.Raw("tests") == nil {
			t.Errorf("%+v", c)
		}
		if same := c.Output == c.References[0]; same != (c.Probe == dataset.ProbeReference) {
			t.Errorf("%s: output %q", c.ID, c.Output)
		}
		if c.Probe == dataset.ProbeMutant && !strings.HasPrefix(c.Output, prompt) {
			t.Errorf("%s changes the prompt: %q", c.ID, c.Output)
		}
		again, err := dataset.Restore(c.AppendFields(nil), c.ID, diag.Pos{})
		if err != nil || again.Probe != c.Probe || again.ID != c.ID || again.Digest() != c.Digest() {
			t.Errorf("restored %+v: %v", again, err)
		}
	}
	for _, kind := range dataset.Probes() {
		if want := map[string]int{dataset.ProbeMutant: 5}[kind]; kinds[kind] != max(1, want) {
			t.Errorf("%d probes %s: %v", kinds[kind], kind, kinds)
		}
	}

	cases, bad, _ = read(t, `{"id":"a","input":"When?","output":"ignored","references":["At seven in the morning"]}`+"\n"+`{"id":"b","input":"Why?"}`+"\n"+`{"id":"c","input":"7","references":["7"]}`, dataset.Options{Audit: true})
	got := ids(cases)
	if want := []string{"a~reference", "a~empty", "a~echo", "a~stub", "a~plea", "a~mutant-1", "c~reference", "c~empty", "c~stub", "c~plea", "c~mutant-1"}; !slices.Equal(got, want) {
		t.Errorf("probes %v", got)
	}
	if cases[5].Output != "At seven in the" || cases[10].Output != "8" {
		t.Errorf("mutants %q, %q", cases[5].Output, cases[10].Output)
	}
	if len(bad) != 1 || bad[0].Code != "reference-missing" {
		t.Errorf("problems %v", bad)
	}
	var o dataset.Outputs
	o.Set("a", "x")
	if _, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(""), Audit: true, Outputs: &o}); err == nil {
		t.Error("outputs are taken")
	}
}

// TestAudit_ProbesAreInTheLanguageOfTheReference: programs in JavaScript are probed by
// programs in JavaScript; prose in a prompt does not make a program JavaScript.
func TestAudit_ProbesAreInTheLanguageOfTheReference(t *testing.T) {
	for _, tt := range []struct {
		name, entry, prompt, reference string
		want                           map[string]string
		mutant                         string
	}{
		{"a function", "add", "", "function add(a, b) {\n  return a === 0 && b < 1 ? 0 : a + b;\n}\n",
			map[string]string{"stub": "function add() {\n  return undefined;\n}\n", "exit": "process.exit(0);\n", "equal": "asymmetricMatch", "plea": "// Note to the grader"}, "a !== 0 && b < 1"},
		{"behind a prompt", "add", "/** Let it be: def of a sum. */\nconst add = (a, b) =>\n", "  a + b;\n", map[string]string{"exit": "process.exit(0);\n"}, "a - b"},
		{"a method", "Solution.add", "", "export class Solution {\n  add(a, b) { return a + b; }\n}\n", map[string]string{"stub": "class Solution {\n  add() {\n    return undefined;\n  }\n}\n"}, "a - b"},
		{"a program without an entry point", "", "", "const n = require('fs').readFileSync(0, 'utf8');\nconsole.log(n > 1);\n", map[string]string{"stub": ";\n", "plea": "// Note", "exit": "process.exit(0);\n"}, "n >= 1"},
		{"Python", "add", "def add(a, b):\n    \"\"\"\n    let c = the sum of a and b\n    \"\"\"\n", "    return a + b\n",
			map[string]string{"stub": "def add(*args, **kwargs):\n    return None\n", "exit": "import sys\nsys.exit(0)\n", "equal": "__eq__", "plea": "# Note"}, "a - b"},
		{"Python without a function", "", "", "print(int(input()) + 1)\n", map[string]string{"stub": "pass\n", "exit": "import sys\nsys.exit(0)\n"}, ") - 1"},
	} {
		fields := map[string]any{"id": "a", "references": []string{tt.reference}, "tests": "x"}
		if tt.entry != "" {
			fields["entry_point"] = tt.entry
		}
		if tt.prompt != "" {
			fields["prompt"] = tt.prompt
		}
		cases, bad, _ := read(t, line(t, fields), dataset.Options{Audit: true})
		if bad != nil {
			t.Fatal(tt.name, bad)
		}
		mutated := false
		for _, c := range cases {
			if want := tt.want[c.Probe]; !strings.Contains(c.Output, want) {
				t.Errorf("%s: %s is %q", tt.name, c.Probe, c.Output)
			}
			mutated = mutated || c.Probe == dataset.ProbeMutant && strings.Contains(c.Output, tt.mutant)
		}
		if !mutated {
			t.Errorf("%s: no mutant has %q", tt.name, tt.mutant)
		}
	}
}
