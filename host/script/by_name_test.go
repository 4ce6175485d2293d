package script_test

import (
	"testing"
)

func TestByNameInJavaScript(t *testing.T) {
	rt := openRuntime(t, "")
	answersTo(t, rt, "score.js", []struct{ name, source, request, want string }{
		{"output and expected by their names", `export const score = (output, expected) => output === expected ? 1 : 0`, rightAnswer, `{"score":1}`},
		{"no expected answer is not a score", `export const score = (output, expected) => output === expected ? 1 : 0`, onlyOutput, `{"unscored":"the case has no expected answer"}`},
		{"no output is not a score", `export const score = (output, expected) => output === expected ? 1 : 0`, noOutput, `{"unscored":"the case has no output"}`},
		{"an answer in the metadata", `export const score = (output, ground_truth) => output === ground_truth ? 1 : 0`, onlyMetadata, `{"score":1}`},
		{"extra_info and reward_model, as columns", `export const score = (output, ground_truth, extra_info) => output === ground_truth && extra_info.tools === true ? 1 : 0`, rowOfVerl, `{"score":1}`},
		{"a default is for what is nowhere", `export const score = (output, expected = "42") => output === expected ? 1 : 0`, onlyOutput, `{"score":1}`},
		{"the output and a setting", `export function score(output, limit) { return output.length <= limit ? 1 : 0 }`, settingOfTen, `{"score":1}`},
		{"a setting that is nowhere", `export function score(output, limit) { return output.length <= limit ? 1 : 0 }`, rightAnswer, `{"unscored":"the case has no limit, which the function asks for, nor has the configuration"}`},
		{"the output and the configuration", `export function score(output, config) { return output.length <= config.limit ? 1 : 0 }`, settingOfTen, `{"score":1}`},
		{"an input that is nowhere is not a score", `export function score(output, input) { return input === undefined ? 0 : 1 }`, onlyOutput, `{"unscored":"the case has no input"}`},
		{"in another order, with a default", `export function evaluate(input, output, expected = "") { return input === "q" && output === expected ? 1 : 0 }`, rightAnswer, `{"score":1}`},
		{"a prediction and an answer are two things", `export default async function check(answer, prediction) { return answer === "42" && prediction === "42" && typeof arguments[1] === "string" }`, rightAnswer, `{"score":1}`},
	})
}

func TestByNameInPython(t *testing.T) {
	const (
		answer  = "def score(prediction, answer):\n    return 1.0 if prediction == answer else 0.0\n"
		unknown = "def evaluate(outputs, given):\n    return outputs == given\n"
		two     = "def score(output, text):\n    return 1.0 if output == text else 0.0\n"
		gap     = "def score(output, ignore_case=False, expected=None):\n    return 0.25 if ignore_case else 1.0 if output == expected else 0.0\n"
	)
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"Phoenix: evaluate(output, reference)", "from collections import Counter\ndef evaluate(output, reference):\n    a, b = Counter(output.split()), Counter(reference.split())\n    return sum((a & b).values()) / 10\n", `{"score":0.5}`},
		{"Phoenix: evaluate by names", "def evaluate(input, output, expected, metadata):\n    return {'score': 1.0 if metadata['topic'] == 'cats' and input == 'q' else 0, 'label': 'ok', 'explanation': expected}\n",
			`{"score": 1.0, "details": {"label": "ok", "explanation": "the cat is on the mat"}}`},
		{"Phoenix: keyword only", "def evaluate(*, output, expected=None):\n    return output == expected\n", `{"score":0}`},
	})
	answersTo(t, rt, "score.py", []struct{ name, source, request, want string }{
		{"a default is for what is nowhere", "def score(output, expected='42', input=None):\n    return 1.0 if output == expected and input is None else 0.0\n", onlyOutput, `{"score":1.0}`},
		{"an input that is nowhere is not a score", "def evaluate(input, output, metadata):\n    return 0 if input is None else 1\n", onlyOutput, `{"unscored": "the case has no input: input of evaluate()"}`},
		{"metadata that is nowhere is empty", "def evaluate(output, metadata):\n    return 1.0 if metadata == {} else 0.0\n", onlyOutput, `{"score":1.0}`},
		{"a prediction and an answer are two things", answer, wrongAnswer, `{"score":0.0}`},
		{"a name of the metadata", unknown, onlyMetadata, `{"score":1}`},
		{"a name that means nothing", unknown, wrongAnswer, `{"unscored": "the case has no given, which evaluate() asks for, or the key inputs of a plugin.yaml does not name it"}`},
		{"two names of the output", two, wrongAnswer, `{"unscored": "the case has no text, which score() asks for, or the key inputs of a plugin.yaml does not name it"}`},
		{"no output is not a score", answer, noOutput, `{"unscored": "the case has no output: prediction of score()"}`},
		{"a parameter with a default before one that is passed", gap, wrongAnswer, `{"score":0.0}`},
	})
}
