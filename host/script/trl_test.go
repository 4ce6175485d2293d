package script_test

import (
	"testing"
)

func TestTRLInPython(t *testing.T) {
	const (
		reward = "def reward_func(completions, answer):\n    return [1.0 if c == a else 0.0 for c, a in zip(completions, answer)]\n"
	)
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"a reward of completions", "def length_reward(completions, **kwargs):\n    return [len(c) / 44 for c in completions]\n", `{"score":0.5}`},
		{"columns of the dataset", "def reward_func(prompts, completions, ground_truth, **kwargs):\n    return [0.75 if p == 'q' and c != g else 0.0 for p, c, g in zip(prompts, completions, ground_truth)]\n", `{"score":0.75}`},
		{"a reward without an answer", "def accuracy_reward(completions: list[str], solution: list[str], **kwargs):\n    return [None for _ in completions]\n", `{"unscored": "score() returned None"}`},
		{"messages, by what the function looks at", "import re\ndef format_reward(completions, **kwargs):\n    contents = [completion[0]['content'] for completion in completions]\n    return [1.0 if re.match(r'the', c) else 0.0 for c in contents]\n", `{"score":1.0}`},
		{"a reward of another name", "def check_length(prompts, completions, answer, **kwargs):\n    return [len(c) / len(a) / 2 for c, a in zip(completions, answer)]\n", `{"score":0.5238095238095238}`},
		{"another column for the answer", "def exact_reward(completions, answers):\n    return [0.25 if c != a else 1.0 for c, a in zip(completions, answers)]\n", `{"score":0.25}`},
		{"several rewards", "def a_reward(completions): return [1]\ndef matches(completions, **kwargs): return [0]\n", `load: plugin p: score.py: it has a_reward and matches; name the one that is meant: score.py:a_reward, or exports: {a_reward: what it says} in a plugin.yaml`},
	})
	answersTo(t, rt, "score.py", []struct{ name, source, request, want string }{
		{"a column of the metadata", reward, onlyMetadata, `{"score":1.0}`},
		{"a column that is nowhere", reward, onlyOutput, `{"unscored": "the case has no answer, which reward_func() asks for"}`},
		{"a column beside references", "def reward_func(completions, answer):\n    return [1.0 if c == a else 0.0 for c, a in zip(completions, answer)]\n", `{"contract":1,"kind":"metric","config":{},"case":{"output":"A","references":["R"],"answer":"A"}}`, `{"score":1.0}`},
		{"two rewards for one completion", "def reward_func(completions, **kwargs):\n    return [0.2, 0.9]\n", wrongAnswer, `{"error": "reward_func() returned 2 rewards for one completion; return a list of one"}`},
		{"no reward", "def reward_func(completions, **kwargs):\n    return []\n", wrongAnswer, `{"error": "reward_func() returned 0 rewards for one completion; return a list of one"}`},
		{"a reward that is awaited", "async def reward_func(completions, **kwargs):\n    return [0.25 for _ in completions]\n", wrongAnswer, `{"score":0.25}`},
		{"no output is not a score", reward, noOutput, `{"unscored": "the case has no output"}`},
	})
}

// TestTRL_OneOfSeveralRewardsInPython names one.
func TestTRL_OneOfSeveralRewardsInPython(t *testing.T) {
	const source = "def a_reward(completions): return [1]\ndef matches(completions, **kwargs): return [len(completions[0]) / 44]\n"
	if got := scoreWith(t, python(t), bundle(t, "score.py", source, "matches"), requestOfCats); got != `{"score":0.5}` {
		t.Error(got)
	}
}
