// describe, it and the like: what tests register, and in which order that runs.
import { AssertionError, shown } from "./assert.js";
import { mean } from "./faults.js";
import { handleOf, isTheirs } from "./known.js";
import { Broken } from "./names.js";
import { words } from "./requests.js";

export const passed = "passed", skipped = "skipped"; // outcomes of tests

export const pending = mean(new Error("skip() of Mocha's context")); // what ends a test that skips itself

// elsewhere matches a function that skips a test, or all others, where it is not called.
const elsewhere = /\.(?:skip|todo|only)\b(?!\s*[(.`=])|\b[fx](?:it|test|describe)\b(?!\s*[(.`=,}])/;

// Groups has the tests that the texts of a suite register, with their hooks.
export class Groups {
  tracker = undefined; // makes the mock of a test of node:test
  skips = false;       // a test says that it is skipped
  #late = [];          // what node:test runs after a test
  #hooks = [];         // of the groups that are open: { name, before, after, beforeEach, afterEach }
  #top = { name: "", before: [], after: [], beforeEach: [], afterEach: [] };
  // this in the functions of Mocha
  #context = { timeout: () => this.#context, slow: () => this.#context, retries: () => this.#context, skip: () => { this.#skips(); this.skips = true; throw pending; } };

  constructor(suite) { this.suite = suite; }

