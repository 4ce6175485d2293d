#!/usr/bin/env python3
"""Writes src/classes.rs from src/unicode_tables/general_category.rs of the crate regex-syntax.

usage: python3 classes.py GENERAL_CATEGORY.rs > src/classes.rs
"""
import re
import sys

source = open(sys.argv[1], encoding="utf-8").read()


def code(literal):
    if literal.startswith("\\u{"):
        return int(literal[3:-1], 16)
    return ord({"\\'": "'", "\\\\": "\\"}.get(literal, literal))


def ranges(name):
    text = re.search(r"pub const %s: &'static \[\(char, char\)\] =\s*&\[(.*?)\];" % name, source, re.S).group(1)
    return [(code(a), code(b)) for a, b in re.findall(r"\('(.*?)', '(.*?)'\)", text)]


classes = {}
for k, names in enumerate([["UPPERCASE_LETTER", "TITLECASE_LETTER"], ["LOWERCASE_LETTER"], ["MODIFIER_LETTER", "OTHER_LETTER"], ["MARK"], ["NUMBER"]], 1):
    for name in names:
        for first, last in ranges(name):
            classes.update((c, k) for c in range(first, last + 1))

starts, last = [], 0
for c in range(0x110000):
    k = classes.get(c, 0)
    if k != last:
        starts.append(c << 3 | k)
        last = k

lines, row = [], "   "
for v in starts:
    if len(row) + len(f" {v},") > 119:
        lines.append(row)
        row = "   "
    row += f" {v},"
lines.append(row)
print("""//! General categories of Unicode 16.0, as regex-syntax 0.8.11 has them, which tiktoken uses.
//! Written by classes.py; do not edit.

/// Where a class begins: the code point << 3, and the class: 1 Lu and Lt, 2 Ll, 3 Lm and Lo,
/// 4 M, 5 N, 0 any other.
pub static STARTS: [u32; %d] = [
%s
];""" % (len(starts), "\n".join(lines)))
