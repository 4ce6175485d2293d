package judge

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// Engine is plugins/jinja, loaded once for all tests.
var Engine = sync.OnceValue(func() Templates {
	cache, err := wasmtest.SharedCache()
	if err != nil {
		panic(err)
	}
	rt, err := wasm.New(context.Background(), wasm.Options{CacheDir: cache})
	if err != nil {
		panic(err)
	}
	name, module := plugins.Jinja()
	l := TemplateLimits()
	l.Deadline = time.Minute // of a slow machine
	m, err := rt.Load(context.Background(), wasm.Source{Name: name, Module: module}, l)
	if err != nil {
		panic(err)
	}
	return m
})

func target() map[string]any {
	return map[string]any{
		"questions": []any{"q1", "q2"}, "n": 3.0, "f": 3.5, "t": true, "nothing": nil, "text": "one two\nthree", "items": "mine", "range": "yours",
		"a": map[string]any{"b": map[string]any{"c": "C"}, "k": "v"}, "rows": []any{map[string]any{"x": 1.0}, map[string]any{"x": 2.0, "y": "z"}},
	}
}

func TestRender_AgreesWithJinja2(t *testing.T) {
	tests := []struct {
		name, source, want string
	}{
		{"the loop of the dataknobs guide", "{% for q in questions %}\n- {{ q }}\n{% endfor %}", "\n- q1\n\n- q2\n"},
		{"members and elements", "{{ a.b.c }} {{ a['b'].c }} {{ questions[0] }} {{ questions[-1:] }} {{ text[0:3] }}", "C C q1 ['q2'] one"},
		{"whole numbers print as such", "{{ n }} {{ f }} {{ n + 1 }} {{ n ~ 'z' }}", "3 3.5 4 3z"},
		{"arithmetic is Python's", "{{ 7 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 2 ** 3 }} {{ 1 - 2.5 }} {{ 'ab' * 2 }} {{ [1] + [2] }}", "3.5 3 -4 2 8 -1.5 abab [1, 2]"},
		{"a name that is not defined can be asked about", "{{ missing|default('d') }} {{ missing is defined }} {{ missing is undefined }} {{ a.q|d('e') }}", "d False True e"},
		{"pairs of a mapping, in order", "{% for k, v in a.items() %}{{ k }}={{ v }};{% endfor %}", "b={'c': 'C'};k=v;"},
		{"keys of a mapping, in order", "{% for k in a %}{{ k }}{% endfor %}{{ a.keys()|join }}{{ a.get('zz', 'no') }}", "bkbkno"},
		{"set, by value and by body", "{% set x = n * 2 %}{{ x }}{% set y %}a{{ n }}{% endset %}{{ y|upper }}", "6A3"},
		{"the loop's own names", "{% for i in [7, 8] %}{{ loop.index }}/{{ loop.length }}{% if not loop.last %},{% endif %}{% endfor %}", "1/2,2/2"},
		{"a loop with a condition", "{% for q in questions if q != 'q1' %}{{ q }}{% else %}none{% endfor %}", "q2"},
		{"a loop over nothing", "{% for q in [] %}{{ q }}{% else %}none{% endfor %}", "none"},
		{"a loop over letters, not bytes", "{% for c in 'aé日' %}<{{ c }}>{% endfor %}", "<a><é><日>"},
		{"filters", "{{ questions|map('upper')|join('-') }} {{ questions|length }} {{ questions|reverse }} {{ [3, 1, 2]|sort }} {{ 'b a'|replace('b', 'c') }} {{ 'x'|indent(2, true) }} {{ 'ab'|reverse }}",
			"Q1-Q2 2 ['q2', 'q1'] [1, 2, 3] c a   x ba"},
		{"filters over attributes", "{{ rows|map(attribute='x')|sum }} {{ rows|map(attribute='y', default='-')|join }} {{ rows|selectattr('y')|length }} {{ rows|rejectattr('y')|length }} {{ rows|selectattr('x', 'gt', 1)|length }} {{ rows|join(',', 'x') }}",
			"3 -z 1 1 1 1,2"},
		{"JSON", "{{ a|tojson }} {{ questions|tojson }}", `{"b": {"c": "C"}, "k": "v"} ["q1", "q2"]`},
		{"methods", "{{ text.split()|length }} {{ text.upper().startswith('ONE') }} {{ text.splitlines()[1] }} {{ ' x '.strip() }}{{ 'aXb'.replace('X', '-') }}", "3 True three xa-b"},
		{"tests and conditions", "{{ 'yes' if n > 2 and 'k' in a else 'no' }} {{ n is odd }} {{ not t }} {{ nothing is none }}", "yes True False True"},
		{"comments and raw text", "{# no #}{% raw %}{{ x }}{% endraw %}", "{{ x }}"},
		{"white space control", "{%- if n -%}  x  {%- endif -%}", "x"},
		{"members named like functions", "{{ items }} {{ range }}", "mine yours"},
		{"no template at all", "plain text", "plain text"},
		{"an empty raw block", "{% raw %}{% endraw %}", ""},
		{"a set of two names", "{% set x, y = [1, 2] %}{{ y }}{{ x }}", "21"},
		{"a block with names and one with a filter", "{% with x = n %}{{ x }}{% endwith %}{% filter upper %}a{% endfilter %}", "3A"},
		{"a quotation mark", "{{ [\"it's\", 'a\\nb'] }}", `["it's", 'a\nb']`},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j, err := compile(t.Context(), Engine(), tt.source)
			must(t, err)
			if got, err := j.render(t.Context(), target()); err != nil || got != tt.want {
				t.Errorf("got  %q (%v)\nwant %q", got, err, tt.want)
			}
		})
	}
}

