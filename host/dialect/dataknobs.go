package dialect

import (
	"fmt"
	"math"
	"strings"

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
	if list := n.get("rubrics"); list.is(listKind) {
		s := d.object(n, "", "registry configuration")
		items, path := s.list(must, "rubrics")
		for i, item := range items {
			c.rubrics = append(c.rubrics, readLeveled(d, item, at(path, i)))
		}
		s.close()
		uniqueRubrics(d, c.rubrics)
		return c
	}
	c.rubrics = append(c.rubrics, readLeveled(d, n, ""))
	return c
}

func uniqueRubrics(d *decoder, list []ruled) {
	seen := map[string]string{}
	for _, r := range list {
		key := r.rubric.ID + "\x00" + r.rubric.Version
		if first, twice := seen[key]; twice && r.rubric.ID != "" {
			place, path := r.trace.find("id", nil)
			d.fail(place, path, "id-duplicate", "give it another id or version", "%s is version %q of %q too", first, r.rubric.Version, r.rubric.ID)
			continue
		}
		seen[key] = r.trace.path
	}
}

func readLeveled(d *decoder, n *node, path string) ruled {
	r := &rubric.Rubric{Policy: dataknobsPolicy()}
	t := trace{node: n, path: path}
	s := d.object(n, path, "rubric")
	if s == nil {
		return ruled{r, t}
	}
	s.text(may, "$schema")
	r.ID = s.word(must, "id")
	r.Name = s.text(must, "name")
	r.Description = s.text(must, "description")
	r.Version = s.text(must, "version")
	r.TargetType = s.text(must, "target_type")
	items, list := s.list(must, "criteria")
	for i, item := range items {
		r.Criteria = append(r.Criteria, readLevelCriterion(d, item, at(list, i)))
		t.criteria = append(t.criteria, trace{node: item, path: at(list, i)})
	}
	if threshold, ok := s.numberIn(must, 0, 1, "pass_threshold"); ok {
		r.Pass = rubric.Threshold(threshold)
	}
	r.Metadata = s.free("metadata")
	if path == "" {
		s.asked = append(s.asked, "rubrics")
	}
	s.close()
	s.adviseSum(r.Criteria)
	return ruled{r, t}
}

// adviseSum warns of weights that do not sum to about 1, as the meta-rubric does.
func (s *scope) adviseSum(list []rubric.Criterion) {
	n := s.n.get("criteria")
	if len(list) == 0 || anyFailed(s.d, n, "weight") {
		return
	}
	sum := 0.0
	for i := range list {
		sum += list[i].Weight.Value
	}
	if math.Abs(sum-1) > 0.01+rubric.Slack {
		s.d.warn(n.at, s.sub("criteria"), "weight-sum", "scale the weights to a sum of 1", "the weights sum to %s; they should sum to 1", rubric.FormatNumber(sum))
	}
}

func readLevelCriterion(d *decoder, n *node, path string) rubric.Criterion {
	c := rubric.Criterion{Required: true}
	s := d.object(n, path, "criterion")
	if s == nil {
		return c
	}
	c.ID = s.word(must, "id")
	c.Name = s.text(must, "name")
	c.Text = s.text(must, "description")
	c.Weight = s.weight(must, 0, math.Inf(1), rubric.Weight{}, "weight")
	if required, set := s.flag("required"); set {
		c.Required, c.RequiredSet = required, true
	}
	c.Answer = rubric.Answer{Kind: rubric.Level, Levels: s.levels(must)}
	s.scoringMethod(&c)
	s.close()
	return c
}

// levels reads a list of levels. A dataknobs level has all its keys; elsewhere
// label and description may be left out.
func (s *scope) levels(full need) []rubric.Rung {
	items, path := s.list(full, "levels")
	if items == nil {
		return nil
	}
	levels := []rubric.Rung{}
	for i, item := range items {
		o := s.d.object(item, at(path, i), "level")
		l := rubric.Rung{ID: o.word(must, "id")}
		l.Label = o.prose(full, "label")
		l.Description = o.prose(full, "description")
		l.Score, _ = o.number(must, "score")
		l.Indicators = o.texts(false, "indicators")
		o.close()
		levels = append(levels, l)
	}
	return levels
}

// scoringMethod binds a criterion to its scorer.
func (s *scope) scoringMethod(c *rubric.Criterion) {
	v, _ := s.raw(must, "scoring_method")
	o := s.openSub(v, "scoring_method", "scoring method")
	if o == nil {
		return
	}
	form := o.choice(must, scoringTypes, "type")
	function := o.text(may, "function_ref")
	ref := o.text(may, "schema_ref")
	schema := o.jsonSchema("schema")
	prompt := o.prompt(form)
	output := o.jsonSchema("decode_output_schema")
	o.close()
	o.foreign(form)
	switch form {
	case "deterministic":
		c.Scorer = rubric.Binding{Way: rubric.ByMetric, Metric: o.function(function)}
	case "schema":
		c.Scorer = rubric.Binding{Way: rubric.BySchema, Schema: &rubric.Schema{Inline: schema, Ref: ref}}
		if schema != nil && ref != "" {
			s.d.fail(v.at, o.path, "said-twice", "keep one of schema and schema_ref", "the schema is written inline and by reference")
		}
	case "llm_decode":
		c.Scorer = rubric.Binding{Way: rubric.ByJudge, Prompt: &rubric.Prompt{Template: prompt, OutputSchema: output}}
	}
}

