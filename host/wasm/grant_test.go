package wasm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// requesters forward the request that they get, in every possible way, and answer
// with the response.
var requesters = map[string]string{
	"direct": `(module
		(import "rubric-host" "http" (func $http (param i32 i32) (result i32)))
		(import "rubric-host" "http_response" (func $response (param i32 i32) (result i32)))
		(memory (export "memory") 8)
		(global $next (mut i32) (i32.const 1024))
		(func (export "alloc") (param i32) (result i32)
			(global.get $next)
			(global.set $next (i32.add (global.get $next) (local.get 0))))
		(func (export "score") (param i32 i32) (result i64) (local $n i32)
			(local.set $n (call $http (local.get 0) (local.get 1)))
			(if (i32.ne (call $response (i32.const 65536) (i32.const 10)) (i32.const 10)) (then unreachable))
			(if (i32.ne (call $response (i32.const 65546) (i32.const 100000)) (i32.sub (local.get $n) (i32.const 10))) (then unreachable))
			(if (call $response (i32.const 0) (i32.const 8)) (then unreachable))
			(i64.or (i64.const 281474976710656) (i64.extend_i32_u (local.get $n)))))`,
	"extism": `(module
		(import "extism:host/env" "input_offset" (func $input (result i64)))
		(import "extism:host/env" "http_request" (func $http (param i64 i64) (result i64)))
		(import "extism:host/env" "http_status_code" (func $status (result i32)))
		(import "extism:host/env" "http_headers" (func $headers (result i64)))
		(import "extism:host/env" "length" (func $length (param i64) (result i64)))
		(import "extism:host/env" "output_set" (func $output (param i64 i64)))
		(func (export "score") (result i32) (local $at i64)
			(local.set $at (call $http (call $input) (i64.const 0)))
			(if (i32.ne (call $status) (i32.const 200)) (then (local.set $at (call $headers))))
			(call $output (local.get $at) (call $length (local.get $at)))
			(i32.const 0)))`,
}

func TestGrant_SendsRequestsToGrantedHosts(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/teapot":
			w.Header().Set("X-Kind", "teapot")
			w.WriteHeader(http.StatusTeapot)
		case "/binary":
			w.Write([]byte{0xff, 0xfe})
		case "/slow":
			<-r.Context().Done()
		default:
			fmt.Fprintf(w, "%s with %s", r.Method, r.Header.Get("X-Given"))
		}
	}))
	t.Cleanup(s.Close)
	eachWay(t, func(t *testing.T, load loading) { testRequests(t, s.URL, load) })
}

func testRequests(t *testing.T, url string, load loading) {
	host := grant.Grant{Kind: grant.HTTP, Target: strings.TrimPrefix(url, "http://")}
	direct, extism := assemble(requesters["direct"]), assemble(requesters["extism"])
	ask := func(m callable, path, more string) (string, error) {
		answer, _, err := m.Call(context.Background(), "score", []byte(`{"url":"`+url+path+`"`+more+`}`), nil)
		return string(answer), err
	}
	m, x := load("direct", direct, wasm.Limits{}), load("extism", extism, wasm.Limits{})
	if got, err := ask(m, "/", ""); err != nil || got != `{"body":"","error":"the plugin asks for the network, which it is not given","class":"refused"}` {
		t.Errorf("nothing is granted: %s %v", got, err)
	}
	if got, err := ask(x, "/", ""); fault.Of(err) != fault.Refused {
		t.Errorf("nothing is granted: %s %v", got, err)
	}
	m, x = load("direct", direct, wasm.Limits{}, host), load("extism", extism, wasm.Limits{}, host)
	for _, tt := range []struct{ path, more, want string }{
		{"/", `,"method":"PUT","headers":{"X-Given":"this"}`, `"body":"PUT with this"`},
		{"/teapot", ``, `"status":418`},
		{"/binary", ``, `"body":"//4=","base64":true`},
		{"/", `,"base64":true,"body":"?"`, `the body is not base64`},
		{"/", `,"bodi":"x"`, `"class":"input"`},
		{"/", `,"headers":{"Host":"elsewhere"}`, `"class":"refused"`},
	} {
		if got, err := ask(m, tt.path, tt.more); err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %s %v, want %s", tt.path, tt.more, got, err, tt.want)
		}
	}
	brief := load("brief", direct, wasm.Limits{Deadline: 300 * time.Millisecond}, host)
	if got, err := ask(brief, "/slow", ""); fault.Of(err) != fault.Deadline || !strings.Contains(err.Error(), "still running after 300ms") {
		t.Errorf("what takes all its time: %s %v", got, err)
	}
	if got, err := ask(x, "/", `,"method":"PUT","headers":{"X-Given":"this"}`); err != nil || got != "PUT with this" {
		t.Errorf("%s %v", got, err)
	}
	var headers map[string]string
	if got, err := ask(x, "/teapot", ""); err != nil || json.Unmarshal([]byte(got), &headers) != nil || headers["x-kind"] != "teapot" {
		t.Errorf("%s %v", got, err)
	}
	answer, _, err := x.Call(context.Background(), "score", []byte(`{"url":"http://elsewhere.example/"}`), nil)
	if fault.Of(err) != fault.Refused {
		t.Errorf("another host: %s %v", answer, err)
	}
}

