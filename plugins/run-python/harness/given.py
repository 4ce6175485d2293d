# What tests give to a candidate beside values: their functions, with what these use, and iterators. A function
# is an argument: the candidate may read it, and what it uses.
import asyncio, builtins, copy, enum, functools, gc, inspect, itertools, operator, re, sys, types, typing, warnings

from . import files, loops, objects
from .doubles import is_mock, Mocks, SENTINEL
from .functions import answers, compares, CONSTANT, decides, given_to, has_deciding, has_raise, is_oracle, is_plain, is_quiet, is_used_once, used_by
from .wire import CannotCross, Encoder, fill, FLAT, Forged, NUMBERED, REFERRED, request as message, VALUES

MAX_ITEMS = 10_000          # of an iterator
MAX_TABLE = 20_000          # answers of a function that the candidate has in hand
MAX_TAKEN = 100_000         # items that a call takes of a generator that the tests still have

QUIET = frozenset(("put", "captured", "function", "bind", "globals", "attributes", "cell", "state", "stdin", "stdout", "iterator", "advance", "iterators", "kept", "keep", "holds", "stub", "table",
                   "mock", "mocks", "object", "class", "fill", "enumeration", "named", "patch", "restore", "process", "log", "logged", "generator", "coroutine", "taken", "files", "written"))  # requests for which nothing of the candidate runs

ALONE = QUIET - {"put", "patch", "restore", "kept", "keep", "holds", "process", "stdin", "stdout", "state", "log", "logged", "advance", "fill", "written"}  # of these, that only these files can fail

_ITERATORS = frozenset(map(type, (iter([]), iter(()), iter(""), iter("\u0100"), iter(range(0)), iter(range(1 << 70)), iter({}), iter({}.values()), iter({}.items()), iter(set()), iter(b""),
                                  zip(), enumerate(()), reversed([]), itertools.accumulate(()), itertools.chain(), itertools.combinations((), 0), itertools.combinations_with_replacement((), 0),
                                  itertools.compress((), ()), itertools.cycle(()), itertools.islice((), 0), itertools.pairwise(()), itertools.permutations(()), itertools.product(), itertools.zip_longest())))
_KNOWN = frozenset(map(type, (iter([]), iter(()), iter(""), iter("\u0100"), iter(range(0)), iter(b""), reversed([]))))  # iterators that know how many items are left
_ENDLESS = (types.GeneratorType, itertools.cycle)
_MADE = (itertools.count, itertools.repeat, operator.attrgetter, operator.itemgetter)  # objects that their class makes again from the same arguments
_CALLABLE = (types.MethodType, functools.partial, functools._lru_cache_wrapper)  # they stay with the tests
_ABSTRACT = {"__isabstractmethod__": True}
_BEGINNING = {types.CoroutineType: (inspect.getcoroutinestate, "cr_frame"), types.AsyncGeneratorType: (inspect.getasyncgenstate, "ag_frame"), types.GeneratorType: (inspect.getgeneratorstate, "gi_frame")}
_BUILT_IN = {v: k for k, v in vars(types).items() if type(v) is type and v.__module__ == "builtins"}  # classes without a name among the built-in functions
_KEPT = REFERRED + 1  # references to what the tests no longer have: of captured, and a variable
_STALE = "taken by the tests"  # where a generator is of which both sides would have to take


