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
