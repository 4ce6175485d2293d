package dialect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

// shape draws the criteria of a rubric: ids, groups with their members in
// parentheses, weights other than 1 behind a colon, "!" for a gate.
func shape(list []rubric.Criterion) string {
	var out []string
	for i := range list {
		c := &list[i]
		s := c.ID
		if c.Group() {
			s += "(" + shape(c.Criteria) + ")"
		}
		if c.Aggregate != "" {
			s += "=" + string(c.Aggregate)
		}
		if c.Weight.Value != 1 {
			s += ":" + rubric.FormatNumber(c.Weight.Value)
		}
		if c.Required {
			s += "!"
		}
		if c.Min != nil {
			s += ">=" + rubric.FormatNumber(*c.Min)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestDecode_CombinesEvaluatorsOfACase(t *testing.T) {
	const shared = "execution: {evaluators: [{name: shared, type: rubric, weight: 3, rubrics: [{id: tone, expected_outcome: x}, {id: facts, expected_outcome: y}]}]}\n"
	const twoShared = "execution: {evaluators: [{name: one, type: rubric, rubrics: [{id: tone, expected_outcome: x}]}, {name: two, type: rubric, weight: 2, rubrics: [{id: tone, expected_outcome: y}, {id: facts, expected_outcome: z}]}]}\n"
	tests := []struct {
		name, dialect, src string
		file               string   // shape of the file's rubric; "-" for none
		cases              []string // shapes of the cases' rubrics
	}{
		{"a single evaluator is its criteria", AgentEvals, shared + "evalcases: [{id: a}]", "tone facts", []string{"tone facts"}},
		{"several become groups with their weights", AgentEvals, twoShared, "one(one/tone) two(two/tone facts):2", nil},
		{"a case without rubrics is judged by its outcome", AgentEvals, "evalcases: [{id: a, input: i, expected_outcome: x, rubrics: [y]}, {id: b, expected_outcome: z}]", "-", []string{"rubric-1", "outcome"}},
		{"AgentEvals joins what the file and the case say", AgentEvals, shared + "evalcases: [{id: a, rubrics: [x, y]}, {id: b}]", "tone facts", []string{"shared(tone facts):3 rubric(rubric-1 rubric-2)", "tone facts"}},
		{"a case's evaluators join too in AgentEvals", AgentEvals, shared + "evalcases: [{id: a, rubrics: [x], execution: {evaluators: [{name: own, type: rubric, rubrics: [z]}]}}]", "tone facts",
			[]string{"shared(tone facts):3 rubric(rubric/rubric-1) own(own/rubric-1)"}},
		{"a case's evaluators replace the file's in AgentV", AgentV, shared + "evalcases: [{id: a, execution: {evaluators: [{name: own, type: rubric, rubrics: [z]}]}}, {id: b}]", "tone facts",
			[]string{"rubric-1!", "tone facts"}},
		{"inline rubrics are added in AgentV, first", AgentV, shared + "evalcases: [{id: a, rubrics: [x]}]", "tone facts", []string{"rubric(rubric-1!) shared(tone facts):3"}},
		{"inline rubrics and a case's evaluators replace the file's together", AgentV, shared + "evalcases: [{id: a, rubrics: [x], execution: {evaluators: [{name: check, type: code_judge, script: ./a.py, weight: 2}]}}]", "tone facts",
			[]string{"rubric(rubric-1!) check:2"}},
		{"asserts of the file join, unless they are skipped", AgentV, "assert: [everywhere]\ntests: [{id: a, assert: [x, y]}, {id: b, criteria: z, execution: {skip_defaults: true}}]", "rubric-1!",
			[]string{"rubric(rubric/rubric-1! rubric/rubric-2!):2 rubric-2(rubric-2/rubric-1!)", "outcome"}},
		{"text is required in AgentV and not in AgentEvals", AgentEvals, "rubrics: [x]", "rubric-1", nil},
		{"ids that are taken in another group are qualified", AgentV, "execution: {evaluators: [{name: a, type: rubric, rubrics: [{id: x, outcome: o}, {id: y, outcome: o}]}, {name: b, type: rubric, rubrics: [{id: X, outcome: o}]}]}", "a(a/x y) b(b/X)", nil},
		{"an id that is the name of a group is qualified", AgentV, "execution: {evaluators: [{name: a, type: rubric, rubrics: [{id: b, outcome: o}]}, {name: b, type: rubric, rubrics: [{id: c, outcome: o}]}]}", "a(a/b) b(c)", nil},
		{"an evaluator that must reach a score stays a group", AgentV, "execution: {evaluators: [{name: a, type: rubric, required: true, rubrics: [{id: x, outcome: o}]}]}", "a(x)>=0.8", nil},
		{"so does one that must reach a number", AgentV, "execution: {evaluators: [{name: a, type: rubric, required: 0.25, rubrics: [{id: x, outcome: o}]}]}", "a(x)>=0.25", nil},
		{"a composite is a group of its members", AgentEvals, "execution: {evaluators: [{name: all, type: composite, weight: 2, aggregator: {type: minimum}, evaluators: [{name: m, type: rubric, rubrics: [{id: x, outcome: o}]}, {name: n, type: code_judge, script: ./b.py}]}, {name: r, type: rubric, rubrics: [{id: y, outcome: o}]}]}",
			"all(m(x) n)=min:2 r(y)", nil},
		{"an aggregator's weights outweigh the members'", AgentEvals, "execution: {evaluators: [{name: all, type: composite, aggregator: {type: weighted_average, weights: {m: 5}}, evaluators: [{name: m, type: rubric, weight: 2, rubrics: [{id: x, outcome: o}]}, {name: n, type: rubric, rubrics: [{id: y, outcome: o}]}]}]}",
			"all(m(x):5 n(y))=weighted_mean", nil},
		{"required_min_score is a tenth", AgentV, "rubrics: [{id: x, outcome: o, required_min_score: 7, score_ranges: {0: a}}]", "x>=0.7", nil},
		{"min_score is as it is", AgentV, "rubrics: [{id: x, outcome: o, min_score: 0.75}]", "x>=0.75", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := decoded(t, "", tt.src, Options{Dialect: tt.dialect})
			file := "-"
			if doc.Rubric != nil {
				file = shape(doc.Rubric.Criteria)
			}
			if file != tt.file {
				t.Errorf("file: %s, want %s", file, tt.file)
			}
			var cases []string
			for _, c := range doc.Cases {
				cases = append(cases, shape(c.Rubric.Criteria))
			}
			if d := cmp.Diff(tt.cases, cases); d != "" {
				t.Errorf("cases (-want +got)\n%s", d)
			}
		})
	}
}

func TestDecode_CasesWithoutRubricsShareOne(t *testing.T) {
	doc := decoded(t, "", "execution: {evaluators: [{name: s, type: rubric, rubrics: [x]}]}\nevalcases: [{id: a}, {id: b}, {id: c, rubrics: [y]}]", Options{})
	if doc.Cases[0].Rubric != doc.Rubric || doc.Cases[1].Rubric != doc.Rubric || doc.Cases[2].Rubric == doc.Rubric {
		t.Error("cases do not share the file's rubric")
	}
}

func TestDecode_CaseScoresAreMeansOfEvaluators(t *testing.T) {
	src := "execution: {evaluators: [{name: shared, type: rubric, weight: 3, rubrics: [{id: tone, expected_outcome: x}, {id: facts, expected_outcome: y, weight: 3}]}]}\nevalcases: [{id: a, rubrics: [z]}]"
	doc := decoded(t, "", src, Options{})
	met := func(id string, yes bool) rubric.Verdict {
		v := rubric.Verdict{Criterion: id, Status: rubric.Scored, Native: rubric.MetIs(yes)}
		if yes {
			v.Value = 1
		}
		return v
	}
	got := score.Combine(doc.Cases[0].Rubric, []rubric.Verdict{met("tone", false), met("facts", true), met("rubric-1", true)}, score.Options{})
	if want := (3*0.75 + 1*1) / 4.0; got.Score == nil || *got.Score != want {
		t.Errorf("%+v, want %g", got, want)
	}
}

func TestDecode_FreeFormCaseIsJudgedByItsOutcome(t *testing.T) {
	doc := decoded(t, "", "evalcases:\n  - {id: a, input: i, expected_outcome: Says hello}\n", Options{})
	c := doc.Cases[0].Rubric.Criteria[0]
	if c.Text != "Says hello" || c.Answer.Kind != rubric.KindNumber || *c.Answer.Scale != (rubric.Scale{Min: 0, Max: 1}) || c.Scorer.WayOrJudge() != rubric.ByJudge {
		t.Errorf("%+v", c)
	}
	if doc.Rubric != nil || len(doc.Rubrics) != 0 {
		t.Error("the file has a rubric that nobody wrote")
	}
}

func TestDecode_CodeJudgeIsAPluginAtItsPath(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"a path", "script: ./validators/check_python.py", "./validators/check_python.py"},
		{"a command line", "script: bun run ./check.ts --strict", "./check.ts"},
		{"a list", "script: [uv, run, judges/a.py, --x]", "judges/a.py"},
		{"a bare name", "script: checker", "checker"},
		{"the later spelling", "command: [python, a.py]", "a.py"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := decoded(t, "", "evaluators: [{name: n, type: code_judge, "+tt.script+", cwd: x, limit: 3, config: {depth: 2}}]", Options{})
			m := doc.Rubric.Criteria[0].Scorer.Metric
			if m.Plugin != tt.want || m.Kind != "judge" {
				t.Errorf("%+v", m)
			}
			if d := cmp.Diff(map[string]any{"limit": 3.0, "depth": 2.0}, m.Config); d != "" {
				t.Errorf("config (-want +got)\n%s", d)
			}
		})
	}
}

