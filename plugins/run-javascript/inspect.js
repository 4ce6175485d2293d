// How Node's console and util.inspect show values.
import { framesOf, mean } from "./faults.js";
import { lacked, lacking } from "./lacked.js";
import { serveRejection } from "./rejections.js";

const WIDE = 80, MOST_ITEMS = 100, MOST_CHARACTERS = 10_000, MOST_CUSTOMS = 1_000, COLUMNS = 12;

// proxied has what each Proxy of a program stands for: that is what is shown.
export const proxied = new WeakMap();

const custom = Symbol.for("nodejs.util.inspect.custom");

// inspecting is that of util.
export function inspecting(v, options = {}, depth = undefined) {
  if (typeof options !== "object" || options === null) options = { showHidden: options, depth };
  for (const [key, x] of Object.entries(options)) if (!["depth", "stylize"].includes(key) && x !== undefined && x !== false || x === false && key === "compact") lacking("util.inspect with " + key);
  return inspect(v, 0, options.depth === null ? Infinity : options.depth ?? 2);
}
Object.defineProperty(inspecting, "name", { value: "inspect" });
inspecting.custom = custom;
for (const name of ["colors", "defaultOptions", "styles"]) Object.defineProperty(inspecting, name, { get: () => { throw lacking("util.inspect." + name); }, set: () => { throw lacking("util.inspect." + name); } });

// inspect shows a value. level: how deep it is in another one. most: the depth of the objects that are shown whole. flat: for one line.
export function inspect(v, level = 0, most = 2, flat = false) {
  return shownIn({ most, flat, open: [], cycles: new Map(), indent: 0, reached: level, customs: 0 }, v, level);
}

