package conformance

import "fmt"

// The rules that only this system needs.
const (
	ruleRequired = "SCORING.md 2.3: \"`required: true` and not evaluated: the case has no score.\" In the document's words the criterion's level is `error` or `unable_to_evaluate`: \"score 0 there only\". "
	ruleFeedback = `SCORING.md 2.3: "Feedback text layout: exactly the sample in the document" - which advises on a criterion that lies on the threshold and has a higher level, as the row dataknobs-078 has it `
	ruleLevel    = `SCORING.md 2.3: "JSON first, then exactly one level id found as a whole word; two or none is not an answer." `
	ruleOneCall  = "SCORING.md 2, judge calls: \"one per `LLM_DECODE` criterion\", and none for the feedback "
	ruleVersions = `seeds.md C37: "re-register of the same version with different content = conflict error" - the document keeps versioned records for audit `
	ruleKeys     = `Vectors README 8.6: "Registry keys are structured" `
	rulePlugin   = "SCORING.md 2.3: \"Deterministic `function_ref: \"module:function\"` = plugin `module`, export `function`.\" "
)

var dataknobsOurs = map[string]departure{
	"dataknobs-001": {ruleFeedback, advised(0.8, "- Facts: great (score: 1.00)\n- Tone: solid (score: 0.60)", "Tone")},
	"dataknobs-002": {ruleFeedback, advised(0.6, "- Facts: solid (score: 0.60)", "Facts")},
	"dataknobs-005": {ruleFeedback, advised(0.6, "- Facts: great (score: 1.00)\n- Tone: solid (score: 0.60)", "Tone")},
	"dataknobs-006": {ruleZero, facts{"refused": nil, "score": nil, "passed": false, "error": "the weights sum to 0, not to more than 0", "criterion.facts": "great"}},
	"dataknobs-007": {ruleZero, facts{"refused": nil, "score": nil, "passed": false, "error": "the weights sum to 0, not to more than 0", "criterion.facts": "great"}},
	"dataknobs-008": {ruleStrict + ruleWeightAtLeast0, refusedFor("weight-range")},
	"dataknobs-009": {ruleStrict + ruleWeightAtLeast0, refusedFor("weight-range")},
	"dataknobs-010": {ruleStrict + ruleWeightAtLeast0, refusedFor("weight-range")},
	"dataknobs-011": {ruleStrict + ruleWeightAtLeast0, refusedFor("weight-range")},
	"dataknobs-012": {ruleFeedback, facts{"score": 0.6, "passed": true, "feedback": containing("- K9: solid (score: 0.60)\n\nSuggestions for improvement:\n  - K0: aim for 'Great' — great work\n")}},
	"dataknobs-015": {ruleStrict, refusedFor("criteria-empty")},
	"dataknobs-018": {ruleRequired + ruleNever0, functionFailed("protocol", `has no level "Great"`)},
	"dataknobs-019": {ruleRequired + ruleNever0, functionFailed("protocol", "level: null instead of a string")},
	"dataknobs-020": {ruleRequired + ruleNever0, functionFailed("protocol", "level: a number instead of a string")},
	"dataknobs-021": {ruleRequired, both(functionFailed("plugin-error", "disk on fire"), facts{"criterion.tone": "great", "partial": 1})},
	"dataknobs-023": {"SCORING.md 2.3: \"`required: false` and not evaluated: the criterion leaves the mean.\" ",
		facts{"refused": nil, "score": 1, "passed": true, "criterion.facts": "error", "criterion.facts.note": containing("no data"), "criterion.facts.value": nil, "criterion.tone": "great",
			"feedback": "Evaluation PASSED for rubric 'Harbor Text'.\nOverall score: 100%\n\n- Facts: error (no score) [Evaluation error: plugin lab: facts: no data]\n- Tone: great (score: 1.00)"}},
	"dataknobs-025": {ruleStrict + rulePlugin + `- a criterion that names no function is refused before anything is scored`, refusedFor("key-missing")},
	"dataknobs-026": {rulePlugin + ruleNothingSent, facts{"refused": "not-found", "score": nil, "message": containing(`no plugin "nosuchpkg.mod"`)}},
	"dataknobs-028": {ruleStrict + rulePlugin, refusedFor("function-ref")},
	"dataknobs-029": {rulePlugin + `- a document reaches plugins, and nothing else on the machine`, facts{"refused": "not-found", "score": nil, "message": containing(`no plugin "json"`)}},
	"dataknobs-030": {rulePlugin + `- a plugin is sent a copy of the target and cannot change it`, facts{"refused": nil, "score": 1, "passed": true, "target_changed": false}},
	"dataknobs-031": {ruleStrict, refusedFor("id-duplicate")},
	"dataknobs-032": {ruleFeedback, advised(0.6, "- Count: solid (score: 0.60)", "Count")},
	"dataknobs-033": {ruleFeedback, advised(0.6, "- Größe ✓: solid (score: 0.60)", "Größe ✓")},
	"dataknobs-039": {ruleStrict + `- a criterion without levels has no answers`, refusedFor("levels-empty")},
	"dataknobs-042": {ruleFeedback + ruleOneCall + `- of the call the row keeps model, tokens and the prompt's digest, and a recording the answer itself`,
		both(advised(0.6, "- Clear: solid (score: 0.60)", "Clear"),
			facts{"criterion.clear": "solid", "prompt_hash": "75212bf9017d0a77", "tokens_in": 4, "calls": 1})},
	"dataknobs-047": {ruleLevel + ruleExtraction, facts{"refused": nil, "score": 0.6, "passed": true, "criterion.clear": "solid", "calls": 1}},
	"dataknobs-048": {ruleRequired + ruleAttempts, inconclusive},
	"dataknobs-049": {ruleLevel, facts{"refused": nil, "score": 0.6, "passed": true, "criterion.clear": "solid", "calls": 1}},
	"dataknobs-051": {ruleRequired + ruleAttempts, inconclusive},
	"dataknobs-052": {ruleRequired + ruleAttempts + ruleNever0, inconclusive},
	"dataknobs-053": {ruleRequired + ruleAttempts, inconclusive},
	"dataknobs-054": {ruleRequired + ruleAttempts, inconclusive},
	"dataknobs-055": {ruleRequired + ruleAttempts, inconclusive},
	"dataknobs-057": {ruleDuplicates, inconclusive},
	"dataknobs-058": {ruleRequired + ruleAttempts, inconclusive},
	"dataknobs-059": {ruleRequired + ruleAttempts, inconclusive},
	"dataknobs-065": {ruleFeedback + ruleOneCall, both(advised(0.6, "- Clear: solid (score: 0.60)", "Clear"), facts{"criterion.clear": "solid", "calls": 1})},
	"dataknobs-066": {ruleRequired, noScore("invalid", 0, facts{"criterion.clear": "error", "criterion.clear.note": containing("'text' is undefined")})},
	"dataknobs-069": {ruleNothingSent, facts{"refused": "usage", "score": nil, "message": containing("needs a judge")}},
	"dataknobs-070": {`Vectors README 4.11: "Templates are not sandboxed"; 8.6: "templates sandboxed" `,
		noScore("invalid", 0, facts{"criterion.clear": "error", "criterion.clear.note": containing("__class__")})},
	"dataknobs-074": {ruleStrict + `- a criterion without levels has no answers`, refusedFor("levels-empty")},
	"dataknobs-079": {ruleRequired + ruleNever0, functionFailed("protocol", `has no level "superb"`)},
	"dataknobs-080": {ruleRequired, both(functionFailed("plugin-error", "x y"),
		facts{"feedback": "Evaluation UNSCORED for rubric 'Harbor Text'.\nOverall score: none\n\n- Facts: error (no score) [Evaluation error: plugin lab: facts: x y]"})},
	"dataknobs-083": {ruleRequired, both(inconclusive,
		facts{"feedback": "Evaluation UNSCORED for rubric 'Harbor Text'.\nOverall score: none\n\n- Clear: unable_to_evaluate (no score) [LLM evaluation inconclusive]\n\nSuggestions for improvement:\n  - Clear: could not be evaluated by LLM"})},
	"dataknobs-103": {ruleVersions, facts{"step.1.refused": "conflict", "step.2.name": "Harbor Text"}},
	"dataknobs-106": {ruleKeys, facts{"step.2.id": "a:b", "step.2.version": "1", "step.3.id": "a", "step.3.version": "b"}},
	"dataknobs-116": {rulePlugin + ruleNothingSent + `- the second rubric names a function that nobody has`, facts{"refused": "not-found", "message": containing(`rubric second: rubric "second": criterion "facts": no plugin "lab"`)}},
	"dataknobs-097": {ruleRequired + ruleNever0 + `- criteria that are text are not criteria: every check says so`,
		noScore("plugin-error", 0, facts{"criterion.criteria_coverage": "error", "criterion.weight_distribution": "error",
			"criterion.criteria_coverage.note": containing("criteria is a string; it must be a list of objects")})},
	"dataknobs-121": {`Document, pass_threshold: "Minimum weighted score to pass (0.0 to 1.0)" `, refusedFor("number-range")},
}

// inconclusive is a criterion without an answer from the judge: it is not evaluated,
// and the case has no score.
var inconclusive = noScore("judge-answer", 3, facts{"criterion.clear": "unable_to_evaluate", "criterion.clear.value": nil, "criterion.clear.status": "failed"})

// functionFailed is a scoring function that gives no level.
func functionFailed(class, message string) facts {
	return noScore(class, 0, facts{"criterion.facts": "error", "criterion.facts.value": nil, "criterion.facts.note": containing(message)})
}

// advised is a row that passes, whose criterion lies on the threshold.
func advised(score float64, lines, on string) facts {
	return facts{"refused": nil, "score": score, "passed": true, "feedback": fmt.Sprintf(
		"Evaluation PASSED for rubric 'Harbor Text'.\nOverall score: %.0f%%\n\n%s\n\nSuggestions for improvement:\n  - %s: aim for 'Great' — great work", score*100, lines, on)}
}
