package script_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// askingPy and askingJS send each source of the case to their peer, which runs it. They answer
// how each ended. A source "restart" or "restart N" restarts the peer; "compute " before one has it computed.
const (
	askingPy = `
import rubric_host_peer as peer

def serve_peer(request):
    names = {"request": request}
    exec(request.decode(), names)
    return names.get("answer", b"")

kept = 0

def score(case, config):
    global kept
    kept += 1
    seen = []
    for source in case["metadata"]["run"]:
        if source.startswith("restart"):
            peer.restart(*map(int, source.split()[1:]))
            continue
        ask = peer.compute if source.startswith("compute ") else peer.call
        end, payload, fuel = ask(source.removeprefix("compute ").encode())
        assert type(payload) is bytes and type(fuel) is int
        seen.append([end, payload.decode()[:300], fuel > 0])
    return {"score": 1, "kept": kept, "seen": seen}
`
	askingJS = `
export function servePeer(request) { return (0, eval)(request); }
let kept = 0;
export function score(c) {
  const seen = [];
  for (const source of c.metadata.run) {
    if (source.startsWith("restart")) { peer.restart({ fuel: source.split(" ").map(Number)[1] }); continue; }
    const { end, payload, fuel } = source.startsWith("compute ") ? peer.compute(source.slice(8)) : peer.call(source);
    seen.push([end, payload.slice(0, 300), fuel > 0]);
  }
  return { score: 1, kept: ++kept, seen };
}
`
)

