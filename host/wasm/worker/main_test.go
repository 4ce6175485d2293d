package worker

import (
	"os"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// disguises are what this program can be started as, beside a worker, by its
// argument.
var disguises = map[string]func(){}

// cacheDir is one that tests share, for what takes long to compile.
var cacheDir string

func TestMain(m *testing.M) {
	if be := disguises[os.Args[len(os.Args)-1]]; be != nil && len(os.Args) < 4 {
		be()
		os.Exit(0)
	}
	Main()
	dir, err := wasmtest.SharedCache()
	if err != nil {
		panic(err)
	}
	cacheDir = dir
	m.Run()
}
