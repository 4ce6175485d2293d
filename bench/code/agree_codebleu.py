#!/usr/bin/env python3
"""Compares CodeBLEU with the PyPI package, on pieces of real sources and mutations of them.

Usage: agree_codebleu.py PROGRAM LANGUAGE PAIRS DIRECTORY...

PROGRAM is the built rubric-host. Needs codebleu 0.7.0 without its dependencies, tree-sitter
0.25.2, and the grammar of the plugin in its version: pip install --no-deps. The data flow of
the package depends on the hash seed, through the order of sets; the plugin keeps the order
of insertion, and is compared with the package on sets that do too. Pairs whose figures
change from seed to seed are counted, and pairs on which the package raises an exception.
"""

import json
import os
import random
import re
import subprocess
import sys

SEEDS = ("ordered", "0", "1", "2")  # the first one: sets keep their order
EXTENSIONS = {"python": (".py",), "javascript": (".js", ".mjs", ".cjs"), "go": (".go",), "java": (".java",), "c": (".c", ".h"), "cpp": (".cc", ".cpp", ".hpp", ".h"), "rust": (".rs",)}


def reference(language, ordered):
    """Answers lines of pairs on standard input with the package's figures."""
    import logging

    import codebleu.dataflow_match
    import codebleu.parser.DFG
    from codebleu import calc_codebleu

    class Ordered(dict):
        def __init__(self, items=()):
            super().__init__(dict.fromkeys(items))

        def add(self, item):
            self[item] = None

    if ordered:
        codebleu.dataflow_match.set = codebleu.parser.DFG.set = Ordered
    logging.disable()
    for line in sys.stdin:
        candidate, references = json.loads(line)
        try:
            print(json.dumps(calc_codebleu([references], [candidate], language)))
        except Exception as e:  # whatever it raises is an answer
            print(json.dumps({"error": repr(e)}))


def pieces(language, directories, rnd):
    """Runs of lines of files, mostly from one line without indentation to another."""
    found = []
    for top in directories:
        for base, _, names in os.walk(top):
            for name in names:
                path = os.path.join(base, name)
                if name.endswith(EXTENSIONS[language]) and os.path.getsize(path) < 200_000:
                    found.append(path)
    found.sort()
    rnd.shuffle(found)
    for path in found:
        try:
            with open(path, encoding="utf-8", newline="") as f:
                lines = f.read().splitlines(keepends=True)
        except UnicodeDecodeError:
            continue
        starts = [i for i, l in enumerate(lines) if l[:1].strip()] or [0]
        for _ in range(4):
            start = rnd.choice(starts) if rnd.random() < 0.9 else rnd.randrange(len(lines) or 1)
            yield "".join(lines[start : start + rnd.randint(3, 40)])


def mutated(rnd, text):
    """Renames, swaps and drops, as near misses have them."""
    lines = text.splitlines(keepends=True)
    for _ in range(rnd.randint(0, 3)):
        kind, at = rnd.randrange(4), rnd.randrange(len(lines) or 1)
        if kind == 0 and lines:
            del lines[at]
        elif kind == 1 and lines:
            lines.insert(at, lines[rnd.randrange(len(lines))])
        elif kind == 2:
            words = re.findall(r"\b[a-z_]\w*\b", "".join(lines)) or ["x"]
            old, new = rnd.choice(words), rnd.choice(words)
            lines = re.sub(rf"\b{old}\b", new, "".join(lines)).splitlines(keepends=True)
        else:
            lines = "".join(lines).replace(rnd.choice(["+", "(", ")", "=", "'", '"', "{", "\n"]), rnd.choice(["-", "", " ", "#", "//", "é"]), 1).splitlines(keepends=True)
    return "".join(lines)


def main():
    program, language, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rnd = random.Random(20261123)
    pairs, last = [], ""
    for piece in pieces(language, sys.argv[4:], rnd):
        candidate = mutated(rnd, piece) if rnd.random() < 0.8 else last
        pairs.append((candidate, [piece] if rnd.random() < 0.9 else [piece, last]))
        last = piece
        if len(pairs) == count:
            break
    lines = "".join(json.dumps(p) + "\n" for p in pairs)
    theirs = []
    for seed in SEEDS:
        run = subprocess.run([sys.executable, __file__, "--reference", language, seed], input=lines, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0" if seed == "ordered" else seed})
        theirs.append([json.loads(line) for line in run.stdout.splitlines()])
        if len(theirs[-1]) != len(pairs):
            sys.exit(run.stderr)
    cases = "".join(json.dumps({"output": c, "references": r}) + "\n" for c, r in pairs)
    run = subprocess.run([program, "score", f"code-{language}", "--export", "codebleu", "--lines", "--with", "code_block=none"], input=cases, capture_output=True, text=True)
    ours = [json.loads(line) for line in run.stdout.splitlines()]
    if len(ours) != len(pairs):
        sys.exit(run.stderr)
    agree, unstable, raised, unscored, differ = 0, 0, 0, 0, []
    for i, (pair, got) in enumerate(zip(pairs, ours)):
        wanted = [t[i] for t in theirs]
        if "error" in wanted[0]:
            raised += 1
            continue
        if "details" not in got:
            unscored += 1
            continue
        same = all(abs(got["details"][k] - want) <= 1e-9 for k, want in wanted[0].items())
        agree += same
        unstable += any(w != wanted[1] for w in wanted[1:])
        if not same:
            differ.append((len(pair[0]) + len(pair[1][0]), pair, wanted[0], got["details"]))
    print(f"{language}: {agree} of {agree + len(differ)} pairs agree; {unstable} depend on the hash seed, the package raises on {raised}, {unscored} are unscored")
    for _, pair, want, got in sorted(differ)[:2]:
        print(f"  want {want}\n  got  {got}\n  {json.dumps(pair)}")
    sys.exit(bool(differ))


if __name__ == "__main__":
    if sys.argv[1] == "--reference":
        reference(sys.argv[2], sys.argv[3] == "ordered")
    else:
        main()
