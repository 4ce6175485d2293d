# The part of pytest that tests of functions use: raises, warns, approx, mark.parametrize, mark.skip,
# mark.skipif, mark.xfail, fixture, capsys, monkeypatch, fail, skip. Anything else is an error that says so.
import collections, collections.abc, contextlib, datetime, decimal, inspect, io, logging, math, numbers, operator, os, pathlib, re, sys, types, unittest, unittest.mock, warnings

from harness.ends import ended, exclude_defect
from harness.faults import meant, transparent
from harness.loops import run_coroutine
from harness.wire import plain


class UsageError(Exception):
    """Tests that need what is not here."""

    _rh_meant = True


class Lacking(UsageError, AttributeError):
    """A part of pytest that is not here."""


class Skipped(BaseException):
    """A test that is not run. by_mark: a mark says so, which is there before any test runs."""

    by_mark = False


class _Marked(Skipped):
    by_mark = True


class Failed(BaseException):
    """A test that says that it has failed: `except Exception` of a test does not catch it."""

    _rh_meant = True


def __getattr__(name):
    if name.startswith("__"):
        raise meant(AttributeError(name))
    raise Lacking("pytest.%s is not part of what run-python has of pytest" % name)


def skip(reason="", *, allow_module_level=False, msg=None):
    raise Skipped(reason or msg or "")


def fail(reason="", pytrace=True, msg=None):
    raise Failed(reason or msg or "")


def xfail(reason=""):
    raise Skipped(reason or "")


def importorskip(name, *_, **__):
    try:
        return __import__(name)
    except ImportError as e:
        raise Skipped(str(e))


class WarningsRecorder(list):
    """The warnings that have come."""

    list = property(lambda self: self)

    def pop(self, cls=Warning):
        """Takes out the first warning of a class, or else of one below it."""
        of = [w for w in self if issubclass(w.category, cls)]
        if not of:
            raise Failed("%r not found in warning list" % (cls,))
        found = next((w for w in of if w.category is cls), of[0])
        self.remove(found)
        return found


@contextlib.contextmanager
def _recorded():
    with warnings.catch_warnings(record=True) as caught:
        caught = WarningsRecorder(caught)
        warnings._showwarnmsg_impl = caught.append
        warnings.simplefilter("always")
        yield caught


@transparent
def warns(expected_warning=Warning, *args, match=None, **named):
    """A with statement in which a warning of a class must come, with a text that matches; or a call in which it must."""
    if not args:
        return _warns(expected_warning, match)
    with _warns(expected_warning, match):
        return args[0](*args[1:], **named)


@contextlib.contextmanager
def _warns(expected_warning, match):
    with _recorded() as caught:
        yield caught
    of = [w for w in caught if issubclass(w.category, expected_warning)]
    if not any(match is None or re.search(match, str(w.message)) for w in of):
        raise Failed("DID NOT WARN: %s came" % (", ".join("%s(%r)" % (w.category.__name__, str(w.message)[:100]) for w in caught[:5]) or "nothing"))


def deprecated_call(*, match=None):
    return warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning), match=match)


class _Stream(io.StringIO):
    """A captured stream. The candidate may write bytes to it: see streams.replaced()."""


class _Captured:
    """The fixtures capsys and capfd: what tests and candidate print."""

    Result = collections.namedtuple("CaptureResult", "out err")
    __class_getitem__ = classmethod(types.GenericAlias)

    def __init__(self):
        self.streams = _Stream(), _Stream()

    def readouterr(self):
        result = self.Result(*(s.getvalue() for s in self.streams))
        for s in self.streams:
            s.seek(0)
            s.truncate()
        return result

    @contextlib.contextmanager
    def disabled(self):
        streams, (sys.stdout, sys.stderr) = (sys.stdout, sys.stderr), (_Stream(), _Stream())
        try:
            yield
        finally:
            sys.stdout, sys.stderr = streams


def on_log(name, level):
    """Has the candidate log for the tests: judge.py sets it."""


