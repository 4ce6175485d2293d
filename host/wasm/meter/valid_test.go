package meter_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// TestRewrite_KeepsValidity meters modules of the corpus, others in every run: valid
// ones stay valid, and invalid ones stay invalid.
func TestRewrite_KeepsValidity(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithDebugInfoEnabled(false))
	defer rt.Close(ctx)
	compiles := func(b []byte) bool {
		c, err := rt.CompileModule(ctx, b)
		if err == nil {
			c.Close(ctx)
		}
		return err == nil
	}
	var good, bad int
	metered := map[string][]byte{}
	files, one := 0, amount.OneIn(6)
	walk := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".wasm") && !strings.HasSuffix(path, ".wasm.gz") {
			return err
		}
		if files++; !one() {
			return nil
		}
		b, err := module(path)
		if err != nil {
			return err
		}
		m, err := binary.Read(b, open)
		if err != nil {
			return nil // refused
		}
		before := m.Append(nil)
		r, err := meter.Rewrite(m, meter.Options{MemoryPages: 1 << 16, TableEntries: 1<<32 - 1, ExportGlobals: true})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		if !bytes.Equal(m.Append(nil), before) {
			t.Errorf("%s: Rewrite changed its input", path)
		}
		switch now := compiles(r.Module); {
		case compiles(b) != now && !strings.Contains(path, "imports.4") && !strings.HasSuffix(path, "v2/testdata/global.14.wasm"):
			t.Errorf("%s: compiles %v, metered %v", path, !now, now)
		case now:
			good++
			metered[path] = r.Module
		default:
			bad++
		}
		return nil
	}
	for _, root := range []string{wazeroDir(t), "../../../plugins/dist", "../testdata"} {
		if err := filepath.WalkDir(root, walk); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d valid, %d invalid, of %d", good, bad, files)
	if files < 5000 || good < amount.Of(200, 500) || bad < amount.Of(200, 500) {
		t.Error("the corpus is smaller than it was")
	}
	foreign(t, metered)
}

// module reads a module, compressed or not.
func module(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// foreign asks a validator that is not wazero, wabt's, if there is one. There
// must be one where CI_REQUIRE_WABT is set.
func foreign(t *testing.T, modules map[string][]byte) {
	validator, err := exec.LookPath("wasm-validate")
	if err != nil {
		if os.Getenv("CI_REQUIRE_WABT") != "" {
			t.Errorf("no foreign validator: %v", err)
		}
		t.Log("no wasm-validate on this machine: metered modules are validated by wazero alone")
		return
	}
	file := filepath.Join(t.TempDir(), "m.wasm")
	n, asked := 0, 0
	for path, module := range modules {
		if n++; n%5 != 0 && len(module) < 20_000 {
			continue // a sample, and everything large
		}
		if err := os.WriteFile(file, module, 0o600); err != nil {
			t.Fatal(err)
		}
		asked++
		out, err := exec.Command(validator, file).CombinedOutput()
		if err != nil && exec.Command(validator, path).Run() == nil {
			t.Errorf("%s: valid before, but metered: %s", path, out)
		}
	}
	t.Logf("wasm-validate took %d modules", asked)
	if asked < amount.Of(50, 100) {
		t.Error("the sample is smaller than it was")
	}
}

func FuzzRewrite(f *testing.F) {
	small, err := filepath.Glob("testdata/*.wasm")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range small {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(loopModule().Append(nil))
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithDebugInfoEnabled(false))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := binary.Read(b, binary.Limits{})
		if err != nil {
			return
		}
		r, err := meter.Rewrite(m, meter.Options{ExportGlobals: true})
		if err != nil {
			return
		}
		was, wasErr := rt.CompileModule(ctx, b)
		now, nowErr := rt.CompileModule(ctx, r.Module)
		if (wasErr == nil) != (nowErr == nil) {
			t.Fatalf("as it was: %v; metered: %v", wasErr, nowErr)
		}
		if wasErr == nil {
			was.Close(ctx)
			now.Close(ctx)
		}
		if _, err := binary.Read(r.Module, binary.Limits{FileBytes: 64 << 20, BodyBytes: 64 << 20, Nesting: 20_000, Types: 20_000, Globals: 20_000, Imports: 300, Functions: 60_000, LocalsByBranch: 1 << 40, LocalsByLoop: 1 << 40, Values: 1 << 40, TypeValues: 1 << 40, Branches: 1 << 40, LoopNesting: 1 << 40, Loops: 1 << 40}); err != nil {
			t.Fatalf("the metered module is not read: %v", err)
		}
	})
}