// TestGrant_StartGetsNothing looks at the clock before the first call:
// every instance begins alike, whatever is granted.
func TestGrant_StartGetsNothing(t *testing.T) { eachWay(t, testStartsAlike) }

func testStartsAlike(t *testing.T, load loading) {
	m := load("early", assemble(`(module
		(import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
		(memory (export "memory") 1)
		(data (i32.const 32) "00000000")
		(func (export "alloc") (param i32) (result i32) (i32.const 1024))
		(func (export "_initialize") (drop (call $time (i32.const 0) (i64.const 0) (i32.const 16))))
		(func (export "score") (param i32 i32) (result i64)
			(if (i32.eq (local.get 1) (i32.const 3)) (then (drop (call $time (i32.const 0) (i64.const 0) (i32.const 16)))))
			(i64.const `+fmt.Sprint(16<<32|8)+`)))`), wasm.Limits{}, grant.Grant{Kind: grant.Clock})
	at := func(request string) uint64 {
		answer, _, err := m.Call(context.Background(), "score", []byte(request), nil)
		if err != nil || len(answer) != 8 {
			t.Fatal(answer, err)
		}
		n := uint64(0)
		for k := range 8 {
			n |= uint64(answer[k]) << (8 * k)
		}
		return n
	}
	if then := time.Unix(0, int64(at("start"))); then.UTC().Year() != 2022 {
		t.Errorf("started in %v", then)
	}
	if now := time.Unix(0, int64(at("now"))); time.Since(now).Abs() > time.Hour {
		t.Errorf("called in %v", now)
	}
}

// TestGrant_RequestsOutsideOfMemoryEndTheCall passes addresses outside of the guest's
// memory.
func TestGrant_RequestsOutsideOfMemoryEndTheCall(t *testing.T) {
	for name, call := range map[string]string{
		"a request":  `(call $http (i32.const 65530) (i32.const 100))`,
		"a response": `(call $response (i32.const -1) (i32.const 2))`,
	} {
		t.Run(name, func(t *testing.T) {
			m := load(t, wasmtest.Runtime(t, wasm.Options{}), "outside", assemble(`(module
				(import "rubric-host" "http" (func $http (param i32 i32) (result i32)))
				(import "rubric-host" "http_response" (func $response (param i32 i32) (result i32)))
				(memory (export "memory") 1)
				(func (export "alloc") (param i32) (result i32) (i32.const 1024))
				(func (export "score") (param i32 i32) (result i64) (i64.extend_i32_u `+call+`)))`), wasm.Limits{})
			_, _, err := m.Call(context.Background(), "score", []byte("x"), nil)
			if fault.Of(err) != fault.Protocol || !strings.Contains(err.Error(), "outside of the memory") {
				t.Error(err)
			}
		})
	}
}

// TestGrant_ClosesFilesAfterEveryCall opens files without closing them, more often
// than a call may.
func TestGrant_ClosesFilesAfterEveryCall(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	opens := assemble(`(module
		(import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
		(memory (export "memory") 1)
		(data (i32.const 8) "f")
		(func (export "alloc") (param i32) (result i32) (i32.const 1024))
		(func (export "score") (param i32 i32) (result i64)
			(drop (call $open (i32.const 3) (i32.const 0) (i32.const 8) (i32.const 1) (i32.const 0) (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 16)))
			(i64.const ` + fmt.Sprint(16<<32|4) + `)))`)
	eachWay(t, func(t *testing.T, load loading) {
		m := load("opens", opens, wasm.Limits{}, grant.Grant{Kind: grant.Files, Target: dir})
		for range 200 {
			answer, _, err := m.Call(context.Background(), "score", []byte("x"), nil)
			if err != nil || string(answer) != "\x04\x00\x00\x00" {
				t.Fatalf("%q %v", answer, err)
			}
		}
	})
}

