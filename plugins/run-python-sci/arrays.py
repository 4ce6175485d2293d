# Arrays and numbers of numpy between judge and candidate: two more tags for wire.py, which this
# module extends before other modules take its names. An array is ["A", dtype, shape,
# "w" or "r", bytes in hexadecimal]; of objects, its items follow instead. A number is ["S", dtype,
# bytes in hexadecimal]. What is read here may be forged, as in wire.py.
import itertools, re

import numpy as np

from harness import wire
from harness.wire import CannotCross, Forged, MAX_DEPTH, TooMuch

BYTES_A_VALUE = 128  # bytes of an array that count as one of MAX_NODES
MAX_TEXT = 100_000   # bytes of a text in an array
MAX_NESTED = 1_000   # arrays of JSON in each other

_crosses = re.compile(r"[<>|](?:b1|[iu][1248]|f(?:2|4|8|16)|c(?:8|16|32)|[SU]\d{1,6}|[mM]8(?:\[\w{1,6}\])?)").fullmatch


class Encoder(wire.Encoder):
    def encode(self, v):
        kind = type(v)
        if kind is np.ndarray:
            return self._array(v)
        if issubclass(kind, np.generic):
            of = v.dtype.str
            return ["S", of, v.tobytes().hex()] if _crosses(of) else self.other(v)
        return super().encode(v)

    def contents(self, v):
        return self._fields(v) if type(v) is np.ndarray else super().contents(v)

    def _array(self, v):
        if v.dtype.str != "|O" and not _crosses(v.dtype.str):
            return self.other(v)
        number = self.numbers.get(id(v))
        if number is not None:
            if id(v) in self.open:
                raise CannotCross("an array that contains itself")
            return ["@", number]
        self.numbers[id(v)] = len(self.kept)
        self.kept.append(v)
        return self._fields(v)

    def _fields(self, v):
        out = ["A", v.dtype.str, ",".join(map(str, v.shape)), "w" if v.flags.writeable else "r"]
        if v.dtype.str != "|O":
            return [*out, v.tobytes().hex()]
        if len(self.open) >= MAX_DEPTH:
            raise CannotCross("more than %d nested containers" % MAX_DEPTH)
        self.open.add(id(v))
        out += map(self.encode, v.ravel().tolist())
        self.open.discard(id(v))
        return out


def _of_bytes(of, count, text):
    """Makes a flat array of so many items from their bytes in hexadecimal."""
    if type(of) is not str or not _crosses(of) or type(text) is not str:
        raise Forged("no array that crosses")
    of = np.dtype(of)
    data = bytes.fromhex(text)
    if of.kind in "SU" and of.itemsize > MAX_TEXT or len(data) != count * of.itemsize:
        raise Forged("an array with other bytes")
    if of.kind == "b":
        return np.frombuffer(data, np.uint8) != 0
    if of.kind == "U" and count and np.frombuffer(data, of.str[0] + "u4").max() > 0x10FFFF:
        raise Forged("no text")
    return np.frombuffer(data, of).copy() if data else np.zeros(count, of)


def _made(items):
    """Makes an array of dtype, shape, whether it can be written, and contents."""
    if len(items) < 3:
        raise Forged("an array without fields")
    of, shape, how, *items = items
    if type(shape) is not str or len(shape) > 400 or how not in ("w", "r"):
        raise Forged("an array of no kind")
    shape = tuple(map(int, shape.split(","))) if shape else ()
    count = 1
    for n in shape:
        if not 0 <= n < 1 << 31:
            raise Forged("a shape")
        count *= n
    if of == "|O":
        if len(items) != count:
            raise Forged("an array with other items")
        v = np.empty(count, object)
        for k, x in enumerate(items):
            v[k] = x
    else:
        v = _of_bytes(of, count, *items)
    v = v.reshape(shape)
    v.flags.writeable = how == "w"
    return v


def _counted(d, n):
    d.nodes += n // BYTES_A_VALUE
    if d.nodes > d.most:
        raise TooMuch("more than " + d.bound)


def _read_array(d, v):
    number, before = len(d.numbered), d.nodes
    d.numbered.append(None)
    d.sizes.append(None)
    made = d.numbered[number] = _made(d._items(v))
    _counted(d, made.nbytes)
    d.sizes[number] = d.nodes - before + 1
    return made


def _read_number(d, v):
    _, of, text = v
    return _of_bytes(of, 1, text)[0]


def fill(to, items):
    """Puts items in place of those of a numbered value."""
    if type(to) is not np.ndarray:
        return _fill(to, items)
    new = _made(items)
    if new.dtype.str != to.dtype.str:
        raise Forged("contents of another type")
    if new.shape != to.shape:
        to.resize(new.shape, refcheck=False)
    if to.dtype.kind == "O" or to.tobytes() != new.tobytes():  # an array that is not changed may be one that cannot be written
        np.copyto(to, new)


def measure(v, sizes):
    """As wire.measure."""
    if type(v) is not np.ndarray:
        return _measure(v, sizes)
    return _measure(v.ravel().tolist(), {**sizes, id(v): None}) if v.dtype.kind == "O" else 1 + v.nbytes // BYTES_A_VALUE


def plain(v):
    """The value of JSON that a value of numpy is."""
    return v.tolist() if issubclass(type(v), (np.ndarray, np.generic)) else v


def parse(payload):
    """As wire.parse. This Python's parser would nest deeper than the host allows, where that of run-python raises RecursionError."""
    if payload.count(b"[") + payload.count(b"{") > MAX_NESTED:
        outside = b"".join(payload.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])  # of texts
        if max(itertools.accumulate(_nests[c] for c in outside), default=0) > MAX_NESTED:
            raise Forged("more than %d nested values" % MAX_NESTED)
    return _parse(payload)


_nests = [1 if c in b"[{" else -1 if c in b"]}" else 0 for c in range(256)]
_fill, _measure, _parse = wire.fill, wire.measure, wire.parse
wire.Encoder, wire.fill, wire.measure, wire.parse, wire.plain = Encoder, fill, measure, parse, plain
wire._TAG[np.ndarray] = "A"
wire._READ.update(A=_read_array, S=_read_number)
