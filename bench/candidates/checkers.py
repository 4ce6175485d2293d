#!/usr/bin/env python3
"""Asks the harnesses of LiveCodeBench, APPS, CodeContests and EvalPlus for their verdicts.

Usage: checkers.py DIRECTORY FILE

Clones their repositories into DIRECTORY, runs the functions that compare what a program printed, or what a function returned, with what is expected, and writes
pairs with their verdicts to FILE: those of plugins/run-python/testdata/checkers.jsonl, which tests compare with the checkers of the same names, and with the
tests that the preset humaneval+ makes. This Python must have numpy and psutil; CodeContests' function is compiled with c++ and Abseil, whose flags are CXXFLAGS and LIBS.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import types

# Repository, commit, file and the beginning of its digest.
SOURCES = {
    "livecodebench": ("https://github.com/LiveCodeBench/LiveCodeBench", "28fef95ea8c9f7a547c8329f2cd3d32b92c1fa24", "lcb_runner/evaluation/testing_util.py", "b7cb6a8a69807bb8"),
    "apps": ("https://github.com/hendrycks/apps", "362aedc3c71cd7d9bd2fc96a6c80e11dbc38c7a5", "eval/testing_util.py", "9a4e58ff2634ef60"),
    "codecontests": ("https://github.com/google-deepmind/code_contests", "fa7a4f8139aab08362503f3344778eb86901709a", "execution/tester_sandboxer.cc", "692660d2fc64f19d"),
    "humaneval+": ("https://github.com/evalplus/evalplus", "26d6d00bb1fd0fa37f39c99d5290da67891d1c5e", "evalplus/eval/__init__.py", "3c833c39b842e33f"),
}
PAIRS, CALLS = 250, 120

MAIN = """
static std::string text() { size_t n; std::cin >> n; std::cin.get(); std::string s(n, ' '); std::cin.read(&s[0], n); return s; }
int main() { size_t n; std::cin >> n; while (n--) { std::string a = text(), b = text(); std::cout << OutputsMatch(a, b) << "\\n"; } }
"""
INCLUDES = "".join("#include %s\n" % h for h in (
    "<algorithm>", "<cmath>", "<functional>", "<iostream>", "<numeric>", "<string>", "<vector>",
    '"absl/strings/ascii.h"', '"absl/strings/numbers.h"', '"absl/strings/str_split.h"', '"absl/strings/string_view.h"'))


def source(name, directory):
    repository, commit, file, digest = SOURCES[name]
    clone = os.path.join(directory, name)
    if not os.path.exists(clone):
        subprocess.run(["git", "clone", "-q", "--bare", repository, clone], check=True)
    data = subprocess.run(["git", "-C", clone, "show", f"{commit}:{file}"], check=True, capture_output=True).stdout
    if not hashlib.sha256(data).hexdigest().startswith(digest):
        sys.exit(f"{file}: another file than that of {commit}")
    return data.decode()


# Texts.

WORDS = ["yes", "Yes", "NO", "no", "abc", "ab", "-", "impossible", "é", "x=1", "İ", "ß", "[1, 2]"]
NUMBERS = ["0", "1", "2", "-3", "7", "10", "42", "1000000007", "9007199254740993", "123456789012345678901234567890", "0.5", "1.25", "3.141592653589793", "-0.001", "1e9", "100.0", "0.00001", "2e-7"]
ODD = ["nan", "-nan", "inf", "-Infinity", "1_0", "+5", "-0", "00", "1.", ".5", "1e400", "1e-400", "0x10", "1e", "1e5e", "sNaN", "٣", "1,5", "+-1", "--1", "nan(1)", "1E+2", "1e999999999999999999999"]


def text(r):
    token = lambda: r.choice(NUMBERS if r.random() < 0.7 else WORDS if r.random() < 0.8 else ODD)
    return "\n".join(" ".join(token() for _ in range(r.choice((1, 1, 1, 2, 3)))) for _ in range(r.choice((1, 1, 2, 3)))) + r.choice(("", "\n"))


def number(r, t):
    """The same number or one near it, in another form."""
    try:
        x = float(t)
        return r.choice((lambda: "%d" % x, lambda: "%.1f" % x, lambda: "%.6f" % x, lambda: "%.3e" % x, lambda: repr(x), lambda: t + "0", lambda: t + ".0", lambda: "+" + t, lambda: "0" + t,
                         lambda: repr(x + 1), lambda: repr(x + 9e-6), lambda: repr(x + 1.1e-5), lambda: repr(x * (1 + 9e-6)), lambda: repr(x * (1 + 1.1e-5)), lambda: repr(x + 4e-4), lambda: repr(x + 1e-9)))()
    except (ValueError, OverflowError):
        return t + r.choice(("", "x"))


def changed(r, t):
    lines = t.split("\n")
    k = r.randrange(len(lines))
    words = lines[k].split(" ")
    n = r.randrange(len(words))
    way = r.randrange(16)
    if way <= 4:
        words[n] = number(r, words[n])
        lines[k] = " ".join(words)
    elif way == 5:
        lines[k] = lines[k].swapcase()
    elif way == 6:
        lines[k] = r.choice((" ", "\t", "", "\f")) + lines[k] + r.choice((" ", "  ", "\t", "\r", "\v", "\f", "\u00a0"))
    elif way == 7:
        lines.insert(k, r.choice(("", " ", "1")))
    elif way == 8:
        r.shuffle(words)
        lines[k] = " ".join(words)
    elif way == 9:
        r.shuffle(lines)
    elif way == 10:
        lines[k] = "  ".join(words + words[:1])
    elif way == 11:
        return " ".join(lines)
    elif way == 12:
        return r.choice(("\r\n", "\n\n", "\r", "\u2028", "\x1c")).join(lines)
    elif way == 13:
        return t.rstrip() + r.choice(("\n", "\n\n", " \n"))
    elif way == 14:
        return t.replace(" ", "\n", 1)
    else:
        lines[k] = r.choice(ODD)
    return "\n".join(lines)


def pairs(name):
    r = random.Random(name)
    fixed = [("", ""), ("", " \n"), ("\n", "1"), ("1", ""), ("0", "0.0"), ("inf 1.0", "inf 1"), ("a\n\nb\n", "a\nb"), ("1 2", "2 1"), ("b\na", "a\nb"), ("9007199254740992", "9007199254740993"), ("YES", "Yes"),
             ("50000000000000001", "50000000000000000"), ("1 1 2", "2 1")]
    while len(fixed) < PAIRS:
        want = text(r)
        got = want
        for _ in range(r.choice((0, 1, 1, 1, 2, 3))):
            got = changed(r, got)
        if (got, want) not in fixed and len(got) < 400:
            fixed.append(r.choice(((got, want), (got, want), (want, got))))
    return fixed


# Values. What a function returns is an expression of Python, what is expected JSON.

LEAVES = [0, 1, 2, -1, 0.5, 1.0, 2.0, True, False, None, "", "a", "1", "ab", 10**20, 0.1, 0.30000000000000004]


def value(r, depth=2):
    if depth == 0 or r.random() < 0.4:
        return r.choice(LEAVES)
    if r.random() < 0.2:
        return {r.choice(("1", "2", "a", "b")): value(r, depth - 1) for _ in range(r.choice((0, 1, 2)))}
    return [value(r, depth - 1) for _ in range(r.choice((0, 1, 1, 2, 3)))]


def expression(r, v):
    """The value, or one like it."""
    if r.random() < 0.1:
        return r.choice(("None", "1", "True", "0.1 + 0.2", "[]", "()", "''", "{}", "set()", "1 + 0j", "b'a'", "range(2)"))
    if isinstance(v, list):
        parts = [expression(r, x) for x in v]
        if r.random() < 0.25:
            return "(%s)" % "".join(x + ", " for x in parts)
        if r.random() < 0.1 and len(parts) == 1:
            return parts[0]
        return "[%s]" % ", ".join(parts[:-1] if r.random() < 0.05 else parts)
    if isinstance(v, dict):
        return "{%s}" % ", ".join("%s: %s" % (k if k.isdigit() and r.random() < 0.5 else repr(k), expression(r, x)) for k, x in v.items())
    if r.random() < 0.1 and isinstance(v, (int, float)):
        return r.choice(("float(%r)", "int(%r)", "bool(%r)", "__import__('fractions').Fraction(%r)", "__import__('decimal').Decimal(%r)")) % v
    return repr(v)


def calls(name):
    r, out = random.Random(name + " calls"), []
    if name == "apps":  # keys that become whole numbers
        out += [("sorted(a[0])", [{"1": 2, "3": 4}, 5], [[1, 3]]), ("sorted(a[0])", [{"a": 2}, 5], ["a"]), ("len(a)", [{"1": 2}, 5], [1]), ("a[0]", [{"1": 2}], {"1": 2}), ("a[0]", [{"1": 2}], [{"1": 2}, 3]), ("{'1': 2}", [], {"1": 2}),
                ("[(1, 2), (3, 4)]", [], [[[1, 2], [3, 4]]]), ("[(1, 2), [3, 4]]", [], [[1, 2], [3, 4]]), ("[(1, 'ab')]", [], [[[1, "ab"]]]), ("[(1, 2), 'ab']", [], [[[1, 2], ["a", "b"]]])]
    while len(out) < CALLS:
        v = value(r)
        if name == "apps" and r.random() < 0.6:
            v = [v]
        shown = v[0] if name == "apps" and isinstance(v, list) and v and r.random() < 0.6 else v
        out.append((expression(r, shown), [], v))
    return out


def livecodebench(code):
    module = types.ModuleType("testing_util")
    exec(code, module.__dict__)
    module.reliability_guard = lambda *_: None  # the programs are our own

    def run(program, inputs, outputs, function=None):
        sample = {"inputs": inputs, "outputs": outputs}
        if function:
            sample["fn_name"] = function
        results, _ = module.run_test({"input_output": json.dumps(sample)}, program)
        return all(x is True for x in results)
    printed = [run("import sys\nsys.stdout.write(%r)\n" % got, [""], [want]) for got, want in pairs("livecodebench")]
    returned = [run("def f(*a):\n    return %s\n" % e, ["\n".join(map(json.dumps, args)) or "0"], [json.dumps(want)], "f") for e, args, want in calls("livecodebench")]
    return printed, returned


class Runtime:
    """The part of pyext that APPS uses; pyext no longer installs."""

    @staticmethod
    def from_string(name, doc, code):
        module = types.ModuleType(name, doc)
        exec(code, module.__dict__)
        return module


def apps(code):
    sys.modules["pyext"] = types.SimpleNamespace(RuntimeModule=Runtime)
    module = types.ModuleType("testing_util")
    exec(code, module.__dict__)
    module.reliability_guard = lambda *_: None  # the programs are our own

    def run(program, inputs, outputs, function=None):
        sample = json.loads(json.dumps({"inputs": inputs, "outputs": outputs}))
        if function:
            sample["fn_name"] = function
        return all(x is True for x in module.run_test({"input_output": sample}, test=program))
    printed = [run("sys.stdout.write(%r)\n" % got, [""], [want]) for got, want in pairs("apps")]
    returned = [run("def f(*a):\n    return %s\n" % e, [args], [want], "f") for e, args, want in calls("apps")]
    return printed, returned


def codecontests(code, directory):
    a, b = code.index("std::vector<std::string> SplitAndLowercase"), code.index("}  // namespace\n\nabsl::Status ExecutionResult")
    c, d = code.index("bool OutputsMatch"), code.index("TesterSandboxer::TesterSandboxer()")
    program = os.path.join(directory, "outputs_match")
    with open(program + ".cc", "w") as f:
        f.write(INCLUDES + code[a:b] + code[c:d] + MAIN)
    subprocess.run(["c++", "-std=c++17", *os.environ.get("CXXFLAGS", "").split(), program + ".cc", "-o", program, *os.environ.get("LIBS", "").split()], check=True)
    asked = [t.encode() for pair in pairs("codecontests") for t in pair]
    given = b"%d\n" % (len(asked) // 2) + b"".join(b"%d\n%s" % (len(t), t) for t in asked)
    return [x == b"1" for x in subprocess.run([program], input=given, check=True, capture_output=True).stdout.split()], []


# EvalPlus: the result of each of several inputs, as expressions of Python, and a tolerance.

def near(r, e):
    """An expression like another one, with numbers near its numbers."""
    def other(x):
        if isinstance(x, list):
            return [other(y) for y in x][:len(x) - (r.random() < 0.05)]
        if isinstance(x, tuple):
            return tuple(map(other, x))
        if isinstance(x, float) and r.random() < 0.7:
            return r.choice((x + 1e-8, x + 9e-7, x + 1.1e-6, x * (1 + 9e-8), x * (1 + 1.1e-6), x + 1e-3, x, int(x) if abs(x) < 1e9 else x, 3.0))
        return r.choice((x, x, x, x + 1)) if type(x) is int else r.choice((x, x, x, None))
    return repr(other(eval(e, {"inf": float("inf")})))


def results():
    r = random.Random("evalplus")
    floats = ("1.0", "0.5", "1e9", "-2.25", "inf", "-inf", "0.0", "1e-9")
    whole = ("1", "0", "10**9", "True", "'a'", "None", "2**70")

    def result(depth=2):
        kind = r.random()
        if depth == 0 or kind < 0.4:
            return r.choice(floats if r.random() < 0.6 else whole)
        parts = [r.choice(floats) if kind < 0.7 else result(depth - 1) for _ in range(r.choice((0, 1, 2, 2, 3)))]
        return "[%s]" % ", ".join(parts) if kind < 0.85 else "(%s)" % "".join(x + ", " for x in parts)
    out = [(["[1.0, 1.0]"], ["[1.0]"], 0), (["[[1.0], [2.0]]"], ["[[1.0, 1.0 + 1e-8], [2.0, 2.0]]"], 1e-6), (["3.0"], ["inf"], 0), (["1.0", "10**9 + 1"], ["1.0", "10**9"], 0), (["10**9 + 1"], ["10**9"], 0), (["True"], ["1"], 0)]
    while len(out) < CALLS:
        wanted = [result() for _ in range(r.choice((1, 1, 2, 3)))]
        out.append(([near(r, e) for e in wanted], wanted, r.choice((0, 0, 0, 1e-6, 1e-4))))
    return out


def evalplus(directory):
    archive = subprocess.run(["git", "-C", os.path.join(directory, "humaneval+"), "archive", SOURCES["humaneval+"][1], "evalplus/__init__.py", "evalplus/config.py", "evalplus/eval"], check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", directory], input=archive, check=True)
    sys.path.insert(0, directory)
    import evalplus.eval as package
    package.reliability_guard = lambda *_, **__: None

    def run(got, want, atol):
        names = {"inf": float("inf")}
        program = "from math import inf\ndef f(i):\n    return [%s][i]\n" % ", ".join(got)
        expected, stat, passed = [eval(e, names) for e in want], types.SimpleNamespace(value=0), [False] * len(got)
        package.unsafe_execute("humaneval", "f", program, [[i] for i in range(len(got))], expected, [60] * len(got), atol, False, stat, passed, types.SimpleNamespace(value=0))
        return all(passed)
    return [], [run(*x) for x in results()]


def verdicts(name, directory):
    code = source(name, directory)
    if name == "humaneval+":
        return evalplus(directory)
    return codecontests(code, directory) if name == "codecontests" else globals()[name](code)


def main():
    directory, file = sys.argv[1:]
    if file in SOURCES:  # a process for each, since harnesses print
        out = os.fdopen(os.dup(1), "w")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        json.dump(verdicts(file, directory), out)
        out.close()
        os._exit(0)
    with open(file, "w") as f:
        for name in SOURCES:
            printed, returned = json.loads(subprocess.run([sys.executable, __file__, directory, name], check=True, stdout=subprocess.PIPE).stdout)
            for (got, want), passes in zip(pairs(name) if printed else [], printed, strict=True):
                f.write(json.dumps({"checker": name, "printed": got, "output": want, "passes": passes}) + "\n")
            if name == "humaneval+":
                for (got, want, atol), passes in zip(results(), returned, strict=True):
                    f.write(json.dumps({"checker": name, "returned": ", ".join(got), "results": ", ".join(want), "inputs": len(got), "atol": atol, "passes": passes}) + "\n")
            elif returned:
                for (e, args, want), passes in zip(calls(name), returned, strict=True):
                    f.write(json.dumps({"checker": name, "returned": e, "args": args, "expected": want, "passes": passes}) + "\n")
            print(f"{name}: {sum(printed)} of {len(printed)} texts and {sum(returned)} of {len(returned)} values pass")


if __name__ == "__main__":
    main()
