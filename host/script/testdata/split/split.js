// Splits by regular expressions, and notes all that a script can see of it.
const seen = (v) => v === undefined ? "undefined" : typeof v === "symbol" ? "a symbol" : typeof v === "string" && !v.isWellFormed() ? { units: Array.from({ length: v.length }, (_, k) => v.charCodeAt(k)) }
  : Array.isArray(v) ? { list: v.map(seen), plain: Object.getPrototypeOf(v) === Array.prototype && Object.isExtensible(v) && Object.keys(v).length === v.length } : v;
const tried = (f, told) => { try { return seen(f()); } catch (e) { return e.name + ": " + told(e); } };

const failing = (f) => tried(f, () => ""), saying = (f) => tried(f, (e) => e.message);

// splits are those of all texts by all expressions with all limits.
export const splits = ({ expressions, texts, limits }) => expressions.map(([source, flags]) => failing(() => {
  const re = new RegExp(source, flags);
  return texts.map((t) => limits.map((limit) => {
    re.lastIndex = 1;
    return [failing(() => limit === null ? t.split(re) : t.split(re, limit)), re.lastIndex];
  }));
}));

const method = RegExp.prototype[Symbol.split], S = Symbol, proto = RegExp.prototype;
let log = "";
const logged = (...what) => { log += what.join(" ") + "; "; }, note = (name, v) => { log += name + "; "; return v; };
const noting = (name, of) => new Proxy(of, {
  get(t, k, self) { logged(name + "." + String(k)); const v = Reflect.get(t, k, self === t ? t : t); return typeof v === "function" && k !== "constructor" ? v.bind(t) : v; },
  set(t, k, v) { logged(name + "." + String(k) + " = " + String(v)); t[k] = v; return true; },
  getOwnPropertyDescriptor(t, k) { logged(name + " has " + String(k)); return Reflect.getOwnPropertyDescriptor(t, k); },
  getPrototypeOf(t) { logged(name + " prototype"); return Reflect.getPrototypeOf(t); },
  ownKeys(t) { logged(name + " keys"); return Reflect.ownKeys(t); },
  has(t, k) { logged(name + " has " + String(k)); return k in t; },
});
const define = (o, k, get) => Object.defineProperty(o, k, { get, configurable: true });
const where = "a1b22c";

