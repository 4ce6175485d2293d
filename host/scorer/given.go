package scorer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

// A Line is one given verdict: what a person or another system says of one
// criterion, or of the whole rubric. Exactly one of Met, Level, Number, Value,
// Unscored and Overall is set.
type Line struct {
	Case      string   `json:"case,omitzero"` // empty: every case
	Criterion string   `json:"criterion,omitzero"`
	Met       *bool    `json:"met,omitzero"`
	Level     *string  `json:"level,omitzero"`
	Number    *float64 `json:"number,omitzero"` // on the criterion's own scale
	Value     *float64 `json:"value,omitzero"`  // in [0, 1]
	Unscored  *string  `json:"unscored,omitzero"`
	Overall   *float64 `json:"overall,omitzero"` // on the scale of the holistic strategy; without Criterion
	Reason    string   `json:"reason,omitzero"`
}

// Given holds verdicts that stand in for scorers. The nil *Given holds none. It
// is immutable and safe for concurrent use.
type Given struct {
	digest string
	lines  map[given]Line
	used   []given // in the order of the file
	places map[given]int
	file   string
}

type given struct{ caseID, criterion string }

// maxLine is the length of the longest line of a verdict file, in bytes.
const maxLine = 1 << 20

// ReadGiven reads verdicts, one JSON object a line; empty lines are skipped.
// The error is a diag.List with every line that is wrong.
func ReadGiven(file string, r io.Reader) (*Given, diag.List, error) {
	g := &Given{lines: map[given]Line{}, places: map[given]int{}, file: file}
	var problems diag.List
	var all bytes.Buffer
	in := bufio.NewScanner(io.TeeReader(r, &all))
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for in.Scan() {
		n++
		text := bytes.TrimSpace(in.Bytes())
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
		}
		if len(text) > 0 {
			g.add(n, text, &problems)
		}
	}
	if err := in.Err(); err != nil {
		g.problem(&problems, n+1, "line-unreadable", "", "%s", err)
	}
	if len(g.lines) == 0 && len(problems) == 0 {
		problems.Add(diag.Diagnostic{Code: "verdicts-empty", Pos: diag.Pos{File: file}, Message: "the file holds no verdict"})
	}
	g.digest = rubric.DigestBytes(all.Bytes())
	return g, problems.Warnings(), problems.Err()
}

