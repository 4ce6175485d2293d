package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/schema"
)

// Configs holds configurations to the schemas of the plugins' manifests, each of which it
// compiles once. The zero value is ready. It is not safe for concurrent use.
type Configs struct {
	of map[*plugin.Plugin]compiled
}

// compiled is the configuration schema of a plugin.
type compiled struct {
	schema *schema.Schema
	err    error
}

// Check holds the configuration of a scorer to the schema of the plugin's manifest, and to the
// keys that the manifest gives the scorer. Its errors have a class.
func (c *Configs) Check(s *plugin.Scorer, config jsontext.Value) error {
	p := s.Plugin
	if err := wrongKey(s, config); err != nil || len(p.Manifest.Config.Schema) == 0 {
		return err
	}
	of, ok := c.of[p]
	if !ok {
		if c.of == nil {
			c.of = map[*plugin.Plugin]compiled{}
		}
		of.schema, of.err = schema.Compile(p.Manifest.Config.Schema)
		c.of[p] = of
	}
	if of.err != nil {
		return fmt.Errorf("plugin %q: its configuration %w", p.Manifest.Name, of.err)
	}
	if err := of.schema.Validate(config); err != nil {
		hint := cmp.Or(nearValue(p.Manifest.Config.Schema, config), "correct the configuration of the plugin")
		return fault.WithHint(fmt.Errorf("plugin %q: invalid configuration: %w", p.Manifest.Name, err), "%s", hint)
	}
	return nil
}

// nearValue returns a hint for the first text of a configuration, or of a list in it, that is not
// among those that the schema lists for its key; the empty string if there is none.
func nearValue(schema, config jsontext.Value) string {
	var known struct {
		Properties map[string]jsontext.Value `json:"properties"`
	}
	var given map[string]jsontext.Value
	if json.Unmarshal(schema, &known) != nil || json.Unmarshal(config, &given) != nil {
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		var listed struct {
			Enum  []string `json:"enum"`
			Items struct {
				Enum []string `json:"enum"`
			} `json:"items"`
		}
		if json.Unmarshal(known.Properties[key], &listed) != nil {
			continue
		}
		var text string
		texts, allowed := []string(nil), listed.Items.Enum
		if json.Unmarshal(given[key], &text) == nil {
			texts, allowed = []string{text}, listed.Enum
		} else if json.Unmarshal(given[key], &texts) != nil {
			continue
		}
		for _, text := range texts {
			if len(allowed) > 0 && !slices.Contains(allowed, text) {
				return diag.DidYouMean(text, allowed)
			}
		}
	}
	return ""
}

// wrongKey returns an error that names a key of a configuration that the plugin's manifest
// does not have, where it lists them all; the hint has those of the scorer. Else it names one
// that only other scorers of the plugin take: this one would ignore it.
func wrongKey(s *plugin.Scorer, config jsontext.Value) error {
	var known struct {
		Properties           map[string]jsontext.Value `json:"properties"`
		AdditionalProperties jsontext.Value            `json:"additionalProperties"`
	}
	var given map[string]jsontext.Value
	if json.Unmarshal(config, &given) != nil {
		return nil // the schema reports it
	}
	closed := json.Unmarshal(s.Plugin.Manifest.Config.Schema, &known) == nil && string(known.AdditionalProperties) == "false"
	keys, name := slices.Sorted(maps.Keys(given)), s.Plugin.Manifest.Name
	for _, key := range keys {
		if _, ok := known.Properties[key]; closed && !ok {
			names := s.Keys
			if names == nil {
				names = slices.Sorted(maps.Keys(known.Properties))
			}
			return fault.WithHint(fault.New(fault.Invalid, "plugin %q has no configuration key %q", name, key), "%s", diag.DidYouMean(key, names))
		}
	}
	for _, key := range keys {
		if _, byDefault := s.Config[key]; s.Keys != nil && !byDefault && !slices.Contains(s.Keys, key) {
			return fault.WithHint(fault.New(fault.Invalid, "plugin %q: scorer %q does not take configuration key %q", name, s.Export, key),
				"%s takes %s", s.Export, cmp.Or(strings.Join(s.Keys, ", "), "no configuration"))
		}
	}
	return nil
}
