#!/usr/bin/env python3
"""Grades GSM8K and MATH here and with the Python graders that evaluations and trainers use, and compares.

Usage: graders.py PROGRAM DIRECTORY

PROGRAM is the built rubric-host. This Python needs lm-eval 0.4.13, math-verify 0.9.0 and verl 0.9.1, as requirements.txt pins them
(pip install --no-deps -r). The data is never part of this project:

  * GSM8K: the 1,319 problems of its test set with four solutions of models each, from its own repository, which is cloned into DIRECTORY;
  * MATH: rows {"problem", "solution"} in DIRECTORY/math.jsonl, if you have them: their host withdrew the set.

Prints for each grader and kind of answer how many are right, how many verdicts differ from the peer's, and the processor time of one
grading on both sides, in turn: here with JSON lines in and out and without the start of the process, there in one process that stays.
"""

import hashlib
import importlib.util
import json
import os
import random
import re
import resource
import subprocess
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import lines

REPOSITORY, COMMIT = "https://github.com/openai/grade-school-math", "3101c7d5072418e28b9008a6636bde82a006892c"
FILE, DIGEST = "grade_school_math/data/example_model_solutions.jsonl", "4bc62db838f8418365d51c627bd66294cbdca9fb7f01519cb13f0dce8c51580b"
ROUNDS = 3


def gsm8k_rows(directory):
    clone = os.path.join(directory, "grade-school-math")
    if not os.path.exists(clone):
        subprocess.run(["git", "clone", "-q", "--bare", REPOSITORY, clone], check=True)
    data = subprocess.run(["git", "-C", clone, "show", f"{COMMIT}:{FILE}"], check=True, capture_output=True).stdout
    if hashlib.sha256(data).hexdigest() != DIGEST:
        sys.exit(f"{FILE}: another file than that of {COMMIT}")
    return [json.loads(line) for line in data.splitlines()]


def gsm8k_cases(rows):
    """Answers by kind, as cases. Solutions end with "A: 18" in this file, and with "#### 18" in the test set."""
    final = lambda text: re.sub(r"\nA: (.*)\Z", r"\n#### \1", text)
    out = {"reference": [], "model": [], "another number": [], "no number": [], "empty": []}
    for row in rows:
        reference = final(row["ground_truth"])
        case = lambda output: {"output": output, "references": [reference.split("#### ")[1]]}
        out["reference"].append(case(reference))
        for name in ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"):
            out["model"].append(case(final(row[name]["solution"])))
        number = reference.split("#### ")[1].replace(",", "")
        out["another number"].append(case(reference.split("#### ")[0] + "#### " + (str(int(number) + 1) if number.lstrip("-").isdigit() else number + "1")))
        out["no number"].append(case("I cannot answer that."))
        out["empty"].append(case(""))
    return out


def box(text):
    """The content of the last \\boxed{} of a solution."""
    at = text.rfind("\\boxed")
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == "{") - (text[k] == "}")
        if text[k] == "}" and depth == 0:
            return text[text.index("{", at) + 1:k]
    return text[at + len("\\boxed"):].split("$")[0].strip()


def math_cases(rows):
    """Answers by kind: each is a case and the answer alone."""
    answers = [box(r["solution"]) for r in rows]
    rnd = random.Random(14)
    out = {"reference": [], "other notation": [], "another answer": [], "a digit changed": [], "no answer": [], "empty": []}
    for row, answer in zip(rows, answers):
        case = lambda given, text=None: ({"output": text if text is not None else "So the answer is $\\boxed{%s}$." % given, "references": [answer]}, given)
        out["reference"].append(case(answer, row["solution"]))
        spelt = answer.replace("\\frac", "\\dfrac")
        if "\\left" in spelt:
            spelt = spelt.replace("\\left", "").replace("\\right", "")
        elif "\\text" not in spelt:
            spelt = spelt.replace("(", "\\left(").replace(")", "\\right)")
        out["other notation"].append(case(spelt.replace(",", ", ").replace(",  ", ", ") if re.search(r"[(\[]", spelt) and "\\!" not in spelt else "\\, " + spelt))
        other = rnd.choice([a for a in rnd.sample(answers, 8) if a != answer])
        out["another answer"].append(case(other))
        digits = [m.start() for m in re.finditer(r"\d", answer)]
        if digits:
            at = rnd.choice(digits)
            out["a digit changed"].append(case(answer[:at] + str((int(answer[at]) + 1) % 10) + answer[at + 1:]))
        out["no answer"].append(case("", "I cannot answer that."))
        out["empty"].append(case("", ""))
    return out


def cpu(f):
    """Processor time of a call and of the processes that it started, in seconds, and its result."""
    spent = lambda: sum(getattr(resource.getrusage(who), k) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) for k in ("ru_utime", "ru_stime"))
    before = spent()
    result = f()
    return spent() - before, result


