package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Compared is a comparison with further data for its report.
type Compared struct {
	*result.Comparison
	Gates []result.Outcome

	// Base and Candidate find the content of cases by digest. Nil, or a nil case:
	// it is not known.
	Base, Candidate func(digest string) (*dataset.Case, error)
}

// ComparisonFormats lists the formats of WriteComparison.
func ComparisonFormats() []Format {
	var out []Format
	for _, f := range formats {
		if f.compare != nil {
			out = append(out, f.name)
		}
	}
	return out
}

// WriteComparison writes comparisons of one base with candidates, or a fault of class Usage.
func WriteComparison(w io.Writer, f Format, list []Compared, o Options) error {
	for _, known := range formats {
		if known.name == f && known.compare != nil {
			out := &writer{w: w}
			return errors.Join(known.compare(out, list, o), out.err)
		}
	}
	return CheckComparison(f)
}

// CheckComparison returns a fault of class Usage for a format that WriteComparison does not have.
func CheckComparison(f Format) error {
	known := texts(ComparisonFormats())
	if slices.Contains(known, string(f)) {
		return nil
	}
	return fault.WithHint(fault.New(fault.Usage, "a comparison cannot be written as %q", f), "use one of %s", strings.Join(known, ", "))
}

func sideName(s result.Side) string { return plain(s.Name()) }

