# Peers: how a script asks a second instance of itself, and how that one answers.

def _peer_module(_write=os.write, _read=os.read, _loads=marshal.loads, _file=0, _most=1 << 16):
    """Returns the module by which a script asks its peer."""
    def send(message):
        try:
            _write(_file, message)
        except OSError:
            raise RuntimeError("there is no peer here: a script has one during a call, and a peer has none") from None

    def call(request):
        """Sends bytes to serve_peer of the peer. Returns why it stopped, what it answered, and the fuel that took."""
        send(b"call marshal\n" + request)
        return reply()

    def compute(request):
        """Is call to a new peer that serves this request only, whose answer the host may remember. The scorer pays the fuel; the peer that runs ends."""
        send(b"compute marshal\n" + request)
        return reply()

    def reply():
        b = _read(_file, _most)
        if len(b) == _most:
            parts = [b]
            while b:
                b = _read(_file, _most)
                parts.append(b)
            b = b"".join(parts)
        end, fuel, payload = _loads(b)  # the host has written this; of the peer's is only what the bytes of payload are
        return end, payload, fuel

    def restart(fuel=None):
        """Ends the peer. The next call goes to a new one, which may use so much fuel, or what is left of the candidate's."""
        if fuel is not None and (type(fuel) is not int or not 0 < fuel < 1 << 63):
            raise ValueError("restart(fuel=%r): fuel is a whole number from 1, or None" % (fuel,))
        send(b"restart" if fuel is None else b"restart %d" % fuel)

    def leave(answer=b""):
        """Notes what the scorer's answer is if its own fuel, memory or depth of calls is used up from now on: the JSON of an answer, as bytes. Without one, the call fails then."""
        send(b"leave\n" + answer)

    module = types.ModuleType("rubric_host_peer")
    module.call, module.compute, module.restart, module.leave = call, compute, restart, leave
    return module


def _peer_server(module, _read=os.read, _exit=os._exit, _most=1 << 16):
    """Returns what answers in a peer: a byte that says what follows, and that."""
    f = getattr(module, "serve_peer", None)
    if not callable(f):
        raise _Missing("%s: it has peer: true, but no function serve_peer; write: def serve_peer(request): return b\"...\"" % _entry)

    def answer():
        try:
            b = _read(0, _most)
            if len(b) == _most:
                parts = [b]
                while b:
                    b = _read(0, _most)
                    parts.append(b)
                b = b"".join(parts)
            v = f(b)
            if type(v) is types.CoroutineType:
                v = _await(v)
            if type(v) is not bytes:
                return b"1serve_peer() returned %s, not bytes" % type(v).__name__.encode()
            return b"0" + v
        except SystemExit as e:
            _exit(e.code & 255 if type(e.code) is int else 0 if e.code is None else 1)
        except MemoryError:
            return b"2"
        except BaseException as e:
            return b"1" + _tell(e)[:1900].encode("utf-8", "replace")

    last = None

    def serve():
        nonlocal last
        last = answer()  # the host drops its reference
        return last
    return serve
