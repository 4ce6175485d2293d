// Endpoint is an OpenAI-compatible server that answers at once: it measures the cost
// of a judge without the model. It prints its URL and serves until its standard input
// ends.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// answer meets every criterion, and usage is that of a small judge.
const answer = `{"id":"1","object":"chat.completion","created":1,"model":"instant","choices":[{"index":0,"finish_reason":"stop",` +
	`"message":{"role":"assistant","content":"{\"reason\":\"It does what is asked for.\",\"verdict\":\"MET\"}"}}],` +
	`"usage":{"prompt_tokens":400,"completion_tokens":20,"total_tokens":420}}`

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var calls atomic.Int64
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		calls.Add(1)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer) //nolint:errcheck // the client may be gone
	})}
	fmt.Printf("http://%s/v1\n", l.Addr()) //nolint:forbidigo // the URL is its answer
	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // its end is all that matters
		fmt.Fprintf(os.Stderr, "%d calls\n", calls.Load())
		_ = s.Close() // the process ends
	}()
	if err := s.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}
