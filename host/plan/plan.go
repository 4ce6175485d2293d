// Package plan binds each criterion to a scorer and pins everything that
// decides a number by digest. A Plan is pure data: workers execute it,
// runs record it, and verify repeats it.
//
// Stability: experimental.
package plan

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// SchemaVersion is the version of the JSON form of a Plan.
const SchemaVersion = 1

// A Plan is rubrics, scorers and settings, pinned.
type Plan struct {
	Schema int `json:"schema"`

	// Graders has one element per rubric of the run. The first grades every case that
	// names no rubric; an eval file adds one per rubric of its cases.
	Graders []Grader `json:"graders"`

	Plugins []Plugin `json:"plugins"`
	Judge   *Judge   `json:"judge,omitzero"` // nil: no criterion is judged

	// Embeddings says whose embeddings metrics are given. Nil: only those of the cases.
	Embeddings *Embeddings `json:"embeddings,omitzero"`

	Unscored score.Unscored `json:"unscored"`
	Repeat   int            `json:"repeat"`           // gradings per case, from 1
	Samples  bool           `json:"samples,omitzero"` // cases may be samples of one problem: pass@k is reported
	Fuel     Fuel           `json:"fuel"`

	Feedback Feedback `json:"feedback,omitzero"` // that rows have

	// Verdicts is the digest of the file of given verdicts; empty: none.
	Verdicts string `json:"verdicts,omitzero"`
}

// MaxRepeat is the most gradings of a case.
const MaxRepeat = 1_000_000

// Feedback says who puts the results of a row into words.
type Feedback string

// The ways. The zero value writes none.
const (
	Deterministic Feedback = "deterministic" // result.Feedback
	ByJudge       Feedback = "judge"         // the judge, checked against the results; see judge.Feedback
)

// A Grader is a rubric bound to scorers: the tasks that grade a case by it.
type Grader struct {
	Digest string         `json:"digest"` // of the rubric
	Rubric *rubric.Rubric `json:"rubric"`
	Tasks  []Task         `json:"tasks"`
}

// A Task is one call of a scorer per case. It answers Criteria, in order.
type Task struct {
	Way      rubric.Way `json:"way"`
	Criteria []string   `json:"criteria"` // ids; a holistic judge task answers rubric.Overall alone

	// For rubric.ByMetric.
	Plugin     string         `json:"plugin,omitzero"` // digest of the module, in Plan.Plugins
	Export     string         `json:"export,omitzero"`
	Kind       string         `json:"kind,omitzero"` // of the contract
	Args       []string       `json:"args,omitzero"` // of a program
	Config     jsontext.Value `json:"config,omitzero"`
	Inputs     []string       `json:"inputs,omitzero"`
	References []string       `json:"references,omitzero"`
	Embeds     []string       `json:"embeddings,omitzero"` // fields whose embeddings it is given
	Range      [2]float64     `json:"range,omitzero"`
	Corpus     string         `json:"corpus,omitzero"` // export that scores summed stats

	// For rubric.BySchema.
	JSONSchema   jsontext.Value `json:"json_schema,omitzero"`
	SchemaDigest string         `json:"schema_digest,omitzero"`

	// For rubric.ByJudge.
	Strategy rubric.Strategy `json:"strategy,omitzero"`
}

// A Plugin pins a module.
type Plugin struct {
	Name    string   `json:"name"`
	Version string   `json:"version,omitzero"`
	Digest  string   `json:"digest"`           // of the module's bytes
	Source  string   `json:"source"`           // "builtin", "go" or a path as given
	Grants  []string `json:"grants,omitzero"`  // of those that it requests
	Missing []string `json:"missing,omitzero"` // that it asks for too; it runs without
	Limits  string   `json:"limits,omitzero"`  // of one call that its manifest asks for, such as "fuel 5000000000, memory 128MiB"; those of the user win
}

// A Judge pins who judges and how it is asked.
type Judge struct {
	Name        string            `json:"name"`  // as the user names it
	Model       string            `json:"model"` // as the endpoint is asked for it
	BaseURL     string            `json:"base_url,omitzero"`
	Structured  string            `json:"structured,omitzero"`
	Temperature *float64          `json:"temperature,omitzero"`
	MaxTokens   int               `json:"max_tokens,omitzero"`
	Seed        *int              `json:"seed,omitzero"`
	Abstain     bool              `json:"abstain,omitzero"` // it may answer that it cannot assess any criterion
	Attempts    int               `json:"attempts"`
	Prompts     map[string]string `json:"prompts"` // template name to digest
}

// Embeddings pins the model that embeds texts.
type Embeddings struct {
	Name    string `json:"name"`  // as the user names it
	Model   string `json:"model"` // as the endpoint is asked for it
	BaseURL string `json:"base_url,omitzero"`
}

