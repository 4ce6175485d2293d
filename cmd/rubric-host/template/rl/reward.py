"""Rewards for a trainer: rubric-host grades a batch in one call.

rewards() has the form of a reward function of TRL: one number for each
completion, None where there is none. A case that could not be scored has no
reward; it is never a 0. TRL passes every column of the dataset, and values of
its own, by name; those that the rubric needs are parameters.
"""

import json
import subprocess
import tempfile


def rewards(prompts, completions, references, rubric="reward.yaml", **_):
    rows = [
        {"id": str(i), "input": p, "output": c, "references": r}
        for i, (p, c, r) in enumerate(zip(prompts, completions, references, strict=True))
        if readable(c)
    ]
    if not rows:
        return [None] * len(prompts)
    lines = "\n".join(json.dumps(row) for row in rows)
    with tempfile.TemporaryDirectory() as runs:
        command = ["rubric-host", "eval", rubric, "-", "-o", "jsonl:-", "--runs", runs, "--max-unscored", "100%", "-q"]
        done = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    score = {row["case"]: row["score"] for row in map(json.loads, done.stdout.splitlines())}
    return [score.get(str(i)) for i in range(len(prompts))]


def readable(completion):
    """Reports whether a completion is text without lone surrogates, or a list of messages as in TRL."""
    try:
        json.dumps(completion, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return completion is not None


if __name__ == "__main__":
    with open("rollouts.jsonl") as file:
        cases = [json.loads(line) for line in file]
    values = rewards([c["input"] for c in cases], [c["output"] for c in cases], [c["references"] for c in cases])
    for case, value in zip(cases, values):
        print(case["id"], "none" if value is None else f"{value:.3f}", sep="\t")
