import math
from collections import Counter


def grams(tokens, n):
    return Counter(tuple(tokens[i:i + n]) for i in range(len(tokens) - n + 1))


def score(case, config):
    out, ref = case["output"].lower().split(), case["references"][0].lower().split()
    if not out:
        return 0
    logs = 0.0
    for n in range(1, 5):
        a, b = grams(out, n), grams(ref, n)
        same, total = sum((a & b).values()), sum(a.values())
        if n == 1 and same == 0:
            return 0
        logs += math.log((same + (n > 1)) / (total + (n > 1)))
    return math.exp(logs / 4 + min(0, 1 - len(ref) / len(out)))


__warmup__ = [{"case": {"output": "the cat sat on the mat", "references": ["the cat is on the mat"]}}]
