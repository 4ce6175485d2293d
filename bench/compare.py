"""Runs the comparisons of README.md: both sides in turn, medians and ratios."""

import gzip
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pydoc_data.topics import topics

from metric import INDICES

CACHE = os.path.abspath(sys.argv[1])
QUICK = "--quick" in sys.argv
RUNS = 3 if QUICK else 5
HERE = os.path.dirname(os.path.abspath(__file__))
OURS = os.path.join(CACHE, "rubric-host")
WORK = os.path.join(CACHE, "work")

WORDS = """time year people way day man thing woman life child world school state family student group country
problem hand part place case week company system program question work government number night point home water room
mother area money story fact month lot right study book eye job word business issue side kind head house service friend
father power hour game line end member law car city community name president team minute idea kid body information back
parent face others level office door health person art war history party result change morning reason research girl guy
moment air teacher force education quickly softly never always often happily under above between across the a an of and
to in is was with for that on as it are be at by from this not but they his her which or had we will all""".split()


def sentence(rnd, n):
    words = [rnd.choice(WORDS) for _ in range(n)]
    return " ".join(words).capitalize() + "."


def make_rows(path, n):
    """Rows of about 30 words, an output that is a reworded reference."""
    if os.path.exists(path):
        return
    rnd = random.Random(20260101)
    with open(path + ".tmp", "w", encoding="utf-8") as f:
        for i in range(n):
            parts = [sentence(rnd, rnd.randint(6, 18)) for _ in range(rnd.randint(2, 3))]
            reference = " ".join(parts)
            words = [w if rnd.random() < 0.75 else rnd.choice(WORDS) for w in reference.split()]
            f.write(json.dumps({"id": f"r{i:07d}", "input": "Say it again.", "output": " ".join(words), "references": [reference]}) + "\n")
    os.rename(path + ".tmp", path)


def make_prose(path, n):
    """Rows of two sentences each, about 35 words, of Python's own documentation: 1,700 different words."""
    if os.path.exists(path):
        return
    paragraphs = [" ".join(p.split()) for _, text in sorted(topics.items()) for p in text.split("\n\n")]
    plain = [p for p in paragraphs if re.fullmatch(r"[A-Z][^<>|=\\{}\[\]_`*^~]*\.", p) and "::" not in p and len(p.split()) > 8]
    sentences = [s for p in plain for s in re.split(r"(?<=[.?!]) (?=[A-Z])", p)]
    rnd = random.Random(20260101)
    with open(path + ".tmp", "w", encoding="utf-8") as f:
        for _ in range(n):
            text = " ".join(rnd.sample(sentences, 2))
            f.write(json.dumps({"output": text, "references": [text]}) + "\n")
    os.rename(path + ".tmp", path)


def timed(argv, **kw):
    """Runs a command; returns wall seconds, cpu seconds, peak MiB, output."""
    start = time.monotonic()
    p = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kw)
    out, err = p.communicate()
    wall = time.monotonic() - start
    if p.returncode not in ((0, 1) if argv[0] == OURS else (0,)):  # 1: a gate did not hold
        sys.exit(f"{argv}: exit {p.returncode}\n{out}\n{err}")
    return wall, out


