// What programs use of Node's crypto: hashes, HMAC, and random values, which are the same in every run.
import { mean } from "./faults.js";

const { random } = Math, { ceil, floor, abs, sin } = Math; // not those that tests or a candidate put in their place
const failure = (kind, message, code) => mean(Object.assign(new kind(message), { code }));

// root returns the first 64 bits behind the point of a root of a number, as hashes have their constants.
function root(n, of) {
  let low = 0n, high = 1n << 72n;
  while (low < high) {
    const mid = low + high + 1n >> 1n;
    if (mid ** BigInt(of) <= BigInt(n) << BigInt(64 * of)) low = mid; else high = mid - 1n;
  }
  return BigInt.asUintN(64, low);
}
let constants; // [of 80 primes, of the first 16]
function made() {
  if (constants !== undefined) return constants;
  const primes = [];
  for (let n = 2; primes.length < 80; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return constants = { cubes: primes.map((p) => root(p, 3)), squares: primes.slice(0, 16).map((p) => root(p, 2)) };
}

// padded returns a message with what a hash puts behind it.
function padded(bytes, block, count, little) {
  const out = new Uint8Array(ceil((bytes.length + 1 + count) / block) * block), view = new DataView(out.buffer);
  out.set(bytes);
  out[bytes.length] = 0x80;
  view.setBigUint64(out.length - 8, BigInt(bytes.length) * 8n, little);
  return view;
}

const left = (x, n) => x << n | x >>> 32 - n, right = (x, n) => x >>> n | x << 32 - n;

function md5(bytes) {
  const view = padded(bytes, 64, 8, true), h = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  const turns = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a, b, c, d] = h;
    for (let k = 0; k < 64; k++) {
      const turn = k >> 4, f = [() => b & c | ~b & d, () => d & b | ~d & c, () => b ^ c ^ d, () => c ^ (b | ~d)][turn](), n = [k, 5 * k + 1, 3 * k + 5, 7 * k][turn] & 15;
      const sum = a + f + floor(abs(sin(k + 1)) * 2 ** 32) + view.getUint32(at + 4 * n, true) | 0;
      [a, d, c, b] = [d, c, b, b + left(sum, turns[turn][k & 3]) | 0];
    }
    [a, b, c, d].forEach((x, k) => { h[k] = h[k] + x | 0; });
  }
  const out = new DataView(new ArrayBuffer(16));
  h.forEach((x, k) => out.setInt32(4 * k, x, true));
  return out;
}

function sha1(bytes) {
  const view = padded(bytes, 64, 8, false), h = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0], w = new Int32Array(80);
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a, b, c, d, e] = h;
    for (let k = 0; k < 80; k++) {
      w[k] = k < 16 ? view.getInt32(at + 4 * k) : left(w[k - 3] ^ w[k - 8] ^ w[k - 14] ^ w[k - 16], 1);
      const [f, n] = k < 20 ? [b & c | ~b & d, 0x5a827999] : k < 40 ? [b ^ c ^ d, 0x6ed9eba1] : k < 60 ? [b & c | b & d | c & d, 0x8f1bbcdc] : [b ^ c ^ d, 0xca62c1d6];
      [e, d, c, b, a] = [d, c, left(b, 30), a, left(a, 5) + f + e + n + w[k] | 0];
    }
    [a, b, c, d, e].forEach((x, k) => { h[k] = h[k] + x | 0; });
  }
  return written(h, 5);
}

const written = (h, n) => {
  const out = new DataView(new ArrayBuffer(4 * n));
  for (let k = 0; k < n; k++) out.setInt32(4 * k, h[k]);
  return out;
};

