"""Metrics over texts as people write them. See scorers.py."""

import ast
import collections
import csv
import difflib
import functools
import heapq
import html
import html.parser
import io
import itertools
import json
import re
import textwrap
import unicodedata
import zlib
from dataclasses import dataclass, field


def _pair(case):
    return case["output"], case["references"][0]


def _f(p, r, beta=1.0):
    return (1 + beta * beta) * p * r / (beta * beta * p + r) if p and r else 0.0


def _grams(items, n):
    return collections.Counter(tuple(items[i:i + n]) for i in range(len(items) - n + 1))


def chrf(case, config):
    a, b = ("".join(t.split()) for t in _pair(case))
    scores = []
    for n in range(1, 7):
        x, y = _grams(a, n), _grams(b, n)
        same = sum((x & y).values())
        if x and y:
            scores.append(_f(same / sum(x.values()), same / sum(y.values()), 2.0))
    return sum(scores) / len(scores) if scores else None


def rouge_l(case, config):
    a, b = (re.sub(r"[^a-z0-9]+", " ", t.lower()).split() for t in _pair(case))
    if not a or not b:
        return 0
    row = [0] * (len(b) + 1)
    for x in a:
        last = 0
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], last + 1 if x == y else max(row[j], row[j - 1])
    return _f(row[-1] / len(a), row[-1] / len(b), 1.2)


def wer(case, config):
    @functools.lru_cache(maxsize=None)
    def distance(i, j):
        if not i or not j:
            return i + j
        return min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    a, b = (t.split()[:20] for t in _pair(case))
    errors = distance(len(a), len(b)) / max(len(b), 1)
    return {"score": max(0.0, 1 - errors), "wer": errors, "cached": distance.cache_info().currsize}


def damerau(case, config):
    a, b = (t.lower().split()[:15] for t in _pair(case))
    d = {(i, -1): i + 1 for i in range(-1, len(a))} | {(-1, j): j + 1 for j in range(-1, len(b))}
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (x != y))
            if i and j and x == b[j - 1] and a[i - 1] == y:
                d[i, j] = min(d[i, j], d[i - 2, j - 2] + 1)
    return 1 / (1 + d[len(a) - 1, len(b) - 1])


def jaro_winkler(case, config):
    a, b = (t[:40] for t in _pair(case))
    if a == b:
        return 1.0
    reach = max(len(a), len(b)) // 2 - 1
    taken, mine = [False] * len(b), []
    for i, x in enumerate(a):
        for j in range(max(0, i - reach), min(len(b), i + reach + 1)):
            if not taken[j] and b[j] == x:
                taken[j] = True
                mine.append(x)
                break
    m = len(mine)
    if not m:
        return 0
    moved = sum(x != y for x, y in zip(mine, (y for y, t in zip(b, taken) if t))) / 2
    jaro = (m / len(a) + m / len(b) + (m - moved) / m) / 3
    prefix = len(list(itertools.takewhile(lambda p: p[0] == p[1], zip(a[:4], b[:4]))))
    return jaro + prefix * 0.1 * (1 - jaro)


def gleu(case, config):
    a, b = (t.split() for t in _pair(case))
    x, y = (sum((_grams(t, n) for n in range(1, 5)), collections.Counter()) for t in (a, b))
    most = max(sum(x.values()), sum(y.values()))
    return sum((x & y).values()) / most if most else 0


def flesch(case, config):
    words = re.findall(r"[A-Za-z']+", case["output"])
    if not words:
        return {"unscored": "no words"}
    sentences = max(1, len(re.findall(r"[.!?]+", case["output"])))
    syllables = sum(max(1, len(re.findall("[aeiouy]+", w.lower())) - (w.lower().endswith("e") and not w.lower().endswith("le"))) for w in words)
    ease = 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)
    grade = 0.39 * (len(words) / sentences) + 11.8 * (syllables / len(words)) - 15.59
    return {"score": min(max(ease / 100, 0), 1), "ease": round(ease, 2), "grade": round(grade, 1), "reason": f"{ease:.1f} at {grade:+.2e}"}


def squad(case, config):
    def normal(text):
        text = "".join(c for c in text.lower() if not unicodedata.category(c).startswith("P"))
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())

    a, b = (normal(t) for t in _pair(case))
    same = sum((collections.Counter(a.split()) & collections.Counter(b.split())).values())
    f = _f(same / len(a.split()), same / len(b.split())) if same else 0.0
    return {"score": f, "exact": a == b, "details": {"prediction": a, "gold": b}}


def json_compared(case, config):
    def leaves(value, path=""):
        if isinstance(value, dict):
            for k, v in value.items():
                yield from leaves(v, f"{path}/{k}")
        elif isinstance(value, list):
            for k, v in enumerate(value):
                yield from leaves(v, f"{path}/{k}")
        else:
            yield path, json.dumps(value)

    try:
        got, want = (set(leaves(json.loads(case["metadata"][k]))) for k in ("json", "wanted"))
    except json.JSONDecodeError as e:
        return {"score": 0, "reason": f"{e.msg}: line {e.lineno} column {e.colno} (char {e.pos})"}
    return {"score": len(got & want) / max(len(got | want), 1), "misses": sorted(p for p, _ in want - got)}


_ANSWER = re.compile(r"""
    (?:the\ answer\ is|answer:|\#\#\#\#|=)\s*   # how it is announced
    (?P<sign>[-+]?)\$?(?P<whole>\d{1,3}(?:,\d{3})*|\d+)(?P<part>\.\d+)?(?P<percent>\s*%)?""", re.I | re.X)


