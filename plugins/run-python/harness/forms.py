# Runs tests in the forms in which datasets have them: one result for each test.
import ast, contextlib, doctest, functools, io, re, sys, traceback, types, unittest

import pytest
from . import guards
from .ends import Doubtful, Ended, ended, exclude_defect, Fault, Unsupported
from .faults import transparent
from .isolated import Shared
from .judge import Candidate
from .mirrors import Raised
from .patches import watch_logs
from .results import Broken, Differs, FILE, Left, Missing, NotLoaded, PASSED, Result
from .texts import AHEAD, compiled, pieces

pytest.on_log = watch_logs


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
    if form in ("auto", "script") and (tests and tests[0].startswith("assert") or any(t.lstrip().startswith("assert") or _has_test(t) for t in tests)):
        return tests
    return "\n\n".join(tests)


def _has_test(text):
    try:
        return any(is_test for is_test, _, _ in pieces(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # compiled() tells the error


def _script(world, tests):
    """Runs statements in order, as a program."""
    world.names["__name__"] = "__main__"
    whole = compiled(tests)
    statements = AHEAD[tests].pieces if tests in AHEAD else pieces(tests)
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
                if not checker.check_output(x.exc_msg, got, flags) and type(type(e)) is Raised:  # as where program and doctest are one file
                    got = got.removeprefix(world.candidate.program.module + ".")
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
        elif not world.setup(go, tests, code, "line %d" % (x.lineno + 1)):
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


_FORMS = {"check": _check, "script": _script, "unittest": _unittest, "pytest": _pytest, "doctest": _doctest}


# Why an assertion failed.
