# What tests have of the library that looks into an object: inspect, dataclasses, type(), hasattr(). Of the candidate's, they ask its instance.
import ast, contextlib, dataclasses, decimal, functools, inspect, operator, random, sys, traceback, types

from . import candidate, files
from .ends import Current, Unsupported
from .faults import transparent
from .handles import Handle, Record, STANDS
from .kinds import below, library_of, TYPE_OF
from .mirrors import Function, is_candidates, Mirror, Query


def asking(module, name, of_tests=False):
    """A function of the library that looks into an object: of one of the candidate, its own instance is asked. of_tests: only if the tests call it."""
    f = getattr(module, name)

    @functools.wraps(f)
    @transparent
    def asking(v, /, *args, **named):
        asks = is_candidates(v) and not (of_tests and sys._getframe(1).f_code.co_filename != "tests.py")
        return Current.current.library(module.__name__, name, v, *args, **named) if asks else f(v, *args, **named)
    setattr(module, name, asking)


for _name in "asdict astuple fields replace is_dataclass _process_class".split():
    asking(dataclasses, _name)
asking(operator, "length_hint")
for _name in "getdoc isgeneratorfunction iscoroutinefunction isasyncgenfunction isfunction ismethod isroutine isbuiltin isabstract signature getmembers".split():
    asking(inspect, _name)
asking(inspect, "getattr_static", of_tests=True)


if hasattr(contextlib, "_lookup_special"):  # from Python 3.15 on, ExitStack looks for methods where those of the candidate's classes are not
    _special = contextlib._lookup_special
    contextlib._lookup_special = transparent(lambda v, name, default: getattr(v, name, default) if is_candidates(v) else _special(v, name, default))


def _source(c, v, lines):
    """The lines of the program that define what the tests read the source of, and the number of the first one. What its own instance says alone is not evidence: it may have replaced inspect."""
    program = c.program
    text = candidate.compiled(program.prompt, program.texts, program.above)[3]
    if isinstance(v, types.ModuleType):
        return text.splitlines(True), 0
    path = [v.__name__] if type(v) is Mirror else []
    if type(v) in (Function, Query):
        _, target, name = v._rh
        path = [name] if target is None else [c.classes[target[0]].__name__, name] if type(target) is list else [type(c.handles[target]).__name__, name]
    tree = node = ast.parse(text)
    for name in path:
        found = [n for n in node.body if getattr(n, "name", "") == name]
        bound = found if node is not tree else [n for n in ast.walk(tree) if name in (getattr(n, "name", ""), getattr(n, "asname", "")) or isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)]
        node = found[0] if len(found) == len(bound) == 1 else None
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            node = None
            break
    if path and node is not None:
        first = min(n.lineno for n in (node, *node.decorator_list))
        own = text.splitlines(True)[first - 1:node.end_lineno]
        if "".join(lines) == "".join(own):
            return own, first
    raise Unsupported("the tests read the source of %s, which is not where the program defines it" % (".".join(path) or "an object of the candidate"), chosen=True)


def _reading_source(name, made):
    read = getattr(inspect, name)

    @functools.wraps(read)
    @transparent
    def reading(v):
        c = Current.current
        is_module = isinstance(v, types.ModuleType) and "_tests" in vars(v)
        if c is None or not (is_module or is_candidates(v)):
            return read(v)
        return made(_source(c, v, () if is_module else c.library("inspect", "getsourcelines", v)[0]))
    setattr(inspect, name, reading)


_reading_source("getsource", lambda found: "".join(found[0]))
_reading_source("getsourcelines", lambda found: found)


@transparent
def _has(v, name, /):
    """hasattr, for names that every object here has."""
    if type(name) is str and name.startswith("__") and (type(type(v)) is Mirror or type(v) is Mirror):
        return Current.current.operate("hasattr", v, name) is True
    return hasattr(v, name)


@transparent
def _is_callable(v, /):
    return Current.current.operate("callable", v) is True if type(type(v)) is Mirror else callable(v)


@transparent
def _is_subclass(kind, of, /):
    return issubclass(kind, of) or type(kind) is Mirror and below(kind) is not None and issubclass(below(kind), of)


def type_of(v):
    """type(v) in tests. A class whose name has no capital letter is what the tests have under its name."""
    kind = _type_of(v)
    if type(kind) is Mirror and kind._rh_class is not None and kind.__name__[:1].islower():
        try:
            named = sys._getframe(1).f_globals[kind.__name__]
        except LookupError:
            return kind
        if type(named) is Function and named._rh[0].operate("itself", named) is kind:
            return named
    return kind


def _type_of(v):
    kind = type(v)
    if kind is Mirror:
        meta = Current.current.library("builtins", "type", v)
        return meta if type(meta) is Mirror and meta is not Handle else type
    if issubclass(kind, Function):
        itself = v._rh[0].operate("itself", v)
        return type if type(itself) is Mirror else _type_of(itself)
    return library_of(kind) or kind if type(kind) is Mirror else v._rh_kind if kind in STANDS or issubclass(kind, Record) else kind


# What tests have under the names of built-in functions. To change builtins would undo what CPython has specialised.
OWN = {"hasattr": _has, "callable": _is_callable, "issubclass": _is_subclass, TYPE_OF: type_of}
ASKED = {files.open: "open", _has: "hasattr", _is_callable: "callable", _is_subclass: "issubclass", type_of: "type"}


def _traceless(f):
    @functools.wraps(f)
    @transparent
    def traceless(*args, **named):
        c = Current.current
        if c is not None and any(id(e) in c.raised for e in (sys.exception(), *args)):
            raise Unsupported("the tests read the traceback of the candidate's exception")
        return f(*args, **named)
    return traceless


for _name in ("format_exc", "format_exception", "print_exc", "print_exception"):
    setattr(traceback, _name, _traceless(getattr(traceback, _name)))


def _of_tests():
    """The candidate whose tests run; none if decimal calls or reads, which in Python (not in C) has these functions and contexts, too."""
    return None if sys._getframe(2).f_globals is vars(decimal) else Current.current


def _state(module, name, reads=False):
    """Has random numbers or decimals go on in the candidate's instance as they do in the tests, which use a function of theirs. reads: it tells what the candidate may have changed."""
    f = getattr(module, name)

    @functools.wraps(f)
    @transparent
    def using(*args, **named):
        c = _of_tests()
        if c is not None:
            if reads:
                c.has_state(module.__name__)
            before = c.states.get(module.__name__, _DEFAULT) if reads or module is decimal else None
            c.states = {**c.states, module.__name__: before}
        v = f(*args, **named)
        if c is not None and f is _context and type(v) is not _Context:
            decimal.setcontext(v := _Context(v.prec, v.rounding, v.Emin, v.Emax, v.capitals, v.clamp, v.flags, v.traps))
        return v
    setattr(module, name, using)


class _Context(decimal.Context):
    """The context of the tests, which may not read what the candidate has changed of its own."""

    @transparent
    def __getattribute__(self, name):
        if name in ("prec", "rounding") and (c := _of_tests()) is not None:
            c.has_state("decimal")
        return super().__getattribute__(name)

    @transparent
    def __setattr__(self, name, v):
        super().__setattr__(name, v)
        c = _of_tests()
        if c is not None:
            c.states = {**c.states, "decimal": None}  # the candidate's may be another one


_context, _DEFAULT = decimal.getcontext, candidate.STATES["decimal"][0]()  # that of random numbers differs from it, too
for _name in "seed setstate".split():
    _state(random, _name)
for _name in "getcontext setcontext localcontext".split():
    _state(decimal, _name)
_state(random, "getstate", reads=True)
