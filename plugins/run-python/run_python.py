# Runs candidates: programs in Python that a model wrote, against the tests of a dataset.
#
# tests, io and calls run in the judge's instance, which holds tests and expected values.
# serve_peer runs in another instance, with the candidate. README.md says what that protects.
import ast, re, sys
# What candidates and tests import takes time in every call, unless it is in the image.
import abc, array, asyncio, bisect, builtins, calendar, cmath, collections, contextlib, copy, csv, dataclasses, datetime, decimal, difflib, doctest, enum, fractions, functools, hashlib, heapq
import inspect, io as _io, itertools, json, keyword, math, numbers, operator, os, pprint, queue, random, statistics, string, struct, textwrap, threading, time, timeit
import traceback, types, typing, unicodedata, unittest, unittest.mock, uuid, weakref, zlib

import rubric_host_peer as peer

from harness import forms
from harness.checkers import checker, checker_name, prepared, sameness
from harness.candidate import serve_peer  # the entry of the candidate's instance
from harness.ends import Doubtful, Fault, Unsupported, WORDS
from harness.faults import transparent
from harness.isolated import Isolated
from harness.judge import Candidate
from harness.lacks import CLOCK, DESCRIPTORS, ENVIRONMENT, HELD, PACKAGES, SAID, WAITS
from harness.mirrors import Function, Mirror, watch_classes
from harness.names import names_candidate
from harness.parts import CHANGES, parts_of
from harness.results import Broken, NotLoaded, PASSED, Result, shown, SKIPPED
from harness.texts import AHEAD, compile_ahead, compiled
from harness.wire import FLAT

MAX_LEAST = 512 << 10  # characters that each program may print; if more are expected, twice as many beyond
CLASSES = ("wrong_answer", "exception", "fuel", "memory", "output", "exit")
_WORDS = {"wrong_answer": "wrong answer", "exception": "exception", "fuel": "time limit", "memory": "memory limit", "output": "output", "exit": "exit"}


class Program:
    """The candidate's text: which part of the output it is, what precedes it, and what is known of its score."""

    settles = True   # one failed test decides it
    failure = None   # the result of the first one that has done so
    expects = ()     # in a tuple, what the next answer is compared with
    settled = None   # the answer that rest() has made, which the host has in case that the judge's fuel is used up while the tests do not run

    def __init__(self, output, prompt, preamble, parts, module, classes, prompt_classes):
        self.output, self.prompt, self.module = output, prompt, module
        self.parts = parts                      # of the output, of which the first that compiles is run
        self.texts = [preamble + p.text for p in parts]
        self.most = len(parts) * (1 + len(CHANGES))
        self.above = preamble.count("\n")
        self.classes, self.prompt_classes = classes | prompt_classes, prompt_classes
        self.doubtful = ""                      # an entry point that may be a class or a function
        self.used = self.before = 0
        self.task = None

    def is_class(self, name):
        """Reports whether tests that call a name make an object. That is not left to the candidate, which may make a class of every function."""
        return name.lstrip("_")[:1].isupper() or name in self.classes

    def line(self, n):
        """The line of the output, from 1, for a line of the program; 0 if it is in the prompt or the preamble."""
        n -= self.before + self.above
        return n + self.part().line - 1 if n > 0 else 0

    def part(self):
        """The part of the output that was run. It may be changed: used counts all parts as they are, and then with each of CHANGES."""
        return self.parts[self.used % len(self.parts)]


