package llm

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// pause is an error with which the endpoint said when to come back.
type pause struct {
	error
	after time.Duration
}

func (p *pause) Unwrap() error { return p.error }

// RetryAfter returns how long the endpoint asked to be left alone, counted from
// its answer, and whether it did; never negative.
func RetryAfter(err error) (time.Duration, bool) {
	if p, ok := errors.AsType[*pause](err); ok {
		return p.after, true
	}
	return 0, false
}

// maxPause is the longest pause that an endpoint can request: a day.
const maxPause = 24 * time.Hour

// retryAfter reads the headers that ask for a pause: Retry-After in seconds or
// as a date (RFC 9110, 10.2.3), its variant in milliseconds, and the one that a
// LiteLLM gateway passes on.
func retryAfter(h http.Header) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		return span(ms / 1000)
	}
	for _, name := range []string{"Retry-After", "Llm_provider-Retry-After"} {
		value := strings.TrimSpace(h.Get(name))
		if seconds, err := strconv.ParseFloat(value, 64); err == nil {
			return span(seconds)
		}
		if at, err := http.ParseTime(value); err == nil {
			return span(time.Until(at).Seconds())
		}
	}
	return 0, false
}

func span(seconds float64) (time.Duration, bool) {
	switch {
	case !(seconds >= 0): // a moment that has passed, or not a number
		return 0, seconds < 0
	case seconds > maxPause.Seconds():
		return maxPause, true
	}
	return time.Duration(seconds * float64(time.Second)), true
}
