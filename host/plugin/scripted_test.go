package plugin

import "testing"

// A module that the program carries is unpacked when it is compiled, not when a criterion is planned.
func TestScripted_DoesNotUnpackModules(t *testing.T) {
	p := &Plugin{Source: Builtin, open: func() []byte { t.Error("the module is unpacked"); return nil }}
	if p.Scripted() {
		t.Error("a module is a script")
	}
	p.Manifest.Script = "score.py"
	if !p.Scripted() {
		t.Error("a script is none")
	}
}
