"""Packs the JSON Schema Test Suite into suite.jsonl.gz: one line for each group
of tests, with its draft and file. Takes the directory of the suite; see
README.md."""

import gzip
import json
import pathlib
import sys

home = pathlib.Path(sys.argv[1]) / "tests"
with gzip.GzipFile("suite.jsonl.gz", "wb", mtime=0) as out:
    for draft in "draft4", "draft6", "draft7", "draft2019-09", "draft2020-12":
        for file in sorted((home / draft).glob("*.json")) + [home / draft / "optional" / "bignum.json"]:
            for group in json.loads(file.read_text()):
                tests = [{k: t[k] for k in ("description", "data", "valid")} for t in group["tests"]]
                line = {"draft": draft, "file": file.stem, "group": group["description"], "schema": group["schema"], "tests": tests}
                out.write(json.dumps(line).encode() + b"\n")
