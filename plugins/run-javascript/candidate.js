// The candidate's side: runs in the peer, beside the candidate, and is trusted with nothing. Whatever
// a candidate does to it, its answers are bytes that the judge reads as values.
import { builtFrom, CannotCross, collections, Decoder, Encoder, errors, isDerived, isWellKnown, kindOf, levelOf, recordNamed, records, sameParts, Shared, symbolsOf } from "./wire.js";
import { assertions } from "./assert.js";
import { nodeEqual } from "./equal.js";
import { abort, CustomEvent, elsewhere, Event, EventTarget, madeSignal } from "./events.js";
import { proxied } from "./inspect.js";
import { Clock, commonJS, Exit, isModule, lacked, lacking, Timeout, world } from "./node.js";
import { serveRejection, some, unhandled } from "./rejections.js";
import { share } from "./shared.js";

const { WeakMap } = globalThis;
const MAX_PRINTED = 4 << 20; // characters that are kept
const MAX_PART = 160 << 10;  // of these, characters of one answer: JSON has up to six bytes for each
const MAX_LATE = 1_000;      // timers that run after the tests, or at once
const MAX_GUESSED = 1 << 19; // characters of calls that are answered by a guess
const indirect = eval;
const names = new Set(Object.getOwnPropertyNames(globalThis));
// What tests see of these, or replace, is their own: a function of theirs cannot use the candidate's instead.
const apart = new Set(["globalThis", "global", "console", "process", "require", "module", "exports", "__import"]);

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
  if (state === undefined || ["load", "run", "together"].includes(asked[0])) state = new State();
  return state.answer(answers, asked, guesses);
}

// proxies has what the candidate has made with Proxy: no value, whatever it looks like.
const proxies = new WeakSet();

// A State is one candidate, with the objects of it that the judge knows by number.
class State {
  objects = [];
  held = new Set(); // keys of weak collections, and arrays and the like of its own classes
  numbers = new Map();
  shared = new Shared(1);
  promises = new WeakMap(); // numbers of promises
  promised = 0;
  awaited = new Map();      // promises of the tests, with what settles them
  outbox = [];              // promises that have settled, as the judge is to learn
  listening = new Set();    // functions that print, which the tests have replaced
  events = [];              // calls of them
  replaced = [];            // other functions that the tests have replaced, as they were
  quiet = [];               // what waits until nothing is left to do
  answers = [];             // of functions of the tests that this request calls
  calling = undefined;      // the call of a function of the tests that has no answer yet: nothing counts after it
  guesses = 0;      // calls of functions of the tests that may be answered by a guess, as the judge then checks
  guessed = [];     // such calls, as text
  room = 0;         // characters that are left for them
  called = false;   // a timer has called the tests
  inside = 0;       // requests of functions of the tests that run
  habits = [];      // what functions of the tests have answered
  variables = { __proto__: null }; // what they may have in their variables, for guesses
  given = [];       // functions of the tests
  tokens = [];      // symbols of the tests
  timers = [];      // timers of the tests
  iterators = [];   // iterators of the tests
  signals = [];     // signals of the tests
  emitters = [];    // emitters of the tests
  stays = undefined; // a name that one of them has used, and that stays with the tests
  clock = new Clock();
  now = 0;     // as the judge knows it
  due = null;
  printed = "";
  size = 0;
  exited;
  natural = undefined; // what all programs have, before the candidate has changed it
  watches = 0;         // 1: a change of that is noticed behind each test; 2: behind each request; 3: as 1, of the global object, too

