// Buffer, as Node has it: what programs use of it. The rest is lacking.
import { mean } from "./faults.js";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", values = new Uint8Array(128).fill(64);
for (let k = 0; k < 64; k++) values[letters.charCodeAt(k)] = k;
[values[45], values[95]] = [62, 63]; // - and _

function base64(bytes) {
  let out = "";
  for (let k = 0; k < bytes.length; k += 3) {
    const n = bytes[k] << 16 | (bytes[k + 1] ?? 0) << 8 | (bytes[k + 2] ?? 0);
    out += letters[n >> 18] + letters[n >> 12 & 63] + (k + 1 < bytes.length ? letters[n >> 6 & 63] : "=") + (k + 2 < bytes.length ? letters[n & 63] : "=");
  }
  return out;
}

function fromBase64(text) {
  const out = [];
  let held = 0, bits = 0;
  for (const c of text) {
    const v = c === "=" ? -1 : values[c.charCodeAt()] ?? 64;
    if (v < 0) break;
    if (v === 64) continue;
    held = (held << 6 | v) & 0xffff;
    bits += 6;
    if (bits >= 8) out.push(held >> (bits -= 8) & 255);
  }
  return out;
}

const bytesOf = (text, mask) => Array.from({ length: text.length }, (_, k) => text.charCodeAt(k) & mask);
const typeError = (code, message) => mean(Object.assign(new TypeError(message), { code }));
const rangeError = (name, v, range) => mean(Object.assign(new RangeError('The value of "' + name + '" is out of range. ' + (range === undefined ? "" : "It must be " + range + ". ") + "Received " + (v > 2 ** 32 || v < -(2 ** 32) ? String(v).replace(/\B(?=(\d{3})+$)/g, "_") : v) + (typeof v === "bigint" ? "n" : "")), { code: "ERR_OUT_OF_RANGE" }));

