# Objects of the candidate as tests see them, each known by a number: operators, iterators, members of enumerations, named tuples.
import abc, asyncio, copy, operator, sys, types, typing, warnings

from .ends import Current, ended, EXCEPTIONS, Unsupported
from .faults import meant, transparent
from .kinds import library_of, said
from .mirrors import ASKING, DERIVED, MADE, Mirror, MIXED, no_answer, OF_FUNCTIONS, tells_nothing
from .wire import CannotCross, Encoder, FLAT, Forged

MAX_ITEMS = 200_000         # of one iterator
MAX_STEPS = 20_000          # values that tests and an iterator both have are compared at each of its items up to so many values; then at its end
_shows = warnings._showwarnmsg


def _showing(warning):
    """Shows a warning, but for that of Python where NotImplemented is taken as true: what compares nothing would pass."""
    if Current.current is not None and warning.category is DeprecationWarning and warning.filename != "solution.py" and str(warning.message).startswith(NOT_TRUE):
        raise Unsupported(TAKEN_AS_TRUE, chosen=True)
    _shows(warning)


TAKEN_AS_TRUE = "the tests take NotImplemented of a comparison as true"
NOT_TRUE = "NotImplemented should not be used in a boolean context"  # from Python 3.14 on, an exception
warnings._showwarnmsg = _showing
warnings.filterwarnings("always", NOT_TRUE, DeprecationWarning)


def _forward(name):
    def method(self, *args):
        if self._rh_made == MIXED and name in _PLAIN or name in _PARSE and self._rh_shape in (str, bytes, bytearray):
            raise tells_nothing(self, "compute %s of" % name)
        v = self._rh_owner.operate(name, self, *args)
        if self._rh_made == MIXED and type(type(v)) is Mirror:
            object.__setattr__(v, "_rh_made", MIXED)
        return v
    return method


_PARSE = frozenset(("int", "float", "complex"))  # of text: `float(text)` reads it, where `math.sqrt(text)` raises TypeError, and both ask for __float__ here
_PLAIN = frozenset("len int float index complex bytes fspath trunc floor ceil round abs".split())


def _binary(name, swapped=False, compares=False):
    """An operator. What the tests compare with, or operate on an object that a function returned, stays with them."""
    dunder = "__%s%s__" % ("r" if swapped else "", name.rstrip("_"))

    def method(self, other, *modulus):
        made, alien = self._rh_made, type(type(other)) is not Mirror
        if alien:
            if not made and other is not None:
                found = self._rh_owner.operand(self, dunder, other)
                if type(found) is not tuple:
                    return found
                for v in found:
                    try:
                        return ({"divmod": divmod, "pow": pow}.get(name) or getattr(operator, name))(*((other, v) if swapped else (v, other)), *modulus)
                    except Exception as e:
                        raise meant(e)
            if not made or other is None:
                return no_answer(self, sys._getframe(1)) if compares else NotImplemented
            if compares:
                return self._rh_owner.orders(name, self, other)
        a, b = (other, self) if swapped else (self, other)
        mixed = made == MIXED or (made == DERIVED and type(other) not in _FUNCTIONS if alien else other._rh_made == MIXED)
        v = self._rh_owner.operate(name, a, b, *modulus, made=bool(made) and not compares)
        if mixed and not compares:
            if type(type(v)) is not Mirror:
                raise tells_nothing(self, "compute with a value and")
            object.__setattr__(v, "_rh_made", MIXED)
        return v
    return method


_FUNCTIONS = frozenset((types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, type))  # what the tests expect is none of these


def _entered(self, v):
    object.__setattr__(self, "_rh_entered", self._rh_owner.asked if v is None or v is self else 0)
    return v


