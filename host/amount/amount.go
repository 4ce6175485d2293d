// Package amount says how much a test does: a part in every go test ./..., everything with
// TEST_FULL=1, which make full sets.
//
// Stability: experimental.
package amount

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// gcPercent is GOGC of tests and of the processes that they start, and gcLimit the bytes beyond
// which a test's process collects as often as needed. Tests keep little memory alive; with Go's
// 100, a fifth of their CPU time is garbage collection.
const (
	gcPercent = 400
	gcLimit   = 768 << 20
)

func init() { //nolint:gochecknoinits // packages without a TestMain have no other place before their tests
	asked := func(flag string) bool {
		return slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, flag) })
	}
	if !asked("-test.memprofile") {
		runtime.MemProfileRate = 0 // package testing keeps the profile of allocations in every test; a program has none
	}
	benchmarks := asked("-test.bench=")
	if os.Getenv("GOGC") == "" && !benchmarks && os.Setenv("GOGC", strconv.Itoa(gcPercent)) == nil {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(gcLimit)
	}
}

// Full reports whether tests do everything, however long it takes.
func Full() bool { return os.Getenv("TEST_FULL") != "" }

// Of returns usual, or full with TEST_FULL=1.
func Of(usual, full int) int {
	if Full() {
		return full
	}
	return usual
}

// Heavy skips a test that takes seconds of a processor and is one of many of its kind, unless
// with TEST_FULL=1. The name of the test begins with "heavy": make heavy-check runs these.
func Heavy(t testing.TB) {
	t.Helper()
	if !Full() {
		t.Skip("slow: runs with TEST_FULL=1")
	}
}

// OneIn returns a function that reports whether to test the next of many similar items: all
// with TEST_FULL=1 or if -run names a subtest, else one in n on average, one in 4n with -short,
// different ones in every run. The test must name the item that fails.
func OneIn(n int) func() bool {
	if Full() || strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return func() bool { return true }
	}
	if testing.Short() {
		n *= 4
	}
	return func() bool { return rand.IntN(n) == 0 }
}

var rapidChecks string

// Rapid sets how many checks the property tests of a package make, in place of the
// 100 of package rapid, which divides by 5 with -short. The flag -rapid.checks
// overrides it. Call it in TestMain before m.Run. Not for packages whose properties
// count their samples.
func Rapid(checks int) {
	if Full() {
		return
	}
	rapidChecks = strconv.Itoa(checks)
	setChecks(rapidChecks)
}

// RapidIn is Rapid for one test, whose checks take longer than those of its package.
func RapidIn(t testing.TB, checks int) {
	f := flag.Lookup("rapid.checks")
	if Full() || f == nil || f.Value.String() != cmp.Or(rapidChecks, f.DefValue) {
		return
	}
	was := f.Value.String()
	setChecks(strconv.Itoa(checks))
	t.Cleanup(func() { setChecks(was) })
}

func setChecks(n string) {
	if err := flag.Set("rapid.checks", n); err != nil {
		panic(err) // the package has no property tests
	}
}
