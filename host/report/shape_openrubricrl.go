package report

import (
	"strings"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	scoring "github.com/rubric-host/rubric-host/host/score"
)

// openRubricRLResult is the answer of OpenRubricRL 0.1, with its reward record where the rubric has metrics.
// The overall score is the weighted mean of its document, not the judge's own figure.
type openRubricRLResult struct {
	OverallScore          *float64            `json:"overall_score"`
	OverallExplanation    string              `json:"overall_explanation"`
	CriterionScores       map[string]*float64 `json:"criterion_scores"`
	CriterionExplanations map[string]string   `json:"criterion_explanations"`
	RubricName            string              `json:"rubric_name"`
	RubricVersion         string              `json:"rubric_version"`
	*rewardResult                             // nil without metrics
}

type rewardResult struct {
	Reward           *float64            `json:"reward"`
	RawLLMScore      *float64            `json:"raw_llm_score"`
	NormalizedScore  *float64            `json:"normalized_score"` // before the metrics
	HybridComponents map[string]*float64 `json:"hybrid_components"`
}

func shapeOpenRubricRL(r *rubric.Rubric, row *result.Row, _ *result.Run) any {
	out := &openRubricRLResult{
		OverallScore: row.RawScore, CriterionScores: map[string]*float64{}, CriterionExplanations: map[string]string{},
		RubricName: r.ID, RubricVersion: r.Version,
	}
	if r.Policy.Raw != rubric.RawOnScale {
		out.OverallScore = onScale(r, row.Score)
	}
	if whole := overall(r, row); whole != nil {
		out.OverallExplanation = reasonOf(whole)
	} else {
		list := answers(r.Criteria, row.Criteria)
		for _, a := range list {
			out.CriterionScores[a.ID] = nativeNumber(r, a)
			out.CriterionExplanations[a.ID] = a.reason()
		}
		out.OverallExplanation = reasons(list)
	}
	if why := withoutScore(row); why != "" {
		out.OverallExplanation = why
	}
	if len(r.Metrics) > 0 {
		out.rewardResult = rewardOf(r, row, out.OverallScore)
	}
	return out
}

func rewardOf(r *rubric.Rubric, row *result.Row, raw *float64) *rewardResult {
	out := &rewardResult{Reward: row.Score, RawLLMScore: raw, HybridComponents: map[string]*float64{}}
	if raw != nil && r.Scale != nil {
		out.NormalizedScore = new(scoring.Normalize(r.Policy.Normalization, *r.Scale, *raw))
	}
	for _, a := range answers(r.Metrics, row.Metrics) {
		out.HybridComponents[strings.TrimPrefix(a.ID, "metric/")] = a.value() // the prefix tells it from a criterion of its name
	}
	return out
}

// nativeNumber is the criterion's number on its scale: the answer itself, or
// the value's place on the rubric's scale.
func nativeNumber(r *rubric.Rubric, a answered) *float64 {
	if a.verdict != nil && a.verdict.Native != nil && a.verdict.Native.Number != nil {
		return a.verdict.Native.Number
	}
	return onScale(r, a.value())
}

func onScale(r *rubric.Rubric, value *float64) *float64 {
	if value == nil || r.Scale == nil {
		return value
	}
	return new(r.Scale.Min + float64(*value*(r.Scale.Max-r.Scale.Min)))
}
