# Tests that only assert what calls with literal arguments answer, as most of HumanEval and MBPP do:
#
#     assert f([1, 2], 'a') == (3, True), "a message"
#
# To compile such a text takes longer than all else that its judge does, and to run it a third of that. Here the requests are read from it, and the answers with
# which it holds: JSON's scanner reads the literals, with tags behind their brackets, as wire has them, in a fifth of the time. A text that has anything else in
# it, or that may mean something else to Python, is not read.
import functools, itertools, json, keyword, re

MAX_NESTED = 50             # literals: from some more on, Python's parser and wire refuse them

_NO_BRACKETS = bytes({*range(128)} - {*b"()[]{}\4\2\1"})
_WRITTEN = bytes([x if x == 10 or 32 <= x < 127 and x != 92 else 0 for x in range(256)])  # zero: control characters, and what begins an escape
_strings = re.compile(r"""("[^"\n]*"|'[^'\n]*')""").split
_comments = re.compile(r"#[^\n]*").sub
_metadata = re.compile(r"(?:\n*METADATA = \{(?:[ \n]*'[^'\n]*': '[^'\n]*',)*(?:[ \n]*'[^'\n]*': '[^'\n]*')?[ \n]*\})?[ \n]*").fullmatch  # what HumanEval has before check
_is_long = re.compile(r"\d{300}").search  # wire writes such integers in another way
_quoted = json.encoder.encode_basestring_ascii
_EQUALS, _CLOSES = [0], [1]


class _Other(Exception):
    """The text has another form."""


class Asserted:
    """The assertions of a text: the name that they call; of each the arguments, what is expected, the message, and whether it compares; and the texts in them.
    is_plain: there are no tuples."""

    def __init__(self, text, name, found, strings, is_plain):
        self.text, self.name, self.found, self.strings, self.is_plain = text, name, found, strings, is_plain

    def coded(self, k):
        """The arguments of an assertion, and what is expected. None: it is assert True."""
        args, expected, _, _ = self.found[k]
        if args is None:
            return None
        if self.is_plain:
            return args, expected
        if args and args[-1] == []:
            args = args[:-1]
        return [x if type(x) is not list else _literal(x) for x in args], expected if type(expected) is not list else _literal(expected)

    def values(self, k):
        """The arguments, what is expected, the message in a tuple, and whether it compares: else the answer is expected to be true or false."""
        args, expected = self.coded(k)
        return [*map(value, args)], value(expected), *self.found[k][2:]

    def explained(self, k):
        """What an assertion without message asserts, if that is not in doubt, and whether it compares."""
        text, _, comment = self.lines[self.starts[k]].partition("#")
        return None if "'" in comment or '"' in comment or self.found[k][2] else text.strip(" ")[7:], self.found[k][3]

    @functools.cached_property
    def lines(self):
        return self.text.split("\n")

    @functools.cached_property
    def starts(self):
        """The indices of the lines on which assertions are."""
        return [n for n, line in enumerate(self.lines) if line.lstrip(" ").startswith("assert ")]

    def line(self, k):
        return self.starts[k] + 1

    def alone(self, k):
        """An assertion at column 0, on its line."""
        return "\n" * self.starts[k] + self.lines[self.starts[k]]

    def since(self, k):
        """The text without the assertions before one."""
        before = {*self.starts[:k]}
        return "\n".join(["" if n in before else line for n, line in enumerate(self.lines)])


