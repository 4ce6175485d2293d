package script_test

import (
	"testing"
)

func TestVerlInPython(t *testing.T) {
	const (
		compute = "def compute_score(data_source, solution_str, ground_truth, extra_info=None):\n    return 1.0 if solution_str == ground_truth else 0.0\n"
	)
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"compute_score", "def compute_score(data_source, solution_str, ground_truth, extra_info=None):\n    return float(solution_str.strip() == ground_truth) + (0.5 if extra_info['topic'] == 'cats' else 0)\n", `{"score":0.5}`},
		{"a dict", "import re\ndef compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):\n    m = re.search(r'on the (\\w+)', solution_str)\n    return {'score': 1.0 if m and m.group(1) in ground_truth else 0.0, 'pred': m.group(1), 'acc': True}\n",
			`{"score": 1.0, "details": {"pred": "mat", "acc": true}}`},
		{"an integer", "def compute_score(solution_str, ground_truth, method='strict', format_score=0.1, score=1.):\n    return score if solution_str == ground_truth else format_score\n", `{"score":0.1}`},
	})
	answersTo(t, rt, "score.py", []struct{ name, source, request, want string }{
		{"an answer in the metadata", compute, onlyMetadata, `{"score":1.0}`},
		{"extra_info and reward_model, as columns", "def compute_score(data_source, solution_str, ground_truth, extra_info=None):\n    return 1.0 if data_source == 'gsm8k' and solution_str == ground_truth and extra_info == {'tools': True} else 0.0\n", rowOfVerl, `{"score":1.0}`},
		{"metadata that are a text", compute, `{"contract":1,"kind":"metric","config":{},"case":{"output":"A","metadata":"m"}}`, `{"unscored": "the case has no expected answer: ground_truth of compute_score()"}`},
		{"extra_info and reward_model of a request", "def compute_score(data_source, solution_str, ground_truth, extra_info=None):\n    return 1.0 if extra_info['tools'] and ground_truth == '42' else 0.0\n",
			`{"contract":1,"kind":"metric","config":{},"case":{"output":"A","extra_info":{"tools":true},"reward_model":{"ground_truth":"42"}}}`, `{"score":1.0}`},
		{"an answer that is nowhere", compute, onlyOutput, `{"unscored": "the case has no expected answer: ground_truth of compute_score()"}`},
	})
}
