# autoevals and Phoenix: scorer(output, expected) and evaluate(output, expected), by the names of
# their parameters.

_shims["evaluate"] = _shims["scorer"] = _shims["eval_"] = _native
