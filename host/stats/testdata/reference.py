#!/usr/bin/env python3
"""Writes paired.jsonl and significance.jsonl: reference values of the packages below, which the tests of package stats are held to.

    pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0 sacrebleu==2.6.0
    python reference.py VECTORS        # the directory of the project's reference vectors, for significance.jsonl and agreement.jsonl
"""
import json
import os
import sys

import numpy as np
import statsmodels.api as sm
from scipy import stats
from sacrebleu.metrics import BLEU, CHRF, TER
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = sys.argv[1]


def dump(name, lines):
    with open(os.path.join(HERE, name), "w") as f:
        for x in lines:
            f.write(json.dumps(x, separators=(",", ":")) + "\n")


def diffs(rng, kind, n):
    if kind == "continuous":
        return np.round(rng.normal(0.1, 0.3, n), 6)
    if kind == "ternary":
        return rng.choice([-1.0, 0.0, 0.0, 1.0], n)
    return np.round(rng.choice([0.0, 0.25, -0.5, 0.75], n), 6)


def paired():
    rng = np.random.default_rng(7)
    for n in (2, 3, 5, 9, 12, 40, 200):
        for kind in ("continuous", "ternary", "levels"):
            d = diffs(rng, kind, n)
            if d.min() == d.max():
                continue
            t = stats.ttest_1samp(d, 0)
            ci = t.confidence_interval(0.95)
            below, above = int((d < 0).sum()), int((d > 0).sum())
            line = {"kind": kind, "d": d.tolist(), "t_p": t.pvalue, "t_low": ci.low, "t_high": ci.high,
                    "sign_p": stats.binomtest(below, below + above).pvalue if below + above else 1.0}
            if n <= 12:
                line["flip_p"] = stats.permutation_test((d, np.zeros(n)), lambda a, b, axis: np.mean(a - b, axis=axis), permutation_type="samples",
                                                        n_resamples=np.inf, vectorized=True).pvalue
            seed = int(rng.integers(1 << 40))
            b = stats.bootstrap((d,), np.mean, n_resamples=999, method="percentile", rng=np.random.default_rng(seed), vectorized=True).confidence_interval
            line.update(seed=seed, boot_low=b.low, boot_high=b.high)
            groups = rng.integers(0, max(2, n // 3), n)
            if len(set(groups.tolist())) > 1 and n > 3:
                m = sm.OLS(d, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
                line.update(groups=groups.tolist(), cluster_se=m.bse[0], cluster_p=m.pvalues[0], cluster_low=m.conf_int()[0][0], cluster_high=m.conf_int()[0][1])
            yield line
    with open(os.path.join(VECTORS, "agreement.jsonl")) as f:
        for d in map(json.loads, f):
            if d["config"]["stat"] == "mcnemar":
                yield tables(d["input"]["table"])
    for b, c in ((0, 0), (0, 1), (1, 1), (7, 7), (3, 12), (200, 140), (5000, 5100)):
        yield tables([[10, b], [c, 10]])
    for n in (1, 2, 5, 17):
        p = np.round(rng.random(n) ** 2, 6)
        yield {"kind": "bh", "p": p.tolist(), "q": multipletests(p, method="fdr_bh")[1].tolist()}
    yield {"kind": "bh", "p": [0.01, 0.01, 0.5, 1.0], "q": multipletests([0.01, 0.01, 0.5, 1.0], method="fdr_bh")[1].tolist()}


def tables(t):
    b, c = t[0][1], t[1][0]
    n, k = b + c, min(b, c)
    out = {"kind": "mcnemar", "b": b, "c": c, "exact": mcnemar(t, exact=True).pvalue if n else 1.0, "chi2": 1.0, "corrected": 1.0, "midp": 1.0}
    if n:
        out["chi2"] = mcnemar(t, exact=False, correction=False).pvalue
        out["corrected"] = mcnemar(t, exact=False, correction=True).pvalue if b != c else 1.0  # statsmodels squares |0|-1
        at = stats.binom.pmf(k, n, 0.5)
        out["midp"] = out["exact"] - at if b != c else 1 - at / 2  # Fagerland, Lydersen & Laake 2013
    return {k: (float(v) if k not in ("kind", "b", "c") else v) for k, v in out.items()}


def metric(name, c):
    if name == "bleu":
        return BLEU(tokenize=c["tokenize"], smooth_method=c["smooth_method"], effective_order=c["effective_order"], lowercase=c["lowercase"], max_ngram_order=c["max_ngram_order"])
    if name == "chrf":
        return CHRF(char_order=c["char_order"], word_order=c["word_order"], beta=c["beta"], lowercase=c["lowercase"], whitespace=c["whitespace"], eps_smoothing=c["eps_smoothing"])
    return TER(normalized=c["normalized"], no_punct=c["no_punct"], asian_support=c["asian_support"], case_sensitive=c["case_sensitive"])


def streams(refs):
    most = max(map(len, refs))
    return [[r[i] if i < len(r) else None for r in refs] for i in range(most)]


def significance():
    """Every line of the vectors, with the statistics of its segments as sacrebleu extracts them."""
    with open(os.path.join(VECTORS, "significance.jsonl")) as f:
        for d in map(json.loads, f):
            c, refs = d["config"], streams(d["references"])
            extract = lambda m, hyps: [[int(x) if x == int(x) else x for x in map(float, s)] for s in m._extract_corpus_statistics(hyps, refs)]
            if not c.get("test"):
                yield {"id": d["id"], "metric": d["metric"], "config": c, "stats": extract(metric(d["metric"], c), d["candidate"]),
                       "n": c["n_bootstrap"], "expected": {k: d["expected"][k] for k in ("score", "bootstrap_mean", "bootstrap_ci")}}
                continue
            for name in c["metrics"]:
                m = metric(name, c[name])
                key = next(k for k in d["expected"] if k.lower().startswith(name))
                yield {"id": d["id"], "metric": name, "config": c[name], "test": c["test"], "n": c["n_samples"], "confidence": c.get("n_ar_confidence", 0),
                       "base": extract(m, d["candidate"]["baseline"]), "stats": extract(m, d["candidate"]["system"]),
                       "expected": {k: d["expected"][key][k] for k in ("baseline", "system")}}


dump("paired.jsonl", paired())
dump("significance.jsonl", significance())