class _Log(logging.Handler):
    """The fixture caplog: what tests and candidate log."""

    def __init__(self):
        super().__init__()
        self.records, self._levels, self.handler = [], {}, self
        self.setFormatter(logging.Formatter("%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"))
        logging.root.addHandler(self)
        on_log("", logging.root.level)

    def emit(self, record):
        record.message = record.getMessage()
        self.records.append(record)

    text = property(lambda self: "".join(self.format(r) + "\n" for r in self.records))
    messages = property(lambda self: [r.getMessage() for r in self.records])
    record_tuples = property(lambda self: [(r.name, r.levelno, r.getMessage()) for r in self.records])

    def clear(self):
        self.records = []

    def get_records(self, when):
        return self.records

    def set_level(self, level, logger=None):
        of = logging.getLogger(logger)
        self._levels.setdefault(logger, of.level)
        of.setLevel(level)
        on_log(logger or "", of.level)

    @contextlib.contextmanager
    def at_level(self, level, logger=None):
        before = logging.getLogger(logger).level
        self.set_level(level, logger)
        try:
            yield
        finally:
            logging.getLogger(logger).setLevel(before)
            on_log(logger or "", before)

    def end(self):
        logging.root.removeHandler(self)
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)


_NOTHING = object()


class MonkeyPatch:
    """The fixture monkeypatch. Patches are those of unittest.mock, of which the candidate's instance is told."""

    def __init__(self):
        self._undo = []

    @transparent
    def _patch(self, patch):
        patch.start()
        self._undo.append(patch.stop)

    @transparent
    def setattr(self, target, name, value=_NOTHING, raising=True):
        if value is _NOTHING:
            self._patch(unittest.mock.patch(target, name, create=not raising))
        else:
            self._patch(unittest.mock.patch.object(target, name, value, create=not raising))

    @transparent
    def delattr(self, target, name=None, raising=True):
        if isinstance(target, str):
            target, _, name = target.rpartition(".")
            target = sys.modules[target]
        old = getattr(target, name, _NOTHING)
        if old is not _NOTHING:
            delattr(target, name)
            self._undo.append(lambda: setattr(target, name, old))
        elif raising:
            raise meant(AttributeError(name))

    @transparent
    def setitem(self, of, name, value):
        self._item(of, name)
        of[name] = value

    @transparent
    def delitem(self, of, name, raising=True):
        if name in of:
            self._item(of, name)
            del of[name]
        elif raising:
            raise meant(KeyError(name))

    @transparent
    def _item(self, of, name):
        old = of[name] if name in of else _NOTHING
        self._undo.append(lambda: of.pop(name, None) if old is _NOTHING else of.__setitem__(name, old))

    def setenv(self, name, value, prepend=None):
        self.setitem(os.environ, name, str(value) + prepend + os.environ[name] if prepend and name in os.environ else str(value))

    def delenv(self, name, raising=True):
        self.delitem(os.environ, name, raising)

    def syspath_prepend(self, path):
        pass

    @transparent
    def chdir(self, path):
        before = os.getcwd()
        os.chdir(path)
        self._undo.append(lambda: os.chdir(before))

    @classmethod
    @contextlib.contextmanager
    def context(cls):
        m = cls()
        try:
            yield m
        finally:
            m.undo()

    def undo(self):
        while self._undo:
            self._undo.pop()()


_TEMPORARY = "/tmp/pytest-of-user/pytest-0"


class TempPathFactory:
    """The fixture tmp_path_factory: directories in memory."""

    def mktemp(self, basename, numbered=True):
        for n in range(10_000):
            path = pathlib.Path(_TEMPORARY, "%s%d" % (basename, n) if numbered else basename)
            if not path.exists() or not numbered:
                path.mkdir(parents=True)
                return path

    def getbasetemp(self):
        path = pathlib.Path(_TEMPORARY)
        path.mkdir(parents=True, exist_ok=True)
        return path


