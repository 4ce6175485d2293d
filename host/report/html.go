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
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/result"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "page/page.html"))
})

// page is what the template shows. Text in it is plain; the template escapes it.
type page struct {
	Policy                   string
	Style                    template.CSS
	Script                   template.JS
	Title, Word, Rest, Error string
	Good                     bool
	Facts                    []string
	Cards                    []entry
	Gates                    []result.Outcome
	Scored                   bool
	Distribution             template.HTML
	PassMark                 string
	Figures                  []pageFigure
	Corpus, Unscored         []entry
	Warnings                 []string
	Rows                     []pageRow
	Words                    []string // verdicts among the rows
	Shown                    string
	Provenance               []entry
	Command                  string
}

// entry is a line of a table or a card.
type entry struct{ Key, Value, Sub string }

type pageFigure struct {
	ID, By, Text, Weight, Mean, Interval, Pass, N, Missing, Worst string
	Gate                                                          bool
	Whisker, Bars                                                 template.HTML
}

type pageRow struct {
	ID, Word, Class, Rank, Score, Number, Why, Reason string
	Meter                                             template.HTML
	Criteria                                          []pageCriterion
	Warnings                                          []string
}

type pageCriterion struct {
	ID, Mark, Class, Answer, Traits, Error, Reason, How string
	Cites, Notes                                        []string
}

// writeHTML writes one page that needs nothing else: styles, plots and a small
// script for the filter are inside, and its policy lets it load or run nothing
// more. Without the script everything is there to read.
func writeHTML(w io.Writer, v *view, o Options) error {
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return err
	}
	script, err := pageFiles.ReadFile("page/page.js")
	if err != nil {
		return err
	}
	p := &page{
		Style: template.CSS(style), Script: template.JS(script), //nolint:gosec // our own files, as they are hashed below
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", integrity(style), integrity(script)),
		Title:  v.title(), Facts: v.facts(), Scored: v.sum.Total.N > 0, Command: shellJoin(v.Run.Command),
	}
	p.Word, p.Rest, p.Good = v.outcome()
	if e := v.Run.Error; e != nil {
		p.Error = failure(e)
	}
	p.figures(v)
	p.provenance(v)
	p.rows(v, o)
	return pageTemplate().Execute(w, p)
}

// integrity is the source of an inline style or script in a policy.
func integrity(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p *page) figures(v *view) {
	t, c := &v.sum.Total, v.sum.Counts
	p.Cards = []entry{
		{"mean score", score(t.Mean), strings.TrimPrefix(interval(t.Interval), none)},
		{"pass rate", passRate(t.Pass), passed(t.Pass)},
		{"scored", thousands(c.Scored), "of " + thousands(c.Rows)},
		{"without a score", thousands(c.Unscored), "in no mean"},
	}
	if u := v.sum.Usage; u.Calls > 0 || u.CostUSD > 0 {
		p.Cards = append(p.Cards, entry{"judge", money(u.CostUSD), plural(u.Calls, "call")})
	}
	for _, g := range v.Run.Gates {
		g.Expr, g.Why = plain(g.Expr), plain(g.Why)
		p.Gates = append(p.Gates, g)
	}
	var pass *float64
	if v.Rubric != nil && len(v.Rubric.Pass.Bands) > 0 {
		pass = &v.Rubric.Pass.Bands[0].Min
		p.PassMark = score(pass)
	}
	p.Distribution = distribution(t, pass)
	for _, f := range v.figures() {
		p.Figures = append(p.Figures, v.pageFigure(f))
	}
	for _, c := range v.sum.Corpus {
		from := "over " + plural(c.N, "case")
		if c.Error != nil {
			from = failure(c.Error)
		}
		p.Corpus = append(p.Corpus, entry{plain(c.Name), score(c.Score), from})
	}
	for _, u := range v.sum.Unscored {
		p.Unscored = append(p.Unscored, entry{plain(string(u.Class)), thousands(u.Count), fmt.Sprintf("%s: %s", plain(u.Case), clip(plain(u.Message), 300))})
	}
	for _, s := range v.sum.Warnings {
		p.Warnings = append(p.Warnings, plain(s))
	}
}

func passed(r *result.Rate) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s %s", thousands(r.Passed), thousands(r.Of), strings.TrimPrefix(interval(r.Interval), none))
}

