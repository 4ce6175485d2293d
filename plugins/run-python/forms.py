# Runs tests in the forms in which datasets have them: one result for each test.
import ast, builtins, collections, contextlib, copy, dis, doctest, functools, inspect, io, itertools, json, keyword, marshal, math, random, re, sys, traceback, types, unittest

import guards  # before OWN is copied
import literals
import pytest
from faults import defect, meant, transparent
from judge import ask_of_methods, Candidate, Doubtful, Ended, ended, exclude_defect, Fault, Function, Mirror, OWN, replaced, Unsupported, watch_logs
from kinds import below, is_read, parsed, source_or_tree
from loops import is_beyond
from wire import request as message, requested

FILE, CANDIDATE = "tests.py", "solution.py"
PASSED, SKIPPED = "passed", "skipped"


pytest.on_log = watch_logs


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


class _Globals(dict):
    """Global names that are found when they are needed, also by `"f" in globals()` and `globals().get("f")` of the tests."""

    def __contains__(self, name):
        if dict.__contains__(self, name) or sys._getframe(1).f_code.co_filename != FILE:
            return dict.__contains__(self, name)
        try:
            self[name]
        except LookupError:
            return False
        return True

    def get(self, name, default=None):
        if dict.__contains__(self, name) or sys._getframe(1).f_code.co_filename != FILE:
            return dict.get(self, name, default)
        try:
            return self[name]
        except LookupError:
            return default


_OWN = {"__name__": "tests", "__file__": FILE, "__builtins__": builtins, **OWN}


class Names(_Globals):
    """The global names of tests. Those that the tests do not define are the candidate's."""

    def __init__(self, tests):
        super().__init__(_OWN)
        self.tests = tests

    def __missing__(self, name):
        if name in vars(builtins):
            raise KeyError(name)
        v = self.tests.find(name)
        if not self.tests.may_change(name):
            self[name] = v
        return v


class _Tests(types.ModuleType):
    """The tests as a module, where the library looks for what their classes and annotations use."""

    __slots__ = ("_rh_names",)
    __dict__ = property(lambda self: self._rh_names)

    def __getattr__(self, name):
        try:
            return dict.__getitem__(self._rh_names, name)
        except KeyError:
            raise meant(AttributeError("module %r has no attribute %r" % (self.__name__, name)))

    def __setattr__(self, name, v):
        self._rh_names[name] = v

    def __delattr__(self, name):
        del self._rh_names[name]


_tests, _name_tests = _Tests("tests"), _Tests._rh_names.__set__


def _importable(names):
    """Has the library find the tests as a module. Of a script, that is __main__."""
    sys.modules["tests"] = sys.modules["__main__"] = _tests
    _name_tests(_tests, names)


def _unchangeable(self, *args, **named):
    raise Unsupported("the tests change the namespace of the candidate's module")


_Variables = type("dict", (dict,), dict.fromkeys("__setitem__ __delitem__ __ior__ clear pop popitem setdefault update".split(), _unchangeable))
_namespace = vars(types.ModuleType)["__dict__"].__get__


class Module(types.ModuleType):
    # The candidate's module, as tests import it. Its text of documentation is the candidate's.

    __doc__ = property(lambda self: self._tests.candidate.get(None, "__doc__"))

    def __init__(self, tests, name):
        super().__init__(name)
        vars(self)["_tests"] = tests

    @property
    def __dict__(self):
        if sys._getframe(1).f_code.co_filename == FILE:
            return _Variables((name, getattr(self, name)) for name in dir(self))
        return _namespace(self)

    def __dir__(self):
        return self._tests.candidate.names()

    def __getattr__(self, name):
        frame = sys._getframe(1)
        if name == "__all__" and not is_read(frame):
            return self._tests.starred()
        if name.startswith("__") and frame.f_code.co_filename != FILE:
            raise meant(AttributeError(name))
        try:
            v = self._tests.candidate.resolve(name)
        except LookupError:
            raise meant(AttributeError("the candidate does not define %s" % name))
        if not self._tests.may_change(name):
            vars(self)[name] = v
        return v

    def __setattr__(self, name, v):
        if name.startswith("__"):
            return super().__setattr__(name, v)
        c = self._tests.candidate
        if not c.loaded:
            raise Unsupported("the tests replace %s in the candidate's module before it is loaded" % name)
        c.assign(None, name, v)
        vars(self).pop(name, None)


