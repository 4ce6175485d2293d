package dialect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
)

// one puts the changed part of a test into an OpenRubricRL criterion or a whole
// document.
func orl(version, domain, scale, criteria string) string {
	return fmt.Sprintf(`{"name": "n", "version": %s, "domain": %s, "scale": %s, "criteria": %s}`, version, domain, scale, criteria)
}

func TestDecode_PlacesProblems(t *testing.T) {
	const ok = `[{"name": "a", "description": "d", "weight": 1}]`
	tests := []struct {
		name, dialect, src string
		want               []string // "line:column code path: part of the message"
	}{
		{"weights that sum to 0.9", OpenRubricRL, orl(`"1.0.0"`, "null", `{"min": 0, "max": 1}`, `[{"name": "a", "description": "d", "weight": 0.5}, {"name": "b", "description": "d", "weight": 0.4}]`),
			[]string{"1:94 weight-sum criteria: Criterion weights must sum to 1.0, got 0.9"}},
		{"weights that sum to 2", OpenRubricRL, orl(`"1.0.0"`, "null", `{"min": 0, "max": 1}`, `[{"name": "a", "description": "d", "weight": 1}, {"name": "b", "description": "d", "weight": 1}]`),
			[]string{"1:94 weight-sum criteria: Criterion weights must sum to 1.0, got 2.0"}},
		{"a version of two numbers", OpenRubricRL, orl(`"1.0"`, "null", `{"min": 0, "max": 1}`, ok),
			[]string{`1:26 version-pattern version: version must match pattern ^\d+\.\d+\.\d+$`}},
		{"an unknown domain", OpenRubricRL, orl(`"1.0.0"`, `"poetry"`, `{"min": 0, "max": 1}`, ok),
			[]string{"1:45 domain-unknown domain: domain must be one of: code, dialogue, creative_writing, reasoning, general"}},
		{"an empty scale", OpenRubricRL, orl(`"1.0.0"`, "null", `{"min": 1, "max": 1}`, ok),
			[]string{"1:60 scale-empty scale: the scale 1..1 is empty"}},
		{"a weight beyond its range, and no sum of what is left", OpenRubricRL, orl(`"1.0.0"`, "null", `{"min": 0, "max": 1}`, `[{"name": "a", "description": "d", "weight": 1.5}]`),
			[]string{"1:139 weight-range criteria[0].weight: the weight 1.5 is not in 0..1"}},
		{"a value that cannot be read, and nothing more of it", Native, "rubric: !x a\ncriteria: [{id: a, judge: !!set {b}}]\n",
			[]string{"1:9 tag rubric: the tag !x is not understood", "2:27 tag criteria[0].judge: the tag !!set is not understood"}},
		{"a key twice, with its path", Native, "rubric: a\ncriteria: [{id: a, judge: b, judge: c}]\n",
			[]string{`2:30 duplicate-key criteria[0].judge: the key "judge" is written twice, first on line 2`}},
		{"problems outside of its directory", Native, "rubric: a\nproblems: ../p.jsonl\ncriteria: [{id: a, judge: b}]\n",
			[]string{`2:11 path-outside problems: problems "../p.jsonl" is not below the rubric's directory`}},
		{"everything at once", OpenRubricRL, `{"version": 1, "scale": {"min": "0", "max": 1e999}, "criteria": [{"name": "", "description": 5, "weight": -1, "wieght": 1}], "extra": null}`,
			[]string{
				`1:1 key-missing name: the document needs "name"`,
				"1:13 version-pattern version: version must match",
				"1:33 wrong-type scale.min: must be a number, not the text",
				"1:45 number-form scale.max: is too large: 1e999",
				"1:75 text-empty criteria[0].name: is empty",
				"1:94 wrong-type criteria[0].description: must be text, not a number 5",
				"1:107 weight-range criteria[0].weight: the weight -1",
				`1:111 unknown-key criteria[0].wieght: unknown key "wieght"`,
				`1:126 unknown-key extra: unknown key "extra"`,
			}},
		{"an example without a reason", OpenRubricRL, orl(`"1.0.0"`, "null", `{"min": 0, "max": 1}`, "[{\"name\": \"a\", \"description\": \"d\", \"weight\": 1,\n \"examples\": {\"good\": [{\"input\": \"\", \"output\": \"\", \"score\": 1}]}}]"),
			[]string{`2:24 key-missing criteria[0].examples.good[0].explanation: the example needs "explanation"`}},
		{"NaN in YAML", RubricList, "- weight: .nan\n  requirement: a\n", []string{"1:11 number-form [0].weight: is not a number: .nan"}},
		{"infinity in YAML", RubricList, "- weight: -.inf\n  requirement: a\n", []string{"1:11 number-form [0].weight: is infinite: -.inf"}},
		{"a number beyond float64", RubricList, "- weight: 1e400\n  requirement: a\n", []string{"1:11 number-form [0].weight: is too large: 1e400"}},
		{"an octal number", RubricList, "- weight: 010\n  requirement: a\n", []string{"1:11 number-form [0].weight: is not a plain decimal number: 010"}},
		{"a hexadecimal number", RubricList, "- weight: 0x10\n  requirement: a\n", []string{"1:11 number-form [0].weight: is not a plain decimal number"}},
		{"a number with underscores", RubricList, "- weight: 1_000\n  requirement: a\n", []string{"1:11 number-form [0].weight: is not a plain decimal number"}},
		{"a group whose weights overflow", Native, "rubric: r\ncriteria:\n  - id: g\n    criteria:\n      - {id: a, judge: x, weight: 1.7e308}\n      - {id: b, judge: x, weight: 1.7e308}\n", []string{"6:35 weight-overflow criteria[0].criteria[1].weight: sum to more than a float64 holds"}},
		{"weights whose sum overflows", RubricList, "- {weight: 1.7e308, requirement: a}\n- {weight: -1.7e308, requirement: b}\n", []string{"2:12 weight-overflow [1].weight: sum to more than a float64 holds"}},
		{"an empty requirement", RubricList, "- {weight: 1, requirement: ''}\n", []string{"1:28 text-empty [0].requirement: is empty"}},
		{"no criteria", RubricList, "[]", []string{"1:1 criteria-empty : the rubric has no criteria"}},
		{"a section without criteria", RubricList, "- {name: a, criteria: []}\n", []string{"1:3 section-empty [0].criteria: the section has no criteria"}},
		{"ids that differ only in case", AgentEvals, "rubrics:\n  - {id: a, expected_outcome: x}\n  - {id: A, expected_outcome: y}\n", []string{"3:10 id-case rubrics[1].id: only in case"}},
		{"a case id written twice", AgentV, "evalcases:\n  - {id: a, rubrics: [x]}\n  - {id: a, rubrics: [x]}\n", []string{`3:5 case-duplicate : the case id "a" is taken by the case on line 2`}},
		{"a case with nothing to be judged by", AgentV, "evalcases:\n  - {id: a}\n", []string{`2:5 outcome-missing evalcases[0]: neither rubrics nor an expected outcome`}},
		{"a range map that begins late", AgentV, "rubrics:\n  - {id: a, outcome: x, score_ranges: {3: b}}\n", []string{"2:39 range-gap rubrics[0].score_ranges: the ranges begin at 3"}},
		{"a range list in AgentEvals", AgentEvals, "rubrics:\n  - {id: a, expected_outcome: x, score_ranges: []}\n", []string{"2:48 ranges-empty rubrics[0].score_ranges: is empty"}},
		{"two spellings of one thing", AgentV, "evalcases:\n  - {id: a, outcome: b, expected_outcome: c}\n", []string{`2:25 said-twice evalcases[0].expected_outcome: "outcome" and "expected_outcome" mean the same`}},
		{"an evaluator of an unknown type", AgentV, "evaluators:\n  - {name: a, type: rubrik, rubrics: [x]}\n", []string{`2:21 type-unknown evaluators[0].type: unknown type of evaluator "rubrik"`}},
		{"a threshold over 1", Dataknobs, "id: a\nname: a\ndescription: a\nversion: a\ntarget_type: a\npass_threshold: 1.5\ncriteria: []\n",
			[]string{"6:17 number-range pass_threshold: pass_threshold is 1.5, not in 0..1"}},
		{"a key of another scoring type", Dataknobs, "id: a\nname: a\ndescription: a\nversion: a\ntarget_type: a\npass_threshold: 0\ncriteria:\n  - {id: a, name: a, description: a, weight: 1, levels: [{id: a, label: a, description: a, score: 0}], scoring_method: {type: deterministic, function_ref: 'a:b', decode_prompt: c}}\n",
			[]string{`8:163 key-misplaced criteria[0].scoring_method.decode_prompt: "decode_prompt" belongs to the type llm_decode`}},
		{"a criterion without a way of scoring", Native, "rubric: a\ncriteria:\n  - id: b\n", []string{"3:5 key-missing criteria[0]: none of judge, metric, schema, prompt and criteria"}},
		{"a criterion with two ways of scoring", Native, "rubric: a\ncriteria:\n  - {id: b, judge: c, metric: d}\n", []string{`3:31 said-twice criteria[0].metric: "judge" and "metric" are two ways of scoring`}},
		{"settings of a metric beside a judge", Native, "rubric: a\ncriteria:\n  - {id: b, judge: c, with: {}}\n", []string{`3:23 key-misplaced criteria[0].with: "with" goes with metric`}},
		{"levels and a scale", Native, "rubric: a\ncriteria:\n  - {id: b, judge: c, levels: [{id: x, score: 0}], scale: {min: 0, max: 1}}\n", []string{"3:5 answer-kind criteria[0]: two kinds of answer"}},
		{"bands in the wrong order", Native, "rubric: a\nbands: {pass: 0.5, better: 0.8}\ncriteria: [{id: b, judge: c}]\n", []string{`2:28 bands-order bands.better: begins at 0.8, not below`}},
		{"pass and bands", Native, "rubric: a\npass: 0.5\nbands: {x: 0.8}\ncriteria: [{id: b, judge: c}]\n", []string{`3:8 said-twice bands: say the same`}},
		{"metrics that leave nothing", Native, "rubric: a\ncriteria: [{id: b, judge: c}]\nmetrics: [{id: m, weight: 1.5, metric: x}]\n", []string{"3:10 metric-share metrics: sum to 1.5"}},
		{"a metric without its share", Native, "rubric: a\ncriteria: [{id: b, judge: c}]\nmetrics: [{id: m, metric: x}]\n", []string{`3:11 key-missing metrics[0].weight: needs "weight"`}},
		{"a level whose score is over 1", Native, "rubric: a\ncriteria:\n  - id: b\n    judge: c\n    levels:\n      - {id: x, score: 0}\n      - {id: y, score: 2}\n", []string{"7:24 score-range criteria[0].levels[1].score: the score 2"}},
		{"groups too deep", Native, "rubric: a\ncriteria: " + strings.Repeat("[{id: a, criteria: ", 40) + "[{id: b, judge: c}]" + strings.Repeat("}]", 40), nil},
		{"a bare yes for an id", Dataknobs, "id: yes\nname: a\ndescription: a\nversion: a\ntarget_type: a\npass_threshold: 0\ncriteria: []\n", []string{"1:5 ambiguous-word id: yes is text to some YAML readers"}},
		{"a number for a version", Native, "rubric: a\nversion: 1.0\ncriteria: [{id: b, judge: c}]\n", []string{"2:10 wrong-type version: must be text, not a number 1.0"}},
		{"a key without a value that must have one", Native, "rubric:\ncriteria: [{id: b, judge: c}]\n", []string{`1:1 value-missing rubric: "rubric" has no value`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode("", []byte(tt.src), Options{Dialect: tt.dialect})
			var got []string
			for _, d := range diag.In(err).Errors() {
				got = append(got, fmt.Sprintf("%d:%d %s %s: %s", d.Pos.Line, d.Pos.Column, d.Code, d.Path, d.Message))
			}
			if tt.want == nil && err == nil {
				t.Fatal("no error")
			}
			if tt.want != nil && len(got) != len(tt.want) {
				t.Fatalf("%d problems, want %d:\n%s", len(got), len(tt.want), strings.Join(got, "\n"))
			}
			for i, w := range tt.want {
				place, part, _ := strings.Cut(w, ": ")
				if !strings.HasPrefix(got[i], place) || !strings.Contains(got[i], part) {
					t.Errorf("got  %s\nwant %s", got[i], w)
				}
			}
		})
	}
}

