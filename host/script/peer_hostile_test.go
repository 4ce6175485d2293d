package script_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// judgingPy and judgingJS have their peer run the source of a case. Without one they
// compare the environments of both: kept state, clock and random numbers.
const (
	judgingPy = `
import os, random, time
import rubric_host_peer as peer

count = 0

def world():
    global count
    count += 1
    return "%d %r %r %r" % (count, time.time(), os.urandom(4), random.random())

def serve_peer(request):
    if not request:
        return world().encode()
    names = {}
    exec(request, names)
    return names.get("answer", b"")

def score(case, config):
    if "source" not in case:
        return {"score": 0, "judge": world(), "peer": peer.call(b"")[:2].__repr__()}
    if case["source"].startswith("# judge"):
        exec(case["source"], {"peer": peer, "os": os})
        return {"score": 1}
    end, payload, fuel = peer.call(case["source"].encode())
    after = peer.call(b"answer = b'after'")
    assert after[:2] == ("answer", b"after") or after[0] == "fuel", after
    return {"score": 0, "end": end, "says": payload.decode("utf-8", "replace")[:100]}
`
	judgingJS = `
let count = 0;
const world = () => [++count, Date.now(), Math.random()].join(" ");
export function servePeer(request) { return request === "" ? world() : (0, eval)(request); }
export function score(c) {
  if (c.source === undefined) { const { end, payload } = peer.call(""); return { score: 0, judge: world(), end, peer: payload }; }
  if (c.source.startsWith("// judge")) { (0, eval)(c.source); return { score: 1 }; }
  const { end, payload } = peer.call(c.source);
  if (c.source.startsWith("for (const n")) peer.restart();
  const after = peer.call("'after'");
  if (after.payload !== "after" && after.end !== "fuel") throw new Error(after.end);
  return { score: 0, end, says: payload.slice(0, 100) };
}
`
)

// ends is how an answer of judgingPy begins whose peer ended so, and said that.
func endsPy(end, says string) string {
	return fmt.Sprintf(`{"score": 0, "details": {"end": %q, "says": "%s`, end, says)
}

func endsJS(end, says string) string {
	return fmt.Sprintf(`{"score":0,"details":{"end":%q,"says":"%s`, end, says)
}

var hostilePeerPy = []attempt{
	{"an exit", "import os\nos._exit(0)", endsPy("exit", "0")},
	{"an exit by exception", "raise SystemExit", endsPy("exit", "0")},
	{"an abort", "import os\nos.abort()", endsPy("trap", "plugin p: serve_peer: trap: unreachable")},
	{"an endless loop", "while True: pass", endsPy("fuel", "")},
	{"an endless loop in C", "sum(iter(int, 1))", endsPy("fuel", "")},
	{"an endless loop that catches all", "while True:\n  try:\n    while True: pass\n  except BaseException: pass", endsPy("fuel", "")},
	{"all memory", "a = []\nwhile True: a.append(bytearray(1 << 20))", endsPy("memory", "")},
	{"all memory, twice caught", "a = []\ntry:\n  while True: a.append(bytearray(b'1') * (1 << 20))\nexcept MemoryError: answer = b'caught'", endsPy("answer", "caught")},
	{"all memory in small pieces", "a = []\nwhile True: a = [a, a]", ""},
	{"memory that is filled, for restoring to be slow", "import builtins\nbuiltins.a = bytearray(b'1') * (90 << 20)", endsPy("answer", "")},
	{"deep recursion", "import sys\nsys.setrecursionlimit(10**9)\nf = lambda n: f(n + 1)\nf(0)", ""},
	{"deep recursion in C", "x = []\nfor _ in range(100000): x = [x]\nrepr(x)", ""},
	{"gigabytes on standard output", "import os\nb = b'x' * (1 << 20)\nwhile True: os.write(1, b)", endsPy("fuel", "")},
	{"gigabytes on standard error", "import sys\nwhile True: print('x' * (1 << 16), file=sys.stderr)", endsPy("fuel", "")},
	{"a huge answer", "answer = b'x' * (2 << 20)", endsPy("output", "")},
	{"an answer as large as allowed", "answer = b'x' * ((1 << 20) - 1)", endsPy("answer", "xxx")},
	{"an answer of another type", "answer = 'text'", endsPy("trap", "serve_peer() returned str, not bytes")},
	{"an answer that lies about its size", "class B(bytes):\n  def __len__(self): return 1 << 40\nanswer = B(b'x')", endsPy("trap", "serve_peer() returned B, not bytes")},
	{"a peer of a peer", "import rubric_host_peer\nrubric_host_peer.call(b'x')", endsPy("trap", "score.py:16: RuntimeError: there is no peer here")},
	{"a peer of a peer, by descriptor", "import os\nos.write(0, b'call\\nx')", endsPy("trap", "score.py:16: OSError: [Errno 8] Bad file descriptor")},
	{"a restart of itself", "import rubric_host_peer\nrubric_host_peer.restart()", endsPy("trap", "score.py:16: RuntimeError: there is no peer here")},
	{"descriptors that are closed", "import os\nfor fd in range(70):\n  try: os.close(fd)\n  except OSError: pass", endsPy("answer", "")},
	{"a message without end", "raise ValueError('x' * 10**7)", endsPy("trap", "score.py:16: ValueError: xxx")},
	{"a message that cannot be made", "class E(BaseException):\n  def __str__(self): raise self\nraise E", ""},
	{"a message with control characters", "raise ValueError('\\x1b[2J\\x00\\ud800')", endsPy("trap", "score.py:16: ")},
	{"bytecode that is not code", "f = lambda: 0\nf.__code__ = f.__code__.replace(co_code=bytes([100, 255, 83, 0] * 40))\nf()", ""},
	{"a driver that answers a number", "import gc, types\nfor f in gc.get_objects():\n  if isinstance(f, types.FunctionType) and f.__name__ == 'serve' and f.__closure__: f.__code__ = (lambda a, b: lambda: (a, b, 7)[2])(0, 0).__code__", ""},
	{"a driver that is replaced", "import gc, types\nfor f in gc.get_objects():\n  if isinstance(f, types.FunctionType) and f.__name__ == 'answer': f.__code__ = (lambda: b'9').__code__", ""},
	{"modules that are gone", "import sys\nsys.modules.clear()\nimport builtins\nbuiltins.__dict__.clear()", ""},
	{"a sleep", "import time\ntime.sleep(10**9)", endsPy("answer", "")},
	{"a judge that is looked for", "import gc\nanswer = repr(sorted(o['source'] for o in gc.get_objects() if type(o) is dict and type(o.get('source')) is str)).encode()", endsPy("answer", "[]")},
}

