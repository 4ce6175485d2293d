# The candidate's instance as the judge has it: requests and their answers, and how it ends.
import ast, io, json, os, re, sys, warnings

import pytest
import rubric_host_peer as peer

from . import candidate, files, lacks, objects, turns
from .ends import Current, Doubtful, Ended, ENDS, EXCEPTIONS, Races, Unreadable, Unsupported, WORDS
from .faults import defect
from .given import ALONE, Given, QUIET
from .handles import MAX_STEPS
from .sharing import Entry, MAX_ANSWERED, MAX_LOG, Sharing
from .wire import CannotCross, dumps, Encoder, Forged, is_value, MAX_SAID, measure, parse, request as message, requested, TooMuch

MAX_ASKED = 400_000         # requests to one candidate
MAX_REQUEST = 4 << 20       # bytes: the candidate's memory has to hold them and what it makes of them
MAX_EXPECTED = 512 << 10    # bytes: an answer that has as many is within all bounds
MAX_TAKEN = 1_000_000       # and up to so many at all: it takes the candidate's fuel
_GOOD = frozenset(("v", "m", "end", "a", "w"))
_CALLS = (None, "call")
_NAMES = ("load", "name", "dir", "files", "written")  # requests for names alone


def _too_much(chosen=False):
    return Unsupported("the tests pass more than %d MiB at once" % (MAX_REQUEST >> 20), chosen)


def _expected(texts, encode):
    """The coded values that tests compare with answers, if all tests are assertions such as f(1) == [2]. Empty: they may do more with an answer."""
    found = []
    try:
        for n in [n for text in texts for n in ast.parse(text).body]:
            if isinstance(n, ast.Assign):  # HumanEval's METADATA
                ast.literal_eval(n.value)
                continue
            is_function = isinstance(n, ast.FunctionDef) and not n.decorator_list and not n.args.defaults
            for x in n.body if is_function else [n]:
                if not isinstance(x, ast.Assert):
                    return []
                if not isinstance(x.test, ast.Constant):
                    call, (expected,) = x.test.left, x.test.comparators
                    if not isinstance(x.test.ops[0], ast.Eq) or not isinstance(call.func, ast.Name) or call.keywords:
                        return []
                    found += [encode(ast.literal_eval(v)) for v in (*call.args, expected)][-1:]
    except (CannotCross, SyntaxError, ValueError, TypeError, AttributeError, RecursionError, MemoryError):  # it has another form
        return []
    return found


