# Operations that tests ask for: they are done where the candidate's objects are.
import abc, array, collections, datetime, dis, importlib, inspect, math, operator, os, sys, types, typing

from .loops import run_coroutine
from .wire import Decimal, Fraction, NAMED

BASES = (int, float, str, bytes, tuple, list, dict, set, frozenset, bytearray)  # what may be below a class, and crosses as that
END = object()
OPERATORS = frozenset("__%s__" % name for name in """eq ne lt le gt ge hash len iter getitem contains bool call enter exit add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv
    mod rmod pow rpow matmul rmatmul and rand or ror xor rxor neg pos abs invert round int float index reversed getattr getattribute format""".split())


_DECIDES = (OPERATORS | {"__missing__", "__setitem__", "__delitem__"}) - {"__hash__", "__format__"}


def _is_candidates(module):
    return type(module) is str and module.partition(".")[0] not in sys.stdlib_module_names


def operates(kind):
    """Reports whether a class has operators and methods of its own where the class of Python's below it has others."""
    own = {name for k in kind.__mro__ if _is_candidates(k.__module__) for name in vars(k)}
    below = next(k for k in kind.__mro__ if not _is_candidates(k.__module__))
    return not own.isdisjoint(_DECIDES) or any(name[:1] != "_" and hasattr(below, name) for name in own)


def _operand(v, name):
    """What stands for an object of a class below one of Python's where it is operated on, in a tuple; True: an operator that the candidate has written decides."""
    method = getattr(type(v), name, None)
    if method is collections.abc.Mapping.__contains__:
        method = type(v).__getitem__
    if type(method) is types.FunctionType and _is_candidates(method.__module__):
        return True
    return _shown(v) or next(((base.__getnewargs__(v)[0] if base in (int, float, str, bytes) else base(v),) for base in BASES if isinstance(v, base)), ())


async def awaited(v):
    return await v


def _exit(v, e=None):
    return type(v).__exit__(v, None if e is None else type(e), e, None)


def module_named(name):
    return importlib.import_module(name)


def of_library(module, name):
    return operator.attrgetter(name)(importlib.import_module(module))


class Shown:
    """What is made of arguments on the other side."""

    def __init__(self, name, *args):
        self.name, self.args = name, args


def _shown(v):
    """What an object of a class of the library is compared as, or one whose class has the comparison of such a class, in a tuple; else nothing."""
    method, kind = type(v).__eq__, type(v)
    if method is types.SimpleNamespace.__eq__:
        return Shown("SimpleNamespace", vars(v)),
    if method is collections.abc.Mapping.__eq__:
        return dict(v.items()),
    if method is types.MappingProxyType.__eq__:
        return v.copy(),
    if method is collections.abc.Set.__eq__ and len(set(v)) == len(v):
        return set(v),
    if method is collections.UserList.__eq__ and type(v.data) is list or method is collections.UserString.__eq__ and type(v.data) is str:
        return v.data,
    if method is array.array.__eq__ and kind is array.array:
        return Shown("array", v.typecode, v.tolist()),
    if method is memoryview.__eq__ and v.format == "B" and v.ndim == 1:
        return bytes(v),
    return ()


# Classes of the library that have a value, and how that of an object of a class below is told.
_NUMBERS = {
    Fraction: lambda v: Fraction(v.numerator, v.denominator), Decimal: Decimal, datetime.datetime: lambda v: datetime.datetime.combine(datetime.datetime.date(v), datetime.datetime.timetz(v)),
    datetime.date: lambda v: datetime.date(v.year, v.month, v.day), datetime.timedelta: lambda v: datetime.timedelta(v.days, v.seconds, v.microseconds)}


