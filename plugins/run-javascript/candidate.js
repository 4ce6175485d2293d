// The candidate's side: runs in the peer, beside the candidate, and is trusted with nothing. Whatever
// a candidate does to it, its answers are bytes that the judge reads as values.
import { CannotCross, Decoder, Encoder, errors } from "./wire.js";
import { assertions } from "./assert.js";
import { nodeEqual } from "./equal.js";
import { Clock, commonJS, Exit, isModule, lacked, lacking, world } from "./node.js";
import { share } from "./shared.js";

const MAX_PRINTED = 1 << 20; // characters that are kept
const indirect = eval;
const names = new Set(Object.getOwnPropertyNames(globalThis));
// What tests see of these, or replace, is their own: a function of theirs cannot use the candidate's instead.
const apart = new Set(["globalThis", "global", "console", "process", "require", "module", "exports", "__import"]);

let state;

export function servePeer(request) {
  const asked = JSON.parse(request);
  if (state === undefined || ["load", "run", "shared"].includes(asked[0])) state = new State();
  return state.answer(asked);
}

// A State is one candidate, with the objects of it that the judge knows by number.
class State {
  objects = [];
  numbers = new Map();
  given = [];       // functions of the tests
  stays = undefined; // a name that one of them has used, and that stays with the tests
  clock = new Clock();
  printed = "";
  size = 0;
  exited;

  answer([op, ...rest]) {
    let v;
    try {
      v = this[op](...rest);
    } catch (e) {
      return this.threw(e);
    }
    return v instanceof Promise ? v.then((v) => this.written(v), (e) => this.threw(e)) : this.written(v);
  }

  // written writes an answer. A fourth item is what the candidate has asked for and this runtime has not.
  written(v) { return this.stays !== undefined ? JSON.stringify(["g", this.stays, null]) : JSON.stringify(lacked.name === undefined ? v : [...v, lacked.name]); }

  threw(e, kind = "x") {
    if (e instanceof Exit) { this.exited ??= e.code; return this.written(["q", this.exited, null]); }
    if (e instanceof CannotCross) return this.written(["n", e.message, null]);
    return this.written([kind, this.told(e), null]);
  }

  // told returns a thrown value, and the line of the program that it comes from.
  told(e) {
    let line = 0, coded;
    try { coded = this.encoder(true).encode(e); } catch { coded = ["e", ["Error"], describe(e), "Error"]; }
    if (e instanceof Error && typeof e.stack === "string") {
      const at = /<evalScript>:(\d+)|<input>:(\d+)/.exec(e.stack);
      if (at) line = Number(at[1] ?? at[2]);
      if (e instanceof SyntaxError && typeof e.lineNumber === "number") line = e.lineNumber;
    }
    return [coded, line];
  }

  encoder(deep) {
    const handles = new Set(), encoder = new Encoder((v, encoder) => this.handle(v, encoder, deep, handles));
    encoder.stays = isObjectOfItsOwn;
    return encoder;
  }

  // handle writes an object that stays here. deep: with its own properties, so that no later call can change
  // what it is compared by.
  handle(v, encoder, deep, seen) {
    const given = this.given.indexOf(v);
    if (given >= 0) return ["f", given];
    let n = this.numbers.get(v);
    if (n === undefined) {
      n = this.objects.push(v) - 1;
      this.numbers.set(v, n);
    }
    if (typeof v === "function") return ["F", n, String(v.name).slice(0, 100)];
    if (seen.has(v)) return ["H", n];
    seen.add(v);
    const of = Object.getPrototypeOf(v)?.constructor, name = typeof of === "function" ? String(of.name).slice(0, 100) : "Object";
    if (!deep) return ["H", n, name];
    let fields = null;
    try { fields = this.fieldsOf(v, encoder); } catch (e) { if (!(e instanceof CannotCross)) throw e; }
    return ["H", n, name, fields];
  }

  fieldsOf(v, encoder) {
    const out = ["o"];
    if (++encoder.depth > 100) throw new CannotCross("more than 100 nested values");
    for (const key of Object.keys(v)) {
      const x = v[key];
      out.push(key, typeof x === "function" ? ["u"] : encoder.encode(x));
    }
    encoder.depth--;
    return out;
  }