func TestDecode_RenamesVariablesOfAPrompt(t *testing.T) {
	prompt := func(p string) (*Document, error) {
		return Decode("", []byte(`{"evaluators": [{"name": "n", "type": "llm_judge", "prompt": "`+p+`"}]}`), Options{})
	}
	doc, err := prompt(`Q: {{question}} A: {{ candidate_answer }} R: {{reference_answer}} C: {{ criteria }} O: {{ expected_outcome }} X: {{ other`)
	if err != nil || len(doc.Unscorable) > 0 {
		t.Fatal(err, doc.Unscorable)
	}
	want := "Q: {{ input }} A: {{ output }} R: {{ expected_output }} C: {{ expected_outcome }} O: {{ expected_outcome }} X: {{ other"
	if got := doc.Rubric.Criteria[0].Scorer.Prompt.Template; got != want {
		t.Errorf("%q", got)
	}
	for _, path := range []string{"./prompts/judge.md", "prompts/judge.md", "file://a", "judge.txt"} {
		if doc, err := prompt(path); err != nil || doc.Scorable() == nil {
			t.Errorf("%q is scored without being read: %v", path, err)
		}
	}
}

func TestDecode_KeepsWhatCannotBeScored(t *testing.T) {
	tests := []struct{ name, evaluator string }{
		{"a tool trajectory", "{name: n, type: tool_trajectory, mode: any_order, minimums: {search: 3}}"},
		{"a field accuracy", "{name: n, type: field_accuracy, fields: [{path: a.b, match: exact}]}"},
		{"a latency", "{name: n, type: latency, threshold: 2000}"},
		{"with a hyphen", "{name: n, type: execution-metrics, max_tokens: 5}"},
		{"an aggregator of one's own", "{name: n, type: composite, aggregator: {type: safety_gate, required: [a]}, evaluators: [{name: a, type: rubric, rubrics: [x]}]}"},
		{"a prompt in a program", "{name: n, type: llm_judge, prompt: {command: [x]}}"},
		{"a negation", "{name: n, type: rubric, negate: true, rubrics: [x]}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "execution:\n  evaluators:\n    - {name: ok, type: rubric, rubrics: [y]}\n    - " + tt.evaluator + "\n"
			doc := decoded(t, "f", src, Options{})
			l := diag.In(doc.Scorable())
			if len(l) != 1 || l[0].Code != "unscorable" || l[0].Pos.Line != 4 || !strings.Contains(l[0].Hint, "rubric") {
				t.Errorf("%v", l)
			}
			if !strings.HasPrefix(doc.Rubric.Criteria[1].Scorer.Metric.Plugin, UnscorablePrefix) {
				t.Errorf("it could be scored by mistake: %+v", doc.Rubric.Criteria[1])
			}
			out, losses, err := Encode(doc, "", YAML)
			if err != nil || len(losses) > 0 {
				t.Fatal(err, losses)
			}
			if d := cmp.Diff(plainValue(treeOf(t, []byte(src), YAML)), plainValue(treeOf(t, out, YAML))); d != "" {
				t.Errorf("(-read +written)\n%s", d)
			}
		})
	}
}

