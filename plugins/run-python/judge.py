# The judge's side of a candidate: what tests see of it. Every byte that comes from the
# candidate passes through wire.Decoder, so that what a test compares is an exact built-in
# value, or a Handle: an object that stays in the candidate's instance, and is known here by
# a number.
import abc, array, ast, asyncio, builtins, collections, copy, dataclasses, datetime, decimal, dis, enum, fractions, functools, importlib, inspect, io, json, logging, operator, os, random, re, stat, sys, traceback, types, typing, unittest._log, unittest.mock, warnings

import rubric_host_peer as peer

import candidate
import doubles, files, literals, loops, objects
from faults import defect, meant, transparent
from given import ALONE, Given, QUIET, is_hint
from kinds import HIDDEN, TYPE_OF, below, library_of, mro, namespace, said, shown
from wire import COMPUTING, SHARED, CannotCross, Decoder, Encoder, FLAT, Forged, NUMBERED, VALUES, QUICK, dumps, fill, measure, parse, quick, request as message, requested

MAX_ASKED = 400_000         # requests to one candidate
MAX_ITEMS = 200_000         # of one iterator
MAX_ANSWERED = 32 << 20     # bytes of all answers of one candidate
MAX_VALUES = 300_000        # in all answers of one candidate, but for lists of plain values: to read them takes the judge's fuel
MAX_CLASSES = 1_000
MAX_STEPS = 20_000          # values that tests and an iterator both have are compared at each of its items up to so many values; then at its end
MAX_TAKEN = 1_000_000       # and up to so many at all: it takes the candidate's fuel
MAX_FLAT = 100_000          # items of a list that is read as it is
MAX_LOG = 20_000            # requests that can be made again
MAX_CALLED = 1_000          # answers of functions of the tests that stay with them
MAX_AGAIN = 60_000          # requests that are made again, for functions of the tests that stay with them

_GOOD = frozenset(("v", "m", "end", "a", "w"))
_EXACT = frozenset((str, bool, type(None), int))

_exceptions = {k: v for k, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException)}
_types = {k: getattr(builtins, k) for k in "bool int float complex str bytes bytearray list tuple dict set frozenset range slice object".split()}

# How a peer ends, and the class of a test that it ends in.
ENDS = {"exit": "exit", "fuel": "fuel", "memory": "memory", "depth": "exit", "trap": "exit", "output": "output"}
WORDS = {"exit": "the candidate ended its process", "fuel": "the candidate used up its fuel", "memory": "the candidate used up its memory", "depth": "the candidate's calls nested too deep",
         "trap": "the candidate crashed", "output": "the candidate's answer or output is too large"}


_noted = {"current": None, "seen": None}


def _noting(name):
    return property(lambda kind: _noted[name], lambda kind, v: _noted.__setitem__(name, v))


class _Noting(type):
    """Classes with an attribute that each call sets. If it were the class's own, setting it would undo what CPython has specialised for the class."""

    current, seen = _noting("current"), _noting("seen")


class Ended(BaseException):
    """The candidate is no more: the test that sees this has failed, whatever it catches."""


class Unsupported(BaseException, metaclass=_Noting):
    """A test needs what two instances cannot do. That says nothing about the candidate, even if the test catches it. chosen: it comes of what the candidate answered.
    seen: the first one of a call."""

    so = ": that cannot cross between two instances, so there is no score; isolation: shared runs both in one"

    def __init__(self, text, chosen=False):
        super().__init__(text)
        self.chosen = chosen
        Unsupported.seen = Unsupported.seen or self


class Doubtful(Unsupported):
    """Nobody can tell whether the candidate has passed by being right."""

    so = ", so there is no score; unsupported: failed counts it as wrong"


class Unreadable(Doubtful):
    """An answer that these files fail to read. It may be forged, or they have a defect."""


class Races(Doubtful):
    """A thread sleeps without a lock. Others would run meanwhile: a wrong candidate might pass here, where they do not."""

    def __init__(self):
        super().__init__("a thread sleeps without a lock that others wait for: these would run meanwhile, which they do not here", chosen=True)


class Fault(Unsupported):
    """These files fail. That says nothing about the candidate, even if the test catches it."""

    def __init__(self, e, at):
        text = "%s: %s" % (type(e).__name__, str(e)[:300])
        super().__init__("run-python itself fails: %s (%s)" % (text, at))


def exclude_defect(e):
    """Raises Fault if an exception came of a defect of these files."""
    c = Candidate.current
    if not isinstance(e, Exception) or c is not None and id(e) in c.raised:
        return
    at = defect(e)
    if at is not None and isinstance(e, RecursionError) and c is not None and c.entry is not None:
        raise Unsupported("the candidate and functions of the tests call each other too deep", chosen=True) from e
    if at is not None:
        raise Fault(e, at) from e


def ended(e, kinds):
    """The StopIteration or the like that the candidate has raised, if the tests wait for that; else the exception that stands for it."""
    told = vars(e).get("_rh_ended") if type(e) is RuntimeError else None
    return told if told is not None and isinstance(told, kinds) else e


def _checked(f):
    @functools.wraps(f)
    def checked(self, *args, **named):
        try:
            return f(self, *args, **named)
        except Exception as e:
            exclude_defect(e)
            raise
    return checked


_no_name = re.compile(r"[^\w.<>]").sub
_CALLS = (None, "call")
_NAMES = ("load", "name", "dir", "files", "written")  # requests for names alone


class _Entry:
    """A request that has called functions of the tests: their answers, and the arguments that it may change."""

    def __init__(self, text, lent):
        self.text, self.lent, self.answers = text, lent, []
        self.frames = []  # of the functions that run: what the candidate has given them, and how that is known to it