// sha256 is SHA-256, and SHA-224, which begins otherwise and is shorter.
const sha256 = (begins, n) => (bytes) => {
  const { cubes, squares } = made(), view = padded(bytes, 64, 8, false), h = begins(squares), w = new Int32Array(64), of = cubes.map((x) => Number(x >> 32n));
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a, b, c, d, e, f, g, i] = h;
    for (let k = 0; k < 64; k++) {
      if (k < 16) w[k] = view.getInt32(at + 4 * k);
      else {
        const x = w[k - 15], y = w[k - 2];
        w[k] = w[k - 16] + (right(x, 7) ^ right(x, 18) ^ x >>> 3) + w[k - 7] + (right(y, 17) ^ right(y, 19) ^ y >>> 10);
      }
      const t = i + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + (e & f ^ ~e & g) + of[k] + w[k] | 0, u = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      i = g; g = f; f = e; e = d + t | 0; d = c; c = b; b = a; a = t + u | 0;
    }
    [a, b, c, d, e, f, g, i].forEach((x, k) => { h[k] = h[k] + x | 0; });
  }
  return written(h, n);
};

// sha512 is SHA-512, and SHA-384.
const sha512 = (begins, n) => (bytes) => {
  const { cubes, squares } = made(), view = padded(bytes, 128, 16, false), h = begins(squares), w = new BigUint64Array(80);
  const cut = (x) => BigInt.asUintN(64, x), turn = (x, n) => x >> n | cut(x << 64n - n);
  for (let at = 0; at < view.byteLength; at += 128) {
    let [a, b, c, d, e, f, g, i] = h;
    for (let k = 0; k < 80; k++) {
      if (k < 16) w[k] = view.getBigUint64(at + 8 * k);
      else {
        const x = w[k - 15], y = w[k - 2];
        w[k] = w[k - 16] + (turn(x, 1n) ^ turn(x, 8n) ^ x >> 7n) + w[k - 7] + (turn(y, 19n) ^ turn(y, 61n) ^ y >> 6n);
      }
      const t = i + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + (e & f ^ cut(~e) & g) + cubes[k] + w[k], u = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + (a & b ^ a & c ^ b & c);
      i = g; g = f; f = e; e = cut(d + t); d = c; c = b; b = a; a = cut(t + u);
    }
    [a, b, c, d, e, f, g, i].forEach((x, k) => { h[k] = cut(h[k] + x); });
  }
  const out = new DataView(new ArrayBuffer(64));
  h.forEach((x, k) => out.setBigUint64(8 * k, x));
  return new DataView(out.buffer.slice(0, n));
};

const high = (x) => Number(x >> 32n) | 0, low = (x) => Number(x & 0xffffffffn) | 0;
const hashes = {
  __proto__: null, md5: [md5, 64], sha1: [sha1, 64],
  sha256: [sha256((s) => s.slice(0, 8).map(high), 8), 64], sha224: [sha256((s) => s.slice(8).map(low), 7), 64],
  sha512: [sha512((s) => s.slice(0, 8), 64), 128], sha384: [sha512((s) => s.slice(8), 48), 128],
};

