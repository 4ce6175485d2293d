package llm

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	openai "github.com/sashabaranov/go-openai"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

func (x *exchange) answer() (Response, error) {
	switch {
	case x.failed != nil:
		var res Response
		if x.sent && (x.status == 0 || x.status/100 == 2) { // the endpoint may have worked, and ask for its price
			res.CostUSD, res.Unpriced = x.cost(&res)
		}
		return res, x.transportFailure()
	case x.status >= 200 && x.status < 300 && x.embeds > 0:
		return x.embedded()
	case x.status >= 200 && x.status < 300:
		return x.completed()
	case x.status == 0:
		if x.header != nil { // a status line such as HTTP/1.1 000
			return Response{}, x.fail(fault.JudgeServer, "", "HTTP 000: %s", x.excerpt())
		}
		return Response{}, x.fail(fault.JudgeRequest, "", "not sent: %v", x.decode)
	}
	return Response{}, x.statusFailure()
}

// completed reads a 2xx answer. One that cannot be used may have cost something, too.
func (x *exchange) completed() (Response, error) {
	res := Response{Model: x.plain(x.completion.Model), TokensIn: tokens(x.completion.Usage.PromptTokens), TokensOut: tokens(x.completion.Usage.CompletionTokens)}
	res.CostUSD, res.Unpriced = x.cost(&res)
	switch {
	case x.decode != nil && len(x.raw) == 0:
		return res, x.fail(fault.JudgeServer, "", "HTTP %d with an empty body", x.status)
	case x.decode != nil:
		return res, x.fail(fault.JudgeServer, "check that the base URL ends where /chat/completions follows",
			"HTTP %d, but not a chat completion: %s", x.status, x.excerpt())
	case len(x.completion.Choices) == 0:
		return res, x.fail(fault.JudgeServer, "", "HTTP %d without an answer: %s", x.status, x.excerpt())
	}
	choice := &x.completion.Choices[0]
	res.Text, res.Finish = x.endpoint.redact(content(&choice.Message)), x.plain(string(choice.FinishReason))
	return res, x.unusable(choice, &res)
}

func content(m *openai.ChatCompletionMessage) string {
	if len(m.MultiContent) == 0 {
		return m.Content
	}
	var b strings.Builder
	for _, part := range m.MultiContent {
		b.WriteString(part.Text)
	}
	return b.String()
}

// unusable returns why a completion cannot be used, nil if it can.
func (x *exchange) unusable(choice *openai.ChatCompletionChoice, res *Response) error {
	switch m := &choice.Message; {
	case m.Refusal != "":
		return x.fail(fault.JudgeRefusal, "", "the model declined: %s", x.plain(m.Refusal))
	case choice.FinishReason == openai.FinishReasonContentFilter:
		return x.fail(fault.JudgeRefusal, "", "the endpoint's content filter stopped the answer")
	case choice.FinishReason == openai.FinishReasonLength:
		return x.fail(fault.JudgeAnswer, "raise the judge's max_tokens, or use a model that thinks less",
			"the answer was cut off after %s: %s", x.cutAt(res), x.plain(res.Text))
	case strings.TrimSpace(res.Text) == "" && m.ReasoningContent != "":
		return x.fail(fault.JudgeAnswer, "raise the judge's max_tokens, or turn reasoning off", "the model reasoned and gave no answer")
	case strings.TrimSpace(res.Text) == "":
		return x.fail(fault.JudgeAnswer, "", "the answer is empty (finish reason %q)", string(choice.FinishReason))
	}
	return nil
}

func (x *exchange) cutAt(res *Response) string {
	switch {
	case res.TokensOut > 0:
		return fmt.Sprintf("%d tokens", res.TokensOut)
	case x.maxTokens > 0:
		return fmt.Sprintf("%d tokens", x.maxTokens)
	}
	return "the endpoint's limit"
}

// tokens keeps a count from an endpoint within reason, so that sums of them hold.
func tokens(n int) int { return max(0, min(n, 1<<40)) }

// mostCost is the highest price of an answer, in US dollars, that is believed.
const mostCost = 1e6

// price takes a recorded price over; an implausible one is unknown.
func (r *Response) price(usd float64, unpriced bool) {
	if r.CostUSD, r.Unpriced = usd, unpriced; unpriced || !(usd >= 0 && usd <= mostCost) {
		r.CostUSD, r.Unpriced = 0, true
	}
}

// cost returns the price of an answer in US dollars, or that it is unknown.
func (x *exchange) cost(res *Response) (usd float64, unpriced bool) {
	if e := x.endpoint; e.Free {
		return 0, false
	} else if e.Priced() {
		return (e.PriceIn*float64(res.TokensIn) + e.PriceOut*float64(res.TokensOut)) / 1e6, res.TokensIn+res.TokensOut == 0
	}
	usd, err := strconv.ParseFloat(x.header.Get("x-litellm-response-cost"), 64)
	if err != nil || !(usd >= 0 && usd <= mostCost) {
		return 0, true
	}
	return usd, false
}

// usedUp is OpenAI's code for an account without credit, which no pause brings back.
var usedUp = []byte(`"insufficient_quota"`)

