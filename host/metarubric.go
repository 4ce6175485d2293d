package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

// MetaGrade grades a rubric of any dialect with the built-in rubric builtin:meta_rubric,
// as Grade grades an output: the row has a verdict on each of its five criteria. Two of
// them leave the score where the rubric has nothing to check: weight_distribution for a
// dialect whose weights are relative, threshold for a rubric without a pass rule; see
// metarubric.Object.
func (e *Evaluator) MetaGrade(ctx context.Context, r *rubric.Rubric) (*result.Row, error) {
	doc, err := Load(metarubric.Scheme + metarubric.Name)
	if err != nil {
		return nil, err
	}
	target, err := metarubric.Object(r)
	if err != nil {
		return nil, err
	}
	c, err := caseOf(map[string]any{"id": r.ID, "output": target})
	if err != nil {
		return nil, err
	}
	return e.Grade(ctx, doc, c, GradeOptions{})
}

func caseOf(fields map[string]any) (*dataset.Case, error) {
	object, err := json.Marshal(fields, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, err
	}
	return Case(string(object))
}

// RubricReview has the sources of a review. The zero value is valid: the rubric's
// text and weights.
type RubricReview struct {
	Rubric *rubric.Rubric // one of the document's; nil: its only one

	Run string // directory of a run that was graded with the rubric; empty: none

	// Good and Bad are outputs that are known to be good, and bad. They are graded.
	Good, Bad *dataset.Options

	// Wording asks the evaluator's judge whether criteria are double-barrelled or
	// leading: one call for every 20 criteria.
	Wording bool
}

// ReviewRubric grades a rubric with builtin:meta_rubric and looks for defects that
// its form does not show; see package metarubric. An impossible check is in
// NotChecked, with the reason. The error says why there is no review: a rubric that
// cannot be planned, outputs that cannot be read, a context that is done.
func (e *Evaluator) ReviewRubric(ctx context.Context, doc *dialect.Document, o RubricReview) (*metarubric.Review, error) {
	r := cmp.Or(o.Rubric, doc.Rubric)
	switch {
	case r == nil && len(doc.Rubrics) > 1:
		return nil, fault.WithHint(fault.New(fault.Usage, "%s holds %d rubrics", doc.Name(), len(doc.Rubrics)), "name one: FILE#ID")
	case r == nil:
		return nil, fault.New(fault.Usage, "%s holds no rubric for all of its cases", doc.Name())
	}
	in := &metarubric.Input{Document: doc, Rubric: r}
	var err error
	if in.Meta, err = e.MetaGrade(ctx, r); err != nil {
		return nil, err
	}
	if err := e.readCriteria(ctx, in); err != nil {
		return nil, err
	}
	if o.Wording {
		if err := e.askWording(ctx, in); err != nil {
			return nil, err
		}
	}
	if o.Run != "" {
		in.Run, err = tableOfRun(r, o.Run)
	}
	if err == nil && o.Good != nil && o.Bad != nil {
		if in.Good, err = e.tableOf(ctx, doc, r, o.Good); err == nil {
			in.Bad, err = e.tableOf(ctx, doc, r, o.Bad)
		}
	}
	if err != nil {
		return nil, err
	}
	return metarubric.Make(in), nil
}

// readCriteria has the plugin readability read the texts of the criteria that a judge grades, all together.
func (e *Evaluator) readCriteria(ctx context.Context, in *metarubric.Input) error {
	skip := func(reason string) error {
		in.NotChecked = append(in.NotChecked, metarubric.NotChecked{Check: "reading-level", Reason: reason})
		return nil
	}
	text := metarubric.ReadingText(in.Rubric)
	switch {
	case len(strings.Fields(text)) < metarubric.FewestWords:
		return skip(fmt.Sprintf("the criteria that a judge reads have fewer than %d words", metarubric.FewestWords))
	case !mostlyLatin(text):
		return skip("readability is of English, and the text is in another script")
	}
	call, err := e.Call(ctx, Call{Plugin: "readability"})
	if err != nil {
		return err
	}
	c, err := caseOf(map[string]any{"output": text})
	if err != nil {
		return err
	}
	v := call.Score(ctx, c)
	if err := ctx.Err(); err != nil {
		return err
	}
	var figures struct {
		Words float64  `json:"lexicon_count"`
		Grade *float64 `json:"flesch_kincaid_grade"`
	}
	if v.Status != rubric.Scored || json.Unmarshal(v.Details, &figures) != nil || figures.Grade == nil {
		return skip("the plugin readability gave no figure: " + v.Reason + v.Message)
	}
	in.Reading = &metarubric.Reading{Grade: *figures.Grade, Words: int(figures.Words)}
	return nil
}

