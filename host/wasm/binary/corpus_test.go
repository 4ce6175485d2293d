package binary_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// open lets the specification's tests import anything.
var open = binary.Limits{ImportMemory: true, ImportTable: true}

// corpus calls f with every .wasm file in the source of wazero, which holds the
// specification's own tests, and in this repository.
func corpus(t testing.TB, f func(path string, module []byte)) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Fatalf("find the source of wazero: %v", err)
	}
	n := 0
	for _, root := range []string{strings.TrimSpace(string(out)), "../../.."} {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == ".cache" {
				return filepath.SkipDir // installed tools, interpreters with limits of their own among them
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".wasm") {
				return nil // another package may be writing
			}
			b, err := os.ReadFile(p)
			if err == nil {
				n++
				f(filepath.ToSlash(p), b)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 7000 {
		t.Fatalf("the corpus has %d modules, want 7000 or more", n)
	}
}

// refusedOnPurpose lists modules that Read refuses although wazero accepts them.
var refusedOnPurpose = []struct{ path, why string }{
	{"/typed-function-references/", "typed references are beyond core 2.0; wazero reads them without being asked"},
	{"/skip-stack-guard-page.0.wasm", "more than 1,000 locals"},
	{"/br_table.0.wasm", "a br_table of more than 4,096 labels"},
}

func onPurpose(path string) bool {
	for _, p := range refusedOnPurpose {
		if strings.Contains(path, p.path) {
			return true
		}
	}
	return false
}

func TestRead_TakesWhatWazeroTakes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithDebugInfoEnabled(false))
	defer rt.Close(ctx)
	var both, typing int
	corpus(t, func(path string, b []byte) {
		_, ours := binary.Read(b, open)
		compiled, theirs := rt.CompileModule(ctx, b)
		switch {
		case ours == nil && theirs == nil:
			both++
		case ours == nil:
			typing++
			if !leftToTheRuntime(theirs) {
				t.Errorf("%s: read, but wazero says %v", path, theirs)
			}
		case theirs == nil && !onPurpose(path):
			t.Errorf("%s: wazero takes it: %v", path, ours)
		}
		if compiled != nil {
			compiled.Close(ctx)
		}
	})
	t.Logf("%d modules accepted by both, %d left to the runtime's type check", both, typing)
}

// leftToTheRuntime reports whether wazero's complaint is about a rule that the
// package comment leaves to it: types.
func leftToTheRuntime(err error) bool {
	for _, about := range []string{
		"invalid function[",                                                           // operand stack
		"const expression", "mutability mismatch", "type mismatch", "is not declared", // types of constant expressions
		"initialize table", "elem[", "element[", "table[", "data[", "global[", // types of segments and initialisers
		"invalid start function", "functype",
		"section export", "section custom", "name[", "empty module name", // names that we drop, imports that the host refuses
	} {
		if strings.Contains(err.Error(), about) {
			return true
		}
	}
	return false
}

func TestAppend_WritesWhatReadTook(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	var same, shortened int
	corpus(t, func(path string, b []byte) {
		m, err := binary.Read(b, open)
		if err != nil {
			return
		}
		out := m.Append(nil)
		if bytes.Equal(out, b) {
			same++
			return
		}
		// Only numbers in longer form than needed, and sections without
		// entries, may differ: the module gets shorter, and stays so.
		shortened++
		again, err := binary.Read(out, open)
		if err != nil {
			t.Errorf("%s: what Append wrote is not read: %v", path, err)
		} else if len(out) >= len(b) || !bytes.Equal(again.Append(nil), out) {
			t.Errorf("%s: %d bytes became %d, then %d", path, len(b), len(out), len(again.Append(nil)))
		}
	})
	if same < 2700 || shortened > 150+same/50 {
		t.Errorf("%d modules came out byte for byte, %d shortened", same, shortened)
	}
}

func TestCustomSection_AgreesWithRead(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	corpus(t, func(path string, b []byte) {
		m, err := binary.Read(b, open)
		if err != nil {
			return
		}
		for _, c := range m.Customs {
			got, ok := binary.CustomSection(b, c.Name)
			if !ok || !bytes.Equal(got, m.Custom(c.Name)) {
				t.Errorf("%s: CustomSection(%q) = %d bytes, %v", path, c.Name, len(got), ok)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00"))
	f.Add(example().Append(nil))
	for _, lie := range lengthLies {
		f.Add(section(lie.id, lie.body...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := binary.Read(b, open)
		if err != nil {
			var r *binary.Refusal
			if !errors.As(err, &r) || r.Offset < 0 || r.Offset > len(b) || r.Section == "" || r.Message == "" {
				t.Fatalf("refusal without a place: %v %+v", err, r)
			}
			return
		}
		out := m.Append(nil)
		again, err := binary.Read(out, open)
		if err != nil {
			t.Fatalf("what Append wrote is not read: %v", err)
		}
		if !bytes.Equal(again.Append(nil), out) {
			t.Fatal("a second round changes the module")
		}
		m.FunctionNames()
	})
}