class Candidate(metaclass=_Noting):
    """A program in the peer. It is loaded when it is first needed, and again after it has ended. current: that of the call."""

    def __init__(self, program, fuel=None, test_fuel=None):
        self.program, self.budget, self.test_fuel = program, fuel, test_fuel
        self.exhausted = False      # its fuel is used up: no test can pass any more
        self.fuel, self.asked, self.answered, self.values = 0, 0, 0, 0
        self.end = None             # class and words of how it ended
        self.lacked = ""            # a package that it has asked for and this runtime lacks
        self.started, self.loaded = False, None
        self.last = None            # the last call: name, encoded arguments, and result
        self.raised = {}            # exceptions that came from it, by id: the exception, text, line, what it lacks
        self.classes, self.handles, self.rigged = {}, {}, {}
        self.stands = {}            # classes that stand for built-in ones, by name, and those of named tuples, by class
        self.named = {}             # classes of its module that tests have seen, by name
        self.read = []              # what the tests share with an object and may change: its slot, the value, and how it was
        self.slots, self.taken = 1, 0
        self.given = Given(self)
        self.shares = False         # tests and candidate share something that may change
        self.replaced = ""          # what the tests have replaced: that does not reach the candidate
        self.stdin = sys.stdin
        Candidate.current = self

    # What most candidates do not need: an object with more than 30 attributes of its own is slower.
    instances = 0               # that it has had
    logging = False             # the tests look at what is logged
    doubt = ""                  # why they may have passed by what it has answered with: then nobody can tell
    catches = False             # it has answered with a class by which they may catch their own assertions, or end
    failing = None              # an assertion of theirs that has failed since then
    assigned = lost = ""        # what they have assigned; and that in an instance that is no more
    process = told_process = False  # they have changed environment or arguments; the candidate has been told of that
    told = None                     # what it knows of files
    argv = sys.argv
    environ = {}                # keys of the environment that they have changed
    entry = None                # the request that has called a function of the tests, which runs
    lent = ()                   # arguments of that request that it may change
    refuse = None               # what refuses messages of it that the tests might fill with what they expect
    failed = None               # an assertion of such a function that has failed
    called = again = wasted = 0  # answers of such functions, requests that were made again, and their fuel
    stood = {}                  # what its objects have last stood for in an operation, by number, and when
    variables = {}              # of its module that tests have read: the value, and its slot
    decided = None              # whether a function of the tests notes what it compares
    compiled, pickled, constants = (), frozenset(), None  # code and bytes that the tests have made of what is their own, and their texts
    foreign = ()                # code that they have compiled of what is not
    pulled = 1                  # requests, of which the first loads it, when files that it has written have last reached the tests
    told = None                 # files that the tests have not named to it, and the working directory, as it knows them
    named_files = frozenset()   # that the tests have named to it, or that it has made
    written = None              # identities of the texts and names in their code

    # Asking.

    def start(self):
        """Takes a new instance for what comes next."""
        left = None if self.budget is None else self.budget - self.fuel
        if self.exhausted or left is not None and left <= 0:
            self.exhausted = True
            raise self.ends("fuel", WORDS["fuel"])
        if self.started or self.test_fuel or left is not None:
            peer.restart(min((n for n in (left, self.test_fuel) if n is not None), default=None))
        self.started, self.end, self.loaded, self.lacked = True, None, None, ""
        self.instances += 1
        if self.instances > 1:
            self.lost, self.process = self.assigned, self.process or self.told_process
            self.classes, self.handles, self.rigged, self.last, self.read, self.variables = {}, {}, {}, None, [], {}
            self.waiting, self.moved, self.stood = {}, {}, {}
            self.given = Given(self)
            self.told = None
            files.known.clear()

    def ends(self, kind, words):
        self.end = kind, words
        return Ended(words)

    def ask(self, *request):
        """Asks the candidate's instance. Ended: it is no more; other exceptions are the candidate's."""
        if self.end is not None:
            raise Ended(self.end[1])
        steps, entry, called = request[0] == "next" and self.taken > MAX_STEPS, self.entry, False
        if self.shares and entry is None and request[0] not in QUIET and not steps:
            self._put()
            try:
                self.given.put()
            except CannotCross as e:
                raise Unsupported("the candidate has been given %s" % e)
        if self.process and request[0] != "load":
            self.process, self.told_process = False, True
            self.ask("process", None if sys.argv is Candidate.argv else [str(x) for x in sys.argv], {k: os.environ.get(k) for k in self.environ if type(k) is str})
        if sys.stdin is not self.stdin:
            self.stdin = sys.stdin
            if isinstance(self.stdin, io.StringIO):
                self.ask("stdin", self.stdin.read())
        if files.used and entry is None and request[0] not in ("files", "written"):
            self.put_files(request)
        asked = self.asked = self.asked + 1
        if asked > MAX_ASKED:
            raise Unsupported("the tests ask the candidate more than %d times" % MAX_ASKED, chosen=True)
        text = message(request)
        if entry is None:
            end, payload, fuel = peer.call(text) if self.given.ahead is None else self._had_ahead(text)
            self.fuel += fuel
            if end != "answer":
                raise self._ended(end, payload, fuel)
        else:
            payload = self._within(text, self.numbered if request[0] in _CALLS else ())
        self.answered += len(payload)
        if self.answered > MAX_ANSWERED:
            raise self.ends("output", "the candidate's answers have more than %d MiB" % (MAX_ANSWERED >> 20))
        try:
            try:
                reply = parse(payload)
            except Forged:
                if payload[:1] != b"c" or entry is not None:
                    raise
                called = True
                payload = self._answering(_Entry(text, self.numbered if request[0] in _CALLS else ()), payload)
                reply = parse(payload)
            if self.refuse is not None:
                self.refuse(reply)
            if asked <= MAX_LOG and entry is None:
                self.given.log.append((text, payload))
            if len(reply) == 2:
                kind, body = reply
                changes = None
            else:
                kind, body, changes, *more = reply
                if len(more) > 403 or not all(type(x) is str for x in more):
                    raise Forged("no form of its output, of the package that it lacks, and of its warnings")
                if more and more[0] and getattr(sys.stdout, "closed", False):
                    raise Unsupported("the tests have closed what the candidate prints to")
                if more:
                    sys.stdout.write(more[0])
                if len(more) > 1 and more[1]:
                    self.lacked = more[1][:100]
                    if self.lacked == candidate.RACES or self.lacked == candidate.TURNS and candidate.is_thread():
                        raise Races
                    self.lacked = candidate.CLOCK if self.lacked == candidate.TURNS else self.lacked
                if len(more) > 2 and more[2]:
                    sys.stderr.write(more[2])
        except (Forged, ValueError) as e:
            raise self.forged(e)
        if len(reply) > 6:
            for name, text in zip(reply[6::2], reply[7::2]):
                warned = _exceptions.get(name, UserWarning)
                warnings.warn_explicit(text, warned if issubclass(warned, Warning) else UserWarning, "solution.py", 1)
        if (self.shares or self.read or self.logging) and entry is None and request[0] not in QUIET:
            self._follow(steps and kind != "end")
        if called and self.failed is not None:
            e, failed, self.failed = self.exception(body, changes) if kind == "x" else None, self.failed, None
            if e is failed:
                raise e
            raise Unsupported("the candidate catches that an assertion fails in a function of the tests", chosen=True)
        if type(kind) is str and kind in _GOOD:
            return kind, body, changes
        if kind == "o":
            raise self.ends("output", WORDS["output"])
        if kind == "q" and type(body) is str:
            raise self.exits(body)
        if kind == "n" and type(body) is str:
            if request[0] == "get":
                raise Unsupported("the tests read an attribute that is %s" % body[:300], chosen=True)
            raise self.note(TypeError("the candidate's answer is %s, which cannot be compared" % body[:300]), "", 0, "")
        if kind == "x":
            e = self.exception(body, changes)
            if request[0] in ALONE and isinstance(e, Exception) and not isinstance(e, MemoryError):
                raise Unreadable("the candidate's instance cannot have what the tests give: it has changed what run-python uses, or run-python itself fails: %s: %s" % (type(e).__name__, str(e)[:200]), chosen=True)
            raise e
        raise self.forged(Forged("an answer of no kind"))

    def _asks_at_once(self):
        """Reports whether a call comes next at once: nothing of the tests has to reach the candidate first."""
        return not (self.shares or self.read or self.process or self.logging or self.refuse or files.used or sys.stdin is not self.stdin or self.entry is not None or self.end is not None)

    def returns(self, f, args, named, expected):
        """Asks what a function or method returns, and nothing else of it. Returns None if that is the expected value to the letter, else the value in a tuple."""
        _, target, name = f._rh
        encoder = Encoder(self.encoded)
        try:
            args, named = [encoder.encode(x) for x in args], {k: encoder.encode(x) for k, x in named.items()}
        except CannotCross as e:
            raise Unsupported("the tests call %s with %s" % (name, e))
        request = "value", target, name, args, named
        self.last, self.numbered = (name, args, named, None), ()
        if self._asks_at_once():
            text = message(request)
            end, payload, fuel = sent = peer.call(text)
            if end == "answer" and payload == dumps(["v", expected]):
                self._took(text, payload, fuel)
                return None
            self.given.ahead = text, sent
        kind, body, changes = self.ask(*request)
        v = self._coroutine(body, (name, args, named), 0, ()) if kind == "a" else self.value(body, (), changes)
        self.last = name, args, named, (v,)
        return v,

    def answers(self, name, literal, k, end):
        """Asks calls of assertions, one after the other. Returns the index of the first one that may not hold: what comes of its request is there for the next one that is made."""
        if not self._asks_at_once():
            return k
        while k < end:
            asked = literal.coded(k)
            if asked is not None:
                args, expected = asked
                text = message((None, name, args))
                stop, payload, fuel = sent = peer.call(text)
                if stop != "answer" or payload != (quick(expected) if type(expected) in QUICK else dumps(["v", expected])):
                    self.given.ahead = text, sent
                    return k
                self._took(text, payload, fuel)
            k += 1
        return k

    def value_ahead(self, name, args):
        """The value that came of a call that was made ahead, in a tuple, if it is a plain one. None: something else did, which the next request has. ...: what did may ask the tests for more than whether it equals a value."""
        if self.given.ahead is None:
            return ...
        text, (end, payload, fuel) = self.given.ahead
        try:
            kind, body, *more = parse(payload) if end == "answer" else ("x", None)
            if kind in ("x", "n", "q", "o"):
                return None
            if kind != "v" or not literals.is_value(body):
                return ...
        except (Forged, ValueError):
            return None
        if more or type(body) is dict:
            return None
        self.given.ahead = None
        self._took(text, payload, fuel)
        v = self.value(body) if type(body) is list else body
        self.last, self.numbered = (name, args, {}, (v,)), ()
        return v,

    def _took(self, text, payload, fuel):
        """Notes an answer to a call with literals."""
        self.fuel += fuel
        self.asked += 1
        self.answered += len(payload)
        if self.asked <= MAX_LOG:
            self.given.log.append((text, payload))

    def _had_ahead(self, text):
        """What came of a request that was made ahead: it is the one that the tests make."""
        (known, sent), self.given.ahead = self.given.ahead, None
        if known != text:
            raise RuntimeError("a literal was read as another one")
        return sent

    def _follow(self, steps):
        """Has what the candidate has changed reach the tests."""
        if self.shares and (self.given.written or self.given.iterators or self.given.mocks or self.given.generators):
            try:
                self.given.sync()
            except CannotCross as e:
                raise Unsupported("the candidate has been given %s" % e)
        if self.read and self.taken < MAX_TAKEN and not steps:
            self._take()
        if self.logging:
            self._logged()

    def _ended(self, end, payload, fuel):
        if self.wasted * 2 > self.fuel and end == "fuel":
            return Unsupported("the candidate uses up its fuel when it calls functions of the tests", chosen=True)
        if end == "fuel" and (not self.test_fuel or not fuel):
            self.exhausted = True
        said = payload.decode("utf-8", "replace")[:300]
        if end == "trap" and "MemoryError" in said:
            end = "memory"
        return self.ends(ENDS[end], WORDS[end] + (" (exit code %s)" % said if end == "exit" else ": " + said if end == "trap" and said else ""))

    def uses(self):
        """Reports whether the tests have asked this instance for more than names."""
        return self.last is not None or self.asked > MAX_LOG or any(requested(text)[0] not in _NAMES for text, _ in self.given.log)

    # Functions of the tests that stay with them. When the candidate calls one, the function runs here. A new instance then does what the candidate has done
    # so far, up to the call, which has an answer now.

    def _answering(self, entry, payload):
        """Has functions of the tests run, until the request has its answer."""
        while payload[:1] == b"c":
            entry.answers.append(self._called(payload[1:], entry))
            payload = self._repeated(entry)
        if self.entry is None:
            self.given.said[len(self.given.log)] = entry.answers
        return payload

    def _within(self, text, lent):
        """Asks the candidate what a function of the tests asks, which it has called."""
        entry, before = self.entry, self.entry.lent
        numbered, known = entry.frames[-1]
        contents = self._contents(numbered)[1]
        entry.lent = [*numbered, *lent]
        entry.answers.append(("ask", text, None if message(contents) == known else contents))
        payload = self._answering(entry, self._repeated(entry))
        entry.lent = before
        contents, _, payload = payload.partition(b"\n")
        decoder = self.decoder(numbered)
        try:
            if contents[:1] != b"r":
                raise Forged("an answer of no kind")
            decoder.refill(parse(contents[1:])[1])
            measure(tuple(decoder.numbered), {})
        except Exception as e:
            raise self.forged(e)
        finally:
            self.values += decoder.nodes
        entry.frames[-1][1] = message(self._contents(numbered)[1])
        return payload

    def _repeated(self, entry):
        """Has a new instance do all that this one has done, and answer the request."""
        self.again += 1 + len(self.given.log)
        self.called += 1
        if self.asked > MAX_LOG or self.again > MAX_AGAIN or self.called > MAX_CALLED:
            raise Unsupported("the candidate calls functions of the tests too often", chosen=True)
        left = [n for n in (None if self.budget is None else self.budget - self.fuel, self.test_fuel) if n is not None]
        if left and min(left) <= 0:
            raise Unsupported("the candidate uses up its fuel when it calls functions of the tests", chosen=True)
        peer.restart(min(left, default=None))
        for text, before, answers in [*((text, before, self.given.said.get(n)) for n, (text, before) in enumerate(self.given.log)), (entry.text, None, entry.answers)]:
            end, payload, fuel = peer.call(text if not answers else message(("again", answers, text)))
            self.fuel += fuel
            if end != "answer":
                raise self._ended(end, payload, fuel)
            if before is not None or payload[:1] == b"c":
                self.wasted += fuel
            self.answered += len(payload) if before is None else 0
            if self.answered > MAX_ANSWERED:
                raise self.ends("output", "the candidate's answers have more than %d MiB" % (MAX_ANSWERED >> 20))
            if before is not None and payload != before:
                raise Unsupported("the candidate does not repeat what it has answered", chosen=True)
        return payload

    def _called(self, payload, entry):
        """What a function of the tests answers."""
        given, decoder = self.given, self.decoder(entry.lent)
        try:
            call = parse(payload)
            if self.refuse is not None:
                self.refuse(["l", call])
            if len(call) == 1 and type(call[0]) is str:
                raise Unsupported("the candidate calls a function of the tests with %s" % call[0][:300], chosen=True)
            n, args, named, contents, printed = call
            f = given.resumed(n) if type(n) is int and n < 0 else given.decoded(n)
            if n >= 0 and n not in given.stays or type(args) is not list or type(named) is not dict or type(printed) is not str:
                raise Forged("a call")
            args, named = [decoder.decode(x) for x in args], {k: decoder.decode(x) for k, x in named.items()}
            decoder.refill(contents)
            measure((*args, *named.values(), *decoder.numbered), {})
        except Exception as e:
            raise self.forged(e)
        finally:
            self.values += decoder.nodes
        if candidate.is_thread() and "sleep" in getattr(getattr(f, "__code__", None), "co_names", ()):
            raise Races
        sys.stdout.write(printed)
        outer, self.entry, kind = (self.entry, self.last, self.numbered), entry, "v"
        entry.frames.append([decoder.numbered, message(self._contents(decoder.numbered)[1])])
        try:
            if self.read:
                self._take()
            if self.shares:
                given.sync()
            try:
                v = f(*args, **named)
                if n < 0:
                    kind, v = v
                elif type(v) is types.CoroutineType:
                    kind, v = given.step(v, len(decoder.numbered) > len(entry.lent))
            except CannotCross:
                raise
            except Exception as e:
                kind, v = "x", e
            if Unsupported.seen is not None:
                raise Unsupported.seen
            if self.shares:
                self._put()
                given.put()
            encoder, contents = self._contents(decoder.numbered)
            coded = encoder.encode(v) if kind == "v" else tuple(v) if kind == "later" else self._thrown(v, encoder)
        except CannotCross as e:
            raise Unsupported("a function of the tests answers the candidate with %s" % e)
        finally:
            self.entry, self.last, self.numbered = outer
            known = entry.frames.pop()[1]
        slot, lent = self._slots(1 + len(decoder.numbered)), len(entry.lent)
        if kind == "v":
            self._watch(slot, v)
        self._watch(slot + 1 + lent, *decoder.numbered[lent:])  # the others are in every answer
        return "ret", kind, coded, None if message(contents) == known else contents, slot

    def _contents(self, numbered):
        encoder = Encoder(self.encoded)
        for x in numbered:
            encoder.numbers[id(x)] = len(encoder.kept)
            encoder.kept.append(x)
        return encoder, [encoder.contents(x) for x in numbered]

    def _thrown(self, e, encoder):
        """Encodes an exception of a function of the tests: its class, arguments and number. Of an assertion, the candidate learns only that it has failed."""
        self.given.thrown.append(e)
        kind, more = type(e), []
        if "_rh_handle" in vars(e) and not isinstance(e, AssertionError):  # an object of the candidate, which has all that is in it
            return [self.encoded(e), None, len(self.given.thrown) - 1]
        if isinstance(e, AssertionError):
            self.failed, kind = e, AssertionError
        else:
            for x in e.args:
                try:
                    more.append(encoder.encode(x))
                except CannotCross:
                    more.append(str(x)[:1_000])
        number = next((n for n, c in self.classes.items() if c is kind), None)
        if number is None and type(kind) is Raised:
            number = _empty_below(self, kind)
        elif number is None and kind.__module__ == "tests":
            number = encoder.encode(kind)
        return [next(k.__name__ for k in kind.__mro__ if _exceptions.get(k.__name__) is k) if number is None else number, more, len(self.given.thrown) - 1]

    # Files: judge and candidate have a tree of their own each, and tell each other what has changed.

    def _is_named(self, path):
        """Reports whether a candidate may have a file of the tests: they have named it, or a directory above it, or it is below their working directory."""
        return self._is_its_own(path) or files.tree[path].data is None and any(n.startswith(path + "/") for n in (*self.named_files, files.cwd))

    def _is_its_own(self, path):
        """Reports whether a candidate may also change it."""
        at = files.cwd.rstrip("/") + "/"
        return path.startswith(at) and (at != "/" or not path.startswith(files.TEMPORARY + "/")) or path == files.cwd or any(path == n or path.startswith(n + "/") for n in self.named_files)

    def put_files(self, request):
        """Has the files that the tests have named to the candidate reach it, before a request."""
        named = {p for text in _texts(request) for p in _paths_in(text)} - self.named_files
        self.named_files |= named
        if request[0] in QUIET:
            return
        hidden = sorted(p for p in files.tree if not self._is_named(p) and p not in ("/", files.TEMPORARY))
        told, changed = (hidden, files.cwd), files.changes(lambda p: p not in hidden)
        if changed or told != (self.told or ([], "/")):
            self.told = told
            self.ask("files", changed, *told)

    def take_files(self):
        """Has what the candidate has written reach the tests."""
        if self.entry is not None:
            raise Unsupported("a function of the tests that the candidate calls uses files", chosen=True)
        body = self.ask("written")[1]
        self.pulled = self.asked
        try:
            at, changed = body
            if type(changed) is not list or len(changed) > files.MAX_FILES:
                raise Forged("files")
            for path, *told in changed:
                if type(path) is not str or files.absolute(path) != path or not path.isprintable() or len(path) > 1_000 or path.rpartition("/")[2] in files.RESERVED or path in ("/", files.TEMPORARY):
                    raise Forged("a path")
                if path in files.tree and not self._is_its_own(path) and (files.tree[path].data is not None or told[:1] != [None]):
                    raise Unsupported("the candidate changes a file of the tests that they have not named to it", chosen=True)
                if told:
                    text, mode, when = told
                    if text is not None and (type(text) is not str or not text.isascii() and max(text) > "\xff") or type(mode) is not int or stat.S_IFMT(mode) != (stat.S_IFREG if text is not None else stat.S_IFDIR) or type(when) not in (int, float) or not 0 <= when < 1e11:
                        raise Forged("a file")
            self.named_files |= {path for path, *told in changed if told and path not in files.tree}
            files.apply(changed, files.cwd)
            files.put_above()
            if type(at) is not str or at not in files.tree or files.tree[at].data is not None:
                raise Forged("a directory")
            files.cwd = at
            self.told = self.told and (self.told[0], at)
        except Unsupported:
            raise
        except Exception as e:
            raise self.forged(e)

    def log(self, name, level):
        """Has a logger of the candidate have a level, and what it logs reach the tests."""
        if self.loaded and self.end is None:
            self.logging = True
            self.ask("log", name, level)

    def _logged(self):
        """Logs for the tests what the candidate has logged."""
        records = self.ask("logged")[1]
        try:
            for name, level, text, function, said, args, more, failed in records:
                if type(name) is not str or type(level) is not int or type(text) is not str or type(function) is not str:
                    raise Forged("a log record")
                logger = logging.getLogger(name)
                if not logger.isEnabledFor(level):
                    continue
                record = _LogRecord(name, level, "solution.py", 1, text if said is None else self.value(said), None if args is None else self.value(args), None, function)
                record._rh_text = text
                for k, v in (self.value(more) if more is not None else {}).items():
                    if type(k) is str and not hasattr(record, k) and k.isidentifier():
                        setattr(record, k, v)
                if failed is not None:
                    e = self.decoded(self.decoder(()), failed[0])
                    if not isinstance(e, BaseException) or type(failed[1]) is not str:
                        raise Forged("a log record")
                    record.exc_info, record.exc_text = (type(e), e, None), failed[1]
                logger.handle(record)
        except Exception as e:
            raise self.forged(e)

    def _slots(self, n):
        """Numbers of the next values that the tests and an object may share."""
        self.slots += n
        return self.slots - n

    def _watch(self, slot, *values):
        """Remembers what the tests have read of an object of the candidate, or given to it: they may change it."""
        for k, v in enumerate(values, slot):
            if type(v) in NUMBERED:
                try:
                    self.read.append((k, v, message(Encoder(self.encoded).encode(v))))
                    self.shares = True
                except CannotCross:
                    pass

    def _put(self):
        """Has what the tests have changed reach the object that they share it with. What only this list still has cannot change."""
        read, self.read = self.read, []
        for slot, v, before in read:
            try:
                coded = Encoder(self.encoded).encode(v)
            except CannotCross as e:
                raise Unsupported("the tests put into an object of the candidate %s" % e)
            now = message(coded)
            if now != before:
                self.ask("put", slot, coded)
            if slot > self.slots - SHARED // 2 and sys.getrefcount(v) > 3:
                self.read.append((slot, v, now))

    def _take(self):
        """Has what the candidate has changed of what the tests still have of it, or gave to it, reach the tests."""
        kept, self.read = self.read, []
        self.taken += sum(1 + len(v) for _, v, _ in kept)
        contents = self.ask("kept", [(slot, before) for slot, _, before in kept])[1]
        try:
            if type(contents) is not list or len(contents) != len(kept):
                raise Forged("contents of nothing")
            for k, ((slot, v, before), coded) in enumerate(zip(kept, contents)):
                if coded is not None:
                    new = self.value(coded)
                    if type(new) is not type(v):
                        raise Forged("contents of another kind")
                    fill(v, [x for pair in new.items() for x in pair] if isinstance(v, dict) else list(new))
                    kept[k] = slot, v, message(Encoder(self.encoded).encode(v))
        except (Ended, CannotCross):
            raise
        except Exception as e:
            raise self.forged(e)
        self.read = kept

    def forged(self, e):
        """What to raise if an answer cannot be read. Only what the decoder refuses is known to be forged."""
        if isinstance(e, (Forged, CannotCross)) or id(e) in self.raised:
            return self.ends("output", "the candidate's answer cannot be read: %s" % str(e)[:200])
        if isinstance(e, objects.NoSlot):
            return Unsupported(str(e), chosen=True)
        return Unreadable("an answer of the candidate cannot be read: it is forged, or run-python itself fails: %s: %s (%s)" % (type(e).__name__, str(e)[:200], defect(e) or "elsewhere"), chosen=True)

    def note(self, e, text, line, lacks):
        self.raised[id(e)] = e, text, line, lacks
        return e

    def exits(self, code):
        try:
            code = json.loads(code) if re.fullmatch(r"-?[0-9]{1,9}", code) else None if code == "None" else code
        except ValueError:
            pass
        return self.note(SystemExit(code), "", 0, "")

    def exception(self, body, changes):
        """Makes the exception that the candidate raised, in its built-in class or in one like the candidate's."""
        decoder = self.decoder(self.numbered)
        try:
            coded, text, line, lacks, tried = body
            if type(text) is not str or type(line) is not int or type(lacks) is not str or type(coded) is not list or coded[:1] != ["E"]:
                raise Forged("an exception of no kind")
            e = self.decoded(decoder, coded)
            used, before = tried
            if not self.loaded and type(used) is int and 0 <= used < self.program.most and type(before) is int and 0 <= before < 1 << 31:
                self.program.used, self.program.before = used, before
            if changes is not None:
                decoder.refill(changes)
                measure(tuple(decoder.numbered), {})
        except Exception as wrong:
            return self.forged(wrong)
        finally:
            self.values += decoder.nodes
        if isinstance(e, AssertionError) and any(e is x for x in self.given.thrown):
            return e  # of the tests
        if isinstance(e, (StopIteration, StopAsyncIteration, GeneratorExit)):
            # In a generator or in map() of a test, these would end the test's own loop.
            ended, e = e, RuntimeError("the candidate raised %s" % type(e).__name__)
            e._rh_ended = ended
        return self.note(e, text[:500], line if 0 < line < 1 << 31 else 0, lacks[:100])

    numbered = ()  # the arguments that a call may change

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

    @_checked
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

    @_checked
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

    @_checked
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
            slot = self._slots(1)
            self.ask("keep", slot, None)
            self._watch(slot, body)
        elif slot:
            if type(target) is int and type(type(body)) is Mirror and type(body) is type(self.handles[target]) and self.handles[target]._rh_made:
                kept = was == MADE and body is self.handles[target] and _drops(sys._getframe(3))
                object.__setattr__(body, "_rh_made", MADE if kept else min(DERIVED, self.handles[target]._rh_made))
            self._watch(slot, body, *numbered)
        return body

    def _argument(self, encoder, x):
        """Encodes an argument. What an object of the candidate has already is the same one there, if nothing else in it has an identity."""
        if self.read and type(x) in NUMBERED and id(x) not in encoder.numbers and not any(type(y) in NUMBERED for y in (x.values() if isinstance(x, dict) else x)):
            slot = next((slot for slot, v, _ in self.read if v is x), None)
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
                    future.set_exception(self.note(TypeError("the candidate's answer is %s, which cannot be compared" % coded[:300]), "", 0, ""))
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
        d.most = min(d.most, MAX_VALUES - self.values)
        return d

    @_checked
    def get(self, target, name):
        slot = self._slots(1)
        kind, body, _ = self.ask("get", target, name, slot)
        if kind == "m":
            return (Query if name in _QUERIES and type(target) is int else Function)(self, target, name)
        v = self.value(body)
        if name in _QUERIES and name not in _PLACES and type(target) is int and type(type(v)) is Mirror and self.handles[target]._rh_made != MADE:
            raise _tells_nothing(self.handles[target], "call %s of" % name)
        self._watch(slot, v)
        return v

    @_checked
    def assign(self, target, name, v):
        """Sets an attribute of the candidate's module, or of a class of it."""
        try:
            coded = Encoder(self.encoded).encode(v)
        except CannotCross as e:
            raise Unsupported("the tests set the attribute %s to %s" % (name, e))
        self.ask("set", target, name, coded)
        self.assigned = name

    @_checked
    def operate(self, name, *args, made=False):
        encoder = Encoder(self.encoded)
        try:
            coded = [encoder.encode(x) for x in args]
        except CannotCross as e:
            raise Unsupported("the tests use %s with %s" % (name, e))
        slot = self._slots(1)
        v = self.value(self.ask("op", name, coded, made, slot)[1])
        if made and type(type(v)) is Mirror:
            object.__setattr__(v, "_rh_made", DERIVED)
        if name in ("getitem", "enter", "aenter"):
            self._watch(slot, v)
        return v

    def equal(self, a, b):
        """Compares two objects of the candidate by its own method, unless that says yes to everything."""
        kind = type(a)
        if kind.__name__ in self.program.prompt_classes:
            raise Unsupported("the tests compare objects of the class %s, which is not the candidate's, and which it may change" % kind.__name__)
        return not self.is_rigged(a) and _truth(self.operate("eq", a, b))

    def unequal(self, a, b):
        """Reports whether two objects of the candidate differ, by its own methods."""
        if type(a).__name__ in self.program.prompt_classes:
            return not self.equal(a, b)
        return _truth(self.operate("ne", a, b))

    def alien(self, a, other):
        """Compares an object with what stays with the tests. They are different, unless its class has a method that would look at that."""
        kind, looks = type(a), a._rh_made or type(other) is library_of(type(a))
        plain = _types.get(type(other).__name__) is type(other)
        if plain or type(other) in _COMPARED:
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
        return _no_answer(a, sys._getframe(2))

    def operand(self, a, name, other):
        """What an object stands for in an operation with a value of the tests, in a tuple; nothing if its class has no such operator; the object that comes of 0 + a, as sum() begins."""
        found = self.operate("operand", a, name)
        if found is True and name == "__radd__" and type(other) is int and other == 0 and type(type(v := self.operate("add", other, a))) is Mirror:
            return v
        if found is True:
            raise _tells_nothing(a, "compute with a value and")
        if type(found) is not tuple or any(type(type(v)) is Mirror for v in found):
            return ()
        asked, before = self.stood.get(a._rh_n, (0, found))
        if found != before and (asked == self.asked - 1 or any(type(v) in FLAT for v in found)):  # as the one of 3 < v < 4 and another
            raise _tells_nothing(a, "compute with a value and")
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
        if _types.get(type(other).__name__) is not type(other) or self.operate("compares", a, type(other), name, True) is not False:
            raise Unsupported("the tests compare an object of the candidate's class %s with a %s" % (type(a).__name__, type(other).__name__), chosen=True)
        return NotImplemented

    def is_rigged(self, a):
        """Reports whether an object says to be equal to everything."""
        kind = type(a)
        if kind not in self.rigged:
            try:
                self.rigged[kind] = self.operate("eq", a, object) is True
            except Exception as e:  # most methods look at attributes that object has not
                if id(e) not in self.raised:
                    raise
                self.rigged[kind] = False
        return self.rigged[kind]

    def holds(self, v):
        """Reports whether a value is the candidate's, or a list or the like of such."""
        return is_candidates(v) or type(v) in (list, tuple, set, frozenset) and any(map(self.holds, v)) or type(v) is dict and any(map(self.holds, (*v, *v.values())))

    def library(self, module, name, *args, **named):
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
        if type(type(v)) is Mirror or type(v) in _STANDS:
            if v._rh_owner is not self or self.handles.get(v._rh_n) is not v:
                raise Ended("an object of a candidate that has ended")
            return ["H", v._rh_n]
        if type(v) is Mirror:
            return ["K", v._rh_class] if v._rh_class is not None else ["N", "object"]
        if isinstance(v, type):
            if v is type or _types.get(v.__name__) is v or _exceptions.get(v.__name__) is v:
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
        if type(v) in _exceptions.values():
            return ["E", type(v).__name__, [Encoder(self.encoded).encode(x) for x in v.args]]
        coded = self.given.encoded(v, sys.getrefcount(v))
        if coded is not None:
            return coded
        raise CannotCross("a %s of the tests, which cannot cross to the candidate" % type(v).__name__)

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
                    h = (FlagMember if type(v) is int and _is_flag(mirror) else _MEMBERS[type(v)])(v)
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
            kind = _types.get(v[1]) or _exceptions.get(v[1]) if type(v[1]) is str else None
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
            e = _made(kind, args, [(k, x) for k, x in zip(more[::2], more[1::2]) if type(k) is str and (_is_member(kind, k) if stays else not given or objects.is_data(kind, k))])
            if not isinstance(e, Exception):
                self.note(e, "", 0, "")  # tests that raise it, such as SystemExit, do not end by themselves
            if type(text) is str and kind not in _exceptions.values():
                e._rh_text = text
            if chained is not None:
                cause, context, suppress, notes = chained
                e.__cause__, e.__context__ = (None if x is None else self.decoded(decoder, x) for x in (cause, context))
                e.__suppress_context__ = suppress is True
                if notes:
                    e.__notes__ = [x for x in notes if type(x) is str]
            if stays:
                handle, operators = self.decoded(decoder, stays[0]), stays[1]
                if type(type(handle)) is not Mirror or type(operators) is not list or not all(type(x) is str for x in operators):
                    raise Forged("an exception")
                vars(e)["_rh_handle"] = handle
                for name in candidate.EXCEPTION_OPERATORS.intersection(operators) - namespace(kind).keys():
                    type.__setattr__(kind, name, _of_raised(name))
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
            return _hint(how, decoder.decode(of), args if args is None else [*map(decoder.decode, args)])
        if tag == "I":
            _, module, name, member, coded = v
            kind = vars(sys.modules.get(module, types)).get(name) if type(module) is str and type(name) is str and module.partition(".")[0] in sys.stdlib_module_names else None
            if type(kind) is enum.EnumType and kind.__module__ == module and type(member) is str and member in kind.__members__:
                return kind.__members__[member]
            return decoder.decode(coded)
        if tag == "W":
            return _shown(*decoder._items(v))
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
        if isinstance(e, AssertionError) and id(e) not in self.raised:
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
        for slot, v, _ in self.read:
            if slot % SHARED in slots and slot > self.slots - SHARED // 2 and type(v) is type(new):
                if v != new:
                    fill(v, [x for pair in new.items() for x in pair] if isinstance(v, dict) else list(new))
                return v
        return new

    def mirror(self, told, depth=0):
        """Makes a class like one of the candidate's; None for a built-in one that has no use here."""
        if type(told) is str:
            return _exceptions.get(told) or _types.get(told) or self.built_in(told)
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
            raise Forged("more than %d classes" % MAX_CLASSES)
        made = _exception_of(module, name)
        if made is not None:
            self.classes[number] = made
            return made
        below = [self.mirror(b, depth + 1) for b in bases]
        shapes = [_types.get(b) if type(b) is str else namespace(k).get("_rh_shape") for b, k in zip(bases, below)]
        qualified = _no_name("_", name)
        name = re.sub(r"\W", "_", name.rpartition(".")[2])[:100]
        errors = tuple(dict.fromkeys(b for b in below if issubclass(b, BaseException)))
        own = {"__module__": module or self.program.module, "__qualname__": qualified, "__doc__": namespace(Handle)["__doc__"], "_rh_library": (module, name) if module else None}
        shape = next((k for k in shapes if k is not None and k is not object), None)
        if shape is not None:
            own["_rh_shape"] = shape
        try:
            if errors:
                made = Raised(name, errors, {**own, "__doc__": property(lambda e: type(e).__doc__), "__str__": lambda e: e.__dict__.get("_rh_text") or errors[0].__str__(e), "__getattr__": _lacking, "__setattr__": _setting, "__dict__": _attributes, "__dir__": _dir_of_raised, "_rh_class": number, "_rh_owner_class": self})
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
        return r


