# There are no threads: the work of one is done when it starts. That is one of the orders in which CPython may do it, unless it waits for another
# thread, or has no end; what fails then was not tested.
import concurrent.futures.thread, itertools, linecache, re, sys, threading, time, traceback, weakref

from . import loops
from .lacks import CLOCK, FILE, FRAMES, missing, RACES, TURNS

_waits = re.compile(r"\b(?:R?Lock|Event|Condition|Barrier|\w*Semaphore|\w*Queue|Timer|sleep|daemon|setDaemon)\b").search


FRAME = sys._getframe
_LOCK = type(threading.Lock())
_order = itertools.count()
_running = []  # threads that run, one in another: when each began, in the order of threads and locks
_locks = weakref.WeakKeyDictionary()  # locks: when each was made, and the frame of the request that made it


def is_thread():
    return bool(_running)


def _request_frame():
    from .candidate import serve_peer
    frame = FRAME(1)
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


def note_locks(source):
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
        missing.lacked = missing.lacked or "threads"


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
    if missing.lacked in ("", CLOCK, TURNS):
        missing.lacked = "threads"
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


def sleep(seconds):
    """Sleeps. The tests do not see that time passes: what fails after it was not tested. Nor was what sleeps in a thread without a lock: others would run meanwhile."""
    if _running and missing.lacked in ("", "threads", CLOCK, TURNS) and not _is_guarded():
        missing.lacked = RACES
    elif seconds > 0 and missing.lacked in ("", CLOCK):
        missing.lacked = CLOCK if _is_guarded() else TURNS
    _sleeps(seconds)


def sleep_alone(seconds):
    """Sleeps in a program, whose time no test measures."""
    if _running and missing.lacked in ("", "threads") and not _is_guarded():
        missing.lacked = RACES
    _sleeps(seconds)


def frame_of(depth=0, /):
    """sys._getframe: the tests' frames are not among those of the candidate."""
    caller = FRAME(1)
    if caller.f_code.co_filename.endswith("/inspect.py"):
        caller, depth_ = caller.f_back, 1
    else:
        depth_ = depth
    if depth_ and caller is not None and caller.f_code.co_filename == FILE and not missing.lacked:
        missing.lacked = FRAMES
    return FRAME(depth + 1)


def _loop_sleeps():
    if not missing.lacked and time.sleep is sleep:
        missing.lacked = CLOCK


loops.on_sleep = _loop_sleeps
