package report

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "page/page.html", "page/table.html"))
})

// page is the data of the template. Text in it is plain; the template escapes it.
type page struct {
	Policy                   string
	Style                    template.CSS
	Script                   template.JS
	Title, Word, Rest, Error string
	Good                     bool
	Facts                    []string
	Cards                    []entry
	Scored                   bool
	Distribution             template.HTML
	PassMark                 string
	Figures                  []pageFigure
	Gates, Corpus, Unscored  *table // nil: there are none
	Audit, Samples           *table
	Slices                   []*table
	Warnings                 []string
	Against                  *compareSection // nil: no baseline
	Notes                    []string        // about the rows
	Rows                     int
	Provenance               []entry
	Command                  string
}

type entry struct{ Key, Value, Sub string }

type pageFigure struct {
	ID, By, Text, Weight, Mean, Interval, Pass, N, Missing string
	Worst                                                  []string // rows
	Gate                                                   bool
	Whisker, Bars                                          template.HTML
}

// scripts are the parts of the page's script, in order.
var scripts = []string{"data.js", "list.js", "detail.js", "page.js"}

func pageParts(names ...string) (joined []byte) {
	for _, name := range names {
		part, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			panic(err) // they are embedded
		}
		joined = append(joined, part...)
	}
	return joined
}

// writeHTML writes one page that needs nothing else, nor may it load anything: its policy says so.
// Rows are written as they are read.
func writeHTML(w io.Writer, v *view, _ Options) error {
	style, script := pageParts("page.css"), slices.Concat([]byte("(() => {\n\"use strict\";\n"), pageParts(scripts...), []byte("})();\n"))
	p := &page{
		Style: template.CSS(style), Script: template.JS(script), //nolint:gosec // our own files, as they are hashed below
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", integrity(style), integrity(script)),
		Title:  v.title(), Facts: v.facts(), Scored: v.sum.Total.N > 0, Command: diag.Shell(v.Run.Command...),
	}
	p.Word, p.Rest, p.Good = v.outcome()
	if e := v.Run.Error; e != nil {
		p.Error = failure(e)
	}
	p.figures(v)
	p.provenance(v)
	p.Rows = v.sum.Counts.Rows
	if note := v.contentNote(); note != "" {
		p.Notes = append(p.Notes, note)
	}
	if p.Rows > maxPageRows {
		p.Notes = append(p.Notes, fmt.Sprintf("This page has the first %s of %s rows. All are in the rows of the run.", diag.Thousands(maxPageRows), diag.Thousands(p.Rows)))
	}
	if v.Rows == nil {
		p.Rows = 0
	}
	t := pageTemplate()
	if err := t.ExecuteTemplate(w, "head", p); err != nil {
		return err
	}
	if p.Rows > 0 {
		if err := writePageRows(w, v); err != nil {
			return err
		}
	}
	return t.ExecuteTemplate(w, "foot", p)
}

