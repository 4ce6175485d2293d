package conformance

import "maps"

// The rules that decide rows otherwise than their systems do, as SCORING.md says
// them.
const (
	ruleStrict         = `SCORING.md 1: "Loading is strict: unknown keys are errors with a suggestion, except under the dialect's free-form keys"; "NaN, infinities, duplicate ids, empty criteria, a weight outside the dialect's range: errors." `
	ruleWeightAtLeast0 = `SCORING.md 2, weights: ">= 0, default 1.0" `
	ruleValueInRange   = `SCORING.md 1: "value in [0,1]" `
	ruleNative         = `SCORING.md 1: "native (bool | level | number)" `
	ruleAnswer         = "SCORING.md 4.1: \"A judge answer must name every asked criterion exactly once with a value of the right type in range; otherwise retry with the problem named, up to `attempts`, then failed.\" "
	ruleNever0         = `SCORING.md: "an answer that cannot be used is never a 0 here" `
	ruleBusy           = `a busy endpoint uses up no attempts: it is given up on after judge.Options.Patience, here after the first pause `
	ruleAttempts       = `SCORING.md 2, attempts: 3 for every system, whatever goes wrong `
	ruleDuplicates     = `SCORING.md 4.1: "Duplicates with equal values: warning; with different values: retry." `
	ruleNumbers        = `SCORING.md 4.1: "Strings for numbers: accepted only if the whole string is a number. Booleans are not numbers." `
	ruleOneAnswer      = `host/RATIONALE.md: "Exactly one answer counts": two that differ are none `
	ruleExtraction     = `SCORING.md 4.1: "JSON extraction: balanced scan over the whole text, last object that satisfies the schema." `
	ruleZero           = `SCORING.md 4.3: "Zero denominator: no score, with the reason." `
	ruleClamp          = `SCORING.md 4.3: "Clamp to 0..1 where the policy says, and say so." `
	ruleNothingSent    = `CLI.md, exit code 2: "usage, config, rubric or dataset invalid: nothing was scored or sent" `
)

// both joins maps, such as the facts of the whole and those of the criteria.
func both[M ~map[string]V, V any](parts ...M) M {
	joined := M{}
	for _, p := range parts {
		maps.Copy(joined, p)
	}
	return joined
}

// refusedFor are the facts of a document, or of verdicts, that are refused with
// a diagnostic.
func refusedFor(code string) facts {
	return facts{"refused": "invalid", "code." + code: true, "score": nil, "calls": 0}
}

// noScore are the facts of a row that a failure of this class leaves without a
// score, after so many calls of the judge.
func noScore(class string, calls int, more facts) facts {
	return both(facts{"refused": nil, "score": nil, "verdict": "unscored", "passed": false, "class": class, "calls": calls}, more)
}
