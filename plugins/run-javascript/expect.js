// The expect of Jest and Vitest, and of chai: the matchers that need no mocks and no snapshots.
import { AssertionError, lost, shown } from "./assert.js";
import * as chai from "./chai.js";
import { asks, inChain, iterable, jestEqual, strictTesters, style, subset } from "./equal.js";
import { converting, mean, noted } from "./faults.js";
import { handleOf, isTheirs } from "./known.js";
import { isMock, mockMatchers } from "./mock.js";
import { snapshots } from "./snapshot.js";

const equals = (a, b, ...testers) => jestEqual(a, b, [iterable, ...testers]);
const isNumber = (v) => typeof v === "number" || typeof v === "bigint";
const isText = (v) => Object.prototype.toString.call(v) === "[object String]";

// close is the comparison of toBeCloseTo.
const close = (a, b, digits = 2) => a === b && Math.abs(a) === Infinity || Math.abs(b - a) < 10 ** -digits / 2;

// pathOf returns the keys of a path such as a.b[0].
const pathOf = (path) => {
  if (Array.isArray(path)) return path;
  const keys = [];
  path.replace(/[^.[\]]+|(?=(?:\.)(?:\.|$))/g, (key) => { keys.push(key); return key; });
  return path === "" ? [""] : keys;
};

// thrown returns what a function throws, or undefined.
const thrown = (f) => { try { f(); } catch (e) { return caught(e); } };
const caught = (e) => {
  lost.delete(noted(e));
  return { e, get message() { return typeof e?.message === "string" ? e.message : converting(() => String(e)); } };
};

// throws reports whether the expected value was thrown.
function throws(t, wanted) {
  if (wanted === undefined || t === undefined) return t !== undefined;
  if (typeof wanted === "function") return t.e instanceof wanted;
  if (typeof wanted === "string") return t.message.includes(wanted);
  if (wanted instanceof RegExp) return wanted.test(t.message);
  if (asks(wanted)) return wanted.asymmetricMatch(t.e);
  if (style.vitest) return equals(t.e, wanted);
  const causes = (e) => { const list = [e?.message]; for (let of = e?.cause; of !== undefined && list.length < 20; of = of?.cause) list.push(of instanceof Error ? of.message : shown(of)); return list.join("\n"); };
  const both = t.e instanceof Error && wanted instanceof Error, own = wanted.constructor;
  return t.message === wanted.message && causes(t.e) === causes(wanted) && (!both || own?.name === "Error" || t.e instanceof own);
}

// must fails a matcher, whether or not it is negated: it cannot be asked of such a value.
class Misused extends Error {}
const must = (holds, what) => { if (!holds) throw new Misused(what); };
const numbers = (a, b) => { must(isNumber(a), "the value must be a number"); must(isNumber(b), "the expected value must be a number"); };
const nothing = (list) => must(list.length === 0 || list[0] === undefined, "this matcher takes no argument");
const plain = (holds) => (a, ...list) => { nothing(list); return holds(a); };
const order = (holds) => (a, b) => { numbers(a, b); return holds(a, b); };

