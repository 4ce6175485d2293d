"""Whether the answer in the output is mathematically a reference, as math-verify 0.9.0 decides it with sympy.

Hugging Face's math-verify stops a comparison that does not end with a signal, or not at all. Here fuel ends it, and
such an answer has no score.
"""

import importlib.metadata
import itertools
import logging
import sys

# latex2sympy2_extended asks which version of antlr4 is installed; a script's packages have no metadata.
_version = importlib.metadata.version
importlib.metadata.version = lambda name: "4.13.2" if name == "antlr4-python3-runtime" else _version(name)

from math_verify import parse, verify  # noqa: E402

logging.disable()  # math-verify warns that it has no timeout

_exhausted = []


def _raised(code, offset, error):
    if isinstance(error, (MemoryError, RecursionError)):
        _exhausted.append(type(error).__name__)


# math-verify and sympy catch every exception. An answer that used up the memory was not compared.
sys.monitoring.use_tool_id(sys.monitoring.DEBUGGER_ID, "math-verify")
sys.monitoring.register_callback(sys.monitoring.DEBUGGER_ID, sys.monitoring.events.RAISE, _raised)
sys.monitoring.set_events(sys.monitoring.DEBUGGER_ID, sys.monitoring.events.RAISE)


def _parsed(text):
    return parse(text, parsing_timeout=None, raise_on_error=True)


def _reference(text):
    """A reference that is LaTeX without a formula's marks is a formula; math-verify would look for numbers in it."""
    if "\\" in text and not any(mark in text for mark in ("$", "\\(", "\\[", "\\boxed", "\\begin{")):
        text = "$" + text + "$"
    return _parsed(text)


def score(case, config):
    output, references = case.get("output"), case.get("references") or []
    if output is None:
        return {"unscored": "the case has no output"}
    del _exhausted[:]
    try:
        golds = [(text, gold) for text in references for gold in _reference(text)]
        if not golds:
            return {"unscored": "the case has no reference that math-verify can read"}
        answers, failed = _parsed(output), None
        for (text, gold), answer in itertools.product(golds, answers):
            try:
                if verify(gold, answer, timeout_seconds=None, raise_on_error=True, **config):
                    return {"score": 1.0, "details": {"answer": str(answer)[:200], "expected": text[:200]}}
            except Exception as e:  # sympy raises whatever it likes
                failed = failed or "%s: %s" % (type(e).__name__, str(e)[:200])
    except Exception as e:
        failed = "%s: %s" % (type(e).__name__, str(e)[:200])
        answers = []
    if _exhausted:
        return {"unscored": "math-verify ended with %s: the answer was not compared" % _exhausted[0]}
    if failed:
        return {"unscored": "math-verify failed: " + failed}
    return {"score": 0.0, "details": {"answer": str(answers[0])[:200] if answers else "", "expected": golds[0][0][:200]}}


# Grammar, regular expressions and sympy's own caches are there in every call.
__warmup__ = [
    {"case": {"output": output, "references": [reference]}, "config": {}}
    for output, reference in [
        ("The answer is $\\frac{1}{2}$.", "0.5"), ("\\boxed{(x+1)^2}", "$x^2+2x+1$"), ("$\\{1,2\\}$", "$\\{2,1\\}$"), ("$[0,1)$", "$[0,1)$"),
        ("$\\sqrt{8}$", "$2\\sqrt{2}$"), ("$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$", "$\\begin{pmatrix}1&2\\\\3&5\\end{pmatrix}$"), ("$x=5$", "$5$"),
        ("$\\sin^2 x+\\cos^2 x$", "$1$"), ("10%", "0.1"), ("$1<x<2$", "$(1,2)$"), ("\\[\\log_2 8\\]", "$3$"), ("the final answer is $\\pi/4$. I hope it is correct.", "$\\frac{\\pi}{4}$"),
    ]
]
