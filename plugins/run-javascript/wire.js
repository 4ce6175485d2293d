// Values as they cross between judge and candidate: JSON in which everything but plain text,
// numbers, true, false and null is an array that begins with a tag. A Decoder builds exact
// built-in values, and nothing else: whoever wrote the message, no code of theirs runs.

import { guessed, isGuess, mean, unheard } from "./faults.js";
import { Buffer, lacked, refill, URL, URLSearchParams } from "./node.js";

const { WeakMap, WeakRef, DataView, DOMException } = globalThis, { defineProperty, getPrototypeOf } = Object, { ownKeys } = Reflect; // those of the candidate, or of the tests, are others

export const MAX_DEPTH = 100;      // nested values
export const MAX_NODES = 500_000;  // values of a message
export const MAX_MESSAGE = 1 << 20; // characters
const MAX_DIGITS = 300_000;        // of a bigint
const MAX_REGEXP = 1_000;          // characters

// A value has no form: its name is the message.
export class CannotCross extends Error {}

// A message is not what an Encoder writes.
export class Forged extends Error {}

export const wellKnown = ["iterator", "asyncIterator", "hasInstance", "toPrimitive", "toStringTag", "species", "match", "matchAll", "replace", "search", "split", "isConcatSpreadable", "unscopables"];
export const isWellKnown = (key) => wellKnown.some((name) => Symbol[name] === key);
const typed = { __proto__: null, Buffer, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array };
const owners = new WeakMap(); // views that came with their whole buffers, by these: other views of such a buffer are of the same
const depends = new WeakMap(); // has such a view be there as long as another one of its buffer is
const sliced = Object.getPrototypeOf(Uint8Array.prototype).slice;
export const errors = { __proto__: null, Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError, DOMException };
// errorAs makes an error of a built-in class.
export const errorAs = (kind, message, name) => kind === DOMException ? new DOMException(message, name) : kind === AggregateError ? new AggregateError([], message) : new kind(message);

// builtFrom returns the built-in class of an error that an Encoder has written, and what makes one: an error, or an object that only derives from one.
const { isError } = Error;
export function builtFrom(classes) {
  const last = String(classes.at(-1)), imitates = last.startsWith("~"), base = errors[imitates ? last.slice(1) : last];
  return { base, make: (message, name) => imitates ? Object.create(base.prototype) : errorAs(base, message, name) };
}

// Functions under these names run when a value is compared, converted or awaited: the candidate's do not.
const asked = new Set(["valueOf", "toString", "toJSON", "then"]);
const unasked = () => { throw mean(new TypeError("an object of the candidate takes part in no arithmetic and is not text")); };

// records has the classes of the tests whose objects are fields and nothing else: both instances have them. By prototype, with the name and the text.
export const records = new Map();
export const recordNamed = (name) => [...records].findLast(([, of]) => of.name === name);

// kindOf returns the tag of a value that both instances share by a number, since a call may change it, or undefined.
export function kindOf(v) {
  if (Array.isArray(v)) return "l";
  if (v instanceof Map) return "m";
  if (v instanceof Set) return "s";
  if (v instanceof Date) return "d";
  if (v instanceof RegExp) return "r";
  if (v instanceof Error) return "e";
  if (v instanceof ArrayBuffer) return "a";
  if (ArrayBuffer.isView(v)) return v instanceof DataView || v.byteLength !== v.buffer.byteLength ? "v" : "t";
  if (v instanceof Number || v instanceof String || v instanceof Boolean) return "b";
  const proto = getPrototypeOf(v);
  return proto === null ? "p" : proto === Object.prototype ? "o" : records.size > 0 && records.has(proto) ? "c" : proto === URL.prototype ? "w" : proto === URLSearchParams.prototype ? "q" : derived.has(v) ? "x" : undefined;
}

// derived has the objects of the tests that both instances share, and that derive from a plain object.
export const derived = new WeakSet();

// isDerived reports whether an array, Map, Set, Date or regular expression is of a class that derives from its own.
const collections = new Set([Array, Map, Set, Date, RegExp].map((of) => of.prototype));
export const isDerived = (v) => !collections.has(getPrototypeOf(v));

