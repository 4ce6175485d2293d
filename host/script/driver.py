# The driver runs once in CPython, and park.py parks it: its memory is then the image that
# scripts start from. The host calls _begin, which reads a script as JSON from standard
# input, and returns the addresses of the functions that answer requests, or an error.
#
# The files of the driver run as one program, in the order of the table in drivers.go.
import sys, os, re, json, time, gc, marshal, traceback, linecache, types, inspect, collections, importlib.machinery, importlib.util

_entry, _files = "", {}

if sys.version_info < (3, 14):  # scipy, which is part of the other Python, passes it to functions in C
    import _compression
    _compression.sys = types.SimpleNamespace(maxsize=sys.maxsize)  # read() of gzip, bz2 and lzma does so, too
    sys.maxsize = (1 << 63) - 1  # as on the machines that scripts are written for, where it stands for infinity; sizes here have 32 bits

# Modules that are part of CPython's program wherever it runs: a file of the name hides none of them.
_built_in = frozenset("""_abc _ast _codecs _collections _collections_abc _functools _imp _io _locale _operator _signal _sitebuiltins _sre _stat _string _symtable
_thread _tokenize _tracemalloc _typing _warnings _weakref abc atexit builtins codecs errno faulthandler gc genericpath io itertools marshal ntpath os posix
posixpath site stat sys time zipimport""".split())


class _Beside:
    """Finds the modules that lie beside the script; they are in memory, and no files."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in _built_in:
            return None
        base = name.replace(".", "/")
        for file, package in ((base + "/__init__.py", True), (base + ".py", False)):
            if file in _files:
                return importlib.util.spec_from_file_location(
                    name, file, loader=_Loader(file), submodule_search_locations=[base] if package else None)
        if any(file.startswith(base + "/") for file in _files):
            return importlib.machinery.ModuleSpec(name, None, is_package=True)
        return None


# Conventions: how the scorers of other evaluators look and are called. Each has a file,
# which adds to these.
_shims = {}       # how to call a function, by its name; the first that a script has is its scorer
_classes = []     # pairs: whether a value is a class that scores, and how to call it
_signatures = []  # pairs: whether the parameters of a function tell its convention, and how to call it
_searches = []    # functions that find the scorer in a module without a function of a known name, or return None
_hints = []       # functions that explain an exception, or return None
_provided = {}        # source of modules that scripts may import although they are not installed, by path


class _Provided:
    """Finds what is provided, behind all else."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        base = name.replace(".", "/")
        for file, package in ((base + "/__init__.py", True), (base + ".py", False)):
            if file in _provided:
                return importlib.util.spec_from_file_location(name, file, loader=_Loader(file), submodule_search_locations=[base] if package else None)
        return None


