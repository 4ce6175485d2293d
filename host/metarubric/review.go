package metarubric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Review is everything that is found about one rubric. Its JSON form is experimental.
type Review struct {
	Schema  int    `json:"schema"` // 1
	File    string `json:"file,omitzero"`
	Rubric  string `json:"rubric"` // its id
	Version string `json:"version,omitzero"`
	Digest  string `json:"digest"`
	Dialect string `json:"dialect,omitzero"`

	Meta *Grade `json:"meta_rubric"` // null: it was not graded

	// Findings are sorted by severity, then by place.
	Findings []Finding `json:"findings"`

	// NotChecked lists the checks that were impossible, and why.
	NotChecked []NotChecked `json:"not_checked"`

	Run  *Rows `json:"run,omitzero"` // the graded outputs that were looked at
	Good *Rows `json:"good,omitzero"`
	Bad  *Rows `json:"bad,omitzero"`

	Judge result.Usage `json:"judge"` // of the questions about wording
}

// A Grade is the result of the meta-rubric.
type Grade struct {
	Score  *float64           `json:"score"`
	Passed *bool              `json:"passed"`
	Checks []result.Criterion `json:"criteria"`
}

// Rows says which graded outputs were looked at.
type Rows struct {
	Source   string `json:"source"`
	Rows     int    `json:"rows"`
	Scored   int    `json:"scored"`   // with a total score
	Clusters int    `json:"clusters"` // of independent outputs: repeats and samples of a problem are one
}

// A Finding is one problem of a rubric, with its place.
type Finding struct {
	Severity diag.Severity `json:"severity"`
	Code     string        `json:"code"`
	Path     string        `json:"path,omitzero"`
	Line     int           `json:"line,omitzero"`
	Column   int           `json:"column,omitzero"`
	Message  string        `json:"message"`
	Hint     string        `json:"hint,omitzero"`
	Criteria []string      `json:"criteria,omitzero"` // ids of those that it is about
	Figure   *Figure       `json:"figure,omitzero"`
}

// Diagnostic returns the finding as a diagnostic of its file.
func (f *Finding) Diagnostic(file string) diag.Diagnostic {
	return diag.Diagnostic{Severity: f.Severity, Code: f.Code, Path: f.Path, Pos: diag.Pos{File: file, Line: f.Line, Column: f.Column}, Message: f.Message, Hint: f.Hint}
}

// A Figure is the number behind a finding. The interval is that of 95 % confidence;
// null: the number is exact, or its error is unknown.
type Figure struct {
	Name  string   `json:"name"` // spearman, auc, share, grade
	Value float64  `json:"value"`
	N     int      `json:"n"` // independent outputs or words that it rests on
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Inputs of additional checks.
const (
	NeedsOutputs  = "outputs"  // graded outputs
	NeedsExamples = "examples" // good and bad outputs
	NeedsJudge    = "judge"
)

// NotChecked is a check that was not made, or only in part.
type NotChecked struct {
	Check  string   `json:"check"`
	Reason string   `json:"reason"`
	Needs  string   `json:"needs,omitzero"`    // outputs, examples or judge; empty: nothing would help
	IDs    []string `json:"criteria,omitzero"` // those that it is about; empty: all
}

// Input has the sources of a review. Only Document and Rubric are needed.
type Input struct {
	Document *dialect.Document
	Rubric   *rubric.Rubric // one of the document's
	Meta     *result.Row    // of the meta-rubric; see host.Evaluator.MetaGrade

	Run       *Table // graded outputs, such as a run
	Good, Bad *Table // outputs that are known to be good, and bad

	Wording []Opinion // of a judge; see Questions
	Asked   bool      // a judge was asked
	Reading *Reading

	NotChecked []NotChecked // checks that the caller could not make
	Judge      result.Usage
}

// maxOfCode is the number of findings of one code that a review lists.
const maxOfCode = 50

// reviewer collects the findings of a review.
type reviewer struct {
	*Input
	out   *Review
	paths map[string]string // of criteria, by id
	order map[string]int
	codes map[string]int
}

// Make makes the review. Every figure is of its Input; the same input gives the same
// review.
func Make(in *Input) *Review {
	r := in.Rubric
	b := &reviewer{Input: in, paths: map[string]string{}, order: map[string]int{}, codes: map[string]int{}, out: &Review{
		Schema: 1, File: in.Document.File, Rubric: r.ID, Version: r.Version, Digest: r.Digest(), Dialect: in.Document.Dialect,
		Findings: []Finding{}, NotChecked: []NotChecked{}, Judge: in.Judge,
	}}
	r.Walk(func(path string, c *rubric.Criterion) {
		b.order[c.ID] = len(b.paths)
		b.paths[c.ID] = path
	})
	b.meta()
	b.wording()
	b.opinions()
	b.reading()
	b.weights()
	b.verdicts()
	b.separation()
	b.out.NotChecked = append(b.out.NotChecked, in.NotChecked...)
	slices.SortStableFunc(b.out.Findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(rank(x.Severity), rank(y.Severity)), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column),
			strings.Compare(x.Code, y.Code), strings.Compare(x.Message, y.Message))
	})
	return b.out
}

