package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
)

// defaultKeyEnv is the variable with the key of a judge that names no other.
const defaultKeyEnv = "OPENAI_API_KEY"

// namedJudge is a judge of a configuration file.
type namedJudge struct {
	file        string
	line        int
	untrusted   bool             // the file is a project's that the user does not trust
	needs       string           // why the judge cannot be used until then; empty: it can
	written     map[string]entry // its keys as the file has them
	keyNamed    bool             // the file names the variable of the key
	endpoint    llm.Endpoint
	keyEnv      string
	temperature *float64
	maxTokens   int
	seed        *int
	attempts    int
	concurrency int
}

type judgeKey struct {
	kind    string // JSON type of its value
	summary string
	choices []string // the values that it takes, where there are only these
	set     func(j *namedJudge, v string) error
}

// structuredWords are the ways to bind an answer to a schema.
var structuredWords = []string{"auto", "json_schema", "json_object", "text"}

// judgeKeys are the keys of a judge in the configuration file. Adding a key
// is one line.
var judgeKeys = map[string]judgeKey{
	"base_url":      {"string", "where it is, up to and with /v1 (default: OPENAI_BASE_URL, else OpenAI)", nil, func(j *namedJudge, v string) error { j.endpoint.BaseURL = v; return nil }},
	"model":         {"string", "as the endpoint calls it (default: the judge's name)", nil, func(j *namedJudge, v string) error { j.endpoint.Model = v; return nil }},
	"api_key_env":   {"string", "variable that holds the key (default: OPENAI_API_KEY)", nil, func(j *namedJudge, v string) error { j.keyEnv, j.keyNamed = v, true; return nil }},
	"azure_version": {"string", "API version of an Azure OpenAI resource", nil, func(j *namedJudge, v string) error { j.endpoint.AzureVersion = v; return nil }},
	"structured": {"string", "how an answer is bound to its form", structuredWords, func(j *namedJudge, v string) error {
		if j.endpoint.Structured = llm.Structured(v); v == "auto" {
			j.endpoint.Structured = llm.Auto
		}
		return nil
	}},
	"price_in":    {"number", "USD for a million tokens sent; 0 is free", nil, func(j *namedJudge, v string) error { return parsePrice(v, &j.endpoint.PriceIn) }},
	"price_out":   {"number", "USD for a million tokens answered; 0 is free", nil, func(j *namedJudge, v string) error { return parsePrice(v, &j.endpoint.PriceOut) }},
	"timeout":     {"string", "of one request, such as 90s", nil, func(j *namedJudge, v string) error { return parseTime(v, &j.endpoint.Timeout) }},
	"temperature": {"number", "0 for the steadiest answers", nil, func(j *namedJudge, v string) error { j.temperature = new(float64); return parseFloat(v, j.temperature) }},
	"max_tokens":  {"integer", "of an answer, reasoning included", nil, func(j *namedJudge, v string) error { return parseCount(v, &j.maxTokens) }},
	"seed": {"integer", "for endpoints that take one", nil, func(j *namedJudge, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", v)
		}
		j.seed = &n
		return nil
	}},
	"attempts":    {"integer", "maximum attempts per judge call (default 3)", nil, func(j *namedJudge, v string) error { return parseCount(v, &j.attempts) }},
	"concurrency": {"integer", "calls in flight (default: as many as it bears)", nil, func(j *namedJudge, v string) error { return parseCount(v, &j.concurrency) }},
}

// parseTime reads a time above 0.
func parseTime(v string, into *time.Duration) error {
	var f limitFlag[time.Duration]
	err := f.Set(v)
	*into = f.n
	return err
}

func parsePrice(v string, into *float64) error {
	if err := parseFloat(v, into); err != nil {
		return err
	}
	if *into < 0 {
		return fmt.Errorf("%s is negative", v)
	}
	return nil
}

func parseFloat(v string, into *float64) error {
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || x != x || x > 1e12 || x < -1e12 {
		return fmt.Errorf("%q is not a number", v)
	}
	*into = x
	return nil
}

func parseCount(v string, into *int) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a whole number from 1", v)
	}
	*into = n
	return nil
}

// parseJudges reads the value of judges: an object from name to settings.
func parseJudges(n *document.Node, r *configReader) {
	if n.Kind != document.Object {
		r.Wrong(n, "judges", "an object: NAME: {model: ..., base_url: ...}")
	}
	for i := range n.Members {
		m := &n.Members[i]
		r.file.judges[m.Key] = parseJudge(m, r)
	}
}

