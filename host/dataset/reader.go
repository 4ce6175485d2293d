package dataset

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"hash/maphash"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Options select the rows and how to read them. Only Paths or Given is needed.
type Options struct {
	// Paths are files, globs, and "-" for Stdin, read in this order. The files of
	// a glob come in the order of their names.
	Paths     []string
	Stdin     io.Reader
	StdinName string // for messages; zero: "<stdin>"

	// Given are rows that are at hand, such as those of an eval file. They come
	// before Paths.
	Given []Given

	Format  Format    // zero: by the extension, else by the content
	Map     []Mapping // fields found elsewhere in the row
	Outputs *Outputs  // outputs kept apart; nil: the rows have them
	Select  Selection

	// MaxRow is the size in bytes beyond which a row is refused. Zero: 16 MiB.
	MaxRow int

	// OutputOptional lets cases lack an output.
	OutputOptional bool

	// Samples says that rows of one id, and outputs of one case, are samples of one
	// problem, and no mistake. Each is a case: the first has that id, the others
	// ID#2, ID#3 …, and all are of the cluster of that id unless the row names one.
	Samples bool

	// Preset maps the rows of a published set of problems to cases; see Presets. It
	// includes Samples. Empty: rows are cases.
	Preset string

	// Problems is a file with the preset's problems, for rows of Paths that hold an
	// id and an answer only. It is read if the first row of Paths holds no problem.
	Problems string

	// Audit puts probes in place of the output of each case: its first reference,
	// which a grader must pass, and answers that it must not pass. See Probes.
	Audit bool

	answers bool // the rows are answers to the preset's problems
}

// Given is a row at hand: a JSON object and its place.
type Given struct {
	Value  jsontext.Value
	Pos    diag.Pos
	Rubric string // becomes Case.Rubric
}

// defaultMaxRow is the largest row unless Options.MaxRow says otherwise.
const defaultMaxRow = 16 << 20

// maxProblemRow is that of a preset: problems bring their tests.
const maxProblemRow = 128 << 20

// A Reader gives the cases of a dataset one after the other. It is used by one
// goroutine; the cases may go to others.
type Reader struct {
	opts    Options
	sources []source
	at      int      // sources opened so far
	rows    splitter // of the open source; nil: none is open
	open    *opened

	builder builder
	seen    seen

	evaluator *preset        // whose results the rows are; nil: none
	copies    map[string]int // how often a made id was needed

	digest  hash.Hash
	totals  Totals
	matched int // cases that passed the filters
	missing map[string]bool
	passed  string            // id of the first case that was not selected
	more    []outcome         // of rows that were read and not returned: of the last row its further samples, and those that Preflight read
	outputs map[uint64]string // of samples: the first case by problem and output
	suspect [len(suspects)]int
	probes  []outcome // of the case that Next selected last
	sample  *sample
	ready   []*Case // the sample, once everything is read
	ended   bool
}

// Totals counts the rows of a Reader so far. It is complete once Next has
// returned io.EOF.
type Totals struct {
	Rows     int    // rows met; empty lines are none
	Bad      int    // rows that could not be used
	Cases    int    // cases returned
	Complete bool   // every row was read: no limit ended the reading before
	Digest   string // of all usable rows in order, "sha256:<hex>"

	// Sources are the files, in the order read.
	Sources []Source

	// Warnings are about the dataset as a whole; a Reader adds them at the end.
	Warnings diag.List
}

// A Source is one file of a dataset.
type Source struct {
	Name   string `json:"name"`
	Format Format `json:"format,omitzero"`
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes,omitzero"`
	Digest string `json:"digest,omitzero"` // of its bytes, "sha256:<hex>"; empty if it was not read to its end
}

// Open makes a Reader. It finds the files and checks the options; the error
// names every file that is not there. Close the Reader when done.
func Open(opts Options) (*Reader, error) {
	if err := opts.Select.Check(); err != nil {
		return nil, err
	}
	if opts.MaxRow <= 0 {
		opts.MaxRow = defaultMaxRow
		if opts.Preset != "" {
			opts.MaxRow = maxProblemRow
		}
	}
	preset, err := findPreset(opts.Preset)
	if err != nil {
		return nil, err
	}
	sources, err := find(opts)
	if err != nil {
		return nil, err
	}
	if sources, err = opts.joinProblems(preset, sources); err != nil {
		return nil, err
	}
	opts.Samples = (opts.Samples || Sampled(opts.Preset)) && !opts.Audit
	if opts.Audit {
		if err := opts.forAudit(); err != nil {
			return nil, err
		}
	}
	if o := opts.Outputs; o != nil && !opts.Samples && len(o.again) > 0 {
		return nil, o.again.Err()
	}
	return newReader(opts, preset, sources), nil
}

