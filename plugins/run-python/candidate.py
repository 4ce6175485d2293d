# The candidate's side: serve_peer() answers in an instance of its own, which holds the candidate
# and what it is called with. Nothing in this file is a defence: a candidate may change all of
# it, and then its answers are whatever it makes them. judge.py trusts none of them.
import abc, array, builtins, collections, concurrent.futures.thread, contextlib, datetime, dis, enum, errno, importlib, inspect, io, itertools, linecache, math, operator, os, random, re, sys, threading, time, traceback, types, typing, warnings, weakref

import doubles, files, loops, objects
from given import given_to, is_hint, key_of
from loops import run_coroutine
from parts import before_text, changed
from wire import COMPUTING, CROSSES, Decimal, Fraction, NAMED, SHARED, CannotCross, Decoder, Encoder, LEAST, PLAIN, QUICK, SMALL, FLAT, NUMBERED, VALUES, dumps, fill, name_of, quick, request as message, requested

FILE = "solution.py"
MAX_PRINTED = 64 << 10      # bytes that one call prints for a test to see
MAX_OUTPUT = 4 << 20        # bytes that a program prints
MAX_PART = 160 << 10        # of these, bytes in one answer: JSON has up to six for each

# What a candidate lacks that counts beyond what 32 bits hold where CPython has 64: range(5 * 10**9) has no length here.
LONG = "sizes of 64 bits"
TEMPORARY = "a directory for temporary files"
DEEP = "so deep a stack of C calls"
FILES = "files that it shares with the tests"
ZONES = "the data of time zones"
CLOCK = "a clock that it shares with the tests"
TURNS = "threads that take turns"  # if it was a thread of the tests that slept; else it is CLOCK
RACES = "threads that run while another one sleeps"
ENVIRONMENT = "an environment that it shares with the tests"
LIFETIME = "to know how long the tests keep their objects"
CLASSES = "to change a class of the tests"
OVERRIDES = "to override methods of the tests' exceptions"
CYCLES = "to make objects of the tests' classes that hold one another"
MORE = "more items of a generator of the tests than can cross"
WAITS = "an event loop that it shares with the tests"
FRAMES = "the frames of the tests"

# Packages that CPython has elsewhere and this runtime lacks. A candidate that needs one was not tested.
PACKAGES = frozenset("""numpy scipy pandas sklearn sympy networkx statsmodels matplotlib seaborn PIL cv2 torch tensorflow keras jax transformers requests bs4 lxml yaml dateutil
    pytz regex nltk numba cython sortedcontainers more_itertools pydantic attr attrs flask django fastapi aiohttp httpx psutil tqdm openpyxl cryptography Crypto gmpy2 shapely
    multiprocessing _multiprocessing subprocess _posixsubprocess asyncio ssl _ssl tkinter _tkinter curses readline sqlalchemy pulp ortools faker blist toolz cytoolz rtree chardet
    gensim textblob geopandas folium wordcloud docx xlwt pytesseract librosa skimage mechanize texttable prettytable wikipedia threads
    resource ctypes _ctypes lzma _lzma mmap fcntl pwd grp termios syslog dbm turtle""".split()) | {LONG, TEMPORARY, DEEP, FILES, ZONES, CLOCK, RACES, ENVIRONMENT, LIFETIME, CLASSES, CYCLES, OVERRIDES, MORE, WAITS, FRAMES}

# Packages that this runtime has, and whose objects do not cross: a test cannot compare them. run-python-sci has some.
HELD = frozenset()

_exceptions = frozenset(v for v in vars(builtins).values() if isinstance(v, type) and issubclass(v, BaseException))
_bases = (int, float, str, bytes, tuple, list, dict, set, frozenset, bytearray)  # what may be below a class, and crosses as that
_simple = QUICK - {int}
_end = object()
_TOOL = 0  # of sys.monitoring


def _too_long(e, text):
    return (isinstance(e, OverflowError) and text.startswith("Python int too large to convert to C ")
            or isinstance(e, ValueError) and "islice()" in text and "sys.maxsize" in text)


_digits, _DIGITS = sys.get_int_max_str_digits, sys.get_int_max_str_digits()  # of integers in JSON


class _Printed(io.RawIOBase):
    """Keeps the first bytes that are written, and counts all of them."""

    def __init__(self, most, name):
        self.most, self.size, self.parts, self.name = most, 0, [], name

    def writable(self):
        return True

    def fileno(self):
        return STDOUT

    def write(self, b):
        n = len(b)
        if self.size < self.most:
            self.parts.append(bytes(b[:self.most - self.size]))
        self.size += n
        return n

    def taken(self):
        out, self.parts, self.size = b"".join(self.parts), [], 0
        return out


class _Missing:
    """Notes the first of PACKAGES that the candidate asks for, as the last finder of modules: programs catch the error."""

    lacked = ""

    def find_spec(self, name, path=None, target=None):
        if name in PACKAGES and self.lacked in ("", CLOCK, ENVIRONMENT):
            frame = sys._getframe(1)
            while frame is not None and "importlib" in frame.f_code.co_filename:
                frame = frame.f_back
            if frame is not None and frame.f_code.co_filename == FILE:  # not a module of Python's, which does without
                self.lacked = name


_missing = _Missing()
sys.meta_path.append(_missing)


# There are no threads: the work of one is done when it starts. That is one of the orders in which CPython may do it, unless it waits for another
# thread, or has no end; what fails then was not tested.
_waits = re.compile(r"\b(?:R?Lock|Event|Condition|Barrier|\w*Semaphore|\w*Queue|Timer|sleep|daemon|setDaemon)\b").search


_frame = sys._getframe
_LOCK = type(threading.Lock())
_order = itertools.count()
_running = []  # threads that run, one in another: when each began, in the order of threads and locks
_locks = weakref.WeakKeyDictionary()  # locks: when each was made, and the frame of the request that made it


def is_thread():
    return bool(_running)


def _request_frame():
    frame = _frame(1)
    while frame.f_back is not None and frame.f_code is not serve_peer.__code__:
        frame = frame.f_back
    return frame


def _noted(make):
    def noted():
        lock = make()
        _locks[lock] = next(_order), _request_frame()
        return lock
    return noted


_lock, _rlock = _noted(threading.Lock), _noted(threading.RLock)


def _note_locks(source):
    if "threading" in source:
        threading.Lock, threading.RLock = _lock, _rlock


