package wasmtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// An Attack is a hostile module and the expected outcome, as the comments at the
// head of its text say:
//
//	;; class: fuel          the class of the error; none: the call succeeds
//	;; at: load             where the error comes; none: in the call
//	;; says: part of it     part of the message
//	;; answer: "text"       the answer of a call that succeeds
//	;; log: 16384           how many bytes of its output are kept
//	;; limits: fuel=1 pages=16 deadline=50ms
//	;; fuel: 1200001        exact fuel of the call
type Attack struct {
	Name   string // of the file
	Module []byte
	Class  fault.Class
	AtLoad bool
	Says   string
	Answer string
	Log    int
	Fuel   uint64
	Limits wasm.Limits
}

// Attacks reads the hostile modules of a directory.
func Attacks(t testing.TB, dir string) (all []Attack) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.wat"))
	if err != nil || len(files) < 30 {
		t.Fatalf("%d hostile modules: %v", len(files), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a := Attack{Name: strings.TrimSuffix(filepath.Base(file), ".wat"), Module: Assemble(string(b)), Limits: wasm.Limits{Fuel: 1_200_000}}
		for line := range strings.Lines(string(b)) {
			line, isComment := strings.CutPrefix(strings.TrimSpace(line), ";; ")
			key, value, _ := strings.Cut(line, ": ")
			if !isComment {
				continue
			}
			if err := a.set(key, value); err != nil {
				t.Errorf("%s: %s: %v", a.Name, key, err)
			}
		}
		all = append(all, a)
	}
	return all
}

func (a *Attack) set(key, value string) (err error) {
	switch key {
	case "class":
		a.Class = fault.Class(value)
	case "at":
		a.AtLoad = value == "load"
	case "says":
		a.Says = value
	case "answer":
		a.Answer, err = strconv.Unquote(value)
	case "log":
		a.Log, err = strconv.Atoi(value)
	case "fuel":
		a.Fuel, err = strconv.ParseUint(value, 10, 64)
	case "limits":
		for _, l := range strings.Fields(value) {
			if err := a.limit(strings.Cut(l, "=")); err != nil {
				return err
			}
		}
	}
	return err
}

func (a *Attack) limit(name, value string, _ bool) (err error) {
	var n uint64
	switch name {
	case "fuel":
		a.Limits.Fuel, err = strconv.ParseUint(value, 10, 64)
	case "pages":
		n, err = strconv.ParseUint(value, 10, 32)
		a.Limits.MemoryPages = uint32(n)
	case "deadline":
		a.Limits.Deadline, err = time.ParseDuration(value)
	default:
		err = strconv.ErrSyntax
	}
	return err
}
