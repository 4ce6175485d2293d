# Runs once in CPython, and is parked; what it is then is the image that scripts
# start from. It says on standard output, in JSON on one line, where things are in
# memory. The host then calls _begin, which reads a script as JSON from standard
# input, and answers where the functions are that serve, or what is wrong.
import sys, os, re, json, time, gc, traceback, linecache, types, inspect, collections, importlib.machinery, importlib.util

_entry, _files = "", {}

# Modules that are part of CPython's program wherever it runs: a file of the name hides none of them.
_built_in = frozenset("""_abc _ast _codecs _collections _collections_abc _functools _imp _io _locale _operator _signal _sitebuiltins _sre _stat _string _symtable
_thread _tokenize _tracemalloc _typing _warnings _weakref abc atexit builtins codecs errno faulthandler gc genericpath io itertools marshal ntpath os posix
posixpath site stat sys time zipimport""".split())


class _Beside:
    """Finds the modules that lie beside the script; they are in memory, and no files."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in _built_in:
            return None
        base = name.replace(".", "/")
        for file, package in ((base + "/__init__.py", True), (base + ".py", False)):
            if file in _files:
                return importlib.util.spec_from_file_location(
                    name, file, loader=_Loader(file), submodule_search_locations=[base] if package else None)
        if any(file.startswith(base + "/") for file in _files):
            return importlib.machinery.ModuleSpec(name, None, is_package=True)
        return None


# What a metric of DeepEval that is code needs of it: names, fields and defaults.
_lent = {
    "deepeval/__init__.py": "",
    "deepeval/metrics/__init__.py": "from .base_metric import BaseMetric\n",
    "deepeval/metrics/base_metric.py": """class BaseMetric:
    threshold = score = score_breakdown = reason = success = evaluation_model = error = evaluation_cost = verbose_logs = model = using_native_model = None
    strict_mode = include_reason = skipped = False
    async_mode = verbose_mode = True

    def measure(self, test_case, *args, **kwargs):
        raise NotImplementedError

    async def a_measure(self, test_case, *args, **kwargs):
        raise NotImplementedError

    def is_successful(self):
        if self.threshold is None:
            self.success = None
        else:
            self.success = self.error is None and self.score is not None and self.score >= self.threshold
        return self.success

    @property
    def __name__(self):
        return "Base Metric"
""",
    "deepeval/test_case/__init__.py": """import enum

SingleTurnParams = LLMTestCaseParams = enum.Enum("SingleTurnParams", {n.upper(): n for n in
    "input actual_output expected_output context retrieval_context metadata tags tools_called expected_tools".split()})


class LLMTestCase:
    input = ""
    actual_output = expected_output = context = retrieval_context = metadata = tools_called = expected_tools = comments = token_cost = completion_time = name = tags = None

    def __init__(self, **fields):
        for name, value in fields.items():
            if not hasattr(LLMTestCase, name):
                raise TypeError("LLMTestCase has no field " + name)
            setattr(self, name, value)

    @property
    def additional_metadata(self):
        return self.metadata
""",
}


class _Lent:
    """Finds what is lent, behind all else."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        base = name.replace(".", "/")
        for file, package in ((base + "/__init__.py", True), (base + ".py", False)):
            if file in _lent:
                return importlib.util.spec_from_file_location(name, file, loader=_Loader(file), submodule_search_locations=[base] if package else None)
        return None


