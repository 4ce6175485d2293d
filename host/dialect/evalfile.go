package dialect

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// AgentEvals and AgentV are one format that grew apart. The common part is read here;
// an evalStyle holds the differences.
type evalStyle struct {
	rubricType      string // the type that an evaluator with rubrics is written with
	required        rubric.RequiredRule
	stringsRequired bool // a rubric that is plain text is required
	discrete        bool // a range is answered with a whole number
	bands           bool // the keys of score_ranges begin bands; else they are points
	replace         bool // a case's evaluators replace the file's; else they join them
	strict          bool // ids, names and expected outcomes must be written
	keeps           []string
	caseKeeps       []string
}

// The spellings of the two formats, the documents' own first.
var (
	caseKeys    = []string{"evalcases", "tests", "eval_cases", "cases"}
	outcomeKeys = []string{"expected_outcome", "outcome", "criteria"}
	itemKeys    = []string{"expected_outcome", "outcome", "criteria", "description"}
	assertKeys  = []string{"assert", "assertions"}
)

// runKeys are settings of the system under test and of the original runner:
// kept, and not read, since outputs come to this program ready made.
var runKeys = []string{
	"target", "targets", "timeout_seconds", "workers", "cache", "trials", "budget_usd",
	"fail_on_error", "total_budget_usd",
}

// inlineName is the name of the evaluator that a case's own rubrics form.
const inlineName = "rubric"

// Thresholds of both formats.
var evalPass = rubric.Pass{Bands: []rubric.PassBand{{Label: "pass", Min: 0.8}, {Label: "borderline", Min: 0.6}}}

func (st *evalStyle) policy() rubric.Policy {
	return rubric.Policy{Aggregate: rubric.WeightedMean, Required: st.required, Strategy: rubric.Batch}
}

type evalReader struct {
	d     *decoder
	style *evalStyle
	head  rubric.Rubric // settings shared by every rubric of the file
	node  *node

	file   []*evalItem // execution.evaluators, which a case may replace
	suite  []*evalItem // assert, added to every case's own
	out    contents
	shared *placedRubric

	combined  int // criteria of all rubrics so far
	qualified int // bytes of ids that qualify made
}

// An evalItem is one scorer of an eval file, which documents call an evaluator: a
// list of criteria, or a single one.
type evalItem struct {
	name     string
	weight   rubric.Weight
	min      *float64
	criteria []rubric.Criterion
	group    rubric.Aggregate // of criteria
	alone    bool             // criteria is one that stands for the evaluator itself
	made     bool             // the document has no name; name was made of the type
	negated  bool             // its score counts the other way round
	weighed  bool             // it is noted that its weight means nothing, since it is the only one
	counted  int              // see size; 0: not yet
	trace    trace
}

func (st *evalStyle) decode(d *decoder, n *node) contents {
	if n.Is(document.List) { // the list that stands under rubrics, as the documents show it
		whole := newObject().Put("rubrics", n)
		whole.At = n.At
		n = whole
	}
	r := &evalReader{d: d, style: st, node: n}
	s := d.object(n, "", "eval file")
	if s == nil {
		return r.out
	}
	s.Text(may, "$schema")
	r.head = rubric.Rubric{ID: inlineName, Made: true, Policy: st.policy(), Pass: evalPass}
	if name := s.Text(may, "name"); name != "" {
		r.head.ID, r.head.Made = name, false
		if st.strict && !evalName().MatchString(name) {
			d.advise(n.Get("name").At, "name", "name-form", "use lower-case letters, digits and hyphens", "the name %q is not of the form that AgentEvals requires", fault.Clip(name, 60))
		}
	}
	r.head.Version = s.Text(may, "version")
	r.head.Description = s.Text(may, "description")
	r.head.Metadata = s.Free("metadata")
	s.known(st.keeps...)
	r.fileLevel(s)
	r.nameFile()
	r.share()
	cases, key := s.List(may, caseKeys...)
	for i, item := range cases {
		r.one(item, document.Index(key, i))
	}
	s.Close()
	r.uniqueCases()
	if r.shared == nil && len(r.out.cases) == 0 && len(d.Errors) == 0 {
		d.Fail(n.At, "", "rubric-missing", "add rubrics to execution.evaluators or to a case", "the file has neither rubrics nor cases")
	}
	return r.out
}

