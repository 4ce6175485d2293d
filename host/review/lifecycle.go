package review

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Lifecycle creates, reviews and revises artifacts in a store. It is safe for concurrent use if its parts
// are. Of two writers of one version, also in two processes, the second gets a fault.Conflict.
type Lifecycle struct {
	Store Store
	Types map[string]Type  // by id; may be nil
	Grade Grader           // nil: only people review
	Now   func() time.Time // nil: time.Now
}

// A Grader prepares the evaluation of an artifact by its rubrics, in their order. Its error, such as an
// unknown rubric, means that nothing is graded; that of grade, that evaluations are missing.
type Grader func(ctx context.Context, a *Artifact) (grade func(context.Context) ([]Evaluation, error), err error)

// New is an artifact to create.
type New struct {
	Type       string
	Name       string
	Content    jsontext.Value // any JSON but null, of at most MaxContent bytes
	Tags       []string       // beside those of the type
	Rubrics    []string       // ID or ID@VERSION, beside those of the type
	Metadata   map[string]any
	Provenance Provenance // its creator, method, context, sources, tools and calls; others are ignored
}

// Artifact returns a version of an artifact, the newest if version is empty. The
// hint of a fault.NotFound names the existing versions or artifacts.
func (l *Lifecycle) Artifact(ctx context.Context, id, version string) (*Artifact, error) {
	a, err := l.Store.Artifact(ctx, id, version)
	if !fault.Is(err, fault.NotFound) {
		return a, err
	}
	if versions, problem := l.Versions(ctx, id); problem == nil {
		names := xslices.Map(versions, func(v *Artifact) string { return v.Version })
		return nil, fault.WithHint(err, "it has: %s", fault.Clip(strings.Join(names, ", "), 200))
	}
	list, problem := l.Store.Artifacts(ctx, Filter{Brief: true})
	if problem != nil || len(list) == 0 {
		return nil, fault.WithHint(err, "no artifacts yet")
	}
	words := make([]string, len(list))
	for i, other := range list {
		if words[i] = other.ID; !strings.HasPrefix(id, "art_") {
			words[i] = other.Name
		}
	}
	return nil, fault.WithHint(err, "%s", diag.DidYouMean(id, words))
}

// Find returns the id of an artifact: word itself, or that of the only artifact with this name. The error is
// of class fault.NotFound, or fault.Usage if several have the name.
func (l *Lifecycle) Find(ctx context.Context, word string) (string, error) {
	if list, err := l.Store.Artifacts(ctx, Filter{ID: word, Brief: true}); err != nil || len(list) > 0 {
		return word, err
	}
	list, err := l.Store.Artifacts(ctx, Filter{Brief: true})
	if err != nil {
		return "", err
	}
	named := xslices.Filter(list, func(a *Artifact) bool { return a.Name == word })
	ids := xslices.Map(named, func(a *Artifact) string { return a.ID })
	switch len(ids) {
	case 0:
		_, err := l.Artifact(ctx, word, "")
		return "", err
	case 1:
		return ids[0], nil
	}
	return "", fault.WithHint(fault.New(fault.Usage, "%d artifacts are named %q", len(ids), word), "name one by its id: %s", fault.Clip(strings.Join(ids, ", "), 200))
}

// Versions returns all versions of an artifact, oldest first, without content and
// provenance. The error is of class fault.NotFound if there are none.
func (l *Lifecycle) Versions(ctx context.Context, id string) ([]*Artifact, error) {
	list, err := l.Store.Artifacts(ctx, Filter{ID: id, Versions: true, Brief: true})
	if err == nil && len(list) == 0 {
		err = fault.New(fault.NotFound, "no artifact %q", id)
	}
	return list, err
}

func (l *Lifecycle) now() time.Time {
	if l.Now != nil {
		return l.Now().UTC().Truncate(time.Microsecond)
	}
	return time.Now().UTC().Truncate(time.Microsecond)
}

