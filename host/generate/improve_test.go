package generate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/generate"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// outputs returns n cases q0, q1, ...; labels the lines that a function gives for each.
func outputs(t *testing.T, n int, label func(i int) string) ([]*dataset.Case, *scorer.Given) {
	t.Helper()
	var cases []*dataset.Case
	var lines strings.Builder
	for i := range n {
		c, err := host.Case(fmt.Sprintf(`{"id": "q%d", "input": "Mail %d", "output": "Answer %d"}`, i, i, i))
		must(t, err)
		cases = append(cases, c)
		lines.WriteString(label(i) + "\n")
	}
	labels, _, err := scorer.ReadGiven("labels.jsonl", strings.NewReader(lines.String()))
	must(t, err)
	return cases, labels
}

func improve(t *testing.T, src string, cases []*dataset.Case, labels *scorer.Given, play func(llmtest.Call) llmtest.Answer) (*generate.Improved, error) {
	t.Helper()
	ev := evaluator(t, llmtest.New(t, play), llm.Limits{})
	doc, err := dialect.Decode("rubric.yaml", []byte(src), dialect.Options{})
	must(t, err)
	return generate.Improve(t.Context(), ev, generate.Improvement{Document: doc, Cases: cases, Labels: labels})
}

const levelled = `rubric: mail
pass: 0.5
criteria:
  - id: tone
    judge: How warm is it?
    levels:
      - {id: cold, score: 0}
      - id: warm # best
        description: friendly
        score: 1
`

// playing is a model that proposes an edit, and whose verdict depends on whether a prompt has words.
func playing(edit, words, with, without string) func(llmtest.Call) llmtest.Answer {
	return func(c llmtest.Call) llmtest.Answer {
		switch {
		case strings.Contains(c.User(), "<disagreement"):
			return llmtest.Answer{Text: `{"edits": [` + edit + `]}`}
		case strings.Contains(c.User(), words):
			return llmtest.Answer{Text: `{"reason": "r", "verdict": "` + with + `"}`}
		}
		return llmtest.Answer{Text: `{"reason": "r", "verdict": "` + without + `"}`}
	}
}

func TestImprove_EditsLevels(t *testing.T) {
	cases, labels := outputs(t, 20, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "tone", "level": "cold"}`, i) })
	got, err := improve(t, levelled, cases, labels, playing(`{"criterion": "tone", "text": "", "levels": [{"id": "warm", "description": "thanks the sender"}], "weight": 0, "why": "w"}`, "thanks the sender", "cold", "warm"))
	if err != nil || !got.Proof.Better || *got.Proof.Before.Value != 0 || *got.Proof.After.Value != 1 || got.Proof.N != 10 {
		t.Fatalf("%+v, %v", got, err)
	}
	if want := strings.Replace(levelled, "description: friendly", "description: thanks the sender", 1); string(got.Text) != want {
		t.Errorf("the rubric is\n%s", got.Text)
	}
}

// A rubric that is not written with one key a line is formatted, with its comments.
func TestImprove_FormatsWhatCannotBeEditedInPlace(t *testing.T) {
	src := "rubric: mail\npass:   0.5\ncriteria:\n- {id: a, judge: Is it right?} # first\n"
	cases, labels := outputs(t, 20, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "a", "met": false}`, i) })
	got, err := improve(t, src, cases, labels, playing(`{"criterion": "a", "text": "Is it exact?", "levels": [], "weight": 0, "why": "w"}`, "exact", "UNMET", "MET"))
	if err != nil || !got.Proof.Better || string(got.Text) != "rubric: mail\npass: 0.5\ncriteria:\n  - {id: a, judge: 'Is it exact?'} # first\n" {
		t.Fatalf("%+v, %v\n%s", got, err, got.Text)
	}
}