def asserted(text, is_check):
    """Reads a text, or one with the function check(candidate); None: it has another form."""
    if not text.isascii() or b"\0" in text.encode().translate(_WRITTEN):
        return None
    body, name = "\n" + text, ""
    if is_check:
        head, _, body = body.partition("\ndef check(")
        name, _, body = body.partition("):\n")
        if not _metadata(head):
            return None
        body = "\n" + body
    quote = "" if "'" in body and '"' in body else "'" if "'" in body else '"'
    parts = body.split(quote) if quote else ()
    if not quote or "\n" in "".join(parts[1::2]):
        quote, parts = "", _strings(body)
        strings = [s[1:-1] for s in parts[1::2]]
        parts[1::2] = [s if s[0] == '"' else _quoted(s[1:-1]) for s in parts[1::2]]
    else:
        quote, strings = '"', parts[1::2]
    body = "\0".join(parts[::2])
    if "#" in body:
        body = _comments("", body)
    if not quote and '"' in body:  # it is not closed on its line
        return None
    before, _, first = body.partition("assert ")
    indent, called = before.rpartition("\n")[2], name or first.removeprefix("not ").partition("(")[0]
    name = called.rstrip(" ")
    if before.strip("\n ") or is_check != bool(indent) or not name.isidentifier() or keyword.iskeyword(name):
        return None
    begins = "\n%sassert " % indent
    body = body.replace("%s%s(" % (begins, called), "\1\4").rstrip("\n ")
    if begins in body:
        body = body.replace("%snot %s(" % (begins, called), "\1\2").replace(begins + "True", "\1\3")
    if "\n" in body:
        body = "\1".join([x.rstrip("\n ") for x in body.split("\1")])
    if "\n" in body or body[:1] != "\1" or "null" in body or _is_long(body):
        return None
    if "e" in body:
        if "true" in body or "false" in body:
            return None
        body = body.replace("True", "true").replace("False", "false").replace("None", "null")
    is_plain = "(" not in body and ",)" not in body
    closes = body.count(")") if is_plain and "\4)" not in body and "\2)" not in body and body.count("[") + body.count("{") <= MAX_NESTED else None
    if closes is None and not _match(body.encode().translate(None, _NO_BRACKETS)):
        return None
    body = body.replace("[", '["l",')
    if not is_plain:
        body = body.replace("(", '["t",').replace(",)", ",[]]")
    body = body.replace(")", "]" if closes is None else ",[1]]").replace(",]", "]").replace("==", ",[0],").replace("\1\4", " ],[[")
    if "\1" in body:
        body = body.replace("\1\2", " ],[false,[").replace("\1\3", " ],[true")
    equals = body.count(",[0],")
    if strings or quote == "":
        around = body.split("\0")
        if len(around) != len(strings) + 1:
            return None
        parts[::2] = around
        body = quote.join(parts)
    body = "[%s ]]" % body[3:]
    try:
        found, end = _scan(body, 0)
        if closes is not None:  # each call ends behind its arguments, and none does elsewhere
            ends = [x[0].pop() if type(x[0]) is list else x[1].pop() for x in found if x[0] is not True]
            if len(ends) != closes or ends.count(_CLOSES) != closes:
                return None
        read = [(x[0], x[2], (), True) if len(x) == 3 and x[1] == _EQUALS and type(x[0]) is list else _assertion(x) for x in found]
    except (_Other, ValueError, TypeError, AttributeError, IndexError, StopIteration):
        return None
    if end < len(body) or sum([x[3] for x in read]) != equals or read[0][0] is None and all([x[0] is None for x in read]):
        return None
    return Asserted(text, name, read, strings, is_plain)


def _match(brackets):
    """Reports whether brackets match, and none begins within others before too many."""
    for _ in range(MAX_NESTED):
        if not brackets.strip(b"\1"):
            return True
        brackets = brackets.replace(b"()", b"").replace(b"\4)", b"").replace(b"\2)", b"").replace(b"[]", b"").replace(b"{}", b"")
    return False


def _assertion(x):
    """Reads [arguments, [0], expected, message], [arguments, message], [false, arguments, message] or [true, message], where a message need not be."""
    first, n, expected, end = x[0], len(x), True, 1
    if type(first) is list:
        if n > 2 and x[1] == _EQUALS:
            expected, end = x[2], 3
    elif first is True:
        first = None
    elif first is False and type(x[1]) is list:
        first, expected, end = x[1], False, 2
    else:
        raise _Other
    if n != end and (n > end + 1 or type(x[end]) is not str):
        raise _Other
    return first, expected, tuple(x[end:]), end == 3


def _literal(v):
    """A list as wire has it: what is in parentheses alone is not a tuple. [] stands for a comma before one closes."""
    if v[0] == "t" and len(v) > 1:
        if v[-1] == []:
            v = v[:-1]
        elif len(v) == 2:
            return v[1] if type(v[1]) is not list else _literal(v[1])
    return [x if type(x) is not list else _literal(x) for x in v]


def value(v):
    """The value of a coded literal."""
    if type(v) is not list:
        return v
    items = [x if type(x) is not list else value(x) for x in v[1:]]
    return items if v[0] == "l" else tuple(items) if v[0] == "t" else dict(zip(items[::2], items[1::2]))


def is_value(v, most=MAX_NESTED):
    """Reports whether a coded answer is a number, text or the like, or a list, tuple or dict of such, not too deep."""
    return type(v) is not list or most > 0 and v != [] and type(v[0]) is str and v[0] in "ltd" and all([type(x) is not list or is_value(x, most - 1) for x in v])


def _dict(pairs):
    if len({k for k, _ in pairs}) < len(pairs):
        raise _Other
    return ["d", *itertools.chain.from_iterable(pairs)]


def _constant(name):
    raise _Other  # NaN and the like, which are names in Python


_scan = json.JSONDecoder(object_pairs_hook=_dict, parse_constant=_constant).scan_once
