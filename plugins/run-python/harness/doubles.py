# Mocks of the tests. A candidate calls one of its own instance, made like that of the tests: what that was called with
# is then noted here, too. A mock that the candidate answers with agrees to nothing that the tests have not said of it.
import copy, inspect, re, unittest.mock

from .ends import Unsupported
from .faults import transparent
from .wire import CannotCross, Encoder, FLAT, Forged, NUMBERED, TooMuch, fill

MAX_CALLS = 10_000          # of the mocks of one candidate
_CLASSES = ("Mock", "MagicMock", "NonCallableMock", "NonCallableMagicMock", "PropertyMock", "AsyncMock")
_OWN = frozenset(("method_calls", "_rh_answered", "_rh_awaited", "_is_coroutine", "__code__", "__name__", "__defaults__", "__kwdefaults__", "__annotations__", "__type_params__", "__qualname__"))
_ITERATORS = frozenset(map(type, (iter([]), iter(()), iter(range(0)), iter(""))))
_steps = re.compile(r"\(\)|[^\W\d]\w*|\.").findall

NonCallableMock, DEFAULT = unittest.mock.NonCallableMock, unittest.mock.DEFAULT


SENTINEL = type(unittest.mock.sentinel.DEFAULT)


def is_mock(v):
    return issubclass(type(v), NonCallableMock)


def path_of(m):
    """The mock that m came of, and the steps to m."""
    path = []
    while vars(m).get("_mock_new_parent") is not None:
        path.append(m._mock_new_name or "")
        m = m._mock_new_parent
    return m, path[::-1]


def at(m, path, answered=False):
    """The mock at the end of steps, each a name or ()."""
    for step in path:
        if not is_mock(m) or type(step) is not str:
            raise Forged("a mock")
        known = m._mock_children.get(step)
        if step == "()":
            new = m._mock_return_value is DEFAULT
            m = m.return_value
        elif is_mock(known):
            m, new = known, False
        elif step.startswith(("_", "assert")) and not _is_magic(step) or not step.isidentifier():
            raise Forged("a mock's attribute")
        else:
            m, new = getattr(m, step), True
        if answered and new and is_mock(m):
            vars(m)["_rh_answered"] = True  # of the candidate's making
    if not is_mock(m):
        raise Forged("a mock")
    return m


def _is_magic(name):
    return name.startswith("__") and name in unittest.mock._all_magics


