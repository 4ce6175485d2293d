// What tests have given the candidate, at the candidate's side.
import { abort, CustomEvent, elsewhere, Event, EventTarget, madeSignal } from "./events.js";
import { Timeout } from "./clock.js";
import { lacking } from "./lacked.js";
import { apart, asyncIterators, isObject, membersOf, names, syncIterators } from "./shapes.js";
import { spelled, Told } from "./told.js";
import { builtFrom, CannotCross, Decoder, records } from "./wire.js";

export const MAX_GUESSED = 1 << 19; // characters of calls that are answered by a guess
// Held is what the candidate has of the tests: functions, mocks, iterators, signals, classes.
export class Held extends Told {
  // mock puts functions of the tests in place of those that they have replaced. What prints tells them.
  mock(mocks, decoder) {
    this.listening.clear();
    for (const [of, key, before] of this.replaced.splice(0).toReversed()) {
      if (before === undefined) delete of[key];
      else Object.defineProperty(of, key, before);
    }
    for (const [path, key, coded] of mocks) {
      if (coded === null) continue;
      const of = path.startsWith("node:") ? this.modules[path.slice(5)] : path.split(".").reduce((v, key) => v[key], globalThis);
      this.replaced.push([of, key, path === "process.env" ? undefined : Object.getOwnPropertyDescriptor(of, key)]); // the tests know all variables
      const stays = () => { this.stays ??= coded[1]; throw new ReferenceError(coded[1] + " is not defined"); };
      if (coded[0] === "stays") Object.defineProperty(of, key, { get: stays, set: (value) => { Object.defineProperty(of, key, { value, writable: true, configurable: true }); }, configurable: true });
      else Object.defineProperty(of, key, { value: coded[0] === "is" ? () => coded[1] : coded[0] === "of" ? coded[1] : decoder.decode(coded), writable: true, enumerable: true, configurable: true });
    }
    this.listening = new Set(mocks.filter(([, , coded]) => coded === null).map(([path, key]) => path + "." + key));
  }

  // stub makes a function that the tests' function answers for.
  stub(n, name, length) {
    const state = this, f = function (...args) {
      if (new.target === undefined) return state.callBack(n, this === globalThis ? undefined : this, args);
      [state.stays, state.staying] = ["new", n];
      throw new Error("a function of the tests makes no object here");
    };
    return Object.defineProperties(f, { name: { value: name, configurable: true }, length: { value: length, configurable: true } });
  }

  callBack(n, self, args) {
    if (this.calling !== undefined) throw new Error("a function of the tests has no answer");
    this.called = true;
    const known = this.answers.shift(), sync = known === true ? null : this.sync(true); // true: nothing has changed
    const simple = self === undefined && !args.some(isObject), encoder = known !== undefined && simple ? undefined : this.encoder(true);
    const coded = encoder?.attempt(() => [encoder.encode(self), args.map((v) => encoder.encode(v))]);
    if (encoder !== undefined && coded === undefined) throw new CannotCross("an argument of a function of the tests");
    encoder?.commit();
    const stop = (why) => {
      this.calling ??= why;
      throw new Error("a function of the tests has no answer");
    };
    const habit = this.habits[n] ??= { v: undefined, step: undefined }, like = this.inside === 0 ? habit.like?.(args) : undefined;
    if (known === undefined && this.guesses > 0 && this.room > 0 && this.inside === 0) {
      const is = like ?? (habit.step === undefined ? habit.v : habit.v + habit.step), row = spelled([n, ...coded, sync, encoder.encode(is)]);
      habit.v = is;
      this.guesses--;
      this.room -= row.length;
      this.guessed.push(row);
      return is;
    }
    if (known === undefined) stop(["c", [n, ...coded], sync]);
    while (this.answers[0]?.[0] === "ask") { // it asks something before it answers
      this.inside++;
      const [, asked] = this.answers.shift(), reply = this.serve(asked);
      this.inside--;
      if (this.calling !== undefined || this.answers.length === 0) stop(["r", reply, null]);
    }
    const [kind, told, v] = this.answers.shift();
    if (told !== null) this.hear(told);
    const is = this.decoder().decode(v);
    if (kind !== "ok") throw is;
    habit.step = typeof is === "number" && typeof habit.v === "number" ? is - habit.v : undefined;
    habit.v = isObject(is) ? undefined : is;
    return is;
  }

