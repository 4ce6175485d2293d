// Runs candidates: programs in JavaScript that a model wrote, against the tests of a dataset.
//
// tests, io and calls run in the judge's instance, which holds tests and expected values. servePeer runs in
// another instance, with the candidate. README.md says what that protects.
import { shown } from "./assert.js";
import { idle, servePeer } from "./candidate.js";
import { checkerOf, close } from "./checkers.js";
import { serveIdle as runClocks } from "./clock.js";
import { Candidate } from "./judge.js";
import { Ended, handleOf, Unsupported } from "./known.js";
import { serveRejection } from "./rejections.js";
import { words } from "./requests.js";
import { Broken, passed, skipped, Suite } from "./tests.js";

const classes = ["wrong_answer", "exception", "fuel", "memory", "output", "exit"];
const said = { wrong_answer: "wrong answer", exception: "exception", fuel: "time limit", memory: "memory limit", output: "output", exit: "exit" };
const defaults = { block: "last", prompt: "auto", form: "auto", score: "all", isolation: "isolated", unsupported: "unscored", rel: 1e-6, abs: 1e-6 };

class Unscored extends Error {}

// A Program is the candidate's text: which part of the output it is, and what precedes it.
class Program {
  used = 0;
  before = 0;
  checker = "lines"; // the name of the one that compares what programs print

  constructor(output, prompt, blocks, found, chosen, rule) {
    Object.assign(this, { output, prompt, blocks, found, chosen, rule, texts: blocks.map((b) => b.text) });
  }

  // ran notes which text was run, and how many lines precede it. It reports whether that can be.
  ran(used, before) {
    if (!Number.isInteger(used) || used < 0 || used >= this.texts.length || !Number.isInteger(before) || before < 0 || before > 1e6) return false;
    [this.used, this.before] = [used, before];
    return true;
  }

  // line returns the line of the output, from 1, for a line of the program; 0 if it is in the prompt.
  line(n) {
    n = n - this.before + this.blocks[this.used].line - 1;
    return n >= this.blocks[this.used].line && n <= this.output.split("\n").length ? n : 0;
  }
}

