#!/usr/bin/env python3
"""Compares code plugins with the languages' own parsers on short programs: each place of an expression, a type or a target with each kind of what may stand there.

Usage: places.py PROGRAM python|javascript|typescript|go|rust|java|bash|c|cpp [PART/PARTS]

PROGRAM is the built rubric-host. The parsers are those of mutants.py. Prints the programs with another verdict, and how many there are; of 2/5
the second of every five programs.
"""

import sys
import tempfile
import warnings

import agree  # noqa: F401: it adds the directory of lines
import lines
import mutants

# A tilde separates items. $$ marks the place; \n is a line break.
PLACES = {
    "python": r"""
f($$) ~ f(a, $$) ~ f(a=$$) ~ [$$] ~ {$$} ~ ($$) ~ ($$,) ~ $$ ~ x = $$ ~ x += $$ ~ x: int = $$ ~ x: $$ ~ return $$ ~ yield $$ ~ await $$ ~ not $$ ~ - $$
a + $$ ~ $$ + a ~ a < $$ ~ $$ < a ~ a is $$ ~ a in $$ ~ a and $$ ~ $$ or a ~ a if $$ else b ~ $$ if a else b ~ a if b else $$ ~ lambda: $$ ~ lambda x=$$: x
def f(x=$$): pass ~ def f(x: $$): pass ~ def f(*x: $$): pass ~ def f(**x: $$): pass ~ def f() -> $$: pass ~ x[$$] ~ x[$$:a] ~ x[a:$$] ~ x[a, $$] ~ $$.y ~ $$()
$$[0] ~ del $$ ~ del [$$] ~ del a, $$ ~ del ($$,) ~ for x in $$: pass ~ for $$ in x: pass ~ for a, $$ in x: pass ~ [a for a in $$] ~ [a for $$ in b]
[a for a in b if $$] ~ [$$ for a in b] ~ {$$: 1} ~ {1: $$} ~ {**$$} ~ f(**$$) ~ f(*$$) ~ [*$$] ~ if $$: pass ~ while $$: pass ~ assert $$ ~ assert a, $$
raise $$ ~ raise a from $$ ~ with $$: pass ~ with $$ as b: pass ~ with a as $$: pass ~ with (a as $$): pass ~ with (a as $$, b): pass ~ class A($$): pass
@$$ ~ import a as $$ ~ from a import $$ ~ global $$ ~ f"{$$}" ~ f"{$$!r}" ~ f"{a:{$$}}" ~ (x := $$) ~ ($$ := 1) ~ print($$, file=$$)
match $$:\n  case _: pass ~ match a:\n  case $$: pass ~ match a:\n  case [$$]: pass ~ match a:\n  case ($$): pass ~ match a:\n  case ($$, b): pass
match a:\n  case A($$): pass ~ match a:\n  case A(x=$$): pass ~ match a:\n  case {1: $$}: pass ~ match a:\n  case {$$: b}: pass
match a:\n  case a | $$: pass ~ match a:\n  case $$ as b: pass ~ match a:\n  case $$ if b: pass ~ match a:\n  case b if $$: pass
match a:\n  case b as $$: pass ~ type A = $$ ~ type A[T: $$] = 1 ~ type $$ = 1 ~ type A[$$] = 1 ~ try:\n  pass\nexcept $$: pass
try:\n  pass\nexcept* $$: pass ~ try:\n  pass\nexcept A as $$: pass ~ async with $$: pass ~ async for a in $$: pass ~ x = y = $$ ~ $$ = x ~ $$, a = x
[$$] = x ~ [a, [$$]] = x ~ ($$) = x ~ $$: int = 1 ~ $$ += 1 ~ a, $$ += 1
""",
    "javascript": r"""
f($$) ~ f(...$$) ~ [$$] ~ [...$$] ~ ($$) ~ $$ ~ x = $$ ~ x += $$ ~ x ??= $$ ~ let x = $$ ~ const x = $$ ~ let $$ = 1 ~ const $$ = 1 ~ var $$ = 1 ~ let $$;
function f($$) {} ~ function f(a, $$) {} ~ function f(...$$) {} ~ ($$) => 1 ~ (a, $$) => 1 ~ async ($$) => 1 ~ x => $$ ~ x => { $$ } ~ async () => $$
($$ = 1) ~ ($$ += 1) ~ [$$] = x ~ [a, ...$$] = x ~ ({a: $$} = x) ~ ({a: $$}) ~ ({$$}) ~ ({[$$]: 1}) ~ ({...$$}) ~ ({$$: 1}) ~ ({$$() {}}) ~ ({get $$() {}})
class A { $$ } ~ class A { $$ = 1 } ~ class A { $$() {} } ~ class A { static $$ } ~ class A { x = $$ } ~ class A extends $$ {} ~ if ($$) ; ~ if (a) $$
while ($$) ; ~ for ($$;;) ; ~ for (;$$;) ; ~ for ($$ of x) ; ~ for ($$ in x) ; ~ for (let $$ of x) ; ~ for (let x of $$) ; ~ for (var $$ in y) ;
for (const x in $$) ; ~ switch (a) { case $$: } ~ return_: $$ ~ throw $$ ~ function f() { return $$ } ~ function* f() { yield $$ } ~ function* f() { $$ }
async function f() { await $$ } ~ async function f() { $$ } ~ async function f() { for await ($$ of x) ; } ~ new $$ ~ new $$() ~ typeof $$ ~ delete $$ ~ !$$
-$$ ~ ++$$ ~ $$++ ~ $$ + a ~ a + $$ ~ $$ ** a ~ a ** $$ ~ $$ && a ~ a || $$ ~ a ?? $$ ~ $$ ? a : b ~ a ? $$ : b ~ a ? b : $$ ~ $$.y ~ $$?.y ~ $$[0] ~ $$()
$$`a` ~ a[$$] ~ `${$$}` ~ a, $$ ~ try {} catch ($$) {} ~ import($$) ~ import $$ from 'x' ~ import {$$} from 'x' ~ import * as $$ from 'x' ~ export {$$}
export default $$ ~ export $$ ~ do $$ while (1) ~ label: $$ ~ with_($$) ~ $$;$$ ~ "use strict"; $$ ~ function f() { "use strict"; $$ } ~ $$ in a ~ #x in $$
a in $$
""",
    "typescript": r"""
f($$) ~ f(a, $$) ~ [$$] ~ ($$) ~ $$ ~ x = $$ ~ let x: $$ ~ let x: $$ = 1 ~ const x: $$ = 1 ~ let $$ = 1 ~ var $$ ~ function f(x: $$) {} ~ function f(): $$ {}
function f($$) {} ~ function f($$, b) {} ~ function f<$$>() {} ~ function f<T extends $$>() {} ~ function f<T = $$>() {} ~ f<$$>() ~ new A<$$>() ~ type A = $$
type $$ = 1 ~ type A<$$> = 1 ~ type A = B | $$ ~ type A = $$ & B ~ type A = $$[] ~ type A = [$$] ~ type A = [a: $$] ~ type A = { x: $$ } ~ type A = { $$ }
type A = { [k: $$]: B } ~ type A = { [K in $$]: B } ~ type A = { [K in B as $$]: C } ~ type A = (x: $$) => B ~ type A = (x) => $$ ~ type A = keyof $$
type A = typeof $$ ~ type A = B[$$] ~ type A = $$ extends B ? C : D ~ type A = B extends $$ ? C : D ~ type A = B extends C ? $$ : D ~ type A = `${$$}` ~ type A = ($$)
interface A { $$ } ~ interface A extends $$ {} ~ interface $$ {} ~ interface A { x: $$ } ~ interface A { f($$): B } ~ class A { $$ } ~ class A { x: $$ } ~ class A { $$ x }
class A { $$ f() {} } ~ class A { constructor($$) {} } ~ class A { constructor($$ x: B) {} } ~ class A<$$> {} ~ class A extends $$ {} ~ class A implements $$ {} ~ $$ class A {}
class A { f(this: $$) {} } ~ enum A { $$ } ~ enum A { a = $$ } ~ enum $$ {} ~ namespace $$ {} ~ namespace A { $$ } ~ declare $$ ~ declare module $$ {} ~ abstract class A { $$ }
x as $$ ~ $$ as B ~ x satisfies $$ ~ $$! ~ <$$>x ~ (x: $$) => 1 ~ (x): $$ => 1 ~ ($$) => 1 ~ async ($$) => 1 ~ async <$$>(x) => 1 ~ function f(x): x is $$ {}
function f(x): asserts $$ {} ~ import $$ from 'x' ~ import type $$ from 'x' ~ import { $$ } from 'x' ~ export { $$ } ~ export type { $$ } ~ export $$ ~ export default $$ ~ import A = $$
for (const x of $$) ; ~ for ($$ of x) ; ~ if ($$) ; ~ return_($$) ~ try {} catch ($$) {} ~ @$$ class A {} ~ class A { @$$ x } ~ abstract class A { abstract $$ } ~ let x = { $$ }
declare function f($$): A ~ declare const $$ ~ declare global { $$ } ~ new $$ ~ $$ + 1 ~ a ? $$ : b ~ class A { static { $$ } } ~ class A { get x(): $$ { return 1 } } ~ class A { set x($$) {} }
""",
    "go": r"""
func f() { $$ } ~ func f() { x = $$ } ~ func f() { x := $$ } ~ func f() { $$ := 1 } ~ func f() { $$ = 1 } ~ func f() { $$, a = 1, 2 } ~ func f() { a, $$ := 1, 2 } ~ func f() { x += $$ }
func f() { $$ += 1 } ~ func f() { $$++ } ~ func f() { g($$) } ~ func f() { g(a, $$) } ~ func f() { g($$...) } ~ func f() { return $$ } ~ func f() { if $$ { } } ~ func f() { if $$; a { } }
func f() { if a; $$ { } } ~ func f() { for $$ { } } ~ func f() { for $$; a; { } } ~ func f() { for ; $$; { } } ~ func f() { for ; ; $$ { } } ~ func f() { for $$ = range a { } }
func f() { for a := range $$ { } } ~ func f() { for range $$ { } } ~ func f() { switch $$ { } } ~ func f() { switch $$; a { } } ~ func f() { switch { case $$: } } ~ func f() { switch a.(type) { case $$: } }
func f() { switch $$ := a.(type) { } } ~ func f() { select { case $$: } } ~ func f() { select { case a := $$: } } ~ func f() { go $$ } ~ func f() { defer $$ } ~ func f() { c <- $$ } ~ func f() { $$ <- a }
func f() { _ = []int{$$} } ~ func f() { _ = T{a: $$} } ~ func f() { _ = T{$$: 1} } ~ func f() { _ = a[$$] } ~ func f() { _ = a[$$:] } ~ func f() { _ = a[1:$$] } ~ func f() { _ = a[1:$$:3] } ~ func f() { _ = $$.b }
func f() { _ = a.($$) } ~ func f() { _ = $$ + a } ~ func f() { _ = -$$ } ~ func f() { _ = &$$ } ~ func f() { _ = $$(a) } ~ func f() { L: $$ } ~ func f() { goto $$ } ~ func f() { break $$ } ~ func f() { { $$ } }
func f() { else_($$) } ~ func f() { var x $$ } ~ func f() { const x = $$ } ~ func f() { type T $$ } ~ var x $$ ~ var x = $$ ~ var $$ = 1 ~ var x $$ = 1 ~ var ($$) ~ const x = $$ ~ const $$ = 1 ~ const ($$)
type T $$ ~ type T = $$ ~ type $$ int ~ type T[$$] int ~ type T[P $$] int ~ type T[P, Q $$] int ~ type T struct { $$ } ~ type T struct { a $$ } ~ type T struct { a int $$ } ~ type T interface { $$ } ~ type T interface { f($$) }
type T interface { f() $$ } ~ type T []$$ ~ type T [$$]int ~ type T map[$$]int ~ type T map[int]$$ ~ type T chan $$ ~ type T <-chan $$ ~ type T func($$) ~ type T func() $$ ~ type T *$$ ~ func $$() {} ~ func f($$) {} ~ func f(a $$) {}
func f(a, $$) {} ~ func f(a $$, b int) {} ~ func f() $$ {} ~ func f() ($$) {} ~ func (r $$) f() {} ~ func ($$) f() {} ~ func f[$$]() {} ~ func f[T $$]() {} ~ import $$ ~ import ($$) ~ import a $$ ~ $$ ~ func f() { f[$$](a) }
""",
    "rust": r"""
fn f() { $$ } ~ fn f() { $$; } ~ fn f() { $$; a } ~ fn f() { let $$ = 1; } ~ fn f() { let x = $$; } ~ fn f() { let x: $$ = 1; } ~ fn f() { let x: $$; } ~ fn f() { let $$ = 1 else { return }; } ~ fn f() { g($$) } ~ fn f() { [$$] }
fn f() { [$$; 2] } ~ fn f() { [a; $$] } ~ fn f() { ($$) } ~ fn f() { ($$,) } ~ fn f() { { $$ } } ~ fn f() { return $$ } ~ fn f() { break $$ } ~ fn f() { if $$ {} } ~ fn f() { if a {} else $$ } ~ fn f() { if let $$ = a {} }
fn f() { if let a = $$ {} } ~ fn f() { while $$ {} } ~ fn f() { while let $$ = a {} } ~ fn f() { for $$ in a {} } ~ fn f() { for a in $$ {} } ~ fn f() { match $$ {} } ~ fn f() { match a { $$ => b } } ~ fn f() { match a { b => $$ } }
fn f() { match a { b if $$ => c } } ~ fn f() { match a { b => $$, c => d } } ~ fn f() { match a { b | $$ => c } } ~ fn f() { match a { ($$, b) => c } } ~ fn f() { match a { [$$] => c } } ~ fn f() { match a { A { $$ } => c } }
fn f() { match a { A { x: $$ } => c } } ~ fn f() { match a { A($$) => c } } ~ fn f() { match a { &$$ => c } } ~ fn f() { match a { x @ $$ => c } } ~ fn f() { |$$| a } ~ fn f() { |x: $$| a } ~ fn f() { |x| $$ } ~ fn f() { || -> $$ { a } }
fn f() { A { x: $$ } } ~ fn f() { A { $$ } } ~ fn f() { A { ..$$ } } ~ fn f() { $$.x } ~ fn f() { $$.x() } ~ fn f() { $$() } ~ fn f() { $$[0] } ~ fn f() { a[$$] } ~ fn f() { $$? } ~ fn f() { -$$ } ~ fn f() { &$$ } ~ fn f() { &mut $$ }
fn f() { $$ + a } ~ fn f() { a + $$ } ~ fn f() { a = $$ } ~ fn f() { $$ = a } ~ fn f() { $$ += a } ~ fn f() { a == $$ } ~ fn f() { a < $$ } ~ fn f() { $$ as u8 } ~ fn f() { a as $$ } ~ fn f() { a..$$ } ~ fn f() { $$.. } ~ fn f() { $$..=a }
fn f() { a::<$$>() } ~ fn f() { a!($$) } ~ fn f() { a! { $$ } } ~ fn f() { unsafe { $$ } } ~ fn f() { async { $$ } } ~ fn f() { loop { $$ } } ~ fn f() { 'a: $$ } ~ fn f() { $$.await } ~ fn f() { move || $$ }
fn f(x: $$) {} ~ fn f($$: u8) {} ~ fn f($$) {} ~ fn f() -> $$ {} ~ fn $$() {} ~ fn f<$$>() {} ~ fn f<T: $$>() {} ~ fn f<const N: $$>() {} ~ fn f() where T: $$ {} ~ fn f() where $$ {} ~ fn f(x: &$$) {} ~ fn f(x: [$$; 2]) {} ~ fn f(x: ($$, B)) {}
fn f(x: A<$$>) {} ~ fn f(x: fn($$) -> A) {} ~ fn f(x: impl $$) {} ~ fn f(x: dyn $$) {} ~ fn f(x: *const $$) {} ~ struct A { $$ } ~ struct A { x: $$ } ~ struct A($$); ~ struct A<$$>(B); ~ struct $$; ~ enum A { $$ } ~ enum A { B($$) } ~ enum A { B { $$ } }
enum A { B = $$ } ~ union A { $$ } ~ type A = $$; ~ type A<$$> = B; ~ const A: $$ = 1; ~ const A: u8 = $$; ~ static A: u8 = $$; ~ const $$: u8 = 1; ~ use $$; ~ use a::$$; ~ use a::{$$}; ~ mod a { $$ } ~ trait A { $$ } ~ trait A: $$ {} ~ trait A { fn f($$); }
trait A { type B: $$; } ~ trait A { type B = $$; } ~ impl A { $$ } ~ impl $$ {} ~ impl A for $$ {} ~ impl<$$> A {} ~ impl A { fn f($$) {} } ~ extern "C" { $$ } ~ extern $$ {} ~ #[$$] fn f() {} ~ #[a($$)] fn f() {} ~ $$ ~ $$ fn f() {} ~ pub $$ ~ pub($$) fn f() {}
macro_rules! m { ($$) => { a }; } ~ macro_rules! m { ($x:$$) => { a }; } ~ macro_rules! m { (a) => { $$ }; } ~ struct A; $$ ~ fn f() { struct A; $$ }
""",
    "java": r"""
class A { $$ } ~ class A { int x = $$; } ~ class A { $$ x; } ~ class A { $$ f() {} } ~ class A { $$ void f() {} } ~ class A { void f($$) {} } ~ class A { void f($$ x) {} } ~ class A { void f(int x, $$) {} } ~ class A { void f() { $$ } } ~ class A { void f() { $$; } }
class A { void f() { x = $$; } } ~ class A { void f() { $$ = x; } } ~ class A { void f() { int x = $$; } } ~ class A { void f() { $$ x = y; } } ~ class A { void f() { var x = $$; } } ~ class A { void f() { g($$); } } ~ class A { void f() { g(a, $$); } }
class A { void f() { return $$; } } ~ class A { void f() { if ($$) ; } } ~ class A { void f() { if (a) $$ } } ~ class A { void f() { while ($$) ; } } ~ class A { void f() { for ($$;;) ; } } ~ class A { void f() { for (;$$;) ; } } ~ class A { void f() { for (;;$$) ; } }
class A { void f() { for ($$ : x) ; } } ~ class A { void f() { for (int a : $$) ; } } ~ class A { void f() { switch ($$) {} } } ~ class A { void f() { switch (a) { case $$: } } } ~ class A { void f() { switch (a) { case $$ -> b(); } } }
class A { void f() { switch (a) { case 1 -> $$; } } } ~ class A { void f() { switch (a) { case 1 -> $$ } } } ~ class A { void f() { int x = switch (a) { case 1 -> $$; default -> 1; }; } } ~ class A { void f() { throw $$; } } ~ class A { void f() { try ($$) {} } }
class A { void f() { try {} catch ($$) {} } } ~ class A { void f() { try {} catch ($$ e) {} } } ~ class A { void f() { synchronized ($$) {} } } ~ class A { void f() { assert $$; } } ~ class A { void f() { assert a : $$; } } ~ class A { void f() { L: $$ } }
class A { void f() { x = ($$) y; } } ~ class A { void f() { x = y instanceof $$; } } ~ class A { void f() { x = $$ instanceof B; } } ~ class A { void f() { x = new $$; } } ~ class A { void f() { x = new $$(); } } ~ class A { void f() { x = new int[$$]; } }
class A { void f() { x = new int[] {$$}; } } ~ class A { void f() { x = $$ + y; } } ~ class A { void f() { x = y + $$; } } ~ class A { void f() { x = y ? $$ : z; } } ~ class A { void f() { x = $$ ? y : z; } } ~ class A { void f() { x = $$.y; } } ~ class A { void f() { x = $$.y(); } }
class A { void f() { x = $$[0]; } } ~ class A { void f() { x = y[$$]; } } ~ class A { void f() { x = $$::y; } } ~ class A { void f() { x = y -> $$; } } ~ class A { void f() { x = ($$) -> y; } } ~ class A { void f() { x = !$$; } } ~ class A { void f() { $$++; } }
class A { void f() { ++$$; } } ~ class A { void f() throws $$ {} } ~ class A { List<$$> x; } ~ class A<$$> {} ~ class A<T extends $$> {} ~ class A extends $$ {} ~ class A implements $$ {} ~ interface A { $$ } ~ interface A extends $$ {} ~ enum A { $$ } ~ enum A { B($$) }
enum A { B; $$ } ~ record A($$) {} ~ record A(int x) { $$ } ~ @interface A { $$ } ~ @interface A { int x() default $$; } ~ class A { @B($$) int x; } ~ class A { @B(x = $$) int y; } ~ @$$ class A {} ~ $$ class A {} ~ import $$; ~ import static $$; ~ package $$; ~ class $$ {} ~ $$
sealed class A permits $$ {} ~ class A { int[] x = {$$}; } ~ class A { static { $$ } } ~ class A { A() { $$ } } ~ class A { <$$> void f() {} } ~ class A { void f() { this.<$$>g(); } } ~ class A { void f() { do $$ while (a); } } ~ class A { int x, $$; } ~ class A { void f() { int a, $$; } }
""",
    "bash": r"""
$$ ~ $$ a ~ a $$ ~ a; $$ ~ a | $$ ~ $$ | a ~ a && $$ ~ $$ || a ~ a & $$ ~ ! $$ ~ x=$$ ~ x+=$$ ~ x=($$) ~ x[$$]=1 ~ $$=1 ~ a > $$ ~ a < $$ ~ a 2>&$$ ~ a <<< $$ ~ a $$> b ~ if $$; then a; fi ~ if a; then $$; fi ~ if a; then $$ fi ~ if a; then b; else $$; fi
if a; then b; elif $$; then c; fi ~ while $$; do a; done ~ while a; do $$; done ~ while a; do $$ done ~ until $$; do a; done ~ for $$ in a; do b; done ~ for x in $$; do a; done ~ for x $$; do a; done ~ for x in a; do $$; done ~ for (($$;;)); do a; done ~ for ((;$$;)); do a; done
select x in $$; do a; done ~ case $$ in a) b;; esac ~ case a in $$) b;; esac ~ case a in ($$) b;; esac ~ case a in b) $$;; esac ~ case a in b) $$ esac ~ case a in b | $$) c;; esac ~ case a in b) c $$ d) e;; esac ~ f() { $$; } ~ f() { $$ } ~ f() $$ ~ function f { $$; } ~ function $$ { a; }
$$() { a; } ~ { $$; } ~ { $$ } ~ ($$) ~ (($$)) ~ [[ $$ ]] ~ [[ a == $$ ]] ~ [[ $$ == a ]] ~ [[ a =~ $$ ]] ~ [[ -f $$ ]] ~ [[ $$ && a ]] ~ [[ ! $$ ]] ~ [ $$ ] ~ test $$ ~ "$$" ~ "$($$)" ~ $($$) ~ `$$` ~ <($$) ~ ${$$} ~ ${x$$} ~ ${x:-$$} ~ ${x/$$/a} ~ ${x[$$]} ~ $(($$)) ~ echo $(( $$ + 1 ))
time $$ ~ coproc $$ ~ export $$ ~ local $$ ~ declare $$ ~ a { $$ } ~ then $$ ~ eval $$ ~ cat <<E
$$
E
 ~ cat <<$$
a
$$
 ~ a |& $$ ~ if a
then
$$
fi ~ { a; } $$ ~ (a) $$ ~ if a; then b; fi $$ ~ done_ $$ ~ f () ( $$ )
""",
    "c": r"""
void f(void) { $$ } ~ void f(void) { $$; } ~ void f(void) { x = $$; } ~ void f(void) { $$ = x; } ~ void f(void) { int x = $$; } ~ void f(void) { int $$; } ~ void f(void) { g($$); } ~ void f(void) { g(a, $$); } ~ void f(void) { return $$; } ~ void f(void) { if ($$) ; }
void f(void) { if (a) $$ } ~ void f(void) { while ($$) ; } ~ void f(void) { for ($$;;) ; } ~ void f(void) { for (;$$;) ; } ~ void f(void) { for (;;$$) ; } ~ void f(void) { switch ($$) {} } ~ void f(void) { switch (a) { case $$: ; } } ~ void f(void) { do $$ while (a); } ~ void f(void) { L: $$ }
void f(void) { goto $$; } ~ void f(void) { x = ($$)y; } ~ void f(void) { x = sizeof $$; } ~ void f(void) { x = sizeof($$); } ~ void f(void) { x = $$ + y; } ~ void f(void) { x = -$$; } ~ void f(void) { x = &$$; } ~ void f(void) { x = *$$; } ~ void f(void) { x = y ? $$ : z; } ~ void f(void) { x = $$.y; }
void f(void) { x = $$->y; } ~ void f(void) { x = y[$$]; } ~ void f(void) { x = $$(); } ~ void f(void) { $$++; } ~ int x = $$; ~ int $$; ~ int x[$$]; ~ int x[] = {$$}; ~ struct A x = {.y = $$}; ~ $$ x; ~ $$ int x; ~ $$ f(void); ~ int f($$); ~ int f(int x, $$); ~ int f($$) { return 1; } ~ $$
struct A { $$ }; ~ struct A { int x; $$ }; ~ struct A { int $$; }; ~ struct A { int x : $$; }; ~ struct $$ { int x; }; ~ union A { $$ }; ~ enum A { $$ }; ~ enum A { B = $$ }; ~ typedef $$; ~ typedef int $$; ~ int (*$$)(void); ~ int (*f)($$); ~ static $$ ~ extern $$ ~ _Static_assert($$, "a");
""",
}
PLACES["cpp"] = PLACES["c"] + r"""
class A { $$ }; ~ class A { public: $$ }; ~ class A : $$ {}; ~ class A { A() : $$ {} }; ~ class A { void f() $$ }; ~ class A { int x = $$; }; ~ class A { int x{$$}; }; ~ namespace $$ { int x; } ~ namespace A { $$ } ~ using $$; ~ using A = $$; ~ template<$$> class A {}; ~ template<class T = $$> class A {};
template<class T> $$ ~ template<int N = $$> void f(); ~ auto x = [$$] {}; ~ auto x = []($$) {}; ~ auto x = [] { $$ }; ~ auto x = [] -> $$ { return 1; }; ~ void f() { for (auto x : $$) ; } ~ void f() { for ($$ : x) ; } ~ void f() { try { $$ } catch (...) {} } ~ void f() { try {} catch ($$) {} }
void f() { throw $$; } ~ void f() { x = new $$; } ~ void f() { delete $$; } ~ void f() { A x{$$}; } ~ void f() { A x($$); } ~ void f() { x = static_cast<$$>(y); } ~ void f() { x = static_cast<int>($$); } ~ void f() { if constexpr ($$) {} } ~ void f() { auto [$$] = x; } ~ void f() { if (int x = 1; $$) {} }
void f() { x = A<$$>::y; } ~ A<$$> x; ~ int f() noexcept($$); ~ int f($$) const; ~ operator $$(); ~ A operator$$(A a, A b); ~ enum class A : $$ { B }; ~ static_assert($$); ~ auto f() -> $$; ~ template<class T> concept A = $$; ~ template<class T> requires $$ void f(); ~ friend $$ ~ constexpr $$
"""

