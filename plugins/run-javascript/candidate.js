// The candidate's side: runs in the peer, beside the candidate, and is trusted with nothing. Whatever
// a candidate does to it, its answers are bytes that the judge reads as values.
import { assertions } from "./assert.js";
import { nodeEqual } from "./equal.js";
import { guessed, parsing, speaksAs } from "./faults.js";
import { Held, Iterating, MAX_GUESSED } from "./held.js";
import { proxied } from "./inspect.js";
import { commonJS, Exit, importing, isModule, lacking, meta, partly, world } from "./node.js";
import { serveRejection, some, unhandled } from "./rejections.js";
import { all, builtins, defined, flagsOf, isObject, marking, MAX_PART, MAX_PRINTED, names, proxies, standard, unlike, usesThis } from "./shapes.js";
import { share } from "./shared.js";
import { shared, spelled } from "./told.js";
import { CannotCross, Decoder, levelOf, recordNamed, sameParts } from "./wire.js";

const MAX_STACK = 3_200_000; // bytes: some 12,000 calls, for which the engine has room
const MAX_LATE = 1_000;      // timers that run after the tests, or at once
JSON.parse = Object.defineProperty(parsing, "name", { value: "parse" });
// What no Node up to 24 has: a candidate that uses it fails outside.
const newer = [
  [Iterator, "concat zip zipKeyed"], [Iterator.prototype, "chunks includes join windows"], [Math, "sumPrecise"], [Map.prototype, "getOrInsert getOrInsertComputed"], [WeakMap.prototype, "getOrInsert getOrInsertComputed"],
  [ArrayBuffer.prototype, "immutable sliceToImmutable transferToImmutable"], [Uint8Array, "fromBase64 fromHex"], [Uint8Array.prototype, "setFromBase64 setFromHex toBase64 toHex"],
];
for (const [of, keys] of newer) for (const key of keys.split(" ")) delete of[key];
const indirect = eval, strict = '"use strict";';
let state;

// idle ends the wait of what waits until nothing is left to do. It reports whether there was anything.
export function idle() {
  if (state?.clock.ticks()) return true;
  const done = state?.quiet.shift();
  done?.();
  return done !== undefined;
}

export function servePeer(request) {
  const [answers, asked, guesses = 0] = JSON.parse(request);
  if (state === undefined || ["load", "run", "together"].includes(asked[0])) {
    state = new State();
    if (asked[0] !== "together") serveRejection.bounded(MAX_STACK);
    if (asked[0] === "load") state.begin(); // before it hears what the tests have replaced
  }
  return state.answer(answers, asked, guesses);
}

// A State is one candidate, with the objects of it that the judge knows by number.
class State extends Held {
  // answer answers a request. answers has what functions of the tests did that it has called before, in their order: it runs up to
  // the next such call, whose answer is not known, or to what such a function asks. The judge then asks the same of another instance, which gets that far, too.
  // Some calls it answers by a guess, and tells the judge, which uses nothing that comes after a wrong one.
  answer(answers, asked, guesses) {
    this.answers = answers;
    this.guesses = guesses;
    if (guesses === 0) return this.serve(asked);
    this.guessed = [];
    this.room = MAX_GUESSED;
    const told = (text) => this.guessed.length === 0 ? text : '["b",[[' + this.guessed + "]," + spelled(text) + "],null]", text = this.serve(asked);
    return text instanceof Promise ? text.then(told) : told(text);
  }

  serve([op, told, ...rest]) {
    let v;
    try {
      if (told !== null) this.hear(told);
      v = this[op](...rest);
    } catch (e) {
      return this.threw(e);
    }
    return v instanceof Promise ? v.then((v) => this.written(v), (e) => this.threw(e)) : this.written(v);
  }

