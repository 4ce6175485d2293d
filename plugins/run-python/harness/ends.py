# How a candidate's instance ends; and what keeps a test from saying anything about the candidate.
import builtins, functools

from .faults import defect

EXCEPTIONS = {k: v for k, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException)}
TYPES = {k: getattr(builtins, k) for k in "bool int float complex str bytes bytearray list tuple dict set frozenset range slice object".split()}

# How a peer ends, and the class of a test that it ends in.
ENDS = {"exit": "exit", "fuel": "fuel", "memory": "memory", "depth": "exit", "trap": "exit", "output": "output"}
WORDS = {"exit": "the candidate ended its process", "fuel": "the candidate used up its fuel", "memory": "the candidate used up its memory", "depth": "the candidate's calls nested too deep",
         "trap": "the candidate crashed", "output": "the candidate's answer or output is too large"}


_noted = {"current": None, "seen": None}


def _noting(name):
    return property(lambda kind: _noted[name], lambda kind, v: _noted.__setitem__(name, v))


class Noting(type):
    """Classes with an attribute that each call sets. If it were the class's own, setting it would undo what CPython has specialised for the class."""

    current, seen = _noting("current"), _noting("seen")


class Current(metaclass=Noting):
    """Base of what a call asks. current: that of the call."""


class Ended(BaseException):
    """The candidate is no more: the test that sees this has failed, whatever it catches."""


class Unsupported(BaseException, metaclass=Noting):
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
    c = Current.current
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


def checked(f):
    @functools.wraps(f)
    def checked(self, *args, **named):
        try:
            return f(self, *args, **named)
        except Exception as e:
            exclude_defect(e)
            raise
    return checked