  // answer answers a request. answers has what functions of the tests did that it has called before, in their order: it runs up to
  // the next such call, whose answer is not known, or to what such a function asks. The judge then asks the same of another instance, which gets that far, too.
  // Some calls it answers by a guess, and tells the judge, which uses nothing that comes after a wrong one.
  answer(answers, asked, guesses) {
    this.answers = answers;
    this.guesses = guesses;
    if (guesses === 0) return this.serve(asked);
    this.guessed = [];
    this.room = MAX_GUESSED;
    const told = (text) => this.guessed.length === 0 ? text : '["b",[[' + this.guessed + "]," + JSON.stringify(text) + "],null]", text = this.serve(asked);
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
  hear({ now, gone, changes, settled, mocks, date }) {
    this.clock.advance(now);
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

  // mock puts functions of the tests in place of those that they have replaced. What prints tells them.
  mock(mocks, decoder) {
    for (const [of, key, before] of this.replaced.splice(0).toReversed()) {
      if (before === undefined) delete of[key];
      else Object.defineProperty(of, key, before);
    }
    this.listening = new Set(mocks.filter(([, , coded]) => coded === null).map(([path, key]) => path + "." + key));
    for (const [path, key, coded] of mocks) {
      if (coded === null) continue;
      const of = path.startsWith("node:") ? this.modules[path.slice(5)] : path.split(".").reduce((v, key) => v[key], globalThis);
      this.replaced.push([of, key, Object.getOwnPropertyDescriptor(of, key)]);
      const stays = () => { this.stays ??= coded[1]; throw new ReferenceError(coded[1] + " is not defined"); };
      if (coded[0] === "stays") Object.defineProperty(of, key, { get: stays, set: (value) => { Object.defineProperty(of, key, { value, writable: true, configurable: true }); }, configurable: true });
      else Object.defineProperty(of, key, { value: coded[0] === "is" ? () => coded[1] : coded[0] === "of" ? coded[1] : decoder.decode(coded), writable: true, enumerable: true, configurable: true });
    }
  }

  // stub makes a function that the tests' function answers for.
  stub(n, name, length) {
    const state = this, f = function (...args) {
      if (new.target === undefined) return state.callBack(n, this === globalThis ? undefined : this, args);
      [state.stays, state.staying] = ["new", n];
      throw new Error("a function of the tests makes no object here");
    };
    return Object.defineProperties(f, { name: { value: name, configurable: true }, length: { value: length, configurable: true } });
  }

  callBack(n, self, args) {
    if (this.calling !== undefined) throw new Error("a function of the tests has no answer");
    this.called = true;
    const known = this.answers.shift(), sync = known === true ? null : this.sync(true); // true: nothing has changed
    const simple = self === undefined && !args.some(isObject), encoder = known !== undefined && simple ? undefined : this.encoder(true);
    const coded = encoder?.attempt(() => [encoder.encode(self), args.map((v) => encoder.encode(v))]);
    if (encoder !== undefined && coded === undefined) throw new CannotCross("an argument of a function of the tests");
    encoder?.commit();
    const stop = (why) => {
      this.calling ??= why;
      throw new Error("a function of the tests has no answer");
    };
    const habit = this.habits[n] ??= { v: undefined, step: undefined }, like = this.inside === 0 ? habit.like?.(args) : undefined;
    if (known === undefined && this.guesses > 0 && this.room > 0 && this.inside === 0) {
      const is = like ?? (habit.step === undefined ? habit.v : habit.v + habit.step), row = JSON.stringify([n, ...coded, sync, encoder.encode(is)]);
      habit.v = is;
      this.guesses--;
      this.room -= row.length;
      this.guessed.push(row);
      return is;
    }
    if (known === undefined) stop(["c", [n, ...coded], sync]);
    while (this.answers[0]?.[0] === "ask") { // it asks something before it answers
      this.inside++;
      const [, asked] = this.answers.shift(), reply = this.serve(asked);
      this.inside--;
      if (this.calling !== undefined || this.answers.length === 0) stop(["r", reply, null]);
    }
    const [kind, told, v] = this.answers.shift();
    if (told !== null) this.hear(told);
    const is = this.decoder().decode(v);
    if (kind !== "ok") throw is;
    habit.step = typeof is === "number" && typeof habit.v === "number" ? is - habit.v : undefined;
    habit.v = isObject(is) ? undefined : is;
    return is;
  }

  // sync returns what has changed here, and then lets go what the candidate does not hold.
  sync(roughly = false) {
    const changed = this.shared.changed(roughly), now = this.clock.now, due = some ? now : this.clock.due() ?? null;
    if (changed.length === 0 && this.outbox.length === 0 && this.events.length === 0 && now === this.now && due === this.due) {
      const gone = this.shared.gone();
      return gone.length === 0 ? null : [now, due, gone, [], [], []];
    }
    [this.now, this.due] = [now, due];
    const encoder = this.encoder(true), changes = [], tried = (write) => encoder.attempt(write) ?? ["u"];
    for (const [id, v] of changed) {
      const coded = encoder.attempt(() => encoder.contents(v));
      if (coded === undefined) throw new CannotCross("a value that it has changed, to one that cannot cross");
      changes.push(id, coded);
      this.shared.seen(id, v);
    }
    const settled = this.outbox.splice(0).map(([n, kind, v]) => {
      if (v instanceof Exit) { this.exited ??= v.code; return [n, "no", [["u"], 0]]; }
      if (kind === "no") return [n, kind, this.told(v, encoder)];
      let why;
      const coded = encoder.attempt(() => { try { return encoder.encode(v); } catch (e) { why = e.message; throw e; } });
      return coded === undefined ? [n, "not", String(why)] : [n, kind, coded];
    });
    const events = this.events.splice(0).map(([name, list]) => [name, ...list.map((v) => tried(() => encoder.encode(v)))]);
    encoder.commit();
    changed.length = 0; // it lets go what the candidate does not hold
    return [now, due, this.shared.gone(), changes, settled, events];
  }

  // written writes an answer: its kind, its body, or what makes that, and what has changed. A fourth item is what the candidate has asked for and this runtime has not.
  written([kind, body]) {
    if (this.calling !== undefined) return JSON.stringify(this.calling);
    let sync = null;
    try {
      for (const [proto, { members }] of records) if (!sameParts(members, membersOf(proto))) this.reshaped = "a class of the tests that it has changed";
      if (this.watches === 2) this.unchanged();
      if (this.reshaped !== undefined) throw new CannotCross(this.reshaped);
      sync = this.sync();
      if (this.exited !== undefined && kind !== "q") return this.written(["q", this.exited]);
      if (typeof body === "function") body = body();
    } catch (e) {
      [kind, body] = e instanceof CannotCross ? ["n", e.message] : ["x", this.told(e)];
    }
    if (this.stays !== undefined) [kind, body] = ["g", [this.stays, this.staying ?? null]];
    return JSON.stringify(lacked.name === undefined ? [kind, body, sync] : [kind, body, sync, lacked.name]);
  }

  threw(e, more = []) {
    if (e !== undefined && e === this.rejection) [e, more] = [e.e, ["rejected", e.n]];
    if (e instanceof Exit) { this.exited ??= e.code; return this.written(["q", this.exited]); }
    if (e instanceof CannotCross) return this.written(["n", e.message]);
    return this.written(["x", () => [...this.told(e), ...more]]);
  }

  // told returns a thrown value, and the line of the program that it comes from.
  told(e, encoder = this.encoder(true)) {
    let line = 0;
    let coded = encoder.attempt(() => { try { return encoder.encode(e); } catch (x) { throw x instanceof CannotCross ? x : new CannotCross("an error"); } });
    if (coded === undefined) coded = encoder.encode(new Error(describe(e))); // null is thrown, too
    encoder.commit();
    if (e instanceof Error && typeof e.stack === "string") {
      const at = /<evalScript>:(\d+)|<input>:(\d+)/.exec(e.stack);
      if (at) line = Number(at[1] ?? at[2]);
      if (e instanceof SyntaxError && typeof e.lineNumber === "number") line = e.lineNumber;
    }
    return [coded, line];
  }

  coded(v, deep = true) { return ["v", () => this.encoder(deep).written(v)]; }

  encoder(deep) {
    const handles = new Set(), chains = new Map(), encoder = new Encoder((v, encoder) => this.handle(v, encoder, deep, handles, chains), this.shared);
    encoder.stays = (v) => isObjectOfItsOwn(v, this.held);
    encoder.symbol = (v) => this.tokens.includes(v) ? ["T", this.tokens.indexOf(v)] : ["Y", this.number(v), String(v.description ?? "").slice(0, 100)];
    encoder.place = (e) => Object.keys(errors).some((name) => errors[name].prototype === Object.getPrototypeOf(e)) ? null : [this.number(e), namesOf(e, common)];
    return encoder;
  }

  number(v) {
    let n = this.numbers.get(v);
    if (n === undefined) {
      n = this.objects.push(v) - 1;
      this.numbers.set(v, n);
    }
    return n;
  }

  // promise writes a promise. The judge learns when it settles.
  promise(v) {
    let n = this.promises.get(v);
    if (n === undefined) {
      n = this.promised++;
      this.promises.set(v, n);
      this.awaited.set(n, { promise: v }); // the tests may pass it back
      v.then((x) => { this.outbox.push([n, "ok", x]); }, (e) => { this.outbox.push([n, "no", e]); });
    }
    return ["P", n];
  }

  // handle writes an object that stays here. deep: with its own properties, so that no later call can change
  // what it is compared by. Names that it inherits come with it: whether it has one is not asked when a test wants to know.
  handle(v, encoder, deep, seen, chains) {
    const given = this.given.indexOf(v);
    if (given >= 0) return ["f", given];
    if (v instanceof Promise) return this.promise(v);
    if (this.signals.length > 0 && this.signals.includes(v)) return ["A", this.signals.indexOf(v)];
    if (this.emitters.length > 0 && this.emitters.includes(v)) return ["E", this.emitters.indexOf(v)];
    if (this.iterators.includes(v)) return ["I", this.iterators.indexOf(v)];
    if (typeof v === "function" && records.get(v.prototype) !== undefined) return ["C", records.get(v.prototype).name];
    if (v instanceof Timeout && this.timers.includes(v)) return ["W", this.timers.indexOf(v)];
    const n = this.number(v);
    if (typeof v === "function") return usesThis(v) ? ["F", n, String(v.name).slice(0, 100), 1] : ["F", n, String(v.name).slice(0, 100)];
    if (seen.has(v)) return ["H", n];
    seen.add(v);
    const of = isPrototype(v) ? v.constructor : Object.getPrototypeOf(v)?.constructor, name = typeof of === "function" ? String(of.name).slice(0, 100) : "Object";
    const like = proxies.has(v) ? Array.isArray(v) ? "Proxy of an array" : "Proxy" : bases.find((_, k) => v instanceof kinds[k]) ?? errorOf(v), chain = Object.getPrototypeOf(v);
    const names = chains.get(chain) ?? namesOf(v);
    chains.set(chain, chains.size);
    return ["H", n, name, deep && !like.startsWith("Proxy") && !computes(v) ? encoder.attempt(() => this.fieldsOf(v, encoder)) ?? null : null, names, like, chain === null || chain === Object.prototype ? null : this.number(chain), ...this.origin(chain)];
  }

  // origin says which object of the tests an object derives from: one that both have, or the prototype of one of their classes or functions.
  origin(proto) {
    const id = proto === null ? undefined : this.shared.idOf(proto);
    if (id !== undefined) return [["@", id]];
    if (records.size > 0) for (let of = proto, k = 0; of !== null && k < 20; of = Object.getPrototypeOf(of), k++) if (records.has(of)) return [["C", records.get(of).name]];
    if (this.given.length === 0) return [];
    for (let of = proto, k = 0; of !== null && of !== Object.prototype && k < 20; of = Object.getPrototypeOf(of), k++) {
      const n = this.given.findIndex((f) => f !== undefined && Object.getOwnPropertyDescriptor(f, "prototype")?.value === of);
      if (n >= 0) return [["f", n]];
    }
    return [];
  }

  fieldsOf(v, encoder, all = true) {
    const out = ["o"];
    if (++encoder.depth > 100) throw new CannotCross("more than 100 nested values");
    for (const key of Object.keys(v)) {
      out.push(key, encoder.encode(all || Object.getOwnPropertyDescriptor(v, key).get === undefined ? v[key] : undefined));
    }
    for (const key of symbolsOf(v)) if (!isWellKnown(key) && (all || Object.getOwnPropertyDescriptor(v, key).get === undefined)) out.push(encoder.encode(key), encoder.encode(v[key]));
    encoder.depth--;
    return out;
  }

  out = (t) => {
    if (this.size > MAX_PRINTED) return;
    this.size += t.length;
    this.printed += t;
  };

  // What the judge asks for.

  load(prompt, texts, wanted, importing = false, watches = 0) {
    this.importing = importing; // the tests import what the candidate exports: other names in it are its own
    const { globals, modules, handlers } = world("", () => {}, this.clock);
    this.define(globals, modules);
    this.handlers = handlers;
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
          return ["v", [k, lines, wanted.map((name) => this.named(name)), this.added(before + texts[k]), ...this.isPlain() ? [1] : []]];
        };
        return this.scope instanceof Promise ? this.clock.settle(this.scope).then((scope) => { this.scope = scope; return loaded(); }, (e) => failed(e, k, lines)) : loaded();
      }
    }
    this.failure = { e: failure };
    return ["x", () => [...this.told(failure), 0, 0]];
  }

  // added returns the functions that a text has added to built-in classes.
  added(text) {
    const list = [];
    if (!/\bprototype\b|\b(?:Array|String|Number|Boolean|Function|Date|Promise|Map|Set|RegExp|Object)\.[\w$]+\s*=[^=]/.test(text)) return list;
    for (const [path, of, known] of extensible) {
      const names = Object.getOwnPropertyNames(of);
      if (names.length === known.size) continue;
      for (const name of names) {
        const d = known.has(name) ? undefined : Object.getOwnPropertyDescriptor(of, name);
        if (typeof d?.value === "function") list.push([path, name, this.encoder(false).written(d.value), d.enumerable]);
      }
    }
    return list.slice(0, 100);
  }

  // together runs the tests here, beside the candidate.
  async together(task) { return ["v", await share(this, task)]; }

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
          this.exports = exportsOf(text);
          return v;
        }
      } catch (x) {
        if (!(x instanceof SyntaxError)) throw x;
      }
      if (last === "undefined" && /\breturn\b/.test(text)) { // a program of CommonJS is the body of a function
        try {
          return indirect("(function () {" + text + "\n}).call(module.exports)");
        } catch (x) {
          if (!(x instanceof SyntaxError)) throw x;
        }
      }
      if (!/\bawait\b/.test(text)) throw e;
      this.modular = module !== text;
      if (this.modular) this.exports = exportsOf(text);
      return indirect("(async () => {" + module + "\n;return " + last + "})()");
    }
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
    const { Proxy } = globalThis;
    if (Proxy.revocable !== undefined && !marking.has(Proxy)) {
      const mark = (v, of) => { proxies.add(v); proxied.set(v, of); return v; };
      function Marked(of, traps) { return mark(new Proxy(of, traps), of); }
      const named = Object.defineProperty(Object.assign(Marked, { revocable: (of, traps) => { const made = Proxy.revocable(of, traps); mark(made.proxy, of); return made; } }), "name", { value: "Proxy" });
      marking.add(named);
      Object.defineProperty(globalThis, "Proxy", { value: named, writable: true, configurable: true });
    }
    if (!marking.has(Object.defineProperty)) this.reshapes();
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

  // reshapes notes that the candidate makes of a value of the tests what they would not see: they have a copy.
  reshapes() {
    for (const [of, name] of [[Object, "defineProperty"], [Object, "defineProperties"], [Object, "setPrototypeOf"], [Reflect, "defineProperty"], [Reflect, "setPrototypeOf"]]) {
      const f = of[name];
      of[name] = { [name]: (v, ...rest) => {
        if (!isObject(v) || this.shared.idOf(v) === undefined || v instanceof Error) return f(v, ...rest);
        const proto = Object.getPrototypeOf(v), { length } = unlike(v), out = f(v, ...rest);
        if (Object.getPrototypeOf(v) !== proto) this.reshaped = "an argument of another prototype than it had";
        if (unlike(v).length !== length) this.reshaped = "an argument with a property that is computed, hidden or read-only";
        return out;
      } }[name];
      marking.add(of[name]);
    }
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

  // named returns what a name is: null if nothing has it, ["A"] for an export that is computed each time.
  named(name) {
    if (this.importing && !this.modular && isObject(globalThis.module?.exports) && Object.getOwnPropertyDescriptor(globalThis.module.exports, name)?.get !== undefined) return ["A"];
    const v = this.find(name);
    return v === undefined ? null : typeof v !== "function" ? ["V"] : ["F", usesThis(v) ? 1 : 0, this.number(v)];
  }

  name(name) { return ["v", this.named(name)]; }

  constant(name) { return this.coded(this.find(name)); }

  // default returns what the module exports by default, or is.
  default() {
    const from = globalThis.module?.exports ?? {};
    return (Object.hasOwn(from, "default") ? from.default : undefined) ?? (typeof from === "function" ? from : undefined);
  }

  exported() {
    const v = this.default();
    return v === undefined ? ["v", null] : this.coded(v);
  }

  callable() { return ["v", typeof globalThis.module?.exports === "function"]; }

  // module says what the module is: a function, or the names that it exports.
  module() {
    const from = globalThis.module?.exports;
    return ["v", typeof from === "function" ? "function" : this.modular ? this.exports : isObject(from) && Object.keys(from).length > 0 ? Object.keys(from).slice(0, 1_000) : null];
  }

  // isPlain reports whether the tests see the module as a plain object.
  isPlain() { return this.importing && Array.isArray(this.module()[1]) && this.default() === undefined; }

  // madeBy reports whether an object is of a class that both instances have.
  madeBy(t, name) { return ["v", this.target(t) instanceof (name === "EventEmitter" ? this.modules.events : shared[name])]; }

  target(t) {
    return typeof t === "string" ? this.find(t) : this.objects[t];
  }

  // call calls a function or method. own: the first argument is what a function has as this.
  call(t, key, args, own = false) {
    const list = this.decoded(args), self = own ? list.shift() : key === null ? undefined : this.target(t), f = key === null ? this.target(t) : self[key];
    return this.coded(Reflect.apply(f, self, list));
  }

  decoded(args) {
    const decoder = this.decoder();
    return args.map((x) => decoder.decode(x));
  }

  // turn does what is left to do, and runs timers up to a time, or until a promise that the judge knows settles.
  async turn(limit) {
    await this.quieted();
    while (this.outbox.length === 0 && this.exited === undefined && this.clock.due() <= (limit ?? Infinity)) {
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
      for (let k = 0; timers && this.clock.kept() !== undefined; k++) {
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

  // take makes a function of the tests from its text. What it uses must be JavaScript's, or its own. like: the text of one that answers
  // likely as one that stays with the tests does.
  take(n, text, name, length, like) {
    if (text === null && like && this.habits[n] === undefined) this.habits[n] = { v: undefined, step: undefined, like: this.likely(like) };
    if (text === null) return this.given[n] ??= this.stub(n, name, length);
    const stays = (_, name) => {
      if (name === Symbol.unscopables) return undefined;
      if (this.stays === undefined) [this.stays, this.staying] = [name, n];
      throw new ReferenceError(name + " is not defined");
    };
    const scope = new Proxy({ __proto__: null }, { has: (_, name) => name !== "arguments" && (apart.has(name) || !names.has(name) && !this.worldly.has(name)), get: stays, set: stays });
    const made = () => new Function("__scope", "with (__scope) { return (" + text + "\n); }")(scope);
    return this.given[n] ??= Object.defineProperty(made(), "name", { value: name, configurable: true });
  }

  // likely makes a function from the text of one of the tests that uses their variables: here each of those begins as nothing.
  likely(text) {
    const nothing = new Proxy(function () {}, { get: (_, key) => key === Symbol.toPrimitive ? () => 0 : nothing, set: () => true, apply: () => nothing, construct: () => nothing, has: () => true });
    const scope = new Proxy(this.variables, { has: (of, name) => name !== "arguments" && (apart.has(name) || !names.has(name)), get: (of, name) => name === Symbol.unscopables ? undefined : name in of ? of[name] : nothing });
    let f;
    return (args) => {
      try {
        f ??= new Function("__scope", "with (__scope) { return (" + text + "\n); }")(scope);
        if (args.some(isObject)) args = args.slice(0, f.length); // an item, its index, and the list
        if (args.some(isObject)) return undefined;
        const v = f(...args);
        return isObject(v) ? undefined : v;
      } catch { return undefined; }
    };
  }

  // iterator makes an iterator that asks one of the tests for its items. kind: 1, an asynchronous one.
  iterator(n, kind, steps) {
    const made = Object.create(kind === 1 ? asyncIterators : syncIterators);
    for (const [k, name] of ["next", "return", "throw"].entries()) {
      if (steps[k] === null) continue;
      const f = this.take(...steps[k].slice(1));
      Object.defineProperty(made, name, { value: (...list) => f(...list), writable: true, configurable: true });
    }
    return made;
  }

  // staying makes an emitter, an EventTarget or an event that asks one of the tests.
  staying(kind, methods, type, flags) {
    const has = Object.fromEntries(methods.map(([name, coded]) => { const f = this.take(...coded.slice(1)); return [name, (...list) => f(...list)]; }));
    if (kind === "target") {
      const { dispatchEvent } = has;
      has.dispatchEvent = (event) => this.dispatches(event, dispatchEvent);
    }
    const made = kind === "emitter" ? Object.create(this.modules.events.prototype) : kind === "target" ? Object.create(EventTarget.prototype)
      : new (kind === "CustomEvent" ? CustomEvent : Event)(type, { bubbles: flags[0], cancelable: flags[1], composed: flags[2] });
    if (made instanceof Event) {
      const { begin, stopped } = has;
      elsewhere.set(made, { begin, stopped });
      delete has.begin;
      delete has.stopped;
    }
    for (const [name, value] of Object.entries(has)) Object.defineProperty(made, name.replace("get ", ""), name.startsWith("get ") ? { get: value, configurable: true } : { value, writable: true, configurable: true });
    return made;
  }

  // dispatches dispatches an event for an EventTarget of the tests: one of theirs, or one that they get as its parts.
  dispatches(event, f) {
    if (!(event instanceof Event)) throw Object.assign(new TypeError('The "event" argument must be an instance of Event.'), { code: "ERR_INVALID_ARG_TYPE" });
    if (this.emitters.includes(event)) return f(event);
    const kind = [Event, CustomEvent].find((kind) => Object.getPrototypeOf(event) === kind.prototype), { type, bubbles, cancelable, composed } = event;
    if (kind === undefined || Reflect.ownKeys(event).length > 0) this.reshaped ??= "an event of its own class for an EventTarget of the tests";
    const goes = f(type, kind === CustomEvent ? { bubbles, cancelable, composed, detail: event.detail } : { bubbles, cancelable, composed }, kind === CustomEvent ? "CustomEvent" : "Event");
    if (!goes) event.preventDefault();
    return goes;
  }

  // signal makes a signal that the tests abort. reason: why they have, before it came.
  signal(decoder, n, ...reason) {
    const made = this.signals[n] ??= madeSignal();
    if (reason.length > 0) abort(made, decoder.decode(reason[0]));
    return made;
  }

  // abort aborts a signal of the tests.
  abort(n, reason) {
    abort(this.signals[n], this.decoder().decode(reason));
    return ["v", null];
  }

  // record makes a class of the tests, whose objects are fields. base: the prototype of the class that it extends.
  record(name, text, base) {
    const made = base === undefined ? new Function("return (" + text + "\n);")() : new Function(base.constructor.name, "return (" + text + "\n);")(base.constructor);
    records.set(made.prototype, { name, text, members: membersOf(made.prototype) });
    if (this.find(name) === undefined) globalThis[name] = made;
    this.notice();
  }

  decoder() {
    return new Decoder((v, decoder) => {
      if (v[0] === "f") return this.take(...v.slice(1));
      if (v[0] === "g") return globalThis[v[1]][v[2]];
      if (v[0] === "Y") return this.objects[v[1]];
      if (v[0] === "C") return Decoder.prototype.prototypeOf(v[1]).constructor;
      if (v[0] === "A") return this.signal(decoder, ...v.slice(1));
      if (v[0] === "E") return this.emitters[v[1]] ??= this.staying(...v.slice(2));
      if (v[0] === "I") return this.iterators[v[1]] ??= this.iterator(...v.slice(1));
      if (v[0] === "W") return this.timers[v[1]] ??= new Timeout(-1 - v[1], this.take(...v[2].slice(1)), () => { throw lacking("refresh() of a timer of the tests"); });
      if (v[0] === "T") return this.tokens[v[1]] ??= Symbol(v[2] ?? undefined);
      if (v[0] === "H" || v[0] === "F") return typeof v[1] === "string" ? this.find(v[1]) : this.objects[v[1]];
      if (v[0] === "P") return v.length > 2 && !this.awaited.has(v[1]) ? this.settledAs(v[1], v[2], decoder.decode(v[3]), v[4] === 1) : this.promiseOf(v[1]);
      throw new Error("a value of kind " + v[0]);
    }, ([, classes, message, name]) => {
      const e = builtFrom(classes).make(message, name);
      return classes[0][0] === "C" ? Object.setPrototypeOf(e, Decoder.prototype.prototypeOf(classes[0][1])) : e;
    }, this.shared, true);
  }

  // settledAs makes a promise of the tests that has settled. open: it has rejected, and they have not handled it.
  settledAs(n, kind, value, open) {
    const promise = kind === "ok" ? Promise.resolve(value) : Promise.reject(value);
    if (!open) promise.catch(() => {});
    this.promises.set(promise, n);
    this.awaited.set(n, { promise });
    return promise;
  }

  // promiseOf returns a promise of the tests, or the one of its own that has this number.
  promiseOf(n) {
    if (!this.awaited.has(n)) {
      const settles = {}, promise = new Promise((ok, no) => Object.assign(settles, { ok, no }));
      promise.catch(() => {});
      this.promises.set(promise, n);
      this.awaited.set(n, { ...settles, promise });
    }
    return this.awaited.get(n).promise;
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

  instanceOf(id, of) { return ["v", this.shared.valueOf(id) instanceof this.target(of)]; }

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
    const { globals, modules, handlers } = world(given, this.out, this.clock);
    this.define(globals, modules);
    this.handlers = handlers;
    this.clock.quiet = () => this.rejected();
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
        return ended(e);
      }
    }
    if (failure !== undefined) return ["x", () => [...this.told(failure), 0, 0]];
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

// extensible has what a candidate may add functions to, with the names that are there.
const extensible = [Array, String, Number, Boolean, Function, Date, Promise, Map, Set, RegExp, Object].flatMap((of) => [[of.name, of], ...of === Object ? [] : [[of.name + ".prototype", of.prototype]]])
  .map(([path, of]) => [path, of, new Set(Object.getOwnPropertyNames(of))]);

const shared = { __proto__: null, URL, URLSearchParams, AbortController, AbortSignal, CustomEvent, Event, EventTarget };

const isObject = (v) => v !== null && typeof v === "object" || typeof v === "function";

const [syncIterators, asyncIterators] = [[][Symbol.iterator](), (async function* () {}).prototype].map((of) => Object.getPrototypeOf(Object.getPrototypeOf(of)));

const marking = new WeakSet(); // functions in place of those of JavaScript

// A class of the tests comes with its text when it comes first.
Decoder.prototype.prototypeOf = (of) => {
  const [name, text, base] = Array.isArray(of) ? of : [of];
  if (recordNamed(name) === undefined) state.record(name, text, base === undefined ? undefined : Decoder.prototype.prototypeOf(base));
  return recordNamed(name)[0];
};

class Iterating {}

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

// usesThis reports whether a function seems to use this: an object of the tests is passed to no other.
const usesThis = (f) => { const text = Function.prototype.toString.call(f); return builtin.has(f) || text.includes("this") && !text.startsWith("class") && /\bthis\b/.test(text); };

// converting has the names of functions by which an object is converted, compared or awaited.
const converting = new Set(["valueOf", "toString", "toJSON", "then"]);

// isObjectOfItsOwn reports whether a plain object has methods that use it or convert it, or members that it computes, or is a Proxy: it is no value. held gets what is one of a class of its own, and is a value.
function isObjectOfItsOwn(v, held) {
  if (proxies.has(v)) return true;
  const kind = kindOf(v);
  if (kind !== undefined && isPrototype(v)) return true;
  if (kind === "b") return !boxes.has(Object.getPrototypeOf(v)) || Reflect.ownKeys(v).some((key) => key !== "length" && !(v instanceof String && /^\d+$/.test(String(key))));
  if (kind !== undefined && "lmsdr".includes(kind)) {
    if (isDerived(v)) return true;
    if (!collections.has(Object.getPrototypeOf(v))) held.add(v); // the tests may ask of which class it is
    return false;
  }
  if (kind !== "o" && kind !== "p") return false;
  const keys = Object.getOwnPropertyNames(v), open = Object.isExtensible(v);
  const unlike = (p) => p.get !== undefined || p.set !== undefined || !p.enumerable || open && !p.writable;
  for (const key of Object.getOwnPropertySymbols(v)) {
    const p = Object.getOwnPropertyDescriptor(v, key);
    if (isWellKnown(key) || unlike(p) || typeof p.value === "function") return true;
  }
  for (const key of keys) {
    const p = Object.getOwnPropertyDescriptor(v, key);
    if (unlike(p) || typeof p.value === "function" && (converting.has(key) || /\bthis\b/.test(Function.prototype.toString.call(p.value)))) return true;
  }
  return false;
}

const boxes = new Set([Number.prototype, String.prototype, Boolean.prototype]);

// membersOf returns what a class and its prototype have.
const membersOf = (proto) => [proto, proto.constructor].flatMap((of) => Reflect.ownKeys(of).flatMap((key) => [key, ...Object.values(Object.getOwnPropertyDescriptor(of, key))]));

// isPrototype reports whether an object is that of a class.
const isPrototype = (v) => Object.hasOwn(v, "constructor") && typeof v.constructor === "function" && v.constructor.prototype === v;

// standard has the classes of JavaScript and their prototypes, by which tests ask what something is.
const standard = new Map();
for (const name of names) {
  const of = Object.getOwnPropertyDescriptor(globalThis, name)?.value;
  if (typeof of === "function" && /^[A-Z]/.test(name)) standard.set(of, name).set(of.prototype, name + ".prototype");
}
for (const [name, f] of Object.entries({ AsyncFunction: async () => {}, GeneratorFunction: function* () {}, AsyncGeneratorFunction: async function* () {} })) standard.set(f.constructor, name);
standard.delete(undefined);

// builtin has the methods of built-in classes, which a candidate may export.
const builtin = new Set([Object, Array, String, Number, Map, Set, Date, RegExp].flatMap((of) => Object.getOwnPropertyNames(of.prototype).map((name) => Object.getOwnPropertyDescriptor(of.prototype, name).value).filter((f) => typeof f === "function" && !standard.has(f))));

// flagsOf writes what a property is like: 7, if it is as any other.
const flagsOf = (d) => (d.enumerable ? 1 : 0) + (d.writable ? 2 : 0) + (d.configurable ? 4 : 0) + (d.get ? 8 : 0) + (d.set ? 16 : 0);

// unlike returns the own properties that are not as others.
const unlike = (v) => Object.getOwnPropertyNames(v).map((key) => [key, flagsOf(Object.getOwnPropertyDescriptor(v, key))]).filter(([, flags]) => flags !== 7).slice(0, 200);

// builtins returns what all objects inherit, which a program that copies any name into an object changes, and how many names can be listed of built-in ones.
const { ownKeys } = Reflect, { prototype } = Object; // the candidate may replace them
const inherited = ownKeys(prototype).filter((key) => key !== "__proto__"), samples = [[], "", 0, () => {}, Object, new Date(0), Promise.resolve(), new Map(), new Set()];
function builtins(globals) {
  const out = [];
  let n = 0;
  for (const key of inherited) out[out.length] = prototype[key];
  for (const of of samples) for (const key in of) n++; // what is assigned can be listed
  out[out.length] = n;
  out[out.length] = ownKeys(prototype).length;
  if (globals) out[out.length] = ownKeys(globalThis).length;
  return out;
}

// computes reports whether an object has members of its own that it computes: they are not read before the tests do.
const computes = (v) => Object.keys(v).some((key) => Object.getOwnPropertyDescriptor(v, key)?.get !== undefined);

// errorOf returns the built-in class from which the prototype of a class of errors derives, or nothing.
const errorOf = (v) => v instanceof Error ? Object.keys(errors).findLast((name) => v instanceof errors[name]) : "";

const bases = ["Map", "Set", "Array", "URL", "URLSearchParams", "WeakMap", "WeakSet", "WeakRef"], kinds = bases.map((name) => globalThis[name]);

// namesOf returns the names that an object inherits, but for those that all objects do, or all errors.
const common = new Set([Object.prototype, ...Object.values(errors).map((of) => of.prototype)]), all = new Set([Object.prototype]);
function namesOf(v, until = all) {
  const names = new Set();
  for (let of = Object.getPrototypeOf(v); of !== null && !until.has(of) && names.size < 200; of = Object.getPrototypeOf(of)) for (const name of Object.getOwnPropertyNames(of)) names.add(name);
  return [...names].slice(0, 200);
}

function describe(v) {
  try { return String(v).slice(0, 500); } catch { return "a value that cannot be shown"; }
}
