package dialect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestDecode_ReadsEveryDocumentOfTheFiveSystems(t *testing.T) {
	for _, f := range fixtures(t) {
		doc, err := Decode(f.name, f.src, Options{Dialect: f.dialect, Format: f.format})
		switch {
		case f.loads && err != nil:
			t.Errorf("%s does not load: %v", f.name, err)
		case !f.loads && err == nil:
			t.Errorf("%s loads, with %s", f.name, f.why)
		case !f.loads && fault.Of(err) != fault.Invalid:
			t.Errorf("%s: class %q", f.name, fault.Of(err))
		case !f.loads && (doc == nil || doc.Dialect != f.dialect || doc.Rubric != nil):
			t.Errorf("%s: a refused document says %+v", f.name, doc)
		}
	}
}

func TestDetect_NamesTheDialectOfEveryDocument(t *testing.T) {
	// These fragments hold nothing that only one of the two eval formats has.
	either := map[string]bool{"agentevals/analytic.yaml": true, "agentevals/strings.yaml": true, "agentevals/structured.yaml": true, "agentevals/best-practices.yaml": true}
	for _, f := range fixtures(t) {
		found, err := detectIn(f.src)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		want := f.dialect
		if either[f.name] {
			want = AgentV
			if found.Note == "" {
				t.Errorf("%s: taken for AgentV without a note", f.name)
			}
		}
		if found.Dialect != want || found.Reason == "" {
			t.Errorf("%s is taken for %q because of %q, want %q", f.name, found.Dialect, found.Reason, want)
		}
	}
}

func TestDetect_LooksAtStructure(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"an evaluator of type rubric means AgentEvals", "execution: {evaluators: [{name: a, type: rubric, rubrics: [x]}]}", AgentEvals},
		{"a case's evaluator of type rubric does too", "evalcases: [{id: a, execution: {evaluators: [{name: a, type: rubric, rubrics: [x]}]}}]", AgentEvals},
		{"input means AgentEvals", "evalcases: [{id: a, input: b, rubrics: [c]}]", AgentEvals},
		{"input_messages means AgentV", "evalcases: [{id: a, input_messages: [], rubrics: [c]}]", AgentV},
		{"an evaluator of type rubric outweighs input_messages", "execution: {evaluators: [{name: a, type: rubric, rubrics: [x]}]}\nevalcases: [{id: a, input_messages: []}]", AgentEvals},
		{"tests means AgentV, whatever else", "tests: [{id: a, input: b, rubrics: [c]}]", AgentV},
		{"a case's criteria means AgentV", "evalcases: [{id: a, input: b, criteria: c}]", AgentV},
		{"outcome means AgentV", "evalcases: [{id: a, input: b, rubrics: [{outcome: c}]}]", AgentV},
		{"nothing of all that means AgentV", "evalcases: [{id: a, rubrics: [c]}]", AgentV},
		{"a rubric that is text names a native one", "rubric: x\ncriteria: []", Native},
		{"a rubric that is a list is of the rubric library", "rubric: [{weight: 1, requirement: a}]", RubricList},
		{"any list is of the rubric library", "[]", RubricList},
		{"a misspelt native document is still native", "rubrc: x\ncriteria: [{id: a, judge: b}]", Native},
		{"an old OpenRubricRL document without a scale is one", "name: a\ncriteria: [{name: b, description: c, weight: 1}]", OpenRubricRL},
		{"criteria with scoring_method are of dataknobs", "criteria: [{id: a, scoring_method: {}}]", Dataknobs},
		{"a list of rubrics with thresholds is a dataknobs configuration", "rubrics: [{id: a, pass_threshold: 1}]", Dataknobs},
		{"a list of texts under rubrics is not", "rubrics: [a, b]", AgentV},
		{"text is nothing", "just text", ""},
		{"an object of something else is nothing", "apiVersion: v1\nkind: Pod", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := detectIn([]byte(tt.src))
			if err != nil || found.Dialect != tt.want {
				t.Errorf("%q (%s), %v; want %q", found.Dialect, found.Reason, err, tt.want)
			}
		})
	}
}

