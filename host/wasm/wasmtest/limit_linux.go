package wasmtest

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// LimitData lets the process have so many bytes of data more than it has.
func LimitData(t testing.TB, more uint64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmData:")
	kilobytes, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_DATA, &l); err != nil {
		t.Fatal(err)
	}
	l.Cur = min(kilobytes<<10+more, l.Max)
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &l); err != nil {
		t.Fatal(err)
	}
}
