"""A double of the host for the machine's own Python: rubric_host_peer in a subprocess.

    python3 native.py < calls.jsonl      answers one call a line: {"export", "case", "config"}
"""
import json, os, resource, select, signal, struct, subprocess, sys, types

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = float(os.environ.get("SECONDS_PER_CALL", "3"))
MEMORY = 512 << 20
ANSWER = 1 << 20


def serve():
    """The peer: requests on standard input, answers on a copy of standard output."""
    sys.path.insert(0, os.path.dirname(HERE))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0), os.dup2(null, 1)
    sys.modules["rubric_host_peer"] = types.ModuleType("rubric_host_peer")
    import run_python
    pid = os.getpid()
    send = lambda b: os.write(answers, struct.pack("<I", len(b)) + b) if len(b) < 60_000 else [os.write(answers, struct.pack("<I", len(b)))] and _all(answers, b)
    while True:
        head = os.read(requests, 4)
        if len(head) < 4:
            os._exit(0)
        n, b = struct.unpack("<I", head)[0], b""
        while len(b) < n:
            b += os.read(requests, n - len(b))
        try:
            out = b"a" + run_python.serve_peer(b)
        except MemoryError:
            out = b"m"
        except BaseException as e:
            out = b"t" + repr(e).encode("utf-8", "replace")
        if len(out) > ANSWER:
            out = b"o"
        send(out)


def _all(fd, b):
    while b:
        b = b[os.write(fd, b):]


class Peer(types.ModuleType):
    process = None
    calls = 0

    def restart(self, fuel=None):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.process = None

    def call(self, request):
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, "-B", "-I", "-S", "-X", "utf8", __file__, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                            start_new_session=True)
        self.calls += 1
        p = self.process
        try:
            p.stdin.write(struct.pack("<I", len(request)) + request)
            p.stdin.flush()
            got = b""
            while len(got) < 4 or len(got) < 4 + struct.unpack("<I", got[:4])[0]:
                if not select.select([p.stdout], [], [], SECONDS)[0]:
                    self.restart()
                    return "fuel", b"", 10 ** 9
                part = os.read(p.stdout.fileno(), 1 << 20)
                if not part:
                    break
                got += part
        except BrokenPipeError:
            got = b""
        if len(got) < 5:
            code = p.wait()
            self.process = None
            return ("exit" if code >= 0 else "trap"), str(code).encode(), 1
        end = {b"a": "answer", b"m": "memory", b"t": "trap", b"o": "output"}[got[4:5]]
        if end != "answer":
            self.restart()
        return end, got[5:], 1000

    def compute(self, request):
        return "answer", sys.modules["run_python"].serve_peer(request), 0


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    sys.path.insert(0, os.path.dirname(HERE))
    peer = sys.modules["rubric_host_peer"] = Peer("rubric_host_peer")
    peer.call, peer.compute, peer.restart = peer.call, peer.compute, peer.restart  # as in a module: the warm-up replaces them for a time
    import run_python
    out = sys.stdout
    for line in sys.stdin:
        c = json.loads(line)
        peer.restart()
        pid = os.fork() if "--fork" in sys.argv else 0
        answer = getattr(run_python, c.get("export", "tests"))(c["case"], c.get("config", {}))
        json.dump({"name": c.get("name"), **answer}, out)
        out.write("\n")
        out.flush()