// fileLevel reads the settings for every case.
func (r *evalReader) fileLevel(s *scope) {
	if x := s.member(may, "execution", "execution"); x != nil {
		r.execution(x, &r.file, &r.suite, &r.head.Pass)
		x.Close()
		r.d.keep(s, "execution", "skip_defaults") // means something in cases only
	}
	r.scorers(s, &r.file, &r.suite)
	list, path := s.List(may, "rubrics")
	if len(list) > 0 {
		r.file = append(r.file, r.inline(list, path, s.Node.Get("rubrics")))
	}
}

func (r *evalReader) scorers(s *scope, evaluators, asserts *[]*evalItem) {
	list, path := s.List(may, "evaluators")
	*evaluators = append(*evaluators, r.evaluators(list, path)...)
	list, path = s.List(may, assertKeys...)
	*asserts = append(*asserts, r.evaluators(list, path)...)
}

func (r *evalReader) execution(x *scope, evaluators, asserts *[]*evalItem, pass *rubric.Pass) (skipDefaults bool) {
	x.known(runKeys...)
	r.scorers(x, evaluators, asserts)
	if t, ok := x.NumberTo(may, 1, "threshold"); ok {
		*pass = rubric.Threshold(t)
	}
	skipDefaults, _ = x.Flag("skip_defaults")
	return skipDefaults
}

