# promptfoo: get_assert(output, context).

def _vars(case):
    return {**_row(case, {}, {"input": case.get("input"), "expected": _expected(case), "references": case.get("references")}), **_object(case, "vars")}


def _promptfoo(f):
    def score(case, config):
        vars = _vars(case)
        return f(case.get("output"), {"vars": vars, "prompt": case.get("input"), "config": config, "test": {"vars": vars}, "provider": None, "logProbs": None})
    return _of_output(score)


_shims["get_assert"] = _promptfoo