class Mocks:
    """The mocks that one instance of a candidate has been given."""

    def __init__(self, candidate):
        self.candidate, self.numbers, self.roots, self.calls = candidate, {}, [], 0

    def encoded(self, m):
        root, path = path_of(m)
        n = self.numbers.get(id(root))
        if n is None:
            n = self.numbers[id(root)] = len(self.roots)
            self.roots.append([root, None])
            self.candidate.shares = True
            self._put(n)
        return ["T", n, *path]

    def decoded(self, v):
        _, n, *path = v
        if type(n) is not int or not 0 <= n < len(self.roots):
            raise Forged("a mock")
        m = at(self.roots[n][0], path, True)
        vars(m)["_rh_answered"] = True
        return m

    def put(self):
        """Has what the tests have said of mocks reach the candidate's."""
        for n in range(len(self.roots)):
            self._put(n)

    def _put(self, n):
        root, before = self.roots[n]
        self.roots[n][1] = ()   # if it has itself in it
        tree = self._tree(root, ())
        if tree != before:
            self.candidate.ask("mock", n, tree)
        self.roots[n][1] = tree

    def _tree(self, m, above):
        if type(m).__bases__[0].__name__ not in _CLASSES or any(isinstance(v, unittest.mock.PropertyMock) for v in vars(type(m)).values()) or any(m is x for x in above):
            raise CannotCross("a %s of the tests, which cannot cross to the candidate" % type(m).__name__)
        above = (*above, m)
        encode = Encoder(self.candidate.encoded).encode
        side = m._mock_side_effect
        if getattr(side, "__qualname__", "") == "mock_open.<locals>.reset_data":
            data = dict(zip(side.__code__.co_freevars, side.__closure__))["read_data"].cell_contents
            return ["open", encode(data)]
        if getattr(side, "__module__", "") == "unittest.mock":
            side = ["d"]  # what a magic method does by default
        elif type(side) in _ITERATORS:
            side = ["i", *(self._value(m, x, above, encode) for x in copy.copy(side))]
        else:
            side = None if side is None else ["v", encode(side)]
        value = m._mock_return_value
        value = None if value is DEFAULT else self._value(m, value, above, encode)
        children = {k: self._value(m, v, above, encode) for k, v in {**m._mock_children, **{k: v for k, v in vars(m).items() if not k.startswith("_mock") and not k.startswith("_spec") and k not in _OWN}}.items()
                    if (k != "()" and is_mock(v) and not vars(v).get("_rh_answered")) or not is_mock(v) and v is not unittest.mock._deleted}
        gone = [k for k, v in m._mock_children.items() if v is unittest.mock._deleted]
        spec = None if m._spec_class is None else encode(m._spec_class)
        parent = vars(m).get("_mock_new_parent")
        wraps = None if m._mock_wraps is None or parent is not None and parent._mock_wraps is not None else [encode(m._mock_wraps)]
        signed = vars(type(m)).get("__signature__") if "_mock_check_sig" in vars(type(m)) else None
        signed = signed and [(p.name, int(p.kind), p.default is not p.empty) for p in signed.parameters.values()]
        return ["m", type(m).__bases__[0].__name__, spec, m._mock_methods and list(m._mock_methods), side, value, children, gone, signed, wraps]

    def _value(self, m, v, above, encode):
        """What a mock has or returns: a mock that came of it, or a value."""
        if is_mock(v) and vars(v).get("_mock_new_parent") is m:
            return self._tree(v, above)
        return ["v", encode(v)]

    def sync(self, calls):
        """Notes how the candidate has called its mocks, and what it has set of them."""
        for n, name, args, named in calls:
            if type(n) is int and 0 <= n < len(self.roots) and type(name) is list and type(args) is str:
                self._set(at(self.roots[n][0], name, True), args, self.candidate.value(named))
                self.roots[n][1] = self._tree(self.roots[n][0], ())
                continue
            if type(n) is not int or not 0 <= n < len(self.roots) or type(name) is not str or type(args) is not list or type(named) is not dict:
                raise Forged("a call of a mock")
            self.calls += 1
            if self.calls > MAX_CALLS:
                raise TooMuch("more than %d calls of mocks" % MAX_CALLS)
            args, named = [self.candidate.value(x) for x in args], {k: self.candidate.value(x) for k, x in named.items()}
            m = at(self.roots[n][0], [s for s in _steps(name) if s != "."], True)
            if name.endswith("|"):  # it was awaited
                if not isinstance(m, unittest.mock.AsyncMock):
                    raise Forged("an awaited mock")
                m.await_count += 1
                m.await_args = unittest.mock._Call((tuple(args), named), two=True)
                m.await_args_list.append(m.await_args)
                continue
            if isinstance(m, unittest.mock.CallableMixin):
                m._increment_mock_call(*args, **named)
                if type(m._mock_side_effect) in _ITERATORS:
                    next(m._mock_side_effect, None)

    def _set(self, m, name, v):
        """Sets an attribute of a mock to a value of the candidate: to no object, which might answer what the tests ask of a mock."""
        known = vars(m).get(name)
        if type(v) not in NUMBERED and type(v) not in FLAT and type(v) is not tuple or name.startswith("_") or not name.isidentifier() or hasattr(NonCallableMock, name) or is_mock(known):
            raise Unsupported("the candidate sets the attribute %s of a mock" % name[:100], chosen=True)
        if type(v) in NUMBERED and type(known) is type(v):
            fill(known, [x for pair in v.items() for x in pair] if isinstance(v, dict) else list(v))
        else:
            setattr(m, name, v)


# The candidate's side.

def attributes(m, path=()):
    """What has been set of a mock, and of those that came of it: path, name and value."""
    for k, v in vars(m).items():
        if not k.startswith(("_mock", "_spec")) and k not in _OWN and not (is_mock(v) and vars(v).get("_mock_new_parent") is m):
            yield path, k, v
    for k, child in (*m._mock_children.items(), ("()", m._mock_return_value)):
        if is_mock(child) and vars(child).get("_mock_new_parent") is m:
            yield from attributes(child, (*path, k))


