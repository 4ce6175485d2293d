"""One metric of a reference package in one Python process: `metric.py NAME < cases > answers`,
a JSON object a line with output and references, and one with the score, or with the values that the metric's details have."""

import json
import sys


def bleu():
    from sacrebleu.metrics import BLEU
    metric = BLEU(effective_order=True)
    return lambda a, refs: metric.sentence_score(a, refs).score / 100


def chrf():
    from sacrebleu.metrics import CHRF
    metric = CHRF()
    return lambda a, refs: metric.sentence_score(a, refs).score / 100


def ter():
    from sacrebleu.metrics import TER
    metric = TER()
    return lambda a, refs: max(0.0, 1 - metric.sentence_score(a, refs).score / 100)


def rouge(stem):
    from rouge_score.rouge_scorer import RougeScorer
    scorer = RougeScorer(["rougeL"], use_stemmer=stem)
    return lambda a, refs: scorer.score(refs[0], a)["rougeL"].fmeasure


def meteor(tokens=None):
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.translate.meteor_score import meteor_score
    tokens = tokens or NLTKWordTokenizer().tokenize

    class NoWordNet:
        def synsets(self, word):
            return []
    none = NoWordNet()
    return lambda a, refs: meteor_score([tokens(r) for r in refs], tokens(a), wordnet=none)


def flesch():
    from textstat import textstat
    return lambda a, refs: min(1.0, max(0.0, textstat.flesch_reading_ease(a) / 100))


# The indices that the rows of nine indices ask both sides for.
INDICES = ("flesch_reading_ease", "flesch_kincaid_grade", "gunning_fog", "smog_index", "coleman_liau_index", "automated_readability_index",
           "dale_chall_readability_score", "linsear_write_formula", "text_standard")


def indices():
    from textstat import textstat
    return lambda a, refs: {name: getattr(textstat, name)(a) for name in INDICES}


def all_details():
    """All 33 details of readability."""
    from textstat import textstat
    from textstat.backend.counts import count_difficult_words
    from vectors_reference import READ_KEYS
    return lambda a, refs: {
        **{name: getattr(textstat, name)(a) for name in READ_KEYS},
        "text_standard_float": textstat.text_standard(a, float_output=True), "text_standard": textstat.text_standard(a),
        "difficult_words_unique_ge2": sorted(textstat.difficult_words_list(a, 2)),
        "difficult_words_all_ge0": count_difficult_words(a, "en_US", 0), "difficult_words_all_ge3": count_difficult_words(a, "en_US", 3)}


def levenshtein():
    from rapidfuzz.distance import Levenshtein
    return lambda a, refs: Levenshtein.normalized_similarity(a, refs[0])


def jaro_winkler():
    from rapidfuzz.distance import JaroWinkler
    return lambda a, refs: JaroWinkler.similarity(a, refs[0])


METRICS = {"bleu": bleu, "chrf": chrf, "ter": ter, "rougeL": lambda: rouge(False), "rougeL stemmed": lambda: rouge(True), "meteor": meteor,
           "meteor split": lambda: meteor(str.split), "flesch_reading_ease": flesch, "flesch_reading_ease of prose": flesch,
           "readability, nine indices": indices, "readability, nine indices of prose": indices,
           "readability, all details": all_details, "readability, all details of prose": all_details, "levenshtein": levenshtein, "jaro_winkler": jaro_winkler}

if __name__ == "__main__":
    score = METRICS[sys.argv[1]]()
    for line in sys.stdin:
        case = json.loads(line)
        answer = score(case["output"], case["references"])
        print(json.dumps(answer if isinstance(answer, dict) else {"score": answer}))
