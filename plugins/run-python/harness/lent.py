# What tests have given the candidate, or share with it, at the candidate's side.
import builtins, collections, dataclasses, operator, sys, types, weakref

from . import candidate, doubles, files, loops, objects
from .answers import Answers
from .functions import given_to
from .given import key_of
from .lacks import FILE, FILES, LIFETIME, missing, MORE, SAID
from .operations import END, module_named
from .wire import CannotCross, Decoder, dumps, fill, FLAT, MAX_SAID, requested

_TOOL = 0  # of sys.monitoring


class _Later:
    """A coroutine of the tests sleeps. seconds: None if it was cancelled."""

    def __init__(self, seconds, number):
        self.seconds, self.number = seconds, number


class _Stop(BaseException):
    """The candidate calls a function of the tests that stays with them: what comes next is done in a new instance."""


def _stop(*_):
    raise _Stop


_OF_RECORDS = frozenset("name msg args levelname levelno pathname filename module exc_info exc_text stack_info lineno funcName created msecs relativeCreated thread threadName processName process taskName message asctime".split())


def _annotate(f, known):
    """Has a function have annotations; from Python 3.14 on, functools.wraps copies what makes them."""
    if sys.version_info < (3, 14):
        f.__annotations__ = known
    else:
        f.__annotate__ = lambda form, /: {**known}


