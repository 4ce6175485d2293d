package dialect

import (
	"maps"
	"math"
	"strconv"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// rubricList is the format of the rubric library 1.3: a list of requirements
// with weights of either sign, bare, under a key, or in sections.
var rubricList = dialect{
	name:    RubricList,
	summary: "a list of {weight, requirement}; a negative weight is a penalty",
	decode:  readRubricList,
	encode:  writeRubricList,
	spelling: map[string]string{
		"text": "requirement", "id": "requirement", "criteria": "rubric sections",
	},
}

func rubricListPolicy() rubric.Policy {
	return rubric.Policy{Aggregate: rubric.Signed, Raw: rubric.RawPoints, Strategy: rubric.PerCriterion}
}

// The shapes that a document can have, as Source.Shape holds them.
const (
	shapeList     = ""                // the list alone, sections among it or not
	shapeRubric   = "rubric"          // {rubric: list}
	shapeSections = "sections"        // {sections: list}
	shapeBoth     = "rubric.sections" // {rubric: {sections: list}}
)

// sectionKey is the key in a criterion's Ext that holds its section: an object
// with the section's index and its other members.
const sectionKey = "section"

func readRubricList(d *decoder, n *node) contents {
	r := &rubric.Rubric{ID: "rubric", Made: true, Policy: rubricListPolicy()}
	l := &listReader{d: d, r: r, t: trace{node: n}}
	l.document(n)
	return contents{rubrics: []placedRubric{{r, l.t}}}
}

type listReader struct {
	d        *decoder
	r        *rubric.Rubric
	t        trace
	sections int
}

func (l *listReader) document(n *node) {
	if n.Kind == document.List {
		l.items(n.Items, "")
		return
	}
	s := l.d.object(n, "", "rubric")
	if s == nil {
		return
	}
	defer s.Close()
	if v, _ := s.Raw(may, "rubric"); v != nil {
		l.t.path = "rubric"
		l.t.node = v
		l.r.Source.Shape = shapeRubric
		if v.Kind != document.Object {
			list, _ := s.List(must, "rubric")
			l.items(list, "rubric")
			return
		}
		l.r.Source.Shape = shapeBoth
		inner := l.d.object(v, "rubric", "rubric")
		list, path := inner.List(must, "sections")
		l.items(list, path)
		inner.Close()
		return
	}
	l.r.Source.Shape = shapeSections
	list, path := s.List(must, "sections")
	l.items(list, path)
}

func (l *listReader) items(list []*node, path string) {
	for i, item := range list {
		if item.Has("criteria") {
			l.section(item, document.Index(path, i))
			continue
		}
		l.criterion(item, document.Index(path, i), nil)
	}
}

func (l *listReader) section(n *node, path string) {
	s := l.d.object(n, path, "section")
	about := map[string]any{"index": float64(l.sections)}
	l.sections++
	for _, key := range []string{"name", "title", "description"} {
		if text := s.Text(may, key); text != "" {
			about[key] = text
		}
	}
	list, path := s.List(must, "criteria")
	if list != nil && len(list) == 0 {
		l.d.Fail(n.At, path, "section-empty", "remove the section", "the section has no criteria")
	}
	for i, item := range list {
		l.criterion(item, document.Index(path, i), about)
	}
	s.Close()
}

func (l *listReader) criterion(n *node, path string, section map[string]any) {
	c := rubric.Criterion{ID: madeNumber(len(l.r.Criteria) + 1), Made: true}
	if s := l.d.object(n, path, "criterion"); s != nil {
		c.Weight = s.weight(must, math.Inf(-1), math.Inf(1), rubric.Weight{}, "weight")
		c.Text = s.Word(must, "requirement")
		s.Suggest("criteria") // which would make it a section
		s.Close()
	}
	if section != nil {
		c.Ext = map[string]any{sectionKey: section}
	}
	l.r.Criteria = append(l.r.Criteria, c)
	l.t.criteria = append(l.t.criteria, trace{node: n, path: path})
}

// madeNumber is the id of the n-th criterion, from 1.
func madeNumber(n int) string { return "#" + strconv.Itoa(n) }

func writeRubricList(e *encoder, doc *Document) *node {
	rest, ok := e.single(doc)
	if !ok {
		return nil
	}
	flat := e.flatten("criteria", rest.Criteria)
	items, sectioned := e.requirements(flat)
	if len(items) == 0 {
		return nil
	}
	list := listOf(items)
	shape := rest.Source.Shape
	if rest.Source.Dialect != RubricList {
		shape = shapeList
	}
	if rest.ID == RubricList {
		rest.ID = ""
	}
	e.leftRubric(rest, doc.Rubric, rubricListPolicy())
	switch {
	case shape == shapeRubric:
		return newObject().Put("rubric", list)
	case shape == shapeSections && sectioned:
		return newObject().Put("sections", list)
	case shape == shapeBoth && sectioned:
		return newObject().Put("rubric", newObject().Put("sections", list))
	}
	return list
}

// requirements writes the criteria, those of one section together. sectioned
// says that every one is in a section.
func (e *encoder) requirements(flat []placed) (items []*node, sectioned bool) {
	var section map[string]any
	var open *node
	sectioned = true
	written := 0
	for _, p := range flat {
		c := p.c
		if c.Scorer.WayOrJudge() != rubric.ByJudge {
			e.leftBinding(p.path, &c.Scorer)
			continue
		}
		about, _ := c.Ext[sectionKey].(map[string]any)
		written++
		c.Made = c.Made || c.ID == madeNumber(written)
		n := e.requirement(p.path, &c)
		switch {
		case about == nil:
			sectioned, section = false, nil
			items = append(items, n)
		case section == nil || !sameFree(section, about):
			section, open = about, listOf([]*node{n})
			items = append(items, sectionNode(about, open))
		default:
			open.Items = append(open.Items, n)
		}
	}
	return items, sectioned && len(items) > 0
}

func (e *encoder) requirement(path string, c *rubric.Criterion) *node {
	n := newObject().Put("weight", weightOf(c.Weight))
	n.Put("requirement", textOf(takeText(c)))
	c.Weight = rubric.Weight{}
	if _, ok := c.Ext[sectionKey].(map[string]any); ok {
		c.Ext = maps.Clone(c.Ext)
		delete(c.Ext, sectionKey)
	}
	e.leftCriterion(path, c)
	return n
}

func sectionNode(about map[string]any, list *node) *node {
	n := newObject()
	for _, key := range []string{"name", "title", "description"} {
		if text, ok := about[key].(string); ok {
			n.Put(key, textOf(text))
		}
	}
	return n.Put("criteria", list)
}