class LocalPath:
    """What the fixture tmpdir is: the part of py.path.local that tests use."""

    def __init__(self, path):
        self.path = pathlib.Path(os.fspath(path))

    strpath, basename, purebasename, ext = (property(lambda self, get=get: get(self.path)) for get in (str, *map(operator.attrgetter, ("name", "stem", "suffix"))))
    dirname = property(lambda self: str(self.path.parent))

    def __fspath__(self):
        return str(self.path)

    __str__ = __fspath__

    def __repr__(self):
        return "local(%r)" % str(self.path)

    def __eq__(self, other):
        return isinstance(other, (LocalPath, os.PathLike, str)) and os.fspath(other) == str(self.path)

    def __hash__(self):
        return hash(str(self.path))

    def __lt__(self, other):
        return str(self) < str(other)

    def join(self, *parts, abs=0):
        return LocalPath(self.path.joinpath(*(str(x) if abs else str(x).lstrip("/") for x in parts)))

    def __truediv__(self, other):
        return self.join(os.fspath(other))

    def dirpath(self, *parts):
        return LocalPath(self.path.parent).join(*parts)

    def new(self, basename=None, ext=None):
        return LocalPath(self.path.with_name(basename) if basename else self.path.with_suffix(ext if not ext or ext.startswith(".") else "." + ext))

    def mkdir(self, *parts):
        to = self.join(*parts)
        to.path.mkdir()
        return to

    def ensure(self, *parts, dir=False):
        to = self.join(*parts)
        if dir:
            to.path.mkdir(parents=True, exist_ok=True)
        else:
            to.path.parent.mkdir(parents=True, exist_ok=True)
            to.path.touch()
        return to

    def ensure_dir(self, *parts):
        return self.ensure(*parts, dir=True)

    def open(self, mode="r", ensure=False, encoding=None):
        if ensure:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        return self.path.open(mode, encoding=encoding)

    def write(self, data, mode="w", ensure=False):
        with self.open(mode, ensure) as f:
            f.write(data if "b" in mode or isinstance(data, str) else str(data))

    def write_text(self, data, encoding, ensure=False):
        with self.open("w", ensure, encoding) as f:
            f.write(data)

    def write_binary(self, data, ensure=False):
        self.write(data, "wb", ensure)

    def read(self, mode="r"):
        with self.open(mode) as f:
            return f.read()

    def read_text(self, encoding):
        return self.path.read_text(encoding)

    def read_binary(self):
        return self.path.read_bytes()

    def readlines(self, cr=1):
        text = self.read()
        return text.splitlines(True) if cr else text.split("\n")

    def listdir(self, fil=None, sort=None):
        found = [LocalPath(p) for p in self.path.iterdir()]
        found = [p for p in found if fil is None or (p.path.match(fil) if isinstance(fil, str) else fil(p))]
        return sorted(found) if sort else found

    def check(self, **kinds):
        if not kinds.keys() <= {"file", "dir", "exists"}:
            raise UsageError("check(%s=...) of a path is not supported" % next(iter(kinds.keys() - {"file", "dir", "exists"})))
        return all({"file": self.isfile, "dir": self.isdir, "exists": self.exists}[k]() == bool(v) for k, v in kinds.items()) if kinds else self.exists()

    def exists(self):
        return self.path.exists()

    def isfile(self):
        return self.path.is_file()

    def isdir(self):
        return self.path.is_dir()

    def size(self):
        return self.path.stat().st_size

    def mtime(self):
        return self.path.stat().st_mtime

    def remove(self, rec=1, ignore_errors=False):
        import shutil
        shutil.rmtree(self.path, ignore_errors) if self.isdir() and rec else self.path.rmdir() if self.isdir() else self.path.unlink()

    def rename(self, target):
        self.path.rename(os.fspath(target))

    move = rename

    def copy(self, target):
        import shutil  # in the image, it would take each instance's fuel
        shutil.copytree(self.path, os.fspath(target), dirs_exist_ok=True) if self.isdir() else shutil.copy(self.path, os.fspath(target))

    def chdir(self):
        before = LocalPath(os.getcwd())
        os.chdir(self.path)
        return before

    @contextlib.contextmanager
    def as_cwd(self):
        before = self.chdir()
        try:
            yield before
        finally:
            before.chdir()

    def relto(self, other):
        return str(self.path.relative_to(os.fspath(other))) if self.path.is_relative_to(os.fspath(other)) else ""


