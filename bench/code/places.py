#!/usr/bin/env python3
"""Compares code-python and code-javascript with the languages' own parsers on short programs: each place of an expression or target with each kind of what may stand there.

Usage: places.py PROGRAM python|javascript

PROGRAM is the built rubric-host. Python's parser is that of the Python which runs this; Node must be installed for JavaScript. Prints the
programs with another verdict, and how many there are.
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
}

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
}

MORE = {"javascript": "", "python": r"""
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
    return [t + "\n" for t in dict.fromkeys(grid + parts(MORE[language]))]


def main():
    program, language = sys.argv[1:]
    warnings.simplefilter("ignore")  # of Python's parser
    texts = programs(language)
    with tempfile.TemporaryDirectory() as folder:
        truth = mutants.verdicts(language, texts, folder)
    config = {"code_block": "none", **({"unit": "file"} if language in mutants.FILES else mutants.CONFIG.get(language, {}))}
    answers = lines.score(program, "code-" + language, [{"output": t} for t in texts], config, "--export", "syntax")
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
