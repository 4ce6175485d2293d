# What tests evaluate or unpickle may be written by the candidate, which would then run in its judge. Here, only what the tests
# hold themselves is evaluated, and expressions that only compute; the rest is left to the candidate's instance, or has no score.
import ast, builtins, doctest, functools, inspect, marshal, pickle, sys, timeit, types, typing

from faults import transparent
from judge import ASKED, OWN, Candidate, Function, Mirror, Unsupported, asking
from wire import COMPUTING, FLAT

_COMPUTES = (ast.Expression, ast.Constant, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.Load,
             ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.Name, ast.Call, ast.keyword)
_BUILT_IN = frozenset((bool, int, float, complex, str, list, tuple, dict, set, frozenset, range))


def _squeezed(text):
    return " ".join(text.split()) if isinstance(text, str) else text


def _pieces(text):
    """A text of the tests, or the examples in it."""
    try:
        ast.parse(text)
        return [text]
    except SyntaxError:
        return [x.source for x in doctest.DocTestParser().get_examples(text)]


def _is_of_tests(c, v):
    """Reports whether a text, or bytes, is in the tests, or comes of what they have themselves."""
    if c is None or not c.loaded or isinstance(v, types.CodeType) and any(v is x for x in c.compiled) or isinstance(v, bytes) and v in c.pickled:
        return True
    if not isinstance(v, (str, bytes)):
        return False
    if c.constants is None:
        c.constants = {_squeezed(n.value) for t in c.program.task.texts() for piece in _pieces(t) for n in ast.walk(ast.parse(piece)) if isinstance(n, ast.Constant) and isinstance(n.value, (str, bytes))}
    return _squeezed(v) in c.constants


def _only_computes(text, names, own):
    """Reports whether an expression uses nothing but numbers, text and the like, what computes, the candidate's functions, and plain names that the tests give it."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # it raises that
    for n in ast.walk(tree):
        if not isinstance(n, _COMPUTES) or isinstance(n, ast.Call) and not isinstance(n.func, ast.Name):
            return False
        if isinstance(n, ast.Name):
            v = names.get(n.id) if n.id in names else vars(builtins).get(n.id)
            v = v if v is not None or n.id in names else own.get(n.id)
            if not (type(v) in FLAT and n.id in names or type(v) is types.BuiltinFunctionType and v in COMPUTING.values() or type(v) is type and v in _BUILT_IN or type(v) in (Function, Mirror)):
                return False
    return True


def _refused(what):
    return Unsupported("the tests %s what the candidate may have written" % what, chosen=True)


def _scope(globals, locals, frame):
    """The names of an evaluation, as eval and exec choose them."""
    if globals is not None:
        return globals, globals if locals is None else locals
    return frame.f_globals, (frame.f_locals if frame.f_locals is frame.f_globals else dict(frame.f_locals)) if locals is None else locals


def _check(source, globals, locals, frame):
    """Refuses to evaluate what may be the candidate's, and do more than compute."""
    if not _is_of_tests(Candidate.current, source):
        own = [set(of) for of in (frame.f_locals, frame.f_globals) if of]
        names = {k: v for of in (globals, locals) if isinstance(of, dict) and not any(o <= of.keys() for o in own) for k, v in of.items()}
        if not isinstance(source, str) or not _only_computes(source, names, frame.f_globals):
            raise _refused("evaluate")


def _check_whole(source):
    """Refuses to execute what may be the candidate's."""
    if not _is_of_tests(Candidate.current, source):
        raise _refused("execute")


def _note_code(source, code):
    c = Candidate.current
    if c is not None and isinstance(code, types.CodeType) and _is_of_tests(c, source):
        c.compiled = [*c.compiled, code]


@transparent
def _eval(source, /, globals=None, locals=None):
    frame = sys._getframe(1)
    _check(source, globals, locals, frame)
    return eval(source, *_scope(globals, locals, frame))


@transparent
def _exec(source, /, globals=None, locals=None, **named):
    _check_whole(source)
    return exec(source, *_scope(globals, locals, sys._getframe(1)), **named)


@transparent
def _compile(source, *args, **named):
    code = compile(source, *args, **named)
    _note_code(source, code)
    return code


_times = timeit.Timer.__init__


@functools.wraps(_times)
@transparent
def _timing(self, stmt="pass", setup="pass", *args, **named):
    for text in (stmt, setup):
        if isinstance(text, str) and text != "pass":
            _check_whole(text)
    _times(self, stmt, setup, *args, **named)


timeit.Timer.__init__ = _timing


for _f, _name in ((_eval, "eval"), (_exec, "exec"), (_compile, "compile")):
    _f.__name__ = _f.__qualname__ = _name
    OWN[_name], ASKED[_f] = _f, _name


def _is_internal(module, frame):
    """Reports whether Python, which loads modules with it, or these files use marshal."""
    return module is marshal and frame.f_code.co_filename != "tests.py"


def _loading(module):
    loads, dumps = module.loads, module.dumps

    @transparent
    def loading(data, /, **named):
        c = Candidate.current
        if _is_internal(module, sys._getframe(1)):
            return loads(data, **named)
        if _is_of_tests(c, data if type(data) is bytes else bytes(data)):
            return loads(data, **named)
        return c.library(module.__name__, "loads", data, **named)

    @transparent
    def dumping(v, *args, **named):
        c = Candidate.current
        if _is_internal(module, sys._getframe(1)):
            return dumps(v, *args, **named)
        if c is not None and c.holds(v):
            return c.library(module.__name__, "dumps", v, *args, **named)
        data = dumps(v, *args, **named)
        if c is not None:
            c.pickled = c.pickled | {data}
        return data

    module.loads, module.dumps = loading, dumping
    return loading, dumping


class _Unpickler(pickle.Unpickler):
    def load(self):
        if Candidate.current is not None:
            raise _refused("unpickle")
        return super().load()


_Unpickler.__name__ = _Unpickler.__qualname__ = "Unpickler"
_Unpickler.__module__ = "pickle"
_loading(marshal)
_loads, _dumps = _loading(pickle)
pickle.load, pickle.dump = transparent(lambda file, **named: _loads(file.read(), **named)), transparent(lambda v, file, *args, **named: file.write(_dumps(v, *args, **named)) and None)
pickle.Unpickler = _Unpickler
asking(typing, "get_type_hints")
asking(inspect, "get_annotations")
