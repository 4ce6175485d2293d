package worker

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
)

// TestNew_NeedsMain takes both ways to a program that
// starts itself without end: one that never calls Main, and one that was started
// as a worker and did not notice.
func TestNew_NeedsMain(t *testing.T) {
	defer Main()
	mainCalled.Store(false)
	if _, err := New(Options{}); !fault.Is(err, fault.Usage) || fault.Hint(err) == "" {
		t.Errorf("without Main: %v", err)
	}
	t.Setenv(mark, "1")
	Main()
	if _, err := New(Options{}); !fault.Is(err, fault.Usage) {
		t.Errorf("in a worker: %v", err)
	}
	t.Setenv(mark, "")
	Main()
	if err := Available(); err != nil {
		t.Errorf("with Main: %v", err)
	}
}
