"""The families of diff.py whose cases are not pairs of texts: answers, formats, tool calls.
Each is an export, its configuration, a function that makes a case, and one that gives the
score that the real package gives. None as the reference's score skips a case. A score of
ours that is missing is undecided: counted, and no difference."""

import contextlib
import importlib.util
import io
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
from types import ModuleType, SimpleNamespace


def module(package, path):
    """A module of a package by its file: the package itself would import torch."""
    root = importlib.util.find_spec(package).submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location(path.replace("/", "_"), pathlib.Path(root, path + ".py"))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


MODULES = {}


def verl(name):
    if name not in MODULES:
        MODULES[name] = module("verl", "utils/reward_score/" + name)
    return MODULES[name]


def squad_2(output, references):
    """Exact match and F1 by the SQuAD 2.0 script that transformers ships, without its imports of transformers."""
    if "squad" not in MODULES:
        root = importlib.util.find_spec("transformers").submodule_search_locations[0]
        source = pathlib.Path(root, "data/metrics/squad_metrics.py").read_text()
        MODULES["squad"] = {}
        exec(re.sub(r"(?m)^(from \.\.\.|logger = ).*", "", source), MODULES["squad"])
    question = SimpleNamespace(qas_id=0, answers=[{"text": r} for r in references])
    exact, f1 = MODULES["squad"]["get_raw_scores"]([question], {0: output})
    return exact[0], f1[0]


PARTS = ["Yes", "no", "the answer", "İ", "Straße", "STRASSE", "ΟΔΟΣ", "42", "-3.50", "$1,234", "1,000,000", "60%", "½", "2½", "3²", "1e3", "0.1", "(7)",
         "**12**", "5!", "7.", ".", "!", "A", "the", "an", "well-known", "-5", "5.0", "1_000", "\\$20", "٣", "１２", "日本", "\n", "\t", "  ", "€9", "x", "", "don't", "a"]


def words(rnd, most=6):
    return "".join(rnd.choice(PARTS) + rnd.choice([" ", " ", " ", "", "\n", ", "]) for _ in range(rnd.randint(0, most)))


