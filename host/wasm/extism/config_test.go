package extism_test

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/extism"
)

func TestConfig_ReadsTheRequest(t *testing.T) {
	const request = `{"contract":1,"case":{"config":{"text":"of the case"}},"config":{"text":"a \"b\" ü","empty":"","yes":true,"number":1.50,"list":[1, 2],"none":null,"nested":{"text":"inner"}}}`
	tests := []struct {
		name, request, key, value string
		ok                        bool
	}{
		{"a text without its quotes", request, "text", `a "b" ü`, true},
		{"an empty text", request, "empty", "", true},
		{"a truth value", request, "yes", "true", true},
		{"a number as it is written", request, "number", "1.50", true},
		{"a list as JSON", request, "list", "[1, 2]", true},
		{"an object as JSON", request, "nested", `{"text":"inner"}`, true},
		{"null is not a value", request, "none", "", false},
		{"no such key", request, "other", "", false},
		{"the empty key", request, "", "", false},
		{"no configuration", `{"contract":1}`, "text", "", false},
		{"a configuration that is not an object", `{"config":"text"}`, "text", "", false},
		{"no object", `["config"]`, "text", "", false},
		{"no JSON", `config`, "text", "", false},
		{"an object cut short", `{"config":{"text":"a`, "text", "", false},
		{"nothing", ``, "text", "", false},
		{"a deep request", strings.Repeat(`{"config":`, 20_000), "config", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			value, ok := extism.Config([]byte(tt.request), []byte(tt.key))
			if string(value) != tt.value || ok != tt.ok {
				t.Errorf("%q %v, want %q %v", value, ok, tt.value, tt.ok)
			}
		})
	}
}
