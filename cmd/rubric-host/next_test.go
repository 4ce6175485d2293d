package main

import (
	"slices"
	"strings"
	"testing"
)

func TestRerun_KeepsReportsAndDoublesNothing(t *testing.T) {
	for given, want := range map[string]string{
		"rubric-host eval r.yaml d.jsonl": "rubric-host eval r.yaml d.jsonl",
		"rubric-host eval r.yaml d.jsonl -o r.html --out=r.md -ox.csv -o=y --sarif=z --sarif z": "rubric-host eval r.yaml d.jsonl",
		"rubric-host eval r.yaml --failed OLD d.jsonl --failed=OLD -j 4":                        "rubric-host eval r.yaml d.jsonl -j 4",
		"rubric-host eval r.yaml --out a --fresh --outputs o.jsonl":                             "rubric-host eval r.yaml --outputs o.jsonl",
		"rubric-host eval --judge mini r.yaml -- -o.jsonl":                                      "rubric-host eval --judge mini r.yaml -- -o.jsonl",
		"rubric-host eval r.yaml d.jsonl -o":                                                    "rubric-host eval r.yaml d.jsonl",
	} {
		if got := rerun(strings.Fields(given)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, want %s", given, got, want)
		}
	}
}
