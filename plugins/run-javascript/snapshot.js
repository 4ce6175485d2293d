// The inline snapshots of Jest and Vitest: values as pretty-format writes them.
import { AssertionError } from "./assert.js";
import { handleOf } from "./known.js";

// pretty writes a value. refuse is called for one that is written in a way that is not known here.
function pretty(v, refuse, indent = "", open = []) {
  switch (typeof v) {
    case "string": return '"' + v + '"';
    case "number": return Object.is(v, -0) ? "-0" : String(v);
    case "bigint": return v + "n";
    case "function": return v._isMockFunction === true ? refuse("a mock") : "[Function]";
    case "object": break;
    default: return String(v);
  }
  if (v === null) return "null";
  if (open.includes(v)) return "[Circular]";
  if (v instanceof Date) return Number.isNaN(+v) ? "Date { NaN }" : v.toISOString();
  if (v instanceof RegExp) return String(v).replace(/[\\^$*+?.()|[\]{}]/g, "\\$&");
  if (v instanceof Error) return Object.hasOwn(v, "cause") || v instanceof AggregateError ? refuse("such an error") : "[" + Error.prototype.toString.call(v) + "]";
  const inner = indent + "  ", write = (x) => pretty(x, refuse, inner, [...open, v]), name = handleOf(v)?.name ?? (typeof v.constructor === "function" && v.constructor.name || "Object");
  const wrap = (head, first, items, last) => head + (items.length === 0 ? first + last : first + "\n" + items.map((item) => inner + item + ",\n").join("") + indent + last);
  if (Array.isArray(v) && handleOf(v) === undefined) return wrap(name === "Array" ? "" : name + " ", "[", Array.from(v, (x, k) => k in v ? write(x) : ""), "]");
  if (ArrayBuffer.isView(v) && !(v instanceof DataView) && name !== "Buffer") return wrap(name + " ", "[", Array.from(v, write), "]");
  if (v instanceof Map && handleOf(v) === undefined) return wrap("Map ", "{", Array.from(v, ([k, x]) => write(k) + " => " + write(x)), "}");
  if (v instanceof Set && handleOf(v) === undefined) return wrap("Set ", "{", Array.from(v, write), "}");
  if (v.$$typeof !== undefined || typeof v.toJSON === "function" || typeof v.asymmetricMatch === "function" || v instanceof Promise || Object.getOwnPropertySymbols(v).length > 0 || [Number, String, Boolean, ArrayBuffer, DataView, WeakMap, WeakSet].some((kind) => v instanceof kind) || ["Map", "Set", "Array"].includes(handleOf(v)?.like) || handleOf(v)?.like?.startsWith("Proxy")) return refuse("such an object");
  return wrap(name === "Object" ? "" : name + " ", "{", Object.keys(v).sort().map((key) => write(key) + ": " + write(v[key])), "}");
}

// unindented takes the indentation away that a snapshot has where it stands in a program.
function unindented(text) {
  const indent = /^([^\S\n]*)\S/m.exec(text)?.[1], lines = text.split("\n");
  if (!indent || lines.length <= 2 || lines[0].trim() !== "" || lines.at(-1).trim() !== "" || !lines.slice(1, -1).every((line) => line === "" || line.startsWith(indent))) return text;
  return lines.map((line) => line.slice(indent.length)).join("\n");
}

// snapshots returns the matchers. missing is called for what is not supported.
export function snapshots(missing) {
  const matches = (name, v, list) => {
    if (list.length !== 1 || typeof list[0] !== "string") return missing("expect()." + name + " without a snapshot, or with more");
    const written = pretty(v, (what) => missing("expect()." + name + " of " + what, true)); // it may be what the candidate has answered
    if (written.trim() === unindented(list[0]).trim()) return;
    throw new AssertionError({ message: "the value does not match its snapshot", actual: written, expected: unindented(list[0]), operator: name });
  };
  return {
    __proto__: null,
    toMatchInlineSnapshot: (v, ...list) => matches("toMatchInlineSnapshot", v, list),
    toThrowErrorMatchingInlineSnapshot: (e, ...list) => {
      if (!(e instanceof Error)) return missing("expect().toThrowErrorMatchingInlineSnapshot of what is no error");
      matches("toThrowErrorMatchingInlineSnapshot", String(list[0]).trim().startsWith("[") ? e : e.message, list); // Vitest's has the class
    },
  };
}
