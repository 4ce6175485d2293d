package generate

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A form is the set of features that a draft may have, for the dialect that it will
// be written in.
type form struct {
	faults bool // criteria that describe something unwanted
	levels bool // criteria that are answered by a level
	gates  bool // criteria that are required
	shares bool // the weights sum to 1
}

type draft struct {
	Criteria []draftCriterion `json:"criteria"`
}

type draftCriterion struct {
	ID       string       `json:"id"`
	Text     string       `json:"text"`
	Weight   *float64     `json:"weight"`
	Required *bool        `json:"required"`
	Fault    *bool        `json:"fault"`
	Levels   []draftLevel `json:"levels"`
}

type draftLevel struct {
	ID          string   `json:"id"`
	Description string   `json:"description"`
	Score       *float64 `json:"score"`
}

// A feature is a member of a criterion that only some forms have.
type feature struct{ name, schema, example, words string }

func (f form) features() (list []feature) {
	if f.gates {
		list = append(list, feature{"required", `{"type":"boolean"}`, "false", "true only if an output without it must fail"})
	}
	if f.faults {
		list = append(list, feature{"fault", `{"type":"boolean"}`, "false", "true if the text describes something unwanted, which then costs its weight; never required"})
	}
	if f.levels {
		list = append(list, feature{"levels", `{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"description":{"type":"string"},"score":{"type":"number"}},"required":["id","description","score"],"additionalProperties":false}}`, "[]",
			fmt.Sprintf(`[] for a criterion that is met or not; else %d to %d, from low to high: {"id": "partial", "description": "...", "score": 0.5}, scores from 0 to 1`, fewestLevels, mostLevels)})
	}
	return list
}

// schema returns the JSON Schema of a draft. It has types only: bounds are in the
// form's text, and checked, since not every endpoint takes them.
func (f form) schema() jsontext.Value {
	names := `"id","text","weight"`
	properties := `"id":{"type":"string"},"text":{"type":"string"},"weight":{"type":"number"}`
	for _, x := range f.features() {
		names += `,"` + x.name + `"`
		properties += `,"` + x.name + `":` + x.schema
	}
	return jsontext.Value(`{"type":"object","properties":{"criteria":{"type":"array","items":{"type":"object","properties":{` + properties +
		`},"required":[` + names + `],"additionalProperties":false}}},"required":["criteria"],"additionalProperties":false}`)
}

func (f form) text() string {
	example, words := `{"criteria": [{"id": "short-name", "text": "one sentence", "weight": 1`, ""
	for _, x := range f.features() {
		example += `, "` + x.name + `": ` + x.example
		words += "- " + x.name + ": " + x.words + "\n"
	}
	return fmt.Sprintf("Answer with one JSON object of this form, with %d to %d criteria, and nothing else:\n%s}]}\n"+
		"- id: lower-case letters, digits and hyphens, at most %d\n- text: one line of at most %d bytes, plain words\n- weight: importance, above 0, at most %g\n%s",
		fewest, most, example, maxID, maxText, maxWeight, words)
}

// read reads a draft strictly. problem lists its errors for the model; empty: none.
func (f form) read(object jsontext.Value) (list []rubric.Criterion, problem string) {
	var d draft
	if err := json.Unmarshal(object, &d, json.RejectUnknownMembers(true)); err != nil {
		return nil, "it is not of the form: " + jsonProblem(err)
	}
	p := &problems{}
	if n := len(d.Criteria); n < fewest || n > most {
		p.add("there are %d criteria, not %d to %d", n, fewest, most)
		return nil, p.String()
	}
	seen := map[string]bool{}
	for i := range d.Criteria {
		c, ok := f.criterion(p, i+1, &d.Criteria[i])
		if ok && seen[c.ID] {
			p.add("two criteria have the id %q", c.ID)
		}
		seen[c.ID] = true
		list = append(list, c)
	}
	if len(p.list) > 0 {
		return nil, p.String()
	}
	r := asRubric("draft", list)
	for _, found := range append(rubric.Check(r), rubric.Lint(r)...) {
		if found.Code != "threshold-trivial" && !strings.HasPrefix(found.Code, "example") {
			p.add("%s: %s", found.Message, found.Hint)
		}
	}
	for _, found := range rubric.CheckWeights(r) {
		p.add("%s: %s", found.Message, found.Hint)
	}
	if len(p.list) > 0 {
		return nil, p.String()
	}
	if f.shares {
		share(list)
	}
	return list, ""
}

// share scales the weights to a sum of 1.
func share(list []rubric.Criterion) {
	parts := make([]*big.Rat, len(list))
	for i := range list {
		parts[i], _ = new(big.Rat).SetString(list[i].Weight.Literal)
	}
	for i, literal := range rubric.Shares(parts) {
		value, _ := strconv.ParseFloat(literal, 64)
		list[i].Weight = rubric.Weight{Value: value, Literal: literal}
	}
}

