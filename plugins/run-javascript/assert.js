// What tests compare with: the parts of node:assert, and of the expect of Jest and Vitest, that tests of
// candidates use. Objects of the candidate are compared by their own properties, as they were when a
// function returned them; the candidate is not asked whether they are equal.
import { handleOf } from "./judge.js";
import { inspect } from "./node.js";

export class AssertionError extends Error {
  constructor({ message, actual, expected, operator, generated = false }) {
    super(message);
    this.name = "AssertionError";
    this.code = "ERR_ASSERTION";
    Object.assign(this, { actual, expected, operator, generatedMessage: generated });
  }
}

// shown shows a value, shortened. Objects of the candidate show their class only.
export function shown(v, most = 300) {
  const h = handleOf(v);
  let text;
  try {
    text = h !== undefined ? h.isFunction ? "function " + h.name : "object of class " + h.name : v instanceof Error ? v.name + ": " + v.message : inspect(plain(v, 0), 1).replace(/\s*\n\s*/g, " ");
  } catch {
    text = typeof v;
  }
  return text.length <= most ? text : text.slice(0, most - 3) + "...";
}

// plain replaces objects of the candidate by what is shown of them.
function plain(v, depth) {
  const h = handleOf(v);
  if (h !== undefined) return h.isFunction ? function () {} : { [h.name]: h.fields === undefined ? "..." : plain(h.fields, depth + 1) };
  if (v === null || typeof v !== "object" || depth > 4) return v;
  if (Array.isArray(v)) return v.slice(0, 200).map((x) => plain(x, depth + 1));
  if (Object.getPrototypeOf(v) === Object.prototype) return Object.fromEntries(Object.entries(v).slice(0, 100).map(([k, x]) => [k, plain(x, depth + 1)]));
  return v;
}

// A mode of comparison: strict compares types and prototypes, undefined properties count unless missing.
const looseMode = { strict: false, missing: false };
export const strictMode = { strict: true, missing: false };
export const jestMode = { strict: true, missing: true, prototypes: false }, jestStrict = { strict: true, missing: false };

const same = (a, b, mode) => mode.strict ? Object.is(a, b) : a == b || a !== a && b !== b;

export function deepEqual(a, b, mode = looseMode, open = []) {
  if (a === b) return mode.strict ? Object.is(a, b) : true;
  if (b?.[matching] !== undefined) return b[matching](a);
  if (a?.[matching] !== undefined) return a[matching](b);
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return typeof a === "function" || typeof b === "function" ? false : same(a, b, mode);
  if (open.some(([x, y]) => x === a && y === b)) return true;
  const inner = [...open, [a, b]], ha = handleOf(a), hb = handleOf(b), equal = (x, y) => deepEqual(x, y, mode, inner);
  if (ha !== undefined || hb !== undefined) {
    const typed = mode.strict && mode.prototypes !== false;
    if (typed && (ha === undefined || hb === undefined || ha.name !== hb.name)) return false;
    const x = ha === undefined ? a : ha.owner.fieldsOf(a), y = hb === undefined ? b : hb.owner.fieldsOf(b);
    return !isSpecial(x) && !isSpecial(y) && objects(x, y, equal, mode);
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (mode.strict && mode.prototypes !== false && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  for (const kind of [Date, RegExp, Map, Set, Error, ArrayBuffer]) if (a instanceof kind !== b instanceof kind) return false;
  if (a instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof RegExp) return a.source === b.source && a.flags === b.flags;
  if (a instanceof Error) return a.message === b.message && a.name === b.name;
  if (a instanceof ArrayBuffer) return deepEqual(new Uint8Array(a), new Uint8Array(b), mode, inner);
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) return ArrayBuffer.isView(a) && ArrayBuffer.isView(b) && a.constructor === b.constructor && a.length === b.length && a.every((x, k) => same(x, b[k], mode));
  if (a instanceof Map) {
    if (a.size !== b.size) return false;
    const left = [...b];
    for (const [k, v] of a) {
      if (b.has(k)) { if (!equal(v, b.get(k))) return false; continue; }
      const at = typeof k === "object" && k !== null ? left.findIndex(([x, y]) => equal(k, x) && equal(v, y)) : -1;
      if (at < 0) return false;
      left.splice(at, 1);
    }
    return true;
  }
  if (a instanceof Set) {
    if (a.size !== b.size) return false;
    const left = [...b];
    for (const v of a) {
      if (b.has(v)) continue;
      const at = typeof v === "object" && v !== null ? left.findIndex((x) => equal(v, x)) : -1;
      if (at < 0) return false;
      left.splice(at, 1);
    }
    return true;
  }
  if (Array.isArray(a) && a.length !== b.length) return false;
  return objects(a, b, equal, mode);
}

const isSpecial = (v) => Array.isArray(v) || v instanceof Map || v instanceof Set || v instanceof Date || v instanceof RegExp || v instanceof Error || ArrayBuffer.isView(v);

function objects(a, b, equal, mode) {
  const keys = (v) => Object.keys(v).filter((k) => !mode.missing || v[k] !== undefined), ka = keys(a);
  return ka.length === keys(b).length && ka.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]));
}

