from grader import Metric

math = Metric("math")
print(math([
    {"output": r"So it is \boxed{1/2}.", "references": ["0.5"]},
    {"output": r"So it is \boxed{2}.", "references": ["0.5"]},
    {"output": "I give up.", "references": ["0.5"]},
    {"output": r"\boxed{2}"},
]))
math.close()
