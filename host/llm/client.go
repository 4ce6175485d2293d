package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	openai "github.com/sashabaranov/go-openai"
)

// A Client asks one endpoint. It is safe for concurrent use.
//
// Go's HTTP transport prints unsolicited bytes of an endpoint on an idle connection
// through the standard logger, an echoed API key included: see SECURITY.md.
//
// go-openai makes the URL and the headers and decodes the answer. The request's
// body is our own, because go-openai's drops zeros and refuses model names it
// thinks it knows; and status, headers and bytes of the answer are kept beside
// its errors, because only the HTTP status is a reliable cause.
type Client struct {
	endpoint Endpoint
	api      *openai.Client
	http     *http.Client
	habits   sync.Map // model name to *atomic.Pointer[habit]
}

// New returns a client of e. It opens nothing: that an endpoint does not answer
// shows with the first request. An error has class fault.Invalid.
func New(e Endpoint) (*Client, error) {
	e, err := e.complete()
	if err != nil {
		return nil, err
	}
	c := &Client{endpoint: e, http: &http.Client{
		Transport: e.Transport,
		// A redirected POST becomes a GET without a body, which may even succeed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if e.Transport == nil {
		c.http.Transport = manyCalls()
	}
	config := openai.DefaultConfig(string(e.Key))
	if e.AzureVersion != "" {
		config = openai.DefaultAzureConfig(string(e.Key), e.BaseURL)
		config.APIVersion = e.AzureVersion
		config.AzureModelMapperFunc = nil // names of deployments stay as they are
	}
	config.BaseURL = e.BaseURL
	config.HTTPClient = &carrier{client: c.http, headers: e.Headers}
	c.api = openai.NewClientWithConfig(config)
	return c, nil
}

// manyCalls is the default transport with room for the connections of many calls at
// once: it keeps two per host, and would open the others again each time.
func manyCalls() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 256
	t.MaxResponseHeaderBytes = 256 << 10
	return t
}

// Close closes idle connections. The client can still be used.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Endpoint returns the endpoint with its defaults filled in.
func (c *Client) Endpoint() Endpoint { return c.endpoint }

// Complete makes one attempt. An endpoint that refuses a parameter or a way to
// structure the answer is asked again at once without it, which is free, and
// the client remembers; the answer lists the dropped parameters.
func (c *Client) Complete(ctx context.Context, req Request) (Response, error) {
	req.Model = cmp.Or(req.Model, c.endpoint.Model)
	if len(req.Embed) > 0 {
		return c.embed(ctx, &req)
	}
	known := c.habitOf(req.Model)
	h := *known.Load()
	var first error
	for sent := 1; ; sent++ {
		x := c.send(ctx, &req, &h)
		res, err := x.answer()
		if sent > 1 {
			res.Requests = sent
		}
		if x.ok() {
			if h != *known.Load() {
				known.Store(&h)
			}
			res.Dropped = h.dropped(&req)
			return res, err
		}
		first = cmp.Or(first, err)
		if !h.adapt(&req, x, c.endpoint.Structured == Auto) {
			return res, first
		}
	}
}

func (c *Client) habitOf(model string) *atomic.Pointer[habit] {
	if p, ok := c.habits.Load(model); ok {
		return p.(*atomic.Pointer[habit])
	}
	p := new(atomic.Pointer[habit])
	p.Store(&habit{form: cmp.Or(c.endpoint.Structured, JSONSchema)})
	kept, _ := c.habits.LoadOrStore(model, p)
	return kept.(*atomic.Pointer[habit])
}

func (c *Client) send(ctx context.Context, req *Request, h *habit) *exchange {
	x := &exchange{endpoint: &c.endpoint, role: "judge", path: "/chat/completions", model: req.Model, maxTokens: req.MaxTokens}
	if x.body, x.failed = encode(req, h); x.failed != nil {
		return x
	}
	envelope := openai.ChatCompletionRequest{Model: "judge"} // its body is replaced by x.body
	if c.endpoint.AzureVersion != "" {
		envelope.Model = req.Model // it is part of the URL
	}
	c.attempt(ctx, x, func(ctx context.Context) (err error) {
		x.completion, err = c.api.CreateChatCompletion(ctx, envelope)
		return err
	})
	return x
}

// attempt has go-openai make the exchange, within the time limit of an attempt.
func (c *Client) attempt(ctx context.Context, x *exchange, ask func(context.Context) error) {
	attempt, cancel := context.WithTimeout(context.WithValue(ctx, exchangeKey{}, x), c.endpoint.Timeout)
	defer cancel()
	x.decode = ask(attempt)
	if t, ok := errors.AsType[*json.UnmarshalTypeError](x.decode); ok && strings.HasPrefix(t.Field, "usage") {
		x.decode = nil // the answer was read; its tokens are not known
		x.completion.Usage = openai.Usage{}
	}
	x.late = attempt.Err() != nil
	if ctx.Err() != nil {
		x.gone = context.Cause(ctx)
	}
}

// redact takes the endpoint's secrets out of text that came from it, also where JSON
// escapes a character of them.
func (e *Endpoint) redact(text string) string {
	secrets := []string{string(e.Key)}
	for _, v := range e.Headers {
		secrets = append(secrets, string(v))
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, s := range secrets {
		if len(s) >= 4 { // shorter ones are not secrets, and part of any word
			text = strings.ReplaceAll(text, s, "[secret]")
			if strings.Contains(text, `\`) {
				text = escaped(s).ReplaceAllLiteralString(text, "[secret]")
			}
		}
	}
	return text
}

// escaped matches a text in every form that a JSON string may give it, once or several times.
func escaped(text string) *regexp.Regexp {
	var p strings.Builder
	for _, r := range text {
		fmt.Fprintf(&p, `\\*(?:%s|u(?i:%04x))`, regexp.QuoteMeta(string(r)), r)
	}
	return regexp.MustCompile(p.String())
}
