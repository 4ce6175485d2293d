package result_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A scorer that says that a case does not pass is not outvoted in silence.
func TestSummarizer_WarnsOfScorersThatFailWhatPasses(t *testing.T) {
	for _, test := range []struct {
		details string
		passed  bool
		warns   bool
	}{
		{`{"pass": false}`, true, true},
		{`{"passed":false,"label":"x"}`, true, true},
		{`{"pass":false}`, false, false},
		{`{"pass":true,"strict":false}`, true, false},
		{`{"tests":1,"passed":0,"strict":false}`, true, false},
		{`{"parts":[{"pass":false}]}`, true, false},
		{``, true, false},
	} {
		s := result.NewSummarizer(result.SummaryOptions{})
		s.Add(&result.Row{Case: "a", Repeat: 1, Status: rubric.Scored, Score: new(0.9), Passed: &test.passed,
			Criteria: []result.Criterion{{ID: "polite", Status: rubric.Scored, Value: new(0.9), Weight: 1, Details: jsontext.Value(test.details)}}})
		warns := slices.ContainsFunc(s.Summary().Warnings, func(w string) bool {
			return strings.HasPrefix(w, "polite: 1 row passed although the scorer answered pass: false")
		})
		if warns != test.warns {
			t.Errorf("%s, passed %t: %q", test.details, test.passed, s.Summary().Warnings)
		}
	}
}