// escaped writes what is not text in a text.
const short = { __proto__: null, "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\" };
const unprintable = /[\x00-\x1f\x7f-\x9f\\]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const escaped = (t) => t.replace(unprintable, (c) => short[c] ?? (c.length === 1 && c < "\u0100" ? "\\x" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0") : "\\u" + c.charCodeAt(0).toString(16)));
const quoted = (t) => {
  const mark = !t.includes("'") ? "'" : !t.includes('"') ? '"' : !t.includes("`") && !t.includes("${") ? "`" : "'";
  return mark + (mark === "'" ? escaped(t).replaceAll("'", "\\'") : escaped(t)) + mark;
};

// text shows one that is part of another value: line by line, if it is long.
function text(of, t) {
  const more = t.length - MOST_CHARACTERS, tail = more > 0 ? "... " + more + " more character" + (more > 1 ? "s" : "") : "";
  if (more > 0) t = t.slice(0, MOST_CHARACTERS);
  if (of.flat || t.length <= 16 || t.length <= WIDE - of.indent - 4) return quoted(t) + tail;
  return t.split(/(?<=\n)/).map(quoted).join(" +\n" + " ".repeat(of.indent + 2)) + tail;
}

// shownIn shows a value that is part of another one.
function shownIn(of, v, level) {
  switch (typeof v) {
    case "string": return text(of, v);
    case "bigint": return v + "n";
    case "number": return Object.is(v, -0) ? "-0" : String(v);
    case "symbol": case "boolean": case "undefined": return String(v);
  }
  if (v === null) return "null";
  const self = v;
  while (proxied.has(v)) v = proxied.get(v);
  if (typeof v[custom] === "function" && !(v.constructor && v.constructor.prototype === v)) {
    const own = Reflect.apply(v[custom], self, [of.most === Infinity ? null : of.most - level, { depth: of.most === Infinity ? null : of.most, stylize: String }, inspecting]);
    if (++of.customs > MOST_CUSTOMS) throw mean(new RangeError("Maximum call stack size exceeded"));
    if (own !== self) return typeof own === "string" ? own.replaceAll("\n", "\n" + " ".repeat(of.indent)) : shownIn(of, own, level);
  }
  if (of.open.includes(v)) {
    if (!of.cycles.has(v)) of.cycles.set(v, of.cycles.size + 1);
    return "[Circular *" + of.cycles.get(v) + "]";
  }
  return whole(of, v, level);
}

// nameOf returns the name of an object's class; null: it has none.
function nameOf(v) {
  let first;
  for (let from = v; from !== null && from !== undefined; from = Object.getPrototypeOf(from)) {
    const kind = Object.getOwnPropertyDescriptor(from, "constructor")?.value;
    if (typeof kind === "function" && kind.name !== "" && is(v, kind)) return String(kind.name);
    if (from !== v) first ??= from;
  }
  return first === undefined ? null : "Object <" + (nameOf(first) ?? "[Object: null prototype] {}") + ">";
}

const is = (v, kind) => { try { return v instanceof kind; } catch { return false; } };
const prefix = (name, tag, otherwise, size = "") => name === null ? "[" + otherwise + size + ": null prototype] " + (tag !== "" && tag !== otherwise ? "[" + tag + "] " : "") : name + size + " " + (tag !== "" && tag !== name ? "[" + tag + "] " : "");
const keysOf = (v) => [...Object.keys(v), ...Object.getOwnPropertySymbols(v).filter((key) => Object.prototype.propertyIsEnumerable.call(v, key))];
const brand = (v) => Object.prototype.toString.call(v).slice(8, -1);
const native = (kind, name) => { const { get } = Object.getOwnPropertyDescriptor(kind.prototype, name); return (v) => { try { return Reflect.apply(get, v, []); } catch { return undefined; } }; };
const [mapSize, setSize] = [native(Map, "size"), native(Set, "size")];
const boxes = [Number, String, Boolean, BigInt, Symbol];

// functionShown shows a function or a class.
function functionShown(v, name, tag) {
  let source = "";
  try { source = Function.prototype.toString.call(v); } catch { /* a function that has no text */ }
  const more = tag !== "" && tag !== name ? " [" + tag + "]" : "";
  if (/^class\b/.test(source)) {
    const above = Object.getPrototypeOf(v)?.name;
    return "[class " + (Object.hasOwn(v, "name") && v.name || "(anonymous)") + (name !== "Function" && name !== null ? " [" + name + "]" : "") + more + (name === null ? " extends [null prototype]" : above ? " extends " + above : "") + "]";
  }
  const kind = /^(?:Async)?(?:Generator)?Function$/.test(brand(v)) ? brand(v) : "Function";
  return "[" + kind + (name === null ? " (null prototype)" : "") + (v.name === "" ? " (anonymous)" : ": " + String(v.name)) + "]" + (name !== null && name !== kind ? " " + name : "") + more;
}

// boxShown shows a boxed primitive, or returns undefined.
function boxShown(of, v, name, tag) {
  for (const kind of boxes) {
    let own;
    try { own = kind.prototype.valueOf.call(v); } catch { continue; }
    return "[" + kind.name + (name === kind.name ? "" : name === null ? " (null prototype)" : " (" + name + ")") + ": " + shownIn({ ...of, indent: 0 }, own, 0) + "]" + (tag !== "" && tag !== name ? " [" + tag + "]" : "");
  }
}

const remaining = (n) => "... " + n + " more item" + (n > 1 ? "s" : "");

// differs reports whether Node shows an object in another way, by what programs do not see of it.
const differs = (v, tag) => /^(?:Map|Set) Iterator$/.test(tag) || v === globalThis || Object.hasOwn(v, "_events") && v._events instanceof Map && typeof v.rawListeners === "function";

// whole shows an object with what it has.
function whole(of, v, level) {
  const name = nameOf(v);
  let tag = v[Symbol.toStringTag];
  if (typeof tag !== "string" || tag !== "" && Object.prototype.propertyIsEnumerable.call(v, Symbol.toStringTag)) tag = "";
  let keys = keysOf(v), base = "", open = "{", close = "}", list = false, items = () => [];
  const view = ArrayBuffer.isView(v), size = is(v, Map) ? mapSize(v) : is(v, Set) ? setSize(v) : undefined;
  if (Array.isArray(v) || view && !(v instanceof DataView)) {
    if (view && name === "Buffer") return "<Buffer" + Array.from(v.subarray(0, 50), (b) => " " + b.toString(16).padStart(2, "0")).join("") + (v.length > 50 ? " ... " + (v.length - 50) + " more byte" + (v.length > 51 ? "s" : "") : "") + ">";
    [list, close] = [true, "]"];
    open = (name !== "Array" || tag !== "" ? prefix(name, tag, view ? brand(v) : "Array", "(" + v.length + ")") : "") + "[";
    keys = keys.filter((key) => typeof key === "symbol" || !/^(?:0|[1-9]\d*)$/.test(key));
    if (v.length === 0 && keys.length === 0) return open + "]";
    items = () => itemsOf(of, v, level);
  } else if (size !== undefined) {
    const map = is(v, Map), more = size - MOST_ITEMS;
    open = prefix(name, tag, map ? "Map" : "Set", "(" + size + ")") + "{";
    if (size === 0 && keys.length === 0) return open + "}";
    items = () => inside(of, 2, () => {
      const out = [];
      for (const x of (map ? Map : Set).prototype[Symbol.iterator].call(v)) {
        if (out.length === MOST_ITEMS) break;
        out.push(map ? shownIn(of, x[0], level + 1) + " => " + shownIn(of, x[1], level + 1) : shownIn(of, x, level + 1));
      }
      return more > 0 ? [...out, remaining(more)] : out;
    });
  } else if (typeof v === "function") {
    base = functionShown(v, name, tag);
    if (keys.length === 0) return base;
  } else if (name === "Object" && !(v instanceof Error)) {
    if (brand(v) === "Arguments") open = "[Arguments] {";
    else if (tag !== "") open = prefix(name, tag, "Object") + "{";
    if (keys.length === 0 && !/^(?:Map|Set) Iterator$/.test(tag)) return open + "}";
  } else if (v instanceof RegExp || v instanceof Date) {
    const kind = v instanceof Date ? "Date" : "RegExp";
    base = kind === "RegExp" ? RegExp.prototype.toString.call(v) : Number.isNaN(Date.prototype.getTime.call(v)) ? "Invalid Date" : Date.prototype.toISOString.call(v);
    if (name !== kind || tag !== "") base = prefix(name, tag, kind) + base;
    if (keys.length === 0 || kind === "RegExp" && level > of.most) return base;
  } else if (v instanceof Error) return level > 0 ? "[" + v + "]" : framesOf(v)?.startsWith?.(String(v)) ? framesOf(v) : String(v);
  else if (is(v, URLSearchParams)) return level > of.most ? "[Object]" : pairs(v, name, " ".repeat(of.indent + 2));
  else if (is(v, URL)) return level > of.most ? name + " {}" : urlShown(v, name, " ".repeat(of.indent + 2));
  else if (v instanceof ArrayBuffer) {
    open = prefix(name, tag, "ArrayBuffer") + "{";
    keys.unshift("byteLength");
    items = () => ["[Uint8Contents]: <" + Array.from(new Uint8Array(v).subarray(0, MOST_ITEMS), (b) => b.toString(16).padStart(2, "0")).join(" ") + (v.byteLength > MOST_ITEMS ? " ... " + (v.byteLength - MOST_ITEMS) + " more byte" + (v.byteLength > MOST_ITEMS + 1 ? "s" : "") : "") + ">"];
  } else if (v instanceof DataView) {
    open = prefix(name, tag, "DataView") + "{";
    keys.unshift("byteLength", "byteOffset", "buffer");
  } else if (v instanceof Promise) {
    open = prefix(name, tag, "Promise") + "{";
    items = () => {
      const settled = serveRejection.settled(v);
      return [settled === undefined ? "<pending>" : (settled[0] ? "<rejected> " : "") + inside(of, 2, () => shownIn(of, settled[1], level + 1))];
    };
  } else if (is(v, WeakSet) || is(v, WeakMap)) {
    open = prefix(name, tag, is(v, WeakSet) ? "WeakSet" : "WeakMap") + "{";
    items = () => ["<items unknown>"];
  } else {
    const boxed = boxShown(of, v, name, tag);
    if (boxed !== undefined) {
      if (v instanceof String) keys = keys.filter((key) => typeof key === "symbol" || !/^(?:0|[1-9]\d*)$/.test(key));
      base = boxed;
      if (keys.length === 0) return base;
    } else {
      open = prefix(name, tag, "Object") + "{";
      if (keys.length === 0) return open + "}";
    }
  }
  if (!of.flat && differs(v, tag)) {
    lacked.byValue = true;
    lacking("console.log of " + (v === globalThis ? "the global object" : tag || "EventEmitter"));
  }
  if (level > of.most) {
    const short = prefix(name, tag, list ? "Array" : "Object").slice(0, -1);
    return name === null ? short : "[" + (list && name === "Array" && tag === "" ? "Array" : short) + "]";
  }
  of.open.push(v);
  of.reached = level;
  const out = items();
  for (const key of keys) out.push(property(of, v, key, level));
  if (of.cycles.has(v)) base = "<ref *" + of.cycles.get(v) + ">" + (base === "" ? "" : " " + base);
  of.open.pop();
  return joined(of, out, base, open, close, list ? v : undefined, level);
}

// inside runs what shows the parts of an object, which stand further right.
function inside(of, by, f) {
  of.indent += by;
  try { return f(); } finally { of.indent -= by; }
}

// itemsOf shows the items of an array.
function itemsOf(of, v, level) {
  const out = [];
  let k = 0;
  for (; k < v.length && out.length < MOST_ITEMS; k++) {
    if (k in v) { out.push(inside(of, 2, () => valueShown(of, Object.getOwnPropertyDescriptor(v, k) ?? { value: v[k] }, level))); continue; }
    let n = 1;
    while (k + 1 < v.length && !(k + 1 in v)) { n++; k++; }
    out.push("<" + n + " empty item" + (n > 1 ? "s" : "") + ">");
  }
  if (k < v.length) out.push(remaining(v.length - k));
  return out;
}

const valueShown = (of, d, level) => d.get !== undefined ? d.set !== undefined ? "[Getter/Setter]" : "[Getter]" : d.set !== undefined ? "[Setter]" : shownIn(of, d.value, level + 1);

// property shows a property.
function property(of, v, key, level) {
  const d = Object.getOwnPropertyDescriptor(v, key) ?? { value: v[key], enumerable: true };
  const name = typeof key === "symbol" ? "[" + escaped(String(key)) + "]" : key === "__proto__" ? "['__proto__']" : d.enumerable === false ? "[" + escaped(key) + "]" : /^[a-zA-Z_]\w*$/.test(key) ? key : quoted(key);
  return name + ": " + inside(of, 2, () => valueShown(of, d, level));
}

// joined sets the parts of an object on one line, if they fit, and are not too deep, or each on its own. list: they are the items of an array.
function joined(of, out, base, open, close, list, level) {
  const before = base === "" ? "" : base + " ", { length } = out;
  if (list !== undefined && length > 6 && !of.flat) out = columns(of, out, list);
  if (of.reached - level < 3 && out.length === length) {
    const taken = 2 * length + of.indent + open.length + base.length + 10;
    if (out.reduce((n, t) => n + t.length, taken) <= WIDE && !base.includes("\n") && !out.some((t) => t.includes("\n"))) return before + open + " " + out.join(", ") + " " + close;
  }
  const line = "\n" + " ".repeat(of.indent);
  return before + open + line + "  " + out.join("," + line + "  ") + line + close;
}

// columns sets the items of an array in columns, if they are short. A line is about two and a half times as high as a character is wide.
function columns(of, out, list) {
  const counted = out.length > MOST_ITEMS ? out.length - 1 : out.length, widths = out.slice(0, counted).map(width);
  const total = widths.reduce((n, w) => n + w + 2, 0), longest = Math.max(...widths), most = longest + 2;
  if (most * 3 + of.indent >= WIDE || total / most <= 5 && longest > 6) return out;
  const biased = Math.max(most - 3 - Math.sqrt(most - total / out.length), 1);
  const n = Math.min(Math.round(Math.sqrt(2.5 * biased * counted) / biased), Math.floor((WIDE - of.indent) / most), COLUMNS, 15);
  if (n <= 1) return out;
  const wide = Array.from({ length: n }, (_, k) => widths.reduce((m, w, j) => j % n === k ? Math.max(m, w) : m, 0) + 2);
  const right = out.every((_, k) => typeof list[k] === "number" || typeof list[k] === "bigint"), lines = [];
  const padded = (t, to, w) => right ? " ".repeat(Math.max(0, to - w)) + t : t + " ".repeat(Math.max(0, to - w));
  for (let k = 0; k < counted; k += n) {
    const end = Math.min(k + n, counted);
    let line = "";
    for (let j = k; j < end - 1; j++) line += padded(out[j] + ", ", wide[j - k], widths[j] + 2);
    lines.push(line + (right ? padded(out[end - 1], wide[end - 1 - k] - 2, widths[end - 1]) : out[end - 1]));
  }
  return counted < out.length ? [...lines, out[counted]] : lines;
}

// width returns how many columns of a terminal a text takes.
function width(t) {
  if (/^[\x20-\x7e]*$/.test(t)) return t.length;
  let n = 0;
  for (const c of t.normalize("NFC")) if (!/[\x00-\x1f\x7f-\x9f\p{Mn}\p{Me}\p{Cf}]/u.test(c)) n += isWide(c.codePointAt(0)) ? 2 : 1;
  return n;
}

const wideRanges = [[0x1100, 0x115f], [0x2329, 0x232a], [0x2e80, 0x303e], [0x3040, 0x3247], [0x3250, 0x4dbf], [0x4e00, 0xa4c6], [0xa960, 0xa97c], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe10, 0xfe19], [0xfe30, 0xfe6b], [0xff01, 0xff60],
  [0xffe0, 0xffe6], [0x1b000, 0x1b001], [0x1f200, 0x1f251], [0x1f300, 0x1f64f], [0x1f900, 0x1f9ff], [0x20000, 0x3fffd]];
const isWide = (c) => wideRanges.some(([from, to]) => c >= from && c <= to);

// pairs shows a URLSearchParams.
function pairs(v, name, indent) {
  const list = Array.from(v, (pair) => pair.map(quoted).join(" => ")), one = list.join(", ");
  return list.length === 0 ? name + " {}" : one.length > WIDE ? name + " {\n" + indent + list.join(",\n" + indent) + " }" : name + " { " + one + " }";
}

function urlShown(v, name, indent) {
  const written = (key) => indent + key + ": " + (key === "searchParams" ? pairs(v[key], "URLSearchParams", indent + "  ") : quoted(v[key]));
  return name + " {\n" + "href origin protocol username password host hostname port pathname search searchParams hash".split(" ").map(written).join(",\n") + "\n" + indent.slice(2) + "}";
}

// hasBuiltinText reports whether an object's text is JavaScript's own.
function hasBuiltinText(v) {
  while (proxied.has(v)) v = proxied.get(v);
  const [byText, bySymbol] = [typeof v.toString === "function", typeof v[Symbol.toPrimitive] === "function"];
  if (byText ? Object.hasOwn(v, "toString") : !bySymbol || Object.hasOwn(v, Symbol.toPrimitive)) return !byText && !bySymbol;
  if (bySymbol && Object.hasOwn(v, Symbol.toPrimitive)) return false;
  let of = v;
  do of = Object.getPrototypeOf(of); while (of !== null && !(byText && Object.hasOwn(of, "toString")) && !(bySymbol && Object.hasOwn(of, Symbol.toPrimitive)));
  const kind = of === null ? undefined : Object.getOwnPropertyDescriptor(of, "constructor")?.value; // null: a Proxy has another prototype than it says
  return typeof kind === "function" && builtin.has(kind.name);
}
const builtin = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z][a-zA-Z0-9]+$/.test(name)));

