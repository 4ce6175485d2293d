# The judge's side of a candidate: what tests see of it. Every byte that comes from the
# candidate passes through wire.Decoder, so that what a test compares is an exact built-in
# value, or a Handle: an object that stays in the candidate's instance, and is known here by
# a number.
import asyncio, builtins, enum, importlib, inspect, operator, re, sys, types, unittest.mock

import pytest
from . import answers, loops, objects
from .ends import checked, Ended, EXCEPTIONS, TYPES, Unsupported
from .faults import meant
from .given import Given
from .handles import FlagMember, Handle, MEMBERS, Record, STANDS
from .instance import Instance, MAX_ASKED, MAX_TAKEN
from .kinds import HIDDEN, library_of, namespace
from .looks import ASKED
from .mirrors import attributes_of_raised, DERIVED, dir_of_raised, drops, Function, is_candidates, is_member, lacking, MADE, Mirror, MIXED, no_answer, of_raised, PLACES, QUERIES, Query, Raised, setting, tells_nothing, watch_classes
from .values import COMPARED, exception_made, exception_of, hint, is_flag, library_object
from .wire import CannotCross, COMPUTING, Decoder, Encoder, fill, FLAT, Forged, measure, NUMBERED, SHARED, TooMuch, VALUES

MAX_VALUES = 1_000_000      # in all answers of one candidate, but for lists of plain values: to read them takes the judge's fuel
_ALL_ANSWERS = "%d values in all answers, but for lists of plain values" % MAX_VALUES
MAX_CLASSES = 1_000
MAX_FLAT = 100_000          # items of a list that is read as it is
_EXACT = frozenset((str, bool, type(None), int))

_no_name = re.compile(r"[^\w.<>\[\], ]").sub


_ZERO = type(getattr(re, "_zero_sentinel", 0))  # what re.sub passes to a pattern for a count that is not given


