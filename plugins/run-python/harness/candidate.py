# The candidate's side: serve_peer() answers in an instance of its own, which holds the candidate
# and what it is called with. Nothing in this file and those that it imports is a defence: a candidate may change all of
# it, and then its answers are whatever it makes them. judge.py trusts none of them.
import builtins, collections, decimal, io, linecache, operator, os, random, sys, time, types, warnings

from . import files, objects, streams
from .answers import NAMED_VALUES
from .lacks import CLASSES, CLOCK, ENVIRONMENT, FILE, FILES, missing, SAID, TURNS
from .lent import Lent, refill
from .loops import run_coroutine
from .operations import awaited, OPERATIONS
from .parts import before_text, changed
from .turns import FRAME, frame_of, note_locks, sleep, sleep_alone
from .wire import CannotCross, COMPUTING, contents_of, Decoder, dumps, FLAT, LEAST, MAX_SAID, name_of, NUMBERED, numbered_in, PLAIN, quick, QUICK, REFERRED, request as message, requested, SHARED, SMALL

MAX_PART = 160 << 10        # of these, bytes in one answer: JSON has up to six for each

_simple = QUICK - {int}
_digits, _DIGITS = sys.get_int_max_str_digits, sys.get_int_max_str_digits()  # of integers in JSON


_warned = []  # class and text of each warning, for the tests' filters


def _warn(message, category, *_, **__):
    if len(_warned) >= 2 * MAX_SAID:
        missing.lacked = missing.lacked or SAID
    else:
        _warned.extend((next(k.__name__ for k in category.__mro__ if k.__module__ == "builtins"), str(message)[:1_000]))


def compiled(prompt, texts, above):
    """Compiles the first text that is a program. Returns the code, the text's index, the lines before it, and the source."""
    failure = None
    for k, text in enumerate(texts):
        failure = None
        for before in before_text(prompt, text):
            source = before + text
            try:
                return compile(source, FILE, "exec", dont_inherit=True), k, before.count("\n"), source
            except (SyntaxError, ValueError, RecursionError) as e:
                if failure is None:
                    failure = e
                    e.tried = k, before.count("\n")
    for k, text in changed(prompt, texts, above):
        for before in before_text(prompt, text):
            try:
                return compile(before + text, FILE, "exec", dont_inherit=True), k, before.count("\n"), before + text
            except (SyntaxError, ValueError, RecursionError):
                pass
    raise failure


def _context(get=decimal.getcontext):
    c = get().copy()  # of the class without hooks
    return c.prec, c.rounding, c.Emin, c.Emax, c.capitals, c.clamp, *[k.__name__ for k, on in c.traps.items() if on]


def _set_context(v, get=decimal.getcontext):
    c = get()
    c.prec, c.rounding, c.Emin, c.Emax, c.capitals, c.clamp, *names = v
    for k in c.traps:
        c.traps[k] = k.__name__ in names


STATES = {"random": (random.getstate, lambda v: random.setstate(v)), "decimal": (_context, _set_context)}