class Task:
    """The tests of one case."""

    def __init__(self, case, config):
        self.entry = case.get("entry_point") or ""
        self.required = set(_texts(case.get("names"), "names"))
        self.prompt = case.get("prompt") or ""
        self.preamble = case.get("preamble") or ""
        module = case.get("module") or config.get("module") or "solution"
        for key, v in (("entry_point", self.entry), ("prompt", self.prompt), ("preamble", self.preamble), ("module", module)):
            if not isinstance(v, str):
                raise Broken("%s is not text" % key)
        self.entry = self.entry.replace("().", ".")  # some datasets have Solution().method
        if self.entry and not self.entry.isidentifier() and not _entry_point(self.entry):
            raise Broken("entry_point %r is neither a name nor Class.method" % self.entry)
        if self.entry:
            self.required.add(self.entry.partition(".")[0])
        self.modules = {module, "solution", "candidate", "submission"}
        self.module = module
        self.tests = case.get("tests")
        self.setup = _texts(case.get("setup"), "setup")
        self.checker = None                     # the name of the one that compares what programs print and functions return
        self._helpers = None

    def texts(self):
        """The texts of the tests, and those around them."""
        return [*(self.tests if isinstance(self.tests, list) else [self.tests or ""]), *self.setup]

    def names(self, name):
        """Reports whether the tests have a word in their texts."""
        return any(re.search(r"\b%s\b" % re.escape(name), t) for t in self.texts())

    def helper(self, name, candidate):
        """What preamble and prompt define and import besides the entry point: a candidate may not replace it. Their classes are the candidate's, which its functions take and return."""
        if not self.entry or name in self.required:
            return None
        if self._helpers is None:
            begins = self.preamble + "\n" + self.prompt
            if name not in begins and "import *" not in begins:
                return None
            names = {"__name__": "prompt"}
            try:
                try:
                    tree = ast.parse(begins)
                except SyntaxError:  # the entry point has no body yet
                    tree = ast.parse(begins.rstrip() + "\n    pass\n")
                exec(compile(tree, "prompt.py", "exec"), names)
                for n in tree.body:
                    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not _is_whole(n):
                        names.pop(n.name, None)
            except Exception:
                names = {}
            names.pop(self.entry.partition(".")[0], None)
            self._helpers = names
            for k, v in list(names.items()):
                if isinstance(v, type) and v.__module__ == "prompt":
                    try:
                        names[k] = candidate.resolve(k)
                    except LookupError:
                        pass
        return self._helpers.get(name)


def _is_whole(node):
    """Reports whether a function or class has more than a docstring."""
    return any(not (isinstance(n, ast.Pass) or isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)) for n in node.body)


def _texts(v, key):
    if v is None or v == "":
        return []
    v = [v] if isinstance(v, str) else v
    if not isinstance(v, list) or not {str}.issuperset(map(type, v)):
        raise Broken("%s is neither a text nor a list of texts" % key)
    return v


class _Unscored(Exception):
    pass


_program_begins = re.compile(r"^\s*(?:from\s+\w[\w.]*\s+import|import\s+\w|def\s+\w+\s*\(|class\s+\w+|async\s+def|@\w)", re.M).search
_class_names = re.compile(r"^class\s+(\w+)", re.M).findall
_entry_point = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)?").fullmatch


_NAMES = {m.__name__: frozenset(getattr(m, "__all__", None) or [name for name in vars(m) if name[0] != "_"]).difference(keyword.kwlist) for m in list(globals().values()) if type(m) is types.ModuleType}
_words = re.compile(r"\w+").findall
_is_more = re.compile(r"""['":#\\\\=\[{@]|__""").search  # than imports and calls with numbers
_looks_up = frozenset("eval exec globals locals vars dir modules __dict__ __main__ import_module".split())


def _needed(preamble, output):
    """A preamble of imports, without names that the output does not have: what harnesses import takes several times as long as a small program, in each test."""
    if "import *" not in preamble or _is_more(preamble):
        return preamble
    words, found = {*_words(output)}, []
    texts = [text.strip() for text in preamble.replace("\n", ";").split(";")]
    for text in texts:
        if "(" in text:
            words.update(_words(text))
    if words & _looks_up:
        return preamble
    for text in texts:
        if text[:5] == "from ":
            of, _, names = text.partition(" import ")
            names = _NAMES.get(of[5:]) if names == "*" else None if " as " in names else {*names.replace(" ", "").split(",")}
            if names is None:
                return preamble
            names &= words
            if names:
                found.append("%s import %s" % (of, ", ".join(sorted(names))))
        elif text.count("(") != text.count(")"):
            return preamble
        elif text and (text[:7] != "import " or not text[7:].isidentifier() or text[7:] in words):
            found.append(text)
    return "; ".join(found) + "\n" * preamble.count("\n")


