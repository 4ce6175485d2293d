from harness import candidate; import json, random

_r = random.Random(SEED)
_tags = "l t d s z b B c r : D F y h w u o . ! C O G Q @ i H K N E R".split()
_plain = [0, 1, -1, 3, 12, 2 ** 31, 10 ** 30, 1.5, float("nan"), float("inf"), "", "x", "ValueError", "int", "0f", "ff", "SystemExit", "ExceptionGroup", "UnicodeDecodeError",
          "OSError", "object", "type", "\ud800", None, True, False]


def _value(depth=0):
    k = _r.random()
    if depth > 5 or k < 0.35:
        return _r.choice(_plain)
    if k < 0.9:
        return [_r.choice(_tags)] + [_value(depth + 1) for _ in range(_r.randrange(5))]
    return [_value(depth + 1) for _ in range(_r.randrange(4))] if k < 0.97 else {"a": _value(depth + 1)}


def _class():
    return _r.choice(["ValueError", "StopIteration", [1, "A", ["ValueError", "OSError"]], [2, "B", [[1, "A", ["KeyError"]], "object", _value()]], _value()])


def _answer(self, op, *rest):
    if op in ("load", "name") and _r.random() < 0.9:  # else most would end here
        return json.dumps(["v", [0, 0, [["F"]] * len(rest[-1])] if op == "load" else ["F"]]).encode()
    kind = _r.choice("v v v x q n m a o end z".split())
    body = _value()
    if kind == "x" and _r.random() < 0.8:
        body = [["E", _class(), [_value() for _ in range(_r.randrange(3))], [_value() for _ in range(_r.randrange(3))]], "text", _r.choice([1, -3]), "", [0, 0]]
    if _r.random() < 0.2:
        body = ["H", _r.randrange(5), _class()]
    b = json.dumps([kind, body] + _r.choice([[], [None], [[_value()]], [None, "printed"]])).encode()
    if _r.random() < 0.1:
        b = bytearray(b)
        b[_r.randrange(len(b))] = _r.randrange(256)
    return bytes(b)


candidate.World.answer = _answer
candidate.World.call = lambda self, name, args: _answer(self, "call")
