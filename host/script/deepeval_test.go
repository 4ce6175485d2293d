package script_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestDeepEvalInPython(t *testing.T) {
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"a metric", "from deepeval.metrics import BaseMetric\nfrom deepeval.test_case import LLMTestCase\n\nclass Brevity(BaseMetric):\n    def __init__(self, threshold: float = 0.5):\n        self.threshold = threshold\n\n    def measure(self, test_case: LLMTestCase) -> float:\n        self.score = len(test_case.expected_output) / len(test_case.actual_output) / 2\n        self.success = self.score >= self.threshold\n        self.reason = f'{len(test_case.actual_output)} characters'\n        return self.score\n\n    async def a_measure(self, test_case: LLMTestCase) -> float:\n        return self.measure(test_case)\n\n    def is_successful(self) -> bool:\n        return self.success\n\n    @property\n    def __name__(self):\n        return 'Brevity'\n",
			`{"score": 0.4772727272727273, "reason": "22 characters", "details": {"name": "Brevity", "success": false, "threshold": 0.5}}`},
		{"a metric that is only awaited, with what it asks for", "from collections import Counter\nfrom deepeval.metrics.base_metric import BaseMetric\nfrom deepeval.test_case import LLMTestCase, LLMTestCaseParams\n\nclass Overlap(BaseMetric):\n    _required_params = [LLMTestCaseParams.ACTUAL_OUTPUT, LLMTestCaseParams.EXPECTED_OUTPUT]\n\n    def __init__(self, k=3, threshold=0.6):\n        self.k, self.threshold = k, threshold\n\n    async def a_measure(self, test_case, _show_indicator=True):\n        a, b = (Counter(t.split()) for t in (test_case.actual_output, test_case.expected_output))\n        self.score = (a & b).total() / (9 + self.k)\n        self.score_breakdown = {p.value: len(getattr(test_case, p.value)) for p in self._required_params}\n        return self.score\n",
			`{"score": 0.5, "details": {"success": false, "threshold": 0.6, "score_breakdown": {"actual_output": 22, "expected_output": 21}}}`},
		{"metrics of one base, one of which fails", "import deepeval\nfrom deepeval.metrics import BaseMetric\n\nclass Topic(BaseMetric):\n    def measure(self, test_case):\n        try:\n            self.score = 1 if test_case.additional_metadata['theme'] == test_case.input else 0\n        except KeyError as e:\n            self.error = f'no {e}'\n            raise\n        return self.score\n", `{"error": "score.py:7: KeyError: 'theme'`},
		{"a metric that skips", "from deepeval.metrics import BaseMetric\nclass Skips(BaseMetric):\n    def measure(self, test_case):\n        self.skipped, self.reason = test_case.retrieval_context is None, 'no context'\n        return 0\n", `{"unscored": "no context"}`},
		{"what asks a model", "from deepeval.metrics import GEval\n", "load: plugin p: score.py:1: ImportError: cannot import name 'GEval' from 'deepeval.metrics' (/deepeval/metrics/__init__.py); of deepeval there are BaseMetric, LLMTestCase and ToolCall, for metrics that are code; what asks a model is a criterion for the judge"},
	})
}

// TestDeepEval_TakesRowsOfItsDatasetsInPython: tools and metadata are columns, in CSV as JSON. A metric that saw none would
// give a score that is not true.
func TestDeepEval_TakesRowsOfItsDatasetsInPython(t *testing.T) {
	const source = "from deepeval.metrics import BaseMetric\nfrom deepeval.test_case import LLMTestCase, ToolCall\nclass Tools(BaseMetric):\n    def measure(self, test_case: LLMTestCase):\n        called = test_case.tools_called or []\n        self.score = len(set(called) & set(test_case.expected_tools)) / 2\n        self.reason = f\"{test_case.name} {called[0].input_parameters} {test_case.additional_metadata['lang']} {ToolCall(name='search', input_parameters={'q': 1}) in called}\"\n        return self.score\n"
	const called, expected, more = `[{"name":"search","type":"FUNCTION","inputParameters":{"q":1}},{"name":"book"}]`, `[{"name":"book"}]`, `{"lang":"en"}`
	rt := python(t)
	for _, columns := range []string{
		fmt.Sprintf(`"tools_called":%s,"expected_tools":%s,"additional_metadata":%s`, called, expected, more),
		fmt.Sprintf(`"tools_called":%q,"expected_tools":%q,"additional_metadata":%q`, called, expected, more),
	} {
		request := `{"contract":1,"kind":"metric","case":{"output":"x","metadata":{"name":"n",` + columns + `}},"config":{}}`
		if got := scoreWith(t, rt, bundle(t, "score.py", source), request); !strings.HasPrefix(got, `{"score": 0.5, "reason": "n {'q': 1} en True"`) {
			t.Errorf("%s: %s", columns, got)
		}
	}
}

// TestDeepEval_OneOfSeveralMetricsInPython names one by its class.
func TestDeepEval_OneOfSeveralMetricsInPython(t *testing.T) {
	const source = "from deepeval.metrics import BaseMetric\nclass Short(BaseMetric):\n    def measure(self, case): return 0.25\nclass Long(BaseMetric):\n    def measure(self, case): return 0.75\n"
	rt := python(t)
	if got := scoreWith(t, rt, bundle(t, "score.py", source, "Long"), requestOfCats); got != `{"score": 0.75, "details": {}}` {
		t.Error(got)
	}
	if got := scoreWith(t, rt, bundle(t, "score.py", source), requestOfCats); !strings.HasPrefix(got, "load: plugin p: score.py: it has no function score") {
		t.Error(got)
	}
}