for _f in vars(LocalPath).values():
    if isinstance(_f, types.FunctionType):
        transparent(_f)


class _TmpdirFactory:
    """The fixture tmpdir_factory."""

    def mktemp(self, basename, numbered=True):
        return LocalPath(TempPathFactory().mktemp(basename, numbered))

    def getbasetemp(self):
        return LocalPath(TempPathFactory().getbasetemp())


class ExceptionInfo:
    """What raises() caught."""

    type = value = tb = None
    __class_getitem__ = classmethod(types.GenericAlias)

    @property
    def typename(self):
        return self.type.__name__

    def match(self, pattern):
        if not re.search(pattern, _text(self.value)):
            raise Failed("the text %r of the exception does not match %r" % (_text(self.value)[:300], pattern))
        return True

    def __repr__(self):
        return "<ExceptionInfo %r tblen=2>" % (self.value,)

    def exconly(self, tryshort=False):
        return "%s: %s" % (self.typename, self.value)

    def errisinstance(self, kinds):
        return isinstance(self.value, kinds)

    def group_contains(self, kinds, *, match=None, depth=None):
        """Reports whether a group holds such an exception, at some depth or at any."""
        return any(isinstance(e, kinds) and re.search(match or "", _text(e)) is not None for e in _within(self.value, depth))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise meant(AttributeError(name))
        raise Lacking("ExceptionInfo.%s is not part of what run-python has of pytest" % name)


def _text(e):
    """What patterns are sought in: the text of an exception with its notes."""
    return "\n".join((str(e), *getattr(e, "__notes__", ())))


def _within(group, depth):
    for e in group.exceptions:
        if depth in (None, 1):
            yield e
        if isinstance(e, BaseExceptionGroup) and depth != 1:
            yield from _within(e, depth and depth - 1)


class _Raises:
    def __init__(self, kinds, match=None, check=None):
        self.kinds, self.pattern, self.check, self.info = kinds, match, check, ExceptionInfo()

    def __enter__(self):
        return self.info

    def __exit__(self, kind, e, tb):
        if e is not None:
            exclude_defect(e)
            e = ended(e, self.kinds)
            kind = type(e)
        if kind is None:
            raise Failed("no exception of class %s" % _names(self.kinds))
        if not issubclass(kind, self.kinds):
            return False
        self.info.type, self.info.value, self.info.tb = kind, e, tb
        if self.pattern is not None:
            self.info.match(self.pattern)
        if self.check is not None and not self.check(e):
            raise Failed("the exception %s is not one that the test's check accepts" % self.info.exconly()[:300])
        return True


def _names(kinds):
    return " or ".join(k.__name__ for k in (kinds if isinstance(kinds, tuple) else (kinds,)))


@transparent
def raises(expected_exception, *args, match=None, check=None, **named):
    kinds = expected_exception
    for k in kinds if isinstance(kinds, tuple) else (kinds,):
        if not (isinstance(k, type) and issubclass(k, BaseException)):
            if not isinstance(k, BaseException):  # which tests write by mistake
                raise meant(TypeError("expected exception must be a BaseException type, not %r" % (k,)))
            raise UsageError("pytest.raises takes classes of exceptions, not %r" % (k,))
    if args:
        with _Raises(kinds) as info:
            args[0](*args[1:], **named)
        return info
    return _Raises(kinds, match, check)


