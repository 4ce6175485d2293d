package judge

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/claims"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// feedbackID is the criterion that calls for written feedback are recorded under.
const feedbackID = "(feedback)"

const feedbackForm = `Answer with one JSON object, {"feedback": "..."}, and nothing else.`

var feedbackSchema = jsontext.Value(`{"type":"object","properties":{"feedback":{"type":"string"}},"required":["feedback"],"additionalProperties":false}`)

// FeedbackPrompt is the digest of the prompt of Feedback.
func FeedbackPrompt() string { return digest.Of(setBytes([]string{"feedback.tmpl"})) }

// Feedback asks a model once to put the results of a row into words for its author.
// The facts are those of result.Feedback, and a text that claims more is refused:
// then, as for every unusable answer, the error has class fault.JudgeAnswer. How has
// tokens and cost, with an error too. An error for which llm.Stops is true, and the
// context's own, are those of the run; others leave the deterministic text to the
// caller.
func Feedback(ctx context.Context, m llm.Model, o Options, r *rubric.Rubric, row *result.Row, id llm.CallID) (text string, how rubric.How, err error) {
	system, err := fs.ReadFile(files, "prompts/feedback.tmpl")
	if err != nil {
		panic(err) // it is embedded
	}
	id.Criteria = []string{feedbackID}
	o.Attempts = 1
	how, err = Converse(ctx, m, o, Query{
		System: strings.TrimSpace(string(system)), Form: feedbackForm, Key: "feedback", ID: id, Schema: feedbackSchema, SchemaName: "feedback",
		Parts: []Part{{"results", result.Feedback(r, row)}, {"details", details(r, row)}},
		Accept: func(object jsontext.Value) string {
			var answer struct {
				Feedback string `json:"feedback"`
			}
			if err := json.Unmarshal(object, &answer); err != nil {
				return "feedback is not text"
			}
			text = strings.TrimSpace(answer.Feedback)
			if err := claims.Check(r, row, text); err != nil {
				return err.Error()
			}
			return ""
		},
	})
	how.Digest = FeedbackPrompt()
	if err != nil {
		return "", how, err
	}
	return text, how, nil
}

// Bounds on the details, which are those of dataknobs' prompt.
const (
	maxEvidence = 3
	maxCited    = 200
)

// details are the facts that the deterministic text leaves out, in the form of dataknobs'
// prompt.
func details(r *rubric.Rubric, row *result.Row) string {
	var b strings.Builder
	name := cmp.Or(r.Name, r.ID)
	fmt.Fprintf(&b, "Rubric: %s\n", diag.Line(name, maxCited))
	if r.Description != "" {
		fmt.Fprintf(&b, "Description: %s\n", diag.Line(r.Description, 5*maxCited))
	}
	if row.Score != nil && len(r.Pass.Bands) > 0 {
		fmt.Fprintf(&b, "Passes from: %s%%\n", strconv.FormatFloat(r.Pass.Bands[0].Min*100, 'f', 0, 64))
	}
	b.WriteString("\nCriteria:\n")
	for i := range row.Criteria {
		v := &row.Criteria[i]
		c := r.Find(v.ID)
		if c == nil || c.Group() {
			continue
		}
		fmt.Fprintf(&b, "- %s", diag.Line(c.Label(), maxCited))
		if c.Text != "" {
			fmt.Fprintf(&b, ": %s", diag.Line(c.Text, 5*maxCited))
		}
		b.WriteByte('\n')
		if v.Reason != "" && v.Value != nil {
			fmt.Fprintf(&b, "  Reason: %s\n", diag.Line(v.Reason, 2*maxCited))
		}
		for _, e := range v.Evidence[:min(maxEvidence, len(v.Evidence))] {
			fmt.Fprintf(&b, "  Evidence: %s\n", diag.Line(e.Text, maxCited))
		}
	}
	return b.String()
}
