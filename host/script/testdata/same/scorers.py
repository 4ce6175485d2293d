"""Scorers as people write them, all on output, references and metadata. Run here
and in the python3 of the machine, they must give the same bits. Those whose name
ends with _libm use functions that no standard fixes to the last bit."""

import collections
import datetime
import decimal
import difflib
import fractions
import hashlib
import itertools
import json
import math
import re
import statistics
import string
import textwrap
import unicodedata


def _words(text):
    return re.findall(r"\w+", text.lower())


def _pair(case):
    return case["output"], case["references"][0]


def exact(case, config):
    output, reference = _pair(case)
    return output.strip() == reference.strip()


def casefolded(case, config):
    output, reference = _pair(case)
    return 1.0 if unicodedata.normalize("NFKC", output).casefold() == unicodedata.normalize("NFKC", reference).casefold() else 0.25


def token_f1(case, config):
    a, b = (collections.Counter(_words(t)) for t in _pair(case))
    same = sum((a & b).values())
    if not same:
        return 0.0
    p, r = same / sum(a.values()), same / sum(b.values())
    return 2 * p * r / (p + r)


def jaccard(case, config):
    a, b = (set(_words(t)) for t in _pair(case))
    return len(a & b) / len(a | b) if a | b else None


def levenshtein(case, config):
    a, b = (t[:60] for t in _pair(case))
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return 1 - row[-1] / max(len(a), len(b), 1)


def ratcliff(case, config):
    return difflib.SequenceMatcher(None, *_pair(case)).ratio()


def lcs(case, config):
    a, b = (_words(t) for t in _pair(case))
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, j in itertools.product(range(len(a)), range(len(b))):
        table[i + 1][j + 1] = table[i][j] + 1 if a[i] == b[j] else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1] / max(len(a), 1)


def bleu_libm(case, config):
    a, b = (_words(t) for t in _pair(case))
    logs = 0.0
    for n in range(1, 5):
        x, y = (collections.Counter(zip(*(t[i:] for i in range(n)))) for t in (a, b))
        logs += math.log((sum((x & y).values()) + 1) / (sum(x.values()) + 1)) / 4
    return min(1.0, math.exp(logs) * min(1.0, math.exp(1 - len(b) / max(len(a), 1))))


def cosine(case, config):
    a, b = (collections.Counter(t[i:i + 3] for i in range(len(t) - 2)) for t in _pair(case))
    dot = sum(a[k] * b[k] for k in a)
    norm = math.sqrt(sum(v * v for v in a.values())) * math.sqrt(sum(v * v for v in b.values()))
    return dot / norm if norm else 0


def number(case, config):
    found = [re.findall(r"-?\d+(?:\.\d+)?", t) for t in _pair(case)]
    if not all(found):
        return {"unscored": "no number"}
    a, b = (decimal.Decimal(f[-1]) for f in found)
    return {"score": float(max(0, 1 - abs(a - b) / max(abs(b), 1))), "reason": f"{a} for {b}"}


def fraction(case, config):
    a, b = (fractions.Fraction(len(t), 7) for t in _pair(case))
    return float(min(a, b) / max(a, b)) if a and b else 0


def json_keys(case, config):
    try:
        keys = set(json.loads(case["metadata"]["json"]))
    except (ValueError, KeyError, TypeError) as e:
        return {"score": 0, "reason": type(e).__name__}
    return {"score": len(keys & {"a", "b", "c"}) / 3, "hits": sorted(keys)}


def readable(case, config):
    sentences = [s for s in re.split(r"[.!?]+", case["output"]) if s.strip()]
    words = _words(case["output"])
    return statistics.fmean([len(w) for w in words]) / (10 + len(sentences)) if words else None


def spread(case, config):
    lengths = [len(w) for w in _words(case["output"])]
    return statistics.pstdev(lengths) / 10 if len(lengths) > 1 else None


def hashed(case, config):
    return int(hashlib.sha256(case["output"].encode()).hexdigest()[:8], 16) / 2**32


def dates(case, config):
    found = re.search(r"(\d{4})-(\d\d)-(\d\d)", case["output"])
    if not found:
        return None
    try:
        return datetime.date(*map(int, found.groups())).timetuple().tm_yday / 366
    except ValueError as e:
        return {"score": 0, "reason": str(e)}


def punctuation(case, config):
    counts = collections.Counter(c for c in case["output"] if c in string.punctuation)
    return {"score": sum(counts.values()) / max(len(case["output"]), 1), "details": dict(counts.most_common(3))}


def wrapped(case, config):
    return 1 / max(len(textwrap.wrap(case["output"], 20)), 1)


def names(case, config):
    return sum(unicodedata.name(c, "").startswith("LATIN SMALL") for c in case["output"]) / max(len(case["output"]), 1)


def formatted(case, config):
    return float(f"{len(case['output']) / 7:.6f}") / 100 + float(format(len(case["references"][0]) ** 0.5, ".3e")) / 1e4


def ordered(case, config):
    words = _words(case["output"])
    return sum(a <= b for a, b in itertools.pairwise(words)) / max(len(words) - 1, 1)