// evalName is the form that the AgentEvals schema gives to a file's name.
var evalName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}[a-z0-9]$`) })

// share makes the rubric of the cases that have nothing of their own, if there
// is one: evaluators that judge by a case's own outcome have none.
func (r *evalReader) share() {
	list := slices.Concat(r.file, r.suite)
	if len(list) == 0 || anyByOutcome(list) {
		return
	}
	shared := r.combine(list, "", r.head.Pass)
	r.shared = &shared
	r.out.rubrics = append(r.out.rubrics, shared)
}

func (r *evalReader) one(n *node, path string) {
	s := r.d.object(n, path, "case")
	if s == nil {
		return
	}
	held := placedCase{at: n.At}
	held.ID = s.Word(must, "id")
	outcome := s.Text(may, outcomeKeys...)
	if !n.Has("input", "input_messages", "turns") {
		r.d.advise(n.At, path, "input-missing", "write input", "the case has no input")
	}
	if !n.Has(outcomeKeys...) {
		r.d.advise(n.At, path, "outcome-missing", "write expected_outcome", "the case has no expected outcome")
	}
	fields := newObject().Put("id", textOf(held.ID))
	r.fields(s, fields)
	putText(fields, "expected_outcome", outcome)
	list, own, pass := r.caseEvaluators(s)
	if e := r.conversation(s, fields); e != nil {
		list, own = append(list, e), true
	}
	s.Close()
	held.Fields = document.Compact(fields)
	if len(list) == 0 {
		list = []*evalItem{outcomeJudge("outcome", trace{node: n, path: path})}
		own = true
	}
	if own || r.shared == nil || pass != nil {
		if anyByOutcome(list) && strings.TrimSpace(outcome) == "" {
			r.d.Fail(n.At, path, "outcome-missing", "write expected_outcome, or rubrics", "the case %q has neither rubrics nor an expected outcome to be judged by", held.ID)
		}
		pass = cmp.Or(pass, &r.head.Pass)
		own := r.combine(list, outcome, *pass)
		held.own = &own
	}
	r.out.cases = append(r.out.cases, held)
}

// caseFields are the members of a case besides its rubrics: the name that datasets
// use, the spellings, and the valid types.
var caseFields = []struct {
	as    string
	from  []string
	want  string
	kinds []document.Kind
}{
	{"input", []string{"input_messages", "input"}, "text, or a list of messages", []document.Kind{document.Text, document.Object, document.List}},
	{"expected_output", []string{"expected_messages", "expected_output"}, "text, an object, or a list of messages", []document.Kind{document.Text, document.Object, document.List}},
	{"description", []string{"description"}, "text", []document.Kind{document.Text}},
	{"note", []string{"note"}, "text", []document.Kind{document.Text}},
	{"conversation_id", []string{"conversation_id"}, "text", []document.Kind{document.Text}},
	{"metadata", []string{"metadata"}, "an object", []document.Kind{document.Object}},
}

// fields keeps the fields of a case beside its rubrics, under the names that
// datasets use.
func (r *evalReader) fields(s *scope, out *node) {
	for _, f := range caseFields {
		v, key := s.Raw(may, f.from...)
		if v == nil {
			continue
		}
		if !slices.Contains(f.kinds, v.Kind) {
			s.d.Wrong(v, s.Sub(key), f.want)
			continue
		}
		s.d.Value(v, s.Sub(key)) // reports numbers that JSON cannot say
		out.Put(f.as, v)
		if f.as == "conversation_id" {
			out.Put("cluster", v)
		}
	}
	for _, key := range r.style.caseKeeps {
		if v, _ := s.Raw(may, key); v != nil {
			s.d.Value(v, s.Sub(key))
			out.Put(key, v)
		}
	}
}

// conversationPlugin stands for the scoring of a case of several turns.
const conversationPlugin = UnscorablePrefix + "conversation"

// conversation returns an evaluator that cannot be scored for a case of several
// turns, nil for any other.
func (r *evalReader) conversation(s *scope, fields *node) *evalItem {
	var v *node
	var key string
	for _, k := range []string{"mode", "turns"} {
		if found, _ := s.Raw(may, k); found != nil {
			v, key = found, k
			s.d.Value(v, s.Sub(key))
			fields.Put(key, v)
		}
	}
	if v == nil {
		return nil
	}
	e := &evalItem{name: "conversation", weight: rubric.One, trace: trace{node: v, path: s.Sub(key)}}
	e.single(rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: conversationPlugin, Kind: "judge", Type: "conversation"}})
	r.unscorable(v.At, s.Sub(key), "a case of several turns is not scored as a conversation")
	return e
}

// caseEvaluators returns everything that scores a case. own says that the case
// adds or replaces something; pass is its own threshold, if any.
func (r *evalReader) caseEvaluators(s *scope) (list []*evalItem, own bool, pass *rubric.Pass) {
	var evaluators, asserts, inline []*evalItem
	skip := false
	if x := s.member(may, "execution", "execution"); x != nil {
		var set rubric.Pass
		skip = r.execution(x, &evaluators, &asserts, &set)
		x.Close()
		if set.Bands != nil {
			pass = &set
		}
	}
	r.scorers(s, &evaluators, &asserts)
	items, path := s.List(may, "rubrics")
	switch {
	case len(items) > 0:
		inline = append(inline, r.inline(items, path, s.Node.Get("rubrics")))
	case items != nil:
		r.d.Warn(s.Node.Get("rubrics").At, path, "rubrics-empty", "remove the key, or add rubrics", "the list of rubrics is empty")
	}
	if len(r.file)+len(r.suite) == 0 {
		r.d.keep(s, "execution", "skip_defaults") // there is nothing to skip
	}
	own = len(evaluators)+len(asserts)+len(inline) > 0 || skip
	file, suite := r.file, r.suite
	if skip {
		file, suite = nil, nil
	}
	if r.style.replace {
		if len(evaluators) > 0 {
			file = nil
		}
		return slices.Concat(inline, evaluators, asserts, file, suite), own, pass
	}
	return slices.Concat(file, suite, inline, evaluators, asserts), own, pass
}

func (r *evalReader) uniqueCases() {
	seen := map[string]document.Place{}
	for _, c := range r.out.cases {
		if c.ID == "" || r.d.Full() {
			continue
		}
		if first, twice := seen[c.ID]; twice {
			r.d.Fail(c.at, "", "case-duplicate", "give each case an id of its own", "the case id %q is taken by the case on line %d", c.ID, r.d.Doc.Line(first))
			continue
		}
		seen[c.ID] = c.at
	}
}

// unscorable notes an item that is kept but cannot be scored.
func (r *evalReader) unscorable(place document.Place, path, message string) {
	if len(r.out.unscorable) > diag.Limit {
		return
	}
	r.out.unscorable.Add(diag.Diagnostic{
		Severity: diag.Error, Code: "unscorable", Path: fault.Clip(path, 400), Pos: r.d.Doc.Pos(place), Message: fault.Clip(message, 400),
		Hint: "scored are: rubric, llm_judge, code_judge, and composite with weighted_average, minimum or maximum",
	})
}

// positiveWeight reads a weight of at least 0, 1 if none is written.
func (s *scope) positiveWeight() rubric.Weight {
	return s.weight(may, 0, math.Inf(1), rubric.One, "weight")
}

// CaseKeys returns the keys under which eval files have their cases: native ones under
// "cases", those of AgentEvals and AgentV under one of all.
func CaseKeys() []string { return slices.Clone(caseKeys) }
