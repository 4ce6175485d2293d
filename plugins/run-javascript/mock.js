// The mocks of Jest, Vitest and node:test: functions that note how they are called. They stay with the tests.
import { iterable, jestEqual } from "./equal.js";
import { mean } from "./faults.js";

const calls = Symbol("calls");
let order = 0;

// methodOf returns a method that tests replace.
function methodOf(of, key) {
  if (of === null || typeof of !== "object" && typeof of !== "function") throw mean(new Error("cannot spy on " + String(key) + " of a primitive value"));
  if (typeof of[key] !== "function") throw mean(new Error("cannot spy on " + String(key) + ", which is not a function"));
  return of[key];
}

export const isMock = (f) => typeof f === "function" && f[calls] === true;

// A Mocks has the mocks of a suite.
export class Mocks {
  #all = [];
  #spies = [];

  // fn makes a mock of a function.
  fn(own = undefined) {
    let always = own, next = [];
    const mock = function (...args) {
      const { state } = mock, result = { type: "incomplete", value: undefined }, f = next.length > 0 ? next.shift() : always;
      state.calls.push(args);
      state.contexts.push(this);
      state.instances.push(this);
      state.invocationCallOrder.push(++order);
      state.results.push(result);
      try {
        if (f !== undefined && typeof f !== "function") throw mean(new TypeError("mockImpl.apply is not a function"));
        const v = f === undefined ? undefined : new.target && !f.prototype ? undefined : Reflect.apply(f, this, args);
        Object.assign(result, { type: "return", value: v });
        return v;
      } catch (e) {
        Object.assign(result, { type: "throw", value: e });
        throw e;
      }
    };
    const member = (name, value) => Object.defineProperty(mock, name, { value, writable: true, configurable: true });
    const clear = () => { member("state", { calls: [], results: [], contexts: [], instances: [], invocationCallOrder: [], get lastCall() { return this.calls.at(-1); } }); return mock; };
    const chain = (f) => (...args) => { f(...args); return mock; };
    const returns = (f) => [(v) => { always = f(v); return mock; }, (v) => { next.push(f(v)); return mock; }];
    clear();
    member(calls, true);
    Object.defineProperty(mock, "mock", { get: () => mock.state, configurable: true });
    member("_isMockFunction", true);
    let name = "jest.fn()";
    const reset = () => { clear(); next = []; always = undefined; return mock; };
    const has = {
      getMockName: () => name, mockName: chain((t) => { name = t; }), getMockImplementation: () => always,
      mockClear: clear, mockReset: reset, mockRestore: () => { reset(); always = own; },
      mockImplementation: chain((f) => { always = f; }), mockImplementationOnce: chain((f) => { next.push(f); }),
      mockReturnThis: chain(() => { always = function () { return this; }; }),
    };
    for (const [key, f] of [["mockReturnValue", (v) => () => v], ["mockResolvedValue", (v) => async () => v], ["mockRejectedValue", (v) => async () => { throw v; }]]) [has[key], has[key + "Once"]] = returns(f);
    for (const [key, f] of Object.entries(has)) member(key, f);
    this.#all.push(mock);
    return mock;
  }

  // spyOn puts a mock in place of a method.
  spyOn(of, key) {
    const own = methodOf(of, key);
    if (isMock(own)) return own;
    const had = Object.hasOwn(of, key), spy = this.fn(own), back = () => { if (had) of[key] = own; else delete of[key]; }, { mockRestore } = spy;
    Object.defineProperty(spy, "mockRestore", { value: () => { mockRestore(); back(); }, configurable: true });
    if (!Reflect.set(of, key, spy)) throw mean(new TypeError("cannot replace " + String(key)));
    this.#spies.push(spy);
    return spy;
  }

  // spyOnAccessor puts a mock in place of a getter or a setter, which an object may inherit. original: what it is for an object of the candidate.
  spyOnAccessor(of, key, kind, original) {
    if (kind !== "get" && kind !== "set") throw mean(new Error("an access type is get or set, not " + String(kind)));
    let d;
    for (let from = of; d === undefined && from !== null && from !== undefined; from = Object.getPrototypeOf(from)) d = Object.getOwnPropertyDescriptor(from, key);
    if (d === undefined || !d.configurable || d[kind] === undefined) throw mean(new Error("the property " + String(key) + " has no " + kind + "ter that can be replaced"));
    if (isMock(d[kind])) return d[kind];
    const had = Object.hasOwn(of, key), own = original(d[kind]), spy = this.fn(function (...list) { return Reflect.apply(own, this, list); }), { mockRestore } = spy;
    Object.defineProperty(spy, "mockRestore", { value: () => { mockRestore(); if (had) Object.defineProperty(of, key, d); else delete of[key]; }, configurable: true });
    if (!Reflect.defineProperty(of, key, { ...d, [kind]: spy })) throw mean(new Error("the " + kind + "ter of " + String(key) + " cannot be replaced"));
    this.#spies.push(spy);
    return spy;
  }

