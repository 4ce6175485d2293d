// Runs tests in the forms in which datasets have them: one result for each test.
import { assertions, AssertionError, lost, shown } from "./assert.js";
import { Clock, Stuck } from "./clock.js";
import { nodeEqual, style } from "./equal.js";
import { ChaiError, expectations } from "./expect.js";
import { fault, mean, noted, unheard } from "./faults.js";
import { inspect } from "./inspect.js";
import { Groups, passed, pending, skipped } from "./groups.js";
import { declaredIn, Ended, handleOf, instruments, isTheirs, notePromises, prototypeOf, raisedBy, Unsupported } from "./known.js";
import { isMock, Mocks } from "./mock.js";
import { Broken, defined, Missing, Names } from "./names.js";
import { EventEmitter, Exit, hasOne, isModule, lacked, world } from "./node.js";
import { unhandled } from "./rejections.js";
import { words } from "./requests.js";
import { records } from "./wire.js";

export { Broken, passed, skipped };

// typed stands for all that expectTypeOf has.
const typed = new Proxy(function () {}, { get: (_, key) => typeof key !== "string" || key === "then" ? undefined : typed, apply: () => typed });

const { isArray } = Array, { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const { flat, flatMap, map } = Array.prototype, isList = (v) => handleOf(v)?.like === "Array";
const opened = (list, depth) => depth >= 1 ? map.call(list, (v) => isList(v) ? opened([...v], depth - 1) : isArray(v) ? opened(v, depth - 1) : v) : list;
const flattening = { // an array of one of the candidate's classes counts as an array
  flat(depth = 1) { return flat.call(opened(this, depth), depth); },
  flatMap(f, of) { return typeof f === "function" ? map.call(this, f, of).flat() : flatMap.call(this, f); },
};
const natural = [Math.random, Date.now, Date];

// looks matches what tests may look at that candidates change, and not the call of a method of it.
const looks = /\b(?:Array|String|Number|Function|Date|Promise|Map|Set|Object)\.prototype\b(?!\.\w+\.(?:call|apply|bind)\b)/;

// assertsByItself matches tests that define what they assert with.
const assertsByItself = /\b(?:function|const|let|var)\s+(?:assert|expect|should)\w*\b(?!\s*=\s*require)/;

const asserting = /\b(?:assert|expect|should)\b/;

// stubs returns what Vitest has to replace globals and variables of the environment.
function stubs() {
  const both = { Global: () => globalThis, Env: () => globalThis.process.env }, has = {};
  for (const [kind, of] of Object.entries(both)) {
    const before = new Map();
    has["stub" + kind] = function (key, v) {
      if (!before.has(key)) before.set(key, Object.getOwnPropertyDescriptor(of(), key));
      of()[key] = v;
      return this;
    };
    has["unstubAll" + kind + "s"] = function () {
      for (const [key, d] of before) if (d === undefined) delete of()[key]; else Object.defineProperty(of(), key, d);
      before.clear();
      return this;
    };
  }
  return has;
}

// Objects of the candidate are instances of classes of Node that both instances have.
for (const kind of [EventEmitter, URL, URLSearchParams, AbortController, AbortSignal, CustomEvent, Event, EventTarget]) {
  const natural = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(kind, Symbol.hasInstance, { configurable: true, value(v) { return this === kind && handleOf(v) !== undefined ? handleOf(v).owner.isMadeBy(v, kind.name) : natural.call(this, v); } });
}

// A Suite runs the tests of a case against a candidate.
export class Suite extends Names {
  results = [];
  groups = new Groups(this);
  source = "";              // of the test that runs
  #count = 0;
  #expected = 0;            // calls of expect, of a test
  #between = false;         // the tests have called the candidate where they register tests
  used = 0;                 // requests for which the candidate has run, before a test
  #promised = undefined;    // how many it says that there are; -1: some

  constructor(candidate, task) {
    super(candidate, task);
    this.clock = candidate.clock ?? new Clock();
    const count = () => { this.#count++; };
    const missing = (name, byAnswer) => this.notSupported(name, byAnswer), assert = assertions(count, missing), quiet = () => {};
    // polled calls a function of the tests until it returns what is wanted, as Vitest does, and moves the time between.
    const polled = async (f, options, patient, holds = () => true) => {
      const { timeout = 1_000, interval = 50 } = typeof options === "number" ? { timeout: options } : options ?? {}, end = this.clock.now + timeout;
      for (;;) {
        let failed;
        try {
          const v = await f();
          if (holds(v)) return v;
        } catch (e) {
          if (!patient) throw e;
          failed = noted(e);
        }
        if (this.clock.now >= end) throw failed ?? mean(new Error("Timed out in waitUntil!"));
        lost.delete(failed);
        await (this.clock.frozen ? later(interval) : new Promise((done) => this.clock.set(done, interval, [], false)));
      }
    };
    const { expect, chai } = expectations(() => { count(); this.#expected++; }, missing, (n) => { this.#promised = n; }, polled);
    const { globals, modules, handlers } = candidate.shared ? { globals: {}, modules: candidate.state.modules, handlers: { exit: [] } } : world("", quiet, this.clock, nodeEqual);
    this.#handlers = handlers;
    const asserts = (v, ...message) => assert(v, message.length > 0 ? message.map(String).join(" ") : undefined);
    const own = candidate.shared ? { console: new Proxy(globalThis.console, { get: (of, key) => key === "assert" ? asserts : of[key] }) } : {
      console: { ...globals.console, log: quiet, info: quiet, debug: quiet, assert: asserts }, process: { ...globals.process, exit: (code) => {
        const e = new Exit(Number(code ?? globalThis.process.exitCode ?? 0));
        throw this.#left ??= e;
      } },
    };
    if (!candidate.shared) this.#watch(globals, own);
    const registering = this.groups.globals(), mocks = new Mocks(), known = ["clearAllMocks", "resetAllMocks", "restoreAllMocks"];
    const later = async (ms) => {
      this.#frozen();
      this.clock.frozen = false;
      await new Promise((done) => this.clock.set(done, ms, [], false));
      this.clock.frozen = true;
    };
    let mixed = false; // timers run that are not fake
    const drops = () => { if (this.clock.frozen && !mixed) candidate.clearTimers(); }; // fake timers end with their clock
    const fake = (now) => {
      drops();
      if (!this.clock.frozen) mixed = candidate.timerCount() > 0;
      this.clock.frozen = this.#faked = true;
      this.clock.setDate(now);
    };
    const real = () => {
      drops();
      this.clock.frozen = false;
      this.clock.setDate(undefined);
    };
    const ticks = () => { this.clock.ticks(); this.clock.ticked?.(); }; // Jest's fake timers run what nextTick was given
    const timers = (self, first = () => {}) => ({
      useFakeTimers: (options) => { fake(options?.now ?? this.clock.date); return self(); }, useRealTimers: () => { real(); return self(); },
      setSystemTime: (now = Date.now()) => { this.#frozen(); this.clock.setDate(now); return self(); }, getTimerCount: () => candidate.timerCount(), clearAllTimers: () => { candidate.clearTimers(); },
      runAllTimersAsync: async () => { for (let next = 0; next !== undefined; next = candidate.nextDue()) await later(Math.max(0, next - this.clock.now)); },
      runOnlyPendingTimersAsync: async () => { await later(0); const last = candidate.lastDue(); if (last !== undefined) await later(last - this.clock.now); },
      advanceTimersToNextTimerAsync: async () => { await later(0); const next = candidate.nextDue(); if (next !== undefined) await later(next - this.clock.now); },
      mocked: (f) => f, hoisted: (f) => f(),
      advanceTimersByTime: (n) => { this.#frozen(); first(); candidate.advance(this.clock.now + n); }, runAllTimers: () => { this.#frozen(); first(); candidate.advance(Infinity); },
      runOnlyPendingTimers: () => { this.#frozen(); first(); const last = candidate.lastDue(); if (last !== undefined) candidate.advance(last); },
      advanceTimersToNextTimer: (n = 1) => { this.#frozen(); first(); for (let next; n-- > 0 && (next = candidate.nextDue()) !== undefined;) candidate.advance(next); },
      advanceTimersByTimeAsync: later,
    });
    const inNode = () => { this.inNode = true; };
    const nodeTimers = {
      enable: ({ apis, now } = {}) => { fake(apis === undefined || apis.includes("Date") ? now ?? 0 : undefined); }, reset: real, setTime: (now) => { this.clock.setDate(now); },
      tick: (n = 1) => { this.#frozen(); this.clock.advance(this.clock.now + n); candidate.advance(this.clock.now); }, runAll: () => { this.#frozen(); const last = candidate.lastDue(); if (last !== undefined) nodeTimers.tick(last - this.clock.now); }, // it moves the time first
    };
    const original = (f) => isTheirs(f) ? () => { throw candidate.lacks("a spy of the tests calls the accessor of the candidate that it replaces"); } : f; // it is that of no object
    const framework = (name, self) => new Proxy({ ...timers(self, name === "jest" ? ticks : undefined), ...name === "vi" ? { ...stubs(), waitFor: (f, options) => polled(f, options, true), waitUntil: (f, options) => polled(f, options, false, Boolean) } : {}, fn: (f) => mocks.fn(f), spyOn: (of, key, kind) => kind === undefined ? mocks.spyOn(of, key) : mocks.spyOnAccessor(of, key, kind, original), ...Object.fromEntries(known.map((key) => [key, mocks[key]])), setTimeout: () => {}, isMockFunction: isMock }, {
      get: (of, key) => typeof key !== "string" || key in of || key === "then" ? of[key] : missing(name + "." + key),
    });
    this.groups.tracker = () => mocks.tracker(missing, nodeTimers);
    const made = {}, of = (name) => { if (made[name] === undefined) instruments.set(made[name] = framework(name, () => made[name])); return made[name]; }; // few tests use them
    for (const [kind, names] of [[Math], [JSON], [globalThis.console, ["assert"]]]) instruments.set(kind, names);
    const types = { expectTypeOf: typed, assertType: () => {} }; // nothing at run time
    const module = (name, of) => new Proxy(of, { get: (of, key) => typeof key !== "string" || key in of || ["then", "default", "__esModule"].includes(key) ? of[key] : missing(key + " of " + name) });
    this.chai = chai;
    this.modules = {
      __proto__: modules, module: { createRequire: () => this.globals.require }, assert, "assert/strict": assert.strict, chai,
      get test() { inNode(); return Object.assign(registering.test, registering, { mock: mocks.node(missing, nodeTimers) }); },
      get vitest() { return module("vitest", { ...types, ...registering, expect, vi: of("vi"), chai, assert: chai.assert }); },
      get "@jest/globals"() { return module("@jest/globals", { ...registering, expect, jest: of("jest") }); },
      get "bun:test"() { return module("bun:test", { ...types, ...registering, expect, jest: of("jest"), vi: of("vi") }); },
      get mocha() { return module("mocha", registering); },
    };
    const { describe, it, xdescribe, xit, before, after, beforeEach, afterEach } = registering; // Mocha's, if the candidate has none of these
    this.others = { context: describe, specify: it, xcontext: xdescribe, xspecify: xit, suiteSetup: before, suiteTeardown: after, setup: beforeEach, teardown: afterEach };
    this.globals = { ...globals, ...types, ...registering, ...own, assert, expect, chai, get jest() { return of("jest"); }, get vi() { return of("vi"); }, require: this.require(), module: { exports: {} }, exports: {} };
    Object.assign(this.globals, { __import: this.globals.require.import });
  }

  // #watch makes the globals of the tests anew, and has their clock and the candidate's be one.
  #watch(globals, own) {
    [Math.random, Date.now, globalThis.Date, lacked.name] = natural;
    delete Object.prototype.should;
    records.clear();
    Array.isArray = Object.defineProperty((v) => isArray(v) || ["Array", "Proxy of an array"].includes(handleOf(v)?.like), "name", { value: "isArray" });
    Object.assign(Array.prototype, flattening);
    Object.getPrototypeOf = (v) => { if (v === null || v === undefined) throw mean(new TypeError("Cannot convert undefined or null to object")); const h = handleOf(v); if (h === undefined) return v instanceof Error && prototypeOf(v) || getPrototypeOf(v); return h.overlay !== undefined || h.proto !== undefined ? getPrototypeOf(v) : v.__proto__; };
    Object.getOwnPropertyDescriptor = (v, key) => { const d = getOwnPropertyDescriptor(v, key); return d === undefined ? d : handleOf(v)?.describe?.(key) ?? d; }; // QuickJS loses the getters of a Proxy
    Object.assign(globalThis, globals, own);
    for (const name of Object.keys(globals)) delete globals[name];
    for (const name of Object.keys(own)) delete own[name];
    this.candidate.clock = this.clock;
    this.clock.paces(() => this.candidate.fuel);
    this.clock.remote = (limit) => !this.#ends() && this.candidate.turn(limit);
    this.clock.handles = (e) => this.#handles(e);
    this.clock.quiet = () => this.#rejected();
    this.clock.ticked = () => this.candidate.ticks();
    for (const key of Object.keys(globalThis).filter((key) => defined.has(key))) delete globalThis[key];
  }

  // #frozen checks that the tests have asked for fake timers.
  #frozen() { if (!this.clock.frozen) throw this.unsupported = new Broken("the tests run timers that are not fake"); }
  #alone = false; // it is one text
  ticks = false; // tests or candidate may use process.nextTick

  // run runs the texts of the tests.
  async run(tests, form) {
    const list = Array.isArray(tests) ? tests : [tests];
    const text = this.text = [...this.task.setup, ...list].join("\n");
    if (!this.candidate.shared) this.replaces(text);
    if (!this.candidate.shared && list.some((text) => hasOne(text, "Promise.resolve", "Promise.reject"))) notePromises();
    this.#alone = list.length === 1;
    style.vitest = hasOne(text, "vi") && /\bvi(?:test)?\b/.test(text);
    this.ticks = (this.candidate.program?.output ?? "nextTick").includes("nextTick") || text.includes("nextTick");
    if (!this.candidate.shared && hasOne(text, "eval", "Function", "constructor") && /\b(?:eval|Function|constructor)\b/.test(text)) this.guard();
    this.candidate.mentioned = called(text);
    this.candidate.reads = (name) => text.matchAll(/\.\s*([\w$]+)/g).some(([, is]) => is === name);
    this.candidate.iterates = hasOne(text, " in ") && /\bfor\s*\([^()]*\bin\b/.test(text);
    this.candidate.declared = declaredIn(text);
    this.candidate.computes = hasOne(text, "get", "definePropert") && /\bget\b|\bdefinePropert/.test(text);
    this.candidate.patches = hasOne(text, "prototype") && /\bprototype\b/.test(text);
    this.candidate.watches = hasOne(text, "__proto__") || this.candidate.patches && /\bconstructor\b/.test(text) ? 2 : this.candidate.patches && looks.test(text) ? 1 : 0;
    if (hasOne(text, "global") && /(?:\b(?:keys|entries|getOwnPropertyNames|ownKeys)\s*\(\s*|\bin\s+)global(?:This)?\b/.test(text)) this.candidate.watches = 3;
    this.candidate.importing = hasOne(text, "from", "import", "require") && [...text.matchAll(/\b(?:from|import|require)\b\s*\(?\s*(['"`])([^'"`\n]+)\1/g)].some(([, , name]) => this.isSolution(name));
    this.candidate.counts = list.some((text) => hasOne(text, "Promise.resolve()", "nextTick", "setImmediate", "queueMicrotask"));
    const mocked = !hasOne(text, "ock", "proxyquire", "rewire") ? null : /\b(?:(?:jest|vi)\.(?:mock|doMock|unstable_mockModule|setMock)|mock\.module|proxyquire|rewire)(?=\s*\()/.exec(text);
    if (mocked !== null) throw new Broken("the tests use " + mocked[0] + ", which is not supported");
    const setup = this.task.setup.join("\n");
    const compiled = list.map((text) => this.compiled(setup + "\n" + text + (this.#isCheck(text, form) ? "\n;await __check(check);" : "")));
    try {
      const late = text.includes("process.env") && this.candidate.importing && !list.some(isModule); // the program may be required behind a change of it
      if (this.candidate.testFuel === undefined && !late) this.load();
    } catch (e) {
      const r = this.judged("load", e);
      this.results = list.map((_, k) => ({ ...r, name: list.length === 1 ? "load" : "tests[" + k + "]" }));
      return;
    }
    for (let k = 0; k < compiled.length; k++) {
      const name = list.length === 1 ? "script" : "tests[" + k + "]";
      let checked = false;
      const own = { __check: async (check) => {
        if (typeof check !== "function") throw new Broken("check is not a function");
        checked = true;
        await check(this.entry());
      } };
      this.#count = 0;
      this.imported = false;
      this.source = list[k];
      const before = this.registered.length;
      const turn = !this.ticks || isModule(list[k]) ? (f) => f() : (f) => this.clock.turn(f); // a module runs where promises do
      await this.attempt(checked ? "check" : name, () => turn(() => compiled[k](this.scope(own))), (r) => {
        if (checked) r.name = "check";
        if (r.outcome !== passed || this.#count > 0 || checked) return true;
        if (this.registered.length > before) { // the text only registers tests
          this.#between ||= this.candidate.uses > 0;
          return false;
        }
        if (this.candidate.asked === this.asked) throw new Broken(name + " has no test");
        return true;
      }, () => this.registered.length === 0 && (k === compiled.length - 1 || this.candidate.testFuel !== undefined));
      await this.groups.run(before);
      if (this.hopeless()) {
        for (let n = k + 1; n < compiled.length; n++) this.results.push({ name: "tests[" + n + "]", outcome: "fuel", why: words.fuel });
        break;
      }
    }
    if (this.results.length === 0) throw new Broken("the tests have no test");
  }

  #isCheck(text, form) {
    return form === "check" || form === "auto" && this.task.entry !== "" && /^\s*(?:async\s+)?function\s+check\s*\(|^\s*(?:const|let|var)\s+check\s*=/m.test(text) && !/^\s*(?:await\s+)?check\s*\(/m.test(text);
  }

  hopeless() { return this.candidate.exhausted; }

  // attempt runs one test, and adds its result unless keep says that it was none.
  // last reports whether it is the last one of its process.
  async attempt(name, test, keep = () => true, last = () => false) {
    if (this.candidate.testFuel !== undefined && this.candidate.started) this.candidate.end ??= ["exit", "a new test"];
    if (this.candidate.end !== undefined) this.candidate.loaded = false; // load takes a new instance
    this.asked = this.candidate.asked;
    this.used = this.candidate.uses;
    this.given = this.candidate.given?.size;
    this.candidate.awaits = false;
    this.candidate.last = this.candidate.unsure = undefined;
    const { missed, threw } = this.candidate, counted = this.#count, awaited = this.candidate.awaited?.() ?? 0;
    let r;
    try {
      [this.#expected, this.#promised, this.groups.skips] = [0, undefined, false];
      lost.clear();
      unhandled.clear();
      this.#refused = this.candidate.rejection = undefined;
      fault.error = undefined;
      this.#left = undefined;
      for (const list of Object.values(this.#handlers)) list.length = 0;
      this.clock.failed = undefined;
      await this.clock.settle((async () => { try { await test(); } catch (e) { if (e !== pending && !this.#handles(e)) throw this.#left ?? e; } })(), true);
      this.#checkExit();
      const { frozen } = this.clock;
      this.clock.frozen = false;
      const wait = (until) => this.clock.settle(new Promise((done) => this.clock.set(done, until - this.clock.now, [], false)));
      await wait(this.clock.now);
      for (let k = 0; this.candidate.pending > 0 && this.candidate.due !== undefined && !frozen && k < 1_000; k++) await wait(this.candidate.due);
      // A program ends when no timer is left that may call the tests.
      const due = () => Math.min(this.clock.kept() ?? Infinity, this.#alone && this.candidate.given?.size > 0 ? this.candidate.keptDue() : Infinity);
      for (let k = 0, next; this.registered.length === 0 && !frozen && !this.#ends() && k < 1_000; k++) {
        const nothing = (next = due()) === Infinity;
        if (nothing && !this.#emptied()) break;
        await wait(nothing ? this.clock.now : next);
        if (nothing && due() === Infinity) break;
      }
      this.clock.frozen = frozen;
      if (!this.candidate.shared) {
        this.#rejected();
        this.clock.check();
        this.#checkExit();
        if (!this.#ends() && last()) this.candidate.finish(!this.#faked);
        if (this.#ends() && this.#count === counted && asserting.test(this.source) && !assertsByItself.test(this.source)) throw new Broken(name + " ends before an assertion, perhaps by what the candidate has answered", true);
        this.#exit();
      }
      if (this.#promised !== undefined && (this.#promised < 0 ? this.#expected === 0 : this.#expected !== this.#promised)) {
        throw new AssertionError({ message: this.#expected + " assertions, expected " + (this.#promised < 0 ? "some" : this.#promised), operator: "fail" });
      }
      if (fault.error !== undefined && !this.candidate.shared) throw fault.error;
      if (this.unsupported !== undefined) throw this.unsupported;
      if (this.candidate.unsupported !== undefined) throw this.#cannotCross();
      if (lacked.name !== undefined && !this.candidate.shared) throw this.#lacks();
      // The test may have caught that the candidate ended.
      r = this.candidate.missed > missed ? this.judged(name, new Ended("")) : { name, outcome: this.groups.skips ? skipped : passed };
      if (r.outcome === passed && lost.size > 0 && !this.candidate.shared) throw new Broken(name + " passes, although an assertion fails, in a promise that nothing waits for, or where it is caught: " + [...lost][0].message, true);
      if (r.outcome === passed && !this.candidate.shared) this.candidate.checkNatural();
      if (r.outcome === passed && !this.candidate.shared) this.#unseen(name, this.#count === counted && this.candidate.awaited() > awaited);
      if (r.outcome === passed && !this.candidate.shared && this.#count === counted && this.candidate.threw > threw && asserting.test(this.source) && !/\bfail\b/.test(this.source)) {
        throw new Broken(name + " passes without an assertion, since it catches what the candidate throws", true);
      }
    } catch (e) {
      r = this.judged(name, e);
    }
    if (keep(r)) this.results.push(r);
  }

  #handlers;         // what the tests do when their process ends, and with what nothing catches
  #left = undefined; // the first process.exit(): what catches it would not run in Node
  inNode = false;   // the tests are those of node:test, which ends as any program of Node
  #faked = false;    // they have had fake timers

  // #emptied calls what the tests do when nothing is left to do, and reports whether there may be something again.
  #emptied() {
    const { beforeExit: list = [] } = this.#handlers;
    for (const f of [...list]) f(Number(globalThis.process.exitCode ?? 0));
    return list.length > 0;
  }

  // #handles has the tests take an error that nothing catches, as process.on() says. It reports whether they do, or have ended.
  #handles(e, promise) {
    const { uncaughtException: caught = [], unhandledRejection: rejected = [] } = this.#handlers, list = promise !== undefined && rejected.length > 0 ? rejected : caught;
    if (promise === undefined && this.candidate.rejection?.e === e && rejected.length > 0) {
      this.candidate.rejection = undefined;
      return this.#handles(e, Promise.resolve());
    }
    if ([Broken, Unsupported, Ended, Missing, Stuck].some((kind) => e instanceof kind)) return false;
    if (this.#ends()) return true;
    if (list.length === 0 || this.registered.length > 0 || e instanceof Exit || this.#left !== undefined) return false;
    noted(e);
    for (const f of [...list]) f(e, promise ?? "uncaughtException");
    return true;
  }

  // #rejected has them take the rejections that nothing handles. One that is handled later ends a program of Node, and tests of node:test and Vitest.
  #rejected() {
    for (const [promise, e] of [...unhandled]) {
      if (this.#handles(e, promise)) unhandled.delete(promise);
      else if ((this.registered.length === 0 || this.inNode || /\bvi(?:test)?\b/.test(this.text)) && this.#isRaised(e)) this.#refused ??= { e };
    }
  }

  #refused = undefined; // what such a promise was rejected with

  // #refuses reports whether a rejection that nothing handles fails the tests: in Node, node:test, Jest and Vitest it does, in Mocha it does not.
  refuses() { return this.registered.length === 0 || this.inNode || /\b(?:vi|vitest|jest)\b|\.to[A-Z]\w*\(/.test(this.text); }

  // #ends reports whether a program has ended with the exit code 0.
  #ends() { return this.#left?.code === 0 && this.registered.length === 0; }

  // #checkExit throws for another exit code: they have caught that.
  #checkExit() { if (this.#left !== undefined && !this.#ends()) throw this.#left; }

  // #exit ends the process of a program, and throws for an exit code that the tests have set.
  #exit() {
    const { process } = globalThis;
    this.#left = undefined;
    if (this.registered.length === 0) for (const f of this.#handlers.exit.splice(0)) f(Number(process.exitCode ?? 0));
    const code = Number(process.exitCode ?? 0);
    process.exitCode = undefined;
    if (code !== 0) throw new Exit(code);
  }

  // #unseen throws for a test that passes without knowing: a promise has rejected that nothing handles, or one with all its assertions never settles.
  #unseen(name, waits) {
    if (this.#refused !== undefined) throw this.#refused.e;
    for (const e of unhandled.values()) {
      if (this.refuses() && this.#isRaised(e)) throw e;
      throw new Broken(name + " passes, although a promise rejects that nothing handles: " + shown(e), true);
    }
    if (this.candidate.silent(this.given)) throw new Broken(name + " passes, although the candidate's own promise calls none of the functions that assert something", true);
    if (waits) throw new Broken(name + " passes without an assertion, although it waits for a promise that never settles", true);
  }

  #isRaised(e) { return raisedBy(e) !== undefined || this.candidate.thrownValue !== undefined && this.candidate.thrownValue.value === e; }

  #lacks() { return new Broken("the tests use " + lacked.name + ", which this runtime does not have", lacked.byValue); }

  #cannotCross() { return new Unsupported(this.candidate.unsupported, this.candidate.chosen); }

  // doubted returns a failure if a test has no verdict, by a candidate's own choice, and that is to be one. It throws the error otherwise.
  #doubted(e, outcome, result) {
    if (this.candidate.rerun || !this.task.strict || !e.chosen || (this.unsupported ?? e) !== e || this.candidate.chose === false) throw e;
    [lacked.name, lacked.byValue, this.candidate.unsupported, this.unsupported] = [undefined, false, undefined, undefined];
    return result(outcome, e.message);
  }

  // judged returns the result of a test that an error ended. It throws Broken if the candidate is not at fault.
  judged(name, e) {
    const c = this.candidate, input = c.last === undefined ? undefined : c.last.name + "(" + c.last.args.map(spoken).join(", ") + ")";
    const result = (outcome, why, more = {}) => ({ name, outcome, why: why.slice(0, 1_000), input, lacks: c.lacked ?? c.unsure, ...more });
    noted(e);
    if (c.unsupported !== undefined) return this.#doubted(this.#cannotCross(), "exception", result);
    if (fault.error !== undefined && !c.shared) e = new Broken("the judge fails by itself in " + name + ": " + shown(fault.error) + " at " + /\(([^()]*js:[^()]*)\)/.exec(fault.error.stack)?.[1], true);
    if (e instanceof Broken) return this.#doubted(e, "wrong_answer", result);
    if (e instanceof Unsupported) return this.#doubted(e, "exception", result); // of an earlier test, thrown again
    if (this.unsupported !== undefined) throw this.unsupported;
    if (lacked.name !== undefined && !c.shared) return this.#doubted(this.#lacks(), "exception", result);
    if (c.end !== undefined) return result(c.end[0], c.end[1]);
    if (e instanceof Missing) return result("exception", e.message);
    const from = e instanceof Stuck || e === this.#left ? undefined : c.shared ? c.raisedBy(e) : raisedBy(e) ?? (c.thrownValue !== undefined && c.thrownValue.value === e ? c.thrownValue : undefined);
    if (from !== undefined && e instanceof Exit) return result("exit", "the candidate called process.exit(" + e.code + ")", { line: from.line });
    if (from !== undefined && c.rejection?.e === e && !this.refuses()) return this.#doubted(new Broken(name + " passes, although a promise rejects that nothing handles: " + shown(e), true), "exception", result);
    const untouched = c.asked === (c.shared ? 0 : this.asked) && !this.#between && !c.listed && !this.hasValues();
    if (from !== undefined) return result(e?.name === "InternalError" && e.message === "out of memory" ? "memory" : "exception", shown(e), { line: from.line });
    if (handleOf(e) !== undefined) return result("exception", "the tests throw an object of the candidate");
    if (e instanceof Error && unheard(() => String(e.message)).startsWith("Invalid Chai property: ")) throw new Broken("the tests use " + e.message.split(" ")[3].slice(0, 100) + " of chai, which is not supported");
    if (e instanceof AssertionError || e instanceof ChaiError) {
      if (untouched && this.lacking === undefined) throw new Broken(name + " fails before it calls the candidate: " + e.message);
      const compares = !["fail", "throws", "doesNotThrow"].includes(e.operator);
      return result("wrong_answer", e.message, compares ? { expected: shown(e.expected), actual: shown(e.actual) } : {});
    }
    if (e instanceof Exit && e.code !== 0 && !untouched) return result("wrong_answer", "the tests end with exit code " + e.code + (lost.size > 0 ? ": " + [...lost][0].message : ""));
    if (e instanceof Exit) throw new Broken(name + " calls process.exit");
    if (untouched) throw new Broken(name + " fails before it calls the candidate: " + shown(e));
    if (e instanceof Stuck && c.pending > 0) return result("exception", "the candidate's promise never settles");
    if (e instanceof Stuck && !c.shared && c.mayCall(this.given)) return result("exception", "the candidate does not call a function of the tests that ends the test");
    if (e instanceof Stuck && !c.shared) return this.#doubted(new Broken(name + " fails by itself: " + shown(e), true), "exception", result);
    return result("exception", "the test cannot use the candidate's answer: " + shown(e));
  }

}

// called returns the names under which a text calls a method, or reads one of a prototype or of an empty value.
const called = (text) => new Set([...text.matchAll(/\.\s*([\w$]+)(?=\s*(?:\.\s*(?:call|apply|bind)\s*)?(?:\?\.\s*)?[(`])|(?:\bprototype\b|\[\]|''|"")\s*(?:\.|\[\s*['"])\s*([\w$]+)|['"]([\w$]+)['"]\s*(?:in\b|\))/g)].map(([, ...names]) => names.find((name) => name !== undefined)));

// members shows the keys and values of a coded object.
function members(v) {
  return v.slice(1, 60).map((x, k) => k % 2 === 0 ? x + ": " : spoken(x) + (k + 2 < v.length ? ", " : "")).join("");
}

// spoken shows a coded value.
function spoken(v) {
  if (!Array.isArray(v)) return inspect(v, 1, 2, true).slice(0, 120);
  switch (v[0].replace(/[-+!]?[0-9]+$/, "")) {
    case "u": return "undefined";
    case "n": return v[1];
    case "i": return v[1].slice(0, 100) + "n";
    case "l": return "[" + v.slice(1, 60).map(spoken).join(", ") + (v.length > 60 ? ", ..." : "") + "]";
    case "o": case "p": return "{" + members(v) + "}";
    case "k": return members(v);
    case "r": return "/" + v[1] + "/" + v[2];
    case "d": return "Date(" + v[1] + ")";
    case "m": return "Map(" + (v.length - 1) / 2 + ")";
    case "s": return "Set(" + (v.length - 1) + ")";
  }
  return "a value";
}