// integrity is the source of an inline style or script in a policy.
func integrity(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p *page) figures(v *view) {
	t, c := &v.sum.Total, v.sum.Counts
	p.Cards = []entry{
		{"mean score", v.score(t.Mean), strings.TrimPrefix(v.interval(t.Interval), none)},
		{"pass rate", v.passRate(t.Pass), v.passedOf(t.Pass)},
		{"scored", diag.Thousands(c.Scored), "of " + diag.Thousands(c.Rows)},
		{"unscored", diag.Thousands(c.Unscored), "excluded from the mean"},
	}
	if u := v.Run.Usage; u.Calls > 0 || u.CostUSD > 0 {
		about, gaps, _ := strings.Cut(cost(u), " (")
		p.Cards = append(p.Cards, entry{"judge cost", about, strings.TrimSuffix(calls(u)+" ("+gaps, " (")})
	}
	p.Gates, p.Corpus, p.Unscored = outcomes(v.Run.Gates), v.corpus(), v.unscored(300)
	var pass *float64
	if v.Rubric != nil && len(v.Rubric.Pass.Bands) > 0 {
		pass = &v.Rubric.Pass.Bands[0].Min
		p.PassMark = v.score(pass)
	}
	p.Distribution = v.distribution(t, pass)
	for _, f := range v.sum.Figures() {
		p.Figures = append(p.Figures, v.pageFigure(f))
	}
	p.Audit, p.Samples = v.audit(), v.samples()
	for i := range v.sum.Slices {
		slice := &v.sum.Slices[i]
		t := v.sliceTable(slice)
		for j := range slice.Values {
			var link *pageLink
			if value := &slice.Values[j]; value.Others == 0 && v.Rows != nil {
				link = &pageLink{"slice." + plain(slice.Field), "=" + plain(value.Value)}
			}
			t.links = append(t.links, link)
		}
		p.Slices = append(p.Slices, t)
	}
	if c := v.sum.Baseline; c != nil {
		s := sectionOf(Compared{Comparison: c})
		s.Name = sideName(c.Base)
		p.Against = &s
	}
	for _, s := range v.sum.Warnings {
		p.Warnings = append(p.Warnings, plain(s))
	}
}

func (v *view) passedOf(r *result.Rate) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s %s", diag.Thousands(r.Passed), diag.Thousands(r.Of), strings.TrimPrefix(v.interval(r.Interval), none))
}

func (v *view) pageFigure(f *result.Figure) pageFigure {
	out := pageFigure{
		ID: plain(f.ID), Gate: f.Gate, Weight: weight(f.Weight), Mean: v.score(f.Mean), Interval: v.interval(f.Interval), Pass: v.passRate(f.Pass), N: diag.Thousands(f.N),
		By: plain(strings.TrimSpace(f.By + " " + f.Scorer)), Whisker: v.whisker(f), Bars: bars(f.Histogram),
	}
	if n := f.Unscored + f.Failed; n > 0 {
		out.Missing = diag.Thousands(n)
	}
	if v.Rubric != nil && f.Rubric == "" {
		if c := v.Rubric.Find(f.ID); c != nil {
			out.Text = diag.Fit(plain(cmp.Or(c.Text, c.Name)), 160)
		}
	}
	for _, l := range f.Worst[:min(len(f.Worst), 5)] {
		out.Worst = append(out.Worst, lowName(l))
	}
	return out
}

func (p *page) provenance(v *view) {
	r := v.Run
	add := func(key, value, digest string) {
		if value != "" || digest != "" {
			p.Provenance = append(p.Provenance, entry{key, plain(value), plain(digest)})
		}
	}
	add("run", r.ID+" "+string(r.Status), "")
	if !r.Started.IsZero() {
		add("started", r.Started.UTC().Format("2006-01-02 15:04:05 UTC"), "")
	}
	add("rubric", strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Rubric.ID, r.Rubric.Version, r.Rubric.Dialect)), r.Rubric.Digest)
	for _, s := range r.Dataset.Sources {
		add("dataset", fmt.Sprintf("%s, %s", s.Name, diag.Count(s.Rows, "row")), s.Digest)
	}
	add("plan", "", r.PlanDigest)
	for _, pl := range r.Plugins {
		add("plugin", strings.TrimSpace(pl.Name+" "+pl.Version), pl.Digest)
	}
	for _, j := range r.Judges {
		add("judge", strings.TrimSpace(j.Name+" "+j.Model), strings.TrimSpace(string(j.Settings)))
	}
	if r.Versions.RubricHost != "" {
		add("versions", strings.TrimSpace(fmt.Sprintf("rubric-host %s, %s, wazero %s, fuel table %s", r.Versions.RubricHost, r.Versions.Go, cmp.Or(r.Versions.Wazero, none), cmp.Or(r.Versions.FuelTable, none))), "")
	}
	if r.Environment.OS != "" {
		add("machine", fmt.Sprintf("%s/%s, %s", r.Environment.OS, r.Environment.Arch, diag.Count(r.Environment.CPUs, "CPU")), "")
	}
}
