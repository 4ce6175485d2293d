"""Writes python_re.jsonl: what CPython 3.11's re answers for random patterns and texts.

Run with CPython 3.11:  python gen.py > python_re.jsonl
p: the pattern, t: the text, s: the spans of search, match and fullmatch, d: re.sub(p, "", t).
Loops over something that can match nothing are left out: what they match is a quirk of
backtracking (README.md).
"""
import json
import random
import re
import sys

if sys.version_info[:2] != (3, 11):
    sys.exit("wrong version: the answers would change")
random.seed(20)
ATOMS = ["a", "b", "c", "A", ".", r"\w", r"\d", r"\s", r"\W", r"\D", r"\S", "[ab]", "[^a]", "[a-c1]", r"[^\w]", r"[\s.]", r"\.", "é", "ß", "σ", "k", "1", "_", "-",
         " ", r"\n", "(a|b)", "(?:ab|c)", "(|a)", "(a*)", "(?:a?b)", r"\b", r"\B", "^", "$", r"\A", r"\Z", "(?i:A)", "(?s:.)", "(?m:^)", "(?m:$)", "İ", "ſ", "[K-k]",
         "(?i:[^a-c])", "(?i:σ)", "(?i:[é])", "(?i:i)", r"\x41", r"\u0301", "[]a]", "[^]a-]", "a{2", "{", "(?P<n>b)", "(?#c)", "]"]
QUANTIFIERS = [""] * 8 + ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{,1}", "{1,}"]
TEXT = "aabbccABC1_ -.\nésßσςΣkKſİıi\u0301٣]{"


def pattern(depth=0):
    out = ""
    for _ in range(random.randint(1, 3)):
        r = random.random()
        if r < 0.15 and depth < 2:
            out += "(" + pattern(depth + 1) + ")" + random.choice(["", "", "?", "{1,2}"])
        elif r < 0.22 and depth < 2:
            out += "(?:" + pattern(depth + 1) + "|" + pattern(depth + 1) + ")" + random.choice(["", "", "?"])
        else:
            out += random.choice(ATOMS) + random.choice(QUANTIFIERS)
    return out


n = 0
while n < 600:
    p = pattern()
    if random.random() < 0.1:
        p = "(?i)" + p
    t = "".join(random.choice(TEXT) for _ in range(random.randint(0, 9)))
    try:
        r = re.compile(p)
    except re.error:
        continue
    spans = [list(m.span()) if m else None for m in (r.search(t), r.match(t), r.fullmatch(t))]
    if spans[0] is None and random.random() < 0.8:
        continue
    print(json.dumps({"p": p, "t": t, "s": spans, "d": r.sub("", t)}, ensure_ascii=False))
    n += 1