_CATCHING = frozenset((BaseException, Exception, AssertionError, SystemExit))
_TOOL = 3  # of sys.monitoring


def _fails(code, at, e):
    if Candidate.current is not None:
        Candidate.current.has_failed(e)


class _LogRecord(logging.LogRecord):
    """What the candidate has logged."""

    def getMessage(self):
        return self._rh_text


def _empty_below(c, kind):
    """A class of the tests without a body, below exceptions of the candidate: its name, and the numbers of these."""
    bases = [next((n for n, known in c.classes.items() if known is b), None) for b in kind.__bases__]
    if None in bases or not vars(kind).keys() <= _OF_BODIES or vars(kind).get("__doc__") is not None:
        raise CannotCross("a %s of the tests, whose class is below one of the candidate's" % kind.__name__)
    return {"name": kind.__name__, "bases": bases}


def _texts(v):
    """The texts in a request."""
    if type(v) is str:
        yield v
    elif type(v) in (list, tuple):
        for x in v:
            yield from _texts(x)
    elif type(v) is dict:
        yield from _texts([*v, *v.values()])


def _paths_in(text):
    """The paths that a text names: of files that there are, or that there may be."""
    texts = [m[0] for m in _words_of_paths(text)] if "/" in text else []
    for word in (text, *texts) if len(text) < 4_000 else texts:
        path = files.absolute(word.replace("\0", "?"))
        if path != "/" and path in files.tree or path.startswith(files.TEMPORARY + "/"):
            yield path


