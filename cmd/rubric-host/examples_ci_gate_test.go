package main_test

import (
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestCIGate_WorkflowRunsWhatTheREADMEShows holds the workflow of ci-gate to the
// commands that are run here.
func TestCIGate_WorkflowRunsWhatTheREADMEShows(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(examples + "/ci-gate/.github/workflows/rubrics.yml")
	must(t, err)
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string `yaml:"run"`
			} `yaml:"steps"`
		} `yaml:"jobs"`
	}
	must(t, yaml.Unmarshal(text, &workflow))
	readme, err := os.ReadFile(examples + "/ci-gate/README.md")
	must(t, err)
	shown := strings.Join(strings.Fields(string(readme)), " ")
	commands := 0
	for _, step := range workflow.Jobs["grade"].Steps {
		if !strings.HasPrefix(step.Run, "rubric-host ") {
			continue
		}
		commands++
		if run := strings.Join(strings.Fields(step.Run), " "); !strings.Contains(shown, "$ "+run+"; echo") {
			t.Errorf("the README does not show what the workflow runs: %s", run)
		}
	}
	if commands != 1 {
		t.Errorf("the workflow grades %d times", commands)
	}
}
