// Values as they cross between judge and candidate: JSON in which everything but plain text,
// numbers, true, false and null is an array that begins with a tag. A Decoder builds exact
// built-in values, and nothing else: whoever wrote the message, no code of theirs runs.

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
const typed = { __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array };
export const errors = { __proto__: null, Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError };

// Functions under these names run when a value is compared, converted or awaited: the candidate's do not.
const asked = new Set(["valueOf", "toString", "toJSON", "then"]);
const unasked = () => { throw new TypeError("an object of the candidate takes part in no arithmetic and is no text"); };

// kindOf returns the tag of a container, whose contents a call may change, or undefined.
export function kindOf(v) {
  if (Array.isArray(v)) return "l";
  if (v instanceof Map) return "m";
  if (v instanceof Set) return "s";
  if (ArrayBuffer.isView(v) && !(v instanceof DataView)) return "t";
  const proto = Object.getPrototypeOf(v);
  return proto === null ? "p" : proto === Object.prototype ? "o" : undefined;
}

// isName reports whether a key of an array names a property beside its items.
const isName = (key) => key !== undefined && !/^(0|[1-9][0-9]*)$/.test(key);

// An Encoder writes one message. other(v) writes what has no form of its own.
export class Encoder {
  nodes = 0;
  depth = 0;
  open = new Set();
  numbers = new Map(); // containers that the other side knows, or will know, by number
  stays = undefined;   // reports whether a plain object has no form of its own

  constructor(other, numbering = false) {
    this.other = other;
    this.numbering = numbering;
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
        if (name === undefined) throw new CannotCross("a symbol");
        return ["y", name];
      }
      case "function": return this.other(v, this);
    }
    if (v === null) return null;
    const n = this.numbers.get(v);
    if (n !== undefined) return ["@", n];
    if (v instanceof Date) return ["d", Number.isNaN(v.getTime()) ? null : v.getTime()];
    if (v instanceof RegExp) {
      if (v.source.length > MAX_REGEXP) throw new CannotCross("a regular expression of " + v.source.length + " characters");
      return ["r", v.source, v.flags];
    }
    if (v instanceof Error) return this.error(v);
    if (v instanceof ArrayBuffer) return ["a", ...this.bytes(new Uint8Array(v))];
    const kind = kindOf(v);
    if (kind === undefined || (kind === "o" || kind === "p") && ((v[Symbol.iterator] ?? v[Symbol.asyncIterator]) !== undefined || this.stays?.(v))) return this.other(v, this);
    if (this.numbering) this.numbers.set(v, this.numbers.size);
    else if (this.open.has(v)) throw new CannotCross("a value that contains itself");
    if (++this.depth > MAX_DEPTH) throw new CannotCross("more than " + MAX_DEPTH + " nested values");
    this.open.add(v);
    const out = this.contents(v, kind);
    this.open.delete(v);
    this.depth--;
    return out;
  }

  // contents writes a container, whether or not it has a number.
  contents(v, kind = kindOf(v)) {
    const out = [kind];
    switch (kind) {
      case "l":
        if (v.length > MAX_NODES) throw new CannotCross("an array of " + v.length + " items");
        for (let k = 0; k < v.length; k++) out.push(k in v ? this.encode(v[k]) : ["h"]);
        if (isName(Object.keys(v).at(-1))) out.push(this.names(v)); // names come after the items
        return out;
      case "m":
        for (const [key, x] of v) out.push(this.encode(key), this.encode(x));
        return out;
      case "s":
        for (const x of v) out.push(this.encode(x));
        return out;
      case "t": {
        const name = Object.keys(typed).find((name) => v instanceof typed[name]);
        if (name === undefined) throw new CannotCross("a typed array of another kind");
        return ["t", name, ...this.bytes(v)];
      }
    }
    for (const key of Object.keys(v)) out.push(key, this.encode(v[key]));
    return out;
  }

  // names writes the properties of an array beside its items, such as index of a match. A function among
  // them would take the place of a method of arrays.
  names(v) {
    const out = ["k"];
    for (const key of Object.keys(v).filter(isName)) {
      if (typeof v[key] === "function") throw new CannotCross("an array with a function as its property " + key);
      out.push(key, this.encode(v[key]));
    }
    return out;
  }

  bytes(v) {
    if ((this.nodes += v.length) > MAX_NODES) throw new CannotCross("more than " + MAX_NODES + " values");
    return Array.from(v, (x) => typeof x === "bigint" ? String(x) : this.encode(x));
  }

  // error writes an exception: its classes down to a built-in one, its message and its properties.
  error(e) {
    const classes = [];
    let proto = Object.getPrototypeOf(e);
    for (; proto !== null && classes.length < 8; proto = Object.getPrototypeOf(proto)) {
      const name = Object.keys(errors).find((name) => errors[name].prototype === proto);
      if (name !== undefined) { classes.push(name); break; }
      classes.push(this.other(proto.constructor, this));
    }
    if (proto === null) classes.push("Error");
    const out = ["e", classes, String(e.message), typeof e.name === "string" ? e.name : "Error"];
    for (const key of Object.keys(e).slice(0, 20)) {
      if (key === "stack" || key === "message") continue;
      try { out.push(key, this.encode(e[key])); } catch (x) { if (!(x instanceof CannotCross)) throw x; }
    }
    return out;
  }
}

