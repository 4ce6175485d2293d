// The judge's side of a candidate: what tests see of it. Every byte that comes from the candidate passes
// through a Decoder, so that what a test compares is an exact built-in value, or a handle: an object that
// stays in the candidate's instance, and is known here by a number.
import { CustomEvent, Event, EventTarget, follow, place, stopped } from "./events.js";
import { guarded, mean } from "./faults.js";
import { Buffer, EventEmitter, Exit, hasOne, isModule, Timeout } from "./node.js";
import { unhandled, watch } from "./rejections.js";
import { builtFrom, CannotCross, Decoder, derived, Encoder, errors, Forged, isDerived, kindOf, measure, parse, recordNamed, records, Shared, symbolsOf } from "./wire.js";

const { Function } = globalThis;   // that of the tests is guarded
const MAX_ASKED = 200_000;       // requests to one candidate
const MAX_REQUEST = 8 << 20;      // characters
const MAX_ITEMS = 20_000;        // of all its iterators
const MAX_ANSWERED = 32 << 20;   // characters of all answers of one candidate
const MAX_HANDLES = 100_000;
const MAX_COMPARED = 20_000_000; // values of what both sides hold, as often as they are looked at
const MAX_AGAIN = 50_000;        // requests that are made again
const MAX_LOG = 16 << 20;         // characters of the requests to one instance
const MAX_SOURCE = 20_000;       // characters of a function of the tests
const SPARE = 500_000_000;       // fuel for what a wrong guess sets off
const FEW = 16, MANY = 100_000;  // guesses in a request, at first and at most

// How a peer ends, and the class of a test that it ends in.
const ends = { __proto__: null, exit: "exit", fuel: "fuel", memory: "memory", depth: "exception", trap: "exit", output: "output" };
export const words = {
  exit: "the candidate ended its process", fuel: "the candidate used up its fuel", memory: "the candidate used up its memory", depth: "the candidate's calls nested too deep",
  trap: "the candidate crashed", output: "the candidate's answer or output is too large",
};

// iterators has what all iterators inherit from, and all asynchronous ones.
const iterators = [[][Symbol.iterator](), (async function* () {}).prototype].map((of) => Object.getPrototypeOf(Object.getPrototypeOf(of)));

// The candidate is no more: the test that sees this has failed, whatever it catches.
export class Ended extends Error {}

// A test needs what two instances cannot do. chosen: a candidate can bring that about.
export class Unsupported extends Error {
  constructor(why, chosen = false) { super(why); this.chosen = chosen; }
}

// Methods that say something about their argument, as an array, a text, a map or a set has them. Who answers them with
// yes passes a test without an answer.
const asking = new Set(`at charAt charCodeAt codePointAt difference endsWith equals every exec filter find findIndex findLast findLastIndex forEach get has hasOwnProperty includes indexOf
  intersection isDisjointFrom isPrototypeOf isSubsetOf isSupersetOf lastIndexOf localeCompare match matchAll propertyIsEnumerable reduce reduceRight replace replaceAll search some
  split startsWith symmetricDifference test union`.split(/\s+/));
// Other methods of these classes, but for those that put something into an object.
const others = new Set([Object, Array, String, Map, Set, Number, Date, RegExp].flatMap((kind) => Object.getOwnPropertyNames(kind.prototype)));
for (const name of ["add", "push", "set", "unshift"]) others.delete(name);

// lingers reports whether a program may do something after the tests.
const lingers = (text) => hasOne(text, "process", "set", "queueMicrotask", "global") && /\b(?:process|set(?:Timeout|Interval|Immediate)|queueMicrotask|global(?:This)?)\b/.test(text);

// builtin returns where a built-in function is, ["Math", "max"]; undefined: in none of the usual places.
function builtin(f) {
  for (const of of ["globalThis", "Math", "Number", "String", "Array", "Object", "JSON", "Date", "Reflect"]) {
    if (globalThis[of]?.[f.name] === f) return [of, f.name];
  }
}

// isAssertion reports whether the tests have thrown an assertion, which would say what is expected.
const isAssertion = (e) => e?.name === "AssertionError";

// isWritten reports whether a function or class is one that the tests have written.
const isWritten = (f) => typeof f === "function" && !isTheirs(f) && !/\[native code\]/.test(Function.prototype.toString.call(f));

