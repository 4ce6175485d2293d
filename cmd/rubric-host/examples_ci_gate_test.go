package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestWorkflows_RunWhatTheREADMEShows holds the workflows of examples to the
// commands that are run here.
func TestWorkflows_RunWhatTheREADMEShows(t *testing.T) {
	t.Parallel()
	for example, workflow := range map[string]string{"ci-gate": "rubrics.yml", "code-scanning": "code.yml"} {
		t.Run(example, func(t *testing.T) { testWorkflow(t, filepath.Join(examples, example), workflow) })
	}
}

func testWorkflow(t *testing.T, dir, name string) {
	text, err := os.ReadFile(filepath.Join(dir, ".github", "workflows", name))
	must(t, err)
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string `yaml:"run"`
			} `yaml:"steps"`
		} `yaml:"jobs"`
	}
	must(t, yaml.Unmarshal(text, &workflow))
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	must(t, err)
	shown := strings.Join(strings.Fields(string(readme)), " ")
	commands := 0
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if !strings.HasPrefix(step.Run, "rubric-host ") {
				continue
			}
			commands++
			if run := strings.Join(strings.Fields(step.Run), " "); !strings.Contains(shown, "$ "+run+"; echo") {
				t.Errorf("the README does not show what the workflow runs: %s", run)
			}
		}
	}
	if commands != 1 {
		t.Errorf("the workflow grades %d times", commands)
	}
}