def _is_guarded():
    """Reports whether what sleeps holds a lock that other threads have, too: it was made before this thread, and before the request, of which a thread of the tests may make another."""
    first, before = _request_frame(), _running[:1]
    return any((lock.locked() if type(lock) is _LOCK else lock._is_owned()) and (n < before[0] if before else made is not first) for lock, (n, made) in _locks.items())


def _note_threads():
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != FILE:
        frame = frame.f_back
    if frame is None or _waits("".join(linecache.getlines(FILE))):
        _missing.lacked = _missing.lacked or "threads"


def _start(self):
    if hasattr(self, "_rh_done"):
        raise RuntimeError("threads can only be started once")
    _note_threads()
    self._rh_done = False
    before, threading._active[threading.get_ident()] = threading._active.get(threading.get_ident()), self
    _running.append(next(_order))
    try:
        self.run()
    except SystemExit:
        pass
    except Exception as e:
        if threading.excepthook is threading.__excepthook__:  # without the traceback, which only the instance has that raised it
            print("Exception in thread %s:" % self.name, *traceback.format_exception_only(e), sep="\n", end="", file=sys.stderr)
        else:
            threading.excepthook(threading.ExceptHookArgs((type(e), e, e.__traceback__, self)))
    finally:
        _running.pop()
        self._rh_done = True
        threading._active[threading.get_ident()] = before


def _join(self, timeout=None):
    if not hasattr(self, "_rh_done"):
        raise RuntimeError("cannot join thread before it is started")


def _submit(self, f, /, *args, **named):
    with self._shutdown_lock:
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
    _note_threads()
    future = concurrent.futures.Future()
    future.set_running_or_notify_cancel()
    _running.append(next(_order))
    try:
        future.set_result(f(*args, **named))
    except Exception as e:
        future.set_exception(e)
    finally:
        _running.pop()
    return future


MAX_WAITS = 100  # of threads, each for some seconds


def note_wait(timeout):
    """Notes that something waits for another thread, of which there are none."""
    if _missing.lacked in ("", CLOCK, TURNS):
        _missing.lacked = "threads"
    _waited[0] += 1
    if timeout is None or _waited[0] > MAX_WAITS:
        raise RuntimeError("what waits here never ends: no other thread runs")
    _sleeps(timeout)


_waited, on_wait = [0], note_wait


def _wait(self, timeout=None):
    """Waits for another thread: Condition.wait, which queues, events, barriers and semaphores use. It times out, or never ends."""
    if not self._is_owned():
        raise RuntimeError("cannot wait on un-acquired lock")
    on_wait(timeout)
    return False


threading.Condition.wait = _wait
threading.Thread.start, threading.Thread.join, threading.Thread.is_alive = _start, _join, lambda self: getattr(self, "_rh_done", True) is False
threading.stack_size = lambda size=0: 0  # Python's calls take none of it here
concurrent.futures.thread.ThreadPoolExecutor.submit = _submit
_sleeps = time.sleep


def _sleep(seconds):
    """Sleeps. The tests do not see that time passes: what fails after it was not tested. Nor was what sleeps in a thread without a lock: others would run meanwhile."""
    if _running and _missing.lacked in ("", "threads", CLOCK, TURNS) and not _is_guarded():
        _missing.lacked = RACES
    elif seconds > 0 and _missing.lacked in ("", CLOCK):
        _missing.lacked = CLOCK if _is_guarded() else TURNS
    _sleeps(seconds)


def _sleep_alone(seconds):
    """Sleeps in a program, whose time no test measures."""
    if _running and _missing.lacked in ("", "threads") and not _is_guarded():
        _missing.lacked = RACES
    _sleeps(seconds)


def _frame_of(depth=0, /):
    """sys._getframe: the tests' frames are not among those of the candidate."""
    caller = _frame(1)
    if caller.f_code.co_filename.endswith("/inspect.py"):
        caller, depth_ = caller.f_back, 1
    else:
        depth_ = depth
    if depth_ and caller is not None and caller.f_code.co_filename == FILE and not _missing.lacked:
        _missing.lacked = FRAMES
    return _frame(depth + 1)


def _loop_sleeps():
    if not _missing.lacked and time.sleep is _sleep:
        _missing.lacked = CLOCK


loops.on_sleep = _loop_sleeps
resource = sys.modules["resource"] = types.ModuleType("resource")
resource.RLIMIT_STACK, resource.RLIM_INFINITY = 3, -1
resource.setrlimit, resource.getrlimit = lambda what, limits: None, lambda what: (-1, -1)


def _no_resource(name):
    _missing.lacked = _missing.lacked or "resource"
    raise AttributeError(name)


resource.__getattr__ = _no_resource


_warned = []  # class and text of each warning, for the tests' filters


def _warn(message, category, *_, **__):
    if len(_warned) < 200:
        _warned.extend((next(k.__name__ for k in category.__mro__ if k.__module__ == "builtins"), str(message)[:1_000]))


# What programs read and write by number. input() takes 0 for a terminal.
STDIN, STDOUT = 1_000, 1_001


class _Given(io.RawIOBase):
    """Standard input, as each open(0) has it: what one has read is gone for the others."""

    name, mode, text, at = "<stdin>", "rb", b"", 0

    def readable(self):
        return True

    seekable = readable

    def fileno(self):
        return STDIN

    def readall(self):
        return self.read(len(_Given.text))

    def readinto(self, b):
        part = _Given.text[_Given.at:_Given.at + len(b)]
        b[:len(part)] = part
        _Given.at += len(part)
        return len(part)

    def seek(self, n, whence=0):
        _Given.at = n + (0, _Given.at, len(_Given.text))[whence]
        return _Given.at


# Standard input and output of a candidate. They are made once, since that takes as long as many calls; an instance has one candidate.
_printed = _Printed(MAX_PRINTED, "<stdout>")
_errors = _Printed(MAX_PRINTED, "<stderr>")
_stdin = io.TextIOWrapper(io.BufferedReader(_Given()), encoding="utf-8", errors="surrogateescape", newline="\n")
_stdout = io.TextIOWrapper(_printed, encoding="utf-8", errors="surrogateescape", write_through=True)
_stderr = io.TextIOWrapper(_errors, encoding="utf-8", errors="backslashreplace", write_through=True)
_output = _Printed(MAX_OUTPUT + 1, "<stdout>")  # of a program, which may be lost, or overtaken by what is written without a buffer
_program_out = io.TextIOWrapper(io.BufferedWriter(_output), encoding="utf-8", errors="surrogateescape")
_stdin.mode, _stdout.mode, _program_out.mode = "r", "w", "w"


