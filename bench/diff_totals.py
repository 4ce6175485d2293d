"""Totals of random rubrics, computed a second time from host/dialect/NATIVE.md: `diff_totals.py PROGRAM RUBRICS`. Groups,
gates, penalties, every aggregate and every --unscored, with some verdicts missing. SEED repeats a run. Prints what differs."""

import json
import os
import random
import subprocess
import sys
import tempfile

AGGREGATES = ["auto", "weighted_mean", "points_over_positive", "min", "max", "product", "all", "any"]
CASES = [f"case-{i}" for i in range(12)]
CLOSE = 1e-9  # nearer to a limit than this, rounding may decide


class NoScore(Exception):
    pass


def criteria(rnd, ids, penalties, depth=0):
    out = []
    for _ in range(rnd.randint(1, 5)):
        c = {"id": f"c{len(ids)}"}
        ids.append(c["id"])
        if rnd.random() < 0.8:
            c["weight"] = rnd.choice([1, 2, 0.5, 0.1, 0.3, 3, 0.7, 0.001, 0] + [-1, -0.5, -2, -0.3] * (2 * penalties))
        if rnd.random() < 0.2:
            c["required"] = True
        if rnd.random() < 0.15:
            c["min"] = rnd.choice([0.1, 0.5, 0.6, 0.3, 1, 0])
        kind = rnd.random()
        if depth < 3 and kind < 0.2:
            c["criteria"] = criteria(rnd, ids, penalties and rnd.random() < 0.3, depth + 1)
            if rnd.random() < 0.7:
                c["aggregate"] = rnd.choice(AGGREGATES)
        else:
            c["judge"] = "Is it so?"
            if kind < 0.4:
                scores = sorted(rnd.sample([0, 0.1, 0.25, 0.3, 0.5, 0.6, 0.75, 0.9, 1], rnd.randint(2, 4)))
                c["levels"] = [{"id": f"l{i}", "score": s} for i, s in enumerate(scores)]
            elif kind < 0.6:
                low = rnd.choice([0, 1, -5, 0.5])
                c["scale"] = {"min": low, "max": low + rnd.choice([1, 4, 10, 7, 0.3])}
        out.append(c)
    return out


def leaves(list_):
    for c in list_:
        yield from leaves(c["criteria"]) if "criteria" in c else [c]


def answer(rnd, c):
    if rnd.random() < 0.06:
        return None
    if "levels" in c:
        return {"level": rnd.choice(c["levels"])["id"]}
    if s := c.get("scale"):
        return {"number": rnd.choice([s["min"], s["max"], round(s["min"] + (s["max"] - s["min"]) * rnd.random(), 3)])}
    return {"met": rnd.random() < 0.6}


def value_of(c, given):
    if "level" in given:
        return next(level["score"] for level in c["levels"] if level["id"] == given["level"])
    if "number" in given:
        return (given["number"] - c["scale"]["min"]) / (c["scale"]["max"] - c["scale"]["min"])
    return float(given["met"])


def good(v, weight):
    return 1 - v if weight < 0 else v


def combine(how, members):
    weights = [w for _, w in members]
    points = sum(v * w for v, w in members)
    if how == "auto":
        how = "points_over_positive" if min(weights) < 0 else "weighted_mean"
    if how in ("weighted_mean", "points_over_positive"):
        base = sum(weights) if how == "weighted_mean" else sum(w for w in weights if w > 0)
        if base <= 0 and how == "points_over_positive":
            base, points = sum(-w for w in weights), points + sum(-w for w in weights)
        if base <= 0:
            raise NoScore
        return min(1, max(0, points / base))
    values = [good(v, w) for v, w in members if w]
    if not values:
        raise NoScore
    if how in ("all", "any"):
        values = [float(v >= 1 - CLOSE) for v in values]
    if how == "product":
        result = 1.0
        for v in values:
            result *= v
        return result
    return min(values) if how in ("min", "all") else max(values)


