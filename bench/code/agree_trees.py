#!/usr/bin/env python3
"""Compares the edit distance of syntax trees with the PyPI packages zss and apted.

Usage: agree_trees.py PROGRAM PAIRS DIRECTORY...

PROGRAM is the built rubric-host. Needs zss, apted, tree-sitter 0.25.2 and
tree-sitter-python 0.25.0. Pairs are pieces of Python files and mutations of them.
"""

import json
import random
import subprocess
import sys

import tree_sitter
import tree_sitter_python
import zss
from apted import APTED, Config
from apted.helpers import Tree

from agree_codebleu import mutated, pieces


def nodes(node, texts):
    """A tree of (label, children): named nodes without comments."""
    label = node.type
    children = []
    stack = list(reversed(node.children))
    while stack:
        child = stack.pop()
        if child.type.endswith("comment"):
            continue
        if child.is_named or child.is_missing:
            children.append(nodes(child, texts))
        else:
            stack.extend(reversed(child.children))
    if texts and not children and node.text:
        label += " " + node.text.decode()
    return label, children


def as_zss(t):
    n = zss.Node(t[0])
    for c in t[1]:
        n.addkid(as_zss(c))
    return n


def as_apted(t):
    return Tree(t[0], *map(as_apted, t[1]))


def size(t):
    return 1 + sum(map(size, t[1]))


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    rnd = random.Random(20261123)
    pairs, last = [], ""
    for piece in pieces("python", sys.argv[3:], rnd):
        if len(piece) > 600 or not piece.strip():
            continue
        pairs.append((mutated(rnd, piece) if rnd.random() < 0.6 else last, piece))
        last = piece
        if len(pairs) == count:
            break
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    for labels in ("kinds", "texts"):
        lines = "".join(json.dumps({"output": a, "references": [b]}) + "\n" for a, b in pairs)
        command = [program, "score", "code-python", "--export", "tree_similarity", "--lines", "--with", "code_block=none", "--with", f"labels={labels}"]
        run = subprocess.run(command, input=lines, capture_output=True, text=True)
        ours = [json.loads(line) for line in run.stdout.splitlines()]
        if len(ours) != len(pairs):
            sys.exit(run.stderr)
        agree = 0
        for (a, b), got in zip(pairs, ours):
            x, y = (nodes(parser.parse(t.encode()).root_node, labels == "texts") for t in (a, b))
            want = zss.simple_distance(as_zss(x), as_zss(y), label_dist=lambda p, q: int(p != q))
            other = APTED(as_apted(x), as_apted(y), Config()).compute_edit_distance()
            details = got.get("details", {})
            if (details.get("distance"), details.get("nodes"), details.get("reference_nodes")) == (want, size(x), size(y)) and want == other:
                agree += 1
            else:
                print(json.dumps([a, b]), details, got.get("unscored"), want, other, size(x), size(y))
        print(f"{labels}: {agree} of {len(pairs)} pairs agree with zss and apted")


if __name__ == "__main__":
    main()
