package inspect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/inspect"
)

// TestInspect_RefusesIllTypedModules inspects every module that the specification's
// tests call invalid, as wazero's source carries them: none is said to load.
func TestInspect_RefusesIllTypedModules(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Fatalf("find the source of wazero: %v", err)
	}
	scripts, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "internal/integration_test/spectest/v2/testdata/*.json"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	tried := 0
	for _, path := range scripts {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var script struct {
			Commands []struct {
				Type     string `json:"type"`
				Filename string `json:"filename"`
				Text     string `json:"text"`
			} `json:"commands"`
		}
		if err := json.Unmarshal(b, &script); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, c := range script.Commands {
			if c.Type != "assert_invalid" || !strings.HasSuffix(c.Filename, ".wasm") {
				continue
			}
			module, err := os.ReadFile(filepath.Join(filepath.Dir(path), c.Filename))
			if err != nil {
				t.Fatal(err)
			}
			tried++
			if in, err := inspect.Module(module, wasm.Limits{}); err == nil {
				t.Errorf("%s, %s: loads %t, want a refusal", c.Filename, c.Text, in.Loads)
			}
		}
	}
	if tried < 2000 {
		t.Errorf("only %d modules tried", tried)
	}
}
