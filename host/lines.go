package host

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// maxLine is the longest line of ScoreLines, in bytes.
const maxLine = 64 << 20

// maxBatch is how many lines are handed over at once, of those that are at hand: a
// hand-over takes as long as many a score.
const maxBatch = 32

// A batch is lines that come one after the other. Several goroutines score them.
type batch struct {
	lines []scoredLine
	taken atomic.Int32  // lines that a goroutine has begun
	open  atomic.Int32  // lines that are not scored yet
	done  chan struct{} // closed with the last of them
}

// scoredLine is one line of ScoreLines and its answer.
type scoredLine struct {
	number  int // from 1
	text    []byte
	err     error // of reading it; it has no text then
	verdict *rubric.Verdict
	config  map[string]any
}

// ScoreLines scores cases with one plugin, outside of any rubric: one JSON object
// a line, whose field config adds to the configuration of the call. It uses every
// processor, and calls each with the answers in the order of the lines, numbered from 1;
// an error of each ends it. more says that the next answer needs no further line: if it is
// false, the writer of the lines may wait for this answer. Whatever is wrong with a line is its
// answer, but a missing plugin is an error. There is one answer a line: a blank line and one of
// more than 64 MiB have errors. What follows the last line break is a line unless it is empty.
// Once ctx is done it returns at once; a Read of r may still wait then.
//
// The verdict on the whole set, by the plugin's corpus function, is asked for with
// the result's Corpus.
func (e *Evaluator) ScoreLines(ctx context.Context, call Call, r io.Reader, each func(line int, v *rubric.Verdict, more bool) error) (*Lines, error) {
	s := &Lines{e: e, call: call, called: map[string]*Called{}}
	var err error
	if s.plain, err = s.prepared(ctx, call.Config); err != nil {
		return nil, err
	}
	var workers sync.WaitGroup
	defer workers.Wait() // no call may outlive this one: the Evaluator may be closed then
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	scorers := cap(e.cpu)
	if e.modules.isolates(s.plain.Plan) {
		scorers *= callsPerBatch
	}
	queue, work := make(chan *batch, scorers), make(chan *batch, scorers)
	for range scorers {
		workers.Go(func() { s.work(ctx, work) })
	}
	var broken error // a defect of the reader; valid once queue is closed
	go func() {
		defer close(queue)
		defer close(work)
		broken = fault.Guard(func() error {
			readBatches(ctx, r, func(b *batch) bool { return b.begin(ctx, queue, work) })
			return nil
		})
	}()
	for {
		select {
		case b, more := <-queue:
			if more {
				if err := s.answer(ctx, b, queue, each); err != nil {
					return nil, err
				}
				continue
			}
			switch {
			case broken != nil:
				return nil, broken
			case ctx.Err() != nil:
				return nil, flight.Stopped(ctx)
			}
			return s, nil
		case <-ctx.Done(): // the reader may wait for a line that never comes
			return nil, flight.Stopped(ctx)
		}
	}
}

// begin queues a batch for its answers, and hands it to every scorer that it has work for.
// It reports whether ctx allowed it.
func (b *batch) begin(ctx context.Context, queue, work chan<- *batch) bool {
	b.open.Store(int32(len(b.lines))) //nolint:gosec // at most maxBatch
	b.done = make(chan struct{})
	if !sent(ctx, queue, b) {
		return false
	}
	for range min(cap(work), len(b.lines)) { // as many as there are scorers
		if !sent(ctx, work, b) {
			return false
		}
	}
	return true
}

// sent sends b unless ctx is done before.
func sent(ctx context.Context, to chan<- *batch, b *batch) bool {
	select {
	case to <- b:
		return true
	case <-ctx.Done():
		return false
	}
}

// Lines are the lines that ScoreLines has scored.
type Lines struct {
	e     *Evaluator
	call  Call
	plain *Called // of lines that configure nothing

	mu     sync.Mutex
	called map[string]*Called // by configuration: its lines share a prepared call

	sum    sum
	config map[string]any // of the first line that has stats
}

// N returns how many lines are part of the whole set.
func (s *Lines) N() int { return s.sum.n }

// Corpus asks the plugin for the verdict on the whole set. A failure is a verdict
// with its class.
func (s *Lines) Corpus(ctx context.Context) rubric.Verdict {
	v, err := s.corpus(ctx)
	if err != nil {
		return rubric.FailedBy("score", err)
	}
	return v
}

func (s *Lines) corpus(ctx context.Context) (rubric.Verdict, error) {
	switch {
	case s.sum.err != nil:
		return rubric.Verdict{}, s.sum.err
	case s.sum.n == 0:
		return rubric.Verdict{}, fault.WithHint(fault.New(fault.Unscored, "no line has stats: the plugin is not a corpus metric, or no line could be scored"),
			"a corpus metric is one such as bleu; the answers say why lines have no score")
	}
	called, err := s.prepared(ctx, s.config)
	if err != nil {
		return rubric.Verdict{}, err
	}
	return called.Corpus(ctx, s.sum.stats)
}