class _Loader:
    def __init__(self, file):
        self.file = file

    def source(self):
        return _files[self.file] if self.file in _files else _lent[self.file]

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compile(self.source(), self.file, "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name):
        return self.source()


sys.path[:] = [p for p in sys.path if p.startswith("/usr/local/lib")]
sys.meta_path.insert(0, _Beside)
sys.meta_path.append(_Lent)


def _beside():
    return sorted({file.split("/")[0].removesuffix(".py") for file in _files if file != _entry})


_sci = "numpy scipy pandas sklearn statsmodels regex lxml sympy networkx yaml bs4 dateutil matplotlib PIL".split()  # what python-sci has


def _hint(e):
    if isinstance(e, MemoryError):
        return "; raise --memory, or make the script use less"
    if isinstance(e, ImportError) and (e.name or "").partition(".")[0] == "deepeval":
        return "; of deepeval there are BaseMetric and LLMTestCase, for metrics that are code; what asks a model is a criterion for the judge"
    wanted = (e.name or "") if isinstance(e, ModuleNotFoundError) else ""
    if not isinstance(e, ImportError) and any("/asyncio/" in f.filename for f in traceback.extract_tb(e.__traceback__)):
        return "; there is no event loop here: a function that is async is awaited, and waits for nothing"
    if isinstance(e, OSError) and e.filename is not None:
        return "; a script has no files: put data into a module beside it, as a value"
    if wanted.startswith(("concurrent.futures.", "multiprocessing", "_posixsubprocess", "_multiprocessing")) or isinstance(e, RuntimeError) and "new thread" in str(e) or "does not support processes" in str(e):
        return "; a script has no threads and no processes"
    if isinstance(e, (AttributeError, OSError)) and any(f.filename.endswith(("/socket.py", "/ssl.py")) for f in traceback.extract_tb(e.__traceback__)) or wanted == "_ssl":
        return "; a script has no network"
    if not isinstance(e, ModuleNotFoundError):
        return ""
    mine, sci = ", ".join(_beside()), _has("numpy")
    text = "; this runtime has the standard library of Python %d.%d, %s, and the modules that lie beside the script" % (
        *sys.version_info[:2], "numpy, scipy, pandas, scikit-learn and what they need" if sci else "without packages that are compiled")
    text += " (" + mine + ")" if mine else " (there are none)"
    wanted = wanted.partition(".")[0]
    if not sci and wanted in _sci:
        text += "; %s is there in runtime: python-sci" % wanted
    return text


def _has(name):
    try:
        return importlib.util.find_spec(name) is not None
    except BaseException:
        return False


def _what(e, _format=traceback.format_exception_only):
    try:
        return "".join(_format(type(e), e)).strip().split(". Site initialization is disabled")[0] + _hint(e)
    except BaseException:
        return type(e).__name__


def _tell(e, _extract=traceback.extract_tb, _format=traceback.format_list):
    """What an exception says to the script's author: where, what, and the way there."""
    if isinstance(e, SyntaxError) and e.filename in _files:
        return "%s:%s:%s: %s: %s\n%s" % (e.filename, e.lineno, e.offset, type(e).__name__, e.msg, (e.text or "").rstrip())
    frames = [f for f in _extract(e.__traceback__) if f.filename != "<string>"]
    for f in frames:  # where the library was built is of no interest
        f.filename = f.filename.split("/checkout/")[-1]
    mine = [f for f in frames if f.filename in _files]
    where = "%s:%d: " % (mine[-1].filename, mine[-1].lineno) if mine else ""
    return where + _what(e) + ("\n" + "".join(_format(frames[-8:])).rstrip() if frames else "")


_allowed = "; return a number, a dict with score, or None"
_members = ("score", "level", "unscored", "error", "reason", "evidence", "hits", "misses", "details", "stats")
_inf = float("inf")


def _failed(why, _dumps=json.dumps):
    return _dumps({"error": why[:1900]}).encode()


def _plain(v):
    """What json does not know but means something in it."""
    if isinstance(v, (set, frozenset, tuple)):
        return sorted(v, key=repr) if not isinstance(v, tuple) else list(v)
    for name in ("tolist", "item", "isoformat"):
        if hasattr(v, name):
            return getattr(v, name)()
    if hasattr(v, "__float__"):
        return float(v)
    if hasattr(v, "__dict__"):
        return {k: x for k, x in vars(v).items() if not k.startswith("_")}
    return repr(v)


def _number(name, v, _float=float, _repr=float.__repr__):
    v = _float(v)
    if v != v or v in (_inf, -_inf):
        return _failed("%s() returned %r, which is no score%s" % (name, v, _allowed))
    return b'{"score":%s}' % _repr(v).encode()


def _answer(name, v, _dumps=json.dumps, _type=type, _float=float, _int=int, _bool=bool, isinstance=isinstance, str=str, dict=dict, hasattr=hasattr, vars=vars, float=float):
    """Makes an answer of the contract from what a function returned."""
    kind = _type(v)
    if kind is _float or kind is _int:
        return _number(name, v)
    if kind is _bool:
        return b'{"score":1}' if v else b'{"score":0}'
    if v is None:
        return _dumps({"unscored": name + "() returned None"}).encode()
    if isinstance(v, str):
        return _failed("%s() returned %.200r%s" % (name, v, _allowed))
    if not isinstance(v, dict):
        if hasattr(v, "score"):  # an object such as autoevals' Score
            v = {k: x for k, x in (v._asdict() if hasattr(v, "_asdict") else vars(v)).items() if not k.startswith("_")}
        elif hasattr(v, "__float__"):
            return _number(name, float(v))
        else:
            return _failed("%s() returned %.200r%s" % (name, v, _allowed))
    return _contract(name, dict(v))


def _contract(name, v, _dumps=json.dumps):
    """Brings a dict, also one as other evaluators have it, into the contract."""
    for passed in ("pass", "pass_", "passed"):
        if isinstance(v.get(passed), bool) and not any(k in v for k in ("score", "level", "unscored", "error")):
            v["score"] = v[passed]
    if isinstance(v.get("result"), (bool, int, float)) and not any(k in v for k in ("score", "level", "unscored", "error")):
        v["score"] = v.pop("result")
    score = v.get("score", 0)
    if isinstance(score, bool):
        v["score"] = int(score)
    elif score is None:
        del v["score"]
        if not any(k in v for k in ("level", "unscored", "error")):
            v["unscored"] = v.pop("reason", None) or name + "() returned the score None"
    elif not isinstance(score, (int, float)) and hasattr(score, "__float__"):
        v["score"] = score = float(score)
    if isinstance(score, float) and (score != score or score in (_inf, -_inf)):
        return _failed("%s() returned the score %r%s" % (name, score, _allowed))
    more = {k: v.pop(k) for k in list(v) if k not in _members}
    for k in [k for k, x in v.items() if x is None]:
        del v[k]
    if not any(k in v for k in ("score", "level", "unscored", "error")):
        return _failed("%s() returned a dict without score, which has %s%s" % (name, ", ".join(map(repr, [*v, *more][:8])) or "nothing", _allowed))
    if more:
        v["details"] = {**v.get("details", {}), **more}
    return _dumps(v, default=_plain, allow_nan=False).encode()


# The shims: what other evaluators call a scorer, and what they pass to it.
_fields = {}
for _field, _names in {
    "output": "output outputs prediction predicted pred response answer completion solution_str actual actual_output hypothesis candidate generated text model_output",
    "expected": "expected expected_output reference ref target ground_truth gold label correct_answer ideal solution",
    "references": "references refs targets", "input": "input question prompt query inputs", "context": "context contexts retrieval_context",
    "metadata": "metadata extra_info example item", "data_source": "data_source", "config": "config",
}.items():
    for _name in _names.split():
        _fields[_name] = _field


def _field(case, config, field):
    if field == "expected":
        return _expected(case)
    if field == "config":
        return config
    if field == "data_source":
        return case.get("data_source") or (case.get("metadata") or {}).get("data_source", "")
    if field == "metadata":
        return case.get("metadata") or {}
    return case.get(field)


def _expected(case):
    references = case.get("references")
    return case["expected"] if case.get("expected") is not None else references[0] if references else None


def _row(case, under, over):
    """The metadata, with what the case has under and over it. What neither has is not there, as where the function comes from, and hides nothing."""
    return {**{k: v for k, v in under.items() if v is not None}, **(case.get("metadata") or {}), **{k: v for k, v in over.items() if v is not None}}


def _vars(case):
    return {**_row(case, {}, {"input": case.get("input"), "expected": _expected(case), "references": case.get("references")}), **(case.get("vars") or {})}


# What a function is given by the case, whatever the configuration says.
_given = frozenset("case input output references expected context metadata config criterion".split())

_reads = {}  # the keys of the configuration that a scorer reads, by its id; one that is not there may read any


def _reading(score, keys):
    """Notes the keys of the configuration that a scorer reads; None: any."""
    if keys is not None:
        _reads[id(score)] = frozenset(keys)
    return score


def _settings(parameters):
    """The keys that reach a function by the names of its parameters; None: any, since it takes all that there is by name."""
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY, p.POSITIONAL_ONLY)} - _given