def _program(case, config, task):
    output = case.get("output")
    if output is None:
        raise _Unscored("the case has no output")
    if not isinstance(output, str):
        raise _Unscored("the output is not text")
    prompt = task.prompt if config["prompt"] != "never" else ""
    if prompt and config["prompt"] == "auto" and not _program_begins(prompt):
        prompt = ""  # words, not the beginning of a program
    parts = parts_of(output, config["block"], task.entry, "" if task.entry else "\n".join([t for t in task.texts() if isinstance(t, str)]))
    preamble = task.preamble and task.preamble.rstrip("\n") + "\n"
    named = set(_class_names(prompt)) if "class" in prompt else set()
    p = Program(output, prompt, _needed(preamble, output), parts, task.module, set(config.get("classes") or ()), named - {task.entry.partition(".")[0]})
    if task.entry not in p.classes and task.entry not in named:
        p.doubtful = task.entry
    p.task = task
    return p


_DEFAULT = {"block": "last", "prompt": "auto", "form": "auto", "score": "all", "isolation": "isolated", "unsupported": "unscored", "prompts": "counted", "rel": 1e-6, "abs": 1e-6}


def _scored(kind):
    """Makes an export of what runs the tests of a case."""
    def export(case, config):
        config = {**_DEFAULT, **config}
        errors, sys.stdout, sys.__stdout__, sys.stderr = sys.stderr, _NOWHERE, _NOWHERE, _NOWHERE
        program = candidate = None
        try:
            task = Task(case, config)
            program = _program(case, config, task)
            candidate = Candidate(program, config.get("fuel"), config.get("test_fuel"))
            program.rest = lambda: _rest(candidate, config, kind)
            if config["score"] == "share":
                program.settles = False
            Unsupported.seen = None
            results = kind(case, config, task, candidate)
            if Unsupported.seen is not None:
                raise Unsupported.seen
            for r in results:
                if r.lacks in _LOOKS and not any(map(_LOOKS[r.lacks], task.texts())):
                    r.lacks = ""
            if candidate.lacked == DESCRIPTORS and not any(map(_LOOKS[DESCRIPTORS], task.texts())):
                candidate.lacked = ""
            candidate.stops()
        except _Unscored as e:
            return {"unscored": str(e)}
        except Broken as e:
            return {"error": "%s. This is not the candidate's fault, so there is no score" % _sentence(e)}
        except Fault as e:
            return {"error": "%s. This is not the candidate's fault, so there is no score" % _sentence(e)}
        except Unsupported as e:
            if e.chosen and config["unsupported"] == "failed":
                return _answer(program, candidate, [Result("the tests", "exception", str(e)[:1_000])], config)
            return {"error": _sentence(e) + e.so}
        finally:
            sys.stderr = errors
        return _answer(program, candidate, results, config)
    return export


def _sentence(e):
    return _clean(str(e)[:1_500].rstrip("."))


def _clean(text):
    """Escapes lone surrogates: the answer would be no UTF-8, and a candidate that has failed would have no score."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


class _Nowhere(_io.TextIOBase):
    def write(self, text):
        return len(text)


_NOWHERE = _Nowhere()


# What tests have that look at something that they and the candidate do not share.
_LOOKS = {CLOCK: re.compile(r"\b(?:time|timeit|perf_counter|monotonic|process_time|datetime|now|clock|elapsed|duration)\b").search, ENVIRONMENT: re.compile("env").search, DESCRIPTORS: re.compile(r"capfd|\bos\b|fileno").search, SAID: re.compile("cap(?:sys|fd|log)|std(?:out|err)|StringIO|redirect|warn|[Ll]og").search,
          WAITS: re.compile(r"\b(?:create_task|ensure_future|gather|TaskGroup|wait\w*|as_completed|timeout\w*|run_in_executor|to_thread|run_forever|call_\w+|Event|\w*Lock|\w*Queue|Condition|\w*Semaphore|Barrier|Future)\b").search}
_judges = re.compile(r"^[^#'\"\n]*\b(?:assert|raise\b|raises\b|fail\w*\()", re.M).search  # most tests do so before the first text of a line
_judging = re.compile(r"assert|raises|fail|exit|quit|warns|abort|expect|verify|check").search


def _asserts(text):
    """Reports whether tests may fail with a candidate that raises nothing."""
    if text.startswith("assert") or _judges(text):
        return True
    try:
        nodes = ast.walk(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # compiled tells the error
    return any(isinstance(n, (ast.Assert, ast.Raise)) or isinstance(n, ast.Call) and _judging(getattr(n.func, "id", getattr(n.func, "attr", ""))) for n in nodes)


def _tests(case, config, task, candidate):
    tests = task.tests
    if tests is None or tests == [] or tests == "":
        raise _Unscored("the case has no tests")
    if not isinstance(tests, str):
        tests = task.tests = forms.joined(_texts(tests, "tests"), config["form"])
    form = "list" if isinstance(tests, list) else forms.recognised(tests, task.entry) if config["form"] == "auto" else config["form"]
    if form != "check" and form != "doctest" and not any(map(_asserts, tests if isinstance(tests, list) else [tests])):
        raise Broken("the tests assert nothing, so that a wrong program would pass: use assert, raise, or the assertions of unittest")
    if config["isolation"] == "shared":
        return _shared(config, task, candidate, tests)
    compile_ahead(peer, task.texts(), form)
    world = Isolated(candidate, task)
    if config["unsupported"] == "failed":
        candidate.endless = _endless(candidate, config)
    try:
        forms.run(world, tests, form)
    except NotLoaded as e:
        return _not_loaded(world, e, len(tests) if isinstance(tests, list) else 1)
    if candidate.doubt and (config["score"] == "share" or all(r.outcome in (PASSED, SKIPPED) for r in world.results)):
        raise Doubtful(candidate.doubt, chosen=True)
    if candidate.last is None and Unsupported.seen is None and not world.uses() and all(r.outcome == PASSED for r in world.results) and not names_candidate(task):
        raise Broken("the tests have called nothing of the candidate, so that a wrong program would pass")
    return world.results


def _rest(candidate, config, kind):
    """The answer if the judge's fuel is used up, between tests or while answers are compared: a test has failed, or the candidate may have chosen long answers. None: it has none."""
    if candidate.program.failure is not None or kind is not _tests and config["unsupported"] == "failed":
        return _endless(candidate, config)
    return None