// prompt returns the template, which only one scoring type has.
func (s *scope) prompt(form string) string {
	if form == "llm_decode" {
		return s.word(must, "decode_prompt")
	}
	return s.text(may, "decode_prompt")
}

// jsonSchema returns a JSON Schema written inline, nil if none is.
func (s *scope) jsonSchema(key string) any {
	if m := s.free(key); m != nil {
		return m
	}
	return nil
}

// foreign refuses keys that belong to another scoring type.
func (s *scope) foreign(form string) {
	owner := map[string]string{"function_ref": "deterministic", "schema_ref": "schema", "schema": "schema", "decode_prompt": "llm_decode", "decode_output_schema": "llm_decode"}
	for i := range s.n.members {
		m := &s.n.members[i]
		if of := owner[m.key]; form != "" && of != "" && of != form && m.value.kind != nullKind {
			s.d.fail(m.at, s.sub(m.key), "key-misplaced", "remove it, or change the type", "%q belongs to the type %s, not %s", m.key, of, form)
		}
	}
}

// function reads "module.path:function": the plugin and the export that
// compute a criterion.
func (s *scope) function(ref string) *rubric.Metric {
	v, _ := s.raw(must, "function_ref")
	last := strings.LastIndexByte(ref, ':') // a plugin's own name may hold colons
	module, name, ok := ref[:max(last, 0)], ref[last+1:], last >= 0
	if v != nil && ref != "" && (!ok || strings.TrimSpace(module) == "" || strings.TrimSpace(name) == "") {
		s.d.fail(v.at, s.sub("function_ref"), "function-ref", `write "module:function": the plugin and its export`, "%q is no reference to a function", clip(ref, 60))
	}
	return &rubric.Metric{Plugin: module, Export: name, Kind: "scorer"}
}

func writeDataknobs(e *encoder, doc *Document) *node {
	if doc.Rubric == nil && len(doc.Rubrics) > 1 || doc.tree.get("rubrics").is(listKind) && doc.Dialect == Dataknobs {
		items := make([]*node, 0, len(doc.Rubrics))
		for _, r := range doc.Rubrics {
			n := e.leveled(*r)
			if n == nil {
				return nil
			}
			items = append(items, n)
		}
		return newObject().put("rubrics", listOf(items))
	}
	rest, ok := e.single(doc)
	if !ok {
		return nil
	}
	return e.leveled(*rest)
}