class Isolated:
    """Runs tests against a candidate in another instance."""

    def __init__(self, candidate, task):
        self.candidate, self.task, self.results = candidate, task, []
        self.names = Names(self)
        _importable(self.names)
        self.entry = self.missing = None
        self.helpers = None
        if any([_ahead[text].imports if text in _ahead else _may_import(text) for text in task.texts()]):
            for name in task.modules:
                sys.modules[name] = Module(self, name)

    @property
    def asked(self):
        return self.candidate.last is not None or self.candidate.asked > self.first

    def may_change(self, name):
        """Reports whether a name is that of a variable of the candidate's module."""
        return name in self.candidate.variables

    first, setup_codes, watches = 0, (), True
    used = False  # the tests have asked an instance that is no more
    told = False  # input and answer of the first failure are noted: those of no other are shown, and to note them costs as much as a test

    def uses(self):
        """Reports whether the tests have asked the candidate for more than names."""
        return self.used or self.candidate.uses()

    def load(self):
        """Loads the candidate, and puts its entry point among the names."""
        c, entry = self.candidate, self.task.entry
        kinds = c.load([entry.partition(".")[0]] if entry else [])
        if entry:
            self.entry = self.names[entry.partition(".")[0]] = self._entry(entry, kinds[0])
        self.first = c.asked
        self.set_up()

    def _entry(self, entry, kind):
        name, _, method = entry.partition(".")
        if kind is None:
            raise Missing(name)
        v = self.candidate.resolve(name, kind)
        return v

    def starred(self):
        """What `from solution import *` gives: no name that the tests or Python have, which a candidate would replace."""
        entry = self.task.entry.partition(".")[0]
        return [n for n in self.candidate.names() if n == entry or n in self.task.required or n not in self.names and n not in vars(builtins) and n != "pytestmark" and not (n in _FORGOTTEN and any(n in t for t in self.task.texts()) and self._forgotten(n) is not None)]

    def set_up(self):
        """Runs the dataset's setup, which may use the candidate."""
        for k, (text, code) in enumerate(self.setup_codes):
            try:
                exec(code, self.names)
            except (Unsupported, Ended):
                raise
            except BaseException as e:
                raise SetUp(self.judged("setup[%d]" % k, e, text, code))

    @transparent
    def method(self):
        """What an entry point such as Solution.twoSum calls."""
        name, _, method = self.task.entry.partition(".")
        v = getattr(self.entry(), method, None) if method and callable(self.entry) else self.entry
        if not callable(v) or method and v is self.entry:
            raise Missing("%s as a %s" % (self.task.entry, "method" if method else "function"))
        return v

    def _forgotten(self, name):
        """What tests compare with and forget to import: under that name, a candidate could have what agrees to everything. Not what they test, which is all that they use."""
        v = _FORGOTTEN.get(name)
        if v is None or name in self.task.required:
            return None
        if not self.task.entry:
            if not undefined(guards.trees_of(self.task.texts())) - _FORGOTTEN.keys():
                return None
            if name in _ALSO and self.defines(name):
                raise Unsupported("the tests use %s, which Python has and the candidate defines: import it in the tests, or have it in names if it is the candidate's" % name, chosen=True)
        return v

    def programs(self):
        return self.candidate.program.texts

    def defines(self, name):
        """Reports whether the candidate seems to define a name."""
        return any(re.search(r"^\s*(?:(?:async\s+)?def|class)\s+%s\b|^%s\s*=" % (name, name), t, re.M) for t in self.programs())

    def _judges(self, name):
        """Reports whether the tests ask a name that nobody else defines about what the entry point answers."""
        called = {self.task.entry.partition(".")[0], "candidate"}
        return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name and any(
            isinstance(x, ast.Call) and _root(x.func) in called for a in (*n.args, *(k.value for k in n.keywords)) for x in ast.walk(a)) for t in self.task.texts() for n in ast.walk(ast.parse(t)))

    def find(self, name):
        """Finds a name that the tests use and do not define."""
        helper = self.task.helper(name, self.candidate)
        if helper is None:
            helper = self._forgotten(name)
        if helper is not None:
            return helper
        if name in sys.stdlib_module_names and name in sys.modules and name not in self.task.required and not any(re.search(r"\b%s\s*\(" % name, t) for t in self.task.texts()):
            return sys.modules[name]  # tests that forget to import it do not mean what the candidate imports, or makes, under that name
        try:
            v = self.candidate.resolve(name)
        except LookupError:
            self.missing = name
            raise KeyError(name)
        if self.task.entry and name not in self.task.required and not isinstance(v, Mirror) and self._judges(name):
            raise Unsupported("the tests ask %s about the answer, which only the candidate defines: define it in the tests, or have it in names if it is the candidate's" % name, chosen=True)
        return v

    def blames(self, name, code):
        """Reports whether a missing name is the candidate's fault: it is the one that it must define, or it defines none that the tests use."""
        if name in self.task.required:
            return True
        if self.task.entry or self.task.required:
            return False
        return not self.found(code)

    def found(self, code):
        """The candidate's functions and classes among the names that a piece of code uses."""
        missing, found = self.missing, []
        for name in free_names(code) - set(vars(builtins)):
            try:
                v = dict.get(self.names, name) or self.find(name)
            except KeyError:
                continue
            if isinstance(v, (Function, Mirror)):
                found.append(name)
        self.missing = missing
        return found

    def again(self):
        """A new instance for the next test, if the candidate has ended or each test has fuel of its own."""
        c = self.candidate
        c.replaced = ""
        if c.failing is not None:
            c.failing = None
        if c.end is not None or c.test_fuel:
            self.used = self.uses()
            self.load()

    # Results.

    def prepare(self, codes):
        """Loads the candidate, once the tests are known to be well formed. Missing, Ended and the candidate's own exceptions: it fails all of them."""
        self.setup_codes = [(text, compiled(text, "setup[%d]" % k)) for k, text in enumerate(self.task.setup)]
        if not self.task.entry and not self.task.required:
            self._shadowed(codes)
        self.task.codes = codes
        known = [_ahead.get(t) for t in self.task.texts()]
        if self.watches:
            does = [k.does for k in known] if None not in known else [guards.does(code) for code in (*codes, *(code for _, code in self.setup_codes))]
            if any([executes for executes, _, _ in does]):
                guards.watch()
            if any([looks for _, looks, _ in does]):
                guards.refuse_names(self.candidate)
            if any([methods for _, _, methods in does]):
                ask_of_methods()
        try:
            self.load()
        except (Broken, Unsupported):
            raise
        except BaseException as e:
            raise NotLoaded(e)
        for k, code in enumerate(codes):
            of = known[k] if k < len(known) else None
            for name in of.wanted if of is not None and of.code is code else _wanted_by_classes(code):
                try:
                    self.names[name]
                except LookupError:
                    pass  # it raises a NameError where it is used

    def _shadowed(self, codes):
        """Tests may call a function that is named like a built-in one: if that is all they call, it is the candidate's."""
        used = {n for n in set().union(*map(free_names, codes)) if n != "check" and not n.startswith("_rh_")}
        if any(not self.defines(name) for name in used & _FINDING):
            return
        if not used.difference(vars(builtins)) and used:
            called = {n.func.id for tree in guards.trees_of(self.task.texts()) for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            outer = [n for n in called if n not in _harmless] or [n for n in called]
            if len(outer) != 1:
                raise Broken("the tests call only functions that Python has (%s): name the candidate's in entry_point" % ", ".join(sorted(called)))
            self.task.entry = outer[0]

    def hopeless(self):
        """Reports whether no further test can pass, since the candidate's fuel is used up."""
        return self.candidate.exhausted

    def setup(self, run, source, code, name):
        """Runs what is no test. If that fails, so does what is behind it."""
        try:
            self.again()
            run()
            if self.candidate.end is not None:
                raise Ended
            return True
        except (Unsupported, Broken):
            raise
        except BaseException as e:
            if self.leaves(e) and not e.code:
                raise Left
            self.results.append(self.judged(name, e, source, code))
            return self.results[-1].outcome == SKIPPED

    def attempt(self, name, run, source, code=None):
        """Runs one test, and notes what became of it."""
        c = self.candidate
        try:
            self.again()
            run()
            if c.end is not None:
                raise Ended
            c.has_passed()
            result = Result(name, PASSED)
        except (Unsupported, Broken):
            raise
        except BaseException as e:
            if self.leaves(e) and not e.code:
                c.has_passed()
                self.results.append(Result(name, PASSED))
                raise Left
            result = self.judged(name, e, source, code)
        self.results.append(result)

    def leaves(self, e):
        """Reports whether the tests end their process themselves, as a script does to say whether they have passed."""
        c = self.candidate
        return type(e) is SystemExit and id(e) not in c.raised and not c.catches and c.end is None and self.asked

    def judged(self, name, e, source, code=None):
        """The result of a test that ended with an exception. Broken: the test is to blame."""
        try:
            return self._judged(name, e, source, code)
        except (Broken, Unsupported):
            raise
        except BaseException as while_asking:  # what the candidate defines, to find out whose fault it is
            if while_asking is e or self.candidate.end is None and id(while_asking) not in self.candidate.raised:
                raise
            if self.candidate.end is not None:
                return Result(name, *self.candidate.end)
            return Result(name, "exception", "the test cannot use the candidate's answer, which raises %s" % type(while_asking).__name__)

    def _judged(self, name, e, source, code=None):
        c = self.candidate
        if isinstance(e, SetUp):
            return e.args[0]
        if c.end is not None:
            result = Result(name, *c.end)
        elif isinstance(e, Ended):
            result = Result(name, "exit", str(e))
        elif isinstance(e, Missing):
            result = Result(name, "exception", "the candidate does not define %s" % e)
        elif isinstance(e, pytest.UsageError):
            raise Broken("%s: %s" % (name, e))
        elif isinstance(e, (pytest.Skipped, unittest.SkipTest)):
            return self.skipped(name, str(e)[:200], getattr(e, "by_mark", False))
        elif id(e) in c.raised:
            _, text, line, lacks = c.raised[id(e)]
            if isinstance(e, SystemExit):
                result = Result(name, "exit", "the candidate called exit(%s)" % shown(e.code, 50))
            else:
                kind = "memory" if isinstance(e, MemoryError) else "exception"
                text = text or _says(e)
                result = Result(name, kind, "%s: %s" % (type(e).__name__, text) if text else type(e).__name__, line, lacks)
        elif (at := defect(e)) is not None:
            raise Fault(e, at) from e
        elif self.leaves(e):
            result = Result(name, "wrong_answer", "the tests exit with %s" % shown(e.code, 200))
        elif isinstance(e, AssertionError):
            result = Result(name, "wrong_answer", str(e)[:1_000])
            asks = explain(result, e, source, self)
            if asks == "identity" and self._untracked(result):
                raise Unsupported("the tests ask whether equal values are one object")
            if asks == "place":
                raise Unsupported("the tests compare where an object is in memory", chosen=True)
        elif isinstance(e, NameError) and e.name == self.missing and self.missing is not None:
            if not self.blames(e.name, code):
                raise Broken("%s uses the name %s, which neither the tests nor the candidate define" % (name, e.name))
            result = Result(name, "exception", "the candidate does not define %s" % e.name)
        elif isinstance(e, ImportError) and not (e.name in self.task.modules):
            raise Broken("%s: %s: %s" % (name, type(e).__name__, e))
        elif isinstance(e, ImportError) and str(e).startswith("spec not found"):
            raise Broken("%s loads the candidate's module again" % name)
        elif isinstance(e, ImportError):
            result = Result(name, "exception", "the candidate does not define what the tests import: %s" % e)
        elif isinstance(e, RuntimeError) and str(e).startswith("can't start new thread"):
            raise Broken("%s needs threads, which this runtime does not have" % name)
        elif isinstance(e, FileNotFoundError) and "No usable temporary directory" in str(e):
            raise Broken("%s needs a directory for temporary files, which this runtime does not have" % name)
        elif is_beyond(e, [f.filename for f in traceback.extract_tb(e.__traceback__)]):
            raise Broken("%s needs an event loop, which this runtime does not have" % name)
        elif isinstance(e, AttributeError) and type(e.obj) in _BELOW and not isinstance(c, _Same) and c.casts():
            raise Unsupported("the tests use %s of an object whose class is below %s, as which it has crossed" % (e.name, type(e.obj).__name__), chosen=True)
        elif isinstance(e, AttributeError) and type(e.obj) is super and not isinstance(c, _Same):
            raise Unsupported("the tests call super() with an object of the candidate")
        elif isinstance(e, TypeError) and _wants_class(str(e), c.classes):
            raise Unsupported("the tests use an object of the candidate where Python wants one of its own: %s" % told(e), chosen=True)
        elif not self.asked and (not self.task.entry or callable(self.entry)):
            raise Broken("%s fails before it calls the candidate: %s" % (name, told(e)))
        else:
            result = Result(name, "exception", "the test cannot use the candidate's answer: %s" % told(e))
        if not isinstance(c, _Same) and replaced():
            raise Unsupported("the tests replace %s" % replaced())
        result.lacks = c.lacked or result.lacks
        if self.told:
            return result
        self.told = True
        if c.last is not None and result.input is None:
            result.input = self.called()
        if c.last is not None and c.last[3] is not None and result.actual is None and result.outcome in ("wrong_answer", "exception") and id(e) not in c.raised:
            result.actual = shown(c.last[3][0])
        return result

    asked_first = False  # the tests' module asks the candidate, before any test runs

    def skipped(self, name, why, by_mark):
        """The result of a test that is skipped. If the candidate was asked before, that may come of its answer."""
        if self.asked_first if by_mark else self.uses():
            self.candidate.doubt = self.candidate.doubt or "%s is skipped, perhaps by what the candidate has answered" % name
        return Result(name, SKIPPED, why)

    def note_decorated(self, tests):
        """Notes a test that the candidate decorates, and may have replaced so."""
        if not any(guards.is_theirs(dict.get(self.names, name)) for name in _decorators(tests)):
            return
        for n in (n for tree in guards.trees_of([tests]) for n in ast.walk(tree) if getattr(n, "decorator_list", ())):
            if any(getattr(x, "name", "").startswith("test") for x in (n.body if isinstance(n, ast.ClassDef) else [n])) and any(guards.is_theirs(dict.get(self.names, _root(d))) for d in n.decorator_list):
                self.candidate.doubt = self.candidate.doubt or "the candidate decorates the test %s, and may have replaced it" % n.name

    def _untracked(self, result):
        """Reports whether the values of an identity test look the same, and none is an argument of the last call, whose identity is kept."""
        c = self.candidate
        if c.last is not None and c.last[3] is None:  # it raised an exception, which may be the one of an earlier call
            return result.expected is not None and result.expected == result.actual
        if c.last is None or any(x == c.last[3][0] for x in c.numbered):
            return False
        if c.stands_for_library():
            return True
        return result.expected is None or result.expected == (result.actual or shown(c.last[3][0]))

    def called(self):
        """The last call, as the tests wrote it."""
        (name, args, named, _), end, seen = self.candidate.last, self.candidate.end, Unsupported.seen
        try:
            args = [shown(self.candidate.value(a)) for a in args]
            named = ["%s=%s" % (k, shown(self.candidate.value(a))) for k, a in named.items()]
        except BaseException:
            self.candidate.end, Unsupported.seen = end, seen  # what only the candidate can read is no answer of it
            return None
        text = "%s(%s)" % (name or "it", ", ".join(args + named))
        return text if len(text) <= 1_000 else text[:997] + "..."


class _Same:
    """What Isolated asks of a candidate, where there is one instance."""

    end = test_fuel = last = failing = None
    catches = False
    instances, classes = 1, {}

    def has_passed(self):
        pass
    lacked = ""
    exhausted = False

    def __init__(self):
        self.raised = {}


class _SharedNames(_Globals):
    """The global names of tests in the candidate's instance: its names come before Python's, as where both are one file."""

    def __init__(self, tests):
        super().__init__(_OWN)
        self.tests = tests

    def __missing__(self, name):
        try:
            v = self[name] = getattr(self.tests.module, name)
        except AttributeError:
            if name not in vars(builtins):
                self.tests.missing = name
            raise KeyError(name) from None
        return v


class Shared(Isolated):
    """Runs tests in the instance of their candidate, which may do with them what it likes."""

    asked, watches = True, False

    def uses(self):
        return False

    def __init__(self, world, task):
        self.candidate, self.task, self.results, self.world = _Same(), task, [], world
        self.names = _SharedNames(self)
        _importable(self.names)
        self.entry = self.missing = self.module = None

    def load(self):
        task = self.task
        self.used, self.before, _ = self.world.do_load(task.prompt, task.alternatives, task.above, task.module, [])[1]
        self.module = self.world.module
        for name in task.modules:
            sys.modules[name] = self.module
        if task.entry:
            name = task.entry.partition(".")[0]
            try:
                self.entry = self.names[name] = getattr(self.module, name)
            except AttributeError:
                raise Missing(name)
        self.set_up()

    def programs(self):
        return self.task.alternatives

    def find(self, name):
        raise KeyError(name)

    def leaves(self, e):
        return False  # it may be the candidate that does

    def blames(self, name, code):
        if name in self.task.required or self.task.entry or self.task.required:
            return name in self.task.required
        return not any(hasattr(self.module, n) for n in free_names(code) if n not in vars(builtins))

    def judged(self, name, e, source, code=None):
        files = [f.filename for f in traceback.extract_tb(e.__traceback__) if f.filename in (FILE, CANDIDATE)]
        if isinstance(e, SyntaxError) or isinstance(e, SystemExit) or files and files[-1] == CANDIDATE:
            _, text, line, lacks, tried = self.world._told(e)
            self.candidate.raised[id(e)] = e, text, line, lacks
            if self.module is None:
                self.used, self.before = tried
        return super().judged(name, e, source, code)


def shared(world, told):
    """Runs tests in the candidate's instance, and returns what of each result is plain."""
    task = types.SimpleNamespace(**told)
    task.required, task.texts, task.helper = set(task.required), lambda: [*(task.tests if isinstance(task.tests, list) else [task.tests]), *task.setup], lambda name, candidate: None
    tests = Shared(world, task)
    tests.used, tests.before = 0, 0
    try:
        run(tests, task.tests, task.form)
    except NotLoaded as e:
        tests.results = [tests.judged("load", e.args[0], "")] * (len(task.tests) if isinstance(task.tests, list) else 1)
    except (Broken, Fault) as e:
        return {"broken": str(e)}
    return {"used": tests.used, "before": tests.before, "results": [[getattr(r, k) for k in Result.__slots__] for r in tests.results]}


class NotLoaded(Exception):
    """The candidate cannot be loaded; the argument is why."""


class SetUp(Exception):
    """The setup has failed; the argument is the result."""


class Left(Exception):
    """The tests have ended their process, and have passed."""


class Missing(Exception):
    """The candidate lacks the name that it must define."""


def told(e):
    """An exception of a test, with the test's line."""
    text = "%s: %s" % (type(e).__name__, str(e)[:300])
    lines = [f.lineno for f in traceback.extract_tb(e.__traceback__) if f.filename == FILE]
    return text + (" (line %d of the tests)" % lines[-1] if lines else "")


# What an instance of its own has found out about texts, by text.
_ahead = {}
_Ahead = collections.namedtuple("_Ahead", "code pieces does wanted imports")


def compile_ahead(peer, texts, form):
    """Has texts compiled apart, so that the host may remember the code: candidates of one problem have the same tests. What cannot be compiled is not there."""
    end, found, _ = peer.compute(message(("compiled", texts, form)))
    if end == "answer":
        for text, known in zip(texts, requested(found)):  # from a new instance, which runs none of it
            if known is not None:
                _ahead[text] = _Ahead(*known)


def compiled_ahead(texts, form):
    """Compiles texts in an instance that does nothing else."""
    out = []
    for text in texts:
        try:
            code = compiled(text)
            out.append((code, pieces(text) if form == "script" else None, guards.does(code), _wanted_by_classes(code) if "class" in text else [], _may_import(text)))
        except Broken:
            out.append(None)
    return marshal.dumps(out)


def _may_import(text):
    """Reports whether tests may import the candidate's module."""
    return "import" in text or "solution" in text


def compiled(source, name="the tests"):
    """Compiles a text of the dataset."""
    if source in _ahead:
        return _ahead[source].code
    try:
        return compile(source_or_tree(source, FILE), FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        where = " (line %d)" % e.lineno if isinstance(e, SyntaxError) and e.lineno else ""
        raise Broken("%s cannot be parsed: %s: %s%s" % (name, type(e).__name__, getattr(e, "msg", e), where))


def free_names(code):
    """The names that a piece of code uses, those of its functions included."""
    names = set()
    if code is not None:
        names.update(code.co_names)
        for c in code.co_consts:
            if isinstance(c, types.CodeType):
                names |= free_names(c)
    return names


def _used_by_classes(code):
    """The names that bodies of classes use, where Python does not ask Names.__missing__."""
    names = set()
    for c in code.co_consts if code is not None else ():
        if isinstance(c, types.CodeType):
            if not c.co_flags & inspect.CO_OPTIMIZED:
                names |= set(c.co_names) - _stored(c) - set(vars(builtins))
            names |= _used_by_classes(c)
    return names


def _wanted_by_classes(code):
    """The names that bodies of classes use, and the tests do not bind."""
    used = _used_by_classes(code)
    return sorted(used - _stored(code)) if used else []


def _stored(code):
    """The names that a module or the body of a class binds."""
    return {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"} if code is not None else set()


_BELOW = frozenset((tuple, list, dict, set, frozenset, bytes, bytearray, collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque))


def _wants_class(text, classes):
    """Reports whether a built-in function names a class of the candidate that it does not take: it might take the class itself."""
    named = set(re.findall(r"\w+" if "not type '" not in text else r"'(\w+)'", text))
    return text == "called match pattern must be a class" or any(k.__name__ in named and ("not type '" in text or below(k) is not None) for k in classes.values())


def _says(e):
    """The text of an exception of the candidate, unless that raises another one."""
    try:
        return str(e)[:300]
    except Exception:
        return ""


# The forms.

def literal(task, tests, form):
    """Reads tests that are all assertions with literals; None: they have to be compiled."""
    is_check = form == "check"
    if task.setup or not (is_check and task.entry.isidentifier() or form in ("list", "script")):
        return None
    if form == "list" and any([t.count("assert ") != 1 for t in tests]):
        return None
    of = literals.asserted("\n".join(tests) if form == "list" else tests, is_check)
    if of is None or form == "list" and len(of.found) != len(tests) or not guards.calls_only(of.name, of.strings) or of.name in vars(builtins):
        return None
    return of


def run_literal(world, of, form):
    """Runs what literal() has read."""
    if form == "script":
        world.names["__name__"] = "__main__"
    world.prepare(())
    n = len(of.found)
    if form == "check":
        world.attempt("check", lambda: _assert(world, of, 0, n, world.method()), of.text)
        return
    for k in range(n):
        world.attempt("tests[%d]" % k if form == "list" else "line %d" % of.line(k), lambda: _assert(world, of, k, k + 1), of.text)
        if world.hopeless():
            last = world.results[-1]
            world.results.extend(Result("tests[%d]" % rest if form == "list" else "a test behind it", last.outcome, last.why) for rest in range(k + 1, n))
            return


@transparent
def _assert(world, of, k, end, f=None):
    """Runs assertions. What may ask more of an answer than whether it equals a value is compiled."""
    c, is_check = world.candidate, f is not None
    if not is_check:
        try:
            f = world.names[of.name]
        except KeyError:
            raise NameError("name %r is not defined" % of.name, name=of.name)
    while type(f) is Function and f._rh[1] is None:
        k = c.answers(f._rh[2], of, k, end)
        if k == end:
            return
        found = c.value_ahead(f._rh[2], of.coded(k)[0])
        if found is ...:
            break
        args, expected, message, compares = of.values(k)
        v = f(*args) if found is None else found[0]
        if (v if compares else bool(v)) != expected:
            e = AssertionError(*message)
            e._rh_asserts = of, k, expected
            raise e
        k += 1
    exec(compiled(of.since(k) if is_check else of.alone(k)), world.names)
    if is_check:
        dict.get(world.names, "check")(f)


def run(world, tests, form):
    """Runs tests, a text or a list of texts, in one form."""
    global _collects
    _collects = False
    if isinstance(tests, list):
        codes = [compiled(t, "tests[%d]" % k) for k, t in enumerate(tests)]
        world.prepare(codes)
        for k, (text, code) in enumerate(zip(tests, codes)):
            try:
                world.attempt("tests[%d]" % k, lambda: exec(code, world.names), text, code)
            except Left:
                pass
            if world.hopeless():
                for n in range(k + 1, len(tests)):
                    world.results.append(Result("tests[%d]" % n, world.results[-1].outcome, world.results[-1].why))
                break
        return
    form = recognised(tests, world.task.entry) if form == "auto" else form
    _collects = form in ("unittest", "pytest")
    try:
        _FORMS[form](world, tests)
    except Left:
        world.candidate.doubt = world.candidate.doubt or "the tests end before all of them have run, perhaps by what the candidate has answered"


_decorators = re.compile(r"^[ \t]*@[ \t]*(\w+)", re.M).findall
_examples = re.compile(r"^\s*>>> ", re.M).search
_definitions = re.compile(r"^(?:def|class) ", re.M).search
_test_functions = re.compile(r"^(?:async )?def test\w*\(|^class Test", re.M).search


def recognised(tests, entry):
    """Finds out in which form tests are."""
    if ">>> " in tests and _examples(tests) and not _definitions(tests):
        return "doctest"
    begins = "\n" + tests
    if entry and "\ndef check(" in begins and "\ncheck(" not in begins:
        return "check"
    if "TestCase" in tests:
        return "unittest"
    return "pytest" if _test_functions(tests) and not _calls_its_tests(tests) else "script"


_take_arguments = re.compile(r"^(?:async )?def (test\w*)\(\s*(?!self\b)\w", re.M).findall


def _calls_its_tests(tests):
    """Reports whether a file, as a program, calls functions test_* with arguments that no fixture is."""
    if not any(tests.count(name) > 1 for name in _take_arguments(tests)):
        return False
    try:
        body = ast.parse(tests).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False  # compiled() tells the error
    functions = {n.name: n for n in body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    given = pytest.FIXTURES.union(*([n.name, *(k.value.value for d in n.decorator_list for k in getattr(d, "keywords", ()) if k.arg == "name" and isinstance(k.value, ast.Constant))]
                                    for n in functions.values() if any("fixture" in ast.unparse(d) for d in n.decorator_list)))
    called = [n for n in body if not isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))]
    for of in called:
        for n in ast.walk(of):
            f = functions.pop(n.id, None) if isinstance(n, ast.Name) else None
            if f is not None and f.name.startswith("test") and not f.decorator_list and any(a.arg not in given for a in f.args.args[:len(f.args.args) - len(f.args.defaults)]):
                return True
            called += [f] if f is not None else []
    return False


def _check(world, tests):
    code = compiled(tests)
    world.prepare([code])
    names = world.names

    def go():
        exec(code, names)
        check = dict.get(names, "check")
        if not callable(check):
            raise Broken("the tests have no function check(candidate)")
        check(world.method())
    world.attempt("check", go, tests, code)


def joined(tests, form):
    """A list of texts that only define functions and classes is one text: its form says what of it is a test."""
    if form in ("auto", "script") and any(t.lstrip().startswith("assert") or _has_test(t) for t in tests):
        return tests
    return "\n\n".join(tests)


def _has_test(text):
    try:
        return any(is_test for is_test, _, _ in pieces(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # compiled() tells the error


def pieces(tests):
    """The statements of a script as (is a test, first line, code). Each top-level assert, and each statement with an assert or a call of a function test_* in it, is a test."""
    pieces, body = [], parsed(tests, FILE).body
    functions = {n.name for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test")}
    for node in body:
        is_test = not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) and (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) or _is_main(node) or any(
                isinstance(n, ast.Assert) or isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in functions for n in ast.walk(node)))
        if pieces and not is_test and not pieces[-1][0]:
            pieces[-1][1].append(node)
        else:
            pieces.append((is_test, [node]))
    return [(is_test, nodes[0].lineno, compile(ast.Module(nodes, []), FILE, "exec", dont_inherit=True)) for is_test, nodes in pieces]


def _is_main(node):
    """Reports whether a statement is what a program runs: if __name__ == "__main__"."""
    return isinstance(node, ast.If) and any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(node.test))


def _script(world, tests):
    """Runs statements in order, as a program."""
    world.names["__name__"] = "__main__"
    whole = compiled(tests)
    statements = _ahead[tests].pieces if tests in _ahead else pieces(tests)
    world.prepare([whole])
    count = 0
    for is_test, line, code in statements:
        count += is_test
        try:
            ok = world.attempt("line %d" % line, lambda: exec(code, world.names), tests, whole) if is_test else world.setup(lambda: exec(code, world.names), tests, whole, "line %d" % line)
        except Left:
            if any(t and n > line for t, n, _ in statements):
                raise
            return
        if not is_test and not ok:
            rest = sum(t for t, n, _ in statements if n > line)
            world.results.extend(Result("a test behind it", world.results[-1].outcome, world.results[-1].why) for _ in range(rest))
            return
        if world.hopeless():
            rest = sum(t for t, n, _ in statements if n > line)
            world.results.extend(Result("a test behind it", world.results[-1].outcome, world.results[-1].why) for _ in range(rest))
            return
    if not count:
        raise Broken("the tests have no assert, no call, and no function test_*")


def _module(world, tests):
    """Runs the tests' module, without its functions."""
    code = compiled(tests)
    world.prepare([code])
    ok = world.setup(lambda: exec(code, world.names), tests, code, "the tests' module")
    world.asked_first = world.uses()
    if ok and world.asked_first:
        world.note_decorated(tests)
    return code, ok


def _unittest(world, tests):
    code, ok = _module(world, tests)
    if not ok:
        return
    suite = unittest.TestSuite()
    kinds = [v for v in list(world.names.values()) if isinstance(v, type) and issubclass(v, unittest.TestCase) and v.__module__ == "tests"]
    for kind in kinds:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(kind))
    if not suite.countTestCases() and not _test_functions(tests):
        raise Broken("the tests have no test method in a TestCase")
    try:
        suite.run(_Outcomes(world, tests, code))
    except (Broken, Unsupported):
        raise
    except BaseException as e:  # of a setUpClass, or one that unittest lets through
        if world.candidate.end is None and id(e) not in world.candidate.raised:
            raise
        world.results.append(world.judged("the tests", e, tests, code))
        return
    _functions(world, tests, code)  # pytest runs them, too


class _Outcomes(unittest.TestResult):
    """Notes the outcomes of unittest."""

    def __init__(self, world, source, code):
        super().__init__()
        self.world, self.source, self.code, self.failed = world, source, code, {}

    def startTest(self, test):
        super().startTest(test)
        self.failed[id(test)] = None
        try:
            self.world.again()
        except (Ended, Missing) as e:
            self._fail(test, e)

    def stopTest(self, test):
        super().stopTest(test)
        result = self.failed.pop(id(test))
        if result is None:
            self.world.candidate.has_passed()
        if result is None and self.world.candidate.end is not None:
            result = self.world.judged(_name(test), Ended(), self.source)
        self.world.results.append(result or Result(_name(test), PASSED))

    def _fail(self, test, e):
        if isinstance(e, (Unsupported, Broken)):
            raise e
        result = self.world.judged(_name(test), e, self.source, self.code)
        if id(test) not in self.failed:  # setUpClass, setUpModule
            self.world.results.append(result)
        elif self.failed[id(test)] is None:
            self.failed[id(test)] = result

    def addError(self, test, error):
        self._fail(test, error[1])

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self._fail(test, error[1])

    def addSkip(self, test, reason):
        by_mark = any(getattr(x, "__unittest_skip__", False) for x in (type(test), getattr(test, getattr(test, "_testMethodName", ""), None)))
        result = self.world.skipped(_name(test), reason, by_mark)
        if id(test) in self.failed:
            self.failed[id(test)] = result

    def addExpectedFailure(self, test, error):
        exclude_defect(error[1])

    def addUnexpectedSuccess(self, test):
        self.failed[id(test)] = Result(_name(test), "wrong_answer", "the test passed, although it is marked as an expected failure", lacks=self.world.candidate.lacked)


def _name(test):
    return str(test.id()).removeprefix("tests.") if hasattr(test, "id") else str(test)


def _pytest(world, tests):
    code, ok = _module(world, tests)
    if ok and not _functions(world, tests, code):
        raise Broken("the tests have no function test_*")


def _functions(world, tests, code):
    """Runs what pytest collects, and returns how many tests that are."""
    try:
        found, end = pytest.collect(world.names, lambda: world.candidate.instances)
    except pytest.UsageError as e:
        if world.asked_first:
            raise Doubtful("the tests cannot be collected, perhaps by what the candidate has answered: %s" % e, chosen=True)
        raise Broken(str(e))
    for name, run in found:
        def go():
            try:
                run()
            except pytest.UsageError as e:
                raise Broken(str(e))
        world.attempt(name, go, tests, code)
    if found and world.candidate.end is None:
        world.attempt("the end of the fixtures", end, tests, code)
        if world.results[-1].outcome == PASSED:
            world.results.pop()
    return len(found)


def _doctest(world, tests):
    try:
        examples = guards.examples_of(tests)
    except ValueError as e:
        raise Broken("the doctest cannot be parsed: %s" % e)
    if not examples:
        raise Broken("the tests have no example that begins with >>>")
    codes = []
    for x in examples:
        try:
            codes.append(compile(x.source, FILE, "single", dont_inherit=True))
        except SyntaxError as e:
            raise Broken("the example %r cannot be parsed: %s" % (x.source[:100], e.msg))
    world.prepare(codes)
    checker = doctest.OutputChecker()
    for x, code in zip(examples, codes):
        def go():
            flags = 0
            for flag, on in x.options.items():
                flags = flags | flag if on else flags & ~flag
            out, display = io.StringIO(), sys.displayhook
            sys.displayhook = sys.__displayhook__
            try:
                with contextlib.redirect_stdout(out):
                    exec(code, world.names)
            except Exception as e:
                exclude_defect(e)
                if x.exc_msg is None:
                    raise
                got = traceback.format_exception_only(type(e), e)[-1]
                if not checker.check_output(x.exc_msg, got, flags) and not (flags & doctest.IGNORE_EXCEPTION_DETAIL and got.partition(":")[0] == x.exc_msg.partition(":")[0]):
                    raise Differs(x, got)
                return
            finally:
                sys.displayhook = display
            want = x.want if x.exc_msg is None else "Traceback: " + x.exc_msg
            got = out.getvalue()
            got += "\n" * (got != "" and got[-1] != "\n")  # as doctest does
            if not checker.check_output(want, got, flags):
                raise Differs(x, got)
        if x.options.get(doctest.SKIP):
            continue
        if x.want or x.exc_msg is not None:
            world.attempt("line %d" % (x.lineno + 1), go, tests, code)
        elif not world.setup(lambda: exec(code, world.names), tests, code, "line %d" % (x.lineno + 1)):
            return
        if world.hopeless():
            return


def _of_candidates(f, refused):
    """A function that only candidates may call: in tests, it is another."""
    @functools.wraps(f)
    @transparent
    def called(*args, **named):
        return (f if Candidate.current is None else refused)(*args, **named)
    return called


def _testmod(*_, **__):
    raise Broken("the tests run doctests, which execute what the candidate has written")


_collects = False  # the form of the tests is one of which all tests run


def _run_by_us(*_, **__):
    """Is unittest.main and pytest.main: the tests are run anyway."""
    if not _collects:
        raise Broken("the tests run themselves by a main function of unittest or pytest: put them into one text, without form, or with form unittest or pytest")
    return 0


unittest.main, pytest.main = _of_candidates(unittest.main, _run_by_us), _run_by_us

# What unittest says of a failure takes the square of what the candidate has answered, or more: with it, any wrong answer that is large would take all fuel, and get no score.
unittest.case.difflib, unittest.case.pprint = types.SimpleNamespace(ndiff=lambda a, b: ()), types.SimpleNamespace(pformat=lambda v: "")
_differences = unittest.case._count_diff_all_purpose
unittest.case._count_diff_all_purpose = lambda a, b: _differences(a, b) if len(a) == len(b) else [(len(a), len(b), "elements")]
doctest.testmod, doctest.run_docstring_examples, doctest.DocTestRunner.run = (_of_candidates(f, _testmod) for f in (doctest.testmod, doctest.run_docstring_examples, doctest.DocTestRunner.run))


def _excluding(kind):
    """Has a with statement that suppresses exceptions let defects through."""
    leaves = kind.__exit__

    @functools.wraps(leaves)
    @transparent
    def leave(self, kind, e, tb):
        if e is not None:
            exclude_defect(e)
            e = ended(e, getattr(self, "expected", ()))
            kind = type(e)
        return leaves(self, kind, e, tb)
    kind.__exit__ = leave


_excluding(unittest.case._AssertRaisesContext)
_excluding(contextlib.suppress)


class Differs(AssertionError):
    """A doctest printed something else."""

    _rh_meant = True

    def __init__(self, example, got):
        super().__init__("%s printed %s, expected %s" % (example.source.strip()[:300], shown(got.rstrip("\n")), shown(example.want.rstrip("\n"))))
        self.expected, self.actual = example.want.rstrip("\n"), got.rstrip("\n")


def undefined(trees):
    """The names that tests use and do not define, but for those of built-in functions and of modules."""
    loaded, stored = set(), set(vars(builtins)) | sys.stdlib_module_names
    for tree in trees:
        for n in ast.walk(tree):
            if isinstance(n, ast.Name):
                (loaded if isinstance(n.ctx, ast.Load) else stored).add(n.id)
            elif isinstance(n, ast.arg):
                stored.add(n.arg)
            elif isinstance(n, ast.alias):
                stored.add((n.asname or n.name).partition(".")[0])
            elif isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)):
                stored.add(n.name)
    return loaded - stored


