package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// runRegistry puts the steps of a row to a registry of its own.
func runRegistry(t *testing.T, row *seedRow) facts {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "registry.db"))
	must(t, err)
	defer store.Close()
	g := registry.New(store, registry.Options{})
	f := facts{}
	for i, step := range listAt(row.Input, "steps") {
		f.and(registryStep(t, g, row, step).at(fmt.Sprintf("step.%d.", i)))
	}
	return f
}

func registryStep(t *testing.T, g *registry.Registry, row *seedRow, step any) facts {
	t.Helper()
	ctx := t.Context()
	argument, _ := dig(step, 1)
	version, _ := dig(step, 2)
	switch op, _ := dig(step, 0); op {
	case "register", "update":
		doc, err := dialect.Decode("rubric.json", encoded(t, row.with(t, argument)), dialect.Options{Dialect: dialect.Dataknobs})
		must(t, err)
		put := g.Register
		if op == "update" {
			put = g.Update
		}
		list, err := put(ctx, doc)
		if err != nil {
			return facts{"refused": string(fault.Of(err))}
		}
		return facts{"id": list[0].ID}
	case "get":
		id, _ := argument.(string)
		v, _ := version.(string)
		s, err := g.Get(ctx, id, v)
		if fault.Is(err, fault.NotFound) {
			return facts{"none": true}
		}
		must(t, err)
		return facts{"id": s.ID, "version": s.Version, "name": s.Name}
	case "list_all", "get_for_target":
		target, _ := argument.(string)
		list, err := g.List(ctx, registry.Filter{TargetType: target})
		must(t, err)
		var names []string
		for _, s := range list {
			names = append(names, s.ID+" "+s.Version)
		}
		return facts{"list": strings.Join(names, ", ")}
	case "from_config":
		var rubrics []any
		entries, _ := argument.([]any)
		for _, entry := range entries {
			rubrics = append(rubrics, row.with(t, entry))
		}
		doc, err := dialect.Decode("config.json", encoded(t, map[string]any{"rubrics": rubrics}), dialect.Options{Dialect: dialect.Dataknobs})
		if err == nil && len(doc.Rubrics) > 0 {
			_, err = g.Register(ctx, doc)
		}
		must(t, err)
		return facts{"id": "ok"}
	default:
		t.Fatalf("the row has a step %v", op)
		return nil
	}
}

// with is the rubric of a row with other fields.
func (row *seedRow) with(t *testing.T, fields any) map[string]any {
	t.Helper()
	var doc map[string]any
	must(t, json.Unmarshal([]byte(row.Rubric.text()), &doc))
	other, _ := fields.(map[string]any)
	maps.Copy(doc, other)
	return doc
}

// registryUpstream are the facts of steps: [op, answer] each, or the document's
// corrections of them.
func registryUpstream(result map[string]any) facts {
	f := facts{}
	for i, step := range listAt(result, "steps") {
		answer, there := dig(step, 1)
		if !there {
			continue
		}
		at := fmt.Sprintf("step.%d.", i)
		switch answer := answer.(type) {
		case nil:
			f[at+"none"] = true
		case string:
			f[at+"id"] = answer
		case map[string]any:
			f.and(facts(answer).at(at))
		case []any:
			var names []string
			for _, one := range answer {
				id, _ := dig(one, 0)
				version, _ := dig(one, 1)
				names = append(names, fmt.Sprint(id, " ", version))
			}
			f[at+"list"] = strings.Join(names, ", ")
		}
	}
	return f
}