func rank(s diag.Severity) int {
	return slices.Index([]diag.Severity{diag.Error, diag.Warning, diag.Note}, s)
}

// find adds a finding about a place in the rubric.
func (b *reviewer) find(f Finding, path string) {
	if b.codes[f.Code]++; b.codes[f.Code] > maxOfCode {
		if b.codes[f.Code] == maxOfCode+1 {
			b.skip(f.Code, nil, "only %d findings are listed", maxOfCode)
		}
		return
	}
	slices.SortStableFunc(f.Criteria, func(x, y string) int { return cmp.Compare(b.order[x], b.order[y]) })
	d := b.Document.Diagnostic(b.Rubric, f.Severity, rubric.Problem{Path: path, Code: f.Code, Message: f.Message, Hint: f.Hint})
	f.Path, f.Line, f.Column, f.Message = d.Path, d.Pos.Line, d.Pos.Column, diag.Plain(d.Message)
	b.out.Findings = append(b.out.Findings, f)
}

// of adds a finding about criteria, at the last of them.
func (b *reviewer) of(f Finding, ids ...string) {
	f.Criteria = ids
	last := slices.MaxFunc(ids, func(x, y string) int { return cmp.Compare(b.order[x], b.order[y]) })
	b.find(f, b.paths[last])
}

func (b *reviewer) skip(check string, ids []string, format string, args ...any) {
	b.out.NotChecked = append(b.out.NotChecked, NotChecked{Check: check, Reason: fmt.Sprintf(format, args...), IDs: ids})
}

// lacks notes that the review was not given something for a check.
func (b *reviewer) lacks(needs, check, reason string) {
	b.out.NotChecked = append(b.out.NotChecked, NotChecked{Check: check, Reason: reason, Needs: needs})
}

// quoted lists ids for a message, the first few of them.
func (b *reviewer) quoted(ids []string) string {
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(x, y string) int { return cmp.Compare(b.order[x], b.order[y]) })
	return fault.First(6, xslices.Map(ids, func(id string) string { return fmt.Sprintf("%q", fault.Clip(id, 60)) }), ", ")
}

// number writes a figure for a person.
func number(x float64) string {
	s := fmt.Sprintf("%.2f", x)
	if s == "-0.00" {
		return "0.00"
	}
	return s
}

// String is the figure for a message: "AUC 0.61, 95 % 0.48 to 0.73, n 40".
func (f *Figure) String() string {
	between := ""
	if f.Low != nil && f.High != nil {
		between = fmt.Sprintf(", 95 %% %s to %s", number(*f.Low), number(*f.High))
	}
	return fmt.Sprintf("%s %s%s, n %d", f.Name, number(f.Value), between, f.N)
}

// places of the rubric that the checks of the meta-rubric are about.
var checked = map[string]struct{ path, hint string }{
	"criteria_coverage":     {"criteria", "write a criterion"},
	"criteria_independence": {"criteria", "give each criterion a name and a description of its own"},
	"weight_distribution":   {"criteria", "scale the weights to a sum of 1"},
	"threshold":             {"pass", "choose a threshold between the worst and the best score"},
	"level_ordering":        {"criteria", "write the levels from low to high"},
}

func (b *reviewer) meta() {
	if b.Meta == nil {
		return
	}
	b.out.Meta = &Grade{Score: b.Meta.Score, Passed: b.Meta.Passed, Checks: b.Meta.Criteria}
	if p := b.Meta.Passed; p != nil && !*p && b.Meta.Score != nil {
		b.find(Finding{Severity: diag.Error, Code: "meta-rubric", Hint: "the checks that failed are named here, too",
			Message: fmt.Sprintf("the rubric does not pass %s%s: its score is %s", Scheme, Name, result.ScoreText(*b.Meta.Score))}, "criteria")
	}
	for i := range b.Meta.Criteria {
		c := &b.Meta.Criteria[i]
		at := checked[c.ID]
		switch {
		case c.Status != rubric.Scored:
			why := c.Reason
			if c.Error != nil {
				why = c.Error.Message
			}
			b.skip(c.ID, nil, "%s", diag.Plain(fault.Clip(why, 500)))
			continue
		case c.Value == nil || *c.Value >= 1:
			continue
		}
		f := Finding{Severity: diag.Warning, Code: "meta-" + strings.ReplaceAll(c.ID, "_", "-"), Message: fault.Clip(c.Reason, 500), Hint: at.hint}
		if c.ID == "criteria_coverage" || c.ID == "threshold" {
			f.Severity = diag.Error
		}
		b.find(f, at.path)
	}
}
