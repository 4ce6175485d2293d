# Standard streams of the candidate, in memory.
import builtins, io, os, sys

from .lacks import DESCRIPTORS, missing

MAX_PRINTED = 64 << 10      # bytes that one call prints for a test to see
MAX_OUTPUT = 4 << 20        # bytes that a program prints


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


class _Beginning(_Printed):
    """The stream that Python began with, in whose place another one may stand: of what a function writes there, only some tests see anything (capfd)."""

    def write(self, b):
        return _lost(b)


def _lost(b):
    missing.lacked = missing.lacked or DESCRIPTORS
    return len(b)


class _Text(io.StringIO):
    """Standard output where the tests have put a StringIO in its place: it takes no bytes."""

    def __init__(self, out):
        super().__init__()
        self.out = out

    def write(self, text):
        n = super().write(text)  # for getvalue(), and an exception after close()
        self.out.write(text)
        return n


# What programs read and write by number. input() takes 0 for a terminal.
STDIN, STDOUT = 1_000, 1_001


class StandardInput(io.RawIOBase):
    """Standard input, as each open(0) has it: what one has read is gone for the others."""

    name, mode, text, at = "<stdin>", "rb", b"", 0

    def readable(self):
        return True

    seekable = readable

    def fileno(self):
        return STDIN

    def readall(self):
        return self.read(len(StandardInput.text))

    def readinto(self, b):
        part = StandardInput.text[StandardInput.at:StandardInput.at + len(b)]
        b[:len(part)] = part
        StandardInput.at += len(part)
        return len(part)

    def seek(self, n, whence=0):
        StandardInput.at = n + (0, StandardInput.at, len(StandardInput.text))[whence]
        return StandardInput.at


# Standard input and output of a candidate. They are made once, since that takes as long as many calls; an instance has one candidate.
PRINTED = _Printed(MAX_PRINTED, "<stdout>")
ERRORS = _Printed(MAX_PRINTED, "<stderr>")
STDIN_TEXT = io.TextIOWrapper(io.BufferedReader(StandardInput()), encoding="utf-8", errors="surrogateescape", newline="\n")
STDOUT_TEXT = io.TextIOWrapper(PRINTED, encoding="utf-8", errors="surrogateescape", write_through=True)
_outs = {0: (PRINTED, STDOUT_TEXT)}  # what the tests have had for standard output, by numbers; 0: when the candidate was loaded
_now, _print = PRINTED, PRINTED.write
_stderr = io.TextIOWrapper(ERRORS, encoding="utf-8", errors="backslashreplace", write_through=True)
_beginning = [io.TextIOWrapper(_Beginning(0, name), encoding="utf-8", errors="backslashreplace", write_through=True) for name in ("<stdout>", "<stderr>")]
OUTPUT = _Printed(MAX_OUTPUT + 1, "<stdout>")  # of a program, which may be lost, or overtaken by what is written without a buffer
PROGRAM_OUT = io.TextIOWrapper(io.BufferedWriter(OUTPUT), encoding="utf-8", errors="surrogateescape")
STDIN_TEXT.mode, STDOUT_TEXT.mode, PROGRAM_OUT.mode = "r", "w", "w"


def give(text):
    """Puts standard input into memory."""
    StandardInput.text = text
    STDIN_TEXT.seek(0)
    sys.stdin = sys.__stdin__ = STDIN_TEXT


def redirect(most):
    """Puts standard input and output into memory."""
    global _now
    PRINTED.most = most
    for n in [*_outs][1:]:
        del _outs[n]
    _now, PRINTED.write = PRINTED, _print
    sys.stdin = sys.__stdin__ = STDIN_TEXT
    sys.stdout, sys.stderr = STDOUT_TEXT, _stderr
    sys.__stdout__, sys.__stderr__ = _beginning
    return PRINTED


def replaced(n, errors, text):
    """Has what comes next print where the tests do from now on: they have replaced standard output by their stream n, or errors. What the candidate prints to one that it has kept is lost.
    text: the stream takes no bytes."""
    global _now
    if n is not None:
        _now.write = _lost
        if n not in _outs:
            raw = _Printed(0, "<stdout>")
            out = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", write_through=True)
            out.mode = "w"
            _outs[n] = raw, _Text(out) if text else out
        _now, sys.stdout = _outs[n]
        _now.write = _print
    if errors:
        sys.stderr = _stderr


def descriptors(given, printed):
    """Lets a program read and write the standard streams by their numbers."""
    opens, reads, writes, fstats, left = OPENS, READS, WRITES, FSTATS, StandardInput()

    def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *args, **kwargs):
        name = os.fspath(file) if hasattr(file, "__fspath__") else file
        if name in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", 0, STDIN):
            raw = StandardInput()
            opened = raw if buffering == 0 else io.BufferedReader(raw)
            return opened if "b" in mode else io.TextIOWrapper(opened, encoding or "utf-8", errors, newline)
        if name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", 1, STDOUT):
            return sys.stdout.buffer if "b" in mode else sys.stdout
        return opens(file, mode, buffering, encoding, errors, newline, *args, **kwargs)

    builtins.open = io.open = open
    os.read = lambda fd, n: left.read(n) if fd in (0, STDIN) else reads(fd, n)
    os.write = lambda fd, b: printed.write(b) if fd in (1, STDOUT) else len(b) if fd == 2 else writes(fd, b)
    os.fstat = lambda fd: os.stat_result((0o100600, 0, 0, 1, 0, 0, len(given) if fd in (0, STDIN) else printed.size, 0, 0, 0)) if fd in (0, 1, STDIN, STDOUT) else fstats(fd)
    os.isatty = lambda fd: False


class Exited(SystemExit):
    """The program has called os._exit."""


def exit_at_once(code):
    raise Exited(code)


def _leave(code=None):
    """What site gives a program as exit() and quit()."""
    raise SystemExit(code)


builtins.exit = builtins.quit = _leave
INPUT, EXITS, _writes = builtins.input, os._exit, os.write


def _write(fd, b):
    """Is os.write of functions: what they write so, only some tests see (capfd)."""
    if fd not in (1, 2, STDOUT):
        return _writes(fd, b)
    missing.lacked = missing.lacked or DESCRIPTORS
    return len(b)


os.write = _write
OPENS, READS, WRITES, FSTATS, ISATTY = builtins.open, os.read, os.write, os.fstat, os.isatty