// newReader makes a Reader with options that were checked.
func newReader(opts Options, preset *preset, sources []source) *Reader {
	r := &Reader{
		opts: opts, sources: sources, seen: seen{seed: maphash.MakeSeed(), rows: map[[8]byte]uint32{}}, copies: map[string]int{}, digest: sha256.New(),
		builder: builder{maps: opts.Map, mapped: make([]bool, len(opts.Map)), rivalries: map[Rival]int{}, preset: preset, answers: opts.answers, outputs: opts.Outputs, optional: opts.OutputOptional},
	}
	if preset != nil && preset.result != nil {
		r.evaluator, r.builder.preset = preset, nil // its rows are as any others then
	}
	if opts.Outputs != nil {
		r.builder.used = make([]bool, opts.Outputs.Len())
	}
	if opts.Samples {
		r.builder.number, r.outputs = r.numbered, map[uint64]string{}
	}
	if s := &r.opts.Select; s.IDs != nil {
		r.missing = maps.Clone(s.IDs)
		maps.DeleteFunc(r.missing, func(_ string, wanted bool) bool { return !wanted })
	}
	if opts.Select.Sample > 0 {
		r.sample = &sample{n: opts.Select.Sample, seed: strconv.FormatUint(opts.Select.Seed, 10) + "\x00"}
	}
	return r
}

// Close closes the open files.
func (r *Reader) Close() error {
	r.ended = true
	if r.open == nil {
		return nil
	}
	err := r.open.close()
	r.open, r.rows = nil, nil
	return err
}

// Cases returns an iterator over the results of Next, up to io.EOF. It closes the
// Reader at the end.
func (r *Reader) Cases() iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		defer func() { _ = r.Close() }() // files were only read
		for {
			c, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(c, err) {
				return
			}
		}
	}
}

// Totals returns the totals so far.
func (r *Reader) Totals() Totals {
	t := r.totals
	t.Sources = slices.Clone(t.Sources)
	t.Warnings = slices.Clone(t.Warnings)
	t.Digest = digest.Sum(r.digest)
	return t
}

// Next returns the next selected case, or io.EOF after the last one. Any other error
// is a *RowError: that row, or the rest of that file, cannot be used, and Next
// continues after it. A row error stands where the row stood, also beyond what tags, limits and samples
// select, unless IDs or Match leave out the id that the row has; it belongs to one shard.
func (r *Reader) Next() (*Case, error) {
	for r.opts.Audit {
		if len(r.probes) > 0 {
			o := r.probes[0]
			r.probes[0], r.probes = outcome{}, r.probes[1:]
			if o.err == nil {
				r.totals.Cases++
			}
			return o.c, o.err
		}
		c, err := r.next()
		if err != nil {
			return nil, err
		}
		r.totals.Cases--
		r.audit(c)
	}
	return r.next()
}

// next returns the next selected case, before an audit puts probes in its place.
func (r *Reader) next() (*Case, error) {
	for {
		if r.ended {
			return r.drawn()
		}
		c, err := r.row()
		var bad *RowError
		switch {
		case errors.Is(err, io.EOF):
			r.finish(true)
			continue
		case errors.As(err, &bad):
			r.found(bad.ID, bad.Pos)
			if s := &r.opts.Select; !s.mine(bad.place) || bad.ID != "" && !s.names(bad.ID, bad.base, bad.Pos) {
				continue
			}
			return nil, err
		case err != nil:
			return nil, err
		}
		take, last := r.selects(c)
		sampled := take && r.sample != nil
		if sampled {
			r.sample.offer(c)
		}
		if last {
			r.finish(false)
		}
		if take && !sampled && r.opts.Select.mine(c.ID) {
			r.totals.Cases++
			return c, nil
		}
	}
}

