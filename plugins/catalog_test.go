package plugins_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestCatalog_FindsEveryExport asks a catalog that reads plugins one by one for each export,
// which must be as in the catalog that has read all of them.
func TestCatalog_FindsEveryExport(t *testing.T) {
	t.Parallel()
	all, err := plugins.Catalog(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lazy, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range all.Plugins() {
		if got := plugins.Digest(p.Manifest.Name); got != p.Code {
			t.Errorf("%s has the digest %s, not %s", p.Manifest.Name, p.Code, got)
		}
		for _, export := range p.Manifest.ExportNames() {
			n++
			want, wrong := all.Find(export, "")
			got, err := lazy.Find(export, "")
			if (err == nil) != (wrong == nil) {
				t.Errorf("%s: %v, want %v", export, err, wrong)
			} else if err == nil && (got.Export != want.Export || got.Plugin.Digest != want.Plugin.Digest) {
				t.Errorf("%s is %s of %s, want %s of %s", export, got.Export, got.Plugin.Manifest.Name, want.Export, want.Plugin.Manifest.Name)
			}
		}
	}
	if n < 100 {
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
