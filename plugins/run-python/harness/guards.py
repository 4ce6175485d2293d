# What tests evaluate or unpickle may be written by the candidate, which would then run in its judge. Here, only what the tests
# hold themselves is evaluated, and expressions that only compute; the rest is left to the candidate's instance, or has no score.
import _pickle, ast, builtins, collections, dataclasses, dis, doctest, functools, inspect, logging.config, marshal, pickle, re, string, sys, timeit, types, typing, unittest.mock

from .ends import Unsupported
from .faults import FILES, transparent
from .judge import Candidate
from .kinds import EVALUATES, FORMATTED
from .looks import ASKED, asking, OWN
from .mirrors import Function, is_candidates, METHODS, Mirror, Raised
from .wire import COMPUTING, FLAT, parse

_COMPUTES = (ast.Expression, ast.Constant, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.Load,
             ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.Name, ast.Call, ast.keyword)
_BUILT_IN = frozenset((bool, int, float, complex, str, list, tuple, dict, set, frozenset, range))


def _squeezed(text):
    return " ".join(text.split()) if isinstance(text, str) else text


def examples_of(text):
    """The examples of a doctest: of a text, or of what a program has as documentation."""
    parser, found = doctest.DocTestParser(), []
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return parser.get_examples(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            doc = node.body[0].value
            for x in parser.get_examples(doc.value):
                x.lineno += doc.lineno - 1
                found.append(x)
    return sorted(found, key=lambda x: x.lineno)


def trees_of(texts):
    """Texts of the tests, or the examples in them, parsed."""
    for text in texts:
        try:
            tree = ast.parse(text)
            if not all(isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) for n in tree.body):
                yield tree
                continue
        except SyntaxError:
            pass
        for x in examples_of(text):
            yield ast.parse(x.source)


def _is_of_tests(c, v):
    """Reports whether a text, or bytes, is in the tests, or comes of what they have themselves."""
    if c is None or not c.loaded or isinstance(v, types.CodeType) and any(v is x for x in c.compiled) or isinstance(v, bytes) and v in c.pickled:
        return True
    if not isinstance(v, (str, bytes)):
        return False
    if c.constants is None:
        c.constants = {_squeezed(n.value) for tree in trees_of(c.program.task.texts()) for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, (str, bytes))}
    return _squeezed(v) in c.constants


def _only_computes(text, scopes, given=()):
    """Reports whether an expression uses nothing but numbers, text and the like, what computes, the candidate's functions, and plain names of those scopes that the tests have given it."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # it raises that
    for n in ast.walk(tree):
        if not isinstance(n, _COMPUTES) or isinstance(n, ast.Call) and not isinstance(n.func, ast.Name):
            return False
        if isinstance(n, ast.Name):
            of, v = _found(n.id, scopes)
            if not (type(v) in FLAT and any(of is x for x in given) or type(v) is types.BuiltinFunctionType and v in COMPUTING.values() or type(v) is type and v in _BUILT_IN or type(v) in (Function, Mirror)):
                return False
    return True


def _found(name, scopes):
    """The scope that has a name, and its value."""
    for of in scopes:
        try:
            return of, of[name]
        except KeyError:
            pass
    return None, vars(builtins).get(name, ...)


def _refused(what):
    return Unsupported("the tests %s what the candidate may have written" % what, chosen=True)


def _scope(globals, locals, frame):
    """The names of an evaluation, as eval and exec choose them."""
    if globals is not None:
        return globals, globals if locals is None else locals
    return frame.f_globals, (frame.f_locals if frame.f_locals is frame.f_globals else dict(frame.f_locals)) if locals is None else locals


def _is_written(codes, text):
    """Reports whether a text is itself one of the tests, and does not just look the same."""
    return any(v is text or isinstance(v, (tuple, frozenset)) and _is_written([v], text) or isinstance(v, types.CodeType) and _is_written([v.co_consts], text)
               for of in codes for v in (of.co_consts if isinstance(of, types.CodeType) else of))


def _is_bare(source, c, frame):
    """Reports whether a text is just a name, and may be the candidate's: the name of what the tests expect is often among their texts."""
    if c is None or not c.loaded or not isinstance(source, str) or not source.strip().isidentifier():
        return False
    if len(source) > 1:
        return not _is_written(c.program.task.codes, source)
    before = [i for i in dis.get_instructions(frame.f_code) if i.offset < frame.f_lasti]  # there is only one object of each letter
    return not before or before[-1].argval is not source or before[-1].opname != "LOAD_CONST"


