"""Scores many cases with one call of the program, for the comparisons of this directory."""

import json
import subprocess
import sys


def score(program, metric, cases, config, *flags):
    """Answers of a metric, one per case. Ends the program if one is missing."""
    command = [program, "score", metric, "--lines", *flags]
    for name, value in config.items():
        command += ["--with", f"{name}={json.dumps(value)}"]
    run = subprocess.run(command, input="".join(json.dumps(c) + "\n" for c in cases), capture_output=True, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(cases):
        sys.exit(f"{command}: {len(answers)} answers to {len(cases)} lines\n{run.stderr}")
    return answers