// blocksOf returns the fenced code blocks of a text; one that is not closed ends with the text.
function blocksOf(output) {
  const found = [], lines = output.split("\n");
  let open, at = 0;
  for (const [k, line] of lines.entries()) {
    const m = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(?=[^\n`]*$)[ \t]*([^\s`{]*)/.exec(line), next = at + line.length + 1;
    if (m !== null && open === undefined) open = { mark: m[1], language: m[2].toLowerCase(), start: next, line: Math.min(k + 2, lines.length) };
    else if (m !== null && m[1][0] === open.mark[0] && m[1].length >= open.mark.length && m[2] === "") {
      found.push({ ...open, end: at });
      open = undefined;
    }
    at = next;
  }
  if (open !== undefined) found.push({ ...open, end: output.length });
  return found.map((b) => ({ language: b.language, start: b.start, text: output.slice(b.start, Math.max(b.start, b.end)), line: b.line }));
}

// functionsIn lists the names of functions and classes that a text defines.
function functionsIn(text) {
  const found = text.matchAll(/(?<![.\w$])(?:(?:function\s*(?:\*\s*)?|class\s+)([A-Za-z_$][\w$]*)|(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\b\s*)?(?:function\b|class\b|\(|[\w$]+\s*=>)|(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=)/g);
  return Array.from(found, (m) => m[1] ?? m[2] ?? m[3]);
}

// wanted returns a test for code blocks: do they define the entry point or, without one, a function that the tests use?
function wanted(task, tests) {
  const name = task.entry.split(".")[0];
  if (name) {
    const defines = new RegExp("(?:function\\s*(?:\\*\\s*)?|class\\s+|const\\s+|let\\s+|var\\s+|exports\\.)" + name.replaceAll("$", "\\$") + "(?![\\w$])");
    return (b) => defines.test(b.text);
  }
  const text = [tests].flat().filter((t) => typeof t === "string").join("\n"), own = new Set(functionsIn(text)), used = new Set(text.match(/[\w$]+/g));
  return (b) => functionsIn(b.text).some((n) => used.has(n) && !own.has(n));
}

function programOf(c, config, task) {
  if (c.output === undefined || c.output === null) throw new Unscored("the case has no output");
  if (typeof c.output !== "string") throw new Unscored("the output is not text");
  const prompt = config.prompt !== "never" && /^\s*(?:\/\/|\/\*|import\b|export\b|(?:async\s+)?function\b|class\b|const\b|let\b|var\b)/m.test(task.prompt) && !/```/.test(task.prompt) ? task.prompt : "";
  const found = config.block === "none" ? [] : blocksOf(c.output);
  if (found.length === 0) return new Program(c.output, prompt, [{ text: c.output, line: 1 }], 0, 0, config.block);
  const of = (...names) => found.filter((b) => names.includes(b.language));
  const scripts = [of("javascript", "js", "node", "jsx", "mjs", "cjs", "ecmascript"), of("", "code"), found].find((list) => list.length > 0);
  if (config.block === "joined") return new Program(c.output, prompt, [{ ...scripts[0], text: scripts.map((b) => b.text).join("") }], found.length, 0, "joined");
  const defining = scripts.length > 1 ? scripts.filter(wanted(task, c.tests)) : [], among = defining.length > 0 ? defining : scripts;
  const chosen = config.block === "first" ? among[0] : config.block === "longest" ? among.reduce((a, b) => b.text.length > a.text.length ? b : a) : among.at(-1);
  return new Program(c.output, prompt, [chosen], found.length, found.indexOf(chosen) + 1, config.block);
}

const texts = (v, key) => {
  const list = v === undefined || v === null ? [] : typeof v === "string" ? [v] : v;
  if (!Array.isArray(list) || !list.every((x) => typeof x === "string")) throw new Broken(key + " is neither a text nor a list of texts");
  return list;
};
const nameOf = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)?$/;

function taskOf(c, config) {
  const task = { entry: c.entry_point ?? "", prompt: c.prompt ?? "", setup: texts(c.setup, "setup") };
  const module = c.module ?? config.module ?? "solution";
  for (const [key, v] of [["entry_point", task.entry], ["prompt", task.prompt], ["module", module]]) if (typeof v !== "string") throw new Broken(key + " is not text");
  if (task.entry && !nameOf.test(task.entry)) throw new Broken("entry_point " + JSON.stringify(task.entry) + " is neither a name nor Class.method");
  const required = texts(c.names, "names");
  for (const name of required) if (!nameOf.test(name) || name.includes(".")) throw new Broken("names has " + JSON.stringify(name) + ", which is not a name");
  task.required = new Set(task.entry ? [task.entry.split(".")[0], ...required] : required);
  task.strict = config.unsupported === "failed";
  task.modules = new Set([module, "solution", "candidate", "submission"]);
  return task;
}

// exported makes an export of what runs the tests of a case.
const exported = (kind) => async (c, given) => {
  const config = { ...defaults, ...given };
  let candidate, left;
  try {
    const task = taskOf(c, config), program = programOf(c, config, task);
    candidate = new Candidate(program, config.fuel, config.test_fuel);
    if (task.strict) candidate.endless = () => JSON.stringify(left = wellFormed(endless(program, candidate, config)));
    return wellFormed(answer(program, candidate, await kind(c, config, task, candidate), config));
  } catch (e) {
    if (![Unscored, Broken, Unsupported].some((kind) => e instanceof kind)) {
      if (left !== undefined) return left;
      throw e;
    }
    const sentence = e.message.slice(0, 1500).toWellFormed().replace(/\.$/, "");
    if (e instanceof Unscored) return { unscored: e.message };
    if (e instanceof Broken) return { error: sentence + ". This is not the candidate's fault, so there is no score" };
    return { error: sentence + ": that cannot cross between two instances, so there is no score; isolation: shared runs both in one" };
  }
};

// endless is the answer to tests that use up the judge, or make it fail, when the candidate has answered. What that has used until then is not known.
function endless(program, candidate, config) {
  const out = answer(program, candidate, [{ name: "the tests", outcome: "exception", why: "the tests use up the judge's fuel, memory or depth of calls, or make it fail, perhaps by what the candidate has answered" }], config);
  delete out.details.fuel_used;
  return out;
}

// wellFormed replaces lone surrogates: a candidate whose failure cannot be told would have no score.
const wellFormed = (v) => JSON.parse(JSON.stringify(v, (_, x) => typeof x === "string" ? x.toWellFormed() : x));

const runTests = async (c, config, task, candidate) => {
  if (c.tests === undefined || c.tests === null || c.tests.length === 0) throw new Unscored("the case has no tests");
  const list = typeof c.tests === "string" ? c.tests : texts(c.tests, "tests");
  if (config.isolation === "shared") return runShared(list, config, task, candidate);
  for (let k = 0; ; k++) {
    const suite = new Suite(candidate, task);
    try {
      await suite.run(list, config.form);
      return suite.results;
    } catch (e) {
      if (!candidate.rerun || k > 60) throw e;
      candidate.anew();
    }
  }
};

// runShared has the candidate's instance run its own tests. What comes back has a valid form, and may be anything the candidate likes.
function runShared(list, config, task, candidate) {
  const p = candidate.program;
  const told = { ...task, required: [...task.required], modules: [...task.modules], prompt: p.prompt, texts: p.texts, tests: list, form: config.form };
  try {
    candidate.start();
    const [, body] = candidate.ask("together", told);
    if (Array.isArray(body) && body[0] === "broken" && typeof body[1] === "string") throw new Broken(body[1]);
    if (Array.isArray(body) && body.length === 4 && p.ran(body[1], body[2]) && Array.isArray(body[3]) && body[3].length > 0 && body[3].every(isResult)) return body[3].map(resultOf);
    throw candidate.ends("output", "the results cannot be read");
  } catch (e) {
    if (e instanceof Broken || candidate.unsupported !== undefined) throw e;
    candidate.end ??= ["exception", shown(e)];
    return (Array.isArray(list) ? list : [list]).map(() => ({ name: "the tests", outcome: candidate.end[0], why: candidate.end[1], lacks: candidate.lacked }));
  }
}

const isResult = (row) => Array.isArray(row) && typeof row[0] === "string" && [passed, skipped, ...classes].includes(row[1])
  && (row[4] == null || Number.isInteger(row[4])) && [2, 3, 5, 6, 7].every((k) => row[k] == null || typeof row[k] === "string");

function resultOf([name, outcome, lacks, why, line, ...more]) {
  const [input, expected, actual] = more.map((t) => t?.slice(0, 1_000));
  return { name: name.slice(0, 200), outcome, lacks: lacks?.slice(0, 100) ?? undefined, why: (why ?? "").slice(0, 1_000), line: line ?? 0, input, expected, actual };
}

// twoInstances refuses what runs in no other way.
function twoInstances(config) {
  if (config.isolation === "shared") throw new Broken("isolation: shared is for tests only");
}

const runCalls = async (c, config, task, candidate) => {
  twoInstances(config);
  const list = c.calls;
  if (list === undefined || list === null || list.length === 0) throw new Unscored("the case has no calls");
  if (!Array.isArray(list) || !list.every((x) => x !== null && typeof x === "object" && Object.hasOwn(x, "expected") && Array.isArray(x.args ?? []))) throw new Broken("calls is not a list of {args, expected}");
  if (!task.entry) throw new Broken("the case has no entry_point to call");
  const named = list.findIndex((x) => x.kwargs !== undefined && x.kwargs !== null && Object.keys(x.kwargs).length > 0);
  if (named >= 0) throw new Broken("calls[" + named + "] has kwargs: functions of JavaScript have no arguments with names");
  const suite = new Suite(candidate, task);
  try {
    suite.load();
  } catch (e) {
    suite.asked = candidate.asked;
    return list.map((_, k) => suite.judged("calls[" + k + "]", e));
  }
  let f;
  for (let k = 0; k < list.length; k++) {
    let got;
    if (candidate.end !== undefined || candidate.testFuel !== undefined) f = undefined; // of an instance that is no more
    await suite.attempt("calls[" + k + "]", async () => { f ??= suite.entry(); got = { v: await f(...structuredCopy(list[k].args ?? [])) }; }, (r) => {
      if (r.outcome === passed && !sameJSON(got.v, list[k].expected, config)) {
        Object.assign(r, { outcome: "wrong_answer", lacks: candidate.lacked, why: "returned " + shown(got.v, 120) + ", expected " + shown(list[k].expected, 120), expected: shown(list[k].expected), actual: shown(got.v) });
        r.input = suite.judged(r.name, new Ended("")).input;
      }
      return true;
    });
    if (suite.hopeless()) {
      for (let n = k + 1; n < list.length; n++) suite.results.push({ name: "calls[" + n + "]", outcome: "fuel", why: words.fuel });
      break;
    }
  }
  return suite.results;
};

const structuredCopy = (v) => JSON.parse(JSON.stringify(v));

const isPlain = (v) => v !== null && typeof v === "object" && handleOf(v) === undefined && [Object.prototype, null].includes(Object.getPrototypeOf(v));

// sameJSON compares an answer with a value of JSON.
function sameJSON(a, b, config) {
  if (Array.isArray(b)) return Array.isArray(a) && a.length === b.length && b.every((x, k) => sameJSON(a[k], x, config));
  if (b !== null && typeof b === "object") return isPlain(a) && Object.keys(a).length === Object.keys(b).length && Object.keys(b).every((k) => Object.hasOwn(a, k) && sameJSON(a[k], b[k], config));
  if (config.checker === "floats" && typeof a === "number" && typeof b === "number") return Number.isInteger(a) && Number.isInteger(b) ? a === b : close(a, b, config);
  return a === b || b === null && a === undefined || typeof a === "bigint" && typeof b === "number" && a === BigInt(Number.isInteger(b) ? b : NaN);
}

const leastPrinted = 1 << 19; // characters that each program may print; if more are expected, twice as many beyond

const runIO = async (c, config, task, candidate) => {
  twoInstances(config);
  const list = c.tests_io;
  if (list === undefined || list === null || list.length === 0) throw new Unscored("the case has no tests_io");
  if (!Array.isArray(list) || !list.every((x) => x !== null && typeof x === "object" && typeof x.input === "string" && typeof x.output === "string")) throw new Broken("tests_io is not a list of {input, output}");
  const suite = new Suite(candidate, task), [checker, check] = checkerOf(c, config);
  candidate.program.checker = checker;
  for (let k = 0; k < list.length; k++) {
    let printed = "";
    await suite.attempt("tests_io[" + k + "]", async () => {
      candidate.start();
      const [, body] = candidate.ask("run", candidate.program.texts, list[k].input);
      if (!Array.isArray(body) || !candidate.program.ran(body[0], 0)) throw candidate.ends("output", "the candidate's answer cannot be read");
      for (let part = body.slice(1); ; part = candidate.ask("more")[1]) {
        if (!Array.isArray(part) || typeof part[0] !== "string") throw candidate.ends("output", "the candidate's answer cannot be read");
        printed += part[0];
        if (part[1] !== true) break;
        if (printed.length > leastPrinted + 2 * list[k].output.length) throw candidate.ends("output", words.output);
      }
    }, (r) => {
      const why = r.outcome === passed ? check(printed, list[k].output, config) : undefined;
      if (why !== undefined) Object.assign(r, { outcome: "wrong_answer", lacks: candidate.lacked, why });
      if (r.outcome !== passed) Object.assign(r, { input: shown(list[k].input), expected: shown(list[k].output), actual: shown(printed) });
      return true;
    });
    candidate.end ??= ["exit", "a new test"]; // each test has a new instance
    if (suite.hopeless()) {
      for (let n = k + 1; n < list.length; n++) suite.results.push({ name: "tests_io[" + n + "]", outcome: "fuel", why: words.fuel });
      break;
    }
  }
  return suite.results;
};

export const tests = exported(runTests), io = exported(runIO), calls = exported(runCalls);

// auto runs what the case has.
const given = (v) => v !== undefined && v !== null && v.length !== 0;
export const auto = exported((c, ...rest) => {
  const found = [[c.tests, runTests], [c.tests_io, runIO], [c.calls, runCalls]].filter(([v]) => given(v));
  if (found.length === 0) throw new Unscored("the case has no tests, no tests_io and no calls");
  if (found.length > 1) throw new Broken("the case has several of tests, tests_io and calls");
  return found[0][1](c, ...rest);
});

// answer is the result of a case.
function answer(program, candidate, results, config) {
  const counted = results.filter((r) => r.outcome !== skipped);
  if (counted.length === 0) return { unscored: results.length > 0 ? "all " + results.length + " tests are skipped" : "there are no tests" };
  const failed = counted.filter((r) => r.outcome !== passed), good = counted.length - failed.length;
  const lacks = failed.find((r) => r.lacks !== undefined)?.lacks;
  if (lacks !== undefined && config.unsupported === "unscored") return { unscored: "the candidate needs " + lacks + ", which this runtime does not have: it was not tested (unsupported: failed counts it as wrong)" };
  const details = { tests: counted.length, passed: good };
  for (const kind of classes) details[kind] = failed.filter((r) => r.outcome === kind).length;
  Object.assign(details, { fuel_used: candidate.fuel, isolation: config.isolation });
  if (results.length > counted.length) details.skipped = results.length - counted.length;
  const evidence = [{ text: "candidate: " + part(program) + (program.checker === "lines" ? "" : "; checker: " + program.checker) }];
  const out = { score: config.score === "share" ? good / counted.length : failed.length === 0 ? 1 : 0, details, evidence };
  if (failed.length === 0) return { ...out, reason: good + " of " + counted.length + " tests passed" };
  const r = failed[0], line = r.line ? program.line(r.line) : 0;
  let why = failed.length + " of " + counted.length + " tests failed; " + r.name + ": " + said[r.outcome] + ": " + r.why;
  if (r.outcome === "wrong_answer" && r.actual !== undefined && r.expected !== undefined && !r.why.includes("expected")) why += "; got " + r.actual + ", expected " + r.expected;
  if (r.input !== undefined) why += "; input: " + r.input;
  if (line > 0) why += " (line " + line + " of the output)";
  details.failure = Object.fromEntries(Object.entries({ test: r.name, class: r.outcome, message: r.why, input: r.input, expected: r.expected, actual: r.actual, line: line || undefined }).filter(([, v]) => v !== undefined));
  if (line > 0) evidence.push(quoted(program.output, line));
  return { ...out, reason: why.slice(0, 3000) };
}

// part says which part of the output was run.
function part(program) {
  const b = program.blocks[program.used], lines = b.text.split("\n"), last = b.line + Math.max(0, lines.findLastIndex((line) => line !== ""));
  if (program.found === 0) return "the whole output, lines 1-" + last;
  if (program.rule === "joined") return program.found + " code blocks of the output, joined, from line " + b.line;
  return (program.found === 1 ? "the code block" : "code block " + program.chosen + " of " + program.found + " (" + program.rule + ")") + ", lines " + b.line + "-" + last + " of the output";
}

// quoted returns a line of the output as evidence. Positions count characters as the contract does: code points.
function quoted(output, line) {
  const list = output.split("\n"), text = list[line - 1], start = [...list.slice(0, line - 1).join("\n")].length + (line > 1 ? 1 : 0);
  return text !== "" && text.length < 10_000 ? { field: "output", start, end: start + [...text].length, text } : { text: "line " + line + " of the output" };
}

export const serveIdle = () => idle() || runClocks();
export { servePeer, serveRejection };

// QuickJS enlarges its table of names when that is full, in 170,000 instructions: now, and not in the call that adds the next ones.
for (let k = 0, spare = {}; k < 500; k++) spare["spare" + k] = k;