// Labels on the whole let weights change; labels on criteria do not.
func TestImprove_EditsWeightsForLabelsOnTheWhole(t *testing.T) {
	src := "rubric: mail\npass: 0.5\ncriteria:\n- {\"id\": \"a\", \"judge\": \"Is it right?\", \"weight\": 1} # first\n- id: b\n  judge: Is it short?\n"
	play := playing(`{"criterion": "a", "text": "", "levels": [], "weight": 9, "why": "w"}`, "Is it right?", "MET", "UNMET")
	cases, labels := outputs(t, 20, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "overall": 90}`, i) })
	got, err := improve(t, src, cases, labels, play)
	if err != nil || !got.Proof.Better || !strings.Contains(string(got.Text), `"weight": 9}`) || !strings.Contains(string(got.Text), "# first") {
		t.Fatalf("%+v, %v\n%s", got, err, got.Text)
	}
	cases, labels = outputs(t, 20, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "b", "met": true}`, i) })
	if _, err = improve(t, src, cases, labels, play); fault.Of(err) != fault.JudgeAnswer || !strings.Contains(err.Error(), "no label is on the whole") {
		t.Errorf("err = %v", err)
	}
}

// The division depends on the ids and the seed, not on the order of the cases.
func TestImprove_DividesByIDs(t *testing.T) {
	label := func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "tone", "level": "warm"}`, i) }
	cases, labels := outputs(t, 9, label)
	warm := func(llmtest.Call) llmtest.Answer { return llmtest.Answer{Text: `{"reason": "r", "verdict": "warm"}`} }
	one, err := improve(t, levelled, cases, labels, warm)
	must(t, err)
	slices.Reverse(cases)
	two, err := improve(t, levelled, cases, labels, warm)
	if err != nil || !slices.Equal(one.Held, two.Held) || !slices.Equal(one.Shown, two.Shown) || len(one.Held) != 5 || len(one.Changes) != 0 || string(one.Text) != levelled {
		t.Errorf("%v and %v, %v", one, two, err)
	}
	for _, id := range one.Shown {
		if slices.Contains(one.Held, id) {
			t.Errorf("%s is shown and held out", id)
		}
	}
}

// Cases that cannot be scored are in no figure, and nothing is better for them.
func TestImprove_UnscoredCasesProveNothing(t *testing.T) {
	cases, labels := outputs(t, 8, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "tone", "level": "warm"}`, i) })
	got, err := improve(t, levelled, cases, labels, func(llmtest.Call) llmtest.Answer { return llmtest.Answer{Text: "no"} })
	if err != nil || got.Proof.Before.N != 0 || got.Proof.Before.Unscored != 4 || got.Proof.Before.Value != nil || got.Proof.Better || got.Proof.Difference != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestImprove_RefusesOtherDocuments(t *testing.T) {
	cases, labels := outputs(t, 4, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "tone", "level": "warm"}`, i) })
	for _, src := range []string{evalfile, strings.Replace(levelled, "id: tone", "id: other", 1)} {
		if _, err := improve(t, src, cases, labels, nil); !fault.Is(err, fault.Usage, fault.Invalid) {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// An edit keeps the words of the dialect; a criterion that is plain text has no key to
// set, and the edit is reported.
func TestImprove_EditsOtherDialects(t *testing.T) {
	src := `name: mail
execution:
  evaluators:
    - name: quality
      type: llm_judge
      rubrics:
        - id: exact   # numbers
          outcome: Is it right?
        - Is it short?
`
	cases, labels := outputs(t, 20, func(i int) string {
		return fmt.Sprintf(`{"case": "q%d", "criterion": "exact", "met": false}`, i) + "\n" + fmt.Sprintf(`{"case": "q%d", "criterion": "rubric-2", "met": false}`, i)
	})
	got, err := improve(t, src, cases, labels, func(c llmtest.Call) llmtest.Answer {
		exact := "MET"
		switch {
		case strings.Contains(c.User(), "<disagreement"):
			return llmtest.Answer{Text: `{"edits": [{"criterion": "exact", "text": "Is it exact?", "levels": [], "weight": 0, "why": "w"}, {"criterion": "rubric-2", "text": "Has it ten words?", "levels": [], "weight": 0, "why": "w"}]}`}
		case strings.Contains(c.User(), "Is it exact?"):
			exact = "UNMET"
		}
		return llmtest.Answer{Text: `{"verdicts": {"exact": {"reason": "r", "verdict": "` + exact + `"}, "rubric-2": {"reason": "r", "verdict": "MET"}}}`}
	})
	if err != nil || !got.Proof.Better || got.Proof.N != 20 || len(got.Refused) != 1 || !strings.Contains(got.Refused[0], "rubric-2") {
		t.Fatalf("%+v, %v\n%s", got, err, got.Text)
	}
	if want := strings.Replace(src, "outcome: Is it right?", "outcome: Is it exact?", 1); string(got.Text) != want {
		t.Errorf("the rubric is\n%s", got.Text)
	}
}

// Cases of one cluster are one observation, and never on both sides of the division.
func TestImprove_KeepsClustersTogether(t *testing.T) {
	play := playing(`{"criterion": "tone", "text": "", "levels": [{"id": "warm", "description": "thanks the sender"}], "weight": 0, "why": "w"}`, "thanks the sender", "cold", "warm")
	cold := func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "tone", "level": "cold"}`, i) }
	cases, labels := outputs(t, 24, cold)
	of := map[string]string{}
	for i, c := range cases {
		c.Cluster = fmt.Sprint("problem ", i/6)
		of[c.ID] = c.Cluster
	}
	got, err := improve(t, levelled, cases, labels, play)
	if err != nil || got.Proof.N != 12 || len(got.Changes) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, id := range got.Shown {
		if slices.ContainsFunc(got.Held, func(held string) bool { return of[held] == of[id] }) {
			t.Errorf("%s of %s is shown, and the rest held out", id, of[id])
		}
	}
	if got.Proof.Better || *got.Proof.P != 0.5 {
		t.Errorf("two clusters prove the edits: %+v, p %v", got.Proof, *got.Proof.P)
	}
	for _, c := range cases {
		c.Cluster = "one"
	}
	if _, err := improve(t, levelled, cases, labels, play); fault.Of(err) != fault.Empty {
		t.Errorf("one cluster is divided: %v", err)
	}
}