func parseJudge(judge *document.Member, r *configReader) *namedJudge {
	name := judge.Key
	j := &namedJudge{file: r.file.file, line: r.Doc.Line(judge.At), keyEnv: defaultKeyEnv, written: map[string]entry{}}
	o := r.Object(judge.Value, document.Join("judges", name), "judge {model: ..., base_url: ...}")
	if o == nil {
		return j
	}
	for _, key := range slices.Sorted(maps.Keys(judgeKeys)) {
		value, _ := o.Raw(strict.May, key)
		k := judgeKeys[key]
		switch {
		case value == nil:
		case !value.Scalar():
			r.Wrong(value, o.Sub(key), "one value")
		case k.choices != nil && !slices.Contains(k.choices, value.Value):
			r.Fail(value.At, o.Sub(key), "value-invalid", diag.DidYouMean(value.Value, k.choices), "%s: %q is not one of %s", o.Sub(key), value.Value, strings.Join(k.choices, ", "))
		default:
			j.written[key] = entry{line: r.Doc.Line(o.Ask(key).At), values: []string{value.Value}}
			if err := k.set(j, value.Value); err != nil {
				r.Fail(value.At, o.Sub(key), "value-invalid", "", "%s: %v", o.Sub(key), err)
			}
		}
	}
	for _, m := range o.Unread(map[string]string{"api_key": "api_key_env"}) {
		r.Fail(m.At, o.Sub("api_key"), "secret", "name the variable that holds the key in api_key_env", "do not put API keys in files")
	}
	o.Close()
	j.endpoint.Model = cmp.Or(j.endpoint.Model, name)
	_, in := j.written["price_in"]
	_, out := j.written["price_out"]
	j.endpoint.Free = in && out && j.endpoint.PriceIn == 0 && j.endpoint.PriceOut == 0
	return j
}

// judge returns the judge that a name means. One price of two says nothing about the cost
// of its answers: it is not known.
func (s *settings) judge(name string) (*host.Judge, error) {
	j, err := s.endpoint(name)
	if n := s.judges[name]; err == nil && n != nil {
		_, in := n.written["price_in"]
		_, out := n.written["price_out"]
		if !in || !out {
			j.Endpoint.PriceIn, j.Endpoint.PriceOut, j.Endpoint.Free = 0, 0, false
		}
	}
	return j, err
}

// endpoint returns what a name means: a judge of the configuration file, or
// "openai:MODEL" at OPENAI_BASE_URL with the key of OPENAI_API_KEY.
func (s *settings) endpoint(name string) (*host.Judge, error) {
	if n := s.judges[name]; n != nil {
		if n.needs != "" {
			return nil, s.project.untrusted(diag.List{s.project.need(n.line, "judges."+name, n.needs)})
		}
		j := &host.Judge{Name: name, Endpoint: n.endpoint, Concurrency: n.concurrency}
		j.Endpoint.Name, j.Endpoint.Key = name, llm.Secret(os.Getenv(n.keyEnv))
		j.KeyHint = keyHint(n.keyEnv)
		if j.Endpoint.BaseURL == "" && n.keyEnv == defaultKeyEnv { // they belong together
			j.Endpoint.BaseURL = os.Getenv("OPENAI_BASE_URL")
		}
		j.Options.Model, j.Options.Temperature, j.Options.MaxTokens = n.endpoint.Model, n.temperature, n.maxTokens
		j.Options.Seed, j.Options.Attempts = n.seed, n.attempts
		return j, nil
	}
	if strings.Contains(name, ",") {
		return nil, fault.New(fault.Usage, "%s: several judges in one run are not supported; name one", name)
	}
	model, ok := strings.CutPrefix(name, "openai:")
	if !ok || model == "" {
		known := append(slices.Collect(maps.Keys(s.judges)), "openai:MODEL")
		slices.Sort(known)
		return nil, fault.WithHint(fault.New(fault.Usage, "unknown judge %q", name),
			"%s; for an endpoint other than OpenAI's set OPENAI_BASE_URL, or define judges in %s", diag.DidYouMean(name, known), configName)
	}
	j := &host.Judge{Name: name, Endpoint: llm.Endpoint{
		Name: name, Model: model, BaseURL: os.Getenv("OPENAI_BASE_URL"), Key: llm.Secret(os.Getenv("OPENAI_API_KEY")),
	}}
	j.Options.Model, j.KeyHint = model, keyHint(defaultKeyEnv)
	if j.Endpoint.Key == "" && j.Endpoint.BaseURL == "" {
		j.KeyHint += "; for another endpoint set OPENAI_BASE_URL"
	}
	return j, nil
}

func keyHint(variable string) string {
	if os.Getenv(variable) == "" {
		return variable + " is not set: set it to the endpoint's key"
	}
	return "check the key in " + variable
}