class World(Lent):
    """The candidate and what has happened to it."""

    def __init__(self):
        self.module, self.objects, self.numbers, self.classes, self.kinds = None, [], {}, [], {}
        self.inside, self.shared, self.functions, self.iterators, self.captured, self.seen = {}, {}, [], [], [], []
        self.printed = streams.redirect(streams.MAX_PRINTED)
        self.given, self.records, self.returned = (), None, None
        self.generators, self.tasks = [], {}
        self.mocks, self.patches, self.test_classes, self.filled, self.places, self.attributes, self.made, self.numbers_made = [], [], [], {}, {}, {}, [], {}

    answers = ()    # of functions of the tests that stay with them, which the request calls
    calling = None  # the answer that is a call of one
    lent = ()       # arguments of the call that is answered, which may change
    outer = ()      # those of calls of such functions that wait for what these ask
    thrown = ()     # exceptions of these functions
    derived = {}    # their classes below exceptions of the candidate, by name and bases
    stands = False  # the judge has a number of a function, class or module of the library
    members = ()    # classes of numbers and texts that have more to them than that
    cast = False    # it has a list or the like that has more to it than that
    coroutines = ()  # of the tests
    states = {"decimal": STATES["decimal"][0]()}  # and of random numbers, as the tests have last set them
    tables = {}     # what some of them say of values of the call, by number and text

    def answer(self, op, *rest):
        try:
            reply = getattr(self, "do_" + op)(*rest)
        except CannotCross as e:
            reply = ["n", str(e), None]
        except SystemExit as e:
            reply = ["q", repr(e.code)[:200], None]
        except BaseException as e:
            reply = ["x", self._told(e), None]
        if self.filled and not missing.lacked and any(objects.attributes(self.test_classes[n]) != known for n, known in self.filled.items()):
            missing.lacked = CLASSES
        if not self.printed.size and not missing.lacked and not _warned and not streams.ERRORS.size and len(reply) == 3 and reply[2] is None and reply[0] == "v":
            return quick(reply[1]) if type(reply[1]) in QUICK else dumps(reply[:2])
        if self.printed.size or missing.lacked or _warned or streams.ERRORS.size:
            if self.printed.size > self.printed.most or streams.ERRORS.size > streams.ERRORS.most:
                missing.lacked = missing.lacked or SAID
            reply += self.printed.taken().decode("utf-8", "surrogateescape"), missing.lacked, streams.ERRORS.taken().decode("utf-8", "replace"), *_warned
            _warned.clear()
            missing.lacked = CLOCK if missing.lacked == TURNS else missing.lacked
        elif reply[2] is None:
            del reply[2]
        return dumps(reply)

    def call(self, name, args):
        """Is answer("call", None, name, args, {}, False, 0), of which most requests are, in less time."""
        for x in args:
            if type(x) is list:
                return self.answer("call", None, name, args, {}, False, 0)
        try:
            v = getattr(self.module, name)(*args)
        except BaseException as e:
            return self.answer("raised", e)
        kind = type(v)
        if (kind is int and LEAST < v < SMALL or kind in _simple) and not self.filled and not self.printed.size and not missing.lacked and not _warned and not streams.ERRORS.size:
            return quick(v)
        if kind in NUMBERED and sys.getrefcount(v) > _HELD_BY_CALL:
            return self.answer("kept_returned", v)
        return self.answer("returned", v)

    # What the judge asks for.

    def do_load(self, prompt, texts, above, name, wanted):
        self.module = module = types.ModuleType(name)
        module.__file__ = FILE
        sys.modules[name] = module
        time.sleep, sys._getframe = sleep, frame_of
        warnings.showwarning = _warn
        warnings.simplefilter("always")
        code, used, before, source = compiled(prompt, texts, above)
        linecache.cache[FILE] = (lambda: source,)  # split when a traceback needs its lines
        note_locks(source)
        exec(code, module.__dict__)
        return ["v", [used, before, [self._name(w) for w in wanted]], None]

    def do_run(self, texts, above, given, prompts):
        """Runs a program with standard input, and answers what it prints."""
        code, used, _, source = compiled("", texts, above)
        linecache.cache[FILE] = (lambda: source,)  # split when a traceback needs its lines
        given = given.encode("utf-8", "surrogateescape")
        streams.redirect(streams.MAX_PRINTED)
        streams.StandardInput.text, streams.StandardInput.at = given, 0
        self.printed = printed = streams.OUTPUT
        sys.stdout = sys.__stdout__ = streams.PROGRAM_OUT
        sys.__stderr__ = sys.stderr
        streams.descriptors(given, printed)
        self.module = module = types.ModuleType("__main__")
        module.__file__, module.__builtins__ = FILE, builtins
        sys.modules["__main__"] = module
        sys.argv = [FILE]
        time.sleep = sleep_alone
        note_locks(source)
        if not prompts:
            builtins.input = lambda prompt="", /: streams.INPUT()
        os._exit = streams.exit_at_once
        ended = None
        try:
            try:
                exec(code, module.__dict__)
            except streams.Exited:
                raise
            except BaseException as e:
                ended = _failed(e)
            import atexit
            atexit._run_exitfuncs()
            if sys.stdout is not None and not getattr(sys.stdout, "closed", False):
                sys.stdout.flush()
            if ended is None:
                module.__dict__.clear()  # files and objects that still have something to write do so when they go
            try:
                streams.PROGRAM_OUT.flush()
            except ValueError:  # closed or detached
                pass
        except BaseException as e:
            ended = ended or _failed(e)
        if printed.size > streams.MAX_OUTPUT:
            printed.taken()
            return ["o", None, None]
        more = printed.size > MAX_PART
        if more:
            self.rest = printed.taken()
            more = self._print_part()
        if ended is not None:
            raise ended
        return ["v", [used, more], None]

    def do_more(self):
        """Answers the next part of what a program has printed."""
        return ["v", self._print_part(), None]

    def _print_part(self):
        """Has the answer say a part of what a program has printed. Reports whether there is more."""
        self.printed.write(self.rest[:MAX_PART])
        self.rest = self.rest[MAX_PART:]
        return bool(self.rest)

    def do_dir(self):
        return ["v", [k for k in vars(self.module) if not k.startswith("_")][:500], None]

    def do_shared(self, task):
        """Runs tests in the candidate's own instance, and answers the results that come out of that."""
        from . import forms
        return ["v", forms.shared(self, task), None]

    def do_name(self, name):
        return ["v", self._name(name), None]

    def _share(self, slot, *values):
        """Keeps what the tests and an object both have, as long as a change of the tests is to reach it."""
        for k, v in enumerate(values, slot):
            self.shared[k % SHARED] = v
            self.inside[k % SHARED] = numbered_in(v)

    def do_kept(self, kept):
        """Answers the contents of values that the tests still have, as far as they are not as they were; else nothing of each."""
        out = []
        for slot, before, inside in kept:
            v, coded = self.shared.get(slot % SHARED), None
            new = numbered_in(v)
            if new:
                old, self.inside[slot % SHARED] = self.inside[slot % SHARED], new
                try:
                    coded = self._encoder().encode(v)
                    if len(new) == 1 and new[0] is v and sys.getrefcount(v) <= _HELD_BY_KEPT:
                        coded = "-"  # only the tests have it still
                    elif dumps(coded) == dumps(requested(before)) and len(old) == len(new) and all(map(operator.is_, old, new)):
                        coded = None
                    elif inside and len(old) == inside + (type(v) in NUMBERED):
                        coded = ["+", *contents_of(self._encoder(), old)]
                except CannotCross:
                    pass
            out.append(coded)
        return ["v", out, None]

    def do_keep(self, slot, v):
        """Shares the arguments of the last call, whose result may use them later; or what a function returned, and has kept."""
        if v is None:
            self._share(slot, self.returned)
            self.returned = None
        else:
            self._share(slot, self.objects[v], *self.given)
        return ["v", None, None]

    def do_call(self, target, name, args, named, made, slot):
        f = self.module if target is None else self._target(target)
        if name is not None:
            f = getattr(f, name)
        given, lists = [], []
        for x in args:  # most arguments are plain values and lists of them
            if type(x) is list:
                if x[0] != "l" or list in map(type, x):
                    break
                x = x[1:]
                lists.append(x)
            given.append(x)
        else:
            if not named:
                return self._flat_call(f, args, given, lists, made, slot)
        decoder = self._decoder()
        given, named_ = [decoder.decode(x) for x in args], {k: decoder.decode(x) for k, x in named.items()}
        self.lent = [*self.outer, *decoder.numbered]
        try:
            v, e = f(*given, **named_), None
        except BaseException as e_:
            v, e = None, e_
        numbered = decoder.numbered
        self.given = numbered
        self.lent, self.tables = (), {}
        if slot:
            self._share(slot, v, *numbered)
        changed = False
        if numbered:
            again = self._encoder().encode
            try:
                changed = _differs([[again(x) for x in given], {k: again(x) for k, x in named_.items()}], [args, named])
            except CannotCross:
                changed = True
        if not slot and e is None and not changed and all(x is not v for x in numbered) and (type(v) in NUMBERED and sys.getrefcount(v) > _HELD_BY_CALL or _has_kept(v, numbered)):
            return self.do_kept_returned(v, numbered)
        return self._returned(v, e, numbered, changed, made)

    def do_value(self, target, name, args, named):
        """Calls a function for what it returns alone: nobody looks at what else it changes, or at what it keeps."""
        f, decode = getattr(self.module if target is None else self._target(target), name), None
        for n, x in enumerate(args):
            if type(x) is list and x[0] == "l" and list not in map(type, x):
                args[n] = x[1:]
            elif type(x) is list:
                decode = decode or self._decoder().decode
                args[n] = decode(x)
        v = f(*args, **{k: self._decoder().decode(x) for k, x in named.items()} if named else named)
        return self._plain(v) or self._returned(v, None, (), False, False)

    def _flat_call(self, f, args, given, lists, made, slot):
        self.lent = [*self.outer, *lists] if self.outer else lists
        try:
            v, e = f(*given), None
        except BaseException as e_:
            v, e = None, e_
        self.lent = ()
        self.given = lists
        if slot:
            self._share(slot, v, *lists)
        changed = False
        if lists:
            before = [x for x in args if type(x) is list]
            for x, old in zip(lists, before):
                if len(x) != len(old) - 1 or not all(map(operator.is_, x, old[1:])) and (x != old[1:] or list(map(type, x)) != list(map(type, old[1:]))):
                    changed = True
        plain = e is None and not changed
        for x in lists:
            plain = plain and x is not v  # it keeps its identity
        if plain and f is not None and not slot and type(v) in NUMBERED and sys.getrefcount(v) > _HELD_BY_CALL:
            return self.do_kept_returned(v)
        if plain and (told := self._plain(v)):
            return told
        return self.do_kept_returned(v, lists) if e is None and not changed and not slot and _has_kept(v, lists) else self._returned(v, e, lists, changed, made)

    def _plain(self, v):
        """Answers a plain value, or a list or tuple of them; else None."""
        kind = type(v)
        if kind in PLAIN or kind is int and LEAST < v < SMALL:
            return ["v", v, None]
        if (kind is list or kind is tuple) and FLAT.issuperset(map(type, v)) and _digits() == _DIGITS:
            return ["v", ["l" if kind is list else "t", *v], None]
        return None

    def _returned(self, v, e, numbered, changed, made):
        """Answers what a call returned or raised, and the contents of its arguments if it has changed one."""
        encoder = self._encoder()
        for x in numbered:
            encoder.numbers[id(x)] = len(encoder.kept)
            encoder.kept.append(x)
        if e is None:
            reply = self._value(encoder, v, made)
        elif isinstance(e, Exception):
            reply = ["x", self._told(e), None]
        else:
            raise e
        if changed:
            reply[2] = [encoder.contents(x) for x in numbered]
        return reply

    def do_kept_returned(self, v, numbered=()):
        """Answers with what a function returned, and has kept: the tests may change that."""
        self.returned = v
        return ["w", *self._returned(v, None, numbered, False, False)[1:]]

    def do_raised(self, e):
        return self._returned(None, e, (), False, False)

    def do_returned(self, v):
        return self._plain(v) or (self.do_kept_returned(v) if _has_kept(v) else self._returned(v, None, (), False, False))

    def do_get(self, target, name, slot):
        v = getattr(self._target(target), name)
        self._share(slot, v)
        if isinstance(v, (types.MethodType, types.BuiltinFunctionType, types.FunctionType)) and not (type(v) in NAMED_VALUES and COMPUTING.get(name_of(v)) is v) and v not in self.functions:
            return ["m", None, None]
        return self._value(self._encoder(), v, False)

    def do_holds(self, name, slot):
        """Answers whether a variable of the module still holds what the tests have read of it."""
        return ["v", getattr(self.module, name, None) is self.shared.get(slot % SHARED), None]

    def do_put(self, slot, v, contents=None):
        """Puts the contents of a value into what the tests share with an object: they have changed it."""
        decode = self._decoder().decode
        if slot < 0:
            n = -1 - slot
            if objects.is_object(self._captured(n)):
                objects.put(self.captured[n], v, decode)
                self.seen[n] = dumps(self._contents(self.captured[n]))
            else:
                self._put_captured(n, decode(v[0]) if isinstance(self._captured(n), types.CellType) else decode(v))
        else:
            to, inside = self.shared[slot % SHARED], self.inside[slot % SHARED]
            if contents is not None and len(contents) == len(inside):
                Decoder(self._decoded, inside).refill(contents)
            elif type(to) in NUMBERED:
                refill(to, decode(v))
            self.inside[slot % SHARED] = numbered_in(to)
        return ["v", None, None]

    # Variables and containers of the tests, which functions of theirs use.

    def do_process(self, args, names):
        """Has the arguments of the tests, and what they have changed in the environment."""
        if args is not None:
            sys.argv = args
        for k, v in names.items():
            if v is not None:
                os.environ[k] = v
            else:
                os.environ.pop(k, None)
        missing.lacked = "" if missing.lacked == ENVIRONMENT else missing.lacked
        return ["v", None, None]

    def do_stdin(self, text):
        """Gives what comes next the standard input of the tests."""
        streams.give(text.encode("utf-8", "surrogateescape"))
        return ["v", None, None]

    def do_stdout(self, *replaced):
        """Has what comes next print to other streams of the tests."""
        streams.replaced(*replaced)
        return ["v", None, None]

    def do_state(self, name, v):
        """Has the state of the tests of random numbers or decimals. Without one, reports whether it has still that of the last time."""
        read, to = STATES[name]
        if v is None:
            return ["v", read() == self.states[name], None]
        to(self._decoder().decode(v))
        self.states = {**self.states, name: read()}
        return ["v", None, None]

    def do_set(self, target, name, v, slot):
        decoder = self._decoder()
        setattr(self._target(target), name, decoder.decode(v))
        self._share(slot, *decoder.numbered)
        return ["v", None, None]

    def do_del(self, target, name):
        delattr(self._target(target), name)
        return ["v", None, None]

    def do_op(self, name, args, made, slot):
        decoder, encoder = self._decoder(), self._encoder()
        v = OPERATIONS[name](*[decoder.decode(x) for x in args])
        self._share(slot, v, *decoder.numbered)
        return self._value(encoder, v, made)

    def do_next(self, target):
        it = self._target(target)
        try:
            v = next(it) if hasattr(type(it), "__next__") else run_coroutine(awaited(type(it).__anext__(it)))
        except StopAsyncIteration:
            return ["end", None, None]
        except StopIteration as e:
            return ["end", None if e.value is None else self._encoder().encode(e.value), None]
        kept = type(v) in NUMBERED and sys.getrefcount(v) > _HELD_BY_CALL or _has_kept(v)
        reply = self._value(self._encoder(), v, False)
        if kept:
            self.returned, reply[0] = v, "w"
        return reply

    # Values.


