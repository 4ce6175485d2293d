#!/usr/bin/env python3
"""Runs mutants of JavaScript solutions with run-javascript and with Node, and compares test by test.

Usage: javascript.py PROGRAM [MUTANTS [CONFUSED]]

PROGRAM is the built rubric-host. The solutions and their tests are in solutions.txt; a mutant
has one other operator, constant or word, and a confused one has a value of another kind in the
place of a name: a Proxy, a promise, a boxed value. Prints how many verdicts agree, those that
differ by kind, and 20 of them. A mutant that does not end has failed in both.
"""

import collections
import concurrent.futures
import json
import os
import random
import re
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import lines

SECONDS, LONG, FUEL = 2, 20, 500_000_000  # of processor time, and of a mutant here; the long time is for verdicts that differ
OTHERS = {"<=": ["<", ">"], "<": ["<=", ">"], ">=": [">", "<"], ">": [">=", "<"], "===": ["!==", "<"], "!==": ["==="], "+=": ["-=", "="], "-=": ["+="], "+": ["-", "*"], "-": ["+", "*"], "*": ["+", "/"], "/": ["*", "-"],
          "%": ["*", "/"], "&&": ["||"], "||": ["&&"], "??": ["&&", "||"], "++": ["--"], "--": ["++"], "true": ["false"], "false": ["true"], "return": [""], "continue": ["break"], "break": ["continue"], "if": ["while"],
          "push": ["unshift"], "shift": ["pop"], "pop": ["shift"], "slice": ["splice"], "floor": ["ceil", "round"], "max": ["min"], "min": ["max"], "trunc": ["round"], "sort": ["reverse"], "values": ["keys"],
          "entries": ["keys"], "await": [""], "async": [""], "Map": ["Set"], "Set": ["Map"], "has": ["get", "delete"], "get": ["has"], "delete": ["has"], "TypeError": ["Error"], "RangeError": ["TypeError"], "SyntaxError": ["Error"],
          "undefined": ["null"], "null": ["undefined"], "of": ["in"], "in": ["of"], "throw": ["return"], "yield": [""], "map": ["filter"], "filter": ["map"], "some": ["every"], "every": ["some"], "length": ["size"],
          "size": ["length"], "out": ["[]"], "k": ["n"], "abs": ["sign"], "concat": ["push"], "flatMap": ["map"]}
TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|/(?=[\[\\(])[^/\n]*/\w*|\d+n?|[A-Za-z_$#]\w*|===|!==|=>|<=|>=|\+=|-=|\+\+|--|&&|\|\||\?\?|[-+*/%<>]")
NAME = re.compile(r"(?<![\w$.#\"'])(?<!const )(?<!let )(?<!function )(?<!class )(?!(?:%s)\b)[A-Za-z_$][\w$]*(?![\w$]|\s*:)" % "|".join(
    "async await break case catch class const continue delete do else export extends finally for from function if in instanceof let new null of return static super switch throw true false try typeof undefined var void while yield".split()))
OTHER_VALUES = ["undefined", "null", "true", "0", "-0", "NaN", "1n", "''", "[]", "({})", "(() => X)", "(class {})", "Symbol('x')", "new Proxy({}, { get: (_, k) => typeof k === 'string' ? X : undefined })", "new Proxy(Object(X), {})",
                "new Map([[0, X]])", "new Set([X])", "new Date(NaN)", "/x/g", "new Error(X)", "Promise.resolve(X)", "[X]", "Object(X)", "(function* () { yield X; })()", "Object.freeze(X)", "String(X)", "({ then(f) { f(X); } })",
                "({ valueOf: () => X, toString: () => X })", "Object.create(X)", "({ ...X })", "[X][Symbol.iterator]()", "new (class extends Array {})(X)", "({ [Symbol.toPrimitive]: () => X })", "Object.defineProperty({}, 'a', { get: () => X })"]
HARNESS = """
const assert = require("node:assert");
const tests = %s;
(async () => {
  const out = [];
  for (const text of tests) {
    try { await eval("(async () => {" + text + "\\n})()"); out.push(true); } catch { out.push(false); }
  }
  console.log("\\n" + JSON.stringify(out));
})();
"""


def mutants(source):
    for m in TOKEN.finditer(source):
        word = m.group()
        number = re.fullmatch(r"(\d+)(n?)", word)
        others = [str(int(number[1]) + k) + number[2] for k in (1, -1)] if number else ['"x"'] if word[0] in "\"'" else OTHERS.get(word, ())
        for other in others:
            yield source[:m.start()] + other + source[m.end():]


def confused(source):
    for m in NAME.finditer(source):
        for other in OTHER_VALUES:
            yield source[:m.start()] + "(" + other.replace("X", "(" + m.group() + ")") + ")" + source[m.end():]


def native(source, tests, seconds=SECONDS):
    """The verdicts of Node; a test that does not end has failed, and so have all if the program does not load. Processor
    time is limited, since a busy machine makes others fail."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    command = ["timeout", str(60 * seconds), "node", "--max-old-space-size=300", "-"]
    run = subprocess.run(command, input=source + "\n;" + HARNESS % json.dumps(tests), capture_output=True, text=True, preexec_fn=limit)
    try:
        return json.loads(run.stdout.strip().split("\n")[-1])
    except ValueError:
        ended = 0 <= run.returncode < 124 or len(tests) == 1
        return [False] * len(tests) if ended else [native(source, [t], seconds)[0] for t in tests]


def kind(want, answer):
    """What a difference has in common with others: the verdicts, and the class of the failure or the reason without its values."""
    why = ((answer.get("details") or {}).get("failure") or {}).get("class") or re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "...", answer.get("reason") or str(answer.get("error")))
    return "Node: %s; here: %s: %s" % ("passed" if want else "failed", answer.get("score"), why[:100])


def main():
    binary, (most, more) = sys.argv[1], [int(n) for n in sys.argv[2:4] + ["3000", "3000"][len(sys.argv) - 2:]]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "solutions.txt")) as f:
        parts = [part.partition("\n")[2].split("---\n") for part in f.read().split("### ")[1:]]
    solutions = [(source, tests.strip().split("\n")) for source, tests in parts]
    programs = solutions[:]
    for made, n in (mutants, most), (confused, more):
        some = [(m, tests) for source, tests in solutions for m in dict.fromkeys(made(source))]
        random.Random(14).shuffle(some)
        programs += some[:n]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        wanted = list(pool.map(lambda p: native(*p), programs))
    cases = [({"output": source, "tests": [test]}, want) for (source, tests), passed in zip(programs, wanted) for test, want in zip(tests, passed)]
    answers = lines.score(binary, "run-javascript", [c for c, _ in cases], {"fuel": FUEL})
    differ = [(c, native(c["output"], c["tests"], LONG)[0], a) for (c, want), a in zip(cases, answers) if a.get("score") != float(want)]
    differ = [(c, want, a) for c, want, a in differ if a.get("score") != float(want)]
    print("%d solutions, %d mutants, %d tests: %d pass in Node, %d verdicts differ" % (len(solutions), len(programs) - len(solutions), len(cases), sum(w for _, w in cases), len(differ)))
    kinds = collections.Counter(kind(want, a) for _, want, a in differ)
    for k, n in kinds.most_common():
        print("%6d  %s" % (n, k))
    for c, want, a in differ[:20]:
        print("  Node: %s; here: %s: %s\n%s%s" % ("passed" if want else "failed", a.get("score"), a.get("reason") or a.get("error"), c["output"], c["tests"][0]))


if __name__ == "__main__":
    main()
