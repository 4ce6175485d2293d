package plugin_test

import (
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/plugin"
)

// TestScript_RuntimeNamedInTheSource has Python for two runtimes: a file is of
// the first, unless a manifest says otherwise.
func TestScript_RuntimeNamedInTheSource(t *testing.T) {
	dir := plugin.Tree(t, map[string]string{
		"sci/plugin.yaml": "plugin: sci\nversion: 1.0.0\nruntime: python-sci\n",
		"sci/score.py":    "import numpy\nimport helper\n" + scorerPy,
		"sci/helper.py":   "x = 1\n",
		"alone.py":        "import numpy\n" + scorerPy,
	})
	c, err := plugin.Open(nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Plugins() {
		s := scriptOf(t, p)
		want := map[string]string{"sci": "python-sci", "alone": "python"}[p.Manifest.Name]
		if s.Language != want {
			t.Errorf("%s is in %q, want %q", p.Manifest.Name, s.Language, want)
		}
		if p.Manifest.Name == "sci" && !slices.Equal(s.Paths(), []string{"helper.py", "score.py"}) {
			t.Errorf("files %q", s.Paths())
		}
	}
}