  out = (t) => {
    if (this.size > MAX_PRINTED) return;
    this.size += t.length;
    this.printed += t;
  };

  // What the judge asks for.

  load(prompt, texts, wanted) {
    const { globals, modules } = world("", () => {}, this.clock);
    this.define(globals, modules);
    const failed = (e, k, lines) => {
      this.failure = { e };
      [this.used, this.before] = [k, lines];
      const [kind, body] = JSON.parse(this.threw(e));
      return [kind, body, [k, lines]];
    };
    let failure;
    for (let k = 0; k < texts.length; k++) {
      for (const before of prompt ? [prompt + "\n", ""] : [""]) {
        const lines = before.split("\n").length - 1;
        try {
          this.scope = this.evaluate(before + texts[k], "(__name) => eval(__name)");
        } catch (e) {
          if (e instanceof SyntaxError) { failure ??= e; continue; }
          return failed(e, k, lines);
        }
        [this.used, this.before] = [k, lines];
        const loaded = () => ["v", [k, lines, wanted.map((name) => this.named(name))], null];
        return this.scope instanceof Promise ? this.clock.settle(this.scope).then((scope) => { this.scope = scope; return loaded(); }, (e) => failed(e, k, lines)) : loaded();
      }
    }
    this.failure = { e: failure };
    return ["x", this.told(failure), [0, 0]];
  }

  // shared runs the tests here, beside the candidate.
  async shared(task) { return ["v", await share(this, task), null]; }

