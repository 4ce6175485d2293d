package generate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// FillOptions say how the cases of an eval file get rubrics. The zero value
// drafts for every case that has an expected outcome and no rubrics.
type FillOptions struct {
	Dialect string // of the file; empty: detected

	// Each is called for every case that is not Left, in the order of the file, by one
	// goroutine at a time. Nil: it is not.
	Each func(*Filled)
}

// A Status is the outcome of a case of an eval file.
type Status string

// The statuses.
const (
	Drafted   Status = "drafted"    // it has new rubrics
	Kept      Status = "kept"       // it had rubrics
	NoOutcome Status = "no-outcome" // it has no expected outcome
	Failed    Status = "failed"     // no usable draft; Err says why
	Left      Status = "left"       // drafting stopped before it
)

// Filled is a case of an eval file.
type Filled struct {
	ID       string
	Line     int // from 1
	Status   Status
	Criteria []rubric.Criterion // of Drafted
	Meta     *Meta              // of Drafted
	Err      error              // of Failed

	// Reference is set by EvalFile.TryReferences. Nil: the case has no expected
	// output, or no draft.
	Reference *Reference
}

// An EvalFile is an eval file with drafts.
type EvalFile struct {
	Dialect string
	Text    []byte // the file with its drafts; the file as it was if there are none
	Cases   []Filled
}

// Count returns how many cases have a status.
func (f *EvalFile) Count(s Status) int {
	return xslices.Count(f.Cases, func(c Filled) bool { return c.Status == s })
}

// Err returns stopped, the error of Fill or TryReferences, with the number of cases that are left; else the
// error of the last case without a usable draft.
func (f *EvalFile) Err(stopped error) error {
	drafted, failed, left := f.Count(Drafted), f.Count(Failed), f.Count(Left)
	if stopped != nil {
		if left == 0 || !fault.Is(stopped, fault.Budget, fault.Interrupted, fault.Terminated, fault.RateLimited) {
			return stopped
		}
		cases := "1 case is"
		if left > 1 {
			cases = fmt.Sprintf("%d cases are", left)
		}
		return fault.WithHint(fault.New(fault.Of(stopped), "%w; %s left without rubrics", stopped, cases), "run it again to continue with the others")
	}
	var last error
	for i := range f.Cases {
		if err := f.Cases[i].Err; err != nil {
			last = err
		}
	}
	if last == nil {
		return nil
	}
	hint := "run it again, or write their rubrics yourself"
	if fault.Is(last, fault.Invalid) { // a place that cannot be edited: the others are written
		hint = fault.Hint(last)
		last = fault.As(fault.Unscored, last)
	}
	return fault.WithHint(fault.New(fault.Of(last), "%d of %d cases got no draft: %w", failed, failed+drafted, last), "%s", hint)
}

// outcomeOnly is the form of drafts for eval files: their criteria are met or not,
// and weigh at least 0.
var outcomeOnly = form{gates: true}

const outcomeTask = `Write the criteria for one case of an eval file. <expected_outcome> says what a right output achieves; the criteria together demand that, and no more. <question> is the input of the case, <reference_answer> one right output: others may be right, too.`

// Fill drafts criteria for the cases of an eval file (native, agentv, agentevals) from their expected outcomes,
// and returns the file with them; every other byte stays. Cases without an outcome, or with criteria, are left
// alone: the same call on the result drafts the missing ones. In a native file, drafts in a case take the place
// of the document's criteria. A case whose draft cannot be used is Failed and no error. The error is about
// the file (fault.Usage: its dialect has no cases), or says why drafting stopped, such as fault.Budget; then the
// file has the drafts until then.
func Fill(ctx context.Context, ev *host.Evaluator, file string, src []byte, o FillOptions) (*EvalFile, error) {
	doc, err := dialect.Decode(file, src, dialect.Options{Dialect: o.Dialect, Schema: schema.Check, Undrafted: true})
	if err != nil {
		return nil, err
	}
	write, ok := writers[doc.Dialect]
	if !ok {
		err := fault.New(fault.Usage, "%s is a document of %s, which has no cases with expected outcomes", file, doc.Dialect)
		return nil, fault.WithHint(err, "eval files are native, agentv or agentevals; a rubric of its own is drafted from a task or examples")
	}
	read, err := dialect.Read(file, src, doc.Format)
	if err != nil {
		return nil, err
	}
	items := casesOf(read.Root)
	if len(items) != len(doc.Cases) || len(items) == 0 {
		return nil, fault.WithHint(fault.New(fault.Empty, "%s has no cases", file), "add cases under %s, each with expected_outcome", write.cases)
	}
	f := &filler{ev: ev, o: o, writer: write, doc: doc, items: items, out: &EvalFile{Dialect: doc.Dialect, Text: src, Cases: make([]Filled, len(items))}}
	f.sort()
	f.refuseUnwritable(read)
	stopped := f.draft(ctx)
	if err := f.write(read); err != nil {
		return nil, err
	}
	return f.out, stopped
}