func (e *encoder) leveled(r rubric.Rubric) *node {
	whole := r
	out := newObject().put("id", textOf(r.ID))
	name := title(&r)
	if name == r.ID {
		r.Name = ""
	}
	out.put("name", textOf(name)).put("description", textOf(r.Description)).put("version", textOf(orElse(r.Version, "1.0.0"))).
		put("target_type", textOf(orElse(r.TargetType, "content")))
	gates := r.Policy.Required != rubric.RequiredEvaluated
	r.ID, r.Name, r.Description, r.Version, r.TargetType = "", "", "", "", ""
	items := []*node{}
	for _, p := range e.flatten("criteria", r.Criteria) {
		if p.c.Weight.Value < 0 {
			e.change(p.path+".weight", "%s has no negative weights: %s", e.to, rubric.FormatNumber(p.c.Weight.Value))
			return nil
		}
		items = append(items, e.levelCriterion(p, &r, gates))
	}
	out.put("criteria", listOf(items))
	threshold := 0.0
	if len(r.Pass.Bands) == 0 {
		e.lose("pass", "%s needs a threshold; 0 lets every case pass, as none does", e.to)
	} else {
		threshold = r.Pass.Bands[0].Min
		if len(r.Pass.Bands) > 1 || r.Pass.Below != "" || r.Pass.Bands[0].Label != "pass" {
			e.lose("pass", "%s says passed or not: %s", e.to, showPass(r.Pass))
		}
	}
	out.put("pass_threshold", numberOf(threshold))
	r.Pass = rubric.Pass{}
	out.putFree("metadata", r.Metadata)
	r.Metadata, r.Scale = nil, nil
	if gates {
		r.Policy.Required = rubric.RequiredEvaluated // what is required was listed criterion by criterion
	}
	e.leftRubric(&r, &whole, dataknobsPolicy())
	return out
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (e *encoder) levelCriterion(p placed, r *rubric.Rubric, gates bool) *node {
	c := p.c
	n := newObject().put("id", textOf(c.ID)).put("name", textOf(c.Label())).put("description", textOf(c.Text)).put("weight", weightOf(c.Weight))
	var levels []rubric.Rung
	e.answerByLevel(p.path, &c, r, &levels)
	items := []*node{}
	for _, l := range levels {
		items = append(items, levelNode(l, true))
	}
	n.put("levels", listOf(items))
	n.put("scoring_method", e.method(p.path, &c))
	switch {
	case !gates && (c.RequiredSet || !c.Required):
		n.put("required", boolOf(c.Required))
		c.Required = false
	case !gates:
		c.Required = false
	case c.Weight.Value == 0 && !c.Required && c.Min == nil:
		n.put("required", boolOf(false)) // it may go without a verdict
	}
	c.ID, c.Name, c.Text, c.Weight = "", "", "", rubric.Weight{}
	e.leftCriterion(p.path, &c)
	return n
}

func levelNode(l rubric.Rung, full bool) *node {
	n := newObject().lined().put("id", textOf(l.ID))
	switch {
	case full:
		n.put("label", textOf(orElse(l.Label, l.ID))).put("description", textOf(l.Description)).put("score", numberOf(l.Score))
	default:
		n.put("score", numberOf(l.Score))
		n.putText("label", l.Label)
		n.putText("description", l.Description)
	}
	if l.Indicators != nil {
		n.put("indicators", textsOf(l.Indicators).lined())
	}
	return n
}

// answerByLevel turns the answer of a criterion into levels.
func (e *encoder) answerByLevel(path string, c *rubric.Criterion, r *rubric.Rubric, levels *[]rubric.Rung) {
	a := &c.Answer
	switch a.KindOrMet() {
	case rubric.Level:
		*levels = a.Levels
		for _, l := range a.Levels {
			if l.Label == "" {
				e.lose(path+".levels", "every level needs a label: %q gets its id", l.ID)
			}
		}
	case rubric.Met:
		*levels = []rubric.Rung{{ID: "unmet", Label: "Unmet", Description: "The criterion is not met.", Score: 0}, {ID: "met", Label: "Met", Description: "The criterion is met.", Score: 1}}
		e.lose(path, "%q is asked for a level, met or unmet", c.ID)
	default:
		*levels = levelsOfScale(a, r.ScaleOf(c))
		e.change(path, "%q is asked for one of %d levels, not for a number", c.ID, len(*levels))
	}
	*a = rubric.Answer{}
}

// levelsOfScale makes levels of what describes a scale: its anchors, the
// middles of its bands, else its two ends.
func levelsOfScale(a *rubric.Answer, s rubric.Scale) []rubric.Rung {
	var out []rubric.Rung
	add := func(at float64, text string) {
		id := "at-" + rubric.FormatNumber(at)
		out = append(out, rubric.Rung{ID: id, Label: rubric.FormatNumber(at), Description: text, Score: min(1, max(0, s.Position(at)))})
	}
	for _, x := range a.Anchors {
		add(x.At, x.Text)
	}
	for _, b := range a.Bands {
		add((b.Low+b.High)/2, b.Text)
	}
	if len(out) < 2 {
		out = nil
		add(s.Min, "The lowest.")
		add(s.Max, "The highest.")
	}
	return out
}

func (e *encoder) method(path string, c *rubric.Criterion) *node {
	n := newObject()
	b := &c.Scorer
	switch b.WayOrJudge() {
	case rubric.ByMetric:
		m := b.Metric
		export := m.Export
		if export == "" {
			export = "score"
			e.lose(path+".metric", "a function needs a name: the export of %s is written as %q", m.Plugin, export)
		}
		n.put("type", textOf("deterministic")).put("function_ref", textOf(m.Plugin+":"+export))
		if contractKind(m) != "scorer" || len(m.Config) > 0 || len(m.References) > 0 {
			e.change(path+".metric", "a function takes the target and no settings: %s is called otherwise", m.Plugin)
		}
	case rubric.BySchema:
		n.put("type", textOf("schema"))
		if b.Schema.Ref != "" {
			n.put("schema_ref", textOf(b.Schema.Ref))
		}
		if b.Schema.Inline != nil {
			n.put("schema", nodeOf(b.Schema.Inline))
		}
	default:
		n.put("type", textOf("llm_decode"))
		if b.Prompt == nil {
			n.put("decode_prompt", textOf(fmt.Sprintf("{%% raw %%}%s{%% endraw %%}\n\n{{ output }}\n", strings.ReplaceAll(c.Text, "{%", "{ %"))))
			e.lose(path+".judge", "%q is asked with a prompt of its own", c.ID)
			break
		}
		n.put("decode_prompt", textOf(b.Prompt.Template))
		if b.Prompt.OutputSchema != nil {
			n.put("decode_output_schema", nodeOf(b.Prompt.OutputSchema))
		}
	}
	*b = rubric.Binding{}
	return n
}
