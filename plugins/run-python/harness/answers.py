# Values between the candidate and its judge, at the candidate's side.
import abc, builtins, enum, importlib, operator, sys, types, typing, weakref

from . import doubles, loops, objects
from .given import is_hint
from .lacks import CYCLES, FILE, HELD, lacking, LIFETIME, missing, MORE, OVERRIDES, WAITS
from .operations import BASES, of_library, operates, OPERATORS, Shown
from .wire import CannotCross, COMPUTING, CROSSES, Decoder, dumps, Encoder, FLAT, MAX_SAID, name_of, NUMBERED, SHARED, VALUES

_exceptions = frozenset(v for v in vars(builtins).values() if isinstance(v, type) and issubclass(v, BaseException))


class Answers:
    """How values of the candidate are told to the judge, and what it sends is read."""

    def _target(self, t):
        """The module, an object by its number, or a class."""
        return self.module if t is None else self.objects[t] if type(t) is int else self.classes[t[0]]

    def _value(self, encoder, v, made):
        if type(v) is types.CoroutineType:
            return ["a", self._handle(v)[1], None]
        if made and type(v).__module__ != "builtins" and type(v) not in CROSSES and not isinstance(v, (enum.Enum, BaseException)) and not (_is_record(v) and not _own(type(v)) & OPERATORS and FLAT.issuperset(map(type, v))):
            return ["v", self._handle(v), None]
        if self.shared and type(v) in NUMBERED and id(v) not in encoder.numbers:
            slots = [slot for slot, known in self.shared.items() if known is v]
            if slots:  # the tests may have it already
                return ["v", ["~", slots, encoder.encode(v)], None]
        return ["v", encoder.encode(v), None]

    def _encoder(self):
        encoder = Encoder(None)
        encoder.other = lambda v: self._other(encoder, v)
        return encoder

    def _decoder(self):
        return Decoder(self._decoded)

    def _name(self, name):
        try:
            v = getattr(self.module, name)
        except AttributeError:
            return None
        if isinstance(v, type):
            return ["K", self._class(v)]
        return ["F"] if callable(v) and (type(v).__module__ not in ("typing", "types") or self._hint(self._encoder(), v) is None) else ["V"]

    def _handle(self, v):
        n = self.numbers.get(id(v))
        if n is None:
            n = self.numbers[id(v)] = len(self.objects)
            self.objects.append(v)
            self.stands = self.stands or _is_of_library(v)
            package = type(v).__module__.partition(".")[0]
            if package in HELD and not missing.lacked:
                missing.lacked = "%s.%s" % (package, type(v).__name__)
        return ["H", n, self._class(type(v))]

    def _class(self, kind, depth=0):
        """A class as [number, name, bases, module of the library]; a built-in one as its name."""
        told = self.kinds.get(id(kind))
        if told is not None:
            return told
        if kind.__module__ == "builtins":
            return kind.__name__
        if kind in self.test_classes:
            return ["U", self.test_classes.index(kind)]
        name, qualified = kind.__name__[:100], kind.__qualname__
        told = self.kinds[id(kind)] = [len(self.classes), qualified if qualified is not name and qualified.endswith("." + name) and len(qualified) < 1_000 else name]
        self.classes.append(kind)
        told += [self._class(b, depth + 1) for b in kind.__bases__[:8]] if depth < 16 else [], library(kind)
        return told

    def _other(self, encoder, v):
        """Encodes what has no form of its own: by the built-in type below it, or by number."""
        kind = type(v)
        if kind is types.GeneratorType and any(v is g for g, _ in self.generators):
            return ["x", next(n for n, (g, _) in enumerate(self.generators) if v is g)]
        if kind is types.CoroutineType and any(v is c for c in self.coroutines):
            return ["q", next(n for n, c in enumerate(self.coroutines) if v is c)]
        if kind is list_iterator and any(v is it for it in self.iterators):
            return ["j", next(n for n, it in enumerate(self.iterators) if v is it)]
        if self.mocks and doubles.is_mock(v):
            root, path = doubles.path_of(v)
            n = next((n for n, (m, *_) in enumerate(self.mocks) if m is root), None)
            if n is not None:
                return ["T", n, *path]
        if kind is types.FunctionType and v in self.functions and vars(v) == self.attributes.get(self.functions.index(v), {}):
            return ["f", self.functions.index(v)]
        if self.test_classes or self.places:
            coded = self._of_tests(encoder, v)
            if coded is not None:
                return coded
        if isinstance(v, BaseException):
            return self._exception(encoder, v)
        if kind is doubles.SENTINEL:
            return ["M", "unittest.mock", "sentinel." + v.name]
        if kind in NAMED_VALUES and COMPUTING.get(name_of(v)) is v:
            return ["M", *name_of(v)]
        if kind.__module__ in ("typing", "types"):
            coded = self._hint(encoder, v)
            if coded is not None:
                return coded
        if isinstance(v, type):
            self.stands = self.stands or v not in BASES and library(v) != ""
            return ["N", v.__name__] if v in _exceptions or v in BASES else ["K", self._class(v)]
        if kind is Shown:
            return ["W", v.name, *map(encoder.encode, v.args)]
        if isinstance(v, enum.Enum):
            coded = self._member(encoder, v)
            return ["I", kind.__module__, kind.__name__, v.name, coded] if kind.__members__.get(v.name) is v and library(kind) else coded
        if _is_record(v):
            own = _own(kind)
            if not own & OPERATORS:
                return ["R", self._class(kind), self._handle(v)[1] if own else None, list(kind._fields), *map(encoder.encode, tuple(v))]
            return self._handle(v)
        if "%s.%s" % (kind.__module__, kind.__name__) in VALUES and library(kind):
            return ["J", kind.__module__, kind.__name__, str(v)]
        if id(kind) in self.kinds and kind not in self.members:
            return self._handle(v)  # of a class that the tests know
        if operates(kind):
            return self._handle(v)
        if isinstance(v, (int, str, float)) and (kind in self.members or has_own(v)):
            self.members = {*self.members, kind}
            return self._member(encoder, v)
        for base in BASES:
            if isinstance(v, base):
                self.cast = self.cast or has_own(v)
                return encoder.encode(base.__getnewargs__(v)[0] if base in (int, float, str, bytes) else {k: v[k] for k in v} if base is dict else base(iter(v)))
        return self._handle(v)

    def _hint(self, encoder, v):
        """Encodes what is written for a type, as list[int] or typing.Any; None: it is none."""
        if isinstance(v, types.UnionType):
            how, of, args = "|", None, v.__args__
        elif isinstance(v, types.GenericAlias):
            how, of, args = "[]", v.__origin__, v.__args__
        else:
            origin, args, of = getattr(v, "__origin__", None), typing.get_args(v) or None, None
            how = "Union" if origin is typing.Union else getattr(v, "_name", None) or getattr(v, "__name__", None)
            base = vars(typing).get(how)
            if base is None or (base is not v if args is None else getattr(base, "__origin__", base) is not origin):
                return None
        args = args and [None if x is types.NoneType else x for x in args]
        if args and not (len(args) <= 100 and all(is_hint(x, how == "Literal") for x in args)) or of is not None and library(of) != of.__module__ and of not in BASES:
            return None
        return ["Y", how, encoder.encode(of), args and [*map(encoder.encode, args)]]

    def _of_tests(self, encoder, v):
        """Encodes an object of a class of the tests, or such a class; None: it is none."""
        n = self.places.get(id(v))
        if n is not None:
            return ["$", n]
        for n, kind in enumerate(self.test_classes):
            if v is kind:
                return ["U", n]
            if type(v) is kind:
                if isinstance(v, enum.Enum):
                    return ["V", n, v.name]
                if isinstance(v, tuple):
                    return ["P", n, *map(encoder.encode, tuple(v))]
                if objects.is_plain(kind):
                    try:
                        coded = objects.contents(v, self._held)
                        return ["n", n, coded, self._made(v, coded)]
                    except RecursionError:
                        missing.lacked = missing.lacked or CYCLES
                        raise

    def _made(self, v, coded):
        """The number of an object that the candidate has made of a class of the tests, by which they know it again. It stays; None: somebody would see that."""
        if hasattr(v, "__del__"):
            return None
        if weakref.getweakrefcount(v):
            missing.lacked = missing.lacked or LIFETIME
            return None
        n = self.numbers_made.setdefault(id(v), len(self.made))
        self.made[n:n + 1] = [(v, dumps(coded))]
        return n

    def _held(self, v):
        n = self.places.get(id(v))
        return self._encoder().encode(v) if n is None else ["$", n]

    def _member(self, encoder, v):
        """A member of an enumeration; one that is a number or text too, with that."""
        for base in (int, str, float):
            if isinstance(v, base):
                return [*self._handle(v), encoder.encode(base.__getnewargs__(v)[0])]
        return self._handle(v)

    def _exception(self, encoder, e, depth=0):
        for thrown, k, was in self.thrown:
            if e is thrown and was in (None, [vars(e), e.__cause__]):
                return ["E", "", [k], [], None, None]
        values, more = [], dict(vars(e))
        for kind, names in _HIDDEN.items():
            if isinstance(e, kind):
                more.update((name, getattr(e, name)) for name in names if getattr(e, name) is not None)
        own = [k for k in type(e).__mro__ if k.__module__ != "builtins"]
        for k in own:  # what the class says of all, and what it computes
            for name, v in vars(k).items():
                if not name.startswith("_") and (isinstance(v, property) or not callable(v) and not hasattr(v, "__get__")):
                    try:
                        more.setdefault(name, getattr(e, name))
                    except Exception:
                        pass
        args = (_message(e), list(_exceptions_in(e))) if isinstance(e, BaseExceptionGroup) else e.args  # its class may have been called with others
        for v in (*args[:MAX_SAID], *[x for pair in list(more.items())[:MAX_SAID] for x in pair]):
            try:
                values.append(encoder.encode(v))
            except (CannotCross, RecursionError):
                values.append(repr(v)[:200])
        n = min(len(args), MAX_SAID)
        text = str(e) if not library(type(e)) and any("__str__" in vars(k) for k in own) else None
        if own and not set(own).isdisjoint(self.test_classes) and _overrides(own, self.test_classes):
            missing.lacked = missing.lacked or OVERRIDES
        told = self._class(type(e))
        handle = [self._handle(e), [name for k in own for name in vars(k) if name in EXCEPTION_OPERATORS]] if type(told) is list and told[0] != "U" and not told[3] else []
        return ["E", told, values[:n], values[n:], text, self._chained(encoder, e, depth), *handle]

    def _chained(self, encoder, e, depth):
        """The cause and context of an exception - True: it is the cause, False: there is none - and its notes; None: it has none."""
        if depth > 3 or e.__cause__ is None and e.__context__ is None and not e.__suppress_context__ and "__notes__" not in vars(e):
            return None
        cause, context = (None if x is None else self._exception(encoder, x, depth + 1) for x in (e.__cause__, None if e.__context__ is e.__cause__ else e.__context__))
        return [cause, context or e.__context__ is not None, e.__suppress_context__, [str(x) for x in vars(e).get("__notes__", ())[:MAX_SAID]]]

    def _told(self, e):
        """An exception, its text, the last line of the candidate's that it passed, and what it lacks."""
        try:
            exception = self._exception(self._encoder(), e)
        except Exception:
            exception = ["E", "Exception", [], [], None, None]
        try:
            text = str(e)[:500]
        except BaseException:
            text = ""
        line, tried = 0, vars(e).get("tried", (0, 0))
        if isinstance(e, SyntaxError) and e.filename == FILE:
            line, text = e.lineno or 0, str(e.msg)[:500]
        tb, files = e.__traceback__, []
        while tb is not None:
            file = tb.tb_frame.f_code.co_filename
            if file == FILE:
                line = tb.tb_lineno
            files.append(file)
            tb = tb.tb_next
        return [exception, text, line, WAITS if isinstance(e, loops.NoLoop) else "asyncio" if loops.is_beyond(e, files) else lacking(e, text), list(tried)]

    def _decoded(self, decoder, v):
        tag = v[0]
        if tag == "H":
            return self.objects[v[1]]
        if tag == "f":
            return self.functions[v[1]]
        if tag == "j":
            return self.iterators[v[1]]
        if tag == "U":
            return self.test_classes[v[1]]
        if tag == "V":
            return self.test_classes[v[1]][v[2]]
        if tag == "P":
            return self.test_classes[v[1]]._make(map(decoder.decode, v[2:]))
        if tag == "~":
            v = self.shared[v[1] % SHARED]
            decoder.numbered.append(v)
            decoder.sizes.append(1)
            return v
        if tag == "x":
            return self.generators[v[1]][0]
        if tag == "q":
            return self.coroutines[v[1]]
        if tag == "Y":
            return first_of(decoder.decode(v[1]))
        if tag == "T":
            return doubles.at(self.mocks[v[1]][0], v[2:])
        if tag == "I":
            return iter(decoder.decode(v[1]))
        if tag == "J":
            return of_library(v[1], v[2])(*map(decoder.decode, v[3:]))
        if tag == "$":
            return self.captured[v[1]]
        if tag == "m":
            return getattr(self.captured[v[1]], v[2])
        if tag == "M":
            of = importlib.import_module(v[1]) if type(v[1]) is str else self._target(v[1])
            return operator.attrgetter(v[2])(of) if v[2] else of
        if tag == "R":
            return tuple.__new__(self.classes[v[1][0]], map(decoder.decode, v[4:]))
        if tag == "N":
            return getattr(builtins, v[1])
        if tag == "K":
            return self.classes[v[1]]
        if tag == "E":
            for e, k, was in self.thrown if len(v) > 3 else ():
                if k == v[4] and was is not None:
                    return e
            kind = getattr(builtins, v[1]) if type(v[1]) is str else self.classes[v[1]] if type(v[1]) is int else decoder.decode(v[1])
            args = tuple(map(decoder.decode, v[2]))
            try:
                e = None if kind in self.test_classes else kind(*args)
            except TypeError:
                e = None
            if e is None:  # what its class is called with is not known
                e = kind.__new__(kind, *args)
                e.args = args
            if len(v) > 3:
                BaseException.__setstate__(e, {k: decoder.decode(x) for k, x in v[3].items()})
                self.thrown = [*self.thrown, (e, v[4], [dict(vars(e)), e.__cause__])]
            return e
        raise ValueError(tag)


