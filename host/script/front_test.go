package script_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestFront_AnswersFirst: the front of a script answers, or leaves that to the script, also by failing.
func TestFront_AnswersFirst(t *testing.T) {
	t.Parallel()
	const head = `(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 64) "{\22score\22:1}")
  (data (i32.const 96) "call\nx")
  (data (i32.const 128) "\60\00\00\00\06\00\00\00\00\01\00\00\00\01\00\00")
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
`
	const answers = `(func (export "score") (param i32 i32) (result i64) (i64.or (i64.shl (i64.const 64) (i64.const 32)) (i64.const 11))))`
	rt := openRuntime(t, "")
	for name, tt := range map[string]struct{ front, want string }{
		"answers":              {answers, `{"score":1}`},
		"leaves it":            {`(func (export "score") (param i32 i32) (result i64) (i64.const 0)))`, `{"score":0.5}`},
		"traps":                {`(func (export "score") (param i32 i32) (result i64) unreachable))`, `{"score":0.5}`},
		"never ends":           {`(func (export "score") (param i32 i32) (result i64) (loop $l (br $l)) (i64.const 0)))`, `{"score":0.5}`},
		"answers from nowhere": {`(func (export "score") (param i32 i32) (result i64) (i64.const -1)))`, `{"score":0.5}`},
		"has another":          {strings.Replace(answers, `"score"`, `"other"`, 1), `{"score":0.5}`},
		"asks a peer": {`(func (export "score") (param i32 i32) (result i64)
    (drop (call $write (i32.const 0) (i32.const 128) (i32.const 1) (i32.const 512)))
    (drop (call $read (i32.const 0) (i32.const 136) (i32.const 1) (i32.const 512)))
    (i64.or (i64.shl (i64.const 256) (i64.const 32)) (i64.load (i32.const 512)))))`, "answer "},
	} {
		t.Run(name, func(t *testing.T) {
			m := frontedWith(t, rt, wasmtest.Assemble(head+tt.front))
			answer, usage, err := m.Call(t.Context(), "score", []byte(`{}`), nil)
			if err != nil || !strings.HasPrefix(string(answer), tt.want) || strings.HasPrefix(tt.want, "answer") != (usage.PeerFuel > 0) {
				t.Errorf("%s, %+v, %v; want %s", answer, usage, err, tt.want)
			}
		})
	}
	m := frontedWith(t, rt, wasmtest.Assemble(head+answers))
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if answer, _, err := m.Call(stopped, "score", []byte(`{}`), nil); err == nil {
		t.Errorf("a stopped call answers %s", answer)
	}
	if _, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: frontedBytes(t, []byte("no module"))}, wasm.Limits{}); !fault.Is(err, fault.Refused) {
		t.Errorf("a front that is not a module: %v", err)
	}
}

func frontedBytes(t *testing.T, front []byte) []byte {
	t.Helper()
	const source = `export const servePeer = () => "1"; export const score = () => ({ score: 0.5 });`
	s, err := script.Read(peerBundle(t, "score.js", source))
	if err != nil {
		t.Fatal(err)
	}
	module, err := s.Module(wasmbin.Custom{Name: script.FrontSection, Bytes: front})
	if err != nil {
		t.Fatal(err)
	}
	return module
}

func frontedWith(t *testing.T, rt *wasm.Runtime, front []byte) *wasm.Module {
	t.Helper()
	m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: frontedBytes(t, front)}, wasm.Limits{Fuel: 100_000_000, Deadline: patient.Deadline, Compile: patient.Compile})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(context.Background()) })
	return m
}
