package plugins_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// newSciRunner starts run-python-sci. To compile its interpreter takes minutes, so CI does not
// (make python-sci-check).
func newSciRunner(t testing.TB) runner {
	t.Helper()
	return runnerOf(t, "run-python-sci", wasmtest.Wheel(t, "RUBRIC_HOST_PYTHON_SCI", "CI_REQUIRE_PYTHON_SCI"))
}

// TestRunPythonSci_Cases runs cases of values that numpy has.
func TestRunPythonSci_Cases(t *testing.T) {
	r := newSciRunner(t)
	r.cases(t, "run-python-sci")
}

// TestRunPythonSci_NoHackScores runs the hacks of run-python, and its right programs.
func TestRunPythonSci_NoHackScores(t *testing.T) {
	newSciRunner(t).noHackScores(t, "run-python", map[string]any{"unsupported": "failed", "fuel": 2_000_000_000})
}

// TestRunPythonSci_UsesTheSameFuel runs cases several times, in another order and another instance.
func TestRunPythonSci_UsesTheSameFuel(t *testing.T) {
	sameFuel(t, "run-python", newSciRunner(t), newSciRunner(t))
}
