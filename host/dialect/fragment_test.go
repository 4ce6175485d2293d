package dialect

import "testing"

// TestDecode_ReadsAListOfRubricsAsAnEvalFile: the documents of AgentEvals and AgentV
// show lists of rubrics by themselves, and so do people.
func TestDecode_ReadsAListOfRubricsAsAnEvalFile(t *testing.T) {
	const src = "- id: accuracy\n  expected_outcome: The answer is correct\n  required: true\n- id: style\n  expected_outcome: It is polite\n  weight: 2\n"
	for asked, want := range map[string]string{"": AgentV, AgentV: AgentV, AgentEvals: AgentEvals} {
		doc, err := Decode("rubrics.yaml", []byte(src), Options{Dialect: asked})
		if err != nil {
			t.Errorf("%q: %v", asked, err)
			continue
		}
		if doc.Dialect != want || doc.Rubric == nil || len(doc.Rubric.Criteria) != 2 || !doc.Rubric.Criteria[0].Required || doc.Rubric.Criteria[1].Weight.Value != 2 {
			t.Errorf("%q: %s, %+v", asked, doc.Dialect, doc.Rubric)
		}
	}
	if doc, err := Decode("rubric.yaml", []byte("- {weight: 1, requirement: It is correct}\n"), Options{}); err != nil || doc.Dialect != RubricList {
		t.Errorf("a list of requirements: %+v, %v", doc, err)
	}
}
