package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

const (
	// maxWork is the most work of one validation. A unit is a part of the schema
	// held to a part of the value, or as much: a fraction of a microsecond.
	maxWork = 2_000_000
	// checkEvery is how much work is done between two looks at the context.
	checkEvery = 1000
	// maxChain is how many parts one value may be handed on to, each by the one
	// before.
	maxChain = 1000
)

// A validation holds one value to a schema.
type validation struct {
	*Schema
	ctx        context.Context //nolint:containedctx // it lives as long as the validation
	work, next int
	found      []finding
	dropped    int     // findings beyond maxKept
	scope      []*part // parts under way, the outermost first
}

// stopped ends a validation by a panic.
type stopped struct{ err error }

// apply validates a decoded value: wrong is what is wrong with it, at most
// maxFindings and how many more. The error says that the schema could not be
// applied to the end.
func (s *Schema) apply(ctx context.Context, v any) (wrong []string, err error) {
	c := &validation{Schema: s, ctx: ctx, next: checkEvery}
	defer func() {
		if p := recover(); p != nil {
			stop, ok := p.(stopped)
			if !ok {
				panic(p)
			}
			wrong, err = nil, stop.err
		}
	}()
	if ok, _ := c.hold(s.root, v, nil, 0); !ok {
		return words(c.found, c.dropped), nil
	}
	return nil, nil
}

// spend counts work, and ends a validation that takes too much or whose context
// is done.
func (c *validation) spend(work int) {
	if c.work += work; c.work > maxWork {
		panic(stopped{fault.WithHint(fault.New(fault.Fuel, "the schema takes more than %d steps for this value", maxWork),
			"write a simpler schema: references that multiply take most")})
	}
	if c.work >= c.next {
		c.next = c.work + checkEvery
		if c.ctx.Err() != nil {
			panic(stopped{fmt.Errorf("the schema was not applied to the end: %w", context.Cause(c.ctx))})
		}
	}
}

// fail notes that something is wrong at a place. It returns false.
func (c *validation) fail(at *place, format string, args ...any) bool {
	c.spend(1)
	if len(c.found) >= maxKept {
		c.dropped++
		return false
	}
	c.found = append(c.found, finding{at, fmt.Sprintf(format, args...)})
	return false
}

// tries runs what may fail without its findings counting.
func (c *validation) tries(what func() bool) bool {
	found, dropped := len(c.found), c.dropped
	ok := what()
	c.found, c.dropped = c.found[:found], dropped
	return ok
}

// hold holds v to s. chain is how many parts have handed this value on. saw is
// what of v was evaluated, when the schema asks.
func (c *validation) hold(s *part, v any, at *place, chain int) (ok bool, saw *evaluated) {
	c.spend(1)
	if s.always != nil {
		return *s.always || c.fail(at, "not allowed"), nil
	}
	if chain > maxChain {
		panic(stopped{fault.New(fault.Invalid, "the schema hands a value on more than %d times: its references may never end", maxChain)})
	}
	if c.tracks {
		saw = &evaluated{}
	}
	h := held{validation: c, s: s, v: v, at: at, chain: chain, saw: saw}
	if len(s.types) > 0 && !h.typed() {
		return c.fail(at, "expected %s, but got %s", s.typeWords, typeOf(v)), saw
	}
	c.scope = append(c.scope, s)
	ok = h.all()
	c.scope = c.scope[:len(c.scope)-1]
	return ok, saw
}

// held is one part of a schema and one part of a value.
type held struct {
	*validation
	s     *part
	v     any
	at    *place
	chain int
	saw   *evaluated // nil: nobody asks
}

// typed reports whether the value is of a type that is expected.
func (h *held) typed() bool {
	is := typeOf(h.v)
	for _, t := range h.s.types {
		if t == is {
			return true
		}
		if n, ok := h.v.(*number); ok && t == "integer" {
			h.spend(n.cost())
			if n.isInt() {
				return true
			}
		}
	}
	return false
}