  // hear reads what has changed at the tests.
  hear({ now, passed, gone, changes, settled, mocks, date }) {
    this.clock.advance(now);
    if (passed !== this.passed) this.clock.passed = this.passed = passed;
    if (date !== undefined) this.clock.setDate(date ?? undefined);
    const decoder = this.decoder();
    decoder.refill(changes);
    for (const id of gone) this.shared.drop(id);
    for (const [n, kind, coded] of settled) this.awaited.get(n)?.[kind](decoder.decode(coded));
    if (mocks !== undefined) {
      this.mock(mocks, decoder);
      this.notice();
    }
  }

  // notice notes what all programs have, and what the tests have put there.
  notice() { if (this.watches > 0) this.natural = builtins(this.watches === 3); }

  // unchanged refuses an answer if the candidate has changed that since.
  unchanged() {
    if (this.natural !== undefined && !sameParts(this.natural, builtins(this.watches === 3))) throw new CannotCross("a change of what all programs have");
    return ["v", null];
  }

  begin() {
    const { globals, modules, handlers } = world("", () => {}, this.clock, nodeEqual, (...variable) => { if (this.listening.has("process.env.")) this.events.push(["process.env.", variable]); });
    this.define(globals, modules);
    this.handlers = handlers;
  }

  load(prompt, texts, wanted, importing = false, watches = 0) {
    this.importing = importing; // the tests import what the candidate exports: other names in it are its own
    const failed = (e, k, lines) => {
      this.failure = { e };
      [this.used, this.before] = [k, lines];
      if (e instanceof Exit || e instanceof CannotCross) throw e;
      return ["x", () => [...this.told(e), k, lines]];
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
        const loaded = () => {
          this.watches = watches; // the tests may look for changes of these
          this.notice();
          return ["v", [k, lines, wanted.map((name) => this.named(name)), this.added(before + texts[k]), ...this.isNamespace() ? [1] : []]];
        };
        return this.scope instanceof Promise ? this.clock.settle(this.scope).then((scope) => { this.scope = scope; return loaded(); }, (e) => failed(e, k, lines)) : loaded();
      }
    }
    this.failure = { e: failure };
    return ["x", () => [...this.told(failure), 0, 0]];
  }

  // added returns the functions that a text has added to built-in classes, and the names of what else it has changed there.
  added(text) {
    const list = [];
    if (!/\bprototype\b|__proto__|\b(?:Array|String|Number|BigInt|Boolean|Function|Date|Promise|Map|Set|RegExp|Error|Object|Math|JSON)\.[\w$]+\s*=[^=]/.test(text)) return list;
    const words = new Set(text.match(/[\w$]+/g));
    for (const [path, of, known] of extensible) {
      if (!words.has(path.replace(".prototype", ""))) continue;
      for (const name of known) {
        if (!words.has(name) || this.replaced.some(([o, key]) => o === of && key === name)) continue;
        const { value, get = value } = Object.getOwnPropertyDescriptor(of, name) ?? {};
        if (!Object.hasOwn(of, name) || typeof get === "function" && apply(fileOf, get, [])?.startsWith("<")) list.push([path, name]); // a function of the program: its file is <input> or <evalScript>
      }
      const names = Object.getOwnPropertyNames(of);
      if (names.length === known.size) continue;
      for (const name of names) {
        if (known.has(name)) continue;
        const { value, enumerable } = Object.getOwnPropertyDescriptor(of, name);
        list.push(typeof value === "function" ? [path, name, this.encoder(false).written(value), enumerable] : [path, name]);
      }
    }
    return list.slice(0, 100);
  }

  // together runs the tests here, beside the candidate.
  async together(task) { return ["v", await share(this, task)]; }

  // evaluate runs a script, a module, or one that awaits something at its top level, and then a last expression.
  // Each is the body of a function, as in Node: its names are not those of the global object.
  evaluate(text, last = "undefined") {
    speaksAs(lacking);
    text = (text.startsWith("#!") ? "//" + text : text).replace(importing, "__import");
    // The check refuses a text that ends the function and begins another: what may follow the body of a method may not follow that of the function.
    const compile = (text, async = "") => {
      text = (this.modular ? "() {" + strict : "(exports, require, module, __filename, __dirname) {") + text;
      indirect("({" + async + "method" + text + "\n}})");
      return indirect("1 ? " + async + "function " + text + "\n;return " + last + "\n} : 0");
    };
    const body = () => {
      this.modular = false;
      try {
        return compile(text);
      } catch (e) {
        const module = isModule(text) ? commonJS(text) : text;
        if (module !== text) { // its names are exports, too
          this.modular = true;
          this.exports = exportsOf(text);
          try {
            return compile(module);
          } catch {}
        }
        if (!/\bawait\b/.test(text)) throw e;
        return compile(module, "async ");
      }
    };
    const run = body();
    return this.modular ? run() : run.call(module.exports, exports, require, module, __filename, __dirname);
  }

  define(globals, modules) {
    Object.assign(globalThis, globals);
    this.worldly = new Set([...Object.keys(globals), "require", "module", "exports", "__import"]);
    this.modules = modules;
    for (const [path, of, key] of [...["log", "info", "debug", "warn", "error"].map((key) => ["console", globals.console, key]), ["process.stdout", globals.process.stdout, "write"]]) {
      const print = of[key];
      of[key] = (...list) => {
        if (!this.listening.has(path + "." + key)) return print(...list);
        this.events.push([path + "." + key, list]);
        return path === "console" ? undefined : true;
      };
    }
    for (const [name, method] of [["WeakMap", "set"], ["WeakSet", "add"]]) globalThis[name] = this.holding(globalThis[name], name, method);
    Object.assign(globalThis, collected);
    const { Proxy } = globalThis;
    if (Proxy.revocable !== undefined && !marking.has(Proxy)) {
      const mark = (v, of) => { proxies.add(v); proxied.set(v, of); return v; };
      function Marked(of, traps) { return mark(new Proxy(of, traps), of); }
      const named = Object.defineProperty(Object.assign(Marked, { revocable: (of, traps) => { const made = Proxy.revocable(of, traps); mark(made.proxy, of); return made; } }), "name", { value: "Proxy" });
      marking.add(named);
      Object.defineProperty(globalThis, "Proxy", { value: named, writable: true, configurable: true });
    }
    if (!marking.has(Object.defineProperty)) this.reshapes();
    let made;
    const assert = () => made ??= assertions(() => {}, (name) => { throw lacking(name); }, (e) => Object.defineProperty(e, "message", guessed(e.message, () => lacking("Node's words for a failed assertion")))); // few candidates use it
    Object.defineProperty(modules, "assert", { enumerable: true, get: assert });
    Object.defineProperty(modules, "assert/strict", { enumerable: true, get: () => assert().strict });
    const module = globalThis.module = { exports: {}, __proto__: contained };
    globalThis.exports = module.exports;
    const require = (name) => {
      name = String(name).replace(/^node:/, "");
      if (Object.hasOwn(modules, name)) return modules[name];
      if (!/^[./]/.test(name)) throw lacking(name);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: "MODULE_NOT_FOUND" }); // a file that the candidate should have brought
    };
    globalThis.require = Object.assign(require, { default: (name) => require(name).default ?? require(name) });
    Object.setPrototypeOf(require, required);
    modules.module = partly("module", { createRequire: () => require });
    globalThis.__import = Object.assign(async (name) => { const m = require(name); return { ...m, default: m }; }, { meta });
  }

  // reshapes notes that the candidate makes of a value of the tests what they would not see: they have a copy.
  reshapes() {
    for (const [of, name] of [[Object, "defineProperty"], [Object, "defineProperties"], [Object, "setPrototypeOf"], [Reflect, "defineProperty"], [Reflect, "setPrototypeOf"]]) {
      const f = of[name];
      of[name] = { [name]: (v, ...rest) => {
        if (Array.isArray(v)) defined.add(v);
        if (!isObject(v) || this.shared.idOf(v) === undefined || v instanceof Error) return f(v, ...rest);
        const proto = Object.getPrototypeOf(v), { length } = unlike(v), out = f(v, ...rest);
        if (Object.getPrototypeOf(v) !== proto) this.reshaped = "an argument of another prototype than it had";
        if (unlike(v).length !== length) this.reshaped = "an argument with a property that is computed, hidden or read-only";
        return out;
      } }[name];
      marking.add(of[name]);
    }
    for (const [name, part] of [["__defineGetter__", "get"], ["__defineSetter__", "set"]]) Object.prototype[name] = { [name](key, f) { Object.defineProperty(this, key, { [part]: f, enumerable: true, configurable: true }); } }[name];
    Object.defineProperty(Object.prototype, "__proto__", { set(proto) { if (isObject(proto) || proto === null) Object.setPrototypeOf(this, proto); } });
  }

  // holding returns a class whose objects keep their keys: one that the tests still have is to be the same when it comes again.
  holding(kind, name, method) {
    const held = this.held, made = { [name]: class extends kind { [method](key, ...rest) { held.add(key); return super[method](key, ...rest); } } }[name];
    return made;
  }

  find(name) {
    let v;
    const before = this.exportedBefore.get(name);
    if (before !== undefined) return before.get === undefined ? before.value : before.get();
    const exported = this.importing ? globalThis.module?.exports : undefined;
    if (isObject(exported) && Object.hasOwn(exported, name) && (v = exported[name]) !== undefined) return v;
    try { v = this.scope("typeof " + name + " === 'undefined' ? undefined : " + name); } catch { v = undefined; }
    const from = globalThis.module?.exports;
    if (v === undefined && from !== null && from !== undefined) v = from[name] ?? (typeof from === "function" && from.name === name ? from : undefined);
    return v;
  }

  // named returns what a name is: null if nothing has it, ["F", whether it uses this, its number, its name] for a function, ["A"] for an export that is computed each time.
  named(name) {
    if (this.importing && !this.modular && isObject(globalThis.module?.exports) && Object.getOwnPropertyDescriptor(globalThis.module.exports, name)?.get !== undefined) return ["A"];
    const v = this.find(name);
    return v === undefined ? null : typeof v !== "function" ? ["V"] : ["F", usesThis(v) ? 1 : 0, this.number(v), typeof v.name === "string" && v.name !== "" ? v.name.slice(0, 100) : name];
  }

  name(name) { return ["v", this.named(name)]; }

  constant(name) { return this.coded(this.find(name)); }

  // default returns what the module exports by default, or is, if it is not a plain object.
  default() {
    const from = globalThis.module?.exports ?? {};
    return (Object.hasOwn(from, "default") ? from.default : undefined) ?? (isPlain(from) ? undefined : from);
  }

  exported() {
    const v = this.default();
    return v === undefined ? ["v", null] : this.coded(v);
  }

  // whole reports whether the module is one value, and no plain object of what it exports.
  whole() { return ["v", !isPlain(globalThis.module?.exports ?? {})]; }

  // module says what the module is: a function, or the names that it exports.
  module() {
    const from = globalThis.module?.exports;
    return ["v", typeof from === "function" ? "function" : this.modular ? this.exports : isObject(from) && Object.keys(from).length > 0 ? Object.keys(from).slice(0, 1_000) : null];
  }

  // isNamespace reports whether the tests see the module as a plain object.
  isNamespace() { return this.importing && Array.isArray(this.module()[1]) && this.default() === undefined; }

  // madeBy reports whether an object is of a class that both instances have.
  madeBy(t, name) { return ["v", this.target(t) instanceof (name === "EventEmitter" ? this.modules.events : shared[name])]; }

  target(t) {
    return typeof t === "string" ? this.find(t) : this.objects[t];
  }

  // call calls a function or method. own: 1, the first argument is what a function has as this; 2, that is the module.
  call(t, key, args, own = 0) {
    const list = this.decoded(args), self = own === 1 ? list.shift() : own === 2 ? globalThis.module?.exports : key === null ? undefined : this.target(t), f = key === null ? this.target(t) : self[key];
    return this.coded(Reflect.apply(f, self, list));
  }

  decoded(args) {
    const decoder = this.decoder();
    return args.map((x) => decoder.decode(x));
  }

  // turn does what is left to do, and runs timers up to a time, or until a promise that the judge knows settles, or one of the tests' may.
  async turn(limit) {
    this.promising = false;
    await this.quieted();
    while (this.outbox.length === 0 && !this.promising && this.exited === undefined && this.clock.due() <= (limit ?? Infinity)) {
      this.rejected();
      this.clock.run();
      await this.quieted();
    }
    if (this.outbox.length === 0 && this.exited === undefined && limit !== -1) this.rejected(); // -1: the tests may do more before a timer runs
    return ["v", null];
  }

  // rejected throws the reason of a promise that nothing handles, as Node does before the next timer runs.
  rejected() {
    if (some) for (const [promise, e] of unhandled) {
      serveRejection(promise, e, true);
      if (this.handlers.unhandledRejection.length === 0) throw this.rejection = { e, n: this.promises.get(promise) };
      for (const f of [...this.handlers.unhandledRejection]) f(e, promise);
    }
  }

  // ticks does what process.nextTick was given.
  ticks() {
    this.clock.ticks();
    this.clock.check();
    return ["v", null];
  }

  // quieted waits until nothing is left to do but timers. It throws what nothing has caught.
  async quieted() {
    await this.left();
    this.clock.check();
  }

  // finish has the process end, as one of Node does when nothing keeps it, and answers its exit code; null: timers keep it for ever.
  // timers: those that are left run.
  async finish(timers) {
    try {
      await this.quieted();
      this.rejected();
      for (let k = 0; timers && (this.clock.kept() !== undefined || this.handlers.beforeExit.length > 0 && await this.emptied()); k++) {
        if (k === MAX_LATE) return ["v", null];
        this.clock.run();
        await this.quieted();
        this.rejected();
      }
      this.leave();
    } catch (e) {
      if (!(e instanceof Exit)) throw e;
      this.exited = e.code;
    }
    return ["v", this.exitCode()];
  }

  // emptied calls what the program does when nothing is left to do, and reports whether there is something again.
  async emptied() {
    for (const f of [...this.handlers.beforeExit]) f(Number(globalThis.process?.exitCode ?? 0));
    await this.quieted();
    return this.clock.kept() !== undefined;
  }

  // leave calls what the program does when it ends.
  leave() { for (const f of this.handlers.exit.splice(0)) f(this.exited ?? Number(globalThis.process?.exitCode ?? 0)); }

  exitCode() {
    const code = this.exited ?? Number(globalThis.process?.exitCode ?? 0);
    this.exited = undefined;
    return code;
  }

  // advance runs timers up to a time, and nothing between them, until one has called or told the tests. It answers how many have run.
  advance(limit) {
    let n = 0;
    for (this.called = false; n < MAX_LATE && !this.called && this.events.length === 0 && this.clock.due() <= limit; n++) this.clock.run();
    return ["v", n];
  }

  // lastDue says when the last timer runs that there is.
  lastDue() { return ["v", this.clock.last() ?? null]; }

  // kept says when the next timer runs that keeps the program.
  kept() { return ["v", this.clock.kept() ?? null]; }

  timerCount() { return ["v", this.clock.count]; }

  clearTimers() {
    this.clock.clearAll();
    return ["v", null];
  }

  exportedBefore = new Map(); // what the tests have replaced

  // export puts a function of the tests in the place of what the module exports under a name, or puts back what was there.
  export(name, coded) {
    const from = globalThis.module?.exports, before = this.exportedBefore.get(name) ?? (isObject(from) ? Object.getOwnPropertyDescriptor(from, name) : undefined);
    if (before?.configurable !== true) return ["v", false];
    this.exportedBefore.set(name, before);
    Object.defineProperty(from, name, coded === undefined ? before : { value: this.decoder().decode(coded), writable: true, enumerable: before.enumerable, configurable: true });
    return ["v", true];
  }

  left() { return new Promise((done) => { this.quiet.push(done); }); }

  // converts says which functions of its own convert an object: 1 to what it is worth, 2 to text.
  converts(t) {
    const v = this.target(t);
    return ["v", (v[Symbol.toPrimitive] !== undefined || v.valueOf !== Object.prototype.valueOf ? 1 : 0) + (v.toString !== Object.prototype.toString ? 2 : 0)];
  }

  // primitive converts an object as JavaScript does.
  primitive(t, hint) {
    const of = this.target(t), told = (v) => this.coded(v), own = of[Symbol.toPrimitive];
    if (own !== undefined) return told(own.call(of, hint));
    for (const name of hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]) {
      const v = of[name]?.();
      if (v === null || typeof v !== "object" && typeof v !== "function") return told(v);
    }
    throw new TypeError("Cannot convert object to primitive value");
  }

  construct(t, args) {
    const made = new (this.target(t))(...this.decoded(args));
    const derived = [Array, Map, Set].some((kind) => made instanceof kind && Object.getPrototypeOf(made) !== kind.prototype); // it has methods of its own
    return derived ? ["v", () => this.handle(made, undefined, false, new Set(), new Map())] : this.coded(made, false);
  }

  // get reads a property. receiver: the object that inherits it.
  get(t, key, symbol, receiver = t) {
    const v = Reflect.get(this.target(t), this.key(key, symbol), this.target(receiver));
    if (["constructor", "__proto__"].includes(key) && standard.has(v)) return ["v", ["G", standard.get(v)]];
    return typeof v === "function" ? ["f", () => this.encoder(true).written(v)] : this.coded(v);
  }

  // prototype returns that of a class, which stays here.
  prototype(t) {
    const v = this.target(t).prototype;
    return isObject(v) && typeof v !== "function" ? ["v", () => this.handle(v, this.encoder(false), false, new Set(), new Map())] : this.coded(v);
  }

  // derive makes a class of the tests that derives from one of the candidate: its members call those of the tests.
  derive(t, name, members, statics) {
    const of = this.target(t), made = { [name]: class extends of {} }[name], decoder = this.decoder();
    for (const [to, list] of [[made.prototype, members], [made, statics]]) for (const [key, kind, coded] of list) {
      Object.defineProperty(to, key, { ...Object.getOwnPropertyDescriptor(to, key), [kind]: decoder.decode(coded), configurable: true, ...kind === "value" && to === made && { writable: true, enumerable: true } });
    }
    return this.coded(made);
  }

  // own says how an object has a property itself, and its value.
  own(t, key) {
    const d = Object.getOwnPropertyDescriptor(this.target(t), key);
    return d === undefined ? ["v", null] : ["v", () => [flagsOf(d), this.encoder(true).written(d.value)]];
  }

  accessors = new Map(); // what the tests have replaced, by object and name

  // accessor puts functions of the tests in place of a getter and a setter; null: it is to be the one that was there.
  accessor(t, key, ...list) {
    const of = this.target(t), replaced = this.accessors.get(of) ?? new Map(), own = replaced.get(key) ?? Object.getOwnPropertyDescriptor(of, key);
    let before = own;
    for (let from = of; before === undefined && from !== null; from = Object.getPrototypeOf(from)) before = Object.getOwnPropertyDescriptor(from, key);
    if (own !== undefined) this.accessors.set(of, replaced.set(key, own));
    const [get, set] = list.map((coded, k) => coded === null ? before?.[k === 0 ? "get" : "set"] : this.decoder().decode(coded));
    return ["v", Reflect.defineProperty(of, key, { get, set, enumerable: before?.enumerable ?? false, configurable: true })];
  }

  set(t, key, v) { return ["v", Reflect.set(this.target(t), key, this.decoder().decode(v))]; }

  delete(t, key) { return ["v", Reflect.deleteProperty(this.target(t), key)]; }

  has(t, key, symbol = false) { return ["v", this.key(key, symbol) in this.target(t)]; }

  // key returns a name, a well-known symbol, or another one.
  key(key, symbol) { return !symbol ? key : typeof key === "string" ? Symbol[key] : this.decoder().decode(key); }

  // fields says whether an object can still change, from 0 to 3, as a frozen one, and what its properties are. all: also those that it computes.
  fields(t, all) {
    const v = this.target(t);
    return ["v", () => {
      const encoder = this.encoder(true), coded = this.fieldsOf(v, encoder, all);
      encoder.commit();
      return [levelOf(v), coded, unlike(v)];
    }];
  }

  // iterate says whether an object is its own iterator.
  iterate(t) {
    const object = this.target(t), of = object[Symbol.iterator](), [, iterating] = this.coded({ __proto__: Iterating.prototype, of }, false);
    return [of === object ? "end" : "v", iterating];
  }

  iterateAsync(t) {
    const object = this.target(t), of = object[Symbol.asyncIterator]?.() ?? object[Symbol.iterator](), [, iterating] = this.coded({ __proto__: Iterating.prototype, of }, false);
    return [of === object ? "end" : "v", iterating];
  }

  next(t) {
    const step = this.target(t).of.next();
    return step instanceof Promise ? this.coded(step) : step.done ? ["end", () => this.encoder(true).written(step.value)] : this.coded(step.value);
  }

  stop(t) {
    const v = this.target(t).of.return?.();
    return v instanceof Promise ? this.coded(v) : ["v", null];
  }

  // decides reports whether a class decides which objects are its instances.
  decides(t) { return ["v", this.target(t)[Symbol.hasInstance] !== Function.prototype[Symbol.hasInstance]]; }

  instance(t, of) { return ["v", this.target(t) instanceof this.target(of)]; }

  // part answers the next part of what a program has printed, and whether there is more.
  part() {
    const t = this.printed.slice(0, MAX_PART);
    this.printed = this.printed.slice(MAX_PART);
    return [t, this.printed !== ""];
  }

  more() { return ["v", this.part()]; }

  // run runs a program with standard input, and answers what it prints.
  run(texts, given) {
    const { globals, modules, handlers } = world(given, this.out, this.clock, nodeEqual);
    this.define(globals, modules);
    this.handlers = handlers;
    this.clock.quiet = () => this.rejected();
    // handled has the program take an error that nothing catches, if it does.
    const handled = this.clock.handles = (e) => {
      const list = handlers.uncaughtException;
      if (list.length === 0 || e instanceof Exit) return false;
      for (const f of [...list]) f(...e === this.rejection ? [e.e, "unhandledRejection"] : [e, "uncaughtException"]);
      return true;
    };
    const done = () => {
      try {
        this.leave();
      } catch (e) {
        if (!(e instanceof Exit)) return ["x", () => [...this.told(e), this.used ?? 0, 0]];
        this.exited = e.code;
      }
      if (this.size > MAX_PRINTED) return ["o", null];
      const code = this.exitCode();
      return code !== 0 ? ["q", code] : ["v", [this.used, ...this.part()]];
    };
    const ended = (e) => {
      if (e !== undefined && e === this.rejection) e = e.e;
      if (!(e instanceof Exit)) return ["x", () => [...this.told(e), this.used ?? 0, 0]];
      this.exited = e.code;
      return done();
    };
    globalThis.require.main = globalThis.module;
    globalThis.process.argv[1] = globalThis.__filename;
    let failure, awaited;
    for (let k = 0; k < texts.length; k++) {
      try {
        this.used = k;
        awaited = this.evaluate(texts[k]);
        if (!this.modular) this.clock.ticks();
        failure = undefined;
        break;
      } catch (e) {
        if (e instanceof SyntaxError) { failure ??= e; continue; }
        try { if (!handled(e)) return ended(e); } catch (x) { return ended(x); }
        failure = undefined;
        break;
      }
    }
    if (failure !== undefined) return ["x", () => [...this.told(failure), 0, 0]];
    return (async () => {
      try {
        if (awaited instanceof Promise) await this.clock.settle(awaited);
        do await this.clock.drain(); while (this.handlers.beforeExit.length > 0 && await this.emptied());
      } catch (e) {
        return ended(e);
      }
      return done();
    })();
  }
}

