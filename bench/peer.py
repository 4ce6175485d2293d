"""The three metrics of the comparison in one Python process: reads JSON lines,
writes JSON lines with the scores, prints the means."""

import json
import sys

from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU
from textstat import textstat


def main(source, target):
    bleu = BLEU(effective_order=True)
    rouge = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
    sums, n = [0.0, 0.0, 0.0], 0
    with open(source, encoding="utf-8") as rows, open(target, "w", encoding="utf-8") as out:
        for line in rows:
            row = json.loads(line)
            text, reference = row["output"], row["references"][0]
            scores = (
                bleu.sentence_score(text, [reference]).score / 100,
                rouge.score(reference, text)["rougeL"].fmeasure,
                min(1.0, max(0.0, textstat.flesch_reading_ease(text) / 100)),
            )
            for i, s in enumerate(scores):
                sums[i] += s
            n += 1
            out.write(json.dumps({"case": row["id"], "bleu": scores[0], "rougeL": scores[1], "flesch": scores[2]}) + "\n")
    print(json.dumps([s / n for s in sums]))


main(sys.argv[1], sys.argv[2])