PUT_IN = {
    "python": r"""
*b ~ **b ~ * *b ~ a, b ~ a, *b ~ (a, b) ~ [1] ~ [a] ~ (1) ~ 1 ~ -1 ~ 1 + 2j ~ 1 + 2 ~ -1 - 2j ~ 'a' ~ f'a' ~ 'a' 'b' ~ a.b ~ a.b.c ~ a[0] ~ a() ~ (yield)
yield ~ yield a ~ await a ~ lambda: 1 ~ x := 1 ~ (x := 1) ~ a=1 ~ a as b ~ (a as b) ~ a if b else c ~ a for a in b ~ (a for a in b) ~ not a ~ a < b ~ a | b
a | 1 ~ (a | b) ~ None ~ True ~ ... ~ _ ~ {} ~ {1: a} ~ {**a} ~ {'a': b, **c} ~ A() ~ A(x=1) ~ (x=1) ~ [x=1] ~ A(1, x=2) ~ print ~ a:b ~ a:b:c ~ () ~ (a,)
*_ ~ (*a, b) ~ a.b() ~ 1.5j ~ b'a' ~ -a ~ +1 ~ a @ b ~ match ~ type ~ await ~ async ~ nonlocal a ~ pass
""",
    "javascript": r"""
b ~ ...b ~ a, b ~ (a, b) ~ a.b ~ a[0] ~ a() ~ a?.b ~ a?.() ~ (a) ~ (a.b) ~ 1 ~ 1n ~ 's' ~ `t` ~ `t${1}` ~ /r/g ~ [a] ~ [a = 1] ~ [a, ...b] ~ [...a, b] ~ [,]
{} ~ {a} ~ {a: 1} ~ {a = 1} ~ {a: b = 1, ...c} ~ {...a} ~ {get a() {}} ~ a = 1 ~ a += 1 ~ a => 1 ~ async a => 1 ~ (a) => {} ~ function () {} ~ function a() {}
async function () {} ~ function* () {} ~ class {} ~ class A {} ~ yield ~ yield a ~ await ~ await a ~ new.target ~ import.meta ~ this ~ super ~ super.a
super() ~ null ~ true ~ -a ~ !a ~ typeof a ~ a++ ~ --a ~ a ** b ~ a + b ~ a || b ~ a ?? b ~ a ?? b || c ~ a ? b : c ~ a in b ~ let ~ static ~ async ~ of ~ get
arguments ~ eval ~ enum ~ if ~ #x ~ a.#x ~ new A ~ new A() ~ import('x') ~ ... ~ a b ~ let a ~ let [a] ~ const a = 1 ~ var a ~ return ~ break ~ a:b ~ @a
<a/> ~ a as b ~ default as b ~ a as default ~ 'x' as b ~ \u0061 ~ a\n++b ~ /a ~ 0777 ~ 08 ~ 1_ ~ 0x ~ 1a ~ a?.b = 1 ~ a?.`x` ~ delete a ~ using ~ debugger
accessor x ~ static {} ~ *a() {} ~ async *a() {} ~ async\na() {} ~ a\n ~ ; ~ function a() {} function a() {} ~ let a; let a ~ let a; var a
""",
    "typescript": r"""
b ~ ...b ~ a, b ~ a.b ~ a[0] ~ a[] ~ a() ~ (a) ~ 1 ~ -1 ~ 's' ~ `t` ~ `t${A}` ~ [a] ~ [a, ...b] ~ [a?] ~ [a: b, c?: d] ~ {} ~ { a: b } ~ { a } ~ { a?: b; c: d } ~ { (a): b } ~ { new (a): b } ~ { [k: string]: b } ~ { readonly a: b } ~ { get a(): b } ~ a = 1 ~ a: b
a?: b ~ a: b = 1 ~ a? ~ ?a ~ a! ~ ...a: b[] ~ ...a? ~ this: A ~ this ~ void ~ null ~ undefined ~ never ~ unknown ~ string ~ unique symbol ~ asserts a ~ a is b ~ asserts a is b ~ keyof a ~ typeof a ~ typeof a.b ~ typeof a[0] ~ typeof import('x') ~ import('x') ~ import('x').A<B>
infer A ~ infer A extends B ~ A<B> ~ A<> ~ A.B<C> ~ A | B ~ | A ~ A & B ~ & A ~ A extends B ~ A extends B ? C : D ~ A = B ~ A extends B = C ~ const A ~ in A ~ out A ~ in out A ~ out in A ~ readonly A[] ~ readonly a ~ public a ~ private a: b ~ protected a ~ public static a ~ static public a ~ static a ~ abstract a
override a ~ declare a ~ async a ~ export a ~ accessor a ~ public readonly a ~ readonly public a ~ static async a ~ () => a ~ (a: b) => c ~ (a) => b ~ new () => a ~ abstract new () => a ~ <T>(a: T) => b ~ <T>a ~ a as b ~ a as const ~ a satisfies b ~ function () {} ~ function a() {} ~ function a();
class {} ~ class A {} ~ abstract class A {} ~ interface A {} ~ type A = B ~ enum A {} ~ const enum A {} ~ namespace A {} ~ module A {} ~ module 'a' {} ~ global {} ~ let a ~ const a ~ const a = 1 ~ let a: b ~ var a!: b ~ import a = b.c ~ import a = require('x') ~ type a ~ type a as b ~ a as b as c ~ * as a ~ default
a() {} ~ a?() {} ~ a(): b ~ a<T>() {} ~ get a() {} ~ set a(b) {} ~ constructor() {} ~ constructor(); ~ [a]: b ~ [a: string]: b ~ static {} ~ static a() {} ~ 'a': b ~ 1: b ~ #a: b ~ a, ~ a; b ~ a; ~ ; ~ b c ~ return ~ yield ~ await a ~ await ~ if ~ enum ~ any ~ object ~ type ~ of ~ as ~ is ~ declare ~ abstract
@a ~ @a() b ~ a ? b : c ~ a?.b ~ a ?? b ~ !a ~ new A ~ new A<B> ~ a<b>(c) ~ a<b> ~ a < b ~ a > b ~ a instanceof b ~ {a, b: c} ~ {a: b = 1} ~ {a}: A ~ [a]: A ~ readonly [a: b]: c ~ -readonly [K in A]: B ~ [K in A]?: B ~ [K in A]-?: B ~ 1n ~ true ~ /r/
""",
    "go": r"""
a ~ a.b ~ a.b.c ~ a() ~ a(b) ~ a[0] ~ a[1:2] ~ a[:] ~ a[1:2:3] ~ a[::] ~ a.(T) ~ a.(type) ~ (a) ~ 1 ~ 1.5 ~ 1i ~ 'a' ~ "a" ~ `a` ~ -a ~ !a ~ <-a ~ &a ~ *a ~ a + b ~ a == b ~ a, b ~ a := b ~ a, b := c ~ a = b ~ a += b ~ a++ ~ a <- b ~ T{} ~ T{a} ~ T{a: b} ~ (T{}) ~ &T{} ~ []int{} ~ []int{1, 2} ~ [...]int{1} ~ [2]int{}
map[a]b{} ~ map[a]b ~ []int ~ [2]int ~ [...]int ~ [n]int ~ chan int ~ <-chan int ~ chan<- int ~ chan<- chan int ~ func() ~ func() {} ~ func() {}() ~ func(a int) b ~ func(a, b int) (c, d error) ~ struct{} ~ struct{ a int } ~ struct{}{} ~ interface{} ~ interface{ f() } ~ interface{ ~ int } ~ ~int ~ int | string ~ ~int | ~string
*T ~ a.T ~ T[int] ~ T[int, string] ~ T[] ~ a.T[b] ~ a int ~ a, b int ~ a ...int ~ ...int ~ a int = 1 ~ a = iota ~ _ ~ _ int ~ nil ~ . ~ "fmt" ~ . "fmt" ~ a "fmt"; b "fmt" ~ a "fmt" ~ f() ~ f() int ~ f(a int) ~ (f)() ~ range a ~ a := range b ~ a = range b ~ a, b := range c
return ~ return a ~ return a, b ~ break ~ break a ~ continue ~ goto a ~ fallthrough ~ if a {} ~ if a {} else {} ~ if a {} else if b {} ~ if a := b; c {} ~ for {} ~ for a {} ~ for a := range b {} ~ switch {} ~ switch a { case b: } ~ switch a := b.(type) {} ~ select {} ~ go a() ~ defer a() ~ go a ~ {} ~ { a } ~ ; ~ a: b ~ a: ~ var a int ~ var a = 1
const a = 1 ~ const a ~ type A int ~ type A = int ~ type A[T any] int ~ func a() ~ func a() {} ~ func (a A) b() {} ~ import "a" ~ a; b ~ a;; b ~ a\n b ~ a b ~ a... ~ a `tag` ~ a int `tag` ~ *a.T ~ else ~ case ~ default ~ T any ~ T, U any ~ T ~int ~ T interface{} ~ P *T ~ P *T, ~ a.b.T ~ a[b].c ~ func(int, a string) ~ 0x ~ 08 ~ 1_ ~ '' ~ 'ab'
""",
    "rust": r"""
a ~ _ ~ a::b ~ ::a ~ crate::a ~ self ~ Self ~ super::a ~ a::<B> ~ A<B> ~ <A as B>::c ~ <A>::c ~ 1 ~ -1 ~ 1.5 ~ 1u8 ~ "a" ~ b"a" ~ r#"a"# ~ 'a' ~ b'a' ~ 'a ~ true ~ () ~ (a) ~ (a,) ~ (a, b) ~ [a] ~ [a, b] ~ [a; 2] ~ [] ~ a() ~ a(b) ~ a.b ~ a.0 ~ a.b() ~ a.await ~ a[0] ~ a? ~ -a ~ !a ~ *a ~ &a ~ &mut a ~ &raw const a ~ a + b ~ a == b ~ a < b ~ a == b == c
a < b < c ~ a && b ~ a = b ~ a += b ~ a as B ~ a as B<C> ~ a.. ~ ..a ~ .. ~ a..b ~ a..=b ~ ..=b ~ ... ~ a...b ~ A {} ~ A { a } ~ A { a: b } ~ A { ..b } ~ A { a, .. } ~ A(a) ~ A(..) ~ A(a, ..) ~ a @ b ~ ref a ~ mut a ~ ref mut a ~ & a ~ &mut A ~ &'a A ~ &'a mut A ~ box a ~ a | b ~ | a ~ (a | b) ~ |a| b ~ || a ~ move |a| b ~ async { a } ~ async move { a } ~ unsafe { a }
{ a } ~ {} ~ { a; } ~ const { a } ~ if a {} ~ if a {} else {} ~ if a { b } else { c } ~ if let a = b {} ~ let a = b ~ let a ~ let a: B = c; ~ let a; ~ match a {} ~ match a { b => c } ~ match a { b => c, } ~ loop {} ~ while a {} ~ for a in b {} ~ 'a: loop {} ~ return ~ return a ~ break ~ break 'a ~ break 'a b ~ continue ~ continue 'a ~ a!() ~ a![] ~ a!{} ~ a!(b; c) ~ a!(=> $)
[A] ~ [A; 2] ~ *const A ~ *mut A ~ fn() ~ fn(A) -> B ~ fn(a: A) ~ unsafe extern "C" fn() ~ impl A ~ impl A + B ~ dyn A ~ dyn A + 'a ~ A + B ~ ?Sized ~ 'a + B ~ for<'a> A<'a> ~ ! ~ A<'a> ~ A<B = C> ~ A<B: C> ~ A<1> ~ A<{ 1 }> ~ A<-1> ~ A<> ~ Fn(A) -> B ~ Fn() ~ T ~ T: A ~ T: A + B ~ T = A ~ T: A = B ~ 'a: 'b ~ const N: usize ~ const N: usize = 1
a: A ~ a: A, b: B ~ a: A, ~ pub a: A ~ pub(crate) a: A ~ mut a: A ~ &self ~ &mut self ~ mut self ~ self: A ~ &'a self ~ self, a: A ~ a: A, self ~ ... ~ a, ... ~ #[a] b ~ #[a] b: C ~ #![a] ~ A = 1 ~ A, B ~ A(B), C { d: E } ~ a = 1 ~ a = "b" ~ a, b ~ a(b) ~ *  ~ a::* ~ a as b ~ {a, b} ~ a::{b, self} ~ {a as b} ~ {*} ~ self as a
fn a() {} ~ fn a(); ~ pub fn a() {} ~ const fn a() {} ~ async fn a() {} ~ unsafe fn a() {} ~ extern "C" fn a() {} ~ default fn a() {} ~ const async fn a() {} ~ async const fn a() {} ~ type A = B; ~ type A; ~ type A: B; ~ type A<T> = B where T: C; ~ const A: B = 1; ~ const A: B; ~ const _: A = 1; ~ static a: B = 1; ~ static mut a: B = 1; ~ let a = 1;
struct A; ~ struct A {} ~ struct A(B); ~ struct A(B) ~ struct A ~ enum A {} ~ enum A { B, C } ~ union A { a: B } ~ trait A {} ~ unsafe trait A {} ~ auto trait A {} ~ trait A = B; ~ impl A {} ~ impl A for B {} ~ impl !A for B {} ~ unsafe impl A for B {} ~ use a; ~ pub use a::b; ~ mod a; ~ mod a {} ~ extern crate a; ~ extern "C" {} ~ macro_rules! a { () => {} } ~ a!{} ~ a!();
a; ~ ; ~ ;; ~ a b ~ a; b ~ a, ~ in a ~ crate ~ super ~ pub ~ in a::b ~ "C" ~ unsafe ~ if ~ fn ~ dyn ~ union ~ auto ~ default ~ async ~ await ~ try ~ yield ~ expr ~ tt ~ ident ~ foo ~ $a:expr ~ $a ~ $(a),* ~ $($a:tt)* ~ $($a),+ ~ #a ~ @ ~ => ~ 0x ~ 08 ~ 1_ ~ 1e ~ 0b2 ~ 'ab' ~ ''
""",
    "java": r"""
a ~ a.b ~ a.b.c ~ a() ~ a.b() ~ a[0] ~ (a) ~ ((a)) ~ 1 ~ 1L ~ 1.5f ~ 'a' ~ "a" ~ true ~ null ~ this ~ this.a ~ this() ~ super ~ super.a ~ super() ~ A.this ~ A.super.a() ~ -a ~ !a ~ ~a ~ a++ ~ --a ~ a + b ~ a == b ~ a && b ~ a = b ~ a += b ~ a ? b : c ~ a instanceof B ~ a instanceof B b ~ a instanceof B(int c, var d) ~ (A) b ~ (int) b ~ (A & B) c ~ a -> b ~ () -> a
(a, b) -> c ~ (int a) -> b ~ (var a) -> { } ~ (a, int b) -> c ~ a -> { return b; } ~ A::b ~ A::new ~ int[]::new ~ a::<B>c ~ new A() ~ new A() {} ~ new A<>() ~ new A<B>() ~ new int[1] ~ new int[1][] ~ new int[] ~ new int[] {1} ~ new int[1] {1} ~ {1} ~ {} ~ {a, b} ~ switch (a) { default -> b; } ~ switch (a) { case 1: yield 2; } ~ int.class ~ A.class ~ A[].class ~ a.new B()
int ~ int[] ~ A ~ A[] ~ A<B> ~ A<?> ~ A<? extends B> ~ A<? super B>[] ~ A<int> ~ A<int[]> ~ A<> ~ A.B<C> ~ A<B>.C ~ var ~ void ~ ? ~ A & B ~ A | B ~ @A B ~ @A int ~ final int ~ final A ~ A, B ~ T ~ T extends A ~ T extends A & B ~ T super A ~ int a ~ A a ~ A... a ~ final A a ~ int a, int b ~ int a[] ~ int... a, int b ~ A this ~ A a, ~ @B A a ~ a, b ~ var a ~ int a = 1 ~ int a = 1, b ~ int a, b ~ A b = c
a; ~ ; ~ {a;} ~ int a; ~ int a = 1; ~ final int a; ~ int a, b; ~ var a = 1; ~ return; ~ return a; ~ break; ~ break a; ~ continue; ~ yield a; ~ throw a; ~ if (a) b(); ~ if (a) b(); else c(); ~ for (;;) ; ~ for (int a : b) ; ~ while (a) ; ~ do a(); while (b); ~ switch (a) {} ~ try {} finally {} ~ try {} ~ try (a) {} ~ synchronized (a) {} ~ assert a; ~ class B {} ~ interface B {} ~ enum B {} ~ record B() {} ~ a: b(); ~ a(); ~ a() ~ a() {}
void a() {} ~ void a(); ~ abstract void a(); ~ int a() { } ~ A() {} ~ B() {} ~ static {} ~ public int a; ~ private static final int a = 1; ~ public public int a; ~ static ~ public ~ public static ~ final ~ abstract ~ sealed ~ non-sealed ~ default void a() {} ~ default ~ int a() default 1; ~ int a(); ~ @A void b() {} ~ @Override ~ A, B; ~ A(1), B { } ~ A { void b() {} } ~ A; int b; ~ B; ; ~ a.* ~ a.b.* ~ static a.b ~ case 1 ~ default
1, 2 ~ A b when c ~ A(int b) ~ null, default ~ a = 1 ~ @A ~ @A(1) ~ A(1) ~ A(b = 1) ~ a b ~ int int ~ class ~ if ~ enum ~ _ ~ record ~ yield ~ goto ~ const ~ a; b ~ a\n ~ <A> B c() {} ~ int a() throws B {} ~ int a() throws {} ~ 08 ~ 0x ~ 1_ ~ '' ~ 'ab' ~ \u0061 ~ int[] a() {} ~ int a()[] {} ~ native int a(); ~ strictfp class C {} ~ module ~ open
""",
    "bash": r"""
b ~ b c ~ "b" ~ 'b' ~ $b ~ ${b} ~ ${b[0]} ~ ${b[@]} ~ ${#b} ~ ${!b} ~ ${b:-c} ~ ${b//c/d} ~ ${b:1:2} ~ ${b%%c*} ~ ${b^^} ~ ${b@Q} ~ $(b) ~ `b` ~ $((1+2)) ~ $[1] ~ <(b) ~ $'b' ~ $"b" ~ b* ~ [ab] ~ ?b ~ !(b) ~ @(b|c) ~ ~ ~b ~ {b,c} ~ {1..3} ~ {} ~ { ~ } ~ ( ~ ) ~ () ~ (b) ~ (b c) ~ ((b)) ~ [b] ~ [[ b ]] ~ [[ ~ ]] ~ [ b ] ~ -b ~ -f b
b=c ~ b+=c ~ b[0]=c ~ b=(c d) ~ b= ~ = ~ == ~ b == c ~ b = c ~ b != c ~ b < c ~ b -lt c ~ b =~ c ~ b && c ~ b || c ~ ! b ~ ! ~ -z b ~ b; c ~ b;; c ~ b & ~ b &; c ~ b | c ~ b |& c ~ & ~ ; ~ ;; ~ ;& ~ ;;& ~ | ~ || ~ && ~ b > c ~ > c ~ >c b ~ 2>&1 ~ >& c ~ &> c ~ >| c ~ <> c ~ << ~ <<< c ~ <<< ~ < ~ > ~ >> c ~ 3< c ~ {b}> c
if ~ then ~ else ~ elif ~ fi ~ for ~ in ~ do ~ done ~ while ~ case ~ esac ~ function ~ select ~ time ~ coproc ~ until ~ if b; then c; fi ~ for b in c; do d; done ~ for b; do c; done ~ for b in; do c; done ~ for ((;;)); do b; done ~ while b; do c; done ~ case b in esac ~ case b in c) d;; esac ~ case b in c) esac ~ { b; } ~ { b }
f() { b; } ~ f() (b) ~ function f { b; } ~ function f() { b; } ~ f() b ~ local b=c ~ export b ~ declare -a b=(c) ~ b\nc ~ # b ~ b # c ~ \\ ~ b\\ ~ " ~ ' ~ ` ~ $ ~ $( ~ ${ ~ $$ ~ $? ~ $@ ~ "$@" ~ $1 ~ ${1} ~ $# ~ 1 ~ 1+ ~ 1 + 2 ~ b ? c : d ~ b++ ~ ++b ~ b , c ~ b[1] ~ 08 ~ 2#1 ~ b ** 2 ~ b c) ~ b ) ~ b( ~ a.b ~ a-b ~ a/b ~ @ ~ * ~ [@] ~ cat <<E\nb\nE\n ~ b,, ~ %b
""",
    "c": r"""
a ~ a.b ~ a->b ~ a() ~ a(b) ~ a[0] ~ a[] ~ (a) ~ 1 ~ 1u ~ 1.5f ~ 'a' ~ "a" ~ "a" "b" ~ L"a" ~ -a ~ !a ~ *a ~ &a ~ &&a ~ a++ ~ --a ~ a + b ~ a == b ~ a = b ~ a += b ~ a ? b : c ~ a ?: b ~ a, b ~ (int)a ~ (int){1} ~ (int) ~ sizeof a ~ sizeof(int) ~ {1} ~ {} ~ {1, 2} ~ {.a = 1} ~ {[0] = 1} ~ ({ a; }) ~ _Generic(a, int: 1) ~ __func__
int ~ int * ~ int a ~ int *a ~ int a[2] ~ int a[] ~ int a, b ~ int a = 1 ~ int a = 1, b ~ const int ~ const int a ~ int const * ~ unsigned ~ unsigned long ~ long long ~ unsigned a ~ struct A ~ struct A a ~ struct { int a; } ~ struct A { int a; } ~ union A ~ enum A ~ enum { A } ~ void ~ void * ~ static int a ~ extern int a ~ register int a ~ typedef int T ~ inline ~ static ~ int (*a)(void) ~ int a(void) ~ int a(int, char) ~ int (a) ~ ... ~ int a, ...
int a; ~ int a; int b; ~ int; ~ int a : 3 ~ int : 3 ~ a; ~ ; ~ a; b; ~ { a; } ~ return; ~ return a; ~ break; ~ continue; ~ goto a; ~ a: b; ~ a: ; ~ if (a) b; ~ if (a) b; else c; ~ for (;;) ; ~ while (a) ; ~ do a; while (b); ~ switch (a) { case 1: ; } ~ case 1: ~ default: ~ else ~ if ~ int a() {} ~ int a(void) { return 1; } ~ asm("a"); ~ A ~ A = 1 ~ A, B ~ A, ~ A B ~ 1 2 ~ a b ~ * ~ *a ~ *a = b ~ (*a) ~ **a ~ a[1] = b ~ int int ~ struct ~ int a b
08 ~ 0x ~ 1_ ~ '' ~ 'ab' ~ 0b1 ~ 1.e ~ @ ~ # ~ \n#define A\n ~ // a\n ~ /* a */ ~ _Bool ~ _Alignas(8) int a ~ restrict ~ volatile int a ~ __attribute__((a)) int b ~ [[a]] ~ [[a]] int b ~ typeof(a) b ~ auto a = 1 ~ nullptr ~ true ~ new ~ class ~ this
""",
}
PUT_IN["cpp"] = PUT_IN["c"] + r"""
auto ~ auto & ~ const auto &a ~ auto a ~ auto a = b ~ A::b ~ ::a ~ A<B> ~ A<B>::c ~ A<1> ~ A<> ~ a<b ~ int & ~ int && ~ int &a ~ int &&a ~ int a = 1 ~ this ~ *this ~ & ~ = ~ &a, b ~ a = 1 ~ =, this ~ nullptr ~ true ~ new A ~ new A() ~ new int[2] ~ delete a ~ delete[] a ~ throw a ~ throw ~ [] {} ~ [&](int a) { return a; } ~ []<class T>(T a) {}
static_cast<int>(a) ~ int(a) ~ int{a} ~ A{} ~ A{1, 2} ~ A() ~ {a, b} ~ a... ~ (a + ...) ~ sizeof...(a) ~ typeid(a) ~ noexcept(a) ~ co_await a ~ co_return a; ~ class T ~ typename T ~ typename T::a ~ typename... T ~ class T = int ~ int N ~ int N = 1 ~ template<class> class T ~ T auto ~ A auto a ~ class A {} ~ class A {}; ~ class A; ~ struct A : B {} ~ public B ~ virtual public B ~ B, private C
public: ~ A() ~ A() {} ~ A(); ~ ~A(); ~ virtual void f() = 0; ~ void f() const; ~ void f() override {} ~ A() = default; ~ A() = delete; ~ explicit A(int); ~ static int a; ~ friend class A; ~ operator int(); ~ A operator+(A); ~ using A = B; ~ using A::b; ~ using namespace A; ~ template<class T> void f(); ~ template<class T> class A {}; ~ a(1) ~ a{1} ~ a(1), b(2) ~ namespace A {}
namespace A = B; ~ namespace A::B {} ~ namespace ~ namespace A ~ extern "C" int a; ~ extern "C" { int a; } ~ constexpr int a = 1; ~ static_assert(true); ~ enum class A { B }; ~ decltype(a) ~ decltype(auto) ~ requires A<T> ~ requires (T a) { a; } ~ try {} catch (...) {} ~ catch ~ ... ~ [[a]] ~ + ~ () ~ [] ~ "" _a ~ int ~ noexcept ~ const ~ final ~ override ~ -> int
"""

