package script_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/bench/scorers"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// pythonHome has the cache of scripts, for tests in Python, which -short leaves out.
func pythonHome(t testing.TB) home {
	t.Helper()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	return home{cache: scriptCache(t)}
}

func python(t testing.TB) *wasm.Runtime {
	t.Helper()
	return pythonHome(t).here(t)
}

// f1Py is the token F1 that is measured, too.
var f1Py = func() string {
	source, err := scorers.Source("f1.py")
	if err != nil {
		panic(err)
	}
	return source
}()

func TestPython(t *testing.T) {
	rt := python(t)
	def := func(body string) string {
		return "def score(case, config):\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n"
	}
	for _, tt := range []struct{ name, source, want string }{
		{"a number is a score", f1Py, `{"score":0.8333333333333334}`},
		{"a whole number too", def("return 1"), `{"score":1.0}`},
		{"a boolean is 0 or 1", def("return True"), `{"score":1}`},
		{"None is not a score", def("return None"), `{"unscored": "score() returned None"}`},
		{"a dict without score has what it has named", def("return {'scor': 1}"), `{"error": "score() returned a dict without score, which has 'scor'; return a number, a dict with score, or None"}`},
		{"an empty dict is not a score", def("return {}"), `{"error": "score() returned a dict without score, which has nothing; return a number, a dict with score, or None"}`},
		{"there are no files, and where data goes", def("open('words.txt')"), `{"error": "score.py:2: FileNotFoundError: [Errno 44] No such file or directory: 'words.txt'; a script has no files: put data into a module beside it, as a value`},
		{"there is no network", "import urllib.request\n" + def("urllib.request.urlopen('http://a')"), `{"error": "score.py:3: AttributeError: module '_socket' has no attribute 'getaddrinfo'; a script has no network`},
		{"there are no threads", "import threading\n" + def("threading.Thread(target=print).start()"), `{"error": "score.py:3: RuntimeError: can't start new thread; a script has no threads and no processes`},
		{"nor a pool of them", "import concurrent.futures as f\n" + def("f.ThreadPoolExecutor().submit(print)"), `{"error": "score.py:3: RuntimeError: can't start new thread; a script has no threads and no processes`},
		{"nor processes", "import subprocess\n" + def("subprocess.run(['ls'])"), `{"error": "score.py:3: OSError: [Errno 58] wasi does not support processes.; a script has no threads and no processes`},
		{"there is no event loop", "import asyncio\nasync def score(case, config):\n    await asyncio.sleep(1)\n", `{"error": "score.py:3: RuntimeError: no running event loop; there is no event loop here: a function that is async is awaited, and waits for nothing`},
		{"nothing is not a score", def("pass"), `{"unscored": "score() returned None"}`},
		{"a dict is an answer of the contract", def("return {'score': 0.5, 'reason': 'so', 'hits': ['a']}"), `{"score": 0.5, "reason": "so", "hits": ["a"]}`},
		{"what else a dict has are details", def("return {'score': 0.5, 'words': {1, 2}}"), `{"score": 0.5, "details": {"words": [1, 2]}}`},
		{"Decimal and Fraction are numbers", "from fractions import Fraction\n" + def("return Fraction(1, 2)"), `{"score":0.5}`},
		{"an object with a score is an answer", def("import types\nreturn types.SimpleNamespace(score=0.5, name='x')"), `{"score": 0.5, "details": {"name": "x"}}`},
		{"an object with a score that is a property", "class R:\n    __slots__ = ('reason',)\n    score = property(lambda self: 0.5)\n" + def("r = R()\nr.reason = 'so'\nreturn r"), `{"score": 0.5, "reason": "so"}`},
		{"details that JSON has no number for", def("return {'score': 0.5, 'std': [float('nan'), -1e999]}"), `{"score": 0.5, "details": {"std": ["NaN", "-Infinity"]}}`},
		{"details in a circle fail", def("d = {'score': 0.5}\nd['me'] = d\nreturn d"), `{"error": "score() returned a dict that has no form in JSON: Circular reference detected"}`},
		{"half a pair of surrogates is not text", def("return {'score': 0.5, 'reason': chr(0xd83d) + chr(0x1f600) + '\\\\ud83d'}"), `{"score": 0.5, "reason": "\ufffd\ud83d\ude00\\ud83d"}`},
		{"nor is it in an error", def("raise ValueError(chr(0xdc00))"), `{"error": "score.py:2: ValueError: \ufffd`},
		{"one parameter suffices", "def score(case):\n    return len(case['output']) / 100\n", `{"score":0.22}`},
		{"parameters may be named after fields", "def score(output, reference):\n    return 1.0 if output == reference else 0.5\n", `{"score":0.5}`},
		{"the config is a dict", def("return len(config)"), `{"score":0.0}`},
		{"a coroutine that waits for nothing is run", "async def score(case, config): return 0.5", `{"score":0.5}`},
		{"a coroutine that waits fails", "import asyncio\nasync def score(case, config):\n    await asyncio.sleep(1)\n", `{"error": "score.py:3: RuntimeError`},
		{"what is not a number fails", def("return float('nan')"), `{"error": "score() returned nan, which is not a score; return a number, a dict with score, or None"}`},
		{"a number too large fails", def("return 10 ** 400"), `{"error": "OverflowError`},
		{"bytes are an answer as it is", def("return b'{\"score\":0.5,\"reason\":\"half\"}'"), `{"score":0.5,"reason":"half"}`},
		{"text fails", def("return '0.5'"), `{"error": "score() returned '0.5'; return`},
		{"an infinite score in a dict fails", def("return {'score': 1e999}"), `{"error": "score() returned the score inf;`},
		{"an error has the author's line", "def helper(n):\n    return 1 / n\n\ndef score(case, config):\n    return helper(0)\n",
			`{"error": "score.py:2: ZeroDivisionError: division by zero\n  File \"score.py\", line 5, in score\n    return helper(0)\n  File \"score.py\", line 2, in helper\n    return 1 / n\n           ~~^~~"}`},
		{"a missing package is told what there is", def("import numpy"), `{"error": "score.py:2: ModuleNotFoundError: No module named 'numpy'; this runtime has the standard library of Python 3.13, without packages`},
		{"random numbers, time and hashes are the same in every case", def("import random, time\nreturn {'score': random.random(), 'details': {'t': int(time.time()), 'h': hash('a') == hash('a'), 's': len(set('abc'))}}"), `{"score": 0.9186113132208017, "details": {"t": 1640998800,`},
		{"objects of the image count no references", "import sys\nkept = [object()]\n" + def("return {'score': 1, 'immortal': [sys.getrefcount(x) > 1 << 28 for x in (score, kept, kept[0], object())]}"), `{"score": 1, "details": {"immortal": [true, true, true, false]}}`},
		{"a syntax error has line and column", "def score(case, config:\n    return 1", "load: plugin p: score.py:1:10: SyntaxError: '(' was never closed"},
		{"a script without scorer is told what to write", "x = 1", "load: plugin p: score.py: it has no function score(case, config); write: def score(case, config): ..."},
		{"a script with other functions is told how to name one", "from math import exp\ndef _own(x): return x\ndef near(output, expected): return 1\ndef far(output, expected): return 0\n",
			"load: plugin p: score.py: it has no function score(case, config); write: def score(case, config): ...; it has near, far: name the one that is meant: score.py:near, or exports: {near: what it says} in a plugin.yaml"},
		{"a byte order mark is not part of the script", "\ufeffdef score(case, config): return 0.5\n", `{"score":0.5}`},
		{"an error while it starts has its line", "\nraise ValueError('at once')", "load: plugin p: score.py:2: ValueError: at once\n  File \"score.py\", line 2, in <module>"},
		{"and what it printed a line of its own", "print('here')\nraise ValueError\n", "load: plugin p: score.py:2: ValueError\n  File \"score.py\", line 2, in <module>\n    raise ValueError\n  it printed: \"here\""},
		{"it may not end the interpreter", "import sys\nsys.exit(3)", "load: plugin p: score.py:2: SystemExit: 3"},
		{"nor in any other way", "import os\nos._exit(3)", "plugin-error: plugin p: starting score.py: the plugin ended itself with exit code 3"},
		{"forged driver output changes no score", "import os, time\nos.write(1, b'{}\\n')\ntime.clock_getres(time.CLOCK_MONOTONIC)\n" + def("return 0.5"), `{"score":0.5}`},
		{"text beyond ASCII", def("return len(case['output'].encode()) / 44 if 'ä' < 'ö' else 0"), `{"score":0.5}`},
		{"a warm-up request that fails is named", "__warmup__ = [{'case': {'output': ''}}, {'case': {}}]\ndef score(case, config):\n    return len(case['output'])\n", "load: plugin p: __warmup__[1]: score.py:3: KeyError: 'output'\n  File \"score.py\", line 3, in score\n"},
		{"what are not warm-up requests are shown", "__warmup__ = ['x']\n" + def("return 1"), `load: plugin p: score.py: __warmup__ is ['x']; write a list of requests: [{"case": {"output": "..."}, "config": {}}]`},
		{"warm-up requests are run first", "n = 0\n__warmup__ = [{'case': {'output': 'x'}}]\ndef score(case, config):\n    global n\n    n += 1\n    return n / 9\n", `{"score":1.0}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				if got := scoreWith(t, rt, bundle(t, "score.py", tt.source), request); !strings.HasPrefix(got, tt.want) {
					t.Fatalf("%s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

func TestPython_ImportsModulesBesideScript(t *testing.T) {
	rt := python(t)
	files := map[string]string{
		"score.py":         "import helper\nfrom text import norm\nfrom text.tokens import tokens as t\ndef score(case, config):\n    return helper.half() * len(t(norm.lower('A B'))) if case else helper.bad()\n",
		"helper.py":        "def half():\n    return 0.25\n\ndef bad():\n    return {}['gone']\n",
		"text/__init__.py": "from . import norm\n", "text/norm.py": "def lower(s): return s.lower()\n", "text/tokens.py": "from .norm import lower\ndef tokens(s): return lower(s).split()\n",
	}
	if got := scoreWith(t, rt, bundleOf(t, "score.py", files), request); got != `{"score":0.5}` {
		t.Error(got)
	}
	empty := strings.Replace(request, `{"output":"the cat sat on the mat","references":["the cat is on the mat"]}`, "{}", 1)
	if got := scoreWith(t, rt, bundleOf(t, "score.py", files), empty); !strings.HasPrefix(got, `{"error": "helper.py:5: KeyError: 'gone'\n  File \"score.py\", line 5, in score\n`) {
		t.Error(got)
	}
	files["score.py"] = "import nowhere\n"
	if got := scoreWith(t, rt, bundleOf(t, "score.py", files), request); !strings.Contains(got, "the modules that lie beside the script (helper, text)") {
		t.Error(got)
	}
}

func TestPython_PrintsToTheLog(t *testing.T) {
	m := mustLoad(t, python(t), bundle(t, "score.py", "import sys\nprint('at the start')\ndef score(case, config):\n    print('looking at', case['output'])\n    print('x' * 100000)\n    sys.stderr.write('and this')\n    return 1\n"))
	_, usage, err := m.Call(context.Background(), "score", []byte(request), nil)
	if err != nil || !strings.HasPrefix(string(usage.Log), "looking at the cat sat on the mat\nxxx") || len(usage.Log) != m.Limits().LogBytes {
		t.Errorf("%v, %d bytes: %.60q", err, len(usage.Log), usage.Log)
	}
}

func BenchmarkPython(b *testing.B) {
	rt := python(b)
	m := mustLoad(b, rt, bundle(b, "score.py", f1Py))
	var answer []byte
	var err error
	b.ReportAllocs()
	for b.Loop() {
		if answer, _, err = m.Call(context.Background(), "score", []byte(request), answer); err != nil {
			b.Fatal(err)
		}
	}
}

// probePy reports the environment of a script, or runs the code of a case.
const probePy = `
import random, time, os, json, sys, re, gc, math, hashlib, decimal, builtins, types, io, warnings
LOG = []
def score(case, config):
    if "source" in case:
        scope = {"LOG": LOG}
        exec(compile("def run():\n" + "\n".join("    " + line for line in case["source"].split("\n")), "hostile.py", "exec"), scope)
        return scope["run"]()
    LOG.append(1)
    return {"score": 0, "details": {
        "log": len(LOG), "random": random.random(), "time": time.time(), "monotonic": time.monotonic(), "perf": time.perf_counter(), "hash": hash("abc"), "id": id(object()),
        "set": list({"a", "b", "c", "d"}), "urandom": os.urandom(4).hex(), "version": list(sys.version_info[:3]), "modules": len(sys.modules), "environ": dict(os.environ),
        "limit": sys.getrecursionlimit(), "builtins": len(dir(builtins)), "open": repr(open).split()[0], "gc": [gc.isenabled(), list(gc.get_threshold()), list(gc.get_count())[1:]], "argv": sys.argv,
        "path": sys.path, "meta": len(sys.meta_path), "json": json.dumps({"a": [1, "é"]}), "exp": math.exp(1.5), "sha": hashlib.sha256(b"x").hexdigest()[:8], "pi": str(decimal.Decimal(1) / 3),
        "trace": [sys.gettrace() is None, sys.getprofile() is None], "stdout": [sys.stdout.encoding, sys.stdout.closed], "locale": "%.2f" % 1.5, "warnings": len(warnings.filters), "refs": sys.getrefcount(LOG), "float": float.__repr__(0.1),
        "dict": len(types.__dict__), "blocks": sys.getallocatedblocks() > 0, "str": "abc".upper(), "int": int("12") + True, "stringio": io.StringIO("x").read(), "re": bool(re.match("a", "a")),
    }}
`

// hostilePy are attacks by scripts, and the expected end of each.
var hostilePy = []attempt{
	{"an endless loop", "while True: pass", "fuel"},
	{"endless recursion", "f = lambda: f()\nf()", ""},
	{"recursion without a limit", "import sys\nsys.setrecursionlimit(10**9)\nf = lambda n: f(n + 1)\nf(0)", ""},
	{"recursion in C: repr", "x = []\nfor _ in range(100000): x = [x]\nreturn len(repr(x))", "fuel"},
	{"recursion in C: comparing", "a, b = [], []\nfor _ in range(100000): a, b = [a], [b]\nreturn a == b", ""},
	{"recursion in C: deallocation", "x = None\nfor _ in range(300000): x = (x,)\ndel x\nreturn 1", ""},
	{"recursion in C: the parser", "eval('(' * 5000 + ')' * 5000)", `{"error"`},
	{"recursion in C: the compiler", "eval('-' * 50000 + '1')", ""},
	{"recursion in C: json", "import json\njson.loads('[' * 100000)", `{"error"`},
	{"recursion in C: pickle", "import pickle\nx = []\nfor _ in range(50000): x = [x]\npickle.dumps(x)", `{"error"`},
	{"recursion through __getattr__", "class A:\n    def __getattr__(self, n): return getattr(self, n + 'x')\nA().a", ""},
	{"recursion in all ways, one after another", `import sys
sys.setrecursionlimit(30_000)
def plain(n): return plain(n) + 1
def key(n): return sorted([n], key=key)
def through(n): return list(map(through, [n]))
class C:
    def __getattr__(self, name): return getattr(C(), name)
    def __repr__(self): return repr(C())
    def __eq__(self, other): return C() == C()
    def __hash__(self): return hash(C())
    def __len__(self): return len(C())
ends = 0
for f in key, plain, through, lambda n: C().x, lambda n: repr(C()), lambda n: C() == C(), lambda n: hash(C()), lambda n: len(C()):
    try: f(1)
    except RecursionError: ends += 1
return ends / 8`, `{"score":1.0}`},
	{"30 MB", "return len(bytearray(30_000_000)) / 1e9", `{"score":0.03}`},
	{"300 MB", "return len(bytearray(300_000_000))", `{"error": "score.py:8: MemoryError`},
	{"memory piece by piece", "a = []\nwhile True: a.append(bytearray(1 << 20))", `{"error": "score.py:8: MemoryError`},
	{"memory that is caught", "a = []\ntry:\n    while True: a.append(bytearray(1 << 20))\nexcept MemoryError:\n    pass\nreturn 0.5", `{"score":0.5}`},
	{"a text of 10**9", "return len('x' * 10**9)", `{"error": "score.py:8: MemoryError`},
	{"a list of 10**9", "return len([0] * 10**9)", `{"error": "score.py:8: MemoryError`},
	{"a huge integer", "return len(str(10 ** 100_000)) % 7 / 7", ""},
	{"a huge power", "return 9 ** 9 ** 9", ""},
	{"a huge shift", "return 1 << (1 << 40)", `{"error"`},
	{"a huge format", "return len('%1000000000d' % 1)", `{"error"`},
	{"a huge format of another kind", "return len(f'{1:>999999999}')", `{"error"`},
	{"a precision bomb", "import decimal\ndecimal.getcontext().prec = 10**9\nreturn decimal.Decimal(1) / 3", ""},
	{"a decompression bomb", "import zlib\nz = zlib.compress(b'0' * 1_000_000)\nfor _ in range(4): z = zlib.compress(zlib.decompress(z) * 100)\nreturn 1", ""},
	{"a regular expression that backtracks", "import re\nre.match('(a+)+$', 'a' * 40 + 'b')", "fuel"},
	{"a regular expression that nests", "import re\nre.compile('(' * 5000 + ')' * 5000)", ""},
	{"an iterator without end", "return sum(iter(int, 1))", "fuel"},
	{"a hash collision", "class H:\n    def __hash__(self): return 1\n    def __eq__(self, o): return False\nreturn len({H() for _ in range(20000)})", ""},
	{"an import hook", "import sys\nsys.meta_path.insert(0, None)\nsys.modules['json'] = None\nimport json", `{"error"`},
	{"no modules", "import sys\nsys.modules.clear()\nreturn 0.5", `{"score":0.5}`},
	{"no builtins", "import builtins\nfor n in list(vars(builtins)):\n    if n not in ('__import__',): delattr(builtins, n)", ""},
	{"another json", "import json\njson.dumps = json.loads = None\njson.JSONDecoder = None\nreturn 0.5", `{"score":0.5}`},
	{"another print", "import builtins\nbuiltins.print = builtins.open = builtins.repr = None\nreturn 0.5", `{"score":0.5}`},
	{"another random", "import random\nrandom.random = lambda: 4\nrandom.seed(1)\nreturn 0.5", `{"score":0.5}`},
	{"a changed type", "import ctypes\nreturn 1", `{"error": "score.py:8: ModuleNotFoundError`},
	{"a changed constant", "import gc\nfor d in gc.get_objects():\n    if isinstance(d, dict) and 'LOG' in d: d['LOG'] = [1] * 5\nreturn 0.5", ""},
	{"the driver's functions", "import gc, types\nfor f in gc.get_objects():\n    if isinstance(f, types.FunctionType) and f.__name__ in ('_answer', 'serve', '_failed'):\n        f.__code__ = (lambda *a, **k: b'{\"score\":1}').__code__\nreturn 0.5", ""},
	{"the frames above", "import sys\nf = sys._getframe()\nwhile f:\n    f.f_globals.clear() if f.f_back is None else None\n    f = f.f_back\nreturn 0.5", ""},
	{"a trace function", "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)\nreturn 0.5", `{"score":0.5}`},
	{"an audit hook", "import sys\ndef hook(*a): raise RuntimeError('no')\nsys.addaudithook(hook)\nreturn 0.5", ""},
	{"a switch interval, a hook, a limit", "import sys\nsys.setswitchinterval(1e-6)\nsys.set_int_max_str_digits(0)\nsys.excepthook = None\nsys.displayhook = None\nreturn 0.5", `{"score":0.5}`},
	{"an exit handler", "import atexit\natexit.register(print, 'bye')\nreturn 0.5", `{"score":0.5}`},
	{"the end by os._exit", "import os\nos._exit(3)", "plugin-error"},
	{"the end by abort", "import os\nos.abort()", ""},
	{"the end by sys.exit", "import sys\nsys.exit(3)", `{"error": "score.py:8: SystemExit: 3`},
	{"the end by a signal", "import signal\nsignal.raise_signal(9)", ""},
	{"a file", "return open('/etc/passwd').read()", `{"error": "score.py:8: FileNotFoundError`},
	{"a file that is written", "open('/tmp/x', 'w').write('x')", `{"error"`},
	{"a directory", "import os\nreturn os.listdir('/')", `{"error"`},
	{"the library's own file", "import os\nreturn os.stat('/usr/local/lib/python313.zip').st_size > 0", ""},
	{"overwriting the library", "open('/usr/local/lib/python313.zip', 'w').write('x')", ""},
	{"a socket", "import socket\nsocket.socket()", `{"error"`},
	{"a thread", "import threading\nthreading.Thread(target=print).start()", `{"error"`},
	{"a process", "import subprocess\nsubprocess.run(['ls'])", `{"error"`},
	{"a fork", "import os\nos.fork()", `{"error"`},
	{"a native library", "import _ctypes", `{"error"`},
	{"another process by multiprocessing", "import multiprocessing\nmultiprocessing.Process(target=print).start()", ""},
	{"sleeping for a century", "import time\ntime.sleep(3e9)\nreturn 0.5", `{"score":0.5}`},
	{"rubbish on standard output", "import os\nos.write(1, b'\\xff' * 100000)\nos.write(2, b'{}')\nreturn 0.5", `{"score":0.5}`},
	{"closed standard files", "import os, sys\nsys.stdout.close()\nos.close(0)\nos.close(1)\nreturn 0.5", ""},
	{"standard input read to its end", "import os\nreturn len(os.read(0, 100)) + 0.5", `{"score":0.5}`},
	{"an answer that is its own part", "a = {'score': 1}\na['details'] = {'a': a}\nreturn a", `{"error"`},
	{"an answer that lies", "class F(float):\n    def __repr__(self): return '1, \"score\": 0'\nreturn F(0.5)", ""},
	{"an answer whose float lies", "class A:\n    def __float__(self): return 1e400\nreturn A()", `{"error"`},
	{"an answer with a loop in it", "class A:\n    @property\n    def score(self):\n        while True: pass\nreturn A()", "fuel"},
	{"an answer of 2 MB", "return {'score': 1, 'reason': 'x' * 2_000_000}", "output"},
	{"an answer beyond Unicode", "return {'score': 1, 'reason': '\\ud800'}", ""},
	{"an exception that cannot be shown", "class E(Exception):\n    def __str__(self): raise ValueError\n    __repr__ = __str__\nraise E", `{"error"`},
	{"an exception of a million causes", "e = None\nfor k in range(20000):\n    n = ValueError(k)\n    n.__cause__ = e\n    e = n\nraise e", ""},
	{"an exception that no handler catches", "raise GeneratorExit", `{"error"`},
	{"a generator that never ends", "def g():\n    while True:\n        try: yield\n        except BaseException: pass\nx = g()\nnext(x)\ndel x\nreturn 0.5", ""},
	{"a finalizer that resurrects", "class A:\n    def __del__(self):\n        global KEPT\n        KEPT = self\nfor _ in range(1000): A()\nreturn 0.5", `{"score":0.5}`},
	{"a pickle that calls", "import pickle\npickle.loads(b'cposix\\nsystem\\n(S\"ls\"\\ntR.')", `{"error"`},
	{"code from bytes", "import types\nc = (lambda: 0).__code__\nexec(c.replace(co_code=b'\\x64\\xff' * 10, co_stacksize=1))", ""},
	{"code from noise", "c = (lambda: 0).__code__\nexec(c.replace(co_code=bytes(range(256)), co_consts=(), co_names=(), co_stacksize=0))", ""},
	{"marshal of noise", "import marshal\nmarshal.loads(b'\\xe3' + bytes(range(100)))", ""},
	{"memory of the interpreter", "import _testcapi\nreturn 0.5", ""},
	{"a crash on purpose", "import faulthandler\nfaulthandler._sigsegv()", ""},
	{"much printed", "for k in range(2000): print('x' * 100)\nreturn 0.5", `{"score":0.5}`},
	{"garbage collection switched off", "import gc\ngc.disable()\ngc.set_threshold(1)\ngc.unfreeze()\nreturn 0.5", `{"score":0.5}`},
	{"weak references and their callbacks", "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, lambda r: 1 / 0)\ndel a\nreturn 0.5", `{"score":0.5}`},
	{"a database in memory", "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table t (x)')\nreturn 0.5", ""},
	{"a query that never ends", "import sqlite3\nsqlite3.connect(':memory:').execute('with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c').fetchall()", "fuel"},
	{"an environment variable", "import os\nos.environ['X'] = '1'\nos.putenv('Y', '2')\nreturn 0.5", `{"score":0.5}`},
	{"a locale and a time zone", "import locale, os, time\nos.environ['TZ'] = 'Asia/Tokyo'\nlocale.setlocale(locale.LC_ALL, 'C')\nreturn 0.5", `{"score":0.5}`},
}

func TestHostileScript_LeavesNothingInPython(t *testing.T) {
	nothingStays(t, pythonHome(t), bundle(t, "score.py", probePy), wasm.Limits{Fuel: 300_000_000}, `{"score": 0, "details": {"log": 1, "random": 0.`, hostilePy)
}

func TestImageOfPython_IsReproducible(t *testing.T) {
	python(t)
	sameEverywhere(t, "score.py", f1Py)
}

// TestPython_ImportsItsLibrary imports every module of the library.
func TestPython_ImportsItsLibrary(t *testing.T) {
	rt := python(t)
	const source = `
import importlib, warnings, zipfile
names = sorted({n[:-4].replace("/", ".").removesuffix(".__init__") for n in zipfile.ZipFile("/usr/local/lib/python313.zip").namelist()})
def score(case, config):
    warnings.simplefilter("ignore")
    failed = []
    for n in names:
        try:
            if not n.endswith("__main__") and n not in ("this", "antigravity"): # programs
                importlib.import_module(n)
        except BaseException as e:
            failed.append(n)
    import sysconfig, zoneinfo, sqlite3, zlib, bz2, gzip, io
    assert sysconfig.get_paths()["stdlib"] == "/usr/local/lib/python3.13"
    assert sqlite3.connect(":memory:").execute("select sum(value) from json_each('[1, 2]')").fetchone() == (3,)
    assert zlib.decompress(zlib.compress(b"x" * 99)) == bz2.decompress(bz2.compress(b"x" * 99)) == b"x" * 99
    for m in (gzip, bz2):
        assert m.open(io.BytesIO(m.compress(b"x" * 99))).read() == b"x" * 99
    assert len(names) > 450
    return {"score": 1, "reason": " ".join(n for n in failed if n.partition(".")[0] not in ("_pyrepl", "ctypes", "multiprocessing"))}
`
	m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: bundle(t, "score.py", source)}, wasm.Limits{Fuel: 50_000_000_000, Deadline: time.Minute, MemoryPages: 4_096})
	if err != nil {
		t.Fatal(err)
	}
	answer := ask(t, m, "score", request)
	if !strings.HasSuffix(answer, `"reason": "asyncio.windows_events asyncio.windows_utils encodings.mbcs encodings.oem lzma pty ssl tty"}`) {
		t.Error(answer)
	}
}
