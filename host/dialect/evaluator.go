package dialect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// evaluatorKinds says what the types of evaluators come to. Types that are not
// listed are not known at all; of the listed ones the last kind is kept and not
// scored. Underscores and hyphens mean the same.
var evaluatorKinds = map[string]string{
	"rubric": "rubric", "rubrics": "rubric", "llm_rubric": "rubric",
	"llm_judge": "judge", "llm_grader": "judge",
	"code_judge": "code", "code_grader": "code", "code": "code", "script": "code",
	"composite": "composite", "assert_set": "composite",

	"tool_trajectory": "other", "field_accuracy": "other", "execution_metrics": "other", "latency": "other",
	"cost": "other", "token_usage": "other", "contains": "other", "contains_any": "other", "contains_all": "other",
	"icontains": "other", "regex": "other", "equals": "other", "is_json": "other", "starts_with": "other",
	"ends_with": "other", "skill_trigger": "other", "agent_judge": "other",
}

func evaluatorTypes() []string {
	var names []string
	for name := range evaluatorKinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// evaluators reads a list of evaluators. Plain texts in it form one evaluator
// together, whose weight is their number.
func (r *evalReader) evaluators(list []*node, path string) []*evaluator {
	var out []*evaluator
	var texts *evaluator
	for i, item := range list {
		if item.kind != textKind {
			if e := r.evaluator(item, at(path, i)); e != nil {
				out = append(out, e)
			}
			continue
		}
		if texts == nil {
			texts = &evaluator{name: inlineName, trace: trace{node: item, path: at(path, i)}}
			out = append(out, texts)
		}
		r.item(texts, item, at(path, i), len(texts.criteria)+1)
		texts.weight = rubric.Weight{Value: float64(len(texts.criteria))}
	}
	return out
}

func (r *evalReader) evaluator(n *node, path string) *evaluator {
	s := r.d.object(n, path, "evaluator")
	if s == nil {
		return nil
	}
	e := &evaluator{trace: trace{node: n, path: path}}
	form := s.word(must, "type")
	kind := r.kindOf(s, form)
	e.name = s.word(need(r.style.strict), "name")
	if e.name == "" {
		e.name = orElse(form, "evaluator")
	}
	e.weight = s.positiveWeight()
	r.evaluatorGate(s, e)
	switch kind {
	case "rubric":
		r.rubricEvaluator(s, e)
	case "judge":
		r.judgeEvaluator(s, e, form)
	case "code":
		r.codeEvaluator(s, e, form)
	case "composite":
		r.composite(s, e, form)
	case "other":
		s.ignore()
		r.stranger(s, e, form, "an evaluator of type "+form+" is not scored")
	default:
		r.typeless(s, form)
		return nil
	}
	s.close()
	return e
}

// typeless looks for the misspelt key of an evaluator without a type that is
// known; without a type at all its other keys say nothing.
func (r *evalReader) typeless(s *scope, form string) {
	if form != "" {
		return
	}
	s.suggest("rubrics", "criteria", "value", "script", "command", "prompt", "evaluators", "assert", "assertions", "aggregator", "config", "target", "model")
	s.close()
}

func (r *evalReader) kindOf(s *scope, form string) string {
	kind := evaluatorKinds[strings.ReplaceAll(form, "-", "_")]
	if kind == "" && form != "" {
		v := s.n.get("type")
		r.d.fail(v.at, s.sub("type"), "type-unknown", diag.DidYouMean(form, evaluatorTypes()), "unknown type of evaluator %q", clip(form, 60))
	}
	return kind
}

// evaluatorGate reads required: true means that the evaluator must reach .8, a
// number that it must reach that.
func (r *evalReader) evaluatorGate(s *scope, e *evaluator) {
	if v, _ := s.raw(may, "required"); v != nil {
		switch v.kind {
		case boolKind:
			if v.value == "true" {
				least := evalPass.Bands[0].Min
				e.min = &least
			}
		default:
			if x, ok := s.numberIn(may, 0, 1, "required"); ok {
				e.min = &x
			}
		}
	}
	if v, _ := s.raw(may, "min_score"); v != nil {
		s.d.kept = append(s.d.kept, s.sub("min_score"))
		r.d.warn(v.at, s.sub("min_score"), "min-score", "write required to make it a gate", "min_score of an evaluator fails no case and is not read")
	}
	if v, _ := s.raw(may, "negate"); v != nil && v.value != "false" {
		r.unscorable(v.at, s.sub("negate"), "a negated evaluator is not scored")
		e.min = nil
	}
}

func (r *evalReader) rubricEvaluator(s *scope, e *evaluator) {
	s.known("config", "target", "model")
	list, path := s.list(must, "rubrics", "criteria", "value")
	if list != nil && len(list) == 0 {
		r.d.fail(s.n.at, path, "criteria-empty", "add at least one rubric", "the evaluator %q has no rubrics", e.name)
	}
	r.items(e, list, path)
}

// items reads the rubrics of an evaluator.
func (r *evalReader) items(e *evaluator, list []*node, path string) {
	for i, item := range list {
		r.item(e, item, at(path, i), i+1)
	}
}

// inline reads the rubrics of a case as an evaluator.
func (r *evalReader) inline(list []*node, path string, n *node) *evaluator {
	e := &evaluator{name: inlineName, weight: rubric.One, trace: trace{node: n, path: path}}
	r.items(e, list, path)
	return e
}

// item reads one rubric, text or object.
func (r *evalReader) item(e *evaluator, n *node, path string, number int) {
	c := rubric.Criterion{ID: "rubric-" + strconv.Itoa(number), Made: true, Weight: rubric.One}
	if n.kind == textKind {
		c.Text, c.TextKey = r.d.text(n, path), plainText
		c.Required = r.style.stringsRequired
	} else if s := r.d.object(n, path, "rubric"); s != nil {
		r.itemObject(s, &c)
		s.close()
	}
	e.criteria = append(e.criteria, c)
	e.trace.criteria = append(e.trace.criteria, trace{node: n, path: path})
}

// plainText is the TextKey of a rubric that is text alone.
const plainText = "text"

func (r *evalReader) itemObject(s *scope, c *rubric.Criterion) {
	if id := s.word(need(r.style.strict), "id"); id != "" {
		c.ID, c.Made = id, false
	}
	ranges, key := s.raw(may, "score_ranges")
	described := r.style.strict || ranges == nil
	c.Text, c.TextKey = s.spelled(need(described), itemKeys...)
	if c.Text == "" && !described {
		c.Name = c.ID // the ranges say what is judged
	}
	c.Weight = s.positiveWeight()
	c.Required, c.RequiredSet = s.flag("required")
	if !r.style.strict {
		r.itemGate(s, c)
	}
	if ranges != nil {
		c.Answer = rubric.Answer{Kind: rubric.Number, Scale: rubric.ZeroToTen(r.style.discrete)}
		r.ranges(ranges, s.sub(key), &c.Answer)
	}
}

// itemGate reads the least score of a rubric: 0..10, or 0..1 in the later
// spelling.
func (r *evalReader) itemGate(s *scope, c *rubric.Criterion) {
	if v, _ := s.raw(may, "required_min_score"); v != nil {
		x, ok := s.numberIn(may, 0, 10, "required_min_score")
		if ok && x != math.Trunc(x) {
			r.d.fail(v.at, s.sub("required_min_score"), "number-range", "", "required_min_score is %s, not a whole number in 0..10", v.value)
			return
		}
		x /= 10
		c.Min = &x
	}
	if x, ok := s.numberIn(may, 0, 1, "min_score"); ok {
		c.Min = &x
	}
}

// ranges reads score_ranges: an object from score to text, or a list of bands.
func (r *evalReader) ranges(n *node, path string, a *rubric.Answer) {
	switch {
	case n.kind == objectKind && len(n.members) == 0, n.kind == listKind && len(n.items) == 0:
		r.d.fail(n.at, path, "ranges-empty", "describe at least one score", "score_ranges is empty")
	case n.kind == objectKind:
		a.Form = "map"
		r.rangeMap(n, path, a)
	case n.kind == listKind && r.style.bands:
		a.Form = "list"
		r.rangeList(n, path, a)
	default:
		r.d.wrong(n, path, "an object from score to description")
	}
}

func (r *evalReader) rangeMap(n *node, path string, a *rubric.Answer) {
	seen := map[int]bool{}
	var points []rubric.Anchor
	for i := range n.members {
		m := &n.members[i]
		score, err := strconv.Atoi(m.key)
		if err != nil || score < 0 || score > 10 || strconv.Itoa(score) != m.key {
			r.d.fail(m.at, join(path, m.key), "range-key", "write whole numbers from 0 to 10", "%q is no score in 0..10", clip(m.key, 40))
			continue
		}
		m.whole = true
		if seen[score] {
			r.d.fail(m.at, join(path, m.key), "duplicate-key", "remove one of the two", "the score %d is described twice", score)
		}
		seen[score] = true
		points = append(points, rubric.Anchor{At: float64(score), Text: r.d.prose(m.value, join(path, m.key))})
	}
	slices.SortFunc(points, func(a, b rubric.Anchor) int { return int(a.At - b.At) })
	if !r.style.bands {
		a.Anchors = points
		return
	}
	if len(points) > 0 && points[0].At != 0 {
		r.d.fail(n.at, path, "range-gap", "describe the score 0", "the ranges begin at %s; each key is the lowest score of its range, so the first one is 0", rubric.FormatNumber(points[0].At))
	}
	a.Bands = bandsFrom(points)
}

// bandsFrom takes points for the lower ends of bands up to 10.
func bandsFrom(points []rubric.Anchor) []rubric.Stretch {
	var out []rubric.Stretch
	for i, p := range points {
		high := 10.0
		if i+1 < len(points) {
			high = points[i+1].At - 1
		}
		out = append(out, rubric.Stretch{Low: p.At, High: high, Text: p.Text})
	}
	return out
}

func (r *evalReader) rangeList(n *node, path string, a *rubric.Answer) {
	next := 0.0
	for i, item := range n.items {
		s := r.d.object(item, at(path, i), "range")
		if s == nil {
			continue
		}
		var b rubric.Stretch
		var ok bool
		b.Low, b.High, ok = s.ends()
		b.Text = s.prose(must, itemKeys...)
		s.close()
		if ok && b.Low != next {
			r.d.warn(item.at, s.path, "range-gap", "let the ranges follow one another from 0 to 10", "the range begins at %s, not at %s", rubric.FormatNumber(b.Low), rubric.FormatNumber(next))
		}
		next = b.High + 1
		a.Bands = append(a.Bands, b)
	}
}

// ends reads score_range: two whole numbers in 0..10.
func (s *scope) ends() (low, high float64, ok bool) {
	list, path := s.list(must, "score_range")
	if list == nil {
		return 0, 0, false
	}
	var ends [2]float64
	if len(list) != 2 {
		s.d.fail(s.n.at, path, "range-ends", "write [lowest, highest]", "%s wants two numbers, not %d", path, len(list))
		return 0, 0, false
	}
	for i, v := range list {
		x, isNumber := s.d.number(v, at(path, i))
		if isNumber && (x < 0 || x > 10 || x != math.Trunc(x)) {
			s.d.fail(v.at, at(path, i), "range-ends", "", "%s is no whole number in 0..10", v.value)
			isNumber = false
		}
		if !isNumber {
			return 0, 0, false
		}
		ends[i] = x
	}
	return ends[0], ends[1], true
}

// byOutcome is the evaluator that judges the output by the expected outcome of
// its case, with a number from 0 to 1.
func (r *evalReader) byOutcome(name string, t trace) *evaluator {
	c := rubric.Criterion{
		ID: name, Made: true, Weight: rubric.One, Text: outcomeText,
		Answer: rubric.Answer{Kind: rubric.Number, Scale: &rubric.Scale{Min: 0, Max: 1}},
	}
	return &evaluator{name: name, weight: rubric.One, criteria: []rubric.Criterion{c}, alone: true, trace: t}
}

// judgeEvaluator reads an evaluator that asks a model: by rubrics, by a prompt
// of its own, or by the expected outcome.
func (r *evalReader) judgeEvaluator(s *scope, e *evaluator, form string) {
	s.known("target", "model", "temperature", "max_steps", "preprocessors", "config", "cwd")
	if list, path := s.list(may, "rubrics"); len(list) > 0 {
		s.known("prompt") // as upstream: rubrics leave no room for a prompt
		r.items(e, list, path)
		return
	}
	by := r.byOutcome(e.name, e.trace)
	c := &by.criteria[0]
	c.Made, c.Weight = false, e.weight
	c.Ext = map[string]any{"type": form}
	e.criteria, e.alone = by.criteria, true
	prompt, key := s.raw(may, "prompt")
	switch {
	case prompt == nil:
	case prompt.kind == textKind && !isPath(prompt.value):
		c.Ext["prompt"], c.Text = prompt.value, ""
		c.Scorer = rubric.Binding{Way: rubric.ByJudge, Prompt: &rubric.Prompt{Template: ourVariables(prompt.value)}}
	default:
		s.d.value(prompt, s.sub(key))
		r.stranger(s, e, form, fmt.Sprintf("the prompt of %q lies in a file or a program, which is not read", e.name))
	}
}

// isPath reports whether a prompt names a file rather than being one.
func isPath(prompt string) bool {
	return strings.HasPrefix(prompt, "file:") || !strings.ContainsAny(strings.TrimSpace(prompt), " \n\t{") && strings.ContainsAny(prompt, "./")
}

// variables maps the names that AgentV and AgentEvals prompts use to the fields
// of a case.
var variables = map[string]string{
	"candidate_answer": "output", "answer": "output", "output_messages": "output",
	"question": "input", "input_messages": "input",
	"reference_answer": "expected_output", "expected_messages": "expected_output",
	"criteria": "expected_outcome",
}

// ourVariables renames the variables of a prompt.
func ourVariables(prompt string) string {
	var out strings.Builder
	for {
		head, rest, open := strings.Cut(prompt, "{{")
		out.WriteString(head)
		inside, tail, closed := strings.Cut(rest, "}}")
		if !open || !closed {
			if open {
				out.WriteString("{{" + rest)
			}
			return out.String()
		}
		if ours, ok := variables[strings.TrimSpace(inside)]; ok {
			inside = " " + ours + " "
		}
		out.WriteString("{{" + inside + "}}")
		prompt = tail
	}
}

// codeEvaluator reads an evaluator that runs a program: here a plugin, under
// the script's path, of the contract's judge kind.
func (r *evalReader) codeEvaluator(s *scope, e *evaluator, form string) {
	script, key := s.raw(must, "script", "command")
	plugin := ""
	if script != nil {
		if plugin = scriptPath(script); plugin == "" {
			s.d.wrong(script, s.sub(key), "text, or a list of texts")
		}
	}
	spelling, config := map[string]any{}, map[string]any{}
	for i := range s.n.members {
		m := &s.n.members[i]
		switch m.key {
		case "name", "type", "weight", "required", "min_score", "negate":
			continue
		}
		v := s.d.value(m.value, s.sub(m.key))
		spelling[m.key] = v
		switch m.key {
		case "script", "command", "cwd", "target", "preprocessors":
		case "config":
			inner, _ := v.(map[string]any)
			for k, v := range inner {
				config[k] = v
			}
		default: // as upstream: whatever else is written configures the program
			config[m.key] = v
		}
	}
	s.ignore()
	m := &rubric.Metric{Plugin: plugin, Kind: "judge", Type: form, Spelling: spelling}
	if len(config) > 0 {
		m.Config = config
	}
	e.single(rubric.Binding{Way: rubric.ByMetric, Metric: m})
}

// scriptPath is the program that a script runs: the text, or the part of a
// command line that looks like a path.
func scriptPath(n *node) string {
	var words []string
	switch n.kind {
	case textKind:
		words = strings.Fields(n.value)
	case listKind:
		for _, item := range n.items {
			if item.kind != textKind {
				return ""
			}
			words = append(words, item.value)
		}
	}
	for _, w := range words {
		if strings.ContainsAny(w, "./") && !strings.HasPrefix(w, "-") {
			return w
		}
	}
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// single makes the evaluator one criterion with a number from 0 to 1.
func (e *evaluator) single(b rubric.Binding) {
	e.alone = true
	e.criteria = []rubric.Criterion{{
		ID: e.name, Weight: e.weight, Scorer: b,
		Answer: rubric.Answer{Kind: rubric.Number, Scale: &rubric.Scale{Min: 0, Max: 1}},
	}}
}

// stranger keeps an evaluator that cannot be scored: bound to a plugin that
// cannot exist, so that nothing is scored without it by mistake.
func (r *evalReader) stranger(s *scope, e *evaluator, form, message string) {
	spelling := map[string]any{}
	for i := range s.n.members {
		m := &s.n.members[i]
		switch m.key {
		case "name", "type", "weight":
			continue
		}
		spelling[m.key] = s.d.value(m.value, s.sub(m.key))
	}
	r.unscorable(s.n.at, s.path, message)
	e.single(rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: UnscorablePrefix + form, Kind: "judge", Type: form, Spelling: spelling}})
}

