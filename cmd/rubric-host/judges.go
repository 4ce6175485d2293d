package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
)

// named is a judge of the configuration file.
type named struct {
	line        int
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

// judgeKey is a key of a judge in the configuration file.
type judgeKey struct {
	kind    string // JSON type of its value
	summary string
	choices []string // the values that it takes, where there are only these
	set     func(j *named, v string) error
}

// structuredWords are the ways to bind an answer to a schema.
var structuredWords = []string{"auto", "json_schema", "json_object", "text"}

// judgeKeys are what a judge of the configuration file is made of. Adding a key
// is one line.
var judgeKeys = map[string]judgeKey{
	"base_url":      {"string", "where it is, up to and with /v1 (default: OpenAI)", nil, func(j *named, v string) error { j.endpoint.BaseURL = v; return nil }},
	"model":         {"string", "as the endpoint calls it (default: the judge's name)", nil, func(j *named, v string) error { j.endpoint.Model = v; return nil }},
	"api_key_env":   {"string", "variable that holds the key (default: OPENAI_API_KEY)", nil, func(j *named, v string) error { j.keyEnv, j.keyNamed = v, true; return nil }},
	"azure_version": {"string", "API version of an Azure OpenAI resource", nil, func(j *named, v string) error { j.endpoint.AzureVersion = v; return nil }},
	"structured": {"string", "how an answer is bound to its form", structuredWords, func(j *named, v string) error {
		if j.endpoint.Structured = llm.Structured(v); v == "auto" {
			j.endpoint.Structured = llm.Auto
		}
		return nil
	}},
	"price_in":    {"number", "USD for a million tokens sent", nil, func(j *named, v string) error { return parsePrice(v, &j.endpoint.PriceIn) }},
	"price_out":   {"number", "USD for a million tokens answered", nil, func(j *named, v string) error { return parsePrice(v, &j.endpoint.PriceOut) }},
	"timeout":     {"string", "of one request, such as 90s", nil, func(j *named, v string) error { return parseTime(v, &j.endpoint.Timeout) }},
	"temperature": {"number", "0 for the steadiest answers", nil, func(j *named, v string) error { j.temperature = new(float64); return parseFloat(v, j.temperature) }},
	"max_tokens":  {"integer", "of an answer, reasoning included", nil, func(j *named, v string) error { return parseCount(v, &j.maxTokens) }},
	"seed": {"integer", "for endpoints that take one", nil, func(j *named, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", v)
		}
		j.seed = &n
		return nil
	}},
	"attempts":    {"integer", "answers asked for at most, per call (default 3)", nil, func(j *named, v string) error { return parseCount(v, &j.attempts) }},
	"concurrency": {"integer", "calls in flight (default: as many as it bears)", nil, func(j *named, v string) error { return parseCount(v, &j.concurrency) }},
}

// parseTime reads a time above 0.
func parseTime(v string, into *time.Duration) error {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is no time such as 30s or 5m", v)
	}
	*into = d
	return nil
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
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a whole number from 0", v)
	}
	*into = n
	return nil
}

type failAt func(line, column int, code, hint, format string, args ...any)

// parseJudges reads the key judges: an object from name to settings.
func (s *settings) parseJudges(n *yaml.Node, fail failAt) {
	if n.Kind != yaml.MappingNode {
		fail(n.Line, n.Column, "wrong-type", "write NAME: {model: ..., base_url: ...}", "judges is not an object")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if s.judges[name.Value] != nil {
			fail(name.Line, name.Column, "duplicate-key", "", "the judge %q is written twice", name.Value)
			continue
		}
		s.judges[name.Value] = parseJudge(name, value, fail)
	}
}

func parseJudge(name, n *yaml.Node, fail failAt) *named {
	j := &named{line: name.Line, keyEnv: "OPENAI_API_KEY", written: map[string]entry{}}
	if n.Kind != yaml.MappingNode {
		fail(n.Line, n.Column, "wrong-type", "write {model: ..., base_url: ...}", "judge %q is not an object", name.Value)
		return j
	}
	known := make([]string, 0, len(judgeKeys))
	for k := range judgeKeys {
		known = append(known, k)
	}
	slices.Sort(known)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		k := judgeKeys[key.Value]
		_, twice := j.written[key.Value]
		switch {
		case twice:
			fail(key.Line, key.Column, "duplicate-key", "remove one of the two", "judge %q: the key %q is written twice", name.Value, key.Value)
		case key.Value == "api_key":
			fail(key.Line, key.Column, "secret", "write api_key_env, the name of a variable that holds the key", "keys do not belong into files")
		case k.set == nil:
			fail(key.Line, key.Column, "unknown-key", diag.DidYouMean(key.Value, known), "judge %q: unknown key %q", name.Value, key.Value)
		case empty(value):
			fail(value.Line, value.Column, "value-missing", "write a value, or remove the key", "judge %q: %s has no value", name.Value, key.Value)
		case value.Kind != yaml.ScalarNode:
			fail(value.Line, value.Column, "wrong-type", "", "judge %q: %s wants one value", name.Value, key.Value)
		case k.choices != nil && !slices.Contains(k.choices, value.Value):
			fail(value.Line, value.Column, "value-invalid", diag.DidYouMean(value.Value, k.choices), "judge %q: %s: %q is not one of %s", name.Value, key.Value, value.Value, strings.Join(k.choices, ", "))
		default:
			j.written[key.Value] = entry{line: key.Line, values: []string{value.Value}}
			if err := k.set(j, value.Value); err != nil {
				fail(value.Line, value.Column, "value-invalid", "", "judge %q: %s: %v", name.Value, key.Value, err)
			}
		}
	}
	if j.endpoint.Model == "" {
		j.endpoint.Model = name.Value
	}
	return j
}

// judge returns the judge that a name means: one of the configuration file, or
// "openai:MODEL" at OPENAI_BASE_URL with the key of OPENAI_API_KEY.
func (s *settings) judge(name string) (*host.Judge, error) {
	if strings.Contains(name, ",") {
		return nil, fault.WithHint(fault.New(fault.Usage, "--judge %s: several judges at once are not supported", name), "name one")
	}
	if n := s.judges[name]; n != nil {
		j := &host.Judge{Name: name, Endpoint: n.endpoint, Concurrency: n.concurrency}
		j.Endpoint.Name, j.Endpoint.Key = name, llm.Secret(os.Getenv(n.keyEnv))
		j.Options.Model, j.Options.Temperature, j.Options.MaxTokens = n.endpoint.Model, n.temperature, n.maxTokens
		j.Options.Seed, j.Options.Attempts = n.seed, n.attempts
		return j, nil
	}
	model, ok := strings.CutPrefix(name, "openai:")
	if !ok || model == "" {
		known := []string{"openai:MODEL"}
		for k := range s.judges {
			known = append(known, k)
		}
		slices.Sort(known)
		return nil, fault.WithHint(fault.New(fault.Usage, "there is no judge %q", name),
			"%s; judges are named in %s", diag.DidYouMean(name, known), configName)
	}
	j := &host.Judge{Name: name, Endpoint: llm.Endpoint{
		Name: name, Model: model, BaseURL: os.Getenv("OPENAI_BASE_URL"), Key: llm.Secret(os.Getenv("OPENAI_API_KEY")),
	}}
	j.Options.Model = model
	return j, nil
}
