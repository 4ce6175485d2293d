package runner

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Sink keeps the rows of a run. It is used by one goroutine.
type Sink interface {
	// Append takes rows in the order in which they are finished, or with Chunk and
	// Ordered in that of the dataset but for slow cases. place counts
	// the cases and repeats of the dataset from 0, those that were done before
	// too. c is the case that was graded, nil if it could not be read. encoded is
	// the row's line of rows.jsonl, without its line break; it may not be kept.
	Append(place int, row *result.Row, c *dataset.Case, encoded []byte) error

	// Flush is called whenever no further row is ready, from when on the rows outlive
	// the process, and once a second.
	Flush() error
}

// Cases is the stream that a run grades. A pair with an error and no case is a
// row that could not be read; one with both is a case that cannot be graded.
// The stream is read by one goroutine.
type Cases = iter.Seq2[*dataset.Case, error]

// Options say how a run goes. The zero value is valid.
type Options struct {
	GradeOptions

	// Workers is the number of cases in flight; 0: one per processor. Runs that
	// ask a judge want more, since their cases mostly wait.
	Workers int

	// Chunk is the number of cases handed to a worker at once; 0: 1. More saves
	// hand-overs where cases take microseconds.
	Chunk int

	Repeat   int  // gradings per case; 0: 1
	FailFast bool // stop at the first case without a score

	// Done reports whether a case and repeat has its row already, from an earlier
	// session of the same run, with the same content. Nil: none has. It is called
	// by one goroutine, once for every place.
	Done func(place int, caseID string, repeat int, digest string) bool

	// Observe is called for every row that the sink keeps, in the order in which
	// it got them, by one goroutine. Nil: no progress is reported.
	Observe func(*result.Row)

	// Ordered is called with the same rows in the order of the dataset, by the
	// same goroutine. Rows that are finished early wait for it, and when too many
	// do no further case begins. Nil: the order does not matter, and nothing waits.
	Ordered func(*result.Row) error
}

// A Tally counts the outcomes of a run.
type Tally struct {
	Rows    int // that the sink took
	Skipped int // that were done before
}

// Run grades cases until the stream ends, the context does, or a budget is used
// up. grader returns the grader of a case by its Case.Rubric. The error says why
// the run stopped before the end; every finished row has reached the sink
// either way.
func Run(ctx context.Context, cases Cases, grader func(key string) *Grader, sink Sink, o Options) (Tally, error) {
	r := newRun(ctx, grader, sink, o)
	defer r.stop(nil)
	go func() {
		defer close(r.jobs)
		err := fault.Guard(func() error {
			r.feed(cases)
			return nil
		})
		if err != nil {
			r.stop(err)
		}
	}()
	var workers sync.WaitGroup
	for range r.o.Workers {
		workers.Go(r.work)
	}
	go func() {
		workers.Wait()
		close(r.done)
	}()
	err := r.collect()
	return r.tally, err
}

// run is the state of one Run. Work flows feed -> jobs -> work -> done ->
// collect; tickets bound how far it may run ahead of the sink.
type run struct {
	ctx     context.Context         //nolint:containedctx // of the calls in flight; lives exactly as long as Run
	open    context.Context         //nolint:containedctx // ends when no further case shall begin
	stop    context.CancelCauseFunc // ends open; cases in flight are finished, as they are paid for
	o       Options
	grader  func(string) *Grader
	sink    Sink
	jobs    chan []job
	done    chan []job
	tickets chan struct{}
	skipped int // written by feed, read after done is closed

	// Of collect.
	batch   []job       // that are finished, or whose turn it is
	waiting map[int]job // that are finished, by seq, until it is their turn
	next    int         // seq of the job whose turn it is
	broken  error       // why the sink takes no more
	stopped error       // the first reason to stop
	tally   Tally
}

// A job is one case and repeat, and then its row.
type job struct {
	seq     int // of the jobs that are graded
	place   int // in the dataset, with its repeats
	c       *dataset.Case
	id      string // of the case; the place of a row that could not be read
	digest  string
	repeat  int         // 0 for a bad row
	row     *result.Row // of a bad row from the beginning
	encoded []byte
	stop    error // why the run must stop; the row is missing then
	kept    bool  // by the sink; c and encoded are gone
}

