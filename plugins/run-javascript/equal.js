// Whether two values are equal, as node:assert and Jest have it. Objects of the candidate are compared by their own
// properties, as they were when a function returned them; the candidate is not asked whether they are equal.
import { converting, loosely } from "./faults.js";
import { handleOf, isTheirs } from "./known.js";
import { symbolsOf } from "./wire.js";

const { getPrototypeOf } = Object; // that of the tests is another
const tagOf = (v) => Object.prototype.toString.call(v);
const isObject = (v) => v !== null && typeof v === "object";
const isIndex = (k) => /^(?:0|[1-9]\d*)$/.test(k);

const isList = (v) => { const h = handleOf(v); return h === undefined ? Array.isArray(v) : h.like === "Array"; };

// sameHandles compares two values of which one is an object of the candidate. typed: both must be, of one class.
function sameHandles(a, b, equal, typed, missing, symbols) {
  const ha = handleOf(a), hb = handleOf(b);
  for (const h of [ha, hb]) if (h?.like?.startsWith("URL")) throw h.owner.lacks("the tests compare an object of class " + h.name, true);
  for (const [h, other] of [[ha, b], [hb, a]]) if (h?.like === "Proxy of an array" && Array.isArray(other)) throw h.owner.lacks("the tests compare a Proxy of an array", true);
  const classOf = (v, h) => h?.proto ?? h?.kind ?? h?.name ?? (getPrototypeOf(v) === Object.prototype ? "Object" : getPrototypeOf(v));
  if (typed && classOf(a, ha) !== classOf(b, hb)) return false;
  const x = ha === undefined ? a : ha.owner.fieldsOf(a), y = hb === undefined ? b : hb.owner.fieldsOf(b);
  for (const h of [ha, hb]) if (h !== undefined && ["Map", "Set", "Date", "RegExp"].includes(h.like)) throw h.owner.lacks("the tests compare an object of a class that derives from " + h.like, true);
  if (isList(a) !== isList(b) || !isList(a) && [x, y].some((v) => tagOf(v) !== "[object Object]")) return false;
  const keys = (v) => [...Object.keys(v), ...symbols ? symbolsOf(v) : []].filter((k) => !missing || v[k] !== undefined), kx = keys(x);
  return kx.length === keys(y).length && kx.every((k) => Object.hasOwn(y, k) && equal(x[k], y[k]));
}

// nodeEqual is deepEqual of node:assert, and deepStrictEqual.
export function nodeEqual(a, b, strict, open = []) {
  if (a === b) return !strict || Object.is(a, b);
  if (!isObject(a) || !isObject(b)) return strict ? Object.is(a, b) : isObject(a) === isObject(b) && (loosely(a, b) || a !== a && b !== b);
  const equal = (x, y) => nodeEqual(x, y, strict, [...open, [a, b]]);
  const [seenA, seenB] = [0, 1].map((k) => open.findIndex((pair) => pair[k] === [a, b][k]));
  if (seenA >= 0 && seenB >= 0) return seenA === seenB;
  if (handleOf(a) !== undefined || handleOf(b) !== undefined) return sameHandles(a, b, equal, strict, false, strict);
  const tag = tagOf(a), view = ArrayBuffer.isView(a), list = Array.isArray(a);
  if (strict && getPrototypeOf(a) !== getPrototypeOf(b) || tag !== tagOf(b) || list !== Array.isArray(b)) return false;
  for (const kind of [RegExp, Map, Set, Error, ArrayBuffer]) if (a instanceof kind !== b instanceof kind) return false;
  const boxed = { "[object Number]": Number, "[object String]": String, "[object Boolean]": Boolean, "[object BigInt]": BigInt, "[object Symbol]": Symbol }[tag];
  if (list && a.length !== b.length) return false;
  if (tag === "[object URL]" && a.href !== b.href) return false;
  if (tag === "[object Date]" && timeOf(a) !== timeOf(b)) return false;
  if (a instanceof RegExp && (a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex)) return false;
  if (a instanceof Error && (a.message !== b.message || a.name !== b.name || ["cause", "errors"].some((k) => Object.hasOwn(a, k) !== Object.hasOwn(b, k) || !equal(a[k], b[k])))) return false;
  if (a instanceof ArrayBuffer && !sameBytes(a, b)) return false;
  if (view && (a.byteLength !== b.byteLength || (!strict && tag.includes("Float") ? a.some((x, k) => x !== b[k]) : !sameBytes(a, b)))) return false;
  if (boxed !== undefined && a instanceof boxed && !Object.is(boxed.prototype.valueOf.call(a), boxed.prototype.valueOf.call(b))) return false;
  if ((a instanceof Map || a instanceof Set) && a.size !== b.size) return false;
  const named = (v) => [...Object.keys(v).filter((k) => !(list || view) || !isIndex(k)), ...strict ? symbolsOf(v) : []], keys = named(a);
  if (keys.length !== named(b).length || !keys.every((k) => Object.prototype.propertyIsEnumerable.call(b, k))) return false;
  if (a instanceof Set && !matched([...a].filter((v) => !b.has(v)), [...b].filter((v) => !a.has(v)), (x, y) => (!strict || isObject(x)) && equal(x, y))) return false;
  if (a instanceof Map) {
    const [here, there] = [[a, b], [b, a]].map(([of, other]) => [...of].filter(([k]) => !other.has(k)));
    if ([...a].some(([k, v]) => b.has(k) && !equal(v, b.get(k)))) return false;
    if (!matched(here, there, ([k, v], [l, w]) => (!strict || isObject(k)) && equal(k, l) && equal(v, w))) return false;
  }
  for (let k = 0; list && k < a.length; k++) if (!(Object.hasOwn(a, k) ? Object.hasOwn(b, k) && equal(a[k], b[k]) : !Object.hasOwn(b, k))) return false;
  return keys.every((k) => equal(a[k], b[k]));
}

