package review_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/review"
)

// TestTransitions_AreThoseOfTheGuide holds the table to dataknobs' artifact guide
// ("Valid Transitions Table").
func TestTransitions_AreThoseOfTheGuide(t *testing.T) {
	want := map[review.Status]string{
		"draft": "pending_review archived superseded", "pending_review": "in_review draft archived", "in_review": "approved needs_revision rejected",
		"needs_revision": "draft archived superseded", "approved": "superseded archived", "rejected": "archived", "superseded": "archived", "archived": "",
	}
	all := review.Statuses()
	if len(all) != len(want) {
		t.Errorf("%d statuses", len(all))
	}
	for _, from := range all {
		for _, to := range all {
			if got, want := from.CanBecome(to), slices.Contains(strings.Fields(want[from]), string(to)); got != want {
				t.Errorf("%s to %s: %v", from, to, got)
			}
		}
	}
}

func TestDecide(t *testing.T) {
	high, exact := 0.95, 0.9+1e-12
	noRule := outcome(passes)
	noRule.Passed = nil
	near := outcome(passes)
	near.Score = new(0.94996)
	for name, c := range map[string]struct {
		rules review.Rules
		list  []review.Evaluation
		want  review.Status
		why   string
	}{
		"all passed":               {review.Rules{}, []review.Evaluation{outcome(passes), outcome(barely)}, review.Approved, "all 2 evaluations passed"},
		"one failed":               {review.Rules{}, []review.Evaluation{outcome(passes), outcome(fails)}, review.NeedsRevision, "r failed with 0.100"},
		"no score":                 {review.Rules{}, []review.Evaluation{outcome(passes), outcome(blank)}, review.InReview, "r has no score: the judge gave no answer"},
		"no score and a failure":   {review.Rules{}, []review.Evaluation{outcome(blank), outcome(fails)}, review.NeedsRevision, "r failed with 0.100; r has no score: the judge gave no answer"},
		"no evaluation":            {review.Rules{}, nil, review.InReview, "no rubrics; waits for a decision"},
		"below the threshold":      {review.Rules{ApprovalThreshold: &high}, []review.Evaluation{outcome(passes)}, review.NeedsRevision, "r scored 0.900, below the approval threshold 0.95"},
		"near the threshold":       {review.Rules{ApprovalThreshold: &high}, []review.Evaluation{near}, review.NeedsRevision, "r scored 0.94996, below the approval threshold 0.95"},
		"on the threshold":         {review.Rules{ApprovalThreshold: &exact}, []review.Evaluation{outcome(passes)}, review.Approved, "r passed"},
		"a person approves":        {review.Rules{RequiresApproval: true}, []review.Evaluation{outcome(passes)}, review.InReview, "r passed; waits for approval"},
		"a person and a failure":   {review.Rules{RequiresApproval: true}, []review.Evaluation{outcome(fails)}, review.NeedsRevision, "r failed with 0.100"},
		"no pass rule":             {review.Rules{}, []review.Evaluation{noRule}, review.InReview, "r has no pass rule, and the type no approval_threshold"},
		"a threshold for no rule":  {review.Rules{ApprovalThreshold: &exact}, []review.Evaluation{noRule}, review.Approved, "r passed"},
		"a high one for no rule":   {review.Rules{ApprovalThreshold: &high}, []review.Evaluation{noRule}, review.NeedsRevision, "r scored 0.900, below the approval threshold 0.95"},
		"threshold and no score":   {review.Rules{ApprovalThreshold: &exact}, []review.Evaluation{outcome(blank)}, review.InReview, "r has no score: the judge gave no answer"},
		"a person and a lost one":  {review.Rules{RequiresApproval: true}, []review.Evaluation{outcome(blank)}, review.InReview, "r has no score: the judge gave no answer"},
		"threshold zero, no score": {review.Rules{ApprovalThreshold: new(float64)}, []review.Evaluation{outcome(blank)}, review.InReview, "r has no score: the judge gave no answer"},
	} {
		if got, why := c.rules.Decide(c.list); got != c.want || why != c.why {
			t.Errorf("%s: %s, %s", name, got, why)
		}
	}
}