// timeOf returns the time of a Date, which may have a getTime of its own.
const { getTime } = Date.prototype, timeOf = (v) => Reflect.apply(getTime, v, []);

// isName reports whether a key of an array names a property beside its items.
const isName = (key) => key !== undefined && (typeof key === "symbol" || !/^(0|[1-9][0-9]*)$/.test(key));

// symbolsOf returns the symbols under which an object has properties that can be listed.
export const symbolsOf = (v) => Object.getOwnPropertySymbols(v).filter((key) => Object.prototype.propertyIsEnumerable.call(v, key));

// held returns the functions that an object has, by name, and what it has under symbols.
function held(v) {
  let found;
  for (const key of Object.keys(v)) if (typeof v[key] === "function") (found ??= new Map()).set(key, v[key]);
  for (const key of symbolsOf(v)) (found ??= new Map()).set(key, v[key]);
  return found;
}

const levels = [() => {}, Object.preventExtensions, Object.seal, Object.freeze];
export const levelOf = (v) => Object.isExtensible(v) ? 0 : Object.isFrozen(v) ? 3 : Object.isSealed(v) ? 2 : 1;
const hidden = ["cause", "errors"]; // members of an error that are not listed

// entriesOf and itemsOf list what a Map and a Set have, whatever their own iterators say.
const { forEach: eachEntry } = Map.prototype, { forEach: eachItem } = Set.prototype;
const entriesOf = (v, out = []) => { Reflect.apply(eachEntry, v, [(x, key) => { out.push(key, x); }]); return out; };
const itemsOf = (v, out = []) => { Reflect.apply(eachItem, v, [(x) => { out.push(x); }]); return out; };

// partsOf returns what a call may change of a value, without what is inside its parts.
function partsOf(v, kind) {
  switch (kind) {
    case "l": return v.length <= 20 && Object.keys(v).length !== v.length ? [...v, ...Object.keys(v).flatMap((k) => [k, v[k]])] : v.slice();
    case "m": return entriesOf(v);
    case "s": return itemsOf(v);
    case "d": return [timeOf(v)];
    case "r": return [v.lastIndex];
    case "b": case "v": return [];
    case "w": return [v.href];
    case "q": return [URLSearchParams.prototype.toString.call(v)];
    case "a": return new Uint8Array(v).slice();
    case "t": return Reflect.apply(sliced, v, []); // that of Buffer is not a copy
    case "e": return [unheard(() => v.message), v.name, ...Object.keys(v).flatMap((k) => [k, v[k]]), ...hidden.map((k) => Object.hasOwn(v, k) ? v[k] : undefined)]; // a class may compute it
  }
  return [...Object.keys(v), ...symbolsOf(v)].flatMap((k) => [k, v[k]]);
}

// roughlySame is sameParts in which -0 is 0: it takes a third of the time. NaN, which is not itself, has it say no.
function roughlySame(a, b) {
  const n = a.length;
  if (n !== b.length) return false;
  let k = 0;
  while (k + 8 <= n) {
    if (a[k] !== b[k++] || a[k] !== b[k++] || a[k] !== b[k++] || a[k] !== b[k++] || a[k] !== b[k++] || a[k] !== b[k++] || a[k] !== b[k++] || a[k] !== b[k++]) return false;
  }
  while (k < n) if (a[k] !== b[k++]) return false;
  return true;
}

export function sameParts(a, b) {
  if (a.length !== b.length) return false;
  for (let k = 0, n = a.length; k < n; k++) { // as Object.is() compares, without a call
    const x = a[k], y = b[k];
    if (x !== y ? x === x || y === y : x === 0 && 1 / x !== 1 / y) return false;
  }
  return true;
}

// A Shared has the values that both instances hold: each under a number, and how both last had it. Neither instance
// keeps a value alive for the other: one that has gone there is no more shared.
export class Shared {
  #ids = new WeakMap();
  #entries = new Map();
  #pinned = [];
  compared = 0;

  // Numbers of this side are even or odd.
  constructor(first) { this.next = first; }