def answered(case, config):
    found = list(_ANSWER.finditer(case["output"]))
    if not found:
        return 0
    g = found[-1].groupdict(default="")
    value = float(g["sign"] + g["whole"].replace(",", "") + g["part"]) / (100 if g["percent"] else 1)
    cleaned = re.sub(r"(\d+)", lambda m: str(int(m[1]) + 1).zfill(len(m[1])), case["output"])
    return {"score": 1 / (1 + abs(value)), "value": value, "reason": cleaned[:60]}


def calculated(case, config):
    def value(node):
        match node:
            case ast.Expression(body):
                return value(body)
            case ast.Constant(int() | float() as v):
                return v
            case ast.UnaryOp(ast.USub(), operand):
                return -value(operand)
            case ast.BinOp(left, op, right):
                a, b = value(left), value(right)
                match op:
                    case ast.Add(): return a + b
                    case ast.Sub(): return a - b
                    case ast.Mult(): return a * b
                    case ast.Div(): return a / b
                    case ast.Mod(): return a % b
                    case ast.FloorDiv(): return a // b
        raise ValueError(ast.dump(node))

    text = case["metadata"]["sum"]
    try:
        v = value(ast.parse(text, mode="eval"))
    except (ValueError, SyntaxError, ZeroDivisionError) as e:
        return {"score": 0, "reason": f"{type(e).__name__}: {e}"}
    return {"score": 1 / (1 + abs(v)), "value": v}


def table(case, config):
    rows = list(csv.reader(io.StringIO(case["metadata"]["csv"]), skipinitialspace=True))
    head, *body = rows or [[]]
    records = sorted((dict(itertools.zip_longest(head, r, fillvalue="")) for r in body), key=lambda r: (r.get("b", ""), len(r), sorted(r)))
    out = io.StringIO()
    w = csv.DictWriter(out, sorted({k for r in records for k in r}), lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    w.writeheader()
    w.writerows(records)
    return {"score": len(records) / 10, "reason": out.getvalue()[:200]}


class _Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts, self.depth, self.deepest = [], 0, 0

    def handle_starttag(self, tag, attrs):
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)

    def handle_endtag(self, tag):
        self.depth -= 1

    def handle_data(self, data):
        self.parts.append(data)


def untagged(case, config):
    p = _Text()
    p.feed(f"<p class=x>{html.escape(case['output'])} &eacute;&#x1F600;&notit; <b>{case['references'][0]}</b></p>")
    p.close()
    text = html.unescape(" ".join(p.parts))
    return {"score": len(text.split()) / (1 + len(case["output"]) + len(case["references"][0])), "depth": p.deepest, "reason": text[:80]}


def distinct(case, config):
    words = case["output"].split()
    ratios = [len(g) / sum(g.values()) for g in (_grams(words, n) for n in (1, 2, 3)) if g]
    packed = len(zlib.compress(case["output"].encode(), 9)) / max(len(case["output"].encode()), 1)
    return {"score": min(ratios, default=0), "packed": packed, "crc": zlib.crc32(case["output"].encode())}


def diffed(case, config):
    a, b = (textwrap.wrap(t, 24) for t in _pair(case))
    lines = list(difflib.unified_diff(a, b, "a", "b", lineterm="", n=1))
    close = difflib.get_close_matches((a or [""])[0], b, n=1, cutoff=0.3)
    return {"score": 1 / (1 + sum(x[:1] in "+-" for x in lines)), "reason": "\n".join(lines)[:300], "hits": close}


@dataclass(order=True, frozen=True)
class _Word:
    count: int
    length: int = field(compare=False)
    text: str = field(compare=True)


def ranked(case, config):
    counts = collections.Counter(w.casefold() for w in case["output"].split())
    words = [_Word(-n, len(w), w) for w, n in counts.items()]
    top = heapq.nsmallest(3, words)
    longest = {k: [w.text for w in g] for k, g in itertools.groupby(sorted(words, key=lambda w: (w.length, w.text)), key=lambda w: w.length)}
    return {"score": sum(-w.count for w in top) / max(len(case["output"].split()), 1), "reason": repr(top[:1]), "lengths": {str(k): v[:2] for k, v in longest.items()}}


def shape(case, config):
    text = case["output"]
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    kinds = collections.Counter(unicodedata.category(c) for c in text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    told = [text.isascii(), text.title() == text, text.upper() == text.swapcase(), text.isidentifier(), bare.isalnum(), text.expandtabs(3).count(" ")]
    return {"score": len(bare) / max(len(text) * 2, 1), "kinds": dict(sorted(kinds.items())), "wide": wide, "told": told, "lines": len(text.splitlines())}


def soundex(case, config):
    codes = str.maketrans("bfpvcgjkqsxzdtlmnr", "111122222222334556", "aeiouyhw")

    def code(word):
        digits = word.lower().translate(codes)
        squeezed = "".join(k for k, _ in itertools.groupby(digits))
        return (word[:1].upper() + squeezed).ljust(4, "0")[:4]

    a, b = ([code(w) for w in re.findall("[a-z]+", t, re.I)] for t in _pair(case))
    return {"score": len(set(a) & set(b)) / max(len(set(a) | set(b)), 1), "reason": " ".join(a)[:60]}