def _streams(given, most):
    """Puts standard input and output into memory."""
    if given:
        _Given.text = given
        _stdin.seek(0)
    _printed.most = most
    sys.stdin = sys.__stdin__ = _stdin
    sys.stdout = sys.__stdout__ = _stdout
    sys.stderr = sys.__stderr__ = _stderr
    return _printed


def _compiled(prompt, texts, above):
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


class _Later:
    """A coroutine of the tests sleeps. seconds: None if it was cancelled."""

    def __init__(self, seconds, number):
        self.seconds, self.number = seconds, number


class _Stop(BaseException):
    """The candidate calls a function of the tests that stays with them: what comes next is done in a new instance."""


def _stop(*_):
    raise _Stop


_OF_RECORDS = frozenset("name msg args levelname levelno pathname filename module exc_info exc_text stack_info lineno funcName created msecs relativeCreated thread threadName processName process taskName message asctime".split())


class World:
    """One candidate, with the objects of it that the judge knows by number."""

    def __init__(self):
        self.module, self.objects, self.numbers, self.classes, self.kinds = None, [], {}, [], {}
        self.shared, self.functions, self.iterators, self.captured, self.seen = {}, [], [], [], []
        self.printed = _streams(b"", MAX_PRINTED)
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
        if self.filled and not _missing.lacked and any(objects.attributes(self.test_classes[n]) != known for n, known in self.filled.items()):
            _missing.lacked = CLASSES
        if not self.printed.size and not _missing.lacked and not _warned and not _errors.size and len(reply) == 3 and reply[2] is None and reply[0] == "v":
            return quick(reply[1]) if type(reply[1]) in QUICK else dumps(reply[:2])
        if self.printed.size or _missing.lacked or _warned or _errors.size:
            reply += self.printed.taken().decode("utf-8", "surrogateescape"), _missing.lacked, _errors.taken().decode("utf-8", "replace"), *_warned
            _warned.clear()
            _missing.lacked = CLOCK if _missing.lacked == TURNS else _missing.lacked
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
        if (kind is int and LEAST < v < SMALL or kind in _simple) and not self.filled and not self.printed.size and not _missing.lacked and not _warned and not _errors.size:
            return quick(v)
        if kind in NUMBERED and sys.getrefcount(v) > _HELD_BY_CALL:
            return self.answer("kept_returned", v)
        return self.answer("returned", v)

    # What the judge asks for.

    def do_load(self, prompt, texts, above, name, wanted):
        self.module = module = types.ModuleType(name)
        module.__file__ = FILE
        sys.modules[name] = module
        time.sleep, sys._getframe = _sleep, _frame_of
        warnings.showwarning = _warn
        warnings.simplefilter("always")
        code, used, before, source = _compiled(prompt, texts, above)
        linecache.cache[FILE] = (lambda: source,)  # split when a traceback needs its lines
        _note_locks(source)
        exec(code, module.__dict__)
        return ["v", [used, before, [self._name(w) for w in wanted]], None]

    def do_run(self, texts, above, given, prompts):
        """Runs a program with standard input, and answers what it prints."""
        code, used, _, source = _compiled("", texts, above)
        linecache.cache[FILE] = (lambda: source,)  # split when a traceback needs its lines
        given = given.encode("utf-8", "surrogateescape")
        _streams(b"", MAX_PRINTED)
        _Given.text, _Given.at = given, 0
        self.printed = printed = _output
        sys.stdout = sys.__stdout__ = _program_out
        _descriptors(given, printed)
        self.module = module = types.ModuleType("__main__")
        module.__file__, module.__builtins__ = FILE, builtins
        sys.modules["__main__"] = module
        sys.argv = [FILE]
        time.sleep = _sleep_alone
        _note_locks(source)
        if not prompts:
            builtins.input = lambda prompt="", /: _input()
        os._exit = _exit_at_once
        ended = None
        try:
            try:
                exec(code, module.__dict__)
            except _Exited:
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
                _program_out.flush()
            except ValueError:  # closed or detached
                pass
        except BaseException as e:
            ended = ended or _failed(e)
        if printed.size > MAX_OUTPUT:
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
        import forms
        return ["v", forms.shared(self, task), None]

    def do_name(self, name):
        return ["v", self._name(name), None]

    def _share(self, slot, *values):
        """Keeps what the tests and an object both have, as long as a change of the tests is to reach it."""
        for k, v in enumerate(values, slot):
            self.shared[k % SHARED] = v

    def do_kept(self, kept):
        """Answers the contents of values that the tests still have, as far as they are not as they were; else nothing of each."""
        out = []
        for slot, before in kept:
            v, coded = self.shared.get(slot % SHARED), None
            if type(v) in NUMBERED:
                try:
                    coded = self._encoder().encode(v)
                    if dumps(coded) == dumps(requested(before)):
                        coded = None
                except CannotCross:
                    pass
            out.append(coded)
        return ["v", out, None]

    def do_keep(self, slot, v):
        """Shares the arguments of the last call, whose result may use them later; or what a function returned, and has kept."""
        if v is None:
            self._share(slot, self.returned)
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
        return self.do_returned(f(*args, **{k: self._decoder().decode(x) for k, x in named.items()} if named else named))

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
        return plain and self._plain(v) or self._returned(v, e, lists, changed, made)

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

    def do_kept_returned(self, v):
        """Answers with what a function returned, and has kept: the tests may change that."""
        self.returned = v
        return ["w", *self._returned(v, None, (), False, False)[1:]]

    def do_raised(self, e):
        return self._returned(None, e, (), False, False)

    def do_returned(self, v):
        return self._plain(v) or self._returned(v, None, (), False, False)

    def do_get(self, target, name, slot):
        v = getattr(self._target(target), name)
        self._share(slot, v)
        if isinstance(v, (types.MethodType, types.BuiltinFunctionType, types.FunctionType)) and not (type(v) in _NAMED and COMPUTING.get(name_of(v)) is v) and v not in self.functions:
            return ["m", None, None]
        return self._value(self._encoder(), v, False)

    def do_holds(self, name, slot):
        """Answers whether a variable of the module still holds what the tests have read of it."""
        return ["v", getattr(self.module, name, None) is self.shared.get(slot % SHARED), None]

    def do_put(self, slot, v):
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
            _refill(self.shared[slot % SHARED], decode(v))
        return ["v", None, None]

    # Variables and containers of the tests, which functions of theirs use.

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
            _refill(to, v)
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
                _missing.lacked = _missing.lacked or LIFETIME
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
        f = types.FunctionType(code, {"__builtins__": builtins, "__name__": "tests", **{m: _module(m) for m in modules}}, code.co_name, None, tuple(types.CellType(values[k]) for k in code.co_freevars))
        given, named = given_to(code, values)
        count = [0]
        self.generators.append((_counted(f(*given, **named), count), count))
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
        f.__annotations__, f.__qualname__ = {k: decode(v) for k, v in annotations.items()}, qualified
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
        f.__annotations__ = {k: decode(v) for k, v in annotations.items()}
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
            known = self.tables[n].get(key_of(args[0]), _end)
            if known is not _end:
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
            reply = serve(self, requested(request))
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
            self.thrown = [*self.thrown, (v, k)]
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
        if n < len(self.mocks):
            doubles.made(tree, decode, self.mocks[n][0])
        else:
            self.mocks.append([doubles.bare(tree, decode), 0, {}])  # it may have itself in it
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
        return self._target(place[0]) if len(place) == 1 else _module(place[1]) if place[2] is None else getattr(_module(place[1]), place[2])

    def do_patch(self, place, name, v):
        of = self._place(place)
        self.patches.append((of, name, getattr(of, "__dict__", {}).get(name, _end)))
        setattr(of, name, self._decoder().decode(v))
        return ["v", None, None]

    def do_restore(self, place, name):
        of = self._place(place)
        n = next((n for n in range(len(self.patches) - 1, -1, -1) if self.patches[n][0] is of and self.patches[n][1] == name), None)
        if n is not None:
            before = self.patches.pop(n)[2]
            if before is _end:
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
            _missing.lacked = _missing.lacked or FILES
            raise CannotCross("more of files than can cross")
        return ["v", [files.cwd, changed], None]

    def do_log(self, name, level):
        """Keeps what is logged, for the tests."""
        import logging
        if self.records is None:
            self.records = []

            class Records(logging.Handler):
                def emit(handler, record):
                    if len(self.records) < 1_000 and not any(record is r for r in self.records):
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
            own[k] = dict(zip(parts[::2], parts[1::2])) if how == "annotations" else property(*parts) if how == "property" else staticmethod(parts[0]) if how == "staticmethod" else classmethod(parts[0]) if how == "classmethod" else parts[0]
        kind = types.new_class(name, tuple(self.classes[b] for b in bases), {k: decode(v) for k, v in named.items()}, lambda body: body.update(own))
        return ["v", self._class(kind)[0], None]

    def do_process(self, args, names):
        """Has the arguments of the tests, and what they have changed in the environment."""
        if args is not None:
            sys.argv = args
        for k, v in names.items():
            if v is not None:
                os.environ[k] = v
            else:
                os.environ.pop(k, None)
        _missing.lacked = "" if _missing.lacked == ENVIRONMENT else _missing.lacked
        return ["v", None, None]

    def do_stdin(self, text):
        """Gives what comes next the standard input of the tests."""
        self.printed = _streams(text.encode("utf-8", "surrogateescape"), MAX_PRINTED)
        return ["v", None, None]

    def do_seed(self, v):
        random.seed(self._decoder().decode(v))
        return ["v", None, None]

    def do_set(self, target, name, v):
        setattr(self._target(target), name, self._decoder().decode(v))
        return ["v", None, None]

    def do_del(self, target, name):
        delattr(self._target(target), name)
        return ["v", None, None]

    def do_op(self, name, args, made, slot):
        decoder, encoder = self._decoder(), self._encoder()
        v = _operations[name](*[decoder.decode(x) for x in args])
        self._share(slot, v)
        return self._value(encoder, v, made)

    def do_next(self, target):
        it = self._target(target)
        try:
            v = next(it) if hasattr(type(it), "__next__") else run_coroutine(_awaited(type(it).__anext__(it)))
        except StopAsyncIteration:
            return ["end", None, None]
        except StopIteration as e:
            return ["end", None if e.value is None else self._encoder().encode(e.value), None]
        return self._value(self._encoder(), v, False)

    # Values.

    def _target(self, t):
        """The module, an object by its number, or a class."""
        return self.module if t is None else self.objects[t] if type(t) is int else self.classes[t[0]]

    def _value(self, encoder, v, made):
        if type(v) is types.CoroutineType:
            return ["a", self._handle(v)[1], None]
        if made and type(v).__module__ != "builtins" and type(v) not in CROSSES and not isinstance(v, (enum.Enum, BaseException)) and not (_is_record(v) and not _own(type(v)) & _OPERATORS and FLAT.issuperset(map(type, v))):
            return ["v", self._handle(v), None]
        if self.shared and type(v) in NUMBERED and id(v) not in encoder.numbers:
            slots = [slot for slot, known in self.shared.items() if known is v]
            if slots:  # the tests may have it already
                return ["v", ["~", slots, encoder.encode(v)], None]
        return ["v", encoder.encode(v), None]

    def _encoder(self):
        encoder = Encoder(None)
        encoder.other = lambda v: self._other(encoder, v)
        return encoder

    def _decoder(self):
        return Decoder(self._decoded)

    def _name(self, name):
        try:
            v = getattr(self.module, name)
        except AttributeError:
            return None
        if isinstance(v, type):
            return ["K", self._class(v)]
        return ["F"] if callable(v) and (type(v).__module__ not in ("typing", "types") or self._hint(self._encoder(), v) is None) else ["V"]

    def _handle(self, v):
        n = self.numbers.get(id(v))
        if n is None:
            n = self.numbers[id(v)] = len(self.objects)
            self.objects.append(v)
            self.stands = self.stands or _is_of_library(v)
            package = type(v).__module__.partition(".")[0]
            if package in HELD and not _missing.lacked:
                _missing.lacked = "%s.%s" % (package, type(v).__name__)
        return ["H", n, self._class(type(v))]

    def _class(self, kind, depth=0):
        """A class as [number, name, bases, module of the library]; a built-in one as its name."""
        told = self.kinds.get(id(kind))
        if told is not None:
            return told
        if kind.__module__ == "builtins":
            return kind.__name__
        if kind in self.test_classes:
            return ["U", self.test_classes.index(kind)]
        name, qualified = kind.__name__[:100], kind.__qualname__
        told = self.kinds[id(kind)] = [len(self.classes), qualified if qualified is not name and qualified.endswith("." + name) and len(qualified) < 1_000 else name]
        self.classes.append(kind)
        told += [self._class(b, depth + 1) for b in kind.__bases__[:8]] if depth < 16 else [], _library(kind)
        return told

    def _other(self, encoder, v):
        """Encodes what has no form of its own: by the built-in type below it, or by number."""
        kind = type(v)
        if kind is types.GeneratorType and any(v is g for g, _ in self.generators):
            return ["x", next(n for n, (g, _) in enumerate(self.generators) if v is g)]
        if kind is types.CoroutineType and any(v is c for c in self.coroutines):
            return ["q", next(n for n, c in enumerate(self.coroutines) if v is c)]
        if kind is _list_iterator and any(v is it for it in self.iterators):
            return ["j", next(n for n, it in enumerate(self.iterators) if v is it)]
        if self.mocks and doubles.is_mock(v):
            root, path = doubles.path_of(v)
            n = next((n for n, (m, *_) in enumerate(self.mocks) if m is root), None)
            if n is not None:
                return ["T", n, *path]
        if kind is types.FunctionType and v in self.functions and vars(v) == self.attributes.get(self.functions.index(v), {}):
            return ["f", self.functions.index(v)]
        if self.test_classes or self.places:
            coded = self._of_tests(encoder, v)
            if coded is not None:
                return coded
        if isinstance(v, BaseException):
            return self._exception(encoder, v)
        if kind is doubles.SENTINEL:
            return ["M", "unittest.mock", "sentinel." + v.name]
        if kind in _NAMED and COMPUTING.get(name_of(v)) is v:
            return ["M", *name_of(v)]
        if kind.__module__ in ("typing", "types"):
            coded = self._hint(encoder, v)
            if coded is not None:
                return coded
        if isinstance(v, type):
            self.stands = self.stands or v not in _bases and _library(v) != ""
            return ["N", v.__name__] if v in _exceptions or v in _bases else ["K", self._class(v)]
        if kind is _Shown:
            return ["W", v.name, *map(encoder.encode, v.args)]
        if isinstance(v, enum.Enum):
            coded = self._member(encoder, v)
            return ["I", kind.__module__, kind.__name__, v.name, coded] if kind.__members__.get(v.name) is v and _library(kind) else coded
        if _is_record(v):
            own = _own(kind)
            if not own & _OPERATORS:
                return ["R", self._class(kind), self._handle(v)[1] if own else None, list(kind._fields), *map(encoder.encode, tuple(v))]
            return self._handle(v)
        if "%s.%s" % (kind.__module__, kind.__name__) in VALUES and _library(kind):
            return ["J", kind.__module__, kind.__name__, str(v)]
        if id(kind) in self.kinds and kind not in self.members:
            return self._handle(v)  # of a class that the tests know
        if _operates(kind):
            return self._handle(v)
        if isinstance(v, (int, str, float)) and (kind in self.members or _has_own(v)):
            self.members = {*self.members, kind}
            return self._member(encoder, v)
        for base in _bases:
            if isinstance(v, base):
                self.cast = self.cast or _has_own(v)
                return encoder.encode(base.__getnewargs__(v)[0] if base in (int, float, str, bytes) else {k: v[k] for k in v} if base is dict else base(iter(v)))
        return self._handle(v)

    def _hint(self, encoder, v):
        """Encodes what is written for a type, as list[int] or typing.Any; None: it is none."""
        if isinstance(v, types.UnionType):
            how, of, args = "|", None, v.__args__
        elif isinstance(v, types.GenericAlias):
            how, of, args = "[]", v.__origin__, v.__args__
        else:
            origin, args, of = getattr(v, "__origin__", None), typing.get_args(v) or None, None
            how = "Union" if origin is typing.Union else getattr(v, "_name", None) or getattr(v, "__name__", None)
            base = vars(typing).get(how)
            if base is None or (base is not v if args is None else getattr(base, "__origin__", base) is not origin):
                return None
        args = args and [None if x is types.NoneType else x for x in args]
        if args and not (len(args) <= 100 and all(is_hint(x, how == "Literal") for x in args)) or of is not None and _library(of) != of.__module__ and of not in _bases:
            return None
        return ["Y", how, encoder.encode(of), args and [*map(encoder.encode, args)]]

    def _of_tests(self, encoder, v):
        """Encodes an object of a class of the tests, or such a class; None: it is none."""
        n = self.places.get(id(v))
        if n is not None:
            return ["$", n]
        for n, kind in enumerate(self.test_classes):
            if v is kind:
                return ["U", n]
            if type(v) is kind:
                if isinstance(v, enum.Enum):
                    return ["V", n, v.name]
                if isinstance(v, tuple):
                    return ["P", n, *map(encoder.encode, tuple(v))]
                if objects.is_plain(kind):
                    try:
                        coded = objects.contents(v, self._held)
                        return ["n", n, coded, self._made(v, coded)]
                    except RecursionError:
                        _missing.lacked = _missing.lacked or CYCLES
                        raise

    def _made(self, v, coded):
        """The number of an object that the candidate has made of a class of the tests, by which they know it again. It stays; None: somebody would see that."""
        if hasattr(v, "__del__"):
            return None
        if weakref.getweakrefcount(v):
            _missing.lacked = _missing.lacked or LIFETIME
            return None
        n = self.numbers_made.setdefault(id(v), len(self.made))
        self.made[n:n + 1] = [(v, dumps(coded))]
        return n

    def _held(self, v):
        n = self.places.get(id(v))
        return self._encoder().encode(v) if n is None else ["$", n]

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

    def _member(self, encoder, v):
        """A member of an enumeration; one that is a number or text too, with that."""
        for base in (int, str, float):
            if isinstance(v, base):
                return [*self._handle(v), encoder.encode(base.__getnewargs__(v)[0])]
        return self._handle(v)

    def _exception(self, encoder, e, depth=0):
        for thrown, k in self.thrown:
            if e is thrown:
                return ["E", "", [k], [], None, None]
        values, more = [], dict(vars(e))
        for kind, names in _HIDDEN.items():
            if isinstance(e, kind):
                more.update((name, getattr(e, name)) for name in names if getattr(e, name) is not None)
        own = [k for k in type(e).__mro__ if k.__module__ != "builtins"]
        for k in own:  # what the class says of all, and what it computes
            for name, v in vars(k).items():
                if not name.startswith("_") and (isinstance(v, property) or not callable(v) and not hasattr(v, "__get__")):
                    try:
                        more.setdefault(name, getattr(e, name))
                    except Exception:
                        pass
        args = (_message(e), list(_exceptions_in(e))) if isinstance(e, BaseExceptionGroup) else e.args  # its class may have been called with others
        for v in (*args[:20], *[x for pair in list(more.items())[:20] for x in pair]):
            try:
                values.append(encoder.encode(v))
            except (CannotCross, RecursionError):
                values.append(repr(v)[:200])
        n = min(len(args), 20)
        text = str(e)[:10_000] if not _library(type(e)) and any("__str__" in vars(k) for k in own) else None
        if own and not set(own).isdisjoint(self.test_classes) and _overrides(own, self.test_classes):
            _missing.lacked = _missing.lacked or OVERRIDES
        told = self._class(type(e))
        handle = [self._handle(e), [name for k in own for name in vars(k) if name in EXCEPTION_OPERATORS]] if type(told) is list and told[0] != "U" and not told[3] else []
        return ["E", told, values[:n], values[n:], text, self._chained(encoder, e, depth), *handle]

    def _chained(self, encoder, e, depth):
        """The cause and context of an exception, and its notes; None: it has none."""
        if depth > 3 or e.__cause__ is None and e.__context__ is None and not e.__suppress_context__ and "__notes__" not in vars(e):
            return None
        return [*(None if x is None else self._exception(encoder, x, depth + 1) for x in (e.__cause__, e.__context__)), e.__suppress_context__, [str(x)[:1_000] for x in vars(e).get("__notes__", ())[:20]]]

    def _told(self, e):
        """An exception, its text, the last line of the candidate's that it passed, and what it lacks."""
        try:
            exception = self._exception(self._encoder(), e)
        except Exception:
            exception = ["E", "Exception", [], [], None, None]
        try:
            text = str(e)[:500]
        except BaseException:
            text = ""
        line, tried = 0, vars(e).get("tried", (0, 0))
        if isinstance(e, SyntaxError) and e.filename == FILE:
            line, text = e.lineno or 0, str(e.msg)[:500]
        tb, files = e.__traceback__, []
        while tb is not None:
            file = tb.tb_frame.f_code.co_filename
            if file == FILE:
                line = tb.tb_lineno
            files.append(file)
            tb = tb.tb_next
        return [exception, text, line, WAITS if isinstance(e, loops.NoLoop) else "asyncio" if loops.is_beyond(e, files) else _lacks(e, text), list(tried)]

    def _decoded(self, decoder, v):
        tag = v[0]
        if tag == "H":
            return self.objects[v[1]]
        if tag == "f":
            return self.functions[v[1]]
        if tag == "j":
            return self.iterators[v[1]]
        if tag == "U":
            return self.test_classes[v[1]]
        if tag == "V":
            return self.test_classes[v[1]][v[2]]
        if tag == "P":
            return self.test_classes[v[1]]._make(map(decoder.decode, v[2:]))
        if tag == "~":
            v = self.shared[v[1] % SHARED]
            decoder.numbered.append(v)
            decoder.sizes.append(1)
            return v
        if tag == "x":
            return self.generators[v[1]][0]
        if tag == "q":
            return self.coroutines[v[1]]
        if tag == "Y":
            return _first_of(decoder.decode(v[1]))
        if tag == "T":
            return doubles.at(self.mocks[v[1]][0], v[2:])
        if tag == "I":
            return iter(decoder.decode(v[1]))
        if tag == "J":
            return _named(v[1], v[2])(*map(decoder.decode, v[3:]))
        if tag == "$":
            return self.captured[v[1]]
        if tag == "m":
            return getattr(self.captured[v[1]], v[2])
        if tag == "M":
            of = importlib.import_module(v[1]) if type(v[1]) is str else self._target(v[1])
            return operator.attrgetter(v[2])(of) if v[2] else of
        if tag == "R":
            return tuple.__new__(self.classes[v[1][0]], map(decoder.decode, v[4:]))
        if tag == "N":
            return getattr(builtins, v[1])
        if tag == "K":
            return self.classes[v[1]]
        if tag == "E":
            kind = getattr(builtins, v[1]) if type(v[1]) is str else self.classes[v[1]]
            return kind(*map(decoder.decode, v[2]))
        raise ValueError(tag)


