package dialect

import (
	"reflect"
	"slices"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// cases writes the cases; those that are graded by the shared rubric add nothing.
func (w *evalWriter) cases(doc *Document, shared *rubric.Rubric) *node {
	items := []*node{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		fields := rawNode(c.Fields)
		n := newObject().Put("id", textOf(c.ID))
		outcome := ""
		if v := fields.Get("expected_outcome"); v.Is(document.Text) {
			outcome = v.Value
			n.Put("expected_outcome", v)
		}
		w.fields(n, fields, document.Index("cases", i))
		own := c.Rubric
		if shared != nil {
			own = nil
		}
		w.own(n, own, outcome, w.casePath(i))
		items = append(items, n)
	}
	return listOf(items)
}

// casePath is where the i-th case stands in the document.
func (w *evalWriter) casePath(i int) string {
	for _, key := range caseKeys {
		if w.doc.tree.Get(key).Is(document.List) {
			return document.Index(key, i)
		}
	}
	return document.Index(caseKeys[0], i)
}

// own writes the evaluators of a case.
func (w *evalWriter) own(n *node, r *rubric.Rubric, outcome, path string) {
	execution := newObject()
	w.restore(execution, document.Join(path, "execution"), runKeys)
	if r != nil {
		r = withoutConversation(r)
	}
	switch {
	case r == nil || len(r.Criteria) == 0:
	case w.simple(r.Criteria, r, outcome) && EvaluatorName(r) == r.ID:
		n.Put("rubrics", w.items("criteria", r.Criteria, r, ""))
	case len(r.Criteria) == 1 && r.Criteria[0].Made && r.Criteria[0].Scorer.Prompt == nil && w.free(&r.Criteria[0], r, outcome):
		// the format judges such a case by its expected outcome unasked
	default:
		execution.Put("evaluators", listOf(w.evaluators("criteria", r, outcome)))
	}
	if r != nil {
		w.threshold(execution, r.Pass)
	}
	if len(execution.Members) > 0 {
		n.Put("execution", execution)
	}
}

// withoutConversation leaves out what stands for turns: the case has them.
func withoutConversation(r *rubric.Rubric) *rubric.Rubric {
	same := *r
	same.Criteria = slices.DeleteFunc(slices.Clone(r.Criteria), func(c rubric.Criterion) bool {
		return c.Scorer.Metric != nil && c.Scorer.Metric.Plugin == conversationPlugin
	})
	return &same
}

// fields writes what a case says besides its rubrics.
func (w *evalWriter) fields(n, fields *node, path string) {
	known := append([]string{"expected_output", "description", "note", "conversation_id", "metadata", "turns", "mode"}, w.style.caseKeeps...)
	for i := range fields.Members {
		m := &fields.Members[i]
		switch {
		case m.Key == "id" || m.Key == "expected_outcome":
		case m.Key == "input":
			w.input(n, m.Value)
		case m.Key == "cluster" && reflect.DeepEqual(jsonOf(m.Value), jsonOf(orNull(fields.Get("conversation_id")))):
		case slices.Contains(known, m.Key):
			n.Put(m.Key, m.Value)
		default:
			w.lose(document.Join(path, m.Key), "%s has no place for the field %q of a case", w.to, m.Key)
		}
	}
}

func orNull(n *node) *node {
	if n == nil {
		return &node{}
	}
	return n
}

// input writes a case's input: AgentV's documents have messages, AgentEvals'
// text or messages.
func (w *evalWriter) input(n, v *node) {
	switch {
	case w.style.strict:
		n.Put("input", v)
	case v.Kind == document.List:
		n.Put("input_messages", v)
	default:
		n.Put("input_messages", listOf([]*node{newObject().Put("role", textOf("user")).Put("content", v)}))
	}
}
