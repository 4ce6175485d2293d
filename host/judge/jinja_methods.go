package judge

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/exec"
)

// jinjaTests are the tests that a template may use.
var jinjaTests = sync.OnceValue(func() *exec.TestSet {
	set := map[string]exec.TestFunction{}
	for _, name := range []string{
		"boolean", "defined", "undefined", "divisibleby", "eq", "equalto", "==", "even", "false", "float", "ge", ">=", "gt", "greaterthan", ">",
		"in", "integer", "iterable", "le", "<=", "lower", "lt", "lessthan", "<", "mapping", "ne", "!=", "none", "number", "odd", "sequence",
		"string", "true", "upper",
	} {
		f, ok := builtins.Tests.Get(name)
		if !ok {
			panic("judge: the template engine has no test " + name)
		}
		set[name] = strictTest(name, f)
	}
	return exec.NewTestSet(set)
})

// strictTest keeps a test from what is not defined, unless that is the question.
func strictTest(name string, f exec.TestFunction) exec.TestFunction {
	test, ok := f.(func(*exec.Context, *exec.Value, *exec.VarArgs) (bool, error))
	if !ok {
		panic("judge: the template engine's test " + name + " has another form")
	}
	return func(ctx *exec.Context, in *exec.Value, a *exec.VarArgs) (bool, error) {
		switch name {
		case "defined":
			return !in.IsError(), nil
		case "undefined":
			return in.IsError(), nil
		}
		if in.IsError() {
			return false, errors.New(in.Error())
		}
		return test(ctx, in, a)
	}
}

type method = exec.Method[string]

// onText makes a method of text.
func onText(f func(string) any) method {
	return func(self string, _ *exec.Value, _ *exec.VarArgs) (any, error) { return f(self), nil }
}

// withText makes a method of text that takes one or more texts.
func withText(n int, f func(self string, args []string) (any, error)) method {
	return func(self string, _ *exec.Value, a *exec.VarArgs) (any, error) {
		args := make([]string, len(a.Args))
		for i, v := range a.Args {
			args[i] = v.String()
		}
		if len(args) < n {
			return nil, fmt.Errorf("the method needs %d arguments", n)
		}
		return f(self, args)
	}
}

// anys makes a list that templates can loop over.
func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// jinjaMethods are the methods of values that a template may use.
var jinjaMethods = exec.Methods{
	Bool: exec.NewMethodSet(map[string]exec.Method[bool]{}), Int: exec.NewMethodSet(map[string]exec.Method[int]{}),
	Float: exec.NewMethodSet(map[string]exec.Method[float64]{}), List: exec.NewMethodSet(map[string]exec.Method[[]any]{}),
	Str: exec.NewMethodSet(map[string]method{
		"upper":      onText(func(s string) any { return strings.ToUpper(s) }),
		"lower":      onText(func(s string) any { return strings.ToLower(s) }),
		"strip":      onText(func(s string) any { return strings.TrimSpace(s) }),
		"splitlines": onText(func(s string) any { return anys(strings.Split(strings.TrimSuffix(s, "\n"), "\n")) }),
		"startswith": withText(1, func(s string, a []string) (any, error) { return strings.HasPrefix(s, a[0]), nil }),
		"endswith":   withText(1, func(s string, a []string) (any, error) { return strings.HasSuffix(s, a[0]), nil }),
		"split": withText(0, func(s string, a []string) (any, error) {
			if len(a) == 0 {
				return anys(strings.Fields(s)), nil
			}
			if a[0] == "" {
				return nil, errors.New("split needs a separator that is not empty")
			}
			return anys(strings.Split(s, a[0])), nil
		}),
		"replace": withText(2, func(s string, a []string) (any, error) {
			if len(s)+strings.Count(s, a[0])*len(a[1]) > maxRendered {
				return nil, fmt.Errorf("replace makes more than %d bytes", maxRendered)
			}
			return strings.ReplaceAll(s, a[0], a[1]), nil
		}),
		"count": withText(1, func(s string, a []string) (any, error) {
			if a[0] == "" {
				return utf8.RuneCountInString(s) + 1, nil
			}
			return strings.Count(s, a[0]), nil
		}),
	}),
	Dict: exec.NewMethodSet(map[string]exec.Method[map[string]any]{
		"keys":   func(_ map[string]any, v *exec.Value, _ *exec.VarArgs) (any, error) { return elements(v), nil },
		"values": func(_ map[string]any, v *exec.Value, _ *exec.VarArgs) (any, error) { return pairsOf(v, false), nil },
		"items":  func(_ map[string]any, v *exec.Value, _ *exec.VarArgs) (any, error) { return pairsOf(v, true), nil },
		"get": func(m map[string]any, _ *exec.Value, a *exec.VarArgs) (any, error) {
			if len(a.Args) == 0 {
				return nil, errors.New("get needs a key")
			}
			if got, ok := m[a.Args[0].String()]; ok {
				return got, nil
			}
			if len(a.Args) > 1 {
				return a.Args[1].Interface(), nil
			}
			return nil, nil
		},
	}),
}

// pairsOf returns the values of a mapping in the order of its keys, or pairs of
// both.
func pairsOf(v *exec.Value, both bool) []any {
	out := []any{}
	v.Iterate(func(_, _ int, key, value *exec.Value) bool {
		if both {
			out = append(out, []any{key.Interface(), value.Interface()})
		} else {
			out = append(out, value.Interface())
		}
		return true
	}, func() {})
	return out
}
