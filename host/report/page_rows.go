package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

// The rows of the HTML page are compressed JSON in chunks, which it decodes when it shows or searches them,
// and an index by which it sorts and filters. It shows texts as text only.

const (
	rowsPerChunk = 128
	maxPageRows  = 200_000 // beyond it browsers give up
	maxPageText  = 20_000  // characters of a text on the page
	maxPageList  = 50      // references, contexts, cites, notes of a row
)

// pageIndex has one entry per row in each of its lists. A score or value that
// does not exist is null.
type pageIndex struct {
	PerChunk int          `json:"per_chunk"`
	Content  bool         `json:"content"` // rows have the content of their cases
	IDs      []string     `json:"ids"`
	Repeats  []int        `json:"repeats"`
	Scores   []*float64   `json:"scores"`
	Marks    []float64    `json:"marks,omitzero"` // limits that numbers are not rounded onto
	Ranks    []int        `json:"ranks"`          // 0 no score, 1 did not pass, 2 passed, 3 no pass rule
	Verdicts *labels      `json:"verdicts"`
	Classes  *labels      `json:"classes"` // of failures; "" for rows without one
	Slices   []*labels    `json:"slices"`
	Criteria []pageColumn `json:"criteria"`
	Against  *pageAgainst `json:"against,omitzero"`
}

// pageAgainst is the index of the other run that the page shows beside its own;
// values without a row there are null.
type pageAgainst struct {
	Name    string     `json:"name"`
	Scores  []*float64 `json:"scores"`
	Changes *labels    `json:"changes"`
}

// labels is a list of texts with few different ones.
type labels struct {
	Name   string   `json:"name,omitzero"`
	Values []string `json:"values"`
	Of     []int    `json:"of"` // indexes in Values
	index  stats.Numbers
}

func (l *labels) add(s string) {
	if l.index == nil {
		l.index = stats.Numbers{}
	}
	i := l.index.Of(s)
	if i == len(l.Values) {
		l.Values = append(l.Values, s)
	}
	l.Of = append(l.Of, i)
}

type pageColumn struct {
	ID     string          `json:"id"`
	Values []*float64      `json:"values"`
	Marks  strings.Builder `json:"-"`
	Signs  string          `json:"marks"` // a sign per row: + good, x bad, ~ between, ? no number, blank not there
}

// pageRow is everything about a row that the index does not say.
type pageRow struct {
	From       string          `json:"from,omitzero"`
	Why        string          `json:"why,omitzero"`
	Input      string          `json:"input,omitzero"`
	Output     string          `json:"output,omitzero"`
	References []string        `json:"references,omitzero"`
	Context    []string        `json:"context,omitzero"`
	Fields     []pageField     `json:"fields,omitzero"` // the other fields of the case
	Spans      []pageSpan      `json:"spans,omitzero"`
	Criteria   []pageCriterion `json:"criteria"`
	Warnings   []string        `json:"warnings,omitzero"`
	Feedback   string          `json:"feedback,omitzero"`
	Usage      string          `json:"usage,omitzero"`
	Calls      []pageCall      `json:"calls,omitzero"`
	Was        *pageWas        `json:"was,omitzero"`
}

// pageWas is a row of the run that the page shows beside its own.
type pageWas struct {
	Output   string          `json:"output,omitzero"`
	Why      string          `json:"why,omitzero"`
	Criteria []pageCriterion `json:"criteria"`
}

