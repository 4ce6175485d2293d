package wasm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// names are the paths that the clerk opens.
var names = []string{"f", "big", "sub", "sub/g", "..", "/f", "none", "out", ".", "many", "sub/..", "f/x", "sub\\g", ""}

// clerk returns a module that executes the file operations of a request, in groups of
// eight bytes - operation, file or directory, name or number, 0, number in four bytes
// - and answers with the result of each.
func clerk() []byte {
	var data strings.Builder
	for k, name := range names {
		fmt.Fprintf(&data, `(data (i32.const %d) "\%02x%s")`, 256+16*k, len(name), strings.ReplaceAll(name, `\`, `\5c`))
	}
	return assemble(`(module
		(import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "path_filestat_get" (func $look (param i32 i32 i32 i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_pread" (func $pread (param i32 i32 i32 i64 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_seek" (func $seek (param i32 i64 i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_tell" (func $tell (param i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_readdir" (func $list (param i32 i32 i32 i64 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_filestat_get" (func $stat (param i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
		(memory (export "memory") 24)
		` + data.String() + `
		(global $out (mut i32) (i32.const 131072))
		(func (export "alloc") (param i32) (result i32) (i32.const 65536))
		(func $emit (param i32)
			(i32.store (global.get $out) (local.get 0))
			(global.set $out (i32.add (global.get $out) (i32.const 4))))
		(func $sum (param i32 i32) (result i32) (local i32)
			(loop $l
				(if (local.get 1) (then
					(local.set 2 (i32.add (i32.mul (local.get 2) (i32.const 31)) (i32.load8_u (local.get 0))))
					(local.set 0 (i32.add (local.get 0) (i32.const 1)))
					(local.set 1 (i32.sub (local.get 1) (i32.const 1)))
					(br $l))))
			(local.get 2))
		(func $do (param $what i32) (param $file i32) (param $name i32) (param $n i32) (result i32) (local $at i32)
			(i64.store (i32.const 64) (i64.const 0))
			(i64.store (i32.const 144) (i64.const 0))
			(i64.store (i32.const 160) (i64.const 0))
			(i32.store (i32.const 80) (i32.const 262144))
			(i32.store (i32.const 84) (local.get $n))
			(i32.store (i32.const 88) (i32.const 1048576))
			(i32.store (i32.const 92) (i32.const 5))
			(local.set $at (i32.add (i32.const 256) (i32.mul (local.get $name) (i32.const 16))))
			(if (i32.eqz (local.get $what)) (then
				(return (call $open (local.get $file) (i32.const 0) (i32.add (local.get $at) (i32.const 1)) (i32.load8_u (local.get $at)) (local.get $n) (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 64)))))
			(if (i32.eq (local.get $what) (i32.const 1)) (then
				(return (call $look (local.get $file) (i32.const 0) (i32.add (local.get $at) (i32.const 1)) (i32.load8_u (local.get $at)) (i32.const 128)))))
			(if (i32.eq (local.get $what) (i32.const 2)) (then
				(return (call $read (local.get $file) (i32.const 80) (i32.const 2) (i32.const 64)))))
			(if (i32.eq (local.get $what) (i32.const 3)) (then
				(return (call $pread (local.get $file) (i32.const 80) (i32.const 2) (i64.mul (i64.extend_i32_s (local.get $name)) (i64.const 1000)) (i32.const 64)))))
			(if (i32.eq (local.get $what) (i32.const 4)) (then
				(return (call $seek (local.get $file) (i64.extend_i32_s (local.get $n)) (local.get $name) (i32.const 64)))))
			(if (i32.eq (local.get $what) (i32.const 5)) (then
				(return (call $list (local.get $file) (i32.const 262144) (local.get $n) (i64.extend_i32_s (local.get $name)) (i32.const 64)))))
			(if (i32.eq (local.get $what) (i32.const 6)) (then (return (call $close (local.get $file)))))
			(if (i32.eq (local.get $what) (i32.const 7)) (then (return (call $stat (local.get $file) (i32.const 128)))))
			(call $tell (local.get $file) (i32.const 64)))
		(func (export "score") (param $at i32) (param $len i32) (result i64)
			(loop $l
				(if (i32.ge_u (local.get $len) (i32.const 8)) (then
					(call $emit (call $do (i32.load8_u (local.get $at)) (i32.load8_u (i32.add (local.get $at) (i32.const 1)))
						(i32.load8_u (i32.add (local.get $at) (i32.const 2))) (i32.load (i32.add (local.get $at) (i32.const 4)))))
					(call $emit (i32.load (i32.const 64)))
					(call $emit (call $sum (i32.const 128) (i32.const 64)))
					(call $emit (call $sum (i32.const 262144) (i32.const 2000)))
					(call $emit (call $sum (i32.const 1048576) (i32.const 5)))
					(local.set $at (i32.add (local.get $at) (i32.const 8)))
					(local.set $len (i32.sub (local.get $len) (i32.const 8)))
					(br $l))))
			(i64.or (i64.const ` + fmt.Sprint(131072<<32) + `) (i64.extend_i32_u (i32.sub (global.get $out) (i32.const 131072))))))`)
}

// TestGrant_FilesAreTheSameInAWorker does the same to the same files in both places,
// and compares everything visible: error numbers, offsets, sizes, entries and
// content, with fuel and messages.
func TestGrant_FilesAreTheSameInAWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	write := func(name string, size int) error {
		return os.WriteFile(filepath.Join(tree, name), make([]byte, size), 0o600)
	}
	err := errors.Join(os.MkdirAll(filepath.Join(tree, "sub"), 0o700), os.Mkdir(filepath.Join(tree, "many"), 0o700), write("f", 5), write("sub/g", 0),
		os.WriteFile(filepath.Join(tree, "big"), []byte(strings.Repeat("more than is read at once", 40_000)), 0o600), os.Symlink("../..", filepath.Join(tree, "out")))
	for n := range 300 {
		err = errors.Join(err, write(fmt.Sprintf("many/%d", n), 0))
	}
	if err != nil {
		t.Fatal(err)
	}
	a := wasmtest.Access(t, grant.Grant{Kind: grant.Files, Target: tree})
	places := []callable{here(t)(t, "clerk", clerk(), wasm.Limits{}, a), there(t)(t, "clerk", clerk(), wasm.Limits{}, a)}
	outcomes := map[uint32]bool{}
	rapid.Check(t, func(rt *rapid.T) {
		var request []byte
		for range rapid.IntRange(1, 90).Draw(rt, "steps") {
			what := rapid.SampledFrom([]byte{0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 6, 7, 8}).Draw(rt, "what")
			file, last := byte(rapid.SampledFrom([]int{3, 3, 3, 4, 5, 6, 7, 2, 60}).Draw(rt, "file")), 12
			number := rapid.SampledFrom([]int32{0, 0, 1, 23, 24, 100, 5_000, 300_000, 780_000, -1, 1 << 30}).Draw(rt, "number")
			if what == 0 {
				last, number = len(names)-1, rapid.SampledFrom([]int32{0, 0, 0, 0, 1, 2, 8}).Draw(rt, "flags")
			}
			name := byte(rapid.IntRange(0, last).Draw(rt, "name"))
			request = binary.LittleEndian.AppendUint32(append(request, what, file, name, 0), uint32(number))
		}
		var first outcome
		for k, m := range places {
			got := call(m, "score", request)
			if k == 0 {
				first = got
			} else if got != first {
				rt.Errorf("in process %+v, in a worker %+v", first, got)
			}
			for at := 0; at+20 <= len(got.answer); at += 20 {
				outcomes[binary.LittleEndian.Uint32([]byte(got.answer[at:]))] = true
			}
		}
	})
	for _, errno := range []uint32{0, 2, 8, 28, 31, 44, 54, 69, 70} {
		if !outcomes[errno] && !testing.Short() { // rapid then tries too little to have all of them
			t.Errorf("nothing ever had the error number %d", errno)
		}
	}
}

// TestGrant_ServesManyCallsAtOnce makes calls from many callers, some of whom
// go away: each gets its own, and no worker is taken for a liar.
func TestGrant_ServesManyCallsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "f"), []byte("file"), 0o600), os.WriteFile(filepath.Join(dir, "big"), make([]byte, 600_000), 0o600)); err != nil {
		t.Fatal(err)
	}
	requests := []string{
		"\x00\x03\x00\x00\x00\x00\x00\x00" + "\x02\x04\x00\x00\xff\x00\x00\x00",                     // f
		"\x00\x03\x01\x00\x00\x00\x00\x00" + strings.Repeat("\x02\x04\x00\x00\xff\xff\x03\x00", 3),  // big
		strings.Repeat("\x00\x03\x00\x00\x00\x00\x00\x00", 70) + "\x05\x03\x00\x00\xff\x00\x00\x00", // as many as possible, and the existing ones
	}
	rounds := amount.Of(9, 25)
	eachWay(t, func(t *testing.T, load loading) {
		m := load("clerk", clerk(), wasm.Limits{}, grant.Grant{Kind: grant.Files, Target: dir})
		var want []outcome
		for _, r := range requests {
			want = append(want, call(m, "score", []byte(r)))
		}
		var callers sync.WaitGroup
		for n := range 24 {
			callers.Go(func() {
				for k := range rounds {
					which := (n + k) % len(requests)
					if n%4 == 0 {
						ctx, cancel := context.WithCancel(context.Background())
						time.AfterFunc(time.Duration(k)*1250*time.Microsecond/time.Duration(rounds), cancel)
						m.Call(ctx, "score", []byte(requests[which]), nil)
						cancel()
						continue
					}
					if got := call(m, "score", []byte(requests[which])); got != want[which] {
						t.Errorf("%+v, want %+v", got, want[which])
					}
				}
			})
		}
		callers.Wait()
		if far, ok := m.(interface{ Workers() int }); ok && far.Workers() != 1 {
			t.Errorf("%d workers", far.Workers())
		}
	})
}