// Asymmetric matchers, such as expect.anything(), have this member.
const matching = Symbol("matching");

// matchesError reports whether an error is what throws() and the like expect.
function matchesError(e, wanted) {
  if (wanted === undefined) return true;
  if (wanted instanceof RegExp) return wanted.test(String(e?.message === undefined ? e : e.name + ": " + e.message)) || wanted.test(String(e?.message));
  if (typeof wanted === "function") {
    try { if (e instanceof wanted) return true; } catch (x) { if (!(x instanceof TypeError)) throw x; }
    if (handleOf(wanted) !== undefined || wanted.prototype instanceof Error || wanted === Error) return false;
    return wanted(e) === true;
  }
  return Object.keys(wanted).concat(wanted instanceof Error ? ["message", "name"] : []).every((k) => wanted[k] instanceof RegExp && typeof e?.[k] === "string" ? wanted[k].test(e[k]) : deepEqual(e?.[k], wanted[k], strictMode));
}

// assertions returns node:assert. count is called for each assertion.
export function assertions(count) {
  const fails = (message, otherwise, actual, expected, operator) => {
    if (message instanceof Error) throw message;
    throw new AssertionError({ message: message === undefined ? otherwise : String(message), actual, expected, operator, generated: message === undefined });
  };
  const check = (operator, holds, words) => (actual, expected, message) => {
    count();
    if (!holds(actual, expected)) fails(message, shown(actual) + " " + words + " " + shown(expected), actual, expected, operator);
  };
  const ok = (v, message) => {
    count();
    if (!v) fails(message, shown(v) + " is not true", v, true, "==");
  };
  const thrown = (f) => { try { f(); } catch (e) { return { e }; } };
  const rejected = async (f) => { try { await (typeof f === "function" ? f() : f); } catch (e) { return { e }; } };
  const judge = (t, wanted, message) => {
    if (typeof wanted === "string") [wanted, message] = [undefined, wanted];
    if (t === undefined) fails(message, "no exception was thrown", undefined, wanted, "throws");
    if (!matchesError(t.e, wanted)) fails(message, "another exception was thrown: " + shown(t.e), t.e, wanted, "throws");
  };
  const none = (t, message) => { if (t !== undefined) fails(message, "an exception was thrown: " + shown(t.e), t.e, undefined, "doesNotThrow"); };
  const assert = Object.assign((v, message) => ok(v, message), {
    ok, AssertionError,
    equal: check("==", (a, b) => a == b || a !== a && b !== b, "is not"), notEqual: check("!=", (a, b) => !(a == b || a !== a && b !== b), "is"),
    strictEqual: check("strictEqual", Object.is, "is not"), notStrictEqual: check("notStrictEqual", (a, b) => !Object.is(a, b), "is"),
    deepEqual: check("deepEqual", (a, b) => deepEqual(a, b), "is not"), notDeepEqual: check("notDeepEqual", (a, b) => !deepEqual(a, b), "is"),
    deepStrictEqual: check("deepStrictEqual", (a, b) => deepEqual(a, b, strictMode), "is not"), notDeepStrictEqual: check("notDeepStrictEqual", (a, b) => !deepEqual(a, b, strictMode), "is"),
    match: check("match", (a, b) => typeof a === "string" && b.test(a), "does not match"), doesNotMatch: check("doesNotMatch", (a, b) => typeof a !== "string" || !b.test(a), "matches"),
    throws: (f, wanted, message) => { count(); judge(thrown(f), wanted, message); }, doesNotThrow: (f, message) => { count(); none(thrown(f), typeof message === "string" ? message : undefined); },
    rejects: async (f, wanted, message) => { count(); judge(await rejected(f), wanted, message); }, doesNotReject: async (f, message) => { count(); none(await rejected(f), message); },
    fail: (message) => { count(); fails(message ?? "failed", "", undefined, undefined, "fail"); }, ifError: (v) => { count(); if (v !== null && v !== undefined) throw v; },
  });
  const strict = Object.assign((v, message) => ok(v, message), assert, { equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual });
  assert.strict = strict.strict = strict;
  return assert;
}