  // evaluate runs a script, a module, or one that awaits something at its top level, and then a last expression.
  evaluate(text, last = "undefined") {
    text = text.replace(/(?<![\w$.])import\s*\(/g, "__import(");
    try {
      return indirect(text + "\n;" + last);
    } catch (e) {
      if (!(e instanceof SyntaxError)) throw e;
      const module = isModule(text) ? commonJS(text) : text;
      try {
        if (module !== text) {
          const v = indirect(module + "\n;" + last);
          this.modular = true; // its names are exports, too
          return v;
        }
      } catch (x) {
        if (!(x instanceof SyntaxError)) throw x;
      }
      if (!/\bawait\b/.test(text)) throw e;
      this.modular = module !== text;
      return indirect("(async () => {" + module + "\n;return " + last + "})()");
    }
  }

  define(globals, modules) {
    Object.assign(globalThis, globals);
    this.worldly = new Set([...Object.keys(globals), "require", "module", "exports", "__import"]);
    this.modules = modules;
    const assert = assertions(() => {}, (name) => { throw lacking(name); });
    Object.assign(modules, { assert, "assert/strict": assert.strict });
    modules.util.isDeepStrictEqual = (a, b) => nodeEqual(a, b, true);
    const module = globalThis.module = { exports: {} };
    globalThis.exports = module.exports;
    const require = (name) => {
      name = String(name).replace(/^node:/, "");
      if (Object.hasOwn(modules, name)) return modules[name];
      if (!/^[./]/.test(name)) throw lacking(name);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: "MODULE_NOT_FOUND" }); // a file that the candidate should have brought
    };
    globalThis.require = Object.assign(require, { default: (name) => require(name).default ?? require(name) });
    globalThis.__import = async (name) => { const m = require(name); return { ...m, default: m }; };
  }

  find(name) {
    let v;
    try { v = this.scope("typeof " + name + " === 'undefined' ? undefined : " + name); } catch { v = undefined; }
    const from = globalThis.module?.exports;
    if (v === undefined && from !== null && from !== undefined) v = from[name] ?? (typeof from === "function" && from.name === name ? from : undefined);
    return v;
  }

  // named returns what a name is: null if nothing has it.
  named(name) {
    const v = this.find(name);
    return v === undefined ? null : typeof v === "function" ? ["F"] : ["V"];
  }

  name(name) { return ["v", this.named(name), null]; }

  constant(name) { return ["v", this.encoder(true).encode(this.find(name)), null]; }

  // default returns what the module exports by default, or is.
  default() {
    const from = globalThis.module?.exports ?? {};
    return from.default ?? (typeof from === "function" ? from : undefined);
  }

  exported() {
    const v = this.default();
    return ["v", v === undefined ? null : this.encoder(true).encode(v), null];
  }

  target(t) {
    return typeof t === "string" ? this.find(t) : this.objects[t];
  }

  value(v, changed) {
    this.got = v;
    if (v instanceof Promise) {
      return this.clock.settle(v).then((v) => ["a", this.encoder(true).encode(v), changed?.()], (e) => {
        if (e instanceof Exit || e instanceof CannotCross) throw e;
        return ["ax", this.told(e), null];
      });
    }
    return ["v", this.encoder(true).encode(v), changed?.()];
  }

  call(t, key, args) {
    const self = key === null ? undefined : this.target(t), f = key === null ? this.target(t) : self[key];
    const decoder = this.decoder();
    args = args.map((x) => decoder.decode(x));
    const { numbered } = decoder;
    if (numbered.length === 0) return this.value(Reflect.apply(f, self, args));
    const numbers = new Map(numbered.map((v, k) => [v, k]));
    const contents = () => numbered.map((v) => { const e = this.encoder(true); e.numbers = numbers; return e.contents(v); });
    const before = JSON.stringify(contents());
    let changed = () => { const after = contents(); return JSON.stringify(after) === before ? null : after; };
    const known = (v) => { const e = this.encoder(true); e.numbers = numbers; return e.encode(v); };
    let v;
    try {
      v = Reflect.apply(f, self, args);
    } catch (e) {
      if (e instanceof Exit) throw e;
      return ["x", this.told(e), changed()];
    }
    if (v instanceof Promise) {
      return this.clock.settle(v).then((v) => ["a", known(v), changed()], (e) => { if (e instanceof Exit) throw e; return ["ax", this.told(e), changed()]; });
    }
    this.got = v;
    return ["v", known(v), changed()];
  }

  // put puts contents into the object that was answered last: the tests have changed it.
  put(coded) {
    const v = this.decoder().decode(coded), to = this.got;
    if (Array.isArray(to)) to.splice(0, to.length, ...v);
    else if (to instanceof Map) { to.clear(); for (const [key, x] of v) to.set(key, x); }
    else if (to instanceof Set) { to.clear(); for (const x of v) to.add(x); }
    else if (ArrayBuffer.isView(to)) to.set(v);
    else { for (const key of Object.keys(to)) if (!(key in v)) delete to[key]; Object.assign(to, v); }
    return ["v", null, null];
  }

  // primitive converts an object as JavaScript does.
  primitive(t, hint) {
    const of = this.target(t), told = (v) => ["v", this.encoder(true).encode(v), null], own = of[Symbol.toPrimitive];
    if (own !== undefined) return told(own.call(of, hint));
    for (const name of hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]) {
      const v = of[name]?.();
      if (v === null || typeof v !== "object" && typeof v !== "function") return told(v);
    }
    throw new TypeError("Cannot convert object to primitive value");
  }

  // take makes a function of the tests from its text. What it uses must be JavaScript's, or its own.
  take(n, text, name) {
    const stays = (_, name) => {
      if (name === Symbol.unscopables) return undefined;
      this.stays ??= name;
      throw new ReferenceError(name + " is not defined");
    };
    const scope = new Proxy({ __proto__: null }, { has: (_, name) => name !== "arguments" && (apart.has(name) || !names.has(name) && !this.worldly.has(name)), get: stays, set: stays });
    const made = () => new Function("__scope", "with (__scope) { return (" + text + "\n); }")(scope);
    return this.given[n] ??= Object.defineProperty(made(), "name", { value: name, configurable: true });
  }

  decoder() {
    return new Decoder((v) => {
      if (v[0] === "f") return this.take(v[1], v[2], v[3]);
      if (v[0] === "g") return globalThis[v[1]][v[2]];
      if (v[0] === "H" || v[0] === "F") return typeof v[1] === "string" ? this.find(v[1]) : this.objects[v[1]];
      if (v[0] === "e") {
        const e = new (errors[v[1][0]] ?? Error)(v[2]);
        return v[3] === e.name ? e : Object.defineProperty(e, "name", { value: v[3], writable: true, configurable: true });
      }
      throw new Error("a value of kind " + v[0]);
    }, [], true);
  }

  construct(t, args) {
    const decoder = this.decoder(), made = new (this.target(t))(...args.map((x) => decoder.decode(x)));
    const derived = [Array, Map, Set].some((kind) => made instanceof kind && Object.getPrototypeOf(made) !== kind.prototype); // it has methods of its own
    return ["v", derived ? this.handle(made, undefined, false, new Set()) : this.encoder(false).encode(made), null];
  }

  get(t, key, symbol) {
    const v = this.target(t)[symbol ? Symbol[key] : key];
    return typeof v === "function" ? ["f", null, null] : this.value(v);
  }

  set(t, key, v) { this.target(t)[key] = this.decoder().decode(v); return ["v", null, null]; }

  delete(t, key) { return ["v", delete this.target(t)[key], null]; }

  has(t, key) { return ["v", key in this.target(t), null]; }

  fields(t) {
    return ["v", this.fieldsOf(this.target(t), this.encoder(true)), null];
  }

  iterate(t) { return ["v", this.encoder(false).encode({ __proto__: Iterating.prototype, of: this.target(t)[Symbol.iterator]() }), null]; }

  iterateAsync(t) {
    const of = this.target(t);
    return ["v", this.encoder(false).encode({ __proto__: Iterating.prototype, of: of[Symbol.asyncIterator]?.() ?? of[Symbol.iterator]() }), null];
  }

  next(t) {
    const step = this.target(t).of.next();
    const told = ({ done, value }) => done ? ["end", null, null] : ["v", this.encoder(true).encode(value), null];
    return step instanceof Promise ? this.clock.settle(step).then(told) : told(step);
  }

  stop(t) { this.target(t).of.return?.(); return ["v", null, null]; }

  instance(t, of) { return ["v", this.target(t) instanceof this.target(of), null]; }

  // run runs a program with standard input, and answers what it prints.
  run(texts, given) {
    const { globals, modules, exiting } = world(given, this.out, this.clock);
    this.define(globals, modules);
    const done = () => {
      try {
        for (const f of exiting.splice(0)) f(this.exited ?? 0);
      } catch (e) {
        if (!(e instanceof Exit)) return ["x", this.told(e), [this.used ?? 0, 0]];
        this.exited = e.code;
      }
      if (this.size > MAX_PRINTED) return ["o", null, null];
      const code = this.exited ?? Number(globalThis.process?.exitCode ?? 0);
      return code !== 0 ? ["q", code, null] : ["v", [this.used, this.printed], null];
    };
    const ended = (e) => {
      if (!(e instanceof Exit)) return ["x", this.told(e), [this.used ?? 0, 0]];
      this.exited = e.code;
      return done();
    };
    globalThis.require.main = globalThis.module;
    let failure, awaited;
    for (let k = 0; k < texts.length; k++) {
      try {
        this.used = k;
        awaited = this.clock.turn(() => this.evaluate(texts[k]));
        failure = undefined;
        break;
      } catch (e) {
        if (e instanceof SyntaxError) { failure ??= e; continue; }
        return ended(e);
      }
    }
    if (failure !== undefined) return ["x", this.told(failure), [0, 0]];
    return (async () => {
      try {
        if (awaited instanceof Promise) await this.clock.settle(awaited);
        await this.clock.drain();
      } catch (e) {
        return ended(e);
      }
      return done();
    })();
  }
}

class Iterating {}

// isObjectOfItsOwn reports whether a plain object has methods that use it, or members that they compute: it is no value.
function isObjectOfItsOwn(v) {
  const own = Object.values(Object.getOwnPropertyDescriptors(v)), methods = own.filter((p) => typeof p.value === "function");
  return methods.length > 0 && (own.some((p) => p.get !== undefined || p.set !== undefined) || methods.some((p) => /\bthis\b/.test(Function.prototype.toString.call(p.value))));
}

function describe(v) {
  try { return String(v).slice(0, 500); } catch { return "a value that cannot be shown"; }
}
