// What tests give the candidate.
import { CustomEvent, Event, EventTarget, follow, place, stopped } from "./events.js";
import { asking, builtin, counts, derives, Ended, extended, Function, handleOf, isWritten, iterators, known, likeOf, mentions, others, outside, own, places, sourceOf, theirs, wrapped } from "./known.js";
import { Timeout } from "./clock.js";
import { Buffer, EventEmitter } from "./node.js";
import { Requests } from "./requests.js";
import { CannotCross, Decoder, derived, Encoder, errors, isDerived, kindOf, recordNamed, records, symbolsOf } from "./wire.js";

// Lent is what the candidate is given: values, functions and objects of the tests.
export class Lent extends Requests {
  decoder() {
    const decoder = new Decoder((v, decoder) => this.decoded(v, decoder), (v) => this.exception(v), this.both);
    decoder.member = (key, x, of) => this.given.has(x) && asking.has(key) ? () => { throw this.saysYes(key); } : key === "toString" && of instanceof Error ? this.ownText(x) : Decoder.prototype.member(key, x);
    decoder.unsure = (what) => { this.unsure ??= what.toWellFormed(); };
    decoder.converts = (key) => { throw this.lacks("the candidate puts " + (key.description ?? key) + " into a value that both instances hold", true); };
    return decoder;
  }

  // saysYes: nobody can tell a collection of the candidate's own from an answer that says yes.
  saysYes(key) { return this.lacks("the tests call " + key + "() of an object that a function of the candidate returned and whose class they do not name", true); }

  // asks is called when the tests call a method of an object that the candidate returned. of is the object, or what is known of it.
  asks(of, key, args, named = () => false) {
    if (key === "get" && args.length > 1 && typeof args.at(-1) === "function") own.add(of); // a route, with what serves it
    else if (!asking.has(key) && !(key === "compare" && args.some((v) => v instanceof Buffer))) {
      if (!others.has(key)) own.add(of);
    } else if (args.length > 0 && !own.has(of) && !named()) throw this.saysYes(key);
  }

  // mapped returns what a method has answered. Only an array has the array that its map() makes: a collection of the candidate's own makes another.
  mapped(of, key, v, named = () => false) {
    if ((key === "map" || key === "flatMap") && Array.isArray(v) && !own.has(of) && !named()) throw this.saysYes(key);
    return v;
  }

  isNamed(h) { return h.made || [...this.named].some((target) => this.ask("instance", h.target, target)[1] === true); }

  value([, body]) {
    const v = this.checked(() => {
      const decoder = this.decoder(), v = decoder.decode(body);
      if (decoder.refers) this.measure(v);
      return v;
    });
    this.deliver();
    return v;
  }

  encoder() {
    const encoder = new Encoder((v, encoder) => {
      v = wrapped.get(v) ?? v;
      const h = handleOf(v);
      if (h === undefined && typeof v === "function") return this.give(v);
      if (h === undefined && v instanceof Promise) return this.promise(v, encoder);
      if (h === undefined && v instanceof Timeout) return this.timer(v);
      if (h === undefined && v instanceof AbortSignal && Object.getPrototypeOf(v) === AbortSignal.prototype) return this.signal(v, encoder);
      if (h === undefined && v instanceof EventEmitter && Object.getPrototypeOf(v) === EventEmitter.prototype && Object.keys(v).every((key) => ["_events", "_maxListeners"].includes(key))) return this.emitter(v);
      if (h === undefined && [EventTarget, Event, CustomEvent].some((kind) => Object.getPrototypeOf(v) === kind.prototype) && Reflect.ownKeys(v).length === 0) return v instanceof Event ? this.event(v) : this.eventTarget(v);
      const base = h === undefined ? iterators.find((of) => Object.prototype.isPrototypeOf.call(of, v)) : undefined;
      if (base !== undefined && typeof v.next === "function") return this.iteratorOfTests(v, iterators.indexOf(base));
      if (h === undefined) throw Object.assign(new CannotCross("an object of the tests of class " + (v.constructor?.name ?? "none")), { tests: isWritten(v.constructor) });
      if (h.owner !== this || !h.alive()) throw new Ended("an object of a candidate that has ended");
      return [typeof v === "function" ? "F" : "H", h.target];
    }, this.both);
    encoder.stays = (v) => {
      if (handleOf(v) !== undefined) return true;
      const kind = kindOf(v);
      if (!["o", "p", "l", "c", undefined].includes(kind) && symbolsOf(v).length > 0) throw new CannotCross("a property under a symbol");
      if (this.computes && (kind === "o" || kind === "p") && counts(v)) throw new CannotCross("an object of the tests with a getter that changes something");
      return kind !== undefined && "lmsdr".includes(kind) && isDerived(v);
    };
    encoder.symbol = (v) => {
      const n = this.numberOf(v);
      if (n !== undefined) return ["Y", n];
      if (!this.tokens.includes(v)) this.tokens.push(v);
      return ["T", this.tokens.indexOf(v), v.description ?? null];
    };
    encoder.knows = (e) => places.has(e);
    encoder.adopt = this.adopt;
    encoder.recordOf = this.recordOf;
    return encoder;
  }

