import copy
import json
import math

_scope = {}
exec(REFERENCE, _scope)


def _floats(x):
    if isinstance(x, float):
        return True
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(isinstance(i, float) for i in x)


def check(candidate):
    for inputs in json.loads(INPUTS):
        atol = ATOL
        for args in inputs:
            want = _scope[ENTRY](*copy.deepcopy(args))
            got = candidate(*copy.deepcopy(args))
            if ENTRY == "find_zero":  # a polynomial has several zeros
                assert abs(sum(c * math.pow(got, i) for i, c in enumerate(args[0]))) <= atol
                continue
            same = got == want
            if atol == 0 and _floats(want):
                atol = 1e-06  # for the inputs that follow, too
            if same or atol == 0:
                assert got == want
            else:
                assert type(got) == type(want)
                assert not isinstance(want, (list, tuple)) or len(got) == len(want)
                assert np.allclose(got, want, rtol=1e-07, atol=atol)