def _check(source, scopes, given, frame):
    """Refuses to evaluate what may be the candidate's, and do more than compute. Returns whether it is the tests'."""
    c = Candidate.current
    if _is_of_tests(c, source) and not _is_bare(source, c, frame):
        return True
    own = [set(of) for of in (frame.f_locals, frame.f_globals) if of]
    given = [of for of in given if isinstance(of, dict) and not any(o <= of.keys() for o in own) and not any(type(v) is types.FunctionType and frame.f_globals.get(k) is v for k, v in of.items())]
    if not isinstance(source, str) or not _only_computes(source, scopes, given):
        raise _refused("evaluate")
    return False


def _answered(v):
    """What an expression of the candidate has made is trusted as what its functions answer with."""
    if type(type(v)) is Mirror:
        object.__setattr__(v, "_rh_made", 0)
    elif type(v) in (list, tuple, set, frozenset, dict):
        for x in (*v, *v.values()) if type(v) is dict else v:
            _answered(x)
    return v


def _check_whole(source):
    """Refuses to execute what may be the candidate's."""
    if not _is_of_tests(Candidate.current, source):
        raise _refused("execute")


def _note_code(source, code):
    c = Candidate.current
    if c is not None and isinstance(code, types.CodeType):
        if _is_of_tests(c, source):
            c.compiled = [*c.compiled, code]
        else:
            c.foreign = [*c.foreign, code]


@transparent
def _eval(source, /, globals=None, locals=None):
    frame = sys._getframe(1)
    scope = _scope(globals, locals, frame)
    of_tests = _check(source, scope[::-1], (globals, locals), frame)
    v = eval(source, *scope)
    return v if of_tests else _answered(v)


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
    scope = named.get("globals", args[1] if len(args) > 1 else None)
    for text in (stmt, setup):
        if isinstance(text, str) and text != "pass" and not _is_of_tests(Candidate.current, text) and not (isinstance(scope, dict) and _only_computes(text, [scope])):
            raise _refused("execute")
    _times(self, stmt, setup, *args, **named)


timeit.Timer.__init__ = _timing


_resolves = logging.config.BaseConfigurator.resolve
_of_logging = re.compile(r"logging\.(handlers\.)?[A-Z]\w*|sys\.std(out|err)").fullmatch


@functools.wraps(_resolves)
@transparent
def _resolved(self, name):
    """What a configuration of logging names, which is called: a class of logging, or what the tests name."""
    if not _of_logging(name) and not _is_of_tests(Candidate.current, name) and not _is_of_tests(Candidate.current, "ext://" + name):
        raise _refused("call")
    return _resolves(self, name)


logging.config.BaseConfigurator.resolve = _resolved


def _check_target(target):
    """Refuses to replace what the candidate may have named: it could be the tests' own."""
    c = Candidate.current
    if c is None or not c.loaded or not isinstance(target, str) or target.partition(".")[0] in c.program.task.modules or any(repr(target) in t or '"%s"' % target in t for t in c.program.task.texts()) or _is_of_tests(c, target):
        return
    pieces = (x for t in c.constants if isinstance(t, str) and "." in t for x in re.split(r"%s|\{\w*\}", t))  # of a text that the tests make of such and of variables
    if not any(re.search(r"\w\.|\.\w", x) and (target.startswith(x) or target.endswith(x)) for x in pieces):
        raise _refused("replace")


def _targeting(f):
    @functools.wraps(f)
    @transparent
    def targeting(target, *args, **named):
        _check_target(target)
        return f(target, *args, **named)
    return targeting


_named_dict = unittest.mock._patch_dict.__init__


@functools.wraps(_named_dict)
@transparent
def _naming_dict(self, in_dict, *args, **named):
    _check_target(in_dict)
    _named_dict(self, in_dict, *args, **named)