MORE = {"python": r"""
def f[T=1, U](): pass ~ class A[T: int = str, U=1]: pass ~ def f[*Ts: int](): pass ~ def f[**P: int](): pass ~ def f[*Ts = *a](): pass
def f[**P = *a](): pass ~ def f[T = *a](): pass ~ type A[T = (yield)] = 1 ~ type A[T := 1] = 1 ~ type A[T = x := 1] = 1 ~ type A[T = lambda: 1] = 1
type A[T: lambda: 1] = 1 ~ type A[T = a if b else c] = 1 ~ type A[T = a, ] = 1 ~ type A[T = a, b] = 1 ~ type A[T.x = 1]=1 ~ type A[T[0]=1]=1 ~ type A[(T)=1]=1
type A[*Ts=a,b]=1 ~ type A[T: a = b = c]=1 ~ type A[T = a : b]=1 ~ type A[T: a : b]=1 ~ type A[1] = 1 ~ type A[T | U]=1 ~ type A[]=1 ~ type A[T, T]=1 ~ x[a=1]
type(x)[a]=1 ~ type x[a=1] ~ type A[T: *a]=1 ~ type A[*T, **P, *Q]=1 ~ type A[* *T]=1 ~ type A[T:(yield)] = 1 ~ type A=(yield) ~ type A[T: x:=1] = 1
type A.b = 1 ~ type A[B[C]] = 1 ~ type A[T=[a for a in b]] = 1 ~ type A[T={1: 2}] = 1 ~ type A[T=f(a=1)] = 1 ~ def f[T=\n1](): pass ~ type A[lambda] = 1
class A[None]: pass
"""}


