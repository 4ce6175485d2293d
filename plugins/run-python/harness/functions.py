# What functions of the tests do, as their code tells: the names that they use, what they change and compare.
import builtins, dis, inspect, sys, types

from .wire import NUMBERED

_CHANGES = frozenset("append extend insert pop remove clear sort reverse add discard update setdefault popitem appendleft popleft extendleft rotate subtract".split())
_WHY = {"logging": "logs something", "AssertionError": "asserts something"}  # names that a function cannot use elsewhere


def used_by(code):
    """The global names that a function uses; what it changes, as names of which one is changed, or = and the name that it rebinds; and why it cannot cross, or nothing."""
    names, writes, why, line = set(), set(), "", []
    for i in dis.get_instructions(code):
        if i.starts_line:
            line = []
        if i.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            line.append(i.argval)
            if i.opname != "LOAD_DEREF":
                names.add(i.argval)
        elif i.opname in ("LOAD_ATTR", "LOAD_METHOD") and i.argval in _CHANGES:
            writes.add(tuple(line[-1:]))
        elif i.opname in ("STORE_SUBSCR", "DELETE_SUBSCR"):
            writes.add(tuple(line))
        elif i.opname in ("STORE_DEREF", "DELETE_DEREF"):
            writes.add("=" + i.argval)
        elif i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            why = why or "rebinds %s" % i.argval
        elif i.opname in ("STORE_ATTR", "DELETE_ATTR") and line:
            writes.add(("", *line))  # of which one has a new attribute
        elif i.opname == "LOAD_ASSERTION_ERROR" or i.opname == "LOAD_COMMON_CONSTANT" and "AssertionError" in i.argrepr:
            why = why or "asserts something"
        if i.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF") and i.argval in _WHY:
            why = why or _WHY[i.argval]
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            more, written, inner = used_by(c)
            names, writes, why = names | more, writes | written, why or inner
    return names, writes, why


_HAS_DOCSTRING = 0x4000000  # of CPython 3.13, which has no name for it in inspect
_DECIDES = frozenset(("COMPARE_OP", "CONTAINS_OP", "IS_OP"))
_ANSWERS = frozenset("isinstance issubclass hasattr bool any all callable startswith endswith match fullmatch search find index count issubset issuperset isdisjoint".split())


def compares(code):
    """Reports whether a function compares something, or does one thing or another."""
    return not _ANSWERS.isdisjoint(code.co_names) or any(i.opname in _DECIDES or i.opname.startswith(("POP_JUMP_IF", "MATCH_")) for i in dis.get_instructions(code)) or any(
        compares(c) for c in code.co_consts if isinstance(c, types.CodeType))


def is_oracle(code, values):
    """Reports whether a function compares with what it has in its code, or in variables: whoever could read it need not ask."""
    return _asks(code) and (any(type(v) in CONSTANT and v not in _TRIVIAL or type(v) in NUMBERED for _, v in values) or _has_constants(code))


def _asks(code):
    return any(i.opname in _DECIDES for i in dis.get_instructions(code)) or any(_asks(c) for c in code.co_consts if isinstance(c, types.CodeType))


def _has_constants(code):
    consts = code.co_consts[bool(code.co_flags & _HAS_DOCSTRING):]
    return any(_has_constants(c) if isinstance(c, types.CodeType) else c not in _TRIVIAL for c in consts)


CONSTANT = frozenset((int, float, str, bytes, bool, type(None), tuple, frozenset, complex))
_TRIVIAL = (None, True, False, 0, 1, 2, -1, -2, "", (), ...)


def decides(f, values, changed):
    """Reports whether what a function notes may tell what the tests expect: it compares something, or uses a value beside what it changes. Whoever has it in hand could note that without a right call."""
    if compares(f.__code__):
        return True
    own, rebound = {i for of in changed for i in of}, _rebound(f.__code__)
    return any(id(v) not in own and name not in rebound and (type(v) in CONSTANT and v not in _TRIVIAL or type(v) in NUMBERED) for name, v in values)


