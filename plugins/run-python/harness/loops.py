# An event loop without a selector: there is nothing here to wait for but time, which passes at once.
import asyncio, asyncio.base_events, asyncio.events, collections, functools, time, types

from .faults import meant, transparent


class NoLoop(RuntimeError):
    """A coroutine waits for what never comes here."""

    _rh_meant = True


def on_sleep():
    """Is called when a loop sleeps: turns.py notes it."""


def on_turn(loop, timeout):
    """Has coroutines of another instance run for some seconds, None: until one has ended. Returns how long that took; None: there are none. patches.py sets it."""


class Loop(asyncio.base_events.BaseEventLoop):
    _left = None        # seconds that advance() still has
    _advances = False   # it runs, and stops when a task is done

    def __init__(self):
        super().__init__()
        self._selector, self._ahead = self, 0.0

    def select(self, timeout):
        passed = on_turn(self, timeout)
        if passed is not None:
            self._ahead += passed
            return ()
        if self._left is not None and (timeout is None or timeout > self._left):
            self._ahead += self._left
            self._left = 0
            self.stop()
            return ()
        if timeout is None:
            raise NoLoop("everything waits, and there is nothing to wait for")
        if timeout > 0:
            self._ahead += timeout
            if self._left is not None:
                self._left -= timeout
            on_sleep()
        return ()

    def begin(self, coroutine):
        """Makes a task, at whose end advance() returns, and has it run until it waits, before what else is ready."""
        ready, self._ready = self._ready, collections.deque()
        task = self.create_task(coroutine)
        self.advance(0)
        self._ready.extendleft(reversed(ready))
        if not task.done():
            task.add_done_callback(lambda task: self.stop() if self._advances else None)
        return task

    def advance(self, seconds):
        """Runs until a task is done, at most for some seconds; 0: one turn. Returns how long that took."""
        before, self._left, self._advances = self._ahead, seconds, True
        if seconds == 0:
            self.stop()
        try:
            self.run_forever()
        finally:
            self._left, self._advances = None, False
        return self._ahead - before

    def time(self):
        return time.monotonic() + self._ahead

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass


_loop = None


def get_event_loop():
    """The loop that runs, or the one for what runs next."""
    global _loop
    running = asyncio._get_running_loop()
    if running is not None:
        return running
    if _loop is None or _loop.is_closed():
        _loop = Loop()
    return _loop


def set_event_loop(loop):
    global _loop
    _loop = loop


@transparent
def run_coroutine(coroutine, **_):
    """Runs a coroutine, in place of asyncio.run. The loop stays, since what one call has made, another may await."""
    if asyncio._get_running_loop() is not None:
        coroutine.close()
        raise meant(RuntimeError("asyncio.run() cannot be called from a running event loop"))
    return get_event_loop().run_until_complete(coroutine)


class _Pause:
    def __init__(self, seconds):
        self.seconds = seconds


@types.coroutine
def _pause(seconds):
    yield _Pause(seconds)


_stepping = False
_sleeps = asyncio.sleep


@functools.wraps(_sleeps)
@transparent
async def _sleep(delay, result=None):
    if not _stepping:
        return await _sleeps(delay, result)
    await _pause(delay)
    return result


def until_sleep(coroutine, cancelled):
    """Runs a coroutine until it sleeps. Returns for how many seconds; None: it waits for something else."""
    global _stepping
    outer, _stepping = _stepping, True
    try:
        said = coroutine.throw(asyncio.CancelledError()) if cancelled else coroutine.send(None)
    finally:
        _stepping = outer
    return float(said.seconds) if type(said) is _Pause else None


def is_beyond(e, files):
    """Reports whether an exception comes of what this loop has not: pipes, sockets, signals."""
    return isinstance(e, NoLoop) or isinstance(e, (NotImplementedError, AttributeError, OSError)) and not isinstance(e, TimeoutError) and any("/asyncio/" in f for f in files) and ("/asyncio/" in files[-1] or "socket" in files[-1])


for _module in (asyncio, asyncio.events):
    _module.new_event_loop, _module.get_event_loop, _module.set_event_loop = Loop, get_event_loop, set_event_loop
asyncio.run = run_coroutine
asyncio.sleep = asyncio.tasks.sleep = _sleep


# Queues, events, locks and semaphores of asyncio that the tests make and give to a candidate move to its instance, with what they hold: both sides use the one there.

def _passes(name):
    @transparent
    def method(self, *args, **named):
        return getattr(self._rh_there, name)(*args, **named)
    return method


async def _enter(self):
    await self._rh_there.acquire()


async def _leave(self, *_):
    self._rh_there.release()


def _moving(kind):
    own = {name: _passes(name) for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))}
    if "acquire" in own:
        own.update(__aenter__=_enter, __aexit__=_leave)
    if "qsize" in own:
        own.update(maxsize=property(lambda self: self._rh_there.maxsize))
    return type(kind.__name__, (kind,), own)


MOVING = {kind: _moving(kind) for kind in (asyncio.Queue, asyncio.PriorityQueue, asyncio.LifoQueue, asyncio.Event, asyncio.Lock, asyncio.Semaphore, asyncio.BoundedSemaphore)}
MOVED = frozenset(MOVING.values())


def made_by(v):
    """The arguments and calls that make an object which is like one of these; None: something waits for it, or holds it."""
    own = vars(v)
    if any(own.get(name) for name in ("_waiters", "_getters", "_putters", "_locked")) or own.get("_bound_value", own.get("_value")) != own.get("_value"):
        return None
    if isinstance(v, asyncio.Queue):
        return ([v.maxsize], [("put_nowait", x) for x in v._queue]) if v._unfinished_tasks == len(v._queue) else None
    if isinstance(v, asyncio.Event):
        return [], [("set",)] * v.is_set()
    return [own["_value"]] if "_value" in own else [], []
