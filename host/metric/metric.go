// Package metric scores with a plugin: it speaks the JSON contract of
// sdk/ABI.md, and turns an answer into a verdict. It does not know where a
// module came from, nor how it is run.
//
// Stability: experimental.
package metric

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Guest is a plugin that can be called: a *wasm.Module, or a stand-in for
// one in a test. It is safe for concurrent use. Call appends the answer to
// answer[:0]. A call that has answered keeps no request. Its errors say which
// plugin and export they are of.
type Guest interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// Answers keeps a scorer's answers, by the whole request; fuel is that of the call.
// It is safe for concurrent use, and keeps no argument. It must hold only answers
// that another call would give, too.
type Answers interface {
	Get(request []byte) (answer []byte, usage wasm.Usage, ok bool)
	Put(request, answer []byte, usage wasm.Usage)
}

// Options bind a criterion to a scorer of a plugin. Rubric, Criterion, Plugin
// and Export are required.
type Options struct {
	Rubric    *rubric.Rubric
	Criterion *rubric.Criterion

	Plugin string // its name, for messages and verdicts
	Digest string // of the module
	Export string

	Kind       string         // of the contract; empty: KindMetric
	Args       []string       // of a program; only with KindJudge
	Config     jsontext.Value // complete; empty: {}
	Inputs     []string       // case fields to send, dotted paths too; empty: DefaultInputs
	References []string       // case fields that hold the references, all of them; empty: the case's own
	Embeds     []string       // case fields - output, input, references - whose embeddings are sent, too
	Range      [2]float64     // of the scores; zero: 0..1

	// Nondeterministic marks the verdicts of a plugin with such a grant.
	Nondeterministic bool

	// Answers keeps answers of earlier calls. Nil: every case is a call.
	Answers Answers

	// Embed returns the embeddings of texts of a case, a JSON list of numbers each,
	// and their cost. Its errors have the classes of a judge. Nil: only the
	// embeddings of the case itself are sent.
	Embed func(ctx context.Context, c *dataset.Case, texts []string) ([]jsontext.Value, rubric.How, error)

	// Log receives the output of a call, which is hostile text, if there is any. It is
	// called by several goroutines at once. Nil: output is dropped.
	Log func(printed []byte)
}

// New returns the scorer of one criterion. The error says which option is
// wrong.
func New(g Guest, o Options) (scorer.Scorer, error) {
	o.Kind = cmp.Or(o.Kind, KindMetric)
	if err := o.check(); err != nil {
		return nil, o.place(err)
	}
	t, err := newTemplate(o.Kind, o.Config, o.Criterion, o.inputs(), o.References)
	if err != nil {
		return nil, o.place(err)
	}
	if o.Kind == KindJudge {
		if err := t.forProgram(o.Args); err != nil {
			return nil, o.place(err)
		}
	}
	return &metric{guest: g, o: o, bounds: o.bounds(), template: t}, nil
}

func (o *Options) check() error {
	b := o.bounds()
	switch width := b.Max - b.Min; {
	case !slices.Contains(kinds, o.Kind):
		return fault.WithHint(fault.New(fault.Invalid, "unknown kind %q", o.Kind), "%s", diag.DidYouMean(o.Kind, kinds))
	case !(width > 0) || math.IsInf(width, 0):
		return fault.New(fault.Invalid, "%s..%s is not a range", rubric.FormatNumber(b.Min), rubric.FormatNumber(b.Max))
	}
	return nil
}

// bounds is the range of scores, with its default.
func (o *Options) bounds() rubric.Scale {
	if o.Range == [2]float64{} {
		return rubric.Scale{Min: 0, Max: 1}
	}
	return rubric.Scale{Min: o.Range[0], Max: o.Range[1]}
}

// lacksReferences reports whether the case has none of the fields that the
// criterion names for its references.
func (o *Options) lacksReferences(c *dataset.Case) bool {
	for _, path := range o.References {
		if _, ok := c.ReferencesAt(path); ok {
			return false
		}
	}
	return len(o.References) > 0
}

// place says which plugin an error is of.
func (o *Options) place(err error) error {
	return fmt.Errorf("plugin %s: %s: %w", o.Plugin, o.Export, err)
}

// requests has the memory of requests that were answered: a fifth of what a line allocates.
var requests = sync.Pool{New: func() any { return new([]byte) }}

type metric struct {
	guest    Guest
	o        Options
	bounds   rubric.Scale
	template *template
}

// Score calls the plugin for one case.
func (m *metric) Score(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
	how, lacks := rubric.How{}, ""
	if len(m.o.Embeds) > 0 {
		var err error
		if c, how, lacks, err = m.embedded(ctx, c); err != nil {
			return nil, m.o.place(err)
		}
	}
	room := requests.Get().(*[]byte)
	request := m.template.appendTo(slices.Grow((*room)[:0], m.template.room(c)), c)
	answer, usage, kept, err := m.answer(ctx, request)
	if err != nil {
		return nil, err // whoever was called may hold the request yet
	}
	*room = request
	defer requests.Put(room)
	v, err := m.verdict(answer)
	if err != nil {
		return nil, m.o.place(printed(err, usage.Log))
	}
	if m.o.Answers != nil && !kept {
		m.o.Answers.Put(request, answer, usage)
	}
	if v.Status == rubric.Unscored && m.o.lacksReferences(c) {
		v.Reason += fmt.Sprintf("; reference names %s, which the case lacks", strings.Join(xslices.Map(m.o.References, strconv.Quote), ", "))
	}
	if v.Status == rubric.Unscored && lacks != "" {
		v.Reason += "; " + lacks
	}
	how.By, how.Plugin, how.Export, how.Digest = "metric", m.o.Plugin, m.o.Export, m.o.Digest
	how.Fuel, how.PeerFuel, how.Nondeterministic = usage.Fuel, usage.PeerFuel, m.o.Nondeterministic || how.Embeddings != ""
	v.How = how
	return []rubric.Verdict{v}, nil
}

