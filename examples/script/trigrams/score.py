"""The cosine of how often two texts have each group of three characters, with numpy."""

import numpy as np

SIZE = 4096


def trigrams(text):
    c = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
    return np.bincount((c[:-2] * 961 + c[1:-1] * 31 + c[2:]) % SIZE, minlength=SIZE).astype(float)


def score(case, config):
    if not case.get("references"):
        return None
    a = trigrams(case.get("output") or "")
    best = 0.0
    for reference in case["references"]:
        b = trigrams(reference)
        size = np.linalg.norm(a) * np.linalg.norm(b)
        best = max(best, float(a @ b / size) if size else 0.0)
    return min(best, 1.0)


# What a first call looks for (the encoding, numpy's own caches) is there in every call.
__warmup__ = [{"case": {"output": "the cat sat", "references": ["the cat slept"]}}]
