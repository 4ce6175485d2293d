# The part of pytest that tests of functions use: raises, warns, approx, mark.parametrize, mark.skip,
# mark.skipif, mark.xfail, fixture, capsys, fail, skip. Anything else is an error that says so.
import collections, contextlib, inspect, io, math, numbers, re, sys, types, unittest, warnings

from wire import plain, run_coroutine


class UsageError(Exception):
    """Tests that need what is not here."""


class Lacking(UsageError, AttributeError):
    """A part of pytest that is not here."""


class Skipped(BaseException):
    """A test that is not run."""


class Failed(AssertionError):
    """A test that says that it has failed."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise Lacking("pytest.%s is not part of what run-python has of pytest" % name)


def skip(reason="", *, allow_module_level=False, msg=None):
    raise Skipped(reason or msg or "")


def fail(reason="", pytrace=True, msg=None):
    raise Failed(reason or msg or "")


def importorskip(name, *_, **__):
    try:
        return __import__(name)
    except ImportError as e:
        raise Skipped(str(e))


@contextlib.contextmanager
def warns(expected_warning=Warning, *, match=None):
    """A with statement in which a warning of a class must come, with a text that matches."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    of = [w for w in caught if issubclass(w.category, expected_warning)]
    if not any(match is None or re.search(match, str(w.message)) for w in of):
        raise Failed("DID NOT WARN: %s came" % (", ".join("%s(%r)" % (w.category.__name__, str(w.message)[:100]) for w in caught[:5]) or "nothing"))


def deprecated_call(*, match=None):
    return warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning), match=match)


class _Captured:
    """The fixture capsys: what tests and candidate print."""

    Result = collections.namedtuple("CaptureResult", "out err")

    def __init__(self):
        self.streams = io.StringIO(), io.StringIO()

    def readouterr(self):
        result = self.Result(*(s.getvalue() for s in self.streams))
        for s in self.streams:
            s.seek(0)
            s.truncate()
        return result


class ExceptionInfo:
    """What raises() caught."""

    type = value = tb = None

    @property
    def typename(self):
        return self.type.__name__

    def match(self, pattern):
        if not re.search(pattern, str(self.value)):
            raise Failed("the text %r of the exception does not match %r" % (str(self.value)[:300], pattern))
        return True

    def exconly(self, tryshort=False):
        return "%s: %s" % (self.typename, self.value)

    def errisinstance(self, kinds):
        return isinstance(self.value, kinds)


class _Raises:
    def __init__(self, kinds, match=None):
        self.kinds, self.pattern, self.info = kinds, match, ExceptionInfo()

    def __enter__(self):
        return self.info

    def __exit__(self, kind, e, tb):
        if kind is None:
            raise Failed("no exception of class %s" % _names(self.kinds))
        if not issubclass(kind, self.kinds):
            return False
        self.info.type, self.info.value, self.info.tb = kind, e, tb
        if self.pattern is not None:
            self.info.match(self.pattern)
        return True


def _names(kinds):
    return " or ".join(k.__name__ for k in (kinds if isinstance(kinds, tuple) else (kinds,)))


def raises(kinds, *args, match=None, **named):
    for k in kinds if isinstance(kinds, tuple) else (kinds,):
        if not (isinstance(k, type) and issubclass(k, BaseException)):
            raise TypeError("pytest.raises takes classes of exceptions, not %r" % (k,))
    if args:
        with _Raises(kinds) as info:
            args[0](*args[1:], **named)
        return info
    return _Raises(kinds, match)