  // take makes a function of the tests from its text. What it uses must be JavaScript's, or its own. like: the text of one that answers
  // likely as one that stays with the tests does.
  take(n, text, name, length, like) {
    if (text === null && like && this.habits[n] === undefined) this.habits[n] = { v: undefined, step: undefined, like: this.likely(like) };
    if (text === null) return this.given[n] ??= this.stub(n, name, length);
    const stays = (_, name) => {
      if (name === Symbol.unscopables) return undefined;
      if (this.stays === undefined) [this.stays, this.staying] = [name, n];
      throw new ReferenceError(name + " is not defined");
    };
    const scope = new Proxy({ __proto__: null }, { has: (_, name) => name !== "arguments" && (apart.has(name) || !names.has(name) && !this.worldly.has(name)), get: stays, set: stays });
    const made = () => new Function("__scope", "with (__scope) { return (" + text + "\n); }")(scope);
    return this.given[n] ??= Object.defineProperty(made(), "name", { value: name, configurable: true });
  }

  // likely makes a function from the text of one of the tests that uses their variables: here each of those begins as nothing.
  likely(text) {
    const nothing = new Proxy(function () {}, { get: (_, key) => key === Symbol.toPrimitive ? () => 0 : nothing, set: () => true, apply: () => nothing, construct: () => nothing, has: () => true });
    const scope = new Proxy(this.variables, { has: (of, name) => name !== "arguments" && (apart.has(name) || !names.has(name)), get: (of, name) => name === Symbol.unscopables ? undefined : name in of ? of[name] : nothing });
    let f;
    return (args) => {
      try {
        f ??= new Function("__scope", "with (__scope) { return (" + text + "\n); }")(scope);
        if (args.some(isObject)) args = args.slice(0, f.length); // an item, its index, and the list
        if (args.some(isObject)) return undefined;
        const v = f(...args);
        return isObject(v) ? undefined : v;
      } catch { return undefined; }
    };
  }

  // iterator makes an iterator that asks one of the tests for its items. kind: 1, an asynchronous one.
  iterator(n, kind, steps) {
    const made = Object.create(kind === 1 ? asyncIterators : syncIterators);
    for (const [k, name] of ["next", "return", "throw"].entries()) {
      if (steps[k] === null) continue;
      const f = this.take(...steps[k].slice(1));
      Object.defineProperty(made, name, { value: (...list) => f(...list), writable: true, configurable: true });
    }
    return made;
  }

  // staying makes an emitter, an EventTarget or an event that asks one of the tests.
  staying(kind, methods, type, flags) {
    const has = Object.fromEntries(methods.map(([name, coded]) => { const f = this.take(...coded.slice(1)); return [name, (...list) => f(...list)]; }));
    if (kind === "target") {
      const { dispatchEvent } = has;
      has.dispatchEvent = (event) => this.dispatches(event, dispatchEvent);
    }
    const made = kind === "emitter" ? Object.create(this.modules.events.prototype) : kind === "target" ? Object.create(EventTarget.prototype)
      : new (kind === "CustomEvent" ? CustomEvent : Event)(type, { bubbles: flags[0], cancelable: flags[1], composed: flags[2] });
    if (made instanceof Event) {
      const { begin, stopped } = has;
      elsewhere.set(made, { begin, stopped });
      delete has.begin;
      delete has.stopped;
    }
    for (const [name, value] of Object.entries(has)) Object.defineProperty(made, name.replace("get ", ""), name.startsWith("get ") ? { get: value, configurable: true } : { value, writable: true, configurable: true });
    return made;
  }