const number = (v) => typeof v === "bigint" ? v + "n" : typeof v === "symbol" ? "NaN" : Object.is(v, -0) ? "-0" : String(v);

// format is what console.log prints.
export function format(...list) {
  if (typeof list[0] === "string" && list.length > 1) {
    let k = 1;
    const text = list[0].replace(/%[sdifjoOc%]/g, (m) => {
      if (m === "%%") return "%";
      if (k >= list.length) return m;
      const v = list[k++];
      switch (m) {
        case "%s": return ["number", "bigint"].includes(typeof v) ? number(v) : typeof v === "object" && v !== null && hasBuiltinText(v) ? inspect(v, 0, 0) : String(v);
        case "%d": return number(typeof v === "bigint" || typeof v === "symbol" ? v : Number(v));
        case "%i": return number(typeof v === "bigint" || typeof v === "symbol" ? v : Number.parseInt(v, 10));
        case "%f": return number(typeof v === "symbol" ? v : Number.parseFloat(v));
        case "%j": return JSON.stringify(v);
        case "%c": return "";
        case "%o": if (typeof v === "object" && v !== null || typeof v === "function") lacking("console.log with %o");
      }
      return inspect(v);
    });
    list = [text, ...list.slice(k)];
  }
  return list.map((v) => typeof v === "string" ? v : inspect(v)).join(" ");
}

// wrongType is Node's error for an argument of another type, and isFunction throws it.
export const wrongType = (name, type, v) => mean(Object.assign(new TypeError('The "' + name + '" argument must be ' + type + ". Received " + received(v)), { code: "ERR_INVALID_ARG_TYPE" }));
function received(v) {
  if (v === null || v === undefined) return String(v);
  if (typeof v === "function") return "function " + v.name;
  if (typeof v === "object") return typeof v.constructor?.name === "string" && v.constructor.name !== "" ? "an instance of " + v.constructor.name : inspect(v, -1);
  const text = inspect(v);
  return "type " + typeof v + " (" + (text.length > 28 ? text.slice(0, 25) + "..." : text) + ")";
}
export const isFunction = (f, name = "callback") => { if (typeof f !== "function") throw wrongType(name, "of type function", f); return f; };