func (r *Reader) drawn() (*Case, error) {
	for len(r.ready) > 0 {
		c := r.ready[0]
		r.ready[0], r.ready = nil, r.ready[1:]
		if r.opts.Select.mine(c.ID) {
			r.totals.Cases++
			return c, nil
		}
	}
	return nil, io.EOF
}

// selects applies all of the selection but sample and shard. last is true if
// nothing behind the case can be selected.
func (r *Reader) selects(c *Case) (take, last bool) {
	s := &r.opts.Select
	r.found(c.ID, c.pos())
	if !s.wants(c) {
		r.passed = cmp.Or(r.passed, c.ID)
		return false, false
	}
	n := r.matched
	r.matched++
	return n >= s.From, s.To > 0 && r.matched >= s.To
}

// NoneSelected returns the fault, of class Empty, of a selection that took no case.
func (r *Reader) NoneSelected() error {
	example := ""
	if r.passed != "" {
		example = fmt.Sprintf(", the first of which has the id %q", fault.Clip(r.passed, 80))
	}
	return fault.New(fault.Empty, "no case matched: the dataset has %s%s, and the selection takes none", diag.Count(r.totals.Rows, "row"), example)
}

// found notes that a requested row is there, by its id or its position.
func (r *Reader) found(id string, pos diag.Pos) {
	if len(r.missing) > 0 {
		delete(r.missing, id)
		delete(r.missing, pos.String())
	}
}

// finish ends the reading, warns about the whole, and draws the sample.
func (r *Reader) finish(complete bool) {
	_ = r.Close() // the file was only read
	r.totals.Complete = complete
	if r.sample != nil {
		r.ready = r.sample.cases()
		r.sample = nil
	}
	r.tellRivals()
	r.tellSuspects()
	if complete {
		r.tellSet()
		r.tellUnused()
	}
}

// row returns the case of the next row of any source.
func (r *Reader) row() (*Case, error) {
	for {
		if len(r.more) > 0 {
			o := r.more[0]
			r.more[0], r.more = outcome{}, r.more[1:]
			return o.c, o.err
		}
		if r.rows == nil {
			if r.at == len(r.sources) {
				return nil, io.EOF
			}
			if err := r.begin(); err != nil {
				return nil, err
			}
			continue
		}
		var raw rawRow
		if !r.rows.next(&raw) {
			if err := r.leave(); err != nil {
				return nil, err
			}
			continue
		}
		r.totals.Rows++
		r.totals.Sources[len(r.totals.Sources)-1].Rows++
		r.decode(&raw)
	}
}

// maxProblems is the number of problems of one row that are kept.
const maxProblems = 10

// decode makes the cases of a row: one, or one for each of its samples.
func (r *Reader) decode(raw *rawRow) {
	fields, bad := raw.fields, raw.bad
	if raw.json != nil && bad == nil {
		fields, bad = parse(slices.Clone(raw.json), raw.pos)
	}
	if bad != nil {
		r.refuse(&Case{}, raw.pos, bad)
		return
	}
	rows := [][]Field{fields}
	if p := r.builder.preset; p != nil {
		rows = p.rows(fields)
	}
	if r.evaluator != nil {
		rows = r.evaluator.results(fields)
	}
	for _, row := range rows {
		for sample := 0; ; sample++ {
			own := row
			if r.opts.Samples { // samples share the fields of their problem
				own = slices.Clone(row)
			}
			if problem := r.make(raw, own, sample); r.opts.Outputs == nil || sample+1 >= r.opts.Outputs.samples(problem) {
				break
			}
		}
	}
}