def _left(self, e):
    """What the end of a with statement tells of an exception of the tests: it arrives as a built-in one."""
    if not isinstance(e, Exception):
        return () if e is None else None
    base = next(k for k in type(e).__mro__ if EXCEPTIONS.get(k.__name__) is k)
    told = vars(e).get("_rh_handle")
    if told is None:
        told = base.__new__(base)
        told.args = () if base is AssertionError else tuple(x if type(x) in FLAT else str(x) for x in e.args)
    return told,


def _fails(o, e):
    """Reports whether an exception is a failure of the tests."""
    return id(e) not in o.raised and (isinstance(e, AssertionError) or type(e).__module__ in ("pytest", "harness.results"))


def _suppresses(self, e, v, unasked):
    """Reports whether an exception is suppressed: only if the candidate was not asked in the statement; otherwise it may come of a wrong answer."""
    o = self._rh_owner
    if e is None or v is not True or not unasked and _fails(o, e):
        return False
    if not unasked or _fails(o, e):
        base = next(k for k in type(e).__mro__ if EXCEPTIONS.get(k.__name__) is k)
        raise Unsupported("the candidate suppresses %s, which may come of its answer" % base.__name__, chosen=True)
    return True


class Handle(metaclass=Mirror):
    # An object that stays in the candidate's instance. Its text of documentation is the candidate's.
    #
    # _rh_made is MADE if the tests made it, by calling a class: what it is used with is then an input
    # of the test. What a function returned is not asked to compare itself with what is expected of it.

    __doc__ = property(lambda self: self._rh_owner.get(self._rh_n, "__doc__"))
    _rh_read = 0  # items of it, as an iterator

    def __set_name__(self, owner, name):
        if self._rh_owner.operate("describes", self) is not False:
            raise Unsupported("the tests have what the candidate made as the method %s of a class" % name)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in OF_FUNCTIONS and sys._getframe(1).f_code.co_filename not in ASKING:
            raise meant(AttributeError(name))  # the library looks whether an object has it
        return self._rh_owner.get(self._rh_n, name)

    def __setattr__(self, name, v):
        self._rh_owner.set(self._rh_n, name, v)
        if name == "__module__":  # else that of the class is read
            object.__setattr__(self, name, v)

    def __delattr__(self, name):
        self._rh_owner.ask("del", self._rh_n, name)

    def __reduce_ex__(self, *_):
        raise Unsupported("the tests copy an object of the candidate's class %s" % type(self).__name__, chosen=True)

    def __copy__(self):
        return self._copied("copy")

    def __deepcopy__(self, memo):
        return self._copied("deepcopy")

    def __replace__(self, /, **changes):
        return self._replace(**changes) if isinstance(self, Record) else self._copied("replace", **changes)

    def _copied(self, how, **changes):
        v = self._rh_owner.library("copy", how, self, **changes)
        if type(type(v)) is Mirror:
            object.__setattr__(v, "_rh_made", self._rh_made)
        return v

    def __dir__(self):
        return self._rh_owner.names_of(self)

    def __call__(self, *args, **named):
        return self._rh_owner.call(self._rh_n, None, args, named)

    def __eq__(self, other):
        if self is other:
            return True
        if type(type(other)) is Mirror:
            return self._rh_owner.equal(self, other)
        return NotImplemented if other is None else self._rh_owner.alien(self, other)

    def __ne__(self, other):
        if type(type(other)) is Mirror and self is not other:
            return self._rh_owner.unequal(self, other)
        return not self == other

    def __hash__(self):
        v = self._rh_owner.operate("hash", self)
        return v if type(v) is int and -1 << 62 < v < 1 << 62 else 0

    def __iter__(self):
        o = self._rh_owner
        it = o.operate("iter", self)
        if type(type(it)) is not Mirror:
            raise o.forged(Forged("an iterator"))
        return it if it is self else Iterator(it)

    def __next__(self):
        o = self._rh_owner
        self._rh_counted()
        kind, body, _ = o.ask("next", self._rh_n)
        if kind == "end":
            raise StopIteration(*(() if body is None else (o.value(body),)))
        v = o.value(body)
        if kind == "w":
            o.keep(v, MAX_STEPS)
        return v

    def _rh_counted(self):
        object.__setattr__(self, "_rh_read", self._rh_read + 1)
        if self._rh_read > MAX_ITEMS:
            raise self._rh_owner.beyond("an iterator of the candidate has more than %d items" % MAX_ITEMS)

    def __contains__(self, item):
        if self._rh_made == MADE:
            return self._rh_owner.operate("contains", self, item) is True
        if self._rh_made and self._rh_owner.operate("hasattr", self, "__iter__") is not True:
            raise tells_nothing(self, "ask what is in")
        decides = self._rh_owner.operate("operand", self, "__contains__") is True
        if not decides or self._rh_owner.operate("hasattr", self, "__iter__") is True:
            if any(x is item or x == item for x in self):
                return True
            if not decides or self._rh_owner.operate("contains", self, item) is not True:
                return False
        raise tells_nothing(self, "ask what is in")

    def __bool__(self):
        if self._rh_made == MIXED:
            raise tells_nothing(self, "ask for the truth of")
        return self._rh_owner.operate("bool", self) is True

    def __repr__(self):
        return self._text("repr")

    def __str__(self):
        return self._text("str")

    def __format__(self, how):
        return self._text("format", how)

    def _text(self, how, *more):
        v = self._rh_owner.operate(how, self, *more)
        if type(v) is not str:
            raise self._rh_owner.forged(Forged("%s of a %s is not text" % (how, type(self).__name__)))
        return v

    def __enter__(self):
        return _entered(self, self._rh_owner.operate("enter", self))

    def __exit__(self, kind, e, tb):
        o, told = self._rh_owner, _left(self, e)
        unasked = o.asked == self._rh_entered
        try:
            v = told is not None and o.operate("exit", self, *told)
        except Exception:
            if not _fails(o, e):
                raise
            v = True  # the tests might catch what it raises in place of that
        return _suppresses(self, e, v, unasked)

    def __aiter__(self):
        o = self._rh_owner
        it = o.operate("aiter", self)
        if type(type(it)) is not Mirror:
            raise o.forged(Forged("an iterator"))
        return AsyncIterator(it)

    async def __anext__(self):
        o = self._rh_owner
        if o.entry is not None:
            try:
                return self.__next__()
            except StopIteration:
                raise StopAsyncIteration
        self._rh_counted()
        try:
            return await self._rh_awaiting("nexts")
        except RuntimeError as e:
            if ended(e, StopAsyncIteration) is e:
                raise
        raise StopAsyncIteration

    def __await__(self):
        return self._rh_awaiting("awaits").__await__()

    def _rh_awaiting(self, how, *args):
        """A coroutine of what the candidate does with the object."""
        o = self._rh_owner
        kind, body, _ = o.ask("op", how, [*map(Encoder(o.encoded).encode, (self, *args))], False, o._slots(1))
        if kind != "a" or type(body) is not int:
            raise o.forged(Forged("no coroutine"))
        return o._awaited(body, None, o.instances)

    async def __aenter__(self):
        o = self._rh_owner
        return _entered(self, await self._rh_awaiting("aenters") if o.entry is None else o.operate("aenter", self))

    async def __aexit__(self, kind, e, tb):
        o, told = self._rh_owner, _left(self, e)
        if told is None:
            return False
        unasked = o.asked == self._rh_entered
        try:
            v = await self._rh_awaiting("aexits", *told) if o.entry is None else o.operate("aexit", self, *told)
        except Exception:
            if not _fails(o, e):
                raise
            v = True
        return _suppresses(self, e, v, unasked)

    @property
    def _asyncio_future_blocking(self):
        """Is where asyncio looks whether an object is a future."""
        if library_of(type(self)) in (asyncio.Task, asyncio.Future):
            raise Unsupported("the tests have their loop wait for a task of the candidate", chosen=True)

    __class__ = property(lambda self: said(type(self)))
    _rh_entered = 0   # requests so far where a with statement began that has no value of the candidate; else 0
    _rh_shape = None    # the built-in class below the candidate's, for isinstance
    _rh_library = None  # module and name of the class of the library that it stands for
    __dict__ = property(lambda self: self._vars())

    def _vars(self):
        if self._rh_owner.operate("hasattr", self, "__dict__") is not True:
            raise meant(AttributeError("%s object has no attribute '__dict__'" % type(self).__name__))
        return self._rh_owner.operate("vars", self)

    __len__, __int__, __float__, __index__, __complex__, __bytes__, __fspath__ = map(_forward, ("len", "int", "float", "index", "complex", "bytes", "fspath"))
    __trunc__, __floor__, __ceil__ = map(_forward, ("trunc", "floor", "ceil"))
    __getitem__, __setitem__, __delitem__, __round__ = map(_forward, ("getitem", "setitem", "delitem", "round"))
    __neg__, __pos__, __abs__, __invert__, __reversed__ = map(_forward, ("neg", "pos", "abs", "invert", "reversed"))
    __lt__, __le__, __gt__, __ge__ = (_binary(name, compares=True) for name in ("lt", "le", "gt", "ge"))


