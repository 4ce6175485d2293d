"""Writes data/words.bin, data/hyphens.bin and data/hyphen_points.bin, the tables of the English profile.

    python tables.py CMUDICT

CMUDICT is the file cmudict.0.7a of the npm package rhyme 0.0.3; cmudict_nltk.tsv says where NLTK's
copy, which textstat reads, differs from it. Needs CPython 3.11 with textstat 0.7.11 and pyphen 0.18.1.

words.bin holds the words whose syllables hyphenation does not tell: those of CMUdict whose first
pronunciation has another number of stressed phones, and the easy words of textstat. Any other word
has as many syllables as hyphenation says, whether CMUdict has it or not.

Both .bin files are automata: a node is a run of edges of three bytes, little end first: six bits of
label, one bit "last edge of the node", 17 bits of target, the first edge of the next node. The edge
with label 0 ends a word; its target is the word's value. The first 64 edges are the root: the edge of
label n is number n, and one that the root has not is 0.
"""
import os
import re
import sys
from importlib.metadata import version

import pyphen
import textstat

if version("textstat") != "0.7.11" or version("pyphen") != "0.18.1":
    sys.exit("wrong versions: the tables would change")

HERE = os.path.dirname(os.path.abspath(__file__))
WORD_ALPHABET = "'_0123456789abcdefghijklmnopqrstuvwxyz"
HYPHEN_ALPHABET = ".abcdefghijklmnopqrstuvwxyz'’éﬁﬂﬀﬃﬄ"
EASY = 16
ROOT = 64
NLTK_WORDS = 123455


def cmudict(path):
    """The words of NLTK's copy with the syllables of their first pronunciation."""
    first = {}
    with open(path, encoding="latin-1") as f:
        for line in f:
            if line.startswith(";;;") or not line.strip():
                continue
            word, phones = line.rstrip("\n").split("  ", 1)
            word = re.sub(r"\(\d+\)$", "", word).lower()
            first.setdefault(word, sum(p[-1].isdigit() for p in phones.split()))
    with open(os.path.join(HERE, "cmudict_nltk.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("#"):
                continue
            word, count = line.rstrip("\n").split("\t")
            if count == "-":
                del first[word]
            else:
                first[word] = int(count)
    if len(first) != NLTK_WORDS:
        sys.exit(f"{path} with cmudict_nltk.tsv has {len(first)} words, NLTK's copy has {NLTK_WORDS}")
    return first


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
    starts, at = {}, ROOT
    for i in range(len(nodes)):
        if i != root:
            starts[i] = at
            at += len(nodes[i][0])
    target = lambda label, to: to if label == 0 else starts[to]
    first = dict(nodes[root][0])
    out = bytearray()
    for label in range(ROOT):
        edge = label | target(label, first[label]) << 7 if label in first else 0
        out += edge.to_bytes(3, "little")
    for i, (node, _) in enumerate(nodes):
        if i == root:
            continue
        edges = sorted(node, key=lambda e: (e[0] != 0, 0 if e[0] == 0 else -nodes[e[1]][1], e[0]))
        for k, (label, to) in enumerate(edges):
            assert target(label, to) < 1 << 17
            out += (label | (k + 1 == len(edges)) << 6 | target(label, to) << 7).to_bytes(3, "little")
    return bytes(out) + b"\0"  # so that a whole word can be read at the last edge


def main(path):
    hyphens = pyphen.Pyphen(lang="en_US")
    points = lambda word: len(hyphens.positions(word)) + 1
    first = cmudict(path)
    words = {w: n for w, n in first.items() if set(w) <= set(WORD_ALPHABET) and n != points(w)}
    easy = os.path.join(os.path.dirname(textstat.__file__), "resources", "en", "easy_words.txt")
    with open(easy) as f:
        for word in {line.strip() for line in f}:
            if word and set(word) <= set(WORD_ALPHABET):
                words[word] = EASY | first.get(word, points(word))
    # What hyphenation points a pattern sets: where it begins, and its digits.
    pool, where = bytearray(), {}
    for start, values in sorted(set(hyphens.hd.patterns.values())):
        where[start, values] = len(pool)
        pool += bytes([start, len(values), *values])
    patterns = {p: where[v] for p, v in hyphens.hd.patterns.items()}
    for name, data in (("words", automaton(words, WORD_ALPHABET)), ("hyphens", automaton(patterns, HYPHEN_ALPHABET)), ("hyphen_points", bytes(pool))):
        with open(os.path.join(HERE, "data", name + ".bin"), "wb") as f:
            f.write(data)
        print(name, len(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