  // dispatches dispatches an event for an EventTarget of the tests: one of theirs, or one that they get as its parts.
  dispatches(event, f) {
    if (!(event instanceof Event)) throw Object.assign(new TypeError('The "event" argument must be an instance of Event.'), { code: "ERR_INVALID_ARG_TYPE" });
    if (this.emitters.includes(event)) return f(event);
    const kind = [Event, CustomEvent].find((kind) => Object.getPrototypeOf(event) === kind.prototype), { type, bubbles, cancelable, composed } = event;
    if (kind === undefined || Reflect.ownKeys(event).length > 0) this.reshaped ??= "an event of its own class for an EventTarget of the tests";
    const goes = f(type, kind === CustomEvent ? { bubbles, cancelable, composed, detail: event.detail } : { bubbles, cancelable, composed }, kind === CustomEvent ? "CustomEvent" : "Event");
    if (!goes) event.preventDefault();
    return goes;
  }

  // signal makes a signal that the tests abort. reason: why they have, before it came.
  signal(decoder, n, ...reason) {
    const made = this.signals[n] ??= madeSignal();
    if (reason.length > 0) abort(made, decoder.decode(reason[0]));
    return made;
  }

  // abort aborts a signal of the tests.
  abort(n, reason) {
    abort(this.signals[n], this.decoder().decode(reason));
    return ["v", null];
  }

  // record makes a class of the tests, whose objects are fields. base: the prototype of the class that it extends.
  record(name, text, base) {
    const made = base === undefined ? new Function("return (" + text + "\n);")() : new Function(base.constructor.name, "return (" + text + "\n);")(base.constructor);
    records.set(made.prototype, { name, text, members: membersOf(made.prototype) });
    if (this.find(name) === undefined) globalThis[name] = made;
    this.notice();
  }

  decoder() {
    return new Decoder((v, decoder) => {
      if (v[0] === "f") return this.take(...v.slice(1));
      if (v[0] === "g") return globalThis[v[1]][v[2]];
      if (v[0] === "Y") return this.objects[v[1]];
      if (v[0] === "C") return Decoder.prototype.prototypeOf(v[1]).constructor;
      if (v[0] === "A") return this.signal(decoder, ...v.slice(1));
      if (v[0] === "E") return this.emitters[v[1]] ??= this.staying(...v.slice(2));
      if (v[0] === "I") return this.iterators[v[1]] ??= this.iterator(...v.slice(1));
      if (v[0] === "W") return this.timers[v[1]] ??= new Timeout(-1 - v[1], this.take(...v[2].slice(1)), () => { throw lacking("refresh() of a timer of the tests"); });
      if (v[0] === "T") return this.tokens[v[1]] ??= Symbol(v[2] ?? undefined);
      if (v[0] === "H" || v[0] === "F") return typeof v[1] === "string" ? this.find(v[1]) : this.objects[v[1]];
      if (v[0] === "P") return v.length > 2 && !this.awaited.has(v[1]) ? this.settledAs(v[1], v[2], decoder.decode(v[3]), v[4] === 1) : this.promiseOf(v[1]);
      throw new Error("a value of kind " + v[0]);
    }, ([, classes, message, name]) => {
      const e = builtFrom(classes).make(message, name);
      return classes[0][0] === "C" ? Object.setPrototypeOf(e, Decoder.prototype.prototypeOf(classes[0][1])) : e;
    }, this.shared, true);
  }

  // settledAs makes a promise of the tests that has settled. open: it has rejected, and they have not handled it.
  settledAs(n, kind, value, open) {
    const promise = kind === "ok" ? Promise.resolve(value) : Promise.reject(value);
    if (!open) promise.catch(() => {});
    this.promises.set(promise, n);
    this.awaited.set(n, { promise });
    return promise;
  }

  // promiseOf returns a promise of the tests, or the one of its own that has this number.
  promiseOf(n) {
    if (!this.awaited.has(n)) {
      const settles = {}, promise = new Promise((ok, no) => Object.assign(settles, { ok, no }));
      promise.catch(() => {});
      this.promises.set(promise, n);
      this.awaited.set(n, { ...settles, promise });
      this.promising = true;
    }
    return this.awaited.get(n).promise;
  }
}

export class Iterating {}
