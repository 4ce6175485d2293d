package wasmtest

import (
	"os"
	"testing"
)

// Wheel returns the path that a variable of the environment names: RUBRIC_HOST_PYTHON_SCI, a
// wheel with CPython and numpy, or RUBRIC_HOST_MATH_VERIFY, a directory of packages.
// Without it the test is skipped, or fails where the variable require is set: tests download nothing.
func Wheel(t testing.TB, variable, require string) string {
	t.Helper()
	wheel := os.Getenv(variable)
	switch {
	case wheel == "" && os.Getenv(require) != "":
		t.Fatalf("%s is set, but %s names no path", require, variable)
	case wheel == "":
		t.Skipf("needs %s=PATH; make python-sci-check sets it", variable)
	}
	return wheel
}

// NeedsKernel skips a test on a system that lacks a feature, or fails it where
// CI_REQUIRE_KERNEL is set: root on Linux 6.7 or later with Landlock has all of them.
func NeedsKernel(t testing.TB, has bool, feature string) {
	t.Helper()
	switch {
	case has:
	case os.Getenv("CI_REQUIRE_KERNEL") != "":
		t.Fatalf("CI_REQUIRE_KERNEL is set, but this system lacks %s", feature)
	default:
		t.Skipf("needs %s", feature)
	}
}