_NAMED = frozenset((types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, type, abc.ABCMeta))  # what name_of names


def _is_of_library(v):
    """Reports whether a value is a module of the library, or a function of one."""
    if type(v) is types.ModuleType:
        return v.__name__.partition(".")[0] in sys.stdlib_module_names
    return type(v) in (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType) and _library(v) != ""


def _differs(coded, before):
    """Reports whether two coded values have other texts. Where marshal writes the same, which takes a quarter of the time, they do not."""
    return message(coded) != message(before) and dumps(coded) != dumps(before)


_message, _exceptions_in = (vars(BaseExceptionGroup)[name].__get__ for name in ("message", "exceptions"))


def _library(kind):
    """The module of the library that has a class under its name, or nothing."""
    module = kind.__module__
    return module if type(module) is str and module.partition(".")[0] in sys.stdlib_module_names and getattr(sys.modules.get(module), kind.__name__, None) is kind else ""


def _has_own(v):
    """Reports whether an object of a class below a built-in one has attributes beyond those of that."""
    return bool(getattr(v, "__dict__", None)) or any(k.__module__ != "builtins" and any(not name.startswith("__") for name in vars(k)) for k in type(v).__mro__)


def _is_record(v):
    return isinstance(v, tuple) and hasattr(type(v), "_fields")


