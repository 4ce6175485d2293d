#!/usr/bin/env python3
"""Runs the tests of packages against their own code with run-python, one test at a time, and mutants of the code.

Usage: packages.py PROGRAM DIRECTORY [MUTANTS]

PROGRAM is the built rubric-host. The source archives of the packages are downloaded into DIRECTORY with pip; pytest must be installed. A module is
the candidate; a test is its test file without the other tests, if it passes with pytest here. Of sortedcontainers, whose archive has no tests, the examples in a
docstring are a test. Prints

  * how many tests have a score of 1, how many have none, and every test that has 0: each of these is wrong;
  * of mutants of the code (MUTANTS for each test with a score of 1, 0), the verdicts in two instances and in one, and every
    difference.
"""

import ast
import collections
import json
import os
import random
import re
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

PACKAGES = {"boltons": "26.2.0", "inflection": "0.5.1", "parse": "1.9.1", "more-itertools": "9.1.0", "toolz": "1.2.0", "tabulate": "0.10.0", "humanize": "4.17.0", "sortedcontainers": "2.4.0"}
BOLTONS = "cacheutils dictutils formatutils funcutils ioutils iterutils jsonutils listutils mathutils namedutils queueutils setutils statsutils strutils tableutils tbutils timeutils typeutils urlutils".split()
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
             ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And}
FUEL = "4000000000"  # of a mutant


def modules(directory):
    """Yields name, code and tests, in which the module is called solution."""
    for package, version in PACKAGES.items():
        folder = os.path.join(directory, "%s-%s" % (package, version))
        if not os.path.exists(folder):
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", directory, "%s==%s" % (package, version)], check=True)
            with tarfile.open(folder + ".tar.gz") as archive:
                archive.extractall(directory, filter="data")
    read = lambda *path: open(os.path.join(directory, *path), encoding="utf-8").read()
    boltons = "boltons-" + PACKAGES["boltons"]
    for test in sorted(os.listdir(os.path.join(directory, boltons, "tests"))):
        name = next((m for m in BOLTONS if re.match(r"test_%s(?:_|\.py)" % m, test)), None)
        if name:
            text = re.sub(r"from boltons\.%s import" % name, "from solution import", read(boltons, "tests", test)).replace("from boltons import " + name, "import solution as " + name)
            yield "boltons." + test[5:-3], read(boltons, "boltons", name + ".py"), text
    folder = "inflection-" + PACKAGES["inflection"]
    yield "inflection", read(folder, "inflection", "__init__.py"), read(folder, "test_inflection.py").replace("import inflection", "import solution as inflection")
    folder = "parse-" + PACKAGES["parse"]
    yield "parse", read(folder, "parse.py"), read(folder, "test_parse.py").replace("import parse", "import solution as parse")
    folder = "more-itertools-" + PACKAGES["more-itertools"]
    recipes = read(folder, "more_itertools", "recipes.py")
    both = recipes + "\n" + re.sub(r"from \.recipes import \([^)]*\)\n", "", read(folder, "more_itertools", "more.py"))
    for name, code in (("recipes", recipes), ("more", both)):
        yield "more_itertools." + name, code, read(folder, "tests", "test_%s.py" % name).replace("import more_itertools as mi", "import solution as mi")
    folder = "toolz-" + PACKAGES["toolz"]
    near = re.compile(r"^from (?:\.|toolz)\S* import (?:\([^)]*\)|.*)\n", re.M)
    code = "\n".join(near.sub("", read(folder, "toolz", name + ".py")) for name in ("utils", "itertoolz", "functoolz", "_signatures", "dicttoolz", "recipes"))
    code += "\n_sigs = sys.modules[__name__]\n"
    for name in ("itertoolz", "functoolz", "dicttoolz", "recipes"):
        text = re.sub(r"^from toolz\S* import", "from solution import", read(folder, "toolz", "tests", "test_%s.py" % name), flags=re.M)
        yield "toolz." + name, code, text.replace("import toolz\n", "import solution as toolz\n")
    folder = "tabulate-" + PACKAGES["tabulate"]
    for name in ("api", "input", "internal", "output", "regression", "textwrapper"):
        text = re.sub(r"^from common import .*\n", "", read(folder, "test", "test_%s.py" % name), flags=re.M)
        text = text.replace("import tabulate as T\n", "import solution as T\n").replace("from tabulate import", "from solution import")
        yield "tabulate." + name, read(folder, "tabulate", "__init__.py"), read(folder, "test", "common.py") + text
    folder = "humanize-" + PACKAGES["humanize"]
    near = re.compile(r"^from (?:__future__|\.|humanize)\S* import .*\n", re.M)
    code = "from __future__ import annotations\n" + "\n".join(near.sub("", read(folder, "src", "humanize", name + ".py")) for name in ("i18n", "number", "filesize", "lists"))
    code = code.replace("\nimport bisect\n", "\nimport bisect\n_, N_, NS_, P_, PS_ = _gettext, _gettext_noop, _ngettext_noop, _pgettext, _pgettext_noop\n", 1)
    for name in ("number", "filesize", "lists"):
        text = read(folder, "tests", "test_%s.py" % name).replace("import humanize\n", "import solution as humanize\n").replace("from humanize import number", "import solution as number")
        yield "humanize." + name, code, text.replace("from __future__ import annotations\n", "")


