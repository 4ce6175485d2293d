package dialect

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func anyByOutcome(list []*evalItem) bool {
	byOutcome := func(c *rubric.Criterion) bool { return c.Text == outcomeText }
	return slices.ContainsFunc(list, func(e *evalItem) bool { return rubric.Contains(e.criteria, byOutcome) })
}

// outcomeText marks a criterion whose text is the expected outcome of the case.
const outcomeText = "\x00expected outcome"

// combine makes the rubric of a list of evaluators: the criteria of a single
// one, or a group for each, so that the score is the weighted mean of theirs.
func (r *evalReader) combine(list []*evalItem, outcome string, pass rubric.Pass) placedRubric {
	whole := r.head
	whole.Pass = pass
	t := trace{node: r.node}
	if !r.afford(list) {
		return placedRubric{&whole, t}
	}
	if len(list) == 1 && list[0].flat() {
		only := list[0]
		whole.Criteria = withOutcome(only.criteria, outcome)
		t.criteria = only.trace.criteria
		if only.alone {
			t.criteria = []trace{only.trace}
		} else {
			whole.Ext = nil
			nameEvaluator(&whole, only)
		}
		if only.weight.Value != 1 && !only.alone && !only.weighed {
			only.weighed = true
			r.d.kept = append(r.d.kept, document.Join(only.trace.path, "weight"))
		}
		return placedRubric{&whole, t}
	}
	taken := newNames()
	for _, e := range list {
		c := e.criterion(outcome)
		if from, is := taken.in[strings.ToLower(c.ID)]; is && from != e.list() {
			c.ID = taken.unused(c.ID)
		}
		taken.in[strings.ToLower(c.ID)] = e.list()
		whole.Criteria = append(whole.Criteria, c)
		t.criteria = append(t.criteria, e.trace)
	}
	r.qualify(whole.Criteria)
	return placedRubric{&whole, t}
}

// maxCombined is how many criteria all rubrics of an eval file may have together:
// every case has a copy of the file's.
const maxCombined = 1 << 18

// afford counts the work of combining a list, and refuses too much.
func (r *evalReader) afford(list []*evalItem) bool {
	before := r.combined
	for _, e := range list {
		r.combined += e.size()
	}
	if before <= maxCombined && r.combined > maxCombined {
		r.d.Fail(r.node.At, "", "too-large", "split the file", "its cases have more than %d criteria together", maxCombined)
	}
	return r.combined <= maxCombined
}

// size is the number of criteria of an evaluator, groups included.
func (e *evalItem) size() int {
	if e.counted == 0 {
		each(e.criteria, "", func(string, *rubric.Criterion) { e.counted++ })
		e.counted++
	}
	return e.counted
}

// criterion is the evaluator as one criterion: itself, or a group.
func (e *evalItem) criterion(outcome string) rubric.Criterion {
	if e.alone {
		c := withOutcome(e.criteria, outcome)[0]
		c.Min = e.min
		return c
	}
	return rubric.Criterion{ID: e.name, Weight: e.weight, Min: e.min, Criteria: withOutcome(e.criteria, outcome), Aggregate: e.group}
}

// withOutcome copies criteria and gives those that wait for it the case's
// expected outcome.
func withOutcome(list []rubric.Criterion, outcome string) []rubric.Criterion {
	out := make([]rubric.Criterion, len(list))
	for i, c := range list {
		if c.Text == outcomeText {
			c.Text = outcome
		}
		if c.Criteria != nil {
			c.Criteria = withOutcome(c.Criteria, outcome)
		}
		out[i] = c
	}
	return out
}

// evaluatorKey is the key of a rubric's ext that names the evaluator which its
// criteria form alone, where that is not the rubric's id.
const evaluatorKey = "evaluator"

// EvaluatorName returns the name of the evaluator that the criteria of a rubric
// form alone in an eval file: the one that its document wrote, else the id.
func EvaluatorName(r *rubric.Rubric) string {
	name, _ := r.Ext[evaluatorKey].(string)
	return cmp.Or(name, r.ID)
}

// withoutEvaluator returns ext less the name of the evaluator.
func withoutEvaluator(ext map[string]any) map[string]any {
	if _, is := ext[evaluatorKey].(string); !is {
		return ext
	}
	rest := maps.Clone(ext)
	if delete(rest, evaluatorKey); len(rest) == 0 {
		return nil
	}
	return rest
}

func (e *evalItem) named() bool { return !e.made && e.name != inlineName }

// nameFile gives the criteria of all cases the name of the file's only evaluator: as
// its id if the file has no name.
func (r *evalReader) nameFile() {
	if len(r.file)+len(r.suite) != 1 {
		return
	}
	only := slices.Concat(r.file, r.suite)[0]
	if !only.flat() || only.alone || !only.named() {
		return
	}
	if r.head.Made {
		r.head.ID, r.head.Made = only.name, false
	}
	nameEvaluator(&r.head, only)
}

// nameEvaluator notes the name of the only evaluator of a rubric.
func nameEvaluator(whole *rubric.Rubric, only *evalItem) {
	if only.named() && only.name != whole.ID {
		whole.Ext = map[string]any{evaluatorKey: only.name}
	}
}

// flat reports whether an evaluator that is the only one need not be a group.
func (e *evalItem) flat() bool {
	return e.min == nil && e.weight.Value > 0 && (e.group == "" || e.alone)
}

// list is the path of the list that an evaluator is written in. Two of one name
// in one list are an error that rubric.Check reports; two in different lists
// are told apart.
func (e *evalItem) list() string {
	i := strings.LastIndexByte(e.trace.path, '[')
	return e.trace.path[:max(i, 0)]
}

// names are those in use, in lower case: each with the list that it is written
// in, and the number that was last put to it.
type names struct {
	in   map[string]string
	last map[string]int
}

func newNames() names { return names{map[string]string{}, map[string]int{}} }

// unused numbers a name that is taken.
func (n names) unused(name string) string {
	key := strings.ToLower(name)
	for {
		n.last[key] = max(n.last[key], 1) + 1
		next := name + "-" + strconv.Itoa(n.last[key])
		if _, is := n.in[strings.ToLower(next)]; !is {
			return next
		}
	}
}

// maxQualified is how many bytes the ids may take that qualify makes, in all
// rubrics of a file.
const maxQualified = 16 << 20

// qualify gives criteria of groups whose ids occur elsewhere in the rubric the
// name of their group too: "evaluator/id". Groups come before their members, so
// that a member of a qualified group gets all of its name.
func (r *evalReader) qualify(list []rubric.Criterion) {
	count := map[string]int{}
	each(list, "", func(_ string, c *rubric.Criterion) { count[strings.ToLower(c.ID)]++ })
	each(list, "", func(parent string, c *rubric.Criterion) {
		if parent == "" || count[strings.ToLower(c.ID)] < 2 || r.qualified > maxQualified {
			return
		}
		if r.qualified += len(parent) + len(c.ID); r.qualified > maxQualified {
			r.d.Fail(r.node.At, "", "too-large", "shorten the names of evaluators", "the ids of its criteria take more than %d bytes", maxQualified)
			return
		}
		c.ID = parent + "/" + c.ID
	})
}

// each visits criteria with the id of the group they are in.
func each(list []rubric.Criterion, parent string, visit func(string, *rubric.Criterion)) {
	for i := range list {
		visit(parent, &list[i])
		each(list[i].Criteria, list[i].ID, visit)
	}
}
