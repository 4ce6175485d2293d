# Functions whose parameters are named after fields of the case: evaluate(output, expected), as in
# Phoenix.

def _meanings(names):
    """What names of parameters mean. One of them is the output: beside it "answer" is the expected answer, and others stand for themselves."""
    outputs = [name for name in names if _fields.get(name) == "output"]
    output = "output" if "output" in outputs else next((name for name in outputs if name != "answer"), "answer")
    return {**_fields, **{name: "expected" if name == "answer" else None for name in outputs if name != output}}


# Fields that a score depends on: a case without one is unscored, never compared with None.
_lacks = {None: "the case has no %s, which %s() asks for, or the key inputs of a plugin.yaml does not name it", "output": "the case has no output: %s of %s()",
          "expected": "the case has no expected answer: %s of %s()", "references": "the case has no references: %s of %s()",
          "input": "the case has no input: %s of %s()", "context": "the case has no context: %s of %s()"}


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
                v = None
                if field == "metadata" and name != field:  # a column of that name comes first, as extra_info of verl
                    v = _column(case, name)
                if v is None and field:
                    v = _field(case, config, field)
                if v is None and field == "expected":
                    v = _object(case, "reward_model").get("ground_truth")  # of verl
                if v is None and (field or default is inspect.Parameter.empty):
                    v = _column(case, name)
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
