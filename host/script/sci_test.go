package script_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// sciHome is where CPython with numpy is, which RUBRIC_HOST_PYTHON_SCI names. To
// compile it takes minutes, so CI does not (make python-sci-check).
func sciHome(t testing.TB) home {
	t.Helper()
	h := home{wheel: wasmtest.Wheel(t, "RUBRIC_HOST_PYTHON_SCI", "CI_REQUIRE_PYTHON_SCI")}
	h.cache = filepath.Join(filepath.Dir(h.wheel), "compiled")
	if err := os.MkdirAll(h.cache, 0o700); err != nil {
		t.Fatal(err)
	}
	return h
}

func sci(t testing.TB) *wasm.Runtime {
	t.Helper()
	return sciHome(t).here(t)
}

// sciBundle returns a script of one file for python-sci.
func sciBundle(t testing.TB, source string) []byte {
	t.Helper()
	l, _ := script.Find(script.PythonSci)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "score.py", Files: map[string]string{"score.py": source}}
	b, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cosinePy is the cosine of counts of character trigrams.
const cosinePy = `
import numpy as np

def vec(s, dim=4096):
    v = np.zeros(dim)
    for i in range(len(s) - 2):
        v[(ord(s[i]) * 961 + ord(s[i + 1]) * 31 + ord(s[i + 2])) % dim] += 1
    return v

def score(case, config):
    a, b = vec(case["output"]), vec(case["references"][0])
    n = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / n) if n else 0.0
`

