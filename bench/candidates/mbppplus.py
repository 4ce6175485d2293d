#!/usr/bin/env python3
"""Counts the right answers to MBPP+ that the default budget fails.

Usage: mbppplus.py PROGRAM DIRECTORY

PROGRAM is the built rubric-host, with its Python runtime installed. The problems are those of MBPP+ as they are in the history of evalplus' repository,
which is cloned into DIRECTORY: a reference solution and its inputs each. Their rows get the form of evalplus/mbppplus: inputs and results in a program of
tests. The results are those of this Python, which runs each reference solution in a process of its own, SECONDS at most.

Prints how many reference solutions pass with --preset mbpp+, and every one that does not, with its time here.
"""

import hashlib
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile

REPOSITORY, COMMIT, FILE = "https://github.com/evalplus/evalplus", "767efcc", "MbppPlus.jsonl"
DIGEST = "08405a4e8764a4941cfe0945d25a956355a0454f364ea902c4020a44e7057973"
SECONDS = 10

# What evalplus' tests do, in the form of its rows.
TESTS = """import numpy as np
from math import inf

def is_floats(x) -> bool:
    if isinstance(x, float):
        return True
    if isinstance(x, (list, tuple)):
        return all(isinstance(i, float) for i in x)
    return False


def assertion(out, exp, atol):
    exact_match = out == exp
    if atol == 0 and is_floats(exp):
        atol = 1e-6
    if not exact_match and atol != 0:
        assert np.allclose(out, exp, rtol=1e-07, atol=atol)
    else:
        assert exact_match


inputs = %s
"""
LOOP = """results = %s
for i, (inp, exp) in enumerate(zip(inputs, results)):
    assertion(%s, %s)
"""
# Functions whose rows hold the reference in place of its results, which are large.
REFERENCES = ("combinations_colors", "freq_count", "get_coordinates")
LOOP_REFERENCE = """for i, inp in enumerate(inputs):
    assertion(%s(*inp), ref_func(*inp), %s)
"""
# Functions whose results have the order of a set, which evalplus compares as sets.
SETS = ("similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly", "larg_nnum", "intersection_array", "find_dissimilar", "Diff")


def problems(directory):
    clone = os.path.join(directory, "evalplus")
    if not os.path.exists(clone):
        subprocess.run(["git", "clone", "-q", "--bare", REPOSITORY, clone], check=True)
    data = subprocess.run(["git", "-C", clone, "show", f"{COMMIT}:{FILE}"], check=True, capture_output=True).stdout
    if hashlib.sha256(data).hexdigest() != DIGEST:
        sys.exit(f"{FILE}: another file than that of {COMMIT}")
    return [json.loads(line) for line in data.splitlines()]


def solve(problem):
    """The pairs of input and result that can be written down, and the seconds that they took; or why there are none."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0), os.dup2(null, 1), os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        with os.fdopen(write, "wb") as out:
            pickle.dump(solved(problem), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as f:
        data = f.read()
    os.waitpid(pid, 0)
    return pickle.loads(data) if data else ([], f"more than {SECONDS} s or 2 GiB")


def solved(problem):
    try:
        names = {}
        exec(problem["canonical_solution"], names)
        pairs, spent = [], 0.0
        for given in [*problem["base_input"], *problem["plus_input"]]:
            literal = repr(given)
            start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
            try:
                result = names[problem["entry_point"]](*eval(literal, {"inf": float("inf"), "nan": float("nan")}))
            except Exception:
                continue  # an input of JSON that the solution cannot take, such as a list in place of a tuple
            spent += resource.getrusage(resource.RUSAGE_SELF).ru_utime - start
            try:
                if eval(repr(result), {"inf": float("inf")}) == result:
                    pairs.append((literal, repr(result)))
            except Exception:
                pass  # a result that has no literal, such as an iterator
        return pairs, spent
    except BaseException as e:
        return [], repr(e)[:200]


def tests(problem, pairs):
    """The program of tests of a row."""
    name, begin = problem["entry_point"], TESTS % ("[" + ", ".join(a for a, _ in pairs) + "]")
    if name in REFERENCES:
        return problem["canonical_solution"].replace(f" {name}(", " ref_func(") + "\n" + begin + LOOP_REFERENCE % (name, problem["atol"])
    return begin + LOOP % ("[" + ", ".join(b for _, b in pairs) + "]", ("set(%s(*inp)), set(exp)" if name in SETS else "%s(*inp), exp") % name, problem["atol"])


def main():
    binary, directory = sys.argv[1:3]
    os.makedirs(directory, exist_ok=True)
    sys.set_int_max_str_digits(0)
    rows, seconds, without = [], {}, []
    for p in problems(directory):
        pairs, spent = solve(p)
        if not pairs:
            without.append((p["task_id"], spent))
            continue
        rows.append({"task_id": p["task_id"], "prompt": p["prompt"].strip("'\n"), "code": p["canonical_solution"], "test_list": [], "test_imports": [], "test": tests(p, pairs), "solution": p["canonical_solution"]})
        seconds["Mbpp/" + str(p["task_id"]).removeprefix("Mbpp/")] = spent
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "rubric.yaml"), "w") as f:
            f.write("rubric: mbppplus\nversion: 1.0.0\npass: 1\ncriteria:\n  - {id: passes, metric: run-python}\n")
        with open(os.path.join(work, "rows.jsonl"), "w") as f:
            f.writelines(json.dumps(r) + "\n" for r in rows)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([os.path.abspath(binary), "eval", "rubric.yaml", "rows.jsonl", "--preset", "mbpp+", "-o", "out.jsonl", "--max-unscored", "100%", "-q"], cwd=work, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(os.path.join(work, "out.jsonl")) as f:
            answers = [json.loads(line) for line in f]
    print(f"{len(rows)} problems with tests, {len(without)} without; {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.0f} s of processor time")
    for task, why in without:
        print(f"  {task}: no tests: {why}")
    verdict = lambda a: a["criteria"][0]
    print(f"pass {sum(verdict(a).get('value') == 1 for a in answers)}, fail {sum(verdict(a).get('value') == 0 for a in answers)}, no score {sum(verdict(a).get('value') is None for a in answers)}")
    for a in answers:
        if verdict(a).get("value") != 1:
            print(f"  {a['case']}: {seconds[a['case']]:.2f} s here: {verdict(a).get('value')}: {json.dumps(verdict(a).get('reason') or verdict(a).get('error'))[:300]}")
    slow = sorted(seconds.values(), reverse=True)
    print("seconds here of the slowest: " + ", ".join(f"{s:.2f}" for s in slow[:8]))


if __name__ == "__main__":
    main()
