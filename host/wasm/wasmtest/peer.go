package wasmtest

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/go-json-experiment/json"
)

// Peer runs an interpreter of the machine: given goes to its standard input as JSON,
// and its answer on standard output is decoded.
func Peer[Answer any](t testing.TB, cmd *exec.Cmd, given any) (a Answer) {
	t.Helper()
	b, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(b), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatal(err)
	}
	return a
}