// scripted is a lifecycle whose evaluations come out as words.
func scripted(words ...string) (*review.Lifecycle, *memory) {
	m := newMemory()
	l := &review.Lifecycle{Store: m, Types: map[string]review.Type{"quiz": {ID: "quiz", Rubrics: []string{"r"}, Tags: []string{"school"}}}}
	l.Grade = func(context.Context, *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
		return func(context.Context) ([]review.Evaluation, error) {
			e := outcome(words[0])
			e.ID = "eval_" + words[0]
			words = words[1:]
			return []review.Evaluation{e}, nil
		}, nil
	}
	return l, m
}

func create(t *testing.T, l *review.Lifecycle, n review.New) *review.Artifact {
	t.Helper()
	if n.Type == "" {
		n.Type = "quiz"
	}
	if n.Name == "" {
		n.Name = "Biology"
	}
	if n.Content == nil {
		n.Content = jsontext.Value(`{"questions": ["Why?"]}`)
	}
	a, err := l.Create(t.Context(), n)
	must(t, err)
	return a
}

func TestCreate_TakesRubricsTagsAndRulesOfTheType(t *testing.T) {
	l, m := scripted()
	a := create(t, l, review.New{Tags: []string{"biology", "school"}, Rubrics: []string{"extra@2.0.0", "r"}, Provenance: review.Provenance{
		CreatedBy: "bot:quizbot", Method: "generator", Sources: []review.Source{{ID: "doc_1", Type: "document", Confidence: 0.9}},
		ReviewHistory: []string{"eval_made_up"}, Reviews: []review.Review{{Status: review.Approved}}, Rules: review.Rules{RequiresApproval: true},
	}})
	stored, err := m.Artifact(t.Context(), a.ID, "")
	must(t, err)
	if stored.Version != "1.0.0" || stored.Status != review.Draft || stored.Revision != 1 || a.Revision != 1 || string(stored.Content) != `{"questions":["Why?"]}` {
		t.Errorf("%+v", stored)
	}
	if d := cmp.Diff([][]string{{"biology", "school"}, {"r", "extra@2.0.0"}}, [][]string{stored.Tags, stored.Rubrics}); d != "" {
		t.Error(d)
	}
	p, err := stored.ReadProvenance()
	must(t, err)
	if p.CreatedBy != "bot:quizbot" || p.Method != "generator" || len(p.Sources) != 1 || p.CreatedAt.IsZero() {
		t.Errorf("%+v", p)
	}
	if len(p.ReviewHistory) > 0 || len(p.Reviews) > 0 || p.Rules.RequiresApproval {
		t.Errorf("a creator made up reviews: %+v", p)
	}
}

