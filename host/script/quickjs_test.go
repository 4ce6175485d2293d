package script

import (
	"slices"
	"testing"

	quickjswasi "github.com/aperturerobotics/go-quickjs-wasi-reactor"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// TestQuickJS_TableHasTheRejectionTracker finds an exported function in the module's table: the
// index is that of one build.
func TestQuickJS_TableHasTheRejectionTracker(t *testing.T) {
	m, err := binary.Read(quickjswasi.QuickJSWASM, binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tracker, ok := m.Export("js_std_promise_rejection_tracker")
	if !ok || tracker.Kind != binary.FunctionKind {
		t.Fatal("QuickJS does not export its rejection tracker")
	}
	for _, e := range m.Elements {
		from, _ := e.Offset.I32()
		if at := slices.Index(e.Functions, tracker.Index); at >= 0 && int(from)+at == jsRejectionTracker {
			return
		}
	}
	t.Errorf("entry %d of the table is not function %d, the rejection tracker", jsRejectionTracker, tracker.Index)
}
