package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// TestLoad_PartIsRefusedLikeTheWhole has a function that is invalid, which only one scorer reaches.
func TestLoad_PartIsRefusedLikeTheWhole(t *testing.T) {
	module := slices.Clone(twoScorers)
	at := bytes.LastIndex(module, []byte{0x41, 11, 0x0b}) // the result of $large
	copy(module[at:], []byte{0x01, 0x01, 0x0b})           // there is none
	for _, dir := range []string{"", filepath.Join(t.TempDir(), "cache")} {
		for _, scorers := range [][]string{nil, {"large"}, {"small"}} {
			_, err := runtimeIn(t, dir).Load(context.Background(), wasm.Source{Name: "two", Module: module, Scorers: scorers}, wasm.Limits{})
			if fault.Of(err) != fault.Load || !strings.Contains(err.Error(), "invalid function[4]") {
				t.Errorf("for %q: %v", scorers, err)
			}
		}
	}
}

// TestLoad_PartsAreNotMixed puts the artifact of each set of scorers in the place of each other's.
func TestLoad_PartsAreNotMixed(t *testing.T) {
	sets := [][]string{{"small"}, {"small", "unknown"}, nil}
	load := func(dir string, scorers []string) *wasm.Module {
		m, err := runtimeIn(t, dir).Load(context.Background(), wasm.Source{Name: "two", Module: twoScorers, Scorers: scorers}, wasm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	base := t.TempDir()
	artifacts := make([]string, len(sets)) // the file of each
	for k, scorers := range sets {
		dir := filepath.Join(base, strconv.Itoa(k))
		load(dir, scorers)
		artifacts[k] = onlyFile(t, dir)
	}
	for k, scorers := range sets {
		own, err := os.ReadFile(artifacts[k])
		if err != nil {
			t.Fatal(err)
		}
		for from := range sets {
			other, err := os.ReadFile(artifacts[from])
			if from != k {
				err = errors.Join(err, os.WriteFile(artifacts[k], other, 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
			m := load(filepath.Join(base, strconv.Itoa(k)), scorers)
			if got := whatCame(m, "small", []byte("abc")); m.CacheMiss() != (from != k) || got.answer != `{"score":1}` {
				t.Errorf("%q from the artifact of %q: compiled: %v, %+v", scorers, sets[from], m.CacheMiss(), got)
			}
			if now, err := os.ReadFile(artifacts[k]); err != nil || !bytes.Equal(now, own) {
				t.Errorf("%q is not written again as it was: %v", scorers, err)
			}
		}
	}
}

// TestLoad_PartsAtOnce loads a module for all of its sets of scorers at the same time, with one store.
func TestLoad_PartsAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	one, other := runtimeIn(t, dir), runtimeIn(t, dir)
	var all sync.WaitGroup
	for k := range 24 {
		scorers := [][]string{{"small"}, {"large"}, {"large", "small"}, nil}[k%4]
		all.Go(func() {
			m, err := []*wasm.Runtime{one, other}[k/4%2].Load(context.Background(), wasm.Source{Name: "two", Module: twoScorers, Scorers: scorers}, wasm.Limits{})
			if err != nil {
				t.Error(err)
				return
			}
			for _, name := range []string{"large", "small"} {
				if got := whatCame(m, name, []byte("abc")); got.answer != `{"score":1}` && (len(scorers) == 0 || slices.Contains(scorers, name)) {
					t.Errorf("for %q: %s: %+v", scorers, name, got)
				}
			}
			if k%3 == 0 {
				m.Close(context.Background())
			}
		})
	}
	all.Wait()
}