// changes lists the score first, then pass@k, criteria and metrics, then slices, which
// are named field=value, each with its criteria that changed significantly.
func changes(c *result.Comparison) []*result.Change {
	out := []*result.Change{&c.Total}
	for i := range c.PassAtK {
		x := &c.PassAtK[i]
		out = append(out, &x.PassAt)
		if x.K > 1 { // else they are the same
			out = append(out, &x.PassHat)
		}
	}
	out = slices.Concat(out, xslices.Pointers(c.Criteria), xslices.Pointers(c.Metrics))
	for i := range c.Slices {
		s := &c.Slices[i]
		x := s.Change
		x.ID = sliceLabel(s)
		out = append(out, &x)
		for _, x := range within(s) {
			if significant(x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// within lists the criteria and metrics of a slice, named field=value: ID.
func within(s *result.SliceChange) (out []*result.Change) {
	for _, x := range slices.Concat(s.Criteria, s.Metrics) {
		x.ID = sliceLabel(s) + ": " + x.ID
		out = append(out, &x)
	}
	return out
}

func sliceLabel(s *result.SliceChange) string {
	if s.Missing {
		return "no " + s.Field
	}
	return s.Field + "=" + s.Value
}

// significant reports whether a criterion of a slice changed by more than chance,
// given how many were tested.
func significant(x *result.Change) bool {
	return changeClass(x.Verdict) != "" && x.Q != nil && *x.Q <= 0.05
}

func delta(x *float64) string {
	if x == nil {
		return none
	}
	return result.DeltaText(*x)
}

func deltaInterval(i *result.Interval) string {
	if i == nil {
		return none
	}
	return fmt.Sprintf("[%s, %s]", delta(&i.Low), delta(&i.High))
}

// PValue writes a p-value; no smaller than 0.0001.
func PValue(p *float64) string {
	switch {
	case p == nil:
		return none
	case *p < 0.0001:
		return "<0.0001"
	case *p < 0.001:
		return fmt.Sprintf("%.4f", *p)
	}
	return fmt.Sprintf("%.3f", *p)
}

// share writes a pass rate so that it is not rounded onto another one.
func share(x, other *float64) string {
	if x == nil || other == nil {
		return none
	}
	if *x == *other {
		return result.PercentText(*x)
	}
	return result.PercentText(*x, *other)
}

func pairing(c *result.Comparison) string {
	s := fmt.Sprintf("%s paired", diag.Count(c.Paired, c.Counted()))
	if c.Clusters > 0 {
		s += fmt.Sprintf(", %s", diag.Count(c.Clusters, "cluster"))
	}
	if c.OnlyBase+c.OnlyCandidate > 0 {
		s += fmt.Sprintf(", %s only in the base, %s only in the candidate", diag.Count(c.OnlyBase, "case"), diag.Thousands(c.OnlyCandidate))
	}
	return s
}

// methods says how the figures were made.
func methods(c *result.Comparison) string {
	s := "Interval and p: paired t"
	if c.Clusters > 0 {
		s += " with cluster-robust errors"
	}
	s += "; q: p adjusted over the criteria (Benjamini-Hochberg)"
	if len(c.PassAtK) > 0 {
		s += "; pass@k and pass^k: over problems"
	}
	if len(c.Slices) > 0 {
		s += "; criteria of slices: those with q of at most 0.05"
	}
	if c.Total.Pass != nil {
		if c.Clusters > 0 {
			s += "; pass and fail: sign-flip test of clusters"
		} else {
			s += "; pass and fail: McNemar's exact test"
		}
	}
	return s + fmt.Sprintf(". The JSON form has the bootstrap (%s resamples, seed %d), sign and permutation tests.", diag.Thousands(c.Resamples), c.Seed)
}

func corpusTests(c *result.CorpusChange) string {
	switch {
	case c.Error != nil:
		return failure(c.Error)
	case c.Delta != nil && *c.Delta == 0:
		return "the same score"
	}
	return fmt.Sprintf("p %s (paired bootstrap), %s (randomization)", PValue(c.Bootstrap), PValue(c.Randomization))
}

// changeTables are the tables of changes: of every quantity, of those with a pass rule, and of whole sets.
func changeTables(list []*result.Change, corpus []result.CorpusChange) []*table {
	all := &table{right: []bool{false, true, true, true, false, true, true, false}, Heads: []string{"", "base", "now", "delta", "95% CI", "p", "q", ""}, classes: maps.Clone(boldTotal)}
	all.classes[7] = func(word string) string { return changeClass(result.ChangeVerdict(word)) }
	passes := &table{right: []bool{false, true, true, true, true, true, true, true}, Heads: []string{"pass rate", "base", "now", "lost", "gained", "p", "agree", "kappa"}, classes: boldTotal}
	for _, x := range list {
		id := cmp.Or(plain(x.ID), total)
		all.Lines = append(all.Lines, []string{id, against(x.Base, x.Candidate), against(x.Candidate, x.Base), delta(x.Delta), deltaInterval(x.Interval), PValue(x.P), PValue(x.Q), string(x.Verdict)})
		if pass := x.Pass; pass != nil {
			passes.Lines = append(passes.Lines, []string{id, share(pass.Base, pass.Candidate), share(pass.Candidate, pass.Base), diag.Thousands(pass.Regressions), diag.Thousands(pass.Improvements), PValue(pass.Permutation), share(pass.Agreement, pass.Agreement), score(pass.Kappa)})
		}
	}
	sets := &table{right: []bool{false, true, true, true, false, false}, Heads: []string{"whole set", "base", "now", "delta", "95% CI", ""}}
	for _, x := range corpus {
		sets.Lines = append(sets.Lines, []string{plain(x.Name), against(x.Base, x.Candidate), against(x.Candidate, x.Base), delta(x.Delta), deltaInterval(x.Interval), corpusTests(&x)})
	}
	return xslices.Filter([]*table{all, passes, sets}, func(t *table) bool { return len(t.Lines) > 0 })
}

// caseTable is the table of changed cases.
func caseTable(list []*result.CaseChange) *table {
	t := &table{Heads: []string{"case", "", "score", "criteria"}}
	for _, x := range list {
		t.Lines = append(t.Lines, []string{diag.Fit(plain(x.Case), 120), string(x.State), against(x.Base, x.Candidate) + " → " + against(x.Candidate, x.Base), caseCriteria(x)})
	}
	return t
}

// changeClass is good or bad for a change by more than chance.
func changeClass(v result.ChangeVerdict) string {
	return map[result.ChangeVerdict]string{result.GotBetter: "good", result.GotWorse: "bad"}[v]
}

// caseChanges lists the changed cases of the states given, at most n, and how
// many there are that are listed at all.
func caseChanges(c *result.Comparison, n int, states ...result.CaseState) (list []*result.CaseChange, all int) {
	for i := range c.Cases {
		if x := &c.Cases[i]; len(states) == 0 || slices.Contains(states, x.State) {
			if all++; all <= n {
				list = append(list, x)
			}
		}
	}
	return list, all
}

// caseCriteria writes the changes of a case, the largest first.
func caseCriteria(x *result.CaseChange) string {
	return strings.Join(xslices.Map(x.Criteria, func(c result.CriterionChange) string {
		return fmt.Sprintf("%s %s → %s", diag.Fit(plain(c.ID), 40), against(c.Base, c.Candidate), against(c.Candidate, c.Base))
	}), ", ")
}

// important are the states of cases that a short report lists.
var important = []result.CaseState{result.Regressed, result.LostScore, result.WorseCase}

type comparisonObject struct {
	Schema      int                  `json:"schema"`
	Comparisons []*result.Comparison `json:"comparisons"`
	Gates       [][]result.Outcome   `json:"gates"` // by comparison
}

func writeComparisonJSON(w io.Writer, list []Compared, _ Options) error {
	out := comparisonObject{Schema: result.SchemaVersion}
	for _, c := range list {
		out.Comparisons = append(out.Comparisons, c.Comparison)
		out.Gates = append(out.Gates, c.Gates)
	}
	b, err := json.Marshal(out, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = w.Write(append(diag.EscapeJSON(b), '\n'))
	return err
}
