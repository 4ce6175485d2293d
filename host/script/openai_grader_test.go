package script_test

import (
	"testing"
)

func TestOpenAIGraderInJavaScript(t *testing.T) {
	rt := openRuntime(t, "")
	answersOfCats(t, rt, "score.js", []struct{ name, source, want string }{
		{"a grader reads sample and item", `function grade(sample, item) { return sample.output_text.includes("cat") && item.reference.includes("cat") ? 1 : 0 }`, `{"score":1}`},
		{"a grader reads what the item has", `function grade(sample, item) { return item.topic.length / 4 }`, `{"score":1}`},
		{"a grader may look at the output again", `const grade = (sample) => sample.output_text.split(" ").length / 10`, `{"score":0.6}`},
	})
	answersTo(t, rt, "score.js", []struct{ name, source, request, want string }{
		{"a grader reads an item of the metadata", `function grade(sample, item) { return sample.output_text === item.reference_answer ? 1 : 0 }`, onlyMetadata, `{"score":1}`},
		{"a column item", `function grade(sample, item) { return sample.output_text === item.answer ? 1 : 0 }`, itemOfRow, `{"score":1}`},
		{"a grader reads the reference", `function grade(sample, item) { return sample.output_text === item.reference_answer ? 1 : 0 }`, rightAnswer, `{"score":1}`},
		{"no output is not a score", `function grade(sample, item) { return sample.output_text === item.reference ? 1 : 0 }`, noOutput, `{"unscored":"the case has no output"}`},
	})
}

func TestOpenAIGraderInPython(t *testing.T) {
	const (
		grade = "def grade(sample, item):\n    return 1.0 if sample['output_text'] == item['reference_answer'] else 0.0\n"
	)
	rt := python(t)
	answersOfCats(t, rt, "score.py", []struct{ name, source, want string }{
		{"text of the sample", "def grade(sample, item):\n    return 1.0 if 'cat' in sample['output_text'] else 0.0\n", `{"score":1.0}`},
		{"sample dictionary and item", "def grade(sample: dict[str, object], item: dict[str, object]) -> float:\n    from difflib import SequenceMatcher\n    return SequenceMatcher(None, sample['choices'][0]['message']['content'], item['reference_answer']).ratio()\n", `{"score":0.9302325581395349}`},
		{"fields of the item", "def grade(sample, item):\n    return len(item['topic']) / 8 if sample['output_json'] is None else 0\n", `{"score":0.5}`},
		{"Azure: response and result", "def grade(sample, item) -> dict:\n    words = item.get('response', '').split()\n    return {'result': len(words) / 12, 'reason': item['query']}\n", `{"reason": "q", "score": 0.5}`},
		{"Azure: a sample in the item", "def grade(sample: dict, item: dict) -> float:\n    return len(item['sample']['output_text']) / 44 if item['ground_truth'] else 0.0\n", `{"score":0.5}`},
	})
	answersTo(t, rt, "score.py", []struct{ name, source, request, want string }{
		{"a column item", "def grade(sample, item):\n    return 1.0 if sample['output_text'] == item['answer'] else 0.0\n", itemOfRow, `{"score":1.0}`},
		{"an item of the metadata", grade, onlyMetadata, `{"score":1.0}`},
		{"an item that is nowhere", grade, onlyOutput, `{"error": "score.py:2: KeyError: 'reference_answer'`},
		{"no output is not a score", grade, noOutput, `{"unscored": "the case has no output"}`},
	})
}
