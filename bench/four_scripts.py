"""Every text metric on the texts of four_scripts.jsonl: Latin, Cyrillic, Arabic, Chinese, Japanese,
emoji: `four_scripts.py PROGRAM [METRIC...]`. Prints a line for each metric, to be read by a person."""

import json
import os
import sys

import lines

METRICS = """bleu gleu nist bleu_nltk bleu_hf chrf ter rouge1 rougeL rougeLsum rougeSU meteor wer cer mer wil levenshtein damerau_levenshtein jaro_winkler
hamming lcs indel token_set_ratio exact contains squad text_match word_f1 numeric date flesch_reading_ease lexical_diversity list_f1 quotes refusal pii
markdown repetition think json math""".split()

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "four_scripts.jsonl"), encoding="utf-8") as f:
    CASES = [json.loads(line) for line in f]
for metric in sys.argv[2:] or METRICS:
    answers = lines.score(sys.argv[1], metric, CASES, {})
    shown = ["-" if a.get("score") is None else f"{a['score']:.3f}" + "*" * ("reason" in a) for a in answers]
    reasons = dict.fromkeys(a.get("reason") or a["error"]["message"] for a in answers if a.get("reason") or a.get("error"))
    print(f"{metric:20s} {' '.join(f'{s:>7s}' for s in shown)}   {'; '.join(reasons)[:120]}", flush=True)
