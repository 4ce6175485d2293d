// What the judge is told of the candidate, at the candidate's side.
import { CustomEvent, Event, EventTarget } from "./events.js";
import { Clock, Timeout } from "./clock.js";
import { framesOf, unheard } from "./faults.js";
import { Exit, lacked } from "./node.js";
import { some } from "./rejections.js";
import { all, bases, common, computes, describe, errorOf, isObjectOfItsOwn, isPrototype, kinds, MAX_PRINTED, membersOf, namesOf, proxies, usesThis, WeakMap } from "./shapes.js";
import { CannotCross, Encoder, errors, isWellKnown, records, sameParts, Shared, symbolsOf } from "./wire.js";

// Told is what the judge is told of the candidate: values, exceptions, and objects by number.
export class Told {
  objects = [];
  held = new Set(); // keys of weak collections
  numbers = new Map();
  shared = new Shared(1);
  promises = new WeakMap(); // numbers of promises
  promised = 0;
  awaited = new Map();      // promises of the tests, with what settles them
  promising = false;        // the tests have given one that has not settled
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
  passed = 0;
  due = null;
  printed = "";
  size = 0;
  exited;
  natural = undefined; // what all programs have, before the candidate has changed it
  watches = 0;         // 1: a change of that is noticed behind each test; 2: behind each request; 3: as 1, of the global object, too

  // sync returns what has changed here, and then lets go what the candidate does not hold.
  sync(roughly = false) {
    const changed = this.shared.changed(roughly), { now, passed } = this.clock, due = some ? now : this.clock.due() ?? null;
    if (changed.length === 0 && this.outbox.length === 0 && this.events.length === 0 && now === this.now && due === this.due && passed === this.passed) {
      const gone = this.shared.gone();
      return gone.length === 0 ? null : [now, due, gone, [], [], [], passed];
    }
    [this.now, this.due, this.passed] = [now, due, passed];
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
    return [now, due, this.shared.gone(), changes, settled, events, passed];
  }

  // written writes an answer: its kind, its body, or what makes that, and what has changed. A fourth item is what the candidate has asked for and this runtime has not.
  written(answer) { return unheard(() => this.#written(answer)); }

  #written([kind, body]) {
    if (this.calling !== undefined) return spelled(this.calling);
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
    return spelled(lacked.name === undefined ? [kind, body, sync] : [kind, body, sync, lacked.name]);
  }

  threw(e, more = []) {
    if (e !== undefined && e === this.rejection) [e, more] = [e.e, ["rejected", e.n]];
    if (e instanceof Exit) { this.exited ??= e.code; return this.written(["q", this.exited]); }
    if (e instanceof CannotCross) return this.written(["n", e.message]);
    return this.written(["x", () => [...this.told(e), ...more]]);
  }

  // told returns a thrown value, and the line of the program that it comes from.
  told(e, encoder = this.encoder(true)) { return unheard(() => this.#told(e, encoder)); }

  #told(e, encoder) {
    let line = 0;
    let coded = encoder.attempt(() => { try { return encoder.encode(e); } catch (x) { throw x instanceof CannotCross ? x : new CannotCross("an error"); } });
    if (coded === undefined) coded = encoder.encode(new Error(describe(e))); // null is thrown, too
    encoder.commit();
    if (e instanceof Error && typeof framesOf(e) === "string") {
      const at = /<evalScript>:(\d+)|<input>:(\d+)/.exec(framesOf(e));
      if (at) line = Number(at[1] ?? at[2]);
      if (e instanceof SyntaxError && typeof e.lineNumber === "number") line = e.lineNumber;
    }
    return [coded, line];
  }

  coded(v, deep = true) { return ["v", () => this.encoder(deep).written(v)]; }

  encoder(deep) {
    const handles = new Set(), chains = new Map(), encoder = new Encoder((v, encoder) => this.handle(v, encoder, deep, handles, chains), this.shared);
    encoder.stays = isObjectOfItsOwn;
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
      const list = [(x) => { this.outbox.push([n, "ok", x]); }, (e) => { this.outbox.push([n, "no", e]); }];
      if (v.constructor === Promise) Reflect.apply(then, v, list); else v.then(...list); // as await does
    }
    const own = Object.getPrototypeOf(v) !== Promise.prototype;
    return own || Object.getOwnPropertyNames(v).length > 0 ? ["P", n, this.number(v), own ? 1 : 0, [...Object.getOwnPropertyNames(v), ...namesOf(v, promising)].slice(0, 200)] : ["P", n];
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
}

// spelled is JSON.stringify, whatever a program has put in its place, or has given to all arrays as toJSON.
const { stringify } = JSON;
export function spelled(v) {
  if (!("toJSON" in [])) return stringify(v);
  const all = [Array.prototype, Object.prototype].map((of) => [of, Object.getOwnPropertyDescriptor(of, "toJSON")]).filter(([, d]) => d !== undefined);
  for (const [of] of all) delete of.toJSON;
  try { return stringify(v); } finally { for (const [of, d] of all) Object.defineProperty(of, "toJSON", d); }
}

const { Promise } = globalThis, { then } = Promise.prototype, promising = new Set([Promise.prototype]);

export const shared = { __proto__: null, URL, URLSearchParams, AbortController, AbortSignal, CustomEvent, Event, EventTarget };
