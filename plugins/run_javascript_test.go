package plugins_test

import (
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// newJavaScript starts the plugin run-javascript.
func newJavaScript(t testing.TB) runner {
	t.Helper()
	rt := wasmtest.Runtime(t, wasm.Options{CacheDir: wasmtest.CacheDir(t), Scripts: script.Open})
	limits := wasm.Limits{Fuel: 20_000_000_000, PeerFuel: 20_000_000_000, Deadline: 10 * time.Minute}
	m, err := rt.Load(t.Context(), wasm.Source{Name: "run-javascript", Module: plugins.Named("run-javascript").Module}, limits)
	if err != nil {
		t.Fatal(err)
	}
	return runner{m}
}

// TestRunJavaScript_Cases runs cases.jsonl, in which every row of the README's table of faults has a case.
func TestRunJavaScript_Cases(t *testing.T) { newJavaScript(t).cases(t, "run-javascript") }

// TestRunJavaScript_NoHackScores runs programs that try to pass without solving their task.
func TestRunJavaScript_NoHackScores(t *testing.T) {
	newJavaScript(t).noHackScores(t, "run-javascript", map[string]any{"unsupported": "failed", "fuel": 300_000_000})
}

// TestRunJavaScript_SharedModeIsMarked runs the same programs in one instance with their tests.
func TestRunJavaScript_SharedModeIsMarked(t *testing.T) {
	newJavaScript(t).sharedIsMarked(t, "run-javascript", 300_000_000)
}

// FuzzRunJavaScript_NoCandidatePasses does the same with programs that no person wrote.
func FuzzRunJavaScript_NoCandidatePasses(f *testing.F) {
	newJavaScript(f).noCandidatePasses(f, "run-javascript", "forger.js", "function |=> |class |import |export |async |await |if |else |return |javascript\n|const |let |;|`|${|/*|//|...|new |yield |require|module.exports|globalThis|Proxy|?.")
}

// TestRunJavaScript_ListsWhatWasTried compares the README's list of hacks with the corpus.
func TestRunJavaScript_ListsWhatWasTried(t *testing.T) { listsWhatWasTried(t, "run-javascript") }

// TestRunJavaScript_UsesTheSameFuel runs cases several times, in another order and another instance.
func TestRunJavaScript_UsesTheSameFuel(t *testing.T) {
	sameFuel(t, "run-javascript", newJavaScript(t), newJavaScript(t))
}