def _asks(name, own, is_one):
    """Whether an object or class of the candidate is one of an abstract class of the library, whose own check looks for methods: a Handle has them all."""
    @transparent
    def check(cls, v):
        module = cls.__module__
        if not is_one(v) or module.partition(".")[0] not in sys.stdlib_module_names or getattr(sys.modules.get(module), cls.__name__, None) is not cls:
            return own(cls, v)
        return Current.current.operate(name, v, module, cls.__name__) is True
    return check


_has_members = {name: getattr(type(typing.Protocol), name) for name in ("__instancecheck__", "__subclasscheck__")}
_as_abc = eval("lambda own, cls, v: own(cls, v)", {"__name__": "abc"})


@transparent
def _typings(name, cls, v):
    """typing's own check, which raises no error if these modules ask: it looks at who calls it."""
    own = _has_members[name]
    return _as_abc(own, cls, v) if sys._getframemodulename(2) in ("abc", "_py_abc", "functools", None) else own(cls, v)


@transparent
def _is_protocols(cls, v):
    """Whether an object of the candidate has what a protocol of the tests wants."""
    if type(type(v)) is not Mirror or not getattr(cls, "_is_protocol", False) or not getattr(cls, "_is_runtime_protocol", False) or cls.__module__ != "tests":
        return _typings("__instancecheck__", cls, v)
    data = getattr(cls, "__non_callable_proto_members__", ())
    return all([Current.current.operate("hasstatic", v, name, name in data) is True for name in cls.__protocol_attrs__])


