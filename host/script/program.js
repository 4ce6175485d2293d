// AgentV: a script that runs as a program. It has a few globals of Node: standard input and output, arguments, and the files
// beside it, which list has by path, as JSON.
function program(list) {
  const files = parse(list), ticks = [], ends = [], loaded = { __proto__: null };
  const trim = String.prototype.trim, lower = String.prototype.toLowerCase, push = Array.prototype.push, shift = Array.prototype.shift;
  let given = "", printed = "", exited, encoded = false;
  const utf8 = (encoding) => { if (!call(test, /^utf-?8$/, call(lower, text(encoding)))) throw new Failure("the encoding " + text(encoding) + " is not supported: use utf8"); };
  const out = (v) => { if (exited === undefined) printed += v; };
  // A missing member throws an error that explains it.
  const holding = (name, has) => new Proxy(has, { get(from, key) {
    if (typeof key === "string" && key !== "then" && !(key in from)) throw new Failure(name + "." + key + " is not supported: a program has standard input and output, its arguments and its exit code, and no files");
    return from[key];
  } });
  // A Buffer holds text, which is decoded already.
  class Buffer {
    #text;
    constructor(t) { this.#text = t; }
    toString(encoding) { if (encoding !== undefined) utf8(encoding); return this.#text; }
    get length() { throw new Failure("the length of a Buffer is not supported: use toString()"); }
    static isBuffer(v) { return v instanceof Buffer; }
    static concat(list) { let t = ""; for (let k = 0; k < list.length; k++) t += list[k]; return new Buffer(t); }
  }
  const take = (as) => { const t = given; given = ""; return as ? t : new Buffer(t); };
  const readFileSync = (file, options) => {
    const encoding = typeof options === "string" ? options : options?.encoding;
    if (encoding) utf8(encoding);
    if (file === 0 || file === "/dev/stdin") return take(encoding);
    throw new Failure("ENOENT: no such file or directory, open '" + text(file) + "'; a program has standard input (0 or /dev/stdin), and no files");
  };
  const on = (event, f) => {
    switch (event) {
      case "data": call(push, ticks, () => { if (given !== "") f(take(encoded)); }); break;
      case "readable": call(push, ticks, () => f()); break;
      case "end": case "close": call(push, ends, () => f()); break;
      case "error": break;
      default: throw new Failure("process.stdin has no event " + text(event) + " here");
    }
    return stdin;
  };
  const stdin = holding("process.stdin", {
    fd: 0, isTTY: false, on, once: on, addListener: on,
    setEncoding(encoding) { utf8(encoding); encoded = true; return stdin; }, resume() { return stdin; }, pause() { return stdin; },
    read() { return given === "" ? null : take(encoded); },
    async *[Symbol.asyncIterator]() { if (given !== "") yield take(encoded); },
  });
  const process = {
    argv: [], env: {}, exitCode: undefined, stdin,
    stdout: holding("process.stdout", { isTTY: false, write(v, ...more) { out(text(v)); const f = more[more.length - 1]; if (typeof f === "function") call(push, ticks, () => f()); return true; } }),
    stderr: holding("process.stderr", { isTTY: false, write(v) { print(text(v)); return true; } }),
    exit(code) { exited ??= Number(code ?? process.exitCode ?? 0); throw new Failure("process.exit"); },
  };
  const node = { __proto__: null, fs: holding("fs", { readFileSync }), process: holding("process", process) };
  // required returns the function require of a file in a directory.
  const required = (dir) => (name) => {
    const plain = call(replace, text(name), /^node:/, "");
    if (node[plain]) return node[plain];
    const parts = [], path = call(split, dir + text(name), "/");
    for (let k = 0; k < path.length; k++) if (path[k] === "..") parts.length--; else if (path[k] !== "." && path[k] !== "") parts[parts.length] = path[k];
    const at = call(join, parts, "/");
    for (const file of call(test, /^\.\.?\//, text(name)) ? [at, at + ".js", at + ".cjs"] : []) {
      if (!call(owns, files, file)) continue;
      if (loaded[file]) return loaded[file].exports;
      const it = loaded[file] = { exports: {} };
      const f = new compile("module", "exports", "require", "//# sourceURL=" + file + "\n" + files[file]);
      apply(f, it.exports, [it, it.exports, required(call(replace, file, /[^\/]*$/, ""))]);
      return it.exports;
    }
    throw new Failure("Cannot find module '" + text(name) + "'; a program has fs, process and the files beside it that it requires by a path such as './helper.js', and no packages");
  };
  globalThis.process = node.process;
  globalThis.Buffer = Buffer;
  globalThis.require = required("");
  globalThis.Bun = holding("Bun", { stdin: { text: async () => take(true), json: async () => parse(take(true)) } });
  const shown = (list) => {
    let line = "";
    for (let k = 0; k < list.length; k++) {
      let v = list[k];
      if (typeof v === "object" && v !== null && !(v instanceof Failure)) v = stringify(v) ?? text(v);
      line += (k > 0 ? " " : "") + text(v);
    }
    return line + "\n";
  };
  for (const name of ["log", "info", "debug"]) console[name] = (...list) => out(shown(list));
  // finish returns the answer of a program that has ended. Its state is 0 if a promise of it is pending.
  const finish = (state) => {
    const code = exited ?? Number(process.exitCode ?? 0);
    if (code !== 0) return failed("exit code " + text(code));
    if (state === 0) return failed("@@ENTRY@@ waits for something that never happens: a program has no timers and no files");
    return call(trim, printed) === "" ? failed("the program printed no answer on standard output; print one JSON object, such as {\"score\": 0.5, \"hits\": [], \"misses\": [], \"reasoning\": \"\"}") : printed;
  };
  const ended = (e) => exited !== undefined ? finish() : failed(explain(e));
  return {
    // serve begins a call.
    serve(request) {
      const r = parse(request);
      if (r.kind === "reads") return stringify({ reads: null });
      given = request;
      process.argv = ["node", "@@ENTRY@@", ...(r.args ?? [])];
      return undefined;
    },
    // wait runs the next event once all jobs are done. It returns undefined, null if no event is left, or the answer.
    wait() {
      if (exited !== undefined) return finish();
      const next = ticks.length > 0 ? call(shift, ticks) : ends.length > 0 ? call(shift, ends) : undefined;
      if (next === undefined) return null;
      try { next(); } catch (e) { return ended(e); }
      return undefined;
    },
    finish, ended,
  };
}
