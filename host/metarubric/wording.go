package metarubric

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// wording adds the warnings of rubric.Lint about texts: two that say the same, or nearly, and one that says little.
func (b *reviewer) wording() {
	for _, p := range rubric.Lint(b.Rubric) {
		if strings.HasPrefix(p.Code, "text-") {
			b.find(Finding{Severity: diag.Warning, Code: p.Code, Message: p.Message, Hint: p.Hint}, p.Path)
		}
	}
}

// An Opinion is a judge's opinion on the wording of a criterion.
type Opinion struct {
	ID         string
	Double     bool // it asks for two things at once
	Leading    bool // it suggests the answer
	Why        string
	Suggestion string
}

// opinions reports the judge's opinions.
func (b *reviewer) opinions() {
	if !b.Asked {
		b.lacks(NeedsJudge, "wording-double, wording-leading", "a judge decides this")
		return
	}
	for _, o := range b.Wording {
		say := func(code, what string) {
			b.of(Finding{Severity: diag.Warning, Code: code, Message: fmt.Sprintf("criterion %s %s, says the judge: %s", b.quoted([]string{o.ID}), what, diag.Plain(o.Why)),
				Hint: diag.Plain(o.Suggestion)}, o.ID)
		}
		if o.Double {
			say("wording-double", "asks for two things at once")
		}
		if o.Leading {
			say("wording-leading", "suggests its answer")
		}
	}
}

// Asked returns the criteria whose wording a judge is asked about: those that a judge
// grades by their text.
func Asked(r *rubric.Rubric) []*rubric.Criterion {
	return xslices.Filter(r.Leaves(), func(c *rubric.Criterion) bool {
		return c.Scorer.WayOrJudge() == rubric.ByJudge && strings.TrimSpace(c.Text) != ""
	})
}

// A Reading is how hard the texts of the criteria are to read. It is of English.
type Reading struct {
	Grade float64 // Flesch-Kincaid grade, in years of school
	Words int
}

// ReadingText returns the texts that a judge reads: of criteria and of their levels, each as a sentence of its own.
func ReadingText(r *rubric.Rubric) string {
	var b strings.Builder
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString(text)
			if !strings.ContainsAny(text[len(text)-1:], ".!?:;") {
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
	}
	for _, c := range Asked(r) {
		add(c.Text)
		for _, l := range c.Answer.Levels {
			add(l.Description)
		}
	}
	return b.String()
}

// Bounds on readability: an index of few words is mostly chance.
const (
	FewestWords = 100
	hardest     = 14.0
)

// reading finds that the criteria, read together, are hard to read.
func (b *reviewer) reading() {
	if r := b.Reading; r != nil && r.Words >= FewestWords && r.Grade > hardest {
		b.find(Finding{Severity: diag.Note, Code: "reading-level", Figure: &Figure{Name: "grade", Value: r.Grade, N: r.Words}, Hint: "write shorter sentences and plainer words",
			Message: fmt.Sprintf("the criteria need %.0f years of school to read (Flesch-Kincaid, %d words)", r.Grade, r.Words)}, "criteria")
	}
}

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