def compare(name, binary, metric, config, kinds, ours, peer):
    """kinds: name -> list of inputs; ours and peer make a case and a verdict of one. A peer's verdict may be None: it was given up."""
    everything = [x for k in kinds for x in kinds[k]]
    cases = [ours(x) for x in everything]
    start = min(cpu(lambda: lines.score(binary, metric, cases[:1], config))[0] for _ in range(3))
    times = []
    for _ in range(ROUNDS):
        here, answers = cpu(lambda: lines.score(binary, metric, cases, config))
        there, verdicts = cpu(lambda: [peer(x) for x in everything])
        times.append(((here - start) / len(cases) * 1e6, there / len(cases) * 1e6))
    here, there = (sorted(t)[ROUNDS // 2] for t in zip(*times))
    print(f"{name}: {len(cases):,} gradings; {here:.1f} µs of processor time here, {there:.1f} µs there, {there / here:.1f} times (load {os.getloadavg()[0]:.0f})")
    at, shown = 0, []
    for kind, inputs in kinds.items():
        mine, theirs = answers[at:at + len(inputs)], verdicts[at:at + len(inputs)]
        differ = [(x, a, v) for x, a, v in zip(inputs, mine, theirs) if a.get("score") is not None and v is not None and a["score"] != float(v)]
        print("  %-16s %5d: right here %d, there %d; without score here %d; differ %d" % (kind, len(inputs), sum(a.get("score") == 1 for a in mine), sum(bool(v) for v in theirs), sum(a.get("score") is None for a in mine), len(differ)))
        shown += differ[:int(os.environ.get("SHOWN", "0"))]
        at += len(inputs)
    for x, a, v in shown:
        print("    here %s, there %s: %s" % (a["score"], v, json.dumps(ours(x))[-200:]))


def module(package, path):
    """A file of a package, without the package, whose imports it does not need."""
    root = importlib.util.find_spec(package).submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location(path.replace("/", "_"), os.path.join(root, path + ".py"))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def lm_eval_gsm8k(pattern, group):
    """A filter and the comparison of lm-eval's gsm8k.yaml."""
    from lm_eval.api.metrics import exact_match_hf_evaluate
    from lm_eval.filters.extraction import RegexFilter
    found = RegexFilter(regex_pattern=pattern, group_select=group)
    ignore = [",", "\\$", "(?s).*#### ", "\\.$"]

    def grade(case):
        answer = found.apply([[case["output"]]], [{}])[0][0]
        return bool(exact_match_hf_evaluate([answer], ["#### " + case["references"][0]], regexes_to_ignore=ignore, ignore_case=True)["exact_match"])
    return grade


def math_verify(case):
    from math_verify import parse, verify
    return bool(verify(parse("$" + case["references"][0] + "$"), parse(case["output"])))


def main():
    binary, directory = sys.argv[1:3]
    os.makedirs(directory, exist_ok=True)
    sys.modules.setdefault("datasets", types.ModuleType("datasets")).Dataset = None
    same = lambda case: case

    kinds = gsm8k_cases(gsm8k_rows(directory))
    verl = module("verl", "utils/reward_score/gsm8k")
    strict = lm_eval_gsm8k("#### (\\-?[0-9\\.\\,]+)", 0)
    flexible = lm_eval_gsm8k("(-?[$0-9.,]{2,})|(-?[0-9]+)", -1)
    def verls(method):
        return lambda case: verl.compute_score(case["output"], case["references"][0].replace(",", ""), method=method)  # as verl's examples prepare the set

    compare("GSM8K, gsm8k beside lm-eval's strict match", binary, "gsm8k", {}, kinds, same, strict)
    compare("GSM8K, gsm8k beside verl's strict method", binary, "gsm8k", {}, kinds, same, verls("strict"))
    compare("GSM8K, gsm8k with method flexible beside lm-eval's flexible extract", binary, "gsm8k", {"method": "flexible"}, kinds, same, flexible)
    compare("GSM8K, gsm8k with method flexible beside verl's", binary, "gsm8k", {"method": "flexible"}, kinds, same, verls("flexible"))
    compare("GSM8K, math beside math_verify", binary, "math", {}, kinds, same, math_verify)

    path = os.path.join(directory, "math.jsonl")
    if not os.path.exists(path):
        print(f"MATH: left out, no {path}")
        return
    with open(path, "rb") as f:
        data = f.read()
    rows = [json.loads(line) for line in data.splitlines()]
    print(f"MATH: {len(rows)} rows, sha256 {hashlib.sha256(data).hexdigest()[:12]}")
    kinds = math_cases(rows)
    harness = module("lm_eval", "tasks/hendrycks_math/utils")
    reward = module("verl", "utils/reward_score/math_reward")
    compare("MATH, math_reward beside lm-eval's hendrycks_math", binary, "math_reward", {}, kinds, lambda x: x[0],
            lambda x: harness.process_results({"solution": "\\boxed{%s}" % x[0]["references"][0]}, ["$%s$" % x[1] if x[1] else x[0]["output"]])["exact_match"])
    compare("MATH, math_reward beside verl", binary, "math_reward", {}, kinds, lambda x: x[0], lambda x: reward.compute_score(x[0]["output"], x[0]["references"][0]))
    compare("MATH, math beside math_verify", binary, "math", {}, kinds, lambda x: x[0], lambda x: math_verify(x[0]))


if __name__ == "__main__":
    main()
