# A world in which tests run: their names, the candidate, and a result for each test.
import ast, builtins, collections, re, sys, traceback, unittest

import pytest
from . import guards
from .ends import Ended, Fault, Unsupported
from .explain import explain, harmless
from .faults import defect, transparent
from .handles import NOT_TRUE, Record, TAKEN_AS_TRUE
from .kinds import below
from .loops import is_beyond
from .mirrors import ask_of_methods, Function, Mirror
from .names import ALSO, FINDING, FORGOTTEN, Globals, HOOKS, importable, Module, Names, OWN_NAMES, root_of, undefined
from .patches import replaced
from .results import Broken, CANDIDATE, FILE, Left, Missing, NotLoaded, PASSED, Result, SetUp, shown, SKIPPED
from .texts import AHEAD, compiled, decorators, free_names, may_import, wanted_by_classes
from .wire import COPIED, is_value, value


_LETS_GO = re.compile(r"\bgc\.collect\(|^\s*del +\w+ *(?:[;#]|$)", re.M)


class Isolated:
    """Runs tests against a candidate in another instance."""

    def __init__(self, candidate, task):
        self.candidate, self.task, self.results = candidate, task, []
        self.names = Names(self)
        importable(self.names)
        self.entry = self.missing = None
        self.helpers = None
        if any([AHEAD[text].imports if text in AHEAD else may_import(text) for text in task.texts()]):
            for name in task.modules:
                sys.modules[name] = Module(self, name)

    @property
    def asked(self):
        return self.candidate.last is not None or self.candidate.asked > self.first

    def concerns(self, e):
        """Reports whether an exception may come of the candidate: the tests have used it, sought a name that it lacks, or, for a TypeError, have what may be no function or no exception."""
        return self.asked if isinstance(e, TypeError) else self.uses() or self.candidate.sought

    def may_change(self, name):
        """Reports whether a name is that of a variable of the candidate's module."""
        return name in self.candidate.variables

    first, setup_codes, watches = 0, (), True
    used = False  # the tests have asked an instance that is no more
    told = False  # input and answer of the first failure are noted: those of no other are shown, and to note them costs as much as a test

    def uses(self):
        """Reports whether the tests have asked the candidate for more than names."""
        return self.used or self.candidate.uses()

    calls, kinds = "", {}  # the one name that tests without an entry point call, where that is known, and what it is: to be told of it when the candidate is loaded saves a request

    def load(self):
        """Loads the candidate, and puts its entry point among the names."""
        c, entry = self.candidate, self.task.entry
        name = entry.partition(".")[0] if entry else "" if c.instances else self.calls
        kinds = c.load([name] if name else [])
        if entry:
            self.entry = self.names[name] = self._entry(entry, kinds[0])
        elif name:
            self.kinds = {name: kinds[0]}
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
        return [n for n in self.candidate.names() if n == entry or n in self.task.required or n not in self.names and n not in vars(builtins) and n not in HOOKS and not (n in FORGOTTEN and any(n in t for t in self.task.texts()) and self._forgotten(n) is not None)]

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
        v = FORGOTTEN.get(name)
        if v is None or name in self.task.required:
            return None
        if not self.task.entry:
            if not undefined(guards.trees_of(self.task.texts())) - FORGOTTEN.keys():
                return None
            if name in ALSO and self.defines(name):
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
            isinstance(x, ast.Call) and root_of(x.func) in called for a in (*n.args, *(k.value for k in n.keywords)) for x in ast.walk(a)) for t in self.task.texts() for n in ast.walk(ast.parse(t)))

    def find(self, name):
        """Finds a name that the tests use and do not define."""
        if name in HOOKS:
            raise KeyError(name)
        helper = self.task.helper(name, self.candidate)
        if helper is None:
            helper = self._forgotten(name)
        if helper is not None:
            return helper
        if name in sys.stdlib_module_names and name in sys.modules and name not in self.task.required and not any(re.search(r"\b%s\s*\(" % name, t) for t in self.task.texts()):
            return sys.modules[name]  # tests that forget to import it do not mean what the candidate imports, or makes, under that name
        kind = self.kinds.pop(name, None)
        self.first -= kind is not None  # as if it had been asked for
        try:
            v = self.candidate.resolve(name, kind)
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
        c.stops()
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
        if codes and not self.task.entry and not self.task.required:
            self._shadowed(codes)
        self.task.codes = codes
        called = set().union(*map(free_names, (*codes, *(code for _, code in self.setup_codes)))).difference(vars(builtins)) if not self.task.entry else ()
        if len(called) == 1:
            self.calls, = called
        known = [AHEAD.get(t) for t in self.task.texts()]
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
            for name in of.wanted if of is not None and of.code is code else wanted_by_classes(code):
                try:
                    self.names[name]
                except LookupError:
                    pass  # it raises a NameError where it is used

    def _shadowed(self, codes):
        """Tests may call a function that is named like a built-in one: if that is all they call, it is the candidate's."""
        used = {n for n in set().union(*map(free_names, codes)) if n != "check" and not n.startswith("_rh_")}
        if any(not self.defines(name) for name in used & FINDING):
            return
        if not used.difference(vars(builtins)) and used:
            called = {n.func.id for tree in guards.trees_of(self.task.texts()) for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            outer = [n for n in called if n not in harmless] or [n for n in called]
            if len(outer) != 1:
                raise Broken("the tests call only functions that Python has (%s): name the candidate's in entry_point" % ", ".join(sorted(called)))
            self.task.entry = outer[0]

    def hopeless(self):
        """Reports whether no further test can pass, since the candidate's fuel is used up."""
        return self.candidate.exhausted

    def setup(self, run, source, code, name):
        """Runs what is not a test. If that fails, so does what is behind it."""
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
            if result.outcome != SKIPPED:
                c.fails(result)
        self.results.append(result)

    def leaves(self, e):
        """Reports whether the tests end their process themselves, as a script does to say whether they have passed."""
        c = self.candidate
        return type(e) is SystemExit and id(e) not in c.raised and not c.catches and c.end is None and self.asked

    def judged(self, name, e, source, code=None):
        """The result of a test that ended with an exception. Broken: the test is to blame."""
        self.candidate.stops()
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
        elif "_rh_ended" in vars(e) and "except" in source and type(e._rh_ended).__name__ in source:
            raise Unsupported("the tests may catch the %s of the candidate, which would end their loops" % type(e._rh_ended).__name__, chosen=True)
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
        elif isinstance(e, (AssertionError, pytest.Failed)):
            result = Result(name, "wrong_answer", str(e)[:1_000])
            asks = explain(result, e, source, self)
            if asks == "copies" and c.last is not None or asks == "identity" and self._untracked(result):
                raise Unsupported("the tests ask whether equal values are one object", chosen=True)
            if asks == "place":
                raise Unsupported("the tests compare where an object is in memory", chosen=True)
            if _LETS_GO.search(source) and not isinstance(c, _Same) and not c.lacked and any("weakref" in text or "__del__" in text for text in c.program.texts):
                raise Unsupported("the tests look at how long an object of the candidate is kept", chosen=True)
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
        elif isinstance(e, TypeError) and str(e).startswith(NOT_TRUE):
            raise Unsupported(TAKEN_AS_TRUE, chosen=True)
        elif isinstance(e, TypeError) and _wants_class(str(e), c.classes):
            raise Unsupported("the tests use an object of the candidate where Python wants one of its own: %s" % told(e), chosen=True)
        elif not self.concerns(e) and (not self.task.entry or callable(self.entry)):
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
        if not any(guards.is_theirs(dict.get(self.names, name)) for name in decorators(tests)):
            return
        for n in (n for tree in guards.trees_of([tests]) for n in ast.walk(tree) if getattr(n, "decorator_list", ())):
            if any(getattr(x, "name", "").startswith("test") for x in (n.body if isinstance(n, ast.ClassDef) else [n])) and any(guards.is_theirs(dict.get(self.names, root_of(d))) for d in n.decorator_list):
                self.candidate.doubt = self.candidate.doubt or "the candidate decorates the test %s, and may have replaced it" % n.name

    def _untracked(self, result):
        """Reports whether the values of an identity test look the same, and none is an argument of the last call, whose identity is kept."""
        c = self.candidate
        if c.last is not None and c.last[3] is None:  # it raised an exception, which may be the one of an earlier call
            return result.expected is not None and result.expected == result.actual
        if c.last is None:
            return False
        last = c.last[3][0]
        asked = [last]
        if result.expected is not None and not result.actual:  # the answer, or a part of it: f(x)[0] is x
            parts = last if type(last) in (list, tuple) else last.values() if type(last) is dict else ()
            asked = [v for v in (last, *parts) if (v is last or type(v) in COPIED or isinstance(v, Record)) and shown(v) == result.expected]
        if any(x == v for x in c.numbered for v in asked):
            return False
        if c.stands_for_library():
            return True
        return result.expected == result.actual if result.expected is not None and result.actual else bool(asked)

    def called(self):
        """The last call, as the tests wrote it."""
        (name, args, named, _), end, seen = self.candidate.last, self.candidate.end, Unsupported.seen
        try:
            args = [shown(value(a) if is_value(a) else self.candidate.value(a)) for a in args]
            named = ["%s=%s" % (k, shown(self.candidate.value(a))) for k, a in named.items()]
        except BaseException:
            self.candidate.end, Unsupported.seen = end, seen  # what only the candidate can read is not an answer of it
            return None
        text = "%s(%s)" % (name or "it", ", ".join(args + named))
        return text if len(text) <= 1_000 else text[:997] + "..."


class _Same:
    """What Isolated asks of a candidate, where there is one instance."""

    end = test_fuel = last = failing = None
    catches = False
    instances, classes = 1, {}

    def has_passed(self, result=None):
        pass

    stops = fails = has_passed
    lacked = ""
    exhausted = False

    def __init__(self):
        self.raised = {}


class _SharedNames(Globals):
    """The global names of tests in the candidate's instance: its names come before Python's, as where both are one file."""

    def __init__(self, tests):
        super().__init__(OWN_NAMES)
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

    def concerns(self, e):
        return True

    def __init__(self, world, task):
        self.candidate, self.task, self.results, self.world = _Same(), task, [], world
        self.names = _SharedNames(self)
        importable(self.names)
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


def told(e):
    """An exception of a test, with the test's line."""
    text = "%s: %s" % (type(e).__name__, str(e)[:300])
    lines = [f.lineno for f in traceback.extract_tb(e.__traceback__) if f.filename == FILE]
    return text + (" (line %d of the tests)" % lines[-1] if lines else "")


_BELOW = frozenset((tuple, list, dict, set, frozenset, bytes, bytearray, collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque))


def _wants_class(text, classes):
    """Reports whether a built-in function names a class of the candidate that it does not take: it might take the class itself."""
    named = set(re.findall(r"\w+" if "not type '" not in text else r"'(\w+)'", text))
    return text in ("called match pattern must be a class", "class pattern must refer to a class") or any(k.__name__ in named and ("not type '" in text or below(k) is not None) for k in classes.values())


def _says(e):
    """The text of an exception of the candidate, unless that raises another one."""
    try:
        return str(e)[:300]
    except Exception:
        return ""


# The forms.