_words_of_paths = re.compile(r"/[\w./~+@%-]+").finditer


def _is_flag(kind):
    """Reports whether a class that stands for one of the candidate's is one of flags."""
    return type(kind) is Mirror and any(namespace(k).get("_rh_library") == ("enum", "Flag") for k in mro(kind))


_COMPARED = frozenset((array.array, types.SimpleNamespace, types.MappingProxyType, collections.ChainMap, collections.UserDict, collections.UserList, collections.UserString, collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter,
                       decimal.Decimal, fractions.Fraction, datetime.datetime, datetime.date, datetime.timedelta))


def _shown(name, *args):
    """Makes an object of the library of its contents."""
    if name == "SimpleNamespace" and len(args) == 1 and type(args[0]) is dict and all(type(k) is str for k in args[0]):
        return types.SimpleNamespace(**args[0])
    if name == "array" and len(args) == 2 and type(args[0]) is str and len(args[0]) == 1 and type(args[1]) is list:
        try:
            return array.array(*args)
        except (TypeError, ValueError, OverflowError) as e:
            raise Forged("an array: %s" % e)
    raise Forged("an object of the library")


def _hint(how, of, args):
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


def _exception_of(module, name):
    """An exception of the library that the tests may have by its name, but for those by which frameworks of tests end a test."""
    top = module.partition(".")[0]
    kind = vars(sys.modules.get(module, types)).get(name) if top in sys.stdlib_module_names and top not in ("unittest", "doctest", "bdb") else None
    return kind if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == module else None