// mostlyLatin reports whether four letters of five are Latin.
func mostlyLatin(text string) bool {
	letters, latin := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Latin, r) {
				latin++
			}
		}
	}
	return latin*5 >= letters*4
}

// askWording asks the judge about the wording of the criteria, some at a time.
func (e *Evaluator) askWording(ctx context.Context, in *metarubric.Input) error {
	list := metarubric.Asked(in.Rubric)
	for from := 0; from < len(list); from += metarubric.PerQuestion {
		part := list[from:min(from+metarubric.PerQuestion, len(list))]
		var opinions []metarubric.Opinion
		q := judge.Query{
			System: metarubric.System, Task: metarubric.Task, Form: metarubric.Form, Schema: metarubric.Schema, SchemaName: "wording", Key: "criteria",
			Accept: func(object jsontext.Value) (problem string) {
				opinions, problem = metarubric.Opinions(part, object)
				return problem
			},
		}
		hash := sha256.New()
		for i, c := range part {
			text := metarubric.Question(i+1, c)
			q.Parts = append(q.Parts, judge.Part{Tag: "criterion", Text: text})
			fmt.Fprintf(hash, "%d\n%s\n", len(text), text)
			q.ID.Criteria = append(q.ID.Criteria, c.ID)
		}
		q.ID = llm.CallID{Case: "wording", CaseDigest: digest.Sum(hash), Criteria: q.ID.Criteria}
		how, err := e.Ask(ctx, q)
		in.Judge.Add(result.UsageOf(&rubric.Verdict{How: how}))
		switch {
		case err == nil:
			in.Wording = append(in.Wording, opinions...)
		case ctx.Err() != nil || llm.Stops(err) || fault.Is(err, fault.Usage, fault.Budget, fault.JudgeAuth):
			return err
		default:
			in.NotChecked = append(in.NotChecked, metarubric.NotChecked{Check: "wording-double, wording-leading", Reason: err.Error(), IDs: q.ID.Criteria})
		}
	}
	in.Asked = true
	return nil
}

func (e *Evaluator) tableOf(ctx context.Context, doc *dialect.Document, r *rubric.Rubric, data *dataset.Options) (*metarubric.Table, error) {
	t := metarubric.NewTable(r, strings.Join(data.Paths, ", "))
	doc = &dialect.Document{ // without cases of its own
		File: doc.File, Dialect: doc.Dialect, Format: doc.Format, Rubric: r, Rubrics: []*rubric.Rubric{r}, Unscorable: doc.Unscorable,
	}
	_, err := e.Evaluate(ctx, doc, EvaluateOptions{
		Dataset: *data, MaxUnscored: result.Share{Percent: 100, IsPart: true},
		Observe: func(row *result.Row) { t.Add(row, -1) },
	})
	return t, err
}

// tableOfRun reads a run of the rubric.
func tableOfRun(r *rubric.Rubric, dir string) (*metarubric.Table, error) {
	run, err := runner.ReadRun(dir)
	if err != nil {
		return nil, err
	}
	if p := runner.KnownPlan(run); p != nil && p.Graders[0].Rubric.Digest() != r.Digest() {
		err := fault.New(fault.Mismatch, "run %s was graded with another version of the rubric", run.ID)
		return nil, fault.WithHint(err, "rescore the run with this rubric, and review that")
	}
	t := metarubric.NewTable(r, dir)
	kept, err := runner.OpenCases(dir)
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	err = eachRow(dir, func(row *result.Row) {
		size := -1
		if t.N() < metarubric.MaxRows {
			if c, err := kept.Of(row); err == nil && c != nil && c.HasOutput {
				size = utf8.RuneCountInString(c.Output)
			}
		}
		t.Add(row, size)
	})
	return t, err
}
