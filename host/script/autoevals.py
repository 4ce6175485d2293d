# autoevals and Phoenix: scorer(output, expected) and evaluate(output, expected), by the names of
# their parameters. A scorer that is code needs no more of autoevals than its Score.

_shims["evaluate"] = _shims["scorer"] = _shims["eval_"] = _native

_provided.update({
    "autoevals/__init__.py": "from .score import Score\n",
    "autoevals/score.py": """class Score:
    def __init__(self, name, score=None, metadata=None, error=None):
        self.name, self.score, self.metadata = name, score, metadata or {}
        if error is not None:
            self.error = str(error)

    def as_dict(self):
        return dict(vars(self))
""",
})


def _explain_autoevals(e):
    if isinstance(e, ImportError) and (e.name or "").partition(".")[0] == "autoevals":
        return "; of autoevals there is Score, for scorers that are code; what asks a model is a criterion for the judge"


_hints.append(_explain_autoevals)
