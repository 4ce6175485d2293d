// Package peer compares our Extism ABI with Extism's own host for Go, on the
// plugins that ship with it: the same outputs, the same errors, the same use of
// configuration and variables, and at least the same speed.
//
// It is a module of its own so that users of rubric-host do not depend on theirs.
//
// Stability: experimental.
package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// shipped returns a plugin of the go-sdk's own tests.
func shipped(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "wasm", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// compiled is shared by their plugins, so that a module is compiled once.
var compiled = wazero.NewCompilationCache()

// theirs compiles a module with the go-sdk.
func theirs(t testing.TB, module []byte, config map[string]string, timeout time.Duration) *extism.CompiledPlugin {
	t.Helper()
	ctx := context.Background()
	p, err := extism.NewCompiledPlugin(ctx, extism.Manifest{
		Wasm: []extism.Wasm{extism.WasmData{Data: module}}, Config: config, Timeout: uint64(timeout.Milliseconds()),
	}, extism.PluginConfig{EnableWasi: true, RuntimeConfig: wazero.NewRuntimeConfigInterpreter().WithCompilationCache(compiled)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(ctx) })
	return p
}

func instance(t testing.TB, p *extism.CompiledPlugin) *extism.Plugin {
	t.Helper()
	i, err := p.Instance(context.Background(), extism.PluginInstanceConfig{
		ModuleConfig: wazero.NewModuleConfig().WithStdout(io.Discard).WithStderr(io.Discard),
	})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// ours loads a module with our engine. Compiled code is kept in a directory.
func ours(t testing.TB, dir string, module []byte) *wasm.Module {
	t.Helper()
	ctx := context.Background()
	rt, err := wasm.New(ctx, wasm.Options{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(ctx) })
	m, err := rt.Load(ctx, wasm.Source{Name: "ours", Module: module}, wasm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// inputs are the requests to every plugin.
var inputs = []string{"", "a", "hello world", "1234567", "12345678", "Ünïcödé — 世界 🌍 aeiou", "\xff\xfe broken \x00 text", strings.Repeat("aeiou xyz ", 2_000), "hello world"}

// A row is a plugin with its known properties.
type row struct {
	file, export string
	config       map[string]string
	differs      fault.Class // the class of our error where theirs is none, or another
	why          string
	few          bool // it reads no input, and works for a second
}

var rows = []row{
	{file: "alloc.wasm", export: "run_test", few: true},
	{file: "config.wasm", export: "run_test"},
	{file: "config.wasm", export: "run_test", config: map[string]string{"thing": "hello"}},
	{file: "config.wasm", export: "run_test", config: map[string]string{"thing": strings.Repeat("long ", 10_000), "other": "x"}},
	{file: "count_vowels.wasm", export: "count_vowels"},
	{file: "count_vowels.wasm", export: "count_vowels", config: map[string]string{"vowels": "xyz"}},
	{file: "count_vowels_std.wasm", export: "_start", config: map[string]string{"thing": "hello"}},
	{file: "exit.wasm", export: "_start", config: map[string]string{"code": "0"}},
	{file: "exit.wasm", export: "_start", config: map[string]string{"code": "500"}},
	{file: "exit.wasm", export: "_start", config: map[string]string{"code": "abc"}},
	{file: "exit.wasm", export: "_start"},
	{file: "fail.wasm", export: "run_test"},
	{file: "fs.wasm", export: "run_test", differs: fault.PluginError, why: "its code 1 is no error there"},
	{file: "fs_std.wasm", export: "run_test", differs: fault.PluginError, why: "its code 1 is no error there"},
	{file: "hello.wasm", export: "run_test"},
	{file: "hello_haskell.wasm", export: "testing"},
	{file: "hello_haskell.wasm", export: "testing", config: map[string]string{"greeting": "Howdy"}},
	{file: "http.wasm", export: "run_test"},
	{file: "http_headers.wasm", export: "http_get"},
	{file: "input_offset.wasm", export: "input_offset_length"},
	{file: "log.wasm", export: "run_test"},
	{file: "println.wasm", export: "run_test"},
	{file: "read_write.wasm", export: "try_read", config: map[string]string{"path": "/etc/passwd"}},
	{file: "read_write.wasm", export: "try_write", config: map[string]string{"path": "/tmp/x"}},
	{file: "replace.wasm", export: "run_test"},
	{file: "sleep.wasm", export: "run_test"},
	{file: "std_command.wasm", export: "_start"},
	{file: "var.wasm", export: "run_test"},
}

// TestPeer_ShippedPluginsAnswerAsInTheirOwnHost calls each plugin on a new instance
// of theirs, and as often as there are inputs on one module of ours.
func TestPeer_ShippedPluginsAnswerAsInTheirOwnHost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	for _, r := range rows {
		t.Run(strings.TrimSuffix(r.file, ".wasm"), func(t *testing.T) {
			module := shipped(t, r.file)
			p, m := theirs(t, module, r.config, 0), ours(t, dir, module)
			for k, input := range inputs {
				if r.few && k > 1 {
					break
				}
				if r.config != nil { // our configuration is part of the request
					b, err := json.Marshal(map[string]any{"config": r.config, "text": input})
					if err != nil {
						t.Fatal(err)
					}
					input = string(b)
				}
				r.compare(t, p, m, []byte(input))
			}
		})
	}
}

func (r *row) compare(t *testing.T, p *extism.CompiledPlugin, m *wasm.Module, input []byte) {
	ctx := context.Background()
	i := instance(t, p)
	defer i.Close(ctx)
	code, want, failed := i.Call(r.export, input)
	got, _, err := m.Call(ctx, r.export, input, nil)
	about := string(input[:min(len(input), 20)])
	switch {
	case r.differs != "":
		if failed != nil || fault.Of(err) != r.differs {
			t.Errorf("%q: theirs %d %v, ours %v; known: %s", about, code, failed, err, r.why)
		}
	case failed != nil || code != 0:
		if err == nil {
			t.Errorf("%q: their error is %d %v, ours none, but %q", about, code, failed, got)
		} else if text := sayable(failed); !strings.Contains(err.Error(), text) {
			t.Errorf("%q: their error is %q, ours %q", about, text, err)
		}
	case err != nil:
		t.Errorf("%q: our error is %v, theirs none", about, err)
	case !bytes.Equal(got, want):
		t.Errorf("%q: theirs %.200q, ours %.200q", about, want, got)
	}
}

// sayable returns the part of their error that ours must contain: the plugin's
// message, not the wording of their host.
func sayable(failed error) string {
	switch text := failed.Error(); {
	case strings.Contains(text, "HTTP request to"):
		return "the network"
	case strings.HasPrefix(text, "module closed with exit_code("):
		code, _, _ := strings.Cut(strings.TrimPrefix(text, "module closed with exit_code("), ")")
		return "exit code " + code
	case strings.Contains(text, "wasm error: "):
		return "trap"
	default:
		return strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	}
}

// TestPeer_RefusesPluginsThatNeedMoreThanTheABI lists the other shipped plugins: they
// call functions of the program around them, or another module.
func TestPeer_RefusesPluginsThatNeedMoreThanTheABI(t *testing.T) {
	rt, err := wasm.New(context.Background(), wasm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close(context.Background())
	for file, says := range map[string]string{
		"host.wasm":           `"extism:host/user" "mult"`,
		"host_memory.wasm":    `"host" "to_upper"`,
		"host_multiple.wasm":  `"extism:host/user" "hostGreenMessage"`,
		"main.wasm":           `"lib" "capitalize"`,
		"nested.c.instr.wasm": `limit Locals`,
	} {
		_, err := rt.Load(context.Background(), wasm.Source{Name: file, Module: shipped(t, file)}, wasm.Limits{})
		if fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want a refusal that says %s", file, err, says)
		}
	}
}

// TestPeer_VariablesLastForOneCall shows the one thing that differs on purpose: their
// instances remember variables, ours answer each call as a new one.
func TestPeer_VariablesLastForOneCall(t *testing.T) {
	module := shipped(t, "count_vowels.wasm")
	i := instance(t, theirs(t, module, nil, 0))
	m := ours(t, filepath.Join(t.TempDir(), "cache"), module)
	for call := range 3 {
		_, remembered, err := i.Call("count_vowels", []byte("hello world"))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := m.Call(context.Background(), "count_vowels", []byte("hello world"), nil)
		if err != nil || string(got) != `{"count":3,"total":3,"vowels":"aeiouAEIOU"}` {
			t.Errorf("call %d: ours %s, %v", call, got, err)
		}
		if bytes.Equal(remembered, got) != (call == 0) {
			t.Errorf("call %d: theirs %s", call, remembered)
		}
	}
}
