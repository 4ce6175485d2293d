package binary_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// TestOutline_IsTheModuleWithoutBodies compares both of a real module, and corrupts
// the parts that an outline reads and those that it skips.
func TestOutline_IsTheModuleWithoutBodies(t *testing.T) {
	b, err := os.ReadFile("../testdata/bleu/bleu.wasm")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := binary.Read(b, binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	outline := func(b []byte) *binary.Module {
		m, err := binary.Outline(b, binary.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	got := outline(b)
	if len(got.Code)+len(got.Data) > 0 {
		t.Errorf("%d functions, %d segments", len(got.Code), len(got.Data))
	}
	same := func(x, y any) {
		t.Helper()
		if d := cmp.Diff(x, y); d != "" {
			t.Error(d)
		}
	}
	same(whole.Types, got.Types)
	same(whole.Functions, got.Functions)
	same(whole.Exports, got.Exports)
	same(whole.Globals, got.Globals)
	whole.Code[0].Code = []byte{0xff, 0x0b}
	same(outline(whole.Append(nil)).Exports, got.Exports)
	for n := range 8 {
		if _, err := binary.Outline(b[:n], binary.Limits{}); err == nil {
			t.Errorf("%d bytes are a module", n)
		}
	}
	whole.Exports[0].Index = 1 << 20
	if _, err := binary.Outline(whole.Append(nil), binary.Limits{}); err == nil {
		t.Error("an export of what there is not passes")
	}
}