func (g *Given) problem(l *diag.List, line int, code, hint, format string, args ...any) {
	l.Add(diag.Diagnostic{Code: code, Pos: diag.Pos{File: g.file, Line: line}, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (g *Given) add(n int, text []byte, problems *diag.List) {
	var l Line
	if err := json.Unmarshal(text, &l, json.RejectUnknownMembers(true)); err != nil {
		hint := `write {"criterion": ID, "met": true}, or level, number, value, unscored, overall`
		var s *json.SemanticError
		if errors.As(err, &s) && s.JSONPointer != "" {
			key := s.JSONPointer.LastToken()
			if known := lineKeys(); !slices.Contains(known, key) {
				hint = diag.DidYouMean(key, known)
			}
		}
		g.problem(problems, n, "line-invalid", hint, "%s", err)
		return
	}
	if why := l.check(); why != "" {
		g.problem(problems, n, "line-invalid", "", "%s", why)
		return
	}
	key := given{l.Case, l.Criterion}
	if first, ok := g.lines[key]; ok {
		if !sameAnswer(first, l) {
			g.problem(problems, n, "verdict-twice", "remove one of the two", "line %d gives %s another verdict", g.places[key], key)
			return
		}
		problems.Add(diag.Diagnostic{Severity: diag.Warning, Code: "verdict-twice", Pos: diag.Pos{File: g.file, Line: n},
			Message: fmt.Sprintf("line %d says the same of %s", g.places[key], key)})
		return
	}
	g.lines[key], g.places[key] = l, n
	g.used = append(g.used, key)
}

func (k given) String() string {
	what := fmt.Sprintf("criterion %q", k.criterion)
	if k.criterion == rubric.Overall {
		what = "the rubric"
	}
	if k.caseID != "" {
		what += fmt.Sprintf(" of case %q", k.caseID)
	}
	return what
}

func lineKeys() []string {
	return []string{"case", "criterion", "met", "level", "number", "value", "unscored", "overall", "reason"}
}

// check says what is wrong with a line, or nothing.
func (l *Line) check() string {
	n := 0
	for _, set := range []bool{l.Met != nil, l.Level != nil, l.Number != nil, l.Value != nil, l.Unscored != nil, l.Overall != nil} {
		if set {
			n++
		}
	}
	switch {
	case n != 1:
		return fmt.Sprintf("the line has %d of met, level, number, value, unscored and overall; it needs exactly one", n)
	case l.Overall != nil && l.Criterion != "":
		return "overall is about the whole rubric: remove criterion"
	case l.Overall == nil && l.Criterion == "":
		return "the line names no criterion"
	case l.Value != nil && !(*l.Value >= 0 && *l.Value <= 1):
		return fmt.Sprintf("value %s is not in 0..1", rubric.FormatNumber(*l.Value))
	case l.Unscored != nil && *l.Unscored == "":
		return "unscored says no reason"
	}
	return ""
}

func sameAnswer(a, b Line) bool {
	a.Reason, b.Reason = "", ""
	x, errX := json.Marshal(&a)
	y, errY := json.Marshal(&b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Digest returns the digest of the file, empty for none.
func (g *Given) Digest() string {
	if g == nil {
		return ""
	}
	return g.digest
}

// find returns the line for a case, or else that for every case.
func (g *Given) find(caseID, criterion string) (Line, bool) {
	if g == nil {
		return Line{}, false
	}
	if l, ok := g.lines[given{caseID, criterion}]; ok {
		return l, true
	}
	l, ok := g.lines[given{"", criterion}]
	return l, ok
}

// Check returns what does not fit the rubrics of a run: criteria that none of
// them has, and answers of the wrong form.
func (g *Given) Check(rubrics []*rubric.Rubric) error {
	if g == nil {
		return nil
	}
	var problems diag.List
	for _, key := range g.used {
		if err := g.fits(key, rubrics); err != nil {
			g.problem(&problems, g.places[key], "verdict-misfit", err.hint, "%s", err.text)
		}
	}
	return problems.Err()
}

type misfit struct{ text, hint string }

func (g *Given) fits(key given, rubrics []*rubric.Rubric) *misfit {
	l := g.lines[key]
	var known []string
	var wrong error
	for _, r := range rubrics {
		if key.criterion == rubric.Overall {
			if _, wrong = l.verdict(r, nil); wrong == nil {
				return nil
			}
			continue
		}
		c := r.Find(key.criterion)
		switch {
		case c == nil:
			for _, leaf := range r.Leaves() {
				known = append(known, leaf.ID)
			}
		case c.Group():
			wrong = fmt.Errorf("criterion %q is a group; give verdicts on its members", c.ID)
		default:
			if _, wrong = l.verdict(r, c); wrong == nil {
				return nil
			}
		}
	}
	if wrong != nil {
		return &misfit{text: wrong.Error()}
	}
	return &misfit{fmt.Sprintf("there is no criterion %q", key.criterion), diag.DidYouMean(key.criterion, known)}
}

// Verdict returns the verdict given on c for a case, if there is one.
func (g *Given) Verdict(r *rubric.Rubric, c *rubric.Criterion, caseID string) (rubric.Verdict, bool) {
	l, ok := g.find(caseID, c.ID)
	if !ok {
		return rubric.Verdict{}, false
	}
	v, err := l.verdict(r, c)
	if err != nil {
		return rubric.FailedBy(c.ID, err), true
	}
	return v, true
}

// Overall returns the verdict given on the whole rubric for a case, if there is
// one.
func (g *Given) Overall(r *rubric.Rubric, caseID string) (rubric.Verdict, bool) {
	l, ok := g.find(caseID, rubric.Overall)
	if !ok {
		return rubric.Verdict{}, false
	}
	v, err := l.verdict(r, nil)
	if err != nil {
		return rubric.FailedBy(rubric.Overall, err), true
	}
	return v, true
}

// verdict turns the line into a verdict on c, or on the whole rubric if c is nil.
func (l *Line) verdict(r *rubric.Rubric, c *rubric.Criterion) (rubric.Verdict, error) {
	v := rubric.Verdict{Criterion: l.Criterion, Status: rubric.Scored, Reason: l.Reason, How: rubric.How{By: "given"}}
	if l.Overall != nil {
		s := score.OverallScale(r)
		if !rubric.Finite(*l.Overall) {
			return v, fmt.Errorf("overall is not finite")
		}
		v.Native, v.Value = rubric.NumberIs(*l.Overall), min(1, max(0, s.Position(*l.Overall)))
		return v, nil
	}
	switch {
	case l.Unscored != nil:
		v.Status, v.Reason = rubric.Unscored, *l.Unscored
		return v, nil
	case l.Value != nil:
		v.Value, v.Native = *l.Value, nativeOf(r, c, *l.Value)
		return v, nil
	case l.Met != nil:
		v.Native = rubric.MetIs(*l.Met)
	case l.Level != nil:
		v.Native = rubric.LevelIs(*l.Level)
	default:
		v.Native = rubric.NumberIs(*l.Number)
	}
	var err error
	v.Value, err = r.Value(c, v.Native)
	return v, err
}

// nativeOf says a value in the criterion's own form where it has one.
func nativeOf(r *rubric.Rubric, c *rubric.Criterion, value float64) rubric.Native {
	switch c.Answer.KindOrMet() {
	case rubric.Met:
		if value == 0 || value == 1 {
			return rubric.MetIs(value == 1)
		}
	case rubric.Level:
		for _, l := range c.Answer.Levels {
			if l.Score == value {
				return rubric.LevelIs(l.ID)
			}
		}
	case rubric.Number:
		s := r.ScaleOf(c)
		return rubric.NumberIs(s.Min + float64(value*(s.Max-s.Min)))
	}
	return rubric.Native{}
}