// sourceOf returns the text of a function of the tests, from which the candidate's instance makes it once more. CannotCross: that would be another function.
function sourceOf(f) {
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
const derives = (proto) => proto !== null && handleOf(proto) === undefined && ["o", "p"].includes(kindOf(proto)) && Reflect.ownKeys(proto).every((key) => {
  const { value, writable, enumerable } = Object.getOwnPropertyDescriptor(proto, key);
  return typeof key === "string" && key !== "constructor" && writable && enumerable && (value === null || typeof value !== "object");
});

// counts reports whether an object has a getter that may notice how often it is read: an argument is read when it crosses.
const counts = (v) => Object.keys(v).some((key) => { const f = Object.getOwnPropertyDescriptor(v, key).get; return f !== undefined && (f._isMockFunction === true || /\+\+|--|(?<![=!<>])=(?![=>])|\.\s*push\b/.test(Function.prototype.toString.call(f))); });

// likeOf returns the text of a function that stays with the tests, by which its answers can be guessed, or null. It must not tell what is expected.
function likeOf(f) {
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
function mentions(text, names) {
  const own = declaredIn(text), parameters = new Set((/^[^=]*?=>|^[^{]*/.exec(text)?.[0] ?? "").match(/[\w$]+/g));
  return [...text.replace(/'[^'\n]*'|"[^"\n]*"/g, "").matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:)/g)].some(([name]) => names.has(name) && !own.has(name) && !parameters.has(name));
}

// outside has the names that JavaScript does not have.
const keywords = new Set("async await break case catch class const continue debugger default delete do else extends false finally for function get if in instanceof let new null of return set static super switch this throw true try typeof var void while with yield arguments".split(" "));
const outside = { has: (name) => !keywords.has(name) && !(name in globalThis) };

// standard has the classes of JavaScript and their prototypes, by name.
const standard = new Map([["AsyncFunction", async () => {}], ["GeneratorFunction", function* () {}], ["AsyncGeneratorFunction", async function* () {}]].map(([name, f]) => [name, f.constructor]));
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const of = Object.getOwnPropertyDescriptor(globalThis, name).value;
  if (typeof of === "function" && /^[A-Z]/.test(name)) standard.set(name, of).set(name + ".prototype", of.prototype);
}

// guardCode has the tests make functions from texts by make, and returns an eval that does. The judge's own functions are made as ever.
export function guardCode(make) {
  for (const kind of [Function, ...["AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"].map((name) => standard.get(name))]) {
    const own = making.get(kind) ?? kind, made = (_, list) => Reflect.construct(own, make(list.map(String)));
    const guard = new Proxy(own, { apply: (_, self, list) => made(_, list), construct: made });
    making.set(guard, own);
    standard.set(own.name, guard);
    Object.defineProperty(own.prototype, "constructor", { value: guard, writable: true, configurable: true });
    if (own === Function) globalThis.Function = guard;
  }
}
const making = new WeakMap(); // what makes functions, behind its guard

// extended has the functions that a candidate has added to built-in classes: classes and names. Under hooks, comparisons would call them.
const extended = [], hooks = new Set(["then", "toJSON", "asymmetricMatch", "inspect", "default", "raw", "should"]);

// isOfTests reports whether a function is one that tests have, and not the judge's: what a candidate adds to functions is not to stand for what test() or jest lack.
const fileOf = Object.getOwnPropertyDescriptor(Function.prototype, "fileName").get;
const isOfTests = (f) => typeof f === "function" && (handleOf(f) !== undefined || !/^(?!mock\.js$)\w+\.js$/.test(fileOf.call(f) ?? ""));

// classes has the built-in classes of which objects of the candidate are.
const classes = { __proto__: null, Map, Set, Array, WeakMap, WeakSet, WeakRef };

// makesCode matches the built-in classes by which an object of the candidate's could make code here: only its functions are of these.
const makesCode = /^(?:Async)?(?:Generator)?Function$/;

// makes matches what tests read of a class whose objects they get from it: another function of it may answer with such an object.
const makes = /^(?:of|from|create|make|build|new|get(?:Instance|$)|instance|empty|zero|one|unit|identity|default|[A-Z])/;

// answers has the symbols under which an object says something about others.
const answers = new Map(["hasInstance", "match", "matchAll", "replace", "search", "split"].map((name) => [Symbol[name], name]));

// scopes has the objects by which tests name what is the candidate's: to call a function of theirs gives it no object.
export const scopes = new WeakSet([globalThis]);

// What the judge knows of handles and functions of a candidate.
const known = new WeakMap();

// theirs has other functions that a candidate has made, or was given: what they say, it may say.
const theirs = new WeakSet();
export const isTheirs = (f) => handleOf(f) !== undefined || theirs.has(f);

// computing has those of them that stand for an accessor.
const computing = new WeakSet();

// wrapped has the functions of the candidate that are called by others here.
const wrapped = new WeakMap();

// own has the objects into which the tests have put something: collections, and no answers.
const own = new WeakSet();
export const handleOf = (v) => v !== null && (typeof v === "object" || typeof v === "function") ? known.get(v) : undefined;

// places has the errors in classes of the candidate's own: their numbers, and those of their classes.
const places = new WeakMap();

// prototypeOf returns the prototype of an error in a class of the candidate's own, or undefined.
export function prototypeOf(v) {
  const place = places.get(v);
  return place?.owner.end === undefined && place?.alive() ? place.owner.prototypeOf(place.kind) : undefined;
}

// raised has the exceptions that came from a candidate.
const raised = new WeakMap();
export const raisedBy = (e) => e !== null && typeof e === "object" ? raised.get(e) : undefined;

// settledAs has promises of the tests that have settled when they were made, with their values.
const settledAs = new WeakMap();
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

// A Candidate is a program in the peer. It is loaded when it is first needed, and again after it has ended.
export class Candidate {
  fuel = 0;
  asked = 0;
  uses = 0;            // of them, those for which the program runs
  both = new Shared(0);
  promises = new Map();  // by number: those of the candidate from 0, those of the tests below
  numbers = new WeakMap();
  pending = 0;           // promises of the candidate that have not settled
  settled = [];          // promises of the tests that have, as the candidate is to learn
  events = [];           // calls of functions of the tests that print
  told = undefined;      // what the candidate is to know of the tests before its next request
  mocks = "[]";          // what it knows of functions that the tests have replaced
  replaced = () => [];   // what they have replaced
  clock = undefined;
  fixed = undefined;   // its time, as it knows it
  log = [];              // the requests to this instance, with the answers of functions of the tests that each has called
  logged = 0;            // characters of them
  again = 0;             // requests that were made again
  guesses = 0;           // calls of functions of the tests that the candidate's instance may answer by a guess; 0: it is as the program began
  trust = FEW;           // of them, the next time
  confirming = false;    // they are checked
  calls = false;         // a function of the tests answers
  ran = 0;               // fuel of this instance
  limited = false;       // it has less than the candidate has left
  stay = new Set();      // texts of functions of the tests that use what stays with the tests
  importing = false;     // the tests import what it exports
  watches = 0;           // 1: they may look for changes of what objects inherit; 2: all objects; 3: or of the global object
  declared = new Set();  // names that the tests declare
  patches = false;       // they may replace methods of classes
  computes = false;      // they may have objects with getters
  entry = undefined;     // the request that waits for a function of the tests
  rerun = false;         // the tests are to run again: one more function stays
  now = 0;               // as the candidate knows it
  until = 0;             // when the request that runs ends at the latest
  turns = 0;             // that have changed nothing
  counts = false;        // the tests wait for single steps of promises
  due = undefined;       // when it has something to do
  marked = false;        // it is to do that soon
  busy = false;          // it may have something to do now
  answered = 0;
  taken = 0;
  exhausted = false;   // its fuel is used up: no test can pass any more
  end = undefined;     // class and words of how it ended
  missed = 0;          // requests that it has not answered
  threw = 0;           // what it has thrown
  thrownValue = undefined; // the last exception that is no object
  rejection = undefined; // what a promise of its own was rejected with, which nothing has handled
  unsupported = undefined;
  chosen = false;      // whether it can bring about what is unsupported
  started = false;
  loaded = false;
  last = undefined;    // the last call: name and arguments
  lacked = undefined;  // what it has asked for and the runtime has not
  objects = new Map(); // handles by number
  symbols = new Map(); // symbols of the candidate by number
  tokens = [];         // symbols of the tests that it has
  timers = [];         // timers of the tests that it has: what ends each
  iterators = [];      // iterators of the tests that it has
  signals = [];        // signals of the tests that it has
  emitters = [];       // emitters of the tests that it has
  heard = new WeakSet(); // functions of the tests that it has called
  awaits = false;      // the test has read then of an object of the candidate
  given = new Map();   // functions of the tests that it has, with their texts; they are numbered in order
  classes = new Map();
  named = new Set();   // its classes that the tests name
  recorded = new Set(); // classes of the tests that it has

  constructor(program, budget, testFuel) {
    this.program = program;
    this.budget = budget;
    this.testFuel = testFuel;
  }

  // start takes a new instance for what comes next.
  start() {
    const left = this.budget === undefined ? undefined : this.budget - this.fuel;
    if (this.exhausted || left <= 0) {
      this.exhausted = true;
      throw this.ends("fuel", words.fuel);
    }
    const fuel = [left, this.testFuel].filter((n) => n !== undefined);
    if (this.started || fuel.length > 0) peer.restart(fuel.length > 0 ? { fuel: Math.min(...fuel) } : {});
    [this.guesses, this.ran, this.limited] = [0, 0, false];
    this.started = true;
    this.end = this.lacked = undefined;
    this.loaded = false;
    this.objects = new Map();
    this.symbols = new Map();
    this.tokens = [];
    this.timers = [];
    this.iterators = [];
    this.signals = [];
    this.emitters = [];
    this.given = new Map();
    this.classes = new Map();
    this.named = new Set();
    this.recorded = new Set();
    this.derivedFrom = new Map();
    [this.both, this.promises, this.numbers, this.pending, this.settled, this.events] = [new Shared(0), new Map(), new WeakMap(), 0, [], []];
    [this.told, this.mocks, this.due, this.busy, this.log, this.logged, this.now, this.fixed] = [undefined, "[]", undefined, false, [], 0, 0, undefined];
  }

  // prepare collects what the candidate is to know before its next request.
  prepare() {
    if (this.told !== undefined) return;
    const changed = this.both.changed(this.calls), now = this.clock?.now ?? 0, replaced = this.replaced(), fixed = this.clock?.fixed;
    if (fixed === this.fixed && changed.length === 0 && this.settled.length === 0 && replaced.length === 0 && this.mocks === "[]" && now === this.now) {
      if (this.confirming) { this.told = null; return; }
      const gone = this.both.gone(this.both.compared > MAX_COMPARED);
      this.told = gone.length === 0 ? null : { now, gone, changes: [], settled: [] };
      return;
    }
    this.now = now;
    const settled = this.settled.splice(0).map(([n, kind, v]) => [n, kind, v, kind === "no" && isAssertion(v) ? this.opaque(v) : undefined]), encoder = this.encoder(), changes = [];
    try {
      for (const [id, v] of changed) {
        changes.push(id, encoder.contents(v));
        this.both.seen(id, v);
      }
      changed.length = 0; // it lets go what the tests do not hold
      const told = { now, gone: this.both.gone(this.both.compared > MAX_COMPARED), changes, settled: settled.map(([n, kind, v, coded]) => [n, kind, coded ?? encoder.encode(v)]) };
      if (fixed !== this.fixed) [this.fixed, told.date] = [fixed, fixed === undefined ? null : this.clock.date];
      if (replaced.length > 0 || this.mocks !== "[]") {
        const mocks = replaced.map(([path, key, f]) => [path, key, path === "console" || path === "process.stdout" ? null : this.mock(path + "." + key, f)]), text = JSON.stringify(mocks);
        if (text !== this.mocks) [told.mocks, this.mocks] = [mocks, text];
      }
      encoder.commit();
      this.told = told;
    } catch (e) {
      if (e instanceof CannotCross) throw this.lacks("the tests share with the candidate " + e.message + ", which cannot cross", this.uses > 0 && !e.tests);
      throw e;
    }
  }

  // mock writes a function that the tests have put in place of a built-in one: its value, if it has one and changes nothing, or its text.
  mock(name, f) {
    const [, module, key] = /^node:(\w+)\.(\w+)$/.exec(name) ?? [];
    if (module !== undefined && new RegExp("\\bimport\\b[^;'\"]*\\b" + key + "\\b[^;'\"]*\\bfrom\\s*['\"](?:node:)?" + module + "['\"]").test(this.program.output)) throw this.lacks("the tests replace " + key + " of " + module + ", which the candidate imports by its name", true);
    if (typeof f === "string") return ["of", f];
    const text = typeof f === "function" && handleOf(f) === undefined ? Function.prototype.toString.call(f) : "";
    if (/^\(\)\s*=>\s*[\w$.]+(?:\s*[-+*]\s*[\w$.]+)*$/.test(text) && !/\b(?:await|yield)\b/.test(text)) {
      const v = f();
      if (typeof v === "number") return ["is", v];
    }
    try { if (text !== "") return this.give(f); } catch (e) { if (!(e instanceof CannotCross)) throw e; }
    this.stayed.add(name);
    return ["stays", name];
  }

  // hear reads what has changed at the candidate.
  hear(sync) {
    if (sync === null) return;
    if (!Array.isArray(sync) || sync.length !== 6 || typeof sync[0] !== "number" || ![2, 3, 4, 5].every((k) => Array.isArray(sync[k]))) throw new Forged("what has changed");
    const [now, due, gone, changes, settled, events] = sync, decoder = this.decoder();
    this.clock?.advance(Math.min(now, this.until)); // only what it waits for takes time
    this.due = typeof due === "number" ? due : undefined;
    decoder.refill(changes);
    for (const row of settled) {
      if (!Array.isArray(row) || row.length !== 3 || !Number.isInteger(row[0]) || row[0] < 0) throw new Forged("a promise");
      const [n, kind, coded] = row, v = kind === "not" ? this.answersWith(coded) : kind === "no" ? this.thrown(coded) : decoder.decode(coded);
      const p = this.promiseOf(n);
      if (p.ended) continue;
      p.ended = true;
      this.pending--;
      if (kind === "ok") p.ok(v); else p.no(v);
    }
    for (const event of events) {
      if (!Array.isArray(event) || typeof event[0] !== "string" || !/^(?:console|process)\./.test(event[0])) throw new Forged("an event");
      this.events.push([event[0], event.slice(1).map((x) => decoder.decode(x))]);
    }
    for (const id of gone) this.both.drop(id);
    if (decoder.refers || changes.length > 0) for (let k = 0; k < changes.length; k += 2) this.measure(this.both.valueOf(changes[k]) ?? null);
  }

  measure(v) { measure(v, (v) => { const h = handleOf(v); return h === undefined ? undefined : h.fields ?? null; }); }

  // deliver calls what the tests have put in place of functions that print.
  deliver() {
    for (const [name, list] of this.events.splice(0)) {
      const found = this.replaced().find(([path, key]) => path + "." + key === name);
      if (found !== undefined) Reflect.apply(found[2], undefined, list);
    }
  }

  // mark has the candidate do what its promises wait for as soon as the tests wait for something.
  mark() {
    this.busy = true;
    if (this.marked) return;
    this.marked = true;
    Promise.resolve().then(() => {
      this.marked = false;
      try { if (this.busy && this.unsupported === undefined) this.turn(-1); } catch (e) { this.clock?.fails(e); }
    });
  }

  // turn has the candidate do what is left to do, up to the time of the tests' next timer.
  turn(limit) {
    if (this.end !== undefined || !this.loaded || !this.busy && (this.due === undefined || limit < this.due)) return false;
    const { asked, pending } = this;
    this.waits(limit ?? 1e15, "turn", limit ?? null);
    this.asked = asked;
    this.busy = false;
    this.turns = this.pending < pending ? 0 : this.turns + 1;
    if (this.turns > MAX_ITEMS) throw this.ends("output", "the candidate's timers do not end");
    this.deliver();
    return true;
  }

  // ticks has the candidate do what process.nextTick was given, before what promises wait for.
  ticks() {
    if (this.end !== undefined || !this.loaded || !this.program.output.includes("nextTick")) return;
    const { asked } = this;
    this.ask("ticks");
    this.asked = asked;
    this.deliver();
  }

  // checkNatural refuses a test for whose end the candidate has changed what all programs have, for which the tests look.
  checkNatural() {
    if (this.watches === 0 || this.end !== undefined || !this.loaded) return;
    const { asked } = this;
    this.ask("unchanged");
    this.asked = asked;
  }

  // finish has the candidate's process end after the tests. It throws if that fails. timers: those that are left run.
  finish(timers) {
    if (this.end !== undefined || !this.loaded || !lingers(this.program.prompt + this.program.texts[this.program.used])) return;
    const { asked } = this, code = this.waits(1e15, "finish", timers)[1];
    this.asked = asked;
    this.deliver();
    if (code === null) throw this.ends("fuel", "the candidate's timers keep the program from its end");
    if (code !== 0) throw this.ends("exit", "the candidate's process ends with exit code " + (Number.isInteger(code) ? code : "that is no number"));
  }

  // advance runs timers of both sides up to a time, as Jest's fake timers do.
  advance(until) {
    for (let k = 0; ; k++) {
      const due = this.clock.due(), next = Math.min(due ?? Infinity, this.due ?? Infinity);
      if (!(next <= until) || next === Infinity) break;
      if (k > 100_000) throw this.lacks("the timers of the tests and of the candidate do not end", true);
      if (this.due === next) {
        const limit = Math.min(until, due ?? Infinity, 1e15);
        const ran = this.waits(limit, "advance", limit)[1];
        this.deliver();
        k += Number.isInteger(ran) && ran > 0 ? ran - 1 : 0;
      } else this.clock.run();
    }
    if (until < Infinity) this.clock.advance(until);
  }

  // nextDue returns when the next timer of either side runs, and lastDue when the last does that there is; undefined: there is none.
  nextDue() {
    const due = Math.min(this.clock.due() ?? Infinity, this.due ?? Infinity);
    return due < Infinity ? due : undefined;
  }

  lastDue() {
    const there = this.due === undefined ? undefined : this.ask("lastDue")[1], last = Math.max(this.clock.last() ?? -Infinity, typeof there === "number" ? there : -Infinity);
    return last > -Infinity ? last : undefined;
  }

  // keptDue returns when the candidate's next timer runs that keeps the program.
  keptDue() {
    if (this.due === undefined || this.end !== undefined) return Infinity;
    const { asked } = this, at = this.ask("kept")[1];
    this.asked = asked;
    return typeof at === "number" ? at : Infinity;
  }

  // timerCount returns how many timers both sides have, and clearTimers ends them.
  timerCount() {
    const there = this.due === undefined ? 0 : this.ask("timerCount")[1];
    return this.clock.count + (typeof there === "number" ? there : 0);
  }

  clearTimers() {
    this.clock.clearAll();
    if (this.due !== undefined) this.ask("clearTimers");
  }

  // waits is ask for a request that may take time.
  waits(until, ...request) {
    this.until = until;
    try { return this.ask(...request); } finally { this.until = 0; }
  }

  // promiseOf returns a promise of the candidate, and what settles it.
  promiseOf(n) {
    if (this.counts && this.clock?.frozen) throw this.lacks("the tests count the steps of promises, with fake timers", true);
    if (!this.promises.has(n)) {
      const p = { ended: false };
      p.promise = new Promise((ok, no) => Object.assign(p, { ok, no }));
      p.watched = watch(p.promise);
      this.promises.set(n, p);
      this.numbers.set(p.promise, n);
      this.pending++;
    }
    return this.promises.get(n);
  }

  // awaited returns how many promises of the candidate the tests wait for, and have not settled.
  awaited() { return this.pending === 0 ? 0 : [...this.promises.values()].filter((p) => p.ended === false && p.watched.handled).length; }

  // promise writes a promise of the tests, or one of the candidate. One that is known to have settled comes with its value: it is as early as others there.
  promise(v, encoder) {
    let n = this.numbers.get(v);
    if (n === undefined) {
      n = -1 - this.settling++;
      this.numbers.set(v, n);
      this.promises.set(n, { promise: v });
      const open = unhandled.has(v), { kind, value } = open ? { kind: "no", value: unhandled.get(v) } : settledAs.get(v) ?? {};
      if (kind === "ok" || kind === "no" && !isAssertion(value)) {
        const coded = encoder.encode(value);
        v.catch(() => {}); // the candidate has it
        if (open) this.promises.get(n).watched = watch(v);
        return ["P", n, kind, coded, open ? 1 : 0];
      }
      const { promises } = this, tell = (kind) => (v) => { if (this.promises === promises) { this.settled.push([n, kind, v]); this.mark(); } };
      v.then(tell("ok"), tell("no"));
    }
    if (n >= 0) v.catch(() => {}); // it goes back to the candidate, which handles it
    return ["P", n];
  }

  settling = 0;

  // anew has the tests run once more, with a new instance.
  anew() {
    const { program, budget, testFuel, stay, again } = this;
    Object.assign(this, new Candidate(program, budget, testFuel), { stay, again: again + 1, started: true });
  }

  ends(kind, why) {
    this.missed++;
    this.end = [kind, why];
    return new Ended(why);
  }

  // lacks remembers that a test needs what cannot cross: a test may catch the error.
  lacks(why, chosen = false) {
    if (this.unsupported === undefined) [this.unsupported, this.chosen] = [why, chosen];
    return new Unsupported(why, chosen);
  }

  // ask returns the kind of an answer, its body, and changes. It throws Ended, or what the candidate threw.
  ask(...request) {
    if (this.end !== undefined) throw this.ends(...this.end);
    this.prepare();
    const { told } = this;
    this.told = undefined;
    if (request[0] !== "turn") this.turns = 0;
    if (!["load", "name", "constant", "exported", "callable", "ticks", "turn", "finish", "kept", "unchanged"].includes(request[0])) this.uses++;
    this.mark();
    if (++this.asked > MAX_ASKED) throw this.lacks("the tests ask the candidate more than " + MAX_ASKED + " times", true);
    const asked = [request[0], told, ...request.slice(1)], text = this.written(asked), within = this.entry, entry = within ?? { text, answers: [] };
    this.logged += text.length;
    if (within === undefined) this.log.push(entry);
    else {
      entry.answers.push(["ask", asked]);
      this.repeat(entry);
    }
    let reply = this.answer(entry, within === undefined);
    while (reply[0] === "c" || reply[0] === "b" && within === undefined) {
      if (reply[0] === "b") {
        const text = this.confirmed(reply[1], entry);
        if (text !== undefined) {
          entry.reply = text;
          reply = this.read(text);
          continue;
        }
      } else {
        entry.answers.push(reply[2] === null);
        entry.answers.push(this.callOf(reply[1], entry));
      }
      this.guesses = this.trust;
      this.repeat(entry);
      reply = this.answer(entry, within === undefined);
    }
    if (within !== undefined) {
      if (reply[0] !== "r" || typeof reply[1] !== "string") throw this.forged(new Forged("an answer of no kind"));
      reply = this.read(reply[1]);
    }
    const [kind, body] = reply;
    switch (kind) {
      case "v": case "f": case "end": return reply;
      case "o": throw this.ends("output", words.output);
      case "q": throw this.ends("exit", "the candidate called process.exit(" + (Number.isInteger(body) ? body : "") + ")");
      case "n":
        throw this.answersWith(body);
      case "x": {
        const e = this.thrown(body);
        if (body[2] === "rejected" && ["turn", "finish"].includes(request[0])) this.rejection = { e };
        this.deliver();
        if (this.rejection?.e === e && Number.isInteger(body[3]) && this.promises.get(body[3])?.watched?.handled) { // the tests handle it themselves
          this.rejection = undefined;
          return ["v", request[0] === "finish" ? 0 : null, null];
        }
        throw e;
      }
      case "g": {
        const [name, n] = Array.isArray(body) ? body : [], text = Number.isInteger(n) ? [...this.given.values()][n] : undefined;
        if (name === "new" && text === null) throw this.lacks("the candidate makes an object with a function that stays with the tests", true);
        if (typeof name === "string" && n === null && this.stayed.has(name)) throw this.lacks("the tests define " + name + ", which stays with them", true);
        if (typeof name === "string" && typeof text === "string" && text.includes(name) && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) {
          this.rerun ||= !this.stay.has(text);
          this.stay.add(text);
          throw this.lacks("the tests pass a function that uses " + name + ", which stays with the tests", true);
        }
      }
    }
    throw this.forged(new Forged("an answer of no kind"));
  }

  // confirmed has the functions of the tests answer calls that were answered by a guess. It returns the reply that comes after them, or undefined if one is wrong.
  confirmed(body, entry) {
    if (!Array.isArray(body) || body.length !== 2 || !Array.isArray(body[0]) || typeof body[1] !== "string") throw this.forged(new Forged("guesses"));
    const [rows, text] = body;
    for (const row of rows) {
      if (!Array.isArray(row) || row.length !== 5) throw this.forged(new Forged("a guess"));
      const [n, self, args, sync, guess] = row;
      this.checked(() => this.hear(sync));
      const before = entry.answers.push(sync === null);
      this.confirming = true;
      let answer;
      try { answer = this.callOf([n, self, args], entry); } finally { this.confirming = false; }
      const asked = entry.answers.length > before, [kind, told, coded] = answer;
      entry.answers.push(answer);
      if (asked || kind !== "ok" || told !== null || JSON.stringify(coded) !== JSON.stringify(guess)) {
        this.trust = Math.max(FEW, this.trust >> 2);
        return undefined;
      }
    }
    if (rows.length >= this.trust) this.trust = Math.min(MANY, this.trust << 2);
    return text;
  }

  // callOf returns what a function of the tests answers that the candidate has called.
  callOf(body, entry) {
    const call = this.checked(() => {
      if (!Array.isArray(body) || body.length !== 3 || !Array.isArray(body[2])) throw new Forged("a call");
      const f = [...this.given.keys()][body[0]], decoder = this.decoder();
      if (typeof f !== "function") throw new Forged("a call of nothing");
      const call = [f, decoder.decode(body[1]), body[2].map((x) => decoder.decode(x))];
      if (decoder.refers && [body[1], ...body[2]].some((x) => Array.isArray(x) && x.length > 2)) this.measure(call); // a value that both have was measured
      return call;
    });
    let kind = "ok", v;
    this.heard.add(call[0]);
    const before = this.entry;
    this.entry = entry;
    try {
      this.deliver();
      v = Reflect.apply(...call);
    } catch (e) {
      [kind, v] = ["no", e];
    } finally {
      this.entry = before;
    }
    this.calls = true;
    try { return this.answerOf(kind, v); } finally { this.calls = false; }
  }

  // answerOf writes what a function of the tests has answered, and what has changed.
  answerOf(kind, v) {
    if (this.unsupported !== undefined) throw new Unsupported(this.unsupported, this.chosen);
    const hidden = kind === "no" && (isAssertion(v) || v instanceof Exit);
    if (hidden) this.prepare();
    const coded = hidden ? this.opaque(v) : this.encoded([v], "answer a call of their function")[0], { told } = this;
    this.told = undefined;
    return [kind, told, coded];
  }

  // opaque writes an error of the tests that the candidate is to learn nothing from.
  opaque(e) {
    const known = this.both.idOf(e), id = known ?? this.both.next;
    if (known !== undefined) return ["@", known];
    this.both.next += 2;
    this.both.add(id, e);
    this.both.seen(id, e);
    return ["e" + id, ["Error"], "an assertion of the tests fails", "Error", 0, null];
  }

  // repeat has a new instance answer all requests before this one as it has before.
  repeat(entry) {
    if (this.logged > MAX_LOG || (this.again += this.log.length) > MAX_AGAIN) throw this.lacks("the candidate calls functions of the tests too often", true);
    const left = this.budget === undefined ? undefined : this.budget - this.fuel, fuel = [left, this.testFuel].filter((n) => n !== undefined);
    if (left <= 0) throw this.lacks("the candidate uses up its fuel when it calls functions of the tests", true);
    const most = SPARE + 32 * this.ran; // a wrong guess may have it run for ever
    this.limited = this.guesses > 0 && !fuel.some((n) => n <= most);
    if (this.limited) fuel.push(most);
    this.ran = 0;
    peer.restart(fuel.length > 0 ? { fuel: Math.min(...fuel) } : {});
    for (const before of this.log) if (before !== entry && this.said(before) !== before.reply) throw this.lacks("the candidate does not repeat what it has answered", true);
  }

  // said returns what the candidate answers.
  said(entry, guesses = 0) {
    const { end, payload, fuel } = peer.call("[" + JSON.stringify(entry.answers) + "," + entry.text + (guesses > 0 ? "," + guesses : "") + "]");
    this.fuel += fuel;
    this.ran += fuel;
    if (end !== "answer" && (guesses > 0 || this.limited)) {
      if (guesses > 0) [this.guesses, this.trust] = [0, FEW]; // one may have been wrong
      this.repeat(entry);
      return this.said(entry);
    }
    if (end !== "answer") {
      if (this.again > 0 && ["fuel", "memory"].includes(end)) throw this.lacks("the candidate uses up its " + end + " when it calls functions of the tests", true);
      if (end === "fuel" && (this.testFuel === undefined || fuel === 0)) this.exhausted = true;
      const said = payload.slice(0, 300);
      if (end === "trap" && said.includes("out of memory")) throw this.ends("memory", words.memory);
      if (end === "trap" && said.includes("that nothing settles")) throw this.ends("exception", "the candidate's promise never settles");
      throw this.ends(ends[end] ?? "exit", words[end] + (end === "exit" ? " (exit code " + said + ")" : end === "trap" && said ? ": " + said : ""));
    }
    return entry.reply = payload;
  }

  // answer returns the kind of an answer, its body, and what has changed.
  answer(entry, guesses = false) {
    const text = this.said(entry, guesses ? this.guesses : 0);
    if ((this.answered += text.length) > MAX_ANSWERED) throw this.ends("output", "the candidate's answers have more than " + (MAX_ANSWERED >> 20) + " MiB");
    return this.read(text);
  }

  read(text) {
    let reply;
    try {
      reply = parse(text);
      if (reply.length === 4 && typeof reply[3] === "string") this.lacked = reply.pop().slice(0, 100).toWellFormed();
      if (reply.length !== 3) throw new Forged("an answer of no kind");
      this.hear(reply[2]);
      return reply;
    } catch (e) {
      throw this.forged(e);
    }
  }

  // written writes a request. What is too large for one is the tests'.
  written(request) {
    let text;
    try { text = JSON.stringify(request); } catch (e) { if (!(e instanceof InternalError)) throw e; }
    if (text === undefined || text.length > MAX_REQUEST) throw this.lacks("the tests pass more than " + (MAX_REQUEST >> 20) + " MiB at once", this.uses > 0);
    return text;
  }

  forged(e) {
    const fails = e instanceof RangeError || e instanceof TypeError || e instanceof InternalError;
    if (e instanceof Forged || fails && this.uses === 0) return this.ends("output", "the candidate's answer cannot be read: " + e.message.slice(0, 200));
    if (!fails) return e;
    return this.lacks("the judge fails by itself on an answer of the candidate: " + e.message.slice(0, 200), true); // a defect of its own, or what a candidate forges
  }

  // answersWith refuses an answer that cannot cross. It is no exception of the candidate's, which tests may expect.
  answersWith(why) {
    this.uses++; // that has let it choose, if it is only loaded
    return this.lacks("the candidate answers with " + String(why).slice(0, 300), true);
  }

  note(e, line) {
    if (e !== null && typeof e === "object") raised.set(mean(e), { line });
    else this.thrownValue = { value: e, line };
    return e;
  }

  // thrown returns what the candidate threw. Before it is loaded, there is also which text was run, and how many lines precede it.
  thrown(body) {
    this.threw++;
    try {
      const [coded, line, used, before] = body, e = this.decoder().decode(coded);
      if (!this.loaded) this.program.ran(used, before);
      this.measure(e);
      if (raisedBy(e) !== undefined) { raisedBy(e).line = Number.isInteger(line) ? line : 0; return e; }
      return this.note(e, Number.isInteger(line) ? line : 0);
    } catch (e) {
      return this.forged(e);
    }
  }

  // load loads the program, and returns what the names are: ["F", whether it uses this, its number] for a function, ["A"] for an export that is computed each time, ["V"], or undefined.
  load(wanted = []) {
    this.start();
    const p = this.program, [, body] = this.waits(1e15, "load", p.prompt, p.texts, wanted, this.importing, ...this.watches > 0 ? [this.watches] : []);
    try {
      const [used, before, kinds, added, plain] = body;
      this.plain = plain === 1;
      if (!Array.isArray(kinds) || kinds.length !== wanted.length || !p.ran(used, before)) throw new Forged("not what it was asked");
      this.loaded = true;
      this.extend(added);
      return kinds.map((k) => this.kind(k));
    } catch (e) {
      throw this.forged(e);
    }
  }

  plain = false;         // its module is a plain object
  iterates = false;      // the tests may list what values inherit
  listed = false;        // the candidate has added to that
  mentioned = new Set(); // names of functions that the tests call, or read of a prototype

  // extend adds the functions to built-in classes that the candidate has added, and that the tests mention.
  extend(list) {
    for (const [of, name] of extended.splice(0)) delete of[name];
    if (!Array.isArray(list) || list.length > 100) throw new Forged("functions of built-in classes");
    for (const [path, name, coded, enumerable] of list) {
      const of = /^(?:Array|String|Number|Boolean|Function|Date|Promise|Map|Set|RegExp)(?:\.prototype)?$|^Object$/.test(path) ? standard.get(path) : undefined;
      if (of === undefined || typeof name !== "string") throw new Forged("a function of a built-in class");
      if (!this.mentioned.has(name) && !(enumerable === true && this.iterates) || name in of || asking.has(name) || hooks.has(name)) continue;
      const value = this.decoder().decode(coded);
      if (handleOf(value)?.isFunction !== true) throw new Forged("a function of a built-in class");
      if (of === Function.prototype) Object.defineProperty(of, name, { get() { return isOfTests(this) ? value : undefined; }, set(value) { Object.defineProperty(this, name, { value, configurable: true, writable: true }); }, configurable: true });
      else Object.defineProperty(of, name, { value, configurable: true, writable: true, enumerable: enumerable === true });
      extended.push([of, name]);
      this.listed ||= enumerable === true && this.iterates;
    }
  }

  kind(k) {
    if (k === null) return undefined;
    if (!Array.isArray(k) || k[0] !== "V" && k[0] !== "A" && !(k[0] === "F" && Number.isInteger(k[2]) && k[2] >= 0)) throw new Forged("a name of no kind");
    return k;
  }

  computed = new Set(); // names of exports that have a getter

  kindOf(name) { return this.checked(() => this.kind(this.ask("name", name)[1])); }

  // resolve returns what tests see under a name; undefined if the candidate has none.
  resolve(name, kind) {
    kind ??= this.kindOf(name);
    if (kind?.[0] === "A") this.computed.add(name);
    if (kind?.[0] !== "F") return kind === undefined ? undefined : this.value(this.ask("constant", name));
    const known = this.objects.get(kind[2]), h = handleOf(known); // it has come as a value before
    if (h?.isFunction) {
      if (/^[A-Z]/.test(name)) h.byName = true;
      return known;
    }
    const f = this.callable(name, name, kind[1] === 1);
    if (!this.objects.has(kind[2])) this.objects.set(kind[2], f); // what is returned under its number is the same function
    return f;
  }

  // exported returns what the candidate exports by default; undefined: nothing. named: the tests have it under the name of a class.
  exported(named = false) {
    const reply = this.ask("exported");
    if (reply[1] === null) return undefined;
    const v = this.value(reply);
    if (named && handleOf(v)?.isFunction) handleOf(v).byName = true;
    return v;
  }

  // replace puts a function in the place of what the candidate exports under a name; undefined: what was there.
  replace(name, v) {
    const replaced = v === undefined || typeof v === "function" ? this.ask("export", name, ...v === undefined ? [] : this.encoded([v], "replace " + name))[1] : false;
    if (replaced !== true) throw this.lacks("the tests replace " + name + " in the candidate's module");
  }

  checked(f) {
    try { return f(); } catch (e) { throw this.forged(e); }
  }

  // callableModule returns a module that is a function; undefined: it is none.
  callableModule() {
    if (this.ask("callable")[1] !== true) return undefined;
    const v = this.exported();
    return handleOf(v)?.isFunction === true ? v : undefined;
  }

  // exportNames returns the names that the module exports. sorted: the tests import it as a module, whose names are in this order.
  exportNames(sorted) {
    const [, names] = this.ask("module");
    if (!sorted && isModule(this.program.texts[this.program.used]) || !Array.isArray(names) || !names.every((name) => typeof name === "string")) throw this.lacks("the tests list what the module exports", true);
    return [...new Set(names)];
  }

  // isMadeBy reports whether an object of the candidate is of a class of Node that both instances have.
  isMadeBy(v, name) { return this.ask("madeBy", handleOf(v).target, name)[1] === true; }

  stayed = new Set(); // what the tests define or replace, and cannot cross

  decoder() {
    const decoder = new Decoder((v, decoder) => this.decoded(v, decoder), (v) => this.exception(v), this.both);
    decoder.member = (key, x, of) => this.given.has(x) && asking.has(key) ? () => { throw this.saysYes(key); } : key === "toString" && of instanceof Error ? this.ownText(x) : Decoder.prototype.member(key, x);
    decoder.converts = (key) => { throw this.lacks("the candidate puts " + (key.description ?? key) + " into a value that both instances hold", true); };
    return decoder;
  }

  // saysYes: nobody can tell a collection of the candidate's own from an answer that says yes.
  saysYes(key) { return this.lacks("the tests call " + key + "() of an object that a function of the candidate returned and whose class they do not name", true); }

  // asks is called when the tests call a method of an object that the candidate returned. of is the object, or what is known of it.
  asks(of, key, args, named = () => false) {
    if (key === "get" && args.length > 1 && typeof args.at(-1) === "function") own.add(of); // a route, with what serves it
    else if (!asking.has(key) && !(key === "compare" && args.some((v) => v instanceof Buffer))) {
      if (!others.has(key)) own.add(of);
    } else if (args.length > 0 && !own.has(of) && !named()) throw this.saysYes(key);
  }

  // mapped returns what a method has answered. Only an array has the array that its map() makes: a collection of the candidate's own makes another.
  mapped(of, key, v, named = () => false) {
    if ((key === "map" || key === "flatMap") && Array.isArray(v) && !own.has(of) && !named()) throw this.saysYes(key);
    return v;
  }

  isNamed(h) { return h.made || [...this.named].some((target) => this.ask("instance", h.target, target)[1] === true); }

  value([, body]) {
    const v = this.checked(() => {
      const decoder = this.decoder(), v = decoder.decode(body);
      if (decoder.refers) this.measure(v);
      return v;
    });
    this.deliver();
    return v;
  }

  encoder() {
    const encoder = new Encoder((v, encoder) => {
      v = wrapped.get(v) ?? v;
      const h = handleOf(v);
      if (h === undefined && typeof v === "function") return this.give(v);
      if (h === undefined && v instanceof Promise) return this.promise(v, encoder);
      if (h === undefined && v instanceof Timeout) return this.timer(v);
      if (h === undefined && v instanceof AbortSignal && Object.getPrototypeOf(v) === AbortSignal.prototype) return this.signal(v, encoder);
      if (h === undefined && v instanceof EventEmitter && Object.getPrototypeOf(v) === EventEmitter.prototype && Object.keys(v).every((key) => ["_events", "_maxListeners"].includes(key))) return this.emitter(v);
      if (h === undefined && [EventTarget, Event, CustomEvent].some((kind) => Object.getPrototypeOf(v) === kind.prototype) && Reflect.ownKeys(v).length === 0) return v instanceof Event ? this.event(v) : this.eventTarget(v);
      const base = h === undefined ? iterators.find((of) => Object.prototype.isPrototypeOf.call(of, v)) : undefined;
      if (base !== undefined && typeof v.next === "function") return this.iteratorOfTests(v, iterators.indexOf(base));
      if (h === undefined) throw Object.assign(new CannotCross("an object of the tests of class " + (v.constructor?.name ?? "none")), { tests: isWritten(v.constructor) });
      if (h.owner !== this || !h.alive()) throw new Ended("an object of a candidate that has ended");
      return [typeof v === "function" ? "F" : "H", h.target];
    }, this.both);
    encoder.stays = (v) => {
      if (handleOf(v) !== undefined) return true;
      const kind = kindOf(v);
      if (!["o", "p", "l", "c", undefined].includes(kind) && symbolsOf(v).length > 0) throw new CannotCross("a property under a symbol");
      if (this.computes && (kind === "o" || kind === "p") && counts(v)) throw new CannotCross("an object of the tests with a getter that changes something");
      return kind !== undefined && "lmsdr".includes(kind) && isDerived(v);
    };
    encoder.symbol = (v) => {
      const n = this.numberOf(v);
      if (n !== undefined) return ["Y", n];
      if (!this.tokens.includes(v)) this.tokens.push(v);
      return ["T", this.tokens.indexOf(v), v.description ?? null];
    };
    encoder.knows = (e) => places.has(e);
    encoder.adopt = this.adopt;
    encoder.recordOf = this.recordOf;
    return encoder;
  }

  // numberOf returns the number of a symbol of the candidate, or undefined.
  numberOf(symbol) { return [...this.symbols].find(([, known]) => known === symbol)?.[0]; }

  recordOf = (v) => {
    return this.writtenClass(Object.getPrototypeOf(v));
  };

  // writtenClass writes a class of records: its name, its text when it comes first, and the class that it extends.
  writtenClass(proto) {
    const { name, text, base } = records.get(proto);
    if (this.recorded.has(name)) return name;
    this.recorded.add(name);
    return base === undefined ? [name, text] : [name, text, this.writtenClass(base)];
  }

  // adopt reports whether an object of a class of the tests crosses as its fields: both instances can have the class, made from its text.
  adopt = (v) => {
    if (this.adopts(Object.getPrototypeOf(v))) return "c";
    if (!derives(Object.getPrototypeOf(v))) return undefined;
    derived.add(v);
    return "x";
  };

  adopts(proto) {
    if (records.has(proto)) return true;
    const kind = proto.constructor, base = Object.getPrototypeOf(proto), text = isWritten(kind) && kind.prototype === proto ? Function.prototype.toString.call(kind) : "", { name } = kind;
    if (!/^[A-Za-z_$][\w$]*$/.test(name) || !/^(?:class|function)\b/.test(text) || /[#`]|\bstatic\b(?!\s+(?:async\s+)?\*?\s*[A-Za-z_$][\w$]*\s*\()/.test(text) || /\b(?:assert|expect|should|chai|console|process|globalThis|global|require|import|jest|vi|mock|eval|Function)\b/.test(text)) return false;
    if (Reflect.ownKeys(proto).length > 1 && (!text.startsWith("class") || this.patches)) return false;
    const extended = /^class\s+[\w$]+\s+extends\s+([\w$]+)\s*\{/.exec(text)?.[1];
    const last = base === Object.prototype || Object.keys(errors).some((name) => errors[name].prototype === base);
    if (base === Object.prototype ? /\bextends\b/.test(text) : extended !== base?.constructor?.name || !last && !this.adopts(base)) return false;
    if (mentions(last ? text : text.replace(extended, ""), this.declared)) return false;
    const known = recordNamed(name);
    if (known !== undefined && known[1].text !== text) return false;
    records.set(proto, { name, text, base: last ? undefined : base });
    return true;
  }

  // give writes a function of the tests.
  give(f) {
    const place = builtin(f);
    if (place !== undefined) return ["g", ...place];
    if (/^class\b/.test(Function.prototype.toString.call(f)) && this.adopts(f.prototype)) return ["C", this.writtenClass(f.prototype)];
    if (!this.given.has(f)) {
      this.given.set(f, this.sourceOf(f));
      theirs.add(f);
    }
    const out = ["f", [...this.given.keys()].indexOf(f), this.given.get(f), String(f.name), f.length];
    if (out[2] === null) out.push(likeOf(f));
    return out;
  }

  // iteratorOfTests writes an iterator of the tests, which they ask for its items.
  iteratorOfTests(v, kind) {
    let n = this.iterators.findIndex((it) => it.v === v);
    if (n < 0) n = this.iterators.push({ v, steps: ["next", "return", "throw"].map((name) => typeof v[name] === "function" ? (...list) => v[name](...list) : undefined) }) - 1;
    return ["I", n, kind, this.iterators[n].steps.map((f) => f === undefined ? null : this.give(f))];
  }

  // signal writes a signal of the tests, which they abort.
  signal(v, encoder) {
    const { signals } = this, n = signals.indexOf(v);
    if (n >= 0) return ["A", n];
    signals.push(v);
    if (v.aborted) return ["A", signals.length - 1, encoder.encode(v.reason)];
    const at = signals.length - 1;
    follow(v, () => { if (this.signals === signals && this.end === undefined) this.value(this.ask("abort", at, this.encoded([v.reason], "abort a signal")[0])); });
    return ["A", at];
  }

  // emitter writes an emitter of the tests, which stays with them.
  emitter(v) {
    const methods = {};
    for (const [name, f] of Object.entries(EventEmitter.prototype)) if (typeof f === "function") methods[name] = f.bind(v);
    methods.listeners = methods.rawListeners = (() => { throw this.lacks("the candidate asks for the listeners of an emitter of the tests", true); }).bind(); // their texts may tell what is expected
    return this.staying(v, "emitter", methods);
  }

  // staying writes an object of a class of Node that stays with the tests: its methods ask it.
  staying(v, kind, methods, ...more) {
    const n = this.emitters.findIndex((e) => e.v === v);
    return n >= 0 ? ["E", n] : ["E", this.emitters.push({ v, methods }) - 1, kind, Object.entries(methods).map(([name, f]) => [name, this.give(f.bind())]), ...more];
  }

  // eventTarget writes an EventTarget of the tests. It gets an event of the candidate's as its parts.
  eventTarget(v) {
    const dispatchEvent = (type, options, kind) => {
      if (kind === undefined) return v.dispatchEvent(type);
      return v.dispatchEvent(new (kind === "CustomEvent" ? CustomEvent : Event)(String(type), Object(options)));
    };
    return this.staying(v, "target", { addEventListener: v.addEventListener.bind(v), removeEventListener: v.removeEventListener.bind(v), dispatchEvent });
  }

  // event writes an event of the tests.
  event(v) {
    const methods = { begin: (target) => { place(v, target); }, stopped: () => stopped(v) };
    for (const name of ["preventDefault", "stopPropagation", "stopImmediatePropagation", "composedPath"]) methods[name] = () => v[name]();
    for (const name of ["defaultPrevented", "returnValue", "cancelBubble", "target", "currentTarget", "srcElement", "eventPhase", ...v instanceof CustomEvent ? ["detail"] : []]) methods["get " + name] = () => v[name];
    return this.staying(v, v instanceof CustomEvent ? "CustomEvent" : "Event", methods, v.type, [v.bubbles, v.cancelable, v.composed]);
  }

  // timer writes a timer of the tests, which they end.
  timer(v) {
    let n = this.timers.findIndex((t) => t.v === v);
    if (n < 0) n = this.timers.push({ v, close: v.close.bind(v) }) - 1;
    return ["W", n, this.give(this.timers[n].close)];
  }

  // mayCall reports whether the candidate has been given a function that does something for the tests, beside the first ones: a key or a predicate does not.
  mayCall(first) { return [...this.given.values()].slice(first).some((text) => text === null || mentions(text, outside)); }

  // silent reports whether the test has given functions that assert something to then() of an object of the candidate's, which has called none of them.
  silent(first) {
    const list = this.awaits ? [...this.given.keys()].slice(first).filter((f) => { const text = Function.prototype.toString.call(f); return /\b(?:assert|expect|should)\b/.test(text) && !/\bfail\b/.test(text); }) : [];
    return list.length > 0 && !list.some((f) => this.heard.has(f));
  }

  // sourceOf returns the text of a function of the tests; null: it stays with them, and they answer the candidate's calls.
  sourceOf(f) {
    if (/^class\b/.test(Function.prototype.toString.call(f))) throw Object.assign(new CannotCross("a class of the tests"), { tests: isWritten(f) });
    try {
      const text = sourceOf(f);
      return this.stay.has(text) || this.stay.size > 0 && mentions(text, this.declared) ? null : text;
    } catch (e) {
      if (!(e instanceof CannotCross)) throw e;
      return null;
    }
  }

  encoded(args, doing) {
    this.prepare();
    const encoder = this.encoder();
    try {
      const coded = args.map((v) => encoder.encode(v));
      encoder.commit();
      return coded;
    } catch (e) {
      if (e instanceof CannotCross) throw this.lacks("the tests " + doing + " with " + e.message + ", which cannot cross to the candidate", this.uses > 0 && !e.tests);
      throw e;
    }
  }

  // call calls a function or method. of: what a function has as this.
  call(target, key, args, name, of = undefined) {
    const coded = this.encoded(of === undefined ? args : [of, ...args], "call " + name);
    this.last = { name, args: of === undefined ? coded : coded.slice(1) };
    return this.value(of === undefined ? this.ask("call", target, key, coded) : this.ask("call", target, key, coded, true));
  }

  construct(target, args, name) {
    const coded = this.encoded(args, "make a " + name);
    this.last = { name: "new " + name, args: coded };
    const v = this.value(this.ask("construct", target, coded)), h = handleOf(v);
    if (h !== undefined && h.seen === 1) h.made = true;
    return v;
  }

  // callable returns what tests see of a function or class of the candidate. usesThis: it gets the object of which the tests call it as a method.
  callable(target, name, usesThis = false) {
    const objects = this.objects, found = objects.get(target);
    if (found !== undefined) return found;
    const self = this;
    const as = new Map(); // the names under which the tests have read it as a method, with the objects
    const byName = () => typeof target === "string" || known.get(f).byName === true;
    const called = (of, args) => {
      const h = handleOf(of), holder = h?.owner === self && typeof h.target === "number" ? h : undefined;
      const own = h?.owner === self || usesThis && of !== null && !scopes.has(of) ? of : undefined;
      let key = [...as.keys()].find((key) => asking.has(key)) ?? [...as.keys()].at(-1), by = holder ?? as.get(key);
      if (h === undefined && typeof target === "number" && of !== null && typeof of === "object") {
        const keys = Object.keys(of).filter((key) => of[key] === f);
        [key, by] = [keys.find((key) => asking.has(key)) ?? keys[0], of];
      }
      if (key === undefined || by === undefined) return self.call(target, null, args, name, own);
      const named = () => by === as.get(key) && !by.isFunction && self.isNamed(by);
      self.asks(by, key, args, named);
      return self.mapped(by, key, self.call(target, null, args, name, own), named);
    };
    const f = new Proxy(function () {}, guarded({
      apply: (_, of, args) => called(of, args),
      construct: (_, args, made) => {
        if (made !== f) return self.derived(made, f, args);
        self.named.add(target);
        const v = self.construct(target, args, name);
        if (v === null || typeof v !== "object") throw mean(new TypeError(name + " is not a constructor"));
        return v;
      },
      get: (_, key, receiver) => {
        if (key === "name") return name;
        if (key === "should" && Object.hasOwn(Object.prototype, key)) return Reflect.get(Object.prototype, key, receiver);
        if (key === Symbol.hasInstance) return (v) => { self.named.add(target); return self.isInstance(v, target, name); };
        if (key === "call") return (of, ...args) => called(of, args);
        if (key === "apply") return (of, args) => called(of, [...args ?? []]);
        if (key === "bind") return (of, ...first) => (...args) => called(of, [...first, ...args]);
        if (key === "valueOf") return () => f;
        if (key === "prototype") return self.prototypeOf(target);
        if (key === "then" || key === "toJSON") return undefined;
        if (key === Symbol.toStringTag) return self.tagOf(target, (tag) => tag.endsWith("Function"));
        if (typeof key === "symbol") return self.memberUnder(target, key);
        if (key === "toString") return () => self.textOf(known.get(f), target);
        if (key === "mock") return self.noMock(target, f);
        if (/^[A-Z]/.test(name) && byName() && makes.test(key)) self.named.add(target);
        return self.property(target, key, byName() ? undefined : known.get(f));
      },
      set: (_, key, x) => {
        if (typeof key === "symbol") throw self.lacks("the tests set a property of a function of the candidate under a symbol");
        return self.ask("set", target, key, self.encoded([x], "set " + key)[0])[1] === true;
      },
      deleteProperty: (_, key) => self.ask("delete", target, String(key))[1] === true,
      getOwnPropertyDescriptor: (of, key) => Reflect.getOwnPropertyDescriptor(of, key) ?? (typeof key === "string" ? self.ownOf(target, key, known.get(f)) : undefined),
      has: (_, key) => typeof key === "string" && self.ask("has", target, key)[1] === true,
      ownKeys: (of) => [...new Set([...Reflect.ownKeys(of), ...Object.keys(self.askFields(target))])],
      getPrototypeOf: () => Function.prototype,
    }));
    known.set(f, { owner: this, target, name, alive: () => this.objects === objects, isFunction: true, as });
    objects.set(target, f);
    return f;
  }

  isInstance(v, target, name) {
    const r = raisedBy(v), h = handleOf(v) ?? (r !== undefined && places.get(v)?.alive() ? places.get(v) : undefined); // an error has the class's number: it may have no name
    if (h !== undefined && h.owner === this) return this.ask("instance", h.target, target)[1] === true;
    if (r !== undefined) return r.classes?.includes(name);
    const id = h === undefined && v !== null && typeof v === "object" ? this.both.idOf(v) : undefined; // an array of a class without methods came as a plain one
    return id !== undefined && this.ask("instanceOf", id, target)[1] === true;
  }

  // property returns what an object or function has under a name. h: what is known of it. receiver: the object that inherits it.
  property(target, key, h = undefined, receiver = undefined) {
    const reply = receiver === undefined ? this.ask("get", target, key, false) : this.ask("get", target, key, false, receiver.target);
    const [, coded] = reply;
    if (Array.isArray(coded) && coded[0] === "G") return this.checked(() => {
      if (key !== "constructor" && key !== "__proto__" || !standard.has(coded[1]) || coded[1] === "Proxy" || makesCode.test(coded[1]) && h?.isFunction !== true && typeof target !== "string") throw new Forged("a built-in class");
      return standard.get(coded[1]);
    });
    if (key === "__proto__" && Array.isArray(coded) && coded[0] === "F" && typeof coded[2] === "string") return this.classOf(coded[1], coded[2]);
    const v = this.value(reply), own = handleOf(v);
    if (reply[0] !== "f") return v;
    if (typeof v !== "function") throw this.forged(new Forged("a method"));
    if (own !== undefined && h !== undefined) own.as.set(key, h);
    return own === undefined && asking.has(key) ? this.method(target, key, h ?? { target, made: false }) : v;
  }

  // memberUnder returns what an object or function has under a symbol of the candidate, or one of the tests that it knows.
  memberUnder(target, symbol) {
    const key = this.keyOf(symbol);
    return key === undefined ? undefined : this.value(this.ask("get", target, key, true));
  }

  // answerUnder returns what an object has under a symbol of JavaScript's own by which it says something about others. Only one that the tests have made answers.
  answerUnder(h, name) {
    const v = this.value(this.ask("get", h.target, name, true));
    if (v !== undefined && !h.made) throw this.lacks("the tests use what an object of the candidate has under Symbol." + name, true);
    return v;
  }

  // keyOf writes a symbol that the candidate may use, but for those of JavaScript itself.
  keyOf(symbol) {
    if (this.numberOf(symbol) === undefined && !this.tokens.includes(symbol) && Symbol.keyFor(symbol) === undefined) return undefined;
    return this.encoder().encode(symbol);
  }

  // method returns a method of an error, or one that is a function of the tests.
  method(target, key, h, of = h) {
    const f = (...args) => {
      const named = () => this.isNamed(h);
      this.asks(of, key, args, named);
      return this.mapped(of, key, this.call(target, key, args, key), named);
    };
    theirs.add(f);
    return Object.assign(f, { toString: () => "function " + key + "() { [candidate] }" });
  }

  // memberOf returns what an error of a class of the candidate's own has under a name.
  memberOf(error, key) {
    const { target } = places.get(error), reply = this.ask("get", target, key, false);
    return reply[0] === "f" ? this.method(target, key, { target, made: false }, error) : this.value(reply);
  }

  // convert converts an error of a class that has toString, as primitiveOf converts an object.
  convert(error, hint) {
    if (hint === "number") throw this.lacks("the tests take an error of the candidate for a number", true);
    return this.textOf(places.get(error), places.get(error).target);
  }

  // textOf returns the text of an object, function or error, of which h is known. It has one until it is asked for something else.
  textOf(h, target, ask = () => this.primitive(target)) {
    if (h.text?.asked !== this.log.length) {
      const v = ask();
      h.text = { asked: this.log.length, v };
    }
    return h.text.v;
  }

  // ownText returns the toString that an error of the candidate has itself.
  ownText(x) {
    const self = this, h = {}, f = function () { return self.textOf(h, undefined, () => Reflect.apply(x, this, [])); };
    theirs.add(f);
    wrapped.set(f, x);
    return f;
  }

  // prototypeOf returns the prototype of a class of the candidate.
  prototypeOf(target) {
    const v = this.value(this.ask("prototype", target)), h = handleOf(v);
    if (h !== undefined) [h.made, h.isPrototype] = [true, true];
    return v;
  }

  classesOfTests = new Map(); // that derive from one of the candidate, with what they are there
  derivedFrom = new Map();    // their prototypes, by the numbers of those that these have there

  // derived makes an object of a class of the tests that derives from one of the candidate: the candidate has a class whose members
  // are those of the tests, and the object is its own.
  derived(made, base, args) {
    if (isTheirs(made) || typeof made !== "function") throw this.lacks("the tests make an object of another class", true);
    const levels = [];
    for (let of = made; of !== base; of = Object.getPrototypeOf(of)) {
      if (typeof of !== "function" || levels.length > 50) throw this.lacks("the tests change what a class derives from");
      levels.unshift(of);
    }
    let from = base;
    for (const of of levels) {
      let there = this.classesOfTests.get(of);
      if (there === undefined || !handleOf(there).alive()) {
        const members = (own, without, crosses) => Object.entries(Object.getOwnPropertyDescriptors(own)).filter(([key]) => !without.includes(key))
          .flatMap(([key, d]) => ["value", "get", "set"].filter((kind) => kind in d && crosses(d[kind])).map((kind) => [key, kind, this.encoded([d[kind]], "derive a class")[0]]));
        there = this.value(this.ask("derive", handleOf(from).target, of.name, members(of.prototype, ["constructor"], (v) => typeof v === "function"), members(of, ["length", "name", "prototype"], (v) => v !== undefined)));
        if (handleOf(there)?.isFunction !== true) throw this.forged(new Forged("a class"));
        this.classesOfTests.set(of, there);
        const { target } = handleOf(there);
        this.derivedFrom.set(handleOf(this.prototypeOf(target)).target, of.prototype);
        this.objects.set(target, of); // it is the tests' own where it comes back
        wrapped.set(of, there);
      }
      from = there;
    }
    const v = this.construct(handleOf(from).target, args, made.name), h = handleOf(v);
    if (h === undefined || h.isFunction) throw this.lacks("a class that the tests derive has objects of another kind", true);
    h.overlay = made.prototype;
    return v;
  }

  // decoded reads a handle, a function or an exception.
  decoded(v, decoder) {
    const [tag, n, name] = v;
    if (tag === "P" && Number.isInteger(n) && n < 2 ** 31 && (n >= 0 || this.promises.has(n))) return this.promiseOf(n).promise;
    if (tag === "f" && Number.isInteger(n) && n >= 0 && n < this.given.size) return [...this.given.keys()][n];
    if (tag === "I" && Number.isInteger(n) && n >= 0 && n < this.iterators.length) return this.iterators[n].v;
    if (tag === "A" && Number.isInteger(n) && n >= 0 && n < this.signals.length) return this.signals[n];
    if (tag === "E" && Number.isInteger(n) && n >= 0 && n < this.emitters.length) return this.emitters[n].v;
    if (tag === "C" && recordNamed(n) !== undefined) return recordNamed(n)[0].constructor;
    if (tag === "W" && Number.isInteger(n) && n >= 0 && n < this.timers.length) return this.timers[n].v;
    if (tag === "T" && Number.isInteger(n) && n >= 0 && n < this.tokens.length) return this.tokens[n];
    if (tag === "Y" && Number.isInteger(n) && n >= 0 && typeof name === "string") {
      if (this.symbols.size >= 1_000) throw this.lacks("the candidate has more than 1000 symbols", true);
      if (!this.symbols.has(n)) this.symbols.set(n, Symbol(name));
      return this.symbols.get(n);
    }
    if (tag !== "H" && tag !== "F" || !Number.isInteger(n) || n < 0 || n > 10 * MAX_HANDLES || this.objects.size > MAX_HANDLES) throw new Forged("a value of kind " + String(tag).slice(0, 20));
    let found = this.objects.get(n);
    if (tag === "F") {
      if (typeof name !== "string") throw new Forged("a function");
      return found ?? this.callable(n, name, v[3] === 1);
    }
    if (found === undefined) {
      if (typeof name !== "string") throw new Forged("an object");
      found = this.object(n, name);
    }
    handleOf(found).seen++;
    if (v.length > 3) this.described(handleOf(found), v, decoder);
    return found;
  }

  // described notes what a candidate says of an object: its properties, the names that it inherits, and what it is like.
  described(h, [, , , coded, names, like, kind, origin], decoder) {
    if (coded !== null) h.fields = this.fields(coded, decoder);
    if (Number.isInteger(names)) names = decoder.chains?.[names];
    else if (Array.isArray(names) && names.length <= 200 && names.every((name) => typeof name === "string")) (decoder.chains ??= []).push(names);
    else throw new Forged("names");
    h.names ??= new Set(names);
    if (typeof like === "string" && (["Proxy", "Proxy of an array", "URL", "URLSearchParams"].includes(like) || Object.hasOwn(classes, like) || Object.hasOwn(errors, like))) h.like = like;
    h.kind = Number.isInteger(kind) ? kind : undefined; // two classes may have one name
    h.overlay ??= this.derivedFrom.get(h.kind);
    if (origin === undefined || h.overlay !== undefined) return;
    const from = Array.isArray(origin) && ["@", "f", "C"].includes(origin[0]) ? decoder.decode(origin) : undefined, proto = typeof from === "function" ? from.prototype : from;
    if (proto === null || typeof proto !== "object" || handleOf(proto) !== undefined) throw new Forged("an object of no class");
    [h.proto, h.methods] = [proto, origin[0] === "f" ? proto : undefined];
  }

  // fields reads the own properties of an object.
  fields(coded, decoder) {
    if (!Array.isArray(coded) || coded[0] !== "o") throw new Forged("an object");
    const fields = {};
    if (++decoder.depth > 100) throw new Forged("more than 100 nested values");
    decoder.properties(fields, coded, 1);
    decoder.depth--;
    return fields;
  }

  // askFields asks for the own properties of an object: all, or those that it does not compute.
  askFields(n, all = true) {
    const [, body] = this.ask("fields", n, all);
    const h = handleOf(this.objects.get(n)), fields = this.checked(() => {
      if (!Array.isArray(body) || ![0, 1, 2, 3].includes(body[0]) || !Array.isArray(body[2]) || body[2].length > 200) throw new Forged("an object");
      if (!body[2].every((row) => Array.isArray(row) && typeof row[0] === "string" && Number.isInteger(row[1]))) throw new Forged("an object");
      h.level = body[0];
      h.unlike = new Map(body[2]);
      h.computes = body[2].some(([, flags]) => (flags & 24) > 0);
      return this.fields(body[1], this.decoder());
    });
    this.deliver();
    return fields;
  }

  // object returns what tests see of an object.
  object(n, name) {
    const self = this, objects = this.objects;
    const h = { owner: this, target: n, name, alive: () => this.objects === objects, fields: undefined, names: undefined, like: undefined, level: 0, made: false, seen: 0 };
    const target = {}, locked = () => !Object.isExtensible(target), fields = () => {
      h.fields = self.askFields(n, false);
      if (h.level === 0) return h.fields;
      const list = Object.entries(h.fields).map(([key, v]) => [key, v ?? self.property(n, key, h)]);
      return self.checked(() => { // what is locked cannot change, but in what a candidate forges
        for (const key of Object.keys(target)) if (list.every(([k]) => k !== key)) delete target[key];
        for (const [key, value] of list) {
          if (Object.getOwnPropertyDescriptor(target, key)?.writable === false) continue;
          Object.defineProperty(target, key, { value, writable: h.level < 3, enumerable: true, configurable: h.level < 2 });
        }
        if (h.proto !== undefined && !locked()) Object.setPrototypeOf(target, h.proto);
        return Object.preventExtensions(target);
      });
    };
    const put = (key, x) => {
      const [coded] = self.encoded([x], "set " + String(key));
      h.fields = undefined;
      return self.ask("set", n, String(key), coded)[1] === true;
    };
    const overlay = (key) => {
      if (h.methods !== undefined && Object.hasOwn(h.fields ?? fields(), key)) return undefined;
      for (let of = h.overlay ?? h.methods; of !== undefined && of !== null && handleOf(of) === undefined; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, key)) return of;
    };
    h.describe = (key) => {
      const from = h.fields ?? fields();
      if (!Object.hasOwn(from, key) && (typeof key !== "string" || h.unlike?.has(key) === false)) return undefined;
      if (Object.hasOwn(from, key) && h.unlike?.has(key) !== true) return { value: from[key], writable: true, enumerable: true, configurable: true };
      return self.ownOf(n, key, h);
    };
    const ownNames = () => [...new Set([...Object.keys(h.fields), ...h.unlike.keys(), ...symbolsOf(h.fields)])];
    const iterates = (name) => h.like === "Proxy" || (h[name] ??= self.ask("has", n, name, true)[1] === true);
    const v = new Proxy(target, guarded({
      get: (_, key, receiver) => {
        if (h.level === 3 && Object.hasOwn(target, key)) return target[key];
        if (key === "should" && Object.hasOwn(Object.prototype, key)) return Reflect.get(Object.prototype, key, receiver);
        const overlaid = overlay(key);
        if (overlaid !== undefined) return Reflect.get(overlaid, key, receiver);
        if (key === Symbol.iterator) return iterates("iterator") ? () => self.iterator(h, v) : undefined;
        if (key === Symbol.asyncIterator) return iterates("asyncIterator") ? () => self.iteratorAsync(n, v) : undefined;
        if (key === "next" && h.steps !== undefined) return (...args) => args.length > 0 ? self.property(n, key, h)(...args) : self.step(h.steps);
        if (key === Symbol.toStringTag) return ["Map", "Set", "Array"].includes(h.like) ? h.like : h.like === "Proxy of an array" ? "Array" : self.tagOf(n);
        if (key === "then" && h.names?.has(key) === true && self.isNamed(h)) {
          self.awaits = true;
          return self.property(n, key, h);
        }
        if (key === "then" && (h.names?.has(key) || h.fields && typeof h.fields[key] === "function" && Object.hasOwn(h.fields, key))) throw self.lacks("the tests wait for an object that a function of the candidate returned, and that has a method then", true);
        if (key === "toJSON" && h.like === "Array" && !h.names?.has(key)) return () => self.itemsOf(v);
        if (key === "then" || key === "toJSON" && h.names?.has(key) !== true && !(h.fields && Object.hasOwn(h.fields, key))) return undefined;
        if (key === Symbol.toPrimitive) return (hint) => self.primitiveOf(h, hint);
        if (answers.has(key)) return self.answerUnder(h, answers.get(key));
        if (typeof key === "symbol") return self.memberUnder(n, key);
        if (key === "hasOwnProperty") return (x) => Object.hasOwn(v, x);
        if (key === "propertyIsEnumerable") return (x) => Object.getOwnPropertyDescriptor(v, x)?.enumerable === true;
        return self.property(n, key, h, h.isPrototype && handleOf(receiver)?.owner === self && receiver !== v ? handleOf(receiver) : undefined);
      },
      set: (_, key, x, receiver) => {
        if (typeof key === "symbol") throw self.lacks("the tests set a property of an object of the candidate under a symbol");
        const overlaid = overlay(key);
        if (overlaid !== undefined && Object.getOwnPropertyDescriptor(overlaid, key).set !== undefined) return Reflect.set(overlaid, key, x, receiver);
        return put(key, x);
      },
      defineProperty: (_, key, d) => {
        if (typeof key === "symbol" || !("value" in d) && d.configurable !== true) throw self.lacks("the tests define a property of an object of the candidate that is not as others");
        if ("value" in d) return put(key, d.value);
        h.fields = undefined;
        return self.ask("accessor", n, key, ...[d.get, d.set].map((f) => computing.has(f) ? null : self.encoded([f], "define " + key)[0]))[1] === true;
      },
      deleteProperty: (_, key) => { h.fields = undefined; return self.ask("delete", n, String(key))[1] === true; },
      has: (_, key) => key === Symbol.iterator || key === Symbol.asyncIterator ? iterates(key.description.slice(7)) : typeof key === "symbol" ? self.keyOf(key) !== undefined && self.ask("has", n, self.keyOf(key), true)[1] === true : typeof key === "string" && (key in Object.prototype || self.hasName(h, v, key)),
      isExtensible: () => { if (!locked()) fields(); return !locked(); },
      preventExtensions: () => { throw self.lacks("the tests freeze an object of the candidate"); },
      ownKeys: () => h.level === 3 && locked() ? Object.keys(target) : (fields(), locked()) ? Object.keys(target) : ownNames(),
      getOwnPropertyDescriptor: (_, key) => locked() ? Object.getOwnPropertyDescriptor(target, key) : h.describe(key),
      getPrototypeOf: () => h.overlay !== undefined ? h.overlay : locked() ? Reflect.getPrototypeOf(target) : h.proto !== undefined ? h.proto : (classes[h.like] ?? (h.isPrototype ? errors[h.like] : undefined))?.prototype ?? Object.prototype,
    }));
    known.set(v, h);
    objects.set(n, v);
    return v;
  }

  // classOf returns a class of the candidate by its number. Tests that name it have the same one.
  classOf(n, name) {
    if (!Number.isInteger(n) || n < 0 || n > 10 * MAX_HANDLES) throw this.forged(new Forged("a class"));
    if (!this.objects.has(n) && /^[A-Za-z_$][\w$]*$/.test(name)) {
      const kind = this.kindOf(name);
      if (kind?.[0] === "F" && kind[2] === n) return this.resolve(name, kind);
    }
    return this.callable(n, name);
  }

  // primitiveOf converts an object. One that the tests have made, and nothing has returned since, takes part in arithmetic. Others are text where they
  // must be, and are asked for no number: it could be another one each time.
  primitiveOf(h, hint) {
    if (h.made && h.seen > 1 && hint !== "string") throw this.lacks("the tests convert an object of class " + h.name + " that a function or method of the candidate has returned", true);
    if (h.made || hint === "string") return this.primitive(h.target, hint);
    return this.textOf(h, h.target, () => {
      const by = this.ask("converts", h.target)[1];
      if ((by & 1) > 0 || hint === "number" && by !== 0) throw this.lacks("the tests take an object of class " + h.name + " for a number that a function of the candidate has returned", true);
      return this.primitive(h.target);
    });
  }

  // primitive returns what an object or function is converted to.
  primitive(target, hint = "string") {
    const v = this.value(this.ask("primitive", target, hint));
    if (v !== null && typeof v === "object" || typeof v === "function") throw this.forged(new Forged("a primitive value"));
    return v;
  }

  // noMock refuses what a function of the candidate says of its calls: it may stand where the tests have put a mock.
  noMock(target, f) {
    if (this.property(target, "mock", known.get(f)) !== undefined) throw this.lacks("the tests read mock of a function of the candidate", true);
  }

  // tagOf returns the tag of an object or function, but for those of built-in classes.
  tagOf(n, allowed = () => true) {
    const tag = this.value(this.ask("get", n, "toStringTag", true));
    return typeof tag === "string" && globalThis[tag] === undefined && !/^(?:Arguments|Null|Undefined)$/.test(tag) && allowed(tag) ? tag : undefined;
  }

  // ownOf describes a property that an object has itself, and that is not as others.
  ownOf(n, key, h) {
    const [, body] = this.ask("own", n, key);
    if (body === null) return undefined;
    return this.checked(() => {
      if (!Array.isArray(body) || body.length !== 2 || !Number.isInteger(body[0]) || body[0] < 0 || body[0] > 31) throw new Forged("a property");
      const [flags, coded] = body, v = this.decoder().decode(coded), of = { enumerable: (flags & 1) > 0, configurable: true };
      if (typeof v === "function") handleOf(v)?.as.set(key, h);
      if ((flags & 24) === 0) return { ...of, value: v, writable: (flags & 2) > 0 };
      const computed = (f) => { theirs.add(f); computing.add(f); return f; };
      return { ...of, get: flags & 8 ? computed(() => this.property(n, key, h)) : undefined, set: flags & 16 ? computed((x) => this.ask("set", n, key, this.encoded([x], "set " + key)[0])) : undefined };
    });
  }

  // hasName reports whether an object has a name. An object that a function returned is not asked: its names came with it.
  hasName(h, v, key) {
    if (h.overlay !== undefined && key in h.overlay || h.proto !== undefined && key in h.proto) return true;
    if (h.names === undefined || own.has(h) || this.isNamed(h)) return this.ask("has", h.target, key)[1] === true;
    if (Object.hasOwn(h.fields ??= this.askFields(h.target, false), key) || h.names.has(key)) return true;
    if (h.like?.startsWith("Proxy")) throw this.lacks("the tests ask a Proxy of the candidate whether it has " + key, true);
    return false;
  }

  // fieldsOf returns the own properties of a handle, as they were when a function returned it.
  fieldsOf(v) {
    const h = handleOf(v);
    if (h.like === "Proxy of an array") throw this.lacks("the tests compare a Proxy of an array", true);
    if (h.made || h.computes) return this.askFields(h.target);
    return h.fields ??= this.askFields(h.target);
  }

  // itemsOf returns the items of an array of a class of the candidate, as JSON has them.
  itemsOf(v) {
    const { length } = v;
    if (!(length <= MAX_ITEMS)) throw this.ends("output", "an array of the candidate has more than " + MAX_ITEMS + " items");
    return Array.from({ length }, (_, k) => v[k]);
  }

  // iterator returns an iterator: the object itself, if it is that of the candidate.
  iterator(h, v) {
    const reply = this.ask("iterate", h.target), it = handleOf(this.value(reply));
    if (it === undefined) throw this.forged(new Forged("an iterator"));
    if (reply[0] !== "end") return this.items(it.target);
    h.steps = it.target;
    return v;
  }

  // step returns what the next step of an iterator of the candidate is.
  step(it) {
    if (++this.taken > MAX_ITEMS) throw this.ends("output", "the candidate's iterators have more than " + MAX_ITEMS + " items");
    const reply = this.ask("next", it);
    return { value: this.value(reply), done: reply[0] === "end" };
  }

  // items are those of an iterator of the candidate, which learns that the tests want no more, unless it ends or throws by itself.
  *items(it) {
    let open = false;
    try {
      for (;;) {
        const { value, done } = this.step(it);
        if (done) return value;
        open = true;
        yield value;
        open = false;
      }
    } finally {
      if (open && this.end === undefined) this.ask("stop", it);
    }
  }

  // iteratorAsync returns an asynchronous iterator: the object itself, if it is that of the candidate.
  iteratorAsync(n, v) {
    const reply = this.ask("iterateAsync", n), it = handleOf(this.value(reply));
    if (it === undefined) throw this.forged(new Forged("an iterator"));
    return reply[0] === "end" ? v : this.itemsAsync(it);
  }

  async *itemsAsync(it) {
    let open = false;
    try {
      for (;;) {
        const { value: v, done } = this.step(it.target), step = v instanceof Promise ? await v : { value: v, done };
        if (step === null || typeof step !== "object") throw mean(new TypeError("an iterator's result is no object"));
        if (step.done) return;
        open = true;
        yield step.value;
        open = false;
      }
    } finally {
      if (open && this.end === undefined) await this.value(this.ask("stop", it.target));
    }
  }

  // exception makes an error in its built-in class, with the name of the candidate's. What the candidate's class defines, it asks for.
  exception([, classes, message, name, , place]) {
    if (!Array.isArray(classes) || classes.length === 0 || classes.length > 9 || typeof message !== "string") throw new Forged("an exception");
    const { base, make } = builtFrom(classes), { objects } = this;
    if (base === undefined) throw new Forged("an exception");
    if (classes[0][0] === "C") { // of the tests
      const [proto] = recordNamed(classes[0][1]) ?? [], e = make(message, name);
      if (!(proto instanceof base)) throw new Forged("an exception");
      raised.set(e, { line: 0, classes: [] });
      return Object.setPrototypeOf(e, proto);
    }
    const own = classes.slice(0, -1).map((c) => {
      if (!Array.isArray(c) || c[0] !== "F" || typeof c[2] !== "string") throw new Forged("a class");
      return c[2];
    });
    const e = make(message, name);
    if (own.length > 0) {
      if (!Array.isArray(place) || !Number.isInteger(classes[0][1]) || !Number.isInteger(place[0]) || place[0] < 0 || !Array.isArray(place[1]) || place[1].length > 200) throw new Forged("an exception");
      let of = this.classes.get(own[0]);
      if (of === undefined) {
        of = class extends base {};
        Object.defineProperty(of, "name", { value: own[0] });
        const names = new Set(place[1]);
        const [, n, name] = classes[0];
        Object.defineProperty(of.prototype, "constructor", { get: () => this.classOf(n, name), configurable: true });
        Object.setPrototypeOf(of.prototype, new Proxy(base.prototype, {
          get: (to, key, error) => key === Symbol.toPrimitive && names.has("toString") && places.has(error) ? (hint) => this.convert(error, hint) : typeof key === "string" && names.has(key) && (!(key in to) || key === "toString") && !["then", "asymmetricMatch"].includes(key) && places.has(error) ? this.memberOf(error, key) : Reflect.get(to, key, error),
          has: (to, key) => key in to || names.has(key) && !["then", "asymmetricMatch"].includes(key),
          getPrototypeOf: () => base.prototype,
        }));
        theirs.add(of);
        this.classes.set(own[0], of);
      }
      Object.setPrototypeOf(e, of.prototype);
      places.set(e, { target: place[0], owner: this, kind: classes[0][1], alive: () => this.objects === objects });
    }
    raised.set(e, { line: 0, classes: own });
    return e;
  }
}
