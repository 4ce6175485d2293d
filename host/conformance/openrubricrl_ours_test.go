package conformance

var openrubricrlOurs = map[string]departure{
	"openrubricrl-002": {ruleAnswer + `- 8 and 7 do not lie on the scale from 1 to 5`, both(offScale, facts{"whole.reward": 0.75, "whole.judge_overall": 4})},
	"openrubricrl-015": {ruleNever0, both(wholeLost("judge-answer", 3), byLost)},
	"openrubricrl-017": {ruleNever0, both(wholeLost("judge-answer", 3), byLost)},
	"openrubricrl-018": {ruleOneAnswer, both(wholeLost("judge-answer", 3), byLost)},
	"openrubricrl-019": {ruleExtraction, both(facts{"whole.reward": 0.6, "whole.judge_overall": 6, "whole.calls": 1}, byMean(6, 1))},
	"openrubricrl-020": {ruleAttempts, both(facts{"whole.reward": 0.6, "whole.judge_overall": 6, "whole.calls": 2}, byMean(6, 2))},
	"openrubricrl-022": {ruleNumbers + ruleRecomputed, both(wholeLost("judge-answer", 3), byMean(nil, 1))},
	"openrubricrl-023": {ruleNumbers + ruleRecomputed, both(wholeLost("judge-answer", 3), byMean(nil, 1))},
	"openrubricrl-024": {ruleNumbers + ruleRecomputed, both(wholeLost("judge-answer", 3), byMean(nil, 1))},
	"openrubricrl-025": {ruleNumbers + ruleRecomputed, both(wholeLost("judge-answer", 3), byMean(nil, 1))},
	"openrubricrl-026": {ruleNumbers + ruleRecomputed, both(wholeLost("judge-answer", 3), byMean(nil, 1))},
	"openrubricrl-028": {ruleNumbers + ruleRecomputed, both(wholeLost("judge-answer", 3), byMean(nil, 1))},
	"openrubricrl-030": {ruleAnswer + ruleNever0, both(oneLost, facts{"whole.reward": 0.6, "whole.judge_overall": 6, "whole.calls": 1})},
	"openrubricrl-031": {ruleAnswer + ruleNever0, both(oneLost, facts{"whole.reward": 0.6, "whole.judge_overall": 6, "whole.calls": 1})},
	"openrubricrl-033": {ruleDuplicates, both(wholeLost("judge-answer", 3), byLost)},
	"openrubricrl-038": {`the overall of a discrete scale may be a fraction, for the mean of integers is one `, both(offScale, facts{"whole.reward": 0.625, "whole.judge_overall": 3.5})},
	"openrubricrl-040": {ruleScale, refusedTwice("scale-empty")},
	"openrubricrl-041": {ruleScale, refusedTwice("scale-empty")},
	"openrubricrl-045": {ruleAnswer + `- 8 and 7 do not lie on the scale from 1 to 5`, both(offScale, facts{"whole.reward": 0.11920292202211755, "whole.judge_overall": 1})},
	"openrubricrl-048": {ruleNothingSent, unpaid(`unknown normalization "rank"`)},
	"openrubricrl-051": {ruleNoReference, both(metricLost("exact", "whole."), metricLost("exact", "by."))},
	"openrubricrl-055": {`SCORING.md 2.1: "no expected output means unscored"; without a reference there is nothing to compare with `,
		both(metricLost("b", "whole."), metricLost("b", "by."))},
	"openrubricrl-060": {ruleNothingSent, unpaid(`value must be one of "rouge1"`)},
	"openrubricrl-061": {rulePerplexity, both(metricLost("p", "whole."), metricLost("p", "by."))},
	"openrubricrl-066": {rulePerplexity, both(metricLost("p", "whole."), facts{"whole.metric.exact": 1})},
	"openrubricrl-067": {rulePerplexity, both(metricLost("p", "whole."), facts{"whole.metric.exact": 1})},
	"openrubricrl-068": {`SCORING.md 2.1: "sum of metric weights over 1 is a validation error." `, refusedTwice("metric-share")},
	"openrubricrl-070": {ruleNothingSent, unpaid(`unknown blend "median"`)},
	"openrubricrl-071": {ruleClamp + `- no score lies below the minimum`, facts{"whole.reward": 0, "whole.judge_overall": -5, "whole.metric.exact": 1, "whole.warned": true, "by.score": 0.76}},
	"openrubricrl-072": {ruleNever0 + `- nor is what failed hidden by a metric`, both(wholeLost("judge-answer", 3), byLost, facts{"whole.metric.b": 1})},
	"openrubricrl-074": {ruleNever0 + ruleBusy, both(wholeLost("judge-limit", 2), facts{"by.score": nil, "by.class": "judge-limit", "by.calls": 2})},
	"openrubricrl-077": {ruleNever0, both(wholeLost("judge-auth", 1), facts{"by.score": nil, "by.class": "judge-auth", "by.calls": 1})},
	"openrubricrl-079": {"SCORING.md 5: \"a row without `output` is an error that names the row\" - and no other row suffers from it",
		facts{"refused": nil, "rows": 2, "scored": 1, "calls": 1, "0.score": 0.6, "1.score": nil, "1.message": containing("items.jsonl:2")}},
	"openrubricrl-084": {`SCORING.md 2, weights: "0..1, sum 1 (tolerance 1e-6)" `, facts{"refused": nil, "criteria.1.weight": 0.4999995}},
	"openrubricrl-099": {ruleStrict, refusedFor("unknown-key")},
}