class approx:
    """A number, or numbers in a list, tuple or dict, with a tolerance: the larger of rel (1e-6) and abs (1e-12)."""

    __hash__ = __array_ufunc__ = None  # an array leaves the comparison to this class

    @transparent
    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok
        if _is_collection(expected) and plain(expected) is expected:  # arrays have dimensions
            items = expected.values() if isinstance(expected, collections.abc.Mapping) else expected
            if not hasattr(expected, "__getitem__") or any(map(_is_collection, items)):
                raise meant(TypeError("pytest.approx() does not support nested data structures or sets: %r" % (expected,)))

    def __bool__(self):
        raise UsageError("the tests ask for the truth of pytest.approx()")

    @transparent
    def __eq__(self, actual):
        return self._same(actual, self.expected)

    @transparent
    def __ne__(self, actual):
        return not self == actual

    def __repr__(self):
        return "approx(%r)" % (self.expected,)

    @transparent
    def _same(self, a, b):
        a, b = plain(a), plain(b)
        if isinstance(b, collections.abc.Mapping):
            return isinstance(a, collections.abc.Mapping) and set(a.keys()) == set(b.keys()) and all(self._same(a[k], b[k]) for k in b)
        if isinstance(b, collections.abc.Sized) and hasattr(b, "__getitem__") and not isinstance(b, (str, bytes)):
            return isinstance(a, collections.abc.Sized) and isinstance(a, collections.abc.Iterable) and len(a) == len(b) and all(map(self._same, a, b))
        if isinstance(b, bool) and not isinstance(a, bool):
            return False
        if a == b:
            return True
        if isinstance(b, (datetime.datetime, datetime.timedelta)) and self.abs is not None and type(a) is type(b):
            return abs(a - b) <= self.abs
        if not isinstance(b, _NUMBERS) or not isinstance(a, _NUMBERS):
            return False
        if b != b or a != a:
            return self.nan_ok and b != b and a != a
        if math.isinf(abs(b)):
            return False
        kind = decimal.Decimal if isinstance(b, decimal.Decimal) else float
        absolute = kind(1e-12 if self.abs is None else self.abs)
        relative = kind(self.rel if self.rel is not None else 1e-6 if self.abs is None else 0)
        return bool(abs(a - b) <= max(relative * abs(b), absolute))


_NUMBERS = numbers.Complex, decimal.Decimal


def _is_collection(v):
    return isinstance(v, collections.abc.Collection) and not isinstance(v, (str, bytes, bytearray))


class _Param:
    def __init__(self, values, id=None, marks=()):
        self.values, self.id, self.marks = values, id, marks if isinstance(marks, (list, tuple)) else (marks,)


def param(*values, id=None, marks=()):
    return _Param(values, id, marks)


class _Mark:
    def __init__(self, name, args=(), named=None):
        self.name, self.args, self.named = name, args, named or {}

    kwargs = property(lambda self: self.named)

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
    """A function that makes an argument of tests."""
    unknown = set(named) - {"scope", "autouse", "params", "name", "ids"}
    if unknown:
        raise UsageError("pytest.fixture(%s=...) is not supported" % unknown.pop())
    return _Fixture(f, named) if f is not None else lambda f: _Fixture(f, named)


def collect(names, epoch):
    """The tests of a module: names, functions that run them, and one that ends the fixtures they share. epoch() changes when the candidate's objects are no more."""
    fixtures = _fixtures(names)
    module_marks = names.get("pytestmark", []) if "pytestmark" in names else []
    module_marks = module_marks if isinstance(module_marks, list) else [module_marks]
    found, shared = [], _Shared(epoch)
    for k, v in list(names.items()):
        if k.startswith("test") and isinstance(v, types.FunctionType):
            found += _of(k, v, None, fixtures, module_marks, shared)
        elif k.startswith("Test") and isinstance(v, type) and v.__module__ == names["__name__"] and not issubclass(v, unittest.TestCase):
            found += _methods(k, v, fixtures, module_marks, shared)
    return found, shared.end


def _fixtures(names):
    return {v.named.get("name") or k: v for k, v in list(names.items()) if isinstance(v, _Fixture)}


def _methods(name, kind, fixtures, marks, shared):
    found = []
    fixtures = {**fixtures, **{k: f for c in reversed(kind.__mro__) for k, f in _fixtures(vars(c)).items()}}
    own = getattr(kind, "pytestmark", ())
    marks = marks + (list(own) if isinstance(own, (list, tuple)) else [own])
    for n in dict.fromkeys(n for c in reversed(kind.__mro__) for n in vars(c)):
        v = inspect.getattr_static(kind, n)
        if n.startswith("test") and isinstance(v, (types.FunctionType, staticmethod, classmethod)):
            found += _of("%s::%s" % (name, n), v, kind, fixtures, marks, shared)
        if n.startswith("Test") and isinstance(v, type) and v.__module__ == kind.__module__:
            found += _methods("%s::%s" % (name, n), v, fixtures, marks, shared)
    return found


