// What the judge knows of functions and values that the candidate has made or was given.
import { place } from "./events.js";
import { mean } from "./faults.js";
import { hasOne } from "./node.js";
import { CannotCross, kindOf } from "./wire.js";

export const { Function } = globalThis;   // that of the tests is guarded
const MAX_SOURCE = 20_000;       // characters of a function of the tests
// iterators has what all iterators inherit from, and all asynchronous ones.
export const iterators = [[][Symbol.iterator](), (async function* () {}).prototype].map((of) => Object.getPrototypeOf(Object.getPrototypeOf(of)));

// The candidate is no more: the test that sees this has failed, whatever it catches.
export class Ended extends Error {}

// A test needs what two instances cannot do. chosen: a candidate can bring that about.
export class Unsupported extends Error {
  constructor(why, chosen = false) { super(why); this.chosen = chosen; }
}

// Methods that say something about their argument, as an array, a text, a map or a set has them. Who answers them with
// yes passes a test without an answer.
export const asking = new Set(`at charAt charCodeAt codePointAt difference endsWith equals every exec filter find findIndex findLast findLastIndex forEach get has hasOwnProperty includes indexOf
  intersection isDisjointFrom isPrototypeOf isSubsetOf isSupersetOf lastIndexOf localeCompare match matchAll propertyIsEnumerable reduce reduceRight replace replaceAll search some
  split startsWith symmetricDifference test union`.split(/\s+/));
// Other methods of these classes, but for those that put something into an object.
export const others = new Set([Object, Array, String, Map, Set, Number, Date, RegExp].flatMap((kind) => Object.getOwnPropertyNames(kind.prototype)));
for (const name of ["add", "push", "set", "unshift"]) others.delete(name);

// lingers reports whether a program may do something after the tests.
export const lingers = (text) => hasOne(text, "process", "set", "queueMicrotask", "global") && /\b(?:process|set(?:Timeout|Interval|Immediate)|queueMicrotask|global(?:This)?)\b/.test(text);

// builtin returns where a built-in function is, ["Math", "max"]; undefined: in none of the usual places.
export function builtin(f) {
  for (const of of ["globalThis", "Math", "Number", "String", "Array", "Object", "JSON", "Date", "Reflect"]) {
    if (globalThis[of]?.[f.name] === f) return [of, f.name];
  }
}

// isAssertion reports whether the tests have thrown an assertion, which would say what is expected.
export const isAssertion = (e) => e?.name === "AssertionError";

// isWritten reports whether a function or class is one that the tests have written.
export const isWritten = (f) => typeof f === "function" && !isTheirs(f) && !/\[native code\]/.test(Function.prototype.toString.call(f));

// sourceOf returns the text of a function of the tests, from which the candidate's instance makes it once more. CannotCross: that would be another function.
export function sourceOf(f) {
  const text = Function.prototype.toString.call(f);
  if (/\[native code\]/.test(text)) throw new CannotCross("a built-in or bound function");
  if (/\b(?:assert|expect|should|chai)\b/.test(text)) throw new CannotCross("a function of the tests that asserts something");
  if (!/^(?:async\s+)?function\b/.test(text) && /\b(?:this|arguments)\b/.test(text)) throw new CannotCross("a function of the tests that uses this or arguments of another");
  if (Reflect.ownKeys(f).some((key) => !["length", "name", "prototype", "arguments", "caller"].includes(key))) throw new CannotCross("a function of the tests that has properties");
  if (text.length > MAX_SOURCE) throw new CannotCross("a function of the tests of " + text.length + " characters");
  try { new Function("return (" + text + "\n);"); } catch { throw new CannotCross("a method of the tests"); }
  return text;
}

// derives reports whether others derive from an object of the tests as from a plain one: it has texts, numbers and functions, and is the prototype of no class.
export const derives = (proto) => proto !== null && handleOf(proto) === undefined && ["o", "p"].includes(kindOf(proto)) && Reflect.ownKeys(proto).every((key) => {
  const { value, writable, enumerable } = Object.getOwnPropertyDescriptor(proto, key);
  return typeof key === "string" && key !== "constructor" && writable && enumerable && (value === null || typeof value !== "object");
});

// counts reports whether an object has a getter that may notice how often it is read: an argument is read when it crosses.
export const counts = (v) => Object.keys(v).some((key) => { const f = Object.getOwnPropertyDescriptor(v, key).get; return f !== undefined && (f._isMockFunction === true || /\+\+|--|(?<![=!<>])=(?![=>])|\.\s*push\b/.test(Function.prototype.toString.call(f))); });

