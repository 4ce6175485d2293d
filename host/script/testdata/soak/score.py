"""Scorers that behave, and scorers that try to leave something behind."""

import builtins
import math
import os
import random
import sys
import time
from collections import Counter

from f1 import score as f1

LOG = []


def bleu(case, config):
    out, ref = case["output"].lower().split(), case["references"][0].lower().split()
    logs = 0.0
    for n in (1, 2):
        a, b = (Counter(zip(*(t[i:] for i in range(n)))) for t in (out, ref))
        logs += math.log((sum((a & b).values()) + 1) / (sum(a.values()) + 1)) / 2
    return math.exp(logs + min(0, 1 - len(ref) / max(len(out), 1)))


def world(case, config):
    LOG.append(case["output"])
    seen = len(LOG), random.random(), time.time(), id(object()), hash("a"), os.urandom(4).hex(), getattr(builtins, "LEFT", 0), len(sys.modules), sys.getrefcount(LOG)
    builtins.LEFT = seen
    random.seed(len(case["output"]))
    return {"score": 0, "details": {"seen": repr(seen)}}


def raises(case, config):
    LOG.append(1)
    return {}[case["output"]]


def grows(case, config):
    LOG.append(bytearray(20 << 20))
    return len(LOG[-1]) / 1e9


def spoils(case, config):
    Counter.__and__ = Counter.update = str.join
    math.log = math.exp = None
    sys.modules.clear()
    vars(builtins).pop("len")
    return 0.5


def endless(case, config):
    while True:
        LOG.append(1)


def deep(case, config):
    return deep(case, config)


def ends(case, config):
    os._exit(len(case["output"]) % 3)
