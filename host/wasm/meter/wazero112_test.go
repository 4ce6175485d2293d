package meter_test

import (
	"os"
	"strings"
	"testing"
)

// TestWazero112_IsTheVersionInUse fails when wazero is upgraded: the tests named
// TestWazero112 then say which of the workarounds in README.md can go.
func TestWazero112_IsTheVersionInUse(t *testing.T) {
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "github.com/tetratelabs/wazero v1.12.") {
		t.Error("wazero is no longer 1.12: go through the table in README.md, and rename what stays")
	}
}
