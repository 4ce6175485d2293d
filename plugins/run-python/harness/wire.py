# Values between judge and candidate: to the candidate in marshal's form, which is fast, and from
# it as JSON, since what comes from there may be forged, and marshal must not read that.
#
# A number that fits, text, True, False and None stand for themselves. Everything else is an
# array whose first item is its tag. The lists, dicts, sets and the like of one message are
# numbered in the order in which they begin; "@" refers to one of them again. Floats are
# written as json writes them, nan and inf included.
#
# Of objects, exceptions and functions, whose tags are E f H I K M m N R W $, judge.py and candidate.py know more; of arrays (A, S) run-python-sci.
#
# decode() reads what a candidate may have forged. It builds exact built-in types and those of
# NAMED only, in bounded time, and runs nothing that a message names.
import abc, array, builtins, cmath, collections.abc, datetime, decimal, fractions, inspect, json, marshal, math, numbers, operator, pathlib, sys, time, types, uuid

MAX_DEPTH = 100             # of nested containers
MAX_NESTED = 50             # of plain values that are looked at as they are coded
MAX_NODES = 500_000         # of one message, where what "@" refers to counts each time
MAX_BITS = 1_000_000        # of an integer
MAX_DIGITS = 100_000        # of a Decimal, and bits of a Fraction
MAX_COLLISIONS = 50         # of the hashes of one set or dict
MAX_SAID = 1_000            # warnings, log records, arguments and notes of an exception
SHARED = 64                 # lists and the like that tests and objects share, of which changes are followed
SMALL = 1 << 1_000         # from here on, integers are written in hexadecimal
LEAST = -SMALL              # down to here

_PATHS = ["PosixPath", "PurePosixPath", "PureWindowsPath"]

# Classes of the library that make an equal object from the text of one.
VALUES = frozenset("%s.%s" % (module, name) for module, names in {
    "uuid": ["UUID"], "pathlib": _PATHS, "pathlib._local": _PATHS, "ipaddress": ["IPv%d%s" % (n, of) for n in (4, 6) for of in ("Address", "Network", "Interface")]}.items() for name in names)

# What the tests have themselves if a candidate answers with it: functions that only compute, and classes of values.
_COMPUTE = frozenset("abs all any ascii bin chr divmod format hex len max min oct ord pow repr round sorted sum".split())
_LIBRARY_VALUES = (
    *(vars(builtins)[name] for name in _COMPUTE), *(v for m in (math, cmath, operator) for v in vars(m).values() if type(v) is types.BuiltinFunctionType and v is not operator.call),
    *(v for k in (str, bytes, list, tuple, dict, set, frozenset, int, float) for name, v in vars(k).items() if type(v) is types.MethodDescriptorType and name not in ("format", "format_map")),
    *(getattr(object, "__%s__" % name) for name in "init repr str hash eq ne lt le gt ge".split()),
    decimal.Decimal, fractions.Fraction, datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone, collections.Counter, collections.OrderedDict, collections.defaultdict,
    collections.deque, types.NoneType, inspect.Parameter.empty, uuid.UUID, pathlib.PurePosixPath, pathlib.PosixPath, types.SimpleNamespace, array.array, collections.ChainMap, collections.UserDict, collections.UserList, collections.UserString,
    *(v for m in (collections.abc, numbers) for v in vars(m).values() if type(v) is abc.ABCMeta))


def name_of(v):
    """The module and name of a function or class of the library."""
    of = getattr(v, "__objclass__", None)
    return (v.__module__ or "builtins", v.__name__) if of is None else ("builtins", "%s.%s" % (of.__name__, v.__name__))


COMPUTING = {name_of(v): v for v in _LIBRARY_VALUES}

PLAIN = frozenset((str, bool, type(None), float))

Decimal, Fraction = decimal.Decimal, fractions.Fraction
NAMED = {"C": collections.Counter, "O": collections.OrderedDict, "G": collections.defaultdict, "Q": collections.deque}
FACTORIES = {k.__name__: k for k in (list, dict, set, int, float, str, bool, tuple)}
_TAG = {collections.Counter: "C", collections.OrderedDict: "O", collections.defaultdict: "G", collections.deque: "Q",
        list: "l", tuple: "t", dict: "d", set: "s", frozenset: "z", bytes: "b", bytearray: "B", complex: "c", range: "r", slice: ":",
        type({}.keys()): "k", type({}.values()): "a", type({}.items()): "e", Decimal: "D", Fraction: "F", datetime.date: "y", datetime.time: "h", datetime.datetime: "w", datetime.timedelta: "u",
        datetime.timezone: "o", time.struct_time: "T:", type(...): ".", type(NotImplemented): "!"}