// hostileJudgePy are judges that misuse their peer.
var hostileJudgePy = []attempt{
	{"no operation", "for b in (b'', b'call', b'xcall\\n', b'restart 0', b'restart -1', b'restart +1', b'restart 1 ', b'restart x', b'restart 18446744073709551616', b'restart ' + b'1' * 1000, b'x' * (5 << 20)):\n  try: os.write(0, b)\n  except OSError as e: assert e.errno == 28, e\n  else: assert not b, b", `{"score": 1`},
	{"a reply that is read late", "os.write(0, b'call\\nanswer = b\"1\"')\nassert peer.call(b'answer = b\"2\"')[1] == b'2'\nassert os.read(0, 100) == b''", `{"score": 1`},
	{"a request that is too large", "peer.call(bytes((4 << 20) + 1))", "input: plugin p: score: the request to its peer has 4194305 bytes, 4194304 allowed"},
	{"a request that is as large as allowed", "assert peer.call(b'#' * (4 << 20))[0] == 'answer'", `{"score": 1`},
	{"restarts without end", "while True: peer.restart()", "fuel"},
	{"new peers without end", "while True:\n  peer.restart()\n  peer.call(b'pass')", "fuel"},
	{"peers without end that fail", "while True: peer.call(b'raise SystemExit')", "fuel"},
	{"peers without end that fill their memory", "for _ in range(20): peer.call(b'a = bytearray(b\"1\") * (30 << 20)\\nraise SystemExit')", `{"score": 1`},
	{"large requests without end", "b = b'#' * (4 << 20)\nwhile True: peer.call(b)", "fuel"},
	{"large answers without end", "while True: peer.call(b'answer = b\"x\" * 10**6')", "fuel"},
	{"computations without end", "k = 0\nwhile True:\n  k += 1\n  peer.compute(b'pass # %d' % k)", "fuel"},
	{"remembered computations without end", "while True: peer.compute(b'pass')", "fuel"},
	{"a computation that does not end", "peer.compute(b'while True: pass')", "fuel"},
	{"a computation that is too large", "peer.compute(bytes((4 << 20) + 1))", "input: plugin p: score: the request to its peer has 4194305 bytes, 4194304 allowed"},
	{"computations that fail", "for b, end in ((b'raise SystemExit', 'exit'), (b'1 / 0', 'trap'), (b'answer = b\"x\" * (2 << 20)', 'output')):\n  for _ in range(3): assert peer.compute(b)[0] == end", `{"score": 1`},
	{"requests beyond the peer's fuel", "peer.call(b'while True: pass')\nwhile True: assert peer.call(b'pass') == ('fuel', b'', 0)", "fuel"},
}

