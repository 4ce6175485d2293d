// Runs before the script does, in the same QuickJS. It keeps what it needs of the
// language, so that a script that changes it harms nobody but itself.
(function () {
  "use strict";
  const parse = JSON.parse, stringify = JSON.stringify, names = Object.keys, isArray = Array.isArray;
  const finite = Number.isFinite, text = String, indirect = eval;
  const apply = Reflect.apply, then = Promise.prototype.then;
  const indexOf = String.prototype.indexOf, slice = String.prototype.slice, split = String.prototype.split;
  const call = (f, self, a, b) => b === undefined ? apply(f, self, [a]) : apply(f, self, [a, b]);
  const functions = [];
  let settled;

  // QuickJS-NG 0.15.1 answers negative numbers for 32 bits.
  const unsigned = BigInt.asUintN;
  Object.defineProperty(BigInt, "asUintN", {
    value: { asUintN(bits, x) { const n = unsigned(bits, x); return n < 0n ? n + (1n << BigInt(bits)) : n; } }.asUintN,
    writable: true, configurable: true, enumerable: false,
  });

  // place finds where in the script an error comes from.
  function place(stack) {
    const lines = call(split, stack, "\n");
    for (let k = 0; k < lines.length; k++) {
      const line = lines[k], at = call(indexOf, line, "@@ENTRY@@:");
      if (at >= 0) return call(split, call(slice, line, at), ")")[0] + ": ";
    }
    return "";
  }

  function told(e) {
    if (e === null || typeof e !== "object") return "threw " + describe(e);
    const stack = typeof e.stack === "string" ? e.stack : "";
    const what = typeof e.message === "string" ? text(e.name || "Error") + ": " + e.message : "threw " + describe(e);
    return place(stack) + what + hint(what) + own(stack);
  }

  // own is a stack without our own functions.
  function own(stack) {
    let out = "";
    const lines = call(split, stack, "\n");
    for (let k = 0; k < lines.length; k++) {
      const line = lines[k];
      if (line && call(indexOf, line, "(driver.js:") < 0) out += "\n" + line;
    }
    return out;
  }

  const hint = (what) => call(indexOf, what, "could not load module") < 0 ? "" : "; a script is one file, and has no modules";

  function describe(v) {
    try {
      return typeof v === "function" ? "a function" : typeof v === "symbol" ? "a symbol"
        : typeof v === "bigint" ? text(v) + "n" : call(slice, stringify(v) || text(v), 0, 200);
    } catch { return "a value that cannot be shown"; }
  }

  const failed = (why) => stringify({ error: why });
  const allowed = "; return a number, an object of the contract, or null";

  // answer turns what a function returned into an answer of the contract.
  function answer(name, v) {
    switch (typeof v) {
      case "number":
        return finite(v) ? stringify({ score: v }) : failed(name + "() returned " + text(v) + ", which is no score" + allowed);
      case "boolean":
        return stringify({ score: v ? 1 : 0 });
      case "undefined":
        return stringify({ unscored: name + "() returned nothing" });
      case "object":
        if (v === null) return stringify({ unscored: name + "() returned null" });
        if (!isArray(v)) return normal(name, v);
    }
    return failed(name + "() returned " + describe(v) + allowed);
  }

  // normal takes an object of the contract, and one as promptfoo and others have it.
  function normal(name, v) {
    if (v.score === undefined && typeof v.pass === "boolean") v = { ...v, score: v.pass ? 1 : 0 };
    if (typeof v.score === "boolean") v = { ...v, score: v.score ? 1 : 0 };
    if (typeof v.score === "number" && !finite(v.score)) return failed(name + "() returned the score " + text(v.score) + allowed);
    if (v.score === null) {
      const { score, reason, ...rest } = v;
      v = { ...rest, unscored: typeof reason === "string" && reason ? reason : name + "() returned the score null" };
    }
    const { score, level, unscored, error, reason, evidence, hits, misses, details, stats, ...more } = v;
    if (names(more).length > 0) v = { score, level, unscored, error, reason, evidence, hits, misses, stats, details: { ...details, ...more } };
    const out = stringify(v);
    return out === undefined ? failed(name + "() returned an object that has no form in JSON") : out;
  }

  // The shims: what other evaluators call a scorer, and what they pass to it.
  const last = (list) => isArray(list) && list.length > 0 ? list[0] : undefined;
  const expected = (c) => c.expected !== undefined ? c.expected : last(c.references);
  const shims = {
    // promptfoo: an assertion in JavaScript
    get_assert: (f) => (c, config) => f(c.output, promptfoo(c, config)),
    getAssert: (f) => (c, config) => f(c.output, promptfoo(c, config)),
    // autoevals and evaluators like it
    evaluate: (f) => (c, config) => f.length > 1 ? f(c.output, expected(c)) : f({ ...c, expected: expected(c), config }),
    scorer: (f) => (c, config) => f({ ...c, expected: expected(c), config }),
    // OpenAI's graders
    grade: (f) => (c, config) => f({ output_text: c.output, ...config.sample }, { ...c.metadata, ...c, reference: expected(c) }),
  };
  function promptfoo(c, config) {
    const vars = { ...c.metadata, input: c.input, expected: expected(c), references: c.references, ...c.vars };
    return { vars, prompt: c.input, config, test: { vars }, provider: null, logProbs: null };
  }

  function find(name, ns) {
    for (const from of [ns, ns && ns.default, theirs.exports]) {
      if (from !== null && (typeof from === "object" || typeof from === "function") && typeof from[name] === "function") return from[name];
    }
    return indirect("typeof " + name + " === 'function' ? " + name + " : undefined");
  }

  function only(ns) {
    if (ns && typeof ns.default === "function") return ns.default;
    return typeof theirs.exports === "function" ? theirs.exports : undefined;
  }

  const theirs = globalThis.module = { exports: {} };
  globalThis.exports = theirs.exports;

  return {
    // bind finds the functions that score. It returns what is wrong.
    bind(list, ns) {
      for (const name of parse(list)) {
        let f = find(name, ns);
        if (f === undefined && name === "score") {
          f = only(ns);
          for (const other of f ? [] : names(shims)) {
            const g = find(other, ns);
            if (g !== undefined) { f = shims[other](g); break; }
          }
        }
        if (f === undefined) return "it has no function " + name + "(case, config); write: export function " + name + "(case, config) { ... }";
        functions[functions.length] = { name, f };
      }
      return "";
    },
    // serve returns an answer, or undefined if it has to be waited for.
    serve(request, export_) {
      const { name, f } = functions[export_];
      try {
        const r = parse(request);
        const v = r.kind === "corpus" ? f(r.stats, r.config) : f(r.case, r.config, r.criterion);
        if (v !== null && typeof v === "object" && typeof v.then === "function") {
          settled = undefined;
          call(then, Promise.resolve(v), (v) => { settled = answer(name, v); }, (e) => { settled = failed(told(e)); });
          return undefined;
        }
        return answer(name, v);
      } catch (e) {
        return failed(told(e));
      }
    },
    // wait returns the answer that was waited for.
    wait(export_) {
      return settled === undefined ? failed(functions[export_].name + "() returned a promise that nothing settles: there are no timers and no files here") : settled;
    },
    told,
  };
})()