  #node = undefined;

  // node returns the mock of node:test, and tracker one of a test's own.
  node(missing, timers) { return this.#node ??= this.tracker(missing, timers); }

  tracker(missing, timers) {
    const all = [];
    const make = (own, f, back = () => {}) => {
      const calls = [];
      let next = new Map(), now = f ?? own;
      const mock = function (...args) {
        const call = { arguments: args, this: this, target: new.target, result: undefined, error: undefined, stack: new Error() }, run = next.get(calls.length) ?? now;
        next.delete(calls.length);
        calls.push(call);
        try {
          return call.result = run === undefined ? undefined : new.target ? Reflect.construct(run, args, new.target === mock ? run : new.target) : Reflect.apply(run, this, args);
        } catch (e) {
          call.error = e;
          throw e;
        }
      };
      const has = {
        get calls() { return [...calls]; }, callCount: () => calls.length, resetCalls: () => { calls.length = 0; }, mockImplementation: (f) => { now = f; },
        mockImplementationOnce: (f, at = calls.length) => { next.set(at, f); }, restore: () => { now = own; next = new Map(); back(); },
      };
      Object.defineProperty(mock, "mock", { value: has });
      all.push(has);
      return mock;
    };
    const has = {
      timers, fn: (own, f) => make(own, typeof f === "function" ? f : undefined), reset: () => { timers.reset(); for (const f of all.splice(0)) f.restore(); }, restoreAll: () => { for (const f of all) f.restore(); },
      method: (of, key, f) => {
        const own = methodOf(of, key), had = Object.hasOwn(of, key), mock = make(own, typeof f === "function" ? f : undefined, () => { if (had) of[key] = own; else delete of[key]; });
        if (!Reflect.set(of, key, mock)) throw mean(new TypeError("cannot replace " + String(key)));
        return mock;
      },
    };
    return new Proxy(has, { get: (of, key) => typeof key !== "string" || key in of || key === "then" ? of[key] : missing("mock." + key) });
  }

  clearAllMocks = () => { for (const f of this.#all) f.mockClear(); };
  resetAllMocks = () => { for (const f of this.#all) f.mockReset(); };
  restoreAllMocks = () => { for (const f of this.#spies.splice(0)) f.mockRestore(); };
}

const same = (a, b) => jestEqual(a, b, [iterable]);
const sameList = (a, b) => a.length === b.length && a.every((x, k) => same(x, b[k]));
const returned = (f) => f.mock.results.filter((r) => r.type === "return");

// Matchers of mocks.
export const mockMatchers = {
  toHaveBeenCalled: (f) => f.mock.calls.length > 0,
  toHaveBeenCalledTimes: (f, n) => f.mock.calls.length === n,
  toHaveBeenCalledOnce: (f) => f.mock.calls.length === 1,
  toHaveBeenCalledWith: (f, ...args) => f.mock.calls.some((list) => sameList(list, args)),
  toHaveBeenCalledExactlyOnceWith: (f, ...args) => f.mock.calls.length === 1 && sameList(f.mock.calls[0], args), // of Vitest
  toHaveBeenLastCalledWith: (f, ...args) => f.mock.calls.length > 0 && sameList(f.mock.calls.at(-1), args),
  toHaveBeenNthCalledWith: (f, n, ...args) => f.mock.calls.length >= n && sameList(f.mock.calls[n - 1], args),
  toHaveReturned: (f) => returned(f).length > 0,
  toHaveReturnedTimes: (f, n) => returned(f).length === n,
  toHaveReturnedWith: (f, v) => returned(f).some((r) => same(r.value, v)),
  toHaveNthReturnedWith: (f, n, v) => f.mock.results[n - 1]?.type === "return" && same(f.mock.results[n - 1].value, v),
  toHaveLastReturnedWith: (f, v) => returned(f).length > 0 && same(returned(f).at(-1).value, v),
};
for (const [alias, name] of Object.entries({ toBeCalled: "toHaveBeenCalled", toBeCalledTimes: "toHaveBeenCalledTimes", toBeCalledWith: "toHaveBeenCalledWith", lastCalledWith: "toHaveBeenLastCalledWith", nthCalledWith: "toHaveBeenNthCalledWith" })) mockMatchers[alias] = mockMatchers[name];
