"""Prints the calls of the corpora, one JSON object a line, for native.py: hacks.py [right|hacks]."""
import json, os, sys

here = os.path.dirname(os.path.abspath(__file__))
tasks = json.load(open(os.path.join(here, "tasks.json")))
which = sys.argv[1] if len(sys.argv) > 1 else "hacks"
text = open(os.path.join(here, which + ".txt"), encoding="utf-8").read()
for part in text.split("### ")[1:]:
    head, _, source = part.partition("\n")
    name, task = (head.split(" | ") + [head])[:2]
    t = tasks[task]
    if "shared" in sys.argv and t["export"] != "tests":
        continue
    print(json.dumps({"name": name, "export": t["export"], "case": {"output": source, **t["case"]}, "config": {"isolation": "shared"} if "shared" in sys.argv else {}}))
