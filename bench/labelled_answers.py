#!/usr/bin/env python3
"""Scores labelled outputs and prints which verdicts are false.

    labelled_answers.py RUBRIC_HOST [PLUGIN]

PLUGIN is answer (the default) or math, for labelled_answers.jsonl; choice for labelled_choices.jsonl; date
for labelled_dates.jsonl. Each line has an output, the value that is right (null if the output does not tell which one is meant) and
values of the text that are not. A right value must have 1 or no score, every other value 0 or no score.
"""

import collections
import json
import pathlib
import subprocess
import sys


def main():
    program, plugin = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "answer"
    name = {"choice": "labelled_choices.jsonl", "date": "labelled_dates.jsonl"}.get(plugin, "labelled_answers.jsonl")
    calls = []
    for line in (pathlib.Path(__file__).parent / name).read_text().splitlines():
        case = json.loads(line)
        if case["right"] is not None:
            calls.append((case, case["right"], "right"))
        kind = "several" if case["right"] is None else "wrong"
        calls += [(case, value, kind) for value in case["wrong"]]
    lines = [json.dumps({"output": case["output"], "reference": str(value)}) for case, value, _ in calls]
    run = subprocess.run([program, "score", plugin, "--lines"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(calls):
        sys.exit(run.stderr)
    counts = collections.Counter()
    for (case, value, kind), answer in zip(calls, answers):
        score = answer.get("score")
        counts[case["set"], kind, score] += 1
        if score is not None and (score == 1) != (kind == "right"):
            if score == 1 or kind == "right":
                print(f"{kind} value {value} has {score}: {case['output']!r}")
    for key in sorted(counts, key=str):
        print(*key, counts[key])


if __name__ == "__main__":
    main()
