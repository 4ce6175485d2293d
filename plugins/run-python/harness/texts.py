# Texts of tests, compiled: by an instance of its own, whose answers the host remembers.
import ast, builtins, collections, dis, inspect, marshal, re, types

from . import guards
from .kinds import parsed, source_or_tree
from .results import Broken, FILE
from .wire import request as message, requested


# What an instance of its own has found out about texts, by text.
AHEAD = {}
_Ahead = collections.namedtuple("_Ahead", "code pieces does wanted imports")


def compile_ahead(peer, texts, form):
    """Has texts compiled apart, so that the host may remember the code: candidates of one problem have the same tests. What cannot be compiled is not there."""
    end, found, _ = peer.compute(message(("compiled", texts, form)))
    if end == "answer":
        for text, known in zip(texts, requested(found)):  # from a new instance, which runs none of it
            if known is not None:
                AHEAD[text] = _Ahead(*known)


def compiled_ahead(texts, form):
    """Compiles texts in an instance that does nothing else."""
    out = []
    for text in texts:
        try:
            code = compiled(text)
            out.append((code, pieces(text) if form == "script" else None, guards.does(code), wanted_by_classes(code) if "class" in text else [], may_import(text)))
        except Broken:
            out.append(None)
    return marshal.dumps(out)


def may_import(text):
    """Reports whether tests may import the candidate's module."""
    return "import" in text or "solution" in text


def compiled(source, name="the tests"):
    """Compiles a text of the dataset."""
    if source in AHEAD:
        return AHEAD[source].code
    try:
        return compile(source_or_tree(source, FILE), FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        where = " (line %d)" % e.lineno if isinstance(e, SyntaxError) and e.lineno else ""
        raise Broken("%s cannot be parsed: %s: %s%s" % (name, type(e).__name__, getattr(e, "msg", e), where))


def free_names(code):
    """The names that a piece of code uses, those of its functions included."""
    names = set()
    if code is not None:
        names.update(code.co_names)
        for c in code.co_consts:
            if isinstance(c, types.CodeType):
                names |= free_names(c)
    return names


def _used_by_classes(code):
    """The names that bodies of classes use, where Python does not ask Names.__missing__."""
    names = set()
    for c in code.co_consts if code is not None else ():
        if isinstance(c, types.CodeType):
            if not c.co_flags & inspect.CO_OPTIMIZED:
                names |= set(c.co_names) - _stored(c) - set(vars(builtins))
            names |= _used_by_classes(c)
    return names


def wanted_by_classes(code):
    """The names that bodies of classes use, and the tests do not bind."""
    used = _used_by_classes(code)
    return sorted(used - _stored(code)) if used else []


def _stored(code):
    """The names that a module or the body of a class binds."""
    return {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"} if code is not None else set()


decorators = re.compile(r"^[ \t]*@[ \t]*(\w+)", re.M).findall


def pieces(tests):
    """The statements of a script as (is a test, first line, code). Each statement with an assert, a raise or a call of a function test_* in it is a test."""
    pieces, body = [], parsed(tests, FILE).body
    functions = {n.name for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test")}
    for node in body:
        is_test = not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) and (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) or _is_main(node) or any(
                isinstance(n, (ast.Assert, ast.Raise)) or isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in functions for n in ast.walk(node)))
        if pieces and not is_test and not pieces[-1][0]:
            pieces[-1][1].append(node)
        else:
            pieces.append((is_test, [node]))
    return [(is_test, nodes[0].lineno, compile(ast.Module(nodes, []), FILE, "exec", dont_inherit=True)) for is_test, nodes in pieces]


def _is_main(node):
    """Reports whether a statement is what a program runs: if __name__ == "__main__"."""
    return isinstance(node, ast.If) and any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(node.test))
