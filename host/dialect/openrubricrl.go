package dialect

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// openRubricRL is the schema of OpenRubricRL 0.1: one rubric, weights that sum
// to 1, a scale, hybrid metrics.
var openRubricRL = dialect{
	name:    OpenRubricRL,
	summary: "an object with criteria whose weights sum to 1, a scale, hybrid_metrics",
	decode:  readOpenRubricRL,
	encode:  writeOpenRubricRL,
	spelling: map[string]string{
		"id": "name", "text": "description", "metric": "config", "metrics": "hybrid_metrics", "policy": "",
	},
}

var (
	domains     = []string{"code", "dialogue", "creative_writing", "reasoning", "general"}
	hybridTypes = []string{"bleu", "rouge", "accuracy", "perplexity", "custom"}
)

// The messages that the format's documentation promises.
const (
	versionMessage = `version must match pattern ^\d+\.\d+\.\d+$`
	domainMessage  = "domain must be one of: code, dialogue, creative_writing, reasoning, general"
	sumMessage     = "Criterion weights must sum to 1.0, got "
)

// sumTolerance is how far the sum of the weights may lie from 1.
const sumTolerance = 1e-6

func openRubricRLPolicy(scale *rubric.Scale) rubric.Policy {
	p := rubric.Policy{Aggregate: rubric.WeightedMean, Raw: rubric.RawOnScale, Strategy: rubric.Batch}
	if scale != nil {
		overall := *scale
		overall.Discrete = false // the mean of whole numbers may be a fraction
		p.Overall = &overall
	}
	return p
}

func readOpenRubricRL(d *decoder, n *node) contents {
	s := d.object(n, "", "rubric")
	if s == nil {
		return contents{}
	}
	r := &rubric.Rubric{}
	s.Text(may, "$schema")
	r.ID = s.Word(must, "name")
	r.Version = s.version()
	r.Description = s.Text(may, "description")
	r.Domain = s.domain()
	r.Scale = s.scale(must, "type", "scale")
	r.Policy = openRubricRLPolicy(r.Scale)
	t := trace{node: n}
	r.Criteria = s.criteria(must, "criteria", &t.criteria, readScaled)
	s.unitSum(r.Criteria)
	r.Metrics = s.criteria(may, "hybrid_metrics", &t.metrics, readHybrid)
	for i := range r.Metrics {
		if c := &r.Metrics[i]; taken(r, c.ID) {
			c.ID, c.Name = "metric/"+c.ID, c.ID
		}
	}
	s.shares("hybrid_metrics", r.Metrics)
	r.Metadata = s.Free("metadata")
	s.Close()
	return contents{rubrics: []placedRubric{{r, t}}}
}

// taken reports whether a criterion has the id of a metric: the two have names
// of their own here, and share one list of ids in the model.
func taken(r *rubric.Rubric, id string) bool {
	return slices.ContainsFunc(r.Criteria, func(c rubric.Criterion) bool { return strings.EqualFold(c.ID, id) })
}

// Domains returns the domains that OpenRubricRL 0.1 knows.
func Domains() []string { return slices.Clone(domains) }

var versionStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v?V?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?`) })

// FixVersion makes a version of three numbers, as OpenRubricRL requires, of the version
// an author wrote: "v1.2" becomes 1.2.0, text without a number 1.0.0. A version of
// three numbers stays as it is.
func FixVersion(s string) string {
	m := versionStart().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return "1.0.0"
	}
	return m[1] + "." + cmp.Or(m[2], "0") + "." + cmp.Or(m[3], "0")
}

func (s *scope) version() string {
	v, _ := s.Raw(must, "version")
	if v == nil {
		return ""
	}
	if v.Kind != document.Text || FixVersion(v.Value) != v.Value {
		s.d.Fail(v.At, s.Sub("version"), "version-pattern", `write three numbers, such as "1.0.0"`, "%s, got %s", versionMessage, strict.Shown(v))
	}
	return v.Value
}

func (s *scope) domain() string {
	v, _ := s.Raw(may, "domain")
	if v == nil {
		return ""
	}
	if v.Kind != document.Text || !slices.Contains(domains, v.Value) {
		s.d.Fail(v.At, s.Sub("domain"), "domain-unknown", fault.OptionMigrate+" maps domains of older rubrics", "%s; got %s", domainMessage, strict.Shown(v))
	}
	return v.Value
}

// scale reads {min, max} and whether whole numbers only are meant: a key "type"
// that says discrete or continuous, or a boolean key.
func (s *scope) scale(n need, discrete string, key string) *rubric.Scale {
	o := s.member(n, key, "scale")
	if o == nil {
		return nil
	}
	var scale rubric.Scale
	scale.Min, _ = o.Number(must, "min")
	scale.Max, _ = o.Number(must, "max")
	if discrete == "type" {
		scale.Discrete = o.Choice(may, []string{"continuous", "discrete"}, "type") == "discrete"
	} else {
		scale.Discrete, _ = o.Flag(discrete)
	}
	o.Close()
	return &scale
}

func readScaled(d *decoder, n *node, path string) rubric.Criterion {
	c := rubric.Criterion{Answer: rubric.Answer{Kind: rubric.KindNumber}}
	s := d.object(n, path, "criterion")
	if s == nil {
		return c
	}
	c.ID = s.Word(must, "name")
	c.Text = s.Word(must, "description")
	c.Weight = s.weight(must, 0, 1, rubric.Weight{}, "weight")
	c.Examples = s.examples()
	c.Subcriteria = s.subcriteria()
	s.Close()
	return c
}

// examples reads an object from level to a list of examples.
func (s *scope) examples() []rubric.ExampleSet {
	v, key := s.Raw(may, "examples")
	if v == nil {
		return nil
	}
	path := s.Sub(key)
	if v.Kind != document.Object {
		s.d.Wrong(v, path, "an object from level to examples")
		return nil
	}
	sets := []rubric.ExampleSet{}
	for _, m := range v.Members {
		set := rubric.ExampleSet{Level: m.Key, Examples: []rubric.Example{}}
		if m.Value.Kind != document.List {
			s.d.Wrong(m.Value, document.Join(path, m.Key), "a list of examples")
			continue
		}
		for i, item := range m.Value.Items {
			set.Examples = append(set.Examples, readExample(s.d, item, document.Index(document.Join(path, m.Key), i)))
		}
		sets = append(sets, set)
	}
	return sets
}

func readExample(d *decoder, n *node, path string) rubric.Example {
	var e rubric.Example
	s := d.object(n, path, "example")
	if s == nil {
		return e
	}
	e.Input = s.Text(must, "input")
	e.Output = s.Text(must, "output")
	e.Score, _ = s.Number(must, "score")
	e.Explanation = s.Text(must, "explanation")
	s.Close()
	return e
}

func (s *scope) subcriteria() []rubric.Subcriterion {
	items, path := s.List(may, "subcriteria")
	if items == nil {
		return nil
	}
	list := []rubric.Subcriterion{}
	for i, item := range items {
		if o := s.d.object(item, document.Index(path, i), "subcriterion"); o != nil {
			list = append(list, rubric.Subcriterion{Name: o.Text(must, "name"), Description: o.Text(must, "description")})
			o.Close()
		}
	}
	return list
}

// unitSum holds the weights to a sum of 1.
func (s *scope) unitSum(list []rubric.Criterion) {
	if sum, ok := s.sum(list); ok && math.Abs(sum-1) > sumTolerance {
		s.d.Fail(s.Node.Get("criteria").At, s.Sub("criteria"), "weight-sum", fault.OptionMigrate+" rescales the weights", "%s%s", sumMessage, pythonFloat(sum))
	}
}

// sum adds the weights of the criteria up, unless there are none or one of them is
// wrong.
func (s *scope) sum(list []rubric.Criterion) (sum float64, ok bool) {
	for i := range list {
		v := s.Node.Get("criteria").Items[i].Get("weight")
		if !v.Is(document.Number) || s.d.Failed(v.At) {
			return 0, false
		}
		sum += list[i].Weight.Value
	}
	return sum, len(list) > 0
}

func pythonFloat(x float64) string {
	format := byte('f')
	if a := math.Abs(x); a >= 1e16 || a != 0 && a < 1e-4 {
		format = 'e'
	}
	s := strconv.FormatFloat(x, format, -1, 64)
	if format == 'f' && !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// shares refuses metrics that leave no room for the criteria.
func (s *scope) shares(key string, metrics []rubric.Criterion) {
	sum := 0.0
	for i := range metrics {
		sum += metrics[i].Weight.Value
	}
	if sum > 1+rubric.Slack {
		s.d.Fail(s.Node.Get(key).At, s.Sub(key), "metric-share", "lower the weights", "the weights of the metrics sum to %s; more than 1 leaves nothing for the criteria", rubric.FormatNumber(sum))
	}
}

func readHybrid(d *decoder, n *node, path string) rubric.Criterion {
	var c rubric.Criterion
	s := d.object(n, path, "metric")
	if s == nil {
		return c
	}
	c.ID = s.Word(must, "name")
	form := s.Choice(must, hybridTypes, "type")
	c.Weight = s.weight(must, 0, 1, rubric.Weight{}, "weight")
	config := s.Free("config")
	s.Close()
	hybridConfig(s, config)
	m := bindHybrid(form, c.ID, config)
	if form == "custom" && m.Plugin == c.ID && config["metric_function"] == nil {
		d.Warn(n.At, path, "metric-function", "name the plugin in config.metric_function", "the metric names no metric_function; the plugin %q is taken", c.ID)
	}
	c.Scorer = rubric.Binding{Way: rubric.ByMetric, Metric: &m}
	c.Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 0, Max: 1}}
	return c
}

// hybridConfig checks the keys of a metric's configuration that are ours; the
// others are the plugin's own.
func hybridConfig(s *scope, config map[string]any) {
	n, path := s.Node.Get("config"), s.Sub("config")
	for _, key := range []string{"metric_function", "rouge_type"} {
		if v, ok := config[key]; ok && v != nil {
			if text, isText := v.(string); !isText || text == "" {
				s.d.Wrong(n.Get(key), document.Join(path, key), "text")
			}
		}
	}
	switch v := config["reference_key"].(type) {
	case nil, string:
	case []any:
		for i, e := range v {
			if _, isText := e.(string); !isText {
				s.d.Wrong(n.Get("reference_key").Items[i], document.Index(document.Join(path, "reference_key"), i), "text")
			}
		}
	default:
		s.d.Wrong(n.Get("reference_key"), document.Join(path, "reference_key"), "text or a list of texts")
	}
}

// bindHybrid says which plugin computes a hybrid metric (SCORING.md 2.1).
func bindHybrid(form, name string, config map[string]any) rubric.Metric {
	m := rubric.Metric{Type: form, Spelling: config}
	rest := maps.Collect(maps.All(config)) // not nil, unlike a clone of nil
	take := func(key string) string {
		text, _ := rest[key].(string)
		delete(rest, key)
		return text
	}
	m.References = referenceKeys(rest["reference_key"])
	delete(rest, "reference_key")
	byDefault := func(key string, v any) {
		if rest[key] == nil {
			rest[key] = v
		}
	}
	switch form {
	case "bleu", "perplexity":
		m.Plugin = form
	case "rouge":
		m.Plugin = "rouge"
		if variant := take("rouge_type"); variant != "" {
			rest["variant"] = variant
		}
		byDefault("variant", "rouge1")
		byDefault("use_stemmer", true)
	case "accuracy":
		m.Plugin, m.Export = "exact", "exact"
		byDefault("strip", true)
		byDefault("ignore_case", true)
	default:
		if m.Plugin = take("metric_function"); m.Plugin == "" {
			m.Plugin = name
		}
	}
	if len(rest) > 0 {
		m.Config = rest
	}
	return m
}

// referenceKeys are the case fields that reference_key names. None means the
// case's references, of which expected_output is one.
func referenceKeys(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var keys []string
		for _, e := range v {
			if text, ok := e.(string); ok {
				keys = append(keys, text)
			}
		}
		return keys
	}
	return nil
}