type pageField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// pageSpan is a part of the input or output that evidence points at, in UTF-16
// units of the text on the page.
type pageSpan struct {
	Field     string `json:"field"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Criterion string `json:"criterion"`
}

type pageCriterion struct {
	ID     string   `json:"id"`
	Mark   string   `json:"mark"`
	Answer string   `json:"answer"`
	Traits string   `json:"traits,omitzero"`
	Error  string   `json:"error,omitzero"`
	Reason string   `json:"reason,omitzero"`
	How    string   `json:"how,omitzero"`
	Cites  []string `json:"cites,omitzero"`
	Notes  []string `json:"notes,omitzero"`
}

// pageRows writes the rows of the page as they come, and gathers their index.
type pageRows struct {
	w     io.Writer
	v     *view
	index *pageIndex
	ids   []string     // of criteria and metrics, in the order of index.Criteria
	was   *earlierRows // nil: no other run is shown
	given []*labels    // of the slices of the summary
	chunk []pageRow    // not written yet
}

// writePageRows writes the chunks of rows, and then the index.
func writePageRows(w io.Writer, v *view) (err error) {
	p := &pageRows{w: w, v: v, ids: v.columns(),
		index: &pageIndex{PerChunk: rowsPerChunk, Marks: v.marks, Content: v.Case != nil && !v.Run.Dataset.NoContent, Verdicts: &labels{}, Classes: &labels{}}}
	for _, id := range p.ids {
		p.index.Criteria = append(p.index.Criteria, pageColumn{ID: plain(id)})
	}
	for _, slice := range v.sum.Slices {
		p.given = append(p.given, &labels{Name: plain(slice.Field)})
	}
	if p.was, err = v.openAgainst(p.index); err != nil {
		return err
	}
	for row := range v.rows() {
		if len(p.index.IDs) == maxPageRows {
			break
		}
		p.add(row)
		if len(p.chunk) == rowsPerChunk {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	if err := p.flush(); err != nil {
		return err
	}
	return p.writeIndex()
}

func (p *pageRows) add(row *result.Row) {
	c := p.v.contentOf(row)
	p.indexRow(row)
	for i, value := range p.v.sliceCells(c) {
		p.given[i].add(diag.Fit(plain(value), maxPageText))
	}
	shown := p.v.pageRow(row, c)
	if p.was != nil {
		shown.Was = p.was.add(p.index.Against, row)
	}
	p.chunk = append(p.chunk, shown)
}

func (p *pageRows) flush() error {
	if len(p.chunk) == 0 {
		return nil
	}
	err := writePageData(p.w, "rows", p.chunk)
	p.chunk = p.chunk[:0]
	return err
}

func (p *pageRows) writeIndex() error {
	for i := range p.index.Criteria {
		p.index.Criteria[i].Signs = p.index.Criteria[i].Marks.String()
	}
	for _, l := range p.given {
		if len(l.Values) <= result.MaxSliceValues+1 {
			p.index.Slices = append(p.index.Slices, l)
		}
	}
	return writePageData(p.w, "index", p.index)
}

// writePageData writes a value as compressed JSON in a template, which browsers
// neither show nor run.
func writePageData(w io.Writer, class string, value any) error {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, 4)
	if err != nil {
		return err
	}
	if err := json.MarshalWrite(zip, value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "<template class=\"%s\">%s</template>\n", class, base64.StdEncoding.EncodeToString(packed.Bytes()))
	return err
}

func (p *pageRows) indexRow(row *result.Row) {
	index := p.index
	index.IDs = append(index.IDs, diag.Fit(plain(row.Case), 1024))
	index.Repeats = append(index.Repeats, max(1, row.Repeat))
	index.Scores = append(index.Scores, finite(row.Score))
	index.Ranks = append(index.Ranks, rank(row))
	index.Verdicts.add(diag.Fit(verdictWord(row), 60))
	index.Classes.add(diag.Fit(plain(classOf(row)), 60))
	byID := row.ByID()
	for i, id := range p.ids {
		column, c := &index.Criteria[i], byID[id]
		if c == nil {
			column.Values = append(column.Values, nil)
			column.Marks.WriteByte(' ')
			continue
		}
		column.Values = append(column.Values, finite(c.Value))
		column.Marks.WriteByte(signs[strings.TrimSpace(markOf(row, c, Options{}))])
	}
}

var signs = map[string]byte{"ok": '+', "x": 'x', "~": '~', "?": '?'}

func finite(x *float64) *float64 {
	if x == nil || !rubric.Finite(*x) {
		return nil
	}
	return x
}

// rank orders rows by how much they want to be looked at.
func rank(row *result.Row) int {
	switch {
	case row.Score == nil:
		return 0
	case row.Fails():
		return 1
	case row.Passes():
		return 2
	}
	return 3
}

// classOf is the class of a row's failure: of the row as a whole, or of the
// first criterion that did.
func classOf(row *result.Row) (class string) {
	if row.Error != nil {
		return string(row.Error.Class)
	}
	for c := range row.All() {
		if e := c.Error; e != nil {
			return string(e.Class)
		}
	}
	return ""
}

func pageText(s string) string { return plainLines(ends(s, maxPageText, 0, "")) }

func pageTexts(list []string) []string {
	var out []string
	for i, s := range list {
		if i == maxPageList {
			return append(out, fmt.Sprintf("and %d more", len(list)-i))
		}
		out = append(out, pageText(s))
	}
	return out
}

func (v *view) pageRow(row *result.Row, c *dataset.Case) pageRow {
	r := pageRow{Warnings: pageTexts(row.Warnings), Feedback: pageText(row.Feedback), Calls: v.pageCalls(row)}
	switch {
	case row.Score == nil:
		r.Why = pageText(cmpReason(row))
	case row.Fails():
		r.Why = diag.Fit(v.whyFailed(row), 2000)
	}
	if c != nil {
		r.content(c)
	}
	for one := range row.All() {
		r.Criteria = append(r.Criteria, v.pageCriterion(row, c, one))
		r.spans(c, one)
	}
	if u := row.Judge; u.Calls > 0 || u.TokensIn+u.TokensOut > 0 {
		r.Usage = diag.Count(u.Calls, "judge call") + ", " + tokens(u)
		if u.CostUSD > 0 && u.Unpriced == 0 {
			r.Usage += ", " + money(u.CostUSD)
		}
	}
	return r
}

// shown are the fields of a case that have places of their own.
var shown = []string{dataset.FieldID, dataset.FieldInput, dataset.FieldOutput, dataset.FieldReferences, dataset.FieldExpected, dataset.FieldContext}

func (r *pageRow) content(c *dataset.Case) {
	r.From = plain(c.Source())
	r.Input, r.Output, r.References, r.Context = pageText(c.Input), pageText(c.Output), pageTexts(c.References), pageTexts(c.Context)
	for _, f := range c.Fields {
		alias := f.Value.Kind() == '"' && f.Name != dataset.FieldMetadata && slices.ContainsFunc(c.Fields, func(g dataset.Field) bool {
			return g.Name != f.Name && slices.Contains(shown, g.Name) && bytes.Equal(g.Value, f.Value)
		})
		if slices.Contains(shown, f.Name) || alias || len(r.Fields) == maxPageList {
			continue
		}
		r.Fields = append(r.Fields, pageField{diag.Fit(plain(f.Name), 200), pageText(valueText(f.Value))})
	}
}

// valueText writes a JSON value for a person: a string as it is.
func valueText(v jsontext.Value) string {
	if v.Kind() == '"' {
		if b, err := jsontext.AppendUnquote(nil, v); err == nil {
			return string(b)
		}
	}
	return string(v)
}

// spans adds the parts of the input and output that a criterion points at.
func (r *pageRow) spans(c *dataset.Case, criterion *result.Criterion) {
	for _, e := range criterion.Evidence {
		if c == nil || len(r.Spans) == maxPageList || e.Field != dataset.FieldOutput && e.Field != dataset.FieldInput {
			continue
		}
		text := fieldText(c, e.Field)
		if s, ok := spanOf(text, e); ok && e.End <= maxPageText {
			start := units(plainLines(text[:s.start]))
			r.Spans = append(r.Spans, pageSpan{e.Field, start, start + units(plainLines(text[s.start:s.end])), plain(criterion.ID)})
		}
	}
}

// units is the length of a text in UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

func (v *view) pageCriterion(row *result.Row, graded *dataset.Case, c *result.Criterion) pageCriterion {
	known := v.criterionOf(row, c.ID)
	out := pageCriterion{
		ID: plain(c.ID), Mark: string(signs[strings.TrimSpace(markOf(row, c, Options{}))]), Answer: v.answerOf(c, known), Traits: strings.Join(v.traits(row, c, known), ", "),
		Reason: pageText(c.Reason), How: plain(howLine(c.How)),
	}
	if c.Error != nil {
		out.Error = diag.Fit(plainLines(strings.TrimSpace(failure(c.Error)+"\n"+c.Error.Hint)), 2000)
	}
	for i, e := range c.Evidence {
		if i == maxPageList {
			out.Cites = append(out.Cites, fmt.Sprintf("and %d more", len(c.Evidence)-i))
			break
		}
		out.Cites = append(out.Cites, citation(graded, e))
	}
	for _, notes := range []struct {
		word string
		list []string
	}{{"hit", c.Hits}, {"miss", c.Misses}, {"warning", c.Warnings}} {
		for _, text := range notes.list[:min(len(notes.list), maxPageList)] {
			out.Notes = append(out.Notes, notes.word+": "+diag.Fit(plain(text), 300))
		}
	}
	return out
}
