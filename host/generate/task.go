package generate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
)

// A Request has the sources of a rubric: a task, examples, or both.
type Request struct {
	ID       string // of the rubric; empty: "drafted"
	Task     string // purpose of the outputs, in words
	Examples Examples

	Dialect string // that the rubric is written in; empty: native
	Format  string // JSON or YAML; empty: YAML
	Seed    int    // chooses the examples that the model sees

	NoTrial bool // do not grade the examples
}

// check refuses a request for nothing, or for an unknown dialect.
func (r *Request) check() error {
	if strings.TrimSpace(r.Task) == "" && r.Examples.Empty() {
		return fault.New(fault.Usage, "a draft needs a task or examples")
	}
	if r.Dialect == "" {
		return nil
	}
	return dialect.Known(r.Dialect)
}

// A Rubric is a draft that was linted and tried.
type Rubric struct {
	Text     []byte            `json:"-"` // the document
	Document *dialect.Document `json:"-"`
	Losses   diag.List         `json:"-"`    // parts of the draft that the dialect cannot express; the trial is without them
	Lint     diag.List         `json:"-"`    // warnings about the document
	Meta     *Meta             `json:"meta"` // the document as a rubric

	Shown []string `json:"shown"` // ids of the examples that the model saw, as good-1, bad-2, pair-3
	Held  []string `json:"held"`  // ids of those it did not see

	// Trial grades the examples that the model did not see, or all if it saw all.
	Trial *Trial `json:"trial"`
	// Seen grades those it saw, if there are others. Nil: see Trial.
	Seen *Trial `json:"seen,omitzero"`
}

// mostShown is how many examples of a kind the model sees.
const mostShown = 8

// enough is how many examples of a kind there must be before some are held out.
const enough = 4

const requestTask = `Write the criteria of a rubric that grades any output for this kind of input.{{TASK}}{{EXAMPLES}}{{PAIRS}} The criteria must hold for inputs that you have not seen: they name what makes an output good or bad, never the content of one example.`

func (r *Request) query(shown *Examples, f form) judge.Query {
	say := func(is bool, text string) string {
		if is {
			return " " + text
		}
		return ""
	}
	task := strings.NewReplacer(
		"{{TASK}}", say(r.Task != "", "<task> describes what the outputs are for."),
		"{{EXAMPLES}}", say(len(shown.Good)+len(shown.Bad) > 0, "<good_input> with <good_output> are outputs that people accept, <bad_input> with <bad_output> outputs that they do not: find what tells them apart."),
		"{{PAIRS}}", say(len(shown.Pairs) > 0, "<pair_input>, <chosen_output> and <rejected_output> belong together: people prefer the chosen one. Find the reasons that explain the preferences."),
	).Replace(requestTask)
	parts := part("task", r.Task)
	for _, c := range shown.Good {
		parts = append(parts, exampleParts("good", c)...)
	}
	for _, c := range shown.Bad {
		parts = append(parts, exampleParts("bad", c)...)
	}
	for _, p := range shown.Pairs {
		parts = append(parts, part("pair_input", p.Chosen.Input)...)
		parts = append(parts, part("chosen_output", p.Chosen.Output)...)
		parts = append(parts, part("rejected_output", p.Rejected.Output)...)
	}
	return judge.Query{
		System: drafting, Task: task, Parts: parts, Form: f.text(), Schema: f.schema(), SchemaName: "rubric",
		ID: llm.CallID{Case: "rubric", CaseDigest: digestOf(parts)},
	}
}

// digestOf returns the digest of what a query shows.
func digestOf(parts []judge.Part) string {
	hash := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(hash, "%s %d\n%s\n", p.Tag, len(p.Text), p.Text)
	}
	return digest.Sum(hash)
}

// formOf returns the features of a draft that a dialect can express without changing
// its scores.
func formOf(name string) form {
	switch name {
	case dialect.Native:
		return form{faults: true, levels: true, gates: true}
	case dialect.RubricList:
		return form{faults: true}
	case dialect.AgentV, dialect.AgentEvals:
		return form{gates: true}
	}
	return form{shares: true} // OpenRubricRL and dataknobs
}

// Draft drafts a rubric, lints it and tries it on the examples. Without a rubric the error says why, such as
// fault.JudgeAnswer; with one, why the trial stopped.
func Draft(ctx context.Context, ev *host.Evaluator, r Request) (*Rubric, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	r.ID, r.Dialect, r.Format = cmp.Or(dialect.Slug(r.ID, maxID), "drafted"), cmp.Or(r.Dialect, dialect.Native), cmp.Or(r.Format, dialect.YAML)
	f, out := formOf(r.Dialect), &Rubric{}
	shown, held := r.split(out)
	criteria, err := askFor(ctx, ev, r.query(shown, f), f)
	if err != nil {
		return nil, err
	}
	if err := out.write(&r, criteria); err != nil {
		return nil, err
	}
	if out.Meta, err = metaOf(ctx, ev, out.Document.Rubric); err != nil || r.NoTrial || r.Examples.Empty() {
		return out, err
	}
	if held.Empty() {
		shown, held = held, shown
	}
	if out.Trial, err = Try(ctx, ev, out.Document, held, len(out.Held) > 0); err != nil {
		return out, err
	}
	if !shown.Empty() {
		out.Seen, err = Try(ctx, ev, out.Document, shown, false)
	}
	return out, err
}

