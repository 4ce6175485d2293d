// The few globals and modules of Node that programs and tests use.

import "./sort.js";
import { buffers } from "./buffer.js";
import { began, exact, promisified } from "./clock.js";
import { ciphers } from "./crypto.js";
import { AbortController, AbortSignal, CustomEvent, Event, EventTarget, runs } from "./events.js";
import { converting, mean } from "./faults.js";
import { format, inspect, inspecting, isFunction, proxied, wrongType } from "./inspect.js";
import { lacked, lacking } from "./lacked.js";
import { formats } from "./intl.js";
import { web } from "./web.js";

export { lacked, lacking };

export class Exit extends Error {
  constructor(code) { super("process.exit(" + code + ")"); this.code = code; }
}

export const absent = new Set(`Atomics Blob BroadcastChannel ByteLengthQueuingStrategy CloseEvent CompressionStream CountQueuingStrategy Crypto CryptoKey
  DecompressionStream fetch File FormData Headers MessageChannel MessageEvent MessagePort Navigator navigator Performance PerformanceEntry
  PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming ReadableByteStreamController
  ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader Request
  Response SubtleCrypto TextDecoderStream TextEncoderStream TransformStream TransformStreamDefaultController URLPattern WebAssembly WebSocket
  WritableStream WritableStreamDefaultController WritableStreamDefaultWriter`.split(/\s+/));

// hasOne reports whether a text has one of some words. Before a regular expression, it saves most of the time.
export const hasOne = (text, ...words) => words.some((word) => text.includes(word));

// partly returns an object of which Node's has more members: to read one that is not there is an error.
const { Proxy } = globalThis; // a candidate has another one
const unknown = new Set(["then", "toJSON", "default", "__esModule", "browser", "send", "connected", "domain", "noDeprecation", "columns", "rows"]);
export const partly = (name, of) => {
  const lacks = (key) => typeof key === "string" && !(key in of) && !unknown.has(key) && lacking(name + "." + key);
  return new Proxy(of, { get: (of, key) => { const e = lacks(key); if (e) throw e; return of[key]; }, has: (of, key) => { lacks(key); return key in of; } });
};

for (const name of ["print", "scriptArgs"]) delete globalThis[name]; // of QuickJS

// Absent global names are undefined, and to read one is noted: programs catch the error of an undefined name.
for (const name of absent) Object.defineProperty(globalThis, name, { configurable: true, get: () => void lacking(name), set: (value) => {
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, enumerable: true, value });
} });

// What RegExp has of the last match QuickJS does not note.
for (const name of ["$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$_", "$&", "$+", "$`", "$'", "input", "lastMatch", "lastParen", "leftContext", "rightContext"]) {
  Object.defineProperty(RegExp, name, { configurable: true, get: () => void lacking("RegExp." + name), set: () => {} });
}

// Promise.any of QuickJS rejects with an error that says nothing.
const { any } = Promise;
Promise.any = Object.defineProperty(function (list) {
  const of = this, said = (e) => { if (e instanceof AggregateError && !Object.hasOwn(e, "message")) Object.defineProperty(e, "message", { value: "All promises were rejected", writable: true, configurable: true }); return e instanceof Error ? mean(e) : e; };
  const made = function (run) { return new of((done, fail) => run(done, (e) => fail(said(e)))); };
  made.resolve = (v) => of.resolve(v);
  return any.call(made, list);
}, "name", { value: "any" });

for (const [name, value] of Object.entries({ AbortController, AbortSignal, CustomEvent, Event, EventTarget })) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

