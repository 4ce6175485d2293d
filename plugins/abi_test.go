package plugins_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/plugin"
)

// blocks returns the code blocks of a language in sdk/ABI.md.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "sdk", "ABI.md"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(text, -1) {
		found = append(found, string(m[1]))
	}
	if len(found) == 0 {
		t.Fatalf("ABI.md shows no %s", language)
	}
	return found
}

func TestABI_ExamplesAreJSONAndAManifest(t *testing.T) {
	for _, b := range blocks(t, "json") {
		if !json.Valid([]byte(b)) {
			t.Errorf("not JSON: %s", b)
		}
	}
	for _, b := range blocks(t, "yaml") {
		if _, err := plugin.ParseManifest("ABI.md", []byte(b)); err != nil {
			t.Error(err)
		}
	}
}

// TestABI_PluginInC builds it with clang in make heavy-check, and runs the
// built one everywhere.
func TestABI_PluginInC(t *testing.T) {
	module, err := os.ReadFile(filepath.Join("..", "testdata", "abi", "example.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CI_REQUIRE_CLANG") != "" {
		checkBuild(t, "clang-19", module)
	}
	ctx := t.Context()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	compiled, err := r.CompileModule(ctx, module)
	if err != nil {
		t.Fatal(err)
	}
	g := program{r, compiled}.start(t)
	long := strings.Repeat("x", 81)
	for request, want := range map[string]string{
		`{"contract":1,"kind":"metric","config":{},"case":{"output":"The cat sat."}}`:   `{"score":1}`,
		`{"contract":1,"kind":"metric","config":{},"case":{"output":""}}`:               `{"score":1}`,
		`{"contract":1,"kind":"metric","config":{},"case":{"output":"` + long + `"}}`:   `{"score":0}`,
		`{"contract":1,"kind":"metric","config":{},"case":{"output":"a\"` + long + `"}`: `{"score":0}`,
		`{"contract":1,"kind":"metric","config":{},"case":{}}`:                          `{"unscored":"the case has no output"}`,
		`{"contract":1,"case":{"output":"\`:                                             `{"score":1}`,
	} {
		if got := g.call(t, "short", []byte(request)); string(got) != want {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
	}
}

func checkBuild(t *testing.T, clang string, want []byte) {
	t.Helper()
	dir := t.TempDir()
	source, built := filepath.Join(dir, "p.c"), filepath.Join(dir, "p.wasm")
	if err := os.WriteFile(source, []byte(blocks(t, "c")[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	// Linked without -O: with it clang runs wasm-opt where it finds one.
	for _, args := range [][]string{
		{"-Os", "-c", "-o", built + ".o", source},
		{"-nostdlib", "-Wl,--no-entry", "-Wl,-z,stack-size=8192", "-Wl,--strip-all", "-o", built, built + ".o"},
	} {
		cmd := exec.CommandContext(t.Context(), clang, append([]string{"--target=wasm32"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	got, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("testdata/abi/example.wasm is not what ABI.md shows, built; copy it anew")
	}
}
