package plugins_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestCatalog_FindsEveryExport asks a catalog, which reads plugins one by one, for each export: it is that
// of the plugin of its name, or of the only one that has it.
func TestCatalog_FindsEveryExport(t *testing.T) {
	t.Parallel()
	c, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	owners := map[string][]*plugin.Plugin{}
	for _, p := range c.Plugins() {
		if got := plugins.Digest(p.Manifest.Name); got != p.Code {
			t.Errorf("%s has the digest %s, not %s", p.Manifest.Name, p.Code, got)
		}
		for _, export := range p.Manifest.ExportNames() {
			owners[export] = append(owners[export], p)
		}
	}
	for export, of := range owners {
		want := c.Plugin(export)
		if want == nil && len(of) == 1 {
			want = of[0]
		}
		switch got, err := c.Find(export, ""); {
		case (err == nil) != (want != nil):
			t.Errorf("%s: %v", export, err)
		case err == nil && (got.Plugin != want || len(of) == 1 && of[0] == want && c.Plugin(export) == nil && got.Export != export):
			t.Errorf("%s is %s of %s, want it of %s", export, got.Export, got.Plugin.Manifest.Name, want.Manifest.Name)
		}
	}
	if n := len(owners); n < 100 {
		t.Errorf("%d exports", n)
	}
}

// TestDefaults_AreOfTheirSchemas holds the default configuration of each scorer to the schema of
// its plugin: a plan takes it as it is.
func TestDefaults_AreOfTheirSchemas(t *testing.T) {
	all, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	var configs plan.Configs
	for _, p := range all.Plugins() {
		for _, export := range p.Manifest.ExportNames() {
			s, err := p.Scorer(export)
			if err != nil {
				t.Fatal(err)
			}
			config, err := json.Marshal(s.Config)
			if err != nil {
				t.Fatal(err)
			}
			if err := configs.Check(&s, config); err != nil {
				t.Errorf("%s: %v", export, err)
			}
		}
	}
}