// A short program of Node ends before its garbage is collected: a WeakRef keeps its object, and no FinalizationRegistry is called.
const kept = new WeakMap(), collected = {
  WeakRef: class extends WeakRef { constructor(v) { super(v); kept.set(this, v); } },
  FinalizationRegistry: class extends FinalizationRegistry { constructor(f) { super(typeof f === "function" ? () => {} : f); } },
};

// required and contained have what require() and module have in Node, and not here.
const absent = (of, proto, names) => Object.create(proto, Object.fromEntries(names.map((name) => [name, { configurable: true, get: () => void lacking(of + "." + name), set: () => {} }])));
const required = absent("require", Function.prototype, ["cache", "extensions", "resolve"]), contained = absent("module", Object.prototype, ["children", "filename", "id", "loaded", "path", "paths"]);

const isPlain = (v) => isObject(v) && typeof v !== "function" && [Object.prototype, null].includes(Object.getPrototypeOf(v));

// extensible has what a candidate may add functions to, with the names that are there.
const { apply } = Reflect, fileOf = Object.getOwnPropertyDescriptor(Function.prototype, "fileName").get;
const extensible = [Array, String, Number, BigInt, Boolean, Function, Date, Promise, Map, Set, RegExp, Error, Object].flatMap((of) => [[of.name, of], [of.name + ".prototype", of.prototype]]).concat([["Math", Math], ["JSON", JSON]])
  .map(([path, of]) => [path, of, new Set(Object.getOwnPropertyNames(of))]);

