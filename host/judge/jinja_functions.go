package judge

import (
	"fmt"
	"strings"

	"github.com/nikolalohinski/gonja/v2/exec"
)

// bytesPerStep is how many bytes of text a step can read or copy.
const bytesPerStep = 64

// guardFunctions are what the guard puts into a template.
var guardFunctions = func() map[string]any {
	set := map[string]any{checkName: jinjaCheck, listName: jinjaList}
	for op, name := range operators {
		set[name] = operator(op)
	}
	return set
}()

func fail(err error) *exec.Value { return exec.AsValue(err) }

func failf(format string, args ...any) *exec.Value { return fail(fmt.Errorf(format, args...)) }

// jinjaCheck charges for a value, and hands it on.
func jinjaCheck(e *exec.Evaluator, a *exec.VarArgs) *exec.Value {
	b, v := budgetOf(e), a.Args[0]
	if err := b.charge(1 + a.Args[1].Integer() + sizeOf(v.Interface(), b.left*bytesPerStep)/bytesPerStep); err != nil {
		return fail(err)
	}
	return v
}

func jinjaList(_ *exec.Evaluator, a *exec.VarArgs) *exec.Value {
	out := make([]any, len(a.Args))
	for i, v := range a.Args {
		out[i] = v.Interface()
	}
	return exec.AsValue(out)
}

// joined joins texts if the result is not too big.
func joined(e *exec.Evaluator, parts ...string) *exec.Value {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n > maxRendered {
		return fail(budgetOf(e).refuse("it makes a text of %d bytes", n))
	}
	return exec.AsValue(strings.Join(parts, ""))
}

// maxRange is the longest list that a template can make.
const maxRange = 100_000

func jinjaRange(e *exec.Evaluator, a *exec.VarArgs) *exec.Value {
	start, stop, step := 0, 0, 1
	var n []int
	for _, v := range a.Args {
		if !v.IsInteger() {
			return failf("range needs integers")
		}
		n = append(n, v.Integer())
	}
	switch len(n) {
	case 1:
		stop = n[0]
	case 2:
		start, stop = n[0], n[1]
	case 3:
		start, stop, step = n[0], n[1], n[2]
	default:
		return failf("range takes one to three integers")
	}
	if step == 0 {
		return failf("the step of a range cannot be 0")
	}
	out := []any{}
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		if len(out) == maxRange {
			return fail(budgetOf(e).refuse("a range of more than %d elements", maxRange))
		}
		out = append(out, i)
	}
	return exec.AsValue(out)
}

// elements returns what a list, a mapping's keys or a text's letters are.
func elements(v *exec.Value) []any {
	out := []any{}
	if v.IsString() {
		for _, r := range v.String() {
			out = append(out, string(r))
		}
		return out
	}
	v.Iterate(func(_, _ int, key, _ *exec.Value) bool {
		out = append(out, key.Interface())
		return true
	}, func() {})
	return out
}

// sizeOf returns about how many bytes a value has as text; it looks no further
// than limit.
func sizeOf(v any, limit int) int {
	n := 8
	switch v := v.(type) {
	case string:
		return n + len(v)
	case []any:
		for _, e := range v {
			if n > limit {
				return n
			}
			n += sizeOf(e, limit-n)
		}
	case map[string]any:
		for k, e := range v {
			if n > limit {
				return n
			}
			n += len(k) + sizeOf(e, limit-n)
		}
	case *exec.Dict:
		for _, p := range v.Pairs {
			if n > limit {
				return n
			}
			n += sizeOf(p.Key.Interface(), limit-n) + sizeOf(p.Value.Interface(), limit-n)
		}
	case *exec.Value:
		return sizeOf(v.Interface(), limit)
	}
	return n
}
