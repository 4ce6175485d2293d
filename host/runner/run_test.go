package runner_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// memory is a sink that keeps its rows.
type memory struct {
	rows []*result.Row
	fail error
}

func (m *memory) Flush() error { return nil }

func (m *memory) Append(_ int, row *result.Row, _ *dataset.Case, encoded []byte) error {
	if len(encoded) == 0 {
		return errors.New("a row without its line")
	}
	m.rows = append(m.rows, row)
	return m.fail
}

func newCase(t testing.TB, id string) *dataset.Case {
	t.Helper()
	c, err := dataset.FromJSON([]byte(fmt.Sprintf(`{"id":%q,"output":"o"}`, id)), diag.Pos{File: "t"})
	must(t, err)
	return c
}

// numbered yields n cases.
func numbered(t testing.TB, n int) runner.Cases {
	return func(yield func(*dataset.Case, error) bool) {
		for i := range n {
			if !yield(newCase(t, fmt.Sprintf("c%04d", i)), nil) {
				return
			}
		}
	}
}

// constant scores every criterion with value.
func constant(value float64, criteria ...string) scorer.Scorer {
	return scorer.Func(func(context.Context, *dataset.Case) ([]rubric.Verdict, error) {
		var out []rubric.Verdict
		for _, id := range criteria {
			out = append(out, rubric.Verdict{Criterion: id, Status: rubric.Scored, Value: value, Native: rubric.MetIs(value == 1)})
		}
		return out, nil
	})
}

func oneCriterion(s scorer.Scorer, waits bool) func(string) *runner.Grader {
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{{ID: "a", Text: "x", Weight: rubric.One}}}
	grader := &runner.Grader{Rubric: r, Tasks: []runner.Task{{Criteria: []string{"a"}, Scorer: s, Waits: waits}}}
	return func(string) *runner.Grader { return grader }
}

// TestRun_SlowCaseHoldsNothingBack grades everything but its first case, and has it
// all on disk.
func TestRun_SlowCaseHoldsNothingBack(t *testing.T) {
	const n = 3000 // more than may wait for an order
	hold, dir := make(chan struct{}), newDir(t)
	slow := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
		if c.ID == "c0000" {
			<-hold
		}
		return constant(1, "a").Score(ctx, c)
	})
	file := filepath.Join(dir.Path(), runner.RowsFile)
	var seen int
	o := runner.Options{Workers: 4, Observe: func(*result.Row) {
		if seen++; seen == n-1 {
			b, err := os.ReadFile(file)
			if lines := bytes.Count(b, []byte{'\n'}); err != nil || lines < n-1 {
				t.Errorf("%d of %d finished rows are on disk: %v", lines, n-1, err)
			}
			close(hold)
		}
	}}
	if _, err := runner.Run(t.Context(), numbered(t, n), oneCriterion(slow, true), dir, o); err != nil {
		t.Fatal(err)
	}
	if dropped, err := dir.Sort(true); dropped != 0 || err != nil {
		t.Fatal(dropped, err)
	}
	must(t, dir.Close())
	if ids := idsIn(t, dir.Path()); len(ids) != n || !slices.IsSorted(ids) {
		t.Errorf("%d rows, not in order", len(ids))
	}
}

func TestRun_RowsComeInOrder(t *testing.T) {
	jumbled := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
		for range rand.IntN(200) {
			runtime.Gosched()
		}
		return constant(1, "a").Score(ctx, c)
	})
	for _, o := range []runner.Options{{}, {Workers: 7}, {Workers: 3, Chunk: 16}, {Workers: 2, Repeat: 3, Chunk: 5}} {
		var sink memory
		var ordered []string
		o.Ordered = func(r *result.Row) error { ordered = append(ordered, r.Case); return nil }
		tally, err := runner.Run(t.Context(), numbered(t, 500), oneCriterion(jumbled, true), &sink, o)
		must(t, err)
		want := 500 * max(1, o.Repeat)
		if tally.Rows != want || len(sink.rows) != want {
			t.Fatalf("%+v: %d rows, want %d", o, len(sink.rows), want)
		}
		if len(ordered) != want || !slices.IsSorted(ordered) {
			t.Errorf("%+v: rows out of order", o)
		}
		if inFile := slices.IsSortedFunc(sink.rows, func(a, b *result.Row) int { return strings.Compare(a.Case, b.Case) }); o.Chunk > 1 && !inFile {
			t.Errorf("%+v: the file needs sorting", o)
		}
	}
}