CROSSES = frozenset(_TAG)
CONTAINERS = frozenset("ltdszCOGQkae")
NUMBERED = frozenset((list, dict, set, bytearray, *NAMED.values()))  # what changes, and has an identity


def _referred():
    v = []
    return sys.getrefcount(v) if type(v) in NUMBERED else 0


REFERRED = _referred()  # references to what a variable has alone, as getrefcount counts them: 2, and from Python 3.14 on 1

COPIED = (CROSSES | PLAIN | {int}) - NUMBERED  # what crosses as another object, but for True, None and the like

_VIEWS = frozenset((type({}.values()), type({}.items())))

_chunks = json.encoder.c_make_encoder(None, None, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True)
_scan = json.JSONDecoder().scan_once


def dumps(v):
    """The answer for what encode() made: ASCII."""
    return "".join(_chunks(v, 0)).encode("ascii")


_constants = {True: b'["v",true]', False: b'["v",false]', None: b'["v",null]'}
_quoted = json.encoder.encode_basestring_ascii


QUICK = frozenset((str, bool, type(None), int))


def quick(v):
    """The answer ["v", v] for a value of the types QUICK, as dumps() makes it, in less time."""
    kind = type(v)
    if kind is str:
        return ('["v",%s]' % _quoted(v)).encode("ascii")
    return b'["v",%d]' % v if kind is int else _constants[v]


_marshalled, requested = marshal.dumps, marshal.loads


def request(v):
    """The message to the candidate."""
    return _marshalled(v, 2)


FLAT = PLAIN | {int}


class CannotCross(Exception):
    """A value that has no form outside of its instance."""


class Forged(Exception):
    """A message that encode() never writes."""


class TooMuch(Forged):
    """A message beyond a bound of this module, which a right program may meet, too."""


class Encoder:
    """Encodes the values of one message. other(v) encodes what this module does not know, or raises CannotCross."""

    def __init__(self, other):
        self.other, self.numbers, self.kept, self.open = other, {}, [], set()

    def encode(self, v):
        kind = type(v)
        if kind in PLAIN:
            return v
        if kind is int:
            return v if LEAST < v < SMALL else _long(v)
        tag = _TAG.get(kind)
        if tag is None:
            return self.other(v)
        if kind in NUMBERED:
            number = self.numbers.get(id(v))
            if number is not None:
                if id(v) in self.open:
                    raise CannotCross("a %s that contains itself" % kind.__name__)
                return ["@", number]
            self.numbers[id(v)] = len(self.kept)
            self.kept.append(v)
        return self._container(tag, v) if tag in CONTAINERS else [tag, *_FIELDS[tag](v)]

    def _container(self, tag, v):
        if len(self.open) >= MAX_DEPTH:
            raise CannotCross("more than %d nested containers" % MAX_DEPTH)
        self.open.add(id(v))
        if tag in "dCOG":
            v_ = [x for pair in (v.items() if tag == "O" else dict.items(v)) for x in pair]
        else:
            v_ = v
        encode, plain, least, small = self.encode, PLAIN, LEAST, SMALL
        out = [tag, self._factory(v.default_factory)] if tag == "G" else [tag, v.maxlen] if tag == "Q" else [tag]
        out += [x if type(x) in plain or type(x) is int and least < x < small else encode(x) for x in v_]  # a call for each takes several times as long
        self.open.discard(id(v))
        return out

    def _factory(self, made):
        """Encodes what makes the missing values of a defaultdict: one of FACTORIES by its name."""
        return made.__name__ if isinstance(made, type) and FACTORIES.get(made.__name__) is made else self.encode(made)

    def contents(self, v):
        """Encodes what is in a numbered value, although it was encoded before."""
        return v.hex() if type(v) is bytearray else self._container(_TAG[type(v)], v)


def _long(v):
    if v.bit_length() > MAX_BITS:
        raise CannotCross("an integer of %d bits" % v.bit_length())
    return ["i", "%x" % v]