@transparent
def _equals_any(self, other):
    """ANY == x. A candidate may name it where the tests look up a name that it answers."""
    c = Candidate.current
    if c is not None and c.loaded and not c.program.task.names("ANY"):
        raise _refused("look up")
    return True


type(unittest.mock.ANY).__eq__ = _equals_any
unittest.mock._get_target = _targeting(unittest.mock._get_target)
unittest.mock.patch.multiple = _targeting(unittest.mock.patch.multiple)
unittest.mock._patch_dict.__init__ = _naming_dict


for _f, _name in ((_eval, "eval"), (_exec, "exec"), (_compile, "compile")):
    _f.__name__ = _f.__qualname__ = _name
    OWN[_name] = OWN[EVALUATES[_name]] = _f
    ASKED[_f] = _name


def _is_internal(module, frame):
    """Reports whether Python, which loads modules with it, or these files use marshal."""
    return module is marshal and frame.f_code.co_filename != "tests.py"


def _loading(module):
    loads, dumps = module.loads, module.dumps

    @transparent
    def loading(data, /, **named):
        c, frame = Candidate.current, sys._getframe(1)
        if c is None or _is_internal(module, frame):
            return loads(data, **named)
        if _is_of_tests(c, data if type(data) is bytes else bytes(data)):
            return loads(data, **named)
        return c.library(module.__name__, "loads", data, **named)

    @transparent
    def dumping(v, *args, **named):
        c, frame = Candidate.current, sys._getframe(1)
        if c is None or _is_internal(module, frame):
            return dumps(v, *args, **named)
        if c.holds(v):
            return c.library(module.__name__, "dumps", v, *args, **named)
        data = dumps(v, *args, **named)
        c.pickled = c.pickled | {data}
        return data

    module.loads, module.dumps = loading, dumping
    return loading, dumping


@transparent
def _load(file, **named):
    """Loads the first object of a file, and leaves the others."""
    if Candidate.current is None:
        return _plain_load(file, **named)
    data = file.read()
    if type(data) is bytes and data not in Candidate.current.pickled:
        import pickletools
        try:
            end = next(at + 1 for op, _, at in pickletools.genops(data) if op.name == "STOP")
        except Exception:
            end = len(data)  # it is none
        if end < len(data):
            file.seek(end - len(data), 1)
            data = data[:end]
    return _loads(data, **named)


@transparent
def _dump(v, file, *args, **named):
    file.write(_dumps(v, *args, **named))


class _Unpickler(pickle.Unpickler):
    def load(self):
        if Candidate.current is not None:
            raise _refused("unpickle")
        return super().load()


_Unpickler.__name__ = _Unpickler.__qualname__ = "Unpickler"
_Unpickler.__module__ = "pickle"
_loading(marshal)
_plain_load = pickle.load
_loads, _dumps = _loading(pickle)
for _module in (pickle, _pickle):
    _module.loads, _module.dumps, _module.load, _module.dump, _module.Unpickler = _loads, _dumps, _load, _dump, _Unpickler
pickle._loads, pickle._load, pickle._Unpickler = _loads, _load, _Unpickler
for _name in ("get_type_hints", "get_args", "get_origin", "is_typeddict"):
    asking(typing, _name)
asking(inspect, "get_annotations")

# A format reads attributes of what it formats, and with these, all that the tests know.
_reads_hidden = re.compile(r"\{[^{}]*[.\[](_|(gi|cr|ag|tb|f|func)_)").search


@transparent
def _formatted(v):
    """What the tests format with, if it reads no attributes that lead to their variables."""
    if type(v) is str and _reads_hidden(v) and not _is_of_tests(Candidate.current, v):
        raise _refused("format with")
    return _Formats if v is str else v


class _Formats:
    """str.format and str.format_map, as functions."""

    @transparent
    def format(text, /, *args, **named):
        return str.format(_formatted(text), *args, **named)

    @transparent
    def format_map(text, names, /):
        return str.format_map(_formatted(text), names)


_formats_record = logging.StrFormatStyle._format


@functools.wraps(_formats_record)
@transparent
def _format_record(self, record):
    _formatted(self._fmt)
    return _formats_record(self, record)