def docstrings(directory):
    """Rows of which the examples in a docstring are the tests."""
    folder = os.path.join(directory, "sortedcontainers-" + PACKAGES["sortedcontainers"], "sortedcontainers")
    code, found = "", []
    for name in ("sortedlist", "sortedset", "sorteddict"):
        with open(os.path.join(folder, name + ".py"), encoding="utf-8") as f:
            text = f.read()
        code += re.sub(r"^from (?:__future__|\.\S*) import .*\n", "", text, flags=re.M)
        found += [("sortedcontainers.%s:%d" % (node.name, node.lineno), ast.get_docstring(node)) for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return [{"name": name, "output": code, "tests": text} for name, text in found if ">>> " in (text or "")]


def passing(directory, name, code, tests):
    """The tests that pass here, as (class or None, function)."""
    folder = os.path.join(directory, "run", name)
    os.makedirs(folder, exist_ok=True)
    for file, text in (("solution.py", code), ("test_it.py", tests)):
        with open(os.path.join(folder, file), "w", encoding="utf-8") as f:
            f.write(text)
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=r.xml", "test_it.py"], cwd=folder, stdout=subprocess.DEVNULL, timeout=600)
    outcomes = collections.defaultdict(list)
    for case in xml.etree.ElementTree.parse(os.path.join(folder, "r.xml")).iter("testcase"):
        of = case.get("classname").split(".")[-1]
        outcomes[None if of == "test_it" else of, case.get("name").split("[")[0]].append(len(case) == 0)
    return sorted((k for k, passed in outcomes.items() if all(passed)), key=str)


def alone(tests, of, function):
    """The test file with one test; None if it has none of that name."""
    body, found, tree = [], False, ast.parse(tests)
    is_test = lambda n: isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name.startswith("test")
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    family = [of] if of in classes else []  # the class and those that it inherits from
    for name in family:
        family += [b.id for b in classes[name].bases if isinstance(b, ast.Name) and b.id in classes]
    for node in tree.body:
        if is_test(node):
            if of is not None or node.name != function:
                continue
            found = True
        elif isinstance(node, ast.ClassDef) and any(map(is_test, node.body)):
            node.body = [n for n in node.body if not is_test(n) or n.name == function and node.name in family] or [ast.Pass()]
            found = found or any(map(is_test, node.body))
        elif isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            continue
        body.append(node)
    return ast.unparse(ast.Module(body, [])) if found else None


def mutants(rows, answers, each):
    """Mutants of the functions that a test names, by one operator, constant or return each."""
    random.seed(5)
    trees, out = {}, []
    for row, answer in zip(rows, answers):
        if answer.get("score") != 1:
            continue
        if row["output"] not in trees:
            tree = ast.parse(row["output"])
            trees[row["output"]] = tree, [(f.name, n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f) if changed(n)]
        tree, places = trees[row["output"]]
        near = [p for p in places if p[0] in row["tests"]] or places
        for _ in range(each):
            node = random.choice(near)[1]
            before = dict(vars(node))
            vars(node).update(changed(node))
            out.append({**row, "output": ast.unparse(tree)})
            vars(node).update(before)
    return out


def changed(n):
    """The fields of a node, mutated."""
    if isinstance(n, (ast.BinOp, ast.BoolOp)) and type(n.op) in OPERATORS:
        return {"op": OPERATORS[type(n.op)]()}
    if isinstance(n, ast.Compare) and type(n.ops[0]) in OPERATORS:
        return {"ops": [OPERATORS[type(n.ops[0])](), *n.ops[1:]]}
    if isinstance(n, ast.Constant) and type(n.value) in (int, bool):
        return {"value": not n.value if type(n.value) is bool else n.value + 1}
    if isinstance(n, ast.Return) and n.value is not None:
        return {"value": ast.Constant(None)}


def score(program, rows, *more):
    p = subprocess.run([program, "score", "run-python", "--lines", *more], input="".join(json.dumps(r) + "\n" for r in rows), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [json.loads(line) for line in p.stdout.splitlines()]


def main():
    program, directory, each = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0
    os.makedirs(directory, exist_ok=True)
    rows = []
    for name, code, tests in modules(directory):
        for of, function in passing(directory, name, code, tests):
            text = alone(tests, of, function)
            if text:
                rows.append({"name": ".".join(filter(None, (name, of, function))), "output": code, "tests": text})
    rows += docstrings(directory)
    answers = score(program, rows)
    count = collections.Counter(a.get("score") for a in answers)
    print("%d tests: %d have 1, %d have 0, %d have no score" % (len(rows), count[1], count[0], count[None]))
    for row, a in zip(rows, answers):
        if a.get("score") == 0:
            print("  0: %s: %s" % (row["name"], a["reason"][:200].replace("\n", " ")))
    if each:
        rows = mutants(rows, answers, each)
        apart, together = (score(program, rows, "--peer-fuel", FUEL, *more) for more in ([], ["--with", "isolation=shared"]))
        pairs = collections.Counter((a.get("score"), b.get("score")) for a, b in zip(apart, together))
        print("%d mutants, in two instances and in one: %s" % (len(rows), ", ".join("%s and %s: %d" % (*k, n) for k, n in pairs.most_common())))
        for row, a, b in zip(rows, apart, together):
            if a.get("score") != b.get("score"):
                print("  %s: %s: %s | %s: %s" % (row["name"], *(x for r in (a, b) for x in (r.get("score"), str(r.get("reason") or r.get("error"))[:150].replace("\n", " ")))))


if __name__ == "__main__":
    main()