def _set(config, keys):
    """What of a configuration is passed by name."""
    return {k: v for k, v in config.items() if (k not in _given if keys is None else k in keys)}


def _of_output(score, keys=None):
    """What other evaluators grade has an output: a case without one is not scored, and None is compared with nothing."""
    return _reading(lambda case, config: {"unscored": "the case has no output"} if case.get("output") is None else score(case, config), keys)


def _promptfoo(f):
    def score(case, config):
        vars = _vars(case)
        return f(case.get("output"), {"vars": vars, "prompt": case.get("input"), "config": config, "test": {"vars": vars}, "provider": None, "logProbs": None})
    return _of_output(score)


def _openai(f):
    def score(case, config):
        output = case.get("output")
        try:
            parsed = json.loads(output)
        except (TypeError, ValueError):
            parsed = None
        return f({"output_text": output, "output_json": parsed, "choices": [{"message": {"role": "assistant", "content": output}}], "model": ""},
                 _row(case, {"query": case.get("input"), "response": output, "ground_truth": _expected(case), "sample": {"output_text": output}},
                      {**case, "reference": _expected(case), "reference_answer": _expected(case)}))
    return _of_output(score, ())


def _rewards(f):
    """Reports whether that is a function of rewards as TRL has them, whatever its name."""
    try:
        return isinstance(f, types.FunctionType) and "completions" in inspect.signature(f).parameters
    except (TypeError, ValueError):
        return False


