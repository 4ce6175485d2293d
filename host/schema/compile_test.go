package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/amount"
)

// TestCompile_HostileSchemasEndSoon has schemas on which a compiler's lists meet each
// other: each ends, compiled or refused, long before a user would end it.
func TestCompile_HostileSchemasEndSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const soon = 30 * time.Second // a second, on a slow machine under the race detector
	chosen := amount.OneIn(3)
	chain := func(n int) string {
		var defs []string
		for i := range n {
			defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
		}
		return `{"$defs":{` + strings.Join(defs, ",") + fmt.Sprintf(`,"d%d":true},"$ref":"#/$defs/d0"}`, n)
	}
	for name, text := range map[string]string{
		"anchors and references to them":       `{"$defs":{` + members(490, `"a%d":{"$anchor":"a%[1]d"}`) + `},"allOf":[` + members(490, `{"$ref":"#a%d"}`) + `]}`,
		"dynamic anchors":                      `{"$defs":{` + members(100, `"a%d":{"$dynamicAnchor":"a%[1]d"}`) + `},"allOf":[` + members(2800, `{"$dynamicRef":"#a1","description":"%d"}`) + `]}`,
		"many types":                           `{"allOf":[` + members(2990, `{"type":["string"],"title":"%d"}`) + `]}`,
		"many wrong types":                     `{"allOf":[` + members(2990, `{"type":["strin"],"title":"%d"}`) + `]}`,
		"many types, deep within":              strings.Repeat(`{"not":`, 90) + `{"allOf":[` + members(1000, `{"type":["string"],"title":"%d"}`) + `]}` + strings.Repeat(`}`, 90),
		"many values":                          `{"enum":[` + members(99_000, `%d`) + `]}`,
		"many required names":                  `{"required":[` + members(99_000, `"%d"`) + `]}`,
		"a chain":                              chain(2900),
		"addresses and references to them":     `{"$defs":{` + members(1490, `"a%d":{"$id":"x%[1]d"}`) + `},"allOf":[` + members(1490, `{"$ref":"x%d"}`) + `]}`,
		"anchors at addresses":                 `{"$defs":{` + members(490, `"a%d":{"$id":"x%[1]d","$anchor":"y"}`) + `},"allOf":[` + members(490, `{"$ref":"x%d#y"}`) + `]}`,
		"patterns":                             `{"patternProperties":{` + members(199, `"p%d[a-z]{400}":true`) + `}}`,
		"long names within each other":         strings.Repeat(`{"properties":{"`+strings.Repeat("x", 20_000)+`":`, 45) + `true` + strings.Repeat("}}", 45),
		"references to what is not a keyword":  `{"x":{` + members(1400, `"a%d":{"b":{}}`) + `},"allOf":[` + members(1400, `{"$ref":"#/x/a%d"}`) + `]}`,
		"a chain through what is not a schema": `{"x":{` + members(1400, `"a%d":{"y":{"$ref":"#/x/a%[1]d/z"},"z":{}}`) + `},"$ref":"#/x/a0/y"}`,
	} {
		if !chosen() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			s, err := Compile(jsontext.Value(text))
			if err == nil {
				err = s.Validate(jsontext.Value(`{"a":[1]}`))
			}
			if took := time.Since(begin); took > soon {
				t.Errorf("%s: %v", took, err)
			}
			if err != nil && len(err.Error()) > 2*maxFindings*maxFinding {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}
