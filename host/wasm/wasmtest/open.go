package wasmtest

import (
	"context"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// Runtime returns a runtime that is closed after the test.
func Runtime(t testing.TB, o wasm.Options) *wasm.Runtime {
	t.Helper()
	rt, err := wasm.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) }) //nolint:errcheck // the test is over
	return rt
}

// Access opens grants, until the test is over.
func Access(t testing.TB, list ...grant.Grant) *grant.Access {
	t.Helper()
	a, err := grant.OpenAccess(list)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() }) //nolint:errcheck // the test is over
	return a
}