// ciphers returns what Node's module crypto has, and the global crypto. lacking makes the error of what is not here.
export function ciphers({ Buffer, lacking, partly }) {
  const named = (name) => {
    if (typeof name !== "string") throw failure(TypeError, 'The "algorithm" argument must be of type string.', "ERR_INVALID_ARG_TYPE");
    const found = hashes[name.toLowerCase().replace(/^sha-(?=\d)/, "sha").replace(/^rsa-/, "")];
    if (found === undefined) throw lacking("crypto with the hash " + name);
    return found;
  };
  const bytesOf = (v, coding, what = "data") => {
    if (typeof v === "string") return Buffer.from(v, coding);
    if (ArrayBuffer.isView(v)) return new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
    if (v instanceof ArrayBuffer) return new Uint8Array(v);
    throw failure(TypeError, 'The "' + what + '" argument must be of type string or an instance of Buffer, TypedArray, or DataView.', "ERR_INVALID_ARG_TYPE");
  };
  const digested = ([hash], bytes) => { const view = hash(bytes); return Buffer.from(view.buffer, 0, view.byteLength); };

  class Hash {
    #hash; #bytes = []; #key; #ended = false;
    constructor(hash, key) { [this.#hash, this.#key] = [hash, key]; }
    update(v, coding) {
      if (this.#ended) throw failure(Error, "Digest already called", "ERR_CRYPTO_HASH_FINALIZED");
      this.#bytes.push(Uint8Array.from(bytesOf(v, coding)));
      return this;
    }
    copy() {
      const made = new Hash(this.#hash, this.#key);
      made.#bytes = [...this.#bytes];
      return made;
    }
    digest(coding) {
      if (this.#ended) throw failure(Error, "Digest already called", "ERR_CRYPTO_HASH_FINALIZED");
      this.#ended = true;
      const key = this.#key, all = Buffer.concat(key === undefined ? this.#bytes : [key.map((b) => b ^ 0x36), ...this.#bytes]), inner = digested(this.#hash, all);
      const out = key === undefined ? inner : digested(this.#hash, Buffer.concat([key.map((b) => b ^ 0x5c), inner]));
      return coding === undefined || coding === "buffer" ? out : out.toString(coding);
    }
  }
  const createHmac = (name, key) => {
    const hash = named(name), bytes = bytesOf(key, "utf8", "key"), block = new Uint8Array(hash[1]);
    block.set(bytes.length > hash[1] ? digested(hash, bytes) : bytes);
    return new Hash(hash, block);
  };
  const byte = () => floor(random() * 256);
  const randomBytes = (n, f) => {
    if (typeof n !== "number" || !(n >= 0) || n > 1 << 20) throw failure(typeof n === "number" ? RangeError : TypeError, 'The "size" argument is out of range.', typeof n === "number" ? "ERR_OUT_OF_RANGE" : "ERR_INVALID_ARG_TYPE");
    const made = Buffer.from(Array.from({ length: n }, byte));
    return typeof f === "function" ? queueMicrotask(() => f(null, made)) : made;
  };
  const getRandomValues = (v) => {
    if (!ArrayBuffer.isView(v) || v instanceof Float32Array || v instanceof Float64Array || v instanceof DataView) throw mean(new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError"));
    if (v.byteLength > 65536) throw mean(new DOMException("The requested length exceeds 65,536 bytes", "QuotaExceededError"));
    new Uint8Array(v.buffer, v.byteOffset, v.byteLength).forEach((_, k, bytes) => { bytes[k] = byte(); });
    return v;
  };
  const randomUUID = () => {
    const b = randomBytes(16);
    [b[6], b[8]] = [b[6] & 15 | 64, b[8] & 63 | 128];
    return b.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  const randomInt = (from, to, f) => {
    if (to === undefined || typeof to === "function") [from, to, f] = [0, from, to];
    for (const [name, v] of [["min", from], ["max", to]]) if (!Number.isSafeInteger(v)) throw failure(TypeError, 'The "' + name + '" argument must be a safe integer.', "ERR_INVALID_ARG_TYPE");
    if (!(to > from)) throw failure(RangeError, 'The value of "max" is out of range. It must be greater than the value of "min" (' + from + "). Received " + to, "ERR_OUT_OF_RANGE");
    const n = from + floor(random() * (to - from));
    return typeof f === "function" ? queueMicrotask(() => f(null, n)) : n;
  };
  const timingSafeEqual = (a, b) => {
    const [x, y] = [a, b].map((v, k) => { if (typeof v === "string") throw failure(TypeError, 'The "buf' + (k + 1) + '" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.', "ERR_INVALID_ARG_TYPE"); return bytesOf(v, undefined, "buf" + (k + 1)); });
    if (x.length !== y.length) throw failure(RangeError, "Input buffers must have the same byte length", "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH");
    return x.every((v, k) => v === y[k]);
  };
  const subtle = partly("crypto.subtle", { digest: async (name, v) => { const view = named(name?.name ?? name)[0](bytesOf(v)); return view.buffer.slice(0, view.byteLength); } });
  const webcrypto = partly("crypto", { getRandomValues, randomUUID, subtle });
  return {
    global: webcrypto,
    module: partly("crypto", {
      createHash: (name) => new Hash(named(name)), createHmac, randomBytes, randomInt, randomUUID, getRandomValues, timingSafeEqual, webcrypto, subtle,
      randomFillSync: getRandomValues, getHashes: () => Object.keys(hashes)
    }),
  };
}
