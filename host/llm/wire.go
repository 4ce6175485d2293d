package llm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// body is the JSON body of a request. Pointers are sent when they are set, so that
// a temperature of 0 is a temperature of 0: leaving it out would get the
// server's default, and the tiny stand-ins that are usual get wrong tokens from
// some servers.
type body struct {
	Model               string    `json:"model"`
	Messages            []Message `json:"messages"`
	Temperature         *float64  `json:"temperature,omitzero"`
	MaxTokens           int       `json:"max_tokens,omitzero"`
	MaxCompletionTokens int       `json:"max_completion_tokens,omitzero"`
	Seed                *int      `json:"seed,omitzero"`
	ResponseFormat      *format   `json:"response_format,omitzero"`
}

type format struct {
	Type       Structured   `json:"type"`
	JSONSchema *namedSchema `json:"json_schema,omitzero"`
}

type namedSchema struct {
	Name   string         `json:"name"`
	Strict bool           `json:"strict"`
	Schema jsontext.Value `json:"schema"`
}

// A habit holds the parameters that an endpoint takes for one model, as far as known.
type habit struct {
	form             Structured
	completionTokens bool // max_completion_tokens in place of max_tokens
	noTemperature    bool
	noSeed           bool
}

func encode(req *Request, h *habit) ([]byte, error) {
	b := body{Model: req.Model, Messages: make([]Message, 0, 2+len(req.Then))}
	if req.System != "" {
		b.Messages = append(b.Messages, Message{"system", req.System})
	}
	b.Messages = append(append(b.Messages, Message{"user", req.User}), req.Then...)
	if !h.noTemperature {
		b.Temperature = req.Temperature
	}
	if !h.noSeed {
		b.Seed = req.Seed
	}
	if h.completionTokens {
		b.MaxCompletionTokens = req.MaxTokens
	} else {
		b.MaxTokens = req.MaxTokens
	}
	if req.Schema != nil {
		switch h.form {
		case JSONSchema:
			name := cmp.Or(req.SchemaName, "answer")
			b.ResponseFormat = &format{Type: JSONSchema, JSONSchema: &namedSchema{Name: name, Strict: true, Schema: req.Schema}}
		case JSONObject:
			b.ResponseFormat = &format{Type: JSONObject}
		}
	}
	out, err := json.Marshal(&b, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fault.New(fault.Internal, "the judge request cannot be written: %w", err)
	}
	return out, nil
}

// dropped names the parameters of req that h leaves out.
func (h *habit) dropped(req *Request) []string {
	var out []string
	if h.noTemperature && req.Temperature != nil {
		out = append(out, "temperature")
	}
	if h.noSeed && req.Seed != nil {
		out = append(out, "seed")
	}
	return out
}

// refusing are words with which servers say that they do not take a parameter.
var refusing = []string{"unsupported", "not support", "does not support", "only the default", "not allowed", "not permitted",
	"unrecognized", "unknown", "unexpected", "extra", "deprecated", "invalid", "cannot be", "not available", "not implemented"}

// aboutFormat are words with which servers speak of response_format.
var aboutFormat = []string{"response_format", "response format", "json_schema", "json schema", "json_object", "schema", "structured", "guided", "grammar"}

// adaptMost is how much of an error's text is looked at: servers quote requests.
const adaptMost = 2048

// adapt changes h so that the request avoids the parameter that the endpoint just refused,
// and reports whether there was something to change. Every change weakens h, so
// that it ends.
func (h *habit) adapt(req *Request, x *exchange, auto bool) bool {
	if x.failed != nil || x.status != 400 && x.status != 422 && x.status != 501 {
		return false
	}
	text := strings.ToLower(x.says(adaptMost))
	mentions := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	if strings.Contains(text, "context") && mentions([]string{"length", "size", "exceed", "window"}) {
		return false // the prompt is too long, whatever else is quoted
	}
	refuses := func(parameter string) bool { return strings.Contains(text, parameter) && mentions(refusing) }
	switch {
	case req.MaxTokens > 0 && !h.completionTokens && refuses("max_tokens"):
		h.completionTokens = true
	case req.Temperature != nil && !h.noTemperature && refuses("temperature"):
		h.noTemperature = true
	case req.Seed != nil && !h.noSeed && refuses("seed"):
		h.noSeed = true
	case auto && req.Schema != nil && h.form == JSONSchema && mentions(aboutFormat):
		h.form = JSONObject
	case auto && req.Schema != nil && h.form == JSONObject && mentions(aboutFormat):
		h.form = PlainText
	default:
		return false
	}
	return true
}