def names_candidate(task):
    """Reports whether tests use a name of the candidate other than to call it, as in callable(f)."""
    trees = list(guards.trees_of(task.texts()))
    names = {task.entry.partition(".")[0], "candidate", *task.required, *undefined(trees)}
    for tree in trees:
        for n in ast.walk(tree):
            if isinstance(n, ast.ImportFrom) and n.module in task.modules:
                names.update(x.asname or x.name for x in n.names)
            elif isinstance(n, ast.Import):
                names.update(x.asname or x.name for x in n.names if x.name in task.modules)
    called = {id(_root_node(n.func)) for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Call)}
    return any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in names and id(n) not in called for tree in trees for n in ast.walk(tree))


def _root_node(node):
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node


def _root(node):
    return getattr(_root_node(node), "id", "")


# Names that tests forget to import; and those of them that a candidate may define for other reasons.
_FORGOTTEN = {f.__name__: f for f in (math.isclose, math.isnan, math.isinf, copy.deepcopy, pytest.approx, pytest.raises, pytest.warns, collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque,
                                      functools.reduce, itertools.product, itertools.permutations, itertools.combinations, itertools.chain, random.randint, random.choice, random.sample)}
_ALSO = _FORGOTTEN.keys() - {"isclose", "approx", "raises", "warns"}
_FORMS = {"check": _check, "script": _script, "unittest": _unittest, "pytest": _pytest, "doctest": _doctest}


