package conformance

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
)

// facts are the known properties of a graded row, by name: nil, bool, float64 or
// string. "refused" is the class of the error if nothing was graded, else nil.
type facts map[string]any

// anything is any value but nil.
type anything struct{}

// containing is a text that contains this one.
type containing string

// tolerance is how far two equal numbers may lie apart.
const tolerance = 1e-9

// empty reports whether the facts say no more than that a row is graded.
func (f facts) empty() bool {
	for name, v := range f {
		if v != nil || !strings.HasSuffix(name, "refused") {
			return false
		}
	}
	return true
}

// missed says where got is not as f has it.
func (f facts) missed(got facts) []string {
	var out []string
	for _, name := range sortedKeys(f) {
		if !same(f[name], got[name]) {
			out = append(out, fmt.Sprintf("%s: want %s, got %s", name, shown(f[name]), shown(got[name])))
		}
	}
	return out
}

func same(want, got any) bool {
	switch w := want.(type) {
	case anything:
		return got != nil
	case containing:
		s, ok := got.(string)
		return ok && strings.Contains(s, string(w))
	case int:
		return same(float64(w), got)
	case float64:
		x, ok := got.(float64)
		return ok && (x == w || math.Abs(x-w) <= tolerance)
	}
	return want == got
}

func shown(v any) string {
	switch v := v.(type) {
	case anything:
		return "anything"
	case containing:
		return "…" + strconv.Quote(string(v)) + "…"
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

// String lists the facts, one a line.
func (f facts) String() string {
	var b strings.Builder
	for _, name := range sortedKeys(f) {
		fmt.Fprintf(&b, "\n\t%s: %s", name, shown(f[name]))
	}
	return b.String()
}

// at puts a prefix before the name of every fact.
func (f facts) at(prefix string) facts {
	out := facts{}
	for name, v := range f {
		out[prefix+name] = v
	}
	return out
}

// and adds facts to f.
func (f facts) and(more facts) facts {
	maps.Copy(f, more)
	return f
}

// dig returns the value at a path of keys and list positions, and whether there
// is one.
func dig(v any, path ...any) (any, bool) {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			next, ok := m[p]
			if !ok {
				return nil, false
			}
			v = next
		case int:
			list, ok := v.([]any)
			if !ok || p >= len(list) {
				return nil, false
			}
			v = list[p]
		}
	}
	return v, true
}

// textAt returns the text at a path, empty if there is none.
func textAt(v any, path ...any) string {
	found, _ := dig(v, path...)
	s, _ := found.(string)
	return s
}

// listAt returns the list at a path, nil if there is none.
func listAt(v any, path ...any) []any {
	found, _ := dig(v, path...)
	list, _ := found.([]any)
	return list
}

// take copies the value at a path into the facts, if there is one.
func (f facts) take(name string, v any, path ...any) {
	if found, ok := dig(v, path...); ok {
		f[name] = found
	}
}