// Create adds an artifact as a draft of version 1.0.0 with the rubrics, tags and rules that its type has now;
// an undeclared type needs Rubrics. With auto_review, artifact and error are those of Submit. Errors about
// the artifact are of class fault.Invalid or fault.NotFound.
func (l *Lifecycle) Create(ctx context.Context, n New) (*Artifact, error) {
	t, err := typeOf(l.Types, n.Type, len(n.Rubrics) > 0)
	if err != nil {
		return nil, err
	}
	a, err := l.draft(n, t)
	if err != nil {
		return nil, err
	}
	by := a.creator()
	if err := l.Store.PutArtifacts(ctx, []*Artifact{a}, []Event{{ID: a.ID, Version: a.Version, To: Draft, By: by, At: a.Created}}); err != nil {
		return nil, err
	}
	return l.autoReview(ctx, t.Rules, a, by)
}

// autoReview submits a new draft if the rules say so, and returns it as it is then.
func (l *Lifecycle) autoReview(ctx context.Context, rules Rules, draft *Artifact, by string) (*Artifact, error) {
	if !rules.AutoReview {
		return draft, nil
	}
	reviewed, err := l.Submit(ctx, draft.ID, by)
	return cmp.Or(reviewed, draft), err
}

func (l *Lifecycle) draft(n New, t Type) (*Artifact, error) {
	at := l.now()
	content, err := checkContent(n.Content)
	if err != nil {
		return nil, err
	}
	a := &Artifact{
		ID: newID("art_"), Type: n.Type, Name: n.Name, Version: "1.0.0", Status: Draft, Content: content,
		Tags: xslices.Unique(n.Tags, t.Tags), Rubrics: xslices.Unique(t.Rubrics, n.Rubrics), Evaluations: []string{},
		Metadata: n.Metadata, Created: at, Updated: at,
	}
	p := Provenance{
		CreatedBy: n.Provenance.CreatedBy, CreatedAt: n.Provenance.CreatedAt.UTC(), Method: n.Provenance.Method, Context: n.Provenance.Context,
		Sources: n.Provenance.Sources, Tools: n.Provenance.Tools, LLM: n.Provenance.LLM, Rules: t.Rules,
	}
	p.CreatedBy = cmp.Or(p.CreatedBy, "system")
	p.Method = cmp.Or(p.Method, "manual")
	if p.CreatedAt.IsZero() {
		p.CreatedAt = at
	}
	err = cmp.Or(
		checkLabel("type", a.Type), plainText("name", a.Name, maxName), checkLabel("creator", p.CreatedBy), checkLabel("creation method", p.Method),
		checkList("tag", a.Tags, func(s string) error { return checkLabel("tag", s) }), checkList("rubric", a.Rubrics, checkRubric),
	)
	if err != nil {
		return nil, err
	}
	return a, p.encode(a)
}

func (a *Artifact) creator() string {
	p, err := a.ReadProvenance()
	if err != nil || p.CreatedBy == "" {
		return "system"
	}
	return p.CreatedBy
}

// step moves a through statuses, and returns the events.
func step(a *Artifact, by, note string, at time.Time, statuses ...Status) (events []Event) {
	for i, to := range statuses {
		e := Event{ID: a.ID, Version: a.Version, From: a.Status, To: to, By: by, At: at}
		if i == len(statuses)-1 {
			e.Note = note
		}
		events = append(events, e)
		a.Status = to
	}
	a.Updated = at
	return events
}

// Submit evaluates the newest version with all of its rubrics, and decides by Rules.Decide; see Outcome. It
// takes drafts, versions that need revision or pend, and those in review without a decision, such as after a
// process was killed. Meanwhile the version is in review and nothing is locked. If grading fails it stays in
// review, and is returned with the error. If another writer changed it, the error is of class fault.Conflict,
// and the evaluations are in their run directories only.
func (l *Lifecycle) Submit(ctx context.Context, id, by string) (*Artifact, error) {
	if err := checkLabel("person", by); err != nil {
		return nil, err
	}
	a, err := l.Artifact(ctx, id, "")
	if err != nil {
		return nil, err
	}
	p, err := a.ReadProvenance()
	if err != nil {
		return nil, err
	}
	way, ok := toReview[a.Status]
	if !ok || a.Status == InReview && !p.Evaluating && p.Last() != nil && p.Rules.passed(p.Last().Evaluations) {
		return nil, refused(a, InReview)
	}
	grade, err := l.prepare(ctx, a)
	if err != nil {
		return nil, err
	}
	at := l.now()
	if !p.Evaluating || len(way) > 0 {
		p.Evaluating = true
		if err := p.encode(a); err != nil {
			return nil, err
		}
		if err := l.Store.PutArtifacts(ctx, []*Artifact{a}, step(a, by, "", at, way...)); fault.Is(err, fault.Conflict) {
			return nil, fault.WithHint(fault.New(fault.Conflict, "artifact %s %s was submitted or changed by another writer", a.ID, a.Version), "look at its history, then try again")
		} else if err != nil {
			return nil, err
		}
	}
	evaluations, err := grade(ctx)
	if err != nil {
		return a, fault.WithHint(err, "%s stays in review: submit it again", a.ID)
	}
	if err := l.conclude(context.WithoutCancel(ctx), a, &p, Review{At: at, By: by, Evaluations: evaluations}); err != nil {
		return nil, err
	}
	return a, nil
}

