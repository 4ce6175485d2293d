package tools

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// An ImportSource is the form of a published set in which every row has a rubric
// of its own.
type ImportSource struct {
	Name    string // such as "healthbench"
	Summary string // one line: the rows and how they are scored

	// Differs says how our score of the same verdicts differs from the source's; empty:
	// it does not. The document's description has it, too.
	Differs string

	about string // the description of the document
	raw   rubric.RawRule
	row   func(*importRow)
}

var importSources = []ImportSource{
	{
		Name: "healthbench", Summary: "HealthBench: criteria with points; met points over positive points",
		about: "HealthBench (arXiv 2505.08775). Score of a case: points of met criteria, penalties included, over the positive points, " +
			"clipped to 0..1; raw_score: the same without clipping.",
		Differs: "The original clips the mean over all cases only; here each case is clipped, so the mean is higher where penalties outweigh the points of a case. " +
			"With normalize: false the score is raw_score, and its mean, clipped to 0..1, is the original's.",
		raw: rubric.RawRatio,
		row: (*importRow).healthBench,
	},
	{
		Name: "researchrubrics", Summary: "ResearchRubrics: criteria with weights; met weights over positive weights",
		about: "ResearchRubrics (Scale AI, calculate_compliance_score.py). Score of a case: weights of met criteria, penalties included, over the " +
			"positive weights, clipped to 0..1; raw_score: the same without clipping.",
		Differs: "The original does not clip; here each case is clipped, so the mean is higher where penalties outweigh the weights of a case. " +
			"With normalize: false the score is raw_score, as in the original.",
		raw: rubric.RawRatio,
		row: (*importRow).researchRubrics,
	},
	{
		Name: "rar", Summary: "Rubrics as Rewards: essential, important, optional, pitfall",
		about: "Rubrics as Rewards (arXiv 2507.17746), explicit aggregation: weights of met criteria over the positive weights, clipped to 0..1; " +
			"raw_score: the weighted sum.",
		raw:     rubric.RawPoints,
		Differs: "The paper (section 4.4) replaces the weights of the rows by those of the categories: 1.0, 0.7, 0.3, and 0.9 for avoided pitfalls; here the weights of the rows count.",
		row:     (*importRow).rar,
	},
}

// ImportSources lists the forms.
func ImportSources() []ImportSource { return slices.Clone(importSources) }

// Pitfalls is the meaning of RaR's criteria with a negative weight: the sets mix
// both, and nothing in a row tells them apart.
type Pitfalls string

// The meanings.
const (
	PitfallsAreFaults Pitfalls = "faults"  // "Recommends X": met is bad, and costs its weight
	PitfallsAvoided   Pitfalls = "avoided" // "Avoids X": met is good, and earns its weight
)

// ImportOptions select the rows to import. Source is required.
type ImportOptions struct {
	Source   string   // the name of an ImportSource
	ID       string   // of the document; empty: the source's name
	Format   string   // JSON or YAML; empty: YAML
	Pitfalls Pitfalls // of RaR; empty: PitfallsAreFaults
}

// Imported is a native document with a case and a rubric for each row.
type Imported struct {
	Text     []byte
	Cases    int
	Criteria int
	Differs  string // see ImportSource

	// Problems are rows that cannot be used, as errors with their lines, and
	// warnings. The document has the other rows.
	Problems diag.List
}

// Import turns the rows of a published set into a native document whose cases bring
// their rubrics, so that an evaluation only adds outputs. The arithmetic is that of
// the source; the document's description says where it differs. Reference answers
// become metadata: the sources do not show them to a judge.
//
// The error says that nothing could be read, that every row is bad, or that the
// document would be larger than one may be.
func Import(rows dataset.Options, o ImportOptions) (*Imported, error) {
	at := slices.IndexFunc(importSources, func(s ImportSource) bool { return s.Name == o.Source })
	if at < 0 {
		names := xslices.Map(importSources, func(s ImportSource) string { return s.Name })
		return nil, fault.WithHint(fault.New(fault.Usage, "unknown source %q", o.Source), "%s", diag.DidYouMean(o.Source, names))
	}
	if o.Pitfalls = cmp.Or(o.Pitfalls, PitfallsAreFaults); o.Pitfalls != PitfallsAreFaults && o.Pitfalls != PitfallsAvoided {
		return nil, fault.New(fault.Usage, "unknown meaning of pitfalls %q: faults or avoided", o.Pitfalls)
	}
	rows.OutputOptional = true
	reader, err := dataset.Open(rows)
	if err != nil {
		return nil, err
	}
	im := &importer{source: &importSources[at], o: o, out: &Imported{Differs: importSources[at].Differs}, seen: map[string]int{}}
	for c, err := range reader.Cases() {
		im.add(c, err)
	}
	im.tellPitfalls()
	return im.finish()
}

