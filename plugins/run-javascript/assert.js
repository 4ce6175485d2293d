// What tests compare with: node:assert of Node 20.
import { nodeEqual } from "./equal.js";
import { converting, guarded, loosely, mean, noted, unheard } from "./faults.js";
import { inspect } from "./inspect.js";
import { handleOf, isTheirs } from "./known.js";

// lost has the assertions of a test that have failed, until something sees it: the test itself, or what expects an exception.
export const lost = new Set();

export class AssertionError extends Error {
  constructor({ message, actual, expected, operator, generated = false }) {
    super(message);
    lost.add(this);
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
    text = unheard(() => h !== undefined ? h.isFunction ? "function " + h.name : "object of class " + h.name : v instanceof Error ? v.name + ": " + (typeof v.message === "string" ? v.message : shown(v.message, most)) : inspect(plain(v, 0), 1, 2, true).replace(/\s*\n\s*/g, " "));
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

// matchesError reports whether an error is what throws() and the like expect.
function matchesError(e, wanted) {
  if (wanted === undefined) return true;
  if (wanted instanceof RegExp) return wanted.test(converting(() => String(e)));
  if (typeof wanted === "function") {
    const own = handleOf(wanted);
    if (own !== undefined || wanted.prototype !== undefined) {
      try { if (e instanceof wanted) return true; } catch (x) { if (!(x instanceof TypeError)) throw x; }
    }
    if (own !== undefined || wanted.prototype instanceof Error || wanted === Error) return false;
    return wanted(e) === true;
  }
  if (e === null || typeof e !== "object" && typeof e !== "function") return false;
  const keys = Object.keys(wanted).concat(wanted instanceof Error ? ["message", "name"] : []);
  if (keys.length === 0) throw mean(new TypeError("an object that is expected to be thrown has no properties"));
  return keys.every((k) => k in e && (wanted[k] instanceof RegExp && typeof e[k] === "string" ? wanted[k].test(e[k]) : nodeEqual(e[k], wanted[k], true)));
}

// assertions returns node:assert. count is called for each assertion, missing for unsupported assertions, worded with an error whose message is our own.
export function assertions(count, missing, worded = () => {}) {
  const fails = (message, otherwise, actual, expected, operator) => {
    if (message instanceof Error) throw message;
    const e = new AssertionError({ message: message === undefined ? otherwise : converting(() => String(message)), actual, expected, operator, generated: message === undefined });
    if (message === undefined) worded(e);
    throw e;
  };
  const check = (operator, holds, words) => (...args) => {
    count();
    const [actual, expected, message] = args;
    if (args.length < 2) throw mean(new TypeError("assert." + operator + " takes two values"));
    if (!holds(actual, expected)) fails(message, shown(actual) + " " + words + " " + shown(expected), actual, expected, operator);
  };
  const ok = (v, message) => {
    count();
    if (!v) fails(message, shown(v) + " is not true", v, true, "==");
  };
  const called = (f) => { if (typeof f !== "function") throw mean(new TypeError("assert.throws takes a function, not " + shown(f))); };
  const thrown = (f) => { called(f); try { f(); } catch (e) { lost.delete(noted(e)); return { e }; } };
  const rejected = async (f) => {
    const promise = typeof f === "function" ? f() : f;
    if (promise === null || typeof promise !== "object" || typeof promise.then !== "function" || typeof promise.catch !== "function") throw mean(new TypeError("assert.rejects takes a promise, not " + shown(promise)));
    try { await promise; } catch (e) { lost.delete(noted(e)); return { e }; }
  };
  const judge = (t, wanted, message) => {
    if (typeof wanted === "string") {
      if (t !== undefined && (t.e?.message === wanted || t.e === wanted)) throw mean(new TypeError("the message that is expected is that of the error: use an object or a regular expression"));
      [wanted, message] = [undefined, wanted];
    } else if (wanted !== undefined && typeof wanted !== "function" && (wanted === null || typeof wanted !== "object")) throw mean(new TypeError("what is expected is a function, an object, an error or a regular expression, not " + shown(wanted)));
    if (t === undefined) fails(message, "no exception was thrown", undefined, wanted, "throws");
    if (!matchesError(t.e, wanted)) fails(message, "another exception was thrown: " + shown(t.e), t.e, wanted, "throws");
  };
  const none = (t, message) => { if (t !== undefined) fails(message, "an exception was thrown: " + shown(t.e), t.e, undefined, "doesNotThrow"); };
  const pattern = (r) => { if (!(r instanceof RegExp)) throw mean(new TypeError("what a text is matched with is a regular expression, not " + shown(r))); };
  const has = {
    AssertionError, ...guarded({ ok,
    equal: check("==", (a, b) => loosely(a, b) || a !== a && b !== b, "is not"), notEqual: check("!=", (a, b) => !(loosely(a, b) || a !== a && b !== b), "is"),
    strictEqual: check("strictEqual", Object.is, "is not"), notStrictEqual: check("notStrictEqual", (a, b) => !Object.is(a, b), "is"),
    deepEqual: check("deepEqual", (a, b) => nodeEqual(a, b, false), "is not"), notDeepEqual: check("notDeepEqual", (a, b) => !nodeEqual(a, b, false), "is"),
    deepStrictEqual: check("deepStrictEqual", (a, b) => nodeEqual(a, b, true), "is not"), notDeepStrictEqual: check("notDeepStrictEqual", (a, b) => !nodeEqual(a, b, true), "is"),
    match: check("match", (a, b) => { pattern(b); return typeof a === "string" && b.test(a); }, "does not match"),
    doesNotMatch: check("doesNotMatch", (a, b) => { pattern(b); return typeof a === "string" && !b.test(a); }, "matches"),
    throws: (f, wanted, message) => { count(); judge(thrown(f), wanted, message); }, doesNotThrow: (f, message) => { count(); none(thrown(f), typeof message === "string" ? message : undefined); },
    rejects: async (f, wanted, message) => { const t = await rejected(f); count(); judge(t, wanted, message); }, doesNotReject: async (f, message) => { const t = await rejected(f); count(); none(t, typeof message === "string" ? message : undefined); },
    fail: (message) => { count(); fails(message ?? "Failed", "", undefined, undefined, "fail"); }, ifError: (v) => { count(); if (v !== null && v !== undefined) fails(undefined, "ifError got " + shown(v), v, null, "ifError"); },
  }) };
  const strictly = { ...has, equal: has.strictEqual, notEqual: has.notStrictEqual, deepEqual: has.deepStrictEqual, notDeepEqual: has.notDeepStrictEqual };
  const known = ["then", "prototype", "name", "length", "default", "__esModule", "toJSON"];
  const only = (of) => new Proxy(Object.assign((v, message) => ok(v, message), of), { get: (f, key) => typeof key === "string" && !(key in f) && !known.includes(key) ? missing("assert." + key) : f[key], set: (f, key, v) => key in of && isTheirs(v) || Reflect.set(f, key, v) }); // no assertion is the candidate's
  const strict = only(Object.assign(strictly, { strict: undefined }));
  strictly.strict = strict.strict = strict;
  return only(Object.assign(has, { strict }));
}
