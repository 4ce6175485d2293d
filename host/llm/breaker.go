package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

// When a Breaker gives up.
const (
	fatalFirst = 5  // refusals in a row before any answer
	fatalLater = 20 // the same once there were answers
	fatalTries = 3  // of one request, once there were answers
	longPauses = 3  // in a row that are longer than MaxPause
)

// MaxLimited is how long a run may go without an answer after a 429 before it is stopped.
const MaxLimited = 5 * time.Minute

// MaxPause is the longest pause that an endpoint is granted by Retry-After.
const MaxPause = 2 * time.Minute

// A Breaker stops a run whose endpoint refuses everything: it does not take the
// key (401, 403), does not know the model (404), cannot be reached, or asks for
// pauses that are too long. A refused request is sent again until it is clear
// that the next one fares no better; then every call fails with an error that
// Stops the run, so that no row is lost to it. Until it is armed it stops
// nothing but requests to an endpoint that NeedKey refuses.
// It is safe for concurrent use.
type Breaker struct {
	next Model

	mu      sync.Mutex
	armed   bool
	hint    string // how to fix refused keys
	sent    int    // requests so far
	success bool   // there was an answer
	fatal   int    // refusals since the last answer
	since   int    // sent, when the first of them or of the pauses came
	class   fault.Class
	long    int       // pauses too long since the last answer
	limited time.Time // first 429 since the last answer
	open    error     // why nothing is asked any more
	noKey   bool      // requests carry no key
	unsent  error     // why nothing is ever asked; nil: something is
}

// NewBreaker returns a breaker in front of next. keyHint is the advice for a refused
// key; empty: that of the class.
func NewBreaker(next Model, keyHint string) *Breaker { return &Breaker{next: next, hint: keyHint} }

// Arm lets the breaker stop runs, and forgets earlier failures.
func (b *Breaker) Arm(armed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.armed, b.success, b.fatal, b.since, b.long, b.limited, b.open = armed, false, 0, 0, 0, time.Time{}, b.unsent
}

// NeedKey takes in whether e has a key. If it has none, a refused key stops the run if
// it is the first answer; where e is known to take no such request, every one fails unsent.
func (b *Breaker) NeedKey(e Endpoint) {
	if b.noKey = e.keyless(); b.noKey && e.needsKey() {
		b.unsent = stopping{fault.WithHint(fault.New(fault.JudgeAuth, "endpoint %s needs an API key", e), "%s", cmp.Or(b.hint, fault.JudgeAuth.Advice()))}
		b.open = b.unsent
	}
}

// Complete asks, again if need be.
func (b *Breaker) Complete(ctx context.Context, req Request) (Response, error) {
	for tries := 1; ; tries++ {
		n, err := b.send()
		if err != nil {
			return Response{}, err
		}
		res, err := b.next.Complete(ctx, req)
		again, stop := b.learn(err, n, tries)
		switch {
		case err == nil, ctx.Err() != nil:
			return res, err
		case stop != nil:
			return Response{}, stop
		case !again:
			return res, err
		}
		if err := Sleep(ctx, time.Duration(tries)*200*time.Millisecond); err != nil {
			return Response{}, err
		}
		req.Retry = true
	}
}

func (b *Breaker) send() (n int, stop error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent++
	return b.sent, b.open
}

// learn takes in the outcome of request n. again says that the request is to be
// sent again, stop that nothing is any more.
func (b *Breaker) learn(err error, n, tries int) (again bool, stop error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.armed || b.open != nil {
		return false, b.open
	}
	asked, pauses := RetryAfter(err)
	switch {
	case err == nil || fault.Is(err, fault.JudgeAnswer, fault.JudgeRefusal):
		b.success, b.limited = true, time.Time{}
		if n > b.since { // an answer to an older request does not end the refusals
			b.fatal, b.long = 0, 0
		}
		return false, nil
	case pauses && asked > MaxPause:
		if b.long++; b.long == 1 {
			b.since = b.sent
		}
		if b.long >= longPauses {
			b.open = stopping{fault.WithHint(fault.New(fault.RateLimited, "judging stops: the endpoint asks for a pause of %s, %d times in a row: %w", asked.Round(time.Second), b.long, plainError(err)),
				"wait until its limit resets, then re-run the same command to resume")}
		}
		return true, b.open
	case fault.Is(err, fault.JudgeLimit):
		if b.limited.IsZero() {
			b.limited = time.Now()
		} else if since := time.Since(b.limited); since > MaxLimited {
			b.open = stopping{fault.WithHint(fault.New(fault.RateLimited, "judging stops: no answer from the endpoint for %s, since it answered 429: %w", since.Round(time.Second), plainError(err)),
				"check the quota, or lower "+fault.OptionConcurrency+"; then re-run the same command to resume")}
		}
		return false, b.open
	case !refusesAll(err):
		return false, nil
	}
	b.refused(err)
	return !b.success || tries < fatalTries, b.open
}

// refused counts an error with which the endpoint refuses all requests alike, and stops after
// several.
func (b *Breaker) refused(err error) {
	if class := fault.Of(err); class != b.class {
		b.class, b.fatal = class, 0
	}
	if b.fatal++; b.fatal == 1 {
		b.since = b.sent
	}
	certain := b.class == fault.JudgeAuth && b.noKey
	if b.fatal >= fatalLater || !b.success && (b.fatal >= fatalFirst || certain) {
		hint, after := fault.Hint(err), fmt.Sprintf(" after %d requests that failed alike", b.fatal)
		if b.class == fault.JudgeAuth && b.hint != "" {
			hint = b.hint
		}
		if b.fatal == 1 {
			after = ""
		}
		b.open = stopping{fault.WithHint(fault.New(b.class, "judging stops%s: %w", after, err), "%s; then re-run the same command", hint)}
	}
}

// plainError keeps the text of an error and not its class.
func plainError(err error) error { return errors.New(err.Error()) } //nolint:err113 // it is shown only

// refusal is an error with which the endpoint refuses all requests alike.
type refusal struct{ error }

func (r *refusal) Unwrap() error { return r.error }

// refusesAll reports whether an error says nothing about the request: any other
// would have failed in the same way.
func refusesAll(err error) bool {
	_, is := errors.AsType[*refusal](err)
	return is
}

func refusedAlike(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusNotFound || status >= 300 && status < 400
}

// stopping is an error after which a run must make no further call.
type stopping struct{ error }

func (s stopping) Unwrap() error { return s.error }

// Stops reports whether no further call makes sense after err: a budget is used
// up, calls cannot be recorded, or the endpoint refuses all of them. A run stops
// then; its finished rows are kept.
func Stops(err error) bool {
	_, stops := errors.AsType[stopping](err)
	return stops || fault.Is(err, fault.Budget)
}
