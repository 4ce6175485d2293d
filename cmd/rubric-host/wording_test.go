package main

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

func TestWording_EveryOptionHasWordsAndEveryFlagExists(t *testing.T) {
	if n := len(fault.Options()); n != len(wording) {
		t.Errorf("%d options, words for %d", n, len(wording))
	}
	p := newProgram(strings.NewReader(""), nil, nil)
	flags, commands := map[string]bool{"help": true}, map[string]bool{}
	for _, c := range every(p.root) {
		commands[c.CommandPath()] = true
		note := func(f *pflag.Flag) { flags[f.Name] = true }
		c.Flags().VisitAll(note)
		c.PersistentFlags().VisitAll(note)
	}
	for _, option := range fault.Options() {
		text := wording[option]
		if text == "" {
			t.Errorf("no words for %s", option)
		}
		for _, m := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(text, -1) {
			if !flags[m[1]] {
				t.Errorf("%s: unknown flag --%s", option, m[1])
			}
		}
		if strings.HasPrefix(text, "rubric-host ") && !commands[text] {
			t.Errorf("%s: unknown command %s", option, text)
		}
	}
}

// No option may be the beginning of another: the words of the shorter one would replace a part of the longer.
func TestWording_NoOptionContainsAnother(t *testing.T) {
	for _, a := range fault.Options() {
		for _, b := range fault.Options() {
			if a != b && strings.Contains(a, b) {
				t.Errorf("%s contains %s", a, b)
			}
		}
	}
}

func TestWording_EverythingShownHasTheProgramsWords(t *testing.T) {
	err := fault.New(fault.Fuel, "used 5 of 5 fuel")
	if got := hintOf(err); got != "raise --fuel, or make the plugin do less work" {
		t.Errorf("hint: %s", got)
	}
	failure := func() *result.Failure {
		return &result.Failure{Message: "see " + fault.OptionMemory, Hint: "raise " + fault.OptionFuel}
	}
	row := &result.Row{Reason: "see " + fault.OptionDatasetMap, Error: failure(), Criteria: []result.Criterion{{}, {Error: failure()}}, Metrics: []result.Criterion{{Error: failure()}}}
	run := &result.Run{Error: failure(), Summary: &result.Summary{Corpus: []result.Corpus{{Error: failure()}, {}}}}
	wordRow(row)
	wordRow(nil)
	wordRun(run)
	wordRun(&result.Run{})
	for _, f := range []*result.Failure{row.Error, row.Criteria[1].Error, row.Metrics[0].Error, run.Error, run.Summary.Corpus[0].Error} {
		if f.Message != "see --memory" || f.Hint != "raise --fuel" {
			t.Errorf("%+v", f)
		}
	}
	if row.Reason != "see --map" {
		t.Errorf("reason %q", row.Reason)
	}
	unusable := &result.Row{Error: &result.Failure{Class: fault.Invalid, Message: "no output"}}
	if wordRow(unusable); strings.Contains(unusable.Error.Hint, "nothing was scored") {
		t.Errorf("a row of many: %s", unusable.Error.Hint)
	}
	list := diag.List{{Message: "m " + fault.OptionDatasetMap, Hint: "h " + fault.OptionDataset}}
	if got := wordProblems(list); got[0].Message != "m --map" || got[0].Hint != "h --data" || list[0].Hint != "h "+fault.OptionDataset {
		t.Errorf("%+v, of %+v", got, list)
	}
	var out strings.Builder
	p := newProgram(strings.NewReader(""), &out, &out)
	p.json = true
	p.report(errors.Join(err))
	if strings.Contains(out.String(), fault.OptionFuel) || strings.Count(out.String(), "--fuel") != 2 {
		t.Errorf("printed:\n%s", out.String())
	}
}
