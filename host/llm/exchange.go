package llm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

type exchange struct {
	endpoint   *Endpoint
	role, path string // purpose in messages, and place below the base URL
	model      string
	maxTokens  int
	embeds     int   // texts whose embeddings were asked for; 0: a chat completion was
	gone       error // why the caller no longer waits; nil: it does
	late       bool  // the attempt's own time limit is over

	body   []byte
	sent   bool // at least begun: there was a connection
	status int  // 0: no answer
	header http.Header
	raw    []byte // received
	failed error  // of the transport: connection, time, size

	completion openai.ChatCompletionResponse
	decode     error // go-openai's own
}

type exchangeKey struct{}

// A carrier sends the body of the exchange in the request's context in place of
// the request's own, and keeps the response.
type carrier struct {
	client  *http.Client
	headers map[string]Secret
}

var errTooLarge = errors.New("the answer is too large")

// Do implements openai.HTTPDoer.
func (c *carrier) Do(req *http.Request) (*http.Response, error) {
	x := req.Context().Value(exchangeKey{}).(*exchange)
	for name, value := range c.headers {
		req.Header.Set(name, string(value))
	}
	req.ContentLength = int64(len(x.body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.body)), nil }
	req.Body, _ = req.GetBody()
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { x.sent = true }}))
	res, err := c.client.Do(req)
	if err != nil {
		x.failed = err
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // the body was read
	x.status, x.header = res.StatusCode, res.Header
	x.raw, x.failed = readAll(res)
	if x.failed != nil {
		return nil, x.failed
	}
	res.Body = io.NopCloser(bytes.NewReader(x.raw))
	return res, nil
}

// readAll reads an answer of at most maxResponse bytes, and fails on a longer one.
func readAll(res *http.Response) ([]byte, error) {
	var b bytes.Buffer
	if res.StatusCode == http.StatusSwitchingProtocols {
		return nil, nil // the body is the connection, which no context ends
	}
	if n := res.ContentLength; n > 0 && n <= maxResponse {
		b.Grow(int(n) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(res.Body, maxResponse+1))
	switch {
	case err != nil:
		return b.Bytes(), fmt.Errorf("the answer broke off after %d bytes: %w", n, err)
	case n > maxResponse:
		return nil, fmt.Errorf("%w: more than %d bytes", errTooLarge, int64(maxResponse))
	}
	return b.Bytes(), nil
}

// ok reports whether the exchange brought an answer of the model: anything else
// may be asked again in another way.
func (x *exchange) ok() bool {
	return x.failed == nil && x.decode == nil && x.status >= 200 && x.status < 300 && len(x.completion.Choices) > 0
}

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