func (v *view) pageFigure(f *result.Figure) pageFigure {
	out := pageFigure{
		ID: plain(f.ID), Gate: f.Gate, Weight: weight(f.Weight), Mean: score(f.Mean), Interval: interval(f.Interval), Pass: passRate(f.Pass), N: thousands(f.N),
		By: plain(strings.TrimSpace(f.By + " " + f.Scorer)), Whisker: whisker(f), Bars: bars(f.Histogram),
	}
	if n := f.Unscored + f.Failed; n > 0 {
		out.Missing = thousands(n)
	}
	if v.Rubric != nil && f.Rubric == "" {
		if c := v.Rubric.Find(f.ID); c != nil {
			out.Text = clip(plain(cmp.Or(c.Text, c.Name)), 160)
		}
	}
	var worst []string
	for _, l := range f.Worst {
		worst = append(worst, clip(lowName(l), 40))
	}
	out.Worst = strings.Join(worst, ", ")
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
		add("dataset", fmt.Sprintf("%s, %s", s.Name, plural(s.Rows, "row")), s.Digest)
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
		add("machine", fmt.Sprintf("%s/%s, %s", r.Environment.OS, r.Environment.Arch, plural(r.Environment.CPUs, "CPU")), "")
	}
}

// rows picks the rows that the page lists, the worst first: all that fit.
func (p *page) rows(v *view, o Options) {
	most := o.MaxRows
	if most <= 0 {
		most = 1000
	}
	var kept []*result.Row
	total := 0
	for row := range v.rows() {
		total++
		if kept = append(kept, row); len(kept) >= 2*most {
			kept = worst(kept, most)
		}
	}
	kept = worst(kept, most)
	for _, row := range kept {
		p.Rows = append(p.Rows, v.pageRow(row))
		if w := p.Rows[len(p.Rows)-1].Word; !slices.Contains(p.Words, w) {
			p.Words = append(p.Words, w)
		}
	}
	p.Shown = "All " + plural(total, "row") + ", the worst first."
	if len(kept) < total {
		p.Shown = fmt.Sprintf("The worst %s of %s; the others are in the rows of the run.", thousands(len(kept)), plural(total, "row"))
	}
}

// worst sorts rows, those without a score first, then by score, and keeps n.
func worst(rows []*result.Row, n int) []*result.Row {
	slices.SortStableFunc(rows, func(a, b *result.Row) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(value(a), value(b)))
	})
	return rows[:min(n, len(rows))]
}

func rank(row *result.Row) int {
	switch {
	case row.Score == nil:
		return 0
	case !row.Passed:
		return 1
	}
	return 2
}

func value(row *result.Row) float64 {
	if row.Score == nil {
		return 0
	}
	return *row.Score
}

func (v *view) pageRow(row *result.Row) pageRow {
	r := pageRow{ID: caseName(row), Word: verdictWord(row), Class: "bad", Rank: strconv.Itoa(rank(row)), Score: score(row.Score), Why: clip(whyFailed(row), 300), Meter: meter(row.Score, "fillbad")}
	switch {
	case row.Score == nil:
		r.Class, r.Reason = "warn", clip(plainLines(cmpReason(row)), 2000)
	case row.Passed:
		r.Class, r.Why, r.Meter = "good", "", meter(row.Score, "fillgood")
	}
	if row.Score != nil {
		r.Number = strconv.FormatFloat(*row.Score, 'g', -1, 64)
	}
	for _, list := range [][]result.Criterion{row.Criteria, row.Metrics} {
		for i := range list {
			r.Criteria = append(r.Criteria, v.pageCriterion(row, &list[i]))
		}
	}
	for _, s := range row.Warnings {
		r.Warnings = append(r.Warnings, clip(plain(s), 500))
	}
	return r
}

// markClasses are the colours of marks.
var markClasses = map[string]string{"ok": "good", "x": "bad", "~": "warn", "?": "warn"}

func (v *view) pageCriterion(row *result.Row, c *result.Criterion) pageCriterion {
	known := v.criterionOf(row, c.ID)
	mark := strings.TrimSpace(v.mark(row, c, paint{}))
	out := pageCriterion{
		ID: plain(c.ID), Mark: mark, Class: markClasses[mark], Answer: answerOf(c, known), Traits: strings.Join(v.traits(row, c, known), ", "),
		Reason: clip(plainLines(c.Reason), 2000), How: plain(howLine(c.How)),
	}
	if c.Error != nil {
		out.Error = clip(plainLines(strings.TrimSpace(failure(c.Error)+"\n"+c.Error.Hint)), 2000)
	}
	for i, e := range c.Evidence {
		if i == 5 {
			out.Cites = append(out.Cites, fmt.Sprintf("and %d more", len(c.Evidence)-i))
			break
		}
		out.Cites = append(out.Cites, plain(citation(nil, e)))
	}
	for _, notes := range []struct {
		word string
		list []string
	}{{"hit", c.Hits}, {"miss", c.Misses}, {"warning", c.Warnings}} {
		for _, text := range notes.list[:min(len(notes.list), 20)] {
			out.Notes = append(out.Notes, notes.word+": "+clip(plain(text), 300))
		}
	}
	return out
}