logging.StrFormatStyle._format = _format_record


_FORMATTING = frozenset(("format", "format_map"))
_has_format = re.compile(r"""['"]format(_map)?['"]""").search


def refuse_names(c):
    """Refuses answers that name what the tests hold, or fill a format with it (%(want)s), if tests have their variables or attributes in hand: what they do with these cannot be
    seen everywhere. Also answers that, as a format, read attributes, if tests have str.format by its name."""
    texts = c.program.task.texts()
    hands = set().union(*map(_in_hand, trees_of(filter(_looks_up, texts))))
    names = _held_by(trees_of(texts), hands) if hands else ()
    patterns = [_reads_hidden.__self__.pattern] if any(map(_has_format, texts)) else []
    if names:
        patterns.append(r"(?:%%\(|\{|\$\{?)(?:%s)\b" % "|".join(names))
    if not patterns:
        return
    reads = re.compile("|".join(patterns)).finditer

    def refuse(message):
        said = list(_said(message))
        if any(t.strip() in names for t in said):
            raise _refused("look up")
        if any(not any(m[0] in t for t in texts) for m in reads("\n".join(said))):
            raise _refused("format with")
    c.refuse = refuse


_UNSAID = {"H": 3, "K": 9, "N": 9, "M": 9, "R": 4, "J": 3, "E": 2}  # how much of a message on an object tells its class


def _said(v):
    """The texts in a message, those of bytes included, but for names of classes."""
    if type(v) is str:
        yield v
    elif type(v) is dict:
        yield from _said(["", *v, *v.values()])
    elif type(v) is list and v:
        tag = v[0] if type(v[0]) is str else None
        if tag in ("b", "B") and _is_hex(str(v[-1])):
            yield bytes.fromhex(v[-1]).decode("latin-1")
        else:
            for x in v[_UNSAID.get(tag, tag is not None):]:
                yield from _said(["", *(x[2:] if x[:1] == ["name"] else x)] if tag == "E" and type(x) is list else x)  # the name that an object lacks, tests have asked for


_is_hex = re.compile("(?:[0-9a-f]{2})*").fullmatch
_VARIABLES = frozenset("globals locals vars f_globals f_locals __globals__ modules".split())
_ATTRIBUTES = frozenset("vars __dict__ attrgetter methodcaller getattr_static __getattribute__".split())
_BUILT_INS = frozenset(("builtins", "__builtins__"))  # where getattr and hasattr have no guard
_LOOKING = _VARIABLES | _ATTRIBUTES | _BUILT_INS


_looks_up = re.compile(r"\b(?:%s)\b" % "|".join(sorted(_LOOKING))).search


def _in_hand(tree):
    """What tests have in hand: their "variables", by globals() and the like, and "attributes" of their classes and objects, if they look these up."""
    hands, nodes = set(), list(ast.walk(tree))
    above = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    for node in nodes:
        if type(node) not in (ast.Name, ast.Attribute, ast.ImportFrom):
            continue
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in _BUILT_INS or isinstance(node, ast.ImportFrom) and node.module == "builtins":
            hands.add("attributes")
        elif name in _LOOKING:
            call = above[node] if isinstance(above[node], ast.Call) and above[node].func is node else None
            if not _is_looked_through(call if name in _SPACES and call else node, above):
                hands |= {"variables"} if name in _VARIABLES and not (name == "vars" and call and call.args) else {"attributes"}
    return hands


def _held_by(trees, hands):
    """The names of what tests hold, as far as they have it in hand."""
    names = {"tests", "__main__"} if "variables" in hands else set()
    for tree in trees:
        for node in ast.walk(tree):
            for n in ast.walk(node) if isinstance(node, ast.ClassDef) and "attributes" in hands else [node] if "variables" in hands or isinstance(node, ast.Attribute) else ():
                if isinstance(n, ast.arg):
                    names.add(n.arg)
                elif isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    names.add(n.name)
                elif isinstance(getattr(n, "ctx", None), ast.Store) and isinstance(n, (ast.Name, ast.Attribute)):
                    names.add(n.id if isinstance(n, ast.Name) else n.attr)
    return names