def _endless(candidate, config):
    """The answer to tests that use up the judge's fuel when the candidate has answered. What the candidate has used until then is not known."""
    why = "the tests use up the judge's fuel, memory or depth of calls, perhaps by what the candidate has answered"
    answer = _answer(candidate.program, candidate, [candidate.program.failure or Result("the tests", "exception", why)], config, ends=True)
    return answer if type(answer) is bytes else json.dumps(answer).encode()


def _shared(config, task, candidate, tests):
    """Has the candidate's instance run its own tests. What comes back has a valid form, and may be anything the candidate likes."""
    p = candidate.program
    told = {"tests": tests, "setup": task.setup, "entry": task.entry, "required": sorted(task.required), "prompt": p.prompt, "alternatives": p.texts, "above": p.above, "module": task.module,
            "modules": sorted(task.modules), "form": config["form"]}
    try:
        candidate.start()
        body = candidate.ask("shared", told)[1]
        if isinstance(body, dict) and isinstance(body.get("broken"), str):
            raise Broken(body["broken"])
        results = [_result(r) for r in body["results"]]
        p.used, p.before = int(body["used"]), int(body["before"])
        if not results or len(results) > 100_000 or not 0 <= p.used < p.most:
            raise ValueError
        return results
    except (Broken, Unsupported):
        raise
    except (ValueError, TypeError, KeyError, AttributeError):
        candidate.ends("output", "the results cannot be read")
    except BaseException as e:
        if candidate.end is None:
            return [Isolated._judged(_Alone(candidate), "the tests", e, "")]
    return [Result("the tests", *candidate.end)] * (len(tests) if isinstance(tests, list) else 1)


def _result(told):
    """A result that came from the candidate's instance."""
    name, outcome, why, *more, line, lacks = told
    if outcome not in (PASSED, SKIPPED, *CLASSES) or type(line) is not int or not all(isinstance(x, str) for x in (name, why, lacks)):
        raise ValueError
    r = Result(name[:200], outcome, why[:1_000], line if 0 < line < 1 << 31 else 0, lacks[:100])
    r.input, r.expected, r.actual = (x[:1_000] if isinstance(x, str) else None for x in more)
    return r


def _not_loaded(world, e, tests):
    """A candidate that cannot be loaded fails all tests."""
    return [world.judged("load", e.args[0], "")] * tests


