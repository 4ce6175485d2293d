package judge

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// The names of members in an answer.
const (
	keyReason   = "reason"
	keyVerdict  = "verdict"
	keyVerdicts = "verdicts"
	keyOverall  = "overall"
)

// maxReason is how much of a judge's reason is kept, in bytes.
const maxReason = 8 << 10

// An answer is what a text says about the questions of a task.
type answer struct {
	readings []*reading // one per question; nil: none
	wrong    []string   // one per question: what is wrong with its answer; empty: nothing
	overall  *float64   // the judge's own number for the whole, beside the criteria
	warnings []string
	problem  string // of an answer as a whole that cannot be used
}

func (t *task) newAnswer() *answer {
	return &answer{readings: make([]*reading, len(t.questions)), wrong: make([]string, len(t.questions))}
}

// unusable returns an answer that answers nothing.
func (t *task) unusable(problem string) *answer {
	a := t.newAnswer()
	a.problem = problem
	return a
}

// usable returns the reading of question i, nil if there is none that can be
// used.
func (a *answer) usable(i int) *reading {
	if a.wrong[i] != "" {
		return nil
	}
	return a.readings[i]
}

// whole reports whether every question is answered.
func (a *answer) whole() bool {
	for i := range a.readings {
		if a.usable(i) == nil {
			return false
		}
	}
	return true
}

// problems says everything that is wrong with the answer, in words for the
// judge.
func (a *answer) problems(t *task) string {
	if a.problem != "" {
		return a.problem
	}
	const most = 8 // of a hundred wrong answers eight show what is meant
	var list []string
	for i := range a.readings {
		if a.usable(i) == nil {
			list = append(list, cmp.Or(a.wrong[i], t.questions[i].label()+" is not answered"))
		}
	}
	if n := len(list); n > most {
		list = append(list[:most], fmt.Sprintf("and %d more", n-most))
	}
	return strings.Join(list, "; ")
}

// parse reads a model's text. The last JSON object in it that answers every
// question counts. If none does, the last one that looks like an answer says
// what is wrong; text without any is read for words where there is one question.
func (t *task) parse(text string) *answer {
	if len(text) > maxText {
		return t.unusable("the answer is longer than any answer needs to be")
	}
	text = withoutThoughts(text)
	var best *answer
	objects(text, func(list []member) bool {
		a := t.readObject(list)
		if a == nil {
			return false
		}
		if a.whole() || best == nil || !best.whole() {
			best = a
		}
		return a.whole()
	})
	if best != nil {
		return best
	}
	if !t.keyed {
		if r, err := t.questions[0].readPlain(text); err == nil {
			r.reason = clipReason(strings.TrimSpace(text))
			a := t.newAnswer()
			a.readings[0] = &r
			return a
		}
	}
	if strings.Contains(text, "{") {
		return t.unusable("the answer holds no JSON object of the form asked for")
	}
	return t.unusable(errUndecided.Error())
}

// readObject reads an object, and returns nil if it does not look like an answer.
func (t *task) readObject(list []member) *answer {
	if !t.keyed {
		return t.readSingle(list)
	}
	a := t.newAnswer()
	found := false
	for _, m := range list {
		switch m.name {
		case keyVerdicts:
			if inner, err := members(m.value); err == nil {
				found = true
				t.readKeyed(a, inner)
			}
		case keyOverall:
			t.readOverall(a, m.value)
		}
	}
	if !found {
		return nil
	}
	return a
}

// readSingle reads {"reason": …, "verdict": …}.
func (t *task) readSingle(list []member) *answer {
	a := t.newAnswer()
	r, err := t.questions[0].readVerdict(list)
	switch {
	case errors.Is(err, errNoVerdict):
		return nil
	case err != nil:
		a.wrong[0] = err.Error()
	default:
		a.readings[0] = &r
	}
	return a
}

// readKeyed reads the verdicts of several questions by their names.
func (t *task) readKeyed(a *answer, list []member) {
	for _, m := range list {
		i := t.find(m.name)
		if i < 0 {
			a.warnings = append(a.warnings, fmt.Sprintf("the judge answered %q, which is no criterion it was asked about", brief(m.name)))
			continue
		}
		q := &t.questions[i]
		inner, err := members(m.value)
		if err != nil {
			a.wrong[i] = fmt.Sprintf("%s wants an object with %q and %q, not %s", q.label(), keyReason, keyVerdict, brief(string(m.value)))
			continue
		}
		r, err := q.readVerdict(inner)
		switch {
		case err != nil:
			a.wrong[i] = err.Error()
		case a.readings[i] == nil:
			a.readings[i] = &r
		case a.readings[i].same(&r):
			a.readings[i].warnings = append(a.readings[i].warnings, "the judge answered twice, and the same")
		default:
			a.wrong[i] = q.label() + " is answered twice, and not the same"
		}
	}
}

// find returns the question with a name, in any case; -1 if there is none.
func (t *task) find(name string) int {
	fold := -1
	for i := range t.questions {
		switch q := &t.questions[i]; {
		case q.key == name:
			return i
		case strings.EqualFold(q.key, strings.TrimSpace(name)):
			fold = i
		}
	}
	return fold
}

var errNoVerdict = errors.New("no verdict")

// readVerdict reads the members of one answer. A verdict that is given twice
// counts if both say the same.
func (q *question) readVerdict(list []member) (reading, error) {
	var out reading
	given := false
	for _, m := range list {
		if m.name != keyVerdict {
			continue
		}
		r, err := q.read(m.value)
		switch {
		case err != nil:
			return reading{}, err
		case !given:
			out, given = r, true
		case out.same(&r):
			out.warnings = append(out.warnings, "the judge answered twice, and the same")
		default:
			return reading{}, fmt.Errorf("%s is answered twice, and not the same", q.label())
		}
	}
	if !given {
		return reading{}, fmt.Errorf("%s has %w", q.label(), errNoVerdict)
	}
	out.reason = reasonOf(list, &out)
	return out, nil
}

// reasonOf returns the text of the last reason. One that is not text is no
// reason to throw the verdict away.
func reasonOf(list []member, r *reading) (reason string) {
	for _, m := range list {
		if m.name != keyReason {
			continue
		}
		text, ok := unquote(m.value)
		if !ok && m.value.Kind() != 'n' {
			r.warnings = append(r.warnings, "the judge's reason is not text and is left out")
		}
		reason = text
	}
	return clipReason(strings.TrimSpace(reason))
}

func clipReason(s string) string {
	if len(s) <= maxReason {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ToValidUTF8(s[:maxReason], "") + "…"
}

// same reports whether two readings are the same verdict.
func (r *reading) same(o *reading) bool { return r.native == o.native && r.abstained == o.abstained }

// readOverall keeps the judge's own number for the whole rubric, where the task
// is the whole rubric. It is a cross-check: one that is no use is left out, and
// is no reason to ask again.
func (t *task) readOverall(a *answer, v jsontext.Value) {
	if !t.complete {
		return
	}
	q := overallQuestion(t.rubric, false)
	r, err := q.read(v)
	if err != nil {
		a.warnings = append(a.warnings, "the judge's own overall number is left out: "+err.Error())
		return
	}
	a.overall = &r.native.Number
}

// value returns what a reading is worth, in [0, 1].
func (q *question) value(r *rubric.Rubric, n rubric.Native) (float64, error) {
	if q.criterion == nil {
		return q.scale.Position(n.Number), nil
	}
	return r.Value(q.criterion, n)
}