func (l *Lifecycle) prepare(ctx context.Context, a *Artifact) (func(context.Context) ([]Evaluation, error), error) {
	if l.Grade == nil || len(a.Rubrics) == 0 {
		return func(context.Context) ([]Evaluation, error) { return []Evaluation{}, nil }, nil
	}
	return l.Grade(ctx, a)
}

// conclude records the outcome of a review.
func (l *Lifecycle) conclude(ctx context.Context, a *Artifact, p *Provenance, r Review) error {
	r.Status, r.Reason = p.Rules.Decide(r.Evaluations)
	p.Reviews, p.Evaluating = append(p.Reviews, r), false
	for i := range r.Evaluations {
		a.Evaluations = append(a.Evaluations, r.Evaluations[i].ID)
		p.ReviewHistory = append(p.ReviewHistory, r.Evaluations[i].ID)
	}
	if err := p.encode(a); err != nil {
		return err
	}
	events := step(a, r.By, r.Reason, l.now(), r.Status)
	err := l.Store.PutArtifacts(ctx, []*Artifact{a}, events)
	if fault.Is(err, fault.Conflict) {
		runs := xslices.Unique(xslices.Map(r.Evaluations, func(e Evaluation) string { return e.Run }))
		return fault.WithHint(fault.New(fault.Conflict, "artifact %s %s was changed by another writer during its evaluation", a.ID, a.Version),
			"look at its history; the evaluations are kept in %s", strings.Join(runs, ", "))
	}
	return err
}

// Outcome returns the outcome of the last submission as an error: nil if approved or waiting for a person,
// class Gate if it needs revision, Unscored if its evaluation has not ended or a score is missing.
func (a *Artifact) Outcome() error {
	p, err := a.ReadProvenance()
	if err != nil {
		return err
	}
	last := p.Last()
	switch {
	case a.Status == InReview && p.Evaluating:
		return fault.WithHint(fault.New(fault.Unscored, "%s %s stays in review: its evaluation has not ended", a.ID, a.Version), "submit it again if it was interrupted")
	case last == nil:
	case a.Status == NeedsRevision:
		return fault.New(fault.Gate, "%s %s needs revision: %s", a.ID, a.Version, last.Reason)
	case a.Status == InReview && slices.ContainsFunc(last.Evaluations, func(e Evaluation) bool { return e.Score == nil }):
		return fault.WithHint(fault.New(fault.Unscored, "%s %s stays in review: %s", a.ID, a.Version, last.Reason), "submit it again when it can be scored")
	}
	return nil
}

// Decide is a person's decision on the newest version: Approved, Rejected, NeedsRevision or Archived. To approve one
// that did not pass its evaluations takes a note. The error is of class fault.Conflict if its status does not allow it.
func (l *Lifecycle) Decide(ctx context.Context, id, by, note string, to Status) (*Artifact, error) {
	if err := cmp.Or(checkLabel("person", by), checkNote(note)); err != nil {
		return nil, err
	}
	a, err := l.Artifact(ctx, id, "")
	if err != nil {
		return nil, err
	}
	if !a.Status.CanBecome(to) {
		return nil, refused(a, to)
	}
	if to == Approved && note == "" {
		if err := a.earned(); err != nil {
			return nil, err
		}
	}
	if err := l.Store.PutArtifacts(ctx, []*Artifact{a}, step(a, by, note, l.now(), to)); err != nil {
		return nil, err
	}
	return a, nil
}