NAMED_VALUES = frozenset((types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, type, abc.ABCMeta))  # what name_of names


def _is_of_library(v):
    """Reports whether a value is a module of the library, or a function of one."""
    if type(v) is types.ModuleType:
        return v.__name__.partition(".")[0] in sys.stdlib_module_names
    return type(v) in (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType) and library(v) != ""


_message, _exceptions_in = (vars(BaseExceptionGroup)[name].__get__ for name in ("message", "exceptions"))


def library(kind):
    """The module of the library that has a class under its name, or nothing."""
    module = kind.__module__
    return module if type(module) is str and module.partition(".")[0] in sys.stdlib_module_names and getattr(sys.modules.get(module), kind.__name__, None) is kind else ""


def has_own(v):
    """Reports whether an object of a class below a built-in one has attributes beyond those of that."""
    return bool(getattr(v, "__dict__", None)) or any(k.__module__ != "builtins" and any(not name.startswith("__") for name in vars(k)) for k in type(v).__mro__)


def _is_record(v):
    return isinstance(v, tuple) and hasattr(type(v), "_fields")


def _own(kind):
    """The names that the class of a named tuple has beyond its fields."""
    return {name for k in kind.__mro__ if k not in tuple.__mro__ for name, v in vars(k).items()
            if name not in kind._fields and (name not in _GENERATED or name in ("__repr__", "__str__") and getattr(getattr(v, "__code__", None), "co_filename", "") == FILE)}


