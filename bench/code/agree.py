#!/usr/bin/env python3
"""Compares the code plugins with the languages' own tools on source trees that packages ship.

Usage: agree.py PROGRAM [DIRECTORY...]

PROGRAM is the built rubric-host; DIRECTORY defaults to Python's standard library and Go's.
Python files: syntax with ast.parse of the running Python, radon and mccabe if they are
installed. Go files: syntax with gofmt -e. JavaScript files: syntax with node --check, for
at most 300 files. Prints one line per tool, and the first files that differ.
"""

import ast
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import lines

MOST = 60_000  # bytes of a file; details of larger ones leave the lists out


def score(program, plugin, export, texts, config):
    """Answers of the plugin, one per text."""
    return lines.score(program, plugin, [{"output": t} for t in texts], {"code_block": "none", **config}, "--export", export)


def files(directories, extension):
    for top in directories:
        for base, dirs, names in os.walk(top):
            dirs.sort()
            for name in sorted(names):
                path = os.path.join(base, name)
                if name.endswith(extension) and 0 < os.path.getsize(path) <= MOST:
                    try:
                        with open(path, encoding="utf-8", newline="") as f:
                            yield path, f.read()
                    except UnicodeDecodeError:
                        pass


def show(tool, pairs):
    """Prints how many of (path, ours, theirs) agree."""
    differ = [p for p in pairs if p[1] != p[2]]
    print(f"{tool}: {len(pairs) - len(differ)} of {len(pairs)} agree")
    for path, ours, theirs in differ[:5]:
        print(f"  {path}: {ours!r}, the tool says {theirs!r}")


def valid(answers):
    return [a.get("details", {}).get("valid") for a in answers]


def parses(text):
    try:
        ast.parse(text)
        return True
    except (SyntaxError, ValueError):
        return False


def python(program, directories):
    found = list(files(directories, ".py"))
    if not found:
        return
    texts = [t for _, t in found]
    version = f"3.{min(13, sys.version_info.minor)}"
    truth = [parses(t) for t in texts]
    ours = valid(score(program, "code-python", "syntax", texts, {"python_version": version}))
    show(f"Python syntax, ast of {version}", list(zip([p for p, _ in found], ours, truth)))
    try:
        from radon.complexity import cc_visit
        from radon.metrics import mi_visit
        from radon.raw import analyze
        from radon.visitors import ComplexityVisitor
        import mccabe
    except ImportError:
        print("radon and mccabe are not installed: skipped")
        return
    good = [(p, t) for (p, t), ok in zip(found, truth) if ok]
    answers = score(program, "code-python", "complexity", [t for _, t in good], {})
    blocks, totals, graphs, raw, index = [], [], [], [], []
    for (path, text), answer in zip(good, answers):
        details = answer.get("details", {})
        try:
            figures = dict(analyze(text)._asdict())
        except SyntaxError:
            figures = None
        raw.append((path, details.get("radon_raw"), figures))
        if figures is not None:
            want = mi_visit(text, True)
            got = details.get("radon_mi")
            index.append((path, want if got is not None and abs(got - want) < 1e-9 else got, want))
        if "radon_blocks" not in details:
            continue
        try:
            seen = sorted((b.lineno, (b.classname + "." if b.letter == "M" else "") + b.name, b.complexity) for b in cc_visit(text))
        except RecursionError:
            continue
        blocks.append((path, sorted((b["lineno"], b["name"], b["complexity"]) for b in details["radon_blocks"]), seen))
        totals.append((path, details["radon_total"], ComplexityVisitor.from_code(text).total_complexity))
        visitor = mccabe.PathGraphingAstVisitor()
        visitor.preorder(ast.parse(text), visitor)
        graphs.append((path, [(g["name"], g["complexity"]) for g in details["mccabe"]], [(g.entity, g.complexity()) for g in visitor.graphs.values()]))
    show("radon, raw figures of a file", raw)
    show("radon, maintainability index of a file", index)
    show("radon, all blocks of a file", blocks)
    show("radon, total of a file", totals)
    show("mccabe, all graphs of a file", graphs)


def go(program, directories):
    found = list(files(directories, ".go"))
    if not found:
        return
    ours = valid(score(program, "code-go", "syntax", [t for _, t in found], {}))
    bad = set()
    for at in range(0, len(found), 500):
        run = subprocess.run(["gofmt", "-e", "-l"] + [p for p, _ in found[at : at + 500]], capture_output=True, text=True)
        bad |= {line.split(":")[0] for line in run.stderr.splitlines()}
    show("Go syntax, gofmt", [(p, o, p not in bad) for (p, _), o in zip(found, ours)])


def javascript(program, directories):
    found = [f for e in (".js", ".mjs", ".cjs") for f in files(directories, e)][:300]
    if not found:
        return
    ours = valid(score(program, "code-javascript", "syntax", [t for _, t in found], {}))
    pairs = []
    for (path, text), o in zip(found, ours):
        ok = any(
            subprocess.run(["node", "--check", f"--input-type={kind}", "-"], input=text, capture_output=True, text=True).returncode == 0
            for kind in ("module", "commonjs")
        )
        pairs.append((path, o, ok))
    show("JavaScript syntax, node --check", pairs)


def main():
    program, directories = sys.argv[1], sys.argv[2:]
    if not directories:
        goroot = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True).stdout.strip()
        directories = [os.path.dirname(ast.__file__), os.path.join(goroot, "src")]
    for check in (python, go, javascript):
        check(program, directories)


if __name__ == "__main__":
    main()
