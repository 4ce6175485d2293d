#!/usr/bin/env python3
"""Compares the code plugins with the languages' own tools on source trees that packages ship.

Usage: agree.py PROGRAM [--only LANGUAGE] [--most FILES] [DIRECTORY...]

PROGRAM is the built rubric-host; DIRECTORY defaults to Python's standard library and Go's.
--most takes so many files of a language, evenly spaced; unset: all. Tools that are not
installed are left out, and named:

    python      ast of the running Python; radon, mccabe and lizard from PyPI
    go          gofmt; gocyclo 0.6.0; lizard
    javascript  node --check, as a module or as a script; lizard
    typescript  the parser of npm's typescript, of which NODE_PATH says where it is; lizard
    rust        rustc -Zparse-crate-root-only; lizard
    java        the parser of javac, by its API; lizard
    c, cpp      gcc and g++ -fsyntax-only, where they find all headers; lizard
    bash        bash -n
    json, yaml  Python's json; PyYAML's events

Prints one line per tool: files, how many agree, and how many only one of the two accepts, with
the first of those. Files that have no score are counted apart. Ends with 1 if radon, mccabe,
gocyclo or lizard have another figure.
"""

import argparse
import ast
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import lines

EXTENSIONS = {
    "python": (".py",), "go": (".go",), "javascript": (".js", ".mjs", ".cjs"), "typescript": (".ts", ".mts", ".cts"), "rust": (".rs",), "java": (".java",),
    "c": (".c", ".h"), "cpp": (".cc", ".cpp", ".cxx", ".hpp", ".hh"), "bash": (".sh", ".bash"), "sql": (".sql",), "json": (".json",), "yaml": (".yaml", ".yml"),
}
MOST_BYTES = 500_000
failed = False


