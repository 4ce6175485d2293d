"""Automata for the readability plugins, and the hyphenation patterns of a language:

    python prose/tables.py es hyph-es.tex
    python prose/tables.py fr hyph-fr.tex

write readability-LANGUAGE/data/hyphens.bin and hyphen_points.bin from patterns of hyph-utf8 (the files are in its
directory patterns/tex; the digests are below), and print the alphabet that src/syllables.rs names.

The .bin files are automata: a node is a run of edges of three bytes, little end first: six bits of
label, one bit "last edge of the node", 17 bits of target, the first edge of the next node. The edge
with label 0 ends a word; its target is the word's value. Before the nodes is a table of the first two
letters of a word, since a node near the root has many edges: the edge of the second label, or 0 if no
word begins so. Its number is the first label times the number of labels, 0 included, plus the second;
an edge with label 0 has the bit "last".
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
    for word, value in words.items():
        node = trie
        for c in word:
            node = node.setdefault(1 + alphabet.index(c), {})
        node[0] = value
    nodes, ids = [], {}

    def number(node):
        edges = tuple((label, to if label == 0 else number(to)) for label, to in sorted(node.items()))
        if edges not in ids:
            ids[edges] = len(nodes)
            size = sum(1 if label == 0 else nodes[to][1] for label, to in edges)
            nodes.append((edges, size))
        return ids[edges]

    root = number(trie)
    # The edges that lead to most words come first in a node.
    side = len(alphabet) + 1
    starts, at = {}, side * side
    for i in range(len(nodes)):
        if i != root:
            starts[i] = at
            at += len(nodes[i][0])
    target = lambda label, to: to if label == 0 else starts[to]
    pairs = {(a, b): b | (b == 0) << 6 | target(b, to) << 7 for a, second in nodes[root][0] for b, to in nodes[second][0]}
    out = bytearray()
    for a in range(side):
        for b in range(side):
            out += pairs.get((a, b), 0).to_bytes(3, "little")
    for i, (node, _) in enumerate(nodes):
        if i == root:
            continue
        edges = sorted(node, key=lambda e: (e[0] != 0, 0 if e[0] == 0 else -nodes[e[1]][1], e[0]))
        for k, (label, to) in enumerate(edges):
            assert target(label, to) < 1 << 17
            out += (label | (k + 1 == len(edges)) << 6 | target(label, to) << 7).to_bytes(3, "little")
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