func casesOf(root *document.Node) []*document.Node {
	for _, key := range dialect.CaseKeys() {
		if list := root.Get(key); list.Is(document.List) {
			return list.Items
		}
	}
	return nil
}

type filler struct {
	ev     *host.Evaluator
	o      FillOptions
	writer caseWriter
	doc    *dialect.Document
	items  []*document.Node
	out    *EvalFile
	told   int // cases that Each was called for, or that it does not report
}

type caseWriter struct {
	cases string // key of the cases
	edit  func(c *document.Node, list []rubric.Criterion) document.Edit
	has   func(doc *dialect.Document, i int, c *document.Node) bool // criteria already
}

var writers = map[string]caseWriter{
	dialect.Native:     {"cases", editNativeCase, hasCriteria},
	dialect.AgentV:     {"evalcases", editEvalCase, hasRubrics},
	dialect.AgentEvals: {"evalcases", editEvalCase, hasRubrics},
}

// sort decides which cases get drafts; they are Left until they have one.
func (f *filler) sort() {
	for i := range f.out.Cases {
		given, c := &f.doc.Cases[i], &f.out.Cases[i]
		c.ID, c.Line, c.Status = given.ID, given.Line, Left
		switch {
		case f.writer.has(f.doc, i, f.items[i]):
			c.Status = Kept
		case f.outcome(i) == "":
			c.Status = NoOutcome
		}
	}
}

// refuseUnwritable finds the cases that rubrics cannot be written into, before
// anything is asked for them.
func (f *filler) refuseUnwritable(read *document.Document) {
	var left []int
	for i := range f.out.Cases {
		if f.out.Cases[i].Status == Left {
			left = append(left, i)
		}
	}
	sample := []rubric.Criterion{{ID: "a", Text: "b", Weight: weight(1)}}
	var look func(list []int)
	look = func(list []int) {
		_, err := read.Edit(xslices.Map(list, func(i int) document.Edit { return f.writer.edit(f.items[i], sample) }))
		switch {
		case err == nil:
		case len(list) == 1:
			c := &f.out.Cases[list[0]]
			c.Status, c.Err = Failed, err
		default:
			look(list[:len(list)/2])
			look(list[len(list)/2:])
		}
	}
	if len(left) > 0 {
		look(left)
	}
}

// tell passes on the cases whose status is known, up to the first that is Left.
func (f *filler) tell() {
	for ; f.told < len(f.out.Cases) && f.out.Cases[f.told].Status != Left; f.told++ {
		if f.o.Each != nil {
			f.o.Each(&f.out.Cases[f.told])
		}
	}
}

func (f *filler) outcome(i int) string {
	var fields struct {
		Outcome string `json:"expected_outcome"`
	}
	if err := json.Unmarshal(f.doc.Cases[i].Fields, &fields); err != nil {
		return ""
	}
	return strings.TrimSpace(fields.Outcome)
}