_SPACES = frozenset("globals locals vars".split())
_KEEPING = frozenset("append add update setdefault extend insert setattr".split())


def _is_looked_through(node, above):
    """Reports whether tests ask their namespace for a name that they have written, fill a format of theirs with it, compare it, or loop over it and keep nothing."""
    up = above[node]
    if isinstance(up, ast.Subscript):
        return isinstance(up.slice, ast.Constant)
    if isinstance(up, ast.Compare):
        return isinstance(up.ops[0], (ast.Eq, ast.NotEq)) or isinstance(up.left, ast.Constant)
    if isinstance(up, ast.BinOp):
        return isinstance(up.left, ast.Constant)
    if isinstance(up, ast.keyword) and up.arg is None:
        f = above[up].func
        return isinstance(f, ast.Attribute) and isinstance(f.value, ast.Constant)
    if isinstance(up, ast.Attribute) and up.attr in ("get", "pop", "setdefault"):
        call = above[up]
        return isinstance(call, ast.Call) and bool(call.args) and isinstance(call.args[0], ast.Constant)
    if isinstance(up, ast.Call) and node in up.args and not isinstance(above[up], ast.For):
        return getattr(up.func, "attr", "").startswith("assert") or getattr(up.func, "id", "") in ("len", "sorted", "list", "set", "str", "repr", "print")
    while isinstance(up, (ast.Attribute, ast.Call)):
        node, up = up, above[up]
    return isinstance(up, ast.For) and node is up.iter and not any(isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) or getattr(n, "attr", getattr(n, "id", "")) in _KEEPING for x in up.body for n in ast.walk(x))


# Attributes that tests look up by a name that they have not written: it may be the candidate's, and name what is expected.

_LOOKUPS = (type(None), types.ModuleType, types.BuiltinFunctionType, bool, int, float, complex, str, bytes, bytearray, tuple, list, dict, set, frozenset, range)  # they hold no variables of the tests


def is_theirs(v):
    return is_candidates(v) or type(v) is Raised or type(type(v)) is Raised or isinstance(v, types.ModuleType) and "_tests" in vars(v)


def _check_attribute(v, name):
    """Refuses to look up an attribute of what the tests hold by a name that they have not written: it may come of an answer. What was given to the candidate, it knows."""
    c = Candidate.current
    if c is None or not c.loaded or is_theirs(v) or id(v) in c.given.places or type(name) is str and len(name) > 1 and id(name) in _written(c):
        return
    kind, of = v if isinstance(v, type) else type(v), getattr(v, "__name__", "")
    if isinstance(v, type) and kind.__module__ in sys.stdlib_module_names or kind in _LOOKUPS and of not in c.program.task.modules and of not in ("tests", "__main__"):
        return
    if c.uses() and not (type(name) is str and len(name) == 1 and id(name) in _written(c) and not any(name == t.strip() for _, payload in c.given.log for t in _said(parse(payload)))):  # there is only one object of each letter
        raise _refused("look up")


def _written(c):
    """The identities of the texts and names in the code of the tests."""
    if c.written is None:
        c.written, codes = set(), list(c.program.task.codes)
        for code in codes:
            for x in (*code.co_names, *code.co_consts):
                if type(x) is str:
                    c.written.add(id(x))
                elif type(x) is types.CodeType:
                    codes.append(x)
                elif type(x) is tuple:
                    c.written.update(map(id, x))
    return c.written


def _attributing(f):
    @functools.wraps(f)
    @transparent
    def looking(v, name, /, *default):
        _check_attribute(v, name)
        return f(v, name, *default)
    ASKED[looking] = f.__name__
    return looking


OWN["getattr"], OWN["hasattr"] = map(_attributing, (getattr, OWN["hasattr"]))


_formats = string.Formatter.vformat


@functools.wraps(_formats)
@transparent
def _vformat(self, text, args, named):
    return _formats(self, _formatted(text), args, named)


string.Formatter.vformat = _vformat
OWN[FORMATTED] = _formatted

