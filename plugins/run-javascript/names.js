// What the names are that tests use: those of a framework, of the prompt, of the candidate, and what the tests put in their place.
import { mean } from "./faults.js";
import { guardCode, isTheirs, scopes, surfaces } from "./known.js";
import { absent, commonJS, hasOne, importing, isModule } from "./node.js";

const { Function, eval: evaluate } = globalThis, AsyncFunction = (async () => {}).constructor; // those of the tests are guarded

// The tests fail by themselves, whatever the candidate does. chosen: a candidate can bring that about.
export class Broken extends Error {
  constructor(why, chosen = false) { super(why); this.chosen = chosen; }
}

// The candidate could not be loaded, or lacks a name.
export class Missing extends Error {}

// What tests of a framework use, and is not here. None of these names is the candidate's, nor one by which tests assert something.
const asserts = /^(?:assert|expect|should)/, frameworks = new Set(["jest", "vi", "vitest", "sinon", "mock", "jasmine", "spyOn", "cy", "mocha", "bench"]);

export const defined = new Set(); // names that tests have given to the global object

// replaceable has the modules of Node in which tests may put functions in the place of others.
const replaceable = new Set(["fs", "crypto", "os", "path", "util", "readline", "perf_hooks"]);

// directive matches a text that begins with "use strict".
const directive = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(["'])use strict\1/;

// bare matches the import of a file from which nothing is taken: what it does to the global object is what counts.
const bare = /^[ \t]*(?:import\s*|require\s*\(\s*)(['"`])([^'"`\n]*)\1\s*\)?[ \t]*;?[ \t]*$/gm;

// arithmetic matches code that can name nothing.
const arithmetic = /^(?:\s*(["'])use strict\1;?)?(?:\s*return\b)?[\d\s+\-*\/%().,<>=!&|^?:~;]{0,300}$/;

// Names finds what a name in the texts of a case's tests is.
export class Names {
  text = "";               // of the tests
  registered = [];         // tests of these
  imported = false;        // the text that runs has imported the candidate: other names are not its own
  lacking = undefined;     // a name that the candidate lacks
  unsupported = undefined; // what the tests have used that there is not: they may have caught the error
  #names = new Map();
  #live = new Map();       // what the tests import of the candidate: a variable may change
  #replaced = new Map();   // what the tests have put in the place of exports of the candidate
  #prompt = undefined;     // evaluates a name where the prompt is
  #watched = [];           // functions that the tests may replace
  #tells = false;          // the candidate learns of them

  constructor(candidate, task) {
    this.candidate = candidate;
    this.task = task;
  }

  // load loads the candidate, if it is not.
  load() {
    if (this.candidate.loaded) return;
    const entry = this.task.entry.split(".")[0], wanted = [...new Set([...entry ? [entry] : [], ...this.task.required])];
    const kinds = this.candidate.load(wanted);
    this.#names = new Map();
    wanted.forEach((name, k) => {
      if (kinds[k] === undefined) throw this.missing(name);
      if (kinds[k][0] !== "A") this.#keep(name, this.candidate.resolve(name, kinds[k]));
    });
  }

  // find returns what a name of the candidate is. imported: the tests say that it is the candidate's.
  find(name, imported = false) {
    this.load();
    if (imported && this.#replaced.has(name)) return this.#replaced.get(name);
    const helper = this.#helper(name);
    if (helper !== undefined) return helper;
    if (this.candidate.shared) this.candidate.asked++; // what it has under a name may change
    const kept = this.candidate.shared ? undefined : this.#names.get(name);
    if (kept === undefined || typeof kept.v !== "function" && kept.uses !== this.candidate.uses) { // it may have changed
      const theirs = imported || this.#isTheirs(name), v = theirs ? this.candidate.resolve(name) : undefined;
      if (this.candidate.computed?.has(name)) return v;
      if (v === undefined) {
        if (Object.hasOwn(this.others, name)) return this.others[name];
        if (frameworks.has(name)) throw new Broken("the tests use " + name + ", which is not supported");
        if (absent.has(name)) throw new Broken("the tests use " + name + ", which this runtime does not have");
        if (!imported && (!theirs || this.task.entry || name === "check")) throw new Broken("the tests use the name " + name + ", which nothing defines");
        throw this.missing(name);
      }
      this.#keep(name, v);
    }
    return this.#names.get(name).v;
  }

  #keep(name, v) { this.#names.set(name, { v, uses: this.candidate.uses }); }

  // has reports whether the candidate has a name.
  has(name) {
    this.load();
    return this.candidate.kindOf(name) !== undefined;
  }

  // #hasValues reports whether the tests have read a value of the candidate that is not a function.
  hasValues() { return [...this.#names.values()].some(({ v }) => typeof v !== "function"); }

  missing(name) {
    this.lacking ??= name;
    return new Missing("the candidate does not define " + name);
  }

  notSupported(name, byAnswer = false) { throw this.unsupported = new Broken("the tests use " + name + ", which is not supported", byAnswer); }

  // #isUnused reports whether the tests import a name, and never use it.
  #isUnused(name) { return !this.task.required.has(name) && this.text.match(new RegExp("(?<![\\w$])" + name.replaceAll("$", "\\$") + "(?![\\w$])", "g"))?.length === 1; }

  // #isTheirs reports whether a name that the tests use and do not import may be the candidate's.
  #isTheirs(name) {
    const { entry, prompt, required } = this.task;
    return required.size === 0 && !this.imported && !this.#isFrameworks(name) || required.has(name) || entry !== "" && new RegExp("\\b(?:class|function\\s*\\*?|const|let|var)\\s+" + name.replaceAll("$", "\\$") + "(?![\\w$])").test(prompt);
  }

  // #isFrameworks reports whether a name is that of a framework. Some the candidate may have too: fail is Jest's in its tests, and Mocha's are called as Mocha's, context("...", () => ...).
  #isFrameworks(name) {
    return frameworks.has(name) || asserts.test(name) || name === "fail" && this.registered.length > 0 || Object.hasOwn(this.others, name) && new RegExp("(?<![\\w$.])" + name + "\\s*\\(\\s*(?:(['\"`]).*?\\1\\s*,\\s*)?(?:async\\b|function\\b|\\w+\\s*=>|\\([^()]*\\)\\s*=>)").test(this.text);
  }

  // #helper returns what the prompt defines besides the entry point, and is not a class: a candidate may not replace it.
  #helper(name) {
    const { entry, prompt, required } = this.task;
    if (this.candidate.shared || !entry || required.has(name) || !prompt?.includes(name)) return undefined;
    for (const end of this.#prompt === undefined ? ["", "\n}", "\n};", "\n}}"] : []) { // the entry point has no body yet
      try {
        this.#prompt = new Function("__scope", "with (__scope) {" + (isModule(prompt) ? commonJS(prompt) : prompt) + end + "\n;return (__name) => eval(__name); }")({ ...this.globals, eval: evaluate });
        break;
      } catch (e) {
        if (!(e instanceof SyntaxError)) break;
      }
    }
    this.#prompt ??= () => {};
    let v;
    try { v = this.#prompt(name); } catch { return undefined; }
    return typeof v === "function" && /^class\b|\bthis\b/.test(Function.prototype.toString.call(v)) ? undefined : v;
  }

  // entry returns the function that a case is about.
  entry() {
    this.load();
    const [name, method] = this.task.entry.split(".");
    const v = this.find(name, true);
    if (method === undefined) return this.#function(v, name);
    if (typeof v !== "function") throw this.missing(name);
    let made; // one object for all calls, as in the harnesses
    return (...args) => { made ??= new v(); return this.#function(made[method], method).apply(made, args); };
  }

  #function(v, name) {
    if (typeof v !== "function") throw mean(new TypeError(name + " of the candidate is not a function"));
    return v;
  }

  exported(orNames = false) {
    this.load();
    const v = this.candidate.exported(/\b(?:import|const|let|var)\s+[A-Z][\w$]*\s*(?:=\s*require\b|(?:,\s*\{[^}]*\}\s*)?from\b)/.test(this.text));
    if (v === undefined && orNames) return this.globals.require("./solution");
    if (v === undefined) throw this.missing("a default export");
    return v;
  }

  require() {
    const solution = new Proxy({}, {
      get: (_, name) => typeof name !== "string" || name === "then" || name === "__esModule" ? undefined : this.#isUnused(name) && !this.candidate.shared && this.has(name) === false ? undefined : this.find(name, true),
      has: (_, name) => typeof name === "string", set: (_, name, v) => this.#replace(String(name), v),
      deleteProperty: (_, name) => this.#replace(String(name), undefined),
    });
    // A module that is one function: module.exports = f, or export default.
    const names = {
      ownKeys: () => this.#exportNames(), getOwnPropertyDescriptor: (_, name) => ({ value: solution[name], writable: true, enumerable: true, configurable: true }),
      get: (_, name) => name === Symbol.toStringTag && this.#isNamespace() ? "Module" : solution[name], set: (_, name, v) => { solution[name] = v; return true; }, deleteProperty: (_, name) => delete solution[name],
    };
    const whole = new Proxy(function () {}.bind(), {
      ...names, apply: (_, self, args) => this.#function(this.exported(), "the default export")(...args), construct: (_, args) => new (this.#function(this.exported(), "the default export"))(...args),
    });
    const plain = new Proxy({}, { // one that is an object
      ...names, get: (of, name) => typeof name === "string" && this.text.includes(name) ? solution[name] : name === Symbol.toStringTag && this.#isNamespace() ? "Module" : of[name], // others ask what it is
      has: (of, name) => name in of || !asserts.test(name) && this.#exportNames().includes(name), // with (lib) gives no names by which tests assert something
    });
    for (const of of [whole, plain]) surfaces.add(of);
    const require = (name) => {
      name = String(name).replace(/^node:/, "");
      if (name in this.modules) {
        if (replaceable.has(name) && !this.candidate.shared && !this.#watched.some((w) => w.path === "node:" + name)) this.#required(name);
        return this.modules[name];
      }
      this.imported ||= this.isSolution(name) && ![...this.text.matchAll(bare)].some(([, , file]) => this.isSolution(file));
      if (this.isSolution(name)) return this.#module() ?? this.#whole() ?? (this.#isPlain() ? plain : whole);
      const registered = /^chai\/register-(assert|expect|should)(?:\.js)?$/.exec(name)?.[1];
      if (registered !== undefined) return { [registered]: this.globals[registered] = registered === "should" ? this.chai.should() : this.chai[registered] };
      throw new Broken("the tests require " + name + ", which this runtime does not have");
    };
    const one = (name) => { const m = require(name); return m === whole || m === plain ? this.exported(true) : m.default ?? m; };
    return Object.assign(require, { default: one, import: Object.assign(async (name) => { const m = require(name); return m === whole || m === plain ? m : { default: m, ...m }; }, { meta: { url: "file:///tests.js", filename: "/tests.js", dirname: "/" } }) });
  }

  // #isNamespace reports whether the tests import the namespace of a module, which Jest replaces by an object.
  #isNamespace() { return isModule(this.text) && !/\bjest\b/.test(this.text); }

  // #whole returns what a module is that is not a plain object, unless the tests take names from it that it does not have.
  #whole() {
    if (this.candidate.shared || !/\bmodule\.exports\s*=/.test(this.candidate.program.output)) return undefined;
    this.load();
    const v = this.candidate.wholeModule();
    const names = [...this.text.matchAll(/\{([^{}]*)\}\s*=\s*require\(/g)].flatMap(([, list]) => list.split(",").map((x) => x.trim().split(/\s*[:=]/)[0])).filter(Boolean);
    return v !== undefined && names.every((name) => name in Object(v)) ? v : undefined;
  }

  // #isPlain reports whether the candidate's module is an object.
  #isPlain() {
    if (this.candidate.shared) return false;
    this.load();
    return this.candidate.plain;
  }

  // #exportNames returns the names of what the module exports.
  #exportNames() {
    this.load();
    return this.candidate.exportNames(isModule(this.text));
  }

  // #isSolution reports whether a module is the candidate.
  isSolution(name) { return this.task.modules.has(name.replace(/^.*\//, "").replace(/\.[cm]?js$/, "")); }

  // #module returns the exports of a candidate that is in this instance, if it has any.
  #module() {
    if (!this.candidate.shared) return undefined;
    this.load();
    this.candidate.asked++;
    return this.candidate.module();
  }

  // #replace puts a function there; undefined: what was there.
  #replace(name, v) {
    this.load();
    this.candidate.replace(name, v);
    if (v === undefined || this.candidate.shared) this.#replaced.delete(name); else this.#replaced.set(name, v);
    return true;
  }

  // #imports notes names that are imported of the candidate, and returns the statement that has them be there.
  #imports = (list, file) => {
    const names = list.split(",").map((x) => x.trim()).filter(Boolean).map((x) => x.split(/\s+as\s+/));
    if (this.candidate.shared || !this.isSolution(file.slice(1, -1)) || !names.every((x) => x.every((name) => /^[\w$]+$/.test(name)))) return undefined;
    for (const [name, as = name] of names) this.#live.set(as, name);
    return "void [" + names.map(([name]) => "require(" + file + ")." + name).join(", ") + "];" + list.replace(/[^\n]/g, "");
  };

  scope(own) {
    const scope = new Proxy(Object.assign(Object.create(null), own), {
      has: (of, name) => typeof name === "string" && name !== "arguments" && (name in of || this.#live.has(name) || name in this.globals || this.task.required.has(name) || absent.has(name) || (this.candidate.defines?.(name) ?? !(name in globalThis))),
      get: (of, name) => {
        if (name === Symbol.unscopables) return undefined;
        if (name in of) return of[name];
        if (this.#live.has(name)) return this.find(this.#live.get(name), true);
        if (this.task.required.has(name)) return this.find(name, true);
        if (name in this.globals) return this.globals[name];
        if (absent.has(name) && !this.candidate.shared && Object.getOwnPropertyDescriptor(globalThis, name)?.get === undefined) return globalThis[name]; // the tests have defined it
        return this.find(name);
      },
      set: (of, name, v) => {
        of[name] = v;
        return true;
      },
    });
    scopes.add(scope);
    return scope;
  }

  compiled(text, what = "the tests") {
    if (text.includes("import")) text = text.replace(importing, "__import");
    const strict = isModule(text) || directive.test(text) ? "return (async function () { 'use strict'; " : "";
    const wrapped = (text) => "\n".repeat(this.candidate.above ?? 0) + "with (__scope) {" + strict + text + "\n}" + (strict && ").call(); }");
    try {
      const waits = waiting(text);
      if (waits !== text) return new AsyncFunction("__scope", wrapped(waits));
    } catch (e) { if (!(e instanceof SyntaxError)) throw e; }
    try {
      return new AsyncFunction("__scope", wrapped(text));
    } catch (e) {
      if (e instanceof SyntaxError && isModule(text)) {
        try { return new AsyncFunction("__scope", wrapped(commonJS(text, this.#imports))); } catch (x) { e = x; }
      }
      throw new Broken(what + " cannot be parsed: " + e.message);
    }
  }

  // #guard has the tests make no code from other texts than theirs.
  guard() {
    guardCode((list) => { list.forEach((text) => this.#isOwn(text)); return list; });
    this.globals.eval = (text) => {
      if (typeof text !== "string") return text;
      this.#isOwn(text);
      try { return new Function("__scope", "with (__scope) { return (__text) => eval(__text); }")({ ...this.globals, eval: evaluate })(text); } catch (e) { throw e instanceof ReferenceError ? this.candidate.lacks("the tests use eval with names of their own", true) : e; }
    };
  }

  // #isOwn checks that a text from which the tests make code is theirs, or says no more than a number: that of a candidate would run among them.
  #isOwn(text) {
    if (!this.text.includes(text) && !arithmetic.test(text)) throw this.candidate.lacks("the tests run a text that may be the candidate's", true);
  }

  // #replaces has what the texts of tests put in place of built-in functions, or into the global object, reach the candidate.
  replaces(text) {
    const watched = [["console", "log", "info", "debug", "warn", "error"], ["process.stdout", "write"], ["process", "exit"], ["Math", "random"], ["Date", "now"], ["globalThis", "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "queueMicrotask", "Date"]]
      .flatMap(([path, ...keys]) => keys.map((key) => ({ path, key, of: () => path.split(".").reduce((v, key) => v[key], globalThis) })))
      .filter(({ path, key }) => text.includes(key) && (path === "globalThis" || text.includes(path.split(".").at(-1))));
    if (text.includes("randomUUID")) watched.push({ path: "crypto", key: "randomUUID", of: () => globalThis.crypto });
    for (const w of watched) w.before = w.of()[w.key];
    const globals = hasOne(text, "global", "stubGlobal") && /\bglobal(?:This)?\b|\bstubGlobal\b/.test(text);
    if (globals || hasOne(text, "(this,")) this.#protects();
    const names = new Set(Object.keys(globalThis)), withEnv = hasOne(text, "env", "Env", "ENV"), first = globalThis.process.env;
    this.#watched = watched;
    if (watched.length > 0 || globals || withEnv) this.#replacing(globals, names, withEnv, first);
  }

  // #protects refuses that the tests put a value of the candidate in the place of a global one, as Object.assign(globalThis, require("./solution")) does: the judge uses those.
  #protects() {
    const own = (v) => Object(v) === v && !isTheirs(v) && this.candidate.both.idOf(v) === undefined;
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      let { value, writable, enumerable } = Object.getOwnPropertyDescriptor(globalThis, name);
      if (writable && value !== undefined) Object.defineProperty(globalThis, name, { enumerable, configurable: true, get: () => value, set: (v) => {
        if (v !== value && !own(v)) throw this.candidate.lacks("the tests put a value of the candidate in the place of " + name, true);
        value = v;
      } });
    }
  }

  // #required has what the tests put into a module of Node reach the candidate.
  #required(name) {
    for (const key of Object.keys(this.modules[name])) if (this.text.includes(key)) this.#watched.push({ path: "node:" + name, key, of: () => this.modules[name], before: this.modules[name][key] });
    if (!this.#tells) this.#replacing(false, new Set(), false);
  }

  // #replacing has the candidate learn of what they have replaced.
  #replacing(globals, names, withEnv, first) {
    const watched = this.#watched;
    this.#tells = true;
    const setEnv = (key, value) => {
      this.candidate.setsEnv = true;
      if (value === undefined) delete globalThis.process.env[key]; else if (key !== "TZ") globalThis.process.env[key] = value;
    };
    this.candidate.replaced = () => {
      const list = watched.map((w) => [w.path, w.key, w.of()[w.key], w.before]).filter(([, , f, before]) => f !== before);
      if (withEnv) list.push(["process.env", "", setEnv]);
      for (const [key, v] of withEnv ? Object.entries(globalThis.process.env) : []) if (v !== undefined || globalThis.process.env === first) list.push(["process.env", key, String(v)]);
      for (const key of globals ? Object.keys(globalThis) : []) {
        if (names.has(key)) continue;
        defined.add(key);
        list.push(["globalThis", key, typeof globalThis[key] === "string" ? {} : globalThis[key]]);
      }
      return list;
    };
  }
}

// waiting has the calls at the top level of a text waited for, so that an assertion that fails in them is seen: main(), (async () => ...)().
function waiting(text) {
  if (!hasOne(text, "async", ".then") || !/\basync\b|\.then\s*\(/.test(text)) return text;
  return text.replace(text.includes("`") ? /^(?=\(async\b)/gm : /^(?=\(async\b|(?!(?:async|await|catch|delete|do|else|export|for|function|if|import|new|return|super|switch|throw|try|typeof|void|while|with|yield)\b)[A-Za-z_$][\w$.]*\()/gm, "await ");
}
