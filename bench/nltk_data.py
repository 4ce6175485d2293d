"""Writes the CMU pronouncing dictionary where nltk looks for it: `nltk_data.py DIRECTORY`.
textstat would fetch it from the network. The words and syllables are those of NLTK's copy: the npm
package rhyme ships the published cmudict.0.7a, and plugins/readability/cmudict_nltk.tsv has the
differences. Phones are lost but for their number of syllables, of the first pronunciation."""

import importlib.util
import os
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("tables", os.path.join(HERE, "../plugins/readability/tables.py"))
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)

target = os.path.join(sys.argv[1], "corpora", "cmudict")
os.makedirs(target, exist_ok=True)
with tempfile.TemporaryDirectory() as work:
    packed = subprocess.run(["npm", "pack", "--silent", "rhyme@0.0.3"], cwd=work, check=True, capture_output=True, text=True).stdout.strip()
    with tarfile.open(os.path.join(work, packed)) as package:
        published = os.path.join(work, "cmudict")
        with open(published, "wb") as f:
            f.write(package.extractfile("package/data/cmudict.0.7a").read())
    words = tables.cmudict(published)
with open(os.path.join(target, "part"), "w", encoding="utf-8") as f:
    for word, syllables in words.items():
        f.write(f"{word.upper()} 1 {' '.join(['AH0'] * syllables) or 'M'}\n")
os.rename(os.path.join(target, "part"), os.path.join(target, "cmudict"))
