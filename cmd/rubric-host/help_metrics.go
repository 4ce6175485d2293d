package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

// metricsMark is the line of a help page that stands for the table of metrics.
const metricsMark = "{{metrics}}\n"

// A metricRow is one scorer of the built-in plugins, as its manifest describes it.
type metricRow struct {
	Plugin    string   `json:"plugin"`
	Metric    string   `json:"metric"`
	Inputs    []string `json:"inputs"`
	Range     string   `json:"range"`
	Reference string   `json:"reference"` // the implementation with the same scores; empty: none
	Cost      string   `json:"cost"`      // time of a call with texts of 30 words, and its growth
}

// same reports whether two rows of one plugin differ only in their metric and reference.
func (r *metricRow) same(o *metricRow) bool {
	return r.Range == o.Range && r.Cost == o.Cost && slices.Equal(r.Inputs, o.Inputs)
}

// metricRows returns a row for each metric of the built-in plugins, sorted by plugin and
// name.
func metricRows() (rows []metricRow, err error) {
	catalog, err := plugins.Catalog()
	if err != nil {
		return nil, err
	}
	for _, pl := range catalog.Plugins() {
		for _, name := range pl.Manifest.ExportNames() {
			s, err := pl.Scorer(name)
			if err != nil {
				return nil, err
			}
			if s.Kind == metric.KindCheck { // of rubrics; the page names them
				continue
			}
			rows = append(rows, metricRow{pl.Manifest.Name, name, inputsOf(&s), fmt.Sprintf("%g..%g", s.Range[0], s.Range[1]), s.Reference, s.Cost})
		}
	}
	return rows, nil
}

// inputsOf returns the fields of a case that a scorer is sent.
func inputsOf(s *plugin.Scorer) []string {
	if len(s.Inputs) > 0 {
		return s.Inputs
	}
	return metric.DefaultInputs(s.Kind)
}

// metricsTable returns the rows as a table in Markdown. The metrics of a plugin that differ in
// nothing else share a row, and so do the plugins for code of several languages.
func metricsTable(rows []metricRow) string {
	type group struct {
		metricRow
		metrics, references []string
	}
	var groups []*group
	for _, r := range rows {
		code := strings.HasPrefix(r.Plugin, "code-")
		if code {
			r.Plugin = "code-LANGUAGE"
		}
		k := slices.IndexFunc(groups, func(g *group) bool {
			return g.Plugin == r.Plugin && g.same(&r) && (code && g.Metric == r.Metric || !code && g.Reference == r.Reference)
		})
		if k < 0 {
			k, groups = len(groups), append(groups, &group{metricRow: r})
		}
		groups[k].metrics = append(groups[k].metrics, r.Metric)
		groups[k].references = append(groups[k].references, strings.Split(r.Reference, ", ")...)
	}
	var out strings.Builder
	out.WriteString("| Plugin: metrics | Inputs | Range | Same scores as | Time of a call |\n|---|---|---|---|---|\n")
	for _, g := range groups {
		names := xslices.Unique(g.metrics)
		if len(names) > mostMetrics {
			names = slices.SortedStableFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
		}
		metrics := g.Plugin + ": " + shortList(names, mostMetrics)
		if len(names) == 1 && names[0] == g.Plugin {
			metrics = g.Plugin
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", metrics, shortList(g.Inputs, 3), g.Range, cmp.Or(strings.Join(xslices.Unique(g.references), ", "), "-"), cmp.Or(g.Cost, "-"))
	}
	return out.String()
}

// mostMetrics is how many metrics a row names; the help of score has all of a plugin.
const mostMetrics = 8

// shortList joins at most a number of words.
func shortList(words []string, most int) string {
	if len(words) > most {
		return strings.Join(words[:most-1], ", ") + ", ..."
	}
	return strings.Join(words, ", ")
}
