package judge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// The names of members in an answer.
const (
	keyNonce    = "nonce"
	keyReason   = "reason"
	keyVerdict  = "verdict"
	keyVerdicts = "verdicts"
	keyOverall  = "overall"
)

// maxReason is how much of a judge's reason is kept, in bytes.
const maxReason = 8 << 10

// An answer is the parsed text of a judge's answer: one reading per question.
type answer struct {
	readings []*reading // one per question; nil: none
	wrong    []string   // one per question: the problem of its answer; empty: none
	overall  *float64   // the judge's own number for the whole, beside the criteria
	warnings []string
	problem  string // of an answer as a whole that cannot be used
}

func (t *task) newAnswer() *answer {
	return &answer{readings: make([]*reading, len(t.questions)), wrong: make([]string, len(t.questions))}
}

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
	var list []string
	for i := range a.readings {
		if a.usable(i) == nil {
			list = append(list, cmp.Or(a.wrong[i], t.questions[i].label()+" is not answered"))
		}
	}
	return fault.First(8, list, "; ") // eight of a hundred wrong answers are enough
}

// A candidate is an object in a judge's text that has the form of an answer.
type candidate struct {
	answer *answer
	nonce  *string // as the object gives it; nil: it gives none
	nested bool    // inside an object that is not an answer
	found
}

// parse reads a judge's text. Exactly one answer counts, and it must be the
// judge's own, not one that it quotes from the graded output:
//
//   - an object with the nonce of the call is the judge's: no case contains it;
//   - an object without the nonce counts only if it is all that the text says,
//     and does not occur in the case;
//   - objects that count must agree. If two differ, there is no answer.
//
// Text without any JSON is read for words where there is one question.
func (t *task) parse(text string, to *message) *answer {
	if len(text) > maxText {
		return t.unusable("the answer is longer than any answer needs to be")
	}
	text = withoutThoughts(strings.TrimPrefix(text, "\uFEFF"))
	list := t.candidates(text)
	if len(list) == 0 {
		return t.parsePlain(text, to)
	}
	var own []candidate
	mistaken := false
	for _, c := range list {
		switch {
		case c.nonce == nil:
		case *c.nonce == to.nonce:
			own = append(own, c)
		default:
			mistaken = true
		}
	}
	if len(own) == 0 {
		if mistaken {
			return t.unusable(fmt.Sprintf("its %q is not that of this message, %q", keyNonce, to.nonce))
		}
		if own = alone(text, list); own == nil {
			return t.unusable(t.wantsAlone(to))
		}
		for _, c := range own {
			if to.quotes(text[c.start:c.end]) {
				return t.unusable("it is quoted from the graded output; " + t.wantsAlone(to))
			}
		}
	}
	first := own[0].answer
	for _, c := range own[1:] {
		if !first.same(c.answer) {
			return t.unusable("it holds two answers that differ")
		}
	}
	return first
}

// candidates returns the objects of text that have the form of an answer. One
// inside another is looked at only if the outer one is none.
func (t *task) candidates(text string) (list []candidate) {
	inside := 0 // the end of the last object that is not an answer
	objects(text, func(f found) bool {
		a, nonce := t.readObject(f.members)
		if a == nil {
			inside = max(inside, f.end)
			return false
		}
		t.validate(a, text[f.start:f.end])
		list = append(list, candidate{answer: a, nonce: nonce, nested: f.start < inside, found: f})
		return true
	})
	return list
}

// validate holds an object against the rubric's own schema of the answer. A
// verdict that can be read counts all the same, as it does in dataknobs.
func (t *task) validate(a *answer, object string) {
	if t.output == nil {
		return
	}
	if err := t.output.Validate(jsontext.Value(object)); err != nil {
		a.warnings = append(a.warnings, "the judge's answer does not satisfy the output schema: "+diag.Line(err.Error(), 400))
	}
}

// wantsAlone tells a judge which answers count.
func (t *task) wantsAlone(to *message) string {
	if t.output != nil {
		return "the answer must be one JSON object and nothing else"
	}
	return fmt.Sprintf("the answer must be one JSON object and nothing else, with %q: %q", keyNonce, to.nonce)
}

// alone returns the candidates if text holds nothing else, nil otherwise. A
// code fence around them is nothing.
func alone(text string, list []candidate) []candidate {
	at := 0
	for _, c := range list {
		if c.nested || !blank(text[at:c.start]) {
			return nil
		}
		at = c.end
	}
	if !blank(text[at:]) {
		return nil
	}
	return list
}