  idOf(v) { return this.#ids.get(v); }

  // valueOf returns the value with a number, or undefined.
  valueOf(id) { return this.#entries.get(id)?.ref.deref(); }

  // add shares a value. Both sides have it as it is when seen is called.
  add(id, v, kind = kindOf(v)) {
    this.#ids.set(v, id);
    this.#entries.set(id, { ref: new WeakRef(v), kind, parts: [], level: 0 });
    this.#pinned.push(v);
  }

  has(id) { return this.#entries.has(id); }

  // seen notes that both sides have a value as it is.
  seen(id, v) {
    const e = this.#entries.get(id);
    [e.parts, e.level] = [partsOf(v, e.kind), levelOf(v)];
  }

  // changed returns the numbers and values of what has changed here. roughly: between calls of functions of the tests, where -0 may be taken for 0.
  changed(roughly = false) {
    const list = [];
    for (const [id, { ref, kind, parts, level }] of this.#entries) {
      const v = ref.deref();
      if (v === undefined) continue;
      this.compared += parts.length + 1;
      if (!(roughly && kind === "l" && roughlySame(parts, v)) && !sameParts(parts, partsOf(v, kind)) || !Object.isExtensible(v) && level !== levelOf(v)) list.push([id, v]);
    }
    return list;
  }

  // gone returns the numbers of what is no more here. The rest stays until it is called again: no change is lost, and the other
  // side can name it. all: nothing is shared any longer.
  gone(all = false) {
    this.#pinned = [];
    const list = [], left = [];
    for (const [id, { ref }] of this.#entries) {
      const v = ref.deref();
      if (!all && v !== undefined) { left.push(v); continue; }
      list.push(id);
      this.drop(id);
    }
    this.#pinned = left;
    return list;
  }

  drop(id) {
    const v = this.valueOf(id);
    if (v !== undefined) this.#ids.delete(v);
    this.#entries.delete(id);
  }
}

// urlOf makes a URL of a message, which has none that there is not.
function urlOf(text) {
  const { name } = lacked;
  try {
    if (typeof text === "string") return new URL(text);
  } catch {}
  lacked.name = name;
  throw new Forged("a URL");
}

// An Encoder writes one message. other(v) writes what has no form of its own.
export class Encoder {
  nodes = 0;
  depth = 0;
  fresh = new Map();   // values that the other side does not know, with the numbers that they get
  stays = undefined;   // reports whether an object has no form of its own

  constructor(other, shared) {
    this.other = other;
    this.shared = shared;
  }

  // written writes a value as a whole message, after which both sides share what it holds.
  written(v) {
    const out = this.encode(v);
    this.commit();
    return out;
  }

  commit() {
    for (const [v, id] of this.fresh) {
      this.shared.add(id, v);
      this.shared.seen(id, v);
    }
    this.fresh.clear();
  }

  // attempt writes a part, or undefined if that cannot cross.
  attempt(write) {
    const { depth, nodes } = this, before = this.fresh.size;
    try {
      return write();
    } catch (e) {
      if (!(e instanceof CannotCross)) throw e;
      this.depth = depth;
      this.nodes = nodes;
      for (const v of [...this.fresh.keys()].slice(before)) this.fresh.delete(v);
      return undefined;
    }
  }

  encode(v) {
    if (++this.nodes > MAX_NODES) throw new CannotCross("more than " + MAX_NODES + " values");
    switch (typeof v) {
      case "string": case "boolean": return v;
      case "undefined": return ["u"];
      case "number": return Number.isFinite(v) && !Object.is(v, -0) ? v : ["n", Object.is(v, -0) ? "-0" : String(v)];
      case "bigint": {
        const digits = String(v);
        if (digits.length > MAX_DIGITS) throw new CannotCross("a bigint of " + digits.length + " digits");
        return ["i", digits];
      }
      case "symbol": {
        const name = wellKnown.find((name) => Symbol[name] === v);
        if (name !== undefined) return ["y", name];
        const key = Symbol.keyFor(v);
        if (key !== undefined) return ["y", key, 0];
        if (this.symbol === undefined) throw new CannotCross("a symbol");
        return this.symbol(v);
      }
      case "function": return this.other(v, this);
    }
    if (v === null) return null;
    const known = this.shared.idOf(v) ?? this.fresh.get(v);
    if (known !== undefined) return ["@", known];
    if (this.stays?.(v)) return this.other(v, this);
    let kind = kindOf(v) ?? this.adopt?.(v);
    if (kind === undefined) return this.other(v, this);
    if (kind === "a" && this.#owner(v) !== undefined) return ["B", this.#owner(v)];
    if (kind === "t" && (this.#owner(v.buffer) ?? this.shared.idOf(v.buffer) ?? this.fresh.get(v.buffer)) !== undefined) kind = "v";
    const id = this.shared.next;
    this.shared.next += 2;
    this.fresh.set(v, id);
    if (++this.depth > MAX_DEPTH) throw new CannotCross("more than " + MAX_DEPTH + " nested values");
    const out = this.contents(v, kind);
    out[0] += id;
    this.depth--;
    return out;
  }

  // #owner returns the number of the view by which both sides know a buffer, or undefined.
  #owner(buffer) {
    const of = owners.get(buffer);
    return of === undefined ? undefined : this.shared.idOf(of) ?? this.fresh.get(of);
  }

  // contents writes what is in a value.
  contents(v, kind = kindOf(v)) {
    const level = levelOf(v), out = [level === 0 ? kind : kind + "-+!"[level - 1]];
    if ("msdrawqtv".includes(kind)) {
      const keys = ownKeys(v);
      if ("tv".includes(kind) ? isName(keys.at(-1)) : keys.length > (kind === "r" ? 1 : 0)) throw new CannotCross("a " + getPrototypeOf(v).constructor.name + " with properties of its own");
    }
    switch (kind) {
      case "l": {
        if (v.length > MAX_NODES) throw new CannotCross("an array of " + v.length + " items");
        const keys = Object.keys(v), dense = keys[v.length - 1] === String(v.length - 1);
        for (let k = 0; k < v.length; k++) {
          if (dense || Object.hasOwn(v, k)) out.push(this.encode(v[k]));
          else if (k in v) throw new CannotCross("an array with a hole that its prototype fills");
          else out.push(["h"]);
        }
        if (isName(keys.at(-1)) || Object.hasOwn(v, "raw") || symbolsOf(v).length > 0) out.push(this.names(v)); // names come after the items
        return out;
      }
      case "m":
        for (const x of entriesOf(v)) out.push(this.encode(x));
        return out;
      case "s":
        for (const x of itemsOf(v)) out.push(this.encode(x));
        return out;
      case "d": return [...out, Number.isNaN(timeOf(v)) ? null : timeOf(v)];
      case "r":
        if (v.source.length > MAX_REGEXP) throw new CannotCross("a regular expression of " + v.source.length + " characters");
        return [...out, v.source, v.flags, v.lastIndex];
      case "e": return [...out, ...this.error(v)];
      case "a": return [...out, ...this.bytes(new Uint8Array(v))];
      case "w": case "q": return [...out, ...partsOf(v, kind)];
      case "b": return [...out, this.encode((v instanceof Number ? Number : v instanceof String ? String : Boolean).prototype.valueOf.call(v))];
      case "t": case "v": {
        const of = getPrototypeOf(v), name = of === DataView.prototype ? "DataView" : Object.keys(typed).find((name) => of === typed[name].prototype);
        if (name === undefined) throw new CannotCross("a typed array of another kind");
        if (kind === "v") {
          if (owners.has(v.buffer)) depends.set(v, owners.get(v.buffer));
          return [...out, name, this.encode(v.buffer), v.byteOffset, v.length ?? v.byteLength];
        }
        owners.set(v.buffer, v);
        return [...out, name, ...this.bytes(v)];
      }
    }
    if (kind === "c") out.push(this.recordOf(v));
    if (kind === "x") out.push(this.encode(getPrototypeOf(v)));
    for (const key of Object.keys(v)) out.push(key, this.encode(v[key]));
    for (const key of symbolsOf(v)) out.push(this.encode(key), this.encode(v[key]));
    return out;
  }

  // recordOf writes the class of a record.
  recordOf(v) { return records.get(getPrototypeOf(v)).name; }

  // names writes the properties of an array beside its items, such as index of a match. A function among
  // them would take the place of a method of arrays.
  names(v) {
    const out = ["k"];
    for (const key of [...Object.keys(v).filter(isName), ...Object.hasOwn(v, "raw") && !Object.prototype.propertyIsEnumerable.call(v, "raw") ? ["raw"] : []]) {
      if (typeof v[key] === "function") throw new CannotCross("an array with a function as its property " + key);
      out.push(key, this.encode(v[key]));
    }
    for (const key of symbolsOf(v)) out.push(this.encode(key), this.encode(v[key]));
    return out;
  }

  bytes(v) {
    if ((this.nodes += v.length) > MAX_NODES) throw new CannotCross("more than " + MAX_NODES + " values");
    return Array.from(v, (x) => typeof x === "bigint" ? String(x) : this.encode(x));
  }

  // error writes what is in an error: its classes down to a built-in one, which it may only imitate, its message, in a list if Node may have another one, its name, how many of its members are hidden, where it is, and its members.
  error(e) {
    const classes = [];
    let proto = this.knows?.(e) ? Error.prototype : getPrototypeOf(e); // the candidate knows the classes of its own
    for (; proto !== null && classes.length < 8; proto = getPrototypeOf(proto)) {
      const name = Object.keys(errors).find((name) => errors[name].prototype === proto);
      if (name !== undefined) { classes.push(name); break; }
      classes.push(this.other(proto.constructor, this));
    }
    if (proto === null) classes.push("Error");
    if (!isError(e) && !(e instanceof DOMException)) classes.push("~" + classes.pop());
    const members = [], keys = [...hidden.filter((key) => Object.hasOwn(e, key) && !Object.prototype.propertyIsEnumerable.call(e, key)), ...Object.keys(e).filter((key) => key !== "stack" && key !== "message").slice(0, 20)];
    let unlisted = 0;
    for (const key of keys) {
      const coded = this.attempt(() => [this.encode(e[key])]);
      if (coded === undefined) continue;
      members.push(key, coded[0]);
      if (!Object.prototype.propertyIsEnumerable.call(e, key)) unlisted++;
    }
    const message = unheard(() => e.message); // once: it may be another one each time
    if (typeof message !== "string") members.push("message", message !== null && ["object", "function"].includes(typeof message) ? this.attempt(() => this.other(message, this)) ?? ["o"] : this.encode(message)); // an object stays: its text may be without end
    return [classes, typeof message === "string" ? isGuess(e) ? [message] : message : "", typeof e.name === "string" ? e.name : "Error", unlisted, this.place?.(e) ?? null, ...members];
  }
}

// A Decoder reads the values of one message. other(v, decoder) reads an array with a tag that is not
// read here, or throws Forged. made(v, decoder) returns a new error for what an Encoder wrote of one.
export class Decoder {
  nodes = 0;
  depth = 0;
  refers = false; // to a value that was read before

  // trusts: functions may be members that convert or compare an object.
  constructor(other, made, shared, trusts = false) {
    this.other = other;
    this.made = made;
    this.shared = shared;
    this.trusts = trusts;
  }

  decode(v) {
    if (++this.nodes > MAX_NODES) throw new Forged("more than " + MAX_NODES + " values");
    if (v === null || typeof v !== "object") return v;
    if (!Array.isArray(v) || typeof v[0] !== "string") throw new Forged("a value of no kind");
    switch (v[0]) {
      case "u": return undefined;
      case "n":
        if (!["NaN", "Infinity", "-Infinity", "-0"].includes(v[1])) throw new Forged("a number");
        return Number(v[1]);
      case "i":
        if (typeof v[1] !== "string" || v[1].length > MAX_DIGITS || !/^-?[0-9]+$/.test(v[1])) throw new Forged("a bigint");
        return BigInt(v[1]);
      case "y":
        if (v[2] === 0 && typeof v[1] === "string") return Symbol.for(v[1]);
        if (!wellKnown.includes(v[1])) throw new Forged("a symbol");
        return Symbol[v[1]];
      case "@": {
        const to = Number.isInteger(v[1]) ? this.shared.valueOf(v[1]) : undefined;
        if (to === undefined) throw new Forged("a reference to nothing");
        this.refers = true;
        return to;
      }
      case "B": {
        const of = Number.isInteger(v[1]) ? this.shared.valueOf(v[1]) : undefined;
        if (!ArrayBuffer.isView(of)) throw new Forged("a buffer of nothing");
        return of.buffer;
      }
    }
    const m = /^([a-z])([-+!]?)([0-9]{1,10})$/.exec(v[0]);
    if (m === null) return this.other(v, this);
    const id = Number(m[3]);
    if (id % 2 === this.shared.next % 2 || this.shared.has(id)) throw new Forged("a number that there is");
    if (++this.depth > MAX_DEPTH) throw new Forged("more than " + MAX_DEPTH + " nested values");
    const to = this.empty(m[1], v);
    this.shared.add(id, to, m[1]);
    this.fill(to, m[1], v);
    levels[1 + "-+!".indexOf(m[2] || " ")](to);
    this.shared.seen(id, to);
    this.depth--;
    return to;
  }

  empty(kind, v) {
    switch (kind) {
      case "l": return [];
      case "o": return {};
      case "p": return Object.create(null);
      case "c": return Object.create(this.prototypeOf(v[1]));
      case "x": {
        if (!this.trusts) break;
        const made = Object.create(this.decode(v[1]));
        derived.add(made);
        return made;
      }
      case "m": return new Map();
      case "s": return new Set();
      case "d": return new Date(NaN);
      case "e": return this.made(Array.isArray(v[2]) ? v.with(2, v[2][0]) : v, this);
      case "b":
        if (!["number", "string", "boolean"].includes(typeof v[1]) && !(Array.isArray(v[1]) && v[1][0] === "n")) throw new Forged("a boxed value");
        return Object(this.decode(v[1]));
      case "w": return urlOf(v[1]);
      case "q": return new URLSearchParams();
      case "a": return new ArrayBuffer(Math.min(v.length - 1, MAX_NODES));
      case "r":
        if (typeof v[1] !== "string" || typeof v[2] !== "string" || v[1].length > MAX_REGEXP) throw new Forged("a regular expression");
        try { return new RegExp(v[1], v[2]); } catch { throw new Forged("a regular expression"); }
      case "t": {
        const of = typeof v[1] === "string" ? typed[v[1]] : undefined;
        if (of === undefined) throw new Forged("a typed array");
        const made = new of(v.length - 2);
        owners.set(made.buffer, made);
        return made;
      }
      case "v": return this.view(v);
    }
    throw new Forged("a value of kind " + kind);
  }

  // view makes a view of a buffer: a part of it, or one of several.
  view([, name, coded, at, length]) {
    const of = name === "DataView" ? DataView : typeof name === "string" ? typed[name] : undefined, buffer = this.decode(coded);
    if (of === undefined || !(buffer instanceof ArrayBuffer) || ![at, length].every((n) => Number.isInteger(n) && n >= 0)) throw new Forged("a view");
    let made;
    try { made = new of(buffer, at, length); } catch { throw new Forged("a view"); }
    if (owners.has(buffer)) depends.set(made, owners.get(buffer));
    return made;
  }

  // fill puts the contents that v says in place of those of a value.
  fill(to, kind, v) {
    switch (kind) {
      case "l": {
        const last = v[v.length - 1], named = Array.isArray(last) && last[0] === "k";
        if (!Object.isExtensible(to)) { for (let k = 1; k < v.length; k++) if (k - 1 in to) to[k - 1] = this.decode(v[k]); return; }
        to.length = 0;
        const before = held(to);
        for (const key of [...Object.keys(to), ...symbolsOf(to)]) delete to[key];
        for (let k = 1; k < v.length - (named ? 1 : 0); k++) if (Array.isArray(v[k]) && v[k][0] === "h") to.length = k; else to[k - 1] = this.decode(v[k]);
        if (named) this.properties(to, last, 1, (key, x) => isName(key) && key !== "length" && typeof x !== "function", before);
        if (this.trusts && named && Array.isArray(to.raw) && Object.isFrozen(to.raw)) defineProperty(to, "raw", { enumerable: false }); // of a template
        return;
      }
      case "s":
        to.clear();
        for (let k = 1; k < v.length; k++) to.add(this.decode(v[k]));
        return;
      case "d":
        if (v[1] !== null && typeof v[1] !== "number") throw new Forged("a date");
        to.setTime(v[1] ?? NaN);
        return;
      case "r":
        if (!Number.isInteger(v[3]) || v[3] < 0 || v[1] !== to.source || v[2] !== to.flags) throw new Forged("a regular expression");
        to.lastIndex = v[3];
        return;
      case "e": return this.error(to, v);
      case "b": case "v": return;
      case "w":
        to.href = urlOf(v[1]).href;
        return;
      case "q":
        if (typeof v[1] !== "string") throw new Forged("a URLSearchParams");
        return refill(to, v[1]);
      case "a": return this.bytes(new Uint8Array(to), v, 1);
      case "t":
        if (v[1] !== Object.keys(typed).find((name) => to instanceof typed[name])) throw new Forged("a typed array");
        return this.bytes(to, v, 2);
      case "m":
        if (v.length % 2 === 0) throw new Forged("a key without value");
        to.clear();
        for (let k = 1; k < v.length; k += 2) to.set(this.decode(v[k]), this.decode(v[k + 1]));
        return;
    }
    if (kind === "c") {
      if (getPrototypeOf(to) !== this.prototypeOf(v[1])) throw new Forged("an object of another class");
      v = v.toSpliced(1, 1);
    }
    if (kind === "x") v = v.toSpliced(1, 1);
    const open = Object.isExtensible(to), before = held(to), keys = Object.keys(to);
    for (const key of open ? [...keys, ...symbolsOf(to)] : keys.filter((key) => v.indexOf(key, 1) % 2 !== 1)) delete to[key];
    this.properties(to, v, 1, undefined, before);
  }

  // prototypeOf returns that of a class of records.
  prototypeOf(name) {
    const found = recordNamed(name);
    if (found === undefined) throw new Forged("an object of a class that there is not");
    return found[0];
  }

  bytes(to, v, from) {
    if (v.length - from !== to.length) throw new Forged("a typed array of another length");
    this.plain(v, from).forEach((x, k) => {
      if (typeof to[k] === "bigint" && (typeof x !== "string" || x.length > 30 || !/^-?[0-9]+$/.test(x))) throw new Forged("an item");
      to[k] = typeof to[k] === "bigint" ? BigInt(x) : x;
    });
  }

  error(to, [, , told, name, unlisted, , ...members]) {
    const message = Array.isArray(told) && told.length === 1 ? told[0] : told;
    if (typeof message !== "string" || typeof name !== "string" || !Number.isInteger(unlisted) || unlisted < 0) throw new Forged("an exception");
    const before = held(to);
    for (const key of [...Object.keys(to), ...hidden]) delete to[key];
    const define = (key, value) => defineProperty(to, key, { value, writable: true, enumerable: false, configurable: true });
    if (message !== told) defineProperty(to, "message", guessed(message, () => this.unsure("V8's words for \"" + message.slice(0, 60) + "\"")));
    else if (to.message !== message) define("message", message);
    if (to.name !== name) define("name", name);
    define("stack", name + ": " + message + "\n    at the candidate");
    this.properties(to, members, 0, (key) => key !== "stack" && key !== "__proto__", before);
    for (let k = 0; k < unlisted; k++) if (hidden.includes(members[2 * k])) define(members[2 * k], to[members[2 * k]]);
  }

  // properties adds those that v says, if each is allowed. before: what held() has found in it, which is no other.
  properties(to, v, from, allowed = () => true, before = undefined) {
    if ((v.length - from) % 2 !== 0) throw new Forged("a key without value");
    for (let k = from; k < v.length; k += 2) {
      const key = typeof v[k] === "string" ? v[k] : this.decode(v[k]), x = this.decode(v[k + 1]);
      if (!["string", "symbol"].includes(typeof key)) throw new Forged("a key");
      if (!allowed(key, x)) throw new Forged("a property");
      if (key === "should" && !this.trusts && Object.hasOwn(Object.prototype, key)) this.converts(key); // it would stand for assertions of the tests
      const known = this.trusts || before?.has(key) && before.get(key) === x;
      if (!known && isWellKnown(key)) this.converts(key);
      const value = typeof x === "function" && !known ? this.member(key, x, to) : x;
      if (Object.isExtensible(to)) defineProperty(to, key, { value, writable: true, enumerable: true, configurable: true });
      else if (Object.hasOwn(to, key)) to[key] = value;
    }
  }

  // converts refuses a property under a symbol of JavaScript's own: the judge would ask it.
  converts(key) { throw new Forged("a property under " + (key.description ?? key)); }

  // unsure notes that a message is read that Node may word in another way.
  unsure() {}

  // member returns the function that an object, of, gets under a key.
  member(key, x) { return asked.has(key) ? unasked : x; }

  // plain returns the numbers of a message behind the first items.
  plain(v, from) {
    const list = v.slice(from).map((x) => Array.isArray(x) ? this.decode(x) : x);
    if (!list.every((x) => typeof x === "number" || typeof x === "string") || (this.nodes += list.length) > MAX_NODES) throw new Forged("items");
    return list;
  }

  // refill puts new contents into shared values: a list of numbers and contents.
  refill(changes) {
    if (!Array.isArray(changes)) throw new Forged("contents of nothing");
    for (let k = 0; k < changes.length; k += 2) {
      const v = changes[k + 1], to = Number.isInteger(changes[k]) ? this.shared.valueOf(changes[k]) : undefined;
      if (to === undefined || !Array.isArray(v) || typeof v[0] !== "string") throw new Forged("contents of nothing");
      const kind = kindOf(to), level = v[0].slice(1);
      if (v[0][0] !== kind || !["", "-", "+", "!"].includes(level)) throw new Forged("contents of another kind");
      if ("msdrawqtv".includes(kind) || !Object.isFrozen(to)) this.fill(to, kind, v);
      levels[1 + "-+!".indexOf(level || " ")](to);
      this.shared.seen(changes[k], to);
    }
  }
}

// measure throws Forged if a value has too many values, counted as often as they occur: to compare it would take as long.
export function measure(v, fieldsOf, sizes = new Map()) {
  if (v === null || typeof v !== "object") return 1;
  const fields = fieldsOf(v);
  const known = sizes.get(v);
  if (known !== undefined) return known;
  const kind = fields === undefined ? kindOf(v) : "o";
  if (fields === null || kind === undefined || "tav".includes(kind)) return 1;
  sizes.set(v, 1);
  let size = 1;
  const items = v instanceof Map ? [...v.keys(), ...v.values()] : v instanceof Set ? [...v] : [...Object.values(fields ?? v), ...symbolsOf(fields ?? v).map((key) => (fields ?? v)[key]), ...kind === "e" ? hidden.map((key) => Object.hasOwn(v, key) ? v[key] : undefined) : []];
  for (const x of items) if ((size += measure(x, fieldsOf, sizes)) > MAX_NODES) throw new Forged("more than " + MAX_NODES + " values");
  sizes.set(v, size);
  return size;
}

// parse reads a message; Forged if it is not an array, too long, or nests so deep that reading it is a danger.
export function parse(text) {
  if (text.length > MAX_MESSAGE) throw new Forged("a message of " + text.length + " characters");
  if (text.split("[", 2 * MAX_DEPTH).length >= 2 * MAX_DEPTH || text.includes("{")) {
    let depth = 0, inText = false;
    for (let k = 0; k < text.length; k++) {
      const c = text.charCodeAt(k);
      if (inText) { if (c === 92) k++; else if (c === 34) inText = false; }
      else if (c === 34) inText = true;
      else if (c === 91 || c === 123) { if (++depth > 4 * MAX_DEPTH) throw new Forged("more than " + MAX_DEPTH + " nested values"); }
      else if (c === 93 || c === 125) depth--;
    }
  }
  let v;
  try { v = JSON.parse(text); } catch { throw new Forged("not JSON"); }
  if (!Array.isArray(v)) throw new Forged("not an array");
  return v;
}
