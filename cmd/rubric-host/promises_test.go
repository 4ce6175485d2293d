package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// promised are the promises of the source systems that concern the life of a rubric, by the
// number that their checklist gives them, and the script that keeps each. Those of scoring are
// in host/conformance.
var promised = map[int]string{
	23: "rubric_generate",      // rubrics from expected outcomes
	33: "rubric_overrides",     // judge, generate, aggregate and grade replaced
	38: "dataknobs_decode",     // Jinja2 prompts, answers in JSON or text, the record of the call
	40: "dataknobs_decode",     // levels for errors and for criteria that were not evaluated
	41: "feedback_text",        // deterministic feedback
	42: "registry",             // register, get, list, update, delete
	43: "meta_rubric",          // five checks
	44: "artifact_lifecycle",   // statuses, submit
	45: "artifact_provenance",  // author, sources, rubrics and evaluations
	46: "artifact_approval",    // required, requires_approval, approval_threshold
	47: "registry",             // versions
	48: "artifact_evaluations", // ids of evaluations and targets
}

// TestScripts_KeepEachPromiseOnce reads which promise each script names in a comment.
func TestScripts_KeepEachPromiseOnce(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	must(t, err)
	promise, digits := regexp.MustCompile(`(?m)^# Promises? \d+(?: and \d+)*`), regexp.MustCompile(`\d+`)
	got := map[int]string{}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		must(t, err)
		for _, line := range promise.FindAllString(string(text), -1) {
			for _, s := range digits.FindAllString(line, -1) {
				n, err := strconv.Atoi(s)
				must(t, err)
				name := filepath.Base(path)
				if got[n] != "" {
					name = got[n] + ", " + name
				}
				got[n] = name
			}
		}
	}
	want := map[int]string{}
	for n, name := range promised {
		want[n] = name + ".txtar"
	}
	if !maps.Equal(want, got) {
		t.Errorf("scripts name %v, want %v", got, want)
	}
}
