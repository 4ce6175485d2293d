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
	"strconv"
	"testing"
)

// Full reports whether tests do everything, however long it takes.
func Full() bool { return os.Getenv("TEST_FULL") != "" }

// Of returns usual, or full with TEST_FULL=1.
func Of(usual, full int) int {
	if Full() {
		return full
	}
	return usual
}

// OneIn returns a function that reports whether to test the next of many similar items: all
// with TEST_FULL=1, else one in n on average, one in 4n with -short, different ones in every
// run. The test must name the item that fails.
func OneIn(n int) func() bool {
	if Full() {
		return func() bool { return true }
	}
	if testing.Short() {
		n *= 4
	}
	return func() bool { return rand.IntN(n) == 0 }
}

// rapidChecks is what Rapid set.
var rapidChecks string

// Rapid sets how many checks the property tests of a package make, in place of the 100 of
// package rapid, which divides by 5 with -short. The flag -rapid.checks overrides it. Call it
// in TestMain before m.Run. Not for packages that count what their properties came upon.
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
