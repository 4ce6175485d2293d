# What becomes of tests, and how they end.
from .ends import Ended, Unsupported

FILE, CANDIDATE = "tests.py", "solution.py"
PASSED, SKIPPED = "passed", "skipped"


class Broken(Exception):
    """The tests fail by themselves, whatever the candidate does."""

    _rh_meant = True


class Result:
    """What became of one test. outcome is "passed", "skipped" or a class of failure."""

    __slots__ = ("name", "outcome", "why", "input", "expected", "actual", "line", "lacks")

    def __init__(self, name, outcome, why="", line=0, lacks=""):
        self.name, self.outcome, self.why, self.line, self.lacks = name, outcome, why, line, lacks
        self.input = self.expected = self.actual = None


def shown(v, most=300):
    """The repr of a value, shortened."""
    seen = Unsupported.seen
    try:
        if type(v) is int and v.bit_length() > 4 * most:
            return "an integer of %d bits" % v.bit_length()
        if type(v) is str:
            text = repr(v[:most + 1])
        elif type(v) in (list, tuple) and len(v) > most:
            text = repr(v[:most])
        else:
            text = repr(v)
    except (Ended, Unsupported, Exception):
        text = "<%s>" % type(v).__name__
    finally:
        Unsupported.seen = seen
    return text if len(text) <= most else text[:most - 3] + "..."


class NotLoaded(Exception):
    """The candidate cannot be loaded; the argument is why."""


class SetUp(Exception):
    """The setup has failed; the argument is the result."""


class Left(Exception):
    """The tests have ended their process, and have passed."""


class Missing(Exception):
    """The candidate lacks the name that it must define."""


class Differs(AssertionError):
    """A doctest printed something else."""

    _rh_meant = True

    def __init__(self, example, got):
        super().__init__("%s printed %s, expected %s" % (example.source.strip()[:300], shown(got.rstrip("\n")), shown(example.want.rstrip("\n"))))
        self.expected, self.actual = example.want.rstrip("\n"), got.rstrip("\n")
