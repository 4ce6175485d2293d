#!/usr/bin/env python3
"""Compares the verdicts of the code plugins with those of compilers on mutants of source files.

Usage: mutants.py PROGRAM LANGUAGE MUTANTS SEED DIRECTORY...

PROGRAM is the built rubric-host; LANGUAGE is java, rust, bash, c, cpp, javascript, typescript,
python, go, sql, json or yaml. Takes files below the directories that the compiler accepts, and
deletes, doubles, exchanges or puts in a token or two, puts one bracket for another, or ends the file early. The tools are those of agree.py, and SQLite
for SQL; TypeScript's directory is in NODE_PATH. Prints how often both agree, and writes the other
texts to mutants.json.
"""

import ast
import collections
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import agree
import lines

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/|\w+|\s+|[^\w\s]', re.S)
# Languages of which the plugin would take some mutants for snippets.
FILES = ("java", "rust", "go", "c", "cpp")
CONFIG = {"sql": {"dialect": "sqlite"}, "python": {"python_version": f"3.{min(13, sys.version_info.minor)}"}}
PUT_IN = list("(){}[];,.:=+-*/<>!&|?@#'\"\\$") + "=> -> :: ... == if else for while return x 1 in case break class new".split() + ["\n"]
BRACKETS = dict(zip("([{)]}", "[{(]})"))
# What gcc says of a text that is not C; names and types that are missing are another matter.
SYNTAX = re.compile(r"error: (expected|stray|missing terminating|unterminated|.*before .* token|.*at end of input|invalid suffix|lone|two or more data types|duplicate|empty character)")


def code(tokens):
    """The places of tokens that are neither white space nor comments."""
    return [i for i, t in enumerate(tokens) if not t.isspace() and not t.startswith(("//", "/*"))]


def mutant(rnd, text):
    tokens = TOKEN.findall(text)
    places = code(tokens)
    kind = rnd.random()
    if kind < 0.1:
        return "".join(tokens[: rnd.choice(places)]) + "\n"
    brackets = [i for i in places if tokens[i] in BRACKETS]
    if kind < 0.25 and brackets:
        i = rnd.choice(brackets)
        tokens[i] = BRACKETS[tokens[i]]
        return "".join(tokens)
    for _ in range(rnd.choice([1, 1, 1, 2])):
        places = [i for i in places if tokens[i]] or places
        i, j = rnd.choice(places), rnd.choice(places)
        kind = rnd.random()
        if kind < 0.35:
            tokens[i] = ""
        elif kind < 0.5:
            tokens[i] += " " + tokens[i]
        elif kind < 0.65:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif kind < 0.8:
            tokens[i] += " " + rnd.choice(PUT_IN)
        elif kind < 0.9:
            tokens[i] = rnd.choice(PUT_IN)
        else:
            tokens[i] = tokens[j]
    return "".join(tokens)


def sqlite(text):
    """SQLite reads a statement to its end before it looks for names, but for ALTER TABLE."""
    try:
        sqlite3.connect(":memory:").executescript(text)
    except sqlite3.Error as e:
        if re.search("syntax error|incomplete input|unrecognized token", str(e)):
            return False
        read = ";" not in text.rstrip().removesuffix(";") and "ALTER" not in text.upper()
        return True if read and re.search("no such (table|column|function|index|view|trigger|collation|window)", str(e)) else None
    return True


def python(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def yaml(text):
    import yaml as tool

    try:
        collections.deque(tool.parse(text), maxlen=0)
    except (tool.YAMLError, UnicodeError):
        return False
    return True


IN_PROCESS = {"sql": sqlite, "python": python, "yaml": yaml}


def verdicts(language, texts, folder):
    """True, False, or None where the tool cannot tell."""
    if language in IN_PROCESS:
        return [IN_PROCESS[language](t) for t in texts]
    if language == "typescript":
        return agree.by_node([("", t) for t in texts], agree.TYPESCRIPT)
    if language == "javascript":
        return agree.by_node([("", t) for t in texts], agree.NODE, "--experimental-vm-modules")
    paths = [os.path.join(folder, f"f{i}{agree.EXTENSIONS[language][0]}") for i in range(len(texts))]
    for path, text in zip(paths, texts):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    if language == "java":
        source, names = os.path.join(folder, "Parse.java"), os.path.join(folder, "names")
        with open(source, "w") as f:
            f.write(agree.JAVA)
        with open(names, "w") as f:
            f.write("".join(p + "\n" for p in paths))
        return [line == "true" for line in agree.run(["java", source, names]).stdout.split()]

    def one(path):
        if language == "json":
            return agree.run([sys.executable, "-c", "import json,sys; json.load(open(sys.argv[1]), parse_constant=lambda c: 1/0)", path]).returncode == 0
        if language == "go":
            return agree.run(["gofmt", "-e", "-l", path]).returncode == 0
        if language == "bash":
            return agree.bash_reads(["bash", "-n", path])
        if language == "rust":
            return agree.run(["rustc", "-Zparse-crate-root-only", "--edition=2021", path], env={**os.environ, "RUSTC_BOOTSTRAP": "1"}).returncode == 0
        said = agree.run([{"c": "gcc", "cpp": "g++"}[language], "-fsyntax-only", "-w", path], env={**os.environ, "LC_ALL": "C"})
        return said.returncode == 0 or (False if SYNTAX.search(said.stderr) and "No such file" not in said.stderr else None)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, paths))


def main():
    program, language, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rnd = random.Random(seed)
    files = [text for _, text in agree.files(sys.argv[5:], language, 0) if (200 < len(text) or language == "sql") and len(text) < 5000 and code(TOKEN.findall(text))]
    rnd.shuffle(files)
    with tempfile.TemporaryDirectory() as folder:
        good = [t for t, ok in zip(files, verdicts(language, files[:400], folder)) if ok]
        texts = good + [mutant(rnd, good[i % len(good)]) for i in range(count)]
        wanted = [True] * len(good) + verdicts(language, texts[len(good):], folder)
    answers = []
    for at in range(0, len(texts), 400):
        answers += lines.score(program, f"code-{language}", [{"output": t} for t in texts[at : at + 400]], {"code_block": "none", **({"unit": "file"} if language in FILES else CONFIG.get(language, {}))}, "--export", "syntax")
    kinds, others = collections.Counter(), []
    for i, (text, want, answer) in enumerate(zip(texts, wanted, answers)):
        score = answer.get("score")
        kinds["file" if i < len(good) else "mutant", want, score] += 1
        if want is not None and score is not None and (score == 1) != want:
            others.append({"tool": want, "details": answer.get("details"), "text": text})
    for (what, want, score), n in sorted(kinds.items(), key=str):
        print(f"{what}: the tool says {want}, code-{language} {score}: {n}")
    with open("mutants.json", "w") as f:
        json.dump(others, f, indent=1)


if __name__ == "__main__":
    main()