// draft asks about every case that is Left. The error says why it stopped.
func (f *filler) draft(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	const atOnce = 8 // cases under way; the judge's own gate decides how many are sent
	slots := make(chan struct{}, atOnce)
	var workers sync.WaitGroup
	var mu sync.Mutex
	for i := range f.out.Cases {
		c := &f.out.Cases[i]
		if c.Status != Left {
			continue
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		workers.Go(func() {
			defer func() { <-slots }()
			var criteria []rubric.Criterion
			var meta *Meta
			err := fault.Guard(func() (err error) {
				if criteria, err = f.ask(ctx, i); err != nil {
					return err
				}
				if meta, err = metaOf(ctx, f.ev, asRubric(c.ID, criteria)); stops(ctx, err) {
					return err
				}
				return nil // without the opinion on it, a draft is a draft
			})
			mu.Lock()
			defer mu.Unlock()
			c.Criteria, c.Meta = criteria, meta
			switch {
			case err == nil:
				c.Status = Drafted
			case stops(ctx, err):
				stop(err)
				return
			default:
				c.Status, c.Err = Failed, err
			}
			f.tell()
		})
	}
	workers.Wait()
	f.tell()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// stops reports whether an error is of the whole run, not of one question.
func stops(ctx context.Context, err error) bool {
	return ctx.Err() != nil || llm.Stops(err) || fault.Is(err, fault.Budget, fault.Usage, fault.JudgeAuth, fault.Storage, fault.Internal) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func (f *filler) ask(ctx context.Context, i int) ([]rubric.Criterion, error) {
	given := &f.doc.Cases[i]
	c, err := dataset.FromJSON(given.Fields, diag.Pos{File: f.doc.File, Line: given.Line})
	if err != nil {
		return nil, err
	}
	parts := part("expected_outcome", f.outcome(i))
	parts = append(parts, part("question", c.Input)...)
	for _, text := range c.References {
		parts = append(parts, part("reference_answer", text)...)
	}
	q := judge.Query{
		System: drafting, Task: outcomeTask, Parts: parts, Form: outcomeOnly.text(),
		Schema: outcomeOnly.schema(), SchemaName: "rubric",
		ID: llm.CallID{Case: c.ID, CaseDigest: c.Digest()},
	}
	return askFor(ctx, f.ev, q, outcomeOnly)
}

func askFor(ctx context.Context, ev *host.Evaluator, q judge.Query, f form) (criteria []rubric.Criterion, err error) {
	q.Key, q.Accept = "criteria", func(object jsontext.Value) (problem string) {
		criteria, problem = f.read(object)
		return problem
	}
	if _, err := ev.Ask(ctx, q); err != nil {
		return nil, err
	}
	return criteria, nil
}

func (f *filler) write(read *document.Document) error {
	var edits []document.Edit
	for i := range f.out.Cases {
		if f.out.Cases[i].Status == Drafted {
			edits = append(edits, f.writer.edit(f.items[i], f.out.Cases[i].Criteria))
		}
	}
	if len(edits) == 0 {
		return nil
	}
	text, err := read.Edit(edits)
	if err != nil {
		return err
	}
	// Edit verified that only the drafts were added; the dialect must accept them, too.
	again, err := dialect.Decode(f.doc.File, text, dialect.Options{Dialect: f.doc.Dialect, Format: f.doc.Format, Schema: schema.Check, Undrafted: true})
	if err != nil {
		return fault.New(fault.Internal, "the eval file does not load with its drafts: %w", err)
	}
	if len(again.Cases) != len(f.doc.Cases) {
		return fault.New(fault.Internal, "the eval file has %d cases with its drafts, and %d without", len(again.Cases), len(f.doc.Cases))
	}
	f.out.Text = text
	return nil
}

// rubricsKey is the key of a case's own criteria: in AgentV and AgentEvals.
const rubricsKey = "rubrics"

func hasRubrics(_ *dialect.Document, _ int, c *document.Node) bool {
	own := c.Get(rubricsKey)
	return own.Is(document.List) && len(own.Items) > 0
}

func editEvalCase(c *document.Node, list []rubric.Criterion) document.Edit {
	return document.Edit{Object: c, Key: rubricsKey, Value: criteriaNode(list, "expected_outcome")}
}

// hasCriteria reports whether a native case has criteria: its own, or the document's.
func hasCriteria(doc *dialect.Document, i int, _ *document.Node) bool {
	return doc.Cases[i].Rubric != nil
}

// editNativeCase writes criteria into the rubric of a case. A threshold there stays.
func editNativeCase(c *document.Node, list []rubric.Criterion) document.Edit {
	value := criteriaNode(list, "judge")
	if own := c.Get("rubric"); own.Is(document.Object) && len(own.Members) > 0 {
		return document.Edit{Object: own, Key: "criteria", Value: value}
	}
	return document.Edit{Object: c, Key: "rubric", Value: (&document.Node{Kind: document.Object}).Put("criteria", value)}
}

// criteriaNode writes criteria; text is the key of their texts. Every key is written, so that no version's
// default changes the meaning of a draft.
func criteriaNode(list []rubric.Criterion, text string) *document.Node {
	out := &document.Node{Kind: document.List}
	for i := range list {
		c := &list[i]
		out.Items = append(out.Items, (&document.Node{Kind: document.Object}).
			Put("id", &document.Node{Kind: document.Text, Value: c.ID}).
			Put(text, &document.Node{Kind: document.Text, Value: c.Text}).
			Put("weight", &document.Node{Kind: document.Number, Value: c.Weight.Literal}).
			Put("required", &document.Node{Kind: document.Boolean, Value: strconv.FormatBool(c.Required)}))
	}
	return out
}