def _io_tests(case, config, task, candidate):
    if config["isolation"] == "shared":
        raise Broken("isolation: shared is for tests only")
    pairs = case.get("tests_io")
    if pairs is None or pairs == []:
        raise _Unscored("the case has no tests_io")
    if not isinstance(pairs, list) or not all(isinstance(p, dict) and isinstance(p.get("input", ""), (str, list)) and isinstance(p.get("output"), (str, list)) for p in pairs):
        raise Broken("tests_io is not a list of {input, output} with texts")
    check, task.checker = checker(case, config), checker_name(case, config)
    if task.checker is None:
        candidate.light = -1
    results = []
    for k, pair in enumerate(pairs):
        given, wanted = _lines(pair.get("input", "")), _lines(pair["output"])
        candidate.program.expects = (wanted,) if task.checker not in (None, "apps") else ()
        results.append(_run(candidate, "tests_io[%d]" % k, given, wanted, check, config["prompts"] == "counted"))
        if candidate.exhausted:
            results.extend(Result("tests_io[%d]" % n, "fuel", WORDS["fuel"]) for n in range(k + 1, len(pairs)))
            break
    return results


def _lines(v):
    """Some datasets hold a text as a list of lines."""
    return v if isinstance(v, str) else "\n".join(map(str, v))


def _run(candidate, name, given, wanted, check, prompts):
    """Runs the program once, with its standard input."""
    out = _Collected()
    sys.stdout = out
    try:
        candidate.start()
        candidate.answered = 0  # each test has a bound of its own
        said = candidate.ask("run", candidate.program.texts, candidate.program.above, given, prompts)[1]
        used, more = said if type(said) is list and len(said) == 2 else (None, False)
        if type(used) is int and 0 <= used < candidate.program.most:
            candidate.program.used = used
        while more is True and len(out.text()) <= MAX_LEAST + 2 * len(wanted):
            more = candidate.ask("more")[1]
        if more is True:
            raise candidate.beyond(WORDS["output"])
        result = Result(name, PASSED)
    except Unsupported:
        raise
    except BaseException as e:
        result = Isolated._judged(_Alone(candidate), name, e, "")
    finally:
        sys.stdout = _NOWHERE
    printed = out.text().encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")  # a part may end in a character
    if result.outcome == PASSED:
        candidate.stops()
        why = check(given, printed, wanted)
        if why:
            result = Result(name, "wrong_answer", why, lacks=candidate.lacked)
    if result.outcome != PASSED:
        result.input, result.expected, result.actual = shown(given), shown(wanted), shown(printed)
        candidate.fails(result)
    return result


class _Alone:
    """What Isolated.judged asks of a world without tests."""

    missing, asked, told = None, True, False

    def __init__(self, candidate):
        self.candidate = candidate

    def concerns(self, e):
        return True


class _Collected(_io.TextIOBase):
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)
        return len(text)

    def text(self):
        return "".join(self.parts)


def _calls(case, config, task, candidate):
    if config["isolation"] == "shared":
        raise Broken("isolation: shared is for tests only")
    calls = case.get("calls")
    if calls is None or calls == []:
        raise _Unscored("the case has no calls")
    if not isinstance(calls, list) or not all(isinstance(c, dict) and "expected" in c and isinstance(c.get("args", []), list) and isinstance(c.get("kwargs", {}), dict) for c in calls):
        raise Broken("calls is not a list of {args, kwargs, expected}")
    if not task.entry:
        raise Broken("the case has no entry_point to call")
    world = Isolated(candidate, task)
    try:
        world.prepare(())
    except NotLoaded as e:
        return _not_loaded(world, e, len(calls))
    calls, same, task.checker = prepared(calls, case, config), sameness(case, config), checker_name(case, config)
    f = None
    for k, c in enumerate(calls):
        if candidate.end is not None or candidate.test_fuel:
            f = None  # of an instance that is no more

        @transparent
        def go():
            nonlocal f
            if f is None:
                f = world.method()
            args, named = c.get("args", []), c.get("kwargs", {})
            if type(f) is Function:
                got = candidate.returns(f, args, named, _coded(c["expected"]))
            else:
                got = f(*copy.deepcopy(args), **copy.deepcopy(named)),
            if got is not None and not same(got[0], c):
                raise _Wrong(got[0], c["expected"])
        world.attempt("calls[%d]" % k, go, "")
        last = world.results[-1]
        if last.outcome == "wrong_answer":
            last.expected = shown(c["expected"])
        if world.hopeless():
            world.results.extend(Result("calls[%d]" % n, "fuel", WORDS["fuel"]) for n in range(k + 1, len(calls)))
            break
    return world.results


