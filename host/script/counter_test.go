package script_test

import (
	"strings"
	"testing"
)

// overlapsPy intersects Counters in our way and in that of CPython 3.13, whose method
// it repeats, and compares the result, the order of its words, the errors, and which
// methods of words and counts are called.
const overlapsPy = `
import collections, random
from collections import Counter
from decimal import Decimal
from fractions import Fraction

def plain(self, other):
    if not isinstance(other, Counter):
        return NotImplemented
    result = Counter()
    for elem, count in self.items():
        other_count = other[elem]
        newcount = count if count < other_count else other_count
        if newcount > 0:
            result[elem] = newcount
    return result

LOG = []

class Word:
    def __init__(self, n): self.n = n
    def __hash__(self): LOG.append(("hash", self.n)); return self.n % 3
    def __eq__(self, o): LOG.append(("eq", self.n, getattr(o, "n", o))); return isinstance(o, Word) and self.n == o.n
    def __repr__(self): return "Word(%d)" % self.n

class Count(int):
    def __lt__(self, o): LOG.append(("lt", int(self), int(o))); return int(self) < int(o)
    def __gt__(self, o): LOG.append(("gt", int(self), int(o))); return int(self) > int(o)

class Mine(Counter):
    def __missing__(self, key): LOG.append(("missing", key)); return 2

class Stores(Counter):
    def __setitem__(self, key, n): LOG.append(("store", key)); super().__setitem__(key, n)

def seen(f, a, b):
    LOG.clear()
    try:
        r = f(a, b)
        said = (type(r).__name__, repr(list(r.items())), sorted(vars(r)), r == Counter(r)) if isinstance(r, Counter) else repr(r)
    except Exception as e:
        said = (type(e).__name__, str(e))
    return said, list(LOG)

def pairs():
    r = random.Random(7)
    words = ["a", "b", "c", "", 1, 1.0, True, None, ("a", 1), frozenset("ab"), float("nan"), "\u00e9", *map(Word, range(6))]
    counts = [0, 1, 2, 3, -1, 2.5, 10**20, True, Fraction(1, 2), Decimal(2), Count(1), Count(3)]
    strange = counts + [None, "x", float("nan"), 1j]
    for n in range(400):
        of = strange if n % 8 == 0 else counts
        made = [kind({w: r.choice(of) for w in r.sample(words, r.randrange(12))}) for kind in r.choices([Counter, Counter, Counter, Mine, Stores, dict], k=2)]
        yield made
    yield Counter("abca"), 5
    yield Counter("abca"), None
    yield Counter("abca"), {"a": 1}
    odd = Counter("aab"); odd.get = odd.items = None
    yield Counter("ab"), odd
    class Grows(int):
        def __gt__(self, o): grown["x%d" % len(grown)] = 1; return True
    grown = Counter({"a": Grows(1), "b": Grows(2)})
    yield grown, Counter("ab")

def changed():
    for name, new in [("__missing__", lambda self, key: 7), ("__setitem__", lambda self, key, n: dict.__setitem__(self, key, n + 1)), ("update", lambda self, *a, **k: self.__dict__.update(n=1)), ("__init__", lambda self, *a: self.__dict__.update(i=1))]:
        a, b = Counter("aab"), Counter("abc")
        has = name in vars(Counter); was = vars(Counter).get(name)
        setattr(Counter, name, new)
        try:
            yield name, seen(lambda a, b: a & b, a, b), seen(plain, a, b)
        finally:
            setattr(Counter, name, was) if has else delattr(Counter, name)

def score(case, config):
    many = 0
    for a, b in pairs():
        if not isinstance(a, Counter): continue
        is_one = lambda a, b: a.__and__(b)
        if "Grows" in str(type(next(iter(a.values()), 0))):
            got, want = seen(is_one, Counter(a), b)[0][:1], seen(plain, Counter(a), b)[0][:1]
        else:
            got, want = seen(is_one, a, b), seen(plain, a, b)
        if got != want:
            return {"error": "%r & %r\n%r\n%r" % (a, b, got, want)}
        many += 1
    for name, got, want in changed():
        if got != want:
            return {"error": "%s: %r, %r" % (name, got, want)}
    f = Counter.__and__
    if (f.__name__, f.__qualname__, f.__module__, f.__doc__.split("\n")[0].strip()) != ("__and__", "Counter.__and__", "collections", "Intersection is the minimum of corresponding counts."):
        return {"error": repr((f.__name__, f.__qualname__, f.__module__, f.__doc__))}
    return {"score": 1, "reason": str(many > 200)}
`

func TestCounter_IntersectionInPythonIsThatOfCPython(t *testing.T) {
	rt := python(t)
	if got := scoreWith(t, rt, bundle(t, "score.py", overlapsPy), request); got != `{"score": 1, "reason": "True"}` {
		t.Error(strings.ReplaceAll(got, `\n`, "\n"))
	}
}