func TestPythonSci(t *testing.T) {
	rt := sci(t)
	def := func(body string) string {
		return "def score(case, config):\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n"
	}
	for _, tt := range []struct{ name, source, want string }{
		{"numpy: the cosine of trigrams", cosinePy, `{"score":0.8178608201095309}`},
		{"a scorer without numpy answers as it does in Python 3.13", f1Py, `{"score":0.8333333333333334}`},
		{"a number of numpy is a number", "import numpy as np\n" + def("return np.float32(0.5)"), `{"score":0.5}`},
		{"a truth of numpy is 0 or 1", "import numpy as np\n" + def("return {'score': np.True_}"), `{"score": 1`},
		{"an array is in the details", "import numpy as np\n" + def("return {'score': 1, 'all': np.arange(3)}"), `{"score": 1, "details": {"all": [0, 1, 2]}}`},
		{"what is not a number of numpy fails", "import numpy as np\n" + def("return np.nan"), `{"error": "score() returned nan, which is not a score`},
		{"scipy", "from scipy.stats import spearmanr\n" + def("return float(spearmanr([1, 2, 3, 4], [1, 3, 2, 4]).statistic)"), `{"score":0.7999999999999999}`},
		{"scipy's own exceptions, of C++", "import scipy.optimize as o\n" + def("r = o.linprog([1], A_ub=[[1]], b_ub=[-1], bounds=[(0, None)])\nreturn {'score': 1, 'status': r.status}"), `{"score": 1, "details": {"status": 2}}`},
		{"an exception of C++ is one of Python", "import contourpy\n" + def("try:\n    contourpy.contour_generator(z=[[1, 2], [3, 4]]).filled(1, 0)\nexcept ValueError as e:\n    return {'score': 0.5, 'reason': str(e)}"), `{"score": 0.5, "reason": "upper_level must be larger than lower_level"}`},
		{"pandas", "import pandas as pd\n" + def("return float(pd.Series([1, 2, 3]).rolling(2).mean().iloc[-1]) / 5"), `{"score":0.5}`},
		{"scikit-learn", "from sklearn.metrics import f1_score\n" + def("return f1_score([0, 1, 1, 0], [0, 1, 0, 0])"), `{"score":0.6666666666666666}`},
		{"regex", "import regex\n" + def("return len(regex.findall(r'\\p{L}+', case['output'])) / 12"), `{"score":0.5}`},
		{"a module that is imported in a call", def("import numpy.fft\nreturn float(numpy.fft.fft([1, 0])[0].real)"), `{"score":1.0}`},
		{"what there is not is said", def("import torch"), `{"error": "score.py:2: ModuleNotFoundError: No module named 'torch'; this runtime has the standard library of Python 3.15, numpy, scipy, pandas, scikit-learn and what they need, and the modules that lie beside the script (there are none)`},
		{"random numbers of numpy are the same in every case", "import numpy as np\nr = np.random.default_rng()\n" + def("return [r.random(), np.random.default_rng().random()] == [0.5] or {'score': 1, 'r': r.random()}"), `{"score": 1, "details": {"r": 0.`},
		{"the library is a file that is read", def("with open('/usr/local/lib/python315.zip', 'rb') as f:\n    return {'score': 1, 'is': f.read(2).decode(), 'all': len(f.read()) > 5e7}"), `{"score": 1, "details": {"is": "PK", "all": true}}`},
		{"and nothing else is", def("import os\nreturn {'score': 1, 'files': [os.listdir(d) for d in ('/', '/usr', '/usr/local', '/usr/local/lib')]}"), `{"score": 1, "details": {"files": [["usr"], ["local"], ["lib"], ["python315.zip"]]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				if got := scoreWith(t, rt, sciBundle(t, tt.source), request); !strings.HasPrefix(got, tt.want) {
					t.Fatalf("%s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// TestHostileScript_LeavesNothingInPythonSci makes calls that are tried on Python,
// and more, and looks at the world after each.
func TestHostileScript_LeavesNothingInPythonSci(t *testing.T) {
	const more = "import numpy as np\nimport contourpy\n"
	list := slices.Concat(hostileSci, hostilePy)
	for k, a := range list {
		list[k].ends = strings.ReplaceAll(a.ends, "score.py:8:", "score.py:10:") // behind two lines more
		if slices.Contains(elsewhere, a.name) {
			list[k].ends = ""
		}
	}
	nothingStays(t, sciHome(t), sciBundle(t, more+probePy), wasm.Limits{Fuel: 2_000_000_000}, `{"score": 0, "details": {"log": 1, "random": 0.`, list)
}

// elsewhere are the attempts that end differently in this build.
var elsewhere = []string{"recursion in C: repr", "recursion in C: json", "recursion in C: pickle", "recursion in all ways, one after another", "a changed type", "memory piece by piece"}

// hostileSci are attempts with the additional modules of this runtime.
var hostileSci = []attempt{
	{"an array of 4 GB", "import numpy as np\nreturn np.zeros(1 << 29).sum()", `{"error"`},
	{"an array beyond every size", "import numpy as np\nreturn np.zeros((1 << 30, 1 << 30)).sum()", `{"error"`},
	{"a changed constant of numpy", "import numpy as np\nnp.pi = 3\nnp.linalg.norm = None\nnp.seterr(all='raise')\nreturn 0.5", `{"score":0.5}`},
	{"memory behind an array", "import numpy as np\nfrom numpy.lib.stride_tricks import as_strided\na = as_strided(np.zeros(8), (1 << 24,), (8,))\na[:1 << 20] = 7\nreturn 0.5", ""},
	{"all memory behind an array", "import numpy as np\nfrom numpy.lib.stride_tricks import as_strided\na = as_strided(np.zeros(8), (1 << 28,), (8,))\na[:] = 7", ""},
	{"twenty thousand exceptions of C++", "import contourpy\nfor _ in range(20000):\n    try: contourpy.contour_generator(z=[[1, 2], [3, 4]]).filled(1, 0)\n    except ValueError: pass\nreturn 0.5", ""},
	{"an endless loop in C", "import numpy as np\na = np.ones(3000)\nwhile True: np.sort(np.outer(a, a))", "fuel"},
	{"files that stay open", "import os\nfor _ in range(60): os.open('/usr/local/lib/python315.zip', os.O_RDONLY)\nreturn 0.5", `{"score":0.5}`},
	{"more files than may be open", "import os\nfor _ in range(600): os.open('/usr/local/lib/python315.zip', os.O_RDONLY)", `{"error"`},
	{"writing to the library", "f = open('/usr/local/lib/python315.zip', 'r+b')\nf.write(b'x')\nf.flush()", `{"error"`},
	{"removing the library", "import os\nos.remove('/usr/local/lib/python315.zip')", `{"error"`},
	{"a way out of the library", "open('/usr/local/lib/../../../etc/passwd')", `{"error"`},
	{"a pickle of numpy that lies", "import numpy as np, pickle\nb = pickle.dumps(np.arange(4)).replace(b'\\x20', b'\\x7f')\nreturn float(pickle.loads(b).sum())", ""},
	{"a thread pool", "from joblib import Parallel, delayed\nreturn sum(Parallel(n_jobs=2)(delayed(abs)(k) for k in range(3))) / 6", ""},
}

// otherwise are scorers whose answers CPython 3.15 and 3.13 give differently, and
// why.
var otherwise = map[string]string{
	"summed":   "sum() of floats is compensated among whole numbers too, from 3.14 on",
	"mixed_32": "the same",
	"dates":    "what is wrong with a date is said in other words",
	"diffed":   "textwrap leaves no space at the end of a line",

	"hashed_32":   "sys.maxsize is that of 32 bits",
	"errors_libm": "another musl: the last bits of erf and gamma",
}

// TestPythonSci_AnswersAsPython asks both for the answers of the scorers that are
// compared with the machine's own interpreters.
func TestPythonSci_AnswersAsPython(t *testing.T) {
	older, newer := python(t), sci(t)
	files, err := filepath.Glob("testdata/same/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no scorers: ", err)
	}
	same, cases := 0, sampleCases(60)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range natives[".py"].scorers.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		of := func(rt *wasm.Runtime, language string) *wasm.Module {
			l, _ := script.Find(language)
			s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "scorers.py", Exports: names, Files: map[string]string{"scorers.py": string(text)}}
			b, err := s.Module()
			if err != nil {
				t.Fatal(err)
			}
			return mustLoad(t, rt, b)
		}
		is, was := of(newer, script.PythonSci), of(older, script.Python)
		for _, name := range names {
			differs := 0
			for _, c := range cases {
				asked := `{"contract":1,"kind":"metric","config":{},"case":` + string(c) + `}`
				if a, b := ask(t, is, name, asked), ask(t, was, name, asked); a != b {
					if differs++; differs == 1 && otherwise[name] == "" {
						t.Errorf("%s of %s: 3.15 answers %.300s\n3.13 answered %.300s", name, c, a, b)
					}
				}
			}
			if differs == 0 {
				same++
			}
			if why := otherwise[name]; why != "" && differs == 0 {
				t.Errorf("%s: the answers are the same, which they were not: %s", name, why)
			}
		}
	}
	t.Logf("%d scorers answer the same in all of %d cases", same, len(cases))
}

// TestPython_NamesTheRuntimeThatHasAPackage imports a package of the larger runtime
// in the smaller one.
func TestPython_NamesTheRuntimeThatHasAPackage(t *testing.T) {
	rt := python(t)
	for _, name := range []string{"numpy", "scipy.stats", "sklearn"} {
		got := scoreWith(t, rt, bundle(t, "score.py", "import "+name+"\n"+f1Py), request)
		if want := strings.Split(name, ".")[0] + " is there in runtime: python-sci"; !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	if got := scoreWith(t, rt, bundle(t, "score.py", "import torch\n"+f1Py), request); strings.Contains(got, "python-sci") {
		t.Error(got)
	}
}

func BenchmarkPythonSci(b *testing.B) {
	m := mustLoad(b, sci(b), sciBundle(b, cosinePy))
	var answer []byte
	var err error
	for b.Loop() {
		if answer, _, err = m.Call(context.Background(), "score", []byte(request), answer); err != nil {
			b.Fatal(err)
		}
	}
}
