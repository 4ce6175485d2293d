package host

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestWall_OfBuiltinPluginsWithPeersIsAWorker: peers run untrusted code.
func TestWall_OfBuiltinPluginsWithPeersIsAWorker(t *testing.T) {
	catalog, err := plugins.Catalog()
	must(t, err)
	for _, tt := range []struct {
		isolate worker.Isolation
		name    string
		want    result.Wall
	}{
		{"", "exact", result.Process}, {"", "run-python", result.Worker},
		{worker.Always, "exact", result.Worker}, {worker.Always, "run-python", result.Worker},
	} {
		m := &modules{isolate: tt.isolate, catalog: catalog, workers: &worker.Runtime{}}
		if got := m.wallOf(&plan.Plugin{Name: tt.name, Source: plugin.Builtin}); got != tt.want {
			t.Errorf("isolate %q: %s is behind %q, want %q", tt.isolate, tt.name, got, tt.want)
		}
	}
	none := &modules{catalog: catalog}
	if got := none.wallOf(&plan.Plugin{Name: "run-python", Source: plugin.Builtin}); got != result.Process {
		t.Errorf("without workers: %q", got)
	}
}
