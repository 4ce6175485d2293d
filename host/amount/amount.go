// Package amount says how much a test does: a part in every go test ./..., everything with
// TEST_FULL=1, which make full sets.
//
// Stability: experimental.
package amount

import (
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

// Rapid sets how many checks the property tests of a package make, in place of the 100 of
// package rapid, which divides by 5 with -short. The flag -rapid.checks overrides it. Call it
// in TestMain before m.Run. Not for packages that count what their properties came upon.
func Rapid(checks int) {
	if Full() {
		return
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(checks)); err != nil {
		panic(err) // the package has no property tests
	}
}