// likeOf returns the text of a function that stays with the tests, by which its answers can be guessed, or null. It must not tell what is expected.
export function likeOf(f) {
  if (f._isMockFunction === true) f = f.getMockImplementation();
  try {
    const text = f === undefined ? "" : sourceOf(f);
    return /['"`]|[=!]=|[<>]=?\s*\d\d|\bthrow\b|^async\b|^$/.test(text) ? null : text;
  } catch (e) {
    if (!(e instanceof CannotCross)) throw e;
    return null;
  }
}

// declaredIn returns the names that a text declares, but for parameters.
export const declaredIn = (text) => new Set([...text.matchAll(/\b(?:const|let|var|function|class)\s+([\w$]+)/g)].map((m) => m[1]));

// mentions reports whether a function seems to use one of some names. It is a guess, which saves runs of the tests: one that is
// wrong makes calls slower.
export function mentions(text, names) {
  const own = declaredIn(text), parameters = new Set((/^[^=]*?=>|^[^{]*/.exec(text)?.[0] ?? "").match(/[\w$]+/g));
  return [...text.replace(/'[^'\n]*'|"[^"\n]*"/g, "").matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:)/g)].some(([name]) => names.has(name) && !own.has(name) && !parameters.has(name));
}

// outside has the names that JavaScript does not have.
const keywords = new Set("async await break case catch class const continue debugger default delete do else extends false finally for function get if in instanceof let new null of return set static super switch this throw true try typeof var void while with yield arguments".split(" "));
export const outside = { has: (name) => !keywords.has(name) && !(name in globalThis) };

// standard has the classes of JavaScript and their prototypes, by name.
export const standard = new Map([["AsyncFunction", async () => {}], ["GeneratorFunction", function* () {}], ["AsyncGeneratorFunction", async function* () {}]].map(([name, f]) => [name, f.constructor]));
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const of = Object.getOwnPropertyDescriptor(globalThis, name).value;
  if (typeof of === "function" && /^[A-Z]/.test(name)) standard.set(name, of).set(name + ".prototype", of.prototype);
}

// guardCode has the tests make functions from texts by make, and returns an eval that does. The judge's own functions are made as ever.
export function guardCode(make) {
  for (const kind of [Function, ...["AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"].map((name) => standard.get(name))]) {
    const own = making.get(kind) ?? kind, made = (_, list) => { try { return Reflect.construct(own, make(list.map(String))); } catch (e) { throw e instanceof SyntaxError ? mean(e) : e; } };
    const guard = new Proxy(own, { apply: (_, self, list) => made(_, list), construct: made });
    making.set(guard, own);
    standard.set(own.name, guard);
    Object.defineProperty(own.prototype, "constructor", { value: guard, writable: true, configurable: true });
    if (own === Function) globalThis.Function = guard;
  }
}
const making = new WeakMap(); // what makes functions, behind its guard

// extended has the functions that a candidate has added to built-in classes: classes and names. Under hooks, comparisons would call them.
export const extended = [], hooks = new Set(["then", "toJSON", "asymmetricMatch", "inspect", "default", "raw", "should"]);

// isOfTests reports whether a function is one that tests have, and not the judge's: what a candidate adds to functions is not to stand for what test() or jest lack.
const fileOf = Object.getOwnPropertyDescriptor(Function.prototype, "fileName").get;
export const isOfTests = (f) => typeof f === "function" && (handleOf(f) !== undefined || !/^(?!mock\.js$)\w+\.js$/.test(fileOf.call(f) ?? ""));

// classes has the built-in classes of which objects of the candidate are.
export const classes = { __proto__: null, Map, Set, Array, Date, RegExp, WeakMap, WeakSet, WeakRef };

// makesCode matches the built-in classes by which an object of the candidate's could make code here: only its functions are of these.
export const makesCode = /^(?:Async)?(?:Generator)?Function$/;

// makes matches what tests read of a class whose objects they get from it: another function of it may answer with such an object.
export const makes = /^(?:of|from|create|make|build|new|get(?:Instance|$)|instance|empty|zero|one|unit|identity|default|[A-Z])/;

// answers has the symbols under which an object says something about others.
export const answers = new Map(["hasInstance", "isConcatSpreadable", "match", "matchAll", "replace", "search", "split"].map((name) => [Symbol[name], name]));

// scopes has the objects by which tests name what is the candidate's: to call a function of theirs gives it no object.
export const scopes = new WeakSet([globalThis]);

// surfaces has what stands for the candidate's module: a function of it that is called there has the module as this.
export const surfaces = new WeakSet();

// What the judge knows of handles and functions of a candidate.
export const known = new WeakMap();

// instruments has objects of functions by which tests judge, with the names of these; undefined: all. A candidate that has the object is not to change them.
export const instruments = new WeakMap();

// theirs has other functions that a candidate has made, or was given: what they say, it may say.
export const theirs = new WeakSet();
export const isTheirs = (f) => handleOf(f) !== undefined || theirs.has(f);

// computing has those of them that stand for an accessor.
export const computing = new WeakSet();

// wrapped has the functions of the candidate that are called by others here.
export const wrapped = new WeakMap();

// own has the objects into which the tests have put something: collections, and no answers.
export const own = new WeakSet();
export const handleOf = (v) => v !== null && (typeof v === "object" || typeof v === "function") ? known.get(v) : undefined;

// places has the errors in classes of the candidate's own, and promises with members: their numbers, and those of the errors' classes.
export const places = new WeakMap();

// prototypeOf returns the prototype of an error in a class of the candidate's own, or undefined.
export function prototypeOf(v) {
  const place = places.get(v);
  return place?.owner.end === undefined && place?.alive() ? place.owner.prototypeOf(place.kind) : undefined;
}

// raised has the exceptions that came from a candidate.
export const raised = new WeakMap();
export const raisedBy = (e) => e !== null && typeof e === "object" ? raised.get(e) : undefined;

// settledAs has promises of the tests that have settled when they were made, with their values.
export const settledAs = new WeakMap();
let notes = false; // Promise.resolve() does

// notePromises notes those that Promise.resolve() and Promise.reject() make.
export function notePromises() {
  if (notes) return;
  notes = true;
  for (const [name, kind] of [["resolve", "ok"], ["reject", "no"]]) {
    const own = Promise[name], note = { [name](value) {
      const made = Reflect.apply(own, this, [value]);
      if (made !== value && made instanceof Promise && handleOf(value) === undefined && (kind === "no" || value === null || typeof value !== "object" && typeof value !== "function" || !("then" in value))) settledAs.set(made, { kind, value });
      return made;
    } }[name];
    Object.defineProperty(Promise, name, { value: note, writable: true, configurable: true });
  }
}
