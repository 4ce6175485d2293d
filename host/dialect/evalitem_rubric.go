package dialect

import (
	"math"
	"slices"
	"strconv"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func (r *evalReader) items(e *evalItem, list []*node, path string) {
	for i, item := range list {
		r.item(e, item, document.Index(path, i), i+1)
	}
}

// inline reads the rubrics of a case as an evaluator.
func (r *evalReader) inline(list []*node, path string, n *node) *evalItem {
	e := &evalItem{name: inlineName, weight: rubric.One, trace: trace{node: n, path: path}}
	r.items(e, list, path)
	return e
}

// item reads one rubric, text or object.
func (r *evalReader) item(e *evalItem, n *node, path string, number int) {
	c := rubric.Criterion{ID: "rubric-" + strconv.Itoa(number), Made: true, Weight: rubric.One}
	if n.Kind == document.Text {
		c.Text, c.TextKey = r.d.Text(n, path), plainText
		c.Required = r.style.stringsRequired
	} else if s := r.d.object(n, path, "rubric"); s != nil {
		r.itemObject(s, &c)
		s.Close()
	}
	e.criteria = append(e.criteria, c)
	e.trace.criteria = append(e.trace.criteria, trace{node: n, path: path})
}

// plainText is the TextKey of a rubric that is text alone.
const plainText = "text"

func (r *evalReader) itemObject(s *scope, c *rubric.Criterion) {
	if id := s.Word(need(r.style.strict), "id"); id != "" {
		c.ID, c.Made = id, false
	}
	ranges, key := s.Raw(may, "score_ranges")
	described := r.style.strict || ranges == nil
	if v, key := s.Raw(need(described), itemKeys...); v != nil {
		c.Text, c.TextKey = r.d.Text(v, s.Sub(key)), key
	}
	if c.Text == "" && !described {
		c.Name = c.ID // the ranges describe the judged property
	}
	c.Weight = s.positiveWeight()
	c.Required, c.RequiredSet = s.Flag("required")
	if !r.style.strict {
		r.itemGate(s, c)
	}
	if ranges != nil {
		c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(r.style.discrete)}
		r.ranges(ranges, s.Sub(key), &c.Answer)
	}
}

// itemGate reads the least score of a rubric: 0..10, or 0..1 in the later
// spelling.
func (r *evalReader) itemGate(s *scope, c *rubric.Criterion) {
	if v, _ := s.Raw(may, "required_min_score"); v != nil {
		x, ok := s.NumberTo(may, 10, "required_min_score")
		if ok && x != math.Trunc(x) {
			r.d.Fail(v.At, s.Sub("required_min_score"), "number-range", "", "required_min_score is %s, not a whole number in 0..10", v.Value)
			return
		}
		x /= 10
		c.Min = &x
	}
	if x, ok := s.NumberTo(may, 1, "min_score"); ok {
		c.Min = &x
	}
}

// ranges reads score_ranges: an object from score to text, or a list of bands.
func (r *evalReader) ranges(n *node, path string, a *rubric.Answer) {
	switch {
	case n.Kind == document.Object && len(n.Members) == 0, n.Kind == document.List && len(n.Items) == 0:
		r.d.Fail(n.At, path, "ranges-empty", "describe at least one score", "score_ranges is empty")
	case n.Kind == document.Object:
		a.Form = "map"
		r.rangeMap(n, path, a)
	case n.Kind == document.List && r.style.bands:
		a.Form = "list"
		r.rangeList(n, path, a)
	default:
		r.d.Wrong(n, path, "an object from score to description")
	}
}

func (r *evalReader) rangeMap(n *node, path string, a *rubric.Answer) {
	var points []rubric.Anchor
	for i := range n.Members {
		m := &n.Members[i]
		score, err := strconv.Atoi(m.Key)
		if err != nil || score < 0 || score > 10 || strconv.Itoa(score) != m.Key {
			r.d.Fail(m.At, document.Join(path, m.Key), "range-key", "write whole numbers from 0 to 10", "%q is not a score in 0..10", fault.Clip(m.Key, 40))
			continue
		}
		m.Whole = true
		points = append(points, rubric.Anchor{At: float64(score), Text: r.d.Prose(m.Value, document.Join(path, m.Key))})
	}
	slices.SortFunc(points, func(a, b rubric.Anchor) int { return int(a.At - b.At) })
	if !r.style.bands {
		a.Anchors = points
		return
	}
	if len(points) > 0 && points[0].At != 0 {
		r.d.Fail(n.At, path, "range-gap", "describe the score 0", "the ranges begin at %s; each key is the lowest score of its range, so the first one is 0", rubric.FormatNumber(points[0].At))
	}
	a.Bands = bandsFrom(points)
}

// bandsFrom takes points for the lower ends of bands up to 10.
func bandsFrom(points []rubric.Anchor) []rubric.Band {
	var out []rubric.Band
	for i, p := range points {
		high := 10.0
		if i+1 < len(points) {
			high = points[i+1].At - 1
		}
		out = append(out, rubric.Band{Low: p.At, High: high, Text: p.Text})
	}
	return out
}

func (r *evalReader) rangeList(n *node, path string, a *rubric.Answer) {
	next := 0.0
	for i, item := range n.Items {
		s := r.d.object(item, document.Index(path, i), "range")
		if s == nil {
			continue
		}
		var b rubric.Band
		var ok bool
		b.Low, b.High, ok = s.ends()
		b.Text = s.Prose(must, itemKeys...)
		s.Close()
		if ok && b.Low != next {
			r.d.Warn(item.At, s.Path, "range-gap", "let the ranges follow one another from 0 to 10", "the range begins at %s, not at %s", rubric.FormatNumber(b.Low), rubric.FormatNumber(next))
		}
		next = b.High + 1
		a.Bands = append(a.Bands, b)
	}
}

// ends reads score_range: two whole numbers in 0..10.
func (s *scope) ends() (low, high float64, ok bool) {
	list, path := s.List(must, "score_range")
	if list == nil {
		return 0, 0, false
	}
	var ends [2]float64
	if len(list) != 2 {
		s.d.Fail(s.Node.At, path, "range-ends", "write [lowest, highest]", "%s must be two numbers, not %d", path, len(list))
		return 0, 0, false
	}
	for i, v := range list {
		x, isNumber := s.d.Number(v, document.Index(path, i))
		if isNumber && (x < 0 || x > 10 || x != math.Trunc(x)) {
			s.d.Fail(v.At, document.Index(path, i), "range-ends", "", "%s is not a whole number in 0..10", v.Value)
			isNumber = false
		}
		if !isNumber {
			return 0, 0, false
		}
		ends[i] = x
	}
	return ends[0], ends[1], true
}