// all applies every keyword but the type. It goes on after one that fails, so
// that everything is said at once.
func (h *held) all() bool {
	ok := h.plain()
	switch v := h.v.(type) {
	case *object:
		ok = h.object(v) && ok
	case []any:
		ok = h.list(v) && ok
	case string:
		ok = h.text(v) && ok
	case *number:
		ok = h.number(v) && ok
	}
	ok = h.references() && ok
	ok = h.combined() && ok
	switch v := h.v.(type) {
	case *object:
		ok = h.unevaluatedProperties(v) && ok
	case []any:
		ok = h.unevaluatedItems(v) && ok
	}
	return ok
}

// plain applies what any value can be held to.
func (h *held) plain() bool {
	ok := true
	if h.s.constant != nil && h.keyOf(h.v) != *h.s.constant {
		ok = h.fail(h.at, "%s", h.s.constWord)
	}
	if h.s.enum != nil {
		if _, in := h.s.enum[h.keyOf(h.v)]; !in {
			ok = h.fail(h.at, "%s", h.s.enumWords)
		}
	}
	if text, is := h.v.(string); is && h.s.format != nil && !h.formatted(text) {
		ok = h.fail(h.at, "'%s' is not valid '%s'", clip(text), clip(h.s.format.name))
	}
	return ok
}

// formatted reports whether text is of the format.
func (h *held) formatted(text string) bool {
	h.spend(len(text) / 64)
	if h.s.format.name == "regex" {
		if len(text) > maxPattern {
			panic(stopped{fault.New(fault.Input, "the value holds a regex of %d bytes; at most %d are validated", len(text), maxPattern)})
		}
		h.spend(100)
		return isRegex(text)
	}
	return h.s.format.is(text)
}

// keyOf returns a text that equal values share.
func (h *held) keyOf(v any) string {
	h.spend(weight(v))
	return key(v)
}

// inPlace holds the same value to another part, and takes over what it has
// evaluated.
func (h *held) inPlace(s *part) bool {
	ok, saw := h.hold(s, h.v, h.at, h.chain+1)
	if ok && saw != nil {
		h.spend(h.saw.add(saw))
	}
	return ok
}

// references follows the references of the part.
func (h *held) references() bool {
	ok := h.s.ref == nil || h.inPlace(h.s.ref)
	if to := h.s.recursiveRef; to != nil {
		ok = h.inPlace(h.recursive(to)) && ok
	}
	if to := h.s.dynamicRef; to != nil {
		ok = h.inPlace(h.dynamic(to)) && ok
	}
	return ok
}

// recursive returns the outermost part under way with a recursive anchor, when
// to has one too.
func (h *held) recursive(to *part) *part {
	if !to.recursiveAnchor {
		return to
	}
	for i, s := range h.scope {
		if s.recursiveAnchor {
			h.spend(i / 8)
			return s
		}
	}
	return to
}

// dynamic returns the part with the anchor of the outermost resource under way
// that has it.
func (h *held) dynamic(to *part) *part {
	if h.s.dynamic == "" {
		return to
	}
	for i, s := range h.scope {
		if there := s.home.dynamic[h.s.dynamic]; there != nil {
			h.spend(i / 8)
			return there
		}
	}
	return to
}

// combined applies the keywords that combine parts.
func (h *held) combined() bool {
	ok := true
	if h.s.not != nil && h.tries(func() bool { return h.inPlaceAlone(h.s.not) }) {
		ok = h.fail(h.at, "not failed")
	}
	for _, s := range h.s.allOf {
		ok = h.inPlace(s) && ok
	}
	ok = h.anyOf() && ok
	ok = h.oneOf() && ok
	if h.s.when == nil {
		return ok
	}
	if h.tries(func() bool { return h.inPlace(h.s.when) }) {
		return (h.s.then == nil || h.inPlace(h.s.then)) && ok
	}
	return (h.s.otherwise == nil || h.inPlace(h.s.otherwise)) && ok
}

