// Time, which passes without waiting: what Date says, timers, and what waits for them.
import { timeOf } from "./dates.js";
import { converting, mean } from "./faults.js";
import { isFunction } from "./inspect.js";

// Nothing settles a promise that is waited for.
export class Stuck extends Error {}

// The clocks whose timers are waited for.
const waiting = new Set();
const { apply } = Reflect; // a candidate may replace it

// serveIdle runs a timer. The host calls it when nothing else is left to do.
export function serveIdle() {
  for (const clock of waiting) if (clock.idle()) return true;
  return false;
}

// Time passes when it is read, by what a clock has skipped, and at the judge as the candidate runs.
export const began = Date.now();
const PACE = 500_000_000; // fuel for which a millisecond passes: Node runs about as long
let passed = 0, skipped = 0, fixed; // milliseconds; fixed: what stands in the place of the time that passes
let spent = () => 0, counted = 0;  // fuel

// exact returns the time in milliseconds, as Date has it, with their fractions.
export function exact() {
  if (fixed !== undefined) return fixed + skipped;
  const fuel = spent();
  passed += 1 + (fuel - counted) / PACE;
  counted = fuel;
  return began + passed + skipped;
}
const moment = () => Math.floor(exact());
{
  const kind = Date;
  Date.now = Object.defineProperty(() => moment(), "name", { value: "now" });
  Date.parse = Object.defineProperty((text) => timeOf(converting(() => String(text))), "name", { value: "parse" });
  const read = (v) => typeof v === "string" ? timeOf(v) : v;
  globalThis.Date = kind.prototype.constructor = new Proxy(kind, {
    construct: (of, list, target) => list.length === 0 ? Reflect.construct(of, [moment()], target) : converting(() => Reflect.construct(of, list.length === 1 ? [read(list[0])] : list, target)),
    apply: () => String(new kind(moment())),
  });
}

