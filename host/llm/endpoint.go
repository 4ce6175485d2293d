package llm

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

// DefaultBaseURL is the endpoint of an Endpoint without one.
const DefaultBaseURL = "https://api.openai.com/v1"

// The limits of an attempt.
const (
	DefaultTimeout = 2 * time.Minute
	maxResponse    = 8 << 20 // bytes of an HTTP answer, decompressed
)

// An Endpoint says where a model is and how it is asked. The zero value of
// every field works except Model, which some servers ignore and all want.
type Endpoint struct {
	Name    string // in messages; empty: the host of BaseURL
	BaseURL string // up to and including "/v1"; empty: DefaultBaseURL
	Model   string
	Key     Secret // empty: no Authorization header

	// AzureVersion is the API version of an Azure OpenAI resource, whose URLs
	// and headers are its own; Model is then the deployment. Empty: not Azure.
	AzureVersion string

	Structured Structured // zero: Auto

	// Prices in US dollars per million tokens. With both zero the cost is the one
	// that a gateway reports in x-litellm-response-cost, else unknown; with Free it
	// is zero. With one of them zero that side is free.
	PriceIn, PriceOut float64
	Free              bool

	Timeout time.Duration // of one attempt; 0: DefaultTimeout

	Headers map[string]Secret // sent along with every request

	// Transport carries the requests; nil: one that keeps connections for many
	// calls at once and follows the proxy variables of the environment.
	//
	// Go's HTTP client prints the beginning of unsolicited answers to the
	// standard logger, and a hostile endpoint may put the key there: programs whose
	// logs are kept redirect it with log.SetOutput, as the command does.
	Transport http.RoundTripper
}

// Structured says how an answer is bound to a schema.
type Structured string

// The ways, each weaker than the one before it.
const (
	Auto       Structured = ""            // the strongest that the endpoint takes
	JSONSchema Structured = "json_schema" // the schema itself
	JSONObject Structured = "json_object" // some JSON object
	PlainText  Structured = "text"        // the prompt alone
)

// A Secret is text that no formatting verb, logger or encoder shows. Convert it
// to a string to use it.
type Secret string

// String returns "[secret]", or nothing if there is none.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "[secret]"
}

// GoString is String, so that %#v shows no more.
func (s Secret) GoString() string { return `"` + s.String() + `"` }

// MarshalText is String, so that encoders show no more.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue is String, so that loggers show no more.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Priced reports whether the prices are known.
func (e Endpoint) Priced() bool { return e.Free || e.PriceIn != 0 || e.PriceOut != 0 }

// keyless reports whether requests carry no key.
func (e Endpoint) keyless() bool {
	return strings.TrimSpace(string(e.Key)) == "" && e.Headers == nil && e.Transport == nil
}

// needsKey reports whether the endpoint is known to take no request without a key.
func (e Endpoint) needsKey() bool {
	return e.BaseURL == "" || strings.TrimRight(e.BaseURL, "/") == DefaultBaseURL || e.AzureVersion != ""
}

// String names the endpoint for a person, without anything secret.
func (e Endpoint) String() string { return fmt.Sprintf("%s (%s)", e.label(), e.Model) }

// GoString is String, so that %#v does not show the headers' values.
func (e Endpoint) GoString() string { return "llm.Endpoint(" + e.String() + ")" }

func (e Endpoint) label() string {
	if e.Name != "" {
		return e.Name
	}
	if u, err := url.Parse(e.BaseURL); err == nil && u.Host != "" {
		return u.Host
	}
	return "openai"
}

// complete returns e with its defaults, or its problem.
func (e Endpoint) complete() (Endpoint, error) {
	e.BaseURL = cmp.Or(e.BaseURL, DefaultBaseURL)
	e.Key = Secret(strings.TrimSpace(string(e.Key)))
	if strings.ContainsFunc(string(e.Key), func(r rune) bool { return r <= ' ' || r >= 0x7F }) {
		return e, e.invalid("the API key has a space, a line break or another character that keys do not have", "check the variable that holds it")
	}
	if e.Headers != nil {
		trimmed := map[string]Secret{}
		for name, v := range e.Headers {
			trimmed[name] = Secret(strings.TrimSpace(string(v)))
		}
		e.Headers = trimmed
	}
	u, err := url.Parse(e.BaseURL)
	switch {
	case strings.ContainsAny(e.BaseURL, "@?#"): // what may be a key is not shown
		return e, e.invalid("the base URL holds more than scheme, host and path", "put the key in "+fault.OptionKey)
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return e, e.invalid(fmt.Sprintf("invalid base URL %q", e.BaseURL), "write it like %s", DefaultBaseURL)
	case strings.TrimSpace(e.Model) == "":
		return e, e.invalid("no model is named", "name one with "+fault.OptionModel)
	case !(e.PriceIn >= 0) || !(e.PriceOut >= 0):
		return e, e.invalid("a price is negative", "write US dollars per million tokens")
	case e.Free && (e.PriceIn != 0 || e.PriceOut != 0):
		return e, e.invalid("it is free and has a price", "leave one of them out")
	case e.Timeout < 0:
		return e, e.invalid("the timeout is negative", "leave it out for the default")
	}
	switch e.Structured {
	case Auto, JSONSchema, JSONObject, PlainText:
	default:
		return e, e.invalid(fmt.Sprintf("unknown structured output %q", string(e.Structured)),
			"known: %s, %s, %s", JSONSchema, JSONObject, PlainText)
	}
	e.BaseURL = strings.TrimRight(e.BaseURL, "/")
	e.Timeout = cmp.Or(e.Timeout, DefaultTimeout)
	return e, nil
}

func (e Endpoint) invalid(what, hint string, args ...any) error {
	return fault.WithHint(fault.New(fault.Invalid, "judge endpoint %s: %s", e.label(), what), hint, args...)
}
