package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

func pluginCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "plugin", Short: "Scaffold, list, inspect, test, check and benchmark plugins",
		Long: "Scaffold, list, inspect, test, check and benchmark plugins: built-in ones, those of --plugins,\nor any file.",
	}
	cmd.AddCommand(pluginNewCommand(p), pluginListCommand(p), inspectCommand(p), pluginTestCommand(p), pluginCheckCommand(p),
		pluginBenchCommand(p), pluginAddDataCommand(p))
	return cmd
}

func bindPlugins(p *program, cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&p.dirs, "plugins", nil, "directory with additional plugins (repeats)")
}

func pluginListCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List plugins and their scorers",
		Long:    "List plugins and their scorers. A plugin that cannot be used is listed as broken, with the\nreason; only its use fails.",
		Example: "rubric-host plugin list\nrubric-host plugin list --plugins ./plugins --json",
		RunE:    func(*cobra.Command, []string) error { return pluginList(p.console, p.dirs) },
	}
	bindPlugins(p, cmd)
	return cmd
}

// listedPlugin is a plugin of the catalog, for a script.
type listedPlugin struct {
	Name    string         `json:"name"`
	Version string         `json:"version"`
	Kind    string         `json:"kind"`
	Summary string         `json:"summary"`
	License string         `json:"license"`
	Digest  string         `json:"digest"`
	Source  string         `json:"source"` // "builtin" or the path of the module
	Exports []listedExport `json:"exports"`
	Grants  []string       `json:"grants"`          // that it asks for
	Limits  string         `json:"limits,omitzero"` // of a call, that it asks for
	Peer    bool           `json:"peer,omitzero"`   // a call may run code in a second instance of the script
	Runtime string         `json:"runtime,omitzero"`
	Missing string         `json:"missing,omitzero"` // how to install its runtime; empty: installed
	Data    []listedData   `json:"data,omitzero"`    // that some of its configurations need
}

type listedExport struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Kind    string `json:"kind"`
	Default bool   `json:"default"` // meant when a rubric names the plugin alone

	Inputs    []string   `json:"inputs"` // fields of the case that it is sent
	Range     [2]float64 `json:"range"`
	Reference string     `json:"reference,omitzero"`
	Cost      string     `json:"cost,omitzero"`
}

func listed(pl *plugin.Plugin) listedPlugin {
	m := &pl.Manifest
	out := listedPlugin{
		Name: m.Name, Version: m.Version, Kind: cmp.Or(m.Kind, "metric"), Summary: m.Summary, License: m.License,
		Digest: pl.Digest, Source: pl.Source, Grants: m.Grants, Limits: m.Limits.String(),
		Peer: m.Peer, Runtime: m.Language(), Missing: missingRuntime(m.Language()),
		Data: dataOf(pl),
	}
	usual, err := pl.Scorer("")
	for _, name := range m.ExportNames() {
		e := m.Exports[name]
		shown := listedExport{Name: name, Summary: e.Summary, Kind: cmp.Or(e.Kind, out.Kind), Default: err == nil && usual.Export == name}
		if s, err := pl.Scorer(name); err == nil {
			shown.Inputs, shown.Range, shown.Reference, shown.Cost = inputsOf(&s), s.Range, s.Reference, s.Cost
		}
		out.Exports = append(out.Exports, shown)
	}
	return out
}

// missingRuntime says how to install a runtime that is not installed; empty: it is, or none is
// needed.
func missingRuntime(language string) string {
	for _, r := range runtimes().List() {
		if r.Language == language && !r.Present {
			return worded(interpreter.HowToInstall(language))
		}
	}
	return ""
}

// brokenPlugin is a plugin that cannot be used, for a script.
type brokenPlugin struct {
	Name   string          `json:"name"` // as far as it is known
	Source string          `json:"source"`
	Error  *result.Failure `json:"error"`
}

func pluginList(con *console, dirs []string) error {
	catalog, err := plugins.Catalog(dirs...)
	if err != nil {
		return err
	}
	list := xslices.Map(catalog.Plugins(), listed)
	broken := xslices.Map(catalog.Broken(), func(b plugin.Broken) brokenPlugin { return brokenPlugin{b.Name, b.Source, failureOf(b.Err)} })
	if con.json {
		return con.printJSON(map[string]any{"plugins": list, "broken": broken})
	}
	return tellPlugins(con, list, broken)
}

func tellPlugins(con *console, list []listedPlugin, broken []brokenPlugin) error {
	t := con.table("PLUGIN", "VERSION", "KIND", "DIGEST", "SOURCE")
	for _, pl := range list {
		t.row(pl.Name, orDash(pl.Version), pl.Kind, digest.Short(pl.Digest), pl.Source)
	}
	for _, b := range broken {
		t.row(b.Name, "-", "-", "broken", b.Source)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, b := range broken {
		t.row("")
		t.row(b.Name, "broken: "+b.Error.Message)
		if b.Error.Hint != "" {
			t.row("", "hint: "+b.Error.Hint)
		}
	}
	for _, pl := range list {
		t.row("")
		t.row(pl.Name, pl.Summary)
		if len(pl.Grants) > 0 {
			t.row("", "asks for "+strings.Join(pl.Grants, ", "))
		}
		if pl.Missing != "" {
			t.line("", "needs the runtime %s, which is not installed: %s", pl.Runtime, pl.Missing)
		}
		for _, d := range pl.Data {
			state := "installed as " + d.Path
			if !d.Installed {
				state = "not installed; rubric-host score " + pl.Name + " --help says how to get it"
			}
			t.line("", "data file %s: %s", d.Name, state)
		}
		if pl.Limits != "" {
			t.row("", "limits: "+pl.Limits)
		}
		t.row("", strings.Join(xslices.Map(pl.Exports, func(e listedExport) string {
			if e.Default && len(pl.Exports) > 1 {
				return e.Name + " (default)"
			}
			return e.Name
		}), ", "))
	}
	t.row("")
	t.row("rubric-host score PLUGIN --help describes the scorers of a plugin and their configuration.")
	return t.Flush()
}