class _Loader:
    def __init__(self, file):
        self.file = file

    def source(self):
        return _files[self.file] if self.file in _files else _provided[self.file]

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compile(self.source(), self.file, "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name):
        return self.source()


sys.path[:] = [p for p in sys.path if p.startswith("/usr/local/lib")]
sys.meta_path.insert(0, _Beside)
sys.meta_path.append(_Provided)


def _beside():
    return sorted({file.split("/")[0].removesuffix(".py") for file in _files if file != _entry})


_sci = "numpy scipy pandas sklearn statsmodels regex lxml sympy networkx yaml bs4 dateutil matplotlib PIL".split()  # what python-sci has


def _hint(e):
    if isinstance(e, MemoryError):
        return "; raise wasm.Limits.MemoryPages, or make the script use less"
    for hint in _hints:
        said = hint(e)
        if said:
            return said
    wanted = (e.name or "") if isinstance(e, ModuleNotFoundError) else ""
    if not isinstance(e, ImportError) and any("/asyncio/" in f.filename for f in traceback.extract_tb(e.__traceback__)):
        return "; there is no event loop here: a function that is async is awaited, and waits for nothing"
    if isinstance(e, OSError) and e.filename is not None:
        return "; a script has no files: put data into a module beside it, as a value"
    if wanted.startswith(("concurrent.futures.", "multiprocessing", "_posixsubprocess", "_multiprocessing")) or isinstance(e, RuntimeError) and "new thread" in str(e) or "does not support processes" in str(e):
        return "; a script has no threads and no processes"
    if isinstance(e, (AttributeError, OSError)) and any(f.filename.endswith(("/socket.py", "/ssl.py")) for f in traceback.extract_tb(e.__traceback__)) or wanted == "_ssl":
        return "; a script has no network"
    if not isinstance(e, ModuleNotFoundError):
        return ""
    mine, sci = ", ".join(_beside()), _has("numpy")
    text = "; this runtime has the standard library of Python %d.%d, %s, and the modules that lie beside the script" % (
        *sys.version_info[:2], "numpy, scipy, pandas, scikit-learn and what they need" if sci else "without packages that are compiled")
    text += " (" + mine + ")" if mine else " (there are none)"
    wanted = wanted.partition(".")[0]
    if not sci and wanted in _sci:
        text += "; %s is there in runtime: python-sci" % wanted
    return text


def _has(name):
    try:
        return importlib.util.find_spec(name) is not None
    except BaseException:
        return False


def _what(e, _format=traceback.format_exception_only):
    try:
        return "".join(_format(type(e), e)).strip().split(". Site initialization is disabled")[0] + _hint(e)
    except BaseException:
        return type(e).__name__


def _tell(e, _extract=traceback.extract_tb, _format=traceback.format_list):
    """What an exception says to the script's author: where, what, and the way there."""
    if isinstance(e, SyntaxError) and e.filename in _files:
        return "%s:%s:%s: %s: %s\n%s" % (e.filename, e.lineno, e.offset, type(e).__name__, e.msg, (e.text or "").rstrip())
    frames = [f for f in _extract(e.__traceback__) if f.filename != "<string>"]
    for f in frames:  # where the library was built is of no interest
        f.filename = f.filename.split("/checkout/")[-1]
    mine = [f for f in frames if f.filename in _files]
    where = "%s:%d: " % (mine[-1].filename, mine[-1].lineno) if mine else ""
    return where + _what(e) + ("\n" + "".join(_format(frames[-8:])).rstrip() if frames else "")


def _ours(f):
    """Reports whether a function beside one of another evaluator is meant as ours, and is not that one's helper."""
    try:
        wants = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return False
    return wants[:1] == ["case"] or "config" in wants[1:]


def _own(module, name):
    """The function of a name that a script has; not one that it imports from what is provided, such as a decorator."""
    f = getattr(module, name, None)
    return f if callable(f) and str(getattr(f, "__module__", "")).replace(".", "/") + "/__init__.py" not in _provided else None


def _find(module, name):
    f = getattr(module, name, None)
    for fits, shim in _classes:
        if fits(f):
            return shim(f)
    if callable(f):
        other = next((k for k in _shims if name == "score" and _own(module, k) is not None), None)
        ours = _ours(f)
        if other is not None and not ours:
            raise _Missing("%s: it has score and %s; %s" % (_entry, other, _meant(other)))
        return _native(f) if ours else _shims.get(name, _native)(f)
    if name != "score":
        raise LookupError
    for other, shim in _shims.items():
        f = _own(module, other)
        if f is not None:
            return shim(f)
    for search in _searches:
        score = search(module)
        if score is not None:
            return score
    raise LookupError


def _takes_criterion(f):
    if getattr(f, "criterion", None) is True:
        return True
    try:
        wants = [p for p in inspect.signature(f).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        return False
    return len(wants) >= 3 and wants[2].name == "criterion"


def _reads_of(f):
    """Answers which keys of the configuration a scorer reads; null: perhaps any."""
    keys = _reads.get(id(f))
    return json.dumps({"reads": None if keys is None else sorted(keys)}).encode()


def _server(name, f, _read=os.read, _scan=json.JSONDecoder().scan_once, _loads=marshal.loads, _most=1 << 16, _type=type, _coroutine=types.CoroutineType, _len=len, _all=BaseException):
    criterion = _takes_criterion(f)

    def serve():
        try:
            b = _read(0, _most)
            if _len(b) == _most:
                parts = [b]
                while b:
                    b = _read(0, _most)
                    parts.append(b)
                b = b"".join(parts)
            r = _loads(b)[0] if b[0] == 41 else _scan(b.decode(), 0)[0]  # marshal.go writes the one, the other is JSON
            kind = r["kind"]
            if kind == "corpus":
                v = f(r["stats"], r["config"])
            elif kind == "reads":
                return _reads_of(f)
            elif criterion:
                v = f(r["case"], r["config"], r.get("criterion"))
            else:
                v = f(r["case"], r["config"])
            if _type(v) is _coroutine:
                v = _await(v)
            if kind == "scorer" and isinstance(v, str):
                v = {"level": str(getattr(v, "value", v))}
            return _answer(name, v)
        except _all as e:
            return _failed(_tell(e))
    return serve


def _await(coroutine):
    """Runs a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as e:
        return e.value
    raise RuntimeError("the function waits for something that never happens: there are no timers and no files here")


def _meant(name):
    return "name the one that is meant: %s:%s, or exports: {%s: what it says} in a plugin.yaml" % (_entry, name, name)


def _others(module):
    """What to do with the functions that a script has instead."""
    mine = [k for k, f in vars(module).items() if callable(f) and not k.startswith("_") and getattr(f, "__module__", None) == module.__name__]
    return "; it has %s: %s" % (", ".join(mine[:8]), _meant(mine[0])) if mine else ""


def _start(functions):
    """Runs the script, and returns the functions that score, ours around them, and requests to warm up with."""
    module = types.ModuleType(os.path.basename(_entry).removesuffix(".py"))
    module.__file__, module.__loader__ = _entry, _Loader(_entry)
    sys.modules[module.__name__] = sys.modules["__main__"] = module
    _Loader(_entry).exec_module(module)
    scored = []
    for name in functions:
        try:
            scored.append(_find(module, name))
        except LookupError:
            raise _Missing("%s: it has no function %s(case, config); write: def %s(case, config): ...%s" % (_entry, name, name, _others(module)))
    return scored, getattr(module, "__warmup__", ())


def _hide(names):
    """Forgets modules of the library that have the name of one beside the script, as if nothing had imported them yet."""
    for name in [m for m in sys.modules if m.partition(".")[0] in names and m.partition(".")[0] not in _built_in]:
        del sys.modules[name]


class _Missing(Exception):
    pass


def _warm(score, warmup):
    """Scores each of the requests some times; what goes wrong with one says so."""
    try:
        requests = [(r.get("case", r), r.get("config", {})) for r in (warmup() if callable(warmup) else warmup)]
    except (AttributeError, TypeError):
        raise _Missing('%s: __warmup__ is %.200r; write a list of requests: [{"case": {"output": "..."}, "config": {}}]' % (_entry, warmup))
    for _ in range(8):
        for k, (case, config) in enumerate(requests):
            try:
                score(case, config)
            except Exception as e:
                raise _Missing("__warmup__[%d]: %s" % (k, _tell(e)))


_kept = []  # what serves


def _begin():
    global _entry
    try:
        text = b""
        while part := os.read(0, 1 << 18):
            text += part
        told = json.loads(text)
        _entry, sys.argv = told["entry"], [told["entry"]]
        _files.update((name, source.removeprefix("\ufeff")) for name, source in told["files"].items())
        for name, source in _files.items():
            linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        _hide(_beside())
        if told.get("peer"):
            sys.modules["rubric_host_peer"] = _peer_module()
        if told.get("program"):
            _kept.append(_program())
        else:
            scored, warmup = _start(told["functions"])
            for name, f in zip(told["functions"], scored):
                _kept.append(_server(name, f))
            _warm(scored[0], warmup)
            if told.get("peer"):
                _kept.append(_peer_server(sys.modules["__main__"]))
        del told, text
        lasting = _outlast()
        _fill_holes()
        gc.freeze()
        return json.dumps({"serve": [id(f) for f in _kept], "lasting": lasting}).encode()
    except _Missing as e:
        return _failed(str(e))
    except BaseException as e:
        return _failed(_tell(e))