// buffers makes the class. lacking makes the error of what is not here.
export function buffers({ TextEncoder, TextDecoder, lacking, inspect, wrongType }) {
  const codings = {
    __proto__: null,
    utf8: { write: (t) => new TextEncoder().encode(t), read: (b) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(b) },
    hex: { write: (t) => { const m = /^(?:[\da-f]{2})*/i.exec(t)[0]; return Array.from({ length: m.length / 2 }, (_, k) => parseInt(m.slice(2 * k, 2 * k + 2), 16)); }, read: (b) => Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("") },
    base64: { write: fromBase64, read: base64 },
    base64url: { write: fromBase64, read: (b) => base64(b).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_") },
    latin1: { write: (t) => bytesOf(t, 255), read: (b) => Array.from(b, (x) => String.fromCharCode(x)).join("") },
    ascii: { write: (t) => bytesOf(t, 255), read: (b) => Array.from(b, (x) => String.fromCharCode(x & 127)).join("") },
    utf16le: { write: (t) => bytesOf(t, 0xffff).flatMap((c) => [c & 255, c >> 8]), read: (b) => Array.from({ length: b.length >> 1 }, (_, k) => String.fromCharCode(b[2 * k] | b[2 * k + 1] << 8)).join("") },
  };
  const aliases = { __proto__: null, "utf-8": "utf8", binary: "latin1", ucs2: "utf16le", "ucs-2": "utf16le", "utf-16le": "utf16le" };
  const codingOf = (name = "utf8") => {
    const key = String(name).toLowerCase(), found = codings[aliases[key] ?? key];
    if (found === undefined) throw typeError("ERR_UNKNOWN_ENCODING", "Unknown encoding: " + name);
    return found;
  };
  const made = (bytes) => { const b = new Buffer(bytes.length); b.set(bytes); return b; };
  const bytesIn = (v, coding) => typeof v === "string" ? codingOf(coding || "utf8").write(v) : ArrayBuffer.isView(v) ? new Uint8Array(v.buffer, v.byteOffset, v.byteLength) : [Number(v) & 255];

  // bytesOnly refuses what is not a typed array of bytes, and offset what is not an offset.
  const bytesOnly = (name, v) => {
    if (!(v instanceof Uint8Array)) throw wrongType(name, "an instance of Buffer or Uint8Array", v);
    return v;
  };
  const offset = (name, v, most) => {
    if (typeof v !== "number") throw wrongType(name, "of type number", v);
    if (!Number.isInteger(v) || v < 0 || v > most) throw rangeError(name, v, ">= 0 and <= " + most);
    return v;
  };

  class Buffer extends Uint8Array {
    constructor(v, coding, ...rest) {
      if (typeof v === "string") super(bytesIn(v, coding)); else super(v, coding, ...rest);
    }
    static from(v, coding, length) {
      if (typeof v === "string" || v instanceof String) return made(bytesIn(String(v), coding));
      if (v instanceof ArrayBuffer) return new Buffer(v, coding, length);
      if (v?.type === "Buffer" && Array.isArray(v.data)) return made(v.data.map(Number));
      if (v !== null && typeof v === "object" && (Array.isArray(v) || ArrayBuffer.isView(v) || typeof v.length === "number")) return made(Array.from(v, (x) => Number(x)));
      if (v !== null && typeof v === "object" && typeof v.valueOf === "function" && typeof v.valueOf() === "string") return Buffer.from(v.valueOf(), coding);
      throw typeError("ERR_INVALID_ARG_TYPE", "The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received " + inspect(v));
    }
    static alloc(n, fill, coding) {
      if (typeof n !== "number") throw wrongType("size", "of type number", n);
      if (!(n >= 0 && n < 2 ** 31)) throw rangeError("size", n);
      const b = new Buffer(Math.floor(n));
      return fill === undefined || n === 0 ? b : b.fill(fill, coding);
    }
    static allocUnsafe(n) { return Buffer.alloc(n); }
    static allocUnsafeSlow(n) { return Buffer.alloc(n); }
    static isBuffer(v) { return v instanceof Buffer; }
    static isEncoding(name) { const key = String(name).toLowerCase(); return typeof name === "string" && (aliases[key] ?? key) in codings; }
    static byteLength(v, coding) {
      if (typeof v === "string") { // of some codings it is a guess
        const of = Buffer.isEncoding(coding) ? codingOf(coding) : codings.utf8;
        return of === codings.hex ? v.length >> 1 : of.write === fromBase64 ? v.replace(/={1,2}$/, "").length * 3 >> 2 : of.write(v).length;
      }
      if (ArrayBuffer.isView(v) || v instanceof ArrayBuffer) return v.byteLength;
      throw wrongType("string", "of type string or an instance of Buffer or ArrayBuffer", v);
    }
    static concat(list, length) {
      if (!Array.isArray(list)) throw wrongType("list", "an instance of Array", list);
      length = length !== undefined ? offset("length", length, Number.MAX_SAFE_INTEGER) : list.reduce((n, b, k) => n + bytesOnly("list[" + k + "]", b).length, 0);
      const out = new Buffer(length);
      let at = 0;
      for (const b of list) { out.set(bytesOnly("list", b).subarray(0, Math.max(0, length - at)), at); at += Math.min(b.length, length - at); }
      return out;
    }
    static compare(a, b) {
      [a, b] = [bytesOnly("buf1", a), bytesOnly("buf2", b)];
      for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k] < b[k] ? -1 : 1;
      return Math.sign(a.length - b.length);
    }
    toString(coding, start = 0, end = this.length) { const part = this.subarray(Math.max(0, start), Math.max(0, end)); return part.length === 0 ? "" : codingOf(coding).read(new Uint8Array(part)); }
    toLocaleString(...list) { return this.toString(...list); }
    toJSON() { return { type: "Buffer", data: Array.from(this) }; }
    equals(other) { return Buffer.compare(this, bytesOnly("otherBuffer", other)) === 0; }
    compare(other, ...range) { if (range.length > 0) throw lacking("Buffer.compare of parts"); return Buffer.compare(this, bytesOnly("target", other)); }
    slice(start, end) { return this.subarray(start, end); }
    write(text, ...more) {
      if (typeof text !== "string") throw wrongType("argument", "of type string", text);
      const coding = typeof more.at(-1) === "string" && more.pop() || "utf8", [at = 0, length = this.length - at] = more;
      offset("offset", at, this.length);
      offset("length", length, this.length);
      if (codingOf(coding) === codings.utf8 && new TextEncoder().encode(text).length > length) throw lacking("Buffer.write of a text that does not fit");
      const bytes = codingOf(coding).write(text).slice(0, Math.min(length, this.length - at));
      this.set(bytes, at);
      return bytes.length;
    }
    copy(to, at = 0, start = 0, end = this.length) {
      bytesOnly("target", to);
      [at, start] = [at, start].map((v) => Math.trunc(v) || 0);
      if (at < 0) throw rangeError("targetStart", at, ">= 0");
      if (start < 0 || start > this.length) throw rangeError("sourceStart", start, ">= 0 and <= " + this.length);
      if (at >= to.length) return 0;
      const part = this.subarray(start, Math.min(end, start + to.length - at));
      to.set(part, at);
      return part.length;
    }
    fill(v, ...more) {
      const coding = typeof more.at(-1) === "string" ? more.pop() : undefined, [start = 0, end = this.length] = more, bytes = bytesIn(v, coding);
      offset("offset", start, Number.MAX_SAFE_INTEGER);
      offset("end", end, this.length);
      if (bytes.length === 0 && v.length > 0) throw typeError("ERR_INVALID_ARG_VALUE", "The argument 'value' is invalid. Received " + inspect(v));
      for (let k = start; k < end; k++) this[k] = bytes.length === 0 ? 0 : bytes[(k - start) % bytes.length];
      return this;
    }
    indexOf(v, at = 0, coding = undefined) {
      if (typeof at === "string") [at, coding] = [0, at];
      if (!["string", "number"].includes(typeof v) && !(v instanceof Uint8Array)) throw wrongType("value", "one of type number or string or an instance of Buffer or Uint8Array", v);
      at = Math.trunc(at) || 0;
      const bytes = bytesIn(v, coding);
      if (at < 0) at = Math.max(0, this.length + at);
      if (bytes.length === 0) return Math.min(at, this.length);
      for (let k = at; k + bytes.length <= this.length; k++) if (bytes.every((x, n) => this[k + n] === x)) return k;
      return -1;
    }
    includes(...list) { return this.indexOf(...list) >= 0; }
  }
  for (const [name, size, method] of [["UInt8", 1, "Uint8"], ["Int8", 1, "Int8"], ...["16", "32"].flatMap((n) => [["UInt" + n, n / 8, "Uint" + n], ["Int" + n, n / 8, "Int" + n]]), ["Float", 4, "Float32"], ["Double", 8, "Float64"], ["BigInt64", 8, "BigInt64"], ["BigUInt64", 8, "BigUint64"]]) {
    for (const order of size === 1 ? [""] : ["BE", "LE"]) {
      const view = (b, at) => {
        if (typeof at !== "number") throw wrongType("offset", "of type number", at);
        if (Number.isInteger(at) && b.length < size) throw mean(Object.assign(new RangeError("Attempt to access memory outside buffer bounds"), { code: "ERR_BUFFER_OUT_OF_BOUNDS" }));
        offset("offset", at, b.length - size);
        return new DataView(b.buffer, b.byteOffset, b.byteLength);
      };
      const bits = BigInt(size * 8), signed = !name.includes("UInt"), least = signed ? -(2n ** (bits - 1n)) : 0n, most = 2n ** (signed ? bits - 1n : bits) - 1n;
      const both = {
        ["read" + name + order](at = 0) { return view(this, at)["get" + method](at, order === "LE"); },
        ["write" + name + order](v, at = 0) {
          if (name.includes("Int") && (v < least || v > most)) throw rangeError("value", v, size < 8 ? ">= " + least + " and <= " + most : signed ? ">= -(2n ** 63n) and < 2n ** 63n" : ">= 0n and < 2n ** 64n");
          view(this, at)["set" + method](at, v, order === "LE");
          return at + size;
        },
      };
      for (const [key, value] of Object.entries(both)) for (const as of [key, key.replace("UInt", "Uint")]) Object.defineProperty(Buffer.prototype, as, { value, writable: true, configurable: true });
    }
  }
  for (const name of [...["ascii", "base64", "base64url", "hex", "latin1", "ucs2", "utf8"].flatMap((name) => [name + "Slice", name + "Write"]), "inspect", "lastIndexOf", "parent", "offset", "readUintBE", "readUintLE", "writeUintBE", "writeUintLE", "readIntBE", "readIntLE", "readUIntBE", "readUIntLE", "writeIntBE", "writeIntLE", "writeUIntBE", "writeUIntLE", "swap16", "swap32", "swap64"]) {
    Object.defineProperty(Buffer.prototype, name, { configurable: true, get() { throw lacking("Buffer." + name); } });
  }
  for (const name of ["poolSize", "copyBytesFrom", "of"]) Object.defineProperty(Buffer, name, { configurable: true, get() { throw lacking("Buffer." + name); } });
  // Old programs call it as a function.
  function Callable(...list) { return Reflect.construct(Buffer, list, new.target ?? Callable); }
  Object.defineProperties(Object.setPrototypeOf(Callable, Buffer), { name: { value: "Buffer" }, prototype: { value: Buffer.prototype } });
  Object.defineProperty(Buffer.prototype, "constructor", { value: Callable });
  return Callable;
}
