package metric

import (
	"context"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A Guest is a plugin that can be called: a *wasm.Module, or what stands in for
// one in a test. It is safe for concurrent use. Call appends the answer to
// answer[:0].
type Guest interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// Options bind a criterion to a scorer of a plugin.
type Options struct {
	Rubric    *rubric.Rubric
	Criterion *rubric.Criterion

	Plugin string // its name, for messages and verdicts
	Digest string // of the module
	Export string

	Kind       string         // of the contract; empty: KindMetric
	Config     jsontext.Value // complete; empty: {}
	Inputs     []string       // case fields to send; empty: those of the kind
	References []string       // case fields that hold the references; empty: the case's own
	Range      [2]float64     // of the scores; zero: 0..1

	// Nondeterministic marks the verdicts of a plugin with such a grant.
	Nondeterministic bool
}

// New returns the scorer of one criterion.
func New(g Guest, o Options) (scorer.Scorer, error) {
	if o.Kind == "" {
		o.Kind = KindMetric
	}
	if o.Range == [2]float64{} {
		o.Range = [2]float64{0, 1}
	}
	t, err := newTemplate(o.Kind, o.Config, o.Criterion, o.Inputs, o.References)
	if err != nil {
		return nil, err
	}
	return &metric{guest: g, o: o, template: t}, nil
}

type metric struct {
	guest    Guest
	o        Options
	template *template
}

// buffers holds the request and answer of a call, to be used again.
type buffers struct{ request, answer []byte }

var pool = sync.Pool{New: func() any { return &buffers{request: make([]byte, 0, 4<<10), answer: make([]byte, 0, 4<<10)} }}

// maxPooled is the size of the largest buffer that is kept for another call.
const maxPooled = 1 << 20

// Score calls the plugin for one case.
func (m *metric) Score(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
	b := pool.Get().(*buffers)
	defer func() {
		if cap(b.request) <= maxPooled && cap(b.answer) <= maxPooled {
			pool.Put(b)
		}
	}()
	v, err := m.score(ctx, c, b)
	if err != nil {
		return nil, m.place(err)
	}
	return []rubric.Verdict{v}, nil
}

func (m *metric) score(ctx context.Context, c *dataset.Case, b *buffers) (rubric.Verdict, error) {
	request, err := m.template.appendTo(b.request[:0], c)
	if err != nil {
		return rubric.Verdict{}, err
	}
	b.request = request
	answer, usage, err := m.guest.Call(ctx, m.o.Export, request, b.answer[:0])
	if err != nil {
		return rubric.Verdict{}, err
	}
	b.answer = answer
	a, err := ParseAnswer(answer)
	if err != nil {
		return rubric.Verdict{}, err
	}
	v, err := a.verdict(m.o.Rubric, m.o.Criterion, m.o.Range)
	v.How = rubric.How{
		By: "metric", Plugin: m.o.Plugin, Export: m.o.Export, Digest: m.o.Digest,
		Fuel: usage.Fuel, Nondeterministic: m.o.Nondeterministic,
	}
	return v, err
}

// place says which plugin an error is of, once.
func (m *metric) place(err error) error {
	if fault.Is(err, fault.Interrupted, fault.Timeout) {
		return err
	}
	return fmt.Errorf("plugin %s#%s: %w", m.o.Plugin, m.o.Export, err)
}