// make makes the case of a row and one of its samples, and returns the id of its
// problem.
func (r *Reader) make(raw *rawRow, fields []Field, sample int) (problem string) {
	c, bad := r.builder.build(fields, raw.pos, sample)
	if bad == nil {
		bad = r.identify(c, raw.pos)
	}
	if bad != nil {
		r.refuse(c, raw.pos, bad)
		return c.base
	}
	for i := range suspects {
		if suspects[i].holds(c) {
			r.suspect[i]++
		}
	}
	if r.opts.Audit && len(c.References) == 0 {
		r.refuse(c, raw.pos, only(diag.Diagnostic{Code: "reference-missing", Path: FieldReferences, Pos: raw.pos,
			Message: fmt.Sprintf("case %q has no reference", fault.Clip(c.ID, 80)), Hint: "give it a right answer as references: an audit grades that, and wrong ones"}))
		return c.base
	}
	if r.outputs != nil && c.HasOutput {
		h := maphash.Comparable(r.seen.seed, [2]string{c.SampleOf, c.Output})
		if first, again := r.outputs[h]; again {
			c.SameAs = first
		} else {
			r.outputs[h] = c.ID
		}
	}
	c.Rubric = raw.rubric
	c.setDigest()
	r.digest.Write(c.digest[:])
	r.more = append(r.more, outcome{c: c})
	return c.base
}

// refuse notes that a row, or one of its samples, cannot be used.
func (r *Reader) refuse(c *Case, pos diag.Pos, bad diag.List) {
	r.totals.Bad++
	if len(bad) > maxProblems {
		bad = bad[:maxProblems:maxProblems]
		bad.Add(diag.Diagnostic{Code: "row-problems", Pos: pos, Message: "the row has more problems than these"})
	}
	r.more = append(r.more, outcome{err: r.rowError(c, pos, bad)})
}

// numbered returns the id of the next sample of a problem.
func (r *Reader) numbered(problem string) string {
	id := problem
	for r.seen.has(id) {
		r.copies[problem] = max(1, r.copies[problem]) + 1
		id = problem + "#" + strconv.Itoa(r.copies[problem])
	}
	return id
}

// rowError makes the error of the row that was read last.
func (r *Reader) rowError(c *Case, pos diag.Pos, bad diag.List) *RowError {
	return &RowError{ID: c.ID, SampleOf: c.SampleOf, Cluster: c.Cluster, Pos: pos, Problems: bad, place: strconv.Itoa(r.totals.Rows), base: c.base}
}

func (r *Reader) begin() error {
	s := r.sources[r.at]
	r.at++
	r.totals.Sources = append(r.totals.Sources, Source{Name: s.name})
	rows, open, problem := s.begin(r.opts)
	if problem != nil {
		return r.rowError(&Case{}, problem.Pos, only(*problem))
	}
	r.rows, r.open = rows, open
	r.totals.Sources[len(r.totals.Sources)-1].Format = open.format
	return nil
}

// leave closes the source that has ended, and notes its size and digest.
func (r *Reader) leave() error {
	open, rows := r.open, r.rows
	r.open, r.rows = nil, nil
	into := &r.totals.Sources[len(r.totals.Sources)-1]
	into.Bytes, into.Digest = open.n, open.sum()
	_ = open.close() // it was only read
	if d := rows.problem(); d != nil {
		return r.rowError(&Case{}, d.Pos, only(*d))
	}
	if into.Rows == 0 {
		pos := diag.Pos{File: into.Name}
		return r.rowError(&Case{}, pos, only(diag.Diagnostic{Code: codeEmpty, Pos: pos, Message: "the file holds no rows", Hint: "check the program that wrote it"}))
	}
	return nil
}

// codeEmpty marks the problem of a file without rows.
const codeEmpty = "file-empty"

func badOption(hint, format string, args ...any) error {
	return fault.WithHint(fault.New(fault.Usage, format, args...), "%s", hint)
}

// Count returns how many cases and errors Next gives in all, by reading the files a second time. ok is
// false if that is not possible, as with standard input and pipes, or ctx ended first. It may be
// called while another goroutine reads.
func (r *Reader) Count(ctx context.Context) (n int, ok bool) {
	for _, s := range r.sources {
		info, err := os.Stat(s.path)
		if s.given == nil && (err != nil || !info.Mode().IsRegular()) {
			return 0, false
		}
	}
	opts := r.opts
	opts.OutputOptional = true
	again := newReader(opts, cmp.Or(r.builder.preset, r.evaluator), r.sources)
	if opts.Select.All() && !opts.Audit { // a repeated id is an error in place of a case
		again.seen.rows = nil
	}
	defer func() { _ = again.Close() }() // it was only read
	for ctx.Err() == nil {
		if _, err := again.Next(); errors.Is(err, io.EOF) {
			return n, true
		}
		n++
	}
	return 0, false
}
