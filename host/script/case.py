# Fields of the case and keys of the configuration, as functions of every convention get them, and
# which keys of the configuration a scorer reads.

# The fields of the case, by name of a parameter.
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
        return _column(case, "data_source") or ""
    if field == "metadata":
        return case.get("metadata") or {}
    return case.get(field)


def _expected(case):
    references = case.get("references")
    return case["expected"] if case.get("expected") is not None else references[0] if references else None


def _column(case, name):
    """What the case has by a name, else its metadata, where columns of a dataset are."""
    v, more = case.get(name), case.get("metadata")
    return more.get(name) if v is None and isinstance(more, dict) else v


def _object(case, name):
    """The members of a column that is an object."""
    v = _column(case, name)
    return v if isinstance(v, dict) else {}


def _row(case, under, over):
    """The metadata, with what the case has under and over it. What neither has is not there, as where the function comes from, and hides nothing."""
    return {**{k: v for k, v in under.items() if v is not None}, **(case.get("metadata") or {}), **{k: v for k, v in over.items() if v is not None}}


# Names that always mean the case, never a key of the configuration.
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