func asRubric(id string, list []rubric.Criterion) *rubric.Rubric {
	r := &rubric.Rubric{ID: id, Criteria: list, Policy: rubric.Policy{Required: rubric.RequiredMet}, Pass: rubric.Threshold(0.8)}
	r.Source.Dialect = "native"
	return r
}

func (f form) criterion(p *problems, n int, d *draftCriterion) (rubric.Criterion, bool) {
	before := len(p.list)
	c := rubric.Criterion{ID: dialect.Slug(d.ID, maxID), Text: p.line(fmt.Sprintf("the text of criterion %d", n), d.Text, maxText), Weight: rubric.One}
	if c.ID == "" {
		p.add("criterion %d has no id of letters and digits", n)
	}
	switch w := d.Weight; {
	case w == nil:
		p.add("criterion %d has no weight", n)
	case !(*w > 0 && *w <= maxWeight):
		p.add("the weight of criterion %d is %s, not above 0 and at most %g", n, rubric.FormatNumber(*w), maxWeight)
	default:
		c.Weight = weight(*w)
	}
	if d.Required != nil && *d.Required {
		if !f.gates {
			p.add("criterion %d is required: give it a higher weight instead", n)
		}
		c.Required, c.RequiredSet = true, true
	}
	if d.Fault != nil && *d.Fault {
		switch {
		case !f.faults:
			p.add("criterion %d is a fault: describe what is wanted", n)
		case c.Required:
			p.add("criterion %d is a fault and required: it cannot be both", n)
		case len(d.Levels) > 0:
			p.add("criterion %d is a fault and has levels: a fault is present or absent", n)
		}
		c.Weight = weight(-c.Weight.Value)
	}
	f.levelsOf(p, n, d, &c)
	return c, len(p.list) == before
}

// weight returns a weight that is written with at most two decimals, and keeps its
// sign.
func weight(w float64) rubric.Weight {
	w = math.Copysign(max(0.01, math.Round(math.Abs(w)*100)/100), w)
	return rubric.Weight{Value: w, Literal: strconv.FormatFloat(w, 'f', -1, 64)}
}

func (f form) levelsOf(p *problems, n int, d *draftCriterion, c *rubric.Criterion) {
	switch k := len(d.Levels); {
	case k == 0:
		return
	case !f.levels:
		p.add("criterion %d has levels: it is met or not", n)
		return
	case k < fewestLevels || k > mostLevels:
		p.add("criterion %d has %d levels, not %d to %d", n, k, fewestLevels, mostLevels)
		return
	}
	seen := map[string]bool{}
	c.Answer.Kind = rubric.KindLevel
	for i, l := range d.Levels {
		level := rubric.Level{ID: dialect.Slug(l.ID, maxID), Description: p.line(fmt.Sprintf("level %d of criterion %d", i+1, n), l.Description, maxLevel)}
		switch {
		case level.ID == "" || seen[level.ID]:
			p.add("level %d of criterion %d has no id of its own", i+1, n)
		case l.Score == nil || !(*l.Score >= 0 && *l.Score <= 1):
			p.add("level %q of criterion %d has no score from 0 to 1", level.ID, n)
		default:
			level.Score = *l.Score
		}
		seen[level.ID] = true
		c.Answer.Levels = append(c.Answer.Levels, level)
	}
}

type problems struct{ list []string }

func (p *problems) add(format string, args ...any) {
	p.list = append(p.list, fault.Clip(fmt.Sprintf(format, args...), 200))
}

// String returns the first problems in one line.
func (p *problems) String() string { return fault.First(maxProblems, p.list, "; ") }

// line returns text that a model wrote for a judge on one line. Characters that do not show, and marks of
// templates, which some dialects would run, are problems.
func (p *problems) line(what, text string, longest int) string {
	plain := strings.Join(strings.Fields(text), " ")
	switch {
	case plain == "":
		p.add("%s is empty", what)
	case len(plain) > longest:
		p.add("%s has %d bytes, more than %d", what, len(plain), longest)
	case !utf8.ValidString(plain) || strings.ContainsFunc(plain, hidden):
		p.add("%s holds characters that do not show", what)
	case strings.Contains(plain, "{{") || strings.Contains(plain, "{%") || strings.Contains(plain, "{#"):
		p.add("%s holds {{, {%% or {#, the marks of a template", what)
	default:
		return plain
	}
	return ""
}

// hidden reports whether a character is a control, changes the direction of text,
// or has no width. Joiners are part of words and of emoji.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' || r == utf8.RuneError || unicode.Is(unicode.Co, r)
}

// jsonProblem says in a few words why JSON is not of a form.
func jsonProblem(err error) string {
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		if s.Err != nil {
			return fmt.Sprintf("%s at %q", s.Err, fault.Clip(string(s.JSONPointer), 60))
		}
		return fmt.Sprintf("%q has the wrong type", fault.Clip(string(s.JSONPointer), 60))
	}
	return fault.Clip(err.Error(), 120)
}
