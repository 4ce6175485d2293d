package dialect

import (
	"math"
	"strconv"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// readNativeList reads criteria. A weight of 0 for otherwise means that one
// must be written.
func readNativeList(d *decoder, r *rubric.Rubric, list []*node, path string, otherwise rubric.Weight) ([]rubric.Criterion, []trace) {
	if list == nil {
		return nil, nil
	}
	out, traces := make([]rubric.Criterion, 0, len(list)), make([]trace, 0, len(list))
	for i, item := range list {
		c, t := readNativeCriterion(d, r, item, document.Index(path, i), otherwise)
		out, traces = append(out, c), append(traces, t)
	}
	return out, traces
}

func readNativeCriterion(d *decoder, r *rubric.Rubric, n *node, path string, otherwise rubric.Weight) (rubric.Criterion, trace) {
	var c rubric.Criterion
	t := trace{node: n, path: path}
	s := d.object(n, path, "criterion")
	if s == nil {
		return c, t
	}
	c.ID = s.Word(must, "id")
	c.Name = s.Text(may, "name")
	c.Weight = s.weight(need(otherwise.Value == 0), math.Inf(-1), math.Inf(1), otherwise, "weight")
	c.Required, c.RequiredSet = s.Flag("required")
	if least, ok := s.NumberTo(may, 1, "min"); ok {
		c.Min = &least
	}
	c.Metadata = s.Free("metadata")
	c.Ext = s.Free("ext")
	switch way := s.way(); way {
	case "criteria":
		c.Text = s.Prose(may, "description")
		list, inner := s.List(must, "criteria")
		c.Criteria, t.criteria = readNativeList(d, r, list, inner, rubric.One)
		if list != nil && len(list) == 0 {
			d.Fail(s.Node.Get("criteria").At, inner, "criteria-empty", "add a criterion", "the group has no criteria")
		}
		c.Aggregate = s.aggregate()
	case "judge":
		c.Text = s.Text(must, "judge")
		s.nativeAsked(&c, r)
	case "prompt":
		c.Text = s.Prose(may, "description")
		c.Scorer = rubric.Binding{Prompt: &rubric.Prompt{Template: s.Word(must, "prompt"), OutputSchema: s.jsonSchema("output_schema")}}
		s.nativeAsked(&c, r)
	case "metric":
		c.Text = s.Prose(may, "description")
		c.Scorer = rubric.Binding{Way: rubric.ByMetric, Metric: s.nativeMetric()}
		s.answer(&c.Answer, rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 0, Max: 1}})
	case "schema":
		c.Text = s.Prose(may, "description")
		c.Scorer = rubric.Binding{Way: rubric.BySchema, Schema: s.nativeSchema()}
		s.answer(&c.Answer, rubric.Answer{})
	}
	s.misplaced()
	s.Close()
	return c, t
}

// ways are the keys of which a criterion has exactly one.
var ways = []string{"judge", "metric", "schema", "prompt", "criteria"}

// way returns the key that says how a criterion is scored.
func (s *scope) way() string {
	found := ""
	for _, key := range ways {
		v := s.Node.Get(key)
		switch {
		case v == nil:
		case found != "":
			s.d.Fail(v.At, s.Sub(key), "said-twice", "keep one", "%q and %q are two ways of scoring", found, key)
			s.Ask(key)
		default:
			found = key
		}
	}
	if found == "" {
		s.wayless()
	}
	return found
}

// wayless reports a criterion without a way of scoring: by its misspelt key, if
// it has one.
func (s *scope) wayless() {
	s.Suggest(ways...)
	for key := range owners {
		s.Suggest(key)
	}
	before := len(s.d.Errors)
	s.Close()
	s.Ignore()
	if len(s.d.Errors) == before {
		s.d.Fail(s.Node.At, s.Path, "key-missing", "write judge: and what to look for", "the criterion has none of judge, metric, schema, prompt and criteria")
	}
}

// owners says with which way of scoring a key goes.
var owners = map[string]string{
	"export": "metric", "kind": "metric", "args": "metric", "with": "metric", "reference": "metric", "output_schema": "prompt",
	"aggregate": "criteria", "examples": "judge or prompt", "subcriteria": "judge or prompt",
	"description": "metric, schema, prompt or criteria; with judge, the text is the judge's question",
	"levels":      "judge, prompt, metric or schema", "scale": "judge, prompt or metric", "ranges": "judge, prompt or metric", "answer": "judge, prompt or metric",
}

// misplaced reports known keys that do not go with the way of this criterion.
func (s *scope) misplaced() {
	for _, m := range s.Unread(owners) {
		s.d.Fail(m.At, s.Sub(m.Key), "key-misplaced", "remove it", "%q goes with %s", m.Key, owners[m.Key])
	}
}