def _rebound(code):
    return {name[1:] for name in used_by(code)[1] if type(name) is str}


def has_deciding(code):
    """Reports whether there is a function in a piece of the tests that notes what it compares."""
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            if not c.co_name.startswith(("test", "Test", "check", "setUp", "setup_", "<")) and c.co_flags & inspect.CO_OPTIMIZED and compares(c) and used_by(c)[1]:
                return True
            if has_deciding(c):
                return True
    return False


def is_plain(code):
    """Reports whether a generator may run before its items are asked for: it changes nothing, and calls no function of the tests."""
    names, writes, why = used_by(code)
    return not writes and not why and names <= set(vars(builtins)) | set(sys.stdlib_module_names)


def answers(code):
    """Reports whether a generator returns a value, and whether it takes what is sent to it."""
    b, consts, returns, takes = code.co_code, code.co_consts, False, False
    for k in range(2, len(b), 2):
        if b[k] == _RETURN_CONST:
            returns = returns or consts[b[k + 1]] is not None
        elif b[k] == _RETURN_VALUE:
            returns = returns or b[k - 2] != _LOAD_CONST or consts[b[k - 1]] is not None
        elif b[k] == _YIELD_VALUE:
            takes = takes or b[k + 4] not in _DROPS
    return returns, takes


_RETURN_CONST, _RETURN_VALUE, _LOAD_CONST, _YIELD_VALUE = (dis.opmap.get(name, -1) for name in ("RETURN_CONST", "RETURN_VALUE", "LOAD_CONST", "YIELD_VALUE"))
_DROPS = frozenset((dis.opmap["POP_TOP"], dis.opmap.get("JUMP_BACKWARD_NO_INTERRUPT", -1)))


def has_raise(code):
    return any(i.opname == "RAISE_VARARGS" for i in dis.get_instructions(code))


def given_to(code, values):
    """The arguments of a call of a function that has not begun, of its variables."""
    names, at = code.co_varnames, code.co_argcount + code.co_kwonlyargcount
    args, named = [values[k] for k in names[:code.co_argcount]], {k: values[k] for k in names[code.co_argcount:at]}
    if code.co_flags & inspect.CO_VARARGS:
        args += values[names[at]]
        at += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        named.update(values[names[at]])
    return args, named


def is_quiet(f):
    """Reports whether a function may run before it is needed."""
    return f is None or type(f) is type and vars(builtins).get(f.__name__) is f or type(f) is types.BuiltinFunctionType or type(f) is types.FunctionType and is_plain(f.__code__)


def _loads(code, name):
    """The instructions that read a variable."""
    return [i for i in dis.get_instructions(code) if i.opname.startswith("LOAD_") and (i.argval == name or type(i.argval) is tuple and name in i.argval) and not i.opname.startswith(("LOAD_ATTR", "LOAD_CONST"))]


def _inner(code):
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            yield c
            yield from _inner(c)


def is_used_once(it, codes):
    """Reports whether tests that have a name for an iterator use it in one call only: what is left of it then, nobody sees."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != "tests.py":
        frame = frame.f_back
    if frame is None:
        return False
    code, names = frame.f_code, [k for k, v in frame.f_locals.items() if v is it]
    if len(names) != 1 or names[0] in code.co_freevars or names[0] in code.co_cellvars:
        return False
    found = _loads(code, names[0])
    if len(found) != 1 or found[0].offset > frame.f_lasti or _is_repeated(code, found[0]):
        return False
    return frame.f_locals is not frame.f_globals or sum(len(_loads(c, names[0])) for whole in codes for c in (whole, *_inner(whole))) == 1  # other pieces of the tests may read it, too


def _is_repeated(code, instruction):
    """Reports whether an instruction is in a loop."""
    return any("BACKWARD" in i.opname and i.jump_target <= instruction.offset <= i.offset for i in dis.get_instructions(code))
