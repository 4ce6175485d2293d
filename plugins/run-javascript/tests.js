// Runs tests in the forms in which datasets have them: one result for each test.
import { assertions, AssertionError, lost, shown } from "./assert.js";
import { nodeEqual, style } from "./equal.js";
import { ChaiError, expectations } from "./expect.js";
import { fault, mean, noted } from "./faults.js";
import { inspect } from "./inspect.js";
import { declaredIn, Ended, guardCode, handleOf, isTheirs, notePromises, prototypeOf, raisedBy, scopes, surfaces, Unsupported } from "./known.js";
import { isMock, Mocks } from "./mock.js";
import { absent, Clock, commonJS, EventEmitter, Exit, hasOne, importing, isModule, lacked, Stuck, world } from "./node.js";
import { unhandled } from "./rejections.js";
import { words } from "./requests.js";
import { records } from "./wire.js";

export const passed = "passed", skipped = "skipped";
const { Function, eval: evaluate } = globalThis, AsyncFunction = (async () => {}).constructor; // those of the tests are guarded

// The tests fail by themselves, whatever the candidate does. chosen: a candidate can bring that about.
export class Broken extends Error {
  constructor(why, chosen = false) { super(why); this.chosen = chosen; }
}

// What tests of a framework use, and is not here. None of these names is the candidate's, nor one by which tests assert something.
const asserts = /^(?:assert|expect|should)/, frameworks = new Set(["jest", "vi", "vitest", "sinon", "mock", "jasmine", "spyOn", "cy", "mocha", "bench"]);

// typed stands for all that expectTypeOf has.
const typed = new Proxy(function () {}, { get: (_, key) => typeof key !== "string" || key === "then" ? undefined : typed, apply: () => typed });

// The candidate could not be loaded, or lacks a name.
class Missing extends Error {}