func (s *scope) nativeAsked(c *rubric.Criterion, r *rubric.Rubric) {
	otherwise := rubric.Answer{}
	if r.Scale != nil {
		otherwise.Kind = rubric.KindNumber
	}
	s.answer(&c.Answer, otherwise)
	c.Examples = s.examples()
	c.Subcriteria = s.subcriteria()
}

// answer reads the form of the answer: levels, a scale, described ranges of it, or
// the word for a form that could not be told; else the default of the way of scoring.
func (s *scope) answer(a *rubric.Answer, otherwise rubric.Answer) {
	levels := s.levels(may)
	scale := s.scale(may, "discrete", "scale")
	ranges, key := s.Raw(may, "ranges")
	word := s.Choice(may, []string{string(rubric.KindMet), string(rubric.KindNumber), string(rubric.KindLevel)}, "answer")
	switch {
	case levels != nil:
		*a = rubric.Answer{Kind: rubric.KindLevel, Levels: levels}
	case scale != nil || ranges != nil:
		*a = rubric.Answer{Kind: rubric.KindNumber, Scale: scale}
	case word != "" && word != string(otherwise.Kind):
		*a = rubric.Answer{Kind: rubric.Kind(word)}
		if a.Kind == rubric.KindMet {
			a.Kind = ""
		}
	case word == string(rubric.KindNumber) && otherwise.Scale != nil:
		*a = rubric.Answer{Kind: rubric.KindNumber}
	default:
		*a = otherwise
	}
	if ranges != nil {
		s.d.nativeRanges(ranges, s.Sub(key), a)
		if scale == nil && s.d.root.Get("scale") == nil { // neither its own nor one for all criteria
			a.Scale = rubric.ZeroToTen(false)
		}
	}
	if word != "" && word != string(a.KindOrMet()) || levels != nil && (scale != nil || ranges != nil) {
		s.d.Fail(s.Node.At, s.Path, "answer-kind", "keep one of levels, scale and answer", "the criterion asks for two kinds of answer")
	}
}

// nativeRanges reads the descriptions of a scale: an object from whole number to
// text, or a list of {at, text} and {from, to, text}.
func (d *decoder) nativeRanges(n *node, path string, a *rubric.Answer) {
	switch n.Kind {
	case document.Object:
		a.Form = "map"
		for i := range n.Members {
			m := &n.Members[i]
			point, err := strconv.Atoi(m.Key)
			if err != nil || strconv.Itoa(point) != m.Key {
				d.Fail(m.At, document.Join(path, m.Key), "range-key", "use a list of {at, text} for other points", "%q is not a whole number", fault.Clip(m.Key, 40))
				continue
			}
			m.Whole = true
			a.Anchors = append(a.Anchors, rubric.Anchor{At: float64(point), Text: d.Prose(m.Value, document.Join(path, m.Key))})
		}
	case document.List:
		a.Form = "list"
		for i, item := range n.Items {
			d.nativeRange(item, document.Index(path, i), a)
		}
	default:
		d.Wrong(n, path, "an object from score to text, or a list")
	}
}

func (d *decoder) nativeRange(n *node, path string, a *rubric.Answer) {
	s := d.object(n, path, "range")
	if s == nil {
		return
	}
	text := s.Prose(must, "text")
	if s.Node.Has("at") {
		x, _ := s.Number(must, "at")
		a.Anchors = append(a.Anchors, rubric.Anchor{At: x, Text: text})
	} else {
		low, _ := s.Number(must, "from")
		high, _ := s.Number(must, "to")
		a.Bands = append(a.Bands, rubric.Band{Low: low, High: high, Text: text})
	}
	s.Suggest("at", "from", "to")
	s.Close()
}

func (s *scope) nativeMetric() *rubric.Metric {
	m := &rubric.Metric{Plugin: s.Word(must, "metric"), Export: s.Text(may, "export"), Config: s.Free("with")}
	if kind := s.Choice(may, contractKinds, "kind"); kind != "metric" {
		m.Kind = kind
	}
	if m.Args = s.Texts("args"); s.Node.Has("args") && m.Kind != "judge" {
		s.d.Fail(s.Node.Get("args").At, s.Sub("args"), "args-kind", "add kind: judge, or use with for settings", "args are only for plugins of kind judge")
	}
	m.References = s.textOrTexts("reference")
	return m
}

func (s *scope) nativeSchema() *rubric.Schema {
	v, key := s.Raw(must, "schema")
	switch {
	case v == nil:
		return &rubric.Schema{}
	case v.Kind == document.Text:
		return &rubric.Schema{Ref: s.d.Text(v, s.Sub(key))}
	case v.Kind != document.Object:
		s.d.Wrong(v, s.Sub(key), "a JSON Schema, or the path of one")
	}
	doc := s.d.Value(v, s.Sub(key))
	s.schema(v, key, doc)
	return &rubric.Schema{Inline: doc}
}
