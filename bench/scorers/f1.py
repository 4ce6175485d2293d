from collections import Counter


def score(case, config):
    out, ref = case["output"].lower().split(), case["references"][0].lower().split()
    same = sum((Counter(out) & Counter(ref)).values())
    if same == 0:
        return 0
    p, r = same / len(out), same / len(ref)
    return 2 * p * r / (p + r)


__warmup__ = [{"case": {"output": "the cat sat on the mat", "references": ["the cat is on the mat"]}}]