def _coded(v):
    """A value of JSON as the candidate answers it."""
    if type(v) is list:
        return ["l", *v] if FLAT.issuperset(map(type, v)) else ["l", *map(_coded, v)]
    return v if type(v) is not dict else ["d", *[_coded(x) for pair in v.items() for x in pair]]


class _Wrong(AssertionError):
    _rh_meant = True

    def __init__(self, got, wanted):
        super().__init__("returned %s, expected %s" % (shown(got, 120), shown(wanted, 120)))


# The answer.

_counts = "".join([',"%s":%%d' % name for name in CLASSES])
_NONE_FAILED = _counts % ((0,) * len(CLASSES))
_text, _encoded = json.encoder.encode_basestring_ascii, json.JSONEncoder().encode


def _answer(program, candidate, results, config, ends=False):
    """The answer, in JSON, which the driver passes on; or a dict that says why there is no score. ends: the tests use up the judge's fuel, so that nobody knows that of the candidate."""
    counted = [r for r in results if r.outcome != SKIPPED]
    if not counted:
        return {"unscored": "all %d tests are skipped" % len(results) if results else "there are no tests"}
    failed = [r for r in counted if r.outcome != PASSED]
    asked = candidate.lacked if config["isolation"] == "shared" else ""  # else each failed test says so
    lacking = failed and next((name for name in (*(r.lacks for r in failed), asked) if name and name.partition(".")[0] in PACKAGES | HELD), None)
    if lacking and config["unsupported"] == "unscored":
        return {"unscored": _not_tested(_clean(lacking))}
    passed, isolation, failures, evidence = len(counted) - len(failed), config["isolation"], _NONE_FAILED, f'{{"text":{_text(_part(program))}}}'
    used = "" if ends else f',"fuel_used":{candidate.fuel}'
    more = f',"skipped":{len(results) - len(counted)}' if len(results) > len(counted) else ""
    score = passed / len(counted) if config["score"] == "share" else 0 if failed else 1
    reason = f"{passed} of {len(counted)} tests passed"
    if failed:
        first, classes = failed[0], [r.outcome for r in failed]
        failures = _counts % (*map(classes.count, CLASSES),)
        reason, line = _reason(first, len(failed), len(counted), program)
        if ends and candidate.program.failure is not None:
            reason += "; the tests behind it use up the judge's fuel, memory or depth of calls"
        told = [(k, _text(_clean(v))) for k, v in (("test", first.name), ("class", first.outcome), ("message", first.why), ("input", first.input), ("expected", first.expected), ("actual", first.actual)) if v is not None]
        if line:
            told.append(("line", line))
            evidence += "," + _encoded(_quoted(program, line))
        more += ',"failure":{%s}' % ",".join([f'"{k}":{v}' for k, v in told])
    return f'{{"score":{score},"details":{{"tests":{len(counted)},"passed":{passed}{failures}{used},"isolation":"{isolation}"{more}}},"evidence":[{evidence}],"reason":{_text(reason)}}}'.encode()


# Packages that run-python-sci has.
_SCI = frozenset("numpy scipy pandas sklearn statsmodels regex lxml sympy networkx yaml bs4 dateutil PIL".split())


def _not_tested(name):
    package = name.partition(".")[0]
    if package in HELD:
        return "the candidate answers with a %s, which cannot cross between two instances: it was not tested (isolation: shared runs both in one; unsupported: failed counts it as wrong)" % name
    if package in _SCI:
        return "the candidate needs %s, which this runtime does not have: it was not tested (metric: run-python-sci has it; unsupported: failed counts it as wrong)" % name
    return "the candidate needs %s, which this runtime does not have: it was not tested (unsupported: failed counts it as wrong)" % name


def _part(program):
    """Says which part of the output was run, and by which checker, if that is no matter of course."""
    part, change = program.part(), program.used // len(program.parts)
    last = part.line + part.text.rstrip("\n").count("\n")
    lines = f"from line {part.line}" if part.what.endswith("joined") else f"lines {part.line}-{last}"
    checker = program.task.checker
    return f"candidate: {CHANGES[change - 1][1] if change else ''}{part.what}, {lines}{'' if 'output' in part.what else ' of the output'}{'' if checker is None or checker == 'lines' else '; checker: ' + checker}"