def awaited(m, path=()):
    """The mocks that can be awaited, among those that came of one: path and mock."""
    if isinstance(m, unittest.mock.AsyncMock):
        yield path, m
    for k, child in (*m._mock_children.items(), ("()", m._mock_return_value)):
        if is_mock(child) and vars(child).get("_mock_new_parent") is m:
            yield from awaited(child, (*path, k))


def bare(tree, decode):
    """Makes a mock that does nothing yet."""
    if tree[0] == "m":
        _, kind, _, methods, *_, wraps = tree
        return getattr(unittest.mock, kind)(spec=None if methods is None else methods, **({} if wraps is None else {"wraps": decode(wraps[0])}))


def _checking(signed):
    """What checks the arguments of a mock that create_autospec has made."""
    signature = inspect.Signature([inspect.Parameter(name, kind, default=None if has else inspect.Parameter.empty) for name, kind, has in map(tuple, signed)])
    return lambda m, /, *args, **named: signature.bind(*args, **named) and None


def made(tree, decode, m=None, parent=None, name=None):
    """Makes a mock like one of the tests, or changes it to that."""
    if tree[0] == "v":
        return decode(tree[1])
    if tree[0] == "open":
        return m or unittest.mock.mock_open(read_data=decode(tree[1]))
    _, kind, spec, methods, side, value, children, gone, signed, wraps = tree
    m = bare(tree, decode) if m is None else m
    if signed is not None:
        type(m)._mock_check_sig = _checking(signed)
    if spec is not None:
        m.__class__ = decode(spec)
    if side != ["d"]:
        m.side_effect = None if side is None else decode(side[1]) if side[0] == "v" else [made(x, decode) for x in side[1:]]
    if value is not None:
        known = m._mock_return_value
        if value[0] == "m" and not is_mock(known) and value[2] is value[3] is value[-1] is None:  # what is below may return it
            known = m.return_value
            known = known if is_mock(known) and type(known).__bases__[0].__name__ == value[1] else None
        v = made(value, decode, known if value[0] == "m" and is_mock(known) else None)
        if v is not known:
            m.return_value = v
    for k, t in children.items():
        known = m._mock_children.get(k)
        if t[0] == "m" and not is_mock(known):
            known = getattr(m, k, None)
            known = known if is_mock(known) and type(known).__bases__[0].__name__ == t[1] else None
        v = made(t, decode, known if t[0] == "m" else None)
        if v is not known:
            setattr(m, k, v)
    for k in gone:
        if m._mock_children.get(k) is not unittest.mock._deleted:
            delattr(m, k)
    return m


# What the tests do with a mock that the candidate has answered with: nobody has said what that is.

def _is_answered(m):
    while m is not None:
        if vars(m).get("_rh_answered"):
            return True
        m = vars(m).get("_mock_new_parent")
    return False


def _says(m):
    """Reports whether the tests have said what a mock returns."""
    name, value = vars(m).get("_mock_new_name") or "", m._mock_return_value
    if _is_magic(name):
        return name in ("__bool__", "__hash__", "__eq__", "__ne__", "__str__") or value is not DEFAULT and not is_mock(value) and (name not in unittest.mock._return_values or value != unittest.mock._return_values[name])
    return value is not DEFAULT and not _is_answered(value if is_mock(value) else None) or m._mock_side_effect is not None


def _guarded(f, is_known):
    @transparent
    def guarded(self, *args, **named):
        if _is_answered(self) and not is_known(self, *args):
            raise Unsupported("the tests ask a mock that the candidate has answered with for what they have not said of it", chosen=True)
        return f(self, *args, **named)
    return guarded


def guard():
    """Has mocks look whether the candidate has answered with them, in the judge's instance."""
    NonCallableMock.__getattr__ = _guarded(NonCallableMock.__getattr__, lambda m, name: name in m._mock_children or name.startswith(("_", "assert")))
    unittest.mock.CallableMixin.__call__ = _guarded(unittest.mock.CallableMixin.__call__, lambda m, *_: _says(m))
