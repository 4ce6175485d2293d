"""Writes src/tables.rs: which code points are words, punctuation, symbols and numbers.

Run with CPython 3.11 and regex 2026.11.15:  python tables.py > src/tables.rs
WORD is what CPython 3.11's `\\w` takes (Unicode 14.0); the others are the general
categories as the regex package has them (Unicode 17.0), which is what sacrebleu uses.
"""
import re
import sys
import unicodedata

import regex

if sys.version_info[:2] != (3, 11) or regex.__version__ != "2026.11.15":
    sys.exit("wrong versions: the tables would change")

SETS = [
    ("WORD", r"Word characters: categories L and N, and the underscore (Unicode 14.0).", re.compile(r"\w")),
    ("DIGIT", r"Decimal digits: category Nd (Unicode 14.0).", re.compile(r"\d")),
    ("NUMBER", r"Category N (Unicode 17.0).", regex.compile(r"\p{N}")),
    ("PUNCTUATION", r"Category P (Unicode 17.0).", regex.compile(r"\p{P}")),
    ("SYMBOL", r"Category S (Unicode 17.0).", regex.compile(r"\p{S}")),
]

print("//! Sets of code points. Written by tables.py; do not edit.\n")
print("use crate::unicode::Set;")
for name, doc, pattern in SETS:
    blocks, index = [], []
    for base in range(0, 0x110000, 256):
        bits = [0] * 8
        for c in range(base, base + 256):
            if pattern.match(chr(c)):
                bits[(c & 255) >> 5] |= 1 << (c & 31)
        if bits not in blocks:
            blocks.append(bits)
        index.append(blocks.index(bits))
    empty = blocks.index([0] * 8)
    while index[-1] == empty:
        index.pop()
    assert len(blocks) < 256
    print(f"\n/// {doc}\npub static {name}: Set = Set {{")
    print("    index: &[")
    for i in range(0, len(index), 32):
        print("        " + " ".join(f"{x}," for x in index[i:i + 32]))
    print("    ],\n    blocks: &[")
    for b in blocks:
        print("        [" + ", ".join(f"{x:#x}" for x in b) + "],")
    print("    ],\n};")