func newRun(ctx context.Context, grader func(string) *Grader, sink Sink, o Options) *run {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Chunk, o.Repeat = max(1, o.Chunk), max(1, o.Repeat)
	ahead := 4*o.Workers*o.Chunk + 64
	r := &run{
		o: o, grader: grader, sink: sink,
		jobs: make(chan []job, o.Workers), done: make(chan []job, o.Workers),
		tickets: make(chan struct{}, ahead),
		waiting: map[int]job{},
	}
	r.ctx = ctx
	r.open, r.stop = context.WithCancelCause(ctx)
	return r
}

// feed reads the stream into jobs, which its caller closes.
func (r *run) feed(cases Cases) {
	f := feeder{run: r}
	place := 0
	for c, bad := range cases {
		repeats := r.o.Repeat
		if bad != nil {
			repeats = 1
		}
		for i := range repeats {
			if r.open.Err() != nil {
				return
			}
			var j job
			if bad != nil {
				j = r.badJob(c, bad)
			} else {
				j = job{c: c, id: c.ID, digest: c.Digest(), repeat: i + 1}
			}
			j.place = place
			place++
			if r.o.Done != nil && r.o.Done(j.place, j.id, j.repeat, j.digest) {
				r.skipped++
			} else if !f.add(j) {
				return
			}
		}
	}
	f.send()
}

// A feeder hands jobs to the workers in chunks.
type feeder struct {
	*run
	seq   int
	chunk []job
}

// add hands over a job, or keeps it until its chunk is full. It reports whether the run is open.
func (f *feeder) add(j job) bool {
	select {
	case f.tickets <- struct{}{}:
	default: // far ahead: hand over the chunk before waiting
		if !f.send() {
			return false
		}
		select {
		case f.tickets <- struct{}{}:
		case <-f.open.Done():
			return false
		}
	}
	j.seq = f.seq
	f.seq++
	if f.chunk == nil {
		f.chunk = make([]job, 0, f.o.Chunk)
	}
	f.chunk = append(f.chunk, j)
	return len(f.chunk) < f.o.Chunk || f.send()
}

// send hands over the chunk. It reports whether the run is open.
func (f *feeder) send() bool {
	if f.chunk == nil {
		return true
	}
	select {
	case f.jobs <- f.chunk:
		f.chunk = nil
		return true
	case <-f.open.Done():
		return false
	}
}

// badJob returns the job of a row that cannot be graded. It is named by its case, else by its place.
func (r *run) badJob(c *dataset.Case, err error) job {
	j := job{c: c, digest: digest.Of([]byte(err.Error()))}
	var own, cluster, sampleOf string
	var bad *dataset.RowError
	switch {
	case c != nil:
		j.id, own, cluster, sampleOf = c.ID, c.Rubric, c.Cluster, c.SampleOf
	case errors.As(err, &bad):
		j.id, cluster, sampleOf = cmp.Or(bad.ID, bad.Pos.String()), bad.Cluster, bad.SampleOf
	}
	j.row = BadRow(r.grader(own), err)
	j.row.Case, j.row.CaseDigest, j.row.Cluster, j.row.SampleOf = j.id, j.digest, cluster, sampleOf
	return j
}

func (r *run) work() {
	for chunk := range r.jobs {
		for i := range chunk {
			j := &chunk[i]
			err := fault.Guard(func() error {
				r.grade(j)
				return nil
			})
			if err != nil { // a defect outside of the scorers
				j.row, j.stop = nil, err
			}
		}
		r.done <- chunk
	}
}

func (r *run) grade(j *job) {
	if err := r.open.Err(); err != nil {
		j.row, j.stop = nil, cause(r.open, err)
		return
	}
	if j.row == nil {
		if s := r.grader(j.c.Rubric); s == nil {
			j.row = BadRow(nil, fault.New(fault.Internal, "%s: no grader for rubric %s", j.c.Place(), j.c.Rubric))
		} else if j.row, j.stop = Grade(llm.WithRepeat(r.ctx, j.repeat), s, j.c, r.o.GradeOptions); j.stop != nil {
			return
		}
	}
	j.row.Repeat = j.repeat
	if j.encoded, j.stop = result.AppendRow(nil, j.row); j.stop != nil {
		j.row = nil
	}
}