def _own(kind):
    """The names that the class of a named tuple has beyond its fields."""
    return {name for k in kind.__mro__ if k not in tuple.__mro__ for name, v in vars(k).items()
            if name not in kind._fields and (name not in _GENERATED or name in ("__repr__", "__str__") and getattr(getattr(v, "__code__", None), "co_filename", "") == FILE)}


def _overrides(kinds, of_tests):
    """Reports whether a class of the candidate replaces what one of the tests above it computes."""
    return any(name in vars(t) for k in kinds if k not in of_tests for name, v in vars(k).items() if (callable(v) or hasattr(v, "__get__")) and name not in ("__init__", "__new__", "__str__")
               for t in kinds if t in of_tests)


# Operators that exceptions do not have, or have in another way.
EXCEPTION_OPERATORS = frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __len__ __getitem__ __iter__ __contains__ __bool__ __repr__ __call__ __int__ __float__ __index__ __format__ __enter__ __exit__ derive".split())

# Attributes of exceptions that are not among their arguments.
_HIDDEN = {OSError: ("filename", "filename2"), ImportError: ("name", "path"), NameError: ("name",), AttributeError: ("name",)}


class _Generated(typing.NamedTuple):
    field: int = 0


_GENERATED = {*dir(type("_Sub", (_Generated,), {})), "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__orig_bases__", "__firstlineno__", "__static_attributes__", "__match_args__", "__weakref__"} - {
    name for name in vars(tuple) if callable(vars(tuple)[name]) and name not in ("__new__", "__getnewargs__", "__repr__")}