class approx:
    """A number, or numbers in a list, tuple or dict, with a tolerance: the larger of rel (1e-6) and abs (1e-12)."""

    __hash__ = __array_ufunc__ = None  # an array leaves the comparison to this class

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def __eq__(self, actual):
        return self._same(actual, self.expected)

    def __ne__(self, actual):
        return not self == actual

    def __repr__(self):
        return "approx(%r)" % (self.expected,)

    def _same(self, a, b):
        a, b = plain(a), plain(b)
        if isinstance(b, dict):
            return isinstance(a, dict) and a.keys() == b.keys() and all(self._same(a[k], b[k]) for k in b)
        if isinstance(b, (list, tuple)):
            return isinstance(a, (list, tuple)) and len(a) == len(b) and all(map(self._same, a, b))
        if isinstance(b, bool) or not isinstance(b, numbers.Number):
            return type(a) is type(b) and a == b if isinstance(b, bool) else a == b
        if not isinstance(a, numbers.Number) or isinstance(a, bool):
            return False
        if a == b:
            return True
        if b != b or a != a:
            return self.nan_ok and b != b and a != a
        if not isinstance(b, complex) and math.isinf(b):
            return False
        absolute = self.abs if self.abs is not None else 1e-12
        relative = self.rel if self.rel is not None else 1e-6 if self.abs is None else 0
        return bool(abs(a - b) <= max(relative * abs(b), absolute))


class _Param:
    def __init__(self, values, id=None, marks=()):
        self.values, self.id, self.marks = values, id, marks if isinstance(marks, (list, tuple)) else (marks,)


def param(*values, id=None, marks=()):
    return _Param(values, id, marks)


class _Mark:
    def __init__(self, name, args=(), named=None):
        self.name, self.args, self.named = name, args, named or {}

    def __call__(self, *args, **named):
        if len(args) == 1 and not named and isinstance(args[0], (types.FunctionType, type)):
            f = args[0]
            f.pytestmark = [*vars(f).get("pytestmark", ()), self]
            return f
        return _Mark(self.name, args, named)


class _Marks:
    def __getattr__(self, name):
        return _Mark(name)


mark = _Marks()


class _Fixture:
    def __init__(self, f, named):
        self.f, self.named = f, named
        self.__name__ = f.__name__


def fixture(f=None, **named):
    """A fixture of any scope is made for each test."""
    unknown = set(named) - {"scope", "autouse", "params", "name", "ids"}
    if unknown:
        raise UsageError("pytest.fixture(%s=...) is not supported" % unknown.pop())
    return _Fixture(f, named) if f is not None else lambda f: _Fixture(f, named)


def collect(names):
    """The tests of a module: names, and functions that run them."""
    fixtures = {v.named.get("name") or k: v for k, v in list(names.items()) if isinstance(v, _Fixture)}
    module_marks = names.get("pytestmark", []) if "pytestmark" in names else []
    module_marks = module_marks if isinstance(module_marks, list) else [module_marks]
    found = []
    for k, v in list(names.items()):
        if k.startswith("test") and isinstance(v, types.FunctionType):
            found += _of(k, v, None, fixtures, module_marks)
        elif k.startswith("Test") and isinstance(v, type) and v.__module__ == names["__name__"] and not issubclass(v, unittest.TestCase):
            own = {**fixtures, **{n: f for n, f in vars(v).items() if isinstance(f, _Fixture)}}
            marks = module_marks + list(getattr(v, "pytestmark", ()))
            for n in dict.fromkeys(n for c in reversed(v.__mro__) for n in vars(c)):
                if n.startswith("test") and isinstance(vars(v).get(n), (staticmethod, classmethod)):
                    raise UsageError("%s::%s: tests that are static or class methods are not known here" % (k, n))
                if n.startswith("test") and isinstance(vars(v).get(n, getattr(v, n)), types.FunctionType):
                    found += _of("%s::%s" % (k, n), getattr(v, n), v, own, marks)
                if n.startswith("Test") and isinstance(vars(v).get(n), type):
                    raise UsageError("%s::%s: tests in nested classes are not known here" % (k, n))
    return found


