# Inspect: a function with @scorer, which makes score(state, target). A scorer that is code needs these of it: names,
# values and their numbers. Of a state there is what a case has; anything else, such as messages, is an AttributeError.

_provided.update({
    "inspect_ai/__init__.py": "",
    "inspect_ai/scorer/__init__.py": """import collections.abc

CORRECT, INCORRECT, PARTIAL, NOANSWER = "C", "I", "P", "N"


class Target(collections.abc.Sequence):
    def __init__(self, target):
        self.target = [target] if isinstance(target, str) else target

    def __getitem__(self, index):
        return self.target[index]

    def __len__(self):
        return len(self.target)

    @property
    def text(self):
        return "".join(self.target)


class Score:
    def __init__(self, value, answer=None, explanation=None, metadata=None):
        self.value, self.answer, self.explanation, self.metadata = value, answer, explanation, metadata

    @classmethod
    def unscored(cls, **more):
        return cls(float("nan"), **more)


class Scorer:
    pass


Metric = SampleScore = Value = Scorer


def metric(name):
    return name if callable(name) else lambda f: f


def scorer(metrics=(), name=None, **metadata):
    def mark(f):
        f.scorer_of_inspect = True
        return f
    return mark


def accuracy(*args, **kwargs):
    pass


stderr = bootstrap_stderr = mean = std = var = grouped = accuracy
""",
    "inspect_ai/solver/__init__.py": """class TaskState:
    def __init__(self, **fields):
        vars(self).update(fields)
""",
})


class _NoReferences(BaseException):
    pass


def _scorer(f):
    """Reports whether that makes a scorer of Inspect."""
    return getattr(f, "scorer_of_inspect", False) is True


def _inspect(f):
    """Scores with a new scorer for every case; what the function asks for by name may be in the configuration."""
    kit, solver = importlib.import_module("inspect_ai.scorer"), importlib.import_module("inspect_ai.solver")
    keys, name = _settings(inspect.signature(f).parameters.values()), getattr(f, "__name__", "the scorer")

    class NoTarget(kit.Target):  # a text that is empty would be in every output
        @property
        def target(self):
            self.asked = True
            raise _NoReferences

    def score(case, config):
        references, expected = case.get("references"), _expected(case)
        references = references or ([] if expected is None else [expected])
        target = kit.Target(references) if references else object.__new__(NoTarget)
        text = case.get("input") or ""
        state = solver.TaskState(input=text, input_text=text, output=types.SimpleNamespace(completion=case["output"]), metadata=case.get("metadata") or {}, target=target)
        try:
            got = f(**_set(config, keys))(state, target)
            got = _await(got) if isinstance(got, types.CoroutineType) else got
        except _NoReferences:
            got = None
        if getattr(target, "asked", False):  # a scorer may catch everything
            return {"unscored": "the case has no references, which are the target of %s()" % name}
        if got is None:
            return None
        value = getattr(got, "value", None)
        if isinstance(value, str):
            try:
                value = {"C": 1, "I": 0, "P": 0.5, "N": 0, "yes": 1, "true": 1, "no": 0, "false": 0}.get(value if value in "CIPN" else value.lower())
                value = float(got.value) if value is None else value
            except ValueError:
                return {"error": "%s() returned the value %.200r; return a number, or CORRECT, PARTIAL, INCORRECT or NOANSWER" % (name, got.value)}
        if not isinstance(value, (int, float)):
            return {"error": "%s() returned %.200r; return a Score with one value" % (name, got if value is None else value)}
        if value != value:
            return {"unscored": got.explanation or name + "() returned the value NaN"}
        return {"score": value, "reason": got.explanation, "details": {**(got.metadata or {}), **({} if got.answer is None else {"answer": got.answer})}}
    return _of_output(score, keys)


def _one_scorer(module):
    """The scorer of Inspect that a module has, if it has one."""
    made = [f for f in vars(module).values() if _scorer(f) and f.__module__ == module.__name__]
    return _inspect(made[0]) if len(made) == 1 else None


def _explain_inspect(e):
    if isinstance(e, ImportError) and (e.name or "").partition(".")[0] == "inspect_ai":
        return "; of inspect_ai there are scorer, Score, Target, TaskState and the metrics' names, for scorers that are code; its own match, includes, answer, pattern, choice and f1 are built-in metrics"


_classes.append((_scorer, _inspect))
_searches.append(_one_scorer)
_hints.append(_explain_inspect)
