"""Automata for the readability plugins, and the hyphenation patterns of a language:

    python prose/tables.py es hyph-es.tex
    python prose/tables.py fr hyph-fr.tex

write readability-LANGUAGE/data/hyphens.bin and hyphen_points.bin from patterns of hyph-utf8 (the files are in its
directory patterns/tex; the digests are below), and print the alphabet that src/syllables.rs names.

The .bin files are automata as double arrays: an edge is three bytes, little end first: six bits of label, one bit "a word
ends at the target", 17 bits of target. The edges of a node lie at the node's number plus their labels; no two nodes have one
number, so what lies there and has the label is the node's own. The root is node 0. The edge with label 0 ends a word;
its target is the word's value. An edge with label 63 is none.
"""
import hashlib
import os
import re
import sys

SHA256 = {
    "es": "6a2e5f39a991a23d1cd8a23dbd0f6fe96a9f07561a6695f4f3320f47030e236c",  # 5.0, 2019-09-24
    "fr": "526cad6fe8f52fcd3caa3fcaf667cb1740cfc14bca198680e00dc343a84594de",  # V2.13, 2016-05-12
}

def automaton(words, alphabet):
    """The minimal acyclic automaton of a dict from word to value, as bytes."""
    trie = {}
    for word, value in sorted(words.items()):
        node = trie
        for c in word:
            node = node.setdefault(1 + alphabet.index(c), {})
        node[0] = value
    nodes, ids = [], {}

    def number(node):
        edges = tuple((label, to if label == 0 else number(to)) for label, to in sorted(node.items()))
        if edges not in ids:
            ids[edges] = len(nodes)
            nodes.append(edges)
        return ids[edges]

    root = number(trie)
    # The nodes with the most edges first, each where it fits: bits of places without an edge, and of numbers without a node.
    free = unused = (1 << 2 * sum(map(len, nodes)) + 64) - 1
    starts, edges = {}, {}
    for i in sorted(range(len(nodes)), key=lambda i: (i != root, -len(nodes[i]))):
        fits = unused
        for label, _ in nodes[i]:
            fits &= free >> label
        starts[i] = (fits & -fits).bit_length() - 1
        unused ^= 1 << starts[i]
        for label, to in nodes[i]:
            edges[starts[i] + label] = label, to
            free ^= 1 << starts[i] + label
    out = bytearray(b"\x3f\0\0" * (max(edges) + 1))
    for at, (label, to) in edges.items():
        target, ends = (to, 0) if label == 0 else (starts[to], nodes[to][0][0] == 0)
        assert target < 1 << 17
        out[3 * at:3 * at + 3] = (label | ends << 6 | target << 7).to_bytes(3, "little")
    return bytes(out) + b"\0"  # so that a whole word can be read at the last edge


def digits(patterns):
    """Where in a pool each pattern's digits are, and the pool: where the digits begin, how many, and they."""
    pool, where = bytearray(), {}
    for start, values in sorted(set(patterns.values())):
        where[start, values] = len(pool)
        pool += bytes([start, len(values), *values])
    return {p: where[v] for p, v in patterns.items()}, bytes(pool)


def read(language, path):
    """The patterns of a TeX file in pyphen's form: letters to the place of the first digit, and the digits."""
    with open(path, "rb") as f:
        raw = f.read()
    if hashlib.sha256(raw).hexdigest() != SHA256[language]:
        sys.exit(f"{path} is another version: the tables would change")
    body = raw.decode().split("\\patterns{", 1)[1]
    body = "\n".join(line.split("%")[0] for line in body.split("\n")).split("}", 1)[0]
    patterns = {}
    for pattern in body.split():
        letters, values = zip(*[(letter, int(digit or 0)) for digit, letter in re.findall(r"(\d?)(\D?)", pattern)])
        if any(values):
            first = next(i for i, v in enumerate(values) if v)
            last = max(i for i, v in enumerate(values) if v)
            patterns["".join(letters)] = first, values[first:last + 1]
    return patterns


def main(language, path):
    patterns, pool = digits(read(language, path))
    ascii_letters = ".abcdefghijklmnopqrstuvwxyz'"
    others = sorted({c for p in patterns for c in p} - set(ascii_letters))
    print("others", "".join(others), "from", len(ascii_letters) + 1)
    directory = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "readability-" + language, "data")
    os.makedirs(directory, exist_ok=True)
    for name, data in (("hyphens", automaton(patterns, ascii_letters + "".join(others))), ("hyphen_points", pool)):
        with open(os.path.join(directory, name + ".bin"), "wb") as f:
            f.write(data)
        print(name, len(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
