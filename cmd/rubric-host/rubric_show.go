package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type showFlags struct {
	dialect string
	caseID  string
}

func showCommand(p *program) *cobra.Command {
	f := &showFlags{}
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Explain a rubric: criteria, weights, gates, arithmetic",
		Long: "Explain a document as rubric-host reads it: its dialect and why, its criteria, and the\n" +
			"arithmetic in words. --json prints the rubric as the program holds it.",
		Example: "rubric-host rubric show rubric.yaml\nrubric-host rubric show evals.yaml --case q-17",
		Args:    args("FILE"), ValidArgsFunction: p.complete.rubric,
		RunE: func(_ *cobra.Command, a []string) error { return runShow(p, f, a[0]) },
	}
	cmd.Flags().StringVar(&f.caseID, "case", "", "show the rubric of this case of an eval file")
	keyed(cmd, "case")
	bindDocument(p, cmd, &f.dialect)
	return cmd
}

// shown is a document for a script.
type shown struct {
	File    string           `json:"file"`
	Dialect string           `json:"dialect"`
	Format  string           `json:"format"`
	Reason  string           `json:"reason"` // why it was taken for the dialect
	Rubric  *rubric.Rubric   `json:"rubric"` // of the document, or of the case asked for; null if there is none of all
	Rubrics []*rubric.Rubric `json:"rubrics,omitzero"`
	Cases   []shownCase      `json:"cases,omitzero"`
	Case    jsontext.Value   `json:"case,omitzero"` // the fields of the case asked for
}

type shownCase struct {
	ID     string `json:"id"`
	Line   int    `json:"line"`
	Own    bool   `json:"own_rubric"`
	Digest string `json:"rubric"`
}

func runShow(p *program, f *showFlags, file string) error {
	doc, err := p.load(file, f.dialect)
	if err != nil {
		return err
	}
	out := shown{File: doc.Name(), Dialect: doc.Dialect, Format: doc.Format, Reason: doc.Reason, Rubric: doc.Rubric}
	if len(doc.Rubrics) > 1 {
		out.Rubrics = doc.Rubrics
	}
	if f.caseID != "" {
		i := slices.IndexFunc(doc.Cases, func(c dialect.EvalCase) bool { return c.ID == f.caseID })
		if i < 0 {
			return fault.WithHint(fault.New(fault.NotFound, "%s has no case %q", file, f.caseID), "%s", diag.DidYouMean(f.caseID, xslices.Map(doc.Cases, func(c dialect.EvalCase) string { return c.ID })))
		}
		out.Rubric, out.Case = doc.Cases[i].Rubric, doc.Cases[i].Fields
	} else {
		digests := map[*rubric.Rubric]string{}
		for _, c := range doc.Cases {
			if digests[c.Rubric] == "" {
				digests[c.Rubric] = c.Rubric.Digest()
			}
			out.Cases = append(out.Cases, shownCase{c.ID, c.Line, c.Rubric != doc.Rubric, digests[c.Rubric]})
		}
	}
	if p.json {
		return p.printJSON(out)
	}
	tellRubrics(p.console, doc, &out, f.caseID)
	return nil
}

func tellRubrics(con *console, doc *dialect.Document, s *shown, caseID string) {
	fmt.Fprintf(con.out, "%s: %s %s (%s)\n", diag.Plain(s.File), s.Dialect, strings.ToUpper(s.Format), diag.Plain(s.Reason))
	rubrics := doc.Rubrics
	if caseID != "" || len(rubrics) == 0 && s.Rubric != nil {
		rubrics = []*rubric.Rubric{s.Rubric}
	}
	for _, r := range rubrics {
		fmt.Fprintln(con.out)
		tellRubric(con, r)
	}
	tellCases(con, s.Cases)
	for _, d := range doc.Unscorable {
		fmt.Fprintf(con.out, "\ncannot be scored: %s: %s\n", diag.Plain(d.Pos.String()), diag.Plain(d.Message))
	}
}

