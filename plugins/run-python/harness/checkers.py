# How what a candidate prints or returns is compared with what is expected.
import decimal, json, math, re

from .ends import Doubtful
from .mirrors import Mirror
from .results import Broken, shown
from .texts import compiled
from .wire import plain


# Checkers of printed text: the reason why it is wrong, or None.

def _exact(got, wanted, config):
    return None if got.removesuffix("\n") == wanted.removesuffix("\n") else "the output differs"


def _lines(got, wanted, config):
    a, b = (t.rstrip().split("\n") for t in (got, wanted))
    return _first_difference(a, b, lambda x, y: x.rstrip() == y.rstrip())


def _first_difference(a, b, same=lambda x, y: False):
    """Compares lists of lines."""
    k = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y and not same(x, y)), None)
    if k is not None:
        return "line %d of the output differs" % (k + 1)
    return None if len(a) == len(b) else "the output has %d lines, expected %d" % (len(a), len(b))


def _tokens(got, wanted, config, same=lambda x, y: False):
    return _first_token(got.split(), wanted.split(), lambda x, y: x == y or same(x, y))


def _first_token(a, b, same):
    if len(a) != len(b):
        return "the output has %d tokens, expected %d" % (len(a), len(b))
    for k, (x, y) in enumerate(zip(a, b)):
        if not same(x, y):
            return "token %d is %s, expected %s" % (k + 1, shown(x, 60), shown(y, 60))
    return None


_is_count = re.compile(r"[-+]?\d{1,4000}", re.A).fullmatch  # no tolerance makes one count another


def _floats(got, wanted, config):
    def same(x, y):
        try:
            return "_" not in x and not (_is_count(x) and _is_count(y) and int(x) != int(y)) and _close(float(x), float(y), config)  # Python's float takes 1_0 as 10
        except ValueError:
            return False
    return _tokens(got, wanted, config, same)


def _close(a, b, config):
    return a == b or a != a and b != b or math.isfinite(a) and math.isfinite(b) and abs(a - b) <= max(config["abs"], config["rel"] * max(abs(a), abs(b)))


# Those of published sets, with their weaknesses, so that figures are those of their harnesses.

def _livecodebench(got, wanted, config):
    """grade_stdio of LiveCodeBench, lcb_runner/evaluation/testing_util.py: line by line; lines that differ are equal as lists of decimals."""
    a, b = (t.strip().split("\n") for t in (got, wanted))

    def same(x, y):
        if x.strip() == y.strip():
            return True
        try:
            return [decimal.Decimal(e) for e in x.split()] == [decimal.Decimal(e) for e in y.split()]
        except decimal.InvalidOperation:  # no number, or one that signals
            return False
    if len(a) != len(b):
        return "the output has %d lines, expected %d" % (len(a), len(b))
    return _first_difference(a, b, same)


def _apps(got, wanted, config):
    """run_test of APPS, eval/testing_util.py: text line by line, numbers that are close, or lines as sets of words in any order. (Its other comparisons hold only where the last one does.)"""
    printed, expected = got.splitlines(), [x.strip() for x in wanted.split("\n") if x]
    lines, text = got.strip().splitlines(), wanted.strip()
    if len(lines) <= text.count("\n") + 1 and text in ("\n".join(lines), "\n".join([x.strip() for x in lines])):
        return None
    filled = [x for x in printed if x]
    if _all_close(filled, expected) or _same_sets(filled, expected, str) or _same_sets(filled, expected, lambda t: round(float(t), 3)):
        return None
    return _first_difference(filled, expected) or "the output differs"


def _all_close(a, b):
    """numpy.allclose, of lines that are numbers."""
    try:
        return len(a) == len(b) and all(x == y or math.isfinite(x) and math.isfinite(y) and abs(x - y) <= 1e-8 + 1e-5 * abs(y) for x, y in zip([float(x) for x in a], [float(x) for x in b]))
    except ValueError:
        return False


def _same_sets(got, wanted, of):
    """Compares lines as a set of sets of words. It ends at the first word that is not expected, since a candidate may print many."""
    try:
        b, seen = {frozenset([of(t) for t in set(x.split())]) for x in wanted}, set()
        known = frozenset().union(*b)
        for x in set(got):
            words = []
            for t in set(x.split()):
                words.append(of(t))
                if words[-1] not in known:
                    return False
            if words:
                seen.add(frozenset(words))
        return seen == b
    except (ValueError, OverflowError):
        return False


_apart = re.compile("[^ \n\t\r\v]+").findall
_is_number = re.compile(r"[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf|infinity)|[+-]?nan(?:\([a-z0-9_]*\))?", re.A).fullmatch
_capitals = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}


def _codecontests(got, wanted, config):
    """OutputsMatch of CodeContests, execution/tester_sandboxer.cc: words without regard to case; numbers, whole ones too, differ by less than 1e-5."""
    a, b = (_apart(t.translate(_capitals)) for t in (got, wanted))

    def same(x, y):
        p, q = x.strip("\f"), y.strip("\f")
        if not _is_number(p) or not _is_number(q):
            return x == y
        return abs(float(p.partition("(")[0]) - float(q.partition("(")[0])) < 1e-5
    return None if a == b else _first_token(a, b, same)


_CHECKERS = {"exact": _exact, "lines": _lines, "tokens": _tokens, "floats": _floats, "livecodebench": _livecodebench, "apps": _apps, "codecontests": _codecontests}