class Candidate(Instance):
    """A program in the peer, as tests see it: its names, calls and values."""

    sought = False  # the tests have sought a name that it does not have

    # Loading.

    def load(self, wanted=()):
        """Loads the program, and answers what the names are."""
        self.start()
        watch_classes(True)
        p = self.program
        known = list(self.named)
        body = self.ask("load", p.prompt, p.texts, p.above, p.module, [*known, *wanted])[1]
        try:
            used, before, kinds = body
            if type(used) is not int or not 0 <= used < p.most or type(before) is not int or not 0 <= before < 1 << 31 or type(kinds) is not list or len(kinds) != len(known) + len(wanted):
                raise Forged("not what it was asked")
            self.loaded = True
            p.used, p.before = used, before
            for name, k in zip(known, kinds):  # the tests have these classes already
                if self.kind(k, self.named[name]) is not self.named[name]:
                    raise Forged("another class")
            return [self.kind(k) for k in kinds[len(known):]]
        except Exception as e:
            raise self.forged(e)

    def kind(self, k, known=None):
        if k is None or k == ["F"] or k == ["V"]:
            return k and k[0]
        if type(k) is list and len(k) == 2 and k[0] == "K":
            if type(k[1]) is str:
                return self.answers_with(self.mirror(k[1]))
            if known is not None and type(k[1]) is list and len(k[1]) == 4 and type(k[1][0]) is int:
                self.classes.setdefault(k[1][0], known)
                type.__setattr__(known, "_rh_class", k[1][0])
            return self.mirror(k[1])
        raise Forged("a name of no kind")

    @checked
    def resolve(self, name, kind=None):
        """What tests see under a name of the candidate; LookupError if it has none."""
        if kind is None and name in self.variables:
            return self._variable(name)
        if kind is None:
            body = self.ask("name", name)[1]
            try:
                kind = self.kind(body)
            except (Forged, ValueError, TypeError) as e:
                raise self.forged(e)
        if kind is None:
            self.sought = self.sought or not name.startswith("__")  # which Python looks for, too
            raise meant(LookupError(name))
        if kind == "F":
            return Function(self, None, name)
        if kind == "V":
            return self._variable(name)
        if isinstance(kind, (Mirror, Raised)) and kind._rh_class is not None:
            self.named[name] = kind
        return kind if self.program.is_class(name) or issubclass(kind, BaseException) else Function(self, None, name, binds=False)

    def _variable(self, name):
        """The value that a variable of the module has now. A list or dict is the same one as long as the variable is not assigned again."""
        v, slot = self.variables.get(name, (None, 0))
        if type(v) in NUMBERED and slot > self.slots - SHARED // 2 and self.ask("holds", name, slot)[1] is True:
            return v
        v = self.get(None, name)
        self.variables = {**self.variables, name: (v, self.slots - 1)}
        return v

    @checked
    def names_of(self, v):
        names = self.operate("dir", v)
        if type(names) is not list or not all(type(n) is str for n in names):
            raise self.forged(Forged("names of no kind"))
        return names

    def names(self):
        names = self.ask("dir")[1]
        if type(names) is not list or not all(type(n) is str and n.isidentifier() for n in names) or len(names) > 500:
            raise self.forged(Forged("names of no kind"))
        return names

    # Calls.

    @checked
    def call(self, target, name, args, named, made=False):
        plain, coded, coded_named, numbered = FLAT, [], {}, []
        for x in args:  # most arguments are plain values and lists of them
            if type(x) is list:
                if self.read or not FLAT.issuperset(map(type, x)) or numbered and any(x is y for y in numbered):
                    break
                numbered.append(x)
                x = ["l", *x]
            elif type(x) not in plain:
                break
            coded.append(x)
        if len(coded) < len(args) or named:
            encoder, x = Encoder(self.encoded), None  # x would be one reference more to one of the arguments
            try:
                coded = [self._argument(encoder, x) for x in args]
                coded_named = {k: encoder.encode(x) for k, x in named.items()}
            except CannotCross as e:
                raise Unsupported("the tests call %s with %s" % (name or "the candidate's object", e))
            numbered = encoder.kept
            if self.given.pure:
                self.given.tables([*args, *named.values()])
        if made:
            name = self.classes[target[0]].__name__
        before, was = self.last, type(target) is int and target in self.handles and self.handles[target]._rh_made
        self.last, self.numbered = (name, coded, coded_named, None), numbered
        slot = 0 if target is None else self._slots(1 + len(numbered))
        kind, body, changes = self.ask(None, name, coded) if target is None and not coded_named else self.ask("call", target, None if made else name, coded, coded_named, made, slot)
        if type(body) is list or type(body) is float or changes is not None:
            if changes is None and type(body) is list and body and _EXACT.issuperset(map(type, body)) and len(body) < MAX_FLAT and (body[0] == "l" or body[0] == "t"):
                body = body[1:] if body[0] == "l" else tuple(body[1:])
            else:
                body = self.value(body, numbered, changes)
        elif type(body) is dict:
            raise self.forged(Forged("an object"))
        coded = [Encoder(self.encoded).encode(x) if type(c) is list and c[0] == "~" else c for c, x in zip(coded, args)] if self.read else coded
        if kind == "a":
            return self._coroutine(body, (name, coded, coded_named), slot, numbered)
        if made and type(type(body)) is Mirror:
            object.__setattr__(body, "_rh_made", DERIVED if name == self.program.doubtful else MADE)
        self.last = before if made and before is not None and name in self.program.prompt_classes else (name, coded, coded_named, (body,))
        if not slot and numbered and type(type(body)) is Mirror:
            slot = self._slots(1 + len(numbered))
            self.ask("keep", slot, body._rh_n)
        if kind == "w" and not slot:
            self.keep(body)
        elif slot:
            if type(target) is int and type(type(body)) is Mirror and type(body) is type(self.handles[target]) and self.handles[target]._rh_made:
                kept = was == MADE and body is self.handles[target] and drops(sys._getframe(3))
                object.__setattr__(body, "_rh_made", MADE if kept else min(DERIVED, self.handles[target]._rh_made))
            self._watch(slot, body, *numbered)
        return body

    def keep(self, v, most=MAX_TAKEN):
        """Shares what the candidate has answered with, and keeps."""
        self.taken += 1
        if self.taken <= most and all(v is not known for _, known, _, _ in self.read):
            slot = self._slots(1)
            self.ask("keep", slot, None)
            self._watch(slot, v)

    def _argument(self, encoder, x):
        """Encodes an argument. What an object of the candidate has already is the same one there, if nothing else in it has an identity."""
        if self.read and type(x) in NUMBERED and id(x) not in encoder.numbers and not any(type(y) in NUMBERED for y in (x.values() if isinstance(x, dict) else x)):
            slot = next((slot for slot, v, _, _ in self.read if v is x), None)
            if slot is not None and slot > self.slots - SHARED // 2:
                encoder.numbers[id(x)] = len(encoder.kept)
                encoder.kept.append(x)
                return ["~", slot]
        return encoder.encode(x)

    # Coroutines of the candidate. They stay in its instance; each has a coroutine here, which waits for it.

    waiting = {}  # futures of those that the tests await, by number

    def _coroutine(self, n, call, slot, numbered):
        """A coroutine that awaits one of the candidate."""
        if type(n) is not int:
            raise self.forged(Forged("a coroutine"))
        self.last = *call, None
        if numbered and not slot:
            slot = self._slots(1 + len(numbered))
            self.ask("keep", slot, n)
        if slot:
            self._watch(slot + 1, *numbered)
        return self._awaited(n, call, self.instances)

    async def _awaited(self, n, call, instance):
        if self.entry is not None:
            raise Unsupported("the candidate awaits a coroutine of the tests that awaits one of its own")
        if instance != self.instances:
            raise Ended("a coroutine of a candidate that has ended")
        begun = False
        while True:
            future = asyncio.get_running_loop().create_future()
            self.waiting = {**self.waiting, n: future}
            if not begun:
                begun = True
                self.run("begin", n)
            try:
                v = await future
                self.last = self.last if call is None else (*call, (v,))
                return v
            except asyncio.CancelledError:
                if self.waiting.get(n) is not future or instance != self.instances:  # it has ended so
                    raise
                self.ask("cancel", n)

    def run(self, *request):
        """Has coroutines that the tests await run, and returns how many seconds passed."""
        body = self.ask(*request)[1]
        try:
            passed, ended = body
            if type(passed) not in (int, float) or not 0 <= passed < 1e9 or type(ended) is not list:
                raise Forged("a time")
            for n, kind, coded in ended:
                future = self.waiting[n]
                self.waiting = {k: v for k, v in self.waiting.items() if k != n}
                if kind == "v":
                    future.set_result(self.value(coded))
                elif kind == "c":
                    future.cancel()
                elif kind == "n" and type(coded) is str:
                    raise self.cannot_cross(coded)
                else:
                    self.numbered = ()
                    e = self.exception(coded, None)
                    if not isinstance(e, Exception):
                        raise e
                    future.set_exception(e)
            return passed
        except Exception as e:
            raise self.forged(e)

    def value(self, body, numbered=(), changes=None):
        decoder = self.decoder(numbered)
        try:
            v = decoder.decode(body)
            if changes is not None:
                decoder.refill(changes)
            if decoder.shared:
                measure((v, *decoder.numbered), {})
            return v
        except Exception as e:
            raise self.forged(e)
        finally:
            self.values += decoder.nodes

    def decoder(self, numbered):
        """A decoder for what may still be read of this candidate."""
        d = Decoder(self.decoded, numbered)
        left = MAX_VALUES - self.values
        if left < d.most:
            d.most, d.bound = left, _ALL_ANSWERS
        return d

    @checked
    def get(self, target, name):
        slot = self._slots(1)
        kind, body, _ = self.ask("get", target, name, slot)
        if kind == "m":
            return (Query if name in QUERIES and type(target) is int else Function)(self, target, name)
        v = self.value(body)
        if name in QUERIES and name not in PLACES and type(target) is int and type(type(v)) is Mirror and self.handles[target]._rh_made != MADE:
            raise tells_nothing(self.handles[target], "call %s of" % name)
        self._watch(slot, v)
        return v

    def set(self, target, name, v):
        """Sets an attribute of what the candidate has: both share the value."""
        encoder = Encoder(self.encoded)
        try:
            coded = encoder.encode(v)
        except CannotCross as e:
            raise Unsupported("the tests set the attribute %s to %s" % (name, e))
        slot = self._slots(len(encoder.kept))
        self.ask("set", target, name, coded, slot)
        self._watch(slot, *encoder.kept)

    @checked
    def assign(self, target, name, v):
        """Sets an attribute of the candidate's module, or of a class of it."""
        self.set(target, name, v)
        self.assigned = name

    @checked
    def operate(self, name, *args, made=False):
        encoder = Encoder(self.encoded)
        try:
            coded = [encoder.encode(x) for x in args]
        except CannotCross as e:
            raise Unsupported("the tests use %s with %s" % (name, e))
        slot = self._slots(1 + len(encoder.kept))
        v = self.value(self.ask("op", name, coded, made, slot)[1])
        if made and type(type(v)) is Mirror:
            object.__setattr__(v, "_rh_made", DERIVED)
        self._watch(slot, v if name in ("getitem", "enter", "aenter") else None, *encoder.kept)
        return v

    def equal(self, a, b):
        """Compares two objects of the candidate by its own method, unless that says yes to everything."""
        kind = type(a)
        if kind.__name__ in self.program.prompt_classes:
            raise Unsupported("the tests compare objects of the class %s, which is not the candidate's, and which it may change" % kind.__name__)
        return not self.is_rigged(a) and self.compared("eq", a, b)

    def compared(self, name, a, b):
        """What one object of the candidate answers to == or != with another one. If that is an object, as of arrays, nobody asks for its truth."""
        v = self.operate(name, a, b)
        if type(type(v)) is Mirror:
            if self.is_rigged(a) is None:
                raise tells_nothing(a, "compare")
            object.__setattr__(v, "_rh_made", MIXED)
        return v

    def unequal(self, a, b):
        """Reports whether two objects of the candidate differ, by its own methods."""
        if type(a).__name__ in self.program.prompt_classes:
            return not self.equal(a, b)
        return self.compared("ne", a, b)

    def alien(self, a, other):
        """Compares an object with what stays with the tests. They are different, unless its class has a method that would look at that."""
        kind, looks = type(a), a._rh_made or type(other) is library_of(type(a))
        plain = TYPES.get(type(other).__name__) is type(other)
        if plain or type(other) in COMPARED:
            known = self.rigged.get((kind, type(other)))
            if known is None:
                try:
                    known = self.operate("compares", a, type(other) if plain else None, "eq", bool(a._rh_made))
                except Exception as e:
                    if id(e) not in self.raised or a._rh_made:
                        raise
                    known = False
                if type(known) is tuple and known and type(type(known[0])) is not Mirror:
                    return known[0] == other
                known = self.rigged[kind, type(other)] = looks if not plain else known is True and (a._rh_made or not self.is_rigged(a))
            looks = known
        if looks and not self.lacked:  # else it was not tested, if it fails
            raise Unsupported("the tests compare an object of the candidate's class %s with a %s" % (kind.__name__, type(other).__name__), chosen=True)
        return no_answer(a, sys._getframe(2))

    def operand(self, a, name, other):
        """What an object stands for in an operation with a value of the tests, in a tuple; nothing if its class has no such operator; the object that comes of 0 + a, as sum() begins."""
        found = self.operate("operand", a, name)
        if found is True and name == "__radd__" and type(other) is int and other == 0 and type(type(v := self.operate("add", other, a))) is Mirror:
            return v
        if found is True:
            raise tells_nothing(a, "compute with a value and")
        if type(found) is not tuple or any(type(type(v)) is Mirror for v in found):
            return ()
        asked, before = self.stood.get(a._rh_n, (0, found))
        if found != before and (asked == self.asked - 1 or any(type(v) in FLAT for v in found)):  # as the one of 3 < v < 4 and another
            raise tells_nothing(a, "compute with a value and")
        self.stood = {**self.stood, a._rh_n: (self.asked, found)}
        return found

    def casts(self):
        """Reports whether the tests have as a list or the like what is an object of a class below."""
        return self.end is None and self.loaded is True and self.ask("cast")[1] is True

    def stands_for_library(self):
        """Reports whether the tests know something of the library by what stands for it: whether it is one object with theirs, nobody can tell."""
        return self.end is None and self.ask("stands")[1] is True

    def orders(self, name, a, other):
        """Compares an object that the tests made with a value, as far as its class does not look at that."""
        if TYPES.get(type(other).__name__) is not type(other) or self.operate("compares", a, type(other), name, True) is not False:
            raise Unsupported("the tests compare an object of the candidate's class %s with a %s" % (type(a).__name__, type(other).__name__), chosen=True)
        return NotImplemented

    def is_rigged(self, a):
        """Reports whether an object says to be equal to everything; None: it answers everything with an object."""
        kind = type(a)
        if kind not in self.rigged:
            try:
                v = self.operate("eq", a, object)
                self.rigged[kind] = None if type(type(v)) is Mirror else bool(v)
            except Exception as e:  # most methods look at attributes that object has not
                if id(e) not in self.raised:
                    raise
                self.rigged[kind] = False
        return self.rigged[kind]

    def holds(self, v):
        """Reports whether a value is the candidate's, or a list or the like of such."""
        return is_candidates(v) or type(v) in (list, tuple, set, frozenset) and any(map(self.holds, v)) or type(v) is dict and any(map(self.holds, (*v, *v.values())))

    def library(self, module, name, /, *args, **named):
        """Has the candidate call a function of the library with what is its own."""
        return self.operate("library", module, name, named, *args)

    moved = {}  # objects of asyncio of the tests that are in its instance now, by the numbers of their handles

    def move(self, v):
        """Has a queue, event, lock or semaphore of asyncio that the tests have made be one of the candidate's instance, where coroutines of both sides wait for it."""
        made = loops.made_by(v)
        if made is None:
            raise CannotCross("a %s of asyncio that something waits for or holds" % type(v).__name__)
        there = self.library("asyncio", type(v).__name__, *made[0])
        if type(type(there)) is not Mirror:
            raise self.forged(Forged("an object of asyncio"))
        object.__setattr__(there, "_rh_made", MADE)
        for name, *args in made[1]:
            getattr(there, name)(*args)
        v.__class__ = loops.MOVING[type(v)]
        v._rh_there = there
        self.moved = {**self.moved, there._rh_n: v}
        return ["H", there._rh_n]

    # Values.

    def encoded(self, v):
        if type(type(v)) is Mirror or type(v) in STANDS:
            if v._rh_owner is not self or self.handles.get(v._rh_n) is not v:
                raise Ended("an object of a candidate that has ended")
            return ["H", v._rh_n]
        if type(v) is Mirror:
            return ["K", v._rh_class] if v._rh_class is not None else ["N", "object"]
        if isinstance(v, type):
            if v is type or TYPES.get(v.__name__) is v or EXCEPTIONS.get(v.__name__) is v:
                return ["N", v.__name__]
            number = next((n for n, c in self.classes.items() if c is v), None)
            if number is not None:
                return ["K", number]
        if type(v) is types.BuiltinFunctionType and vars(builtins).get(v.__name__) is v:
            return ["N", v.__name__]
        if type(v) in (Function, Query) and v._rh[0] is self:
            return ["M", *v._rh[1:]]
        if isinstance(v, Record):
            if v._rh_n is not None:
                return ["H", v._rh_n]
            return ["R", [v._rh_kind._rh_class, type(v).__name__, [], ""], None, list(v._fields), *map(Encoder(self.encoded).encode, tuple(v))]
        if type(v) is types.FunctionType and v in ASKED:
            return ["N", ASKED[v]]
        if type(type(v)) is Raised and "_rh_handle" in vars(v):
            return self.encoded(v._rh_handle)
        own = vars(type(v)).get("_rh_class") if type(type(v)) is Raised else None
        if own is not None:
            return ["E", own, [Encoder(self.encoded).encode(x) for x in v.args]]
        if isinstance(v, BaseException) and type(type(v)) is type:
            return self._error(v)
        if type(v) is _ZERO:
            return 0
        if type(v) is types.CoroutineType and v.cr_code is Candidate._awaited.__code__:
            of = v.cr_frame.f_locals if inspect.getcoroutinestate(v) == inspect.CORO_CREATED else {}
            if of.get("self") is not self or of["instance"] != self.instances:
                raise Unsupported("the tests pass a coroutine of the candidate to it that they have begun to wait for", chosen=True)
            v.close()  # it runs there
            return ["H", of["n"]]
        coded = self.given.encoded(v, sys.getrefcount(v))
        if coded is not None:
            return coded
        raise CannotCross("a %s of the tests, which cannot cross to the candidate" % type(v).__name__)

    def _error(self, e):
        """Encodes an exception of the tests: its class, arguments and attributes."""
        _, args, *state = e.__reduce__()
        kind, encode, is_own = type(e), self.given._shared, objects.is_own(type(e))
        held = {k: encode(x) for k, x in (state[0] if state and state[0] else {}).items() if k[:1] != "_" or k == "__notes__" or is_own and k[:3] != "_rh"}
        n = self.given.thrown_numbers.setdefault(id(e), len(self.given.thrown))
        self.given.thrown[n:n + 1] = [e]
        return ["E", kind.__name__ if EXCEPTIONS.get(kind.__name__) is kind else encode(kind), [*map(encode, args)], held, n]

    def decoded(self, decoder, v):
        tag = v[0]
        if tag == "H":
            _, n, *told = v
            if type(n) is not int or not 0 <= n <= MAX_ASKED * 10:
                raise Forged("a handle")
            h, plain = self.handles.get(n), told[1:]
            if h is None and not told:
                raise Forged("a handle of nothing")
            if h is None:
                kind = told[0]
                mirror = self.mirror(kind)
                if plain:
                    v = decoder.decode(plain[0])
                    h = (FlagMember if type(v) is int and is_flag(mirror) else MEMBERS[type(v)])(v)
                    h._rh_kind = mirror
                else:
                    h = object.__new__(mirror if isinstance(mirror, Mirror) else Handle)
                for name, x in (("_rh_n", n), ("_rh_owner", self), ("_rh_made", 0)):
                    object.__setattr__(h, name, x)
                self.handles[n] = h
            elif n in self.moved:
                return self.moved[n]
            elif h._rh_made == MADE:
                object.__setattr__(h, "_rh_made", DERIVED)
            return h
        if tag == "K":
            return self.answers_with(self.mirror(v[1]))
        if tag == "f":
            return self.given.decoded(v[1])
        if tag == "j":
            return self.given.iterator(v[1])
        if tag == "x" and type(v[1]) is int and 0 <= v[1] < len(self.given.generators):
            return self.given.generators[v[1]][0]
        if tag == "T" and self.given.mocks is not None:
            return self.given.mocks.decoded(v)
        if tag == "$":
            return self.given.value(v[1])
        if tag == "n":
            return self.given.instance(*v[1:4])
        if tag == "U":
            return self.given.kinds().decoded(v[1])
        if tag == "V" and type(v[2]) is str:
            return self.given.kinds().decoded(v[1]).__members__[v[2]]
        if tag == "P":
            return self.given.kinds().decoded(v[1])._make(decoder._items(["P", *v[2:]]))
        if tag == "N":
            kind = TYPES.get(v[1]) or EXCEPTIONS.get(v[1]) if type(v[1]) is str else None
            if kind is None:
                raise Forged("a name")
            return self.answers_with(kind)
        if tag == "E":
            _, kind, args, more, text, chained, *stays = v
            if kind == "" and type(args) is list and type(args[0]) is int and 0 <= args[0] < len(self.given.thrown):
                return self.given.thrown[args[0]]
            given = type(kind) is list and kind[:1] == ["U"]  # a class of the tests
            kind = self.given.kinds().decoded(kind[1]) if given else self.mirror(kind)
            if not (isinstance(kind, type) and issubclass(kind, BaseException)) or type(args) is not list or type(more) is not list:
                raise Forged("an exception")
            args = [decoder.decode(x) for x in args]
            more = [decoder.decode(x) for x in more]
            if decoder.nodes:  # an answer, not what the candidate raises
                self.answers_with(kind)
            given = given or any(map(objects.is_own, kind.__mro__))
            stays = stays if type(kind) is Raised else None
            e = exception_made(kind, args, [(k, x) for k, x in zip(more[::2], more[1::2]) if type(k) is str and (is_member(kind, k) if stays else not given or objects.is_data(kind, k))])
            if not isinstance(e, Exception):
                self.note(e, "", 0, "")  # tests that raise it, such as SystemExit, do not end by themselves
            if type(text) is str and kind not in EXCEPTIONS.values():
                e._rh_text = text
            if chained is not None:
                cause, context, suppress, notes = chained
                e.__cause__ = None if cause is None else self.decoded(decoder, cause)
                e.__context__ = e.__cause__ if context is True else self.decoded(decoder, context) if context else None
                e.__suppress_context__ = suppress is True
                if notes:
                    e.__notes__ = [x for x in notes if type(x) is str]
            if stays:
                handle, operators = self.decoded(decoder, stays[0]), stays[1]
                if type(type(handle)) is not Mirror or type(operators) is not list or not all(type(x) is str for x in operators):
                    raise Forged("an exception")
                vars(e)["_rh_handle"] = handle
                for name in answers.EXCEPTION_OPERATORS.intersection(operators) - namespace(kind).keys():
                    type.__setattr__(kind, name, of_raised(name))
            return e
        if tag == "R":
            _, kind, n, fields, *items = v
            return self.record(self.mirror(kind), n, fields, decoder._items(["R", *items]))
        if tag == "M":
            _, module, name = v
            if module == "unittest.mock" and type(name) is str and name.startswith("sentinel.") and name[9:].isidentifier() and not name.startswith("sentinel._"):
                return getattr(unittest.mock.sentinel, name[9:])
            if type(module) is not str or type(name) is not str or (module, name) not in COMPUTING:
                raise Forged("a name of the library")
            return COMPUTING[module, name]
        if tag == "~":
            return self._again(decoder, *v[1:])
        if tag == "q":
            return self.given.coroutine(v[1])
        if tag == "Y":
            _, how, of, args = v
            return hint(how, decoder.decode(of), args if args is None else [*map(decoder.decode, args)])
        if tag == "I":
            _, module, name, member, coded = v
            kind = vars(sys.modules.get(module, types)).get(name) if type(module) is str and type(name) is str and module.partition(".")[0] in sys.stdlib_module_names else None
            if type(kind) is enum.EnumType and kind.__module__ == module and type(member) is str and member in kind.__members__:
                return kind.__members__[member]
            return decoder.decode(coded)
        if tag == "W":
            return library_object(*decoder._items(v))
        if tag == "J":
            _, module, name, text = v
            if "%s.%s" % (module, name) not in VALUES or type(text) is not str or len(text) > 4_000:
                raise Forged("a value of the library")
            return getattr(importlib.import_module(module), name)(text)
        raise Forged("a value of no kind")

    def answers_with(self, kind):
        """Notes a class that is one of the tests' assertions, or above: if they catch it, no assertion tells of a wrong answer."""
        if kind in _CATCHING:
            self.has_failed(sys.exception())  # it may be asked where that is to be caught
        if kind in _CATCHING and not self.catches:
            self.catches, on = True, sys.monitoring
            on.use_tool_id(_TOOL, "run-python")
            on.register_callback(_TOOL, on.events.RAISE, _fails)
            on.set_events(_TOOL, on.events.RAISE)
        return kind

    def has_failed(self, e):
        if isinstance(e, (AssertionError, pytest.Failed)) and id(e) not in self.raised:
            self.failing = e

    def has_passed(self):
        """Notes a test that passes although an assertion has failed in it."""
        if self.failing is not None:
            self.doubt = self.doubt or "the tests catch that an assertion fails, by a class that the candidate answers with"

    def _again(self, decoder, slots, coded):
        """What an object of the candidate has answered with, which the tests may have already: if they do, it is that."""
        new = decoder.decode(coded)
        if type(slots) is not list or type(new) not in NUMBERED:
            raise Forged("what is shared")
        for slot, v, _, _ in self.read:
            if slot % SHARED in slots and slot > self.slots - SHARED // 2 and type(v) is type(new):
                if v != new:
                    fill(v, [x for pair in new.items() for x in pair] if isinstance(v, dict) else list(new))
                return v
        return new

    def mirror(self, told, depth=0):
        """Makes a class like one of the candidate's; None for a built-in one that has no use here."""
        if type(told) is str:
            return EXCEPTIONS.get(told) or TYPES.get(told) or self.built_in(told)
        if told[0] == "U":
            kind = self.given.kinds().decoded(told[1])
            if not issubclass(kind, BaseException):
                raise Unsupported("the candidate derives a class from %s of the tests" % kind.__name__, chosen=True)
            return kind
        number, name, bases, module = told
        if type(number) is not int or type(name) is not str or type(bases) is not list or type(module) is not str or depth > 20:
            raise Forged("a class")
        made = self.classes.get(number)
        if made is not None:
            return made
        if len(self.classes) >= MAX_CLASSES:
            raise TooMuch("more than %d classes" % MAX_CLASSES)
        made = exception_of(module, name)
        if made is not None:
            self.classes[number] = made
            return made
        below = [self.mirror(b, depth + 1) for b in bases]
        shapes = [TYPES.get(b) if type(b) is str else namespace(k).get("_rh_shape") for b, k in zip(bases, below)]
        qualified = _no_name("_", name)
        name, *of = qualified.split("[", 1)  # a name such as Stack[a.B] that a class makes of another
        name = "[".join([name.rpartition(".")[2], *of])[:100]
        errors = tuple(dict.fromkeys(b for b in below if issubclass(b, BaseException)))
        own = {"__module__": module or self.program.module, "__qualname__": qualified, "__doc__": namespace(Handle)["__doc__"], "_rh_library": (module, name) if module else None}
        shape = next((k for k in shapes if k is not None and k is not object), None)
        if shape is not None:
            own["_rh_shape"] = shape
        try:
            if errors:
                made = Raised(name, errors, {**own, "__doc__": property(lambda e: type(e).__doc__), "__str__": lambda e: e.__dict__.get("_rh_text") or errors[0].__str__(e), "__getattr__": lacking, "__setattr__": setting, "__dict__": attributes_of_raised, "__dir__": dir_of_raised, "_rh_class": number, "_rh_owner_class": self})
            else:
                made = Mirror(name, tuple(dict.fromkeys(b for b in below if isinstance(b, Mirror) and b is not Handle)) or (Handle,), own, self, number)
        except TypeError:
            made = Raised(name, errors[:1], {**own, "_rh_class": number, "_rh_owner_class": self}) if errors else Mirror(name, (Handle,), own, self, number)
        self.classes[number] = made
        return made

    def built_in(self, name):
        """Makes a class like a built-in one that has no name among the built-in functions, as that of generators."""
        if name not in HIDDEN:
            return Handle
        if name not in self.stands:
            self.stands[name] = Mirror(name, (Handle,), {"__module__": "builtins", "__qualname__": name, "__doc__": namespace(Handle)["__doc__"], "_rh_library": ("builtins", name)}, self)
        return self.stands[name]

    def record(self, kind, n, fields, items):
        """Makes a named tuple. n is the number of the object, if there is more to it than its items."""
        if type(kind) is not Mirror or type(fields) is not list or len(fields) != len(items) or len(fields) > 1_000 or not all(type(f) is str for f in fields) or n is not None and type(n) is not int:
            raise Forged("a named tuple")
        made = self.stands.get(kind)
        if made is None:
            known = {f: property(operator.itemgetter(k)) for k, f in enumerate(fields) if f in ("count", "index")}  # methods of a tuple
            made = self.stands[kind] = type(kind.__name__, (Record,), {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "_rh_kind": kind, "_rh_owner": self, **known})
        r = tuple.__new__(made, items)
        r._rh_n, r._fields = n, tuple(fields)
        if n is not None and not isinstance(self.handles.setdefault(n, r), Record):
            raise Forged("a named tuple")
        return r


_CATCHING = frozenset((BaseException, Exception, AssertionError, SystemExit))
_TOOL = 3  # of sys.monitoring


def _fails(code, at, e):
    if Candidate.current is not None:
        Candidate.current.has_failed(e)


class _Counting(Given):
    """Finds out how many references an argument has that only its call has."""

    def encoded(self, v, held):
        Given.held = held


_candidate = Candidate(types.SimpleNamespace(module=""))
_candidate.given = _Counting(_candidate)
try:
    Function(_candidate, None, "f")(iter([]))
except Unsupported:
    Unsupported.seen = Candidate.current = None