type importer struct {
	source *ImportSource
	o      ImportOptions
	out    *Imported
	cases  []*document.Node
	bytes  int
	seen   map[string]int // lines of ids
	canary string

	pitfalls, avoiding int      // criteria with a negative weight; those that begin like a thing to avoid
	avoidingAt         diag.Pos // the first of them
}

func (im *importer) problem(severity diag.Severity, c *dataset.Case, code, hint, format string, args ...any) {
	if len(im.out.Problems) <= diag.Limit {
		im.out.Problems.Add(diag.Diagnostic{Severity: severity, Code: code, Pos: diag.Pos{File: c.File, Line: c.Line}, Hint: hint, Message: fault.Clip(fmt.Sprintf(format, args...), 300)})
	}
}

func (im *importer) add(c *dataset.Case, err error) {
	if err != nil {
		list := diag.In(err)
		if list == nil {
			list = diag.List{{Severity: diag.Error, Code: "row", Message: err.Error()}}
		}
		for _, d := range list {
			im.out.Problems.Add(d)
		}
		return
	}
	r := &importRow{importer: im, c: c, node: &document.Node{Kind: document.Object}, criteria: &document.Node{Kind: document.List}, ids: map[string]int{}}
	if im.source.row(r); r.bad {
		return
	}
	if len(r.criteria.Items) == 0 {
		im.problem(diag.Error, c, "criteria-empty", "remove the row", "the row has no criteria")
		return
	}
	if first, twice := im.seen[r.id]; twice {
		im.problem(diag.Error, c, "case-duplicate", "give each row an id of its own", "the id %q is that of line %d", fault.Clip(r.id, 60), first)
		return
	}
	im.seen[r.id] = c.Line
	if len(r.metadata.Members) > 0 {
		r.node.Put("metadata", &r.metadata)
	}
	r.node.Put("rubric", (&document.Node{Kind: document.Object}).Put("criteria", r.criteria))
	im.bytes += len(document.Compact(r.node))
	im.out.Cases++
	im.out.Criteria += len(r.criteria.Items)
	im.cases = append(im.cases, r.node)
}

// finish writes the document, and checks it like every other document.
func (im *importer) finish() (*Imported, error) {
	out := im.out
	if out.Cases == 0 {
		if err := out.Problems.Err(); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Empty, "no rows to import")
	}
	tooLarge := func(n int) error {
		return fault.WithHint(fault.New(fault.Invalid, "the document would have %d bytes; at most %d are read", n, dialect.MaxBytes), "import a part of the rows at a time: %s", fault.OptionImportRows)
	}
	if im.bytes > dialect.MaxBytes {
		return nil, tooLarge(im.bytes)
	}
	root := (&document.Node{Kind: document.Object}).
		Put("rubric", textNode(cmp.Or(im.o.ID, im.source.Name))).
		Put("description", textNode(strings.TrimSpace(im.source.about+" "+im.source.Differs))).
		Put("aggregate", textNode(string(rubric.Signed))).
		Put("raw", textNode(string(im.source.raw))).
		Put("cases", &document.Node{Kind: document.List, Items: im.cases})
	if im.canary != "" {
		root.Put("metadata", (&document.Node{Kind: document.Object}).Put("canary", textNode(im.canary)))
	}
	var err error
	format := cmp.Or(im.o.Format, document.YAML)
	if out.Text, err = document.Write(root, format); err != nil {
		return nil, err
	}
	if len(out.Text) > dialect.MaxBytes {
		return nil, tooLarge(len(out.Text))
	}
	if _, err := dialect.Decode("imported."+format, out.Text, dialect.Options{Dialect: dialect.Native, Format: format}); err != nil {
		return nil, fault.New(fault.Invalid, "the rows make no document that can be read: %w", err)
	}
	return out, nil
}

// tellPitfalls warns of pitfalls that probably mean the other thing.
func (im *importer) tellPitfalls() {
	if im.pitfalls == 0 || im.o.Pitfalls == PitfallsAvoided || im.avoiding == 0 {
		return
	}
	im.out.Problems.Add(diag.Diagnostic{
		Severity: diag.Warning, Code: "pitfalls", Pos: im.avoidingAt, Hint: fault.OptionPitfalls + " " + string(PitfallsAvoided) + " gives them a positive weight; RaR-Science is written so, RaR-Medicine is not",
		Message: fmt.Sprintf("%d of %d pitfalls read as things to avoid, which a good answer meets: imported as faults, they would cost it their weight", im.avoiding, im.pitfalls),
	})
}

type importRow struct {
	*importer
	c        *dataset.Case
	id       string
	node     *document.Node
	metadata document.Node
	criteria *document.Node
	ids      map[string]int // of criteria, how often
	bad      bool
}

