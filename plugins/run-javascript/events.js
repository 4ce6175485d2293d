// Events and signals, as Node has them: Event, CustomEvent, EventTarget, AbortSignal and AbortController.
import { mean } from "./faults.js";

const typed = (code, message) => mean(Object.assign(new TypeError(message), { code }));

// runs is what the program runs with: set makes a timer, and throws throws what a listener has thrown, where nothing catches it.
export const runs = { set: undefined, throws: () => {} };

// elsewhere has what an event that stands for another one tells it: begin its target, or null at the end, and stopped whether it has been stopped.
export const elsewhere = new WeakMap();

export class Event {
  #type; #bubbles; #cancelable; #composed; #prevented = false; #stopped = false; #target = null; #running = false; #now = false;
  constructor(type, options = undefined) {
    if (arguments.length === 0) throw typed("ERR_MISSING_ARGS", 'The "type" argument must be specified');
    this.#type = String(type);
    [this.#bubbles, this.#cancelable, this.#composed] = [options?.bubbles, options?.cancelable, options?.composed].map(Boolean);
  }
  get type() { return this.#type; }
  get bubbles() { return this.#bubbles; }
  get cancelable() { return this.#cancelable; }
  get composed() { return this.#composed; }
  get target() { return this.#target; }
  get currentTarget() { return this.#running ? this.#target : null; }
  get srcElement() { return this.#target; }
  get eventPhase() { return this.#running ? 2 : 0; }
  get defaultPrevented() { return this.#cancelable && this.#prevented; }
  get returnValue() { return !this.#cancelable || !this.#prevented; }
  get cancelBubble() { return this.#stopped; }
  get isTrusted() { return false; }
  get timeStamp() { return 0; }
  initEvent(type, bubbles = false, cancelable = false) { if (!this.#running) [this.#type, this.#bubbles, this.#cancelable] = [String(type), Boolean(bubbles), Boolean(cancelable)]; }
  preventDefault() { this.#prevented = true; }
  stopPropagation() { this.#stopped = true; }
  stopImmediatePropagation() { this.#stopped = this.#now = true; }
  composedPath() { return this.#running ? [this.#target] : []; }
  get [Symbol.toStringTag]() { return "Event"; }

  // run calls listeners, for an object, until one stops that.
  static run(event, target, listeners) {
    if (event.#running) throw mean(Object.assign(new Error("The event is already being dispatched"), { code: "ERR_EVENT_RECURSION" }));
    const other = elsewhere.get(event);
    place(event, target);
    other?.begin(target);
    const end = () => { place(event, null); other?.begin(null); };
    for (const listener of listeners) {
      if (event.#now || other?.stopped() || !listener(event)) break;
      end(); // of Node 20, behind the first listener
    }
    if (event.#running) end();
    return !event.defaultPrevented;
  }

  // place notes for which object an event runs; null: for none any more.
  static place(event, target) { [event.#target, event.#running] = [target ?? event.#target, target !== null]; }

  static stopped(event) { return event.#now; }

  static is(v) { return v !== null && typeof v === "object" && #type in v; }
}
const { run, is, place, stopped } = Event;
for (const of of [Event, Event.prototype]) for (const [k, name] of ["NONE", "CAPTURING_PHASE", "AT_TARGET", "BUBBLING_PHASE"].entries()) Object.defineProperty(of, name, { value: k, enumerable: true });
for (const name of ["run", "is", "place", "stopped"]) delete Event[name];
export { place, stopped };

export class CustomEvent extends Event {
  #detail;
  constructor(type, options = undefined) {
    super(...arguments);
    this.#detail = options?.detail ?? null;
  }
  get detail() { return this.#detail; }
}

export class EventTarget {
  #listeners = new Map(); // by type, in their order

  addEventListener(type, listener, options = {}) {
    if (arguments.length < 2) throw typed("ERR_MISSING_ARGS", 'The "type" and "listener" arguments must be specified');
    if (listener === null || listener === undefined) return;
    if (typeof listener !== "function" && typeof listener !== "object") throw typed("ERR_INVALID_ARG_TYPE", 'The "listener" argument must be an instance of EventListener.');
    const { once = false, signal, capture = options === true } = options ?? {}, list = this.#listeners.get(type = String(type)) ?? [];
    if (signal?.aborted || list.some((l) => l.listener === listener && l.capture === Boolean(capture))) return;
    this.#listeners.set(type, [...list, { listener, once: Boolean(once), capture: Boolean(capture) }]);
    if (signal !== undefined) signal.addEventListener("abort", () => { this.removeEventListener(type, listener, options); }, { once: true });
  }

  removeEventListener(type, listener, options = {}) {
    if (arguments.length < 2) throw typed("ERR_MISSING_ARGS", 'The "type" and "listener" arguments must be specified');
    const capture = Boolean(typeof options === "boolean" ? options : options?.capture), list = this.#listeners.get(type = String(type)) ?? [];
    this.#listeners.set(type, list.filter((l) => l.listener !== listener || l.capture !== capture));
  }

  dispatchEvent(event) {
    if (!is(event)) throw typed("ERR_INVALID_ARG_TYPE", 'The "event" argument must be an instance of Event.');
    const { type } = event, list = this.#listeners.get(type) ?? [];
    return run(event, this, list.map((l) => (event) => {
      const now = this.#listeners.get(type);
      if (!now.includes(l)) return true;
      if (l.once) this.#listeners.set(type, now.filter((other) => other !== l));
      try {
        const v = typeof l.listener === "function" ? Reflect.apply(l.listener, this, [event]) : l.listener.handleEvent(event);
        if (v instanceof Promise) v.then(undefined, runs.throws);
      } catch (e) { runs.throws(e); }
      return true;
    }));
  }

  get [Symbol.toStringTag]() { return "EventTarget"; }
}

const { DOMException } = globalThis, making = {};
const aborted = () => mean(new DOMException("This operation was aborted", "AbortError"));

export class AbortSignal extends EventTarget {
  #reason; #aborted = false; #handler = null; #follow = [];

  constructor(key = undefined) {
    if (key !== making) throw typed("ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
    super();
  }

  get aborted() { return this.#aborted; }
  get reason() { return this.#reason; }
  get onabort() { return this.#handler; }
  set onabort(f) {
    const first = this.#handler === null;
    this.#handler = typeof f === "function" || f !== null && typeof f === "object" ? f : null;
    if (this.#handler === null) this.removeEventListener("abort", this.#call);
    else if (first) this.addEventListener("abort", this.#call);
  }
  #call = (event) => { if (typeof this.#handler === "function") Reflect.apply(this.#handler, this, [event]); };
  throwIfAborted() { if (this.#aborted) throw this.#reason; }
  get [Symbol.toStringTag]() { return "AbortSignal"; }

  static abort(reason = aborted()) { const made = new AbortSignal(making); abort(made, reason); return made; }

  static timeout(ms) {
    const made = new AbortSignal(making);
    runs.set(() => abort(made, mean(new DOMException("The operation was aborted due to timeout", "TimeoutError"))), ms).unref();
    return made;
  }

  static any(signals) {
    const made = new AbortSignal(making), list = [...signals], first = list.find((s) => s.aborted);
    if (first !== undefined) abort(made, first.reason);
    else for (const s of list) follow(s, () => { abort(made, s.reason); });
    return made;
  }

  // end aborts a signal: what follows it learns that first, and then its listeners.
  static end(signal, reason) {
    if (signal.#aborted) return;
    [signal.#aborted, signal.#reason] = [true, reason];
    signal.dispatchEvent(new Event("abort"));
    for (const f of signal.#follow.splice(0)) f();
  }

  static follow(signal, f) { signal.#follow.push(f); }
}
const { end: abort, follow } = AbortSignal;
delete AbortSignal.end;
delete AbortSignal.follow;

export class AbortController {
  #signal = new AbortSignal(making);
  get signal() { return this.#signal; }
  abort(reason = aborted()) { abort(this.#signal, reason); }
  get [Symbol.toStringTag]() { return "AbortController"; }
}

// madeSignal makes a signal that only its maker aborts, by abort.
export const madeSignal = () => new AbortSignal(making);
export { abort, follow };

for (const of of [Event, EventTarget, AbortSignal, AbortController]) for (const [key, d] of Object.entries(Object.getOwnPropertyDescriptors(of.prototype))) {
  if (key !== "constructor") Object.defineProperty(of.prototype, key, { ...d, enumerable: true });
}
