# What the candidate's instance and the tests share: functions of the tests that stay with them, files, logs, and what either may change.
import logging, re, stat, sys, types

import pytest
import rubric_host_peer as peer

from . import files, turns
from .ends import Ended, EXCEPTIONS, Races, Unsupported
from .given import QUIET
from .mirrors import OF_BODIES, Raised
from .wire import CannotCross, contents_of, Encoder, fill, Forged, measure, NUMBERED, numbered_in, parse, REFERRED, request as message, SHARED

MAX_ANSWERED = 32 << 20     # bytes of all answers of one candidate
MAX_LOG = 20_000            # requests that can be made again
MAX_CALLED = 1_000          # answers of functions of the tests that stay with them
MAX_AGAIN = 60_000          # requests that are made again, for functions of the tests that stay with them


class Entry:
    """A request that has called functions of the tests: their answers, and the arguments that it may change."""

    def __init__(self, text, lent):
        self.text, self.lent, self.answers = text, lent, []
        self.frames = []  # of the functions that run: what the candidate has given them, and how that is known to it


class Sharing:
    """What an instance and the tests share."""

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
                raise self.beyond("the candidate's answers have more than %d MiB" % (MAX_ANSWERED >> 20))
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
        if turns.is_thread() and "sleep" in getattr(getattr(f, "__code__", None), "co_names", ()):
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
            except (Exception, pytest.Failed) as e:
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
        return encoder, contents_of(encoder, numbered)

    def _thrown(self, e, encoder):
        """Encodes an exception of a function of the tests: its class, arguments and number. Of an assertion, the candidate learns only that it has failed."""
        fails = isinstance(e, (AssertionError, pytest.Failed))
        if not fails:
            try:
                coded = self.encoded(e)
                if len(coded) < 5:
                    self.given.thrown.append(e)
                return [coded, None, None if len(coded) == 5 else len(self.given.thrown) - 1]
            except CannotCross:
                pass
        self.given.thrown.append(e)
        kind, more = type(e), []
        if fails:
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
        return [next(k.__name__ for k in kind.__mro__ if EXCEPTIONS.get(k.__name__) is k) if number is None else number, more, len(self.given.thrown) - 1]

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
            inside = numbered_in(v)
            if inside:
                try:
                    self.read.append((k, v, message(Encoder(self.encoded).encode(v)), [x for x in inside if x is not v]))
                    self.shares = True
                except CannotCross:
                    pass

    def _put(self):
        """Has what the tests have changed reach the object that they share it with. What only this list still has cannot change."""
        read, self.read = self.read, []
        for slot, v, before, inside in read:
            try:
                coded = Encoder(self.encoded).encode(v)
                now = message(coded)
                if now != before:
                    self.ask("put", slot, coded, self._contents([v, *inside] if type(v) in NUMBERED else inside)[1] if inside else None)
                    inside = [x for x in numbered_in(v) if x is not v]
            except CannotCross as e:
                raise Unsupported("the tests put into an object of the candidate %s" % e)
            if slot > self.slots - SHARED // 2 and (sys.getrefcount(v) > REFERRED + 1 or any(sys.getrefcount(x) > REFERRED + 2 for x in inside)):
                self.read.append((slot, v, now, inside))

    def _take(self):
        """Has what the candidate has changed of what the tests still have of it, or gave to it, reach the tests."""
        kept, self.read = self.read, []
        self.taken += sum(1 + len(v) for _, v, _, _ in kept)
        contents = self.ask("kept", [(slot, before, len(inside)) for slot, _, before, inside in kept])[1]
        try:
            if type(contents) is not list or len(contents) != len(kept):
                raise Forged("contents of nothing")
            for k, ((slot, v, before, inside), coded) in enumerate(zip(kept, contents)):
                if coded == "-":
                    kept[k] = None
                elif inside and type(coded) is list and coded[:1] == ["+"]:
                    decoder = self.decoder([v, *inside] if type(v) in NUMBERED else inside)
                    try:
                        decoder.refill(coded[1:])
                        measure((v, *decoder.numbered), {})
                    finally:
                        self.values += decoder.nodes
                    kept[k] = slot, v, message(Encoder(self.encoded).encode(v)), [x for x in numbered_in(v) if x is not v]
                elif coded is not None:
                    new = self.value(coded)
                    if type(new) is not type(v):
                        raise Forged("contents of another kind")
                    fill(v, [x for pair in new.items() for x in pair] if isinstance(v, dict) else list(new))
                    kept[k] = slot, v, message(Encoder(self.encoded).encode(v)), [x for x in numbered_in(v) if x is not v]
        except (Ended, CannotCross):
            raise
        except Exception as e:
            raise self.forged(e)
        self.read = [x for x in kept if x is not None]


class _LogRecord(logging.LogRecord):
    """What the candidate has logged."""

    def getMessage(self):
        return self._rh_text


def _empty_below(c, kind):
    """A class of the tests without a body, below exceptions of the candidate: its name, and the numbers of these."""
    bases = [next((n for n, known in c.classes.items() if known is b), None) for b in kind.__bases__]
    if None in bases or not vars(kind).keys() <= OF_BODIES or vars(kind).get("__doc__") is not None:
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