  // numberOf returns the number of a symbol of the candidate, or undefined.
  numberOf(symbol) { return [...this.symbols].find(([, known]) => known === symbol)?.[0]; }

  recordOf = (v) => {
    return this.writtenClass(Object.getPrototypeOf(v));
  };

  // writtenClass writes a class of records: its name, its text when it comes first, and the class that it extends.
  writtenClass(proto) {
    const { name, text, base } = records.get(proto);
    if (this.recorded.has(name)) return name;
    this.recorded.add(name);
    return base === undefined ? [name, text] : [name, text, this.writtenClass(base)];
  }

  // adopt reports whether an object of a class of the tests crosses as its fields: both instances can have the class, made from its text.
  adopt = (v) => {
    if (this.adopts(Object.getPrototypeOf(v))) return "c";
    if (!derives(Object.getPrototypeOf(v))) return undefined;
    derived.add(v);
    return "x";
  };

  adopts(proto) {
    if (records.has(proto)) return true;
    const kind = proto.constructor, base = Object.getPrototypeOf(proto), text = isWritten(kind) && kind.prototype === proto ? Function.prototype.toString.call(kind) : "", { name } = kind;
    if (!/^[A-Za-z_$][\w$]*$/.test(name) || !/^(?:class|function)\b/.test(text) || /#|`[^]*['"]|['"][^]*`|\bstatic\b(?!\s+(?:async\s+)?\*?\s*[A-Za-z_$][\w$]*\s*\()/.test(text) || /\b(?:assert|expect|should|chai|console|process|globalThis|global|require|import|jest|vi|mock|eval|Function)\b/.test(text)) return false;
    if (Reflect.ownKeys(proto).length > 1 && (!text.startsWith("class") || this.patches)) return false;
    const extended = /^class\s+[\w$]+\s+extends\s+([\w$]+)\s*\{/.exec(text)?.[1];
    const last = base === Object.prototype || Object.keys(errors).some((name) => errors[name].prototype === base);
    if (base === Object.prototype ? /\bextends\b/.test(text) : extended !== base?.constructor?.name || !last && !this.adopts(base)) return false;
    if (mentions(last ? text : text.replace(extended, ""), this.declared)) return false;
    const known = recordNamed(name);
    if (known !== undefined && known[1].text !== text) return false;
    records.set(proto, { name, text, base: last ? undefined : base });
    return true;
  }

  // give writes a function of the tests.
  give(f) {
    const place = builtin(f);
    if (place !== undefined) return ["g", ...place];
    if (/^class\b/.test(Function.prototype.toString.call(f)) && this.adopts(f.prototype)) return ["C", this.writtenClass(f.prototype)];
    if (!this.given.has(f)) {
      this.given.set(f, this.sourceOf(f));
      theirs.add(f);
    }
    const out = ["f", [...this.given.keys()].indexOf(f), this.given.get(f), String(f.name), f.length];
    if (out[2] === null) out.push(likeOf(f));
    return out;
  }

  // iteratorOfTests writes an iterator of the tests, which they ask for its items.
  iteratorOfTests(v, kind) {
    let n = this.iterators.findIndex((it) => it.v === v);
    if (n < 0) n = this.iterators.push({ v, steps: ["next", "return", "throw"].map((name) => typeof v[name] === "function" ? (...list) => v[name](...list) : undefined) }) - 1;
    return ["I", n, kind, this.iterators[n].steps.map((f) => f === undefined ? null : this.give(f))];
  }

  // signal writes a signal of the tests, which they abort.
  signal(v, encoder) {
    const { signals } = this, n = signals.indexOf(v);
    if (n >= 0) return ["A", n];
    signals.push(v);
    if (v.aborted) return ["A", signals.length - 1, encoder.encode(v.reason)];
    const at = signals.length - 1;
    follow(v, () => { if (this.signals === signals && this.end === undefined) this.value(this.ask("abort", at, this.encoded([v.reason], "abort a signal")[0])); });
    return ["A", at];
  }

  // emitter writes an emitter of the tests, which stays with them.
  emitter(v) {
    const methods = {};
    for (const [name, f] of Object.entries(EventEmitter.prototype)) if (typeof f === "function") methods[name] = f.bind(v);
    methods.listeners = methods.rawListeners = (() => { throw this.lacks("the candidate asks for the listeners of an emitter of the tests", true); }).bind(); // their texts may tell what is expected
    return this.staying(v, "emitter", methods);
  }

  // staying writes an object of a class of Node that stays with the tests: its methods ask it.
  staying(v, kind, methods, ...more) {
    const n = this.emitters.findIndex((e) => e.v === v);
    return n >= 0 ? ["E", n] : ["E", this.emitters.push({ v, methods }) - 1, kind, Object.entries(methods).map(([name, f]) => [name, this.give(f.bind())]), ...more];
  }

  // eventTarget writes an EventTarget of the tests. It gets an event of the candidate's as its parts.
  eventTarget(v) {
    const dispatchEvent = (type, options, kind) => {
      if (kind === undefined) return v.dispatchEvent(type);
      return v.dispatchEvent(new (kind === "CustomEvent" ? CustomEvent : Event)(String(type), Object(options)));
    };
    return this.staying(v, "target", { addEventListener: v.addEventListener.bind(v), removeEventListener: v.removeEventListener.bind(v), dispatchEvent });
  }

  // event writes an event of the tests.
  event(v) {
    const methods = { begin: (target) => { place(v, target); }, stopped: () => stopped(v) };
    for (const name of ["preventDefault", "stopPropagation", "stopImmediatePropagation", "composedPath"]) methods[name] = () => v[name]();
    for (const name of ["defaultPrevented", "returnValue", "cancelBubble", "target", "currentTarget", "srcElement", "eventPhase", ...v instanceof CustomEvent ? ["detail"] : []]) methods["get " + name] = () => v[name];
    return this.staying(v, v instanceof CustomEvent ? "CustomEvent" : "Event", methods, v.type, [v.bubbles, v.cancelable, v.composed]);
  }

  // timer writes a timer of the tests, which they end.
  timer(v) {
    let n = this.timers.findIndex((t) => t.v === v);
    if (n < 0) n = this.timers.push({ v, close: v.close.bind(v) }) - 1;
    return ["W", n, this.give(this.timers[n].close)];
  }

  // mayCall reports whether the candidate has been given a function that does something for the tests, beside the first ones: a key or a predicate does not.
  mayCall(first) { return [...this.given.values()].slice(first).some((text) => text === null || mentions(text, outside)); }

  // silent reports whether the test has given functions that assert something to then() of an object of the candidate's, which has called none of them.
  silent(first) {
    const list = this.awaits ? [...this.given.keys()].slice(first).filter((f) => { const text = Function.prototype.toString.call(f); return /\b(?:assert|expect|should)\b/.test(text) && !/\bfail\b/.test(text); }) : [];
    return list.length > 0 && !list.some((f) => this.heard.has(f));
  }

  // sourceOf returns the text of a function of the tests; null: it stays with them, and they answer the candidate's calls.
  sourceOf(f) {
    if (/^class\b/.test(Function.prototype.toString.call(f))) throw Object.assign(new CannotCross("a class of the tests"), { tests: isWritten(f) });
    try {
      const text = sourceOf(f);
      return this.stay.has(text) || this.stay.size > 0 && mentions(text, this.declared) ? null : text;
    } catch (e) {
      if (!(e instanceof CannotCross)) throw e;
      return null;
    }
  }

  encoded(args, doing) {
    this.prepare();
    const encoder = this.encoder();
    try {
      const coded = args.map((v) => encoder.encode(v));
      encoder.commit();
      return coded;
    } catch (e) {
      if (e instanceof CannotCross) throw this.lacks("the tests " + doing + " with " + e.message + ", which cannot cross to the candidate", this.uses > 0 && !e.tests);
      throw e;
    }
  }
}
