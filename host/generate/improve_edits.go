package generate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
)

type edit struct {
	Criterion string      `json:"criterion"`
	Text      string      `json:"text"` // empty: as it was
	Levels    []editLevel `json:"levels"`
	Weight    *float64    `json:"weight"` // 0: as it was
	Why       string      `json:"why"`
}

type editLevel struct {
	ID          string `json:"id"`
	Description string `json:"description"`
}

const editSchema = `{"type":"object","properties":{"edits":{"type":"array","items":{"type":"object","properties":{"criterion":{"type":"string"},"text":{"type":"string"},"levels":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"description":{"type":"string"}},"required":["id","description"],"additionalProperties":false}},"weight":{"type":"number"},"why":{"type":"string"}},"required":["criterion","text","levels","weight","why"],"additionalProperties":false}}},"required":["edits"],"additionalProperties":false}`

func (m *improver) propose(ctx context.Context, found []disagreement) (edits []edit, err error) {
	parts := part("rubric", m.describe())
	for i, d := range found {
		about := "criterion: the rubric as a whole"
		if d.criterion != nil {
			about = "criterion: " + d.criterion.ID
		}
		head := fmt.Sprintf("%d. %s\nlabel of people: %s\nverdict of the judge: %s", i+1, about, m.said(d.criterion, d.label.Value), m.said(d.criterion, d.value))
		if d.label.Reason != "" {
			head += "\nwhy, say people: " + fault.Clip(d.label.Reason, 2000)
		}
		if d.reason != "" {
			head += "\nwhy, says the judge: " + fault.Clip(d.reason, 2000)
		}
		parts = append(parts, part("disagreement", head)...)
		parts = append(parts, part("input", fault.Clip(d.c.Input, 8<<10))...)
		parts = append(parts, part("output", fault.Clip(d.c.Output, 8<<10))...)
	}
	weights := "0, which leaves it"
	if onTheWhole(found) {
		weights = fmt.Sprintf("its new weight, at most %g, or 0, which leaves it", maxWeight)
	}
	form := `Answer with one JSON object of this form, and nothing else:
{"edits": [{"criterion": "id", "text": "the new text", "levels": [], "weight": 0, "why": "one sentence"}]}
- criterion: an id of the rubric, each at most once
- text: one line of at most ` + fmt.Sprint(maxText) + ` bytes, or "" to leave it
- levels: new descriptions of levels that it has, {"id": "...", "description": "..."}, or []
- weight: ` + weights + `
- edits: [] if the rubric explains every verdict`
	q := judge.Query{
		System: improving, Task: "<rubric> is the rubric. Each <disagreement> goes with the <input> and the <output> after it.", Parts: parts, Form: form,
		Schema: jsontext.Value(editSchema), SchemaName: "edits", Key: "edits",
		ID: llm.CallID{Case: "improve", CaseDigest: digestOf(parts)},
		Accept: func(object jsontext.Value) (problem string) {
			edits, problem = m.read(object, onTheWhole(found))
			return problem
		},
	}
	if _, err = m.ev.Ask(ctx, q); err != nil {
		return nil, err
	}
	return edits, nil
}

func onTheWhole(found []disagreement) bool {
	return slices.ContainsFunc(found, func(d disagreement) bool { return d.criterion == nil })
}

func (m *improver) describe() string {
	var b strings.Builder
	for _, c := range m.doc.Rubric.Leaves() {
		if c.Scorer.WayOrJudge() != rubric.ByJudge {
			continue
		}
		fmt.Fprintf(&b, "- id: %s\n  weight: %s\n  text: %s\n", c.ID, rubric.FormatNumber(c.Weight.Value), strings.Join(strings.Fields(c.Text), " "))
		for _, l := range c.Answer.Levels {
			fmt.Fprintf(&b, "  level %s (%s): %s\n", l.ID, rubric.FormatNumber(l.Score), l.Description)
		}
	}
	return b.String()
}