def files(directories, language, most):
    """Paths and texts: UTF-8, not empty, each text once."""
    found, seen = [], set()
    for top in directories:
        for base, dirs, names in os.walk(top):
            dirs.sort()
            for name in sorted(names):
                path = os.path.join(base, name)
                if name.endswith(EXTENSIONS[language]) and os.path.isfile(path) and 0 < os.path.getsize(path) <= MOST_BYTES:
                    found.append(path)
    if most and len(found) > most:
        found = [found[i * len(found) // most] for i in range(most)]
    texts = []
    for path in found:
        try:
            with open(path, encoding="utf-8", newline="") as f:
                text = f.read()
        except UnicodeDecodeError:
            continue
        if text not in seen:
            seen.add(text)
            texts.append((path, text))
    return texts


def score(program, language, export, found, config):
    """Answers of a plugin, one per text."""
    answers = []
    for at in range(0, len(found), 500):
        cases = [{"output": t} for _, t in found[at : at + 500]]
        answers += lines.score(program, f"code-{language}", cases, {"code_block": "none", **config}, "--export", export)
    return answers


def syntax(program, language, found, tool, truth, config=None):
    """Compares verdicts; truth holds True, False, or None where the tool cannot tell."""
    answers = score(program, language, "syntax", found, config or {})
    kinds, shown = collections.Counter(), collections.defaultdict(list)
    for (path, _), answer, want in zip(found, answers, truth):
        if want is None:
            kinds["the tool cannot tell"] += 1
            continue
        details = answer.get("details") or {}
        got = details.get("valid")
        if got is None:
            kind = "unscored: " + (answer.get("unscored") or str(answer.get("error")))[:60]
        elif got == want:
            kinds["agree"] += 1
            continue
        else:
            kind = "only the tool accepts" if want else "only the plugin accepts"
        kinds[kind] += 1
        place = f":{details['line']}:{details['column']}: {details['message']}" if "line" in details else ""
        shown[kind].append(path + place)
    agree, total = kinds.pop("agree", 0), len(found) - kinds["the tool cannot tell"]
    print(f"{language} syntax, {tool}: {agree} of {total} agree" + "".join(f"; {n} {k}" for k, n in kinds.items() if n))
    for kind, paths in shown.items():
        for path in paths[:SHOWN]:
            print(f"  {kind}: {path}")


def figures(tool, pairs):
    """Compares (path, ours, theirs)."""
    global failed
    differ = [p for p in pairs if p[1] != p[2]]
    failed |= bool(differ)
    print(f"{tool}: {len(pairs) - len(differ)} of {len(pairs)} agree")
    for path, ours, theirs in differ[:SHOWN]:
        print(f"  {path}: {str(ours)[:300]}, the tool says {str(theirs)[:300]}")


def lizard(program, language, found):
    try:
        import lizard as tool
    except ImportError:
        print("lizard is not installed")
        return
    pairs, unscored = [], collections.Counter()
    name = "x" + EXTENSIONS[language][0]
    for (path, text), answer in zip(found, score(program, language, "complexity", found, {"measure": "lizard"})):
        details = answer.get("details") or {}
        if "lizard" not in details:
            unscored["more than 100 functions" if "ccn" in details else answer.get("unscored", str(answer.get("error") or answer.get("reason")))[:60]] += 1
            continue
        text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        try:
            functions = tool.analyze_file.analyze_source_code(name, text).function_list
        except (AttributeError, IndexError) as e:
            unscored[f"lizard raises {e!r}"] += 1
            continue
        theirs = [(f.name, f.cyclomatic_complexity, f.nloc, f.token_count, f.parameter_count, f.start_line, f.end_line) for f in functions]
        ours = [(f["name"], f["ccn"], f["nloc"], f["tokens"], f["params"], f["start"], f["end"]) for f in details["lizard"]]
        pairs.append((path, ours, theirs))
    figures(f"{language}, lizard {tool.version}, all figures of all functions", pairs)
    print("  left out:", dict(unscored))


def run(command, text=None, **more):
    return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", **more)


def python(program, found):
    def parses(text):
        try:
            ast.parse(text)
            return True
        except RecursionError:
            return None
        except (SyntaxError, ValueError):
            return False

    version = f"3.{min(13, sys.version_info.minor)}"
    truth = [parses(t) for _, t in found]
    syntax(program, "python", found, f"ast of {sys.version.split()[0]}", truth, {"python_version": version})
    try:
        import mccabe
        from radon.complexity import cc_visit
        from radon.metrics import mi_visit
        from radon.raw import analyze
        from radon.visitors import ComplexityVisitor
    except ImportError:
        print("radon and mccabe are not installed")
        return
    good = [f for f, ok in zip(found, truth) if ok]
    blocks, totals, graphs, raw, index = [], [], [], [], []
    for (path, text), answer in zip(good, score(program, "python", "complexity", good, {})):
        details = answer.get("details") or {}
        try:
            want = dict(analyze(text)._asdict())
        except SyntaxError:
            want = None
        except RecursionError:
            continue
        if not details and answer.get("score") is None:
            continue
        raw.append((path, details.get("radon_raw"), want))
        if want is not None:
            want, got = mi_visit(text, True), details.get("radon_mi")
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
    figures("radon, raw figures of a file", raw)
    figures("radon, maintainability index of a file", index)
    figures("radon, all blocks of a file", blocks)
    figures("radon, total of a file", totals)
    figures("mccabe, all graphs of a file", graphs)


def go(program, found):
    bad = set()
    for at in range(0, len(found), 500):
        bad |= {line.split(":")[0] for line in run(["gofmt", "-e", "-l"] + [p for p, _ in found[at : at + 500]]).stderr.splitlines()}
    syntax(program, "go", found, "gofmt -e", [p not in bad for p, _ in found])
    if not shutil.which("gocyclo"):
        print("gocyclo is not installed")
        return
    theirs, skipped = collections.defaultdict(list), 0
    for path, _ in found:
        for line in run(["gocyclo", path]).stdout.splitlines():
            complexity, _, name, place = line.split(" ", 3) if line.count(" ") >= 3 else (0, 0, "", "")
            theirs[path].append((int(place.rsplit(":", 2)[1]), name, int(complexity)))
    pairs = []
    for (path, _), answer in zip(found, score(program, "go", "complexity", found, {})):
        details = answer.get("details") or {}
        if "gocyclo" not in details:
            skipped += 1
            continue
        pairs.append((path, sorted((f["start"], f["name"], f["complexity"]) for f in details["gocyclo"]), sorted(theirs[path])))
    figures("gocyclo, all functions of a file", pairs)
    print(f"  left out: {skipped} that do not parse or have more than 60 functions")


NODE = """
const vm = require("vm"), rl = require("readline").createInterface({input: process.stdin});
rl.on("line", l => {
  const text = JSON.parse(l);
  const ok = f => { try { f(); return true } catch (e) { if (e instanceof SyntaxError) return false; throw e } };
  const wrapped = "(function (exports, require, module, __filename, __dirname) {" + text.replace(/^#!.*/, "") + "\\n})";
  console.log(ok(() => new vm.SourceTextModule(text)) || ok(() => new vm.Script(wrapped)));
});
"""

TYPESCRIPT = """
const ts = require("typescript"), rl = require("readline").createInterface({input: process.stdin});
rl.on("line", l => console.log(ts.createSourceFile("x.ts", JSON.parse(l), ts.ScriptTarget.Latest).parseDiagnostics.length === 0));
"""


def by_node(found, program, *flags):
    if not shutil.which("node"):
        return None
    verdicts = []
    while len(verdicts) < len(found):
        answer = run(["node", *flags, "-e", program], "".join(json.dumps(t) + "\n" for _, t in found[len(verdicts):]))
        verdicts += [line == "true" for line in answer.stdout.split()]
        if len(verdicts) < len(found):
            verdicts.append(None)  # an assertion of V8 ended Node at this text
            if not answer.stdout and verdicts[-3:] == [None] * 3:
                return None
    return verdicts


def javascript(program, found):
    truth = by_node(found, NODE, "--experimental-vm-modules")
    if truth is None:
        print("node is not installed")
        return
    syntax(program, "javascript", found, "V8 of node " + run(["node", "--version"]).stdout.strip(), truth)


def typescript(program, found):
    truth = by_node(found, TYPESCRIPT)
    if truth is None:
        print("typescript is not installed; NODE_PATH names its directory")
        return
    syntax(program, "typescript", found, "typescript " + run(["node", "-p", "require('typescript').version"]).stdout.strip(), truth)


def rust(program, found):
    if not shutil.which("rustc"):
        print("rustc is not installed")
        return
    truth = []
    for path, _ in found:
        said = run(["rustc", "-Zparse-crate-root-only", "--edition=2021", path], env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
        truth.append(said.returncode == 0)
    syntax(program, "rust", found, run(["rustc", "--version"]).stdout.strip(), truth)


JAVA = """
import java.util.*; import java.nio.file.*; import javax.tools.*; import com.sun.source.util.JavacTask;
public class Parse {
  public static void main(String[] a) throws Exception {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var files = compiler.getStandardFileManager(null, null, null);
    for (String path : Files.readAllLines(Path.of(a[0]))) {
      var bad = new DiagnosticCollector<JavaFileObject>();
      ((JavacTask) compiler.getTask(null, files, bad, List.of("-proc:none"), null, files.getJavaFileObjects(path))).parse();
      System.out.println(bad.getDiagnostics().stream().noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR));
    }
  }
}
"""


def java(program, found):
    if not shutil.which("java"):
        print("java is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        source, names = os.path.join(folder, "Parse.java"), os.path.join(folder, "names")
        with open(source, "w") as f:
            f.write(JAVA)
        with open(names, "w") as f:
            f.write("".join(os.path.abspath(p) + "\n" for p, _ in found))
        said = run(["java", source, names])
    truth = [line == "true" for line in said.stdout.split()]
    if len(truth) != len(found):
        sys.exit(said.stderr)
    syntax(program, "java", found, run(["javac", "--version"]).stdout.strip(), truth)


def by_gcc(language, compiler, flags):
    def check(program, found):
        if not shutil.which(compiler):
            print(compiler, "is not installed")
            return
        truth = []
        for path, _ in found:
            said = run([compiler, "-fsyntax-only", "-w", *flags, "-I", os.path.dirname(path), path], env={**os.environ, "LC_ALL": "C"})
            # Missing headers and the names in them, and #error, are not errors of syntax.
            other = "expected" not in said.stderr and "stray" not in said.stderr and "unterminated" not in said.stderr or "No such file" in said.stderr
            truth.append(True if said.returncode == 0 else None if other else False)
        syntax(program, language, found, run([compiler, "--version"]).stdout.splitlines()[0], truth)

    return check


def bash_reads(command, text=None):
    """After an error within [[ ]] bash prints it, and ends with 0."""
    said = run(command, text, env={**os.environ, "LC_ALL": "C"})
    return said.returncode == 0 and all("warning: " in line for line in said.stderr.splitlines())


def bash(program, found):
    found = [(p, t) for p, t in found if not t.startswith("#!") or "bash" in t.split("\n")[0] or t.split("\n")[0].strip().endswith("/sh")]
    truth = [bash_reads(["bash", "-n"], t) for _, t in found]
    syntax(program, "bash", found, run(["bash", "--version"]).stdout.splitlines()[0][:30], truth)


def as_json(program, found):
    def refuse(constant):
        raise ValueError(constant)

    def parses(text):
        try:
            json.loads(text, parse_constant=refuse)
            return True
        except RecursionError:
            return None
        except ValueError:
            return False

    syntax(program, "json", found, "json of Python", [parses(t) for _, t in found])


def yaml(program, found):
    try:
        import yaml as tool
    except ImportError:
        print("PyYAML is not installed")
        return

    def parses(text):
        try:
            collections.deque(tool.parse(text, Loader=getattr(tool, "CLoader", tool.Loader)), maxlen=0)
            return True
        except (tool.YAMLError, UnicodeError):
            return False

    syntax(program, "yaml", found, f"PyYAML {tool.__version__}", [parses(t) for _, t in found])


CHECKS = {
    "python": python, "go": go, "javascript": javascript, "typescript": typescript, "rust": rust, "java": java,
    "c": by_gcc("c", "gcc", ["-x", "c"]), "cpp": by_gcc("cpp", "g++", ["-x", "c++", "-std=c++20"]), "bash": bash, "json": as_json, "yaml": yaml,
}


def main():
    global SHOWN
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("directories", nargs="*")
    parser.add_argument("--only", choices=CHECKS, action="append")
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="files shown of each kind of difference")
    options = parser.parse_intermixed_args()
    SHOWN = options.show
    directories = options.directories
    if not directories:
        goroot = run(["go", "env", "GOROOT"]).stdout.strip()
        directories = [os.path.dirname(ast.__file__), os.path.join(goroot, "src")]
    for language in options.only or CHECKS:
        found = files(directories, language, options.most)
        if found:
            CHECKS[language](options.program, found)
            if language not in ("bash", "json", "yaml"):
                lizard(options.program, language, found)
    sys.exit(failed)


if __name__ == "__main__":
    main()