const matchers = {
  __proto__: null,
  toBe: Object.is,
  toEqual: (a, b) => equals(a, b),
  toStrictEqual: (a, b) => jestEqual(a, b, strictTesters, true),
  toMatchObject: (a, b) => {
    must(a !== null && typeof a === "object" && b !== null && typeof b === "object", "toMatchObject compares objects");
    return equals(a, b, subset);
  },
  toBeCloseTo: (a, b, digits) => { must(typeof a === "number" && typeof b === "number", "toBeCloseTo compares numbers"); return close(a, b, digits); },
  toBeNull: plain((a) => a === null), toBeUndefined: plain((a) => a === undefined), toBeDefined: plain((a) => a !== undefined),
  toBeTruthy: plain((a) => Boolean(a)), toBeFalsy: plain((a) => !a), toBeNaN: plain((a) => Number.isNaN(a)),
  toBeGreaterThan: order((a, b) => a > b), toBeGreaterThanOrEqual: order((a, b) => a >= b), toBeLessThan: order((a, b) => a < b), toBeLessThanOrEqual: order((a, b) => a <= b),
  toContain: (a, b) => {
    must(typeof a === "string" ? typeof b === "string" : typeof a?.[Symbol.iterator] === "function", "the value holds nothing"); // Array.from takes more
    return typeof a === "string" ? a.includes(b) : Array.from(a).indexOf(b) >= 0;
  },
  toContainEqual: (a, b) => { must(typeof a?.[Symbol.iterator] === "function", "the value holds nothing"); return Array.from(a).some((x) => equals(x, b)); },
  toHaveLength: (a, n) => { must(typeof a?.length === "number" && Number.isInteger(n) && n >= 0, "the value must have a length"); return a.length === n; },
  toMatch: (a, b) => {
    must(typeof a === "string" && (typeof b === "string" || typeof b?.test === "function"), "the value must be a text");
    return typeof b === "string" ? a.includes(b) : new RegExp(b).test(a);
  },
  toHaveProperty: (a, path, ...v) => {
    must(a !== null && a !== undefined && (typeof path === "string" || Array.isArray(path) && path.length > 0), "the value must have properties");
    const keys = pathOf(path);
    let of = a, defined = false;
    for (const [n, key] of keys.entries()) {
      if (of === null || of === undefined) return false;
      defined = (typeof of === "object" || typeof of === "function") && key in of;
      of = of[key];
      if (n + 1 < keys.length && (of === null || of === undefined)) return false;
    }
    return v.length > 0 && defined ? equals(of, v[0]) : (of !== undefined || defined) && v.length === 0 || v.length > 0 && of !== undefined && equals(of, v[0]);
  },
  toBeInstanceOf: (a, b) => { must(typeof b === "function", "the expected value must be a class"); return a instanceof b; },
  toThrow: (f, wanted) => {
    must(typeof f === "function", "the value must be a function");
    must(wanted === undefined || ["function", "string"].includes(typeof wanted) || wanted !== null && typeof wanted === "object", "the expected value must be a text, a regular expression, a class or an error");
    return throws(thrown(f), wanted);
  },
  // Of Vitest.
  toBeTypeOf: (a, b) => typeof a === b,
  toBeOneOf: (a, list) => [...list].some((x) => equals(a, x)),
  toSatisfy: (a, f) => Boolean(f(a)),
};
matchers.toThrowError = matchers.toThrow;
for (const [name, holds] of Object.entries(mockMatchers)) matchers[name] = (f, ...rest) => { must(isMock(f), "the value must be a mock function"); return holds(f, ...rest); };

// Asymmetric matchers: they say themselves whether a value matches.
class Matcher {
  constructor(name, holds, inverse = false) {
    Object.defineProperty(this, "asymmetricMatch", { value: (v) => holds(v) !== inverse });
    Object.defineProperty(this, Symbol.toStringTag, { value: (inverse ? "not." : "") + name });
  }
}
const boxes = { string: String, number: Number, boolean: Boolean, bigint: BigInt, symbol: Symbol };
const any = (kind) => {
  must(kind !== undefined, "any() needs a class");
  return new Matcher("any", (v) => {
    const box = Object.keys(boxes).find((name) => boxes[name] === kind);
    if (box !== undefined) return typeof v === box || v instanceof kind;
    return kind === Function ? typeof v === "function" : kind === Object ? typeof v === "object" : kind === Array ? Array.isArray(v) : v instanceof kind;
  });
};
const asymmetric = {
  __proto__: null,
  arrayContaining: (list) => (v) => {
    must(Array.isArray(list), "arrayContaining needs an array");
    return list.length === 0 || Array.isArray(v) && list.every((x) => v.some((y) => jestEqual(x, y)));
  },
  arrayOf: (x) => (v) => Array.isArray(v) && v.every((y) => jestEqual(x, y)),
  objectContaining: (o) => {
    const holds = (v) => [...Object.keys(o), ...Object.getOwnPropertySymbols(o).filter((s) => Object.prototype.propertyIsEnumerable.call(o, s))].every((k) => inChain(v, k) && jestEqual(o[k], v[k]));
    return Object.assign((v) => { must(typeof o === "object", "objectContaining needs an object"); return holds(v); }, { never: (v) => typeof v !== "object" || Array.isArray(v) });
  },
  stringContaining: (t) => { must(isText(t), "stringContaining needs a text"); return (v) => isText(v) && v.includes(t); },
  stringMatching: (r) => { must(isText(r) || r instanceof RegExp, "stringMatching needs a text or a regular expression"); const own = new RegExp(r); return (v) => isText(v) && own.test(v); },
  closeTo: (n, digits = 2) => { must(typeof n === "number", "closeTo needs a number"); return Object.assign((v) => close(Number(v), n, digits), { never: (v) => typeof v !== "number" && !(v instanceof Number) }); },
};
// never: what neither the matcher nor its negation takes.
const makers = (inverse) => Object.fromEntries(Object.entries(asymmetric).map(([name, make]) => [name, (...list) => {
  const holds = make(...list);
  return new Matcher(name, (v) => holds.never?.(v) ? inverse : holds(v), inverse);
}]));

