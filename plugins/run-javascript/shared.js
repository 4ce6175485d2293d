// Tests in the instance of their candidate (isolation: shared), which may do with them what it likes.
import { framesOf } from "./faults.js";
import { lacked } from "./node.js";
import { Broken, passed, Suite } from "./tests.js";

const builtin = new Set(Object.getOwnPropertyNames(globalThis));
const lineOf = (e) => { const stack = e instanceof Error ? framesOf(e) : ""; return Number(/<(?:evalScript|input)>:(\d+)/.exec(typeof stack === "string" ? stack : "")?.[1] ?? 0); };
const lines = (t) => t.split("\n").length;

// A Local is a candidate in this instance: for a Suite, what the judge's Candidate is for one in another.
class Local {
  shared = true;
  asked = 0;
  missed = 0;
  exhausted = false;
  loaded = false;

  constructor(state, prompt, texts) {
    this.state = state;
    this.clock = state.clock;
    this.above = lines(prompt) + Math.max(...texts.map(lines)) + 1; // lines in which there is no test
  }

  get lacked() { return lacked.name; }

  load(wanted) {
    if (this.state.failure !== undefined) throw this.state.failure.e;
    this.loaded = true;
    return wanted.map((name) => this.state.find(name) === undefined ? undefined : "V");
  }

  resolve(name) { return this.state.find(name); }

  exported() { return this.state.default(); }

  // advance runs timers up to a time.
  advance(until) {
    while (this.clock.due() <= until) this.clock.run();
    if (until < Infinity) this.clock.advance(until);
  }

  nextDue() { return this.clock.due(); }

  lastDue() { return this.clock.last(); }

  timerCount() { return this.clock.count; }

  clearTimers() { this.clock.clearAll(); }

  // module is what the candidate exports, if it exports anything.
  module() {
    if (this.state.modular) return undefined;
    const v = globalThis.module?.exports;
    return typeof v === "function" || v !== null && typeof v === "object" && Object.keys(v).length > 0 ? v : undefined;
  }

  // exportNames returns the names that the module exports.
  exportNames() { return this.state.module()[1] ?? []; }

  // replace puts a value in the place of what the candidate has under a name.
  replace(name, v) { this.state.scope("(v) => { " + name + " = v; }")(v); }

  // defines reports whether a name that the tests use may be the candidate's.
  defines(name) { return !builtin.has(name) && !this.state.worldly.has(name); }

  // raisedBy returns where the candidate threw an error. What was thrown last counts: tests are compiled below all its lines.
  raisedBy(e) {
    const line = lineOf(e);
    return this.state.failure !== undefined || !(e instanceof Error) || line > 0 && line < this.above ? { line } : undefined;
  }
}

// share runs the tests, and returns what of the results is plain: ["broken", why], or which text of the candidate ran, how
// many lines precede it, and a row for each test.
export async function share(state, task) {
  state.begin();
  await state.load(task.prompt, task.texts, []);
  const local = new Local(state, task.prompt, task.texts);
  const suite = new Suite(local, { ...task, required: new Set(task.required), modules: new Set(task.modules) });
  try {
    await suite.run(task.tests, task.form);
  } catch (e) {
    if (e instanceof Broken) return ["broken", e.message];
    throw e;
  }
  const first = suite.results.find((r) => r.outcome !== passed);
  return ["results", state.used ?? 0, state.before ?? 0, suite.results.map((r) => [
    r.name.slice(0, 200), r.outcome, ...[r.lacks, ...r === first ? [r.why, r.line, r.input, r.expected, r.actual] : []].map((x) => x ?? null),
  ])];
}
