package plugins_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// newSciRunner starts run-python-sci. To compile its interpreter takes minutes, so CI does not
// (make python-sci-check).
func newSciRunner(t testing.TB) runner {
	t.Helper()
	wheel := wasmtest.Wheel(t, "RUBRIC_HOST_PYTHON_SCI", "CI_REQUIRE_PYTHON_SCI")
	cache := filepath.Join(filepath.Dir(wheel), "compiled")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	return runnerOf(t, "run-python-sci", judgeFuel, wasm.Options{CacheDir: cache, Scripts: script.Open, Interpreters: func(ctx context.Context, language string) ([]byte, error) {
		s := interpreter.In(filepath.Join(filepath.Dir(wheel), "runtimes"))
		if _, err := s.Add(language, wheel); err != nil {
			return nil, err
		}
		return s.Bytes(ctx, language)
	}})
}

// TestRunPythonSci_Cases runs cases of values that numpy has, and those of run-python.
func TestRunPythonSci_Cases(t *testing.T) {
	r := newSciRunner(t)
	r.cases(t, "run-python-sci")
	r.cases(t, "run-python",
		// The package, or the data of time zones, is here.
		"isolation shared: it catches that a package is not there", "fault: it needs a package", "fault: it catches that a package is not there",
		"fault: it asks for a package without need, and is wrong", "fault: the tests import what there is not", "fault: it needs a time zone",
		"tests behind one that failed: one needs a package", "fault: it needs a package, and unsupported is failed",
		// Python says it in other words.
		"guards: lower isinstance in match",
		// No score here: a stack of C calls is small, and decimal is in Python.
		"recursion through a cache, 3,000 deep", "recursion through a cache, 600 deep", "bounds: a Decimal of 11,000 digits, right",
		// A real 0 here: the candidate fails before the tests call it too deep.
		"callbacks: callback reenters without end")
}

// TestRunPythonSci_NoHackScores runs the hacks of run-python, and its right programs.
func TestRunPythonSci_NoHackScores(t *testing.T) {
	newSciRunner(t).noHackScores(t, "run-python", 2_000_000_000)
}

// TestRunPythonSci_UsesTheSameFuel runs cases several times, in another order and another instance.
func TestRunPythonSci_UsesTheSameFuel(t *testing.T) {
	sameFuel(t, "run-python", newSciRunner(t), newSciRunner(t))
}