// A Timeout is what Node's timers return.
export class Timeout {
  #id; #close; #refresh; #counts = true;
  constructor(id, close, refresh) { [this.#id, this.#close, this.#refresh] = [id, close, refresh]; }
  ref() { this.#counts = true; return this; }
  unref() { this.#counts = false; return this; }
  hasRef() { return this.#counts; }
  refresh() { this.#refresh(); return this; }
  close() { this.#close(); return this; }
  [Symbol.toPrimitive]() { return this.#id; }
}

// What a function has under this symbol is what util.promisify makes of it.
export const promisified = Symbol.for("nodejs.util.promisify.custom");

// lasting returns the milliseconds that a timer of Node waits: at least one.
const lasting = (delay) => delay >= 1 && delay < 2 ** 31 ? Math.trunc(delay) : 1;

// A Clock runs timers in the order of their times, without waiting.
export class Clock {
  frozen = false;     // timers run only when they are told to
  remote = undefined; // runs what another instance has to do before a time, and reports whether there was anything
  #timers = [];
  #next = 1;
  #done = undefined; // what happens when no timer is left
  #fail = undefined;
  now = 0;

  #runs = false; // a timer: what that sets with setImmediate comes before its other timers

  // immediate: f is that of setImmediate.
  set(f, delay, args, every, immediate = false) {
    const after = immediate ? this.frozen || this.#runs ? 0 : 1 : this.frozen ? Math.max(every ? 1 : 0, Math.trunc(Number(delay)) || 0) : lasting(converting(() => delay * 1)), at = this.now + after;
    const t = { id: this.#next++, at, behind: this.#runs && !immediate && at === this.now, f, args, every: every ? Math.max(1, after) : 0 };
    this.#add(t);
    return t.timeout = new Timeout(t.id, () => this.clear(t.id), () => {
      this.clear(t.id);
      t.at = this.now + after;
      this.#add(t);
    });
  }

  // #add puts a timer behind those that are to run before it.
  #add(t) {
    const list = this.#timers;
    let low = 0, high = list.length;
    while (low < high) {
      const mid = low + high >> 1;
      if (list[mid].at < t.at || list[mid].at === t.at && (list[mid].behind === t.behind ? list[mid].id < t.id : t.behind)) low = mid + 1; else high = mid;
    }
    list.splice(low, 0, t);
  }

  // clear takes what set has returned, a number of that, or a timer of the other instance.
  clear(timer) {
    if (timer !== null && typeof timer === "object") return void timer.close?.();
    const id = Number(timer), at = this.#timers.findIndex((t) => t.id === id);
    if (at >= 0) this.#timers.splice(at, 1);
  }

  // count is how many timers there are.
  get count() { return this.#timers.length; }

  // kept returns when the next timer is to run that keeps the program from its end, or undefined.
  kept() { return this.#timers.find((t) => t.timeout.hasRef())?.at; }

  clearAll() { this.#timers = []; }

  // passed is the time that has passed, but for what was skipped: this instance and the other one have the same.
  get passed() { return passed; }
  set passed(to) { passed = Math.max(passed, to); }

  // paces has time pass as the candidate uses fuel.
  paces(fuel) { [spent, counted] = [fuel, fuel()]; }

  // date is the time as Date has it, and fixed tells whether it has been set, and to what.
  get date() { return moment(); }
  get fixed() { return fixed; }

  // setDate sets the time as Date has it, which then only timers move; undefined: it is the one that passes.
  setDate(to) { fixed = to === undefined ? undefined : Math.floor(Number(to)) - Math.floor(skipped); }

  // due returns when the next timer is to run, or undefined.
  due() { return this.#timers[0]?.at; }

  // last returns when the last timer is to run that there is, or undefined.
  last() { return this.#timers.at(-1)?.at; }

  // advance skips time, up to a moment.
  advance(to) { if (to > this.now) skipped += to - this.now, this.now = to; }

  // run runs the next timer, and reports whether there was one.
  run() {
    if (this.#timers.length === 0) return false;
    const t = this.#timers.shift();
    this.advance(t.at);
    if (t.every > 0) { t.at += t.every; t.behind = false; this.#add(t); }
    const { f, args } = t;
    this.#runs = true;
    try { this.turn(() => apply(f, this.frozen ? undefined : t.timeout, args)); } finally { this.#runs = false; }
    return true;
  }

  #ticks = [];

  // tick has process.nextTick's function called: before what promises wait for, at the end of what a timer calls, and behind that otherwise.
  tick(f) { this.#ticks.push(f); }

  // ticks calls what tick was given, and reports whether there was anything.
  ticks() {
    const any = this.#ticks.length > 0;
    while (this.#ticks.length > 0) try { this.#ticks.shift()(); } catch (e) { this.fails(e); }
    return any;
  }

  // soon is queueMicrotask: what the function throws, nothing catches.
  soon(f) { Promise.resolve().then(() => { try { f(); } catch (e) { this.fails(e); } }); }

  ticked = undefined; // has another instance do the same

  // turn calls a function, and then those that were given to tick.
  turn(f) {
    const v = f();
    this.ticks();
    this.ticked?.();
    return v;
  }

  globals() {
    const set = (every) => (f, delay, ...args) => this.set(isFunction(f), delay, args, every), clear = (id) => this.clear(id), after = (delay, v, { signal, ref = true } = {}) => new Promise((done, fail) => {
      const timer = this.set(done, delay, [v], false), aborts = () => {
        this.clear(timer);
        fail(mean(Object.assign(new Error("The operation was aborted", { cause: signal.reason }), { code: "ABORT_ERR", name: "AbortError" })));
      };
      if (!ref) timer.unref();
      if (signal?.aborted) aborts(); else signal?.addEventListener("abort", aborts, { once: true });
    });
    const setTimeout = Object.assign(set(false), { [promisified]: after }), setImmediate = Object.assign((f, ...args) => this.set(isFunction(f), 0, args, false, true), { [promisified]: (v, options) => after(0, v, options) });
    return { setTimeout, setInterval: set(true), setImmediate, clearTimeout: clear, clearInterval: clear, clearImmediate: clear };
  }

  failed = undefined;  // the first error that nothing has caught
  handles = undefined; // takes such an error, and reports whether it has
  quiet = undefined;   // is called when promises wait for nothing but timers

  // fails ends the wait with an error that nothing has caught.
  fails(e) {
    try { if (this.handles?.(e)) return; } catch (x) { e = x; }
    this.failed ??= { e };
    this.#fail?.(e);
  }

  // check throws the error that nothing has caught.
  check() {
    const { failed } = this;
    this.failed = undefined;
    if (failed !== undefined) throw failed.e;
  }

  // idle runs the next timer, or ends what waits for the last one. It reports whether there was anything.
  idle() {
    try {
      if (this.ticks()) return true;
      this.quiet?.();
      if (this.remote?.(this.frozen ? this.now : this.due()) || !this.frozen && !(this.#drains && this.kept() === undefined) && this.run()) return true;
    } catch (e) {
      this.fails(e);
      return true;
    }
    const done = this.#done;
    this.#done = undefined;
    done?.();
    return done !== undefined;
  }

  // settle waits for a promise. What a timer throws rejects it. stuck: so does that nothing settles it.
  async settle(promise, stuck = false) {
    waiting.add(this);
    try {
      return await new Promise((done, fail) => {
        this.#fail = fail;
        this.#done = stuck ? () => fail(new Stuck("a promise never settles")) : undefined;
        promise.then(done, fail);
      });
    } finally {
      waiting.delete(this);
      this.#done = undefined;
    }
  }

  #drains = false;

  // drain waits until no timer is left that keeps the program.
  async drain() {
    waiting.add(this);
    this.#drains = true;
    try {
      await new Promise((done, fail) => { [this.#done, this.#fail] = [done, fail]; });
    } finally {
      this.#drains = false;
      waiting.delete(this);
    }
  }
}