@transparent
def _is_below_protocol(cls, kind):
    """Whether a class of the candidate has what a protocol of the tests wants."""
    if type(kind) is not Mirror or kind._rh_class is None or not getattr(cls, "_is_protocol", False) or cls.__module__ != "tests":
        return _typings("__subclasscheck__", cls, kind)
    if not getattr(cls, "_is_runtime_protocol", False) or getattr(cls, "__non_callable_proto_members__", ()):
        return _has_members["__subclasscheck__"](cls, type("_", (), {}))  # which raises what that does
    return all([Current.current.operate("hasstatic", kind, name, False) is True for name in cls.__protocol_attrs__])


type(typing.Protocol).__instancecheck__, type(typing.Protocol).__subclasscheck__ = _is_protocols, _is_below_protocol
abc.ABCMeta.__instancecheck__ = _asks("isinstance", abc.ABCMeta.__instancecheck__, lambda v: type(type(v)) is Mirror)
abc.ABCMeta.__subclasscheck__ = _asks("issubclass", abc.ABCMeta.__subclasscheck__, lambda v: type(v) is Mirror and v._rh_class is not None)

for _name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split():
    type.__setattr__(Handle, "__i%s__" % _name, _binary("i" + _name))
for _name in "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift".split():
    _operator = _name + "_" if _name in ("and", "or") else _name
    type.__setattr__(Handle, "__%s__" % _name, _binary(_operator))
    type.__setattr__(Handle, "__r%s__" % _name, _binary(_operator, swapped=True))


