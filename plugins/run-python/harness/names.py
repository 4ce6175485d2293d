# Global names of tests: those that they do not define are the candidate's.
import ast, builtins, collections, copy, functools, itertools, math, random, sys, types

from . import guards  # before OWN is copied
import pytest
from .ends import Unsupported
from .faults import meant
from .kinds import is_read
from .looks import OWN
from .results import FILE


class Globals(dict):
    """Global names that are found when they are needed, also by `"f" in globals()` and `globals().get("f")` of the tests."""

    def __contains__(self, name):
        if dict.__contains__(self, name) or sys._getframe(1).f_code.co_filename != FILE:
            return dict.__contains__(self, name)
        try:
            self[name]
        except LookupError:
            return False
        return True

    def get(self, name, default=None):
        if dict.__contains__(self, name) or sys._getframe(1).f_code.co_filename != FILE:
            return dict.get(self, name, default)
        try:
            return self[name]
        except LookupError:
            return default


OWN_NAMES = {"__name__": "tests", "__file__": FILE, "__builtins__": builtins, **OWN}


class Names(Globals):
    """The global names of tests. Those that the tests do not define are the candidate's."""

    def __init__(self, tests):
        super().__init__(OWN_NAMES)
        self.tests = tests

    def __missing__(self, name):
        if name in vars(builtins):
            raise KeyError(name)
        v = self.tests.find(name)
        if not self.tests.may_change(name):
            self[name] = v
        return v


class _Tests(types.ModuleType):
    """The tests as a module, where the library looks for what their classes and annotations use."""

    __slots__ = ("_rh_names",)
    __dict__ = property(lambda self: self._rh_names)

    def __getattr__(self, name):
        try:
            return dict.__getitem__(self._rh_names, name)
        except KeyError:
            raise meant(AttributeError("module %r has no attribute %r" % (self.__name__, name)))

    def __setattr__(self, name, v):
        self._rh_names[name] = v

    def __delattr__(self, name):
        del self._rh_names[name]


_tests, _name_tests = _Tests("tests"), _Tests._rh_names.__set__


def importable(names):
    """Has the library find the tests as a module. Of a script, that is __main__."""
    sys.modules["tests"] = sys.modules["__main__"] = _tests
    _name_tests(_tests, names)


def _unchangeable(self, *args, **named):
    raise Unsupported("the tests change the namespace of the candidate's module")


_Variables = type("dict", (dict,), dict.fromkeys("__setitem__ __delitem__ __ior__ clear pop popitem setdefault update".split(), _unchangeable))
_namespace = vars(types.ModuleType)["__dict__"].__get__


class Module(types.ModuleType):
    # The candidate's module, as tests import it. Its text of documentation is the candidate's.

    __doc__ = property(lambda self: self._tests.candidate.get(None, "__doc__"))

    def __init__(self, tests, name):
        super().__init__(name)
        vars(self)["_tests"] = tests

    @property
    def __dict__(self):
        if sys._getframe(1).f_code.co_filename == FILE:
            return _Variables((name, getattr(self, name)) for name in dir(self))
        return _namespace(self)

    def __dir__(self):
        return self._tests.candidate.names()

    def __getattr__(self, name):
        frame = sys._getframe(1)
        if name == "__all__" and not is_read(frame):
            return self._tests.starred()
        if name.startswith("__") and frame.f_code.co_filename != FILE:
            raise meant(AttributeError(name))
        try:
            v = self._tests.candidate.resolve(name)
        except LookupError:
            raise meant(AttributeError("the candidate does not define %s" % name))
        if not self._tests.may_change(name):
            vars(self)[name] = v
        return v

    def __setattr__(self, name, v):
        if name.startswith("__"):
            return super().__setattr__(name, v)
        c = self._tests.candidate
        if not c.loaded:
            raise Unsupported("the tests replace %s in the candidate's module before it is loaded" % name)
        c.assign(None, name, v)
        vars(self).pop(name, None)


def undefined(trees):
    """The names that tests use and do not define, but for those of built-in functions and of modules."""
    loaded, stored = set(), set(vars(builtins)) | sys.stdlib_module_names
    for tree in trees:
        for n in ast.walk(tree):
            if isinstance(n, ast.Name):
                (loaded if isinstance(n.ctx, ast.Load) else stored).add(n.id)
            elif isinstance(n, ast.arg):
                stored.add(n.arg)
            elif isinstance(n, ast.alias):
                stored.add((n.asname or n.name).partition(".")[0])
            elif isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)):
                stored.add(n.name)
    return loaded - stored


def names_candidate(task):
    """Reports whether tests use a name of the candidate other than to call it, as in callable(f)."""
    trees = list(guards.trees_of(task.texts()))
    names = {task.entry.partition(".")[0], "candidate", *task.required, *undefined(trees)}
    for tree in trees:
        for n in ast.walk(tree):
            if isinstance(n, ast.ImportFrom) and n.module in task.modules:
                names.update(x.asname or x.name for x in n.names)
            elif isinstance(n, ast.Import):
                names.update(x.asname or x.name for x in n.names if x.name in task.modules)
    called = {id(_root_node(n.func)) for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Call)}
    return any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in names and id(n) not in called for tree in trees for n in ast.walk(tree))


def _root_node(node):
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node


def root_of(node):
    return getattr(_root_node(node), "id", "")


# Names that tests forget to import; and those of them that a candidate may define for other reasons.
FORGOTTEN = {f.__name__: f for f in (math.isclose, math.isnan, math.isinf, copy.deepcopy, pytest.approx, pytest.raises, pytest.warns, collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque,
                                      functools.reduce, itertools.product, itertools.permutations, itertools.combinations, itertools.chain, random.randint, random.choice, random.sample)}
ALSO = FORGOTTEN.keys() - {"isclose", "approx", "raises", "warns"}
HOOKS = frozenset("setUpModule tearDownModule load_tests setup_module teardown_module setup_function teardown_function pytestmark".split())  # by which a file of tests tells frameworks what to do; never the candidate's
FINDING = frozenset("eval exec globals locals vars __import__".split())  # by which tests find the candidate's functions
