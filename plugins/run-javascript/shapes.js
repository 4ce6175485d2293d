// What values, functions and classes of the candidate are like.
import { CannotCross, errors, isDerived, isWellKnown, kindOf } from "./wire.js";

export const { WeakMap } = globalThis;
export const MAX_PRINTED = 4 << 20; // characters that are kept
export const MAX_PART = 160 << 10;  // of these, characters of one answer: JSON has up to six bytes for each
export const names = new Set(Object.getOwnPropertyNames(globalThis));
// What tests see of these, or replace, is their own: a function of theirs cannot use the candidate's instead.
export const apart = new Set(["globalThis", "global", "console", "process", "require", "module", "exports", "__import"]);

// proxies has what the candidate has made with Proxy: no value, whatever it looks like.
export const proxies = new WeakSet();

// defined has the arrays of which the program has defined properties.
export const defined = new WeakSet();

export const isObject = (v) => v !== null && typeof v === "object" || typeof v === "function";

export const [syncIterators, asyncIterators] = [[][Symbol.iterator](), (async function* () {}).prototype].map((of) => Object.getPrototypeOf(Object.getPrototypeOf(of)));

export const marking = new WeakSet(); // functions in place of those of JavaScript

// usesThis reports whether a function seems to use this: an object of the tests is passed to no other.
export const usesThis = (f) => { const text = Function.prototype.toString.call(f); return builtin.has(f) || text.includes("this") && !text.startsWith("class") && /\bthis\b/.test(text); };

// converting has the names of functions by which an object is converted, compared or awaited.
const converting = new Set(["valueOf", "toString", "toJSON", "then"]);

// isObjectOfItsOwn reports whether a plain object has methods that use it or convert it, or members that it computes, or is a Proxy: it is not a value.
export function isObjectOfItsOwn(v) {
  if (proxies.has(v)) return true;
  const kind = kindOf(v);
  if (kind !== undefined && isPrototype(v)) return true;
  if (kind === "b") return !boxes.has(Object.getPrototypeOf(v)) || Reflect.ownKeys(v).some((key) => key !== "length" && !(v instanceof String && /^\d+$/.test(String(key))));
  if (kind !== undefined && "lmsdr".includes(kind) && !defined.has(v)) return isDerived(v);
  if (kind !== "o" && kind !== "p" && kind !== "l") return false;
  const keys = Object.getOwnPropertyNames(v), open = Object.isExtensible(v);
  const unlike = (p) => p.get !== undefined || p.set !== undefined || !p.enumerable || open && !p.writable;
  if (kind === "l") {
    if (isDerived(v)) return true;
    if ([...keys, ...Object.getOwnPropertySymbols(v)].some((key) => { const p = Object.getOwnPropertyDescriptor(v, key); return key === "length" ? open && !p.writable : unlike(p) && (key !== "raw" || p.value === undefined); })) throw new CannotCross("an array with a property that is computed, hidden or read-only");
    return false;
  }
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
export const membersOf = (proto) => [proto, proto.constructor].flatMap((of) => Reflect.ownKeys(of).flatMap((key) => [key, ...Object.values(Object.getOwnPropertyDescriptor(of, key))]));

// isPrototype reports whether an object is that of a class.
export const isPrototype = (v) => Object.hasOwn(v, "constructor") && typeof v.constructor === "function" && v.constructor.prototype === v;

// standard has the classes of JavaScript and their prototypes, by which tests ask what something is.
export const standard = new Map();
for (const name of names) {
  const of = Object.getOwnPropertyDescriptor(globalThis, name)?.value;
  if (typeof of === "function" && /^[A-Z]/.test(name)) standard.set(of, name).set(of.prototype, name + ".prototype");
}
for (const [name, f] of Object.entries({ AsyncFunction: async () => {}, GeneratorFunction: function* () {}, AsyncGeneratorFunction: async function* () {} })) standard.set(f.constructor, name);
standard.delete(undefined);

// builtin has the methods of built-in classes, which a candidate may export.
const builtin = new Set([Object, Array, String, Number, Map, Set, Date, RegExp].flatMap((of) => Object.getOwnPropertyNames(of.prototype).map((name) => Object.getOwnPropertyDescriptor(of.prototype, name).value).filter((f) => typeof f === "function" && !standard.has(f))));

// flagsOf writes what a property is like: 7, if it is as any other.
export const flagsOf = (d) => (d.enumerable ? 1 : 0) + (d.writable ? 2 : 0) + (d.configurable ? 4 : 0) + (d.get ? 8 : 0) + (d.set ? 16 : 0);

// unlike returns the own properties that are not as others.
export const unlike = (v) => Object.getOwnPropertyNames(v).map((key) => [key, flagsOf(Object.getOwnPropertyDescriptor(v, key))]).filter(([, flags]) => flags !== 7).slice(0, 200);

// builtins returns what all objects inherit, which a program that copies any name into an object changes, and how many names can be listed of built-in ones.
const { ownKeys } = Reflect, { prototype } = Object; // the candidate may replace them
const inherited = ownKeys(prototype).filter((key) => key !== "__proto__"), samples = [[], "", 0, () => {}, Object, new Date(0), Promise.resolve(), new Map(), new Set()];
export function builtins(globals) {
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
export const computes = (v) => Object.keys(v).some((key) => Object.getOwnPropertyDescriptor(v, key)?.get !== undefined);

// errorOf returns the built-in class from which the prototype of a class of errors derives, or nothing.
export const errorOf = (v) => v instanceof Error ? Object.keys(errors).findLast((name) => v instanceof errors[name]) : "";

export const bases = ["Map", "Set", "Array", "Date", "RegExp", "URL", "URLSearchParams", "WeakMap", "WeakSet", "WeakRef"], kinds = bases.map((name) => globalThis[name]);

// namesOf returns the names that an object inherits, but for those that all objects do, or all errors.
export const common = new Set([Object.prototype, ...Object.values(errors).map((of) => of.prototype)]), all = new Set([Object.prototype]);
export function namesOf(v, until = all) {
  const names = new Set();
  for (let of = Object.getPrototypeOf(v); of !== null && !until.has(of) && names.size < 200; of = Object.getPrototypeOf(of)) for (const name of Object.getOwnPropertyNames(of)) names.add(name);
  return [...names].slice(0, 200);
}

export function describe(v) {
  try { return String(v).slice(0, 500); } catch { return "a value that cannot be shown"; }
}
