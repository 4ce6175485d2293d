# DeepEval: a class of metrics, with measure(test_case). A metric that is code needs these of it:
# names, fields and defaults.

_provided.update({
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


ToolCallType = enum.Enum("ToolCallType", {"FUNCTION": "FUNCTION", "MCP": "MCP"})


class ToolCall:
    def __init__(self, name, type="FUNCTION", description=None, reasoning=None, output=None, input_parameters=None, inputParameters=None, **others):
        self.name, self.type, self.description, self.reasoning, self.output = name, ToolCallType(type), description, reasoning, output
        self.input_parameters = inputParameters if input_parameters is None else input_parameters

    def __eq__(self, other):
        return isinstance(other, ToolCall) and (self.name, self.input_parameters, self.output) == (other.name, other.input_parameters, other.output)

    def __hash__(self):
        return hash(self.name)


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
})


def _metric(f):
    """Reports whether that is a class of metrics as DeepEval has them."""
    base = sys.modules.get("deepeval.metrics.base_metric")
    return base is not None and isinstance(f, type) and issubclass(f, base.BaseMetric) and f is not base.BaseMetric


def _recorded(case, name):
    """A column as a dataset of DeepEval has it: in CSV as JSON."""
    v = _column(case, name)
    return json.loads(v) if isinstance(v, str) and v[:1] in ("[", "{") else v


def _deepeval(cls):
    """Measures with a new metric for every case; what its __init__ asks for by name may be in the configuration."""
    kit, base = importlib.import_module("deepeval.test_case"), sys.modules["deepeval.metrics.base_metric"].BaseMetric
    keys = _settings(inspect.signature(cls).parameters.values())

    def score(case, config):
        metric, context = cls(**_set(config, keys)), case.get("context")
        context = [context] if isinstance(context, str) else context
        retrieved = _column(case, "retrieval_context")
        tools = {k: v and [kit.ToolCall(**t) for t in v] for k in ("tools_called", "expected_tools") for v in [_recorded(case, k)]}
        more = _recorded(case, "additional_metadata")
        test = kit.LLMTestCase(input=case.get("input") or "", actual_output=case.get("output"), expected_output=_expected(case), context=context, retrieval_context=context if retrieved is None else [retrieved] if isinstance(retrieved, str) else retrieved, metadata=case.get("metadata") if more is None else more, name=_column(case, "name"), **tools)
        got = metric.measure(test) if cls.measure is not base.measure else _await(metric.a_measure(test))
        if metric.error is not None:
            return {"error": str(metric.error)}
        if metric.skipped:
            return {"unscored": metric.reason or "the metric skipped the case"}
        name = metric.__name__
        return {"score": got if metric.score is None else metric.score, "reason": metric.reason, "details": {k: v for k, v in {
            "name": None if name == "Base Metric" else name, "success": metric.is_successful(), "threshold": metric.threshold, "score_breakdown": metric.score_breakdown}.items() if v is not None}}
    return _of_output(score, keys)


def _one_metric(module):
    """The class of metrics that a module has, if it has one."""
    metrics = [f for f in vars(module).values() if _metric(f) and f.__module__ == module.__name__]
    return _deepeval(metrics[0]) if len(metrics) == 1 else None


def _explain_import(e):
    if isinstance(e, ImportError) and (e.name or "").partition(".")[0] == "deepeval":
        return "; of deepeval there are BaseMetric, LLMTestCase and ToolCall, for metrics that are code; what asks a model is a criterion for the judge"


_classes.append((_metric, _deepeval))
_searches.append(_one_metric)
_hints.append(_explain_import)