class _Shared:
    """The fixtures of a scope beyond one test."""

    def __init__(self, epoch):
        self.epoch, self.at, self.made, self.cleanups = epoch, epoch(), {}, []

    def values(self):
        if self.at != self.epoch():  # what they hold of the candidate is no more
            self.at, self.made, self.cleanups = self.epoch(), {}, []
        return self.made

    def end(self):
        if self.at == self.epoch():
            _clean_up(self.cleanups)


def _clean_up(cleanups):
    while cleanups:
        cleanups.pop()()


def _globals(f):
    return inspect.unwrap(_function_of(f)).__globals__


def _function_of(f):
    return f.__func__ if isinstance(f, (staticmethod, classmethod)) else f


def _wants(f, kind):
    """The names of the fixtures that a function takes."""
    wants = list(inspect.signature(_function_of(f)).parameters.values())
    if kind and not isinstance(f, staticmethod):
        wants = wants[1:]
    wants = wants[sum(p.attribute_name is None and p.new is unittest.mock.DEFAULT for p in getattr(_function_of(f), "patchings", ())):]  # of mock.patch
    return [w.name for w in wants if w.default is w.empty and w.kind not in (w.VAR_POSITIONAL, w.VAR_KEYWORD)]


def _needed(names, fixtures, given, seen=()):
    """The fixtures that a test needs, with those that these need."""
    for name in names:
        if name in fixtures and name not in given and name not in seen:
            seen = (*seen, name)
            f = fixtures[name].f
            seen = _needed([w for w in inspect.signature(_function_of(f)).parameters if w != "self"], fixtures, given, seen)
    return seen


def _of(name, f, kind, fixtures, marks, shared):
    """One function may be several tests."""
    marks = marks + list(getattr(_function_of(f), "pytestmark", ()))
    sets = [m for m in marks if m.name == "parametrize"]
    rows = [("", {}, {}, ())]  # label, arguments, parameters of fixtures, marks
    for m in sets:
        fields, values = (*m.args, *(m.named[k] for k in ("argnames", "argvalues")[len(m.args):] if k in m.named), None, None)[:2]
        if fields is None or values is None:
            raise UsageError("%s: parametrize needs names and values" % name)
        single = isinstance(fields, str) and "," not in fields
        fields = [x.strip() for x in fields.split(",") if x.strip()] if isinstance(fields, str) else list(fields)
        indirect = m.named.get("indirect", False)
        indirect = fields if indirect is True else [indirect] if isinstance(indirect, str) else list(indirect or ())
        ids, new = m.named.get("ids"), []
        try:
            values = [row if isinstance(row, _Param) or single else tuple(row) for row in values]
        except TypeError as e:
            raise UsageError("%s: the rows of parametrize: %s" % (name, e))
        for k, row in enumerate(values):
            p = row if isinstance(row, _Param) else _Param((row,) if single else row)
            if len(p.values) != len(fields):
                raise UsageError("%s: parametrize has %d names and a row of %d values" % (name, len(fields), len(p.values)))
            label = p.id or (str(ids[k]) if isinstance(ids, (list, tuple)) else "-".join(_label(x) for x in p.values))
            pairs = list(zip(fields, p.values))
            new.append((label, {n: v for n, v in pairs if n not in indirect}, {n: (k, v) for n, v in pairs if n in indirect}, p.marks))
        rows = [(a + "-" + b if a else b, {**x, **y}, {**s, **t}, (*p, *q)) for b, y, t, q in new for a, x, s, p in rows]
    wants = [*(k for k, v in fixtures.items() if v.named.get("autouse")), *(n for m in marks if m.name == "usefixtures" for n in m.args), *_wants(f, kind)]
    for field in _needed(wants, fixtures, rows[0][1] if rows else ()):
        if "params" in fixtures[field].named and not (rows and field in rows[0][2]):
            params = [p if isinstance(p, _Param) else _Param((p,)) for p in fixtures[field].named["params"]]
            ids = fixtures[field].named.get("ids")
            labels = [p.id or (str(ids[k]) if isinstance(ids, (list, tuple)) else _label(p.values[0])) for k, p in enumerate(params)]
            rows = [(a + "-" + b if a else b, x, {**s, field: (k, p.values[0])}, (*q, *p.marks)) for a, x, s, q in rows for k, (b, p) in enumerate(zip(labels, params))]
    if not rows:
        return [(name, _no_rows)]
    rows = [("%s[%s]" % (name, label) if label or sets else name, *row) for label, *row in rows]
    return [(whole, _bound(whole, f, kind, given, params, fixtures, marks + list(more), shared)) for whole, given, params, more in rows]


