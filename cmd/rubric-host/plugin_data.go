package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/datafile"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func dataFiles() *datafile.Store { return datafile.In(runtimeDir()) }

func pluginAddDataCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add-data PLUGIN FILE...",
		Short: "Install data files that a plugin needs",
		Long: "Install data files that a plugin needs for some of its configurations, such as a dictionary. A file\n" +
			"is taken only if its SHA-256 is the one in the plugin's manifest. plugin list shows the data files\n" +
			"of each plugin, and where to get them.",
		Example:           "rubric-host plugin add-data structure o200k_base.tiktoken\nrubric-host plugin add-data meteor wordnet-3.0.bin",
		Args:              args("PLUGIN", "FILE..."),
		ValidArgsFunction: p.complete.plugins,
		RunE:              func(_ *cobra.Command, a []string) error { return pluginAddData(p, a[0], a[1:]) },
	}
	bindPlugins(p, cmd)
	return cmd
}

// listedData is a data file of a plugin, for a script.
type listedData struct {
	Name      string         `json:"name"`
	SHA256    string         `json:"sha256"`
	Summary   string         `json:"summary"`
	Source    string         `json:"source"` // how to get it
	When      map[string]any `json:"when"`   // the configuration that needs it; empty: any
	Installed bool           `json:"installed"`
	Path      string         `json:"path,omitzero"` // of the installed file
}

func dataOf(pl *plugin.Plugin) []listedData {
	s := dataFiles()
	var list []listedData
	for _, name := range slices.Sorted(maps.Keys(pl.Manifest.Data)) {
		d := pl.Manifest.Data[name]
		l := listedData{Name: name, SHA256: d.SHA256, Summary: d.Summary, Source: d.Source, When: d.When, Installed: s.Has(d.SHA256)}
		if l.Installed {
			l.Path = s.Path(d.SHA256)
		}
		list = append(list, l)
	}
	return list
}

func pluginAddData(p *program, ref string, paths []string) error {
	pl, err := p.findPlugin(ref)
	if err == nil && len(pl.Manifest.Data) == 0 {
		err = fault.New(fault.Usage, "plugin %s has no data files", pl.Manifest.Name)
	}
	if err != nil {
		return err
	}
	var added []listedData
	for _, path := range paths {
		content, sum, err := datafile.Read(path)
		if err != nil {
			return err
		}
		list := dataOf(pl)
		at := slices.IndexFunc(list, func(d listedData) bool { return d.SHA256 == sum })
		if at < 0 {
			return notData(pl, list, path, sum)
		}
		if _, err := dataFiles().Add(content); err != nil {
			return err
		}
		d := dataOf(pl)[at]
		added = append(added, d)
		if !p.json {
			p.say("plugin %s: data file %s: SHA-256 verified; installed as %s", pl.Manifest.Name, d.Name, diag.Plain(d.Path))
		}
	}
	if p.json {
		return p.printJSON(map[string]any{"plugin": pl.Manifest.Name, "added": added})
	}
	return nil
}

// notData returns the error for a file that a plugin's manifest does not list.
func notData(pl *plugin.Plugin, list []listedData, path, sum string) error {
	known := xslices.Map(list, func(d listedData) string { return fmt.Sprintf("%s has %s", d.Name, d.SHA256) })
	err := fault.New(fault.Mismatch, "%s is not a data file of plugin %s: its SHA-256 is %s; %s", path, pl.Manifest.Name, sum, strings.Join(known, ", "))
	return fault.WithHint(err, "%s", datafile.HowToAdd(pl, list[0].Name))
}
