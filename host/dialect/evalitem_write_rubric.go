package dialect

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func (w *evalWriter) items(path string, list []rubric.Criterion, r *rubric.Rubric, parent string) *node {
	return listOf(criteriaFrom(path, list, func(path string, c rubric.Criterion) *node { return w.item(path, c, r, parent) }))
}

// bare is the id of a criterion without the name of its group.
func bare(id, parent string) string {
	if short := strings.TrimPrefix(id, parent+"/"); parent != "" && short != "" {
		return short
	}
	return id
}

// item writes a criterion as a rubric: as plain text if it is no more than that.
func (w *evalWriter) item(path string, c rubric.Criterion, r *rubric.Rubric, parent string) *node {
	w.stuck = w.negative(path, &c) || w.stuck
	if w.plainItem(&c) {
		n := textOf(c.Text)
		c = rubric.Criterion{}
		return n
	}
	n := newObject()
	if !c.Made || w.style.strict {
		n.Put("id", textOf(bare(c.ID, parent)))
	}
	if c.Name == c.ID {
		c.Name = ""
	}
	key := c.TextKey
	if key == "" || key == plainText {
		key = itemKeys[0]
	}
	if text := takeText(&c); text != "" || w.style.strict {
		n.Put(key, textOf(text))
	}
	putWeight(n, c.Weight)
	if c.Required || c.RequiredSet {
		n.Put("required", boolOf(c.Required))
	}
	w.itemGate(n, &c)
	w.itemRanges(n, path, &c, r)
	c.ID, c.Weight, c.Required, c.Scorer = "", rubric.Weight{}, false, rubric.Binding{}
	w.leftCriterion(path, &c)
	return n
}

// plainItem reports whether plain text says all of c, and the same.
func (w *evalWriter) plainItem(c *rubric.Criterion) bool {
	return c.Made && (c.TextKey == plainText || c.TextKey == "") && c.Text != "" && c.Name == "" && c.Weight == rubric.One &&
		c.Required == w.style.stringsRequired && c.Min == nil && c.Answer.KindOrMet() == rubric.KindMet &&
		c.Examples == nil && c.Subcriteria == nil && c.Metadata == nil && c.Ext == nil
}

func (w *evalWriter) itemGate(n *node, c *rubric.Criterion) {
	if c.Min == nil {
		return
	}
	tenth := *c.Min * 10
	switch {
	case w.style.strict:
		return // no such key; leftCriterion lists it
	case tenth == math.Trunc(tenth) && tenth/10 == *c.Min:
		n.Put("required_min_score", numberOf(tenth))
	default:
		n.Put("min_score", numberOf(*c.Min))
	}
	c.Min = nil
}

func (w *evalWriter) itemRanges(n *node, path string, c *rubric.Criterion, r *rubric.Rubric) {
	a := &c.Answer
	if a.KindOrMet() == rubric.KindMet {
		*a = rubric.Answer{}
		return
	}
	want := *rubric.ZeroToTen(w.style.discrete)
	points, bands := a.Anchors, a.Bands
	switch {
	case a.Kind == rubric.KindLevel:
		w.change(path+".levels", "%q is asked for a number from 0 to 10, not for a level", c.ID)
		for _, l := range a.Levels {
			points = append(points, rubric.Anchor{At: math.Round(l.Score * 10), Text: cmp.Or(l.Description, l.ID)})
		}
	case r.ScaleOf(c) != want:
		s := r.ScaleOf(c)
		if s.Min != 0 || s.Max != 10 {
			w.change(path+".scale", "%q is asked for a number from 0 to 10, not from %s to %s", c.ID, rubric.FormatNumber(s.Min), rubric.FormatNumber(s.Max))
			points, bands = moved(points, bands, s)
		} else {
			w.change(path+".scale", "%q is asked for %s", c.ID, map[bool]string{true: "whole numbers only", false: "fractions too"}[w.style.discrete])
		}
	}
	n.Put("score_ranges", w.rangesNode(path, points, bands))
	*a = rubric.Answer{}
}

// moved maps the places of points and bands on a scale to 0..10.
func moved(points []rubric.Anchor, bands []rubric.Band, s rubric.Scale) ([]rubric.Anchor, []rubric.Band) {
	to := func(x float64) float64 { return math.Round(s.Position(x) * 10) }
	points, bands = slices.Clone(points), slices.Clone(bands)
	for i := range points {
		points[i].At = to(points[i].At)
	}
	for i := range bands {
		bands[i].Low, bands[i].High = to(bands[i].Low), to(bands[i].High)
	}
	return points, bands
}

func (w *evalWriter) rangesNode(path string, points []rubric.Anchor, bands []rubric.Band) *node {
	if len(points) == 0 && len(bands) == 0 {
		points = []rubric.Anchor{{At: 0, Text: "The lowest."}, {At: 10, Text: "The highest."}}
		w.lose(path+".ranges", "a ranged rubric describes its scores; the two ends are named")
	}
	whole := distinct(points)
	if len(whole) != len(points) || !reflect.DeepEqual(whole, points) && len(points) > 0 {
		w.lose(path+".ranges", "described scores are moved to whole numbers from 0 to 10, in order")
	}
	if w.style.bands && len(bands) == 0 {
		w.lose(path+".ranges", "the described points are written as the beginnings of ranges")
		whole[0].At = 0 // where the first range begins
		bands = bandsFrom(whole)
	} else if w.style.bands && len(points) > 0 {
		w.lose(path+".ranges", "described points beside described ranges are left out")
	}
	if !w.style.bands {
		if len(bands) > 0 {
			w.lose(path+".ranges", "the described ranges are written as points, at their beginnings")
		}
		return rangeMapNode(distinct(slices.Concat(points, startsOf(bands))))
	}
	if starts := startsOf(bands); reflect.DeepEqual(bandsFrom(starts), bands) && len(starts) > 0 && starts[0].At == 0 {
		return rangeMapNode(starts)
	}
	return listFrom(bands, func(b rubric.Band) *node {
		return onOneLine(newObject()).Put("score_range", onOneLine(listFrom([]float64{b.Low, b.High}, numberOf))).Put("expected_outcome", textOf(b.Text))
	})
}

// distinct keeps the first of the points that share a place, in order, on whole
// numbers of 0..10.
func distinct(points []rubric.Anchor) []rubric.Anchor {
	out := xslices.Map(points, func(p rubric.Anchor) rubric.Anchor {
		return rubric.Anchor{At: min(10, max(0, math.Round(p.At))), Text: p.Text}
	})
	slices.SortStableFunc(out, func(a, b rubric.Anchor) int { return cmp.Compare(a.At, b.At) })
	return slices.CompactFunc(out, func(a, b rubric.Anchor) bool { return a.At == b.At })
}

func startsOf(bands []rubric.Band) []rubric.Anchor {
	return xslices.Map(bands, func(b rubric.Band) rubric.Anchor { return rubric.Anchor{At: b.Low, Text: b.Text} })
}

func rangeMapNode(points []rubric.Anchor) *node {
	n := newObject()
	for _, p := range points {
		n.Members = append(n.Members, member{Key: rubric.FormatNumber(p.At), Whole: true, Value: textOf(p.Text)})
	}
	return n
}
