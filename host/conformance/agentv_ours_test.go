package conformance

var agentvOurs = map[string]departure{
	"agentv-011": {ruleStrict + ruleWeightAtLeast0, refusedFor("weight-range")},
	"agentv-012": {ruleStrict + ruleWeightAtLeast0 + `- the text "2" is not a weight, and least of all 1`, refusedFor("wrong-type")},
	"agentv-013": {ruleZero, facts{"score": nil, "status": "execution_error", "passed": false, "criterion.a": true, "criterion.b": true,
		"error": "the weights sum to 0, not to more than 0", "calls": 1}},
	"agentv-018": {ruleNever0 + ruleAnswer + `- "2" names no criterion, and rubric-2 is not answered`,
		skipped("judge-answer", facts{"criterion.rubric-2": nil, "warned": true})},
	"agentv-023": {ruleNever0 + ruleAttempts, skipped("judge-answer", nil)},
	"agentv-024": {ruleAttempts + `- a fourth call that repairs the form is one more attempt`, skipped("judge-answer", nil)},
	"agentv-025": {ruleOneAnswer, skipped("judge-answer", nil)},
	"agentv-029": {ruleAnswer + `- the text "true" says met, as the word MET does`,
		facts{"score": 1, "verdict": "pass", "status": "ok", "criterion.rubric-1": true, "calls": 1}},
	"agentv-030": {ruleAnswer + `- the reason is not part of it: both verdicts can be used`,
		facts{"score": 1, "verdict": "pass", "status": "ok", "criterion.rubric-1": true, "criterion.rubric-1.reason": "", "calls": 1}},
	"agentv-032": {ruleNever0 + ruleAttempts, skipped("judge-answer", facts{"warned": true})},
	"agentv-033": {ruleNever0 + ruleAttempts, skipped("judge-answer", nil)},
	"agentv-035": {ruleNever0 + ruleAttempts, skipped("judge-server", nil)},
	"agentv-036": {ruleNever0 + ruleBusy, skipped("judge-limit", facts{"calls": 2})},
	"agentv-045": {ruleNever0 + ruleAttempts, skipped("judge-answer", facts{"criterion.acc": nil, "criterion.cov": 5, "partial": 0.5})},
	"agentv-047": {ruleNever0 + ruleAttempts, skipped("judge-answer", facts{"criterion.acc": nil, "criterion.cov": 5, "partial": 0.5})},
	"agentv-049": {ruleNever0 + ruleAttempts, skipped("judge-answer", facts{"criterion.acc": nil, "criterion.cov": nil})},
	"agentv-054": {`SCORING.md 2, native answer: "satisfied, or integer 0-10"; 2.2: "checklist - must be satisfied": a plain rubric beside a range stays one; ` + ruleAnswer,
		skipped("judge-answer", facts{"criterion.acc": 10, "criterion.rubric-2": nil})},
	"agentv-056": {ruleStrict + `- 2.5 is not a lower end of a band of integers`, refusedFor("key-type")},
	"agentv-060": {ruleEvaluators, refusedFor("unscorable")},
	"agentv-061": {ruleEvaluators, refusedFor("unscorable")},
	"agentv-072": {ruleNever0 + ruleAttempts, skipped("judge-answer", facts{"criterion.outcome": nil})},
	"agentv-073": {ruleExtraction + `- text that is not JSON is not mended`, skipped("judge-answer", facts{"criterion.outcome": nil})},
	"agentv-076": {ruleStrict, refusedFor("wrong-type")},
	"agentv-078": {"SCORING.md 4.4: \"`passed` is true only for the top band\": a case has one verdict, by the threshold that it sets",
		facts{"score": 0.6, "verdict": "pass", "passed": true, "status": "ok", "calls": 1}},
}

// ruleEvaluators is why an assertion of later versions is refused.
const ruleEvaluators = "SCORING.md 2, also: \"`code_judge` scripts\" - other evaluators than these and rubrics are not on the document's page, and none is dropped in silence"

// skipped are the facts of a case that the judge leaves without a score, in the
// system's words.
func skipped(class string, more facts) facts {
	f := noScore(class, 3, more)
	f["verdict"], f["status"] = "skip", "execution_error"
	return f
}