// readBatches hands over the lines, those at hand as one batch, until take returns false.
func readBatches(ctx context.Context, r io.Reader, take func(*batch) bool) {
	lines := file.NewLines(r, maxLine)
	b := new(batch)
	for n, end := 1, false; !end && ctx.Err() == nil; n++ {
		text, size, err := lines.Next()
		end = err != nil
		l, long := scoredLine{number: n}, size > 0 && text == nil
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")) // a byte order mark
		}
		text = bytes.TrimSpace(text)
		switch {
		case end && !errors.Is(err, io.EOF):
			l.err = fault.WithHint(fault.New(fault.Invalid, "line %d: %w", n, err), "check the file or the program that the lines come from")
		case long:
			l.err = fault.New(fault.Input, "line %d has more than %d bytes", n, maxLine)
		case size > 0 && len(text) == 0:
			l.err = fault.WithHint(fault.New(fault.Invalid, "line %d is blank", n), "remove it: there is one answer a line")
		}
		if size > 0 || l.err != nil {
			l.text = bytes.Clone(text)
			b.lines = append(b.lines, l)
		}
		if len(b.lines) == maxBatch || len(b.lines) > 0 && (end || !lines.Ready()) {
			if !take(b) {
				return
			}
			b = &batch{lines: make([]scoredLine, 0, maxBatch)}
		}
	}
}

// work scores batches until there are no more.
func (s *Lines) work(ctx context.Context, batches <-chan *batch) {
	for {
		select {
		case b, more := <-batches:
			if !more {
				return
			}
			s.scoreBatch(ctx, b)
		case <-ctx.Done():
			return
		}
	}
}

// scoreBatch scores the lines of a batch that no other goroutine has begun.
func (s *Lines) scoreBatch(ctx context.Context, b *batch) {
	for ctx.Err() == nil {
		i := int(b.taken.Add(1)) - 1
		if i >= len(b.lines) {
			return
		}
		l := &b.lines[i]
		if l.err == nil {
			l.err = fault.Guard(func() error { return s.score(ctx, l) })
		}
		if l.err != nil {
			l.verdict = new(rubric.FailedBy("score", l.err))
		}
		if b.open.Add(-1) == 0 {
			close(b.done)
		}
	}
}

// answer calls each with the answers of a batch, once it is scored. Further batches are in queue.
func (s *Lines) answer(ctx context.Context, b *batch, queue <-chan *batch, each func(line int, v *rubric.Verdict, more bool) error) error {
	select {
	case <-b.done:
	case <-ctx.Done():
		return flight.Stopped(ctx)
	}
	for i := range b.lines {
		l := &b.lines[i]
		if stats := l.verdict.Stats; stats != nil {
			if s.sum.n == 0 {
				s.config = l.config
			}
			s.sum.add(stats)
		}
		if err := each(l.number, l.verdict, i < len(b.lines)-1 || len(queue) > 0); err != nil {
			return err
		}
	}
	return nil
}

// score fills in the verdict on a line.
func (s *Lines) score(ctx context.Context, l *scoredLine) error {
	pos := diag.Pos{Line: l.number}
	fields, err := dataset.Fields(l.text, pos)
	if err != nil {
		return lineFault(l.number, err)
	}
	call, fields := s.call.Take(fields)
	c, err := dataset.Unnamed(fields, pos)
	if err != nil {
		return lineFault(l.number, err)
	}
	called := s.plain
	if len(call.Config) > len(s.call.Config) { // the line adds something
		if called, err = s.prepared(ctx, call.Config); err != nil {
			return err
		}
	}
	l.verdict, l.config = called.verdict(ctx, c), call.Config
	return nil
}

// lineFault returns the first problem of a line.
func lineFault(line int, err error) error {
	row, ok := errors.AsType[*dataset.RowError](err)
	if !ok || len(row.Problems.Errors()) == 0 {
		return err
	}
	first := row.Problems.Errors()[0]
	hint, _, _ := strings.Cut(first.Hint, "; if the file is one JSON list") // there is no other format
	return fault.WithHint(fault.New(fault.Invalid, "line %d: %s", line, first.Message), "%s", hint)
}

func (s *Lines) prepared(ctx context.Context, config map[string]any) (*Called, error) {
	key, err := json.Marshal(config, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.called[string(key)]; c != nil {
		return c, nil
	}
	call := s.call
	call.Config = config
	c, err := s.e.Call(ctx, call)
	if err == nil && len(s.called) < 1000 {
		s.called[string(key)] = c
	}
	return c, err
}