// blank reports whether text is space and the marks of a code fence.
func blank(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return !strings.HasPrefix(word, "```") && !strings.EqualFold(word, "json")
	})
}

// parsePlain reads text without an answer in JSON.
func (t *task) parsePlain(text string, to *message) *answer {
	if !t.keyed {
		if r, err := t.questions[0].readPlain(text, to); err == nil {
			r.reason = fault.Clip(strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD"), maxReason)
			a := t.newAnswer()
			a.readings[0] = &r
			return a
		}
	}
	if strings.Contains(text, "{") {
		return t.unusable("the answer holds no JSON object of the requested form")
	}
	return t.unusable(errUndecided.Error())
}

func (a *answer) same(o *answer) bool {
	if (a.overall == nil) != (o.overall == nil) || a.overall != nil && *a.overall != *o.overall || !slices.Equal(a.wrong, o.wrong) {
		return false
	}
	return slices.EqualFunc(a.readings, o.readings, func(x, y *reading) bool {
		return x == y || x != nil && y != nil && x.same(y)
	})
}

// readObject reads an object and its nonce. The answer is nil if it does not
// look like one.
func (t *task) readObject(list []member) (a *answer, nonce *string) {
	for _, m := range list {
		if text, isText := unquote(m.value); m.name == keyNonce && isText {
			nonce = &text
		}
	}
	if t.own {
		list = t.documented(list)
	}
	if !t.keyed {
		return t.readSingle(t.only(list)), nonce
	}
	a = t.newAnswer()
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
		return nil, nonce
	}
	return a, nonce
}

// only returns the members of the one answer in {"verdicts": {"id": {…}}}, which
// some judges write for one question too; any other list as it is.
func (t *task) only(list []member) []member {
	for _, m := range list {
		if m.name != keyVerdicts {
			continue
		}
		if inner, err := members(m.value); err == nil && len(inner) == 1 && t.find(inner[0].name) == 0 {
			if one, err := members(inner[0].value); err == nil {
				return one
			}
		}
	}
	return list
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
		a.readings[0] = r
	}
	return a
}

// readKeyed reads the verdicts of several questions by their names.
func (t *task) readKeyed(a *answer, list []member) {
	for _, m := range list {
		i := t.find(m.name)
		if i < 0 {
			a.warnings = append(a.warnings, fmt.Sprintf("the judge answered %q, which is not one of the criteria it was asked about", brief(m.name)))
			continue
		}
		q := &t.questions[i]
		inner, err := members(m.value)
		if err != nil {
			a.wrong[i] = fmt.Sprintf("%s expects an object with %q and %q, not %s", q.label(), keyReason, keyVerdict, brief(string(m.value)))
			continue
		}
		r, err := q.readVerdict(inner)
		if err == nil {
			a.readings[i], err = q.either(a.readings[i], r)
		}
		if err != nil {
			a.wrong[i] = err.Error()
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
func (q *question) readVerdict(list []member) (*reading, error) {
	var out *reading
	for _, m := range list {
		if m.name != keyVerdict {
			continue
		}
		r, err := q.read(m.value)
		if err == nil {
			out, err = q.either(out, &r)
		}
		if err != nil {
			return nil, err
		}
	}
	if out == nil {
		return nil, fmt.Errorf("%s has %w", q.label(), errNoVerdict)
	}
	out.reason = reasonOf(list, out)
	return out, nil
}

// either returns the reading of a question that was answered before, if old is not nil.
func (q *question) either(old, r *reading) (*reading, error) {
	switch {
	case old == nil:
		return r, nil
	case !old.same(r):
		return old, fmt.Errorf("%s is answered twice, and not the same", q.label())
	}
	old.warnings = append(old.warnings, "the judge answered twice, and the same")
	return old, nil
}

// reasonOf returns the text of the last reason. A reason that is not text does not
// invalidate the verdict.
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
	return fault.Clip(strings.ToValidUTF8(strings.TrimSpace(reason), "\uFFFD"), maxReason)
}

func (r *reading) same(o *reading) bool { return r.native == o.native && r.abstained == o.abstained }

// readOverall keeps the judge's own number for the whole rubric, where the task is
// the whole rubric. It is a cross-check: an unusable one is left out, and the judge
// is not asked again.
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

// value returns the value of a reading, in [0, 1].
func (q *question) value(r *rubric.Rubric, n rubric.Native) (float64, error) {
	if q.criterion == nil {
		return q.scale.Position(n.Number), nil
	}
	return r.Value(q.criterion, n)
}
