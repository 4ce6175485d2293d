# Says why an assertion failed.
import ast, json, keyword, re
from collections.abc import Iterator

from .ends import Ended, Unsupported
from .mirrors import Function, Mirror
from .results import Differs, FILE, shown
from .wire import COPIED

_pure = (ast.Expression, ast.Constant, ast.Name, ast.Load, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop,
         ast.Subscript, ast.Slice, ast.Attribute, ast.Call, ast.keyword, ast.Starred, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.JoinedStr, ast.FormattedValue)
harmless = frozenset("abs all any bool bytes complex dict divmod enumerate float frozenset int len list max min range repr reversed round set sorted str sum tuple zip".split())


def explain(result, e, source, world):
    """Adds what a failed assertion expected. What it evaluates again are expressions of the tests without a call of the candidate. Returns what else than a value it asks for: "identity", of values that look the same; "copies", of
    equal ones that cross as another object; "place"."""
    if isinstance(e, Differs):
        result.expected, result.actual = shown(e.expected), shown(e.actual)
        return
    seen = Unsupported.seen
    try:
        tb, frame, line = e.__traceback__, None, None
        while tb is not None:
            if tb.tb_frame.f_code.co_filename == FILE:
                frame, line = tb.tb_frame, tb.tb_lineno
            elif tb.tb_frame.f_code.co_name == "assertIs" and _is_copy(*map(tb.tb_frame.f_locals.get, ("expr1", "expr2"))):
                return "copies"
            tb = tb.tb_next
        if line is None:
            return
        if " is not " in result.why and not result.why.startswith("assert ") and re.match(r"(.*) is not \1(?: : |$)", result.why, re.S):
            return "identity"  # of unittest
        if _addresses(result.why):
            return "place"
        lines = source.split("\n")
        plain = _plain_assertion(lines[line - 1])
        if plain is not None:
            text, value = plain
            result.why, result.expected = result.why or "assert " + (text if len(text) <= 300 else text[:297] + "..."), shown(value)
            return "place" if type(value) is str and _address(value) else None
        node, parsed = _assertion(lines, line - 1)
        if node is None:
            return
        if not result.why:
            text = _written(node.test, parsed)
            result.why = "assert %s" % (text if len(text) <= 300 else text[:297] + "...")
        test = node.test
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and any(map(_asks_identity, test.values)):
            test = next((n for n in test.values if (v := _evaluated(n, frame)) is not None and not v[0]), test)
        if isinstance(test, ast.Call) and getattr(test.func, "id", "") in ("any", "all") and len(test.args) == 1 and _asks_identity(getattr(test.args[0], "elt", None)):
            return "copies" if world.candidate.last and world.candidate.last[3] and _holds(test, frame, world.candidate.last[3][0]) else None
        if isinstance(test, ast.Call) and len(test.args) > 1 and _is_near(getattr(test.func, "attr", getattr(test.func, "id", ""))):
            got, wanted = [_evaluated(n, frame) for n in test.args[:2]]
            if wanted is not None and (got is None or world.candidate.last and got == world.candidate.last[3]):
                result.expected = shown(wanted[0])
            return
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.Is)):
            return
        sides = [test.left, test.comparators[0]]
        values = [_evaluated(n, frame) for n in sides]
        ours = [k for k in (0, 1) if values[k] is not None]
        if len(ours) == 1:
            result.expected = shown(values[ours[0]][0])
        elif len(ours) == 2:
            result.actual, result.expected = shown(values[0][0]), shown(values[1][0])
        if ours and all(type(values[k][0]) is str and _address(values[k][0]) for k in ours):
            return "place"
        if len(ours) == 2 and _asks_identity(test) and _is_copy(values[0][0], values[1][0]):
            return "copies"
        if any(v is not None and (v[0] is None or type(v[0]) is bool) for v in values):
            return None  # f(x) is want, which is what it is
        return "identity" if _asks_identity(test) and not _are_objects(sides, values, world.candidate.last) else None
    except (Ended, Unsupported, Exception):
        pass
    finally:
        Unsupported.seen = seen


_is_near = re.compile("close|near|almost|same|equal|approx", re.I).search  # what compares an answer with a value, in this order


def _are_objects(sides, values, last):
    """Reports whether what is compared are objects that stay with the candidate, each of which is one here, too: it is a value, or what a call has just answered."""
    if values == [None, None] and not all(isinstance(n, ast.Call) and ast.dump(n.func) == ast.dump(sides[0].func) for n in sides):
        return False
    found = [(last and last[3] or (None,))[0] if v is None and isinstance(n, ast.Call) else v and v[0] for n, v in zip(sides, values)]
    return all(type(type(v)) is Mirror for v in found)


def _is_copy(a, b):
    return type(a) is type(b) and type(a) in COPIED and repr(a) == repr(b)


