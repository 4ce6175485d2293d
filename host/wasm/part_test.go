package wasm_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// twoScorers has a scorer that reaches others by a table, and one that reaches most of the code. Both
// leave through functions of their own types.
var twoScorers = assemble(`(module
  (memory (export "memory") 2)
  (type $unary (func (param i32) (result i32)))
  (type $none (func (result i32)))
  (table 4)
  (elem (i32.const 1) $same $more $large)
  (data (i32.const 0) "{\22score\22:1}")
  (func (export "alloc") (param i32) (result i32) (i32.const 4096))
  (func $same (param $n i32) (result i32) (local.get $n))
  (func $more (param $n i32) (result i32) (call $again (local.get $n)))
  (func $again (param $n i32) (result i32)
    (if (i32.eq (local.get $n) (i32.const 0)) (then (return (i32.const 11))))
    (return (call $again (i32.sub (local.get $n) (i32.const 1)))))
  (func $large (result i32) ` + strings.Repeat("(drop (i32.add (i32.const 1) (i32.const 2)))", 60) + ` (i32.const 11))
  (func (export "small") (param i32 i32) (result i64)
    (i64.extend_i32_u (call_indirect $unary (local.get 1) (i32.const 2))))
  (func (export "large") (param i32 i32) (result i64)
    (i64.extend_i32_u (call_indirect $none (i32.const 3)))))`)

// TestLoad_PartIsTheModule loads a module for some of its scorers: answers and fuel are those of the
// whole, which takes the place of a part if it is there.
func TestLoad_PartIsTheModule(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "cache")
	load := func(dir string, scorers ...string) *wasm.Module {
		t.Helper()
		m, err := runtimeIn(t, dir).Load(ctx, wasm.Source{Name: "two", Module: twoScorers, Scorers: scorers}, wasm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	all := []string{"large", "small"}
	whole := load("")
	want := map[string]came{}
	for _, name := range all {
		if want[name] = whatCame(whole, name, []byte("abc")); want[name].answer != `{"score":1}` {
			t.Fatalf("%s: %+v", name, want[name])
		}
	}
	check := func(m *wasm.Module, compiled bool, scorers ...string) {
		t.Helper()
		if looks(m) != looks(whole) || m.CacheMiss() != compiled {
			t.Errorf("%s, compiled: %v", looks(m), m.CacheMiss())
		}
		for _, name := range all {
			switch got := whatCame(m, name, []byte("abc")); {
			case slices.Contains(scorers, name):
				if got != want[name] {
					t.Errorf("%s: %+v, whole: %+v", name, got, want[name])
				}
			case !strings.HasPrefix(got.failure, string(fault.NotFound)):
				t.Errorf("%s can be called: %+v", name, got)
			}
		}
	}
	check(load("", "small"), false, "small")
	check(load(dir, "small"), true, "small")
	check(load(dir, "small", "small"), false, "small")
	check(load(dir, "large"), true, all...) // that is nearly all
	check(load(dir, "small"), false, all...)
	check(load(dir), false, all...)
}