var peerLimits = wasm.Limits{Fuel: 500_000_000, PeerFuel: 1_000_000_000}

func TestHostilePeer_InPython(t *testing.T) {
	module := peerBundle(t, "score.py", judgingPy)
	nothingStays(t, pythonHome(t), module, peerLimits, `{"score": 0, "details": {"judge": "1 `, append(hostilePeerPy, hostileJudges("# judge\n", hostileJudgePy)...))
}

// hostileJudges marks sources as those of judges.
func hostileJudges(mark string, list []attempt) []attempt {
	marked := make([]attempt, len(list))
	for k, a := range list {
		marked[k] = attempt{"judge: " + a.name, mark + a.source, a.ends}
	}
	return marked
}

var hostilePeerJS = []attempt{
	{"an endless loop", "for (;;);", endsJS("fuel", "")},
	{"an endless loop of promises", "(async () => { for (;;) await null; })()", endsJS("fuel", "")},
	{"all memory", "const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1))", endsJS("memory", "")},
	{"memory that is filled, for restoring to be slow", "globalThis.a = new Uint8Array(40 << 20).fill(1); ''", endsJS("answer", "")},
	{"deep recursion", "const f = (n) => f(n + 1) + 1; f(0)", endsJS("depth", "")},
	{"deep recursion that is caught", "const f = (n) => { try { return f(n + 1) + 1; } catch { return f(n + 1); } }; f(0)", endsJS("depth", "")},
	{"a regular expression that backtracks", "/^(a+)+$/.test('a'.repeat(40) + 'b')", endsJS("fuel", "")},
	{"gigabytes in the log", "for (;;) console.log('x'.repeat(1 << 16))", endsJS("fuel", "")},
	{"a huge answer", "'x'.repeat(2 << 20)", endsJS("output", "")},
	{"an answer as large as allowed", "'x'.repeat((1 << 20) - 1)", endsJS("answer", "xxx")},
	{"an answer of another type", "({ toString: () => 'x' })", endsJS("trap", "servePeer() returned {}, not a string")},
	{"an answer whose then is no end", "({ then() { for (;;); } })", endsJS("fuel", "")},
	{"an answer that is never", "new Promise(() => {})", endsJS("trap", "servePeer() returned a promise that nothing settles")},
	{"a peer of a peer", "peer.call('x')", endsJS("trap", "score.js:4:")},
	{"a restart of itself", "peer.restart()", endsJS("trap", "score.js:4:")},
	{"the module of QuickJS", "import('rubric-host:std').then((std) => { std.exit(3); })", ""},
	{"files of QuickJS", "import('rubric-host:std').then((std) => String(std.open('/etc/passwd', 'r')))", endsJS("answer", "null")},
	{"a message without end", "throw new Error('x'.repeat(1e6))", endsJS("trap", "score.js:4:")},
	{"a message that cannot be made", "throw { get message() { throw this; }, get stack() { throw this; } }", ""},
	{"no language", "for (const n of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[n]; } catch {} } ''", endsJS("answer", "")},
	{"prototypes that are changed", "String.prototype.slice = Array.prototype.push = Promise.prototype.then = null; JSON.stringify = () => 'x'; ''", endsJS("answer", "")},
}

var hostileJudgeJS = []attempt{
	{"a request that is too large", "peer.call('x'.repeat((4 << 20) + 1))", "input: plugin p: score: the request to its peer has 4194305 bytes, 4194304 allowed"},
	{"a request of bytes", "if (peer.call(new Uint8Array([0x27, 0xc3, 0xa4, 0x27])).payload !== 'ä') throw 1", `{"score":1`},
	{"restarts that are none", "for (const fuel of [0, -1, 1.5, NaN, 2 ** 60, '1', {}]) { try { peer.restart({ fuel }); } catch (e) { if (e instanceof RangeError) continue; } throw fuel; }", `{"score":1`},
	{"new peers without end", "for (;;) { peer.restart(); peer.call('1'); }", "fuel"},
	{"large requests without end", "const b = '/'.repeat(4 << 20); for (;;) peer.call(b)", ""},
	{"computations without end", "for (let k = 0;; k++) peer.compute('1 //' + k)", "fuel"},
	{"remembered computations without end", "for (;;) peer.compute('1')", "fuel"},
	{"a computation that does not end", "peer.compute('for (;;);')", "fuel"},
	{"a computation of bytes", "for (let k = 0; k < 3; k++) if (peer.compute(new Uint8Array([0x27, 0xc3, 0xa4, 0x27])).payload !== 'ä') throw 1", `{"score":1`},
	{"requests beyond the peer's fuel", "peer.call('for (;;);'); for (;;) if (peer.call('1').end !== 'fuel') throw 1", "fuel"},
}

