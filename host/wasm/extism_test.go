package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

func TestExtism_PluginsOfKitsAreScorers(t *testing.T) {
	tests := []struct {
		name, request string
		answer        []string
		class         fault.Class
		says          string
	}{
		{"a score, with the configuration's fold", `{"contract":1,"config":{"fold":true},"case":{"output":"the cat sat","references":["The cat SLEPT here"]}}`, []string{`"score":0.5`, `"calls":1`, `"found":2`, `"words":4`}, "", ""},
		{"text beyond ASCII", `{"contract":1,"config":{"fold":true},"case":{"output":"Ärger über 世界 🌍","references":["ärger ÜBER 🌍 世界 –"]}}`, []string{`"score":0.8`, `"calls":1`, `"found":4`, `"words":5`}, "", ""},
		{"no references", `{"contract":1,"case":{"output":"a"}}`, []string{`{"unscored":"the case has no references"}`}, "", ""},
		{"a reference without words", `{"contract":1,"case":{"output":"a","references":["  "]}}`, []string{`{"unscored":"the reference has no words"}`}, "", ""},
		{"another contract", `{"contract":2}`, nil, fault.PluginError, "only contract 1 is known"},
		{"a request that it cannot read", `{"contract":`, nil, fault.PluginError, "cannot read the request"},
	}
	for _, kit := range kits {
		m := load(t, lasting(t), kit, fixture(t, "extism/recall-"+kit+".wasm"), wasm.Limits{})
		if m.ABI() != wasm.Extism || !slices.Equal(m.Exports(), []string{"recall"}) || !m.Keeps() {
			t.Errorf("%s: ABI %q, exports %q, keeps %v", kit, m.ABI(), m.Exports(), m.Keeps())
		}
		for _, tt := range tests {
			t.Run(kit+"/"+tt.name, func(t *testing.T) {
				var fuel uint64
				for range 3 {
					got, usage, err := m.Call(context.Background(), "recall", []byte(tt.request), nil)
					if fault.Of(err) != tt.class || !has(got, tt.answer...) {
						t.Fatalf("answer %s, error %v of class %q", got, err, fault.Of(err))
					}
					if err != nil && !strings.Contains(err.Error(), tt.says) {
						t.Errorf("error %q, want %q", err, tt.says)
					}
					if fuel != 0 && usage.Fuel != fuel {
						t.Errorf("%d fuel, %d before", usage.Fuel, fuel)
					}
					fuel = usage.Fuel
				}
			})
		}
	}
}

// has reports whether an answer has every one of some parts.
func has(answer []byte, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !bytes.Contains(answer, []byte(part)) })
}

func TestExtism_CallsAreIsolated(t *testing.T) {
	for _, kit := range kits {
		t.Run(kit, func(t *testing.T) {
			m := load(t, lasting(t), kit, fixture(t, "extism/recall-"+kit+".wasm"), wasm.Limits{})
			request := func(words int) []byte {
				return []byte(`{"contract":1,"case":{"output":"a b","references":["` + strings.Repeat("a c ", words) + `"]}}`)
			}
			var want [4][]byte
			for n := range want {
				var err error
				if want[n], _, err = m.Call(context.Background(), "recall", request(1+n*2_000), nil); err != nil {
					t.Fatal(err)
				}
			}
			var all sync.WaitGroup
			for g := range 4 {
				all.Go(func() {
					for k := range 12 {
						n := (g + k*7) % 4
						got, _, err := m.Call(context.Background(), "recall", request(1+n*2_000), nil)
						if err != nil || !bytes.Equal(got, want[n]) {
							t.Errorf("answer %s, %v; want %s", got, err, want[n])
						}
						if _, _, err := m.Call(context.Background(), "recall", []byte("{"), nil); fault.Of(err) != fault.PluginError {
							t.Errorf("error %v", err)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// asks is a plugin that answers with the value of "k" in its configuration, or with
// nothing.
const asks = `(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "length" (func $length (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
  (import "extism:host/env" "config_get" (func $config (param i64) (result i64)))
  (import "extism:host/env" "output_set" (func $answer (param i64 i64)))
  (func (export "score") (result i32) (local $a i64)
    (local.set $a (call $alloc (i64.const 1)))
    (call $store (local.get $a) (i32.const 0x6b))
    (local.set $a (call $config (local.get $a)))
    (call $answer (local.get $a) (call $length (local.get $a)))
    (i32.const 0)))`

func TestExtism_ConfigurationComesFromTheRequest(t *testing.T) {
	ctx := context.Background()
	module := assemble(asks)
	m := load(t, runtimes(t)["compiler"], "asks", module, wasm.Limits{})
	if got, _, err := m.Call(ctx, "score", []byte(`{"contract":1,"config":{"k":"värde"}}`), nil); string(got) != "värde" || err != nil {
		t.Errorf("answer %q, %v", got, err)
	}
	if got, _, err := m.Call(ctx, "score", []byte(`{}`), nil); len(got) > 0 || err != nil {
		t.Errorf("without the key, answer %q, %v", got, err)
	}
}

func TestExtism_InputFitsUpToItsLimit(t *testing.T) {
	ctx := context.Background()
	rt := runtimes(t)["compiler"]
	m := load(t, rt, "asks", assemble(asks), wasm.Limits{InputBytes: 40 << 20})
	if got, _, err := m.Call(ctx, "score", make([]byte, 40<<20), nil); len(got) > 0 || err != nil {
		t.Errorf("an input as large as its limit: %q, %v", got, err)
	}
	m = load(t, rt, "asks", assemble(asks), wasm.Limits{InputBytes: 100})
	if _, _, err := m.Call(ctx, "score", make([]byte, 101), nil); fault.Of(err) != fault.Input {
		t.Errorf("an input larger than its limit: %v", err)
	}
}

func TestCall_DeadlineEndsGuestsThatOnlyCallTheHost(t *testing.T) {
	for _, file := range []string{"calls-extism", "sleeps"} {
		m := load(t, runtimes(t)["compiler"], file, assemble(string(fixture(t, "guests/"+file+".wat"))), wasm.Limits{Fuel: 1 << 60, Deadline: 20 * time.Millisecond})
		ctx, cancel := context.WithCancel(context.Background())
		began := time.Now()
		if _, _, err := m.Call(ctx, "score", nil, nil); fault.Of(err) != fault.Deadline {
			t.Errorf("%s: %v", file, err)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: ended after %v, 20ms allowed", file, took)
		}
		cancel()
		if _, _, err := m.Call(ctx, "score", nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled, it gives %v", file, err)
		}
	}
}

// TestExtism_ChargesTheKernelsWork checks that bytes copied by the host cost the call
// fuel: an eighth per byte.
func TestExtism_ChargesTheKernelsWork(t *testing.T) {
	m := load(t, runtimes(t)["compiler"], "asks", assemble(asks), wasm.Limits{})
	fuel := func(input int) uint64 {
		_, usage, err := m.Call(context.Background(), "score", make([]byte, input), nil)
		if err != nil {
			t.Fatal(err)
		}
		return usage.Fuel
	}
	const size = 1 << 20
	if less, more := fuel(8), fuel(size); more-less < size/8 {
		t.Errorf("%d fuel for 8 bytes of input, %d for %d", less, more, size)
	}
}