// inPlaceAlone holds the same value to another part and forgets what it has
// evaluated.
func (h *held) inPlaceAlone(s *part) bool {
	ok, _ := h.hold(s, h.v, h.at, h.chain+1)
	return ok
}

// anyOf looks for a part that matches: for every one when somebody asks what was
// evaluated.
func (h *held) anyOf() bool {
	if len(h.s.anyOf) == 0 {
		return true
	}
	found, dropped := len(h.found), h.dropped
	matched := false
	for _, s := range h.s.anyOf {
		if matched = h.inPlace(s) || matched; matched && !h.tracks {
			break
		}
	}
	if matched {
		h.found, h.dropped = h.found[:found], dropped
	}
	return matched
}

func (h *held) oneOf() bool {
	if len(h.s.oneOf) == 0 {
		return true
	}
	found, dropped := len(h.found), h.dropped
	matched := -1
	for i, s := range h.s.oneOf {
		switch ok := h.inPlace(s); {
		case ok && matched >= 0:
			h.found, h.dropped = h.found[:found], dropped
			return h.fail(h.at, "valid against schemas at indexes %d and %d", matched, i)
		case ok:
			matched = i
		}
	}
	if matched >= 0 {
		h.found, h.dropped = h.found[:found], dropped
	}
	return matched >= 0
}

// number applies the bounds of numbers.
func (h *held) number(n *number) bool {
	s := h.s
	if s.minimum == nil && s.maximum == nil && s.exclusiveMinimum == nil && s.exclusiveMaximum == nil && s.multipleOf == nil {
		return true
	}
	h.spend(n.cost())
	r, ok := n.rat(), true
	if s.minimum != nil && r.Cmp(s.minimum) < 0 {
		ok = h.fail(h.at, "must be >= %s but found %s", ratText(s.minimum), brief(n))
	}
	if s.exclusiveMinimum != nil && r.Cmp(s.exclusiveMinimum) <= 0 {
		ok = h.fail(h.at, "must be > %s but found %s", ratText(s.exclusiveMinimum), brief(n))
	}
	if s.maximum != nil && r.Cmp(s.maximum) > 0 {
		ok = h.fail(h.at, "must be <= %s but found %s", ratText(s.maximum), brief(n))
	}
	if s.exclusiveMaximum != nil && r.Cmp(s.exclusiveMaximum) >= 0 {
		ok = h.fail(h.at, "must be < %s but found %s", ratText(s.exclusiveMaximum), brief(n))
	}
	if s.multipleOf != nil && s.multipleOf.Sign() != 0 {
		h.spend(s.multipleOf.Num().BitLen()/16 + s.multipleOf.Denom().BitLen()/16)
		if !divides(s.multipleOf, r) {
			ok = h.fail(h.at, "%s not multipleOf %s", brief(n), ratText(s.multipleOf))
		}
	}
	return ok
}

// evaluated is what of an object or a list some part has looked at.
type evaluated struct {
	all   bool
	names map[string]struct{}
	items map[int]struct{}
}

func (e *evaluated) everything() {
	if e != nil {
		e.all = true
	}
}

func (e *evaluated) name(n string) {
	if e == nil || e.all {
		return
	}
	if e.names == nil {
		e.names = map[string]struct{}{}
	}
	e.names[n] = struct{}{}
}

func (e *evaluated) item(i int) {
	if e == nil || e.all {
		return
	}
	if e.items == nil {
		e.items = map[int]struct{}{}
	}
	e.items[i] = struct{}{}
}

// add takes over what another part has evaluated, and returns how much that was.
func (e *evaluated) add(o *evaluated) int {
	e.all = e.all || o.all
	for n := range o.names {
		e.name(n)
	}
	for i := range o.items {
		e.item(i)
	}
	return len(o.names) + len(o.items)
}

// sorted returns names in order, and charges for it.
func (c *validation) sorted(names []string) []string {
	c.spend(len(names) / 4)
	return slices.SortedFunc(slices.Values(names), strings.Compare)
}