func TestDecode_HintsSayWhatToWrite(t *testing.T) {
	tests := []struct{ name, dialect, src, want string }{
		{"a misspelt key", RubricList, "- {wieght: 1, requirement: a}", `did you mean "weight"?`},
		{"a configuration by the name that plugins have for it", Native, "rubric: a\ncriteria: [{id: a, metric: bleu, config: {a: 1}}]", `did you mean "with"?`},
		{"a plugin by what it is", Native, "rubric: a\ncriteria: [{id: a, plugin: bleu}]", `did you mean "metric"?`},
		{"what a judge is asked by a verb", Native, "rubric: a\ncriteria: [{id: a, ask: Is it polite?}]", `did you mean "judge"?`},
		{"the least score by another word", Native, "rubric: a\ncriteria: [{id: a, judge: Is it polite?, threshold: 0.5}]", `did you mean "min"?`},
		{"the least score of a case by another word", Native, "rubric: a\nthreshold: 0.5\ncriteria: [{id: a, judge: Is it polite?}]", `did you mean "pass"?`},
		{"a criterion that is a text", Native, "rubric: a\ncriteria: [polite]", "such as {id: polite, judge:"},
		{"levels that are texts", Native, "rubric: a\ncriteria: [{id: a, judge: Is it polite?, levels: [bad, good]}]", "such as {id: good, score: 1}"},
		{"a scale that is a text", Native, "rubric: a\ncriteria: [{id: a, judge: Is it polite?, scale: 1-5}]", "such as {min: 0, max: 10}"},
		{"what a judge is asked by another word", Native, "rubric: a\ncriteria: [{id: a, text: Is it polite?}]", `did you mean "judge"?`},
		{"a word for a key that is not there", RubricList, "- {config: {}, requirement: a}", "known: "},
		{"a key in another case", RubricList, "- {Weight: 1, requirement: a}", `did you mean "weight"?`},
		{"a key unlike any", RubricList, "- {weight: 1, requirement: a, colour: b}", "known: weight, requirement"},
		{"a percentage", Native, "rubric: a\npass: 60%\ncriteria: [{id: a, judge: Is it polite?}]", "write 0.6"},
		{"a number in quotes", RubricList, `[{"weight": "2.5", "requirement": "a"}]`, "remove the quotes: 2.5"},
		{"text without quotes", Native, "rubric: 5\ncriteria: [{id: a, judge: b}]", `quote it: "5"`},
		{"a boolean as text", AgentV, "rubrics: [{id: a, outcome: b, required: yes}]", "write true or false"},
		{"a word in another case", Dataknobs, `{"id":"a","name":"a","description":"a","version":"a","target_type":"a","pass_threshold":0,"criteria":[{"id":"a","name":"a","description":"a","weight":1,"levels":[{"id":"a","label":"a","description":"a","score":0}],"scoring_method":{"type":"LLM_DECODE","decode_prompt":"x"}}]}`, `did you mean "llm_decode"?`},
		{"an evaluator's type misspelt", AgentV, "evaluators: [{name: a, type: rubirc, rubrics: [a]}]", `did you mean "rubric"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode("", []byte(tt.src), Options{Dialect: tt.dialect})
			for _, d := range diag.In(err) {
				if strings.Contains(d.Hint, tt.want) {
					return
				}
			}
			t.Errorf("no hint says %q: %v", tt.want, err)
		})
	}
}

func TestDecode_WarningsAreNoErrors(t *testing.T) {
	tests := []struct{ name, dialect, src, code string }{
		{"weights of dataknobs that do not sum to 1", Dataknobs, `{"id":"a","name":"a","description":"a","version":"a","target_type":"a","pass_threshold":0,"criteria":[{"id":"a","name":"a","description":"a","weight":3,"levels":[{"id":"a","label":"a","description":"a","score":0}],"scoring_method":{"type":"llm_decode","decode_prompt":"x"}}]}`, "weight-sum"},
		{"an empty list of rubrics", AgentV, "evalcases: [{id: a, expected_outcome: b, rubrics: []}]", "rubrics-empty"},
		{"a key without a value", Native, "rubric: a\nname:\ncriteria: [{id: a, judge: b}]", "value-missing"},
		{"a bare yes in prose", Native, "rubric: a\ndescription: yes\ncriteria: [{id: a, judge: b}]", "ambiguous-word"},
		{"ranges that overlap", AgentV, "rubrics: [{id: a, outcome: b, score_ranges: [{score_range: [0, 4], outcome: l}, {score_range: [3, 10], outcome: h}]}]", "range-gap"},
		{"a custom metric without a function", OpenRubricRL, `{"name": "n", "version": "1.0.0", "scale": {"min": 0, "max": 1}, "criteria": [{"name": "a", "description": "d", "weight": 1}], "hybrid_metrics": [{"name": "length", "type": "custom", "weight": 0}]}`, "metric-function"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := decoded(t, "", tt.src, Options{Dialect: tt.dialect})
			if len(doc.Warnings) != 1 || doc.Warnings[0].Code != tt.code || doc.Warnings[0].Severity != diag.Warning {
				t.Errorf("%v", doc.Warnings)
			}
		})
	}
}

func TestDecode_NullIsNoValue(t *testing.T) {
	src := `{"id":"a","name":"a","description":"a","version":"a","target_type":"a","pass_threshold":0,"metadata":null,"criteria":[{"id":"a","name":"a","description":"a","weight":1,"required":null,"levels":[{"id":"a","label":"a","description":"a","score":0,"indicators":null}],"scoring_method":{"type":"llm_decode","decode_prompt":"x","function_ref":null,"schema":null,"schema_ref":null,"decode_output_schema":null}}]}`
	doc, err := Decode("", []byte(src), Options{})
	if err != nil || len(doc.Warnings) > 0 {
		t.Fatalf("%v %v", err, doc.Warnings)
	}
	if c := doc.Rubric.Criteria[0]; !c.Required || c.RequiredSet {
		t.Errorf("a null for required is not its default: %+v", c)
	}
}
