package script_test

import (
	"testing"
)

func TestPromptfooInJavaScript(t *testing.T) {
	rt := openRuntime(t, "")
	answersOfCats(t, rt, "score.js", []struct{ name, source, want string }{
		{"a number", `module.exports = { get_assert: (output, context) => output.includes(context.vars.expected) ? 1 : 0.5 }`, `{"score":0.5}`},
		{"pass, score and reason", `module.exports.getAssert = (output, { vars }) => ({ pass: output === vars.expected, score: 0.25, reason: "because" })`, `{"score":0.25,"reason":"because","details":{"pass":false}}`},
		{"a boolean from vars", `function get_assert(output, context) { return context.vars.references.length === 1 && context.vars.topic === "cats" }`, `{"score":1}`},
		{"the module is the assertion", `module.exports = (output, context) => ({ pass: true, score: context.vars.topic.length / 8, reason: "topic" })`, `{"score":0.5,"reason":"topic","details":{"pass":true}}`},
		{"an assertion that is awaited", `module.exports = async function check(output, context) { return output.length > context.config.k }`, `{"score":1}`},
		{"the default export is the assertion", `export default function (output, context) { return context.prompt === "q" }`, `{"score":1}`},
	})
	answersTo(t, rt, "score.js", []struct{ name, source, request, want string }{
		{"a column of variables", `module.exports = (output, context) => output === context.vars.answer`, varsOfRow, `{"score":1}`},
		{"a variable of the metadata", `module.exports = (output, context) => output === context.vars.expected`, onlyMetadata, `{"score":1}`},
		{"the output alone", `module.exports = (output) => output.length > 1`, rightAnswer, `{"score":1}`},
		{"the output alone, without parentheses", `module.exports = output => output === "42"`, rightAnswer, `{"score":1}`},
		{"a context that is taken apart", `module.exports = async (output, { vars, config }) => output === vars.expected && !config.k`, rightAnswer, `{"score":1}`},
		{"a function of a name", `module.exports = { score(output, context) { return output === context.vars.expected } }`, rightAnswer, `{"score":1}`},
		{"what TypeScript makes of a default export", `"use strict"; Object.defineProperty(exports, "__esModule", { value: true }); exports.default = check; function check(output, context) { return output === context.vars.expected }`, rightAnswer, `{"score":1}`},
		{"a helper named score is none of ours", `function score(a, b) { return a === b ? 0.5 : 0 } module.exports = (output, context) => score(output, context.vars.expected)`, rightAnswer, `{"score":0.5}`},
		{"no output is not a score", `module.exports = (output, context) => output === context.vars.expected`, noOutput, `{"unscored":"the case has no output"}`},
	})
}

func TestPromptfooInPython(t *testing.T) {
	const (
		assert = "def get_assert(output, context):\n    return output == context['vars']['expected']\n"
	)
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"a number", "def get_assert(output, context):\n    return 0.5 if context['vars']['topic'] == 'cats' else 0\n", `{"score":0.5}`},
		{"a result", "from typing import Dict, Any, Union\ndef get_assert(output: str, context) -> Union[bool, float, Dict[str, Any]]:\n    return {'pass': False, 'score': 0.25, 'reason': context['vars']['expected'], 'named_scores': {'a': 1}}\n",
			`{"score": 0.25, "reason": "the cat is on the mat", "details": {"pass": false, "named_scores": {"a": 1}}}`},
		{"a boolean", "def get_assert(output, context):\n    return 'mat' in output and context['config']['k'] == 1\n", `{"score":1}`},
	})
	answersTo(t, rt, "score.py", []struct{ name, source, request, want string }{
		{"a column of variables", "def get_assert(output, context):\n    return output == context['vars']['answer']\n", varsOfRow, `{"score":1}`},
		{"a variable of the metadata", assert, onlyMetadata, `{"score":1}`},
		{"a variable that is nowhere", assert, onlyOutput, `{"error": "score.py:2: KeyError: 'expected'`},
		{"no output is not a score", assert, noOutput, `{"unscored": "the case has no output"}`},
	})
}
