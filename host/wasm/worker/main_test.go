package worker

import (
	"os"
	"testing"
)

// disguises are what this program can be started as, beside a worker, by its
// argument.
var disguises = map[string]func(){}

// cacheDir is one that the tests of this package share, for what takes long to compile.
// It does not outlive them: they change its files.
var cacheDir string

func TestMain(m *testing.M) {
	if be := disguises[os.Args[len(os.Args)-1]]; be != nil && len(os.Args) < 4 {
		be()
		os.Exit(0)
	}
	Main()
	dir, err := os.MkdirTemp("", "cache-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	cacheDir = dir
	m.Run()
}