func TestDecode_FileNameNeverDecidesTheDialect(t *testing.T) {
	src := []byte("- {weight: 1, requirement: a}")
	for _, name := range []string{"openrubricrl.yaml", "agentv.eval.yaml", "dataknobs.json.yml", ""} {
		doc, err := Decode(name, src, Options{})
		if err != nil || doc.Dialect != RubricList {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestDecode_NotesADoubtfulDialect(t *testing.T) {
	src := []byte("evalcases: [{id: a, rubrics: [b]}]")
	doc, err := Decode("", src, Options{})
	if err != nil || len(doc.Warnings) != 1 || doc.Warnings[0].Severity != diag.Note || doc.Warnings[0].Code != "dialect-doubt" {
		t.Errorf("%v %v", err, doc.Warnings)
	}
	if doc, err = Decode("", src, Options{Dialect: AgentEvals}); err != nil || len(doc.Warnings) != 0 || doc.Rubric != nil || doc.Cases[0].Rubric.Criteria[0].Required {
		t.Errorf("as AgentEvals: %v %v", err, doc.Warnings)
	}
}

func TestDecode_RefusesOtherDocumentsWithTheList(t *testing.T) {
	_, err := Decode("pod.yaml", []byte("apiVersion: v1"), Options{})
	if l := diag.In(err); len(l) != 1 || l[0].Code != "dialect-unknown" || !strings.Contains(l[0].Message, "openrubricrl") {
		t.Errorf("%v", err)
	}
	_, err = Decode("promptfooconfig.yaml", []byte("prompts: [p]\nproviders: [m]\ntests: [{vars: {a: b}, assert: [{type: equals, value: c}]}]"), Options{})
	if l := diag.In(err); len(l) != 1 || l[0].Code != "dialect-unknown" || !strings.Contains(l[0].Message, "promptfoo") || !strings.Contains(l[0].Hint, "as criteria") || !strings.HasSuffix(l[0].Hint, fault.OptionDatasetSamples+" promptfoo") {
		t.Errorf("%v", err)
	}
	for _, cases := range []string{`[{"id": "1", "input": "q", "output": "a"}, {"id": "2"}]`, `{"id": "1", "output": "a"}`, `[{"input": "q", "expected_output": "a"}]`} {
		_, err = Decode("data.json", []byte(cases), Options{})
		if l := diag.In(err); len(l) != 1 || l[0].Code != "dialect-unknown" || !strings.Contains(l[0].Message, "a dataset, not a rubric") || !strings.HasPrefix(l[0].Hint, "name the rubric") {
			t.Errorf("%s: %v", cases, err)
		}
	}
	_, err = Decode("x.yaml", []byte("a: b"), Options{Dialect: "agentvee"})
	if fault.Of(err) != fault.Usage || !strings.Contains(fault.Hint(err), "agentv") {
		t.Errorf("%v, hint %q", err, fault.Hint(err))
	}
}

func TestDecode_SetsThePolicyOfTheDialect(t *testing.T) {
	scale := &rubric.Scale{Min: 1, Max: 5} // with fractions: a mean of whole numbers is one
	bands := rubric.Pass{Bands: []rubric.PassBand{{Label: "pass", Min: 0.8}, {Label: "borderline", Min: 0.6}}}
	tests := []struct {
		file   string
		policy rubric.Policy
		pass   rubric.Pass
	}{
		{"openrubricrl/dialogue_quality.yaml", rubric.Policy{Aggregate: rubric.WeightedMean, Raw: rubric.RawOnScale, Overall: scale, Strategy: rubric.Batch}, rubric.Pass{}},
		{"agentevals/safety.yaml", rubric.Policy{Aggregate: rubric.WeightedMean, Required: rubric.RequiredNonzero, Strategy: rubric.Batch}, bands},
		{"rubric/base_margin.yaml", rubric.Policy{Aggregate: rubric.Signed, Raw: rubric.RawPoints, Strategy: rubric.PerCriterion}, rubric.Pass{}},
		{"agentv/checklist.yaml", rubric.Policy{Aggregate: rubric.WeightedMean, Required: rubric.RequiredMet, Strategy: rubric.Batch}, bands},
		{"dataknobs/quiz_quality.yaml", rubric.Policy{Aggregate: rubric.WeightedMean, Required: rubric.RequiredEvaluated, Strategy: rubric.PerCriterion}, rubric.Threshold(0.7)},
		{"native/support-answer.yaml", rubric.Policy{Aggregate: rubric.Auto, Required: rubric.RequiredMet, Strategy: rubric.PerCriterion}, rubric.Threshold(0.8)},
	}
	all := fixtures(t)
	for _, tt := range tests {
		for _, f := range all {
			if f.name != tt.file {
				continue
			}
			r := f.decode(t).Rubric
			if d := cmp.Diff(tt.policy, r.Policy); d != "" {
				t.Errorf("%s: policy (-want +got)\n%s", tt.file, d)
			}
			if d := cmp.Diff(tt.pass, r.Pass); d != "" {
				t.Errorf("%s: pass (-want +got)\n%s", tt.file, d)
			}
			if r.Source.Dialect != f.dialect || r.Source.Digest != digest.Of(f.src) {
				t.Errorf("%s: source %+v", tt.file, r.Source)
			}
		}
	}
}

func TestDecode_KeepsTheWeightAsWritten(t *testing.T) {
	doc := decoded(t, "", "- {weight: 10.0, requirement: a}\n- {weight: +.5, requirement: b}\n- {weight: -1e-2, requirement: c}", Options{})
	want := []rubric.Weight{{Value: 10, Literal: "10.0"}, {Value: 0.5, Literal: "+.5"}, {Value: -0.01, Literal: "-1e-2"}}
	for i, c := range doc.Rubric.Criteria {
		if c.Weight != want[i] || c.ID != madeNumber(i+1) || !c.Made {
			t.Errorf("criterion %d: %+v", i, c)
		}
	}
	out, _, err := Encode(doc, "", JSON)
	if err != nil || !strings.Contains(string(out), `"weight": 10.0`) || !strings.Contains(string(out), `"weight": 0.5`) || !strings.Contains(string(out), `"weight": -1e-2`) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestDecode_BindsHybridMetricsToPlugins(t *testing.T) {
	tests := []struct {
		name, form string
		config     map[string]any
		want       rubric.Metric
	}{
		{"bleu is the plugin bleu", "bleu", nil, rubric.Metric{Plugin: "bleu"}},
		{"reference_key names the case field", "bleu", map[string]any{"reference_key": "answer"}, rubric.Metric{Plugin: "bleu", References: []string{"answer"}}},
		{"reference_key may be a list", "bleu", map[string]any{"reference_key": []any{"a", "b"}}, rubric.Metric{Plugin: "bleu", References: []string{"a", "b"}}},
		{"rouge is rouge1 with the stemmer", "rouge", nil, rubric.Metric{Plugin: "rouge", Config: map[string]any{"variant": "rouge1", "use_stemmer": true}}},
		{"rouge_type is the variant", "rouge", map[string]any{"rouge_type": "rougeL"}, rubric.Metric{Plugin: "rouge", Config: map[string]any{"variant": "rougeL", "use_stemmer": true}}},
		{"what is written outweighs the default", "rouge", map[string]any{"use_stemmer": false}, rubric.Metric{Plugin: "rouge", Config: map[string]any{"variant": "rouge1", "use_stemmer": false}}},
		{"accuracy is exact match, trimmed and folded", "accuracy", nil, rubric.Metric{Plugin: "exact", Export: "exact", Config: map[string]any{"strip": true, "ignore_case": true}}},
		{"perplexity is the plugin perplexity", "perplexity", nil, rubric.Metric{Plugin: "perplexity"}},
		{"custom is what metric_function names", "custom", map[string]any{"metric_function": "flesch_reading_ease", "unit": "words"}, rubric.Metric{Plugin: "flesch_reading_ease", Config: map[string]any{"unit": "words"}}},
		{"custom without it is the plugin of the metric's name", "custom", nil, rubric.Metric{Plugin: "m"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := bindHybrid(tt.form, "m", tt.config)
			tt.want.Type, tt.want.Spelling = tt.form, tt.config
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestDecode_GivesAMetricNamedAsACriterionItsOwnID(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.name != "openrubricrl/everything.json" {
			continue
		}
		m := f.decode(t).Rubric.Metrics[0]
		if m.ID != "metric/overlap" || m.Name != "overlap" {
			t.Errorf("%+v", m)
		}
	}
}

func TestDecode_DataknobsBindings(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.name != "dataknobs/everything.yaml" {
			continue
		}
		c := f.decode(t).Rubric.Criteria
		if m := c[0].Scorer.Metric; m == nil || m.Plugin != "m" || m.Export != "f" || m.Kind != "scorer" {
			t.Errorf("deterministic: %+v", c[0].Scorer)
		}
		if c[0].Required || !c[0].RequiredSet || !c[1].Required || !c[2].Required || c[2].RequiredSet {
			t.Error("required is true unless the document says otherwise")
		}
		if s := c[1].Scorer.Schema; s == nil || s.Inline == nil || c[1].Scorer.Way != rubric.BySchema {
			t.Errorf("schema: %+v", c[1].Scorer)
		}
		if s := c[2].Scorer.Schema; s == nil || s.Ref != "a/b.json" {
			t.Errorf("schema_ref: %+v", c[2].Scorer)
		}
		if p := c[3].Scorer.Prompt; p == nil || p.Template != "{{ x }}" || p.OutputSchema == nil {
			t.Errorf("llm_decode: %+v", c[3].Scorer)
		}
		for i := range c {
			if c[i].Answer.Kind != rubric.KindLevel {
				t.Errorf("criterion %d answers with %q", i, c[i].Answer.Kind)
			}
		}
	}
}

func TestDecode_ReadsARegistryOfRubrics(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.name != "dataknobs/registry.json" {
			continue
		}
		doc := f.decode(t)
		if doc.Rubric != nil || len(doc.Rubrics) != 2 || doc.Rubrics[1].Version != "1.1.0" {
			t.Errorf("rubric %v, rubrics %v", doc.Rubric, doc.Rubrics)
		}
	}
	twice := `{"rubrics": [{"id": "a", "name": "", "description": "", "version": "1", "target_type": "", "pass_threshold": 0, "criteria": []}, {"id": "a", "name": "", "description": "", "version": "1", "target_type": "", "pass_threshold": 0, "criteria": []}]}`
	_, err := Decode("", []byte(twice), Options{})
	if err == nil || !strings.Contains(err.Error(), "id-duplicate") {
		t.Errorf("the same version twice: %v", err)
	}
}