// earned returns an error if the evaluations of a version do not speak for it.
func (a *Artifact) earned() error {
	p, err := a.ReadProvenance()
	if err != nil {
		return err
	}
	why := "it is not evaluated"
	if last := p.Last(); last != nil && !p.Evaluating {
		var status Status
		if status, why = p.Rules.judge(last.Evaluations); status == Approved {
			return nil
		}
	}
	return fault.WithHint(fault.New(fault.Conflict, "artifact %s %s did not pass its evaluations: %s", a.ID, a.Version, why),
		"submit it again, or approve it with a note that gives the reason")
}

// Revise makes a new version with other content, a draft, and supersedes the one before. The last number of
// the version is increased; rubrics, tags and rules stay. With auto_review it is submitted, as by Create. An
// empty reason is that of the last review, if it asked for the revision.
func (l *Lifecycle) Revise(ctx context.Context, id string, content jsontext.Value, by, reason string) (*Artifact, error) {
	if err := cmp.Or(checkLabel("person", by), checkNote(reason)); err != nil {
		return nil, err
	}
	content, err := checkContent(content)
	if err != nil {
		return nil, err
	}
	old, err := l.Artifact(ctx, id, "")
	if err != nil {
		return nil, err
	}
	if !old.Status.CanBecome(Superseded) {
		return nil, refused(old, Superseded)
	}
	next, p, err := l.revision(old, content, by, reason)
	if err != nil {
		return nil, err
	}
	events := step(old, by, "superseded by "+next.Version, next.Created, Superseded)
	events = append(events, Event{ID: id, Version: next.Version, To: Draft, By: by, At: next.Created, Note: reason})
	if err := l.Store.PutArtifacts(ctx, []*Artifact{old, next}, events); err != nil {
		return nil, err
	}
	return l.autoReview(ctx, p.Rules, next, by)
}

// revision returns the version after old.
func (l *Lifecycle) revision(old *Artifact, content jsontext.Value, by, reason string) (*Artifact, *Provenance, error) {
	p, err := old.ReadProvenance()
	if err != nil {
		return nil, nil, err
	}
	version, err := bump(old)
	if err != nil {
		return nil, nil, err
	}
	if last := p.Last(); reason == "" && last != nil && last.Status == NeedsRevision {
		reason = last.Reason
	}
	at := l.now()
	next := &Artifact{
		ID: old.ID, Type: old.Type, Name: old.Name, Version: version, Status: Draft, Content: content, Tags: slices.Clone(old.Tags),
		Rubrics: slices.Clone(old.Rubrics), Evaluations: []string{}, Metadata: maps.Clone(old.Metadata), Created: at, Updated: at,
	}
	p.Reviews, p.Evaluating = nil, false
	p.Revisions = append(slices.Clone(p.Revisions), Revision{ID: newID("rev_"), Previous: old.Version, Reason: reason, Changes: changes(old.Content, content), By: by, At: at})
	return next, &p, p.encode(next)
}

// bump increases the last number of a version.
func bump(a *Artifact) (string, error) {
	head, last := "", a.Version
	if i := strings.LastIndexByte(a.Version, '.'); i >= 0 {
		head, last = a.Version[:i+1], a.Version[i+1:]
	}
	n, err := strconv.ParseUint(last, 10, 32)
	if err != nil {
		return "", fault.New(fault.Invalid, "artifact %s: version %q does not end in a number", a.ID, a.Version)
	}
	return head + strconv.FormatUint(n+1, 10), nil
}

// changes says which parts of a content differ.
func changes(before, after jsontext.Value) string {
	if string(before) == string(after) {
		return "nothing"
	}
	var x, y map[string]jsontext.Value
	if json.Unmarshal(before, &x) != nil || json.Unmarshal(after, &y) != nil {
		return "the content"
	}
	var words []string
	for _, key := range slices.Sorted(maps.Keys(y)) {
		if v, ok := x[key]; !ok {
			words = append(words, "added "+diag.Fit(key, 60))
		} else if string(v) != string(y[key]) {
			words = append(words, "changed "+diag.Fit(key, 60))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(x)) {
		if _, ok := y[key]; !ok {
			words = append(words, "removed "+diag.Fit(key, 60))
		}
	}
	return fault.First(20, words, ", ")
}