def _trl(f):
    try:  # completions are messages to a function that looks at their content, else texts
        messages = re.search(r"""\[0\]\[['"]content['"]\]|\[-1\]\[['"]content['"]\]|\.get\(['"]content['"]""", inspect.getsource(f)) is not None
    except (OSError, TypeError):
        messages = False

    wants = list(inspect.signature(f).parameters.values())
    keys = _settings(wants)

    def score(case, config):
        wrap = (lambda role, text: [{"role": role, "content": text}]) if config.get("conversational", messages) else lambda role, text: text
        row = _row(case, dict.fromkeys(("answers", "solutions", "target", "label"), _expected(case)),
                   dict.fromkeys(("ground_truth", "answer", "solution", "reference"), _expected(case)))
        kwargs = {"prompts": [wrap("user", case.get("input"))], "completions": [wrap("assistant", case.get("output"))], **{k: [x] for k, x in row.items()}}
        if keys is not None:
            kwargs = {p.name: kwargs[p.name] for p in wants if p.name in kwargs}
        got = f(**{**kwargs, **{k: v for k, v in _set(config, keys).items() if k not in ("conversational", "prompts", "completions")}})
        return got[0] if isinstance(got, (list, tuple)) else got
    return _of_output(score, None if keys is None else (keys | {"conversational"}) - {"prompts", "completions"})


def _meanings(names):
    """What names of parameters mean. One of them is the output: beside it "answer" is the expected answer, and others stand for themselves."""
    outputs = [name for name in names if _fields.get(name) == "output"]
    output = "output" if "output" in outputs else next((name for name in outputs if name != "answer"), "answer")
    return {**_fields, **{name: "expected" if name == "answer" else None for name in outputs if name != output}}


# What a score would not be true with None in place of.
_lacks = {None: "the case has no %s, which %s() asks for, or the key inputs of a plugin.yaml does not name it", "output": "the case has no output: %s of %s()",
          "expected": "the case has no expected answer: %s of %s()", "references": "the case has no references: %s of %s()"}


