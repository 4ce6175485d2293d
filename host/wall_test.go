package host

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestWall_OfBuiltinPluginsWithPeersIsAWorker: peers run untrusted code.
func TestWall_OfBuiltinPluginsWithPeersIsAWorker(t *testing.T) {
	catalog, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		isolate worker.Isolation
		name    string
		want    result.Wall
	}{
		{"", "exact", result.Process}, {"", "run-python", result.Worker},
		{worker.Always, "exact", result.Worker}, {worker.Always, "run-python", result.Worker},
	} {
		e := &Evaluator{o: Options{Isolate: tt.isolate}, catalog: catalog, workers: &worker.Runtime{}}
		if got := e.wallOf(&plan.Plugin{Name: tt.name, Source: plugin.Builtin}); got != tt.want {
			t.Errorf("isolate %q: %s is behind %q, want %q", tt.isolate, tt.name, got, tt.want)
		}
	}
	none := &Evaluator{catalog: catalog}
	if got := none.wallOf(&plan.Plugin{Name: "run-python", Source: plugin.Builtin}); got != result.Process {
		t.Errorf("without workers: %q", got)
	}
}

// TestLoadKey_TellsListsOfNames: names may have spaces. A module that is loaded for one scorer of such a
// name cannot answer for two others.
func TestLoadKey_TellsListsOfNames(t *testing.T) {
	e, p := &Evaluator{}, &plugin.Plugin{Digest: "d"}
	known := map[string]use{}
	for _, u := range []use{
		{}, {exports: []string{"a b"}}, {exports: []string{"a", "b"}}, {exports: []string{"a"}, data: []string{"b"}},
		{data: []string{"a b"}}, {data: []string{"a", "b"}},
		{grants: []grant.Grant{{Kind: grant.Files, Target: "/a"}, {Kind: grant.Clock}}}, {grants: []grant.Grant{{Kind: grant.Files, Target: "/a clock"}}},
	} {
		u.plugin = p
		key := e.loadKey(u)
		if other, is := known[key]; is {
			t.Errorf("%+v is loaded as %+v", u, other)
		}
		known[key] = u
	}
}