def _truth(v):
    """The truth of what the candidate answers: an object has none."""
    return type(type(v)) is not Mirror and bool(v)


def _turn(loop, seconds):
    c = Candidate.current
    if c is not None and c.end is None and any(f.get_loop() is loop for f in c.waiting.values()):
        return c.run("await", seconds)


loops.on_turn = _turn

def _looks(path, lists=False):
    c = Candidate.current
    if c is None:
        candidate.note_look(path, lists)
    elif c.loaded and c.end is None and c.asked != c.pulled:
        c.take_files()


def _lacks(what):
    if Candidate.current is None:
        candidate.note_lack()
    else:
        raise Unsupported("the tests use %s, which files in memory do not have" % what)


files.on_look, files.on_lack = _looks, _lacks


def _waits(timeout):
    if Candidate.current is not None:
        raise Unsupported("the tests wait for another thread, of which none runs beside them")
    candidate.note_wait(timeout)


candidate.on_wait = _waits


def _made(kind, args, more):
    """Makes an exception without running what a class might do with its arguments."""
    try:
        e = kind(*args) if kind in _exceptions.values() else kind.__new__(kind, *args)
    except (TypeError, ValueError):
        try:
            e = kind.__new__(kind)
            e.args = tuple(args)
        except (TypeError, ValueError):
            e = Exception(*args)
    base = next((k for k in kind.__mro__ if type(k) is not Raised), None)
    if type(kind) is Raised and base in _exceptions.values():  # it sets what is no attribute, such as UnicodeError.start
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


_ASKING = frozenset(("tests.py", "guards.py"))  # where tests read an attribute: by a dot, or by getattr
_CALLED = frozenset(("__name__", "__qualname__"))
_RESUMES = frozenset(("send", "throw", "__next__"))  # methods by which a generator of the candidate tells the tests that it ends
_OURS = frozenset(("judge", "given", "wire", "forms", "pytest", "run_python", "kinds", "guards"))


class Function:
    # A function of the candidate, or a method of one of its objects or classes. Its text of documentation is the candidate's.

    def __init__(self, owner, target, name, binds=True):
        vars(self).update(_rh=(owner, target, name), _rh_binds=binds, __module__=owner.program.module)  # a class, as an attribute of another, is no method

    def __call__(self, *args, **named):
        owner, target, name = self._rh
        try:
            return owner.call(target, name, args, named)
        except RuntimeError as e:
            ended = vars(e).get("_rh_ended")
            if ended is None or name not in _RESUMES or type(target) is not int or not isinstance(owner.handles[target], types.GeneratorType):
                raise
        raise ended

    def __getattr__(self, name):
        if name.startswith("__") and name not in _OF_FUNCTIONS:
            raise meant(AttributeError(name))
        return self._read(name)

    # A class whose name has no capital letter, where the tests use it as one.

    def _class(self):
        itself = self._rh[0].operate("itself", self)
        if type(itself) is not Mirror:
            raise meant(TypeError("%s is no class" % self._rh[2]))
        return itself

    def __mro_entries__(self, bases):
        return self._class(),

    def __instancecheck__(self, v):
        return isinstance(v, self._class())

    def __subclasscheck__(self, kind):
        return issubclass(kind._class() if isinstance(kind, Function) else kind, self._class())

    def __set_name__(self, owner, name):
        if self._rh_binds:
            raise Unsupported("the tests have the candidate's function %s as a method of a class" % self._rh[2])

    def __setattr__(self, name, v):
        setattr(self._itself("set", name), name, v)
        if name == "__module__":
            vars(self)[name] = v

    def __delattr__(self, name):
        delattr(self._itself("delete", name), name)

    def _itself(self, how, name):
        itself = self._rh[0].operate("itself", self)
        if type(itself) is not Mirror and type(type(itself)) is not Mirror:
            raise Unsupported("the tests %s the attribute %s of %s" % (how, name, self._rh[2]))
        return itself

    def _read(self, name):
        owner = self._rh[0]
        if name in _CALLED and sys._getframe(2).f_globals.get("__name__") == "unittest.case":
            return self._rh[2]  # for a message
        itself = owner.operate("itself", self)
        if type(itself) is not Mirror and itself in COMPUTING.values():
            return getattr(itself, name)
        if type(type(itself)) is not Mirror:
            raise Unsupported("the tests read the attribute %s of the candidate's function %s" % (name, self._rh[2]))
        return owner.get(itself._rh_n, name)

    __doc__, __annotations__, __defaults__, __kwdefaults__, __code__, __type_params__ = (property(lambda self, name=name: self._read(name)) for name in (
        "__doc__", "__annotations__", "__defaults__", "__kwdefaults__", "__code__", "__type_params__"))

    @property
    def __class__(self):
        caller = sys._getframe(1)
        if caller.f_globals.get("__name__") in _OURS and caller.f_code.co_name != "looking":  # getattr of the tests
            return Function
        itself = self._rh[0].operate("itself", self)
        return type if type(itself) is Mirror else said(type(itself)) if type(type(itself)) is Mirror else type(itself)

    def __repr__(self):
        return "<function %s of the candidate>" % self._rh[2]