func TestHostilePeer_InJavaScript(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	nothingStays(t, home{cache: scriptCache(t)}, peerBundle(t, "score.js", judgingJS), peerLimits, `{"score":0,"details":{"judge":"1 `, append(hostilePeerJS, hostileJudges("// judge\n", hostileJudgeJS)...))
}

// TestHostilePeer_EndsWithItsCall has a peer loop in a call whose time is over, and in one that is
// cancelled.
func TestHostilePeer_EndsWithItsCall(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	if wasmtest.Race { // the guest is the same
		return
	}
	h := home{cache: scriptCache(t)}
	source := wasm.Source{Name: "p", Module: peerBundle(t, "score.js", judgingJS)}
	limits := wasm.Limits{PeerFuel: 1 << 60, Deadline: 300 * time.Millisecond, Compile: patient.Compile}
	near, err := h.here(t).Load(t.Context(), source, limits)
	if err != nil {
		t.Fatal(err)
	}
	far, err := h.there(t).Load(t.Context(), source, limits)
	if err != nil {
		t.Fatal(err)
	}
	loops := []string{"for (;;);", "// judge\nfor (;;) peer.call('for (let k = 0; k < 1e4; k++);')"}
	settled := func(m callable) string { // a busy machine may stop a call that ends by itself, too: then it is made again
		for range 20 {
			if got := ask(t, m, "score", request); !strings.HasPrefix(got, "deadline: ") {
				return got
			}
		}
		t.Fatal("no call ends before its deadline")
		return ""
	}
	for name, m := range map[string]callable{"in process": near, "in a worker": far} {
		world := settled(m)
		for _, loop := range loops {
			if got := ask(t, m, "score", requestWith(t, "source", loop)); !strings.HasPrefix(got, "deadline: plugin p: score: still running after 300ms") {
				t.Errorf("%s: %s ends with %s", name, loop, got)
			}
			if got := settled(m); got != world {
				t.Errorf("%s: afterwards the world is %s, it was %s", name, got, world)
			}
		}
	}
	limits.Deadline = time.Hour
	patient, err := h.here(t).Load(t.Context(), source, limits)
	if err != nil {
		t.Fatal(err)
	}
	for _, loop := range loops {
		for after, begun := 50*time.Millisecond, false; !begun; after *= 2 { // a busy machine may not have begun the loop
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(after, cancel)
			_, usage, err := patient.Call(ctx, "score", []byte(requestWith(t, "source", loop)), nil)
			if begun = usage.PeerFuel > 0; !fault.Is(err, fault.Interrupted) || !begun && after > time.Minute {
				t.Fatalf("%s: cancelled, it ends with %v, %+v", loop, err, usage)
			}
		}
	}
}

// TestThreats_PeersAreOtherInstances has many judges at once, each of which compares
// its own state with its peer's.
func TestThreats_PeersAreOtherInstances(t *testing.T) {
	m := mustLoad(t, openRuntime(t, ""), moduleOf(t, script.Script{Entry: "score.js", Peer: true, Files: map[string]string{"score.js": `
let mine = "nothing";
export function servePeer(request) { const was = mine; mine = request; return was; }
export function score(c) {
  const seen = [peer.call("peer of " + c.output).payload, mine];
  mine = "judge of " + c.output;
  for (let k = 0; k < 20; k++) seen.push(peer.call("peer of " + c.output).payload === "peer of " + c.output, mine === "judge of " + c.output);
  peer.restart();
  seen.push(peer.call("").payload, mine === "judge of " + c.output);
  return { score: 1, seen: [...new Set(seen)].join() };
}`}}))
	var all sync.WaitGroup
	for k := range 12 {
		all.Go(func() {
			for n := range 20 {
				if got := ask(t, m, "score", requestWith(t, "output", fmt.Sprint(k, n))); got != `{"score":1,"details":{"seen":"nothing,true"}}` {
					t.Errorf("call %d of %d: %s", n, k, got)
				}
			}
		})
	}
	all.Wait()
}
