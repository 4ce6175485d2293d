# Makes values of what the candidate answers.
import abc, array, collections, datetime, decimal, fractions, functools, operator, sys, types, typing

from .ends import EXCEPTIONS
from .given import is_hint
from .kinds import mro, namespace
from .mirrors import Mirror, Raised
from .wire import Forged


def is_flag(kind):
    """Reports whether a class that stands for one of the candidate's is one of flags."""
    return type(kind) is Mirror and any(namespace(k).get("_rh_library") == ("enum", "Flag") for k in mro(kind))


COMPARED = frozenset((array.array, types.SimpleNamespace, types.MappingProxyType, collections.ChainMap, collections.UserDict, collections.UserList, collections.UserString, collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter,
                       decimal.Decimal, fractions.Fraction, datetime.datetime, datetime.date, datetime.timedelta))


def library_object(name, *args):
    """Makes an object of the library of its contents."""
    if name == "SimpleNamespace" and len(args) == 1 and type(args[0]) is dict and all(type(k) is str for k in args[0]):
        return types.SimpleNamespace(**args[0])
    if name == "array" and len(args) == 2 and type(args[0]) is str and len(args[0]) == 1 and type(args[1]) is list:
        try:
            return array.array(*args)
        except (TypeError, ValueError, OverflowError) as e:
            raise Forged("an array: %s" % e)
    raise Forged("an object of the library")


def hint(how, of, args):
    """Makes what is written for a type."""
    try:
        if type(how) is not str or args is not None and not (len(args) <= 100 and all(is_hint(x, how == "Literal") for x in args)):
            raise Forged("a type")
        if how == "|" and of is None:
            return functools.reduce(operator.or_, args)
        if how == "[]" and type(of) in (type, abc.ABCMeta):
            return types.GenericAlias(of, tuple(args))
        base = vars(typing)[how]
        if type(base).__module__ == "typing" and of is None:
            return base if args is None else base[tuple(args) if len(args) > 1 else args[0]]
    except (KeyError, TypeError, AttributeError) as e:
        raise Forged("a type: %s" % e)
    raise Forged("a type")


def exception_of(module, name):
    """An exception of the library that the tests may have by its name, but for those by which frameworks of tests end a test."""
    top = module.partition(".")[0]
    kind = vars(sys.modules.get(module, types)).get(name) if top in sys.stdlib_module_names and top not in ("unittest", "doctest", "bdb") else None
    return kind if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == module else None


def exception_made(kind, args, more):
    """Makes an exception without running what a class might do with its arguments."""
    try:
        e = kind(*args) if kind in EXCEPTIONS.values() else kind.__new__(kind, *args)
    except (TypeError, ValueError):
        try:
            e = kind.__new__(kind)
            e.args = tuple(args)
        except (TypeError, ValueError):
            e = Exception(*args)
    base = next((k for k in kind.__mro__ if type(k) is not Raised), None)
    if type(kind) is Raised and base in EXCEPTIONS.values():  # it sets what is not an attribute, such as UnicodeError.start
        try:
            base.__init__(e, *args)
        except (TypeError, ValueError):
            pass
    for k, v in more:
        if type(k) is str and k.isidentifier() and not k.startswith("__"):
            try:
                setattr(e, k, v)
            except (AttributeError, TypeError):
                pass
    return e
