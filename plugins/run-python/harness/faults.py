# Whose fault an exception is that reaches the tests: what these files raise on purpose, as Python or pytest would, says something about the
# candidate; anything else that comes out of them is a defect of theirs, or a limit, and says nothing.
import asyncio, linecache, sys, types

FILES = frozenset(linecache.cache)  # has the lines of the script and of what lies beside it
_WRITTEN = frozenset(("tests.py", "solution.py", "prompt.py"))  # by the dataset and the candidate
_transparent = {}  # code, by its identity: to hash code takes as long as to read all of it
_MARGIN = 60  # frames below those of the tests, and what a call to the candidate takes


def meant(e):
    """Marks an exception that is raised on purpose. Classes of such exceptions have _rh_meant."""
    e._rh_meant = True
    return e


def transparent(f):
    """Marks a function that only hands on what the tests do: what it raises is what they would get without it."""
    _transparent.update((id(c), c) for c in (f.__code__, *f.__code__.co_consts) if isinstance(c, types.CodeType))
    return f


def defect(e):
    """Where an exception came out of these files that is not meant; None: nowhere."""
    if getattr(e, "_rh_meant", False) or isinstance(e, (StopIteration, StopAsyncIteration, Warning, asyncio.CancelledError)):
        return None
    tb, at, written = e.__traceback__, None, 0
    while tb is not None:
        code = tb.tb_frame.f_code
        if id(code) in _transparent:
            at = None
        elif code.co_filename in FILES:
            at = code.co_filename, tb.tb_lineno
        elif code.co_filename in _WRITTEN:
            at, written = None, written + 1
        tb = tb.tb_next
    if at is not None and isinstance(e, RecursionError) and written > sys.getrecursionlimit() - _MARGIN:
        return None  # the tests call themselves without end
    return at and "%s, line %d" % at