def _zone(v):
    """The time zone of a time or datetime, as the offset that it has then."""
    offset = v.utcoffset()
    if offset is None and v.tzinfo is not None:
        raise CannotCross("a time zone of class %s" % type(v.tzinfo).__name__)
    return None if offset is None else _FIELDS["o"](v.tzinfo) if type(v.tzinfo) is datetime.timezone else _FIELDS["u"](offset)


def _decimal(v):
    sign, digits, exponent = v.as_tuple()
    return [sign, "".join(map(str, digits)), exponent]


_FIELDS = {
    "b": lambda v: [v.hex()], "B": lambda v: [v.hex()], "c": lambda v: [v.real, v.imag], "r": lambda v: [*map(_int, (v.start, v.stop, v.step))],
    ":": lambda v: [*map(_int, (v.start, v.stop, v.step))],
    "D": _decimal, "F": lambda v: [_int(v.numerator), _int(v.denominator)], "y": lambda v: [v.year, v.month, v.day],
    "h": lambda v: [v.hour, v.minute, v.second, v.microsecond, _zone(v), v.fold],
    "w": lambda v: [v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond, _zone(v), v.fold],
    "u": lambda v: [v.days, v.seconds, v.microseconds], "o": lambda v: [*_FIELDS["u"](v.utcoffset(None)), *v.__getinitargs__()[1:]],
    ".": lambda v: [], "!": lambda v: [], "T:": lambda v: [*map(_int, v)],
}


def _int(v):
    if v is None or type(v) is int and LEAST < v < SMALL:
        return v
    if type(v) is int:
        return _long(v)
    raise CannotCross("a %s among integers" % type(v).__name__)


_frequent = {quick(v): ("v", v) for v in (True, False, None, *range(-1, 256))}


def parse(payload):
    """Parses an answer; Forged if it is not one array."""
    known = _frequent.get(payload)
    if known is not None:
        return known
    try:
        text = payload.decode("ascii")
        v, end = _scan(text, 0)
    except (ValueError, StopIteration, RecursionError, MemoryError) as e:
        raise Forged("%s: %s" % (type(e).__name__, e))
    if end != len(text) or type(v) is not list or not v:
        raise Forged("not one array")
    return v


_ONE_ANSWER = "%d values" % MAX_NODES


class Decoder:
    """Decodes the values of one message. other(item) decodes an array with a tag that this module does not know, or raises Forged."""

    def __init__(self, other, numbered=()):
        self.other, self.numbered, self.nodes, self.depth, self.shared = other, list(numbered), 0, 0, False
        self.most, self.bound = MAX_NODES, _ONE_ANSWER
        self.sizes = [1] * len(self.numbered)  # of numbered values; None while one is open

    def decode(self, v):
        kind = type(v)
        self.nodes += 1
        if kind is not list:
            if kind is float and v != v:
                return math.nan  # one object, as in most programs: [nan] == [nan]
            if kind is int and not LEAST < v < SMALL:
                raise Forged("a long integer")
            if kind is dict:
                raise Forged("an object")
            return v
        if not v or type(v[0]) is not str:
            raise Forged("an array without tag")
        if self.nodes > self.most:
            raise TooMuch("more than " + self.bound)
        tag = v[0]
        if tag == "l":
            return self._numbered(v, [])
        if tag == "t":
            return tuple(self._items(v))
        if tag in _READ:
            return _READ[tag](self, v)
        return self.other(self, v)

    def _items(self, v):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooMuch("more than %d nested values" % MAX_DEPTH)
        decode, least, small = self.decode, LEAST, SMALL
        out = [x if type(x) is str or type(x) is int and least < x < small else decode(x) for x in v]
        self.nodes += [*map(type, v)].count(int)
        del out[0]
        self.depth -= 1
        return out

    def _numbered(self, v, to):
        number, before = len(self.numbered), self.nodes
        self.numbered.append(to)
        self.sizes.append(None)
        fill(to, self._items(v))
        self.sizes[number] = self.nodes - before + 1
        return to

    def _default(self, v):
        """Reads a defaultdict, whose second item says what makes its missing values."""
        _, factory, *items = v
        return self._numbered(["G", *items], collections.defaultdict(FACTORIES[factory] if type(factory) is str and factory in FACTORIES else self.decode(factory)))

    def _deque(self, v):
        """Reads a deque, whose second item says how long it may be."""
        _, most, *items = v
        if most is not None and (type(most) is not int or not len(items) <= most < 1 << 31):
            raise Forged("a deque")
        return self._numbered(["Q", *items], collections.deque(maxlen=most))

    def refill(self, contents):
        """Puts the contents in place of those of the first numbered values, which were there before the message."""
        if type(contents) is not list or len(contents) > len(self.numbered):
            raise Forged("contents of nothing")
        new = []
        for to, v in zip(self.numbered, contents):
            if type(to) is bytearray and type(v) is str:
                new.append(bytearray.fromhex(v))
            elif type(v) is list and v and v[0] == _TAG[type(to)]:
                new.append(self._items([v[0], *v[2:]] if v[0] in "GQ" else v))
            else:
                raise Forged("contents of another kind")
        try:
            for to, items in zip(self.numbered, new):
                fill(to, items)
        except (TypeError, ValueError) as e:
            raise Forged("contents: %s" % e)
        self.shared = True

    def reference(self, v):
        _, n = v
        self.shared = True
        if type(n) is not int or not 0 <= n < len(self.numbered) or self.sizes[n] is None:
            raise Forged("a reference to nothing")
        self.nodes += self.sizes[n]
        if self.nodes > self.most:
            raise TooMuch("more than " + self.bound)
        return self.numbered[n]