// sights are what can be seen; each runs in a call of its own, which may leave
// anything behind.
const sights = [
  () => { const d = Object.getOwnPropertyDescriptor(proto, S.split); return [typeof d.value, d.writable, d.enumerable, d.configurable, d.value.name, d.value.length, String(d.value), Function.prototype.toString.call(d.value), Object.prototype.toString.call(d.value)]; },
  () => [Reflect.ownKeys(method).map(String), JSON.stringify(Object.getOwnPropertyDescriptors(method)), "prototype" in method, Object.isExtensible(method), Object.getPrototypeOf(method) === Function.prototype],
  () => new method(),
  () => Reflect.ownKeys(proto).map(String),
  () => [undefined, null, 1, "x", true, S.split, 1n].map((v) => saying(() => method.call(v, where))),
  () => [undefined, null, 1, {}, [], true, 1n, "", S.split].map((v) => saying(() => method.call(/[a-z]/, v))),
  () => method.call(/,/), () => method.call(/n/), () => method(), () => method.call(/d/, "undefined", undefined),
  () => [-1, 0, 1, 2, 2.9, -0.5, NaN, Infinity, 2 ** 32, 2 ** 32 + 1, "2", "x", null, true, [], 1n, S.split, { valueOf: () => 2 }].map((v) => saying(() => where.split(/\d/, v))),
  () => saying(() => method.call(proto, where)), () => where.split(proto), () => "".split(proto),
  () => method.call({}, where), () => method.call({ flags: "g" }, where), () => method.call({ flags: "zz", source: "b" }, where),
  () => method.call({ flags: "", source: "b", [S.match]: true }, where), () => method.call({ flags: "", source: "b", constructor: RegExp, [S.match]: true }, where),
  () => method.call(noting("it", /\d+/), where), () => method.call(noting("it", { flags: "", source: "\\d", [S.match]: true }), where),
  () => { class Sub extends RegExp { exec(s) { logged("exec " + this.lastIndex + this.flags); return super.exec(s); } } return where.split(new Sub("\\d+", "g")); },
  () => { class Sub extends RegExp { static get [S.species]() { return note("species", RegExp); } } return where.split(new Sub("\\d+")); },
  () => { class Sub extends RegExp { get flags() { return note("flags", "i"); } } return where.split(new Sub("B")); },
  () => { class Sub extends RegExp { constructor(a, b) { logged(String(a), b); super("[ab]", b); } } return where.split(new Sub("x")); },
  ...[null, 5, "x", undefined, {}, () => {}, Object, Array, noting("constructor", RegExp), noting("other", class extends RegExp {}), class { constructor(a, b) { logged(String(a), b); return { exec: (s) => note("exec", null) }; } }].flatMap((v) => [
    () => { const re = /\d/; re.constructor = v; return where.split(re); },
    () => { const re = /\d/; re.constructor = { [S.species]: v }; return where.split(re); },
    () => { const re = /\d/; define(re, "flags", () => note("flags", "")); define(re, "constructor", () => note("constructor", { [S.species]: v })); return method.call(re, { toString: () => note("string", where) }, { valueOf: () => note("limit", 3) }); },
  ]),
  () => { const re = /\d/; define(re, "flags", () => note("flags", "")); define(re, S.match, () => note("match", true)); define(re, "constructor", () => note("constructor", RegExp)); return method.call(re, { toString: () => note("string", where) }, { valueOf: () => note("limit", 3) }); },
  ...["", "g", "y", "gy", "zz", "gg", "u", "ig", undefined, null, 1, S.split, { toString: () => "i" }].map((f) => () => { const re = /B/; define(re, "flags", () => f); return where.split(re); }),
  ...[false, true, undefined, null, 0, S.match].map((v) => () => { const re = /\d/; re[S.match] = v; return where.split(re); }),
  () => { const re = /\d/; re.exec = () => { logged("own exec"); return null; }; return where.split(re); },
  () => { for (const k of ["global", "ignoreCase", "multiline", "dotAll", "unicode", "unicodeSets", "sticky", "hasIndices"]) define(proto, k, () => note(k, k === "ignoreCase")); return where.split(/B/); },
  () => { define(proto, "flags", () => note("flags", "i")); return where.split(/B/); },
  () => { define(RegExp, S.species, function () { return note("species", this); }); return where.split(/b/); },
  () => { define(proto, S.match, () => note("match", true)); return where.split(/b/); },
  () => { define(proto, "source", () => note("source", "c")); return where.split(/b/); },
  () => { define(proto, "lastIndex", () => note("lastIndex", 0)); return where.split(/b/); },
  () => { define(proto, "constructor", () => note("constructor", RegExp)); return where.split(/b/); },
  () => { delete proto.constructor; return where.split(/b/); }, () => { delete proto.flags; return where.split(/b/); },
  () => { delete proto.exec; return where.split(/b/); }, () => { delete proto.exec; Object.prototype.exec = () => note("exec", null); return where.split(/b/); },
  () => { define(proto, "exec", () => note("exec", undefined)); return where.split(/[ab]/); },
  () => { const exec = proto.exec; define(proto, "exec", () => note("exec", exec)); return where.split(/[ab]/); },
  () => { const exec = proto.exec; proto.exec = function (s) { logged(this.flags + this.lastIndex); return exec.call(this, s); }; return where.split(/\d+/); },
  ...[5, true, "x", undefined, {}, { length: 3, 1: "one", 2: { toString: () => "two" } }, { length: -1 }].map((v) => () => { let n = 0; proto.exec = function (s) { this.lastIndex += 1; return n++ > 3 ? null : v; }; return where.split(/\d+/); }),
  () => { proto.exec = null; return where.split(/\d+/); },
  () => where.split(/\d/, { valueOf() { proto.exec = () => note("late", null); return 9; } }),
  () => method.call(/\d/, { toString() { proto.exec = () => note("late", null); return where; } }),
  () => { const re = /\d/; define(re, "flags", () => { proto.exec = () => note("late", null); return ""; }); return where.split(re); },
  () => { const re = /\d/; define(re, S.match, () => { re.compile("[abc]"); return true; }); return where.split(re); },
  () => { const re = /\d/; define(re, "flags", () => { re.compile("[abc]"); return ""; }); return where.split(re); },
  () => { const re = Object.freeze(/\d/g); return [where.split(re), re.lastIndex]; },
  () => { const re = /\d/g; Object.defineProperty(re, "lastIndex", { value: 4, writable: false }); return where.split(re); },
  ...[Array.prototype, Object.prototype].flatMap((p) => [0, 1, 2, 60].flatMap((k) => [/[\d,]/, /\d+/, /\s+/, /(\d)/, /,/].map((re) => () => {
    Object.defineProperty(p, k, { set(v) { logged("set " + k); }, get() { return "got"; }, configurable: true });
    try { return [Object.getOwnPropertyDescriptors((where + " x").split(re))[1] ?? null].map((d) => JSON.stringify(d)); } finally { delete p[k]; }
  }))),
  () => { for (const k of ["get", "set", "value", "writable", "apply", "flags", "many", "run", "by", "set", "unicode"]) Object.prototype[k] = () => note(k); return [where.split(/\d/), "a b\nc".split(/\s+/), where.split(/[0-9]+/)]; },
  () => { Array.prototype[S.iterator] = () => { throw new Error("no"); }; Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null; return [where.split(/\d/), "a b\nc".split(/\s+/), "x(y".split(/[^a-z]/)]; },
  () => { for (const k of ["slice", "indexOf", "split", "replaceAll", "charCodeAt", "concat"]) if (k !== "split") String.prototype[k] = () => note(k, ""); return [where.split(/\d/), "a b\nc".split(/\s+/), "x(y".split(/[^a-z]/)]; },
  () => { Reflect.apply = Reflect.construct = Reflect.defineProperty = RegExp.prototype.test = RegExp.prototype[S.replace] = globalThis.RegExp = globalThis.Proxy = globalThis.Reflect = null; return [where.split(/\d/), "a b\nc".split(/\s+/), "x(y".split(/[^a-z]/)]; },
  () => { Object.setPrototypeOf(proto, null); return where.split(/\d/); },
  () => { proto[S.split] = () => "mine"; return where.split(/\d/); },
  () => { const list = where.split(/\d/); list.push(1); list.length = 1; list[7] = 2; return [list.length, Object.keys(list)]; },
  () => { for (let k = 0; k < 900; k++) where.split(new RegExp("[a" + k + "]+")); return [where.split(/[a1]+/), where.split(/[b899]/)]; },
  () => "a" + "b ".repeat(5000).split(/\s+/).length + "é\t ".repeat(3000).split(/\s/).length,
];

export const howMany = sights.length;
export function sight(k) {
  log = "";
  const v = saying(sights[k]);
  return [v, log];
}
export const score = ({ splits: given, sight: k }) => ({ score: 1, details: { saw: given ? splits(given) : k === -1 ? howMany : sight(k) } });
