package wasm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// An endless tree has files without end, and counts the bytes read.
type endless struct{ read int64 }

func (e *endless) Open(_ context.Context, name string) (*grant.File, error) {
	return grant.NewFile(name, false, 1<<60, e), nil
}

func (e *endless) ReadAt(b []byte, _ int64) (int, error) {
	e.read += int64(len(b))
	return len(b), nil
}

func (e *endless) Entries() ([]grant.Entry, error) { return nil, nil }
func (e *endless) Close() error                    { return nil }

// reads asks for 15 GiB by one call of fd_read.
const reads = `(module
	(import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
	(import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
	(memory (export "memory") 512)
	(data (i32.const 16) "big")
	(func (export "alloc") (param i32) (result i32) (i32.const 1024))
	(func (export "score") (param i32 i32) (result i64) (local $k i32)
		(if (call $open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 3) (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 8)) (then unreachable))
		(loop $more
			(i32.store (i32.add (i32.const 8192) (local.get $k)) (i32.const 65536))
			(i32.store (i32.add (i32.const 8196) (local.get $k)) (i32.const 16000000))
			(local.set $k (i32.add (local.get $k) (i32.const 8)))
			(br_if $more (i32.lt_u (local.get $k) (i32.const 8192))))
		(drop (call $read (i32.load (i32.const 8)) (i32.const 8192) (i32.const 1024) (i32.const 12)))
		(i64.const 0)))`

func TestGrant_LongReadEndsWithTheFuel(t *testing.T) {
	m := load(t, wasmtest.Runtime(t, wasm.Options{}), "reads", assemble(reads), wasm.Limits{Fuel: 10_000_000})
	tree := new(endless)
	m.Grant(&grant.Access{Tree: tree})
	_, _, err := m.Call(t.Context(), "score", []byte("{}"), nil)
	if !fault.Is(err, fault.Fuel) {
		t.Errorf("err = %v", err)
	}
	if most := int64(10_000_000*8 + 16<<20); tree.read > most {
		t.Errorf("%d bytes were read, %d are paid for", tree.read, most)
	}
}

// TestGrant_DeniesTooLongPath has a path that is short once its detours are
// taken out of it, which takes longer the longer it is.
func TestGrant_DeniesTooLongPath(t *testing.T) {
	m := load(t, wasmtest.Runtime(t, wasm.Options{}), "path", assemble(`(module
		(import "wasi_snapshot_preview1" "path_filestat_get" (func $stat (param i32 i32 i32 i32 i32) (result i32)))
		(memory (export "memory") 2)
		(data (i32.const 1024) "`+strings.Repeat("a/../", grant.MaxPath/5+1)+`b")
		(func (export "alloc") (param i32) (result i32) (i32.const 512))
		(func (export "short") (param i32 i32) (result i64)
			(if (call $stat (i32.const 3) (i32.const 0) (i32.add (i32.const 1024) (i32.const 5000)) (i32.const 0) (i32.const 8)) (then unreachable))
			(if (call $stat (i32.const 3) (i32.const 0) (i32.const 1024) (i32.const 4095) (i32.const 8)) (then unreachable))
			(i64.const 0))
		(func (export "long") (param i32 i32) (result i64)
			(if (i32.ne (call $stat (i32.const 3) (i32.const 0) (i32.const 1024) (i32.const 4101) (i32.const 8)) (i32.const 2)) (then unreachable))
			(i64.const 0)))`), wasm.Limits{})
	m.Grant(&grant.Access{Tree: new(endless)})
	for _, export := range []string{"short", "long"} {
		if _, _, err := m.Call(t.Context(), export, []byte("{}"), nil); err != nil {
			t.Errorf("%s: %v", export, err)
		}
	}
}
