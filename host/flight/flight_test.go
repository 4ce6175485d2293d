package flight_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rubric-host/rubric-host/host/flight"
)

func TestOnce_ComputesOnce(t *testing.T) {
	var o flight.Once[int]
	var calls atomic.Int32
	if _, made := o.Value(); made {
		t.Error("made before it was asked for")
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			got, err := o.Do(t.Context(), func(context.Context) (int, error) { return int(calls.Add(1)), nil })
			if got != 1 || err != nil {
				t.Error(got, err)
			}
		})
	}
	all.Wait()
	if v, made := o.Value(); v != 1 || !made {
		t.Error(v, made)
	}
}

// TestOnce_AFailureIsNotKept: those who wait get it, and the next caller tries again.
func TestOnce_AFailureIsNotKept(t *testing.T) {
	var o flight.Once[int]
	want := errors.New("broken")
	begun, goOn := make(chan struct{}), make(chan struct{})
	fail := func(context.Context) (int, error) {
		close(begun)
		<-goOn
		return 0, want
	}
	both := make(chan error, 2)
	go func() { _, err := o.Do(t.Context(), fail); both <- err }()
	<-begun
	joined := signalling{Context: t.Context(), asked: make(chan struct{})}
	go func() { _, err := o.Do(&joined, fail); both <- err }()
	<-joined.asked
	close(goOn)
	for range 2 {
		if err := <-both; !errors.Is(err, want) {
			t.Error(err)
		}
	}
	if _, made := o.Value(); made {
		t.Error("an error is not a value")
	}
	func() {
		defer func() { recover() }()
		o.Do(t.Context(), func(context.Context) (int, error) { panic("defect") })
	}()
	if got, err := o.Do(t.Context(), func(context.Context) (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Error(got, err)
	}
}

// TestOnce_ACancelledCallerFailsNoOther is the point of it: the first caller goes, and the
// second gets the value.
func TestOnce_ACancelledCallerFailsNoOther(t *testing.T) {
	var o flight.Once[string]
	first, leave := context.WithCancelCause(context.Background())
	begun, goOn := make(chan struct{}), make(chan struct{})
	work := func(ctx context.Context) (string, error) {
		close(begun)
		<-goOn
		return "made", ctx.Err()
	}
	left := make(chan error, 1)
	go func() { _, err := o.Do(first, work); left <- err }()
	<-begun
	second := make(chan error, 1)
	joined := signalling{Context: t.Context(), asked: make(chan struct{})}
	go func() {
		got, err := o.Do(&joined, work)
		if got != "made" {
			err = fmt.Errorf("%q: %w", got, err)
		}
		second <- err
	}()
	<-joined.asked // it waits
	gone := errors.New("gone")
	leave(gone)
	if err := <-left; !errors.Is(err, gone) || !errors.Is(err, context.Canceled) {
		t.Errorf("the one who left: %v", err)
	}
	close(goOn)
	if err := <-second; err != nil {
		t.Errorf("the one who stayed: %v", err)
	}
}

// signalling tells when a caller begins to wait.
type signalling struct {
	context.Context //nolint:containedctx // it is a context
	once            sync.Once
	asked           chan struct{}
}

func (s *signalling) Done() <-chan struct{} {
	s.once.Do(func() { close(s.asked) })
	return s.Context.Done()
}

func TestOnce_StopsWithoutCallersAndStartsAgain(t *testing.T) {
	var o flight.Once[string]
	ctx, leave := context.WithCancel(context.Background())
	returned := false
	_, err := o.Do(ctx, func(ctx context.Context) (string, error) {
		leave()
		<-ctx.Done()
		returned = true
		return "half", ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || !returned {
		t.Error(err, returned)
	}
	if got, err := o.Do(t.Context(), func(context.Context) (string, error) { return "whole", nil }); got != "whole" || err != nil {
		t.Error(got, err)
	}
	var p flight.Once[string] // a result that was made nevertheless is kept: a caller has to close it
	ctx, leave = context.WithCancel(context.Background())
	got, err := p.Do(ctx, func(ctx context.Context) (string, error) {
		leave()
		<-ctx.Done()
		return "made", nil
	})
	if v, made := p.Value(); got != "made" || err != nil || v != "made" || !made {
		t.Error(got, err, v, made)
	}
}

func TestOnce_PanicReachesTheCaller(t *testing.T) {
	var o flight.Once[int]
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "defect") || !strings.Contains(p, "flight_test.go") {
			t.Errorf("%.200s", p)
		}
	}()
	o.Do(t.Context(), func(context.Context) (int, error) { panic("defect") })
}