// A Decoder reads the values of one message. other(v, decoder) reads an array with a tag that is not
// read here, or throws Forged. The first containers that it numbers are those given.
export class Decoder {
  nodes = 0;
  depth = 0;

  constructor(other, numbered = [], numbering = false) {
    this.other = other;
    this.numbered = numbered;
    this.numbering = numbering;
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
        if (!wellKnown.includes(v[1])) throw new Forged("a symbol");
        return Symbol[v[1]];
      case "d":
        if (v[1] !== null && typeof v[1] !== "number") throw new Forged("a date");
        return new Date(v[1] ?? NaN);
      case "r":
        if (typeof v[1] !== "string" || typeof v[2] !== "string" || v[1].length > MAX_REGEXP) throw new Forged("a regular expression");
        try { return new RegExp(v[1], v[2]); } catch { throw new Forged("a regular expression"); }
      case "a": return Uint8Array.from(this.plain(v, 1)).buffer;
      case "@":
        if (!Number.isInteger(v[1]) || v[1] < 0 || v[1] >= this.numbered.length) throw new Forged("a reference to nothing");
        return this.numbered[v[1]];
      case "l": case "o": case "p": case "m": case "s": case "t": {
        if (++this.depth > MAX_DEPTH) throw new Forged("more than " + MAX_DEPTH + " nested values");
        const to = this.empty(v);
        if (this.numbering) this.numbered.push(to);
        this.fill(to, v);
        this.depth--;
        return to;
      }
    }
    return this.other(v, this);
  }

  empty(v) {
    switch (v[0]) {
      case "l": return [];
      case "o": return {};
      case "p": return Object.create(null);
      case "m": return new Map();
      case "s": return new Set();
    }
    const kind = typeof v[1] === "string" ? typed[v[1]] : undefined;
    if (kind === undefined) throw new Forged("a typed array");
    return new kind(v.length - 2);
  }

  // fill puts the contents that v says in place of those of a container.
  fill(to, v) {
    switch (v[0]) {
      case "l": {
        const last = v[v.length - 1], named = Array.isArray(last) && last[0] === "k";
        to.length = 0;
        for (const key of Object.keys(to)) delete to[key];
        for (let k = 1; k < v.length - (named ? 1 : 0); k++) if (Array.isArray(v[k]) && v[k][0] === "h") to.length = k; else to[k - 1] = this.decode(v[k]);
        if (named) this.properties(to, last, (key, x) => isName(key) && key !== "length" && typeof x !== "function");
        return;
      }
      case "s":
        to.clear();
        for (let k = 1; k < v.length; k++) to.add(this.decode(v[k]));
        return;
      case "t":
        this.plain(v, 2).forEach((x, k) => {
          if (typeof to[k] === "bigint" && (typeof x !== "string" || x.length > 30 || !/^-?[0-9]+$/.test(x))) throw new Forged("an item");
          if (k < to.length) to[k] = typeof to[k] === "bigint" ? BigInt(x) : x;
        });
        return;
    }
    if (v[0] === "m") {
      if (v.length % 2 === 0) throw new Forged("a key without value");
      to.clear();
      for (let k = 1; k < v.length; k += 2) to.set(this.decode(v[k]), this.decode(v[k + 1]));
      return;
    }
    for (const key of Object.keys(to)) delete to[key];
    this.properties(to, v);
  }

  // properties adds those that v says, if each is allowed.
  properties(to, v, allowed = () => true) {
    if (v.length % 2 === 0) throw new Forged("a key without value");
    for (let k = 1; k < v.length; k += 2) {
      if (typeof v[k] !== "string") throw new Forged("a key");
      const x = this.decode(v[k + 1]);
      if (!allowed(v[k], x)) throw new Forged("a property");
      Object.defineProperty(to, v[k], { value: this.member(v[k], x), writable: true, enumerable: true, configurable: true });
    }
  }

  // member returns what an object has under a key.
  member(key, x) { return typeof x === "function" && asked.has(key) ? unasked : x; }

  // plain returns the numbers of a message behind the first items.
  plain(v, from) {
    const list = v.slice(from).map((x) => Array.isArray(x) ? this.decode(x) : x);
    if (!list.every((x) => typeof x === "number" || typeof x === "string") || (this.nodes += list.length) > MAX_NODES) throw new Forged("items");
    return list;
  }

  // refill puts new contents in place of those of the first numbered containers.
  refill(changes) {
    if (!Array.isArray(changes) || changes.length !== this.numbered.length) throw new Forged("contents of nothing");
    changes.forEach((v, k) => {
      const to = this.numbered[k], kind = kindOf(to);
      if (!Array.isArray(v) || v[0] !== kind || kind === "t" && v.length - 2 !== to.length) throw new Forged("contents of another kind");
      this.fill(to, v);
    });
  }
}

// measure throws Forged if a value contains itself, or has too many values counted as often as they occur.
export function measure(v, sizes = new Map()) {
  if (v === null || typeof v !== "object" || kindOf(v) === undefined || kindOf(v) === "t") return 1;
  const known = sizes.get(v);
  if (known === 0) throw new Forged("a value that contains itself");
  if (known !== undefined) return known;
  sizes.set(v, 0);
  let size = 1;
  const items = v instanceof Map ? [...v.keys(), ...v.values()] : v instanceof Set ? [...v] : Object.values(v);
  for (const x of items) if ((size += measure(x, sizes)) > MAX_NODES) throw new Forged("more than " + MAX_NODES + " values");
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
