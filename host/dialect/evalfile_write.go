package dialect

import (
	"reflect"
	"slices"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type evalWriter struct {
	*encoder
	style *evalStyle
	doc   *Document
	kept  map[string]bool // paths of settings outside the model
	stuck bool            // something cannot be written at all
}

func (st *evalStyle) encode(e *encoder, doc *Document) *node {
	w := &evalWriter{encoder: e, style: st, doc: doc, kept: xslices.Set(doc.kept)}
	base := e.base(doc)
	if base == nil {
		return nil
	}
	for i := range doc.Cases {
		if own := doc.Cases[i].Rubric; own != nil && own != base {
			w.sameHeader(document.Index("cases", i)+".rubric", own, base)
		}
	}
	rest := *base
	out := newObject()
	if !rest.Made && rest.ID != inlineName {
		out.Put("name", textOf(rest.ID))
	}
	putText(out, "version", rest.Version)
	putText(out, "description", rest.Description)
	putFree(out, "metadata", rest.Metadata)
	w.restore(out, "", st.keeps)
	execution := newObject()
	w.restore(execution, "execution", runKeys)
	alone := slices.ContainsFunc(doc.Cases, func(c EvalCase) bool { return c.Rubric != doc.Rubric && !reflect.DeepEqual(c.Rubric, doc.Rubric) })
	if doc.Rubric == nil || alone {
		if doc.Rubric != nil {
			w.lose("criteria", "settings for all cases are written into each case, as their own rubrics require")
		}
		w.header(&rest)
		if len(execution.Members) > 0 {
			out.Put("execution", execution)
		}
		out.Put(caseKeys[0], w.cases(doc, nil))
	} else {
		execution.Put("evaluators", listOf(w.evaluators("criteria", &rest, "")))
		w.threshold(execution, rest.Pass)
		w.header(&rest)
		out.Put("execution", execution)
		if len(doc.Cases) > 0 {
			out.Put(caseKeys[0], w.cases(doc, doc.Rubric))
		}
	}
	if w.stuck {
		return nil
	}
	return out
}

// restore writes settings that the document has and the model has not, if the
// document is of this format.
func (w *evalWriter) restore(out *node, path string, keys []string) {
	if w.doc.Dialect != w.to {
		return
	}
	from := w.doc.tree.Find(path)
	for _, key := range keys {
		if v := from.Get(key); v != nil && v.Kind != document.Null && w.kept[document.Join(path, key)] {
			out.Put(key, v)
			w.written[document.Join(path, key)] = true
		}
	}
}

// header lists the settings of a rubric that the format cannot hold.
func (w *evalWriter) header(rest *rubric.Rubric) {
	whole := w.doc.everyCriterion(rest)
	if simple(rest.Criteria, rest, "") {
		rest.Ext = withoutEvaluator(rest.Ext) // evaluators writes it
	}
	rest.ID, rest.Version, rest.Description, rest.Metadata = "", "", "", nil
	rest.Pass, rest.Scale = rubric.Pass{}, nil
	w.leftRubric(rest, whole, w.style.policy())
}

// threshold writes the score from which a case passes, unless it is the
// format's own.
func (w *evalWriter) threshold(execution *node, pass rubric.Pass) {
	switch {
	case reflect.DeepEqual(pass.Bands, evalPass.Bands) && pass.Below == "":
	case len(pass.Bands) == 1 && pass.Bands[0].Label == "pass" && pass.Below == "":
		execution.Put("threshold", numberOf(pass.Bands[0].Min))
	case len(pass.Bands) == 0:
		w.change("pass", "%s passes a case from 0.8, and this rubric has no threshold", w.to)
	default:
		w.change("pass", "%s has no place for these thresholds: %s", w.to, showPass(pass))
	}
}

// cases writes the cases; those that are graded by the shared rubric add nothing.
func (w *evalWriter) cases(doc *Document, shared *rubric.Rubric) *node {
	var items []*node
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

func (w *evalWriter) own(n *node, r *rubric.Rubric, outcome, path string) {
	execution := newObject()
	w.restore(execution, document.Join(path, "execution"), runKeys)
	if r != nil {
		r = withoutConversation(r)
	}
	switch {
	case r == nil || len(r.Criteria) == 0:
	case simple(r.Criteria, r, outcome) && EvaluatorName(r) == r.ID:
		n.Put("rubrics", w.items("criteria", r.Criteria, r, ""))
	case len(r.Criteria) == 1 && r.Criteria[0].Made && r.Criteria[0].Scorer.Prompt == nil && freeForm(&r.Criteria[0], r, outcome):
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

// withoutConversation leaves out the fields of turns: the case has them.
func withoutConversation(r *rubric.Rubric) *rubric.Rubric {
	same := *r
	same.Criteria = slices.DeleteFunc(slices.Clone(r.Criteria), func(c rubric.Criterion) bool {
		return c.Scorer.Metric != nil && c.Scorer.Metric.Plugin == conversationPlugin
	})
	return &same
}

func (w *evalWriter) fields(n, fields *node, path string) {
	known := append([]string{"expected_output", "description", "note", "conversation_id", "metadata", "turns", "mode"}, w.style.caseKeeps...)
	for i := range fields.Members {
		m := &fields.Members[i]
		switch {
		case m.Key == "id" || m.Key == "expected_outcome":
		case m.Key == "input":
			w.input(n, m.Value)
		case m.Key == "cluster" && reflect.DeepEqual(document.Compact(m.Value), document.Compact(orNull(fields.Get("conversation_id")))):
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
