# OpenAI and Azure: grade(sample, item).

def _openai(f):
    def score(case, config):
        output = case.get("output")
        try:
            parsed = json.loads(output)
        except (TypeError, ValueError):
            parsed = None
        return f({"output_text": output, "output_json": parsed, "choices": [{"message": {"role": "assistant", "content": output}}], "model": ""},
                 {**_row(case, {"query": case.get("input"), "response": output, "ground_truth": _expected(case), "sample": {"output_text": output}},
                         {**case, "reference": _expected(case), "reference_answer": _expected(case)}), **_object(case, "item")})
    return _of_output(score, ())


_shims["grade"] = _openai