  // globals returns what tests call to register tests and hooks.
  globals() {
    const { suite } = this;
    const group = (name, f, skip = false, only = false) => {
      this.#checkBody(f, skip, only);
      this.#hooks.push({ name: String(name), before: [], after: [], beforeEach: [], afterEach: [], skip: skip || this.#hooks.at(-1)?.skip, only: only || this.#hooks.at(-1)?.only });
      try { if (f !== undefined) Reflect.apply(f, this.#context, []); } finally { this.#hooks.pop(); }
    };
    const add = (name, f, skip = false, only = false) => {
      this.#checkBody(f, skip, only);
      suite.registered.push({ name: [...this.#hooks.map((h) => h.name), String(name)].join(" > "), f, hooks: [...this.#hooks], skip: skip || f === undefined || this.#hooks.at(-1)?.skip, only: only || this.#hooks.at(-1)?.only });
    };
    const each = (register, whole = false) => (table, ...values) => (name, f) => {
      if (Array.isArray(table?.raw)) table = rowsOf(table, values);
      if (!Array.isArray(table) || table.length === 0) throw mean(new Error("each() has no rows"));
      table.forEach((row, k) => {
        const args = Array.isArray(row) ? row : [row];
        register(named(name, args, k), f?.length > args.length && whole ? (context) => f(...args, context) : f?.length > args.length && /\bdone\b/.test(String(f)) ? (done) => f(...args, done) : () => f(...args));
      });
    };
    const whole = (register) => (table) => each(register, true)(Array.isArray(table) ? table.map((row) => [row]) : table); // each row is one argument, before the context
    const picked = (options, f) => typeof options === "function" ? options : f;
    const test = Object.assign((name, a, b) => add(name, picked(a, b), this.#omits(a)), {
      skip: (name) => add(name, undefined, true), todo: (name) => add(name, undefined, true), only: (name, a, b) => add(name, picked(a, b), false, true), each: each((name, f) => add(name, f)), for: whole((name, f) => add(name, f)),
    });
    // What a framework has more, such as test.failing, is not supported.
    const known = (name, f) => new Proxy(f, { get: (f, key) => typeof key !== "string" || key in f || ["default", "__esModule", "then"].includes(key) ? f[key] : suite.notSupported(name + "." + key) });
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

  // #skips refuses that a test is skipped after the candidate may have answered: a wrong one would skip what it fails.
  #skips() {
    const { suite } = this;
    if (suite.candidate.uses > suite.used || suite.hasValues() || suite.candidate.setsEnv) throw new Broken("the tests skip some by what the candidate may have answered", true);
  }

  // #checkBody refuses a test that is the candidate's, or none by what that may have answered, as (ready() ? test : test.skip)("adds", ...).
  #checkBody(f, skip, only) {
    const { suite } = this;
    if (isTheirs(f)) throw new Broken("the tests have a function of the candidate as a test", true);
    if (!skip && f === undefined || (skip || only) && elsewhere.test(suite.text)) this.#skips();
  }

  // #omits reports whether the options of a test have it skipped. Those that are literals no candidate chooses.
  #omits(options) {
    const { suite } = this;
    const omits = typeof options === "object" && Boolean(options?.skip || options?.todo);
    if (omits && (!/\b(?:skip|todo)\b/.test(suite.text) || /\b(?:skip|todo)\b["']?\s*(?::(?!\s*(?:true\b|["'`]))|=)|[{,]\s*(?:skip|todo)\s*[,}]/.test(suite.text))) this.#skips();
    return omits;
  }

  // run runs the tests that are registered, but for the first ones.
  async run(from) {
    const { suite } = this;
    const list = suite.registered.slice(from), running = list.filter((t) => !t.skip && (!list.some((t) => t.only) || t.only)), only = list.some((t) => t.only), begun = new Set();
    for (const t of list) {
      if (t.skip || only && !t.only || t.hooks.some((h) => h.pending)) { suite.results.push({ name: t.name, outcome: skipped }); continue; }
      const hooks = [this.#top, ...t.hooks];
      suite.source = String(t.f);
      await suite.attempt(t.name, async () => {
        for (const h of hooks) if (!begun.has(h)) { begun.add(h); try { for (const f of h.before) await this.#called(f); } catch (e) { h.pending = e === pending; throw e; } }
        for (const h of hooks) for (const f of h.beforeEach) await this.#called(f);
        try { await this.#called(t.f, t.name); } finally { for (const h of hooks.toReversed()) for (const f of h.afterEach) await this.#called(f); }
        const left = running.slice(running.indexOf(t) + 1);
        for (const h of hooks.toReversed()) if (!left.some((t) => h === this.#top || t.hooks.includes(h))) for (const f of h.after) await this.#called(f);
      }, undefined, () => suite.inNode && t === running.at(-1));
      if (suite.hopeless()) {
        for (const left of list.slice(list.indexOf(t) + 1)) suite.results.push(left.skip ? { name: left.name, outcome: skipped } : { name: left.name, outcome: "fuel", why: words.fuel });
        return;
      }
    }
  }

  // #called calls a test or a hook, which may take a callback done, or the context of node:test, whose tests belong to it.
  async #called(f, name = "") {
    const { suite } = this;
    const call = (...list) => !suite.ticks || suite.refuses() ? Reflect.apply(f, this.#context, list) : suite.clock.turn(() => Reflect.apply(f, this.#context, list)); // Mocha's run in a turn of their own
    if (f.length === 0) return call();
    const inner = [], failed = [], around = { before: [], beforeEach: [], afterEach: [] }, { assert } = suite.modules;
    let mocks, planned, counted = 0;
    const counts = (f) => (...args) => { counted++; return f(...args); };
    const runs = async (g, name) => {
      let r = { name, outcome: passed };
      try {
        for (const h of [...around.before.splice(0), ...around.beforeEach]) await this.#called(h);
        try { await this.#called(g, name); } finally { for (const h of around.afterEach) await this.#called(h); }
      } catch (e) {
        failed.push(e);
        r = suite.judged(name, e);
      }
      suite.results.push(r);
    };
    const has = {
      expect: suite.globals.expect, plan: (n) => { planned = n; }, get assert() { return new Proxy({}, { get: (_, key) => typeof assert[key] === "function" ? counts(assert[key]) : assert[key] }); },
      test: (own, a, b) => {
        counted++;
        const g = typeof own === "function" ? own : typeof a === "function" ? a : b, path = name + " > " + (typeof own === "function" ? own.name : String(own));
        this.#checkBody(g, g === undefined);
        const t = this.#omits(a) || g === undefined ? Promise.resolve(void suite.results.push({ name: path, outcome: skipped })) : runs(g, path);
        inner.push(t);
        return t;
      },
      ...Object.fromEntries(Object.entries(around).map(([name, list]) => [name, (g) => { list.push(g); }])),
      diagnostic: () => {}, skip: () => { this.#skips(); this.skips = true; }, after: (g) => { this.#late.push(g); }, name: "",
    };
    let settle;
    const waits = new Promise((ok, fail) => { settle = [ok, fail]; });
    const done = new Proxy(Object.assign((e) => e === undefined || e === null ? settle[0]() : settle[1](e), { fail: (e) => settle[1](e ?? new AssertionError({ message: "done.fail()", operator: "fail" })) }), {
      get: (of, key) => typeof key !== "string" || Object.hasOwn(of, key) || key in Object.prototype ? of[key] : key === "mock" ? mocks ??= this.tracker() : Object.hasOwn(has, key) ? has[key] : ["then", "toJSON", "_isMockFunction"].includes(key) ? undefined : suite.notSupported("the context's " + key),
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
