package script_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestPeer_FailsWhenTheMachineHasNoMemory lets a peer ask for more memory than the
// process may have. A lack of memory of the machine is not a fault of the candidate's:
// the call fails.
func TestPeer_FailsWhenTheMachineHasNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	if wasmtest.Race { // which needs memory of its own
		return
	}
	const child = "RUBRIC_HOST_TEST_STARVED"
	if os.Getenv(child) == "" {
		c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		c.Env = append(os.Environ(), child+"=1")
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	limits := patient
	limits.MemoryPages = 4_096
	m, err := openRuntime(t, "").Load(t.Context(), wasm.Source{Name: "p", Module: peerBundle(t, "score.js", judgingJS)}, limits)
	if err != nil {
		t.Fatal(err)
	}
	allocate := requestWith(t, "source", "try { new Uint8Array(72 << 20).fill(1); 'enough' } catch { 'caught' }")
	for _, tt := range []struct {
		more uint64
		want string
	}{{1 << 40, endsJS("answer", "enough")}, {50 << 20, "memory: plugin p: score: plugin p: servePeer: the machine has no more memory"}, {1 << 40, endsJS("answer", "enough")}} {
		wasmtest.LimitData(t, tt.more)
		for range 2 {
			if got := ask(t, m, "score", allocate); !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		}
	}
}