// fail reports a problem of the row, which is left out then.
func (r *importRow) fail(format string, args ...any) {
	r.bad = true
	r.problem(diag.Error, r.c, "row-form", "see the form of "+r.source.Name+", or leave the row out", format, args...)
}

// text returns a field that is text; false: it is missing, empty or something else.
func (r *importRow) text(field string) (string, bool) {
	var s string
	v := r.c.Raw(field)
	if v.Kind() != '"' || json.Unmarshal(v, &s) != nil || strings.TrimSpace(s) == "" {
		return "", false
	}
	return s, true
}

func (r *importRow) begin(ids []string, inputs ...string) {
	for _, field := range ids {
		if id, ok := r.text(field); ok {
			r.id = id
			break
		}
	}
	r.id = cmp.Or(r.id, fmt.Sprintf("%s-%d", r.source.Name, r.c.Line))
	r.metadata.Kind = document.Object
	r.node.Put("id", textNode(r.id))
	for _, field := range inputs {
		v := r.c.Raw(field)
		if text, ok := r.text(field); ok {
			r.node.Put("input", textNode(text))
			return
		}
		var turns []dataset.Message
		if v.Kind() == '[' && json.Unmarshal(v, &turns) == nil && len(turns) > 0 {
			list := &document.Node{Kind: document.List}
			for _, t := range turns {
				list.Items = append(list.Items, (&document.Node{Kind: document.Object}).Put("role", textNode(t.Role)).Put("content", textNode(t.Content)))
			}
			r.node.Put("input", list)
			return
		}
	}
	r.fail("the row has no %s: text, or a list of messages", strings.Join(inputs, " or "))
}

func (r *importRow) note(fields ...string) {
	for _, field := range fields {
		if text, ok := r.text(field); ok {
			r.metadata.Put(field, textNode(text))
		}
	}
}

// criterion adds a criterion. points is the literal of its weight.
func (r *importRow) criterion(n int, id, text string, points jsontext.Value, metadata *document.Node) {
	literal := strings.TrimSpace(string(points))
	weight, err := strconv.ParseFloat(literal, 64)
	switch {
	case strings.TrimSpace(text) == "":
		r.fail("criterion %d has no text", n)
		return
	case points.Kind() != '0' || err != nil || !rubric.Finite(weight):
		r.fail("criterion %d has no weight that is a finite number, but %s", n, cmp.Or(fault.Clip(literal, 40), "none"))
		return
	}
	if id = dialect.Slug(id, 40); id == "" {
		id = "c"
	}
	id = r.unique(id)
	item := (&document.Node{Kind: document.Object}).Put("id", textNode(id)).
		Put("weight", &document.Node{Kind: document.Number, Value: literal}).
		Put("judge", textNode(text))
	if metadata != nil && len(metadata.Members) > 0 {
		item.Put("metadata", metadata)
	}
	r.criteria.Items = append(r.criteria.Items, item)
}

// unique returns an id that no criterion of the row has: the one given, or with a
// number.
func (r *importRow) unique(id string) string {
	for {
		r.ids[id]++
		n := r.ids[id]
		if n == 1 && id != "c" {
			return id
		}
		if numbered := fmt.Sprintf("%s-%d", id, n); r.ids[numbered] == 0 {
			r.ids[numbered]++
			return numbered
		}
	}
}

func textNode(s string) *document.Node {
	return &document.Node{Kind: document.Text, Value: strings.ToValidUTF8(s, "\uFFFD")}
}

// list decodes the criteria of a row: a list, or its JSON as text, as in CSV files.
func (r *importRow) list(field string, into any) bool {
	v := r.c.Raw(field)
	if text, ok := r.text(field); ok {
		v = jsontext.Value(text)
	}
	if v == nil || v.Kind() == 'n' {
		return false
	}
	if err := json.Unmarshal(v, into); err != nil {
		r.fail("%s is not a list of criteria: %s", field, fault.Clip(err.Error(), 160))
		return false
	}
	return true
}