func tellCases(con *console, cases []shownCase) {
	if len(cases) == 0 {
		return
	}
	const most = 30
	fmt.Fprintf(con.out, "\n%s\n", diag.Count(len(cases), "case"))
	t := con.table()
	for _, c := range cases[:min(most, len(cases))] {
		own := "the rubric above"
		if c.Own {
			own = "its own: --case " + diag.Shell(c.ID)
		}
		t.row("  "+c.ID, fmt.Sprintf("line %d", c.Line), own)
	}
	t.Flush() //nolint:errcheck // the terminal is gone
	if len(cases) > most {
		fmt.Fprintf(con.out, "  and %d more\n", len(cases)-most)
	}
}

// tellRubric shows a rubric: its identity, its criteria, its arithmetic.
func tellRubric(con *console, r *rubric.Rubric) {
	name := r.ID
	if r.Made {
		name += " (the document has no id)"
	}
	fmt.Fprintf(con.out, "%s\n", diag.Plain(strings.Join(strings.Fields(name+" "+r.Version+" "+r.Domain), " ")))
	if text := cmp.Or(r.Description, r.Name); text != "" {
		fmt.Fprintln(con.out, strings.Join(wrapWords(diag.Plain(strings.Join(strings.Fields(text), " ")), con.columns()), "\n"))
	}
	fmt.Fprintf(con.out, "%s\n\n", r.Digest())
	t := con.page("criterion", "weight", "gate", "answer", "scorer")
	t.addCriteria(r, "", r.Criteria)
	if len(r.Metrics) > 0 {
		t.row("metrics", "share", "", "", "")
		t.addCriteria(r, "  ", r.Metrics)
	}
	t.Flush() //nolint:errcheck // the terminal is gone
	fmt.Fprintln(con.out)
	for _, line := range arithmetic(r) {
		t.row(line[0], line[1])
	}
	t.Flush() //nolint:errcheck // the terminal is gone
}

// addCriteria adds criteria to a table, groups before their members.
func (t *table) addCriteria(r *rubric.Rubric, indent string, list []rubric.Criterion) {
	for i := range list {
		c := &list[i]
		t.row(fitted(indent+c.ID), rubric.FormatNumber(c.Weight.Value), gateWords(r, c), fitted(answerWords(r, c)), scorerWords(c))
		t.addCriteria(r, indent+"  ", c.Criteria)
	}
}

// gateWords say how a criterion can fail a case by itself.
func gateWords(r *rubric.Rubric, c *rubric.Criterion) string {
	var words []string
	if c.Required {
		switch {
		case r.Policy.Required == rubric.RequiredEvaluated:
			words = append(words, "evaluated")
		case r.Gated(c):
			words = append(words, "required")
		}
	}
	if c.Min != nil {
		words = append(words, "min "+rubric.FormatNumber(*c.Min))
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ", ")
}

// answerWords describe the form of an answer.
func answerWords(r *rubric.Rubric, c *rubric.Criterion) string {
	switch {
	case c.Group():
		return string(cmp.Or(c.Aggregate, r.Policy.Aggregate, rubric.Auto))
	case c.Answer.KindOrMet() == rubric.KindLevel:
		return strings.Join(xslices.Map(c.Answer.Levels, func(l rubric.Level) string { return l.ID + "=" + rubric.FormatNumber(l.Score) }), " ")
	case c.Answer.KindOrMet() == rubric.KindNumber:
		s := r.ScaleOf(c)
		words := rubric.FormatNumber(s.Min) + ".." + rubric.FormatNumber(s.Max)
		if s.Discrete {
			words += " whole"
		}
		return words
	case c.Penalty():
		return "met is bad"
	}
	return "met"
}

// scorerWords describe the scorer and its question.
func scorerWords(c *rubric.Criterion) string {
	if c.Group() {
		return "group of " + fmt.Sprint(len(c.Criteria))
	}
	b := &c.Scorer
	switch b.WayOrJudge() {
	case rubric.ByMetric:
		if b.Metric == nil {
			return "metric"
		}
		words := "metric " + b.Metric.Plugin
		if b.Metric.Export != "" {
			words += ":" + b.Metric.Export
		}
		return words
	case rubric.BySchema:
		if b.Schema != nil && b.Schema.Ref != "" {
			return "schema " + b.Schema.Ref
		}
		return "schema"
	}
	if b.Prompt != nil {
		return "judge, with a prompt of its own"
	}
	return "judge: " + strings.Join(strings.Fields(c.Text), " ")
}

