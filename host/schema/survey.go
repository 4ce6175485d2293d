package schema

import (
	"maps"
	"net/url"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds on a schema, beyond those on its text.
const (
	maxParts    = 3000   // objects
	maxAnchors  = 100    // dynamic anchors
	maxNamed    = 500    // anchors of any kind
	maxPatterns = 200    // of the whole schema
	maxPattern  = 1000   // bytes of one pattern
	maxProgram  = 20_000 // instructions of one pattern
	maxPrograms = 100_000
	maxValues   = 1_000_000  // work to compare with the values of enum and const
	maxNesting  = 10_000_000 // sum over all elements of their depth, squared
)

// A survey reads a schema before the library does: it finds schemas that would take
// the library too long, or whose meaning it would choose by chance.
type survey struct {
	parts, patterns, programs, nesting, values int
	anchors                                    int      // dynamic ones
	named                                      []anchor // every one
	resources                                  []string // pointers to the parts that have an address
	refs                                       []string // references
	name                                       int      // longest name of a member, bytes
	deep                                       bool     // plain values may be schemas, too
	problems                                   []string
}

// over surveys a whole schema.
func (s *survey) over(v any) error {
	s.look(v, nil)
	for _, ref := range s.refs {
		if plain, err := url.PathUnescape(ref); err != nil || slices.ContainsFunc(plainKeys, func(k string) bool { return strings.Contains(plain, "/"+k) }) {
			*s = survey{deep: true}
			s.look(v, nil)
			break
		}
	}
	return s.err()
}

func (s *survey) fail(problem string) {
	if !slices.Contains(s.problems, problem) && len(s.problems) <= maxFindings {
		s.problems = append(s.problems, fault.Clip(problem, maxFinding))
	}
}

// An anchor is a name for a part of a schema.
type anchor struct{ at, name string }

// resource returns the pointer of the resource that a pointer leads into.
func (s *survey) resource(at string) string {
	best := ""
	for _, r := range s.resources {
		if len(r) > len(best) && (at == r || strings.HasPrefix(at, r+"/")) {
			best = r
		}
	}
	return best
}

// look walks over a value, whether it is a schema or not: a value that is not
// a schema, such as an enum's, only makes the bounds tighter.
func (s *survey) look(v any, path []string) {
	s.nesting += len(path) * len(path)
	switch v := v.(type) {
	case map[string]any:
		s.parts++
		s.object(v, path)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			s.name = max(s.name, len(name))
			if slices.Contains(plainKeys, name) {
				s.values += weight(v[name])
				if !s.deep {
					continue
				}
			}
			s.look(v[name], append(path, name))
		}
	case []any:
		for i, inner := range v {
			s.look(inner, append(path, strconv.Itoa(i)))
		}
	}
}

// plainKeys hold values, not schemas.
var plainKeys = []string{"enum", "const", "default", "examples"}

func (s *survey) object(o map[string]any, path []string) {
	if p, ok := o["pattern"].(string); ok {
		s.pattern(p)
	}
	if list, ok := o["patternProperties"].(map[string]any); ok {
		for _, p := range slices.Sorted(maps.Keys(list)) {
			s.pattern(p)
		}
	}
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if name, ok := o[key].(string); ok {
			s.named = append(s.named, anchor{pointer(path), name})
			if key == "$dynamicAnchor" {
				s.anchors++
			}
		}
	}
	for _, key := range []string{"$id", "id"} {
		if _, ok := o[key].(string); ok {
			s.resources = append(s.resources, pointer(path))
		}
	}
	for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref, ok := o[key].(string); ok {
			s.refs = append(s.refs, ref)
		}
	}
}

// pattern bounds a pattern before anybody compiles it.
func (s *survey) pattern(p string) {
	s.patterns++
	if len(p) > maxPattern {
		s.fail("a pattern has " + strconv.Itoa(len(p)) + " bytes, at most " + strconv.Itoa(maxPattern))
		return
	}
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		s.fail("'" + p + "' is not valid 'regex': " + strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return
	}
	n := programSize(re)
	if s.programs += n; n > maxProgram {
		s.fail("the regex '" + p + "' repeats too much")
	}
}

// programSize returns about how many instructions a pattern has, at most
// maxProgram and one.
func programSize(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n = min(n+programSize(sub), maxProgram+1)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return min(n, maxProgram+1)
}

func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(escape(name)))
	}
	return b.String()
}

var escape = strings.NewReplacer("~", "~0", "/", "~1").Replace

// err returns the problems found.
func (s *survey) err() error {
	for _, bound := range []struct {
		n, most int
		what    string
	}{
		{s.parts, maxParts, "objects"}, {s.anchors, maxAnchors, "dynamic anchors"}, {len(s.named), maxNamed, "anchors"}, {s.patterns, maxPatterns, "patterns"},
		{s.programs, maxPrograms, "steps in its patterns"}, {s.values, maxValues, "steps in its values"},
	} {
		if bound.n > bound.most {
			s.fail("it has " + strconv.Itoa(bound.n) + " " + bound.what + ", at most " + strconv.Itoa(bound.most))
		}
	}
	if s.nesting > maxNesting {
		s.fail("it is too large for its nesting")
	}
	seen := map[anchor]bool{}
	for _, a := range s.named {
		a.at = s.resource(a.at)
		if seen[a] {
			s.fail("the anchor '" + a.name + "' is defined twice")
		}
		seen[a] = true
	}
	if len(s.problems) == 0 {
		return nil
	}
	return fault.New(fault.Invalid, "the schema is not valid: %s", strings.Join(s.problems, "; "))
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~").Replace