export const ChaiError = chai.AssertionError;
const { assert } = chai.Assertion.prototype;
chai.Assertion.prototype.assert = function (...args) {
  try {
    return assert.apply(this, args);
  } catch (e) {
    lost.add(e);
    throw e;
  }
};

// utils is what matchers of the tests have for their messages.
const utils = { stringify: shown, printReceived: shown, printExpected: shown, matcherHint: (name) => "expect(received)." + name + "(expected)", diff: (a, b) => shown(a) + " is not " + shown(b), EXPECTED_COLOR: String, RECEIVED_COLOR: String };

// expectations returns the function expect, and the module chai. count is called for each assertion, missing for unsupported matchers. polled calls a function until it does not throw.
export function expectations(count, missing, promised = () => {}, polled = undefined) {
  const judge = (name, holds, actual, args, not) => {
    let why = "";
    try {
      if (Boolean(holds(actual, ...args)) !== not) return;
    } catch (e) {
      if (!(e instanceof Misused)) throw noted(e);
      why = ": " + e.message;
    }
    const words = name.replace(/[A-Z]/g, (c) => " " + c.toLowerCase());
    throw new AssertionError({ message: "expected " + shown(actual) + (not ? " not" : "") + " " + words + (args.length > 0 ? " " + args.map((x) => shown(x)).join(", ") : "") + why, actual, expected: args[0], operator: name });
  };
  const inline = snapshots(missing), custom = { __proto__: null }; // those that the tests define
  const asked = (name, actual, args, not, promise) => Reflect.apply(custom[name], { isNot: not, promise, equals: (a, b, testers, strict) => strict ? jestEqual(a, b, strictTesters, true) : equals(a, b), utils }, [actual, ...args]);
  const check = (name, actual, args, not, promise = "") => {
    if (name in inline) {
      if (not) return missing("expect().not." + name);
      if (name.startsWith("toThrow") && promise === "") {
        const t = typeof actual === "function" ? thrown(actual) : undefined;
        if (t === undefined) throw new AssertionError({ message: "expected " + shown(actual) + " to throw", actual, operator: name });
        actual = t.e;
      }
      return inline[name](actual, ...args);
    }
    if (!(name in custom)) return judge(name, matchers[name], actual, args, not);
    const tell = (r) => {
      if (typeof r?.pass !== "boolean" || typeof r.message !== "function") throw mean(new Error("the matcher " + name + " returns no { pass, message }"));
      if (r.pass === not) throw new AssertionError({ message: String(r.message()), actual, expected: args[0], operator: name });
    };
    const r = asked(name, actual, args, not, promise);
    return r instanceof Promise ? r.then(tell) : tell(r);
  };
  const extend = (list) => {
    for (const [name, f] of Object.entries(list)) {
      if (isTheirs(f) && (name in matchers || name in inline)) continue; // a matcher of the candidate is not to take the place of one by which tests judge it
      custom[name] = f;
      for (const inverse of [false, true]) (inverse ? has.not : has)[name] = (...args) => new Matcher(name, (v) => asked(name, v, args, inverse, "").pass === true, inverse);
    }
  };
  // with makes an object of all matchers. other returns what else it has.
  const withAll = (run, other) => new Proxy({}, { get: (_, name) => {
    if (typeof name !== "string" || name === "then") return undefined;
    if (name in custom || name in matchers || name in inline) return (...args) => { count(); return run(name, args); };
    return other(name);
  } });
  const unknown = (name) => missing("expect()." + name);
  const chained = (actual, name, not) => {
    if (!(name in chai.Assertion.prototype)) return unknown(name);
    count();
    const a = chai.expect(actual);
    return (not ? a.not : a)[name];
  };
  const later = (promise, not, rejected) => withAll(async (name, args) => {
    if (typeof promise === "function" && handleOf(promise)?.isFunction !== false) promise = promise();
    const words = rejected ? "to reject" : "to resolve";
    if (typeof promise?.then !== "function") throw new AssertionError({ message: "expected " + shown(promise) + " " + words + ", and it is not a promise", actual: promise, operator: words });
    let v, threw = false;
    try { v = await promise; } catch (e) { threw = true; v = caught(e).e; }
    if (threw !== rejected) throw new AssertionError({ message: "expected a promise " + words + ", and it has " + (threw ? "rejected with " : "resolved to ") + shown(v), actual: v, operator: words });
    if (name in custom || name in inline || !name.startsWith("toThrow")) return check(name, v, args, not, rejected ? "rejects" : "resolves");
    judge(name, (v, wanted) => v instanceof Error ? throws(caught(v), wanted) : typeof v === "function" && throws(thrown(v), wanted), v, args, not);
  }, unknown);
  const expect = (actual) => withAll((name, args) => check(name, actual, args, false), (name) => {
    switch (name) {
      case "not": return withAll((name, args) => check(name, actual, args, true), (name) => chained(actual, name, true));
      case "resolves": case "rejects": {
        const rejected = name === "rejects", yes = later(actual, false, rejected);
        return new Proxy({}, { get: (_, name) => name === "not" ? later(actual, true, rejected) : yes[name] });
      }
    }
    return chained(actual, name, false);
  });
  const counted = (of) => (...args) => { count(); return of(...args); };
  const has = {
    anything: () => new Matcher("anything", (v) => v !== null && v !== undefined), any, ...makers(false), not: makers(true),
    extend, soft: (v) => expect(v), poll: (f, options) => {
      const until = (not) => withAll((name, args) => polled(async () => check(name, await f(), args, not), options, true), unknown), yes = until(false);
      return new Proxy({}, { get: (_, name) => name === "not" ? until(true) : yes[name] });
    }, assertions: (n) => promised(n), hasAssertions: () => promised(-1), fail: counted(chai.expect.fail),
  };
  const only = (name, of, f, as = (v) => v) => new Proxy(f, { get: (_, key) => {
    if (typeof key !== "string" || ["then", "prototype", "name", "toJSON", "default", "__esModule"].includes(key)) return f[key];
    return Object.hasOwn(of, key) ? as(of[key]) : missing(name + "." + key);
  }, ownKeys: () => [], getOwnPropertyDescriptor: () => undefined });
  // should has all values have should: a getter, which counts what it asserts.
  const should = () => {
    const own = chai.should(), d = Object.getOwnPropertyDescriptor(Object.prototype, "should");
    Object.defineProperty(Object.prototype, "should", { ...d, get() { count(); return Reflect.apply(d.get, this, []); } });
    const has = (of) => Object.fromEntries(Object.entries(of).map(([name, f]) => [name, typeof f === "function" ? counted(f) : has(f)]));
    return has(own);
  };
  return {
    expect: only("expect", has, (v) => expect(v)),
    chai: only("chai", { should, assert: only("chai.assert", chai.assert, (...list) => { count(); chai.assert(...list); }, counted), expect: only("chai.expect", { fail: has.fail }, (...list) => { count(); return chai.expect(...list); }), AssertionError: ChaiError }, {}),
  };
}