// A faulty tree has one file, whose reading fails as a machine does.
type faulty struct{ opening, reading error }

func (f faulty) Open(_ context.Context, name string) (*grant.File, error) {
	if f.opening != nil {
		return nil, f.opening
	}
	return grant.NewFile(name, name == ".", 1, f), nil
}

func (f faulty) ReadAt([]byte, int64) (int, error) { return 0, f.reading }
func (f faulty) Entries() ([]grant.Entry, error)   { return nil, f.reading }
func (f faulty) Close() error                      { return nil }

// TestGrant_FailureOfTheMachineEndsTheCall has a guest stat, open, read and list: it
// may learn that a file is missing; a failure of the machine ends the call.
func TestGrant_FailureOfTheMachineEndsTheCall(t *testing.T) {
	module := assemble(`(module
		(import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "path_filestat_get" (func $look (param i32 i32 i32 i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
		(import "wasi_snapshot_preview1" "fd_readdir" (func $list (param i32 i32 i32 i64 i32) (result i32)))
		(memory (export "memory") 1)
		(data (i32.const 0) "f\00\00\00\00\00\00\00\00\01\00\00\10\00\00\00")
		(func (export "alloc") (param i32) (result i32) (i32.const 1024))
		(func $answer (param i32) (result i64)
			(i32.store (i32.const 64) (local.get 0))
			(i64.const ` + fmt.Sprint(64<<32|4) + `))
		(func $file (result i32)
			(call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0) (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 32)))
		(func (export "look") (param i32 i32) (result i64)
			(call $answer (call $look (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 128))))
		(func (export "list") (param i32 i32) (result i64)
			(call $answer (call $list (i32.const 3) (i32.const 512) (i32.const 100) (i64.const 0) (i32.const 32))))
		(func (export "open") (param i32 i32) (result i64) (call $answer (call $file)))
		(func (export "read") (param i32 i32) (result i64)
			(drop (call $file))
			(call $answer (call $read (i32.load (i32.const 32)) (i32.const 8) (i32.const 1) (i32.const 40)))))`)
	machine := fault.New(fault.Trap, "a file that was granted cannot be read: input/output error")
	for _, tt := range []struct {
		name string
		tree faulty
		want map[string]byte // errno by export; 255: the call fails
	}{
		{"nothing is there", faulty{opening: grant.ErrNotExist}, map[string]byte{"look": 44, "open": 44, "list": 44}},
		{"all is denied", faulty{opening: grant.ErrDenied}, map[string]byte{"look": 2, "open": 2, "list": 2}},
		{"nothing opens", faulty{opening: machine}, map[string]byte{"look": 255, "open": 255, "list": 255, "read": 255}},
		{"nothing is read", faulty{reading: machine}, map[string]byte{"look": 0, "open": 0, "list": 255, "read": 255}},
		{"reading is denied", faulty{reading: grant.ErrDenied}, map[string]byte{"list": 2, "read": 2}},
		{"an error of nobody", faulty{reading: errors.New("?")}, map[string]byte{"list": 255, "read": 255}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachPlace(t, func(t *testing.T, in place) {
				m := in(t, "faulty", module, wasm.Limits{}, &grant.Access{Tree: tt.tree})
				for export, want := range tt.want {
					answer, _, err := m.Call(context.Background(), export, nil, nil)
					if want != 255 && (err != nil || len(answer) != 4 || answer[0] != want) {
						t.Errorf("%s: %v, %v; want %d", export, answer, err, want)
					}
					if want == 255 && (err == nil || len(answer) > 0 || tt.tree.says() != fault.Of(err)) {
						t.Errorf("%s: %v, %v", export, answer, err)
					}
				}
			})
		})
	}
}

// says returns the class of the error.
func (f faulty) says() fault.Class { return fault.Of(errors.Join(f.opening, f.reading)) }
