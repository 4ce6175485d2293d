# Compares what literals.py reads of mutated texts with what Python's parser makes of them.
import ast, random

from harness import literals

TEXTS = [
    "assert f([1, 2], 'a') == (3, True), \"a message\"\nassert not f(2)\n",
    "assert f() == []\n\n\nassert f(()) == ()\nassert f((1,)) == ((2,),)\nassert f((1)) == (2)\n",
    "assert f({'a': 1, \"b\": [None, False]}, -1.5) == {'c': ((1, 2), [3])}  # a comment\n",
    "assert f(\"it's\", '\"') == \"(]#\"\nassert f('a, b', \"==\") == 'assert f(1)'\nassert True\n",
    "assert f(0, 10, 100) == 12345678901234567890123\nassert f(0.1) == 0.25\nassert f(  1,2 ,  3 )==4\n",
    "assert f([[1, 2], [3, 4]], [()]) == [[], [[]]] # it's\nassert True, 'of one thing'\nassert f(1), 'x'\n",
]
PIECES = ["(", ")", "[", "]", "{", "}", ",", ":", "==", "=", "'", '"', "#", " ", "\n", "1", "0", "-", "+", ".", "e", "a", "_", "f", "True", "None", "not ", "assert ", "f(", ")\n", ",)", "()",
          "''", '""', "\t", "\r", "\\", "\f", "\0", ";", "*", "j", "b'", "!=", "assert f(1) == 1\n", "d\u00e9", "    ", "1_0", "00", "0x1", "~", "in ", "\1", "\2", "\4"]

UNREAD = ["assert f(\"it's\", \"=\nassert True=\") == 'a'\n"]  # a text that is not closed on its line


def mutated(rnd, text):
    for _ in range(rnd.choice([1, 1, 2, 3])):
        i, j = sorted(rnd.randrange(len(text) + 1) for _ in range(2))
        kind = rnd.random()
        if kind < 0.4:
            text = text[:i] + rnd.choice(PIECES) + text[i:]
        elif kind < 0.6:
            text = text[:i] + text[i + rnd.randint(1, 3):]
        elif kind < 0.8:
            text = text[:i] + rnd.choice(PIECES) + text[i + 1:]
        else:
            text = text[:i] + text[j:j + 12] + text[i:]
    return text


def by_parser(text, is_check):
    """What assertions mean, with their lines and texts. Any exception: they are not such assertions."""
    body = ast.parse(text).body
    if is_check:
        check = body[-1]
        metadata = body[:-1]
        assert len(metadata) <= 1 and type(check) is ast.FunctionDef and check.name == "check" and len(check.args.args) == 1 and not check.decorator_list, "no check"
        body = check.body
    found, strings = [], []
    for node in body:
        assert type(node) is ast.Assert, "no assertion"
        test, compares, expected = node.test, False, True
        if type(test) is ast.UnaryOp and type(test.op) is ast.Not:
            test, expected = test.operand, False
        elif type(test) is ast.Compare:
            assert [type(op) for op in test.ops] == [ast.Eq], "another operator"
            test, compares, expected = test.left, True, ast.literal_eval(test.comparators[0])
        message = () if node.msg is None else (ast.literal_eval(node.msg),)
        assert all(type(m) is str for m in message), "a message that is not text"
        if type(test) is ast.Constant:
            assert test.value is True and not compares and expected is True, "a constant"
            found.append((None, None, (True, message, False), node))
            continue
        assert type(test) is ast.Call and type(test.func) is ast.Name and not test.keywords, "another call"
        found.append((test.func.id, [ast.literal_eval(x) for x in test.args], (expected, message, compares), node))
    strings = sorted(n.value for node in body for n in ast.walk(node) if type(n) is ast.Constant and type(n.value) is str)
    return found, strings


def differs(text, is_check):
    """None: it is not read. Empty: both mean the same."""
    of = literals.asserted(text, is_check)
    if of is None:
        return None
    try:
        found, strings = by_parser(text, is_check)
    except Exception as e:
        return "Python's parser: %s %s" % (type(e).__name__, e)
    if len(found) != len(of.found):
        return "%d assertions, not %d" % (len(of.found), len(found))
    if sorted(of.strings) != strings:
        return "texts %r, not %r" % (of.strings, strings)
    for k, (name, args, rest, node) in enumerate(found):
        if (of.coded(k) is None) != (name is None) or name not in (None, of.name):
            return "assertion %d calls %r" % (k, name)
        if name is not None:
            got, *more = of.values(k)
            if repr((got, *more)) != repr((args, *rest)):
                return "assertion %d is %r, not %r" % (k, (got, *more), (args, *rest))
        if of.line(k) != node.lineno:
            return "assertion %d is on line %d, not %d" % (k, of.line(k), node.lineno)
        if not is_check and ast.dump(ast.parse(of.alone(k)).body[0]) != ast.dump(node):
            return "assertion %d alone is %r" % (k, of.alone(k))
        if is_check and [ast.dump(n) for n in ast.parse(of.since(k)).body[-1].body] != [ast.dump(n) for _, _, _, n in found[k:]]:
            return "what begins with assertion %d is %r" % (k, of.since(k))
    return ""


def score(case, config):
    rnd = random.Random(config["seed"])
    read = 0
    for text in UNREAD:
        if literals.asserted(text, False) is not None:
            return {"score": 0, "reason": "it is read: %r" % text}
    for _ in range(config["texts"]):
        is_check = rnd.random() < 0.4
        text = rnd.choice(TEXTS)
        if is_check:
            text = rnd.choice(["", "\n\nMETADATA = {\n    'author': 'jt',\n}\n\n\n"]) + "def check(candidate):\n" + "".join("    %s\n" % line if line else "\n" for line in text.replace("f(", "candidate(").split("\n"))
        if rnd.random() < 0.95:
            text = mutated(rnd, text)
        try:
            what = differs(text, is_check)
        except Exception as e:
            what = "%s: %s" % (type(e).__name__, e)
        if what:
            return {"score": 0, "reason": "%s: %r" % (what, text)}
        read += what is not None
    return {"score": 1, "details": {"read": read}}