def checker_name(case, config):
    """The name of the checker: that of the configuration, or that of the case; None if the case has a function of its own."""
    own = case.get("checker")
    if own is not None and not isinstance(own, str):
        raise Broken("checker is not text")
    if own is None or own in _CHECKERS:
        return config.get("checker") or own or "lines"
    if own.isidentifier():
        raise Broken("there is no checker %s; there are %s" % (own, ", ".join(_CHECKERS)))
    return None


def checker(case, config):
    """The function that compares what was printed with what was expected: a name, or the case's own function check(input, output, expected)."""
    name = checker_name(case, config)
    if name is not None:
        check = _CHECKERS[name]
        return lambda given, got, wanted: None if got == wanted and name != "apps" else check(got, wanted, config)
    names = {"__name__": "checker"}
    try:
        exec(compiled(case["checker"], "the checker"), names)
    except Broken:
        raise
    except BaseException as e:
        raise Broken("the checker fails: %s: %s" % (type(e).__name__, e))
    f = names.get("check")
    if not callable(f):
        raise Broken("the checker has no function check(input, output, expected)")

    def own(given, got, wanted):
        try:
            v = f(given, got, wanted)
        except BaseException as e:
            why = _told(e)
            for other in (wanted, "", "0"):
                try:
                    f(given, other, wanted)
                except BaseException as same:
                    if _told(same) == why:
                        continue
                raise Doubtful("%s, not with the output %s" % (why, shown(other, 60)), chosen=True)
            raise Broken(why)
        if not isinstance(v, (bool, str)) and v is not None:
            raise Broken("the checker returned a %s: return True, False, or why the output is wrong" % type(v).__name__)
        return None if v is True else v or "the checker refuses the output"
    return own


def _told(e):
    return "the checker fails: %s: %s" % (type(e).__name__, str(e)[:300])


# Calls: whether what a function returned is what was expected.

def sameness(case, config):
    """The function that compares an answer with the result of a call."""
    name = checker_name(case, config) or config.get("checker")
    if name == "livecodebench":
        return lambda got, call: _equal(_listed(got), call["expected"])
    if name == "apps":
        return _same_apps
    return lambda got, call: _same(got, call["expected"], config if name == "floats" else None)


def _same(a, b, near):
    """Compares an answer with a value of JSON, which has no tuples: a tuple is a list."""
    a = plain(a)
    if type(type(a)) is Mirror:
        return False
    if isinstance(a, (list, tuple)) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y, near) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        if len(a) != len(b):
            return False
        texts = {k if isinstance(k, str) else json.dumps(k) if isinstance(k, (int, float, bool, type(None))) else k: v for k, v in a.items()}
        return texts.keys() == b.keys() and all(_same(texts[k], b[k], near) for k in b)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if near and isinstance(a, (int, float)) and isinstance(b, (int, float)) and not (isinstance(a, int) and isinstance(b, int)):
        return _close(a, b, near)
    return not _signals(a) and a == b


def _signals(v):
    """Reports whether a value is a Decimal that raises where it is compared."""
    return isinstance(v, decimal.Decimal) and v.is_snan()


def _listed(v):
    v = plain(v)
    return list(v) if isinstance(v, tuple) else v


def _equal(a, b):
    """Python's == for an answer and a value of JSON, which asks no object of the candidate: tuples are not lists, and True is 1."""
    a = plain(a)
    if type(type(a)) is Mirror:
        return False
    if isinstance(b, list):
        return isinstance(a, list) and len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(b, dict):
        return isinstance(a, dict) and len(a) == len(b) and all(type(k) in (str, int, float, bool) for k in a) and all(k in a and _equal(a[k], b[k]) for k in b)
    return not _signals(a) and a == b


def _same_apps(got, call):
    """run_test of APPS, eval/testing_util.py: a result that is a list may as well be its first element, as most rows hold each result in a list of its own."""
    got, wanted = _listed(got), [call["expected"]] if call.get("wrapped") else call["expected"]
    if _equal(got, wanted):
        return True
    if type(wanted) is not list or not wanted:
        return False
    if _equal(got, wanted[0]):
        return True
    if not isinstance(got, list) or not got or not isinstance(plain(got[0]), tuple):
        return False
    rows = [plain(x) for x in got]
    return all(isinstance(x, (list, tuple, str)) for x in rows) and _equal([list(x) for x in rows], wanted[0])


def prepared(calls, case, config):
    """The calls as the set's harness makes them. That of APPS makes whole numbers of the keys of a dict that is the first argument or result, and drops others beside it."""
    return [_numbered_call(c) for c in calls] if checker_name(case, config) == "apps" else calls


def _numbered_call(call):
    args, wanted, wrapped = call.get("args", []), call["expected"], call.get("wrapped", False)
    keys = args and _numbered(args[0])
    if keys:
        args = [keys]
    if type(wanted) is list and wanted and not wrapped and _numbered(wanted[0]):
        wanted = wanted[0]
    keys = _numbered(wanted)
    if keys:
        wanted, wrapped = keys, True
    return {**call, "args": args, "expected": wanted, "wrapped": wrapped}


def _numbered(v):
    """A dict with whole numbers in place of its keys; None for what is no such dict."""
    try:
        return {int(k): x for k, x in v.items()} if type(v) is dict else None
    except ValueError:
        return None
