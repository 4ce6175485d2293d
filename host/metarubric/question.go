package metarubric

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// PerQuestion is the number of criteria that a judge is asked about at once.
const PerQuestion = 20

// The question to a judge about the wording of criteria. The criteria are untrusted,
// and stand apart; see judge.Query.
const (
	System = "You edit rubrics that language models and people grade texts with. You judge only how a criterion is worded, not whether it is a good one."
	Task   = `For each criterion decide two things.
double_barrelled: it asks for two or more things of which a text can have one and lack the other, so that one answer cannot be right for both. Two words for one thing, or examples of one thing, are not double-barrelled.
leading: its wording suggests which answer is expected, or praises or blames before the text is read. A requirement that is plainly stated is not leading.`
	Form = `Answer with one JSON object: {"criteria": [{"number": 1, "double_barrelled": false, "leading": false, "why": "", "suggestion": ""}]}, with one entry for each criterion, by its number. Where both are false, why and suggestion are empty; else why says in one sentence what is wrong, and suggestion is a better wording.`
)

// Schema is the JSON Schema of the answer.
var Schema = jsontext.Value(`{"type":"object","additionalProperties":false,"required":["criteria"],"properties":{"criteria":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["number","double_barrelled","leading","why","suggestion"],"properties":{"number":{"type":"integer"},"double_barrelled":{"type":"boolean"},"leading":{"type":"boolean"},"why":{"type":"string"},"suggestion":{"type":"string"}}}}}}`)

// Question is the part of the message about one criterion.
func Question(number int, c *rubric.Criterion) string {
	text := fmt.Sprintf("number: %d\n", number)
	if c.Name != "" {
		text += "name: " + fault.Clip(c.Name, 500) + "\n"
	}
	return text + "text: " + fault.Clip(strings.TrimSpace(c.Text), 4000)
}

// Opinions reads the answer about criteria. problem lists its errors for the judge;
// empty: none.
func Opinions(asked []*rubric.Criterion, object jsontext.Value) (list []Opinion, problem string) {
	var answer struct {
		Criteria []struct {
			Number     *int   `json:"number"`
			Double     *bool  `json:"double_barrelled"`
			Leading    *bool  `json:"leading"`
			Why        string `json:"why"`
			Suggestion string `json:"suggestion"`
		} `json:"criteria"`
	}
	if err := json.Unmarshal(object, &answer); err != nil {
		return nil, "it is not of the form that was asked for: " + fault.Clip(err.Error(), 200)
	}
	seen := make([]bool, len(asked)+1)
	for _, a := range answer.Criteria {
		switch {
		case a.Number == nil || *a.Number < 1 || *a.Number > len(asked):
			return nil, fmt.Sprintf("an entry has no number from 1 to %d", len(asked))
		case seen[*a.Number]:
			return nil, fmt.Sprintf("number %d occurs twice", *a.Number)
		case a.Double == nil || a.Leading == nil:
			return nil, fmt.Sprintf("the entry of number %d lacks double_barrelled or leading", *a.Number)
		case (*a.Double || *a.Leading) && strings.TrimSpace(a.Why) == "":
			return nil, fmt.Sprintf("the entry of number %d does not say why", *a.Number)
		}
		seen[*a.Number] = true
		list = append(list, Opinion{asked[*a.Number-1].ID, *a.Double, *a.Leading, fault.Clip(strings.TrimSpace(a.Why), 500), fault.Clip(strings.TrimSpace(a.Suggestion), 500)})
	}
	if len(list) < len(asked) {
		return nil, fmt.Sprintf("%d of %d criteria have no entry", len(asked)-len(list), len(asked))
	}
	return list, ""
}
