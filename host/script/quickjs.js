// Runs before the script does, in the same QuickJS. It keeps what it needs of the
// language, so that a script that changes it harms nobody but itself.
(function () {
  "use strict";
  const parse = JSON.parse, stringify = JSON.stringify, names = Object.keys, isArray = Array.isArray;
  const finite = Number.isFinite, text = String, indirect = eval;
  const apply = Reflect.apply, then = Promise.prototype.then;
  const indexOf = String.prototype.indexOf, slice = String.prototype.slice, split = String.prototype.split;
  const call = (f, self, a, b) => b === undefined ? apply(f, self, [a]) : apply(f, self, [a, b]);
  const functions = [];
  let settled, failure, source = "";

  // QuickJS-NG 0.15.1 answers negative numbers for 32 bits.
  const unsigned = BigInt.asUintN;
  Object.defineProperty(BigInt, "asUintN", {
    value: { asUintN(bits, x) { const n = unsigned(bits, x); return n < 0n ? n + (1n << BigInt(bits)) : n; } }.asUintN,
    writable: true, configurable: true, enumerable: false,
  });

  // All ways to print are one, and objects are shown as JSON.
  const log = console.log, Failure = Error;
  function print(...list) {
    for (let k = 0; k < list.length; k++) {
      const v = list[k];
      if (typeof v !== "object" || v === null || v instanceof Failure) continue;
      try { list[k] = stringify(v) ?? v; } catch { list[k] = "[object]"; }
    }
    apply(log, console, list);
  }
  for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = print;

  // place finds where in the script an error comes from.
  function place(stack) {
    const lines = call(split, stack, "\n");
    for (let k = 0; k < lines.length; k++) {
      const line = lines[k], at = call(indexOf, line, "@@ENTRY@@:");
      if (at >= 0) return call(split, call(slice, line, at), ")")[0] + ": ";
    }
    return "";
  }

  function told(e, line) {
    if (e === null || typeof e !== "object") return "threw " + describe(e);
    const stack = typeof e.stack === "string" ? e.stack : "";
    const what = typeof e.message === "string" ? text(e.name || "Error") + ": " + e.message : "threw " + describe(e);
    const at = place(stack);
    if (line) return "@@ENTRY@@:" + line + ": " + what + hint(what) + own(stack, call(slice, at, 0, -2), "@@ENTRY@@:" + line);
    return at + what + hint(what) + own(stack);
  }

  // QuickJS notes the positions of calls only: of other errors it names the call
  // before, or the beginning of the function. locate makes a copy of the script
  // that notes every line where a statement seems to begin, calls it in the same
  // way, and if it fails in the same way, knows the line.
  const native = [TypeError, ReferenceError], compile = Function, most = 2000;
  const statement = /^\s*(?![\s.)\]},?:+*\/&|=<>`-]|(?:else|catch|finally|while|case|default|import|export|function|class|async|@)\b|$)/;
  const open = /(?:\)|=>|\belse|\bdo|[-+*\/%&|^=<>?:,.([{!~]|\bin|\bof)\s*$/, block = /[{;}]\s*$|^\s*$|\*\/\s*$/;
  const test = RegExp.prototype.test, join = Array.prototype.join, replace = String.prototype.replace;

  function locate() {
    const { e, run, own } = failure;
    failure = undefined;
    if (!(native[0].prototype.isPrototypeOf(e) || native[1].prototype.isPrototypeOf(e))) return "";
    const lines = call(split, source, "\n"), marked = [];
    if (lines.length > most) return "";
    for (let k = 0; k < lines.length; k++) {
      const before = k > 0 ? lines[k - 1] : "";
      marked[k] = false;
      lines[k] = call(replace, call(replace, lines[k], /^(\s*)export\s+default\s+/, "$1 globalThis.__default = "), /^(\s*)export\s+(?=const|let|var|function|class|async)/, "$1");
      if (call(test, /^\s*export\s*\{[^}]*\}/, lines[k])) lines[k] = "";
      if (call(test, statement, lines[k]) && (call(test, block, before) || !call(test, open, before))) marked[k] = true;
    }
    const tail = "\n;return typeof " + own + " === 'function' ? " + own + " : globalThis.__default ?? module.exports;";
    const build = () => {
      const out = [];
      for (let k = 0; k < lines.length; k++) out[k] = marked[k] ? "__at(" + (k + 1) + ");" + lines[k] : lines[k];
      try { return new compile("__at", "module", "exports", call(join, out, "\n") + tail); } catch { return undefined; }
    };
    // settle takes marks away from a part of the lines until the rest compiles.
    const settle = (from, to) => {
      if (build()) return;
      if (to - from === 1) { marked[from] = false; return; }
      const middle = (from + to) >> 1, kept = [];
      for (let k = middle; k < to; k++) { kept[k - middle] = marked[k]; marked[k] = false; }
      settle(from, middle);
      for (let k = middle; k < to; k++) marked[k] = kept[k - middle];
      settle(middle, to);
    };
    settle(0, lines.length);
    const make = build();
    let line = 0;
    if (make === undefined) return "";
    try {
      const it = { exports: {} }, f = make((n) => { line = n; }, it, it.exports);
      run(typeof f === "function" ? f : f[own]);
    } catch (again) {
      const said = call(indexOf, place(text(e.stack)), "@@ENTRY@@:" + line + ":") === 0; // with its column
      if (line && !said && again !== null && typeof again === "object" && again.message === e.message) return failed(told(e, line));
    }
    return "";
  }

  // own is a stack without our own functions.
  function own(stack, was, is) {
    let out = "";
    const lines = call(split, stack, "\n");
    for (let k = 0; k < lines.length; k++) {
      let line = lines[k];
      if (was && call(indexOf, line, was) >= 0) { line = call(replace, line, was, is); was = ""; }
      if (line && call(indexOf, line, "(driver.js:") < 0) out += "\n" + line;
    }
    return out;
  }

  const absent = /^ReferenceError: (?:require|process|Buffer|fetch|XMLHttpRequest|setTimeout|setInterval|setImmediate|__dirname|__filename|Intl|TextEncoder|TextDecoder|URL|crypto|structuredClone) is not defined/;
  const hint = (what) => call(indexOf, what, "could not load module") >= 0 ? "; a script has the modules beside it that it imports by a path such as './helper.js', and no packages"
    : call(indexOf, what, "InternalError: out of memory") === 0 ? "; raise --memory, or make the script use less"
    : call(test, absent, what) ? "; there is the language, and nothing of a browser or of Node" : "";

  function describe(v) {
    try {
      return typeof v === "function" ? "a function" : typeof v === "symbol" ? "a symbol"
        : typeof v === "bigint" ? text(v) + "n" : call(slice, stringify(v) || text(v), 0, 200);
    } catch { return "a value that cannot be shown"; }
  }

  // alone is an object with one member, a text or a number: a toJSON of the script is
  // not asked about those.
  const alone = (member, value) => '{"' + member + '":' + stringify(value) + "}";
  const failed = (why) => alone("error", why);
  const allowed = "; return a number, an object with score, or null";

  // answer turns what a function returned into an answer of the contract.
  function answer(name, v) {
    switch (typeof v) {
      case "number":
        return finite(v) ? alone("score", v) : failed(name + "() returned " + text(v) + ", which is no score" + allowed);
      case "boolean":
        return alone("score", v ? 1 : 0);
      case "undefined":
        return alone("unscored", name + "() returned nothing");
      case "object":
        if (v === null) return alone("unscored", name + "() returned null");
        if (!isArray(v)) return normal(name, v);
    }
    return failed(name + "() returned " + describe(v) + allowed);
  }

  // normal takes an object of the contract, and one as promptfoo and others have it.
  function normal(name, v) {
    if (v.score === undefined && typeof v.pass === "boolean") v = { ...v, score: v.pass ? 1 : 0 };
    if (typeof v.score === "boolean") v = { ...v, score: v.score ? 1 : 0 };
    if (typeof v.score === "number" && !finite(v.score)) return failed(name + "() returned the score " + text(v.score) + allowed);
    if (v.score === null) {
      const { score, reason, ...rest } = v;
      v = { ...rest, unscored: typeof reason === "string" && reason ? reason : name + "() returned the score null" };
    }
    const { score, level, unscored, error, reason, evidence, hits, misses, details, stats, ...more } = v;
    if (score === undefined && level === undefined && unscored === undefined && error === undefined) {
      const has = names(v);
      return failed(name + "() returned an object without score, which has " + (has.length > 0 ? describe(has) : "nothing") + allowed);
    }
    if (names(more).length > 0) v = { score, level, unscored, error, reason, evidence, hits, misses, stats, details: { ...details, ...more } };
    const out = stringify(v);
    return out === undefined ? failed(name + "() returned an object that has no form in JSON") : out;
  }

  // parameters returns the names of a function's parameters, and nothing if they are more than names.
  const shown = Function.prototype.toString, exec = RegExp.prototype.exec;
  const declared = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(([\w$\s,=."']*)\)/, parameter = /^\s*([\w$]+)\s*(?:=.*)?$/;
  function parameters(f) {
    const found = call(exec, declared, apply(shown, f, [])), list = found === null ? [] : call(split, found[1], ",");
    for (let k = 0; k < list.length; k++) {
      const name = call(exec, parameter, list[k]);
      if (name === null) return [];
      list[k] = name[1];
    }
    return list;
  }
  const means = {
    output: "output prediction predicted pred response completion actual candidate generated hypothesis answer",
    expected: "expected reference ref ground_truth groundTruth gold ideal target label solution",
    references: "references", input: "input question prompt query", context: "context", metadata: "metadata", config: "config",
  };

  // The shims: what other evaluators call a scorer, and what they pass to it.
  const last = (list) => isArray(list) && list.length > 0 ? list[0] : undefined;
  const expected = (c) => c.expected ?? last(c.references);
  // row is what lies under, and over it what there is of over: what is not there hides nothing.
  function row(under, over) {
    const out = { ...under }, list = names(over);
    for (let k = 0; k < list.length; k++) if (over[list[k]] !== undefined && over[list[k]] !== null) out[list[k]] = over[list[k]];
    return out;
  }
  // What the names of parameters mean.
  const meanings = { __proto__: null };
  for (const [field, list] of names(means).map((field) => [field, means[field].split(" ")])) for (const name of list) meanings[name] = field;
  const ofCase = " c case input output references expected context metadata config criterion ";
  const isGiven = (name) => call(indexOf, ofCase, " " + name + " ") >= 0;
  // fields says what the parameters of a function are to get, by names that are plain, if the output is among them: a field of the
  // case, or, for other names, what the configuration has. Without an expected answer, others have to have a default.
  function fields(f) {
    const list = parameters(f), has = { __proto__: null };
    let outputs = 0, settings = 0;
    for (let k = 0; k < list.length; k++) if (meanings[list[k]] === "output" && list[k] !== "answer") outputs++;
    for (let k = 0; k < list.length; k++) {
      const field = list[k] === "answer" && outputs > 0 ? "expected" : meanings[list[k]]; // (prediction, answer) are two things
      if (has[field]) return undefined;
      if (field === undefined && k < f.length) settings++;
      if (field !== undefined) has[field] = true;
      list[k] = { name: list[k], field };
    }
    return has.output && (has.expected || settings === 0 && list.length > 1) ? list : undefined;
  }
  const owns = Object.prototype.hasOwnProperty;
  // settings are the keys of a configuration that reach a function by the names of its parameters.
  function settings(list) {
    const out = [];
    for (let k = 0; k < list.length; k++) {
      if (list[k] === "config") return undefined;
      if (!isGiven(list[k])) out[out.length] = list[k];
    }
    return out;
  }
  // What a score would not be true without: undefined is no answer to compare with.
  const lacking = { __proto__: null, output: "output", expected: "expected answer", references: "references" };
  const without = (field) => ({ unscored: "the case has no " + lacking[field] });
  const ofOutput = (score) => (c, config) => (c.output ?? null) === null ? without("output") : score(c, config);
  const byName = (list) => (f) => (c, config) => {
    const values = [];
    for (let k = 0; k < list.length; k++) {
      const { name, field } = list[k];
      if (call(owns, config, name) && !isGiven(name)) values[k] = config[name];
      else if (field === undefined) values[k] = k < f.length ? c[name] ?? (c.metadata ?? {})[name] ?? undefined : undefined;
      else values[k] = (field === "expected" ? expected(c) : field === "config" ? config : field === "metadata" ? c.metadata ?? {} : c[field]) ?? undefined;
      if (values[k] === undefined && k < f.length) {
        if (field === undefined) return { unscored: "the case has no " + name + ", which the function asks for, nor has the configuration" };
        if (lacking[field]) return without(field);
      }
    }
    return apply(f, undefined, values);
  };
  // A case that is taken apart has the expected answer, as autoevals have it: apart finds that, wanting that there is no default.
  const apart = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{[^}]*\bexpected\b/;
  const wanting = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{[^}]*\bexpected\b(?!\s*(?::\s*[\w$]+\s*)?=)/;
  // taken lists what a function takes from its only parameter apart.
  const braces = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{([^{}()]*)\}\s*(?:=\s*\{\s*\})?\s*(,)?/, member = /^\s*([\w$]+)/, rest = /\.\.\./;
  function taken(f) {
    const found = call(exec, braces, apply(shown, f, []));
    if (found === null || found[2]) return undefined;
    if (call(test, rest, found[1])) return ["config"]; // it may read any key
    const list = call(split, found[1], ","), out = [];
    for (let k = 0; k < list.length; k++) {
      const name = call(exec, member, list[k]);
      if (name !== null) out[out.length] = name[1];
    }
    return out;
  }
  // set is a case with what the configuration has beside it, for who takes it apart.
  function set(c, config) {
    const out = { ...c }, list = names(config);
    for (let k = 0; k < list.length; k++) if (!isGiven(list[k])) out[list[k]] = config[list[k]];
    return out;
  }
  const ofExpected = (wants, score) => (c, config) => wants && (expected(c) ?? null) === null ? without("expected") : score(c, config);
  const shims = {
    // promptfoo: an assertion in JavaScript
    get_assert: (f) => ofOutput((c, config) => f(c.output, promptfoo(c, config))),
    getAssert: (f) => shims.get_assert(f),
    // autoevals and evaluators like it
    evaluate(f) {
      const list = fields(f);
      return list ? byName(list)(f) : f.length > 1 ? ofOutput(ofExpected(true, (c) => f(c.output, expected(c)))) : shims.scorer(f);
    },
    scorer: (f) => ofOutput(ofExpected(call(test, wanting, apply(shown, f, [])), (c, config) => f({ ...set(c, config), expected: expected(c), config }, config))),
    // OpenAI's graders
    grade: (f) => ofOutput((c, config) => f({ output_text: c.output, ...config.sample }, row({ ...c.metadata, ...c }, { reference: expected(c), reference_answer: expected(c) }))),
  };
  function promptfoo(c, config) {
    const vars = { ...row(c.metadata, { input: c.input, expected: expected(c), references: c.references }), ...c.vars };
    return { vars, prompt: c.input, config, test: { vars }, provider: null, logProbs: null };
  }

  function find(name, ns) {
    for (const from of [ns, ns && ns.default, theirs.exports]) {
      if (from !== null && (typeof from === "object" || typeof from === "function") && typeof from[name] === "function") return from[name];
    }
  }

  // around finds a function that is the script's and that it does not export.
  const around = (name) => indirect("typeof " + name + " === 'function' ? " + name + " : undefined");

  // others says what to do with the functions that a script has instead.
  function others(ns) {
    const mine = [];
    for (const from of [ns, theirs.exports]) {
      for (const name of from !== null && typeof from === "object" ? names(from) : []) if (typeof from[name] === "function" && mine.length < 8) mine[mine.length] = name;
    }
    return mine.length > 0 ? "; it has " + call(join, mine, ", ") + ": name the one that is meant: @@ENTRY@@:" + mine[0] + ", or exports: {" + mine[0] + ": what it says} in a plugin.yaml" : "";
  }

  function only(ns) {
    if (ns && typeof ns.default === "function") return ns.default;
    const it = theirs.exports;
    return typeof it === "function" ? it : it && typeof it.default === "function" ? it.default : undefined;
  }

  // asserts reports whether a function is an assertion as promptfoo has them:
  // (output), (output, context), (output, { vars }).
  const assertion = /^(?:async\b\s*)?(?:function\b\s*)?(?:[\w$]*\s*\(\s*output\s*(?:,\s*)?(?:\)|\{|_?(?:context|ctx)\b)|output\s*=>)/;
  const asserts = (f) => call(test, assertion, apply(shown, f, []));

  // fitting returns what calls a function as its parameters ask for, and the keys of the configuration that it reads.
  const wide = /\barguments\b|\.\.\./;
  function fitting(f) {
    const list = fields(f);
    if (asserts(f)) return [shims.get_assert, readsOf("get_assert", f)];
    if (list) return [byName(list), settings(names_(list))];
    if (call(test, apart, apply(shown, f, []))) return [shims.scorer, readsOf("scorer", f)];
    const apartOf = taken(f);
    if (apartOf) return [(f) => (c, config, criterion) => f(set(c, config), config, criterion), settings(apartOf)];
    const mine = solo(f) ?? parameters(f);
    if (mine.length === 0 || call(test, wide, apply(shown, f, []))) return [(f) => f, undefined];
    // A parameter behind the case with a plain default is a setting; else it is the configuration.
    const single = mine.length > 1 && f.length < 2 && mine[1] !== "config" && call(test, plainDefault, apply(shown, f, []));
    if (single) {
      const keys = [];
      for (let k = 1; k < mine.length; k++) keys[k - 1] = mine[k];
      return [(f) => (c, config) => {
        const values = [c];
        for (let k = 0; k < keys.length; k++) values[k + 1] = call(owns, config, keys[k]) ? config[keys[k]] : undefined;
        return apply(f, undefined, values);
      }, settings(keys)];
    }
    if (mine.length === 1) {
      const graded = !call(test, cases, mine[0]);
      return [(f) => (c) => f(graded && c.target !== undefined ? c.target : c), []];
    }
    return [(f) => f, undefined];
  }
  const names_ = (list) => { const out = []; for (let k = 0; k < list.length; k++) out[k] = list[k].name; return out; };
  const plainDefault = /^[^,]*,\s*[\w$]+\s*=\s*(?:[-\d."'`]|true\b|false\b)/, cases = /^(?:_?c|_?case|case_|kase|testCase|row|sample|item|example|stats)$/;
  // solo is the name of the only parameter of an arrow without parentheses.
  const arrow = /^(?:async\s+)?([\w$]+)\s*=>/;
  function solo(f) {
    const found = call(exec, arrow, apply(shown, f, []));
    return found === null ? undefined : [found[1]];
  }
  // readsOf returns the keys that a function of another evaluator reads.
  function readsOf(kind, f) {
    if (kind === "get_assert" || kind === "getAssert") return call(test, /^[^)]*,|\barguments\b|\.\.\./, apply(shown, f, [])) ? undefined : [];
    if (kind === "grade") return ["sample"];
    const list = fields(f), apartOf = taken(f);
    if (kind === "evaluate" && list) return settings(names_(list));
    if (kind === "evaluate" && f.length > 1) return [];
    return apartOf ? settings(apartOf) : undefined;
  }

  // program gives a script that is run as a whole what it has of Node: standard input, standard output, arguments, and the files
  // beside it. list are these, by path, in JSON.
  function program(list) {
    const files = parse(list), ticks = [], ends = [], loaded = { __proto__: null };
    const trim = String.prototype.trim, lower = String.prototype.toLowerCase, push = Array.prototype.push, shift = Array.prototype.shift;
    let given = "", printed = "", exited, encoded = false;
    const utf8 = (encoding) => { if (!call(test, /^utf-?8$/, call(lower, text(encoding)))) throw new Failure("the encoding " + text(encoding) + " is not supported: use utf8"); };
    const out = (v) => { if (exited === undefined) printed += v; };
    // What is missing says so when it is asked for.
    const holding = (name, has) => new Proxy(has, { get(from, key) {
      if (typeof key === "string" && key !== "then" && !(key in from)) throw new Failure(name + "." + key + " is not supported: a program has standard input and output, its arguments and its exit code, and no files");
      return from[key];
    } });
    // Bytes are text that is decoded when it is used.
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
    // required returns what loads files beside one of directory dir.
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
    // finish returns the answer of a program that has come to its end. settled is 0 if it waits for something.
    const finish = (settled) => {
      const code = exited ?? Number(process.exitCode ?? 0);
      if (code !== 0) return failed("exit code " + text(code));
      if (settled === 0) return failed("@@ENTRY@@ waits for something that never happens: a program has no timers and no files");
      return call(trim, printed) === "" ? failed("the program printed no answer on standard output; print one JSON object, such as {\"score\": 0.5, \"hits\": [], \"misses\": [], \"reasoning\": \"\"}") : printed;
    };
    const ended = (e) => exited !== undefined ? finish() : failed(told(e));
    return {
      // serve begins a call.
      serve(request) {
        const r = parse(request);
        if (r.kind === "reads") return stringify({ reads: null });
        given = request;
        process.argv = ["node", "@@ENTRY@@", ...(r.args ?? [])];
        return undefined;
      },
      // wait does what is next once nothing else is left: it returns undefined; null if there is nothing; or the answer.
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

  const theirs = globalThis.module = { exports: {} };
  globalThis.exports = theirs.exports;

  return {
    // bind finds the functions that score, and the keys of the configuration that each reads; undefined: perhaps any. It returns what is wrong.
    bind(list, ns, text) {
      source = text;
      for (const name of parse(list)) {
        // What is exported goes before a function of the name, which may be its helper.
        let f = find(name, ns) ?? (name === "score" ? only(ns) : undefined) ?? around(name), own = name, shim = (g) => g, reads;
        if (f !== undefined) {
          [shim, reads] = fitting(f);
          f = shim(f);
        } else if (name === "score") {
          for (const other of f ? [] : names(shims)) {
            const g = find(other, ns) ?? around(other);
            if (g !== undefined) { f = shims[other](g); own = other; shim = shims[other]; reads = readsOf(other, g); break; }
          }
        }
        if (f === undefined) return "it has no function " + name + "(case, config); write: export function " + name + "(case, config) { ... }" + others(ns);
        functions[functions.length] = { name, f, own, shim, reads };
      }
      return "";
    },
    // serve returns an answer, or undefined if it has to be waited for.
    serve(request, export_) {
      const { name, f, own, shim, reads } = functions[export_];
      const given = (f, r) => (r.kind === "corpus" ? f(r.stats, r.config) : f(r.case, r.config, r.criterion));
      try {
        const r = parse(request);
        if (r.kind === "reads") return stringify({ reads: reads ?? null });
        const level = (v) => (r.kind === "scorer" && typeof v === "string" ? { level: v } : v);
        const v = level(given(f, r));
        if (v !== null && typeof v === "object" && typeof v.then === "function") {
          settled = undefined;
          call(then, Promise.resolve(v), (v) => { settled = answer(name, level(v)); }, (e) => { settled = failed(told(e)); });
          return undefined;
        }
        return answer(name, v);
      } catch (e) {
        failure = { e, own, run: (f) => given(shim(f), parse(request)) };
        return failed(told(e));
      }
    },
    // locate returns the answer to a failure with a better place, or nothing.
    locate() {
      try { return failure ? locate() : ""; } catch { return ""; }
    },
    // wait returns the answer that was waited for.
    wait(export_) {
      return settled === undefined ? failed(functions[export_].name + "() returned a promise that nothing settles: there are no timers and no files here") : settled;
    },
    told,
    program,
  };
})()