def _quoted(program, line):
    lines = program.output.split("\n")
    start = sum(len(x) + 1 for x in lines[:line - 1])
    text = lines[line - 1]
    return {"field": "output", "start": start, "end": start + len(text), "text": text} if text and len(text) < 10_000 else {"text": "line %d of the output" % line}


def _reason(r, failed, counted, program):
    """One sentence on the first test that failed."""
    line = program.line(r.line) if r.line else 0
    if line > program.output.count("\n") + 1:
        line = 0
    text = "%d of %d tests failed; %s: %s: %s" % (failed, counted, r.name, _WORDS[r.outcome], r.why)
    if r.outcome == "wrong_answer" and r.actual is not None and r.expected is not None and "expected" not in r.why:
        text += "; got %s, expected %s" % (r.actual, r.expected)
    if r.input is not None:
        text += "; input: %s" % r.input
    if line:
        text += " (line %d of the output)" % line
    return _clean(text[:3_000]), line


def _auto(case, config, task, candidate):
    """Runs what the case has: sets such as APPS have programs and functions."""
    found = [run for key, run in (("tests", _tests), ("tests_io", _io_tests), ("calls", _calls)) if case.get(key) not in (None, "", [])]
    if not found:
        raise _Unscored("the case has no tests, no tests_io and no calls")
    if len(found) > 1:
        raise Broken("the case has several of tests, tests_io and calls")
    return found[0](case, config, task, candidate)


tests, io, calls, auto = _scored(_tests), _scored(_io_tests), _scored(_calls), _scored(_auto)


def _warm_up():
    """Runs some cases while the image is made, with the candidate in this instance: calls then find specialised code."""
    from harness.candidate import forget

    def call(request):
        streams = sys.stdin, sys.stdout, sys.stderr
        try:
            return "answer", serve_peer(request), 0
        finally:
            sys.stdin, sys.stdout, sys.stderr = streams

    streams, modules, asks, argv = (sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__), dict(sys.modules), dict(vars(peer)), sys.argv
    peer.call, peer.compute, peer.restart = call, call, lambda fuel=None: None
    source = "def f(a, b=[]):\n    return [a, 1.5, 'x'] if a else a\n"
    prompt, check = "from typing import List\n\n\ndef f(a, b=[]):\n    \"\"\"Some words.\"\"\"\n", "def check(candidate):\n    assert candidate(1, [2]) == [1, 1.5, 'x']\n    assert candidate(0) == 0\n"
    for kind in (int, str, float, bool, typing.Any):  # what annotations are made of: typing keeps the last hundred
        for made in (typing.List[kind], typing.Tuple[kind, kind], typing.Dict[str, kind], typing.Optional[kind], kind):
            typing.List[made], typing.Optional[made]
    try:
        for _ in range(12):
            tests({"output": "    return [a, 1.5, 'x'] if a else a\n", "prompt": prompt, "entry_point": "f", "tests": check}, {})
            tests({"output": source, "tests": ["assert f(1, [2]) == [1, 1.5, 'x']", "assert f(0) == 1"]}, {})
            tests({"output": "```python\n%s```" % source, "tests": "assert f({'a': (1,)}) == 2\nassert f(0) == 0\n"}, {})
            tests({"output": source, "entry_point": "f", "tests": "def check(candidate):\n    for x in (0, [2]):\n        assert candidate(x) == x or candidate(1, x) == [1, 1.5, 'x']\n"}, {})
            tests({"output": source, "tests": ["assert f(1, [2]) == [1, 1.5, 'x'] * 1", "x = 0\nassert f(x) == 1"]}, {})
            tests({"output": source, "tests": ["assert f(1, 1, 1) == 1", "assert f(0, 1, 2) == 1", "assert f(0) == 1"]}, {})
            tests({"output": source, "tests": "import solution\n\ndef test_f():\n    assert solution.f(0) == 0\n"}, {})
            calls({"output": source, "entry_point": "f", "calls": [{"args": [1], "expected": [1, 1.5, "x"]}]}, {})
            io({"output": "print(int(input()) + 1)", "tests_io": [{"input": "1\n", "output": "2\n"}]}, {})
    finally:
        vars(peer).update(asks)
        sys.argv = argv
        watch_classes(False)
        sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__ = streams
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.modules.update(modules)
        AHEAD.clear()
        Candidate.current = None
        forget()


_warm_up()
