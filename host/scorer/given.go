package scorer

import (
	"fmt"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Given holds verdicts that stand in for scorers. The nil *Given holds none. It
// is immutable and safe for concurrent use. A verdict without a reason takes
// about 90 bytes of memory, its case's id apart: a million of them, 100 MB.
type Given struct {
	file     string
	digest   string
	cases    map[string]int32     // numbers of cases; "" is every case
	criteria map[string]int32     // numbers of criteria
	index    map[subjectKey]int32 // place in answers
	answers  []answer             // in the order of the file
}

// subjectKey identifies the subject of a verdict by numbers.
type subjectKey struct{ caseID, criterion int32 }

// An answer is the verdict of a line.
type answer struct {
	subjectKey
	line   int32
	form   form
	number float64 // for number, value, overall; 1 for met
	text   string  // for level and unscored
	reason string
}

// Digest returns the digest of the file, empty for none.
func (g *Given) Digest() string {
	if g == nil {
		return ""
	}
	return g.digest
}

// Cases returns the ids of the cases that have verdicts of their own.
func (g *Given) Cases() map[string]bool {
	if g == nil {
		return nil
	}
	out := make(map[string]bool, len(g.cases))
	for id := range g.cases {
		if id != "" {
			out[id] = true
		}
	}
	return out
}

// File returns the name of the file.
func (g *Given) File() string { return g.file }

// find returns the answer for a case, or else that for every case.
func (g *Given) find(caseID, criterion string) *answer {
	if g == nil {
		return nil
	}
	n, ok := g.criteria[criterion]
	if !ok {
		return nil
	}
	if id, ok := g.cases[caseID]; ok {
		if at, ok := g.index[subjectKey{id, n}]; ok {
			return &g.answers[at]
		}
	}
	if at, ok := g.index[subjectKey{0, n}]; ok {
		return &g.answers[at]
	}
	return nil
}

// Check returns the mismatches with the rubrics of a run: criteria that none of
// them has, and answers of the wrong form. An answer fits if one of the rubrics
// takes it.
func (g *Given) Check(rubrics []*rubric.Rubric) error {
	if g == nil {
		return nil
	}
	names := make([]string, len(g.criteria))
	for name, n := range g.criteria {
		names[n] = name
	}
	r := reading{given: g}
	of := make([]*subjects, len(names))
	for i := range g.answers {
		a := &g.answers[i]
		if of[a.criterion] == nil {
			of[a.criterion] = find(rubrics, names[a.criterion])
		}
		if bad := of[a.criterion].fits(a); bad != nil {
			r.complain(a.line, "verdict-misfit", bad)
		}
	}
	return r.problems.Err()
}

// subjects are the criteria of one id in the rubrics of a run; nil stands for a
// rubric as a whole.
type subjects struct {
	rubrics  []*rubric.Rubric
	criteria []*rubric.Criterion
	missing  *misfit // if there are none
}

func find(rubrics []*rubric.Rubric, id string) *subjects {
	s := &subjects{missing: &misfit{text: fmt.Sprintf("unknown criterion %q", fault.Clip(id, 60))}}
	var known []string
	for _, r := range rubrics {
		switch c := r.Find(id); {
		case id == rubric.Overall:
			s.rubrics, s.criteria = append(s.rubrics, r), append(s.criteria, nil)
		case c == nil:
			known = append(known, xslices.Map(r.Leaves(), func(c *rubric.Criterion) string { return c.ID })...)
		case c.Group():
			s.missing = &misfit{text: fmt.Sprintf("criterion %q is a group", fault.Clip(id, 60)), hint: "give verdicts on its members"}
		default:
			s.rubrics, s.criteria = append(s.rubrics, r), append(s.criteria, c)
		}
	}
	if s.missing.hint == "" {
		s.missing.hint = diag.DidYouMean(id, known)
	}
	return s
}

// fits says why an answer fits none of the subjects, or nothing.
func (s *subjects) fits(a *answer) *misfit {
	bad := s.missing
	for i, r := range s.rubrics {
		_, err := a.verdict(r, s.criteria[i])
		if err == nil {
			return nil
		}
		bad = &misfit{text: err.Error()}
	}
	return bad
}

// Verdict returns the verdict given on c for a case, if there is one.
func (g *Given) Verdict(r *rubric.Rubric, c *rubric.Criterion, caseID string) (rubric.Verdict, bool) {
	return g.verdict(r, c, c.ID, caseID)
}

// Overall returns the verdict given on the whole rubric for a case, if there is
// one.
func (g *Given) Overall(r *rubric.Rubric, caseID string) (rubric.Verdict, bool) {
	return g.verdict(r, nil, rubric.Overall, caseID)
}

func (g *Given) verdict(r *rubric.Rubric, c *rubric.Criterion, id, caseID string) (rubric.Verdict, bool) {
	a := g.find(caseID, id)
	if a == nil {
		return rubric.Verdict{}, false
	}
	v, err := a.verdict(r, c)
	if err != nil {
		v = rubric.FailedBy(id, fault.New(fault.Invalid, "%s:%d: %w", g.file, a.line, err))
		v.How.By = "given"
		return v, true
	}
	v.Criterion = id
	return v, true
}

// verdict turns an answer into a verdict on c, or on the whole rubric if c is
// nil.
func (a *answer) verdict(r *rubric.Rubric, c *rubric.Criterion) (rubric.Verdict, error) {
	v := rubric.Verdict{Status: rubric.Scored, Reason: a.reason, How: rubric.How{By: "given"}}
	switch a.form {
	case overall:
		// Beyond its scale it counts for the raw score; package score clamps the
		// rest, with a warning.
		scale := score.OverallScale(r)
		v.Native, v.Value = rubric.NumberIs(a.number), min(1, max(0, scale.Position(a.number)))
		return v, nil
	case unscored:
		v.Status, v.Reason = rubric.Unscored, a.text
		if a.reason != "" {
			v.Reason += "\n" + a.reason
		}
		return v, nil
	case value:
		v.Value = a.number
		v.Native, _ = r.NativeOf(c, a.number) // a value between two answers is given all the same
		return v, nil
	case met:
		v.Native = rubric.MetIs(a.number == 1)
	case level:
		v.Native = rubric.LevelIs(a.text)
	case number:
		v.Native = rubric.NumberIs(a.number)
	}
	var err error
	v.Value, err = r.Value(c, v.Native)
	return v, err
}
