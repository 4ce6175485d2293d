package script_test

import (
	"strings"
	"testing"
)

func TestInspectInPython(t *testing.T) {
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"a scorer", "from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, scorer, stderr\nfrom inspect_ai.solver import TaskState\n\n@scorer(metrics=[accuracy(), stderr()])\ndef includes(ignore_case: bool = True):\n    async def score(state: TaskState, target: Target) -> Score:\n        answer = state.output.completion\n        found = any(word in answer for word in target.text.split())\n        return Score(value=CORRECT if found else INCORRECT, answer=answer[:7], explanation=f'{len(target)} target')\n    return score\n",
			`{"score": 1, "reason": "1 target", "details": {"answer": "the cat"}}`},
		{"a class, a number, and what the configuration has", "from inspect_ai.scorer import scorer, Score, Scorer, mean, metric\n\n@metric\ndef best():\n    return lambda scores: max(scores)\n\n@scorer(metrics=[mean(), best()], name='short')\nclass Short:\n    def __init__(self, k):\n        self.k = k\n\n    async def __call__(self, state, target):\n        return Score(self.k / len(target[0].split()), metadata={'topic': state.metadata['topic'], 'input': state.input_text})\n",
			`{"score": 0.16666666666666666, "details": {"topic": "cats", "input": "q"}}`},
		{"half of it", "from inspect_ai.scorer import *\n@scorer(metrics={'*': [accuracy()]})\ndef half():\n    async def score(state, target): return Score(PARTIAL)\n    return score\n", `{"score": 0.5, "details": {}}`},
		{"a number as text", "from inspect_ai.scorer import *\n@scorer()\ndef half():\n    async def score(state, target): return Score('0.25')\n    return score\n", `{"score": 0.25, "details": {}}`},
		{"a verdict that means nothing", "from inspect_ai.scorer import *\n@scorer()\ndef graded():\n    async def score(state, target): return Score('GRADE: C')\n    return score\n", `{"error": "graded() returned the value 'GRADE: C'; return a number, or CORRECT`},
		{"several values", "from inspect_ai.scorer import *\n@scorer()\ndef two():\n    async def score(state, target): return Score({'a': 1, 'b': 0})\n    return score\n", `{"error": "two() returned {'a': 1, 'b': 0}; return a Score with one value"}`},
		{"not a number", "from inspect_ai.scorer import *\n@scorer()\ndef nan():\n    async def score(state, target): return Score.unscored(explanation='no judge')\n    return score\n", `{"unscored": "no judge"}`},
		{"no score", "from inspect_ai.scorer import *\n@scorer()\ndef none():\n    async def score(state, target): pass\n    return score\n", `{"unscored": "score() returned None"}`},
		{"messages, which a case has not", "from inspect_ai.scorer import *\n@scorer()\ndef calls():\n    async def score(state, target): return Score(len(state.messages) == 0)\n    return score\n", `{"error": "score.py:4: AttributeError: 'TaskState' object has no attribute 'messages'`},
		{"what asks a model", "from inspect_ai.scorer import model_graded_qa\n", "load: plugin p: score.py:1: ImportError: cannot import name 'model_graded_qa' from 'inspect_ai.scorer' (/inspect_ai/scorer/__init__.py); of inspect_ai there are"},
	})
}

// TestInspect_NoTargetIsNoScoreInPython: the empty text is in every output.
func TestInspect_NoTargetIsNoScoreInPython(t *testing.T) {
	const request = `{"contract":1,"kind":"metric","config":{},"case":{"output":"x"}}`
	rt := python(t)
	for _, use := range []string{"target.text in state.output.completion", "all(t in 'x' for t in target)", "len(target) == 0", "target[0] == ''"} {
		for _, catch := range []string{"except Exception", "except"} {
			source := "from inspect_ai.scorer import *\n@scorer()\ndef includes():\n    async def score(state, target):\n        try:\n            return Score(" + use + ")\n        " + catch + ":\n            return Score(1)\n    return score\n"
			if got, want := scoreWith(t, rt, bundle(t, "score.py", source), request), `{"unscored": "the case has no references, which are the target of includes()"}`; got != want {
				t.Errorf("%s, %s: %s", use, catch, got)
			}
		}
	}
	source := "from inspect_ai.scorer import *\n@scorer()\ndef brief():\n    async def score(state, target): return Score(len(state.output.completion) < 5)\n    return score\n"
	if got := scoreWith(t, rt, bundle(t, "score.py", source), request); !strings.HasPrefix(got, `{"score": 1`) {
		t.Error("a scorer that needs no target:", got)
	}
}