// TestRun_SlowCaseOfAChunkHoldsNothingBackForLong keeps what comes after it within seconds.
func TestRun_SlowCaseOfAChunkHoldsNothingBackForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, chunk = 40, 2
		var kept atomic.Int32
		slow := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
			if c.ID == "c0000" {
				time.Sleep(2500 * time.Millisecond)
				if kept.Load() != n-chunk {
					t.Errorf("%d rows are kept, want all but its chunk's", kept.Load())
				}
			}
			return constant(1, "a").Score(ctx, c)
		})
		var sink memory
		var ordered []string
		o := runner.Options{
			Workers: 2, Chunk: chunk,
			Observe: func(*result.Row) { kept.Add(1) },
			Ordered: func(r *result.Row) error { ordered = append(ordered, r.Case); return nil },
		}
		if _, err := runner.Run(t.Context(), numbered(t, n), oneCriterion(slow, true), &sink, o); err != nil {
			t.Fatal(err)
		}
		if len(sink.rows) != n || kept.Load() != n || len(ordered) != n || !slices.IsSorted(ordered) {
			t.Errorf("%d rows, %d told of, %d in order", len(sink.rows), kept.Load(), len(ordered))
		}
	})
}

func TestGrade_LengthOfThePartThatCounts(t *testing.T) {
	grader := oneCriterion(constant(1, "a"), false)("")
	grader.Rubric.LengthPenalty = &rubric.LengthPenalty{Free: 3, Cap: 4, AtCap: 0.5, Exponent: 1, Section: "output"}
	tests := []struct {
		name, output string
		score        float64
	}{
		{"an object with thinking apart counts its output", `{"thinking": "one two three four five", "output": "short"}`, 1},
		{"an object whose output is long", `{"thinking": "one", "output": "one two three four"}`, 0.5},
		{"an output alone", `{"output": "short"}`, 1},
		{"any other object counts as the text it is", `{"answer": "one two three four"}`, 0.5},
		{"text with tags", `"<thinking>one two three four</thinking><output>short</output>"`, 1},
		{"text without", `"one two three four"`, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := dataset.FromJSON([]byte(`{"id": "x", "output": `+tt.output+`}`), diag.Pos{File: "t"})
			must(t, err)
			row, err := runner.Grade(t.Context(), grader, c, runner.GradeOptions{})
			must(t, err)
			if *row.Score != tt.score {
				t.Errorf("score %v, want %v", *row.Score, tt.score)
			}
		})
	}
}

func TestRun_BadRowsAreRowsToo(t *testing.T) {
	cases := func(yield func(*dataset.Case, error) bool) {
		_ = yield(newCase(t, "good"), nil) &&
			yield(nil, fault.New(fault.Invalid, "data.jsonl:2: not JSON")) &&
			yield(newCase(t, "mute"), fault.New(fault.Invalid, "data.jsonl:3: no output")) &&
			yield(newCase(t, "good too"), nil)
	}
	var sink memory
	tally, err := runner.Run(t.Context(), cases, oneCriterion(constant(1, "a"), false), &sink, runner.Options{Workers: 1})
	if err != nil || tally.Rows != 4 {
		t.Fatalf("tally %+v, error %v", tally, err)
	}
	if row := sink.rows[1]; row.Passed != nil {
		t.Errorf("without a pass rule: passed %v", *row.Passed)
	}
	for i, want := range []rubric.Status{rubric.Scored, rubric.Unscored, rubric.Unscored, rubric.Scored} {
		if row := sink.rows[i]; row.Status != want || (row.Score == nil) != (want == rubric.Unscored) {
			t.Errorf("row %d: status %s score %v", i, row.Status, row.Score)
		}
	}
}

