"""How polite an answer is: half for a greeting, half for a closing."""

import re

GREETINGS = re.compile(r"(hello|hi|good (morning|evening)|dear)\b", re.I)
CLOSINGS = re.compile(r"\b(thank you|thanks|best regards|you are welcome)[.!\s]*$", re.I)


def score(case, config):
    text = (case.get("output") or "").strip()
    if not text:
        return {"unscored": "the case has no output"}
    hits = [name for name, found in (("greeting", GREETINGS.match(text)), ("closing", CLOSINGS.search(text))) if found]
    return {"score": len(hits) / 2, "hits": hits}
