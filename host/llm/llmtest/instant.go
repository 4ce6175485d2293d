package llmtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// Instant starts a server for benchmarks: it reads each request and sends one
// prepared completion, looks at nothing and keeps nothing. It runs until the
// benchmark ends. Calls and MaxInFlight of the server stay empty.
func Instant(tb testing.TB, text string) *Server {
	tb.Helper()
	body := (&Answer{Text: text, TokensIn: 800, TokensOut: 60, Model: "test-judge"}).body(&Call{})
	size := strconv.Itoa(len(body))
	s := &Server{gone: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header()["Content-Type"] = []string{"application/json"}
		w.Header()["Content-Length"] = []string{size}
		_, _ = w.Write(body)
	}))
	tb.Cleanup(s.Close)
	return s
}
