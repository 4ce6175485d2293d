package conformance

var rubricOurs = map[string]departure{
	"rubric-017": {ruleNever0 + `- "MET " is the word MET or it is not an answer; the package's other grader reads the word, and so do we`,
		facts{"score": 1, "criterion.#1": true, "calls": 1}},
	"rubric-018": {ruleNative + `- true is a native answer of a criterion that is met or not`,
		facts{"score": 1, "criterion.#1": true, "calls": 1}},
	"rubric-021": {ruleAnswer + `- the reason is not part of it: the verdict can be used`,
		facts{"score": 1, "criterion.#1": true, "criterion.#1.reason": "", "calls": 1}},
	"rubric-022": {ruleAnswer + `- the reason is not part of it: the first verdict can be used`,
		facts{"score": 1, "criterion.#1": true, "criterion.#1.reason": "", "warned": true, "calls": 1}},
	"rubric-023": {ruleAnswer + ruleNever0, noScore("judge-answer", 4, facts{"calls.#1": 3, "calls.#2": 1, "criterion.#1": nil, "criterion.#2": true, "partial": 1})},
	"rubric-024": {ruleAnswer + ruleNever0, noScore("judge-answer", 3, facts{"criterion.#1": nil, "partial": nil})},
	"rubric-031": {ruleExtraction, facts{"score": 1, "criterion.#1": true, "criterion.#1.reason": "ok", "calls": 1}},
	"rubric-036": {ruleAttempts, noScore("judge-server", 3, nil)},
	"rubric-051": {ruleAnswer + `- a penalty that was not answered is not one that was avoided`,
		noScore("judge-answer", 3, facts{"criterion.#1": true, "criterion.#2": nil, "partial": 1})},
	"rubric-052": {ruleDuplicates, noScore("judge-answer", 3, facts{"criterion.#1": true, "criterion.#2": nil, "partial": 1})},
	"rubric-054": {ruleAnswer + `- "Unknown ids: warning."`,
		noScore("judge-answer", 3, facts{"criterion.#1": false, "criterion.#2": nil, "warned": true, "partial": 0})},
	"rubric-060": {ruleAnswer + ruleNever0, noScore("judge-answer", 3, facts{"criterion.#1": nil, "criterion.#2": nil, "partial": nil})},
	"rubric-064": {ruleAttempts, noScore("judge-server", 3, nil)},
	"rubric-074": {ruleNumbers, noScore("judge-answer", 3, facts{"raw_score": nil, "llm_raw_score": nil})},
	"rubric-075": {ruleAnswer + `- no number is beyond 100, and none is infinite`, noScore("judge-answer", 3, facts{"raw_score": nil, "llm_raw_score": nil})},
	"rubric-081": {ruleAnswer + ruleNever0, noScore("judge-answer", 3, facts{"raw_score": nil, "llm_raw_score": nil})},
	"rubric-086": {ruleOneAnswer, noScore("judge-answer", 3, facts{"raw_score": nil, "llm_raw_score": nil})},
	"rubric-087": {ruleAttempts, noScore("judge-server", 3, nil)},
	"rubric-094": {ruleStrict, refusedFor("wrong-type")},
	"rubric-098": {ruleStrict, refusedFor("unknown-key")},
	"rubric-099": {ruleRawKept, penalised(1, 1)},
	"rubric-100": {ruleRawKept, penalised(0.9, 1)},
	"rubric-101": {ruleRawKept, penalised(0.6, 1)},
	"rubric-102": {ruleRawKept, penalised(0, 0)},
	"rubric-103": {ruleRawKept, penalised(-4, 3)},
	"rubric-104": {ruleRawKept, penalised(1, 1)},
	"rubric-106": {ruleRawKept, penalised(0.6, 1)},
}

// ruleRawKept is the document's rule on the field that the package loses as soon as a
// length penalty is set.
const ruleRawKept = `Document, llm_raw_score: "Original LLM output before conversion."`

// penalised are the figures of a row with a length penalty: the score is the
// package's.
func penalised(score, raw float64) facts {
	return facts{"refused": nil, "score": score, "raw_score": raw, "llm_raw_score": raw, "calls": 1}
}