// write writes the criteria in the dialect, and reads and lints the result.
func (out *Rubric) write(r *Request, criteria []rubric.Criterion) error {
	base := host.Document(asRubric(r.ID, criteria))
	text, losses, err := tools.Convert(base, tools.ConvertOptions{To: r.Dialect, Format: r.Format, AcceptChanges: true})
	if err != nil {
		return err
	}
	doc, err := dialect.Decode("draft."+r.Format, text, dialect.Options{Dialect: r.Dialect, Schema: schema.Check})
	if err != nil {
		return fault.New(fault.Internal, "the draft does not load: %w", err)
	}
	if doc.Rubric == nil {
		return fault.New(fault.Internal, "the draft has no rubric")
	}
	out.Text, out.Document, out.Losses, out.Lint = text, doc, losses, tools.Lint(doc)
	return nil
}

// split divides the examples into those that the model sees and those that the draft is tried on. Of few
// examples it sees all; good ones without bad ones, or the reverse, would give no figure.
func (r *Request) split(out *Rubric) (shown, held *Examples) {
	shown, held = &Examples{}, &Examples{}
	divide := func(kind string, n, fewest int, give func(to *Examples, i int)) {
		see := n
		if fewest >= enough {
			see = min(mostShown, n/2)
		}
		for k, i := range order(r.Seed, kind, n) {
			id := fmt.Sprintf("%s-%d", kind, i+1)
			if k < see {
				out.Shown = append(out.Shown, id)
				give(shown, i)
			} else {
				out.Held = append(out.Held, id)
				give(held, i)
			}
		}
	}
	good, bad, pairs := len(r.Examples.Good), len(r.Examples.Bad), len(r.Examples.Pairs)
	divide("good", good, min(good, bad), func(to *Examples, i int) { to.Good = append(to.Good, r.Examples.Good[i]) })
	divide("bad", bad, min(good, bad), func(to *Examples, i int) { to.Bad = append(to.Bad, r.Examples.Bad[i]) })
	divide("pair", pairs, pairs, func(to *Examples, i int) { to.Pairs = append(to.Pairs, r.Examples.Pairs[i]) })
	return shown, held
}

// order returns 0..n-1 in an order that a seed decides: by the digest of each
// number with the seed, the same on every machine.
func order(seed int, kind string, n int) []int {
	keys, list := make([]string, n), make([]int, n)
	for i := range list {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d", seed, kind, i))
		keys[i], list[i] = string(sum[:]), i
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	return list
}

// ReadExamples reads the cases of files that hold outputs, as package dataset does.
// The error is about the first row that cannot be used, or says that there is none.
func ReadExamples(o dataset.Options) ([]*dataset.Case, error) {
	r, err := dataset.Open(o)
	if err != nil {
		return nil, err
	}
	var out []*dataset.Case
	for c, err := range r.Cases() {
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Empty, "%s: no examples", strings.Join(o.Paths, ", "))
	}
	return out, nil
}

// ReadPairs reads rows with an input (or prompt), chosen and rejected: these are text, or messages of which the
// last is the output.
func ReadPairs(o dataset.Options) ([]Pair, error) {
	o.OutputOptional = true
	rows, err := ReadExamples(o)
	if err != nil {
		return nil, err
	}
	var bad diag.List
	pairs := make([]Pair, 0, len(rows))
	for _, row := range rows {
		chosen, err := output(row, "chosen")
		rejected, also := output(row, "rejected")
		if err = cmp.Or(err, also); err != nil {
			bad.Add(diag.Diagnostic{Code: "pair", Pos: diag.Pos{File: row.File, Line: row.Line}, Message: err.Error(),
				Hint: `write {"input": "...", "chosen": "...", "rejected": "..."}`})
			continue
		}
		p := Pair{}
		if p.Chosen, err = withOutput(row, chosen); err == nil {
			p.Rejected, err = withOutput(row, rejected)
		}
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	return pairs, bad.Err()
}

func output(row *dataset.Case, field string) (string, error) {
	if row.Raw(field) == nil {
		return "", fmt.Errorf("the pair has no %s output", field)
	}
	text, ok := row.Texts(field)
	if row.Raw(field).Kind() == '"' && ok && len(text) == 1 && strings.TrimSpace(text[0]) != "" {
		return text[0], nil
	}
	var messages []dataset.Message
	if json.Unmarshal(row.Raw(field), &messages) == nil && len(messages) > 0 {
		if last := messages[len(messages)-1].Content; strings.TrimSpace(last) != "" {
			return last, nil
		}
	}
	return "", fmt.Errorf("the %s output is neither text nor messages with text at their end", field)
}

func withOutput(row *dataset.Case, text string) (*dataset.Case, error) {
	fields := []dataset.Field{{Name: dataset.FieldOutput, Value: dataset.Quote(text)}}
	return dataset.FromFields(append(fields, dataset.Without(row.Fields, dataset.FieldOutput, "chosen", "rejected")...), diag.Pos{File: row.File, Line: row.Line})
}