def _compares(v, kind, name, raises):
    """Reports whether the class of v compares it with others of a built-in class by a method of its own that looks at their values; if by that of a class of the library,
    answers v in that, in a tuple. What the method raises counts if it is the same for all values, and if it says so. kind is None for other classes of the library."""
    name = "__%s__" % name
    method = getattr(type(v), name)
    shown = _shown(v) if name == "__eq__" else ()
    if shown:
        return shown
    for base in (*NAMED.values(), *BASES, *_NUMBERS):
        if method is getattr(base, name) and isinstance(v, base):
            if name != "__eq__":
                return True
            if base in _NUMBERS:
                return _NUMBERS[base](v),
            if issubclass(base, dict):
                items = dict(base.items(v))
                return items if base is collections.defaultdict else base(items),
            return base.__getnewargs__(v)[0] if base in (int, float, str, bytes) else base(v),
    if kind is None:
        return ()
    if method is getattr(object, name):
        return False
    try:
        answer = method(v, kind())
    except Exception:
        if _is_blind(method, kind):
            raise
        return raises
    return answer is not NotImplemented and not (answer is False and _is_blind(method, kind))


_CLASS_OF = frozenset(("isinstance", "type", "hasattr", "getattr"))


def _is_blind(method, kind):
    """Reports whether a method that compares asks its argument only for its class, and for attributes that values of a built-in class do not have."""
    code = getattr(method, "__code__", None)
    if code is None or code.co_argcount != 2 or code.co_varnames[1] in code.co_cellvars:
        return False
    name, known, before, loaded = code.co_varnames[1], dir(kind), None, False
    for i in dis.get_instructions(code):
        if loaded and not (i.opname == "LOAD_ATTR" and (i.argval == "__class__" or i.argval not in known)):
            return False
        names, loaded = i.argval if type(i.argval) is tuple else (i.argval,), False
        if "_FAST" in i.opname and name in names:
            asks = before is not None and before.opname == "LOAD_GLOBAL" and before.argval in _CLASS_OF and names[0] == name
            if not i.opname.startswith("LOAD_FAST") or names.count(name) > 1:
                return False
            loaded = not asks
            if loaded and names[-1] != name:
                return False
        before = i
    return True


def _protocol(k):
    """How a class of the candidate says what else is of it: by the members of a protocol; True: an abstract one, which asks for the class; False: its metaclass decides; None: nothing else is."""
    if typing.is_protocol(k):
        return typing.get_protocol_members(k) if k._is_runtime_protocol or isinstance(0, k) else None
    own = type(k).__instancecheck__
    return None if own is type.__instancecheck__ else any(own is kind.__instancecheck__ for kind in (abc.ABCMeta, type(typing.Protocol)))


OPERATIONS = {name: getattr(operator, name) for name in """add sub mul truediv floordiv mod matmul and_ or_ xor lshift rshift neg pos abs invert
    eq ne lt le gt ge getitem setitem delitem contains index iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift""".split()}
OPERATIONS.update(len=len, iter=iter, repr=repr, str=str, hash=hash, bool=bool, int=int, float=float, complex=complex, bytes=bytes, fspath=os.fspath, trunc=math.trunc, floor=math.floor, ceil=math.ceil, round=round, divmod=divmod, pow=pow, reversed=reversed,
                   awaits=lambda v: awaited(v), enter=lambda v: type(v).__enter__(v), exit=_exit, isinstance=lambda v, *of: isinstance(v, of_library(*of)), issubclass=lambda k, *of: issubclass(k, of_library(*of)), describes=lambda v: hasattr(type(v), "__get__"), itself=lambda v: v, compares=_compares,
                   hasattr=hasattr, hasstatic=lambda v, name, data: (x := inspect.getattr_static(v, name, END)) is not END and (data or x is not None), callable=callable, dir=dir, operand=_operand, library=lambda module, name, named, *args: of_library(module, name)(*args, **named),
                   format=format, vars=vars, aiter=aiter, protocol=_protocol,
                   nexts=lambda v: awaited(type(v).__anext__(v)), aenters=lambda v: awaited(type(v).__aenter__(v)), aexits=lambda v, e=None: awaited(type(v).__aexit__(v, None if e is None else type(e), e, None)),
                   aenter=lambda v: run_coroutine(awaited(type(v).__aenter__(v))), aexit=lambda v, e=None: run_coroutine(awaited(type(v).__aexit__(v, None if e is None else type(e), e, None))))
