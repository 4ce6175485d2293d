package host

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// PlanOptions are the settings of a plan that are not the evaluator's own. The
// zero value is valid.
type PlanOptions struct {
	Unscored score.Unscored
	Repeat   int           // gradings per case; 0: 1
	Given    *scorer.Given // verdicts that stand in for scorers; nil: none

	// Samples says that cases may be samples of one problem; see
	// dataset.Options.Samples. A rubric with pass_at implies it.
	Samples bool

	// Criteria restricts the rubric to these criteria and metrics, by id. Empty:
	// all.
	Criteria []string

	// Feedback names the writer of feedback for the author of an output. Empty: none;
	// Grade adds the deterministic text all the same.
	Feedback plan.Feedback

	// Adjust changes each rubric before it is planned: a grader's settings that
	// a document has no place for. Nil: nothing is changed.
	Adjust func(*rubric.Rubric)
}

// Plan binds the criteria of a document to scorers and pins everything that
// decides a number. Nothing is loaded or run.
func (e *Evaluator) Plan(doc *dialect.Document, o PlanOptions) (*plan.Plan, error) {
	if o.Given == nil { // else criteria that cannot be scored may have given verdicts
		if err := doc.Scorable(); err != nil {
			return nil, err
		}
	}
	rubrics, err := rubricsOf(doc, o)
	if err != nil {
		return nil, err
	}
	if err := o.Given.Check(rubrics); err != nil {
		return nil, err
	}
	opts := plan.Options{
		Catalog: e.modules.catalog, Allow: e.modules.allowed, BaseDir: baseDir(doc), Native: slices.Sorted(maps.Keys(e.o.Scorers)), Aggregates: slices.Sorted(maps.Keys(e.o.Aggregates)),
		Unscored: o.Unscored, Repeat: o.Repeat, Samples: o.Samples, Verdicts: o.Given.Digest(), Feedback: o.Feedback,
		Fuel: plan.Fuel{Table: meter.TableVersion, Limit: e.o.Limits.WithDefaults().Fuel, Peers: e.o.Limits.PeerFuel, Pages: e.o.Limits.MemoryPages},
	}
	if e.judge != nil {
		if e.judge.judges() {
			opts.Judge, opts.Strategy, opts.Batch = e.judge.pin(), e.judge.judge.Strategy, e.judge.judge.Batch
			if o.Feedback == plan.ByJudge {
				opts.Judge.Prompts["feedback"] = judge.FeedbackPrompt()
			}
		}
		opts.Embeddings = e.judge.embeds
	}
	return plan.Build(rubrics, opts)
}

// rubricsOf returns the different rubrics of a document, that of every case
// which names none first, adjusted and restricted.
func rubricsOf(doc *dialect.Document, o PlanOptions) ([]*rubric.Rubric, error) {
	var list []*rubric.Rubric
	if doc.Rubric != nil {
		list = append(list, doc.Rubric)
	}
	list = xslices.Unique(list, xslices.Map(doc.Cases, func(c dialect.EvalCase) *rubric.Rubric { return c.Rubric }))
	if len(list) == 0 {
		ids := xslices.Map(doc.Rubrics, func(r *rubric.Rubric) string { return r.ID })
		return nil, fault.WithHint(fault.New(fault.Usage, "%s has %d rubrics: %s", doc.File, len(doc.Rubrics), fault.Clip(strings.Join(ids, ", "), 400)),
			"choose one, as %s#ID", doc.File)
	}
	if err := haveAll(list, o.Criteria); err != nil {
		return nil, err
	}
	for i, r := range list {
		var err error
		if list[i], err = adjust(r, o); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// haveAll returns an error for an id that no criterion of any rubric has.
func haveAll(list []*rubric.Rubric, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	var known []string
	for _, r := range list {
		for c := range r.All() {
			known = append(known, c.ID)
		}
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return fault.WithHint(fault.New(fault.Usage, "no criterion %q in rubric %q", fault.Clip(id, 80), list[0].ID), "%s", diag.DidYouMean(id, known))
		}
	}
	return nil
}

// adjust returns a copy of r as the options want it.
func adjust(r *rubric.Rubric, o PlanOptions) (*rubric.Rubric, error) {
	c := *r
	if len(o.Criteria) > 0 {
		keep := xslices.Set(o.Criteria)
		c.Criteria, c.Metrics = only(r.Criteria, keep), only(r.Metrics, keep)
		if len(c.Criteria) == 0 {
			ids := xslices.Map(r.Leaves(), func(leaf *rubric.Criterion) string { return leaf.ID })
			return nil, fault.WithHint(fault.New(fault.Usage, "rubric %q has none of the criteria %v", r.ID, o.Criteria), "it has: %v", ids)
		}
	}
	if o.Adjust != nil {
		o.Adjust(&c)
	}
	return &c, nil
}

// only returns the criteria of list that are kept, groups with their kept members.
func only(list []rubric.Criterion, keep map[string]bool) []rubric.Criterion {
	var out []rubric.Criterion
	for _, c := range list {
		if c.Group() && !keep[c.ID] {
			c.Criteria = only(c.Criteria, keep)
			if len(c.Criteria) > 0 {
				out = append(out, c)
			}
			continue
		}
		if keep[c.ID] {
			out = append(out, c)
		}
	}
	return out
}

// limitedAs returns the evaluator with the limits of calls that a plan was made with: they
// decide which calls have an answer.
func (e *Evaluator) limitedAs(p *plan.Plan) *Evaluator {
	second := *e
	l := &second.o.Limits
	l.Fuel, l.PeerFuel, l.MemoryPages = p.Fuel.Limit, p.Fuel.Peers, p.Fuel.Pages
	if l.Fuel == (wasm.Limits{}).WithDefaults().Fuel {
		l.Fuel = 0 // a manifest may ask for more
	}
	return &second
}
