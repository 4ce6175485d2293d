# An event loop without a selector: there is nothing here to wait for but time, which passes at once.
import asyncio, asyncio.base_events, asyncio.events, time

from faults import meant


class NoLoop(RuntimeError):
    """A coroutine waits for what never comes here."""

    _rh_meant = True


def on_sleep():
    """Is called when a loop sleeps: candidate.py notes it."""


class Loop(asyncio.base_events.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector, self._ahead = self, 0.0

    def select(self, timeout):
        if timeout is None:
            raise NoLoop("everything waits, and there is nothing to wait for")
        if timeout > 0:
            self._ahead += timeout
            on_sleep()
        return ()

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


def run_coroutine(coroutine, **_):
    """Runs a coroutine, in place of asyncio.run. The loop stays, since what one call has made, another may await."""
    if asyncio._get_running_loop() is not None:
        coroutine.close()
        raise meant(RuntimeError("asyncio.run() cannot be called from a running event loop"))
    return get_event_loop().run_until_complete(coroutine)


def is_beyond(e, files):
    """Reports whether an exception comes of what this loop has not: pipes, sockets, signals."""
    return isinstance(e, NoLoop) or isinstance(e, (NotImplementedError, AttributeError, OSError)) and any("/asyncio/" in f for f in files) and ("/asyncio/" in files[-1] or "socket" in files[-1])


for _module in (asyncio, asyncio.events):
    _module.new_event_loop, _module.get_event_loop, _module.set_event_loop = Loop, get_event_loop, set_event_loop
asyncio.run = run_coroutine