// aggregateWords describe how the values of criteria are combined.
var aggregateWords = map[rubric.Aggregate]string{
	rubric.Auto:         "weighted mean; with penalties the sum of points over the positive weights, cut to 0..1",
	rubric.WeightedMean: "weighted mean",
	rubric.Signed:       "sum of points over the positive weights, cut to 0..1; without positive weights 1, less what was met over the sum of all weights",
	rubric.Min:          "lowest value", rubric.Max: "highest value", rubric.Product: "product", rubric.All: "1 if all are 1, else 0", rubric.Any: "1 if any is 1, else 0",
}

var rawWords = map[rubric.RawRule]string{
	rubric.RawPoints: "the weighted sum", rubric.RawRatio: "the weighted sum over the positive weights", rubric.RawOnScale: "the mean on the rubric's scale",
}

var requiredWords = map[rubric.RequiredRule]string{
	rubric.RequiredNonzero:   "a required criterion with the value 0 fails the case, whatever the score",
	rubric.RequiredMet:       "a required criterion that is not met, or has the value 0, fails the case, whatever the score",
	rubric.RequiredEvaluated: "a case whose required criterion was not evaluated has no score; others may be left out",
	rubric.RequiredIgnored:   "means nothing in this dialect",
}

var strategyWords = map[rubric.Strategy]string{
	rubric.PerCriterion: "one call for each criterion", rubric.Batch: "one call for all criteria, or for a batch of them", rubric.Holistic: "one number for the whole rubric",
}

// arithmetic describes how answers are combined.
func arithmetic(r *rubric.Rubric) (lines [][2]string) {
	add := func(key, words string) {
		if words != "" {
			lines = append(lines, [2]string{key, words})
		}
	}
	pol := &r.Policy
	aggregate := cmp.Or(pol.Aggregate, rubric.Auto)
	add("score", cmp.Or(aggregateWords[aggregate], string(aggregate)))
	raw := rawWords[pol.Raw]
	if s := r.Scale; s != nil && pol.Raw == rubric.RawOnScale {
		raw += " " + rubric.FormatNumber(s.Min) + ".." + rubric.FormatNumber(s.Max)
		if n := pol.Normalization; !pol.RawAsScore && n != "" && n != rubric.MinMax {
			raw += ", mapped to 0..1 by " + string(n)
		}
	}
	if pol.RawAsScore {
		raw += "; it is the score"
	}
	add("raw", raw)
	switch how := cmp.Or(pol.Blend, rubric.WeightedAverage); {
	case len(r.Metrics) == 0:
	case how == rubric.WeightedAverage:
		add("blend", "the metrics take their shares, the criteria the rest")
	default:
		add("blend", string(how)+" of the criteria's score and the metrics")
	}
	if l := r.LengthPenalty; l != nil {
		add("length", fmt.Sprintf("none lost up to %d words, %s from %d words on", l.Free, rubric.FormatNumber(l.AtCap), l.Cap))
	}
	if r.Requires() {
		add("required", requiredWords[pol.Required])
	}
	add("passes", passWords(r))
	if len(r.PassAt) > 0 {
		add("pass@k", "k = "+strings.Join(xslices.Map(r.PassAt, strconv.Itoa), ", "))
	}
	if slices.ContainsFunc(r.Leaves(), func(c *rubric.Criterion) bool { return c.Scorer.WayOrJudge() == rubric.ByJudge }) {
		add("judge", strategyWords[r.Strategy()])
	}
	if f := r.Fallback; f != nil {
		add("fallback", fmt.Sprintf("an answer that cannot be used counts as %s, for a penalty as %s", cmp.Or(f.Positive, "none"), cmp.Or(f.Negative, "none")))
	}
	return lines
}

func passWords(r *rubric.Rubric) string {
	words := xslices.Map(r.Pass.Bands, func(b rubric.PassBand) string { return b.Label + " from " + rubric.FormatNumber(b.Min) })
	switch {
	case !r.Decides():
		return "no case, and none fails: the rubric has neither pass nor a required criterion or min"
	case len(words) == 0:
		return "every case whose gates pass"
	}
	s := strings.Join(append(words, "else "+r.Pass.Lowest()), ", ")
	if len(words) > 1 {
		s += "; only " + r.Pass.Bands[0].Label + " passes"
	}
	return s
}
