package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/datafile"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

// metricOf returns the scorer that the arguments of score name, and its name; no name if they name none: the
// help of the command then stands alone.
func metricOf(p *program, cmd *cobra.Command, args []string) (s plugin.Scorer, name string, err error) {
	at := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") && a != cmd.Name() })
	if at < 0 {
		return s, "", nil
	}
	catalog, err := plugins.Catalog(p.dirs...)
	if err != nil {
		return s, "", nil //nolint:nilerr // a run tells
	}
	name = args[at]
	if !plugin.IsPath(name) {
		s, err = catalog.Find(name, "")
	} else {
		var pl *plugin.Plugin
		if pl, err = plugin.ReadFile(name); err == nil {
			s, err = pl.Scorer("")
		}
	}
	// Behind a flag it may be the flag's value.
	if err != nil && at > 0 && args[at-1] != cmd.Name() {
		return s, "", nil
	}
	return s, name, err
}

// describeMetric prints what the plugin of a scorer computes, its inputs, and its configuration; of a scorer that is
// named itself, only what this takes.
func describeMetric(p *program, s plugin.Scorer, name string) {
	m := &s.Plugin.Manifest
	columns := p.columns()
	prose := func(format string, a ...any) {
		fmt.Fprintf(p.out, "%s\n", strings.Join(wrapWords(diag.Plain(fmt.Sprintf(format, a...)), columns), "\n"))
	}
	section := func(title string, rows [][2]string) {
		list := report.Grid{Width: columns, Margin: 2, Wrap: wrapWords}
		for _, row := range rows {
			list.Add(diag.Plain(row[0]), diag.Plain(row[1]))
		}
		if len(rows) > 0 {
			fmt.Fprint(p.out, title, list.String())
		}
	}
	fmt.Fprintln(p.out)
	prose("%s", strings.TrimSuffix("Plugin "+m.Name+": "+m.Summary, ": "))
	section("", xslices.Map(m.ExportNames(), func(export string) [2]string {
		shown, summary := export, m.Exports[export].Summary
		if export == s.Export {
			shown += " *"
		}
		if other, err := s.Plugin.Scorer(export); err == nil && !slices.Equal(inputsOf(&other), inputsOf(&s)) {
			summary += " (inputs: " + strings.Join(inputsOf(&other), ", ") + ")"
		}
		return [2]string{shown, summary}
	}))
	fmt.Fprintln(p.out)
	prose("Inputs: %s. Range: %g to %g.", strings.Join(inputsOf(&s), ", "), s.Range[0], s.Range[1])
	if s.Reference != "" {
		prose("Same scores as: %s.", s.Reference)
	}
	if s.Cost != "" {
		prose("Time of a call with 30 words: %s.", s.Cost)
	}
	keys, properties := configProperties(m)
	if name == s.Export && s.Export != m.Name && s.Keys != nil {
		keys = xslices.Filter(keys, func(key string) bool { return slices.Contains(s.Keys, key) || s.Config[key] != nil })
	}
	section("\nConfiguration (--with key=value):\n", xslices.Map(keys, func(key string) [2]string {
		return [2]string{key, properties[key].kind() + " " + properties[key].Description}
	}))
	section("\nData files:\n", xslices.Map(dataOf(s.Plugin), func(d listedData) [2]string {
		state := "installed"
		if !d.Installed {
			state = "not installed. To install it: " + worded(datafile.HowToAdd(s.Plugin, d.Name))
		}
		return [2]string{d.Name, d.Summary + "; " + state}
	}))
}

// configProperty is a key of a plugin's configuration, as its schema has it.
type configProperty struct {
	Description string           `json:"description"`
	Type        jsontext.Value   `json:"type"`
	Enum        []jsontext.Value `json:"enum"`
}

// isText reports whether the key takes text only.
func (p configProperty) isText() bool {
	noText := func(v jsontext.Value) bool { return v.Kind() != '"' }
	return string(p.Type) == `"string"` || len(p.Enum) > 0 && !slices.ContainsFunc(p.Enum, noText)
}

// kind names the values that the key takes.
func (p configProperty) kind() string {
	if len(p.Enum) > 0 {
		return "(" + strings.Join(xslices.Map(p.Enum, func(v jsontext.Value) string { return strings.Trim(string(v), `"`) }), ", ") + ")"
	}
	return "(" + strings.NewReplacer(`"`, "", "[", "", "]", "", ",", " or ").Replace(string(p.Type)) + ")"
}

// configProperties returns the keys of a plugin's configuration in their order.
func configProperties(m *plugin.Manifest) (keys []string, properties map[string]configProperty) {
	var schema struct {
		Properties jsontext.Value `json:"properties"`
	}
	if len(m.Config.Schema) == 0 || json.Unmarshal(m.Config.Schema, &schema) != nil || json.Unmarshal(schema.Properties, &properties) != nil {
		return nil, nil
	}
	return objectKeys(schema.Properties), properties
}

// textKey returns whether a key of a plugin takes text only, such as a version: 3.10 is not a number there.
func (p *program) textKey(name string) func(key string) bool {
	return func(key string) bool {
		catalog, err := plugins.Catalog(p.dirs...)
		if err != nil {
			return false
		}
		s, err := catalog.Find(name, "")
		if err != nil {
			return false
		}
		_, properties := configProperties(&s.Plugin.Manifest)
		return properties[key].isText()
	}
}

// objectKeys returns the names of an object's members in their order.
func objectKeys(object jsontext.Value) (keys []string) {
	d := jsontext.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			return keys
		}
		keys = append(keys, key.String())
		if d.SkipValue() != nil {
			return keys
		}
	}
	return keys
}