// TestPeer_ServesIdle: a peer's serveIdle is called while its answer is pending.
func TestPeer_ServesIdle(t *testing.T) {
	const source = `
const due = [];
export const serveIdle = () => due.length > 0 && (due.shift()(), true);
export async function servePeer(request) {
  if (request === "throws") due.push(() => { throw new Error("no"); });
  for (let k = 0; k < 3; k++) await new Promise((done) => { if (request !== "never") due.push(done); });
  return request;
}
export const score = () => ({ score: 1, ends: ["settles", "never", "throws"].map((t) => peer.call(t)).map(({ end, payload }) => end + " " + payload.slice(0, 60)) });
`
	m := mustLoad(t, openRuntime(t, ""), peerBundle(t, "score.js", source))
	if got, want := ask(t, m, "score", asking(t)), `{"score":1,"details":{"ends":["answer settles","trap servePeer() returned a promise that nothing settles: there a","trap score.js`; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPeer_ServesRejection: a script learns of promises that reject without a handler, and of those that get one later.
func TestPeer_ServesRejection(t *testing.T) {
	const source = `
const seen = [];
export const serveRejection = (promise, reason, handled) => { seen.push(reason + " " + handled); throw new Error("nobody sees this"); };
export function servePeer() {
  const fails = async (why) => { throw why; };
  fails("lost");
  fails("late").catch(() => {});
  return seen.join();
}
export const score = () => ({ score: 1, saw: peer.call("").payload });
`
	m := mustLoad(t, openRuntime(t, ""), peerBundle(t, "score.js", source))
	if got, want := ask(t, m, "score", asking(t)), `{"score":1,"details":{"saw":"lost false,late false,late true"}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// peerBundle returns a script with a peer in the form of a module.
func peerBundle(t testing.TB, file, source string) []byte {
	t.Helper()
	return moduleOf(t, script.Script{Entry: file, Files: map[string]string{file: source}, Peer: true})
}

// asking returns a request to run sources in the peer.
func asking(t testing.TB, sources ...string) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "config": map[string]any{}, "case": map[string]any{"metadata": map[string]any{"run": sources}}}, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ended is how the peer ended one request.
type ended struct {
	end, payload string // the payload begins so
}

// asks runs sources in the peer of a script, and compares how each ended.
func asks(t *testing.T, m callable, sources []string, want ...ended) {
	t.Helper()
	var got struct {
		Details struct {
			Kept int     `json:"kept"`
			Seen [][]any `json:"seen"`
		} `json:"details"`
	}
	answer := ask(t, m, "score", asking(t, sources...))
	if err := json.Unmarshal([]byte(answer), &got); err != nil || len(got.Details.Seen) != len(want) || got.Details.Kept != 1 {
		t.Fatalf("%s: %v, want %d ends in a fresh judge", answer, err, len(want))
	}
	for k, w := range want {
		is := got.Details.Seen[k]
		if is[0] != w.end || !strings.HasPrefix(is[1].(string), w.payload) {
			t.Errorf("request %d ends with %v, want %v", k, is, w)
		}
	}
}

func TestPeer_AnswersInPython(t *testing.T) {
	m := mustLoad(t, python(t), peerBundle(t, "score.py", askingPy))
	for range 2 {
		asks(t, m, []string{
			"answer = request[:6]", "import builtins\nbuiltins.kept = b'here'", "answer = kept", "restart", "answer = kept",
			"answer = bytes(range(128)) * 2000", "answer = 1", "1 / 0", "raise SystemExit(7)", "import os\nos._exit(3)", "import sys\nsys.exit('no')",
			"raise MemoryError", "import rubric_host_peer as p\np.call(b'x')", "import os\nos.write(0, b'call\\nx')", "async def f(): return 0\nanswer = b'after'",
		},
			ended{"answer", "answer"}, ended{"answer", ""}, ended{"answer", "here"}, ended{"trap", "score.py:6: NameError: name 'kept' is not defined"},
			ended{"answer", "\x00\x01"}, ended{"trap", "serve_peer() returned int, not bytes"}, ended{"trap", "score.py:6: ZeroDivisionError: division by zero"}, ended{"exit", "7"}, ended{"exit", "3"}, ended{"exit", "1"},
			ended{"memory", ""}, ended{"trap", "score.py:"}, ended{"trap", "score.py:6: OSError: [Errno 8]"}, ended{"answer", "after"},
		)
	}
}

func TestPeer_AnswersInJavaScript(t *testing.T) {
	m := mustLoad(t, openRuntime(t, ""), peerBundle(t, "score.js", askingJS))
	for range 2 {
		asks(t, m, []string{
			"'a'", "globalThis.kept = 'here'; ''", "kept", "restart", "kept", "'\\u00e4\\u20ac\\n'.repeat(3000)", "1", "throw new Error('no')",
			"Promise.resolve('later')", "new Promise(() => {})", "(async () => { await null; throw new TypeError('late') })()", "peer.call('1')",
		},
			ended{"answer", "a"}, ended{"answer", ""}, ended{"answer", "here"}, ended{"trap", "score.js:2:"}, ended{"answer", "ä€\nä€\n"}, ended{"trap", "servePeer() returned 1, not a string"},
			ended{"trap", "score.js:2:54: Error: no"}, ended{"answer", "later"}, ended{"trap", "servePeer() returned a promise that nothing settles"}, ended{"trap", "TypeError: late"},
			ended{"trap", "score.js:2:54: Error: there is no peer here"},
		)
	}
}

// TestPeer_ComputesInNewInstances asks for the same computations in several calls.
func TestPeer_ComputesInNewInstances(t *testing.T) {
	m := mustLoad(t, openRuntime(t, ""), peerBundle(t, "score.js", askingJS))
	const count = "globalThis.n = (globalThis.n ?? 0) + 1; String(n)"
	for range 2 {
		asks(t, m, []string{count, count, "compute " + count, "compute " + count, count, "compute throw new Error('no')", "compute " + count, "compute peer.compute('1')"},
			ended{"answer", "1"}, ended{"answer", "2"}, ended{"answer", "1"}, ended{"answer", "1"}, ended{"answer", "1"}, ended{"trap", "score.js:2:54: Error: no"}, ended{"answer", "1"},
			ended{"trap", "score.js:2:54: Error: there is no peer here"},
		)
	}
}

func TestPeer_ComputesInNewInstancesInPython(t *testing.T) {
	m := mustLoad(t, python(t), peerBundle(t, "score.py", askingPy))
	const count = "import builtins\nbuiltins.n = getattr(builtins, 'n', 0) + 1\nanswer = b'%d' % n"
	for range 2 {
		asks(t, m, []string{count, count, "compute " + count, "compute " + count, count, "compute raise SystemExit(3)", "compute " + count, "compute import os\nos.write(0, b'compute\\nx')"},
			ended{"answer", "1"}, ended{"answer", "2"}, ended{"answer", "1"}, ended{"answer", "1"}, ended{"answer", "1"}, ended{"exit", "3"}, ended{"answer", "1"},
			ended{"trap", "score.py:6: OSError: [Errno 8]"},
		)
	}
}

// TestPeer_ForgetsWhatFillsItsMemory has more computed than a module remembers.
func TestPeer_ForgetsWhatFillsItsMemory(t *testing.T) {
	m := mustLoad(t, openRuntime(t, ""), peerBundle(t, "score.js", askingJS))
	var sources []string
	var want []ended
	for k := range 10 {
		sources, want = append(sources, fmt.Sprintf("compute '%d ' + 'x'.repeat(1e6)", k)), append(want, ended{"answer", fmt.Sprintf("%d xxx", k)})
	}
	for range 2 {
		asks(t, m, sources, want...)
	}
}

// TestPeer_FuelIsCountedApart compares the fuel of the judge and of its peers, in
// calls that use more and more of both.
func TestPeer_FuelIsCountedApart(t *testing.T) {
	rt := openRuntime(t, "")
	m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: peerBundle(t, "score.js", askingJS)}, wasm.Limits{PeerFuel: 60_000_000, Deadline: patient.Deadline})
	if err != nil {
		t.Fatal(err)
	}
	spin := func(rounds int) string { return fmt.Sprintf("for (let k = 0; k < %d; k++); ''", rounds) }
	call := func(sources ...string) (string, wasm.Usage) {
		answer, usage, err := m.Call(t.Context(), "score", []byte(asking(t, sources...)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(answer), usage
	}
	_, none := call()
	_, little := call(spin(10))
	_, much := call(spin(20_000))
	if none.PeerFuel != 0 || little.PeerFuel == 0 || much.PeerFuel < 20*little.PeerFuel || much.Fuel > little.Fuel+10_000 || much.Fuel < none.Fuel {
		t.Errorf("without a request %+v, a small one %+v, a large one %+v", none, little, much)
	}
	answer, all := call(spin(20_000), spin(1e9), spin(1), "restart 1000000", spin(1e9), spin(1))
	if all.PeerFuel < 60_000_000 || all.PeerFuel > 60_100_000 || !strings.Contains(answer, `"seen":[["answer","",true],["fuel","",true],["fuel","",false],["fuel","",false],["fuel","",false]]`) {
		t.Errorf("%s with %+v", answer, all)
	}
	answer, all = call("restart 1000000", spin(1e9), spin(1), "restart 30000000", spin(20_000))
	if !strings.Contains(answer, `"seen":[["fuel","",true],["answer","",true],["answer","",true]]`) {
		t.Errorf("%s with %+v", answer, all)
	}
}

// TestPeer_LeavesAnAnswer: a scorer says what its answer is if its fuel, memory or depth of calls is used up from then on, in that call only.
func TestPeer_LeavesAnAnswer(t *testing.T) {
	for name, source := range map[string]string{
		"score.py": `
import rubric_host_peer as peer

def serve_peer(request):
    return b""

def score(case, config):
    for answer in case["metadata"]["run"]:
        peer.leave(answer.encode())
    peer.call(b"")
    while case["output"]:
        pass
    return True
`,
		"score.js": `
export const servePeer = () => "";
export function score(c) {
  for (const answer of c.metadata.run) peer.leave(answer);
  peer.call("");
  const deep = () => 1 + deep();
  if (c.output === "deep") deep();
  if (c.output === "much") for (const list = [];;) list.push(new Uint8Array(1e6));
  while (c.output);
  return 1;
}
`,
	} {
		rt := openRuntime(t, "")
		if strings.HasSuffix(name, ".py") {
			rt = python(t)
		}
		m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: peerBundle(t, name, source)}, wasm.Limits{Fuel: 50_000_000, OutputBytes: 1000, Compile: patient.Compile, Deadline: patient.Deadline})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			output string
			left   []string
			want   string // empty: the call fails; too long: of class fault.Output
		}{
			{"loop", []string{`{"score":0}`}, `{"score":0}`}, {"loop", nil, ""}, {"", []string{`{"score":0}`}, `{"score":1}`},
			{"deep", []string{`{"score":0}`}, `{"score":0}`}, {"much", []string{`{"score":0}`}, `{"score":0}`},
			{"loop", []string{`{"score":0}`, ""}, ""}, {"loop", []string{`{"score":0}`, `{"unscored":"late"}`}, `{"unscored":"late"}`},
			{"loop", []string{`{"score":0,"reason":"` + strings.Repeat("x", 1000) + `"}`}, "too long"},
		} {
			request, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": map[string]any{"output": c.output, "metadata": map[string]any{"run": append([]string{}, c.left...)}}, "config": map[string]any{}})
			if err != nil {
				t.Fatal(err)
			}
			answer, _, err := m.Call(t.Context(), "score", request, nil)
			if c.want == "too long" {
				if fault.Of(err) != fault.Output {
					t.Errorf("%s: an answer beyond the limit: %.80s, %v", name, answer, err)
				}
				continue
			}
			if c.want != "" && (err != nil || string(answer) != c.want) || c.want == "" && fault.Of(err) != fault.Fuel {
				t.Errorf("%s, %q, left %q: %s, %v", name, c.output, c.left, answer, err)
			}
		}
	}
}

// TestPeer_FreesWhatItAnsweredInPython and the test after it send and get more than the memory of
// a peer holds.
func TestPeer_FreesWhatItAnsweredInPython(t *testing.T) {
	manyAnswers(t, python(t), 640, peerBundle(t, "score.py", `
import rubric_host_peer as peer

def serve_peer(request):
    return request[::-1]

def score(case, config):
    for k in range(400):
        end, payload, fuel = peer.call(b"%d " % k + b"y" * 100_000)
        assert end == "answer" and len(payload) > 100_000 and payload.endswith(b" " + str(k).encode()[::-1]), (k, end)
    return 1
`), `{"score":1.0}`)
}

func TestPeer_FreesWhatItAnsweredInJavaScript(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	manyAnswers(t, openRuntime(t, ""), 256, peerBundle(t, "score.js", `
export const servePeer = (request) => "ä" + request;
export function score() {
  const text = "y".repeat(100_000);
  for (let k = 0; k < 200; k++) {
    const { end, payload } = peer.call(k + text);
    if (end !== "answer" || payload.length !== 1 + text.length + String(k).length || !payload.startsWith("ä" + k)) throw new Error(k + end);
  }
  return 1;
}`), `{"score":1}`)
}

func manyAnswers(t *testing.T, rt *wasm.Runtime, pages uint32, module []byte, want string) {
	t.Helper()
	m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: module}, wasm.Limits{Fuel: 20_000_000_000, MemoryPages: pages, Deadline: patient.Deadline, Compile: patient.Compile})
	if err != nil {
		t.Fatal(err)
	}
	answer, usage, err := m.Call(t.Context(), "score", []byte(request), nil)
	if err != nil || string(answer) != want {
		t.Errorf("%s, %+v, %v", answer, usage, err)
	}
}

// TestPeer_HasNoGrantsInPython grants a script a clock and random numbers: its peer has neither.
func TestPeer_HasNoGrantsInPython(t *testing.T) {
	rt := python(t)
	access := &grant.Access{Clock: true, Random: true}
	m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Access: access, Module: peerBundle(t, "score.py", `
import os, time
import rubric_host_peer as peer

def seen():
    return "%r %r" % (time.time() > 1700000000, os.urandom(8))

def serve_peer(request):
    return seen().encode()

def score(case, config):
    judge, peers = seen(), [peer.call(b"")[1].decode()]
    peer.restart()
    peers.append(peer.call(b"")[1].decode())
    return {"score": 1, "judge": judge[:5], "peers": len(set(peers)), "peer": peers[0][:6]}
`)}, patient)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"score": 1, "details": {"judge": "True ", "peers": 1, "peer": "False "}}`
	if got := ask(t, m, "score", request); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestPeer_CostsTheJudgeInPython: work that the host does for a judge is paid by it.
func TestPeer_CostsTheJudgeInPython(t *testing.T) {
	m := mustLoad(t, python(t), peerBundle(t, "score.py", judgingPy))
	fuel := func(source string) uint64 {
		_, usage, err := m.Call(t.Context(), "score", []byte(requestWith(t, "source", "# judge\n"+source)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return usage.Fuel
	}
	for _, tt := range []struct {
		what, source, without string
		least                 uint64
	}{
		{"100 operations", "for _ in range(100): os.write(0, b'restart')", "for _ in range(100): os.write(1, b'restart')", 100 * 2_000},
		{"10 peers", "for _ in range(10): peer.call(b''); peer.restart()", "peer.call(b'')\nfor _ in range(9): peer.call(b''); peer.restart\npeer.restart()", 9 * 200_000},
	} {
		if is, without := fuel(tt.source), fuel(tt.without); is < without+tt.least {
			t.Errorf("%s cost %d fuel, %d without, which is less than %d more", tt.what, is, without, tt.least)
		}
	}
}

// TestPeer_UsageIsTheSameEverywhere compares calls in this process, in a worker, and in the
// interpreter, again and again.
func TestPeer_UsageIsTheSameEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	if wasmtest.Race { // the guest is the same
		return
	}
	h := home{cache: scriptCache(t)}
	source := wasm.Source{Name: "p", Module: peerBundle(t, "score.js", askingJS)}
	near, err := h.here(t).Load(t.Context(), source, patient)
	if err != nil {
		t.Fatal(err)
	}
	far, err := h.there(t).Load(t.Context(), source, patient)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := wasmtest.Runtime(t, wasm.Options{Interpreter: true, Scripts: script.Open}).Load(t.Context(), source, patient)
	if err != nil {
		t.Fatal(err)
	}
	sameUsage(t, asking(t, "1", "'x'.repeat(3000)", "restart", "throw 1", "restart 300000", "for (;;);", "Math.random() + ' ' + Date.now()", "compute Math.random() + 'x'", "compute new Uint8Array(9e6).fill(1); ''"), near, far, slow)
}

func TestPeer_UsageIsTheSameEverywhereInPython(t *testing.T) {
	h := pythonHome(t)
	source := wasm.Source{Name: "p", Module: peerBundle(t, "score.py", askingPy)}
	near, err := h.here(t).Load(t.Context(), source, patient)
	if err != nil {
		t.Fatal(err)
	}
	far, err := h.there(t).Load(t.Context(), source, patient)
	if err != nil {
		t.Fatal(err)
	}
	sameUsage(t, asking(t, "answer = b'1'", "answer = b'x' * 30000", "restart", "raise SystemExit", "restart 3000000", "while True: pass",
		"import time, random\nanswer = repr([time.time(), random.random(), hash('a'), id(request)]).encode()", "compute answer = b'x' * 30", "compute bytearray(b'1') * (9 << 20)"), near, far)
}

// TestPeer_IsNotTooDeepInTheInterpreter: its end after 2,000 nested calls says nothing of the peer, so the call fails.
func TestPeer_IsNotTooDeepInTheInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	m, err := wasmtest.Runtime(t, wasm.Options{Interpreter: true, Scripts: script.Open}).Load(t.Context(), wasm.Source{Name: "p", Module: peerBundle(t, "score.js", askingJS)}, patient)
	if err != nil {
		t.Fatal(err)
	}
	const deep = "(function f(n) { return n && 1 + f(n - 1); })(5000)"
	if answer, _, err := m.Call(t.Context(), "score", []byte(asking(t, deep)), nil); fault.Of(err) != fault.Depth {
		t.Errorf("%s, %v, want %v", answer, err, fault.Depth)
	}
}

// sameUsage compares answers and usages of a request.
func sameUsage(t *testing.T, request string, modules ...callable) {
	t.Helper()
	var want string
	for k, m := range modules {
		for range 2 {
			answer, usage, err := m.Call(t.Context(), "score", []byte(request), nil)
			got := fmt.Sprintf("%s %+v %v", answer, usage, err)
			if want == "" {
				want = got
			}
			if got != want || usage.PeerFuel == 0 || err != nil {
				t.Errorf("module %d: %s\nthe first: %s", k, got, want)
			}
		}
	}
}

// TestPeer_ABIExampleInPython runs the script that sdk/ABI.md shows.
func TestPeer_ABIExampleInPython(t *testing.T) {
	text, err := os.ReadFile("../../sdk/ABI.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```python\nimport contextlib")
	source, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("ABI.md shows no script with a peer")
	}
	limits := patient
	limits.PeerFuel = 200_000_000 // which a candidate burns
	m, err := python(t).Load(t.Context(), wasm.Source{Name: "p", Module: peerBundle(t, "score.py", "import contextlib"+source)}, limits)
	if err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{
		"print(6 * 7)": `{"score": 1, "details": {"ended": "answer", "fuel": `, "print(6 + 7)": `{"score": 0, "details": {"ended": "answer"`, "1 / 0": `{"score": 0, "details": {"ended": "trap"`,
		"import sys\nsys.exit()": `{"score": 0, "details": {"ended": "exit"`, "while True: pass": `{"score": 0, "details": {"ended": "fuel"`,
	} {
		b, err := json.Marshal(map[string]any{"kind": "metric", "config": map[string]any{}, "case": map[string]any{"output": output, "references": []string{"42\n"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, m, "score", string(b)); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", output, got, want)
		}
	}
}
