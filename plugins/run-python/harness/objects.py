# Objects that tests give to a candidate: of their own classes, which are made once more in the candidate's instance, and io.StringIO. As with
# lists, what the candidate changes in them changes for the tests.
import abc, array, ast, collections, dataclasses, enum, functools, io, json, os, random, sys, types

from . import files

from .wire import CannotCross, Forged, NUMBERED

STREAMS = (io.StringIO, io.BytesIO)
_HELD = {k.__name__: k for k in (types.SimpleNamespace, collections.ChainMap, collections.UserDict, collections.UserList, collections.UserString, *(
    k for k in vars(ast).values() if isinstance(k, type) and issubclass(k, ast.AST)))}  # they hold all in attributes
_PLAIN = frozenset((*STREAMS, object, array.array, random.Random, *_HELD.values()))
_FILLED = (dict, list, set, collections.Counter, collections.OrderedDict, collections.defaultdict)  # a class of the tests may be below one of these
_ENUMS = {k.__name__: k for k in (enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag, enum.IntFlag)}
_SKIPPED = frozenset("__dict__ __weakref__ __module__ __qualname__ __annotations__ __annotate__ __annotate_func__ __annotations_cache__ __classdictcell__ __conditional_annotations__ __firstlineno__ __static_attributes__ __abstractmethods__ _abc_impl".split())
_DATA = frozenset("__dataclass_fields__ __dataclass_params__ __match_args__ __hash__ __replace__".split())
_WRAPPERS = {"staticmethod": staticmethod, "classmethod": classmethod}
_PARAMS = ("init", "repr", "eq", "order", "unsafe_hash", "frozen")


def is_own(kind):
    """Reports whether a class is one of the tests."""
    return isinstance(kind, type) and kind.__module__ in ("tests", "__main__") and not kind.__qualname__.startswith("_rh") and type(kind) in (type, _ABC, enum.EnumType)


_ABC = type(type("_", (__import__("abc").ABC,), {}))


def is_record(kind):
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


_TESTS = ("tests", "__main__", "abc")


def _base(kind):
    """The first class above one of the tests that is not theirs; None: object."""
    return None if kind.__mro__[-2].__module__ in _TESTS else next(k for k in kind.__mro__ if k.__module__ not in _TESTS)


def is_plain(kind):
    """Reports whether all of an object of a class of the tests is in its attributes, and in the items that it has as a list or the like."""
    base = _base(kind)
    return base is None or base in _FILLED


def made(kind):
    """An empty object of a class of the tests."""
    return (_base(kind) or object).__new__(kind)


def _items(v, base):
    """What an object has as a list or the like."""
    factory = [v.default_factory] if base is collections.defaultdict else []
    return factory + [x for pair in base.items(v) for x in pair] if isinstance(v, dict) else list(base.__iter__(v))


def _fill(v, base, items):
    if base is collections.defaultdict:
        v.default_factory, *items = items
    base.clear(v)
    if isinstance(v, dict):
        for k, x in zip(items[::2], items[1::2]):
            (base if base is collections.OrderedDict else dict).__setitem__(v, k, x)
    elif base is list:
        list.extend(v, items)
    else:
        set.update(v, items)


def is_object(v):
    kind = type(v)
    return kind in _PLAIN or kind in files.OPEN and files.raw_of(v) is not None or is_own(kind) and type(kind) is not enum.EnumType and not is_record(kind) and is_plain(kind)


@functools.cache
def _slots(kind):
    """The attributes for which classes of the tests have slots. In the candidate's instance, they have none."""
    found = []
    for k in kind.__mro__:
        of = vars(k).get("__slots__", ()) if is_own(k) else ()
        for name in (of,) if isinstance(of, str) else of:
            if name not in ("__dict__", "__weakref__"):
                found.append("_%s%s" % (k.__name__.lstrip("_"), name) if name.startswith("__") and not name.endswith("__") else name)
    return found


class NoSlot(Exception):
    """The candidate has set an attribute for which its object has no slot: in Python, that fails, and the candidate may catch it."""


def _held(v):
    """The attributes of an object."""
    slots = _slots(type(v))
    return {**{k: getattr(v, k) for k in slots if hasattr(v, k)}, **getattr(v, "__dict__", {})} if slots else vars(v)


def made_of(v):
    """What empty() makes a new object of; None: a class of the tests."""
    if type(v) in files.OPEN:
        path, raw = files.path_of(v), files.raw_of(v)
        if path is None:
            raise CannotCross("an open file that has no path")
        return "open " + json.dumps([path, os.fspath(raw.name) if not isinstance(raw.name, (int, bytes)) else path, raw.how])
    return None if type(v) not in _PLAIN else "array " + v.typecode if type(v) is array.array else type(v).__name__


def empty(name):
    """An object of a class that both instances have."""
    if name == "object":
        return object()
    if name.startswith("open "):
        return files.reopened(*json.loads(name[5:]))
    if name.startswith("array "):
        return array.array(name[6:])
    if name == "Random":
        return random.Random(0)
    return _HELD[name].__new__(_HELD[name]) if name in _HELD else getattr(io, name)()