def _differs(coded, before):
    """Reports whether two coded values have other texts. Where marshal writes the same, which takes a quarter of the time, they do not."""
    return message(coded) != message(before) and dumps(coded) != dumps(before)


_HELD_BY_CALL = REFERRED             # references to a value that the call alone holds
_HELD_BY_KEPT = _HELD_BY_CALL + 3    # of shared, and of what is in it: as it was, and as it is


def _has_kept(v, known=()):
    """Reports whether what is in a list, dict or tuple is also elsewhere, where the candidate may change it; known is what the tests have."""
    kind = type(v)
    if kind in NUMBERED:
        if kind is set or kind is bytearray or FLAT.issuperset(map(type, v.values() if isinstance(v, dict) else v)):
            return False
    elif kind is not tuple or FLAT.issuperset(map(type, v)):
        return False
    todo, known = [v], {id(x) for x in known} if known else known
    while todo:
        v = todo.pop()
        for x in dict.values(v) if isinstance(v, dict) else v:
            if type(x) in NUMBERED and id(x) not in known:
                if sys.getrefcount(x) > REFERRED + 1:
                    return True
                todo.append(x)
            elif type(x) is tuple and not FLAT.issuperset(map(type, x)):
                todo.append(x)
    return False


def _failed(e):
    """What has ended a program; None: it has exited with 0."""
    return None if isinstance(e, SystemExit) and (e.code is None or isinstance(e.code, int) and e.code & 255 == 0) else e