class Query(Function):
    # A method by which tests ask whether an object is what they expect.

    def __call__(self, *args, **named):
        owner, target, name = self._rh
        of = owner.handles[target]
        if not (args and all(map(is_candidates, args))) and (of._rh_made == 0 and not owner.program.task.names(type(of).__name__) if name in _PLACES else of._rh_made != MADE):
            raise _tells_nothing(of, "call %s of" % name)
        return owner.call(target, name, args, named)


class Mirror(type):
    """The class of classes that stand for those of a candidate."""

    def __new__(meta, name, bases, own, owner=None, number=None, /, **named):
        if bases and owner is None:
            return _derived(name, bases, own, named)
        kind = super().__new__(meta, name, bases, {**own, "_rh_class": number, "_rh_owner_class": owner})
        return kind

    def __init__(kind, *_, **named):
        pass

    def __instancecheck__(kind, v):
        if type.__instancecheck__(kind, v):
            return True
        if type(type(v)) is Raised:
            v = vars(v).get("_rh_handle")
        if kind._rh_class is None:
            return False
        if not is_candidates(v):  # it may be one of a protocol
            names = kind._rh_owner_class.operate("protocol", kind)
            if names is False:
                raise Unsupported("the tests ask whether a %s is of the candidate's class %s, whose metaclass looks at it" % (type(v).__name__, kind.__name__))
            if names is True:  # an abstract class, which may know the class of the value
                return kind._rh_owner_class.library("builtins", "issubclass", type(v), kind) is True
            return type(names) is frozenset and all(type(name) is str and inspect.getattr_static(v, name, None) is not None for name in names)
        return (type(v) in _STANDS or issubclass(type(v), Record)) and kind in mro(v._rh_kind) or kind._rh_owner_class.library("builtins", "isinstance", v, kind) is True

    def __subclasscheck__(kind, of):
        return type.__subclasscheck__(kind, of) or kind._rh_class is not None and (
            type(of) is Mirror or type(of) is Raised and "_rh_class" in vars(of) or kind._rh_owner_class.operate("protocol", kind) is True) and kind._rh_owner_class.library("builtins", "issubclass", of, kind) is True

    def __call__(kind, *args, **named):
        return kind._rh_asked().call([kind._rh_class], None, args, named, made=True)

    def _rh_asked(kind):
        if kind._rh_class is None:
            raise Unsupported("the tests use what stands for a class of the library as one of the candidate", chosen=True)
        return kind._rh_owner_class

    def __getattr__(kind, name):
        if kind._rh_owner_class is None or name.startswith("__") and name not in _OF_CLASSES and sys._getframe(1).f_code.co_filename not in _ASKING:
            raise meant(AttributeError(name))
        return kind._rh_owner_class.get([kind._rh_class], name)

    __doc__, __annotations__, __type_params__ = (property(lambda kind, name=name: None if kind._rh_class is None else kind._rh_owner_class.get([kind._rh_class], name)) for name in ("__doc__", "__annotations__", "__type_params__"))
    __bases__, __mro__ = (property(lambda kind, get=vars(type)[name].__get__: shown(get(kind))) for name in ("__bases__", "__mro__"))

    @property
    def __dict__(kind):
        return namespace(kind) if kind._rh_class is None or sys._getframe(1).f_code.co_filename not in _ASKING else kind._rh_owner_class.operate("vars", kind)

    def __dir__(kind):
        return kind._rh_owner_class.names_of(kind)

    def __iter__(kind):
        return iter(kind._rh_asked().operate("iter", kind))

    def __getitem__(kind, key):
        return kind._rh_asked().operate("getitem", kind, key)

    def __len__(kind):
        return kind._rh_asked().operate("len", kind)

    def __bool__(kind):
        return True

    def __setattr__(kind, name, v):
        if kind._rh_class is None:
            raise Unsupported("the tests set the attribute %s of the candidate's class %s" % (name, kind.__name__))
        kind._rh_owner_class.assign([kind._rh_class], name, v)


METHODS = frozenset("__%s__" % name for name in "init repr str hash eq ne lt le gt ge len iter next contains getitem setitem delitem call bool int float index add sub mul truediv floordiv mod pow matmul neg abs enter exit".split())


_ALONE = frozenset("__%s__" % name for name in "init repr str len iter next bool int float index neg abs".split())  # they take no value that might be expected


def ask_of_methods():
    """Has the candidate say which special methods its classes have, for tests that name one (A.__init__): else these would be those of what stands for its objects, or of object. What
    takes another value than the object stays here."""
    def ask(kind, name):
        if (name in METHODS or name == "__dict__") and sys._getframe(1).f_code.co_filename in _ASKING and kind._rh_class is not None:
            if name == "__dict__":
                return kind._rh_owner_class.operate("vars", kind)
            v = kind._rh_owner_class.get([kind._rh_class], name)
            if name in _ALONE or v is None or v is getattr(object, name, None):
                return v
        return type.__getattribute__(kind, name)
    Mirror.__getattribute__ = ask


class Raised(type):
    # The class of classes that stand for a candidate's exceptions. Their objects are of the judge, so that tests can raise them; what these lack, the candidate's object is asked.

    __doc__ = property(lambda kind: kind._rh_owner_class.get([kind._rh_class], "__doc__") if "_rh_class" in vars(kind) else vars(kind).get("__doc__"))

    @transparent
    def __call__(kind, *args, **named):
        if "_rh_class" in vars(kind):
            return kind._rh_owner_class.call([kind._rh_class], None, args, named, made=True)
        try:
            return super().__call__(*args, **named)
        except TypeError:
            raise _of_tests(kind)

    @transparent
    def __getattr__(kind, name):
        if "_rh_class" not in vars(kind) or name.startswith("__") and name not in _OF_CLASSES:
            raise meant(AttributeError("type object %r has no attribute %r" % (kind.__name__, name)))
        return kind._rh_owner_class.get([kind._rh_class], name)


def _of_tests(kind):
    return Unsupported("the tests derive the class %s from an exception of the candidate" % kind.__name__)


@transparent
def _lacking(e, name):
    if name.startswith("_rh_") or name.startswith("__") and name.endswith("__"):
        raise meant(AttributeError("%r object has no attribute %r" % (type(e).__name__, name)))
    if "_rh_handle" not in vars(e):
        raise _of_tests(type(e))
    return getattr(vars(e)["_rh_handle"], name)


_own_attributes = vars(BaseException)["__dict__"].__get__


@property
def _attributes(e):
    own = _own_attributes(e)
    return own if "_rh_handle" not in own or sys._getframe(1).f_code.co_filename not in _ASKING else own["_rh_handle"]._rh_owner.operate("vars", own["_rh_handle"])


def _dir_of_raised(e):
    own = vars(e)
    return dir(own["_rh_handle"]) if "_rh_handle" in own else object.__dir__(e)


@transparent
def _setting(e, name, v):
    if "_rh_handle" in vars(e) and not name.startswith("_rh_") and not _is_member(type(e), name):
        setattr(vars(e)["_rh_handle"], name, v)
    else:
        BaseException.__setattr__(e, name, v)


def _is_member(kind, name):
    """Reports whether an exception has an attribute from a built-in class."""
    return any(name in namespace(k) for k in kind.__mro__ if type(k) is not Raised)


def _of_raised(name):
    """An operator of the candidate's exceptions."""
    @transparent
    def method(e, *args):
        if "_rh_handle" not in vars(e):
            raise _of_tests(type(e))
        if name not in _ASKED_OF_RAISED:
            raise Unsupported("the tests use %s of the candidate's exception %s" % (name, type(e).__name__), chosen=True)
        return getattr(Handle, name)(vars(e)["_rh_handle"], *args)
    return method


_ASKED_OF_RAISED = frozenset("__len__ __getitem__ __iter__ __bool__ __repr__ __call__".split())

_OF_BODIES = frozenset("__module__ __qualname__ __classcell__ __classdictcell__ __conditional_annotations__ __annotations_cache__ __firstlineno__ __static_attributes__ __doc__ __annotations__ __annotate__".split())


def _binds(v):
    """Reports whether an attribute of a class is a method, property or the like that the candidate has made."""
    return type(v) is Function and v._rh_binds or type(type(v)) is Mirror and v._rh_owner.operate("describes", v) is not False


@transparent
def _class_of_tests(name, bases, own, /, **named):
    """Makes a class of the tests; in the candidate's instance, if a decorator or descriptor of the candidate has made a part of it."""
    return _derived(name, (), own, named) if any(map(_binds, own.values())) else type(name, bases, own, **named)


_builds = builtins.__build_class__


@transparent
def _build(body, name, /, *bases, **named):
    c = Candidate.current
    plain = bases in ((), (object,)) and c is not None and c.loaded and body.__code__.co_filename == "tests.py" and "metaclass" not in named
    return _builds(body, name, *bases, **({"metaclass": _class_of_tests} if plain else {}), **named)


def watch_classes(on):
    """Has statements of classes of the tests make them as above. In a candidate's instance, they would only take its fuel."""
    builtins.__build_class__ = _build if on else _builds


def _derived(name, bases, own, named):
    """Has a class of the tests made in the candidate's instance: one below a class of the candidate, or with methods that it has made."""
    c = Candidate.current
    try:
        if not all(type(b) is Mirror and b._rh_class is not None and b._rh_owner_class is c for b in bases) or not c.loaded:
            raise CannotCross("beside another class")
        encode, body = Encoder(c.encoded).encode, []
        c.given.moves = True
        for k, v in own.items():
            if k not in _OF_BODIES:
                how = type(v).__name__ if type(v) in (staticmethod, classmethod, property) else ""
                body.append([k, how, *(None if x is None else encode(x) for x in ([v.fget, v.fset, v.fdel] if how == "property" else [v.__func__] if how else [v]))])
        if type(own.get("__annotations__")) is dict:
            body.append(["__annotations__", "annotations", *(x for k, v in c.given.kinds().hints(own["__annotations__"]).items() for x in (encode(k), v))])
        c.given.moves = False
        number = c.ask("derive", name, [b._rh_class for b in bases], body, {k: encode(v) for k, v in named.items()})[1]
        if type(number) is not int or number in c.classes:
            raise c.forged(Forged("a class"))
        kind = c.classes[number] = Mirror(name, bases or (Handle,), {"__module__": c.program.module, "__qualname__": name, "__doc__": namespace(Handle)["__doc__"], "_rh_library": None,
                                                         **({"__classcell__": own["__classcell__"]} if "__classcell__" in own else {})}, c, number)
        c.program.classes.add(name)
        if not bases:
            c.program.prompt_classes.add(name)
        return kind
    except CannotCross as e:
        c.given.moves = False
        raise Unsupported("the tests derive the class %s from one of the candidate's, with %s" % (name, e), chosen=any(type(b) is Mirror and b._rh_class is None for b in bases))


