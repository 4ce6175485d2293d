# Our own: score(case, config), and functions of unknown conventions.

def _config(p):
    """Reports whether a parameter behind the case is the configuration, and not one setting of it."""
    return p.name == "config" or p.default is p.empty or p.default is None or isinstance(p.default, dict)


def _native(f):
    """A function of ours: (case, config), fewer or more; else one whose parameters have names that mean something."""
    try:
        wants = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return f
    for fits, shim in _signatures:
        if fits(f):
            return shim(f)
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
