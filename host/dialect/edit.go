package dialect

import (
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// AddRubrics writes criteria into cases of an eval file, by case id, as
// "generate rubrics" of AgentV does: as objects under the case's rubrics key,
// everything else of the document left in its place, comments too. A case that
// has rubrics already is an error, as is an id that the file does not have.
//
// losses lists what an eval file cannot say of a criterion.
func AddRubrics(doc *Document, added map[string][]rubric.Criterion) (out []byte, losses diag.List, err error) {
	style := map[string]*evalStyle{AgentEvals: agentEvalsStyle, AgentV: agentVStyle}[doc.Dialect]
	if style == nil || doc.src == nil {
		return nil, nil, fault.New(fault.Usage, "rubrics are added to the cases of an eval file, and this document is %s", doc.Dialect)
	}
	d := newDecoder(doc.File, doc.src.Bytes)
	tree, _ := d.read(doc.Format)
	if tree == nil {
		return nil, nil, d.err()
	}
	w := &evalWriter{encoder: &encoder{to: doc.Dialect, file: doc.File}, style: style, doc: doc}
	left := map[string][]rubric.Criterion{}
	for id, list := range added {
		left[id] = list
	}
	for _, key := range caseKeys {
		list := tree.Get(key)
		if !list.Is(document.List) {
			continue
		}
		for _, c := range list.Items {
			if err := w.addTo(c, left); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, id := range sortedKeys(left) {
		return nil, nil, fault.New(fault.NotFound, "the document has no case %q", id)
	}
	if w.stuck {
		return nil, w.losses, fault.New(fault.Invalid, "%w", w.refusal())
	}
	out, err = render(tree, doc.Format, false)
	if err != nil {
		return nil, w.losses, err
	}
	if _, err := Decode(doc.File, out, Options{Dialect: doc.Dialect, Format: doc.Format}); err != nil {
		return nil, w.losses, fault.New(fault.Invalid, "the document with its new rubrics: %w", err)
	}
	return out, w.losses, nil
}

// addTo writes the criteria meant for a case into it, and takes them from left.
func (w *evalWriter) addTo(c *node, left map[string][]rubric.Criterion) error {
	id := c.Get("id")
	if !id.Is(document.Text) {
		return nil
	}
	list, ok := left[id.Value]
	if !ok {
		return nil
	}
	delete(left, id.Value)
	r := &rubric.Rubric{Criteria: list, Policy: w.style.policy()}
	if !w.simple(list, r, "") {
		return fault.New(fault.Invalid, "only criteria that a judge answers can be written into a case")
	}
	items := w.objects(list, r)
	switch have := c.Get("rubrics"); {
	case have == nil:
		c.Put("rubrics", items)
	case have.Kind == document.List && len(have.Items) > 0:
		return fault.New(fault.Conflict, "the case %q has rubrics already", id.Value)
	default:
		*have = *items
	}
	return nil
}

// objects writes criteria as rubric objects with ids, never as plain text.
func (w *evalWriter) objects(list []rubric.Criterion, r *rubric.Rubric) *node {
	named := make([]rubric.Criterion, len(list))
	for i, c := range list {
		c.Made, c.TextKey = false, ""
		if c.Weight.Literal == "" {
			c.Weight.Literal = rubric.FormatNumber(c.Weight.Value)
		}
		c.RequiredSet = true
		named[i] = c
	}
	return w.items("criteria", named, r, "")
}