// patience is how long the file waits for one case, at most twice, and for Flush.
const patience = time.Second

// collect hands finished rows to the sink. Once the run stops it continues with
// finished rows, so that nothing paid for is lost.
func (r *run) collect() error {
	late := time.NewTicker(patience)
	defer late.Stop()
	before := 0
	for open := true; open; {
		select {
		case chunk, more := <-r.done:
			r.batch, open = r.drain(append(r.batch[:0], chunk...)), more
			r.finished()
		case <-late.C:
			if r.next == before {
				r.fail(r.commitWaiting())
			}
			before = r.next
			if r.broken == nil {
				r.broken = r.sink.Flush()
				r.fail(r.broken)
			}
		}
	}
	r.tally.Skipped = r.skipped
	if len(r.waiting) > 0 {
		r.stopped = errors.Join(r.stopped, r.commitWaiting(), fault.New(fault.Internal, "%d rows were finished and never came up", len(r.waiting)))
	}
	if r.stopped == nil {
		return context.Cause(r.open)
	}
	return r.stopped
}

// finished commits the batch and gives its rows to Ordered in their turn. Rows of chunks
// were only computed: they wait for their turn, so that the file needs no sorting.
func (r *run) finished() {
	if r.o.Ordered == nil || r.o.Chunk == 1 {
		r.fail(r.commit(r.batch))
	}
	if r.o.Ordered == nil {
		for range r.batch {
			<-r.tickets
		}
		return
	}
	for _, j := range r.batch {
		r.waiting[j.seq] = j
	}
	r.batch = r.batch[:0]
	for j, ok := r.waiting[r.next]; ok; j, ok = r.waiting[r.next] {
		delete(r.waiting, r.next)
		r.next++
		r.batch = append(r.batch, j)
	}
	r.fail(r.commit(r.batch))
	for i := range r.batch {
		<-r.tickets
		if row := r.batch[i].row; row != nil {
			r.fail(r.o.Ordered(row))
		}
	}
}

// fail stops the run for the first error.
func (r *run) fail(err error) {
	if err != nil && r.stopped == nil {
		r.stopped = err
		r.stop(err)
	}
}

// commitWaiting commits the rows that wait for their turn.
func (r *run) commitWaiting() error {
	batch := xslices.Map(slices.Sorted(maps.Keys(r.waiting)), func(seq int) job { return r.waiting[seq] })
	err := r.commit(batch)
	for _, j := range batch {
		r.waiting[j.seq] = j
	}
	return err
}

// drain adds the jobs that are finished by now, without waiting for any.
func (r *run) drain(batch []job) []job {
	for {
		select {
		case chunk, open := <-r.done:
			if !open {
				return batch
			}
			batch = append(batch, chunk...)
		default:
			return batch
		}
	}
}

// commit hands rows to the sink that it does not have, and tells of them once they
// are kept. A row that the sink could not take is not told of. The error is the first one.
func (r *run) commit(batch []job) error {
	var first error
	took := 0
	for i := range batch {
		j := &batch[i]
		if j.kept {
			continue
		}
		if j.row == nil {
			first = cmp.Or(first, j.stop)
			continue
		}
		if r.broken == nil {
			r.broken = r.sink.Append(j.place, j.row, j.c, j.encoded)
		}
		if r.broken != nil {
			first, j.row = cmp.Or(first, r.broken), nil
			continue
		}
		took++
	}
	if took == 0 {
		return first
	}
	if err := r.sink.Flush(); err != nil {
		r.broken = err
		for i := range batch {
			if !batch[i].kept {
				batch[i].row = nil
			}
		}
		return cmp.Or(first, err)
	}
	for i := range batch {
		if j := &batch[i]; j.row != nil && !j.kept {
			first = cmp.Or(first, r.took(j))
			j.kept, j.c, j.encoded = true, nil, nil
		}
	}
	return first
}

// took tells of a row that is kept.
func (r *run) took(j *job) error {
	r.tally.Rows++
	if r.o.Observe != nil {
		r.o.Observe(j.row)
	}
	if r.o.FailFast && j.row.Status != rubric.Scored {
		return fault.New(fault.Unscored, "stopped at the first case without a score: %q", j.row.Case)
	}
	return nil
}
