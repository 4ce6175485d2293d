package schema

import (
	"fmt"
	"math/big"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds on the findings in a verdict.
const (
	maxFindings = 20
	maxFinding  = 300 // bytes
)

// additional ends the location of additionalProperties in a schema.
const additional = "/additionalProperties"

// findings lists the problems that a validation found, sorted: at most maxFindings, and
// how many more. schemas are those of the schema, by location.
func findings(e *jsonschema.ValidationError, schemas map[string]*jsonschema.Schema) []string {
	var all []string
	extra := map[string][]string{} // names that are not allowed, by place
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		text, whole := reword(e, schemas)
		slash := strings.LastIndexByte(e.InstanceLocation, '/')
		switch {
		case slash >= 0 && text == "not allowed" && strings.HasSuffix(e.AbsoluteKeywordLocation, additional):
			place, name := e.InstanceLocation[:slash], e.InstanceLocation[slash+1:]
			extra[place] = append(extra[place], unescape(plainPlace(name)))
		case whole || len(e.Causes) == 0:
			all = append(all, at(e.InstanceLocation, text))
		default:
			for _, cause := range e.Causes {
				walk(cause)
			}
		}
	}
	walk(e)
	for place, names := range extra {
		slices.Sort(names)
		all = append(all, at(place, "additionalProperties '"+strings.Join(slices.Compact(names), "', '")+"' not allowed"))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if more := len(all) - maxFindings; more > 0 {
		all = append(all[:maxFindings:maxFindings], fmt.Sprintf("and %d more", more))
	}
	return all
}

// plainPlace returns a place as a JSON pointer: the library escapes it as a URL,
// too.
func plainPlace(place string) string {
	const most = 3 * maxFinding // of bytes that are escaped
	if len(place) > most {
		place = strings.TrimRight(place[:most-2], "%0123456789ABCDEF")
	}
	if plain, err := url.PathUnescape(place); err == nil {
		return plain
	}
	return place
}

func at(place, text string) string {
	if place == "" {
		return fault.Clip(text, maxFinding)
	}
	return fault.Clip(fault.Clip(plainPlace(place), maxFinding)+": "+text, maxFinding)
}

// reword returns the library's message. The library writes the bound of a schema as a float: one that is an integer is put
// in its place. whole says that the message says everything: the causes below need not be listed.
func reword(e *jsonschema.ValidationError, schemas map[string]*jsonschema.Schema) (text string, whole bool) {
	at, keyword := path.Split(e.AbsoluteKeywordLocation)
	s := schemas[strings.TrimSuffix(at, "/")]
	if s == nil {
		return e.Message, false
	}
	bound := map[string]*big.Rat{
		"minimum": s.Minimum, "exclusiveMinimum": s.ExclusiveMinimum, "maximum": s.Maximum, "exclusiveMaximum": s.ExclusiveMaximum, "multipleOf": s.MultipleOf,
	}[keyword]
	switch {
	case keyword == "minContains":
		return "contains: " + e.Message, true
	case bound == nil:
		return e.Message, false
	case !bound.IsInt() || bound.Num().BitLen() >= 128:
		return e.Message, true
	}
	rounded, _ := bound.Float64()
	return strings.Replace(e.Message, " "+fmt.Sprint(rounded), " "+bound.RatString(), 1), true
}

// valuesText says which values const or enum allow.
func valuesText(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case map[string]any:
			words[i] = "the object of the schema"
		case []any:
			words[i] = "the array of the schema"
		case string:
			words[i] = strconv.Quote(fault.Clip(v, maxFinding))
		case nil:
			words[i] = "null"
		default:
			words[i] = fault.Clip(fmt.Sprint(v), maxFinding)
		}
	}
	if len(words) == 1 {
		return "value must be " + words[0]
	}
	return "value must be one of " + fault.Clip(strings.Join(words, ", "), maxFinding)
}
