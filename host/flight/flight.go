// Package flight makes a value once for many callers, each of which may stop waiting.
//
// Stability: experimental.
package flight

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// A Once is a value that is made when first asked for. If that fails, the next caller tries again.
// The zero value is ready. It is safe for concurrent use, and must not be copied.
type Once[T any] struct {
	mu  sync.Mutex
	try *try[T] // nil: no caller yet, or the last attempt failed
}

// A try is one attempt at the value.
type try[T any] struct {
	done    chan struct{}
	stop    context.CancelFunc
	waiting int  // callers
	dropped bool // the last caller left before it was over

	value  T
	err    error
	defect any // value of the panic of the work
}

// Do returns the value, which is kept, or the error of work, which all callers get that wait for it.
// The first caller starts work, with a context that has the values of ctx and does not
// end with it: a caller whose ctx ends gets Stopped(ctx), and the others continue
// waiting. When the last one left, the context of work ends, and Do waits until work
// returns.
func (o *Once[T]) Do(ctx context.Context, work func(context.Context) (T, error)) (T, error) {
	for {
		t := o.join(ctx, work)
		select {
		case <-t.done:
		case <-ctx.Done():
			if o.leave(t) {
				<-t.done
			}
			select {
			case <-t.done: // the value may exist now
			default:
				var none T
				return none, Stopped(ctx)
			}
		}
		switch {
		case t.defect != nil:
			panic(t.defect)
		case t.err == nil || !t.dropped:
			return t.value, t.err
		case ctx.Err() != nil:
			return t.value, Stopped(ctx)
		}
	}
}

// Value returns the value if it was made, and whether it was.
func (o *Once[T]) Value() (value T, made bool) {
	o.mu.Lock()
	t := o.try
	o.mu.Unlock()
	if t == nil {
		return value, false
	}
	select {
	case <-t.done:
		return t.value, t.err == nil && t.defect == nil
	default:
		return value, false
	}
}

// join makes the caller wait for the attempt that is under way or over, or for a new one.
func (o *Once[T]) join(ctx context.Context, work func(context.Context) (T, error)) *try[T] {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.try == nil {
		t := &try[T]{done: make(chan struct{})}
		ctx, t.stop = context.WithCancel(context.WithoutCancel(ctx))
		o.try = t
		go o.run(ctx, t, work)
	}
	o.try.waiting++
	return o.try
}

// leave takes a caller away, and reports whether it was the last.
func (o *Once[T]) leave(t *try[T]) (last bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t.waiting--
	if last = t.waiting == 0; last {
		t.dropped = true
		t.stop()
	}
	return last
}

func (o *Once[T]) run(ctx context.Context, t *try[T], work func(context.Context) (T, error)) {
	defer func() {
		if p := recover(); p != nil {
			t.defect = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
		o.mu.Lock()
		if t.err != nil || t.defect != nil {
			o.try = nil
		}
		o.mu.Unlock()
		t.stop()
		close(t.done)
	}()
	t.value, t.err = work(ctx)
}

// Stopped returns the reason why ctx has ended.
func Stopped(ctx context.Context) error { return StoppedError{context.Cause(ctx), ctx.Err()} }

// A StoppedError says why a context has ended. It wraps the cause, so that the class of that
// counts if it has one, and context.Canceled or context.DeadlineExceeded.
type StoppedError struct{ cause, err error }

// Error returns the text of the cause.
func (s StoppedError) Error() string { return s.cause.Error() }

// Unwrap returns the cause first.
func (s StoppedError) Unwrap() []error { return []error{s.cause, s.err} }