def attributes(kind):
    """What one side may change of a class of the tests, which does not reach the other."""
    return {k: v for k, v in vars(kind).items() if k not in _SKIPPED}


class Classes:
    """The classes of the tests that one instance of a candidate has been given."""

    def __init__(self, given):
        self.given, self.candidate, self.numbers, self.known, self.filled = given, given.candidate, {}, [], {}

    def number(self, kind):
        n = self.numbers.get(id(kind))
        if n is None:
            n = self._new(kind)
        elif n in self.filled and attributes(kind) != self.filled[n]:
            raise CannotCross("a %s of the tests, whose class they have changed" % kind.__name__)
        return n

    def _add(self, kind):
        n = self.numbers[id(kind)] = len(self.known)
        self.known.append(kind)
        return n

    def _new(self, kind):
        ask, part = self.candidate.ask, self.given._part
        if type(kind) is enum.EnumType:
            base = kind.__bases__[0]
            if base not in _ENUMS.values() or any(isinstance(v, (types.FunctionType, property, classmethod, staticmethod)) and not k.startswith("_") or k in ("__str__", "__eq__", "__hash__", "__repr__") and base is enum.Enum for k, v in vars(kind).items()):
                raise CannotCross("a member of an enumeration with methods")
            members = [[k, part(m.value)] for k, m in kind.__members__.items()]
            n = self._add(kind)
            ask("enumeration", n, base.__name__, kind.__name__, members)
            return n
        if is_record(kind):
            if kind.__mro__[1] is not tuple or any(isinstance(v, (types.FunctionType, property)) and getattr(v, "__module__", "") in ("tests", "__main__") and not k.startswith("_") for k, v in vars(kind).items()):
                raise CannotCross("a named tuple with methods")
            n = self._add(kind)
            ask("named", n, kind.__name__, list(kind._fields), [part(v) for v in kind._field_defaults.values()], self.hints(kind.__annotations__))
            return n
        bases = []
        for b in kind.__bases__:
            if not is_own(b) and (b.__module__.partition(".")[0] not in sys.stdlib_module_names or vars(sys.modules.get(b.__module__, types)).get(b.__name__) is not b):
                raise CannotCross("a %s of the tests, whose base is %s" % (kind.__name__, b.__name__))
            bases.append(None if b is object else ["U", self.number(b)] if is_own(b) else ["M", b.__module__, b.__name__])
        n = self._add(kind)
        ask("class", n, kind.__name__, bases)
        moves, self.given.moves = self.given.moves, True
        try:
            self._fill(n, kind)
        finally:
            self.given.moves = moves
        return n

    def _fill(self, n, kind):
        ask, part = self.candidate.ask, self.given._part
        own, data = [], None
        is_data = "__dataclass_params__" in vars(kind)
        plain = {k for k, f in kind.__dataclass_fields__.items() if f._field_type is not dataclasses._FIELD_CLASSVAR} if is_data else ()
        stored = set()
        for k, v in vars(kind).items():
            f = v.__func__ if isinstance(v, (staticmethod, classmethod)) else v
            if isinstance(f, types.FunctionType) and (type(v) is classmethod or not {kind.__name__, "type", "__class__"}.isdisjoint((*f.__code__.co_names, *f.__code__.co_freevars))):
                stored.update(f.__code__.co_names)  # of others, what they set is of their object
        for k, v in vars(kind).items():
            if k in _SKIPPED or type(v) is types.MemberDescriptorType or is_data and (k in _DATA or k in plain or isinstance(v, types.FunctionType) and v.__code__.co_filename != "tests.py"):
                continue
            if isinstance(v, types.FunctionType):
                own.append([k, "value", self.given._function(v)])
            elif type(v) in (staticmethod, classmethod):
                own.append([k, type(v).__name__, self.given._function(v.__func__)])
            elif type(v) is property:
                own.append([k, "property", *(None if f is None else self.given._function(f) for f in (v.fget, v.fset, v.fdel))])
            elif k in stored and type(v) not in NUMBERED and not k.startswith("__"):
                raise CannotCross("a %s of the tests, whose class has the attribute %s, which may change" % (kind.__name__, k))
            else:
                own.append([k, "value", self.given._shared(kind.__doc__ if k == "__doc__" else v)])
        if is_data:
            fields = []
            for name in kind.__annotations__:
                f = kind.__dataclass_fields__[name]
                if f._field_type is dataclasses._FIELD_CLASSVAR:
                    continue
                if f._field_type is not dataclasses._FIELD:
                    raise CannotCross("a %s of the tests, whose field %s is not a plain one" % (kind.__name__, name))
                fields.append([name, f.init, f.repr, f.compare, None if f.default is dataclasses.MISSING else [part(f.default)], None if f.default_factory is dataclasses.MISSING else part(f.default_factory)])
            data = [{p: getattr(kind.__dataclass_params__, p) for p in _PARAMS}, fields]
        ask("fill", n, own, data, self.hints(kind.__annotations__))
        self.filled[n] = attributes(kind)

    def hints(self, annotations):
        """Encodes annotations, without those that cannot cross."""
        known = {}
        for k, v in annotations.items():
            try:
                known[k] = self.given._part(v)
            except CannotCross:
                pass
        return known

    def decoded(self, n):
        if type(n) is not int or not 0 <= n < len(self.known):
            raise Forged("a class of the tests")
        return self.known[n]