func TestCompile_RefusesInvalidTemplates(t *testing.T) {
	deep := func(open, inner, shut string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	tests := []struct{ name, source, says string }{
		{"an expression that does not end", "x\n{{ q", "line 2: unexpected end of input"},
		{"a comment that does not end", "a\nb\n{# c", "line 3: unexpected end of comment"},
		{"a loop that does not end", "{% for x in y %}", "end of block"},
		{"a loop without anything", "{% for %}{% endfor %}", "expected in"},
		{"an unknown filter", "a\n{{ x|nofilter }}", `line 2: unknown filter "nofilter"`},
		{"an unknown test", "{{ x is odder }}", `unknown test "odder"`},
		{"an unknown function", "{{ open('/etc/passwd') }}", `unknown function "open"`},
		{"another template", "{% include '/etc/passwd' %}", "include"},
		{"a parent template", "{% extends 'x' %}", "extends"},
		{"an import", "{% from 'x' import y %}", "from"},
		{"a macro", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "macro"},
		{"a recursive loop", "{% for x in y recursive %}{{ loop(x) }}{% endfor %}", "recursive"},
		{"a call of the loop", "{% for x in y %}{{ loop(x) }}{% endfor %}", `unknown function "loop"`},
		{"the template itself", "{{ self }}", "self"},
		{"filters that make big things", "{{ 'x'|center(1000000000) }}", `unknown filter "center"`},
		{"formats that make big things", "{{ '%1000000000d'|format(1) }}", `unknown filter "format"`},
		{"anything random", "{{ [1, 2]|random }}", `unknown filter "random"`},
		{"a namespace", "{% set n = namespace(x=1) %}", `unknown function "namespace"`},
		{"brackets without end", "{{ " + deep("(", "1", ")", 50_000/2) + " }}", "recursion"},
		{"lists without end", "{{ " + deep("[", "1", "]", 50_000/2) + " }}", "recursion"},
		{"a sum without end", "{{ 1" + strings.Repeat("+1", 20_000) + " }}", "nests"},
		{"attributes without end", "{{ a" + strings.Repeat(".b", 20_000) + " }}", "nests"},
		{"too long", strings.Repeat("x", 1<<20), "at most 65536"},
		{"an operator without operand", "{{ 1 + }}", "expected"},
		{"a set of an attribute", "{% set a.b = 1 %}", "only names"},
		{"a tag beyond Jinja2", "{% do range(3) %}", "do"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := compile(t.Context(), Engine(), tt.source)
			if fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("err = %.300v, want one that says %q", err, tt.says)
			}
			if len(err.Error()) > 500 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestRender_RefusesWhatIsUndefinedOrFails(t *testing.T) {
	tests := []struct{ name, source, says string }{
		{"a name", "a\n{{ missing }}", "line 2: 'missing' is undefined"},
		{"a member", "{{ a.missing }}", "'a.missing' is undefined"},
		{"a member of a member", "{{ a.b.c.d }}", "'a.b.c.d' is undefined"},
		{"an element", "{{ questions[7] }}", "'questions[7]' is undefined"},
		{"a name in a condition", "{% if missing %}y{% endif %}", "missing"},
		{"a name in a loop's condition", "{% for q in questions if missing %}y{% endfor %}", "missing"},
		{"a name in a list", "{{ [missing] }}", "missing"},
		{"a name in a mapping", "{{ {'a': missing} }}", "missing"},
		{"a name in an argument", "{{ 'x'|replace('x', missing) }}", "missing"},
		{"a name in a test", "{{ missing is none }}", "missing"},
		{"a name in a comparison", "{{ 1 == missing }}", "missing"},
		{"a name behind a filter", "{{ missing|upper }}", "missing"},
		{"an attribute of an element", "{{ rows|map(attribute='y')|list }}", "an element of the result of map is undefined"},
		{"an attribute that a filter sorts by", "{{ rows|sort(attribute='y') }}", "attribute 'y' of an element is undefined"},
		{"an attribute that a filter sums", "{{ rows|sum('y') }}", "attribute 'y' of an element"},
		{"an attribute that a filter joins", "{{ rows|join(',', 'y') }}", "attribute 'y' of an element"},
		{"the first of nothing", "{{ [[]|first] }}", "the result of first is undefined"},
		{"the other side of a condition", "{{ [1 if false] }}", "an if without else is undefined"},
		{"a name in a method's argument", "{{ 'a'.join(missing) }}", "'missing' is undefined"},
		{"a name before default, behind an attribute", "{{ missing.a|default('d') }}", "'missing' is undefined"},
		{"an attribute behind a method", "{{ a.b.nothing() }}", "nothing"},
		{"a loop over a number", "{% for x in n %}{% endfor %}", "not iterable"},
		{"a loop over what are not pairs", "{% for k, v in questions %}{{ k }}{% endfor %}", "not iterable"},
		{"division by zero", "{{ 1 / 0 }}", "1 / 0"},
		{"a remainder by zero", "{{ 1 % 0 }}", "1 % 0"},
		{"arithmetic with text", "{{ 1 + 'a' }}", "unsupported types"},
		{"numbers beyond all bounds", "{{ 10.0 ** 400 }}", "beyond the range"},
		{"a test without its argument", "{{ 1 is ge }}", "missing argument"},
		{"dunder", "{{ a.__class__ }}", "__class__"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j, err := compile(t.Context(), Engine(), tt.source)
			must(t, err)
			got, err := j.render(t.Context(), target())
			if got != "" || fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %q, err = %v, want one that says %q", got, err, tt.says)
			}
		})
	}
}

// TestRender_BoundsHostileTemplates: each of these would take hours or
// gigabytes.
func TestRender_BoundsHostileTemplates(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	doubling := "{% set x = 'aaaaaaaaaaaaaaaa' %}" + strings.Repeat("{% set x = x ~ x %}", 60) + "{{ x|length }}"
	tests := []struct{ name, source string }{
		{"nested loops without a body", "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"},
		{"nested loops with a condition", "{% for a in range(100000) if a > 5 %}{% for b in range(100000) if b is odd %}{% endfor %}{% endfor %}"},
		{"a range without end", "{{ range(1000000000000) }}"},
		{"a range backwards without end", "{{ range(0, -1000000000000, -1)|length }}"},
		{"text times a billion", "{{ 'a' * 1000000000 }}"},
		{"text times the biggest number", "{{ 'ab' * 9223372036854775807 }}"},
		{"doubling by ~", doubling},
		{"doubling by +", strings.ReplaceAll(doubling, "~", "+")},
		{"doubling lists", "{% set x = [1, 2, 3, 4] %}" + strings.Repeat("{% set x = x + x %}", 60)},
		{"doubling by replace", "{% set x = 'a' %}" + strings.Repeat("{% set x = x|replace('a', 'aaaa') %}", 60)},
		{"doubling by a method", "{% set x = 'a' %}" + strings.Repeat("{% set x = x.replace('a', 'aaaa') %}", 60)},
		{"doubling by join", "{% set x = 'aaaa' %}" + strings.Repeat("{% set x = x|join(x) %}", 60)},
		{"nothing replaced by much", "{% set x = big %}{{ x|replace('', x) }}"},
		{"a body that doubles", "{% set x = 'aaaaaaaa' %}" + strings.Repeat("{% set x %}{{ x }}{{ x }}{% endset %}", 60)},
		{"much text in a loop", "{% for a in range(100000) %}" + strings.Repeat("text ", 1000) + "{% endfor %}"},
		{"big text compared in a loop", "{% for a in range(100000) %}{% if big == big ~ 'x' %}{% endif %}{% endfor %}"},
		{"big text searched in a loop", "{% for a in range(100000) %}{{ '' if 'zz' in big else '' }}{% endfor %}"},
		{"big text measured by a method in a loop", "{% for a in range(100000) %}{% set n = big.count('zz') %}{% endfor %}"},
		{"big list sorted in a loop", "{% set l = range(50000)|list %}{% for a in range(50000) %}{% set m = l|sort %}{% endfor %}"},
		{"a digit string that takes long to read", "{% for a in range(1000) %}{% set n = digits|int %}{% endfor %}"},
		{"swallowed by default", "{{ ('a' * 1000000000)|default('fine') }}"},
		{"asked whether it is defined", "{{ ('a' * 1000000000) is defined }}"},
		{"one long expression in a loop", "{% for a in range(100000) %}{{ '' if " + strings.Repeat("a and ", 60) + "false else '' }}{% endfor %}"},
	}
	one := amount.OneIn(4)
	for _, tt := range tests {
		if !one() {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			j, err := compile(t.Context(), Engine(), tt.source)
			must(t, err)
			got, err := j.render(t.Context(), map[string]any{"big": strings.Repeat("a", 1<<20), "digits": strings.Repeat("9", 1<<19)})
			if fault.Of(err) != fault.Invalid || len(err.Error()) > 500 || got != "" {
				t.Errorf("rendered %d bytes, err = %.300v", len(got), err)
			}
		})
	}
}

