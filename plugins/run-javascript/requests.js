// The candidate's instance as the judge has it: requests and their answers, its time, and how it ends.
import { mean } from "./faults.js";
import { Ended, Function, handleOf, instruments, isAssertion, isTheirs, known, lingers, raised, raisedBy, settledAs, Unsupported } from "./known.js";
import { Exit } from "./node.js";
import { unhandled, watch } from "./rejections.js";
import { CannotCross, Forged, measure, parse, Shared } from "./wire.js";

const MAX_ASKED = 200_000;       // requests to one candidate
const MAX_REQUEST = 4 << 20;      // characters: the memory of the candidate has to hold them and what it makes of them
export const MAX_ITEMS = 20_000;        // of all its iterators
const MAX_ANSWERED = 32 << 20;   // characters of all answers of one candidate
const MAX_COMPARED = 20_000_000; // values of what both sides hold, as often as they are looked at
const MAX_AGAIN = 50_000;        // requests that are made again
const MAX_LOG = 16 << 20;         // characters of the requests to one instance
const SPARE = 500_000_000;       // fuel for what a wrong guess sets off
const FEW = 16, MANY = 100_000;  // guesses in a request, at first and at most
const quiet = new Set(["load", "name", "constant", "exported", "whole", "ticks", "turn", "finish", "kept", "unchanged"]); // requests that have it answer nothing

// How a peer ends, and the class of a test that it ends in.
const ends = { __proto__: null, exit: "exit", fuel: "fuel", memory: "memory", depth: "exception", trap: "exit", output: "output" };
export const words = {
  exit: "the candidate ended its process", fuel: "the candidate used up its fuel", memory: "the candidate used up its memory", depth: "the candidate's calls nested too deep",
  trap: "the candidate crashed", output: "the candidate's answer or output is too large",
};

// Requests are what is asked of a candidate's instance, and what comes of it: answers, promises, time, and calls of functions of the tests.
export class Requests {
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
  setsEnv = false;       // it has set variables of the environment
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
  passed = 0;
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
  thrownValue = undefined; // the last exception that is not an object
  rejection = undefined; // what a promise of its own was rejected with, which nothing has handled
  unsupported = undefined;
  chosen = false;      // whether it can bring about what is unsupported
  started = false;
  loaded = false;
  last = undefined;    // the last call: name and arguments
  lacked = undefined;  // what it has asked for and the runtime has not
  unsure = undefined;  // what a test has read that may be something else outside
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
    [this.told, this.mocks, this.due, this.busy, this.log, this.logged, this.now, this.passed, this.fixed] = [undefined, "[]", undefined, false, [], 0, 0, 0, undefined];
  }

  // prepare collects what the candidate is to know before its next request.
  prepare() {
    if (this.told !== undefined) return;
    const changed = this.both.changed(this.calls), { now = 0, passed = 0 } = this.clock ?? {}, replaced = this.replaced(), fixed = this.clock?.fixed;
    if (fixed === this.fixed && changed.length === 0 && this.settled.length === 0 && replaced.length === 0 && this.mocks === "[]" && now === this.now && passed === this.passed) {
      if (this.confirming) { this.told = null; return; }
      const gone = this.both.gone(this.both.compared > MAX_COMPARED);
      this.told = gone.length === 0 ? null : { now, passed, gone, changes: [], settled: [] };
      return;
    }
    this.now = now;
    this.passed = passed;
    const settled = this.settled.splice(0).map(([n, kind, v]) => [n, kind, v, kind === "no" && isAssertion(v) ? this.opaque(v) : undefined]), encoder = this.encoder(), changes = [];
    try {
      for (const [id, v] of changed) {
        changes.push(id, encoder.contents(v));
        this.both.seen(id, v);
      }
      changed.length = 0; // it lets go what the tests do not hold
      const told = { now, passed, gone: this.both.gone(this.both.compared > MAX_COMPARED), changes, settled: settled.map(([n, kind, v, coded]) => [n, kind, coded ?? encoder.encode(v)]) };
      if (fixed !== this.fixed) [this.fixed, told.date] = [fixed, fixed === undefined ? null : this.clock.date];
      if (replaced.length > 0 || this.mocks !== "[]") {
        const mocks = replaced.map(([path, key, f]) => [path, key, path === "console" || path === "process.stdout" || key === "" ? null : this.mock(path + "." + key, f)]), text = JSON.stringify(mocks);
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
    if (!Array.isArray(sync) || sync.length !== 7 || typeof sync[0] !== "number" || typeof sync[6] !== "number" || ![2, 3, 4, 5].every((k) => Array.isArray(sync[k]))) throw new Forged("what has changed");
    const [now, due, gone, changes, settled, events] = sync, passed = sync[6], decoder = this.decoder();
    this.clock?.advance(Math.min(now, this.until)); // only what it waits for takes time
    if (passed !== this.passed && this.clock !== undefined) this.clock.passed = this.passed = Math.min(passed, 1e12);
    this.due = typeof due === "number" ? due : undefined;
    decoder.refill(changes);
    for (let k = 0; k < changes.length; k += 2) this.#spares(this.both.valueOf(changes[k]));
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

  // #spares refuses that the candidate changes what the tests judge by.
  #spares(v) {
    if (v === null || !instruments.has(v)) return;
    for (const name of instruments.get(v) ?? Object.keys(v)) if (isTheirs(v[name])) this.answersWith("a change of " + name + ", by which the tests judge");
  }

  measure(v) { measure(v, (v) => { const h = handleOf(v); return h === undefined ? undefined : h.fields ?? null; }); }

  // deliver calls what the tests have put in place of functions that print, and what takes variables of the environment.
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
    if (code !== 0) throw this.ends("exit", "the candidate's process ends with exit code " + (Number.isInteger(code) ? code : "that is not a number"));
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
    Object.assign(this, new this.constructor(program, budget, testFuel), { stay, again: again + 1, started: true });
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

  chose = false;       // it has run for the tests, or they have a value of it: what they and the judge do from then on, it may have brought about
  endless = undefined; // returns the answer if that uses up the judge's fuel

  chooses() {
    if (this.chose) return;
    this.chose = true;
    if (this.endless !== undefined) peer.leave(this.endless());
  }

  // ask returns the kind of an answer, its body, and changes. It throws Ended, or what the candidate threw.
  ask(...request) {
    if (this.end !== undefined) throw this.ends(...this.end);
    this.prepare();
    const { told } = this;
    this.told = undefined;
    if (request[0] !== "turn") this.turns = 0;
    if (!quiet.has(request[0])) {
      this.uses++;
      this.chooses();
    }
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

  // answersWith refuses an answer that cannot cross. It is not an exception of the candidate's, which tests may expect.
  answersWith(why) {
    this.chooses(); // also if it is only loaded
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
}
