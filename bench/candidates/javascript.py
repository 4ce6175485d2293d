#!/usr/bin/env python3
"""Runs mutants of JavaScript solutions with run-javascript and with Node, and compares test by test.

Usage: javascript.py PROGRAM [MUTANTS [CONFUSED [SEED]]]

PROGRAM is the built rubric-host. The solutions and their tests are in solutions.txt; a mutant
has one other operator, constant or word, and a confused one has a value of another kind in the
place of a name: a Proxy, a promise, a boxed value. Prints how many verdicts agree, those that
differ by kind, and 20 of them. A mutant that does not end has failed in both.
"""

import collections
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import lines

SECONDS, FUEL = 20, 500_000_000  # of processor time for a verdict that differs, and of a mutant here
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
const { Worker, isMainThread, parentPort, workerData } = require("node:worker_threads"), { readFileSync } = require("node:fs"), vm = require("node:vm");
if (isMainThread) {
  const cases = JSON.parse(readFileSync(0, "utf8")), passed = [];
  const go = () => {
    const all = cases.slice(passed.length, passed.length + 300), end = passed.length + all.length;
    if (all.length === 0) return console.log(JSON.stringify(passed));
    const worker = new Worker(process.argv[1], { workerData: all, resourceLimits: { maxOldGenerationSizeMb: 300, stackSizeMb: 1 } });
    let before = passed.length;
    const watch = setInterval(() => { if (passed.length === before) worker.terminate(); before = passed.length; }, 500);
    worker.on("message", (p) => passed.push(p)).on("error", () => {}).on("exit", () => {
      clearInterval(watch);
      if (passed.length < end) passed.push(false);
      go();
    });
  };
  go();
} else {
  const assert = require("node:assert");
  let k = -1, passed;
  const fail = () => { passed = false; };
  const run = async () => {
    passed = undefined;
    try {
      await vm.runInNewContext(workerData[k].join("\\n;(async () => {") + "\\n})()", { assert, setTimeout });
      passed ??= true;
    } catch { fail(); }
  };
  process.on("uncaughtException", fail).on("unhandledRejection", fail).on("beforeExit", () => {
    if (k >= 0) parentPort.postMessage(passed === true);
    if (++k < workerData.length) setImmediate(run);
  });
}
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


def natives(cases):
    """The verdicts of Node, which runs each test in a context of its own until nothing is left to do. One that does not end in a second has failed."""
    with tempfile.NamedTemporaryFile("w", suffix=".cjs") as f:
        f.write(HARNESS)
        f.flush()
        run = subprocess.run(["node", f.name], input=json.dumps(cases), capture_output=True, text=True)
    return json.loads(run.stdout)


def native(source, test):
    """The verdict of a process of Node, which has time. Processor time is limited, since a busy machine makes others fail."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    command = ["timeout", str(30 * SECONDS), "node", "--max-old-space-size=300", "-"]
    run = subprocess.run(command, input="const assert = require('node:assert');" + source + "\n;(async () => {" + test + "\n})().then(() => console.log('\\npassed'))", capture_output=True, text=True, preexec_fn=limit)
    return run.returncode == 0 and run.stdout.endswith("\npassed\n")


def kind(want, answer):
    """What a difference has in common with others: the verdicts, and the class of the failure or the reason without its values."""
    why = ((answer.get("details") or {}).get("failure") or {}).get("class") or re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "...", answer.get("reason") or str(answer.get("error")))
    return "Node: %s; here: %s: %s" % ("passed" if want else "failed", answer.get("score"), why[:100])


def main():
    binary, (most, more, seed) = sys.argv[1], [int(n) for n in sys.argv[2:] + ["3000", "3000", "14"][len(sys.argv) - 2:]]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "solutions.txt")) as f:
        parts = [part.partition("\n")[2].split("---\n") for part in f.read().split("### ")[1:]]
    solutions = [(source, tests.strip().split("\n")) for source, tests in parts]
    programs = solutions[:]
    for made, n in (mutants, most), (confused, more):
        some = [(m, tests) for source, tests in solutions for m in dict.fromkeys(made(source))]
        random.Random(seed).shuffle(some)
        programs += some[:n]
    cases = [{"output": source, "tests": [test]} for source, tests in programs for test in tests]
    wanted = natives([[c["output"], c["tests"][0]] for c in cases])
    answers = lines.score(binary, "run-javascript", cases, {"fuel": FUEL})
    differ = [(c, native(c["output"], c["tests"][0]), a) for c, want, a in zip(cases, wanted, answers) if a.get("score") != float(want)]
    differ = [(c, want, a) for c, want, a in differ if a.get("score") != float(want)]
    print("%d solutions, %d mutants, %d tests: %d pass in Node, %d verdicts differ" % (len(solutions), len(programs) - len(solutions), len(cases), sum(wanted), len(differ)))
    kinds = collections.Counter(kind(want, a) for _, want, a in differ)
    for k, n in kinds.most_common():
        print("%6d  %s" % (n, k))
    for c, want, a in sorted(differ, key=lambda d: d[2].get("score") is None)[:20]: # wrong numbers first
        print("  Node: %s; here: %s: %s\n%s%s" % ("passed" if want else "failed", a.get("score"), a.get("reason") or a.get("error"), c["output"], c["tests"][0]))


if __name__ == "__main__":
    main()