// A class of the tests comes with its text when it comes first.
Decoder.prototype.prototypeOf = (of) => {
  const [name, text, base] = Array.isArray(of) ? of : [of];
  if (recordNamed(name) === undefined) state.record(name, text, base === undefined ? undefined : Decoder.prototype.prototypeOf(base));
  return recordNamed(name)[0];
};

// exportsOf returns the names that a module exports, in their order; null: the text does not tell.
function exportsOf(text) {
  const names = [];
  for (const m of text.matchAll(/(?<=^|[;}])[ \t]*export\s*(?:(default\b)|\{([^}]*)\}|(?:async\s+)?function\s*\*?\s*([\w$]+)|class\s+([\w$]+)|(?:const|let|var)\s+([\w$]+)|.)/gm)) {
    const name = m[1] ?? m[3] ?? m[4] ?? m[5];
    if (name !== undefined) names.push(name);
    else if (m[2] !== undefined) names.push(...m[2].split(",").map((x) => x.trim().split(/\s+as\s+/).at(-1)).filter(Boolean));
    else return null;
    if (m[5] === undefined) continue;
    let rest = text.slice(m.index + m[0].length).split(/\n(?=[A-Za-z/])/, 1)[0].replace(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, "");
    for (let before; before !== rest;) [before, rest] = [rest, rest.replace(/[([{][^()[\]{}]*[)\]}]/g, "")];
    if (rest.split(";", 1)[0].includes(",")) return null; // perhaps another variable
  }
  return [...new Set(names)].sort();
}