const { isArray } = Array, { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const defined = new Set(); // names that tests have given to the global object
const natural = [Math.random, Date.now, Date];

// replaceable has the modules of Node in which tests may put functions in the place of others.
const replaceable = new Set(["fs", "crypto", "os", "path", "util", "readline", "perf_hooks"]);

const pending = mean(new Error("skip() of Mocha's context")); // what ends a test that skips itself

// looks matches what tests may look at that candidates change, and not the call of a method of it.
const looks = /\b(?:Array|String|Number|Function|Date|Promise|Map|Set|Object)\.prototype\b(?!\.\w+\.(?:call|apply|bind)\b)/;

// directive matches a text that begins with "use strict".
const directive = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(["'])use strict\1/;

// elsewhere matches a function that skips, where it is not called.
const elsewhere = /(?:\.skip|\bx(?:it|test|describe))\b(?!\s*[(.`:=,}])/;

// assertsByItself matches tests that define what they assert with.
const assertsByItself = /\b(?:function|const|let|var)\s+(?:assert|expect|should)\w*\b(?!\s*=\s*require)/;

const asserting = /\b(?:assert|expect|should)\b/;

// arithmetic matches code that can name nothing.
const arithmetic = /^(?:\s*(["'])use strict\1;?)?(?:\s*return\b)?[\d\s+\-*\/%().,<>=!&|^?:~;]{0,300}$/;

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
export class Suite {
  results = [];
  registered = [];
  #names = new Map();
  #count = 0;
  #expected = 0;            // calls of expect, of a test
  #prompt = undefined;      // evaluates a name where the prompt is
  #between = false;         // the tests have called the candidate where they register tests
  #tracker = undefined;     // makes the mock of a test of node:test
  #skipped = false;         // a test of node:test says that it is skipped
  #late = [];               // what node:test runs after a test
  #used = 0;                // requests for which the candidate has run, before a test
  #promised = undefined;    // how many it says that there are; -1: some
  #unsupported = undefined; // what the tests have used that there is not: they may have caught the error
  #hooks = [];   // of the groups that are open: { name, before, after, beforeEach, afterEach }
  lacking = undefined; // a name that the candidate lacks

  constructor(candidate, task) {
    this.candidate = candidate;
    this.task = task;
    this.clock = candidate.clock ?? new Clock();
    const count = () => { this.#count++; };
    const missing = (name) => this.#missing(name), assert = assertions(count, missing), quiet = () => {};
    const { expect, chai } = expectations(() => { count(); this.#expected++; }, missing, (n) => { this.#promised = n; });
    const { globals, modules, handlers } = candidate.shared ? { globals: {}, modules: candidate.state.modules, handlers: { exit: [] } } : world("", quiet, this.clock);
    this.#handlers = handlers;
    modules.util.isDeepStrictEqual = (a, b) => nodeEqual(a, b, true);
    const asserts = (v, ...message) => assert(v, message.length > 0 ? message.map(String).join(" ") : undefined);
    const own = candidate.shared ? { console: new Proxy(globalThis.console, { get: (of, key) => key === "assert" ? asserts : of[key] }) } : {
      console: { ...globals.console, log: quiet, info: quiet, debug: quiet, assert: asserts }, process: { ...globals.process, exit: (code) => {
        const e = new Exit(Number(code ?? globalThis.process.exitCode ?? 0));
        throw this.#left ??= e;
      } },
    };
    if (!candidate.shared) this.#watch(globals, own);
    const registering = this.#registering(), mocks = new Mocks(), known = ["clearAllMocks", "resetAllMocks", "restoreAllMocks"];
    const later = async (ms) => {
      this.#frozen();
      this.clock.frozen = false;
      await new Promise((done) => this.clock.set(done, ms, [], false));
      this.clock.frozen = true;
    };
    const fake = (now) => {
      this.clock.frozen = this.#faked = true;
      this.clock.setDate(now);
    };
    const real = () => {
      this.clock.frozen = false;
      this.clock.setDate(undefined);
    };
    const timers = (self) => ({
      useFakeTimers: (options) => { fake(options?.now ?? this.clock.date); return self(); }, useRealTimers: () => { real(); return self(); },
      setSystemTime: (now = Date.now()) => { this.#frozen(); this.clock.setDate(now); return self(); }, getTimerCount: () => candidate.timerCount(), clearAllTimers: () => { candidate.clearTimers(); },
      runAllTimersAsync: async () => { for (let next = 0; next !== undefined; next = candidate.nextDue()) await later(Math.max(0, next - this.clock.now)); },
      runOnlyPendingTimersAsync: async () => { await later(0); const last = candidate.lastDue(); if (last !== undefined) await later(last - this.clock.now); },
      advanceTimersToNextTimerAsync: async () => { await later(0); const next = candidate.nextDue(); if (next !== undefined) await later(next - this.clock.now); },
      mocked: (f) => f,
      advanceTimersByTime: (n) => { this.#frozen(); candidate.advance(this.clock.now + n); }, runAllTimers: () => { this.#frozen(); candidate.advance(Infinity); },
      runOnlyPendingTimers: () => { this.#frozen(); const last = candidate.lastDue(); if (last !== undefined) candidate.advance(last); },
      advanceTimersToNextTimer: (n = 1) => { this.#frozen(); for (let next; n-- > 0 && (next = candidate.nextDue()) !== undefined;) candidate.advance(next); },
      advanceTimersByTimeAsync: later,
    });
    const inNode = () => { this.#inNode = true; };
    const nodeTimers = {
      enable: ({ apis, now } = {}) => { fake(apis === undefined || apis.includes("Date") ? now ?? 0 : undefined); }, reset: real, setTime: (now) => { this.clock.setDate(now); },
      tick: (n = 1) => { this.#frozen(); this.clock.advance(this.clock.now + n); candidate.advance(this.clock.now); }, runAll: () => { this.#frozen(); const last = candidate.lastDue(); if (last !== undefined) nodeTimers.tick(last - this.clock.now); }, // it moves the time first
    };
    const original = (f) => isTheirs(f) ? () => { throw candidate.lacks("a spy of the tests calls the accessor of the candidate that it replaces"); } : f; // it is that of no object
    const framework = (name, self) => new Proxy({ ...timers(self), ...name === "vi" ? stubs() : {}, fn: (f) => mocks.fn(f), spyOn: (of, key, kind) => kind === undefined ? mocks.spyOn(of, key) : mocks.spyOnAccessor(of, key, kind, original), ...Object.fromEntries(known.map((key) => [key, mocks[key]])), setTimeout: () => {}, isMockFunction: isMock }, {
      get: (of, key) => typeof key !== "string" || key in of || key === "then" ? of[key] : missing(name + "." + key),
    });
    this.#tracker = () => mocks.tracker(missing, nodeTimers);
    const made = {}, of = (name) => made[name] ??= framework(name, () => made[name]); // few tests use them
    const types = { expectTypeOf: typed, assertType: () => {} }; // nothing at run time
    const module = (name, of) => new Proxy(of, { get: (of, key) => typeof key !== "string" || key in of || ["then", "default", "__esModule"].includes(key) ? of[key] : missing(key + " of " + name) });
    this.chai = chai;
    this.modules = {
      ...modules, module: { createRequire: () => this.globals.require }, assert, "assert/strict": assert.strict, chai,
      get test() { inNode(); return Object.assign(registering.test, registering, { mock: mocks.node(missing, nodeTimers) }); },
      get vitest() { return module("vitest", { ...types, ...registering, expect, vi: of("vi"), chai, assert: chai.assert }); },
      get "@jest/globals"() { return module("@jest/globals", { ...registering, expect, jest: of("jest") }); },
      get "bun:test"() { return module("bun:test", { ...types, ...registering, expect, jest: of("jest"), vi: of("vi") }); },
      get mocha() { return module("mocha", registering); },
    };
    const { describe, it, xdescribe, xit, before, after, beforeEach, afterEach } = registering; // Mocha's, if the candidate has none of these
    this.others = { context: describe, specify: it, xcontext: xdescribe, xspecify: xit, suiteSetup: before, suiteTeardown: after, setup: beforeEach, teardown: afterEach };
    this.globals = { ...globals, ...types, ...registering, ...own, assert, expect, chai, get jest() { return of("jest"); }, get vi() { return of("vi"); }, require: this.#require(), module: { exports: {} }, exports: {} };
    Object.assign(this.globals, { __import: this.globals.require.import });
  }

  // #watch makes the globals of the tests anew, and has their clock and the candidate's be one.
  #watch(globals, own) {
    [Math.random, Date.now, globalThis.Date, lacked.name] = natural;
    delete Object.prototype.should;
    records.clear();
    Array.isArray = Object.defineProperty((v) => isArray(v) || ["Array", "Proxy of an array"].includes(handleOf(v)?.like), "name", { value: "isArray" });
    Object.getPrototypeOf = (v) => { const h = handleOf(v); if (h === undefined) return v instanceof Error && prototypeOf(v) || getPrototypeOf(v); return h.overlay !== undefined || h.proto !== undefined ? getPrototypeOf(v) : v.__proto__; };
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

  // #replaces has what the texts of tests put in place of built-in functions, or into the global object, reach the candidate.
  #replaces(text) {
    const watched = [["console", "log", "info", "debug", "warn", "error"], ["process.stdout", "write"], ["process", "exit"], ["Math", "random"], ["Date", "now"], ["globalThis", "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "queueMicrotask", "Date"]]
      .flatMap(([path, ...keys]) => keys.map((key) => ({ path, key, of: () => path.split(".").reduce((v, key) => v[key], globalThis) })))
      .filter(({ path, key }) => text.includes(key) && (path === "globalThis" || text.includes(path.split(".").at(-1))));
    if (text.includes("randomUUID")) watched.push({ path: "crypto", key: "randomUUID", of: () => globalThis.crypto });
    for (const w of watched) w.before = w.of()[w.key];
    const globals = hasOne(text, "global", "stubGlobal") && /\bglobal(?:This)?\b|\bstubGlobal\b/.test(text), names = new Set(Object.keys(globalThis)), withEnv = hasOne(text, "env", "Env", "ENV"), first = globalThis.process.env;
    this.#watched = watched;
    if (watched.length > 0 || globals || withEnv) this.#replacing(globals, names, withEnv, first);
  }

  #watched = [];  // functions that the tests may replace
  #tells = false; // the candidate learns of them

  // #required has what the tests put into a module of Node reach the candidate.
  #required(name) {
    for (const key of Object.keys(this.modules[name])) if (this.#text.includes(key)) this.#watched.push({ path: "node:" + name, key, of: () => this.modules[name], before: this.modules[name][key] });
    if (!this.#tells) this.#replacing(false, new Set(), false);
  }

  // #replacing has the candidate learn of what they have replaced.
  #replacing(globals, names, withEnv, first) {
    const watched = this.#watched;
    this.#tells = true;
    this.candidate.replaced = () => {
      const list = watched.map((w) => [w.path, w.key, w.of()[w.key], w.before]).filter(([, , f, before]) => f !== before);
      for (const [key, v] of withEnv ? Object.entries(globalThis.process.env) : []) if (v !== undefined || globalThis.process.env === first) list.push(["process.env", key, String(v)]);
      for (const key of globals ? Object.keys(globalThis) : []) {
        if (names.has(key)) continue;
        defined.add(key);
        list.push(["globalThis", key, typeof globalThis[key] === "string" ? {} : globalThis[key]]);
      }
      return list;
    };
  }

  // #guard has the tests make no code from other texts than theirs.
  #guard() {
    guardCode((list) => { list.forEach((text) => this.#isOwn(text)); return list; });
    this.globals.eval = (text) => {
      if (typeof text !== "string") return text;
      this.#isOwn(text);
      try { return new Function("__scope", "with (__scope) { return (__text) => eval(__text); }")({ ...this.globals, eval: evaluate })(text); } catch (e) { throw e instanceof ReferenceError ? this.#missing("eval with names of their own") : e; }
    };
  }

  // #isOwn checks that a text from which the tests make code is theirs, or says no more than a number: that of a candidate would run among them.
  #isOwn(text) {
    if (!this.#text.includes(text) && !arithmetic.test(text)) throw this.candidate.lacks("the tests run a text that may be the candidate's", true);
  }

  // #frozen checks that the tests have asked for fake timers.
  #frozen() { if (!this.clock.frozen) throw this.#unsupported = new Broken("the tests run timers that are not fake"); }

  #missing(name) { throw this.#unsupported = new Broken("the tests use " + name + ", which is not supported"); }

  #require() {
    const solution = new Proxy({}, {
      get: (_, name) => typeof name !== "string" || name === "then" || name === "__esModule" ? undefined : this.#isUnused(name) && !this.candidate.shared && this.has(name) === false ? undefined : this.find(name, true),
      has: (_, name) => typeof name === "string", set: (_, name, v) => this.#replace(String(name), v),
      deleteProperty: (_, name) => this.#replace(String(name), undefined),
    });
    // A module that is one function: module.exports = f, or export default.
    const names = {
      ownKeys: () => this.#exportNames(), getOwnPropertyDescriptor: (_, name) => ({ value: solution[name], writable: true, enumerable: true, configurable: true }),
      get: (_, name) => name === Symbol.toStringTag && this.#isNamespace() ? "Module" : solution[name], set: (_, name, v) => { solution[name] = v; return true; }, deleteProperty: (_, name) => delete solution[name],
    };
    const whole = new Proxy(function () {}.bind(), {
      ...names, apply: (_, self, args) => this.#function(this.exported(), "the default export")(...args), construct: (_, args) => new (this.#function(this.exported(), "the default export"))(...args),
    });
    const plain = new Proxy({}, { // one that is an object
      ...names, get: (of, name) => typeof name === "string" && this.#text.includes(name) ? solution[name] : name === Symbol.toStringTag && this.#isNamespace() ? "Module" : of[name], // others ask what it is
      has: (of, name) => name in of || this.#exportNames().includes(name),
    });
    for (const of of [whole, plain]) surfaces.add(of);
    const require = (name) => {
      name = String(name).replace(/^node:/, "");
      if (Object.hasOwn(this.modules, name)) {
        if (replaceable.has(name) && !this.candidate.shared && !this.#watched.some((w) => w.path === "node:" + name)) this.#required(name);
        return this.modules[name];
      }
      this.#imported ||= this.#isSolution(name);
      if (this.#isSolution(name)) return this.#module() ?? this.#whole() ?? (this.#isPlain() ? plain : whole);
      const registered = /^chai\/register-(assert|expect|should)(?:\.js)?$/.exec(name)?.[1];
      if (registered !== undefined) return { [registered]: this.globals[registered] = registered === "should" ? this.chai.should() : this.chai[registered] };
      throw new Broken("the tests require " + name + ", which this runtime does not have");
    };
    const one = (name) => { const m = require(name); return m === whole || m === plain ? this.exported(true) : m.default ?? m; };
    return Object.assign(require, { default: one, import: Object.assign(async (name) => { const m = require(name); return m === whole || m === plain ? m : { default: m, ...m }; }, { meta: { url: "file:///tests.js", filename: "/tests.js", dirname: "/" } }) });
  }

  // #isNamespace reports whether the tests import the namespace of a module, which Jest replaces by an object.
  #isNamespace() { return isModule(this.#text) && !/\bjest\b/.test(this.#text); }

  // #whole returns what a module is that is no plain object, unless the tests take names from it that it does not have.
  #whole() {
    if (this.candidate.shared || !/\bmodule\.exports\s*=/.test(this.candidate.program.output)) return undefined;
    this.load();
    const v = this.candidate.wholeModule();
    const names = [...this.#text.matchAll(/\{([^{}]*)\}\s*=\s*require\(/g)].flatMap(([, list]) => list.split(",").map((x) => x.trim().split(/\s*[:=]/)[0])).filter(Boolean);
    return v !== undefined && names.every((name) => name in Object(v)) ? v : undefined;
  }

  // #isPlain reports whether the candidate's module is an object.
  #isPlain() {
    if (this.candidate.shared) return false;
    this.load();
    return this.candidate.plain;
  }

  // #exportNames returns the names of what the module exports.
  #exportNames() {
    this.load();
    return this.candidate.exportNames(isModule(this.#text));
  }

  // #isSolution reports whether a module is the candidate.
  #isSolution(name) { return this.task.modules.has(name.replace(/^.*\//, "").replace(/\.[cm]?js$/, "")); }

  // #module returns the exports of a candidate that is in this instance, if it has any.
  #module() {
    if (!this.candidate.shared) return undefined;
    this.load();
    this.candidate.asked++;
    return this.candidate.module();
  }

  exported(orNames = false) {
    this.load();
    const v = this.candidate.exported(/\b(?:import|const|let|var)\s+[A-Z][\w$]*\s*(?:=\s*require\b|(?:,\s*\{[^}]*\}\s*)?from\b)/.test(this.#text));
    if (v === undefined && orNames) return this.globals.require("./solution");
    if (v === undefined) throw this.missing("a default export");
    return v;
  }

  missing(name) {
    this.lacking ??= name;
    return new Missing("the candidate does not define " + name);
  }

  // load loads the candidate, if it is not.
  load() {
    if (this.candidate.loaded) return;
    const entry = this.task.entry.split(".")[0], wanted = [...new Set([...entry ? [entry] : [], ...this.task.required])];
    const kinds = this.candidate.load(wanted);
    this.#names = new Map();
    wanted.forEach((name, k) => {
      if (kinds[k] === undefined) throw this.missing(name);
      if (kinds[k][0] !== "A") this.#keep(name, this.candidate.resolve(name, kinds[k]));
    });
  }

  #replaced = new Map(); // what the tests have put in the place of exports of the candidate

  // #replace puts a function there; undefined: what was there.
  #replace(name, v) {
    this.load();
    this.candidate.replace(name, v);
    if (v === undefined || this.candidate.shared) this.#replaced.delete(name); else this.#replaced.set(name, v);
    return true;
  }

  // find returns what a name of the candidate is. imported: the tests say that it is the candidate's.
  find(name, imported = false) {
    this.load();
    if (imported && this.#replaced.has(name)) return this.#replaced.get(name);
    const helper = this.#helper(name);
    if (helper !== undefined) return helper;
    if (this.candidate.shared) this.candidate.asked++; // what it has under a name may change
    const kept = this.candidate.shared ? undefined : this.#names.get(name);
    if (kept === undefined || typeof kept.v !== "function" && kept.uses !== this.candidate.uses) { // it may have changed
      const theirs = imported || this.#isTheirs(name), v = theirs ? this.candidate.resolve(name) : undefined;
      if (this.candidate.computed?.has(name)) return v;
      if (v === undefined) {
        if (Object.hasOwn(this.others, name)) return this.others[name];
        if (frameworks.has(name)) throw new Broken("the tests use " + name + ", which is not supported");
        if (absent.has(name)) throw new Broken("the tests use " + name + ", which this runtime does not have");
        if (!imported && (!theirs || this.task.entry || name === "check")) throw new Broken("the tests use the name " + name + ", which nothing defines");
        throw this.missing(name);
      }
      this.#keep(name, v);
    }
    return this.#names.get(name).v;
  }

  #keep(name, v) { this.#names.set(name, { v, uses: this.candidate.uses }); }

  #text = ""; // of the tests
  #source = ""; // of the test that runs
  #alone = false; // it is one text
  #ticks = false; // tests or candidate may use process.nextTick

  // #isUnused reports whether the tests import a name, and never use it.
  #isUnused(name) { return !this.task.required.has(name) && this.#text.match(new RegExp("(?<![\\w$])" + name.replaceAll("$", "\\$") + "(?![\\w$])", "g"))?.length === 1; }

  // has reports whether the candidate has a name.
  has(name) {
    this.load();
    return this.candidate.kindOf(name) !== undefined;
  }

  // #isTheirs reports whether a name that the tests use and do not import may be the candidate's.
  #isTheirs(name) {
    const { entry, prompt, required } = this.task;
    return required.size === 0 && !this.#imported && !this.#isFrameworks(name) || required.has(name) || entry !== "" && new RegExp("\\b(?:class|function\\s*\\*?|const|let|var)\\s+" + name.replaceAll("$", "\\$") + "(?![\\w$])").test(prompt);
  }

  // #isFrameworks reports whether a name is that of a framework. Some the candidate may have too: fail is Jest's in its tests, and Mocha's are called as Mocha's, context("...", () => ...).
  #isFrameworks(name) {
    return frameworks.has(name) || asserts.test(name) || name === "fail" && this.registered.length > 0 || Object.hasOwn(this.others, name) && new RegExp("(?<![\\w$.])" + name + "\\s*\\(\\s*(?:(['\"`]).*?\\1\\s*,\\s*)?(?:async\\b|function\\b|\\w+\\s*=>|\\([^()]*\\)\\s*=>)").test(this.#text);
  }

  // #helper returns what the prompt defines besides the entry point, and is no class: a candidate may not replace it.
  #helper(name) {
    const { entry, prompt, required } = this.task;
    if (this.candidate.shared || !entry || required.has(name) || !prompt?.includes(name)) return undefined;
    for (const end of this.#prompt === undefined ? ["", "\n}", "\n};", "\n}}"] : []) { // the entry point has no body yet
      try {
        this.#prompt = new Function("__scope", "with (__scope) {" + (isModule(prompt) ? commonJS(prompt) : prompt) + end + "\n;return (__name) => eval(__name); }")({ ...this.globals, eval: evaluate });
        break;
      } catch (e) {
        if (!(e instanceof SyntaxError)) break;
      }
    }
    this.#prompt ??= () => {};
    let v;
    try { v = this.#prompt(name); } catch { return undefined; }
    return typeof v === "function" && /^class\b|\bthis\b/.test(Function.prototype.toString.call(v)) ? undefined : v;
  }

  #scope(own) {
    const scope = new Proxy(Object.assign(Object.create(null), own), {
      has: (of, name) => typeof name === "string" && name !== "arguments" && (name in of || this.#live.has(name) || name in this.globals || this.task.required.has(name) || absent.has(name) || (this.candidate.defines?.(name) ?? !(name in globalThis))),
      get: (of, name) => {
        if (name === Symbol.unscopables) return undefined;
        if (name in of) return of[name];
        if (this.#live.has(name)) return this.find(this.#live.get(name), true);
        if (this.task.required.has(name)) return this.find(name, true);
        if (name in this.globals) return this.globals[name];
        if (absent.has(name) && !this.candidate.shared && Object.getOwnPropertyDescriptor(globalThis, name)?.get === undefined) return globalThis[name]; // the tests have defined it
        return this.find(name);
      },
      set: (of, name, v) => {
        of[name] = v;
        return true;
      },
    });
    scopes.add(scope);
    return scope;
  }

  #imported = false;  // the text that runs has imported the candidate: other names are not its own
  #live = new Map(); // what the tests import of the candidate: a variable may change

  // #imports notes names that are imported of the candidate, and returns the statement that has them be there.
  #imports = (list, file) => {
    const names = list.split(",").map((x) => x.trim()).filter(Boolean).map((x) => x.split(/\s+as\s+/));
    if (this.candidate.shared || !this.#isSolution(file.slice(1, -1)) || !names.every((x) => x.every((name) => /^[\w$]+$/.test(name)))) return undefined;
    for (const [name, as = name] of names) this.#live.set(as, name);
    return "void [" + names.map(([name]) => "require(" + file + ")." + name).join(", ") + "];" + list.replace(/[^\n]/g, "");
  };

  compiled(text, what = "the tests") {
    if (text.includes("import")) text = text.replace(importing, "__import");
    const strict = isModule(text) || directive.test(text) ? "return (async function () { 'use strict'; " : "";
    const wrapped = (text) => "\n".repeat(this.candidate.above ?? 0) + "with (__scope) {" + strict + text + "\n}" + (strict && ").call(); }");
    try {
      const waits = waiting(text);
      if (waits !== text) return new AsyncFunction("__scope", wrapped(waits));
    } catch (e) { if (!(e instanceof SyntaxError)) throw e; }
    try {
      return new AsyncFunction("__scope", wrapped(text));
    } catch (e) {
      if (e instanceof SyntaxError && isModule(text)) {
        try { return new AsyncFunction("__scope", wrapped(commonJS(text, this.#imports))); } catch (x) { e = x; }
      }
      throw new Broken(what + " cannot be parsed: " + e.message);
    }
  }

  // run runs the texts of the tests.
  async run(tests, form) {
    const list = Array.isArray(tests) ? tests : [tests];
    const text = this.#text = [...this.task.setup, ...list].join("\n");
    if (!this.candidate.shared) this.#replaces(text);
    if (!this.candidate.shared && list.some((text) => hasOne(text, "Promise.resolve", "Promise.reject"))) notePromises();
    this.#alone = list.length === 1;
    style.vitest = hasOne(text, "vi") && /\bvi(?:test)?\b/.test(text);
    this.#ticks = (this.candidate.program?.output ?? "nextTick").includes("nextTick") || text.includes("nextTick");
    if (!this.candidate.shared && hasOne(text, "eval", "Function", "constructor") && /\b(?:eval|Function|constructor)\b/.test(text)) this.#guard();
    this.candidate.mentioned = called(text);
    this.candidate.iterates = hasOne(text, " in ") && /\bfor\s*\([^()]*\bin\b/.test(text);
    this.candidate.declared = declaredIn(text);
    this.candidate.computes = hasOne(text, "get", "definePropert") && /\bget\b|\bdefinePropert/.test(text);
    this.candidate.patches = hasOne(text, "prototype") && /\bprototype\b/.test(text);
    this.candidate.watches = hasOne(text, "__proto__") || this.candidate.patches && /\bconstructor\b/.test(text) ? 2 : this.candidate.patches && looks.test(text) ? 1 : 0;
    if (hasOne(text, "global") && /(?:\b(?:keys|entries|getOwnPropertyNames|ownKeys)\s*\(\s*|\bin\s+)global(?:This)?\b/.test(text)) this.candidate.watches = 3;
    this.candidate.importing = hasOne(text, "from", "import", "require") && [...text.matchAll(/\b(?:from|import|require)\b\s*\(?\s*(['"`])([^'"`\n]+)\1/g)].some(([, , name]) => this.#isSolution(name));
    this.candidate.counts = list.some((text) => hasOne(text, "Promise.resolve()", "nextTick", "setImmediate", "queueMicrotask"));
    const mocked = !hasOne(text, "ock", "proxyquire", "rewire") ? null : /\b(?:(?:jest|vi)\.(?:mock|doMock|unstable_mockModule|setMock)|mock\.module|proxyquire|rewire)(?=\s*\()/.exec(text);
    if (mocked !== null) throw new Broken("the tests use " + mocked[0] + ", which is not supported");
    const setup = this.task.setup.join("\n");
    const compiled = list.map((text) => this.compiled(setup + "\n" + text + (this.#isCheck(text, form) ? "\n;await __check(check);" : "")));
    try {
      if (this.candidate.testFuel === undefined) this.load();
    } catch (e) {
      const r = this.judged("load", e);
      this.results = list.map((_, k) => ({ ...r, name: list.length === 1 ? "load" : "tests[" + k + "]" }));
      return;
    }
    for (let k = 0; k < compiled.length; k++) {
      const name = list.length === 1 ? "script" : "tests[" + k + "]";
      let checked = false;
      const own = { __check: async (check) => {
        if (typeof check !== "function") throw new Broken("check is no function");
        checked = true;
        await check(this.entry());
      } };
      this.#count = 0;
      this.#imported = false;
      this.#source = list[k];
      const before = this.registered.length;
      const turn = !this.#ticks || isModule(list[k]) ? (f) => f() : (f) => this.clock.turn(f); // a module runs where promises do
      await this.attempt(checked ? "check" : name, () => turn(() => compiled[k](this.#scope(own))), (r) => {
        if (checked) r.name = "check";
        if (r.outcome !== passed || this.#count > 0 || checked) return true;
        if (this.registered.length > before) { // the text only registers tests
          this.#between ||= this.candidate.uses > 0;
          return false;
        }
        if (this.candidate.asked === this.asked) throw new Broken(name + " has no test");
        return true;
      }, () => this.registered.length === 0 && (k === compiled.length - 1 || this.candidate.testFuel !== undefined));
      await this.#runRegistered(before);
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

  // entry returns the function that a case is about.
  entry() {
    this.load();
    const [name, method] = this.task.entry.split(".");
    const v = this.find(name, true);
    if (method === undefined) return this.#function(v, name);
    if (typeof v !== "function") throw this.missing(name);
    let made; // one object for all calls, as in the harnesses
    return (...args) => { made ??= new v(); return this.#function(made[method], method).apply(made, args); };
  }

  #function(v, name) {
    if (typeof v !== "function") throw mean(new TypeError(name + " of the candidate is not a function"));
    return v;
  }

  hopeless() { return this.candidate.exhausted; }

  // attempt runs one test, and adds its result unless keep says that it was none.
  // last reports whether it is the last one of its process.
  async attempt(name, test, keep = () => true, last = () => false) {
    if (this.candidate.testFuel !== undefined && this.candidate.started) this.candidate.end ??= ["exit", "a new test"];
    if (this.candidate.end !== undefined) this.candidate.loaded = false; // load takes a new instance
    this.asked = this.candidate.asked;
    this.#used = this.candidate.uses;
    this.given = this.candidate.given?.size;
    this.candidate.awaits = false;
    this.candidate.last = undefined;
    const { missed, threw } = this.candidate, counted = this.#count, awaited = this.candidate.awaited?.() ?? 0;
    let r;
    try {
      [this.#expected, this.#promised, this.#skipped] = [0, undefined, false];
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
      for (let next, k = 0; this.registered.length === 0 && !frozen && !this.#ends() && k < 1_000 && (next = due()) < Infinity; k++) await wait(next);
      this.clock.frozen = frozen;
      if (!this.candidate.shared) {
        this.#rejected();
        this.clock.check();
        this.#checkExit();
        if (!this.#ends() && last()) this.candidate.finish(!this.#faked);
        if (this.#ends() && this.#count === counted && asserting.test(this.#source) && !assertsByItself.test(this.#source)) throw new Broken(name + " ends before an assertion, perhaps by what the candidate has answered", true);
        this.#exit();
      }
      if (this.#promised !== undefined && (this.#promised < 0 ? this.#expected === 0 : this.#expected !== this.#promised)) {
        throw new AssertionError({ message: this.#expected + " assertions, expected " + (this.#promised < 0 ? "some" : this.#promised), operator: "fail" });
      }
      if (fault.error !== undefined && !this.candidate.shared) throw fault.error;
      if (this.#unsupported !== undefined) throw this.#unsupported;
      if (this.candidate.unsupported !== undefined) throw this.#cannotCross();
      if (lacked.name !== undefined && !this.candidate.shared) throw this.#lacks();
      // The test may have caught that the candidate ended.
      r = this.candidate.missed > missed ? this.judged(name, new Ended("")) : { name, outcome: this.#skipped ? skipped : passed };
      if (r.outcome === passed && lost.size > 0 && !this.candidate.shared) throw new Broken(name + " passes, although an assertion fails, in a promise that nothing waits for, or where it is caught: " + [...lost][0].message, true);
      if (r.outcome === passed && !this.candidate.shared) this.candidate.checkNatural();
      if (r.outcome === passed && !this.candidate.shared) this.#unseen(name, this.#count === counted && this.candidate.awaited() > awaited);
      if (r.outcome === passed && !this.candidate.shared && this.#count === counted && this.candidate.threw > threw && asserting.test(this.#source) && !/\bfail\b/.test(this.#source)) {
        throw new Broken(name + " passes without an assertion, since it catches what the candidate throws", true);
      }
    } catch (e) {
      r = this.judged(name, e);
    }
    if (keep(r)) this.results.push(r);
  }

  #handlers;         // what the tests do when their process ends, and with what nothing catches
  #left = undefined; // the first process.exit(): what catches it would not run in Node
  #inNode = false;   // the tests are those of node:test, which ends as any program of Node
  #faked = false;    // they have had fake timers

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
      else if ((this.registered.length === 0 || this.#inNode || /\bvi(?:test)?\b/.test(this.#text)) && this.#isRaised(e)) this.#refused ??= { e };
    }
  }

  #refused = undefined; // what such a promise was rejected with

  // #refuses reports whether a rejection that nothing handles fails the tests: in Node, node:test, Jest and Vitest it does, in Mocha it does not.
  #refuses() { return this.registered.length === 0 || this.#inNode || /\b(?:vi|vitest|jest)\b|\.to[A-Z]\w*\(/.test(this.#text); }

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
      if (this.#refuses() && this.#isRaised(e)) throw e;
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
    if (this.candidate.rerun || !this.task.strict || !e.chosen || this.#unsupported !== undefined || this.candidate.uses === 0) throw e;
    [lacked.name, lacked.byValue, this.candidate.unsupported] = [undefined, false, undefined];
    return result(outcome, e.message);
  }

  // judged returns the result of a test that an error ended. It throws Broken if the candidate is not at fault.
  judged(name, e) {
    const c = this.candidate, input = c.last === undefined ? undefined : c.last.name + "(" + c.last.args.map(spoken).join(", ") + ")";
    const result = (outcome, why, more = {}) => ({ name, outcome, why: why.slice(0, 1_000), input, lacks: c.lacked, ...more });
    noted(e);
    if (c.unsupported !== undefined) return this.#doubted(this.#cannotCross(), "exception", result);
    if (fault.error !== undefined && !c.shared) throw new Broken("the judge fails by itself in " + name + ": " + shown(fault.error) + " at " + /\(([^()]*js:[^()]*)\)/.exec(fault.error.stack)?.[1]);
    if (e instanceof Broken) return this.#doubted(e, "wrong_answer", result);
    if (e instanceof Unsupported) return this.#doubted(e, "exception", result); // of an earlier test, thrown again
    if (this.#unsupported !== undefined) throw this.#unsupported;
    if (lacked.name !== undefined && !c.shared) return this.#doubted(this.#lacks(), "exception", result);
    if (c.end !== undefined) return result(c.end[0], c.end[1]);
    if (e instanceof Missing) return result("exception", e.message);
    const from = e instanceof Stuck || e === this.#left ? undefined : c.shared ? c.raisedBy(e) : raisedBy(e) ?? (c.thrownValue !== undefined && c.thrownValue.value === e ? c.thrownValue : undefined);
    if (from !== undefined && e instanceof Exit) return result("exit", "the candidate called process.exit(" + e.code + ")", { line: from.line });
    if (from !== undefined && c.rejection?.e === e && !this.#refuses()) return this.#doubted(new Broken(name + " passes, although a promise rejects that nothing handles: " + shown(e), true), "exception", result);
    const untouched = c.asked === (c.shared ? 0 : this.asked) && !this.#between && !c.listed && !this.#hasValues();
    if (from !== undefined) return result(e?.name === "InternalError" && e.message === "out of memory" ? "memory" : "exception", shown(e), { line: from.line });
    if (typeof e?.message === "string" && e.message.startsWith("Invalid Chai property: ")) throw new Broken("the tests use " + e.message.split(" ")[3].slice(0, 100) + " of chai, which is not supported");
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

  // describe, it and the like.

  #registering() {
    const group = (name, f, skip = false, only = false) => {
      this.#checkBody(f, skip);
      this.#hooks.push({ name: String(name), before: [], after: [], beforeEach: [], afterEach: [], skip: skip || this.#hooks.at(-1)?.skip, only: only || this.#hooks.at(-1)?.only });
      try { if (f !== undefined) Reflect.apply(f, this.#context, []); } finally { this.#hooks.pop(); }
    };
    const add = (name, f, skip = false, only = false) => {
      this.#checkBody(f, skip);
      this.registered.push({ name: [...this.#hooks.map((h) => h.name), String(name)].join(" > "), f, hooks: [...this.#hooks], skip: skip || f === undefined || this.#hooks.at(-1)?.skip, only: only || this.#hooks.at(-1)?.only });
    };
    const each = (register) => (table, ...values) => (name, f) => {
      if (table?.raw !== undefined) table = rowsOf(table, values);
      if (!Array.isArray(table) || table.length === 0) throw mean(new Error("each() has no rows"));
      table.forEach((row, k) => {
        const args = Array.isArray(row) ? row : [row];
        register(named(name, args, k), f?.length > args.length && /\bdone\b/.test(String(f)) ? (done) => f(...args, done) : () => f(...args));
      });
    };
    const whole = (register) => (table) => each(register)(Array.isArray(table) ? table.map((row) => [row]) : table); // each row is one argument
    const picked = (options, f) => typeof options === "function" ? options : f;
    const test = Object.assign((name, a, b) => add(name, picked(a, b), this.#omits(a)), {
      skip: (name) => add(name, undefined, true), todo: (name) => add(name, undefined, true), only: (name, a, b) => add(name, picked(a, b), false, true), each: each((name, f) => add(name, f)), for: whole((name, f) => add(name, f)),
    });
    // What a framework has more, such as test.failing, is not supported.
    const known = (name, f) => new Proxy(f, { get: (f, key) => typeof key !== "string" || key in f || ["default", "__esModule", "then"].includes(key) ? f[key] : this.#missing(name + "." + key) });
    const describe = Object.assign((name, a, b) => group(name, picked(a, b), this.#omits(a)), { skip: (name, a, b) => group(name, picked(a, b), true), only: (name, a, b) => group(name, picked(a, b), false, true), each: each((name, f) => group(name, f)), for: whole((name, f) => group(name, f)) });
    test.only.each = each((name, f) => add(name, f, false, true));
    test.skip.each = each((name) => add(name, undefined, true));
    describe.only.each = each((name, f) => group(name, f, false, true));
    describe.skip.each = each((name, f) => group(name, f, true));
    for (const of of [test, describe]) {
      of.skipIf = (skip) => {
        if (skip) this.#skips();
        return skip ? of.skip : of;
      };
      of.runIf = (run) => of.skipIf(!run);
    }
    test.concurrent = test.sequential = test; // one after the other
    describe.concurrent = describe.sequential = describe;
    const hook = (kind) => (a, b) => { const f = picked(a, b); (this.#hooks.at(-1) ?? this.#top)[kind].push(f); };
    const tests = known("test", test), suites = known("describe", describe);
    return { describe: suites, suite: suites, it: tests, test: tests, xit: test.skip, fit: test.only, xtest: test.skip, xdescribe: describe.skip, fdescribe: describe.only, before: hook("before"), beforeAll: hook("before"), after: hook("after"), afterAll: hook("after"), beforeEach: hook("beforeEach"), afterEach: hook("afterEach") };
  }

  // #hasValues reports whether the tests have read a value of the candidate that is no function.
  #hasValues() { return [...this.#names.values()].some(({ v }) => typeof v !== "function"); }

  // #skips refuses that a test is skipped after the candidate may have answered: a wrong one would skip what it fails.
  #skips() {
    if (this.candidate.uses > this.#used || this.#hasValues()) throw new Broken("the tests skip some by what the candidate may have answered", true);
  }

  // #checkBody refuses a test that is the candidate's, or none by what that may have answered, as (ready() ? test : test.skip)("adds", ...).
  #checkBody(f, skip) {
    if (isTheirs(f)) throw new Broken("the tests have a function of the candidate as a test", true);
    if (!skip && f === undefined || skip && elsewhere.test(this.#text)) this.#skips();
  }

  // #omits reports whether the options of a test have it skipped. Those that are literals no candidate chooses.
  #omits(options) {
    const omits = typeof options === "object" && Boolean(options?.skip || options?.todo);
    if (omits && /\b(?:skip|todo)\b["']?\s*(?::(?!\s*(?:true\b|["'`]))|=)|[{,]\s*(?:skip|todo)\s*[,}]/.test(this.#text)) this.#skips();
    return omits;
  }

  // this in the functions of Mocha
  #context = { timeout: () => this.#context, slow: () => this.#context, retries: () => this.#context, skip: () => { this.#skips(); this.#skipped = true; throw pending; } };

  #top = { name: "", before: [], after: [], beforeEach: [], afterEach: [] };

  async #runRegistered(from) {
    const list = this.registered.slice(from), running = list.filter((t) => !t.skip && (!list.some((t) => t.only) || t.only)), only = list.some((t) => t.only), begun = new Set();
    for (const t of list) {
      if (t.skip || only && !t.only || t.hooks.some((h) => h.pending)) { this.results.push({ name: t.name, outcome: skipped }); continue; }
      const hooks = [this.#top, ...t.hooks];
      this.#source = String(t.f);
      await this.attempt(t.name, async () => {
        for (const h of hooks) if (!begun.has(h)) { begun.add(h); try { for (const f of h.before) await this.#called(f); } catch (e) { h.pending = e === pending; throw e; } }
        for (const h of hooks) for (const f of h.beforeEach) await this.#called(f);
        try { await this.#called(t.f, t.name); } finally { for (const h of hooks.toReversed()) for (const f of h.afterEach) await this.#called(f); }
        const left = running.slice(running.indexOf(t) + 1);
        for (const h of hooks.toReversed()) if (!left.some((t) => h === this.#top || t.hooks.includes(h))) for (const f of h.after) await this.#called(f);
      }, undefined, () => this.#inNode && t === running.at(-1));
      if (this.hopeless()) {
        for (const left of list.slice(list.indexOf(t) + 1)) this.results.push(left.skip ? { name: left.name, outcome: skipped } : { name: left.name, outcome: "fuel", why: words.fuel });
        return;
      }
    }
  }

  // #called calls a test or a hook, which may take a callback done, or the context of node:test, whose tests belong to it.
  async #called(f, name = "") {
    const call = (...list) => !this.#ticks || this.#refuses() ? Reflect.apply(f, this.#context, list) : this.clock.turn(() => Reflect.apply(f, this.#context, list)); // Mocha's run in a turn of their own
    if (f.length === 0) return call();
    const inner = [], failed = [], around = { before: [], beforeEach: [], afterEach: [] }, { assert } = this.modules;
    let mocks, planned, counted = 0;
    const counts = (f) => (...args) => { counted++; return f(...args); };
    const runs = async (g, name) => {
      let r = { name, outcome: passed };
      try {
        for (const h of [...around.before.splice(0), ...around.beforeEach]) await this.#called(h);
        try { await this.#called(g, name); } finally { for (const h of around.afterEach) await this.#called(h); }
      } catch (e) {
        failed.push(e);
        r = this.judged(name, e);
      }
      this.results.push(r);
    };
    const has = {
      plan: (n) => { planned = n; }, get assert() { return new Proxy({}, { get: (_, key) => typeof assert[key] === "function" ? counts(assert[key]) : assert[key] }); },
      test: (own, a, b) => {
        counted++;
        const g = typeof own === "function" ? own : typeof a === "function" ? a : b, path = name + " > " + (typeof own === "function" ? own.name : String(own));
        const t = this.#omits(a) || g === undefined ? Promise.resolve(void this.results.push({ name: path, outcome: skipped })) : runs(g, path);
        inner.push(t);
        return t;
      },
      ...Object.fromEntries(Object.entries(around).map(([name, list]) => [name, (g) => { list.push(g); }])),
      diagnostic: () => {}, skip: () => { this.#skips(); this.#skipped = true; }, after: (g) => { this.#late.push(g); }, name: "",
    };
    let settle;
    const waits = new Promise((ok, fail) => { settle = [ok, fail]; });
    const done = new Proxy(Object.assign((e) => e === undefined || e === null ? settle[0]() : settle[1](e), { fail: (e) => settle[1](e ?? new AssertionError({ message: "done.fail()", operator: "fail" })) }), {
      get: (of, key) => typeof key !== "string" || Object.hasOwn(of, key) || key in Object.prototype ? of[key] : key === "mock" ? mocks ??= this.#tracker() : Object.hasOwn(has, key) ? has[key] : ["then", "toJSON", "_isMockFunction"].includes(key) ? undefined : this.#missing("the context's " + key),
    });
    try {
      const calls = f.length > 1; // node:test gives a second parameter the function done
      const v = calls ? call(done, (e) => done(e)) : call(done);
      await (!calls && /^(?:async\s*)?(?:function\s*\w*\s*)?\(?\s*(?:t|ctx|context|\{)(?![\w$])/.test(String(f)) || v instanceof Promise ? v : waits);
      if (planned !== undefined) await Promise.all(inner);
      if (planned !== undefined && planned !== counted) throw new AssertionError({ message: "plan expected " + planned + " assertions but received " + counted, operator: "fail" });
      await Promise.all(inner);
      if (failed.length > 0) throw failed[0];
    } finally {
      await Promise.allSettled(inner);
      for (const g of this.#late.splice(0)) await this.#called(g);
      mocks?.reset();
    }
  }
}

// called returns the names under which a text calls a method, or reads one of a prototype or of an empty value.
const called = (text) => new Set([...text.matchAll(/\.\s*([\w$]+)(?=\s*(?:\.\s*(?:call|apply|bind)\s*)?(?:\?\.\s*)?[(`])|(?:\bprototype\b|\[\]|''|"")\s*(?:\.|\[\s*['"])\s*([\w$]+)|['"]([\w$]+)['"]\s*(?:in\b|\))/g)].map(([, ...names]) => names.find((name) => name !== undefined)));

// waiting has the calls at the top level of a text waited for, so that an assertion that fails in them is seen: main(), (async () => ...)().
function waiting(text) {
  if (!hasOne(text, "async", ".then") || !/\basync\b|\.then\s*\(/.test(text)) return text;
  return text.replace(text.includes("`") ? /^(?=\(async\b)/gm : /^(?=\(async\b|(?!(?:async|await|catch|delete|do|else|export|for|function|if|import|new|return|super|switch|throw|try|typeof|void|while|with|yield)\b)[A-Za-z_$][\w$.]*\()/gm, "await ");
}

// rowsOf returns the rows of a table that is a template: names, separated by |, and their values.
function rowsOf(texts, values) {
  const names = texts[0].trim().split("|").map((name) => name.trim()), rows = [];
  if (values.length === 0 || values.length % names.length !== 0) throw new Broken("a table of each() has not a value for each of " + names.join(", "));
  for (let k = 0; k < values.length; k += names.length) rows.push(Object.fromEntries(names.map((name, n) => [name, values[k + n]])));
  return rows;
}

// named puts the values of a row into the name of a test.
function named(name, args, k) {
  let n = 0;
  const of = (path) => path.split(".").reduce((v, key) => v !== null && typeof v === "object" && handleOf(v) === undefined ? v[key] : undefined, args[0]);
  name = String(name).replace(/\$(#|[\w$.]+)/g, (m, path) => path === "#" ? String(k) : of(path) === undefined ? m : shown(of(path), 60));
  return name.replace(/%[spdifjo#]/g, (m) => m === "%#" ? String(k) : shown(args[n++], 60));
}

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