// The rules that only this system needs.
const (
	ruleRecomputed  = "SCORING.md 2.1: \"The judge's own overall number is kept as `judge_overall` and a difference over 0.05 from the recomputed mean is a warning.\" By criteria the mean counts, and an overall number that is none is left out. "
	ruleScale       = `Document: "Minimum possible score", "Maximum possible score": a scale whose ends are in the wrong order, or the same, has no scores. `
	ruleNoReference = `SCORING.md 2.1: "no expected output means unscored" `
	rulePerplexity  = `SCORING.md 2.1: "perplexity needs token log-probabilities from the case (logprobs), else unscored (never the upstream placeholder)" `
)

// wholeLost is an overall number that cannot be used.
func wholeLost(class string, calls int) facts {
	return facts{"whole.refused": nil, "whole.score": nil, "whole.reward": nil, "whole.judge_overall": nil, "whole.verdict": "unscored",
		"whole.class": class, "whole.calls": calls}
}

// byLost is an answer by criteria of which nothing can be used.
var byLost = facts{"by.refused": nil, "by.score": nil, "by.reward": nil, "by.class": "judge-answer", "by.calls": 3,
	"by.criterion.route_choice": nil, "by.criterion.timing": nil}

// oneLost is one in which one of two criterion scores is not a number.
var oneLost = facts{"by.refused": nil, "by.score": nil, "by.reward": nil, "by.class": "judge-answer", "by.calls": 3,
	"by.criterion.route_choice": nil, "by.criterion.timing": 7, "by.partial": 0.7}

// offScale is an answer by criteria whose scores do not lie on the scale.
var offScale = both(byLost, facts{"by.partial": nil})

// byMean is an answer with the scores 8 and 7 of 10 on criteria of weight 0.6 and
// 0.4: 7.6, whatever the judge's own number is.
func byMean(overall any, calls int) facts {
	return facts{"by.refused": nil, "by.score": 0.76, "by.reward": 0.76, "by.raw_score": 7.6, "by.judge_overall": overall, "by.calls": calls,
		"by.criterion.route_choice": 8, "by.criterion.timing": 7}
}

// metricLost is a metric that has nothing to reckon with: it leaves the case
// without a score, and the judge's number is kept.
func metricLost(name, way string) facts {
	return facts{"refused": nil, "score": nil, "reward": nil, "verdict": "unscored", "metric." + name: nil,
		"metric." + name + ".status": "unscored", "calls": 1}.at(way)
}

// refusedTwice is a document that is refused, whichever way it is put.
func refusedTwice(code string) facts {
	return both(refusedFor(code).at("whole."), refusedFor(code).at("by."))
}

// unpaid is a setting that is refused before a judge is asked.
func unpaid(message string) facts {
	f := facts{"refused": "invalid", "score": nil, "calls": 0, "message": containing(message)}
	return both(f.at("whole."), f.at("by."))
}
