"""Writes src/breaks.rs: what decides where a grapheme cluster ends.

Run with CPython 3.11 and regex 2026.11.15:  python breaks.py > src/breaks.rs
Hangul syllables are left out: they are computed.
"""
import sys

import regex

if regex.__version__ != "2026.11.15":
    sys.exit("wrong version: the table would change")

CLASSES = [  # the first that matches; the numbers are those of graphemes.rs
    (1, r"\p{GCB=CR}|\p{GCB=LF}|\p{GCB=Control}"),
    (2, r"\p{GCB=ZWJ}"),
    (3, r"\p{InCB=Linker}"),
    (4, r"\p{InCB=Extend}"),
    (5, r"\p{GCB=Extend}"),
    (6, r"\p{GCB=Regional_Indicator}"),
    (7, r"\p{GCB=Prepend}"),
    (8, r"\p{GCB=SpacingMark}"),
    (9, r"\p{GCB=L}"),
    (10, r"\p{GCB=V}"),
    (11, r"\p{GCB=T}"),
    (12, r"\p{Extended_Pictographic}"),
    (13, r"\p{InCB=Consonant}"),
]
patterns = [(n, regex.compile(p)) for n, p in CLASSES]


def class_of(c):
    if 0xD800 <= c <= 0xDFFF:
        return 0
    return next((n for n, p in patterns if p.match(chr(c))), 0)


starts, last = [], 0
for c in range(0x110000):
    n = class_of(c)
    if n != last:
        starts.append(c << 8 | n)
        last = n
print("//! Classes of code points for grapheme clusters (Unicode 17.0). Written by breaks.py; do not edit.\n")
print("/// Where a class begins: the code point in the upper 24 bits, the class in the lower 8.")
print(f"pub static STARTS: [u32; {len(starts)}] = [")
for i in range(0, len(starts), 10):
    print("    " + ", ".join(f"{s:#x}" for s in starts[i:i + 10]) + ",")
print("];")