class _Answered(ast.NodeTransformer):
    """Puts the last answer in place of calls of the candidate."""

    calls = 0

    def visit_Call(self, n):
        if isinstance(n.func, ast.Name) and n.func.id in harmless or isinstance(n.func, ast.Attribute) and n.func.attr in ("items", "values"):
            return self.generic_visit(n)
        self.calls += 1
        return ast.Name("_rh_answer", ast.Load())


def _holds(test, frame, answer):
    """Reports whether any(x is y for ...) or all() of that holds, if each value that crosses as another object is the one that it equals."""
    walk, of = _Answered(), test.args[0]
    walk.visit(test)
    if walk.calls > 1 or not all(isinstance(n, (*_pure, ast.GeneratorExp, ast.ListComp, ast.comprehension, ast.Store)) for n in ast.walk(test)):
        return False
    of.elt = ast.Call(ast.Name("_rh_same", ast.Load()), [of.elt.left, of.elt.comparators[0]], [])
    names = {**frame.f_globals, **frame.f_locals, "_rh_answer": answer, "_rh_same": lambda a, b: a is b or _is_copy(a, b)}
    if any(isinstance(n, ast.Name) and isinstance(names.get(n.id), Iterator) for n in ast.walk(test)):
        return True  # used up: its items are unknown
    return eval(compile(ast.fix_missing_locations(ast.Expression(test)), FILE, "eval"), names)


def _asks_identity(node):
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is) and not isinstance(node.comparators[0], ast.Constant)


_calls_name = re.compile(r"""[ \t]*assert (([A-Za-z_]\w*)\((?:[^()'"#\\]++|'[^'\\]*+'|"[^"\\]*+"|\((?:[^()'"#\\]++|'[^'\\]*+'|"[^"\\]*+")*+\))*+\) *== *)""").match
_constant = re.compile(r"""(True|False|None)\b|'([^'\\]*)'|"([^"\\]*)\"""").match
_is_plain = re.compile(r"""(?:[-\d., \[\]{}:]++|"[^"\\]*+")*+""").fullmatch
_scan = json.JSONDecoder().scan_once


def _plain_assertion(line):
    """Of a line such as `assert f(1) == [2], "message"`: what it asserts, and the value that it expects. None: another line. To parse one takes as long as to run most tests."""
    m = _calls_name(line)
    if m is None or m[2] in harmless or keyword.iskeyword(m[2]) or not line.isascii():
        return None
    v = _constant(line, m.end())
    if v is not None:
        end, value = v.end(), {"True": True, "False": False, "None": None}[v[1]] if v[1] else v[2] or v[3] or ""
    else:
        text = line if '"' in line else line.replace("'", '"')
        try:
            value, end = _scan(text, m.end())
        except (ValueError, StopIteration, RecursionError):
            return None
        if not _is_plain(text, m.end(), end):  # JSON has other names
            return None
    return (line[m.start(1):end], value) if line[end:].lstrip()[:1] in ("", ",", "#") else None


def _assertion(lines, k):
    """Parses the assert statement that holds a line, and nothing else; returns its text, too. To parse all tests takes as long as to run them."""
    first = next((n for n in range(k, max(k - 20, -1), -1) if lines[n].lstrip().startswith("assert")), None)
    if first is not None:
        for last in range(k + 1, min(k + 20, len(lines)) + 1):
            text = "\n".join([lines[first].lstrip(), *lines[first + 1:last]])
            try:
                return ast.parse(text).body[0], text
            except SyntaxError:
                continue
    return None, ""


_address = re.compile(r" at 0x[0-9a-f]{4,}").search  # in the text of a function or object
_addresses = re.compile(r"""^['"].* at 0x[0-9a-f]{4,}.* != ['"].* at 0x[0-9a-f]{4,}""", re.S).search  # as unittest says it


def _written(node, text):
    """An expression as the tests have it, on one line. ast.unparse takes as long as parsing and compiling it."""
    if node.lineno == node.end_lineno == 1 and "\n" not in text and text.isascii():
        return text[node.col_offset:node.end_col_offset]
    return ast.unparse(node)


def _evaluated(node, frame):
    """The value of an expression in a one-tuple; None: it calls the candidate, or might do something."""
    if isinstance(node, ast.Constant):
        return node.value,
    if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in harmless):
        return None
    try:
        return ast.literal_eval(node),  # faster than walking and compiling it
    except ValueError:
        pass
    for n in ast.walk(node):
        if not isinstance(n, _pure) or isinstance(n, ast.Call) and not (isinstance(n.func, ast.Name) and n.func.id in harmless):
            return None
    v = eval(compile(ast.Expression(node), FILE, "eval"), frame.f_globals, frame.f_locals)
    return None if isinstance(v, Function) else (v,)
