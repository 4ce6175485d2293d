from grader import Metric

completions = [r"So it is \boxed{1/2}.", r"So it is \boxed{2}.", "I give up.", r"\boxed{2}"]
references = [["0.5"], ["0.5"], ["0.5"], []]

math = Metric("math")
print(math({"output": text, "references": those} for text, those in zip(completions, references)))
math.close()