// expectations returns the function expect.
export function expectations(count) {
  const close = (a, b, digits = 2) => a === b || Math.abs(a - b) < 10 ** -digits / 2;
  const has = (v, path) => { for (const k of Array.isArray(path) ? path : String(path).split(/[.[\]]+/).filter(Boolean)) { if (v === null || v === undefined || !(k in Object(v))) return undefined; v = v[k]; } return { v }; };
  const subset = (a, b) => a !== null && typeof a === "object" && Object.keys(b).every((k) => Object.hasOwn(a, k) && (deepEqual(a[k], b[k], jestMode) || b[k] !== null && typeof b[k] === "object" && !Array.isArray(b[k]) && b[k][matching] === undefined && subset(a[k], b[k])));
  const includes = (v, x, equal) => typeof v === "string" ? v.includes(x) : [...v].some((y) => equal(y, x));
  const error = (t, wanted) => t !== undefined && (typeof wanted === "string" ? String(t.e?.message).includes(wanted) : wanted instanceof RegExp ? wanted.test(String(t.e?.message)) : wanted instanceof Error ? t.e?.message === wanted.message : matchesError(t.e, wanted));
  const thrown = (f) => { try { f(); } catch (e) { return { e }; } };
  const matchers = {
    toBe: (a, b) => Object.is(a, b), toEqual: (a, b) => deepEqual(a, b, jestMode), toStrictEqual: (a, b) => deepEqual(a, b, jestStrict), toBeCloseTo: close,
    toBeNull: (a) => a === null, toBeUndefined: (a) => a === undefined, toBeDefined: (a) => a !== undefined, toBeTruthy: (a) => Boolean(a), toBeFalsy: (a) => !a, toBeNaN: (a) => Number.isNaN(a),
    toBeGreaterThan: (a, b) => a > b, toBeGreaterThanOrEqual: (a, b) => a >= b, toBeLessThan: (a, b) => a < b, toBeLessThanOrEqual: (a, b) => a <= b,
    toContain: (a, b) => includes(a, b, Object.is), toContainEqual: (a, b) => includes(a, b, (x, y) => deepEqual(x, y, jestMode)), toHaveLength: (a, n) => a?.length === n,
    toMatch: (a, b) => typeof a === "string" && (typeof b === "string" ? a.includes(b) : b.test(a)), toMatchObject: (a, b) => subset(a, b),
    toHaveProperty: (a, path, ...v) => { const found = has(a, path); return found !== undefined && (v.length === 0 || deepEqual(found.v, v[0], jestMode)); },
    toBeInstanceOf: (a, b) => a instanceof b, toBeTypeOf: (a, b) => typeof a === b, toThrow: (f, wanted) => error(thrown(f), wanted), toThrowError: (f, wanted) => error(thrown(f), wanted),
  };
  const fail = (actual, name, args, not) => {
    const words = name.replace(/[A-Z]/g, (c) => " " + c.toLowerCase());
    throw new AssertionError({ message: "expected " + shown(actual) + (not ? " not" : "") + " " + words + (args.length > 0 ? " " + args.map((x) => shown(x)).join(", ") : ""), actual, expected: args[0], operator: name });
  };
  const of = (actual, not) => Object.fromEntries(Object.entries(matchers).map(([name, holds]) => [name, (...args) => { count(); if (Boolean(holds(actual, ...args)) === not) fail(actual, name, args, not); }]));
  const later = (promise, not, rejected) => Object.fromEntries(Object.entries(matchers).map(([name, holds]) => [name, async (...args) => {
    count();
    let v, e, threw = false;
    try { v = await (typeof promise === "function" ? promise() : promise); } catch (x) { threw = true; e = x; }
    if (threw !== rejected) { if (threw) throw e; fail(v, "toReject", [], not); }
    const actual = !rejected ? v : name.startsWith("toThrow") ? () => { throw e; } : e;
    if (Boolean(holds(actual, ...args)) === not) fail(rejected ? e : v, name, args, not);
  }]));
  const expect = (actual) => ({ ...of(actual, false), not: of(actual, true), resolves: { ...later(actual, false, false), not: later(actual, true, false) }, rejects: { ...later(actual, false, true), not: later(actual, true, true) } });
  const matcher = (f) => () => ({ [matching]: f });
  return Object.assign(expect, {
    anything: matcher((v) => v !== null && v !== undefined), any: (kind) => ({ [matching]: (v) => v !== null && v !== undefined && (v instanceof kind || Object(v) instanceof kind) }),
    arrayContaining: (list) => ({ [matching]: (v) => Array.isArray(v) && list.every((x) => v.some((y) => deepEqual(y, x, jestMode))) }),
    objectContaining: (o) => ({ [matching]: (v) => subset(v, o) }), stringContaining: (t) => ({ [matching]: (v) => typeof v === "string" && v.includes(t) }),
    stringMatching: (r) => ({ [matching]: (v) => typeof v === "string" && new RegExp(r).test(v) }), closeTo: (n, digits) => ({ [matching]: (v) => typeof v === "number" && close(v, n, digits) }),
    assertions: () => {}, hasAssertions: () => {},
  });
}
