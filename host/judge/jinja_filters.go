package judge

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/exec"
)

// engineFilters are filters of the engine whose result is no bigger than a few
// times what they are given.
var engineFilters = []string{
	"abs", "capitalize", "count", "dictsort", "e", "escape", "first", "float", "int", "items", "last", "length", "list",
	"lower", "max", "min", "round", "safe", "sort", "string", "striptags", "sum", "title", "trim", "truncate", "unique", "upper", "wordcount",
}

// jinjaFilters are the filters that a template may use.
var jinjaFilters = sync.OnceValue(func() *exec.FilterSet {
	set := map[string]exec.FilterFunction{
		"default": jinjaDefault, "d": jinjaDefault,
		"indent": guarded(jinjaIndent), "join": guarded(jinjaJoin), "map": guarded(jinjaMap), "replace": guarded(jinjaReplace),
		"reverse": guarded(jinjaReverse), "tojson": guarded(jinjaToJSON),
		"select": guarded(jinjaPick("", true)), "reject": guarded(jinjaPick("", false)),
		"selectattr": guarded(jinjaPick("attr", true)), "rejectattr": guarded(jinjaPick("attr", false)),
	}
	for _, name := range engineFilters {
		f, ok := builtins.Filters.Get(name)
		if !ok {
			panic("judge: the template engine has no filter " + name)
		}
		set[name] = guarded(f)
	}
	for _, name := range []string{"int", "float"} {
		set[name] = fewDigits(set[name])
	}
	return exec.NewFilterSet(set)
})

// fewDigits keeps text from a filter that reads numbers if it is longer than a
// number is: reading digits takes the square of their count.
func fewDigits(f exec.FilterFunction) exec.FilterFunction {
	const most = 400
	return func(e *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
		if in.IsString() && len(in.String()) > most {
			return failf("a text of %d bytes is no number", len(in.String()))
		}
		return f(e, in, a)
	}
}

// guarded charges a filter for what it reads and what it makes, and keeps it
// from anything that already went wrong.
func guarded(f exec.FilterFunction) exec.FilterFunction {
	return func(e *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
		if in.IsError() {
			return in
		}
		b := budgetOf(e)
		size := sizeOf(in.Interface(), b.left*bytesPerStep)
		if err := b.charge(1 + 4*size/bytesPerStep); err != nil { // sorting and the like look more than once
			return fail(err)
		}
		out := f(e, in, a)
		if out.IsError() {
			return out
		}
		made := sizeOf(out.Interface(), 2*maxRendered)
		if made > maxRendered && made > size {
			return fail(b.refuse("a filter makes more than %d bytes", maxRendered))
		}
		if err := b.charge(made / bytesPerStep); err != nil {
			return fail(err)
		}
		return out
	}
}

// argument returns an argument by position or by name, nil if it is not given.
func argument(a *exec.VarArgs, at int, name string) *exec.Value {
	if at < len(a.Args) {
		return a.Args[at]
	}
	return a.KwArgs[name]
}

// jinjaDefault stands in for what is not defined.
func jinjaDefault(_ *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
	d := argument(a, 0, "default_value")
	if d == nil {
		d = exec.AsValue("")
	}
	always := argument(a, 1, "boolean")
	if in.IsError() || always != nil && always.IsTrue() && !in.IsTrue() {
		return d
	}
	return in
}

func jinjaIndent(_ *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
	const most = 32
	width, pad := argument(a, 0, "width"), strings.Repeat(" ", 4)
	switch {
	case width == nil:
	case width.IsInteger() && width.Integer() >= 0 && width.Integer() <= most:
		pad = strings.Repeat(" ", width.Integer())
	case width.IsString() && len(width.String()) <= most:
		pad = width.String()
	default:
		return failf("indent takes at most %d columns", most)
	}
	first, blank := argument(a, 1, "first"), argument(a, 2, "blank")
	lines := strings.Split(in.String(), "\n")
	if len(lines)*len(pad)+len(in.String()) > maxRendered {
		return failf("indent makes more than %d bytes", maxRendered)
	}
	for i, l := range lines {
		if i == 0 && (first == nil || !first.IsTrue()) || l == "" && (blank == nil || !blank.IsTrue()) {
			continue
		}
		lines[i] = pad + l
	}
	return exec.AsValue(strings.Join(lines, "\n"))
}

func jinjaJoin(e *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
	sep := ""
	if v := argument(a, 0, "d"); v != nil {
		sep = v.String()
	}
	list := elements(in)
	if attr := argument(a, 1, "attribute"); attr != nil {
		var err error
		if list, err = attributes(list, attr.String(), nil); err != nil {
			return fail(err)
		}
	}
	n := len(sep) * len(list)
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = exec.AsValue(v).String()
		if n += len(texts[i]); n > maxRendered {
			return fail(budgetOf(e).refuse("join makes more than %d bytes", maxRendered))
		}
	}
	return exec.AsValue(strings.Join(texts, sep))
}