def parts(text):
    return [p.replace("\\n", "\n") for line in text.strip("\n").split("\n") if line for p in line.split(" ~ ")]


def programs(language):
    grid = [place.replace("$$", x) for place in parts(PLACES[language]) for x in [*parts(PUT_IN[language]), ""]]
    before = "package p\n\n" if language == "go" else ""
    return [before + t + "\n" for t in dict.fromkeys(grid + parts(MORE.get(language, "")))]


def main():
    program, language = sys.argv[1:3]
    part, step = map(int, sys.argv[3].split("/")) if len(sys.argv) > 3 else (1, 1)
    warnings.simplefilter("ignore")  # of Python's parser
    texts = programs(language)[part - 1 :: step]
    with tempfile.TemporaryDirectory() as folder:
        truth = mutants.verdicts(language, texts, folder)
    config = {"code_block": "none", **({"unit": "file"} if language in mutants.FILES else mutants.CONFIG.get(language, {}))}
    answers = []
    for at in range(0, len(texts), 4000):
        answers += lines.score(program, "code-" + language, [{"output": t} for t in texts[at : at + 4000]], config, "--export", "syntax")
    silent = differ = 0
    for text, right, answer in zip(texts, truth, answers):
        score = answer.get("score")
        if right is None or score is None:
            silent += 1
        elif (score == 1) != right:
            differ += 1
            print("accepted", "there" if right else "here", "alone:", repr(text))
    print(f"{language}: {len(texts)} programs, {differ} have another verdict, {silent} have none")


if __name__ == "__main__":
    main()