// Fuel pins the unit of fuel and the limits per call.
type Fuel struct {
	Table int    `json:"table"`                 // version of the meter's cost table
	Limit uint64 `json:"limit,omitzero"`        // units per call; 0: the default
	Peers uint64 `json:"peers,omitzero"`        // units of the peers of a call, as the user limits it; 0: as the manifest says
	Pages uint32 `json:"memory_pages,omitzero"` // of 64 KiB, as the user limits it; 0: as the manifest says
}

// Digest returns the digest of everything in the plan that decides a number:
// all of it but the places things were read from.
func (p *Plan) Digest() string {
	c := *p
	c.Repeat, c.Samples = 0, false // more gradings of a case do not change the existing ones
	c.Plugins = make([]Plugin, len(p.Plugins))
	for i, pl := range p.Plugins {
		pl.Source = ""
		c.Plugins[i] = pl
	}
	c.Graders = make([]Grader, len(p.Graders))
	for i, s := range p.Graders {
		s.Rubric = nil // its digest stands for it
		c.Graders[i] = s
	}
	b, err := json.Marshal(&c, json.Deterministic(true))
	if err != nil { // every part of a plan can be written as JSON
		panic(fmt.Sprintf("plan: %v", err))
	}
	return digest.Of(b)
}

// Compact removes the white space from the JSON that the plan carries as it is.
// A plan that was read from an indented file needs it: a plugin is sent its
// configuration byte by byte, and reading blanks costs fuel.
func (p *Plan) Compact() error {
	for t := range p.Tasks() {
		for _, v := range []*jsontext.Value{&t.Config, &t.JSONSchema} {
			if len(*v) == 0 {
				continue
			}
			if err := v.Compact(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tasks returns an iterator over the tasks of all graders.
func (p *Plan) Tasks() iter.Seq[*Task] {
	return func(yield func(*Task) bool) {
		for i := range p.Graders {
			for j := range p.Graders[i].Tasks {
				if !yield(&p.Graders[i].Tasks[j]) {
					return
				}
			}
		}
	}
}

// Grader returns the grader of a case that names the rubric with the given
// digest, the first one for the empty string, or nil.
func (p *Plan) Grader(digest string) *Grader {
	return xslices.Find(p.Graders, func(g *Grader) bool { return digest == "" || g.Digest == digest })
}

// Exports returns the exports that the tasks call of a plugin with the given digest.
func (p *Plan) Exports(digest string) []string {
	var names []string
	for t := range p.Tasks() {
		if t.Plugin == digest {
			names = append(names, t.Export)
			if t.Corpus != "" {
				names = append(names, t.Corpus)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Plugin returns the pin with the given digest, or nil.
func (p *Plan) Plugin(digest string) *Plugin {
	return xslices.Find(p.Plugins, func(pin *Plugin) bool { return pin.Digest == digest })
}

// Asks reports whether some task asks an endpoint: of the judge, or for embeddings.
func (p *Plan) Asks() bool { return p.Embeddings != nil || p.Judged() }

// Judged reports whether some task asks a judge.
func (p *Plan) Judged() bool { return p.Some(func(t *Task) bool { return t.Way == rubric.ByJudge }) }

// Some reports whether a task is one that is meant.
func (p *Plan) Some(is func(*Task) bool) bool {
	for t := range p.Tasks() {
		if is(t) {
			return true
		}
	}
	return false
}

// Read reads a plan as it was written, with white space removed and no number
// rounded, so that its digests come out again. Members that it does not know,
// and more gradings than MaxRepeat, are an error.
func Read(text []byte) (*Plan, error) {
	var p Plan
	if err := json.Unmarshal(text, &p, exactly(sameText), json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	if p.Repeat > MaxRepeat {
		return nil, fmt.Errorf("it has %d gradings of a case, more than %d", p.Repeat, MaxRepeat)
	}
	if err := p.Compact(); err != nil {
		return nil, err
	}
	return &p, nil
}

// exactly decodes a number of free form as a float64 where same says that this
// is all the literal says, and else as the literal, a jsontext.Value: rubrics
// hold them so.
func exactly(same func(literal string, x float64) bool) json.Options {
	return json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *any) error {
		if dec.PeekKind() != '0' {
			return errors.ErrUnsupported
		}
		literal, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if x, err := strconv.ParseFloat(string(literal), 64); err == nil && same(string(literal), x) {
			*v = x
			return nil
		}
		*v = literal.Clone()
		return nil
	}))
}

func sameText(literal string, x float64) bool {
	b, err := json.Marshal(x)
	return err == nil && string(b) == literal
}