def _held(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _is_undefined(names, name):
    if not dict.__contains__(names, name) and name not in vars(builtins):
        try:
            names[name]
        except KeyError:
            return True
    return False


def _is_noted(v):
    """Reports whether a value is an object of the tests, in which a function may note something."""
    return objects.is_object(v) and type(v) is not object or is_mock(v)


def key_of(v):
    """The text of a value, if nothing else is in it."""
    kind = type(v)
    if kind in FLAT or kind in (list, tuple) and FLAT.issuperset(map(type, v)) or kind is dict and FLAT.issuperset(map(type, v)) and FLAT.issuperset(map(type, v.values())):
        text = repr(v) if kind is not int or -1 << 64 < v < 1 << 64 else None
        return text if text and len(text) < 1_000 else None


def _values(args, depth=0):
    """The values of a call, those in others included."""
    for x in args:
        yield x
        if depth < 3 and type(x) in (list, tuple, set, frozenset, range, dict, str) and (type(x) is not str or len(x) > 1):
            yield from _values(x, depth + 1)
            if type(x) is dict:
                yield from _values([*x.items(), *x.values()], depth + 1)


def _parts(v):
    """The arguments from which the class of v makes it again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of CPython 3.14, which does not tell them of itertools
        try:
            return v.__reduce__()[1]
        except TypeError:
            if type(v) is itertools.count:  # from Python 3.14 on
                return (start := next(v)), next(v) - start
            if type(v) is itertools.repeat:
                times = operator.length_hint(v, -1)
                return next(v, None), *[times] * (times >= 0)
            raise CannotCross("a %s of the tests, which cannot cross to the candidate" % type(v).__name__)


def _alias(v):
    """How what is written for a type, as list[int] or typing.Any, is made again; None: it is none."""
    kind, args = type(v), typing.get_args(v)
    if kind is types.GenericAlias:
        return ["J", "types", "GenericAlias", v.__origin__, args]
    if kind is types.UnionType:
        return ["J", "functools", "reduce", operator.or_, _or_none(args)]
    if kind.__module__ == "typing":
        name = "Union" if getattr(v, "__origin__", None) is typing.Union else getattr(v, "_name", None) or getattr(v, "__name__", None)
        base = vars(typing).get(name)
        return ["M", "typing", name] if base is v is not None else None if base is None or not args or type(args[0]) is list else ["J", "operator", "getitem", base, _or_none(args)]


def is_hint(v, values=False):
    """Reports whether a type may be written with an argument. values: that may be a value, too, as in Literal."""
    kind = type(v)
    return v is None or v is ... or issubclass(kind, type) or kind.__module__ in ("typing", "types") and kind is not typing.ForwardRef and typing.get_origin(v) is not typing.Annotated or (
        kind is list and all(map(is_hint, v)) or values and kind in (str, int, bool, bytes))


def _or_none(args):
    args = tuple(None if x is types.NoneType else x for x in args)
    return args[0] if len(args) == 1 else args


def _is_of_library(v):
    """Reports whether a class or function is what a module of the library has under its name."""
    return type(v.__module__) is str and v.__module__.partition(".")[0] in sys.stdlib_module_names and vars(sys.modules.get(v.__module__, types)).get(v.__name__) is v


_BORROWS = sys.version_info >= (3, 14)  # a call with a local variable adds no reference


def _holders(v):
    """The frames of the tests that have a value in a variable."""
    frame, found = sys._getframe(1), []
    while frame is not None:
        code = frame.f_code
        if code.co_filename == "tests.py":
            hides = code.co_varnames and not code.co_flags & inspect.CO_OPTIMIZED  # a module, with variables of comprehensions, where the value may be, too
            found += [frame] * (any(x is v for x in frame.f_locals.values()) + 2 * bool(hides and _BORROWS))
        frame = frame.f_back
    return found


def _is_named(v, held):
    """Reports whether the tests may still have an argument."""
    return held != Given.held or _holders(v) != []


class Given:
    """What one instance of a candidate has been given."""

    held = 0                        # references to an argument that only its call has
    mocks = classes = None          # made when they are needed
    ahead = None                    # a request that was made ahead, and what came of it

    def __init__(self, candidate):
        self.candidate = candidate
        self.log, self.said = [], {}  # requests to the instance, with its answers, and what functions of the tests have answered in them, by number
        self.numbers, self.functions = {}, []  # numbers by id, and the functions
        self.pure, self.effects = {}, False  # numbers of those that stay and change nothing, with the containers that they use; any other may
        self.stays = set()          # numbers of those that stay with the tests
        self.thrown, self.thrown_numbers = [], {}  # exceptions of the tests, and numbers of these, by id
        self.iterators = []         # that the tests still have: with how many items are left on both sides
        self.begun = []             # coroutines of functions that stay, which sleep
        self.coroutines = []        # and asynchronous generators
        self.generators = []        # that the tests still have: with how many items the candidate has taken, and where they are
        self.made = {}              # objects of classes of the tests that the candidate has made, by number, and what it has said of their contents
        self.numbers_made = {}      # numbers of these, by id
        self.places = {}            # numbers of these, by id
        self.live = set()           # numbers of these that the tests still have
        self.captured = []          # variables, lists and the like that these use: the value, and how it was
        self.later = []             # names that functions of the tests use, and that these have not defined yet: a function's number, the name, and the function
        self.written = set()        # numbers of those that these change themselves: only of them the candidate's contents count

    def encoded(self, v, held):
        """Encodes what is not a value; None: it cannot cross."""
        kind = type(v)
        if kind is types.FunctionType:
            return ["M", v.__module__, v.__name__] if _is_of_library(v) else self._function(v)
        if kind in _CALLABLE and not self.moves:
            return self._stub(v)
        if is_mock(v):
            self.mocks = self.mocks or Mocks(self.candidate)
            return self.mocks.encoded(v)
        if kind is SENTINEL:
            return ["M", "unittest.mock", "sentinel." + v.name]
        if objects.is_object(v):
            return self._object(v)
        if objects.is_own(kind):
            if isinstance(v, enum.Enum):
                return ["V", self.kinds().number(kind), v.name]
            if objects.is_record(kind):
                return ["P", self.kinds().number(kind), *map(Encoder(self.candidate.encoded).encode, tuple(v))]
        if objects.is_own(v):
            return ["U", self.kinds().number(v)]
        if isinstance(v, (type, enum.Enum)) and _is_of_library(v if isinstance(v, type) else kind):
            return ["M", v.__module__, v.__name__] if isinstance(v, type) else ["J", kind.__module__, kind.__name__, Encoder(self.candidate.encoded).encode(v.value)]
        if kind is type and (v in _BUILT_IN or v.__module__ in ("harness.handles", "harness.mirrors")):  # that of what stands for a function of the candidate
            return ["M", "types", _BUILT_IN.get(v, "FunctionType")]
        if kind in _KNOWN and _is_named(v, held):
            return self._iterator(v)
        if kind is types.GeneratorType and is_plain(v.gi_code):
            named, (returns, takes) = _is_named(v, held), answers(v.gi_code)
            if takes and not named:
                return self._coroutine(v)
            return self._generator(v) if v.gi_frame is not None and (named or returns or has_raise(v.gi_code) or any(g is v for g, *_ in self.generators)) else self._items(v, held)
        if kind in _ITERATORS:
            return self._items(v, held)
        if kind is types.GeneratorType:
            try:
                return None if _is_named(v, held) else self._coroutine(v)
            except CannotCross:
                return None
        if kind in _BEGINNING:
            return self._coroutine(v)
        if kind in loops.MOVING:
            return self.candidate.move(v)
        if kind in loops.MOVED:
            return self.candidate.encoded(v._rh_there)
        if kind in (filter, map) and is_quiet(_parts(v)[0]):
            return self._items(v, held)
        if "%s.%s" % (kind.__module__, kind.__name__) in VALUES:
            return ["J", kind.__module__, kind.__name__, str(v)]
        if kind in _MADE:
            if kind in (itertools.count, itertools.repeat):
                self._unnamed(v, held)
            return ["J", kind.__module__, kind.__name__, *map(self._argument, _parts(v))]
        if kind is memoryview and v.readonly and v.format == "B" and v.ndim == 1:
            return ["J", "builtins", "memoryview", ["b", v.hex()]]
        if kind is re.Pattern:
            return ["J", "re", "compile", *map(Encoder(self.candidate.encoded).encode, (v.pattern, v.flags))]
        if kind is re.Match and (again := v.re.match(v.string, v.start(), v.endpos)) is not None and again.regs == v.regs:
            return ["J", "re", "Pattern.match", *map(Encoder(self.candidate.encoded).encode, (v.re, v.string, v.start(), v.endpos))]
        if isinstance(v, types.ModuleType):
            if "_tests" in vars(v):
                return ["M", None, None]
            if v.__name__.partition(".")[0] in sys.stdlib_module_names:
                return ["M", v.__name__, None]
        coded = _alias(v)
        if coded:
            return coded[:3] + [*map(Encoder(self.candidate.encoded).encode, coded[3:])]
        if kind is types.BuiltinFunctionType and v.__module__ in sys.stdlib_module_names and vars(sys.modules[v.__module__]).get(v.__name__) is v:
            return ["M", v.__module__, v.__name__]
        if kind is types.BuiltinMethodType and type(v.__self__) in NUMBERED:
            slot = self._part(v.__self__)[1]
            self.written.add(slot)
            return ["m", slot, v.__name__]
        if kind is types.MethodDescriptorType and vars(builtins).get(v.__objclass__.__name__) is v.__objclass__:
            return ["M", "builtins", "%s.%s" % (v.__objclass__.__name__, v.__name__)]

    def decoded(self, n):
        """The function of the tests with a number."""
        if type(n) is not int or not 0 <= n < len(self.functions):
            raise Forged("a function")
        return self.functions[n]

    # Coroutines of functions that stay with the tests run here until they sleep. The candidate's loop sleeps then, and asks for what comes next.

    def step(self, coroutine, lent=False, cancelled=False):
        """Runs a coroutine until it ends, or sleeps. lent: it may change what it was given, which only its call would tell."""
        try:
            seconds = loops.until_sleep(coroutine, cancelled)
        except StopIteration as e:
            return "v", e.value
        except asyncio.CancelledError:
            return "later", [None, 0]
        if lent or seconds is None:
            coroutine.close()
            raise CannotCross("a coroutine that waits for something")
        n = next((n for n, known in enumerate(self.begun) if known is coroutine), len(self.begun))
        self.begun[n:n + 1] = [coroutine]
        return "later", [seconds, n]

    def resumed(self, n):
        """What goes on with a coroutine that has slept: it may be cancelled."""
        if not 0 <= -1 - n < len(self.begun):
            raise Forged("a coroutine")
        return lambda cancelled=False: self.step(self.begun[-1 - n], False, cancelled is True)

    def coroutine(self, n):
        """The coroutine of the tests with a number."""
        if type(n) is not int or not 0 <= n < len(self.coroutines):
            raise Forged("a coroutine")
        return self.coroutines[n]

    def iterator(self, n):
        """The iterator of the tests with a number."""
        if type(n) is not int or not 0 <= n < len(self.iterators):
            raise Forged("an iterator")
        return self.iterators[n][0]

    def put(self):
        """Has what the tests have changed reach the functions that use it."""
        if self.mocks is not None:
            self.mocks.put()
        if self.later:
            later, self.later = self.later, []
            for n, name, f in later:
                if not dict.__contains__(f.__globals__, name):
                    self.later.append((n, name, f))
                    continue
                self.candidate.ask("globals", n, {name: self._part(f.__globals__[name])})
        for n in sorted(self.live):
            v, before = self.captured[n]
            if sys.getrefcount(v) > _KEPT:
                self._put(n, v, before)
            else:
                self.live.discard(n)
        for n, (g, taken, state) in enumerate(self.generators):
            if state != _STALE and state != self._state(g):
                self.generators[n] = g, taken, _STALE
        for n, (it, left) in enumerate(self.iterators):
            now = operator.length_hint(it)
            if now != left:
                self.iterators[n] = it, now
                self.candidate.ask("advance", n, left - now)

    def sync(self):
        """Has what the functions have changed, and the candidate has taken, reach the tests."""
        taken = self.candidate.ask("iterators")[1] if self.iterators else []
        live = sorted(self.written & self.live)
        body = self.candidate.ask("captured", live)[1] if live else []
        calls = self.candidate.ask("mocks")[1] if self.mocks is not None else None
        counts = self.candidate.ask("taken")[1] if self.generators else None
        try:
            if calls is not None:
                self.mocks.sync(calls)
            if counts is not None:
                self._taken(counts)
            if len(taken) != len(self.iterators):
                raise Forged("iterators")
            for n, ((it, left), now) in enumerate(zip(self.iterators, taken)):
                if type(now) is not int or not 0 <= now <= left:
                    raise Forged("an iterator")
                self.iterators[n] = it, now
                for _ in range(left - now):
                    next(it, None)
            for n, coded in body:
                if n not in self.written:
                    continue
                v = self.captured[n][0]
                if objects.is_object(v):
                    objects.put(v, coded, self.candidate.value, objects.is_data)
                    self.captured[n] = v, message(self._contents(v))
                    continue
                new = self.captured[coded[1]][0] if type(coded) is list and coded[0] == "$" else self.candidate.value(coded)
                if type(v) is types.CellType:
                    v.cell_contents = new
                elif type(new) is type(v):
                    fill(v, [x for pair in new.items() for x in pair] if isinstance(v, dict) else list(new))
                else:
                    raise Forged("contents of another kind")
                self.captured[n] = v, message(self._contents(v))
        except CannotCross:
            raise
        except Exception as e:
            raise self.candidate.forged(e)

    def _function(self, f):
        """Has a function of the tests made in the candidate's instance; or what stands for it, if it uses what cannot cross, or tells what the tests expect."""
        n = self.numbers.get(id(f))
        if n is not None:
            return ["f", n]
        n, captured = len(self.functions), len(self.captured)
        try:
            return self._made(f)
        except CannotCross:
            if self.moves or f.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR):
                raise
            del self.functions[n:]
            self.numbers = {k: v for k, v in self.numbers.items() if v < n}
            self.live -= set(range(captured, len(self.captured)))
            return self._stub(f)

    def _made(self, f):
        names, writes, why = used_by(f.__code__)
        free = dict(zip(f.__code__.co_freevars, f.__closure__ or ()))
        value = lambda name: _held(free[name]) if name in free else dict.get(f.__globals__, name)
        changed = [{id(v): v for v in map(value, group) if type(v) in NUMBERED} for group in writes if type(group) is tuple and group[:1] != ("",)]
        if vars(f) and (not self.moves or vars(f) != _ABSTRACT):
            why = "has attributes"
        elif any(len(group) > 1 for group in changed):
            why = "changes one of several things in a line"
        if any(isinstance(value(name), (types.FunctionType, type)) for group in writes if group[:1] == ("",) for name in group):
            why = why or "sets attributes"
        values = [(name, value(name)) for name in {*names, *free}]
        if not self.moves and any(_is_undefined(f.__globals__, name) for name in names) and compares(f.__code__):
            why = why or "uses what the tests define behind it"
        effects = any(changed) or any(type(name) is str and name[1:] in free for name in writes) or any(_is_noted(v) for _, v in values)
        if not self.moves and (why or effects and (decides(f, values, changed) or self._decided()) or not effects and is_oracle(f.__code__, values)):
            if not f.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR):
                if not why and not effects and all(type(v) in CONSTANT or type(v) in NUMBERED or isinstance(v, (types.ModuleType, types.BuiltinFunctionType)) or v is None and n in vars(builtins) for n, v in values):
                    self.pure[len(self.functions)] = [v for _, v in values if type(v) in NUMBERED]
                else:
                    self.effects = True
                return self._stub(f)
            why = why or "notes what it compares, and yields"
        self.effects = self.effects or effects
        if why:
            raise CannotCross("a function of the tests that %s" % why)
        n = self.numbers[id(f)] = len(self.functions)
        self.functions.append(f)
        cells = [self._capture(c) for c in f.__closure__ or ()]
        self.written.update(self._capture(free[name[1:]]) for name in writes if type(name) is str and name[1:] in free)
        self.candidate.ask("function", n, f.__code__, f.__name__, cells)
        used = {}
        for name in names:
            if name not in vars(builtins) or dict.get(f.__globals__, name) is not None:
                try:
                    used[name] = self._part(f.__globals__[name])
                except KeyError:
                    self.later.append((n, name, f))  # the function fails if it gets there before somebody defines it
                    self.candidate.shares = True
        named = [{k: self._part(v) for k, v in (of or {}).items()} for of in (f.__kwdefaults__, f.__annotations__)]
        self.candidate.ask("bind", n, used, [self._part(v) for v in f.__defaults__ or ()], *named, f.__qualname__)
        if vars(f):
            self.candidate.ask("attributes", n, vars(f))
        for slot in cells:
            self._put(slot, *self.captured[slot])
        self.written.update(self._capture(v) for group in changed for v in group.values())
        return ["f", n]

    moves = False  # a class is made in the candidate's instance, with its methods

    def _decided(self):
        """Reports whether a function of the tests notes what it compares. If so, all that note something stay with the tests: what two of them change is the same."""
        c = self.candidate
        if c.decided is None:
            c.decided = any(map(has_deciding, c.program.task.codes))
        return c.decided

    def _stub(self, f):
        """Has a function of the tests stay with them: the candidate has what stands for it."""
        key = (id(f.__self__), id(f.__func__)) if type(f) is types.MethodType else id(f)
        n = self.numbers.get(key)
        if n is not None:
            return ["f", n]
        try:
            parameters = inspect.signature(f).parameters.values()
        except (TypeError, ValueError):
            parameters = inspect.signature(lambda *args, **named: None).parameters.values()
        encode, empty, like = Encoder(self.candidate.encoded).encode, inspect.Parameter.empty, f
        while not hasattr(like, "__name__") and hasattr(like, "func"):  # functools.partial
            like = like.func
        names = [[p.name, int(p.kind), None if p.default is empty else [self._part(p.default)]] for p in parameters]
        annotations = {}
        for k, v in getattr(f, "__annotations__", {}).items():
            try:
                annotations[k] = encode(v)
            except CannotCross:
                pass
        n = self.numbers[key] = len(self.functions)
        self.functions.append(f)
        self.stays.add(n)
        name = getattr(like, "__name__", type(f).__name__)
        self.candidate.ask("stub", n, inspect.iscoroutinefunction(f), names, name, getattr(like, "__qualname__", name), f.__doc__ if like is f else None, annotations)
        if type(f) is types.FunctionType and vars(f) and not hasattr(f, "mock"):
            self.candidate.ask("attributes", n, {k: self._part(v) for k, v in vars(f).items()})  # they may be functions, too
        return ["f", n]

    def tables(self, args):
        """Has the candidate know what functions that change nothing say of the values of a call: it need not ask for each."""
        for f in args:
            n = self.numbers.get(id(f))
            held = self.pure.get(n)
            if held is None or self.effects or any(id(v) in self.places or any(v is x for x in args) for v in held):
                continue
            table = {}
            for x in itertools.islice(_values(args), MAX_TABLE):
                key = key_of(x)
                if key is not None and key not in table:
                    try:
                        v = f(x if type(x) in FLAT else copy.deepcopy(x))
                    except Exception:
                        continue
                    if type(v) in FLAT:
                        table[key] = Encoder(None).encode(v)
            if table:
                self.candidate.ask("table", n, table)

    def _iterator(self, it):
        """Has an iterator that the tests still have made in the candidate's instance: what one side takes, the other has no more."""
        for n, (known, _) in enumerate(self.iterators):
            if known is it:
                return ["j", n]
        left = operator.length_hint(it)
        if left > MAX_ITEMS:
            raise CannotCross("a %s of more than %d items" % (type(it).__name__, MAX_ITEMS))
        items = Encoder(self.candidate.encoded).encode(list(copy.copy(it)))  # which may have numbers of their own
        self.candidate.ask("iterator", items)
        self.iterators.append((it, left))
        self.candidate.shares = True
        return ["j", len(self.iterators) - 1]

    def _generator(self, g):
        """Has a generator that the tests still have made in the candidate's instance: it changes nothing, so both sides may run it. What the candidate takes, the tests take, too."""
        for n, (known, _, state) in enumerate(self.generators):
            if known is g:
                if state != self._state(g):
                    raise CannotCross("a generator that the tests have taken items of")
                return ["x", n]
        code = g.gi_code
        if inspect.getgeneratorstate(g) != inspect.GEN_CREATED:
            raise CannotCross("a generator that the tests have taken items of")
        values = {k: self._start(v) for k, v in g.gi_frame.f_locals.items()}
        modules = [k for k in used_by(code)[0] if k not in vars(builtins)]
        self.candidate.ask("generator", code, values, modules)
        self.generators.append((g, 0, self._state(g)))
        self.candidate.shares = True
        return ["x", len(self.generators) - 1]

    def _coroutine(self, v):
        """Has a coroutine or generator of the tests, which has not begun, made in the candidate's instance: it begins there only."""
        for n, known in enumerate(self.coroutines):
            if known is v:
                return ["q", n]
        state, frame = _BEGINNING[type(v)]
        code, frame = getattr(v, frame.replace("frame", "code")), getattr(v, frame)
        f = next((x for x in gc.get_referents(v) if type(x) is types.FunctionType and x.__code__ is code), None)
        if not state(v).endswith("_CREATED") or f is None or self.moves:
            raise CannotCross("a %s of the tests that has begun" % type(v).__name__)
        args, named = given_to(code, frame.f_locals)
        encode = Encoder(self.candidate.encoded).encode
        self.candidate.ask("coroutine", encode(f), [*map(encode, args)], {k: encode(x) for k, x in named.items()})
        self.coroutines.append(v)
        if type(v) is types.CoroutineType:
            v.close()  # else it would warn that nobody awaits it
        return ["q", len(self.coroutines) - 1]

    def _start(self, v):
        """Encodes what a generator begins with."""
        if type(v) in _KNOWN:
            return ["I", Encoder(self.candidate.encoded).encode(tuple(copy.copy(v)))]
        return Encoder(self.candidate.encoded).encode(v)

    def _state(self, g):
        """Where a generator is, to find out whether the tests have taken items of it."""
        if g.gi_frame is None:
            return None
        return g.gi_frame.f_lasti, message([operator.length_hint(v) if type(v) in _KNOWN else Encoder(self.candidate.encoded).encode(v) for v in g.gi_frame.f_locals.values()])

    def _taken(self, counts):
        """Has the tests' generators be where the candidate's are."""
        if type(counts) is not list or len(counts) != len(self.generators):
            raise Forged("generators")
        for n, ((g, before, _), now) in enumerate(zip(self.generators, counts)):
            if type(now) is not int or not before <= now <= before + MAX_TAKEN:
                raise Forged("a generator")
            if now > before and self.generators[n][2] == _STALE:
                raise CannotCross("a generator that the tests have taken items of")
            for _ in range(now - before):
                next(g, None)
            self.generators[n] = g, now, _STALE if self.generators[n][2] == _STALE else self._state(g)

    def _unnamed(self, it, held):
        if not _is_named(it, held):
            return
        frames = _holders(it)
        counted = sum(not _BORROWS or f.f_locals is f.f_globals for f in frames)
        if len(frames) != 1 or held != Given.held + counted or not is_used_once(it, self.candidate.program.task.codes):
            raise CannotCross("a %s that the tests have a name for" % type(it).__name__)

    def _items(self, it, held):
        """Encodes an iterator by its items: the tests do not see how many of them are taken, so they must not have it any more."""
        self._unnamed(it, held)
        try:
            items = list(itertools.islice(it, MAX_ITEMS + 1))
        except Exception:
            raise CannotCross("a %s that raises an exception" % type(it).__name__)
        if len(items) > MAX_ITEMS and type(it) not in _ENDLESS:
            raise CannotCross("a %s of more than %d items" % (type(it).__name__, MAX_ITEMS))
        if len(items) > MAX_ITEMS:
            return ["Y", Encoder(self.candidate.encoded).encode(tuple(items[:MAX_ITEMS]))]
        return ["I", Encoder(self.candidate.encoded).encode(tuple(items))]

    def _object(self, v):
        """Has an object of the tests made in the candidate's instance."""
        known = len(self.captured)
        if objects.is_own(type(v)):
            self.kinds().number(type(v))
        try:
            n = self._capture(v)
            self.written.add(n)
            if len(self.captured) > known:
                self._put(n, v, None)
        except RecursionError:
            raise CannotCross("objects of the tests that are nested too deep")
        return ["$", n]

    def _shared(self, v):
        """Encodes what an object of the tests holds: the candidate's changes of that count."""
        coded = self._part(v)
        if type(v) in NUMBERED:
            self.written.add(coded[1])
        return coded

    def kinds(self):
        self.classes = self.classes or objects.Classes(self)
        return self.classes

    def value(self, n):
        """The object or container of the tests with a number."""
        if type(n) is not int or not 0 <= n < len(self.captured) or type(self.captured[n][0]) is types.CellType:
            raise Forged("an object of the tests")
        self.live.add(n)
        return self.captured[n][0]

    def instance(self, n, coded, number):
        """An object of a class of the tests that the candidate has made: the same, if it comes again. What the tests have changed in it stays, unless the candidate has changed it, too."""
        kind = self.kinds().decoded(n)
        if type(kind) is enum.EnumType or not objects.is_plain(kind):
            raise Forged("an object of the tests")
        v, before = self.made.get(number, (None, None))
        if type(v) is not kind:
            v, before = objects.made(kind), None
        if coded != before:
            objects.put(v, coded, self.candidate.value, objects.is_data)
        if type(number) is int:
            self.made[number] = v, coded
            self.numbers_made[id(v)] = number
        return v

    def _part(self, v):
        """Encodes what a function of the tests uses."""
        if type(v) in NUMBERED:
            slot = self._capture(v)
            self._put(slot, *self.captured[slot])
            return ["$", slot]
        return Encoder(self.candidate.encoded).encode(v)

    def _argument(self, v):
        """Encodes what an object is made of, which both sides may change."""
        coded = self._part(v)
        if type(coded) is list and coded[0] == "$":
            self.written.add(coded[1])
        return coded

    def _capture(self, v):
        """The number of a variable or container that functions of the tests use."""
        n = self.places.get(id(v))
        if n is not None:
            self.live.add(n)
        else:
            kind = None
            if objects.is_object(v):
                kind = objects.made_of(v) or self.kinds().number(type(v))
            if type(v) in files.OPEN:
                self._contents(v)  # all that was written is in the file then
                self.candidate.put_files(("open", files.path_of(v)))
            n = self.places[id(v)] = len(self.captured)
            self.live.add(n)
            self.captured.append((v, None))
            if kind is not None:
                self.candidate.ask("object", n, kind, self.numbers_made.get(id(v)))
            self.candidate.shares = True
            if type(v) is types.CellType:
                self.candidate.ask("cell", n)
        return n

    def _contents(self, v):
        """Encodes what a variable or container holds; None: nothing yet."""
        if objects.is_object(v):
            coded = objects.contents(v, self._shared)
            if type(v) in files.OPEN and coded[1:] == [None, False]:
                raise CannotCross("an open file of which some lines were taken")
            return coded
        if type(v) is not types.CellType:
            return Encoder(self.candidate.encoded).encode(v)
        try:
            return [self._part(v.cell_contents)]
        except ValueError:
            return None

    def _put(self, n, v, before):
        coded = self._contents(v)
        now = message(coded)
        if now != before and coded is not None:
            self.captured[n] = v, now
            self.candidate.ask("put", -1 - n, coded)