def _label(v):
    text = str(v) if isinstance(v, (int, float, str, bool, type(None))) else type(v).__name__
    return text if len(text) <= 40 else text[:37] + "..."


_ready = []  # modules and classes of tests whose set-up has run; their teardown says nothing about a candidate


def _set_up(f, *given):
    """Runs a function such as setup_class, which may take what it sets up."""
    if f is not None:
        f(*given[:len(inspect.signature(f).parameters)])


class _Node:
    """What a fixture can ask of the test that wants it."""

    def __init__(self, name, given, params, marks):
        self.nodeid, self.name, self._marks = name, name.rpartition("::")[2], marks
        self.originalname, _, label = self.name.partition("[")
        self.keywords = {m.name: m for m in marks}
        if given or params:
            self.callspec = types.SimpleNamespace(params={**given, **{field: v for field, (_, v) in params.items()}}, id=label[:-1])

    def iter_markers(self, name=None):
        return (m for m in reversed(self._marks) if name in (None, m.name))

    def get_closest_marker(self, name, default=None):
        return next(self.iter_markers(name), default)

    def __getattr__(self, name):
        if name.startswith("__") or name == "callspec":
            raise meant(AttributeError(name))
        raise Lacking("request.node.%s is not part of what run-python has of pytest" % name)


class _Request:
    """The fixture request."""

    def __init__(self, value, given, params, marks, f, me, name, cleanups, field=None, scope="function"):
        self.getfixturevalue, self.function, self.instance, self.fixturename, self.scope = value, _function_of(f), me, field, scope
        self.cls, self.module = me and type(me), types.SimpleNamespace(**_globals(f))
        self.node = _Node(name, given, params, marks)
        self.addfinalizer = cleanups.append
        if field in params:
            self.param = params[field][1]

    def __getattr__(self, name):
        if name.startswith("__") or name == "param":
            raise meant(AttributeError(name))
        raise Lacking("request.%s is not part of what run-python has of pytest" % name)


def _condition(m, f):
    """Reports whether a mark such as skipif applies."""
    v = m.args[0] if m.args else m.named.get("condition", True)
    return eval(v, _globals(f)) if isinstance(v, str) else v


def _skipped(m, why):
    """What a mark raises. One whose condition is a text looks when the test runs."""
    return (Skipped if any(isinstance(v, str) for v in (*m.args, m.named.get("condition"))) else _Marked)(why)


def _no_rows():
    raise _Marked("no rows")