// Functions of QuickJS that depend on a locale have none. What they say in Node for English of the United States is known, for the options that programs use.
const english = (locales) => [undefined, "en-US", "en"].includes(Array.isArray(locales) && locales.length < 2 ? locales[0] : locales);
const ordered = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ", zero = ordered.indexOf("0"), letters = ordered.indexOf("a");
const collation = { numeric: [true, false], sensitivity: ["base", "accent", "case", "variant"], usage: ["sort", "search"] };
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");
const currencies = { __proto__: null, USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹" };

// only refuses options and values that are not known here.
function only(name, options, known) {
  for (const [key, v] of Object.entries(options)) if (v !== undefined && !(known[key]?.includes?.(v) ?? known[key]?.(v))) throw lacking(name + " with " + key + ": " + String(v));
}
const isDigits = (n) => Number.isInteger(n) && n >= 0 && n <= 20;
const numeric = { style: ["decimal", "percent", "currency"], currency: Object.keys(currencies), minimumFractionDigits: isDigits, maximumFractionDigits: isDigits, useGrouping: [true, false] };

// digitsOf returns the digits that a number is written with, and how many of them are behind the point.
function digitsOf(v, { style = "decimal", currency, minimumFractionDigits: least, maximumFractionDigits: most }) {
  const usual = style === "currency" ? currency === "JPY" ? [0, 0] : [2, 2] : style === "percent" ? [0, 0] : [0, 3];
  if (least > most) throw mean(new RangeError("maximumFractionDigits value is out of range."));
  most ??= Math.max(usual[1], least ?? 0);
  least ??= Math.min(usual[0], most);
  if (typeof v === "number" && (v >= 1e15 || v > 0 && v < 1e-6 && most > 3)) {
    lacked.byValue = true;
    throw lacking("toLocaleString of such a number");
  }
  const [whole, part = ""] = (v < 1e-6 ? "0" : String(v)).split("."), shift = style === "percent" ? 2 : 0, point = part.slice(shift);
  const kept = BigInt(whole + part.slice(0, shift).padEnd(shift, "0") + point.slice(0, most).padEnd(most, "0")) + (point[most] >= "5" ? 1n : 0n);
  const digits = String(kept).padStart(most + 1, "0"), behind = digits.slice(digits.length - most).replace(/0+$/, "").padEnd(least, "0");
  return [digits.slice(0, digits.length - most), most === 0 ? "" : behind];
}

const locale = {
  number(locales, options = {}) {
    if (!english(locales)) throw lacking("toLocaleString of another locale");
    only("toLocaleString", options, numeric);
    const { style, currency, useGrouping = true } = options, v = typeof this === "bigint" || this instanceof BigInt ? BigInt(this) : Number(this), size = v < 0 ? -v : v;
    if (style === "currency" && currency === undefined) throw mean(new TypeError("Currency code is required with currency style."));
    const [whole, part] = Number.isNaN(v) ? ["NaN", ""] : size === Infinity ? ["∞", ""] : digitsOf(size, options);
    return (v < 0 || Object.is(v, -0) ? "-" : "") + (style === "currency" ? currencies[currency] : "") + (useGrouping ? grouped(whole) : whole) + (part === "" ? "" : "." + part) + (style === "percent" ? "%" : "");
  },
  compare(other, locales, options = {}) {
    const a = String(this), b = String(other), ascii = /^[ -~]*$/.test(a + b), { numeric = false, sensitivity = "variant" } = options;
    if (!english(locales)) throw lacking("localeCompare of another locale");
    only("localeCompare", options, collation);
    lacked.byValue ||= !ascii;
    if (!ascii) throw lacking("localeCompare of other texts than ASCII");
    const ranks = (t, folds) => (numeric ? t.match(/0*\d{1,254}|\D/g) ?? [] : [...t]).map((c) => {
      const n = ordered.indexOf(c[0]), rank = n < letters || !folds ? n : n - (n - letters) % 2; // -1: a space
      return !numeric || n < zero ? rank - letters : n < letters ? BigInt(c) : 10n ** 254n + BigInt(rank);
    });
    const first = (folds) => {
      const x = ranks(a, folds), y = ranks(b, folds);
      for (let k = 0; k < Math.min(x.length, y.length); k++) if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
      return Math.sign(x.length - y.length);
    };
    return first(true) || (sensitivity === "base" || sensitivity === "accent" ? 0 : first(false));
  },
};
const method = (of, name, f) => Object.defineProperty(of, name, { value: { [name](...args) { return f.apply(this, args); } }[name], writable: true, configurable: true });
method(Number.prototype, "toLocaleString", locale.number);
method(BigInt.prototype, "toLocaleString", locale.number);
method(String.prototype, "localeCompare", locale.compare);
for (const name of ["toLocaleLowerCase", "toLocaleUpperCase"]) {
  const own = String.prototype[name];
  method(String.prototype, name, function (locales) { // these languages have rules of their own
    if (locales !== undefined && /^(?:az|el|hy|lt|tr)\b/i.test(locales)) throw lacking(name + " of another locale");
    return own.call(this);
  });
}
const months = "January February March April May June July August September October November December".split(" "), days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const writing = new Set(); // lists: within itself one is empty
for (const kind of [Array, Object.getPrototypeOf(Uint8Array)]) method(kind.prototype, "toLocaleString", function (...how) {
  if (writing.has(this)) return "";
  writing.add(this);
  try { return Array.from(this, (v) => v === null || v === undefined ? "" : String(v.toLocaleString(...how))).join(","); } finally { writing.delete(this); }
});
const two = ["numeric", "2-digit"], words = ["long", "short"], styles = ["short", "medium", "long", "full"], ofDate = ["year", "month", "day", "weekday"], ofTime = ["hour", "minute", "second"];
const dated = { year: two, month: [...two, ...words], day: two, weekday: words, hour: two, minute: two, second: two, hour12: [true, false], hourCycle: ["h12", "h23"], dateStyle: styles, timeStyle: styles.slice(0, 2), timeZone: ["UTC"] };
const styled = { short: { year: "2-digit", month: "numeric", day: "numeric" }, medium: { year: "numeric", month: "short", day: "numeric" }, long: { year: "numeric", month: "long", day: "numeric" }, full: { year: "numeric", month: "long", day: "numeric", weekday: "long" } };
// dateText writes a date with the parts that options ask for. If there are none of those in needs, it has those in usual.
function dateText(name, date, locales, options, needs, usual) {
  if (!english(locales)) throw lacking(name + " of another locale");
  only(name, options, dated);
  if (Number.isNaN(date.getTime())) return "Invalid Date";
  const { dateStyle, timeStyle, hour12, hourCycle } = options, has = (list) => list.some((key) => of[key] !== undefined), refuse = (when) => { if (when) throw lacking(name + " with these options"); };
  let of = options;
  if (dateStyle !== undefined || timeStyle !== undefined) {
    refuse(has([...ofDate, ...ofTime]) || dateStyle !== undefined && !needs.includes("day") || timeStyle !== undefined && !needs.includes("hour"));
    of = { ...styled[dateStyle], ...timeStyle && { hour: "numeric", minute: "2-digit" }, ...timeStyle === "medium" && { second: "2-digit" } };
  } else if (!has(needs)) of = { ...options, ...Object.fromEntries(usual.map((key) => [key, "numeric"])) };
  const { year, month, day, weekday, hour, minute, second } = of, half = hour12 ?? hourCycle !== "h23";
  const number = (n, as) => as === "2-digit" ? String(n).slice(-2).padStart(2, "0") : String(n), named = (name, as) => as === "short" ? name.slice(0, 3) : name;
  const list = (...parts) => parts.filter((part) => part !== undefined);
  const dayText = () => {
    const at = { year: year && number(date.getUTCFullYear(), year), day: day && number(date.getUTCDate(), day), weekday: weekday && named(days[date.getUTCDay()], weekday) };
    refuse(date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999 || at.weekday !== undefined && (month === undefined ? day !== undefined || year !== undefined : day === undefined) || month === undefined && day !== undefined && year !== undefined);
    if (!words.includes(month)) return list(at.weekday, list(month && number(date.getUTCMonth() + 1, month), at.day, at.year).join("/") || undefined).join(", ");
    return list(at.weekday, list(named(months[date.getUTCMonth()], month), at.day).join(" ")).join(", ") + (at.year === undefined ? "" : (at.day === undefined ? " " : ", ") + at.year);
  };
  const timeText = () => {
    refuse(hour !== undefined && minute === undefined && second !== undefined);
    const h = date.getUTCHours(), alone = list(hour, minute, second).length === 1, padded = (n, as) => as && (alone ? String(n) : String(n).padStart(2, "0"));
    const first = hour && (half ? number(h % 12 || 12, hour) : String(h === 0 && hour12 === false ? 24 : h).padStart(2, "0"));
    return list(first, padded(date.getUTCMinutes(), minute), padded(date.getUTCSeconds(), second)).join(":") + (hour && half ? h < 12 ? " AM" : " PM" : "");
  };
  if (!has(ofTime)) return dayText();
  if (!has(ofDate)) return timeText();
  return dayText() + (hour !== undefined && (half || minute !== undefined) && !has(ofDate.slice(0, 3)) ? " " : month === "long" ? " at " : ", ") + timeText();
}
for (const [name, needs, usual] of [["toLocaleString", [...ofDate, ...ofTime], ["year", "month", "day", ...ofTime]], ["toLocaleTimeString", ofTime, ofTime], ["toLocaleDateString", ofDate, ofDate.slice(0, 3)]]) {
  method(Date.prototype, name, function (locales, options = {}) { return dateText(name, this, locales, options, needs, usual); });
}

// QuickJS keeps the time of a Date that is set to NaN.
const { setTime } = Date.prototype;
for (const name of ["Milliseconds", "Seconds", "Minutes", "Hours", "Date", "Month", "FullYear"].flatMap((part) => ["set" + part, "setUTC" + part])) {
  const own = Date.prototype[name];
  method(Date.prototype, name, function (...args) { const at = Reflect.apply(own, this, args); if (at !== at) Reflect.apply(setTime, this, [at]); return at; });
  Object.defineProperty(Date.prototype[name], "length", { value: own.length, configurable: true });
}

// hypot is V8's, to the last digit.
method(Math, "hypot", (...list) => {
  const sizes = list.map((v) => Math.abs(v)), most = sizes.reduce((a, b) => b > a ? b : a, 0);
  if (most === Infinity || most === 0 || sizes.some(Number.isNaN)) return most === Infinity ? most : sizes.reduce((a, b) => a + b, 0);
  let sum = 0, rest = 0;
  for (const size of sizes) {
    const part = (size / most) ** 2 - rest, next = sum + part;
    rest = next - sum - part;
    sum = next;
  }
  return Math.sqrt(sum) * most;
});
Object.defineProperty(Math.hypot, "length", { value: 2, configurable: true });

for (const name of ["toString", "toTimeString"]) {
  const own = Date.prototype[name];
  method(Date.prototype, name, function () { const t = own.call(this); return t.endsWith("GMT+0000") ? t + " (Coordinated Universal Time)" : t; });
}

Object.defineProperty(globalThis, "Intl", { value: partly("Intl", formats({ compare: locale.compare, dated: (date, options) => dateText("DateTimeFormat", date, undefined, options, [...ofDate, ...ofTime], ofDate.slice(0, 3)), english, lacking, number: locale.number, only, partly })), writable: true, configurable: true });

const ARRIVES = 20; // milliseconds after which a program has its input, where it does not wait for it

// machine is what process.env inherits. What a machine has there, and another time zone, is lacking.
const machine = Object.defineProperties({}, Object.fromEntries(["HOME", "HOSTNAME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "TZ", "USER"].map((name) => {
  const lacks = () => void lacking("process.env." + name);
  return [name, { configurable: true, get: name === "TZ" ? () => {} : lacks, set(value) { if (name === "TZ") lacks(); Object.defineProperty(this, name, { value: String(value), writable: true, enumerable: true, configurable: true }); } }];
})));