func TestDecode_CaseOfSeveralTurnsIsUnscorable(t *testing.T) {
	doc := decoded(t, "", "tests: [{id: a, criteria: x, mode: conversation}, {id: b, criteria: x, rubrics: [y], mode: conversation, turns: [{input: z}]}]", Options{Dialect: AgentV})
	if len(doc.Unscorable) != 2 {
		t.Errorf("%v", doc.Unscorable)
	}
	for _, c := range doc.Cases {
		last := c.Rubric.Criteria[len(c.Rubric.Criteria)-1]
		if last.Scorer.Metric == nil || !strings.HasPrefix(last.Scorer.Metric.Plugin, UnscorablePrefix) {
			t.Errorf("case %q could be scored by mistake", c.ID)
		}
	}
}

func TestDecode_NumbersEvaluatorsWithoutNames(t *testing.T) {
	doc := decoded(t, "", "tests: [{id: a, criteria: x, assert: [{type: contains, value: a}, {type: contains, value: b}, {type: composite, evaluators: [{type: llm-grader}, {type: llm-grader}]}]}]", Options{})
	if got := shape(doc.Cases[0].Rubric.Criteria); got != "contains contains-2 composite(llm-grader llm-grader-2)=weighted_mean" {
		t.Error(got)
	}
}