// TestRun_BadRowsDoNotPass: with a pass rule, no row without a score passes, whatever the reason.
func TestRun_BadRowsDoNotPass(t *testing.T) {
	broken := scorer.Func(func(context.Context, *dataset.Case) ([]rubric.Verdict, error) {
		return nil, fault.New(fault.Trap, "unreachable")
	})
	ruled := oneCriterion(broken, false)("")
	ruled.Rubric.Pass = rubric.Threshold(0.5)
	cases := func(yield func(*dataset.Case, error) bool) {
		_ = yield(newCase(t, "broken"), nil) && yield(nil, fault.New(fault.Invalid, "data.jsonl:2: not JSON")) &&
			yield(newCase(t, "mute"), fault.New(fault.Invalid, "data.jsonl:3: no output"))
	}
	var sink memory
	if _, err := runner.Run(t.Context(), cases, func(string) *runner.Grader { return ruled }, &sink, runner.Options{}); err != nil {
		t.Fatal(err)
	}
	for i, row := range sink.rows {
		if row.Score != nil || row.Passed == nil || *row.Passed {
			t.Errorf("row %d: score %v, passed %v", i, row.Score, row.Passed)
		}
	}
}

func TestRun_FailuresHaveNoNumber(t *testing.T) {
	broken := scorer.Func(func(context.Context, *dataset.Case) ([]rubric.Verdict, error) {
		return nil, fault.New(fault.Trap, "unreachable")
	})
	var sink memory
	if _, err := runner.Run(t.Context(), numbered(t, 3), oneCriterion(broken, false), &sink, runner.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, row := range sink.rows {
		if row.Score != nil || row.Criteria[0].Value != nil || row.Criteria[0].Error.Class != fault.Trap {
			t.Errorf("row %+v", row)
		}
	}
}

func TestRun_InterruptKeepsFinishedRows(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var n atomic.Int32
	slow := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
		if n.Add(1) == 50 {
			cancel(fault.New(fault.Interrupted, "interrupted"))
		}
		if n.Load() >= 50 {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return constant(1, "a").Score(ctx, c)
	})
	var sink memory
	tally, err := runner.Run(ctx, numbered(t, 10_000), oneCriterion(slow, true), &sink, runner.Options{Workers: 8})
	if fault.Of(err) != fault.Interrupted {
		t.Fatalf("error %v", err)
	}
	if tally.Rows < 40 || tally.Rows > 49 {
		t.Errorf("%d rows kept of 49 finished", tally.Rows)
	}
	for _, row := range sink.rows {
		if row.Score == nil {
			t.Errorf("an interrupted case became a row: %+v", row)
		}
	}
}

func TestRun_BudgetFinishesWhatIsInFlight(t *testing.T) {
	var begun, finished atomic.Int32
	metered := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
		if begun.Add(1) > 20 {
			return nil, fault.New(fault.Budget, "cost limit of 1 USD reached")
		}
		defer finished.Add(1)
		runtime.Gosched()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return constant(1, "a").Score(ctx, c)
	})
	var sink memory
	tally, err := runner.Run(t.Context(), numbered(t, 10_000), oneCriterion(metered, true), &sink, runner.Options{Workers: 4})
	if fault.Of(err) != fault.Budget || tally.Rows != 20 {
		t.Errorf("error %v, %d rows", err, tally.Rows)
	}
	if int(finished.Load()) != tally.Rows {
		t.Errorf("%d paid for, %d kept", finished.Load(), tally.Rows)
	}
}

