package report

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/store"
)

// evaluation is the RubricEvaluation.to_dict of dataknobs-bots. Its id is that of the
// index of runs; outside of a run, one of the row's content in the same form.
type evaluation struct {
	ID               string            `json:"id"`
	RubricID         string            `json:"rubric_id"`
	RubricVersion    string            `json:"rubric_version"`
	TargetID         string            `json:"target_id"`
	TargetType       string            `json:"target_type"`
	CriterionResults []criterionResult `json:"criterion_results"`
	WeightedScore    *float64          `json:"weighted_score"`
	Passed           *bool             `json:"passed"`
	FeedbackSummary  string            `json:"feedback_summary"`
	EvaluatedAt      string            `json:"evaluated_at"` // RFC 3339, a profile of ISO 8601
	EvaluatedBy      string            `json:"evaluated_by"`
}

type criterionResult struct {
	CriterionID       string         `json:"criterion_id"`
	LevelID           string         `json:"level_id"`
	Score             float64        `json:"score"`
	Evidence          []string       `json:"evidence"`
	Notes             string         `json:"notes"`
	ScoringMethodUsed string         `json:"scoring_method_used"`
	LLMInvocation     *llmInvocation `json:"llm_invocation,omitzero"`
}

type llmInvocation struct {
	Model        string    `json:"model"`
	PromptHash   string    `json:"prompt_hash"`
	ResponseHash string    `json:"response_hash"`
	Timestamp    string    `json:"timestamp"`
	Usage        *llmUsage `json:"usage,omitzero"` // absent if the endpoint does not count
}

type llmUsage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
}

func shapeEvaluation(r *rubric.Rubric, row *result.Row, run *result.Run) any {
	when := run.Started.UTC().Format(time.RFC3339)
	out := &evaluation{
		ID: evaluationID(row, run.ID), RubricID: r.ID, RubricVersion: r.Version, TargetID: row.Case, TargetType: r.TargetType,
		CriterionResults: []criterionResult{}, WeightedScore: row.Score, Passed: row.Passed,
		FeedbackSummary: row.Feedback, EvaluatedAt: when, EvaluatedBy: run.EvaluatedBy(),
	}
	if out.FeedbackSummary == "" {
		out.FeedbackSummary = result.Feedback(r, row)
	}
	for _, a := range answers(r.Criteria, row.Criteria) {
		out.CriterionResults = append(out.CriterionResults, leveled(a, when))
	}
	return out
}

// evaluationID is "eval_" and twelve hexadecimal digits.
func evaluationID(row *result.Row, run string) string {
	if run != "" {
		return store.EvaluationID(run, row.Case, row.Repeat)
	}
	text, err := result.AppendRow(nil, row)
	if err != nil {
		text = []byte(row.Case)
	}
	sum := sha256.Sum256(text)
	return "eval_" + hex.EncodeToString(sum[:6])
}

// scoringTypes are the words of dataknobs for the ways of scoring.
var scoringTypes = map[rubric.Way]string{rubric.ByMetric: "deterministic", rubric.BySchema: "schema", rubric.ByJudge: "llm_decode"}

func leveled(a answered, when string) criterionResult {
	way := a.Scorer.WayOrJudge()
	out := criterionResult{CriterionID: a.ID, Evidence: []string{}, ScoringMethodUsed: scoringTypes[way]}
	v := a.verdict
	if v == nil || v.Value == nil { // the documented convention for criteria that were not evaluated
		out.LevelID, out.Notes = "error", "Evaluation error: "+a.reason()
		if way == rubric.ByJudge {
			out.LevelID, out.Notes = "unable_to_evaluate", "LLM decode failed: "+a.reason()
		}
		return out
	}
	out.LevelID, out.Score, out.Notes = v.Verdict().Native.String(), *v.Value, v.Reason
	for _, e := range v.Evidence {
		out.Evidence = append(out.Evidence, e.Text)
	}
	if v.How != nil && v.How.Judge != "" {
		out.LLMInvocation = &llmInvocation{v.How.Judge, v.How.PromptHash, v.How.ResponseHash, when, nil}
		if v.How.Uncounted == 0 {
			out.LLMInvocation.Usage = &llmUsage{v.How.TokensIn, v.How.TokensOut}
		}
	}
	return out
}
