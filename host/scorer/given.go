package scorer

import (
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Given holds verdicts that stand in for scorers. The nil *Given holds none. It
// is immutable and safe for concurrent use. A verdict without a reason takes about 220 bytes of
// memory.
type Given struct {
	file   string
	digest string
	lines  []givenLine        // in the order of the file
	at     map[subjectKey]int // places in lines
}

// A subjectKey is what a verdict is about. The empty case is every case.
type subjectKey struct{ caseID, criterion string }

// givenLine is a valid line of the file.
type givenLine struct {
	Line
	form   form
	number int // from 1
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
	out := map[string]bool{}
	for i := range g.lines {
		if id := g.lines[i].Case; id != "" {
			out[id] = true
		}
	}
	return out
}

// File returns the name of the file.
func (g *Given) File() string { return g.file }

// find returns the line for a case, or else that for every case.
func (g *Given) find(caseID, criterion string) *givenLine {
	if g == nil {
		return nil
	}
	at, ok := g.at[subjectKey{caseID, criterion}]
	if !ok {
		at, ok = g.at[subjectKey{"", criterion}]
	}
	if !ok {
		return nil
	}
	return &g.lines[at]
}

// Check returns the mismatches with the rubrics of a run: criteria that none of
// them has, and answers of the wrong form. An answer fits if one of the rubrics
// takes it.
func (g *Given) Check(rubrics []*rubric.Rubric) error {
	if g == nil {
		return nil
	}
	var problems diag.List
	of := map[string]*subjects{}
	for i := range g.lines {
		l := &g.lines[i]
		if of[l.Criterion] == nil {
			of[l.Criterion] = find(rubrics, l.Criterion)
		}
		if bad := of[l.Criterion].fits(l); bad != nil {
			problems.Add(diag.Diagnostic{Code: "verdict-misfit", Pos: diag.Pos{File: g.file, Line: l.number}, Message: bad.Error(), Hint: fault.OwnHint(bad)})
		}
	}
	return problems.Err()
}

// subjects are the criteria of one id in the rubrics of a run; nil stands for a
// rubric as a whole.
type subjects struct {
	rubrics  []*rubric.Rubric
	criteria []*rubric.Criterion
	missing  error // if there are none
}

func find(rubrics []*rubric.Rubric, id string) *subjects {
	s := &subjects{}
	var known []string
	for _, r := range rubrics {
		switch c := r.Find(id); {
		case id == rubric.Overall:
			s.rubrics, s.criteria = append(s.rubrics, r), append(s.criteria, nil)
		case c == nil:
			known = append(known, xslices.Map(r.Leaves(), func(c *rubric.Criterion) string { return c.ID })...)
		case c.Group():
			s.missing = fault.WithHint(fault.New(fault.Invalid, "criterion %q is a group", fault.Clip(id, 60)), "give verdicts on its members")
		default:
			s.rubrics, s.criteria = append(s.rubrics, r), append(s.criteria, c)
		}
	}
	if s.missing == nil {
		s.missing = fault.WithHint(fault.New(fault.Invalid, "unknown criterion %q", fault.Clip(id, 60)), "%s", diag.DidYouMean(id, known))
	}
	return s
}

// fits says why a line fits none of the subjects, or nothing.
func (s *subjects) fits(l *givenLine) error {
	bad := s.missing
	for i, r := range s.rubrics {
		if _, bad = l.verdict(r, s.criteria[i]); bad == nil {
			return nil
		}
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
	l := g.find(caseID, id)
	if l == nil {
		return rubric.Verdict{}, false
	}
	v, err := l.verdict(r, c)
	if err != nil {
		v = rubric.FailedBy(id, fault.New(fault.Invalid, "%s:%d: %w", g.file, l.number, err))
		v.How.By = "given"
		return v, true
	}
	v.Criterion = id
	return v, true
}

// verdict turns a line into a verdict on c, or on the whole rubric if c is
// nil.
func (l *givenLine) verdict(r *rubric.Rubric, c *rubric.Criterion) (rubric.Verdict, error) {
	v := rubric.Verdict{Status: rubric.Scored, Reason: l.Reason, How: rubric.How{By: "given"}}
	switch l.form {
	case overall:
		// Beyond its scale it counts for the raw score; package score clamps the
		// rest, with a warning.
		scale := score.OverallScale(r)
		v.Native, v.Value = rubric.NumberIs(*l.Overall), min(1, max(0, scale.Position(*l.Overall)))
		return v, nil
	case unscored:
		v.Status, v.Reason = rubric.Unscored, *l.Unscored
		if l.Reason != "" {
			v.Reason += "\n" + l.Reason
		}
		return v, nil
	case value:
		v.Value = *l.Value
		v.Native, _ = r.NativeOf(c, *l.Value) // a value between two answers is given all the same
		return v, nil
	case met:
		v.Native = rubric.MetIs(*l.Met)
	case level:
		v.Native = rubric.LevelIs(*l.Level)
	case number:
		v.Native = rubric.NumberIs(*l.Number)
	}
	var err error
	v.Value, err = r.Value(c, v.Native)
	return v, err
}
