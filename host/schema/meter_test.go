package schema

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

const draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`

// TestValidate_CountsForEachValidationAlone has one schema validate values in
// many goroutines, some of which exceed the budget.
func TestValidate_CountsForEachValidationAlone(t *testing.T) {
	s := mustCompile(t, `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]},"b":{"type":"string"}}}`)
	hostile := strings.Repeat(`{"a":`, 40) + "{}" + strings.Repeat("}", 40)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for range 20 {
				if err := s.Validate(jsontext.Value(`{"b":"x"}`)); err != nil {
					t.Errorf("a valid value: %v", err)
				}
				if err := s.Validate(jsontext.Value(`{"b":1}`)); err == nil || err.Error() != "/b: expected string, but got number" {
					t.Errorf("a wrong value: %v", err)
				}
			}
			if i%8 == 0 {
				if err := s.Validate(jsontext.Value(hostile)); fault.Of(err) != fault.Fuel {
					t.Errorf("a hostile value: %v", err)
				}
			}
		})
	}
	all.Wait()
}

// TestValidate_MendsWhatTheLibraryLeavesOpen has values and schemas on which the
// library alone answers wrongly or takes too much.
func TestValidate_MendsWhatTheLibraryLeavesOpen(t *testing.T) {
	// Lists that its hash cannot tell apart: 3 goes before each text.
	var collide []string
	for n := range 1 << 12 {
		var b strings.Builder
		for bit := range 12 {
			b.WriteString(map[bool]string{false: `","`, true: `\u0003`}[n>>bit&1 == 1] + "x")
		}
		collide = append(collide, `["`+b.String()+`"]`)
	}
	for _, tt := range []struct {
		name, schema, value string
		class               fault.Class
		want                string
	}{
		{"elements whose hashes collide", `{"uniqueItems":true}`, "[" + strings.Join(collide, ",") + "]", fault.None, ""},
		{"elements that are equal", `{"uniqueItems":true}`, `[{"a":1,"b":[2.0]},3,{"b":[2],"a":1e0}]`, fault.Invalid, "items at index 0 and 2 are equal"},
		{"a length beyond an int", `{"minLength":1e30}`, `"x"`, fault.Invalid, "length must be >="},
		{"a greatest length beyond an int", `{"maxLength":1e30}`, `"x"`, fault.None, ""},
		{"contentSchema, which draft 7 does not have", `{` + draft7 + `"contentMediaType":"application/json","contentSchema":false}`, `"1"`, fault.None, ""},
		{"regexProperties, which no draft has", `{"regexProperties":true}`, `{"(":1}`, fault.None, ""},
		{"a number among texts", `{"enum":["1",2]}`, `1`, fault.Invalid, `value must be one of "1", 2`},
		{"a number that a float rounds", `{"minimum":9007199254740993}`, `9007199254740992`, fault.Invalid, "must be >= 9007199254740993 but found 9007199254740992"},
		{"names that are quoted", `{"additionalProperties":false}`, `{"b', 'c":1,"a\\":2,"d/~":3}`, fault.Invalid, `additionalProperties 'a\', 'b', 'c', 'd/~' not allowed`},
		{"a meta-schema, held to many elements", `{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"allOf":[` + members(40_000, `{"minimum":%d}`) + `]}`, fault.Fuel, "steps"},
		{"patterns within a value that is a schema", `{"allOf":[{"$ref":"#/const"}],"const":{"pattern":"` + strings.Repeat("a", 1001) + `"}}`, `1`, fault.Invalid, "a pattern has 1001 bytes"},
		{"the same, its pointer escaped", `{"allOf":[{"$ref":"#/%63onst"}],"const":{"pattern":"` + strings.Repeat("a", 1001) + `"}}`, `1`, fault.Invalid, "a pattern has 1001 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Compile(jsontext.Value(tt.schema))
			if err == nil {
				err = s.Validate(jsontext.Value(tt.value))
			}
			if fault.Of(err) != tt.class || !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("%s: %v; want %s: %s", fault.Of(err), err, tt.class, tt.want)
			}
		})
	}
}