def _of(name, f, kind, fixtures, marks):
    """One function may be several tests."""
    marks = marks + list(getattr(f, "pytestmark", ()))
    sets = [m for m in marks if m.name == "parametrize"]
    rows = [("", {}, ())]
    for m in sets:
        if len(m.args) < 2:
            raise UsageError("%s: parametrize needs names and values" % name)
        fields, values = m.args[:2]
        single = isinstance(fields, str) and "," not in fields
        fields = [x.strip() for x in fields.split(",") if x.strip()] if isinstance(fields, str) else list(fields)
        ids, new = m.named.get("ids"), []
        for k, row in enumerate(values):
            p = row if isinstance(row, _Param) else _Param((row,) if single else tuple(row))
            if len(p.values) != len(fields):
                raise UsageError("%s: parametrize has %d names and a row of %d values" % (name, len(fields), len(p.values)))
            label = p.id or (str(ids[k]) if isinstance(ids, (list, tuple)) else "-".join(_label(x) for x in p.values))
            new.append((label, dict(zip(fields, p.values)), p.marks))
        rows = [(a + "-" + b if a else b, {**x, **y}, (*p, *q)) for b, y, q in new for a, x, p in rows]
    return [("%s[%s]" % (name, label) if label or sets else name, _bound(name, f, kind, given, fixtures, marks + list(more))) for label, given, more in rows]


def _label(v):
    text = str(v) if isinstance(v, (int, float, str, bool, type(None))) else type(v).__name__
    return text if len(text) <= 40 else text[:37] + "..."


_ready = []  # modules and classes of tests whose set-up has run; their teardown says nothing about a candidate


def _set_up(f, *given):
    """Runs a function such as setup_class, which may take what it sets up."""
    if f is not None:
        f(*given[:len(inspect.signature(f).parameters)])


def _bound(name, f, kind, given, fixtures, marks):
    def run():
        for m in marks:
            if m.name == "skip" or m.name == "skipif" and (eval(m.args[0], f.__globals__) if isinstance(m.args[0], str) else m.args[0]):
                raise Skipped(m.named.get("reason", ""))
        xfail = [m for m in marks if m.name == "xfail" and (not m.args or m.args[0])]
        me, cleanups, made = kind() if kind else None, [], {}
        streams = sys.stdout, sys.stderr

        def value(field, inside=()):
            if field in given:
                return given[field]
            if field in made:
                return made[field]
            if field == "capsys":
                v = made[field] = _Captured()
                sys.stdout, sys.stderr = v.streams
                return v
            if field not in fixtures:
                raise UsageError("%s needs the fixture %s, which run-python does not have" % (name, field))
            if field in inside:
                raise UsageError("the fixture %s needs itself" % field)
            fixture = fixtures[field]
            if "params" in fixture.named:
                raise UsageError("the fixture %s has params, which run-python does not have" % field)
            wants = list(inspect.signature(fixture.f).parameters)
            args = [me if k == 0 and w == "self" else value(w, (*inside, field)) for k, w in enumerate(wants)]
            v = fixture.f(*args)
            if inspect.isgenerator(v):
                cleanups.append(v)
                v = next(v)
            made[field] = v
            return v

        try:
            for at, of in (("module", f.__globals__), ("class", kind)):
                if of is not None and not any(of is x for x in _ready):
                    _ready.append(of)
                    _set_up(of.get("setup_module") if at == "module" else getattr(of, "setup_class", None), types.SimpleNamespace(**of) if at == "module" else of)
            _set_up(getattr(me, "setup_method", None), f)
            for field, fixture in fixtures.items():
                if fixture.named.get("autouse"):
                    value(field)
            for m in marks:
                if m.name == "usefixtures":
                    for field in m.args:
                        value(field)
            wants = list(inspect.signature(f).parameters.values())[1 if kind else 0:]
            args = {w.name: value(w.name) for w in wants if w.default is w.empty or w.name in given or w.name in fixtures}
            if kind is None:
                _set_up(f.__globals__.get("setup_function"), f)
            v = f(me, **args) if kind else f(**args)
            if inspect.iscoroutine(v):
                run_coroutine(v)
        except Exception as e:
            if xfail and not isinstance(e, UsageError):
                raise Skipped("expected to fail")
            raise
        finally:
            for v in reversed(cleanups):
                next(v, None)
            _set_up(getattr(me, "teardown_method", None) if kind else f.__globals__.get("teardown_function"), f)
            sys.stdout, sys.stderr = streams
        if xfail and xfail[0].named.get("strict"):
            raise Failed("the test passed, although it is marked xfail(strict)")
    return run
