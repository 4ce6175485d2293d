// The driver runs before the script, in the same QuickJS. It keeps the functions of the language
// that it needs, so that a script that changes the language harms only itself.
//
// The files of the driver are the body of one function, in the order of the table in drivers.go.

const parse = JSON.parse, stringify = JSON.stringify, names = Object.keys, isArray = Array.isArray;
const finite = Number.isFinite, text = String, indirect = eval;
const apply = Reflect.apply, then = Promise.prototype.then;
const indexOf = String.prototype.indexOf, slice = String.prototype.slice, split = String.prototype.split;
const test = RegExp.prototype.test, join = Array.prototype.join, replace = String.prototype.replace, compile = Function;
const call = (f, self, a, b) => b === undefined ? apply(f, self, [a]) : apply(f, self, [a, b]);
const functions = [];
let answered, idle;

// Conventions: how the scorers of other evaluators look and are called. Each has a file, which
// adds to these. A shim makes a function of a case and the configuration; reads lists the keys of
// the configuration that it uses, undefined: perhaps any.
const shims = { __proto__: null }; // { shim, reads }, by the name of a function; the first that a script has is its scorer
const signatures = [];             // { fits, shim, reads } of functions whose parameters tell their convention

// All ways to print are one, and objects are shown as JSON.
const log = console.log, Failure = Error;
function print(...list) {
  for (let k = 0; k < list.length; k++) {
    const v = list[k];
    if (typeof v !== "object" || v === null || v instanceof Failure) continue;
    try { list[k] = stringify(v) ?? v; } catch { list[k] = "[object]"; }
  }
  apply(log, console, list);
}
for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = print;

// place finds where in the script an error comes from.
function place(stack) {
  const lines = call(split, stack, "\n");
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k], at = call(indexOf, line, "@@ENTRY@@:");
    if (at >= 0) return call(split, call(slice, line, at), ")")[0] + ": ";
  }
  return "";
}

function explain(e) {
  if (e === null || typeof e !== "object") return "threw " + describe(e);
  const stack = typeof e.stack === "string" ? e.stack : "";
  const what = typeof e.message === "string" ? text(e.name || "Error") + ": " + e.message : "threw " + describe(e);
  return place(stack) + what + hint(what) + own(stack);
}

// own returns a stack without the functions of the driver.
function own(stack) {
  let out = "";
  const lines = call(split, stack, "\n");
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k];
    if (line && call(indexOf, line, "(driver.js:") < 0) out += "\n" + line;
  }
  return out;
}

const absent = /^ReferenceError: (?:require|process|Buffer|fetch|XMLHttpRequest|setTimeout|setInterval|setImmediate|__dirname|__filename|Intl|TextEncoder|TextDecoder|URL|crypto|structuredClone) is not defined/;
const hint = (what) => call(indexOf, what, "could not load module") >= 0 ? "; a script has the modules beside it that it imports by a path such as './helper.js', and no packages"
  : call(indexOf, what, "InternalError: out of memory") === 0 ? "; raise wasm.Limits.MemoryPages, or make the script use less"
  : call(test, absent, what) ? "; there is the language, and nothing of a browser or of Node" : "";

function describe(v) {
  try {
    return typeof v === "function" ? "a function" : typeof v === "symbol" ? "a symbol"
      : typeof v === "bigint" ? text(v) + "n" : call(slice, stringify(v) || text(v), 0, 200);
  } catch { return "a value that cannot be shown"; }
}

const theirs = globalThis.module = { exports: {} };
globalThis.exports = theirs.exports;

function find(name, ns) {
  for (const from of [ns, ns && ns.default, theirs.exports]) {
    if (from !== null && (typeof from === "object" || typeof from === "function") && typeof from[name] === "function") return from[name];
  }
}

// around finds a function of the script that it does not export.
const around = (name) => indirect("typeof " + name + " === 'function' ? " + name + " : undefined");

// others explains how to name one of the functions that a script has instead.
function others(ns) {
  const mine = [];
  for (const from of [ns, theirs.exports]) {
    for (const name of from !== null && typeof from === "object" ? names(from) : []) if (typeof from[name] === "function" && mine.length < 8) mine[mine.length] = name;
  }
  return mine.length > 0 ? "; it has " + call(join, mine, ", ") + ": name the one that is meant: @@ENTRY@@:" + mine[0] + ", or exports: {" + mine[0] + ": what it says} in a plugin.yaml" : "";
}

function only(ns) {
  if (ns && typeof ns.default === "function") return ns.default;
  const it = theirs.exports;
  return typeof it === "function" ? it : it && typeof it.default === "function" ? it.default : undefined;
}