// statusFailure classifies by the HTTP status alone: codes and types in error
// bodies are strings here and integers there.
func (x *exchange) statusFailure() error {
	switch s := x.status; {
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		return x.fail(fault.JudgeAuth, "", "HTTP %d: %s", s, x.excerpt())
	case s == http.StatusTooManyRequests && bytes.Contains(x.raw, usedUp):
		return &refusal{x.fail(fault.JudgeRequest, "the account has no quota left: check its plan and billing", "HTTP %d: %s", s, x.excerpt())}
	case s == http.StatusTooManyRequests:
		return x.fail(fault.JudgeLimit, "", "HTTP %d: %s", s, x.excerpt())
	case s == http.StatusRequestTimeout:
		return x.fail(fault.JudgeUnreachable, "", "HTTP %d: %s", s, x.excerpt())
	case s == http.StatusNotFound:
		return x.fail(fault.JudgeRequest, "check the model's name, and that the base URL ends where "+x.path+" follows", "HTTP %d: %s", s, x.excerpt())
	case s >= 300 && s < 400:
		return x.fail(fault.JudgeRequest, "set the base URL to where the endpoint really is",
			"HTTP %d: redirected to %s, which is not followed", s, x.location())
	case s >= 400 && s < 500:
		return x.fail(fault.JudgeRequest, "", "HTTP %d: %s", s, x.excerpt())
	}
	return x.fail(fault.JudgeServer, "", "HTTP %d: %s", x.status, x.excerpt())
}

// location names the host of a redirect; the rest of the URL may hold a token.
func (x *exchange) location() string {
	u, err := url.Parse(x.header.Get("Location"))
	if err != nil || u.Host == "" {
		return "another address"
	}
	return x.plain(u.Scheme + "://" + u.Host)
}

func (x *exchange) transportFailure() error {
	switch {
	case x.body == nil:
		return x.failed // the request could not be written down
	case x.gone != nil:
		return fmt.Errorf("%s endpoint %s: %w", x.role, x.endpoint.label(), x.gone)
	case x.late:
		return x.fail(fault.JudgeUnreachable, "raise the endpoint's timeout, or use a faster model", "no answer within %s", x.endpoint.Timeout)
	case errors.Is(x.failed, errTooLarge):
		return x.fail(fault.JudgeServer, "", "HTTP %d: %v", x.status, x.failed)
	}
	err := x.failed
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err // the URL is known, and may hold secrets
	}
	return x.fail(fault.JudgeUnreachable, "", "%s", x.plain(err.Error()))
}

// fail makes the error of an exchange: endpoint, problem, and a hint if the class's
// own advice is not the best.
func (x *exchange) fail(class fault.Class, hint, format string, args ...any) error {
	what := x.clean(fmt.Sprintf(format, args...), mostError)
	err := fault.New(class, "%s endpoint %s (%s): %s", x.role, x.endpoint.label(), x.model, what)
	if hint != "" {
		err = fault.WithHint(err, "%s", hint)
	}
	if class == fault.JudgeUnreachable && x.status == 0 && !x.late || refusedAlike(x.status) {
		err = &refusal{err}
	}
	if d, ok := retryAfter(x.header); ok {
		err = &pause{error: err, after: d}
	}
	return err
}

// excerptMost is the number of characters of an answer's body in an error.
const excerptMost = 240

// mostError is the number of characters of an error, which every text of an endpoint passes.
const mostError = 3 * excerptMost

func (x *exchange) excerpt() string {
	if s := x.plain(x.says(16 << 10)); s != "" {
		return s
	}
	return "(no text)"
}

// plain makes text of an endpoint fit for an error: no secrets, nothing that
// steers a terminal, not long.
func (x *exchange) plain(text string) string { return x.clean(text, excerptMost) }

// clean is plain for texts of at most so many characters. Secrets are taken out first: a cut
// could leave part of one.
func (x *exchange) clean(text string, most int) string {
	return diag.Line(x.endpoint.redact(text), most)
}

// says returns the message of an error body in any of the usual forms, else the
// body itself, at most limit bytes.
func (x *exchange) says(limit int) string {
	var forms struct {
		Error   jsontext.Value `json:"error"`
		Detail  jsontext.Value `json:"detail"`
		Message jsontext.Value `json:"message"`
	}
	text := x.endpoint.redact(string(x.raw))
	text = text[:min(len(text), limit)]
	if json.Unmarshal(x.raw, &forms, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return text
	}
	for _, v := range []jsontext.Value{forms.Error, forms.Detail, forms.Message} {
		if m := x.endpoint.redact(message(v)); m != "" {
			return m[:min(len(m), limit)]
		}
	}
	return text
}

// message returns the text of one error member: a string, or an object with a
// message.
func message(v jsontext.Value) string {
	var text string
	var object struct {
		Message string `json:"message"`
	}
	switch v.Kind() {
	case '"':
		_ = json.Unmarshal(v, &text)
		return text
	case '{':
		_ = json.Unmarshal(v, &object, jsontext.AllowDuplicateNames(true))
		if object.Message != "" {
			return object.Message
		}
	case 'n', 0:
		return ""
	}
	return string(v)
}
