# What a scorer returned, as an answer of the contract.

_allowed = "; return a number, a dict with score, or None"
_members = ("score", "level", "unscored", "error", "reason", "evidence", "hits", "misses", "details", "stats")
_inf = float("inf")


def _failed(why, _dumps=json.dumps):
    return _valid(_dumps({"error": why[:1900]}))


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


def _finite(v, depth):
    """What JSON has no number for becomes the texts NaN, Infinity and -Infinity, as the contract has it."""
    if depth > 100:
        raise RecursionError
    if isinstance(v, dict):
        return {k: _finite(x, depth + 1) for k, x in v.items()}
    if isinstance(v, (list, tuple)):
        return [_finite(x, depth + 1) for x in v]
    if isinstance(v, float) and (v != v or v in (_inf, -_inf)):
        return "NaN" if v != v else "Infinity" if v > 0 else "-Infinity"
    return v


def _valid(text, _sub=re.compile(r"\\u(?:d[89ab]..\\ud[c-f]..|d[89a-f]..|....)|\\.").sub):
    """The bytes of JSON that dumps wrote: half a pair of surrogates, which is not text, becomes U+FFFD."""
    if "\\ud" in text:
        text = _sub(lambda m: "\\ufffd" if len(m[0]) == 6 and m[0][2] == "d" and m[0][3] in "89abcdef" else m[0], text)
    return text.encode()


def _number(name, v, _float=float, _repr=float.__repr__):
    v = _float(v)
    if v != v or v in (_inf, -_inf):
        return _failed("%s() returned %r, which is not a score%s" % (name, v, _allowed))
    return b'{"score":%s}' % _repr(v).encode()


def _answer(name, v, _dumps=json.dumps, _type=type, _float=float, _int=int, _bool=bool, _bytes=bytes, isinstance=isinstance, str=str, dict=dict, hasattr=hasattr, vars=vars, float=float):
    """Makes an answer of the contract from what a function returned."""
    kind = _type(v)
    if kind is _float or kind is _int:
        return _number(name, v)
    if kind is _bool:
        return b'{"score":1}' if v else b'{"score":0}'
    if kind is _bytes:
        return v
    if v is None:
        return _dumps({"unscored": name + "() returned None"}).encode()
    if isinstance(v, str):
        return _failed("%s() returned %.200r%s" % (name, v, _allowed))
    if not isinstance(v, dict):
        if hasattr(v, "score"):  # an object such as autoevals' Score
            has = v._asdict() if hasattr(v, "_asdict") else getattr(v, "__dict__", {})  # without what is a property, or in slots
            v = {**{k: x for k, x in has.items() if not k.startswith("_")}, **{k: getattr(v, k) for k in _members if hasattr(v, k)}}
        elif hasattr(v, "__float__"):
            return _number(name, float(v))
        else:
            return _failed("%s() returned %.200r%s" % (name, v, _allowed))
    return _contract(name, dict(v))


# What json.dumps makes anew in every call, for a third of its time.
_encode = json.encoder.c_make_encoder({}, _plain, json.encoder.encode_basestring_ascii, None, ": ", ", ", False, False, False)


def _adapt(name, v):
    """Brings a dict, also one as other evaluators have it, into the contract; or returns the answer that says why it cannot be."""
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
    return None


def _contract(name, v, _dumps=json.dumps, _encode=_encode, _type=type, _float=float, _int=int, _names=frozenset(_members)):
    """Encodes a dict. Most are of the contract already: a finite score, and nothing that is not one of its members."""
    score = v.get("score")
    if _type(score) is not _float and _type(score) is not _int or score - score != 0 or not _names.issuperset(v) or [x for x in v.values() if x is None]:
        failed = _adapt(name, v)
        if failed is not None:
            return failed
    try:
        text = "".join(_encode(v, 0))
    except ValueError as e:  # a number that JSON has not, in details; or a circle
        try:
            text = _dumps(_finite(v, 0), default=_plain, allow_nan=False)
        except RecursionError:
            return _failed("%s() returned a dict that has no form in JSON: %s" % (name, e))
    return _valid(text)