class Total:
    """The total of one case; its score is None if it has none, and doubt is set if rounding decides about a gate."""

    def __init__(self, rubric, given, unscored):
        self.top, self.given, self.unscored = rubric.get("aggregate", "auto"), given, unscored
        self.failed, self.doubt = set(), False
        try:
            self.score = self.value(rubric["criteria"], self.top)
        except NoScore:
            self.score = None
        if self.gap(rubric["criteria"]):
            self.score = None

    def gap(self, list_):
        """Whether a gate has no value, also where its group counts for nothing."""
        return self.unscored == "null" and any(gated(c) and self.one(c) is None or self.gap(c.get("criteria", [])) for c in list_)

    def one(self, c):
        if "criteria" not in c:
            return None if self.given[c["id"]] is None else value_of(c, self.given[c["id"]])
        try:
            return self.value(c["criteria"], c.get("aggregate", self.top))
        except NoScore:
            return None

    def value(self, list_, how):
        members, missing = [], False
        for c in list_:
            w, v = c.get("weight", 1), self.one(c)
            if v is None:
                if gated(c) and self.unscored != "null":
                    self.failed.add(c["id"])
                if self.unscored == "worst" and (w or gated(c)):
                    members.append((float(w < 0), w))
                missing |= self.unscored == "null" and (w != 0 or gated(c))
                continue
            self.gate(c, good(v, w))
            members.append((v, w))
        if missing or not members:
            raise NoScore
        return combine(how, members)

    def gate(self, c, v):
        if "min" in c:
            self.doubt |= 0 < abs(v - c["min"]) < CLOSE
            holds = v >= c["min"]
        else:
            holds = v > 0 or not c.get("required")
        if not holds:
            self.failed.add(c["id"])


def gated(c):
    return "required" in c or "min" in c


def main(program, rubrics, work):
    seed = int(os.environ.get("SEED") or random.randrange(1 << 30))
    print(f"totals of {rubrics} rubrics, SEED={seed}")
    differ, unscored_cases, n = 0, 0, 0
    path = lambda name: os.path.join(work, name)
    with open(path("cases.jsonl"), "w") as f:
        f.writelines(json.dumps({"id": i, "output": "x"}) + "\n" for i in CASES)
    for i in range(rubrics):
        rnd = random.Random(seed * 1_000_003 + i)
        rubric = {"rubric": "random", "criteria": criteria(rnd, [], rnd.random() < 0.5)}
        if rnd.random() < 0.6:
            rubric["aggregate"] = rnd.choice(AGGREGATES)
        if rnd.random() < 0.5:
            rubric["pass"] = rnd.choice([0.5, 0.7, 0.8, 1, 0])
        unscored = rnd.choice(["null", "null", "worst", "drop"])
        given = {k: {c["id"]: answer(rnd, c) for c in leaves(rubric["criteria"])} for k in CASES}
        with open(path("rubric.json"), "w") as f:
            json.dump(rubric, f)
        with open(path("verdicts.jsonl"), "w") as f:
            f.writelines(json.dumps({"case": k, "criterion": c, **v}) + "\n" for k in CASES for c, v in given[k].items() if v)
        run = subprocess.run([program, "eval", path("rubric.json"), path("cases.jsonl"), "--verdicts", path("verdicts.jsonl"), "--runs", path("runs"),
                              "-q", "--unscored", unscored, "--max-unscored", "100%", "-o", "jsonl:" + path("rows.jsonl")], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            sys.exit(f"exit {run.returncode}: {run.stderr}\n{json.dumps(rubric)}")
        with open(path("rows.jsonl")) as f:
            rows = {row["case"]: row for row in map(json.loads, f)}
        for k in CASES:
            want, row, n = Total(rubric, given[k], unscored), rows[k], n + 1
            unscored_cases += want.score is None
            same = want.score is row["score"] is None or None not in (want.score, row["score"]) and abs(want.score - row["score"]) < 1e-12
            if same and want.score is not None and "pass" in rubric and not want.doubt and abs(want.score - rubric["pass"]) > CLOSE:
                same = row["passed"] == (want.score > rubric["pass"] and not want.failed)
            if not same:
                differ += 1
                print(f"here {row['score']}, passed {row['passed']}, gates {row['gate_failures']}; a second time {want.score}, gates {sorted(want.failed)}\n"
                      f"  --unscored {unscored} {json.dumps(rubric)}\n  {json.dumps(given[k])}")
    print(f"{n} totals, {unscored_cases} without a score: {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        main(sys.argv[1], int(sys.argv[2]), directory)
