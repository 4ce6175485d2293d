"""Collects documents with what the program says of them, and holds jsonschema
to it. See .ci/schemas."""

import copy
import json
import os
import shutil
import subprocess
import sys

import jsonschema

mode, work = sys.argv[1], sys.argv[2]
program = os.path.join(work, "rubric-host")
dialects = sorted(name.removesuffix(".schema.json") for name in os.listdir("host/dialect/schema"))


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


def accepted(docs, dialect, name):
    """Whether the program takes each of the documents: one process for all."""
    paths = []
    for k, doc in enumerate(docs):
        paths.append(os.path.join(work, f"doc{k}.json"))
        with open(paths[-1], "w") as f:
            json.dump(doc, f)
    p = run("rubric", "validate", *paths, "--dialect", dialect, "--json")
    answers = [json.loads(line) for line in p.stdout.splitlines()] if len(docs) > 1 else [json.loads(p.stdout)]
    if p.returncode not in (0, 2) or len(answers) != len(docs):
        sys.exit(f"{name}: exit {p.returncode}, {len(answers)} answers\n{p.stderr}")
    return [a["valid"] for a in answers]


def lines(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


def strict(text):
    """The JSON value of text. Python takes NaN, and a name twice."""

    def pairs(list_):
        if len(dict(list_)) < len(list_):
            raise ValueError("a name twice")
        return dict(list_)

    def constant(name):
        raise ValueError(name)

    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)


def contract():
    """The fixtures of the contract with plugins, and a manifest that has every
    key."""
    # What only the host knows: the manifest's range, what a double holds.
    untold = {"no config", "config is null", "above the range", "below the range", "above a range of its own", "too large for a double"}
    for name, key in ("request", "request"), ("answer", "answer"):
        schema = json.loads(run("rubric", "schema", name, check=True).stdout)
        for fixture in lines(f"testdata/abi/{name}s.jsonl"):
            try:
                doc = strict(fixture[key])
            except (KeyError, ValueError, RecursionError):
                continue  # no JSON: there is nothing to hold to a schema
            good = fixture["outcome"] == "ok" or name == "answer" and fixture["outcome"] == "plugin-error"
            if fixture["name"] not in untold:
                yield {"schema": schema, "name": f"{name}: {fixture['name']}", "doc": doc, "valid": good}
    schema = json.loads(run("rubric", "schema", "manifest", check=True).stdout)
    with open("sdk/contract/testdata/manifest.json") as f:
        doc = json.load(f)
    home = os.path.join(work, "plugin")
    os.makedirs(home)
    shutil.copy("testdata/abi/example.wasm", os.path.join(home, "everything.wasm"))

    def taken(doc):
        with open(os.path.join(home, "plugin.yaml"), "w") as f:
            json.dump(doc, f)
        return run("plugin", "list", "--plugins", home).returncode == 0

    if not taken(doc):
        sys.exit("the manifest that has every key is refused")
    yield {"schema": schema, "name": "manifest", "doc": doc, "valid": True}
    for why, bad in mutations(doc):
        if not taken(bad):
            yield {"schema": schema, "name": "manifest: " + why, "doc": bad, "valid": False}


def results():
    """What a run leaves, and the same with members that nobody knows."""
    runs = os.path.join(work, "runs")
    p = run("eval", "rubric.yaml", "--data", "cases.jsonl", "--runs", runs, cwd="examples/quickstart")
    if not os.path.isdir(runs):
        sys.exit(f"no run: exit {p.returncode}\n{p.stderr}")
    home = os.path.join(runs, os.listdir(runs)[0])
    with open(os.path.join(home, "run.json")) as f:
        record = json.load(f)
    found = [("row", row) for row in lines(os.path.join(home, "rows.jsonl"))] + [("run", record), ("summary", record["summary"])]
    for name, doc in found:
        schema = json.loads(run("rubric", "schema", name, check=True).stdout)
        yield {"schema": schema, "name": name, "doc": doc, "valid": True}
        for why, bad in mutations(doc):
            if why.endswith("misspelt") or why == "an unknown key":
                yield {"schema": schema, "name": f"{name}: {why}", "doc": bad, "valid": False}


def documents():
    cases = [*contract(), *results()]
    for dialect in dialects:
        schema = json.loads(run("rubric", "schema", dialect, check=True).stdout)
        folder = os.path.join("host/dialect/testdata", dialect)
        files = [os.path.join(folder, f) for f in sorted(os.listdir(folder))]
        if dialect == "native":
            files += ["examples/quickstart/rubric.yaml"]
        for file in files:
            p = run("rubric", "convert", file, "--dialect", dialect, "--to", dialect, "--format", "json")
            if p.returncode:
                sys.exit(f"{file}: {p.stderr}")
            doc = json.loads(p.stdout)
            cases.append({"schema": schema, "name": file, "doc": doc, "valid": True})
            bads = list(mutations(doc))
            for (why, bad), valid in zip(bads, accepted([bad for _, bad in bads], dialect, file), strict=True):
                # What the program takes is no bad document: a free-form place, an alias.
                if not valid:
                    cases.append({"schema": schema, "name": f"{file}: {why}", "doc": bad, "valid": False})
    with open(os.path.join(work, "cases.json"), "w") as f:
        json.dump(cases, f)


def check():
    with open(os.path.join(work, "cases.json")) as f:
        cases = json.load(f)
    with open(os.path.join(work, "ajv.json")) as f:
        ajv = json.load(f)
    wrong, missed, validators = [], 0, {}
    for case, by_ajv in zip(cases, ajv, strict=True):
        key = json.dumps(case["schema"])
        if key not in validators:
            kind = jsonschema.validators.validator_for(case["schema"])
            kind.check_schema(case["schema"])
            validators[key] = kind(case["schema"])
        by_python = validators[key].is_valid(case["doc"])
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