def measured(argv, **kw):
    """Like timed, in a child of its own, so that its peak memory is known."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        wall, out = timed(argv, **kw)
        use = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(write, json.dumps([wall, use.ru_utime + use.ru_stime, use.ru_maxrss / 1024]).encode())
        os._exit(0)
    os.close(write)
    text = b""
    while chunk := os.read(read, 65536):
        text += chunk
    os.close(read)
    _, status = os.waitpid(pid, 0)
    if status:
        sys.exit(f"{argv} failed")
    return json.loads(text)


def pair(name, ours, theirs, runs=RUNS):
    """Measures two commands in turn and prints medians and the ratio."""
    timed(ours())
    if runs > 1:
        measured(theirs())
    a, b = [], []
    for _ in range(runs):
        a.append(measured(ours()))
        b.append(measured(theirs()))
    med = lambda rows, i: statistics.median(r[i] for r in rows)
    print(f"{name}")
    for who, rows in (("rubric-host", a), ("peer", b)):
        print(f"  {who:12s} {med(rows, 0):8.2f} s wall  {med(rows, 1):8.2f} s cpu  {med(rows, 2):7.0f} MiB peak")
    ratios = sorted(y[0] / x[0] for x, y in zip(a, b))
    print(f"  ratio        {statistics.median(ratios):8.1f}x  (pairwise {ratios[0]:.1f} to {ratios[-1]:.1f})\n", flush=True)


def rubric(path, criteria):
    with open(path, "w") as f:
        f.write("rubric: bench\nversion: 1.0.0\ncriteria:\n" + "".join(f"  - {c}\n" for c in criteria))
    return path


def eval_command(rubric_path, data):
    runs = os.path.join(WORK, "runs")
    shutil.rmtree(runs, ignore_errors=True)
    return [OURS, "eval", rubric_path, data, "--runs", runs, "--fresh", "-q"]


def text_metrics():
    data = os.path.join(WORK, "rows-10000.jsonl")
    make_rows(data, 10_000)
    r = rubric(os.path.join(WORK, "three.yaml"),
               ["{id: bleu, metric: bleu}", "{id: rougeL, metric: rouge, with: {variant: rougeL}}", "{id: flesch, metric: flesch_reading_ease}"])
    peer = [os.path.join(CACHE, "python/bin/python"), os.path.join(HERE, "peer.py"), data, os.path.join(WORK, "peer.jsonl")]
    agree(r, data, peer)
    pair("10,000 rows x bleu, rougeL, flesch; peer: sacrebleu, rouge-score, textstat in one process",
         lambda: eval_command(r, data), lambda: peer)


NINE = ["readability", "--with", "details=" + json.dumps(INDICES)]

# What `score` is given for a metric of metric.py, how many cases it gets, and the ratio that is wanted.
ONE_BY_ONE = {
    "bleu": (["bleu"], 10_000, 10), "chrf": (["chrf"], 10_000, 10), "rougeL": (["rougeL"], 10_000, 10),
    "rougeL stemmed": (["rougeL", "--with", "use_stemmer=true"], 5000, 30), "ter": (["ter"], 5000, 30),
    "meteor": (["meteor"], 5000, 10), "meteor split": (["meteor", "--with", "tokenizer=whitespace"], 5000, 10),
    "flesch_reading_ease": (["flesch_reading_ease"], 10_000, 10), "flesch_reading_ease of prose": (["flesch_reading_ease"], 5000, 10),
    "readability, nine indices": (NINE, 10_000, 10), "readability, nine indices of prose": (NINE, 5000, 10),
    "readability, all details": (["readability"], 10_000, 10), "readability, all details of prose": (["readability"], 5000, 10),
    "levenshtein": (["levenshtein"], 10_000, 1 / 3), "jaro_winkler": (["jaro_winkler"], 10_000, 1 / 3),
}


def one_by_one():
    """Calls per second of processor time, cases as JSON in and answers as JSON out, without the start of the process."""
    data = os.path.join(WORK, "rows-10000.jsonl")
    make_rows(data, 10_000)
    with open(data) as f:
        rows = [json.dumps({k: row[k] for k in ("output", "references")}) + "\n" for row in map(json.loads, f)]
    prose = os.path.join(WORK, "prose-5000.jsonl")
    make_prose(prose, 5000)
    with open(prose) as f:
        of_prose = list(f)
    print(f"one metric at a time: calls per second of processor time\n  {'':34s} {'rubric-host':>12s} {'peer':>10s}  ratio")
    for name, (args, n, wanted) in ONE_BY_ONE.items():
        theirs = [os.path.join(CACHE, "python/bin/python"), os.path.join(HERE, "metric.py"), name]
        cpu, scores = {}, {}
        for who, argv in (("ours", [OURS, "score", *args, "--lines"]), ("theirs", theirs)):
            seconds = {}
            for count in (1, n):
                path = os.path.join(WORK, "metric.jsonl")
                with open(path, "w") as f:
                    f.writelines((of_prose if name.endswith("prose") else rows)[:count])
                best = float("inf")
                for _ in range(RUNS):
                    with open(path) as f:
                        best = min(best, measured(argv, stdin=f)[1])
                seconds[count] = best
            cpu[who] = seconds[n] - seconds[1]
            with open(path) as f:
                scores[who] = [json.loads(line) for line in timed(argv, stdin=f)[1].splitlines()]
        if not all(same(a, b) for a, b in zip(scores["ours"], scores["theirs"], strict=True)):
            sys.exit(f"{name}: the two sides disagree")
        ratio = cpu["theirs"] / cpu["ours"]
        print(f"  {name:34s} {n / cpu['ours']:12,.0f} {n / cpu['theirs']:10,.0f} {ratio:6.1f}x  (wanted: {wanted:.2g})", flush=True)
    print(flush=True)


def same(ours, theirs):
    """Whether an answer has every value that the peer gives: the score, or details."""
    values = ours if "score" in theirs else ours["details"]
    return all(abs(values[k] - v) <= 1e-9 if isinstance(v, float) else values[k] == v for k, v in theirs.items())


def agree(r, data, peer):
    """Both sides must compute the same means: else the comparison means nothing."""
    _, out = timed(peer)
    theirs = json.loads(out)
    _, out = timed(eval_command(r, data) + ["--json"])
    ours = [c["mean"] for c in json.loads(out)["summary"]["criteria"]]
    for a, b in zip(ours, theirs):
        if abs(a - b) > 1e-9:
            sys.exit(f"the two sides disagree: {ours} and {theirs}")


def promptfoo():
    data = os.path.join(WORK, "rows-10000.jsonl")
    tests = os.path.join(WORK, "promptfoo.json")
    with open(data) as f, open(tests, "w") as out:
        rows = [json.loads(line) for line in f]
        json.dump([{"vars": {"text": row["output"]}, "assert": [
            {"type": "bleu", "value": row["references"][0]}, {"type": "rouge-n", "value": row["references"][0]},
            {"type": "contains", "value": "time"}]} for row in rows], out)
    config = os.path.join(WORK, "promptfooconfig.json")
    with open(config, "w") as f:
        json.dump({"prompts": ["{{text}}"], "providers": ["echo"], "tests": "file://" + tests}, f)
    r = rubric(os.path.join(WORK, "foo.yaml"),
               ["{id: bleu, metric: bleu}", "{id: rouge1, metric: rouge1}", "{id: time, metric: contains, with: {text: time}}"])
    env = dict(os.environ, PROMPTFOO_DISABLE_TELEMETRY="1", PROMPTFOO_DISABLE_UPDATE="1", PROMPTFOO_CONFIG_DIR=os.path.join(WORK, "promptfoo"),
               PROMPTFOO_FAILED_TEST_EXIT_CODE="0")
    env["PATH"] = os.path.join(CACHE, "node_modules/.bin") + os.pathsep + env["PATH"]  # the Node that it needs
    os.environ.update(env)
    answers = os.path.join(WORK, "promptfoo-out.json")
    peer = [os.path.join(CACHE, "node_modules/.bin/promptfoo"), "eval", "-c", config, "--no-write", "--no-cache", "--no-progress-bar", "--no-table", "-j", "4", "-o", answers]
    pair("10,000 rows x bleu, rouge-1, contains; peer: promptfoo", lambda: eval_command(r, data), lambda: peer, runs=3)
    with open(answers) as f:
        graded = [x["gradingResult"]["componentResults"] for x in json.load(f)["results"]["results"]]
    if len(graded) != len(rows) or any(len(x) != 3 for x in graded):
        sys.exit(f"promptfoo graded {len(graded)} of {len(rows)} rows")


def million():
    r = os.path.join(WORK, "three.yaml")
    small, big = os.path.join(WORK, "rows-10000.jsonl"), os.path.join(WORK, "rows-1000000.jsonl")
    make_rows(big, 1_000_000)
    a, b = measured(eval_command(r, small)), measured(eval_command(r, big))
    shutil.rmtree(os.path.join(WORK, "runs"), ignore_errors=True)
    print(f"1,000,000 rows\n  10,000 rows    {a[0]:8.2f} s wall  {a[2]:7.0f} MiB peak\n  1,000,000 rows {b[0]:8.2f} s wall  {b[2]:7.0f} MiB peak  ({(b[2] - a[2]) * 2**20 / 990_000:.0f} bytes a row more; at most 64)\n", flush=True)


def start():
    r = rubric(os.path.join(WORK, "three.yaml"),
               ["{id: bleu, metric: bleu}", "{id: rougeL, metric: rouge, with: {variant: rougeL}}", "{id: flesch, metric: flesch_reading_ease}"])
    one = rubric(os.path.join(WORK, "one.yaml"), ["{id: bleu, metric: bleu}"])
    field = ["output=the cat sat on the mat", 'references=["the cat sat down"]']
    for name, argv in (("grade, one plugin, compiled code cached", [OURS, "grade", one, *field]),
                       ("grade, three plugins, compiled code cached", [OURS, "grade", r, *field]),
                       ("rubric validate", [OURS, "rubric", "validate", r])):
        timed(argv)
        walls = sorted(timed(argv)[0] for _ in range(21))
        print(f"  {name:45s} {statistics.median(walls) * 1000:6.1f} ms median  ({walls[0] * 1000:.1f} to {walls[-1] * 1000:.1f})")
    print(flush=True)


# A scorer of each plugin for text, and a case that it takes.
TEXT = {"bleu": "bleu", "chrf": "chrf", "distance": "levenshtein", "exact": "exact", "lexical_diversity": "lexical_diversity", "meteor": "meteor",
        "readability": "flesch_reading_ease", "rouge": "rougeL", "ter": "ter", "wer": "wer", "answer": "text_match", "math": "math",
        "structure": "repetition", "trajectory": "tool_f1", "perplexity": "perplexity"}
FIELDS = ["output=the cat sat on the mat", 'references=["the cat sat down"]', "logprobs=[-1,-2]"]
CALLS = ['output=[{"name":"search"}]', 'expected_tool_calls=[{"name":"search"}]']


def first():
    """The first score of a process of each plugin, beyond the start of the program, and the size of its module. The plain program
    carries no machine code."""

    def milliseconds(ways, turns):
        """The least wall and processor time of each way. The first turn fills caches."""
        times = [[measured(way)[:2] for way in ways] for _ in range(turns + 1)][1:]
        return [[min(t[i] for t in way) * 1000 for i in (0, 1)] for way in zip(*times)]
    dist = os.path.join(HERE, "../plugins/dist")
    plain = OURS + "-plain"
    starts = [OURS, "version"], [plain, "version"]
    print("first score of a process, beyond its start in the same turns; the quickest of 15, compiled anew of 5\n"
          f"  {'':20s} {'make build: ms, processor':>30s} {'compiled anew: ms, processor':>30s} {'kept: ms, processor':>26s} {'module':>10s} {'carried':>10s}")
    sizes = [0, 0]
    for plugin, scorer in TEXT.items():
        args = ["score", scorer, *(CALLS if plugin == "trajectory" else FIELDS)]
        *begun, carried, kept = milliseconds([*starts, [OURS, *args], [plain, *args]], 15)
        anew, = milliseconds([[plain, *args, "--no-compile-cache"]], 5)
        rows = [[m - s for m, s in zip(way, start)] for way, start in ((carried, begun[0]), (anew, begun[1]), (kept, begun[1]))]
        path = os.path.join(dist, plugin + ".wasm")
        packed = path if os.path.exists(path) else path + ".gz"
        with open(packed, "rb") as f:
            data = f.read()
        size = (len(gzip.decompress(data)) if packed.endswith(".gz") else len(data)), len(data)
        sizes = [a + b for a, b in zip(sizes, size)]
        print(f"  {plugin:20s} {rows[0][0]:14.1f} {rows[0][1]:15.1f} {rows[1][0]:14.1f} {rows[1][1]:15.1f} {rows[2][0]:12.1f} {rows[2][1]:13.1f} {size[0]:10,d} {size[1]:10,d}", flush=True)
    print(f"  {'start of version':20s} {begun[0][0]:14.1f} {begun[0][1]:15.1f} {'':30s} {begun[1][0]:12.1f} {begun[1][1]:13.1f}")
    print(f"  {'together':20s} {'(wanted: 3)':>30s} {'(wanted: 30)':>30s} {'(wanted: 3)':>26s} {sizes[0]:10,d} {sizes[1]:10,d} bytes (wanted: 900,000)\n", flush=True)


def judge():
    server = subprocess.Popen([os.path.join(CACHE, "endpoint")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    url = server.stdout.readline().strip()
    data = os.path.join(WORK, "rows-5000.jsonl")
    make_rows(data, 5000)
    r = rubric(os.path.join(WORK, "judged.yaml"), [f"{{id: c{i}, judge: Says clearly what part {i} of the question asks for.}}" for i in range(4)])
    os.environ.update(OPENAI_BASE_URL=url, OPENAI_API_KEY="none")
    walls = [measured(eval_command(r, data) + ["--judge", "openai:instant"])[0] for _ in range(3)]
    server.stdin.close()
    server.wait()
    print(f"5,000 cases x 4 judged criteria, instant local endpoint: {20000 / statistics.median(walls):,.0f} calls/s (median of {len(walls)})\n", flush=True)


os.makedirs(WORK, exist_ok=True)
print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
text_metrics()
one_by_one()
first()
start()
judge()
if not QUICK:
    million()
    promptfoo()