def note_environment():
    """Notes that the candidate changes the environment: the tests do not see that."""
    if _world is not None and not missing.lacked:
        missing.lacked = ENVIRONMENT


def note_look(path, lists):
    """Notes that the candidate looks for files that the tests have not named: those are not here."""
    if files.hidden and path is not None and not missing.lacked and (path in files.hidden or lists and any(p.startswith(path.rstrip("/") + "/") for p in files.hidden)):
        missing.lacked = FILES


def note_lack():
    missing.lacked = missing.lacked or FILES


_world = None


def forget():
    """Forgets the candidate: the image is made next."""
    global _world
    _world = None
    linecache.cache.pop(FILE, None)
    files.forget()
    streams.PRINTED.taken()
    streams.OUTPUT.taken()
    streams.ERRORS.taken()
    streams.StandardInput.text = b""
    streams.STDIN_TEXT.seek(0)
    sys._getframe = FRAME
    builtins.open, io.open, os.read, os.write, os.fstat, os.isatty, builtins.input, os._exit = streams.OPENS, streams.OPENS, streams.READS, streams.WRITES, streams.FSTATS, streams.ISATTY, streams.INPUT, streams.EXITS


def serve(world, request):
    return world.call(request[1], request[2]) if request[0] is None else world.answer(*request)


def serve_peer(request):
    global _world
    request = requested(request)
    if request[0] is None:
        reply = _world.call(request[1], request[2])
        return reply if _world.calling is None else _world.calling
    if request[0] == "again":
        _world.answers = collections.deque(request[1])
        reply = serve(_world, requested(request[2]))
        return reply if _world.calling is None else _world.calling
    if request[0] == "compiled":
        from . import texts
        return texts.compiled_ahead(*request[1:])
    if _world is None or request[0] in ("load", "run"):
        _world = World()
    reply = _world.answer(*request)
    return reply if _world.calling is None else _world.calling