# Why an assertion failed.

_pure = (ast.Expression, ast.Constant, ast.Name, ast.Load, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop,
         ast.Subscript, ast.Slice, ast.Attribute, ast.Call, ast.keyword, ast.Starred, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.JoinedStr, ast.FormattedValue)
_harmless = frozenset("abs all any bool bytes complex dict divmod enumerate float frozenset int len list max min range repr reversed round set sorted str sum tuple zip".split())

_FINDING = frozenset("eval exec globals locals vars __import__".split())  # by which tests find the candidate's functions


def explain(result, e, source, world):
    """Adds what a failed assertion expected. What it evaluates again are expressions of the tests without a call of the candidate. Returns what else than a value it asks for: "identity", "place"."""
    if isinstance(e, Differs):
        result.expected, result.actual = shown(e.expected), shown(e.actual)
        return
    seen = Unsupported.seen
    try:
        tb, frame, line = e.__traceback__, None, None
        if (literal := vars(e).get("_rh_asserts")) is not None:
            of, k, value = literal
            text, compares = of.explained(k)
            if text is not None:
                result.why = "assert " + (text if len(text) <= 300 else text[:297] + "...")
                result.expected = shown(value) if compares else None
                return "place" if compares and type(value) is str and _address(value) else None
            line = of.line(k)
        while tb is not None:
            if tb.tb_frame.f_code.co_filename == FILE:
                frame, line = tb.tb_frame, tb.tb_lineno
            tb = tb.tb_next
        if line is None:
            return
        if " is not " in result.why and not result.why.startswith("assert ") and re.match(r"(.*) is not \1(?: : |$)", result.why, re.S):
            return "identity"  # of unittest
        if _addresses(result.why):
            return "place"
        lines = source.split("\n")
        plain = _plain_assertion(lines[line - 1])
        if plain is not None:
            text, value = plain
            result.why, result.expected = result.why or "assert " + (text if len(text) <= 300 else text[:297] + "..."), shown(value)
            return "place" if type(value) is str and _address(value) else None
        node, parsed = _assertion(lines, line - 1)
        if node is None:
            return
        if not result.why:
            text = _written(node.test, parsed)
            result.why = "assert %s" % (text if len(text) <= 300 else text[:297] + "...")
        test = node.test
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and any(map(_asks_identity, test.values)):
            test = next((n for n in test.values if (v := _evaluated(n, frame)) is not None and not v[0]), test)
        if isinstance(test, ast.Call) and len(test.args) > 1 and _is_near(getattr(test.func, "attr", getattr(test.func, "id", ""))):
            got, wanted = [_evaluated(n, frame) for n in test.args[:2]]
            if wanted is not None and (got is None or world.candidate.last and got == world.candidate.last[3]):
                result.expected = shown(wanted[0])
            return
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.Is)):
            return
        sides = [test.left, test.comparators[0]]
        values = [_evaluated(n, frame) for n in sides]
        ours = [k for k in (0, 1) if values[k] is not None]
        if len(ours) == 1:
            result.expected = shown(values[ours[0]][0])
        elif len(ours) == 2:
            result.actual, result.expected = shown(values[0][0]), shown(values[1][0])
        if ours and all(type(values[k][0]) is str and _address(values[k][0]) for k in ours):
            return "place"
        return "identity" if _asks_identity(test) and not _are_objects(sides, values, world.candidate.last) else None
    except (Ended, Unsupported, Exception):
        pass
    finally:
        Unsupported.seen = seen


