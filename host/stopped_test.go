package host_test

import (
	"context"
	"testing"

	"github.com/rubric-host/rubric-host/host"
)

// TestALoadThatWasStoppedIsNotRemembered asks for a plugin once more that nobody
// waited for before.
func TestALoadThatWasStoppedIsNotRemembered(t *testing.T) {
	ctx := context.Background()
	ev, err := host.New(ctx, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ev.Close(ctx)
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := ev.Call(stopped, host.Call{Plugin: "exact"}); err == nil {
		t.Fatal("it is loaded for nobody")
	}
	if _, err := ev.Call(ctx, host.Call{Plugin: "exact"}); err != nil {
		t.Errorf("for somebody: %v", err)
	}
}
