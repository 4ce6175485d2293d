// What Intl has, for English of the United States: order, numbers, lists, plurals, relative times and dates.
import { mean } from "./faults.js";

// formats returns these classes. english says whether a locale is known, only refuses what is not known of options, partly an object of which Node's has more,
// dated writes a date, number is toLocaleString of a number, and compare localeCompare of a text.
export function formats({ compare, dated, english, lacking, number, only, partly }) {
  // kind returns a class, whose objects build makes.
  const kind = (name, build) => {
    const whole = "Intl." + name, hidden = (value) => ({ value, writable: true, configurable: true });
    const { [name]: made } = { [name]: function (...list) {
      const parts = Object.entries(build(...list)).map(([key, value]) => [key, hidden(value)]);
      return partly(whole, Object.create((new.target ?? made).prototype, Object.fromEntries(parts)));
    } };
    const of = partly(whole, made);
    made.prototype = partly(whole + ".prototype", Object.create(Object.prototype, { constructor: hidden(of), [Symbol.toStringTag]: { value: whole, configurable: true } }));
    return of;
  };
  const made = (name, known, build) => kind(name, (locales, options = {}) => {
    if (!english(locales)) throw lacking("Intl." + name + " of another locale");
    if (known !== undefined) only("Intl." + name, options, known);
    return build(options);
  });
  const invalid = (v, what) => mean(new RangeError("Invalid " + what + " argument for Intl.RelativeTimeFormat.format() '" + v + "'"));

  const ListFormat = made("ListFormat", { style: ["long", "short", "narrow"], type: ["conjunction", "disjunction", "unit"] }, ({ style = "long", type = "conjunction" }) => {
    const word = type === "unit" ? "" : type === "disjunction" ? "or " : style === "long" ? "and " : style === "short" ? "& " : "", between = type === "unit" && style === "narrow" ? " " : ", ";
    return { format: (items) => {
      const list = [...items];
      if (!list.every((x) => typeof x === "string")) throw mean(new TypeError("Iterable yielded a non-String value"));
      return list.length < 2 ? list.join("") : list.length === 2 ? list.join(word === "" ? between : " " + word) : list.slice(0, -1).join(between) + between + word + list.at(-1);
    } };
  });

  const PluralRules = made("PluralRules", { type: ["cardinal", "ordinal"] }, ({ type = "cardinal" }) => ({ select: (v) => {
    const n = Math.abs(Number(v));
    if (type === "cardinal") return n === 1 ? "one" : "other";
    const last = Math.floor(n / 10) % 10 === 1 || !Number.isInteger(n) ? 0 : n % 10;
    return ["other", "one", "two", "few"][last] ?? "other";
  } }));

  const units = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"], days = { "-1": "yesterday", 0: "today", 1: "tomorrow" };
  const RelativeTimeFormat = made("RelativeTimeFormat", { style: ["long"], numeric: ["always", "auto"] }, ({ numeric = "always" }) => ({ format: (v, of) => {
    const n = Number(v), unit = String(of).replace(/s$/, "");
    if (!units.includes(unit)) throw invalid(of, "unit");
    if (!Number.isFinite(n)) throw mean(new RangeError("Invalid time value"));
    if (numeric === "auto") {
      const near = Math.trunc(n * 100 + Math.sign(n) / 2) / 100; // ICU's
      if (unit === "day" && Object.hasOwn(days, near)) return days[near];
      if (near === 0) return unit === "second" ? "now" : "this " + unit;
      if (Math.abs(near) === 1 && !["second", "minute", "hour"].includes(unit)) return (n < 0 ? "last " : "next ") + unit;
    }
    const text = Math.abs(n).toLocaleString("en-US") + " " + unit + (Math.abs(n) === 1 ? "" : "s");
    return n < 0 || Object.is(n, -0) ? text + " ago" : "in " + text;
  } }));

  const DateTimeFormat = made("DateTimeFormat", undefined, (options) => ({ format: (v = Date.now()) => {
    const date = new Date(v);
    if (Number.isNaN(date.getTime())) throw mean(new RangeError("Invalid time value"));
    return dated(date, options);
  } }));
  const NumberFormat = kind("NumberFormat", (...how) => ({ format: (v) => Reflect.apply(number, typeof v === "bigint" ? v : Number(v), how) }));
  const Collator = kind("Collator", (locales, options) => {
    const how = [locales, options && { ...options }], ordered = (a, b) => Reflect.apply(compare, `${a}`, [`${b}`, ...how]);
    ordered("", "");
    return { compare: ordered };
  });
  return { Collator, DateTimeFormat, ListFormat, NumberFormat, PluralRules, RelativeTimeFormat, [Symbol.toStringTag]: "Intl" };
}