def _bound(name, f, kind, given, params, fixtures, marks, shared):
    def run():
        for m in marks:
            if m.name == "skip" or m.name == "skipif" and _condition(m, f):
                raise _skipped(m, m.named.get("reason", ""))
        if getattr(_function_of(f), "__unittest_skip__", False):
            raise _Marked(getattr(_function_of(f), "__unittest_skip_why__", ""))
        xfail = [m for m in marks if m.name == "xfail" and _condition(m, f)]
        if any(m.named.get("run") is False for m in xfail):
            raise _skipped(xfail[0], "expected to fail")
        me, made, cleanups = kind() if kind else None, {}, []
        streams = sys.stdout, sys.stderr

        def value(field, inside=()):
            if field in given:
                return given[field]
            if field in made:
                return made[field]
            if field == "request":
                return _Request(value, given, params, marks, f, me, name, cleanups)
            if field in fixtures:
                return fixed(field, inside)
            if field in ("capsys", "capfd"):
                v = made[field] = _Captured()
                sys.stdout, sys.stderr = v.streams
            elif field == "caplog":
                v = made[field] = _Log()
                cleanups.append(v.end)
            elif field == "monkeypatch":
                v = made[field] = MonkeyPatch()
                cleanups.append(v.undo)
            elif field == "recwarn":
                stack = contextlib.ExitStack()
                v = made[field] = stack.enter_context(_recorded())
                cleanups.append(stack.close)
            elif field == "tmp_path":
                v = made[field] = TempPathFactory().mktemp(re.sub(r"\W", "_", name.rpartition("::")[2])[:30])
            elif field == "tmpdir":
                v = made[field] = LocalPath(value("tmp_path"))
            elif field == "tmp_path_factory":
                v = made[field] = TempPathFactory()
            elif field == "tmpdir_factory":
                v = made[field] = _TmpdirFactory()
            else:
                raise UsageError("%s needs the fixture %s, which run-python does not have: define it in the tests" % (name, field))
            return v

        def fixed(field, inside):
            if field in inside:
                raise UsageError("the fixture %s needs itself" % field)
            fixture = fixtures[field]
            scope = fixture.named.get("scope", "function")
            values, ends = (made, cleanups) if scope == "function" else (shared.values(), shared.cleanups)
            key = field if scope == "function" else (field, id(fixture), kind if scope == "class" else None, params.get(field, (None,))[0])
            if key not in values:
                wants = list(inspect.signature(_function_of(fixture.f)).parameters)
                owner = me if scope == "function" or kind is None else kind()
                args = [owner if k == 0 and w in ("self", "cls") and kind else _Request(value, given, params, marks, f, me, name, ends, field, scope) if w == "request" else value(w, (*inside, field)) for k, w in enumerate(wants)]
                v = _function_of(fixture.f)(*args)
                if inspect.isgenerator(v):
                    ends.append(lambda generator=v: next(generator, None))
                    v = next(v)
                elif inspect.iscoroutine(v):
                    v = run_coroutine(v)
                values[key] = v
            return values[key]

        try:
            for at, of in (("module", _globals(f)), ("class", kind)):
                if of is not None and not any(of is x for x in _ready):
                    _ready.append(of)
                    _set_up(of.get("setup_module") if at == "module" else getattr(of, "setup_class", None), types.SimpleNamespace(**of) if at == "module" else of)
            _set_up(getattr(me, "setup_method", None), f)
            for scope in ("session", "package", "module", "class", "function"):
                for field, fixture in fixtures.items():
                    if fixture.named.get("autouse") and fixture.named.get("scope", "function") == scope:
                        value(field)
            for m in marks:
                if m.name == "usefixtures":
                    for field in m.args:
                        value(field)
            args = {n: value(n) for n in (*_wants(f, kind), *(n for n in given if n in inspect.signature(_function_of(f)).parameters))}
            if kind is None:
                _set_up(_globals(f).get("setup_function"), f)
            v = _function_of(f)(*(() if not kind or isinstance(f, staticmethod) else (kind,) if isinstance(f, classmethod) else (me,)), **args)
            if inspect.iscoroutine(v):
                run_coroutine(v)
        except (Exception, Failed) as e:
            if xfail:
                exclude_defect(e)
            kinds = xfail and xfail[0].named.get("raises") or (Exception, Failed)
            if xfail and isinstance(e, kinds) and not isinstance(e, UsageError):
                raise _skipped(xfail[0], "expected to fail")
            raise
        finally:
            try:
                _clean_up(cleanups)
                _set_up(getattr(me, "teardown_method", None) if kind else _globals(f).get("teardown_function"), f)
            finally:
                sys.stdout, sys.stderr = streams
        if xfail and xfail[0].named.get("strict"):
            raise Failed("the test passed, although it is marked xfail(strict)")
    return run


FIXTURES = frozenset("request capsys capfd caplog monkeypatch recwarn tmp_path tmpdir tmp_path_factory tmpdir_factory".split())

# What tests write for the classes of fixtures.
CaptureFixture, LogCaptureFixture, FixtureRequest = _Captured, _Log, _Request
