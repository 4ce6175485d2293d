package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

func TestRunsRemove_RefusesARunThatIsBeingWritten(t *testing.T) {
	root := t.TempDir()
	writing, err := runner.Create(root, &result.Run{Schema: result.SchemaVersion, ID: "r1", Status: result.Running, Started: time.Now()})
	must(t, err)
	remove := func() (code int, said string) {
		var out, errOut bytes.Buffer
		return run([]string{"runs", "remove", "latest", "--runs", root}, strings.NewReader(""), &out, &errOut), errOut.String()
	}
	if code, said := remove(); code != 2 || !strings.Contains(said, "run r1 is running: nothing was removed") {
		t.Errorf("exit %d: %s", code, said)
	}
	must(t, writing.Close())
	if code, said := remove(); code != 0 {
		t.Errorf("exit %d: %s", code, said)
	}
	if _, err := os.Stat(writing.Path()); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}