class Iterator:
    """Iterates over what an iterator of the candidate yields."""

    def __init__(self, it):
        self.it = it

    def __iter__(self):
        return self

    def __next__(self):
        return self.it.__next__()


class AsyncIterator(Iterator):
    def __aiter__(self):
        return self

    def __anext__(self):
        return self.it.__anext__()


class Member:
    """A member of an enumeration of the candidate that is a number or text, too: it compares as that."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise meant(AttributeError(name))
        return self._rh_owner.get(self._rh_n, name)

    __class__ = property(lambda self: said(self._rh_kind))
    __reduce_ex__ = Handle.__reduce_ex__
    __copy__, __deepcopy__ = lambda self: self, lambda self, memo: self
    __repr__, __str__, __format__, _text = Handle.__repr__, Handle.__str__, Handle.__format__, Handle._text


class FlagMember(Member, int):
    """A member of an IntFlag, or several of them."""


def _flags(name):
    """An operator of flags, which makes others of their class."""
    dunder = "__%s__" % name.rstrip("_")
    own = getattr(int, dunder, None)

    @transparent
    def method(self, *other):
        if own is not None and not all(isinstance(x, int) for x in other):
            return NotImplemented
        v = self._rh_owner.operate(name, self, *other)
        return v is True if name == "contains" else iter(v) if name == "iter" else v
    type.__setattr__(FlagMember, dunder, method)


for _name in "and_ or_ xor invert contains iter len".split():
    _flags(_name)
FlagMember.__rand__, FlagMember.__ror__, FlagMember.__rxor__ = FlagMember.__and__, FlagMember.__or__, FlagMember.__xor__
MEMBERS = {kind: type("Member", (Member, kind), {}) for kind in (int, str, float)}
STANDS = frozenset((*MEMBERS.values(), FlagMember))


class Record(tuple):
    """A named tuple of the candidate. Its class stands for the candidate's, _rh_kind."""

    _rh_made = 0
    __class__ = property(lambda self: said(self._rh_kind))

    def __getattr__(self, name):
        if name in self.__dict__.get("_fields", ()):
            return self[self._fields.index(name)]
        if name.startswith("_") or self._rh_n is None:
            raise meant(AttributeError(name))
        return self._rh_owner.get(self._rh_n, name)

    __reduce_ex__ = Handle.__reduce_ex__

    def __copy__(self):
        return self._copied("copy", tuple(self))

    def __deepcopy__(self, memo):
        return self._copied("deepcopy", copy.deepcopy(tuple(self), memo))

    def _copied(self, how, items):
        o = self._rh_owner
        return o.record(self._rh_kind, None, list(self._fields), items) if self._rh_n is None else o.library("copy", how, self)

    def _asdict(self):
        return dict(zip(self._fields, self))

    def _replace(self, **changes):
        if self._rh_n is not None:
            return self._rh_owner.get(self._rh_n, "_replace")(**changes)
        if not changes.keys() <= set(self._fields):
            raise meant(ValueError("Got unexpected field names: %r" % sorted(changes.keys() - set(self._fields))))
        return self._rh_owner.record(self._rh_kind, None, list(self._fields), [changes.get(f, v) for f, v in zip(self._fields, self)])

    def __repr__(self):
        if self._rh_n is not None:
            return Handle._text(self, "repr")
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % pair for pair in zip(self._fields, self)))

    def __str__(self):
        return repr(self) if self._rh_n is None else Handle._text(self, "str")


# What tests do beside calling the candidate, and what of it reaches it.
