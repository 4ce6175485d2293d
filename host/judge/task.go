package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A task is the question to the model about every case: everything that
// does not depend on the case is written down once.
type task struct {
	rubric    *rubric.Rubric
	questions []question
	keyed     bool           // several criteria: the answer names them
	complete  bool           // the task is every criterion of the rubric
	overall   bool           // the judge is asked for its own number too
	own       bool           // the rubric brings a prompt: its documented answers are read, too
	output    *schema.Schema // of the rubric's own form of answer; nil: ours
	question  *jinja

	system     string // system prompt
	criteria   string // text before the case in the message
	form       string // text after it
	schemaText jsontext.Value
	digest     string // of the templates
	key        []byte // of the nonce: a digest of system, criteria and form
}

func newTask(ctx context.Context, r *rubric.Rubric, criteria []*rubric.Criterion, o *Options) (*task, error) {
	t := &task{rubric: r, keyed: len(criteria) > 1}
	if len(criteria) == 0 {
		return nil, fault.New(fault.Invalid, "judge: rubric %q: a task without criteria", r.ID)
	}
	own := []string{r.Judge.System}
	for _, c := range criteria {
		if p := c.Scorer.Prompt; p != nil {
			if t.keyed {
				return nil, fault.New(fault.Invalid, "judge: criterion %q has a template of its own and cannot share a call with others", c.ID)
			}
			compiled, err := compile(ctx, o.Templates, p.Template)
			if err != nil {
				return nil, err
			}
			t.question, own = compiled, append(own, p.Template)
			if p.OutputSchema != nil {
				if t.output, err = schema.Compile(p.OutputSchema); err != nil {
					return nil, fmt.Errorf("output schema: %w", err)
				}
				t.schemaText = mustJSON(p.OutputSchema)
			}
		}
		t.questions = append(t.questions, newQuestion(r, c, o.Abstain))
	}
	t.name()
	t.own = brings(r, criteria)
	t.complete = t.keyed && covers(r, criteria)
	t.overall = t.complete && r.Policy.Raw == rubric.RawOnScale
	t.digest = setDigest("criteria", own...)
	t.write("system.tmpl")
	return t, nil
}

// newHolistic writes down the task of one number for the whole rubric.
func newHolistic(r *rubric.Rubric, o *Options) *task {
	t := &task{rubric: r, questions: []question{overallQuestion(r, o.Abstain)}, own: brings(r, nil)}
	t.digest = setDigest("holistic", r.Judge.System)
	t.write("holistic.tmpl")
	return t
}

// covers reports whether criteria are all that the rubric has, metrics aside.
func covers(r *rubric.Rubric, criteria []*rubric.Criterion) bool {
	given := xslices.Set(xslices.Map(criteria, func(c *rubric.Criterion) string { return c.ID }))
	return !slices.ContainsFunc(leaves(r), func(c *rubric.Criterion) bool { return !given[c.ID] })
}

// leaves returns the leaves that are criteria, and no metrics.
func leaves(r *rubric.Rubric) []*rubric.Criterion {
	return (&rubric.Rubric{Criteria: r.Criteria}).Leaves()
}

// name gives every question a key that a model can copy: its id, or a short
// one where the id is long or holds more than letters, digits and a few marks.
func (t *task) name() {
	taken := map[string]bool{}
	for i := range t.questions {
		if q := &t.questions[i]; copyable(q.id) {
			taken[strings.ToLower(q.id)] = true
		}
	}
	for i := range t.questions {
		q := &t.questions[i]
		if copyable(q.id) {
			continue
		}
		for n := i + 1; ; n += len(t.questions) {
			if q.key = fmt.Sprintf("c%d", n); !taken[q.key] {
				taken[q.key] = true
				break
			}
		}
	}
}

func copyable(id string) bool {
	const most = 64
	if id == "" || len(id) > most || !utf8.ValidString(id) {
		return false
	}
	return strings.IndexFunc(id, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("_-.#:/", r)
	}) < 0
}

// write renders everything that does not depend on the case.
func (t *task) write(system string) {
	holistic := t.questions[0].criterion == nil
	list := xslices.Map(xslices.Pointers(t.questions), (*question).shown)
	t.system = strings.TrimSpace(t.rubric.Judge.System)
	if t.system == "" {
		t.system = strings.TrimSpace(render(system, t.features(holistic)))
	}
	overall := ""
	if t.overall {
		q := overallQuestion(t.rubric, false)
		overall = strings.TrimSpace("<" + q.wants() + ">")
	}
	t.form = strings.TrimSpace(render("form.tmpl", map[string]any{"Many": t.keyed, "List": list, "Overall": overall, "Nonce": nonceMark, "Schema": string(t.schemaText)}))
	if holistic {
		list = t.wholeRubric()
	}
	t.criteria = strings.TrimLeft(render("criterion.tmpl", map[string]any{
		"Rubric": holistic, "Many": t.keyed, "List": list, "Overall": overall,
		"Description": strings.TrimSpace(t.rubric.Description), "Domain": t.rubric.Domain,
	}), "\n")
	if t.output == nil {
		t.schemaText = t.schema()
	}
	// The nonce depends on the question and not on the rest of the rubric: a
	// criterion that did not change asks the same question.
	key := cache.KeyOf([]byte(t.system), []byte(t.criteria), []byte(t.form))
	t.key = key[:]
}

func (t *task) wholeRubric() []shown {
	return xslices.Map(leaves(t.rubric), func(c *rubric.Criterion) shown {
		q := newQuestion(t.rubric, c, false)
		return q.shown()
	})
}

// features says which parts of the system prompt the task needs.
func (t *task) features(holistic bool) map[string]any {
	f := map[string]any{"Many": t.keyed, "Task": t.question != nil, "AllNegative": holistic && allNegative(t.rubric)}
	for i := range t.questions {
		q := &t.questions[i]
		switch q.kind {
		case rubric.KindLevel:
			f["Level"] = true
		case rubric.KindNumber:
			f["Number"] = true
		default:
			f["Met"] = true
		}
		if q.abstain {
			f["Abstain"] = true
		}
		if q.kind != rubric.KindMet && q.criterion != nil && q.criterion.Penalty() {
			f["Negative"] = true
		}
	}
	return f
}

// allNegative reports whether the rubric only has weights below zero.
func allNegative(r *rubric.Rubric) bool {
	return !slices.ContainsFunc(leaves(r), func(c *rubric.Criterion) bool { return c.Weight.Value > 0 })
}
