package diag_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -999: "-999", -1000000: "-1,000,000"} {
		if got := diag.Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestShell(t *testing.T) {
	if got, want := diag.Shell("eval", "a b", "", "it's", "x\x1b[1m", "it's\nb"), `eval 'a b' '' 'it'\''s' $'x\x1b[1m' $'it\x27s\x0ab'`; got != want {
		t.Errorf("Shell = %s, want %s", got, want)
	}
}
