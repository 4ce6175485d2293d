# What tests replace, or wait for, in their own process: mocks that reach the candidate, its environment, logs and files.
import builtins, functools, logging, os, sys, types, unittest._log, unittest.mock

from . import candidate, doubles, files, loops, turns
from .ends import Current, Unsupported
from .faults import transparent
from .mirrors import Mirror
from .wire import CannotCross, Encoder, FLAT


def _turn(loop, seconds):
    c = Current.current
    if c is not None and c.end is None and any(f.get_loop() is loop for f in c.waiting.values()):
        return c.run("await", seconds)


loops.on_turn = _turn


def _looks(path, lists=False):
    c = Current.current
    if c is None:
        candidate.note_look(path, lists)
    elif c.loaded and c.end is None and c.asked != c.pulled:
        c.take_files()


def _lacks(what):
    if Current.current is None:
        candidate.note_lack()
    else:
        raise Unsupported("the tests use %s, which files in memory do not have" % what)


files.on_look, files.on_lack = _looks, _lacks


def _waits(timeout):
    if Current.current is not None:
        raise Unsupported("the tests wait for another thread, of which none runs beside them")
    turns.note_wait(timeout)


turns.on_wait = _waits


INPUT, PRINT = builtins.input, builtins.print


_MISSING = object()


def _no_original():
    """Is what a patch replaces that is not here."""


def replaced():
    """What the tests have replaced that their candidate may use, or nothing."""
    c = Current.current
    return c and (c.replaced or c.lost or "sys.argv" * (sys.argv is not c.argv)) or ("builtins.input" if builtins.input is not INPUT else "builtins.print" if builtins.print is not PRINT else "")


def _place(target):
    """Where an attribute that the tests replace is in the candidate's instance; None: not there."""
    if "_tests" in getattr(target, "__dict__", ()):
        return [None]
    if type(type(target)) is Mirror:
        return [target._rh_n]
    if type(target) is Mirror and target._rh_class is not None:
        return [[target._rh_class]]
    if isinstance(target, types.ModuleType) and target.__name__.partition(".")[0] in sys.stdlib_module_names:
        return ["M", target.__name__, None]
    if isinstance(target, type) and target.__module__ in sys.stdlib_module_names and getattr(sys.modules.get(target.__module__), target.__name__, None) is target:
        return ["M", target.__module__, target.__name__]


class _Patch(unittest.mock._patch):
    """A patch, which is made in the candidate's instance, too."""

    _rh_place = None

    @transparent
    def __enter__(self):
        get, c = self.getter, Current.current
        target = get()
        place = self._rh_place = None if c is None or target is sys and self.attribute in ("stdin", "stdout", "stderr", "argv") else _place(target)
        if place is None or not c.loaded or c.end is not None:
            self._rh_place = None
            v = super().__enter__()
            if c is not None and target is sys and self.attribute == "argv":
                c.argv, c.process = sys.argv, True
            elif c is not None and target is not sys:
                c.replaced = "%s.%s" % (getattr(target, "__name__", type(target).__name__), self.attribute)
            return v
        if place[0] != "M":  # the target is not here
            stand = types.SimpleNamespace()
            try:
                original = getattr(target, self.attribute)
                setattr(stand, self.attribute, _no_original if self.spec is self.spec_set is self.autospec is None else original)
            except AttributeError:
                pass
            self.getter = lambda: stand
        try:
            v = super().__enter__()
        finally:
            self.getter = get
        try:
            self._rh_instance = c.instances
            c.ask("patch", place, self.attribute, Encoder(c.encoded).encode(getattr(self.target, self.attribute)))
        except CannotCross as e:
            self._rh_place = None
            if place[0] != "M":
                raise Unsupported("the tests replace %s by %s" % (self.attribute, e))
            c.replaced = "%s.%s" % (target.__name__, self.attribute)
        except BaseException:  # of the candidate, which then has ended or answers with nonsense
            super().__exit__(None, None, None)
            raise
        if "_tests" in getattr(target, "__dict__", ()):
            self._rh_names = vars(target), vars(target).get(self.attribute, _MISSING)
            if type(getattr(self.target, self.attribute)) not in FLAT:  # that is read from the candidate
                vars(target)[self.attribute] = getattr(self.target, self.attribute)
        return v

    _rh_names = None

    @transparent
    def __exit__(self, *e):
        c = Current.current
        if self._rh_names is not None:
            (names, before), self._rh_names = self._rh_names, None
            if before is _MISSING:
                names.pop(self.attribute, None)
            else:
                names[self.attribute] = before
        try:
            if self._rh_place is not None and c is not None and c.end is None and c.instances == self._rh_instance:
                c.ask("restore", self._rh_place, self.attribute)
        finally:
            v = super().__exit__(*e)
        if c is not None and sys.argv is not c.argv:
            c.argv, c.process = sys.argv, True
        return v


unittest.mock._patch = _Patch
doubles.guard()


def _environ(name):
    """Has a change of the environment reach the candidate at its next request; one by the candidate is noted in its instance."""
    f = getattr(os._Environ, name)

    @functools.wraps(f)
    @transparent
    def changing(self, key, *args):
        if Current.current is not None:
            Current.current.process = Current.current.environ = {**Current.current.environ, key: None}
        else:
            candidate.note_environment()
        return f(self, key, *args)
    setattr(os._Environ, name, changing)


_environ("__setitem__")
_environ("__delitem__")


def _notes(kind, name, what):
    """Has a method note that the tests replace something."""
    f = getattr(kind, name)

    @functools.wraps(f)
    @transparent
    def noting(self, *args, **named):
        if Current.current is not None:
            Current.current.replaced = what(self) or Current.current.replaced
        return f(self, *args, **named)
    setattr(kind, name, noting)


def _patched_dict(patch):
    of = patch.in_dict
    shared = "_tests" in vars(sys.modules.get(of.partition(".")[0], types)) if isinstance(of, str) else of is os.environ or any(of is v for _, v, _, _ in Current.current.read)
    return "" if shared else "a dict that they do not own"


_notes(unittest.mock._patch_dict, "__enter__", _patched_dict)


def watch_logs(name, level):
    """Notes that the tests look at a logger."""
    if Current.current is not None:
        Current.current.log(name, level)


def _watches_logs(kind):
    enters, exits = kind.__enter__, kind.__exit__

    @transparent
    def enter(self):
        name = self.logger_name.name if isinstance(self.logger_name, logging.Logger) else self.logger_name or ""
        watch_logs(name, self.level)
        return enters(self)

    @transparent
    def leave(self, *e):
        result = exits(self, *e)
        watch_logs(self.logger.name if self.logger is not logging.root else "", self.old_level)
        return result
    kind.__enter__, kind.__exit__ = enter, leave


_watches_logs(unittest._log._AssertLogsContext)
