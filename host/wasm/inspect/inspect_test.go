package inspect_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/inspect"
	"github.com/rubric-host/rubric-host/plugins"
)

func modules(t *testing.T) map[string][]byte {
	t.Helper()
	catalog, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, name := range []string{"bleu", "exact", "readability", "rouge", "code-json"} {
		out[name+".wasm"] = catalog.Plugin(name).Module()
	}
	files, err := filepath.Glob("../../../testdata/abi/*.wasm")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d modules, %v", len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = b
	}
	return out
}

// What Inspect measures is what the reader counts: a limit of the measured value
// accepts the module, and one less refuses it by name.
func TestInspect_MeasuresAllLimits(t *testing.T) {
	for name, module := range modules(t) {
		in, err := inspect.Module(module, wasm.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(in.Limits) < 20 {
			t.Errorf("%s: %d limits", name, len(in.Limits))
		}
		for _, l := range in.Limits {
			if l.Value == 0 || l.Value > l.Limit || l.Share != float64(l.Value)/float64(l.Limit) {
				if l.Value != 0 {
					t.Errorf("%s: %+v", name, l)
				}
				continue
			}
			if _, err := binary.Read(module, limited(l.Name, l.Value)); err != nil {
				t.Errorf("%s: with %s = %d: %v", name, l.Name, l.Value, err)
			}
			if l.Value == 1 {
				continue // a limit of 0 means the default
			}
			_, err := binary.Read(module, limited(l.Name, l.Value-1))
			if r := inspect.RefusalOf(err); r == nil || r.Limit != l.Name {
				t.Errorf("%s: with %s = %d it is not refused for that: %v", name, l.Name, l.Value-1, err)
			}
		}
	}
}

func limited(name string, value uint64) binary.Limits {
	var l binary.Limits
	reflect.ValueOf(&l).Elem().FieldByName(name).SetUint(value)
	return l
}

func TestInspect_NamesABIAndScorers(t *testing.T) {
	in, err := inspect.Module(modules(t)["bleu.wasm"], wasm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if in.ABI != "direct" || !in.Loads || strings.Join(in.Scorers, " ") != "bleu bleu_hf bleu_nltk corpus corpus_gleu corpus_hf gleu google_bleu nist" || len(in.Imports) != 0 {
		t.Errorf("abi %s, loads %t, scorers %q, imports %v", in.ABI, in.Loads, in.Scorers, in.Imports)
	}
	found := false
	for _, e := range in.Exports {
		found = found || e == inspect.Extern{Name: "alloc", Kind: "function", Type: "(i32) -> (i32)"}
	}
	if !found {
		t.Errorf("no alloc in %v", in.Exports)
	}
	if in.Sizes.CodeBytes == 0 || in.Cost.MeteredBytes <= in.Sizes.CodeBytes || in.Memory.MinPages == 0 || !in.Cost.Keeps {
		t.Errorf("sizes %+v, cost %+v, memory %+v", in.Sizes, in.Cost, in.Memory)
	}
}

func TestInspect_ExplainsRefusals(t *testing.T) {
	header := "0061736d01000000"
	for _, tt := range []struct {
		name, module string
		section      string // of the refusal; empty: not refused
		says         string
	}{
		{"no module", "6e6f", "module", "not a WebAssembly module"},
		{"a component", "0061736d0d000100", "module", "rebuild for wasip1"},
		{"a section that lies", header + "01ffffffff0f", "module", ""},
		{"an unknown import", header + "010401600000" + "020701016101620000", "import", "unknown imports"},
		{"a function without its result", header + "010501600001" + "7f" + "03020100" + "0a040102000b", "code", "it is not valid"},
		{"a global of another type", header + "0606017f0042000b", "code", "it is not valid"},
		{"an empty module", header, "", "memory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := hex.DecodeString(tt.module)
			if err != nil {
				t.Fatal(err)
			}
			in, err := inspect.Module(b, wasm.Limits{})
			if tt.section == "" {
				if err != nil || in.Loads || in.ABI != "unknown" || !strings.Contains(in.Why, tt.says) {
					t.Fatalf("%+v, %v", in, err)
				}
				return
			}
			r := inspect.RefusalOf(err)
			if r == nil || fault.Of(err) != fault.Refused || r.Section != tt.section || !strings.Contains(r.Message, tt.says) {
				t.Errorf("refusal %+v of %v", r, err)
			}
		})
	}
}
