package dialect

import (
	"math"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// dataknobs is the format of dataknobs-bots: criteria with quality levels and a
// scoring method, a threshold, or a registry configuration of several rubrics.
var dataknobs = dialect{
	name:    Dataknobs,
	summary: "an object with pass_threshold, criteria with levels and scoring_method",
	decode:  readDataknobs,
	encode:  writeDataknobs,
	spelling: map[string]string{
		"text": "description", "pass": "pass_threshold", "metric": "scoring_method", "schema": "scoring_method",
	},
}

var scoringTypes = []string{"deterministic", "schema", "llm_decode"}

func dataknobsPolicy() rubric.Policy {
	return rubric.Policy{Aggregate: rubric.WeightedMean, Required: rubric.RequiredEvaluated, Strategy: rubric.PerCriterion}
}

func readDataknobs(d *decoder, n *node) contents {
	var c contents
	if list := n.Get("rubrics"); list.Is(document.List) {
		s := d.object(n, "", "registry configuration")
		items, path := s.List(must, "rubrics")
		for i, item := range items {
			c.rubrics = append(c.rubrics, readLeveled(d, item, document.Index(path, i)))
		}
		s.Close()
		uniqueRubrics(d, c.rubrics)
		return c
	}
	c.rubrics = append(c.rubrics, readLeveled(d, n, ""))
	return c
}

func uniqueRubrics(d *decoder, list []placedRubric) {
	seen := map[string]string{}
	for _, r := range list {
		key := r.rubric.ID + "\x00" + r.rubric.Version
		if first, twice := seen[key]; twice && r.rubric.ID != "" {
			place, path := r.trace.find("id", nil)
			d.Fail(place, path, "id-duplicate", "give it another id or version", "%s is version %q of %q too", first, r.rubric.Version, r.rubric.ID)
			continue
		}
		seen[key] = r.trace.path
	}
}

func readLeveled(d *decoder, n *node, path string) placedRubric {
	r := &rubric.Rubric{Policy: dataknobsPolicy()}
	t := trace{node: n, path: path}
	s := d.object(n, path, "rubric")
	if s == nil {
		return placedRubric{r, t}
	}
	s.Text(may, "$schema")
	r.ID = s.Word(must, "id")
	r.Name = s.Text(must, "name")
	r.Description = s.Text(must, "description")
	r.Version = s.Text(must, "version")
	r.TargetType = s.Text(must, "target_type")
	r.Criteria = s.criteria(must, "criteria", &t.criteria, readLevelCriterion)
	if threshold, ok := s.NumberTo(must, 1, "pass_threshold"); ok {
		r.Pass = rubric.Threshold(threshold)
	}
	r.Metadata = s.Free("metadata")
	if path == "" {
		s.Suggest("rubrics")
	}
	s.Close()
	s.adviseSum(r.Criteria)
	return placedRubric{r, t}
}

// adviseSum warns of weights that do not sum to about 1, as the meta-rubric does.
func (s *scope) adviseSum(list []rubric.Criterion) {
	if sum, ok := s.sum(list); ok && math.Abs(sum-1) > 0.01+rubric.Slack {
		s.d.Warn(s.Node.Get("criteria").At, s.Sub("criteria"), "weight-sum", "scale the weights to a sum of 1", "the weights sum to %s; they should sum to 1", rubric.FormatNumber(sum))
	}
}

func readLevelCriterion(d *decoder, n *node, path string) rubric.Criterion {
	c := rubric.Criterion{Required: true}
	s := d.object(n, path, "criterion")
	if s == nil {
		return c
	}
	c.ID = s.Word(must, "id")
	c.Name = s.Text(must, "name")
	c.Text = s.Text(must, "description")
	c.Weight = s.weight(must, 0, math.Inf(1), rubric.Weight{}, "weight")
	if required, set := s.Flag("required"); set {
		c.Required, c.RequiredSet = required, true
	}
	c.Answer = rubric.Answer{Kind: rubric.KindLevel, Levels: s.levels(must)}
	s.scoringMethod(&c)
	s.Close()
	return c
}

// levels reads a list of levels. A dataknobs level has all its keys; elsewhere
// label and description may be left out.
func (s *scope) levels(full need) []rubric.Level {
	items, path := s.List(full, "levels")
	if items == nil {
		return nil
	}
	levels := []rubric.Level{}
	for i, item := range items {
		o := s.d.object(item, document.Index(path, i), "level")
		if o == nil {
			levels = append(levels, rubric.Level{})
			continue
		}
		l := rubric.Level{ID: o.Word(must, "id")}
		l.Label = o.Prose(full, "label")
		l.Description = o.Prose(full, "description")
		l.Score, _ = o.Number(must, "score")
		l.Indicators = o.Texts("indicators")
		o.Close()
		levels = append(levels, l)
	}
	return levels
}

func (s *scope) scoringMethod(c *rubric.Criterion) {
	o := s.member(must, "scoring_method", "scoring method")
	if o == nil {
		return
	}
	form := o.Choice(must, scoringTypes, "type")
	function := o.Text(may, "function_ref")
	ref := o.Text(may, "schema_ref")
	schema := o.jsonSchema("schema")
	prompt := o.prompt(form)
	output := o.jsonSchema("decode_output_schema")
	o.Close()
	o.foreign(form)
	switch form {
	case "deterministic":
		c.Scorer = rubric.Binding{Way: rubric.ByMetric, Metric: o.function(function)}
	case "schema":
		c.Scorer = rubric.Binding{Way: rubric.BySchema, Schema: &rubric.Schema{Inline: schema, Ref: ref}}
		if schema != nil && ref != "" {
			s.d.Fail(o.Node.At, o.Path, "said-twice", "keep one of schema and schema_ref", "the schema is written inline and by reference")
		}
	case "llm_decode":
		c.Scorer = rubric.Binding{Way: rubric.ByJudge, Prompt: &rubric.Prompt{Template: prompt, OutputSchema: output}}
	}
}

// prompt returns the template, which only one scoring type has.
func (s *scope) prompt(form string) string {
	if form == "llm_decode" {
		return s.Word(must, "decode_prompt")
	}
	return s.Text(may, "decode_prompt")
}

// jsonSchema returns a JSON Schema written inline, nil if none is.
func (s *scope) jsonSchema(key string) any {
	m := s.Free(key)
	if m == nil {
		return nil
	}
	s.schema(s.Node.Get(key), key, m)
	return m
}

func (s *scope) schema(v *node, key string, doc any) {
	if s.d.schema == nil || v == nil {
		return
	}
	if err := s.d.schema(doc); err != nil {
		s.d.Fail(v.At, s.Sub(key), "schema-invalid", "", "%v", err)
	}
}

// foreign refuses keys that belong to another scoring type.
func (s *scope) foreign(form string) {
	owner := map[string]string{"function_ref": "deterministic", "schema_ref": "schema", "schema": "schema", "decode_prompt": "llm_decode", "decode_output_schema": "llm_decode"}
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		if of := owner[m.Key]; form != "" && of != "" && of != form && m.Value.Kind != document.Null {
			s.d.Fail(m.At, s.Sub(m.Key), "key-misplaced", "remove it, or change the type", "%q belongs to the type %s, not %s", m.Key, of, form)
		}
	}
}

// function reads "module.path:function": the plugin and the export that
// compute a criterion.
func (s *scope) function(ref string) *rubric.Metric {
	v, _ := s.Raw(must, "function_ref")
	last := strings.LastIndexByte(ref, ':') // a plugin's own name may hold colons
	module, name, ok := ref[:max(last, 0)], ref[last+1:], last >= 0
	if v != nil && ref != "" && (!ok || strings.TrimSpace(module) == "" || strings.TrimSpace(name) == "") {
		s.d.Fail(v.At, s.Sub("function_ref"), "function-ref", `write "module:function": the plugin and its export`, "%q is not a reference to a function", fault.Clip(ref, 60))
	}
	return &rubric.Metric{Plugin: module, Export: name, Kind: "scorer"}
}