const timeOf = (v) => { try { return Date.prototype.getTime.call(v); } catch { return undefined; } };

// matched reports whether each item has one of its own that is equal.
function matched(here, there, equal) {
  const left = [...there];
  return here.length === there.length && here.every((x) => {
    const at = left.findIndex((y) => equal(x, y));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function sameBytes(a, b) {
  const [x, y] = [a, b].map((v) => ArrayBuffer.isView(v) ? new Uint8Array(v.buffer, v.byteOffset, v.byteLength) : new Uint8Array(v));
  return x.length === y.length && x.every((n, k) => n === y[k]);
}

// Asymmetric matchers, such as expect.anything(), have this method. Those of the candidate are not asked.
const asks = (v) => Boolean(v) && typeof v === "object" && handleOf(v) === undefined && typeof v.asymmetricMatch === "function" && !isTheirs(v.asymmetricMatch);

// style says whose comparison jestEqual is: Jest compares only the messages of errors.
export const style = { vitest: false };

// sameErrors compares errors as Vitest does.
function sameErrors(a, b, equal) {
  const own = (e) => Object.fromEntries(Object.entries(e).filter(([key]) => key !== "name" && key !== "message"));
  return tagOf(a) === tagOf(b) && a.name === b.name && a.message === b.message && (b.cause === undefined || equal(a.cause, b.cause))
    && (!(a instanceof AggregateError && b instanceof AggregateError) || equal(a.errors, b.errors)) && equal(own(a), own(b));
}

// jestEqual is the comparison of Jest's expect: testers answer before it does, or undefined.
export function jestEqual(a, b, testers = [], strict = false, open = []) {
  if (asks(a) !== asks(b)) return asks(a) ? a.asymmetricMatch(b) : b.asymmetricMatch(a);
  for (const test of testers) {
    const said = test(a, b, testers);
    if (said !== undefined) return said;
  }
  if (a instanceof Error && b instanceof Error && !style.vitest) return a.message === b.message;
  if (Object.is(a, b)) return true;
  if (a === null || b === null) return false;
  const equal = (x, y) => jestEqual(x, y, testers, strict, [...open, [a, b]]);
  if (isObject(a) && isObject(b) && (handleOf(a) !== undefined || handleOf(b) !== undefined)) {
    for (const [x, y] of open.toReversed()) if (x === a || y === b) return x === a && y === b;
    return sameHandles(a, b, equal, strict && !(isList(a) && isList(b)), !strict, true);
  }
  const tag = tagOf(a);
  if (tag !== tagOf(b)) return false;
  if (a instanceof Error && b instanceof Error) return open.some(([x, y]) => x === a && y === b) || sameErrors(a, b, equal);
  switch (tag) {
    case "[object Boolean]": case "[object String]": case "[object Number]": return isObject(a) && isObject(b) && converting(() => Object.is(a.valueOf(), b.valueOf()));
    case "[object URL]": return a.href === b.href;
    case "[object Date]": return converting(() => +a === +b);
    case "[object RegExp]": return a.source === b.source && a.flags === b.flags;
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const [x, y] of open.toReversed()) if (x === a || y === b) return x === a && y === b;
  if (strict && tag === "[object Array]" && a.length !== b.length) return false;
  const keys = (v) => [...Object.keys(v), ...symbolsOf(v)], ka = keys(a), kb = keys(b);
  if (!strict) {
    for (const [to, of, other] of [[ka, b, a], [kb, a, b]]) for (const k of to === ka ? kb : ka) if ((asks(of[k]) || of[k] === undefined) && !Object.hasOwn(other, k)) to.push(k);
  }
  return ka.length === kb.length && ka.every((k) => (Object.hasOwn(b, k) || !strict && (asks(a[k]) || a[k] === undefined)) && equal(a[k], b[k]));
}

const native = (f) => typeof f === "function" && handleOf(f) === undefined && Function.prototype.toString.call(f).includes("[native code]");
const sameClass = (a, b) => a.constructor === b.constructor || a.constructor?.name === b.constructor?.name && native(a.constructor) && native(b.constructor);

// Testers of Jest.
export function iterable(a, b, testers = [], open = []) {
  if (!isObject(a) || !isObject(b) || [a, b].some((v) => Array.isArray(v) || ArrayBuffer.isView(v) || handleOf(v) !== undefined || v[Symbol.iterator] == null)) return undefined;
  if (!sameClass(a, b)) return false;
  for (const [x, y] of open.toReversed()) if (x === a) return y === b;
  const inner = [...testers.filter((t) => t.tests !== iterable), Object.assign((x, y, testers) => iterable(x, y, testers, [...open, [a, b]]), { tests: iterable })];
  const equal = (x, y) => jestEqual(x, y, inner);
  if (a.size !== undefined) {
    if (a.size !== b.size) return false;
    if (a instanceof Set) return [...a].every((x) => b.has(x) || [...b].some((y) => equal(x, y)));
    if (a instanceof Map) return [...a].every(([k, v]) => b.has(k) && equal(v, b.get(k)) || [...b].some(([l, w]) => equal(k, l) && equal(v, w)));
  }
  const rest = b[Symbol.iterator]();
  for (const x of a) {
    const step = rest.next();
    if (step.done || !equal(x, step.value)) return false;
  }
  if (!rest.next().done) return false;
  const entries = (v) => [...Object.getOwnPropertySymbols(v).filter((s) => s !== Symbol.iterator).map((s) => [s, v[s]]), ...Object.entries(v)];
  return jestEqual(entries(a), entries(b));
}
iterable.tests = iterable;

const typed = (a, b) => a == null || b == null || isObject(a) && isObject(b) && (handleOf(a) ?? handleOf(b)) !== undefined || Array.isArray(a) && Array.isArray(b) || sameClass(a, b) ? undefined : false;
const sparse = (a, b, testers) => !Array.isArray(a) || !Array.isArray(b) ? undefined : jestEqual(a, b, testers.filter((t) => t !== sparse), true) && jestEqual(Object.keys(a), Object.keys(b));
const bytes = (a, b) => [a, b].every((v) => v instanceof ArrayBuffer) || [a, b].every((v) => ArrayBuffer.isView(v)) ? sameBytes(a, b) : undefined;
export const strictTesters = [iterable, typed, sparse, bytes];

// subset compares the members only that b has.
export const subset = (a, b, testers = []) => subsetOf(testers.filter((t) => t.tests !== subset), new Set())(a, b);
subset.tests = subset;
const hasKeys = (v) => isObject(v) && !asks(v) && ![Error, Array, Date, Set, Map].some((kind) => v instanceof kind);
const inChain = (v, k) => { for (let of = v; of !== null && of !== undefined; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, k)) return true; return false; };
function subsetOf(testers, open) {
  return Object.assign((a, b) => {
    if (!hasKeys(b) || open.has(b)) return undefined;
    const inner = new Set([...open, b]);
    const fields = handleOf(b) === undefined ? b : handleOf(b).owner.fieldsOf(b);
    return [...Object.keys(fields), ...symbolsOf(fields)].every((k) => a != null && inChain(a, k) && jestEqual(a[k], fields[k], hasKeys(fields[k]) && inner.has(fields[k]) ? testers : [...testers, subsetOf(testers, inner)]));
  }, { tests: subset });
}

export { asks, inChain };
