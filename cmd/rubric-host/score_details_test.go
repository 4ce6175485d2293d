package main

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestSpread_KeepsShortValuesOnOneLine(t *testing.T) {
	long := strings.Repeat(`"word",`, 12) + `"end"`
	for given, want := range map[string]string{
		`{}`:                         `{}`,
		`[]`:                         `[]`,
		`7`:                          `7`,
		`{"counts":[3, 2,1]}`:        "{\n  \"counts\": [3, 2, 1]\n}",
		`{"a":{"b":1,"c":null}}`:     "{\n  \"a\": {\"b\": 1, \"c\": null}\n}",
		`{"a":"x","a":"y,z:{"}`:      "{\n  \"a\": \"x\",\n  \"a\": \"y,z:{\"\n}",
		`{"a":{"b":[` + long + `]}}`: "{\n  \"a\": {\n    \"b\": [\n      " + strings.ReplaceAll(long, ",", ",\n      ") + "\n    ]\n  }\n}",
	} {
		if got := spread(jsontext.Value(given), ""); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", given, got, want)
		}
	}
}
