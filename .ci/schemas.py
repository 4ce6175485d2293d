"""Collects documents with what the program says of them, and holds jsonschema
to it. See .ci/schemas."""

import copy
import json
import os
import subprocess
import sys

import jsonschema

mode, work = sys.argv[1], sys.argv[2]
program = os.path.join(work, "rubric-host")
dialects = ["native", "openrubricrl", "agentevals", "agentv", "rubric", "dataknobs"]


def run(*argv, **kw):
    return subprocess.run([program, *argv], capture_output=True, text=True, **kw)


def mutations(doc):
    """Documents that are wrong in one place: an unknown key, a missing one,
    another type."""
    yield "a list where an object is wanted, or the other way round", {} if isinstance(doc, list) else []
    if isinstance(doc, list):
        if doc and isinstance(doc[0], dict):
            for why, bad in mutations(doc[0]):
                yield "item: " + why, [bad, *doc[1:]]
        return
    yield "an unknown key", dict(doc, surprise=1)
    for key in doc:
        bad = copy.deepcopy(doc)
        bad[key + "x"] = bad.pop(key)
        yield f"{key} misspelt", bad
        bad = copy.deepcopy(doc)
        bad[key] = [[None]] if not isinstance(doc[key], list) else "text"
        yield f"{key} of another type", bad


def accepted(doc, dialect, name):
    path = os.path.join(work, "doc.json")
    with open(path, "w") as f:
        json.dump(doc, f)
    p = run("rubric", "validate", path, "--dialect", dialect, "--json")
    if p.returncode not in (0, 2):
        sys.exit(f"{name}: exit {p.returncode}\n{p.stderr}")
    return json.loads(p.stdout)["valid"]


def documents():
    cases = []
    for dialect in dialects:
        schema = json.loads(run("rubric", "schema", dialect, check=True).stdout)
        folder = os.path.join("host/dialect/testdata", dialect)
        files = [os.path.join(folder, f) for f in sorted(os.listdir(folder))]
        if dialect == "native":
            files += ["examples/quickstart/rubric.yaml"]
        for file in files:
            p = run("rubric", "fmt", file, "--format", "json", "--dialect", dialect)
            if p.returncode:
                sys.exit(f"{file}: {p.stderr}")
            doc = json.loads(p.stdout)
            cases.append({"schema": schema, "name": file, "doc": doc, "valid": True})
            for why, bad in mutations(doc):
                # What the program takes is no bad document: a free-form place, an alias.
                if not accepted(bad, dialect, file):
                    cases.append({"schema": schema, "name": f"{file}: {why}", "doc": bad, "valid": False})
    with open(os.path.join(work, "cases.json"), "w") as f:
        json.dump(cases, f)


def check():
    with open(os.path.join(work, "cases.json")) as f:
        cases = json.load(f)
    with open(os.path.join(work, "ajv.json")) as f:
        ajv = json.load(f)
    wrong, missed = [], 0
    for case, by_ajv in zip(cases, ajv, strict=True):
        jsonschema.Draft7Validator.check_schema(case["schema"])
        by_python = jsonschema.Draft7Validator(case["schema"]).is_valid(case["doc"])
        if by_python != by_ajv:
            wrong.append(f"{case['name']}: jsonschema says {by_python}, ajv {by_ajv}")
        elif by_python != case["valid"]:
            if case["valid"]:
                wrong.append(f"{case['name']}: the validators refuse what the program takes")
            else:
                missed += 1  # ids that must be unique, weights that must sum to 1: only the program knows
    good = sum(c["valid"] for c in cases)
    print(f"{good} good and {len(cases) - good} bad documents; {missed} bad ones that a schema cannot tell")
    if wrong or not good or missed * 10 > len(cases) - good:
        sys.exit("\n".join(wrong) or "the schemas let too much through")


{"documents": documents, "check": check}[mode]()
