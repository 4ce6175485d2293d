#!/usr/bin/env python3
"""Scores labelled outputs and prints which verdicts are false.

    labelled_answers.py RUBRIC_HOST [PLUGIN]

PLUGIN is answer (the default) or math, for labelled_answers.jsonl; mathematics for labelled_math.jsonl; choice for
labelled_choices.jsonl; date for labelled_dates.jsonl. Each line has an output, the value that is right (null if the output does not
tell which one is meant) and values of the text that are not. A right value must have 1 or no score, every other value 0 or no score.

With checks, labelled_checks.jsonl: each line has a metric, its export if it is not the default, a case, a configuration and the score that is right (null if
the case does not tell). No other score may be given.
"""

import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
FILES = {"choice": "labelled_choices.jsonl", "date": "labelled_dates.jsonl", "mathematics": "labelled_math.jsonl", "checks": "labelled_checks.jsonl"}


def score(program, metric, cases, config=None, export=None):
    flags = ["--export", export] if export else []
    flags += [part for key, value in (config or {}).items() for part in ("--with", f"{key}={json.dumps(value)}")]
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    run = subprocess.run([program, "score", metric, "--lines", *flags], input=lines, capture_output=True, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(cases):
        sys.exit(run.stderr)
    return answers


def checks(program, lines, counts):
    groups = collections.defaultdict(list)
    for case in lines:
        groups[case["metric"], case.get("export"), json.dumps(case.get("config"))].append(case)
    for (metric, export, config), cases in groups.items():
        for case, answer in zip(cases, score(program, metric, [case["case"] for case in cases], json.loads(config), export)):
            got, want = answer.get("score"), case["score"]
            false = None not in (got, want) and abs(got - want) > 1e-9
            counts[case["set"], metric, "not told" if want is None else "no score" if got is None else "false" if false else "right"] += 1
            if false:
                print(f"{metric}: {got}, not {want}: {json.dumps(case, ensure_ascii=False)}")


def values(program, plugin, lines, counts):
    calls = []
    for case in lines:
        if case["right"] is not None:
            calls.append((case, case["right"], "right"))
        kind = "several" if case["right"] is None else "wrong"
        calls += [(case, value, kind) for value in case["wrong"]]
    answers = score(program, plugin, [{"output": case["output"], "reference": str(value)} for case, value, _ in calls])
    for (case, value, kind), answer in zip(calls, answers):
        got = answer.get("score")
        counts[case["set"], kind, got] += 1
        if got is not None and (got == 1) != (kind == "right"):
            if got == 1 or kind == "right":
                print(f"{kind} value {value} has {got}: {case['output']!r}")


def main():
    program, plugin = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "answer"
    lines = [json.loads(line) for line in (HERE / FILES.get(plugin, "labelled_answers.jsonl")).read_text().splitlines()]
    counts = collections.Counter()
    if plugin == "checks":
        checks(program, lines, counts)
    else:
        values(program, "math" if plugin == "mathematics" else plugin, lines, counts)
    for key in sorted(counts, key=str):
        print(*key, counts[key])


if __name__ == "__main__":
    main()
