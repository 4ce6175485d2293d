package worker

import (
	"os"
	"testing"
)

// disguises are what this program can be started as, beside a worker, by its
// argument.
var disguises = map[string]func(){}

func TestMain(m *testing.M) {
	if be := disguises[os.Args[len(os.Args)-1]]; be != nil && len(os.Args) < 4 {
		be()
		os.Exit(0)
	}
	Main()
	m.Run()
}