// world returns the globals and modules of a program with standard input. out takes what it prints, equal compares as assert does, and
// told takes each variable that it sets or deletes.
export function world(given, out, clock, equal, told = () => {}) {
  [runs.set, runs.throws] = [(f, ms) => clock.set(f, ms, [], false), (e) => clock.tick(() => { throw e; })];
  let left = given;
  const take = () => { const t = left; left = ""; return t; };
  const bytesOf = (t) => Object.defineProperty(Buffer.from(t), "toString", { value: (coding, ...part) => coding === undefined && part.length === 0 ? t : Buffer.from(t).toString(coding, ...part) });
  const readFileSync = (file, options) => {
    if (file === "/solution.js") throw lacking("fs: the file of the program");
    if (file !== 0 && file !== "/dev/stdin" && file !== process.stdin) throw mean(Object.assign(new Error("ENOENT: no such file or directory, open '" + file + "'"), { errno: -2, code: "ENOENT", syscall: "open", path: file }));
    const t = take();
    return (typeof options === "string" ? options : options?.encoding) ? t : bytesOf(t);
  };
  let bytes = new Uint8Array(0), isText = false; // of standard input: what readSync has left, and whether it has an encoding
  const readSync = (fd, to, at = 0, n = to.length - at) => {
    if (fd !== 0 || typeof at !== "number") throw lacking("fs: such a readSync");
    if (left !== "") bytes = Buffer.from(take());
    const part = bytes.subarray(0, n);
    to.set(part, at);
    bytes = bytes.subarray(part.length);
    return part.length;
  };
  const chunk = () => isText ? take() : bytesOf(take());
  const later = (f) => clock.set(f, 0, [], false);
  const listeners = (self) => {
    self.on = self.addListener = (event, f, once = false) => {
      const call = (...list) => { Reflect.apply(f, stdin(), list); };
      if (event === "data") later(() => { if (left !== "") call(chunk()); });
      else if (event === "readable") later(() => { if (left !== "" && once !== true) later(call); call(); }); // once more at the end
      else if (event === "end" || event === "close") later(() => later(() => later(call)));
      return self;
    };
    self.once = (event, f) => self.on(event, f, true);
    return self;
  };
  const kept = {}; // what a program has asked for: few programs do
  const stdin = () => kept.stdin ??= listeners(partly("process.stdin", {
    fd: 0, isTTY: false, setEncoding: () => { isText = true; return stdin(); }, resume: stdin, pause: stdin, unref: stdin,
    read: () => left === "" ? null : chunk(), async *[Symbol.asyncIterator]() { if (left !== "") yield chunk(); }, on: undefined, once: undefined, addListener: undefined,
  }));
  // textOf returns the text of what a program writes: texts and bytes, and nothing else.
  const textOf = (v) => {
    if (v === null) throw mean(Object.assign(new TypeError("May not write null values to stream"), { code: "ERR_STREAM_NULL_VALUES" }));
    if (typeof v !== "string" && !ArrayBuffer.isView(v)) throw wrongType("chunk", "of type string or an instance of Buffer, TypedArray, or DataView", v);
    return typeof v === "string" ? v : Buffer.from(v.buffer, v.byteOffset, v.byteLength).toString();
  };
  const nanoseconds = () => Math.round((exact() - began) * 1e6);
  const handlers = { exit: [], beforeExit: [], uncaughtException: [], unhandledRejection: [] }, listOf = (event) => handlers[event];
  const handle = (event, f) => { listOf(event)?.push(f); return process; }, unhandle = (event, f) => { const list = listOf(event) ?? [], at = list.findIndex((g) => g === f || g.listener === f); if (at >= 0) list.splice(at, 1); return process; };
  const env = new Proxy({ __proto__: machine }, {
    set: (of, key, value) => {
      const text = `${value}`, name = `${key}`;
      of[name] = text;
      told(name, text);
      return true;
    },
    defineProperty: (of, key, d) => {
      if (typeof d.value === "string") told(key, d.value);
      return Reflect.defineProperty(of, key, d);
    },
    deleteProperty: (of, key) => {
      told(key);
      return Reflect.deleteProperty(of, key);
    },
  });
  const process = partly("process", {
    argv: ["/usr/bin/node", "/tests.js"], env, platform: "linux", version: "v20.0.0", versions: partly("process.versions", { node: "20.0.0" }), [Symbol.toStringTag]: "process", exitCode: undefined, get stdin() { return stdin(); },
    stdout: partly("process.stdout", { fd: 1, isTTY: false, write: (v, ...rest) => { out(textOf(v)); const f = rest.at(-1); if (typeof f === "function") clock.tick(f); return true; }, on: () => process.stdout, once: () => process.stdout, end: (v) => { if (v !== undefined) out(textOf(v)); } }),
    stderr: partly("process.stderr", { fd: 2, isTTY: false, write: () => true, on: () => process.stderr }),
    exit: (code) => { throw new Exit(Number(code ?? process.exitCode ?? 0)); }, cwd: () => "/", uptime: () => (exact() - began) / 1000, memoryUsage: Object.assign(() => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), { rss: () => 0 }),
    hrtime: Object.assign((since = [0, 0]) => { const n = nanoseconds() - since[0] * 1e9 - since[1]; return [Math.floor(n / 1e9), n % 1e9]; }, { bigint: () => BigInt(nanoseconds()) }),
    nextTick: (f, ...args) => { isFunction(f); clock.tick(() => f(...args)); }, on: handle, once: (event, f) => { const g = Object.assign((...args) => { unhandle(event, g); return f(...args); }, { listener: f }); return handle(event, g); }, addListener: handle, off: unhandle, removeListener: unhandle, removeAllListeners: (event) => { listOf(event)?.splice(0); return process; }, emitWarning: () => {}, title: "node", pid: 1,
    arch: "x64", release: partly("process.release", { name: "node" }), execArgv: [], cpuUsage: () => ({ user: 0, system: 0 }), config: partly("process.config", {}), abort: () => { throw new Exit(134); },
  });
  let indent = "";
  const counts = new Map(), print = (...list) => out(format(...list).replace(/^/gm, indent) + "\n"), quiet = () => {};
  const group = (...list) => { if (list.length > 0) print(...list); indent += "  "; };
  const console = partly("console", {
    log: print, info: print, debug: print, error: quiet, warn: quiet, trace: quiet, dir: (v, options) => print(inspecting(v, options)), time: quiet, assert: quiet, group, groupCollapsed: group, groupEnd: () => { indent = indent.slice(2); },
    count: (label = "default") => { counts.set(label, (counts.get(label) ?? 0) + 1); print(label + ": " + counts.get(label)); }, countReset: (label = "default") => { counts.delete(label); },
  });
  const performance = partly("performance", { now: () => exact() - began, timeOrigin: began });
  const readline = () => kept.interfaces ??= (() => {
    const lines = () => { const t = take(), list = t.split(/\r?\n/); if (list.at(-1) === "") list.pop(); return list; };
    // An Interface has all lines at once, as a pipe of Node does, a little after it was made: who listens later has none of them.
    class Interface extends EventEmitter {
      #asked; #output; #prompt = "> "; #listed; closed = false; terminal = false; line = "";
      constructor(input, output) {
        super();
        if (input !== stdin() && input?.input === undefined) throw mean(new TypeError("Cannot read properties of undefined (reading 'on')"));
        this.#output = input === stdin() ? output : input?.output;
        clock.set(() => {
          for (const line of lines()) if (this.#asked !== undefined) { const f = this.#asked; this.#asked = undefined; f(line); } else this.emit("line", line);
          later(() => this.close());
        }, ARRIVES, [], false);
      }
      #write(text) { if (this.#output !== undefined) out(String(text)); }
      setPrompt(text) { this.#prompt = String(text); }
      getPrompt() { return this.#prompt; }
      prompt() { this.#write(this.#prompt); }
      pause() { return this; }
      resume() { return this; }
      close() { if (!this.closed) { this.closed = true; this.emit("close"); } }
      question(text, ...rest) {
        if (this.closed) throw mean(Object.assign(new Error("readline was closed"), { code: "ERR_USE_AFTER_CLOSE" }));
        this.#write(text);
        this.#asked ??= rest.at(-1);
      }
      [Symbol.asyncIterator]() { return this.#listed ??= listed(this); }
    }
    const listed = (self) => {
      const queue = [], waiting = [], give = (value) => { if (waiting.length > 0) waiting.shift()(value); else queue.push(value); };
      let ended = false;
      self.on("line", (value) => give({ value, done: false }));
      self.on("close", () => { ended = true; for (const f of waiting.splice(0)) f({ value: undefined, done: true }); });
      return {
        next: () => queue.length > 0 ? Promise.resolve(queue.shift()) : ended ? Promise.resolve({ value: undefined, done: true }) : new Promise((done) => waiting.push(done)),
        return: () => Promise.resolve({ value: undefined, done: true }), [Symbol.asyncIterator]() { return this; },
      };
    };
    class Asking extends Interface { question(text) { return new Promise((done, fail) => { try { super.question(text, done); } catch (e) { fail(e); } }); } }
    return [Interface, Asking].map((kind) => ({ Interface: kind, createInterface: (input, output) => new kind(input, output) }));
  })();
  const files = () => kept.files ??= partly("fs.promises", { readFile: async (...args) => readFileSync(...args) });
  const timers = clock.globals();
  const modules = {
    __proto__: null, timers: partly("timers", { ...timers, get promises() { return modules["timers/promises"]; } }), process, crypto: hashing.module, events: EventEmitter, get "fs/promises"() { return files(); }, get "readline/promises"() { return readline()[1]; },
    get "timers/promises"() { return kept["timers/promises"] ??= partly("timers/promises", { setTimeout: timers.setTimeout[promisified], setImmediate: timers.setImmediate[promisified] }); },
    get fs() {
      return kept.fs ??= partly("fs", {
        readFileSync, readSync, createReadStream: (file, options) => { if (file !== "/dev/stdin" && options?.fd !== 0) throw lacking("fs: files that a program reads"); return stdin(); }, readFile: (file, ...rest) => later(() => rest.at(-1)(null, readFileSync(file, ...rest.slice(0, -1)))), promises: files(), existsSync: (file) => file === "/dev/stdin",
        writeSync: (fd, v) => { const t = textOf(v); if (fd === 1) out(t); return Buffer.byteLength(t); }, writeFileSync: (file, v) => { if (file !== 1 && file !== "/dev/stdout") throw lacking("fs: files that a program writes"); out(textOf(v)); },
      });
    },
    get readline() { return kept.readline ??= partly("readline", { ...readline()[0], promises: readline()[1] }); }, get perf_hooks() { return kept.perf_hooks ??= partly("perf_hooks", { performance }); },
    get util() { return kept.util ??= partly("util", { inspect: inspecting, format, inherits, TextEncoder, TextDecoder, promisify, isDeepStrictEqual: (a, b) => equal(a, b, true) }); },
    get url() { return kept.url ??= partly("url", { URL, URLSearchParams, fileURLToPath: (url) => decodeURIComponent(String(url).replace(/^file:\/\//, "")), pathToFileURL: (path) => ({ href: "file://" + encodeURI(paths.resolve(path)) }) }); },
    get buffer() { return kept.buffer ??= partly("buffer", { Buffer }); }, get os() { return kept.os ??= partly("os", { EOL: "\n", cpus: () => [], platform: () => "linux" }); }, get path() { return kept.path ??= partly("path", { ...paths }); },
  };
  return { globals: { process, console, performance, queueMicrotask: (f) => clock.soon(isFunction(f)), structuredClone, TextEncoder, TextDecoder, global: globalThis, __filename: "/solution.js", __dirname: "/", ...timers }, modules, handlers };
}

const errors = { __proto__: null, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

// promisify is that of util.
const promisify = (f) => isFunction(f, "original")[promisified] ?? ((...args) => new Promise((done, fail) => f(...args, (e, v) => e ? fail(e) : done(v))));
promisify.custom = promisified;

// uncloned is the error of structuredClone.
const uncloned = (what) => mean(new DOMException(what + " could not be cloned.", "DataCloneError"));

function structuredClone(v, options) {
  if (options?.transfer?.length > 0) throw lacking("structuredClone with transfer");
  return copy(v);
}

// copy is structuredClone of plain values.
function copy(v, seen = new Map()) {
  if (typeof v === "function" || typeof v === "symbol") throw uncloned(String(v));
  if (proxied.has(v)) throw uncloned("#<Object>");
  if (v === null || typeof v !== "object") return v;
  if (seen.has(v)) return seen.get(v);
  if (v instanceof Date) return new Date(v);
  if (v instanceof RegExp) return new RegExp(v);
  if (v instanceof Promise || v instanceof WeakMap || v instanceof WeakSet) throw uncloned(inspect(v));
  if (v instanceof ArrayBuffer) return v.slice();
  if (v instanceof Error) {
    const made = new (errors[v.name] ?? Error)(), hidden = (key, value) => Object.defineProperty(made, key, { value, writable: true, configurable: true });
    seen.set(v, made);
    for (const key of ["stack", "message", "cause"]) if (Object.hasOwn(v, key)) hidden(key, copy(v[key], seen));
    return made;
  }
  const boxed = [Number, String, Boolean, BigInt].find((kind) => v instanceof kind);
  if (boxed !== undefined) return Object(boxed.prototype.valueOf.call(v));
  const to = Array.isArray(v) ? Array(v.length) : v instanceof Map ? new Map() : v instanceof Set ? new Set() : v instanceof Buffer ? new Uint8Array(v) : v instanceof DataView ? new DataView(v.buffer.slice(0), v.byteOffset, v.byteLength) : ArrayBuffer.isView(v) ? v.slice() : {};
  seen.set(v, to);
  if (v instanceof Map) for (const [k, x] of v) to.set(copy(k, seen), copy(x, seen));
  else if (v instanceof Set) for (const x of v) to.add(copy(x, seen));
  else if (!ArrayBuffer.isView(v)) for (const k of Object.keys(v)) to[k] = copy(v[k], seen);
  return to;
}

// EventEmitter is that of Node: old programs call it as a function.
export function EventEmitter() { this._events ??= new Map(); }
{
  const listOf = (self, event) => (self._events ??= new Map()).get(event) ?? [];
  const listens = (f) => { if (typeof f !== "function") throw wrongType("listener", "of type function", f); };
  const add = (self, event, f, first) => {
    listens(f);
    if (listOf(self, "newListener").length > 0) self.emit("newListener", event, f.listener ?? f);
    const list = listOf(self, event);
    self._events.set(event, first ? [f, ...list] : [...list, f]);
    return self;
  };
  const once = (self, event, f) => {
    if (typeof f !== "function") return f;
    const g = function (...args) { self.removeListener(event, g); return f.apply(this, args); };
    return Object.assign(g, { listener: f });
  };
  const methods = {
    on(event, f) { return add(this, event, f, false); },
    prependListener(event, f) { return add(this, event, f, true); },
    once(event, f) { return add(this, event, once(this, event, f), false); },
    prependOnceListener(event, f) { return add(this, event, once(this, event, f), true); },
    removeListener(event, f) {
      listens(f);
      const list = listOf(this, event), at = list.findLastIndex((g) => g === f || g.listener === f);
      if (at < 0) return this;
      if (list.length === 1) this._events.delete(event); else this._events.set(event, list.toSpliced(at, 1));
      if (listOf(this, "removeListener").length > 0) this.emit("removeListener", event, list[at].listener ?? f);
      return this;
    },
    removeAllListeners(event) { if (arguments.length === 0) this._events = new Map(); else listOf(this, event).length > 0 && this._events.delete(event); return this; },
    emit(event, ...args) {
      const list = listOf(this, event);
      if (event === "error") for (const f of listOf(this, EventEmitter.errorMonitor)) Reflect.apply(f, this, args);
      if (event === "error" && list.length === 0) throw mean(args[0] instanceof Error ? args[0] : Object.assign(new Error("Unhandled error. (" + inspect(args[0]) + ")"), { code: "ERR_UNHANDLED_ERROR", context: args[0] }));
      for (const f of list) Reflect.apply(f, this, args);
      return list.length > 0;
    },
    listenerCount(event) { return listOf(this, event).length; },
    listeners(event) { return listOf(this, event).map((f) => f.listener ?? f); },
    rawListeners(event) { return [...listOf(this, event)]; },
    eventNames() { return [...(this._events ??= new Map()).keys()]; },
    setMaxListeners(n) { this._maxListeners = n; return this; },
    getMaxListeners() { return this._maxListeners ?? EventEmitter.defaultMaxListeners; },
  };
  methods.addListener = methods.on;
  methods.off = methods.removeListener;
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(EventEmitter.prototype, name, { value, writable: true, enumerable: true, configurable: true });
  Object.assign(EventEmitter, { EventEmitter, default: EventEmitter, defaultMaxListeners: 10, errorMonitor: Symbol("events.errorMonitor"), usingDomains: false, listenerCount: (of, event) => converting(() => of.listenerCount(event)), getEventListeners: (of, event) => {
    if (of instanceof EventTarget) throw lacking("events.getEventListeners of an EventTarget");
    return converting(() => of.listeners(event));
  } });
  for (const name of ["on", "addAbortListener", "captureRejections", "captureRejectionSymbol", "EventEmitterAsyncResource", "getMaxListeners", "setMaxListeners"]) {
    Object.defineProperty(EventEmitter, name, { get: () => { throw lacking("events." + name); }, set(value) { Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); }, configurable: true });
  }
  EventEmitter.once = (of, event) => new Promise((done, fail) => {
    if (of instanceof EventTarget) {
      lacked.byValue = true;
      throw lacking("events.once of an EventTarget");
    }
    if (typeof of?.once !== "function" || typeof of.removeListener !== "function") throw wrongType("emitter", "an instance of EventEmitter", of);
    const failed = (e) => { of.removeListener(event, ended); fail(e); }, ended = (...args) => { of.removeListener("error", failed); done(args); };
    of.once(event, ended);
    if (event !== "error") of.once("error", failed);
  });
}

// inherits is that of util.
const inherits = (of, from) => { Object.defineProperty(of, "super_", { value: from, writable: true, configurable: true }); Object.setPrototypeOf(of.prototype, from.prototype); };

// Paths of POSIX.
const normalize = (p) => {
  if (p === "") return ".";
  const root = p.startsWith("/"), out = [];
  for (const part of p.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.length > 0 && out.at(-1) !== "..") out.pop();
    else if (!root) out.push("..");
  }
  const text = out.join("/");
  return (root ? "/" : "") + text + (p.endsWith("/") && text !== "" ? "/" : "") || (p.endsWith("/") ? "./" : ".");
};
const isPath = (p) => { if (typeof p !== "string") throw wrongType("path", "of type string", p); return p; };
const bare = (p) => p.length > 1 ? p.replace(/\/+$/, "") || "/" : p;
const paths = {
  sep: "/", delimiter: ":", normalize: (p) => normalize(isPath(p)), isAbsolute: (p) => isPath(p).startsWith("/"),
  join: (...parts) => normalize(parts.map(isPath).filter((p) => p !== "").join("/")),
  resolve: (...parts) => { let at = ""; for (const p of parts.map(isPath).toReversed()) { if (p !== "") at = at === "" ? p : p + "/" + at; if (at.startsWith("/")) break; } return bare(normalize(at.startsWith("/") ? at : "/" + at)); },
  basename: (p, end = "") => { const name = bare(isPath(p)).split("/").at(-1); return end !== "" && name !== end && name.endsWith(end) ? name.slice(0, -end.length) : name; },
  dirname: (p) => { const of = bare(isPath(p)), at = of.lastIndexOf("/"); return of === "/" ? of : at < 0 ? "." : at === 0 ? "/" : at === 1 && of[0] === "/" ? "//" : of.slice(0, at); },
  parse: (p) => {
    const base = paths.basename(p), ext = paths.extname(p), of = bare(p), dir = of.slice(0, of.length - base.length);
    return { root: p.startsWith("/") ? "/" : "", dir: dir.length > 1 ? dir.slice(0, -1) : dir, base, ext, name: base.slice(0, base.length - ext.length) };
  },
  format: ({ root, dir, base, name, ext }) => {
    const from = dir || root, of = base || (name || "") + (ext ? (ext.startsWith(".") ? "" : ".") + ext : "");
    return from ? from + (from === root ? "" : "/") + of : of;
  },
  relative: (from, to) => {
    const [a, b] = [from, to].map((p) => paths.resolve(p).split("/").filter(Boolean));
    let k = 0;
    while (k < a.length && a[k] === b[k]) k++;
    return [...a.slice(k).map(() => ".."), ...b.slice(k)].join("/");
  },
  extname: (p) => { const name = bare(isPath(p)).split("/").at(-1), at = name.lastIndexOf("."); return at <= 0 || name === ".." ? "" : name.slice(at); },
};
paths.posix = paths;

// What turns bytes into text and back in a hundredth of the time of a loop.
const { fromBase64, prototype: { toBase64 } } = Uint8Array, native = { btoa, atob, escape, unescape, encodeURIComponent, decodeURIComponent, fromBase64: (t) => fromBase64.call(Uint8Array, t), toBase64: (b) => toBase64.call(b) };

// TextEncoder and TextDecoder, of UTF-8.
class TextEncoder {
  get encoding() { return "utf-8"; }
  encode(text = "") {
    return native.fromBase64(native.btoa(native.unescape(native.encodeURIComponent(converting(() => String(text)).toWellFormed()))));
  }
  get encodeInto() { throw lacking("TextEncoder.encodeInto"); }
  get [Symbol.toStringTag]() { return "TextEncoder"; }
}
class TextDecoder {
  get [Symbol.toStringTag]() { return "TextDecoder"; }
  #fatal; #keeps;
  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    if (!/^\s*(?:utf-?8|unicode-1-1-utf-8)\s*$/i.test(label)) throw lacking("TextDecoder of " + label);
    [this.#fatal, this.#keeps] = [Boolean(fatal), Boolean(ignoreBOM)];
  }
  get encoding() { return "utf-8"; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#keeps; }
  decode(of = new Uint8Array(), options = {}) {
    if (options.stream) throw lacking("TextDecoder with stream");
    if (!ArrayBuffer.isView(of) && !(of instanceof ArrayBuffer)) throw wrongType("list", "an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView", of);
    const bytes = ArrayBuffer.isView(of) ? new Uint8Array(of.buffer, of.byteOffset, of.byteLength) : new Uint8Array(of);
    try {
      return this.#whole(native.decodeURIComponent(native.escape(native.atob(native.toBase64(bytes)))));
    } catch {} // bytes that are not UTF-8
    let text = "";
    for (let k = 0; k < bytes.length;) {
      const b = bytes[k++], most = b < 0x80 ? 0 : b >= 0xc2 && b < 0xe0 ? 1 : b >= 0xe0 && b < 0xf0 ? 2 : b >= 0xf0 && b < 0xf5 ? 3 : -1;
      let code = most <= 0 ? b : b & 0x3f >> most, n = 0;
      for (let low = b === 0xe0 ? 0xa0 : b === 0xf0 ? 0x90 : 0x80, high = b === 0xed ? 0x9f : b === 0xf4 ? 0x8f : 0xbf; n < most && bytes[k] >= low && bytes[k] <= high; n++, low = 0x80, high = 0xbf) code = code << 6 | bytes[k++] & 0x3f;
      const bad = n !== most;
      if (bad && this.#fatal) throw mean(Object.assign(new TypeError("The encoded data was not valid for encoding utf-8"), { code: "ERR_ENCODING_INVALID_ENCODED_DATA" }));
      text += bad ? "\ufffd" : String.fromCodePoint(code);
    }
    return this.#whole(text);
  }
  #whole(text) { return !this.#keeps && text.startsWith("\ufeff") ? text.slice(1) : text; }
}

export const Buffer = buffers({ TextEncoder, TextDecoder, lacking, inspect, wrongType });
export const { URL, URLSearchParams, refill } = web({ TextEncoder, TextDecoder, lacking });
const told = (f, why) => ({ [f.name](v) { try { return f(v); } catch (e) { throw e instanceof DOMException ? mean(new DOMException(why(v), e.name)) : e; } } })[f.name];
Object.assign(globalThis, { btoa: told(btoa, () => "Invalid character"), atob: told(atob, (v) => /^[A-Za-z\d+/\s]*(?:=\s*){0,2}$/.test(v) ? "The string to be decoded is not correctly encoded." : "Invalid character") });
const hashing = ciphers({ Buffer, lacking, partly });
for (const [name, value] of Object.entries({ Buffer, URL, URLSearchParams, crypto: hashing.global })) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

// commonJS turns the import and export statements of a module into those of CommonJS. It is for texts that are
// no script: a line in a string or comment that looks like one of these statements would change, too.
// imports: writes the import of names in another way, or returns undefined.
export function commonJS(text, imports = () => undefined) {
  const from = "\\s*from\\s*(['\"][^'\"]+['\"])\\s*;?";
  const pairs = (list) => list.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").split(",").map((x) => x.trim().split(/\s+as\s+/)).filter(([own]) => own !== "").map(([own, as = own]) => [own, as]);
  const lines = (list) => list.replace(/[^\n]/g, ""), of = (file, own) => own === "default" ? "require.default(" + file + ")" : "require(" + file + ")." + own;
  const names = (list, file) => imports(list, file) ?? pairs(list).map(([own, as]) => "const " + as + " = " + of(file, own) + ";").join(" ") + lines(list);
  const exported = (list, value) => pairs(list).map(([own, as]) => "Object.defineProperty(module.exports, '" + as + "', { get: () => " + value(own) + ", enumerable: true, configurable: true });").join(" ") + lines(list);
  return text
    .replace(/(?<=^|[;}])[ \t]*import\s+(['"][^'"]+['"])\s*;?/gm, "require($1);")
    .replace(new RegExp("(?<=^|[;}])[ \\t]*import\\s+\\*\\s*as\\s+([\\w$]+)" + from, "gm"), "const $1 = require($2);")
    .replace(new RegExp("(?<=^|[;}])[ \\t]*import\\s+([\\w$]+)\\s*,\\s*\\{([^}]*)\\}" + from, "gm"), (_, one, list, file) => "const " + one + " = require.default(" + file + "); " + names(list, file))
    .replace(new RegExp("(?<=^|[;}])[ \\t]*import\\s+([\\w$]+)" + from, "gm"), "const $1 = require.default($2);")
    .replace(new RegExp("(?<=^|[;}])[ \\t]*import\\s*\\{([^}]*)\\}" + from, "gm"), (_, list, file) => names(list, file))
    .replace(/(?<=^|[;}])[ \t]*(?:const|let|var)\s+require\s*=\s*(?:\w+\.)?createRequire\([^()]*\)[ \t]*;?/gm, "") // it is there
    .replace(/(?<=^|[;}])[ \t]*export\s+default\s+((?:async\s+)?function\b\s*\*?|class\b)(?:\s*(?!extends\b)([\w$]+))?/gm, (_, kind, name) => "Object.defineProperty(module.exports, 'default', { get: () => " +
      (name ?? "Object.defineProperty(__default, 'name', { value: 'default', configurable: true })") + ", enumerable: true, configurable: true }); " + kind + " " + (name ?? "__default"))
    .replace(/(?<=^|[;}])[ \t]*export\s+default\s+/gm, "module.exports.default = ")
    .replace(new RegExp("(?<=^|[;}])[ \\t]*export\\s*\\*(?:\\s*as\\s+([\\w$]+))?" + from, "gm"), (_, as, file) => as === undefined ? "for (const [key, value] of Object.entries(require(" + file + "))) module.exports[key] ??= value;" : exported(as, () => "require(" + file + ")"))
    .replace(new RegExp("(?<=^|[;}])[ \\t]*export\\s*\\{([^}]*)\\}" + from, "gm"), (_, list, file) => exported(list, (own) => of(file, own)))
    .replace(/(?<=^|[;}])[ \t]*export\s*\{([^}]*)\}\s*;?/gm, (_, list) => exported(list, (own) => own))
    .replace(/(?<=^|[;}])[ \t]*export\s+(?=(?:async\s+function|function|class|const|let|var)\b)/gm, "");
}

// importing matches what eval() does not take: import() and import.meta.
export const importing = /(?<![\w$.])import(?=\s*(?:\(|\.\s*meta\b))/g;

// meta is import.meta of a program.
export const meta = { url: "file:///solution.js", filename: "/solution.js", dirname: "/" };

// isModule reports whether a text has statements of a module.
export const isModule = (text) => hasOne(text, "import", "export") && /(?<=^|[;}])[ \t]*(?:import\b\s*[\w${*'"]|export\b\s*[\w{*])/m.test(text);
