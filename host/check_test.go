package host_test

import (
	"bufio"
	"bytes"
	"context"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestCheck_TakesWhatBuiltinMetricsTake checks every configuration with which a built-in
// plugin's own cases expect a score.
func TestCheck_TakesWhatBuiltinMetricsTake(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	ctx := context.Background()
	ev := evaluator(t)
	catalog, err := plugins.Catalog()
	must(t, err)
	checked := 0
	for _, p := range catalog.Plugins() {
		_, text, err := p.ReadCases()
		must(t, err)
		seen := map[string]bool{}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, len(text)+1)
		for lines.Scan() {
			var one struct {
				Export string         `json:"export"`
				Config map[string]any `json:"config"`
				Expect struct {
					Score *float64 `json:"score"`
				} `json:"expect"`
			}
			if err := json.Unmarshal(lines.Bytes(), &one); err != nil || one.Expect.Score == nil || len(one.Config) == 0 {
				continue
			}
			key, _ := json.Marshal(one.Config, json.Deterministic(true))
			if seen[one.Export+string(key)] {
				continue
			}
			seen[one.Export+string(key)] = true
			checked++
			c := rubric.Criterion{ID: "c", Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: p.Manifest.Name, Export: one.Export, Config: one.Config}}}
			doc := &dialect.Document{Rubrics: []*rubric.Rubric{{Criteria: []rubric.Criterion{c}}}}
			if wrong := ev.CheckSettings(ctx, doc, nil); wrong != nil {
				t.Errorf("%s %s: %v", p.Manifest.Name, key, wrong)
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d configurations", checked)
	}
	t.Logf("%d configurations", checked)
}
