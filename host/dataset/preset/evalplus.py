import copy
import json

_scope = {}
exec(REFERENCE, _scope)
_inputs = json.loads(INPUTS)


def _floats(x):
    if isinstance(x, float):
        return True
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(isinstance(i, float) for i in x)


def _near(got, want, atol):
    if isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(_near(g, w, atol) for g, w in zip(got, want))
    return abs(got - want) <= atol + 1e-07 * abs(want)


def _same(got, want, atol):
    if got == want:
        return True
    if atol == 0 and _floats(want):
        atol = 1e-06
    return atol != 0 and type(got) == type(want) and _near(got, want, atol)


def check(candidate):
    for args in _inputs:
        want = _scope[ENTRY](*copy.deepcopy(args))
        got = candidate(*copy.deepcopy(args))
        assert CHECK