class Lent(Answers):
    """What tests have given the candidate, or share with it: functions, generators, mocks, classes, files, logs."""

    def _capture(self, n, v):
        """Keeps what the tests have given with its number. What it holds may have come before it."""
        missing = n + 1 - len(self.captured)
        self.captured += [None] * missing
        self.seen += [None] * missing
        self.captured[n], self.places[id(v)] = v, n

    def _captured(self, n):
        return self.captured[n] if n < len(self.captured) else None

    def _put_captured(self, n, v):
        to = self._captured(n)
        if to is None:
            self._capture(n, v)
        elif isinstance(to, types.CellType):
            to.cell_contents = v
        else:
            refill(to, v)
        self.seen[n] = dumps(self._contents(self.captured[n]))

    def _contents(self, v):
        if objects.is_object(v):
            return objects.contents(v, self._held)
        if not isinstance(v, types.CellType):
            return self._encoder().encode(v)
        try:
            v = v.cell_contents
        except ValueError:
            return ["n"]
        n = next((n for n, known in enumerate(self.captured) if known is v), None)
        return self._encoder().encode(v) if n is None else ["$", n]

    def do_cell(self, n):
        self._capture(n, types.CellType())
        return ["v", None, None]

    def do_captured(self, live):
        """Answers what functions of the tests have changed of what they use, and the candidate of their objects."""
        out = []
        for n in live:
            v = self.captured[n]
            if objects.is_object(v) and weakref.getweakrefcount(v):
                missing.lacked = missing.lacked or LIFETIME
            coded = self._contents(v)
            text = dumps(coded)
            if text != self.seen[n] and self.seen[n] is not None:
                self.seen[n] = text
                out.append([n, coded])
        return ["v", out, None]

    def do_iterator(self, items):
        """Makes an iterator that the tests have, too."""
        self.iterators.append(iter(self._decoder().decode(items)))
        return ["v", None, None]

    def do_advance(self, n, taken):
        for _ in range(taken):
            next(self.iterators[n], None)
        return ["v", None, None]

    def do_iterators(self):
        """Answers how many items of each are left."""
        return ["v", list(map(operator.length_hint, self.iterators)), None]

    def do_generator(self, code, values, modules):
        """Makes a generator of the tests, which has not begun."""
        decode = self._decoder().decode
        values = {k: decode(v) for k, v in values.items()}
        f = types.FunctionType(code, {"__builtins__": builtins, "__name__": "tests", **{m: module_named(m) for m in modules}}, code.co_name, None, tuple(types.CellType(values[k]) for k in code.co_freevars))
        given, named = given_to(code, values)
        count = [0]
        self.generators.append((counted(f(*given, **named), count), count))
        return ["v", None, None]

    def do_coroutine(self, f, args, named):
        """Makes a coroutine or asynchronous generator of the tests, which has not begun."""
        decode = self._decoder().decode
        self.coroutines = [*self.coroutines, decode(f)(*map(decode, args), **{k: decode(v) for k, v in named.items()})]
        return ["v", None, None]

    def do_taken(self):
        """Answers how many items of each have been taken."""
        return ["v", [count[0] for _, count in self.generators], None]

    def do_function(self, n, code, name, cells):
        """Makes a function of the tests. What it uses comes next: that may be itself."""
        f = types.FunctionType(code, {"__builtins__": builtins, "__name__": "tests"}, name, None, tuple(self.captured[c] for c in cells))
        del self.functions[n:]
        self.functions.append(f)
        return ["v", None, None]

    def do_bind(self, n, used, defaults, named, annotations, qualified):
        decode, f = self._decoder().decode, self.functions[n]
        self.do_globals(n, used)
        f.__defaults__, f.__kwdefaults__ = tuple(map(decode, defaults)) or None, {k: decode(v) for k, v in named.items()} or None
        f.__qualname__ = qualified
        _annotate(f, {k: decode(v) for k, v in annotations.items()})
        return ["v", None, None]

    def do_globals(self, n, used):
        """Has a function of the tests use global names."""
        decode = self._decoder().decode
        self.functions[n].__globals__.update((k, decode(v)) for k, v in used.items())
        return ["v", None, None]

    # Functions of the tests that stay with them. A call ends the request, and this instance. A new one is asked the same again, up to the call, whose
    # answer it then has.

    def do_stub(self, n, awaited, parameters, name, qualified, doc, annotations):
        """Makes what stands for a function of the tests."""
        decode, kinds = self._decoder().decode, [kind for _, kind, _ in parameters]
        wanted, args, named = [], [], []
        for k, (p, kind, _) in enumerate(parameters):
            if kind == 3 and 2 not in kinds and (k == 0 or kinds[k - 1] != 3):
                wanted.append("*")
            wanted.append(("", "", "*", "", "**")[kind] + p)
            if kind == 0 and kinds[k + 1:k + 2] != [0]:
                wanted.append("/")
            (args if kind < 3 else named).append(p + "," if kind < 2 else "*%s," % p if kind == 2 else "%r: %s," % (p, p) if kind == 3 else "**%s," % p)
        made = {"__name__": "tests", "_rh_asked": self._asked_later if awaited else self._asked}
        exec(compile("%sdef f(%s):\n return %s_rh_asked(%d, (%s), {%s})" % ("async " * awaited, ", ".join(wanted), "await " * awaited, n, "".join(args), "".join(named)), "tests.py", "exec", dont_inherit=True), made)
        f = made["f"]
        f.__name__, f.__qualname__, f.__doc__, f.__module__ = name, qualified, doc, "tests"
        f.__defaults__ = tuple(decode(v[0]) for _, kind, v in parameters if kind < 2 and v is not None) or None
        f.__kwdefaults__ = {p: decode(v[0]) for p, kind, v in parameters if kind == 3 and v is not None} or None
        _annotate(f, {k: decode(v) for k, v in annotations.items()})
        del self.functions[n:]
        self.functions.append(f)
        return ["v", None, None]

    def do_attributes(self, n, attributes):
        """Sets the attributes of what stands for a function of the tests."""
        f, decode = self.functions[n], self._decoder().decode
        vars(f).update((k, decode(v)) for k, v in attributes.items())
        self.attributes[n] = dict(vars(f))
        return ["v", None, None]

    def do_table(self, n, table):
        """Has in hand what a function of the tests says of some values, for the next call."""
        self.tables = {**self.tables, n: table}
        return ["v", None, None]

    def _stops(self, calling):
        """Ends the request with a call. No handler and no finally clause of the candidate runs: what it does next, a new instance does."""
        self.calling, frame, on = calling, sys._getframe(1), sys.monitoring
        if on.get_tool(_TOOL) is None:
            on.use_tool_id(_TOOL, "run-python")
            for event in (on.events.LINE, on.events.JUMP):
                on.register_callback(_TOOL, event, _stop)
        while frame is not None:
            if frame.f_code.co_filename == FILE:
                on.set_local_events(_TOOL, frame.f_code, on.events.LINE | on.events.JUMP)
            frame = frame.f_back
        raise _Stop

    def _lent_contents(self, lent):
        encoder = self._encoder()
        for x in lent:
            encoder.numbers[id(x)] = len(encoder.kept)
            encoder.kept.append(x)
        return encoder, [encoder.contents(x) for x in lent]

    def _asked(self, n, args, named):
        if self.calling is not None:
            raise _Stop
        if n in self.tables and len(args) == 1 and not named:
            known = self.tables[n].get(key_of(args[0]), END)
            if known is not END:
                return known if type(known) is not list else self._decoder().decode(known)
        if self.answers and not named and not self.lent and FLAT.issuperset(map(type, args)):  # as most are
            _, *said = self.answers[0]
            if self.answers[0][0] == "ret" and said[0] == "v" and said[2] is None and type(said[1]) in FLAT:
                self.printed.taken()
                return self.answers.popleft()[2]
        printed, lent = self.printed.taken().decode("utf-8", "surrogateescape"), self.lent
        try:
            encoder, contents = self._lent_contents(lent)
            call = [n, [encoder.encode(x) for x in args], {k: encoder.encode(x) for k, x in named.items()}, contents, printed]
        except CannotCross as e:
            call = [str(e)]
        if not self.answers:
            self._stops(b"c" + dumps(call))
        while self.answers[0][0] == "ask":  # the function asks something before it answers
            _, request, contents = self.answers.popleft()
            if contents is not None:
                Decoder(self._decoded, encoder.kept).refill(contents)
            outer, self.outer = self.outer, encoder.kept
            reply = candidate.serve(self, requested(request))
            self.outer = outer
            if self.calling is not None:
                raise _Stop
            if not self.answers:
                self._stops(b"r" + dumps(["r", self._lent_contents(encoder.kept)[1]]) + b"\n" + reply)
        _, kind, coded, contents, slot = self.answers.popleft()
        self.lent = lent
        decoder = Decoder(self._decoded, encoder.kept)
        if kind == "v":
            v = decoder.decode(coded)
        elif kind == "later":
            v = _Later(*coded)
        else:
            of, more, k = coded
            v = getattr(builtins, of) if type(of) is str else self.classes[of] if type(of) is int else self._empty_below(of) if type(of) is dict else decoder.decode(of)
            v = v if more is None else v(*map(decoder.decode, more))
            if k is not None:
                self.thrown = [*self.thrown, (v, k, None)]
        if contents is not None:
            decoder.refill(contents)
        self._share(slot, v, *encoder.kept)
        if kind == "x":
            raise v
        return v

    async def _asked_later(self, n, args, named):
        """Awaits a coroutine of the tests that stays with them."""
        v = self._asked(n, args, named)
        while type(v) is _Later:
            cancelled = None
            try:
                await loops.asyncio.sleep(v.seconds)
            except loops.asyncio.CancelledError as e:
                cancelled = e
            v = self._asked(-1 - v.number, () if cancelled is None else (True,), {})
            if type(v) is _Later and v.seconds is None:
                raise cancelled or loops.asyncio.CancelledError
        return v

    def _empty_below(self, told):
        """Makes a class of the tests that has nothing of its own, below exceptions of the candidate."""
        key = told["name"], *told["bases"]
        if key not in self.derived:
            self.derived = {**self.derived, key: types.new_class(told["name"], tuple(self.classes[n] for n in told["bases"]), {}, lambda body: body.update(__module__="tests"))}
        return self.derived[key]

    # Coroutines that the tests await. They run in one loop, while that of the tests has nothing to do.

    def do_begin(self, n):
        """Runs a coroutine until it waits."""
        self.tasks[n] = loops.get_event_loop().begin(self.objects[n])
        return self._ended(0)

    def do_await(self, seconds):
        """Runs the coroutines until one has ended, and answers how long that took, and what has come of those that have ended."""
        return self._ended(0 if any(task.done() for task in self.tasks.values()) else loops.get_event_loop().advance(seconds))

    def _ended(self, passed):
        ended = [n for n, task in self.tasks.items() if task.done()]
        return ["v", [passed, [[n, *self._outcome(self.tasks.pop(n))] for n in ended]], None]

    def _outcome(self, task):
        if task.cancelled():
            return "c", None
        e = task.exception()
        if e is not None:
            return "x", self._told(e)
        try:
            return "v", self._encoder().encode(task.result())
        except CannotCross as e:
            return "n", str(e)

    def do_cancel(self, n):
        """Cancels a coroutine, which has begun."""
        if n in self.tasks:
            self.tasks[n].cancel()
        return ["v", None, None]

    # What the tests put in place of something.

    def do_mock(self, n, tree):
        """Makes a mock of the tests, or has it do what they say now."""
        decode = self._decoder().decode
        self.mocks += [None] * (n + 1 - len(self.mocks))  # those that it answers with come first
        if self.mocks[n] is not None:
            doubles.made(tree, decode, self.mocks[n][0])
        else:
            self.mocks[n] = [doubles.bare(tree, decode), 0, {}]  # it may have itself in it
            self.mocks[n][0] = doubles.made(tree, decode, self.mocks[n][0])
        self.mocks[n][2] = self._attributes(self.mocks[n][0])
        return ["v", None, None]

    def _attributes(self, m):
        """What is set of a mock, by path and name: the value, and that as text."""
        return {(path, name): (coded, dumps(coded)) for path, name, v in doubles.attributes(m) for coded in [self._note(v)]}

    def do_mocks(self):
        """Answers the calls of mocks since the last time."""
        out = []
        for n, (m, known, before) in enumerate(self.mocks):
            now = self.mocks[n][2] = self._attributes(m)
            out += [[n, list(path), name, coded] for (path, name), (coded, text) in now.items() if before.get((path, name), (None, None))[1] != text]
            calls = m.mock_calls
            for name, args, named in calls[known:]:
                out.append([n, name, [self._note(x) for x in args], {k: self._note(x) for k, x in named.items()}])
            self.mocks[n][1] = len(calls)
            for path, child in doubles.awaited(m):
                noted = vars(child).setdefault("_rh_awaited", [0])
                for args, named in child.await_args_list[noted[0]:]:
                    out.append([n, "".join(s if s == "()" else "." + s for s in path) + "|", [self._note(x) for x in args], {k: self._note(x) for k, x in named.items()}])
                noted[0] = len(child.await_args_list)
        return ["v", out, None]

    def _note(self, v):
        encoder = self._encoder()
        try:
            return encoder.encode(v)
        except CannotCross:
            return self._handle(v)

    def _place(self, place):
        return self._target(place[0]) if len(place) == 1 else module_named(place[1]) if place[2] is None else getattr(module_named(place[1]), place[2])

    def do_patch(self, place, name, v):
        of = self._place(place)
        self.patches.append((of, name, getattr(of, "__dict__", {}).get(name, END)))
        setattr(of, name, self._decoder().decode(v))
        return ["v", None, None]

    def do_restore(self, place, name):
        of = self._place(place)
        n = next((n for n in range(len(self.patches) - 1, -1, -1) if self.patches[n][0] is of and self.patches[n][1] == name), None)
        if n is not None:
            before = self.patches.pop(n)[2]
            if before is END:
                delattr(of, name)
            else:
                setattr(of, name, before)
        return ["v", None, None]

    def do_files(self, changed, hidden, at):
        """Has the files that the tests have named."""
        files.apply(changed, at)
        files.hidden.clear()
        files.hidden.update(hidden)
        return ["v", None, None]

    def do_written(self):
        """Answers what the candidate has changed of files."""
        changed = files.changes()
        if len(changed) > files.MAX_FILES or sum(len(told[0] or "") for _, *told in changed if told) > files.MAX_CHANGED:
            missing.lacked = missing.lacked or FILES
            raise CannotCross("more of files than can cross")
        return ["v", [files.cwd, changed], None]

    def do_log(self, name, level):
        """Keeps what is logged, for the tests."""
        import logging
        if self.records is None:
            self.records = []

            class Records(logging.Handler):
                def emit(handler, record):
                    if len(self.records) >= MAX_SAID:
                        missing.lacked = missing.lacked or SAID
                    elif not any(record is r for r in self.records):
                        self.records.append(record)

            self.handler = Records()
        for logger in {logging.root, logging.getLogger(name or None)}:
            if self.handler not in logger.handlers:
                logger.addHandler(self.handler)
        logging.getLogger(name or None).setLevel(level)
        return ["v", None, None]

    def do_logged(self):
        records, self.records[:] = [*self.records], []
        return ["v", [*map(self._record, records)], None]

    def _record(self, r):
        """A log record: what it says, of what that is made, its exception, and what was said beside."""
        import logging
        encoder, parts = self._encoder(), [r.msg, r.args or (), {k: v for k, v in vars(r).items() if k not in _OF_RECORDS}]
        for k, v in enumerate(parts):
            try:
                parts[k] = encoder.encode(v)
            except CannotCross:
                parts[k] = None
        e = r.exc_info[1] if r.exc_info else None
        told = None if e is None else [self._exception(encoder, e), logging.Formatter().formatException(r.exc_info)[:10_000]]
        return [r.name, r.levelno, r.getMessage()[:10_000], r.funcName or "", *parts, told]

    def do_derive(self, name, bases, body, named):
        """Makes a class of the tests below some of the candidate's."""
        decode, own = self._decoder().decode, {"__module__": self.module.__name__}
        for k, how, *parts in body:
            parts = [None if p is None else decode(p) for p in parts]
            own[k] = dict(zip(parts[::2], parts[1::2])) if how == "annotations" else property(*parts) if how == "property" else staticmethod(parts[0]) if how == "staticmethod" else classmethod(parts[0]) if how == "classmethod" else dataclasses.field(**parts[0]) if how == "Field" else parts[0]
        kind = types.new_class(name, tuple(self.classes[b] for b in bases), {k: decode(v) for k, v in named.items()}, lambda body: body.update(own))
        return ["v", self._class(kind)[0], None]

    def do_cast(self):
        """Answers whether the tests have as a list or the like what is an object of a class below."""
        return ["v", self.cast, None]

    def do_stands(self):
        """Answers whether the tests know a function, class or module of the library by a number."""
        return ["v", self.stands, None]

    def do_object(self, n, kind, made):
        """Makes an object of the tests; or finds the one that the candidate has made, unless it has changed it since it told its contents: what the tests put into it would undo that."""
        v, known = (None, None) if made is None else self.made[made]
        if v is None or dumps(objects.contents(v, self._held)) != known:
            v = objects.empty(kind) if type(kind) is not int else objects.made(self.test_classes[kind])
        self._capture(n, v)
        return ["v", None, None]

    def _new_class(self, n, kind):
        del self.test_classes[n:]
        kind.__module__ = "tests"
        self.test_classes.append(kind)
        return ["v", None, None]

    def do_enumeration(self, n, base, name, members):
        return self._new_class(n, objects.made_enum(base, name, members, self._decoder().decode))

    def do_named(self, n, name, fields, defaults, annotations):
        decode = self._decoder().decode
        kind = collections.namedtuple(name, fields, defaults=map(decode, defaults))
        kind.__annotations__ = {k: decode(v) for k, v in annotations.items()}
        return self._new_class(n, kind)

    def do_class(self, n, name, bases):
        decode = self._decoder().decode
        return self._new_class(n, types.new_class(name, tuple(object if b is None else decode(b) for b in bases)))

    def do_fill(self, n, own, data, annotations):
        objects.filled(self.test_classes[n], own, data, annotations, self._decoder().decode)
        self.filled[n] = objects.attributes(self.test_classes[n])
        return ["v", None, None]


def refill(to, v):
    fill(to, [x for pair in v.items() for x in pair] if isinstance(v, dict) else list(v))


def counted(g, count, sent=None):
    while True:
        try:
            x = g.send(sent)
        except StopIteration as e:
            count[0] += 1
            return e.value
        count[0] += 1
        sent = yield x
        if sent is not None:  # the tests take items of theirs, and send nothing
            missing.lacked = missing.lacked or MORE