func TestDecode_ReadsEveryTypeOfEvaluator(t *testing.T) {
	for form, kind := range evaluatorKinds {
		body := map[string]string{"rubric": "rubrics: [x]", "judge": "", "code": "script: ./a", "composite": "evaluators: [{name: m, type: rubric, rubrics: [x]}]", "other": "any: thing"}[kind]
		for _, spelled := range []string{form, strings.ReplaceAll(form, "_", "-")} {
			src := "evaluators: [{name: n, type: " + spelled + ", " + body + "}]\nevalcases: [{id: a, expected_outcome: b}]"
			doc, err := Decode("", []byte(src), Options{Dialect: AgentV})
			if err != nil {
				t.Errorf("%s: %v", spelled, err)
				continue
			}
			if (kind == "other") != (doc.Scorable() != nil) {
				t.Errorf("%s: scorable is %v", spelled, doc.Scorable())
			}
		}
	}
}

func TestDecode_RangesOfEvalFiles(t *testing.T) {
	ranged := func(dialect, ranges string) rubric.Answer {
		doc, err := Decode("", []byte("rubrics: [{id: a, expected_outcome: b, score_ranges: "+ranges+"}]"), Options{Dialect: dialect})
		if err != nil {
			t.Fatalf("%s %s: %v", dialect, ranges, err)
		}
		return doc.Rubric.Criteria[0].Answer
	}
	tests := []struct {
		name, dialect, ranges string
		want                  rubric.Answer
	}{
		{"AgentEvals' keys are points", AgentEvals, "{10: c, 0: a, 5: b}",
			rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(false), Form: "map", Anchors: []rubric.Anchor{{At: 0, Text: "a"}, {At: 5, Text: "b"}, {At: 10, Text: "c"}}}},
		{"they need not begin at 0", AgentEvals, "{2: a}", rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(false), Form: "map", Anchors: []rubric.Anchor{{At: 2, Text: "a"}}}},
		{"AgentV's keys begin ranges", AgentV, "{0: a, 3: b, 7: c, 10: d}",
			rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true), Form: "map", Bands: []rubric.Band{{Low: 0, High: 2, Text: "a"}, {Low: 3, High: 6, Text: "b"}, {Low: 7, High: 9, Text: "c"}, {Low: 10, High: 10, Text: "d"}}}},
		{"a single one covers all", AgentV, "{0: a}", rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true), Form: "map", Bands: []rubric.Band{{Low: 0, High: 10, Text: "a"}}}},
		{"a list says both ends", AgentV, "[{score_range: [0, 4], outcome: a}, {score_range: [5, 10], outcome: b}]",
			rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true), Form: "list", Bands: []rubric.Band{{Low: 0, High: 4, Text: "a"}, {Low: 5, High: 10, Text: "b"}}}},
		{"keys of JSON are text", AgentV, `{"0": "a"}`, rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true), Form: "map", Bands: []rubric.Band{{Low: 0, High: 10, Text: "a"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, ranged(tt.dialect, tt.ranges)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestDecode_CasesUseTheFieldsOfDatasets(t *testing.T) {
	src := `
evalcases:
  - id: one
    description: d
    expected_outcome: Greets
    input_messages:
      - {role: user, content: Hello}
    expected_messages:
      - {role: assistant, content: Hello yourself}
    conversation_id: talk
    note: n
    metadata: {lang: en}
    vars: {a: 1.50}
    rubrics: [x]
`
	doc := decoded(t, "f.yaml", src, Options{})
	c := doc.Cases[0]
	want := `{"id":"one","input":[{"role":"user","content":"Hello"}],"expected_output":[{"role":"assistant","content":"Hello yourself"}],"description":"d","note":"n","conversation_id":"talk","cluster":"talk","metadata":{"lang":"en"},"vars":{"a":1.50},"expected_outcome":"Greets"}`
	if string(c.Fields) != want || c.ID != "one" || c.Line != 3 {
		t.Errorf("line %d, %s", c.Line, c.Fields)
	}
	for _, name := range []string{dataset.FieldID, dataset.FieldInput, dataset.FieldExpected, dataset.FieldCluster, dataset.FieldMetadata} {
		if !strings.Contains(want, `"`+name+`":`) {
			t.Errorf("datasets call it %q", name)
		}
	}
}

func TestDecode_ThresholdReplacesBands(t *testing.T) {
	doc := decoded(t, "", "execution: {threshold: 0.9, evaluators: [{name: a, type: rubric, rubrics: [x]}]}\ntests: [{id: a}, {id: b, execution: {threshold: 0.6}}]", Options{})
	if d := cmp.Diff(rubric.Threshold(0.9), doc.Cases[0].Rubric.Pass); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(rubric.Threshold(0.6), doc.Cases[1].Rubric.Pass); d != "" {
		t.Error(d)
	}
}

func TestDecode_CasesAreReadByDatasets(t *testing.T) {
	read := 0
	for _, f := range fixtures(t) {
		if !f.loads {
			continue
		}
		for _, c := range f.decode(t).Cases {
			row, err := dataset.FromJSON(c.Fields, diag.Pos{File: f.name, Line: c.Line})
			if err != nil {
				t.Errorf("%s: %v\n%s", f.name, err, c.Fields)
				continue
			}
			if row.ID != c.ID || row.Made {
				t.Errorf("%s: case %q becomes %q", f.name, c.ID, row.ID)
			}
			if strings.Contains(string(c.Fields), `"input":`) && row.Input == "" {
				t.Errorf("%s: case %q has no input", f.name, c.ID)
			}
			read++
		}
	}
	if read < 80 {
		t.Errorf("only %d cases", read)
	}
}
