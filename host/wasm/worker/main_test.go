package worker

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"
)

// disguises are the other programs that this test binary can be started as, beside a
// worker, by its argument.
var disguises = map[string]func(){}

func TestMain(m *testing.M) {
	if be := disguises[os.Args[len(os.Args)-1]]; be != nil && len(os.Args) < 4 {
		be()
		os.Exit(0)
	}
	Main()
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil { // half of the parallel tests wait
		panic(err)
	}
	m.Run()
}