def _position(v):
    """Where an open file is, and whether it is closed. Between two lines that a loop takes, nobody knows."""
    if v.closed:
        return None, True
    try:
        at = v.tell()  # before anything else of it: to flush it would have it say a place
        if v.writable():
            v.flush()
        return at, False
    except OSError:
        return None, False


def contents(v, part):
    """What an object holds, as encoded by part."""
    if type(v) is object:
        return ["p"]
    if type(v) in files.OPEN:
        return ["p", *_position(v)]
    if type(v) in STREAMS:
        return ["p", None, False, True] if v.closed else ["p", part(v.getvalue()), v.tell(), False]
    if type(v) is array.array:
        return ["p", part(v.tolist())]
    if type(v) is random.Random:
        return ["p", part(v.getstate())]
    if type(v) is collections.ChainMap:
        return ["p", *map(part, v.maps)]
    base = _base(type(v))
    return ["p", *([["", *map(part, _items(v, base))]] if base in _FILLED else ()), *([k, part(x)] for k, x in _held(v).items())]


def put(v, coded, decode, is_allowed=lambda kind, name: True):
    """Puts what contents() made into an object."""
    if type(v) is object:
        return
    if type(v) in files.OPEN:
        _, at, closed = coded
        if closed:
            v.close()
        elif at is None:
            raise CannotCross("an open file of which some lines were taken")
        elif type(at) is not int or not 0 <= at <= len(files.raw_of(v).node.data) + (1 << 20):
            raise Forged("a position in a file")
        elif v.tell() != at:
            v.seek(0, 2)  # what is in its buffer may be old
            v.seek(at)
        return
    if type(v) in STREAMS:
        _, text, at, closed = coded
        if closed:
            v.close()
            return
        text = decode(text)
        if type(text) is not (str if type(v) is io.StringIO else bytes) or type(at) is not int or not 0 <= at <= len(text) + (1 << 20):
            raise Forged("contents of a stream")
        v.seek(0)
        v.truncate()
        v.write(text)
        v.seek(at)
        return
    if type(v) is array.array:
        _, items = coded
        v[:] = array.array(v.typecode, decode(items))
        return
    if type(v) is random.Random:
        _, state = coded
        try:
            version, numbers, left = decode(state)
            v.setstate((version, tuple(map(int, numbers)), None if left is None else float(left)))
        except (TypeError, ValueError, OverflowError):
            raise Forged("the state of a random.Random")
        return
    if type(v) is collections.ChainMap:
        v.maps = list(map(decode, coded[1:]))
        return
    new, base, coded = {}, _base(type(v)), coded[1:]
    if base in _FILLED:
        (_, *items), *coded = coded
        _fill(v, base, list(map(decode, items)))
    for k, x in coded:
        if type(k) is not str or len(k) > 1_000 or k.startswith("__") or not is_allowed(type(v), k):
            raise Forged("an attribute of an object of the tests")
        new[k] = decode(x)
    names = _slots(type(v))
    slots = {k: new.pop(k) for k in names if k in new} if names else ()
    if new and not hasattr(v, "__dict__"):
        raise NoSlot("the candidate sets an attribute for which a class of the tests has no slot")
    if hasattr(v, "__dict__"):
        vars(v).clear()
        vars(v).update(new)
    for k in names:
        if k in slots:
            object.__setattr__(v, k, slots[k])
        elif hasattr(v, k):
            object.__delattr__(v, k)


def is_data(kind, name):
    """Reports whether a candidate may set an attribute of an object of the tests: it may not replace what their class computes."""
    known = getattr(kind, name, None)
    return type(known) is types.MemberDescriptorType or not callable(known) and not hasattr(type(known), "__get__")


# The candidate's side.


def made_enum(base, name, members, decode):
    return _ENUMS[base](name, [(k, decode(v)) for k, v in members])


def filled(kind, own, data, annotations, decode):
    annotations = {k: decode(v) for k, v in annotations.items()}
    for k, how, *parts in own:
        parts = [None if p is None else decode(p) for p in parts]
        v = property(*parts) if how == "property" else _WRAPPERS[how](parts[0]) if how in _WRAPPERS else parts[0]
        setattr(kind, k, v)
    if data is not None:
        params, fields = data
        kind.__annotations__ = {name: object for name, *_ in fields}
        for name, init, shown, compare, default, factory in fields:
            given = {"default": decode(default[0])} if default else {} if factory is None else {"default_factory": decode(factory)}
            setattr(kind, name, dataclasses.field(init=init, repr=shown, compare=compare, **given))
        dataclasses.dataclass(**params)(kind)
        told = vars(kind)["__init__"].__annotations__ if params["init"] else {}
        for name, *_ in fields:
            kind.__dataclass_fields__[name].type = annotations.get(name, object)
            if name in told:
                told[name] = annotations.get(name, object)
    abc.update_abstractmethods(kind)
    kind.__annotations__ = annotations
