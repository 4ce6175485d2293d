# What tests evaluate or unpickle may be written by the candidate, which would then run in its judge. Here, only what the tests
# hold themselves is evaluated, and expressions that only compute; the rest is left to the candidate's instance, or has no score.
import ast, builtins, doctest, inspect, marshal, pickle, sys, types, typing

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


@transparent
def _eval(source, /, globals=None, locals=None):
    frame, c = sys._getframe(1), Candidate.current
    names = {**(globals if globals is not None and globals is not frame.f_globals else {}), **(locals if isinstance(locals, dict) and locals is not frame.f_globals else {})}
    if not _is_of_tests(c, source) and not (isinstance(source, str) and _only_computes(source, names, frame.f_globals)):
        raise _refused("evaluate")
    return eval(source, *_scope(globals, locals, frame))


@transparent
def _exec(source, /, globals=None, locals=None, **named):
    if not _is_of_tests(Candidate.current, source):
        raise _refused("execute")
    return exec(source, *_scope(globals, locals, sys._getframe(1)), **named)


@transparent
def _compile(source, *args, **named):
    c = Candidate.current
    code = compile(source, *args, **named)
    if c is not None and _is_of_tests(c, source) and isinstance(code, types.CodeType):
        c.compiled = [*c.compiled, code]
    return code


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