_is_near = re.compile("close|near|almost|same|equal|approx", re.I).search  # what compares an answer with a value, in this order


def _are_objects(sides, values, last):
    """Reports whether what is compared are objects that stay with the candidate, each of which is one here, too: it is a value, or what a call has just answered."""
    if values == [None, None] and not all(isinstance(n, ast.Call) and ast.dump(n.func) == ast.dump(sides[0].func) for n in sides):
        return False
    found = [(last and last[3] or (None,))[0] if v is None and isinstance(n, ast.Call) else v and v[0] for n, v in zip(sides, values)]
    return all(type(type(v)) is Mirror for v in found)


def _asks_identity(node):
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is) and not isinstance(node.comparators[0], ast.Constant)


_calls_name = re.compile(r"""[ \t]*assert (([A-Za-z_]\w*)\((?:[^()'"#\\]++|'[^'\\]*+'|"[^"\\]*+"|\((?:[^()'"#\\]++|'[^'\\]*+'|"[^"\\]*+")*+\))*+\) *== *)""").match
_constant = re.compile(r"""(True|False|None)\b|'([^'\\]*)'|"([^"\\]*)\"""").match
_is_plain = re.compile(r"""(?:[-\d., \[\]{}:]++|"[^"\\]*+")*+""").fullmatch
_scan = json.JSONDecoder().scan_once