func TestCreate_Refuses(t *testing.T) {
	long := strings.Repeat("a", 2000)
	many := make([]string, 101)
	for i := range many {
		many[i] = strings.Repeat("t", i+1)
	}
	good := review.New{Type: "quiz", Name: "Q", Content: jsontext.Value(`{}`)}
	for name, c := range map[string]struct {
		change func(n *review.New)
		class  fault.Class
		say    string
	}{
		"an unknown type":       {func(n *review.New) { n.Type = "quizz" }, fault.NotFound, `artifact type "quizz" is not declared`},
		"no name":               {func(n *review.New) { n.Name = " " }, fault.Invalid, "the name is empty"},
		"a long name":           {func(n *review.New) { n.Name = long }, fault.Invalid, "at most 1000"},
		"an escape in the name": {func(n *review.New) { n.Name = "a\x1b[2Jb" }, fault.Invalid, "control characters"},
		"a turned name":         {func(n *review.New) { n.Name = "a\u202eb" }, fault.Invalid, "control characters"},
		"a name of bytes":       {func(n *review.New) { n.Name = "a\xff" }, fault.Invalid, "not valid UTF-8"},
		"an empty tag":          {func(n *review.New) { n.Tags = []string{""} }, fault.Invalid, "the tag is empty"},
		"a tag with a line":     {func(n *review.New) { n.Tags = []string{"a\nb"} }, fault.Invalid, "control characters"},
		"many tags":             {func(n *review.New) { n.Tags = many }, fault.Invalid, "102 tags; at most 100"},
		"half a rubric":         {func(n *review.New) { n.Rubrics = []string{"r@"} }, fault.Invalid, `"r@" is not ID or ID@VERSION`},
		"no content":            {func(n *review.New) { n.Content = nil }, fault.Invalid, "no content"},
		"null":                  {func(n *review.New) { n.Content = jsontext.Value(` null `) }, fault.Invalid, "the content is null"},
		"half an object":        {func(n *review.New) { n.Content = jsontext.Value(`{"a": 1`) }, fault.Invalid, "not JSON"},
		"two values":            {func(n *review.New) { n.Content = jsontext.Value(`{} {}`) }, fault.Invalid, "after top-level value"},
		"a key twice":           {func(n *review.New) { n.Content = jsontext.Value(`{"a": 1, "a": 2}`) }, fault.Invalid, "duplicate"},
		"bytes":                 {func(n *review.New) { n.Content = jsontext.Value("\"\xff\"") }, fault.Invalid, "UTF-8"},
		"much content":          {func(n *review.New) { n.Content = jsontext.Value(`"` + strings.Repeat("a", review.MaxContent) + `"`) }, fault.Invalid, "at most 16000000"},
		"a creator with a bell": {func(n *review.New) { n.Provenance.CreatedBy = "bot\a" }, fault.Invalid, "the creator has control characters"},
	} {
		l, m := scripted()
		n := good
		c.change(&n)
		_, err := l.Create(t.Context(), n)
		if !fault.Is(err, c.class) || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: %v", name, err)
		}
		if len(m.versions) > 0 {
			t.Errorf("%s: it is stored", name)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	l, _ := scripted()
	if _, err := l.Create(ended, good); !errors.Is(err, context.Canceled) {
		t.Errorf("a store that takes nothing: %v", err)
	}
}

func TestSubmit_AutoReviewWhenCreatedAndRevised(t *testing.T) {
	l, _ := scripted(fails, passes)
	kind := l.Types["quiz"]
	kind.AutoReview = true
	l.Types["quiz"] = kind
	a := create(t, l, review.New{})
	if a.Status != review.NeedsRevision || !fault.Is(a.Outcome(), fault.Gate) {
		t.Errorf("created: %s, %v", a.Status, a.Outcome())
	}
	delete(l.Types, "quiz") // the rules of an artifact are those of its creation
	a, err := l.Revise(t.Context(), a.ID, jsontext.Value(`{"questions": [], "title": "B"}`), "user:jane", "")
	if err != nil || a.Status != review.Approved || a.Version != "1.0.1" || a.Outcome() != nil {
		t.Fatalf("revised: %+v, %v", a, err)
	}
	p, err := a.ReadProvenance()
	must(t, err)
	if d := cmp.Diff([]string{"eval_fails", "eval_passes"}, p.ReviewHistory); d != "" {
		t.Error(d)
	}
	if len(p.Reviews) != 1 || p.Reviews[0].Status != review.Approved {
		t.Errorf("reviews of this version: %+v", p.Reviews)
	}
	r := p.Revisions[0]
	if r.Previous != "1.0.0" || r.Reason != "r failed with 0.100" || r.Changes != "changed questions, added title" || r.By != "user:jane" || len(r.ID) != len("rev_")+12 {
		t.Errorf("%+v", r)
	}
}

func TestSubmit_UnknownRubricChangesNothing(t *testing.T) {
	l, m := scripted()
	a := create(t, l, review.New{})
	l.Grade = func(context.Context, *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
		return nil, fault.New(fault.NotFound, "no rubric r")
	}
	if _, err := l.Submit(t.Context(), a.ID, "jane"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	after, err := m.Artifact(t.Context(), a.ID, "")
	if err != nil || after.Status != review.Draft || after.Revision != 1 {
		t.Errorf("%+v, %v", after, err)
	}
}

// TestSubmit_AfterItsProcessWasKilled submits an artifact that a killed process left
// in review, also when a person had sent it back before.
func TestSubmit_AfterItsProcessWasKilled(t *testing.T) {
	l, _ := scripted(passes, passes)
	kind := l.Types["quiz"]
	kind.RequiresApproval = true
	l.Types["quiz"] = kind
	a := create(t, l, review.New{})
	ctx := t.Context()
	if _, err := l.Submit(ctx, a.ID, "jane"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Submit(ctx, a.ID, "jane"); !fault.Is(err, fault.Conflict) || !strings.Contains(fault.Hint(err), "approve or reject") {
		t.Errorf("what waits for a person was evaluated again: %v", err)
	}
	if _, err := l.Decide(ctx, a.ID, "joe", "too short", review.NeedsRevision); err != nil {
		t.Fatal(err)
	}
	works := l.Grade
	l.Grade = func(context.Context, *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
		return func(context.Context) ([]review.Evaluation, error) { return nil, errors.New("killed") }, nil
	}
	left, err := l.Submit(ctx, a.ID, "jane")
	if err == nil || left.Status != review.InReview {
		t.Fatalf("%+v, %v", left, err)
	}
	if err := left.Outcome(); !fault.Is(err, fault.Unscored) || !strings.Contains(err.Error(), "has not ended") {
		t.Errorf("the outcome is that of an earlier submission: %v", err)
	}
	if _, err := l.Decide(ctx, a.ID, "joe", "", review.Approved); !fault.Is(err, fault.Conflict) {
		t.Errorf("approved by the evaluations of an earlier submission: %v", err)
	}
	l.Grade = works
	if a, err = l.Submit(ctx, a.ID, "jane"); err != nil || a.Status != review.InReview {
		t.Fatal(a, err)
	}
	if a, err = l.Decide(ctx, a.ID, "joe", "", review.Approved); err != nil || a.Status != review.Approved {
		t.Error(a, err)
	}
}

// TestSubmit_WritesWhatWasEvaluated stops it when everything is evaluated, and paid.
func TestSubmit_WritesWhatWasEvaluated(t *testing.T) {
	l, _ := scripted()
	a := create(t, l, review.New{})
	ctx, cancel := context.WithCancel(t.Context())
	l.Grade = func(context.Context, *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
		return func(context.Context) ([]review.Evaluation, error) {
			cancel()
			return []review.Evaluation{outcome(passes)}, nil
		}, nil
	}
	if a, err := l.Submit(ctx, a.ID, "jane"); err != nil || a.Status != review.Approved {
		t.Error(a, err)
	}
}

func TestSubmit_TwoAtOnce_OneWins(t *testing.T) {
	l, m := scripted()
	a := create(t, l, review.New{})
	ctx := t.Context()
	ready, goOn := make(chan bool), make(chan bool)
	l.Grade = func(context.Context, *review.Artifact) (func(context.Context) ([]review.Evaluation, error), error) {
		return func(context.Context) ([]review.Evaluation, error) {
			ready <- true
			<-goOn
			e := outcome(passes)
			e.Run = "run-of-one"
			return []review.Evaluation{e}, nil
		}, nil
	}
	done := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := l.Submit(ctx, a.ID, "jane")
			done <- err
		}()
		<-ready // both are being evaluated
	}
	close(goOn)
	errs := []error{<-done, <-done}
	if errs[0] == nil {
		errs[0], errs[1] = errs[1], errs[0]
	}
	if errs[1] != nil || !fault.Is(errs[0], fault.Conflict) || !strings.Contains(fault.Hint(errs[0]), "run-of-one") {
		t.Errorf("%v (%s); %v", errs[0], fault.Hint(errs[0]), errs[1])
	}
	after, err := m.Artifact(ctx, a.ID, "")
	if err != nil || after.Status != review.Approved || len(after.Evaluations) != 1 {
		t.Errorf("%+v, %v", after, err)
	}
}

// readTypes reads the value of the key artifact_types.
func readTypes(src string) (map[string]review.Type, error) {
	r := strict.New(document.Read("types.yaml", []byte(src), document.Options{Noun: "types"}))
	r.NoNulls = true
	if r.Doc.Root == nil {
		return nil, r.Err()
	}
	return review.ReadTypes(&r, r.Doc.Root), r.Err()
}

func TestReadTypes(t *testing.T) {
	types, err := readTypes(`
quiz:
  description: A quiz
  rubrics: [quiz_quality@1.0.0, style]
  auto_review: true
  requires_approval: true
  approval_threshold: 0.8
  tags: [assessment]
note:
`)
	must(t, err)
	threshold := 0.8
	want := map[string]review.Type{
		"quiz": {ID: "quiz", Description: "A quiz", Rubrics: []string{"quiz_quality@1.0.0", "style"}, Tags: []string{"assessment"},
			Rules: review.Rules{AutoReview: true, RequiresApproval: true, ApprovalThreshold: &threshold}},
		"note": {ID: "note"},
	}
	if d := cmp.Diff(want, types); d != "" {
		t.Error(d)
	}
}

func TestReadTypes_ReportsEveryProblem(t *testing.T) {
	_, err := readTypes(`
quiz:
  rubric: [a]
  rubrics: a
  auto_review: "yes"
  approval_threshold: 80
  tags: [1, "a\tb"]
  content_schema: quiz.json
"": {}
more: 1
`)
	var got []string
	for _, d := range diag.In(err) {
		got = append(got, d.Pos.String()+" "+d.Message+" "+d.Hint)
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{`types.yaml:3:3 unknown key "rubric" in the type "quiz" did you mean "rubrics"?`, "quiz.rubrics must be a list of texts", "auto_review must be true or false", "approval_threshold is 80, not in 0..1", "tags[0] must be text", "control characters", "the type is empty", "content_schema is not supported check the content with a schema criterion", "artifact_types.more must be an object"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

func FuzzReadTypes(f *testing.F) {
	f.Add("quiz: {rubrics: [a], approval_threshold: 0.5}")
	f.Add("a: &x {tags: [t]}\nb: *x")
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, src string) {
		types, err := readTypes(src)
		if err != nil && !fault.Is(err, fault.Invalid) {
			t.Error(err)
		}
		for id, kind := range types {
			if err == nil && (id != kind.ID || kind.ApprovalThreshold != nil && !(*kind.ApprovalThreshold >= 0 && *kind.ApprovalThreshold <= 1)) {
				t.Errorf("%q: %+v", id, kind)
			}
		}
	})
}

func TestParseProvenance(t *testing.T) {
	p, err := review.ParseProvenance("p.json", []byte(`{"created_by": "system:generator:quiz_gen_v1", "creation_method": "generator",
		"sources": [{"source_id": "doc_123", "source_type": "document", "relevance": "Source material", "confidence": 0.95}, {"source_id": "d", "source_type": "external"}],
		"tool_chain": [{"tool_name": "quiz_generator", "tool_version": "2.1.0", "parameters": {"topic": "biology", "count": 10}}],
		"llm_invocations": [{"purpose": "generate_context", "model": "llama3.2", "prompt_hash": "a1b2c3d4"}]}`))
	must(t, err)
	if p.Sources[0].Confidence != 0.95 || p.Sources[1].Confidence != 1 || p.Tools[0].Name != "quiz_generator" || p.LLM[0].PromptHash != "a1b2c3d4" {
		t.Errorf("%+v", p)
	}
	for _, bad := range []string{`{"review_history": ["eval_1"]}`, `{"sources": [{"confidence": 2}]}`, `[]`, `{`, ``} {
		if _, err := review.ParseProvenance("p.json", []byte(bad)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