# Python tells of all that compiles or executes something, or makes a function of code. Functions of the library that do so, as those of code, pdb and
# typing, do it with the tests' own texts only.
_BY_CODE = frozenset(f.__code__.co_filename for f in (ast.parse, collections.namedtuple, dataclasses.dataclass, timeit.timeit, unittest.mock.patch))  # they execute what they have written
_EXECUTES = frozenset(("compile", "exec", "function.__new__", "object.__setattr__"))

# To be told costs at every id(). So the tests of most cases are not watched: all that they name is of modules that execute no text, and not one of these.
_QUIET = frozenset("""__future__ abc argparse array asyncio base64 binascii bisect calendar cmath collections concurrent contextlib contextvars copy csv dataclasses datetime decimal difflib
    enum errno fractions functools gc hashlib heapq hmac html io ipaddress itertools json keyword locale logging math numbers operator os pathlib pickle platform pprint queue random re secrets
    select shutil signal statistics string struct sys tempfile textwrap threading time timeit traceback types typing unicodedata unittest urllib uuid warnings weakref zlib""".split())
_WATCHED = sys.stdlib_module_names - _QUIET
_EXECUTING = frozenset("""builtins compile eval exec globals locals vars f_globals f_locals __import__ __builtins__ __code__ __globals__ CodeType FunctionType ForwardRef get_type_hints register config
    importlib.abc importlib.machinery importlib.util logging.config""".split())


def does(code):
    """Reports whether tests name what may execute a text, or code; whether they may look up variables or attributes by names that they have not written, or name str.format as a
    text; and whether they name a special method."""
    names, texts = set(), set()
    _add_words(code, names, texts)
    return (not _EXECUTING.isdisjoint(names) or not _EXECUTING.isdisjoint(texts) or not _WATCHED.isdisjoint(names) or "." in "".join(names) and any([name.partition(".")[0] in _WATCHED for name in names]),
            not _LOOKING.isdisjoint(names) or not _FORMATTING.isdisjoint(texts), not METHODS.isdisjoint(names) or not METHODS.isdisjoint(texts))


def _add_words(code, names, texts):
    names.update(code.co_names)
    for x in code.co_consts:
        if type(x) is str:
            texts.add(x)
        elif type(x) is types.CodeType:
            _add_words(x, names, texts)


def watch():
    """Watches what the tests execute."""
    sys.addaudithook(_audited)


def _audited(event, args):
    c = Candidate.current
    if event not in _EXECUTES or c is None or not c.loaded or event == "object.__setattr__" and args[1] != "__code__":
        return
    frame, v = sys._getframe(1), args[2 if event == "object.__setattr__" else 0]
    file, module = frame.f_code.co_filename, frame.f_globals.get("__name__", "")
    if file in FILES or file in _BY_CODE:
        return
    if file == "tests.py":
        if not (_is_of_tests(c, _text(v)) if event == "compile" else _is_known(c, v)):
            raise _refused("execute")
    elif module.partition(".")[0] in sys.stdlib_module_names and not _is_import(module, args):
        if not _is_annotated(c, _text(v)) if event == "compile" else _is_foreign(c, v):
            raise _refused("execute")


def _text(v):
    return v.decode("utf-8", "replace") if isinstance(v, bytes) else v


def _is_import(module, args):
    """Reports whether Python loads a module from a file."""
    file = getattr(args[0], "co_filename", args[-1])
    return module.startswith(("importlib.", "_frozen_importlib")) and isinstance(file, str) and file.startswith(("/", "<frozen "))


def _is_annotated(c, text):
    """Reports whether a text is one of the tests, or an annotation of theirs."""
    return _is_of_tests(c, text) or text in {ast.unparse(a) for tree in trees_of(c.program.task.texts()) for n in ast.walk(tree) for a in (getattr(n, "annotation", None), getattr(n, "returns", None)) if a}


def _is_known(c, code):
    """Reports whether code is of the tests, or compiled from their texts."""
    return code.co_filename == "tests.py" and not _is_foreign(c, code) or any(_has_code(x, code) for x in c.compiled)


def _is_foreign(c, code):
    return any(_has_code(x, code) for x in c.foreign)


def _has_code(whole, code):
    return whole is code or any(isinstance(x, types.CodeType) and _has_code(x, code) for x in whole.co_consts)