func (m *improver) read(object jsontext.Value, weights bool) ([]edit, string) {
	var answer struct {
		Edits []edit `json:"edits"`
	}
	if err := json.Unmarshal(object, &answer, json.RejectUnknownMembers(true)); err != nil {
		return nil, "it is not of the form: " + jsonProblem(err)
	}
	p, seen := &problems{}, map[string]bool{}
	for i := range answer.Edits {
		e := &answer.Edits[i]
		c := m.doc.Rubric.Find(e.Criterion)
		if c == nil || c.Group() || c.Scorer.WayOrJudge() != rubric.ByJudge || c.Scorer.Prompt != nil {
			p.add("the rubric has no criterion %q with a text that a judge answers", e.Criterion)
			continue
		}
		if seen[e.Criterion] {
			p.add("criterion %q is edited twice", e.Criterion)
		}
		seen[e.Criterion] = true
		if strings.TrimSpace(e.Text) != "" {
			e.Text = p.line("the text of "+e.Criterion, e.Text, maxText)
		} else {
			e.Text = ""
		}
		for k := range e.Levels {
			l := &e.Levels[k]
			if !slices.Contains(c.Answer.LevelIDs(), l.ID) {
				p.add("criterion %q has no level %q", e.Criterion, l.ID)
			}
			l.Description = p.line("level "+l.ID, l.Description, maxLevel)
		}
		switch w := e.Weight; {
		case w == nil || *w == 0:
		case !weights:
			p.add("no label is on the whole: leave the weight of %q, with 0", e.Criterion)
		case !(math.Abs(*w) <= maxWeight) || (*w < 0) != c.Penalty():
			p.add("the weight of %q is %s: at most %g, and with the sign that it has", e.Criterion, rubric.FormatNumber(*w), maxWeight)
		}
		e.Why = fault.Clip(strings.Join(strings.Fields(diag.Plain(e.Why)), " "), 300)
	}
	if len(p.list) > 0 {
		return nil, p.String()
	}
	return answer.Edits, ""
}

// apply writes the edits into the document, and returns it read again; nil if
// nothing changes.
func (m *improver) apply(edits []edit) (*dialect.Document, error) {
	read, err := dialect.Read(m.doc.File, m.doc.Bytes(), m.doc.Format)
	if err != nil {
		return nil, err
	}
	var list []document.Edit
	set := func(e *edit, field, before, after, path string, value *document.Node) {
		if after == before {
			return
		}
		object, key := m.place(read.Root, path)
		if object == nil {
			m.out.Refused = append(m.out.Refused, fmt.Sprintf("%s of %s: the document writes no key for it; write the criterion as an object", field, e.Criterion))
			return
		}
		list = append(list, document.Edit{Object: object, Key: key, Value: value})
		m.out.Changes = append(m.out.Changes, Change{e.Criterion, field, before, after, e.Why})
	}
	paths := map[string]string{}
	m.doc.Rubric.Walk(func(path string, c *rubric.Criterion) { paths[c.ID] = path })
	for i := range edits {
		e := &edits[i]
		c, path := m.doc.Rubric.Find(e.Criterion), paths[e.Criterion]
		if e.Text != "" {
			set(e, "text", c.Text, e.Text, path+".text", &document.Node{Kind: document.Text, Value: e.Text})
		}
		if e.Weight != nil && *e.Weight != 0 {
			w := weight(*e.Weight)
			set(e, "weight", rubric.FormatNumber(c.Weight.Value), w.Literal, path+".weight", &document.Node{Kind: document.Number, Value: w.Literal})
		}
		for _, l := range e.Levels {
			k := slices.Index(c.Answer.LevelIDs(), l.ID)
			set(e, "level "+l.ID, c.Answer.Levels[k].Description, l.Description, document.Index(path+".levels", k)+".description", &document.Node{Kind: document.Text, Value: l.Description})
		}
	}
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // nothing changes
	}
	text, err := read.Edit(list)
	if err != nil { // written {like: this}: the whole is formatted, as fmt does
		if text, err = rewritten(read, list); err != nil {
			return nil, err
		}
	}
	edited, err := dialect.Decode(m.doc.File, text, dialect.Options{Dialect: m.doc.Dialect, Format: m.doc.Format, Schema: schema.Check})
	if err == nil {
		err = Improvable(edited)
	}
	if err != nil {
		return nil, fault.New(fault.JudgeAnswer, "the edits make a document that does not load: %w", err)
	}
	m.out.Text = text
	return edited, nil
}

// rewritten returns the document with the edits made in its tree.
func rewritten(read *document.Document, list []document.Edit) ([]byte, error) {
	for _, e := range list {
		i := slices.IndexFunc(e.Object.Members, func(m document.Member) bool { return m.Key == e.Key })
		if i < 0 {
			e.Object.Put(e.Key, e.Value)
			continue
		}
		m := &e.Object.Members[i]
		value := *e.Value
		value.Comments = m.Value.Comments
		m.Value = &value
	}
	return document.Write(read.Root, read.Format)
}

// place returns the object and the key that hold an element of the rubric; nil if
// the document does not write it.
func (m *improver) place(root *document.Node, path string) (*document.Node, string) {
	at := m.doc.Diagnostic(m.doc.Rubric, diag.Note, rubric.Problem{Path: path}).Path
	parent, key, found := cutLast(at)
	if !found {
		return nil, ""
	}
	object := root.Find(parent)
	if !object.Is(document.Object) {
		return nil, ""
	}
	if object.Get(key) == nil && key != "weight" && key != "description" {
		return nil, ""
	}
	return object, key
}

func cutLast(path string) (parent, key string, ok bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 || strings.HasSuffix(path, "]") {
		return "", "", false
	}
	return path[:i], path[i+1:], true
}