class Instance(Sharing, Current):
    """The candidate's instance: what it is asked, and what it answers. It is loaded when it is first needed, and again after it has ended."""

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
        self.stdin, self.stdout, self.stderr = sys.stdin, sys.stdout, sys.stderr
        self.outs = {id(sys.stdout): (0, sys.stdout)}
        Instance.current = self

    # What most candidates do not need: an object with more than 30 attributes of its own is slower.
    instances = 0               # that it has had
    logging = False             # the tests look at what is logged
    doubt = ""                  # why they may have passed by what it has answered with: then nobody can tell
    catches = False             # it has answered with a class by which they may catch their own assertions, or end
    failing = None              # an assertion of theirs that has failed since then
    assigned = lost = ""        # what they have assigned; and that in an instance that is no more
    process = told_process = False  # they have changed environment or arguments; the candidate has been told of that
    told = None                     # what it knows of files
    states = {}                     # of random numbers and decimals, if the tests set or read them, as it has them
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
    light = 64 << 10            # bytes of answers: from some more on, to compare them may take much of the judge's fuel
    endless, leaves = None, False  # the answer to tests that use up the judge's fuel when they have an answer, and whether the host has it now
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
            self.told, self.states = None, dict.fromkeys(self.states)
            files.known.clear()

    def ends(self, kind, words):
        self.end = kind, words
        return Ended(words)

    def beyond(self, why):
        """What to raise where an answer is beyond a bound. A right one may be, too, unless less is expected; a test that has failed before decides."""
        expects = self.program.expects or self.last is not None and not self.classes and _expected(self.program.task.texts(), Encoder(self.encoded).encode)
        if self.program.failure is not None or expects and all(is_value(v) and len(dumps(v)) < MAX_EXPECTED for v in expects):
            return self.ends("output", why)
        return Doubtful(why, chosen=True)

    def cannot_cross(self, what):
        return self.beyond("the candidate's answer is %s, which cannot be compared" % what[:300])

    def ask(self, *request):
        """Asks the candidate's instance. Ended: it is no more; other exceptions are the candidate's."""
        if self.end is not None:
            raise Ended(self.end[1])
        if self.endless is None or self.program.settled is not None or self.entry is not None or request[0] in _NAMES or request[0] in QUIET:
            return self._ask(*request)
        self.stops()
        try:
            return self._ask(*request)
        finally:
            peer.leave(self.endless)  # what runs now are the tests, with an answer in hand
            self.leaves = True

    def stops(self):
        """Notes that the tests do not run now: what uses up the judge's fuel from now on is these files, or so many and long answers that one of them has been wrong."""
        if self.answered > self.light and self.program.settled is None:
            self.program.settled = self.program.rest()
            if self.program.settled is not None:
                peer.leave(self.program.settled)
        if self.leaves:
            self.leaves = False
            if self.program.settled is None:
                peer.leave()

    def fails(self, result):
        """Notes a test that has failed."""
        if self.program.settles and self.program.failure is None and not result.lacks:
            self.program.failure = result

    def _ask(self, *request):
        steps, entry, called = request[0] == "next" and self.taken > MAX_STEPS, self.entry, False
        if self.shares and entry is None and request[0] not in QUIET and not steps:
            self._put()
            try:
                self.given.put()
            except CannotCross as e:
                raise Unsupported("the candidate has been given %s" % e)
        if self.process and request[0] != "load":
            self.process, self.told_process = False, True
            self.ask("process", None if sys.argv is Instance.argv else [str(x) for x in sys.argv], {k: os.environ.get(k) for k in self.environ if type(k) is str})
        if self.states and entry is None and request[0] not in QUIET and request[0] not in _NAMES:
            self._put_states()
        if sys.stdin is not self.stdin:
            self.stdin = sys.stdin
            if isinstance(self.stdin, io.StringIO):
                self.ask("stdin", self.stdin.read())
        out, errors = sys.stdout is not self.stdout, sys.stderr is not self.stderr
        if out or errors:
            self.stdout, self.stderr = sys.stdout, sys.stderr
            if any("stdout" in text or "stderr" in text for text in self.program.texts):
                n, _ = self.outs.setdefault(id(sys.stdout), (len(self.outs), sys.stdout))
                self.ask("stdout", n if out else None, errors, type(sys.stdout) is io.StringIO)
        if files.used and entry is None and request[0] not in ("files", "written"):
            self.put_files(request)
        asked = self.asked = self.asked + 1
        if asked > MAX_ASKED:
            raise Unsupported("the tests ask the candidate more than %d times" % MAX_ASKED, chosen=True)
        text = message(request)
        if len(text) > MAX_REQUEST:
            raise _too_much(chosen=request[0] != "run" and self.last is not None)
        if entry is None:
            end, payload, fuel = peer.call(text) if self.given.ahead is None else self._had_ahead(text)
            self.fuel += fuel
            if end != "answer":
                raise self._ended(end, payload, fuel)
        else:
            payload = self._within(text, self.numbered if request[0] in _CALLS else ())
        self.answered += len(payload)
        if self.answered > MAX_ANSWERED:
            raise self.beyond("the candidate's answers have more than %d MiB" % (MAX_ANSWERED >> 20))
        try:
            try:
                reply = parse(payload)
            except Forged:
                if payload[:1] != b"c" or entry is not None:
                    raise
                called = True
                payload = self._answering(Entry(text, self.numbered if request[0] in _CALLS else ()), payload)
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
                if len(more) > 3 + 2 * MAX_SAID or not all(type(x) is str for x in more):
                    raise Forged("no form of its output, of the package that it lacks, and of its warnings")
                if more and more[0] and getattr(sys.stdout, "closed", False):
                    raise Unsupported("the tests have closed what the candidate prints to")
                if more:
                    sys.stdout.write(more[0])
                if len(more) > 1 and more[1]:
                    self.lacked = more[1][:100]
                    if self.lacked == lacks.RACES or self.lacked == lacks.TURNS and turns.is_thread():
                        raise Races
                    self.lacked = lacks.CLOCK if self.lacked == lacks.TURNS else self.lacked
                if len(more) > 2 and more[2]:
                    sys.stderr.write(more[2])
        except (Forged, ValueError) as e:
            raise self.forged(e)
        if len(reply) > 6:
            for name, text in zip(reply[6::2], reply[7::2]):
                warned = EXCEPTIONS.get(name, UserWarning)
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
            raise self.beyond(WORDS["output"])
        if kind == "q" and type(body) is str:
            raise self.exits(body)
        if kind == "n" and type(body) is str:
            if request[0] == "get":
                raise Unsupported("the tests read an attribute that is %s" % body[:300], chosen=True)
            raise self.cannot_cross(body)
        if kind == "x":
            e = self.exception(body, changes)
            if request[0] in ALONE and isinstance(e, Exception) and not isinstance(e, MemoryError):
                raise Unreadable("the candidate's instance cannot have what the tests give: it has changed what run-python uses, or run-python itself fails: %s: %s" % (type(e).__name__, str(e)[:200]), chosen=True)
            raise e
        raise self.forged(Forged("an answer of no kind"))

    def _put_states(self):
        for name, known in self.states.items():
            state = candidate.STATES[name][0]()
            if state != known:
                self.states[name] = state
                self.ask("state", name, Encoder(self.encoded).encode(state))

    def has_state(self, name):
        """Refuses that the tests read a state which the candidate has changed since they have set it: theirs is another one."""
        if self.loaded and self.end is None and self.states.get(name) == candidate.STATES[name][0]() and self.ask("state", name, None)[1] is not True:
            raise Unsupported("the tests read the state of %s, which the candidate changes" % name, chosen=True)

    def _asks_at_once(self):
        """Reports whether a call comes next at once: nothing of the tests has to reach the candidate first."""
        return not (self.shares or self.read or self.process or self.logging or self.states or self.refuse or files.used or sys.stdin is not self.stdin or sys.stdout is not self.stdout or sys.stderr is not self.stderr or self.entry is not None or self.end is not None)

    def returns(self, f, args, named, expected):
        """Asks what a function or method returns, and nothing else of it. Returns None if that is the expected value to the letter, else the value in a tuple."""
        _, target, name = f._rh
        encoder = Encoder(self.encoded)
        try:
            args, named = [encoder.encode(x) for x in args], {k: encoder.encode(x) for k, x in named.items()}
        except CannotCross as e:
            raise Unsupported("the tests call %s with %s" % (name, e))
        request = "value", target, name, args, named
        self.last, self.numbered, self.program.expects = (name, args, named, None), (), (expected,)
        if self._asks_at_once():
            text = message(request)
            if len(text) > MAX_REQUEST:
                raise _too_much()
            end, payload, fuel = sent = peer.call(text)
            if end == "answer" and payload == dumps(["v", expected]):
                self._took(text, payload, fuel)
                return None
            self.given.ahead = text, sent
        kind, body, changes = self.ask(*request)
        v = self._coroutine(body, (name, args, named), 0, ()) if kind == "a" else self.value(body, (), changes)
        self.last = name, args, named, (v,)
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
        if end == "output":
            return self.beyond(WORDS[end])
        return self.ends(ENDS[end], WORDS[end] + (" (exit code %s)" % said if end == "exit" else ": " + said if end == "trap" and said else ""))

    def uses(self):
        """Reports whether the tests have asked this instance for more than names."""
        return self.last is not None or self.asked > MAX_LOG or any(requested(text)[0] not in _NAMES for text, _ in self.given.log)

    def forged(self, e):
        """What to raise if an answer cannot be read. Only what the decoder refuses is known to be forged."""
        if isinstance(e, TooMuch):
            return self.beyond("the candidate's answers have %s" % e)
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
        if isinstance(e, (AssertionError, pytest.Failed)) and any(e is x for x in self.given.thrown):
            return e  # of the tests
        if isinstance(e, (StopIteration, StopAsyncIteration, GeneratorExit)):
            # In a generator or in map() of a test, these would end the test's own loop.
            ended, e = e, RuntimeError("the candidate raised %s" % type(e).__name__)
            e._rh_ended = ended
        return self.note(e, text[:500], line if 0 < line < 1 << 31 else 0, lacks[:100])

    numbered = ()  # the arguments that a call may change