// Verdicts that are lost by an edit do not make it better.
func TestImprove_LostVerdictsProveNothing(t *testing.T) {
	cases, labels := outputs(t, 40, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "criterion": "tone", "level": "cold"}`, i) })
	got, err := improve(t, levelled, cases, labels, func(c llmtest.Call) llmtest.Answer {
		switch {
		case strings.Contains(c.User(), "<disagreement"):
			return llmtest.Answer{Text: `{"edits": [{"criterion": "tone", "text": "", "levels": [{"id": "warm", "description": "thanks the sender"}], "weight": 0, "why": "w"}]}`}
		case strings.Contains(c.User(), "thanks the sender") && strings.Contains(c.User(), "Answer 1"):
			return llmtest.Answer{Text: "no"}
		case strings.Contains(c.User(), "thanks the sender"):
			return llmtest.Answer{Text: `{"reason": "r", "verdict": "cold"}`}
		}
		return llmtest.Answer{Text: `{"reason": "r", "verdict": "warm"}`}
	})
	if err != nil || got.Proof.Difference == nil || got.Proof.Difference.Low <= 0 || got.Proof.After.Unscored == 0 || got.Proof.Better {
		t.Errorf("%+v, %v", got, err)
	}
}

// The smallest weights keep their sign, which decides whether a criterion is a fault.
func TestImprove_SmallWeightsKeepTheirSign(t *testing.T) {
	src := "rubric: mail\ncriteria:\n  - id: a\n    judge: Is it right?\n  - id: b\n    judge: Is it rude?\n    weight: -1\n"
	cases, labels := outputs(t, 20, func(i int) string { return fmt.Sprintf(`{"case": "q%d", "overall": 90}`, i) })
	got, err := improve(t, src, cases, labels, func(c llmtest.Call) llmtest.Answer {
		if strings.Contains(c.User(), "<disagreement") {
			return llmtest.Answer{Text: `{"edits": [{"criterion": "b", "text": "", "levels": [], "weight": -0.001, "why": "w"}]}`}
		}
		return llmtest.Answer{Text: `{"reason": "r", "verdict": "MET"}`}
	})
	if err != nil || !strings.Contains(string(got.Text), "weight: -0.01") {
		t.Errorf("%v\n%s", err, got.Text)
	}
}