def texts(rnd):
    output = words(rnd)
    refs = [rnd.choice([rnd.choice(PARTS), words(rnd, 2), output.strip().split(" ")[-1], output.swapcase(), output[: len(output) // 2]]) for _ in range(rnd.randint(1, 2))]
    return {"output": output, "references": refs}


def match_case(rnd):
    case = texts(rnd)
    # There, spaces and line ends in a reference may group the digits of one number.
    case["references"] = ["".join(r.split()) for r in case["references"]]
    return case


def match(location, numeric):
    def f(case):
        from inspect_ai.scorer._common import match_str
        from inspect_ai._util.text import strip_numeric_punctuation, strip_punctuation
        # A reference of nothing but punctuation matches every output there; it is passed over here.
        refs = [r for r in case["references"] if strip_punctuation(strip_numeric_punctuation(r.strip().casefold()) if numeric else r.strip())]
        # Nor does it read superscripts before digits or fractions, or groups of digits between spaces.
        if numeric and re.search(r"[²³]\s?\S*[\d½]" + r"|\d\s+\.?\d" * (location == "exact"), strip_numeric_punctuation(" ".join([case["output"], *refs]))):
            return None
        return float(any(match_str(case["output"], r, location=location, numeric=numeric)[1] for r in refs)) if refs else None
    return f


PATTERNS = [r"(\w+)", r"(\d+)(?:\.\d+)?", r"answer\s*(\S*)", r"(?P<n>-?\$?[\d,.]+)", r"(a)|(\d+)", r"(\S+)\s+(\S+)", r"\d+", r"(x*)(\w)", r"^(.*?)[.!]?$",
            r"(?i:THE) (\w+)|(no)", r"([A-Za-z]+?)([^A-Za-z]|$)", r"(\W)(\w)?", r"((\w)\w*)", r"(yes|no|x)+", r"(?m)^(.+)$", r"(?:(a)|(b)|(t))+", "(.*)", "(nothing)?"]


def pattern_case(rnd):
    case = texts(rnd)
    words = [w for w in re.findall(r"\w+|\S", case["output"]) if w]
    case["references"] = [rnd.choice([*words, rnd.choice(PARTS), ""]) for _ in range(rnd.randint(1, 3))]
    case["config"] = {"pattern": rnd.choice(PATTERNS), "ignore_case": rnd.random() < 0.7, "match_all": rnd.random() < 0.3}
    return case


def inspect_pattern(case):
    import asyncio
    from inspect_ai.scorer import Target, pattern
    scorer = pattern(case["config"]["pattern"], case["config"]["ignore_case"], case["config"]["match_all"])
    state = SimpleNamespace(output=SimpleNamespace(completion=case["output"]))
    return float(asyncio.run(scorer(state, Target(case["references"]))).value == "C")


def inspect_f1(case):
    from inspect_ai.scorer._classification import max_exact_score, max_f1_score
    return {"exact": max_exact_score(case["output"], case["references"]), "f1_2": max_f1_score(case["output"], case["references"])}


def includes(case):
    refs = [r for r in case["references"] if r]
    return float(any(r.casefold() in case["output"].casefold() for r in refs)) if refs else None


def marked_case(rnd):
    parts = ["ANSWER:", "Answer :", "answer:", "ANSWER", ":", " ", "\n", "A", "b", "C)", "yes", "No.", "42 km", "(D)", "!", "\t", "The end", "é"]
    return {"output": "".join(rnd.choice(parts) + rnd.choice(["", " ", " "]) for _ in range(rnd.randint(1, 7))), "references": [rnd.choice(["A", "B", "c", "yes", "no", "No.", "42 km", "C)", "A b"])]}


def marked(pattern):
    def f(case):
        from inspect_ai._util import pattern as p
        m = re.search(getattr(p, "ANSWER_PATTERN_" + pattern.upper()), case["output"], re.IGNORECASE)
        return float(bool(m) and m.group(1).lower() in [r.lower() for r in case["references"]])
    return f


def think_case(rnd):
    parts = ["<think>", "</think>", "\n", "reason", " ", "<answer>", "x"]
    return {"output": rnd.choice(["<think>", "", " "]) + "".join(rnd.choice(parts) for _ in range(rnd.randint(0, 6)))}


def think(case):
    if "trl" not in MODULES:
        MODULES["trl"] = module("trl", "rewards/format_rewards")
    return MODULES["trl"].think_format_reward([[{"content": case["output"]}]])[0]


LATEX = ["\\frac{1}{2}", "\\frac12", "\\dfrac{3}{4}", "\\frac1{72}", "0.5", ".5", "1/2", "\\sqrt2", "\\sqrt{2}", "\\sqrt 3", "12", "1,234", "1234", "x", "=", " ", "\\text{ cm}", "\\text{and}", "\\text{m}",
         "\\%", "\\$", "$", "^\\circ", "^{\\circ}", "\\left(", "\\right)", "(", ")", "{", "}", ",", "\\!", "\\\\", "units", "degrees", "a ", "an ", "k = 5", "\n", "\\mbox{m}", "\\overline{3}", "\\boxed{7}", "-", "+", "²"]


def latex(rnd, most=4):
    return "".join(rnd.choice(LATEX) for _ in range(rnd.randint(1, most)))


def verl_case(rnd):
    gold = latex(rnd)
    answer = rnd.choice([gold, gold, gold.replace(" ", ""), latex(rnd), gold + rnd.choice(LATEX), "0.5", "\\frac{1}{2}"])
    wrap = rnd.choice(["\\boxed{%s}", "\\boxed{%s}", "\\boxed %s$ x", "Answer: %s", "answer : %s\n", "Answer: $%s$", "so \\fbox{%s}", "%s", "#### %s", "Answer: 3\nAnswer: %s"])
    filler = rnd.choice(["", "We compute. ", "x" * 310, "Long " * 20])
    return {"output": filler + wrap.replace("%s", answer) + rnd.choice(["", ".", "\nDone"]), "references": [gold]}


def math_reward(case):
    with contextlib.redirect_stdout(io.StringIO()):  # it prints its exceptions
        return float(verl("math_reward").compute_score(case["output"], case["references"][0]))


def math_dapo(case):
    return float(verl("math_dapo").compute_score(case["output"], case["references"][0])["acc"])


def prime_math(case):
    """verl's prime_math. Its package depends on ray and torch, for a timeout that is left out here."""
    if "prime" not in MODULES:
        root = importlib.util.find_spec("verl").submodule_search_locations[0]
        for name in ("verl", "verl.utils"):
            sys.modules.setdefault(name, ModuleType(name)).__path__ = []
        functional = sys.modules["verl.utils.py_functional"] = ModuleType("verl.utils.py_functional")
        functional.timeout_limit = lambda seconds, use_signals=False: lambda f: f
        path = pathlib.Path(root, "utils/reward_score/prime_math")
        spec = importlib.util.spec_from_file_location("prime_math", path / "__init__.py", submodule_search_locations=[str(path)])
        MODULES["prime"] = sys.modules["prime_math"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(MODULES["prime"])
    with contextlib.redirect_stdout(io.StringIO()):  # it prints its exceptions
        return float(bool(MODULES["prime"].compute_score(case["output"], case["references"][0].strip("$"))[0]))


def gsm_case(rnd):
    parts = ["#### ", "####", "-", "12", "1,234", "3.5", ".", ",", " ", "$", "\n", "so", "x" * 100]
    return {"output": "".join(rnd.choice(parts) for _ in range(rnd.randint(0, 8))), "references": [rnd.choice(["12", "1234", "1,234", "3.5", "-12", "123.5"])]}


def gsm8k(method):
    """verl's extraction. Commas, dollars and a full stop at the end do not count, as in lm-eval; verl gives 0 to a right 2,125."""
    plain = lambda number: re.sub(r"\.$", "", re.sub("[,$]", "", number.strip()))

    def grade(case):
        found = verl("gsm8k").extract_solution(case["output"], method=method)
        return float(found is not None and plain(found) == plain(case["references"][0]))
    return grade


def number(rnd):
    return rnd.choice([str(rnd.randint(0, 30)), str(rnd.randint(-9, 2000)), f"{rnd.randint(0, 99)}.{rnd.randint(0, 99)}", f"\\frac{{{rnd.randint(1, 12)}}}{{{rnd.randint(1, 12)}}}",
                       f"\\sqrt{{{rnd.randint(2, 20)}}}", f"{rnd.randint(2, 9)}\\sqrt{{{rnd.randint(2, 9)}}}", f"\\frac{{\\sqrt{{{rnd.randint(2, 9)}}}}}{{{rnd.randint(2, 9)}}}", "\\pi", f"{rnd.randint(2, 9)}\\pi",
                       f"{rnd.randint(2, 5)}^{{{rnd.randint(2, 5)}}}", f"{rnd.randint(1, 99)}\\%", f"-\\frac{{{rnd.randint(1, 9)}}}{{{rnd.randint(2, 9)}}}"])


def expression(rnd):
    a, b, c = rnd.randint(1, 6), rnd.randint(1, 6), rnd.randint(2, 4)
    return rnd.choice([(f"{a}x+{b}", f"{b}+{a}x"), (f"(x+{a})(x+{b})", f"x^2+{a + b}x+{a * b}"), (f"x^{c}", f"x^{{{c}}}"), (f"\\frac{{x}}{{{c}}}", f"x/{c}"), (f"(x-{a})^2", f"x^2-{2 * a}x+{a * a}"),
                       (f"\\sqrt{{{a * a * b}}}", f"{a}\\sqrt{{{b}}}"), (f"\\frac{{{a}}}{{\\sqrt{{{c}}}}}", f"\\frac{{{a}\\sqrt{{{c}}}}}{{{c}}}"), ("\\sin^2 x+\\cos^2 x", "1"), (f"\\ln {c}+\\ln {b}", f"\\ln {b * c}"),
                       (f"{a}!", str([1, 1, 2, 6, 24, 120, 720][a])), (f"\\binom{{{a + b}}}{{{a}}}", f"\\binom{{{a + b}}}{{{b}}}"), (f"e^{{{a}}}\\cdot e^{{{b}}}", f"e^{{{a + b}}}"), (f"|{a}-{b}|", str(abs(a - b)))])


def compound(rnd):
    a, b = sorted(rnd.sample(range(-9, 12), 2))
    c = rnd.randint(12, 20)
    return rnd.choice([(f"({a},{b})", f"({a}, {b})"), (f"[{a},{b})", f"[{a}, {b})"), (f"\\{{{a},{b},{c}\\}}", f"\\{{{c},{b},{a}\\}}"), (f"{a}, {b}", f"{b}, {a}"), (f"x={a}", f"{a}"), (f"x={a}", f"x = {a}"),
                       (f"y={c}x+{b}", f"{c}x+{b}"), (f"({a},{b},{c})", f"({a},{b},{c})"), (f"(-\\infty,{a})\\cup({b},\\infty)", f"({b},\\infty)\\cup(-\\infty,{a})"), (f"\\begin{{pmatrix}}{a}&{b}\\\\{c}&1\\end{{pmatrix}}",) * 2,
                       (f"{a}<x<{b}", f"({a},{b})"), (f"\\text{{even}}", "\\text{even}"), (f"{c}\\text{{ cm}}", f"{c}"), (f"{c}^\\circ", f"{c}"), (f"x \\le {b}", f"x\\leq {b}"), ("\\pm 3", "3, -3")])


def math_case(rnd):
    kind = rnd.randint(0, 3)
    if kind == 0:
        gold = number(rnd)
        answer = rnd.choice([gold, number(rnd)])
    else:
        gold, answer = (expression if kind < 3 else compound)(rnd)
        if rnd.random() < 0.4:  # another answer of the same kind
            answer = rnd.choice((expression if kind < 3 else compound)(rnd))
        if rnd.random() < 0.5:
            gold, answer = answer, gold
    wrap = rnd.choice(["$%s$", "The answer is $%s$.", "$\\boxed{%s}$", "So \\[ \\boxed{%s} \\]", "We get 17, hence the final answer is $%s$. I hope it is correct.", "The final answer is: $%s$"])
    return {"output": wrap.replace("%s", answer), "references": ["$" + gold + "$"]}


def math_verify(case):
    from math_verify import parse, verify
    # Its 5 seconds are of the wall clock, and a busy machine passes them.
    gold, answer = (parse(text, parsing_timeout=100) for text in (case["references"][0], case["output"]))
    return float(verify(gold, answer, allow_set_relation_comp=True, timeout_seconds=100)) if gold else None


def xml_case(rnd):
    parts = ["<a>", "</a>", "<b x='1'>", "</b>", "<c/>", "text", "&amp;", "&lt;", "&#65;", "&#x1F600;", "&x;", "<!-- c -->", "<![CDATA[ <x> ]]>", "<?pi x?>", " ", "\n", "<", ">", "&", "]]>", "<d y=\"2\" y='3'/>", "é",
             "<é/>", "<!DOCTYPE a>", "<!DOCTYPE a [<!ENTITY x 'y'>]>", "<?xml version='1.0'?>", "--"]
    inner = "".join(rnd.choice(parts) for _ in range(rnd.randint(0, 5)))
    return {"output": rnd.choice(["<a>%s</a>", "<a>%s</a>", "%s", "<?xml version='1.0'?><r>%s</r>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>%s</a>"]).replace("%s", inner)}


def xml(case):
    import xml.parsers.expat as expat
    try:
        expat.ParserCreate().Parse(case["output"].encode(), True)
        return 1.0
    except expat.ExpatError:
        return 0.0


def json_value(rnd, depth=2):
    kind = rnd.randint(0, 7 if depth else 4)
    return (None, True, rnd.randint(-3, 3), rnd.choice([0.5, 1.0, 1e3]), rnd.choice(["", "a", "é"]))[kind] if kind < 5 else [json_value(rnd, depth - 1) for _ in range(rnd.randint(0, 3))] if kind < 6 else {
        rnd.choice("abc"): json_value(rnd, depth - 1) for _ in range(rnd.randint(0, 3))}


def json_case(rnd):
    text = json.dumps(json_value(rnd), ensure_ascii=rnd.random() < 0.5, indent=rnd.choice([None, 1]))
    for _ in range(rnd.randint(0, 2)):
        at = rnd.randint(0, len(text))
        text = text[:at] + rnd.choice(["", ",", "}", "]", "\"", "1", ".", "e", "\\", "\n", "[", "-", "\x01"]) + text[at + rnd.randint(0, 1):]
    return {"output": text}


def json_valid(case):
    def constant(name):
        raise ValueError(name)
    try:
        json.loads(case["output"], parse_constant=constant)
        return 1.0
    except ValueError:
        return 0.0


def calls(rnd, like=None):
    if like is not None and rnd.random() < 0.8:
        out = [dict(c, args=dict(c["args"])) for c in like]
        for _ in range(rnd.randint(0, 2)):
            kind = rnd.randint(0, 4)
            if kind == 0 and out:
                out.pop(rnd.randrange(len(out)))
            elif kind == 1:
                out.insert(rnd.randint(0, len(out)), calls(rnd)[0] if rnd.random() < 2 else {})
            elif kind == 2:
                rnd.shuffle(out)
            elif kind == 3 and out:
                rnd.choice(out)["args"][rnd.choice("qrs")] = rnd.randint(0, 2)
            elif out:
                rnd.choice(out)["args"].pop("q", None)
        return out
    return [{"name": rnd.choice(["search", "open", "edit"]), "args": {k: rnd.choice([0, 1, "x", [1, 2]]) for k in rnd.sample("qrs", rnd.randint(0, 2))}} for _ in range(rnd.randint(1, 4))]


def message(rnd, list_of_calls):
    out, at = [{"role": "user", "content": "go"}], 0
    while at < len(list_of_calls):
        n = rnd.randint(1, 2)
        out.append({"role": "assistant", "content": "", "tool_calls": [{"id": "", "type": "function", "function": {"name": c["name"], "arguments": json.dumps(c["args"])}} for c in list_of_calls[at:at + n]]})
        at += n
    return out + [{"role": "assistant", "content": "done"}]


def trajectory_case(rnd):
    want = calls(rnd)
    return {"output": message(rnd, calls(rnd, want)), "expected_output": message(rnd, want)}


def agentevals(mode, args):
    def f(case):
        from agentevals.trajectory.match import create_trajectory_match_evaluator
        if (mode, args) not in MODULES:
            MODULES[mode, args] = create_trajectory_match_evaluator(trajectory_match_mode=mode, tool_args_match_mode=args)
        ask = lambda outputs, expected: float(MODULES[mode, args](outputs=json.loads(json.dumps(outputs)), reference_outputs=json.loads(json.dumps(expected)))["score"])
        score = ask(case["output"], case["expected_output"])
        if score or args in ("exact", "ignore"):
            return score
        # It takes the first call that fits. In another order of the calls, of each message if it is strict, which must not count here, it finds the pairs that exist.
        for field in ("output", "expected_output"):
            calls = [m for m in case[field] if m.get("tool_calls")]
            calls = case[field] if mode == "strict" else [{**calls[0], "tool_calls": [call for m in calls for call in m["tool_calls"]]}] if calls else []
            orders = itertools.product(*([{**m, "tool_calls": list(order)} for order in itertools.permutations(m["tool_calls"])] if m.get("tool_calls") else [m] for m in calls))
            for messages in itertools.islice(orders, 720):
                one = {**case, field: list(messages)}
                score = score or ask(one["output"], one["expected_output"])
        return score
    return f


def difference_case(rnd):
    a, b = (round(rnd.uniform(-50, 50), rnd.randint(0, 3)) for _ in range(2))
    return {"output": f"It is {a}", "references": [str(rnd.choice([a, b, -a, 0]))]}


def numeric_difference(case):
    # autoevals' NumericDiff.
    a, b = float(case["output"].split()[-1]), float(case["references"][0])
    return 1.0 if a == b == 0 else 1 - abs(a - b) / (abs(a) + abs(b))


def repetition_case(rnd):
    return {"output": " ".join(rnd.choice("abcdé") for _ in range(rnd.randint(0, 30)))}


def repetition(case):
    if "repetition" not in MODULES:
        MODULES["repetition"] = module("trl", "rewards/other_rewards").get_repetition_penalty_reward(3, -1.0)
    ids = {}
    tokens = [ids.setdefault(w, len(ids)) for w in case["output"].split()]
    return 1 + MODULES["repetition"]([tokens])[0]


def string_check_case(rnd):
    case = texts(rnd)
    case["references"] = [r for r in case["references"][:1] if r] or ["x"]
    return case


SWAPPED = {"subset": "superset", "superset": "subset"}

# Family: export, configuration, case, reference, share of the cases.
FAMILIES = {
    **{f"inspect match {where}{' numeric' * n}": ("text_match", {"location": where, "numeric": bool(n)}, match_case if n else texts, match(where, bool(n)), 0.5) for where in ("begin", "end", "any", "exact") for n in (0, 1)},
    "inspect includes": ("contains", {"ignore_case": True}, texts, includes, 1),
    "inspect pattern": ("pattern", {}, pattern_case, inspect_pattern, 1),
    "inspect f1 and exact": ("word_f1", {}, texts, inspect_f1, 1),
    **{f"inspect answer {p}": ("marked", {"pattern": p}, marked_case, marked(p), 1) for p in ("letter", "word", "line")},
    "openai string_check eq": ("exact", {}, string_check_case, lambda c: float(c["output"] == c["references"][0]), 0.5),
    "openai string_check ne": ("exact", {"negate": True}, string_check_case, lambda c: float(c["output"] != c["references"][0]), 0.5),
    "openai string_check like": ("contains", {}, string_check_case, lambda c: float(c["references"][0] in c["output"]), 0.5),
    "trl think_format": ("think", {}, think_case, think, 1),
    "trl repetition": ("repetition", {}, repetition_case, repetition, 1),
    "verl math_reward": ("math_reward", {}, verl_case, math_reward, 1),
    "verl math_dapo": ("math_dapo", {}, verl_case, math_dapo, 1),
    "verl gsm8k": ("gsm8k", {}, gsm_case, gsm8k("strict"), 1),
    "verl gsm8k flexible": ("gsm8k", {"method": "flexible"}, gsm_case, gsm8k("flexible"), 1),
    # It rejects more than we do: only its accepted answers are compared.
    "verl prime_math": ("math", {}, math_case, lambda case: prime_math(case) or None, 0.2),
    "math_verify": ("math", {}, math_case, math_verify, 0.2),
    "expat": ("xml", {}, xml_case, xml, 1),
    "json.loads": ("json", {}, json_case, json_valid, 1),
    "autoevals NumericDiff": ("numeric", {"graded": True}, difference_case, numeric_difference, 1),
    **{f"agentevals {theirs} {args}": ("trajectory", {"mode": ours, "args": args}, trajectory_case, agentevals(theirs, SWAPPED.get(args, args) if theirs == "subset" else args), 0.25)
       # Of its subset, AgentEvals swaps the sides of the arguments too.
       for theirs, ours in (("strict", "strict"), ("unordered", "any_order"), ("subset", "subset"), ("superset", "superset")) for args in ("exact", "ignore", "subset", "superset")
       # Its unordered match wants arguments to be subsets both ways.
       if theirs != "unordered" or args in ("exact", "ignore")},
}


class Promptfoo:
    """An assertion of the promptfoo in the directory of the environment variable PROMPTFOO."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value

    def all(self, rows):
        lines = "".join(json.dumps({"type": self.kind, "value": self.value(r), "output": r["output"]}) + "\n" for r in rows)
        program = pathlib.Path(__file__).with_name("diff_promptfoo.mjs")
        run = subprocess.run(["node", program, os.environ["PROMPTFOO"]], input=lines, capture_output=True, text=True, check=True, env={**os.environ, "PROMPTFOO_DISABLE_TELEMETRY": "1"})
        scores = [float(json.loads(line)) for line in run.stdout.splitlines()]
        assert len(scores) == len(rows), run.stderr
        return scores


def promptfoo_case(rnd):
    case = texts(rnd)
    # It folds case by toLowerCase; what that leaves apart is in the family of Inspect's includes.
    clean = {c: None for c in map(ord, "İßẞΣΟΔς")}
    case["output"] = case["output"].translate(clean)
    case["references"] = [r.translate(clean) or "x" for r in case["references"]]
    return case


def tools_case(rnd):
    return {"output": [{"name": rnd.choice("abcd")} for _ in range(rnd.randint(0, 4))], "expected_tool_calls": [{"name": rnd.choice("abcd")} for _ in range(rnd.randint(1, 3))]}


def all_of(case):
    return case["references"]


def first_of(case):
    return case["references"][0]


if os.environ.get("PROMPTFOO"):
    FAMILIES |= {
        "promptfoo equals": ("exact", {}, lambda r: {**promptfoo_case(r), "references": [r.choice(PARTS) or "x"]}, Promptfoo("equals", first_of), 1),
        "promptfoo contains-any": ("contains", {}, promptfoo_case, Promptfoo("contains-any", all_of), 1),
        "promptfoo contains-all": ("contains", {"mode": "all"}, promptfoo_case, Promptfoo("contains-all", all_of), 1),
        "promptfoo not-contains-any": ("contains", {"mode": "none"}, promptfoo_case, Promptfoo("not-contains-any", all_of), 1),
        "promptfoo icontains-any": ("contains", {"ignore_case": True}, promptfoo_case, Promptfoo("icontains-any", all_of), 1),
        "promptfoo icontains-all": ("contains", {"ignore_case": True, "mode": "all"}, promptfoo_case, Promptfoo("icontains-all", all_of), 1),
        "promptfoo starts-with": ("contains", {"at": "start"}, lambda r: (lambda c: {**c, "references": c["references"][:1]})(promptfoo_case(r)), Promptfoo("starts-with", first_of), 1),
        "promptfoo regex": ("regex", {}, lambda r: {**promptfoo_case(r), "references": [r.choice(["[0-9]+", "^the", "an?", "Y|n", "\\$1", "(a|b)+"])]}, Promptfoo("regex", first_of), 1),
        "promptfoo is-json": ("json", {}, json_case, Promptfoo("is-json", lambda c: None), 1),
        # It refuses documents that declare entities.
        "promptfoo is-xml": ("xml", {}, lambda r: (lambda c: c if "[<!E" not in c["output"] else {"output": "<a/>"})(xml_case(r)), Promptfoo("is-xml", lambda c: None), 1),
        "promptfoo word-count": ("length", {"min": 2, "max": 5}, promptfoo_case, Promptfoo("word-count", lambda c: {"min": 2, "max": 5}), 1),
        "promptfoo tool-call-f1": ("tool_f1", {}, tools_case, Promptfoo("tool-call-f1", lambda c: [t["name"] for t in c["expected_tool_calls"]]), 1),
    }


class AgentV(Promptfoo):
    """A grader of the AgentV in the directory of the environment variable AGENTV: of a case, unless passes_over(case)."""

    def __init__(self, kind, config, passes_over=lambda case: False):
        self.kind, self.config, self.passes_over = kind, config, passes_over

    def all(self, rows):
        lines = "".join(json.dumps({"kind": self.kind, "config": self.config(r), "output": r.get("output"), "messages": r.get("output_messages")}) + "\n" for r in rows)
        run = subprocess.run(["node", pathlib.Path(__file__).with_name("diff_agentv.mjs"), os.environ["AGENTV"]], input=lines, capture_output=True, text=True, check=True)
        scores = [float(json.loads(line)) for line in run.stdout.splitlines()]
        assert len(scores) == len(rows), run.stderr
        return [None if self.passes_over(r) else score for r, score in zip(rows, scores)]


def agentv_case(rnd):
    case = promptfoo_case(rnd)
    space = lambda: "".join(rnd.choice(" \n\t\xa0\u3000\r\u2028") for _ in range(rnd.choice([0, 0, 1, 2])))
    case["output"] = space() + case["output"] + space()
    case["references"] = [r if r.strip() else "x" for r in case["references"]]
    if rnd.random() < 0.5:
        inner = case["output"].strip()
        at = rnd.randint(0, len(inner))
        case["references"][0] = space() + (rnd.choice([inner, inner[:at], inner[at:]]).strip() or "x") + space()
    return case


def one(case):
    return {**case, "references": case["references"][:1]}


def flagged_case(rnd):
    pattern, flags = rnd.choice(["[0-9]+", "^the", "an?", "y|n", "\\$1", "(a|b)+", "^[^a]*.x", "answer.", "NO|42"]), rnd.choice(["", "i", "m", "s", "im", "is"])
    return {**promptfoo_case(rnd), "references": [f"(?{flags}){pattern}" if flags else pattern]}


def flagged(case):
    flags, pattern = re.fullmatch(r"(?:\(\?([a-z]+)\))?(.*)", case["references"][0], re.S).groups()
    return {"pattern": pattern, "flags": flags or ""}


ARGS = ["exact", "exact", "ignore", "subset", "superset", ["q"], ["q", "r.a"]]


def agentv_trajectory_case(mode):
    def f(rnd):
        want = calls(rnd)
        for call in want:
            if rnd.random() < 0.2:
                call["args"]["r"] = json_value(rnd)
        got, messages = calls(rnd, want), [{"role": "user", "content": "go"}]
        while got:
            n = rnd.randint(1, 2)
            messages.append({"role": "assistant", "content": "", "toolCalls": [{"tool": c["name"], "input": c["args"]} for c in got[:n]]})
            got = got[n:]
        expected = [{"tool": c["name"]} if rnd.random() < 0.1 else {"tool": c["name"], "args": "any" if rnd.random() < 0.1 else c["args"]} for c in want]
        config = {"mode": mode, "partial": True, "expected": expected, "args": rnd.choice(ARGS)}
        if rnd.random() < 0.3:
            config["tool_args"] = {rnd.choice(["search", "open", "edit"]): rnd.choice(ARGS)}
        return {"output_messages": messages, "config": config}
    return f


def rule(case, tool):
    return case["config"].get("tool_args", {}).get(tool, case["config"]["args"])


def agentv_trajectory(mode):
    return lambda case: {"mode": mode, "expected": [{**call, "argsMatch": rule(case, call["tool"])} for call in case["config"]["expected"]]}


def path_is_not_expected(case):
    """Whether a path of args leads to nothing in an expected call: AgentV then takes whatever a call has there."""
    def at(value, path):
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value
    return any(isinstance(rule(case, call["tool"]), list) and any(at(call.get("args"), path) is None for path in rule(case, call["tool"])) for call in case["config"]["expected"])


def counts_case(rnd):
    case = agentv_trajectory_case("")(rnd)
    return {"output_messages": case["output_messages"], "config": {"minimums": {rnd.choice(["search", "open", "edit", "run"]): rnd.randint(1, 3) for _ in range(rnd.randint(1, 3))}}}


if os.environ.get("AGENTV"):
    FAMILIES |= {
        "agentv equals": ("exact", {"strip": True}, lambda r: one(agentv_case(r)), AgentV("equals", first_of), 1),
        **{f"agentv {name}": ("contains", config, agentv_case, AgentV(name, all_of), 1) for name, config in (
            ("contains-any", {}), ("contains-all", {"mode": "all"}), ("icontains-any", {"ignore_case": True}), ("icontains-all", {"ignore_case": True, "mode": "all"}))},
        **{f"agentv {name}": ("contains", config, lambda r: one(agentv_case(r)), AgentV(name, first_of), 1) for name, config in (
            ("contains", {}), ("icontains", {"ignore_case": True}), ("starts-with", {"at": "start", "strip": True}), ("ends-with", {"at": "end", "strip": True}))},
        "agentv regex": ("regex", {}, flagged_case, AgentV("regex", flagged), 1),
        "agentv is-json": ("json", {}, json_case, AgentV("is-json", lambda c: None), 1),
        **{f"agentv tool-trajectory {theirs}": ("trajectory", {}, agentv_trajectory_case(ours), AgentV("tool-trajectory", agentv_trajectory(theirs), path_is_not_expected), 1)
           for theirs, ours in (("exact", "exact"), ("in_order", "in_order"), ("superset", "superset"), ("subset", "allowed"))},
        "agentv tool-trajectory any_order": ("tool_counts", {}, counts_case, AgentV("tool-trajectory", lambda c: {"mode": "any_order", "minimums": c["config"]["minimums"]}), 1),
    }

PLUGINS = {"answer": "text_match marked word_f1 numeric", "exact": "exact contains regex pattern", "math": "math math_reward math_dapo gsm8k", "structure": "think repetition xml json length",
           "trajectory": "trajectory tool_f1 tool_counts"}

WEIGHTS = {"math-verify": 6, "agentevals": 0.3}


def vectors(each, *families):
    """Prints lines of testdata/vectors/answers.jsonl: cases with the real package's score, of the families that begin so."""
    from importlib.metadata import version
    packages = {"inspect": "inspect-ai", "trl": "trl", "verl": "verl", "math_verify": "math-verify", "agentevals": "agentevals"}
    for family, (export, config, make, reference, _) in FAMILIES.items():
        if families and not family.startswith(families):
            continue
        rnd = random.Random(family)
        package = packages.get(family.split()[0])
        if isinstance(reference, Promptfoo):
            directory = pathlib.Path(os.environ[family.split()[0].upper()])
            source = family.split()[0] + " " + json.loads((directory / "package.json").read_text())["version"]
        else:
            source = f"{package} {version(package)}" if package else f"derived: {family}" if " " in family else family
        plugin = next(p for p, exports in PLUGINS.items() if export in exports.split())
        cases = [make(rnd) for _ in range(int(each * WEIGHTS.get(package, 1)))]
        for i, (case, want) in enumerate(zip(cases, reference.all(cases) if hasattr(reference, "all") else map(reference, cases))):
            if want is not None:
                result = {"details": {"exact": want["exact"]}} if isinstance(want, dict) else {"score": want}
                own = case.pop("config", {})
                print(json.dumps({"id": f"{family.replace(' ', '-')}-{i:04d}", "plugin": plugin, "metric": export, "config": {**config, **own}, "case": case, **result, "source": source}, ensure_ascii=False))


if __name__ == "__main__":
    vectors(int(sys.argv[1]), *sys.argv[2:])