_OPERATORS = frozenset("__%s__" % name for name in """eq ne lt le gt ge hash len iter getitem contains bool call enter exit add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv
    mod rmod pow rpow matmul rmatmul and rand or ror xor rxor neg pos abs invert round int float index reversed getattr getattribute format""".split())


_DECIDES = (_OPERATORS | {"__missing__", "__setitem__", "__delitem__"}) - {"__hash__", "__format__"}


def _is_candidates(module):
    return type(module) is str and module.partition(".")[0] not in sys.stdlib_module_names


def _operates(kind):
    """Reports whether a class has operators and methods of its own where the class of Python's below it has others."""
    own = {name for k in kind.__mro__ if _is_candidates(k.__module__) for name in vars(k)}
    below = next(k for k in kind.__mro__ if not _is_candidates(k.__module__))
    return not own.isdisjoint(_DECIDES) or any(name[:1] != "_" and hasattr(below, name) for name in own)


def _operand(v, name):
    """What stands for an object of a class below one of Python's where it is operated on, in a tuple; True: an operator that the candidate has written decides."""
    method = getattr(type(v), name, None)
    if method is collections.abc.Mapping.__contains__:
        method = type(v).__getitem__
    if type(method) is types.FunctionType and _is_candidates(method.__module__):
        return True
    return _shown(v) or next(((base.__getnewargs__(v)[0] if base in (int, float, str, bytes) else base(v),) for base in _bases if isinstance(v, base)), ())


