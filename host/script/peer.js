// Peers: how a script asks a second instance of itself, and how that one answers.

// peers defines the global peer. std is the module of QuickJS.
function peers(std) {
  let file;
  const open = () => { file ??= fdopen(0, "r+"); };  // in a call: it is a terminal before, which is buffered by lines
  const { fdopen } = std, set = Uint8Array.prototype.set, code = String.prototype.charCodeAt, whole = Number.isSafeInteger, number = Number;
  const none = () => { file = undefined; throw new Failure("there is no peer here: a script has one during a call, and a peer has none"); };
  const ask = (verb, request) => {
    open();
    if (request instanceof Uint8Array) {
      const { length } = verb, bytes = new Uint8Array(length + request.length);
      for (let k = 0; k < length; k++) bytes[k] = call(code, verb, k);
      call(set, bytes, request, length);
      file.write(bytes.buffer, 0, bytes.length);
    } else {
      file.puts(verb + request);
    }
    file.flush();
    const head = file.getline();
    if (head === null || file.error()) none();
    const [end, fuel, size] = call(split, head, " ");
    return { end, payload: size === "0" ? "" : file.readAsString(number(size)), fuel: number(fuel) };
  };
  const tell = (message) => {
    open();
    file.puts(message);
    file.flush();
    if (file.error()) none();
  };
  globalThis.peer = Object.freeze({
    // call sends a text, or its bytes, to servePeer of the peer. It returns why that stopped, what it answered, and the fuel that took.
    call: (request) => ask("call\n", request),
    // compute is call to a new peer that serves this request only, whose answer the host may remember. The scorer pays the fuel; the peer that runs ends.
    compute: (request) => ask("compute\n", request),
    // restart ends the peer. The next call goes to a new one, which may use so much fuel, or what is left of the candidate's.
    restart({ fuel } = {}) {
      if (fuel !== undefined && fuel !== null && !(whole(fuel) && fuel > 0)) throw new RangeError("restart({ fuel: " + text(fuel) + " }): fuel is a whole number from 1");
      tell(fuel === undefined || fuel === null ? "restart" : "restart " + fuel);
    },
    // leave notes what the scorer's answer is if its own fuel, memory or depth of calls is used up from now on: the JSON of an answer. Without one, the call fails then.
    leave: (answer = "") => tell("leave\n" + answer),
  });
}

// inPeer returns the functions that answer in a peer: with a character that says what follows, and that.
function inPeer(ns) {
  const f = find("servePeer", ns) ?? around("servePeer");
  if (f === undefined) throw new Failure("it has peer: true, but no function servePeer; write: export function servePeer(request) { return \"...\"; }");
  let settled;
  const idle = find("serveIdle", ns);
  const Internal = InternalError;
  const said = (v) => typeof v === "string" ? "0" + v : "1servePeer() returned " + describe(v) + ", not a string";
  const threw = (e) => e instanceof Internal && e.message === "out of memory" ? "2" : "1" + call(slice, explain(e), 0, 1900);
  return {
    rejected: find("serveRejection", ns), // learns of each promise that rejects without a handler, and of each of these that gets one
    // serve returns undefined if the answer is pending.
    serve(request) {
      try {
        const v = f(request);
        if (v === null || typeof v !== "object" || typeof v.then !== "function") return said(v);
        settled = undefined;
        call(then, Promise.resolve(v), (v) => { settled = said(v); }, (e) => { settled = threw(e); });
        return undefined;
      } catch (e) {
        return threw(e);
      }
    },
    // wait returns the answer that was pending, or undefined if the script had more to do.
    wait() {
      try {
        if (settled === undefined && idle?.() === true) return undefined;
      } catch (e) {
        return threw(e);
      }
      return settled ?? "1servePeer() returned a promise that nothing settles: there are no timers and no files here";
    },
  };
}
