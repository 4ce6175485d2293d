"""Measures scorers in Python and JavaScript beside the interpreters of the machine, all in turn: a call, then a process that gives
one score. Least times, processor and wall.

    python3 bench/scripts.py RUBRIC_HOST [RUNS]
"""

import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

OURS, RUNS = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
SCORERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scorers")
CALLS = 5000

# Each native program scores the lines of its standard input with a scorer.
PYTHON = ["python3", "-I", "-S", "-B", "-c", """
import json, sys
m = {}; exec(open(sys.argv[1]).read(), m)
for line in sys.stdin: print(json.dumps({"score": m["score"](json.loads(line), {})}))"""]
NODE = ["node", "--input-type=module", "-e", """
import { readFileSync } from "node:fs";
const m = await import(process.argv[1]);
for (const line of readFileSync(0, "utf8").trim().split("\\n")) console.log(JSON.stringify({ score: m.score(JSON.parse(line), {}) }));"""]
NATIVE = {".py": ("python3", PYTHON), ".js": ("node", NODE)}


def run(argv, text):
    """Wall time, processor time and output of a process."""
    with open("in.jsonl", "w") as f:
        f.write(text)
    with open("in.jsonl") as stdin, open("out.jsonl", "w+") as out:
        at = time.perf_counter()
        child = subprocess.Popen(argv, stdin=stdin, stdout=out, stderr=subprocess.DEVNULL)
        _, status, use = os.wait4(child.pid, 0)
        wall = time.perf_counter() - at
        if status:
            sys.exit(f"{argv} failed")
        out.seek(0)
        return wall, use.ru_utime + use.ru_stime, out.read()


def calls(rows):
    print(f"{'a call, ms of a processor':26s} {'ours':>8s} {'native':>8s} {'a process each':>15s}")
    for name in ("f1.py", "bleu.py", "f1.js", "bleu.js"):
        ways, least, scores = [[OURS, "score", "./" + name, "--lines"], [*NATIVE[name[-3:]][1], "./" + name.replace(".js", ".mjs")]], {}, []
        for _ in range(RUNS):
            scores = []
            for way, argv in enumerate(ways):
                for n in (1, CALLS):
                    _, cpu, out = run(argv, "".join(rows[:n]))
                    least[way, n] = min(cpu, least.get((way, n), cpu))
                scores.append([json.loads(line)["score"] for line in out.splitlines()])
        if scores[0] != scores[1] or len(scores[0]) != CALLS:
            sys.exit(f"{name}: the two sides disagree")
        ours, native = ((least[way, CALLS] - least[way, 1]) / (CALLS - 1) * 1000 for way in (0, 1))
        print(f"{name:26s} {ours:8.3f} {native:8.3f} {least[1, 1] * 1000:15.1f}   ({ours / native:.1f} of native; a process each: {least[1, 1] * 1000 / ours:.0f} of ours)", flush=True)


def first(rows):
    """The runs of a way make again what was removed for them."""
    print(f"\n{'a first score, ms':26s} {'wall':>8s} {'processor':>10s}")
    kept = os.path.join(os.environ["XDG_CACHE_HOME"], "rubric-host/compiled")
    for name in ("f1.py", "f1.js"):
        ours, (title, native) = [OURS, "score", "./" + name, "--lines"], NATIVE[name[-3:]]
        ways = {f"{name}, all is kept": (ours, None), f"{name}, a new script": (ours, "isolated/*/artifact"), f"{name}, nothing is kept": (ours, "*/*"),
                title: ([*native, "./" + name.replace(".js", ".mjs")], None)}
        times = {way: [] for way in ways}
        for _ in range(RUNS + 1):  # the first turn fills caches
            for way, (argv, gone) in ways.items():
                for path in glob.glob(os.path.join(kept, gone)) if gone else ():
                    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
                times[way].append(run(argv, rows[0])[:2])
        for way, pairs in times.items():
            wall, cpu = (min(pair[i] for pair in pairs[1:]) * 1000 for i in (0, 1))
            print(f"{way:26s} {wall:8.0f} {cpu:10.0f}", flush=True)


def main():
    rnd = random.Random(1)
    texts = [" ".join(f"word{rnd.randrange(80)}" for _ in range(60)) for _ in range(2 * CALLS)]
    rows = [json.dumps({"output": a, "references": [b]}) + "\n" for a, b in zip(texts[::2], texts[1::2])]
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        os.environ.update(XDG_CACHE_HOME=os.path.join(home, "cache"), RUBRIC_HOST_RUNTIMES="")
        for path in glob.glob(SCORERS + "/*.*"):
            shutil.copy(path, home)
            if path.endswith(".js"):
                shutil.copy(path, os.path.join(home, os.path.basename(path).replace(".js", ".mjs")))
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {RUNS} runs\n")
        calls(rows)
        first(rows)
        os.chdir("/")


main()
