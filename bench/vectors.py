"""Asks the reference packages again for a random share of testdata/vectors: `vectors.py [SHARE]
[SEED]`. Prints counts and the first line that differs; exit 1 if one does. The packages are those
of diff-requirements.txt. Lines of metrics that no package there computes are left out."""

import glob
import gzip
import json
import os
import random
import sys

import vectors_reference as reference

SHARE = float(sys.argv[1]) if len(sys.argv) > 1 else 0.05
SEED = sys.argv[2] if len(sys.argv) > 2 else str(random.SystemRandom().randrange(10**6))
VECTORS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "testdata", "vectors")

# WordNet and bootstrap intervals: data, and minutes, that this check does without.
LEFT_OUT = {"code_complexity", "code_syntax", "codebleu", "significance", "answers", "rouge_155", "readability_nltk", "syllables_nltk"}


def same(want, got, tolerance):
    if isinstance(want, dict):
        return isinstance(got, dict) and all(same(w, got.get(k), tolerance) for k, w in want.items())
    if isinstance(want, list):
        return isinstance(got, (list, tuple)) and len(want) == len(got) and all(same(w, g, tolerance) for w, g in zip(want, got))
    if isinstance(want, (int, float)) and not isinstance(want, bool):
        return isinstance(got, (int, float)) and abs(want - got) <= tolerance * max(1, abs(want))
    return want == got


def main():
    rnd, failed, total = random.Random(SEED), 0, 0
    print(f"seed {SEED}: {SHARE:.0%} of the lines; python bench/vectors.py {SHARE} {SEED} asks the same", flush=True)
    for path in sorted(glob.glob(os.path.join(VECTORS, "*.jsonl.gz"))):
        name = os.path.basename(path).removesuffix(".jsonl.gz")
        if name in LEFT_OUT:
            continue
        asked = differ = skipped = 0
        for text in gzip.open(path, "rt", encoding="utf-8"):
            if rnd.random() >= SHARE:
                continue
            line = json.loads(text)
            score = reference.SCORERS.get(line["metric"])
            if score is None or line["source"].startswith("derived") or line["config"].get("synonyms", "none") not in (None, "none"):
                skipped += 1
                continue
            try:
                got = json.loads(json.dumps(score(line)))
            except (ImportError, LookupError):  # data that is not installed
                skipped += 1
                continue
            asked += 1
            want = line["expected"]
            want.pop("nltk_3.10.4", None)  # of a newer release, where it differs
            if not same(want, got, 1e-6 if name == "perplexity" else 1e-9):
                differ += 1
                if differ == 1:
                    print(f"  {line['id']}: the vectors have {line['expected']}, the package now says {got}")
        print(f"{name:20s} {asked:5d} lines, {differ} differ, {skipped} left out", flush=True)
        failed, total = failed + differ, total + asked
    print(f"{total} lines asked again, {failed} differ")
    sys.exit(1 if failed or not total else 0)


main()
