package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestPercentage_MultipliesLittle names the heap after a collection, in MiB.
func TestPercentage_MultipliesLittle(t *testing.T) {
	for _, c := range []struct{ read, live, want int }{
		{0, 0, 400}, {10, 10, 400}, {40, 64, 275}, {64, 64, 400}, {100, 128, 200}, {256, 256, 100}, {900, 900, 100}, {0, 512, 3},
	} {
		if got := percentage(uint64(c.read)<<20, uint64(c.live)<<20); got != c.want {
			t.Errorf("%d of %d MiB are read: %d %%, want %d", c.read, c.live, got, c.want)
		}
	}
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