// healthBench reads a row of openai/simple-evals healthbench_eval.py: calculate_score
// divides the points of met criteria by the sum of the positive points, and
// _compute_clipped_stats clips the mean over the cases. We clip each case; see
// ImportSource.Differs.
func (r *importRow) healthBench() {
	r.begin([]string{"prompt_id"}, "prompt")
	if canary, ok := r.text("canary"); ok {
		r.canary = canary
	}
	if ideal, ok := r.text("ideal_completions_data.ideal_completion"); ok {
		r.metadata.Put("ideal_completion", textNode(ideal))
	}
	var tags []string
	if r.list("example_tags", &tags) && len(tags) > 0 {
		r.metadata.Put("example_tags", texts(tags))
		// "theme:global_health" becomes theme=global_health, by which cases are selected and sliced.
		r.node.Put(dataset.FieldTags, texts(xslices.Map(tags, func(tag string) string { return strings.Replace(tag, ":", "=", 1) })))
	}
	var criteria []struct {
		Criterion string         `json:"criterion"`
		Points    jsontext.Value `json:"points"`
		Tags      []string       `json:"tags"`
	}
	r.list("rubrics", &criteria)
	for i, c := range criteria {
		id, metadata := "c", &document.Node{Kind: document.Object}
		for _, tag := range c.Tags {
			if axis, ok := strings.CutPrefix(tag, "axis:"); ok {
				id = axis
			}
		}
		if len(c.Tags) > 0 {
			metadata.Put("tags", texts(c.Tags))
		}
		r.criterion(i+1, id, c.Criterion, c.Points, metadata)
	}
}

func texts(list []string) *document.Node {
	return &document.Node{Kind: document.List, Flow: true, Items: xslices.Map(list, textNode)}
}

// researchRubrics reads a row of the published set, or of the compiled one that
// scaleapi/researchrubrics, DATA_FORMAT.md, describes. calculate_compliance_score.py
// divides the weighted scores by the sum of the positive weights.
func (r *importRow) researchRubrics() {
	r.begin([]string{"sample_id", "task_name"}, "prompt")
	r.note("domain", "conceptual_breadth", "logical_nesting", "exploration")
	var criteria []struct {
		Criterion string         `json:"criterion"`
		Title     string         `json:"title"`
		Weight    jsontext.Value `json:"weight"`
		Axis      string         `json:"axis"`
		Category  string         `json:"category"`
	}
	r.list("rubrics", &criteria)
	for i, c := range criteria {
		axis, metadata := cmp.Or(c.Axis, c.Category), &document.Node{Kind: document.Object}
		if axis != "" {
			metadata.Put("axis", textNode(axis))
		}
		r.criterion(i+1, cmp.Or(axis, "c"), cmp.Or(c.Criterion, c.Title), c.Weight, metadata)
	}
}

// category matches the beginning of a criterion of RaR.
var category = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*(essential|important|optional|pitfall)( criteria)?\s*:\s*`)
})

// avoids matches criteria that a good answer meets by leaving something out. "Does
// not mention" does not count: the sets use it for omissions, too.
var avoids = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(the (response|answer) )?(avoids?|refrains?|steers clear|should not|must not|do not|don't)\b`)
})

// categoryWeights are those of RaR-Explicit (arXiv 2507.17746v2, section 4.4; 0.8 for
// pitfalls in v1), for rows whose criteria have a category and no weight. The paper
// words pitfalls as things to avoid, and adds their weight: PitfallsAvoided.
var categoryWeights = map[string]string{"essential": "1.0", "important": "0.7", "optional": "0.3", "pitfall": "-0.9"}

// rar reads a row of RaR-Medicine or RaR-Science: {title, description, weight}, 1 to
// 5 for wanted criteria, -1 or -2 for pitfalls; else sentences in rubric_list.
func (r *importRow) rar() {
	r.begin([]string{"id"}, "question", "prompt")
	r.note("reference_answer", "question_source")
	type item struct {
		Title       string         `json:"title"`
		Description string         `json:"description"`
		Weight      jsontext.Value `json:"weight"`
		Category    string         `json:"category"`
	}
	var criteria []item
	if !r.list("rubric", &criteria) && !r.bad {
		var sentences []string
		r.list("rubric_list", &sentences)
		for _, s := range sentences {
			criteria = append(criteria, item{Description: s})
		}
	}
	for i, c := range criteria {
		kind, text := strings.ToLower(c.Category), c.Description
		if m := category().FindStringSubmatch(text); m != nil {
			kind, text = strings.ToLower(m[1]), text[len(m[0]):]
		}
		weight := c.Weight
		if (weight == nil || weight.Kind() == 'n') && categoryWeights[kind] != "" {
			weight = jsontext.Value(categoryWeights[kind])
		}
		if strings.HasPrefix(string(weight), "-") {
			r.pitfall(text)
			if r.o.Pitfalls == PitfallsAvoided {
				weight = weight[1:]
			}
		}
		metadata := &document.Node{Kind: document.Object}
		if kind != "" {
			metadata.Put("category", textNode(kind))
		}
		r.criterion(i+1, cmp.Or(c.Title, kind, "c"), text, weight, metadata)
	}
}

// pitfall counts a criterion with a negative weight, and notes one that describes its avoidance.
func (r *importRow) pitfall(text string) {
	r.pitfalls++
	if !avoids().MatchString(text) {
		return
	}
	if r.avoiding++; r.avoiding == 1 {
		r.avoidingAt = diag.Pos{File: r.c.File, Line: r.c.Line}
	}
}
