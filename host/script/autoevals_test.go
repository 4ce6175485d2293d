package script_test

import (
	"testing"
)

func TestAutoevalsInJavaScript(t *testing.T) {
	rt := openRuntime(t, "")
	answersOfCats(t, rt, "score.js", []struct{ name, source, want string }{
		{"evaluate with output and expected", `export function evaluate(output, expected) { return output === expected ? 1 : 0 }`, `{"score":0}`},
		{"evaluate with one object", `export const evaluate = ({ output, expected }) => ({ name: "Len", score: output.length / 44, metadata: { expected } })`,
			`{"score":0.5,"details":{"name":"Len","metadata":{"expected":"the cat is on the mat"}}}`},
		{"a scorer of autoevals answers null", `export const scorer = ({ input, output }) => ({ name: "None", score: null })`, `{"unscored":"score() returned the score null","details":{"name":"None"}}`},
	})
	answersTo(t, rt, "score.js", []struct{ name, source, request, want string }{
		{"a default export", `export default async ({ output, expected }) => ({ name: "Exact", score: output === expected ? 1 : 0 })`, rightAnswer, `{"score":1,"details":{"name":"Exact"}}`},
		{"a case that is taken apart, with the configuration", `export function score({ output, expected: e = "" }, config) { return output === e && config.k === undefined ? 1 : 0 }`, rightAnswer, `{"score":1}`},
		{"a column that is taken apart", `export const scorer = ({ output, given, metadata }) => output === given && metadata.given === given ? 1 : 0`, onlyMetadata, `{"score":1}`},
		{"no expected answer of an object is not a score", `export default ({ output, expected }) => ({ score: output === expected ? 1 : 0 })`, onlyMetadata, `{"unscored":"the case has no expected answer"}`},
		{"no expected answer is not a score", `export const evaluate = (a, b) => a === b ? 1 : 0`, onlyMetadata, `{"unscored":"the case has no expected answer"}`},
		{"a default of what is taken apart", `export default ({ output, expected: e = "42" }) => ({ score: output === e ? 1 : 0 })`, onlyMetadata, `{"score":1}`},
		{"no output is not a score", `export const scorer = ({ output }) => output === "42" ? 1 : 0`, noOutput, `{"unscored":"the case has no output"}`},
	})
}

func TestAutoevalsInPython(t *testing.T) {
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"an object", "class Score:\n    def __init__(self, name, score, metadata): self.name, self.score, self.metadata = name, score, metadata\ndef scorer(input, output, expected):\n    return Score('Len', len(output) / len(expected) / 2, {'input': input})\n",
			`{"score": 0.5238095238095238, "details": {"name": "Len", "metadata": {"input": "q"}}}`},
		{"a dict without score", "def scorer(output, expected=None, **kwargs):\n    return {'name': 'Skip', 'score': None}\n", `{"unscored": "score() returned the score None", "details": {"name": "Skip"}}`},
		{"autoevals' own object", "from autoevals import Score\nfrom autoevals.score import Score as Same\ndef scorer(output, expected=None, **kwargs):\n    assert Score is Same\n    return Score(name='Half', score=0.5, metadata={'n': len(output)})\n", `{"score": 0.5, "details": {"name": "Half", "metadata": {"n": 22}}}`},
		{"autoevals' own object with an error", "from autoevals import Score\ndef scorer(output):\n    return Score('Half', error=ValueError('no'))\n", `{"error": "no", "details": {"name": "Half", "metadata": {}}}`},
		{"what asks a model", "from autoevals import Factuality\n", "load: plugin p: score.py:1: ImportError: cannot import name 'Factuality' from 'autoevals' (/autoevals/__init__.py); of autoevals there is Score, for scorers that are code; what asks a model is a criterion for the judge"},
		{"a number", "def scorer(output, expected):\n    return abs(len(output) - len(expected)) / 4\n", `{"score":0.25}`},
	})
}
