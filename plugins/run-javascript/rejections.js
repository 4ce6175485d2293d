// Rejections that nothing handles: Node ends a program for one, and nothing else tells of it.

const { Promise } = globalThis;

// unhandled has the reasons of promises that have rejected, until something handles them.
export const unhandled = new Map();

// watch notes whether a promise rejects, and whether anything handles it: then(), await and Promise.resolve() read its constructor.
export function watch(promise) {
  const seen = { handled: false, promise };
  (async () => { try { await promise; } catch (e) { if (!seen.handled) unhandled.set(promise, e); } })();
  Object.defineProperty(promise, "constructor", { configurable: true, get() { seen.handled = true; unhandled.delete(promise); return Promise; } });
  return seen;
}

// watchAll watches each promise that then(), catch() and finally() return.
export function watchAll() {
  function Watched(executor) { return watch(new Promise(executor)).promise; }
  Object.defineProperty(Promise, Symbol.species, { configurable: true, get: () => Watched });
}
