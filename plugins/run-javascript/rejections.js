// Rejections that nothing handles: Node ends a program for one.

const { Promise } = globalThis, { set, delete: remove } = Map.prototype, { apply } = Reflect;

// unhandled has the reasons of promises that have rejected, until something handles them.
export const unhandled = new Map();
export let some = false; // there are any: each request asks
const size = Object.getOwnPropertyDescriptor(Map.prototype, "size").get;

// serveRejection is what the host calls when a promise rejects that nothing handles, and when something handles one of these.
// It gives it a member settled(promise), which answers [rejected, value], or undefined of a pending one, and a member bounded(bytes),
// which says how much of the stack calls may take.
export function serveRejection(promise, reason, handled) {
  apply(handled ? remove : set, unhandled, [promise, reason]);
  some = apply(size, unhandled, []) > 0;
}

// watch notes whether anything handles a promise: then(), await and Promise.resolve() read its constructor.
export function watch(promise) {
  const seen = { handled: false };
  Object.defineProperty(promise, "constructor", { configurable: true, get() { seen.handled = true; return Promise; } });
  return seen;
}