// attributes returns the attribute of each element; otherwise, if it is not
// nil, stands for one that is missing.
func attributes(list []any, path string, otherwise *exec.Value) ([]any, error) {
	out := make([]any, len(list))
	for i, item := range list {
		v := exec.AsValue(item)
		for _, name := range strings.Split(path, ".") {
			got, ok := v.GetItem(name)
			if !ok {
				if otherwise == nil {
					return nil, fmt.Errorf("an element has no attribute %q", brief(path))
				}
				got = otherwise
			}
			v = got
			if !ok {
				break
			}
		}
		out[i] = v.Interface()
	}
	return out, nil
}

func jinjaMap(e *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
	list := elements(in)
	if attr := a.KwArgs["attribute"]; attr != nil {
		out, err := attributes(list, attr.String(), a.KwArgs["default"])
		if err != nil {
			return fail(err)
		}
		return exec.AsValue(out)
	}
	if len(a.Args) == 0 {
		return failf("map needs a filter or an attribute")
	}
	name := a.Args[0].String()
	if !e.Environment.Filters.Exists(name) {
		return failf("unknown filter %q", brief(name))
	}
	out := make([]any, len(list))
	for i, v := range list {
		// Arguments are taken off as they are read: each call gets its own.
		got := e.ExecuteFilterByName(name, exec.AsValue(v), &exec.VarArgs{Args: slices.Clone(a.Args[1:]), KwArgs: a.KwArgs})
		if got.IsError() {
			return got
		}
		out[i] = got.Interface()
	}
	return exec.AsValue(out)
}

// jinjaPick keeps the elements whose value, or attribute, passes a test or not.
func jinjaPick(kind string, keep bool) exec.FilterFunction {
	return func(e *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
		list, args := elements(in), a.Args
		looked := list
		if kind == "attr" {
			if len(args) == 0 {
				return failf("an attribute is needed")
			}
			var err error
			if looked, err = attributes(list, args[0].String(), exec.AsValue(nil)); err != nil {
				return fail(err)
			}
			args = args[1:]
		}
		out := []any{}
		for i, v := range looked {
			holds := exec.AsValue(exec.AsValue(v).IsTrue())
			if len(args) > 0 {
				if !e.Environment.Tests.Exists(args[0].String()) {
					return failf("unknown test %q", brief(args[0].String()))
				}
				holds = e.ExecuteTestByName(args[0].String(), exec.AsValue(v), &exec.VarArgs{Args: slices.Clone(args[1:]), KwArgs: a.KwArgs})
			}
			if holds.IsError() {
				return holds
			}
			if holds.IsTrue() == keep {
				out = append(out, list[i])
			}
		}
		return exec.AsValue(out)
	}
}

func jinjaReplace(e *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
	was, is := argument(a, 0, "old"), argument(a, 1, "new")
	if was == nil || is == nil {
		return failf("replace needs what to replace, and by what")
	}
	text, count := in.String(), -1
	if v := argument(a, 2, "count"); v != nil && v.IsInteger() {
		count = v.Integer()
	}
	if n := strings.Count(text, was.String()); len(text)+n*len(is.String()) > maxRendered {
		return fail(budgetOf(e).refuse("replace makes more than %d bytes", maxRendered))
	}
	return exec.AsValue(strings.Replace(text, was.String(), is.String(), count))
}

func jinjaReverse(_ *exec.Evaluator, in *exec.Value, _ *exec.VarArgs) *exec.Value {
	list := elements(in)
	slices.Reverse(list)
	if !in.IsString() {
		return exec.AsValue(list)
	}
	var b strings.Builder
	for _, v := range list {
		b.WriteString(v.(string))
	}
	return exec.AsValue(b.String())
}

func jinjaToJSON(_ *exec.Evaluator, in *exec.Value, a *exec.VarArgs) *exec.Value {
	if v := argument(a, 0, "indent"); v != nil && (!v.IsInteger() || v.Integer() < 0 || v.Integer() > 8) {
		return failf("tojson indents by at most 8 columns")
	}
	how := []json.Options{json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.SpaceAfterColon(true)}
	if v := argument(a, 0, "indent"); v != nil {
		how = append(how, jsontext.WithIndent(strings.Repeat(" ", v.Integer())))
	} else {
		how = append(how, jsontext.SpaceAfterComma(true))
	}
	text, err := json.Marshal(in.ToGoSimpleType(false), how...)
	if err != nil {
		return fail(err)
	}
	return exec.AsValue(string(text))
}
