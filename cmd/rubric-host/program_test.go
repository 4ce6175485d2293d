package main

import "testing"

func TestStopping_SaysToResumeWhereRowsAreKept(t *testing.T) {
	p := newProgram(nil, nil, nil)
	if _, hint := p.stopping(); hint != "run the command again" {
		t.Errorf("without a run: %q", hint)
	}
	p.keeps.Store(true)
	if _, hint := p.stopping(); hint != "" { // that of the class: the same command resumes
		t.Errorf("in a run: %q", hint)
	}
}
