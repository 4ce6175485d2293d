package report

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// TestWriteArtifact_IsHarmless has a page whose every text was written by others.
func TestWriteArtifact_IsHarmless(t *testing.T) {
	const evil = "\x1b[2J|<script>alert(1)</script>\n# x\u202e[a](http://b.c) @who `y`"
	none := (*float64)(nil)
	e := review.Evaluation{ID: evil, Run: evil, Target: evil, Rubric: evil, RubricVersion: evil, Status: rubric.Unscored, Score: none, Reason: evil, Feedback: evil + "\n\n  - " + evil, By: evil}
	p := review.Provenance{
		CreatedBy: evil, Method: evil, Context: map[string]any{evil: []any{evil}}, Sources: []review.Source{{ID: evil, Type: evil, Location: evil, Relevance: evil, Excerpt: evil}},
		Tools: []review.Tool{{Name: evil, Version: evil}}, LLM: []review.LLMCall{{Purpose: evil, Model: evil}}, Revisions: []review.Revision{{Previous: evil, Reason: evil, Changes: evil, By: evil}},
		Reviews: []review.Review{{Evaluations: []review.Evaluation{e}, Reason: evil, Status: review.InReview}},
	}
	b, err := json.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	a := &review.Artifact{ID: evil, Type: evil, Name: evil, Version: evil, Status: review.InReview, Provenance: b, Tags: []string{evil}, Rubrics: []string{evil}}
	var out strings.Builder
	err = WriteArtifact(&out, ArtifactPage{Artifact: a, Versions: []*review.Artifact{a, a}, Events: []review.Event{{Version: evil, To: review.Draft, By: evil, Note: evil, At: time.Now()}},
		Row: func(*review.Evaluation) *result.Row { return &result.Row{Criteria: []result.Criterion{{ID: evil}}} }})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\x1b", "\u202e", "<script", "[a](", "://b.c", "@who", " `y`", "2J|"} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("%q is in:\n%s", bad, out.String())
		}
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "# x") {
			t.Errorf("a text of others begins a line: %s", line)
		}
	}
}
