package schema

import (
	"math/big"
	"regexp"
)

// A part is a schema, or a schema within one: what it holds a value to, by
// keyword. A nil or empty field holds it to nothing, and so does a count of none.
type part struct {
	draft  *draft
	home   *resource
	always *bool // the schema is true or false, and nothing else

	ref, recursiveRef, dynamicRef *part
	recursiveAnchor               bool
	dynamic                       string // the anchor that dynamicRef means; empty: it is as good as a static one

	types     []string
	typeWords string
	enum      map[string]struct{} // keys of the values that are allowed
	enumWords string
	constant  *string // key of the only value
	constWord string
	format    *format

	not, when, then, otherwise *part // when is if, otherwise is else
	allOf, anyOf, oneOf        []*part

	minProperties, maxProperties        int
	required                            []string
	properties                          map[string]*part
	patternProperties                   []pattern // sorted
	additionalProperties, propertyNames *part
	unevaluatedProperties               *part
	dependentRequired                   map[string][]string
	dependentSchemas                    map[string]*part

	minItems, maxItems       int
	uniqueItems              bool
	first                    []*part // of the first elements
	rest                     *part   // of all others
	restIsAdditional         bool    // rest is additionalItems, and its words are
	contains                 *part
	minContains, maxContains int
	unevaluatedItems         *part

	minLength, maxLength              int
	pattern                           *pattern
	contentEncoding, contentMediaType string // of draft 7

	minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf *big.Rat
}

// none is a count that is not limited.
const none = -1

func newPart(d *draft, home *resource) *part {
	return &part{
		draft: d, home: home, minProperties: none, maxProperties: none, minItems: none, maxItems: none,
		minContains: 1, maxContains: none, minLength: none, maxLength: none,
	}
}

// A pattern is a regular expression, and what it is the key of.
type pattern struct {
	*regexp.Regexp
	size int // instructions
	part *part
}

// inPlace lists the parts that p holds the same value to.
func (p *part) inPlace() []*part {
	list := []*part{p.ref, p.recursiveRef, p.dynamicRef, p.not, p.when, p.then, p.otherwise}
	for _, more := range [][]*part{p.allOf, p.anyOf, p.oneOf} {
		list = append(list, more...)
	}
	for _, d := range p.dependentSchemas {
		list = append(list, d)
	}
	return list
}

// never reports whether no value fits.
func (p *part) never() bool { return p.always != nil && !*p.always }