def measure(v, sizes):
    """Returns how many values a value has if one that is there twice counts twice. Forged: it contains itself, or has too many."""
    if type(v) not in _TAG or _TAG[type(v)] not in CONTAINERS:
        return 1
    size = sizes.get(id(v), 0)
    if size is None:
        raise Forged("a value that contains itself")
    if not size:
        sizes[id(v)], size = None, 1
        for x in v:
            size += measure(x, sizes)
        if isinstance(v, dict):
            for x in dict.values(v):
                size += measure(x, sizes)
        sizes[id(v)] = size
    if size > MAX_NODES:
        raise TooMuch("more than %d values" % MAX_NODES)
    return size


def fill(to, items):
    """Puts items in place of those of a numbered value."""
    if isinstance(to, dict):
        if len(items) % 2:
            raise Forged("a key without value")
        keys = items[::2]
        _spread(keys)
        kind = collections.OrderedDict if type(to) is collections.OrderedDict else dict  # the update of a Counter adds
        kind.clear(to)
        kind.update(to, zip(keys, items[1::2]))
    elif type(to) is set:
        _spread(items)
        to.clear()
        to.update(items)
    elif type(to) is bytearray:
        to[:] = items  # with a view of it, only its size may not change
    else:
        to.clear()
        to.extend(items)


def numbered_in(v):
    """What has an identity in a list, dict or tuple, and the value itself first if it has one: in the same order on both sides."""
    found, open_ = {}, [v]
    for v in open_:
        kind = type(v)
        if kind in NUMBERED:
            if id(v) in found:
                continue
            found[id(v)] = v
        elif kind is not tuple and kind not in _VIEWS:
            continue
        items = dict.values(v) if issubclass(kind, dict) else v
        if kind is not bytearray and not FLAT.issuperset(map(type, items)):
            open_ += items
    return [*found.values()]


def contents_of(encoder, numbered):
    """Encodes what is in numbered values, of which each may hold others."""
    for x in numbered:
        encoder.numbers[id(x)] = len(encoder.kept)
        encoder.kept.append(x)
    return [encoder.contents(x) for x in numbered]


def _spread(keys):
    """Refuses keys whose equal hashes would take quadratic time."""
    if len(keys) > MAX_COLLISIONS and max(collections.Counter(map(hash, keys)).values()) > MAX_COLLISIONS:
        raise TooMuch("more than %d keys with equal hashes" % MAX_COLLISIONS)


def _integer(text):
    if type(text) is int:
        return text
    if type(text) is not list or len(text) != 2 or text[0] != "i":
        raise Forged("not an integer")
    return _large(None, text)


def _large(_, v):
    _, text = v
    if type(text) is not str or len(text) > MAX_BITS // 4 + 2:
        raise Forged("a long integer")
    return int(text, 16)


def _whole(numbers):
    for n in numbers:
        if type(n) is not int:
            raise Forged("not an integer")
    return numbers