func TestRender_IsSafeForConcurrentUse(t *testing.T) {
	j, err := compile(t.Context(), Engine(), "{% set s = n %}{% for i in range(n) if i is even %}{{ i }}{% if loop.last %}={{ s }}{% endif %}{% endfor %}")
	must(t, err)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for range 20 {
				if got, err := j.render(t.Context(), map[string]any{"n": 5.0}); err != nil || got != "024=5" {
					t.Errorf("got %q, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzRender(f *testing.F) {
	for _, s := range []string{
		"{% for q in questions %}- {{ q }}{% endfor %}", "{{ a.b.c|default('x')|upper }}", "{% set x = [1, 'a', {'b': 2}] %}{{ x|tojson }}",
		"{% if n > 2 and t %}{{ 7 // n }}{% elif f %}{{ text.split()[0] }}{% else %}-{% endif %}", "{% raw %}{{{% endraw %}{#- c -#}", "{{ rows|map(attribute='x')|sort(reverse=true)|join(', ') }}",
		"{{ questions[::-1] }}{{ 'x'*n }}{{ range(3)|list }}", "{%", "{{ '\\'' }}", "{{ 1.5e3 ** -2 }}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		j, err := compile(t.Context(), Engine(), source)
		if err != nil {
			if fault.Of(err) != fault.Invalid {
				t.Fatalf("class %q: %v", fault.Of(err), err)
			}
			return
		}
		got, err := j.render(t.Context(), target())
		if err != nil && (fault.Of(err) != fault.Invalid || got != "") {
			t.Fatalf("class %q, %q: %v", fault.Of(err), got, err)
		}
		if len(got) > 1<<20 {
			t.Fatalf("%d bytes", len(got))
		}
	})
}