def _lacks(e, text):
    """What this runtime lacks that an exception comes of, or nothing."""
    if isinstance(e, ModuleNotFoundError):
        return e.name or ""
    if isinstance(e, RuntimeError) and text.startswith("can't start new thread"):
        return "threads"
    if isinstance(e, FileNotFoundError) and "No usable temporary directory" in text:
        return TEMPORARY
    if isinstance(e, OSError) and e.errno == errno.EROFS:
        return FILES
    if type(e).__name__ == "ZoneInfoNotFoundError":
        return ZONES
    if isinstance(e, RecursionError) and text.startswith("Stack overflow"):
        return DEEP
    return LONG if _too_long(e, text) else ""


def _refill(to, v):
    fill(to, [x for pair in v.items() for x in pair] if isinstance(v, dict) else list(v))


async def _awaited(v):
    return await v


def _exit(v, e=None):
    return type(v).__exit__(v, None if e is None else type(e), e, None)


def _counted(g, count):
    for x in g:
        count[0] += 1
        yield x
    count[0] += 1  # at its end


def _first_of(items):
    """Yields what crosses of a generator without end."""
    yield from items
    _missing.lacked = _missing.lacked or MORE
    raise RuntimeError("more than %d items of a generator of the tests" % len(items))


def _held_by_call(f):
    v = f()
    return sys.getrefcount(v)


_HELD_BY_CALL = _held_by_call(list)  # references to what nobody has kept
_list_iterator = type(iter([]))


def _module(name):
    return importlib.import_module(name)


def _named(module, name):
    return getattr(importlib.import_module(module), name)


class _Shown:
    """What is made of arguments on the other side."""

    def __init__(self, name, *args):
        self.name, self.args = name, args


def _shown(v):
    """What an object of a class of the library is compared as, or one whose class has the comparison of such a class, in a tuple; else nothing."""
    method, kind = type(v).__eq__, type(v)
    if method is types.SimpleNamespace.__eq__:
        return _Shown("SimpleNamespace", vars(v)),
    if method is collections.abc.Mapping.__eq__:
        return dict(v.items()),
    if method is types.MappingProxyType.__eq__:
        return v.copy(),
    if method is collections.abc.Set.__eq__ and len(set(v)) == len(v):
        return set(v),
    if method is collections.UserList.__eq__ and type(v.data) is list or method is collections.UserString.__eq__ and type(v.data) is str:
        return v.data,
    if method is array.array.__eq__ and kind is array.array:
        return _Shown("array", v.typecode, v.tolist()),
    if method is memoryview.__eq__ and v.format == "B" and v.ndim == 1:
        return bytes(v),
    return ()


# Classes of the library that have a value, and how that of an object of a class below is told.
_NUMBERS = {
    Fraction: lambda v: Fraction(v.numerator, v.denominator), Decimal: Decimal, datetime.datetime: lambda v: datetime.datetime.combine(datetime.datetime.date(v), datetime.datetime.timetz(v)),
    datetime.date: lambda v: datetime.date(v.year, v.month, v.day), datetime.timedelta: lambda v: datetime.timedelta(v.days, v.seconds, v.microseconds)}


def _compares(v, kind, name, raises):
    """Reports whether the class of v compares it with others of a built-in class by a method of its own that looks at their values; if by that of a class of the library,
    answers v in that, in a tuple. What the method raises counts if it is the same for all values, and if it says so. kind is None for other classes of the library."""
    name = "__%s__" % name
    method = getattr(type(v), name)
    shown = _shown(v) if name == "__eq__" else ()
    if shown:
        return shown
    for base in (*NAMED.values(), *_bases, *_NUMBERS):
        if method is getattr(base, name) and isinstance(v, base):
            if name != "__eq__":
                return True
            if base in _NUMBERS:
                return _NUMBERS[base](v),
            if issubclass(base, dict):
                items = dict(base.items(v))
                return items if base is collections.defaultdict else base(items),
            return base.__getnewargs__(v)[0] if base in (int, float, str, bytes) else base(v),
    if kind is None:
        return ()
    if method is getattr(object, name):
        return False
    try:
        answer = method(v, kind())
    except Exception:
        if _is_blind(method, kind):
            raise
        return raises
    return answer is not NotImplemented and not (answer is False and _is_blind(method, kind))