// answer returns the answer to a request: a kept one, else the plugin's.
func (m *metric) answer(ctx context.Context, request []byte) (answer []byte, usage wasm.Usage, kept bool, err error) {
	if m.o.Answers != nil {
		if answer, usage, ok := m.o.Answers.Get(request); ok {
			return answer, usage, true, nil
		}
	}
	answer, usage, err = m.guest.Call(ctx, m.o.Export, request, nil)
	if len(usage.Log) > 0 && m.o.Log != nil {
		m.o.Log(usage.Log)
	}
	return answer, usage, false, err
}

func (m *metric) verdict(answer []byte) (rubric.Verdict, error) {
	a, plain, err := parseAnswer(answer)
	if err != nil {
		return rubric.Verdict{}, err
	}
	if m.o.Kind == KindCheck && a.Score != nil {
		return rubric.Verdict{}, fault.New(fault.Protocol, "a check answers with a level, not with a score")
	}
	v, err := a.verdict(m.o.Rubric, m.o.Criterion, m.bounds)
	v.Plain = plain
	return v, err
}

// printed adds the last line that the guest printed: often it says more than
// its answer. Below a traceback it has a line of its own.
func printed(err error, log []byte) error {
	text := strings.TrimSpace(string(log))
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if text == "" {
		return err
	}
	sep := "; "
	if strings.Contains(err.Error(), "\n") {
		sep = "\n  "
	}
	return fmt.Errorf("%w%sit printed: %q", err, sep, clipWithSize(diag.Plain(text), 200))
}

// Corpus asks a plugin for the score of a whole set, from the sums of the stats
// that its answers gave case by case (the sentences' n-gram counts, for BLEU).
// Of o it takes Plugin, Export, Config and Range. The answer has either a score
// within the range or a reason for none.
func Corpus(ctx context.Context, g Guest, o Options, stats []float64) (*Answer, wasm.Usage, error) {
	request, err := corpusRequest(o.Config, stats)
	if err != nil {
		return nil, wasm.Usage{}, o.place(err)
	}
	answer, usage, err := g.Call(ctx, o.Export, request, nil)
	if err != nil {
		return nil, usage, err
	}
	a, err := ParseAnswer(answer)
	if err == nil {
		err = a.ofSet(o.bounds())
	}
	if err != nil {
		return nil, usage, o.place(printed(err, usage.Log))
	}
	return a, usage, nil
}

// ofSet checks the answer about a set.
func (a *Answer) ofSet(bounds rubric.Scale) error {
	switch {
	case a.Level != nil:
		return fault.New(fault.Protocol, "a corpus answer has a level")
	case a.Score != nil:
		return within(*a.Score, bounds)
	}
	return nil
}

func corpusRequest(config jsontext.Value, stats []float64) ([]byte, error) {
	if len(config) == 0 {
		config = jsontext.Value("{}")
	}
	b := fmt.Appendf(nil, `{"contract":%d,"kind":%q,"config":%s,"stats":[`, ContractVersion, KindCorpus, config)
	for i, s := range stats {
		if !rubric.Finite(s) {
			return nil, fault.New(fault.Protocol, "the sum of number %d of stats is not finite", i)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendFloat(b, s, 64)
	}
	return append(b, "]}"...), nil
}

// KindReads asks a script, and no module, which keys of its configuration a
// function reads.
const KindReads = "reads"

// CheckReads refuses keys of a configuration that a script's function does not
// read: a misspelt key that is passed over is a wrong number. A function that is
// given the configuration as a whole may read any. An error has class
// fault.Invalid, or says that the script was not called.
func CheckReads(ctx context.Context, g Guest, plugin, export string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	o := Options{Plugin: plugin, Export: export}
	b, _, err := g.Call(ctx, export, []byte(`{"contract":1,"kind":"`+KindReads+`","config":{},"case":{}}`), nil)
	if err != nil {
		return err
	}
	var answer struct {
		Reads *[]string `json:"reads"`
	}
	if err := json.Unmarshal(b, &answer); err != nil || answer.Reads == nil {
		return nil //nolint:nilerr // a script that says nothing of it may read any
	}
	for _, key := range slices.Sorted(slices.Values(keys)) {
		if slices.Contains(*answer.Reads, key) {
			continue
		}
		known := xslices.Map(*answer.Reads, func(name string) string { return clipWithSize(diag.Plain(name), 60) })
		hint := "no key is read; take it out of the configuration, or give the function a parameter of that name"
		if s := diag.Suggest(key, known); s != "" {
			hint = diag.DidYouMean(key, known)
		} else if len(known) > 0 {
			hint = "it reads: " + strings.Join(known, ", ")
		}
		return o.place(fault.WithHint(fault.New(fault.Invalid, "nothing reads the key %q of its configuration", key), "%s", hint))
	}
	return nil
}
