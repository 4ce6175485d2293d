package schema

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestCompile_References has references that the test suite does not ask about.
func TestCompile_References(t *testing.T) {

	for _, tt := range []struct {
		name, schema, valid, wrong string
	}{
		{"to a draft's schema of schemas, by either scheme", `{"anyOf":[{"$ref":"http://json-schema.org/draft-07/schema#"},{"$ref":"https://json-schema.org/draft-07/schema"}]}`, `{"type":"object"}`, `{"type":5}`},
		{"into a draft's schema of schemas", `{"$ref":"https://json-schema.org/draft/2020-12/meta/validation#/$defs/simpleTypes"}`, `"object"`, `"thing"`},
		{"into what is not a keyword", `{"$ref":"#/x/y","x":{"y":{"type":"string","minLength":2}}}`, `"ab"`, `"a"`},
		{"through what is not a keyword, and on", `{"$ref":"#/x/y","x":{"y":{"$ref":"#/x/z"},"z":{"const":1}}}`, `1`, `2`},
		{"to an address within what is not a keyword", `{"$ref":"#/x","x":{"$id":"http://a.example/b","properties":{"c":{"$ref":"#d"}},"$defs":{"d":{"$anchor":"d","type":"null"}}}}`, `{"c":null}`, `{"c":1}`},
		{"to the element of a list", `{"allOf":[{"type":"string"}],"properties":{"a":{"$ref":"#/allOf/0"}}}`, `"x"`, `1`},
		{"to a name with a percent, a tilde and a slash", `{"$ref":"#/$defs/a%25~0~1","$defs":{"a%~/":{"type":"string"}}}`, `"x"`, `1`},
		{"to a name that an id gives", `{` + draft7 + `"$ref":"#a","definitions":{"a":{"$id":"#a","type":"string"}}}`, `"x"`, `1`},
		{"to an urn", `{"$id":"urn:example:a","$ref":"urn:example:a#/$defs/b","$defs":{"b":{"type":"string"}}}`, `"x"`, `1`},
		{"to true", `{"$ref":"#/$defs/a","$defs":{"a":true},"type":"string"}`, `"x"`, `1`},
		{"both ways of asking for a member", `{"dependencies":{"a":["b"]},"dependentRequired":{"a":["c"]}}`, `{"a":1,"b":1,"c":1}`, `{"a":1,"b":1}`},
		{"both ways of asking for a part", `{"dependencies":{"a":{"required":["b"]}},"dependentSchemas":{"a":{"required":["c"]}}}`, `{"a":1,"b":1,"c":1}`, `{"a":1,"c":1}`},
		{"nothing to choose from", `{"properties":{"a":{"enum":[]}}}`, `{}`, `{"a":null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := mustCompile(t, tt.schema)
			if err := s.Validate(jsontext.Value(tt.valid)); err != nil {
				t.Errorf("%s: %v", tt.valid, err)
			}
			if s.Validate(jsontext.Value(tt.wrong)) == nil {
				t.Errorf("%s is taken", tt.wrong)
			}
		})
	}
}

// TestCompile_RefusesOtherReferences has references that are refused, however they were
// hidden.
func TestCompile_RefusesOtherReferences(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"out of the schema", `{"$id":"http://a.example/b","$ref":"c"}`, "http://a.example/c is outside of the schema"},
		{"out of a part of it", `{"$defs":{"a":{"$id":"http://a.example/b"}},"$ref":"http://a.example/b/c"}`, "http://a.example/b/c is outside of the schema"},
		{"to a draft that there is not", `{"$id":"x","$ref":"https://json-schema.org/draft/2020-12/meta/nothing"}`, "is outside of the schema"},
		{"to a file beside what is carried", `{"$id":"x","$ref":"https://json-schema.org/draft/2020-12/meta/../../README"}`, "is outside of the schema"},
		{"to an anchor that there is not", `{"$id":"x","$ref":"#y"}`, "x#y not found"},
		{"to a place that there is not", `{"$id":"x","$ref":"#/y"}`, "x#/y not found"},
		{"to what is not a schema", `{"$ref":"#/x","x":{"type":5}}`, "/type: "},
		{"to a list", `{"$ref":"#/required","required":["a"]}`, "expected object or boolean, but got array"},
		{"to itself, by another", `{"$ref":"#/$defs/a","$defs":{"a":{"not":{"$ref":"#"}}}}`, "infinite loop"},
		{"to itself, where only a member leads to it", `{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"dependentSchemas":{"c":{"$ref":"#/$defs/a"}}}}}`, "infinite loop"},
		{"an address that is none", `{"$id":"http://[","$ref":"#"}`, ""},
		{"an address twice", `{"$defs":{"a":{"$id":"http://a.example/b"},"c":{"$id":"http://a.example/b"}}}`, "duplicate address ($id)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Compile(jsontext.Value(tt.schema))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}