// aggregators are those that a group of criteria can be combined with.
var aggregators = map[string]rubric.Aggregate{
	"": rubric.WeightedMean, "weighted_average": rubric.WeightedMean, "minimum": rubric.Min, "maximum": rubric.Max,
}

// composite reads an evaluator made of others: a group.
func (r *evalReader) composite(s *scope, e *evaluator, form string) {
	list, path := s.list(must, append([]string{"evaluators"}, assertKeys...)...)
	v, key := s.raw(may, "aggregator")
	how, weights := "", map[string]rubric.Weight(nil)
	if v != nil {
		how, weights = r.aggregator(s, v, key)
	}
	before := len(r.out.unscorable)
	members := r.evaluators(list, path)
	group, known := aggregators[how]
	if !known {
		r.out.unscorable = r.out.unscorable[:before]
		s.ignore()
		r.stranger(s, e, form, fmt.Sprintf("a composite evaluator with the aggregator %q is not scored", how))
		return
	}
	if list != nil && len(members) == 0 {
		r.d.fail(s.n.at, path, "criteria-empty", "add an evaluator", "the evaluator %q is made of none", e.name)
	}
	e.group = group
	for _, m := range members {
		c := m.criterion(outcomeText)
		if w, ok := weights[m.name]; ok {
			c.Weight = w
		}
		e.criteria = append(e.criteria, c)
		e.trace.criteria = append(e.trace.criteria, m.trace)
	}
}

func (r *evalReader) aggregator(s *scope, v *node, key string) (how string, weights map[string]rubric.Weight) {
	o := s.openSub(v, key, "aggregator")
	if o == nil {
		return "", nil
	}
	how = o.word(must, "type")
	o.known("required", "threshold", "prompt", "path", "model", "cwd", "script")
	w, key := o.raw(may, "weights")
	if w != nil && w.kind == objectKind {
		weights = map[string]rubric.Weight{}
		ws := o.openSub(w, key, "weights")
		for i := range w.members {
			name := w.members[i].key
			weights[name] = ws.weight(may, 0, math.Inf(1), rubric.One, name)
		}
		ws.close()
	} else if w != nil {
		o.d.wrong(w, o.sub(key), "an object from evaluator to weight")
	}
	o.close()
	return how, weights
}