def _overrides(kinds, of_tests):
    """Reports whether a class of the candidate replaces what one of the tests above it computes."""
    return any(name in vars(t) for k in kinds if k not in of_tests for name, v in vars(k).items() if (callable(v) or hasattr(v, "__get__")) and name not in ("__init__", "__new__", "__str__")
               for t in kinds if t in of_tests)


# Operators that exceptions do not have, or have in another way.
EXCEPTION_OPERATORS = frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __len__ __getitem__ __iter__ __contains__ __bool__ __repr__ __call__ __int__ __float__ __index__ __format__ __enter__ __exit__ derive".split())

# Attributes of exceptions that are not among their arguments.
_HIDDEN = {OSError: ("filename", "filename2"), ImportError: ("name", "path"), NameError: ("name",), AttributeError: ("name",)}


class _Generated(typing.NamedTuple):
    field: int = 0


_GENERATED = {*dir(type("_Sub", (_Generated,), {})), "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__orig_bases__", "__firstlineno__", "__static_attributes__", "__match_args__", "__weakref__"} - {
    name for name in vars(tuple) if callable(vars(tuple)[name]) and name not in ("__new__", "__getnewargs__", "__repr__")}


def first_of(items):
    """Yields what crosses of a generator without end."""
    yield from items
    missing.lacked = missing.lacked or MORE
    raise RuntimeError("more than %d items of a generator of the tests" % len(items))


list_iterator = type(iter([]))
