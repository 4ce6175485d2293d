package report

import (
	"cmp"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// evaluationReport is the EvaluationReport of the rubric library 1.3.
type evaluationReport struct {
	Score       *float64           `json:"score"`
	RawScore    *float64           `json:"raw_score"`
	LLMRawScore *float64           `json:"llm_raw_score"`
	Report      *[]criterionReport `json:"report"` // null if the rubric was judged as a whole
	Error       *string            `json:"error"`  // null if there is a score
}

type criterionReport struct {
	Weight      float64 `json:"weight"`
	Requirement string  `json:"requirement"`
	Verdict     *string `json:"verdict"` // MET or UNMET; null without such an answer
	Reason      string  `json:"reason"`
}

func shapeEvaluationReport(r *rubric.Rubric, row *result.Row, _ *result.Run) any {
	out := &evaluationReport{Score: row.Score, RawScore: row.RawScore, LLMRawScore: row.LLMRawScore}
	if why := withoutScore(row); why != "" {
		out.Error = &why
	}
	if overall(r, row) != nil {
		return out
	}
	list := []criterionReport{}
	for _, a := range answers(r.Criteria, row.Criteria) {
		list = append(list, criterionReport{Weight: a.Weight.Value, Requirement: cmp.Or(a.Text, a.Label()), Verdict: metWord(a.verdict), Reason: a.reason()})
	}
	out.Report = &list
	return out
}

// metWord is MET or UNMET, nil for any other answer and for none.
func metWord(v *result.Criterion) *string {
	if v == nil || v.Native == nil || v.Native.Met == nil {
		return nil
	}
	word := "UNMET"
	if *v.Native.Met {
		word = "MET"
	}
	return &word
}
