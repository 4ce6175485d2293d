"""Writes data/words.bin, data/hyphens.bin and data/hyphen_points.bin, the tables of the English profile.

    python tables.py CMUDICT

CMUDICT is the file cmudict.0.7a of the npm package rhyme 0.0.3; cmudict_nltk.tsv says where NLTK's
copy, which textstat reads, differs from it. Needs CPython 3.11 with textstat 0.7.11, pyphen 0.18.1 and zxcvbn 4.5.0.

words.bin holds the words whose syllables hyphenation does not tell: those of CMUdict whose first
pronunciation has another number of stressed phones, and the easy words of textstat. Any other word
has as many syllables as hyphenation says, whether CMUdict has it or not. The words that are frequent
in the English Wikipedia are there, too: hyphenation takes ten times as long.

The files are in the format of ../prose/tables.py.
"""
import os
import re
import runpy
import sys
from importlib.metadata import version

import pyphen
import textstat

if [version(p) for p in ("textstat", "pyphen")] != ["0.7.11", "0.18.1"]:
    sys.exit("wrong versions: the tables would change")

HERE = os.path.dirname(os.path.abspath(__file__))
prose = runpy.run_path(os.path.join(HERE, "..", "prose", "tables.py"))
automaton, digits = prose["automaton"], prose["digits"]
WORD_ALPHABET = "'_0123456789abcdefghijklmnopqrstuvwxyz"
HYPHEN_ALPHABET = ".abcdefghijklmnopqrstuvwxyz'’éﬁﬂﬀﬃﬄ"
EASY = 16
NLTK_WORDS = 123455
FREQUENT = 10_000


def cmudict(path):
    """The words of NLTK's copy with the syllables of their first pronunciation."""
    first = {}
    with open(path, encoding="latin-1") as f:
        for line in f:
            if line.startswith(";;;") or not line.strip():
                continue
            word, phones = line.rstrip("\n").split("  ", 1)
            word = re.sub(r"\(\d+\)$", "", word).lower()
            first.setdefault(word, sum(p[-1].isdigit() for p in phones.split()))
    with open(os.path.join(HERE, "cmudict_nltk.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("#"):
                continue
            word, count = line.rstrip("\n").split("\t")
            if count == "-":
                del first[word]
            else:
                first[word] = int(count)
    if len(first) != NLTK_WORDS:
        sys.exit(f"{path} with cmudict_nltk.tsv has {len(first)} words, NLTK's copy has {NLTK_WORDS}")
    return first


def main(path):
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # here: bench/nltk_data.py needs cmudict only

    if version("zxcvbn") != "4.5.0":
        sys.exit("wrong version of zxcvbn: the tables would change")
    hyphens = pyphen.Pyphen(lang="en_US")
    points = lambda word: len(hyphens.positions(word)) + 1
    first = cmudict(path)
    words = {w: n for w, n in first.items() if set(w) <= set(WORD_ALPHABET) and n != points(w)}
    easy = os.path.join(os.path.dirname(textstat.__file__), "resources", "en", "easy_words.txt")
    with open(easy) as f:
        for word in {line.strip() for line in f}:
            if word and set(word) <= set(WORD_ALPHABET):
                words[word] = EASY | first.get(word, points(word))
    for word in FREQUENCY_LISTS["english_wikipedia"][:FREQUENT]:
        if set(word) <= set(WORD_ALPHABET):
            words.setdefault(word, first.get(word, points(word)))
    patterns, pool = digits(hyphens.hd.patterns)
    for name, data in (("words", automaton(words, WORD_ALPHABET)), ("hyphens", automaton(patterns, HYPHEN_ALPHABET)), ("hyphen_points", pool)):
        with open(os.path.join(HERE, "data", name + ".bin"), "wb") as f:
            f.write(data)
        print(name, len(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