def _by_name(f):
    """Calls a function with what the names of its parameters mean: what the configuration has by that name, else the field of the
    case, else what the case or its metadata have by the name."""
    parameters = list(inspect.signature(f).parameters.values())
    keys = _settings(parameters)
    wants = [p for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    meanings = _meanings([p.name for p in wants])
    wants = [(p.name, meanings.get(p.name), p.default, p.kind is p.POSITIONAL_ONLY) for p in wants]

    def score(case, config):
        values, named = [], {}
        for name, field, default, positional in wants:
            if name in config and name not in _given:
                v = config[name]
            else:
                v = _field(case, config, field) if field else None
                if v is None and (field or default is inspect.Parameter.empty):
                    v = case.get(name)
                    if v is None:
                        v = (case.get("metadata") or {}).get(name)
                if v is None and default is not inspect.Parameter.empty:
                    v = default
                elif v is None and field in _lacks:
                    return {"unscored": _lacks[field] % (name, getattr(f, "__name__", "the function"))}
            if positional:
                values.append(v)
            else:
                named[name] = v
        if keys is None:
            named = {**_set(config, keys), **named}
        return f(*values, **named)
    return _reading(score, None if any(name == "config" for name, *_ in wants) else keys)


def _metric(f):
    """Reports whether that is a class of metrics as DeepEval has them."""
    base = sys.modules.get("deepeval.metrics.base_metric")
    return base is not None and isinstance(f, type) and issubclass(f, base.BaseMetric) and f is not base.BaseMetric


def _deepeval(cls):
    """Measures with a new metric for every case; what its __init__ asks for by name may be in the configuration."""
    case_of, base = importlib.import_module("deepeval.test_case").LLMTestCase, sys.modules["deepeval.metrics.base_metric"].BaseMetric
    keys = _settings(inspect.signature(cls).parameters.values())

    def score(case, config):
        metric, context = cls(**_set(config, keys)), case.get("context")
        context = [context] if isinstance(context, str) else context
        test = case_of(input=case.get("input") or "", actual_output=case.get("output"), expected_output=_expected(case), context=context, retrieval_context=context, metadata=case.get("metadata"))
        got = metric.measure(test) if cls.measure is not base.measure else _await(metric.a_measure(test))
        if metric.error is not None:
            return {"error": str(metric.error)}
        if metric.skipped:
            return {"unscored": metric.reason or "the metric skipped the case"}
        name = metric.__name__
        return {"score": got if metric.score is None else metric.score, "reason": metric.reason, "details": {k: v for k, v in {
            "name": None if name == "Base Metric" else name, "success": metric.is_successful(), "threshold": metric.threshold, "score_breakdown": metric.score_breakdown}.items() if v is not None}}
    return _of_output(score, keys)


def _config(p):
    """Reports whether a parameter behind the case is the configuration, and not one setting of it."""
    return p.name == "config" or p.default is p.empty or p.default is None or isinstance(p.default, dict)


def _native(f):
    """A function of ours: (case, config), fewer or more; else one whose parameters have names that mean something."""
    try:
        wants = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return f
    if _rewards(f):
        return _trl(f)
    plain = [p for p in wants if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    first = plain[0] if plain else next((p for p in wants if p.kind is p.KEYWORD_ONLY), None)
    if first is not None and first.name in _fields and first.name not in ("config", "target"):
        return _by_name(f)
    if first is not None and first.name == "target" and len(wants) > 1:
        return _by_name(f)
    whole = any(p.kind is p.VAR_POSITIONAL for p in wants) or len(plain) >= 2 and _config(plain[1])
    more = [p for p in plain[2 if whole else 1:] + [p for p in wants if p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD)] if p.name != "criterion"]
    criterion = any(p.name == "criterion" for p in wants[1:])
    if whole and not more and not (criterion and [p.name for p in plain[2:]] != ["criterion"]):
        return f
    keys, target = _settings(more), len(plain) == 1 and first.name not in ("case", "c")

    def score(case, config, criterion_=None):
        graded = case.get("target", case) if target else case
        named = _set(config, keys)
        if criterion:
            named["criterion"] = criterion_
        return f(graded, config, **named) if whole else f(graded, **named)
    if criterion:
        score.criterion = True
    return _reading(score, None if whole else keys)


_shims = {"get_assert": _promptfoo, "grade": _openai, "compute_score": _by_name, "evaluate": _native, "scorer": _native,
          "reward_func": _trl, "reward": _trl, "eval_": _native}


def _ours(f):
    """Reports whether a function beside one of another evaluator is meant as ours, and is not that one's helper."""
    try:
        wants = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return False
    return wants[:1] == ["case"] or "config" in wants[1:]


def _find(module, name):
    f = getattr(module, name, None)
    if _metric(f):
        return _deepeval(f)
    if callable(f):
        other = next((k for k in _shims if name == "score" and callable(getattr(module, k, None))), None)
        ours = _ours(f)
        if other is not None and not ours:
            raise _Missing("%s: it has score and %s; %s" % (_entry, other, _meant(other)))
        return _native(f) if ours else _shims.get(name, _native)(f)
    if name != "score":
        raise LookupError
    for other, shim in _shims.items():
        f = getattr(module, other, None)
        if callable(f):
            return shim(f)
    rewards = {k: f for k, f in vars(module).items() if callable(f) and (k.endswith(("_reward", "_reward_func")) or _rewards(f) and f.__module__ == module.__name__)}
    if len(rewards) > 1:
        raise _Missing("%s: it has %s; %s" % (_entry, " and ".join(rewards), _meant(next(iter(rewards)))))
    if rewards:
        return _trl(*rewards.values())
    metrics = [f for f in vars(module).values() if _metric(f) and f.__module__ == module.__name__]
    if len(metrics) == 1:
        return _deepeval(metrics[0])
    raise LookupError


def _takes_criterion(f):
    if getattr(f, "criterion", None) is True:
        return True
    try:
        wants = [p for p in inspect.signature(f).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        return False
    return len(wants) >= 3 and wants[2].name == "criterion"


def _reads_of(f):
    """Answers which keys of the configuration a scorer reads; null: perhaps any."""
    keys = _reads.get(id(f))
    return json.dumps({"reads": None if keys is None else sorted(keys)}).encode()


def _server(name, f, _read=os.read, _scan=json.JSONDecoder().scan_once, _most=1 << 16, _type=type, _coroutine=types.CoroutineType, _len=len, _all=BaseException):
    criterion = _takes_criterion(f)

    def serve():
        try:
            b = _read(0, _most)
            if _len(b) == _most:
                parts = [b]
                while b:
                    b = _read(0, _most)
                    parts.append(b)
                b = b"".join(parts)
            r = _scan(b.decode(), 0)[0]
            kind = r["kind"]
            if kind == "corpus":
                v = f(r["stats"], r["config"])
            elif kind == "reads":
                return _reads_of(f)
            elif criterion:
                v = f(r["case"], r["config"], r.get("criterion"))
            else:
                v = f(r["case"], r["config"])
            if _type(v) is _coroutine:
                v = _await(v)
            if kind == "scorer" and isinstance(v, str):
                v = {"level": str(getattr(v, "value", v))}
            return _answer(name, v)
        except _all as e:
            return _failed(_tell(e))
    return serve


def _imported(code_tree):
    """Imports the modules of the library that a program imports at its beginning, so that the image has them."""
    for node in code_tree.body:
        kind = type(node).__name__
        names = [a.name for a in node.names] if kind == "Import" else [node.module] if kind == "ImportFrom" and node.module and not node.level else []
        for name in names:
            if name.partition(".")[0] in sys.stdlib_module_names and name.partition(".")[0] not in _beside():
                try:
                    importlib.import_module(name)
                except BaseException:
                    pass  # the program says so itself


def _program():
    """Returns what runs the script as a program: the request on standard input, its arguments in sys.argv, the answer on standard output."""
    import io, builtins
    source = _files[_entry]
    _imported(compile(source, _entry, "exec", 0x400, dont_inherit=True))
    code, opens = compile(source, _entry, "exec", dont_inherit=True), builtins.open

    def serve():
        try:
            b = b""
            while part := os.read(0, 1 << 16):
                b += part
            r = json.loads(b)
            if r["kind"] == "reads":
                return _reads_of(None)
            given, printed = io.BytesIO(b), io.BytesIO()

            def open(file, mode="r", *args, **kwargs):
                if (file == 0 and file is not False) or file == "/dev/stdin":
                    return given if "b" in mode else sys.stdin
                return opens(file, mode, *args, **kwargs)
            builtins.open = open
            sys.argv = [_entry, *r.get("args", [])]
            sys.stdin = sys.__stdin__ = io.TextIOWrapper(given, encoding="utf-8")
            sys.stdout = sys.__stdout__ = io.TextIOWrapper(printed, encoding="utf-8", write_through=True)
            module = types.ModuleType("__main__")
            module.__file__, module.__loader__ = _entry, _Loader(_entry)
            sys.modules["__main__"] = module
            try:
                exec(code, module.__dict__)
            except SystemExit as e:
                if e.code is not None and e.code != 0:
                    return _failed("exit code %d" % e.code if isinstance(e.code, int) else "exit code 1: %s" % (e.code,))
            sys.stdout.flush()
            out = printed.getvalue()
            return out if out.strip() else _failed("the program printed no answer on standard output" + _does)
        except BaseException as e:
            return _failed(_tell(e))
    return serve


_does = '; print one JSON object, such as {"score": 0.5, "hits": [], "misses": [], "reasoning": ""}'


def _await(coroutine):
    """Runs a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as e:
        return e.value
    raise RuntimeError("the function waits for something that never happens: there are no timers and no files here")


def _meant(name):
    return "name the one that is meant: %s:%s, or exports: {%s: what it says} in a plugin.yaml" % (_entry, name, name)


def _others(module):
    """What to do with the functions that a script has instead."""
    mine = [k for k, f in vars(module).items() if callable(f) and not k.startswith("_") and getattr(f, "__module__", None) == module.__name__]
    return "; it has %s: %s" % (", ".join(mine[:8]), _meant(mine[0])) if mine else ""


def _start(functions):
    """Runs the script, and returns the functions that score, ours around them, and requests to warm up with."""
    module = types.ModuleType(os.path.basename(_entry).removesuffix(".py"))
    module.__file__, module.__loader__ = _entry, _Loader(_entry)
    sys.modules[module.__name__] = sys.modules["__main__"] = module
    _Loader(_entry).exec_module(module)
    scored = []
    for name in functions:
        try:
            scored.append(_find(module, name))
        except LookupError:
            raise _Missing("%s: it has no function %s(case, config); write: def %s(case, config): ...%s" % (_entry, name, name, _others(module)))
    return scored, getattr(module, "__warmup__", ())


def _hide(names):
    """Forgets modules of the library that have the name of one beside the script, as if nothing had imported them yet."""
    for name in [m for m in sys.modules if m.partition(".")[0] in names and m.partition(".")[0] not in _built_in]:
        del sys.modules[name]


class _Missing(Exception):
    pass


def _warm(score, warmup):
    """Scores each of the requests some times; what goes wrong with one says so."""
    try:
        requests = [(r.get("case", r), r.get("config", {})) for r in (warmup() if callable(warmup) else warmup)]
    except (AttributeError, TypeError):
        raise _Missing('%s: __warmup__ is %.200r; write a list of requests: [{"case": {"output": "..."}, "config": {}}]' % (_entry, warmup))
    for _ in range(8):
        for k, (case, config) in enumerate(requests):
            try:
                score(case, config)
            except Exception as e:
                raise _Missing("__warmup__[%d]: %s" % (k, _tell(e)))


_kept = []  # what serves


def _begin():
    global _entry
    try:
        text = b""
        while part := os.read(0, 1 << 18):
            text += part
        told = json.loads(text)
        _entry, sys.argv = told["entry"], [told["entry"]]
        _files.update((name, source.removeprefix("\ufeff")) for name, source in told["files"].items())
        for name, source in _files.items():
            linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        _hide(_beside())
        if told.get("program"):
            _kept.append(_program())
        else:
            scored, warmup = _start(told["functions"])
            for name, f in zip(told["functions"], scored):
                _kept.append(_server(name, f))
            _warm(scored[0], warmup)
        gc.collect()
        gc.freeze()
        return json.dumps({"serve": [id(f) for f in _kept]}).encode()
    except _Missing as e:
        return _failed(str(e))
    except BaseException as e:
        return _failed(_tell(e))


def _faster_and(_of=collections.Counter, _was=collections.Counter.__and__, _type=type, _get=dict.get, _new=dict.__new__, _add=dict.setdefault):
    """The intersection of two Counters, which overlaps of words are counted by: the same, without a call in Python for each
    word that one of them lacks, and without the way around that stores take in a Counter. Other classes, and Counters that a
    script has changed, get the original."""
    missing, init, update = _of.__missing__, _of.__init__, _of.update

    def __and__(self, other):
        if not (_type(self) is _of and _type(other) is _of and _of.__missing__ is missing and _of.__init__ is init and _of.update is update and "__setitem__" not in _of.__dict__):
            return _was(self, other)
        result = _new(_of)
        for elem, count in self.items():
            theirs = _get(other, elem, 0)
            least = count if count < theirs else theirs
            if least > 0:
                _add(result, elem, least)
        return result

    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(__and__, name, getattr(_was, name))
    _of.__and__ = __and__


def _specialise():
    """Lets CPython adapt our own code to what it meets, before the image is taken."""
    given = b'{"contract":1,"kind":"metric","config":{"a":1},"case":{"output":"a b","references":["a","b"]}}'
    serve = _server("score", lambda case, config: 0.5 + len(case["output"]), _read=lambda fd, most: given)
    for _ in range(24):
        serve()
    one, two = collections.Counter("ab"), collections.Counter("bc")
    for _ in range(24):
        one & two
    _tell(_trial())
    _answer("score", {"score": 0.5, "reason": "x", "more": 1})


def _trial():
    try:
        raise ValueError("trial")
    except ValueError as e:
        return e


_faster_and()
_specialise()
_room = bytearray(12 << 20)  # so that the heap need not grow during a call
del _room
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
_none = ()
os.write(1, json.dumps({"begin": id(_begin), "empty": id(_none), "bytes": id(bytes)}).encode() + b"\n")
while True:
    time.clock_getres(time.CLOCK_MONOTONIC)