_CLASS_OF = frozenset(("isinstance", "type", "hasattr", "getattr"))


def _is_blind(method, kind):
    """Reports whether a method that compares asks its argument only for its class, and for attributes that values of a built-in class do not have."""
    code = getattr(method, "__code__", None)
    if code is None or code.co_argcount != 2 or code.co_varnames[1] in code.co_cellvars:
        return False
    name, known, before, loaded = code.co_varnames[1], dir(kind), None, False
    for i in dis.get_instructions(code):
        if loaded and not (i.opname == "LOAD_ATTR" and (i.argval == "__class__" or i.argval not in known)):
            return False
        names, loaded = i.argval if type(i.argval) is tuple else (i.argval,), False
        if "_FAST" in i.opname and name in names:
            asks = before is not None and before.opname == "LOAD_GLOBAL" and before.argval in _CLASS_OF and names[0] == name
            if not i.opname.startswith("LOAD_FAST") or names.count(name) > 1:
                return False
            loaded = not asks
            if loaded and names[-1] != name:
                return False
        before = i
    return True


def _protocol(k):
    """How a class of the candidate says what else is of it: by the members of a protocol; True: an abstract one, which asks for the class; False: its metaclass decides; None: nothing else is."""
    if typing.is_protocol(k):
        return typing.get_protocol_members(k) if k._is_runtime_protocol or isinstance(0, k) else None
    own = type(k).__instancecheck__
    return None if own is type.__instancecheck__ else any(own is kind.__instancecheck__ for kind in (abc.ABCMeta, type(typing.Protocol)))


_operations = {name: getattr(operator, name) for name in """add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift neg pos abs invert
    eq ne lt le gt ge getitem setitem delitem contains index iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift""".split()}
_operations.update(len=len, iter=iter, repr=repr, str=str, hash=hash, bool=bool, int=int, float=float, complex=complex, bytes=bytes, fspath=os.fspath, trunc=math.trunc, floor=math.floor, ceil=math.ceil, round=round, divmod=divmod, reversed=reversed,
                   awaits=lambda v: _awaited(v), enter=lambda v: type(v).__enter__(v), exit=_exit, isinstance=lambda v, *of: isinstance(v, _named(*of)), issubclass=lambda k, *of: issubclass(k, _named(*of)), describes=lambda v: hasattr(type(v), "__get__"), itself=lambda v: v, compares=_compares,
                   hasattr=hasattr, hasstatic=lambda v, name, data: (x := inspect.getattr_static(v, name, _end)) is not _end and (data or x is not None), callable=callable, dir=dir, operand=_operand, library=lambda module, name, named, *args: _named(module, name)(*args, **named),
                   format=format, vars=vars, aiter=aiter, protocol=_protocol,
                   nexts=lambda v: _awaited(type(v).__anext__(v)), aenters=lambda v: _awaited(type(v).__aenter__(v)), aexits=lambda v, e=None: _awaited(type(v).__aexit__(v, None if e is None else type(e), e, None)),
                   aenter=lambda v: run_coroutine(_awaited(type(v).__aenter__(v))), aexit=lambda v, e=None: run_coroutine(_awaited(type(v).__aexit__(v, None if e is None else type(e), e, None))))


def _descriptors(given, printed):
    """Lets a program read and write the standard streams by their numbers."""
    opens, reads, writes, fstats, left = _opens, _reads, _writes, _fstats, _Given()

    def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *args, **kwargs):
        name = os.fspath(file) if hasattr(file, "__fspath__") else file
        if name in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", 0, STDIN):
            raw = _Given()
            opened = raw if buffering == 0 else io.BufferedReader(raw)
            return opened if "b" in mode else io.TextIOWrapper(opened, encoding or "utf-8", errors, newline)
        if name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", 1, STDOUT):
            return sys.stdout.buffer if "b" in mode else sys.stdout
        return opens(file, mode, buffering, encoding, errors, newline, *args, **kwargs)

    builtins.open = io.open = open
    os.read = lambda fd, n: left.read(n) if fd in (0, STDIN) else reads(fd, n)
    os.write = lambda fd, b: printed.write(b) if fd in (1, STDOUT) else writes(fd, b)
    os.fstat = lambda fd: os.stat_result((0o100600, 0, 0, 1, 0, 0, len(given) if fd in (0, STDIN) else printed.size, 0, 0, 0)) if fd in (0, 1, STDIN, STDOUT) else fstats(fd)
    os.isatty = lambda fd: False


class _Exited(SystemExit):
    """The program has called os._exit."""


def _exit_at_once(code):
    raise _Exited(code)


def _failed(e):
    """What has ended a program; None: it has exited with 0."""
    return None if isinstance(e, SystemExit) and (e.code is None or isinstance(e.code, int) and e.code & 255 == 0) else e


def note_environment():
    """Notes that the candidate changes the environment: the tests do not see that."""
    if _world is not None and not _missing.lacked:
        _missing.lacked = ENVIRONMENT


def note_look(path, lists):
    """Notes that the candidate looks for files that the tests have not named: those are not here."""
    if files.hidden and path is not None and not _missing.lacked and (path in files.hidden or lists and any(p.startswith(path.rstrip("/") + "/") for p in files.hidden)):
        _missing.lacked = FILES


def note_lack():
    _missing.lacked = _missing.lacked or FILES


_world = None


def forget():
    """Forgets the candidate: the image is made next."""
    global _world
    _world = None
    linecache.cache.pop(FILE, None)
    files.forget()
    _printed.taken()
    _output.taken()
    _errors.taken()
    _Given.text = b""
    _stdin.seek(0)
    sys._getframe = _frame
    builtins.open, io.open, os.read, os.write, os.fstat, os.isatty, builtins.input, os._exit = _opens, _opens, _reads, _writes, _fstats, _isatty, _input, _exits


def _leave(code=None):
    """What site gives a program as exit() and quit()."""
    raise SystemExit(code)


builtins.exit = builtins.quit = _leave
_input, _exits = builtins.input, os._exit
_opens, _reads, _writes, _fstats, _isatty = builtins.open, os.read, os.write, os.fstat, os.isatty


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
        import forms
        return forms.compiled_ahead(*request[1:])
    if _world is None or request[0] in ("load", "run"):
        _world = World()
    reply = _world.answer(*request)
    return reply if _world.calling is None else _world.calling