def _plain_assertion(line):
    """Of a line such as `assert f(1) == [2], "message"`: what it asserts, and the value that it expects. None: another line. To parse one takes as long as to run most tests."""
    m = _calls_name(line)
    if m is None or m[2] in _harmless or keyword.iskeyword(m[2]) or not line.isascii():
        return None
    v = _constant(line, m.end())
    if v is not None:
        end, value = v.end(), {"True": True, "False": False, "None": None}[v[1]] if v[1] else v[2] or v[3] or ""
    else:
        text = line if '"' in line else line.replace("'", '"')
        try:
            value, end = _scan(text, m.end())
        except (ValueError, StopIteration, RecursionError):
            return None
        if not _is_plain(text, m.end(), end):  # JSON has other names
            return None
    return (line[m.start(1):end], value) if line[end:].lstrip()[:1] in ("", ",", "#") else None


def _assertion(lines, k):
    """Parses the assert statement that holds a line, and nothing else; returns its text, too. To parse all tests takes as long as to run them."""
    first = next((n for n in range(k, max(k - 20, -1), -1) if lines[n].lstrip().startswith("assert")), None)
    if first is not None:
        for last in range(k + 1, min(k + 20, len(lines)) + 1):
            text = "\n".join([lines[first].lstrip(), *lines[first + 1:last]])
            try:
                return ast.parse(text).body[0], text
            except SyntaxError:
                continue
    return None, ""


_address = re.compile(r" at 0x[0-9a-f]{4,}").search  # in the text of a function or object
_addresses = re.compile(r"""^['"].* at 0x[0-9a-f]{4,}.* != ['"].* at 0x[0-9a-f]{4,}""", re.S).search  # as unittest says it


def _written(node, text):
    """An expression as the tests have it, on one line. ast.unparse takes as long as parsing and compiling it."""
    if node.lineno == node.end_lineno == 1 and "\n" not in text and text.isascii():
        return text[node.col_offset:node.end_col_offset]
    return ast.unparse(node)


def _evaluated(node, frame):
    """The value of an expression in a one-tuple; None: it calls the candidate, or might do something."""
    if isinstance(node, ast.Constant):
        return node.value,
    if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _harmless):
        return None
    try:
        return ast.literal_eval(node),  # faster than walking and compiling it
    except ValueError:
        pass
    for n in ast.walk(node):
        if not isinstance(n, _pure) or isinstance(n, ast.Call) and not (isinstance(n.func, ast.Name) and n.func.id in _harmless):
            return None
    v = eval(compile(ast.Expression(node), FILE, "eval"), frame.f_globals, frame.f_locals)
    return None if isinstance(v, Function) else (v,)
