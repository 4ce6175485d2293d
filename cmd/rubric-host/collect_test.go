package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestPace_MultipliesOnlyWhatIsRead keeps memory that the collector does not read, as a run of many rows does.
func TestPace_MultipliesOnlyWhatIsRead(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	hashes := make([]uint64, 64<<20)
	runtime.GC()
	pace()
	if got := debug.SetGCPercent(400); got < 1 || got > 100 {
		t.Errorf("the percentage is %d beside %d MiB without pointers, want at most 100", got, len(hashes)>>17)
	}
	runtime.KeepAlive(hashes)
}

// TestCollectLess_CollectsAgain checks that the limit before the first collection does not stay.
func TestCollectLess_CollectsAgain(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv(name, "")
		os.Unsetenv(name) // Setenv restores it
	}
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	limit := debug.SetMemoryLimit(-1)
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}()
	collectLess()
	if got := debug.SetMemoryLimit(-1); got != firstCollection {
		t.Errorf("the limit is %d before the first collection, want %d", got, firstCollection)
	}
	for k := 0; debug.SetMemoryLimit(-1) != math.MaxInt64; k++ {
		if k == 10_000 {
			t.Fatal("the limit stays")
		}
		runtime.GC() // which gives the goroutine of cleanups its turn
	}
	got := debug.SetGCPercent(-1)
	for k := 0; got == -1 && k < 10_000; k++ { // it is set after the limit
		runtime.GC()
		got = debug.SetGCPercent(-1)
	}
	if got < 1 || got > 400 {
		t.Errorf("then the percentage is %d, want at most 400", got)
	}
}
