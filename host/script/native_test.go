package script_test

import (
	"testing"
)

func TestNativeInJavaScript(t *testing.T) {
	rt := openRuntime(t, "")
	answersOfCats(t, rt, "score.js", []struct{ name, source, want string }{
		{"the module is a scorer of ours", `module.exports = (c, config) => c.output.length / 44`, `{"score":0.5}`},
	})
	answersTo(t, rt, "score.js", []struct{ name, source, request, want string }{
		{"names that mean nothing get the case", `export const score = (c, expected) => c.output === "42" && !expected.length ? 1 : 0`, rightAnswer, `{"score":1}`},
	})
}

// TestFind_PrefersConventionOverHelperInPython has functions of other evaluators beside
// one of ours, or beside one that is theirs and would answer something else.
func TestFind_PrefersConventionOverHelperInPython(t *testing.T) {
	const (
		helper = "def score(a, b):\n    return len(set(a) & set(b)) / 10\ndef get_assert(output, context):\n    return 0.25 + score(output, 'cat')\n"
		ours   = "def evaluate(text):\n    return len(text) / 44\ndef score(c, config):\n    return evaluate(c['output'])\n"
		graded = "def score(a):\n    return len(a)\ndef grade(sample, item):\n    return score(sample['output_text']) / 44\n"
	)
	rt := python(t)
	if got := scoreWith(t, rt, bundle(t, "score.py", helper), requestOfCats); got != "load: plugin p: score.py: it has score and get_assert; name the one that is meant: score.py:get_assert, or exports: {get_assert: what it says} in a plugin.yaml" {
		t.Error(got)
	}
	if got := scoreWith(t, rt, bundle(t, "score.py", helper, "get_assert"), requestOfCats); got != `{"score":0.55}` {
		t.Error(got)
	}
	if got := scoreWith(t, rt, bundle(t, "score.py", graded, "grade"), requestOfCats); got != `{"score":0.5}` {
		t.Error(got)
	}
	if got := scoreWith(t, rt, bundle(t, "score.py", ours), requestOfCats); got != `{"score":0.5}` {
		t.Error(got)
	}
}