# How far an object is trusted with what the tests use it with: not at all (0), which is what a function returned;
# DERIVED: the candidate answered with it, and tests made it, or it came of one that they made; MADE: nobody else had it in hand.
# MIXED is DERIVED, with a value of the tests in it: that may be what they expect, so a plain value of it tells nothing.
MIXED, DERIVED, MADE = -1, 1, 2

# Methods by which tests ask an answer that should be a built-in value whether it is what they expect.
_QUERIES = frozenset("""startswith endswith issubset issuperset isdisjoint difference symmetric_difference intersection union removeprefix removesuffix is_integer
    isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper
    equal equals equals_to isequal is_equal is_equal_to isclose is_close close_to almost_equal almost_equals count find index rfind rindex""".split())
_PLACES = frozenset("count find index rfind rindex".split())  # an answer of a class that the tests do not name stands for a text or list: 0 would often do


def _no_answer(self, frame):
    """NotImplemented, which an operator knows what to do with. A test that calls the method itself would take it as true."""
    code = frame.f_code
    if code.co_filename == "tests.py" and code.co_code[frame.f_lasti] == _CALL and not _COMPARISONS.isdisjoint(code.co_names):
        raise _tells_nothing(self, "call a method of comparison of")
    return NotImplemented


def _drops(frame):
    """Reports whether tests drop what their call returns, in a statement such as s.add(1) or s.add(1).add(2): an object that answers with itself is then no answer."""
    code, at = frame.f_code, frame.f_lasti
    if code.co_filename != "tests.py":
        return False
    _, places, known = _dropping.get(id(code)) or _dropping.setdefault(id(code), (code, [p[::2] for p in code.co_positions()], {}))
    if at in known:
        return known[at]
    ops, k = code.co_code, at
    while True:
        k += 2 + 2 * _CACHES[ops[k]]
        if ops[k] != _LOAD_ATTR:
            break
        while k < len(ops) and (ops[k] not in _CALLING or places[k // 2] != places[at // 2]):
            k += 2 + 2 * _CACHES[ops[k]]
        if k >= len(ops):
            break
    known[at] = k < len(ops) and ops[k] == dis.opmap["POP_TOP"]
    return known[at]


_dropping = {}
_CACHES = [dis._inline_cache_entries.get(name, 0) for name in dis.opname]
_LOAD_ATTR, _CALLING = dis.opmap["LOAD_ATTR"], frozenset(dis.opmap[name] for name in ("CALL", "CALL_KW", "CALL_FUNCTION_EX"))
_CALL, _COMPARISONS = dis.opmap["CALL"], frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__".split())


_shows = warnings._showwarnmsg


def _showing(warning):
    """Shows a warning, but for that of Python where NotImplemented is taken as true: what compares nothing would pass."""
    if Candidate.current is not None and warning.category is DeprecationWarning and warning.filename != "solution.py" and str(warning.message).startswith(_TRUE):
        raise Unsupported("the tests take NotImplemented of a comparison as true", chosen=True)
    _shows(warning)


_TRUE = "NotImplemented should not be used in a boolean context"
warnings._showwarnmsg = _showing
warnings.filterwarnings("always", _TRUE, DeprecationWarning)


def _tells_nothing(self, what):
    return Unsupported("the tests %s an object of the candidate's class %s, which it has answered with" % (what, type(self).__name__), chosen=True)


def _forward(name):
    def method(self, *args):
        if self._rh_made == MIXED and name in _PLAIN:
            raise _tells_nothing(self, "compute %s of" % name)
        v = self._rh_owner.operate(name, self, *args)
        if self._rh_made == MIXED and type(type(v)) is Mirror:
            object.__setattr__(v, "_rh_made", MIXED)
        return v
    return method


_PLAIN = frozenset("len int float index complex bytes fspath trunc floor ceil round abs".split())


def _binary(name, swapped=False, compares=False):
    """An operator. What the tests compare with, or operate on an object that a function returned, stays with them."""
    dunder = "__%s%s__" % ("r" if swapped else "", name.rstrip("_"))

    def method(self, other):
        made, alien = self._rh_made, type(type(other)) is not Mirror
        if alien:
            if not made and other is not None:
                found = self._rh_owner.operand(self, dunder, other)
                if type(found) is not tuple:
                    return found
                for v in found:
                    try:
                        return (divmod if name == "divmod" else getattr(operator, name))(*((other, v) if swapped else (v, other)))
                    except Exception as e:
                        raise meant(e)
            if not made or other is None:
                return _no_answer(self, sys._getframe(1)) if compares else NotImplemented
            if compares:
                return self._rh_owner.orders(name, self, other)
        a, b = (other, self) if swapped else (self, other)
        mixed = made == MIXED or (made == DERIVED and type(other) not in _FUNCTIONS if alien else other._rh_made == MIXED)
        v = self._rh_owner.operate(name, a, b, made=bool(made) and not compares)
        if mixed and not compares:
            if type(type(v)) is not Mirror:
                raise _tells_nothing(self, "compute with a value and")
            object.__setattr__(v, "_rh_made", MIXED)
        return v
    return method


_FUNCTIONS = frozenset((types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, type))  # what the tests expect is none of these
_OF_FUNCTIONS = frozenset(("__name__", "__qualname__", "__wrapped__", "__annotations__", "__defaults__", "__kwdefaults__", "__slots__", "__func__", "__self__", "__members__"))
_OF_CLASSES = frozenset(("__members__", "__slots__", "__match_args__", "__abstractmethods__", "__dataclass_fields__", "__wrapped__", "__total__", "__required_keys__", "__optional_keys__"))


def _entered(self, v):
    object.__setattr__(self, "_rh_entered", self._rh_owner.asked if v is None or v is self else 0)
    return v


def _left(self, e):
    """What the end of a with statement tells of an exception of the tests: it arrives as a built-in one."""
    if not isinstance(e, Exception):
        return () if e is None else None
    base = next(k for k in type(e).__mro__ if _exceptions.get(k.__name__) is k)
    told = vars(e).get("_rh_handle")
    if told is None:
        told = base.__new__(base)
        told.args = () if base is AssertionError else tuple(x if type(x) in FLAT else str(x) for x in e.args)
    return told,


def _suppresses(self, e, v, unasked):
    """Reports whether an exception is suppressed: only if the candidate was not asked in the statement; otherwise it may come of a wrong answer."""
    o = self._rh_owner
    if e is None or v is not True or id(e) not in o.raised and (isinstance(e, AssertionError) or type(e).__module__ in ("forms", "pytest")):
        return False
    if not unasked:
        base = next(k for k in type(e).__mro__ if _exceptions.get(k.__name__) is k)
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
        if name.startswith("__") and name.endswith("__") and name not in _OF_FUNCTIONS and sys._getframe(1).f_code.co_filename not in _ASKING:
            raise meant(AttributeError(name))  # the library looks whether an object has it
        return self._rh_owner.get(self._rh_n, name)

    def __setattr__(self, name, v):
        o = self._rh_owner
        encoder = Encoder(o.encoded)
        try:
            coded = encoder.encode(v)
        except CannotCross as e:
            raise Unsupported("the tests set the attribute %s to %s" % (name, e))
        o.ask("set", self._rh_n, name, coded)
        if name == "__module__":  # else that of the class is read
            object.__setattr__(self, name, v)

    def __delattr__(self, name):
        self._rh_owner.ask("del", self._rh_n, name)

    def __reduce_ex__(self, *_):
        raise Unsupported("the tests copy an object of the candidate's class %s" % type(self).__name__)

    def __copy__(self):
        return self._copied("copy")

    def __deepcopy__(self, memo):
        return self._copied("deepcopy")

    def _copied(self, how):
        v = self._rh_owner.library("copy", how, self)
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
        return o.value(body)

    def _rh_counted(self):
        object.__setattr__(self, "_rh_read", self._rh_read + 1)
        if self._rh_read > MAX_ITEMS:
            raise self._rh_owner.ends("output", "an iterator of the candidate has more than %d items" % MAX_ITEMS)

    def __contains__(self, item):
        if self._rh_made == MADE:
            return self._rh_owner.operate("contains", self, item) is True
        if self._rh_made and self._rh_owner.operate("hasattr", self, "__iter__") is not True:
            raise _tells_nothing(self, "ask what is in")
        decides = self._rh_owner.operate("operand", self, "__contains__") is True
        if not decides or self._rh_owner.operate("hasattr", self, "__iter__") is True:
            if any(x is item or x == item for x in self):
                return True
            if not decides or self._rh_owner.operate("contains", self, item) is not True:
                return False
        raise _tells_nothing(self, "ask what is in")

    def __bool__(self):
        if self._rh_made == MIXED:
            raise _tells_nothing(self, "ask for the truth of")
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
            raise self._rh_owner.forged(Forged("%s of a %s is no text" % (how, type(self).__name__)))
        return v

    def __enter__(self):
        return _entered(self, self._rh_owner.operate("enter", self))

    def __exit__(self, kind, e, tb):
        o, told = self._rh_owner, _left(self, e)
        unasked = o.asked == self._rh_entered
        return told is not None and _suppresses(self, e, o.operate("exit", self, *told), unasked)

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
        return _suppresses(self, e, await self._rh_awaiting("aexits", *told) if o.entry is None else o.operate("aexit", self, *told), unasked)

    @property
    def _asyncio_future_blocking(self):
        """Is where asyncio looks whether an object is a future."""
        if library_of(type(self)) in (asyncio.Task, asyncio.Future):
            raise Unsupported("the tests have their loop wait for a task of the candidate")

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
        return Candidate.current.operate(name, v, module, cls.__name__) is True
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
    return all([Candidate.current.operate("hasstatic", v, name, name in data) is True for name in cls.__protocol_attrs__])


@transparent
def _is_below_protocol(cls, kind):
    """Whether a class of the candidate has what a protocol of the tests wants."""
    if type(kind) is not Mirror or kind._rh_class is None or not getattr(cls, "_is_protocol", False) or cls.__module__ != "tests":
        return _typings("__subclasscheck__", cls, kind)
    if not getattr(cls, "_is_runtime_protocol", False) or getattr(cls, "__non_callable_proto_members__", ()):
        return _has_members["__subclasscheck__"](cls, type("_", (), {}))  # which raises what that does
    return all([Candidate.current.operate("hasstatic", kind, name, False) is True for name in cls.__protocol_attrs__])


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
_MEMBERS = {kind: type("Member", (Member, kind), {}) for kind in (int, str, float)}
_STANDS = frozenset((*_MEMBERS.values(), FlagMember))


class Record(tuple):
    """A named tuple of the candidate. Its class stands for the candidate's, _rh_kind."""

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

_input, _print = builtins.input, builtins.print


_MISSING = object()


def _no_original():
    """Is what a patch replaces that is not here."""


def replaced():
    """What the tests have replaced that their candidate may use, or nothing."""
    c = Candidate.current
    return c and (c.replaced or c.lost or "sys.argv" * (sys.argv is not c.argv)) or ("builtins.input" if builtins.input is not _input else "builtins.print" if builtins.print is not _print else "")


def _place(target):
    """Where an attribute that the tests replace is in the candidate's instance; None: not there."""
    if "_tests" in getattr(target, "__dict__", ()):
        return [None]
    if type(type(target)) is Mirror:
        return [target._rh_n]
    if type(target) is Mirror and target._rh_class is not None:
        return [[target._rh_class]]
    if isinstance(target, types.ModuleType) and target.__name__.partition(".")[0] in sys.stdlib_module_names:
        return ["M", target.__name__, None]
    if isinstance(target, type) and target.__module__ in sys.stdlib_module_names and getattr(sys.modules.get(target.__module__), target.__name__, None) is target:
        return ["M", target.__module__, target.__name__]


class _Patch(unittest.mock._patch):
    """A patch, which is made in the candidate's instance, too."""

    _rh_place = None

    @transparent
    def __enter__(self):
        get, c = self.getter, Candidate.current
        target = get()
        place = self._rh_place = None if c is None or target is sys and self.attribute in ("stdin", "stdout", "stderr", "argv") else _place(target)
        if place is None or not c.loaded or c.end is not None:
            self._rh_place = None
            v = super().__enter__()
            if c is not None and target is sys and self.attribute == "argv":
                c.argv, c.process = sys.argv, True
            elif c is not None and target is not sys:
                c.replaced = "%s.%s" % (getattr(target, "__name__", type(target).__name__), self.attribute)
            return v
        if place[0] != "M":  # the target is not here
            stand = types.SimpleNamespace()
            try:
                original = getattr(target, self.attribute)
                setattr(stand, self.attribute, _no_original if self.spec is self.spec_set is self.autospec is None else original)
            except AttributeError:
                pass
            self.getter = lambda: stand
        try:
            v = super().__enter__()
        finally:
            self.getter = get
        try:
            self._rh_instance = c.instances
            c.ask("patch", place, self.attribute, Encoder(c.encoded).encode(getattr(self.target, self.attribute)))
        except CannotCross as e:
            self._rh_place = None
            if place[0] != "M":
                raise Unsupported("the tests replace %s by %s" % (self.attribute, e))
            c.replaced = "%s.%s" % (target.__name__, self.attribute)
        except BaseException:  # of the candidate, which then has ended or answers with nonsense
            super().__exit__(None, None, None)
            raise
        if "_tests" in getattr(target, "__dict__", ()):
            self._rh_names = vars(target), vars(target).get(self.attribute, _MISSING)
            if type(getattr(self.target, self.attribute)) not in FLAT:  # that is read from the candidate
                vars(target)[self.attribute] = getattr(self.target, self.attribute)
        return v

    _rh_names = None

    @transparent
    def __exit__(self, *e):
        c = Candidate.current
        if self._rh_names is not None:
            (names, before), self._rh_names = self._rh_names, None
            if before is _MISSING:
                names.pop(self.attribute, None)
            else:
                names[self.attribute] = before
        try:
            if self._rh_place is not None and c is not None and c.end is None and c.instances == self._rh_instance:
                c.ask("restore", self._rh_place, self.attribute)
        finally:
            v = super().__exit__(*e)
        if c is not None and sys.argv is not c.argv:
            c.argv, c.process = sys.argv, True
        return v


unittest.mock._patch = _Patch
doubles.guard()


def _environ(name):
    """Has a change of the environment reach the candidate at its next request; one by the candidate is noted in its instance."""
    f = getattr(os._Environ, name)

    @functools.wraps(f)
    @transparent
    def changing(self, key, *args):
        if Candidate.current is not None:
            Candidate.current.process = Candidate.current.environ = {**Candidate.current.environ, key: None}
        else:
            candidate.note_environment()
        return f(self, key, *args)
    setattr(os._Environ, name, changing)


_environ("__setitem__")
_environ("__delitem__")


def _noting(kind, name, what):
    """Has a method note that the tests replace something."""
    f = getattr(kind, name)

    @functools.wraps(f)
    @transparent
    def noting(self, *args, **named):
        if Candidate.current is not None:
            Candidate.current.replaced = what(self) or Candidate.current.replaced
        return f(self, *args, **named)
    setattr(kind, name, noting)




def _patched_dict(patch):
    of = patch.in_dict
    shared = "_tests" in vars(sys.modules.get(of.partition(".")[0], types)) if isinstance(of, str) else of is os.environ or any(of is v for _, v, _ in Candidate.current.read)
    return "" if shared else "a dict that they do not own"


_noting(unittest.mock._patch_dict, "__enter__", _patched_dict)


def watch_logs(name, level):
    """Notes that the tests look at a logger."""
    if Candidate.current is not None:
        Candidate.current.log(name, level)


def _watches_logs(kind):
    enters, exits = kind.__enter__, kind.__exit__

    @transparent
    def enter(self):
        name = self.logger_name.name if isinstance(self.logger_name, logging.Logger) else self.logger_name or ""
        watch_logs(name, self.level)
        return enters(self)

    @transparent
    def leave(self, *e):
        result = exits(self, *e)
        watch_logs(self.logger.name if self.logger is not logging.root else "", self.old_level)
        return result
    kind.__enter__, kind.__exit__ = enter, leave


_watches_logs(unittest._log._AssertLogsContext)


def is_candidates(v):
    return type(type(v)) is Mirror or type(v) in (Function, Query, Mirror) or type(v) in _STANDS or issubclass(type(v), Record)


def asking(module, name, of_tests=False):
    """A function of the library that looks into an object: of one of the candidate, its own instance is asked. of_tests: only if the tests call it."""
    f = getattr(module, name)

    @functools.wraps(f)
    @transparent
    def asking(v, /, *args, **named):
        asks = is_candidates(v) and not (of_tests and sys._getframe(1).f_code.co_filename != "tests.py")
        return Candidate.current.library(module.__name__, name, v, *args, **named) if asks else f(v, *args, **named)
    setattr(module, name, asking)


for _name in "asdict astuple fields replace is_dataclass".split():
    asking(dataclasses, _name)
asking(operator, "length_hint")
for _name in "getdoc isgeneratorfunction iscoroutinefunction isasyncgenfunction isfunction ismethod isroutine isbuiltin isabstract signature getmembers".split():
    asking(inspect, _name)
asking(inspect, "getattr_static", of_tests=True)


def _source(c, v, lines):
    """The lines of the program that define what the tests read the source of, and the number of the first one. What its own instance says alone is no evidence: it may have replaced inspect."""
    program = c.program
    text = candidate._compiled(program.prompt, program.texts, program.above)[3]
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
        c = Candidate.current
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
        return Candidate.current.operate("hasattr", v, name) is True
    return hasattr(v, name)


@transparent
def _is_callable(v, /):
    return Candidate.current.operate("callable", v) is True if type(type(v)) is Mirror else callable(v)


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
        meta = Candidate.current.library("builtins", "type", v)
        return meta if type(meta) is Mirror and meta is not Handle else type
    if issubclass(kind, Function):
        itself = v._rh[0].operate("itself", v)
        return type if type(itself) is Mirror else _type_of(itself)
    return library_of(kind) or kind if type(kind) is Mirror else v._rh_kind if kind in _STANDS or issubclass(kind, Record) else kind


# What tests have under the names of built-in functions. To change builtins would undo what CPython has specialised.
OWN = {"hasattr": _has, "callable": _is_callable, "issubclass": _is_subclass, TYPE_OF: type_of}
ASKED = {files.open: "open", _has: "hasattr", _is_callable: "callable", _is_subclass: "issubclass", type_of: "type"}


def _traceless(f):
    @functools.wraps(f)
    @transparent
    def traceless(*args, **named):
        c = Candidate.current
        if c is not None and any(id(e) in c.raised for e in (sys.exception(), *args)):
            raise Unsupported("the tests read the traceback of the candidate's exception")
        return f(*args, **named)
    return traceless


for _name in ("format_exc", "format_exception", "print_exc", "print_exception"):
    setattr(traceback, _name, _traceless(getattr(traceback, _name)))


@transparent
def _seed(a=None, version=2):
    """Seeds the candidate's numbers, too: tests do that for those of their own process."""
    _seeds(a, version)
    c = Candidate.current
    if c is not None and c.loaded and c.end is None and type(a) in FLAT:
        c.ask("seed", a)


_seeds, random.seed = random.seed, _seed


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