def _float(v):
    if type(v) is not float:
        raise Forged("not a float")
    return v


def _index(v):
    return None if v is None else _integer(v)


def _delta(v):
    days, seconds, micros = _whole(v)
    return datetime.timedelta(days, seconds, micros)


def _offset(v):
    delta, name = _delta(v[:3]), v[3:]
    if name and (len(name) > 1 or type(name[0]) is not str):
        raise Forged("a time zone")
    return datetime.timezone(delta, *name)


def _in_zone(kind, v):
    *fields, zone, fold = v
    return kind(*_whole(fields), tzinfo=None if zone is None else _offset(zone), fold=_whole([fold])[0])


def _read_decimal(_, v):
    _, sign, digits, exponent = v
    if type(digits) is not str or not digits.isascii() or exponent not in ("F", "n", "N") and type(exponent) is not int:
        raise Forged("not a Decimal")
    if len(digits) > MAX_DIGITS:
        raise TooMuch("a Decimal of more than %d digits" % MAX_DIGITS)
    return Decimal((sign, tuple(map(int, digits)), exponent))


def _read_fraction(_, v):
    over, under = map(_integer, v[1:])
    if over.bit_length() + under.bit_length() > MAX_DIGITS:  # to reduce it takes quadratic time
        raise TooMuch("a Fraction of more than %d bits" % MAX_DIGITS)
    return Fraction(over, under)


def _read_set(d, v):
    items = d._items(v)
    _spread(items)
    return frozenset(items)


def _view(d, v, made):
    """A dict whose view was sent."""
    items = d._items(v)
    _spread([x[0] if v[0] == "e" else x for x in items])
    return made(items)


def _hex(kind):
    def read(d, v):
        _, text = v
        if type(text) is not str:
            raise Forged("not hexadecimal")
        return kind.fromhex(text)
    return read


def _read_bytearray(d, v):
    b = _hex(bytearray)(d, v)
    d.numbered.append(b)
    d.sizes.append(1)
    return b


def _complex(_, v):
    _, real, imag = v
    return complex(_float(real), _float(imag))


_READ = {
    "@": Decoder.reference, "i": _large,
    "d": lambda d, v: d._numbered(v, {}), "s": lambda d, v: d._numbered(v, set()), "z": _read_set,
    **{tag: (lambda d, v, kind=kind: d._numbered(v, kind())) for tag, kind in NAMED.items() if tag not in "GQ"}, "G": Decoder._default, "Q": Decoder._deque,
    "k": lambda d, v: _view(d, v, lambda items: dict.fromkeys(items)).keys(), "e": lambda d, v: _view(d, v, lambda items: dict(items)).items(),
    "a": lambda d, v: dict(enumerate(d._items(v))).values(),
    "b": _hex(bytes), "B": _read_bytearray, "c": _complex,
    "r": lambda _, v: range(*_three(map(_integer, v[1:]))), ":": lambda _, v: slice(*_three(map(_index, v[1:]))),
    "D": _read_decimal, "F": _read_fraction, "y": lambda _, v: datetime.date(*_whole(v[1:])),
    "h": lambda _, v: _in_zone(datetime.time, v[1:]), "w": lambda _, v: _in_zone(datetime.datetime, v[1:]),
    "u": lambda _, v: _delta(v[1:]), "o": lambda _, v: _offset(v[1:]),
    "T:": lambda _, v: time.struct_time(_whole(v[1:])), ".": lambda _, v: ..., "!": lambda _, v: NotImplemented,
}


def _three(items):
    a, b, c = items
    return a, b, c


def plain(v):
    """The value of JSON that a value is, if it has another form too."""
    return v


def value(v):
    """The value of a coded literal."""
    if type(v) is not list:
        return v
    items = [x if type(x) is not list else value(x) for x in v[1:]]
    return items if v[0] == "l" else tuple(items) if v[0] == "t" else dict(zip(items[::2], items[1::2]))


def is_value(v, most=MAX_NESTED):
    """Reports whether a coded answer is a number, text or the like, or a list, tuple or dict of such, not too deep."""
    return type(v) is not list or most > 0 and v != [] and type(v[0]) is str and v[0] in "ltd" and all([type(x) is not list or is_value(x, most - 1) for x in v])