// TestRun_CaseTimeoutFailsTheCaseNotTheRun has a clock of its own: it moves when nothing else can,
// so that only the case that hangs is late, however busy the machine is.
func TestRun_CaseTimeoutFailsTheCaseNotTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
			if c.ID == "c0001" {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return constant(1, "a").Score(ctx, c)
		})
		var sink memory
		o := runner.Options{Workers: 2, GradeOptions: runner.GradeOptions{Timeout: 10 * time.Millisecond}}
		if _, err := runner.Run(t.Context(), numbered(t, 4), oneCriterion(hangs, true), &sink, o); err != nil {
			t.Fatal(err)
		}
		if len(sink.rows) != 4 {
			t.Errorf("%d rows", len(sink.rows))
		}
		for _, row := range sink.rows {
			if late := row.Case == "c0001"; late != (row.Score == nil) || late && row.Criteria[0].Error.Class != fault.Deadline {
				t.Errorf("row %s: score %v error %+v", row.Case, row.Score, row.Criteria[0].Error)
			}
		}
	})
}

func TestRun_SinkErrorStopsIt(t *testing.T) {
	sink := memory{fail: fault.New(fault.Invalid, "disk full")}
	_, err := runner.Run(t.Context(), numbered(t, 10_000), oneCriterion(constant(1, "a"), false), &sink, runner.Options{})
	if fault.Of(err) != fault.Invalid || len(sink.rows) == 10_000 {
		t.Errorf("%d rows, error %v", len(sink.rows), err)
	}
}

func TestRun_FailFast(t *testing.T) {
	cases := func(yield func(*dataset.Case, error) bool) {
		for i := range 1000 {
			var err error
			if i == 10 {
				err = fault.New(fault.Invalid, "no output")
			}
			if !yield(newCase(t, fmt.Sprint(i)), err) {
				return
			}
		}
	}
	var sink memory
	_, err := runner.Run(t.Context(), cases, oneCriterion(constant(1, "a"), false), &sink, runner.Options{FailFast: true})
	if fault.Of(err) != fault.Unscored || len(sink.rows) > 500 {
		t.Errorf("error %v after %d rows", err, len(sink.rows))
	}
}

// TestRun_RepeatsAsManyAsAsked: a run directory may name any number.
func TestRun_RepeatsAsManyAsAsked(t *testing.T) {
	sink := memory{fail: errors.New("enough")}
	_, err := runner.Run(t.Context(), numbered(t, 1), oneCriterion(constant(1, "a"), false), &sink, runner.Options{Repeat: math.MaxInt})
	if !errors.Is(err, sink.fail) {
		t.Errorf("error %v after %d rows", err, len(sink.rows))
	}
}

func TestRun_ProcessorSlotsBoundComputingTasks(t *testing.T) {
	var now, most atomic.Int32
	busy := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		runtime.Gosched()
		now.Add(-1)
		return constant(1, "a").Score(ctx, c)
	})
	var sink memory
	o := runner.Options{Workers: 16, GradeOptions: runner.GradeOptions{CPU: make(chan struct{}, 2)}}
	if _, err := runner.Run(t.Context(), numbered(t, 500), oneCriterion(busy, false), &sink, o); err != nil {
		t.Fatal(err)
	}
	if most.Load() > 2 {
		t.Errorf("%d at once in 2 slots", most.Load())
	}
}

func BenchmarkRun(b *testing.B) {
	var once sync.Once
	c := newCase(b, "c")
	cases := func(yield func(*dataset.Case, error) bool) {
		for range b.N {
			if !yield(c, nil) {
				return
			}
		}
	}
	var _ iter.Seq2[*dataset.Case, error] = cases
	once.Do(b.ReportAllocs)
	var sink discard
	if _, err := runner.Run(b.Context(), cases, oneCriterion(constant(1, "a"), false), sink, runner.Options{Chunk: 16}); err != nil {
		b.Fatal(err)
	}
}

type discard struct{}

func (discard) Append(int, *result.Row, *dataset.Case, []byte) error { return nil }

func (discard) Flush() error { return nil }
