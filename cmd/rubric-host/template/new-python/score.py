"""The share of the reference's words that the output has.

score() is called once for each case, in a sandbox: no files, no network, no clock,
and no state carries over between cases. Imports at the top run once."""

import re


def words(text):
    return re.findall(r"\w+", text.lower())


def score(case, config):
    if case.get("output") is None or not case.get("references"):
        return None  # no score, which is not the score 0
    least = config.get("least_length", 1)
    wanted = {w for w in words(case["references"][0]) if len(w) >= least}
    if not wanted:
        return {"unscored": "the reference has no words"}
    misses = sorted(wanted - set(words(case["output"])))
    return {
        "score": 1 - len(misses) / len(wanted),
        "reason": f"{len(misses)} of {len(wanted)} words are missing" if misses else "all words are there",
        "misses": [w[:100] for w in misses[:10]],  # an answer lists at most 64 KiB
    }


# Requests that are scored once when the script starts: Python is faster afterwards.
__warmup__ = [{"case": {"output": "the cat sat", "references": ["the cat slept"]}}]
